/* GPU, CSR: the queue's rounds inside one kernel.  All blocks are on the GPU at once and meet at a barrier after each round; the host
 * hears of it every thousand rounds, so that it can be stopped. */
#include "csr.cuh"

#ifdef __CUDACC__

#include <cooperative_groups.h>

namespace {
enum { ROUNDS = 1000, SIZES = 3 };

/* Where the next launch goes on.  size[round % 3] vertices of this round stand in the queue from head on. */
struct state {
    uint32_t head, round, size[SIZES];
};
} // namespace

__global__ static void start_queue(const int32_t *degree, weft_vid n, uint32_t *level, weft_vid *queue, state *s) {
    uint64_t v = lab_thread();
    if (v >= n || degree[v]) return;
    level[v] = 0;
    queue[atomicAdd(&s->size[0], 1u)] = (weft_vid)v;
}

/* What other blocks wrote is read past the first-level cache.  While this round's size is read and the next one's counted, the one
 * after is cleared: nobody has looked at that since the barrier before the last. */
/* --- excerpt --- */
__global__ static void LAB_ANY_BLOCK all_rounds(weft_vid *queue, const weft_eid *offsets, const weft_vid *targets,
                                                int32_t *degree, uint32_t *level, state *s) {
    uint32_t head = __ldcg(&s->head), first = __ldcg(&s->round), round = first, size;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    grid.sync();
    for (; (size = __ldcg(&s->size[round % SIZES])) > 0 && round < first + ROUNDS; head += size, round++) {
        uint32_t *next = &s->size[(round + 1) % SIZES], parts = gridDim.x > size ? gridDim.x / size : 1;
        if (lab_thread() == 0) s->size[(round + 2) % SIZES] = 0;
        for (uint64_t item = blockIdx.x; item < (uint64_t)size * parts; item += gridDim.x) {
            weft_vid u = __ldcg(&queue[head + item / parts]);
            weft_eid e = offsets[u] + item % parts * blockDim.x + threadIdx.x;
            for (; e < offsets[u + 1]; e += (weft_eid)parts * blockDim.x) {
                weft_vid v = targets[e];
                if (atomicSub(&degree[v], 1) != 1) continue;
                level[v] = round + 1;
                queue[head + size + atomicAdd(next, 1u)] = v;
            }
        }
        grid.sync();
    }
    if (lab_thread() == 0) s->head = head, s->round = round;
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_kahn_csr k(r);
    state *s = k.gpu.take_zeroed<state>(1);
    if (k.gpu.begin(all_rounds)) return k.gpu.status;
    k.degree_by_difference(k.in_offsets);
    start_queue<<<k.gpu.grid(k.n), r->block>>>(k.degree, k.n, k.level, k.active, s);
    void *arguments[] = {&k.active, &k.offsets, &k.targets, &k.degree, &k.level, &s};
    for (state now = k.gpu.peek(s); now.size[now.round % SIZES] && !k.gpu.status; now = k.gpu.peek(s)) {
        if (lab_stopped(r)) return WEFT_ECANCELLED;
        k.gpu.failed("cudaLaunchCooperativeKernel",
                     cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(all_rounds), dim3((unsigned)k.gpu.sms),
                                                 dim3((unsigned)r->block), arguments, 0, 0));
    }
    k.gpu.end();
    if (!k.fetch_levels()) return k.gpu.status;
    return k.close(48.0 * k.n + kahn_bytes_of_rows(&k.host));
}
#endif

static const char *serves(lab_run *r) { return kahn_serves_gpu(r, csr_bytes(r), 5); }

const lab_rung kahn_gpu_persistent = {
    .name = "gpu-csr-persistent",
    .title = "GPU, CSR: the queue's rounds inside one kernel",
    .against = "gpu-csr-queue",
    .changed = "A block for each multiprocessor stays for a thousand rounds, and they meet at a barrier of the whole grid after each. "
               "A round's few rows are dealt out to all blocks, in parts.",
    .wins = "A barrier takes a microsecond or two, where a launch and a copy that the host waits for take ten.",
    .loses = "Wide rounds: a grid as large as the GPU is no better than a launch, and cannot grow with the round.",
    .model = "48 n (degrees twice, queue twice, levels, offsets) + 12 an arc removed",
    .source = "lab/kahn/gpu_persistent.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
