/* GPU: a thread for each vertex, and one hash table of all edges that is asked for each pair. */
#include "triangles.cuh"

/* At least twice as many slots as edges, a power of two. */
static uint64_t slots_for(uint64_t edges) {
    uint64_t slots = 16;
    while (slots < 2 * edges) slots *= 2;
    return slots;
}

#ifdef __CUDACC__
/* A slot holds an edge as smaller end * 2^32 + larger end; 0 = empty (there are no loops). */
__device__ static inline uint64_t place_of(uint64_t key, uint64_t mask) { return (key * 0x9e3779b97f4a7c15u >> 32) & mask; }

/* --- excerpt --- */
__global__ static void fill(const weft_eid *offsets, const weft_vid *targets, weft_vid n, gpu_count *slots, uint64_t mask) {
    uint64_t u = lab_thread();
    if (u >= n) return;
    for (weft_eid e = offsets[u]; e < offsets[u + 1]; e++) {
        if (targets[e] < u) continue;
        gpu_count key = u << 32 | targets[e];
        uint64_t at = place_of(key, mask);
        while (atomicCAS(&slots[at], 0, key)) at = (at + 1) & mask; /* each edge once, so none is met again */
    }
}

__device__ static inline bool holds(const gpu_count *slots, uint64_t mask, weft_vid u, weft_vid w) { /* u < w: rows are sorted */
    gpu_count key = (gpu_count)u << 32 | w, there;
    for (uint64_t at = place_of(key, mask); (there = slots[at]); at = (at + 1) & mask)
        if (there == key) return true;
    return false;
}
/* --- end --- */

__global__ static void LAB_ANY_BLOCK count_at(const weft_eid *offsets, const weft_vid *targets, weft_vid n,
                                              const gpu_count *slots, uint64_t mask, gpu_count *count) {
    uint64_t v = lab_thread();
    if (v >= n) return;
    gpu_count found = 0;
    for (weft_eid i = offsets[v]; i < offsets[v + 1]; i++)
        for (weft_eid k = i + 1; k < offsets[v + 1]; k++) found += holds(slots, mask, targets[i], targets[k]);
    count[v] = found;
}

static weft_status run(lab_run *r) {
    gpu_triangles t(r);
    uint64_t mask = slots_for(weft_graph_edges(r->g)) - 1;
    gpu_count *slots = t.gpu.take_zeroed<gpu_count>(mask + 1);
    if (t.gpu.begin(count_at)) return t.gpu.status;
    fill<<<t.gpu.grid(t.n), r->block>>>(t.offsets, t.targets, t.n, slots, mask);
    count_at<<<t.gpu.grid(t.n), r->block>>>(t.offsets, t.targets, t.n, slots, mask, t.count);
    return t.close(triangles_pairs(r) * 12 + 12.0 * (double)weft_graph_edges(r->g));
}
#endif

static const char *serves(lab_run *r) {
    return slots_for(weft_graph_edges(r->g)) > 1u << 31
               ? "a table of more than 16 GB"
               : gpu_triangles_serves(r, 1, 6); /* a look takes as long as six steps */
}

const lab_rung triangles_gpu_hash = {
    .name = "gpu-hash",
    .title = "GPU: a thread a vertex, a hash table of all edges",
    .against = "gpu-binary",
    .changed = "The blog's third strategy: all edges in one open-addressed table, filled on the GPU by compare-and-swap within the "
               "kernels' time. (The blog keeps hash(u,v) -> 1, which takes two edges of one hash for each other; here the slot "
               "holds the edge.)",
    .wins = "One or two looks for a pair that do not wait for each other, and a table of some MB stays in the L2.",
    .loses = "Tables larger than the L2: each look is 32 bytes from memory for 8. The hubs are as they were.",
    .model = "12 for each pair (neighbour, slot) + 12 for each edge inserted",
    .source = "lab/triangles/gpu_hash.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
