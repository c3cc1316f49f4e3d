/* The kernels of device_tell.c. */
#ifndef WFI_RANK_DEVICE_SAID_H
#define WFI_RANK_DEVICE_SAID_H

#include "core/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* place[r] grows by how many of `say` rank r has. */
weft_status wfi_said_count(weft_ctx *ctx, const weft_vid *say, uint64_t said, const weft_vid *cut, int ranks,
                           uint64_t *place);
/* `sorted` by ranks: place[r] is where the next of rank r goes.  words: of an item, 2 or 3. */
weft_status wfi_said_sort(weft_ctx *ctx, const weft_vid *say, uint64_t said, const weft_vid *cut, int ranks,
                          uint64_t *place, unsigned words, void *of, uint64_t rest, bool keep, uint32_t *sorted);

#ifdef __cplusplus
}
#endif
#endif
