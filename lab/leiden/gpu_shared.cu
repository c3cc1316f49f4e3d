/* GPU: vertices move there, by the turns of rung 4, and arcs to communities are counted in tables in shared memory.
 * Refinement and contraction stay with the host, as rung 5 has them, and so does the answer, to the last bit.
 * Encoding: a table has a power of two of slots, at least twice the row; a slot is a community and its arcs. */
#include "leiden.cuh"

#ifdef __CUDACC__

enum { SLOTS = 4096 }; /* of a block: 32 KB */

/* Slots that a warp has, where the block's are shared out: a power of two. */
__host__ __device__ static unsigned slots_of_warp(int block) {
    unsigned slots = SLOTS;
    while (slots * (unsigned)block > SLOTS * 32) slots /= 2;
    return slots;
}

struct choice {
    double gain;
    weft_vid to;  /* WEFT_NO_VERTEX: there is none */
    uint32_t own; /* arcs to the vertex's own community */
};

__device__ static void add_choice(choice *a, const choice &b, uint64_t key) {
    a->own += b.own;
    if (b.to == WEFT_NO_VERTEX) return;
    if (a->to != WEFT_NO_VERTEX && !leiden_better(key, b.gain, b.to, a->gain, a->to)) return;
    a->gain = b.gain;
    a->to = b.to;
}

/* Lane 0 of each warp has the warp's; thread 0 of a block that works as one has the block's. */
template <bool whole> __device__ static void reduce(choice *mine, uint64_t key) {
    __shared__ choice of_warp[32];
    for (int far = 16; far; far /= 2)
        add_choice(mine,
                   {__shfl_down_sync(~0u, mine->gain, far), __shfl_down_sync(~0u, mine->to, far),
                    __shfl_down_sync(~0u, mine->own, far)},
                   key);
    if (!whole) return;
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = *mine;
    __syncthreads();
    for (unsigned w = 1; threadIdx.x == 0 && w < blockDim.x / 32; w++) add_choice(mine, of_warp[w], key);
    __syncthreads();
}

template <bool whole> __device__ static void wait_for_group(void) {
    if (whole)
        __syncthreads();
    else
        __syncwarp();
}

/* --- excerpt --- */
/* A warp, or for long rows the whole block, counts the communities around v.  A row that the table is too small for
 * is walked several times, each time for those communities that a hash gives to this walk: a table is half full on
 * average, and never full. */
template <bool whole> __global__ static void LAB_ANY_BLOCK choose(gpu_level l, double rate, uint64_t key, unsigned k) {
    __shared__ weft_vid names[SLOTS];
    __shared__ uint32_t sums[SLOTS];
    unsigned lane = whole ? threadIdx.x : threadIdx.x % 32, lanes = whole ? blockDim.x : 32;
    unsigned most = whole ? SLOTS : slots_of_warp((int)blockDim.x), from = whole ? 0 : threadIdx.x / 32 * most;
    weft_vid *name = names + from;
    uint32_t *sum = sums + from;
    uint64_t group = whole ? blockIdx.x : lab_thread() / 32, groups = whole ? gridDim.x : lab_threads() / 32;
    for (uint64_t i = group; i < l.counts->listed[k][whole]; i += groups) {
        weft_vid v = l.lists[(uint64_t)k * l.n + (whole ? l.n - 1 - i : i)], own = l.community[v];
        uint64_t row = l.offsets[v + 1] - l.offsets[v], walks = (row + most / 2 - 1) / (most / 2);
        unsigned slots = 32;
        choice best = {0, WEFT_NO_VERTEX, 0};
        while (slots < 2 * row && slots < most) slots *= 2;
        for (uint64_t walk = 0; walk < walks; walk++) {
            for (unsigned j = lane; j < slots; j += lanes) name[j] = WEFT_NO_VERTEX, sum[j] = 0;
            wait_for_group<whole>();
            for (weft_eid e = l.offsets[v] + lane; e < l.offsets[v + 1]; e += lanes) {
                weft_vid c = l.community[l.targets[e]];
                uint32_t arcs = l.targets[e] == v ? 0 : l.arcs ? l.arcs[e] : 1;
                uint64_t hash = leiden_hash(c);
                if (c == own && walk == 0) best.own += arcs;
                if (c == own || !arcs || (hash >> 32) % walks != walk) continue;
                unsigned at = (unsigned)hash & (slots - 1);
                for (;; at = (at + 1) & (slots - 1)) {
                    weft_vid there = atomicCAS(&name[at], WEFT_NO_VERTEX, c);
                    if (there == WEFT_NO_VERTEX || there == c) break;
                }
                atomicAdd(&sum[at], arcs);
            }
            wait_for_group<whole>();
            for (unsigned j = lane; j < slots; j += lanes)
                if (name[j] != WEFT_NO_VERTEX)
                    add_choice(&best, {leiden_gain(rate, sum[j], l.mass[v], l.total[name[j]]), name[j], 0}, key);
            wait_for_group<whole>();
        }
        reduce<whole>(&best, key);
        if (lane) continue;
        double stay = leiden_gain(rate, best.own, l.mass[v], l.total[own] - l.mass[v]);
        if (best.to == WEFT_NO_VERTEX || best.gain <= stay) best = {stay, own, 0};
        l.goes[v] = best.gain < 0 && l.total[own] > l.mass[v] && !l.total[v] ? v : best.to;
        l.active[v] = 0;
    }
}
/* --- end --- */

static void launch(const leiden *q, const gpu_moving *m, uint64_t key, unsigned k) {
    unsigned blocks = m->gpu.grid_filling(32 / CLASSES * (uint64_t)m->level.n); /* a warp for each of a class */
    choose<false><<<blocks, q->r->block>>>(m->level, q->rate, key, k);
    choose<true><<<blocks, q->r->block>>>(m->level, q->rate, key, k);
}

static weft_status run(lab_run *r) {
    const void *kernel = reinterpret_cast<const void *>(choose<false>);
    return gpu_moving(r, launch, kernel, slots_of_warp(r->block) / 2).run();
}
#endif

const lab_rung leiden_gpu_shared = {
    .name = "gpu-shared",
    .title = "GPU: a warp or a block a vertex, tables in shared memory",
    .against = "refined",
    .changed = "Moving runs on the GPU. A thread of rung 5 has a counter for every community, for which thousands of "
               "threads have no "
               "room: a warp counts in a table as long as its row, in the memory beside its core, and a block does so "
               "for long rows.",
    .wins = "The moving itself: no table goes to memory, and a hub's row is walked by a whole block.",
    .loses = "All that stays behind: levels are refined and contracted by the host and copied there and back. Small "
             "levels, where a turn "
             "is four launches.",
    .model = NULL,
    .source = "lab/leiden/gpu_shared.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = leiden_serves,
    .run = LAB_ON_GPU(run),
    .check = NULL,
};
