/* Fuzz target: METIS and Chaco graphs. */
#define FUZZ_FORMAT "metis"
#include "fuzz_common.h"
