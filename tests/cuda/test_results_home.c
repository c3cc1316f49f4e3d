/* Results of the GPU arrive in memory that is kept for them: the same bytes in fresh, reused and pinned columns, whatever stays alive, and
 * in a child that was forked meanwhile. */
#include "answers.h"
#include "core/memory.h"
#include "cuda/device.h"
#include "graph_matrix.h"

#include <sys/wait.h>

enum { KEPT = 10, CALLS = 34, SCALE = 20 }; /* columns of 4 MB: large enough to be pinned */

static bool no_gpu(void) {
    char none[256];
    return !wfi_cuda_devices(none, sizeof none);
}

static weft_graph *make_graph(weft_ctx *ctx) {
    matrix_graph shape = {"rmat", "rmat", .scale = SCALE, .degree = 4, .p = (double)NAN};
    shape.direction = WEFT_UNDIRECTED;
    return make_matrix_graph(ctx, &shape);
}

static weft_plan *plan_on(weft_ctx *ctx, const weft_graph *g, weft_device device) {
    weft_plan *plan = NULL;
    weft_ctx_set_device(ctx, device);
    CHECK(weft_plan_new(ctx, "bfs", g, NULL, &plan) == WEFT_OK);
    return plan;
}

static bool is_pinned(const weft_result *r) { return wfi_block_pinned(weft_result_column(r, "level")->data); }

TEST(every_result_has_the_bytes_of_the_first_whatever_memory_it_lies_in) {
    if (no_gpu()) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = make_graph(ctx);
    weft_plan *on_cpu = plan_on(ctx, g, WEFT_DEVICE_CPU), *plan = plan_on(ctx, g, WEFT_DEVICE_CUDA);
    weft_result *want = NULL, *kept[KEPT] = {NULL};
    REQUIRE(weft_plan_run(on_cpu, &want) == WEFT_OK);
    bool pinned = false;
    for (int i = 0; i < CALLS; i++) {
        weft_result *r = NULL;
        REQUIRE(weft_plan_run(plan, &r) == WEFT_OK);
        CHECK(!difference(want, r));
        CHECK(i > KEPT || !is_pinned(r));
        pinned = is_pinned(r);
        weft_result_free(kept[i % KEPT]);
        kept[i % KEPT] = r;
    }
    CHECK(pinned);
    weft_plan_free(plan);
    weft_plan_free(on_cpu);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    for (int i = 0; i < KEPT; i++) { /* they outlive plan, graph and context */
        CHECK(!difference(want, kept[i]));
        weft_result_free(kept[i]);
    }
    weft_result_free(want);
}

TEST(pinned_columns_and_forks) {
    if (no_gpu()) SKIP("no GPU");
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_graph *g = make_graph(ctx);
    weft_plan *plan = plan_on(ctx, g, WEFT_DEVICE_CUDA);
    weft_result *want = NULL, *r = NULL;
    REQUIRE(weft_plan_run(plan, &want) == WEFT_OK);
    for (int i = 0; i < 3; i++) {
        weft_result_free(r);
        REQUIRE(weft_plan_run(plan, &r) == WEFT_OK);
    }
    CHECK(is_pinned(r));
    fflush(stdout);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        alarm(60);
        bool same = !difference(want, r);
        weft_result_free(r);
        weft_plan_free(plan);
        _exit(same ? 0 : 1);
    }
    /* While the child has the pages too, and after it: what the copy engine writes is what the parent reads. */
    for (int i = 0; i < 3; i++) {
        int status = 0;
        weft_result_free(r);
        REQUIRE(weft_plan_run(plan, &r) == WEFT_OK);
        CHECK(is_pinned(r) && !difference(want, r));
        memset((void *)(uintptr_t)weft_result_column(r, "level")->data, 0, 4096);
        if (i == 1) CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    weft_result_free(r);
    weft_result_free(want);
    weft_plan_free(plan);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
