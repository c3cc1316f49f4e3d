/* What a run on the CPU may hold: all that its plan declares, and no more than its bounds allow. */
#ifndef WEFT_TESTS_PLAN_BYTES_H
#define WEFT_TESTS_PLAN_BYTES_H

#include "run/algorithm.h"

/* What is declared is there at the end of a run.  Growths, and what is held while a transpose is made, have bounds:
 * without them this is what the plan says, to the byte. */
static inline uint64_t least_bytes(const weft_plan *plan) {
    wfi_workspace sure = wfi_plan_choice(plan)->space;
    sure.growth = sure.making = 0;
    return wfi_workspace_bytes(&sure) + wfi_result_bytes();
}

static inline bool held_as_declared(const weft_plan *plan, uint64_t held) {
    return held >= least_bytes(plan) && held <= weft_plan_host_bytes(plan);
}

#endif
