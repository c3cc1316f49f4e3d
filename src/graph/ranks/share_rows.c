/* Distributed rows from edges of which each rank has a part.
 *
 * Method: a histogram of arcs over buckets of rows gives a first cut of equal cost. Each arc is sent to the rank of
 * its row, in rounds of bounded size, and every rank sorts and merges its rows as one machine does (rows.c). Only
 * then are row lengths known: a second cut, as algorithms make it (spread.h), and the rows between the two cuts move.
 * Same rows as on one machine: a rank's pieces are in file order, ranks have their parts in file order, and received
 * arcs are kept in the order of (rank, round), so that the weights of parallel arcs are merged in file order. */
#include "core/comm.h"
#include "core/scan.h"
#include "core/search.h"
#include "graph/build.h"
#include "graph/ranks/share.h"
#include "graph/rows.h"

#include <string.h>

/* Approximate number of edges that a rank sends per round, and minimum per receiving rank; maximum number of buckets
 * of the first cut. */
enum { AT_ONCE = 1 << 18, AT_ONCE_EACH = 1 << 13, MOST_BUCKETS = 1 << 16 };

typedef struct exchange {
    weft_ctx *ctx;
    size_t ranks;
    bool mirror, drop_loops;
    size_t weight; /* bytes per weight */
    weft_weight_type type;
    weft_vid n;
    weft_vid *cut;              /* ranks + 1 */
    uint64_t *go, *come, *each; /* each: one number per rank */
    uint32_t *send, *receive;   /* ends of arcs */
    char *send_weights, *receive_weights;
    uint8_t *send_back, *receive_back; /* wfi_piece.back of undirected edges with weights */
    uint64_t capacity[2];              /* capacity in arcs, of send and of receive */
    uint64_t loops_dropped;
} exchange;

static weft_status open_exchange(exchange *d) {
    size_t ranks = d->ranks + 1;
    weft_status st = wfi_alloc(d->ctx, &d->go, 3 * ranks);
    if (!st) st = wfi_alloc(d->ctx, &d->cut, ranks);
    if (st) return st;
    d->come = d->go + ranks;
    d->each = d->come + ranks;
    return WEFT_OK;
}

static void close_exchange(exchange *d) {
    WFI_FREE(d->go, d->cut, d->send, d->receive, d->send_weights, d->receive_weights, d->send_back, d->receive_back);
}

/* --- first cut -------------------------------------------------------------------------- */

static unsigned bucket_shift(weft_vid n) {
    unsigned shift = 0;
    while (n && (uint64_t)(n - 1) >> shift >= MOST_BUCKETS) shift++;
    return shift;
}

static void count_rows(const exchange *d, const wfi_edges *edges, unsigned shift, uint64_t *bucket) {
    for (size_t i = 0; i < edges->count; i++) {
        const wfi_piece *p = &edges->pieces[i];
        for (uint64_t k = 0; k < p->count; k++) {
            uint32_t u = p->narrow[2 * k], v = p->narrow[2 * k + 1];
            if (u == v && d->drop_loops) continue;
            bucket[u >> shift]++;
            if (d->mirror && u != v) bucket[v >> shift]++;
        }
    }
}

static weft_status cut_by_buckets(exchange *d, const wfi_edges *edges) {
    unsigned shift = bucket_shift(d->n);
    size_t buckets = d->n ? (size_t)((d->n - 1) >> shift) + 1 : 0, b = 0;
    uint64_t *bucket = NULL, all = 0, before = 0;
    weft_status st = wfi_agree(d->ctx, wfi_alloc_zeroed(d->ctx, &bucket, buckets + 1));
    if (!st) {
        count_rows(d, edges, shift, bucket);
        st = wfi_allreduce(d->ctx, bucket, buckets, WFI_SUM);
    }
    for (size_t k = 0; !st && k < buckets; k++) all += bucket[k] += (uint64_t)WFI_ROW_COST << shift;
    for (size_t r = 0; !st && r < d->ranks; r++) {
        uint64_t goal = (uint64_t)((unsigned __int128)all * r / d->ranks);
        while (b < buckets && before < goal) before += bucket[b++];
        d->cut[r] = (weft_vid)wfi_min_u64(d->n, (uint64_t)b << shift);
    }
    d->cut[d->ranks] = d->n;
    wfi_free(bucket);
    return st;
}

/* --- rounds ------------------------------------------------------------------------------- */

/* The last rank whose rows begin at or before u; empty ranks precede it. */
static inline size_t owner_of(const exchange *d, weft_vid u) {
    size_t low = 1, high = d->ranks;
    WFI_BISECT(low, high, middle, d->cut[middle] <= u);
    return low - 1;
}

static bool sends_back(const exchange *d) { return d->mirror && d->weight; }

static inline void put_arc(exchange *d, const wfi_piece *p, uint64_t k, uint32_t u, uint32_t v, bool back) {
    uint64_t at = d->go[owner_of(d, u)]++;
    d->send[2 * at] = u;
    d->send[2 * at + 1] = v;
    if (d->weight) memcpy(d->send_weights + at * d->weight, (const char *)p->weights + k * d->weight, d->weight);
    if (sends_back(d)) d->send_back[at] = back;
}

/* Over the pieces from ... to - 1: counts the arcs for rank r in go[r + 1]; or, if `put`, stores them from go[r] on
 * and advances go[r]. */
static void walk(exchange *d, const wfi_edges *edges, size_t from, size_t to, bool put) {
    for (size_t i = from; i < to; i++) {
        const wfi_piece *p = &edges->pieces[i];
        for (uint64_t k = 0; k < p->count; k++) {
            uint32_t u = p->narrow[2 * k], v = p->narrow[2 * k + 1];
            if (u == v && d->drop_loops) {
                d->loops_dropped += put;
                continue;
            }
            bool both = d->mirror && u != v;
            if (put) {
                put_arc(d, p, k, u, v, false);
                if (both) put_arc(d, p, k, v, u, true);
            } else {
                d->go[owner_of(d, u) + 1]++;
                if (both) d->go[owner_of(d, v) + 1]++;
            }
        }
    }
}

static weft_status reserve(exchange *d, int side, uint64_t arcs, uint32_t **ends, char **weights, uint8_t **back) {
    if (arcs <= d->capacity[side] && *ends) return WEFT_OK;
    WFI_FREE(*ends, *weights, *back);
    *weights = NULL;
    *back = NULL;
    d->capacity[side] = arcs;
    weft_status st = wfi_alloc(d->ctx, ends, 2 * (size_t)arcs);
    if (!st && d->weight) st = wfi_alloc(d->ctx, weights, (size_t)arcs * d->weight);
    if (!st && sends_back(d)) st = wfi_alloc(d->ctx, back, (size_t)arcs);
    return st;
}

static weft_status exchange_items(exchange *d, const void *send, void *receive, size_t each) {
    return wfi_alltoall_items(d->ctx, each, send, d->go, receive, d->come);
}

static void drop_pieces(wfi_edges *edges, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        WFI_FREE(edges->pieces[i].narrow, edges->pieces[i].weights);
        edges->pieces[i] = (wfi_piece){0};
    }
}

/* Makes a piece of the arcs received from rank `from`, with rows relative to this rank's first. */
static weft_status keep_piece(exchange *d, size_t from, size_t at, wfi_edges *arcs) {
    uint64_t begin = d->come[from], count = d->come[from + 1] - begin;
    weft_vid first = d->cut[wfi_rank(d->ctx)];
    wfi_piece piece = {.count = count, .weight_type = d->type};
    if (!count) return WEFT_OK;
    weft_status st = wfi_alloc(d->ctx, &piece.narrow, 2 * (size_t)count);
    if (!st && d->weight) {
        piece.weights = wfi_take(d->ctx, (size_t)count, d->weight);
        if (!piece.weights) st = WEFT_ENOMEM;
    }
    if (!st && sends_back(d)) st = wfi_alloc(d->ctx, &piece.back, (size_t)count);
    for (uint64_t k = 0; !st && k < count; k++) {
        piece.narrow[2 * k] = d->receive[2 * (begin + k)] - first;
        piece.narrow[2 * k + 1] = d->receive[2 * (begin + k) + 1];
    }
    if (!st && d->weight) memcpy(piece.weights, d->receive_weights + begin * d->weight, (size_t)count * d->weight);
    if (!st && piece.back) memcpy(piece.back, d->receive_back + begin, (size_t)count);
    if (!st) st = wfi_edges_put(d->ctx, arcs, at, &piece);
    if (st) WFI_FREE(piece.narrow, piece.weights, piece.back);
    return st;
}

static weft_status exchange_round(exchange *d, wfi_edges *edges, size_t from, size_t to) {
    memset(d->go, 0, (d->ranks + 1) * sizeof *d->go);
    walk(d, edges, from, to, false);
    for (size_t r = 0; r < d->ranks; r++) d->go[r + 1] += d->go[r];
    weft_status st = wfi_receive_starts(d->ctx, d->go, d->come);
    if (st) return st;
    st = reserve(d, 0, d->go[d->ranks], &d->send, &d->send_weights, &d->send_back);
    if (!st) st = reserve(d, 1, d->come[d->ranks], &d->receive, &d->receive_weights, &d->receive_back);
    if (!st && wfi_cancelled(d->ctx)) st = wfi_fail_cancelled(d->ctx);
    st = wfi_agree(d->ctx, st);
    if (st) return st;
    walk(d, edges, from, to, true);
    memmove(d->go + 1, d->go, d->ranks * sizeof *d->go); /* go[r] was advanced to the begin of rank r + 1 */
    d->go[0] = 0;
    drop_pieces(edges, from, to);
    st = exchange_items(d, d->send, d->receive, 2 * sizeof *d->send);
    if (!st && d->weight) st = exchange_items(d, d->send_weights, d->receive_weights, d->weight);
    if (!st && sends_back(d)) st = exchange_items(d, d->send_back, d->receive_back, 1);
    return st;
}

/* End of the round that begins with piece `from`. */
static size_t round_end(const exchange *d, const wfi_edges *edges, size_t from) {
    uint64_t count = 0, enough = wfi_max_u64(AT_ONCE, d->ranks * AT_ONCE_EACH);
    while (from < edges->count && count < enough) count += edges->pieces[from++].count;
    return from;
}

static weft_status exchange_all(exchange *d, wfi_edges *edges, wfi_edges *arcs) {
    uint64_t rounds = 0;
    for (size_t from = 0; from < edges->count; rounds++) from = round_end(d, edges, from);
    weft_status st = wfi_allreduce(d->ctx, &rounds, 1, WFI_MAX);
    size_t from = 0;
    for (uint64_t round = 0; !st && round < rounds; round++) {
        size_t to = round_end(d, edges, from);
        wfi_progress(d->ctx, "sending edges", round, rounds);
        st = exchange_round(d, edges, from, to);
        for (size_t r = 0; !st && r < d->ranks; r++) st = keep_piece(d, r, r * (size_t)rounds + (size_t)round, arcs);
        st = wfi_agree(d->ctx, st);
        from = to;
    }
    return st;
}

/* --- rows ------------------------------------------------------------------------------------ */

/* Reduces over all ranks. */
static weft_status reduce_parallel(weft_ctx *ctx, wfi_parallel_edges *m) {
    uint64_t first = m->pairs ? m->first : UINT64_MAX, here = first, all[2 + WFI_SHOWN_WEIGHTS] = {m->pairs, m->edges};
    memcpy(all + 2, m->weight, sizeof m->weight);
    weft_status st = wfi_allreduce(ctx, &first, 1, WFI_MIN);
    if (here != first || !m->pairs)
        memset(all + 1, 0, sizeof all - sizeof *all); /* only the rank with the smallest pair contributes it */
    if (!st) st = wfi_allreduce(ctx, all, sizeof all / sizeof *all, WFI_SUM);
    m->pairs = all[0];
    m->first = first;
    m->edges = all[1];
    memcpy(m->weight, all + 2, sizeof m->weight);
    return st;
}

static weft_status reduce_counts(weft_ctx *ctx, uint64_t loops_dropped, wfi_row_counts *counts) {
    uint64_t all[] = {counts->arcs, counts->loops, loops_dropped, counts->duplicate_arcs, counts->duplicate_loops};
    weft_status st = wfi_allreduce(ctx, all, sizeof all / sizeof *all, WFI_SUM);
    counts->arcs = all[0];
    counts->loops = all[1];
    counts->loops_dropped = all[2];
    counts->duplicate_arcs = all[3];
    counts->duplicate_loops = all[4];
    if (!st) st = reduce_parallel(ctx, &counts->repeated);
    if (!st) st = reduce_parallel(ctx, &counts->parallel);
    return st ? st : reduce_parallel(ctx, &counts->opposite);
}

static weft_vid clamp(weft_vid v, wfi_range to) { return v < to.first ? to.first : v > to.end ? to.end : v; }

/* Moves rows from the ranks of d->cut to their owners by g->share->cut. */
static weft_status move_to_owner(exchange *d, const wfi_view *rows, weft_graph *g) {
    weft_ctx *ctx = d->ctx;
    const struct wfi_share *s = g->share;
    wfi_range from = {d->cut[s->rank], d->cut[s->rank + 1]}, to = s->owned; /* rows made here; rows owned here */
    weft_vid here = to.end - to.first;
    uint64_t *degree = NULL, *fresh = NULL, arcs = 0, before = 0;
    weft_status st = wfi_alloc(ctx, &degree, (size_t)(from.end - from.first));
    if (!st) st = wfi_alloc(ctx, &fresh, (size_t)here + 1);
    st = wfi_agree(ctx, st);
    if (st) goto done;
    for (weft_vid k = 0; k < from.end - from.first; k++) degree[k] = wfi_degree(rows, k);
    for (size_t r = 0; r <= d->ranks; r++) {
        d->go[r] = clamp(s->cut[r], from) - from.first;
        d->come[r] = clamp(d->cut[r], to) - to.first;
    }
    st = exchange_items(d, degree, fresh, sizeof *degree);
    if (st) goto done;
    for (size_t r = 0, k = 0; r <= d->ranks; r++) {
        for (uint64_t rows_come = d->come[r]; k < rows_come; k++) arcs += fresh[k];
        d->come[r] = arcs;
        d->go[r] = rows->offsets[d->go[r]];
    }
    st = wfi_allgather_u64(ctx, arcs, d->each);
    for (int r = 0; r < wfi_rank(ctx); r++) before += d->each[r];
    if (!st) st = wfi_agree(ctx, wfi_share_open(ctx, g, to.first, to.end, before, before + arcs));
    if (st) goto done;
    if (here) {
        wfi_exclusive_scan(ctx, fresh, here);
        for (weft_vid k = 0; k <= here; k++) wfi_own_offsets(&g->out)[to.first + k] = before + fresh[k];
    }
    st = exchange_items(d, rows->targets, wfi_own_targets(&g->out) + before, sizeof *rows->targets);
    if (!st && d->weight)
        st = exchange_items(d, rows->weights, wfi_own_weights(&g->out) + before * d->weight, d->weight);
done:
    WFI_FREE(degree, fresh);
    return st;
}

/* Makes the second cut from the finished rows and moves them to their owners. */
static weft_status place_at_owners(exchange *d, const wfi_view *rows, weft_graph *g) {
    weft_ctx *ctx = d->ctx;
    size_t rank = (size_t)wfi_rank(ctx);
    weft_vid *cut = NULL;
    uint64_t before = 0, mine = rows->offsets[d->cut[rank + 1] - d->cut[rank]];
    wfi_known_rows known = {d->cut[rank], d->cut[rank + 1], rows->offsets, 0};
    weft_status st = wfi_agree(ctx, wfi_alloc(ctx, &cut, d->ranks + 1));
    if (!st) st = wfi_allgather_u64(ctx, mine, d->go);
    for (size_t r = 0; !st && r < rank; r++) before += d->go[r];
    known.base = before;
    if (!st) st = wfi_share_cut(ctx, &known, NULL, 0, g->n, cut);
    if (!st) st = wfi_agree(ctx, wfi_share_new(ctx, g, cut));
    if (!st) st = move_to_owner(d, rows, g);
    wfi_free(cut);
    return st;
}

weft_status wfi_share_rows(weft_ctx *ctx, wfi_edges *edges, const wfi_build *build, weft_graph *g,
                           wfi_row_counts *counts) {
    exchange d = {.ctx = ctx,
                  .ranks = (size_t)wfi_ranks(ctx),
                  .mirror = wfi_build_mirrors(build),
                  .drop_loops = build->params.loops == WEFT_LOOPS_DROP,
                  .weight = wfi_weight_bytes(g->weight_type),
                  .type = g->weight_type,
                  .n = g->n};
    wfi_edges arcs = {0};
    wfi_view rows = {0};
    weft_status st = wfi_agree(ctx, open_exchange(&d));
    if (!st) st = cut_by_buckets(&d, edges);
    if (!st) st = exchange_all(&d, edges, &arcs);
    if (!st) {
        int rank = wfi_rank(ctx);
        WFI_FREE(d.send, d.receive, d.send_weights, d.receive_weights, d.send_back, d.receive_back);
        d.send = d.receive = NULL;
        d.send_weights = d.receive_weights = NULL;
        d.send_back = d.receive_back = NULL;
        st = wfi_rows_from_arcs(ctx, &arcs, &(wfi_row_plan){d.cut[rank], d.cut[rank + 1], g->n, build, g->weight_type},
                                &rows, counts);
        st = wfi_agree_input(ctx, st);
    }
    if (!st) st = reduce_counts(ctx, d.loops_dropped, counts);
    if (!st) {
        g->arcs = counts->arcs;
        st = place_at_owners(&d, &rows, g);
    }
    WFI_FREE(rows.offsets, rows.targets, rows.weights);
    wfi_edges_free(&arcs);
    close_exchange(&d);
    return st;
}
