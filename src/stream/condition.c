/* See condition.h. Method: recursive descent into a tree in an array. Leaves are comparisons with a column on the
 * left: 10 < amount becomes amount > 10. */
#include "stream/condition.h"
#include "stream/iso_time.h"
#include "stream/numbers.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum { DEEPEST = 64 };

typedef struct parser {
    const wfi_condition_columns *columns;
    wfi_condition *c;
    wfi_condition_fault *fault;
    const char *text, *at;
    char *texts;
    int depth;
} parser;

typedef struct operand {
    int column; /* -1: a literal */
    wfi_value literal;
} operand;

static int wrong(parser *p, const char *at, const char *what) {
    if (!p->fault->place) *p->fault = (wfi_condition_fault){(size_t)(at - p->text) + 1, what};
    return -1;
}

/* --- words ------------------------------------------------------------------------------------------ */

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

static bool take_word(parser *p, const char *word, int (*compare)(const char *, const char *, size_t)) {
    skip_blanks(p);
    size_t length = strlen(word);
    if (word_length(p->at) != length || compare(p->at, word, length) != 0) return false;
    p->at += length;
    return true;
}

/* Takes the operator `not`. A `not` before a relation is the name of a column. */
static bool take_not(parser *p) {
    const char *from = p->at;
    if (!take_word(p, "not", strncasecmp)) return false;
    skip_blanks(p);
    if (!*p->at || !strchr("<>=!", *p->at)) return true;
    p->at = from;
    return false;
}

static int read_relation(parser *p, wfi_relation *relation) {
    static const struct {
        const char *sign;
        wfi_relation relation;
    } signs[] = {{"<=", WFI_AT_MOST}, {"<>", WFI_UNEQUAL}, {"<", WFI_LESS},  {">=", WFI_AT_LEAST},
                 {">", WFI_MORE},     {"==", WFI_EQUAL},   {"=", WFI_EQUAL}, {"!=", WFI_UNEQUAL}};
    skip_blanks(p);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(p->at, signs[i].sign, strlen(signs[i].sign)) == 0) {
            p->at += strlen(signs[i].sign);
            *relation = signs[i].relation;
            return 0;
        }
    return wrong(p, p->at, "expected one of < <= > >= = !=");
}

/* --- operands --------------------------------------------------------------------------------------- */

static int read_column(parser *p, const char *from, size_t length, operand *v) {
    v->column = p->columns->number(p->columns->of, from, length);
    return v->column < 0 ? wrong(p, from, NULL) : 0;
}

/* Reads a quoted text; a doubled quote stands for one. */
static int read_text(parser *p, wfi_value *v) {
    char quote = *p->at;
    const char *from = p->at++;
    char *to = p->texts;
    *v = (wfi_value){.kind = WFI_VALUE_TEXT, .text = to};
    for (; *p->at && (*p->at != quote || p->at[1] == quote); p->at++) {
        if (*p->at == quote) p->at++;
        *to++ = *p->at;
    }
    if (!*p->at) return wrong(p, from, "this quote is not closed");
    p->at++;
    v->length = (size_t)(to - p->texts);
    weft_time_form form;
    int64_t time = 0;
    v->whole = wfi_time_scan(v->text, v->length, &time, &form);
    v->integer = time;
    p->texts = to;
    return 0;
}

static int read_number(parser *p, wfi_value *v) {
    const char *from = p->at, *end = p->at;
    *v = (wfi_value){.kind = WFI_VALUE_NUMBER};
    if (wfi_scan_f64(&end, &v->real) || is_word_byte(*end)) return wrong(p, from, "this is not a number");
    v->whole = wfi_scan_whole(from, (size_t)(end - from), &v->integer);
    p->at = end;
    return 0;
}

/* True at a time such as 2024-03-01: four digits and a dash, which follows digits nowhere else. */
static bool is_time_here(const char *at) { return strspn(at, "0123456789") == 4 && at[4] == '-'; }

static int read_time(parser *p, wfi_value *v) {
    weft_time_form form;
    int64_t time = 0;
    size_t length = strspn(p->at, "0123456789-+:.TZ");
    if (!wfi_time_scan(p->at, length, &time, &form))
        return wrong(p, p->at, "this is not a time, such as 2024-03-01 or 2024-03-01T12:30:00Z");
    *v = (wfi_value){.kind = WFI_VALUE_TIME, .whole = true, .integer = time, .real = (double)time};
    p->at += length;
    return 0;
}

static bool take_truth(parser *p, wfi_value *v) {
    bool yes = take_word(p, "true", strncmp);
    if (!yes && !take_word(p, "false", strncmp)) return false;
    *v = (wfi_value){.kind = WFI_VALUE_TRUTH, .whole = true, .integer = yes, .real = yes};
    return p->c->truths = true;
}

static int read_operand(parser *p, operand *v) {
    *v = (operand){.column = -1};
    skip_blanks(p);
    const char *from = p->at;
    if (*from == '\'' || *from == '"') return read_text(p, &v->literal);
    if (is_time_here(from)) return read_time(p, &v->literal);
    if (isdigit((unsigned char)*from) || *from == '-' || *from == '+' ||
        (*from == '.' && isdigit((unsigned char)from[1])))
        return read_number(p, &v->literal);
    if (*from == '`') { /* a column whose name is not a word */
        size_t length = strcspn(from + 1, "`");
        if (!from[1 + length]) return wrong(p, from, "this quote is not closed");
        p->at = from + length + 2;
        return read_column(p, from + 1, length, v);
    }
    size_t length = word_length(from);
    if (!length) return wrong(p, from, "expected a column, a number, a time or a text in quotes");
    if (!p->columns->truths && take_truth(p, &v->literal)) return 0;
    p->at = from + length;
    return read_column(p, from, length, v);
}

/* --- the tree --------------------------------------------------------------------------------------- */

static int add(parser *p, wfi_condition_kind kind, int left, int right) {
    wfi_condition *c = p->c;
    if (left < 0 || right < 0) return -1;
    if (c->nodes == WFI_CONDITION_NODES) return wrong(p, p->at, "the condition is too long");
    c->node[c->nodes].kind = kind;
    c->node[c->nodes].left = left;
    c->node[c->nodes].right = right;
    return c->nodes++;
}

/* The relation with its operands exchanged. */
static wfi_relation turned(wfi_relation relation) {
    static const wfi_relation other_way[] = {
        [WFI_LESS] = WFI_MORE,        [WFI_AT_MOST] = WFI_AT_LEAST, [WFI_MORE] = WFI_LESS,
        [WFI_AT_LEAST] = WFI_AT_MOST, [WFI_EQUAL] = WFI_EQUAL,      [WFI_UNEQUAL] = WFI_UNEQUAL};
    return other_way[relation];
}

static int read_test(parser *p) {
    operand a, b;
    wfi_relation relation = WFI_EQUAL;
    skip_blanks(p);
    const char *from = p->at;
    if (read_operand(p, &a) || read_relation(p, &relation) || read_operand(p, &b)) return -1;
    if (a.column < 0 && b.column < 0) return wrong(p, from, "neither side is a column (texts stand in quotes)");
    if (a.column < 0) {
        operand was = a;
        a = b;
        b = was;
        relation = turned(relation);
    }
    int at = add(p, WFI_TEST, p->c->tests, 0);
    if (at >= 0)
        p->c->test[p->c->tests++] = (wfi_test){.relation = relation,
                                               .column = a.column,
                                               .other = b.column,
                                               .kind = b.column < 0 ? b.literal.kind : WFI_VALUE_NUMBER,
                                               .literal = b.literal,
                                               .place = (size_t)(from - p->text) + 1};
    return at;
}

static int read_either(parser *p);

static int read_one(parser *p) {
    if (++p->depth > DEEPEST) return wrong(p, p->at, "too many parentheses");
    int at;
    skip_blanks(p);
    if (take_not(p)) {
        at = add(p, WFI_NOT, read_one(p), 0);
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

static int read_chain(parser *p, wfi_condition_kind kind, const char *word, int (*part)(parser *p)) {
    int left = part(p);
    while (left >= 0 && take_word(p, word, strncasecmp)) left = add(p, kind, left, part(p));
    return left;
}

static int read_both(parser *p) { return read_chain(p, WFI_AND, "and", read_one); }
static int read_either(parser *p) { return read_chain(p, WFI_OR, "or", read_both); }

size_t wfi_condition_room(const char *text) { return sizeof(wfi_condition) + strlen(text) + 1; }

bool wfi_condition_parse(const char *text, const wfi_condition_columns *columns, wfi_condition *c,
                         wfi_condition_fault *fault) {
    parser p = {.columns = columns, .c = c, .fault = fault, .text = text, .at = text, .texts = c->texts};
    c->nodes = c->tests = 0;
    c->truths = false;
    *fault = (wfi_condition_fault){0};
    c->root = read_either(&p);
    skip_blanks(&p);
    if (c->root >= 0 && *p.at) wrong(&p, p.at, "expected and, or, or the end");
    return !fault->place;
}

/* --- rows ------------------------------------------------------------------------------------------- */

static int decide(wfi_relation relation, bool less, bool more) {
    switch (relation) {
    case WFI_LESS: return less;
    case WFI_AT_MOST: return !more;
    case WFI_MORE: return more;
    case WFI_AT_LEAST: return !less;
    case WFI_EQUAL: return !less && !more;
    case WFI_UNEQUAL: return less || more;
    }
    return false;
}

static int compare(const wfi_test *t, wfi_value_of *value_of, void *row) {
    wfi_value a, other;
    const wfi_value *b = t->other < 0 ? &t->literal : &other;
    int there = value_of(row, t, t->column, &a);
    if (there > 0 && t->other >= 0) there = value_of(row, t, t->other, &other);
    if (there <= 0) return there;
    if (a.kind == WFI_VALUE_TEXT) {
        int order = memcmp(a.text, b->text, a.length < b->length ? a.length : b->length);
        return decide(t->relation, order < 0 || (!order && a.length < b->length),
                      order > 0 || (!order && a.length > b->length));
    }
    if (a.kind != WFI_VALUE_NUMBER || (a.whole && b->whole))
        return decide(t->relation, a.integer<b->integer, a.integer> b->integer);
    return !isnan(a.real) && !isnan(b->real) && decide(t->relation, a.real<b->real, a.real> b->real);
}

static int holds(const wfi_condition *c, int at, wfi_value_of *value_of, void *row) {
    wfi_condition_kind kind = c->node[at].kind;
    if (kind == WFI_TEST) return compare(&c->test[c->node[at].left], value_of, row);
    int left = holds(c, c->node[at].left, value_of, row);
    if (left < 0 || kind == WFI_NOT) return left < 0 ? left : !left;
    if (left == (kind == WFI_OR)) return left;
    return holds(c, c->node[at].right, value_of, row);
}

int wfi_condition_holds(const wfi_condition *c, wfi_value_of *value_of, void *row) {
    return holds(c, c->root, value_of, row);
}
