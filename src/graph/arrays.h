/* A graph from the caller's arrays: declarations shared by its files. Arrays are on the host. */
#ifndef WFI_ARRAYS_H
#define WFI_ARRAYS_H

#include "graph/edges.h"

#include <string.h>

/* weft_graph_from_arrays for complete arrays on the host. */
weft_status wfi_graph_from_arrays(weft_ctx *ctx, const weft_arrays *arrays, const weft_build_params *rules,
                                  weft_graph **out);
/* Fails if a required array is NULL or its type is unsuitable. */
weft_status wfi_arrays_check(weft_ctx *ctx, const weft_arrays *arrays);

/* Weights in the graph's type. */
typedef struct wfi_array_weights {
    weft_weight_type type;
    uint64_t inexact; /* number of rounded whole numbers */
} wfi_array_weights;
/* Converts entries from ... from + count - 1. */
void wfi_array_weights_fill(const weft_arrays *a, weft_weight_type type, uint64_t from, uint64_t count, void *to);

/* Makes the graph of rows that fit the build rules; *out stays NULL if they do not, which is not a failure. Needs:
 * ascending offsets; targets that are vertices. */
weft_status wfi_graph_of_rows(weft_ctx *ctx, const weft_arrays *a, const weft_eid *offsets,
                              const wfi_array_weights *weights, const wfi_build *build, weft_graph **out);

/* Fails unless every arc has its reverse with the same weight. */
weft_status wfi_graph_check_symmetric(weft_ctx *ctx, const weft_graph *g);

/* --- arrays of any numeric type, read in blocks --------------------------------------------------- */

enum { WFI_ELEMENTS = 1024 }; /* entries per block */

static inline bool wfi_elements_real(weft_type type) { return type == WEFT_F32 || type == WEFT_F64; }
static inline bool wfi_elements_whole(weft_type type) {
    return type == WEFT_U32 || type == WEFT_U64 || type == WEFT_I64 || (type >= WEFT_U8 && type <= WEFT_I32);
}

/* Converts entries from ... from + count - 1, at most WFI_ELEMENTS, from type FROM to that of `to`; the array may be
 * unaligned. */
#define WFI_COPY_ELEMENTS(FROM)                                                   \
    for (size_t i = 0; i < count; i++) {                                          \
        FROM x;                                                                   \
        memcpy(&x, (const char *)data + ((size_t)from + i) * sizeof x, sizeof x); \
        to[i] = (__typeof__(*to))x;                                               \
    }                                                                             \
    break

/* Cases for all integer types. */
#define WFI_COPY_INTEGERS                       \
    case WEFT_U8: WFI_COPY_ELEMENTS(uint8_t);   \
    case WEFT_U16: WFI_COPY_ELEMENTS(uint16_t); \
    case WEFT_U32: WFI_COPY_ELEMENTS(uint32_t); \
    case WEFT_U64: WFI_COPY_ELEMENTS(uint64_t); \
    case WEFT_I8: WFI_COPY_ELEMENTS(int8_t);    \
    case WEFT_I16: WFI_COPY_ELEMENTS(int16_t);  \
    case WEFT_I32: WFI_COPY_ELEMENTS(int32_t);  \
    case WEFT_I64: WFI_COPY_ELEMENTS(int64_t)

/* Converts to int64_t; u64 values of 2^63 and more become negative. */
static inline void wfi_elements_i64(const void *data, weft_type type, uint64_t from, size_t count, int64_t *to) {
    switch (type) {
        WFI_COPY_INTEGERS;
    default: memset(to, 0, count * sizeof *to);
    }
}

/* Converts to double, rounded to nearest. */
static inline void wfi_elements_f64(const void *data, weft_type type, uint64_t from, size_t count, double *to) {
    switch (type) {
        WFI_COPY_INTEGERS;
    case WEFT_F32: WFI_COPY_ELEMENTS(float);
    case WEFT_F64: WFI_COPY_ELEMENTS(double);
    default: memset(to, 0, count * sizeof *to);
    }
}
#undef WFI_COPY_INTEGERS
#undef WFI_COPY_ELEMENTS

#endif
