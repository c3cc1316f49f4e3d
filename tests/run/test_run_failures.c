/* Runs that run out of memory: every algorithm with each of its option sets is repeated with 0, 1, 2, ... allocations
 * allowed until it succeeds, and with every fifth allocation failing alone.  A failure is WEFT_ENOMEM with a message
 * and without a result or a leaked block; the same context can then do the run, with the right bytes, which is tried
 * after every fifth of the former and all of the latter.  With WEFT_RUN_FAILURES=all (make slow) each allocation fails
 * alone, and each failure is followed by a run. */
#include "graph_matrix.h"
#include "variants.h"

/* Small enough to be run a few thousand times, large enough for threads, hubs and refills. */
static const matrix_graph graphs[] = {
    {"rmat", "rmat", .scale = 10, .degree = 16, .p = (double)NAN, .direction = WEFT_DIRECTED},
    {"rmat, undirected", "rmat", .scale = 10, .degree = 16, .p = (double)NAN, .direction = WEFT_UNDIRECTED},
    {"a hub", "star", .n = 20000, OPEN, .direction = WEFT_DIRECTED},
    {"a dag", "dag", .n = 2000, .depth = 10, .degree = 4, .p = (double)NAN, .direction = WEFT_DIRECTED},
    {"whole weights, some 0", "random", .n = 3000, .m = 40000, .direction = WEFT_DIRECTED, .weights = WHOLE},
    {"real weights", "random", .n = 3000, .m = 40000, .direction = WEFT_UNDIRECTED, .weights = REAL},
};

typedef struct trial {
    const weft_algorithm_info *algorithm;
    const variant *v;
    weft_graph *g;
    const char *graph;
    const weft_result *want;
} trial;

static void complain(const trial *t, uint64_t allowed, const char *what) {
    HARNESS_FAIL("%s, %s, of %s, allocation %" PRIu64 " fails: %s", t->algorithm->name, t->v->name, t->graph, allowed,
                 what);
}

static void check_right(const trial *t, uint64_t allowed, weft_status st, const weft_result *r) {
    if (st)
        complain(t, allowed, "afterwards the context is of no use");
    else if (difference(t->want, r))
        complain(t, allowed, "another answer");
}

/* True when the run got through.  again: if it did not, the context is asked to do it once more. */
static bool run_with(const trial *t, uint64_t allowed, bool once, bool again) {
    counting heap = {.allowed = allowed, .once = once};
    weft_ctx *ctx = new_ctx(3, NULL);
    weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &heap);
    weft_result *r = NULL;
    weft_status st = run_variant(ctx, t->algorithm, t->v, t->g, &r);
    bool through = st == WEFT_OK;
    if (st && st != WEFT_ENOMEM) complain(t, allowed, weft_ctx_message(ctx));
    if (st && (r || !weft_ctx_message(ctx)[0])) complain(t, allowed, "a result, or no message");
    if (st) {
        forget_transpose(t->g); /* what it made for the graph is not lost, but the graph's */
        if (heap.live_blocks) complain(t, allowed, "blocks leak");
        heap.allowed = COUNT_ONLY;
        if (again) st = run_variant(ctx, t->algorithm, t->v, t->g, &r);
    }
    if (through || again) check_right(t, allowed, st, r);
    weft_result_free(r);
    forget_transpose(t->g);
    if (heap.live_blocks) complain(t, allowed, "blocks leak in the end");
    weft_ctx_free(ctx);
    return through;
}

static void fail_everywhere(const trial *t) {
    static uint64_t turn; /* the next trial begins at the next allocation */
    int before = harness_failures;
    uint64_t allowed = 0, step = asked_for_all("WEFT_RUN_FAILURES") ? 1 : 5, first = turn++ % step;
    while (!run_with(t, allowed, false, allowed % step == first) && harness_failures == before && allowed < 400)
        allowed++;
    if (allowed == 0 || allowed == 400) complain(t, allowed, "no allocation was missed, or it never succeeds");
    for (uint64_t at = (first + 1) % step; at < allowed && harness_failures == before; at += step)
        run_with(t, at, true, true);
}

TEST(every_algorithm_says_when_there_is_no_memory) {
    for (size_t i = 0; i < LENGTH(graphs); i++) {
        weft_ctx *ctx = new_ctx(3, NULL);
        weft_graph *g = make_matrix_graph(ctx, &graphs[i]);
        for (size_t a = 0; g && a < weft_algorithm_count(); a++) {
            variants list = variants_of(weft_algorithm_at(a), g, true);
            for (size_t k = 0; k < list.count; k++) {
                weft_result *want = NULL;
                trial t = {list.algorithm, &list.at[k], g, graphs[i].name, NULL};
                if (!variant_fits(t.v, g)) continue;
                weft_status st = run_variant(ctx, t.algorithm, t.v, g, &want);
                forget_transpose(g);
                t.want = want;
                if (!st)
                    fail_everywhere(&t);
                else if (!refused_as_undirected(t.algorithm, g, st))
                    complain(&t, COUNT_ONLY, weft_ctx_message(ctx));
                weft_result_free(want);
            }
            variants_free(&list);
        }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST_MAIN()
