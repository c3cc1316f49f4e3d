/* Sparse accumulator of one thread on CPU cores: sums by key, such as the weight of a row's arcs to each community, set
 * or vertex.
 * Method: if keys are few enough, an array with an entry for each, which takes no branch.  Otherwise a hash table with
 * linear probing; a short row uses a short prefix of it, which stays in the first level of cache.
 * Encoding: an array entry is 0 until its key comes, and then its sum + 1; it has 32 bits if the sum of all weights
 * fits. */
#ifndef WFI_SPARSE_ACCUMULATOR_H
#define WFI_SPARSE_ACCUMULATOR_H

#include "core/workspace.h"

#include <string.h>

/* The largest number of keys of a thread's hash table: a row that may have more uses the one shared array with an entry
 * for each key. */
enum { WFI_ACCUMULATOR_KEYS = 1 << 17 };
/* Up to this many keys always have an array. */
enum { WFI_ACCUMULATOR_FEW = 1 << 16 };

typedef struct wfi_accumulator_slot {
    uint64_t sum;
    weft_vid key; /* WEFT_NO_VERTEX: unused */
} wfi_accumulator_slot;

/* The sums of one row.  Empty between rows: wfi_accumulator_take clears each entry that it reads. */
typedef struct wfi_accumulator {
    uint32_t *narrow; /* the array, or ... */
    uint64_t *wide;   /* ... the array of 64 bits, or ... */
    wfi_accumulator_slot *slot;
    uint32_t *used; /* keys of the array, slots of the table */
    uint32_t mask, count;
} wfi_accumulator;

/* The accumulators of a run. */
typedef struct wfi_accumulators {
    int threads;
    bool wide;            /* entries of 64 bits */
    bool long_rows;       /* whether there may be rows too long for a thread's own */
    uint64_t places;      /* length of a thread's array */
    uint64_t keys, slots; /* capacity of a thread's hash table */
    uint64_t most;        /* entries of a thread's list of used keys */
    uint64_t *place, *all_place;
    wfi_accumulator_slot *slot;
    uint32_t *used, *all_used; /* all_...: shared, for the longest rows; empty if no row can be so long */
} wfi_accumulators;

static inline uint64_t wfi_accumulator_words(const wfi_accumulators *t, uint64_t places) {
    return t->wide ? places : (places + 1) / 2;
}

/* Declares the accumulators for rows of up to `longest` arcs and keys below n; threads and wide are set.  Unless keys
 * are few, all threads' arrays together have at most `longest` entries. */
static inline void wfi_accumulators_lay_out(wfi_workspace *w, weft_vid n, uint64_t longest, wfi_accumulators *t) {
    uint64_t keys = wfi_min_u64(n, longest), threads = (uint64_t)t->threads;
    t->places = wfi_min_u64(n, wfi_max_u64(WFI_ACCUMULATOR_FEW, longest / threads));
    t->keys = n > t->places ? wfi_min_u64(keys, WFI_ACCUMULATOR_KEYS) : 0;
    t->slots = n > t->places ? (uint64_t)1 << wfi_bits(t->keys + t->keys / 2) : 0;
    t->most = wfi_max_u64(t->places, t->keys) + 1;
    t->long_rows = keys > WFI_ACCUMULATOR_KEYS && n > t->places;
    wfi_array(w, &t->place, threads * wfi_accumulator_words(t, t->places));
    wfi_array(w, &t->slot, threads * t->slots);
    wfi_array(w, &t->used, threads * t->most);
    wfi_array(w, &t->all_place, t->long_rows ? wfi_accumulator_words(t, n) : 0);
    wfi_array(w, &t->all_used, t->long_rows ? (uint64_t)n + 1 : 0);
}

/* Empties the accumulators.  Each thread's memory is touched for the first time in parallel, because that takes
 * time. */
static inline void wfi_accumulators_begin(wfi_accumulators *t, weft_vid n) {
    uint64_t words = wfi_accumulator_words(t, t->places);
#pragma omp parallel for schedule(static, 1) num_threads(t->threads)
    for (int i = 0; i < t->threads; i++) {
        memset(t->place + (size_t)i * words, 0, words * sizeof *t->place);
        for (uint64_t j = 0; j < t->slots; j++) t->slot[(uint64_t)i * t->slots + j].key = WEFT_NO_VERTEX;
    }
    if (t->long_rows) memset(t->all_place, 0, wfi_accumulator_words(t, n) * sizeof *t->all_place);
}

/* True if a row of `arcs` arcs, with keys below n, may have more keys than a thread's own accumulator takes. */
static inline bool wfi_accumulator_is_long(const wfi_accumulators *t, weft_vid n, uint64_t arcs) {
    return n > t->places && wfi_min_u64(arcs, n) > t->keys;
}

static inline wfi_accumulator wfi_accumulator_array(const wfi_accumulators *t, uint64_t *place, uint32_t *used) {
    return (wfi_accumulator){t->wide ? NULL : (uint32_t *)place, t->wide ? place : NULL, NULL, used, 0, 0};
}

/* The accumulator for such a row; a long row's is for one thread at a time. */
static inline wfi_accumulator wfi_accumulator_for(const wfi_accumulators *t, int thread, weft_vid n, uint64_t arcs) {
    uint32_t *used = t->used + (size_t)thread * t->most;
    if (n <= t->places)
        return wfi_accumulator_array(t, t->place + (size_t)thread * wfi_accumulator_words(t, t->places), used);
    if (wfi_accumulator_is_long(t, n, arcs)) return wfi_accumulator_array(t, t->all_place, t->all_used);
    uint64_t keys = wfi_min_u64(arcs, n);
    uint32_t mask = ((uint32_t)1 << wfi_bits(keys + keys / 2)) - 1;
    return (wfi_accumulator){NULL, NULL, t->slot + (size_t)thread * t->slots, used, mask, 0};
}

static inline uint32_t wfi_accumulator_at(const wfi_accumulator *t, weft_vid key) {
    return (key * 0x9e3779b1u) >> 7 & t->mask;
}

static inline void wfi_accumulator_hash(wfi_accumulator *t, weft_vid key, uint64_t more) {
    uint32_t at = wfi_accumulator_at(t, key);
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

/* In an array every key is written to the list, but only a new key advances it. */
static inline void wfi_accumulator_add(wfi_accumulator *t, weft_vid key, uint64_t more) {
    if (t->slot) {
        wfi_accumulator_hash(t, key, more);
        return;
    }
    uint64_t sum = t->narrow ? t->narrow[key] : t->wide[key], is_new = !sum;
    t->used[t->count] = key;
    t->count += (uint32_t)is_new;
    sum += more + is_new;
    if (t->narrow)
        t->narrow[key] = (uint32_t)sum;
    else
        t->wide[key] = sum;
}

/* The i-th sum, and its key; clears the entry. */
static inline uint64_t wfi_accumulator_take(wfi_accumulator *t, uint32_t i, weft_vid *key) {
    uint32_t at = t->used[i];
    uint64_t sum;
    if (t->slot) {
        *key = t->slot[at].key;
        t->slot[at].key = WEFT_NO_VERTEX;
        return t->slot[at].sum;
    }
    *key = at;
    if (t->narrow) {
        sum = t->narrow[at];
        t->narrow[at] = 0;
    } else {
        sum = t->wide[at];
        t->wide[at] = 0;
    }
    return sum - 1;
}

/* Tells the compiler that this is an array of 32 bits. */
static inline void wfi_accumulator_plain(wfi_accumulator *t) {
    if (!t->narrow) __builtin_unreachable();
    t->slot = NULL;
    t->wide = NULL;
}

/* Prefetches the entries of the coming keys, in a hash table only if it exceeds the first level of cache. */
enum { WFI_ACCUMULATOR_AHEAD = 1 << 10 };
static inline void wfi_accumulator_expect(const wfi_accumulator *t, const weft_vid *key, unsigned count) {
    if (t->narrow)
        for (unsigned i = 0; i < count; i++) __builtin_prefetch(&t->narrow[key[i]], 1);
    else if (t->wide)
        for (unsigned i = 0; i < count; i++) __builtin_prefetch(&t->wide[key[i]], 1);
    else if (t->mask >= WFI_ACCUMULATOR_AHEAD)
        for (unsigned i = 0; i < count; i++) __builtin_prefetch(&t->slot[wfi_accumulator_at(t, key[i])], 1);
}

#endif
