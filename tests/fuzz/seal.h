/* The digests of a changed .weft file, put right: what is behind them is reached. */
#ifndef WEFT_FUZZ_SEAL_H
#define WEFT_FUZZ_SEAL_H

#include "core/scan.h"
#include "io/weft/binary.h"

/* The file has a whole first page. */
static inline void seal(weft_ctx *ctx, char *file, size_t bytes) {
    wfi_weft_page page;
    memcpy(&page, file, sizeof page);
    for (uint32_t i = 0; i < page.header.sections && i < WFI_WEFT_KINDS - 1; i++) {
        wfi_weft_section *s = &page.section[i];
        if (s->offset > bytes || s->bytes > bytes - s->offset) continue;
        s->digest = wfi_digest(ctx, file + s->offset, (size_t)s->bytes, s->kind);
    }
    page.header.digest = wfi_weft_page_digest(ctx, &page);
    memcpy(file, &page, sizeof page);
}

#endif
