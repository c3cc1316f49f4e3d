/* Fuzz target: SIF. */
#define FUZZ_FORMAT "sif"
#include "fuzz_common.h"
