/* mst: the order of edges, and declarations shared by its files. */
#ifndef WFI_MST_H
#define WFI_MST_H

#include "run/algorithm.h"

#include <string.h>

WFI_C_BEGIN

/* An edge is identified by its arc, an undirected edge by the arc from its smaller end: arcs ascend as edges do.
 * Weights are compared as integers of the same order, complemented for a maximum; equal weights by arc.  Both fit one
 * 64-bit key, order << 32 | arc, unless weights are doubles or there are 2^32 arcs or more; then the key is the arc
 * alone. */
static inline bool wfi_mst_packed(const weft_graph *g) {
    return g->weight_type != WEFT_WEIGHT_F64 && g->arcs <= UINT32_MAX;
}

WFI_HOST_DEVICE static inline uint64_t wfi_mst_order(weft_weight_type type, const void *weights, weft_eid e,
                                                     bool maximum) {
    if (type == WEFT_WEIGHT_F64) {
        double w = ((const double *)weights)[e] + 0.0; /* maps -0 to 0 */
        uint64_t bits;
        memcpy(&bits, &w, sizeof bits);
        bits ^= bits >> 63 ? UINT64_MAX : (uint64_t)1 << 63;
        return maximum ? ~bits : bits;
    }
    uint32_t bits = 0;
    if (type == WEFT_WEIGHT_F32) {
        float w = ((const float *)weights)[e] + 0.0f;
        memcpy(&bits, &w, sizeof bits);
        bits ^= bits >> 31 ? UINT32_MAX : (uint32_t)1 << 31;
    } else if (type == WEFT_WEIGHT_U32) {
        bits = ((const uint32_t *)weights)[e];
    }
    return maximum ? ~bits : bits;
}

/* A position in the order of edges.  Edges up to it are light. */
typedef struct wfi_mst_place {
    uint64_t order;
    weft_eid arc;
} wfi_mst_place;

WFI_HOST_DEVICE static inline bool wfi_mst_light(wfi_mst_place last, uint64_t order, weft_eid arc) {
    return order != last.order ? order < last.order : arc <= last.arc;
}

/* The last light edge: about three edges a vertex are light, by a sample; in sparse graphs all are. */

/* Writes the method and the reason. */
void wfi_mst_describe_plan(const weft_graph *g, const void *params, wfi_choice *choice);

/* The edges of a forest: columns of the table, grown. */
typedef struct wfi_mst_rows {
    weft_vid *source, *target;
    double *weight;
} wfi_mst_rows;
void wfi_mst_rows_lay_out(wfi_workspace *w, const weft_graph *g);
weft_status wfi_mst_rows_grow(wfi_workspace *w, uint64_t count, wfi_mst_rows *rows);
/* Adds the scalars of a forest with `count` edges. */
weft_status wfi_mst_end(wfi_job *job, const wfi_mst_rows *rows, uint64_t count);

weft_status wfi_mst_cpu(wfi_job *job);
void wfi_mst_plan_cpu(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_mst_cuda(wfi_job *job);
void wfi_mst_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);

WFI_C_END
#endif
