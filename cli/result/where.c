/* Conditions on rows.  Needs: rows whose columns stay.
 * Method: recursive descent into a tree in an array; a row is tested by walking the tree.
 *
 *   either     = both {"or" both}
 *   both       = one {"and" one}
 *   one        = "not" one | "(" either ")" | value comparison value
 *   comparison = "<" | "<=" | ">" | ">=" | "=" | "==" | "!=" | "<>"
 *   value      = a column, a number, 'text' or "text", a time, true, false
 *
 * and, or and not may be in capitals.  What is read here and by io/text/condition.c has to agree:
 * tests/cli/conditions.sh.
 *
 * A time is written as ISO 8601 has it, in quotes or bare; it is compared with columns of times, as if what says
 * nothing of a zone were UTC.  A cell without a value (missing, not reached, infinite) meets no comparison.  Whole
 * numbers are compared exactly; a number that is compared with a column of f32 or less is rounded to it, as the
 * column's own values were. */
#include "iso_time.h"
#include "result/select.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_NODES = 512, DEEPEST = 64 };

typedef enum node_kind { NODE_OR, NODE_AND, NODE_NOT, NODE_COMPARISON } node_kind;
typedef enum relation { LESS, AT_MOST, MORE, AT_LEAST, EQUAL, UNEQUAL } relation;

typedef struct value {
    const rows_column *column; /* or NULL: the literal */
    char *text;                /* a literal text, or NULL */
    bool time;                 /* a literal without quotes that can only be a time: its microseconds */
    bool whole;
    __int128 integer;
    double real;
} value;

typedef struct node {
    node_kind kind;
    relation how;
    int left, right; /* nodes */
    value a, b;      /* of a comparison */
} node;

struct where {
    const rows *r;
    rows plain; /* the same without an order */
    int count, root;
    cell_text cell[2];
    node nodes[MOST_NODES];
};

typedef struct parser {
    where *w;
    const char *text, *at;
    int depth;
    int code;
} parser;

static int wrong(parser *p, const char *at, const char *what) {
    if (!p->code)
        p->code =
            cli_fail(EXIT_USAGE, "--where: character %zu: %s; see: weft help where", (size_t)(at - p->text) + 1, what);
    return -1;
}

static void skip_blanks(parser *p) {
    while (isspace((unsigned char)*p->at)) p->at++;
}

static bool is_word_byte(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.' || (unsigned char)c >= 0x80;
}

static size_t word_length(const char *at) {
    size_t length = 0;
    while (is_word_byte(at[length])) length++;
    return length;
}

static bool take_word(parser *p, const char *word) {
    skip_blanks(p);
    size_t length = strlen(word);
    if (word_length(p->at) != length || strncmp(p->at, word, length) != 0) return false;
    p->at += length;
    return true;
}

/* and, or, not: in any case of letters. */
static bool take_operator(parser *p, const char *word) {
    skip_blanks(p);
    size_t length = strlen(word);
    if (word_length(p->at) != length || strncasecmp(p->at, word, length) != 0) return false;
    p->at += length;
    return true;
}

/* A column may be called so: then it is compared. */
static bool take_not(parser *p) {
    const char *from = p->at;
    if (!take_operator(p, "not")) return false;
    skip_blanks(p);
    if (*p->at != '<' && *p->at != '>' && *p->at != '=' && *p->at != '!') return true;
    p->at = from;
    return false;
}

static int add(parser *p, node n) {
    if (p->w->count == MOST_NODES) return wrong(p, p->at, "the condition is too long");
    p->w->nodes[p->w->count] = n;
    return p->w->count++;
}

/* --- values --------------------------------------------------------------------------------- */

static bool read_column(parser *p, const char *from, size_t length, value *v) {
    const rows *r = p->w->r;
    char name[128], what[512];
    select_names list;
    snprintf(name, sizeof name, "%.*s", (int)length, from);
    for (size_t i = 0; i < r->column_count; i++)
        if (strlen(r->columns[i].name) == length && memcmp(r->columns[i].name, from, length) == 0) {
            v->column = &r->columns[i];
            return true;
        }
    snprintf(what, sizeof what, "no column is called '%s'; there are %s%s", name, select_columns(r, 0, list),
             cli_ranks_alone() ? "" : ": ranks pass over attributes of the graph");
    wrong(p, from, what);
    return false;
}

/* 'it''s': the quote doubled is one. */
static bool read_text(parser *p, value *v) {
    char quote = *p->at;
    const char *from = p->at++;
    char *to = v->text = malloc(strlen(from) + 1);
    if (!to) {
        p->code = cli_fail(EXIT_MEMORY, "out of memory");
        return false;
    }
    for (; *p->at && (*p->at != quote || p->at[1] == quote); p->at++) {
        if (*p->at == quote) p->at++;
        *to++ = *p->at;
    }
    *to = 0;
    if (!*p->at) {
        wrong(p, from, "this quote is not closed");
        return false;
    }
    p->at++;
    return true;
}

static bool read_number(parser *p, value *v) {
    const char *from = p->at;
    char *end;
    size_t digits = strspn(from + (*from == '-' || *from == '+'), "0123456789");
    v->real = strtod(from, &end);
    bool bad = end == from || memchr(from, 'x', (size_t)(end - from)) || memchr(from, 'X', (size_t)(end - from));
    if (bad || !isfinite(v->real) || is_word_byte(*end)) {
        wrong(p, from, "this is not a number");
        return false;
    }
    size_t sign = *from == '-' || *from == '+';
    v->whole = end == from + sign + digits && digits < 30;
    unsigned __int128 size = 0; /* clang's check of a signed product needs a library that is not everywhere */
    for (size_t i = 0; v->whole && i < digits; i++) size = size * 10 + (unsigned)(from[sign + i] - '0');
    v->integer = *from == '-' ? -(__int128)size : (__int128)size;
    p->at = end;
    return true;
}

/* 2024-03-01, 2024-03-01T12:30Z, ... without quotes; a minus has no other place behind a digit. */
static bool take_time(parser *p, value *v) {
    size_t length = strspn(p->at, "0123456789-:.+TZ");
    int64_t time;
    weft_time_form form;
    if (length < 10 || p->at[4] != '-' || !wfi_time_scan(p->at, length, &time, &form)) return false;
    *v = (value){.time = true, .whole = true, .integer = time, .real = (double)time};
    p->at += length;
    return true;
}

static bool take_truth(parser *p, value *v) {
    bool yes = take_word(p, "true");
    if (!yes && !take_word(p, "false")) return false;
    *v = (value){.whole = true, .integer = yes, .real = yes};
    return true;
}

/* A text beside a column of times. */
static bool make_time(parser *p, const char *from, value *v) {
    int64_t time;
    weft_time_form form;
    if (v->time) return true;
    if (!v->text || !wfi_time_scan(v->text, strlen(v->text), &time, &form)) {
        wrong(p, from, "the column has times: compare it with one, such as 2024-03-01 or '2024-03-01 12:30'");
        return false;
    }
    free(v->text);
    *v = (value){.time = true, .whole = true, .integer = time, .real = (double)time};
    return true;
}

static bool is_column_called(const parser *p, const char *name) {
    for (size_t i = 0; i < p->w->r->column_count; i++)
        if (strcmp(p->w->r->columns[i].name, name) == 0) return true;
    return false;
}

static bool read_value(parser *p, value *v) {
    *v = (value){0};
    skip_blanks(p);
    char c = *p->at;
    if (c == '\'' || c == '"') return read_text(p, v);
    if (take_time(p, v)) return true;
    if (!is_column_called(p, "true") && !is_column_called(p, "false") && take_truth(p, v)) return true;
    if (isdigit((unsigned char)c) || c == '-' || c == '+' || (c == '.' && isdigit((unsigned char)p->at[1])))
        return read_number(p, v);
    if (c == '`') { /* a column whose name is no word */
        size_t length = strcspn(p->at + 1, "`");
        const char *from = p->at + 1;
        if (!from[length]) return wrong(p, p->at, "this quote is not closed"), false;
        p->at = from + length + 1;
        return read_column(p, from, length, v);
    }
    size_t length = word_length(p->at);
    if (!length) return wrong(p, p->at, "expected a column, a number or a text in quotes"), false;
    const char *from = p->at;
    p->at += length;
    return read_column(p, from, length, v);
}

static bool is_time(const value *v) {
    return v->column ? cell_attribute_type(v->column) == WEFT_ATTRIBUTE_TIME : v->time;
}

static bool is_text(const parser *p, const value *v) {
    return v->column ? !is_time(v) && cell_is_text(p->w->r, v->column) : v->text != NULL;
}

/* Both are numbers, texts or times. */
static bool go_together(parser *p, const char *from, value *a, value *b) {
    if (a->column && is_time(a) && !b->column) return make_time(p, from, b);
    if (b->column && is_time(b) && !a->column) return make_time(p, from, a);
    if (is_time(a) != is_time(b)) {
        wrong(p, from, "a time is compared with something else");
        return false;
    }
    if (is_text(p, a) == is_text(p, b)) return true;
    wrong(p, from, "a text is compared with a number; texts and names stand in quotes: id = 'x'");
    return false;
}

/* What a number is rounded to where it is compared with a column of such a type. */
static double rounded(cell_type type, double x) {
    switch (type) {
    case CELL_F32: return (double)(float)x;
    case CELL_F16: return (double)weft_f16_value(weft_f16_of((float)x));
    case CELL_BF16: return (double)weft_bf16_value(weft_bf16_of((float)x));
    default: return x;
    }
}

/* --- the tree -------------------------------------------------------------------------------- */

static bool read_comparison(parser *p, relation *how) {
    static const struct {
        const char *sign;
        relation how;
    } signs[] = {{"<=", AT_MOST}, {"<>", UNEQUAL}, {"<", LESS},  {">=", AT_LEAST},
                 {">", MORE},     {"==", EQUAL},   {"=", EQUAL}, {"!=", UNEQUAL}};
    skip_blanks(p);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(p->at, signs[i].sign, strlen(signs[i].sign)) == 0) {
            p->at += strlen(signs[i].sign);
            *how = signs[i].how;
            return true;
        }
    wrong(p, p->at, "expected one of < <= > >= = !=");
    return false;
}

static int read_test(parser *p) {
    node n = {.kind = NODE_COMPARISON};
    skip_blanks(p);
    const char *from = p->at;
    bool good = read_value(p, &n.a) && read_comparison(p, &n.how) && read_value(p, &n.b);
    if (good && !n.a.column && !n.b.column) wrong(p, from, "neither side is a column (texts stand in quotes)");
    good = good && !p->code && go_together(p, from, &n.a, &n.b);
    int at = good ? add(p, n) : -1;
    if (at < 0) {
        free(n.a.text);
        free(n.b.text);
        return -1;
    }
    node *made = &p->w->nodes[at];
    if (made->a.column && !made->b.column) made->b.real = rounded(made->a.column->type, made->b.real);
    if (made->b.column && !made->a.column) made->a.real = rounded(made->b.column->type, made->a.real);
    return at;
}

static int read_either(parser *p);

static int read_one(parser *p) {
    if (++p->depth > DEEPEST) return wrong(p, p->at, "too many parentheses");
    int at;
    skip_blanks(p);
    if (take_not(p)) {
        int inner = read_one(p);
        at = inner < 0 ? -1 : add(p, (node){.kind = NODE_NOT, .left = inner});
    } else if (*p->at == '(') {
        p->at++;
        at = read_either(p);
        skip_blanks(p);
        if (at >= 0 && *p->at != ')') at = wrong(p, p->at, "expected )");
        if (at >= 0) p->at++;
    } else {
        at = read_test(p);
    }
    p->depth--;
    return at;
}

static int read_chain(parser *p, node_kind kind, const char *word, int (*part)(parser *p)) {
    int left = part(p);
    while (left >= 0 && take_operator(p, word)) {
        int right = part(p);
        left = right < 0 ? -1 : add(p, (node){.kind = kind, .left = left, .right = right});
    }
    return left;
}

static int read_both(parser *p) { return read_chain(p, NODE_AND, "and", read_one); }
static int read_either(parser *p) { return read_chain(p, NODE_OR, "or", read_both); }

int where_read(const char *text, const rows *r, where **out) {
    where *w = *out = cli_take(1, sizeof *w);
    if (!w) return EXIT_MEMORY;
    w->r = r;
    w->plain = *r;
    w->plain.order = NULL;
    parser p = {.w = w, .text = text, .at = text};
    w->root = read_either(&p);
    skip_blanks(&p);
    if (w->root >= 0 && *p.at) wrong(&p, p.at, "expected and, or, or the end");
    if (!p.code) return EXIT_DONE;
    where_free(w);
    *out = NULL;
    return p.code;
}

void where_free(where *w) {
    if (!w) return;
    for (int i = 0; i < w->count; i++) {
        free(w->nodes[i].a.text);
        free(w->nodes[i].b.text);
    }
    free(w->cell[0].text);
    free(w->cell[1].text);
    free(w);
}

/* --- rows -------------------------------------------------------------------------------------- */

typedef struct seen {
    bool none, whole;
    __int128 integer;
    double real;
    const char *text;
    size_t length;
    int failed;
} seen;

static seen look_at_attribute(const rows_column *c, size_t row) {
    size_t length;
    switch (cell_attribute_type(c)) {
    case WEFT_ATTRIBUTE_WHOLE:
    case WEFT_ATTRIBUTE_TIME: return (seen){.whole = true, .integer = cell_attribute_i64(c, row)};
    case WEFT_ATTRIBUTE_BOOL: return (seen){.whole = true, .integer = cell_attribute_bool(c, row)};
    case WEFT_ATTRIBUTE_REAL: return (seen){.real = cell_attribute_f64(c, row)};
    case WEFT_ATTRIBUTE_TEXT: {
        const char *text = cell_attribute_text(c, row, &length);
        return (seen){.text = text, .length = length};
    }
    }
    return (seen){.none = true};
}

static seen look(where *w, const value *v, size_t row, int side) {
    const rows_column *c = v->column;
    if (!c)
        return (seen){.whole = v->whole,
                      .integer = v->integer,
                      .real = v->real,
                      .text = v->text,
                      .length = v->text ? strlen(v->text) : 0};
    if (cell_is_none(c, row)) return (seen){.none = true};
    if (c->type != CELL_ATTRIBUTE && cell_is_text(w->r, c)) {
        if (!cell_print(&w->plain, c, row, &w->cell[side])) return (seen){.failed = 1};
        return (seen){.text = w->cell[side].text, .length = w->cell[side].length};
    }
    seen s = {.whole = true};
    size_t at = cell_place(c, row);
    switch (c->type) {
    case CELL_ATTRIBUTE:
        s = look_at_attribute(c, row);
        if (s.text) return s;
        break;
    case CELL_LEVEL:
    case CELL_U32: s.integer = ((const uint32_t *)c->data)[at]; break;
    case CELL_U64: s.integer = ((const uint64_t *)c->data)[at]; break;
    case CELL_I64: s.integer = ((const int64_t *)c->data)[at]; break;
    case CELL_VERTEX: s.integer = weft_graph_id(w->r->g, cell_vertex(c, row)); break;
    case CELL_F32: s = (seen){.real = (double)((const float *)c->data)[at]}; break;
    case CELL_F16:
    case CELL_BF16: s = (seen){.real = (double)cell_real16(c, at)}; break;
    case CELL_F64: s = (seen){.real = ((const double *)c->data)[at]}; break;
    case CELL_TEXT: break; /* handled above */
    }
    if (s.whole)
        s.real = (double)s.integer;
    else
        s.none = !isfinite(s.real);
    return s;
}

static int order_of(const seen *a, const seen *b) {
    if (a->text) {
        int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
        return order ? order : (a->length > b->length) - (a->length < b->length);
    }
    if (a->whole && b->whole) return (a->integer > b->integer) - (a->integer < b->integer);
    return (a->real > b->real) - (a->real < b->real);
}

static int compare(where *w, const node *n, size_t row) {
    seen a = look(w, &n->a, row, 0), b = look(w, &n->b, row, 1);
    if (a.failed || b.failed) return -1;
    if (a.none || b.none) return 0;
    int order = order_of(&a, &b);
    switch (n->how) {
    case LESS: return order < 0;
    case AT_MOST: return order <= 0;
    case MORE: return order > 0;
    case AT_LEAST: return order >= 0;
    case EQUAL: return order == 0;
    case UNEQUAL: return order != 0;
    }
    return 0;
}

static int holds(where *w, int at, size_t row) {
    const node *n = &w->nodes[at];
    if (n->kind == NODE_COMPARISON) return compare(w, n, row);
    int left = holds(w, n->left, row);
    if (left < 0) return left;
    switch (n->kind) {
    case NODE_OR: return left ? 1 : holds(w, n->right, row);
    case NODE_AND: return left ? holds(w, n->right, row) : 0;
    default: return !left;
    }
}

int where_holds(where *w, size_t row) { return holds(w, w->root, row); }
