/* Output of weft compare: files of edges, text for people, JSON. */
#include "compare/compare.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_EDGES = 10, SHOWN_IDS = 10 };

static const char *const list_keys[LISTS] = {"edges_removed", "edges_added", "weights_changed"};
static const char *const list_titles[LISTS] = {"removed edge", "added edge", "changed weight"};
static const char *const list_flags[LISTS] = {"--removed", "--added", "--changed"};

/* --- vertices ------------------------------------------------------------------------------------------------ */

static const struct {
    const char *column, *key, *title;
    int graph;
} vertex_lists[] = {{"removed_vertex", "vertices_removed", "removed", GRAPH_A},
                    {"added_vertex", "vertices_added", "added", GRAPH_B}};
enum { VERTEX_LISTS = sizeof vertex_lists / sizeof *vertex_lists };

static rows vertex_rows(const comparison *c, int which, rows_column *column) {
    const weft_graph *g = c->g[vertex_lists[which].graph];
    *column = rows_column_of(weft_result_column(c->result, vertex_lists[which].column));
    column->name = vertex_lists[which].key;
    return (rows){.g = g, .names = cli_ids_are_names(g), .columns = column, .column_count = 1, .count = column->length};
}

static int print_vertices(const comparison *c, int which) {
    rows_column column;
    cell_text cell = {NULL, 0, 0};
    cli_text buffer;
    rows r = vertex_rows(c, which, &column);
    bool fine = true;
    if (!r.count) return EXIT_DONE;
    printf("\n%s %s:", vertex_lists[which].title, cli_vertices(r.count));
    for (size_t i = 0; i < r.count && i < SHOWN_IDS && fine; i++) {
        fine = cell_print(&r, &column, i, &cell);
        if (fine) cli_put(stdout, "%s %s", i ? "," : "", cell.text);
    }
    if (r.count > SHOWN_IDS) printf(" and %s more (--json lists all)", cli_count(buffer, r.count - SHOWN_IDS));
    putchar('\n');
    free(cell.text);
    return fine ? EXIT_DONE : EXIT_MEMORY;
}

/* --- JSON ------------------------------------------------------------------------------------------------------ */

static int places_json(json *j, const comparison *c) {
    const places *p = &c->places;
    if (!c->call->options.by) return EXIT_DONE;
    json_text(j, "by", c->call->options.by);
    return rows_json(j, "places", &p->rows);
}

static int print_json(const comparison *c) {
    json j;
    int code = EXIT_DONE;
    json_start(&j, stdout);
    json_text(&j, "a", c->call->operands[GRAPH_A]);
    json_text(&j, "b", c->call->operands[GRAPH_B]);
    json_bool(&j, "equal", comparison_figure(c, "equal"));
    json_bool(&j, "directed", weft_graph_directed(c->g[GRAPH_A]));
    json_bool(&j, "weights_compared", comparison_figure(c, "weights_compared"));
    json_open_object(&j, "result", false);
    for (size_t i = 0; i < weft_result_scalar_count(c->result); i++) {
        const weft_scalar *s = weft_result_scalar_at(c->result, i);
        if (strcmp(s->name, "equal") != 0 && strcmp(s->name, "weights_compared") != 0) json_scalar(&j, s);
    }
    json_close(&j);
    for (int i = 0; i < VERTEX_LISTS && !code; i++) {
        rows_column column;
        rows r = vertex_rows(c, i, &column);
        code = rows_json_column(&j, &r, &column);
    }
    for (int i = 0; i < LISTS && !code; i++) {
        if (c->list[i].path)
            json_text(&j, list_flags[i] + 2, c->list[i].path);
        else
            code = rows_json(&j, list_keys[i], &c->list[i].rows);
    }
    if (!code) code = places_json(&j, c);
    json_rounded(&j, "load_ms", c->load_ms);
    json_rounded(&j, "compare_ms", c->compare_ms);
    json_finish(&j);
    return code;
}

/* --- for people -------------------------------------------------------------------------------------------------- */

static const char *weights_text(const comparison *c) {
    bool some = weft_graph_weight_type(c->g[GRAPH_A]) || weft_graph_weight_type(c->g[GRAPH_B]);
    if (comparison_figure(c, "weights_compared")) return ", with their weights";
    return some ? ", without their weights" : "";
}

static void print_equal(const comparison *c) {
    cli_text x, y;
    uint64_t edges = weft_graph_edges(c->g[GRAPH_A]);
    weft_vid n = weft_graph_vertices(c->g[GRAPH_A]);
    cli_put(stdout, "%s and %s are equal: ", c->call->operands[GRAPH_A], c->call->operands[GRAPH_B]);
    printf("%s %s, %s %s edge%s%s\n", cli_count(x, n), cli_vertices(n), cli_count(y, edges),
           weft_graph_directed(c->g[GRAPH_A]) ? "directed" : "undirected", cli_s(edges), weights_text(c));
}

/* The counts of each kind, as a table. */
static int print_figures(const comparison *c) {
    static const char *const figures[4][2] = {{"vertices_a", "edges_a"},
                                              {"vertices_b", "edges_b"},
                                              {"vertices_removed", "edges_removed"},
                                              {"vertices_added", "edges_added"}};
    static const char *const titles[4] = {"in A", "in B", "removed", "added"};
    static const char *const of[2] = {"vertices", "edges"};
    uint64_t values[4][2];
    rows_column columns[5] = {{.name = "", .type = CELL_TEXT, .data = of, .length = 2}};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 2; k++) values[i][k] = comparison_figure(c, figures[i][k]);
        columns[1 + i] = (rows_column){.name = titles[i], .type = CELL_U64, .data = values[i], .length = 2};
    }
    rows r = {.g = c->g[GRAPH_A], .columns = columns, .column_count = 5, .count = 2};
    for (int i = 0; i < GRAPHS; i++) {
        cli_put(stdout, "%c: %s", "AB"[i], c -> call -> operands[i]);
        putchar('\n');
    }
    printf("%s edges%s\n\n", weft_graph_directed(c->g[GRAPH_A]) ? "directed" : "undirected", weights_text(c));
    return rows_print(&r, r.count, 0);
}

static int print_list(const comparison *c, int which) {
    const edge_list *list = &c->list[which];
    rows shown = list->rows;
    cli_text buffer;
    if (!shown.count || list->path) return EXIT_DONE;
    printf("\n%s %s%s\n", cli_count(buffer, shown.count), list_titles[which], cli_s(shown.count));
    if (shown.count > SHOWN_EDGES) shown.count = SHOWN_EDGES;
    int code = rows_print(&shown, shown.count, 0);
    if (!code && shown.count < list->rows.count)
        printf("  ... and %s more (%s FILE saves all)\n", cli_count(buffer, list->rows.count - shown.count),
               list_flags[which]);
    return code;
}

static int print_places(const comparison *c) {
    if (!c->call->options.by) return EXIT_DONE;
    putchar('\n');
    cli_put(stdout, "places by %s", c->call->options.by);
    putchar('\n');
    return rows_print(&c->places.rows, c->places.rows.count, 0);
}

static int print_human(const comparison *c) {
    cli_text buffer;
    int code = EXIT_DONE;
    if (comparison_figure(c, "equal"))
        print_equal(c);
    else
        code = print_figures(c);
    for (int i = 0; i < VERTEX_LISTS && !code; i++) code = print_vertices(c, i);
    for (int i = 0; i < LISTS && !code; i++) code = print_list(c, i);
    if (!code) code = print_places(c);
    for (int i = 0; i < LISTS && !code; i++) {
        if (!c->list[i].path) continue;
        cli_put(stdout, "wrote %s %s%s to %s", cli_count(buffer, c->list[i].rows.count), list_titles[i],
                cli_s(c->list[i].rows.count), c->list[i].path);
        putchar('\n');
    }
    return code;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* Writes a list as a .json file. */
typedef struct json_list {
    const char *key;
    const rows *rows;
} json_list;

static int write_json(const void *what, FILE *to) {
    const json_list *list = what;
    json j;
    json_start(&j, to);
    int code = rows_json(&j, list->key, list->rows);
    json_finish(&j);
    return code;
}

int comparison_show(const comparison *c) {
    bool saved = false, to_stdout = false;
    for (int i = 0; i < LISTS; i++) {
        const edge_list *list = &c->list[i];
        if (!list->path) continue;
        json_list as_json = {list_keys[i], &list->rows};
        int code = rows_save(&c->call->options, list->path, list->format, &list->rows, write_json, &as_json);
        if (code) return code;
        saved = true;
        to_stdout = to_stdout || cli_is_stdout(list->path);
    }
    if (to_stdout) return EXIT_DONE;
    if (c->call->options.json) return print_json(c);
    return saved && c->call->options.quiet ? EXIT_DONE : print_human(c);
}
