/* Declarations that the files of weft dynamic share.  dynamic.c has the actions on a file, dynamic_apply.c applies
 * batches, dynamic_watch.c answers after each, dynamic_bench.c measures updates, dynamic_bench_runs.c algorithms
 * afterwards. */
#ifndef WEFT_CLI_DYNAMIC_H
#define WEFT_CLI_DYNAMIC_H

#include "cli.h"
#include "result/json.h"

/* Names of changes in text: +, -, =, +v, -v. */
extern const char *const dynamic_signs[];

/* Opens the file with --durable; read_only: as of batch `at`. */
int dynamic_open(const cli_call *call, weft_ctx *ctx, bool read_only, uint64_t at, weft_dynamic **d);
int dynamic_describe(weft_ctx *ctx, weft_dynamic *d, weft_dynamic_info *info);

/* dynamic_watch.c: the algorithms of --run. */
typedef struct dynamic_runs dynamic_runs;
int dynamic_runs_new(const cli_options *options, const char *file, dynamic_runs **runs);
void dynamic_runs_free(dynamic_runs *runs); /* freed before the graph that they follow */
/* With --refuse-cycles a tracker refuses cycles from here on. */
int dynamic_runs_guard(dynamic_runs *runs, weft_ctx *ctx, weft_dynamic *d);
/* Runs all of them on the graph as of batch `batch`. */
int dynamic_runs_answer(dynamic_runs *runs, weft_ctx *ctx, weft_dynamic *d, uint64_t batch);

/* dynamic_apply.c: batches of files or of standard input; runs may be NULL. */
int dynamic_take_batches(const cli_call *call, weft_ctx *ctx, weft_dynamic *d, dynamic_runs *runs);

/* dynamic_bench_runs.c: algorithms on a snapshot and on the same graph built at once; the medians of alternating
 * runs.  The results must be the same bits. */
enum { DYNAMIC_BENCH_RUNS = 4 };
typedef struct dynamic_bench_run {
    const char *algorithm;
    double snapshot_ms, fixed_ms; /* 0: the algorithm does not support this graph */
} dynamic_bench_run;
int dynamic_bench_compare(weft_ctx *ctx, const weft_graph *snapshot, const weft_graph *fixed,
                          dynamic_bench_run runs[DYNAMIC_BENCH_RUNS]);
void dynamic_bench_print(const dynamic_bench_run runs[DYNAMIC_BENCH_RUNS]);
void dynamic_bench_json(json *j, const dynamic_bench_run runs[DYNAMIC_BENCH_RUNS]);

int dynamic_apply(cli_call *call, weft_ctx *ctx);
int dynamic_watch(cli_call *call, weft_ctx *ctx);
int dynamic_bench(cli_call *call, weft_ctx *ctx);

#endif
