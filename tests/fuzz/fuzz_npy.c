/* Fuzz target: NumPy .npy. */
#define FUZZ_FORMAT "npy"
#include "fuzz_common.h"
