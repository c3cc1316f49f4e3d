/* Checkpoint and resume: the state of a run after a whole iteration, in a file that a run on any number of ranks can
 * resume, with the same bytes as result.
 *
 * An iterative algorithm lists its state, columns of vertices and a few scalars: all that later iterations depend on.
 * It resumes from a checkpoint before the first iteration, and offers its state after each; it is saved if it is time:
 *
 *     st = wfi_checkpoint_resume(job->checkpoint, &state, &done);
 *     if (!st && !done) st = begin(...);
 *     while (!st && done < most && !converged) {
 *         ...
 *         st = wfi_checkpoint_reached(job->checkpoint, &state, ++done);
 *     }
 *
 * What makes a run the same: the version of the library, the algorithm, its parameters and the graph
 * (checkpoint_of.c). */
#ifndef WFI_RUN_CHECKPOINT_H
#define WFI_RUN_CHECKPOINT_H

#include "run/algorithm.h"

enum { WFI_STATE_COLUMNS = 2, WFI_STATE_NUMBERS = 3 };

typedef struct wfi_state_column {
    void *values;
    size_t each; /* bytes of a vertex's value: 2, 4 or 8; 0: no column */
    bool whole;  /* ranks have the values of all vertices that they see; otherwise of their own (ranks/spread.h) */
} wfi_state_column;

typedef struct wfi_state {
    wfi_state_column column[WFI_STATE_COLUMNS];
    double number[WFI_STATE_NUMBERS]; /* the same on all ranks */
} wfi_state;

typedef struct wfi_checkpoint wfi_checkpoint;

/* --- for algorithms; collective, and no operation if c is NULL ---------------------------------- */

/* Loads a checkpoint to where `state` points; *done is its iteration.  Without a checkpoint *done is 0, and nothing
 * changes. */
weft_status wfi_checkpoint_resume(wfi_checkpoint *c, wfi_state *state, uint64_t *done);
/* Called after `done` iterations.  WEFT_ECANCELLED: the state was saved because the run was asked to stop.  If saving
 * fails and the run continues, that is a warning. */
weft_status wfi_checkpoint_reached(wfi_checkpoint *c, const wfi_state *state, uint64_t done);

/* --- for plan.c ----------------------------------------------------------------------- */

/* *out is NULL if the context has no checkpoints. */
weft_status wfi_checkpoint_new(weft_ctx *ctx, const wfi_algorithm *a, const void *params, const weft_graph *g,
                               const struct wfi_spread *spread, wfi_checkpoint **out);
void wfi_checkpoint_free(wfi_checkpoint *c);
/* Called around a run; collective.  Opening fails if the folder cannot be written to, or has another run's
 * checkpoint. */
weft_status wfi_checkpoint_open(wfi_checkpoint *c);
void wfi_checkpoint_close(wfi_checkpoint *c);
/* Of the last run; c may be NULL. */
uint64_t wfi_checkpoint_resumed_from(const wfi_checkpoint *c);
uint64_t wfi_checkpoint_sent(const wfi_checkpoint *c); /* bytes that this rank sent to others to resume */
wfi_checkpoint *wfi_plan_checkpoint_of(const weft_plan *plan);

/* --- checkpoint_of.c: what makes a run the same ------------------------------------------ */

/* "pagerank damping=0.85 tolerance=..." */
weft_status wfi_checkpoint_words(weft_ctx *ctx, const wfi_algorithm *a, const void *params, const weft_graph *g,
                                 char *text, size_t capacity);
/* A digest of the graph's arcs, with weights if the parameters use them, independent of the file; collective.  Each
 * rank reads its own rows. */
weft_status wfi_checkpoint_graph(weft_ctx *ctx, const wfi_algorithm *a, const void *params, const weft_graph *g,
                                 const struct wfi_spread *spread, uint64_t *digest);

#endif
