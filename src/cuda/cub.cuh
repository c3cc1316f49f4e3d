/* CUB's exclusive scan and radix sort, with buffers for their temporary storage, and the conversion of arcs sorted by
 * row into rows.  Separate from buffers.cuh because CUB takes seconds to compile. */
#ifndef WFI_CUDA_CUB_CUH
#define WFI_CUDA_CUB_CUH

#include "cuda/buffers.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

/* Exclusive scan, in place. */
template <class T> static weft_status wfi_exclusive_scan_cuda(weft_ctx *ctx, T *values, size_t count) {
    wfi_buffer<char> scratch;
    size_t bytes = 0;
    WFI_CUDA_OR_RETURN(
        cub::DeviceScan::ExclusiveSum(NULL, bytes, values, values, (int64_t)count, wfi_cuda_stream(ctx)));
    weft_status st = scratch.take(ctx, bytes);
    if (st) return st;
    WFI_CUDA_OR_RETURN(
        cub::DeviceScan::ExclusiveSum(scratch.data, bytes, values, values, (int64_t)count, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

/* offsets[v] = first position of a target >= v in sorted targets. */
__global__ static void wfi_find_rows(const weft_vid *target, weft_eid arcs, weft_vid n, weft_eid *offsets) {
    for (weft_eid i = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; i <= arcs;
         i += (weft_eid)gridDim.x * blockDim.x) {
        uint64_t before = i ? (uint64_t)target[i - 1] + 1 : 0, here = i < arcs ? target[i] : n;
        for (uint64_t v = before; v <= here; v++) offsets[v] = i;
    }
}

template <class T> __global__ static void wfi_gather_by_place(T *from, const uint32_t *place, weft_eid count, T *to) {
    for (weft_eid i = blockIdx.x * (weft_eid)blockDim.x + threadIdx.x; i < count; i += (weft_eid)gridDim.x * blockDim.x)
        to[i] = from[place[i]];
}

/* Sorts pairs by key, stably, in place. */
template <class A>
static weft_status wfi_sort_pairs(weft_ctx *ctx, wfi_buffer<uint32_t> &keys, wfi_buffer<A> &values, weft_eid count,
                                  unsigned bits) {
    wfi_buffer<uint32_t> more_keys;
    wfi_buffer<A> more_values;
    wfi_buffer<char> scratch;
    weft_status st = more_keys.take(ctx, count);
    if (!st) st = more_values.take(ctx, count);
    if (st) return st;
    cub::DoubleBuffer<uint32_t> k(keys.data, more_keys.data);
    cub::DoubleBuffer<A> v(values.data, more_values.data);
    size_t bytes = 0;
    WFI_CUDA_OR_RETURN(
        cub::DeviceRadixSort::SortPairs(NULL, bytes, k, v, (int64_t)count, 0, (int)bits, wfi_cuda_stream(ctx)));
    st = scratch.take(ctx, bytes);
    if (st) return st;
    WFI_CUDA_OR_RETURN(
        cub::DeviceRadixSort::SortPairs(scratch.data, bytes, k, v, (int64_t)count, 0, (int)bits, wfi_cuda_stream(ctx)));
    if (k.Current() != keys.data) keys.swap(more_keys);
    if (v.Current() != values.data) values.swap(more_values);
    return WEFT_OK;
}

#endif
