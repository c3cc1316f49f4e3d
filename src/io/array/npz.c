/* .npz, reading: a zip archive of NumPy arrays.  Needs: the file mapped, or all its bytes; stored members are read in
 * place.
 * A sparse matrix as written by scipy.sparse.save_npz: format, shape, data, and indices with indptr (csr, csc) or row
 * with col (coo).  In each format, entry (i, j) is an arc from i to j, and its value the weight; vertices are 0 ...
 * n-1.  Or arrays of edges: edge_index, the name used by PyG and OGB. */
#include "io/adjacency/rows.h"
#include "io/array/array.h"
#include "io/array/zip.h"
#include "io/io.h"
#include "io/text/words.h"

#include <stdio.h>
#include <string.h>

enum { STRETCH = 4096 };

typedef struct npz {
    weft_ctx *ctx;
    wfi_source *source;
    const weft_read_params *params;
    wfi_zip zip;
} npz;

/* A member that is an array; `there` is false if the archive has no member of that name. */
typedef struct npz_array {
    wfi_array array;
    char *block; /* decompressed bytes, or NULL */
    bool there;
} npz_array;

/* --- members as arrays ------------------------------------------------------------------- */

static weft_status load(npz *z, const char *name, npz_array *a) {
    const wfi_zip_member *m;
    const char *content;
    a->there = false;
    a->block = NULL;
    weft_status st = wfi_zip_find(&z->zip, name, &m);
    if (st || !m) return st;
    st = wfi_zip_content(&z->zip, m, &content, &a->block);
    if (st) return st;
    a->there = true;
    wfi_array_origin origin = {.ctx = z->ctx, .file = z->zip.file, .member = m->name, .member_length = m->name_length};
    origin.unpacked = a->block != NULL;
    origin.offset = a->block ? m->at : (uint64_t)(content - z->zip.data);
    return wfi_array_read(&origin, content, m->bytes, &a->array);
}

/* Loads a required member. */
static weft_status need(npz *z, const char *name, npz_array *a) {
    weft_status st = load(z, name, a);
    if (st || a->there) return st;
    return wfi_fail_at(z->ctx, z->zip.file, 1, 1, "the archive has no %s", name);
}

/* A lane over a one-dimensional array of integers. */
static weft_status integers_of(const npz_array *a, wfi_lane *lane) {
    if (a->array.npy.dimensions != 1 || !wfi_is_integer(&a->array.npy.type))
        return wfi_array_fail(&a->array, a->array.npy.start,
                              "expected one dimension of integers, found %u of type '%s'", a->array.npy.dimensions,
                              a->array.npy.type.text);
    *lane = wfi_lane_of(&a->array);
    return WEFT_OK;
}

/* A lane of `count` weights.  Bools are no weights: then *type is WEFT_WEIGHT_NONE. */
static weft_status weights_of(npz *z, const npz_array *a, uint64_t count, wfi_lane *lane, weft_weight_type *type) {
    const wfi_array *w = &a->array;
    uint64_t zeros = 0;
    bool wanted = z->params->weights != WEFT_WEIGHTS_IGNORE;
    *type = WEFT_WEIGHT_NONE;
    *lane = wfi_lane_of(w);
    if (w->npy.dimensions != 1 || w->npy.count < count)
        return wfi_array_fail(w, w->npy.start, "expected %llu values in one dimension, found %llu in %u",
                              (wfi_ull)count, (wfi_ull)w->npy.count, w->npy.dimensions);
    lane->count = count;
    if (w->npy.type.kind != WFI_BOOL && !wanted) return WEFT_OK;
    if (w->npy.type.kind > WFI_FLOAT)
        return wfi_array_fail(w, w->npy.start,
                              "values of type '%s' cannot be weights (`weights=ignore` reads without them)",
                              w->npy.type.text);
    weft_status st = wfi_lane_weight_type(z->ctx, lane, wfi_reads_doubles(z->params), type, &zeros);
    if (st) return st;
    if (w->npy.type.kind == WFI_BOOL) {
        *type = WEFT_WEIGHT_NONE;
        if (zeros)
            return wfi_array_fail(w, w->npy.start,
                                  "%llu stored values are False: A.eliminate_zeros() removes them, or "
                                  "A.astype('int8') makes them arcs of weight 0",
                                  (wfi_ull)zeros);
        return wfi_check_weights_wish(z->ctx, z->source, z->params, false, "the values are bools");
    }
    if (zeros) wfi_note(z->ctx, "%s: %llu values are stored zeros: arcs of weight 0", z->zip.file, (wfi_ull)zeros);
    return WEFT_OK;
}

/* --- arrays of edges ------------------------------------------------------------------------- */

static weft_status find_ends(const npz *z, const wfi_array *a, wfi_lane *u, wfi_lane *v) {
    bool rows = a->npy.shape[0] != 2; /* a row is an edge; an edge_index is 2 x m */
    if (a->npy.dimensions != 2 || (a->npy.shape[0] != 2 && a->npy.shape[1] != 2) || !wfi_is_integer(&a->npy.type))
        return wfi_array_fail(a, a->npy.start,
                              "expected an array of integers of 2 \u00d7 m, found %u dimensions of type '%s'",
                              a->npy.dimensions, a->npy.type.text);
    *u = rows ? wfi_lane_column(a, 0) : wfi_lane_row(a, 0);
    *v = rows ? wfi_lane_column(a, 1) : wfi_lane_row(a, 1);
    wfi_note(z->ctx, "%s: edge_index of %llu \u00d7 %llu: %s", z->zip.file, (wfi_ull)a->npy.shape[0],
             (wfi_ull)a->npy.shape[1],
             rows ? "a row is an edge" : "the first row holds the sources, the second the targets");
    return WEFT_OK;
}

/* Reads num_nodes.npy if it exists: then the vertices are 0 ... n-1. */
static weft_status find_vertices(npz *z, const wfi_lane *u, const wfi_lane *v, wfi_build *build) {
    npz_array a;
    const wfi_lane *lanes[] = {u, v};
    int64_t n = 0, least, most;
    weft_status st = load(z, "num_nodes.npy", &a);
    if (st || !a.there) goto done;
    wfi_lane one = wfi_lane_of(&a.array);
    if (a.array.npy.count != 1 || !wfi_is_integer(&a.array.npy.type) || !wfi_lane_integers(&one, 0, 1, &n) || n < 0 ||
        n >= WEFT_NO_VERTEX)
        st = wfi_array_fail(&a.array, a.array.npy.start, "expected the number of vertices, one integer");
    for (int k = 0; k < 2 && !st; k++) {
        st = wfi_lane_range(z->ctx, lanes[k], &least, &most);
        if (!st && (least < 0 || most >= n))
            st = wfi_array_fail(u->array, u->array->npy.start, "id %lld is not one of the %lld vertices of num_nodes",
                                (long long)(least < 0 ? least : most), (long long)n);
    }
    build->numbering = WFI_VERTICES;
    build->vertices = (uint64_t)n;
    if (!st && !wfi_vertices_plausible(build->vertices, u->count))
        st = wfi_array_fail(&a.array, a.array.npy.start,
                            "%lld vertices, but %llu edges: too sparse to be read as a graph", (long long)n,
                            (wfi_ull)u->count);
done:
    wfi_free(a.block);
    return st;
}

static weft_status read_edge_index(npz *z, const npz_array *ends, weft_graph **out) {
    npz_array weights = {.there = false};
    wfi_edges edges = {0};
    wfi_lane u, v, w;
    weft_weight_type type = WEFT_WEIGHT_NONE;
    wfi_build build = {.numbering = WFI_COMPACT, .params = wfi_read_rules(z->params), .format = "npz"};
    build.directed = wfi_resolve_directed(z->params->direction, true);
    build.direction_open = true;
    if (z->params->vertices) {
        build.numbering = WFI_VERTICES;
        build.vertices = z->params->vertices;
    }
    weft_status st = find_ends(z, &ends->array, &u, &v);
    if (!st) st = find_vertices(z, &u, &v, &build);
    if (!st) st = load(z, "edge_weight.npy", &weights);
    if (!st && weights.there && weights.array.npy.count != u.count)
        st = wfi_array_fail(&weights.array, weights.array.npy.start, "%llu weights for %llu edges",
                            (wfi_ull)weights.array.npy.count, (wfi_ull)u.count);
    if (!st && weights.there) st = weights_of(z, &weights, u.count, &w, &type);
    if (!st && !weights.there)
        st = wfi_check_weights_wish(z->ctx, z->source, z->params, false, "the archive has no edge_weight.npy");
    if (!st) st = wfi_edges_from_lanes(z->ctx, &edges, &u, &v, type ? &w : NULL, type);
    if (!st) st = wfi_graph_build(z->ctx, &edges, &build, out);
    if (st == WEFT_EINPUT && build.vertices == z->params->vertices && build.vertices)
        st = wfi_fail_prefixed(z->ctx, z->zip.file);
    wfi_edges_free(&edges);
    wfi_free(weights.block);
    return st;
}

typedef struct matrix {
    npz *z;
    char format[8];
    uint64_t n;
    npz_array indptr, indices, other, data;
    wfi_lane targets, weights;
    weft_weight_type type;
    _Atomic uint64_t inexact;
    _Atomic bool stopped;
} matrix;

/* --- sparse matrices ------------------------------------------------------------------------- */

/* Reads one string, of bytes or of UCS-4, padded with \0. */
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
    npz_array a = {.there = false};
    wfi_lane lane;
    int64_t size[2] = {0, 0};
    weft_status st = need(m->z, "shape.npy", &a);
    if (!st) st = integers_of(&a, &lane);
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
    weft_status st = need(m->z, "data.npy", &m->data);
    return st ? st : weights_of(m->z, &m->data, entries, &m->weights, &m->type);
}

/* --- rows: csr; csc, whose rows are columns ----------------------------------------------------- */

static weft_status find_offsets(matrix *m, wfi_lane *lane) {
    const wfi_array *a = &m->indptr.array;
    weft_status st = need(m->z, "indptr.npy", &m->indptr);
    if (!st) st = integers_of(&m->indptr, lane);
    if (st || lane->count == m->n + 1) return st;
    return wfi_array_fail(a, a->npy.start, "%llu offsets, expected %llu for %llu rows", (wfi_ull)lane->count,
                          (wfi_ull)m->n + 1, (wfi_ull)m->n);
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
                                      "offset %llu is %lld, expected %lld to %llu", (wfi_ull)(done + i),
                                      (long long)stretch[i], (long long)before,
                                      done + i ? (wfi_ull)m->targets.count : 0);
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
    if (!st) st = need(m->z, "indices.npy", &m->indices);
    if (!st) st = integers_of(&m->indices, &m->targets);
    if (!st) st = wfi_alloc(ctx, &offsets, m->n + 1);
    if (!st) st = read_offsets(m, &lane, offsets);
    if (!st) st = find_weights(m, offsets[m->n]);
    if (!st && m->data.array.npy.count != m->targets.count)
        st = wfi_array_fail(indices, indices->npy.start, "%llu indices for %llu values", (wfi_ull)m->targets.count,
                            (wfi_ull)m->data.array.npy.count);
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
    weft_status st = load(m->z, "coords.npy", &m->indices); /* both in one array, as newer versions of SciPy write */
    if (st) return st;
    if (m->indices.there) {
        const wfi_array *a = &m->indices.array;
        if (a->npy.dimensions != 2 || a->npy.shape[0] != 2 || !wfi_is_integer(&a->npy.type))
            return wfi_array_fail(a, a->npy.start, "expected an array of integers of 2 \u00d7 m");
        u = wfi_lane_row(a, 0);
        v = wfi_lane_row(a, 1);
    } else {
        st = need(m->z, "row.npy", &m->indices);
        if (!st) st = need(m->z, "col.npy", &m->other);
        if (!st) st = integers_of(&m->indices, &u);
        if (!st) st = integers_of(&m->other, &v);
        if (!st && u.count != v.count)
            st = wfi_array_fail(v.array, v.array->npy.start, "%llu columns for %llu rows", (wfi_ull)v.count,
                                (wfi_ull)u.count);
    }
    if (!st) st = check_range(m, &u);
    if (!st) st = check_range(m, &v);
    if (!st) st = find_weights(m, u.count);
    if (st) return st;
    if (m->data.array.npy.count != u.count)
        return wfi_array_fail(u.array, u.array->npy.start, "%llu entries for %llu values", (wfi_ull)u.count,
                              (wfi_ull)m->data.array.npy.count);
    if (!wfi_vertices_plausible(m->n, u.count))
        return wfi_array_fail(u.array, u.array->npy.start,
                              "%llu vertices, but %llu entries: too sparse to be read as a graph", (wfi_ull)m->n,
                              (wfi_ull)u.count);
    return wfi_edges_from_lanes(m->z->ctx, edges, &u, &v, m->type ? &m->weights : NULL, m->type);
}

/* --- the graph ------------------------------------------------------------------------------------- */

static weft_status read_matrix(npz *z, const npz_array *format, weft_graph **out) {
    matrix m = {.z = z};
    wfi_edges edges = {0};
    weft_status st = read_format(&m, &format->array);
    if (!st) st = check_format(&m, &format->array);
    if (!st) st = read_shape(&m);
    if (!st) st = strcmp(m.format, "coo") ? rows_to_edges(&m, &edges) : pairs_to_edges(&m, &edges);
    if (st) goto done;
    wfi_note(z->ctx, "%s: a %s matrix of %llu \u00d7 %llu: entry (i, j) is an arc from i to j%s", z->zip.file, m.format,
             (wfi_ull)m.n, (wfi_ull)m.n, m.type ? ", its value the weight" : "");
    wfi_build build = {
        .numbering = WFI_VERTICES, .vertices = m.n, .params = wfi_read_rules(z->params), .format = "npz"};
    build.directed = wfi_resolve_directed(z->params->direction, true);
    build.direction_open = true;
    st = wfi_graph_build(z->ctx, &edges, &build, out);
    if (!st && build.directed && m.type && (*out)->duplicates_dropped && z->params->duplicates == WEFT_DUPLICATES_DROP)
        wfi_warn(z->ctx,
                 "%s: %llu entries repeat a position; the smallest was kept, where SciPy adds them up "
                 "(`duplicates=sum`)",
                 z->zip.file, (wfi_ull)(*out)->duplicates_dropped);
done:
    wfi_edges_free(&edges);
    WFI_FREE(m.indptr.block, m.indices.block, m.other.block, m.data.block);
    return st;
}

/* --- the archive --------------------------------------------------------------------------------- */

static weft_status refuse(const npz *z) {
    char list[400] = "";
    size_t used = 0;
    for (size_t i = 0; i < z->zip.count && used + 80 < sizeof list; i++) {
        const wfi_zip_member *m = &z->zip.members[i];
        int length = m->name_length < 40 ? m->name_length : 40;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.*s", i ? ", " : "", length, m->name);
        if (i + 1 < z->zip.count && used + 80 >= sizeof list) strcat(list, ", ...");
    }
    for (char *p = list; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f) *p = '?';
    return wfi_fail_at(
        z->ctx, z->zip.file, 1, 1,
        "neither a sparse matrix of SciPy (format.npy, shape.npy, data.npy, ...) nor edge_index.npy; the "
        "archive holds %s",
        *list ? list : "nothing");
}

weft_status wfi_read_npz(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    npz z = {.ctx = ctx, .source = source, .params = params};
    npz_array first = {.there = false};
    wfi_content content;
    weft_status st = wfi_content_open(ctx, source, &content);
    if (st) return st;
    st = wfi_zip_open(ctx, wfi_source_name(source), content.data, content.bytes, &z.zip);
    if (!st) st = load(&z, "format.npy", &first);
    if (st) goto done;
    if (first.there) {
        st = read_matrix(&z, &first, out);
        goto done;
    }
    st = load(&z, "edge_index.npy", &first);
    if (!st) st = first.there ? read_edge_index(&z, &first, out) : refuse(&z);
done:
    wfi_free(first.block);
    wfi_zip_close(&z.zip);
    wfi_content_close(&content);
    return st;
}

/* The first member of the archive is an array: only NumPy writes such files. */
int wfi_sniff_npz(const char *head, size_t bytes) {
    if (bytes < 30 || memcmp(head, "PK\3\4", 4)) return 0;
    size_t length = (size_t)((unsigned char)head[26] | (unsigned char)head[27] << 8);
    return length > 4 && length <= bytes - 30 && !memcmp(head + 30 + length - 4, ".npy", 4) ? 3 : 0;
}
