/* Declarations shared by the files of truss. */
#ifndef WFI_TRUSS_H
#define WFI_TRUSS_H

#include "engines/triangles/oriented.h"
#include "run/algorithm.h"

WFI_C_BEGIN

enum { WFI_TRUSS_LEVELS, WFI_TRUSS_WAVES }; /* methods, in the order of info.methods */

/* Arrays by edge of an oriented view, and by vertex, at its position of the oriented order. */
typedef struct wfi_truss_space {
    uint32_t *support;             /* in the end truss numbers less 2 */
    uint64_t *rows;                /* 2 entries an edge: neighbour << 32 | edge, ascending in each row */
    uint64_t *start;               /* begin of each row, n + 1 */
    uint32_t *length;              /* of each row */
    uint32_t *from;                /* the end of each edge with the lower position */
    uint32_t *alive, *now, *later; /* lists of edges */
    uint8_t *state;
    uint64_t *left; /* entries left in each chunk of the list `alive` */
} wfi_truss_space;
/* Declares all but the support. */
void wfi_truss_peel_lay_out(wfi_workspace *w, uint64_t n, uint64_t edges, wfi_truss_space *s);

/* support[e], the number of triangles of e, becomes its truss number less 2.  k = 0: for every edge.  Else it becomes
 * less than k - 2 for edges outside the k-truss and at least k - 2 for edges inside, and its value is otherwise
 * undefined. */
weft_status wfi_truss_peel(weft_ctx *ctx, const wfi_oriented *o, uint64_t k, wfi_truss_space *s);

/* Adds the scalars of a column. */
weft_status wfi_truss_scalars(wfi_job *job, const uint32_t *truss, uint64_t edges);

weft_status wfi_truss_cuda(wfi_job *job);
void wfi_truss_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);

WFI_C_END
#endif
