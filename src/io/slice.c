/* A file that ranks share: each reads a part of it, so it must be plain, and the same for all. */
#include "core/scan.h"
#include "core/together.h"
#include "io/source.h"

weft_status wfi_source_slice(weft_ctx *ctx, wfi_source *source) {
    const char *name = wfi_source_name(source), *why = wfi_source_uncuttable(source);
    size_t bytes;
    const char *head = wfi_source_head(source, &bytes);
    weft_status st = WEFT_OK;
    if (why)
        st = wfi_fail(ctx, WEFT_EINVAL, "%s: ranks read parts of a plain file, and this is %s; convert it first", name,
                      why);
    st = wfi_all_agree_input(ctx, st);
    if (st) return st;
    uint64_t most[] = {wfi_source_plain_bytes(source), wfi_digest(ctx, head, bytes, 0)}, least[] = {most[0], most[1]};
    st = wfi_all_least(ctx, least, 2);
    if (!st) st = wfi_all_most(ctx, most, 2);
    if (st) return st;
    if (least[0] != most[0] || least[1] != most[1])
        return wfi_fail(ctx, WEFT_EINPUT, "%s: ranks have opened different files: it is not the same on all machines",
                        name);
    wfi_source_set_sliced(source);
    return WEFT_OK;
}
