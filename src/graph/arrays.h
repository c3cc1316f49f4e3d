/* A graph from arrays of the caller's: what its files share.  Arrays are on the host. */
#ifndef WFI_ARRAYS_H
#define WFI_ARRAYS_H

#include "graph/edges.h"

#include <string.h>

/* weft_graph_from_arrays once `arrays` is complete and on the host. */
weft_status wfi_graph_from_arrays(weft_ctx *ctx, const weft_arrays *arrays, const weft_build_params *rules,
                                  weft_graph **out);
/* Is there what must be there, and does it have a type? */
weft_status wfi_arrays_check(weft_ctx *ctx, const weft_arrays *arrays);

/* Weights as a graph will hold them. */
typedef struct wfi_array_weights {
    weft_weight_type type;
    uint64_t inexact; /* whole numbers that are rounded */
} wfi_array_weights;
/* Entries from ... from+count-1. */
void wfi_array_weights_fill(const weft_arrays *a, weft_weight_type type, uint64_t from, uint64_t count, void *to);

/* Rows that can be the graph's: *out stays NULL when they cannot, which is no failure.  `offsets` ascend, and the
 * targets are vertices. */
weft_status wfi_graph_of_rows(weft_ctx *ctx, const weft_arrays *a, const weft_eid *offsets,
                              const wfi_array_weights *weights, const wfi_build *build, weft_graph **out);

/* Of a graph whose edges were listed in both directions: is each arc there, with its weight, the other way round? */
weft_status wfi_graph_check_symmetric(weft_ctx *ctx, const weft_graph *g);

/* --- arrays of any type of number, read a block at a time ------------------------------------------ */

enum { WFI_ELEMENTS = 1024 }; /* a block */

static inline bool wfi_elements_real(weft_type type) { return type == WEFT_F32 || type == WEFT_F64; }
static inline bool wfi_elements_whole(weft_type type) {
    return type == WEFT_U32 || type == WEFT_U64 || type == WEFT_I64 || (type >= WEFT_U8 && type <= WEFT_I32);
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
#define WFI_COPY_INTEGERS                       \
    case WEFT_U8: WFI_COPY_ELEMENTS(uint8_t);   \
    case WEFT_U16: WFI_COPY_ELEMENTS(uint16_t); \
    case WEFT_U32: WFI_COPY_ELEMENTS(uint32_t); \
    case WEFT_U64: WFI_COPY_ELEMENTS(uint64_t); \
    case WEFT_I8: WFI_COPY_ELEMENTS(int8_t);    \
    case WEFT_I16: WFI_COPY_ELEMENTS(int16_t);  \
    case WEFT_I32: WFI_COPY_ELEMENTS(int32_t);  \
    case WEFT_I64: WFI_COPY_ELEMENTS(int64_t)

/* As whole numbers; u64 of 2^63 and more appear negative. */
static inline void wfi_elements_i64(const void *data, weft_type type, uint64_t from, size_t count, int64_t *to) {
    switch (type) {
        WFI_COPY_INTEGERS;
    default: memset(to, 0, count * sizeof *to);
    }
}

/* As doubles, rounded to nearest. */
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
