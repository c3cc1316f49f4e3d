/* A graph from arrays of any type. Needs: arrays on the host.
 * Method: all entries are checked first, so that the first wrong one can be named. Rows that fit the build rules
 * become the graph's rows (arrays_rows.c); other arrays are converted in parallel to pieces of edges. */
#include "graph/arrays.h"
#include "core/search.h"

#include <math.h>

enum { EDGES_PER_PIECE = 1 << 18, FILL_POLL = 1 << 14 };

static uint64_t blocks_of(uint64_t count) { return (count + WFI_ELEMENTS - 1) / WFI_ELEMENTS; }
static size_t block_size(uint64_t count, uint64_t block) {
    return (size_t)wfi_min_u64(count - block * WFI_ELEMENTS, WFI_ELEMENTS);
}

/* --- checks ---------------------------------------------------------------------- */

static weft_status need(weft_ctx *ctx, const char *name, const void *array, weft_type type, bool whole) {
    bool typed = wfi_elements_whole(type) || (!whole && wfi_elements_real(type));
    if (!array) return wfi_fail_parameter(ctx, name, "weft_arrays: %s is NULL", name);
    if (typed) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "weft_arrays: %s need %s type", name, whole ? "an integer" : "a numeric");
}

weft_status wfi_arrays_check(weft_ctx *ctx, const weft_arrays *a) {
    weft_status st = WEFT_OK;
    if (a->offsets && (a->sources || a->any_ids))
        return wfi_fail(ctx, WEFT_EINVAL, "weft_arrays: offsets go with neither sources nor any_ids");
    if (a->any_ids && a->names) return wfi_fail(ctx, WEFT_EINVAL, "weft_arrays: give either any_ids or names");
    if (a->vertices >= WEFT_NO_VERTEX && !a->any_ids)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_arrays: at most 2^32-2 vertices");
    if (a->offsets) st = need(ctx, "offsets", a->offsets, a->offset_type, true);
    if (!st && a->edges) st = need(ctx, "targets", a->targets, a->id_type, true);
    if (!st && a->edges && !a->offsets) st = need(ctx, "sources", a->sources, a->id_type, true);
    if (!st && a->weights) st = need(ctx, "weights", a->weights, a->weight_type, false);
    if (!st && a->more_count) st = need(ctx, "more_ids", a->more_ids, a->id_type, true);
    if (!st && a->more_count && !a->any_ids)
        st = wfi_fail(ctx, WEFT_EINVAL, "weft_arrays: more_ids go with any_ids only");
    if (!st && a->names && !a->name_starts)
        st = wfi_fail_parameter(ctx, "name_starts", "weft_arrays: name_starts is NULL");
    return st;
}

static weft_status refuse_id(weft_ctx *ctx, const weft_arrays *a, const void *ids, uint64_t at, const char *which) {
    int64_t id = 0;
    wfi_elements_i64(ids, a->id_type, at, 1, &id);
    if (id < 0 && a->id_type != WEFT_U64)
        return wfi_fail(ctx, WEFT_EINVAL, "edge %llu: %s %lld is negative", (unsigned long long)at, which,
                        (long long)id);
    return wfi_fail(ctx, WEFT_EINVAL, "edge %llu: %s %llu is not below the number of vertices, %llu",
                    (unsigned long long)at, which, (unsigned long long)id, (unsigned long long)a->vertices);
}

/* Fails at the first entry that is not a vertex; `which` names the end in the message. */
static weft_status check_ids(weft_ctx *ctx, const weft_arrays *a, const void *ids, const char *which) {
    uint64_t first = UINT64_MAX, blocks = blocks_of(a->edges);
    bool stop = false;
#pragma omp parallel for schedule(static) reduction(min                        \
                                                    : first) reduction(||      \
                                                                       : stop) \
    num_threads(wfi_threads_for(ctx, blocks, 256))
    for (uint64_t b = 0; b < blocks; b++) {
        int64_t id[WFI_ELEMENTS];
        size_t count = block_size(a->edges, b);
        uint64_t bad = 0;
        if (first != UINT64_MAX || stop) continue;
        if (b % 256 == 0 && wfi_cancelled(ctx)) stop = true;
        wfi_elements_i64(ids, a->id_type, b * WFI_ELEMENTS, count, id);
        for (size_t i = 0; i < count; i++) bad |= (uint64_t)id[i] >= a->vertices;
        for (size_t i = count; bad && i-- > 0;)
            if ((uint64_t)id[i] >= a->vertices) first = b * WFI_ELEMENTS + i;
    }
    if (stop) return wfi_fail_cancelled(ctx);
    return first == UINT64_MAX ? WEFT_OK : refuse_id(ctx, a, ids, first, which);
}

typedef struct range {
    int64_t low, high;
} range;

/* Extends *r to the ids. Fails for unsigned ids of 2^63 and more. */
static weft_status range_of(weft_ctx *ctx, const weft_arrays *a, const void *ids, uint64_t count, const char *which,
                            range *r) {
    int64_t low = r->low, high = r->high;
    uint64_t blocks = blocks_of(count), first = UINT64_MAX;
    _Atomic bool stop = false;
#pragma omp parallel for schedule(static) reduction(min                             \
                                                    : low, first) reduction(max     \
                                                                            : high) \
    num_threads(wfi_threads_for(ctx, blocks, 256))
    for (uint64_t b = 0; b < blocks; b++) {
        int64_t id[WFI_ELEMENTS], least = INT64_MAX, most = INT64_MIN;
        size_t size = block_size(count, b);
        if (b % 256 == 0 && wfi_cancelled(ctx)) atomic_store(&stop, true);
        if (atomic_load_explicit(&stop, memory_order_relaxed)) continue;
        wfi_elements_i64(ids, a->id_type, b * WFI_ELEMENTS, size, id);
        for (size_t i = 0; i < size; i++) {
            least = id[i] < least ? id[i] : least;
            most = id[i] > most ? id[i] : most;
        }
        low = least < low ? least : low;
        high = most > high ? most : high;
        for (size_t i = 0; least < 0 && a->id_type == WEFT_U64 && i < size; i++)
            if (id[i] < 0 && b * WFI_ELEMENTS + i < first) first = b * WFI_ELEMENTS + i;
    }
    r->low = low;
    r->high = high;
    if (atomic_load(&stop)) return wfi_fail_cancelled(ctx);
    if (first == UINT64_MAX) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "%s %llu does not fit in 64 bits with sign", which, (unsigned long long)first);
}

/* --- weights ----------------------------------------------------------------------- */

/* Checks a block of whole weights: true if all fit in u32; adds the number that a double rounds to *inexact. */
static bool look_at_whole(const weft_arrays *a, uint64_t from, size_t count, uint64_t *inexact) {
    int64_t w[WFI_ELEMENTS], beyond = 0;
    wfi_elements_i64(a->weights, a->weight_type, from, count, w);
    for (size_t i = 0; i < count; i++) {
        __int128 x = a->weight_type == WEFT_U64 ? (__int128)(uint64_t)w[i] : w[i];
        beyond |= w[i] & ~(int64_t)UINT32_MAX;
        *inexact += (__int128)(double)x != x;
    }
    return !beyond;
}

static size_t first_infinite(const weft_arrays *a, uint64_t from, size_t count) {
    double w[WFI_ELEMENTS], all = 0;
    wfi_elements_f64(a->weights, a->weight_type, from, count, w);
    for (size_t i = 0; i < count; i++) all += w[i] - w[i]; /* 0 or NaN */
    for (size_t i = 0; all != 0 && i < count; i++)
        if (!isfinite(w[i])) return i;
    return count;
}

/* Chooses the graph's weight type; fails at the first weight that is not finite. */
static weft_status check_weights(weft_ctx *ctx, const weft_arrays *a, wfi_array_weights *weights) {
    uint64_t first = UINT64_MAX, inexact = 0, blocks = blocks_of(a->edges);
    bool narrow = true, stop = false, real = wfi_elements_real(a->weight_type);
    *weights = (wfi_array_weights){WEFT_WEIGHT_NONE, 0};
    if (!a->weights) return WEFT_OK;
#pragma omp parallel for schedule(static) reduction(min : first) reduction(+ : inexact) reduction(&& : narrow) reduction(|| : stop) num_threads(wfi_threads_for(ctx, blocks, 256))
    for (uint64_t b = 0; b < blocks; b++) {
        size_t count = block_size(a->edges, b);
        if (b % 256 == 0 && wfi_cancelled(ctx)) stop = true;
        if (first != UINT64_MAX || stop) continue;
        if (!real) {
            narrow = look_at_whole(a, b * WFI_ELEMENTS, count, &inexact) && narrow;
            continue;
        }
        size_t at = first_infinite(a, b * WFI_ELEMENTS, count);
        if (at < count) first = b * WFI_ELEMENTS + at;
    }
    if (stop) return wfi_fail_cancelled(ctx);
    if (first != UINT64_MAX)
        return wfi_fail(ctx, WEFT_EINVAL, "edge %llu: the weight is not finite", (unsigned long long)first);
    if (a->weight_type == WEFT_F32)
        weights->type = WEFT_WEIGHT_F32;
    else
        weights->type = !real && narrow ? WEFT_WEIGHT_U32 : WEFT_WEIGHT_F64;
    if (weights->type == WEFT_WEIGHT_F64 && !real) weights->inexact = inexact;
    return WEFT_OK;
}

void wfi_array_weights_fill(const weft_arrays *a, weft_weight_type type, uint64_t from, uint64_t count, void *to) {
    int64_t whole[WFI_ELEMENTS];
    for (uint64_t done = 0; done < count; done += WFI_ELEMENTS) {
        size_t here = (size_t)wfi_min_u64(count - done, WFI_ELEMENTS);
        switch (type) {
        case WEFT_WEIGHT_NONE: break;
        case WEFT_WEIGHT_U32:
            wfi_elements_i64(a->weights, a->weight_type, from + done, here, whole);
            for (size_t i = 0; i < here; i++) ((uint32_t *)to)[done + i] = (uint32_t)whole[i];
            break;
        case WEFT_WEIGHT_F32:
            memcpy((float *)to + done, (const char *)a->weights + (from + done) * sizeof(float), here * sizeof(float));
            break;
        case WEFT_WEIGHT_F64:
            wfi_elements_f64(a->weights, a->weight_type, from + done, here, (double *)to + done);
            break;
        }
    }
}

/* --- pieces -------------------------------------------------------------------------- */

/* Conversion of arrays to edges. */
typedef struct conversion {
    weft_ctx *ctx;
    const weft_arrays *a;
    const weft_eid *offsets; /* CSR */
    wfi_array_weights weights;
    bool wide; /* ids need 64 bits */
} conversion;

static weft_vid row_of(const conversion *c, uint64_t entry) {
    uint64_t low = 1, high = c->a->vertices;
    WFI_BISECT(low, high, middle, c->offsets[middle] <= entry);
    return (weft_vid)(low - 1);
}

/* False on a request to stop. */
static bool fill_piece(const conversion *c, uint64_t from, wfi_piece *p) {
    int64_t id[WFI_ELEMENTS];
    weft_vid row = c->offsets ? row_of(c, from) : 0;
    for (uint64_t at = 0; at < p->count; at += WFI_ELEMENTS) {
        size_t count = (size_t)wfi_min_u64(p->count - at, WFI_ELEMENTS);
        if (at % FILL_POLL == 0 && wfi_cancelled(c->ctx)) return false;
        wfi_elements_i64(c->a->targets, c->a->id_type, from + at, count, id);
        wfi_piece_put_ends(p, at, count, 1, id);
        if (!c->offsets) wfi_elements_i64(c->a->sources, c->a->id_type, from + at, count, id);
        for (size_t i = 0; c->offsets && i < count; i++) {
            while (c->offsets[row + 1] <= from + at + i) row++;
            id[i] = row;
        }
        wfi_piece_put_ends(p, at, count, 0, id);
    }
    if (p->weights) wfi_array_weights_fill(c->a, c->weights.type, from, p->count, p->weights);
    return true;
}

static weft_status pieces_of(const conversion *c, wfi_edges *edges) {
    uint64_t total = c->a->edges;
    weft_status st = WEFT_OK;
    for (uint64_t from = 0; from < total && !st; from += EDGES_PER_PIECE)
        st = wfi_cancelled(c->ctx) ? wfi_fail_cancelled(c->ctx)
                                   : wfi_edges_reserve(c->ctx, edges, wfi_min_u64(total - from, EDGES_PER_PIECE),
                                                       c->weights.type, c->wide);
    if (st) return st;
    bool stop = false;
#pragma omp parallel for schedule(dynamic, 1) reduction(|| : stop) num_threads(wfi_threads_for(c->ctx, edges->count, 1))
    for (size_t i = 0; i < edges->count; i++) {
        stop = stop || !fill_piece(c, (uint64_t)i * EDGES_PER_PIECE, &edges->pieces[i]);
    }
    if (edges->count) edges->pieces[0].inexact = c->weights.inexact;
    return stop ? wfi_fail_cancelled(c->ctx) : WEFT_OK;
}

/* --- ids and names ----------------------------------------------------------------------- */

static weft_status any_ids(const conversion *c, int64_t **more, bool *wide, wfi_build *build) {
    const weft_arrays *a = c->a;
    range r = {0, 0};
    weft_status st = range_of(c->ctx, a, a->sources, a->edges, "edge", &r);
    if (!st) st = range_of(c->ctx, a, a->targets, a->edges, "edge", &r);
    *wide = r.low < 0 || r.high > UINT32_MAX;
    if (!st) st = range_of(c->ctx, a, a->more_ids, a->more_count, "more_ids", &r);
    if (!st && a->more_count) st = wfi_alloc(c->ctx, more, (size_t)a->more_count);
    if (st) return st;
    for (uint64_t at = 0; at < a->more_count; at += WFI_ELEMENTS)
        wfi_elements_i64(a->more_ids, a->id_type, at, (size_t)wfi_min_u64(a->more_count - at, WFI_ELEMENTS),
                         *more + at);
    build->numbering = WFI_COMPACT;
    build->extra_ids = *more;
    build->extra_count = a->more_count;
    return WEFT_OK;
}

/* Makes one table of names, in which name i has number i. */
static weft_status add_names(weft_ctx *ctx, const weft_arrays *a, wfi_edges *edges) {
    wfi_names *names = wfi_names_new(ctx);
    weft_status st = names ? wfi_alloc(ctx, &edges->names, 1) : WEFT_ENOMEM;
    if (st) {
        wfi_names_free(names);
        return st;
    }
    edges->names[0] = names;
    edges->name_tables = 1;
    for (uint64_t i = 0; i < a->vertices && !st; i++) {
        uint64_t start = a->name_starts[i], end = a->name_starts[i + 1];
        uint32_t number = 0;
        if (end < start)
            return wfi_fail(ctx, WEFT_EINVAL, "name_starts[%llu] is less than the one before",
                            (unsigned long long)(i + 1));
        if (i % 65536 == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        st = wfi_names_number(ctx, names, a->names + start, (size_t)(end - start), &number);
        if (!st && number != i)
            return wfi_fail(ctx, WEFT_EINVAL, "names %u and %llu are the same: '%.*s'", number, (unsigned long long)i,
                            (int)wfi_min_u64(end - start, 80), a->names + start);
    }
    return st;
}

/* --- rows -------------------------------------------------------------------------------- */

/* Sets c->offsets to the caller's array if its type fits, else to a copy in *own. */
static weft_status load_offsets(conversion *c, weft_eid **own) {
    const weft_arrays *a = c->a;
    uint64_t count = a->vertices + 1;
    if (weft_type_size(a->offset_type) == 8 && (uintptr_t)a->offsets % sizeof(weft_eid) == 0) {
        c->offsets = a->offsets;
    } else {
        if (wfi_alloc(c->ctx, own, (size_t)count)) return WEFT_ENOMEM;
        for (uint64_t at = 0; at < count; at += WFI_ELEMENTS)
            wfi_elements_i64(a->offsets, a->offset_type, at, (size_t)wfi_min_u64(count - at, WFI_ELEMENTS),
                             (int64_t *)*own + at);
        c->offsets = *own;
    }
    if (c->offsets[0])
        return wfi_fail(c->ctx, WEFT_EINVAL, "offsets[0] is %lld, but must be 0", (long long)c->offsets[0]);
    uint64_t first = UINT64_MAX;
#pragma omp parallel for schedule(static) reduction(min : first) num_threads(wfi_threads_for(c->ctx, count, 1 << 18))
    for (uint64_t v = 0; v < a->vertices; v++)
        if ((c->offsets[v + 1] < c->offsets[v] || c->offsets[v + 1] > a->edges) && v < first) first = v;
    if (first != UINT64_MAX)
        return wfi_fail(c->ctx, WEFT_EINVAL,
                        "offsets[%llu] is %lld, but must be from %lld to the number of edges, %llu",
                        (unsigned long long)(first + 1), (long long)c->offsets[first + 1], (long long)c->offsets[first],
                        (unsigned long long)a->edges);
    if (c->offsets[a->vertices] != a->edges)
        return wfi_fail(c->ctx, WEFT_EINVAL, "the last of the offsets is %llu, but there are %llu edges",
                        (unsigned long long)c->offsets[a->vertices], (unsigned long long)a->edges);
    return WEFT_OK;
}

/* ------------------------------------------------------------------------------------------- */

static weft_status from_pieces(conversion *c, wfi_build *build, weft_graph **out) {
    const weft_arrays *a = c->a;
    wfi_edges edges = {0};
    int64_t *more = NULL;
    weft_status st = WEFT_OK;
    if (a->any_ids) st = any_ids(c, &more, &c->wide, build);
    if (!st && a->names) build->numbering = WFI_NAMES;
    if (!st && a->names) st = add_names(c->ctx, a, &edges);
    if (!st) st = pieces_of(c, &edges);
    if (st)
        wfi_edges_free(&edges);
    else
        st = wfi_graph_build(c->ctx, &edges, build, out);
    wfi_free(more);
    if (!st && *out && build->mirrored) st = wfi_graph_check_symmetric(c->ctx, *out);
    if (st) {
        weft_graph_free(*out);
        *out = NULL;
    }
    return st;
}

weft_status wfi_graph_from_arrays(weft_ctx *ctx, const weft_arrays *a, const weft_build_params *rules,
                                  weft_graph **out) {
    double start = wfi_now_ms();
    conversion c = {.ctx = ctx, .a = a};
    weft_eid *own = NULL;
    wfi_build build = {
        .numbering = WFI_VERTICES, .vertices = a->vertices, .direction_open = true, .made = true, .params = *rules};
    build.directed = wfi_resolve_directed(rules->direction, true);
    build.mirrored = !build.directed && a->symmetric;
    weft_status st = a->offsets ? load_offsets(&c, &own) : WEFT_OK;
    if (!st && !a->any_ids && !a->offsets) st = check_ids(ctx, a, a->sources, "source");
    if (!st && !a->any_ids) st = check_ids(ctx, a, a->targets, "target");
    if (!st) st = check_weights(ctx, a, &c.weights);
    if (!st && a->offsets && !a->names && (build.directed || build.mirrored))
        st = wfi_graph_of_rows(ctx, a, c.offsets, &c.weights, &build, out);
    bool kept = !st && *out;
    if (!st && !*out) st = from_pieces(&c, &build, out);
    wfi_free(own);
    if (st) return st;
    if (kept) wfi_warn_rounded(ctx, c.weights.inexact, c.weights.type);
    (*out)->load_ms = wfi_now_ms() - start;
    wfi_warn_threads(ctx);
    return st;
}
