/* GPU: the adjacency list: a thread walks the chain of its vertex.
 * A link is the number of the next one and a target, 8 bytes; on the CPU, with a pointer, 16.  Links lie in a scattered order, as when a list
 * grows arc by arc.
 * Should win: against one core, because a hundred thousand walkers wait at the same time.  Should lose: against the CSR: each link is a
 * read of its own, 32 bytes of memory traffic for 8, and nobody knows the next one before this one is there. */
#include "afford.h"
#include "degree.cuh"

#ifdef __CUDACC__
enum : uint32_t { NO_LINK = 0xffffffffu };

/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK walk_lists(const uint32_t *first, const uint2 *links, weft_vid n, gpu_count *out,
                                                gpu_count *in) {
    uint64_t u = lab_thread();
    if (u >= n) return;
    gpu_count arcs = 0;
    for (uint32_t at = first[u]; at != NO_LINK; at = links[at].x) { /* x: the next link, y: the target */
        atomicAdd(&in[links[at].y], 1ull);
        arcs++;
    }
    out[u] = arcs;
}
/* --- end --- */

/* As lab/degree/list.c: arcs come in the order of their place modulo a prime step. */
static void build(const weft_csr &rows, uint32_t *first, uint2 *links, weft_vid *source) {
    for (weft_vid u = 0; u < rows.vertices; u++) {
        first[u] = NO_LINK;
        for (weft_eid e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) source[e] = u;
    }
    const weft_eid step = 1000003, stride = rows.arcs % step ? step : 1;
    weft_eid e = 0;
    for (weft_eid i = 0; i < rows.arcs; i++) {
        links[i] = {first[source[e]], rows.targets[e]};
        first[source[e]] = (uint32_t)i;
        e = (e + stride) % rows.arcs;
    }
}

static weft_status run(lab_run *r) {
    gpu_degrees s(r);
    uint32_t *first = static_cast<uint32_t *>(lab_take(r, s.n * sizeof(uint32_t)));
    uint2 *links = static_cast<uint2 *>(lab_take(r, r->out.arcs * sizeof(uint2)));
    weft_vid *source = static_cast<weft_vid *>(lab_take(r, r->out.arcs * sizeof(weft_vid)));
    if (!first || !links || !source) return WEFT_ENOMEM;
    lab_turn(r, LAB_COPY_IN);
    build(r->out, first, links, source);
    const uint32_t *firsts = s.gpu.bring(first, s.n);
    const uint2 *chains = s.gpu.bring(links, r->out.arcs);
    if (s.gpu.begin(walk_lists)) return s.gpu.status;
    walk_lists<<<s.gpu.grid(s.n), r->block>>>(firsts, chains, s.n, s.out, s.in);
    return s.answer(12.0 * s.n + 24.0 * (double)r->out.arcs);
}
#endif

static const char *serves(lab_run *r) {
    if (r->out.arcs >= 0xffffffffu) return "a link is numbered in 32 bits here";
    const char *too_large = lab_too_large_for_gpu(r, 40.0 * r->out.vertices + 8.0 * (double)r->out.arcs);
    return too_large ? too_large : lab_too_slow(r, 6e-8 * (double)r->out.arcs); /* building it, on one core */
}

const lab_rung degree_gpu_list = {
    .name = "gpu-list",
    .title = "GPU, adjacency list: a thread walks each chain",
    .against = "gpu-matrix",
    .changed = "A chain of links for each vertex, 4 n + 8 m bytes, and a thread that follows it.",
    .wins = "Against the list on one core: while one thread waits for its next link, thousands of others do, too.",
    .loses = "Against the CSR: links lie anywhere, and a read of 8 bytes moves 32. A hub's chain is walked one link at "
             "a time, "
             "and everybody waits for it.",
    .model = "4 n (first links) + 8 n (degrees) + 8 m (links, one by one) + 16 m (counters there and back) + 48 n",
    .source = "lab/degree/gpu_list.cu",
    .device = LAB_CUDA,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
