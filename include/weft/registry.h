/* The registry: every algorithm with its parameters and results, for programs that offer all of them. */
#ifndef WEFT_REGISTRY_H
#define WEFT_REGISTRY_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    /* Flags of earlier versions, and their replacements: "no_parents parents=no|together each=no"; NULL = none. */
    const char *formerly;
    /* Parameters that require another one, "registers estimate|seed error", or exclude others, "per-vertex
     * edges,pairs"; for callers that know which parameters were given, even at their defaults; NULL = none. */
    const char *needs, *excludes;
    /* The parameter that makes the weights of the graph count (pagerank: weights, degree: strength); "": weights
     * always count if present (mst, sssp); NULL: weights are never used. */
    const char *weights;
    const char
        *rows_each; /* the parameter that limits the rows of each vertex in a list (ppr: per-seed); NULL = none */
} weft_algorithm_info;

WEFT_API size_t weft_algorithm_count(void);
WEFT_API const weft_algorithm_info *weft_algorithm_at(size_t i);
WEFT_API const weft_algorithm_info *weft_algorithm_find(const char *name);
WEFT_API const weft_param_info *weft_algorithm_param_at(const weft_algorithm_info *algorithm, size_t i);
WEFT_API const weft_result_info *weft_algorithm_result_at(const weft_algorithm_info *algorithm, size_t i);

#ifdef __cplusplus
}
#endif
#endif
