/* Fuzz target: GML. */
#define FUZZ_FORMAT "gml"
#include "fuzz_common.h"
