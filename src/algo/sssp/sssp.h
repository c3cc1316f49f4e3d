/* sssp: declarations shared by its files.
 * Delta-stepping: a vertex has one 64-bit word; a smaller word is better, so one atomic minimum serves both encodings:
 *   packed  (distance << 32) | parent, for integer weights while every distance is below 2^32 - 1
 *   double  the bits of the distance as a double: they order like the numbers, since none is negative */
#ifndef WFI_SSSP_H
#define WFI_SSSP_H

#include "core/machine.h"
#include "run/algorithm.h"
#include "weft/sssp.h"

#include <string.h>

WFI_C_BEGIN

/* The columns of the result. */
typedef struct wfi_sssp_columns {
    double *distance;
    weft_vid *parent; /* NULL: not asked for */
} wfi_sssp_columns;
void wfi_sssp_columns_lay_out(wfi_workspace *w, weft_vid n, const weft_sssp_params *params, wfi_sssp_columns *c);
/* Adds the scalars of the result.  beyond: an arc leads from a reached vertex to one whose path would be longer than
 * the largest double; then it fails. */
weft_status wfi_sssp_scalars(weft_ctx *ctx, uint64_t reached, double farthest, bool beyond, weft_result *result);

typedef enum wfi_sssp_encoding { WFI_SSSP_PACKED, WFI_SSSP_DOUBLE } wfi_sssp_encoding;

/* The outcome of a search besides the words. */
typedef struct wfi_sssp_outcome {
    bool too_far;   /* packed: a distance did not fit; the words are invalid */
    bool zero_seen; /* packed: an arc of weight 0 was relaxed, so the packed parents may form a cycle */
} wfi_sssp_outcome;

/* Scratch of a search. */
typedef struct wfi_sssp_search_arrays {
    uint32_t *pool, *frontier;       /* chunks; the chunks of the current bin */
    struct wfi_sssp_worker *workers; /* one for each thread */
    weft_vid *hubs;                  /* vertices whose rows all threads divide, and the number of chunks of each row */
    uint64_t *hub_pieces;
} wfi_sssp_search_arrays;
void wfi_sssp_search_lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, wfi_sssp_search_arrays *a);

/* Sources of a search; targets, if it may end early. */
typedef struct wfi_sssp_ends {
    const weft_vid *sources, *targets; /* targets: the search may end when all of them are settled */
    size_t source_count, target_count;
} wfi_sssp_ends;

/* Does a packed search gain by a filter? */
bool wfi_sssp_filters(const wfi_caches *caches, const weft_graph *g);

/* Delta-stepping from the sources in a weighted graph.  word[] and near[] need not be initialised. */
typedef struct wfi_sssp_task {
    const wfi_sssp_ends *ends;
    double delta;
    wfi_sssp_encoding encoding;
    uint64_t *word; /* by vertex */
    uint32_t *near; /* packed: a filter that is read before the word; NULL: none */
    const wfi_sssp_search_arrays *scratch;
} wfi_sssp_task;
weft_status wfi_sssp_search(weft_ctx *ctx, const weft_graph *g, const wfi_sssp_task *task, wfi_sssp_outcome *outcome);

/* Scratch for parents along weights of 0: n elements each. */
typedef struct wfi_sssp_hops {
    weft_vid *queue;    /* vertices in the order of their hops */
    uint8_t *hop_known; /* 1: has its parent; 2: being assigned */
} wfi_sssp_hops;

/* parent[v] for all v from final distances (rule: sssp_parents.c). */
weft_status wfi_sssp_parents(weft_ctx *ctx, const weft_graph *g, const wfi_sssp_ends *ends, const double *distance,
                             const wfi_sssp_hops *hops, weft_vid *parent);

/* A graph without weights on one machine: the plan and the run. */
void wfi_sssp_unit_plan(const weft_graph *g, const weft_sssp_params *params, wfi_choice *choice);
weft_status wfi_sssp_unit_cpu(wfi_job *job, const wfi_sssp_ends *ends);

/* Runs on ranks, with or without weights. */
extern const struct wfi_method wfi_sssp_on_ranks;

/* --- the GPU ---------------------------------------------------------------------- */

/* below: arcs shorter than this get rows that are kept with the graph; 0: no such rows.  It depends on the graph alone,
 * and delta is at most `below`.  share: fraction of such arcs. */
typedef struct wfi_sssp_how {
    double delta, below, share;
    bool parents;
} wfi_sssp_how;

/* Methods, in the order of info.methods.  On the GPU: all arcs; with rows of light edges; breadth-first without
 * weights. */
enum {
    WFI_SSSP_DELTA_PACKED,
    WFI_SSSP_DELTA_STEPPING,
    WFI_SSSP_ALL,
    WFI_SSSP_LIGHT,
    WFI_SSSP_UNIT,
    WFI_SSSP_UNIT_BOTH_WAYS,
    WFI_SSSP_UNIT_TOP_DOWN,
    WFI_SSSP_BUCKETS
};
wfi_sssp_how wfi_sssp_choose_cuda(const weft_graph *g, const weft_sssp_params *params, bool light);

/* Declares the arrays on the GPU, and those kept with the graph there. */
void wfi_sssp_declare_cuda(const weft_graph *g, const wfi_sssp_how *how, wfi_workspace *device);
weft_status wfi_sssp_cuda(wfi_job *job);

/* The same for a graph without weights, whose run is called by wfi_sssp_cuda. */
void wfi_sssp_unit_declare(const weft_graph *g, wfi_workspace *device);
weft_status wfi_sssp_unit_cuda(wfi_job *job, weft_vid source, const wfi_sssp_columns *c);

static inline double wfi_double_of(uint64_t bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static inline uint64_t wfi_bits_of(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

WFI_C_END
#endif
