/* LSD radix sort of 64-bit keys, alone or with 32-bit values; prefix sums.
 *
 * One pass over the array finds the bits in which keys differ. Only these are sorted by, in as few passes of at most
 * 11 bits as possible, of equal width. Sorted input is detected and left alone.
 * A pass is a parallel counting sort: every thread counts the digits of its share, a scan over (bucket, thread) gives
 * positions, and every thread moves its share. Shares are consecutive, so each pass is stable and the result is the
 * same for any number of threads. Many keys are first partitioned into buckets by their highest bits (MSD), and a
 * thread sorts each bucket in its cache; few keys end with insertion sort. */
#include "core/scan.h"

#include <omp.h>
#include <string.h>

/* 11 bits beat 8 by 1.3 to 2 times on 16 M keys; for a short array, clearing 2048 counters would dominate. */
enum { DIGIT_BITS = 11, SHORT_DIGIT_BITS = 8, SHORT_BELOW = 1 << 12, SERIAL_BELOW = 1 << 15 };

/* Source or destination of a pass. */
typedef struct side {
    uint64_t *key;
    uint32_t *value; /* NULL if keys have no values */
} side;

/* Arrays and counters of a sort. */
typedef struct area {
    side from, to;
    size_t count;
    uint64_t *places;
} area;

static void swap_sides(area *a) {
    side swap = a->from;
    a->from = a->to;
    a->to = swap;
}

typedef struct digit {
    unsigned shift;
    uint64_t mask;
} digit;

static inline size_t digit_of(uint64_t key, digit d) { return (size_t)((key >> d.shift) & d.mask); }

/* Bits of `mask` in which keys differ; 0 also if the keys are sorted. */
static uint64_t bits_to_sort_by(const uint64_t *key, size_t count, uint64_t mask, int threads) {
    uint64_t differ = 0;
    int unordered = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(| : differ, unordered)
    for (size_t i = 1; i < count; i++) {
        uint64_t before = key[i - 1] & mask, now = key[i] & mask;
        differ |= before ^ now;
        unordered |= before > now;
    }
    return unordered ? differ : 0;
}

static void count_digits(const side *from, size_t begin, size_t end, digit d, uint64_t *places) {
    for (size_t i = begin; i < end; i++) places[digit_of(from->key[i], d)]++;
}

/* Exclusive scan by bucket, then share: turns counts places[t][b] into first positions. */
static void hand_out_places(uint64_t *places, size_t shares, size_t buckets) {
    uint64_t next = 0;
    for (size_t b = 0; b < buckets; b++) {
        for (size_t t = 0; t < shares; t++) {
            uint64_t here = places[t * buckets + b];
            places[t * buckets + b] = next;
            next += here;
        }
    }
}

static void move_share(const side *from, const side *to, size_t begin, size_t end, digit d, uint64_t *places) {
    if (from->value) {
        for (size_t i = begin; i < end; i++) {
            uint64_t at = places[digit_of(from->key[i], d)]++;
            to->key[at] = from->key[i];
            to->value[at] = from->value[i];
        }
    } else {
        for (size_t i = begin; i < end; i++) to->key[places[digit_of(from->key[i], d)]++] = from->key[i];
    }
}

static bool asked_to_stop(weft_ctx *ctx, _Atomic bool *stop) {
    if (wfi_cancelled(ctx)) atomic_store(stop, true);
    return atomic_load(stop);
}

/* One pass. Sets *ends to the last share's positions: then (*ends)[b] is the end of bucket b. After WEFT_ECANCELLED
 * the content of both sides is undefined. */
static weft_status sort_by_digit(weft_ctx *ctx, const area *a, digit d, int threads, uint64_t **ends) {
    const side *from = &a->from, *to = &a->to;
    uint64_t *places = a->places;
    size_t buckets = (size_t)d.mask + 1, count = a->count;
    _Atomic bool stop = false;
#pragma omp parallel num_threads(threads)
    {
        size_t team = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
        size_t begin = count / team * me + wfi_min_u64(me, count % team);
        size_t end = begin + count / team + (me < count % team);
        uint64_t *mine = places + me * buckets;
        memset(mine, 0, buckets * sizeof *mine);
        for (size_t i = begin; i < end && !asked_to_stop(ctx, &stop); i += WFI_POLL_EVERY)
            count_digits(from, i, wfi_min_u64(i + WFI_POLL_EVERY, end), d, mine);
#pragma omp barrier
#pragma omp single
        {
            hand_out_places(places, team, buckets);
            *ends = places + (team - 1) * buckets;
        }
        /* After a stop the counts are incomplete and positions might overflow, so nothing is moved. */
        for (size_t i = begin; i < end && !asked_to_stop(ctx, &stop); i += WFI_POLL_EVERY)
            move_share(from, to, i, wfi_min_u64(i + WFI_POLL_EVERY, end), d, mine);
    }
    return atomic_load(&stop) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

static void copy_back(const side *from, const side *to, size_t count, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < count; i++) {
        to->key[i] = from->key[i];
        if (from->value) to->value[i] = from->value[i];
    }
}

static int threads_for(const weft_ctx *ctx, size_t count) { return count < SERIAL_BELOW ? 1 : wfi_threads(ctx); }
static unsigned widest_digit(size_t count) { return count < SHORT_BELOW ? SHORT_DIGIT_BITS : DIGIT_BITS; }

size_t wfi_sort_places(const weft_ctx *ctx, size_t count) {
    return (size_t)threads_for(ctx, count) << widest_digit(count);
}

/* scratch->value may be NULL if there are no values. */
static weft_status sort_sides(weft_ctx *ctx, const wfi_sort_scratch *scratch, side home, size_t count,
                              uint64_t key_mask) {
    int threads = threads_for(ctx, count);
    uint64_t differ = bits_to_sort_by(home.key, count, key_mask, threads);
    if (!differ) return WEFT_OK;
    unsigned lowest = (unsigned)__builtin_ctzll(differ), bits = wfi_bits(differ) - lowest;
    unsigned widest = widest_digit(count), passes = (bits + widest - 1) / widest, width = (bits + passes - 1) / passes;
    uint64_t *ends;
    area a = {home, {scratch->key, home.value ? scratch->value : NULL}, count, scratch->places};
    for (uint64_t left = differ >> lowest; left; left >>= width, lowest += width) {
        /* The last digit may be narrower: bits above the key's must be ignored. */
        digit d = {lowest, ((uint64_t)1 << wfi_min_u64(width, wfi_bits(left))) - 1};
        if (!(left & d.mask)) continue;
        weft_status st = sort_by_digit(ctx, &a, d, threads, &ends);
        if (st) return st;
        swap_sides(&a);
    }
    if (a.from.key != home.key) copy_back(&a.from, &home, count, threads);
    return WEFT_OK;
}

static weft_status sort_with_own_scratch(weft_ctx *ctx, side home, size_t count, uint64_t key_mask) {
    wfi_sort_scratch scratch = {NULL, NULL, NULL};
    weft_status st = wfi_alloc(ctx, &scratch.key, count);
    if (!st && home.value) st = wfi_alloc(ctx, &scratch.value, count);
    if (!st) st = wfi_alloc(ctx, &scratch.places, wfi_sort_places(ctx, count));
    if (!st) st = sort_sides(ctx, &scratch, home, count, key_mask);
    WFI_FREE(scratch.places, scratch.value, scratch.key);
    return st;
}

static uint64_t mask_of(unsigned key_bits) { return key_bits >= 64 ? UINT64_MAX : ((uint64_t)1 << key_bits) - 1; }

weft_status wfi_sort_u64(weft_ctx *ctx, uint64_t *a, size_t count) {
    return sort_with_own_scratch(ctx, (side){a, NULL}, count, UINT64_MAX);
}

weft_status wfi_sort_pairs(weft_ctx *ctx, uint64_t *key, uint32_t *value, size_t count, unsigned key_bits) {
    return sort_with_own_scratch(ctx, (side){key, value}, count, mask_of(key_bits));
}

void wfi_sort_lay_out(wfi_workspace *w, const weft_ctx *ctx, size_t count, wfi_sort_scratch *scratch) {
    wfi_array(w, &scratch->key, count);
    wfi_array(w, &scratch->value, count);
    wfi_array(w, &scratch->places, wfi_sort_places(ctx, count));
}

weft_status wfi_sort_pairs_in(weft_ctx *ctx, const wfi_sort_scratch *scratch, uint64_t *key, uint32_t *value,
                              size_t count, unsigned key_bits) {
    return sort_sides(ctx, scratch, (side){key, value}, count, mask_of(key_bits));
}

/* --- few keys, on one thread --------------------------------------------------------- */

/* Insertion sort of nearly sorted keys. False if it gives up after too many moves; equal keys are still in their
 * original order then. */
static bool insert_all(side s, size_t count, uint64_t mask) {
    size_t moves = 0, most = 8 * count + 64;
    for (size_t i = 1; i < count && moves < most; i++) {
        uint64_t key = s.key[i], by = key & mask;
        if ((s.key[i - 1] & mask) <= by) continue;
        uint32_t value = s.value ? s.value[i] : 0;
        size_t at = i;
        for (; at && (s.key[at - 1] & mask) > by; at--) {
            s.key[at] = s.key[at - 1];
            if (s.value) s.value[at] = s.value[at - 1];
        }
        moves += i - at;
        s.key[at] = key;
        if (s.value) s.value[at] = value;
    }
    return moves < most;
}

/* `passes` LSD passes between the two sides. */
static void sort_digits(area *a, unsigned lowest, unsigned bits, unsigned passes) {
    for (unsigned p = 0; p < passes; p++) {
        unsigned width = bits / (passes - p);
        digit d = {lowest, ((uint64_t)1 << width) - 1};
        memset(a->places, 0, (d.mask + 1) * sizeof *a->places);
        count_digits(&a->from, 0, a->count, d, a->places);
        hand_out_places(a->places, 1, d.mask + 1);
        move_share(&a->from, &a->to, 0, a->count, d, a->places);
        swap_sides(a);
        lowest += width;
        bits -= width;
    }
}

static void copy_share(side from, side to, size_t count) {
    memcpy(to.key, from.key, count * sizeof *to.key);
    if (from.value) memcpy(to.value, from.value, count * sizeof *to.value);
}

/* Sorts by `bits` bits from `lowest` on, into `home`, which is one of the sides. Few keys usually differ in their
 * highest bits: radix passes over the top log2(count) + 6 bits, then insertion sort. */
static void sort_alone(area a, side home, unsigned lowest, unsigned bits) {
    enum { TINY = 24 };
    size_t count = a.count;
    uint64_t mask = mask_of(bits) << lowest;
    unsigned top = count <= TINY ? 0 : wfi_bits(count) + 6, widest = widest_digit(count);
    if (top < bits) {
        sort_digits(&a, lowest + bits - top, top, (top + widest - 1) / widest);
        if (a.from.key != home.key) {
            copy_share(a.from, home, count);
            swap_sides(&a);
        }
        if (insert_all(home, count, mask)) return;
    }
    sort_digits(&a, lowest, bits, (bits + widest - 1) / widest);
    if (a.from.key != home.key) copy_share(a.from, home, count);
}

static uint64_t bits_apart(const uint64_t *key, size_t count, uint64_t mask) {
    uint64_t differ = 0, unordered = 0;
    for (size_t i = 1; i < count; i++) {
        differ |= (key[i - 1] ^ key[i]) & mask;
        unordered |= (key[i - 1] & mask) > (key[i] & mask);
    }
    return unordered ? differ : 0;
}

/* --- many keys: buckets, then each in the cache ---------------------------------------- */

static side side_at(const side *s, size_t at) { return (side){s->key + at, s->value ? s->value + at : NULL}; }

/* Bits for buckets of some hundred keys each. */
static unsigned bucket_bits(size_t count, unsigned bits) {
    unsigned wanted = wfi_bits(count) - 8;
    wanted = wanted < DIGIT_BITS ? wanted : DIGIT_BITS;
    return wanted < bits ? wanted : bits;
}

/* Partitions the array by the highest bits that differ into buckets that fit a cache, then sorts the buckets in
 * parallel. False, with nothing changed, if one bucket would be too large. */
static bool sort_by_buckets(weft_ctx *ctx, const wfi_sort_scratch *scratch, side home, size_t count, uint64_t differ,
                            weft_status *st) {
    enum { SAMPLE = 1 << 11 }; /* of one thread, read from everywhere */
    unsigned lowest = (unsigned)__builtin_ctzll(differ), bits = wfi_bits(differ) - lowest;
    unsigned below = bits - bucket_bits(count, bits);
    uint64_t end[(1 << DIGIT_BITS) + 1] = {0}, largest = 0, *ends;
    digit top = {lowest + below, ((uint64_t)1 << (bits - below)) - 1};
    int threads = wfi_threads(ctx);
    if (!below) return false;
    size_t step = 1 + count / SAMPLE;
    for (size_t i = 0; i < count; i += step) end[digit_of(home.key[i], top)]++;
    for (size_t b = 0; b <= top.mask; b++) largest = wfi_max_u64(largest, end[b]);
    if (largest > count / step / 16) return false;
    area a = {home, {scratch->key, home.value ? scratch->value : NULL}, count, scratch->places};
    *st = sort_by_digit(ctx, &a, top, threads, &ends);
    if (*st) return true;
    end[0] = 0;
    memcpy(end + 1, ends, (top.mask + 1) * sizeof *end);
    _Atomic bool stop = false;
#pragma omp parallel num_threads(threads)
    {
        uint64_t *places = scratch->places + ((size_t)omp_get_thread_num() << DIGIT_BITS);
#pragma omp for schedule(dynamic, 1)
        for (size_t b = 0; b <= top.mask; b++) {
            if (asked_to_stop(ctx, &stop)) continue;
            side to = side_at(&home, end[b]);
            sort_alone((area){side_at(&a.to, end[b]), to, end[b + 1] - end[b], places}, to, lowest, below);
        }
    }
    if (atomic_load(&stop)) *st = wfi_fail_cancelled(ctx);
    return true;
}

/* Samples neighbours; true is certain. */
static bool looks_unordered(const uint64_t *key, size_t count, uint64_t mask) {
    enum { LOOKS = 64 };
    for (size_t i = 0; i < LOOKS; i++) {
        size_t at = count / LOOKS * i;
        if ((key[at] & mask) > (key[at + 1] & mask)) return true;
    }
    return false;
}

weft_status wfi_sort_bits_in(weft_ctx *ctx, const wfi_sort_scratch *scratch, wfi_sort_keys keys) {
    weft_status st = WEFT_OK;
    uint64_t *key = keys.key, mask = mask_of(keys.bits) << keys.first;
    size_t count = keys.count;
    side home = {key, keys.value}, away = {scratch->key, keys.value ? scratch->value : NULL};
    if (count < SHORT_BELOW) {
        uint64_t differ = bits_apart(key, count, mask);
        unsigned lowest = differ ? (unsigned)__builtin_ctzll(differ) : 0;
        if (differ) sort_alone((area){home, away, count, scratch->places}, home, lowest, wfi_bits(differ) - lowest);
        return st;
    }
    if (count >= SERIAL_BELOW) {
        /* Keys usually differ in their highest bits, so the pass that finds differing bits can be skipped. */
        if (looks_unordered(key, count, mask) && sort_by_buckets(ctx, scratch, home, count, mask, &st)) return st;
        uint64_t differ = bits_to_sort_by(key, count, mask, wfi_threads(ctx));
        if (!differ || sort_by_buckets(ctx, scratch, home, count, differ, &st)) return st;
    }
    return sort_sides(ctx, scratch, home, count, mask);
}

/* --- prefix sums: each thread sums its share, the sums are scanned, each thread writes its share -------------- */

enum { MOST_SCANNERS = 256 }; /* more threads would only wait for memory, and their sums would need an allocation */

static uint64_t scan_range(uint64_t *a, size_t from, size_t to, uint64_t sum) {
    for (size_t i = from; i < to; i++) {
        uint64_t x = a[i];
        a[i] = sum;
        sum += x;
    }
    return sum;
}

void wfi_exclusive_scan(const weft_ctx *ctx, uint64_t *a, size_t count) {
    int threads = count < SERIAL_BELOW ? 1 : (int)wfi_min_u64((uint64_t)wfi_threads(ctx), MOST_SCANNERS);
    if (threads == 1) {
        a[count] = scan_range(a, 0, count, 0);
        return;
    }
    uint64_t share[MOST_SCANNERS], total = 0;
#pragma omp parallel num_threads(threads)
    {
        size_t team = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
        size_t from = count * me / team, to = count * (me + 1) / team;
        uint64_t sum = 0;
        for (size_t i = from; i < to; i++) sum += a[i];
        share[me] = sum;
#pragma omp barrier
#pragma omp single
        total = scan_range(share, 0, team, 0);
        scan_range(a, from, to, share[me]);
    }
    a[count] = total;
}

size_t wfi_unique_u64(uint64_t *a, size_t count) {
    if (!count) return 0;
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (a[i] != a[kept - 1]) a[kept++] = a[i];
    return kept;
}

int wfi_by_u32(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

int wfi_by_u64(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}
