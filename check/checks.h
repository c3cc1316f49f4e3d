/* Each algorithm's verifier.  Params and report are complete; the rows of the graph are there (check_out). */
#ifndef WEFT_CHECKS_H
#define WEFT_CHECKS_H

#include "weft_check.h"

typedef weft_status check_function(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                                   weft_check_report *report);
typedef check_function *check_fn;

/* weft_check_<algorithm> of check/<algorithm>.c, NULL if there is none.  The table is generated
 * (cmake/WeftLists.cmake). */
check_fn check_find(const char *algorithm);

#endif
