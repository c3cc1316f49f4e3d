/* louvain: see communities.c; disconnected communities are reported but accepted. */
#include "checks.h"

int weft_check_louvain(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    return check_communities(w, g, params, result, CHECK_OPTIMISED);
}
