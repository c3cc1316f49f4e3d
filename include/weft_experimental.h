/* The experimental functions, and all of weft.h.  What weft/experimental.h declares may change or disappear with any
 * release (docs/ABI.md). */
#ifndef WEFT_EXPERIMENTAL_H
#define WEFT_EXPERIMENTAL_H

#include "weft.h"
#include "weft/experimental.h"

#endif
