/* Fuzz target: Arrow IPC, files and streams. */
#define FUZZ_FORMAT "arrow"
#include "fuzz_typed.h"
