/* Can a rung afford this input?  What serves() says when not: the bytes it would take, or the time of one run. */
#ifndef WEFT_LAB_AFFORD_H
#define WEFT_LAB_AFFORD_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL = it can; else the reason, in r->why. */
const char *lab_too_large(lab_run *r, double bytes);
/* The same for the GPU's memory. */
const char *lab_too_large_for_gpu(lab_run *r, double bytes);
const char *lab_too_slow(lab_run *r, double seconds);
/* The same, with a reason before it. */
const char *lab_too_slow_for(lab_run *r, double seconds, const char *reason);

#ifdef __cplusplus
}
#endif
#endif
