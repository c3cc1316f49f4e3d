/* Kahn's algorithm on the GPU: the arrays and the steps that its rungs share (kahn.cuh).  Without CUDA there is nothing here.
 * The scan is G. E. Blelloch's, "Prefix sums and their applications", CMU-CS-90-190, 1990. */
#include "kahn.cuh"

#ifdef __CUDACC__

enum { THREADS = 256, SCANNED = 1024 }; /* flags that a block scans, two for each of its threads */

/* --- rounds ----------------------------------------------------------------------------------------------------- */

__global__ static void flag_free(const int32_t *degree, uint32_t *flags, weft_vid n) {
    uint64_t v = lab_thread();
    if (v < n) flags[v] = degree[v] == 0;
}

__global__ static void compact_flagged(const uint32_t *flags, const uint32_t *places, weft_vid n, weft_vid *active,
                                       uint32_t *level, uint32_t round, uint32_t *count) {
    uint64_t v = lab_thread();
    if (v >= n) return;
    if (flags[v]) {
        active[places[v]] = (weft_vid)v;
        level[v] = round;
    }
    if (v == n - 1) *count = places[v] + flags[v];
}

/* A block scans its 1024 numbers in shared memory; what is behind the end counts as zeros, so that only here a power of two is
 * needed. */
__global__ static void scan_blocks(const uint32_t *in, uint32_t *out, size_t length, uint32_t *block_sums) {
    __shared__ uint32_t x[SCANNED];
    size_t first = (size_t)blockIdx.x * SCANNED;
    for (unsigned i = threadIdx.x; i < SCANNED; i += blockDim.x) x[i] = first + i < length ? in[first + i] : 0;
    for (unsigned step = 1; step < SCANNED; step *= 2) {
        __syncthreads();
        unsigned i = 2 * step * (threadIdx.x + 1) - 1;
        if (i < SCANNED) x[i] += x[i - step];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        block_sums[blockIdx.x] = x[SCANNED - 1];
        x[SCANNED - 1] = 0;
    }
    for (unsigned step = SCANNED / 2; step; step /= 2) {
        __syncthreads();
        unsigned i = 2 * step * (threadIdx.x + 1) - 1;
        if (i < SCANNED) {
            uint32_t left = x[i - step];
            x[i - step] = x[i];
            x[i] += left;
        }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < SCANNED; i += blockDim.x)
        if (first + i < length) out[first + i] = x[i];
}

__global__ static void add_block_sums(uint32_t *out, size_t length, const uint32_t *block_sums) {
    uint64_t i = lab_thread();
    if (i < length) out[i] += block_sums[i / SCANNED];
}

void gpu_kahn::scan(const uint32_t *in, uint32_t *out, size_t length, uint32_t *block_sums) {
    unsigned blocks = (unsigned)((length + SCANNED - 1) / SCANNED);
    if (!blocks) return;
    scan_blocks<<<blocks, SCANNED / 2>>>(in, out, length, block_sums);
    if (blocks == 1) return;
    scan(block_sums, block_sums, blocks, block_sums + blocks);
    add_block_sums<<<gpu.grid(length, THREADS), THREADS>>>(out, length, block_sums);
}

void gpu_kahn::flag() { flag_free<<<gpu.grid(n, THREADS), THREADS>>>(degree, flags, n); }

weft_vid gpu_kahn::compact() {
    compact_flagged<<<gpu.grid(n, THREADS), THREADS>>>(flags, places, n, active, level, round, count);
    return gpu.peek(count);
}

weft_vid gpu_kahn::collect() {
    return collect_by([&] { scan(flags, places, n, sums); });
}

/* --- degrees and removal ------------------------------------------------------------------------------------------- */

__global__ static void difference(const weft_eid *offsets, int32_t *degree, weft_vid n) {
    uint64_t v = lab_thread();
    if (v < n) degree[v] = (int32_t)(offsets[v + 1] - offsets[v]);
}

void gpu_kahn::degree_by_difference(const weft_eid *in_offsets) {
    difference<<<gpu.grid(n, THREADS), THREADS>>>(in_offsets, degree, n);
}

/* The thesis's remove_active_nodes_csr. */
__global__ static void remove_by_atomics(const weft_vid *active, weft_vid count, const weft_eid *offsets,
                                         const weft_vid *targets, int32_t *degree) {
    uint64_t i = lab_thread();
    if (i >= count) return;
    weft_vid u = active[i];
    degree[u] = -1;
    for (weft_eid e = offsets[u]; e < offsets[u + 1]; e++) atomicSub(&degree[targets[e]], 1);
}

void gpu_kahn::remove_rows(weft_vid found) {
    remove_by_atomics<<<gpu.grid(found, THREADS), THREADS>>>(active, found, offsets, targets, degree);
}

/* --- the arrays ---------------------------------------------------------------------------------------------------- */

gpu_kahn::gpu_kahn(lab_run *run) : host(), gpu(run), r(run), n(run->out.vertices), offsets(), targets(), round() {
    host.r = r;
    host.out = r->out;
    host.in = r->in;
    host.n = n;
    degree = gpu.take_zeroed<int32_t>((size_t)n + 1);
    flags = gpu.take<uint32_t>((size_t)n + 1);
    places = gpu.take<uint32_t>((size_t)n + 1);
    sums = gpu.take<uint32_t>(n / 512 + 16); /* of blocks, of blocks of blocks, ... */
    count = gpu.take_zeroed<uint32_t>(1);
    level = gpu.take<uint32_t>((size_t)n + 1);
    active = gpu.take<weft_vid>((size_t)n + 1);
    gpu.fill_bytes(level, 255, n * sizeof *level); /* WEFT_UNREACHED */
}

void gpu_kahn::with_host(kahn_store store) {
    weft_status st = gpu.status ? gpu.status : kahn_open(r, store, 0, &host);
    if (st) gpu.status = st;
}

void gpu_kahn::bring_rows() {
    offsets = gpu.bring(r->out.offsets, (size_t)n + 1);
    targets = gpu.bring(r->out.targets, r->out.arcs);
}

/* A warp for each row. */
__global__ static void fill_cells(const weft_eid *offsets, const weft_vid *targets, weft_vid n, int32_t *cells) {
    for (uint64_t u = lab_thread() / 32; u < n; u += lab_threads() / 32)
        for (weft_eid e = offsets[u] + threadIdx.x % 32; e < offsets[u + 1]; e += 32)
            atomicAdd(&cells[u * n + targets[e]], 1);
}

int32_t *gpu_kahn::make_cells(const weft_csr &rows) {
    int32_t *cells = gpu.take_zeroed<int32_t>((size_t)n * n);
    const weft_eid *row_offsets = gpu.bring(rows.offsets, (size_t)n + 1);
    const weft_vid *row_targets = gpu.bring(rows.targets, rows.arcs);
    if (gpu.status) return NULL;
    fill_cells<<<gpu.grid_filling(32 * (uint64_t)n, THREADS), THREADS>>>(row_offsets, row_targets, n, cells);
    gpu.failed("filling the matrix", cudaDeviceSynchronize());
    return cells;
}

bool gpu_kahn::fetch_levels() {
    host.level = gpu.fetch(level, n);
    return !gpu.status;
}

#endif
