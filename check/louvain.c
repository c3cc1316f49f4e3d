/* louvain: see communities.c; communities that are not connected are said. */
#include "checks.h"

weft_status weft_check_louvain(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                               weft_check_report *report) {
    return check_communities(ctx, g, params, result, CHECK_SETTLED, report);
}
