/* A run of an algorithm and all that was learned on the way: what algorithm.c fills and answer.c shows. */
#ifndef WEFT_CLI_ANSWER_H
#define WEFT_CLI_ANSWER_H

#include "result/join.h"
#include "weft_check.h"

/* --- groups.c: the groups that an algorithm finds (components, communities) and their sizes, largest first --- */

typedef struct groups {
    weft_vid *group; /* the library's */
    uint64_t *size;
    float *share; /* of all vertices */
    rows_column columns[3];
    rows rows;      /* without columns: the algorithm finds no groups */
    uint64_t total; /* of all groups: more than rows, if only the largest are here */
} groups;

/* What can be known to be wrong with --sizes before anything is read. */
int groups_check(const cli_call *call);
int groups_make(weft_ctx *ctx, const weft_graph *g, const weft_algorithm_info *algorithm, const weft_result *result,
                groups *to);
/* Of a result that ranks have between them: as many on the first as are shown; all ranks call it. */
int groups_of_ranks(weft_plan *plan, weft_ctx *ctx, const weft_graph *g, const cli_call *call,
                    const weft_result *result, groups *to);
void groups_free(weft_ctx *ctx, groups *of);
/* --sizes FILE. */
int groups_save(const cli_call *call, const groups *of);
/* The largest, for people, and how many more there are. */
int groups_print(const cli_options *options, const groups *of);
/* "sizes": [...], of the largest. */
int groups_json(json *j, const groups *of);

/* --- the answer --- */

enum { CLI_RANK_FIGURES = WEFT_RANK_SENDS + 1 };

/* Where the rows of vertices are (ranks_rows.c). */
typedef enum answer_way {
    ROWS_HERE,     /* all of them are in the result */
    ROWS_IN_PARTS, /* of ranks, with --parts: those of its own vertices on each */
    ROWS_PASSING,  /* of ranks: some at a time are on the first */
    ROWS_CHOSEN    /* of ranks: those that they chose are on the first */
} answer_way;

/* What flags make of all rows of vertices. */
typedef enum answer_choice {
    CHOOSES_ALL,   /* all, in the order of vertices */
    CHOOSES_ORDER, /* all, in another order */
    CHOOSES_SOME,
    CHOOSES_NONE /* there are none, or a table is shown instead */
} answer_choice;

typedef struct answer {
    const cli_call *call;
    weft_ctx *ctx;
    weft_graph *g;
    weft_plan *plan;
    weft_result *result;
    double load_ms, prepare_ms;
    double first_ms;                           /* the first run, which makes what later ones find */
    cli_times run_ms, kernel_ms;               /* whole calls; of each the GPU's own time, 0 where it had no part */
    uint64_t peak_bytes;                       /* after the first run */
    weft_check_report report;                  /* with --verify */
    rows_column *main_columns, *table_columns; /* the first main column is the id, or the first two are ends of edges */
    char *names;                               /* of columns, those of a matrix one by one */
    join joined;                               /* attributes of vertices, the last main columns */
    weft_vid *order;                           /* of the rows when flags chose them */
    size_t met;                                /* rows that --top and the like chose from */
    select_labels labels;
    rows main; /* of vertices; of edges, where the result has values for these */
    rows table;
    answer_way way;
    char *part_path; /* -o of --parts, for this rank */
    weft_vid *own;   /* the vertices that the result is of; NULL: all of them, in their order */
    size_t own_count;
    const char **own_labels;
    rows_pass pass; /* of rows that pass by */
    weft_result *window;
    bool told;         /* that a rank failed while they did: all ranks know */
    size_t met_by_all; /* of rows that ranks chose: what they chose from */
    groups groups;
    const weft_vid *communities;       /* Leiden's, that a layout holds together; NULL: none were asked for */
    const weft_tracker_info *followed; /* of a dynamic graph: no plan, JSON in one line; else NULL */
    uint64_t batch;
    uint64_t *rank_figures; /* of each weft_rank_figure, one for each rank; NULL: there is one rank */
} answer;

/* ranks_rows.c: after a run, rows are gathered on the first rank, which presents the answer.  cli_ranks_first_rows: of
 * rows that are streamed, once the columns are there. */
int cli_ranks_present(answer *a, rows_format format);
int cli_ranks_first_rows(answer *a);

/* ranks.c: a context for the answer, with its place among the ranks, if they can share the algorithm with these
 * parameters and flags; with --parts, -o then names this rank's file. */
int cli_ranks_open(answer *a, cli_call *call, rows_format format);
/* What each rank has and sent; the same as JSON, and for people. */
int cli_ranks_figures(answer *a);
void cli_ranks_json(json *j, const answer *a);
void cli_ranks_print(const answer *a);

/* checkpoint.c: do the flags go together; the context's checkpoints; a run of the plan that SIGTERM may stop; what to
 * say when that failed; the end, where all is well without a checkpoint. */
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

/* algorithm.c: what the first rank does with the result, or the only one; with --parts each. */
int answer_present(answer *a, rows_format format);

/* answer_rows.c: columns of a->result, and the rows that `options` choose of them; all memory that took; what the flags
 * ask for. */
int answer_rows(answer *a, const cli_options *options);
void answer_forget_rows(answer *a);
answer_choice answer_chooses(const answer *a);

/* Is the answer a list: rows of the table, where none are of vertices or edges, and no verdict asks for a witness?  It
 * is shown and chosen from as rows of vertices are, and needs no --table. */
bool answer_lists(const weft_algorithm_info *algorithm);

/* answer.c: did the run answer "no" (the algorithm's verdict is 0)? */
bool answer_is_no(const answer *a);
const char *answer_device(const answer *a);
void answer_plan_json(json *j, const answer *a);
/* What was typed for each parameter; NULL where nothing was. */
const char *const *answer_words(const answer *a);
/* Saves, prints, or writes JSON, as the flags ask. */
int answer_show(answer *a, rows_format format);

#endif
