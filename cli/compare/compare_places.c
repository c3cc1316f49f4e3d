/* weft compare --by ALGORITHM[.COLUMN][:PARAMETERS]: the algorithm runs on both graphs, and the first vertices of each
 * ranking are shown with their places in both.  A place is 1 more than the number of vertices with a better value. */
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STANDARD_TOP = 10 };

/* degree.in:PARAMETERS means degree:PARAMETERS, ranked by the column `in`. */
static int split(places *p, const char *by) {
    size_t name = strcspn(by, ".:"), column = by[name] == '.' ? strcspn(by + name + 1, ":") : 0;
    const char *rest = by + name + (by[name] == '.' ? 1 + column : 0);
    p->text = cli_take(strlen(by) + 1, 1);
    p->column = by[name] == '.' ? cli_take(column + 1, 1) : NULL;
    if (!p->text || (by[name] == '.' && !p->column)) return EXIT_MEMORY;
    memcpy(p->text, by, name);
    memcpy(p->text + name, rest, strlen(rest) + 1);
    if (p->column) memcpy(p->column, by + name + 1, column);
    return EXIT_DONE;
}

int places_check(places *p, const cli_options *options) {
    int code = split(p, options->by);
    p->spec.options = *options;
    return code ? code : bench_run_spec(&p->spec, "compare --by", 0, p->text);
}

/* --- ranking -------------------------------------------------------------------------------------------------- */

static int run(comparison *c, int which) {
    places *p = &c->places;
    const weft_algorithm_info *a = p->spec.algorithm;
    int code = cli_resolve_params(c->ctx, &c->call->options, c->g[which], c->call->operands[which], a, p->spec.params);
    if (code) return code;
    weft_status st = weft_plan_new(c->ctx, a->name, c->g[which], p->spec.params, &p->plan[which]);
    if (!st) st = weft_plan_run(p->plan[which], &p->result[which]);
    cli_progress_erase();
    return st ? cli_fail_status(c->ctx, st) : EXIT_DONE;
}

/* A column with a number for each vertex: with this name, or the algorithm's main one. */
static int find_column(const places *p, const weft_result *result, const weft_column **column) {
    const char *algorithm = p->spec.algorithm->name, *name = p->column ? p->column : p->spec.algorithm->top_by;
    cli_line list = "";
    size_t used = 0;
    for (size_t i = 0; i < weft_result_column_count(result); i++)
        if (weft_result_column_at(result, i)->shape == WEFT_SHAPE_EDGES)
            return cli_fail(EXIT_USAGE, "--by %s asks for values of edges, but vertices are ranked", p->text);
    for (size_t i = 0; i < weft_result_column_count(result); i++) {
        const weft_column *c = weft_result_column_at(result, i);
        if (c->shape != WEFT_SHAPE_VERTICES || c->width || c->type == WEFT_VERTEX) continue;
        if (name && strcmp(c->name, name) == 0) {
            *column = c;
            return EXIT_DONE;
        }
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", c->name);
    }
    if (!used) return cli_fail(EXIT_USAGE, "--by %s: %s has no number for each vertex", p->text, algorithm);
    return cli_fail(EXIT_USAGE, "--by %s: %s has no such column of numbers for each vertex; it has %s", p->text,
                    algorithm, list);
}

static double value_at(const weft_column *column, weft_vid v) {
    switch (column->type) {
    case WEFT_U32: {
        uint32_t x = ((const uint32_t *)column->data)[v];
        return x == WEFT_UNREACHED ? (double)NAN : x;
    }
    case WEFT_U64: return (double)((const uint64_t *)column->data)[v];
    case WEFT_I64: return (double)((const int64_t *)column->data)[v];
    case WEFT_F32: return (double)((const float *)column->data)[v];
    case WEFT_F64: return ((const double *)column->data)[v];
    case WEFT_F16: return (double)weft_f16_value(((const uint16_t *)column->data)[v]);
    case WEFT_BF16: return (double)weft_bf16_value(((const uint16_t *)column->data)[v]);
    default: return (double)NAN;
    }
}

/* The order of all vertices, and the place of each. */
static int rank(comparison *c, int which, const weft_column *column) {
    places *p = &c->places;
    size_t n = weft_graph_vertices(c->g[which]), count;
    const char *ordinal = p->spec.algorithm->ordinal;
    weft_order first = ordinal && strcmp(ordinal, column->name) == 0 ? WEFT_SMALLEST_FIRST : WEFT_LARGEST_FIRST;
    rows_column by = rows_column_of(column);
    p->place[which] = cli_take(n, sizeof *p->place[which]);
    if (!p->place[which]) return EXIT_MEMORY;
    int code = rows_top(c->ctx, &by, first, n, &p->order[which], &count);
    uint32_t place = 0;
    for (size_t i = 0; i < n && !code; i++) {
        weft_vid v = p->order[which][i];
        double x = value_at(column, v), before = i ? value_at(column, p->order[which][i - 1]) : x;
        if (!i || x < before || x > before) place = (uint32_t)i + 1;
        p->place[which][v] = isfinite(x) ? place : WEFT_UNREACHED;
    }
    return code;
}

/* --- the rows ----------------------------------------------------------------------------------------------------- */

/* A vertex in both graphs; WEFT_NO_VERTEX in the graph that lacks it. */
typedef struct pair {
    weft_vid in[GRAPHS];
} pair;

/* The first vertices of B, then the first of A that are not among them.  `taken` is 0 for each vertex of B. */
static size_t choose(const comparison *c, size_t top, const weft_vid *back, uint8_t *taken, pair *to) {
    const places *p = &c->places;
    const weft_vid *match = weft_result_column(c->result, "match")->data;
    size_t n[GRAPHS], count = 0;
    for (int i = 0; i < GRAPHS; i++) n[i] = weft_graph_vertices(c->g[i]) < top ? weft_graph_vertices(c->g[i]) : top;
    for (size_t i = 0; i < n[GRAPH_B]; i++) {
        weft_vid v = p->order[GRAPH_B][i];
        taken[v] = p->place[GRAPH_B][v] != WEFT_UNREACHED;
        if (taken[v]) to[count++] = (pair){{back[v], v}};
    }
    for (size_t i = 0; i < n[GRAPH_A]; i++) {
        weft_vid v = p->order[GRAPH_A][i], there = match[v];
        bool known = there != WEFT_NO_VERTEX && taken[there];
        if (p->place[GRAPH_A][v] != WEFT_UNREACHED && !known) to[count++] = (pair){{v, there}};
    }
    return count;
}

static int put_id(comparison *c, const pair *row, size_t at) {
    places *p = &c->places;
    int which = row->in[GRAPH_B] == WEFT_NO_VERTEX ? GRAPH_A : GRAPH_B;
    if (!p->names) {
        ((int64_t *)p->id)[at] = weft_graph_id(c->g[which], row->in[which]);
        return EXIT_DONE;
    }
    ((char **)p->id)[at] = cli_id_text(c->g[which], row->in[which], false);
    return ((char **)p->id)[at] ? EXIT_DONE : EXIT_MEMORY;
}

static int fill_rows(comparison *c, const weft_column *const column[GRAPHS], const pair *chosen, size_t count) {
    static const char *const names[GRAPHS][2] = {{"before", "value_before"}, {"after", "value_after"}};
    places *p = &c->places;
    int code = EXIT_DONE;
    p->names = cli_ids_are_names(c->g[GRAPH_A]) || cli_ids_are_names(c->g[GRAPH_B]);
    p->id = cli_take(count, p->names ? sizeof(char *) : sizeof(int64_t));
    if (!p->id) return EXIT_MEMORY;
    p->columns[0] =
        (rows_column){.name = "id", .type = p->names ? CELL_TEXT : CELL_I64, .data = p->id, .length = count};
    p->rows = (rows){.g = c->g[GRAPH_B], .columns = p->columns, .column_count = 5, .count = count};
    for (size_t i = 0; i < count && !code; i++) code = put_id(c, &chosen[i], i);
    for (int g = 0; g < GRAPHS && !code; g++) {
        bool narrow = column[g]->type == WEFT_F32;
        p->shown[g] = cli_take(count, sizeof *p->shown[g]);
        p->value[g] = narrow ? NULL : cli_take(count, sizeof *p->value[g]);
        p->narrow[g] = narrow ? cli_take(count, sizeof *p->narrow[g]) : NULL;
        if (!p->shown[g] || !(narrow ? (void *)p->narrow[g] : p->value[g])) return EXIT_MEMORY;
        for (size_t i = 0; i < count; i++) {
            weft_vid v = chosen[i].in[g];
            double x = v == WEFT_NO_VERTEX ? (double)NAN : value_at(column[g], v);
            p->shown[g][i] = v == WEFT_NO_VERTEX ? WEFT_UNREACHED : p->place[g][v];
            if (narrow)
                p->narrow[g][i] = (float)x;
            else
                p->value[g][i] = x;
        }
        p->columns[1 + g] =
            (rows_column){.name = names[g][0], .type = CELL_LEVEL, .data = p->shown[g], .length = count};
        p->columns[3 + g] = (rows_column){.name = names[g][1],
                                          .type = narrow ? CELL_F32 : CELL_F64,
                                          .data = narrow ? (void *)p->narrow[g] : p->value[g],
                                          .length = count};
    }
    return code;
}

int places_make(comparison *c) {
    const weft_column *column[GRAPHS] = {NULL, NULL};
    const weft_column *match = weft_result_column(c->result, "match");
    size_t top = c->call->options.top == CLI_NOT_GIVEN ? STANDARD_TOP : (size_t)c->call->options.top;
    size_t n_a = weft_graph_vertices(c->g[GRAPH_A]), n_b = weft_graph_vertices(c->g[GRAPH_B]);
    int code = EXIT_DONE;
    for (int i = 0; i < GRAPHS && !code; i++) {
        code = run(c, i);
        if (!code) code = find_column(&c->places, c->places.result[i], &column[i]);
        if (!code) code = rank(c, i, column[i]);
    }
    if (code) return code;
    weft_vid *back = cli_take(n_b, sizeof *back);
    uint8_t *taken = cli_take(n_b, sizeof *taken);
    pair *chosen = cli_take((n_a < top ? n_a : top) + (n_b < top ? n_b : top), sizeof *chosen);
    if (!back || !taken || !chosen) code = EXIT_MEMORY;
    if (!code) {
        memset(back, 0xff, n_b * sizeof *back);
        for (weft_vid v = 0; v < n_a; v++)
            if (((const weft_vid *)match->data)[v] != WEFT_NO_VERTEX) back[((const weft_vid *)match->data)[v]] = v;
        code = fill_rows(c, column, chosen, choose(c, top, back, taken, chosen));
    }
    free(back);
    free(taken);
    free(chosen);
    return code;
}

void places_free(places *p) {
    for (size_t i = 0; p->id && p->names && i < p->rows.count; i++) free(((char **)p->id)[i]);
    free(p->id);
    for (int i = 0; i < GRAPHS; i++) {
        weft_result_free(p->result[i]);
        weft_plan_free(p->plan[i]);
        free(p->order[i]);
        free(p->place[i]);
        free(p->shown[i]);
        free(p->value[i]);
        free(p->narrow[i]);
    }
    if (p->spec.algorithm && p->spec.params) cli_free_arrays(p->spec.algorithm, p->spec.params);
    free(p->spec.params);
    free(p->spec.texts);
    free((void *)(uintptr_t)p->spec.label);
    free(p->text);
    free(p->column);
}
