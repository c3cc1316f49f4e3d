/* A request to stop that is there from the start is always heard, however short the work; a later one is answered
 * within 200 ms, wherever the work stands.  Both with WEFT_ECANCELLED, its message and nothing left behind, or with what
 * the work gives when nobody stops it: making, reading and transposing graphs, and every algorithm of the registry on
 * large ones.
 * The one place where a time is asserted, so the best of three tries counts, and on a busy machine the time that the
 * process had: the smaller of the clock's and the processors'. */
#include "stops.h"
#include "variants.h"
#include "weft/betweenness.h"

#include <time.h>

enum { BOUND_MS = 200, TRIES = 3, SCALE = 20 };

static double ms_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static double now_ms(void) { return ms_of(CLOCK_MONOTONIC); }
static double used_ms(void) { return ms_of(CLOCK_PROCESS_CPUTIME_ID); }

/* When to stop, and what the process had used when it was first asked after that. */
typedef struct request {
    double end;
    _Atomic double used;
} request;

static int time_is_up(void *user) {
    request *r = user;
    if (now_ms() < r->end) return 0;
    double none = 0;
    atomic_compare_exchange_strong(&r->used, &none, used_ms());
    return 1;
}

static int at_once(void *user) {
    (void)user;
    return 1;
}

/* When the work was through: what it made is looked at afterwards. */
static double ended, used_then;

static void work_ends(weft_ctx *ctx) {
    ended = now_ms();
    used_then = used_ms();
    forget_stop(ctx);
}

/* Starts the work, asks it to stop after `delay` ms, and says how long it then took to return, in ms. */
static double answer_time(weft_ctx *ctx, printed_work work, const void *input, double delay, weft_status *st,
                          uint64_t *print) {
    request r = {.end = now_ms() + delay};
    weft_ctx_set_cancel(ctx, time_is_up, &r);
    *st = work(ctx, input, print);
    double took = ended - r.end, used = atomic_load(&r.used) > 0 ? used_then - atomic_load(&r.used) : took;
    return fmin(took, used);
}

/* Work that was through before it was stopped gives what it always gives. */
static void check_answer(weft_ctx *ctx, printed_work work, const void *input, uint64_t print, const char *what) {
    uint64_t want = 0;
    weft_status st = work(ctx, input, &want);
    if (st || want != print) HARNESS_FAIL("%s: stopped, and WEFT_OK with another answer", what);
}

/* Stops the work after `delay` ms.  True when it was through before that. */
static bool stops_after(weft_ctx *ctx, printed_work work, const void *input, double delay, const char *what) {
    double best = INFINITY;
    uint64_t held = weft_ctx_memory_in_use(ctx);
    for (int i = 0; i < TRIES && best > BOUND_MS; i++) {
        weft_status st;
        uint64_t print = 0;
        double took = answer_time(ctx, work, input, delay, &st, &print);
        if (st == WEFT_OK) check_answer(ctx, work, input, print, what);
        if (st == WEFT_OK && took < BOUND_MS) return true; /* the end came first */
        best = took < best ? took : best;
        if (st && (st != WEFT_ECANCELLED || strcmp(weft_ctx_message(ctx), "stopped on request")))
            HARNESS_FAIL("%s, stopped after %.0f ms: status %d: %s", what, delay, (int)st, weft_ctx_message(ctx));
        if (weft_ctx_memory_in_use(ctx) != held) HARNESS_FAIL("%s, stopped after %.0f ms: memory is left", what, delay);
    }
    if (best > BOUND_MS) HARNESS_FAIL("%s, stopped after %.0f ms: took %.0f ms to return", what, delay, best);
    return false;
}

/* Asked from the start: whoever never asks whether to stop would get through. */
static void check_asks(weft_ctx *ctx, printed_work work, const void *input, const char *what) {
    uint64_t held = weft_ctx_memory_in_use(ctx), print;
    weft_ctx_set_cancel(ctx, at_once, NULL);
    weft_status st = work(ctx, input, &print);
    if (st != WEFT_ECANCELLED || strcmp(weft_ctx_message(ctx), "stopped on request"))
        HARNESS_FAIL("%s, stopped before it began: status %d: %s", what, (int)st, weft_ctx_message(ctx));
    if (weft_ctx_memory_in_use(ctx) != held) HARNESS_FAIL("%s, stopped before it began: memory is left", what);
}

/* At once, and then later and later until it gets through; the last is late enough for every stage of what is done here
 * to have begun.  Two of the delays in turn, the next two for what is stopped next, and all with WEFT_CANCEL=all (make slow). */
static void check_stopping(weft_ctx *ctx, printed_work work, const void *input, const char *what) {
    static const double delays[] = {20, 60, 150, 400, 900};
    static size_t turn;
    check_asks(ctx, work, input, what);
    size_t first = turn++ % LENGTH(delays), second = (first + 2) % LENGTH(delays);
    for (size_t i = 0; i < LENGTH(delays); i++)
        if (i == first || i == second || asked_for_all("WEFT_CANCEL"))
            if (stops_after(ctx, work, input, delays[i], what)) return;
}

/* --- graphs ------------------------------------------------------------------------ */

typedef struct making {
    const char *kind;
    uint64_t n, scale, max_weight;
    double degree;
    weft_direction direction;
} making;

static weft_graph *make(weft_ctx *ctx, const making *m, weft_status *st) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    p.n = m->n, p.scale = m->scale, p.max_weight = m->max_weight, p.degree = m->degree;
    build.direction = m->direction;
    build.loops = WEFT_LOOPS_DROP;
    weft_graph *g = NULL;
    *st = weft_generate(ctx, m->kind, &p, &build, &g);
    return g;
}

/* Frees the graph. */
static weft_status ends_with(weft_ctx *ctx, weft_graph *g, weft_status st, uint64_t *print) {
    work_ends(ctx);
    if (!st) st = weft_graph_fingerprint(ctx, g, print);
    weft_graph_free(g);
    return st;
}

static weft_status work_make(weft_ctx *ctx, const void *input, uint64_t *print) {
    weft_status st;
    weft_graph *g = make(ctx, input, &st);
    return ends_with(ctx, g, st, print);
}

static weft_status work_transpose(weft_ctx *ctx, const void *input, uint64_t *print) {
    weft_csr in = {.size = sizeof in};
    weft_status st = weft_graph_in(ctx, input, &in);
    work_ends(ctx);
    *print = 0;
    for (weft_eid e = 0; !st && e < in.arcs; e++) *print = (*print ^ in.targets[e]) * 1099511628211u;
    if (!st) forget_transpose((weft_graph *)(uintptr_t)input);
    return st;
}

static weft_status work_relabel(weft_ctx *ctx, const void *input, uint64_t *print) {
    const weft_graph *g = input;
    weft_graph *h = NULL;
    weft_vid n = weft_graph_vertices(g), *order = malloc(n * sizeof *order);
    if (!order) exit(1);
    for (weft_vid v = 0; v < n; v++) order[v] = n - 1 - v;
    weft_status st = weft_graph_relabel(ctx, g, order, &h);
    free(order);
    return ends_with(ctx, h, st, print);
}

TEST(making_a_graph_stops) {
    if (under_a_microscope()) SKIP("times mean nothing here");
    static const making kinds[] = {
        {"rmat", .scale = SCALE, .degree = 16, .direction = WEFT_DIRECTED},
        {"uniform", .n = 1 << SCALE, .degree = 8, .max_weight = 9, .direction = WEFT_UNDIRECTED},
        {"star", .n = 8000000, .degree = (double)NAN, .direction = WEFT_UNDIRECTED}};
    for (size_t i = 0; i < LENGTH(kinds); i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        check_stopping(ctx, work_make, &kinds[i], kinds[i].kind);
        weft_ctx_free(ctx);
    }
}

TEST(transposing_and_relabelling_stop) {
    if (under_a_microscope()) SKIP("times mean nothing here");
    static const making kinds[] = {{"rmat", .scale = SCALE, .degree = 16, .direction = WEFT_DIRECTED},
                                   {"star", .n = 8000000, .degree = (double)NAN, .direction = WEFT_DIRECTED}};
    for (size_t i = 0; i < LENGTH(kinds); i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_status st;
        weft_graph *g = make(ctx, &kinds[i], &st);
        REQUIRE(g);
        check_stopping(ctx, work_transpose, g, "transposing");
        check_stopping(ctx, work_relabel, g, "relabelling");
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

typedef struct text {
    char *data;
    size_t bytes;
} text;

static weft_status work_read(weft_ctx *ctx, const void *input, uint64_t *print) {
    const text *t = input;
    weft_graph *g = NULL;
    weft_status st = weft_read_memory(ctx, t->data, t->bytes, "text", NULL, &g);
    return ends_with(ctx, g, st, print);
}

/* Ids that are nearly dense (numbered by a bitmap), spread over 64 bits (sorted), and names. */
TEST(reading_stops) {
    if (under_a_microscope()) SKIP("times mean nothing here");
    static const char *const patterns[] = {"%" PRIu64 " %" PRIu64 "\n", "%" PRIu64 "000000007 %" PRIu64 "\n",
                                           "a%" PRIu64 " b%" PRIu64 "\n"};
    enum { LINES = 1000000 };
    text t = {malloc((size_t)LINES * 48), 0};
    REQUIRE(t.data);
    for (size_t style = 0; style < LENGTH(patterns); style++) {
        t.bytes = 0;
        for (uint64_t i = 0; i < LINES; i++) {
            uint64_t u = random_at(1, i) % 3000000, v = random_at(2, i) % 3000000;
            char *at = t.data + t.bytes;
            if (style == 0) t.bytes += (size_t)sprintf(at, patterns[0], u, v);
            if (style == 1) t.bytes += (size_t)sprintf(at, patterns[1], u, v);
            if (style == 2) t.bytes += (size_t)sprintf(at, patterns[2], u, v);
        }
        weft_ctx *ctx = new_ctx(2, NULL);
        check_stopping(ctx, work_read, &t, patterns[style]);
        weft_ctx_free(ctx);
    }
    free(t.data);
}

/* --- algorithms ---------------------------------------------------------------------- */

typedef struct running {
    const weft_algorithm_info *algorithm;
    const variant *v;
    const weft_graph *g;
} running;

static weft_status work_run(weft_ctx *ctx, const void *input, uint64_t *print) {
    const running *run = input;
    weft_result *r = NULL;
    weft_status st = run_variant(ctx, run->algorithm, run->v, run->g, &r);
    work_ends(ctx);
    if (!st) st = weft_result_digest(ctx, r, print);
    weft_result_free(r);
    return st;
}

static bool takes(weft_ctx *ctx, const running *run) {
    weft_plan *plan = NULL;
    weft_status st = weft_plan_new(ctx, run->algorithm->name, run->g, run->v->params, &plan);
    weft_plan_free(plan);
    return !refused_as_undirected(run->algorithm, run->g, st);
}

static void check_all_runs(const making *m, const char *graph) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU); /* nobody can stop a driver that starts */
    weft_status st;
    weft_csr in = {.size = sizeof in};
    weft_graph *g = make(ctx, m, &st);
    REQUIRE(g && weft_graph_in(ctx, g, &in) == WEFT_OK);
    for (size_t a = 0; a < weft_algorithm_count(); a++) {
        variants list = variants_of(weft_algorithm_at(a), g, true);
        for (size_t i = 0; i < list.count; i++) {
            const variant *v = &list.at[i];
            if ((i && !v->run) || !variant_fits(v, g)) continue; /* once with each method */
            running run = {list.algorithm, v, g};
            if (!takes(ctx, &run)) continue;
            char what[256];
            snprintf(what, sizeof what, "%s, %s, of %s", list.algorithm->name, v->name, graph);
            check_stopping(ctx, work_run, &run, what);
        }
        variants_free(&list);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(every_algorithm_stops_on_rmat_20) {
    if (under_a_microscope()) SKIP("times mean nothing here");
    check_all_runs(&(making){"rmat", .scale = SCALE, .degree = 16, .direction = WEFT_DIRECTED}, "rmat-20");
}

/* Rows of all lengths: one that holds all arcs, and a million steps that hold none. */
TEST(every_algorithm_stops_on_a_hub_and_on_a_path) {
    if (under_a_microscope()) SKIP("times mean nothing here");
    check_all_runs(&(making){"star", .n = 1000000, .degree = (double)NAN, .direction = WEFT_UNDIRECTED}, "a hub");
    check_all_runs(&(making){"path", .n = 1000000, .degree = (double)NAN, .direction = WEFT_DIRECTED}, "a path");
}

/* 2^55 random paths may be in what is to be done before the next look at the bound. */
TEST(random_paths_of_a_small_graph_stop) {
    if (under_a_microscope()) SKIP("times mean nothing here");
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = read_text(ctx, "0 1\n0 2\n0 3\n1 2\n3 4\n", NULL);
    weft_csr in = {.size = sizeof in};
    REQUIRE(g && weft_graph_in(ctx, g, &in) == WEFT_OK);
    variant v = {.name = "random paths"};
    weft_betweenness_params p = WEFT_BETWEENNESS_DEFAULTS;
    p.error = 1e-8;
    memcpy(v.params, &p, sizeof p);
    running run = {weft_algorithm_find("betweenness"), &v, g};
    check_asks(ctx, work_run, &run, "random paths");
    CHECK(!stops_after(ctx, work_run, &run, 900, "random paths"));
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
