/* Fuzz target: edge lists. */
#define FUZZ_FORMAT "edgelist"
#include "fuzz_common.h"
