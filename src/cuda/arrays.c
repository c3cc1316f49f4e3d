/* weft_graph_from_arrays: arrays on the GPU are copied to the host first, and the graph is built there. */
#include "graph/arrays.h"
#include "cuda/device.h"

enum { ARRAYS = 4 };

/* Copies the arrays from the GPU, in the order of `fields`. */
static weft_status bring(weft_ctx *ctx, weft_arrays *a, void *own[ARRAYS]) {
    const void **fields[ARRAYS] = {&a->offsets, &a->sources, &a->targets, &a->weights};
    size_t each[ARRAYS] = {weft_type_size(a->offset_type), weft_type_size(a->id_type), weft_type_size(a->id_type),
                           weft_type_size(a->weight_type)};
    wfi_visit visit = {NULL, false};
    weft_status st = wfi_cuda_enter(ctx, &visit);
    for (int i = 0; i < ARRAYS && !st; i++) {
        size_t count = (size_t)(i ? a->edges : a->vertices + 1);
        if (!*fields[i]) continue;
        own[i] = wfi_take(ctx, count, each[i]);
        st = own[i] ? wfi_cuda_read(ctx, own[i], *fields[i], count * each[i]) : WEFT_ENOMEM;
        *fields[i] = own[i];
    }
    wfi_cuda_leave(&visit);
    return st;
}

weft_status weft_graph_from_arrays(weft_ctx *ctx, const weft_arrays *arrays, const weft_build_params *params,
                                   weft_graph **out) {
    if (out) *out = NULL;
    WFI_BEGIN_WITH_OR_RETURN(ctx, arrays, out);
    weft_arrays a = WEFT_ARRAYS_DEFAULTS;
    weft_build_params rules;
    void *own[ARRAYS] = {NULL};
    weft_status st = wfi_sized_in(ctx, "weft_arrays", arrays, &a, sizeof a);
    weft_release_fn release = a.release;
    if (!st) st = wfi_build_rules(ctx, params, &rules);
    if (!st) st = wfi_arrays_check(ctx, &a);
    if (!st && a.on_device) {
        a.release = NULL;
        st = bring(ctx, &a, own);
    }
    if (!st) st = wfi_graph_from_arrays(ctx, &a, &rules, out);
    for (int i = 0; i < ARRAYS; i++) wfi_free(own[i]);
    if (!st && release && !(*out)->lent.release) release(a.user);
    return st;
}
