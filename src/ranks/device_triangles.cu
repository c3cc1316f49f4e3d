/* See device_steps.h.
 * Method: that of triangles.c, which makes the forward rows on the host and fetches those of other ranks; each GPU has
 * the rows of its rank, and searches triangles along their edges.  The sums of all vertices are reduced from GPU to
 * GPU, to the owners of the vertices.
 * Memory on each GPU: 16 bytes for each vertex of the graph, 16 for each of its own, 8 or 10 for each of its edges, and
 * the rows fetched in a round. */
#include "core/search.h"
#include "cuda/launch.cuh"
#include "cuda/walk.cuh"
#include "engines/triangles/oriented.h"
#include "ranks/device_steps.h"

static const uint64_t AT_ONCE = (uint64_t)1 << 22; /* edges between two polls */

static void lay_out(wfi_rank_triangles_gpu *gpu, const wfi_spread *s, wfi_triangle_rule rule,
                    const wfi_rank_triangles *c) {
    wfi_device_triangles *d = (wfi_device_triangles *)gpu;
    wfi_workspace *device = d->device;
    const weft_graph *g = s->g;
    uint64_t own = s->arcs + (g->directed ? wfi_device_in_arcs(s) : 0), edges = wfi_min_u64(own, wfi_oriented_most(g));
    if (d->status) return; /* this rank has no GPU */
    d->k = {};
    d->k.rule = rule;
    d->k.first = s->part[0].first;
    d->k.end = s->part[0].end;
    wfi_array(device, &d->k.offsets, (uint64_t)s->vertices + 1);
    wfi_array(device, &d->k.group, (uint64_t)g->n + 1);
    wfi_array_within(device, &d->k.target, edges);
    wfi_array_within(device, &d->k.from, edges);
    if (rule) wfi_array_within(device, &d->k.arcs, edges);
    if (rule) wfi_array_within(device, &d->k.from_arcs, edges);
    wfi_array(device, &d->k.sums, g->n);
    wfi_array(device, &d->sum, s->vertices);
    wfi_array(device, &d->k.found, 1);
    wfi_array(device, &d->k.want, c->fetch.wants);
    wfi_array(device, &d->k.at, c->fetch.wants);
    wfi_array(device, &d->k.length, c->fetch.wants);
    wfi_array_within(device, &d->k.rows, c->fetch.capacity);
    if (rule) wfi_array_within(device, &d->k.rows_arcs, c->fetch.capacity);
}

/* --- on the GPU: wedge checks by binary search --- */

typedef unsigned long long word;

/* Edges low ... low + count-1 in the order of their targets, which are vertices from ... to-1. */
struct wfi_wedge_range {
    uint64_t low, count;
    weft_vid from, to;
    bool fetched; /* the rows of these targets were fetched; else they are this rank's */
};

struct side {
    const weft_vid *at;
    const uint8_t *arcs;
    uint64_t length;
};

/* Row v; empty if it is not among these rows. */
__device__ static inline side row_of(const wfi_wedges &c, weft_vid v, bool fetched) {
    if (!fetched) {
        if (v < c.first || v >= c.end) return {NULL, NULL, 0};
        weft_eid from = c.offsets[v - c.first], to = c.offsets[v - c.first + (uint64_t)1];
        return {c.target + from, c.arcs ? c.arcs + from : NULL, to - from};
    }
    uint64_t i = wfi_place_of(c.want, (uint64_t)0, c.fetched, v);
    if (i == c.fetched) return {NULL, NULL, 0};
    return {c.rows + c.at[i], c.arcs ? c.rows_arcs + c.at[i] : NULL, c.length[i]};
}

__device__ static inline void add(uint64_t *place, uint64_t value) {
    if (value) atomicAdd((word *)place, (word)value);
}

/* The triangles u, v, w of each edge u -> v in the range: the targets w of row u that are also in row v.  A warp has an
 * edge, and each lane looks a target of row u up in row v, which ascends. */
static weft_status close_wedges(weft_ctx *ctx, wfi_wedges c, wfi_wedge_range range) {
    return wfi_each_warp(ctx, range.count, [=] __device__(uint64_t edge, unsigned lane, unsigned lanes) {
        uint64_t i = range.low + edge;
        weft_vid v = (weft_vid)wfi_row_among(c.group, range.from, range.to - 1, i), k = c.from[i];
        side row = row_of(c, v, range.fetched);
        uint64_t uv = c.arcs ? c.from_arcs[i] : 1, at_u = 0, at_v = 0, triangles = 0;
        if (!row.length) return;
        for (weft_eid e = c.offsets[k] + lane; e < c.offsets[k + (uint64_t)1]; e += lanes) {
            weft_vid w = c.target[e];
            uint64_t place = wfi_place_of(row.at, (uint64_t)0, row.length, w);
            if (place == row.length) continue;
            uint64_t vw = row.arcs ? row.arcs[place] : 1, uw = c.arcs ? c.arcs[e] : 1, all = uv * vw * uw;
            add(&c.sums[w], c.rule == WFI_TRIANGLE_ONE ? 1 : c.rule == WFI_TRIANGLE_OPPOSITE ? uv : all);
            at_u += c.rule == WFI_TRIANGLE_ONE ? 1 : c.rule == WFI_TRIANGLE_OPPOSITE ? vw : all;
            at_v += c.rule == WFI_TRIANGLE_ONE ? 1 : c.rule == WFI_TRIANGLE_OPPOSITE ? uw : all;
            triangles++;
        }
        add(&c.sums[c.first + k], at_u);
        add(&c.sums[v], at_v);
        add(c.found, triangles);
    });
}

/* --- the steps --- */

static void begin(wfi_rank_triangles_gpu *gpu, weft_ctx *ctx, const wfi_spread *s, const wfi_rank_triangles *c,
                  const wfi_forward *e) {
    wfi_device_triangles *d = (wfi_device_triangles *)gpu;
    uint64_t n = s->g->n, edges = c->offsets[s->vertices];
    weft_status st = d->status;
    if (!st) st = wfi_upload(ctx, d->k.offsets, c->offsets, ((size_t)s->vertices + 1) * sizeof *c->offsets);
    if (!st) st = wfi_upload(ctx, d->k.group, c->group, (n + 1) * sizeof *c->group);
    if (!st) st = wfi_upload(ctx, d->k.target, e->target, edges * sizeof *e->target);
    if (!st) st = wfi_upload(ctx, d->k.from, e->from, edges * sizeof *e->from);
    if (!st && e->arcs) st = wfi_upload(ctx, d->k.arcs, e->arcs, edges);
    if (!st && e->arcs) st = wfi_upload(ctx, d->k.from_arcs, e->from_arcs, edges);
    if (!st) st = wfi_device_fill(ctx, d->k.sums, 0, n * sizeof *d->k.sums);
    if (!st) st = wfi_device_fill(ctx, d->k.found, 0, sizeof *d->k.found);
    d->status = st;
}

/* Waits for each kernel, so that none is running when the host polls. */
static void close_edges(weft_ctx *ctx, wfi_device_triangles *d, const weft_eid *group, wfi_wedge_range range,
                        bool *stop) {
    uint64_t found, end = group[range.to];
    for (range.low = group[range.from]; range.low < end && !d->status && !*stop; range.low += AT_ONCE) {
        range.count = wfi_min_u64(end - range.low, AT_ONCE);
        d->status = close_wedges(ctx, d->k, range);
        if (!d->status) d->status = wfi_download(ctx, &found, d->k.found, sizeof found);
        if (wfi_cancelled(ctx)) *stop = true;
    }
}

static void close_own(wfi_rank_triangles_gpu *gpu, weft_ctx *ctx, const wfi_spread *s, const wfi_rank_triangles *c,
                      bool *stop) {
    const wfi_part *p = &s->part[0];
    wfi_wedge_range own = {0, 0, p->first, p->end, false};
    if (p->first < p->end) close_edges(ctx, (wfi_device_triangles *)gpu, c->group, own, stop);
}

static void close_fetched(wfi_rank_triangles_gpu *gpu, weft_ctx *ctx, const wfi_rank_triangles *c, bool *stop) {
    wfi_device_triangles *d = (wfi_device_triangles *)gpu;
    const wfi_fetch *f = &c->fetch;
    uint64_t rows = f->fetched, arcs = 0;
    for (uint64_t i = 0; i < rows; i++) arcs += f->length[i];
    if (!rows || d->status) return;
    d->k.fetched = rows;
    weft_status st = wfi_upload(ctx, d->k.want, c->want, rows * sizeof *c->want);
    if (!st) st = wfi_upload(ctx, d->k.at, f->at, rows * sizeof *f->at);
    if (!st) st = wfi_upload(ctx, d->k.length, f->length, rows * sizeof *f->length);
    if (!st) st = wfi_upload(ctx, d->k.rows, f->rows, arcs * sizeof *f->rows);
    if (!st && d->k.arcs) st = wfi_upload(ctx, d->k.rows_arcs, f->rows_beside, arcs);
    d->status = st;
    wfi_wedge_range range = {0, 0, c->want[0], c->want[rows - 1] + 1, true};
    close_edges(ctx, d, c->group, range, stop);
}

static weft_status end(wfi_rank_triangles_gpu *gpu, weft_ctx *ctx, const wfi_spread *s, wfi_rank_triangles *c,
                       uint64_t *found) {
    wfi_device_triangles *d = (wfi_device_triangles *)gpu;
    for (int r = 0; r <= s->comm->link.size; r++) s->start[r] = s->part[0].cut[r];
    weft_status st =
        wfi_device_reduce_scatter(ctx, d->status, wfi_staged{d->k.sums, c->sums}, s->start, wfi_staged{d->sum, c->sum});
    if (st) return st;
    st = wfi_download(ctx, c->sum, d->sum, s->vertices * sizeof *c->sum);
    if (!st) st = wfi_download(ctx, found, d->k.found, sizeof *found);
    return wfi_device_agree(ctx, st);
}

const wfi_rank_triangles_gpu wfi_device_triangles_steps = {lay_out, begin, close_own, close_fetched, end};
