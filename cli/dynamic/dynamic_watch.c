/* weft dynamic watch FILE --run pagerank:top=10: answers after each batch, from the changes or from a snapshot.  With
 * files of batches (or - for standard input) it applies them itself; without, it follows the file while another program
 * writes to it. */
#include "bench/bench.h"
#include "dynamic/dynamic.h"
#include "result/answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POLL_US = 20000 };

typedef struct asked {
    weft_tracker *tracker; /* NULL until there is an answer: its parameters may name a vertex that does not exist yet */
    bool refuses;
    bool listed; /* its parameters are lists of vertices, which no tracker supports: it runs each time */
} asked;

struct dynamic_runs {
    const char *file;
    bench_spec *specs;
    asked *asked;
    size_t count;
    int code; /* of the last batch: there was no answer for this graph */
};

/* A parameter that names a file is refused in --run. */
static int check_files(const bench_spec *spec) {
    for (size_t i = 0; i < spec->algorithm->param_count; i++) {
        const weft_param_info *param = weft_algorithm_param_at(spec->algorithm, i);
        if (param->type == WEFT_PARAM_MATRIX && !param->standard)
            return cli_fail(EXIT_USAGE, "weft dynamic watch cannot run %s, which needs a file: --%s",
                            spec->algorithm->name, param->name);
    }
    return EXIT_DONE;
}

int dynamic_runs_new(const cli_options *options, const char *file, dynamic_runs **out) {
    size_t count = options->dynamic.runs.count;
    if (!count) return cli_fail(EXIT_USAGE, "weft dynamic watch needs --run ALGORITHM, such as --run pagerank:top=10");
    dynamic_runs *runs = *out = cli_take(1, sizeof *runs);
    if (!runs) return EXIT_MEMORY;
    runs->file = file;
    runs->specs = cli_take(count, sizeof *runs->specs);
    runs->asked = cli_take(count, sizeof *runs->asked);
    int code = runs->specs && runs->asked ? EXIT_DONE : EXIT_MEMORY;
    bool guarded = false, warm = false;
    for (size_t i = 0; i < count && !code; i++) {
        bench_spec *spec = &runs->specs[runs->count++];
        spec->options = *options;
        code = bench_run_spec(spec, "dynamic watch --run", USE_ROWS, options->dynamic.runs.items[i]);
        if (!code) code = check_files(spec);
        if (code) break;
        runs->asked[i].refuses = options->dynamic.refuse_cycles && !strcmp(spec->algorithm->name, "cycle");
        guarded = guarded || runs->asked[i].refuses;
        warm = warm || !strcmp(spec->algorithm->name, "pagerank");
    }
    if (!code && options->dynamic.refuse_cycles && !guarded)
        code = cli_fail(EXIT_USAGE, "--refuse-cycles needs --run cycle");
    if (!code && options->dynamic.warm && !warm) code = cli_fail(EXIT_USAGE, "--warm needs --run pagerank");
    return code;
}

static void forget(asked *a) {
    weft_tracker_free(a->tracker);
    a->tracker = NULL;
}

void dynamic_runs_free(dynamic_runs *runs) {
    if (!runs) return;
    for (size_t i = 0; i < runs->count; i++) forget(&runs->asked[i]);
    bench_specs_free(runs->specs, runs->count);
    free(runs->asked);
    free(runs);
}

/* Resolves the parameters' vertices in this graph. */
static int resolve(const dynamic_runs *runs, size_t i, weft_ctx *ctx, const weft_graph *g) {
    bench_spec *spec = &runs->specs[i];
    return cli_resolve_params(ctx, &spec->options, g, runs->file, spec->algorithm, spec->params);
}

/* The tracker decides: an update from the changes, or a run. */
static int track(const dynamic_runs *runs, size_t i, weft_ctx *ctx, weft_dynamic *d) {
    bench_spec *spec = &runs->specs[i];
    weft_track_params how = WEFT_TRACK_DEFAULTS;
    how.refuse = runs->asked[i].refuses;
    how.warm = spec->options.dynamic.warm && !strcmp(spec->algorithm->name, "pagerank");
    weft_status st = weft_dynamic_track(ctx, d, spec->algorithm->name, spec->params, &how, &runs->asked[i].tracker);
    runs->asked[i].listed = st == WEFT_EUNSUPPORTED;
    return st && st != WEFT_EUNSUPPORTED ? cli_fail_status(ctx, st) : EXIT_DONE;
}

/* Are these parameters valid, apart from vertices, which may come later? */
static int try_params(const dynamic_runs *runs, size_t i, weft_ctx *ctx, const weft_graph *g) {
    weft_plan *plan = NULL;
    weft_status st = weft_plan_new(ctx, runs->specs[i].algorithm->name, g, runs->specs[i].params, &plan);
    weft_plan_free(plan);
    return st == WEFT_EINVAL ? cli_fail_status(ctx, st) : EXIT_DONE;
}

int dynamic_runs_guard(dynamic_runs *runs, weft_ctx *ctx, weft_dynamic *d) {
    weft_graph *g = NULL;
    int code = EXIT_DONE;
    weft_status st = weft_dynamic_snapshot(ctx, d, &g);
    if (st) return cli_fail_status(ctx, st);
    for (size_t i = 0; i < runs->count && !code; i++) {
        code = try_params(runs, i, ctx, g);
        if (code || !runs->asked[i].refuses) continue;
        code = resolve(runs, i, ctx, g);
        if (!code) code = track(runs, i, ctx, d);
    }
    weft_graph_free(g);
    return code;
}

/* The graph has no answer now: a vertex is missing, or the algorithm refuses a weight.  A later graph may have one. */
static int pass(dynamic_runs *runs, size_t i, uint64_t batch, int code) {
    const bench_spec *spec = &runs->specs[i];
    cli_note(&spec->options, "batch %" PRIu64 ": no answer of %s; it is asked again after the next batch", batch,
             spec->algorithm->name);
    if (!runs->asked[i].refuses) forget(&runs->asked[i]);
    runs->code = code;
    return EXIT_DONE;
}

static weft_status run_listed(weft_ctx *ctx, const bench_spec *spec, const weft_graph *g, uint64_t batch,
                              weft_tracker_info *info, weft_result **result) {
    weft_plan *plan = NULL;
    weft_status st = weft_plan_new(ctx, spec->algorithm->name, g, spec->params, &plan);
    if (!st) st = weft_plan_run(plan, result);
    weft_plan_free(plan);
    info->version = batch;
    snprintf(info->reason, sizeof info->reason, "a list of vertices is not followed: from scratch each time");
    return st;
}

static int answer_one(dynamic_runs *runs, size_t i, weft_ctx *ctx, weft_dynamic *d, weft_graph *g, uint64_t batch) {
    bench_spec *spec = &runs->specs[i];
    weft_tracker_info info = {.size = sizeof info};
    cli_call call = {.options = spec->options,
                     .name = spec->algorithm->name,
                     .operands = (const char *[]){runs->file},
                     .operand_count = 1,
                     .params = spec->params,
                     .algorithm = spec->algorithm};
    call.options.output = NULL;
    answer a = {
        .call = &call, .ctx = ctx, .g = g, .batch = batch, .followed = &info, .report = WEFT_CHECK_REPORT_DEFAULTS};
    asked *ask = &runs->asked[i];
    int code = ask->tracker ? EXIT_DONE : resolve(runs, i, ctx, g);
    if (!code && !ask->tracker && !ask->listed) code = track(runs, i, ctx, d);
    double started = cli_now_ms();
    weft_status st = WEFT_OK;
    if (!code && ask->listed) st = run_listed(ctx, spec, g, batch, &info, &a.result);
    if (!code && ask->tracker) st = weft_tracker_result(ctx, ask->tracker, &a.result);
    a.run_ms.median = cli_now_ms() - started;
    if (!code && !st && ask->tracker) st = weft_tracker_describe(ctx, ask->tracker, &info);
    cli_progress_erase();
    if (st) code = cli_fail_status(ctx, st);
    if (code == EXIT_INPUT) return pass(runs, i, batch, code);
    if (!code) code = answer_show(&a, ROWS_TSV);
    answer_forget_rows(&a);
    groups_free(ctx, &a.groups);
    weft_result_free(a.result);
    return code == EXIT_NO ? EXIT_DONE : code;
}

int dynamic_runs_answer(dynamic_runs *runs, weft_ctx *ctx, weft_dynamic *d, uint64_t batch) {
    weft_graph *g = NULL;
    weft_status st = weft_dynamic_snapshot(ctx, d, &g);
    int code = st ? cli_fail_status(ctx, st) : EXIT_DONE;
    runs->code = EXIT_DONE;
    for (size_t i = 0; i < runs->count && !code; i++) code = answer_one(runs, i, ctx, d, g, batch);
    cli_flush_stdout();
    weft_graph_free(g);
    return code;
}

/* Reads the file as of now: batches in between were not seen. */
static int open_again(const cli_call *call, weft_ctx *ctx, weft_dynamic **d, dynamic_runs *runs) {
    cli_note(&call->options, "%s was replaced, and is followed from where it is now", call->operands[1]);
    for (size_t i = 0; i < runs->count; i++) forget(&runs->asked[i]);
    weft_dynamic_free(*d);
    *d = NULL;
    return dynamic_open(call, ctx, true, WEFT_LAST_BATCH, d);
}

/* Watches until Ctrl-C, or until standard output is closed. */
static int follow(const cli_call *call, weft_ctx *ctx, weft_dynamic **d, dynamic_runs *runs) {
    weft_dynamic_info info;
    int code = dynamic_describe(ctx, *d, &info);
    if (!code) code = dynamic_runs_answer(runs, ctx, *d, info.version);
    while (!code && !cli_stdout_has_no_reader()) {
        int more = 0;
        weft_status st = cli_interrupted() ? WEFT_ECANCELLED : weft_dynamic_follow(ctx, *d, &more);
        cli_progress_erase();
        if (st == WEFT_EUNSUPPORTED) {
            code = open_again(call, ctx, d, runs);
            if (!code) code = dynamic_describe(ctx, *d, &info);
            if (!code) code = dynamic_runs_answer(runs, ctx, *d, info.version);
            continue;
        }
        if (st) return st == WEFT_ECANCELLED ? EXIT_INTERRUPTED : cli_fail_status(ctx, st);
        if (more)
            code = dynamic_runs_answer(runs, ctx, *d, ++info.version);
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
    if (!code && follows && call->options.dynamic.refuse_cycles)
        code = cli_fail(EXIT_USAGE,
                        "--refuse-cycles is for batches that are applied here: weft dynamic watch FILE BATCHES");
    if (!code) code = dynamic_runs_guard(runs, ctx, d);
    if (!code) code = follows ? follow(call, ctx, &d, runs) : dynamic_take_batches(call, ctx, d, runs);
    if (!code) code = runs->code;
    dynamic_runs_free(runs);
    weft_dynamic_free(d);
    return code;
}
