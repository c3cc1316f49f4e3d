/* Degrees on the GPU: what the rungs share.  A rung fills in[] and out[]; totals, their distribution and the answer are made here. */
#ifndef WEFT_LAB_DEGREE_CUH
#define WEFT_LAB_DEGREE_CUH

#include "degree.h"
#include "gpu.cuh"

#ifdef __CUDACC__

typedef unsigned long long gpu_count;

__global__ static void degree_totals(const gpu_count *in, const gpu_count *out, gpu_count *total, weft_vid n,
                                     bool directed, gpu_count *most) {
    gpu_count mine = 0;
    for (uint64_t v = lab_thread(); v < n; v += lab_threads()) {
        total[v] = directed ? in[v] + out[v] : out[v];
        mine = mine < total[v] ? total[v] : mine;
    }
    for (int far = 16; far; far /= 2) {
        gpu_count other = __shfl_xor_sync(~0u, mine, far);
        mine = mine < other ? other : mine;
    }
    if (threadIdx.x % 32 == 0) atomicMax(most, mine);
}

__global__ static void degree_histogram(const gpu_count *total, weft_vid n, gpu_count *of_degree) {
    for (uint64_t v = lab_thread(); v < n; v += lab_threads()) atomicAdd(&of_degree[total[v]], 1ull);
}

struct gpu_degrees {
    enum { THREADS = 256 };
    lab_gpu gpu;
    lab_run *r;
    weft_vid n;
    gpu_count *in, *out, *total, *most;

    explicit gpu_degrees(lab_run *run) : gpu(run), r(run), n(run->out.vertices) {
        in = gpu.take_zeroed<gpu_count>(n);
        out = gpu.take_zeroed<gpu_count>(n);
        total = gpu.take<gpu_count>(n);
        most = gpu.take_zeroed<gpu_count>(1);
    }

    weft_status answer(double bytes) {
        degrees d = {};
        if (gpu.status) return gpu.status;
        degree_totals<<<gpu.grid_filling(n, THREADS), THREADS>>>(in, out, total, n, weft_graph_directed(r->g), most);
        uint64_t largest = gpu.peek(most);
        gpu.end();
        gpu_count *of_degree = gpu.take_zeroed<gpu_count>(largest + 1);
        if (gpu.begin(nullptr)) return gpu.status;
        degree_histogram<<<gpu.grid_filling(n, THREADS), THREADS>>>(total, n, of_degree);
        gpu.end();
        d.r = r;
        d.n = n;
        d.in = as_u64(gpu.fetch(in, n));
        d.out = as_u64(gpu.fetch(out, n));
        d.total = as_u64(gpu.fetch(total, n));
        uint64_t *counted = as_u64(gpu.fetch(of_degree, largest + 1));
        lab_turn(r, LAB_ALLOCATE);
        d.degree = static_cast<uint64_t *>(lab_take(r, (largest + 1) * sizeof(uint64_t)));
        d.count = static_cast<uint64_t *>(lab_take(r, (largest + 1) * sizeof(uint64_t)));
        lab_turn(r, LAB_COPY_OUT); /* those that occur, on the host */
        if (!gpu.status && (!d.degree || !d.count)) gpu.status = WEFT_ENOMEM;
        if (gpu.status) return gpu.status;
        size_t length = degree_occurring(&d, counted, largest);
        lab_turn(r, LAB_UNTIMED);
        degree_answer(&d, length, bytes);
        return WEFT_OK;
    }
    static uint64_t *as_u64(gpu_count *x) { return reinterpret_cast<uint64_t *>(x); }
};

#endif
#endif
