/*
 * Lab 05: bank conflicts
 *
 * Idea    Shared memory consists of banks, and each hands out one word of 4
 *         bytes at a time. Lanes that want different words of one bank wait
 *         for each other: the request takes several wavefronts.
 *
 *           bank      0      1      2    ...   31
 *                  +------+------+------+---+------+
 *           word   |   0  |   1  |   2  |...|  31  |   s[tid]: a bank each
 *                  +------+------+------+---+------+
 *                  |  32  |  33  |  34  |...|  63  |   s[32 * tid]: all lanes
 *                  +------+------+------+---+------+   in bank 0, 32 wavefronts
 *
 *         Then (compute capability 1.x): 16 banks, half a warp at a time, and
 *         one word per wavefront may be read by several lanes. Now: 32 banks,
 *         the whole warp, and any word may be read by any number of lanes.
 *
 * Do      TODO 5.1 to 5.6, 6 lines. Predict first, then run.
 * Run     make lab-05             on the device at hand
 *         make lab-05 DEVICE=gpu  needs nvcc and a GPU
 * Expect  PASS: each prediction equals the model, each run its prediction.
 * Advice  Count in bytes: lane * stride * size, over 4 is the word, and the
 *         word modulo the number of banks is the bank.
 */
#include "lab.h"

#define WARP 32 /* threads; a block of this lab is one warp */

/*
 * Wavefronts of the banks for a request of s[stride * tid]: {1.x, now} for each
 * stride. On 1.x the wavefronts of the slower half of the warp count.
 */
/* clang-format off */
const int lab_prediction[LAB_TYPES][LAB_STRIDES][LAB_BANK_RULES] = {
    /* 1      2      3      4      5      8       16       32     33 */

    /* TODO 5.1 (1 line): predict char, where four elements share a word. */
    {{4,1}, {2,1}, {2,1}, {1,1}, {2,2}, {2,2}, { 4, 4}, { 8, 8}, {2,1}},
    /* skeleton: {{0,0}, {0,0}, {0,0}, {0,0}, {0,0}, {0,0},
     *           { 0, 0}, { 0, 0}, {0,0}}, */
    /* end 5.1 */

    /* TODO 5.2 (1 line): predict short, where two elements share a word. */
    {{2,1}, {1,1}, {2,2}, {2,2}, {2,2}, {4,4}, { 8, 8}, {16,16}, {2,1}},
    /* skeleton: {{0,0}, {0,0}, {0,0}, {0,0}, {0,0}, {0,0},
     *           { 0, 0}, { 0, 0}, {0,0}}, */
    /* end 5.2 */

    /* TODO 5.3 (1 line): predict float, where an element is a word. */
    {{1,1}, {2,2}, {1,1}, {4,4}, {1,1}, {8,8}, {16,16}, {16,32}, {1,1}},
    /* skeleton: {{0,0}, {0,0}, {0,0}, {0,0}, {0,0}, {0,0},
     *           { 0, 0}, { 0, 0}, {0,0}}, */
    /* end 5.3 */
};
/* clang-format on */

/*
 * Each lane reads element stride * tid of s, `repeat` times, and stores what it
 * read. s is of one type in a launch; s_char and s_short name the same bytes.
 * Launch with one block of WARP threads. s is volatile: the compiler makes each
 * load that is written here, and no other.
 */
__global__ void read_bank(enum lab_type type, int stride, int repeat,
                          float *out, long long *cycles)
{
    __shared__ volatile float s[LAB_BANK_ELEMENTS];
    volatile char *const s_char = (volatile char *)s;
    volatile short *const s_short = (volatile short *)s;
    const int tid = threadIdx.x;
    int whole = 0; /* what was read, if it is a char or a short */
    float value = 0.0f;

    for (int i = tid; i < LAB_BANK_ELEMENTS; i += WARP) {
        if (type == LAB_CHAR)
            s_char[i] = (char)lab_bank_pattern(i);
        else if (type == LAB_SHORT)
            s_short[i] = (short)lab_bank_pattern(i);
        else
            s[i] = (float)lab_bank_pattern(i);
    }
    __syncthreads(); /* s is complete */

    const long long start = clock64(); /* clock cycles so far */
    for (int i = 0; type == LAB_CHAR && i < repeat; i++) {
        /* TODO 5.4 (1 line): read this lane's element of s_char into whole. */
        whole = s_char[stride * tid];
        /* end 5.4 */
    }
    for (int i = 0; type == LAB_SHORT && i < repeat; i++) {
        /* TODO 5.5 (1 line): read this lane's element of s_short into whole. */
        whole = s_short[stride * tid];
        /* end 5.5 */
    }
    for (int i = 0; type == LAB_FLOAT && i < repeat; i++) {
        /* TODO 5.6 (1 line): read this lane's element of s into value. */
        value = s[stride * tid];
        /* end 5.6 */
    }
    const long long stop = clock64();

    out[tid] = type == LAB_FLOAT ? value : (float)whole;
    if (tid == 0)
        *cycles = stop - start;
}

/* Launches the kernel with one warp. */
void lab_read(enum lab_type type, int stride, int repeat, float *out,
              long long *cycles)
{
    read_bank<<<1, WARP>>>(type, stride, repeat, out, cycles);
    LAB_CHECK(cudaGetLastError()); /* a bad launch shows only if asked */
}
