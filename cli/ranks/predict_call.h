/* weft predict, as its files see each other. */
#ifndef WEFT_CLI_PREDICT_CALL_H
#define WEFT_CLI_PREDICT_CALL_H

#include "cli.h"
#include "ranks/cost.h"
#include "result/json.h"

typedef enum predicted { PREDICT_PAGERANK, PREDICT_BFS, PREDICT_COMPONENTS, PREDICT_DEGREE, PREDICTED } predicted;
extern const char *const predict_names[PREDICTED];
extern const char *const predict_cut_names[CUTS];

/* --- predict_machines.c --- */

typedef struct predict_machine {
    const char *name, *what;
    const wfi_cost_machine *costs;
    wfi_cost_rate arcs[PREDICTED];
    double gather;                       /* random reads a second, from memory */
    const char *links_from, *rates_from; /* the origin of the figures */
} predict_machine;

extern const predict_machine predict_machines[];
extern const size_t predict_machine_count;

/* --- predict_model.c --- */

typedef struct predict_run {
    predicted algorithm;
    wfi_cost_run run;
    int levels; /* of bfs */
} predict_run;

wfi_run_cost predict_cost(const predict_machine *machine, const predict_run *run);

/* --calibrate: runs on virtual ranks beside their predictions. */
int cli_predict_calibrate(const cli_call *call);

#endif
