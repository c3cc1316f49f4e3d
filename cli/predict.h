/* What a run on many ranks would cost, by the alpha-beta model: a message takes alpha seconds, and beta for each of its bytes. */
#ifndef WEFT_CLI_PREDICT_H
#define WEFT_CLI_PREDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum predicted { PREDICT_PAGERANK, PREDICT_BFS, PREDICT_COMPONENTS, PREDICT_DEGREE, PREDICTED } predicted;
extern const char *const predict_names[PREDICTED];

/* --- predict_machines.c --- */

/* A link: seconds of a message, bytes a second of a rank in each direction. */
typedef struct predict_link {
    double delay, bandwidth;
} predict_link;

/* Arcs that a rank looks at in a second; from so many vertices on, where values no longer come from a cache, `large` of them. */
typedef struct predict_rate {
    double rate, large;
} predict_rate;

typedef struct predict_machine {
    const char *name, *what;
    int node;               /* ranks on one machine */
    double memory;          /* bytes of a rank */
    predict_link near, far; /* between ranks of one machine, and of two; far.bandwidth 0: there is one machine */
    double large_from;      /* vertices */
    predict_rate arcs[PREDICTED];
    double gather;                       /* random reads a second, from memory */
    double copy;                         /* bytes a second, read and written */
    int cores;                           /* that ranks share; 0: each has its own */
    const char *links_from, *rates_from; /* where the figures come from */
} predict_machine;

extern const predict_machine predict_machines[];
extern const size_t predict_machine_count;

/* --- predict_model.c --- */

/* How arcs are shared out: by ranges of vertices, whose values all ranks get (1-D, what the program does), or only the ranks that need them; or
 * by ranges of sources and of targets (2-D). */
typedef enum predict_cut { CUT_1D, CUT_NEEDED, CUT_2D, CUTS } predict_cut;
extern const char *const predict_cut_names[CUTS];

typedef struct predict_run {
    predicted algorithm;
    predict_cut cut;
    int ranks;
    double vertices, arcs;
    bool in_missing; /* directed, and the incoming rows are to be made */
    int iterations;  /* of pagerank */
    int levels;      /* of bfs */
} predict_run;

typedef struct predict_cost {
    double sent;     /* bytes of vertices and arcs to other ranks, of all ranks */
    double messages; /* of one rank */
    double delay_s, transfer_s, compute_s;
    double memory;     /* bytes of a rank: its rows, and what it computes with */
    int rows, columns; /* of the grid of ranks: targets x sources */
} predict_cost;

static inline double predict_seconds(const predict_cost *c) { return c->delay_s + c->transfer_s + c->compute_s; }

/* Does the model have it? */
bool predict_knows(predicted algorithm, predict_cut cut);
predict_cost predict(const predict_machine *machine, const predict_run *run);

#endif
