/* Fuzz target: JSON documents. */
#define FUZZ_FORMAT "json"
#include "fuzz_common.h"
