/* A guess at the label that occurs most. */
#ifndef WFI_FREQUENT_H
#define WFI_FREQUENT_H

#include "weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The value that occurs most often in a sample of value[0 ... count-1]; with rows, each occurrence of v counts as many
 * times as row v has arcs.  An estimate, the same each time.  count > 0. */
weft_vid wfi_components_frequent(const weft_vid *value, uint64_t count, const weft_eid *rows);

#ifdef __cplusplus
}
#endif
#endif
