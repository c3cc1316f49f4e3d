/* Equality of two graphs, and a fingerprint for comparison without having both.
 *
 * Compared are the properties that algorithms see: vertices, direction, file ids, arcs and weights (bit by bit), but
 * not the graph's origin (records, dropped edges, label). Differences are searched in that order and the first one in
 * each array is reported with file ids. Arrays are split into blocks and the smallest differing position wins, so the
 * result does not depend on the number of threads.
 *
 * Ids are compared as weft_graph_id returns them: a dense map equals a list of the same consecutive numbers. */
#include "core/comm.h"
#include "core/scan.h"
#include "core/search.h"
#include "graph/ranks/share.h"

#include <string.h>

enum { COMPARE_BLOCK = 1 << 18, COMPARE_PART = 64 << 20, ID_ROOM = 200, FINGERPRINT_VERSION = 1 };

/* Position of the first differing byte among at most COMPARE_PART bytes; `bytes` if there is none. */
static size_t first_difference_in_part(weft_ctx *ctx, const char *x, const char *y, size_t bytes) {
    size_t blocks = bytes / COMPARE_BLOCK + (bytes % COMPARE_BLOCK != 0), first = blocks;
    int threads = blocks < 4 ? 1 : wfi_threads(ctx);
#pragma omp parallel for num_threads(threads) schedule(static) reduction(min : first)
    for (size_t i = 0; i < blocks; i++) {
        size_t at = i * COMPARE_BLOCK, length = bytes - at < COMPARE_BLOCK ? bytes - at : COMPARE_BLOCK;
        if (i < first && memcmp(x + at, y + at, length)) first = i;
    }
    if (first == blocks) return bytes;
    size_t at = first * COMPARE_BLOCK;
    while (x[at] == y[at]) at++;
    return at;
}

static weft_status first_difference(weft_ctx *ctx, const void *a, const void *b, size_t bytes, size_t *first) {
    *first = bytes;
    for (size_t at = 0; at < bytes && a != b; at += COMPARE_PART) {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        wfi_progress(ctx, "comparing", at, bytes);
        size_t length = bytes - at < COMPARE_PART ? bytes - at : COMPARE_PART;
        size_t here = first_difference_in_part(ctx, (const char *)a + at, (const char *)b + at, length);
        if (here == length) continue;
        *first = at + here;
        break;
    }
    return WEFT_OK;
}

typedef struct id_text {
    char text[ID_ROOM];
} id_text;

static id_text id_of(const weft_graph *g, weft_vid v) {
    id_text id;
    weft_graph_id_text(g, v, id.text, sizeof id.text);
    return id;
}

/* --- ids ------------------------------------------------------------------ */

static bool names_equal(const wfi_ids *a, const wfi_ids *b, weft_vid v) {
    uint64_t length = a->start[v + 1] - a->start[v];
    return b->start[v + 1] - b->start[v] == length &&
           memcmp(a->text + a->start[v], b->text + b->start[v], (size_t)length) == 0;
}

/* First vertex with different ids; n if there is none. */
static weft_vid first_other_id(weft_ctx *ctx, const weft_graph *a, const weft_graph *b) {
    bool names = a->ids.kind == WEFT_IDS_STRING;
    if (names != (b->ids.kind == WEFT_IDS_STRING)) return 0;
    if (a->ids.kind == WEFT_IDS_DENSE && b->ids.kind == WEFT_IDS_DENSE) return a->ids.base == b->ids.base ? a->n : 0;
    weft_vid first = a->n;
#pragma omp parallel for num_threads(wfi_threads(ctx)) schedule(static) reduction(min : first)
    for (weft_vid v = 0; v < a->n; v++) {
        if (v >= first) continue;
        if (names ? !names_equal(&a->ids, &b->ids, v) : weft_graph_id(a, v) != weft_graph_id(b, v)) first = v;
    }
    return first;
}

static bool same_ids(weft_ctx *ctx, const weft_graph *a, const weft_graph *b) {
    weft_vid v = a->n ? first_other_id(ctx, a, b) : 0;
    if (v == a->n) return true;
    wfi_fail(ctx, WEFT_OK, "vertex %u (counted from 0) is called \"%s\" in the first graph and \"%s\" in the second", v,
             id_of(a, v).text, id_of(b, v).text);
    return false;
}

/* --- rows ----------------------------------------------------------------- */

/* Row of arc position `at`: the last vertex whose row begins at or before it. */
static weft_vid row_of(const weft_graph *g, weft_eid at) {
    weft_vid low = 1, high = g->n;
    WFI_BISECT(low, high, middle, g->out.offsets[middle] <= at);
    return low - 1;
}

static void report_arc(weft_ctx *ctx, const weft_graph *a, const weft_graph *b, weft_vid v) {
    weft_eid i = a->out.offsets[v], a_end = a->out.offsets[v + 1];
    weft_eid k = b->out.offsets[v], b_end = b->out.offsets[v + 1];
    while (i < a_end && k < b_end && a->out.targets[i] == b->out.targets[k]) i++, k++;
    bool in_first = k == b_end || (i < a_end && a->out.targets[i] < b->out.targets[k]);
    weft_vid to = in_first ? a->out.targets[i] : b->out.targets[k];
    wfi_fail(ctx, WEFT_OK, "the %s graph has an arc %s -> %s that the %s lacks", in_first ? "first" : "second",
             id_of(a, v).text, id_of(a, to).text, in_first ? "second" : "first");
}

static weft_status compare_rows(weft_ctx *ctx, const weft_graph *a, const weft_graph *b, int *equal) {
    size_t rows = (size_t)a->n + 1, same;
    weft_status st = first_difference(ctx, a->out.offsets, b->out.offsets, rows * sizeof(weft_eid), &rows);
    if (st) return st;
    rows /= sizeof(weft_eid);
    /* Rows before `shared` have equal offsets in both graphs; offsets[0] is 0. */
    weft_vid shared = rows > a->n ? a->n : (weft_vid)(rows - 1);
    weft_eid arcs = a->out.offsets[shared];
    st = first_difference(ctx, a->out.targets, b->out.targets, (size_t)arcs * sizeof(weft_vid), &same);
    if (st) return st;
    same /= sizeof(weft_vid);
    *equal = same == arcs && shared == a->n;
    if (!*equal) report_arc(ctx, a, b, same < arcs ? row_of(a, same) : shared);
    return WEFT_OK;
}

static weft_status compare_weights(weft_ctx *ctx, const weft_graph *a, const weft_graph *b, int *equal) {
    size_t at, each = wfi_weight_bytes(a->weight_type);
    *equal = 1;
    if (a->weight_type == WEFT_WEIGHT_NONE) return WEFT_OK;
    weft_status st = first_difference(ctx, a->out.weights, b->out.weights, (size_t)a->arcs * each, &at);
    if (st) return st;
    at /= each;
    *equal = at == a->arcs;
    if (*equal) return WEFT_OK;
    return wfi_fail(ctx, WEFT_OK, "the arc %s -> %s weighs %s in the first graph and %s in the second",
                    id_of(a, row_of(a, at)).text, id_of(a, a->out.targets[at]).text, wfi_weight_as_text(a, at).text,
                    wfi_weight_as_text(b, at).text);
}

/* --- comparison and fingerprint ------------------------------------------- */

static const char *weights_text(weft_weight_type type) {
    switch (type) {
    case WEFT_WEIGHT_NONE: return "no weights";
    case WEFT_WEIGHT_U32: return "whole weights";
    case WEFT_WEIGHT_F32: return "float weights";
    case WEFT_WEIGHT_F64: return "double weights";
    }
    return "weights of another type";
}

static bool same_kind(weft_ctx *ctx, const weft_graph *a, const weft_graph *b) {
    if (a->n != b->n) {
        wfi_fail(ctx, WEFT_OK, "the first graph has %u vertices, the second %u", a->n, b->n);
        return false;
    }
    if (a->directed != b->directed) {
        wfi_fail(ctx, WEFT_OK, "the first graph is %s, the second %s", a->directed ? "directed" : "undirected",
                 b->directed ? "directed" : "undirected");
        return false;
    }
    if (a->weight_type != b->weight_type) {
        wfi_fail(ctx, WEFT_OK, "the first graph has %s, the second %s", weights_text(a->weight_type),
                 weights_text(b->weight_type));
        return false;
    }
    return true;
}

weft_status weft_graph_compare(weft_ctx *ctx, const weft_graph *a, const weft_graph *b, int *equal) {
    if (equal) *equal = 0;
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_ROWS_OR_RETURN(ctx, a);
    WFI_NEED_ROWS_OR_RETURN(ctx, b);
    WFI_NEED_OR_RETURN(ctx, equal);
    *equal = same_kind(ctx, a, b) && same_ids(ctx, a, b);
    if (!*equal) return WEFT_OK;
    weft_status st = compare_rows(ctx, a, b, equal);
    if (!st && *equal) st = compare_weights(ctx, a, b, equal);
    if (st) *equal = 0;
    return st;
}

/* True if the ids are consecutive numbers, stored as a list or not. */
static bool ids_are_consecutive(weft_ctx *ctx, const weft_graph *g) {
    if (g->ids.kind == WEFT_IDS_DENSE) return true;
    if (g->ids.kind == WEFT_IDS_STRING) return false;
    int gaps = 0;
#pragma omp parallel for num_threads(wfi_threads(ctx)) schedule(static) reduction(| : gaps)
    for (weft_vid v = 1; v < g->n; v++) gaps |= (uint64_t)g->ids.number[v] - (uint64_t)g->ids.number[v - 1] != 1;
    return !gaps;
}

/* Updates the digest *h with an array. */
static weft_status fold(weft_ctx *ctx, uint64_t *h, const void *array, size_t count, size_t each) {
    return wfi_digest_long(ctx, "fingerprint", array, count * each, *h, h);
}

/* Updates the digest with an array of the rows, distributed or not. */
static weft_status fold_rows(weft_ctx *ctx, const weft_graph *g, uint64_t *h, wfi_slice whole,
                             wfi_slice (*slice)(const weft_graph *g)) {
    if (g->share) return wfi_share_digest(ctx, "fingerprint", slice(g), *h, h);
    return fold(ctx, h, whole.at, (size_t)whole.bytes, 1);
}

weft_status weft_graph_fingerprint(weft_ctx *ctx, const weft_graph *g, uint64_t *out) {
    if (out) *out = 0;
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_GRAPH_OR_RETURN(ctx, g);
    WFI_NEED_OR_RETURN(ctx, out);
    size_t n = g->n, arcs = (size_t)g->arcs;
    weft_id_kind kind = !n || ids_are_consecutive(ctx, g) ? WEFT_IDS_DENSE : g->ids.kind;
    int64_t base = kind == WEFT_IDS_DENSE && n ? weft_graph_id(g, 0) : 0;
    uint64_t facts[] = {FINGERPRINT_VERSION, n, arcs, g->directed, (uint64_t)g->weight_type, (uint64_t)kind,
                        (uint64_t)base};
    uint64_t h = wfi_digest(ctx, facts, sizeof facts, 0);
    wfi_slice offsets = {(const char *)g->out.offsets, (n + 1) * sizeof(weft_eid)};
    wfi_slice targets = {(const char *)g->out.targets, arcs * sizeof(weft_vid)};
    wfi_slice weights = {g->out.weights, arcs * wfi_weight_bytes(g->weight_type)};
    weft_status st = fold_rows(ctx, g, &h, offsets, wfi_share_offsets);
    if (!st) st = fold_rows(ctx, g, &h, targets, wfi_share_targets);
    if (!st && g->weight_type != WEFT_WEIGHT_NONE) st = fold_rows(ctx, g, &h, weights, wfi_share_weights);
    if (!st && kind == WEFT_IDS_SPARSE) st = fold(ctx, &h, g->ids.number, n, sizeof(int64_t));
    if (!st && kind == WEFT_IDS_STRING) {
        st = fold(ctx, &h, g->ids.start, n + 1, sizeof(uint64_t));
        if (!st) st = fold(ctx, &h, g->ids.text, (size_t)g->ids.start[n], 1);
    }
    if (g->share) st = wfi_agree(ctx, st);
    if (!st) *out = h;
    return st;
}
