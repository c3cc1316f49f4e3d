/* A run of an algorithm with all its facts: algorithm.c fills it, answer.c shows it. */
#ifndef WEFT_CLI_ANSWER_H
#define WEFT_CLI_ANSWER_H

#include "result/join.h"
#include "weft/check.h"

/* --- groups.c: the groups that an algorithm finds (components, communities) and their sizes, largest first --- */

typedef struct groups {
    weft_vid *group; /* owned by the library */
    uint64_t *size;
    float *share; /* of all vertices */
    rows_column columns[3];
    rows rows;      /* without columns: the algorithm finds no groups */
    uint64_t total; /* the number of all groups: more than rows if only the largest are here */
} groups;

/* Refuses mistakes of --sizes that are visible before anything is read. */
int groups_check(const cli_call *call);
int groups_make(weft_ctx *ctx, const weft_graph *g, const weft_algorithm_info *algorithm, const weft_result *result,
                groups *to);
/* The groups of a distributed result: the first rank gets as many as are shown; all ranks call it. */
int groups_of_ranks(weft_plan *plan, weft_ctx *ctx, const weft_graph *g, const cli_call *call,
                    const weft_result *result, groups *to);
void groups_free(weft_ctx *ctx, groups *of);
/* Writes --sizes FILE. */
int groups_save(const cli_call *call, const groups *of);
/* Prints the largest groups for people, and the number of others. */
int groups_print(const cli_options *options, const groups *of);
/* Writes "sizes": [...], of the largest groups. */
int groups_json(json *j, const groups *of);

/* --- the answer --- */

enum { CLI_RANK_FIGURES = WEFT_RANK_SENDS + 1 };

/* The place of the rows of vertices (ranks_rows.c). */
typedef enum answer_way {
    ROWS_HERE,     /* all of them are in the result */
    ROWS_IN_PARTS, /* on ranks, with --parts: each rank has the rows of its own vertices */
    ROWS_PASSING,  /* on ranks: some at a time are on the first rank */
    ROWS_CHOSEN    /* on ranks: the selected rows are on the first rank */
} answer_way;

/* The selection of rows of vertices by flags. */
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
    double first_ms;                           /* the first run, which fills caches for later ones */
    cli_times run_ms, kernel_ms;               /* whole calls; the GPU's own time of each, 0 where it was not used */
    uint64_t peak_bytes;                       /* after the first run */
    weft_check_report report;                  /* with --verify */
    rows_column *main_columns, *table_columns; /* the first main column is the id, or the first two are ends of edges */
    char *names;                               /* of columns, those of a matrix one by one */
    join joined;                               /* attributes of vertices, the last main columns */
    weft_vid *order;                           /* of the rows when flags chose them */
    size_t met;                                /* rows that --top and similar flags selected from */
    select_labels labels;
    rows main; /* of vertices; of edges, where the result has values for these */
    rows table;
    answer_way way;
    char *part_path; /* this rank's file of -o with --parts */
    weft_vid *own;   /* the vertices of the result; NULL: all of them, in their order */
    size_t own_count;
    const char **own_labels;
    rows_pass pass; /* for streamed rows */
    weft_result *window;
    bool failed_on_ranks; /* a rank failed while rows were streamed; all ranks know */
    size_t met_by_all;    /* with rows selected by ranks: the number of rows before the selection */
    groups groups;
    const weft_vid *communities;       /* Leiden's communities, which a layout keeps together; NULL: not wanted */
    const weft_tracker_info *followed; /* set for a dynamic graph: no plan, JSON in one line */
    uint64_t batch;
    uint64_t *rank_figures; /* for each weft_rank_figure a value of each rank; NULL: there is one rank */
} answer;

/* ranks_rows.c: after a run, rows are gathered on the first rank, which presents the answer.  cli_ranks_first_rows: for
 * streamed rows, once the columns exist. */
int cli_ranks_present(answer *a, rows_format format);
int cli_ranks_first_rows(answer *a);

/* ranks.c: makes the context of the answer one of the ranks, if the algorithm runs on ranks with these parameters and
 * flags; with --parts, -o then names this rank's file. */
int cli_ranks_open(answer *a, cli_call *call, rows_format format);
/* The rows and bytes of each rank; the same as JSON, and for people. */
int cli_ranks_figures(answer *a);
void cli_ranks_json(json *j, const answer *a);
void cli_ranks_print(const answer *a);

/* checkpoint.c: checks the flags; sets the context's checkpoints; runs the plan, which SIGTERM may stop; prints the
 * reason if that failed; removes the checkpoint after a success. */
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

/* algorithm.c: presents the result on the first or only rank; with --parts on each rank. */
int answer_present(answer *a, rows_format format);

/* answer_rows.c: makes the columns of a->result and selects rows by `options`; frees them; tells the kind of
 * selection. */
int answer_rows(answer *a, const cli_options *options);
void answer_forget_rows(answer *a);
answer_choice answer_chooses(const answer *a);

/* Is the answer a list: rows of the table, where there are no rows of vertices or edges, and no verdict with a witness?
 * It is shown and selected from as rows of vertices are, and needs no --table. */
bool answer_lists(const weft_algorithm_info *algorithm);

/* answer.c: did the run answer "no" (the algorithm's verdict is 0)? */
bool answer_is_no(const answer *a);
const char *answer_device(const answer *a);
void answer_plan_json(json *j, const answer *a);
/* The word typed for each parameter; NULL where there was none. */
const char *const *answer_words(const answer *a);
/* Saves, prints, or writes JSON, as the flags ask. */
int answer_show(answer *a, rows_format format);

#endif
