/* Union of the names of all ranks: as for sorted lists (union.c), with prefixes of names as samples. */
#include "core/comm.h"
#include "core/scan.h"
#include "core/search.h"
#include "graph/build.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = 32 /* per rank */,
    KEY = 64 /* bytes of a sample; names with equal prefixes go to the same
                                                  * rank */
};

typedef struct sample {
    char key[KEY]; /* zero-padded, so that keys are ordered as names */
} sample;

typedef struct name {
    const char *text;
    uint64_t length;
} name;

typedef struct union_state {
    weft_ctx *ctx;
    size_t ranks;
    uint64_t *go, *come, *text_go, *text_come, *bytes; /* ranks + 1 each: names, and bytes of text */
    sample *samples;
    uint64_t *length, *fresh_length; /* lengths of sent and received names */
    char *fresh_text;
    name *share; /* received names, sorted, without duplicates */
    uint64_t share_count, share_bytes;
} union_state;

static sample sample_of(const wfi_name_list *l, uint64_t i) {
    sample s = {{0}};
    memcpy(s.key, l->text + l->start[i], (size_t)wfi_min_u64(KEY, l->start[i + 1] - l->start[i]));
    return s;
}

static int compare_samples(const void *a, const void *b) { return memcmp(a, b, KEY); }

static int compare_names(const void *a, const void *b) {
    const name *x = a, *y = b;
    int order = memcmp(x->text, y->text, (size_t)wfi_min_u64(x->length, y->length));
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

static weft_status union_open(union_state *u, const wfi_name_list *mine) {
    size_t each = u->ranks + 1;
    weft_status st = wfi_alloc(u->ctx, &u->go, 5 * each);
    if (!st) st = wfi_alloc(u->ctx, &u->samples, u->ranks * SAMPLES);
    if (!st) st = wfi_alloc(u->ctx, &u->length, (size_t)mine->count);
    if (st) return st;
    u->come = u->go + each;
    u->text_go = u->come + each;
    u->text_come = u->text_go + each;
    u->bytes = u->text_come + each;
    for (uint64_t i = 0; i < mine->count; i++) u->length[i] = mine->start[i + 1] - mine->start[i];
    return WEFT_OK;
}

static void union_close(union_state *u) {
    WFI_FREE(u->go, u->samples, u->length, u->fresh_length, u->fresh_text, u->share);
}

static bool is_below(const wfi_name_list *l, uint64_t i, const sample *key) {
    sample s = sample_of(l, i);
    return compare_samples(&s, key) < 0;
}

/* First name whose sample is not below the key. */
static uint64_t lower_bound(const wfi_name_list *l, const sample *key) {
    uint64_t low = 0, high = l->count;
    WFI_BISECT(low, high, middle, is_below(l, middle, key));
    return low;
}

/* Chooses the rank for each name. A rank without names contributes maximal samples, which are ignored. */
static weft_status share_out(union_state *u, const wfi_name_list *mine) {
    weft_ctx *ctx = u->ctx;
    for (size_t r = 0; r <= u->ranks; r++) u->bytes[r] = r * SAMPLES * sizeof *u->samples;
    sample last;
    memset(&last, 0xff, sizeof last);
    for (uint64_t i = 0; i < SAMPLES; i++)
        u->samples[(size_t)wfi_rank(ctx) * SAMPLES + i] =
            mine->count ? sample_of(mine, mine->count * i / SAMPLES) : last;
    weft_status st = wfi_allgather(ctx, u->samples, u->bytes);
    if (st) return st;
    qsort(u->samples, u->ranks * SAMPLES, sizeof *u->samples, compare_samples);
    size_t known = u->ranks * SAMPLES;
    while (known && !compare_samples(&u->samples[known - 1], &last)) known--;
    for (size_t r = 0; r <= u->ranks; r++) {
        u->go[r] = r == 0 || !known ? 0 : lower_bound(mine, &u->samples[(known - 1) * r / u->ranks]);
        if (r == u->ranks) u->go[r] = mine->count;
        u->text_go[r] = mine->start[u->go[r]];
    }
    st = wfi_receive_starts(ctx, u->go, u->come);
    return st ? st : wfi_receive_starts(ctx, u->text_go, u->text_come);
}

static weft_status send_names(union_state *u, const wfi_name_list *mine) {
    weft_ctx *ctx = u->ctx;
    weft_status st = wfi_alloc(ctx, &u->fresh_length, (size_t)u->come[u->ranks]);
    if (!st) st = wfi_alloc(ctx, &u->fresh_text, (size_t)u->text_come[u->ranks]);
    if (!st) st = wfi_alloc(ctx, &u->share, (size_t)u->come[u->ranks]);
    st = wfi_agree(ctx, st);
    if (st) return st;
    uint64_t count = u->come[u->ranks], at = 0;
    for (size_t r = 0; r <= u->ranks; r++) {
        u->go[r] *= sizeof *u->length;
        u->come[r] *= sizeof *u->length;
    }
    st = wfi_alltoall(ctx, u->length, u->go, u->fresh_length, u->come);
    if (!st) st = wfi_alltoall(ctx, mine->text, u->text_go, u->fresh_text, u->text_come);
    if (st) return st;
    for (uint64_t i = 0; i < count; at += u->fresh_length[i++])
        u->share[i] = (name){u->fresh_text + at, u->fresh_length[i]};
    qsort(u->share, (size_t)count, sizeof *u->share, compare_names);
    for (uint64_t i = 0; i < count; i++) {
        if (i && !compare_names(&u->share[u->share_count - 1], &u->share[i])) continue;
        u->share[u->share_count++] = u->share[i];
        u->share_bytes += u->share[i].length;
    }
    return WEFT_OK;
}

/* Concatenates the shares of all ranks. */
static weft_status gather_shares(union_state *u, wfi_name_list *all) {
    weft_ctx *ctx = u->ctx;
    int rank = wfi_rank(ctx);
    weft_status st = wfi_allgather_u64(ctx, u->share_count, u->come);
    if (!st) st = wfi_allgather_u64(ctx, u->share_bytes, u->text_come);
    if (st) return st;
    u->go[0] = u->text_go[0] = 0;
    for (size_t r = 0; r < u->ranks; r++) {
        u->go[r + 1] = u->go[r] + u->come[r];
        u->text_go[r + 1] = u->text_go[r] + u->text_come[r];
    }
    all->count = u->go[u->ranks];
    st = wfi_alloc(ctx, &all->start, (size_t)all->count + 1);
    if (!st) st = wfi_alloc(ctx, &all->text, (size_t)u->text_go[u->ranks]);
    if (!st && all->count >= WEFT_NO_VERTEX) st = wfi_fail(ctx, WEFT_EINPUT, "more than 2^32-2 names");
    st = wfi_agree_input(ctx, st);
    if (st) return st;
    char *text = all->text + u->text_go[rank];
    for (uint64_t i = 0; i < u->share_count; i++) {
        all->start[u->go[rank] + i] = u->share[i].length;
        memcpy(text, u->share[i].text, (size_t)u->share[i].length);
        text += u->share[i].length;
    }
    for (size_t r = 0; r <= u->ranks; r++) u->bytes[r] = u->go[r] * sizeof *all->start;
    st = wfi_allgather(ctx, all->start, u->bytes);
    if (!st) st = wfi_allgather(ctx, all->text, u->text_go);
    if (!st) wfi_exclusive_scan(ctx, all->start, (size_t)all->count);
    return st;
}

weft_status wfi_union_names(weft_ctx *ctx, const wfi_name_list *mine, wfi_name_list *all) {
    union_state u = {.ctx = ctx, .ranks = (size_t)wfi_ranks(ctx)};
    *all = (wfi_name_list){0};
    weft_status st = wfi_agree(ctx, union_open(&u, mine));
    if (!st) st = share_out(&u, mine);
    if (!st) st = send_names(&u, mine);
    if (!st) st = gather_shares(&u, all);
    union_close(&u);
    if (st) {
        WFI_FREE(all->start, all->text);
        *all = (wfi_name_list){0};
    }
    return st;
}
