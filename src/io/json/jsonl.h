/* JSON lines: whether a text is that, which the sniffer of whole JSON documents has to know too. */
#ifndef WFI_JSONL_H
#define WFI_JSONL_H

#include "io/stream/sink.h"
#include "io/table/table.h"

/* Does the text begin with objects, each on a line of its own, and at least two of them? */
bool wfi_is_json_lines(const char *head, size_t bytes);

weft_status wfi_write_jsonl(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params);

#endif
