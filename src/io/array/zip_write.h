/* A zip archive on its way into a sink: members one after the other, stored or deflated, zip64 where sizes ask for
 * it. */
#ifndef WFI_ZIP_WRITE_H
#define WFI_ZIP_WRITE_H

#include "io/stream/sink.h"

enum { WFI_ZIP_MEMBERS = 8 };

typedef struct wfi_zip_out wfi_zip_out;

/* Gives all bytes of a member, by wfi_zip_put; called once more when its CRC-32 must be known before. */
typedef weft_status (*wfi_zip_produce)(void *user, wfi_zip_out *zip);

/* level 0: members are stored; 1 ... 9: deflated. */
weft_status wfi_zip_out_open(weft_ctx *ctx, wfi_sink *sink, int level, wfi_zip_out **out);
/* `name` must stay until the archive is closed; `bytes` is the size of the member. */
weft_status wfi_zip_add(wfi_zip_out *zip, const char *name, uint64_t bytes, wfi_zip_produce produce, void *user);
void wfi_zip_put(wfi_zip_out *zip, const void *data, size_t bytes);
/* Writes the directory. */
void wfi_zip_out_finish(wfi_zip_out *zip);
void wfi_zip_out_free(wfi_zip_out *zip);

#endif
