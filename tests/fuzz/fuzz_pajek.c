/* Fuzz target: Pajek. */
#define FUZZ_FORMAT "pajek"
#include "fuzz_common.h"
