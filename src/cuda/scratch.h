/* Bounds of the temporary storage that CUB's device-wide functions take, for `count` items: declared as arrays of a
 * workspace (wfi_array_within), and handed to CUB, which refuses what is too small.  From how CUB works [1]: its scans
 * leave a record of 16 bytes for each tile of a block's items, its radix sort 256 counters of 4 bytes for each, and
 * tiles have some thousand items.
 * [1] Merrill, Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016; Adinets, Merrill,
 *     "Onesweep", 2022. */
#ifndef WFI_CUDA_SCRATCH_H
#define WFI_CUDA_SCRATCH_H

#include <stdint.h>

enum { WFI_SCRATCH_LEAST = 1 << 16 };

/* ExclusiveSum, and DeviceSelect. */
static inline uint64_t wfi_scan_scratch(uint64_t count) { return count / 16 + WFI_SCRATCH_LEAST; }
/* SortPairs and SortKeys with a DoubleBuffer; without one CUB takes a second array of keys, and of values, as well. */
static inline uint64_t wfi_sort_scratch(uint64_t count) { return count / 4 + WFI_SCRATCH_LEAST; }

#endif
