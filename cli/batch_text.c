/* See batch_text.h. */
#include "batch_text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A field of a line: its text, without quotes and escapes, and where it stood.  text NULL: there is none. */
typedef struct field {
    const char *text;
    size_t length, at;
    bool quoted;
} field;

static batch_line_is fail(batch_mistake *wrong, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static batch_line_is fail(batch_mistake *wrong, size_t at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(wrong->message, sizeof wrong->message, format, args);
    va_end(args);
    wrong->column = at + 1;
    return BATCH_WRONG;
}

/* For messages: not too much of it. */
static int shown(const field *f) { return f->length < 40 ? (int)f->length : 40; }

static bool grow(void **place, size_t count, size_t each) {
    void *more = count > SIZE_MAX / each ? NULL : realloc(*place, count * each);
    if (more) *place = more;
    return more != NULL;
}
#define GROW(place, count) grow((void **)(place), (count), sizeof **(place))

static bool room_for_one(batch_reader *r) {
    if (r->count < r->room) return true;
    size_t room = (size_t)r->room * 2 + 64;
    if (!GROW(&r->changes, room) || !GROW(&r->real, room)) return false;
    if (r->names ? !GROW(&r->source_at, room) || !GROW(&r->target_at, room)
                 : !GROW(&r->sources, room) || !GROW(&r->targets, room))
        return false;
    r->room = room;
    return true;
}

/* --- what fields mean ------------------------------------------------------------- */

static bool is_word(const field *f, const char *word) {
    return f->length == strlen(word) && !memcmp(f->text, word, f->length);
}

static batch_line_is read_op(const field *f, weft_change *op, batch_mistake *wrong) {
    static const struct {
        const char *sign, *word;
        weft_change op;
    } ops[] = {{"+", "insert", WEFT_CHANGE_INSERT},
               {"-", "delete", WEFT_CHANGE_DELETE},
               {"=", "weight", WEFT_CHANGE_WEIGHT},
               {"+v", "add_vertex", WEFT_CHANGE_ADD_VERTEX},
               {"-v", "remove_vertex", WEFT_CHANGE_REMOVE_VERTEX}};
    for (size_t i = 0; f->text && i < sizeof ops / sizeof *ops; i++)
        if (is_word(f, ops[i].sign) || is_word(f, ops[i].word)) {
            *op = ops[i].op;
            return BATCH_CHANGE;
        }
    if (!f->text) return fail(wrong, f->at, "no op: expected +, -, =, +v or -v");
    return fail(wrong, f->at, "'%.*s' is no op: expected +, -, =, +v or -v", shown(f), f->text);
}

static batch_line_is read_number(const field *f, const char *what, int64_t *number, batch_mistake *wrong) {
    char room[32], *end;
    size_t sign = f->length && (f->text[0] == '-' || f->text[0] == '+');
    bool digits = f->length > sign && f->length < sizeof room;
    for (size_t i = sign; digits && i < f->length; i++) digits = f->text[i] >= '0' && f->text[i] <= '9';
    if (digits) {
        memcpy(room, f->text, f->length);
        room[f->length] = 0;
        errno = 0;
        *number = strtoll(room, &end, 10);
        if (!errno) return BATCH_CHANGE;
    }
    return fail(wrong, f->at, "'%.*s' is no %s: the ids of this graph are whole numbers of up to 63 bits", shown(f),
                f->text, what);
}

static batch_line_is read_name(batch_reader *r, const field *f, size_t *at, batch_mistake *wrong) {
    if (memchr(f->text, 0, f->length)) return fail(wrong, f->at, "a name with a NUL byte");
    if (r->text_used + f->length + 1 > r->text_room) {
        size_t room = r->text_room * 2 + f->length + 1024;
        if (!GROW(&r->text, room)) return BATCH_NO_MEMORY;
        r->text_room = room;
    }
    *at = r->text_used;
    memcpy(r->text + r->text_used, f->text, f->length);
    r->text_used += f->length;
    r->text[r->text_used++] = 0;
    return BATCH_CHANGE;
}

static batch_line_is read_id(batch_reader *r, const field *f, const char *what, bool target, batch_mistake *wrong) {
    if (!f->text || (!f->length && !f->quoted)) return fail(wrong, f->at, "no %s", what);
    if (r->form == BATCH_JSON && r->names != f->quoted)
        return fail(wrong, f->at, "the ids of this graph are %s", r->names ? "names: text in quotes" : "whole numbers");
    if (r->names) return read_name(r, f, target ? &r->target_at[r->count] : &r->source_at[r->count], wrong);
    return read_number(f, what, target ? &r->targets[r->count] : &r->sources[r->count], wrong);
}

static bool fits(weft_weight_type type, double x) {
    if (type == WEFT_WEIGHT_U32) return x >= 0 && x <= UINT32_MAX && x == floor(x);
    return isfinite(x) && (type != WEFT_WEIGHT_F32 || (isfinite((float)x) && ((float)x != 0 || x == 0)));
}

static batch_line_is read_weight(const batch_reader *r, const field *f, batch_mistake *wrong) {
    static const char *const types[] = {"none", "u32", "f32", "f64"};
    char room[64], *end = room;
    double x = 0;
    bool number = f->length && f->length < sizeof room;
    for (size_t i = 0; number && i < f->length; i++) number = strchr("0123456789+-.eE", f->text[i]) && f->text[i];
    if (number) {
        memcpy(room, f->text, f->length);
        room[f->length] = 0;
        x = strtod(room, &end);
        number = end != room && !*end;
    }
    if (!number) return fail(wrong, f->at, "'%.*s' is no weight", shown(f), f->text);
    if (!fits(r->type, x))
        return fail(wrong, f->at, "the weight %.*s is no %s, the type of this graph's weights", shown(f), f->text,
                    types[r->type]);
    r->real[r->count] = x;
    return BATCH_CHANGE;
}

/* The fields of a change, whatever form they came in. */
static batch_line_is add_change(batch_reader *r, const field f[BATCH_FIELDS], batch_mistake *wrong) {
    weft_change op = WEFT_CHANGE_INSERT;
    if (!room_for_one(r)) return BATCH_NO_MEMORY;
    batch_line_is is = read_op(&f[BATCH_OP], &op, wrong);
    if (is != BATCH_CHANGE) return is;
    bool edge = op <= WEFT_CHANGE_WEIGHT, weighs = op == WEFT_CHANGE_INSERT || op == WEFT_CHANGE_WEIGHT;
    bool has_target = f[BATCH_TARGET].length || f[BATCH_TARGET].quoted;
    bool has_weight = f[BATCH_WEIGHT].length != 0;
    is = read_id(r, &f[BATCH_SOURCE], edge ? "source" : "vertex", false, wrong);
    if (is == BATCH_CHANGE && edge) is = read_id(r, &f[BATCH_TARGET], "target", true, wrong);
    if (is != BATCH_CHANGE) return is;
    if (!edge && has_target) return fail(wrong, f[BATCH_TARGET].at, "a vertex has no target");
    if (!edge && r->names) r->target_at[r->count] = r->source_at[r->count];
    if (!edge && !r->names) r->targets[r->count] = r->sources[r->count];
    r->real[r->count] = 0;
    if (has_weight && (!weighs || r->type == WEFT_WEIGHT_NONE))
        return fail(wrong, f[BATCH_WEIGHT].at, "%s%s",
                    weighs ? "a weight, but this graph has none" : "this change has no weight",
                    r->names ? "; a name with blanks in it stands in double quotes" : "");
    if (op == WEFT_CHANGE_WEIGHT && r->type == WEFT_WEIGHT_NONE)
        return fail(wrong, f[BATCH_OP].at, "a change of a weight, but this graph has none");
    if (weighs && r->type != WEFT_WEIGHT_NONE) {
        if (!has_weight) return fail(wrong, f[BATCH_WEIGHT].at, "no weight, but this graph has weights");
        is = read_weight(r, &f[BATCH_WEIGHT], wrong);
    }
    if (is == BATCH_CHANGE) r->changes[r->count++] = (uint8_t)op;
    return is;
}

/* --- words and quotes ---------------------------------------------------------------- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void skip_blanks(const char *line, size_t length, size_t *at) {
    while (*at < length && is_blank(line[*at])) ++*at;
}

/* For what quotes and escapes leave of a line. */
static bool word_room(batch_reader *r, size_t room) {
    if (room <= r->word_room) return true;
    if (!GROW(&r->word, room)) return false;
    r->word_room = room;
    return true;
}

/* "text" at *at, in which a doubled quote is one, into the room from `used` on; *at moves behind it. */
static batch_line_is read_quoted(batch_reader *r, const char *line, size_t length, size_t *at, size_t *used, field *f,
                                 batch_mistake *wrong) {
    *f = (field){r->word + *used, 0, *at, true};
    for (++*at;; ++*at) {
        if (*at >= length) return fail(wrong, f->at, "this text has no end; one of several lines is not read");
        if (line[*at] == '"' && (*at + 1 >= length || line[*at + 1] != '"')) break;
        if (line[*at] == '"') ++*at;
        r->word[(*used)++] = line[*at];
    }
    f->length = (size_t)(r->word + *used - f->text);
    ++*at;
    return BATCH_CHANGE;
}

/* --- the plain form ----------------------------------------------------------------- */

static field next_word(const char *line, size_t length, size_t *at) {
    skip_blanks(line, length, at);
    field f = {line + *at, 0, *at, false};
    while (*at < length && !is_blank(line[*at])) ++*at;
    f.length = *at - f.at;
    if (!f.length) f.text = NULL;
    return f;
}

/* A word, or text in quotes, which blanks or the end of the line must follow. */
static batch_line_is next_field(batch_reader *r, const char *line, size_t length, size_t *at, size_t *used, field *f,
                                batch_mistake *wrong) {
    skip_blanks(line, length, at);
    if (*at >= length || line[*at] != '"') {
        *f = next_word(line, length, at);
        return BATCH_CHANGE;
    }
    batch_line_is is = read_quoted(r, line, length, at, used, f, wrong);
    if (is == BATCH_CHANGE && *at < length && !is_blank(line[*at]))
        return fail(wrong, *at, "expected a blank or the end of the line after the closing quote");
    return is;
}

static batch_line_is read_plain(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    size_t at = 0, used = 0;
    field f[BATCH_FIELDS];
    if (!word_room(r, length + 8)) return BATCH_NO_MEMORY;
    f[BATCH_OP] = next_word(line, length, &at);
    weft_change op;
    batch_line_is is = read_op(&f[BATCH_OP], &op, wrong); /* before quotes: other forms have some, too */
    for (int i = BATCH_OP + 1; i < BATCH_FIELDS && is == BATCH_CHANGE; i++)
        is = next_field(r, line, length, &at, &used, &f[i], wrong);
    if (is != BATCH_CHANGE) return is;
    field more = next_word(line, length, &at);
    if (more.length)
        return fail(wrong, more.at, "'%.*s' is one word too many; a name with blanks in it stands in double quotes",
                    shown(&more), more.text);
    return add_change(r, f, wrong);
}

/* --- JSON ----------------------------------------------------------------------------- */

static size_t put_utf8(char *to, uint32_t c) {
    if (c < 0x80) return to[0] = (char)c, 1;
    if (c < 0x800) return to[0] = (char)(0xc0 | c >> 6), to[1] = (char)(0x80 | (c & 63)), 2;
    size_t n = c < 0x10000 ? 3 : 4;
    to[0] = (char)(n == 3 ? 0xe0 | c >> 12 : 0xf0 | c >> 18);
    for (size_t i = 1; i < n; i++) to[i] = (char)(0x80 | (c >> 6 * (n - 1 - i) & 63));
    return n;
}

static bool read_hex(const char *line, size_t length, size_t at, uint32_t *c) {
    *c = 0;
    if (at + 4 > length) return false;
    for (size_t i = at; i < at + 4; i++) {
        const char *digits = "0123456789abcdefABCDEF", *d = line[i] ? strchr(digits, line[i]) : NULL;
        if (!d) return false;
        *c = *c * 16 + (uint32_t)(d - digits < 16 ? d - digits : d - digits - 6);
    }
    return true;
}

/* After the backslash; *at moves behind the escape.  False: there is no such escape. */
static bool read_escape(const char *line, size_t length, size_t *at, char *to, size_t *used) {
    static const char signs[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    const char *sign = *at < length && line[*at] ? strchr(signs, line[*at]) : NULL;
    uint32_t c, low;
    if (sign) {
        to[(*used)++] = means[sign - signs];
        ++*at;
        return true;
    }
    if (*at >= length || line[*at] != 'u' || !read_hex(line, length, *at + 1, &c)) return false;
    *at += 5;
    if (c >= 0xd800 && c < 0xdc00) {
        if (*at + 1 >= length || line[*at] != '\\' || line[*at + 1] != 'u' || !read_hex(line, length, *at + 2, &low) ||
            low < 0xdc00 || low > 0xdfff)
            return false;
        c = 0x10000 + (c - 0xd800) * 0x400 + (low - 0xdc00);
        *at += 6;
    } else if (c >= 0xdc00 && c < 0xe000) {
        return false;
    }
    *used += put_utf8(to + *used, c);
    return true;
}

/* "text" at *at, into the room from `used` on. */
static batch_line_is read_string(batch_reader *r, const char *line, size_t length, size_t *at, size_t *used, field *f,
                                 batch_mistake *wrong) {
    size_t begin = *at;
    *f = (field){r->word + *used, 0, begin, true};
    for (++*at; *at < length && line[*at] != '"';) {
        if (line[*at] != '\\') {
            r->word[(*used)++] = line[(*at)++];
            continue;
        }
        ++*at;
        if (!read_escape(line, length, at, r->word, used))
            return fail(wrong, *at - 1, "there is no such escape in JSON");
    }
    if (*at >= length) return fail(wrong, begin, "this text has no end");
    ++*at;
    f->length = (size_t)(r->word + *used - f->text);
    return BATCH_CHANGE;
}

static batch_line_is read_value(batch_reader *r, const char *line, size_t length, size_t *at, size_t *used, field *f,
                                batch_mistake *wrong) {
    if (*at < length && line[*at] == '"') return read_string(r, line, length, at, used, f, wrong);
    *f = (field){line + *at, 0, *at, false};
    while (*at < length && line[*at] && strchr("0123456789+-.eE", line[*at])) ++*at;
    f->length = *at - f->at;
    return f->length ? BATCH_CHANGE : fail(wrong, f->at, "expected a number, or text in quotes");
}

static int field_named(const field *name) {
    static const char *const names[BATCH_FIELDS][3] = {
        {"op", NULL, NULL}, {"source", "src", "from"}, {"target", "dst", "to"}, {"weight", "w", NULL}};
    for (int i = 0; i < BATCH_FIELDS; i++)
        for (int k = 0; k < 3 && names[i][k]; k++)
            if (is_word(name, names[i][k])) return i;
    return -1;
}

static batch_line_is read_json(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    field f[BATCH_FIELDS] = {{NULL, 0, 0, false}};
    size_t at = 0, used = 0;
    if (!word_room(r, length + 8)) return BATCH_NO_MEMORY;
    for (int i = 0; i < BATCH_FIELDS; i++) f[i].at = length;
    skip_blanks(line, length, &at);
    if (at == length || line[at] != '{') return fail(wrong, at, "expected an object: {\"op\": ...}");
    for (char sign = '{'; sign != '}';) {
        field name;
        ++at;
        skip_blanks(line, length, &at);
        if (at == length || line[at] != '"') return fail(wrong, at, "expected a name in quotes");
        batch_line_is is = read_string(r, line, length, &at, &used, &name, wrong);
        if (is != BATCH_CHANGE) return is;
        int which = field_named(&name);
        if (which < 0)
            return fail(wrong, name.at, "'%.*s' is none of op, source, target and weight", shown(&name), name.text);
        if (f[which].text) return fail(wrong, name.at, "%.*s is there twice", shown(&name), name.text);
        skip_blanks(line, length, &at);
        if (at == length || line[at] != ':') return fail(wrong, at, "expected :");
        ++at;
        skip_blanks(line, length, &at);
        is = read_value(r, line, length, &at, &used, &f[which], wrong);
        if (is != BATCH_CHANGE) return is;
        skip_blanks(line, length, &at);
        sign = at < length ? line[at] : 0;
        if (sign != ',' && sign != '}') return fail(wrong, at, "expected , or }");
    }
    ++at;
    skip_blanks(line, length, &at);
    if (at < length) return fail(wrong, at, "expected nothing after the object");
    if (f[BATCH_WEIGHT].quoted) return fail(wrong, f[BATCH_WEIGHT].at, "a weight is a number");
    return add_change(r, f, wrong);
}

/* --- csv -------------------------------------------------------------------------------- */

/* The field at *at, which then stands at the separator or the end. */
static batch_line_is csv_field(batch_reader *r, const char *line, size_t length, size_t *at, size_t *used, field *f,
                               batch_mistake *wrong) {
    *f = (field){line + *at, 0, *at, false};
    if (*at >= length || line[*at] != '"') {
        while (*at < length && line[*at] != r->separator) ++*at;
        f->length = *at - f->at;
        while (f->length && is_blank(f->text[f->length - 1])) f->length--;
        while (f->length && is_blank(*f->text)) f->text++, f->at++, f->length--;
        return BATCH_CHANGE;
    }
    batch_line_is is = read_quoted(r, line, length, at, used, f, wrong);
    if (is == BATCH_CHANGE && *at < length && line[*at] != r->separator)
        return fail(wrong, *at, "expected %c or the end of the line", r->separator);
    return is;
}

static batch_line_is csv_header(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    size_t at = 0, used = 0;
    for (int i = 0; i < BATCH_FIELDS; i++) r->column[i] = SIZE_MAX;
    for (r->columns = 0;; r->columns++, at++) {
        field name;
        batch_line_is is = csv_field(r, line, length, &at, &used, &name, wrong);
        if (is != BATCH_CHANGE) return is;
        int which = field_named(&name);
        if (which < 0)
            return fail(wrong, name.at, "the column '%.*s' is none of op, source, target and weight", shown(&name),
                        name.text);
        if (r->column[which] != SIZE_MAX) return fail(wrong, name.at, "%.*s is there twice", shown(&name), name.text);
        r->column[which] = r->columns;
        if (at >= length) break;
    }
    r->columns++;
    if (r->column[BATCH_OP] == SIZE_MAX || r->column[BATCH_SOURCE] == SIZE_MAX || r->column[BATCH_TARGET] == SIZE_MAX)
        return fail(wrong, 0, "columns op, source and target are needed");
    return BATCH_NOTHING;
}

static batch_line_is read_csv(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    field f[BATCH_FIELDS] = {{NULL, 0, 0, false}}, one;
    size_t at = 0, used = 0, count = 0;
    if (!word_room(r, length + 8)) return BATCH_NO_MEMORY;
    if (!r->columns) return csv_header(r, line, length, wrong);
    for (;; count++, at++) {
        batch_line_is is = csv_field(r, line, length, &at, &used, &one, wrong);
        if (is != BATCH_CHANGE) return is;
        for (int i = 0; i < BATCH_FIELDS; i++)
            if (r->column[i] == count) f[i] = one;
        if (at >= length) break;
    }
    if (count + 1 != r->columns)
        return fail(wrong, length, "%zu fields, but the header has %zu columns", count + 1, r->columns);
    return add_change(r, f, wrong);
}

/* --- lines ---------------------------------------------------------------------------------- */

/* By its first line that is neither blank nor a comment. */
static batch_line_is choose_form(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    size_t at = 0;
    field first = next_word(line, length, &at);
    if (first.text[0] == '{') {
        r->form = BATCH_JSON;
    } else if (strchr("+-=", first.text[0])) {
        r->form = BATCH_PLAIN;
    } else {
        for (const char *s = ",;\t"; *s; s++)
            if (memchr(line, *s, length)) {
                r->form = BATCH_CSV;
                r->separator = *s;
                r->columns = 0;
                return BATCH_CHANGE;
            }
        return fail(wrong, first.at,
                    "expected + u v, - u v, ..., a JSON object, or the header of a csv: op,source,target");
    }
    return BATCH_CHANGE;
}

batch_line_is batch_line(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    size_t at = 0;
    skip_blanks(line, length, &at);
    if (at == length) return BATCH_END;
    if (line[at] == '#' && r->form <= BATCH_PLAIN) return BATCH_NOTHING;
    if (r->form == BATCH_UNKNOWN) {
        batch_line_is is = choose_form(r, line, length, wrong);
        if (is != BATCH_CHANGE) return is;
    }
    if (r->count >= (uint64_t)1 << 30)
        return fail(wrong, 0, "a batch has at most 2^30 changes: end it with a blank line");
    if (r->form == BATCH_JSON) return read_json(r, line, length, wrong);
    return r->form == BATCH_CSV ? read_csv(r, line, length, wrong) : read_plain(r, line, length, wrong);
}

static void set_weights(batch_reader *r) {
    for (uint64_t i = 0; i < r->count; i++) {
        if (r->type == WEFT_WEIGHT_U32) ((uint32_t *)r->weights)[i] = (uint32_t)r->real[i];
        if (r->type == WEFT_WEIGHT_F32) ((float *)r->weights)[i] = (float)r->real[i];
        if (r->type == WEFT_WEIGHT_F64) ((double *)r->weights)[i] = r->real[i];
    }
}

bool batch_give(batch_reader *r, weft_batch *batch) {
    size_t count = (size_t)r->count;
    *batch = (weft_batch)WEFT_BATCH_DEFAULTS;
    batch->count = r->count;
    if (r->type != WEFT_WEIGHT_NONE) {
        if (!grow(&r->weights, count + 1, sizeof(double))) return false;
        set_weights(r);
        batch->weights = r->weights;
    }
    if (r->names) {
        if (!GROW(&r->source_names, count + 1) || !GROW(&r->target_names, count + 1)) return false;
        for (size_t i = 0; i < count; i++) r->source_names[i] = r->text + r->source_at[i];
        for (size_t i = 0; i < count; i++) r->target_names[i] = r->text + r->target_at[i];
    }
    batch->changes = r->changes;
    batch->sources = r->sources;
    batch->targets = r->targets;
    batch->source_names = r->source_names;
    batch->target_names = r->target_names;
    return true;
}

void batch_clear(batch_reader *r) {
    r->count = 0;
    r->text_used = 0;
}

void batch_free(batch_reader *r) {
    free(r->word);
    free(r->changes);
    free(r->sources);
    free(r->targets);
    free(r->source_at);
    free(r->target_at);
    free(r->text);
    free(r->real);
    free(r->weights);
    free(r->source_names);
    free(r->target_names);
    *r = (batch_reader){.names = r->names, .type = r->type};
}
