/* Fuzz target: CSR text. */
#define FUZZ_FORMAT "csr"
#include "fuzz_common.h"
