/* Fuzz target: Ligra AdjacencyGraph. */
#define FUZZ_FORMAT "ligra"
#include "fuzz_common.h"
