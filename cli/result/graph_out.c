/* See graph_out.h.  Each column becomes an attribute: whole numbers as such, reals with the digits that tables show
 * (of f32 the fewest that read back), vertices as ids, times and texts as they are; a cell without a value, or one that
 * is not finite, is missing. */
#include "result/graph_out.h"
#include "result/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const keep_attributes[] = {"weft", "graphml", "gexf", "gml", "json", "cyjs", "dot"};

static bool keeps(const char *format) {
    for (size_t i = 0; i < sizeof keep_attributes / sizeof *keep_attributes; i++)
        if (strcasecmp(format, keep_attributes[i]) == 0) return true;
    return false;
}

/* Chosen by the extension: .json is for rows. */
static const char *format_of(const cli_options *o) {
    const char *format = o->to ? o->to : o->output ? cli_format_of_path(o->output) : "";
    return !o->to && (!keeps(format) || strcmp(format, "json") == 0) ? "" : format;
}

bool graph_out_wanted(const cli_options *o) { return o->to || *format_of(o); }

bool graph_out_keeps_looks(const cli_options *o) { return strcasecmp(format_of(o), "gexf") == 0; }

static const char *flag_of_rows(const cli_options *o) {
    const char *flag = select_flag(o);
    return flag             ? flag
           : o->label       ? "--label"
           : o->table       ? "--table"
           : o->parts       ? "--parts"
           : o->no_formulas ? "--no-formulas"
                            : NULL;
}

int graph_out_check(const cli_options *o) {
    const char *format = format_of(o), *flag = flag_of_rows(o);
    if (o->to && !o->output) return cli_fail(EXIT_USAGE, "--to %s: name the file with -o", o->to);
    if (!graph_out_wanted(o)) return EXIT_DONE;
    if (!keeps(format))
        return cli_fail(EXIT_USAGE, "--to %s: results are attributes in weft, graphml, gexf, gml, json, cyjs and dot",
                        format);
    if (flag) return cli_fail(EXIT_USAGE, "%s is about rows, and -o %s is a graph with all of them", flag, o->output);
    return cli_check_target(o, "-o", o->output);
}

/* --- columns as attributes --------------------------------------------------------------------------- */

typedef struct made {
    weft_attribute a;
    void *values;
    uint8_t *valid;
    uint64_t *starts;
    char *text;
} made;

static void forget(made *m) {
    free(m->values);
    free(m->valid);
    free(m->starts);
    free(m->text);
}

/* Of 32 bits: what their fewest digits say, so that 0.1 is 0.1. */
static double real_at(const rows_column *c, size_t i) {
    cli_text text;
    double x = cell_real(c, i);
    return c->type == CELL_F32 && isfinite(x) ? strtod(cli_real32(text, (float)x), NULL) : x;
}

static int make_numbers(const rows *r, const rows_column *c, size_t n, made *m) {
    int64_t *whole = cli_take(n, sizeof *whole);
    double *real = (double *)whole;
    m->values = whole;
    if (!whole) return EXIT_MEMORY;
    m->a.type = cell_is_real(c) ? WEFT_ATTRIBUTE_REAL : WEFT_ATTRIBUTE_WHOLE;
    for (size_t i = 0; i < n; i++) {
        double x = cell_is_real(c) && i < c->length ? real_at(c, i) : 0;
        bool none = cell_is_none(c, i) || !isfinite(x);
        if (!none) m->valid[i >> 3] |= (uint8_t)(1u << (i & 7));
        if (cell_is_real(c))
            real[i] = none ? 0 : x;
        else
            whole[i] = none ? 0 : (int64_t)cell_whole(r->g, c, i);
    }
    return EXIT_DONE;
}

/* Names of vertices and labels: each row its own text. */
static int make_texts(const rows *r, const rows_column *c, size_t n, made *m) {
    uint32_t *number = cli_take(n, sizeof *number);
    rows plain = *r;
    cell_text cell = {NULL, 0, 0};
    size_t capacity = 0, used = 0;
    plain.order = NULL;
    m->values = number;
    m->starts = cli_take(n + 1, sizeof *m->starts);
    int code = number && m->starts ? EXIT_DONE : EXIT_MEMORY;
    for (size_t i = 0; i < n && !code; i++) {
        if (i % 4096 == 0 && cli_interrupted()) code = cli_fail(EXIT_INTERRUPTED, "interrupted");
        number[i] = (uint32_t)i;
        m->starts[i + 1] = m->starts[i];
        if (code || cell_is_none(c, i)) continue;
        if (!cell_print(&plain, c, i, &cell)) code = EXIT_MEMORY;
        if (!code && used + cell.length > capacity) {
            char *grown = realloc(m->text, capacity = 2 * (used + cell.length) + 4096);
            if (!grown) code = cli_fail(EXIT_MEMORY, "out of memory");
            if (grown) m->text = grown;
        }
        if (code) break;
        memcpy(m->text + used, cell.text, cell.length);
        m->starts[i + 1] = used += cell.length;
        m->valid[i >> 3] |= (uint8_t)(1u << (i & 7));
    }
    free(cell.text);
    m->a.type = WEFT_ATTRIBUTE_TEXT;
    m->a.text_count = n;
    m->a.text_starts = m->starts;
    m->a.text = m->text ? m->text : "";
    return code;
}

static int make(const rows *r, const rows_column *c, const char *name, made *m) {
    size_t n = weft_graph_vertices(r->g);
    m->a = (weft_attribute)WEFT_ATTRIBUTE_DEFAULTS;
    m->valid = cli_take(n / 8 + 1, 1);
    if (!m->valid) return EXIT_MEMORY;
    int code = cell_is_text(r, c) ? make_texts(r, c, n, m) : make_numbers(r, c, n, m);
    m->a.name = name;
    m->a.count = n;
    m->a.values = m->values;
    m->a.valid = m->valid;
    return code;
}

/* --- looks ------------------------------------------------------------------------------------------- */

enum { LEAST_SIZE = 5, MOST_SIZE = 30, COLOUR_LETTERS = 7 };

/* Sizes as in the picture: by area. */
static int make_sizes(const double *size, size_t n, made *m) {
    double *values = m->values = cli_take(n, sizeof *values);
    if (!values) return EXIT_MEMORY;
    for (size_t i = 0; i < n; i++) values[i] = LEAST_SIZE + (MOST_SIZE - LEAST_SIZE) * sqrt(size[i]);
    m->a = (weft_attribute)WEFT_ATTRIBUTE_DEFAULTS;
    m->a.name = "viz:size";
    m->a.type = WEFT_ATTRIBUTE_REAL;
    m->a.count = n;
    m->a.values = values;
    return EXIT_DONE;
}

static int make_colours(const uint32_t *colour, size_t n, made *m) {
    uint32_t *number = m->values = cli_take(n, sizeof *number);
    m->starts = cli_take(n + 1, sizeof *m->starts);
    m->text = cli_take(n * COLOUR_LETTERS + 1, 1);
    if (!number || !m->starts || !m->text) return EXIT_MEMORY;
    for (size_t i = 0; i < n; i++) {
        number[i] = (uint32_t)i;
        snprintf(m->text + i * COLOUR_LETTERS, COLOUR_LETTERS + 1, "#%06x", colour[i] & 0xffffffu);
        m->starts[i + 1] = (i + 1) * COLOUR_LETTERS;
    }
    m->a = (weft_attribute)WEFT_ATTRIBUTE_DEFAULTS;
    m->a.name = "viz:color";
    m->a.type = WEFT_ATTRIBUTE_TEXT;
    m->a.count = n;
    m->a.values = number;
    m->a.text_count = n;
    m->a.text_starts = m->starts;
    m->a.text = m->text;
    return EXIT_DONE;
}

/* --- all of it ---------------------------------------------------------------------------------------- */

/* In GEXF a position is no attribute. */
static const char *name_of(const rows_column *c, const graph_looks *looks, bool gexf) {
    if (gexf && looks->placed && c->result && strcmp(c->result, "x") == 0) return "viz:x";
    if (gexf && looks->placed && c->result && strcmp(c->result, "y") == 0) return "viz:y";
    return c->name;
}

static int make_all(const rows *r, const graph_looks *looks, bool gexf, made *all, size_t *count) {
    size_t n = weft_graph_vertices(r->g);
    int code = EXIT_DONE;
    for (size_t c = 1; c < r->column_count && !code; c++) { /* the first is the id */
        const rows_column *column = &r->columns[c];
        if (column->type != CELL_ATTRIBUTE) code = make(r, column, name_of(column, looks, gexf), &all[(*count)++]);
    }
    if (!code && looks->colour) code = make_colours(looks->colour, n, &all[(*count)++]);
    if (!code && looks->size) code = make_sizes(looks->size, n, &all[(*count)++]);
    return code;
}

int graph_out_save(weft_ctx *ctx, const cli_options *o, const rows *r, const graph_looks *looks) {
    size_t capacity = r->column_count + 2, count = 0;
    made *all = cli_take(capacity, sizeof *all);
    const weft_attribute **list = cli_take(capacity, sizeof *list);
    weft_graph *joined = NULL;
    int code = all && list ? EXIT_DONE : EXIT_MEMORY;
    if (!code) code = make_all(r, looks, graph_out_keeps_looks(o), all, &count);
    for (size_t i = 0; i < count && !code; i++) list[i] = &all[i].a;
    weft_status st = code ? WEFT_OK : weft_graph_with_attributes(ctx, r->g, list, count, &joined);
    if (st) code = cli_fail_status(ctx, st);
    for (size_t i = 0; all && i < count; i++) forget(&all[i]); /* the graph has a column with this name */
    if (!code) code = cli_save_graph(ctx, joined, o, o->output);
    weft_graph_free(joined);
    free(list);
    free(all);
    return code;
}

void graph_out_tell(const weft_graph *g, size_t columns, const char *path) {
    cli_text x;
    size_t had = weft_graph_attributes(g);
    printf("  wrote the graph with %zu column%s", columns, cli_s(columns));
    if (had) printf(" and its %s attribute%s", cli_count(x, had), cli_s(had));
    cli_put(stdout, " to %s", path);
    putchar('\n');
}
