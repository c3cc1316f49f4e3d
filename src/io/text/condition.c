/* See condition.h.
 * Method: recursive descent into a tree in an array.  Each comparison is of a column with a literal, whose kind says
 * what the column's cells are read as, or of two columns of numbers; so a cell is parsed only where it is compared.
 * Whole numbers are compared exactly.  A time without a zone is one of UTC; a whole number beside a time is a Unix time,
 * in seconds, or by its size in milliseconds or microseconds.  A cell without a value meets no comparison. */
#include "io/text/condition.h"
#include "io/text/cell_values.h"
#include "io/text/numbers.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NODES = 512, DEEPEST = 64, NUMBER_ROOM = 64 };

typedef enum node_kind { NODE_OR, NODE_AND, NODE_NOT, NODE_COMPARISON } node_kind;
typedef enum comparison { LESS, AT_MOST, MORE, AT_LEAST, EQUAL, UNEQUAL } comparison;
typedef enum operand_kind { KIND_NUMBER, KIND_TEXT, KIND_TIME, KIND_TRUTH } operand_kind;

static const char *const kinds[] = {"a number", "a text", "a time", "true or false"};

typedef struct value {
    bool whole;      /* a number without a fraction; its size is in `integer` too */
    int64_t integer; /* times and truth values, too */
    double real;
    const char *text;
    size_t length;
} value;

typedef struct node {
    node_kind kind;
    comparison how;
    int left, right;   /* nodes */
    int column, other; /* of a comparison; other: -1, a literal */
    operand_kind of;
    value literal;
} node;

struct wfi_condition {
    int count, root;
    char *texts; /* literals, without their quotes */
    const wfi_names *names;
    node nodes[MOST_NODES];
};

/* --- reading --------------------------------------------------------------------------------------- */

typedef struct parser {
    weft_ctx *ctx;
    wfi_condition *c;
    wfi_names *names;
    const char *text, *at;
    char *texts;
    int depth;
    weft_status st;
} parser;

/* What stands on one side of a comparison. */
typedef struct operand {
    int column; /* -1: a literal */
    operand_kind of;
    value literal;
} operand;

static bool wrong(parser *p, const char *at, const char *what) {
    if (!p->st)
        p->st = wfi_fail(p->ctx, WEFT_EINVAL, "`edges_where`: character %zu: %s", (size_t)(at - p->text) + 1, what);
    return false;
}

static int failed(parser *p, const char *at, const char *what) {
    wrong(p, at, what);
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

static int add(parser *p, node n) {
    if (p->c->count == MOST_NODES) return failed(p, p->at, "the condition is too long");
    p->c->nodes[p->c->count] = n;
    return p->c->count++;
}

static bool read_column(parser *p, const char *from, size_t length, operand *v) {
    uint32_t number;
    p->st = wfi_names_number(p->ctx, p->names, from, length, &number);
    v->column = (int)number;
    return !p->st;
}

/* 'it''s': the quote doubled is one. */
static bool read_text(parser *p, operand *v) {
    char quote = *p->at;
    const char *from = p->at++;
    char *to = p->texts;
    v->of = KIND_TEXT;
    v->literal.text = to;
    for (; *p->at && (*p->at != quote || p->at[1] == quote); p->at++) {
        if (*p->at == quote) p->at++;
        *to++ = *p->at;
    }
    if (!*p->at) return wrong(p, from, "this quote is not closed");
    p->at++;
    v->literal.length = (size_t)(to - p->texts);
    p->texts = to;
    return true;
}

static bool read_number(parser *p, operand *v) {
    const char *from = p->at, *end = p->at;
    v->of = KIND_NUMBER;
    if (wfi_scan_f64(&end, &v->literal.real) || is_word_byte(*end)) return wrong(p, from, "this is not a number");
    const char *whole_end = from;
    v->literal.whole = !wfi_scan_i64(&whole_end, &v->literal.integer) && whole_end == end;
    p->at = end;
    return true;
}

/* 2024-03-01, 2024-03-01T12:30+02:00: digits, then a dash. */
static bool is_time_here(const char *at) { return strspn(at, "0123456789") == 4 && at[4] == '-'; }

static bool read_time(parser *p, operand *v) {
    weft_time_form form;
    size_t length = strspn(p->at, "0123456789-+:.TZ");
    v->of = KIND_TIME;
    if (!wfi_time_scan(p->at, length, &v->literal.integer, &form) || is_word_byte(p->at[length]))
        return wrong(p, p->at, "this is not a time, such as 2024-03-01 or 2024-03-01T12:30:00Z");
    p->at += length;
    return true;
}

static bool read_operand(parser *p, operand *v) {
    *v = (operand){.column = -1};
    skip_blanks(p);
    char c = *p->at;
    if (c == '\'' || c == '"') return read_text(p, v);
    if (is_time_here(p->at)) return read_time(p, v);
    if (isdigit((unsigned char)c) || c == '-' || c == '+' || (c == '.' && isdigit((unsigned char)p->at[1])))
        return read_number(p, v);
    const char *from = p->at;
    if (c == '`') { /* a column whose name is no word */
        size_t length = strcspn(from + 1, "`");
        if (!from[1 + length]) return wrong(p, from, "this quote is not closed");
        p->at = from + length + 2;
        return read_column(p, from + 1, length, v);
    }
    size_t length = word_length(from);
    if (!length) return wrong(p, from, "expected a column, a number, a time or a text in quotes");
    v->literal.integer = take_word(p, "true");
    v->of = KIND_TRUTH;
    if (v->literal.integer || take_word(p, "false")) return true;
    p->at = from + length;
    return read_column(p, from, length, v);
}

static bool read_comparison(parser *p, comparison *how) {
    static const struct {
        const char *sign;
        comparison how;
    } signs[] = {{"<=", AT_MOST}, {"<>", UNEQUAL}, {"<", LESS},  {">=", AT_LEAST},
                 {">", MORE},     {"==", EQUAL},   {"=", EQUAL}, {"!=", UNEQUAL}};
    skip_blanks(p);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(p->at, signs[i].sign, strlen(signs[i].sign)) == 0) {
            p->at += strlen(signs[i].sign);
            *how = signs[i].how;
            return true;
        }
    return wrong(p, p->at, "expected one of < <= > >= = !=");
}

/* 10 < amount is amount > 10. */
static comparison turned(comparison how) {
    switch (how) {
    case LESS: return MORE;
    case AT_MOST: return AT_LEAST;
    case MORE: return LESS;
    case AT_LEAST: return AT_MOST;
    case EQUAL:
    case UNEQUAL: break;
    }
    return how;
}

static int read_test(parser *p) {
    operand a, b;
    comparison how = EQUAL;
    skip_blanks(p);
    const char *from = p->at;
    if (!read_operand(p, &a) || !read_comparison(p, &how) || !read_operand(p, &b)) return -1;
    if (a.column < 0 && b.column < 0) return failed(p, from, "neither side is a column (texts stand in quotes)");
    if (a.column < 0) {
        operand was = a;
        a = b;
        b = was;
        how = turned(how);
    }
    bool alone = b.column >= 0;
    return add(p, (node){.kind = NODE_COMPARISON,
                         .how = how,
                         .column = a.column,
                         .other = b.column,
                         .of = alone ? KIND_NUMBER : b.of,
                         .literal = b.literal});
}

static int read_either(parser *p);

static int read_one(parser *p) {
    if (++p->depth > DEEPEST) return failed(p, p->at, "too many parentheses");
    int at;
    skip_blanks(p);
    if (take_word(p, "not")) {
        int inner = read_one(p);
        at = inner < 0 ? -1 : add(p, (node){.kind = NODE_NOT, .left = inner});
    } else if (*p->at == '(') {
        p->at++;
        at = read_either(p);
        skip_blanks(p);
        if (at >= 0 && *p->at != ')') at = failed(p, p->at, "expected )");
        if (at >= 0) p->at++;
    } else {
        at = read_test(p);
    }
    p->depth--;
    return at;
}

static int read_chain(parser *p, node_kind kind, const char *word, int (*part)(parser *p)) {
    int left = part(p);
    while (left >= 0 && take_word(p, word)) {
        int right = part(p);
        left = right < 0 ? -1 : add(p, (node){.kind = kind, .left = left, .right = right});
    }
    return left;
}

static int read_both(parser *p) { return read_chain(p, NODE_AND, "and", read_one); }
static int read_either(parser *p) { return read_chain(p, NODE_OR, "or", read_both); }

weft_status wfi_condition_read(weft_ctx *ctx, const char *text, wfi_names *names, wfi_condition **out) {
    *out = NULL;
    wfi_condition *c = wfi_take_zeroed(ctx, 1, sizeof *c);
    if (!c) return WEFT_ENOMEM;
    parser p = {.ctx = ctx, .c = c, .names = names, .text = text, .at = text};
    p.st = wfi_alloc(ctx, &c->texts, strlen(text) + 1);
    p.texts = c->texts;
    c->names = names;
    c->root = p.st ? -1 : read_either(&p);
    skip_blanks(&p);
    if (c->root >= 0 && *p.at) wrong(&p, p.at, "expected and, or, or the end");
    if (p.st)
        wfi_condition_free(c);
    else
        *out = c;
    return p.st;
}

void wfi_condition_free(wfi_condition *c) {
    if (!c) return;
    wfi_free(c->texts);
    wfi_free(c);
}

/* --- comparing ------------------------------------------------------------------------------------- */

static bool decide(comparison how, bool less, bool more) {
    switch (how) {
    case LESS: return less;
    case AT_MOST: return !more;
    case MORE: return more;
    case AT_LEAST: return !less;
    case EQUAL: return !less && !more;
    case UNEQUAL: return less || more;
    }
    return false;
}

static bool compare(const node *n, const value *a, const value *b) {
    if (n->of == KIND_TEXT) {
        int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
        return decide(n->how, order < 0 || (!order && a->length < b->length),
                      order > 0 || (!order && a->length > b->length));
    }
    if (n->of != KIND_NUMBER || (a->whole && b->whole))
        return decide(n->how, a->integer < b->integer, a->integer > b->integer);
    return isnan(a->real) || isnan(b->real) ? false : decide(n->how, a->real < b->real, a->real > b->real);
}

/* A number of seconds, or of thousandths or millionths if it were of a year after 5000. */
static bool unix_time(int64_t x, int64_t *time) {
    uint64_t size = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    int64_t each = size < 100000000000u ? 1000000 : size < 100000000000000u ? 1000 : 1;
    *time = x;
    return !__builtin_mul_overflow(x, each, time);
}

/* Digits, perhaps with a point among them: at most 15, so that both they and the power of ten are exact. */
static bool scan_short(const char *p, size_t length, value *v) {
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    bool minus = length && *p == '-';
    const char *end = p + length, *point = NULL;
    int64_t x = 0;
    p += minus;
    if (p == end || end - p > 15 || *p == '.') return false;
    for (; p < end; p++) {
        unsigned d = (unsigned)(unsigned char)*p - '0';
        if (d > 9 && (*p != '.' || point)) return false;
        if (d > 9)
            point = p + 1;
        else
            x = x * 10 + d;
    }
    if (point == end) return false;
    v->whole = !point;
    v->integer = minus ? -x : x;
    v->real = (double)v->integer / (point ? powers[end - point] : 1);
    return true;
}

static bool scan_number(const char *text, size_t length, value *v) {
    char room[NUMBER_ROOM];
    const char *p = room;
    if (scan_short(text, length, v)) return true;
    if (!length || length >= sizeof room) return false;
    memcpy(room, text, length);
    room[length] = '\0';
    if (wfi_scan_f64(&p, &v->real) || p != room + length) return false;
    p = room;
    v->whole = !wfi_scan_i64(&p, &v->integer) && p == room + length;
    return true;
}

static bool scan_cell(operand_kind of, const wfi_cell_text *cell, value *v) {
    weft_time_form form;
    uint8_t truth;
    switch (of) {
    case KIND_NUMBER: return scan_number(cell->text, cell->length, v);
    case KIND_TEXT:
        v->text = cell->text;
        v->length = cell->length;
        return true;
    case KIND_TIME:
        if (wfi_time_scan(cell->text, cell->length, &v->integer, &form)) return true;
        return wfi_is_plain_integer(cell->text, cell->length, &v->integer) && unix_time(v->integer, &v->integer);
    case KIND_TRUTH:
        if (!wfi_cell_is_truth(cell->text, cell->length, true, &truth)) return false;
        v->integer = truth;
        return true;
    }
    return false;
}

static int compare_text(const node *n, const wfi_cell_text *cells, int *column, const char **kind) {
    value a = {0}, b = n->literal;
    if (!cells[n->column].text || (n->other >= 0 && !cells[n->other].text)) return 0;
    *kind = kinds[n->of];
    *column = n->column;
    if (!scan_cell(n->of, &cells[n->column], &a)) return -1;
    *column = n->other;
    if (n->other >= 0 && !scan_cell(n->of, &cells[n->other], &b)) return -1;
    return compare(n, &a, &b);
}

static int holds_text(const wfi_condition *c, int at, const wfi_cell_text *cells, int *column, const char **kind) {
    const node *n = &c->nodes[at];
    if (n->kind == NODE_COMPARISON) return compare_text(n, cells, column, kind);
    int left = holds_text(c, n->left, cells, column, kind);
    if (left < 0 || n->kind == NODE_NOT) return left < 0 ? left : !left;
    if (left == (n->kind == NODE_OR)) return left;
    return holds_text(c, n->right, cells, column, kind);
}

int wfi_condition_meets_text(const wfi_condition *c, const wfi_cell_text *cells, int *column, const char **kind) {
    return holds_text(c, c->root, cells, column, kind);
}

/* --- typed columns ---------------------------------------------------------------------------------- */

static bool is_of(operand_kind of, weft_attribute_type type) {
    switch (type) {
    case WEFT_ATTRIBUTE_WHOLE: return of == KIND_NUMBER || of == KIND_TIME;
    case WEFT_ATTRIBUTE_REAL: return of == KIND_NUMBER;
    case WEFT_ATTRIBUTE_BOOL: return of == KIND_TRUTH;
    case WEFT_ATTRIBUTE_TEXT: return of == KIND_TEXT;
    case WEFT_ATTRIBUTE_TIME: return of == KIND_TIME;
    }
    return false;
}

weft_status wfi_condition_bind(weft_ctx *ctx, const wfi_condition *c, const wfi_column_source *columns) {
    static const char *const held[] = {[WEFT_ATTRIBUTE_WHOLE] = "whole numbers",
                                       [WEFT_ATTRIBUTE_REAL] = "numbers",
                                       [WEFT_ATTRIBUTE_BOOL] = "truth values",
                                       [WEFT_ATTRIBUTE_TEXT] = "texts",
                                       [WEFT_ATTRIBUTE_TIME] = "times"};
    for (int i = 0; i < c->count; i++) {
        const node *n = &c->nodes[i];
        const int sides[2] = {n->column, n->other};
        for (int k = 0; n->kind == NODE_COMPARISON && k < 2; k++) {
            const wfi_column_source *s = sides[k] < 0 ? NULL : &columns[sides[k]];
            if (s && !is_of(n->of, s->type))
                return wfi_fail(ctx, WEFT_EINVAL,
                                "`edges_where`: column '%s' holds %s, and is compared with %s%s", s->name,
                                held[s->type], kinds[n->of],
                                n->of == KIND_TEXT && s->type == WEFT_ATTRIBUTE_TIME
                                    ? " (times stand without quotes: 2024-03-01)"
                                    : "");
        }
    }
    return WEFT_OK;
}

/* False: it has no value. */
static bool look(operand_kind of, const wfi_column_source *s, uint64_t row, value *v) {
    if (!wfi_has_bit(s->valid, row)) return false;
    switch (s->type) {
    case WEFT_ATTRIBUTE_WHOLE:
        v->integer = ((const int64_t *)s->values)[row];
        v->whole = true;
        v->real = (double)v->integer;
        return of != KIND_TIME || unix_time(v->integer, &v->integer);
    case WEFT_ATTRIBUTE_REAL: v->real = ((const double *)s->values)[row]; break;
    case WEFT_ATTRIBUTE_BOOL: v->integer = ((const uint8_t *)s->values)[row]; break;
    case WEFT_ATTRIBUTE_TIME: v->integer = ((const int64_t *)s->values)[row]; break;
    case WEFT_ATTRIBUTE_TEXT: {
        uint32_t number = ((const uint32_t *)s->values)[row];
        v->text = s->text + s->starts[number];
        v->length = (size_t)(s->starts[number + 1] - s->starts[number]);
        break;
    }
    }
    return true;
}

static bool holds(const wfi_condition *c, int at, const wfi_column_source *columns, uint64_t row) {
    const node *n = &c->nodes[at];
    value a = {0}, b = n->literal;
    switch (n->kind) {
    case NODE_OR: return holds(c, n->left, columns, row) || holds(c, n->right, columns, row);
    case NODE_AND: return holds(c, n->left, columns, row) && holds(c, n->right, columns, row);
    case NODE_NOT: return !holds(c, n->left, columns, row);
    case NODE_COMPARISON: break;
    }
    return look(n->of, &columns[n->column], row, &a) &&
           (n->other < 0 || look(n->of, &columns[n->other], row, &b)) && compare(n, &a, &b);
}

bool wfi_condition_meets(const wfi_condition *c, const wfi_column_source *columns, uint64_t row) {
    return holds(c, c->root, columns, row);
}
