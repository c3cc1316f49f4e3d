/* weft ALGORITHM FILE: runs any entry of the library's registry.  Nothing here knows a particular algorithm: flags come
 * from its parameters, columns and tables from its result. */
#include "cli.h"
#include "json.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>

enum { STANDARD_TOP = 10, TABLE_HEAD = 5, TABLE_TAIL = 3 };

typedef struct run {
    const cli_call *call;
    weft_ctx *ctx;
    weft_graph *g;
    weft_plan *plan;
    weft_result *result;
    double load_ms, run_ms;
    rows_column *vertex_columns, *table_columns; /* the first vertex column is the id */
    weft_vid *order;                             /* of the rows when --top chose them */
    rows vertices, table;
} run;

static const char *device_name(weft_device device) { return device == WEFT_DEVICE_CUDA ? "cuda" : "cpu"; }

/* --- the plan -------------------------------------------------------------------------- */

static void plan_json(json *j, const weft_plan *plan) {
    json_text(j, "device", device_name(weft_plan_device(plan)));
    json_text(j, "method", weft_plan_method(plan));
    json_text(j, "reason", weft_plan_reason(plan));
    json_u64(j, "host_bytes", weft_plan_host_bytes(plan));
    json_u64(j, "device_bytes", weft_plan_device_bytes(plan));
}

static void show_plan(const run *r) {
    cli_text room;
    if (r->call->options.json) {
        json j;
        json_start(&j, stdout);
        json_text(&j, "algorithm", r->call->name);
        json_text(&j, "file", r->call->operands[0]);
        plan_json(&j, r->plan);
        json_finish(&j);
        return;
    }
    cli_heading("plan of %s for %s", r->call->name, r->call->operands[0]);
    cli_fact("device", "%s", device_name(weft_plan_device(r->plan)));
    cli_fact("method", "%s", weft_plan_method(r->plan));
    cli_fact("reason", "%s", weft_plan_reason(r->plan));
    cli_fact("host memory", "%s more", cli_bytes(room, weft_plan_host_bytes(r->plan)));
    cli_fact("device memory", "%s", cli_bytes(room, weft_plan_device_bytes(r->plan)));
}

/* --- rows from a result ------------------------------------------------------------------ */

static const weft_column *sorting_column(const run *r, int *code) {
    const char *wanted = r->call->options.by ? r->call->options.by : weft_algorithm_find(r->call->name)->top_by;
    cli_nearest nearest = {wanted, NULL, 0};
    for (size_t i = 0; i < weft_result_column_count(r->result); i++) {
        const weft_column *column = weft_result_column_at(r->result, i);
        if (column->per_vertex != 1) continue;
        if (strcmp(column->name, wanted) == 0) return column;
        cli_nearest_try(&nearest, column->name);
    }
    if (nearest.best)
        *code = cli_fail(EXIT_USAGE, "%s has no column '%s'; did you mean %s?", r->call->name, wanted, nearest.best);
    else
        *code = cli_fail(EXIT_USAGE, "%s has no column '%s'; weft help %s lists them", r->call->name, wanted,
                         r->call->name);
    return NULL;
}

static size_t row_limit(const run *r) {
    const cli_options *options = &r->call->options;
    if (options->top != CLI_NOT_GIVEN) return options->top > SIZE_MAX ? SIZE_MAX : (size_t)options->top;
    return options->json || options->output ? SIZE_MAX : STANDARD_TOP;
}

static int choose_rows(run *r) {
    int code = EXIT_DONE;
    size_t limit = row_limit(r);
    const weft_column *by = sorting_column(r, &code);
    if (code || !by) return code;
    r->vertices.count = weft_graph_vertices(r->g);
    if (limit == SIZE_MAX && !r->call->options.by) return EXIT_DONE; /* everything, in vertex order */
    code = rows_top(by, limit, &r->order, &r->vertices.count);
    r->vertices.order = r->order;
    return code;
}

static int make_rows(run *r) {
    size_t total = weft_result_column_count(r->result), table_length = 0;
    r->vertex_columns = cli_take(total + 1, sizeof *r->vertex_columns);
    r->table_columns = cli_take(total + 1, sizeof *r->table_columns);
    if (!r->vertex_columns || !r->table_columns) return EXIT_MEMORY;
    bool names = cli_ids_are_names(r->g);
    r->vertices = (rows){.g = r->g, .names = names, .columns = r->vertex_columns};
    r->table = (rows){.g = r->g, .names = names, .columns = r->table_columns};
    for (size_t i = 0; i < total; i++) {
        const weft_column *column = weft_result_column_at(r->result, i);
        rows_column cells = {column->name, (cell_type)column->type, column->data, column->length};
        if (column->per_vertex == 1) {
            if (!r->vertices.column_count)
                r->vertex_columns[r->vertices.column_count++] =
                    (rows_column){"id", CELL_VERTEX, NULL, weft_graph_vertices(r->g)};
            r->vertex_columns[r->vertices.column_count++] = cells;
        } else {
            r->table_columns[r->table.column_count++] = cells;
            if (column->length > table_length) table_length = column->length;
        }
    }
    r->table.count = table_length;
    if (r->call->options.table && r->call->options.top < table_length) r->table.count = (size_t)r->call->options.top;
    if (r->call->options.table && !r->table.column_count)
        return cli_fail(EXIT_USAGE, "%s has no table to show", r->call->name);
    return r->call->options.table ? EXIT_DONE : choose_rows(r);
}

/* --- showing ------------------------------------------------------------------------------- */

static void scalars_json(json *j, const weft_result *result) {
    for (size_t i = 0; i < weft_result_scalar_count(result); i++) {
        const weft_scalar *s = weft_result_scalar_at(result, i);
        if (s->type == WEFT_F64)
            json_f64(j, s->name, s->value.f64);
        else if (s->type == WEFT_I64)
            json_i64(j, s->name, s->value.i64);
        else
            json_u64(j, s->name, s->value.u64);
    }
}

/* What -o writes. */
static const rows *saved_rows(const run *r) {
    return r->call->options.table || !r->vertices.column_count ? &r->table : &r->vertices;
}

static int write_json(const run *r, FILE *to, bool with_rows) {
    const cli_call *call = r->call;
    int code = EXIT_DONE;
    json j;
    json_start(&j, to);
    json_text(&j, "algorithm", call->name);
    json_text(&j, "file", call->operands[0]);
    json_u64(&j, "vertices", weft_graph_vertices(r->g));
    json_u64(&j, "edges", weft_graph_edges(r->g));
    json_bool(&j, "directed", weft_graph_directed(r->g));
    plan_json(&j, r->plan);
    json_rounded(&j, "load_ms", r->load_ms);
    json_rounded(&j, "run_ms", r->run_ms);
    if (call->options.output && !with_rows) json_text(&j, "output", call->options.output);
    if (call->options.output && !with_rows) json_u64(&j, "output_rows", saved_rows(r)->count);
    json_open_object(&j, "scalars", false);
    scalars_json(&j, r->result);
    json_close(&j);
    if (with_rows && !call->options.table) code = rows_json(&j, "rows", &r->vertices);
    if (!code && r->table.column_count && (with_rows || call->options.table)) code = rows_json(&j, "table", &r->table);
    json_finish(&j);
    return code;
}

static void print_scalars(const weft_result *result) {
    cli_text room;
    for (size_t i = 0; i < weft_result_scalar_count(result); i++) {
        const weft_scalar *s = weft_result_scalar_at(result, i);
        if (s->type == WEFT_F64)
            cli_fact(s->name, "%s", cli_real(room, s->value.f64));
        else if (s->type == WEFT_I64)
            cli_fact(s->name, "%lld", (long long)s->value.i64);
        else
            cli_fact(s->name, "%s", cli_count(room, s->value.u64));
    }
}

static int print_human(const run *r) {
    const cli_options *options = &r->call->options;
    cli_text a, b;
    int code = EXIT_DONE;
    cli_heading("%s of %s: %s vertices, %s %s edges", r->call->name, r->call->operands[0],
                cli_count(a, weft_graph_vertices(r->g)), cli_count(b, weft_graph_edges(r->g)),
                weft_graph_directed(r->g) ? "directed" : "undirected");
    if (!options->table && r->vertices.column_count && !options->output) {
        code = rows_print(&r->vertices, r->vertices.count, 0);
        size_t left_out = weft_graph_vertices(r->g) - r->vertices.count;
        if (left_out && options->top == CLI_NOT_GIVEN)
            printf("  ... and %s more (--top K shows K rows, -o FILE saves all)\n", cli_count(a, left_out));
    }
    if (weft_result_scalar_count(r->result)) putchar('\n');
    print_scalars(r->result);
    if (!code && r->table.column_count && !options->output) {
        putchar('\n');
        bool whole = options->table;
        code = rows_print(&r->table, whole ? r->table.count : TABLE_HEAD, whole ? 0 : TABLE_TAIL);
        if (!whole && r->table.count > TABLE_HEAD + TABLE_TAIL + 1) printf("  (--table shows all rows)\n");
    }
    printf("\n  read in %s, run in %s on %s: %s\n", cli_seconds(a, r->load_ms), cli_seconds(b, r->run_ms),
           device_name(weft_plan_device(r->plan)), weft_plan_method(r->plan));
    if (options->output) {
        cli_put(stdout, "  wrote %s rows to %s", cli_count(a, saved_rows(r)->count), options->output);
        putchar('\n');
    }
    return code;
}

/* --- saving ---------------------------------------------------------------------------------- */

static int save(const run *r, rows_format format) {
    const cli_options *options = &r->call->options;
    const rows *what = saved_rows(r);
    if (!what->column_count && format != ROWS_JSON)
        return cli_fail(EXIT_USAGE, "%s has no rows to save; use .json", r->call->name);
    out_file out;
    int code = out_open(&out, options->output);
    if (!code) {
        switch (format) {
        case ROWS_TSV: code = rows_write_text(out.to, what, '\t'); break;
        case ROWS_CSV: code = rows_write_text(out.to, what, ','); break;
        case ROWS_NPY: code = rows_write_npy(out.to, what, options); break;
        case ROWS_JSON: code = write_json(r, out.to, true); break;
        }
    }
    return out_close(&out, code);
}

static int show(run *r, rows_format format) {
    const cli_options *options = &r->call->options;
    bool to_stdout = options->output && strcmp(options->output, "-") == 0;
    int code = make_rows(r);
    if (code) return code;
    if (options->json && to_stdout) return write_json(r, stdout, true);
    if (options->output) code = save(r, format);
    if (code || to_stdout) return code;
    if (options->json) return write_json(r, stdout, !options->output || options->top != CLI_NOT_GIVEN);
    return options->output && options->quiet ? EXIT_DONE : print_human(r);
}

int cli_algorithm(cli_call *call) {
    run r = {.call = call};
    rows_format format = ROWS_TSV;
    weft_status st = WEFT_OK;
    int code = call->options.output ? rows_format_of_path(call->options.output, &format) : EXIT_DONE;
    if (!code) code = cli_open(&call->options, &r.ctx);
    double started = cli_now_ms();
    if (!code) code = cli_load(r.ctx, &call->options, call->operands[0], &r.g);
    if (code) goto done;
    r.load_ms = cli_now_ms() - started;
    st = weft_plan_new(r.ctx, call->algorithm->name, r.g, call->params, &r.plan);
    if (!st && call->options.plan) {
        show_plan(&r);
        goto done;
    }
    started = cli_now_ms();
    if (!st) st = weft_plan_run(r.plan, &r.result);
    r.run_ms = cli_now_ms() - started;
    cli_progress_erase();
    code = st ? cli_fail_status(r.ctx, st) : show(&r, format);
done:
    free(r.order);
    free(r.vertex_columns);
    free(r.table_columns);
    weft_result_free(r.result);
    weft_plan_free(r.plan);
    weft_graph_free(r.g);
    weft_ctx_free(r.ctx);
    return code;
}
