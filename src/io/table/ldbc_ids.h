/* The vertices of an LDBC graph: the ids listed in its .v file. */
#ifndef WFI_LDBC_IDS_H
#define WFI_LDBC_IDS_H

#include "io/stream/source.h"

typedef struct wfi_ldbc_ids {
    uint64_t *sorted; /* ascending and distinct, each with its sign bit turned so that unsigned order is theirs */
    uint64_t count;
    uint64_t low, high;
    uint64_t *bits; /* bit i = low + i is there; NULL when the ids are too far apart, or without gaps */
} wfi_ldbc_ids;

/* Words in the first line of a .v or .e file that is no comment. */
uint64_t wfi_ldbc_words(const wfi_source *source);
/* Passes over `count` properties, as many as the first line has, to the end of the line. */
weft_status wfi_ldbc_pass_over(const wfi_text_block *block, const char **at, uint64_t count, wfi_parse_error *error);
/* Says that this was done on every line, if count > 0. */
void wfi_ldbc_note(weft_ctx *ctx, const wfi_source *source, uint64_t count);

/* Reads all ids, one a line, each with as many properties after it as the first.  Ids listed twice are counted in a
 * warning. */
weft_status wfi_ldbc_ids_read(weft_ctx *ctx, wfi_source *source, wfi_ldbc_ids *ids);
void wfi_ldbc_ids_free(wfi_ldbc_ids *ids);

/* Turns the sorted ids into plain numbers, in place.  wfi_ldbc_has must not be called after it. */
const int64_t *wfi_ldbc_ids_release(wfi_ldbc_ids *ids);

static inline uint64_t wfi_ldbc_key(int64_t id) { return (uint64_t)id ^ (uint64_t)1 << 63; }

bool wfi_ldbc_has_far(const wfi_ldbc_ids *ids, uint64_t key);

static inline bool wfi_ldbc_has(const wfi_ldbc_ids *ids, int64_t id) {
    uint64_t key = wfi_ldbc_key(id), at = key - ids->low;
    if (!ids->count || key < ids->low || key > ids->high) return false;
    if (ids->bits) return ids->bits[at / 64] >> at % 64 & 1;
    return ids->high - ids->low == ids->count - 1 || wfi_ldbc_has_far(ids, key);
}

#endif
