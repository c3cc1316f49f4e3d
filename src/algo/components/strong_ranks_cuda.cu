/* Strong components, GPUs of ranks. */
#include "algo/components/strong_bodies.h"

WFI_KERNELS(strong_state, STRONG_KERNELS)
