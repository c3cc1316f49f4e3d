/* What goes wrong in the last step of a driver, after its last collective call, ends the run: a step that failed, a
 * request to stop; on one machine, and on one of several ranks. */
#include "virtual_ranks.h"

#include "ranks/spread.h"
#include "run/method.h"

typedef enum trouble { NONE, FAILS, STOPS } trouble;

typedef struct trial {
    const weft_graph *g;
    trouble trouble;
    int rank; /* that has it */
    weft_status own[MOST_RANKS], agreed[MOST_RANKS];
    char message[MOST_RANKS][120];
} trial;

static int at_once(void *user) { return (void)user, 1; }

static void last_chunk(wfi_ops *o, const void *state, const wfi_view *rows, weft_vid from, weft_vid to,
                       wfi_op_totals *t) {
    (void)state, (void)rows, (void)from, (void)to, (void)t;
    o->status = wfi_fail(o->ctx, WEFT_ENOMEM, "the last step has failed");
}

/* Nothing is collective after the step, and nothing looks at it. */
static weft_status careless(wfi_ops *o, void *state, wfi_job *job) {
    const trial *t = job->params;
    wfi_op last = {.cpu = last_chunk};
    bool mine = wfi_rank(o->ctx) == t->rank;
    weft_status st = wfi_ops_join(o, &(wfi_op_totals){.most = {0}});
    if (mine && t->trouble == STOPS) weft_ctx_set_cancel(o->ctx, at_once, NULL);
    if (mine && t->trouble != NONE) wfi_ops_vertices(o, &last, state, NULL);
    weft_ctx_set_cancel(o->ctx, NULL, NULL);
    return st;
}

static const wfi_method method = {.sides = WFI_OUT_ROWS, .drive = careless};
static const wfi_algorithm algorithm = {.info.name = "careless", .operators = &method};

static void run_one(weft_ctx *ctx, wfi_comm *comm, void *user) {
    trial *t = user;
    int rank = comm->link.rank;
    wfi_spread *s = NULL;
    wfi_choice choice = {.algorithm = &algorithm};
    if (wfi_spread_new(ctx, t->g, 0, &s)) exit(1);
    wfi_workspace space = {.ctx = ctx};
    wfi_job job = {.ctx = ctx, .g = t->g, .params = t, .choice = &choice, .space = &space, .spread = s};
    t->own[rank] = wfi_method_run_cpu(&job);
    snprintf(t->message[rank], sizeof t->message[rank], "%s", weft_ctx_message(ctx));
    t->agreed[rank] = wfi_agree(ctx, t->own[rank]); /* as plan.c does */
    wfi_spread_free(s);
}

TEST(a_driver_cannot_overlook_its_last_step) {
    static const struct {
        trouble trouble;
        weft_status want;
        const char *message;
    } rows[] = {{NONE, WEFT_OK, ""},
                {FAILS, WEFT_ENOMEM, "the last step has failed"},
                {STOPS, WEFT_ECANCELLED, "stopped on request"}};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_generate_params path = WEFT_GENERATE_DEFAULTS;
    weft_graph *g = NULL;
    path.n = 3000; /* some for each rank */
    if (weft_generate(ctx, "path", &path, NULL, &g)) g = NULL;
    REQUIRE(g != NULL);
    for (size_t i = 0; i < LENGTH(rows); i++)
        for (int ranks = 1; ranks <= 3; ranks += 2) {
            trial t = {.g = g, .trouble = rows[i].trouble, .rank = ranks / 2};
            on_ranks(ranks, run_one, &t);
            CHECK_U64(t.own[t.rank], rows[i].want);
            CHECK_TEXT(t.message[t.rank], rows[i].message);
            for (int r = 0; r < ranks; r++) CHECK_U64(t.agreed[r], rows[i].want);
        }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
