/* What a warp kernel computes that mixes rows: version 6 of "PageRank in six versions" beside its version 4, as the document has them.
 *
 *   mixed_rows                         an R-MAT graph with hubs: 4,096 vertices, directed
 *   mixed_rows FILE [--undirected]     a graph of yours; --undirected: edges count both ways
 *
 * Version 4 gives a thread to each vertex, which walks its row.  Version 6 lets "the warp" take rows of more than 32 arcs, but nobody
 * gives the warp a row: every lane keeps the row of its own vertex, reads each 32nd arc of it from its lane's number on, and the
 * reduction adds up what 32 lanes found in 32 rows.  Lane 0 writes that as its own vertex's rank; the other vertices with long rows are
 * written by nobody, and have the rank of two steps ago.  Where only some rows are long, the reduction also names lanes that went the
 * other way, and what it gets from them is undefined.  Both faults are kept: this program exists to show them (lab/pagerank/gpu_warp.cu
 * is the kernel made right).
 *
 * Both versions lose the rank of vertices that point nowhere, add up in f32 and start from 1/n, in both arrays; 20 steps each.
 * Exit code: 0, also where the ranks differ; 1 after an error, of CUDA too; 2 for a wrong call; 5 without a GPU. */
#include "weft/base.h"

#include <cuda_runtime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utility>
#include <vector>

enum { STEPS = 20, THREADS = 256, LONG = 32 };
static const float DAMPING = 0.85f;

struct rows {
    const int *sources, *offsets, *out_degree;
    int n;
};

__device__ static float passed_on(const rows &in, const float *rank, int arc) {
    int source = in.sources[arc];
    return rank[source] / (float)in.out_degree[source];
}

__device__ static float ranked(const rows &in, float sum) { return (1.0f - DAMPING) / (float)in.n + DAMPING * sum; }

__global__ static void version_4(rows in, const float *rank, float *next) {
    int v = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (v >= in.n) return;
    float sum = 0;
    for (int arc = in.offsets[v]; arc < in.offsets[v + 1]; arc++) sum += passed_on(in, rank, arc);
    next[v] = ranked(in, sum);
}

__global__ static void version_6(rows in, const float *rank, float *next) {
    int v = (int)(blockIdx.x * blockDim.x + threadIdx.x), lane = (int)threadIdx.x % 32;
    if (v >= in.n) return;
    int start = in.offsets[v], end = in.offsets[v + 1]; /* another row in each lane: the fault begins here */
    float sum = 0;
    if (end - start > LONG) {
        for (int arc = start + lane; arc < end; arc += 32) sum += passed_on(in, rank, arc);
        for (int far = 16; far > 0; far /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, far);
        if (lane == 0) next[v] = ranked(in, sum);
    } else {
        for (int arc = start; arc < end; arc++) sum += passed_on(in, rank, arc);
        next[v] = ranked(in, sum);
    }
}

static void must(cudaError_t error, const char *call) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "mixed_rows: the GPU failed in %s: %s\n", call, cudaGetErrorString(error));
    exit(1);
}

template <class T> static T *bring(const std::vector<T> &host) {
    T *device = NULL;
    must(cudaMalloc(&device, (host.size() + 1) * sizeof(T)), "cudaMalloc");
    must(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    return device;
}

static std::vector<float> ranks_by(void (*version)(rows, const float *, float *), const rows &in) {
    std::vector<float> ranks((size_t)in.n, 1.0f / (float)in.n);
    float *rank = bring(ranks), *next = bring(ranks);
    for (int step = 0; step < STEPS; step++) {
        version<<<(unsigned)(in.n + THREADS - 1) / THREADS, THREADS>>>(in, rank, next);
        must(cudaGetLastError(), "a launch");
        std::swap(rank, next);
    }
    must(cudaMemcpy(ranks.data(), rank, ranks.size() * sizeof(float), cudaMemcpyDeviceToHost), "a kernel");
    must(cudaFree(rank), "cudaFree");
    must(cudaFree(next), "cudaFree");
    return ranks;
}

/* The document's arrays: whole numbers of 32 bits. */
struct arrays {
    std::vector<int> sources, offsets, out_degree;
    arrays(const weft_csr &in, const weft_csr &out)
        : sources(in.targets, in.targets + in.arcs), offsets(in.offsets, in.offsets + in.vertices + 1) {
        for (weft_vid u = 0; u < out.vertices; u++) out_degree.push_back((int)(out.offsets[u + 1] - out.offsets[u]));
    }
};

static void compare(const arrays &a) {
    rows in = {bring(a.sources), bring(a.offsets), bring(a.out_degree), (int)a.out_degree.size()};
    std::vector<float> right = ranks_by(version_4, in), mixed = ranks_by(version_6, in);
    int longer = 0, off = 0;
    double sum_right = 0, sum_mixed = 0;
    for (size_t v = 0; v < right.size(); v++) {
        longer += a.offsets[v + 1] - a.offsets[v] > LONG;
        off += !(fabs((double)mixed[v] - (double)right[v]) <= 0.1 * (double)right[v]);
        sum_right += (double)right[v];
        sum_mixed += (double)mixed[v];
    }
    printf("vertices                             %d\narcs                                 %zu\n", in.n,
           a.sources.size());
    printf("rows of more than 32 arcs            %d\n", longer);
    printf("sum of ranks, version 4              %.3f\n", sum_right);
    printf("sum of ranks, version 6              %.3f\n", sum_mixed);
    printf("vertices off by more than a tenth    %d\n", off);
}

static weft_status open_graph(weft_ctx *ctx, const char *path, bool undirected, weft_graph **g) {
    weft_read_params read = WEFT_READ_DEFAULTS;
    if (undirected) read.direction = WEFT_UNDIRECTED;
    if (path) return weft_read(ctx, path, &read, g);
    weft_generate_params params = WEFT_GENERATE_DEFAULTS;
    params.scale = 12;
    params.degree = 16;
    return weft_generate(ctx, "rmat", &params, NULL, g);
}

int main(int count, char **words) {
    bool undirected = count == 3 && strcmp(words[2], "--undirected") == 0;
    if (count > 3 || (count == 3 && !undirected) || (count > 1 && words[1][0] == '-' && words[1][1])) {
        fputs("mixed_rows [FILE [--undirected]]\n", stderr);
        return 2;
    }
    int gpus = 0;
    cudaError_t looked = cudaGetDeviceCount(&gpus);
    if (looked != cudaSuccess || gpus == 0) {
        fprintf(stderr, "mixed_rows: there is no GPU to run the two kernels on (%s)\n",
                looked == cudaSuccess ? "none was found" : cudaGetErrorString(looked));
        return 5;
    }
    weft_ctx *ctx = NULL;
    weft_graph *g = NULL;
    weft_csr in = {}, out = {};
    in.size = out.size = sizeof in;
    weft_status st = weft_ctx_new(&ctx);
    if (!st) st = open_graph(ctx, count > 1 ? words[1] : NULL, undirected, &g);
    if (!st) st = weft_graph_in(ctx, g, &in);
    if (!st) st = weft_graph_out(ctx, g, &out);
    if (st)
        fprintf(stderr, "mixed_rows: %s\n", ctx ? weft_ctx_message(ctx) : "there is not enough memory");
    else if (in.vertices == 0 || in.vertices >= 0x7fffff00u || in.arcs > 0x7fffffff)
        fputs("mixed_rows: the document's kernels serve from 1 to 2^31 vertices and arcs\n", stderr), st = WEFT_EINPUT;
    else
        compare(arrays(in, out));
    weft_graph_free(g);
    weft_ctx_free(ctx);
    return st ? 1 : 0;
}
