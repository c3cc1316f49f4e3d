/* The identity of a run, which a checkpoint must match: see checkpoint.h.  Parameters are kept as text, so that the
 * message can show what differs, arrays among them as a digest.  The digest of a graph is a sum over its arcs: it
 * depends neither on the file format nor on the partition. */
#include "core/scan.h"
#include "ranks/spread.h"
#include "run/checkpoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Word `index` of "a|b|c". */
static void word_of(const char *choices, int index, char word[24]) {
    while (index-- > 0 && strchr(choices, '|')) choices = strchr(choices, '|') + 1;
    snprintf(word, 24, "%.*s", (int)strcspn(choices, "|"), choices);
}

/* All digits, with a point also where the locale has a comma. */
static void text_of(double x, char text[32]) {
    snprintf(text, 32, "%.17g", x);
    char *comma = strchr(text, ',');
    if (comma) *comma = '.';
}

/* The digest of an array of `bytes` bytes, or "none". */
static void digest_of(weft_ctx *ctx, const void *field, size_t bytes, char value[32]) {
    const void *array;
    memcpy(&array, field, sizeof array);
    if (array)
        snprintf(value, 32, "#%016" PRIx64, wfi_digest(ctx, array, bytes, 0));
    else
        snprintf(value, 32, "none");
}

/* The value of a parameter, or false: of a kind that no algorithm with checkpoints has. */
static bool value_of(weft_ctx *ctx, const weft_param_info *info, const void *params, const weft_graph *g,
                     char value[32]) {
    const char *at = (const char *)params + info->offset;
    uint64_t number;
    double real;
    int choice;
    switch (info->type) {
    case WEFT_PARAM_U64:
        memcpy(&number, at, sizeof number);
        snprintf(value, 32, "%" PRIu64, number);
        return true;
    case WEFT_PARAM_F64:
        memcpy(&real, at, sizeof real);
        text_of(real, value);
        return true;
    case WEFT_PARAM_BOOL:
        memcpy(&choice, at, sizeof choice);
        snprintf(value, 32, "%s", choice ? "yes" : "no");
        return true;
    case WEFT_PARAM_CHOICE:
        memcpy(&choice, at, sizeof choice);
        word_of(info->choices, choice, value);
        return true;
    case WEFT_PARAM_WEIGHTS: digest_of(ctx, at, (size_t)g->n * sizeof(double), value); return true;
    case WEFT_PARAM_LABELS: digest_of(ctx, at, (size_t)g->n * sizeof(weft_vid), value); return true;
    default: return false;
    }
}

weft_status wfi_checkpoint_words(weft_ctx *ctx, const wfi_algorithm *a, const void *params, const weft_graph *g,
                                 char *text, size_t capacity) {
    size_t used = (size_t)snprintf(text, capacity, "%s", a->info.name);
    for (size_t i = 0; i < a->info.param_count && used < capacity; i++) {
        char value[32];
        if (!value_of(ctx, &a->params[i], params, g, value))
            return wfi_fail(ctx, WEFT_EUNSUPPORTED, "%s: checkpoints cannot tell values of `%s` apart", a->info.name,
                            a->params[i].name);
        used += (size_t)snprintf(text + used, capacity - used, " %s=%s", a->params[i].name, value);
    }
    return WEFT_OK;
}

/* --- the graph --------------------------------------------------------------------------- */

static inline uint64_t weight_bits(const void *weights, size_t bytes, weft_eid e) {
    uint64_t bits = 0;
    memcpy(&bits, (const char *)weights + e * bytes, bytes);
    return bits;
}

/* Of the rows 0 ... count-1, which are those of the vertices from `first` on; bytes: of a weight, 0 = they do not
 * count. */
static weft_status add_rows(weft_ctx *ctx, const wfi_view *rows, weft_vid first, weft_vid count, size_t bytes,
                            uint64_t *digest) {
    enum { ROWS = 1024 };
    uint64_t sum = 0;
    _Atomic bool stop = false;
#pragma omp parallel for schedule(dynamic, ROWS) reduction(+ : sum) num_threads(wfi_threads_for(ctx, count, 1 << 14))
    for (weft_vid k = 0; k < count; k++) {
        if (k % ROWS == 0 && wfi_cancelled(ctx)) atomic_store(&stop, true);
        if (atomic_load_explicit(&stop, memory_order_relaxed)) continue;
        uint64_t source = (uint64_t)(first + k) << 32;
        for (weft_eid e = rows->offsets[k]; e < rows->offsets[k + 1]; e++) {
            uint64_t arc = wfi_mix(source + rows->targets[e]);
            sum += bytes ? wfi_mix(arc + weight_bits(rows->weights, bytes, e)) : arc;
        }
    }
    *digest += sum;
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

weft_status wfi_checkpoint_graph(weft_ctx *ctx, const wfi_algorithm *a, const void *params, const weft_graph *g,
                                 const wfi_spread *spread, uint64_t *digest) {
    size_t bytes = wfi_params_weigh(a, params) ? wfi_weight_bytes(g->weight_type) : 0;
    weft_status st = WEFT_OK;
    *digest = 0;
    wfi_progress(ctx, "looking at the graph", 0, 0);
    for (size_t b = 0; b < spread->blocks && !st; b++) {
        const wfi_part *p = &spread->part[b];
        st = add_rows(ctx, &p->out, p->first, p->end - p->first, bytes, digest);
    }
    st = wfi_agree(ctx, st);
    if (!st) st = wfi_allreduce(ctx, digest, 1, WFI_SUM);
    *digest = wfi_mix(*digest + (g->directed ? 2 : 1) + 4 * (uint64_t)bytes);
    return st;
}
