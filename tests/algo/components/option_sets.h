/* Option sets of components: see tests/support/variants.h. */
#include "algo/components/components.h"
#include "weft/components.h"

/* As components.c does from 2^19 vertices on. */
static inline weft_status strong_with_core(weft_ctx *ctx, const weft_graph *g, const void *params, weft_result *r) {
    (void)params;
    weft_vid *label = NULL, *stack = NULL;
    weft_eid *cursor = NULL;
    uint8_t *mark = NULL;
    uint64_t count = 0, largest = 0;
    weft_status st =
        wfi_result_column(ctx, r, wfi_new_column("component", WEFT_VERTEX, WEFT_SHAPE_VERTICES, g->n), &label);
    if (!st) st = wfi_alloc(ctx, &stack, g->n);
    if (!st) st = wfi_alloc(ctx, &cursor, g->n);
    if (!st) st = wfi_alloc(ctx, &mark, g->n);
    if (!st) st = wfi_components_strong(ctx, g, label, stack, cursor, mark);
    if (!st) wfi_components_measure(ctx, label, g->n, stack, &count, &largest);
    if (!st) st = wfi_result_scalar_u64(ctx, r, "count", count);
    if (!st) st = wfi_result_scalar_u64(ctx, r, "largest", largest);
    wfi_free(mark);
    wfi_free(cursor);
    wfi_free(stack);
    return st;
}

static inline void components_variants(variants *list, const weft_graph *g) {
    (void)g;
    add_variant(list, "weak", 0);
    ((weft_components_params *)add_variant(list, "strong", 0))->strong = 1;
    ((weft_components_params *)add_variant(list, "strong, core first", NEEDS_DIRECTED | NEEDS_VERTEX))->strong = 1;
    list->at[2].run = strong_with_core;
    same_as(list, 1);
    ((weft_components_params *)add_variant(list, "weak, in order", CPU_ONLY))->order = 1;
    weft_components_params *ordered = add_variant(list, "strong, in order", CPU_ONLY);
    ordered->strong = ordered->order = 1;
}
