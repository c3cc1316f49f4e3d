/* Fuzz target: graph6, sparse6, digraph6. */
#define FUZZ_FORMAT "graph6"
#include "fuzz_common.h"
