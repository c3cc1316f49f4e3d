/* weft dynamic watch FILE --run pagerank:top=10: answers after each batch, from a snapshot.
 * With files of batches (or - for standard input) it applies them itself; without, it follows the file while another program writes to it. */
#include "answer.h"
#include "bench.h"
#include "dynamic.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POLL_US = 20000 };

struct dynamic_runs {
    const char *file;
    bench_spec *specs;
    size_t count;
};

int dynamic_runs_new(const cli_options *options, const char *file, dynamic_runs **out) {
    size_t count = options->runs_asked.count;
    if (!count) return cli_fail(EXIT_USAGE, "weft dynamic watch needs --run ALGORITHM, such as --run pagerank:top=10");
    dynamic_runs *runs = *out = cli_take(1, sizeof *runs);
    if (!runs) return EXIT_MEMORY;
    runs->file = file;
    runs->specs = cli_take(count, sizeof *runs->specs);
    int code = runs->specs ? EXIT_DONE : EXIT_MEMORY;
    for (size_t i = 0; i < count && !code; i++) {
        bench_spec *spec = &runs->specs[runs->count++];
        spec->options = *options;
        code = bench_run_spec(spec, options->runs_asked.items[i]);
    }
    return code;
}

void dynamic_runs_free(dynamic_runs *runs) {
    if (!runs) return;
    bench_specs_free(runs->specs, runs->count);
    free(runs);
}

static int answer_one(const dynamic_runs *runs, bench_spec *spec, weft_ctx *ctx, weft_graph *g, uint64_t batch) {
    cli_call call = {.options = spec->options,
                     .name = spec->algorithm->name,
                     .operands = (const char *[]){runs->file},
                     .operand_count = 1,
                     .params = spec->params,
                     .algorithm = spec->algorithm};
    call.options.output = NULL;
    answer a = {
        .call = &call, .ctx = ctx, .g = g, .batch = batch, .of_batch = true, .report = WEFT_CHECK_REPORT_DEFAULTS};
    double begin = cli_now_ms();
    int code = cli_resolve_params(ctx, &call.options, g, runs->file, spec->algorithm, spec->params);
    weft_status st = code ? WEFT_OK : weft_plan_new(ctx, spec->algorithm->name, g, spec->params, &a.plan);
    a.prepare_ms = cli_now_ms() - begin;
    if (st) code = cli_fail_status(ctx, st);
    if (!code) code = answer_run(&a);
    if (!code) code = answer_show(&a, ROWS_TSV);
    cli_progress_erase();
    free(a.order);
    free(a.names);
    free(a.vertex_columns);
    free(a.table_columns);
    weft_result_free(a.result);
    weft_plan_free(a.plan);
    return code == EXIT_NO ? EXIT_DONE : code;
}

int dynamic_runs_answer(dynamic_runs *runs, weft_ctx *ctx, weft_dynamic *d, uint64_t batch) {
    weft_graph *g = NULL;
    weft_status st = weft_dynamic_snapshot(ctx, d, &g);
    int code = st ? cli_fail_status(ctx, st) : EXIT_DONE;
    for (size_t i = 0; i < runs->count && !code; i++) code = answer_one(runs, &runs->specs[i], ctx, g, batch);
    cli_flush_stdout();
    weft_graph_free(g);
    return code;
}

/* Until Ctrl-C, or until nobody reads the answers. */
static int follow(weft_ctx *ctx, weft_dynamic *d, dynamic_runs *runs) {
    weft_dynamic_info info;
    int code = dynamic_describe(ctx, d, &info);
    if (!code) code = dynamic_runs_answer(runs, ctx, d, info.version);
    while (!code && !cli_stdout_has_no_reader()) {
        int more = 0;
        weft_status st = cli_interrupted() ? WEFT_ECANCELLED : weft_dynamic_follow(ctx, d, &more);
        cli_progress_erase();
        if (st) return st == WEFT_ECANCELLED ? EXIT_INTERRUPTED : cli_fail_status(ctx, st);
        if (more)
            code = dynamic_runs_answer(runs, ctx, d, ++info.version);
        else
            usleep(POLL_US);
    }
    return code;
}

int dynamic_watch(cli_call *call, weft_ctx *ctx) {
    weft_dynamic *d = NULL;
    dynamic_runs *runs = NULL;
    bool follows = call->operand_count < 3;
    int code = dynamic_runs_new(&call->options, call->operands[1], &runs);
    if (!code) code = dynamic_open(call, ctx, follows, WEFT_LAST_BATCH, &d);
    if (!code) code = follows ? follow(ctx, d, runs) : dynamic_take_batches(call, ctx, d, runs);
    weft_dynamic_free(d);
    dynamic_runs_free(runs);
    return code;
}
