/* The weight of an arc as the CPU computes with it. */
#ifndef WFI_CUDA_WEIGHTS_CUH
#define WFI_CUDA_WEIGHTS_CUH

#include "weft.h"

#include <stdint.h>

__device__ static inline double wfi_rank_weight(const void *weights, weft_weight_type type, weft_eid e) {
    if (type == WEFT_WEIGHT_F64) return ((const double *)weights)[e];
    if (type == WEFT_WEIGHT_F32) return (double)((const float *)weights)[e];
    return type == WEFT_WEIGHT_U32 ? (double)((const uint32_t *)weights)[e] : 1;
}

#endif
