/* The GPU's search, behind a door without CUDA types. */
#ifndef WFI_SSSP_CUDA_H
#define WFI_SSSP_CUDA_H

#include "algo/sssp/sssp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* below: rows of the arcs shorter than this are made and kept, or 0: no such rows.  It depends on the graph alone, and
 * delta is no larger.  share: of such arcs. */
typedef struct wfi_sssp_how {
    double delta, below, share;
    bool parents;
} wfi_sssp_how;

/* Variants of a plan: with rows of light edges, or without; breadth-first where there are no weights. */
enum { WFI_SSSP_ALL, WFI_SSSP_LIGHT, WFI_SSSP_UNIT };
wfi_sssp_how wfi_sssp_choose_cuda(const weft_graph *g, const weft_sssp_params *params, bool light);

/* The arrays on the GPU, and what is kept with the graph there. */
void wfi_sssp_declare_cuda(const weft_graph *g, const wfi_sssp_how *how, wfi_workspace *device);
weft_status wfi_sssp_cuda(wfi_job *job);

/* The same for a graph without weights; this run is a part of the other. */
void wfi_sssp_unit_declare(const weft_graph *g, wfi_workspace *device);
weft_status wfi_sssp_unit_cuda(wfi_job *job, weft_vid source, const wfi_sssp_columns *c);

#ifdef __cplusplus
}
#endif
#endif
