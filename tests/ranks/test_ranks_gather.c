/* What reaches the first rank of a result that virtual ranks have between them: ranges of vertices, rows that ranks chose, the sizes of groups.  All are what one
 * machine has; what is wrong is refused, and every allocation of a rank may fail. */
#include "virtual_ranks.h"

#include "ranks/spread.h"
#include "weft/pagerank.h"
#include "weft/registry.h"

#include <inttypes.h>

enum { RANKS = 5 };

typedef struct question {
    const char *algorithm;
    const void *params;
    const weft_graph *g;
    const weft_result *expected;
    const uint64_t *weights; /* NULL: equal parts */
    weft_vid window;
    weft_vid *group; /* of `expected`, where the algorithm finds groups */
    uint64_t *size;
    size_t groups;
    int failing; /* the rank whose allocations may fail once the result is there */
    counting memory;
    uint64_t allowed;
    weft_status status[RANKS];
    bool leaks;
    char trouble[256];
} question;

#define TROUBLE(q, ...) snprintf((q)->trouble, sizeof(q)->trouble, __VA_ARGS__)

static size_t bytes_of(const weft_column *c) { return (c->width ? c->width : 1) * weft_type_size(c->type); }

/* Does row `row` of `r` have the values of the vertex? */
static bool is_row_of(const question *q, const weft_result *r, size_t row, weft_vid vertex) {
    size_t k = 0;
    for (size_t i = 0; i < weft_result_column_count(q->expected); i++) {
        const weft_column *all = weft_result_column_at(q->expected, i);
        if (all->shape != WEFT_SHAPE_VERTICES) continue;
        const weft_column *some = weft_result_column(r, all->name);
        if (!some || bytes_of(some) != bytes_of(all) || row >= some->length) return false;
        if (memcmp((const char *)some->data + row * bytes_of(all), (const char *)all->data + vertex * bytes_of(all),
                   bytes_of(all)))
            return false;
        k++;
    }
    return k > 0;
}

static weft_status ask_ranges(question *q, weft_plan *plan, const weft_result *r, bool first) {
    weft_status st = WEFT_OK;
    for (weft_vid from = 0; from < q->g->n && !st; from += q->window) {
        weft_vid to = q->g->n - from < q->window ? q->g->n : from + q->window;
        weft_result *part = NULL;
        st = weft_plan_gather_range(plan, r, from, to, &part);
        if (!st && first != (part != NULL)) TROUBLE(q, "the range is not where it belongs");
        for (weft_vid v = from; v < to && part; v++)
            if (!is_row_of(q, part, v - from, v)) TROUBLE(q, "vertex %u of the range %u to %u is wrong", v, from, to);
        if (part && weft_result_scalar_count(part)) TROUBLE(q, "a range has scalars");
        weft_result_free(part);
    }
    return st;
}

/* Every third vertex, or none, or all. */
static weft_status ask_rows(question *q, weft_ctx *ctx, weft_plan *plan, const weft_result *r, weft_vid own,
                            bool first) {
    weft_status st = WEFT_OK;
    weft_vid *mine = calloc(own + 1, sizeof *mine), *places = calloc(own + 1, sizeof *places);
    if (!mine || !places) exit(1);
    if (weft_plan_vertices(plan, mine)) exit(1);
    for (weft_vid every = 1; every <= 7 && !st; every += 3) {
        size_t count = 0, expected = 0;
        weft_vid *vertices = NULL;
        weft_result *rows = NULL;
        for (weft_vid p = 0; p < own; p++)
            if (every != 7 && mine[p] % every == 0) places[count++] = p;
        st = weft_plan_gather_rows(plan, r, places, count, &vertices, &rows);
        if (st || !first) {
            if (vertices || rows) TROUBLE(q, "rows are not where they belong");
            continue;
        }
        for (weft_vid v = 0; v < q->g->n && every != 7; v += every, expected++)
            if (vertices[expected] != v || !is_row_of(q, rows, expected, v)) TROUBLE(q, "row %zu is wrong", expected);
        if (weft_result_column_at(rows, 0)->length != expected) TROUBLE(q, "there are more rows than were chosen");
        if (weft_result_scalar_count(rows) != weft_result_scalar_count(q->expected)) TROUBLE(q, "scalars are missing");
        weft_free(ctx, vertices);
        weft_result_free(rows);
    }
    free(mine);
    free(places);
    return st;
}

static weft_status ask_groups(question *q, weft_ctx *ctx, weft_plan *plan, const weft_result *r, bool first) {
    static const size_t limits[] = {0, 1, 7, SIZE_MAX};
    const char *name = weft_algorithm_find(q->algorithm)->groups;
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < LENGTH(limits) && name && !st; i++) {
        size_t count, some = limits[i] < q->groups ? limits[i] : q->groups;
        weft_vid *group;
        uint64_t *size, total;
        st = weft_plan_group_sizes(plan, weft_result_column(r, name), limits[i], &group, &size, &count, &total);
        if (st) break;
        if (total != q->groups) TROUBLE(q, "%" PRIu64 " groups, not %zu", total, q->groups);
        if (count != (first ? some : 0)) TROUBLE(q, "%zu groups at most, and there are %zu", limits[i], count);
        if (first && (memcmp(group, q->group, some * sizeof *group) || memcmp(size, q->size, some * sizeof *size)))
            TROUBLE(q, "the largest %zu groups are others", some);
        weft_free(ctx, group);
        weft_free(ctx, size);
    }
    return st;
}

static void ask(weft_ctx *ctx, wfi_comm *comm, void *user) {
    question *q = user;
    bool first = comm->link.rank == 0, failing = comm->link.rank == q->failing;
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    uint64_t own[RANKS];
    comm->weights = q->weights;
    if (failing && weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &q->memory)) exit(1);
    if (weft_plan_new(ctx, q->algorithm, q->g, q->params, &plan) || weft_plan_run(plan, &r)) exit(1);
    if (weft_plan_ranks(plan, WEFT_RANK_VERTICES, own)) exit(1);
    if (failing) q->memory.calls = 0;
    if (failing) q->memory.allowed = q->allowed;
    weft_status st = ask_ranges(q, plan, r, first);
    if (!st) st = ask_rows(q, ctx, plan, r, (weft_vid)own[comm->link.rank], first);
    if (!st) st = ask_groups(q, ctx, plan, r, first);
    q->status[comm->link.rank] = st;
    weft_result_free(r);
    weft_plan_free(plan);
    if (weft_ctx_memory_in_use(ctx)) q->leaks = true;
}

static weft_graph *make(weft_ctx *ctx, const char *kind, uint64_t n, double degree, bool directed) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    p.n = n, p.degree = degree;
    build.direction = directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    return weft_generate(ctx, kind, &p, &build, &g) ? NULL : g;
}

static void answer_alone(weft_ctx *ctx, question *q) {
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    const char *groups = weft_algorithm_find(q->algorithm)->groups;
    REQUIRE(!weft_plan_new(ctx, q->algorithm, q->g, q->params, &plan) && !weft_plan_run(plan, &r));
    q->expected = r;
    if (groups) REQUIRE(!weft_group_sizes(ctx, weft_result_column(r, groups), &q->group, &q->size, &q->groups));
    weft_plan_free(plan);
}

static void forget(weft_ctx *ctx, question *q) {
    weft_free(ctx, q->group);
    weft_free(ctx, q->size);
    weft_result_free((weft_result *)(uintptr_t)q->expected);
}

static void ask_of(const char *algorithm, const void *params, const char *kind, uint64_t n, double degree,
                   bool directed) {
    static const uint64_t uneven[RANKS] = {2, 0, 7, 1, 1};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = make(ctx, kind, n, degree, directed);
    REQUIRE(g);
    question q = {.algorithm = algorithm, .params = params, .g = g, .window = g->n / 7 + 3, .failing = -1};
    answer_alone(ctx, &q);
    for (int way = 0; way < 2; way++) {
        q.weights = way ? uneven : NULL;
        on_ranks(RANKS, ask, &q);
        CHECK_TEXT(q.trouble, "");
        CHECK(!q.leaks);
        for (int r = 0; r < RANKS; r++) CHECK_U64(q.status[r], WEFT_OK);
    }
    forget(ctx, &q);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(the_first_rank_gets_what_it_asks_for) {
    weft_pagerank_params rank = WEFT_PAGERANK_DEFAULTS; /* in eighths, each of which all ranks have a part of */
    rank.max_iterations = 2;
    ask_of("degree", NULL, "uniform", 1000, 3, true);
    ask_of("bfs", NULL, "uniform", 500, 2, false);
    ask_of("components", NULL, "uniform", 3000, 1, false);
    ask_of("components", NULL, "star", 5000, 1, false);
    ask_of("labelprop", NULL, "uniform", 2000, 2, false);
    ask_of("pagerank", &rank, "uniform", 150000, 1, true);
    ask_of("degree", NULL, "path", 3, 1, true); /* some have none */
}

/* Allocations of one rank fail, one after the other, once the result is there. */
TEST(every_allocation_may_fail_while_it_gets_them) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = make(ctx, "uniform", 40, 1, false);
    REQUIRE(g);
    for (int rank = 0; rank < 2; rank++) {
        int failed = 0;
        question q = {.algorithm = "components", .g = g, .window = 9, .failing = rank};
        answer_alone(ctx, &q);
        for (uint64_t allowed = 0; allowed < 1000; allowed++) {
            q.memory = (counting){.allowed = COUNT_ONLY, .once = true};
            q.allowed = allowed;
            on_ranks(RANKS, ask, &q);
            CHECK_TEXT(q.trouble, "");
            CHECK(!q.leaks && !q.memory.live_blocks);
            for (int r = 1; r < RANKS; r++) CHECK_U64(q.status[r], q.status[0]);
            if (q.memory.calls <= allowed) break;
            failed += q.status[0] == WEFT_ENOMEM;
            CHECK(q.status[0] == WEFT_OK || q.status[0] == WEFT_ENOMEM);
        }
        CHECK_U64(q.status[0], WEFT_OK);
        CHECK(failed > 10);
        forget(ctx, &q);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static void ask_wrongly(weft_ctx *ctx, wfi_comm *comm, void *user) {
    question *q = user;
    static const weft_vid descending[] = {1, 0}, far[] = {1000000};
    weft_plan *plan = NULL;
    weft_result *r = NULL, *part = NULL;
    weft_vid *vertices = NULL;
    uint64_t *size, total;
    size_t count;
    (void)comm;
    if (weft_plan_new(ctx, "degree", q->g, NULL, &plan) || weft_plan_run(plan, &r)) exit(1);
    bool refused =
        weft_plan_gather_range(plan, r, 3, 2, &part) == WEFT_EINVAL &&
        weft_plan_gather_range(plan, r, 0, q->g->n + 1, &part) == WEFT_EINVAL &&
        weft_plan_gather_rows(plan, r, descending, 2, &vertices, &part) == WEFT_EINVAL &&
        weft_plan_gather_rows(plan, r, far, 1, &vertices, &part) == WEFT_EINVAL &&
        weft_plan_group_sizes(plan, weft_result_column_at(r, 0), 5, &vertices, &size, &count, &total) == WEFT_EINVAL;
    if (!refused || part || vertices) TROUBLE(q, "what is wrong is not refused");
    weft_result_free(r);
    weft_plan_free(plan);
}

TEST(what_is_wrong_is_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = make(ctx, "uniform", 100, 2, true);
    weft_plan *plan = NULL;
    weft_result *r = NULL, *part = NULL;
    uint64_t one = 7;
    REQUIRE(g && !weft_plan_new(ctx, "degree", g, NULL, &plan) && !weft_plan_run(plan, &r));
    CHECK_U64(weft_plan_gather_range(plan, r, 0, 1, &part), WEFT_EINVAL); /* it is not one of several ranks */
    CHECK_U64(weft_ctx_sum_ranks(ctx, &one, 1), WEFT_OK);
    CHECK_U64(one, 7);
    question q = {.g = g};
    on_ranks(3, ask_wrongly, &q);
    CHECK_TEXT(q.trouble, "");
    weft_result_free(r);
    weft_plan_free(plan);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
