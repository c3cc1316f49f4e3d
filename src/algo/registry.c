/* The registry: the table of descriptors.  It has a file of its own so that a program may link a different table
 * (tests/cli/made_up.c). */
#include "algo/registry.h"
#include "run/algorithm.h"

#define DECLARE(name) extern const wfi_algorithm wfi_algorithm_##name;
WFI_ALGORITHMS(DECLARE)

#define LIST(name) &wfi_algorithm_##name,
const wfi_algorithm *const wfi_algorithms[] = {WFI_ALGORITHMS(LIST)};
const size_t wfi_algorithm_total = sizeof wfi_algorithms / sizeof *wfi_algorithms;
