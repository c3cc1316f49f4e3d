/* closeness: of the vertices that reach a vertex, how many they are over the sum of their distances.
 * The methods stand in shared/near. */
#include "algo/nearness.h"

#include <stddef.h>

#define FIELD(name) offsetof(weft_closeness_params, name)
static const weft_param_info params_info[] = {
    {"of", WEFT_PARAM_VERTICES, FIELD(of), "", 0, 0, NULL, WFI_NEARNESS_OF},
    {"direction", WEFT_PARAM_CHOICE, FIELD(direction), "auto", 0, 0, WFI_NEARNESS_DIRECTIONS, WFI_NEARNESS_DIRECTION},
    {"scaled", WEFT_PARAM_BOOL, FIELD(scaled), "yes", 0, 1, NULL,
     "times the part of the other vertices that reach it (Wasserman and Faust)"},
    {"weights", WEFT_PARAM_BOOL, FIELD(weights), "no", 0, 1, NULL, WFI_NEARNESS_WEIGHTS},
    {"estimate", WEFT_PARAM_BOOL, FIELD(estimate), "no", 0, 1, NULL, WFI_NEARNESS_ESTIMATE},
    {"registers", WEFT_PARAM_U64, FIELD(registers), "256", WFI_SKETCH_LEAST, WFI_SKETCH_MOST, NULL,
     WFI_NEARNESS_REGISTERS},
    {"first", WEFT_PARAM_U64, FIELD(first), "0", 0, 4294967295.0, NULL, WFI_NEARNESS_FIRST},
};
static const weft_result_info results[] = {
    {"closeness", WEFT_F64, WEFT_SHAPE_VERTICES, "vertices that reach it, over the sum of their distances"},
    {"vertices", WEFT_U64, WEFT_SHAPE_SCALAR, WFI_NEARNESS_VERTICES},
    {"standard_error", WEFT_F64, WEFT_SHAPE_SCALAR, WFI_NEARNESS_ERROR},
};

WFI_NEARNESS_ALGORITHM(closeness, WEFT_CLOSENESS_DEFAULTS,
                       "closeness: how many vertices reach each one, over how far away they are");
