/* What the rungs of PageRank on the GPU share: the loop around a step, as loop.c is for the CPU.  A step computes next[] from
 * rank[], and finds in base[0] what everybody gets: restarts, and the rank of nodes that point nowhere.  That sum is a kernel of
 * its own before each step, in double and in a fixed order; all rungs pay it alike. */
#ifndef WEFT_LAB_PAGERANK_CUH
#define WEFT_LAB_PAGERANK_CUH

#include "gpu.cuh"
#include "pagerank.h"

#ifdef __CUDACC__

struct gpu_pagerank {
    lab_gpu gpu;
    lab_run *r;
    weft_vid n;
    double damping;
    const weft_eid *offsets; /* of the rows that the rung asked for */
    const weft_vid *rows;
    const uint32_t *degree; /* out-degrees */
    const uint32_t *host_degree;
    float *rank, *next;
    double *base;
    bool last; /* is this step the last one, or the one before it? */

    /* Allocates and copies in: the rows, the out-degrees.  Rungs take what else they need, then begin. */
    gpu_pagerank(lab_run *run, const weft_csr &rows_wanted);
    /* The kernels' time begins; ranks start at 1/n. */
    weft_status begin(const void *main_kernel, size_t shared_bytes = 0);
    template <class... A> weft_status begin(void (*main_kernel)(A...), size_t shared_bytes = 0) {
        return begin(reinterpret_cast<const void *>(main_kernel), shared_bytes);
    }
    /* base[0] from values[]: the rank of a node without out-arcs stands there. */
    void make_base(const float *values);
    /* As many steps as the parameters say.  `values` is what the base is made from: NULL = the ranks, which then change places
     * with next[] after each step; else the step is on its own, and must write ranks in the last two steps only. */
    template <class Step> weft_status iterate(Step step, float *const *values = nullptr) {
        uint64_t iterations = pagerank_params(r)->iterations;
        for (uint64_t i = 0; i < iterations && !gpu.status; i++) {
            if (lab_stopped(r)) return gpu.status = WEFT_ECANCELLED;
            last = i + 2 >= iterations;
            make_base(values ? *values : rank);
            step();
            swap();
        }
        return gpu.end();
    }
    void swap() {
        float *other = rank;
        rank = next;
        next = other;
    }
    /* rank[] and next[], one step earlier, become the answer; the bytes of an iteration are for the rates. */
    weft_status answer(uint64_t iterations, double bytes);

  private:
    double *partial;
    unsigned *ticket;
};

/* --- for steps: the end of a row -------------------------------------------------------------------------------- */

__device__ static inline float pagerank_of(double base, double damping, double sum) {
    return (float)(base + damping * sum);
}

#endif
#endif
