/* weft_check: completes the caller's structs by their sizes, then calls the algorithm's verifier. */
#include "checks.h"
#include "weft/registry.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MATRICES = 4, LARGEST = 1 << 16 };

/* Copies the fields of `given` to `ours`, up to the size of either. */
static int complete(void *ours, const void *given) {
    size_t theirs, end;
    memcpy(&theirs, given, sizeof theirs);
    memcpy(&end, ours, sizeof end);
    if (theirs < sizeof theirs || theirs > LARGEST) return 0;
    memcpy(ours, given, theirs < end ? theirs : end);
    memcpy(ours, &end, sizeof end);
    return 1;
}

/* Replaces the matrices in params by complete copies in `own`. */
static int complete_matrices(const weft_algorithm_info *a, char *params, weft_matrix own[MOST_MATRICES]) {
    int used = 0;
    for (size_t i = 0; i < a->param_count; i++) {
        const weft_param_info *p = weft_algorithm_param_at(a, i);
        const weft_matrix *given;
        if (p->type != WEFT_PARAM_MATRIX) continue;
        memcpy(&given, params + p->offset, sizeof given);
        if (!given) continue;
        if (used == MOST_MATRICES) return 0;
        weft_matrix *mine = &own[used++];
        *mine = (weft_matrix)WEFT_MATRIX_DEFAULTS;
        if (!complete(mine, given)) return 0;
        memcpy(params + p->offset, &mine, sizeof mine);
    }
    return 1;
}

/* Sets params to the algorithm's defaults, then to the caller's fields. */
static int complete_params(const weft_algorithm_info *a, const void *given, char *params,
                           weft_matrix own[MOST_MATRICES]) {
    memcpy(params, a->params_standard, a->params_size);
    return (!given || complete(params, given)) && complete_matrices(a, params, own);
}

int weft_check_exists(const char *algorithm) { return algorithm && check_find(algorithm); }

/* --- one call --------------------------------------------------------------------------- */

typedef struct check_block {
    struct check_block *next;
    _Alignas(max_align_t) char bytes[];
} check_block;

void *check_take(check_watch *w, size_t count, size_t each) {
    check_block *block = calloc(1, sizeof *block + (count + 1) * each);
    if (!block) {
        w->status = WEFT_ENOMEM;
        return NULL;
    }
    block->next = w->blocks;
    w->blocks = block;
    return block->bytes;
}

static void free_blocks(check_watch *w) {
    for (check_block *block = w->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
}

int check_right(const check_watch *w, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(w->report->message, sizeof w->report->message, format, args);
    va_end(args);
    return 1;
}

int check_wrong(const check_watch *w, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(w->report->message, sizeof w->report->message, format, args);
    va_end(args);
    return 0;
}

/* Runs a verifier with the parameters of `algorithm`. */
static weft_status check_by(weft_ctx *ctx, check_fn check, const char *algorithm, const weft_graph *g,
                            const void *params, const weft_result *result, weft_check_report *report) {
    if (!ctx || !g || !result || !report) return WEFT_EINVAL;
    if (report->size < sizeof report->size || report->size > LARGEST) return WEFT_EINVAL;
    const weft_algorithm_info *a = weft_algorithm_find(algorithm);
    if (!a || !check) return WEFT_ENOTFOUND;
    weft_check_report full = WEFT_CHECK_REPORT_DEFAULTS;
    check_watch w = {.ctx = ctx, .report = &full};
    weft_matrix own[MOST_MATRICES];
    weft_csr rows = {.size = sizeof rows};
    char *whole = check_take(&w, a->params_size, 1);
    if (whole) w.status = complete_params(a, params, whole, own) ? weft_graph_out(ctx, g, &rows) : WEFT_EINVAL;
    int right = !w.status && check(&w, g, whole, result);
    free_blocks(&w);
    if (w.stopped) w.status = WEFT_ECANCELLED;
    full.passed = right && !w.status;
    full.size = report->size;
    memcpy(report, &full, full.size < sizeof full ? full.size : sizeof full);
    return w.status;
}

weft_status weft_check(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const void *params,
                       const weft_result *result, weft_check_report *report) {
    if (!algorithm) return WEFT_EINVAL;
    return check_by(ctx, check_find(algorithm), algorithm, g, params, result, report);
}

weft_status weft_check_partition(weft_ctx *ctx, const weft_graph *g, const struct weft_leiden_params *params,
                                 const weft_result *result, weft_check_report *report) {
    return check_by(ctx, check_partition, "leiden", g, params, result, report);
}
