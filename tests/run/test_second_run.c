/* A plan that is run again allocates nothing when the first result was freed, and exactly its columns when it was not.
 * Counted at malloc itself, in the place of the C library's; what OpenMP's runtime takes for its teams, and CUDA's
 * driver for its own, is told by the caller.  On the GPU also counted at CUDA's functions, in whose place the linker
 * puts those below. */
#include "cuda/device.h"
#include "variants.h"

#include <dlfcn.h>
#include <errno.h>

#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COUNTS 0
#elif defined(__has_feature)
#define COUNTS (!__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer))
#else
#define COUNTS 1
#endif

static atomic_bool counting_now;
static _Atomic uint64_t ours; /* calls, without those of the runtime of OpenMP */

#if COUNTS
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t each);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static void note(const void *caller) {
    Dl_info where;
    if (!atomic_load(&counting_now)) return;
    bool runtime = dladdr(caller, &where) && where.dli_fname &&
                   (strstr(where.dli_fname, "omp.so") || strstr(where.dli_fname, "libcuda.so"));
    atomic_fetch_add(&ours, !runtime);
}

void *malloc(size_t bytes) {
    note(__builtin_return_address(0));
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t each) {
    note(__builtin_return_address(0));
    return __libc_calloc(count, each);
}

void *realloc(void *block, size_t bytes) {
    note(__builtin_return_address(0));
    return __libc_realloc(block, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    note(__builtin_return_address(0));
    return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes) {
    note(__builtin_return_address(0));
    *out = __libc_memalign(alignment, bytes);
    return *out ? 0 : ENOMEM;
}
#endif

#ifdef WEFT_HAVE_CUDA
#define IN_PLACE_OF(name, formal, given)                     \
    int __real_##name formal;                                \
    int __wrap_##name formal;                                \
    int __wrap_##name formal {                               \
        atomic_fetch_add(&ours, atomic_load(&counting_now)); \
        return __real_##name given;                          \
    }
IN_PLACE_OF(cudaMalloc, (void **block, size_t bytes), (block, bytes))
IN_PLACE_OF(cudaMallocAsync, (void **block, size_t bytes, void *stream), (block, bytes, stream))
IN_PLACE_OF(cudaMallocFromPoolAsync, (void **block, size_t bytes, void *pool, void *stream),
            (block, bytes, pool, stream))
IN_PLACE_OF(cudaMallocHost, (void **block, size_t bytes), (block, bytes))
IN_PLACE_OF(cudaHostAlloc, (void **block, size_t bytes, unsigned flags), (block, bytes, flags))
#endif

static uint64_t run_counted(weft_plan *plan, weft_result **r) {
    atomic_store(&ours, 0);
    atomic_store(&counting_now, true);
    weft_status st = weft_plan_run(plan, r);
    atomic_store(&counting_now, false);
    CHECK(st == WEFT_OK);
    return atomic_load(&ours);
}

static void check_variant(weft_ctx *ctx, const weft_algorithm_info *a, const variant *v, const weft_graph *g) {
    weft_plan *plan = NULL;
    weft_result *first = NULL, *kept = NULL, *beside = NULL;
    weft_status st = weft_plan_new(ctx, a->name, g, v->params, &plan);
    if (refused_as_undirected(a, g, st) || refused_by_gpu(a, v, g, st)) return;
    REQUIRE(st == WEFT_OK);
    if (!run_counted(plan, &first)) HARNESS_FAIL("%s, %s: the first run allocates nothing?", a->name, v->name);
    weft_result_free(first);
    uint64_t again = run_counted(plan, &kept), more = run_counted(plan, &beside);
    if (again) HARNESS_FAIL("%s, %s: the second run allocates %" PRIu64 " times", a->name, v->name, again);
    if (more != weft_result_column_count(beside) + 1) /* and the result itself */
        HARNESS_FAIL("%s, %s: beside a kept result a run of %zu columns allocates %" PRIu64 " times", a->name, v->name,
                     weft_result_column_count(beside), more);
    CHECK(!difference(kept, beside));
    weft_plan_free(plan); /* results outlive it */
    CHECK(!difference(kept, beside));
    weft_result_free(kept);
    weft_result_free(beside);
}

static void check_graph(weft_device device, weft_direction direction, uint64_t max_weight) {
    char none[256];
    if (!COUNTS) SKIP("malloc is not the C library's here");
    if (device == WEFT_DEVICE_CUDA && !wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(3, NULL);
    CHECK(weft_ctx_set_device(ctx, device) == WEFT_OK);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    p.scale = 13;
    p.degree = 12;
    p.max_weight = max_weight;
    build.direction = direction;
    build.loops = WEFT_LOOPS_DROP;
    REQUIRE(weft_generate(ctx, "rmat", &p, &build, &g) == WEFT_OK);
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        if (device == WEFT_DEVICE_CUDA && !weft_algorithm_at(i)->on_cuda) continue;
        variants list = variants_of(weft_algorithm_at(i), g, true);
        for (size_t k = 0; k < list.count; k++)
            if (!list.at[k].run && variant_fits(&list.at[k], g)) check_variant(ctx, list.algorithm, &list.at[k], g);
        variants_free(&list);
    }
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(of_directed_graphs) { check_graph(WEFT_DEVICE_CPU, WEFT_DIRECTED, 0); }
TEST(of_undirected_graphs_with_weights) { check_graph(WEFT_DEVICE_CPU, WEFT_UNDIRECTED, 255); }
TEST(of_directed_graphs_on_the_gpu) { check_graph(WEFT_DEVICE_CUDA, WEFT_DIRECTED, 0); }
TEST(of_undirected_graphs_with_weights_on_the_gpu) { check_graph(WEFT_DEVICE_CUDA, WEFT_UNDIRECTED, 255); }

/* What was freed after its plan goes back to the system. */
TEST(results_outlive_plan_graph_and_context) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = read_text(ctx, "0 1\n1 2\n2 0\n", NULL);
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    REQUIRE(g && weft_plan_new(ctx, "pagerank", g, NULL, &plan) == WEFT_OK && weft_plan_run(plan, &r) == WEFT_OK);
    weft_plan_free(plan);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    const float *rank = weft_result_f32(r, "rank");
    CHECK(rank && fabsf(rank[0] - 1.0f / 3) < 1e-6f);
    weft_result_free(r);
}

/* Arrays follow the threads: a plan that is run with another number of them lays them out again. */
TEST(a_plan_follows_a_change_of_threads) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    p.scale = 14;
    REQUIRE(weft_generate(ctx, "rmat", &p, NULL, &g) == WEFT_OK);
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        variants list = variants_of(weft_algorithm_at(i), g, true);
        weft_plan *plan = NULL;
        weft_result *one = NULL, *many = NULL;
        weft_ctx_set_threads(ctx, 1);
        REQUIRE(weft_plan_new(ctx, list.algorithm->name, g, list.at[0].params, &plan) == WEFT_OK);
        CHECK(weft_plan_run(plan, &one) == WEFT_OK);
        weft_ctx_set_threads(ctx, 7);
        CHECK(weft_plan_run(plan, &many) == WEFT_OK);
        CHECK(!difference(one, many));
        weft_result_free(one);
        weft_result_free(many);
        weft_plan_free(plan);
        variants_free(&list);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
