/* A run of an algorithm and all that was learned on the way: what algorithm.c fills and answer.c shows. */
#ifndef WEFT_CLI_ANSWER_H
#define WEFT_CLI_ANSWER_H

#include "groups.h"
#include "select.h"
#include "weft_check.h"

enum { CLI_RANK_FIGURES = WEFT_RANK_SENDS + 1 };

typedef struct answer {
    const cli_call *call;
    weft_ctx *ctx;
    weft_graph *g;
    weft_plan *plan;
    weft_result *result;
    double load_ms, prepare_ms;
    double first_ms;                             /* the first run, which makes what later ones find */
    cli_times run_ms, kernel_ms;                 /* whole calls; of each the GPU's own time, 0 where it had no part */
    uint64_t peak_bytes;                         /* after the first run */
    weft_check_report report;                    /* with --verify */
    rows_column *vertex_columns, *table_columns; /* the first vertex column is the id */
    char *names;                                 /* of the columns of a matrix */
    weft_vid *order;                             /* of the rows when flags chose them */
    size_t met;                                  /* rows that --top and the like chose from */
    select_labels labels;
    rows vertices, table;
    weft_vid *own; /* with --parts, of several ranks: the vertices that the result is of; else NULL, all of them */
    size_t own_count;
    groups groups;
    const weft_tracker_info *followed; /* of a dynamic graph: no plan, JSON in one line; else NULL */
    uint64_t batch;
    uint64_t *rank_figures; /* of each weft_rank_figure, one for each rank; NULL: there is one rank */
} answer;

/* ranks.c: the result of all ranks, on the first; what each has and sent; the same as JSON, and for people. */
int cli_ranks_gather(answer *a); /* with --parts instead: whose values each has */
int cli_ranks_check_parts(const cli_call *call, rows_format format);
/* -o of --parts, for this rank; free() it.  NULL: out of memory, said. */
char *cli_ranks_part_path(const char *path);
int cli_ranks_figures(answer *a);
void cli_ranks_json(json *j, const answer *a);
void cli_ranks_print(const answer *a);

/* checkpoint.c: do the flags go together; the context's checkpoints; a run of the plan that SIGTERM may stop; what to say when that failed; the end, where
 * all is well without a checkpoint. */
int cli_checkpoint_check(const cli_call *call);
int cli_checkpoint_begin(weft_ctx *ctx, const cli_options *options);
weft_status cli_checkpoint_run(answer *a, weft_result **result);
int cli_checkpoint_failed(const answer *a, weft_status st);
int cli_checkpoint_end(const answer *a, int code);
void cli_checkpoint_json(json *j, const answer *a);

/* repeat.c: runs the plan --repeat times; keeps the first result and the times.  EXIT_NO when the results differ. */
int answer_run(answer *a);

/* stages.c: where the time went, and the time of a run by the GPU's own clock. */
void answer_stages_json(json *j, const answer *a);
void answer_stages_print(const answer *a);
double stages_kernel_ms(const weft_result *result);

/* answer.c: did the run answer "no" (the algorithm's verdict is 0)? */
bool answer_is_no(const answer *a);
const char *answer_device(const answer *a);
void answer_plan_json(json *j, const answer *a);
/* Saves, prints, or writes JSON, as the flags ask. */
int answer_show(answer *a, rows_format format);

#endif
