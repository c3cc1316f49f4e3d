/* The `weft` program: thin, on the public API only.
 *
 * main.c finds the command and parses its flags; every command is one function in one file that takes a cli_call and
 * returns an exit code.  Results go to standard output, everything else to standard error, so that --json leaves
 * exactly one object on standard output. */
#ifndef WEFT_CLI_H
#define WEFT_CLI_H

#include "weft/experimental.h"
#include "weft/generate.h"
#include "weft/registry.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* --- exit.c: the few, fixed exit codes, and messages ------------------------ */

enum {
    EXIT_DONE = 0,
    EXIT_NO = 1, /* the answer is "no" */
    EXIT_USAGE = 2,
    EXIT_INPUT = 3,
    EXIT_MEMORY = 4,
    EXIT_DEVICE = 5,
    EXIT_STOPPED = 75,  /* EX_TEMPFAIL of sysexits.h: try again */
    EXIT_TIMEOUT = 124, /* as timeout(1) */
    EXIT_INTERRUPTED = 130
};

typedef struct cli_exit_code {
    int code;
    const char *meaning;
} cli_exit_code;
extern const cli_exit_code cli_exit_codes[];
extern const size_t cli_exit_code_count;

/* The exit code for a status; 130 if the program was interrupted, whatever failed first. */
int cli_exit_of(weft_status status);
/* The exit code for an errno about a file. */
int cli_exit_of_error(int why);

/* "weft: ..." on standard error. */
void cli_say(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
/* The same; returns `code`. */
int cli_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* From now on cli_fail writes to `room`, where the last message stays: for a failure that is reported as a reason.
 * NULL: to standard error again. */
void cli_fail_into(char *buffer, size_t size);
/* Prints the context's message and returns the exit code. */
int cli_fail_status(const weft_ctx *ctx, weft_status status);
/* Writes to a descriptor; 0, or errno.  Once the program is interrupted, a write that blocks fails (EINTR) after half a
 * second. */
int cli_write(int fd, const char *data, size_t bytes);
/* From now on standard output goes through cli_write, so that a stalled reader does not keep an interrupted program
 * alive. */
void cli_watch_stdout(void);
/* Flushes standard output and keeps the error, if any, for cli_finish_stdout. */
void cli_flush_stdout(void);
/* Flushes standard output and reports a full disk, or an interruption before everything was written; a reader that left
 * early (head) is no failure. */
int cli_finish_stdout(int code);
/* Ends the program at once, without freeing: the system releases a GPU's memory faster than we can piece by piece.
 * Returns under a profiler or a checker of CUDA, which reports at an ordinary exit. */
void cli_leave(int code);
/* True if standard output is a pipe without a reader. */
bool cli_stdout_has_no_reader(void);

/* --- args.c: flags declared once, parsed and printed from one table --------- */

typedef enum cli_kind {
    FLAG_SET,    /* int field = set */
    FLAG_BOOL,   /* int: --x, --no-x, --x=yes|no */
    FLAG_U64,    /* uint64_t in min ... max */
    FLAG_F64,    /* double in min ... max */
    FLAG_SIZE,   /* uint64_t: 4096, 512M, 1.5G */
    FLAG_CHOICE, /* int: index into choices; `set` when no value follows, if set >= 0 */
    FLAG_TEXT,   /* const char * */
    FLAG_WORDS,  /* const char *: words; AGAIN_WORDS separates the words of a repeated flag */
    FLAG_LIST,   /* cli_list: may be given again */
    FLAG_PAIR    /* const char *[2] */
} cli_kind;

typedef struct cli_list {
    const char **items;
    size_t count;
} cli_list;

/* What joins the values of a repeated flag.  AGAIN_WORDS is a byte that no name contains, since a name may contain a
 * newline. */
typedef enum cli_again {
    AGAIN_REFUSED = 0,
    AGAIN_AND = 1, /* (A) and (B) */
    AGAIN_LINE = '\n',
    AGAIN_WORDS = '\x1e',
    AGAIN_COMMA = ','
} cli_again;

typedef struct cli_flag {
    const char *name; /* without the dashes; _ and - are equal */
    char letter;      /* short form, or 0 */
    cli_kind kind;
    size_t offset; /* offset of the field in the group's struct */
    uint64_t uses; /* which commands take it: a set of USE_ bits */
    int set;
    const char *value; /* the value's name in help texts */
    const char *choices;
    double min, max;
    const char *standard; /* the default as text, or NULL */
    bool required;
    cli_again again; /* of FLAG_TEXT and FLAG_WORDS */
    const char *help;
    const char *formerly; /* "together each=no": a name of earlier versions, and the flag that it stood for */
    /* Names of other flags, as "ego" or "sample-vertices,sample-edges": the flag has no meaning without one of the
     * first, or with one of the second.  Two flags with different values for one field exclude each other anyway. */
    const char *with, *without;
} cli_flag;

/* Flags and the struct that receives their values. */
typedef struct cli_group {
    const cli_flag *flags;
    size_t count;
    uint64_t uses; /* only flags with one of these bits exist */
    void *fields;
    bool *given; /* by flag: was it found?  Or NULL */
} cli_group;

enum { CLI_GROUPS = 2 };

/* Sorts words into flags and operands; operands[] (capacity argc) receives the latter.  Prints an error and returns
 * EXIT_USAGE for a mistake. */
int cli_parse(const char *command, const cli_group groups[CLI_GROUPS], int argc, char **argv, const char **operands,
              int *operand_count);

/* --- again.c: flags that are given again ------------------------------------- */

int cli_list_append(cli_list *list, const char *text);
/* Appends `text` to the words, which began as `first`; a repeated text changes nothing. */
int cli_join_again(const cli_flag *flag, const char **words, const char *first, const char *text);
/* Prints an error and returns EXIT_USAGE. */
int cli_refuse_again(const cli_flag *flag, const char *first, const char *second);
/* Calls `visit` for each of the words (NULL: none) until a call fails. */
int cli_each_word(const char *words, cli_again separator, int (*visit)(void *user, const char *word), void *user);
/* Frees the joined values of repeated flags. */
void cli_words_free(void);

/* The flag that a word without its dashes names, also by --no-NAME; NULL: the group has none. */
const cli_flag *cli_flag_named(const cli_group *group, const char *word, size_t length);

/* Index of the first word that is neither a flag nor a flag's value, or argc. */
int cli_first_operand(const cli_group *group, int argc, char **argv);
/* Is the word there, before any -- ? */
bool cli_has_word(int argc, char **argv, const char *word);

/* The owner of parameters: an algorithm, a generator, or neither (no parameters). */
typedef struct cli_subject {
    const weft_algorithm_info *algorithm;
    const weft_generator_info *generator;
} cli_subject;
size_t cli_param_count(cli_subject subject);
const weft_param_info *cli_param_at(cli_subject subject, size_t i);

/* A flag table made from the library's description of a parameter struct; free() it.  The word of a flag that names a
 * vertex, or a file with values for vertices, waits for the graph: it goes after the struct, to
 * cli_param_words()[index]. */
cli_flag *cli_flags_of_params(cli_subject subject, size_t params_size);
/* Zeroed memory for the struct and the words after it; NULL, after an error message, if there is none. */
void *cli_params_new(size_t params_size, size_t count);
const char **cli_param_words(void *params, size_t params_size);

/* Prints the group's flags with their help, one paragraph each. */
void cli_print_flags(FILE *to, const cli_group *group, bool all);

/* --- flag_words.c: parameters in the library's words as flags ------------------ */

/* The text with `ids=string` written as --ids string, and so on; free() it.  NULL: out of memory. */
char *cli_flag_words(const char *text);
/* The same, cut to the size of `room`. */
typedef char cli_line[1024];
const char *cli_flag_line(cli_line buffer, const char *text);

/* --- wrap.c: help, wrapped at COLUMNS if the environment has it, else at the terminal's width or 80 columns, whichever
 * is less --- */

/* Columns of a line of help written to `to`, at least 40.  A COLUMNS that is not a number from 1 to 1000 is ignored. */
size_t cli_line_width(FILE *to);

/* The column where the text of a list of names starts: `usual`, or further left where lines are short. */
size_t cli_name_width(FILE *to, size_t usual);

/* A name, then its text from column `from` on; on the next line if the name is too long. */
void cli_put_entry(FILE *to, const char *name, size_t from, const char *text);

/* Text from column `from` on, where the cursor already is, wrapped between words; then a newline. */
void cli_put_wrapped(FILE *to, const char *text, size_t from);

/* Paragraphs: consecutive lines are joined and wrapped.  Lines that begin with a blank are printed unchanged, but for "
 * NAME    TEXT", an entry of a list, whose text is wrapped in its column. */
void cli_put_text(FILE *to, const char *text);

/* Two texts side by side: `left` from column `from` on, in `width` columns, and `right` from column `second` on. */
void cli_put_beside(FILE *to, const char *left, size_t from, size_t width, const char *right, size_t second);

/* --- words.c: "did you mean" ------------------------------------------------- */

typedef struct cli_nearest {
    const char *wanted;
    const char *best; /* NULL: no similar name */
    unsigned distance;
} cli_nearest;

/* Offers a name; the nearest one is kept. */
void cli_nearest_try(cli_nearest *nearest, const char *name);

/* --- options.c: the one table of flags that are not an algorithm's own ------- */

#define CLI_NOT_GIVEN     UINT64_MAX
#define CLI_MOST_VERTICES 4294967294u

/* The commands that take a flag: a set of these bits. */
#define USE_ALWAYS     (UINT64_C(1) << 0)
#define USE_READ       (UINT64_C(1) << 1) /* commands that read a graph */
#define USE_BUILD      (UINT64_C(1) << 2) /* commands that build one, by reading or generating */
#define USE_RESULT     (UINT64_C(1) << 3) /* algorithms */
#define USE_ROWS       (UINT64_C(1) << 4) /* commands with rows to cut off or save */
#define USE_WRITE      (UINT64_C(1) << 5) /* commands that write graphs */
#define USE_INFO       (UINT64_C(1) << 6)
#define USE_NEIGHBORS  (UINT64_C(1) << 7)
#define USE_DOCTOR     (UINT64_C(1) << 8)
#define USE_SAVE       (UINT64_C(1) << 9) /* commands with -o */
#define USE_BENCH      (UINT64_C(1) << 10)
#define USE_LAB        (UINT64_C(1) << 11)
#define USE_DYNAMIC    (UINT64_C(1) << 12)
#define USE_PATH       (UINT64_C(1) << 13)
#define USE_SUBGRAPH   (UINT64_C(1) << 14)
#define USE_SELECT     (UINT64_C(1) << 15) /* commands with rows to choose and order */
#define USE_RUN        (UINT64_C(1) << 16)
#define USE_GROUPS     (UINT64_C(1) << 17) /* algorithms that find groups */
#define USE_REPORT     (UINT64_C(1) << 18)
#define USE_DRAW       (UINT64_C(1) << 19) /* algorithms whose result is a picture */
#define USE_PREDICT    (UINT64_C(1) << 20)
#define USE_RANKS      (UINT64_C(1) << 21) /* commands that run on several ranks */
#define USE_SHARE      (UINT64_C(1) << 22) /* commands of several ranks that read a graph */
#define USE_HELP       (UINT64_C(1) << 23)
#define USE_CHECKPOINT (UINT64_C(1) << 24) /* algorithms with checkpoints */
#define USE_QUALITY    (UINT64_C(1) << 25)
#define USE_AGREEMENT  (UINT64_C(1) << 26)
#define USE_GENERATE   (UINT64_C(1) << 27)
#define USE_COMPARE    (UINT64_C(1) << 28)
#define USE_MERGE      (UINT64_C(1) << 29)
#define USE_CONVERT    (UINT64_C(1) << 30)
#define USE_PROJECT    (UINT64_C(1) << 31)
#define USE_COLUMNS    (UINT64_C(1) << 32) /* commands that show or write columns of edges */

/* --duplicates drop means min; auto is WEFT_DUPLICATES_DROP of the C library: no choice. */
enum { CLI_DUPLICATES_DROP = 8 };

enum { CLI_MOST_FLAGS = 192 };

/* Flags of a single command are in a struct named after it; the others belong to several commands. */
typedef struct cli_options {
    bool given[CLI_MOST_FLAGS]; /* by row of cli_option_flags: was it on the command line? */
    int json, quiet, help, all;
    uint64_t threads, memory_limit /* CLI_NOT_GIVEN when not */, device_memory_limit;
    int device;
    double timeout, hang_timeout;
    /* reading and building */
    const char *format;
    int direction, weights, weight_type, ids, duplicates, loops;
    int old_weights;
    int use_weights; /* --weights of path and quality */
    bool ordered;    /* no flag: the command asks for an order of the vertices */
    uint64_t vertices;
    const char *source_col, *target_col, *weight_col, *separator, *nodes;
    const char *keep, *merge_rules, *edges_where, *weight_from, *window;
    bool all_edges; /* no flag: the command merges parallel edges itself */
    int header, decimal, comments;
    int no_attributes, sides;
    /* writing */
    const char *output, *to, *truth;
    int both_directions;
    uint64_t level;
    /* rows of results */
    uint64_t top, bottom, head; /* CLI_NOT_GIVEN when not */
    const char *by, *sort, *where, *labels, *label, *sizes_file;
    int table, parts, no_formulas;
    /* running */
    int plan, verify, verify_files;
    uint64_t repeat;
    const char *checkpoint, *grid;
    double every; /* below 0: not given */
    /* measuring: bench, lab, doctor, dynamic bench, predict, report */
    cli_list generate; /* graphs to make */
    uint64_t runs;
    double seconds;
    int quick, calibrate;
    uint64_t replicates; /* report */
    struct {
        const char *algorithms, *threads;
        uint64_t sources;
        int unverified;
    } bench;
    struct {
        const char *rungs, *sizes, *blocks, *json, *report;
        double patience;
        uint64_t ranks;
    } lab;
    struct {
        int durable, warm, refuse_cycles, analytics;
        uint64_t at, batch, scale;
        double wait;
        const char *batch_sizes;
        cli_list runs;
    } dynamic;
    struct {
        cli_list of;
        const char *edge[2];
    } neighbors;
    struct {
        uint64_t k;
        const char *avoid;
        int hops;
    } path;
    struct {
        int largest_component; /* a weft_component_kind, less one; below 0: not given */
        cli_list ego, community;
        uint64_t radius, core, truss, min_degree, max_degree, seed;
        double min_weight, max_weight, sample_vertices, sample_edges;
        const char *ids, *table;
    } subgraph;
    struct {
        const char *side;
        int weigh; /* a weft_project_weights */
    } project;
    struct {
        const char *partition;
        double resolution;
    } quality;
    struct {
        const char *removed, *added, *changed;
    } compare;
    struct {
        int mode; /* a weft_merge_mode */
    } merge;
    struct {
        const char *colour, *size, *title;
        uint64_t width;
        int dark, arrows, line_width;
    } draw;
    struct {
        const char *ranks, *machine, *arcs;
        uint64_t scale, iterations, levels;
        double degree;
        int cut;
    } predict;
} cli_options;

extern const cli_options cli_options_standard;
extern const cli_flag cli_option_flags[];
extern const size_t cli_option_flag_count;
/* Was a flag for this field on the command line, with any value? */
#define CLI_GIVEN(options, field) cli_given(options, offsetof(cli_options, field))
bool cli_given(const cli_options *options, size_t offset);

/* --- commands ------------------------------------------------------------------ */

typedef struct cli_call {
    cli_options options;
    const char *name; /* of the command or algorithm */
    const char **operands;
    int operand_count;
    void *params;                         /* of the algorithm or generator */
    const weft_algorithm_info *algorithm; /* for algorithm commands */
    const weft_generator_info *generator; /* for generate */
} cli_call;

typedef struct cli_command {
    const char *name;
    const char *operands; /* "FILE", for the usage line */
    int least, most;      /* operands */
    uint64_t uses;
    /* Finds the generator's name on the command line before it is parsed: its parameters are flags.  NULL: there is
     * none. */
    int (*find)(cli_call *call, const cli_group *all, int argc, char **argv);
    int (*run)(cli_call *call);
    void (*print_more)(FILE *to); /* text that help appends, or NULL */
    const char *program;          /* the program that runs it instead of weft, or NULL */
    const char *summary;
    const char *text;     /* the paragraph of help */
    const char *examples; /* lines */
} cli_command;

extern const cli_command *const cli_commands[];
extern const size_t cli_command_count;
extern const cli_command cli_lab_command;       /* also weft-lab's own */
extern const cli_command cli_algorithm_command; /* flags of all algorithms */
const cli_command *cli_command_find(const char *name);
/* The flags of the command, here with this algorithm, or NULL. */
uint64_t cli_uses(const cli_command *command, const weft_algorithm_info *algorithm);

/* Another word for a command or an algorithm, with a flag (NULL = none). */
typedef struct cli_alias {
    const char *name, *stands_for, *flag, *help;
} cli_alias;
extern const cli_alias cli_aliases[];
extern const size_t cli_alias_count;
const cli_alias *cli_alias_find(const char *name); /* NULL = there is none */
/* words.c: the suggestion for a word that is no command, or NULL. */
const char *cli_word_says(const char *name);
/* Checks the number of operands; prints an error and returns EXIT_USAGE. */
int cli_check_operands(const cli_command *command, const cli_call *call);
/* Does the command use the columns of edges that --keep names?  --keep "" names none. */
int cli_check_columns(const cli_command *command, const cli_call *call);
const weft_generator_info *cli_generator_find(const char *name);

int cli_info(cli_call *call);
int cli_convert(cli_call *call);
int cli_windows(cli_call *call); /* convert --window */
int cli_generate(cli_call *call);
int cli_find_generator(cli_call *call, const cli_group *all, int argc, char **argv);
void cli_help_generators(FILE *to);
int cli_algorithm(cli_call *call);
int cli_neighbors(cli_call *call);
int cli_path(cli_call *call);
int cli_subgraph(cli_call *call);
int cli_project(cli_call *call);
int cli_quality(cli_call *call);
int cli_agreement(cli_call *call);
int cli_compare(cli_call *call);
int cli_merge(cli_call *call);
int cli_run(cli_call *call);
int cli_report(cli_call *call);
int cli_doctor(cli_call *call);
int cli_bench(cli_call *call);
int cli_predict(cli_call *call);
int cli_dynamic(cli_call *call);
int cli_help(cli_call *call);
int cli_version(const char *program, bool json);
/* Prints the text of `weft help COMMAND`. */
void cli_help_command(FILE *to, const cli_command *command, bool all);
/* The overview of `weft` without a command. */
void cli_help_overview(FILE *to);

/* --- common.c: a context from flags, graphs from files -------------------------- */

/* EXIT_DONE, or the exit code after an error message. */
int cli_open(const cli_options *options, weft_ctx **ctx);
/* --memory-limit, or the free memory of the control group. */
weft_status cli_limit_memory(weft_ctx *ctx, const cli_options *options);
int cli_load(weft_ctx *ctx, const cli_options *options, const char *path, weft_graph **g);
/* Can a graph be written to `path`, as far as is known before it exists?  flag: that named the file, or NULL: an
 * operand did.  path NULL: no graph is written, and flags about the file are refused. */
int cli_check_target(const cli_options *options, const char *flag, const char *path);
/* Writes with --to, --both-directions and --level; "-" is standard output. */
int cli_save_graph(weft_ctx *ctx, const weft_graph *g, const cli_options *options, const char *path);
weft_build_params cli_build_params(const cli_options *options);
/* Is `name` a format that can be read (or written)?  If not, an error names the nearest one. */
int cli_check_format(const char *name, bool to_write);
/* The name of the format with the path's extension, or "". */
const char *cli_format_of_path(const char *path);
/* Size of a regular file in bytes; 0 for anything else. */
uint64_t cli_file_bytes(const char *path);
bool cli_same_file(const char *a, const char *b);
/* An input must not be overwritten: refuses an output that is the input.  Either may be NULL: there is none. */
int cli_check_not_input(const char *in, const char *out);
/* The same for a graph and its table of vertices. */
int cli_check_not_read(const cli_options *options, const char *in, const char *out);
double cli_now_ms(void);
/* Median, minimum and maximum of one run or more; sorts the times. */
typedef struct cli_times {
    double median, min, max;
} cli_times;
cli_times cli_sort_times(double *ms, size_t runs);
/* A message that --quiet silences, on standard error. */
void cli_note(const cli_options *options, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* calloc that prints "out of memory" when it fails. */
void *cli_take(size_t count, size_t each);

/* --- target.c: files to be written --------------------------------------------------- */

/* Can `path` (NULL: none) be written, as far as is known beforehand?  Prints the reason if not, with the flag that
 * named it (NULL: an operand did): an empty name, a directory, a folder that does not exist or takes no files. */
int cli_check_output(const char *flag, const char *path);
/* Would writing to one replace the other?  Neither needs to exist yet. */
bool cli_same_target(const char *a, const char *b);
/* True for "-", and for a name of the file that standard output is, such as /dev/stdout or a link to it. */
bool cli_is_stdout(const char *path);
const char *cli_place_name(const char *path); /* for messages: - is "standard output" */

/* --- ranks.c: one of several ranks that a launcher started ------------------------------ */

/* Called before any output. */
void cli_ranks_begin(void);
bool cli_ranks_alone(void);
/* Is this the first rank, which prints and writes files? */
bool cli_ranks_first(void);
/* Can the command run on several ranks?  *idle: this rank has nothing to do. */
int cli_ranks_command(const cli_command *command, const char *name, bool *idle);
/* Can ranks write a graph to this path?  path NULL: no graph is written. */
int cli_ranks_check_target(const cli_options *options, const char *path);
/* Makes the context one of the ranks. */
int cli_ranks_join(weft_ctx *ctx, cli_options *options);
/* After a step that each rank does alone: the exit code of the first rank that failed, whose message the first rank has
 * printed; else EXIT_DONE. */
int cli_ranks_agree(weft_ctx *ctx, int code);
/* Before the program ends.  A launcher ends all ranks when one fails: if the ranks have not met yet, the others leave
 * the first rank time to print the reason. */
int cli_ranks_end(int code);

/* --- matrix.c: matrices from .npy files -------------------------------------------- */

/* A graph, and the file that it was read from. */
typedef struct cli_graph {
    weft_ctx *ctx;
    const weft_graph *g;
    const char *path;
} cli_graph;

/* A matrix with a row for each vertex of the graph; free() its data.  *held: bytes of the matrices read so far, to
 * which its own are added. */
int cli_read_matrix(const cli_graph *of, const cli_options *options, const char *path, uint64_t *held,
                    weft_matrix *out);
/* Bytes held by parameters are subtracted from the library's limit.  `what`: the parameter, for the message. */
int cli_reserve(weft_ctx *ctx, const char *what, uint64_t bytes, uint64_t *held);

/* --- vertex_files.c: lists of vertices and weights of vertices from files ------------ */

/* The file that a word for vertices names or may name; NULL for random:K. */
const char *cli_vertices_file(const char *word);
/* cli_check_not_input for a word for vertices, as a callback of cli_each_word. */
int cli_check_not_vertices(void *out, const char *word);
/* Ids between commas, @FILE (or FILE, if it is no id) with an id on each line, or random:K, or several of these with
 * AGAIN_WORDS between; free() the list, which is NULL if random:K draws from an empty graph. */
int cli_read_vertices(weft_ctx *ctx, const weft_graph *g, const char *word, weft_vid **list, size_t *count);
/* Pairs of different vertices, two ids on each line of a file; free() the list of 2 * *count vertices. */
int cli_read_pairs(weft_ctx *ctx, const weft_graph *g, const char *path, weft_vid **list, size_t *count);
/* As cli_read_vertices, each vertex with weight 1; lines of a file are "id [weight]".  Returns a weight for each vertex
 * of the graph; free() them. */
int cli_read_weights(weft_ctx *ctx, const weft_graph *g, const char *word, double **weights);

/* --- communities.c: those of weft leiden FILE, which is said; one for each vertex, by its smallest ----- */

int cli_find_communities(weft_ctx *ctx, const cli_options *options, const weft_graph *g, weft_vid *community);

/* --- algorithm.c: parameters that had to wait for the graph --------------------------- */

/* Turns the words of cli_param_words() into vertices of the graph, lists, weights and matrices, which replace earlier
 * ones. */
int cli_resolve_params(weft_ctx *ctx, const cli_options *options, const weft_graph *g, const char *graph_path,
                       const weft_algorithm_info *algorithm, void *params);
void cli_free_arrays(const weft_algorithm_info *algorithm, void *params);
/* cli_check_not_input for every parameter that may name a file. */
int cli_check_not_params(const weft_algorithm_info *algorithm, void *params, const char *out);

/* --- signals.c, progress.c ------------------------------------------------------- */

/* Called once, at the start of the program. */
void cli_signals_install(void);
/* Resets ignored signals, before another program is executed. */
void cli_signals_hand_over(void);
bool cli_interrupted(void);
/* After `seconds` the program is interrupted and ends with EXIT_TIMEOUT. */
void cli_signals_timeout(double seconds);
bool cli_timed_out(void);
/* The file to remove when a second Ctrl-C ends the program at once; NULL = none. */
void cli_signals_guard(const char *temporary);
/* Registers a graph that is about to be read: if the mapped file is truncated while in use, the program ends with a
 * message that names it. */
void cli_signals_watch(const char *path);
/* Switches whether SIGTERM, however often it comes, only raises a flag of its own. */
void cli_signals_terminate_softly(bool now);
bool cli_terminated(void);
/* Switches whether the first signal ends the program: for work that polls rarely and leaves nothing half done. */
void cli_signals_at_once(bool now);

void cli_progress_start(weft_ctx *ctx, bool quiet);
/* A line about the current work instead of a bar; only where a bar would be drawn. */
void cli_progress_line(const cli_options *options, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_progress_erase(void);

/* --- text.c: numbers and names for people ------------------------------------------ */

typedef char cli_text[40];
const char *cli_count(cli_text buffer, uint64_t x); /* 1,234,567 */
const char *cli_s(uint64_t n);                      /* the plural's s: "" for 1 */
const char *cli_vertices(uint64_t n);
const char *cli_bytes(cli_text buffer, uint64_t bytes); /* 1.5 GiB */
const char *cli_real(cli_text buffer, double x);        /* the fewest digits that read back as the same double */
const char *cli_real32(cli_text buffer, float x);       /* the same for a float */
const char *cli_scalar(cli_text buffer, const weft_scalar *scalar); /* four significant digits; JSON has all */
const char *cli_weights(weft_weight_type type);                     /* "u32" and so on, "none" */
const char *cli_direction_from(weft_direction_from from);           /* "flag", "file" or "assumed" */
const char *cli_with_weights(weft_weight_type type);                /* " with u32 weights", or "" */
const char *cli_real16(cli_text buffer, float x);                   /* and for an f16 or bf16 */
const char *cli_seconds(cli_text buffer, double ms);                /* 12.3 ms, 4.56 s */
bool cli_utf8_wanted(void);
bool cli_bold_wanted(void);
/* Width of a text on a terminal, in UTF-8 characters. */
size_t cli_text_width(const char *text);
/* Bytes of the longest prefix with at most that width. */
size_t cli_text_bytes(const char *text, size_t width);
/* 0: not a terminal, or its width is unknown. */
size_t cli_terminal_columns(int file);
/* "label     value" lines, labels aligned. */
void cli_fact(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* printf for texts with names of files and vertices in them: control characters, marks that turn the direction of text
 * and bytes that are no UTF-8 become ?, so that a name cannot steer the terminal.  Line ends are control characters
 * too: the caller puts its own. */
void cli_put(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_put_list(FILE *to, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
void cli_hide_controls(char *text);
/* A word and its details, after earlier entries, indented, in lines of 96 columns.  *column is 0 before the first; the
 * caller ends the last line. */
void cli_put_word(size_t *column, const char *word, const char *after);
void cli_heading(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The file's id of a vertex, for messages without control characters.  free() it. */
char *cli_id_text(const weft_graph *g, weft_vid v, bool for_people);
bool cli_ids_are_names(const weft_graph *g);

#endif
