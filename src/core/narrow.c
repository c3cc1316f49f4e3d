/* Numbers of 2 bytes for the public API: see narrow.h. */
#include "core/narrow.h"
#include "core/core.h"

float weft_f16_value(uint16_t bits) { return wfi_f16_value(bits); }
float weft_bf16_value(uint16_t bits) { return wfi_bf16_value(bits); }
uint16_t weft_f16_of(float x) { return wfi_f16_of(x); }
uint16_t weft_bf16_of(float x) { return wfi_bf16_of(x); }
