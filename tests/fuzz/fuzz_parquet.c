/* Fuzz target: Parquet. */
#define FUZZ_FORMAT "parquet"
#include "fuzz_typed.h"
