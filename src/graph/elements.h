/* Arrays of any type of number, read a block at a time. */
#ifndef WFI_ELEMENTS_H
#define WFI_ELEMENTS_H

#include "core/core.h"

#include <string.h>

enum { WFI_ELEMENTS = 1024 }; /* a block */

static inline size_t wfi_element_bytes(weft_array_type type) {
    switch (type) {
    case WEFT_ARRAY_NONE: return 0;
    case WEFT_ARRAY_U8:
    case WEFT_ARRAY_I8: return 1;
    case WEFT_ARRAY_U16:
    case WEFT_ARRAY_I16: return 2;
    case WEFT_ARRAY_U32:
    case WEFT_ARRAY_I32:
    case WEFT_ARRAY_F32: return 4;
    case WEFT_ARRAY_U64:
    case WEFT_ARRAY_I64:
    case WEFT_ARRAY_F64: return 8;
    }
    return 0;
}

static inline bool wfi_elements_real(weft_array_type type) { return type == WEFT_ARRAY_F32 || type == WEFT_ARRAY_F64; }
static inline bool wfi_elements_whole(weft_array_type type) {
    return wfi_element_bytes(type) && !wfi_elements_real(type);
}

/* Entries from ... from+count-1, which are at most WFI_ELEMENTS, as TO; the array need not be aligned. */
#define WFI_COPY_ELEMENTS(FROM)                                                   \
    for (size_t i = 0; i < count; i++) {                                          \
        FROM x;                                                                   \
        memcpy(&x, (const char *)data + ((size_t)from + i) * sizeof x, sizeof x); \
        to[i] = (__typeof__(*to))x;                                               \
    }                                                                             \
    break

/* The cases of all integers. */
#define WFI_COPY_INTEGERS                             \
    case WEFT_ARRAY_U8: WFI_COPY_ELEMENTS(uint8_t);   \
    case WEFT_ARRAY_U16: WFI_COPY_ELEMENTS(uint16_t); \
    case WEFT_ARRAY_U32: WFI_COPY_ELEMENTS(uint32_t); \
    case WEFT_ARRAY_U64: WFI_COPY_ELEMENTS(uint64_t); \
    case WEFT_ARRAY_I8: WFI_COPY_ELEMENTS(int8_t);    \
    case WEFT_ARRAY_I16: WFI_COPY_ELEMENTS(int16_t);  \
    case WEFT_ARRAY_I32: WFI_COPY_ELEMENTS(int32_t);  \
    case WEFT_ARRAY_I64: WFI_COPY_ELEMENTS(int64_t)

/* As whole numbers; u64 of 2^63 and more appear negative. */
static inline void wfi_elements_i64(const void *data, weft_array_type type, uint64_t from, size_t count, int64_t *to) {
    switch (type) {
        WFI_COPY_INTEGERS;
    case WEFT_ARRAY_F32:
    case WEFT_ARRAY_F64:
    case WEFT_ARRAY_NONE: memset(to, 0, count * sizeof *to);
    }
}

/* As doubles, rounded to nearest. */
static inline void wfi_elements_f64(const void *data, weft_array_type type, uint64_t from, size_t count, double *to) {
    switch (type) {
        WFI_COPY_INTEGERS;
    case WEFT_ARRAY_F32: WFI_COPY_ELEMENTS(float);
    case WEFT_ARRAY_F64: WFI_COPY_ELEMENTS(double);
    case WEFT_ARRAY_NONE: memset(to, 0, count * sizeof *to);
    }
}
#undef WFI_COPY_INTEGERS
#undef WFI_COPY_ELEMENTS

#endif
