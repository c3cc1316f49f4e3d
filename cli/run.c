/* weft run FILE ALGORITHM...: several algorithms after reading once, their columns side by side in one table. A name
 * that several of them have gets the algorithm's: bfs.level, toposort.level. */
#include "bench/bench.h"
#include "draw/draw.h"

#include <stdlib.h>
#include <string.h>

enum { STANDARD_ROWS = 10 };

typedef struct one_run {
    bench_spec *spec;
    weft_plan *plan;
    weft_result *result;
    char name[80]; /* the algorithm's name; numbered if it occurs again */
    double ms;
    weft_check_report report;
} one_run;

typedef struct several {
    const cli_call *call;
    weft_ctx *ctx;
    weft_graph *g;
    bench_spec *specs;
    one_run *runs;
    size_t count;
    select_labels labels;
    join joined;
    rows_column *columns; /* the first is the id */
    char **names;         /* made-up names of columns */
    size_t column_count;
    rows rows;
    weft_vid *order;
    size_t met;
    double load_ms;
    bool wrong;
} several;

/* Commas separate parameters; blanks separate algorithms. */
static int check_apart(const char *word) {
    char name[64];
    for (const char *comma = strchr(word, ','); comma; comma = strchr(comma + 1, ',')) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(comma + 1, ",:="), comma + 1);
        if (weft_algorithm_find(name))
            return cli_fail(EXIT_USAGE, "'%s': blanks are between algorithms, as in: weft run FILE %.*s %s", word,
                            (int)strcspn(word, ",:"), word, name);
    }
    return EXIT_DONE;
}

static int read_specs(several *s) {
    s->specs = cli_take(s->count, sizeof *s->specs);
    s->runs = cli_take(s->count, sizeof *s->runs);
    if (!s->specs || !s->runs) return EXIT_MEMORY;
    for (size_t i = 0; i < s->count; i++) {
        one_run *run = &s->runs[i];
        run->spec = &s->specs[i];
        run->report = (weft_check_report)WEFT_CHECK_REPORT_DEFAULTS;
        run->spec->options = s->call->options;
        int code = check_apart(s->call->operands[i + 1]);
        if (!code) code = bench_run_spec(run->spec, "run", 0, s->call->operands[i + 1]);
        if (!code) code = cli_check_not_params(run->spec->algorithm, run->spec->params, s->call->options.output);
        if (code) return code;
        size_t before = 0;
        for (size_t k = 0; k < i; k++) before += s->runs[k].spec->algorithm == run->spec->algorithm;
        if (before)
            snprintf(run->name, sizeof run->name, "%s%zu", run->spec->algorithm->name, before + 1);
        else
            snprintf(run->name, sizeof run->name, "%s", run->spec->algorithm->name);
    }
    return EXIT_DONE;
}

/* Rows are vertices: parameters that ask for values of edges are refused. */
static int check_shapes(const one_run *run) {
    for (size_t c = 0; c < weft_result_column_count(run->result); c++)
        if (weft_result_column_at(run->result, c)->shape == WEFT_SHAPE_EDGES)
            return cli_fail(EXIT_USAGE, "%s has values for edges, and the rows of weft run are vertices; use weft %s",
                            run->spec->label, run->spec->algorithm->name);
    if (answer_lists(run->spec->algorithm))
        return cli_fail(EXIT_USAGE, "%s gives a list, and the rows of weft run are vertices; use weft %s",
                        run->spec->label, run->spec->algorithm->name);
    return EXIT_DONE;
}

static int run_one(several *s, one_run *run) {
    const cli_options *o = &s->call->options;
    const weft_algorithm_info *a = run->spec->algorithm;
    int code = cli_resolve_params(s->ctx, o, s->g, s->call->operands[0], a, run->spec->params);
    if (code) return code;
    double began = cli_now_ms();
    weft_status st = weft_plan_new(s->ctx, a->name, s->g, run->spec->params, &run->plan);
    if (!st) st = weft_plan_run(run->plan, &run->result);
    run->ms = cli_now_ms() - began;
    cli_progress_erase();
    if (st) return cli_fail_status(s->ctx, st);
    code = check_shapes(run);
    if (code || !o->verify) return code;
    cli_signals_at_once(true);
    st = weft_check(s->ctx, a->name, s->g, run->spec->params, run->result, &run->report);
    cli_signals_at_once(false);
    if (st || cli_interrupted()) return cli_fail_status(s->ctx, st ? st : WEFT_ECANCELLED);
    if (!run->report.passed) s->wrong = cli_fail(EXIT_NO, "%s: NOT VERIFIED: %s", run->name, run->report.message) != 0;
    return EXIT_DONE;
}

/* --- one wide table ------------------------------------------------------------------------------ */

static bool is_shown(const weft_column *c) { return c->shape == WEFT_SHAPE_VERTICES; }

/* Does another algorithm have a column with this name? */
static bool clashes(const several *s, size_t run, const char *name) {
    if (strcmp(name, "id") == 0 || (s->labels.texts && strcmp(name, s->labels.column.name) == 0)) return true;
    for (size_t i = 0; i < s->count; i++) {
        const weft_column *c = i == run ? NULL : weft_result_column(s->runs[i].result, name);
        if (c && is_shown(c)) return true;
    }
    return false;
}

static int add_column(several *s, size_t run, const weft_column *c) {
    const one_run *of = &s->runs[run];
    const char *grouping = of->spec->algorithm->groups;
    size_t parts = c->width ? c->width : 1;
    bool bare = !clashes(s, run, c->name);
    for (size_t part = 0; part < parts; part++) {
        rows_column *to = &s->columns[s->column_count];
        char plain[256], number[24] = "";
        *to = rows_column_of(c);
        to->part = part;
        to->groups = grouping && strcmp(grouping, c->name) == 0;
        if (c->width) snprintf(number, sizeof number, "%zu", part);
        snprintf(plain, sizeof plain, "%s%s%s%s", bare ? "" : of->name, bare ? "" : ".", c->name, number);
        size_t capacity = join_room(of->name, plain);
        char *name = s->names[s->column_count] = cli_take(capacity, 1);
        if (!name) return EXIT_MEMORY;
        join_name(&s->joined, &s->call->options, of->name, plain, name, capacity);
        to->name = name;
        s->column_count++;
    }
    return EXIT_DONE;
}

static int make_rows(several *s) {
    const cli_options *o = &s->call->options;
    size_t most = 2, n = weft_graph_vertices(s->g);
    int code = EXIT_DONE;
    for (size_t i = 0; i < s->count; i++)
        for (size_t c = 0; c < weft_result_column_count(s->runs[i].result); c++) {
            size_t width = weft_result_column_at(s->runs[i].result, c)->width;
            most += width ? width : 1;
        }
    most += s->joined.count;
    s->columns = cli_take(most, sizeof *s->columns);
    s->names = cli_take(most, sizeof *s->names);
    if (!s->columns || !s->names) return EXIT_MEMORY;
    s->columns[s->column_count++] = (rows_column){.name = "id", .type = CELL_VERTEX, .length = n};
    if (s->labels.texts) s->columns[s->column_count++] = s->labels.column;
    size_t first = s->column_count;
    for (size_t i = 0; i < s->count && !code; i++)
        for (size_t c = 0; c < weft_result_column_count(s->runs[i].result) && !code; c++) {
            const weft_column *column = weft_result_column_at(s->runs[i].result, c);
            if (is_shown(column)) code = add_column(s, i, column);
        }
    if (code) return code;
    bool any = s->column_count > first;
    join_columns(&s->joined, &s->columns[s->column_count]);
    s->column_count += s->joined.count;
    s->rows = (rows){.g = s->g,
                     .names = cli_ids_are_names(s->g),
                     .columns = s->columns,
                     .column_count = s->column_count,
                     .count = n};
    if (graph_out_wanted(o)) return EXIT_DONE;
    select_standard standard = {any ? &s->columns[first] : NULL, false,
                                o->json || o->output ? SIZE_MAX : STANDARD_ROWS};
    return select_rows(o, "the table", &standard, &s->rows, &s->order, &s->met);
}

/* --- shown ------------------------------------------------------------------------------------------ */

static int write_json(const several *s, FILE *to, bool with_rows) {
    const cli_options *o = &s->call->options;
    int code = EXIT_DONE;
    json j;
    json_start(&j, to);
    json_text(&j, "file", s->call->operands[0]);
    json_u64(&j, "vertices", weft_graph_vertices(s->g));
    json_u64(&j, "edges", weft_graph_edges(s->g));
    json_direction(&j, weft_graph_directed(s->g), weft_graph_direction_from(s->g));
    json_rounded(&j, "load_ms", s->load_ms);
    json_open_array(&j, "runs", false);
    for (size_t i = 0; i < s->count; i++) {
        const one_run *run = &s->runs[i];
        json_open_object(&j, NULL, false);
        json_text(&j, "name", run->name);
        json_text(&j, "algorithm", run->spec->label);
        json_text(&j, "backend", weft_plan_device(run->plan) == WEFT_DEVICE_CUDA ? "cuda" : "cpu");
        json_text(&j, "method", weft_plan_method(run->plan));
        cli_parameters_json(&j, s->g, run->plan, run->spec->algorithm,
                            cli_param_words(run->spec->params, run->spec->algorithm->params_size));
        json_rounded(&j, "ms", run->ms);
        if (o->verify) json_bool(&j, "verified", run->report.passed);
        if (o->verify) json_text(&j, "verify_message", run->report.message);
        json_open_object(&j, "result", true);
        for (size_t k = 0; k < weft_result_scalar_count(run->result); k++)
            json_scalar(&j, weft_result_scalar_at(run->result, k));
        json_close(&j);
        json_close(&j);
    }
    json_close(&j);
    if (o->output && !with_rows) json_text(&j, "output", o->output);
    if (o->output && !with_rows && !graph_out_wanted(o)) json_u64(&j, "output_rows", s->rows.count);
    if (with_rows) code = rows_json(&j, "rows", &s->rows);
    json_finish(&j);
    return code;
}

static int write_whole_json(const void *what, FILE *to) { return write_json(what, to, true); }

static void print_scalars(const one_run *run, bool verified) {
    cli_text buffer;
    fprintf(stdout, "  %s, %s:", run->name, cli_seconds(buffer, run->ms));
    for (size_t k = 0; k < weft_result_scalar_count(run->result); k++) {
        const weft_scalar *scalar = weft_result_scalar_at(run->result, k);
        printf("%s %s %s", k ? "," : "", scalar->name, cli_scalar(buffer, scalar));
    }
    printf("%s%s%s\n", weft_result_scalar_count(run->result) ? "" : " done", verified ? "; verified: " : "",
           verified ? run->report.message : "");
}

static int print_human(const several *s) {
    const cli_options *o = &s->call->options;
    cli_text x, y;
    weft_vid n = weft_graph_vertices(s->g);
    cli_heading("%s: %s %s, %s %s edge%s, read in %s", s->call->operands[0], cli_count(x, n), cli_vertices(n),
                cli_count(y, weft_graph_edges(s->g)), weft_graph_directed(s->g) ? "directed" : "undirected",
                cli_s(weft_graph_edges(s->g)), cli_seconds((cli_text){0}, s->load_ms));
    for (size_t i = 0; i < s->count; i++) print_scalars(&s->runs[i], o->verify);
    if (o->output && graph_out_wanted(o)) {
        graph_out_tell(s->g, join_left_out(&s->rows).column_count - 1, o->output);
        return EXIT_DONE;
    }
    if (o->output) {
        cli_put(stdout, "  wrote %s row%s of %zu columns to %s", cli_count(x, s->rows.count), cli_s(s->rows.count),
                s->column_count, o->output);
        putchar('\n');
        return EXIT_DONE;
    }
    putchar('\n');
    const rows shown = join_left_out(&s->rows);
    int code = rows_print(&shown, shown.count, 0);
    if (s->rows.count < s->met)
        printf("  ... and %s more (--top K shows K rows, -o FILE saves all)\n", cli_count(x, s->met - s->rows.count));
    return code;
}

static int save_graph(const several *s) {
    const answer looking = {.call = s->call, .ctx = s->ctx, .g = s->g, .main = s->rows};
    graph_looks looks;
    int code = draw_graph_looks(&looking, &looks);
    for (size_t i = 0; i < s->count; i++)
        looks.placed |= (cli_uses(&cli_algorithm_command, s->runs[i].spec->algorithm) & USE_DRAW) != 0;
    if (!code) code = graph_out_save(s->ctx, &s->call->options, &s->rows, &looks);
    draw_forget_looks(&looks);
    return code;
}

static int show(several *s, rows_format format) {
    const cli_options *o = &s->call->options;
    bool to_stdout = o->output && cli_is_stdout(o->output);
    int code = make_rows(s);
    if (code || s->wrong) return code;
    if (o->json && to_stdout) return write_json(s, stdout, true);
    if (o->output && format == ROWS_GRAPH)
        code = save_graph(s);
    else if (o->output)
        code = rows_save(o, o->output, format, &s->rows, write_whole_json, s);
    if (code || to_stdout) return code;
    if (o->json) return write_json(s, stdout, !o->output);
    return o->output && o->quiet ? EXIT_DONE : print_human(s);
}

static void free_all(several *s) {
    for (size_t i = 0; s->runs && i < s->count; i++) {
        weft_result_free(s->runs[i].result);
        weft_plan_free(s->runs[i].plan);
    }
    for (size_t i = 0; i < s->column_count; i++) free(s->names[i]);
    free(s->names);
    free(s->columns);
    free(s->order);
    free(s->runs);
    bench_specs_free(s->specs, s->count);
    select_labels_close(&s->labels);
    join_close(&s->joined);
    weft_graph_free(s->g);
    weft_ctx_free(s->ctx);
}

int cli_run(cli_call *call) {
    const cli_options *o = &call->options;
    several s = {.call = call, .count = (size_t)call->operand_count - 1};
    rows_format format = ROWS_TSV;
    bool graph = graph_out_wanted(o);
    if (graph) format = ROWS_GRAPH;
    int code = o->output && !graph ? rows_format_of_path(o->output, false, &format) : EXIT_DONE;
    if (!code) code = cli_check_output("-o", o->output);
    if (!code) code = cli_check_not_read(o, call->operands[0], o->output);
    if (!code) code = select_check(o);
    if (!code) code = graph_out_check(o);
    if (!code) code = draw_check(call);
    if (!code) code = read_specs(&s);
    call->options.ordered = !code;
    for (size_t i = 0; i < s.count && !code; i++) call->options.ordered &= s.specs[i].algorithm->verdict != NULL;
    if (!code) code = cli_open(o, &s.ctx);
    double started = cli_now_ms();
    if (!code) code = cli_load(s.ctx, o, call->operands[0], &s.g);
    s.load_ms = cli_now_ms() - started;
    if (!code) code = select_labels_open(s.ctx, o, s.g, !o->output && !o->json, &s.labels);
    if (!code) code = join_open(s.ctx, o, s.g, &s.labels, &s.joined);
    for (size_t i = 0; i < s.count && !code; i++) code = run_one(&s, &s.runs[i]);
    if (!code) code = show(&s, format);
    if (!code && s.wrong) code = EXIT_NO;
    free_all(&s);
    return code;
}
