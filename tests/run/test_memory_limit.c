/* The memory limit, for every algorithm of the registry: with the bytes of its plan a run ends well; with less it ends
 * well by a cheaper method, with the same answer to the byte, or is refused before it begins, with what it would
 * need. */
#include "difference.h"
#include "support.h"

#include "core/core.h"
#include "weft/registry.h"

typedef struct shape {
    const char *kind;
    uint64_t n, scale;
    double degree, p;
    weft_direction direction;
    uint64_t max_weight;
    bool shuffled;
} shape;

static const shape graphs[] = {
    {"rmat", .scale = 10, .degree = 16, .p = NAN, .direction = WEFT_DIRECTED, .max_weight = 100},
    {"rmat", .scale = 10, .degree = 16, .p = NAN, .direction = WEFT_UNDIRECTED},
    {"dag", .n = 900, .degree = NAN, .p = 0.5, .direction = WEFT_DIRECTED, .shuffled = true},
    {"uniform", .n = 5000, .degree = 3, .p = NAN, .direction = WEFT_DIRECTED},
};

/* Ids in no order that tells anything. */
static weft_graph *shuffle(weft_ctx *ctx, weft_graph *g, uint64_t seed) {
    weft_vid n = weft_graph_vertices(g), *order = malloc(n * sizeof *order);
    dice d = {seed, 0};
    weft_graph *fresh = NULL;
    for (weft_vid v = 0; order && v < n; v++) order[v] = v;
    for (weft_vid i = n; order && i > 1; i--) {
        weft_vid j = (weft_vid)roll(&d, i), held = order[i - 1];
        order[i - 1] = order[j];
        order[j] = held;
    }
    if (!order || weft_graph_relabel(ctx, g, order, &fresh)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    free(order);
    weft_graph_free(g);
    return fresh;
}

/* A fresh one each time: what a run makes and leaves with the graph would change the next plan. */
static weft_graph *make(weft_ctx *ctx, const shape *s) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    p.n = s->n;
    p.scale = s->scale;
    p.degree = s->degree;
    p.p = s->p;
    p.max_weight = s->max_weight;
    build.direction = s->direction;
    build.loops = WEFT_LOOPS_DROP;
    weft_graph *g = NULL;
    if (weft_generate(ctx, s->kind, &p, &build, &g)) HARNESS_FAIL("%s: %s", s->kind, weft_ctx_message(ctx));
    return g && s->shuffled ? shuffle(ctx, g, 5) : g;
}

typedef struct outcome {
    weft_status planned, run;
    uint64_t needed; /* by the run, and by the plan itself while it waits */
    char method[64], message[512];
    weft_result *result;
} outcome;

/* limit: bytes beyond those that the graph holds; 0 = none. */
static outcome run_within(const char *algorithm, const shape *s, uint64_t limit, int threads) {
    outcome o = {0};
    weft_ctx *ctx = new_ctx(threads, NULL);
    weft_graph *g = make(ctx, s);
    weft_plan *plan = NULL;
    uint64_t used = weft_ctx_memory_in_use(ctx);
    char text[24], wanted[64];
    if (limit) weft_ctx_set_memory_limit(ctx, used + limit);
    o.planned = weft_plan_new(ctx, algorithm, g, NULL, &plan);
    if (!o.planned) {
        o.needed = weft_plan_host_bytes(plan) + weft_ctx_memory_in_use(ctx) - used;
        snprintf(o.method, sizeof o.method, "%s", weft_plan_method(plan));
        o.run = weft_plan_run(plan, &o.result);
    }
    snprintf(o.message, sizeof o.message, "%s", weft_ctx_message(ctx));
    if (o.planned == WEFT_ENOMEM) {
        snprintf(wanted, sizeof wanted, "memory limit of %s: it needs", wfi_size_text(text, used + limit));
        CHECK_HAS(o.message, wanted);
        CHECK_HAS(o.message, algorithm);
        CHECK_HAS(o.message, "in total");
        CHECK_U64(weft_ctx_memory_in_use(ctx), used);
    }
    weft_plan_free(plan);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    return o;
}

static bool must_be_given_something(const weft_algorithm_info *a) {
    for (size_t i = 0; i < a->param_count; i++)
        if (!weft_algorithm_param_at(a, i)->standard) return true;
    return false;
}

/* With less there is not even a plan that could say what it needs. */
enum { PLAN_ITSELF = 8 << 10 };

/* Tenths of the plan's bytes.  Returns how many runs ended well by another method. */
static int check_limits(const char *algorithm, const shape *s, int threads) {
    static const unsigned tenths[] = {10, 9, 6, 3, 1};
    outcome free_run = run_within(algorithm, s, 0, threads);
    int cheaper = 0;
    if (free_run.planned == WEFT_EINVAL || free_run.run == WEFT_EINVAL) return 0; /* not for this graph */
    if (free_run.planned || free_run.run) {
        HARNESS_FAIL("%s of %s: %s", algorithm, s->kind, free_run.message);
        return 0;
    }
    for (size_t i = 0; i < LENGTH(tenths); i++) {
        uint64_t limit = free_run.needed * tenths[i] / 10;
        if (limit < PLAN_ITSELF) continue;
        outcome o = run_within(algorithm, s, limit, threads);
        if (o.planned && (o.planned != WEFT_ENOMEM || tenths[i] == 10))
            HARNESS_FAIL("%s of %s within %u tenths: %s", algorithm, s->kind, tenths[i], o.message);
        if (!o.planned && o.run)
            HARNESS_FAIL("%s (%s) of %s was begun within %u tenths: %s", algorithm, o.method, s->kind, tenths[i],
                         o.message);
        if (!o.planned && !o.run && !same_results(free_run.result, o.result))
            HARNESS_FAIL("%s (%s) of %s has another answer", algorithm, o.method, s->kind);
        cheaper += !o.planned && !o.run && strcmp(o.method, free_run.method) != 0;
        weft_result_free(o.result);
    }
    weft_result_free(free_run.result);
    return cheaper;
}

/* One thread: of several, it is up to them how much of their scratch is there at once while a transpose is made. */
TEST(every_algorithm_keeps_to_the_limit_or_says_what_it_needs) {
    for (size_t a = 0; a < weft_algorithm_count(); a++) {
        if (must_be_given_something(weft_algorithm_at(a))) continue;
        for (size_t i = 0; i < LENGTH(graphs); i++) check_limits(weft_algorithm_at(a)->name, &graphs[i], 1);
    }
}

TEST(cheaper_methods_are_there_where_they_are_promised) {
    CHECK(check_limits("cycle", &graphs[2], 3) >= 2); /* no bit matrix, then no watching */
    CHECK(check_limits("cycle", &graphs[2], 1) >= 1);
    CHECK(check_limits("triangles", &graphs[1], 2) >= 1);
    CHECK(check_limits("clustering", &graphs[1], 2) >= 1);
}

TEST_MAIN()
