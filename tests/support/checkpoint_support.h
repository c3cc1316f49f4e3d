/* Runs that are stopped and gone on with, on virtual ranks: for the tests of checkpoints. */
#ifndef WEFT_TESTS_CHECKPOINT_SUPPORT_H
#define WEFT_TESTS_CHECKPOINT_SUPPORT_H

#include "variants.h"
#include "virtual_ranks.h"
#include "weft/hits.h"

#include <inttypes.h>

/* One run: on `ranks` ranks, or 0: in a process that has no ranks. */
typedef struct attempt {
    const char *algorithm;
    const void *params;
    const weft_graph *g;
    const char *folder;
    double seconds;
    uint64_t stop_after; /* iterations of this run; 0 = it goes on to the end */
    int listener;        /* the rank that hears the request */
    int columns;         /* of the grid of ranks; 0: the plan chooses */
    const weft_result *expected;
    void (*meanwhile)(struct attempt *a); /* on that rank, after each iteration */
    weft_status st;                       /* the first rank's */
    char message[512], trouble[256];
    weft_checkpoint_info info;
    warnings said;
} attempt;

typedef struct ear {
    attempt *a;
    uint64_t heard;
    bool listens;
} ear;

static inline int asked_to_stop(void *user) {
    ear *e = user;
    if (e->listens && e->a->meanwhile) e->a->meanwhile(e->a);
    return e->listens && ++e->heard == e->a->stop_after;
}

/* What the first rank has learned; the result of all ranks must be as expected. */
static inline void judge(attempt *a, weft_ctx *ctx, weft_plan *plan, weft_status st, const weft_result *whole) {
    const char *where = !st && a->expected ? difference(whole, a->expected) : NULL;
    a->st = st;
    snprintf(a->message, sizeof a->message, "%s", weft_ctx_message(ctx));
    if (where) snprintf(a->trouble, sizeof a->trouble, "differs in %s", where);
    a->info = (weft_checkpoint_info){.size = sizeof a->info};
    if (plan && weft_plan_checkpoint(plan, &a->info)) snprintf(a->trouble, sizeof a->trouble, "no info");
}

static inline void run_part(weft_ctx *ctx, wfi_comm *comm, void *user) {
    attempt *a = user;
    int rank = comm ? comm->link.rank : 0;
    ear e = {.a = a, .listens = rank == a->listener};
    weft_plan *plan = NULL;
    weft_result *r = NULL, *whole = NULL;
    if (comm) comm->columns = a->columns;
    if (!rank) weft_ctx_set_warning(ctx, note_warning, &a->said);
    weft_status st = weft_ctx_set_checkpoint(ctx, a->folder, a->seconds, asked_to_stop, &e);
    if (!st) st = weft_plan_new(ctx, a->algorithm, a->g, a->params, &plan);
    if (!st) st = weft_plan_run(plan, &r);
    if (comm && !st) {
        uint64_t sent[MOST_RANKS], planned[MOST_RANKS];
        st = weft_plan_ranks(plan, WEFT_RANK_SENT, sent);
        if (!st) st = weft_plan_ranks(plan, WEFT_RANK_SENDS, planned);
        if (!st && sent[rank] != planned[rank])
            snprintf(a->trouble, sizeof a->trouble, "rank %d sent %" PRIu64 " bytes, by the plan %" PRIu64, rank,
                     sent[rank], planned[rank]);
        if (!st) st = weft_plan_gather(plan, r, &whole);
    }
    if (!rank) judge(a, ctx, plan, st, comm ? whole : r);
    weft_result_free(whole);
    weft_result_free(r);
    weft_plan_free(plan);
}

static inline void try_on(attempt *a, int ranks) {
    a->said = (warnings){0, ""};
    *a->trouble = 0;
    if (ranks) {
        on_ranks(ranks, run_part, a);
        return;
    }
    weft_ctx *ctx = new_ctx(2, NULL);
    run_part(ctx, NULL, a);
    weft_ctx_free(ctx);
}

static inline void path_of(const attempt *a, char path[512]) {
    snprintf(path, 512, "%.200s/%.40s.checkpoint", a->folder, a->algorithm);
}

/* --- one small graph for all that follows ------------------------------------------------- */

typedef struct stage {
    weft_ctx *ctx;
    weft_graph *g, *other; /* other: as many vertices and arcs */
    weft_hits_params params;
    weft_result *expected;
    char folder[300], path[512];
    attempt a;
} stage;

static inline weft_graph *small_graph(weft_ctx *ctx, uint64_t seed) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    p.n = 203, p.m = 900, p.seed = seed;
    build.duplicates = WEFT_DUPLICATES_KEEP; /* so that all have as many arcs */
    if (weft_generate(ctx, "uniform", &p, &build, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

static inline bool set_up(stage *s) {
    *s = (stage){.ctx = new_ctx(1, NULL), .params = WEFT_HITS_DEFAULTS};
    s->params.iterations = 12;
    s->g = small_graph(s->ctx, 1);
    if (!s->g || !make_temp(s->folder, sizeof s->folder)) return false;
    s->a = (attempt){"hits", &s->params, s->g, s->folder, .seconds = 1e6};
    path_of(&s->a, s->path);
    return weft_hits(s->ctx, s->g, &s->params, &s->expected) == WEFT_OK && (s->a.expected = s->expected);
}

static inline void tear_down(stage *s) {
    remove_temp(s->folder);
    weft_result_free(s->expected);
    weft_graph_free(s->other);
    weft_graph_free(s->g);
    weft_ctx_free(s->ctx);
}

/* Leaves a checkpoint of iteration 5. */
static inline void leave_one(stage *s, int ranks) {
    s->a.stop_after = 5;
    try_on(&s->a, ranks);
    CHECK(s->a.info.stopped && s->a.info.iteration == 5);
    s->a.stop_after = 0;
}

#endif
