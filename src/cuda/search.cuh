/* Looking for a value in an array that ascends, by one thread. */
#ifndef WFI_CUDA_SEARCH_CUH
#define WFI_CUDA_SEARCH_CUH

/* The first place in low ... high - 1 whose value is not below x; `high` if all are. */
template <class T, class I> __device__ inline I wfi_not_below(const T *sorted, I low, I high, T x) {
    while (low < high) {
        I middle = low + (high - low) / 2;
        if (sorted[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first place of x there; `high` if it has none. */
template <class T, class I> __device__ inline I wfi_place_of(const T *sorted, I low, I high, T x) {
    I at = wfi_not_below(sorted, low, high, x);
    return at < high && sorted[at] == x ? at : high;
}

#endif
