/* See join.h. */
#include "result/join.h"

#include <stdlib.h>
#include <string.h>

/* The sides as a text called `side`. */
static int open_sides(const weft_graph *g, join *j) {
    struct {
        uint64_t starts[3];
        char text[];
    } * pool;
    weft_vid n = weft_graph_vertices(g);
    const char *first, *second;
    if (!weft_graph_sides(g, &first, &second)) return EXIT_DONE;
    size_t a = strlen(first), b = strlen(second);
    pool = j->side = cli_take(1, sizeof *pool + (a + b + 7) / 8 * 8 + n * sizeof(uint32_t));
    if (!pool) return EXIT_MEMORY;
    uint32_t *value = (uint32_t *)(pool->text + (a + b + 7) / 8 * 8);
    memcpy(pool->text, first, a);
    memcpy(pool->text + a, second, b);
    pool->starts[1] = a;
    pool->starts[2] = a + b;
    for (weft_vid v = 0; v < n; v++) value[v] = (uint32_t)weft_graph_side(g, v);
    weft_attribute *to = &j->attributes[j->count++];
    *to = (weft_attribute)WEFT_ATTRIBUTE_DEFAULTS;
    to->name = "side";
    to->type = WEFT_ATTRIBUTE_TEXT;
    to->count = n;
    to->values = value;
    to->text_count = 2;
    to->text_starts = pool->starts;
    to->text = pool->text;
    return EXIT_DONE;
}

int join_open(weft_ctx *ctx, const cli_options *options, const weft_graph *g, const select_labels *labels, join *j) {
    size_t count = weft_graph_attributes(g);
    *j = (join){0};
    if (!count && !weft_graph_sides(g, NULL, NULL)) return EXIT_DONE;
    if (!(j->attributes = cli_take(count + 1, sizeof *j->attributes))) return EXIT_MEMORY;
    int code = open_sides(g, j);
    if (code) return code;
    for (size_t i = 0; i < count; i++) {
        weft_attribute *a = &j->attributes[j->count];
        *a = (weft_attribute)WEFT_ATTRIBUTE_DEFAULTS;
        weft_status st = weft_graph_attribute_at(ctx, g, i, a);
        if (st) return cli_fail_status(ctx, st);
        if (!labels->texts || strcmp(labels->column.name, a->name) != 0)
            j->count++;
        else if (options->labels)
            return cli_fail(EXIT_USAGE, "--labels: the graph has an attribute '%s'; the labels' needs another name",
                            a->name);
    }
    return EXIT_DONE;
}

void join_close(join *j) {
    free(j->attributes);
    free(j->side);
    *j = (join){0};
}

bool join_has(const join *j, const char *name) {
    for (size_t i = 0; i < j->count; i++)
        if (strcmp(j->attributes[i].name, name) == 0) return true;
    return false;
}

enum { NUMBER = 12 };

size_t join_room(const char *whose, const char *name) { return strlen(whose) + strlen(name) + NUMBER + 2; }

void join_name(const join *j, const cli_options *options, const char *whose, const char *name, char *to,
               size_t capacity) {
    snprintf(to, capacity, "%s", name);
    for (unsigned k = 1; join_has(j, to); k++) {
        if (k == 1)
            snprintf(to, capacity, "%s.%s", whose, name);
        else
            snprintf(to, capacity, "%s.%s.%u", whose, name, k);
    }
    if (strcmp(to, name) != 0)
        cli_note(options, "'%.200s' is an attribute of the graph: the column of %s is %.300s", name, whose, to);
}

/* The ids stand in a column `id`, and sides in `side`. */
static const char *name_in_table(const join *j, size_t i) {
    const char *name = j->attributes[i].name;
    if (strcmp(name, "id") == 0) return "attribute.id";
    return j->side && i && strcmp(name, "side") == 0 ? "attribute.side" : name;
}

void join_columns(const join *j, rows_column *to) {
    for (size_t i = 0; i < j->count; i++)
        to[i] = (rows_column){.name = name_in_table(j, i),
                              .type = CELL_ATTRIBUTE,
                              .data = &j->attributes[i],
                              .length = (size_t)j->attributes[i].count};
}

rows join_left_out(const rows *r) {
    rows shown = *r;
    while (shown.column_count && shown.columns[shown.column_count - 1].type == CELL_ATTRIBUTE) shown.column_count--;
    return shown;
}
