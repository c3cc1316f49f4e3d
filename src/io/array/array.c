/* The header of a .npy: magic, version, length, and a Python dict as text:
 *     {'descr': '<i8', 'fortran_order': False, 'shape': (3, 2), }
 * Read strictly: these three keys once each, in any order; `descr` is a type or a list of (name, type); nothing is
 * evaluated.  Versions 1.0 to 3.0 differ in the width of the length and the encoding of field names.
 * [1] numpy.lib.format, "A simple format for saving numpy arrays to disk". */
#include "io/array/array.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "elements are little-endian unless marked otherwise");

typedef unsigned long long ull;

weft_status wfi_array_fail(const wfi_array *a, const char *at, const char *format, ...) {
    const wfi_array_origin *o = &a->origin;
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    uint64_t byte = o->offset + (o->unpacked ? 0 : (uint64_t)(at - a->start)) + 1;
    if (!o->member) return wfi_fail_at(o->ctx, o->file, 1, byte, "%s", message);
    int shown = o->member_length < 60 ? (int)o->member_length : 60;
    return wfi_fail_at(o->ctx, o->file, 1, byte, "%.*s: %s", shown, o->member, message);
}

/* --- text -------------------------------------------------------------------------------- */

typedef struct cursor {
    const wfi_array *array;
    const char *p, *end;
} cursor;

#define FAIL(c, ...) wfi_array_fail((c)->array, (c)->p, __VA_ARGS__)

static void skip_space(cursor *c) {
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\t' || *c->p == '\n')) c->p++;
}

/* Steps over this character, and blanks around it, if it is next. */
static bool take(cursor *c, char wanted) {
    skip_space(c);
    if (c->p == c->end || *c->p != wanted) return false;
    c->p++;
    skip_space(c);
    return true;
}

static weft_status expect(cursor *c, char wanted) {
    return take(c, wanted) ? WEFT_OK : FAIL(c, "expected %c in the header of the array", wanted);
}

/* A string without escapes. */
static weft_status take_string(cursor *c, const char **text, size_t *length) {
    skip_space(c);
    if (c->p == c->end || (*c->p != '\'' && *c->p != '"'))
        return FAIL(c, "expected a string in the header of the array");
    const char *close = memchr(c->p + 1, *c->p, (size_t)(c->end - c->p - 1));
    *text = c->p + 1;
    if (!close || memchr(*text, '\\', (size_t)(close - *text)))
        return FAIL(c, "a string in the header of the array that does not end, or has escapes");
    *length = (size_t)(close - *text);
    c->p = close + 1;
    skip_space(c);
    return WEFT_OK;
}

static bool take_word(cursor *c, const char *word) {
    size_t length = strlen(word);
    skip_space(c);
    if ((size_t)(c->end - c->p) < length || memcmp(c->p, word, length)) return false;
    c->p += length;
    skip_space(c);
    return true;
}

static weft_status take_size(cursor *c, uint64_t *size) {
    skip_space(c);
    if (c->p == c->end || !isdigit((unsigned char)*c->p)) return FAIL(c, "expected a size in the header of the array");
    for (*size = 0; c->p < c->end && isdigit((unsigned char)*c->p); c->p++)
        if (__builtin_mul_overflow(*size, 10, size) || __builtin_add_overflow(*size, (uint64_t)(*c->p - '0'), size))
            return FAIL(c, "a size beyond 64 bits");
    take(c, 'L'); /* Python 2 */
    return WEFT_OK;
}

/* --- types -------------------------------------------------------------------------------- */

/* '<i8': byte order, kind, bytes. */
static weft_status take_type(cursor *c, wfi_dtype *type) {
    static const char kinds[] = "buifSU";
    static const wfi_kind kind[] = {WFI_BOOL, WFI_UNSIGNED, WFI_SIGNED, WFI_FLOAT, WFI_BYTES, WFI_UNICODE};
    const char *text, *at = c->p;
    size_t length;
    weft_status st = take_string(c, &text, &length);
    if (st) return st;
    *type = (wfi_dtype){.kind = WFI_OTHER};
    snprintf(type->text, sizeof type->text, "%.*s", length < 15 ? (int)length : 15, text);
    uint64_t bytes = 0;
    size_t i = 2;
    for (; i < length && isdigit((unsigned char)text[i]) && bytes < UINT32_MAX / 10; i++)
        bytes = bytes * 10 + (uint64_t)(text[i] - '0');
    bool order = length >= 2 && memchr("<>|=", text[0], 4);
    const char *known = order && text[1] && i == length ? strchr(kinds, text[1]) : NULL;
    if (order && !known && text[1] && strchr("OcmMV", text[1])) {
        type->bytes = (uint32_t)bytes;
        return text[1] == 'O'
                   ? wfi_array_fail(c->array, at,
                                    "an array of Python objects: save it with a type, as by .astype('int64')")
                   : WEFT_OK;
    }
    if (!known || length < 3) return wfi_array_fail(c->array, at, "'%s' is not a type of NumPy", type->text);
    type->kind = kind[known - kinds];
    type->bytes = (uint32_t)(type->kind == WFI_UNICODE ? 4 * bytes : bytes);
    type->swapped = text[0] == '>' && bytes > 1;
    bool power = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    bool sized = type->kind == WFI_BOOL ? bytes == 1 : type->kind == WFI_FLOAT ? power && bytes > 1 : power;
    if (type->kind <= WFI_FLOAT && !sized) type->kind = WFI_OTHER; /* long doubles */
    return WEFT_OK;
}

/* [('source', '<i8'), ('weight', '<f4')]: a plain type each; an array or a record within is an element of another
 * kind. */
static weft_status take_fields(cursor *c, wfi_array *a) {
    uint64_t offset = 0;
    while (!take(c, ']')) {
        wfi_field *f = &a->fields[a->field_count];
        if (a->field_count == WFI_FIELDS) return FAIL(c, "more than %d fields", WFI_FIELDS);
        weft_status st = expect(c, '(');
        if (!st) st = take_string(c, &f->name, &f->name_length);
        if (!st) st = expect(c, ',');
        if (!st) st = take_type(c, &f->type);
        if (!st && take(c, ',') && c->p < c->end && *c->p != ')')
            st = FAIL(c, "a field that is an array: save the edges with plain fields");
        if (!st) st = expect(c, ')');
        if (st) return st;
        f->offset = offset;
        offset += f->type.bytes;
        a->field_count++;
        if (!take(c, ',') && (c->p == c->end || *c->p != ']'))
            return FAIL(c, "expected , or ] in the header of the array");
    }
    if (!a->field_count || !offset || offset > UINT32_MAX) return FAIL(c, "a record without content, or of over 4 GiB");
    a->type = (wfi_dtype){.kind = WFI_OTHER, .bytes = (uint32_t)offset, .text = "records"};
    return WEFT_OK;
}

/* (), (3,) or (3, 2). */
static weft_status take_shape(cursor *c, wfi_array *a) {
    weft_status st = expect(c, '(');
    a->count = 1;
    while (!st && !take(c, ')')) {
        uint64_t size = 0;
        st = take_size(c, &size);
        if (st) return st;
        if (a->dimensions < 2) a->shape[a->dimensions] = size;
        a->dimensions++;
        if (__builtin_mul_overflow(a->count, size, &a->count)) return FAIL(c, "more elements than a file can hold");
        if (!take(c, ',') && (c->p == c->end || *c->p != ')'))
            return FAIL(c, "expected , or ) in the header of the array");
    }
    return st;
}

/* --- the header --------------------------------------------------------------------------------- */

enum { DESCR, ORDER, SHAPE, KEYS };

static weft_status take_value(cursor *c, int key, wfi_array *a) {
    if (key == SHAPE) return take_shape(c, a);
    if (key == DESCR) return take(c, '[') ? take_fields(c, a) : take_type(c, &a->type);
    a->fortran = take_word(c, "True");
    return a->fortran || take_word(c, "False") ? WEFT_OK : FAIL(c, "fortran_order is True or False");
}

static weft_status take_dict(cursor *c, wfi_array *a) {
    static const char *const names[KEYS] = {"descr", "fortran_order", "shape"};
    bool seen[KEYS] = {false};
    weft_status st = expect(c, '{');
    while (!st && !take(c, '}')) {
        const char *name;
        size_t length;
        int key = 0;
        st = take_string(c, &name, &length);
        if (st) return st;
        while (key < KEYS && (strlen(names[key]) != length || memcmp(names[key], name, length))) key++;
        if (key == KEYS || seen[key]) return FAIL(c, "a key in the header of the array that should not be there");
        seen[key] = true;
        st = expect(c, ':');
        if (!st) st = take_value(c, key, a);
        if (!st && !take(c, ',') && (c->p == c->end || *c->p != '}'))
            return FAIL(c, "expected , or } in the header of the array");
    }
    if (st) return st;
    for (int key = 0; key < KEYS; key++)
        if (!seen[key]) return FAIL(c, "the header of the array has no '%s'", names[key]);
    return c->p == c->end ? WEFT_OK : FAIL(c, "the header of the array goes on after its }");
}

static weft_status check_bytes(wfi_array *a, uint64_t have) {
    uint64_t need;
    if (__builtin_mul_overflow(a->count, (uint64_t)a->type.bytes, &need))
        return wfi_array_fail(a, a->start, "the header claims more elements than a file can hold");
    if (need == have) return WEFT_OK;
    return wfi_array_fail(a, a->data, "%llu elements of %u bytes take %llu bytes, but %llu follow", (ull)a->count,
                          a->type.bytes, (ull)need, (ull)have);
}

weft_status wfi_array_read(const wfi_array_origin *origin, const char *start, uint64_t bytes, wfi_array *a) {
    *a = (wfi_array){.origin = *origin, .start = start, .data = start, .shape = {1, 1}};
    if (bytes < 10 || memcmp(start, "\x93NUMPY", 6))
        return wfi_array_fail(a, start, "not a NumPy array: it must begin with \\x93NUMPY");
    unsigned version = (unsigned char)start[6], fixed = version == 1 ? 10 : 12;
    uint32_t length = 0;
    if (version < 1 || version > 3 || start[7])
        return wfi_array_fail(a, start + 6, "version %u.%u of NumPy's format, expected 1.0, 2.0 or 3.0", version,
                              (unsigned)(unsigned char)start[7]);
    if (bytes >= fixed) memcpy(&length, start + 8, fixed - 8);
    if (bytes < fixed || bytes - fixed < length)
        return wfi_array_fail(a, start + 8, "the file ends within the header of the array");
    a->data = start + fixed + length;
    cursor c = {a, start + fixed, a->data};
    weft_status st = take_dict(&c, a);
    return st ? st : check_bytes(a, bytes - fixed - length);
}
