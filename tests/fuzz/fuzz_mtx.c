/* Fuzz target: Matrix Market. */
#define FUZZ_FORMAT "mtx"
#include "fuzz_common.h"
