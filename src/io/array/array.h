/* NumPy arrays as .npy files hold them: the header, and the elements as ids or weights.
 *
 * wfi_array_read checks the header and that all elements are there; a wfi_lane is a run of elements at equal steps (a
 * column, a row, a field), which turns into ids and weights a stretch at a time.  Elements are copied, never cast in
 * place: members of an archive lie at any address. */
#ifndef WFI_ARRAY_H
#define WFI_ARRAY_H

#include "graph/edges.h"
#include "stream/npy.h"

/* Where the bytes come from, for messages: file:1:byte, and the member of an archive. */
typedef struct wfi_array_origin {
    weft_ctx *ctx;
    const char *file;
    const char *member; /* NULL: the file is the array */
    size_t member_length;
    uint64_t offset; /* of the first byte in the file */
    bool unpacked;   /* the bytes are no longer those of the file: messages name only where it begins */
} wfi_array_origin;

typedef struct wfi_array {
    wfi_array_origin origin;
    wfi_npy npy;
} wfi_array;

/* Reads the header at `start`.  All elements must be within `bytes`, and nothing may follow. */
weft_status wfi_array_read(const wfi_array_origin *origin, const char *start, uint64_t bytes, wfi_array *array);

/* WEFT_EINPUT at the place of `at`, which lies in the array. */
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
/* Row or column `i` of a two-dimensional one. */
wfi_lane wfi_lane_row(const wfi_array *array, uint64_t i);
wfi_lane wfi_lane_column(const wfi_array *array, uint64_t i);
/* Field `i` of a one-dimensional structured one. */
wfi_lane wfi_lane_field(const wfi_array *array, size_t i);

/* Elements first ... first+count-1 of a lane of integers.  Returns how many fit int64_t before one does not. */
uint64_t wfi_lane_integers(const wfi_lane *lane, uint64_t first, uint64_t count, int64_t *to);
/* The same as doubles, of a lane of integers, floats or bools; whole numbers beyond 2^53 are rounded. */
void wfi_lane_doubles(const wfi_lane *lane, uint64_t first, uint64_t count, double *to);

/* The smallest and largest of a lane of integers (0 and -1 if it is empty).  WEFT_EINPUT at one beyond int64_t. */
weft_status wfi_lane_range(weft_ctx *ctx, const wfi_lane *lane, int64_t *least, int64_t *most);

/* What the weights in a lane become: whole numbers if all are from 0 to 2^32-1 and either the type is an integer one or
 * all are whole doubles (float32 and float16 fit a 32-bit float as they are).  WEFT_EINPUT at one that is not finite or
 * beyond a 32-bit float.  Doubles stay doubles where `as_double`.  *zeros = how many are 0. */
weft_status wfi_lane_weight_type(weft_ctx *ctx, const wfi_lane *lane, bool as_double, weft_weight_type *type,
                                 uint64_t *zeros);
/* Weights first ... first+count-1 as that type, and how many whole ones were rounded. */
void wfi_lane_weights(const wfi_lane *lane, uint64_t first, uint64_t count, weft_weight_type type, void *to,
                      uint64_t *inexact);

/* Adds the edges (source[i], target[i]) in pieces after those in `edges`; weight may be NULL. */
weft_status wfi_edges_from_lanes(weft_ctx *ctx, wfi_edges *edges, const wfi_lane *source, const wfi_lane *target,
                                 const wfi_lane *weight, weft_weight_type type);

#endif
