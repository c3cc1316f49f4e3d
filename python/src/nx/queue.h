/* A queue of waiting nodes: the nearest first, among equally near nodes the first that was put.  Needs: no distance is
 * put below that of the last node taken, nor above it by more than the largest weight; fewer than 2^32 are put.
 * Method: buckets of equal width by distance, as in [1]; only the nearest bucket is ordered, by a heap that fits the L1
 * cache.  If weights are so uneven that all nodes are in one bucket, that heap is the queue.
 * [1] E. V. Denardo, B. L. Fox, "Shortest-route methods: 1. Reaching, pruning, and buckets", Operations Research 27
 * (1979). */
#ifndef WEFT_NX_QUEUE_H
#define WEFT_NX_QUEUE_H

#include "binding.h"

/* 16 bytes, so that the four children of a heap entry are one cache line. */
typedef struct nx_entry {
    double distance;
    uint32_t number; /* in the order of putting */
    weft_vid v;
} nx_entry;

typedef struct nx_chunk nx_chunk;
typedef struct nx_bucket {
    nx_chunk *last; /* the chunk being filled; NULL: empty */
    size_t used;    /* entries of `last` */
} nx_bucket;

typedef struct nx_queue {
    nx_entry *heap; /* of bucket number `now` */
    size_t count, room;
    double scale;   /* from distances to bucket numbers; 0: one bucket */
    uint64_t now;   /* bucket number of the heap; the other buckets follow it, in a ring */
    uint64_t waits; /* nodes in all buckets */
    uint32_t numbers;
    nx_bucket *buckets; /* a power of two; NULL: one bucket */
    uint64_t mask;
    uint64_t some[64], words; /* a bit for each non-empty bucket; a bit for each non-zero word */
    nx_chunk *unused;
    void *blocks[40]; /* of chunks, each twice the size of the one before */
    size_t block_count;
    bool no_memory;
} nx_queue;

/* For about n nodes, and weights of 0 up to `largest`.  False: out of memory. */
bool nx_queue_open(nx_queue *q, uint64_t n, double largest);
void nx_queue_close(nx_queue *q);
/* False: out of memory. */
bool nx_queue_put(nx_queue *q, double distance, weft_vid v);
/* Is a node waiting?  False also if out of memory (no_memory).  If true, the heap is not empty afterwards; *fresh: it
 * is that of a new bucket. */
bool nx_queue_ready(nx_queue *q, bool *fresh);
/* Removes the first entry of the heap. */
weft_vid nx_queue_take(nx_queue *q);

#endif
