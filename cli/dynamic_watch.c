/* weft dynamic watch FILE --run pagerank:top=10: answers after each batch, from the changes or from a snapshot.
 * With files of batches (or - for standard input) it applies them itself; without, it follows the file while another program writes to it. */
#include "answer.h"
#include "bench.h"
#include "dynamic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POLL_US = 20000 };

typedef struct asked {
    weft_tracker *tracker; /* NULL until the first answer: its parameters may name a vertex */
    bool refuses;
} asked;

struct dynamic_runs {
    const char *file;
    bench_spec *specs;
    asked *asked;
    size_t count;
    int code; /* of the last batch: an answer that could not be had, since what it names is not there yet */
};

int dynamic_runs_new(const cli_options *options, const char *file, dynamic_runs **out) {
    size_t count = options->runs_asked.count;
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
        code = bench_run_spec(spec, "dynamic watch --run", USE_ROWS, options->runs_asked.items[i]);
        if (code) break;
        runs->asked[i].refuses = options->refuse_cycles && !strcmp(spec->algorithm->name, "cycle");
        guarded = guarded || runs->asked[i].refuses;
        warm = warm || !strcmp(spec->algorithm->name, "pagerank");
    }
    if (!code && options->refuse_cycles && !guarded) code = cli_fail(EXIT_USAGE, "--refuse-cycles needs --run cycle");
    if (!code && options->warm && !warm) code = cli_fail(EXIT_USAGE, "--warm needs --run pagerank");
    return code;
}

void dynamic_runs_free(dynamic_runs *runs) {
    if (!runs) return;
    for (size_t i = 0; i < runs->count; i++) weft_tracker_free(runs->asked[i].tracker);
    bench_specs_free(runs->specs, runs->count);
    free(runs->asked);
    free(runs);
}

/* What the parameters name, as vertices of this graph. */
static int resolve(const dynamic_runs *runs, size_t i, weft_ctx *ctx, const weft_graph *g) {
    bench_spec *spec = &runs->specs[i];
    return cli_resolve_params(ctx, &spec->options, g, runs->file, spec->algorithm, spec->params);
}

/* From the changes, or by a run: the tracker knows which.  Lists of vertices cannot be followed, and are run each time. */
static int track(const dynamic_runs *runs, size_t i, weft_ctx *ctx, weft_dynamic *d) {
    bench_spec *spec = &runs->specs[i];
    weft_track_params how = WEFT_TRACK_DEFAULTS;
    how.refuse = runs->asked[i].refuses;
    how.warm = spec->options.warm && !strcmp(spec->algorithm->name, "pagerank");
    weft_status st = weft_dynamic_track(ctx, d, spec->algorithm->name, spec->params, &how, &runs->asked[i].tracker);
    return st ? cli_fail_status(ctx, st) : EXIT_DONE;
}

int dynamic_runs_guard(dynamic_runs *runs, weft_ctx *ctx, weft_dynamic *d) {
    weft_graph *g = NULL;
    int code = EXIT_DONE;
    for (size_t i = 0; i < runs->count && !code; i++) {
        if (!runs->asked[i].refuses) continue;
        weft_status st = g ? WEFT_OK : weft_dynamic_snapshot(ctx, d, &g);
        code = st ? cli_fail_status(ctx, st) : resolve(runs, i, ctx, g);
        if (!code) code = track(runs, i, ctx, d);
    }
    weft_graph_free(g);
    return code;
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
    int code = runs->asked[i].tracker ? EXIT_DONE : resolve(runs, i, ctx, g);
    if (code == EXIT_INPUT) {
        cli_note(&spec->options, "batch %" PRIu64 ": no answer of %s; it is asked again after the next batch", batch,
                 call.name);
        runs->code = code;
        return EXIT_DONE;
    }
    if (!code && !runs->asked[i].tracker) code = track(runs, i, ctx, d);
    double started = cli_now_ms();
    weft_status st = code ? WEFT_OK : weft_tracker_result(ctx, runs->asked[i].tracker, &a.result);
    a.run_ms.median = cli_now_ms() - started;
    if (!code && !st) st = weft_tracker_describe(ctx, runs->asked[i].tracker, &info);
    cli_progress_erase();
    if (st) code = cli_fail_status(ctx, st);
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
    if (!code && follows && call->options.refuse_cycles)
        code = cli_fail(EXIT_USAGE,
                        "--refuse-cycles is for batches that are applied here: weft dynamic watch FILE BATCHES");
    if (!code) code = dynamic_runs_guard(runs, ctx, d);
    if (!code) code = follows ? follow(ctx, d, runs) : dynamic_take_batches(call, ctx, d, runs);
    if (!code) code = runs->code;
    dynamic_runs_free(runs);
    weft_dynamic_free(d);
    return code;
}
