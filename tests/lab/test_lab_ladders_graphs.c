/* The graphs that a ladder takes when none is named: every rung must be run on one of them by a report, or the story has holes. */
#include "support.h"

#include "lab.h"
#include "weft/leiden.h"
#include "weft/machine.h"

/* "rmat:scale=10,degree=16,undirected", as far as ladders say such things. */
static weft_graph *graph_of(weft_ctx *ctx, const char *words) {
    weft_graph *g = NULL;
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    char kind[16] = "";
    size_t length = strcspn(words, ":");
    if (length < sizeof kind) memcpy(kind, words, length);
    const char *scale = strstr(words, "scale="), *degree = strstr(words, "degree="), *n = strstr(words, ":n=");
    const char *density = strstr(words, ",p=");
    if (scale) p.scale = strtoull(scale + 6, NULL, 10);
    if (degree) p.degree = strtod(degree + 7, NULL);
    if (n) p.n = strtoull(n + 3, NULL, 10);
    if (density) p.p = strtod(density + 3, NULL);
    p.undirected = strstr(words, "undirected") != NULL;
    return weft_generate(ctx, kind, &p, NULL, &g) ? NULL : g;
}

/* What a build or a machine may lack; every other reason is about the graph. */
static bool is_missing(const char *reason) {
    return strstr(reason, "there is no cuBLAS to load") || strstr(reason, "WEFT_LAB_DYNAMIC");
}

/* Asks each rung but the library's whether it would serve, by its own estimate: nothing is timed.  served: what did before. */
static void ask_all(const lab_ladder *ladder, lab_run *run, void *params, bool last, bool *served) {
    const void *given = run->params;
    for (size_t i = 0; i < ladder->rung_count; i++) {
        const lab_rung *rung = ladder->rungs[i];
        if (!rung->serves || strncmp(rung->name, "engine", 6) == 0) continue;
        memcpy(params, given, weft_algorithm_find(ladder->algorithm)->params_size);
        if (rung->adjust) rung->adjust(params);
        lab_run asked = *run;
        asked.params = params;
        asked.device = rung->device;
        const char *reason = rung->serves(&asked);
        served[i] = served[i] || !reason || is_missing(reason);
        if (last && !served[i]) HARNESS_FAIL("%s: a report leaves out %s: %s", ladder->name, rung->name, reason);
    }
}

static void ask_on(const lab_setup *setup, const lab_ladder *ladder, const char *words, void (*prepare)(void *),
                   bool last, bool *served) {
    weft_ctx *ctx = setup->ctx;
    const weft_algorithm_info *a = weft_algorithm_find(ladder->algorithm);
    weft_graph *g = graph_of(ctx, words);
    weft_result *reference = NULL;
    weft_plan *plan = NULL;
    lab_run run = {.ctx = ctx, .g = g, .threads = 2, .block = LAB_BLOCK, .patience_s = 0.3, .setup = setup};
    run.in.size = sizeof run.in;
    void *given = malloc(a->params_size), *params = malloc(a->params_size);
    memcpy(given, a->params_standard, a->params_size);
    if (prepare) prepare(given);
    weft_status st = g ? weft_graph_in(ctx, g, &run.in) : WEFT_EINPUT;
    if (!st && ladder->fit) st = ladder->fit(g, given);
    if (!st) st = weft_plan_new(ctx, ladder->algorithm, g, given, &plan);
    if (!st) st = weft_plan_run(plan, &reference);
    if (st) HARNESS_FAIL("%s on %s: %s", ladder->name, words, weft_ctx_message(ctx));
    if (!st) {
        run.out = out_rows(g);
        run.params = given;
        run.reference = reference;
        ask_all(ladder, &run, params, last, served);
    }
    weft_plan_free(plan);
    weft_result_free(reference);
    if (ladder->unfit) ladder->unfit(given, a->params_standard);
    free(params);
    free(given);
    weft_graph_free(g);
}

TEST(every_rung_has_a_time_on_a_graph_of_its_ladder_s_report) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_machine none = {.size = sizeof none};
    lab_setup setup = {.ctx = ctx, .machine = &none};
    for (size_t l = 0; l < lab_ladder_count; l++) {
        const lab_ladder *ladder = lab_ladders[l];
        bool served[64] = {false};
        char small[96];
        REQUIRE(ladder->rung_count <= 64 && ladder->small);
        const char *mark = strstr(ladder->sized, "%s");
        snprintf(small, sizeof small, "%.*s%.*s%s", (int)(mark - ladder->sized), ladder->sized,
                 (int)strcspn(ladder->small, ","), ladder->small, mark + 2);
        ask_on(&setup, ladder, ladder->graph, ladder->prepare, false, served);
        ask_on(&setup, ladder, small, ladder->prepare_sized ? ladder->prepare_sized : ladder->prepare, true, served);
    }
    weft_ctx_free(ctx);
}

static const lab_row *row_called(const lab_table *t, const char *name) {
    for (size_t i = 0; i < t->row_count; i++)
        if (!strcmp(t->rows[i].rung->name, name) && t->rows[i].status == LAB_VERIFIED) return &t->rows[i];
    return NULL;
}

/* The modularity of each rung, in its order, on so many threads. */
static void modularities(const weft_graph *g, int threads, double found[], size_t most) {
    weft_ctx *ctx = new_ctx(threads, NULL);
    weft_machine none = {.size = sizeof none};
    lab_setup setup = {.ctx = ctx, .machine = &none, .runs = 1, .patience_s = 60};
    weft_leiden_params params = WEFT_LEIDEN_DEFAULTS;
    lab_table table;
    REQUIRE(!lab_measure(&setup, lab_ladder_find("leiden"), g, "R-MAT", &params, &table));
    REQUIRE(table.row_count <= most);
    for (size_t i = 0; i < table.row_count; i++) found[i] = table.rows[i].scalar;
    lab_table_free(&table);
    weft_ctx_free(ctx);
}

TEST(communities_do_not_depend_on_threads) {
    enum { RUNGS = 8, ON_CPU = 6 };
    double one[RUNGS], three[RUNGS];
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = graph_of(ctx, "rmat:scale=11,degree=16,undirected");
    REQUIRE(g);
    modularities(g, 1, one, RUNGS);
    modularities(g, 3, three, RUNGS);
    for (size_t i = 0; i < ON_CPU; i++) CHECK(one[i] == three[i]);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Modularity of every rung that runs on the CPU; what falls short is verified for what it is. */
TEST(communities_are_shown_with_their_modularity_and_one_class_falls_short) {
    static const char *const good[] = {"sequential", "two-classes", "eight-classes", "refined"};
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_machine none = {.size = sizeof none};
    lab_setup setup = {.ctx = ctx, .machine = &none, .runs = 1, .patience_s = 60};
    weft_leiden_params params = WEFT_LEIDEN_DEFAULTS;
    weft_graph *g = graph_of(ctx, "rmat:scale=10,degree=16,undirected");
    lab_table table;
    REQUIRE(g && !lab_measure(&setup, lab_ladder_find("leiden"), g, "R-MAT", &params, &table));
    const lab_row *engine = row_called(&table, "engine"), *one = row_called(&table, "one-class");
    REQUIRE(engine && one);
    CHECK(engine->scalar > 0.1 && !engine->other_work);
    for (size_t i = 0; i < LENGTH(good); i++) {
        const lab_row *row = row_called(&table, good[i]);
        REQUIRE(row);
        if (!(fabs(row->scalar - engine->scalar) < 0.01)) HARNESS_FAIL("%s has %g", good[i], row->scalar);
        CHECK(row->other_work == (strcmp(good[i], "refined") != 0));
    }
    CHECK(one->scalar < engine->scalar - 0.05 && one->other_work);
    CHECK_HAS(one->message, "single vertices that move would still gain 0.");
    lab_table_free(&table);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Says stop from the so-manieth question on, and counts the questions after that. */
typedef struct stopper {
    uint64_t asked, from;
} stopper;

static int stops(void *user) {
    stopper *s = user;
    uint64_t before = __atomic_fetch_add(&s->asked, 1, __ATOMIC_RELAXED);
    return before >= s->from;
}

/* Of the rung's own run.  `from`: UINT64_MAX = it is let through. */
static weft_status run_until(const lab_ladder *ladder, const lab_rung *rung, lab_run run, stopper *s, uint64_t from) {
    *s = (stopper){.from = from};
    const weft_algorithm_info *a = weft_algorithm_find(ladder->algorithm);
    void *params = malloc(a->params_size);
    memcpy(params, run.params, a->params_size);
    if (rung->adjust) rung->adjust(params);
    run.params = params;
    run.device = rung->device;
    run.part = LAB_UNTIMED;
    weft_status st = rung->run(&run);
    for (size_t i = 0; i < run.held_count; i++) free(run.held[i]);
    weft_result_free(run.result);
    free(params);
    return st;
}

/* A rung that leaves its inner loop only goes on to ask at every row. */
static void check_stops(const lab_ladder *ladder, const lab_rung *rung, const lab_run *run, stopper *s) {
    enum { FROM = 3, MORE = 64 };
    weft_status st = run_until(ladder, rung, *run, s, UINT64_MAX);
    if (st) HARNESS_FAIL("%s, %s: %s", ladder->name, rung->name, weft_status_text(st));
    if (s->asked <= FROM) return;
    st = run_until(ladder, rung, *run, s, FROM);
    if (st != WEFT_ECANCELLED && st != WEFT_ENOMEM)
        HARNESS_FAIL("%s, %s gives an answer when it is stopped", ladder->name, rung->name);
    if (s->asked > FROM + MORE)
        HARNESS_FAIL("%s, %s asks %d times more after it was stopped", ladder->name, rung->name,
                     (int)(s->asked - FROM));
}

TEST(a_rung_on_the_cpu_that_is_stopped_does_not_go_on) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *directed = graph_of(ctx, "rmat:scale=10,degree=32"),
               *undirected = graph_of(ctx, "rmat:scale=10,degree=32,undirected");
    for (size_t l = 0; l < lab_ladder_count; l++) {
        const lab_ladder *ladder = lab_ladders[l];
        const weft_algorithm_info *a = weft_algorithm_find(ladder->algorithm);
        bool one_way = strcmp(ladder->name, "triangles") != 0 && strcmp(ladder->name, "leiden") != 0 &&
                       strcmp(ladder->name, "truss") != 0;
        const weft_graph *g = one_way ? directed : undirected;
        void *params = malloc(a->params_size);
        memcpy(params, a->params_standard, a->params_size);
        if (ladder->prepare) ladder->prepare(params);
        stopper s;
        lab_setup setup = {.ctx = ctx, .stop = stops, .user = &s};
        lab_run run = {.ctx = ctx,
                       .g = g,
                       .out = out_rows(g),
                       .params = params,
                       .threads = 2,
                       .block = LAB_BLOCK,
                       .setup = &setup};
        run.in.size = sizeof run.in;
        weft_status st = weft_graph_in(ctx, g, &run.in);
        if (!st && ladder->fit) st = ladder->fit(g, params);
        CHECK(!st);
        for (size_t i = 0; i < ladder->rung_count && !st; i++)
            if (ladder->rungs[i]->device == LAB_CPU && strcmp(ladder->rungs[i]->name, "engine") != 0 &&
                strcmp(ladder->rungs[i]->name, "naive") != 0)
                check_stops(ladder, ladder->rungs[i], &run, &s);
        if (ladder->unfit) ladder->unfit(params, a->params_standard);
        free(params);
    }
    weft_graph_free(directed);
    weft_graph_free(undirected);
    weft_ctx_free(ctx);
}

TEST_MAIN()
