/* The registry of generators with their parameters, and weft_generate. Defaults and ranges come from the table that
 * --help prints.
 * A new generator is one file with its make function, one line in gen.h, one table and one line here. */
#include "core/comm.h"
#include "gen/gen.h"
#include "stream/numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_VERTICES 4294967294.0
#define MOST          18446744073709551615.0
#define COUNT(array)  (sizeof(array) / sizeof *(array))
#define U64(flag, field, standard, min, max, help) \
    { flag, WEFT_PARAM_U64, offsetof(weft_generate_params, field), standard, min, max, NULL, help }
#define F64(flag, field, standard, min, max, help) \
    { flag, WEFT_PARAM_F64, offsetof(weft_generate_params, field), standard, min, max, NULL, help }
#define BOOL(flag, field, help) \
    { flag, WEFT_PARAM_BOOL, offsetof(weft_generate_params, field), "no", 0, 1, NULL, help }

#define N U64("n", n, "1000", 1, MOST_VERTICES, "number of vertices")
#define SEED                         \
    U64("seed", seed, "42", 0, MOST, \
        "random seed: the same seed gives the same graph on any machine and with any number of threads")
#define WEIGHTS                                         \
    U64("max-weight", max_weight, "0", 0, 4294967295.0, \
        "give every edge a random integer weight from 1 to N; 0 = no weights")
#define DEGREE(standard, help)  F64("degree", degree, standard, 0, 1e9, help)
#define DENSITY(standard, help) F64("p", p, standard, 0, 1, help)

static const weft_param_info er_params[] = {
    N,
    DENSITY("from `degree`", "probability of each edge"),
    U64("m", m, "0", 0, MOST, "exactly this many distinct edges, instead of `p`; 0 = by probability"),
    DEGREE("10", "average degree, if neither `p` nor `m` is given"),
    SEED,
    WEIGHTS,
};
static const weft_param_info rmat_params[] = {
    U64("scale", scale, "16", 1, 31, "2^scale vertices"),
    DEGREE("16", "edges per vertex, before duplicates and loops are dropped or kept"),
    F64("a", a, "0.57", 0, 1, "share of edges in the upper left quadrant of the matrix"),
    F64("b", b, "0.19", 0, 1, "share in the upper right quadrant"),
    F64("c", c, "0.19", 0, 1, "share in the lower left quadrant; the lower right one has the rest"),
    BOOL("unscrambled", unscrambled, "do not shuffle the ids: hubs come first"),
    SEED,
    WEIGHTS,
};
static const weft_param_info uniform_params[] = {
    N,
    DEGREE("5", "edges per vertex, before duplicates and loops are dropped or kept"),
    SEED,
    WEIGHTS,
};
static const weft_param_info ba_params[] = {
    U64("n", n, "1000", 2, MOST_VERTICES, "number of vertices"),
    U64("k", k, "4", 1, MOST_VERTICES, "edges of each new vertex; the first k+1 vertices form a clique"),
    SEED,
    WEIGHTS,
};
static const weft_param_info smallworld_params[] = {
    U64("n", n, "1000", 3, MOST_VERTICES, "number of vertices"),
    U64("k", k, "4", 2, MOST_VERTICES, "neighbours on the ring, k/2 on either side; even"),
    DENSITY("0.1", "probability that an edge is rewired"),
    SEED,
    WEIGHTS,
};
static const weft_param_info grid_params[] = {
    U64("rows", rows, "100", 1, MOST_VERTICES, "number of rows"),
    U64("columns", columns, "as many as rows", 0, MOST_VERTICES, "number of columns; ids run along a row first"),
    U64("layers", layers, "1", 1, MOST_VERTICES, "number of layers of rows x columns, for a three-dimensional grid"),
    BOOL("torus", torus, "join the two ends of every line"),
    SEED,
    WEIGHTS,
};
static const weft_param_info dag_params[] = {
    N,
    DENSITY("from `degree`", "probability of each arc u -> v with u < v"),
    U64("depth", depth, "0", 0, MOST_VERTICES,
        "number of layers, with arcs only from each to the next, instead of `p`; 0 = not layered"),
    DEGREE("5", "arcs per vertex, if `p` is not given"),
    SEED,
    WEIGHTS,
};
static const weft_param_info cyclic_params[] = {
    N,
    DENSITY("from `degree`", "probability of each entry of the matrix, including the diagonal"),
    DEGREE("5", "arcs per vertex, if `p` is not given"),
    SEED,
    WEIGHTS,
};
static const weft_param_info plain_params[] = {N, SEED, WEIGHTS};
static const weft_param_info tree_params[] = {
    N,
    U64("k", k, "2", 1, MOST_VERTICES, "children per vertex"),
    SEED,
    WEIGHTS,
};
static const weft_param_info planted_params[] = {
    N,
    U64("communities", communities, "10", 1, MOST_VERTICES, "number of communities"),
    DEGREE("10", "average degree; `direction=directed`: of outgoing arcs"),
    F64("mixing", mixing, "0.2", 0, 1, "share of the edges that are between communities"),
    BOOL("power-law", power_law, "sizes of communities fall off as 1 / rank, instead of being equal"),
    SEED,
    WEIGHTS,
};
static const weft_param_info karate_params[] = {SEED, WEIGHTS};

#define KIND(name, directed, help, params) \
    { {#name, help, COUNT(params)}, params, directed, wfi_make_##name }

static const wfi_generator generators[] = {
    KIND(er, false,
         "Erdős–Rényi: each pair of vertices is an edge with probability p, or m random edges; "
         "`direction=directed`: ordered pairs of distinct vertices",
         er_params),
    KIND(rmat, true, "R-MAT with the parameters of Graph500: 2^scale vertices, a few of them hubs", rmat_params),
    KIND(uniform, true, "random edges: both ends are drawn uniformly from all vertices", uniform_params),
    KIND(ba, false,
         "Barabási–Albert: each new vertex joins k older ones, with probability proportional to their degree; "
         "`direction=directed`: from new to old",
         ba_params),
    KIND(smallworld, false,
         "Watts–Strogatz: a ring of k nearest neighbours, each edge rewired with probability p; "
         "`direction=directed`: clockwise before rewiring",
         smallworld_params),
    KIND(planted, false, "communities: more edges inside than between (planted partition)", planted_params),
    KIND(grid, false,
         "rows x columns (x layers) with edges between neighbours; `direction=directed`: from lower to higher id, "
         "and the closing arcs of a torus from last to first",
         grid_params),
    KIND(dag, true, "a directed acyclic graph: an upper triangular matrix with density p, or a given number of layers",
         dag_params),
    KIND(cyclic, true, "a random 0/1 matrix with density p, possibly with loops; almost always has a cycle",
         cyclic_params),
    KIND(path, false, "0 - 1 - 2 - ...; `direction=directed`: from lower to higher id", plain_params),
    KIND(cycle, false,
         "a path whose last vertex is joined to the first; `direction=directed`: from each vertex to the next",
         plain_params),
    KIND(star, false, "vertex 0 joined to all others; `direction=directed`: away from vertex 0", plain_params),
    KIND(complete, false, "every pair of vertices; `direction=directed`: from lower to higher id", plain_params),
    KIND(tree, false, "a tree filled level by level, k children per vertex; `direction=directed`: from parent to child",
         tree_params),
    KIND(karate, false, "Zachary's karate club (1977): 34 members, 78 friendships, ids from 1", karate_params),
};

size_t weft_generator_count(void) { return COUNT(generators); }

const weft_generator_info *weft_generator_at(size_t i) { return i < COUNT(generators) ? &generators[i].info : NULL; }

const weft_param_info *weft_generator_param_at(const weft_generator_info *generator, size_t i) {
    return generator && i < generator->param_count ? &((const wfi_generator *)(const void *)generator)->params[i]
                                                   : NULL;
}

static const wfi_generator *find(const char *kind) {
    for (size_t i = 0; kind && i < COUNT(generators); i++)
        if (!strcmp(generators[i].info.name, kind)) return &generators[i];
    return NULL;
}

/* --- parameters ------------------------------------------------------------ */

static weft_status check_u64(weft_ctx *ctx, const weft_param_info *info, uint64_t *value, bool is_default) {
    if (is_default) return WEFT_OK;
    /* The bounds are whole numbers below 2^53, or a maximum that excludes nothing. */
    if ((double)*value >= info->min && (double)*value <= info->max) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "`%s` is %" PRIu64 ", expected a whole number from %.0f to %.0f", info->name,
                    *value, info->min, info->max);
}

static weft_status resolve_u64(weft_ctx *ctx, const weft_param_info *info, uint64_t *value) {
    /* 0 means "not given", unless 0 is a valid value. */
    bool is_default = *value == 0 && info->min > 0;
    if (is_default && !info->standard) return wfi_fail(ctx, WEFT_EINVAL, "`%s` must be given", info->name);
    if (is_default) *value = strtoull(info->standard, NULL, 10);
    return check_u64(ctx, info, value, is_default);
}

static weft_status resolve_f64(weft_ctx *ctx, const weft_param_info *info, double *value) {
    if (!isnan(*value)) {
        if (*value >= info->min && *value <= info->max) return WEFT_OK;
        return wfi_fail(ctx, WEFT_EINVAL, "`%s` is %g, expected a number from %g to %g", info->name, *value, info->min,
                        info->max);
    }
    if (!info->standard) return wfi_fail(ctx, WEFT_EINVAL, "`%s` must be given", info->name);
    /* A default in words ("from `degree`") stays NaN for the generator to resolve. */
    double number;
    const char *text = info->standard;
    if (!wfi_scan_f64(&text, &number)) *value = number;
    return WEFT_OK;
}

static weft_status resolve_bool(weft_ctx *ctx, const weft_param_info *info, const int *value) {
    if (*value == 0 || *value == 1) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "`%s` is %d, expected 0 or 1", info->name, *value);
}

static weft_status resolve(weft_ctx *ctx, const weft_param_info *info, weft_generate_params *p) {
    void *field = (char *)p + info->offset;
    switch (info->type) {
    case WEFT_PARAM_U64: return resolve_u64(ctx, info, field);
    case WEFT_PARAM_F64: return resolve_f64(ctx, info, field);
    case WEFT_PARAM_BOOL: return resolve_bool(ctx, info, field);
    case WEFT_PARAM_CHOICE:
    case WEFT_PARAM_TEXT:
    case WEFT_PARAM_VERTEX:
    case WEFT_PARAM_VERTICES:
    case WEFT_PARAM_WEIGHTS:
    case WEFT_PARAM_MATRIX:
    case WEFT_PARAM_LABELS:
    case WEFT_PARAM_PAIRS: break;
    }
    return WEFT_OK;
}

/* Sets *p from `given` (NULL: all defaults) and the defaults of the table; checks the ranges of all listed fields. */
static weft_status resolve_params(weft_ctx *ctx, const wfi_generator *generator, const weft_generate_params *given,
                                  weft_generate_params *p) {
    *p = (weft_generate_params)WEFT_GENERATE_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_generate_params", given, p, sizeof *p);
    for (size_t i = 0; !st && i < generator->info.param_count; i++) st = resolve(ctx, &generator->params[i], p);
    return st;
}

uint64_t wfi_round_product(uint64_t x, double y) {
    /* volatile: rounds product and sum separately; fused, they could differ in the last bit between machines. */
    volatile double product = (double)x * y;
    return (uint64_t)(product + 0.5);
}

/* --- public calls ----------------------------------------------------------- */

static weft_status resolve_direction(wfi_run *run, const weft_build_params *build, bool natural) {
    if (run->p.undirected && build->direction == WEFT_DIRECTED)
        return wfi_fail(run->ctx, WEFT_EINVAL, "undirected is set and the build asks for a directed graph");
    run->directed = wfi_resolve_directed(build->direction, natural && !run->p.undirected);
    return WEFT_OK;
}

weft_status weft_generate(weft_ctx *ctx, const char *kind, const weft_generate_params *params,
                          const weft_build_params *build, weft_graph **out) {
    if (out) *out = NULL;
    WFI_BEGIN_WITH_OR_RETURN(ctx, kind, out);
    double started = wfi_now_ms();
    const wfi_generator *generator = find(kind);
    if (!generator) return wfi_fail(ctx, WEFT_ENOTFOUND, "there is no generator '%s'", kind);
    weft_build_params rules;
    wfi_run run = {.ctx = ctx};
    weft_status st = wfi_build_rules(ctx, build, &rules);
    if (!st) st = resolve_params(ctx, generator, params, &run.p);
    if (!st) st = resolve_direction(&run, &rules, generator->directed);
    wfi_progress(ctx, "generating", 0, 0);
    if (!st) st = generator->make(&run);
    st = wfi_agree_input(ctx, st);
    if (st) {
        wfi_edges_free(&run.edges);
        return st;
    }
    wfi_build how = {.shared = wfi_has_ranks(ctx),
                     .made = true,
                     .numbering = WFI_VERTICES,
                     .vertices = run.vertices,
                     .id_base = run.id_base,
                     .directed = run.directed,
                     .params = rules,
                     .format = "generated",
                     .label = run.label};
    st = wfi_graph_build(ctx, &run.edges, &how, out);
    if (!st) (*out)->load_ms = wfi_now_ms() - started;
    return st;
}

weft_status weft_planted_communities(weft_ctx *ctx, const weft_generate_params *params, uint64_t count,
                                     uint32_t *community) {
    WFI_BEGIN_WITH_OR_RETURN(ctx, community);
    wfi_run run = {.ctx = ctx};
    weft_status st = resolve_params(ctx, find("planted"), params, &run.p);
    if (!st && count != run.p.n)
        st = wfi_fail(ctx, WEFT_EINVAL, "`count` is %" PRIu64 ", but the graph has %" PRIu64 " vertices", count,
                      run.p.n);
    return st ? st : wfi_planted_communities(&run, community);
}
