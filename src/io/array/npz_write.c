/* .npz, writing: the CSR matrix of the arcs, for scipy.sparse.load_npz.
 * Indices and offsets have the same type, int32 if they fit and else int64, as in SciPy's own matrices; values are
 * uint32, float32 or float64, and bool for a graph without weights.  An undirected graph is written with both arcs of
 * each edge. */
#include "io/array/zip.h"
#include "io/io.h"
#include "stream/npy.h"

#include <stdio.h>
#include <string.h>

enum { BATCH = 4096 };

/* A member: its header and the source of its elements. */
typedef struct member {
    weft_ctx *ctx;
    char header[192];
    size_t header_bytes;
    uint64_t count;
    uint32_t each;           /* bytes of an element */
    const void *data;        /* elements in their final form, or NULL: all ones */
    const uint64_t *offsets; /* instead: converted to int32 */
    const uint32_t *targets; /* instead: converted to int64 */
} member;

static weft_status produce(void *user, wfi_zip_out *zip) {
    const member *m = user;
    wfi_zip_put(zip, m->header, m->header_bytes);
    for (uint64_t done = 0; done < m->count; done += BATCH) {
        int32_t narrow[BATCH];
        int64_t wide[BATCH];
        char ones[BATCH];
        uint64_t some = wfi_min_u64(BATCH, m->count - done);
        const void *from = m->data ? (const char *)m->data + done * m->each : ones;
        if (done % WFI_POLL_EVERY == 0 && wfi_cancelled(m->ctx)) return wfi_fail_cancelled(m->ctx);
        if (m->offsets) {
            for (uint64_t i = 0; i < some; i++) narrow[i] = (int32_t)m->offsets[done + i];
            from = narrow;
        } else if (m->targets) {
            for (uint64_t i = 0; i < some; i++) wide[i] = m->targets[done + i];
            from = wide;
        } else if (!m->data) {
            memset(ones, 1, some);
        }
        wfi_zip_put(zip, from, some * m->each);
    }
    return WEFT_OK;
}

static weft_status add(wfi_zip_out *zip, const char *name, const char *type, const char *shape, member *m) {
    m->header_bytes = wfi_npy_header(m->header, sizeof m->header, type, shape);
    return wfi_zip_add(zip, name, m->header_bytes + m->count * m->each, produce, m);
}

static weft_status add_arrays(weft_ctx *ctx, const weft_graph *g, wfi_zip_out *zip) {
    static const char *const value[] = {[WEFT_WEIGHT_NONE] = "'|b1'",
                                        [WEFT_WEIGHT_U32] = "'<u4'",
                                        [WEFT_WEIGHT_F32] = "'<f4'",
                                        [WEFT_WEIGHT_F64] = "'<f8'"};
    unsigned each = (unsigned)wfi_weight_bytes(g->weight_type);
    bool wide = g->n > INT32_MAX || g->arcs > INT32_MAX;
    int64_t shape[2] = {g->n, g->n};
    char rows[32], arcs[32];
    snprintf(rows, sizeof rows, "(%llu,)", (wfi_ull)g->n + 1);
    snprintf(arcs, sizeof arcs, "(%llu,)", (wfi_ull)g->arcs);
    member format = {.ctx = ctx, .count = 1, .each = 3, .data = "csr"};
    member size = {.ctx = ctx, .count = 2, .each = 8, .data = shape};
    member indptr = {.ctx = ctx, .count = (uint64_t)g->n + 1, .each = wide ? 8 : 4};
    member indices = {.ctx = ctx, .count = g->arcs, .each = wide ? 8 : 4};
    member data = {.ctx = ctx, .count = g->arcs, .each = each ? each : 1, .data = g->out.weights};
    if (wide) {
        indptr.data = g->out.offsets;
        indices.targets = g->out.targets;
    } else {
        indptr.offsets = g->out.offsets;
        indices.data = g->out.targets;
    }
    weft_status st = add(zip, "format.npy", "'|S3'", "()", &format);
    if (!st) st = add(zip, "shape.npy", "'<i8'", "(2,)", &size);
    if (!st) st = add(zip, "indptr.npy", wide ? "'<i8'" : "'<i4'", rows, &indptr);
    if (!st) st = add(zip, "indices.npy", wide ? "'<i8'" : "'<i4'", arcs, &indices);
    if (!st) st = add(zip, "data.npy", value[g->weight_type], arcs, &data);
    return st;
}

static void warn(weft_ctx *ctx, const weft_graph *g) {
    if (g->ids.kind != WEFT_IDS_DENSE || (g->ids.base != 0 && g->n))
        wfi_warn(ctx, ".npz cannot store ids: the vertices become 0 ... %lld", (long long)g->n - 1);
    if (!g->directed)
        wfi_warn(ctx, ".npz cannot say that a graph is undirected: it has both arcs of each edge (read it with "
                      "`direction=undirected`)");
    if (wfi_has_parallel_edges(g))
        wfi_warn(ctx, "parallel arcs are stored as several entries at one place, which SciPy adds up");
}

weft_status wfi_write_npz(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params) {
    if (params->level < 0)
        return wfi_fail(ctx, WEFT_EINVAL, "compression level %d: .npz has 0 (stored) to 9", params->level);
    wfi_zip_out *zip;
    warn(ctx, g);
    weft_status st = wfi_zip_out_open(ctx, sink, params->level < 9 ? params->level : 9, &zip);
    if (!st) st = add_arrays(ctx, g, zip);
    if (!st) wfi_zip_out_finish(zip);
    wfi_zip_out_free(zip);
    return st;
}
