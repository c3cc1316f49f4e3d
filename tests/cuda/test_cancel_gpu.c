/* A request to stop during a run on the GPU, at the first question, the second, ...: WEFT_ECANCELLED, no result, nothing left on either
 * side, and a context that goes on.  Every algorithm that runs there, with its graph on the GPU and streamed; option sets are dealt out to the
 * parts of the test. */
#include "cuda/device.h"
#include "cuda/stream.h"
#include "graph_matrix.h"
#include "variants.h"

static const matrix_graph graphs[] = {
    {"rmat", "rmat", .scale = 11, .degree = 8, .p = (double)NAN, .direction = WEFT_DIRECTED},
    {"rmat, undirected", "rmat", .scale = 11, .degree = 8, .p = (double)NAN, .direction = WEFT_UNDIRECTED},
    {"grid", "grid", .rows = 40, OPEN, .direction = WEFT_UNDIRECTED, .weights = WHOLE},
};

enum { MOST_QUESTIONS = 1000 };

typedef struct trial {
    weft_ctx *ctx;
    const weft_algorithm_info *algorithm;
    const variant *v;
    const matrix_graph *graph;
    const weft_result *want;
} trial;

static void complain(const trial *t, int questions, const char *what) {
    HARNESS_FAIL("%s, %s, of %s, stopped after %d questions: %s", t->algorithm->name, t->v->name, t->graph->name,
                 questions, what);
}

/* A run on a graph of its own, so that nothing is there from an earlier one; true when it got through. */
static bool stops_well(const trial *t, int questions) {
    weft_ctx *ctx = t->ctx;
    weft_graph *g = make_matrix_graph(ctx, t->graph);
    weft_result *r = NULL;
    _Atomic int left = questions;
    if (!g) return true;
    weft_ctx_set_cancel(ctx, stop_after, &left);
    weft_status st = run_variant(ctx, t->algorithm, t->v, g, &r);
    weft_ctx_set_cancel(ctx, NULL, NULL);
    bool through = st == WEFT_OK;
    if (!through && (st != WEFT_ECANCELLED || r)) complain(t, questions, weft_ctx_message(ctx));
    if (!through && run_variant(ctx, t->algorithm, t->v, g, &r)) complain(t, questions, weft_ctx_message(ctx));
    const char *where = r ? difference(t->want, r) : NULL;
    if (where) complain(t, questions, where);
    weft_result_free(r);
    weft_graph_free(g);
    if (weft_ctx_device_memory_in_use(ctx)) complain(t, questions, "memory is left on the GPU");
    if (weft_ctx_memory_in_use(ctx)) complain(t, questions, "memory is left");
    return through;
}

/* The first questions, and later and later ones until a run gets through. */
static void stop_everywhere(const trial *t) {
    int before = harness_failures, questions = 0;
    while (!stops_well(t, questions) && harness_failures == before && questions < MOST_QUESTIONS)
        questions += questions < 4 ? 1 : questions;
    if (!questions) complain(t, questions, "it did not ask");
}

/* What the CPU says; NULL where it is refused. */
static weft_result *answer_of(weft_ctx *ctx, const weft_algorithm_info *a, const variant *v, const weft_graph *g) {
    weft_result *r = NULL;
    return run_variant(ctx, a, v, g, &r) ? NULL : r;
}

/* Does the GPU serve it, under this limit streamed? */
static bool is_served(weft_ctx *ctx, const trial *t, const weft_graph *g, bool streamed, uint64_t *bytes) {
    weft_plan *plan = NULL;
    weft_status st = weft_plan_new(ctx, t->algorithm->name, g, t->v->params, &plan);
    bool served = !st && (!streamed || weft_plan_streamed(plan));
    if (served) *bytes = weft_plan_device_bytes(plan);
    weft_plan_free(plan);
    return served;
}

static bool is_of_this_part(size_t i) { return i % part_of_test().of == part_of_test().at; }

static int each_run(const matrix_graph *graph, bool streamed) {
    int done = 0;
    for (size_t a = 0; a < weft_algorithm_count(); a++) {
        weft_ctx *ctx = new_ctx(2, NULL), *maker = new_ctx(2, NULL);
        weft_graph *g = make_matrix_graph(maker, graph);
        weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
        variants list = variants_of(weft_algorithm_at(a), g, true);
        for (size_t k = 0; list.algorithm->on_cuda && k < list.count; k++) {
            trial t = {ctx, list.algorithm, &list.at[k], graph, NULL};
            uint64_t bytes = 0;
            if (list.at[k].run || !variant_fits(t.v, g) || !is_of_this_part(a + k)) continue;
            weft_ctx_set_device_memory_limit(ctx, 0);
            weft_result *want = answer_of(maker, t.algorithm, t.v, g);
            t.want = want;
            forget_transpose(g);
            bool served = want && is_served(ctx, &t, g, false, &bytes);
            if (served && streamed) {
                weft_ctx_set_device_memory_limit(ctx, bytes - 1);
                served = is_served(ctx, &t, g, true, &bytes);
            }
            if (served) stop_everywhere(&t);
            done += served;
            weft_result_free(want);
        }
        variants_free(&list);
        weft_graph_free(g);
        weft_ctx_free(ctx);
        weft_ctx_free(maker);
    }
    return done;
}

TEST(every_run_on_the_gpu_stops_where_it_asks) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    for (size_t i = 0; i < LENGTH(graphs); i++) CHECK(each_run(&graphs[i], false) >= 5 / (int)part_of_test().of);
}

TEST(every_streamed_run_stops_where_it_asks) {
    char none[256];
    if (!wfi_cuda_devices(none, sizeof none)) SKIP("no GPU");
    wfi_stream_set_piece(1 << 10);
    for (size_t i = 0; i < LENGTH(graphs); i++) CHECK(each_run(&graphs[i], true) >= 3 / (int)part_of_test().of);
    wfi_stream_set_piece(0);
}

TEST_MAIN()
