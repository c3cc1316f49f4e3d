/* CSR written as one list of numbers (Ligra, csr) to edges; every wrong offset or target is named with its place. */
#include "io/adjacency/rows.h"

#include <string.h>

typedef unsigned long long ull;

enum { COUNTS = 2 }; /* n and m come first */

static uint64_t targets_at(const wfi_token_rows *r) { return COUNTS + r->n + r->closed; }

static weft_status refuse_odd(weft_ctx *ctx, const wfi_tokens *t, uint64_t from, uint64_t to) {
    wfi_token_walk walk = wfi_tokens_from(t, from);
    const wfi_odd_token *odd;
    for (uint64_t i = from; i < to; i++) {
        wfi_tokens_next(&walk, &odd);
        if (odd) return wfi_tokens_fail(ctx, t, i, "expected %s, a whole number that is not negative", t->expected);
    }
    return WEFT_OK;
}

weft_status wfi_token_rows_counts(weft_ctx *ctx, wfi_token_rows *r) {
    const wfi_tokens *t = &r->tokens;
    if (t->total < COUNTS) return wfi_tokens_fail(ctx, t, t->total, "expected the numbers of vertices and of edges");
    weft_status st = refuse_odd(ctx, t, 0, COUNTS);
    if (st) return st;
    wfi_token_walk walk = wfi_tokens_from(t, 0);
    const wfi_odd_token *odd;
    r->n = wfi_tokens_next(&walk, &odd);
    r->m = wfi_tokens_next(&walk, &odd);
    if (r->n >= WEFT_NO_VERTEX)
        return wfi_tokens_fail(ctx, t, 0, "%llu vertices are more than the 2^32-2 allowed", (ull)r->n);
    return WEFT_OK;
}

uint64_t wfi_token_rows_words(const wfi_token_rows *r, unsigned lists) {
    uint64_t words;
    if (__builtin_mul_overflow(r->m, (uint64_t)lists, &words) || __builtin_add_overflow(words, targets_at(r), &words))
        return UINT64_MAX;
    return words;
}

weft_weight_type wfi_token_rows_weight_type(const wfi_token_rows *r) {
    if (r->tokens.as_double) return WEFT_WEIGHT_F64;
    wfi_token_walk walk = wfi_tokens_from(&r->tokens, targets_at(r) + r->m);
    const wfi_odd_token *odd;
    for (uint64_t i = 0; i < r->m; i++)
        if (wfi_tokens_next(&walk, &odd) > UINT32_MAX || odd) return WEFT_WEIGHT_F32;
    return WEFT_WEIGHT_U32;
}

static weft_status read_offsets(weft_ctx *ctx, const wfi_token_rows *r, uint64_t *offsets) {
    wfi_token_walk walk = wfi_tokens_from(&r->tokens, COUNTS);
    const wfi_odd_token *odd;
    uint64_t before = 0;
    offsets[r->n] = r->m;
    for (uint64_t v = 0; v < r->n + r->closed; v++) {
        uint64_t at = offsets[v] = wfi_tokens_next(&walk, &odd);
        if (v == 0 && at)
            return wfi_tokens_fail(ctx, &r->tokens, COUNTS, "the first row begins at %llu, expected 0", (ull)at);
        if (v == r->n && at != r->m)
            return wfi_tokens_fail(ctx, &r->tokens, COUNTS + v, "the last row ends at %llu, but there are %llu edges",
                                   (ull)at, (ull)r->m);
        if (at < before || at > r->m)
            return wfi_tokens_fail(ctx, &r->tokens, COUNTS + v, "row %llu begins at %llu, expected %llu to %llu",
                                   (ull)v, (ull)at, (ull)before, (ull)r->m);
        before = at;
    }
    if (r->n == 0 && r->m) return wfi_tokens_fail(ctx, &r->tokens, 1, "%llu edges but no vertex", (ull)r->m);
    return WEFT_OK;
}

static uint64_t take_arcs(void *user, uint64_t first, uint64_t count, uint32_t *ends, void *weights) {
    const wfi_token_rows *r = user;
    const wfi_odd_token *odd;
    wfi_token_walk walk = wfi_tokens_from(&r->tokens, targets_at(r) + first);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t target = wfi_tokens_next(&walk, &odd);
        if (target >= r->n) return i;
        ends[2 * i + 1] = (uint32_t)target;
    }
    if (!weights) return count;
    walk = wfi_tokens_from(&r->tokens, targets_at(r) + r->m + first);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t whole = wfi_tokens_next(&walk, &odd);
        switch (r->weights) {
        case WEFT_WEIGHT_NONE: break;
        case WEFT_WEIGHT_U32: ((uint32_t *)weights)[i] = (uint32_t)whole; break;
        case WEFT_WEIGHT_F32: ((float *)weights)[i] = odd ? (float)odd->real : (float)whole; break;
        case WEFT_WEIGHT_F64: ((double *)weights)[i] = odd ? odd->real : (double)whole; break;
        }
    }
    return count;
}

weft_status wfi_token_rows_edges(weft_ctx *ctx, wfi_token_rows *r, wfi_edges *edges) {
    uint64_t *offsets = NULL, bad;
    weft_status st = refuse_odd(ctx, &r->tokens, COUNTS, targets_at(r) + r->m);
    if (!st) st = wfi_alloc(ctx, &offsets, r->n + 1);
    if (!st) st = read_offsets(ctx, r, offsets);
    if (!st) st = wfi_edges_from_rows(ctx, edges, &(wfi_arc_rows){r->n, offsets, r->weights, take_arcs, r}, &bad);
    if (!st && bad < r->m)
        st = wfi_tokens_fail(ctx, &r->tokens, targets_at(r) + bad, "this is not one of the vertices 0 to %lld",
                             (long long)r->n - 1);
    wfi_free(offsets);
    return st;
}
