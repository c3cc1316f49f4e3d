/* leiden: see communities.c; every community must be connected. */
#include "checks.h"

int weft_check_leiden(check_watch *w, const weft_graph *g, const void *params, const weft_result *result) {
    return check_communities(w, g, params, result, CHECK_CONNECTED);
}
