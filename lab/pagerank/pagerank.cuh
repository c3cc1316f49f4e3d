/* What the rungs of PageRank on the GPU share: the loop around a step, as loop.c is for the CPU.  T is the type of a rank.
 *
 * A step computes next[] from rank[], and finds in base[0] what everybody gets: restarts, and the rank of nodes that point
 * nowhere.  That sum is a kernel of its own before each step, in double and in a fixed order; all rungs pay it alike. */
#ifndef WEFT_LAB_PAGERANK_CUH
#define WEFT_LAB_PAGERANK_CUH

#include "gpu.cuh"
#include "pagerank.h"

#ifdef __CUDACC__

#include <math.h>

enum { PAGERANK_THREADS = 256 };                /* of the kernels that are not the rung's */
static const unsigned PAGERANK_PARTIALS = 512u; /* blocks of a sum */

/* --- sums over all nodes ---------------------------------------------------------------------------------------------------- */

/* The sum over a block of whole warps, in thread 0. */
__device__ static inline double pagerank_block_sum(double value) {
    __shared__ double of_warp[32];
    value = lab_warp_sum(value);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0;
    return threadIdx.x < 32 ? lab_warp_sum(value) : 0;
}

/* to[0] = term.end(the sum of term.of(u)).  Each block adds up its part; the block that comes last adds up the blocks, always in the
 * same order. */
template <class Term>
__global__ static void pagerank_sum(Term term, weft_vid n, double *partial, unsigned *ticket, double *to) {
    __shared__ bool am_last;
    double sum = 0;
    for (uint64_t u = lab_thread(); u < n; u += lab_threads()) sum += term.of(u);
    sum = pagerank_block_sum(sum);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        am_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!am_last) return;
    __threadfence();
    sum = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum += __ldcg(&partial[b]);
    sum = pagerank_block_sum(sum);
    if (threadIdx.x) return;
    *to = term.end(sum);
    *ticket = 0;
}

/* The base: values[u] is the rank where u points nowhere. */
template <class T> struct pagerank_dangling {
    const T *values;
    const uint32_t *degree;
    double damping, n;
    __device__ double of(uint64_t u) const { return degree[u] ? 0 : (double)values[u]; }
    __device__ double end(double sum) const { return (1 - damping + damping * sum) / n; }
};

template <class T> __global__ static void pagerank_fill(T *values, T with, weft_vid n) {
    for (uint64_t v = lab_thread(); v < n; v += lab_threads()) values[v] = with;
}

/* --- the loop ------------------------------------------------------------------------------------------------------------------- */

template <class T> struct gpu_pagerank {
    lab_gpu gpu;
    lab_run *r;
    weft_vid n;
    double damping;
    const weft_eid *offsets; /* of the rows that the rung asked for */
    const weft_vid *rows;
    const uint32_t *degree, *host_degree; /* out-degrees */
    T *rank, *next;
    double *base;
    bool last; /* is this step the last one, or the one before it? */

    /* Allocates and copies in.  Rungs take what else they need, then begin. */
    gpu_pagerank(lab_run *run, const weft_csr &wanted)
        : gpu(run), r(run), n(run->out.vertices), damping(pagerank_damping(run)), last(false) {
        uint32_t *out_degree = static_cast<uint32_t *>(lab_take(r, n * sizeof(uint32_t)));
        if (!out_degree) gpu.status = WEFT_ENOMEM;
        lab_turn(r, LAB_COPY_IN);
        for (weft_vid u = 0; u < n && out_degree; u++)
            out_degree[u] = (uint32_t)(r->out.offsets[u + 1] - r->out.offsets[u]);
        host_degree = out_degree;
        offsets = gpu.bring(wanted.offsets, (size_t)n + 1);
        rows = gpu.bring(wanted.targets, wanted.arcs);
        degree = gpu.bring(host_degree, n);
        rank = gpu.take<T>(n);
        next = gpu.take<T>(n);
        base = gpu.take<double>(1);
        partial = gpu.take<double>(PAGERANK_PARTIALS);
        ticket = gpu.take_zeroed<unsigned>(1);
    }

    /* The kernels' time begins; ranks start at 1/n. */
    template <class... A> weft_status begin(void (*main_kernel)(A...), size_t shared_bytes = 0) {
        if (!gpu.begin(main_kernel, shared_bytes)) fill(rank, (T)(1 / (T)n));
        return gpu.status;
    }
    void fill(T *values, T with) {
        pagerank_fill<<<gpu.grid_filling(n, PAGERANK_THREADS), PAGERANK_THREADS>>>(values, with, n);
    }
    template <class Term> void sum(Term term, double *to) {
        unsigned blocks = gpu.grid(n, PAGERANK_THREADS);
        if (blocks > PAGERANK_PARTIALS) blocks = PAGERANK_PARTIALS;
        pagerank_sum<<<blocks, PAGERANK_THREADS>>>(term, n, partial, ticket, to);
    }
    pagerank_dangling<T> dangling_of(const T *values) const { return {values, degree, damping, (double)n}; }

    /* As many iterations as the parameters say; rank and next change places after each.  make_base() fills base[0]. */
    template <class Base, class Step> weft_status iterate(Base make_base, Step step) {
        uint64_t iterations = pagerank_iterations(r);
        for (uint64_t i = 0; i < iterations && !gpu.status; i++) {
            if (lab_stopped(r)) return gpu.status = WEFT_ECANCELLED;
            last = i + 2 >= iterations;
            make_base();
            step();
            swap(rank, next);
        }
        return gpu.end();
    }
    template <class Step> weft_status iterate(Step step) {
        return iterate([&] { sum(dangling_of(rank), base); }, step);
    }
    template <class P> static void swap(P *&a, P *&b) {
        P *other = a;
        a = b;
        b = other;
    }

    /* rank[] and next[], one step earlier, become the answer; `bytes` are an iteration's. */
    weft_status answer(uint64_t iterations, double bytes) {
        T *ranks = gpu.fetch(rank, n);
        r->edges = (double)iterations * (double)r->out.arcs;
        r->bytes = (double)iterations * bytes;
        /* What follows is for the verifier, and in no part's time. */
        T *before = static_cast<T *>(lab_take(r, n * sizeof(T)));
        if (!before && !gpu.status) gpu.status = WEFT_ENOMEM;
        if (!gpu.status) gpu.failed("cudaMemcpy", cudaMemcpy(before, next, n * sizeof(T), cudaMemcpyDeviceToHost));
        if (gpu.status) return gpu.status;
        double residual = 0, total = 0;
        for (weft_vid v = 0; v < n; v++) {
            residual += fabs((double)ranks[v] - (double)before[v]);
            total += (double)ranks[v];
        }
        lab_column(r, "rank", sizeof(T) == 8 ? WEFT_F64 : WEFT_F32, ranks, n);
        lab_u64(r, "iterations", iterations);
        lab_f64(r, "residual", residual);
        lab_f64(r, "sum", total);
        return WEFT_OK;
    }

  private:
    double *partial;
    unsigned *ticket;
};

/* What a step knows beside its rows. */
struct pagerank_rule {
    weft_vid n;
    double damping;
    const double *base;
    __device__ double rank(double sum) const { return *base + damping * sum; }
};

/* --- contributions ------------------------------------------------------------------------------------------------------------- */

/* The end of a row when contributions travel: what v passes on next, and its rank only where somebody will read it.  Nobody asks for
 * the contribution of a node that points nowhere: its rank stands there, for the base. */
template <class T> struct pagerank_share {
    pagerank_rule rule;
    const uint32_t *degree;
    T *share, *rank; /* rank may be NULL */
    __device__ void put(uint64_t v, double sum) const {
        T mine = (T)rule.rank(sum);
        uint32_t arcs = degree[v];
        if (rank) rank[v] = mine;
        share[v] = arcs ? mine / (T)arcs : mine;
    }
};

template <class T> __global__ static void pagerank_first_shares(pagerank_share<T> end, T start) {
    for (uint64_t v = lab_thread(); v < end.rule.n; v += lab_threads())
        end.share[v] = end.degree[v] ? start / (T)end.degree[v] : start;
}

template <class T> struct gpu_contributions : gpu_pagerank<T> {
    T *share, *next_share;

    explicit gpu_contributions(lab_run *run) : gpu_pagerank<T>(run, run->in) {
        share = this->gpu.template take<T>(this->n);
        next_share = this->gpu.template take<T>(this->n);
    }
    pagerank_share<T> end_of_row(bool with_ranks) const {
        return {{this->n, this->damping, this->base}, this->degree, next_share, with_ranks ? this->next : nullptr};
    }
    template <class... A> weft_status begin(void (*main_kernel)(A...), size_t shared_bytes = 0) {
        if (gpu_pagerank<T>::begin(main_kernel, shared_bytes)) return this->gpu.status;
        pagerank_share<T> first = end_of_row(false);
        first.share = share;
        pagerank_first_shares<<<this->gpu.grid_filling(this->n, PAGERANK_THREADS), PAGERANK_THREADS>>>(
            first, (T)(1 / (T)this->n));
        return this->gpu.status;
    }
    /* step(end) launches the rung's kernel, which reads share[] and puts each row's sum into `end`. */
    template <class Step> weft_status iterate(Step step) {
        return gpu_pagerank<T>::iterate([&] { this->sum(this->dangling_of(share), this->base); },
                                        [&] {
                                            step(end_of_row(this->last));
                                            this->swap(share, next_share);
                                        });
    }
};

#endif
#endif
