/* Ambiguous weights: parallel edges with different weights, merged without a rule. A file may list two payments from
 * Alice to Bob; if the caller did not choose the weight of the merged edge (WEFT_DUPLICATES_DROP), the graph keeps
 * the smallest, records the ambiguity, and refuses calls that depend on it. */
#include "graph/build.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MERGING "min|max|mean|sum|count|keep"

typedef struct sentence {
    char text[1024];
    size_t used;
} sentence;

static void say(sentence *s, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = vsnprintf(s->text + s->used, sizeof s->text - s->used, format, args);
    va_end(args);
    if (length > 0) s->used = (size_t)wfi_min_u64(s->used + (size_t)length, sizeof s->text - 1);
}

static void say_first(sentence *s, const weft_graph *g, const wfi_parallel_edges *m) {
    char from[128], to[128];
    weft_graph_id_text(g, (weft_vid)(m->first >> 32), from, sizeof from);
    weft_graph_id_text(g, (weft_vid)m->first, to, sizeof to);
    say(s, "the first %s %s %s %s", g->directed ? "from" : "between", from, g->directed ? "to" : "and", to);
    if (m->line[0]) say(s, ", lines %llu and %llu", (unsigned long long)m->line[0], (unsigned long long)m->line[1]);
    if (g->weight_type == WEFT_WEIGHT_NONE) return;
    for (uint64_t k = 0; k < m->edges && k < WFI_SHOWN_WEIGHTS; k++)
        say(s, "%s%s", k ? ", " : ": ", wfi_weight_value_text(g->weight_type, m->weight[k]).text);
    if (m->edges > WFI_SHOWN_WEIGHTS) say(s, ", ...");
}

weft_status wfi_graph_find_ambiguous(weft_ctx *ctx, weft_graph *g, const wfi_row_counts *counts) {
    const wfi_parallel_edges *parallel = &counts->parallel, *opposite = &counts->opposite;
    sentence s = {.used = 0};
    if (!parallel->pairs && !opposite->pairs) return WEFT_OK;
    if (parallel->pairs) {
        say(&s, "%llu pair%s of vertices %s parallel edges with different weights (",
            (unsigned long long)parallel->pairs, wfi_plural(parallel->pairs), parallel->pairs == 1 ? "has" : "have");
        say_first(&s, g, parallel);
        say(&s, ")");
    }
    if (opposite->pairs) {
        say(&s, "%s%llu edge%s %s listed in both directions with different weights (", parallel->pairs ? "; " : "",
            (unsigned long long)opposite->pairs, wfi_plural(opposite->pairs), opposite->pairs == 1 ? "is" : "are");
        say_first(&s, g, opposite);
        say(&s, ")");
    }
    wfi_ambiguous *u = wfi_take(ctx, sizeof *u + s.used + 1, 1);
    if (!u) return WEFT_ENOMEM;
    *u = (wfi_ambiguous){.parallel = *parallel, .opposite = *opposite, .bytes = sizeof *u + s.used + 1};
    memcpy(u->words, s.text, s.used + 1);
    g->ambiguous = u;
    return WEFT_OK;
}

weft_status wfi_graph_copy_ambiguous(weft_ctx *ctx, const weft_graph *g, weft_graph *fresh) {
    if (!g->ambiguous) return WEFT_OK;
    fresh->ambiguous = wfi_take(ctx, g->ambiguous->bytes, 1);
    if (!fresh->ambiguous) return WEFT_ENOMEM;
    memcpy(fresh->ambiguous, g->ambiguous, g->ambiguous->bytes);
    return WEFT_OK;
}

weft_status wfi_graph_refuse_ambiguous(weft_ctx *ctx, const char *what, const weft_graph *g) {
    if (!g->ambiguous || g->weight_type == WEFT_WEIGHT_NONE) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "%s: %s; choose the weight that counts: `duplicates=" MERGING "|refuse`", what,
                    g->ambiguous->words);
}

weft_status wfi_refuse_repeated(weft_ctx *ctx, const weft_graph *g, const wfi_parallel_edges *repeated) {
    sentence s = {.used = 0};
    say_first(&s, g, repeated);
    return wfi_fail(ctx, WEFT_EINPUT, "%llu edge%s %s listed more than once (%s): `duplicates=" MERGING "` reads them",
                    (unsigned long long)repeated->pairs, wfi_plural(repeated->pairs),
                    repeated->pairs == 1 ? "is" : "are", s.text);
}
