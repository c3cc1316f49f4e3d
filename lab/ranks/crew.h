/* Virtual ranks for a rung: threads of this process that talk as ranks on several machines would, by the library's own transport (src/ranks), which
 * also counts their bytes.  A rung's work runs twice: as fast as memory allows, and over a network whose messages take their time.
 *
 * Ranks form a grid, row by row: rank k is in row k / columns.  Each can talk to all, to its row and to its column.  Memory is taken before
 * they start, and what they ask of each other cannot fail half-way, so that no rank waits for one that is gone. */
#ifndef WEFT_LAB_CREW_H
#define WEFT_LAB_CREW_H

#include "core/comm.h"
#include "lab.h"

#include <pthread.h>

typedef struct crew_grid {
    int rows, columns;
} crew_grid;

typedef struct crew_rank {
    lab_run *r;
    int rank, ranks, row, column;
    crew_grid grid;
    bool network;                             /* of the two runs this is the second */
    weft_ctx *all, *along_row, *along_column; /* each the rank's context in a communicator of its own */
    weft_status status; /* the first failure of a call below; after it the ranks only go through the motions */
    pthread_mutex_t *lock;
    pthread_cond_t *changed;
    uint64_t steps[2]; /* crew_step, under the lock */
} crew_rank;

/* Of as many ranks as the run has: as square as can be, with more rows than columns. */
crew_grid crew_grid_of(const lab_run *r);
/* All in one column: ranks that have all arcs to their vertices. */
crew_grid crew_in_one_column(const lab_run *r);
int crew_ranks(const lab_run *r);

/* What the work leaves, the same bytes over memory and over the network. */
typedef struct crew_answer {
    const void *data[2];
    size_t bytes[2];
} crew_answer;

/* What a rank does; all of them are given the same state.  `beside` is what a second thread of each rank does, which does not talk; NULL = none. */
typedef void crew_work(crew_rank *me, void *state);
/* From LAB_ALLOCATE or LAB_COPY_IN: the work over memory is LAB_KERNELS, that over the network in no part's time.  Leaves r->sent, r->network_ms. */
weft_status crew_run(lab_run *r, crew_grid grid, crew_work *work, crew_work *beside, void *state, crew_answer answer);

/* --- what ranks say to each other: all that share the comm make the same calls in the same order ----------------- */

/* Sums over all ranks.  False: somebody wants the run to end, and every rank returns. */
bool crew_sum(crew_rank *me, uint64_t *values, size_t count);
/* Starts are in elements of `each` bytes. */
void crew_allgather(crew_rank *me, weft_ctx *comm, size_t each, void *all, const uint64_t *start);
void crew_alltoall(crew_rank *me, weft_ctx *comm, size_t each, const void *send, const uint64_t *send_start,
                   void *receive, const uint64_t *receive_start);
void crew_reduce_scatter(crew_rank *me, weft_ctx *comm, const uint64_t *all, const uint64_t *start, uint64_t *mine);
/* Where what comes begins, by what each sends to each. */
void crew_receive_starts(crew_rank *me, weft_ctx *comm, const uint64_t *send_start, uint64_t *receive_start);
/* A number of each. */
void crew_allgather_u64(crew_rank *me, weft_ctx *comm, uint64_t mine, uint64_t *of_each);

/* --- a rank of two threads, one of which talks while the other computes -------------------------------------------- */

/* Each counts the steps that it has taken, from 0 in each run, and waits for the other's. */
typedef enum crew_side { CREW_TALKS, CREW_COMPUTES } crew_side;
void crew_step(crew_rank *me, crew_side mine);
void crew_await(crew_rank *me, crew_side other, uint64_t steps);

#endif
