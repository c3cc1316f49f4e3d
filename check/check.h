/* Verifiers: does a result satisfy the definition of its algorithm?  They use the public API only, are written for
 * plainness and not for speed, and share no code with what they check. */
#ifndef WEFT_CHECK_H
#define WEFT_CHECK_H

#include "weft.h"

typedef struct weft_check_report {
    int passed;
    char message[512]; /* what was checked, or the first thing found wrong, in the file's own ids */
} weft_check_report;

typedef weft_status (*weft_check_fn)(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                                     weft_check_report *report);

/* The verifier of an algorithm, NULL if it has none.  It asks the context's cancel callback as the library does: WEFT_ECANCELLED, and
 * then there is no verdict. */
weft_check_fn weft_check_find(const char *algorithm);

#endif
