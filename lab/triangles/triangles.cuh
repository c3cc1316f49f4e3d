/* What the rungs of triangles on the GPU share: the simple graph there, searches in a row, the pairs of a vertex's neighbours dealt out
 * to a group of threads, and the answer. */
#ifndef WEFT_LAB_TRIANGLES_CUH
#define WEFT_LAB_TRIANGLES_CUH

#include "gpu.cuh"
#include "triangles.h"

#include <math.h>

/* Steps of a binary search: the logarithm of the mean row that is searched. */
static inline double gpu_triangles_steps(const lab_run *r) {
    double pairs = triangles_pairs(r);
    return pairs > 0 ? log2(triangles_searched(r) / pairs + 2) : 1;
}
#define TRIANGLES_BINARY_MODEL "for each pair two offsets (16) and 4 for each step, log2 of the mean row searched"
static inline double gpu_triangles_binary_bytes(const lab_run *r) {
    return triangles_pairs(r) * (16 + 4 * gpu_triangles_steps(r));
}

/* All pairs, or the longest single row's pairs where one thread has them: a step takes a thread some 50 ns, a full GPU 2e11 a second. */
static inline const char *gpu_triangles_serves(lab_run *r, int threads_a_vertex, double steps_a_pair) {
    double longest = 0;
    for (weft_vid v = 0; v < r->out.vertices; v++) {
        double row = (double)(r->out.offsets[v + 1] - r->out.offsets[v]);
        if (weft_graph_directed(r->g)) row += (double)(r->in.offsets[v + 1] - r->in.offsets[v]);
        longest = row > longest ? row : longest;
    }
    double alone = longest * longest / 2 / threads_a_vertex * steps_a_pair * 50e-9;
    double all = triangles_pairs(r) * steps_a_pair / 2e11;
    return triangles_serves(r, 0, alone > all ? alone : all);
}

#ifdef __CUDACC__

typedef unsigned long long gpu_count; /* what atomics on 64 bits want */

struct gpu_triangles {
    simple s; /* on the host: rows, and the count that is the answer */
    lab_gpu gpu;
    lab_run *r;
    weft_vid n;
    const weft_eid *offsets;
    const weft_vid *targets;
    gpu_count *count; /* zeros */

    explicit gpu_triangles(lab_run *run) : s(), gpu(run), r(run), n(run->out.vertices) {
        weft_status st = gpu.status ? gpu.status : triangles_open(run, 0, &s);
        if (st) gpu.status = st;
        offsets = gpu.bring(s.offsets, (size_t)n + 1);
        targets = gpu.bring(s.targets, gpu.status ? 0 : s.offsets[n]);
        count = gpu.take_zeroed<gpu_count>((size_t)n + 1);
    }
    weft_status close(double bytes) {
        gpu.end();
        s.count = reinterpret_cast<uint64_t *>(gpu.fetch(count, n));
        return gpu.status ? gpu.status : triangles_close(&s, bytes);
    }
};

/* --- is w in the row from `low` to before `high`? ---------------------------------------------------------------------- */

__device__ static inline bool gpu_walk(const weft_vid *targets, weft_eid low, weft_eid high, weft_vid w) {
    for (; low < high; low++)
        if (targets[low] == w) return true;
    return false;
}

__device__ static inline bool gpu_search(const weft_vid *targets, weft_eid low, weft_eid high, weft_vid w) {
    while (low < high) {
        weft_eid middle = low + (high - low) / 2;
        weft_vid there = targets[middle];
        if (there == w) return true;
        if (there < w)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* --- pairs ------------------------------------------------------------------------------------------------------------- */

/* The pairs (first, second) of v's neighbours that are joined, as far as lane `lane` of `lanes` meets them: the lanes share the first
 * and have their own second, so that they search one row together.  First neighbours are taken from `begin` in steps of `step`. */
__device__ static inline gpu_count gpu_joined_pairs(const weft_eid *offsets, const weft_vid *targets, weft_vid v, unsigned lane,
                                                    unsigned lanes, unsigned begin, unsigned step) {
    gpu_count joined = 0;
    weft_eid end = offsets[v + 1];
    for (weft_eid i = offsets[v] + begin; i < end; i += step) {
        weft_vid u = targets[i];
        weft_eid low = offsets[u], high = offsets[u + 1];
        for (weft_eid k = i + 1 + lane; k < end; k += lanes) joined += gpu_search(targets, low, high, targets[k]);
    }
    return joined;
}

/* The sum over groups of `lanes` lanes, a power of two up to 32; the first of each has it. */
__device__ static inline gpu_count gpu_group_sum(gpu_count value, unsigned lanes) {
    for (unsigned far = lanes / 2; far; far /= 2) value += __shfl_down_sync(~0u, value, far, (int)lanes);
    return value;
}

#endif
#endif
