/* .npz, reading: a zip archive of NumPy arrays, taken for a sparse matrix of SciPy (npz_matrix.c) or for arrays of
 * edges (edge_index, as PyG and OGB name it).  Needs: the file mapped, or all its bytes; stored members are read in
 * place. */
#include "io/array/npz.h"
#include "io/io.h"
#include "io/text/words.h"

#include <stdio.h>
#include <string.h>

typedef unsigned long long ull;

/* --- members as arrays ------------------------------------------------------------------- */

weft_status wfi_npz_load(wfi_npz *z, const char *name, wfi_npz_array *a) {
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

weft_status wfi_npz_need(wfi_npz *z, const char *name, wfi_npz_array *a) {
    weft_status st = wfi_npz_load(z, name, a);
    if (st || a->there) return st;
    return wfi_fail_at(z->ctx, z->zip.file, 1, 1, "the archive has no %s", name);
}

weft_status wfi_npz_integers(const wfi_npz_array *a, wfi_lane *lane) {
    if (a->array.npy.dimensions != 1 || !wfi_is_integer(&a->array.npy.type))
        return wfi_array_fail(&a->array, a->array.npy.start,
                              "expected one dimension of integers, found %u of type '%s'", a->array.npy.dimensions,
                              a->array.npy.type.text);
    *lane = wfi_lane_of(&a->array);
    return WEFT_OK;
}

weft_status wfi_npz_weights(wfi_npz *z, const wfi_npz_array *a, uint64_t count, wfi_lane *lane,
                            weft_weight_type *type) {
    const wfi_array *w = &a->array;
    uint64_t zeros = 0;
    bool wanted = z->params->weights != WEFT_WEIGHTS_IGNORE;
    *type = WEFT_WEIGHT_NONE;
    *lane = wfi_lane_of(w);
    if (w->npy.dimensions != 1 || w->npy.count < count)
        return wfi_array_fail(w, w->npy.start, "expected %llu values in one dimension, found %llu in %u", (ull)count,
                              (ull)w->npy.count, w->npy.dimensions);
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
                                  (ull)zeros);
        return wfi_check_weights_wish(z->ctx, z->source, z->params, false, "the values are bools");
    }
    if (zeros) wfi_note(z->ctx, "%s: %llu values are stored zeros: arcs of weight 0", z->zip.file, (ull)zeros);
    return WEFT_OK;
}

/* --- arrays of edges ------------------------------------------------------------------------- */

static weft_status find_ends(const wfi_npz *z, const wfi_array *a, wfi_lane *u, wfi_lane *v) {
    bool rows = a->npy.shape[0] != 2; /* a row is an edge; an edge_index is 2 x m */
    if (a->npy.dimensions != 2 || (a->npy.shape[0] != 2 && a->npy.shape[1] != 2) || !wfi_is_integer(&a->npy.type))
        return wfi_array_fail(a, a->npy.start,
                              "expected an array of integers of 2 \u00d7 m, found %u dimensions of type '%s'",
                              a->npy.dimensions, a->npy.type.text);
    *u = rows ? wfi_lane_column(a, 0) : wfi_lane_row(a, 0);
    *v = rows ? wfi_lane_column(a, 1) : wfi_lane_row(a, 1);
    wfi_note(z->ctx, "%s: edge_index of %llu \u00d7 %llu: %s", z->zip.file, (ull)a->npy.shape[0], (ull)a->npy.shape[1],
             rows ? "a row is an edge" : "the first row holds the sources, the second the targets");
    return WEFT_OK;
}

/* num_nodes.npy, if it is there: then the vertices are 0 ... n-1. */
static weft_status find_vertices(wfi_npz *z, const wfi_lane *u, const wfi_lane *v, wfi_build *build) {
    wfi_npz_array a;
    const wfi_lane *lanes[] = {u, v};
    int64_t n = 0, least, most;
    weft_status st = wfi_npz_load(z, "num_nodes.npy", &a);
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
                            (ull)u->count);
done:
    wfi_free(a.block);
    return st;
}

weft_status wfi_npz_edge_index(wfi_npz *z, const wfi_npz_array *ends, weft_graph **out) {
    wfi_npz_array weights = {.there = false};
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
    if (!st) st = wfi_npz_load(z, "edge_weight.npy", &weights);
    if (!st && weights.there && weights.array.npy.count != u.count)
        st = wfi_array_fail(&weights.array, weights.array.npy.start, "%llu weights for %llu edges",
                            (ull)weights.array.npy.count, (ull)u.count);
    if (!st && weights.there) st = wfi_npz_weights(z, &weights, u.count, &w, &type);
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

/* --- the archive --------------------------------------------------------------------------------- */

static weft_status refuse(const wfi_npz *z) {
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
    wfi_npz z = {.ctx = ctx, .source = source, .params = params};
    wfi_npz_array first = {.there = false};
    wfi_content content;
    weft_status st = wfi_content_open(ctx, source, &content);
    if (st) return st;
    st = wfi_zip_open(ctx, wfi_source_name(source), content.data, content.bytes, &z.zip);
    if (!st) st = wfi_npz_load(&z, "format.npy", &first);
    if (st) goto done;
    if (first.there) {
        st = wfi_npz_matrix(&z, &first, out);
        goto done;
    }
    st = wfi_npz_load(&z, "edge_index.npy", &first);
    if (!st) st = first.there ? wfi_npz_edge_index(&z, &first, out) : refuse(&z);
done:
    wfi_free(first.block);
    wfi_zip_close(&z.zip);
    wfi_content_close(&content);
    return st;
}

/* The first member of the archive is an array: no other program writes such files. */
int wfi_sniff_npz(const char *head, size_t bytes) {
    if (bytes < 30 || memcmp(head, "PK\3\4", 4)) return 0;
    size_t length = (size_t)((unsigned char)head[26] | (unsigned char)head[27] << 8);
    return length > 4 && length <= bytes - 30 && !memcmp(head + 30 + length - 4, ".npy", 4) ? 3 : 0;
}
