/* The table of groups: sizes, largest first, for people, as JSON and as a file (--sizes). */
#include "result/answer.h"

#include <stdlib.h>

enum { STANDARD_TOP = 10, MOST_IN_JSON = 100 };

int groups_check(const cli_call *call) {
    const char *path = call->options.sizes_file, *out = call->options.output;
    rows_format format;
    if (!path) return EXIT_DONE;
    int code = rows_format_of_path(path, false, &format);
    if (!code) code = cli_check_output("--sizes", path);
    if (!code) code = cli_check_not_read(&call->options, call->operands[0], path);
    if (!code) code = cli_check_not_params(call->algorithm, call->params, path);
    if (!code && out && (cli_same_target(out, path) || (cli_is_stdout(out) && cli_is_stdout(path))))
        code = cli_fail(EXIT_USAGE, "-o and --sizes name the same file");
    if (!code && call->options.json && cli_is_stdout(path))
        code = cli_fail(EXIT_USAGE, "--json and --sizes both mean standard output");
    return code;
}

static int make_table(const weft_graph *g, const weft_column *column, size_t count, groups *to) {
    to->share = cli_take(count + 1, sizeof *to->share);
    if (!to->share) return EXIT_MEMORY;
    for (size_t i = 0; i < count; i++) to->share[i] = (float)((double)to->size[i] / weft_graph_vertices(g));
    to->columns[0] = (rows_column){.name = column->name, .type = CELL_VERTEX, .data = to->group, .length = count};
    to->columns[1] = (rows_column){.name = "size", .type = CELL_U64, .data = to->size, .length = count};
    to->columns[2] = (rows_column){.name = "share", .type = CELL_F32, .data = to->share, .length = count};
    to->rows = (rows){.g = g, .names = cli_ids_are_names(g), .columns = to->columns, .column_count = 3, .count = count};
    return EXIT_DONE;
}

int groups_make(weft_ctx *ctx, const weft_graph *g, const weft_algorithm_info *algorithm, const weft_result *result,
                groups *to) {
    const weft_column *column = algorithm->groups ? weft_result_column(result, algorithm->groups) : NULL;
    size_t count;
    if (!column) return EXIT_DONE;
    weft_status st = weft_group_sizes(ctx, column, &to->group, &to->size, &count);
    if (st) return cli_fail_status(ctx, st);
    to->total = count;
    return make_table(g, column, count, to);
}

int groups_of_ranks(weft_plan *plan, weft_ctx *ctx, const weft_graph *g, const cli_call *call,
                    const weft_result *result, groups *to) {
    const char *name = call->algorithm->groups;
    const weft_column *column = name ? weft_result_column(result, name) : NULL;
    uint64_t top = call->options.top;
    size_t count;
    if (!column) return EXIT_DONE;
    weft_status st =
        weft_plan_group_sizes(plan, column, top != CLI_NOT_GIVEN && top > MOST_IN_JSON ? top : MOST_IN_JSON, &to->group,
                              &to->size, &count, &to->total);
    if (st) return cli_fail_status(ctx, st);
    return cli_ranks_agree(ctx, make_table(g, column, count, to));
}

void groups_free(weft_ctx *ctx, groups *of) {
    weft_free(ctx, of->group);
    weft_free(ctx, of->size);
    free(of->share);
    *of = (groups){0};
}

static rows first_rows(const groups *of, uint64_t most) {
    rows first = of->rows;
    if (most < first.count) first.count = (size_t)most;
    return first;
}

typedef struct saving {
    const cli_call *call;
    const groups *of;
} saving;

static int write_json(const void *what, FILE *to) {
    const saving *s = what;
    json j;
    json_start(&j, to);
    json_text(&j, "algorithm", s->call->name);
    json_text(&j, "file", s->call->operands[0]);
    int code = rows_json(&j, "sizes", &s->of->rows);
    json_finish(&j);
    return code;
}

int groups_save(const cli_call *call, const groups *of) {
    rows_format format;
    int code = rows_format_of_path(call->options.sizes_file, false, &format);
    return code ? code
                : rows_save(&call->options, call->options.sizes_file, format, &of->rows, write_json,
                            &(saving){call, of});
}

int groups_print(const cli_options *options, const groups *of) {
    bool asked = options->top != CLI_NOT_GIVEN;
    rows first = first_rows(of, asked ? options->top : STANDARD_TOP);
    uint64_t more = of->total - first.count;
    cli_text buffer;
    int code = rows_print(&first, first.count, 0);
    if (more && !asked)
        printf("  ... and %s more (--top K shows K rows, --sizes FILE saves all)\n", cli_count(buffer, more));
    return code;
}

int groups_json(json *j, const groups *of) {
    rows first = first_rows(of, MOST_IN_JSON);
    return rows_json(j, "sizes", &first);
}
