/* weft compare A B: the differences between two graphs.  Exit code 0: there are none; 1: there are some. */
#include "compare/compare.h"

#include <string.h>

uint64_t comparison_figure(const comparison *c, const char *name) {
    return weft_result_scalar(c->result, name)->value.u64;
}

static void add_column(edge_list *list, const weft_result *result, const char *name, const char *shown) {
    const weft_column *column = weft_result_column(result, name);
    if (!column) return;
    rows_column *to = &list->columns[list->rows.column_count++];
    *to = rows_column_of(column);
    if (to->type == CELL_LEVEL) to->type = CELL_U32;
    to->name = shown;
    list->rows.count = column->length;
}

static void make_lists(comparison *c) {
    static const struct {
        const char *name, *shown;
    } columns[LISTS][4] = {
        {{"removed_source", "source"}, {"removed_target", "target"}, {"removed_weight", "weight"}, {NULL, NULL}},
        {{"added_source", "source"}, {"added_target", "target"}, {"added_weight", "weight"}, {NULL, NULL}},
        {{"changed_source", "source"},
         {"changed_target", "target"},
         {"weight_before", "before"},
         {"weight_after", "after"}},
    };
    for (int i = 0; i < LISTS; i++) {
        edge_list *list = &c->list[i];
        const weft_graph *g = c->g[i == LIST_ADDED ? GRAPH_B : GRAPH_A];
        list->rows = (rows){.g = g, .names = cli_ids_are_names(g), .columns = list->columns};
        for (int k = 0; k < 4 && columns[i][k].name; k++)
            add_column(list, c->result, columns[i][k].name, columns[i][k].shown);
    }
}

/* --- before anything is read ------------------------------------------------------------------------------ */

static const char *const list_flags[LISTS] = {"--removed", "--added", "--changed"};

static int check_file(const comparison *c, int which) {
    const cli_options *o = &c->call->options;
    const char *path = c->list[which].path;
    int code = cli_check_output(list_flags[which], path);
    for (int i = 0; i < c->call->operand_count && !code; i++) code = cli_check_not_read(o, c->call->operands[i], path);
    if (!code && o->json && cli_is_stdout(path))
        return cli_fail(EXIT_USAGE, "--json and %s both want standard output; write the edges to a file",
                        list_flags[which]);
    for (int i = 0; i < which && !code; i++)
        if (c->list[i].path && cli_same_target(c->list[i].path, path))
            return cli_fail(EXIT_USAGE, "%s and %s name the same file", list_flags[i], list_flags[which]);
    return code;
}

static int check(comparison *c) {
    const cli_options *o = &c->call->options;
    const char *const paths[LISTS] = {o->compare.removed, o->compare.added, o->compare.changed};
    int code = EXIT_DONE;
    for (int i = 0; i < LISTS && !code; i++) {
        if (!(c->list[i].path = paths[i])) continue;
        code = rows_format_of_path(paths[i], false, &c->list[i].format);
        if (!code && c->list[i].format == ROWS_NPY)
            code = cli_fail(EXIT_USAGE, "%s: edges are written as .tsv, .txt, .csv, .json or .jsonl, not .npy",
                            list_flags[i]);
        if (!code) code = check_file(c, i);
    }
    return code || !o->by ? code : places_check(&c->places, o);
}

/* --- reading and comparing ---------------------------------------------------------------------------------- */

static int load(comparison *c) {
    double started = cli_now_ms();
    for (int i = 0; i < GRAPHS; i++) {
        int code = cli_load(c->ctx, &c->call->options, c->call->operands[i], &c->g[i]);
        if (code) return code;
        c->info[i].size = sizeof c->info[i];
        weft_status st = weft_graph_describe(c->ctx, c->g[i], &c->info[i]);
        if (st) return cli_fail_status(c->ctx, st);
        if (c->info[i].duplicates_dropped)
            cli_note(&c->call->options,
                     "%s: %llu parallel edge%s became one with others; --duplicates keep compares how many there are",
                     c->call->operands[i], (unsigned long long)c->info[i].duplicates_dropped,
                     cli_s(c->info[i].duplicates_dropped));
    }
    c->load_ms = cli_now_ms() - started;
    return EXIT_DONE;
}

static int compare(comparison *c) {
    double started = cli_now_ms();
    weft_status st = weft_graph_changes(c->ctx, c->g[GRAPH_A], c->g[GRAPH_B], NULL, &c->result);
    c->compare_ms = cli_now_ms() - started;
    cli_progress_erase();
    if (st) return cli_fail_status(c->ctx, st);
    make_lists(c);
    return c->call->options.by ? places_make(c) : EXIT_DONE;
}

int cli_compare(cli_call *call) {
    comparison c = {.call = call};
    int code = check(&c);
    if (!code) code = cli_open(&call->options, &c.ctx);
    if (!code) code = load(&c);
    if (!code) code = compare(&c);
    if (!code) code = comparison_show(&c);
    if (!code && !comparison_figure(&c, "equal")) code = EXIT_NO;
    places_free(&c.places);
    weft_result_free(c.result);
    for (int i = 0; i < GRAPHS; i++) weft_graph_free(c.g[i]);
    weft_ctx_free(c.ctx);
    return code;
}
