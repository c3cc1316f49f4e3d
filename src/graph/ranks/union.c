/* Union of the ids of all ranks: bitmaps and sorted lists.
 *
 * Method: reduce-scatter and allgather. Each rank unites one share of the values over all ranks, then all ranks
 * gather the shares: every rank sends and receives about twice the size of the result, for any number of ranks.
 * Shares of a bitmap are ranges of words; shares of lists lie between splitters from samples of all lists, as in
 * sample sort, so that they have about the same length for any distribution. */
#include "core/comm.h"
#include "core/scan.h"
#include "core/search.h"
#include "graph/build.h"

#include <string.h>

enum { SAMPLES = 64 /* per rank */ };

weft_status wfi_union_bits(weft_ctx *ctx, uint64_t *bits, size_t words) {
    size_t ranks = (size_t)wfi_ranks(ctx), rank = (size_t)wfi_rank(ctx);
    uint64_t *go = NULL, *fresh = NULL;
    size_t first = words * rank / ranks, mine = words * (rank + 1) / ranks - first;
    weft_status st = wfi_alloc(ctx, &go, 2 * (ranks + 1));
    if (!st) st = wfi_alloc(ctx, &fresh, ranks * mine);
    st = wfi_agree(ctx, st);
    for (size_t r = 0; !st && r <= ranks; r++) {
        go[r] = words * r / ranks * sizeof *bits;
        go[ranks + 1 + r] = r * mine * sizeof *bits;
    }
    if (!st) st = wfi_alltoall(ctx, bits, go, fresh, go + ranks + 1);
    for (size_t r = 0; !st && r < ranks; r++)
        for (size_t w = 0; w < mine; w++) bits[first + w] |= fresh[r * mine + w];
    if (!st) st = wfi_allgather(ctx, bits, go);
    WFI_FREE(go, fresh);
    return st;
}

/* --- sorted lists --------------------------------------------------------------------------- */

typedef struct union_state {
    weft_ctx *ctx;
    size_t ranks;
    uint64_t *go, *come, *bytes_go, *bytes_come; /* ranks + 1 each */
    uint64_t *samples;                           /* SAMPLES per rank, then splitters */
} union_state;

static weft_status union_open(union_state *u) {
    weft_status st = wfi_alloc(u->ctx, &u->go, 4 * (u->ranks + 1));
    if (!st) st = wfi_alloc(u->ctx, &u->samples, u->ranks * SAMPLES);
    if (st) return st;
    u->come = u->go + u->ranks + 1;
    u->bytes_go = u->come + u->ranks + 1;
    u->bytes_come = u->bytes_go + u->ranks + 1;
    return WEFT_OK;
}

/* Sets go[r] to the begin of rank r's share. Ranks without values contribute no splitters. */
static weft_status share_out(union_state *u, const uint64_t *sorted, size_t count) {
    weft_ctx *ctx = u->ctx;
    for (size_t r = 0; r <= u->ranks; r++) u->bytes_go[r] = r * SAMPLES * sizeof *u->samples;
    for (size_t i = 0; i < SAMPLES; i++)
        u->samples[(size_t)wfi_rank(ctx) * SAMPLES + i] = count ? sorted[count * i / SAMPLES] : UINT64_MAX;
    weft_status st = wfi_allgather(ctx, u->samples, u->bytes_go);
    if (!st) st = wfi_agree(ctx, wfi_sort_u64(ctx, u->samples, u->ranks * SAMPLES));
    if (st) return st;
    size_t known = wfi_lower_bound_u64(u->samples, 0, u->ranks * SAMPLES, UINT64_MAX);
    u->go[0] = 0;
    for (size_t r = 1; r < u->ranks; r++)
        u->go[r] = known ? wfi_lower_bound_u64(sorted, 0, count, u->samples[known * r / u->ranks]) : 0;
    u->go[u->ranks] = count;
    return wfi_receive_starts(ctx, u->go, u->come);
}

/* Unites this rank's share over all ranks. */
static weft_status unite_share(union_state *u, const uint64_t *sorted, uint64_t **share, size_t *count) {
    weft_ctx *ctx = u->ctx;
    *count = (size_t)u->come[u->ranks];
    weft_status st = wfi_agree(ctx, wfi_alloc(ctx, share, *count));
    for (size_t r = 0; !st && r <= u->ranks; r++) {
        u->bytes_go[r] = u->go[r] * sizeof *sorted;
        u->bytes_come[r] = u->come[r] * sizeof *sorted;
    }
    if (!st) st = wfi_alltoall(ctx, sorted, u->bytes_go, *share, u->bytes_come);
    if (!st) st = wfi_agree(ctx, wfi_sort_u64(ctx, *share, *count));
    if (!st) *count = wfi_unique_u64(*share, *count);
    return st;
}

weft_status wfi_union_sorted(weft_ctx *ctx, uint64_t **sorted, size_t *count) {
    union_state u = {.ctx = ctx, .ranks = (size_t)wfi_ranks(ctx)};
    uint64_t *share = NULL, *all = NULL;
    size_t shared = 0;
    weft_status st = wfi_agree(ctx, union_open(&u));
    if (!st) st = share_out(&u, *sorted, *count);
    if (!st) st = unite_share(&u, *sorted, &share, &shared);
    if (!st) st = wfi_allgather_u64(ctx, shared, u.come);
    if (st) goto done;
    u.go[0] = 0;
    for (size_t r = 0; r < u.ranks; r++) u.go[r + 1] = u.go[r] + u.come[r];
    st = wfi_agree(ctx, wfi_alloc(ctx, &all, (size_t)u.go[u.ranks]));
    if (st) goto done;
    if (shared) memcpy(all + u.go[wfi_rank(ctx)], share, shared * sizeof *all);
    for (size_t r = 0; r <= u.ranks; r++) u.bytes_go[r] = u.go[r] * sizeof *all;
    st = wfi_allgather(ctx, all, u.bytes_go);
    if (st) goto done;
    wfi_free(*sorted);
    *sorted = all;
    *count = (size_t)u.go[u.ranks];
    all = NULL;
done:
    WFI_FREE(all, share, u.go, u.samples);
    return st;
}
