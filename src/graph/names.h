/* Distinct strings, numbered in order of first sight.  One table per parsing thread; merged by wfi_graph_build. */
#ifndef WFI_NAMES_H
#define WFI_NAMES_H

#include "core/core.h"

typedef struct wfi_names {
    char *text;       /* all names, one after the other */
    size_t text_used, text_room;
    uint64_t *start;  /* count + 1 */
    size_t count, room;
    uint32_t *slot;   /* open addressing: number + 1, 0 = empty */
    uint64_t *hash;   /* per name */
    size_t slots;     /* a power of two */
} wfi_names;

wfi_names *wfi_names_new(weft_ctx *ctx);
void wfi_names_free(wfi_names *names);

/* The number of this name, new or known.  WEFT_ENOMEM when it cannot grow. */
weft_status wfi_names_number(weft_ctx *ctx, wfi_names *names, const char *text, size_t length, uint32_t *number);

/* Forgets all but the first `count` names. */
void wfi_names_cut(wfi_names *names, size_t count);

#endif
