#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
/* Fuzz target: BV-compressed graphs.  One input is both files: the properties, a line with a NUL, the bits. */
#define FUZZ_FORMAT "webgraph"
#define FUZZ_READ   read_both

#include "io/adjacency/webgraph.h"

#include <string.h>

static weft_status read_both(weft_ctx *ctx, const void *data, size_t bytes, const char *name,
                             const weft_read_params *params, weft_graph **out) {
    const char *mark = memmem(data, bytes, "\n\0\n", 3), *end = (const char *)data + bytes;
    size_t length = mark ? (size_t)(mark - (const char *)data) + 1 : bytes;
    wfi_webgraph_facts facts;
    wfi_source *source;
    const char *text;
    const void *bits = mark ? mark + 3 : end;
    *out = NULL;
    weft_status st = wfi_source_memory(ctx, data, length, name, &source);
    if (st) return st;
    st = wfi_source_whole(ctx, source, &text, &length);
    if (!st) st = wfi_webgraph_facts_read(ctx, source, text, length, &facts);
    if (!st)
        st = wfi_webgraph_build(ctx, name, &facts, &(wfi_content){bits, (size_t)(end - (const char *)bits), NULL},
                                params, out);
    wfi_source_close(source);
    return st;
}

#include "fuzz_common.h"
