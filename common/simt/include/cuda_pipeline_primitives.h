/*
 * cuda_pipeline_primitives.h: copies from global to shared memory that go on
 * while the thread does something else (CUDA C++ Programming Guide, "Pipeline
 * Primitives Interface").
 *
 * On a GPU such a copy may take place at any time between its call and the
 * wait for it. Here the value is fetched at the call, the place in shared
 * memory becomes NaNs there, and gets the value at the wait: so the call is
 * what the recorder sees, a place that is still being read shows up as a race,
 * and a wait that is missing or too weak as NaNs. A macro, so that the accesses
 * stand in the kernel's own line.
 */
#ifndef SIMT_CUDA_PIPELINE_PRIMITIVES_H
#define SIMT_CUDA_PIPELINE_PRIMITIVES_H

#include "simt_kernel.h"

/*
 * __pipeline_memcpy_async(to, from, size, zfill = 0): to in shared memory and
 * from in global memory are aligned to size, which is 4, 8 or 16 bytes. The
 * last zfill bytes become zeros and are not read.
 */
#define __pipeline_memcpy_async(...) SIMT_COPY_ASYNC(__VA_ARGS__, 0, 0)

/* Words of whatever type the arrays have. */
typedef unsigned simt_word __attribute__((may_alias));
typedef unsigned simt_two_words __attribute__((vector_size(8), may_alias));
typedef unsigned simt_four_words __attribute__((vector_size(16), may_alias));

#define SIMT_COPY_ASYNC(to, from, size, zfill, ...)                          \
    do {                                                                     \
        void *const to_ = (to);                                              \
        const void *const from_ = (from);                                    \
        const size_t size_ = (size), zeros_ = (zfill);                       \
        simt_four_words value_ = {0, 0, 0, 0};                               \
                                                                             \
        if (zeros_ > 0 && zeros_ < size_) {                                  \
            for (size_t i_ = 0; i_ < size_ - zeros_; i_++) {                 \
                simt_copy_fetches();                                         \
                ((char *)&value_)[i_] = ((const char *)from_)[i_];           \
            }                                                                \
        } else if (zeros_ == 0) {                                            \
            simt_copy_fetches();                                             \
            if (size_ == 16)                                                 \
                value_ = *(const simt_four_words *)from_;                    \
            else if (size_ == 8)                                             \
                *(simt_two_words *)&value_ = *(const simt_two_words *)from_; \
            else                                                             \
                value_[0] = *(const simt_word *)from_;                       \
        }                                                                    \
        if (size_ == 16)                                                     \
            *(simt_four_words *)to_ = simt_four_words{~0u, ~0u, ~0u, ~0u};   \
        else if (size_ == 8)                                                 \
            *(simt_two_words *)to_ = simt_two_words{~0u, ~0u};               \
        else if (size_ == 4)                                                 \
            *(simt_word *)to_ = ~0u;                                         \
        simt_copy_async(to_, &value_, size_, zeros_, __FILE__, __LINE__);    \
    } while (0)

/* The copies of this thread since the last commit become one batch. */
static inline void __pipeline_commit()
{
    simt_copy_commit();
}

/* Waits for all batches of this thread but the last `prior`. */
static inline void __pipeline_wait_prior(size_t prior,
                                         int line = __builtin_LINE())
{
    simt_copy_wait(prior, line);
}

#endif /* SIMT_CUDA_PIPELINE_PRIMITIVES_H */
