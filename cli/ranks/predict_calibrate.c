/* weft predict --calibrate: the error of the model.  Virtual ranks, threads of this process whose messages have a delay
 * and a bandwidth, run the algorithms; the model predicts these runs from the run of one rank alone.  Ranks share the
 * cores of this machine, which the model takes into account.  Of several runs the fastest counts: the others were
 * disturbed. */
#include "ranks/predict_call.h"
#include "weft/machine.h"
#include "weft/pagerank.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 16, QUICK_RANKS = 4, RUNS = 3, ITERATIONS = 5, SCALE = 16, DEGREE = 16, ROWS = 64 };

static const wfi_cost_link links[] = {{1e-3, 2e7}, {5e-3, 1e9}, {1e-3, 4e6}}; /* quick: the first */
enum { LINKS = sizeof links / sizeof *links };

/* One rank of a run. */
typedef struct member {
    weft_ctx *ctx;
    const weft_graph *g;
    predicted algorithm;
    int columns; /* of the grid of ranks */
    weft_status status;
    double seconds, sent; /* on the first rank: bytes of a run, by all ranks */
} member;

typedef struct row {
    predicted algorithm;
    wfi_cost_cut cut;
    int ranks;
    wfi_cost_link link;
    double seconds, sent, seconds_predicted, sent_predicted;
} row;

/* The graphs: undirected, and directed without incoming rows for degree, which then has something to send. */
typedef struct calibration {
    const cli_options *options;
    weft_ctx *ctx;
    weft_graph *both_ways, *one_way;
    weft_graph_info info[2];
    wfi_cost_machine costs; /* as measured here */
    predict_machine machine;
    row rows[ROWS];
    size_t count;
} calibration;

static bool is_directed(predicted algorithm) { return algorithm == PREDICT_DEGREE; }

/* --- a run on virtual ranks --------------------------------------------------------------- */

static weft_status measure(member *s, weft_plan *plan) {
    uint64_t sent[MOST_RANKS];
    int ranks = weft_ctx_ranks(s->ctx);
    weft_status st = WEFT_OK;
    s->seconds = (double)INFINITY;
    for (int i = 0; i <= RUNS && !st; i++) {
        weft_result *r = NULL;
        double started = cli_now_ms();
        st = weft_plan_run(plan, &r);
        if (i) s->seconds = fmin(s->seconds, (cli_now_ms() - started) / 1e3); /* the first is cold */
        weft_result_free(r);
    }
    if (!st) st = weft_plan_ranks(plan, WEFT_RANK_SENT, sent);
    for (int i = 0; i < ranks && !st; i++) s->sent += (double)sent[i];
    return st;
}

static void *take_part(void *given) {
    member *s = given;
    weft_pagerank_params pagerank = WEFT_PAGERANK_DEFAULTS;
    weft_plan *plan = NULL;
    pagerank.iterations = ITERATIONS;
    s->status = weft_ctx_set_grid(s->ctx, weft_ctx_ranks(s->ctx) / s->columns, s->columns);
    if (!s->status)
        s->status = weft_plan_new(s->ctx, predict_names[s->algorithm], s->g,
                                  s->algorithm == PREDICT_PAGERANK ? &pagerank : NULL, &plan);
    if (!s->status) s->status = measure(s, plan);
    weft_plan_free(plan);
    return NULL;
}

static int start_all(member *members, int ranks) {
    pthread_t thread[MOST_RANKS];
    for (int r = 0; r < ranks; r++)
        if (pthread_create(&thread[r], NULL, take_part, &members[r]) != 0) /* earlier ranks would wait for it */
            exit(cli_fail(EXIT_MEMORY, "%d threads cannot be started", ranks));
    for (int r = 0; r < ranks; r++) pthread_join(thread[r], NULL);
    return members[0].status ? cli_fail_status(members[0].ctx, members[0].status) : EXIT_DONE;
}

/* The grid that is nearest to a square. */
static int columns_for(wfi_cost_cut cut, int ranks) {
    int columns = 1;
    while (cut == CUT_2D && (ranks % columns || columns < 2 || 2 * columns * columns < ranks)) columns++;
    return columns;
}

/* Fills in the measured values. */
static int run_ranks(const calibration *c, row *r) {
    member members[MOST_RANKS] = {{0}};
    weft_ctx *contexts[MOST_RANKS] = {NULL};
    cli_options one = *c->options;
    int code = EXIT_DONE;
    one.threads = 1;
    one.quiet = 1;
    for (int i = 0; i < r->ranks && !code; i++) {
        members[i].g = is_directed(r->algorithm) ? c->one_way : c->both_ways;
        members[i].algorithm = r->algorithm;
        members[i].columns = columns_for(r->cut, r->ranks);
        code = cli_open(&one, &members[i].ctx);
        contexts[i] = members[i].ctx;
    }
    if (!code) {
        weft_status st = weft_ctx_set_virtual(contexts, r->ranks, r->link.delay, r->link.bandwidth);
        code = st ? cli_fail_status(contexts[0], st) : start_all(members, r->ranks);
    }
    r->seconds = members[0].seconds;
    r->sent = members[0].sent;
    for (int i = 0; i < r->ranks; i++) weft_ctx_free(members[i].ctx);
    return code;
}

/* --- the model's view ---------------------------------------------------------------------- */

static predict_run model_of(const calibration *c, predicted algorithm, int ranks) {
    const weft_graph_info *info = &c->info[is_directed(algorithm)];
    return (predict_run){.algorithm = algorithm,
                         .run = {.ranks = ranks,
                                 .vertices = (double)info->vertices,
                                 .arcs = (double)info->arcs,
                                 .in_missing = is_directed(algorithm),
                                 .again = algorithm == PREDICT_PAGERANK, /* the first run is not measured */
                                 .iterations = ITERATIONS,
                                 .value = sizeof(float),
                                 .sum = sizeof(uint64_t)},
                         .levels = 5};
}

/* Rates of one rank alone; the cost of a copy of the forest from a run of two ranks. */
static int measure_machine(calibration *c) {
    predict_machine *m = &c->machine;
    weft_machine here = {.size = sizeof here};
    row alone[PREDICTED], two = {.algorithm = PREDICT_COMPONENTS, .ranks = 2};
    int code = weft_machine_describe(c->ctx, 0, &here) ? cli_fail_status(c->ctx, WEFT_EINVAL) : EXIT_DONE;
    c->costs = (wfi_cost_machine){.node = 1,
                                  .memory = (double)INFINITY,
                                  .large_from = (double)INFINITY,
                                  .cores = here.cores,
                                  .copy = (double)INFINITY};
    *m = (predict_machine){.name = "here", .costs = &c->costs, .gather = 1e9};
    for (int a = 0; a < PREDICTED && !code; a++) {
        predict_run one = model_of(c, (predicted)a, 1);
        alone[a] = (row){.algorithm = (predicted)a, .ranks = 1};
        code = run_ranks(c, &alone[a]);
        if (code) break;
        double rate = (a == PREDICT_PAGERANK ? ITERATIONS : 1) * one.run.arcs / alone[a].seconds;
        m->arcs[a] = (wfi_cost_rate){rate, rate};
        if (a == PREDICT_DEGREE) c->costs.copy = (40 * one.run.vertices + 16 * one.run.arcs) / alone[a].seconds;
    }
    if (!code) code = run_ranks(c, &two);
    double copying = code ? 0 : two.seconds - alone[PREDICT_COMPONENTS].seconds / (here.cores > 1 ? 2 : 1);
    if (copying > 0) m->gather = 2 * (double)c->info[0].vertices / copying;
    return code;
}

static int measure_row(calibration *c, row *r) {
    predict_run run = model_of(c, r->algorithm, r->ranks);
    cli_progress_line(c->options, "%s on %d ranks", predict_names[r->algorithm], r->ranks);
    int code = run_ranks(c, r);
    run.run.cut = r->cut;
    run.run.columns = columns_for(r->cut, r->ranks);
    c->costs.far = r->link;
    wfi_run_cost cost = predict_cost(&c->machine, &run);
    r->seconds_predicted = wfi_cost_seconds(&cost);
    r->sent_predicted = cost.sent;
    return code;
}

/* PageRank in 1-D and in 2-D, the others in 1-D. */
static int measure_rows(calibration *c) {
    int code = EXIT_DONE;
    for (int a = -1; a < PREDICTED; a++)
        for (size_t l = 0; l < (c->options->quick ? 1 : LINKS); l++)
            for (int ranks = 2; ranks <= (c->options->quick ? QUICK_RANKS : MOST_RANKS) && !code; ranks *= 2) {
                row *r = &c->rows[c->count++];
                *r = (row){.algorithm = a < 0 ? PREDICT_PAGERANK : (predicted)a,
                           .cut = a < 0 ? CUT_2D : CUT_1D,
                           .ranks = ranks,
                           .link = links[l]};
                code = measure_row(c, r);
            }
    return code;
}

/* --- what is said ------------------------------------------------------------------------------ */

/* In percent: 3 if 103 was predicted of 100. */
static double error_of(double expected, double measured) { return 100 * (expected / measured - 1); }

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median and largest error, without signs. */
static void errors(const calibration *c, bool of_bytes, double *median, double *largest) {
    double e[ROWS];
    for (size_t i = 0; i < c->count; i++) {
        const row *r = &c->rows[i];
        e[i] = fabs(of_bytes ? error_of(r->sent_predicted, r->sent) : error_of(r->seconds_predicted, r->seconds));
    }
    qsort(e, c->count, sizeof *e, ascending);
    *median = e[c->count / 2];
    *largest = e[c->count - 1];
}

static void print_rows(const calibration *c) {
    double median, largest, of_bytes, largest_bytes;
    cli_text x, y, z;
    printf("R-MAT, %s vertices, %s arcs, virtual ranks on %d cores; the fastest of %d runs\n\n",
           cli_count(x, c->info[0].vertices), cli_count(y, c->info[0].arcs), c->costs.cores, RUNS);
    printf("%-10s %3s %5s  %8s  %10s  %9s %9s %6s  %10s %6s\n", "", "cut", "ranks", "delay", "bytes/s", "measured",
           "predicted", "error", "sent", "error");
    for (size_t i = 0; i < c->count; i++) {
        const row *r = &c->rows[i];
        char link[32];
        snprintf(link, sizeof link, "%.0e", r->link.bandwidth);
        printf("%-10s %3s %5d  %8s  %10s  %9s", predict_names[r->algorithm], predict_cut_names[r->cut], r->ranks,
               cli_seconds(x, r->link.delay * 1e3), link, cli_seconds(y, r->seconds * 1e3));
        printf(" %9s %+5.0f%%  %10s %+5.1f%%\n", cli_seconds(x, r->seconds_predicted * 1e3),
               error_of(r->seconds_predicted, r->seconds), cli_bytes(z, (uint64_t)r->sent),
               error_of(r->sent_predicted, r->sent));
    }
    errors(c, false, &median, &largest);
    errors(c, true, &of_bytes, &largest_bytes);
    printf("\nerror of the time: median %.0f %%, largest %.0f %%; of the bytes: median %.1f %%, largest %.1f %%\n",
           median, largest, of_bytes, largest_bytes);
}

static void json_rows(const calibration *c) {
    double median, largest;
    json j;
    json_start(&j, stdout);
    json_u64(&j, "vertices", c->info[0].vertices);
    json_u64(&j, "arcs", c->info[0].arcs);
    json_i64(&j, "cores", c->costs.cores);
    json_open_array(&j, "runs", false);
    for (size_t i = 0; i < c->count; i++) {
        const row *r = &c->rows[i];
        json_open_object(&j, NULL, true);
        json_text(&j, "algorithm", predict_names[r->algorithm]);
        json_text(&j, "cut", predict_cut_names[r->cut]);
        json_i64(&j, "ranks", r->ranks);
        json_f64(&j, "delay_s", r->link.delay);
        json_f64(&j, "bytes_per_second", r->link.bandwidth);
        json_f64(&j, "measured_s", r->seconds);
        json_f64(&j, "predicted_s", r->seconds_predicted);
        json_u64(&j, "sent_bytes", (uint64_t)r->sent);
        json_u64(&j, "predicted_bytes", (uint64_t)r->sent_predicted);
        json_close(&j);
    }
    json_close(&j);
    errors(c, false, &median, &largest);
    json_rounded(&j, "median_error_percent", median);
    json_rounded(&j, "largest_error_percent", largest);
    json_finish(&j);
}

static int make_graph(calibration *c, weft_direction direction, weft_graph **g, weft_graph_info *info) {
    weft_generate_params params = WEFT_GENERATE_DEFAULTS;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    params.scale = c->options->predict.scale ? c->options->predict.scale : SCALE;
    params.degree = DEGREE;
    build.direction = direction;
    info->size = sizeof *info;
    weft_status st = weft_generate(c->ctx, "rmat", &params, &build, g);
    if (!st) st = weft_graph_describe(c->ctx, *g, info);
    return st ? cli_fail_status(c->ctx, st) : EXIT_DONE;
}

int cli_predict_calibrate(const cli_call *call) {
    calibration c = {.options = &call->options};
    int code = cli_open(c.options, &c.ctx);
    if (!code) code = make_graph(&c, WEFT_UNDIRECTED, &c.both_ways, &c.info[0]);
    if (!code) code = make_graph(&c, WEFT_DIRECTED, &c.one_way, &c.info[1]);
    if (!code) code = measure_machine(&c);
    if (!code) code = measure_rows(&c);
    cli_progress_erase();
    if (!code && c.options->json)
        json_rows(&c);
    else if (!code)
        print_rows(&c);
    weft_graph_free(c.both_ways);
    weft_graph_free(c.one_way);
    weft_ctx_free(c.ctx);
    return code;
}
