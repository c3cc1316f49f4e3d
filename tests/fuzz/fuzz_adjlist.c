/* Fuzz target: adjacency lists. */
#define FUZZ_FORMAT "adjlist"
#include "fuzz_common.h"
