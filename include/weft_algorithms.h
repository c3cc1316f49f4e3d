/* The algorithms of Weft, in the order of the registry.  weft.h includes this header.
 *
 * Each block has what the algorithm computes, its columns (one value for each vertex), table columns (with a length of
 * their own) and scalars; then its parameters, their defaults, and a function that plans, runs and frees the plan.
 * docs/algo/NAME.md has definitions, edge cases and methods.  For all of them:
 *   - A function runs where weft_ctx_set_device says; results have the same bytes on CPU and GPU, for any threads.
 *   - `weights` = 1 needs a graph with weights: WEFT_EINVAL if it has none. */
#ifndef WEFT_ALGORITHMS_H
#define WEFT_ALGORITHMS_H

#include "weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------- registry */

typedef struct weft_result_info {
    const char *name;
    weft_type type;
    weft_shape shape;
    const char *help;
} weft_result_info;

typedef struct weft_algorithm_info {
    const char *name;
    const char *help;
    size_t param_count;
    size_t params_size;
    const void *params_standard; /* a struct filled with the defaults, to copy and change */
    size_t result_count;
    const char *top_by;  /* the column that a list of the top vertices is sorted by */
    const char *verdict; /* a scalar that is 0 if the answer is "no" (cycle: acyclic); NULL = none */
    int on_cpu, on_cuda; /* backends that exist in this build */
    const char *witness; /* the table column that shows why the answer is "no": a closed walk; NULL = none */
    const char *ordinal; /* a column of positions in an order: lists by it begin with the smallest; NULL = none */
    const char *model;   /* what weft_plan_model_bytes counts, in words; or "none: " and the reason */
    const char *const *methods; /* that a plan may choose; later versions only add to the end */
    size_t method_count;
    int on_ranks;       /* several ranks can share a run (weft_ctx_set_comm) */
    const char *groups; /* the column that names each vertex's group (components: component); NULL = none */
    int checkpoints;    /* supports checkpoint and resume (weft_ctx_set_checkpoint) */
    int on_grid;        /* ranks can share a run in 2-D (weft_ctx_set_grid) */
    /* Flags of earlier versions, and what they stand for: "no_parents parents=no|together each=no"; NULL = none. */
    const char *formerly;
    /* Parameters that mean nothing without another, "registers estimate|seed error", or with one, "per-vertex
     * edges,pairs": for callers that know what was asked for, whatever its value; NULL = none. */
    const char *needs, *excludes;
    /* The parameter that makes the weights of the graph count (pagerank: weights, degree: strength); "": those that
     * there are count without one (mst, sssp); NULL: they mean nothing to it. */
    const char *weights;
    const char
        *rows_each; /* the parameter that bounds the rows of each vertex in a list (ppr: per-seed); NULL = none */
} weft_algorithm_info;

WEFT_API size_t weft_algorithm_count(void);
WEFT_API const weft_algorithm_info *weft_algorithm_at(size_t i);
WEFT_API const weft_algorithm_info *weft_algorithm_find(const char *name);
WEFT_API const weft_param_info *weft_algorithm_param_at(const weft_algorithm_info *algorithm, size_t i);
WEFT_API const weft_result_info *weft_algorithm_result_at(const weft_algorithm_info *algorithm, size_t i);

/* -------------------------------------------------------------- pagerank */

/* Importance of each vertex: the stationary distribution of a random surfer.
 * Columns: rank (f32 or f64).
 * Scalars: iterations, residual (L1 norm of the last change), sum. */
typedef enum weft_dangling {
    WEFT_DANGLING_REDISTRIBUTE = 0, /* rank of vertices without out-arcs restarts: ranks sum to 1 */
    WEFT_DANGLING_DROP              /* it is lost */
} weft_dangling;
typedef enum weft_precision {
    WEFT_PRECISION_F32 = 0,
    WEFT_PRECISION_F64,
    WEFT_PRECISION_F16 /* refused: half precision does not converge on some graphs */
} weft_precision;
typedef struct weft_pagerank_params {
    size_t size;
    double damping;          /* 0 ... 1 */
    double tolerance;        /* stop when the L1 norm of the change is at most this */
    uint64_t max_iterations; /* stop after so many at the latest */
    uint64_t iterations;     /* > 0: exactly so many, whatever the tolerance */
    const double *restart;   /* n weights: where restarts go, in proportion; NULL = uniform */
    int weights;             /* rank leaves along arcs in proportion to their weights */
    weft_dangling dangling;
    weft_precision precision;  /* of ranks and contributions; sums are in fixed point */
    const double *nstart;      /* n weights: initial ranks, in proportion; NULL = uniform */
    const double *dangling_to; /* n weights: where dangling rank goes; NULL = where restarts go.  Not with DROP */
} weft_pagerank_params;
#define WEFT_PAGERANK_DEFAULTS                                                                                       \
    {                                                                                                                \
        WEFT_SIZE_UP_TO(weft_pagerank_params, dangling_to), 0.85, 1e-6, 100, 0, NULL, 0, WEFT_DANGLING_REDISTRIBUTE, \
            WEFT_PRECISION_F32, NULL, NULL                                                                           \
    }
WEFT_API weft_status weft_pagerank(weft_ctx *ctx, const weft_graph *g, const weft_pagerank_params *params,
                                   weft_result **out);

/* ------------------------------------------------------------------- ppr */

/* Personalised PageRank of many seeds: for each, the vertices where a random surfer is most often who starts there and
 * returns there.
 * Table:   a row for each of the best vertices of each seed: seed, vertex (vertex), rank (f64), in the order of seeds,
 *   then by rank, the largest first, and of equal ranks the smallest vertex; only ranks above 0.
 * Scalars: seeds (u64), iterations, residual (f64: L1 norm of the last change), error (f64: no rank is off by more);
 *   of the seed with the most each. */
typedef struct weft_ppr_params {
    size_t size;
    const weft_vid *seeds; /* one that stands there twice has its rows twice; NULL: the vertex with the most out-arcs */
    size_t seed_count;
    uint64_t per_seed;       /* rows of a seed, at most */
    double damping;          /* 0 ... 1 */
    double tolerance;        /* a seed is done when the L1 norm of its change is at most this */
    uint64_t max_iterations; /* stop after so many at the latest */
    uint64_t iterations;     /* > 0: exactly so many, whatever the tolerance */
    int weights;             /* rank leaves along arcs in proportion to their weights */
} weft_ppr_params;
#define WEFT_PPR_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_ppr_params, weights), NULL, 0, 10, 0.85, 1e-6, 100, 0, 0 }
WEFT_API weft_status weft_ppr(weft_ctx *ctx, const weft_graph *g, const weft_ppr_params *params, weft_result **out);

/* ------------------------------------------------------------------ hits */

/* Hubs and authorities (Kleinberg), by power iteration from 1/n; all 0 when no arc counts.
 * Columns: hub, authority (f64; each sums to 1).
 * Scalars: iterations, residual (L1 norm of the last change of hubs or authorities, the larger). */
typedef struct weft_hits_params {
    size_t size;
    double tolerance;        /* stop when neither changes by more than it (L1 norm) */
    uint64_t max_iterations; /* stop after so many at the latest */
    uint64_t iterations;     /* > 0: exactly so many, whatever the tolerance */
    int weights;             /* an arc counts by its weight: 0, or from 1e-200 to 1e200 */
} weft_hits_params;
#define WEFT_HITS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_hits_params, weights), 1e-8, 100, 0, 0 }
WEFT_API weft_status weft_hits(weft_ctx *ctx, const weft_graph *g, const weft_hits_params *params, weft_result **out);

/* ----------------------------------------------------------- eigenvector */

/* Eigenvector centrality along incoming arcs, by power iteration with A + I from 1/n (with weights I times the power of
 * two nearest to the mean weight); all alike when no arc counts.
 * Columns: score (f64; the squares sum to 1).
 * Scalars: iterations, residual (L1 norm of the last change of values that sum to 1), lambda_low, lambda_high (they
 *   enclose the largest eigenvalue, whether the iteration converged or not; high is infinite before the first). */
typedef struct weft_eigenvector_params {
    size_t size;
    double tolerance;        /* stop when values change by no more than it (L1 norm) */
    uint64_t max_iterations; /* stop after so many at the latest */
    int weights;             /* an arc counts by its weight: 0, or from 1e-200 to 1e200 */
} weft_eigenvector_params;
#define WEFT_EIGENVECTOR_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_eigenvector_params, weights), 1e-8, 1000, 0 }
WEFT_API weft_status weft_eigenvector(weft_ctx *ctx, const weft_graph *g, const weft_eigenvector_params *params,
                                      weft_result **out);

/* ------------------------------------------------------------------ katz */

/* Katz centrality along incoming arcs: beta (1 + alpha A + (alpha A)^2 + ...).  An alpha above 1 over the largest
 * eigenvalue is refused; at exactly that the error is infinite, if it is not refused.  0 stands for 1 / (w + 1), with w
 * the largest sum of the weights that enter a vertex, which suits every graph.
 * Columns: score (f64: a lower bound), upper (f64, with bounds: an upper bound).
 * Scalars: iterations (terms after the first), error (no score is too small by more), norm (what scores were divided
 *   by), alpha (the one that was taken). */
typedef struct weft_katz_params {
    size_t size;
    double alpha;
    double beta;             /* above 0 */
    double tolerance;        /* stop when error is at most this part of the largest score */
    uint64_t max_iterations; /* stop after so many at the latest */
    int normalized;          /* the squares of the scores sum to 1 */
    int weights;             /* an arc counts by its weight: 0, or from 1e-200 to 1e200 */
    int bounds;              /* the column upper */
} weft_katz_params;
#define WEFT_KATZ_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_katz_params, bounds), 0, 1, 1e-8, 1000, 1, 0, 0 }
WEFT_API weft_status weft_katz(weft_ctx *ctx, const weft_graph *g, const weft_katz_params *params, weft_result **out);

/* ----------------------------------------------------------- betweenness */

/* Betweenness centrality, by hops or by weights: for each vertex, the sum over pairs s, t of other vertices of the part
 * of the shortest paths from s to t that leads through it; of an undirected graph each pair once.
 * Columns: betweenness (f64; NaN for the only one of `sources`, without endpoints and targets).
 * Columns of edges, with `edges`: source, target (vertex), edge_betweenness (f64; of a loop 0).
 * Scalars: sources (u64: distinct ones).  With `error` instead of it: samples (u64: paths that were drawn), error,
 *   confidence (f64: with this probability no normalised value is off by more than that), and with `apart` also apart
 *   (u64: of the first so many the order is certain, likewise). */
typedef struct weft_betweenness_params {
    size_t size;
    const weft_vid *sources; /* paths from these only, scaled up to all unless there are targets; NULL = from all */
    size_t source_count;
    const weft_vid *targets; /* paths to these only; NULL = to all */
    size_t target_count;
    int normalized;    /* divided by the number of pairs: (n - 1)(n - 2), with endpoints and of edges n (n - 1) */
    int endpoints;     /* paths that begin or end at the vertex count too; not with targets */
    int edges;         /* values of edges, parallel ones each */
    int weights;       /* paths are as long as the sum of their weights, all above 0 */
    double error;      /* above 0: from random paths, until no normalised value is off by more; 0 = from all paths */
    double confidence; /* with error: how probable that is */
    uint64_t seed;     /* with error: another one, other paths */
    uint64_t apart;    /* with error: ends too once the order of the first so many is certain; 0 = only by the error */
    int exact;         /* runs from all vertices that are expected to take more than 10 minutes are begun */
} weft_betweenness_params;
#define WEFT_BETWEENNESS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_betweenness_params, exact), NULL, 0, NULL, 0, 0, 0, 0, 0, 0, 0.99, 1, 0, 0 }
WEFT_API weft_status weft_betweenness(weft_ctx *ctx, const weft_graph *g, const weft_betweenness_params *params,
                                      weft_result **out);

/* ------------------------------------------------- closeness and harmonic */

/* Closeness centrality: of the vertices that reach v (OUT: that v reaches), how many they are, but for v, over the sum
 * of their distances; scaled, times their part of all other vertices (Wasserman, Faust).  0 if there are none.
 * Columns: closeness (f64; NaN for what is not in `of`, or not among the first).
 * Scalars: vertices (u64: that have a value); with estimate standard_error (f64: of the size of a neighbourhood,
 *   relatively). */
typedef struct weft_closeness_params {
    size_t size;
    const weft_vid *of; /* only these have a value; NULL = all */
    size_t of_count;
    weft_side direction; /* AUTO = IN: distances to the vertex; OUT: from it */
    int scaled;
    int weights;        /* distances are sums of weights, as those of sssp; else hops */
    int estimate;       /* sizes of neighbourhoods by HyperBall; not with weights or `of` */
    uint64_t registers; /* of a vertex, for that: a power of two from 16 to 4096 */
    uint64_t first;     /* only the largest so many values, of equal ones those of the smallest vertices; 0 = all */
} weft_closeness_params;
#define WEFT_CLOSENESS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_closeness_params, first), NULL, 0, WEFT_SIDE_AUTO, 1, 0, 0, 256, 0 }
WEFT_API weft_status weft_closeness(weft_ctx *ctx, const weft_graph *g, const weft_closeness_params *params,
                                    weft_result **out);

/* Harmonic centrality: the sum of 1 / distance over the other vertices that reach v (OUT: that v reaches); a distance
 * of 0 adds nothing.
 * Columns: harmonic (f64; NaN for what is not in `of`, or not among the first).
 * Scalars: as of closeness. */
typedef struct weft_harmonic_params {
    size_t size;
    const weft_vid *of; /* only these have a value; NULL = all */
    size_t of_count;
    const weft_vid *sources; /* only distances from these (OUT: to these) count; NULL = all */
    size_t source_count;
    weft_side direction; /* AUTO = IN: distances to the vertex; OUT: from it */
    int normalized;      /* divided by n - 1 */
    int weights;         /* as of closeness, ... */
    int estimate;        /* ... not with `sources` either */
    uint64_t registers;
    uint64_t first;
} weft_harmonic_params;
#define WEFT_HARMONIC_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_harmonic_params, first), NULL, 0, NULL, 0, WEFT_SIDE_AUTO, 0, 0, 0, 256, 0 }
WEFT_API weft_status weft_harmonic(weft_ctx *ctx, const weft_graph *g, const weft_harmonic_params *params,
                                   weft_result **out);

/* ------------------------------------------------------------------- bfs */

/* Breadth-first search from one vertex, or from the nearest of several.
 * Columns: level (u32, WEFT_UNREACHED = not reached), parent (vertex: the smallest one level closer with an arc to this
 *   one; a source is its own).  With each they are those of the last search.
 * Table:   with each a row for each of sources, otherwise empty: source (vertex), source_reached, source_depth,
 *   source_distances (u64: vertices reached, the largest level, the sum of the levels).
 * Scalars: reached, depth. */
typedef struct weft_bfs_params {
    size_t size;
    weft_vid source;         /* WEFT_NO_VERTEX: the vertex with the most out-arcs; the smallest of several */
    const weft_vid *sources; /* instead of source: each is at level 0 and its own parent; NULL = none */
    size_t source_count;
    uint64_t max_depth;      /* largest level; 0 = no limit */
    int parents;             /* the column parent; without it half as much is downloaded from a GPU */
    const weft_vid *targets; /* stop after the level at which the last of them is reached; NULL = none */
    size_t target_count;
    int each; /* a search from each of sources by itself */
} weft_bfs_params;
#define WEFT_BFS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_bfs_params, each), WEFT_NO_VERTEX, NULL, 0, 0, 1, NULL, 0, 0 }
WEFT_API weft_status weft_bfs(weft_ctx *ctx, const weft_graph *g, const weft_bfs_params *params, weft_result **out);

/* ------------------------------------------------------------------ sssp */

/* Shortest paths from one vertex, or from the nearest of several.  Weights must not be negative; without weights every
 * arc counts 1.
 * Columns: distance (f64, infinity = not reached), parent (vertex; a source is its own).
 * Scalars: reached, max_distance (f64). */
typedef struct weft_sssp_params {
    size_t size;
    weft_vid source;         /* WEFT_NO_VERTEX: the vertex with the most out-arcs; the smallest of several */
    double delta;            /* width of a bucket of distances; 0 = automatic.  Never changes the answer */
    int parents;             /* the column parent */
    const weft_vid *sources; /* instead of source: each is at distance 0 and its own parent; NULL = none */
    size_t source_count;
    const weft_vid *targets; /* stop at the distance of the farthest, unless one has no path; NULL = none */
    size_t target_count;
    int weights; /* fail if the graph has no weights */
} weft_sssp_params;
#define WEFT_SSSP_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_sssp_params, weights), WEFT_NO_VERTEX, 0, 1, NULL, 0, NULL, 0, 0 }
WEFT_API weft_status weft_sssp(weft_ctx *ctx, const weft_graph *g, const weft_sssp_params *params, weft_result **out);

/* ------------------------------------------------------------ components */

/* Connected components: weak ones ignore direction; vertices of a strong one reach each other.
 * Columns: component (vertex: the smallest of the component).
 * Table:   order (vertex: the smallest of each component, in reverse topological order if strong); empty without order.
 * Scalars: count, largest (its vertices). */
typedef struct weft_components_params {
    size_t size;
    int strong;
    int order;
} weft_components_params;
#define WEFT_COMPONENTS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_components_params, order), 0, 0 }
WEFT_API weft_status weft_components(weft_ctx *ctx, const weft_graph *g, const weft_components_params *params,
                                     weft_result **out);

/* ------------------------------------------------------------------- mst */

/* Minimum or maximum spanning forest: a tree of each weak component, of the smallest or the largest sum of weights.
 * Directions do not count, loops are never part of it.  Without weights every edge is 1.  Of edges of equal weight the
 * first is taken, by source, then target, then place among parallel ones, so that there is one answer.
 * Table:   source, target (vertex), weight (f64): the edges of the forest, in that order.
 * Scalars: weight (f64: the sum of their weights), edges, trees (u64: components, single vertices among them). */
typedef struct weft_mst_params {
    size_t size;
    int maximum; /* the largest weights */
} weft_mst_params;
#define WEFT_MST_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_mst_params, maximum), 0 }
WEFT_API weft_status weft_mst(weft_ctx *ctx, const weft_graph *g, const weft_mst_params *params, weft_result **out);

/* --------------------------------------------------------- bicomponents */

/* What stays together when a vertex, or an edge, is taken away.  Directions do not count, and each arc is an edge.
 * Biconnected components: the largest sets of edges of which any two are on a common cycle; each has its number, from 1
 * in the order of first edges.  Articulation points are in several.  A bridge is on no cycle.  Loops do not count.
 * Columns: components (u32: biconnected components that the vertex is in), group (vertex: the smallest one that is
 *   still connected to it without any one edge).
 * Columns of edges, with `edges`: source, target (vertex), component (u32; of a loop 0), bridge (u32: 0 or 1).
 * Table, with `tree`: tree_component (u32), tree_point (vertex): the edges of the block-cut tree.
 * Scalars: components, points (articulation points), bridges, groups (u64). */
typedef struct weft_bicomponents_params {
    size_t size;
    int edges; /* values of edges */
    int tree;  /* these, and the block-cut tree */
} weft_bicomponents_params;
#define WEFT_BICOMPONENTS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_bicomponents_params, tree), 0, 0 }
WEFT_API weft_status weft_bicomponents(weft_ctx *ctx, const weft_graph *g, const weft_bicomponents_params *params,
                                       weft_result **out);

/* ------------------------------------------------------------- triangles */

/* Triangles; directions, loops and parallel edges do not count.
 * Columns: triangles (u64: those that the vertex is part of).
 * Columns of edges, with `edges`: source, target (vertex), support (u64: triangles that contain both; of a loop 0).
 * Scalars: triangles (of the graph). */
typedef struct weft_triangles_params {
    size_t size;
    int edges; /* support of each edge, parallel ones each */
} weft_triangles_params;
#define WEFT_TRIANGLES_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_triangles_params, edges), 0 }
WEFT_API weft_status weft_triangles(weft_ctx *ctx, const weft_graph *g, const weft_triangles_params *params,
                                    weft_result **out);

/* ------------------------------------------------------------ clustering */

/* Clustering coefficients: the share of pairs of neighbours that are joined.
 * Columns: coefficient (f64, 0 with fewer than two neighbours).
 * Scalars: average (f64, over all vertices), transitivity (f64, 3 triangles / wedges of the undirected view). */
typedef enum weft_directed_mode {
    WEFT_DIRECTED_LDBC = 0, /* arcs among the neighbours / d(d-1), d = neighbours by arcs in or out */
    WEFT_DIRECTED_FAGIOLO   /* directed triangles / those possible with the vertex's arcs, as in NetworkX */
} weft_directed_mode;
typedef struct weft_clustering_params {
    size_t size;
    weft_directed_mode directed_mode; /* an undirected graph has only one coefficient */
    int weights; /* on CPU cores: a triangle counts by the geometric mean of its weights over the largest [Onnela] */
} weft_clustering_params;
#define WEFT_CLUSTERING_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_clustering_params, weights), WEFT_DIRECTED_LDBC, 0 }
WEFT_API weft_status weft_clustering(weft_ctx *ctx, const weft_graph *g, const weft_clustering_params *params,
                                     weft_result **out);

/* ------------------------------------------------------------ similarity */

/* How much the neighbours of two vertices have in common: of each vertex the most similar ones that it shares a
 * neighbour with, or of given pairs, or of all edges.  The graph is seen as undirected and simple.  With a and b
 * neighbours, c of them in common, the measures are c / (a + b - c), c, c / min(a, b), c / sqrt(a b), 2 c / (a + b),
 * the sum over those in common of 1 / ln d or of 1 / d, d being how many neighbours these have, and a b; 0 for 0 / 0.
 * Table: source, target (vertex), similarity (f64): in the order of `of`, or of vertices, then the most similar first,
 *   and of equals the smallest; or in that of pairs; or of edges, parallel ones each, a loop having 0.
 * Scalars: pairs (u64: rows), hubs (u64: vertices with more than most_degree neighbours); unless it is about pairs or
 *   edges wedges (u64: walks over two edges that were looked at), left_out (u64: those over hubs). */
typedef enum weft_similarity_measure {
    WEFT_SIMILARITY_JACCARD = 0,
    WEFT_SIMILARITY_COMMON,
    WEFT_SIMILARITY_OVERLAP,
    WEFT_SIMILARITY_COSINE,
    WEFT_SIMILARITY_SORENSEN,
    WEFT_SIMILARITY_ADAMIC_ADAR,
    WEFT_SIMILARITY_RESOURCE_ALLOCATION,
    WEFT_SIMILARITY_PREFERENTIAL_ATTACHMENT
} weft_similarity_measure;
typedef struct weft_similarity_params {
    size_t size;
    const weft_vid *of; /* rows of these only; one that stands there twice has them twice; NULL: of all vertices */
    size_t of_count;
    const weft_vid *pairs; /* 2 pair_count vertices: of these pairs instead; NULL: not */
    size_t pair_count;
    int edges;            /* of all edges instead */
    int measure;          /* weft_similarity_measure */
    uint64_t per_vertex;  /* rows of a vertex, at most.  Not with pairs and edges */
    int unjoined;         /* no rows of vertices that an edge joins.  Not with pairs and edges */
    uint64_t most_degree; /* vertices with more neighbours do not count as any vertex's; 0: all do */
} weft_similarity_params;
#define WEFT_SIMILARITY_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_similarity_params, most_degree), NULL, 0, NULL, 0, 0, WEFT_SIMILARITY_JACCARD, 10, 0, 0 }
WEFT_API weft_status weft_similarity(weft_ctx *ctx, const weft_graph *g, const weft_similarity_params *params,
                                     weft_result **out);

/* ---------------------------------------------------------------- leiden */

/* Communities by the Leiden algorithm: groups with more weight within than random edges would bring, each of them
 * connected.  The same ones on any number of threads and on the GPU.
 * Columns: community (vertex: the smallest of its members); with levels, level_1 ... level_k (vertex: the smallest of
 *   the members of a group within the community; each level's groups are unions of those of the level before).
 * Scalars: modularity (f64), quality (f64: of the objective), count (u64), largest (u64: vertices), levels,
 *   iterations. */
typedef enum weft_objective {
    WEFT_OBJECTIVE_MODULARITY, /* at a resolution; of directed graphs as Leicht and Newman define it */
    WEFT_OBJECTIVE_CPM         /* constant Potts model: weight within, less resolution for each pair of members */
} weft_objective;
typedef struct weft_leiden_params {
    size_t size;
    double resolution;   /* above 0; more makes communities smaller */
    int objective;       /* weft_objective */
    uint64_t iterations; /* 0: until nothing improves */
    uint64_t seed;
    int weights;             /* an arc counts by its weight: 0, or from 1e-200 to 1e200 */
    int levels;              /* columns of the levels as well */
    const weft_vid *initial; /* a label for each vertex, below their number: communities to begin with; NULL: none */
} weft_leiden_params;
#define WEFT_LEIDEN_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_leiden_params, initial), 1, WEFT_OBJECTIVE_MODULARITY, 2, 0, 0, 0, NULL }
WEFT_API weft_status weft_leiden(weft_ctx *ctx, const weft_graph *g, const weft_leiden_params *params,
                                 weft_result **out);

/* --------------------------------------------------------------- louvain */

/* Communities by the Louvain algorithm: as leiden without its refinement, faster, and a community may fall apart.
 * Columns and scalars: those of leiden. */
typedef weft_leiden_params weft_louvain_params;
#define WEFT_LOUVAIN_DEFAULTS WEFT_LEIDEN_DEFAULTS
WEFT_API weft_status weft_louvain(weft_ctx *ctx, const weft_graph *g, const weft_louvain_params *params,
                                  weft_result **out);

/* ------------------------------------------------------------- labelprop */

/* Communities by synchronous label propagation (LDBC's CDLP): ties go to the smallest label, and both directions of a
 * directed graph count.  With weights the label with the largest sum of them wins.
 * Columns: label (vertex).
 * Scalars: communities, iterations. */
typedef struct weft_labelprop_params {
    size_t size;
    uint64_t max_iterations; /* the labels are those after so many steps */
    int weights;             /* an arc votes with its weight: 0, or from 1e-200 to 1e200 */
} weft_labelprop_params;
#define WEFT_LABELPROP_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_labelprop_params, weights), 10, 0 }
WEFT_API weft_status weft_labelprop(weft_ctx *ctx, const weft_graph *g, const weft_labelprop_params *params,
                                    weft_result **out);

/* -------------------------------------------------------------- toposort */

/* Topological order of a directed graph, or a cycle.
 * Columns: level (u32: longest path from a vertex without in-arcs), position (u32: in the order by level, then vertex);
 *   WEFT_UNREACHED on or after a cycle.
 * Table:   cycle (vertices of one cycle in order; empty if there is none).
 * Scalars: acyclic (0 or 1), levels. */
typedef struct weft_toposort_params {
    size_t size;
    int levels; /* alone: no column position */
    int order;  /* alone: no column level */
} weft_toposort_params;
#define WEFT_TOPOSORT_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_toposort_params, order), 0, 0 }
WEFT_API weft_status weft_toposort(weft_ctx *ctx, const weft_graph *g, const weft_toposort_params *params,
                                   weft_result **out);

/* ----------------------------------------------------------------- cycle */

/* Is a directed graph acyclic?  A loop is a cycle of one.
 * Table:   cycle (vertices of the shortest cycle found, in order, the smallest first; empty if there is none).
 * Scalars: acyclic (0 or 1), length. */
typedef struct weft_cycle_params {
    size_t size;
    int general; /* no shortcut by a loop or by the order of the ids; the answer is the same */
} weft_cycle_params;
#define WEFT_CYCLE_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_cycle_params, general), 0 }
WEFT_API weft_status weft_cycle(weft_ctx *ctx, const weft_graph *g, const weft_cycle_params *params, weft_result **out);

/* ------------------------------------------------------------- bipartite */

/* Two sides, such that every edge goes from one to the other; or an odd cycle.  Directions and parallel edges do not
 * count; a loop is a cycle of one.  A graph that has sides (weft_graph_sides) keeps them; else the smallest vertex of
 * each component is on side 0.
 * Columns: side (u32: 0 or 1; WEFT_UNREACHED in components with an odd cycle).
 * Table:   cycle (vertices of an odd cycle in order, the smallest first; empty if there is none).
 * Scalars: bipartite (0 or 1), first, second (u64: vertices on side 0, and on side 1), components (u64, weak ones;
 *   WEFT_NO_VALUE if the graph has sides). */
typedef struct weft_bipartite_params {
    size_t size;
} weft_bipartite_params;
#define WEFT_BIPARTITE_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_bipartite_params, size) }
WEFT_API weft_status weft_bipartite(weft_ctx *ctx, const weft_graph *g, const weft_bipartite_params *params,
                                    weft_result **out);

/* ----------------------------------------------------------------- kcore */

/* Core numbers: the largest k for which a vertex is in the k-core, the largest set in which each vertex has k
 * neighbours, or arcs, by `mode`.  Loops and parallel edges do not count.
 * Columns: core (u32).
 * Table:   members (vertices of the k-core in ascending order; empty if k is 0).
 * Scalars: degeneracy (the largest core number). */
typedef enum weft_core_mode {
    WEFT_CORE_NEIGHBOURS = 0,      /* vertices with an arc to or from it, each once */
    WEFT_CORE_OUT = WEFT_SIDE_OUT, /* arcs from it */
    WEFT_CORE_IN = WEFT_SIDE_IN,   /* arcs to it */
    WEFT_CORE_ALL                  /* the sum of both, as NetworkX's core_number of a directed graph */
} weft_core_mode;
typedef struct weft_kcore_params {
    size_t size;
    uint64_t k;          /* 0 = none */
    weft_core_mode mode; /* directed graphs: what counts within the core */
} weft_kcore_params;
#define WEFT_KCORE_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_kcore_params, mode), 0, WEFT_CORE_NEIGHBOURS }
WEFT_API weft_status weft_kcore(weft_ctx *ctx, const weft_graph *g, const weft_kcore_params *params, weft_result **out);

/* ----------------------------------------------------------------- truss */

/* Truss numbers of edges: the largest k for which an edge is in the k-truss, the largest set of edges in which each is
 * a side of k - 2 triangles.  Directions, loops and parallel edges do not count.
 * Columns of edges: source, target (vertex), truss (u32: 2 or more, parallel edges each; of a loop 0).  With k: k for
 *   the edges of the k-truss, 0 for others.
 * Scalars: max_truss (u64: the largest number, 0 without edges), edges (u64: those that have it). */
typedef struct weft_truss_params {
    size_t size;
    uint64_t k; /* 2 or more: the k-truss only, which takes less time; 0 = all numbers */
} weft_truss_params;
#define WEFT_TRUSS_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_truss_params, k), 0 }
WEFT_API weft_status weft_truss(weft_ctx *ctx, const weft_graph *g, const weft_truss_params *params, weft_result **out);

/* ---------------------------------------------------------------- degree */

/* Degrees.  An undirected graph has in = out = total.
 * Columns: in, out, total (u64), or the one that `mode` names; with strength also in_strength, out_strength, strength
 *   (f64: sums of weights in the order of the row; without weights an arc counts 1).
 * Table:   degree, count (u64: the distribution of total, or of the one column).
 * Scalars: max_degree. */
typedef struct weft_degree_params {
    size_t size;
    weft_side mode; /* AUTO = BOTH: all columns */
    int strength;
} weft_degree_params;
#define WEFT_DEGREE_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_degree_params, strength), WEFT_SIDE_AUTO, 0 }
WEFT_API weft_status weft_degree(weft_ctx *ctx, const weft_graph *g, const weft_degree_params *params,
                                 weft_result **out);

/* ---------------------------------------------------------------- mixing */

/* Who is joined to whom.  The degree of a vertex is the length of its row, of a directed graph those out and in
 * together; parallel edges count each.
 * Columns: neighbour_degree (f64: mean out-degree of the targets of the vertex's arcs, 0 without any), reciprocity
 *   (f64: share of its arcs whose reverse exists, loops left out; NaN without any).
 * Table:   degree, count (u64: as degree has them), club (u64: vertices of this degree or more), club_edges (u64: edges
 *   between two of them, loops left out), rich_club (f64: these over those possible; NaN for one vertex).
 * Scalars: density (f64, loops left out), assortativity (f64: Pearson's correlation over all arcs of the
 *   out-degree where one begins and the in-degree where it ends; NaN if all are equal), group_assortativity (f64:
 *   Newman's coefficient of `groups`; NaN without them or if there is one), reciprocity (f64), mutual (u64: arcs whose
 *   reverse exists; of an undirected graph all but loops), transitivity (f64: NaN if it is not asked for). */
typedef struct weft_mixing_params {
    size_t size;
    const weft_vid *groups; /* a label for each vertex, below their number; NULL: none */
    int transitivity;       /* count triangles, which takes longer than all the rest */
} weft_mixing_params;
#define WEFT_MIXING_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_mixing_params, transitivity), NULL, 1 }
WEFT_API weft_status weft_mixing(weft_ctx *ctx, const weft_graph *g, const weft_mixing_params *params,
                                 weft_result **out);

/* ------------------------------------------------------------- distances */

/* Distances in hops, or by weights, within the largest weak component (of equals, the one with the smallest vertex).
 * Columns: eccentricity, at_most (u32: bounds of the largest distance to a reached vertex, equal where it is known;
 *   WEFT_UNREACHED outside the component).
 * Table:   distance (u32), pairs (u64: pairs so far apart, ordered where direction counts); empty beyond all_pairs.
 * Scalars: diameter, diameter_at_most; radius, radius_at_least (WEFT_NO_VALUE if no vertex reaches all others); open
 *   (vertices whose eccentricity is not known), vertices, searches; unreachable_pairs (WEFT_NO_VALUE if not counted);
 *   effective_diameter, mean_distance (f64; NaN beyond all_pairs).
 * Diameter and radius are exact unless `searches` runs out.
 * With weights there are instead:
 * Columns: weighted_eccentricity (f64; NaN outside the component).
 * Table:   length (f64: where a class of lengths begins, which ends where the next one would begin), pairs.
 * Scalars: weighted_diameter, weighted_radius (f64; NaN if no vertex reaches all others), class_width (f64); vertices,
 *   searches, unreachable_pairs, effective_diameter, mean_distance. */
typedef struct weft_distances_params {
    size_t size;
    uint64_t all_pairs;  /* search from every vertex of a component of at most so many vertices */
    uint64_t searches;   /* in larger ones: give up after so many, and report bounds */
    weft_side direction; /* AUTO = OUT: distances from a vertex along the arcs; IN: to it; BOTH: without direction */
    int weights;         /* distances are sums of weights, as those of sssp; for components within all_pairs */
} weft_distances_params;
#define WEFT_DISTANCES_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_distances_params, weights), 50000, 1000, WEFT_SIDE_AUTO, 0 }
WEFT_API weft_status weft_distances(weft_ctx *ctx, const weft_graph *g, const weft_distances_params *params,
                                    weft_result **out);

/* ---------------------------------------------------------------- layout */

/* Positions in the plane for a drawing, neighbours about 1 apart.  Components stand side by side, the largest around
 * 0, 0; isolated vertices below.  Directions, loops, parallel arcs and weights do not count.
 * Columns: x, y (f32; x to the right, y upwards).
 * Scalars: components. */
typedef struct weft_layout_params {
    size_t size;
    uint64_t steps; /* how often the vertices of each level are moved */
    uint64_t seed;
    const weft_vid *groups; /* a label for each vertex, below their number: arcs within a group pull harder */
} weft_layout_params;
#define WEFT_LAYOUT_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_layout_params, groups), 75, 1, NULL }
WEFT_API weft_status weft_layout(weft_ctx *ctx, const weft_graph *g, const weft_layout_params *params,
                                 weft_result **out);

/* ------------------------------------------------------------- aggregate */

/* Mean, sum or maximum of the feature vectors of the in-neighbours: the sparse part of a layer of a graph neural
 * network.  Each arc counts once; weights do not count.  No neighbours give zeros; a NaN among the values gives NaN.
 * Columns: f (a matrix as wide as the features, in their type).
 * Scalars: rows, width. */
/* rows x width numbers, row by row.  A plan copies the struct, not the numbers. */
typedef struct weft_matrix {
    size_t size;
    const void *data; /* float, or uint16_t for two-byte types */
    uint64_t rows, width;
    weft_type type; /* WEFT_F32, WEFT_F16 or WEFT_BF16 */
} weft_matrix;
#define WEFT_MATRIX_DEFAULTS \
    { WEFT_SIZE_UP_TO(weft_matrix, type), NULL, 0, 0, WEFT_F32 }
typedef enum weft_aggregate_op { WEFT_AGGREGATE_SUM = 0, WEFT_AGGREGATE_MEAN, WEFT_AGGREGATE_MAX } weft_aggregate_op;
typedef enum weft_normalize {
    WEFT_NORMALIZE_NONE = 0,
    WEFT_NORMALIZE_GCN /* instead of the mean, the sum of x[u] / sqrt(d[u] d[v]), d = in-neighbours (Kipf, Welling) */
} weft_normalize;
typedef struct weft_aggregate_params {
    size_t size;
    weft_aggregate_op op;
    weft_normalize normalize;    /* not for the maximum */
    int self_loop;               /* a vertex without a loop counts among its own neighbours, once */
    const weft_matrix *features; /* required: row v belongs to vertex v */
    const weft_matrix *forward;  /* backward through a maximum: the features of the forward pass, of the same shape */
    int backward;                /* features is the gradient by a result; the answer is the gradient by its input */
    /* features and forward are in the memory of the context's GPU, written before the call, or by work on the stream of
     * weft_ctx_set_stream; only with WEFT_DEVICE_CUDA. */
    int features_on_device;
} weft_aggregate_params;
#define WEFT_AGGREGATE_DEFAULTS                                                                                        \
    {                                                                                                                  \
        WEFT_SIZE_UP_TO(weft_aggregate_params, features_on_device), WEFT_AGGREGATE_MEAN, WEFT_NORMALIZE_NONE, 0, NULL, \
            NULL, 0, 0                                                                                                 \
    }
WEFT_API weft_status weft_aggregate(weft_ctx *ctx, const weft_graph *g, const weft_aggregate_params *params,
                                    weft_result **out);

#ifdef __cplusplus
}
#endif
#endif
