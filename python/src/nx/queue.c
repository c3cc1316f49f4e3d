#include "nx/queue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHILDREN = 4,
    BEFORE_HEAP = CHILDREN - 1 /* unused entries before the heap, so that children begin at a cache line */
};
enum { CHUNK = 31, FIRST_BLOCK = 16, MOST_BUCKETS = 64 * 64, NODES_A_BUCKET = 256 };

struct nx_chunk {
    nx_chunk *before; /* all of them are full */
    nx_entry entry[CHUNK];
};

/* --- the heap ---------------------------------------------------------------------------------------- */

static bool make_room(nx_queue *q, size_t wanted) {
    size_t room = q->room ? q->room : 256;
    if (wanted + BEFORE_HEAP <= q->room) return true;
    while (room < wanted + BEFORE_HEAP) room *= 2;
    nx_entry *more = aligned_alloc(CHILDREN * sizeof *more, room * sizeof *more);
    if (!more) return false;
    if (q->count) memcpy(more + BEFORE_HEAP, q->heap, q->count * sizeof *more);
    if (q->heap) free(q->heap - BEFORE_HEAP);
    q->heap = more + BEFORE_HEAP;
    q->room = room;
    return true;
}

static inline bool comes_first(const nx_entry *a, const nx_entry *b) {
    return a->distance < b->distance || (a->distance == b->distance && a->number < b->number);
}

static void rise(nx_queue *q, size_t i, nx_entry x) {
    for (; i; i = (i - 1) / CHILDREN) {
        if (!comes_first(&x, &q->heap[(i - 1) / CHILDREN])) break;
        q->heap[i] = q->heap[(i - 1) / CHILDREN];
    }
    q->heap[i] = x;
}

static void sink(nx_queue *q, size_t i, nx_entry x) {
    for (;;) {
        size_t child = CHILDREN * i + 1, end = child + CHILDREN < q->count ? child + CHILDREN : q->count, least = child;
        if (child >= q->count) break;
        for (size_t k = child + 1; k < end; k++)
            if (comes_first(&q->heap[k], &q->heap[least])) least = k;
        if (!comes_first(&q->heap[least], &x)) break;
        q->heap[i] = q->heap[least];
        i = least;
    }
    q->heap[i] = x;
}

weft_vid nx_queue_take(nx_queue *q) {
    weft_vid first = q->heap[0].v;
    q->count--;
    q->waits--;
    sink(q, 0, q->heap[q->count]);
    return first;
}

/* --- the buckets ----------------------------------------------------------------------------------------- */

bool nx_queue_open(nx_queue *q, uint64_t n, double largest) {
    *q = (nx_queue){.count = 0};
    uint64_t buckets = 64;
    while (buckets < MOST_BUCKETS && buckets * NODES_A_BUCKET < n) buckets *= 2;
    /* Waiting distances lie within the largest weight of each other: half of the ring. */
    double scale = largest > 0 ? (double)(buckets / 2) / largest : 0;
    if (buckets * NODES_A_BUCKET / 4 <= n && scale > 0 && isfinite(scale)) {
        q->buckets = calloc(buckets, sizeof *q->buckets);
        if (!q->buckets) return false;
        q->scale = scale;
        q->mask = buckets - 1;
    }
    return make_room(q, 1);
}

void nx_queue_close(nx_queue *q) {
    if (q->heap) free(q->heap - BEFORE_HEAP);
    for (size_t i = 0; i < q->block_count; i++) free(q->blocks[i]);
    free(q->buckets);
}

static bool more_chunks(nx_queue *q) {
    size_t count = (size_t)FIRST_BLOCK << q->block_count;
    nx_chunk *block = q->block_count < sizeof q->blocks / sizeof *q->blocks ? malloc(count * sizeof *block) : NULL;
    if (!block) return false;
    q->blocks[q->block_count++] = block;
    for (size_t i = 0; i < count; i++) {
        block[i].before = q->unused;
        q->unused = &block[i];
    }
    return true;
}

static bool put_aside(nx_queue *q, uint64_t slot, nx_entry x) {
    nx_bucket *b = &q->buckets[slot];
    if (!b->last || b->used == CHUNK) {
        if (!q->unused && !more_chunks(q)) return false;
        nx_chunk *chunk = q->unused;
        q->unused = chunk->before;
        chunk->before = b->last;
        b->last = chunk;
        b->used = 0;
        q->some[slot / 64] |= 1ull << slot % 64;
        q->words |= 1ull << slot / 64;
    }
    b->last->entry[b->used++] = x;
    return true;
}

/* Always within the ring. */
static uint64_t bucket_of(const nx_queue *q, double distance) {
    double place = distance * q->scale;
    uint64_t last = q->now + q->mask;
    return place < (double)last ? (uint64_t)place : last;
}

bool nx_queue_put(nx_queue *q, double distance, weft_vid v) {
    nx_entry x = {distance, q->numbers, v};
    uint64_t bucket = q->buckets ? bucket_of(q, distance) : 0;
    if (bucket <= q->now) {
        if (!make_room(q, q->count + 1)) return false;
        rise(q, q->count++, x);
    } else if (!put_aside(q, bucket & q->mask, x)) {
        return false;
    }
    q->numbers++;
    q->waits++;
    return true;
}

/* The next non-empty bucket of the ring; there must be one. */
static uint64_t next_slot(const nx_queue *q) {
    uint64_t slot = (q->now + 1) & q->mask;
    uint64_t rest = q->some[slot / 64] >> slot % 64;
    if (rest) return slot + (uint64_t)__builtin_ctzll(rest);
    uint64_t word = slot / 64 + 1, words = word < 64 ? q->words >> word << word : 0;
    word = (uint64_t)__builtin_ctzll(words ? words : q->words); /* wraps from the last to the first */
    return 64 * word + (uint64_t)__builtin_ctzll(q->some[word]);
}

bool nx_queue_ready(nx_queue *q, bool *fresh) {
    *fresh = false;
    if (q->count || !q->waits) return q->waits > 0;
    uint64_t slot = next_slot(q);
    nx_bucket *b = &q->buckets[slot];
    size_t size = b->used;
    for (nx_chunk *c = b->last->before; c; c = c->before) size += CHUNK;
    q->no_memory = !make_room(q, size);
    if (q->no_memory) return false;
    while (b->last) {
        nx_chunk *c = b->last;
        memcpy(q->heap + q->count, c->entry, b->used * sizeof *c->entry);
        q->count += b->used;
        b->last = c->before;
        b->used = CHUNK;
        c->before = q->unused;
        q->unused = c;
    }
    for (size_t i = q->count / CHILDREN + 1; i--;)
        if (i < q->count) sink(q, i, q->heap[i]);
    q->some[slot / 64] &= ~(1ull << slot % 64);
    if (!q->some[slot / 64]) q->words &= ~(1ull << slot / 64);
    q->now += (slot - q->now) & q->mask;
    *fresh = true;
    return true;
}
