/* A file that ranks share.  Each rank opens its own file by name, on its machine, so the files are compared before they
 * are read: parts of different files would make a graph that is in neither.
 * Text has no digest of its own: the first 64 KiB and SAMPLES blocks are compared, one block at a hashed position in
 * each of SAMPLES equal parts of the file; the size decides the positions, so that they are the same on all ranks.  A
 * change that spans two of these parts is always found, a shorter change with some probability.  On request every byte
 * is compared, in any format. */
#include "core/comm.h"
#include "core/scan.h"
#include "io/stream/source.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLES = 64, SAMPLE = 4096, PIECE = 8 * WFI_DIGEST_BLOCK };

/* The head is in memory already. */
static weft_status digest_sample(weft_ctx *ctx, const wfi_source *s, char *room, uint64_t *digest) {
    uint64_t part = wfi_source_plain_bytes(s) / SAMPLES, seed = wfi_mix(wfi_source_plain_bytes(s));
    size_t length;
    const char *head = wfi_source_head(s, &length);
    weft_status st = WEFT_OK;
    *digest = wfi_digest(ctx, head, length, 0);
    for (uint64_t i = 0; i < SAMPLES && !st; i++) {
        uint64_t place = part * i + wfi_mix(seed + i) % (part - SAMPLE + 1);
        st = wfi_source_pread(ctx, s, place, room, SAMPLE);
        if (!st) *digest = wfi_digest(ctx, room, SAMPLE, *digest);
    }
    return st;
}

static weft_status digest_all(weft_ctx *ctx, const wfi_source *s, char *room, uint64_t *digest) {
    uint64_t bytes = wfi_source_plain_bytes(s), sum = 0;
    for (uint64_t at = 0; at < bytes; at += PIECE) {
        size_t length = (size_t)wfi_min_u64(bytes - at, PIECE);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        wfi_progress(ctx, "comparing", at, bytes);
        weft_status st = wfi_source_pread(ctx, s, at, room, length);
        if (st) return st;
        sum += wfi_digest_blocks(ctx, room, length, at / WFI_DIGEST_BLOCK, 0);
    }
    *digest = wfi_digest_end(sum, bytes, 0);
    return WEFT_OK;
}

/* Compressed files and pipes have no plain bytes: their reader refuses them. */
static weft_status digest_file(weft_ctx *ctx, const wfi_source *s, bool all, uint64_t *digest) {
    char *room;
    uint64_t bytes = wfi_source_plain_bytes(s);
    all = all || bytes <= SAMPLES * SAMPLE;
    weft_status st = wfi_alloc(ctx, &room, all ? (size_t)wfi_min_u64(bytes, PIECE) : SAMPLE);
    if (!st) st = all ? digest_all(ctx, s, room, digest) : digest_sample(ctx, s, room, digest);
    wfi_free(room);
    return st;
}

weft_status wfi_files_same(weft_ctx *ctx, const char *name, const wfi_file_facts *mine) {
    enum { FORMAT, SIZE, BYTES, FACTS };
    static const char *const what[FACTS] = {"another format", "another size", "other bytes"};
    const uint64_t fact[FACTS] = {mine->format, mine->bytes, mine->digest};
    uint64_t expected[FACTS] = {0}, differ[FACTS], first[FACTS];
    if (!wfi_rank(ctx)) memcpy(expected, fact, sizeof expected);
    weft_status st = wfi_allreduce(ctx, expected, FACTS, WFI_SUM);
    for (size_t f = 0; f < FACTS; f++) {
        differ[f] = fact[f] != expected[f];
        first[f] = differ[f] ? (uint64_t)wfi_rank(ctx) : UINT64_MAX;
    }
    if (!st) st = wfi_allreduce(ctx, differ, FACTS, WFI_SUM);
    if (!st) st = wfi_allreduce(ctx, first, FACTS, WFI_MIN);
    for (size_t f = 0; f < FACTS && !st; f++) {
        if (!differ[f]) continue;
        char more[64] = "";
        if (differ[f] > 1)
            snprintf(more, sizeof more, ", and so %s %llu more", differ[f] > 2 ? "have" : "has",
                     (wfi_ull)differ[f] - 1);
        return wfi_fail(ctx, WEFT_EINPUT,
                        "%s: ranks have opened different files: rank %llu has %s than rank 0%s; all machines need the "
                        "same file",
                        name, (wfi_ull)first[f], what[f], more);
    }
    return st;
}

weft_status wfi_source_compare(weft_ctx *ctx, const wfi_source *s, const char *format, wfi_comparison how) {
    wfi_file_facts mine = {.format = wfi_digest(ctx, format, strlen(format), 0)};
    if (how != WFI_COMPARE_FORMAT) mine.bytes = wfi_source_plain_bytes(s);
    weft_status st = how == WFI_COMPARE_FORMAT ? WEFT_OK : digest_file(ctx, s, how == WFI_COMPARE_ALL, &mine.digest);
    st = wfi_agree(ctx, st);
    return st ? st : wfi_files_same(ctx, wfi_source_name(s), &mine);
}

weft_status wfi_source_slice(weft_ctx *ctx, wfi_source *source) {
    const char *why = wfi_source_uncuttable(source);
    weft_status st = WEFT_OK;
    if (why)
        st = wfi_fail(ctx, WEFT_EINVAL, "%s: ranks read parts of a plain file, and this is %s; convert it first",
                      wfi_source_name(source), why);
    st = wfi_agree_input(ctx, st);
    if (!st) wfi_source_set_sliced(source);
    return st;
}
