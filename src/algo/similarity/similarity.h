/* similarity: measures of the common neighbours of two vertices.
 *
 * The graph is taken as undirected and simple: directions, loops and repeated edges do not count.  N(v) is the set of
 * neighbours of v, without those of more than `most_degree` neighbours, if that is given.  Measures are of N(u) and
 * N(v); excluded neighbours count neither in numerators nor in denominators.
 * Encoding: common neighbours are counted, or weighted in fixed point (core/fixed.h) scaled by 2^-32, so that the
 * largest possible sum fits and the order of additions does not matter: the error is below 2^-60. */
#ifndef WFI_SIMILARITY_H
#define WFI_SIMILARITY_H

#include "core/fixed.h"
#include "run/edge_rows.h"
#include "weft/similarity.h"

#include <math.h>

WFI_C_BEGIN

typedef struct wfi_similar {
    weft_ctx *ctx;
    const weft_graph *g;
    const weft_similarity_params *p;
    uint64_t most;           /* maximum degree of a neighbour that counts */
    const weft_eid *offsets; /* n + 1: rows with each neighbour once, ascending, excluded neighbours among them */
    const weft_vid *targets;
    bool own;              /* rows are not the graph's but own_offsets */
    weft_eid *own_offsets; /* a merged copy */
    uint32_t *size;        /* by vertex: size of N(v) */
    wfi_fixed *part;       /* by vertex: weight as a common neighbour; NULL: 1 */
    uint64_t hubs;         /* number of excluded vertices */
    bool stop;             /* a request to stop was seen */
} wfi_similar;

/* Declares rows, sizes and weights. */
void wfi_similar_lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, const void *params,
                         wfi_similar *s);
/* Fills them; a directed graph must have its transpose. */
weft_status wfi_similar_make(wfi_workspace *w, wfi_similar *s);

static inline uint64_t wfi_similar_degree(const wfi_similar *s, weft_vid v) {
    return s->offsets[v + 1] - s->offsets[v];
}
static inline bool wfi_similar_counts(const wfi_similar *s, weft_vid v) { return wfi_similar_degree(s, v) <= s->most; }

/* Shows progress; true after a request to stop. */
bool wfi_similar_stops(wfi_similar *s, const char *doing, uint64_t done, uint64_t all);

/* Does the measure weight common neighbours? */
WFI_HOST_DEVICE static inline bool wfi_similarity_weighs(int measure) {
    return measure == WEFT_SIMILARITY_ADAMIC_ADAR || measure == WEFT_SIMILARITY_RESOURCE_ALLOCATION;
}

/* The measure of two vertices with a and b neighbours, both below 2^32; common: the number or the weight of their
 * common neighbours.  Without libm: the square root is the correctly rounded one of IEEE 754. */
WFI_HOST_DEVICE static inline double wfi_similarity_of(int measure, wfi_fixed common, uint64_t a, uint64_t b) {
    double count = (double)common.whole;
    if (measure == WEFT_SIMILARITY_COMMON) return count;
    if (measure == WEFT_SIMILARITY_PREFERENTIAL_ATTACHMENT) return (double)a * (double)b;
    if (wfi_similarity_weighs(measure)) {
        wfi_fixed_carry(&common);
        return wfi_fixed_value(common) * 0x1p32;
    }
    if (!common.whole) return 0;
    if (measure == WEFT_SIMILARITY_OVERLAP) return count / (double)(a < b ? a : b);
    if (measure == WEFT_SIMILARITY_COSINE) return count / sqrt((double)a * (double)b);
    if (measure == WEFT_SIMILARITY_SORENSEN) return 2 * count / (double)(a + b);
    return count / (double)(a + b - common.whole);
}

/* --- most similar vertices of each (best_cpu.c) ------------------------------------------ */

typedef struct wfi_similar_best {
    weft_vid *source, *target; /* rows, grown: those of the i-th vertex begin at at[i] */
    double *value;
    uint64_t *at;       /* count + 1 */
    uint64_t *found;    /* by source: number of rows; before the search its wedges */
    uint64_t count;     /* number of sources */
    uint64_t most_rows; /* upper bound of the number of rows */
    uint64_t rows, wedges, left_out;
    uint32_t *common; /* by thread and vertex; NULL if the measure weights */
    wfi_fixed *sum;   /* by thread and vertex: weights */
    weft_vid *visited;
} wfi_similar_best;

/* Upper bound of the wedges from all sources, excluded ends among them.  UINT64_MAX: unknown before the transpose is
 * made. */
uint64_t wfi_similar_wedges(const wfi_similar *s);
void wfi_similar_best_lay_out(wfi_workspace *w, const weft_ctx *ctx, const wfi_similar *s, bool on_gpu,
                              wfi_similar_best *b);
/* Allocates the rows; searches, which fills the rows and `found`; makes the columns. */
weft_status wfi_similar_best_begin(wfi_workspace *w, wfi_similar *s, wfi_similar_best *b);
weft_status wfi_similar_best_search(wfi_similar *s, const wfi_similar_best *b);
weft_status wfi_similar_best_end(wfi_workspace *w, const wfi_similar *s, wfi_similar_best *b);

/* --- pairs and edges (pairs_cpu.c) ------------------------------------------------------------ */

/* value[i] = the measure of vertices pairs[2 i] and pairs[2 i + 1], which differ. */
weft_status wfi_similar_pairs(wfi_similar *s, double *value);

typedef struct wfi_similar_edges {
    wfi_edge_rows rows; /* the columns of the table, or the pairs */
    double *value;
    uint64_t *marks; /* by thread: a bit for each vertex */
} wfi_similar_edges;

/* Declares the columns. */
void wfi_similar_columns(wfi_workspace *w, uint64_t count, wfi_similar_edges *e);

void wfi_similar_edges_lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, bool on_gpu,
                               wfi_similar_edges *e);
/* Fills the values of the listed edges. */
weft_status wfi_similar_edges_value(wfi_similar *s, const wfi_similar_edges *e);

/* --- a run (similarity.c) --------------------------------------------------------------------- */

typedef struct wfi_similarity {
    wfi_similar s;
    wfi_similar_best best;
    wfi_similar_edges edges; /* edges or pairs */
} wfi_similarity;

enum { WFI_SIMILAR_BEST, WFI_SIMILAR_PAIRS, WFI_SIMILAR_EDGES, WFI_SIMILAR_TRIANGLES }; /* methods */
static inline int wfi_similar_method(const weft_similarity_params *p) {
    return p->pairs ? WFI_SIMILAR_PAIRS : p->edges ? WFI_SIMILAR_EDGES : WFI_SIMILAR_BEST;
}
/* True for all edges if the measure follows from the number of triangles of each edge. */
static inline bool wfi_similar_by_triangles(const weft_similarity_params *p) {
    return wfi_similar_method(p) == WFI_SIMILAR_EDGES && !wfi_similarity_weighs(p->measure) && !p->most_degree;
}
void wfi_similarity_plan(const weft_ctx *ctx, const weft_graph *g, const void *params, bool on_gpu, wfi_choice *choice,
                         wfi_similarity *a);
/* Fills the rows and values, in host memory; everything else is made before. */
typedef weft_status wfi_similar_find(wfi_job *job, wfi_similarity *a);
weft_status wfi_similarity_run(wfi_job *job, bool on_gpu, wfi_similar_find *find);

/* --- on a GPU ---------------------------------------------------------------------------------- */

enum { WFI_SIMILAR_MOST_LISTED = 512 }; /* maximum number of rows for one vertex on the GPU */

/* By triangles (similarity_cuda.cu); every other method (similarity_find_cuda.cu). */
void wfi_similarity_plan_triangles_cuda(const weft_graph *g, wfi_choice *choice);
weft_status wfi_similarity_triangles_cuda(wfi_job *job);
void wfi_similarity_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_similarity_cuda(wfi_job *job);

WFI_C_END

#endif
