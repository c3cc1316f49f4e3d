/* Every algorithm of the registry with the option sets worth testing: what the tests that go through all of them share
 * (test_matrix, test_plan_memory, test_run_failures, test_cancel).
 *
 * tests/algo/<x>/option_sets.h has <x>_variants, which adds the option sets of an algorithm: its defaults, or what must
 * be given, and the options worth a run of their own.
 * Tests see src/, so a method that only large graphs take can be forced: such a variant has a run function. */
#ifndef WEFT_TESTS_VARIANTS_H
#define WEFT_TESTS_VARIANTS_H

#include "difference.h"
#include "support.h"

#include "run/algorithm.h"
#include "weft/check.h"

enum {
    NEEDS_WEIGHTS = 1,
    NEEDS_DIRECTED = 2,
    NEEDS_VERTEX = 4,
    CPU_ONLY = 8,      /* the GPU refuses it by name */
    SLOW_VERIFIER = 16 /* takes a second where a graph has many vertices */
};
enum { MOST_VARIANTS = 16, PARAMS_ROOM = 256 };

typedef struct variant {
    const char *name;
    unsigned needs;
    int twin; /* the earlier variant that must give the same bytes; -1 = none */
    weft_status (*run)(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *r); /* NULL: as planned */
    _Alignas(16) char params[PARAMS_ROOM];
} variant;

typedef struct variants {
    const weft_algorithm_info *algorithm;
    bool brief; /* few iterations will do */
    size_t count;
    variant at[MOST_VARIANTS];
    void *input; /* what parameters point to */
} variants;

/* The next variant, with the defaults in its params. */
static inline void *add_variant(variants *list, const char *name, unsigned needs) {
    if (list->count == MOST_VARIANTS || list->algorithm->params_size > PARAMS_ROOM) {
        fprintf(stderr, "%s: no room for another variant\n", list->algorithm->name);
        exit(1);
    }
    variant *v = &list->at[list->count++];
    *v = (variant){.name = name, .needs = needs, .twin = -1};
    memcpy(v->params, list->algorithm->params_standard, list->algorithm->params_size);
    return v->params;
}

/* The variant added last is another way to the bytes of an earlier one. */
static inline void same_as(variants *list, int twin) { list->at[list->count - 1].twin = twin; }

/* The table of <x>_variants of each tests/algo/<x>/option_sets.h; its last entry is empty (option_sets.c). */
typedef struct option_set {
    const char *algorithm;
    void (*fill)(variants *list, const weft_graph *g);
} option_set;
extern const option_set option_sets[];

/* The variants of the algorithm for this graph, those that need what it lacks included (variant_fits). */
static inline variants variants_of(const weft_algorithm_info *algorithm, const weft_graph *g, bool brief) {
    variants list = {.algorithm = algorithm, .brief = brief};
    for (const option_set *set = option_sets; set->algorithm; set++)
        if (!strcmp(set->algorithm, algorithm->name)) set->fill(&list, g);
    if (!list.count) {
        fprintf(stderr, "%s has no option set: tests/algo/%s/option_sets.h\n", algorithm->name, algorithm->name);
        exit(1);
    }
    return list;
}

static inline void variants_free(variants *list) { free(list->input); }

static inline bool variant_fits(const variant *v, const weft_graph *g) {
    if (v->needs & NEEDS_WEIGHTS && weft_graph_weight_type(g) == WEFT_WEIGHT_NONE) return false;
    if (v->needs & NEEDS_DIRECTED && !weft_graph_directed(g)) return false;
    return !(v->needs & NEEDS_VERTEX) || weft_graph_vertices(g) > 0;
}

static inline const wfi_algorithm *descriptor_of(const weft_algorithm_info *a) { return (const wfi_algorithm *)a; }

/* Some algorithms take directed graphs only. */
static inline bool refused_as_undirected(const weft_algorithm_info *a, const weft_graph *g, weft_status st) {
    return st == WEFT_EINVAL && !weft_graph_directed(g) && descriptor_of(a)->directed_only;
}

/* Some variants run on the CPU only. */
static inline bool refused_by_gpu(const weft_algorithm_info *a, const variant *v, const weft_graph *g, weft_status st) {
    const wfi_algorithm *d = descriptor_of(a);
    return v->needs & CPU_ONLY && st == WEFT_EDEVICE && d->serves_cuda && d->serves_cuda(g, v->params);
}

/* --- runs and results -------------------------------------------------------------- */

static inline weft_status run_variant(weft_ctx *ctx, const weft_algorithm_info *a, const variant *v,
                                      const weft_graph *g, weft_result **out) {
    if (!v->run) return wfi_run(ctx, a->name, g, v->params, out);
    *out = NULL;
    weft_result *r = wfi_result_new(ctx, NULL);
    if (!r) return WEFT_ENOMEM;
    weft_status st = v->run(ctx, g, v->params, r);
    if (st)
        weft_result_free(r);
    else
        *out = r;
    return st;
}

static inline void forget_transpose(weft_graph *g) {
    if (!g->directed || !g->in.offsets) return;
    wfi_free(g->in.offsets);
    wfi_free(g->in.targets);
    wfi_free(g->in.weights);
    g->in = (wfi_view){0};
}

#endif
