/* Triangles by the forward algorithm on the degree-ordered orientation (oriented.h), CPU: for each lowest corner u the
 * joined pairs v < w of its row.
 * Method: the hubs, the vertices of highest rank, have a bit matrix as adjacency, and stand at the end of each row.
 * Pairs of hubs are looked up in the matrix or, in a row with many, whole rows are and-ed.  If v is no hub its row is
 * short: each w in it is looked up in a small hash table of the row of u.  R-MAT of scale 20 takes 2.5 to 2.9
 * core-seconds this way, and 6.4 if every row is marked.
 * Encoding: counts of the members of the row are gathered in the thread and added to the shared counts once per edge.
 * Support: those counts are the triangles with lowest corner u on the edges of u; the edge from v to w is raised when
 * it is met, and so that every one is met there are no hubs in this mode. */
#include "engines/triangles/triangles.h"
#include "core/search.h"

#include <omp.h>
#include <string.h>
#if defined(__aarch64__)
#include <arm_neon.h>
#endif

/* SHARE: edges worth a thread.  CHUNK: ranks handed out at a time.  PATIENCE: steps between two polls.  AHEAD: edges by
 * which offsets are prefetched; rows half of that. */
enum { SHARE = 1 << 13, CHUNK = 64, PATIENCE = 1 << 20, AHEAD = 32, MOST_HUBS = 1 << 14 };
enum { SLOTS = 1 << 14, CROWDED = 0xffff };

typedef struct counter {
    weft_ctx *ctx;
    const wfi_oriented *o;
    uint64_t *triangles_at;
    uint32_t *support; /* NULL: not requested */
    weft_vid first_hub;
    size_t words;     /* words of a row of the matrix */
    uint64_t *joined; /* the matrix, symmetric */
    bool stop;
} counter;

/* A thread's own arrays; all zero between two vertices. */
typedef struct scratch {
    uint32_t *count; /* counts by place in the row of u */
    uint64_t *bits;  /* the hubs in the row of u */
    uint16_t *slot;  /* place + 1 of the member w with w % SLOTS here; CROWDED: search the row */
} scratch;

/* The matrix takes at most 2 bytes an edge and 32 MiB. */
static uint64_t hubs_for(uint64_t n, uint64_t edges, bool support) {
    uint64_t hubs = 64;
    if (support) return 0;
    while (hubs < MOST_HUBS && (hubs + 64) * (hubs + 64) <= 16 * edges) hubs += 64;
    return wfi_min_u64(hubs, n);
}

static inline size_t words_for(uint64_t hubs) { return (size_t)(hubs + 63) / 64; }

static inline void raise(uint32_t *place, uint32_t value) {
    if (value) __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
}

static inline uint64_t bit_of(const uint64_t *bits, weft_vid hub) { return bits[hub / 64] >> (hub % 64) & 1; }

/* --- hubs ------------------------------------------------------------------- */

static uint64_t common_bits(const uint64_t *a, const uint64_t *b, size_t from, size_t to) {
    uint64_t count = 0;
    size_t i = from;
#if defined(__aarch64__)
    while (i + 2 <= to) {
        uint8x16_t sum = vdupq_n_u8(0); /* at most 31 times 8 in a byte */
        size_t end = i + 2 * wfi_min_u64((to - i) / 2, 31);
        for (; i < end; i += 2)
            sum = vaddq_u8(sum, vcntq_u8(vreinterpretq_u8_u64(vandq_u64(vld1q_u64(a + i), vld1q_u64(b + i)))));
        count += vaddlvq_u8(sum);
    }
#endif
    for (; i < to; i++) count += (uint64_t)__builtin_popcountll(a[i] & b[i]);
    return count;
}

/* Looks up every pair of hubs in the row. */
static uint64_t look_up_pairs(const counter *c, const weft_vid *hub, uint64_t hubs, uint32_t *count) {
    uint64_t total = 0;
    for (uint64_t a = 0; a + 1 < hubs; a++) {
        const uint64_t *joined = c->joined + (size_t)(hub[a] - c->first_hub) * c->words;
        uint32_t met = 0;
        for (uint64_t b = a + 1; b < hubs; b++) {
            uint32_t hit = (uint32_t)bit_of(joined, hub[b] - c->first_hub);
            count[b] += hit;
            met += hit;
        }
        count[a] += met;
        total += met;
    }
    return total;
}

/* The matrix is symmetric, so a hub meets both its higher and its lower partners: each triangle twice in all. */
static uint64_t and_rows(const counter *c, const weft_vid *hub, uint64_t hubs, scratch *s, uint32_t *count) {
    size_t from = (hub[0] - c->first_hub) / 64, to = (hub[hubs - 1] - c->first_hub) / 64 + 1;
    uint64_t twice = 0;
    for (uint64_t a = 0; a < hubs; a++)
        s->bits[(hub[a] - c->first_hub) / 64] |= (uint64_t)1 << ((hub[a] - c->first_hub) % 64);
    for (uint64_t a = 0; a < hubs; a++) {
        uint64_t met = common_bits(s->bits, c->joined + (size_t)(hub[a] - c->first_hub) * c->words, from, to);
        count[a] += (uint32_t)met;
        twice += met;
    }
    memset(s->bits + from, 0, (to - from) * sizeof *s->bits);
    return twice / 2;
}

static void join_hubs(counter *c) {
    const wfi_oriented *o = c->o;
    weft_vid first = c->first_hub;
    memset(c->joined, 0, (size_t)(o->n - first) * c->words * sizeof *c->joined);
#pragma omp parallel for schedule(dynamic, CHUNK) num_threads(wfi_threads_for(c->ctx, o->edges, SHARE))
    for (weft_vid u = first; u < o->n; u++)
        for (uint64_t e = o->offsets[u]; e < o->offsets[u + 1]; e++) {
            weft_vid a = u - first, b = o->targets[e] - first;
            __atomic_fetch_or(&c->joined[a * c->words + b / 64], (uint64_t)1 << (b % 64), __ATOMIC_RELAXED);
            __atomic_fetch_or(&c->joined[b * c->words + a / 64], (uint64_t)1 << (a % 64), __ATOMIC_RELAXED);
        }
}

/* --- the other vertices ------------------------------------------------------ */

static void mark_row(const weft_vid *row, uint64_t length, uint16_t *slot) {
    for (uint64_t i = 0; i < length; i++) {
        uint16_t *mine = &slot[row[i] % SLOTS];
        *mine = *mine || i + 1 >= CROWDED ? CROWDED : (uint16_t)(i + 1);
    }
}

static void clear_row(const weft_vid *row, uint64_t length, uint16_t *slot) {
    for (uint64_t i = 0; i < length; i++) slot[row[i] % SLOTS] = 0;
}

/* The place of w in the row, or the row's length. */
static uint64_t place_in(const weft_vid *row, uint64_t length, weft_vid w, uint16_t hint) {
    if (hint != CROWDED) return row[hint - 1] == w ? (uint64_t)hint - 1 : length;
    uint64_t at = wfi_lower_bound_u32(row, 0, length, w);
    return at < length && row[at] == w ? at : length;
}

/* v runs through the first `others` members of the row. */
static uint64_t search_rows(const counter *c, const weft_vid *row, uint64_t length, uint64_t others, scratch *s,
                            uint64_t *work) {
    const uint64_t *offsets = c->o->offsets;
    const weft_vid *targets = c->o->targets, *last = targets + c->o->edges;
    uint64_t total = 0;
    mark_row(row, length, s->slot);
    for (uint64_t i = 0; i < others; i++) {
        /* the rows of the next vertices follow in the array: only its end is a bound */
        if (row + i + AHEAD < last) {
            __builtin_prefetch(&offsets[row[i + AHEAD]]);
            __builtin_prefetch(&targets[offsets[row[i + AHEAD / 2]]]);
        }
        uint64_t begin = offsets[row[i]], end = offsets[row[i] + 1];
        uint32_t met = 0;
        for (uint64_t e = begin; e < end; e++) {
            uint16_t hint = s->slot[targets[e] % SLOTS];
            if (!hint) continue;
            uint64_t place = place_in(row, length, targets[e], hint);
            if (place == length) continue;
            s->count[place]++;
            if (c->support) raise(&c->support[e], 1);
            met++;
        }
        s->count[i] += met;
        total += met;
        *work += end - begin;
    }
    clear_row(row, length, s->slot);
    return total;
}

/* --- the count ---------------------------------------------------------------- */

/* Triangles whose lowest corner is u.  *work grows by the steps taken. */
static uint64_t triangles_from(const counter *c, scratch *s, weft_vid u, uint64_t *work) {
    const weft_vid *row = c->o->targets + c->o->offsets[u];
    uint64_t length = c->o->offsets[u + 1] - c->o->offsets[u], others = length, total = 0;
    while (others > 0 && row[others - 1] >= c->first_hub) others--;
    uint64_t hubs = length - others;
    if (others) total += search_rows(c, row, length, others, s, work);
    if (hubs > 1) {
        const weft_vid *hub = row + others;
        uint64_t words = (hub[hubs - 1] - hub[0]) / 64 + 1;
        bool many = 2 * hubs > words; /* a lookup of a pair costs about as much as and-ing four words */
        total += many ? and_rows(c, hub, hubs, s, s->count + others) : look_up_pairs(c, hub, hubs, s->count + others);
        *work += hubs * wfi_min_u64(hubs, words);
    }
    if (total)
        for (uint64_t i = 0; i < length; i++) {
            wfi_add_to(&c->triangles_at[row[i]], s->count[i]);
            if (c->support) raise(&c->support[c->o->offsets[u] + i], s->count[i]);
            s->count[i] = 0;
        }
    *work += length;
    wfi_add_to(&c->triangles_at[u], total);
    return total;
}

bool wfi_triangles_stop(weft_ctx *ctx, uint64_t done, uint64_t all, bool *stop) {
    if (omp_get_thread_num() == 0) wfi_progress(ctx, "counting triangles", done, all);
    if (!wfi_cancelled(ctx)) return false;
    __atomic_store_n(stop, true, __ATOMIC_RELAXED);
    return true;
}

/* A thread's rows of the scratch. */
static size_t count_places(uint64_t longest) { return (size_t)longest + 1; }

static scratch scratch_of(const counter *c, const wfi_triangle_scratch *all, size_t thread) {
    size_t places = count_places(c->o->longest);
    scratch s = {all->count + thread * places, all->bits + thread * (c->words + 1), all->slot + thread * SLOTS};
    memset(s.count, 0, places * sizeof *s.count);
    memset(s.bits, 0, (c->words + 1) * sizeof *s.bits);
    memset(s.slot, 0, SLOTS * sizeof *s.slot);
    return s;
}

static weft_status count_all(counter *c, const wfi_triangle_scratch *all, uint64_t *total) {
    const wfi_oriented *o = c->o;
    uint64_t sum = 0;
#pragma omp parallel num_threads(wfi_threads_for(c->ctx, o->edges, SHARE)) reduction(+ : sum)
    {
        scratch s = scratch_of(c, all, (size_t)omp_get_thread_num());
        uint64_t work = PATIENCE;
#pragma omp for schedule(dynamic, CHUNK)
        for (weft_vid u = 0; u < o->n; u++) {
            if (__atomic_load_n(&c->stop, __ATOMIC_RELAXED)) continue;
            if (work >= PATIENCE) {
                work = 0;
                if (wfi_triangles_stop(c->ctx, u, o->n, &c->stop)) continue;
            }
            if (o->offsets[u + 1] - o->offsets[u] > 1) sum += triangles_from(c, &s, u, &work);
        }
    }
    *total = sum;
    return c->stop ? wfi_fail_cancelled(c->ctx) : WEFT_OK;
}

static weft_status clear_support(weft_ctx *ctx, const wfi_oriented *o, uint32_t *support) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, o->edges, SHARE))
    for (uint64_t from = 0; from < o->edges; from += WFI_POLL_EVERY)
        if (!wfi_cancelled(ctx))
            memset(support + from, 0, (size_t)wfi_min_u64(WFI_POLL_EVERY, o->edges - from) * sizeof *support);
    return wfi_cancelled(ctx) ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

void wfi_triangles_lay_out(wfi_workspace *w, const weft_ctx *ctx, uint64_t n, uint64_t edges, bool support,
                           wfi_triangle_scratch *s) {
    uint64_t hubs = hubs_for(n, edges, support), words = words_for(hubs);
    uint64_t threads = (uint64_t)wfi_threads_for(ctx, edges, SHARE);
    wfi_array(w, &s->joined, hubs * words);
    wfi_array(w, &s->count, threads * count_places(wfi_oriented_longest(n, edges)));
    wfi_array(w, &s->bits, threads * (words + 1));
    wfi_array(w, &s->slot, threads * SLOTS);
}

weft_status wfi_count_triangles(weft_ctx *ctx, const wfi_oriented *o, const wfi_triangle_scratch *s,
                                uint64_t *triangles_at, uint32_t *support, uint64_t *total) {
    uint64_t hubs = hubs_for(o->n, o->edges, support != NULL);
    counter c = {.ctx = ctx,
                 .o = o,
                 .triangles_at = triangles_at,
                 .support = support,
                 .first_hub = (weft_vid)(o->n - hubs),
                 .words = words_for(hubs),
                 .joined = s->joined};
    weft_status st = support ? clear_support(ctx, o, support) : WEFT_OK;
    if (st) return st;
    memset(triangles_at, 0, o->n * sizeof *triangles_at);
    join_hubs(&c);
    return count_all(&c, s, total);
}
