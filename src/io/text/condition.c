/* See condition.h.  Method: recursive descent into a tree in an array.  Each comparison is of a column with a literal,
 * whose kind says what the column's cells are read as, or of two columns of numbers. */
#include "io/text/condition_tree.h"
#include "io/text/numbers.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { DEEPEST = 64 };

typedef struct parser {
    weft_ctx *ctx;
    wfi_condition *c;
    wfi_names *names;
    const char *text, *at;
    char *texts;
    int depth;
    bool columns; /* true and false are columns */
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
    weft_time_form form;
    int64_t time = 0;
    v->literal.whole = wfi_time_scan(v->literal.text, v->literal.length, &time, &form);
    v->literal.integer = time;
    p->texts = to;
    return true;
}

static bool read_number(parser *p, operand *v) {
    const char *from = p->at, *end = p->at;
    v->of = KIND_NUMBER;
    if (wfi_scan_f64(&end, &v->literal.real) || is_word_byte(*end)) return wrong(p, from, "this is not a number");
    v->literal.whole = wfi_scan_whole(from, (size_t)(end - from), &v->literal.integer);
    p->at = end;
    return true;
}

/* 2024-03-01, 2024-03-01T12:30+02:00: digits, then a dash. */
static bool is_time_here(const char *at) { return strspn(at, "0123456789") == 4 && at[4] == '-'; }

static bool read_time(parser *p, operand *v) {
    weft_time_form form;
    int64_t time = 0;
    size_t length = strspn(p->at, "0123456789-+:.TZ");
    v->of = KIND_TIME;
    bool good = wfi_time_scan(p->at, length, &time, &form);
    v->literal.integer = time;
    if (!good || is_word_byte(p->at[length]))
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
    v->literal.integer = !p->columns && take_word(p, "true");
    v->of = KIND_TRUTH;
    if (v->literal.integer || (!p->columns && take_word(p, "false"))) return p->c->truths = true;
    p->at = from + length;
    return read_column(p, from, length, v);
}

static bool read_comparison(parser *p, comparator *how) {
    static const struct {
        const char *sign;
        comparator how;
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
static comparator turned(comparator how) {
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
    comparator how = EQUAL;
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
    if (take_not(p)) {
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
    while (left >= 0 && take_operator(p, word)) {
        int right = part(p);
        left = right < 0 ? -1 : add(p, (node){.kind = kind, .left = left, .right = right});
    }
    return left;
}

static int read_both(parser *p) { return read_chain(p, NODE_AND, "and", read_one); }
static int read_either(parser *p) { return read_chain(p, NODE_OR, "or", read_both); }

/* *truths: true or false is in it. */
static weft_status read_condition(weft_ctx *ctx, const char *text, wfi_names *names, bool columns, bool *truths,
                                  wfi_condition **out) {
    *out = NULL;
    wfi_condition *c = wfi_take_zeroed(ctx, 1, sizeof *c);
    if (!c) return WEFT_ENOMEM;
    parser p = {.ctx = ctx, .c = c, .names = names, .text = text, .at = text, .columns = columns};
    p.st = wfi_alloc(ctx, &c->texts, strlen(text) + 1);
    p.texts = c->texts;
    c->names = names;
    c->root = p.st ? -1 : read_either(&p);
    skip_blanks(&p);
    if (c->root >= 0 && *p.at) wrong(&p, p.at, "expected and, or, or the end");
    *truths = c->truths;
    if (p.st)
        wfi_condition_free(c);
    else
        *out = c;
    return p.st;
}

weft_status wfi_condition_read(weft_ctx *ctx, const char *text, wfi_names *names, bool columns, wfi_condition **out) {
    size_t known = names->count;
    bool truths;
    weft_status st = read_condition(ctx, text, names, columns, &truths, out);
    if (st != WEFT_EINVAL || !truths) return st;
    wfi_names_cut(names, known); /* true > 5: then it is a column */
    if (!read_condition(ctx, text, names, true, &truths, out)) return WEFT_OK;
    wfi_names_cut(names, known); /* the fault of the usual reading */
    return read_condition(ctx, text, names, columns, &truths, out);
}

bool wfi_condition_has_truths(const wfi_condition *c) { return c->truths; }

void wfi_condition_of_text_table(wfi_condition *c, char decimal) {
    c->text_table = true;
    c->decimal = decimal;
}

void wfi_condition_free(wfi_condition *c) {
    if (!c) return;
    wfi_free(c->texts);
    wfi_free(c);
}
