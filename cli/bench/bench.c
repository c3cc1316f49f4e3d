/* weft bench: times algorithms of the registry on files and generated graphs, with the protocol of bench_run.c. Nothing
 * here knows a particular algorithm: if the library refuses a plan, the row says why. */
#include "bench/bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Small enough for a table within seconds on any machine, large enough that the times mean something. */
static const char standard_graph[] = "rmat:scale=15,degree=16,undirected,max-weight=255";

/* --- the machine ---------------------------------------------------------------------- */

static void look_up_governor(char *buffer, int size) {
    FILE *f = fopen("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "r");
    if (f && fgets(buffer, size, f)) buffer[strcspn(buffer, "\n")] = 0;
    if (f) fclose(f);
}

static int describe_machine(bench *b, weft_ctx *ctx) {
    time_t now = time(NULL);
    struct tm utc;
    strftime(b->date, sizeof b->date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    look_up_governor(b->governor, sizeof b->governor);
    if (getloadavg(&b->load_before, 1) != 1) b->load_before = -1;
    b->machine.size = sizeof b->machine;
    weft_status st = weft_machine_describe(ctx, 0, &b->machine);
    if (st) return cli_fail_status(ctx, st);
    if (b->options->device < WEFT_DEVICE_CUDA || b->machine.gpus) return EXIT_DONE;
    return cli_fail(EXIT_DEVICE, "no GPU: %s", b->machine.gpu_reason);
}

static bool has_model(const weft_algorithm_info *a) { return a->model && strncmp(a->model, "none: ", 6) != 0; }

/* The bandwidth of reading memory for each number of threads, if a row will be compared with it. */
static int measure_ceilings(bench *b) {
    bool wanted = false;
    int code = EXIT_DONE;
    for (size_t i = 0; i < b->algorithm_count; i++) wanted = wanted || has_model(b->algorithms[i].algorithm);
    for (size_t t = 0; wanted && !b->options->quick && t < b->thread_count && !code; t++) {
        cli_options options = *b->options;
        weft_ctx *ctx = NULL;
        weft_machine machine = {.size = sizeof machine};
        options.threads = (uint64_t)b->threads[t];
        options.memory_limit = 0;
        code = cli_open(&options, &ctx);
        weft_status st = code ? WEFT_OK : weft_machine_describe(ctx, 1, &machine);
        cli_progress_erase();
        if (st) code = cli_fail_status(ctx, st);
        b->ceiling_gbs[t] = machine.read_gbs;
        weft_ctx_free(ctx);
    }
    return code;
}

/* 0 becomes the default number of threads. */
static int settle_threads(bench *b) {
    int code = EXIT_DONE;
    for (size_t t = 0; t < b->thread_count && !code; t++) {
        weft_ctx *ctx = NULL;
        cli_options options = *b->options;
        options.threads = (uint64_t)b->threads[t];
        code = cli_open(&options, &ctx);
        if (!code) b->threads[t] = weft_ctx_threads(ctx);
        weft_ctx_free(ctx);
    }
    return code;
}

/* --- graphs ------------------------------------------------------------------------------ */

static int get_graph(const bench *b, weft_ctx *ctx, const bench_spec *spec, bench_graph *about, weft_graph **g) {
    weft_status st = WEFT_OK;
    int code = EXIT_DONE;
    double started = cli_now_ms();
    if (spec) {
        weft_build_params build = cli_build_params(&spec->options);
        st = weft_generate(ctx, spec->generator->name, spec->params, &build, g);
    } else {
        code = cli_load(ctx, b->options, about->name, g);
    }
    if (st || code) return code ? code : cli_fail_status(ctx, st);
    about->load_ms = cli_now_ms() - started;
    /* Makes the transpose first, as GAP does, so that no row's time depends on whether an earlier row has made it.  If
     * memory does not suffice, algorithms run without it. */
    weft_csr in = {.size = sizeof in};
    started = cli_now_ms();
    st = weft_graph_in(ctx, *g, &in);
    if (st == WEFT_ENOMEM) st = WEFT_OK;
    about->prepare_ms = weft_graph_directed(*g) ? cli_now_ms() - started : 0;
    about->info.size = sizeof about->info;
    if (!st) st = weft_graph_describe(ctx, *g, &about->info);
    if (!st) st = weft_graph_fingerprint(ctx, *g, &about->checksum);
    cli_progress_erase();
    return st ? cli_fail_status(ctx, st) : EXIT_DONE;
}

/* A wrong or failed row does not stop the others; an unreadable graph and Ctrl-C do. */
static int measure_graph(bench *b, weft_ctx *ctx, const bench_spec *spec, const char *name, int *worst) {
    bench_graph *about = &b->graphs[b->graph_count];
    weft_graph *g = NULL;
    *about = (bench_graph){.name = name, .generated = spec != NULL};
    about->rows = cli_take(b->algorithm_count * b->thread_count, sizeof *about->rows);
    if (!about->rows) return EXIT_MEMORY;
    b->graph_count++;
    int code = get_graph(b, ctx, spec, about, &g);
    if (code) {
        free(about->rows);
        b->graph_count--;
    }
    for (size_t i = 0; i < b->algorithm_count && !code; i++) {
        bench_spec *algorithm = &b->algorithms[i];
        code = cli_resolve_params(ctx, b->options, g, name, algorithm->algorithm, algorithm->params);
        int outcome = code ? code : bench_measure(b, g, about, algorithm);
        if (outcome && *worst == EXIT_DONE) *worst = outcome;
        if (outcome == EXIT_INTERRUPTED) code = outcome;
    }
    weft_graph_free(g);
    return code;
}

static int measure_all(bench *b, weft_ctx *ctx, const cli_call *call, int *worst) {
    int code = EXIT_DONE;
    for (int i = 0; i < call->operand_count && !code; i++) code = measure_graph(b, ctx, NULL, call->operands[i], worst);
    for (size_t i = 0; i < b->generator_count && !code; i++)
        code = measure_graph(b, ctx, &b->generators[i], b->generators[i].label, worst);
    b->interrupted = code != EXIT_DONE;
    return code;
}

bool bench_complete(const bench *b) {
    bool complete = !b->interrupted;
    for (size_t i = 0; i < b->graph_count; i++)
        for (size_t k = 0; k < b->graphs[i].row_count; k++) complete = complete && !b->graphs[i].rows[k].not_there;
    return complete;
}

/* --- the command --------------------------------------------------------------------------- */

static int check_output(const cli_options *options) {
    rows_format format = ROWS_JSON;
    if (!options->output) return EXIT_DONE;
    bool any_ending = cli_is_stdout(options->output) || wfi_is_in_place(options->output);
    int code = any_ending ? EXIT_DONE : rows_format_of_path(options->output, false, &format);
    if (!code && format != ROWS_JSON) code = cli_fail(EXIT_USAGE, "weft bench saves .json, not '%s'", options->output);
    return code ? code : cli_check_output("-o", options->output);
}

static bool has_rows(const bench *b) { return b->graph_count && b->graphs[0].row_count; }

static int show(const bench *b, int code) {
    const cli_options *options = b->options;
    bool to_stdout = options->json || (options->output && cli_is_stdout(options->output));
    if (to_stdout)
        bench_json(b, stdout);
    else
        bench_print(b);
    if (!options->output || cli_is_stdout(options->output)) return code;
    out_file out;
    int written = out_open(&out, options->output);
    if (!written) bench_json(b, out.to);
    written = out_close(&out, written);
    return code ? code : written;
}

/* Flags are checked before anything is read: a mistake should not wait for a large file. */
static int understand(bench *b, const cli_call *call, cli_options *options) {
    const char *standard[] = {standard_graph};
    cli_list asked = options->generate;
    if (!call->operand_count && !options->generate.count) options->generate = (cli_list){standard, 1};
    int code = check_output(options);
    if (!code) code = bench_thread_list(options->bench.threads, b->threads, &b->thread_count);
    if (!code) code = bench_algorithms(options->bench.algorithms, &b->algorithms, &b->algorithm_count);
    for (size_t i = 0; i < b->algorithm_count && !code; i++)
        code = cli_check_not_params(b->algorithms[i].algorithm, b->algorithms[i].params, options->output);
    if (!code) code = bench_generators(options, &b->generators, &b->generator_count);
    options->generate = asked;
    if (!code) b->graphs = cli_take((size_t)call->operand_count + b->generator_count, sizeof *b->graphs);
    return code || b->graphs ? code : EXIT_MEMORY;
}

int cli_bench(cli_call *call) {
    bench b = {.options = &call->options};
    weft_ctx *ctx = NULL;
    int worst = EXIT_DONE;
    int code = EXIT_DONE;
    for (int i = 0; i < call->operand_count && !code; i++)
        code = cli_check_not_read(&call->options, call->operands[i], call->options.output);
    if (!code) code = understand(&b, call, &call->options);
    if (!code) code = cli_open(&call->options, &ctx);
    if (!code) code = settle_threads(&b);
    if (!code) code = describe_machine(&b, ctx);
    if (!code) code = measure_ceilings(&b);
    if (!code) {
        code = measure_all(&b, ctx, call, &worst);
        bool some = has_rows(&b);
        if (code == EXIT_INTERRUPTED)
            cli_fail(code, "interrupted: %s",
                     some ? "what was measured is shown as incomplete" : "nothing was measured");
        if (!code) code = worst;
        if (some) code = show(&b, code);
    }
    for (size_t i = 0; i < b.graph_count; i++) free(b.graphs[i].rows);
    free(b.graphs);
    bench_specs_free(b.algorithms, b.algorithm_count);
    bench_specs_free(b.generators, b.generator_count);
    weft_ctx_free(ctx);
    return code;
}
