/* The lab: for each algorithm a ladder of rungs, from the naive one to the engine, each verified, timed and explained.
 *
 * A rung is one file (lab/LADDER/NAME.c, or NAME.cu) of under 200 lines that defines one lab_rung.  A ladder
 * (lab/LADDER/ladder.c) lists its rungs from the bottom up, and lab/ladders.c lists the ladders.  Tables, JSON, help and the
 * report are printed from these descriptors: there is no other list of rungs.
 *
 * The lab stands on weft.h and check.h.  Rungs in CUDA stand on lab/gpu.cuh as well; they may include src/cuda, and lab/ranks
 * may include src/ranks; nothing else that is private.
 *
 * How a rung runs:
 *
 *     static weft_status run(lab_run *r) {
 *         float *rank = lab_take(r, n * sizeof *rank);       allocate: the clock starts here
 *         if (!rank) return WEFT_ENOMEM;
 *         lab_turn(r, LAB_KERNELS);                          from now on the time is the kernels'
 *         ...
 *         lab_turn(r, LAB_UNTIMED);                          what only the verifier needs costs nothing
 *         lab_column(r, "rank", WEFT_F32, rank, n);          the answer, by the names of the library's result
 *         lab_u64(r, "iterations", done);
 *         return WEFT_OK;
 *     }
 *
 * The runner frees what was taken (and times it), makes a weft_result of the columns and scalars and gives it to the verifier
 * of the ladder's algorithm, the one that checks the engine.  There is no time without a verified answer: the warm-up's answer
 * is verified, and so is every later one that differs from it in a byte. */
#ifndef WEFT_LAB_H
#define WEFT_LAB_H

#include "weft/check.h"
#include "weft/experimental.h"
#include "weft/machine.h"
#include "weft/registry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- what a rung is given, and what it leaves --------------------------------------------------------------- */

/* Where the time of a run goes.  A rung on the GPU must synchronise before it turns from one to the next. */
typedef enum lab_part {
    LAB_ALLOCATE, /* every run begins here */
    LAB_COPY_IN,  /* to the GPU, or into another representation */
    LAB_KERNELS,
    LAB_COPY_OUT,
    LAB_FREE, /* the runner's: what lab_take gave, and lab_run.free_device */
    /* The runner's: of the kernels' stretch, what the GPU's clock does not count.  Launching, waiting, bookkeeping; in the library's
     * rung also copies too small for a stage of their own. */
    LAB_HOST,
    LAB_PARTS,
    LAB_UNTIMED = LAB_PARTS
} lab_part;

typedef enum lab_device { LAB_CPU, LAB_CUDA } lab_device;

enum { LAB_MOST_BLOCKS = 64, LAB_MOST_COLUMNS = 6, LAB_MOST_SCALARS = 8, LAB_MOST_SWEEP = 8, LAB_BLOCK = 256 };
enum { LAB_RANKS = 4, LAB_MOST_RANKS = 64 };
/* The network of lab_run.network_ms: what a message takes, however short (seconds), and what a rank's port carries in each direction (bytes a
 * second).  It is slow because ranks are: several share a core, and none has a machine to itself. */
#define LAB_NETWORK_DELAY     2e-5
#define LAB_NETWORK_BANDWIDTH 5e7

typedef struct lab_run {
    /* given */
    weft_ctx *ctx;
    const weft_graph *g;
    weft_csr out, in; /* the library's CSR and its transpose, made beforehand for every rung alike; weights are kept */
    const void *params;           /* the algorithm's parameter struct, as the rung's own adjust() left it */
    const weft_result *reference; /* the engine's answer, for estimates (lab_known); NULL = it took too long */
    int threads;
    int block;             /* threads of a block, for the rung's main kernel: 256 unless a sweep over blocks is made */
    int ranks;             /* for ladders on ranks, which share a run; 0 = LAB_RANKS */
    double patience_s;     /* a rung whose single run takes longer than this does not serve the input */
    uint64_t memory_limit; /* for lab_take; 0 = none */

    /* left by the rung */
    double edges;        /* arcs the algorithm's definition looks at, all steps together: for edges/s */
    double bytes;        /* moved, by the rung's stated model: for GB/s; 0 = no model */
    double sent;         /* bytes that ranks gave each other, counted where they are sent; of ladders on ranks */
    double network_ms;   /* of the kernels once more, over a network; 0 = that was not done */
    weft_result *result; /* instead of columns and scalars, where the library gave one; the runner frees it */
    void (*free_device)(void *user); /* called in LAB_FREE, after a failure too; NULL = nothing to free */
    void *user;
    char why[256];   /* serves(): room for a reason with figures in it */
    bool impatience; /* serves(): the reason is that one run would take longer than the patience allows */
    /* left by lab/gpu.cuh and lab_engine() for rungs on the GPU */
    double event_ms;  /* from the first kernel to the last by the GPU's own clock; 0 = not known */
    double occupancy; /* of the kernel that the rung named, with `block` threads: 0 ... 1; 0 = none was named */
    void *device_block[LAB_MOST_BLOCKS], *event[2];
    size_t device_count;
    uint64_t device_taken;
    bool resident; /* the graph lay on the GPU before the run: the library's rung */

    /* the runner's own: through the functions below */
    const struct lab_setup *setup;
    const char *algorithm; /* the ladder's */
    lab_device device;
    bool first;   /* the rung's first run, which patience ends */
    bool gave_up; /* lab_take gave nothing because somebody wants to stop */
    lab_part part;
    double since_ms, part_ms[LAB_PARTS + 1];
    void *held[LAB_MOST_BLOCKS];
    size_t held_count;
    uint64_t taken, taken_timed; /* bytes of lab_take; of them, those that are not the verifier's */
    bool reads_out, reads_in;    /* lab_reads */
    uint64_t library_bytes;      /* lab_engine: the library's own memory at its peak */
    weft_column column[LAB_MOST_COLUMNS];
    weft_scalar scalar[LAB_MOST_SCALARS];
    size_t column_count, scalar_count;
} lab_run;

/* Zeroed memory with its pages in place, so that the first touch is not charged to the kernels; the runner frees it.  NULL:
 * there is none, somebody wants to stop, or too many blocks (64) were asked for. */
void *lab_take(lab_run *r, size_t bytes);
/* Of a clock that only goes forward. */
double lab_now_ms(void);
/* The time until now belongs to the part before, from now on to `part`. */
void lab_turn(lab_run *r, lab_part part);
/* The kernels read r->out or r->in where it lies, in the library's memory: its bytes count among those that the rung holds. */
void lab_reads(lab_run *r, const weft_csr *csr);

/* The answer.  Columns are per vertex when their length is the graph's, tables else; the data must lie in lab_take's blocks. */
void lab_column(lab_run *r, const char *name, weft_type type, const void *data, size_t length);
void lab_matrix(lab_run *r, const char *name, weft_type type, const void *data, size_t length, size_t width);
void lab_edges(lab_run *r, const char *name, weft_type type, const void *data, size_t length); /* of all edges */
void lab_u64(lab_run *r, const char *name, uint64_t value);
void lab_f64(lab_run *r, const char *name, double value);

/* The library's own call of the ladder's algorithm, on the rung's device: what the top rungs are.  Its stages become parts, its
 * result is r->result. */
weft_status lab_engine(lab_run *r);
/* For serves(): NULL when the library runs this on the GPU, else why not. */
const char *lab_engine_on_gpu(lab_run *r);

/* True when Ctrl-C was pressed, or when the first run of a rung has taken longer than the patience allows: long loops ask now and
 * then (a tenth of a second of work apart at most, a microsecond at least) and return WEFT_ECANCELLED.  Once true, it stays true. */
bool lab_stopped(const lab_run *r);
/* The same without Ctrl-C.  Only what is in a part's time counts.  Rungs on the GPU have half a second more, for loading their
 * kernels; the library's has five, as its first run also brings the graph there. */
bool lab_out_of_patience(const lab_run *r);

/* For estimates in serves(): a whole number that the reference's answer has, such as the levels of a search; 0 = it has none. */
double lab_known(const lab_run *r, const char *scalar);

/* --- rungs and ladders ---------------------------------------------------------------------------------------- */

typedef struct lab_rung {
    const char *name;    /* "transposed": unique in the ladder, the same on a command line and in JSON */
    const char *title;   /* "CPU, transposed: each node reads its in-neighbours" */
    const char *against; /* the name of the rung it changes; NULL = it starts */
    const char *changed; /* what changed, one or two sentences; what the document's version got wrong belongs here */
    const char *wins;    /* what should win */
    const char *loses;   /* what should lose */
    const char *model;   /* the byte model in words: "an iteration: 4 m (targets) + 4 m (ranks) + ..."; NULL = none */
    const char
        *source; /* "lab/pagerank/transposed.c": its lines between "excerpt" marks are in the report (lab_excerpt) */
    lab_device device;
    /* Changes a copy of the ladder's parameters to what this rung computes (precision, stopping); the verifier sees the same.
     * NULL = nothing. */
    void (*adjust)(void *params);
    /* NULL = it can serve this input; else why not, in words.  The function may be NULL: it always can. */
    const char *(*serves)(lab_run *r);
    weft_status (*run)(lab_run *r); /* NULL: this build has no CUDA (see LAB_ON_GPU) */
    /* The verifier of a rung that computes something else than the ladder's algorithm, or falls short of it: what its
     * answer says is verified all the same, and the report has what is missing.  Such a rung does other work than was
     * asked for.  NULL = the algorithm's own. */
    weft_status (*check)(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                         weft_check_report *report);
} lab_rung;

/* A rung's .cu file is compiled as plain C where there is no CUDA, so that it can be named as skipped: its kernels stand
 * between #ifdef __CUDACC__ and #endif, its descriptor outside, with .run = LAB_ON_GPU(run). */
#ifdef __CUDACC__
#define LAB_ON_GPU(function) function
#else
#define LAB_ON_GPU(function) NULL
#endif

/* What a time is the time of: compared with a row's median, or with its kernels; where a document does not say, with both. */
typedef enum lab_kind { LAB_WHOLE_RUN, LAB_KERNELS_ONLY, LAB_NOT_SAID } lab_kind;
const char *lab_kind_name(lab_kind kind); /* "whole runs", "kernels", "not said" */

/* A time that a document gives for the very version that the rung is, for the column "the document said". */
typedef struct lab_figure {
    const char *rung;
    uint64_t vertices, edges; /* edges 0: any graph with so many vertices */
    uint64_t steps;           /* what ladder.steps() must say; 0 = any */
    double ms;
    lab_kind kind;
    const char *source; /* the document in full, where in it, which machine */
} lab_figure;

typedef struct lab_ladder {
    const char *name;
    const char *title;
    const char *story;     /* the first paragraph: what is computed, what makes it slow */
    const char *algorithm; /* of the registry: its parameters, its verifier, the reference */
    const char *column;    /* compared with the reference, for the largest difference; NULL = answers may differ */
    const char *scalar;    /* of the answer, shown instead of that difference: how good it is.  NULL = none */
    const char *graph;     /* what is generated when no input is named: "rmat:scale=14,degree=16" */
    const char *sized;     /* the same with %s for a size: "er:n=%s,degree=5"; NULL = no sweeps */
    const char *sizes;     /* of the documents' tables: "7,100,1000" */
    const char *small;     /* of a report on the ladder's own graph, so small that every rung is served; NULL = none */
    void (*prepare)(
        void *params); /* the ladder's defaults over the algorithm's; before what the user gave.  NULL = none */
    void (*prepare_sized)(void *params);   /* instead, for a sweep over sizes: as the documents did.  NULL = prepare */
    uint64_t (*steps)(const void *params); /* iterations, to find a document's figure by; NULL = none */
    void (*exact)(void *params);           /* makes the reference exact (f64, say); NULL = nothing to make */
    /* Does a rung with these parameters do the work that was asked for, no less?  One that does not (it stops early, say) takes no
     * part where the best rungs of CPU and GPU are compared.  NULL = they all do. */
    bool (*same_work)(const void *asked, const void *own);
    bool on_ranks; /* its rungs share a run among lab_run.ranks, and leave `sent` and `network_ms` */
    /* Makes what the parameters need of this very graph and the user did not give, such as a matrix with a row for each vertex;
     * unfit frees it (given: the parameters before).  NULL = nothing is needed. */
    weft_status (*fit)(const weft_graph *g, void *params);
    void (*unfit)(void *params, const void *given);
    const lab_rung *const *rungs;
    size_t rung_count;
    const lab_figure *figures;
    size_t figure_count;
} lab_ladder;

extern const lab_ladder *const lab_ladders[]; /* lab/ladders.c */
extern const size_t lab_ladder_count;
const lab_ladder *lab_ladder_find(const char *name);
/* What a document says of a rung with these parameters, on this graph; NULL = nothing. */
const lab_figure *lab_figure_for(const lab_ladder *ladder, const void *params, const lab_rung *rung,
                                 const weft_graph_info *info);

/* The marked lines of a file under lab/, "" if it has none.  Embedded when the program is built. */
const char *lab_excerpt(const char *source);

/* --- measuring -------------------------------------------------------------------------------------------------- */

typedef struct lab_setup {
    weft_ctx *ctx; /* threads, cancel */
    const weft_machine *machine;
    size_t runs;
    double patience_s; /* for one run: the first is stopped where the rung asks, and one that took longer is the last */
    double reference_s; /* for the reference; 0 = ten times the patience, but ten seconds at least */
    uint64_t memory_limit;
    /* Rungs on the GPU that name their main kernel are also run with these block sizes. */
    int blocks[LAB_MOST_SWEEP];
    size_t block_count;
    int ranks; /* of ladders on ranks; 0 = LAB_RANKS */
    /* Which rungs, by index; NULL = all. */
    const bool *chosen;
    void (*progress)(void *user, const char *rung, size_t run, size_t runs); /* run 0: the warm-up */
    /* What takes its time beside runs: "verifying", or "reference" with no rung (NULL). */
    void (*doing)(void *user, const char *rung, const char *what);
    int (*stop)(void *user); /* lab_measure makes it the context's cancel callback, for the library and the verifiers */
    void *user;
} lab_setup;

typedef enum lab_status { LAB_VERIFIED, LAB_SKIPPED, LAB_WRONG, LAB_FAILED } lab_status;
const char *lab_status_name(lab_status status);

/* A point of the sweep over block sizes. */
typedef struct lab_block {
    int threads;
    double occupancy;             /* computed from registers and shared memory: 0 ... 1 */
    double kernels_ms, median_ms; /* of the kernels (lab_kernels_ms) and of whole runs */
    size_t runs;
    bool impatient; /* fewer runs than were asked for, because of the patience */
} lab_block;

/* Bytes that a rung holds at once. */
typedef struct lab_held {
    bool known;
    uint64_t host, gpu; /* that it allocated, answer included */
    uint64_t graph;     /* of the library's CSR, which it reads where it lies */
} lab_held;

typedef struct lab_row {
    const lab_rung *rung;
    size_t number; /* from 1 */
    lab_status status;
    char message[512];    /* what was verified, or why there are no times */
    size_t runs, checked; /* checked: answers that were given to the verifier (the rest were the same bytes) */
    bool impatient;       /* skipped, stopped in its first run or run less often, because of the patience */
    double median_ms, min_ms, max_ms; /* whole runs: all parts */
    double part_ms[LAB_PARTS];        /* medians */
    double event_ms;                  /* the kernels by the GPU's clock, median; 0 = not known */
    double occupancy;                 /* with LAB_BLOCK threads; 0 = not known */
    lab_block blocks[LAB_MOST_SWEEP];
    size_t block_count;
    double edges, bytes, sent;
    double network_ms; /* median; 0 = not measured */
    lab_held held;
    bool resident;      /* the graph lay on the GPU before the run */
    bool other_work;    /* it does other work than was asked for (lab_ladder.same_work, lab_rung.check) */
    double ceiling_gbs; /* of the device it ran on; 0 = not measured */
    double scalar;      /* lab_ladder.scalar of the answer; NaN = there is none */
    double difference;  /* the largest, from the reference; NaN = nothing to compare */
    bool nan_apart;     /* a NaN stands where the reference has a number, or the other way round */
    bool inf_apart;     /* an infinity stands where the reference has a finite number, or the other way round */
    bool other_steps;   /* it ends by another rule than the reference: nothing to compare */
    /* Verified rows of the same table, NULL = there is none: the first, the one before, and that of the rung it names. */
    const struct lab_row *first, *previous, *against;
    double on_first, on_previous; /* speed-ups by whole runs; 0 = nothing to compare with */
    double on_against;            /* on the rung it names, by `against_by` */
    lab_kind against_by;          /* kernels where both ran on the same device, else whole runs */
    const lab_figure *said;       /* NULL = no document has a figure for this */
} lab_row;

/* A parameter of the algorithm, as the ladder and the user left it and fitted to the graph. */
typedef struct lab_setting {
    const weft_param_info *param;
    char *text; /* as on a command line; NULL = not given */
    union {
        uint64_t u64;
        double f64;
        int flag;
    } value;    /* of those types */
    bool usual; /* the algorithm's default */
} lab_setting;

typedef struct lab_table {
    const lab_ladder *ladder;
    const char *input;     /* a path or a generator's words: lab_table_name */
    lab_setting *settings; /* all parameters of the algorithm */
    size_t setting_count;
    int ranks; /* 0 = the ladder is not about ranks */
    weft_graph_info info;
    double transpose_ms; /* before all rungs, and in no rung's time */
    double reference_s,
        reference_limit_s; /* how long the reference took; below 0 = longer than the limit, and there is none */
    lab_row *rows;
    size_t row_count; /* the rungs that were chosen */
    bool complete;
} lab_table;

/* Runs every chosen rung on the graph.  WEFT_OK also where rungs are wrong, failed or skipped: the rows say so.  params: the
 * algorithm's struct after the ladder's prepare() and the user's changes.  Free with lab_table_free in any case. */
weft_status lab_measure(const lab_setup *setup, const lab_ladder *ladder, const weft_graph *g, const char *input,
                        const void *params, lab_table *table);
void lab_table_free(lab_table *table);
/* Sets the input's name, followed by a note ("" = none), instead of the previous one.  False: no memory. */
bool lab_table_name(lab_table *table, const char *input, const char *note);
/* Rows that are wrong or failed. */
size_t lab_table_bad(const lab_table *table);

/* settings.c: made by lab_measure, freed by lab_table_free. */
weft_status lab_settings_make(const weft_graph *g, const weft_algorithm_info *algorithm, const void *params,
                              lab_setting **settings, size_t *count);
void lab_settings_free(lab_setting *settings, size_t count);
/* "iterations 20, damping 0.5": what is not the default, and the iterations where there are some; "" = nothing.  Ends in ... where
 * there is no room for all. */
void lab_settings_words(const lab_table *table, char *room, size_t size);

/* Fills in the rows' first, previous and against, and the speed-ups: lab_measure has done so. */
void lab_compare(lab_table *table);
/* The time of a row's kernels: by the GPU's clock where it was read, else by the host's. */
double lab_kernels_ms(const lab_row *row);
/* The time of a row that a document's figure of this kind is compared with; the whole run's where the kind is not said. */
double lab_ms_of(const lab_row *row, lab_kind kind);
/* Rates of a verified row: by its kernels' time, 0 when there is no model. */
double lab_gbs(const lab_row *row);
double lab_edges_per_second(const lab_row *row);
/* A verified row's difference in words: "3e-08", "NaN", "overflow" where infinities stand beside numbers, "" = nothing to compare. */
void lab_difference_words(char room[32], const lab_row *row);
/* The scalar that the ladder shows: "0.4188"; "" = there is none. */
void lab_scalar_words(char room[32], const lab_row *row);

#ifdef __cplusplus
}
#endif
#endif
