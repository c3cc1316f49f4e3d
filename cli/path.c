/* weft path FILE U V: a shortest path from one vertex to another, or several. */
#include "weft/path.h"
#include "cli.h"
#include "result/json.h"
#include "result/rows.h"

#include <stdlib.h>

typedef struct finding {
    const cli_call *call;
    weft_ctx *ctx;
    weft_graph *g;
    weft_vid from, to;
    bool weights;
    weft_result *result;
    const uint32_t *path;
    const weft_vid *vertex;
    const double *distance;
    size_t rows;
    double search_ms;
} finding;

/* Row after the end of the path that begins at row `at`. */
static size_t end_of(const finding *f, size_t at) {
    size_t end = at + 1;
    while (end < f->rows && f->path[end] == f->path[at]) end++;
    return end;
}

static int print_json(const void *what, FILE *to) {
    const finding *f = what;
    json j;
    json_start(&j, to);
    json_text(&j, "file", f->call->operands[0]);
    json_vertex(&j, f->g, "from", f->from);
    json_vertex(&j, f->g, "to", f->to);
    json_direction(&j, weft_graph_directed(f->g), weft_graph_direction_from(f->g));
    json_text(&j, "measure", f->weights ? "weights" : "hops");
    json_u64(&j, "found", weft_result_scalar(f->result, "found")->value.u64);
    json_open_array(&j, "paths", false);
    for (size_t at = 0, end; at < f->rows; at = end) {
        end = end_of(f, at);
        json_open_object(&j, NULL, false);
        json_u64(&j, "hops", end - at - 1);
        json_f64(&j, "length", f->distance[end - 1]);
        json_open_array(&j, "vertices", true);
        for (size_t i = at; i < end; i++) json_vertex(&j, f->g, NULL, f->vertex[i]);
        json_close(&j);
        json_close(&j);
    }
    json_close(&j);
    json_rounded(&j, "search_ms", f->search_ms);
    json_finish(&j);
    return EXIT_DONE;
}

static int print_path(const finding *f, size_t at, size_t end) {
    cli_text hops, length;
    size_t column = 0;
    if (f->weights)
        cli_heading("length %s (sum of weights), %s hop%s", cli_real(length, f->distance[end - 1]),
                    cli_count(hops, end - at - 1), cli_s(end - at - 1));
    else
        cli_heading("%s hop%s%s", cli_count(hops, end - at - 1), cli_s(end - at - 1),
                    weft_graph_weight_type(f->g) ? " (weights are not used)" : "");
    for (size_t i = at; i < end; i++) {
        char *id = cli_id_text(f->g, f->vertex[i], true);
        if (!id) return EXIT_MEMORY;
        cli_put_word(&column, id, "");
        free(id);
    }
    putchar('\n');
    return EXIT_DONE;
}

static int print_human(const finding *f) {
    int code = EXIT_DONE;
    if (!f->rows) {
        cli_put(stdout, "there is no path from %s to %s", f->call->operands[1], f->call->operands[2]);
        putchar('\n');
    }
    for (size_t at = 0, end; at < f->rows && !code; at = end) {
        end = end_of(f, at);
        code = print_path(f, at, end);
    }
    return code;
}

static int save(const finding *f, rows_format format) {
    rows_column columns[] = {
        {.name = "path", .type = CELL_U32, .data = f->path, .length = f->rows},
        {.name = "vertex", .type = CELL_VERTEX, .data = f->vertex, .length = f->rows},
        {.name = "distance", .type = CELL_F64, .data = f->distance, .length = f->rows},
    };
    rows r = {.g = f->g, .names = cli_ids_are_names(f->g), .columns = columns, .column_count = 3, .count = f->rows};
    return rows_save(&f->call->options, f->call->options.output, format, &r, print_json, f);
}

/* The message for a weight that shortest paths do not allow names the flag that ignores weights. */
static int fail(const finding *f, weft_status st) {
    if (st != WEFT_EINPUT || !f->weights) return cli_fail_status(f->ctx, st);
    return cli_fail(cli_exit_of(st), "%s; --hops counts hops", weft_ctx_message(f->ctx));
}

static int search(finding *f) {
    const cli_options *options = &f->call->options;
    weft_path_params p = WEFT_PATH_DEFAULTS;
    weft_vid *avoid = NULL;
    int code = EXIT_DONE;
    weft_status st = weft_graph_find(f->ctx, f->g, f->call->operands[1], &f->from);
    if (!st) st = weft_graph_find(f->ctx, f->g, f->call->operands[2], &f->to);
    if (st) return cli_fail_status(f->ctx, st);
    if (options->path.avoid) code = cli_read_vertices(f->ctx, f->g, options->path.avoid, &avoid, &p.avoid_count);
    p.avoid = avoid;
    f->weights = options->use_weights || (!options->path.hops && weft_graph_weight_type(f->g) != WEFT_WEIGHT_NONE);
    p.weights = f->weights;
    p.count = options->path.k;
    double began = cli_now_ms();
    if (!code && (st = weft_path(f->ctx, f->g, f->from, f->to, &p, &f->result))) code = fail(f, st);
    f->search_ms = cli_now_ms() - began;
    cli_progress_erase();
    free(avoid);
    if (code) return code;
    f->rows = weft_result_column(f->result, "vertex")->length;
    f->path = weft_result_u32(f->result, "path");
    f->vertex = weft_result_u32(f->result, "vertex");
    f->distance = weft_result_f64(f->result, "distance");
    return EXIT_DONE;
}

static int show(const finding *f, rows_format format) {
    const cli_options *options = &f->call->options;
    bool to_stdout = options->output && cli_is_stdout(options->output);
    int code = options->output && !(options->json && to_stdout) ? save(f, format) : EXIT_DONE;
    if (code || (to_stdout && !options->json)) return code;
    if (options->output && options->quiet && !options->json) return EXIT_DONE;
    code = options->json ? print_json(f, stdout) : print_human(f);
    return options->output ? EXIT_DONE : code; /* the file has its name */
}

int cli_path(cli_call *call) {
    const cli_options *options = &call->options;
    finding f = {.call = call};
    rows_format format = ROWS_TSV;
    int code = options->output ? rows_format_of_path(options->output, false, &format) : EXIT_DONE;
    if (!code) code = cli_check_output("-o", options->output);
    if (!code) code = cli_check_not_read(options, call->operands[0], options->output);
    if (!code)
        code =
            cli_each_word(options->path.avoid, AGAIN_WORDS, cli_check_not_vertices, (void *)(uintptr_t)options->output);
    if (!code) code = cli_open(options, &f.ctx);
    if (!code) code = cli_load(f.ctx, options, call->operands[0], &f.g);
    if (!code) code = search(&f);
    if (!code) code = show(&f, format);
    if (!code && !f.rows) code = EXIT_NO;
    weft_result_free(f.result);
    weft_graph_free(f.g);
    weft_ctx_free(f.ctx);
    return code;
}
