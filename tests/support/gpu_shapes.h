/* Graphs from lists of arcs (arc_list.h), and one algorithm on both devices: what the tests of single algorithms on the GPU share. */
#ifndef WEFT_TESTS_GPU_SHAPES_H
#define WEFT_TESTS_GPU_SHAPES_H

#include "arc_list.h"
#include "variants.h"

#include "cuda/device.h"

typedef struct shape {
    const char *name;
    void (*make)(arc_list *a);
} shape;

/* The bytes of the CPU's answer, on the GPU twice, the second time with the graph there. */
static inline void same_on_both(weft_ctx *ctx, const char *algorithm, const weft_graph *g, const void *params,
                                const char *what) {
    weft_result *cpu = NULL;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    if (wfi_run(ctx, algorithm, g, params, &cpu)) HARNESS_FAIL("%s: %s", what, weft_ctx_message(ctx));
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    for (int again = 0; cpu && again < 2; again++) {
        weft_result *gpu = NULL;
        if (wfi_run(ctx, algorithm, g, params, &gpu))
            HARNESS_FAIL("%s: %s", what, weft_ctx_message(ctx));
        else if (difference(cpu, gpu))
            HARNESS_FAIL("%s, run %d: another %s", what, again + 1, difference(cpu, gpu));
        weft_result_free(gpu);
    }
    weft_result_free(cpu);
}

/* Every shape, as it is and shuffled, directed and not, with repeated arcs kept: try(ctx, graph, name). */
static inline void each_shape(const shape *shapes, size_t count,
                              void (*try)(weft_ctx *ctx, const weft_graph *g, const char *name)) {
    arc_list a = {0, 0, malloc(MOST_ARCS * sizeof(weft_vid)), malloc(MOST_ARCS * sizeof(weft_vid))};
    if (!a.from || !a.to) exit(1);
    for (size_t i = 0; i < count; i++)
        for (int way = 0; way < 4; way++) {
            weft_ctx *ctx = new_ctx(2, NULL);
            weft_build_params build = WEFT_BUILD_DEFAULTS;
            weft_graph *g = NULL;
            build.direction = way % 2 ? WEFT_UNDIRECTED : WEFT_DIRECTED;
            build.duplicates = WEFT_DUPLICATES_KEEP;
            a.n = a.m = 0;
            shapes[i].make(&a);
            if (way / 2) shuffle(&a);
            if (weft_graph_from_edges(ctx, a.n, a.m, a.from, a.to, NULL, WEFT_WEIGHT_NONE, &build, &g))
                HARNESS_FAIL("%s: %s", shapes[i].name, weft_ctx_message(ctx));
            else
                try(ctx, g, shapes[i].name);
            weft_graph_free(g);
            CHECK_U64(weft_ctx_device_memory_in_use(ctx), 0);
            weft_ctx_free(ctx);
        }
    free(a.from);
    free(a.to);
}

/* A run on the GPU that is asked to stop, at several times, stops or is done; nothing is left of it. */
static inline void stops_on_gpu(const char *algorithm, const weft_graph *g, const void *params) {
    weft_ctx *ctx = new_ctx(2, NULL);
    int stopped = 0;
    weft_ctx_set_device(ctx, WEFT_DEVICE_CUDA);
    for (int polls = 0; polls < 8; polls++) {
        _Atomic int left = polls;
        weft_result *r = NULL;
        weft_ctx_set_cancel(ctx, stop_after, &left);
        weft_status st = wfi_run(ctx, algorithm, g, params, &r);
        stopped += st == WEFT_ECANCELLED;
        CHECK(st == WEFT_ECANCELLED ? !r : st == WEFT_OK && r);
        weft_result_free(r);
    }
    CHECK(stopped > 0);
    weft_ctx_free(ctx);
}

#endif
