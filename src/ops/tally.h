/* Sums by key, of one thread on CPU cores: what the arcs of a row have for each community, set or vertex at their other
 * ends.
 * Method: a hash table with linear probing, of which a short row uses a short part, so that it stays in the first level
 * of cache.  A table with a slot for every key is its own hash. */
#ifndef WFI_OPS_TALLY_H
#define WFI_OPS_TALLY_H

#include "core/workspace.h"

/* Keys of a thread's table, at most; a row that may have more waits for the one table with a slot for each key. */
enum { WFI_TALLY_KEYS = 1 << 17 };

typedef struct wfi_tally_slot {
    uint64_t sum;
    weft_vid key; /* WEFT_NO_VERTEX: it is free.  All are between rows: whoever reads them frees them */
} wfi_tally_slot;

typedef struct wfi_tally {
    wfi_tally_slot *slot;
    uint32_t *used; /* slots in use */
    uint32_t mask, count;
} wfi_tally;

/* The tables of a run. */
typedef struct wfi_tallies {
    int threads;
    bool long_rows;       /* may there be any? */
    uint64_t keys, slots; /* of a thread's table */
    wfi_tally_slot *slot, *all_slot;
    uint32_t *used, *all_used; /* all_...: of the table for the longest rows; none where no row can be so long */
} wfi_tallies;

/* For rows of up to `longest` arcs and keys below n; threads is set. */
static inline void wfi_tallies_lay_out(wfi_workspace *w, weft_vid n, uint64_t longest, wfi_tallies *t) {
    uint64_t keys = wfi_min_u64(n, longest);
    t->long_rows = keys > WFI_TALLY_KEYS;
    t->keys = wfi_min_u64(keys, WFI_TALLY_KEYS);
    t->slots = (uint64_t)1 << wfi_bits(t->keys + t->keys / 2);
    wfi_array(w, &t->slot, (uint64_t)t->threads * t->slots);
    wfi_array(w, &t->used, (uint64_t)t->threads * t->keys);
    wfi_array(w, &t->all_slot, t->long_rows ? n : 0);
    wfi_array(w, &t->all_used, t->long_rows ? n : 0);
}

/* All slots are free. */
static inline void wfi_tallies_begin(wfi_tallies *t, weft_vid n) {
    for (uint64_t i = 0; i < (uint64_t)t->threads * t->slots; i++) t->slot[i].key = WEFT_NO_VERTEX;
    for (weft_vid i = 0; t->long_rows && i < n; i++) t->all_slot[i].key = WEFT_NO_VERTEX;
}

/* May a row of so many arcs, with keys below n, have more than a thread's table takes? */
static inline bool wfi_tally_is_long(const wfi_tallies *t, weft_vid n, uint64_t arcs) {
    return wfi_min_u64(arcs, n) > t->keys;
}

/* The table for such a row: for one thread at a time if it is long. */
static inline wfi_tally wfi_tally_for(const wfi_tallies *t, int thread, weft_vid n, uint64_t arcs) {
    if (wfi_tally_is_long(t, n, arcs)) return (wfi_tally){t->all_slot, t->all_used, UINT32_MAX, 0};
    uint64_t keys = wfi_min_u64(arcs, n);
    uint32_t mask = ((uint32_t)1 << wfi_bits(keys + keys / 2)) - 1;
    size_t at = (size_t)thread * t->slots;
    return (wfi_tally){t->slot + at, t->used + (size_t)thread * t->keys, mask, 0};
}

static inline uint32_t wfi_tally_at(const wfi_tally *t, weft_vid key) {
    return t->mask == UINT32_MAX ? key : (uint32_t)(key * 0x9e3779b1u) >> 7 & t->mask;
}

static inline void wfi_tally_add(wfi_tally *t, weft_vid key, uint64_t more) {
    uint32_t at = wfi_tally_at(t, key);
    while (t->slot[at].key != key) {
        if (t->slot[at].key == WEFT_NO_VERTEX) {
            t->slot[at].key = key;
            t->slot[at].sum = 0;
            t->used[t->count++] = at;
            break;
        }
        at = (at + 1) & t->mask;
    }
    t->slot[at].sum += more;
}

/* A table beyond the first level of cache: keys that come soon are asked for before. */
enum { WFI_TALLY_AHEAD = 1 << 10 };
static inline void wfi_tally_expect(const wfi_tally *t, const weft_vid *key, unsigned count) {
    if (t->mask < WFI_TALLY_AHEAD) return;
    for (unsigned i = 0; i < count; i++) __builtin_prefetch(&t->slot[wfi_tally_at(t, key[i])], 1);
}

#endif
