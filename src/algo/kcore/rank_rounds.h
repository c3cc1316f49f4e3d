/* k-core peeling on ranks: the driver.
 * Method: rounds of rising k; in a round waves, as Batagelj and Zaversnik's removal order allows: each rank removes its
 * vertices of degree k, decrements their neighbours by messages, and removes those that reach k, until no rank removes
 * any.  Back ends supply the steps, on CPUs (kcore_ranks.c) or GPUs (kcore_ranks_cuda.c); their own state begins with
 * this struct.
 * [1] Montresor, De Pellegrini, Miorandi, "Distributed k-core decomposition", IEEE TPDS 24 (2013), has the other way:
 *     estimates that fall. */
#ifndef WFI_KCORE_RANK_ROUNDS_H
#define WFI_KCORE_RANK_ROUNDS_H

#include "algo/kcore/kcore.h"
#include "ranks/spread.h"

typedef struct wfi_rank_rounds wfi_rank_rounds;

/* All ranks call each of them together, and get the same status. */
typedef struct wfi_rank_round_steps {
    /* What counts for each vertex of this rank's is counted. */
    weft_status (*begin)(wfi_rank_rounds *p);
    /* The smallest count of this rank's that are left; UINT64_MAX: none is. */
    weft_status (*lowest)(wfi_rank_rounds *p, uint64_t *k);
    /* Vertices of degree k are removed; *queued of this rank's. */
    weft_status (*take)(wfi_rank_rounds *p, uint32_t k, uint64_t *queued);
    /* Decrement the neighbours, clamped at k; those that reach k join the queue. */
    weft_status (*wave)(wfi_rank_rounds *p, uint32_t k, uint64_t *queued);
    /* The column. */
    weft_status (*end)(wfi_rank_rounds *p);
} wfi_rank_round_steps;

struct wfi_rank_rounds {
    weft_ctx *ctx;
    wfi_spread *s;
    const wfi_part *part;
    const wfi_rank_round_steps *steps;
    uint32_t *core; /* the column, of this rank's vertices */
};

/* Which rows count for a vertex, and which have those for whom it counts: of outgoing arcs, of incoming ones, both; as
 * in kcore_cpu.c. */
typedef enum wfi_core_side { WFI_CORE_SIDE_OUT, WFI_CORE_SIDE_IN, WFI_CORE_SIDE_NONE } wfi_core_side;
typedef struct wfi_core_sides {
    wfi_core_side counts[2], counted_by[2];
    bool merged; /* what both have is one */
} wfi_core_sides;
wfi_core_sides wfi_core_sides_of(const weft_graph *g, weft_core_mode mode);

/* The columns, and what grows for the members.  What ranks send. */
void wfi_rank_rounds_lay_out(wfi_workspace *host, const wfi_spread *s, uint64_t k, wfi_rank_rounds *p);
void wfi_rank_rounds_plan(const wfi_spread *s, weft_core_mode mode, wfi_choice *choice);
/* The arrays are there. */
weft_status wfi_rank_rounds_run(wfi_job *job, wfi_rank_rounds *p);

#endif
