/* components: known answers on small graphs, the verifier on random ones and on results that are wrong, the same bytes
 * for any number of threads, memory, failures, cancellation.  What others counted: test_truths.c. */
#include "support.h"

#include "algo/components/components.h"
#include "weft/check.h"
#include "weft/components.h"

static weft_components_params how(int strong) {
    weft_components_params p = WEFT_COMPONENTS_DEFAULTS;
    p.strong = strong;
    return p;
}

static weft_result *run(weft_ctx *ctx, const weft_graph *g, int strong) {
    weft_components_params p = how(strong);
    weft_result *r = NULL;
    if (weft_components(ctx, g, &p, &r)) HARNESS_FAIL("components: %s", weft_ctx_message(ctx));
    return r;
}

static bool accepted(weft_ctx *ctx, const weft_graph *g, int strong, const weft_result *r, char *message) {
    weft_components_params p = how(strong);
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    if (weft_check(ctx, "components", g, &p, r, &report)) HARNESS_FAIL("the verifier ran out of memory");
    if (message) strcpy(message, report.message);
    return report.passed;
}

static uint64_t scalar(const weft_result *r, const char *name) { return weft_result_scalar(r, name)->value.u64; }

/* The graph of a text "0>1 1>2" over n vertices, with its labels as "0 0 2". */
static weft_graph *graph_of(weft_ctx *ctx, uint64_t n, const char *arcs, weft_direction direction) {
    weft_vid u[64], v[64];
    uint64_t m = 0;
    for (unsigned a, b; sscanf(arcs, " %u>%u", &a, &b) == 2; m++) {
        u[m] = a;
        v[m] = b;
        arcs += strspn(arcs, " ");
        arcs += strcspn(arcs, " ");
    }
    weft_build_params params = WEFT_BUILD_DEFAULTS;
    params.direction = direction;
    weft_graph *g = NULL;
    if (weft_graph_from_edges(ctx, n, m, u, v, NULL, WEFT_WEIGHT_NONE, &params, &g))
        HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

static const char *labels_text(const weft_graph *g, const weft_result *r, char *to, size_t room) {
    to[0] = 0;
    for (weft_vid v = 0; v < weft_graph_vertices(g); v++)
        append(to, room, "%s%u", v ? " " : "", weft_result_u32(r, "component")[v]);
    return to;
}

static void expect_order(uint64_t n, const char *arcs, int strong, const char *want) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = graph_of(ctx, n, arcs, WEFT_DIRECTED);
    weft_components_params p = how(strong);
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    weft_result *r = NULL;
    char text[256] = "";
    p.order = 1;
    REQUIRE(weft_components(ctx, g, &p, &r) == WEFT_OK);
    size_t count = weft_result_column(r, "order")->length;
    weft_vid *order = (weft_vid *)(uintptr_t)weft_result_u32(r, "order");
    for (size_t i = 0; i < count; i++) append(text, sizeof text, "%s%u", i ? " " : "", order[i]);
    CHECK_TEXT(text, want);
    CHECK_U64(weft_check(ctx, "components", g, &p, r, &report), WEFT_OK);
    if (!report.passed) HARNESS_FAIL("%s", report.message);
    if (count > 1) { /* two that changed places are seen */
        weft_vid first = order[0];
        order[0] = order[1];
        order[1] = first;
        CHECK_U64(weft_check(ctx, "components", g, &p, r, &report), WEFT_OK);
        CHECK(!report.passed);
    }
    weft_result_free(r);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(components_are_listed_in_reverse_topological_order) {
    expect_order(0, "", 1, "");
    expect_order(3, "", 1, "0 1 2");
    expect_order(3, "", 0, "0 1 2");
    expect_order(3, "0>1 1>2", 1, "2 1 0");
    expect_order(3, "2>1 1>0", 1, "0 1 2");
    expect_order(4, "0>1 1>0 1>2 2>3 3>2", 1, "2 0");
    expect_order(5, "0>1 0>2 1>3 2>3 4>3", 1, "3 1 2 0 4");
    expect_order(5, "3>4 1>0", 0, "0 2 3");
}

TEST(small_graphs_have_the_components_that_can_be_seen) {
    static const struct {
        uint64_t n;
        const char *arcs, *weak, *strong;
        uint64_t weak_count, weak_largest, strong_count, strong_largest;
    } cases[] = {
        {0, "", "", "", 0, 0, 0, 0},
        {1, "", "0", "0", 1, 1, 1, 1},
        {1, "0>0", "0", "0", 1, 1, 1, 1},
        {3, "0>0 2>2", "0 1 2", "0 1 2", 3, 1, 3, 1},
        {2, "1>0", "0 0", "0 1", 1, 2, 2, 1},
        {2, "0>1 1>0", "0 0", "0 0", 1, 2, 1, 2},
        {5, "4>3 3>2 2>1 1>0", "0 0 0 0 0", "0 1 2 3 4", 1, 5, 5, 1},                 /* a path */
        {5, "4>3 3>2 2>1 1>0 0>4", "0 0 0 0 0", "0 0 0 0 0", 1, 5, 1, 5},             /* a cycle */
        {5, "0>1 0>2 0>3 0>4", "0 0 0 0 0", "0 1 2 3 4", 1, 5, 5, 1},                 /* a star, outwards */
        {5, "0>4 1>4 2>4 3>4", "0 0 0 0 0", "0 1 2 3 4", 1, 5, 5, 1},                 /* and inwards */
        {6, "5>1 1>5 4>2 2>4 3>3", "0 1 2 3 2 1", "0 1 2 3 2 1", 4, 2, 4, 2},         /* pairs */
        {6, "0>1 1>2 2>0 3>4 4>5 5>3 2>3", "0 0 0 0 0 0", "0 0 0 3 3 3", 1, 6, 2, 3}, /* two cycles, one arc */
        {6, "0>1 1>2 2>0 3>4 4>5 5>3 2>3 5>0", "0 0 0 0 0 0", "0 0 0 0 0 0", 1, 6, 1, 6},
        {4, "0>1 0>2 0>3 1>0 1>2 1>3 2>0 2>1 2>3 3>0 3>1 3>2", "0 0 0 0", "0 0 0 0", 1, 4, 1, 4},
        /* Tarjan's own pitfall: a cross arc into a finished component must not lower anybody. */
        {5, "0>1 1>2 2>1 0>3 3>2 3>4 4>3", "0 0 0 0 0", "0 1 1 3 3", 1, 5, 3, 2},
    };
    weft_ctx *ctx = new_ctx(0, NULL);
    for (size_t i = 0; i < LENGTH(cases); i++)
        for (int undirected = 0; undirected < 2; undirected++)
            for (int strong = 0; strong < 2; strong++)
                for (int transposed = 0; transposed < 2; transposed++) {
                    weft_graph *g =
                        graph_of(ctx, cases[i].n, cases[i].arcs, undirected ? WEFT_UNDIRECTED : WEFT_DIRECTED);
                    weft_csr in = {.size = sizeof in};
                    REQUIRE(g && (!transposed || !weft_graph_in(ctx, g, &in)));
                    weft_result *r = run(ctx, g, strong);
                    REQUIRE(r);
                    char text[256];
                    int by_paths = strong && !undirected;
                    CHECK_TEXT(labels_text(g, r, text, sizeof text), by_paths ? cases[i].strong : cases[i].weak);
                    CHECK_U64(scalar(r, "count"), by_paths ? cases[i].strong_count : cases[i].weak_count);
                    CHECK_U64(scalar(r, "largest"), by_paths ? cases[i].strong_largest : cases[i].weak_largest);
                    CHECK(accepted(ctx, g, strong, r, NULL));
                    weft_result_free(r);
                    weft_graph_free(g);
                }
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

/* --- generated graphs ------------------------------------------------------ */

typedef struct recipe {
    const char *kind;
    uint64_t scale, n;
    double degree;
    int undirected;
} recipe;

static const recipe recipes[] = {
    {"rmat", 15, 0, 8, 0},       {"rmat", 15, 0, 2, 0},       {"rmat", 14, 0, 4, 1},       {"uniform", 0, 60000, 1, 0},
    {"uniform", 0, 60000, 2, 0}, {"uniform", 0, 60000, 3, 0}, {"uniform", 0, 60000, 1, 1}, {"uniform", 0, 50000, .3, 0},
    {"dag", 0, 30000, 4, 0},     {"cyclic", 0, 3000, 5, 0},   {"path", 0, 200000, 0, 0},   {"cycle", 0, 200000, 0, 0},
    {"star", 0, 100000, 0, 0},   {"tree", 0, 100000, 0, 0},   {"complete", 0, 300, 0, 0},  {"er", 0, 40000, 1.1, 0},
    {"grid", 0, 0, 0, 0},        {"rmat", 19, 0, 3, 0},
};

static weft_graph *generated(weft_ctx *ctx, const recipe *c, int directed) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    p.scale = c->scale;
    p.n = c->n;
    if (c->degree > 0) p.degree = c->degree;
    p.undirected = c->undirected && !directed;
    if (!strcmp(c->kind, "grid")) p.rows = p.columns = 250;
    if (directed) build.direction = WEFT_DIRECTED;
    if (weft_generate(ctx, c->kind, &p, &build, &g)) HARNESS_FAIL("%s: %s", c->kind, weft_ctx_message(ctx));
    return g;
}

TEST(any_number_of_threads_gives_the_same_bytes_and_they_are_right) {
    static const int threads[] = {1, 2, 3, 7};
    for (size_t i = 0; i < LENGTH(recipes); i++)
        for (int strong = 0; strong < 2; strong++) {
            weft_vid *want = NULL;
            for (size_t t = 0; t < LENGTH(threads); t++) {
                weft_ctx *ctx = new_ctx(threads[t], NULL);
                weft_graph *g = generated(ctx, &recipes[i], 0);
                REQUIRE(g);
                size_t bytes = weft_graph_vertices(g) * sizeof *want;
                weft_result *r = run(ctx, g, strong), *again;
                REQUIRE(r);
                if (!want) {
                    char message[512];
                    if (!accepted(ctx, g, strong, r, message)) /* this makes the transpose */
                        HARNESS_FAIL("%s: %s", recipes[i].kind, message);
                    REQUIRE((want = malloc(bytes)));
                    memcpy(want, weft_result_u32(r, "component"), bytes);
                    weft_csr in = {.size = sizeof in};
                    REQUIRE(!weft_graph_in(ctx, g, &in) && (again = run(ctx, g, strong)));
                    CHECK(!memcmp(want, weft_result_u32(again, "component"), bytes));
                    weft_result_free(again);
                }
                if (memcmp(want, weft_result_u32(r, "component"), bytes))
                    HARNESS_FAIL("%s: other bytes with %d threads", recipes[i].kind, threads[t]);
                weft_result_free(r);
                weft_graph_free(g);
                weft_ctx_free(ctx);
            }
            free(want);
        }
}

/* The labels with and without the parallel core, which by itself only large graphs have. */
static bool core_agrees(weft_ctx *ctx, const weft_graph *g) {
    size_t n = weft_graph_vertices(g);
    weft_vid *plain = malloc(4 * n + 4), *labels = malloc(4 * n + 4), *stack = malloc(4 * n + 4);
    weft_eid *cursor = malloc(8 * n + 8);
    uint8_t *mark = malloc(n + 1);
    if (!plain || !labels || !stack || !cursor || !mark) exit(1);
    bool same = !wfi_components_strong(ctx, g, plain, stack, cursor, NULL) &&
                !wfi_components_strong(ctx, g, labels, stack, cursor, mark) && !memcmp(plain, labels, 4 * n);
    free(plain);
    free(labels);
    free(stack);
    free(cursor);
    free(mark);
    return same;
}

TEST(hundreds_of_small_random_graphs_satisfy_the_definition) {
    weft_ctx *ctx = new_ctx(2, NULL);
    for (uint64_t seed = 0; seed < 400; seed++) {
        dice d = {seed, 0};
        uint64_t n = 1 + roll(&d, 40), m = roll(&d, 2 * n);
        weft_vid u[80], v[80];
        for (uint64_t i = 0; i < m; i++) {
            u[i] = (weft_vid)roll(&d, n);
            v[i] = (weft_vid)roll(&d, n);
        }
        weft_build_params build = WEFT_BUILD_DEFAULTS;
        if (seed % 3 == 0) build.direction = WEFT_UNDIRECTED;
        if (seed % 2) build.duplicates = WEFT_DUPLICATES_KEEP;
        weft_graph *g = NULL;
        REQUIRE(!weft_graph_from_edges(ctx, n, m, u, v, NULL, WEFT_WEIGHT_NONE, &build, &g));
        for (int strong = 0; strong < 2; strong++) {
            weft_result *r = run(ctx, g, strong);
            char message[512];
            if (strong && !core_agrees(ctx, g)) HARNESS_FAIL("seed %" PRIu64 ": the core changes something", seed);
            if (!r || !accepted(ctx, g, strong, r, message))
                HARNESS_FAIL("seed %" PRIu64 ", strong %d: %s", seed, strong, message);
            weft_result_free(r);
        }
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(a_core_found_in_parallel_changes_nothing) {
    weft_ctx *ctx = new_ctx(3, NULL);
    for (size_t i = 0; i < LENGTH(recipes); i++) {
        weft_graph *g = generated(ctx, &recipes[i], 1);
        REQUIRE(g);
        if (!core_agrees(ctx, g)) HARNESS_FAIL("%s: other components", recipes[i].kind);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

TEST(the_size_of_the_graph_decides_whether_there_is_a_core) {
    weft_ctx *ctx = new_ctx(1, NULL);
    for (int large = 0; large < 2; large++) {
        weft_graph *g = NULL;
        weft_components_params p = how(1);
        weft_plan *plan = NULL;
        REQUIRE(!weft_graph_from_edges(ctx, (1 << 19) - !large, 0, NULL, NULL, NULL, WEFT_WEIGHT_NONE, NULL, &g));
        REQUIRE(!weft_plan_new(ctx, "components", g, &p, &plan));
        CHECK_TEXT(weft_plan_method(plan), large ? "forward-backward + Tarjan" : "Tarjan");
        weft_plan_free(plan);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

/* One path of a million arcs and its closing arc: a recursive search would overflow its stack. */
TEST(depth_costs_no_machine_stack) {
    enum { N = 1000000 };
    weft_ctx *ctx = new_ctx(0, NULL);
    weft_vid *u = malloc(N * sizeof *u), *v = malloc(N * sizeof *v);
    REQUIRE(u && v);
    for (weft_vid i = 0; i < N; i++) {
        u[i] = i;
        v[i] = (i + 1) % N;
    }
    for (int closed = 0; closed < 2; closed++) {
        weft_graph *g = NULL;
        REQUIRE(!weft_graph_from_edges(ctx, N, N - 1 + (uint64_t)closed, u, v, NULL, WEFT_WEIGHT_NONE, NULL, &g));
        weft_result *r = run(ctx, g, 1);
        REQUIRE(r);
        CHECK_U64(scalar(r, "count"), closed ? 1 : N);
        CHECK_U64(scalar(r, "largest"), closed ? N : 1);
        weft_result_free(r);
        weft_graph_free(g);
    }
    free(u);
    free(v);
    weft_ctx_free(ctx);
}

/* --- the verifier ----------------------------------------------------------- */

/* A result made by hand: labels and scalars as given. */
static weft_result *made(weft_ctx *ctx, size_t n, const weft_vid *labels, uint64_t count, uint64_t largest) {
    weft_result *r = wfi_result_new(ctx, NULL);
    weft_vid *column;
    if (!r || wfi_result_column(ctx, r, wfi_new_column("component", WEFT_VERTEX, WEFT_SHAPE_VERTICES, n), &column))
        exit(1);
    memcpy(column, labels, n * sizeof *labels);
    if (wfi_result_scalar_u64(ctx, r, "count", count) || wfi_result_scalar_u64(ctx, r, "largest", largest)) exit(1);
    return r;
}

TEST(the_verifier_refuses_what_is_wrong_and_says_why) {
    static const char *const weak = "0>1 1>2 3>4", *const strong = "0>1 1>2 2>0 2>3 3>4 4>3 5>0";
    static const struct {
        int strong;
        weft_vid labels[6];
        uint64_t count, largest;
        const char *why; /* NULL = right */
    } cases[] = {
        {0, {0, 0, 0, 3, 3, 5}, 3, 3, NULL},
        {0, {0, 0, 0, 3, 3, 5}, 4, 3, "count"},
        {0, {0, 0, 0, 3, 3, 5}, 3, 2, "largest"},
        {0, {0, 0, 0, 3, 4, 5}, 4, 3, "another component"}, /* split */
        {0, {0, 0, 0, 0, 0, 5}, 2, 5, "labels"},            /* merged */
        {0, {0, 0, 0, 3, 3, 3}, 2, 3, "labels"},
        {0, {1, 1, 1, 3, 3, 5}, 3, 3, "smaller"}, /* not the smallest */
        {0, {0, 0, 1, 3, 3, 5}, 3, 3, "its own label"},
        {0, {0, 0, 0, 3, 3, 9}, 3, 3, "no vertex"},
        {1, {0, 0, 0, 3, 3, 5}, 3, 3, NULL},
        {1, {0, 0, 0, 3, 4, 5}, 4, 3, "cycle"},                  /* too small */
        {1, {0, 0, 2, 3, 3, 5}, 4, 2, "does not reach"},         /* 1 reaches 0 only through 2 */
        {1, {0, 1, 2, 3, 3, 5}, 5, 2, "cycle"},                  /* a cycle of three classes */
        {1, {0, 0, 0, 0, 0, 5}, 2, 5, "does not reach"},         /* 3 does not reach 0 */
        {1, {0, 0, 0, 3, 3, 0}, 2, 4, "cannot be reached from"}, /* 5 is not reached from 0 */
    };
    weft_ctx *ctx = new_ctx(0, NULL);
    for (size_t i = 0; i < LENGTH(cases); i++) {
        weft_graph *g = graph_of(ctx, 6, cases[i].strong ? strong : weak, WEFT_DIRECTED);
        weft_result *r = made(ctx, 6, cases[i].labels, cases[i].count, cases[i].largest);
        char message[512];
        bool passed = accepted(ctx, g, cases[i].strong, r, message);
        CHECK(passed == !cases[i].why);
        if (cases[i].why) CHECK_HAS(message, cases[i].why);
        weft_result_free(r);
        r = made(ctx, 5, cases[i].labels, cases[i].count, cases[i].largest);
        CHECK(!accepted(ctx, g, cases[i].strong, r, message)); /* a column that is too short */
        weft_result_free(r);
        weft_graph_free(g);
    }
    weft_ctx_free(ctx);
}

/* --- memory, failures, cancellation ------------------------------------------- */

TEST(the_plan_says_the_peak_within_a_tenth) {
    for (int undirected = 0; undirected < 2; undirected++)
        for (int strong = 0; strong < 3; strong++) {
            recipe c = {"rmat", strong < 2 ? 17 : 19, 0, 8, undirected};
            weft_ctx *maker = new_ctx(0, NULL);
            weft_graph *g = generated(maker, &c, 0);
            weft_components_params p = how(strong > 0);
            weft_plan *plan = NULL;
            weft_result *r = NULL;
            weft_ctx *runner = new_ctx(2, NULL);
            REQUIRE(g && !weft_plan_new(runner, "components", g, &p, &plan));
            uint64_t said = weft_plan_host_bytes(plan);
            CHECK(weft_plan_method(plan)[0] && weft_plan_reason(plan)[0]);
            REQUIRE(!weft_plan_run(plan, &r));
            uint64_t peak = weft_ctx_memory_peak(runner);
            CHECK(peak >= said - said / 10 && peak <= said + said / 10);
            weft_result_free(r);
            weft_plan_free(plan);
            weft_graph_free(g);
            weft_ctx_free(runner);
            weft_ctx_free(maker);
        }
}

/* Says stop at the `at`-th question. */
typedef struct stopper {
    _Atomic int asked;
    int at;
} stopper;

static int stop_at(void *user) {
    stopper *s = user;
    return atomic_fetch_add(&s->asked, 1) + 1 >= s->at;
}

TEST(cancelling_stops_wherever_it_happens) {
    for (int strong = 0; strong < 3; strong++) {
        recipe c = {"rmat", strong < 2 ? 16 : 19, 0, 8, 0};
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = generated(ctx, &c, 0);
        REQUIRE(g);
        uint64_t held = weft_ctx_memory_in_use(ctx);
        stopper s = {0, INT32_MAX};
        weft_ctx_set_cancel(ctx, stop_at, &s);
        weft_result_free(run(ctx, g, strong > 0));
        int questions = s.asked;
        CHECK(questions >= 8);
        for (int at = 1; at < questions / 2; at += 1 + questions / 16) {
            s = (stopper){0, at};
            weft_components_params p = how(strong > 0);
            weft_result *r = NULL;
            CHECK_U64(weft_components(ctx, g, &p, &r), WEFT_ECANCELLED);
            CHECK(!r && weft_ctx_message(ctx)[0]);
            CHECK_U64(weft_ctx_memory_in_use(ctx), held);
        }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST_MAIN()
