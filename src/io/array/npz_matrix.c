/* A sparse matrix as scipy.sparse.save_npz writes it: format, shape, data, and indices with indptr (csr, csc) or row
 * with col (coo).  Entry (i, j) is an arc from i to j in each of them, and its value the weight; vertices are 0 ...
 * n-1. */
#include "io/adjacency/rows.h"
#include "io/array/npz.h"
#include "io/io.h"
#include "io/text/words.h"

#include <stdio.h>
#include <string.h>

typedef unsigned long long ull;

enum { STRETCH = 4096 };

typedef struct matrix {
    wfi_npz *z;
    char format[8];
    uint64_t n;
    wfi_npz_array indptr, indices, other, data;
    wfi_lane targets, weights;
    weft_weight_type type;
    _Atomic uint64_t inexact;
    _Atomic bool stopped;
} matrix;

/* --- what it is ------------------------------------------------------------------------------ */

/* One string, of bytes or of UCS-4; \0 fills it up. */
static weft_status read_format(matrix *m, const wfi_array *a) {
    uint32_t each = a->npy.type.kind == WFI_UNICODE ? 4 : 1, length = a->npy.type.bytes / each;
    bool text = a->npy.type.kind == WFI_BYTES || a->npy.type.kind == WFI_UNICODE;
    if (!text || a->npy.count != 1 || length >= sizeof m->format)
        return wfi_array_fail(a, a->npy.start, "expected the name of a format of SciPy, such as csr");
    for (uint32_t i = 0; i < length; i++) m->format[i] = a->npy.data[i * each + (a->npy.type.swapped ? each - 1 : 0)];
    return WEFT_OK;
}

static weft_status check_format(matrix *m, const wfi_array *a) {
    static const char *const known[] = {"csr", "csc", "coo", NULL}, *const others[] = {"bsr", "dia", "lil", "dok",
                                                                                       NULL};
    for (int i = 0; known[i]; i++)
        if (!strcmp(m->format, known[i])) return WEFT_OK;
    for (int i = 0; others[i]; i++)
        if (!strcmp(m->format, others[i]))
            return wfi_array_fail(a, a->npy.start, "a matrix in SciPy's format %s: save it with .tocsr()", m->format);
    return wfi_array_fail(a, a->npy.start, "expected the name of a format of SciPy, such as csr");
}

static weft_status read_shape(matrix *m) {
    wfi_npz_array a = {.there = false};
    wfi_lane lane;
    int64_t size[2] = {0, 0};
    weft_status st = wfi_npz_need(m->z, "shape.npy", &a);
    if (!st) st = wfi_npz_integers(&a, &lane);
    if (st) goto done;
    if (lane.count != 2 || wfi_lane_integers(&lane, 0, 2, size) < 2 || size[0] < 0 || size[1] < 0)
        st = wfi_array_fail(&a.array, a.array.npy.start, "expected two sizes, rows and columns");
    else if (size[0] != size[1])
        st = wfi_array_fail(&a.array, a.array.npy.start,
                            "a matrix of %lld \u00d7 %lld: only a square one is a graph (bipartite ones are not read)",
                            (long long)size[0], (long long)size[1]);
    else if (size[0] >= WEFT_NO_VERTEX)
        st = wfi_array_fail(&a.array, a.array.npy.start, "%lld vertices are more than 2^32-2", (long long)size[0]);
    m->n = (uint64_t)size[0];
done:
    wfi_free(a.block);
    return st;
}

static weft_status find_weights(matrix *m, uint64_t entries) {
    weft_status st = wfi_npz_need(m->z, "data.npy", &m->data);
    return st ? st : wfi_npz_weights(m->z, &m->data, entries, &m->weights, &m->type);
}

/* --- rows: csr, and csc, whose rows are columns ------------------------------------------------- */

static weft_status find_offsets(matrix *m, wfi_lane *lane) {
    const wfi_array *a = &m->indptr.array;
    weft_status st = wfi_npz_need(m->z, "indptr.npy", &m->indptr);
    if (!st) st = wfi_npz_integers(&m->indptr, lane);
    if (st || lane->count == m->n + 1) return st;
    return wfi_array_fail(a, a->npy.start, "%llu offsets, expected %llu for %llu rows", (ull)lane->count, (ull)m->n + 1,
                          (ull)m->n);
}

static weft_status read_offsets(matrix *m, const wfi_lane *lane, uint64_t *offsets) {
    int64_t stretch[STRETCH], before = 0;
    for (uint64_t done = 0; done <= m->n; done += STRETCH) {
        uint64_t count = wfi_min_u64(STRETCH, m->n + 1 - done);
        if (done % WFI_POLL_EVERY == 0 && wfi_cancelled(m->z->ctx)) return wfi_fail_cancelled(m->z->ctx);
        uint64_t fit = wfi_lane_integers(lane, done, count, stretch);
        for (uint64_t i = 0; i < count; i++) {
            bool bad = i >= fit || stretch[i] < before || (uint64_t)stretch[i] > m->targets.count ||
                       (done + i == 0 && stretch[i]);
            if (bad)
                return wfi_array_fail(lane->array, lane->at + (done + i) * lane->step,
                                      "offset %llu is %lld, expected %lld to %llu", (ull)(done + i),
                                      (long long)stretch[i], (long long)before, done + i ? (ull)m->targets.count : 0);
            before = stretch[i];
            offsets[done + i] = (uint64_t)before;
        }
    }
    return WEFT_OK;
}

static uint64_t take_arcs(void *user, uint64_t first, uint64_t count, uint32_t *ends, void *weights) {
    matrix *m = user;
    if (atomic_load(&m->stopped) || wfi_cancelled(m->z->ctx)) {
        atomic_store(&m->stopped, true);
        return 0;
    }
    for (uint64_t done = 0; done < count; done += STRETCH) {
        int64_t id[STRETCH];
        uint64_t some = wfi_min_u64(STRETCH, count - done);
        uint64_t fit = wfi_lane_integers(&m->targets, first + done, some, id);
        for (uint64_t i = 0; i < some; i++) {
            if (i >= fit || id[i] < 0 || (uint64_t)id[i] >= m->n) return done + i;
            ends[2 * (done + i) + 1] = (uint32_t)id[i];
        }
    }
    uint64_t inexact = 0;
    if (weights) wfi_lane_weights(&m->weights, first, count, m->type, weights, &inexact);
    atomic_fetch_add(&m->inexact, inexact);
    return count;
}

static void swap_ends(weft_ctx *ctx, wfi_edges *edges) {
#pragma omp parallel for num_threads(wfi_threads(ctx)) schedule(dynamic)
    for (size_t k = 0; k < edges->count; k++)
        for (uint64_t i = 0; i < edges->pieces[k].count; i++) {
            uint32_t *ends = edges->pieces[k].narrow + 2 * i, source = ends[0];
            ends[0] = ends[1];
            ends[1] = source;
        }
}

static weft_status rows_to_edges(matrix *m, wfi_edges *edges) {
    uint64_t *offsets = NULL, bad;
    weft_ctx *ctx = m->z->ctx;
    const wfi_array *indices = &m->indices.array;
    wfi_lane lane;
    weft_status st = find_offsets(m, &lane);
    if (!st) st = wfi_npz_need(m->z, "indices.npy", &m->indices);
    if (!st) st = wfi_npz_integers(&m->indices, &m->targets);
    if (!st) st = wfi_alloc(ctx, &offsets, m->n + 1);
    if (!st) st = read_offsets(m, &lane, offsets);
    if (!st) st = find_weights(m, offsets[m->n]);
    if (!st && m->data.array.npy.count != m->targets.count)
        st = wfi_array_fail(indices, indices->npy.start, "%llu indices for %llu values", (ull)m->targets.count,
                            (ull)m->data.array.npy.count);
    if (!st) st = wfi_edges_from_rows(ctx, edges, &(wfi_arc_rows){m->n, offsets, m->type, take_arcs, m}, &bad);
    if (st) goto done;
    if (atomic_load(&m->stopped)) {
        st = wfi_fail_cancelled(ctx);
        goto done;
    }
    if (bad < offsets[m->n]) {
        int64_t id = 0;
        wfi_lane_integers(&m->targets, bad, 1, &id);
        st = wfi_array_fail(indices, m->targets.at + bad * m->targets.step, "%lld is not one of the vertices 0 to %lld",
                            (long long)id, (long long)m->n - 1);
    }
    if (!st && edges->count) edges->pieces[0].inexact = atomic_load(&m->inexact);
    if (!st && !strcmp(m->format, "csc")) swap_ends(ctx, edges);
done:
    wfi_free(offsets);
    return st;
}

/* --- coo: pairs --------------------------------------------------------------------------------- */

static weft_status check_range(const matrix *m, const wfi_lane *lane) {
    int64_t least, most;
    weft_status st = wfi_lane_range(m->z->ctx, lane, &least, &most);
    if (st || (least >= 0 && most < (int64_t)m->n)) return st;
    return wfi_array_fail(lane->array, lane->array->npy.start, "%lld is not one of the vertices 0 to %lld",
                          (long long)(least < 0 ? least : most), (long long)m->n - 1);
}

static weft_status pairs_to_edges(matrix *m, wfi_edges *edges) {
    wfi_lane u, v;
    weft_status st = wfi_npz_load(m->z, "coords.npy", &m->indices); /* both in one array: SciPy's later way */
    if (st) return st;
    if (m->indices.there) {
        const wfi_array *a = &m->indices.array;
        if (a->npy.dimensions != 2 || a->npy.shape[0] != 2 || !wfi_is_integer(&a->npy.type))
            return wfi_array_fail(a, a->npy.start, "expected an array of integers of 2 \u00d7 m");
        u = wfi_lane_row(a, 0);
        v = wfi_lane_row(a, 1);
    } else {
        st = wfi_npz_need(m->z, "row.npy", &m->indices);
        if (!st) st = wfi_npz_need(m->z, "col.npy", &m->other);
        if (!st) st = wfi_npz_integers(&m->indices, &u);
        if (!st) st = wfi_npz_integers(&m->other, &v);
        if (!st && u.count != v.count)
            st = wfi_array_fail(v.array, v.array->npy.start, "%llu columns for %llu rows", (ull)v.count, (ull)u.count);
    }
    if (!st) st = check_range(m, &u);
    if (!st) st = check_range(m, &v);
    if (!st) st = find_weights(m, u.count);
    if (st) return st;
    if (m->data.array.npy.count != u.count)
        return wfi_array_fail(u.array, u.array->npy.start, "%llu entries for %llu values", (ull)u.count,
                              (ull)m->data.array.npy.count);
    if (!wfi_vertices_plausible(m->n, u.count))
        return wfi_array_fail(u.array, u.array->npy.start,
                              "%llu vertices, but %llu entries: too sparse to be read as a graph", (ull)m->n,
                              (ull)u.count);
    return wfi_edges_from_lanes(m->z->ctx, edges, &u, &v, m->type ? &m->weights : NULL, m->type);
}

/* --- the graph ------------------------------------------------------------------------------------- */

weft_status wfi_npz_matrix(wfi_npz *z, const wfi_npz_array *format, weft_graph **out) {
    matrix m = {.z = z};
    wfi_edges edges = {0};
    weft_status st = read_format(&m, &format->array);
    if (!st) st = check_format(&m, &format->array);
    if (!st) st = read_shape(&m);
    if (!st) st = strcmp(m.format, "coo") ? rows_to_edges(&m, &edges) : pairs_to_edges(&m, &edges);
    if (st) goto done;
    wfi_note(z->ctx, "%s: a %s matrix of %llu \u00d7 %llu: entry (i, j) is an arc from i to j%s", z->zip.file, m.format,
             (ull)m.n, (ull)m.n, m.type ? ", its value the weight" : "");
    wfi_build build = {
        .numbering = WFI_VERTICES, .vertices = m.n, .params = wfi_read_rules(z->params), .format = "npz"};
    build.directed = wfi_resolve_directed(z->params->direction, true);
    build.direction_open = true;
    st = wfi_graph_build(z->ctx, &edges, &build, out);
    if (!st && build.directed && m.type && (*out)->duplicates_dropped && z->params->duplicates == WEFT_DUPLICATES_DROP)
        wfi_warn(z->ctx,
                 "%s: %llu entries stand where another does; of these the smallest was kept, where SciPy adds them up "
                 "(`duplicates=sum`)",
                 z->zip.file, (ull)(*out)->duplicates_dropped);
done:
    wfi_edges_free(&edges);
    wfi_free(m.indptr.block);
    wfi_free(m.indices.block);
    wfi_free(m.other.block);
    wfi_free(m.data.block);
    return st;
}
