/* leiden: connected communities by the Leiden algorithm (algo/leiden/community.h). */
#include "algo/leiden/communities.h"

static weft_status validate(weft_ctx *ctx, const weft_graph *g, const void *params) {
    return wfi_community_validate(ctx, g, params, "leiden");
}

static const bool refines = true;

const wfi_algorithm wfi_algorithm_leiden = {
    WFI_DESCRIBE(leiden, (const weft_leiden_params)WEFT_LEIDEN_DEFAULTS, wfi_community_results, wfi_community_methods),
    WFI_BY_MOVING,
    .validate = validate,
    .kind = &refines,
    .info.help = "communities by the Leiden algorithm: well connected groups, the same every time",
};
