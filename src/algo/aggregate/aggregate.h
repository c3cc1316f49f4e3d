/* aggregate: the interface of the descriptor and the backends. */
#ifndef WFI_AGGREGATE_H
#define WFI_AGGREGATE_H

#include "run/algorithm.h"
#include "weft/aggregate.h"

WFI_C_BEGIN

/* Neighbours that are added one after the other; the sums of such blocks are then added in their order.  Part of the
 * definition (docs/algo/aggregate.md): another number gives other last bits. */
enum { WFI_AGGREGATE_BLOCK = 256 };

/* True if each term is multiplied by a factor of its source vertex. */
static inline bool wfi_aggregate_scales(const weft_aggregate_params *p) {
    return p->normalize || (p->backward && p->op == WEFT_AGGREGATE_MEAN);
}

/* True for the gradient of a maximum. */
static inline bool wfi_aggregate_is_back_max(const weft_aggregate_params *p) {
    return p->backward && p->op == WEFT_AGGREGATE_MAX;
}

static inline size_t wfi_matrix_bytes(weft_type type) { return type == WEFT_F32 ? 4 : 2; }

/* Methods, in the order of info.methods.  A plan also decides, as a bool, whether incoming degrees, by which terms are
 * scaled, are counted; otherwise they are row lengths. */
typedef enum wfi_aggregate_method {
    WFI_AGGREGATE_SUMS,
    WFI_AGGREGATE_BACKWARD,
    WFI_AGGREGATE_MAXIMA,
    WFI_AGGREGATE_WINNERS,
    WFI_AGGREGATE_ON_GPU /* on the GPU: these four again */
} wfi_aggregate_method;
wfi_aggregate_method wfi_aggregate_method_of(const weft_aggregate_params *p);

/* The result: its column, and its scalars. */
void wfi_aggregate_column(wfi_workspace *w, weft_vid n, const weft_aggregate_params *params, void *place /* T** */);
weft_status wfi_aggregate_scalars(wfi_job *job);

/* Declares the arrays of a run for `rows` rows of n.  count: in-degrees must be counted. */
void wfi_aggregate_space(wfi_workspace *w, weft_vid n, weft_vid rows, const weft_aggregate_params *params, bool count);
weft_status wfi_aggregate_cpu(wfi_job *job);

/* --- the GPU --- */

/* As in the descriptor. */
void wfi_aggregate_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_aggregate_cuda(wfi_job *job);

/* Features on the GPU: the caller's own if they are there, or a copy. */
weft_status wfi_aggregate_upload(weft_ctx *ctx, const weft_matrix *m, bool there, void *copy, const void **data);

/* --- on the GPUs of ranks: the driver, and its kernels --- */

void wfi_aggregate_plan_ranks_cuda(const weft_ctx *ctx, const struct wfi_spread *spread, const void *params,
                                   wfi_choice *choice);
weft_status wfi_aggregate_ranks_cuda(wfi_job *job);

/* The rows of a rank for its kernels: all of it on the GPU. */
typedef struct wfi_rank_sums {
    const weft_aggregate_params *p; /* parameters, on the host */
    wfi_view in, along;             /* along: rows whose sums are the result; in: for the gradient of a maximum */
    weft_vid first;                 /* the vertex of row 0 */
    const void *x, *forward;        /* features of all vertices */
    void *out;                      /* results of the rows */
    const uint8_t *joins; /* true for a row whose vertex is its own neighbour by --self-loop alone; NULL: none is */
    const float *scale;   /* factors of all vertices, or NULL */
    weft_vid *winner;     /* winners at all vertices, in a strip of columns */
    uint64_t strip;
} wfi_rank_sums;

/* joins[k], of the rows `along`. */
weft_status wfi_rank_joins(weft_ctx *ctx, const wfi_rank_sums *s, uint8_t *joins);
/* Sums or maxima of the rows from ... from + count-1. */
weft_status wfi_rank_add(weft_ctx *ctx, const wfi_rank_sums *s, weft_vid from, weft_vid count);
/* The gradient of a maximum, in the columns first ... first + columns-1: the winners at this rank's vertices, and the
 * sums that these vertices have won. */
weft_status wfi_rank_compare(weft_ctx *ctx, const wfi_rank_sums *s, uint64_t first, uint64_t columns);
weft_status wfi_rank_collect(weft_ctx *ctx, const wfi_rank_sums *s, uint64_t first, uint64_t columns);

WFI_C_END
#endif
