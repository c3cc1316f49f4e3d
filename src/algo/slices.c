/* A file that ranks share, looked at before a run: it must be the same for all of them, which a file of a name may not
 * be on other machines; and rows must lead to vertices, which nobody has looked at if the file is large.  Each rank
 * looks at those of its part. */
#include "algo/algo.h"
#include "io/weft/binary.h"
#include "ranks/spread.h"

weft_status wfi_slices_same(weft_ctx *ctx, const weft_graph *g) {
    uint64_t digest = wfi_weft_digest(g), least = digest, most = digest;
    weft_status st = wfi_allreduce(ctx, &least, 1, WFI_MIN);
    if (!st) st = wfi_allreduce(ctx, &most, 1, WFI_MAX);
    if (st || least == most) return st;
    return wfi_fail(ctx, WEFT_EINPUT, "ranks have opened different graphs: the file is not the same on all machines");
}

weft_status wfi_slices_sound(weft_ctx *ctx, const wfi_spread *s) {
    weft_status st = WEFT_OK;
    for (size_t b = 0; b < s->blocks && !st; b++)
        st = wfi_weft_verify_rows(ctx, s->g, s->part[b].first, s->part[b].end);
    return wfi_agree(ctx, st);
}
