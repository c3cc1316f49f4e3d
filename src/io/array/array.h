/* NumPy arrays as in .npy files: the header, and the elements as ids or weights.
 *
 * wfi_array_read checks the header and that all elements are present; a wfi_lane is a sequence of elements at equal
 * steps (a column, a row, a field), converted to ids and weights in chunks.  Elements are copied, never cast in place:
 * members of an archive may be unaligned. */
#ifndef WFI_ARRAY_H
#define WFI_ARRAY_H

#include "graph/edges.h"
#include "stream/npy.h"

/* The origin of the bytes, for messages: file:1:byte, and the member of an archive. */
typedef struct wfi_array_origin {
    weft_ctx *ctx;
    const char *file;
    const char *member; /* NULL: the file is the array */
    size_t member_length;
    uint64_t offset; /* of the first byte in the file */
    bool unpacked;   /* the bytes are decompressed: messages give only the member's position in the file */
} wfi_array_origin;

typedef struct wfi_array {
    wfi_array_origin origin;
    wfi_npy npy;
} wfi_array;

/* Reads the header at `start`.  All elements must be within `bytes`, and nothing may follow. */
weft_status wfi_array_read(const wfi_array_origin *origin, const char *start, uint64_t bytes, wfi_array *array);

/* Fails with WEFT_EINPUT at the position of `at`, which is in the array. */
weft_status wfi_array_fail(const wfi_array *array, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static inline bool wfi_is_integer(const wfi_dtype *t) { return t->kind == WFI_UNSIGNED || t->kind == WFI_SIGNED; }

/* --- elements ------------------------------------------------------------------------ */

typedef struct wfi_lane {
    const wfi_array *array; /* for messages */
    const char *at;
    uint64_t step; /* bytes */
    uint64_t count;
    wfi_dtype type;
} wfi_lane;

/* All elements of a one-dimensional array. */
wfi_lane wfi_lane_of(const wfi_array *array);
/* Row or column `i` of a two-dimensional array. */
wfi_lane wfi_lane_row(const wfi_array *array, uint64_t i);
wfi_lane wfi_lane_column(const wfi_array *array, uint64_t i);
/* Field `i` of a one-dimensional structured array. */
wfi_lane wfi_lane_field(const wfi_array *array, size_t i);

/* Copies elements first ... first+count-1 of a lane of integers.  Returns the number of elements before the first that
 * does not fit int64_t. */
uint64_t wfi_lane_integers(const wfi_lane *lane, uint64_t first, uint64_t count, int64_t *to);
/* Copies elements as doubles, from a lane of integers, floats or bools; integers beyond 2^53 are rounded. */
void wfi_lane_doubles(const wfi_lane *lane, uint64_t first, uint64_t count, double *to);

/* The minimum and maximum of a lane of integers (0 and -1 if it is empty).  WEFT_EINPUT at an element beyond
 * int64_t. */
weft_status wfi_lane_range(weft_ctx *ctx, const wfi_lane *lane, int64_t *least, int64_t *most);

/* The weight type for a lane: integers if all weights are from 0 to 2^32-1 and either the element type is an integer
 * type or all are doubles of integer value (float32 and float16 fit a 32-bit float exactly).  WEFT_EINPUT at a weight
 * that is not finite or beyond a 32-bit float.  as_double keeps doubles.  *zeros = number of weights of 0. */
weft_status wfi_lane_weight_type(weft_ctx *ctx, const wfi_lane *lane, bool as_double, weft_weight_type *type,
                                 uint64_t *zeros);
/* Copies weights first ... first+count-1 as that type; adds the number of rounded integers to *inexact. */
void wfi_lane_weights(const wfi_lane *lane, uint64_t first, uint64_t count, weft_weight_type type, void *to,
                      uint64_t *inexact);

/* Adds the edges (source[i], target[i]) in pieces after those in `edges`; weight may be NULL. */
weft_status wfi_edges_from_lanes(weft_ctx *ctx, wfi_edges *edges, const wfi_lane *source, const wfi_lane *target,
                                 const wfi_lane *weight, weft_weight_type type);

#endif
