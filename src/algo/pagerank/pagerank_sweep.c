/* One iteration of PageRank on CPU cores: sparse matrix-vector product, then new ranks and shares by vertex.
 * Method: rows of incoming arcs pull the shares of their sources (engines/fixed_sums), or blocks of targets are added
 * up from tiles (pagerank_tiles.c); on a 2-D grid of ranks each rank adds up the shares of its column's vertices for
 * all vertices of its row (reduce along rows, gather along columns).
 * Encoding: shares and sums as in pagerank_cpu.c; sums are of integers, so that tiles, rows and grids give the same
 * bits.
 * Yoo et al., "A Scalable Distributed Parallel Breadth-First Search Algorithm on BlueGene/L", SC 2005, for the grid. */
#include "algo/pagerank/pagerank_cpu.h"
#include "ranks/grid.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { BATCH = 256, PASS = WFI_PAGERANK_PASS };

/* --- from sums to ranks, from ranks to shares -------------------------------------- */

/* In f32 one limb suffices for the totals, too: the truncated part is below 2^-62 a vertex. */
static inline void add_total(wfi_fixed *sum, bool single, double x) {
    if (single)
        sum->whole += (uint64_t)(int64_t)(x * WFI_FIXED_ONE);
    else
        wfi_fixed_add(sum, x * WFI_FIXED_ONE);
}

/* New ranks from sums, rounded as they are stored. */
static inline __attribute__((always_inline)) void update_ranks(wfi_ranking *r, bool single, weft_vid first,
                                                               weft_vid count, const double *pulled, wfi_totals *t) {
    const double *restart = r->restart ? r->restart + first : NULL;
    const double *dangling_to = r->dangling_to ? r->dangling_to + first : NULL;
    double teleport = r->teleport, everywhere = r->uniform * teleport, damping = r->damping;
    for (weft_vid k = 0; k < count; k++) {
        double jumped = restart ? restart[k] * teleport : everywhere, rank, old;
        if (dangling_to) jumped += dangling_to[k] * r->dangling;
        rank = jumped + damping * pulled[k];
        if (single) {
            float *place = (float *)r->rank + first + k;
            old = (double)*place;
            *place = (float)rank;
            rank = (double)*place;
        } else {
            double *place = (double *)r->rank + first + k;
            old = *place;
            *place = rank;
        }
        add_total(&t->change, single, fabs(rank - old));
        add_total(&t->sum, single, rank);
    }
}

static inline __attribute__((always_inline)) void update_shares(wfi_ranking *r, bool single, bool narrow,
                                                                weft_vid first, weft_vid count, wfi_totals *t) {
    void *to = r->next;
    for (weft_vid v = first; v < first + count; v++) {
        double rank = single ? (double)((const float *)r->rank)[v] : ((const double *)r->rank)[v];
        double inverse = r->inverse[v];
        add_total(&t->dangling, single,
                  rank * (double)(inverse == 0)); /* no branch: dangling vertices are not predictable */
        if (narrow)
            ((float *)to)[v] = (float)(rank * inverse);
        else
            ((double *)to)[v] = rank * inverse;
    }
}

static void make_ranks(wfi_ranking *r, weft_vid first, weft_vid count, const double *pulled, wfi_totals *t) {
    if (r->single)
        update_ranks(r, true, first, count, pulled, t);
    else
        update_ranks(r, false, first, count, pulled, t);
}

static void make_shares(wfi_ranking *r, weft_vid first, weft_vid count, wfi_totals *t) {
    if (r->pull.kind == WFI_SHARE_32)
        update_shares(r, true, true, first, count, t);
    else if (r->single)
        update_shares(r, true, false, first, count, t);
    else
        update_shares(r, false, false, first, count, t);
}

void wfi_make_shares(wfi_ranking *r, const wfi_stretch *s, wfi_totals *all) {
#pragma omp parallel num_threads(wfi_threads_for(r->ctx, s->end - s->first, PASS))
    {
        wfi_totals mine = WFI_NO_TOTALS;
#pragma omp for schedule(static)
        for (weft_vid k = s->first; k < s->end; k += PASS)
            make_shares(r, s->place + k, s->end - k < PASS ? s->end - k : PASS, &mine);
        wfi_totals_join(all, &mine);
    }
}

/* --- one stretch -------------------------------------------------------------------- */

static void sweep_rows(wfi_ranking *r, const wfi_stretch *s, weft_vid first, weft_vid end, wfi_totals *t) {
    double pulled[BATCH];
    for (weft_vid k = first; k < end; k += BATCH) {
        weft_vid count = end - k < BATCH ? end - k : BATCH;
        if (r->on_grid)
            wfi_pulled_on_grid(r, s, k, count, pulled);
        else
            wfi_pull(&r->pull, k, count, pulled);
        make_ranks(r, s->place + k, count, pulled, t);
        make_shares(r, s->place + k, count, t);
    }
}

static void sweep_tiles(wfi_ranking *r, size_t block, wfi_totals *t) {
    const wfi_tiles *tiles = &r->tiles;
    double pulled[BATCH];
    weft_vid first = (weft_vid)(block << tiles->shift), end = r->g->n;
    if ((end - first) >> tiles->shift) end = first + ((weft_vid)1 << tiles->shift);
    uint64_t *sum = tiles->sums + ((size_t)omp_get_thread_num() << tiles->shift);
    if (!wfi_tiles_add(r->ctx, tiles, block, r->pull.share, sum)) {
        atomic_store(&r->pull.stop, true);
        return;
    }
    for (weft_vid v = first; v < end; v += BATCH) {
        weft_vid count = end - v < BATCH ? end - v : BATCH;
        for (weft_vid k = 0; k < count; k++) pulled[k] = wfi_fixed_value((wfi_fixed){sum[v - first + k], 0});
        make_ranks(r, v, count, pulled, t);
        make_shares(r, v, count, t);
    }
}

/* Begin of unit u of a stretch without tiles: units have rows of about equal cost, or, on a grid, equal numbers of rows
 * that are already added up. */
static weft_vid unit_at(const wfi_ranking *r, const wfi_stretch *s, size_t units, size_t u) {
    if (!r->on_grid) return wfi_pull_chunk(&r->pull, s->first, s->end, u);
    return s->first + (weft_vid)((uint64_t)(s->end - s->first) * u / units);
}

/* New ranks for a stretch, from the current shares. */
static void sweep_stretch(wfi_ranking *r, const wfi_stretch *s, wfi_totals *all) {
    unsigned shift = r->tiled ? r->tiles.shift : 0;
    size_t base = (size_t)s->place >> shift; /* with tiles this rank has all vertices */
    r->pull.rows = &s->in;
    size_t units = r->tiled     ? ((size_t)(s->place + s->end - 1) >> shift) + 1 - base
                   : r->on_grid ? (s->end - s->first) / PASS + 1
                                : wfi_pull_chunks(&r->pull, s->first, s->end);
#pragma omp parallel num_threads(wfi_threads_for(r->ctx, units, 1))
    {
        wfi_totals mine = WFI_NO_TOTALS;
#pragma omp for schedule(dynamic, 1) nowait
        for (size_t u = 0; u < units; u++) {
            if (atomic_load(&r->pull.stop)) continue;
            if (r->tiled) {
                sweep_tiles(r, base + u, &mine);
            } else {
                sweep_rows(r, s, unit_at(r, s, units, u), unit_at(r, s, units, u + 1), &mine);
                if (wfi_cancelled(r->ctx)) atomic_store(&r->pull.stop, true);
            }
        }
        wfi_totals_join(all, &mine);
    }
}

void wfi_exchange_shares(wfi_ranking *r) {
    void *share = r->pull.share;
    r->pull.share = r->next;
    r->next = share;
}

/* If the stretch is all vertices the arrays are exchanged, else the stretch is copied. */
weft_status wfi_publish_shares(wfi_ranking *r, size_t i) {
    const wfi_stretch *s = &r->stretch[i];
    size_t each = wfi_share_bytes(r->pull.kind);
    if (r->whole && r->stretches == 1) {
        wfi_exchange_shares(r);
        return WEFT_OK;
    }
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(r->ctx, s->end - s->first, PASS))
    for (weft_vid k = s->first; k < s->end; k += PASS)
        memcpy((char *)r->pull.share + (s->seen + k) * each, (char *)r->next + (s->place + k) * each,
               (s->end - k < PASS ? s->end - k : PASS) * each);
    return wfi_spread_allgather(r->ctx, r->spread, &r->spread->part[i], r->pull.share, each);
}

weft_status wfi_pagerank_sweep(wfi_ranking *r, wfi_totals *mine) {
    weft_status st = WEFT_OK;
    *mine = WFI_NO_TOTALS;
    for (size_t i = 0; i < r->stretches && !st; i++) {
        if (r->on_grid) st = wfi_pull_on_grid(r, i);
        if (st) break;
        if (r->stretch[i].first < r->stretch[i].end) sweep_stretch(r, &r->stretch[i], mine);
        st = wfi_publish_shares(r, i);
    }
    return st;
}

/* --- on a grid of ranks --------------------------------------------------------------- */

weft_status wfi_pull_on_grid(wfi_ranking *r, size_t i) {
    const wfi_part *part = &r->spread->part[i];
    weft_vid rows = part->in_end - part->in_first;
    size_t limbs = wfi_pull_limbs(r->pull.kind), units;
    r->pull.rows = &r->stretch[i].in;
    units = rows ? wfi_pull_chunks(&r->pull, 0, rows) : 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(r->ctx, units, 1))
    for (size_t u = 0; u < units; u++) {
        weft_vid first = wfi_pull_chunk(&r->pull, 0, rows, u), end = wfi_pull_chunk(&r->pull, 0, rows, u + 1);
        if (atomic_load(&r->pull.stop)) continue;
        wfi_pull_sums(&r->pull, first, end - first, r->sums_out + first * limbs);
        if (wfi_cancelled(r->ctx)) atomic_store(&r->pull.stop, true);
    }
    return wfi_grid_send_sums(r->ctx, r->spread, part, r->sums_out, limbs * sizeof *r->sums_out, r->sums_in);
}

void wfi_pulled_on_grid(const wfi_ranking *r, const wfi_stretch *s, weft_vid first, weft_vid count, double *pulled) {
    size_t limbs = wfi_pull_limbs(r->pull.kind), range = s->end - s->first;
    for (weft_vid k = 0; k < count; k++) {
        wfi_fixed sum = {0, 0};
        for (int c = 0; c < r->spread->columns; c++) {
            const uint64_t *from = r->sums_in + ((size_t)c * range + first + k) * limbs;
            wfi_fixed_join(&sum, (wfi_fixed){from[0], limbs > 1 ? from[1] : 0});
        }
        pulled[k] = wfi_fixed_value(sum);
    }
}

/* --- scaling ---------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void scale_array(void *array, bool narrow, weft_vid first, weft_vid end,
                                                              double scale) {
    for (weft_vid v = first; v < end; v++)
        if (narrow)
            ((float *)array)[v] = (float)((double)((float *)array)[v] * scale);
        else
            ((double *)array)[v] *= scale;
}

static void scale_all(const wfi_ranking *r, void *array, bool narrow, weft_vid count, double scale) {
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(r->ctx, count, PASS))
    for (weft_vid first = 0; first < count; first += PASS)
        scale_array(array, narrow, first, count - first < PASS ? count : first + PASS, scale);
}

/* After a sweep `next` is a copy of the current shares.  These are in the caches of all cores that have read them, and
 * writing them takes ten times as long: `next` is scaled and exchanged for them. */
void wfi_pagerank_scale(wfi_ranking *r, double scale) {
    scale_all(r, r->rank, r->single, r->mine, scale);
    scale_all(r, r->whole ? r->next : r->pull.share, r->pull.kind == WFI_SHARE_32, r->sees, scale);
    if (r->whole) wfi_exchange_shares(r);
}
