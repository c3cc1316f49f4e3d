/* What the files of truss share. */
#ifndef WFI_TRUSS_H
#define WFI_TRUSS_H

#include "engines/triangles/oriented.h"
#include "run/algorithm.h"

WFI_C_BEGIN

/* Of the edges of an oriented view, by their places there, and of its vertices, by rank. */
typedef struct wfi_truss_space {
    uint32_t *support;             /* in the end truss numbers less 2 */
    uint64_t *rows;                /* 2 an edge: neighbour << 32 | edge, ascending in each row */
    uint64_t *start;               /* of rows, n + 1 */
    uint32_t *length;              /* of each */
    uint32_t *from;                /* the lower end of each edge */
    uint32_t *alive, *now, *later; /* edges */
    uint8_t *state;
    uint64_t *left; /* of the list of edges, by piece */
} wfi_truss_space;
/* All but the support. */
void wfi_truss_peel_lay_out(wfi_workspace *w, uint64_t n, uint64_t edges, wfi_truss_space *s);

/* Support has the triangles of each edge, and becomes its truss number less 2.  k = 0: of every edge.  Else of the
 * edges outside the k-truss it is less than k - 2, of those inside k - 2 or more, and nothing else is known. */
weft_status wfi_truss_peel(weft_ctx *ctx, const wfi_oriented *o, uint64_t k, wfi_truss_space *s);

/* What the scalars say of a column. */
weft_status wfi_truss_tell(wfi_job *job, const uint32_t *truss, uint64_t edges);

weft_status wfi_truss_cuda(wfi_job *job);
void wfi_truss_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);

WFI_C_END
#endif
