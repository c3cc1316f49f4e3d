/* Ids to vertices 0 ... n - 1, in ascending order of ids.
 *
 * Three methods: ids within a modest range are marked in a bitmap (vertex = rank, the number of set bits below); ids
 * spread over 64 bits are radix-sorted and found by binary search within a bucket of an index; names are sorted as
 * bytes. Ids base, base + 1, ... without gaps need no map.
 *
 * Ranks of a distributed graph mark or sort the ids of their own edges and compute the union of bitmaps or lists
 * (union.c); after that each rank has the complete map. */
#include "core/comm.h"
#include "core/scan.h"
#include "graph/build.h"

#include <string.h>

/* --- range of ids ---------------------------------------------------------- */

typedef struct span {
    int64_t low, high;
    uint64_t ids; /* number of ids, with repetitions */
} span;

static void widen(span *s, int64_t id) {
    if (id < s->low) s->low = id;
    if (id > s->high) s->high = id;
}

static span span_of_piece(const wfi_piece *p) {
    span s = {INT64_MAX, INT64_MIN, 2 * p->count};
    uint32_t low = UINT32_MAX, high = 0;
    for (uint64_t i = 0; p->narrow && i < 2 * p->count; i++) {
        low = p->narrow[i] < low ? p->narrow[i] : low;
        high = p->narrow[i] > high ? p->narrow[i] : high;
    }
    if (p->narrow && p->count) {
        widen(&s, low);
        widen(&s, high);
    }
    for (uint64_t i = 0; p->wide && i < 2 * p->count; i++) widen(&s, p->wide[i]);
    return s;
}

static weft_status span_of(weft_ctx *ctx, const wfi_edges *edges, const wfi_build *build, span *all) {
    int64_t low = INT64_MAX, high = INT64_MIN;
    uint64_t ids = build->extra_count;
    _Atomic bool stop = false;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, edges->count, 1)) \
    reduction(min : low) reduction(max : high) reduction(+ : ids)
    for (size_t i = 0; i < edges->count; i++) {
        if (wfi_cancelled(ctx)) atomic_store(&stop, true);
        if (atomic_load(&stop)) continue;
        span s = span_of_piece(&edges->pieces[i]);
        low = s.low < low ? s.low : low;
        high = s.high > high ? s.high : high;
        ids += s.ids;
    }
    *all = (span){low, high, ids};
    for (uint64_t i = 0; i < build->extra_count; i++) widen(all, build->extra_ids[i]);
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

/* Reduces over all ranks. */
static weft_status reduce_spans(weft_ctx *ctx, span *s) {
    const uint64_t sign = (uint64_t)1 << 63; /* maps the order of signed numbers to that of unsigned ones */
    uint64_t low = (uint64_t)s->low ^ sign, high = (uint64_t)s->high ^ sign;
    weft_status st = wfi_allreduce(ctx, &low, 1, WFI_MIN);
    if (!st) st = wfi_allreduce(ctx, &high, 1, WFI_MAX);
    if (!st) st = wfi_allreduce(ctx, &s->ids, 1, WFI_SUM);
    s->low = (int64_t)(low ^ sign);
    s->high = (int64_t)(high ^ sign);
    return st;
}

/* --- rewriting of pieces ------------------------------------------------------- */

/* Map from ids to vertices, for any of the methods. */
typedef struct mapper {
    int64_t base;         /* smallest id, subtracted first */
    const uint64_t *bits; /* bitmap: marks, and vertices before each word */
    const uint64_t *rank;
    const uint64_t *sorted; /* sorting: id - base, ascending, n entries */
    const uint64_t *bucket; /* first index in sorted of each bucket, id >> bucket_shift */
    unsigned bucket_shift;
} mapper;

static inline uint32_t vertex_of(const mapper *m, int64_t id) {
    uint64_t x = (uint64_t)id - (uint64_t)m->base;
    if (m->bits) {
        uint64_t below = m->bits[x >> 6] & (((uint64_t)1 << (x & 63)) - 1);
        return (uint32_t)(m->rank[x >> 6] + (uint64_t)__builtin_popcountll(below));
    }
    if (!m->sorted) return (uint32_t)x;
    uint64_t low = m->bucket[x >> m->bucket_shift], high = m->bucket[(x >> m->bucket_shift) + 1];
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (m->sorted[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static weft_status rewrite_piece(weft_ctx *ctx, wfi_piece *p, const mapper *m) {
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    if (p->narrow) {
        for (uint64_t i = 0; i < 2 * p->count; i++) p->narrow[i] = vertex_of(m, p->narrow[i]);
        return WEFT_OK;
    }
    if (wfi_alloc(ctx, &p->narrow, 2 * p->count)) return WEFT_ENOMEM;
    for (uint64_t i = 0; p->wide && i < 2 * p->count; i++) p->narrow[i] = vertex_of(m, p->wide[i]);
    wfi_free(p->wide);
    p->wide = NULL;
    return WEFT_OK;
}

static weft_status rewrite(weft_ctx *ctx, wfi_edges *edges, const mapper *m) {
    _Atomic int status = WEFT_OK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, edges->count, 1))
    for (size_t i = 0; i < edges->count; i++)
        if (!atomic_load(&status)) wfi_keep_status(&status, rewrite_piece(ctx, &edges->pieces[i], m));
    return (weft_status)atomic_load(&status);
}

static bool all_narrow(const wfi_edges *edges) {
    for (size_t i = 0; i < edges->count; i++)
        if (edges->pieces[i].wide) return false;
    return true;
}

static weft_status too_many(weft_ctx *ctx, uint64_t n) {
    return wfi_fail(ctx, WEFT_EINPUT, "%llu vertices: at most 2^32-2 are possible", (unsigned long long)n);
}

/* --- by bitmap ---------------------------------------------------------------- */

static inline void mark(uint64_t *bits, uint64_t x) {
    uint64_t bit = (uint64_t)1 << (x & 63);
    /* Most bits are already set, and a load is cheaper than the atomic operation. */
    if (!(__atomic_load_n(&bits[x >> 6], __ATOMIC_RELAXED) & bit))
        __atomic_fetch_or(&bits[x >> 6], bit, __ATOMIC_RELAXED);
}

static weft_status mark_all(weft_ctx *ctx, const wfi_edges *edges, const wfi_build *build, uint64_t base,
                            uint64_t *bits) {
    _Atomic bool stop = false;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, edges->count, 1))
    for (size_t i = 0; i < edges->count; i++) {
        const wfi_piece *p = &edges->pieces[i];
        if (wfi_cancelled(ctx)) atomic_store(&stop, true);
        if (atomic_load(&stop)) continue;
        for (uint64_t k = 0; p->narrow && k < 2 * p->count; k++) mark(bits, p->narrow[k] - base);
        for (uint64_t k = 0; p->wide && k < 2 * p->count; k++) mark(bits, (uint64_t)p->wide[k] - base);
    }
    for (uint64_t i = 0; i < build->extra_count; i++) mark(bits, (uint64_t)build->extra_ids[i] - base);
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

static weft_status number_by_bitmap(weft_ctx *ctx, wfi_edges *edges, const wfi_build *build, const span *s, weft_vid *n,
                                    wfi_ids *ids) {
    uint64_t width = (uint64_t)s->high - (uint64_t)s->low + 1;
    size_t words = (size_t)(width / 64 + 1);
    uint64_t *bits = NULL, *rank = NULL;
    weft_status st = WEFT_ENOMEM;
    if (!wfi_alloc_zeroed(ctx, &bits, words) && !wfi_alloc(ctx, &rank, words + 1))
        st = mark_all(ctx, edges, build, (uint64_t)s->low, bits);
    if (build->shared) st = wfi_agree(ctx, st);
    if (build->shared && !st) st = wfi_union_bits(ctx, bits, words);
    if (st) goto done;
    for (size_t w = 0; w < words; w++) rank[w] = (uint64_t)__builtin_popcountll(bits[w]);
    wfi_exclusive_scan(ctx, rank, words);
    if (st) goto done;
    uint64_t count = rank[words];
    if (count >= WEFT_NO_VERTEX) {
        st = too_many(ctx, count);
        goto done;
    }
    *n = (weft_vid)count;
    mapper m = {.base = s->low};
    if (count == width) {
        ids->base = s->low;
        if (s->low == 0 && all_narrow(edges)) goto done; /* ids are already vertices */
    } else {
        m.bits = bits;
        m.rank = rank;
        ids->kind = WEFT_IDS_SPARSE;
        st = wfi_alloc(ctx, &ids->number, (size_t)count);
        if (st) goto done;
        size_t at = 0;
        for (size_t w = 0; w < words; w++)
            for (uint64_t left = bits[w]; left; left &= left - 1)
                ids->number[at++] = (int64_t)((uint64_t)s->low + w * 64 + (uint64_t)__builtin_ctzll(left));
    }
    st = rewrite(ctx, edges, &m);
done:
    wfi_free(bits);
    wfi_free(rank);
    return st;
}

/* --- by sorting ----------------------------------------------------------------- */

/* Distinct values of id - base in one piece, ascending. */
static weft_status distinct_of_piece(weft_ctx *ctx, const wfi_piece *p, uint64_t base, uint64_t **out, size_t *count) {
    *count = 2 * p->count;
    if (wfi_alloc(ctx, out, *count)) return WEFT_ENOMEM;
    for (size_t i = 0; i < *count; i++) (*out)[i] = (p->narrow ? (uint64_t)p->narrow[i] : (uint64_t)p->wide[i]) - base;
    weft_status st = wfi_sort_u64(ctx, *out, *count);
    if (!st) *count = wfi_unique_u64(*out, *count);
    return st;
}

/* Distinct values of id - base in all pieces, ascending; *sorted is a fresh block. */
static weft_status distinct_ids(weft_ctx *ctx, const wfi_edges *edges, const wfi_build *build, uint64_t base,
                                uint64_t **sorted, size_t *count) {
    uint64_t **part = NULL;
    size_t *length = NULL;
    _Atomic int status = WEFT_OK;
    weft_status st = WEFT_ENOMEM;
    if (wfi_alloc_zeroed(ctx, &part, edges->count) || wfi_alloc_zeroed(ctx, &length, edges->count)) goto done;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, edges->count, 1))
    for (size_t i = 0; i < edges->count; i++)
        if (edges->pieces[i].count && !atomic_load(&status))
            wfi_keep_status(&status, distinct_of_piece(ctx, &edges->pieces[i], base, &part[i], &length[i]));
    st = (weft_status)atomic_load(&status);
    if (st) goto done;
    size_t total = (size_t)build->extra_count, at = 0;
    for (size_t i = 0; i < edges->count; i++) total += length[i];
    st = wfi_alloc(ctx, sorted, total);
    if (st) goto done;
    for (size_t i = 0; i < edges->count; i++) {
        if (length[i]) memcpy(*sorted + at, part[i], length[i] * sizeof **sorted);
        at += length[i];
        wfi_free(part[i]);
        part[i] = NULL;
    }
    for (uint64_t i = 0; i < build->extra_count; i++) (*sorted)[at++] = (uint64_t)build->extra_ids[i] - base;
    st = wfi_sort_u64(ctx, *sorted, total);
    *count = wfi_unique_u64(*sorted, total);
done:
    for (size_t i = 0; part && i < edges->count; i++) wfi_free(part[i]);
    wfi_free(part);
    wfi_free(length);
    return st;
}

static weft_status index_buckets(weft_ctx *ctx, const uint64_t *sorted, size_t count, mapper *m, uint64_t **bucket) {
    unsigned width = wfi_bits(sorted[count - 1]), index_bits = wfi_bits(count);
    m->bucket_shift = width > index_bits ? width - index_bits : 0;
    size_t buckets = (size_t)(sorted[count - 1] >> m->bucket_shift) + 1;
    if (wfi_alloc(ctx, bucket, buckets + 1)) return WEFT_ENOMEM;
    size_t at = 0;
    for (size_t b = 0; b <= buckets; b++) {
        while (at < count && sorted[at] >> m->bucket_shift < b) at++;
        (*bucket)[b] = at;
    }
    m->sorted = sorted;
    m->bucket = *bucket;
    return WEFT_OK;
}

static weft_status number_by_sorting(weft_ctx *ctx, wfi_edges *edges, const wfi_build *build, const span *s,
                                     weft_vid *n, wfi_ids *ids) {
    uint64_t *sorted = NULL, *bucket = NULL;
    size_t count = 0;
    mapper m = {.base = s->low};
    weft_status st = distinct_ids(ctx, edges, build, (uint64_t)s->low, &sorted, &count);
    if (build->shared) st = wfi_agree(ctx, st);
    if (build->shared && !st) st = wfi_union_sorted(ctx, &sorted, &count);
    if (st) goto done;
    if (count >= WEFT_NO_VERTEX) {
        st = too_many(ctx, count);
        goto done;
    }
    *n = (weft_vid)count;
    if (count - 1 == (uint64_t)s->high - (uint64_t)s->low) { /* only on ranks, where one machine would use a bitmap */
        ids->base = s->low;
        st = rewrite(ctx, edges, &m);
        goto done;
    }
    st = index_buckets(ctx, sorted, count, &m, &bucket);
    if (!st) st = wfi_alloc(ctx, &ids->number, count);
    if (st) goto done;
    for (size_t i = 0; i < count; i++) ids->number[i] = (int64_t)(sorted[i] + (uint64_t)s->low);
    ids->kind = WEFT_IDS_SPARSE;
    st = rewrite(ctx, edges, &m);
done:
    wfi_free(sorted);
    wfi_free(bucket);
    return st;
}

/* --- given vertices ---------------------------------------------------------------- */

static weft_status number_as_given(weft_ctx *ctx, wfi_edges *edges, const wfi_build *build, const span *s, weft_vid *n,
                                   wfi_ids *ids) {
    if (build->vertices >= WEFT_NO_VERTEX) return too_many(ctx, build->vertices);
    if (build->vertices && build->id_base > INT64_MAX - (int64_t)(build->vertices - 1))
        return wfi_fail(ctx, WEFT_EINPUT, "%llu ids from %lld on do not fit in 64 bits with sign",
                        (unsigned long long)build->vertices, (long long)build->id_base);
    int64_t first = build->ends_base, shift = build->id_base - first;
    if (s->ids && (s->low < first || (uint64_t)s->high - (uint64_t)first >= build->vertices))
        return wfi_fail(ctx, WEFT_EINPUT, "vertex %lld does not exist: there are %llu vertices, %lld to %lld",
                        (long long)((s->low < first ? s->low : s->high) + shift), (unsigned long long)build->vertices,
                        (long long)build->id_base, (long long)((uint64_t)build->id_base + build->vertices - 1));
    *n = (weft_vid)build->vertices;
    ids->base = build->id_base;
    if (build->ids) {
        *ids = *build->ids;
        *build->ids = (wfi_ids){0};
    }
    mapper m = {.base = first};
    return first == 0 && all_narrow(edges) ? WEFT_OK : rewrite(ctx, edges, &m);
}

weft_status wfi_number_vertices(weft_ctx *ctx, wfi_edges *edges, const wfi_build *build, weft_vid *n, wfi_ids *ids) {
    *n = 0;
    if (build->numbering == WFI_NAMES) return wfi_number_names(ctx, edges, build->shared, n, ids);
    wfi_progress(ctx, "numbering vertices", 0, 0);
    span s;
    weft_status st = span_of(ctx, edges, build, &s);
    if (build->shared) st = wfi_agree(ctx, st);
    if (build->shared && !st) st = reduce_spans(ctx, &s);
    if (st) return st;
    if (build->numbering == WFI_VERTICES) return number_as_given(ctx, edges, build, &s, n, ids);
    if (!s.ids) return WEFT_OK;
    /* A bitmap and its ranks take width / 4 bytes: used up to about the size of the edges. */
    uint64_t width = (uint64_t)s.high - (uint64_t)s.low,
             ids_here = s.ids / (build->shared ? (uint64_t)wfi_ranks(ctx) : 1);
    if (width < 16 * ids_here + (1u << 22)) return number_by_bitmap(ctx, edges, build, &s, n, ids);
    return number_by_sorting(ctx, edges, build, &s, n, ids);
}
