/* Measures one algorithm on one graph, for each number of threads.  Protocol: every case (one for each source, or just
 * one) is run once and its result goes through the verifier; the digest of its bytes is kept.  Then come the timed
 * runs, and each must give the bytes that were verified, with any number of threads: so no time is without a verified
 * answer (but with --unverified, and then the row says so), and no verifier runs between two timed runs.  Each number
 * of threads has a context of its own, whose high-water mark is the run's own memory. */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

enum { STANDARD_WIDTH = 16 };

typedef struct job {
    const bench *b;
    const weft_graph *g;
    const bench_spec *spec;
    weft_ctx *ctx;
    bench_row *row;
    size_t cases;
    weft_vid *source;  /* of each case; NULL: the parameters are complete */
    uint64_t *digest;  /* of each case, once verified */
    weft_plan **plan;  /* of each case */
    size_t vertex_at;  /* offset of the source in the parameters */
    int verified_with; /* threads; 0: not verified yet */
} job;

/* --- the bytes of a result ---------------------------------------------------------- */

static uint64_t mix(uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

/* Combines several digests into one. */
static uint64_t digest_all(const uint64_t *digests, size_t count) {
    uint64_t digest = 0;
    for (size_t i = 0; i < count; i++) digest = mix(digest + digests[i]);
    return mix(digest);
}

/* --- cases --------------------------------------------------------------------------- */

/* Draws sources as bfs --sources random:K does. */
static int draw_sources(job *j, size_t count) {
    weft_ctx *ctx = NULL;
    j->source = cli_take(count, sizeof *j->source);
    if (!j->source) return EXIT_MEMORY;
    weft_status st = weft_ctx_new(&ctx); /* no row exists yet */
    if (!st) st = weft_random_sources(ctx, j->g, count, 1, j->source);
    int code = st ? cli_fail_status(ctx, st) : EXIT_DONE;
    weft_ctx_free(ctx);
    return code;
}

/* An algorithm that needs a source, where none was given, starts from several. */
static int make_cases(job *j) {
    const weft_algorithm_info *a = j->spec->algorithm;
    int code = EXIT_DONE;
    j->cases = 1;
    for (size_t i = 0; i < a->param_count; i++) {
        const weft_param_info *param = weft_algorithm_param_at(a, i);
        weft_vid v;
        if (param->type != WEFT_PARAM_VERTEX || !weft_graph_vertices(j->g)) continue;
        memcpy(&v, (const char *)j->spec->params + param->offset, sizeof v);
        if (v != WEFT_NO_VERTEX) break;
        j->cases = (size_t)j->b->options->bench.sources;
        j->vertex_at = param->offset;
        code = draw_sources(j, j->cases);
        break;
    }
    j->digest = cli_take(j->cases, sizeof *j->digest);
    j->plan = cli_take(j->cases, sizeof(weft_plan *));
    return code || !j->digest || !j->plan ? EXIT_MEMORY : EXIT_DONE;
}

/* Sets the source of a case in the parameters, and resets it. */
static void put_source(const job *j, weft_vid v) {
    if (j->source) memcpy((char *)j->spec->params + j->vertex_at, &v, sizeof v);
}

/* A required matrix that was not given has STANDARD_WIDTH columns of numbers from 0 to 1, a function of row and column.
 * It is freed with the parameters. */
static int make_matrices(job *j) {
    const weft_algorithm_info *a = j->spec->algorithm;
    for (size_t i = 0; i < a->param_count; i++) {
        const weft_param_info *param = weft_algorithm_param_at(a, i);
        weft_matrix *matrix;
        void *place = (char *)j->spec->params + param->offset;
        if (param->type != WEFT_PARAM_MATRIX || param->standard) continue;
        memcpy(&matrix, place, sizeof matrix);
        if (matrix) continue;
        size_t count = (size_t)weft_graph_vertices(j->g) * STANDARD_WIDTH;
        matrix = cli_take(1, sizeof *matrix);
        if (!matrix) return EXIT_MEMORY;
        memcpy(place, &matrix, sizeof matrix);
        float *data = cli_take(count, sizeof *data);
        if (!data) return EXIT_MEMORY;
        for (size_t k = 0; k < count; k++) data[k] = (float)(mix(k) >> 40) * 0x1p-24f;
        *matrix = (weft_matrix){sizeof *matrix, data, weft_graph_vertices(j->g), STANDARD_WIDTH, WEFT_F32};
    }
    return EXIT_DONE;
}

static weft_status make_plan(job *j, size_t at) {
    if (j->source) put_source(j, j->source[at]);
    weft_status st = weft_plan_new(j->ctx, j->spec->algorithm->name, j->g, j->spec->params, &j->plan[at]);
    put_source(j, WEFT_NO_VERTEX);
    return st;
}

/* --- a row ---------------------------------------------------------------------------- */

static int ends(bench_row *row, bench_status status, const char *message) {
    row->status = status;
    cli_line line;
    snprintf(row->message, sizeof row->message, "%s", cli_flag_line(line, message));
    return status == BENCH_SKIPPED ? EXIT_DONE : EXIT_NO;
}

static int fails(const job *j, weft_status st) {
    if (cli_interrupted() || st == WEFT_ECANCELLED) return EXIT_INTERRUPTED;
    if (st == WEFT_EINVAL && !j->spec->given) /* default parameters that do not suit this graph */
        return ends(j->row, BENCH_SKIPPED, weft_ctx_message(j->ctx));
    ends(j->row, BENCH_FAILED, weft_ctx_message(j->ctx));
    return cli_exit_of(st);
}

/* A refusal is no failure: the graph is of the wrong kind, or too large for the memory limit. */
static int make_plans(job *j) {
    bench_row *row = j->row;
    for (size_t i = 0; i < j->cases; i++) {
        double started = cli_now_ms();
        weft_status st = make_plan(j, i);
        if (!i) row->prepare_ms = cli_now_ms() - started;
        if (st == WEFT_ECANCELLED || cli_interrupted()) return EXIT_INTERRUPTED;
        row->not_there = st == WEFT_EDEVICE;
        if (st) return ends(row, BENCH_SKIPPED, weft_ctx_message(j->ctx));
    }
    row->device = weft_plan_device(j->plan[0]) == WEFT_DEVICE_CUDA ? "cuda" : "cpu";
    snprintf(row->method, sizeof row->method, "%s", weft_plan_method(j->plan[0]));
    snprintf(row->reason, sizeof row->reason, "%s", weft_plan_reason(j->plan[0]));
    return EXIT_DONE;
}

static void keep_answer(job *j, const weft_result *result) {
    const weft_algorithm_info *a = j->spec->algorithm;
    bench_row *row = j->row;
    row->model_bytes = weft_plan_model_bytes(j->plan[0], result);
    for (size_t i = 0; i < a->result_count && row->scalar_count < BENCH_MOST_SCALARS; i++) {
        const weft_result_info *info = weft_algorithm_result_at(a, i);
        const weft_scalar *scalar = info->shape ? NULL : weft_result_scalar(result, info->name);
        if (!scalar) continue;
        row->scalars[row->scalar_count] = *scalar;
        row->scalars[row->scalar_count++].name = info->name; /* the text is freed with the result */
    }
}

static int compare(const job *j, size_t at, uint64_t digest) {
    char text[200];
    if (digest == j->digest[at]) return EXIT_DONE;
    snprintf(text, sizeof text,
             "NOT REPRODUCIBLE: a run with %d thread(s) differs from the verified one with %d; please report this",
             j->row->threads, j->verified_with);
    return ends(j->row, BENCH_WRONG, text);
}

static int verify(job *j, size_t at, const weft_result *result) {
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    if (j->b->options->bench.unverified) return EXIT_DONE;
    if (j->source) put_source(j, j->source[at]);
    weft_status st = weft_check(j->ctx, j->spec->algorithm->name, j->g, j->spec->params, result, &report);
    put_source(j, WEFT_NO_VERTEX);
    if (st || cli_interrupted()) return fails(j, st ? st : WEFT_ECANCELLED);
    return report.passed ? EXIT_DONE : ends(j->row, BENCH_WRONG, report.message);
}

/* The warm-up: one verified run of each case; for further numbers of threads a single run. */
static int warm_up(job *j, uint64_t graph_bytes) {
    int code = EXIT_DONE;
    size_t count = j->verified_with ? 1 : j->cases;
    for (size_t i = 0; i < count && !code; i++) {
        weft_result *result = NULL;
        cli_progress_line(j->b->options, "%s: checking %zu of %zu", j->spec->label, i + 1, count);
        double started = cli_now_ms();
        weft_status st = weft_plan_run(j->plan[i], &result);
        double ms = cli_now_ms() - started;
        if (st) return fails(j, st);
        if (!i) {
            j->row->first_ms = ms;
            j->row->bytes_peak = graph_bytes + weft_ctx_memory_peak(j->ctx);
            keep_answer(j, result);
        }
        uint64_t digest;
        st = weft_result_digest(j->ctx, result, &digest);
        if (st) {
            code = fails(j, st);
        } else if (j->verified_with) {
            code = compare(j, i, digest);
        } else {
            j->digest[i] = digest;
            code = verify(j, i, result);
        }
        weft_result_free(result);
    }
    return code;
}

/* Would another round exceed --seconds?  Every case is run equally often. */
static bool enough(const job *j, size_t done, double started) {
    double seconds = j->b->options->seconds;
    return seconds > 0 && done >= BENCH_LEAST_RUNS && done % j->cases == 0 && cli_now_ms() - started > 1e3 * seconds;
}

/* *most becomes the number of runs. */
static int time_runs(job *j, double *ms, double *kernel_ms, size_t *most) {
    int code = EXIT_DONE;
    size_t runs = *most;
    double begun = cli_now_ms();
    for (size_t i = 0; i < runs && !code; i++) {
        if (enough(j, i, begun)) {
            *most = i;
            break;
        }
        weft_result *result = NULL;
        cli_progress_line(j->b->options, "%s, %d thread%s: run %zu of %zu", j->spec->label, j->row->threads,
                          j->row->threads == 1 ? "" : "s", i + 1, runs);
        double started = cli_now_ms();
        weft_status st = weft_plan_run(j->plan[i % j->cases], &result);
        ms[i] = cli_now_ms() - started;
        if (st) return fails(j, st);
        kernel_ms[i] = stages_kernel_ms(result);
        uint64_t digest;
        st = weft_result_digest(j->ctx, result, &digest);
        code = st ? fails(j, st) : compare(j, i % j->cases, digest);
        weft_result_free(result);
    }
    return code;
}

static int measure_row(job *j, uint64_t graph_bytes) {
    bench_row *row = j->row;
    int code = make_plans(j);
    if (code || row->status == BENCH_SKIPPED) return code;
    code = warm_up(j, graph_bytes);
    if (code || row->status == BENCH_SKIPPED) return code;
    if (!j->verified_with) j->verified_with = row->threads;
    size_t repeat = (size_t)j->b->options->runs, runs = (repeat + j->cases - 1) / j->cases * j->cases;
    double *ms = cli_take(2 * runs, sizeof *ms), *kernel_ms = ms + runs;
    code = ms ? time_runs(j, ms, kernel_ms, &runs) : EXIT_MEMORY;
    if (!code) {
        cli_times whole = cli_sort_times(ms, runs);
        row->status = j->b->options->bench.unverified ? BENCH_MEASURED : BENCH_VERIFIED;
        row->runs = runs;
        row->sources = j->source ? j->cases : 0;
        row->digest = digest_all(j->digest, j->cases);
        row->min_ms = whole.min;
        row->median_ms = whole.median;
        row->max_ms = whole.max;
        row->kernel_ms = cli_sort_times(kernel_ms, runs).median;
    }
    free(ms);
    return code;
}

/* A context with t threads, limited to --memory-limit less the graph. */
static int open_context(const job *j, int threads, uint64_t graph_bytes, weft_ctx **ctx) {
    cli_options options = *j->b->options;
    options.threads = (uint64_t)threads;
    if (options.memory_limit && options.memory_limit != CLI_NOT_GIVEN) /* the control group counts the graph already */
        options.memory_limit = options.memory_limit > graph_bytes ? options.memory_limit - graph_bytes : 1;
    int code = cli_open(&options, ctx);
    if (!code) weft_ctx_set_progress(*ctx, NULL, NULL);
    if (!code) weft_ctx_set_warning(*ctx, NULL, NULL);
    return code;
}

/* The reason why it cannot be measured, or NULL. */
static const char *obstacle(const bench_spec *spec, char buffer[128]) {
    const weft_algorithm_info *a = spec->algorithm;
    if (!weft_check_exists(a->name)) return "it has no verifier, and there is no time without a verified answer";
    for (size_t i = 0; i < a->param_count && !spec->given; i++) {
        const weft_param_info *param = weft_algorithm_param_at(a, i);
        if (!param->standard && param->type != WEFT_PARAM_MATRIX) {
            snprintf(buffer, 128, "it needs --%s: give it as --algos %s:%s=...", param->name, a->name, param->name);
            return buffer;
        }
    }
    return NULL;
}

int bench_measure(const bench *b, const weft_graph *g, bench_graph *about, const bench_spec *spec) {
    job j = {.b = b, .g = g, .spec = spec};
    char buffer[128];
    const char *why_not = obstacle(spec, buffer);
    int code = why_not ? EXIT_DONE : make_cases(&j), worst;
    if (!why_not && !code) code = make_matrices(&j);
    worst = code;
    for (size_t t = 0; t < b->thread_count && code != EXIT_INTERRUPTED && code != EXIT_MEMORY; t++) {
        weft_graph_info now = {.size = sizeof now};
        j.row = &about->rows[about->row_count];
        *j.row = (bench_row){.spec = spec, .threads = b->threads[t], .ceiling_gbs = b->ceiling_gbs[t]};
        code = EXIT_DONE;
        if (why_not) {
            ends(j.row, BENCH_SKIPPED, why_not);
        } else {
            code = open_context(&j, b->threads[t], about->info.bytes, &j.ctx);
            weft_status st = code ? WEFT_OK : weft_graph_describe(j.ctx, g, &now);
            if (st) code = fails(&j, st);
            if (!code) code = measure_row(&j, now.bytes);
        }
        for (size_t i = 0; j.plan && i < j.cases; i++) {
            weft_plan_free(j.plan[i]);
            j.plan[i] = NULL;
        }
        weft_ctx_free(j.ctx);
        j.ctx = NULL;
        cli_progress_erase();
        if (code != EXIT_INTERRUPTED) about->row_count++;
        if (code && (worst == EXIT_DONE || code == EXIT_INTERRUPTED)) worst = code;
        if (j.row->status == BENCH_SKIPPED) break; /* the same for every number of threads */
        if (j.row->status == BENCH_WRONG && !j.verified_with) break;
    }
    free(j.source);
    free(j.digest);
    free(j.plan);
    return worst;
}
