/* See npy.h. The header is magic, version, length, and a Python dict as text:
 *     {'descr': '<i8', 'fortran_order': False, 'shape': (3, 2), }
 * The parser is strict: each of the three keys once, in any order; `descr` is a type or a list of (name, type);
 * nothing is evaluated. Versions 1.0 to 3.0 differ in the width of the length and the encoding of field names.
 * [1] numpy.lib.format, "A simple format for saving numpy arrays to disk". */
#include "stream/npy.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "elements are little-endian unless marked otherwise");

typedef unsigned long long ull;

size_t wfi_npy_header(char *to, size_t size, const char *descr, const char *shape) {
    enum { FIXED = 10 }; /* magic, version, length */
    if (size < FIXED) return 0;
    int used = snprintf(to + FIXED, size - FIXED, "{'descr': %s, 'fortran_order': False, 'shape': %s, }", descr, shape);
    size_t text = FIXED + (size_t)used, whole = (text + 1 + 63) / 64 * 64;
    if (used < 0 || whole > size || whole - FIXED > UINT16_MAX) return 0;
    memset(to + text, ' ', whole - text);
    memcpy(to, "\x93NUMPY\1", 8); /* version 1.0; the terminating zero is the minor version */
    to[8] = (char)((whole - FIXED) & 255);
    to[9] = (char)((whole - FIXED) >> 8);
    to[whole - 1] = '\n';
    return whole;
}

/* --- text -------------------------------------------------------------------------------- */

typedef struct cursor {
    wfi_npy *array;
    const char *p, *end;
} cursor;

__attribute__((format(printf, 3, 4))) static bool fail(wfi_npy *a, const char *at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(a->why, sizeof a->why, format, args);
    va_end(args);
    a->at = at;
    return false;
}

#define FAIL(c, ...) fail((c)->array, (c)->p, __VA_ARGS__)

static void skip_space(cursor *c) {
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\t' || *c->p == '\n')) c->p++;
}

/* Skips `wanted` and the blanks around it if it comes next. */
static bool take(cursor *c, char wanted) {
    skip_space(c);
    if (c->p == c->end || *c->p != wanted) return false;
    c->p++;
    skip_space(c);
    return true;
}

static bool expect(cursor *c, char wanted) {
    return take(c, wanted) || FAIL(c, "expected %c in the header of the array", wanted);
}

/* A string without escapes. */
static bool take_string(cursor *c, const char **text, size_t *length) {
    skip_space(c);
    if (c->p == c->end || (*c->p != '\'' && *c->p != '"'))
        return FAIL(c, "expected a string in the header of the array");
    const char *close = memchr(c->p + 1, *c->p, (size_t)(c->end - c->p - 1));
    *text = c->p + 1;
    if (!close || memchr(*text, '\\', (size_t)(close - *text)))
        return FAIL(c, "a string in the header of the array without an end, or with escapes");
    *length = (size_t)(close - *text);
    c->p = close + 1;
    skip_space(c);
    return true;
}

static bool take_word(cursor *c, const char *word) {
    size_t length = strlen(word);
    skip_space(c);
    if ((size_t)(c->end - c->p) < length || memcmp(c->p, word, length)) return false;
    c->p += length;
    skip_space(c);
    return true;
}

static bool take_size(cursor *c, uint64_t *size) {
    skip_space(c);
    if (c->p == c->end || !isdigit((unsigned char)*c->p)) return FAIL(c, "expected a size in the header of the array");
    for (*size = 0; c->p < c->end && isdigit((unsigned char)*c->p); c->p++)
        if (__builtin_mul_overflow(*size, 10, size) || __builtin_add_overflow(*size, (uint64_t)(*c->p - '0'), size))
            return FAIL(c, "a size beyond 64 bits");
    take(c, 'L'); /* suffix of Python 2 */
    return true;
}

/* --- types -------------------------------------------------------------------------------- */

/* '<i8': byte order, kind, bytes. */
static bool take_type(cursor *c, wfi_dtype *type) {
    static const char kinds[] = "buifSU";
    static const wfi_kind kind[] = {WFI_BOOL, WFI_UNSIGNED, WFI_SIGNED, WFI_FLOAT, WFI_BYTES, WFI_UNICODE};
    const char *text, *at = c->p;
    size_t length;
    if (!take_string(c, &text, &length)) return false;
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
        return text[1] != 'O' ||
               fail(c->array, at, "an array of Python objects: save it with a type, as by .astype('int64')");
    }
    if (!known || length < 3) return fail(c->array, at, "'%s' is not a type of NumPy", type->text);
    type->kind = kind[known - kinds];
    type->bytes = (uint32_t)(type->kind == WFI_UNICODE ? 4 * bytes : bytes);
    type->swapped = text[0] == '>' && bytes > 1;
    bool power = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    bool sized = type->kind == WFI_BOOL ? bytes == 1 : type->kind == WFI_FLOAT ? power && bytes > 1 : power;
    if (type->kind <= WFI_FLOAT && !sized) type->kind = WFI_OTHER; /* long double */
    return true;
}

/* [('source', '<i8'), ('weight', '<f4')], plain types only. A field that is an array is refused; a nested record is
 * not a type. */
static bool take_fields(cursor *c, wfi_npy *a) {
    uint64_t offset = 0;
    while (!take(c, ']')) {
        wfi_npy_field *f = &a->fields[a->field_count];
        if (a->field_count == WFI_NPY_FIELDS) return FAIL(c, "more than %d fields", WFI_NPY_FIELDS);
        if (!expect(c, '(') || !take_string(c, &f->name, &f->name_length) || !expect(c, ',') || !take_type(c, &f->type))
            return false;
        if (take(c, ',') && c->p < c->end && *c->p != ')')
            return FAIL(c, "a field that is an array: save the edges with plain fields");
        if (!expect(c, ')')) return false;
        f->offset = offset;
        offset += f->type.bytes;
        a->field_count++;
        if (!take(c, ',') && (c->p == c->end || *c->p != ']'))
            return FAIL(c, "expected , or ] in the header of the array");
    }
    if (!a->field_count || !offset || offset > UINT32_MAX)
        return FAIL(c, "an empty record, or a record of more than 4 GiB");
    a->type = (wfi_dtype){.kind = WFI_OTHER, .bytes = (uint32_t)offset, .text = "records"};
    return true;
}

/* (), (3,) or (3, 2). */
static bool take_shape(cursor *c, wfi_npy *a) {
    a->count = 1;
    if (!expect(c, '(')) return false;
    while (!take(c, ')')) {
        uint64_t size = 0;
        if (!take_size(c, &size)) return false;
        if (a->dimensions < 2) a->shape[a->dimensions] = size;
        a->dimensions++;
        if (__builtin_mul_overflow(a->count, size, &a->count)) return FAIL(c, "more elements than a file can hold");
        if (!take(c, ',') && (c->p == c->end || *c->p != ')'))
            return FAIL(c, "expected , or ) in the header of the array");
    }
    return true;
}

/* --- the header --------------------------------------------------------------------------------- */

enum { DESCR, ORDER, SHAPE, KEYS };

static bool take_value(cursor *c, int key, wfi_npy *a) {
    if (key == SHAPE) return take_shape(c, a);
    if (key == DESCR) return take(c, '[') ? take_fields(c, a) : take_type(c, &a->type);
    a->fortran = take_word(c, "True");
    return a->fortran || take_word(c, "False") || FAIL(c, "fortran_order is True or False");
}

static bool take_dict(cursor *c, wfi_npy *a) {
    static const char *const names[KEYS] = {"descr", "fortran_order", "shape"};
    bool seen[KEYS] = {false};
    if (!expect(c, '{')) return false;
    while (!take(c, '}')) {
        const char *name;
        size_t length;
        int key = 0;
        if (!take_string(c, &name, &length)) return false;
        while (key < KEYS && (strlen(names[key]) != length || memcmp(names[key], name, length))) key++;
        if (key == KEYS || seen[key]) return FAIL(c, "an unknown or repeated key in the header of the array");
        seen[key] = true;
        if (!expect(c, ':') || !take_value(c, key, a)) return false;
        if (!take(c, ',') && (c->p == c->end || *c->p != '}'))
            return FAIL(c, "expected , or } in the header of the array");
    }
    for (int key = 0; key < KEYS; key++)
        if (!seen[key]) return FAIL(c, "the header of the array has no '%s'", names[key]);
    return c->p == c->end || FAIL(c, "text after the } of the header of the array");
}

bool wfi_npy_read(wfi_npy *a, const char *start, uint64_t bytes) {
    *a = (wfi_npy){.start = start, .data = start, .shape = {1, 1}};
    if (bytes < 10 || memcmp(start, "\x93NUMPY", 6))
        return fail(a, start, "not a NumPy array: it must begin with \\x93NUMPY");
    unsigned version = (unsigned char)start[6], fixed = version == 1 ? 10 : 12;
    uint32_t length = 0;
    if (version < 1 || version > 3 || start[7])
        return fail(a, start + 6, "version %u.%u of NumPy's format, expected 1.0, 2.0 or 3.0", version,
                    (unsigned)(unsigned char)start[7]);
    if (bytes >= fixed) memcpy(&length, start + 8, fixed - 8);
    if (bytes < fixed || bytes - fixed < length)
        return fail(a, start + 8, "the file ends within the header of the array");
    a->data = start + fixed + length;
    cursor c = {a, start + fixed, a->data};
    return take_dict(&c, a);
}
