/* GPU: gpu-contributions, where a thread that meets a long row launches a kernel for it.
 * The thesis, 7.2: "challenges regarding race conditions must be addressed".  Its parent launches a child to add up a row and then uses
 * the sum; but a child may begin when it likes, and since CUDA 12 a kernel cannot wait for one (there is no cudaDeviceSynchronize on
 * the device).  The race goes away when nobody waits: the child does all of its row, the end of it too, so that the parent never asks.
 * A grid is complete when its children are, fire-and-forget ones included, and the host's next launch comes after that: no step sees a
 * half-done one before it.
 * Should win: hubs, against one thread a row.  Should lose: a launch from the device costs a microsecond or more, and gpu-shuffle has
 * the same effect without.
 * Needs relocatable device code (-rdc=true) and cudadevrt: only this file is compiled so (cmake -DWEFT_LAB_DYNAMIC=OFF leaves it
 * out, and the rung is skipped by name). */
#include "pagerank.cuh"

#if defined(__CUDACC__) && defined(WEFT_LAB_DYNAMIC)
#define RUN  run
#define LACK NULL
enum { LONG_ROW = 1024, CHILD_THREADS = 256 };

/* --- excerpt --- */
__global__ static void add_row(weft_vid v, weft_eid from, weft_eid to, const weft_vid *sources, const float *share,
                               pagerank_share<float> end) {
    double sum = 0;
    for (weft_eid e = from + threadIdx.x; e < to; e += blockDim.x) sum += (double)share[sources[e]];
    sum = pagerank_block_sum(sum);
    if (threadIdx.x == 0) end.put(v, sum); /* the child ends the row itself: the parent asks for nothing */
}

__global__ static void LAB_ANY_BLOCK add_and_launch(const weft_eid *offsets, const weft_vid *sources,
                                                    const float *share, pagerank_share<float> end) {
    uint64_t v = lab_thread();
    if (v >= end.rule.n) return;
    weft_eid from = offsets[v], to = offsets[v + 1];
    if (to - from > LONG_ROW) {
        add_row<<<1, CHILD_THREADS, 0, cudaStreamFireAndForget>>>((weft_vid)v, from, to, sources, share, end);
        if (cudaGetLastError() == cudaSuccess) return; /* else there were too many children: do it here */
    }
    double sum = 0;
    for (weft_eid e = from; e < to; e++) sum += (double)share[sources[e]];
    end.put(v, sum);
}
/* --- end --- */

/* Room for a child for each long row; the usual room is for 2048. */
static void make_room(gpu_contributions<float> &s) {
    size_t rows = 0, room = 0;
    lab_turn(s.r, LAB_UNTIMED);
    for (weft_vid v = 0; v < s.n; v++) rows += s.r->in.offsets[v + 1] - s.r->in.offsets[v] > LONG_ROW;
    if (!s.gpu.status) cudaDeviceGetLimit(&room, cudaLimitDevRuntimePendingLaunchCount);
    if (room && room < rows + 16 && cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, rows + 16) != cudaSuccess)
        cudaGetLastError(); /* then some rows are not launched, and their threads do them */
    lab_turn(s.r, LAB_ALLOCATE);
}

static weft_status run(lab_run *r) {
    gpu_contributions<float> s(r);
    make_room(s);
    if (s.begin(add_and_launch)) return s.gpu.status;
    s.iterate([&](const pagerank_share<float> &end) {
        add_and_launch<<<s.gpu.grid(s.n), r->block>>>(s.offsets, s.rows, s.share, end);
    });
    return s.answer(pagerank_iterations(r), pagerank_contributions_bytes(r));
}
#else
#define RUN  NULL
#define LACK "this program was built without dynamic parallelism (cmake -DWEFT_LAB_DYNAMIC=ON)"
#endif

static const char *serves(lab_run *r) {
    const char *other = pagerank_gpu_serves(r);
    return other ? other : LACK;
}

const lab_rung pagerank_gpu_dynamic = {
    .name = "gpu-dynamic",
    .title = "GPU, dynamic parallelism: a long row gets a kernel of its own",
    .against = "gpu-contributions",
    .changed =
        "A thread that meets a row of more than 1024 arcs launches a kernel for it and goes on. The thesis left a race "
        "here: its parent uses the child's sum without being able to wait for it. This child ends the row itself, "
        "and the step is over only when its children are.",
    .wins = "Graphs with hubs, against one thread for each row.",
    .loses = "Launching: a microsecond or more for each hub and step. A warp for each row does the same for nothing.",
    .model = PAGERANK_CONTRIBUTIONS_MODEL,
    .source = "lab/pagerank/gpu_dynamic.cu",
    .device = LAB_CUDA,
    .adjust = pagerank_in_f32,
    .serves = serves,
    .run = RUN,
};
