/* Slices of the arrays of a distributed graph, and their digest: see share.h.
 * A block of the digest (digest.c) belongs to the rank with its first byte; other ranks send their parts of it there,
 * each less than a block. */
#include "core/comm.h"
#include "core/scan.h"
#include "graph/ranks/share.h"

#include <string.h>

enum { BLOCK = WFI_DIGEST_BLOCK, PART = 64 * BLOCK };

/* Entries first ... end - 1, and the last entry of the array on the rank with the last rows. In a graph without
 * vertices, the last rank has the single entry. */
wfi_slice wfi_share_offsets(const weft_graph *g) {
    static const weft_eid none = 0;
    const struct wfi_share *s = g->share;
    const char *at = (const char *)(g->out.offsets + s->owned.first);
    if (!g->n) return (wfi_slice){(const char *)&none, s->rank == s->ranks - 1 ? sizeof none : 0};
    if (s->owned.first >= s->owned.end) return (wfi_slice){at, 0};
    uint64_t entries = (uint64_t)(s->owned.end - s->owned.first) + (s->owned.end == g->n);
    return (wfi_slice){at, entries * sizeof(weft_eid)};
}

static wfi_slice arcs_of(const weft_graph *g, const void *array, size_t each) {
    const struct wfi_share *s = g->share;
    if (s->owned.first >= s->owned.end) return (wfi_slice){array, 0};
    weft_eid first = g->out.offsets[s->owned.first], end = g->out.offsets[s->owned.end];
    return (wfi_slice){(const char *)array + first * each, (end - first) * each};
}

wfi_slice wfi_share_targets(const weft_graph *g) { return arcs_of(g, g->out.targets, sizeof(weft_vid)); }
wfi_slice wfi_share_weights(const weft_graph *g) {
    return arcs_of(g, g->out.weights, wfi_weight_bytes(g->weight_type));
}

/* --- digest ------------------------------------------------------------------------------------- */

typedef struct digesting {
    weft_ctx *ctx;
    size_t ranks, rank;
    wfi_slice mine;
    uint64_t *start;     /* ranks + 1: begin of each slice in the array */
    uint64_t *go, *come; /* begin of sent and received bytes per rank */
    char *tail;          /* the block that begins in this slice and ends in a later one */
    uint64_t seed;
} digesting;

/* The rank with this byte of the array. */
static size_t rank_at(const digesting *d, uint64_t byte) {
    size_t r = 0;
    while (d->start[r + 1] <= byte) r++;
    return r;
}

/* Bytes before this rank's first block; they belong to a block of an earlier slice. */
static uint64_t head_bytes(const digesting *d) {
    uint64_t begin = d->start[d->rank], rest = begin % BLOCK;
    return rest ? wfi_min_u64(d->mine.bytes, BLOCK - rest) : 0;
}

/* Sends heads to the ranks of their blocks; received heads follow the `kept` bytes in the tail. */
static weft_status send_heads(digesting *d, uint64_t head, uint64_t kept) {
    uint64_t begin = d->start[d->rank];
    size_t to = head ? rank_at(d, begin / BLOCK * BLOCK) : d->ranks;
    for (size_t r = 0; r <= d->ranks; r++) d->go[r] = r > to ? head : 0;
    weft_status st = wfi_receive_starts(d->ctx, d->go, d->come);
    return st ? st : wfi_alltoall(d->ctx, d->mine.at, d->go, d->tail + kept, d->come);
}

static weft_status sum_whole(digesting *d, const char *at, uint64_t bytes, uint64_t block, const char *stage,
                             uint64_t *sum) {
    for (uint64_t done = 0; done < bytes; done += PART) {
        if (wfi_cancelled(d->ctx)) return wfi_fail_cancelled(d->ctx);
        wfi_progress(d->ctx, stage, done, bytes);
        *sum += wfi_digest_blocks(d->ctx, at + done, (size_t)wfi_min_u64(PART, bytes - done), block + done / BLOCK,
                                  d->seed);
    }
    return WEFT_OK;
}

static weft_status sum_blocks(digesting *d, const char *stage, uint64_t *sum) {
    uint64_t head = head_bytes(d), kept = (d->mine.bytes - head) % BLOCK, whole = d->mine.bytes - head - kept;
    uint64_t block = (d->start[d->rank] + head) / BLOCK;
    if (kept) memcpy(d->tail, d->mine.at + head + whole, (size_t)kept);
    weft_status st = send_heads(d, head, kept);
    if (!st) st = wfi_agree(d->ctx, sum_whole(d, d->mine.at + head, whole, block, stage, sum));
    if (!st && kept)
        *sum += wfi_digest_blocks(d->ctx, d->tail, (size_t)(kept + d->come[d->ranks]), block + whole / BLOCK, d->seed);
    return st;
}

weft_status wfi_share_digest(weft_ctx *ctx, const char *stage, wfi_slice mine, uint64_t seed, uint64_t *digest) {
    digesting d = {
        .ctx = ctx, .ranks = (size_t)wfi_ranks(ctx), .rank = (size_t)wfi_rank(ctx), .mine = mine, .seed = seed};
    uint64_t sum = 0;
    weft_status st = wfi_alloc(ctx, &d.start, 3 * (d.ranks + 1));
    if (!st) st = wfi_alloc(ctx, &d.tail, BLOCK);
    st = wfi_agree(ctx, st);
    if (st) goto done;
    d.go = d.start + d.ranks + 1;
    d.come = d.go + d.ranks + 1;
    st = wfi_allgather_u64(ctx, mine.bytes, d.go);
    d.start[0] = 0;
    for (size_t r = 0; r < d.ranks; r++) d.start[r + 1] = d.start[r] + d.go[r];
    if (!st) st = sum_blocks(&d, stage, &sum);
    if (!st) st = wfi_allreduce(ctx, &sum, 1, WFI_SUM);
    *digest = wfi_digest_end(sum, d.start[d.ranks], seed);
done:
    WFI_FREE(d.start, d.tail);
    return st;
}
