/* Declarations that the files of weft bench share.  bench.c chooses graphs, algorithms and threads, bench_run.c
 * measures, bench_spec.c reads "rmat:scale=20,degree=16", bench_table.c and bench_json.c print. */
#ifndef WEFT_CLI_BENCH_H
#define WEFT_CLI_BENCH_H

#include "result/json.h"
#include "result/rows.h"
#include "weft/check.h"
#include "weft/machine.h"

enum { BENCH_MOST_THREADS = 16, BENCH_MOST_SOURCES = 4096, BENCH_MOST_SCALARS = 8, BENCH_ENOUGH_RUNS = 10 };
enum { BENCH_LEAST_RUNS = 3 }; /* even if --seconds is short */

/* A name with parameters, as given on the command line, and its parsed form. */
typedef struct bench_spec {
    const char *label; /* "rmat:scale=20,degree=16" */
    const weft_algorithm_info *algorithm;
    const weft_generator_info *generator;
    void *params;
    cli_options options; /* of a generator: the command's, with the build rules of the spec */
    bool given;          /* parameters were given */
    const char *ladder;  /* of weft lab, if the parameters are a ladder's; NULL: of weft bench */
    const char *flag;    /* of weft dynamic, or NULL; flags of the command with `uses` may be among the parameters */
    uint64_t uses;
    bool fits;                     /* parameters that must be given are made up for each graph */
    void (*prepare)(void *params); /* changes the defaults before the words do; may be NULL */
    char *texts;                   /* the texts that params points into */
} bench_spec;

/* MEASURED: with --unverified, the runs agree with each other, but the answer was not verified. */
typedef enum bench_status { BENCH_VERIFIED, BENCH_MEASURED, BENCH_SKIPPED, BENCH_WRONG, BENCH_FAILED } bench_status;

static inline bool bench_has_times(bench_status status) { return status == BENCH_VERIFIED || status == BENCH_MEASURED; }

/* One algorithm on one graph with one number of threads. */
typedef struct bench_row {
    const bench_spec *spec;
    int threads;
    bench_status status;
    char message[512]; /* the property that was checked, or the reason why there are no times */
    bool not_there;    /* skipped: the requested device does not support it */
    const char *device;
    char method[96], reason[256];
    size_t runs, sources; /* sources 0: the algorithm has no source */
    double prepare_ms, first_ms;
    double median_ms, min_ms, max_ms;
    double kernel_ms;   /* median of the GPU's own time; 0: the GPU was not used */
    double model_bytes; /* 0: no model */
    double ceiling_gbs; /* 0: not measured */
    uint64_t bytes_peak;
    uint64_t digest; /* digest of all results: equal if their bytes are equal */
    size_t scalar_count;
    weft_scalar scalars[BENCH_MOST_SCALARS]; /* of the first source; names belong to the library */
} bench_row;

typedef struct bench_graph {
    const char *name; /* a path or a spec */
    bool generated;
    weft_graph_info info;
    uint64_t checksum;
    double load_ms, prepare_ms; /* prepare: the transpose */
    bench_row *rows;
    size_t row_count;
} bench_graph;

typedef struct bench {
    const cli_options *options;
    bench_spec *algorithms, *generators;
    size_t algorithm_count, generator_count;
    int threads[BENCH_MOST_THREADS];
    size_t thread_count;
    double ceiling_gbs[BENCH_MOST_THREADS]; /* bandwidth of reading memory with this number of threads */
    weft_machine machine;
    char date[32], governor[32];
    double load_before; /* below 0: unknown */
    bench_graph *graphs;
    size_t graph_count; /* rows that were begun */
    bool interrupted;
} bench;

/* bench_spec.c.  Returns EXIT_DONE, or the exit code after an error message; the caller frees in any case. */
int bench_generators(const cli_options *options, bench_spec **specs, size_t *count);
int bench_algorithms(const char *list, bench_spec **specs, size_t *count);
/* With spec->algorithm set: the parameters in "damping=0.9:iterations=100". */
int bench_params(bench_spec *spec, const char *text);
/* weft dynamic watch --run "pagerank:top=10", weft run FILE pagerank:damping=0.9: spec->options are the command's;
 * flags of the command with `uses` may be among the parameters.  `flag` is its name in messages. */
int bench_run_spec(bench_spec *spec, const char *flag, uint64_t uses, const char *text);
int bench_thread_list(const char *list, int threads[BENCH_MOST_THREADS], size_t *count);
void bench_specs_free(bench_spec *specs, size_t count);

/* bench_run.c: fills a row for each number of threads.  A failed row stays in the table; the exit code is then not
 * EXIT_DONE.  EXIT_INTERRUPTED: the rows from the first without times on do not exist. */
int bench_measure(const bench *b, const weft_graph *g, bench_graph *about, const bench_spec *spec);

/* bench_table.c, bench_json.c */
void bench_print(const bench *b);
void bench_json(const bench *b, FILE *to);
const char *bench_status_name(bench_status status);
/* stages.c: the time of a run by the GPU's own clock. */
double stages_kernel_ms(const weft_result *result);

/* Was everything measured?  Algorithms that do not support a graph do not count. */
bool bench_complete(const bench *b);

static inline double bench_edges_per_second(const bench_graph *about, const bench_row *row) {
    return (double)about->info.edges / row->median_ms * 1e3;
}
static inline double bench_gbs(const bench_row *row) { return row->model_bytes / row->median_ms / 1e6; }

#endif
