/* Fuzz target: DIMACS .gr. */
#define FUZZ_FORMAT "dimacs"
#include "fuzz_common.h"
