/* Fuzz target: GraphML. */
#define FUZZ_FORMAT "graphml"
#include "fuzz_common.h"
