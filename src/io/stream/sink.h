/* The destination of a writer: a temporary file beside the target, nameless if the system supports it, renamed when all
 * is written; or standard output.  Compresses if the name asks for it.  Errors stick: writers may ignore them until
 * wfi_sink_finish. */
#ifndef WFI_SINK_H
#define WFI_SINK_H

#include "core/core.h"

typedef struct wfi_sink wfi_sink;

weft_status wfi_sink_open(weft_ctx *ctx, const char *path, int level, wfi_sink **out);
/* Writes to an open file from its current position, uncompressed; the file stays open.  The name is for messages. */
weft_status wfi_sink_onto(weft_ctx *ctx, const char *name, int fd, wfi_sink **out);
/* Flushes, renames and frees.  Returns the first error of the sink's life. */
weft_status wfi_sink_finish(weft_ctx *ctx, wfi_sink *sink);
/* Removes the temporary file and frees. */
void wfi_sink_abandon(wfi_sink *sink);

/* For ranks that write one file together: a path by which other processes open it; false if there is none or if the
 * content is compressed.  A nameless file has a path on this machine only, until wfi_sink_name. */
bool wfi_sink_way(const wfi_sink *sink, char *path, size_t room);
bool wfi_sink_nameless(const wfi_sink *sink);
weft_status wfi_sink_name(wfi_sink *sink);
/* Does it replace an existing file? */
bool wfi_sink_replaces(const wfi_sink *sink);

void wfi_sink_bytes(wfi_sink *sink, const void *data, size_t bytes);
/* The same as a callback. */
void wfi_sink_put(void *sink, const char *data, size_t bytes);
void wfi_sink_text(wfi_sink *sink, const char *text);
void wfi_sink_print(wfi_sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));
void wfi_sink_u64(wfi_sink *sink, uint64_t x);
void wfi_sink_i64(wfi_sink *sink, int64_t x);
void wfi_sink_char(wfi_sink *sink, char c);
/* The weight of one arc, by type: the shortest text that reads back as the same value. */
void wfi_sink_weight(wfi_sink *sink, weft_weight_type type, const void *weights, uint64_t at);

/* True after a failure: long loops may stop early. */
bool wfi_sink_failed(const wfi_sink *sink);

#endif
