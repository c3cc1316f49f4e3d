/* An .npz that is open for reading: its archive and the arrays taken from it. */
#ifndef WFI_NPZ_H
#define WFI_NPZ_H

#include "io/array/array.h"
#include "io/array/zip.h"
#include "io/stream/sink.h"
#include "io/stream/source.h"

typedef struct wfi_npz {
    weft_ctx *ctx;
    wfi_source *source;
    const weft_read_params *params;
    wfi_zip zip;
} wfi_npz;

/* A member that is an array.  `there` is false when the archive has none of that name. */
typedef struct wfi_npz_array {
    wfi_array array;
    char *block; /* unpacked bytes, or NULL */
    bool there;
} wfi_npz_array;

weft_status wfi_npz_load(wfi_npz *z, const char *name, wfi_npz_array *a);
/* The same, but it must be there. */
weft_status wfi_npz_need(wfi_npz *z, const char *name, wfi_npz_array *a);
/* A lane over the only dimension of an array of integers. */
weft_status wfi_npz_integers(const wfi_npz_array *a, wfi_lane *lane);
/* A lane of weights as long as `count`.  Bools are no weights: then *type is WEFT_WEIGHT_NONE. */
weft_status wfi_npz_weights(wfi_npz *z, const wfi_npz_array *a, uint64_t count, wfi_lane *lane, weft_weight_type *type);

/* A sparse matrix of SciPy (format.npy is there); arrays of edges (edge_index.npy is there). */
weft_status wfi_npz_matrix(wfi_npz *z, const wfi_npz_array *format, weft_graph **out);
weft_status wfi_npz_edge_index(wfi_npz *z, const wfi_npz_array *ends, weft_graph **out);

#endif
