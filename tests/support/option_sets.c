/* The option sets of all algorithms, compiled once for the tests that go through the registry (variants.h).  The list of
 * files and the table are generated (cmake/WeftLists.cmake). */
#include "variants.h"

#include "all_option_sets.h"
