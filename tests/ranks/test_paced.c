/* Virtual ranks with slow links: every collective call brings what it brings between fast ones, in parts of all sizes and none. */
#include "virtual_ranks.h"

#include "ranks/links.h"
#include "weft/components.h"

enum { LONGEST = 64 };

typedef struct rank_end {
    wfi_link link;
    bool good;
} rank_end;

/* Rank r's part of an array: 0, 3, 1, 4, 2, 0, ... elements. */
static uint64_t part(int r) { return (uint64_t)(3 * r % 5); }

static uint64_t value(int from, int to, uint64_t i) { return (uint64_t)from * 10000 + (uint64_t)to * 100 + i; }

static bool gathers(const wfi_link *l) {
    uint64_t start[MOST_RANKS + 1] = {0}, all[LONGEST] = {0};
    for (int r = 0; r < l->size; r++) start[r + 1] = start[r] + part(r) * sizeof *all;
    for (uint64_t i = 0; i < part(l->rank); i++) all[start[l->rank] / sizeof *all + i] = value(l->rank, 0, i);
    bool good = l->transport->allgather(l->self, all, start) == 0;
    for (int r = 0; r < l->size; r++)
        for (uint64_t i = 0; i < part(r); i++) good &= all[start[r] / sizeof *all + i] == value(r, 0, i);
    return good;
}

static bool exchanges(const wfi_link *l) {
    uint64_t go[MOST_RANKS + 1] = {0}, come[MOST_RANKS + 1] = {0}, send[LONGEST], receive[LONGEST] = {0};
    for (int r = 0; r < l->size; r++) {
        go[r + 1] = go[r] + part(l->rank + r) * sizeof *send;
        come[r + 1] = come[r] + part(r + l->rank) * sizeof *send;
        for (uint64_t i = 0; i < part(l->rank + r); i++) send[go[r] / sizeof *send + i] = value(l->rank, r, i);
    }
    bool good = l->transport->alltoall(l->self, send, go, receive, come) == 0;
    for (int r = 0; r < l->size; r++)
        for (uint64_t i = 0; i < part(r + l->rank); i++)
            good &= receive[come[r] / sizeof *send + i] == value(r, l->rank, i);
    return good;
}

static bool reduces(const wfi_link *l) {
    uint64_t start[MOST_RANKS + 1] = {0}, all[LONGEST], mine[LONGEST], sum = 0;
    uint64_t values[] = {(uint64_t)l->rank, 1};
    for (int r = 0; r < l->size; r++) start[r + 1] = start[r] + part(r), sum += (uint64_t)r;
    for (uint64_t i = 0; i < start[l->size]; i++) all[i] = value(l->rank, 0, i);
    bool good = l->transport->reduce_scatter(l->self, all, start, mine) == 0;
    for (uint64_t i = 0; i < part(l->rank); i++)
        good &= mine[i] == sum * 10000 + (uint64_t)l->size * (start[l->rank] + i);
    good &=
        l->transport->allreduce(l->self, values, 2, WFI_SUM) == 0 && values[0] == sum && values[1] == (uint64_t)l->size;
    values[0] = (uint64_t)l->rank;
    good &= l->transport->allreduce(l->self, values, 1, WFI_MAX) == 0 && values[0] == (uint64_t)l->size - 1;
    return l->transport->barrier(l->self) == 0 && good;
}

static void *call_all(void *given) {
    rank_end *s = given;
    s->good = gathers(&s->link) && exchanges(&s->link) && reduces(&s->link) && gathers(&s->link);
    s->link.transport->close(s->link.self);
    return NULL;
}

TEST(collective_calls_over_slow_links_bring_what_they_should) {
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        wfi_link link[MOST_RANKS];
        rank_end ends[MOST_RANKS];
        pthread_t thread[MOST_RANKS];
        wfi_link_pace pace = {ranks % 2 ? 1e-6 : 0, ranks % 3 ? 1e8 : 0};
        REQUIRE(wfi_paced_open(ranks, pace, link) == 0);
        for (int r = 0; r < ranks; r++) {
            ends[r] = (rank_end){link[r], false};
            REQUIRE(pthread_create(&thread[r], NULL, call_all, &ends[r]) == 0);
        }
        for (int r = 0; r < ranks; r++) pthread_join(thread[r], NULL);
        for (int r = 0; r < ranks; r++) CHECK(ends[r].good);
    }
}

typedef struct job {
    weft_ctx *ctx;
    const weft_graph *g;
    weft_result *whole;
    weft_status status;
} job;

static void *find_components(void *given) {
    job *j = given;
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    j->status = weft_plan_new(j->ctx, "components", j->g, NULL, &plan);
    if (!j->status) j->status = weft_plan_run(plan, &r);
    if (!j->status) j->status = weft_plan_gather(plan, r, &j->whole);
    weft_result_free(r);
    weft_plan_free(plan);
    return NULL;
}

TEST(contexts_become_virtual_ranks_with_the_answer_of_one_machine) {
    enum { RANKS = 5 };
    weft_ctx *one = new_ctx(1, NULL), *ctx[RANKS];
    weft_generate_params params = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    weft_graph *g = NULL;
    weft_result *expected = NULL;
    job jobs[RANKS] = {{0}};
    pthread_t thread[RANKS];
    params.scale = 8;
    params.degree = 1;
    build.direction = WEFT_UNDIRECTED;
    REQUIRE(weft_generate(one, "rmat", &params, &build, &g) == WEFT_OK);
    REQUIRE(weft_components(one, g, NULL, &expected) == WEFT_OK);
    for (int r = 0; r < RANKS; r++) ctx[r] = new_ctx(1, NULL);
    REQUIRE(weft_ctx_set_virtual(ctx, RANKS, 1e-5, 1e9) == WEFT_OK);
    for (int r = 0; r < RANKS; r++) {
        CHECK(weft_ctx_rank(ctx[r]) == r && weft_ctx_ranks(ctx[r]) == RANKS);
        jobs[r] = (job){ctx[r], g, NULL, WEFT_OK};
        REQUIRE(pthread_create(&thread[r], NULL, find_components, &jobs[r]) == 0);
    }
    for (int r = 0; r < RANKS; r++) pthread_join(thread[r], NULL);
    const weft_column *want = weft_result_column(expected, "component");
    REQUIRE(jobs[0].status == WEFT_OK && jobs[0].whole);
    CHECK(memcmp(weft_result_column(jobs[0].whole, "component")->data, want->data, want->length * sizeof(weft_vid)) ==
          0);
    CHECK(weft_ctx_set_virtual(ctx, RANKS, 0, 0) == WEFT_EINVAL); /* they have their places */
    CHECK(weft_ctx_set_virtual(&one, 0, 0, 0) == WEFT_EINVAL);
    weft_result_free(jobs[0].whole);
    weft_result_free(expected);
    weft_graph_free(g);
    for (int r = 0; r < RANKS; r++) weft_ctx_free(ctx[r]);
    weft_ctx_free(one);
}

TEST_MAIN()
