/* Fuzz target: dense 0/1 text. */
#define FUZZ_FORMAT "dense"
#include "fuzz_common.h"
