/* harmonic: the sum of 1 / distance over the vertices that reach a vertex.
 * The methods stand in shared/near. */
#include "algo/nearness.h"

#include <stddef.h>

#define FIELD(name) offsetof(weft_harmonic_params, name)
static const weft_param_info params_info[] = {
    {"of", WEFT_PARAM_VERTICES, FIELD(of), "", 0, 0, NULL, WFI_NEARNESS_OF},
    {"sources", WEFT_PARAM_VERTICES, FIELD(sources), "", 0, 0, NULL,
     "only distances from these count (`out`: to these)"},
    {"direction", WEFT_PARAM_CHOICE, FIELD(direction), "auto", 0, 0, WFI_NEARNESS_DIRECTIONS, WFI_NEARNESS_DIRECTION},
    {"normalized", WEFT_PARAM_BOOL, FIELD(normalized), "no", 0, 1, NULL, "divide by the number of other vertices"},
    {"weights", WEFT_PARAM_BOOL, FIELD(weights), "no", 0, 1, NULL, WFI_NEARNESS_WEIGHTS},
    {"estimate", WEFT_PARAM_BOOL, FIELD(estimate), "no", 0, 1, NULL, WFI_NEARNESS_ESTIMATE},
    {"registers", WEFT_PARAM_U64, FIELD(registers), "256", WFI_SKETCH_LEAST, WFI_SKETCH_MOST, NULL,
     WFI_NEARNESS_REGISTERS},
    {"first", WEFT_PARAM_U64, FIELD(first), "0", 0, 4294967295.0, NULL, WFI_NEARNESS_FIRST},
};
static const weft_result_info results[] = {
    {"harmonic", WEFT_F64, WEFT_SHAPE_VERTICES, "the sum of reciprocal distances"},
    {"vertices", WEFT_U64, WEFT_SHAPE_SCALAR, WFI_NEARNESS_VERTICES},
    {"standard_error", WEFT_F64, WEFT_SHAPE_SCALAR, WFI_NEARNESS_ERROR},
};

WFI_NEARNESS_ALGORITHM(harmonic, WEFT_HARMONIC_DEFAULTS,
                       "harmonic: the sum of reciprocal distances to each vertex, or from it");
