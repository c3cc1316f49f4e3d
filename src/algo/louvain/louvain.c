/* louvain: communities by the Louvain algorithm (algo/leiden/community.h). */
#include "weft/louvain.h"
#include "algo/leiden/communities.h"

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    return wfi_community_validate(ctx, g, params, "louvain");
}

static const bool refines = false;

const wfi_algorithm wfi_algorithm_louvain = {
    WFI_DESCRIBE(louvain, (const weft_louvain_params)WEFT_LOUVAIN_DEFAULTS, wfi_community_results,
                 wfi_community_methods),
    WFI_BY_MOVING,
    .validate = validate,
    .kind = &refines,
    .info.help = "communities by the Louvain algorithm: faster than leiden, but communities may be disconnected",
};
