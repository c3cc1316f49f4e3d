/* Strong components on ranks by colouring: the driver, which ends rounds and the run.  Back ends supply how names go
 * forward and marks back, on CPUs (strong_ranks.c) or GPUs (strong_ranks_cuda.cu); their own state begins with this
 * struct. */
#ifndef WFI_COMPONENTS_RANK_COLOURS_H
#define WFI_COMPONENTS_RANK_COLOURS_H

#include "ranks/spread.h"

WFI_C_BEGIN

typedef struct wfi_rank_colours wfi_rank_colours;

/* All ranks call each of them together, and get the same status.  *queued: vertices of this rank that have something to
 * pass on then. */
typedef struct wfi_rank_colour_steps {
    /* One colour to begin with. */
    weft_status (*begin)(wfi_rank_colours *c);
    /* Whoever is left has its own name. */
    weft_status (*name)(wfi_rank_colours *c);
    /* The best names go forward inside a class, as far as each rank can by itself; then by messages.  c->stop
     * is set when it shall end. */
    weft_status (*spread_names)(wfi_rank_colours *c, uint64_t *queued);
    /* All ranks have all colours.  Roots, who bear their own name, are marked. */
    weft_status (*mark)(wfi_rank_colours *c);
    /* Marks go back inside a colour, in the same way. */
    weft_status (*spread_marks)(wfi_rank_colours *c, uint64_t *queued);
    /* All ranks have all marks: who is marked has its root for a label, colours are the classes of the others.  *left:
     * of these, in the whole graph. */
    weft_status (*end_round)(wfi_rank_colours *c, uint64_t *left);
    /* The smallest vertex of each component instead of its root.  *found: roots of this rank; *most: vertices of the
     * largest of their components. */
    weft_status (*end)(wfi_rank_colours *c, uint64_t *found, uint64_t *most);
} wfi_rank_colour_steps;

struct wfi_rank_colours {
    weft_ctx *ctx;
    wfi_spread *s;
    const wfi_part *part;
    const wfi_rank_colour_steps *steps;
    bool stop;
};

weft_status wfi_rank_colours_run(wfi_rank_colours *c, uint64_t *count, uint64_t *largest);

/* Names of colours are ranked by a hash of the vertex that bears them, which is one to one. */
WFI_HOST_DEVICE static inline uint32_t wfi_name_hash(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* Is name a better than b?  No name is worse than any. */
WFI_HOST_DEVICE static inline bool wfi_name_better(weft_vid a, weft_vid b) {
    return b == WEFT_NO_VERTEX || (a != b && wfi_name_hash(a) < wfi_name_hash(b));
}

WFI_C_END

#endif
