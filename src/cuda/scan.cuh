/* Exclusive scan on the GPU, by CUB. */
#ifndef WFI_CUDA_SCAN_CUH
#define WFI_CUDA_SCAN_CUH

#include "cuda/buffers.cuh"

#include <cub/device/device_scan.cuh>

/* In place. */
template <class T> static weft_status wfi_exclusive_scan_cuda(weft_ctx *ctx, T *values, size_t count) {
    wfi_buffer<char> scratch;
    size_t bytes = 0;
    WFI_CUDA(cub::DeviceScan::ExclusiveSum(NULL, bytes, values, values, (int64_t)count, wfi_cuda_stream(ctx)));
    weft_status st = scratch.take(ctx, bytes);
    if (st) return st;
    WFI_CUDA(cub::DeviceScan::ExclusiveSum(scratch.data, bytes, values, values, (int64_t)count, wfi_cuda_stream(ctx)));
    return WEFT_OK;
}

#endif
