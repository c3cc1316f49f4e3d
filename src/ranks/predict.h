/* What a run on many ranks would cost, by the alpha-beta model: a message takes alpha seconds, and beta for each of its
 * bytes.  Plans choose a grid by it (grid.h), and `weft predict` prints it. */
#ifndef WFI_PREDICT_H
#define WFI_PREDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Models that descriptors may name (run/algorithm.h). */
typedef enum wfi_predicted {
    PREDICT_NONE,
    PREDICT_PAGERANK,
    PREDICT_BFS,
    PREDICT_COMPONENTS,
    PREDICT_DEGREE,
    PREDICTED
} wfi_predicted;
struct weft_algorithm_info;
wfi_predicted wfi_predict_of(const struct weft_algorithm_info *algorithm); /* by its descriptor (run/params.c) */

/* --- predict_machines.c --- */

/* A link: seconds of a message, bytes a second of a rank in each direction. */
typedef struct wfi_predict_link {
    double delay, bandwidth;
} wfi_predict_link;

/* Arcs that a rank looks at in a second; from so many vertices on, where values no longer come from a cache, `large` of
 * them. */
typedef struct wfi_predict_rate {
    double rate, large;
} wfi_predict_rate;

typedef struct wfi_predict_machine {
    const char *name, *what;
    int node;                   /* ranks on one machine */
    double memory;              /* bytes of a rank */
    wfi_predict_link near, far; /* between ranks of one machine, and of two; far.bandwidth 0: there is one machine */
    double large_from;          /* vertices */
    wfi_predict_rate arcs[PREDICTED];
    double gather;                       /* random reads a second, from memory */
    double copy;                         /* bytes a second, read and written */
    int cores;                           /* that ranks share; 0: each has its own */
    const char *links_from, *rates_from; /* where the figures come from */
} wfi_predict_machine;

extern const wfi_predict_machine wfi_predict_machines[];
extern const size_t wfi_predict_machine_count;
/* Of CPUs, for plans: one machine, and several of them. */
enum { WFI_PREDICT_XEON = 4, WFI_PREDICT_XEONS = 5 };

/* --- predict.c --- */

/* How arcs are shared out: by ranges of vertices, whose values all ranks get (1-D), or by ranges of sources and of
 * targets (2-D, grid.h). */
typedef enum wfi_predict_cut { CUT_1D, CUT_2D, CUTS } wfi_predict_cut;
extern const char *const wfi_predict_cut_names[CUTS];

typedef struct wfi_predict_run {
    wfi_predicted algorithm;
    wfi_predict_cut cut;
    int ranks;
    double vertices, arcs;
    bool in_missing; /* directed, and the incoming rows are to be made */
    bool again;      /* a run before has brought the arcs to where they are needed */
    int columns;     /* of the grid, in 2-D; 0: the best that there is */
    int iterations;  /* of pagerank */
    double value;    /* likewise: bytes of what a vertex passes on, ... */
    double sum;      /* ... of what is added up for a target, ... */
    double weight;   /* ... and of an arc's weight */
    int levels;      /* of bfs */
} wfi_predict_run;

typedef struct wfi_predict_cost {
    double sent;     /* bytes of vertices and arcs to other ranks, of all ranks */
    double messages; /* of one rank */
    double delay_s, transfer_s, compute_s;
    double memory;     /* bytes of a rank: its rows, and what it computes with */
    int rows, columns; /* of the grid of ranks: targets x sources */
} wfi_predict_cost;

static inline double wfi_predict_seconds(const wfi_predict_cost *c) {
    return c->delay_s + c->transfer_s + c->compute_s;
}

/* Does the model have it? */
bool wfi_predict_knows(wfi_predicted algorithm, wfi_predict_cut cut);
wfi_predict_cost wfi_predict(const wfi_predict_machine *machine, const wfi_predict_run *run);

#endif
