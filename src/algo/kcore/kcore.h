/* kcore: what the descriptor and the CPU version share. */
#ifndef WFI_KCORE_H
#define WFI_KCORE_H

#include "algo/algo.h"

/* The arrays of a run. */
void wfi_kcore_space(wfi_workspace *w, weft_vid n, uint64_t k);
weft_status wfi_kcore_cpu(wfi_job *job);

#endif
