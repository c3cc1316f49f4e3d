/* GPU: the dense product A * A by cuBLAS, then the sum over the edges of each row.
 * Needs: cuBLAS where the program runs.  It is loaded with dlopen when the rung is asked for; building needs neither its header nor
 * its library, so the few prototypes stand here.  Where it is missing the rung is skipped.
 * Exact: ones and zeros are halves, and every partial sum is a whole number of at most n < 2^24, which f32 holds, in whatever order
 * the tensor cores add.
 * Time: loading and starting the library is in no part, as starting the GPU is.  Each run then makes a handle and gives it a workspace
 * (allocating), and destroys it (freeing), as a program would that multiplies once. */
#include "afford.h"
#include "triangles.cuh"

static const double WORKSPACE = 32 << 20; /* what cuBLAS asks for on Hopper; it takes less elsewhere */

#ifdef __CUDACC__

#include <cuda_fp16.h>
#include <dlfcn.h>
#include <stdio.h>

/* cuBLAS as far as it is used here: calls, and the numbers of its enumerations. */
struct cublas {
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_workspace)(void *handle, void *block, size_t bytes);
    int (*gemm)(void *handle, int op_a, int op_b, int m, int n, int k, const void *alpha, const void *a, cudaDataType type_a, int lda,
                const void *b, cudaDataType type_b, int ldb, const void *beta, void *c, cudaDataType type_c, int ldc, int compute,
                int algorithm);
};
enum { OP_N = 0, OP_T = 1, COMPUTE_32F = 68, GEMM_DEFAULT = -1, ALLOC_FAILED = 3, NOT_SUPPORTED = 15 };

template <class F> static bool finds(void *library, const char *name, F *call) {
    *call = reinterpret_cast<F>(dlsym(library, name));
    return *call != NULL;
}

/* Opened once and never closed: what it keeps on the GPU outlives a handle.  NULL: there is none. */
static const cublas *library(void) {
    static const char *const names[] = {"libcublas.so", "libcublas.so.13", "libcublas.so.12",
#ifdef LAB_CUDA_LIBRARIES /* of the toolkit it was built with, which the loader may not know */
                                        LAB_CUDA_LIBRARIES "/libcublas.so"
#endif
    };
    static cublas calls;
    static bool looked, found;
    for (size_t i = 0; !looked && !found && i < sizeof names / sizeof *names; i++) {
        void *opened = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
        if (!opened) continue;
        found = finds(opened, "cublasCreate_v2", &calls.create) && finds(opened, "cublasDestroy_v2", &calls.destroy) &&
                finds(opened, "cublasSetWorkspace_v2", &calls.set_workspace) && finds(opened, "cublasGemmEx", &calls.gemm);
        if (!found) dlclose(opened);
    }
    looked = true;
    return found ? &calls : NULL;
}

/* A handle that is destroyed on every path, before the runner frees its workspace. */
struct cublas_handle {
    lab_gpu &gpu;
    const cublas *calls;
    void *handle;

    explicit cublas_handle(lab_gpu &on) : gpu(on), calls(library()), handle(NULL) {
        static bool started;
        if (gpu.status) return;
        if (!started) {
            lab_turn(gpu.r, LAB_UNTIMED);
            started = check("cublasCreate", calls->create(&handle));
            destroy();
        }
        lab_turn(gpu.r, LAB_ALLOCATE);
        if (gpu.status || !check("cublasCreate", calls->create(&handle))) return;
        char *workspace = gpu.take<char>((size_t)WORKSPACE);
        if (workspace) check("cublasSetWorkspace", calls->set_workspace(handle, workspace, (size_t)WORKSPACE));
    }
    ~cublas_handle() {
        lab_turn(gpu.r, LAB_FREE);
        destroy();
        lab_turn(gpu.r, LAB_UNTIMED);
    }
    void destroy() {
        if (handle) calls->destroy(handle);
        handle = NULL;
    }
    /* Into the lab's error path; only the status's number is cuBLAS's own. */
    bool check(const char *call, int status) {
        char words[64];
        snprintf(words, sizeof words, "%s, status %d", call, status);
        if (status)
            gpu.failed(words, status == ALLOC_FAILED    ? cudaErrorMemoryAllocation
                              : status == NOT_SUPPORTED ? cudaErrorNotSupported
                                                        : cudaErrorUnknown);
        return status == 0;
    }
};

/* --- excerpt --- */
/* c = a * a.  A is its own transpose: by rows or by columns is all one.  Rows begin at 16 bytes, as tensor cores want them. */
static void square(cublas_handle &blas, const __half *a, float *c, int n, int stride) {
    const float one = 1, zero = 0;
    blas.check("cublasGemmEx", blas.calls->gemm(blas.handle, OP_T, OP_N, n, n, n, &one, a, CUDA_R_16F, stride, a, CUDA_R_16F, stride,
                                                &zero, c, CUDA_R_32F, stride, COMPUTE_32F, GEMM_DEFAULT));
}

/* A warp a row: half of the ways of length two to where there is an edge. */
__global__ static void LAB_ANY_BLOCK add_up(const weft_eid *offsets, const weft_vid *targets, const float *c, weft_vid n,
                                            uint64_t stride, gpu_count *count) {
    uint64_t v = lab_thread() / 32;
    unsigned lane = threadIdx.x % 32;
    if (v >= n) return; /* the whole warp */
    gpu_count ways = 0;
    for (weft_eid e = offsets[v] + lane; e < offsets[v + 1]; e += 32) ways += (gpu_count)c[v * stride + targets[e]];
    ways = gpu_group_sum(ways, 32);
    if (lane == 0) count[v] = ways / 2;
}
/* --- end --- */

__global__ static void fill(const weft_eid *offsets, const weft_vid *targets, weft_vid n, uint64_t stride, __half *a) {
    uint64_t v = lab_thread();
    if (v >= n) return;
    for (weft_eid e = offsets[v]; e < offsets[v + 1]; e++) a[v * stride + targets[e]] = __float2half(1);
}

static weft_status run(lab_run *r) {
    gpu_triangles t(r);
    cublas_handle blas(t.gpu);
    size_t stride = ((size_t)t.n + 7) / 8 * 8;
    __half *a = t.gpu.take_zeroed<__half>(t.n * stride);
    float *c = t.gpu.take<float>(t.n * stride);
    if (t.gpu.status) return t.gpu.status;
    lab_turn(r, LAB_COPY_IN);
    fill<<<t.gpu.grid(t.n), r->block>>>(t.offsets, t.targets, t.n, stride, a);
    t.gpu.wait();
    if (t.gpu.begin(NULL)) return t.gpu.status;
    if (t.n) square(blas, a, c, (int)t.n, (int)stride);
    if (!t.gpu.status) add_up<<<t.gpu.grid(t.n * (uint64_t)32), r->block>>>(t.offsets, t.targets, c, t.n, stride, t.count);
    return t.close(6.0 * t.n * t.n + 8.0 * (double)t.s.offsets[t.n] + 24.0 * t.n);
}
#endif

static const char *serves(lab_run *r) {
    double n = r->out.vertices;
#ifdef __CUDACC__
    if (!library()) return "there is no cuBLAS to load (libcublas.so, libcublas.so.13 or libcublas.so.12)";
#endif
    if (n >= 1 << 24) return "sums of 2^24 and more are not exact in f32";
    const char *too_large = lab_too_large_for_gpu(r, 6 * n * n + WORKSPACE);
    return too_large ? too_large : triangles_serves(r, 0, n * n * n / 1e14);
}

const lab_rung triangles_gpu_cublas = {
    .name = "gpu-cublas",
    .title = "GPU: dense matrix product by cuBLAS",
    .against = "gpu-matrix",
    .changed = "The product is NVIDIA's: ones and zeros as halves, sums in f32 on the tensor cores, A A stored whole, and a warp a row adds "
               "up its cells where there is an edge. cuBLAS is loaded when this rung is asked for, and every run makes its handle and "
               "workspace (in allocating) and destroys it (in freeing).",
    .wins = "Against a tile of one's own, by far, from some thousand vertices on: the same n^3 multiplications by units that do nothing "
            "else. Whole numbers up to 2^24 are exact in f32, so that nothing is lost by halves.",
    .loses = "Everything sparse, as before: n^3 whatever the edges, and now 6 n^2 bytes. On small graphs making the handle takes longer "
             "than the product.",
    .model = "2 n^2 (A) + 4 n^2 (A A) + 8 an entry of a row (target, cell) + 24 n; what the product reads again comes from caches",
    .source = "lab/triangles/gpu_cublas.cu",
    .device = LAB_CUDA,
    .adjust = NULL,
    .serves = serves,
    .run = LAB_ON_GPU(run),
};
