/* Memory of a distributed graph, and cuts of equal cost: see share.h.
 * Addresses are reserved without access (mmap, PROT_NONE), which takes no memory; pages become accessible where rows
 * are stored. Cuts are found by a binary search on each rank and a minimum over all ranks. */
#include "graph/ranks/share.h"
#include "core/comm.h"
#include "core/search.h"
#include "graph/rows.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* --- sparse arrays ------------------------------------------------------------------------- */

static weft_status sparse_new(weft_ctx *ctx, uint64_t count, size_t each, wfi_sparse *s) {
    size_t bytes = (size_t)(count ? count : 1) * each;
    void *at = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return wfi_fail(ctx, WEFT_ENOMEM, "no addresses for a shared graph: %s", strerror(errno));
    *s = (wfi_sparse){at, bytes, each};
    return WEFT_OK;
}

static void sparse_free(wfi_sparse *s) {
    if (s->at) munmap(s->at, s->bytes);
    s->at = NULL;
}

/* Makes elements from ... to - 1 accessible, with the rest of their pages. */
static weft_status sparse_open(weft_ctx *ctx, const wfi_sparse *s, uint64_t from, uint64_t to) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), low = (size_t)from * s->each / page * page,
           high = (size_t)to * s->each;
    if (from >= to || !s->each) return WEFT_OK;
    if (!mprotect(s->at + low, high - low, PROT_READ | PROT_WRITE)) return WEFT_OK;
    return wfi_fail(ctx, WEFT_ENOMEM, "out of memory for the rows of a shared graph: %s", strerror(errno));
}

/* --- local rows ----------------------------------------------------------------------------- */

void wfi_share_free(struct wfi_share *s) {
    if (!s) return;
    sparse_free(&s->offsets);
    sparse_free(&s->targets);
    sparse_free(&s->weights);
    wfi_memory_unreserve(s->memory, s->counted);
    wfi_memory_release(s->memory);
    WFI_FREE(s->cut, s->local, s);
}

weft_status wfi_share_new(weft_ctx *ctx, weft_graph *g, const weft_vid *cut) {
    size_t ranks = (size_t)wfi_ranks(ctx), rank = (size_t)wfi_rank(ctx), weight = wfi_weight_bytes(g->weight_type);
    struct wfi_share *s = wfi_take_zeroed(ctx, 1, sizeof *s);
    if (!s) return WEFT_ENOMEM;
    s->memory = wfi_memory_keep(wfi_ctx_memory(ctx));
    s->rank = (int)rank;
    s->ranks = (int)ranks;
    weft_status st = wfi_alloc(ctx, &s->cut, ranks + 1);
    if (!st) st = sparse_new(ctx, (uint64_t)g->n + 1, sizeof(weft_eid), &s->offsets);
    if (!st) st = sparse_new(ctx, g->arcs, sizeof(weft_vid), &s->targets);
    if (!st && weight) st = sparse_new(ctx, g->arcs, weight, &s->weights);
    if (st) {
        wfi_share_free(s);
        return st;
    }
    memcpy(s->cut, cut, (ranks + 1) * sizeof *cut);
    s->owned = (wfi_range){cut[rank], cut[rank + 1]};
    g->share = s;
    g->out = wfi_view_of(g->n, g->weight_type);
    g->out.offsets = (const weft_eid *)(void *)s->offsets.at;
    g->out.targets = (const weft_vid *)(void *)s->targets.at;
    g->out.weights = s->weights.at;
    return WEFT_OK;
}

static weft_status count_bytes(weft_ctx *ctx, struct wfi_share *s, uint64_t bytes) {
    if (!wfi_memory_reserve(ctx, s->memory, "memory", bytes)) return WEFT_ENOMEM;
    s->counted += bytes;
    return WEFT_OK;
}

weft_status wfi_share_open(weft_ctx *ctx, const weft_graph *g, weft_vid first, weft_vid end, weft_eid first_arc,
                           weft_eid end_arc) {
    struct wfi_share *s = g->share;
    if (first >= end) return WEFT_OK;
    if (s->local_count == s->local_capacity) {
        size_t capacity = s->local_capacity ? 2 * s->local_capacity : 16;
        wfi_range *more = wfi_resize(ctx, s->local, capacity, sizeof *more);
        if (!more) return WEFT_ENOMEM;
        s->local = more;
        s->local_capacity = capacity;
    }
    weft_status st = count_bytes(ctx, s,
                                 ((uint64_t)(end - first) + 1) * sizeof(weft_eid) +
                                     (end_arc - first_arc) * (s->targets.each + s->weights.each));
    if (!st) st = sparse_open(ctx, &s->offsets, first, (uint64_t)end + 1);
    if (!st) st = sparse_open(ctx, &s->targets, first_arc, end_arc);
    if (!st) st = sparse_open(ctx, &s->weights, first_arc, end_arc);
    if (!st) s->local[s->local_count++] = (wfi_range){first, end};
    return st;
}

wfi_range wfi_share_range_of(const weft_graph *g, weft_eid arc) {
    const struct wfi_share *s = g->share;
    for (size_t i = 0; i < s->local_count; i++)
        if (g->out.offsets[s->local[i].first] <= arc && arc < g->out.offsets[s->local[i].end]) return s->local[i];
    return s->owned;
}

weft_status wfi_share_change_weights(weft_ctx *ctx, weft_graph *g, weft_weight_type type, wfi_put_weights put) {
    struct wfi_share *s = g->share;
    weft_eid first = 0, end = 0;
    if (s->owned.first < s->owned.end) {
        first = g->out.offsets[s->owned.first];
        end = g->out.offsets[s->owned.end];
    }
    wfi_sparse fresh, old = s->weights;
    weft_status st = sparse_new(ctx, g->arcs, wfi_weight_bytes(type), &fresh);
    if (st) return st;
    st = count_bytes(ctx, s, (end - first) * fresh.each);
    if (!st) st = sparse_open(ctx, &fresh, first, end);
    if (st) {
        sparse_free(&fresh);
        return st;
    }
    put(g, first, end, type, fresh.at);
    s->weights = fresh;
    g->out.weights = fresh.at;
    wfi_memory_unreserve(s->memory, (end - first) * old.each);
    s->counted -= (end - first) * old.each;
    sparse_free(&old);
    return WEFT_OK;
}

/* --- cuts ------------------------------------------------------------------------------------ */

static uint64_t cost_before(const wfi_known_rows *k, weft_vid v) {
    return k->base + k->offsets[v - k->first] + (uint64_t)WFI_ROW_COST * v;
}

/* Cost before v, 0 on ranks that do not know it. */
static uint64_t cost_if_known(const wfi_known_rows *k, weft_vid v) {
    return k->first < k->end && v >= k->first && v <= k->end ? cost_before(k, v) : 0;
}

/* First vertex in lo ... hi - 1 known to this rank with at least `cost` before it; hi if there is none. */
static weft_vid vertex_at_cost(const wfi_known_rows *k, weft_vid lo, weft_vid hi, uint64_t cost) {
    weft_vid low = lo > k->first ? lo : k->first, high = hi < k->end ? hi : k->end, end = high;
    if (low >= high) return hi;
    WFI_BISECT(low, high, middle, cost_before(k, middle) < cost);
    return low < end ? low : hi;
}

weft_status wfi_share_cut(weft_ctx *ctx, const wfi_known_rows *mine, const uint64_t *weights, weft_vid lo, weft_vid hi,
                          weft_vid *cut) {
    size_t ranks = (size_t)wfi_ranks(ctx);
    uint64_t cost[2] = {cost_if_known(mine, lo), cost_if_known(mine, hi)}, whole = 0, before = 0, *first = NULL;
    weft_status st = wfi_agree(ctx, wfi_alloc(ctx, &first, ranks));
    if (!st) st = wfi_allreduce(ctx, cost, 2, WFI_MAX);
    if (st) goto done;
    for (size_t r = 0; r < ranks; r++) whole += weights ? weights[r] : 1;
    for (size_t r = 0; r < ranks; r++) {
        uint64_t at = cost[0] + (uint64_t)((unsigned __int128)(cost[1] - cost[0]) * before / whole);
        first[r] = vertex_at_cost(mine, lo, hi, at);
        before += weights ? weights[r] : 1;
    }
    st = wfi_allreduce(ctx, first, ranks, WFI_MIN);
    for (size_t r = 0; r < ranks; r++)
        cut[r] = (weft_vid)wfi_min_u64(hi, (first[r] + WFI_CUT_AT - 1) / WFI_CUT_AT * WFI_CUT_AT);
    cut[ranks] = hi;
done:
    wfi_free(first);
    return st;
}

wfi_known_rows wfi_share_known(const weft_graph *g) {
    const struct wfi_share *s = g->share;
    return (wfi_known_rows){s->owned.first, s->owned.end, g->out.offsets + s->owned.first, 0};
}
