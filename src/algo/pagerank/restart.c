/* The restart vector of a personalised PageRank: from a file of lines "id [weight]" or from an array of the caller.
 * A word that begins with # starts a comment.  An id without a weight weighs 1; an id that is listed again adds up. */
#include "algo/pagerank/pagerank.h"
#include "io/numbers.h"
#include "io/source.h"
#include "io/words.h"

#include <math.h>
#include <string.h>

typedef struct reading {
    weft_ctx *ctx;
    const weft_graph *g;
    const wfi_source *source;
    const char *text, *end;
    double *restart;
} reading;

/* At the next word of this line; at its end, or at a comment, there is none. */
static const char *word_in_line(const reading *r, const char *p) {
    p = wfi_skip_blanks(p);
    if (p >= r->end) return r->end;
    return p;
}

static bool at_word(const reading *r, const char *p) { return p < r->end && *p != '\n' && *p != '#'; }

static weft_status find_vertex(const reading *r, const char *at, const char *stop, weft_vid *v) {
    char *id = wfi_take(r->ctx, (size_t)(stop - at) + 1, 1);
    if (!id) return WEFT_ENOMEM;
    memcpy(id, at, (size_t)(stop - at));
    id[stop - at] = '\0';
    weft_status st = weft_graph_find(r->ctx, r->g, id, v);
    wfi_free(id);
    if (st == WEFT_ENOTFOUND)
        st = wfi_fail_in_text(r->ctx, r->source, r->text, at, "no vertex of the graph is called %s",
                              wfi_quote_word(at, r->end).text);
    return st;
}

static weft_status take_line(const reading *r, const char **at) {
    const char *p = *at, *stop = wfi_word_end(p, r->end);
    weft_vid v;
    double weight = 1;
    weft_status st = find_vertex(r, p, stop, &v);
    if (st) return st;
    p = word_in_line(r, stop);
    if (at_word(r, p)) {
        const char *number = p;
        if (wfi_scan_f64(&p, &weight) || !wfi_word_ends(p, r->end) || !(weight >= 0))
            return wfi_fail_in_text(r->ctx, r->source, r->text, number,
                                    "expected a weight, a number of 0 or more, found %s",
                                    wfi_quote_word(number, r->end).text);
        p = word_in_line(r, p);
    }
    if (at_word(r, p))
        return wfi_fail_in_text(r->ctx, r->source, r->text, p, "expected nothing behind the weight, found %s",
                                wfi_quote_word(p, r->end).text);
    r->restart[v] += weight;
    *at = p;
    return WEFT_OK;
}

static weft_status read_file(weft_ctx *ctx, const weft_graph *g, const char *path, double *restart) {
    wfi_source *source = NULL;
    size_t bytes = 0;
    uint64_t lines = 0;
    weft_status st = wfi_source_open(ctx, path, &source);
    reading r = {ctx, g, source, NULL, NULL, restart};
    if (!st) st = wfi_source_whole(ctx, source, &r.text, &bytes);
    if (!st) {
        r.end = r.text + bytes;
        const char *p = wfi_next_data(r.text, r.end);
        for (; !st && p < r.end; p = wfi_next_data(p, r.end)) {
            st = take_line(&r, &p);
            if (!st && ++lines % 4096 == 0 && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
        }
    }
    wfi_source_close(source);
    return st;
}

static weft_status copy_array(weft_ctx *ctx, const weft_graph *g, const double *from, double *restart) {
    for (weft_vid v = 0; v < g->n; v++) {
        if (!(from[v] >= 0 && isfinite(from[v])))
            return wfi_fail(ctx, WEFT_EINVAL, "pagerank: restart[%u] is %g, but must be a number of 0 or more", v,
                            from[v]);
        restart[v] = from[v];
    }
    return WEFT_OK;
}

weft_status wfi_pagerank_fill_restart(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *params,
                                      double *restart) {
    const char *file = params->personalize && *params->personalize ? params->personalize : NULL;
    double sum = 0;
    for (weft_vid v = 0; v < g->n; v++) restart[v] = 0;
    weft_status st = file ? read_file(ctx, g, file, restart) : copy_array(ctx, g, params->restart, restart);
    /* One after the other: the sum must not depend on the threads. */
    for (weft_vid v = 0; !st && v < g->n; v++) sum += restart[v];
    if (!st && g->n && !(sum > 0 && isfinite(sum)))
        st = wfi_fail(ctx, file ? WEFT_EINPUT : WEFT_EINVAL,
                      "%s: the weights sum to %g; they must have a finite sum above 0",
                      file ? file : "pagerank: restart", sum);
    for (weft_vid v = 0; !st && v < g->n; v++) restart[v] /= sum;
    return st;
}

weft_status wfi_pagerank_restart(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *params, double **out) {
    *out = NULL;
    if (!wfi_pagerank_personal(params)) return WEFT_OK;
    if (wfi_alloc(ctx, out, g->n)) return WEFT_ENOMEM;
    weft_status st = wfi_pagerank_fill_restart(ctx, g, params, *out);
    if (!st) return WEFT_OK;
    wfi_free(*out);
    *out = NULL;
    return st;
}
