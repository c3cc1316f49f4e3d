/* See labels.h.  Equal keys are found with a hash table with open addressing, which holds the first of equal keys. */
#include "partition/labels.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_DIGITS = 18 };

/* --- keys ---------------------------------------------------------------------------------- */

static uint64_t hash_of(const keys *k, size_t i) {
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a, mixed once more for the low bits */
    if (k->numbers)
        h ^= (uint64_t)k->numbers[i];
    else
        for (const char *c = k->texts[i]; *c; c++) h = (h ^ (unsigned char)*c) * 0x100000001b3u;
    h *= 0xd6e8feb86659fd93u;
    return h ^ h >> 32;
}

static bool alike(const keys *k, size_t i, size_t j) {
    return k->numbers ? k->numbers[i] == k->numbers[j] : strcmp(k->texts[i], k->texts[j]) == 0;
}

int keys_first_alike(const keys *k, size_t count, uint32_t *first) {
    size_t slots = 16;
    while (slots < 2 * count) slots *= 2;
    uint32_t *table = cli_take(slots, sizeof *table); /* a key's place plus 1; 0 = empty */
    int code = table ? EXIT_DONE : EXIT_MEMORY;
    for (size_t i = 0; i < count && !code; i++) {
        size_t at = (size_t)hash_of(k, i) & (slots - 1);
        while (table[at] && !alike(k, table[at] - 1, i)) at = (at + 1) & (slots - 1);
        if (!table[at]) table[at] = (uint32_t)i + 1;
        first[i] = table[at] - 1;
        if (i % 65536 == 0 && cli_interrupted()) code = cli_fail(EXIT_INTERRUPTED, "interrupted");
    }
    free(table);
    return code;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Parses digits in the canonical form of numbers, so that equal numbers have equal texts. */
static bool is_integer(const char *text) {
    const char *digits = text + (*text == '-');
    size_t length = strlen(digits);
    if (!length || length > MOST_DIGITS || strspn(digits, "0123456789") != length) return false;
    return digits[0] != '0' || (length == 1 && digits == text);
}

static const char *id_at(const vertex_labels *l, size_t row) {
    const vertex_table *t = &l->table;
    return t->fields[row * t->columns + t->id_column];
}

static size_t line_of(const vertex_labels *l, size_t place) { return l->table.lines[l->first_row + place]; }

/* True if the first word is a usual name of a column of ids, or stands above a column of numbers. */
static bool is_header(weft_ctx *ctx, const weft_graph *g, const vertex_table *t) {
    static const char *const names[] = {"id", "vertex", "node", "name"};
    weft_vid v;
    if (g && weft_graph_find(ctx, g, t->fields[0], &v) == WEFT_OK) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(t->fields[0], names[i]) == 0) return true;
    return t->rows > 1 && !is_integer(t->fields[0]) && is_integer(t->fields[t->columns]);
}

static void find_ids(vertex_table *t) {
    for (size_t c = 0; t->header && c < t->columns; c++)
        if (strcasecmp(t->fields[c], "id") == 0) {
            t->id_column = c;
            return;
        }
}

/* The column COLUMN, or the one beside the ids. */
static int find_column(const cli_options *options, const vertex_table *t, const char *name, size_t *column) {
    if (name) return vertex_table_find(t, name, column);
    if (t->columns < 2)
        return vertex_table_wrong(t, t->lines[0], "expected an id and a label, with a tab or a comma between them");
    if (t->columns > 2 && !t->header)
        return vertex_table_wrong(t, t->lines[0],
                                  "%zu columns, and none has a name: write %s:2 for the labels in the second",
                                  t->columns, t->path);
    *column = t->id_column == 0;
    if (t->columns > 2) cli_note(options, "%s: labels are in the column '%s'", t->path, t->fields[*column]);
    return EXIT_DONE;
}

static int take_texts(vertex_labels *l, size_t column) {
    const vertex_table *t = &l->table;
    bool integers = true;
    l->first_row = t->header;
    l->count = t->rows - l->first_row;
    l->of.texts = cli_take(l->count, sizeof *l->of.texts);
    if (!l->of.texts) return EXIT_MEMORY;
    for (size_t i = 0; i < l->count; i++) {
        const char *text = l->of.texts[i] = t->fields[(l->first_row + i) * t->columns + column];
        if (!*text)
            return vertex_table_wrong(t, line_of(l, i), "vertex '%.200s' has no label", id_at(l, l->first_row + i));
        integers = integers && is_integer(text);
    }
    if (!integers) return EXIT_DONE;
    l->of.numbers = cli_take(l->count, sizeof *l->of.numbers);
    if (!l->of.numbers) return EXIT_MEMORY;
    for (size_t i = 0; i < l->count; i++) l->of.numbers[i] = strtoll(l->of.texts[i], NULL, 10);
    free(l->of.texts);
    l->of.texts = NULL;
    return EXIT_DONE;
}

static bool is_npy(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".npy") == 0;
}

int labels_open(weft_ctx *ctx, const cli_options *options, const weft_graph *g, const char *word, vertex_labels *l) {
    const char *name = vertex_table_column_name(word);
    bool named = name && strspn(name, "0123456789") < strlen(name);
    size_t column = 0;
    *l = (vertex_labels){.path = vertex_table_file(word)};
    if (!l->path) return EXIT_MEMORY;
    if (is_npy(l->path) && name) return cli_fail(EXIT_USAGE, "%s: a .npy has no columns to choose from", word);
    if (is_npy(l->path)) return labels_read_npy(l->path, &l->of.numbers, &l->count);
    vertex_table *t = &l->table;
    int code = vertex_table_read(ctx, l->path, t);
    if (code) return code;
    int said = g ? WEFT_HEADER_AUTO : options->header; /* with a graph, the flag is about the graph */
    t->header = said == WEFT_HEADER_AUTO ? named || is_header(ctx, g, t) : said == WEFT_HEADER_YES;
    find_ids(t);
    code = find_column(options, t, name, &column);
    if (!code && column == t->id_column)
        code = vertex_table_wrong(t, t->lines[0], "the labels are in another column than the ids");
    if (!code && t->rows >= WEFT_NO_VERTEX) code = vertex_table_wrong(t, 0, "more rows than a graph has vertices");
    return code ? code : take_texts(l, column);
}

/* --- matching ---------------------------------------------------------------------------------- */

/* Permutes: place i gets the label of place from[i]. */
static int arrange(vertex_labels *l, const uint32_t *from, size_t count) {
    keys fresh = {NULL, NULL};
    if (l->of.numbers)
        fresh.numbers = cli_take(count, sizeof *fresh.numbers);
    else
        fresh.texts = cli_take(count, sizeof *fresh.texts);
    if (!fresh.numbers && !fresh.texts) return EXIT_MEMORY;
    for (size_t i = 0; i < count; i++) {
        if (fresh.numbers)
            fresh.numbers[i] = l->of.numbers[from[i]];
        else
            fresh.texts[i] = l->of.texts[from[i]];
    }
    free(l->of.numbers);
    free(l->of.texts);
    l->of = fresh;
    l->count = count;
    return EXIT_DONE;
}

static int find_groups(vertex_labels *l) {
    l->group = cli_take(l->count, sizeof *l->group);
    return l->group ? keys_first_alike(&l->of, l->count, l->group) : EXIT_MEMORY;
}

static int match_rows(vertex_labels *l, const weft_graph *g, uint32_t *row_of) {
    const vertex_table *t = &l->table;
    weft_vid n = weft_graph_vertices(g);
    memset(row_of, 0xff, n * sizeof *row_of);
    for (size_t row = l->first_row; row < t->rows; row++) {
        if (t->vertex[row] == WEFT_NO_VERTEX)
            return vertex_table_wrong(t, t->lines[row], "the graph has no vertex '%.200s'", id_at(l, row));
        row_of[t->vertex[row]] = (uint32_t)(row - l->first_row);
    }
    for (weft_vid v = 0; v < n; v++) {
        if (row_of[v] != UINT32_MAX) continue;
        char *id = cli_id_text(g, v, true);
        int code = id ? vertex_table_wrong(t, 0, "vertex '%.200s' of the graph has no label", id) : EXIT_MEMORY;
        free(id);
        return code;
    }
    return arrange(l, row_of, n);
}

static int64_t attribute_key(const weft_attribute *a, uint64_t v) {
    double real;
    int64_t bits;
    switch (a->type) {
    case WEFT_ATTRIBUTE_BOOL: return ((const uint8_t *)a->values)[v];
    case WEFT_ATTRIBUTE_TEXT: return ((const uint32_t *)a->values)[v];
    case WEFT_ATTRIBUTE_REAL:
        real = ((const double *)a->values)[v] + 0; /* excludes -0 */
        memcpy(&bits, &real, sizeof bits);
        return bits;
    default: return ((const int64_t *)a->values)[v];
    }
}

int labels_of_attribute(const weft_graph *g, const weft_attribute *a, uint32_t **group) {
    vertex_labels l = {.count = weft_graph_vertices(g), .of.numbers = cli_take(a->count, sizeof *l.of.numbers)};
    int code = l.of.numbers ? EXIT_DONE : EXIT_MEMORY;
    for (size_t v = 0; v < l.count && !code; v++) {
        l.of.numbers[v] = attribute_key(a, v);
        if (!a->missing || a->valid[v / 8] >> v % 8 & 1) continue;
        char *id = cli_id_text(g, (weft_vid)v, true);
        code =
            id ? cli_fail(EXIT_INPUT, "vertex '%.200s' of the graph has no value of '%s'", id, a->name) : EXIT_MEMORY;
        free(id);
    }
    if (!code) code = find_groups(&l);
    if (!code) {
        *group = l.group;
        l.group = NULL;
    }
    labels_close(&l);
    return code;
}

int labels_match(vertex_labels *l, const weft_graph *g, const char *graph_path) {
    weft_vid n = weft_graph_vertices(g);
    if (!l->table.rows && l->count != n)
        return cli_fail(EXIT_INPUT, "%s has %zu labels, but %s has %u vertices: each needs one", l->path, l->count,
                        graph_path, n);
    int code = EXIT_DONE;
    if (l->table.rows) {
        uint32_t *row_of = cli_take(n, sizeof *row_of);
        code = row_of ? vertex_table_match(&l->table, g) : EXIT_MEMORY;
        if (!code) code = match_rows(l, g, row_of);
        free(row_of);
    }
    return code ? code : find_groups(l);
}

/* from[i]: the row of b with the id of row i of a.  first[] covers the rows of both, a's before b's. */
static int pair_rows(const vertex_labels *a, const vertex_labels *b, const uint32_t *first, uint32_t *from) {
    for (size_t i = 0; i < a->count; i++) {
        if (first[i] != i)
            return vertex_table_wrong(&a->table, line_of(a, i), "vertex '%.200s' is in line %zu already",
                                      id_at(a, a->first_row + i), line_of(a, first[i]));
        from[i] = UINT32_MAX;
    }
    for (size_t i = 0; i < b->count; i++) {
        uint32_t like = first[a->count + i];
        const char *id = id_at(b, b->first_row + i);
        if (like >= a->count)
            return vertex_table_wrong(&b->table, line_of(b, i), "vertex '%.200s' is not in %s", id, a->path);
        if (from[like] != UINT32_MAX)
            return vertex_table_wrong(&b->table, line_of(b, i), "vertex '%.200s' is in line %zu already", id,
                                      line_of(b, from[like]));
        from[like] = (uint32_t)i;
    }
    for (size_t i = 0; i < a->count; i++)
        if (from[i] == UINT32_MAX)
            return vertex_table_wrong(&a->table, line_of(a, i), "vertex '%.200s' is not in %s",
                                      id_at(a, a->first_row + i), b->path);
    return EXIT_DONE;
}

static int pair_tables(const vertex_labels *a, vertex_labels *b) {
    size_t both = a->count + b->count;
    if (both >= WEFT_NO_VERTEX) return cli_fail(EXIT_INPUT, "%s and %s have too many rows together", a->path, b->path);
    const char **ids = cli_take(both, sizeof *ids);
    uint32_t *first = cli_take(both, sizeof *first), *from = cli_take(a->count, sizeof *from);
    int code = ids && first && from ? EXIT_DONE : EXIT_MEMORY;
    for (size_t i = 0; i < both && !code; i++)
        ids[i] = i < a->count ? id_at(a, a->first_row + i) : id_at(b, b->first_row + i - a->count);
    if (!code) code = keys_first_alike(&(keys){ids, NULL}, both, first);
    if (!code) code = pair_rows(a, b, first, from);
    if (!code) code = arrange(b, from, a->count);
    free(ids);
    free(first);
    free(from);
    return code;
}

int labels_pair(vertex_labels *a, vertex_labels *b) {
    bool texts = a->table.rows && b->table.rows;
    if (!texts && (a->table.rows || b->table.rows))
        return cli_fail(EXIT_INPUT, "%s has labels alone, and %s has ids: give two tables, or two .npy files",
                        a->table.rows ? b->path : a->path, a->table.rows ? a->path : b->path);
    if (!texts && a->count != b->count)
        return cli_fail(EXIT_INPUT, "%s has %zu labels and %s has %zu: both are about the same vertices", a->path,
                        a->count, b->path, b->count);
    int code = texts ? pair_tables(a, b) : EXIT_DONE;
    if (!code) code = find_groups(a);
    return code ? code : find_groups(b);
}

void labels_close(vertex_labels *l) {
    free(l->of.texts);
    free(l->of.numbers);
    free(l->group);
    vertex_table_close(&l->table);
    free(l->path);
    *l = (vertex_labels){0};
}

int labels_column(const vertex_labels *l, const uint32_t *places, size_t count, rows_column *to, void **data) {
    bool numbers = l->of.numbers != NULL;
    *to = (rows_column){.name = "community", .type = numbers ? CELL_I64 : CELL_TEXT, .length = count};
    to->data = *data = cli_take(count, numbers ? sizeof *l->of.numbers : sizeof *l->of.texts);
    if (!*data) return EXIT_MEMORY;
    for (size_t i = 0; i < count; i++) {
        if (numbers)
            ((int64_t *)*data)[i] = l->of.numbers[places[i]];
        else
            ((const char **)*data)[i] = l->of.texts[places[i]];
    }
    return EXIT_DONE;
}
