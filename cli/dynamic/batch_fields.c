/* See batch_fields.h. */
#include "dynamic/batch_fields.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

batch_line_is batch_fail(batch_mistake *wrong, size_t at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(wrong->message, sizeof wrong->message, format, args);
    va_end(args);
    wrong->column = at + 1;
    return BATCH_WRONG;
}

static bool grow(void **place, size_t count, size_t each) {
    void *more = count > SIZE_MAX / each ? NULL : realloc(*place, count * each);
    if (more) *place = more;
    return more != NULL;
}
#define GROW(place, count) grow((void **)(place), (count), sizeof **(place))

bool batch_word_room(batch_reader *r, size_t capacity) {
    if (capacity <= r->word_room) return true;
    if (!GROW(&r->word, capacity)) return false;
    r->word_room = capacity;
    return true;
}

static bool room_for_one(batch_reader *r) {
    if (r->count < r->capacity) return true;
    size_t capacity = (size_t)r->capacity * 2 + 64;
    if (!GROW(&r->changes, capacity) || !GROW(&r->real, capacity)) return false;
    if (r->names ? !GROW(&r->source_at, capacity) || !GROW(&r->target_at, capacity)
                 : !GROW(&r->sources, capacity) || !GROW(&r->targets, capacity))
        return false;
    r->capacity = capacity;
    return true;
}

/* --- what fields mean ------------------------------------------------------------- */

static bool is_word(const batch_field *f, const char *word) {
    return f->length == strlen(word) && !memcmp(f->text, word, f->length);
}

int batch_field_named(const batch_field *name) {
    static const char *const names[BATCH_FIELDS][3] = {
        {"op", NULL, NULL}, {"source", "src", "from"}, {"target", "dst", "to"}, {"weight", "w", NULL}};
    for (int i = 0; i < BATCH_FIELDS; i++)
        for (int k = 0; k < 3 && names[i][k]; k++)
            if (name->length == strlen(names[i][k]) && !strncasecmp(name->text, names[i][k], name->length)) return i;
    return -1;
}

batch_line_is batch_read_op(const batch_field *f, weft_change *op, batch_mistake *wrong) {
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
    if (!f->text) return batch_fail(wrong, f->at, "no op: expected +, -, =, +v or -v");
    return batch_fail(wrong, f->at, "'%.*s' is not an operation: expected +, -, =, +v or -v", batch_shown(f), f->text);
}

static batch_line_is read_number(const batch_field *f, const char *what, int64_t *number, batch_mistake *wrong) {
    char buffer[32], *end;
    size_t sign = f->length && (f->text[0] == '-' || f->text[0] == '+');
    bool digits = f->length > sign && f->length < sizeof buffer;
    for (size_t i = sign; digits && i < f->length; i++) digits = f->text[i] >= '0' && f->text[i] <= '9';
    if (digits) {
        memcpy(buffer, f->text, f->length);
        buffer[f->length] = 0;
        errno = 0;
        *number = strtoll(buffer, &end, 10);
        if (!errno) return BATCH_CHANGE;
    }
    return batch_fail(wrong, f->at, "'%.*s' cannot be a %s: the ids of this graph are whole numbers of up to 63 bits",
                      batch_shown(f), f->text, what);
}

static batch_line_is read_name(batch_reader *r, const batch_field *f, size_t *at, batch_mistake *wrong) {
    if (memchr(f->text, 0, f->length)) return batch_fail(wrong, f->at, "a name with a NUL byte");
    if (r->text_used + f->length + 1 > r->text_room) {
        size_t capacity = r->text_room * 2 + f->length + 1024;
        if (!GROW(&r->text, capacity)) return BATCH_NO_MEMORY;
        r->text_room = capacity;
    }
    *at = r->text_used;
    memcpy(r->text + r->text_used, f->text, f->length);
    r->text_used += f->length;
    r->text[r->text_used++] = 0;
    return BATCH_CHANGE;
}

static batch_line_is read_id(batch_reader *r, const batch_field *f, const char *what, bool target,
                             batch_mistake *wrong) {
    if (!f->text || (!f->length && !f->quoted)) return batch_fail(wrong, f->at, "no %s", what);
    if (r->form == BATCH_JSON && r->names != f->quoted)
        return batch_fail(wrong, f->at, "the ids of this graph are %s",
                          r->names ? "names: text in quotes" : "whole numbers");
    if (r->names) return read_name(r, f, target ? &r->target_at[r->count] : &r->source_at[r->count], wrong);
    return read_number(f, what, target ? &r->targets[r->count] : &r->sources[r->count], wrong);
}

static bool fits(weft_weight_type type, double x) {
    if (type == WEFT_WEIGHT_U32) return !signbit(x) && x <= UINT32_MAX && x == floor(x);
    return isfinite(x);
}

/* Does the text have a digit other than 0, before its exponent? */
static bool is_not_zero(const batch_field *f) {
    for (size_t i = 0; i < f->length && f->text[i] != 'e' && f->text[i] != 'E'; i++)
        if (f->text[i] >= '1' && f->text[i] <= '9') return true;
    return false;
}

static batch_line_is read_weight(const batch_reader *r, const batch_field *f, batch_mistake *wrong) {
    static const char *const types[] = {"none", "u32", "f32", "f64"};
    bool number = f->length != 0;
    for (size_t i = 0; number && i < f->length; i++) number = f->text[i] && strchr("0123456789+-.eE", f->text[i]);
    char *end = NULL;
    double x = 0;
    if (number)
        x = r->type == WEFT_WEIGHT_F32 ? (double)strtof(f->text, &end) : strtod(f->text, &end); /* rounded once */
    if (!number || end != f->text + f->length)
        return batch_fail(wrong, f->at, "'%.*s' is not a weight", batch_shown(f), f->text);
    bool lost = x == 0 && is_not_zero(f);
    if (lost && r->type != WEFT_WEIGHT_U32)
        return batch_fail(wrong, f->at,
                          "the weight %.*s is too small for %s, the type of this graph's weights: it would become 0",
                          batch_shown(f), f->text, types[r->type]);
    if (lost || !fits(r->type, x))
        return batch_fail(wrong, f->at, "the weight %.*s is no %s, the type of this graph's weights", batch_shown(f),
                          f->text, types[r->type]);
    r->real[r->count] = x;
    return BATCH_CHANGE;
}

batch_line_is batch_add(batch_reader *r, const batch_field f[BATCH_FIELDS], batch_mistake *wrong) {
    weft_change op = WEFT_CHANGE_INSERT;
    if (!room_for_one(r)) return BATCH_NO_MEMORY;
    batch_line_is is = batch_read_op(&f[BATCH_OP], &op, wrong);
    if (is != BATCH_CHANGE) return is;
    bool edge = op <= WEFT_CHANGE_WEIGHT, weighs = op == WEFT_CHANGE_INSERT || op == WEFT_CHANGE_WEIGHT;
    bool has_target = f[BATCH_TARGET].length || f[BATCH_TARGET].quoted;
    bool has_weight = f[BATCH_WEIGHT].length != 0;
    is = read_id(r, &f[BATCH_SOURCE], edge ? "source" : "vertex", false, wrong);
    if (is == BATCH_CHANGE && edge) is = read_id(r, &f[BATCH_TARGET], "target", true, wrong);
    if (is != BATCH_CHANGE) return is;
    if (!edge && has_target) return batch_fail(wrong, f[BATCH_TARGET].at, "a vertex has no target");
    if (!edge && r->names) r->target_at[r->count] = r->source_at[r->count];
    if (!edge && !r->names) r->targets[r->count] = r->sources[r->count];
    r->real[r->count] = 0;
    if (has_weight && (!weighs || r->type == WEFT_WEIGHT_NONE))
        return batch_fail(wrong, f[BATCH_WEIGHT].at, "%s%s",
                          weighs ? "a weight, but this graph has none" : "this change has no weight",
                          r->names ? "; a name with blanks in it stands in double quotes" : "");
    if (op == WEFT_CHANGE_WEIGHT && r->type == WEFT_WEIGHT_NONE)
        return batch_fail(wrong, f[BATCH_OP].at, "a change of a weight, but this graph has none");
    if (weighs && r->type != WEFT_WEIGHT_NONE) {
        if (!has_weight) return batch_fail(wrong, f[BATCH_WEIGHT].at, "no weight, but this graph has weights");
        is = read_weight(r, &f[BATCH_WEIGHT], wrong);
    }
    if (is == BATCH_CHANGE) r->changes[r->count++] = (uint8_t)op;
    return is;
}

/* --- the batch as a whole ------------------------------------------------------ */

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
