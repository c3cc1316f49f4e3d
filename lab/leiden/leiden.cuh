/* What a rung of communities on the GPU needs beside its choice: a level there, the classes' lists, who goes and
 * whom that wakes.  Turns are those of classes.c.  A rung brings the choice of a class, l.lists to l.goes. */
#ifndef WEFT_LAB_LEIDEN_CUH
#define WEFT_LAB_LEIDEN_CUH

#include "gpu.cuh"
#include "leiden.h"

#ifdef __CUDACC__

enum { CLASSES = 8 };

/* A level on the GPU.  Vertices of class k are listed from k * n on, those with long rows from (k + 1) * n
 * backwards. */
struct gpu_level {
    weft_vid n;
    const weft_eid *offsets;
    const weft_vid *targets;
    const uint32_t *arcs; /* NULL: each is one */
    uint32_t *mass, *total;
    weft_vid *community, *goes, *lists, *movers;
    uint8_t *active;
    struct counts_of_round {
        unsigned listed[CLASSES][2], moved[CLASSES]; /* listed: short and long rows */
    } * counts;
};

__global__ static void LAB_ANY_BLOCK deal(gpu_level l, uint64_t key, unsigned longest) {
    for (uint64_t v = lab_thread(); v < l.n; v += lab_threads()) {
        if (!l.active[v]) continue;
        unsigned k = leiden_class(key, (weft_vid)v, CLASSES);
        bool is_long = l.offsets[v + 1] - l.offsets[v] > longest;
        unsigned at = atomicAdd(&l.counts->listed[k][is_long], 1u);
        l.lists[(uint64_t)k * l.n + (is_long ? l.n - 1 - at : at)] = (weft_vid)v;
    }
}

__global__ static void LAB_ANY_BLOCK go(gpu_level l, unsigned k) {
    unsigned few = l.counts->listed[k][0], all = few + l.counts->listed[k][1];
    for (uint64_t i = lab_thread(); i < all; i += lab_threads()) {
        weft_vid v = l.lists[(uint64_t)k * l.n + (i < few ? i : l.n - 1 - (i - few))], to = l.goes[v];
        if (to == l.community[v]) continue;
        atomicSub(&l.total[l.community[v]], l.mass[v]);
        atomicAdd(&l.total[to], l.mass[v]);
        l.community[v] = to;
        l.movers[atomicAdd(&l.counts->moved[k], 1u)] = v;
    }
}

__global__ static void LAB_ANY_BLOCK wake(gpu_level l, unsigned k) {
    for (uint64_t i = lab_thread() / 32; i < l.counts->moved[k]; i += lab_threads() / 32) {
        weft_vid v = l.movers[i];
        for (weft_eid e = l.offsets[v] + threadIdx.x % 32; e < l.offsets[v + 1]; e += 32)
            if (l.community[l.targets[e]] != l.community[v]) l.active[l.targets[e]] = 1;
    }
}

struct gpu_moving {
    /* Launches the choice of class k. */
    typedef void choose_fn(const leiden *q, const gpu_moving *m, uint64_t key, unsigned k);
    lab_gpu gpu;
    gpu_level level;

    /* kernel: what the rung is about; longest: the longest row of a warp. */
    gpu_moving(lab_run *r, choose_fn *choose_, const void *kernel_, unsigned longest_)
        : gpu(r), level(), choose(choose_), kernel(kernel_), longest(longest_) {
        size_t n = (size_t)r->out.vertices + 1, arcs = r->out.arcs;
        graph_offsets = gpu.bring(r->out.offsets, n);
        graph_targets = gpu.bring(r->out.targets, arcs);
        offsets = gpu.take<weft_eid>(n);
        targets = gpu.take<weft_vid>(arcs);
        weights = gpu.take<uint32_t>(arcs);
        level.mass = gpu.take<uint32_t>(n);
        level.total = gpu.take<uint32_t>(n);
        level.community = gpu.take<weft_vid>(n);
        level.goes = gpu.take<weft_vid>(n);
        level.lists = gpu.take<weft_vid>(CLASSES * n);
        level.movers = gpu.take<weft_vid>(n);
        level.active = gpu.take<uint8_t>(n);
        level.counts = gpu.take<gpu_level::counts_of_round>(1);
    }

    weft_status run(void) {
        leiden_way way = {move, leiden_refine, leiden_split, this};
        return gpu.status ? gpu.status : leiden_run(gpu.r, &way);
    }

  private:
    choose_fn *choose;
    const void *kernel;
    unsigned longest;
    const weft_eid *graph_offsets; /* they stay; those of contracted levels come and go */
    const weft_vid *graph_targets;
    weft_eid *offsets;
    weft_vid *targets;
    uint32_t *weights;

    static gpu_moving *of(leiden *q) { return static_cast<gpu_moving *>(q->way->extra); }

    static uint64_t round(leiden *q, uint64_t key) {
        gpu_moving *m = of(q);
        const gpu_level &l = m->level;
        int block = q->r->block;
        uint64_t moved = 0;
        m->gpu.failed("cudaMemsetAsync", cudaMemsetAsync(l.counts, 0, sizeof *l.counts));
        deal<<<m->gpu.grid_filling(l.n), block>>>(l, key, m->longest);
        for (unsigned k = 0; k < CLASSES && !m->gpu.status; k++) {
            m->choose(q, m, key, k);
            go<<<m->gpu.grid_filling(l.n / CLASSES + 1), block>>>(l, k);
            wake<<<m->gpu.grid_filling(32 / CLASSES * (uint64_t)l.n), block>>>(l, k);
        }
        gpu_level::counts_of_round counts = m->gpu.peek(l.counts);
        for (unsigned k = 0; k < CLASSES; k++) moved += counts.moved[k];
        return moved;
    }

    void bring_level(const leiden *q) {
        bool contracted = q->level.arcs != NULL;
        uint64_t arcs = q->level.offsets[q->level.n];
        level.n = q->level.n;
        level.offsets = contracted ? offsets : graph_offsets;
        level.targets = contracted ? targets : graph_targets;
        level.arcs = contracted ? weights : NULL;
        if (contracted) {
            gpu.copy_in(offsets, q->level.offsets, (size_t)level.n + 1);
            gpu.copy_in(targets, q->level.targets, arcs);
            gpu.copy_in(weights, q->level.arcs, arcs);
        }
        gpu.copy_in(level.mass, q->level.mass, level.n);
        gpu.copy_in(level.total, static_cast<const uint32_t *>(q->total), level.n);
        gpu.copy_in(level.community, static_cast<const weft_vid *>(q->community), level.n);
        gpu.copy_in(level.active, static_cast<const uint8_t *>(q->active), level.n);
    }

    /* What the host does afterwards is in the kernels' stretch, and not in the GPU's clock: LAB_HOST. */
    static weft_status move(leiden *q) {
        gpu_moving *m = of(q);
        m->bring_level(q);
        if (m->gpu.begin(m->kernel)) return m->gpu.status;
        weft_status st = leiden_rounds(q, round);
        m->gpu.end();
        m->gpu.copy_bytes(LAB_COPY_OUT, q->total, m->level.total, m->level.n * sizeof *q->total);
        m->gpu.copy_bytes(LAB_COPY_OUT, q->community, m->level.community, m->level.n * sizeof *q->community);
        lab_turn(q->r, LAB_KERNELS);
        return m->gpu.status ? m->gpu.status : st;
    }
};

#endif
#endif
