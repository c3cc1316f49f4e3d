/* bipartite: what CPU cores and the GPU share: the result, and the odd cycle of a component that has one. */
#ifndef WFI_BIPARTITE_H
#define WFI_BIPARTITE_H

#include "run/algorithm.h"

WFI_C_BEGIN

/* Methods, in the order of info.methods. */
enum { WFI_BIPARTITE_LEVELS, WFI_BIPARTITE_SIDES, WFI_BIPARTITE_COPIES };

/* On the host. */
typedef struct wfi_bipartite {
    weft_ctx *ctx;
    const weft_graph *g;
    const wfi_view *in; /* incoming rows of a directed graph, else NULL */
    uint32_t *side;     /* a column; while a component is searched its levels */
    weft_vid *queue;
    weft_vid *cycle; /* grown */
    uint64_t length, steps, first, second, components;
} wfi_bipartite;

void wfi_bipartite_lay_out(wfi_workspace *w, const weft_graph *g, wfi_bipartite *b);
/* The cycle of the component of which `root` is the smallest vertex; no further than its edge lies. */
weft_status wfi_bipartite_witness(wfi_workspace *w, wfi_bipartite *b, weft_vid root);
/* The table and the scalars. */
weft_status wfi_bipartite_tell(wfi_job *job, const wfi_bipartite *b);

void wfi_bipartite_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_bipartite_cuda(wfi_job *job);

WFI_C_END

#endif
