#include "io/io.h"
const wfi_format wfi_format_npz = {.info = {"npz", "SciPy", "npz", 1, 0}};
