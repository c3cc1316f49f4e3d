/* Operators: each one's rule, once, on bodies of the test's own: what it gives is what the definition gives, to the
 * bit, on any number of threads and ranks, of graphs with nothing, with one vertex and with a hub of a million arcs; it
 * stops when told to; and what fails on one rank reaches all. */
#include "graph_matrix.h"
#include "virtual_ranks.h"

#include "run/algorithm.h"
#undef WFI_WITH_CUDA /* the steps here have no kernels */
#define WFI_WITH_CUDA(function) NULL
#include "ops/bodies.h"
#include "ranks/spread.h"

#include <math.h>
#include <time.h>

/* --- the bodies -------------------------------------------------------------------------------------------- */

enum { TOTALS = 4 }; /* of give, pull, walk and nothing else */

typedef struct tiny {
    double *share;    /* of all vertices */
    uint64_t *degree; /* of all: outgoing arcs */
    double *came, *weights;
    uint64_t *walks; /* of two arcs */
    wfi_view out;
    weft_vid first;
    double unit; /* a share, at most */
    bool alike;  /* all of them */
} tiny;

static inline double part_of(weft_vid v, bool alike) { return (double)(random_at(7, alike ? 0 : v) >> 11) * 0x1p-53; }

static inline void tiny_give(const tiny *s, weft_vid k, wfi_op_totals *t) {
    weft_vid v = s->first + k;
    s->share[v] = part_of(v, s->alike) * s->unit * WFI_FIXED_ONE;
    s->degree[v] = s->out.offsets[(size_t)k + 1] - s->out.offsets[k];
    for (unsigned i = 0; i < 4; i++) {
        wfi_fixed_add(&t->sum[i], s->share[v] / (1 + i));
        t->count[i] += random_at(i, v) >> 40;
        wfi_op_most(t, (int)i, random_at(10 + i, v));
    }
}

static inline void tiny_pull_end(const tiny *s, weft_vid k, double sum, wfi_op_totals *t) {
    s->came[k] = sum;
    wfi_fixed_add(&t->sum[1], sum * WFI_FIXED_ONE);
    wfi_op_most(t, 2, wfi_op_bits(sum));
}

static inline uint64_t tiny_walk_term(const tiny *s, weft_vid v) { return s->degree[v]; }
static inline void tiny_walk_end(const tiny *s, weft_vid k, uint64_t sum, wfi_op_totals *t) {
    s->walks[k] = sum;
    t->count[3] += sum;
    wfi_op_most(t, 0, sum);
}

#define TINY_STEPS(VERTICES, ROWS_FIXED, ROWS_COUNT) VERTICES(tiny_give) ROWS_FIXED(tiny_pull) ROWS_COUNT(tiny_walk)
WFI_STEPS(tiny, TINY_STEPS)

/* --- a run on some ranks, and what it must give -------------------------------------------------------------- */

typedef struct answer {
    double *came, *weights; /* of all vertices */
    uint64_t *walks;
    wfi_op_totals total[TOTALS];
} answer;

typedef struct trial {
    const weft_graph *g;
    bool weighted, alike;
    double unit;
    answer *found;
    const answer *expected;
    bool same[MOST_RANKS];
    weft_status failing, st[MOST_RANKS]; /* what rank `failing_rank` brings about, and what each returns */
    int failing_rank;
    char message[MOST_RANKS][200];
} trial;

static void *take(size_t count, size_t each) {
    void *block = calloc(count + 1, each);
    if (!block) exit(1);
    return block;
}

static answer answer_of(weft_vid n) { return (answer){.came = take(n, 8), .weights = take(n, 8), .walks = take(n, 8)}; }

static void free_answer(answer *a) {
    free(a->came);
    free(a->weights);
    free(a->walks);
}

static wfi_ops ops_on(weft_ctx *ctx, const wfi_spread *s, bool weighted) {
    const wfi_part *part = &s->part[0];
    return (wfi_ops){.ctx = ctx,
                     .spread = s,
                     .weighted = weighted,
                     .n = s->g->n,
                     .mine = s->vertices,
                     .first = part->first,
                     .out = &part->out,
                     .in = &part->in};
}

/* The steps, and their totals, which all ranks must have. */
static weft_status drive(wfi_ops *o, tiny *s, const trial *t, wfi_op_totals total[TOTALS]) {
    wfi_op_totals here[TOTALS] = {{.most = {0}}};
    if (t->weighted) wfi_ops_row_weights(o, "tiny", t->g, o->out, s->weights);
    wfi_ops_vertices(o, &tiny_give_op, s, &here[0]);
    weft_status st = wfi_ops_gather(o, s->share, sizeof *s->share);
    if (!st) st = wfi_ops_gather(o, s->degree, sizeof *s->degree);
    if (st) return st;
    wfi_ops_vertices(o, &tiny_give_op, s, NULL); /* totals that nobody wants */
    wfi_ops_rows(o, &tiny_pull_op, o->in, s, &here[1]);
    wfi_ops_rows(o, &tiny_walk_op, o->out, s, &here[2]);
    for (int i = 0; i < TOTALS && !st; i++) st = wfi_ops_join(o, &here[i]);
    return st ? st : wfi_ops_read(o, here, TOTALS, total);
}

static void be_one(weft_ctx *ctx, wfi_comm *comm, void *user) {
    trial *t = user;
    wfi_spread *s = NULL;
    wfi_op_totals total[TOTALS];
    int rank = comm->link.rank;
    weft_vid n = t->g->n;
    weft_status st = wfi_spread_new(ctx, t->g, 0, &s);
    if (!st) st = wfi_spread_need_in(ctx, s);
    if (st) exit(1);
    tiny state = {.share = take(n, 8),
                  .degree = take(n, 8),
                  .came = t->found->came + s->part[0].first,
                  .weights = t->found->weights + s->part[0].first,
                  .walks = t->found->walks + s->part[0].first,
                  .out = s->part[0].out,
                  .first = s->part[0].first,
                  .unit = t->unit,
                  .alike = t->alike};
    wfi_ops o = ops_on(ctx, s, t->weighted);
    if (t->alike) o.alike = part_of(0, true) * t->unit * WFI_FIXED_ONE;
    if (t->failing && rank == t->failing_rank) o.status = wfi_fail(ctx, t->failing, "this rank has failed");
    t->st[rank] = st = drive(&o, &state, t, total);
    snprintf(t->message[rank], sizeof t->message[rank], "%s", st ? weft_ctx_message(ctx) : "");
    t->same[rank] = !st && t->expected && !memcmp(total, t->expected->total, sizeof total);
    free(state.share);
    free(state.degree);
    wfi_spread_free(s);
}

/* By the definition, arc by arc, on one thread. */
static void expect(const weft_graph *g, bool weighted, bool alike, double unit, answer *a) {
    weft_csr out = out_rows(g);
    weft_vid n = out.vertices;
    wfi_fixed *came = take(n, sizeof *came);
    for (weft_vid v = 0; v < n; v++) {
        double share = part_of(v, alike) * unit * WFI_FIXED_ONE;
        for (unsigned i = 0; i < 4; i++) {
            wfi_fixed_add(&a->total[0].sum[i], share / (1 + i));
            a->total[0].count[i] += random_at(i, v) >> 40;
            wfi_op_most(&a->total[0], (int)i, random_at(10 + i, v));
        }
        for (weft_eid e = out.offsets[v]; e < out.offsets[v + 1]; e++) {
            double weight = weighted ? weight_at(g, &out, e) : 1;
            weft_vid u = out.targets[e];
            wfi_fixed_add(&came[u], share * weight);
            a->weights[v] += weighted ? weight : 0;
            a->walks[v] += out.offsets[u + 1] - out.offsets[u];
        }
        a->total[2].count[3] += a->walks[v];
        wfi_op_most(&a->total[2], 0, a->walks[v]);
    }
    for (weft_vid v = 0; v < n; v++) {
        wfi_fixed_carry(&came[v]);
        a->came[v] = wfi_fixed_value(came[v]);
        wfi_fixed_add(&a->total[1].sum[1], a->came[v] * WFI_FIXED_ONE);
        wfi_op_most(&a->total[1], 2, wfi_op_bits(a->came[v]));
    }
    for (int i = 0; i < TOTALS; i++)
        for (int k = 0; k < WFI_OP_SUMS; k++) wfi_fixed_carry(&a->total[i].sum[k]);
    free(came);
}

static bool agrees(const answer *a, const answer *b, weft_vid n) {
    return !memcmp(a->came, b->came, n * 8u) && !memcmp(a->weights, b->weights, n * 8u) &&
           !memcmp(a->walks, b->walks, n * 8u);
}

/* The largest share with which nothing leaves fixed point. */
static double unit_of(const weft_graph *g, bool weighted) {
    weft_csr out = out_rows(g);
    double all = (double)out.vertices + 1;
    for (weft_eid e = 0; out.vertices && e < out.offsets[out.vertices]; e++)
        all += weighted ? weight_at(g, &out, e) : 1;
    return 1 / all;
}

static void try_everywhere(weft_graph *g, bool weighted, bool alike, const char *name) {
    static const int threads[] = {1, 2, 3, 7};
    trial t = {.g = g, .weighted = weighted, .alike = alike, .unit = unit_of(g, weighted)};
    answer expected = answer_of(g->n);
    expect(g, weighted, alike, t.unit, &expected);
    t.expected = &expected;
    for (size_t i = 0; i < LENGTH(threads) + 4; i++) {
        if (under_a_microscope() && i % 3 != 1) continue; /* 2 threads, 1 rank and 4 ranks will do */
        answer found = answer_of(g->n);
        t.found = &found;
        int ranks = i < LENGTH(threads) ? 1 : (int)(i - LENGTH(threads)) + 1;
        if (i < LENGTH(threads)) {
            weft_ctx *ctx = new_ctx(threads[i], NULL);
            be_one(ctx, wfi_ctx_comm(ctx), &t);
            weft_ctx_free(ctx);
        } else {
            on_ranks(ranks, be_one, &t);
        }
        for (int r = 0; r < ranks; r++)
            if (!t.same[r]) HARNESS_FAIL("%s: totals of rank %d of %d differ: %s", name, r, ranks, t.message[r]);
        if (!agrees(&found, &expected, g->n)) HARNESS_FAIL("%s, way %zu: the arrays differ", name, i);
        free_answer(&found);
    }
    free_answer(&expected);
}

static void try_graph(const matrix_graph *m) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = make_matrix_graph(ctx, m);
    weft_csr in = {.size = sizeof in};
    REQUIRE(g && weft_graph_in(ctx, g, &in) == WEFT_OK);
    for (int alike = 0; alike < 2; alike++) {
        try_everywhere(g, false, alike, m->name);
        if (m->weights != UNWEIGHTED) try_everywhere(g, true, alike, m->name);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(steps_give_what_the_definition_gives_on_any_number_of_threads_and_ranks) {
    static const matrix_graph graphs[] = {
        {"empty", "random", .direction = WEFT_DIRECTED},
        {"one vertex", "random", .n = 1, .direction = WEFT_UNDIRECTED},
        {"one vertex with loops", "random", .n = 1, .m = 3, .direction = WEFT_DIRECTED,
         .duplicates = WEFT_DUPLICATES_KEEP},
        {"whole weights", "random", .n = 3000, .m = 60000, .direction = WEFT_DIRECTED, .weights = WHOLE},
        {"real weights", "random", .n = 3000, .m = 60000, .direction = WEFT_DIRECTED, .weights = REAL},
        {"double weights", "random", .n = 40000, .m = 90000, .direction = WEFT_UNDIRECTED, .weights = DOUBLE},
        {"repeats", "random", .n = 500, .m = 60000, .direction = WEFT_UNDIRECTED, .weights = WHOLE,
         .duplicates = WEFT_DUPLICATES_KEEP},
    };
    for (size_t i = 0; i < LENGTH(graphs); i++) try_graph(&graphs[i]);
}

/* A row that is longer than what is added between two looks at the request to stop. */
TEST(a_hub_of_a_million_arcs_is_a_row_as_others) {
    static const matrix_graph hub = {"hub", "star", .n = 1200001, OPEN, .direction = WEFT_UNDIRECTED};
    try_graph(&hub);
}

/* --- failures ------------------------------------------------------------------------------------------------ */

TEST(what_fails_on_one_rank_reaches_all) {
    static const matrix_graph plain = {"plain", "random", .n = 3000, .m = 20000, .direction = WEFT_DIRECTED};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = make_matrix_graph(ctx, &plain);
    for (int ranks = 1; ranks <= 4; ranks++) {
        answer found = answer_of(g->n), untouched = answer_of(g->n);
        trial t = {
            .g = g, .unit = unit_of(g, false), .found = &found, .failing = WEFT_ENOMEM, .failing_rank = ranks - 1};
        on_ranks(ranks, be_one, &t);
        for (int r = 0; r < ranks; r++) {
            CHECK(t.st[r] == WEFT_ENOMEM);
            CHECK_HAS(t.message[r], "this rank has failed");
        }
        CHECK(agrees(&found, &untouched, g->n)); /* later steps did nothing */
        free_answer(&found);
        free_answer(&untouched);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* The arc is in the row of one rank alone. */
TEST(a_weight_that_cannot_be_is_refused_in_the_algorithms_name) {
    enum { N = 4000 };
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_vid from[N], to[N];
    float weight[N];
    for (weft_vid v = 0; v < N; v++) from[v] = v, to[v] = (v + 1) % N, weight[v] = v == N - 1 ? -1.0f : 1.0f;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    REQUIRE(!weft_graph_from_edges(ctx, N, N, from, to, weight, WEFT_WEIGHT_F32, &build, &g));
    for (int ranks = 1; ranks <= 4; ranks++) {
        answer found = answer_of(N);
        trial t = {.g = g, .weighted = true, .unit = 0.5 / N, .found = &found};
        on_ranks(ranks, be_one, &t);
        for (int r = 0; r < ranks; r++) {
            CHECK(t.st[r] == WEFT_EINPUT);
            CHECK_HAS(t.message[r], "tiny");
        }
        free_answer(&found);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- stopping ------------------------------------------------------------------------------------------------ */

enum { BOUND_MS = 100, TRIES = 5 };

static double ms_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

typedef struct request {
    double end;
    _Atomic double used; /* by the process, when it was first asked after the end */
} request;

static int time_is_up(void *user) {
    request *r = user;
    if (ms_of(CLOCK_MONOTONIC) < r->end) return 0;
    double none = 0;
    atomic_compare_exchange_strong(&r->used, &none, ms_of(CLOCK_PROCESS_CPUTIME_ID));
    return 1;
}

/* Steps without an end; returns how long they took to hear, by the clock or by the processor, whichever is less. */
static double hears_after(weft_ctx *ctx, const weft_graph *g, double delay, weft_status *st) {
    wfi_spread *s = NULL;
    weft_vid n = g->n;
    tiny state = {.share = take(n, 8), .degree = take(n, 8), .came = take(n, 8), .walks = take(n, 8), .unit = 1e-9};
    wfi_op_totals total;
    if (wfi_spread_new(ctx, g, 0, &s) || wfi_spread_need_in(ctx, s)) exit(1);
    state.out = s->part[0].out;
    wfi_ops o = ops_on(ctx, s, false);
    request r = {.end = ms_of(CLOCK_MONOTONIC) + delay};
    weft_ctx_set_cancel(ctx, time_is_up, &r);
    do {
        wfi_ops_vertices(&o, &tiny_give_op, &state, NULL);
        wfi_ops_rows(&o, &tiny_pull_op, o.in, &state, &total);
        wfi_ops_rows(&o, &tiny_walk_op, o.out, &state, &total);
        *st = wfi_ops_join(&o, &total);
    } while (!*st);
    double took = ms_of(CLOCK_MONOTONIC) - r.end, used = ms_of(CLOCK_PROCESS_CPUTIME_ID) - atomic_load(&r.used);
    weft_ctx_set_cancel(ctx, NULL, NULL);
    free(state.share), free(state.degree), free(state.came), free(state.walks);
    wfi_spread_free(s);
    return fmin(took, used);
}

TEST(steps_stop_within_100_ms) {
    if (under_a_microscope()) SKIP("times mean nothing here");
    static const matrix_graph graphs[] = {
        {"hub", "star", .n = 4000001, OPEN, .direction = WEFT_UNDIRECTED},
        {"rmat", "rmat", .scale = 18, .degree = 8, .p = (double)NAN, .direction = WEFT_UNDIRECTED}};
    for (size_t i = 0; i < LENGTH(graphs); i++) {
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = make_matrix_graph(ctx, &graphs[i]);
        for (double delay = 0; delay < 100 && g; delay += 30) {
            double best = INFINITY;
            for (int k = 0; k < TRIES && best > BOUND_MS; k++) {
                weft_status st;
                best = fmin(best, hears_after(ctx, g, delay, &st));
                CHECK(st == WEFT_ECANCELLED);
            }
            if (best > BOUND_MS) HARNESS_FAIL("%s: took %.0f ms to stop", graphs[i].name, best);
        }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST_MAIN()
