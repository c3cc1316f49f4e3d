/* PageRank on ranks, what the rungs share: each rank has the ranks of its own vertices, and gets sums of contributions for them somehow.
 *
 * Encoding: what a vertex passes along each of its arcs is a float, its share.  Sums of shares are whole numbers, in units of 2^-62: their
 * order does not matter, so every rung has the same answer, to the bit, on any number of ranks.  A share is 4 bytes, a sum 8. */
#ifndef WEFT_LAB_SWEEPS_H
#define WEFT_LAB_SWEEPS_H

#include "cut.h"

typedef struct sweeps {
    lab_run *r;
    weft_vid n;
    uint64_t iterations;
    double damping;
    cut cut;
    /* Of all vertices; a rank touches those of its own. */
    float *rank, *before, *share;
    uint64_t *sum;
} sweeps;

static inline uint64_t sweeps_fixed(float share) { return (uint64_t)((double)share * 0x1p62); }

/* NULL = these rungs serve the parameters, and one run is not too long. */
const char *sweeps_serve(lab_run *r);
/* adjust(): f32. */
void sweeps_in_f32(void *params);

/* Allocates, and cuts the vertices. */
weft_status sweeps_open(lab_run *r, crew_grid grid, int parts, sweeps *s);
/* The answer, from rank[] and before[]. */
weft_status sweeps_close(sweeps *s, weft_status st);
crew_answer sweeps_answer(const sweeps *s);

/* All iterations of a rank.  step() makes sum[] of its own vertices from share[] of theirs. */
void sweeps_loop(crew_rank *me, const sweeps *s, void (*step)(crew_rank *me, void *state), void *state);

/* What loops are made of, for vertices first ... end - 1 of the rank's own: the start; the mass that points nowhere; shares; new ranks. */
void sweeps_begin(const sweeps *s, weft_vid first, weft_vid end);
uint64_t sweeps_lost(const sweeps *s, weft_vid first, weft_vid end);
void sweeps_share(const sweeps *s, weft_vid first, weft_vid end);
double sweeps_base(const sweeps *s, uint64_t lost);
void sweeps_advance(const sweeps *s, double base, weft_vid first, weft_vid end);

extern const lab_rung ranks_push, ranks_pull, ranks_needed, ranks_2d, ranks_2d_compressed, ranks_overlapped,
    ranks_engine, ranks_engine_2d;

#endif
