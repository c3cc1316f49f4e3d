/* sssp, GPUs of ranks. */
#include "algo/sssp/sssp_bodies.h"

WFI_KERNELS(sssp_buckets, SSSP_KERNELS)
