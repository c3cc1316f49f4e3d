/* What a run on many ranks costs, by the alpha-beta model: a message takes alpha seconds, and beta for each of its
 * bytes.  Plans choose a grid for PageRank by it (grid.h); `weft predict` (cli/ranks) has the same steps for other
 * algorithms, and a table of machines. */
#ifndef WFI_COST_H
#define WFI_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A link: seconds of a message, bytes a second of a rank in each direction. */
typedef struct wfi_cost_link {
    double delay, bandwidth;
} wfi_cost_link;

/* Arcs that a rank looks at in a second; from so many vertices on, where values no longer come from a cache, `large` of
 * them. */
typedef struct wfi_cost_rate {
    double rate, large;
} wfi_cost_rate;

typedef struct wfi_cost_machine {
    int node;                /* ranks on one machine */
    double memory;           /* bytes of a rank */
    wfi_cost_link near, far; /* between ranks of one machine, and of two; far.bandwidth 0: there is one machine */
    double large_from;       /* vertices */
    wfi_cost_rate arcs;      /* of the algorithm */
    double copy;             /* bytes a second, read and written */
    int cores;               /* that ranks share; 0: each has its own */
} wfi_cost_machine;

/* Ranks of one thread with PageRank: on one machine of 16 Xeon cores, and on several of them. */
extern const wfi_cost_machine wfi_cost_xeon, wfi_cost_xeons;

/* How arcs are shared out: by ranges of vertices, whose values all ranks get (1-D), or by ranges of sources and of
 * targets (2-D, grid.h). */
typedef enum wfi_cost_cut { CUT_1D, CUT_2D, CUTS } wfi_cost_cut;

typedef struct wfi_cost_run {
    wfi_cost_cut cut;
    int ranks;
    double vertices, arcs;
    bool in_missing; /* directed, and the incoming rows are to be made */
    bool again;      /* a run before has brought the arcs to where they are needed */
    int columns;     /* of the grid, in 2-D; 0: the best that there is */
    int iterations;  /* of pagerank */
    double value;    /* likewise: bytes of what a vertex passes on, ... */
    double sum;      /* ... of what is added up for a target, ... */
    double weight;   /* ... and of an arc's weight */
} wfi_cost_run;

typedef struct wfi_run_cost {
    double sent;     /* bytes of vertices and arcs to other ranks, of all ranks */
    double messages; /* of one rank */
    double delay_s, transfer_s, compute_s;
    double memory;     /* bytes of a rank: its rows, and what it computes with */
    int rows, columns; /* of the grid of ranks: targets x sources */
} wfi_run_cost;

static inline double wfi_cost_seconds(const wfi_run_cost *c) { return c->delay_s + c->transfer_s + c->compute_s; }

/* PageRank; without a number of columns, on the fastest of the grids that fit into memory, or the least if none does. */
wfi_run_cost wfi_cost_pagerank(const wfi_cost_machine *machine, const wfi_cost_run *run);

/* --- steps: each adds to the cost ------------------------------------------------------------------ */

typedef struct wfi_tally {
    const wfi_cost_machine *m;
    const wfi_cost_run *run;
    wfi_run_cost cost;
} wfi_tally;

/* Ranks that take part in a call, `near` of them on each machine. */
typedef struct wfi_cost_group {
    int ranks, near;
} wfi_cost_group;
wfi_cost_group wfi_cost_everybody(const wfi_tally *t);
double wfi_cost_machines(wfi_cost_group g);

/* Messages, and bytes, to ranks of other machines and of this one, one after the other. */
void wfi_cost_delays(wfi_tally *t, double far, double near, double times);
void wfi_cost_transfers(wfi_tally *t, double far, double near, double times);

/* `bytes`, shared out evenly, become everybody's. */
void wfi_cost_allgather(wfi_tally *t, wfi_cost_group g, double bytes, double times);
/* Each rank sends so many bytes, the same to each other one. */
void wfi_cost_alltoall(wfi_tally *t, wfi_cost_group g, double bytes, double times);
/* What all agree on is not counted as sent.  The second: that a step went well, and that one has memory. */
void wfi_cost_allreduce(wfi_tally *t, double bytes, double times);
void wfi_cost_agree(wfi_tally *t, double times);
/* What each rank will send to each, a number. */
void wfi_cost_tell_counts(wfi_tally *t, double times);
/* The incoming rows, if they are missing, with so many bytes for each arc that is brought to another rank. */
void wfi_cost_make_in(wfi_tally *t, double each);

/* How much longer a rank takes because ranks share cores. */
double wfi_cost_crowding(const wfi_tally *t);
/* Arcs, of which values are looked up among so many vertices; bytes. */
void wfi_cost_look_at(wfi_tally *t, double arcs, double vertices);
void wfi_cost_touch(wfi_tally *t, double bytes);
/* Memory of the rows of a rank, in one direction or both; bytes of an id among so many vertices. */
void wfi_cost_hold_rows(wfi_tally *t, int directions);
double wfi_cost_id_bytes(double vertices);

#endif
