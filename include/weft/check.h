/* Verifiers: does a result satisfy the definition of its algorithm?  EXPERIMENTAL: what is declared here may change
 * with any release (docs/ABI.md).  Link with -lweft_check before -lweft.
 *
 * They use the public API only, are written for plainness and not for speed, and share no code with what they check. */
#ifndef WEFT_CHECK_FUNCTIONS_H
#define WEFT_CHECK_FUNCTIONS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct weft_leiden_params;

typedef struct weft_check_report {
    size_t size;
    int passed;
    char message[512]; /* what was checked, or the first thing found wrong, in the file's own ids */
} weft_check_report;
#define WEFT_CHECK_REPORT_DEFAULTS                            \
    {                                                         \
        WEFT_SIZE_UP_TO(weft_check_report, message), 0, { 0 } \
    }

/* Has the algorithm a verifier?  1 or 0.  Any thread. */
int weft_check_exists(const char *algorithm);

/* Checks a result of the algorithm, computed with these params (NULL: the defaults) on this graph.  WEFT_OK: the report
 * has the verdict.  WEFT_ENOTFOUND: there is no such verifier.  WEFT_ECANCELLED: the context's cancel callback, which
 * is asked as by the library, said stop, and there is no verdict.  Time: O(n + m) or that of a plain textbook method,
 * where large graphs are checked by samples; the report says so. */
weft_status weft_check(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const void *params,
                       const weft_result *result, weft_check_report *report);

/* The same for a method of communities that need not settle: columns and scalars are those of leiden, and are
 * recounted, but what single moves would still gain is said and not judged, and so are communities that are not
 * connected. */
weft_status weft_check_partition(weft_ctx *ctx, const weft_graph *g, const struct weft_leiden_params *params,
                                 const weft_result *result, weft_check_report *report);

#ifdef __cplusplus
}
#endif
#endif
