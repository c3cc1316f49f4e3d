/* Fuzz target: SciPy .npz. */
#define FUZZ_FORMAT "npz"
#include "fuzz_common.h"
