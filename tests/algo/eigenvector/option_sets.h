/* Option sets of eigenvector: see tests/support/variants.h. */
#include "weft/eigenvector.h"

static inline void eigenvector_variants(variants *list, const weft_graph *g) {
    (void)g;
    ((weft_eigenvector_params *)add_variant(list, "100 iterations", 0))->max_iterations = 100; /* of 1000 */
    ((weft_eigenvector_params *)add_variant(list, "5 iterations", 0))->max_iterations = 5;
    weft_eigenvector_params *heavy = add_variant(list, "weights", NEEDS_WEIGHTS);
    heavy->weights = 1;
    heavy->max_iterations = 100;
    weft_eigenvector_params *p = add_variant(list, "weights, a wide tolerance", NEEDS_WEIGHTS);
    p->weights = 1;
    p->tolerance = 0.01;
    for (size_t i = 0; i < list->count && list->brief; i++)
        ((weft_eigenvector_params *)(void *)list->at[i].params)->tolerance = 2; /* one iteration, without a warning */
}
