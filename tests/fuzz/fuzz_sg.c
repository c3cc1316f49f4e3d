/* Fuzz target: GAP .sg. */
#define FUZZ_FORMAT "sg"
#include "fuzz_common.h"
