/* Every algorithm through the registry: parameters that make no sense, NULLs, allocators that fail, requests to stop
 * and memory limits at random places.
 *
 * A call succeeds with the result of an undisturbed run, or fails with the status that fits and a message; nothing is
 * leaked, in whatever order things are freed, and no limit is passed.  Meant for a build with sanitizers.  Which
 * cases: worker.h. */
#include "weft/registry.h"
#include "weft/subgraph.h"
#include "worker.h"

#include <limits.h>

enum { WILD, FAILING, STOPPED, LIMITED, NULLS, KINDS, OK = KINDS, PARAMS_ROOM = 512, GRAPHS = 4, ALGORITHMS = 64 };

static weft_graph *graphs[GRAPHS]; /* directed; undirected with weights; no vertex; one vertex with a loop */
static weft_ctx *owner;

/* What an undisturbed run gives. */
typedef struct expected {
    bool known;
    weft_status status;
    uint64_t digest;
    long polls;
} expected;
static expected runs[ALGORITHMS][GRAPHS];

typedef struct stopper {
    _Atomic long polls;
    long at;
} stopper;

static int stops(void *user) {
    stopper *s = user;
    return atomic_fetch_add(&s->polls, 1) >= s->at;
}

static void prepare(void) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_build_params undirected = WEFT_BUILD_DEFAULTS;
    weft_vid loop = 0;
    owner = new_ctx(1, NULL);
    p.scale = 7;
    bool made = !weft_generate(owner, "rmat", &p, NULL, &graphs[0]);
    p.undirected = 1, p.max_weight = 9, undirected.direction = WEFT_UNDIRECTED;
    made = made && !weft_generate(owner, "rmat", &p, NULL, &graphs[1]);
    made = made && !weft_graph_from_edges(owner, 0, 0, NULL, NULL, NULL, WEFT_WEIGHT_NONE, NULL, &graphs[2]);
    made = made && !weft_graph_from_edges(owner, 1, 1, &loop, &loop, NULL, WEFT_WEIGHT_NONE, &undirected, &graphs[3]);
    if (!made || weft_algorithm_count() > ALGORITHMS) WRONG("no graphs: %s", weft_ctx_message(owner));
}

static void finish(void) {
    for (int i = 0; i < GRAPHS; i++) weft_graph_free(graphs[i]);
    weft_ctx_free(owner);
}

static weft_ctx *any_ctx(dice *from) { return new_ctx(1 + (int)roll(from, 2), NULL); }

/* A plan and its run, with a digest of the result. */
static weft_status run(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const void *params,
                       uint64_t *digest) {
    weft_plan *plan = NULL;
    weft_result *result = NULL;
    weft_status st = weft_plan_new(ctx, algorithm, g, params, &plan);
    if (!st) st = weft_plan_run(plan, &result);
    if (st && result) WRONG("status %d, and a result", st);
    if (st && !*weft_ctx_message(ctx)) WRONG("status %d without a message", st);
    if (!st) {
        weft_ctx_set_cancel(ctx, NULL, NULL); /* what counts is the run */
        weft_ctx_set_memory_limit(ctx, 0);
        st = weft_result_digest(ctx, result, digest);
    }
    weft_result_free(result);
    weft_plan_free(plan);
    return st;
}

static const expected *expected_of(size_t algorithm, int graph) {
    expected *e = &runs[algorithm][graph];
    stopper never = {0, LONG_MAX};
    if (e->known) return e;
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_ctx_set_cancel(ctx, stops, &never);
    e->status = run(ctx, weft_algorithm_at(algorithm)->name, graphs[graph], NULL, &e->digest);
    e->polls = never.polls;
    e->known = true;
    weft_ctx_free(ctx);
    return e;
}

/* As an undisturbed run, or with the one status that its trouble has. */
static void check_run(const expected *want, weft_status st, uint64_t digest, weft_status trouble) {
    if (st == WEFT_OK) worker_count(OK);
    if (st == WEFT_OK && want->status == WEFT_OK && digest != want->digest) WRONG("another result");
    if (st != want->status && st != trouble) WRONG("status %d, and %d when undisturbed", st, want->status);
}

static void set_wild(dice *from, char *params, const weft_param_info *p) {
    static const double fractions[] = {NAN, INFINITY, -INFINITY, -1, 0, 1, 1e308, -0.0, 2, 5e-324};
    static const uint64_t wholes[] = {0, 1, 2, 7, 100, (uint64_t)1 << 32, UINT64_MAX};
    static const int choices[] = {0, 1, 2, -1, 99, INT32_MIN};
    static const weft_vid vertices[] = {0, 1, 127, 128, WEFT_NO_VERTEX, WEFT_NO_VERTEX - 1};
    const weft_vid *list = vertices + roll(from, 4);
    size_t count = roll(from, 3);
    switch (p->type) {
    case WEFT_PARAM_F64: memcpy(params + p->offset, &fractions[roll(from, LENGTH(fractions))], sizeof(double)); break;
    case WEFT_PARAM_U64: memcpy(params + p->offset, &wholes[roll(from, LENGTH(wholes))], sizeof(uint64_t)); break;
    case WEFT_PARAM_BOOL:
    case WEFT_PARAM_CHOICE: memcpy(params + p->offset, &choices[roll(from, LENGTH(choices))], sizeof(int)); break;
    case WEFT_PARAM_VERTEX:
        memcpy(params + p->offset, &vertices[roll(from, LENGTH(vertices))], sizeof(weft_vid));
        break;
    case WEFT_PARAM_VERTICES:
        memcpy(params + p->offset, &list, sizeof(void *));
        memcpy(params + p->offset + sizeof(void *), &count, sizeof count);
        break;
    default: break;
    }
}

/* Any answer, or a refusal; it stops when it is told to, and stays below the limit. */
static void wild(dice *from, const weft_algorithm_info *a, const weft_graph *g) {
    _Alignas(16) char params[PARAMS_ROOM] = {0};
    weft_ctx *ctx = any_ctx(from);
    weft_plan *plan = NULL;
    stopper later = {0, 3000};
    uint64_t digest = 0, limit = (uint64_t)200 << 20;
    if (!weft_plan_new(ctx, a->name, g, NULL, &plan))
        memcpy(params, weft_plan_params(plan), *(const size_t *)weft_plan_params(plan));
    weft_plan_free(plan);
    for (size_t i = 0; plan && i < a->param_count; i++)
        if (roll(from, 2)) set_wild(from, params, weft_algorithm_param_at(a, i));
    weft_ctx_set_cancel(ctx, stops, &later);
    weft_ctx_set_memory_limit(ctx, limit);
    if (plan) run(ctx, a->name, g, params, &digest);
    if (weft_ctx_memory_peak(ctx) > limit) WRONG("%" PRIu64 " bytes, over the limit", weft_ctx_memory_peak(ctx));
    if (weft_ctx_memory_in_use(ctx)) WRONG("%" PRIu64 " bytes are still held", weft_ctx_memory_in_use(ctx));
    weft_ctx_free(ctx);
}

static void failing(dice *from, const weft_algorithm_info *a, const expected *want, const weft_graph *g) {
    counting c = {.allowed = roll(from, roll(from, 3) ? 60 : 400), .once = roll(from, 2)};
    weft_ctx *ctx = any_ctx(from);
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_graph *own = NULL;
    weft_plan *plan = NULL;
    weft_result *result = NULL;
    uint64_t digest = 0;
    if (weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &c)) WRONG("%s", weft_ctx_message(ctx));
    if (roll(from, 2)) {
        weft_status st = run(ctx, a->name, g, NULL, &digest);
        check_run(want, st, digest, WEFT_ENOMEM);
        weft_ctx_free(ctx);
    } else { /* a graph of its own, and the context freed first or last */
        bool context_first = roll(from, 2);
        p.scale = 6, p.undirected = (int)roll(from, 2);
        weft_status st = weft_generate(ctx, "rmat", &p, NULL, &own);
        if (!st) st = weft_plan_new(ctx, a->name, own, NULL, &plan);
        if (!st) st = weft_plan_run(plan, &result);
        if (st && !*weft_ctx_message(ctx)) WRONG("status %d without a message", st);
        if (context_first) weft_ctx_free(ctx);
        weft_result_free(result);
        weft_plan_free(plan);
        weft_graph_free(own);
        if (!context_first) weft_ctx_free(ctx);
    }
    if (c.live_blocks)
        WRONG("%" PRIu64 " blocks are still there; call %" PRIu64 " failed", (uint64_t)c.live_blocks, c.allowed);
}

static void stopped(dice *from, const weft_algorithm_info *a, const expected *want, const weft_graph *g) {
    weft_ctx *ctx = any_ctx(from);
    long last = want->polls < 40 || roll(from, 2) ? want->polls : 40;
    stopper s = {0, want->polls - (long)roll(from, (uint64_t)last + 1)};
    uint64_t digest = 0;
    weft_ctx_set_cancel(ctx, stops, &s);
    weft_status st = run(ctx, a->name, g, NULL, &digest);
    check_run(want, st, digest, WEFT_ECANCELLED);
    weft_ctx_free(ctx);
}

static void limited(dice *from, const weft_algorithm_info *a, const expected *want, const weft_graph *g) {
    weft_ctx *ctx = any_ctx(from);
    uint64_t digest = 0, limit = 1000 + roll(from, 1000) * roll(from, 1000);
    weft_ctx_set_memory_limit(ctx, limit);
    weft_status st = run(ctx, a->name, g, NULL, &digest);
    check_run(want, st, digest, WEFT_ENOMEM);
    if (st && weft_ctx_memory_peak(ctx) > limit)
        WRONG("%" PRIu64 " bytes, over the limit of %" PRIu64, weft_ctx_memory_peak(ctx), limit);
    weft_ctx_free(ctx);
}

/* Arguments are NULL by chance: refused, or not needed.  tests/project/abi/nulls.py has every function once. */
static void nulls(dice *from, const weft_algorithm_info *a, const weft_graph *some) {
#define OR_NULL(x) (roll(from, 2) ? (x) : NULL)
    weft_ctx *ctx = any_ctx(from);
    weft_plan *plan = NULL;
    weft_graph *g[3] = {NULL};
    weft_result *result = NULL;
    weft_csr rows = {.size = sizeof rows};
    weft_read_params settings = reading("edgelist");
    weft_subgraph_params part = WEFT_SUBGRAPH_DEFAULTS;
    uint64_t digest;
    int equal;
    weft_plan_new(OR_NULL(ctx), OR_NULL(a->name), OR_NULL(some), NULL, OR_NULL(&plan));
    weft_plan_run(plan, OR_NULL(&result));
    weft_read_memory(OR_NULL(ctx), OR_NULL("1 2\n"), 4, OR_NULL("text"), OR_NULL(&settings), OR_NULL(&g[0]));
    weft_generate(OR_NULL(ctx), OR_NULL("path"), NULL, NULL, OR_NULL(&g[1]));
    weft_subgraph(OR_NULL(ctx), OR_NULL(some), OR_NULL(&part), OR_NULL(&g[2]), NULL);
    weft_graph_in(OR_NULL(ctx), OR_NULL(some), OR_NULL(&rows));
    weft_graph_compare(OR_NULL(ctx), OR_NULL(some), OR_NULL(some), OR_NULL(&equal));
    weft_result_digest(OR_NULL(ctx), OR_NULL(result), OR_NULL(&digest));
    weft_write(OR_NULL(ctx), OR_NULL(some), NULL, NULL);
    for (int i = 0; i < 3; i++) weft_graph_free(g[i]);
    weft_result_free(result);
    weft_plan_free(plan);
    weft_ctx_free(ctx);
}

static void one(dice *from) {
    size_t algorithm = roll(from, weft_algorithm_count());
    int kind = (int)roll(from, KINDS), graph = (int)roll(from, roll(from, 4) ? 2 : GRAPHS);
    const weft_algorithm_info *a = weft_algorithm_at(algorithm);
    static const char *const names[] = {"wild parameters", "a failing allocator", "a request to stop", "a memory limit",
                                        "NULLs"};
    STAGE("%s of graph %d without trouble", a->name, graph);
    const expected *want = expected_of(algorithm, graph);
    STAGE("%s of graph %d, %s", a->name, graph, names[kind]);
    if (kind == WILD)
        wild(from, a, graphs[graph]);
    else if (kind == FAILING)
        failing(from, a, want, graphs[graph]);
    else if (kind == STOPPED)
        stopped(from, a, want, graphs[graph]);
    else if (kind == LIMITED)
        limited(from, a, want, graphs[graph]);
    else
        nulls(from, a, graphs[graph]);
    worker_count(kind);
}

int main(int argc, char **argv) {
    static const worker api = {
        "api", prepare, one, finish, {"wild", "failing", "stopped", "limited", "with NULLs", "done all the same"}};
    return worker_main(&api, argc, argv);
}
