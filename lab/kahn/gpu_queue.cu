/* GPU, CSR: a queue on the GPU in the place of flag, scan and compact.  Who takes a vertex's last arc puts it into the queue. */
#include "csr.cuh"

#ifdef __CUDACC__

__global__ static void start_queue(const int32_t *degree, weft_vid n, uint32_t *level, weft_vid *queue, uint32_t *tail) {
    uint64_t v = lab_thread();
    if (v >= n || degree[v]) return;
    level[v] = 0;
    queue[atomicAdd(tail, 1u)] = (weft_vid)v;
}

/* --- excerpt --- */
/* A block for each vertex of the round: queue[head] and those behind it. */
__global__ static void LAB_ANY_BLOCK release(weft_vid *queue, weft_vid head, const weft_eid *offsets, const weft_vid *targets,
                                             int32_t *degree, uint32_t *level, uint32_t round, uint32_t *tail) {
    weft_vid u = queue[head + blockIdx.x];
    for (weft_eid e = offsets[u] + threadIdx.x; e < offsets[u + 1]; e += blockDim.x) {
        weft_vid v = targets[e];
        if (atomicSub(&degree[v], 1) != 1) continue;
        level[v] = round + 1;
        queue[atomicAdd(tail, 1u)] = v;
    }
}
/* --- end --- */

static weft_status run(lab_run *r) {
    gpu_kahn_csr k(r);
    if (k.gpu.begin(release)) return k.gpu.status;
    k.degree_by_difference(k.in_offsets);
    start_queue<<<k.gpu.grid(k.n), r->block>>>(k.degree, k.n, k.level, k.active, k.count);
    weft_vid head = 0;
    for (weft_vid tail; (tail = k.gpu.peek(k.count)) > head && !k.gpu.status; head = tail, k.round++) {
        if (lab_stopped(r)) return WEFT_ECANCELLED;
        release<<<tail - head, r->block>>>(k.active, head, k.offsets, k.targets, k.degree, k.level, k.round, k.count);
    }
    k.gpu.end();
    if (!k.fetch_levels()) return k.gpu.status;
    return k.close(48.0 * k.n + kahn_bytes_of_rows(&k.host));
}
#endif

static const char *serves(lab_run *r) { return kahn_serves_gpu(r, csr_bytes(r), 20); }

const lab_rung kahn_gpu_queue = {
    .name = "gpu-csr-queue",
    .title = "GPU, CSR: a queue on the GPU",
    .against = "gpu-csr",
    .changed = "The thread that takes a vertex's last arc puts it into a queue, with one atomic on the queue's end; the host reads that "
               "end and launches a block for each vertex of the next round. No vertex that waits is looked at, and a row is "
               "walked by a whole block.",
    .wins = "One launch and one copy a round in the place of six, and the row in some ten steps and not in thousands.",
    .loses = "Rounds of hundreds of thousands: all of them add to one number. (The atomics of a warp are merged by the compiler, and "
             "one address takes one of them a nanosecond.)",
    .model = "48 n (degrees twice, queue twice, levels, offsets) + 12 an arc removed",
    .source = "lab/kahn/gpu_queue.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
