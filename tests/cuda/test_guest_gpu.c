/* On the GPU the library is a guest in its caller's process: the current GPU, the default memory pool and the caller's streams are left as they were;
 * contexts in several threads work side by side; memory can be given back; a forked child does without CUDA. */
#include "answers.h"
#include "cuda/device.h"
#include "graph_matrix.h"
#include "weft/aggregate.h"
#include "weft/degree.h"
#include "weft/triangles.h"

#ifdef WEFT_HAVE_CUDA
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static bool no_gpu(void) {
    char none[256];
    return !wfi_cuda_devices(none, sizeof none);
}

static weft_ctx *gpu_ctx(warnings *w) {
    weft_ctx *ctx = new_ctx(2, w);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    return ctx;
}

static weft_graph *make_graph(weft_ctx *ctx, uint64_t scale, weft_direction direction) {
    matrix_graph shape = {"rmat", "rmat", .scale = scale, .degree = 12, .p = (double)NAN, .weights = WHOLE};
    shape.direction = direction;
    return make_matrix_graph(ctx, &shape);
}

/* --- what is left behind --------------------------------------------------------------------------------- */

typedef struct process {
    int device;
    uint64_t threshold, reserved;
} process;

static process look(void) {
    process p = {-1, 0, 0};
    cudaMemPool_t pool;
    CHECK(cudaGetDevice(&p.device) == cudaSuccess);
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &p.threshold) == cudaSuccess);
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &p.reserved) == cudaSuccess);
    return p;
}

TEST(the_process_is_left_as_it_was) {
    if (no_gpu()) SKIP("no GPU");
    int gpus = 0;
    CHECK(cudaGetDeviceCount(&gpus) == cudaSuccess);
    for (int current = 0; current < gpus && current < 2; current++) {
        CHECK(cudaSetDevice(current) == cudaSuccess);
        process before = look();
        CHECK_I64(before.device, current);
        weft_ctx *ctx = gpu_ctx(NULL);
        CHECK(weft_ctx_set_gpu(ctx, gpus - 1) == WEFT_OK);
        weft_graph *g = make_graph(ctx, 14, WEFT_DIRECTED);
        answers all;
        answer_all(ctx, g, &all);
        CHECK(all.given > 20);
        process after = look();
        CHECK_I64(after.device, before.device);
        CHECK_U64(after.threshold, before.threshold);
        CHECK_U64(after.reserved, before.reserved);
        answers_free(&all);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
        CHECK_I64(look().device, before.device);
    }
    cudaSetDevice(0);
}

TEST(a_gpu_that_is_not_there_is_named) {
    if (no_gpu()) SKIP("no GPU");
    weft_ctx *ctx = gpu_ctx(NULL);
    weft_graph *g = make_graph(ctx, 10, WEFT_DIRECTED);
    weft_result *r = NULL;
    CHECK(weft_ctx_set_gpu(ctx, 1000) == WEFT_OK);
    CHECK(weft_degree(ctx, g, NULL, &r) == WEFT_EDEVICE && !r);
    CHECK_HAS(weft_ctx_message(ctx), "no GPU 1000");
    CHECK(weft_ctx_set_gpu(ctx, 0) == WEFT_OK);
    CHECK(weft_degree(ctx, g, NULL, &r) == WEFT_OK);
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- side by side ------------------------------------------------------------------------------------------ */

enum { ROUNDS = 3, CALLERS = 2 };

typedef struct caller {
    const weft_graph *g;
    const answers *want;
    cudaStream_t stream;
    int wrong;
} caller;

static void *ask_all(void *user) {
    caller *me = user;
    weft_ctx *ctx = gpu_ctx(NULL);
    me->wrong += weft_ctx_set_stream(ctx, me->stream) != WEFT_OK;
    for (int i = 0; i < ROUNDS; i++) {
        answers all;
        answer_all(ctx, me->g, &all);
        me->wrong += answers_differ(me->want, &all);
        answers_free(&all);
    }
    weft_ctx_free(ctx);
    return NULL;
}

/* The graphs are new to the GPU: their mirrors are made by whoever comes first, and read by both. */
static void ask_together(bool one_graph, bool own_streams) {
    static const weft_direction directions[CALLERS] = {WEFT_DIRECTED, WEFT_UNDIRECTED};
    weft_ctx *ctx = gpu_ctx(NULL);
    weft_graph *alone[CALLERS], *g[CALLERS];
    answers want[CALLERS];
    caller callers[CALLERS];
    pthread_t thread[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        alone[i] = make_graph(ctx, 14, directions[i]);
        g[i] = make_graph(ctx, 14, directions[i]);
        REQUIRE(alone[i] && g[i]);
        answer_all(ctx, alone[i], &want[i]);
        CHECK(want[i].given > 20);
    }
    for (int i = 0; i < CALLERS; i++) {
        int of = one_graph ? 0 : i;
        callers[i] = (caller){g[of], &want[of], NULL, 0};
        if (own_streams) CHECK(cudaStreamCreate(&callers[i].stream) == cudaSuccess);
    }
    for (int i = 0; i < CALLERS; i++) REQUIRE(pthread_create(&thread[i], NULL, ask_all, &callers[i]) == 0);
    for (int i = 0; i < CALLERS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < CALLERS; i++) {
        CHECK_I64(callers[i].wrong, 0);
        if (own_streams) cudaStreamDestroy(callers[i].stream);
        answers_free(&want[i]);
        weft_graph_free(alone[i]);
        weft_graph_free(g[i]);
    }
    CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

TEST(two_contexts_on_two_graphs_give_the_bytes_of_one) {
    if (no_gpu()) SKIP("no GPU");
    ask_together(false, false);
}

TEST(two_contexts_on_one_graph_give_the_bytes_of_one) {
    if (no_gpu()) SKIP("no GPU");
    ask_together(true, false);
}

TEST(so_they_do_on_streams_of_the_caller) {
    if (no_gpu()) SKIP("no GPU");
    ask_together(true, true);
}

/* --- the caller's stream ------------------------------------------------------------------------------------ */

static void CUDART_CB dawdle(void *unused) {
    (void)unused;
    usleep(300000);
}

/* Features are written on the stream after a while.  Whoever does not wait for the stream finds zeros. */
TEST(a_run_waits_for_what_is_on_the_stream) {
    enum { WIDTH = 8 };
    if (no_gpu()) SKIP("no GPU");
    weft_ctx *ctx = gpu_ctx(NULL);
    weft_graph *g = make_graph(ctx, 12, WEFT_DIRECTED);
    size_t n = weft_graph_vertices(g), bytes = n * WIDTH * sizeof(float);
    float *host = NULL, *device = NULL;
    cudaStream_t stream;
    cudaEvent_t written;
    REQUIRE(cudaMallocHost((void **)&host, bytes) == cudaSuccess && cudaMalloc((void **)&device, bytes) == cudaSuccess);
    REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaEventCreateWithFlags(&written, cudaEventDisableTiming) == cudaSuccess);
    for (size_t i = 0; i < n * WIDTH; i++) host[i] = (float)(1 + i % 7);
    weft_aggregate_params p = WEFT_AGGREGATE_DEFAULTS;
    weft_result *want = NULL;
    weft_matrix features = {sizeof features, host, n, WIDTH, WEFT_F32};
    p.features = &features;
    REQUIRE(weft_aggregate(ctx, g, &p, &want) == WEFT_OK);
    features.data = device;
    p.features_on_device = 1;
    CHECK(weft_ctx_set_stream(ctx, stream) == WEFT_OK);
    for (int i = 0; i < 3; i++) {
        weft_result *r = NULL;
        REQUIRE(cudaMemset(device, 0, bytes) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
        CHECK(cudaLaunchHostFunc(stream, dawdle, NULL) == cudaSuccess);
        CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream) == cudaSuccess);
        CHECK(cudaEventRecord(written, stream) == cudaSuccess);
        CHECK(cudaEventQuery(written) == cudaErrorNotReady);
        cudaGetLastError();
        CHECK(weft_aggregate(ctx, g, &p, &r) == WEFT_OK);
        CHECK(cudaEventQuery(written) == cudaSuccess);
        const char *where = r ? difference(want, r) : weft_ctx_message(ctx);
        if (where) HARNESS_FAIL("run %d: %s", i, where);
        weft_result_free(r);
    }
    CHECK(weft_ctx_set_stream(ctx, (void *)1) == WEFT_OK); /* the default stream */
    weft_result *r = NULL;
    CHECK(cudaMemset(device, 0, bytes) == cudaSuccess);
    CHECK(cudaLaunchHostFunc(cudaStreamLegacy, dawdle, NULL) == cudaSuccess);
    CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, cudaStreamLegacy) == cudaSuccess);
    CHECK(weft_aggregate(ctx, g, &p, &r) == WEFT_OK && !difference(want, r));
    weft_result_free(r);
    weft_result_free(want);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    cudaEventDestroy(written);
    cudaStreamDestroy(stream);
    cudaFree(device);
    cudaFreeHost(host);
}

static void CUDART_CB sleep_a_little(void *none) {
    (void)none;
    nanosleep(&(struct timespec){0, 50000000}, NULL);
}

TEST(a_column_that_was_shown_stays_until_others_have_read_it) {
    if (no_gpu()) SKIP("no GPU");
    weft_ctx *ctx = gpu_ctx(NULL);
    weft_graph *g = make_graph(ctx, 13, WEFT_DIRECTED);
    weft_result *r = NULL;
    cudaStream_t reader;
    void *copy = NULL;
    size_t bytes = weft_graph_vertices(g) * sizeof(float);
    REQUIRE(cudaStreamCreateWithFlags(&reader, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaMallocHost(&copy, bytes) == cudaSuccess);
    REQUIRE(weft_ctx_set_results_on_device(ctx, 1) == WEFT_OK && run_default(ctx, "pagerank", g, &r) == WEFT_OK);
    CHECK(cudaLaunchHostFunc(reader, sleep_a_little, NULL) == cudaSuccess);
    CHECK(cudaMemcpyAsync(copy, weft_result_device_column(r, "rank"), bytes, cudaMemcpyDeviceToHost, reader) ==
          cudaSuccess);
    weft_result_free(r);
    CHECK(cudaStreamQuery(reader) == cudaSuccess);
    cudaFreeHost(copy);
    cudaStreamDestroy(reader);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(graph_and_result_outlive_context_and_stream) {
    if (no_gpu()) SKIP("no GPU");
    weft_ctx *ctx = gpu_ctx(NULL), *other = gpu_ctx(NULL);
    weft_graph *g = make_graph(other, 13, WEFT_DIRECTED);
    weft_result *want = NULL, *r = NULL, *later = NULL;
    cudaStream_t stream;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    REQUIRE(weft_ctx_set_stream(ctx, stream) == WEFT_OK && weft_ctx_set_results_on_device(ctx, 1) == WEFT_OK);
    CHECK(run_default(ctx, "pagerank", g, &r) == WEFT_OK); /* the mirror and the columns come from its pool */
    CHECK(weft_result_device_column(r, "rank") != NULL);
    weft_ctx_free(ctx);
    CHECK(cudaStreamDestroy(stream) == cudaSuccess);
    CHECK(run_default(other, "pagerank", g, &later) == WEFT_OK);
    weft_ctx_set_device(other, WEFT_DEVICE_CPU);
    CHECK(run_default(other, "pagerank", g, &want) == WEFT_OK);
    CHECK(!difference(want, later) && !difference(want, r));
    weft_result_free(want);
    weft_result_free(r);
    weft_result_free(later);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_device_memory_in_use(other), 0);
    weft_ctx_free(other);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

/* --- memory ---------------------------------------------------------------------------------------------------- */

static size_t available(void) {
    size_t bytes = 0, total = 0;
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaMemGetInfo(&bytes, &total) == cudaSuccess);
    return bytes;
}

TEST(bytes_can_be_given_back) {
    enum { SLACK = 32 << 20 }; /* the driver takes memory in large pages, and loads code when it is first run */
    if (no_gpu()) SKIP("no GPU");
    weft_ctx *ctx = gpu_ctx(NULL);
    weft_result *r = NULL;
    CHECK(weft_ctx_trim_device(ctx) == WEFT_OK); /* nothing is there */
    weft_graph *small = make_graph(ctx, 10, WEFT_DIRECTED), *g = make_graph(ctx, 20, WEFT_DIRECTED);
    REQUIRE(small && g);
    CHECK(run_default(ctx, "pagerank", small, &r) == WEFT_OK); /* code is loaded */
    weft_result_free(r);
    CHECK(weft_ctx_trim_device(ctx) == WEFT_OK);
    size_t before = available();
    CHECK(run_default(ctx, "pagerank", g, &r) == WEFT_OK);
    weft_result_free(r);
    uint64_t kept = weft_ctx_device_memory_in_use(ctx), peak = weft_ctx_device_memory_peak(ctx);
    CHECK(kept > 4 * SLACK && peak > kept);
    CHECK(before - available() >= peak - SLACK); /* the pool keeps what was freed */
    size_t untrimmed = available();
    CHECK(weft_ctx_trim_device(ctx) == WEFT_OK);
    CHECK(available() >= untrimmed + SLACK);               /* pages that hold nothing else; the graph's copy stays */
    CHECK(run_default(ctx, "pagerank", g, &r) == WEFT_OK); /* all the same */
    weft_result_free(r);
    weft_graph_free(g);
    CHECK(weft_ctx_trim_device(ctx) == WEFT_OK);
    CHECK(available() + SLACK >= before);
    weft_graph_free(small);
    weft_ctx_free(ctx);
}

TEST(what_a_context_kept_goes_with_it) {
    enum { SLACK = 32 << 20 }; /* the driver takes memory in large pages, and loads code when it is first run */
    if (no_gpu()) SKIP("no GPU");
    weft_ctx *maker = new_ctx(2, NULL);
    weft_graph *g = make_graph(maker, 18, WEFT_DIRECTED);
    size_t before = 0;
    for (int i = 0; i < 4; i++) {
        weft_ctx *ctx = gpu_ctx(NULL);
        weft_result *r = NULL;
        CHECK(weft_triangles(ctx, g, NULL, &r) == WEFT_OK);
        weft_result_free(r);
        weft_ctx_free(ctx);
        if (i == 0) before = available(); /* the mirror, which stays, and the code */
    }
    CHECK(available() + SLACK >= before);
    weft_graph_free(g);
    weft_ctx_free(maker);
}

/* --- forks -------------------------------------------------------------------------------------------------------- */

typedef struct scene {
    weft_ctx *ctx;
    weft_graph *g;
    weft_result *away, *want;
} scene;

#define MUST(condition)                                                 \
    do {                                                                \
        if (!(condition)) {                                             \
            fprintf(stderr, "in the child: expected %s\n", #condition); \
            fprintf(stderr, "message: %s\n", weft_ctx_message(s->ctx)); \
            return 1;                                                   \
        }                                                               \
    } while (0)

static int go_on_without(scene *s) {
    weft_result *r = NULL;
    weft_plan *plan = NULL;
    MUST(run_default(s->ctx, "pagerank", s->g, &r) == WEFT_EDEVICE && !r);
    MUST(strstr(weft_ctx_message(s->ctx), "forked"));
    MUST(weft_result_f32(s->away, "rank") == NULL);
    MUST(weft_ctx_trim_device(s->ctx) == WEFT_OK && weft_ctx_set_stream(s->ctx, NULL) == WEFT_OK);
    weft_ctx_set_device(s->ctx, WEFT_DEVICE_AUTO);
    MUST(weft_plan_new(s->ctx, "pagerank", s->g, NULL, &plan) == WEFT_OK);
    MUST(weft_plan_device(plan) == WEFT_DEVICE_CPU);
    MUST(weft_plan_run(plan, &r) == WEFT_OK && !difference(s->want, r));
    weft_plan_free(plan);
    weft_result_free(r);
    weft_result_free(s->away);
    weft_graph_free(s->g);
    weft_ctx_free(s->ctx);
    weft_device_begin();
    weft_device_settle();
    return 0;
}

TEST(a_forked_child_goes_on_without_the_gpu) {
    if (no_gpu()) SKIP("no GPU");
    scene s = {.ctx = gpu_ctx(NULL)};
    s.g = make_graph(s.ctx, 14, WEFT_DIRECTED);
    CHECK(run_default(s.ctx, "pagerank", s.g, &s.want) == WEFT_OK);
    CHECK(weft_ctx_set_results_on_device(s.ctx, 1) == WEFT_OK);
    REQUIRE(run_default(s.ctx, "pagerank", s.g, &s.away) == WEFT_OK);
    fflush(stdout);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        alarm(60);
        int rc = go_on_without(&s);
        fflush(stderr);
        _exit(rc);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(!difference(s.want, s.away)); /* the parent has lost nothing */
    weft_result_free(s.want);
    weft_result_free(s.away);
    weft_graph_free(s.g);
    CHECK_U64(weft_ctx_device_memory_in_use(s.ctx), 0);
    weft_ctx_free(s.ctx);
}

/* --- arrays of the caller on the GPU ------------------------------------------------------------------------ */

static void *on_gpu(const void *data, size_t bytes) {
    void *there = NULL;
    CHECK(cudaMalloc(&there, bytes) == cudaSuccess);
    CHECK(cudaMemcpy(there, data, bytes, cudaMemcpyHostToDevice) == cudaSuccess);
    return there;
}

TEST(a_graph_from_arrays_on_the_gpu) {
    if (no_gpu()) SKIP("no GPU");
    int64_t sources[] = {0, 0, 2, 3}, targets[] = {1, 2, 3, 0};
    double weights[] = {0.5, 1.25, 3, 7};
    weft_ctx *ctx = gpu_ctx(NULL);
    weft_graph *near = NULL, *far = NULL;
    int equal = 0;
    weft_arrays a = WEFT_ARRAYS_DEFAULTS;
    a.vertices = a.edges = 4;
    a.sources = sources, a.targets = targets, a.weights = weights;
    a.id_type = WEFT_I64, a.weight_type = WEFT_F64;
    REQUIRE(weft_graph_from_arrays(ctx, &a, NULL, &near) == WEFT_OK);
    a.sources = on_gpu(sources, sizeof sources);
    a.targets = on_gpu(targets, sizeof targets);
    a.weights = on_gpu(weights, sizeof weights);
    a.on_device = 1;
    REQUIRE(weft_graph_from_arrays(ctx, &a, NULL, &far) == WEFT_OK);
    CHECK(weft_graph_compare(ctx, near, far, &equal) == WEFT_OK && equal);
    cudaFree((void *)(uintptr_t)a.sources);
    cudaFree((void *)(uintptr_t)a.targets);
    cudaFree((void *)(uintptr_t)a.weights);
    weft_graph_free(near);
    weft_graph_free(far);
    weft_ctx_free(ctx);
}
#else
TEST(the_library_is_a_good_guest_on_the_gpu) { SKIP("built without CUDA"); }
#endif

TEST_MAIN()
