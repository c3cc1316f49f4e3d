/* See together.h. */
#include "core/together.h"
#include "core/guest.h"

#include <stdio.h>
#include <string.h>

enum { SAID = 512 /* bytes of a message that are kept */ };

static const wfi_seat *seat_of(const weft_ctx *ctx) { return wfi_ctx_seat((weft_ctx *)(uintptr_t)ctx); }
static const wfi_together *calls_of(const weft_ctx *ctx) { return seat_of(ctx)->comm ? seat_of(ctx)->calls : NULL; }

bool wfi_has_ranks(const weft_ctx *ctx) { return calls_of(ctx) != NULL; }
int wfi_rank(const weft_ctx *ctx) { return calls_of(ctx) ? seat_of(ctx)->rank : 0; }
int wfi_ranks(const weft_ctx *ctx) { return calls_of(ctx) ? seat_of(ctx)->ranks : 1; }

weft_status wfi_all_sum(weft_ctx *ctx, uint64_t *values, size_t count) {
    return calls_of(ctx) ? calls_of(ctx)->sum(ctx, values, count) : WEFT_OK;
}

weft_status wfi_all_least(weft_ctx *ctx, uint64_t *values, size_t count) {
    return calls_of(ctx) ? calls_of(ctx)->least(ctx, values, count) : WEFT_OK;
}

weft_status wfi_all_most(weft_ctx *ctx, uint64_t *values, size_t count) {
    return calls_of(ctx) ? calls_of(ctx)->most(ctx, values, count) : WEFT_OK;
}

weft_status wfi_all_gather(weft_ctx *ctx, void *all, const uint64_t *start) {
    return calls_of(ctx) ? calls_of(ctx)->gather(ctx, all, start) : WEFT_OK;
}

/* Numbers are few, and summed up: each rank adds its own to zeros.  So nothing has to be allocated, which might
 * fail. */
weft_status wfi_all_gather_u64(weft_ctx *ctx, uint64_t mine, uint64_t *all) {
    memset(all, 0, (size_t)wfi_ranks(ctx) * sizeof *all);
    all[wfi_rank(ctx)] = mine;
    return wfi_all_sum(ctx, all, (size_t)wfi_ranks(ctx));
}

weft_status wfi_all_exchange(weft_ctx *ctx, const void *send, const uint64_t *send_start, void *receive,
                             const uint64_t *receive_start) {
    if (calls_of(ctx)) return calls_of(ctx)->exchange(ctx, send, send_start, receive, receive_start);
    if (send_start[1] > send_start[0])
        memcpy((char *)receive + receive_start[0], (const char *)send + send_start[0],
               (size_t)(send_start[1] - send_start[0]));
    return WEFT_OK;
}

weft_status wfi_all_starts(weft_ctx *ctx, const uint64_t *send_start, uint64_t *receive_start) {
    if (calls_of(ctx)) return calls_of(ctx)->starts(ctx, send_start, receive_start);
    receive_start[0] = 0;
    receive_start[1] = send_start[1] - send_start[0];
    return WEFT_OK;
}

weft_status wfi_all_agree(weft_ctx *ctx, weft_status mine) {
    return calls_of(ctx) ? calls_of(ctx)->agree(ctx, mine) : mine;
}

weft_status wfi_all_agree_input(weft_ctx *ctx, weft_status mine) {
    weft_status st = wfi_all_agree(ctx, mine);
    const char *said = weft_ctx_message(ctx);
    int rank, length = 0;
    bool input = st == WEFT_EINPUT || st == WEFT_EINVAL || st == WEFT_EUNSUPPORTED;
    if (!input || sscanf(said, "rank %d: %n", &rank, &length) != 1 || !length) return st;
    char text[SAID];
    snprintf(text, sizeof text, "%s", said + length);
    return wfi_fail(ctx, st, "%s", text);
}
