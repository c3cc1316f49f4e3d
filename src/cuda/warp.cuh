/* Reductions and scans over a warp whose 32 lanes all take part. */
#ifndef WFI_CUDA_WARP_CUH
#define WFI_CUDA_WARP_CUH

#include <stdint.h>

/* The sum, minimum, maximum and union of the lanes' values, for every lane; for 32-bit numbers in one instruction where
 * the GPU has it. */
template <class T> __device__ inline T wfi_warp_sum(T x) {
#pragma unroll
    for (int far = 16; far; far /= 2) x += __shfl_xor_sync(~0u, x, far);
    return x;
}

template <class T> __device__ inline T wfi_warp_min(T x) {
#pragma unroll
    for (int far = 16; far; far /= 2) {
        T other = __shfl_xor_sync(~0u, x, far);
        x = other < x ? other : x;
    }
    return x;
}

template <class T> __device__ inline T wfi_warp_max(T x) {
#pragma unroll
    for (int far = 16; far; far /= 2) {
        T other = __shfl_xor_sync(~0u, x, far);
        x = other > x ? other : x;
    }
    return x;
}

template <class T> __device__ inline T wfi_warp_or(T x) {
#pragma unroll
    for (int far = 16; far; far /= 2) x |= __shfl_xor_sync(~0u, x, far);
    return x;
}

#if __CUDA_ARCH__ >= 800
template <> __device__ inline uint32_t wfi_warp_sum(uint32_t x) { return __reduce_add_sync(~0u, x); }
template <> __device__ inline uint32_t wfi_warp_min(uint32_t x) { return __reduce_min_sync(~0u, x); }
template <> __device__ inline uint32_t wfi_warp_max(uint32_t x) { return __reduce_max_sync(~0u, x); }
#endif

/* For structs of 64-bit words only: adds all lanes' structs to *all, atomically. */
template <class T> __device__ inline void wfi_warp_add(const T &mine, T *all) {
    const unsigned long long *word = (const unsigned long long *)&mine;
    for (unsigned i = 0; i < sizeof mine / sizeof *word; i++) {
        unsigned long long sum = wfi_warp_sum(word[i]);
        if (threadIdx.x % 32 == 0 && sum) atomicAdd((unsigned long long *)all + i, sum);
    }
}

/* Inclusive scan: the sum of the values of this lane and the lanes before it. */
template <class T> __device__ inline T wfi_warp_scan(T x) {
#pragma unroll
    for (int far = 1; far < 32; far *= 2) {
        T left = __shfl_up_sync(~0u, x, far);
        if (threadIdx.x % 32 >= (unsigned)far) x += left;
    }
    return x;
}

#endif
