/* Fuzz target: LDBC, by its .e file alone. */
#define FUZZ_FORMAT "ldbc"
#include "fuzz_common.h"
