/* Forces on the GPU: the steps that relax a level, by the arithmetic of forces.h, as on the CPU.  The host does the
 * rest of layout (layout.c, levels.c) and relaxes small levels; rows and positions of larger levels are uploaded, and
 * the positions are copied back.
 * Work: a step is a kernel for the indices along the curve, CUB's sort (stable, as the CPU's), a thread for each leaf,
 * a kernel for each height of the tree, and a thread for each vertex: vertices of a leaf are neighbours in a warp and
 * walk the tree together. */
#include "algo/layout/layout.h"
#include "cuda/buffers.cuh"
#include "cuda/stages.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <stdio.h>

enum {
    THREADS = 128,
    MOST_BLOCKS = 1 << 30,
    FEW = 1 << 8,
    OFTEN = 1 << 16 /* vertices: on larger levels the host waits for every step */
};

namespace {

struct device_arrays {
    wfi_point *at[2];
    uint32_t *key[2], *order[2];
    char *scratch;
    float *x, *y, *m;
    wfi_layout_cell *cells;
    weft_eid *offsets;
    weft_vid *targets;
    float *weights, *mass;
    float *column[2];
};

struct run {
    wfi_layout_arrays a; /* the first member, since wfi_levels points back to this struct */
    device_arrays d;
    weft_vid n;
};

} // namespace

__device__ static uint32_t this_thread(void) { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ static void find_places(const wfi_point *at, const wfi_layout_cell *box, uint32_t n, uint32_t *key,
                                   uint32_t *order) {
    uint32_t v = this_thread();
    if (v >= n) return;
    key[v] = wfi_curve_place(at[v], box);
    order[v] = v;
}

/* Vertices in order, padded by vertices without mass, and the leaves. */
__global__ static void build_leaves(device_arrays d, const uint32_t *order, const wfi_point *at, const float *mass,
                                    uint32_t n, uint32_t leaves) {
    uint32_t leaf = this_thread();
    if (leaf >= leaves) return;
    uint32_t from = leaf * WFI_LEAF, count = n - from < WFI_LEAF ? n - from : WFI_LEAF;
    for (uint32_t i = from; i < from + WFI_LEAF; i++) {
        uint32_t v = order[i < n ? i : n - 1];
        d.x[i] = at[v].x;
        d.y[i] = at[v].y;
        d.m[i] = i >= n ? 0 : mass ? mass[v] : 1;
    }
    d.cells[leaf] = wfi_leaf_of(d.x + from, d.y + from, d.m + from, count);
}

__global__ static void build_cells(wfi_tree t, wfi_layout_cell *cells, int height) {
    uint32_t i = this_thread();
    if (i < t.count[height]) cells[t.first[height] + i] = wfi_cell_of(&t, cells, height, i);
}

/* As push_leaf of steps.c, for one vertex of the leaf. */
__device__ static void push_vertex(const device_arrays &d, const wfi_tree &t, uint32_t i, float *fx, float *fy) {
    const wfi_layout_cell box = d.cells[i / WFI_LEAF];
    const wfi_point on = {d.x[i], d.y[i]};
    wfi_walk_place p = {t.heights - 1, 0};
    do {
        wfi_layout_cell c = d.cells[t.first[p.height] + p.i];
        bool far = wfi_is_far(&c, &box);
        while (!far && p.height) {
            wfi_walk_open(&p);
            c = d.cells[t.first[p.height] + p.i];
            far = wfi_is_far(&c, &box);
        }
        if (far)
            wfi_push({c.x, c.y}, c.m, on, fx, fy);
        else
            for (uint32_t k = p.i * WFI_LEAF; k < (p.i + 1) * WFI_LEAF; k++)
                wfi_push({d.x[k], d.y[k]}, d.m[k], on, fx, fy);
    } while (wfi_walk_pass(&t, &p));
}

/* Moves vertices from at[0] to at[1]. */
__global__ static void move_vertices(device_arrays d, wfi_tree t, const uint32_t *order, bool weighted, uint32_t n,
                                     float length) {
    const wfi_point *at = d.at[0];
    uint32_t i = this_thread();
    if (i >= n) return;
    float fx = 0, fy = 0;
    push_vertex(d, t, i, &fx, &fy);
    uint32_t v = order[i];
    float by = WFI_REPULSION * d.m[i], x = by * fx, y = by * fy;
    for (weft_eid e = d.offsets[v]; e < d.offsets[v + 1]; e++)
        wfi_pull_by(at[v], at[d.targets[e]], weighted ? d.weights[e] : 1, &x, &y);
    d.at[1][v] = wfi_moved(at[v], x, y, length);
}

/* --- a level -------------------------------------------------------------------------------------- */

/* Offsets of a component's rows refer to the rows of all components; they are made relative to `first`. */
__global__ static void begin_at_zero(weft_eid *offsets, uint64_t count, weft_eid first) {
    for (uint64_t v = this_thread(); v < count; v += (uint64_t)gridDim.x * blockDim.x) offsets[v] -= first;
}

static weft_status upload_level(weft_ctx *ctx, const run *r, const wfi_level *l, const wfi_layout_cell *box,
                                wfi_layout_cell *root) {
    weft_eid first = l->offsets[0], arcs = l->offsets[l->n] - first;
    uint64_t count = (uint64_t)l->n + 1;
    weft_status st = wfi_upload(ctx, r->d.offsets, l->offsets, count * sizeof *l->offsets);
    if (!st) st = wfi_upload(ctx, r->d.targets, l->targets + first, arcs * sizeof *l->targets);
    if (!st && l->weights) st = wfi_upload(ctx, r->d.weights, l->weights + first, arcs * sizeof *l->weights);
    if (!st && l->mass) st = wfi_upload(ctx, r->d.mass, l->mass, l->n * sizeof *l->mass);
    if (!st) st = wfi_upload(ctx, r->d.at[0], r->a.levels.at, l->n * sizeof *r->d.at[0]);
    if (!st) st = wfi_upload(ctx, root, box, sizeof *box);
    if (!st && first)
        begin_at_zero<<<wfi_grid(count, THREADS, 1 << 16), THREADS, 0, wfi_cuda_stream(ctx)>>>(r->d.offsets, count,
                                                                                               first);
    return st;
}

/* One step from at[0] to at[1]. */
static weft_status make_step(weft_ctx *ctx, const run *r, const wfi_level *l, const wfi_tree &t, float length) {
    const device_arrays &d = r->d;
    cudaStream_t stream = wfi_cuda_stream(ctx);
    unsigned blocks = wfi_grid(l->n, THREADS, MOST_BLOCKS);
    size_t bytes = wfi_cub_sort_bytes(r->n);
    cub::DoubleBuffer<uint32_t> key(d.key[0], d.key[1]), order(d.order[0], d.order[1]);
    find_places<<<blocks, THREADS, 0, stream>>>(d.at[0], d.cells + t.first[t.heights - 1], l->n, d.key[0], d.order[0]);
    WFI_CUDA_OR_RETURN(
        cub::DeviceRadixSort::SortPairs(d.scratch, bytes, key, order, (int64_t)l->n, 0, 2 * WFI_CURVE_BITS, stream));
    build_leaves<<<wfi_grid(t.count[0], THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(
        d, order.Current(), d.at[0], l->mass ? d.mass : NULL, l->n, t.count[0]);
    for (int h = 1; h < t.heights; h++)
        build_cells<<<wfi_grid(t.count[h], THREADS, MOST_BLOCKS), THREADS, 0, stream>>>(t, d.cells, h);
    move_vertices<<<blocks, THREADS, 0, stream>>>(d, t, order.Current(), l->weights != NULL, l->n, length);
    return WEFT_OK;
}

static weft_status relax(weft_ctx *ctx, wfi_levels *levels, const wfi_level *l, const wfi_cooling *how) {
    run *r = (run *)levels->by;
    if (l->n < FEW) return wfi_relax_cpu(ctx, levels, l, how);
    wfi_tree t = wfi_tree_of(l->n);
    wfi_layout_cell box = wfi_box_of(levels->at, l->n);
    weft_status st = upload_level(ctx, r, l, &box, r->d.cells + t.first[t.heights - 1]);
    if (st) return st;
    {
        wfi_kernel_scope stage(ctx, "forces");
        for (unsigned step = 0; step < how->steps && !st; step++) {
            if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
            wfi_progress(ctx, "layout", levels->done, levels->total);
            st = make_step(ctx, r, l, t, wfi_step_length(how, step));
            wfi_point *swap = r->d.at[0];
            r->d.at[0] = r->d.at[1];
            r->d.at[1] = swap;
            if (!st && (l->n > OFTEN || step % 16 == 15)) st = wfi_cuda_sync(ctx);
            levels->done += l->n;
        }
    }
    return st ? st : wfi_download(ctx, levels->at, r->d.at[0], l->n * sizeof *levels->at);
}

/* --- the run ----------------------------------------------------------------------------------------- */

static void lay_out(wfi_workspace *space, wfi_workspace *device, const weft_ctx *ctx, const weft_graph *g,
                    const void *params, run *r) {
    uint64_t n = g->n, arcs = g->directed ? 2 * g->arcs : g->arcs, padded = (uint64_t)wfi_leaves(g->n) * WFI_LEAF;
    device_arrays *d = &r->d;
    r->n = g->n;
    wfi_layout_lay_out(space, ctx, g, (const weft_layout_params *)params, &r->a);
    for (int i = 0; i < 2; i++) {
        wfi_array_within(device, &d->at[i], n);
        wfi_array_within(device, &d->key[i], n);
        wfi_array_within(device, &d->order[i], n);
        wfi_array(device, &d->column[i], n);
    }
    wfi_array_within(device, &d->scratch, wfi_cub_sort_bytes(n));
    wfi_array_within(device, &d->x, padded);
    wfi_array_within(device, &d->y, padded);
    wfi_array_within(device, &d->m, padded);
    wfi_array_within(device, &d->cells, wfi_tree_cells(g->n));
    wfi_array_within(device, &d->offsets, n + 1);
    wfi_array_within(device, &d->targets, arcs);
    wfi_array_within(device, &d->weights, arcs);
    wfi_array_within(device, &d->mass, n);
}

extern "C" weft_status wfi_layout_run_cuda(wfi_job *job) {
    weft_ctx *ctx = job->ctx;
    size_t bytes = job->g->n * sizeof(float);
    run r = {};
    weft_status st = wfi_open_device(job);
    if (st) return st;
    lay_out(job->space, job->device, ctx, job->g, job->params, &r);
    st = job->space->status ? job->space->status : job->device->status;
    r.a.levels.relax = relax;
    r.a.levels.by = &r;
    if (!st) st = wfi_layout_run(job, &r.a);
    /* The host makes the columns; columns wanted on the GPU are uploaded. */
    if (!st && bytes) st = wfi_upload(ctx, r.d.column[0], r.a.x, bytes);
    if (!st && bytes) st = wfi_upload(ctx, r.d.column[1], r.a.y, bytes);
    wfi_copy column[] = {{r.a.x, r.d.column[0], bytes}, {r.a.y, r.d.column[1], bytes}};
    return st ? st : wfi_deliver_all(ctx, column, 2);
}

extern "C" void wfi_layout_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice) {
    run r = {};
    wfi_need_in(&choice->space, ctx, g);
    snprintf(choice->reason, sizeof choice->reason,
             "levels on the host, forces of those of %d vertices or more on the GPU", FEW);
    lay_out(&choice->space, &choice->device, ctx, g, params, &r);
}
