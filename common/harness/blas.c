#define _GNU_SOURCE
#include "blas.h"

#include "base/library.h"

#include <pthread.h>
#include <unistd.h>

#define THREAD_STEPS 0x1p22 /* those that pay for a thread more */

enum {
    ROW_MAJOR = 101,      /* CblasRowMajor */
    NOT_TRANSPOSED = 111, /* CblasNoTrans */
    ROWS = 4,             /* of C that one walk through B serves */
    MOST_THREADS = 64
};

typedef void dgemm_function(int order, int turn_a, int turn_b, int m, int n,
                            int k, double alpha, const double *A, int lda,
                            const double *B, int ldb, double beta, double *C,
                            int ldc);

static pthread_once_t opened = PTHREAD_ONCE_INIT;
static dgemm_function *dgemm; /* NULL: OpenBLAS is not there */

static void open_library(void)
{
    static const char *const names[] = {"libopenblas.so.0", "libopenblas.so",
                                        NULL};
    void *const library = base_library_open(names);

    if (library != NULL)
        base_library_find(library, "cblas_dgemm", &dgemm);
}

/* One product, or one thread's rows of it. */
struct part {
    double *C;
    size_t c_step;
    const double *A, *B;
    int m, n, k;
};

/* Four rows of C at a time, so that a row of B is read once for them all. */
static void four_rows(const struct part *p, int row)
{
    const size_t k = (size_t)p->k, n = (size_t)p->n;
    const double *const a = &p->A[(size_t)row * k];
    double *restrict const c0 = &p->C[(size_t)row * p->c_step];
    double *restrict const c1 = c0 + p->c_step;
    double *restrict const c2 = c1 + p->c_step;
    double *restrict const c3 = c2 + p->c_step;

    for (size_t i = 0; i < k; i++) {
        const double a0 = a[i], a1 = a[k + i];
        const double a2 = a[2 * k + i], a3 = a[3 * k + i];
        const double *restrict const b = &p->B[i * n];

        for (size_t j = 0; j < n; j++) {
            c0[j] += a0 * b[j];
            c1[j] += a1 * b[j];
            c2[j] += a2 * b[j];
            c3[j] += a3 * b[j];
        }
    }
}

static void one_row(const struct part *p, int row)
{
    double *restrict const c = &p->C[(size_t)row * p->c_step];

    for (size_t i = 0; i < (size_t)p->k; i++) {
        const double a = p->A[(size_t)row * (size_t)p->k + i];
        const double *restrict const b = &p->B[i * (size_t)p->n];

        for (size_t j = 0; j < (size_t)p->n; j++)
            c[j] += a * b[j];
    }
}

static void *multiply_part(void *argument)
{
    const struct part *const p = argument;
    int row = 0;

    for (; row + ROWS <= p->m; row += ROWS)
        four_rows(p, row);
    for (; row < p->m; row++)
        one_row(p, row);
    return NULL;
}

/* How many threads share the product, this one among them. */
static int threads_for(const struct part *whole)
{
    const double steps = (double)whole->m * whole->n * whole->k;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const double bands = (double)whole->m / ROWS;
    double most = steps / THREAD_STEPS;

    if (most > (double)cores)
        most = (double)cores;
    if (most > bands)
        most = bands;
    return most < 1.0 ? 1 : most > MOST_THREADS ? MOST_THREADS : (int)most;
}

/* Each thread has rows of C of its own. Where no thread is to be had, this one
   does those rows. */
static void multiply_by_loops(const struct part *whole)
{
    const int threads = threads_for(whole);
    struct part part[MOST_THREADS];
    pthread_t thread[MOST_THREADS];
    int started[MOST_THREADS] = {0};

    for (int i = 0; i < threads; i++) {
        const int first = (int)((long)whole->m * i / threads);
        const int end = (int)((long)whole->m * (i + 1) / threads);

        part[i] = *whole;
        part[i].m = end - first;
        part[i].A += (size_t)first * (size_t)whole->k;
        part[i].C += (size_t)first * whole->c_step;
        if (i > 0) {
            started[i] =
                pthread_create(&thread[i], NULL, multiply_part, &part[i]) == 0;
        }
    }
    for (int i = 0; i < threads; i++) {
        if (!started[i])
            multiply_part(&part[i]);
    }
    for (int i = 0; i < threads; i++) {
        if (started[i])
            pthread_join(thread[i], NULL);
    }
}

void lab_blas_multiply_add(double *C, size_t c_step, const double *A,
                           const double *B, int m, int n, int k, int large)
{
    if (large)
        pthread_once(&opened, open_library);
    if (large && dgemm != NULL) {
        dgemm(ROW_MAJOR, NOT_TRANSPOSED, NOT_TRANSPOSED, m, n, k, 1.0, A, k, B,
              n, 1.0, C, (int)c_step);
    } else {
        multiply_by_loops(&(struct part){C, c_step, A, B, m, n, k});
    }
}
