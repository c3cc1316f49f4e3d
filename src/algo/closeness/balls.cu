/* Sums of hops, estimated, on the GPU (near_cuda.h): HyperBall, as balls.c has it.
 * Method: all steps in one cooperative kernel, with a barrier of the grid between them.  A warp grows a ball: it takes
 * the greater registers, four of a word at once, of those neighbours that changed in the last step (lines.cuh); of a
 * ball that grew it adds up the registers, in integers, and one lane estimates the size and adds the distances, as a
 * core does.  The host only asks now and then whether to stop.
 * Encoding: a lane has 1, 2, 4, ... words of a sketch, in vectors of up to four: lane l has vector l of each 32. */
#include "algo/closeness/near_cuda.h"
#include "algo/closeness/sketch.h"
#include "cuda/buffers.cuh"
#include "cuda/grid.cuh"
#include "engines/msbfs/lines.cuh"

#include <cooperative_groups.h>

namespace {

using lines::lane_of;
using lines::THREADS;
using lines::WARP;
using lines::WARPS;

enum { SETS = 3 };
/* Of a launch, in bytes that are looked at: some 15 ms. */
const uint64_t BUDGET = (uint64_t)1 << 35, A_STEP = (uint64_t)1 << 24;

struct ball_counts {
    unsigned long long changes;
    lines::turns turn;
};

struct ball_progress {
    ball_counts set[SETS];
    unsigned long long hops, changes; /* of the step to come; in the last one */
};

struct balls {
    lines::layout look;
    weft_vid n;
    uint64_t registers;
    uint32_t *line[2];   /* sketches: of the last step, and of this one */
    uint8_t *changed[2]; /* in them */
    double *size, *sum, *value, *weight;
    weft_vid *longs;
    unsigned *long_count;
    ball_progress *p;
    wfi_closeness_scale scale;
};

/* So many words of a lane come at once. */
template <int N> struct vector_of;
template <> struct vector_of<1> { typedef uint32_t type; };
template <> struct vector_of<2> { typedef uint2 type; };
template <> struct vector_of<4> { typedef uint4 type; };

template <int W> struct sketch {
    static const int V = W < 4 ? W : 4, VECTORS = W / V;
    typedef typename vector_of<V>::type vector;
    uint32_t word[W];

    /* Lanes beyond the registers have none. */
    __device__ void read(const uint32_t *line, bool mine) {
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            union {
                vector all;
                uint32_t each[V];
            } u;
            u.all = mine ? ((const vector *)line)[i * WARP + lane_of()] : vector();
#pragma unroll
            for (int k = 0; k < V; k++) word[i * V + k] = u.each[k];
        }
    }
    __device__ void write(uint32_t *line, bool mine) const {
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            union {
                vector all;
                uint32_t each[V];
            } u;
#pragma unroll
            for (int k = 0; k < V; k++) u.each[k] = word[i * V + k];
            if (mine) ((vector *)line)[i * WARP + lane_of()] = u.all;
        }
    }
};

/* The sum over a warp's registers. */
template <int W> __device__ static wfi_sketch_sum add_up(const sketch<W> &s, bool mine) {
    wfi_sketch_sum sum = {0, 0};
#pragma unroll
    for (int k = 0; mine && k < W; k++)
#pragma unroll
        for (int b = 0; b < 4; b++) wfi_sketch_add(&sum, (uint8_t)(s.word[k] >> 8 * b));
    return {wfi_warp_sum(sum.sum), wfi_warp_sum(sum.empty)};
}

template <int W> struct grower {
    static const int WORDS = W, AT_ONCE = W <= 2 ? 8 / W : W == 4 ? 2 : 1;
    const balls &b;
    const uint32_t *now;
    uint32_t *next;
    const uint8_t *changed;
    uint8_t *changing;
    double hops;
    unsigned changes;
    bool mine;
    sketch<W> ball;

    __device__ uint32_t words() const { return (uint32_t)(b.registers / 4); }
    __device__ bool wants(uint64_t) const { return true; }
    __device__ bool begin(uint64_t, weft_vid) { return true; }
    __device__ void load(uint64_t, weft_vid v) { ball.read(now + (size_t)v * words(), mine); }
    __device__ bool take(weft_vid target, unsigned count) {
        bool grew = lane_of() < count && changed[target];
        for (unsigned left = __ballot_sync(~0u, grew); left;) {
            sketch<W> other[AT_ONCE];
#pragma unroll
            for (int j = 0; j < AT_ONCE; j++) {
                weft_vid u = __shfl_sync(~0u, target, left ? __ffs((int)left) - 1 : 0);
                other[j].read(now + (size_t)u * words(), mine && left);
                left &= left - 1;
            }
#pragma unroll
            for (int j = 0; j < AT_ONCE; j++)
#pragma unroll
                for (int k = 0; k < W; k++) ball.word[k] = join(ball.word[k], other[j].word[k]);
        }
        return false;
    }
    __device__ uint32_t &word(int k) { return ball.word[k]; }
    __device__ static uint32_t join(uint32_t a, uint32_t b) { return __vmaxu4(a, b); }
    __device__ void end(uint64_t, weft_vid v) {
        sketch<W> own;
        own.read(now + (size_t)v * words(), mine);
        bool grew = false;
#pragma unroll
        for (int k = 0; k < W; k++) grew = grew || ball.word[k] != own.word[k];
        grew = __any_sync(~0u, grew);
        /* What did not change now and did not in the step before is in both places. */
        if (grew || changed[v]) ball.write(next + (size_t)v * words(), mine);
        if (lane_of() == 0) changing[v] = grew;
        if (!grew) return;
        wfi_sketch_sum all = add_up(ball, mine);
        changes++;
        if (lane_of()) return;
        double size = wfi_sketch_size(b.registers, b.weight, all), fresh = size - b.size[v];
        b.size[v] = size;
        b.sum[v] += b.scale.harmonic ? fresh / hops : fresh * hops;
    }
};

} // namespace

template <int W> __device__ static bool has_words(const balls &b) {
    return lane_of() * (W < 4 ? W : 4) < b.registers / 4;
}

/* The first ball of a vertex, the vertex itself; the value keeps its size until the end. */
template <int W> __global__ static void __launch_bounds__(THREADS) first_balls(const balls b) {
    bool mine = has_words<W>(b);
    for (uint64_t v = wfi_thread() / WARP; v < b.n; v += wfi_all_threads() / WARP) {
        uint64_t hash = wfi_splitmix(v), place = hash & (b.registers - 1), words = b.registers / 4;
        for (uint64_t i = lane_of(); i < words; i += WARP) {
            uint32_t says = i == place / 4 ? (uint32_t)wfi_sketch_says(hash) << place % 4 * 8 : 0;
            b.line[0][v * words + i] = b.line[1][v * words + i] = says;
        }
        __syncwarp();
        sketch<W> first;
        first.read(b.line[0] + v * words, mine);
        wfi_sketch_sum all = add_up(first, mine);
        if (lane_of()) continue;
        b.changed[0][v] = 1;
        b.value[v] = b.size[v] = wfi_sketch_size(b.registers, b.weight, all);
        b.sum[v] = 0;
    }
    if (wfi_thread() == 0) {
        b.p->hops = 1;
        b.p->changes = b.n;
    }
}

template <int W> __global__ static void __launch_bounds__(THREADS, 2) grow_kernel(const balls b) {
    __shared__ unsigned long long in_block;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    unsigned long long hops = b.p->hops, changes = b.p->changes;
    uint64_t spent = 0, step = A_STEP + b.look.rows.offsets[b.n] * b.registers;
    lines::layout look = b.look;
    look.long_count = *b.long_count;
    grid.sync();
    for (; changes && spent < BUDGET; spent += step, hops++) {
        ball_counts *c = &b.p->set[hops % SETS];
        bool odd = hops & 1; /* the first step is 1: from line[0] */
        grower<W> grow = {b,
                          odd ? b.line[0] : b.line[1],
                          odd ? b.line[1] : b.line[0],
                          odd ? b.changed[0] : b.changed[1],
                          odd ? b.changed[1] : b.changed[0],
                          (double)hops,
                          0,
                          has_words<W>(b),
                          {}};
        if (threadIdx.x == 0) in_block = 0;
        __syncthreads();
        lines::visit_rows(grow, look, &c->turn);
        if (lane_of() == 0 && grow.changes) atomicAdd(&in_block, (unsigned long long)grow.changes);
        __syncthreads();
        if (threadIdx.x == 0 && in_block) atomicAdd(&c->changes, in_block);
        changes = wfi_sync_and_broadcast(&c->changes);
        if (wfi_thread() == 0) b.p->set[(hops + 2) % SETS] = {0, {0, 0}};
    }
    grid.sync();
    if (wfi_thread()) return;
    b.p->hops = hops;
    b.p->changes = changes;
}

__global__ static void tell_balls(const balls b) {
    for (uint64_t v = wfi_thread(); v < b.n; v += wfi_all_threads())
        b.value[v] = wfi_closeness_value(b.scale, b.size[v] - b.value[v], b.sum[v]);
}

/* --- the run ------------------------------------------------------------------------------------- */

/* weight: on the host. */
static void lay_out(wfi_workspace *space, wfi_workspace *device, const wfi_closeness *t, uint64_t registers,
                    double **weight, balls *b) {
    weft_vid n = t->g->n;
    b->n = n;
    b->registers = registers;
    b->scale = wfi_closeness_scale_of(t);
    wfi_array(space, weight, registers + 1);
    for (size_t i = 0; i < 2; i++) wfi_array(device, &b->line[i], n * (registers / 4));
    for (size_t i = 0; i < 2; i++) wfi_array(device, &b->changed[i], n);
    wfi_array(device, &b->size, n);
    wfi_array(device, &b->sum, n);
    wfi_array(device, &b->value, n);
    wfi_array(device, &b->weight, registers + 1);
    wfi_array_within(device, &b->longs, lines::most_long(t->g->arcs));
    wfi_array(device, &b->long_count, 1);
    wfi_array(device, &b->p, 1);
}

extern "C" void wfi_closeness_balls_space_cuda(wfi_workspace *space, wfi_workspace *device, const wfi_closeness *t,
                                               uint64_t registers) {
    balls b;
    double *weight;
    lay_out(space, device, t, registers, &weight, &b);
}

template <int W> static weft_status grow_all(weft_ctx *ctx, const char *name, balls *b) {
    const void *kernel = (const void *)grow_kernel<W>;
    int fit = 0;
    void *args[] = {b};
    ball_progress at = {};
    WFI_CUDA_OR_RETURN(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, THREADS, 0));
    unsigned blocks = wfi_grid(b->n, WARPS, (unsigned)(wfi_gpu_of(ctx)->sms * fit));
    b->look.unit = lines::unit_for(b->n, blocks);
    first_balls<W><<<wfi_grid(b->n, WARPS, 1 << 14), THREADS, 0, wfi_cuda_stream(ctx)>>>(*b);
    for (at.changes = b->n; at.changes;) {
        wfi_progress(ctx, name, b->n - at.changes, b->n);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        WFI_CUDA_OR_RETURN(
            cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(THREADS), args, 0, wfi_cuda_stream(ctx)));
        weft_status st = wfi_download(ctx, &at, b->p, sizeof at);
        if (st) return st;
    }
    return WEFT_OK;
}

static weft_status grow(weft_ctx *ctx, const char *name, balls *b) {
    switch (b->registers) {
    case 16:
    case 32:
    case 64:
    case 128: return grow_all<1>(ctx, name, b);
    case 256: return grow_all<2>(ctx, name, b);
    case 512: return grow_all<4>(ctx, name, b);
    case 1024: return grow_all<8>(ctx, name, b);
    case 2048: return grow_all<16>(ctx, name, b);
    default: return grow_all<32>(ctx, name, b);
    }
}

extern "C" weft_status wfi_closeness_by_balls_cuda(weft_ctx *ctx, const wfi_closeness *t, const wfi_view *back,
                                                   uint64_t registers, wfi_workspace *space, wfi_workspace *device) {
    balls b = {};
    double *weight;
    weft_vid n = t->g->n;
    lay_out(space, device, t, registers, &weight, &b);
    weft_status st = space->status ? space->status : device->status;
    if (st || !n) return st;
    wfi_sketch_weigh(registers, weight);
    st = wfi_upload(ctx, b.weight, weight, (registers + 1) * sizeof *weight);
    if (!st) st = wfi_zero(ctx, b.long_count, 1);
    if (!st) st = wfi_zero(ctx, b.p, 1);
    if (st) return st;
    b.look = {*back, n, n, b.longs, 0, 1};
    {
        wfi_kernel_scope stage(ctx, "iterations");
        unsigned flat = wfi_grid(n, 256, 4096);
        lines::list_long<<<flat, 256, 0, wfi_cuda_stream(ctx)>>>(*back, n, b.longs, b.long_count);
        st = grow(ctx, t->name, &b);
        if (st) return st;
        tell_balls<<<flat, 256, 0, wfi_cuda_stream(ctx)>>>(b);
        WFI_CUDA_OR_RETURN(cudaGetLastError());
    }
    return wfi_closeness_deliver(ctx, t, b.value);
}
