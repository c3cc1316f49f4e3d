/* weft predict ALGORITHM: the cost of a run on several ranks of a machine, by the model of predict_model.c. One size
 * and one number of ranks give the details; several of either a table.  Without an algorithm: the machines.
 * --calibrate: predict_calibrate.c. */
#include "ranks/predict_call.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 64, MOST_RANKS = 1 << 24 };

typedef struct values {
    double at[MOST_VALUES];
    size_t count;
} values;

/* "8,64" or "1e9": whole numbers from 1 to `most`. */
static int read_values(const char *flag, const char *text, double most, values *v) {
    v->count = 0;
    for (const char *at = text; v->count < MOST_VALUES; at++) {
        char *end;
        double x = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(x >= 1 && x <= most) || x != floor(x)) break;
        v->at[v->count++] = x;
        at = end;
        if (!*at) return EXIT_DONE;
    }
    return cli_fail(EXIT_USAGE, "--%s: '%s' is not a list of whole numbers from 1 to %.3g, such as 8,64 or 1e9", flag,
                    text, most);
}

/* The size of the graph, from the flags or from a file: the arcs of each row of the table, and the vertices for a
 * number of arcs. */
typedef struct sizes {
    values arcs;
    double vertices; /* 0: arcs / degree */
    double degree;
    bool in_missing;
    const char *file; /* NULL: from flags */
    bool directed;
    weft_direction_from direction_from;
} sizes;

static int size_of_file(const cli_options *options, const char *path, sizes *s) {
    weft_ctx *ctx = NULL;
    weft_graph *g = NULL;
    weft_graph_info info = {.size = sizeof info};
    int code = cli_open(options, &ctx);
    if (!code) code = cli_load(ctx, options, path, &g);
    cli_progress_erase();
    if (!code && weft_graph_describe(ctx, g, &info)) code = cli_fail_status(ctx, WEFT_EINVAL);
    s->vertices = (double)(info.vertices ? info.vertices : 1);
    s->arcs = (values){{(double)(info.arcs ? info.arcs : 1)}, 1};
    s->in_missing = s->directed = info.directed;
    s->direction_from = info.direction_from;
    s->file = path;
    weft_graph_free(g);
    weft_ctx_free(ctx);
    return code;
}

/* Refuses flags that are not in `kept`. */
static int check_flags(const cli_call *call, const char *what, const char *kept) {
    for (size_t i = 0; i < cli_option_flag_count; i++) {
        const cli_flag *flag = &cli_option_flags[i];
        if (call->options.given[i] && !(flag->uses & USE_ALWAYS) && !strstr(kept, flag->name))
            return cli_fail(EXIT_USAGE, "weft predict %s does not take --%s", what, flag->name);
    }
    return EXIT_DONE;
}

static int find_sizes(const cli_call *call, sizes *s) {
    const cli_options *o = &call->options;
    int given = (o->predict.scale > 0) + (o->predict.arcs != NULL) + (call->operand_count > 1);
    *s = (sizes){
        .vertices = (double)o->vertices, .degree = o->predict.degree, .in_missing = o->direction == WEFT_DIRECTED};
    if (given != 1)
        return cli_fail(EXIT_USAGE, given ? "the graph's size is given twice: by one of --scale, --arcs and FILE"
                                          : "how large is the graph?  Say so by --scale, --arcs or FILE");
    if (call->operand_count > 1) {
        int code = check_flags(call, "ALGORITHM FILE", "ranks machine cut iterations levels");
        return code ? code : size_of_file(o, call->operands[1], s);
    }
    if (o->predict.arcs) return read_values("arcs", o->predict.arcs, 1e18, &s->arcs);
    s->vertices = exp2((double)o->predict.scale);
    s->arcs = (values){{s->vertices * o->predict.degree}, 1};
    return EXIT_DONE;
}

/* --- what is asked -------------------------------------------------------------------------- */

static int find_machine(const char *name, const predict_machine **machine) {
    cli_nearest nearest = {name, NULL, 0};
    for (size_t i = 0; i < predict_machine_count; i++) {
        *machine = &predict_machines[i];
        if (strcmp(name, (*machine)->name) == 0) return EXIT_DONE;
        cli_nearest_try(&nearest, (*machine)->name);
    }
    return cli_fail(EXIT_USAGE, "no machine is called '%s'; %s%s%s", name, nearest.best ? "did you mean " : "",
                    nearest.best ? nearest.best : "weft predict lists them", nearest.best ? "?" : "");
}

const char *const predict_names[PREDICTED] = {"pagerank", "bfs", "components", "degree"};
const char *const predict_cut_names[CUTS] = {"1d", "2d"};

static int find_algorithm(const char *name, predicted *algorithm) {
    for (int i = 0; i < PREDICTED; i++)
        if (strcmp(name, predict_names[i]) == 0) {
            *algorithm = (predicted)i;
            return EXIT_DONE;
        }
    return cli_fail(EXIT_USAGE, "there is no model of '%s'; there are models of %s, %s, %s and %s", name,
                    predict_names[0], predict_names[1], predict_names[2], predict_names[3]);
}

static int check(const predict_machine *machine, const predict_run *run, const values *ranks) {
    if (run->run.cut != CUT_1D && run->algorithm != PREDICT_PAGERANK)
        return cli_fail(EXIT_USAGE, "--cut %s: the model has it for pagerank only", predict_cut_names[run->run.cut]);
    for (size_t i = 0; i < ranks->count; i++)
        if (machine->costs->far.bandwidth <= 0 && ranks->at[i] > machine->costs->node)
            return cli_fail(EXIT_USAGE, "%s is %s: it has no more than %d ranks", machine->name, machine->what,
                            machine->costs->node);
    return EXIT_DONE;
}

static predict_run run_of(const predict_run *asked, const sizes *s, double arcs, double ranks) {
    predict_run run = *asked;
    run.run.arcs = arcs;
    run.run.vertices = s->vertices > 0 ? s->vertices : ceil(arcs / s->degree);
    run.run.ranks = (int)ranks;
    run.run.in_missing = s->in_missing;
    return run;
}

/* --- what is said ------------------------------------------------------------------------------ */

static const char *const methods[CUTS] = {
    "1-D: ranges of vertices; every rank gets all values",
    "2-D: ranges of sources and of targets (in Weft on CPUs)",
};

/* The time of an iterative algorithm is shown for one iteration. */
static double times_of(const predict_run *run) { return run->algorithm == PREDICT_PAGERANK ? run->run.iterations : 1; }

static void print_origin(const predict_machine *m) {
    printf("\nPredicted by the alpha-beta model (docs/scaling.md), not measured.  %s: %s;\n%s.\n", m->name,
           m->rates_from, m->links_from);
}

static const char *seconds(cli_text buffer, double s) {
    if (s >= 1e-3) return cli_seconds(buffer, s * 1e3);
    snprintf(buffer, sizeof(cli_text), "%.3g us", s * 1e6);
    return buffer;
}

static void print_one(const predict_machine *m, const predict_run *run) {
    wfi_run_cost c = predict_cost(m, run);
    double ranks = run->run.ranks;
    cli_text a, b, d, e;
    cli_heading("%s on %s ranks of %s", predict_names[run->algorithm], cli_count(a, (uint64_t)run->run.ranks), m->name);
    cli_fact("graph", "%s vertices, %s arcs%s", cli_count(a, (uint64_t)run->run.vertices),
             cli_count(b, (uint64_t)run->run.arcs), run->run.in_missing ? ", without incoming rows" : "");
    if (run->run.vertices > CLI_MOST_VERTICES) cli_fact("", "more vertices than Weft can number (2^32 - 2)");
    cli_fact("method", "%s", methods[run->run.cut]);
    if (run->run.cut == CUT_2D) cli_fact("grid", "%d ranges of targets x %d of sources", c.rows, c.columns);
    cli_fact("memory", "%s a rank, %s %s", cli_bytes(a, (uint64_t)c.memory),
             c.memory <= m->costs->memory ? "of" : "which does not fit into", cli_bytes(b, (uint64_t)m->costs->memory));
    cli_fact("sent", "%s a rank in %s messages, %s in all", cli_bytes(a, (uint64_t)(c.sent / ranks)),
             cli_count(b, (uint64_t)c.messages), cli_bytes(d, (uint64_t)c.sent));
    cli_fact("time", "%s: computing %s, bytes %s, delays %s", seconds(a, wfi_cost_seconds(&c)), seconds(b, c.compute_s),
             seconds(d, c.transfer_s), seconds(e, c.delay_s));
    if (times_of(run) > 1) cli_fact("an iteration", "%s", seconds(a, wfi_cost_seconds(&c) / times_of(run)));
    print_origin(m);
}

static void print_table(const predict_machine *m, const predict_run *asked, const sizes *s, const values *ranks) {
    bool tight = false, many = false;
    cli_text a;
    char cell[sizeof a + 1];
    printf("%s on %s, %s%s\n\n%12s", predict_names[asked->algorithm], m->name, predict_cut_names[asked->run.cut],
           asked->algorithm == PREDICT_PAGERANK ? ", an iteration" : "", "arcs");
    for (size_t i = 0; i < ranks->count; i++)
        printf("  %8s rank%s", cli_count(a, (uint64_t)ranks->at[i]), ranks->at[i] > 1 ? "s" : " ");
    putchar('\n');
    for (size_t row = 0; row < s->arcs.count; row++) {
        printf("%12.3g", s->arcs.at[row]);
        for (size_t i = 0; i < ranks->count; i++) {
            predict_run run = run_of(asked, s, s->arcs.at[row], ranks->at[i]);
            wfi_run_cost c = predict_cost(m, &run);
            bool fits = c.memory <= m->costs->memory, numbered = run.run.vertices <= CLI_MOST_VERTICES;
            tight |= !fits;
            many |= fits && !numbered;
            snprintf(cell, sizeof cell, "%s%s", fits && !numbered ? "*" : "",
                     fits ? seconds(a, wfi_cost_seconds(&c) / times_of(&run)) : "-");
            printf("  %14s", cell);
        }
        putchar('\n');
    }
    if (tight) printf("\n- does not fit into the %s of a rank\n", cli_bytes(a, (uint64_t)m->costs->memory));
    if (many) printf("%s* more vertices than Weft can number (2^32 - 2)\n", tight ? "" : "\n");
    print_origin(m);
}

static void run_json(json *j, const predict_machine *m, const predict_run *run) {
    wfi_run_cost c = predict_cost(m, run);
    json_open_object(j, NULL, false);
    json_i64(j, "ranks", run->run.ranks);
    json_u64(j, "vertices", (uint64_t)run->run.vertices);
    json_u64(j, "arcs", (uint64_t)run->run.arcs);
    json_i64(j, "grid_rows", c.rows);
    json_i64(j, "grid_columns", c.columns);
    json_u64(j, "memory_bytes", (uint64_t)c.memory);
    json_bool(j, "fits", c.memory <= m->costs->memory);
    json_bool(j, "numbered", run->run.vertices <= CLI_MOST_VERTICES);
    json_u64(j, "sent_bytes", (uint64_t)c.sent);
    json_u64(j, "messages", (uint64_t)c.messages);
    json_f64(j, "compute_s", c.compute_s);
    json_f64(j, "transfer_s", c.transfer_s);
    json_f64(j, "delay_s", c.delay_s);
    json_f64(j, "predicted_s", wfi_cost_seconds(&c));
    json_close(j);
}

static void print_json(const predict_machine *m, const predict_run *asked, const sizes *s, const values *ranks) {
    json j;
    json_start(&j, stdout);
    json_text(&j, "algorithm", predict_names[asked->algorithm]);
    if (s->file) json_text(&j, "file", s->file);
    if (s->file) json_direction(&j, s->directed, s->direction_from);
    json_text(&j, "machine", m->name);
    json_text(&j, "cut", predict_cut_names[asked->run.cut]);
    if (asked->algorithm == PREDICT_PAGERANK) json_i64(&j, "iterations", asked->run.iterations);
    json_text(&j, "rates_from", m->rates_from);
    json_text(&j, "links_from", m->links_from);
    json_open_array(&j, "predictions", false);
    for (size_t row = 0; row < s->arcs.count; row++)
        for (size_t i = 0; i < ranks->count; i++) {
            predict_run run = run_of(asked, s, s->arcs.at[row], ranks->at[i]);
            run_json(&j, m, &run);
        }
    json_close(&j);
    json_finish(&j);
}

static int list_machines(bool as_json) {
    cli_text a, b, d;
    json j;
    if (as_json) {
        json_start(&j, stdout);
        json_open_array(&j, "machines", false);
    }
    for (size_t i = 0; i < predict_machine_count; i++) {
        const predict_machine *m = &predict_machines[i];
        if (as_json) {
            json_open_object(&j, NULL, false);
            json_text(&j, "name", m->name);
            json_text(&j, "what", m->what);
            json_i64(&j, "node", m->costs->node);
            json_u64(&j, "memory_bytes", (uint64_t)m->costs->memory);
            json_text(&j, "rates_from", m->rates_from);
            json_text(&j, "links_from", m->links_from);
            json_close(&j);
            continue;
        }
        cli_heading("%s", m->name);
        cli_fact("what", "%s", m->what);
        cli_fact("memory", "%s a rank", cli_bytes(a, (uint64_t)m->costs->memory));
        cli_fact("inside a machine", "%s, %s/s", seconds(a, m->costs->near.delay),
                 cli_bytes(b, (uint64_t)m->costs->near.bandwidth));
        if (m->costs->far.bandwidth > 0)
            cli_fact("between machines", "%s, %s/s", seconds(a, m->costs->far.delay),
                     cli_bytes(d, (uint64_t)m->costs->far.bandwidth));
        cli_fact("links", "%s", m->links_from);
        cli_fact("rates", "%s", m->rates_from);
    }
    if (as_json) {
        json_close(&j);
        json_finish(&j);
    }
    return EXIT_DONE;
}

int cli_predict(cli_call *call) {
    const cli_options *o = &call->options;
    const predict_machine *machine = NULL;
    predict_run asked = {
        .run = {.cut = (wfi_cost_cut)o->predict.cut, .iterations = (int)o->predict.iterations, .value = 4, .sum = 8},
        .levels = (int)o->predict.levels};
    sizes s = {.degree = 1};
    values ranks;
    if (o->calibrate && call->operand_count)
        return cli_fail(EXIT_USAGE, "--calibrate measures all algorithms, on a graph of its own");
    int code = o->calibrate           ? check_flags(call, "--calibrate", "calibrate quick scale")
               : !call->operand_count ? check_flags(call, "without an algorithm, which lists the machines,", "")
                                      : EXIT_DONE;
    if (code) return code;
    if (o->calibrate) return cli_predict_calibrate(call);
    if (!call->operand_count) return list_machines(o->json);
    code = find_algorithm(call->operands[0], &asked.algorithm);
    if (!code && CLI_GIVEN(o, predict.iterations) && asked.algorithm != PREDICT_PAGERANK)
        code = cli_fail(EXIT_USAGE, "--iterations is a flag for pagerank only");
    if (!code && CLI_GIVEN(o, predict.levels) && asked.algorithm != PREDICT_BFS)
        code = cli_fail(EXIT_USAGE, "--levels is a flag for bfs only");
    if (!code && o->predict.arcs && o->vertices && CLI_GIVEN(o, predict.degree))
        code = cli_fail(EXIT_USAGE, "--degree is redundant with --arcs and --vertices");
    if (!code) code = find_machine(o->predict.machine, &machine);
    if (!code) code = read_values("ranks", o->predict.ranks, MOST_RANKS, &ranks);
    if (!code) code = check(machine, &asked, &ranks);
    if (!code) code = find_sizes(call, &s);
    if (code) return code;
    if (o->json) {
        print_json(machine, &asked, &s, &ranks);
    } else if (s.arcs.count == 1 && ranks.count == 1) {
        predict_run run = run_of(&asked, &s, s.arcs.at[0], ranks.at[0]);
        print_one(machine, &run);
    } else {
        print_table(machine, &asked, &s, &ranks);
    }
    return EXIT_DONE;
}
