/* Where a writer's bytes go: a temporary file beside the target, without a name where the system has such files,
 * renamed when all is well; or standard output.  Compresses when the name says so.  Errors stick: writers may ignore
 * them until wfi_sink_finish. */
#ifndef WFI_SINK_H
#define WFI_SINK_H

#include "core/core.h"

typedef struct wfi_sink wfi_sink;

weft_status wfi_sink_open(weft_ctx *ctx, const char *path, int level, wfi_sink **out);
/* To a file that is open, from where it stands, as it is; it stays open.  The name is for messages. */
weft_status wfi_sink_onto(weft_ctx *ctx, const char *name, int fd, wfi_sink **out);
/* Flushes, syncs the name (rename) and frees.  The first error of the sink's life is returned. */
weft_status wfi_sink_finish(weft_ctx *ctx, wfi_sink *sink);
/* Throws the temporary away and frees. */
void wfi_sink_abandon(wfi_sink *sink);

/* For ranks that write one file together: a path by which other processes open it, false if there is none or what is in
 * it is packed.  A nameless one has a path on this machine only, until wfi_sink_name. */
bool wfi_sink_way(const wfi_sink *sink, char *path, size_t room);
bool wfi_sink_nameless(const wfi_sink *sink);
weft_status wfi_sink_name(wfi_sink *sink);
/* Whether it takes the place of a file. */
bool wfi_sink_replaces(const wfi_sink *sink);

void wfi_sink_bytes(wfi_sink *sink, const void *data, size_t bytes);
/* The same, for what writes anywhere. */
void wfi_sink_put(void *sink, const char *data, size_t bytes);
void wfi_sink_text(wfi_sink *sink, const char *text);
void wfi_sink_print(wfi_sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));
void wfi_sink_u64(wfi_sink *sink, uint64_t x);
void wfi_sink_i64(wfi_sink *sink, int64_t x);
void wfi_sink_char(wfi_sink *sink, char c);
/* One arc's weight, by type: the shortest text that reads back as the same. */
void wfi_sink_weight(wfi_sink *sink, weft_weight_type type, const void *weights, uint64_t at);

/* True once something failed: long loops may stop early. */
bool wfi_sink_failed(const wfi_sink *sink);

#endif
