/* k-cores, GPUs of ranks. */
#include "algo/kcore/kcore_bodies.h"

WFI_KERNELS(kcore_waves, KCORE_KERNELS)
