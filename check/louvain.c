/* louvain: see communities.c; communities that are not connected are said. */
#include "checks.h"

int weft_check_louvain(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    return check_communities(w, g, params, result, CHECK_SETTLED);
}
