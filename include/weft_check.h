/* The verifiers, and all of weft.h.  EXPERIMENTAL: what weft/check.h declares may change with any release
 * (docs/ABI.md). */
#ifndef WEFT_CHECK_H
#define WEFT_CHECK_H

#include "weft.h"
#include "weft/check.h"

#endif
