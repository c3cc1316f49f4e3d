/* The answer of an algorithm for people, as JSON, and as a file: everything is read from the result and from the
 * algorithm's description.  A result that failed its check is not saved. */
#include "draw/draw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_HEAD = 5, TABLE_TAIL = 3, LONGEST_PATH = 40 };

const char *answer_device(const answer *a) { return weft_plan_device(a->plan) == WEFT_DEVICE_CUDA ? "cuda" : "cpu"; }

static bool failed_check(const answer *a) { return a->call->options.verify && !a->report.passed; }

static const weft_scalar *verdict(const answer *a) {
    const char *name = a->call->algorithm->verdict;
    return name ? weft_result_scalar(a->result, name) : NULL;
}

bool answer_is_no(const answer *a) { return verdict(a) && verdict(a)->value.u64 == 0; }

/* The name of the object that -o writes. */
static const rows *saved_rows(const answer *a) {
    return a->call->options.table || !a->main.column_count ? &a->table : &a->main;
}

/* --- JSON ---------------------------------------------------------------------------------- */

const char *const *answer_words(const answer *a) {
    return cli_param_words(a->call->params, a->call->algorithm->params_size);
}

void answer_plan_json(json *j, const answer *a) {
    cli_line line;
    json_text(j, "backend", answer_device(a));
    json_text(j, "backend_reason", cli_flag_line(line, weft_plan_device_reason(a->plan)));
    json_text(j, "method", weft_plan_method(a->plan));
    json_text(j, "reason", weft_plan_reason(a->plan));
    cli_parameters_json(j, a->g, a->plan, a->call->algorithm, answer_words(a));
    if (cli_measure(a->call->algorithm, a->g)) json_text(j, "measure", cli_measure(a->call->algorithm, a->g));
    json_u64(j, "threads", (uint64_t)weft_ctx_threads(a->ctx));
    json_u64(j, "host_bytes", weft_plan_host_bytes(a->plan));
    json_u64(j, "device_bytes", weft_plan_device_bytes(a->plan));
    cli_ranks_json(j, a);
}

static int result_json(json *j, const answer *a) {
    int code = EXIT_DONE;
    json_open_object(j, "result", false);
    for (size_t i = 0; i < weft_result_scalar_count(a->result); i++) {
        const weft_scalar *s = weft_result_scalar_at(a->result, i);
        if (s == verdict(a))
            json_bool(j, s->name, s->value.u64 != 0);
        else
            json_scalar(j, s);
    }
    for (size_t i = 0; i < a->table.column_count && !code; i++)
        code = rows_json_column(j, &a->table, &a->table_columns[i]);
    json_close(j);
    return code;
}

static void times_json(json *j, const answer *a) {
    json_open_object(j, "time_ms", true);
    json_rounded(j, "load", a->load_ms);
    json_rounded(j, "prepare", a->prepare_ms);
    json_rounded(j, "run", a->run_ms.median);
    json_close(j);
    json_u64(j, "repeat", a->call->options.repeat);
    json_open_object(j, "run_ms", true);
    json_rounded(j, "median", a->run_ms.median);
    json_rounded(j, "min", a->run_ms.min);
    json_rounded(j, "max", a->run_ms.max);
    json_close(j);
    if (a->kernel_ms.max > 0) {
        json_open_object(j, "kernel_ms", true);
        json_rounded(j, "median", a->kernel_ms.median);
        json_rounded(j, "min", a->kernel_ms.min);
        json_rounded(j, "max", a->kernel_ms.max);
        json_close(j);
    }
    answer_stages_json(j, a);
    json_rounded(j, "edges_per_second", (double)weft_graph_edges(a->g) / a->run_ms.median * 1e3);
    json_u64(j, "bytes_peak", a->peak_bytes);
}

static void followed_json(json *j, const answer *a) {
    json_bool(j, "incremental", a->followed->incremental);
    json_text(j, "reason", a->followed->reason);
    json_rounded(j, "answer_ms", a->run_ms.median);
    if (a->call->options.dynamic.warm) json_f64(j, "error_bound", a->followed->error_bound);
}

static int write_json(const answer *a, FILE *to, bool with_rows) {
    const cli_options *options = &a->call->options;
    bool saved = options->output && !with_rows && !failed_check(a);
    json j;
    if (a->followed)
        json_start_line(&j, to);
    else
        json_start(&j, to);
    json_text(&j, "algorithm", a->call->name);
    json_text(&j, "file", a->call->operands[0]);
    if (a->followed) json_u64(&j, "batch", a->batch);
    json_u64(&j, "vertices", weft_graph_vertices(a->g));
    json_u64(&j, "edges", weft_graph_edges(a->g));
    json_direction(&j, weft_graph_directed(a->g), weft_graph_direction_from(a->g));
    if (a->followed) {
        followed_json(&j, a);
    } else {
        answer_plan_json(&j, a);
        times_json(&j, a);
    }
    cli_checkpoint_json(&j, a);
    if (options->verify) json_bool(&j, "verified", a->report.passed);
    if (options->verify) json_text(&j, "verify_message", a->report.message);
    if (saved) json_text(&j, "output", options->output);
    if (saved && options->parts) json_i64(&j, "output_parts", weft_ctx_ranks(a->ctx));
    if (saved && !draw_wanted(a->call) && !graph_out_wanted(options)) json_u64(&j, "output_rows", saved_rows(a)->count);
    int code = result_json(&j, a);
    if (!code && a->groups.rows.column_count) code = groups_json(&j, &a->groups);
    if (!code && with_rows && !options->table) code = rows_json(&j, "rows", &a->main);
    if (!code && a->table.column_count && (with_rows || options->table)) code = rows_json(&j, "table", &a->table);
    json_finish(&j);
    return code;
}

/* --- for people ------------------------------------------------------------------------------ */

static void print_scalars(const answer *a) {
    cli_text buffer;
    for (size_t i = 0; i < weft_result_scalar_count(a->result); i++) {
        const weft_scalar *s = weft_result_scalar_at(a->result, i);
        if (s == verdict(a)) continue; /* printed above */
        cli_fact(s->name, "%s", cli_scalar(buffer, s));
    }
}

/* The witness of the answer "no", where the algorithm has one. */
static const weft_column *witness(const answer *a) {
    const char *name = a->call->algorithm->witness;
    const weft_column *column = name ? weft_result_column(a->result, name) : NULL;
    return column && column->length ? column : NULL;
}

/* A cycle as a -> b -> c -> a; of a long one the beginning and the end. */
static int print_path(FILE *to, const answer *a, const weft_column *column) {
    const weft_vid *path = column->data;
    size_t length = column->length;
    if (length > 1 && path[length - 1] == path[0]) length--; /* the closing vertex is printed below in any case */
    cli_text buffer;
    fprintf(to, "  %s: ", column->name);
    for (size_t i = 0; i <= length; i++) {
        if (length > LONGEST_PATH && i == LONGEST_PATH / 2) {
            i = length - LONGEST_PATH / 2;
            fprintf(to, "... %s more ... -> ", cli_count(buffer, length - LONGEST_PATH));
        }
        char *id = cli_id_text(a->g, path[i == length ? 0 : i], true);
        if (!id) return EXIT_MEMORY;
        fprintf(to, "%s%s", id, i < length ? " -> " : "\n");
        free(id);
    }
    return EXIT_DONE;
}

/* If the result is in its file but memory for the summary is missing, the summary is left out: the run has
 * succeeded. */
static int print_verdict(FILE *to, const answer *a) {
    if (!verdict(a)) return EXIT_DONE;
    fprintf(to, "%s%s\n", answer_is_no(a) ? "no: not " : "yes: ", verdict(a)->name);
    int code = answer_is_no(a) && witness(a) ? print_path(to, a, witness(a)) : EXIT_DONE;
    return a->call->options.output ? EXIT_DONE : code;
}

/* The algorithm's description of a column, which says whether it needs another one. */
static const char *help_of(const answer *a, const char *column) {
    const weft_algorithm_info *info = a->call->algorithm;
    for (size_t i = 0; i < info->result_count; i++)
        if (strcmp(weft_algorithm_result_at(info, i)->name, column) == 0)
            return weft_algorithm_result_at(info, i)->help;
    return "";
}

static int print_table(const answer *a) {
    cli_line line;
    bool whole = a->call->options.table;
    if (!a->table.column_count || (!whole && !a->table.count)) return EXIT_DONE;
    if (!whole && answer_is_no(a) && witness(a) && a->table.column_count == 1) return EXIT_DONE; /* shown as a path */
    putchar('\n');
    int code = rows_print(&a->table, whole ? a->table.count : TABLE_HEAD, whole ? 0 : TABLE_TAIL);
    if (!a->table.count)
        printf("  (no rows; %s: %s)\n", a->table_columns[0].name,
               cli_flag_line(line, help_of(a, a->table_columns[0].name)));
    if (!whole && a->table.count > TABLE_HEAD + TABLE_TAIL + 1) printf("  (--table shows all rows)\n");
    return code;
}

/* Did auto choose between two devices? */
static bool was_weighed(const answer *a) {
    weft_device_cause cause = weft_plan_device_cause(a->plan);
    return a->call->options.device == WEFT_DEVICE_AUTO && a->call->algorithm->on_cuda && !a->rank_figures &&
           cause != WEFT_CAUSE_SMALL && cause != WEFT_CAUSE_NO_GPU;
}

static void print_times(const answer *a) {
    cli_line line;
    cli_text x, y, z;
    if (a->followed) {
        printf("\n  %s in %s: %s\n", a->followed->incremental ? "followed" : "run", cli_seconds(x, a->run_ms.median),
               a->followed->reason);
        if (a->followed->error_bound > 0)
            printf("  at most %s from the exact ranks\n", cli_real(x, a->followed->error_bound));
        return;
    }
    printf("\n  read in %s, run in %s", cli_seconds(x, a->load_ms), cli_seconds(y, a->run_ms.median));
    if (a->call->options.repeat > 1)
        printf(" (median of %s runs, %s to %s, all with the same bytes)", cli_count(x, a->call->options.repeat),
               cli_seconds(y, a->run_ms.min), cli_seconds(z, a->run_ms.max));
    printf(" on %s: %s\n", answer_device(a), weft_plan_method(a->plan));
    if (a->call->options.repeat > 1 && a->kernel_ms.max > 0)
        printf("  by the GPU's clock %s (median, %s to %s)\n", cli_seconds(x, a->kernel_ms.median),
               cli_seconds(y, a->kernel_ms.min), cli_seconds(z, a->kernel_ms.max));
    cli_ranks_print(a);
    if (was_weighed(a))
        printf("  chosen by --device auto: %s\n", cli_flag_line(line, weft_plan_device_reason(a->plan)));
    if (weft_plan_device(a->plan) == WEFT_DEVICE_CUDA) answer_stages_print(a);
}

/* what: the written object; NULL for a picture. */
static void print_wrote(const rows *what, const char *path) {
    cli_text buffer;
    if (what)
        cli_put(stdout, "  wrote %s row%s to %s", cli_count(buffer, what->count), cli_s(what->count), path);
    else
        cli_put(stdout, "  drew %s", path);
    putchar('\n');
}

/* Shows groups by their sizes, unless a flag asks for vertices. */
static bool shows_groups(const answer *a) {
    const cli_options *options = &a->call->options;
    return a->groups.rows.column_count && !select_is_asked(options) && !options->by && !options->labels;
}

static int print_rows(const answer *a) {
    const cli_options *options = &a->call->options;
    cli_text buffer;
    if (shows_groups(a)) return groups_print(options, &a->groups);
    const rows shown = join_left_out(&a->main);
    int code = rows_print(&shown, shown.count, 0);
    size_t left_out = a->met - a->main.count;
    if (left_out && options->top == CLI_NOT_GIVEN && options->bottom == CLI_NOT_GIVEN && options->head == CLI_NOT_GIVEN)
        printf("  ... and %s more (%s K shows K rows, -o FILE saves all)\n", cli_count(buffer, left_out),
               answer_lists(a->call->algorithm) ? "--head" : "--top");
    return code;
}

static int print_human(const answer *a) {
    const cli_options *options = &a->call->options;
    cli_text x, y;
    weft_vid n = weft_graph_vertices(a->g);
    if (a->followed) printf("batch %" PRIu64 ": ", a->batch);
    cli_heading("%s of %s: %s %s, %s %s edge%s", a->call->name, a->call->operands[0], cli_count(x, n), cli_vertices(n),
                cli_count(y, weft_graph_edges(a->g)), weft_graph_directed(a->g) ? "directed" : "undirected",
                cli_s(weft_graph_edges(a->g)));
    int code = print_verdict(stdout, a);
    if (!code && !options->table && a->main.column_count && !options->output) code = print_rows(a);
    if (weft_result_scalar_count(a->result) > (verdict(a) ? 1 : 0)) putchar('\n');
    if (!a->followed) cli_search_facts(a->g, a->plan, a->call->algorithm, answer_words(a));
    print_scalars(a);
    if (!code && !options->output) code = print_table(a);
    print_times(a);
    if (options->verify) cli_put(stdout, "  verified: %s", a->report.message);
    if (options->verify) putchar('\n');
    if (options->output && graph_out_wanted(options))
        graph_out_tell(a->g, join_left_out(&a->main).column_count - 1, options->output);
    else if (options->output)
        print_wrote(draw_wanted(a->call) ? NULL : saved_rows(a), options->output);
    if (options->parts && a->own) printf("  and the other ranks theirs, %d files in all\n", weft_ctx_ranks(a->ctx));
    if (options->sizes_file) print_wrote(&a->groups.rows, options->sizes_file);
    return code;
}

/* The rows are on standard output; the summary goes to standard error. */
static int print_beside(const answer *a) {
    if (a->call->options.verify) cli_note(&a->call->options, "verified: %s", a->report.message);
    return a->call->options.quiet ? EXIT_DONE : print_verdict(stderr, a);
}

/* --- all of it --------------------------------------------------------------------------------- */

static int write_whole_json(const void *what, FILE *to) { return write_json(what, to, true); }

static int save_graph(const answer *a) {
    const cli_options *o = &a->call->options;
    graph_looks looks = {0};
    if (!a->main.column_count || a->main_columns[0].type != CELL_VERTEX || a->main_columns[0].data ||
        a->main_columns[0].length != weft_graph_vertices(a->g))
        return cli_fail(EXIT_USAGE, "%s has no values of vertices to add to a graph; use .tsv, .csv or .json",
                        a->call->name);
    int code = draw_graph_looks(a, &looks);
    if (!code) code = graph_out_save(a->ctx, o, &a->main, &looks);
    draw_forget_looks(&looks);
    return code;
}

static int save(const answer *a, rows_format format) {
    const rows *what = saved_rows(a);
    if (draw_wanted(a->call)) return draw_save(a);
    if (format == ROWS_GRAPH) return save_graph(a);
    if (!what->column_count && format != ROWS_JSON)
        return cli_fail(EXIT_USAGE, "%s has no rows to save; use .json", a->call->name);
    return rows_save(&a->call->options, a->call->options.output, format, what, write_whole_json, a);
}

/* With --parts all ranks' files get their names, or none: after all are written. */
static int save_part(const answer *a, rows_format format) {
    const cli_options *options = &a->call->options;
    const rows *what = &a->main;
    out_file out = {.file.fd = -1};
    int code = what->column_count ? out_open(&out, options->output)
                                  : cli_fail(EXIT_USAGE, "%s has no rows of vertices to save in parts", a->call->name);
    bool opened = what->column_count > 0;
    if (!code) code = rows_write(options, out.to, format, what, write_whole_json, a);
    if (!code) code = out_flush(&out);
    code = cli_ranks_agree(a->ctx, code);
    return opened ? out_close(&out, code) : code;
}

static int show(answer *a, rows_format format) {
    const cli_options *options = &a->call->options;
    bool rows_to_stdout = options->output && cli_is_stdout(options->output);
    bool to_stdout = rows_to_stdout || (options->sizes_file && cli_is_stdout(options->sizes_file));
    int code = answer_rows(a, options);
    if (options->parts) code = cli_ranks_agree(a->ctx, code);
    if (!code && a->way == ROWS_HERE) code = groups_make(a->ctx, a->g, a->call->algorithm, a->result, &a->groups);
    if (!code && options->sizes_file && !failed_check(a)) code = groups_save(a->call, &a->groups);
    if (code) return code;
    if (options->json && rows_to_stdout) return write_json(a, stdout, true);
    if (failed_check(a)) return options->json ? write_json(a, stdout, !options->output) : EXIT_DONE;
    if (options->output) code = options->parts ? save_part(a, format) : save(a, format);
    if (!code && to_stdout) code = print_beside(a);
    if (code || to_stdout) return code;
    if (options->json) return write_json(a, stdout, !options->output || options->top != CLI_NOT_GIVEN);
    return options->output && options->quiet ? EXIT_DONE : print_human(a);
}

int answer_show(answer *a, rows_format format) {
    int code = show(a, format);
    if (code) return code;
    return failed_check(a) || answer_is_no(a) ? EXIT_NO : EXIT_DONE;
}
