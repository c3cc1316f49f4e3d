/* The best vertices of a lane, GPU.
 * Method: the vertices are cut into groups; the K-th largest of the groups' maximum ranks is a lower bound of the K-th
 * largest rank.  Vertices of at least that rank are candidates, selected in the order of vertices (CUB's select) and
 * sorted by rank, stably (CUB's radix sort), so that equal ranks stay in that order.  There are usually few more
 * candidates than rows asked for.  Groups are compared by the upper half of the bits of their ranks, which order like
 * the ranks. */
#include "algo/ppr/ppr_cuda.cuh"
#include "cuda/buffers.cuh"
#include "cuda/warp.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

namespace wfi_ppr {

namespace {

enum { GROUP = 256, WARP = 32, MOST_BLOCKS = 1 << 16 };

__device__ uint32_t upper_half(double x) { return (uint32_t)(__double_as_longlong(x) >> 32); }

struct is_candidate {
    ranks r;
    unsigned lane;
    const uint32_t *least; /* NULL: every rank above 0 */
    __device__ bool operator()(weft_vid v) const {
        double x = r.of(v, lane);
        return x > 0 && (!least || upper_half(x) >= *least);
    }
};

} // namespace

__global__ static void __launch_bounds__(GROUP) find_tops(ranks r, unsigned lane, weft_vid n, uint32_t *top) {
    __shared__ uint32_t of_warp[GROUP / WARP];
    uint64_t groups = ((uint64_t)n + GROUP - 1) / GROUP;
    for (uint64_t group = blockIdx.x; group < groups; group += gridDim.x) {
        uint64_t v = group * GROUP + threadIdx.x;
        uint32_t most = wfi_warp_max(v < n ? upper_half(r.of(v, lane)) : 0u);
        if (threadIdx.x % WARP == 0) of_warp[threadIdx.x / WARP] = most;
        __syncthreads();
        if (threadIdx.x < WARP) {
            most = wfi_warp_max(threadIdx.x < GROUP / WARP ? of_warp[threadIdx.x] : 0u);
            if (threadIdx.x == 0) top[group] = most;
        }
        __syncthreads();
    }
}

__global__ static void take_ranks(ranks r, unsigned lane, const weft_vid *vertex, unsigned count, double *rank) {
    for (uint64_t i = wfi_thread(); i < count; i += wfi_all_threads()) rank[i] = r.of(vertex[i], lane);
}

static uint64_t groups_of(weft_vid n) { return ((uint64_t)n + GROUP - 1) / GROUP; }
static uint64_t scratch_for(weft_vid n) { return wfi_max_u64(wfi_cub_scan_bytes(n), wfi_cub_sort_bytes(n)); }

void lay_out_picking(wfi_workspace *device, weft_vid n, picking *k) {
    k->n = n;
    for (int i = 0; i < 2; i++) wfi_array_within(device, &k->vertex[i], n);
    for (int i = 0; i < 2; i++) wfi_array_within(device, &k->rank[i], n);
    for (int i = 0; i < 2; i++) wfi_array_within(device, &k->top[i], groups_of(n));
    wfi_array(device, &k->found, n ? 1 : 0);
    wfi_array_within(device, &k->scratch, n ? scratch_for(n) : 0);
}

/* Selects the candidates; *count: their number. */
static weft_status find_candidates(weft_ctx *ctx, const picking &k, const ranks &r, const wfi_ppr_best *best,
                                   unsigned *count) {
    cudaStream_t stream = wfi_cuda_stream(ctx);
    uint64_t groups = groups_of(k.n);
    size_t bytes = scratch_for(k.n);
    is_candidate wanted = {r, best->lane, NULL};
    if (best->most <= groups) {
        cub::DoubleBuffer<uint32_t> top(k.top[0], k.top[1]);
        find_tops<<<(unsigned)wfi_min_u64(groups, MOST_BLOCKS), GROUP, 0, stream>>>(r, best->lane, k.n, k.top[0]);
        WFI_CUDA_OR_RETURN(
            cub::DeviceRadixSort::SortKeysDescending(k.scratch, bytes, top, (int64_t)groups, 0, 32, stream));
        wanted.least = top.Current() + (best->most - 1);
    }
    thrust::counting_iterator<weft_vid> all(0);
    bytes = scratch_for(k.n);
    WFI_CUDA_OR_RETURN(
        cub::DeviceSelect::If(k.scratch, bytes, all, k.vertex[0], k.found, (int64_t)k.n, wanted, stream));
    return wfi_download(ctx, count, k.found, sizeof *count);
}

weft_status pick_best(weft_ctx *ctx, const picking &k, const ranks &r, wfi_ppr_best *best) {
    unsigned count = 0;
    cudaStream_t stream = wfi_cuda_stream(ctx);
    size_t bytes = scratch_for(k.n);
    weft_status st = find_candidates(ctx, k, r, best, &count);
    if (st || !count) return st;
    take_ranks<<<wfi_grid(count, GROUP, MOST_BLOCKS), GROUP, 0, stream>>>(r, best->lane, k.vertex[0], count, k.rank[0]);
    cub::DoubleBuffer<double> rank(k.rank[0], k.rank[1]);
    cub::DoubleBuffer<weft_vid> vertex(k.vertex[0], k.vertex[1]);
    WFI_CUDA_OR_RETURN(
        cub::DeviceRadixSort::SortPairsDescending(k.scratch, bytes, rank, vertex, (int64_t)count, 0, 64, stream));
    best->found = wfi_min_u64(count, best->most);
    st = wfi_download(ctx, best->rank, rank.Current(), best->found * sizeof *best->rank);
    return st ? st : wfi_download(ctx, best->vertex, vertex.Current(), best->found * sizeof *best->vertex);
}

} // namespace wfi_ppr
