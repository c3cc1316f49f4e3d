/* Components for the descriptor and the GPU's files: no CUDA type crosses this interface.  count: of components;
 * largest: vertices of the largest community. */
#ifndef WFI_COMPONENTS_CUDA_H
#define WFI_COMPONENTS_CUDA_H

#include "run/algorithm.h"

WFI_C_BEGIN

/* Methods, in the order of info.methods. */
enum {
    WFI_COMPONENTS_TARJAN,
    WFI_COMPONENTS_CORE_FIRST,
    WFI_COMPONENTS_EVERY_ARC,
    WFI_COMPONENTS_AFFOREST,
    WFI_COMPONENTS_LARGEST_NAMES,
    WFI_COMPONENTS_EVERY_EDGE,
    WFI_COMPONENTS_MARKS,
    WFI_COMPONENTS_STREAMED,
    WFI_COMPONENTS_MERGED,
    WFI_COMPONENTS_COLOURS
};

void wfi_components_plan_weak_cuda(const weft_graph *g, wfi_choice *choice);
weft_status wfi_components_weak_cuda(wfi_job *job, weft_vid *label, uint64_t *count, uint64_t *largest);
/* Of directed graphs: those of an undirected graph are its weak components. */
void wfi_components_plan_strong_cuda(const weft_graph *g, wfi_choice *choice);
weft_status wfi_components_strong_cuda(wfi_job *job, weft_vid *label, uint64_t *count, uint64_t *largest);
/* Weak components of graphs that do not fit the GPU's memory. */
void wfi_components_plan_weak_stream(const weft_graph *g, uint64_t available, wfi_choice *choice);
weft_status wfi_components_weak_stream(wfi_job *job, weft_vid *label, uint64_t *count, uint64_t *largest);

/* The scalars, at the end of a run. */
weft_status wfi_components_scalars(const wfi_job *job, uint64_t count, uint64_t largest);

/* On ranks, with the column; on CPU cores and on GPUs. */
void wfi_components_plan_weak_ranks(const struct wfi_spread *spread, wfi_choice *choice);
weft_status wfi_components_weak_ranks(wfi_job *job);
void wfi_components_plan_weak_ranks_cuda(const struct wfi_spread *spread, wfi_choice *choice);
weft_status wfi_components_weak_ranks_cuda(wfi_job *job);
extern const struct wfi_method wfi_components_strong_on_ranks;

/* The arcs of each vertex that weak components link before the rest; and the upper bound of the bytes that a rank
 * sends, for which it counts them. */
enum { WFI_FIRST_ARCS = 2 };
uint64_t wfi_components_weak_sends(const struct wfi_spread *s);

WFI_C_END
#endif
