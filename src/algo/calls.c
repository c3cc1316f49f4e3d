/* weft_pagerank() and the other functions of the easy tier: each is a plan and one run of the plan. */
#include "algo/registry.h"
#include "run/algorithm.h"
#include "weft_algorithms.h"

#define CALL(name)                                                                                  \
    weft_status weft_##name(weft_ctx *ctx, const weft_graph *g, const weft_##name##_params *params, \
                            weft_result **out) {                                                    \
        return wfi_run(ctx, #name, g, params, out);                                                 \
    }
WFI_ALGORITHMS(CALL)
