/* Fuzz target: JSON lines. */
#define FUZZ_FORMAT "jsonl"
#include "fuzz_common.h"
