/* Fuzz target: any format, found by content, compressed or not. */
#define FUZZ_FORMAT NULL
#include "fuzz_common.h"
