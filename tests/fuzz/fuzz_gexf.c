/* Fuzz target: GEXF. */
#define FUZZ_FORMAT "gexf"
#include "fuzz_common.h"
