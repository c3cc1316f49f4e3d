/* Tables of vertices.  Needs: the same number of fields in each line; no vertex twice. Method: the text is cut in
 * place: fields end with a NUL, quotes (csv) and backslashes (tsv, as rows_write_text writes them) are undone. */
#include "vertices/vertex_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

int vertex_table_wrong(const vertex_table *t, size_t line, const char *format, ...) {
    const char *name = strcmp(t->path, "-") ? t->path : "(standard input)";
    char what[640];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return line ? cli_fail(EXIT_INPUT, "%s:%zu: %s", name, line, what) : cli_fail(EXIT_INPUT, "%s: %s", name, what);
}

/* --- cutting ------------------------------------------------------------------------------------ */

typedef struct cutting {
    vertex_table *t;
    char *at;
    char separator;
    bool open;                    /* the text ended within quotes */
    size_t line, capacity, count; /* of fields */
    size_t line_room;
} cutting;

static bool put_field(cutting *c, char *field) {
    if (c->count == c->capacity) {
        size_t capacity = c->capacity ? 2 * c->capacity : 1024;
        char **grown = realloc(c->t->fields, capacity * sizeof *grown);
        if (!grown) return false;
        c->t->fields = grown;
        c->capacity = capacity;
    }
    c->t->fields[c->count++] = field;
    return true;
}

static bool put_line(cutting *c) {
    vertex_table *t = c->t;
    if (t->rows == c->line_room) {
        size_t capacity = c->line_room ? 2 * c->line_room : 256;
        size_t *grown = realloc(t->lines, capacity * sizeof *grown);
        if (!grown) return false;
        t->lines = grown;
        c->line_room = capacity;
    }
    t->lines[t->rows++] = c->line;
    return true;
}

/* Cuts the field at c->at; afterwards c->at is at the byte that ended it, which is returned: the separator, a newline,
 * or NUL. */
static int cut_field(cutting *c, char **field) {
    char *from = c->at, *to = from;
    bool quoted = c->separator == ',' && *from == '"';
    *field = from;
    if (quoted) {
        for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
            if (*from == '"') from++;
            if (*from == '\n') c->line++;
            *to++ = *from;
        }
        if (*from)
            from++;
        else
            c->open = true;
    }
    for (; *from && *from != c->separator && *from != '\n'; from++) {
        if (c->separator == '\t' && *from == '\\' && from[1] && strchr("tnr\\", from[1])) {
            *to++ = "\t\n\r\\"[strchr("tnr\\", *++from) - "tnr\\"];
        } else {
            *to++ = *from;
        }
    }
    int end = *from;
    if (end != c->separator && to > *field && to[-1] == '\r') to--;
    c->at = from;
    *to = 0;
    return end;
}

static int cut_line(cutting *c) {
    vertex_table *t = c->t;
    size_t before = c->count;
    int end;
    if (!put_line(c)) return cli_fail(EXIT_MEMORY, "out of memory");
    do {
        char *field;
        end = cut_field(c, &field);
        if (c->open) return vertex_table_wrong(t, t->lines[t->rows - 1], "a quote is not closed");
        if (!put_field(c, field)) return cli_fail(EXIT_MEMORY, "out of memory");
        c->at += end != 0;
    } while (end == c->separator);
    size_t fields = c->count - before;
    if (t->rows == 1) t->columns = fields;
    if (fields == t->columns) return EXIT_DONE;
    return vertex_table_wrong(t, t->lines[t->rows - 1], "expected %zu fields, as in the first line, found %zu",
                              t->columns, fields);
}

/* Is a line that begins with # a comment?  Not if it has the fields of a row: then a vertex's name begins with #. */
static bool is_comment(const cutting *c) {
    size_t fields = 1, length = strcspn(c->at, "\n");
    if (*c->at != '#') return false;
    for (size_t i = 0; i < length; i++) fields += c->at[i] == c->separator;
    return !c->t->rows || fields != c->t->columns || fields < 2;
}

static int cut(vertex_table *t) {
    cutting c = {.t = t, .at = t->text};
    int code = EXIT_DONE;
    while (*c.at && !code) {
        c.line++;
        bool empty = *c.at == '\n' || (*c.at == '\r' && c.at[1] == '\n');
        if (empty || is_comment(&c)) {
            c.at += strcspn(c.at, "\n");
            c.at += *c.at == '\n';
            continue;
        }
        if (!t->rows) c.separator = memchr(c.at, '\t', strcspn(c.at, "\n")) ? '\t' : ',';
        code = cut_line(&c);
        if (!code && t->rows % 4096 == 0 && cli_interrupted()) code = cli_fail(EXIT_INTERRUPTED, "interrupted");
    }
    if (!code && !t->rows) code = cli_fail(EXIT_INPUT, "%s: the table is empty", t->path);
    return code;
}

/* --- ids ------------------------------------------------------------------------------------------ */

static weft_vid vertex_of(const vertex_table *t, const weft_graph *g, size_t row) {
    weft_vid v;
    weft_status st = weft_graph_find(t->ctx, g, t->fields[row * t->columns + t->id_column], &v);
    return st ? WEFT_NO_VERTEX : v;
}

int vertex_table_match(vertex_table *t, const weft_graph *g) {
    t->vertex = cli_take(t->rows, sizeof *t->vertex);
    size_t *row_of = cli_take(weft_graph_vertices(g), sizeof *row_of);
    int code = t->vertex && row_of ? EXIT_DONE : EXIT_MEMORY;
    for (size_t row = 0; row < t->rows && !code; row++) {
        weft_vid v = t->vertex[row] = row || !t->header ? vertex_of(t, g, row) : WEFT_NO_VERTEX;
        if (row % 4096 == 0 && cli_interrupted()) code = cli_fail(EXIT_INTERRUPTED, "interrupted");
        t->strangers += v == WEFT_NO_VERTEX && (row || !t->header);
        if (v == WEFT_NO_VERTEX) continue;
        if (row_of[v])
            code = vertex_table_wrong(t, t->lines[row], "vertex '%.200s' is in line %zu already",
                                      t->fields[row * t->columns + t->id_column], t->lines[row_of[v] - 1]);
        row_of[v] = row + 1;
    }
    free(row_of);
    if (!code && t->strangers && t->strangers == t->rows - t->header && weft_graph_vertices(g))
        code = vertex_table_wrong(t, 0, "no row has a vertex of the graph: the ids are expected in column %zu%s%.40s",
                                  t->id_column + 1, t->header ? ", " : "", t->header ? t->fields[t->id_column] : "");
    return code;
}

static int find_header(vertex_table *t, const weft_graph *g, bool named) {
    t->header = named || vertex_of(t, g, 0) == WEFT_NO_VERTEX;
    for (size_t c = 0; t->header && c < t->columns; c++)
        if (strcasecmp(t->fields[c], "id") == 0) {
            t->id_column = c;
            return EXIT_DONE;
        }
    if (t->header && !*t->fields[0])
        return vertex_table_wrong(t, t->lines[0],
                                  "the first column has no name, and none is called id: which one has the ids?");
    return EXIT_DONE;
}

int vertex_table_of_text(weft_ctx *ctx, const char *path, char *text, size_t bytes, vertex_table *t) {
    *t = (vertex_table){.path = path, .ctx = ctx, .text = text};
    if (memchr(t->text, 0, bytes)) return vertex_table_wrong(t, 0, "a table has no NUL in it");
    return cut(t);
}

int vertex_table_read(weft_ctx *ctx, const char *path, vertex_table *t) {
    size_t bytes;
    char *text;
    *t = (vertex_table){.path = path, .ctx = ctx};
    weft_status st = weft_read_text(ctx, path, &text, &bytes);
    return st ? cli_fail_status(ctx, st) : vertex_table_of_text(ctx, path, text, bytes, t);
}

bool vertex_table_has_id(const char *text) {
    size_t length = strcspn(text, "\r\n"), field;
    char separator[] = {memchr(text, '\t', length) ? '\t' : ',', '\r', '\n', 0};
    for (const char *end = text + length; text <= end; text += field + 1) {
        field = strcspn(text, separator);
        size_t quotes = field == 4 && text[0] == '"' && text[3] == '"';
        if (field - 2 * quotes == 2 && strncasecmp(text + quotes, "id", 2) == 0) return true;
    }
    return false;
}

int vertex_table_list(vertex_table *t, const weft_graph *g, weft_vid **list, size_t *count) {
    int code = find_header(t, g, true);
    *list = cli_take(t->rows, sizeof **list);
    if (!*list) return EXIT_MEMORY;
    for (size_t row = 1; row < t->rows && !code; row++) {
        weft_vid v = (*list)[(*count)++] = vertex_of(t, g, row);
        if (row % 4096 == 0 && cli_interrupted()) code = cli_fail(EXIT_INTERRUPTED, "interrupted");
        if (v == WEFT_NO_VERTEX)
            code = vertex_table_wrong(t, t->lines[row], "the graph has no vertex '%.200s'",
                                      t->fields[row * t->columns + t->id_column]);
    }
    return code;
}

int vertex_table_open(weft_ctx *ctx, const weft_graph *g, const char *path, bool named, vertex_table *t) {
    int code = vertex_table_read(ctx, path, t);
    if (!code) code = find_header(t, g, named);
    return code ? code : vertex_table_match(t, g);
}

const char *vertex_table_column_name(const char *word) {
    const char *colon = strrchr(word, ':');
    return colon && access(word, F_OK) != 0 ? colon + 1 : NULL;
}

char *vertex_table_file(const char *word) {
    const char *column = vertex_table_column_name(word);
    char *path = column ? strndup(word, (size_t)(column - word) - 1) : strdup(word);
    if (!path) cli_fail(EXIT_MEMORY, "out of memory");
    return path;
}

void vertex_table_close(vertex_table *t) {
    weft_free(t->ctx, t->text);
    free(t->fields);
    free(t->lines);
    free(t->vertex);
    *t = (vertex_table){0};
}

/* --- columns --------------------------------------------------------------------------------------- */

int vertex_table_find(const vertex_table *t, const char *name, size_t *column) {
    cli_nearest nearest = {name, NULL, 0};
    for (size_t c = 0; t->header && c < t->columns; c++) {
        if (strcmp(t->fields[c], name) == 0) {
            *column = c;
            return EXIT_DONE;
        }
        cli_nearest_try(&nearest, t->fields[c]);
    }
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    if (*name >= '0' && *name <= '9' && !*end && number >= 1 && number <= t->columns) {
        *column = number - 1;
        return EXIT_DONE;
    }
    if (nearest.best)
        return cli_fail(EXIT_INPUT, "%s has no column '%s'; did you mean %s?", t->path, name, nearest.best);
    return cli_fail(EXIT_INPUT, "%s has no column '%s'; it has %zu column%s", t->path, name, t->columns,
                    cli_s(t->columns));
}

const char **vertex_table_texts(const vertex_table *t, const weft_graph *g, size_t column) {
    const char **texts = cli_take(weft_graph_vertices(g), sizeof *texts);
    for (size_t row = 0; texts && row < t->rows; row++) {
        const char *field = t->fields[row * t->columns + column];
        if (t->vertex[row] != WEFT_NO_VERTEX && *field) texts[t->vertex[row]] = field;
    }
    return texts;
}

static bool number_of(const char *text, double *x) {
    char *end;
    *x = strtod(text, &end);
    return end > text && !*end && !strpbrk(text, "xX");
}

int vertex_table_column(const vertex_table *t, const weft_graph *g, size_t column, rows_column *to, void **data) {
    size_t n = weft_graph_vertices(g);
    const char **texts = vertex_table_texts(t, g, column);
    double *numbers = cli_take(n, sizeof *numbers);
    bool all = true;
    *data = NULL;
    if (!texts || !numbers) {
        free(texts);
        free(numbers);
        return EXIT_MEMORY;
    }
    for (size_t v = 0; v < n && all; v++) {
        if (texts[v])
            all = number_of(texts[v], &numbers[v]);
        else
            numbers[v] = (double)NAN;
    }
    *to = (rows_column){.name = t->fields[column], .type = all ? CELL_F64 : CELL_TEXT, .length = n};
    to->data = *data = all ? (void *)numbers : (void *)texts;
    free(all ? (void *)texts : (void *)numbers);
    return EXIT_DONE;
}
