/* Fuzz target: the .weft binary. */
#define FUZZ_FORMAT "weft"
#include "fuzz_common.h"
