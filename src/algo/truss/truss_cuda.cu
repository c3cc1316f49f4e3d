/* truss, GPU.  The answer is that of truss.c, since truss numbers are unique.  The support of the oriented view's edges
 * (engines/triangles) becomes rows with both ends of each edge, then truss numbers (truss_peel.cuh), then the column.
 * Method: the forward entries of each row are the view's own; the backward entries come from a stable sort of all edges
 * by their ends of smaller position, which leaves them in the order of rows.  The host lists the edges. */
#include "algo/truss/truss.h"
#include "algo/truss/truss_peel.cuh"
#include "cuda/cub.cuh"
#include "engines/triangles/triangles_cuda.cuh"
#include "run/edge_rows.h"
#include "weft/truss.h"

#include <stdio.h>

using namespace truss;

namespace {

struct arrays {
    peeling p;
    wfi_support_space support;
    char *scratch;
    uint64_t scratch_bytes;
};

/* Arrays on the host. */
struct columns {
    wfi_edge_rows edges;
    uint32_t *truss;
};

void lay_out_columns(wfi_workspace *w, const weft_graph *g, columns *c) {
    wfi_edge_rows_lay_out(w, g, &c->edges);
    wfi_edge_column(w, "truss", WEFT_U32, g->edges, &c->truss);
}

void lay_out(wfi_workspace *device, const weft_graph *g, uint64_t edges, arrays *a) {
    peeling *p = &a->p;
    a->scratch_bytes = wfi_max_u64(wfi_cub_sort_bytes(edges), wfi_cub_scan_bytes((uint64_t)g->n + 1));
    wfi_support_lay_out(device, g->n, edges, g->edges, &a->support);
    wfi_array(device, &p->start, (uint64_t)g->n + 1);
    wfi_array(device, &p->length, g->n);
    wfi_array(device, &p->count, 1);
    wfi_array(device, &p->at, 1);
    wfi_array_within(device, &p->near, 2 * edges);
    wfi_array_within(device, &p->edge, 2 * edges);
    wfi_array_within(device, &p->from, edges);
    wfi_array_within(device, &p->alive, edges);
    for (int i = 0; i < 2; i++) wfi_array_within(device, &p->list[i], edges);
    wfi_array_within(device, &p->piece, (edges + PIECE - 1) / PIECE);
    wfi_array_within(device, &p->state, edges);
    wfi_array_within(device, &a->scratch, a->scratch_bytes);
}

/* --- rows ------------------------------------------------------------------------------------ */

struct note_degree {
    const uint32_t *degree;
    weft_vid n;
    uint64_t *start;
    uint32_t *length;

    __device__ void operator()(uint64_t r) const {
        start[r] = r < n ? degree[r] : 0;
        if (r < n) length[r] = degree[r];
    }
};

/* Keys of the sort: the end of each edge with the smaller position. */
struct note_ends {
    const weft_vid *targets;
    weft_vid *key;
    uint32_t *edge;

    __device__ void operator()(uint64_t e) const {
        key[e] = targets[e];
        edge[e] = (uint32_t)e;
    }
};

struct put_forward {
    const weft_eid *offsets;
    const weft_vid *targets;
    const uint64_t *start;
    weft_vid *near, *from;
    uint32_t *edge;

    __device__ void operator()(uint64_t r, unsigned lane, unsigned lanes) const {
        weft_eid begin = offsets[r];
        for (weft_eid e = begin + lane; e < offsets[r + 1]; e += lanes) {
            from[e] = (weft_vid)r;
            near[start[r] + (e - begin)] = targets[e];
            edge[start[r] + (e - begin)] = (uint32_t)e;
        }
    }
};

/* Entry i of the sorted list: the number of entries before row v is that of backward entries in all earlier rows,
 * start[v] - offsets[v]. */
struct put_backward {
    const weft_eid *offsets;
    const weft_vid *key, *from;
    const uint32_t *sorted;
    weft_vid *near;
    uint32_t *edge;

    __device__ void operator()(uint64_t i) const {
        uint64_t place = i + offsets[(size_t)key[i] + 1];
        near[place] = from[sorted[i]];
        edge[place] = sorted[i];
    }
};

struct begin_alive {
    peeling p;

    __device__ void operator()(uint64_t e) const {
        p.alive[e] = (uint32_t)e;
        p.state[e] = ALIVE;
        if (e % PIECE == 0) p.piece[e / PIECE] = (uint32_t)(p.edges - e < PIECE ? p.edges - e : PIECE);
    }
};

weft_status make_rows(weft_ctx *ctx, const wfi_oriented_rows *o, arrays *a) {
    peeling *p = &a->p;
    const weft_eid *offsets = o->offsets.data;
    const weft_vid *targets = o->targets.data;
    cudaStream_t stream = wfi_cuda_stream(ctx);
    size_t bytes = (size_t)a->scratch_bytes;
    weft_status st = wfi_each(ctx, (uint64_t)o->n + 1, note_degree{o->degree.data, o->n, p->start, p->length});
    if (!st) st = wfi_each(ctx, o->edges, note_ends{targets, p->alive, p->list[0]});
    if (st) return st;
    cub::DoubleBuffer<weft_vid> key(p->alive, p->list[1]);
    cub::DoubleBuffer<uint32_t> edge(p->list[0], p->from);
    WFI_CUDA_OR_RETURN(cub::DeviceScan::ExclusiveSum(a->scratch, bytes, p->start, p->start, (int64_t)o->n + 1, stream));
    WFI_CUDA_OR_RETURN(cub::DeviceRadixSort::SortPairs(a->scratch, bytes, key, edge, (int64_t)o->edges, 0,
                                                       (int)wfi_bits(o->n), stream));
    if (edge.Current() == p->from) { /* `from` gets the other array */
        uint32_t *other = p->list[0];
        p->list[0] = p->from;
        p->from = other;
    }
    st = wfi_each_warp(ctx, o->n, put_forward{offsets, targets, p->start, p->near, p->from, p->edge});
    if (!st)
        st = wfi_each(ctx, o->edges, put_backward{offsets, key.Current(), p->from, edge.Current(), p->near, p->edge});
    return st ? st : wfi_each(ctx, o->edges, begin_alive{*p});
}

/* --- peeling --------------------------------------------------------------------------------- */

weft_status peel(weft_ctx *ctx, const peeling *p) {
    const counters none = {{0, 0, 0}, {~0u, ~0u}, 0};
    peel_stand s = {p->edges, p->edges, 0, 0, 0, 0, 0, 0};
    peeling copy = *p;
    void *args[] = {&copy};
    int fit = 0;
    unsigned sms = (unsigned)wfi_gpu_of(ctx)->sms;
    WFI_CUDA_OR_RETURN(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, peel_all, THREADS, 0));
    weft_status st = wfi_upload(ctx, p->count, &none, sizeof none);
    if (!st) st = wfi_upload(ctx, p->at, &s, sizeof s);
    while (!st && !s.done) {
        wfi_progress(ctx, "peeling edges", p->edges - s.left, p->edges);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        WFI_CUDA_OR_RETURN(cudaLaunchCooperativeKernel((void *)peel_all,
                                                       dim3(wfi_grid(p->edges, WARP, sms * (unsigned)fit)),
                                                       dim3(THREADS), args, 0, wfi_cuda_stream(ctx)));
        st = wfi_download(ctx, &s, p->at, sizeof s);
    }
    return st;
}

/* The column's value of an edge. */
struct name_number {
    uint32_t *support, k;

    __device__ void operator()(uint64_t e) const {
        uint32_t number = support[e] + 2;
        support[e] = !k ? number : number >= k ? k : 0;
    }
};

weft_status number_edges(weft_ctx *ctx, const wfi_oriented_rows *o, arrays *a) {
    peeling *p = &a->p;
    weft_status st = WEFT_OK;
    p->n = o->n;
    p->edges = (uint32_t)o->edges;
    p->targets = o->targets.data;
    p->support = a->support.support;
    if (p->k != 2) {
        wfi_kernel_scope stage(ctx, "peel");
        st = make_rows(ctx, o, a);
        if (!st) st = peel(ctx, p);
    }
    return st ? st : wfi_each(ctx, o->edges, name_number{p->support, p->k});
}

} // namespace

extern "C" void wfi_truss_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    uint64_t edges, long_rows;
    arrays a;
    columns c;
    (void)ctx, (void)params;
    choice->method = WFI_TRUSS_WAVES;
    snprintf(choice->reason, sizeof choice->reason, "%s",
             "triangles of each edge are counted once, then lost as edges go, in one kernel for all levels");
    lay_out_columns(&choice->space, g, &c);
    if (!g->n) return;
    wfi_oriented_declare(&choice->device, g, false, &edges, &long_rows);
    lay_out(&choice->device, g, edges, &a);
}

extern "C" weft_status wfi_truss_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    const weft_graph *g = job->g;
    const wfi_oriented_rows *o = NULL;
    arrays a = {};
    columns c;
    lay_out_columns(job->space, g, &c);
    weft_status st = job->space->status;
    if (!st) st = wfi_edge_rows_make(ctx, g, &c.edges);
    if (!st && g->n) {
        a.p.k = (uint32_t)((const weft_truss_params *)job->params)->k;
        st = wfi_oriented_on_gpu(ctx, g, false, &o);
        if (!st) st = wfi_open_device(job);
        if (st) return st;
        lay_out(job->device, g, o->edges, &a);
        st = job->device->status;
        if (!st) st = wfi_support_count(ctx, o, &a.support);
        if (!st && o->edges) st = number_edges(ctx, o, &a);
        if (!st) st = wfi_support_values(ctx, o, &a.support, c.edges.source, c.edges.target, c.edges.count, c.truss);
    }
    return st ? st : wfi_truss_scalars(job, c.truss, c.edges.count);
}
