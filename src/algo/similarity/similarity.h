/* similarity: how much two vertices have in common: their neighbours.
 *
 * The graph is seen as undirected and simple: directions, loops and repeated edges do not count.  N(v) are the
 * neighbours of v, without those that have more than `most_degree` neighbours themselves, if that is given.  Measures
 * are of N(u) and N(v); what is left out counts for nothing, on either side of a fraction.
 * Encoding: neighbours in common are counted, or weighed in fixed point (core/fixed.h), 2^-32 of what they are, so that
 * as many as there can be have room, and the order of adding does not show: to 2^-60. */
#ifndef WFI_SIMILARITY_H
#define WFI_SIMILARITY_H

#include "core/fixed.h"
#include "run/edge_rows.h"

#include <math.h>

WFI_C_BEGIN

typedef struct wfi_similar {
    weft_ctx *ctx;
    const weft_graph *g;
    const weft_similarity_params *p;
    uint64_t most;           /* neighbours of a vertex that counts as one */
    const weft_eid *offsets; /* n + 1: rows with each neighbour once, ascending, left out or not */
    const weft_vid *targets;
    bool own;              /* those are not the graph's, but ... */
    weft_eid *own_offsets; /* ... these */
    uint32_t *size;        /* n: of N(v) */
    wfi_fixed *part;       /* n: what v weighs as a neighbour in common; NULL: 1 */
    uint64_t hubs;         /* vertices that do not count */
    bool stop;             /* the caller wants to */
} wfi_similar;

/* Rows, sizes and weights. */
void wfi_similar_lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, const void *params,
                         wfi_similar *s);
/* Fills them; a directed graph has its transpose. */
weft_status wfi_similar_make(wfi_workspace *w, wfi_similar *s);

static inline uint64_t wfi_similar_degree(const wfi_similar *s, weft_vid v) {
    return s->offsets[v + 1] - s->offsets[v];
}
static inline bool wfi_similar_counts(const wfi_similar *s, weft_vid v) { return wfi_similar_degree(s, v) <= s->most; }

/* Now and then: shows how far it is.  True: the caller wants to stop. */
bool wfi_similar_stops(wfi_similar *s, const char *doing, uint64_t done, uint64_t all);

/* Is it a measure that weighs the neighbours in common? */
WFI_HOST_DEVICE static inline bool wfi_similarity_weighs(int measure) {
    return measure == WEFT_SIMILARITY_ADAMIC_ADAR || measure == WEFT_SIMILARITY_RESOURCE_ALLOCATION;
}

/* Of vertices with a and b neighbours that have `common` in common, a count or what they weigh; a and b are below 2^32.
 * Without libm: the square root is the correctly rounded one of IEEE 754. */
WFI_HOST_DEVICE static inline double wfi_similarity_of(int measure, wfi_fixed common, uint64_t a, uint64_t b) {
    double count = (double)common.whole;
    if (measure == WEFT_SIMILARITY_COMMON) return count;
    if (measure == WEFT_SIMILARITY_PREFERENTIAL_ATTACHMENT) return (double)a * (double)b;
    if (wfi_similarity_weighs(measure)) {
        wfi_fixed_settle(&common);
        return wfi_fixed_value(common) * 0x1p32;
    }
    if (!common.whole) return 0;
    if (measure == WEFT_SIMILARITY_OVERLAP) return count / (double)(a < b ? a : b);
    if (measure == WEFT_SIMILARITY_COSINE) return count / sqrt((double)a * (double)b);
    if (measure == WEFT_SIMILARITY_SORENSEN) return 2 * count / (double)(a + b);
    return count / (double)(a + b - common.whole);
}

/* --- the most similar vertices of each (best_cpu.c) ------------------------------------------ */

typedef struct wfi_similar_best {
    weft_vid *source, *target; /* rows, grown: those of the i-th vertex begin at place at[i] */
    double *value;
    uint64_t *at;       /* count + 1 */
    uint64_t *found;    /* rows of each; before the search its wedges */
    uint64_t count;     /* vertices that rows are asked of */
    uint64_t most_rows; /* there are no more of all */
    uint64_t rows, wedges, left_out;
    uint32_t *common; /* of each thread, by vertex; NULL: ... */
    wfi_fixed *sum;   /* ... what they weigh */
    weft_vid *met;
} wfi_similar_best;

/* Walks over two edges that begin at the vertices in question, ends that are left out among them: no more than these.
 * UINT64_MAX: it is not known before the transpose is there. */
uint64_t wfi_similar_wedges(const wfi_similar *s);
void wfi_similar_best_lay_out(wfi_workspace *w, const weft_ctx *ctx, const wfi_similar *s, bool on_gpu,
                              wfi_similar_best *b);
/* Room for the rows; the search, which fills them and `found`; and the columns. */
weft_status wfi_similar_best_begin(wfi_workspace *w, wfi_similar *s, wfi_similar_best *b);
weft_status wfi_similar_best_search(wfi_similar *s, const wfi_similar_best *b);
weft_status wfi_similar_best_end(wfi_workspace *w, const wfi_similar *s, wfi_similar_best *b);

/* --- pairs and edges (pairs_cpu.c) ------------------------------------------------------------ */

/* value[i] = that of vertices pairs[2 i] and pairs[2 i + 1], which differ. */
weft_status wfi_similar_pairs(wfi_similar *s, double *value);

typedef struct wfi_similar_edges {
    wfi_edge_rows rows; /* whose columns are the table's; or the pairs */
    double *value;
    uint64_t *marks; /* of each thread, a bit for each vertex */
} wfi_similar_edges;

/* The columns. */
void wfi_similar_columns(wfi_workspace *w, uint64_t count, wfi_similar_edges *e);

void wfi_similar_edges_lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, bool on_gpu,
                               wfi_similar_edges *e);
/* The values of edges that are listed. */
weft_status wfi_similar_edges_value(wfi_similar *s, const wfi_similar_edges *e);

/* --- a run (similarity.c) --------------------------------------------------------------------- */

typedef struct wfi_similarity {
    wfi_similar s;
    wfi_similar_best best;
    wfi_similar_edges edges; /* or pairs */
} wfi_similarity;

enum { WFI_SIMILAR_BEST = 0, WFI_SIMILAR_PAIRS, WFI_SIMILAR_EDGES };
static inline int wfi_similar_method(const weft_similarity_params *p) {
    return p->pairs ? WFI_SIMILAR_PAIRS : p->edges ? WFI_SIMILAR_EDGES : WFI_SIMILAR_BEST;
}
/* All edges, by what the triangles that they are sides of say. */
static inline bool wfi_similar_by_triangles(const weft_similarity_params *p) {
    return wfi_similar_method(p) == WFI_SIMILAR_EDGES && !wfi_similarity_weighs(p->measure) && !p->most_degree;
}
void wfi_similarity_plan(const weft_ctx *ctx, const weft_graph *g, const void *params, bool on_gpu, wfi_choice *choice,
                         wfi_similarity *a);
/* The search and the values are this function's: they are on the host afterwards.  Made before: all else. */
typedef weft_status wfi_similar_find(wfi_job *job, wfi_similarity *a);
weft_status wfi_similarity_run(wfi_job *job, bool on_gpu, wfi_similar_find *find);

/* --- on a GPU ---------------------------------------------------------------------------------- */

enum { WFI_SIMILAR_MOST_LISTED = 512 }; /* vertices for one, there */

/* By triangles (similarity_cuda.cu); and all else (similarity_find_cuda.cu). */
void wfi_similarity_plan_triangles_cuda(const weft_graph *g, wfi_choice *choice);
weft_status wfi_similarity_triangles_cuda(wfi_job *job);
void wfi_similarity_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_similarity_cuda(wfi_job *job);

WFI_C_END

#endif
