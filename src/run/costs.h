/* The cost model of --device auto: constants of the algorithms for a class of machine, and the time that they predict
 * for a run on each device.
 *
 *   CPU  fixed + passes * arcs * arc + levels * level; a deep search has its own cost of an arc
 *   GPU  the same, with passes and levels divided by the searches made at once; plus start-up unless the context
 *        exists, plus first * arcs for upload and layout unless the graph is there
 *
 * costs.c holds the constants; bench/bench_costs.c measures a machine and prints its rows (docs/DEVICE.md). */
#ifndef WFI_RUN_COSTS_H
#define WFI_RUN_COSTS_H

#include "run/algorithm.h"

/* Costs of an algorithm on one device. */
typedef struct wfi_cost {
    uint64_t fixed_ns; /* a run on a tiny graph */
    uint64_t arc_fs;   /* an arc in a pass */
    uint64_t deep_fs;  /* an arc in a deep search */
    uint64_t level_ns; /* a level */
    uint64_t first_fs; /* an arc, once: upload and layout; 0 on the CPU */
} wfi_cost;

typedef struct wfi_costs {
    const char *algorithm;
    wfi_cost cpu, gpu;
} wfi_costs;

/* The constants of a class of machine. */
typedef struct wfi_machine_costs {
    const char *machine; /* as messages name it */
    int threads;         /* the CPU's costs were measured with this number */
    uint64_t context_ns; /* starting the driver, creating a context, loading code */
    size_t count;
    const wfi_costs *at; /* an algorithm that is not among them is taken to cost what the first does */
} wfi_machine_costs;

const wfi_machine_costs *wfi_machine_costs_here(void);
/* Replaces them in this process; NULL: the built-in ones again.  For tests. */
void wfi_machine_costs_pretend(const wfi_machine_costs *costs);
/* NULL: there is no row for this algorithm. */
const wfi_costs *wfi_costs_find(const wfi_machine_costs *m, const char *algorithm);

/* A run to be estimated. */
typedef struct wfi_situation {
    const char *algorithm;
    uint64_t arcs;
    wfi_work work;
    int threads;
    size_t weight_bytes;
    bool started;  /* the GPU's context exists */
    bool mirrored; /* the graph is on the GPU */
} wfi_situation;

/* Milliseconds. */
typedef struct wfi_estimate {
    double cpu, gpu;            /* in all */
    double start, upload, work; /* the parts of gpu */
} wfi_estimate;

wfi_estimate wfi_estimate_run(const wfi_machine_costs *m, const wfi_situation *s);

#endif
