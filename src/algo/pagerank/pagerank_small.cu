/* PageRank of a small graph, GPU: the blocks of one cluster keep everything in shared memory, and an iteration costs one
 * barrier of the cluster.
 * Needs: compute capability 9.0, one part, fewer than 2^16 - 1 vertices, and what cut_small finds to fit.
 * Each block has a table of all shares, and 16-bit cells, states and sums of its own rows.  It adds up its units, settles its
 * rows and writes their new shares to global memory, from which all blocks fill their tables after the barrier: writing them
 * into the other blocks' tables is slower (12 bytes a cycle from an SM).  Vertices that no arc leaves have no place in it.
 * Same bits as pagerank_cuda.cu: sums of integers in any order. */
#include "algo/pagerank/pagerank_cuda.cuh"

#include <cooperative_groups.h>
#include <math.h>

namespace groups = cooperative_groups;

enum { THREADS = 1024, WARPS = THREADS / WARP, AT_ONCE = 8, NO_PLACE = 0xffff, SHARED_ROW = 0x8000 };

/* What blocks tell each other besides shares. */
struct told {
    unsigned long long change[LIMBS], dangling[LIMBS];
};

/* --- what lies where in shared memory ------------------------------------------------- */

template <class S> struct small_room {
    S *table;                 /* places + 4: shares by place, then a zero for cells without a source */
    double *give;             /* rows */
    unsigned long long *came; /* rows, LIMBS each */
    told *block;              /* 2 x SMALL_BLOCKS, in turn */
    told *warp;               /* WARPS, of this block */
    uint32_t *begin;          /* units + 1: steps */
    S *rank;                  /* rows */
    uint16_t *cells;          /* steps * WFI_LANES */
    uint16_t *unit_row;       /* units; with SHARED_ROW when it is not the only unit of its row */
    uint16_t *place;          /* rows: its own, or NO_PLACE */
    size_t bytes;

    __host__ __device__ small_room(char *base, uint32_t places, uint32_t rows, uint32_t units, uint32_t steps)
        : bytes(0) {
        table = part<S>(base, (size_t)places + 4);
        give = part<double>(base, rows);
        came = part<unsigned long long>(base, LIMBS * (size_t)rows);
        block = part<told>(base, 2 * SMALL_BLOCKS);
        warp = part<told>(base, WARPS);
        begin = part<uint32_t>(base, (size_t)units + 1);
        rank = part<S>(base, rows);
        cells = part<uint16_t>(base, (size_t)steps * WFI_LANES);
        unit_row = part<uint16_t>(base, units);
        place = part<uint16_t>(base, rows);
    }

    template <class T> __host__ __device__ T *part(char *base, size_t count) {
        T *at = (T *)(base + bytes);
        bytes += (count * sizeof(T) + 15) / 16 * 16;
        return at;
    }
};

/* --- the kernel ----------------------------------------------------------------------- */

/* Steps begin ... end-1 of this lane. */
template <class S>
__device__ void add_steps(const small_room<S> &m, const S *from, uint32_t begin, uint32_t end, wfi_sum<S> *sum) {
    const uint16_t *cell = m.cells + threadIdx.x % WARP;
    for (uint32_t step = begin; step < end; step += AT_ONCE) {
        S got[AT_ONCE];
#pragma unroll
        for (uint32_t i = 0; i < AT_ONCE; i++) got[i] = step + i < end ? from[cell[(step + i) * WFI_LANES]] : (S)0;
#pragma unroll
        for (uint32_t i = 0; i < AT_ONCE; i++) sum->add(got[i]);
    }
}

/* By value: a choice between places would put them into memory. */
template <class S> __device__ wfi_sum<S> pick(bool second, wfi_sum<S> a, wfi_sum<S> b) {
    if (second) a = b;
    return a;
}

/* Four sums over the warp at the price of little more than one: lanes hand over what others add up, then half the lanes have
 * half the sums each.  Lanes 8q ... 8q+7 get the q-th. */
template <class S> __device__ wfi_sum<S> add_four(const wfi_sum<S> (&sum)[4]) {
    bool upper = threadIdx.x & 16, odd = threadIdx.x & 8;
    wfi_sum<S> a = pick(upper, sum[0], sum[2]), b = pick(upper, sum[1], sum[3]);
    a.join(pick(upper, sum[2], sum[0]).across(16));
    b.join(pick(upper, sum[3], sum[1]).across(16));
    wfi_sum<S> c = pick(odd, a, b);
    c.join(pick(odd, b, a).across(8));
    for (int far = 4; far; far /= 2) c.join(c.across(far));
    return c;
}

/* Units of long rows, TOGETHER of them by a warp: waiting for one, it works at the others. */
template <class S> __device__ void add_long_rows(const small_room<S> &m, const S *from, uint32_t longs) {
    enum { TOGETHER = 4, BEGINNING = 2 };
    const uint16_t *cell = m.cells + threadIdx.x % WARP;
    for (uint32_t unit = threadIdx.x / WARP; unit < longs; unit += TOGETHER * WARPS) {
        wfi_sum<S> sum[TOGETHER];
        uint32_t begin[TOGETHER], end[TOGETHER];
        S got[TOGETHER][BEGINNING];
#pragma unroll
        for (int q = 0; q < TOGETHER; q++) {
            uint32_t u = unit + q * WARPS;
            begin[q] = u < longs ? m.begin[u] : 0;
            end[q] = u < longs ? m.begin[u + 1] : 0;
        }
#pragma unroll
        for (int q = 0; q < TOGETHER; q++)
#pragma unroll
            for (int i = 0; i < BEGINNING; i++)
                got[q][i] = begin[q] + i < end[q] ? from[cell[(begin[q] + i) * WFI_LANES]] : (S)0;
#pragma unroll
        for (int q = 0; q < TOGETHER; q++)
#pragma unroll
            for (int i = 0; i < BEGINNING; i++) sum[q].add(got[q][i]);
#pragma unroll
        for (int q = 0; q < TOGETHER; q++)
            if (end[q] > begin[q] + BEGINNING) add_steps(m, from, begin[q] + BEGINNING, end[q], &sum[q]);
        wfi_sum<S> total = add_four(sum);
        uint32_t u = unit + threadIdx.x % WARP / 8 * WARPS;
        if (threadIdx.x % 8 || u >= longs) continue;
        unsigned long long *place = m.came + LIMBS * (size_t)(m.unit_row[u] & ~SHARED_ROW);
        if (m.unit_row[u] & SHARED_ROW)
            total.add_to(place);
        else
            total.put(place);
    }
}

template <class S>
__device__ void add_slices(const small_room<S> &m, const S *from, uint32_t first, uint32_t units, uint32_t rows) {
    unsigned lane = threadIdx.x % WARP;
    for (uint32_t u = first + threadIdx.x / WARP; u < units; u += WARPS) {
        wfi_sum<S> sum;
        add_steps(m, from, m.begin[u], m.begin[u + 1], &sum);
        if (m.unit_row[u] + lane < rows) sum.put(m.came + LIMBS * (size_t)(m.unit_row[u] + lane));
    }
}

/* Both sums over the warp, for all its lanes. */
template <class S> __device__ told over_lanes(wfi_sum<S> change, wfi_sum<S> dangling) {
    bool odd = threadIdx.x & 1;
    wfi_sum<S> mine = pick(odd, change, dangling);
    mine.join(pick(odd, dangling, change).across(1));
    for (int far = WARP / 2; far > 1; far /= 2) mine.join(mine.across(far));
    wfi_sum<S> other = mine.across(1);
    told all = {};
    pick(odd, mine, other).put(all.change);
    pick(odd, other, mine).put(all.dangling);
    return all;
}

/* What this block works on. */
template <class S> struct own_rows {
    small_room<S> m;
    uint32_t row, rows, unit, units, longs, places; /* places: of all blocks */
    __device__ own_rows(char *base, const job<plain<S>> &j, const small_cut &cut, unsigned me)
        : m(base, cut.place[cut.blocks], cut.rows, cut.units, cut.steps), row(cut.row[me]), rows(cut.row[me + 1] - row),
          unit(cut.unit[me]), units(cut.unit[me + 1] - unit),
          longs(j.at[0].slice > unit ? min(j.at[0].slice - unit, units) : 0), places(cut.place[cut.blocks]) {}
};

template <class S>
__device__ void fill_room(const own_rows<S> &o, const job<plain<S>> &j, const uint16_t *place_of, const S *share) {
    const small_room<S> &m = o.m;
    uint32_t step = j.step[o.unit], thread = threadIdx.x;
    const uint32_t *unit_row = j.unit_row + o.unit;
    for (uint32_t u = thread; u <= o.units; u += THREADS) {
        m.begin[u] = j.step[o.unit + u] - step;
        if (u == o.units) continue;
        bool shared = (u && unit_row[u - 1] == unit_row[u]) || (u + 1 < o.units && unit_row[u + 1] == unit_row[u]);
        m.unit_row[u] = (uint16_t)(((unit_row[u] & ~WFI_LONG) - o.row) | (shared ? SHARED_ROW : 0));
    }
    __syncthreads();
    for (uint32_t i = thread; i < m.begin[o.units] * WFI_LANES; i += THREADS) {
        weft_vid source = j.cells[(size_t)step * WFI_LANES + i];
        m.cells[i] = source == WFI_NO_SOURCE ? (uint16_t)o.places : place_of[source];
    }
    for (uint32_t r = thread; r < o.rows; r += THREADS) {
        double parts = (double)j.degree[o.row + r];
        m.give[r] = parts > 0 ? WFI_DEVICE_ONE / parts : 0;
        m.rank[r] = j.rank[o.row + r];
        m.place[r] = parts > 0 ? place_of[j.own[o.row + r]] : (uint16_t)NO_PLACE;
        for (int i = 0; i < LIMBS; i++) m.came[LIMBS * (size_t)r + i] = 0;
    }
    if (thread < WARPS) m.warp[thread] = {};
    for (uint32_t source = thread; source < o.places; source += THREADS) m.table[place_of[source]] = share[source];
    if (thread == 0) m.table[o.places] = 0;
}

/* New ranks of the block's rows, their shares to `to`; `asked`: what came of it is handed in. */
template <class S>
__device__ void settle_rows(const own_rows<S> &o, const job<plain<S>> &j, double teleport, bool asked, S *to) {
    const small_room<S> &m = o.m;
    uint32_t thread = threadIdx.x, lane = thread % WARP;
    totals<plain<S>> t;
    for (uint32_t r = thread; r < o.rows; r += THREADS) {
        unsigned long long *place = m.came + LIMBS * (size_t)r;
        uint16_t own = m.place[r];
        double jumped = (j.restart ? j.restart[o.row + r] : j.r.uniform) * teleport, give = m.give[r];
        S stored = (S)(jumped + j.r.damping * wfi_sum<S>::from(place).value());
        double rank = (double)stored, old = (double)m.rank[r];
        for (int k = 0; k < LIMBS; k++) place[k] = 0;
        m.rank[r] = stored;
        if (own != NO_PLACE) to[own] = (S)(rank * give);
        if (asked && own == NO_PLACE) t.dangling.add_part(rank);
        if (asked) t.change.add_part(fabs(rank - old));
    }
    if (!asked || thread - lane >= o.rows) return;
    told of_warp = over_lanes(t.change, t.dangling);
    if (lane == 0) m.warp[thread / WARP] = of_warp;
}

/* An iteration's sums are asked for when something depends on them. */
template <class S>
__global__ void __launch_bounds__(THREADS, 1)
    small_kernel(job<plain<S>> j, small_cut cut, uint64_t first, uint64_t count) {
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(16) char base[];
    enum { VECTOR = sizeof(float4) / sizeof(S) };
    groups::cluster_group cluster = groups::this_cluster();
    unsigned me = cluster.block_rank(), thread = threadIdx.x;
    own_rows<S> o(base, j, cut, me);
    control *c = j.c;
    fill_room(o, j, cut.place_of, j.share[first & 1]);
    double teleport = c->teleport, residual = 0;
    bool settled = false, always = j.r.by_tolerance || (!j.r.drop && o.places < j.n);
    uint64_t i = first;
    cluster.sync();
    for (; i < first + count && !settled; i++) {
        S *to = (S *)cut.exchange + (i & 1) * cut.stride;
        told *news = o.m.block + (i & 1) * SMALL_BLOCKS;
        bool asked = always || i + 1 == first + count;
        add_long_rows(o.m, o.m.table, o.longs);
        add_slices(o.m, o.m.table, o.longs, o.units, o.rows);
        __syncthreads();
        settle_rows(o, j, teleport, asked, to);
        if (asked) {
            __syncthreads();
            if (thread < WARP) {
                const told &one = o.m.warp[thread];
                told block = over_lanes(wfi_sum<S>::from(one.change), wfi_sum<S>::from(one.dangling));
                if (thread < cut.blocks) cluster.map_shared_rank(news, thread)[me] = block;
            }
        }
        cluster.sync();
        for (uint32_t k = thread; k * VECTOR <= o.places; k += THREADS)
            ((float4 *)o.m.table)[k] = __ldcg((const float4 *)to + k);
        if (asked && thread < WARP) {
            told one = {};
            if (thread < cut.blocks) one = news[thread];
            told all = over_lanes(wfi_sum<S>::from(one.change), wfi_sum<S>::from(one.dangling));
            if (thread == 0) news[0] = all;
        }
        __syncthreads();
        if (!asked) continue;
        residual = wfi_sum<S>::from(news->change).value();
        double dangling = wfi_sum<S>::from(news->dangling).value();
        teleport = (1 - j.r.damping) + (j.r.drop ? 0 : j.r.damping * dangling);
        settled = j.r.by_tolerance && residual <= j.r.tolerance;
    }
    for (uint32_t r = thread; r < o.rows; r += THREADS) {
        j.rank[o.row + r] = o.m.rank[r];
        if (o.m.place[r] != NO_PLACE) j.share[i & 1][j.own[o.row + r]] = o.m.table[o.m.place[r]];
    }
    if (me == 0 && thread == 0) {
        c->teleport = teleport;
        c->residual = residual;
        c->iterations = i;
        c->settled = settled;
    }
#endif
}

/* --- whether it fits ------------------------------------------------------------------- */

template <class S> static cudaLaunchConfig_t configure(const small_cut &cut, cudaLaunchAttribute *attribute) {
    cudaLaunchConfig_t config = {};
    attribute->id = cudaLaunchAttributeClusterDimension;
    attribute->val.clusterDim.x = cut.blocks;
    attribute->val.clusterDim.y = attribute->val.clusterDim.z = 1;
    config.gridDim = dim3(cut.blocks);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = cut.shared;
    config.stream = wfi_cuda_stream();
    config.attrs = attribute;
    config.numAttrs = 1;
    return config;
}

/* What a block has to do, in steps: its steps, one more for each unit, which reducing costs, and one for 16 rows. */
struct effort {
    const uint32_t *step, *unit_row;
    uint32_t units;
    wfi_ranked_part at;
    uint64_t until_unit(uint32_t u) const { return step[u] + u + (u < units ? unit_row[u] : at.empty) / 16; }
    uint64_t all() const { return step[units] + units + at.end / 16; }
};

/* Whole rows to each block, about as much work to all. */
static void cut_rows(const effort &e, small_cut *cut) {
    const wfi_ranked_part &at = e.at;
    uint32_t units = e.units;
    unsigned b = 1;
    cut->unit[0] = cut->row[0] = 0;
    for (uint32_t u = 1; u < units && b < cut->blocks; u++)
        if (e.unit_row[u] != e.unit_row[u - 1] && e.until_unit(u) >= e.all() * b / cut->blocks) {
            cut->unit[b] = u;
            cut->row[b++] = e.unit_row[u];
        }
    for (; b <= cut->blocks; b++) {
        uint64_t target = e.all() * b / cut->blocks, of_units = e.until_unit(units);
        uint64_t row = at.empty + 16 * (target > of_units ? target - of_units : 0);
        cut->unit[b] = units;
        cut->row[b] = b == cut->blocks || row > at.end ? at.end : (uint32_t)row;
    }
    cut->rows = cut->units = cut->steps = 0;
    for (b = 0; b < cut->blocks; b++) {
        uint32_t rows = cut->row[b + 1] - cut->row[b], count = cut->unit[b + 1] - cut->unit[b];
        uint32_t steps = e.step[cut->unit[b + 1]] - e.step[cut->unit[b]];
        if (rows > cut->rows) cut->rows = rows;
        if (count > cut->units) cut->units = count;
        if (steps > cut->steps) cut->steps = steps;
    }
}

template <class S>
static weft_status choose_blocks(weft_ctx *ctx, const effort &e, uint32_t sources, size_t most, small_cut *cut) {
    WFI_CUDA(cudaFuncSetAttribute(small_kernel<S>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    for (unsigned blocks = SMALL_BLOCKS; blocks >= 8; blocks /= 2) {
        cudaLaunchAttribute attribute;
        int fit = 0;
        cut->blocks = blocks;
        cut_rows(e, cut);
        cut->shared = small_room<S>(NULL, sources, cut->rows, cut->units, cut->steps).bytes;
        if (cut->shared > most) continue;
        cudaLaunchConfig_t config = configure<S>(*cut, &attribute);
        WFI_CUDA(cudaFuncSetAttribute(small_kernel<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)cut->shared));
        if (cudaOccupancyMaxActiveClusters(&fit, small_kernel<S>, &config) == cudaSuccess && fit > 0) return WEFT_OK;
        (void)cudaGetLastError(); /* a cluster of this size cannot be there: no failure, a smaller one may be */
    }
    cut->blocks = 0;
    return WEFT_OK;
}

/* Places by block, in it by row. */
static void give_places(const weft_vid *own, uint32_t sources, uint16_t *place_of, small_cut *cut) {
    uint32_t place = 0;
    for (unsigned b = 0; b < cut->blocks; b++) {
        cut->place[b] = place;
        for (uint32_t r = cut->row[b]; r < cut->row[b + 1]; r++)
            if (own[r] < sources) place_of[own[r]] = (uint16_t)place++;
    }
    cut->place[cut->blocks] = place;
}

template <class S>
weft_status cut_small(weft_ctx *ctx, const wfi_ranked *r, wfi_buffer<uint16_t> *place_of, wfi_buffer<S> *exchange,
                      small_cut *cut) {
    enum { MOST_UNITS = 1 << 15 };
    int clusters = 0, most = 0;
    cudaFuncAttributes compiled;
    cut->blocks = 0;
    uint32_t units = r->unit[0][1], sources = r->n - r->sinks;
    if (r->parts != 1 || r->blocks != 1 || r->n > WFI_SMALL || units > MOST_UNITS || !units) return WEFT_OK;
    WFI_CUDA(cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, 0));
    WFI_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    WFI_CUDA(cudaFuncGetAttributes(&compiled, small_kernel<S>));
    if (!clusters || compiled.ptxVersion < 90) return WEFT_OK;
    uint32_t *step = (uint32_t *)wfi_take(ctx, units + 1, sizeof *step);
    uint32_t *unit_row = (uint32_t *)wfi_take(ctx, units, sizeof *unit_row);
    weft_vid *own = (weft_vid *)wfi_take(ctx, r->n, sizeof *own);
    uint16_t *places = (uint16_t *)wfi_take(ctx, sources, sizeof *places);
    weft_status st = step && unit_row && own && places ? WEFT_OK : WEFT_ENOMEM;
    if (!st) st = wfi_download(ctx, step, r->step.data, (units + 1) * sizeof *step);
    if (!st) st = wfi_download(ctx, unit_row, r->row.data, units * sizeof *unit_row);
    for (uint32_t u = 0; u < units && !st; u++) unit_row[u] &= ~WFI_LONG; /* with one part, the row */
    if (!st) st = choose_blocks<S>(ctx, {step, unit_row, units, r->at[0]}, sources, (size_t)most, cut);
    if (!st && cut->blocks) {
        st = wfi_download(ctx, own, r->source.data, r->n * sizeof *own);
        if (!st) give_places(own, sources, places, cut);
        cut->stride = (sources + 4) / 4 * 4; /* a zero behind the last */
        if (!st) st = place_of->take(ctx, sources);
        if (!st) st = exchange->take_zeroed(ctx, 2 * (size_t)cut->stride);
        if (!st) st = wfi_upload(ctx, place_of->data, places, sources * sizeof *places);
        cut->place_of = place_of->data;
        cut->exchange = exchange->data;
    }
    wfi_free(places);
    wfi_free(own);
    wfi_free(unit_row);
    wfi_free(step);
    return st;
}

template <class S>
weft_status iterate_small(weft_ctx *ctx, const job<plain<S>> &j, const small_cut &cut, uint64_t first, uint64_t count) {
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = configure<S>(cut, &attribute);
    WFI_CUDA(cudaLaunchKernelEx(&config, small_kernel<S>, j, cut, first, count));
    return WEFT_OK;
}

template weft_status cut_small<float>(weft_ctx *, const wfi_ranked *, wfi_buffer<uint16_t> *, wfi_buffer<float> *,
                                      small_cut *);
template weft_status cut_small<double>(weft_ctx *, const wfi_ranked *, wfi_buffer<uint16_t> *, wfi_buffer<double> *,
                                       small_cut *);
template weft_status iterate_small<float>(weft_ctx *, const job<plain<float>> &, const small_cut &, uint64_t, uint64_t);
template weft_status iterate_small<double>(weft_ctx *, const job<plain<double>> &, const small_cut &, uint64_t,
                                           uint64_t);
