/* Fuzz target: GAP .wsg. */
#define FUZZ_FORMAT "wsg"
#include "fuzz_common.h"
