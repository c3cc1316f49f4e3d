/* Sums of hops (near.h), by many searches at once.
 * Method: searches from all sources; each vertex adds up how many reach it at each distance.  Where fewer vertices are
 * asked for than there are sources, searches go back from these, and each adds up what it reaches: their counts, a
 * lane's, are made in planes of bits, which add a line of lanes in a few instructions. */
#include "algo/closeness/near.h"
#include "core/poll.h"

#include <omp.h>
#include <string.h>

/* Searches side by side take no more than this: 4 GiB. */
static const uint64_t MOST_BYTES = (uint64_t)4 << 30;
enum { SHARE = 1 << 14, PLANES = 16, FEW = 32, WORDS = WFI_MSBFS_WORDS };

/* Of a team's member: sums of vertices, or of lanes, which threads that share searches have each. */
static uint64_t sums(const weft_ctx *ctx, const wfi_closeness *t, int at_once) {
    if (!wfi_closeness_goes_back(t)) return t->g->n;
    return (uint64_t)WFI_MSBFS * (at_once > 1 ? 1 : (uint64_t)wfi_threads(ctx));
}

int wfi_closeness_hops_at_once(const weft_ctx *ctx, const wfi_closeness *t) {
    uint64_t groups = (wfi_closeness_hops_most(t) + WFI_MSBFS - 1) / WFI_MSBFS, threads = (uint64_t)wfi_threads(ctx);
    uint64_t bytes = wfi_msbfs_bytes(t->g->n) + t->g->n * sizeof(wfi_closeness_sum);
    return groups >= threads && bytes <= MOST_BYTES / threads ? (int)threads : 1;
}

void wfi_closeness_hops_lay_out(wfi_workspace *w, const weft_ctx *ctx, const wfi_closeness *t, int at_once,
                                wfi_closeness_hops *h) {
    h->at_once = at_once;
    wfi_array_within(w, &h->wanted, t->g->n);
    wfi_array_within(w, &h->order, wfi_closeness_hops_most(t));
    wfi_array_within(w, &h->at, sums(ctx, t, at_once) * (uint64_t)at_once);
    wfi_msbfs_lay_out(w, t->g->n, at_once, &h->many);
}

/* --- what comes ------------------------------------------------------------------------- */

typedef struct listener {
    const wfi_closeness *t;
    wfi_closeness_sum *at; /* of vertices, or of the lanes of each thread */
    bool shared;           /* threads share the searches */
} listener;

static void came_to_vertices(void *user, uint32_t distance, const weft_vid *vertex, uint64_t count,
                             const wfi_msbfs_bits *fresh) {
    const listener *l = user;
    wfi_closeness_wide each = wfi_closeness_worth(l->t->harmonic, distance);
    for (uint64_t i = 0; i < count; i++) {
        unsigned reach = 0;
        for (int k = 0; k < WORDS; k++) reach += (unsigned)__builtin_popcountll(fresh[vertex[i]][k]);
        wfi_closeness_add(&l->at[vertex[i]], each, reach);
    }
}

/* Bit by bit, where planes would not be worth it. */
static void count_few(const listener *l, wfi_closeness_sum *lane, wfi_closeness_wide each, const weft_vid *vertex,
                      uint64_t count, const wfi_msbfs_bits *fresh) {
    for (uint64_t i = 0; i < count; i++)
        for (int k = 0; k < WORDS && wfi_closeness_counts(l->t, vertex[i]); k++)
            for (uint64_t left = fresh[vertex[i]][k]; left; left &= left - 1)
                wfi_closeness_add(&lane[64 * k + __builtin_ctzll(left)], each, 1);
}

/* Up to 2^PLANES - 1 vertices: bit p of a lane's count stands in plane p. */
static void count_many(const listener *l, wfi_closeness_sum *lane, wfi_closeness_wide each, const weft_vid *vertex,
                       uint64_t count, const wfi_msbfs_bits *fresh) {
    uint64_t plane[PLANES][WORDS] = {{0}};
    int planes = 64 - __builtin_clzll(count);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t carry[WORDS], any = wfi_closeness_counts(l->t, vertex[i]);
        memcpy(carry, fresh[vertex[i]], sizeof carry);
        for (int p = 0; p < planes && any; p++) {
            any = 0;
            for (int k = 0; k < WORDS; k++) {
                uint64_t both = plane[p][k] & carry[k];
                plane[p][k] ^= carry[k];
                carry[k] = both;
                any |= both;
            }
        }
    }
    for (int i = 0; i < WFI_MSBFS; i++) {
        uint64_t has = 0;
        for (int p = 0; p < planes; p++) has |= (plane[p][i / 64] >> i % 64 & 1) << p;
        if (has) wfi_closeness_add(&lane[i], each, has);
    }
}

static void came_to_lanes(void *user, uint32_t distance, const weft_vid *vertex, uint64_t count,
                          const wfi_msbfs_bits *fresh) {
    enum { MOST = (1 << PLANES) - 1 };
    const listener *l = user;
    wfi_closeness_sum *lane = l->at + (l->shared ? (size_t)omp_get_thread_num() * WFI_MSBFS : 0);
    wfi_closeness_wide each = wfi_closeness_worth(l->t->harmonic, distance);
    if (count < FEW) {
        count_few(l, lane, each, vertex, count, fresh);
        return;
    }
    for (uint64_t from = 0; from < count; from += MOST)
        count_many(l, lane, each, vertex + from, wfi_min_u64(MOST, count - from), fresh);
}

/* --- runs ------------------------------------------------------------------------------- */

/* Where searches begin; those without an arc to go along find nothing. */
static uint64_t begin(weft_ctx *ctx, const wfi_closeness *t, const wfi_closeness_hops *h, const wfi_view *along) {
    const weft_vid *list = wfi_closeness_goes_back(t) ? t->of : t->sources;
    uint64_t count = wfi_closeness_goes_back(t) ? t->of_count : t->source_count;
    memset(h->wanted, !list, t->g->n);
    for (uint64_t i = 0; list && i < count; i++) h->wanted[list[i]] = 1;
    for (weft_vid v = 0; v < t->g->n; v++) h->wanted[v] &= along->offsets[v] < along->offsets[v + 1];
    return wfi_msbfs_order(ctx, along, WFI_MSBFS, h->wanted, h->order);
}

/* The sum of `parts` sums that lie so far from each other, as the value of a vertex. */
static double value_of(const wfi_closeness *t, const wfi_closeness_sum *sum, int parts, size_t apart) {
    wfi_closeness_sum all = {0, 0};
    for (int p = 0; p < parts; p++) {
        all.sum += sum[(size_t)p * apart].sum;
        all.reached += sum[(size_t)p * apart].reached;
    }
    return wfi_closeness_value_of(wfi_closeness_scale_of(t), all);
}

static void tell_vertices(const weft_ctx *ctx, const wfi_closeness *t, const wfi_closeness_hops *h) {
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, t->g->n, SHARE))
    for (weft_vid v = 0; v < t->g->n; v++)
        if (wfi_closeness_asked(t, v)) t->value[v] = value_of(t, h->at + v, h->at_once, t->g->n);
}

weft_status wfi_closeness_by_hops(weft_ctx *ctx, const wfi_closeness *t, wfi_closeness_hops *h) {
    bool back = wfi_closeness_goes_back(t), shared = h->at_once == 1;
    size_t each = sums(ctx, t, h->at_once);
    _Atomic bool stop = false;
    _Atomic uint64_t done = 0;
    h->many.ctx = ctx;
    h->many.along = back ? t->back : t->along;
    h->many.back = back ? t->along : t->back;
    h->many.n = t->g->n;
    h->many.threads = shared ? wfi_threads(ctx) : 1;
    h->many.came = back ? came_to_lanes : came_to_vertices;
    uint64_t count = begin(ctx, t, h, h->many.along);
    wfi_progress(ctx, t->name, 0, count);
#pragma omp parallel num_threads(h->at_once)
    {
        int me = omp_get_thread_num(), parts = shared ? h->many.threads : 1;
        listener l = {t, h->at + (size_t)me * each, shared};
        wfi_msbfs mine = wfi_msbfs_ready(&h->many, t->g->n, me);
        mine.user = &l;
        if (!wfi_fill_bytes(ctx, l.at, 0, each * sizeof *l.at)) atomic_store(&stop, true);
#pragma omp for schedule(dynamic, 1)
        for (uint64_t first = 0; first < count; first += WFI_MSBFS) {
            unsigned lanes = (unsigned)wfi_min_u64(count - first, WFI_MSBFS);
            if (atomic_load(&stop)) continue;
            if (back) memset(l.at, 0, each * sizeof *l.at);
            if (!wfi_msbfs_run(&mine, h->order + first, lanes)) atomic_store(&stop, true);
            for (unsigned i = 0; back && i < lanes; i++)
                t->value[h->order[first + i]] = value_of(t, l.at + i, parts, WFI_MSBFS);
            uint64_t now = atomic_fetch_add(&done, lanes) + lanes;
            if (me == 0) wfi_progress(ctx, t->name, now, count);
        }
    }
    if (atomic_load(&stop)) return wfi_fail_cancelled(ctx);
    if (!back) tell_vertices(ctx, t, h);
    return WEFT_OK;
}
