/* Measures, GPU. */
#include "ops/measure.h"

WFI_STEPS(wfi_measure, MEASURE_STEPS)
