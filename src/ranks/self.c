/* See links.h.  A call in three steps: every rank publishes the addresses of its arguments; barrier; every rank copies
 * its part; barrier, after which the arguments may go.  Waiting threads sleep: there may be many more ranks than
 * cores. */
#include "ranks/links.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct shown {
    const void *data;
    const uint64_t *start;
} shown;

typedef struct hub {
    pthread_barrier_t barrier;
    _Atomic int open; /* ends */
    int size;
    shown at[];
} hub;

typedef struct end {
    hub *hub;
    int rank;
} end;

static void show(const end *e, const void *data, const uint64_t *start) {
    e->hub->at[e->rank] = (shown){data, start};
    pthread_barrier_wait(&e->hub->barrier);
}

static int meet(const end *e) {
    pthread_barrier_wait(&e->hub->barrier);
    return 0;
}

static int barrier(void *self) { return meet(self); }

/* Arrays of no bytes may be NULL, and NULL plus an offset is undefined. */
static void copy(void *to, uint64_t to_at, const void *from, uint64_t from_at, uint64_t bytes) {
    if (bytes) memcpy((char *)to + to_at, (const char *)from + from_at, (size_t)bytes);
}

static int allgather(void *self, void *all, const uint64_t *start) {
    const end *e = self;
    show(e, all, start);
    for (int r = 0; r < e->hub->size; r++)
        if (r != e->rank) copy(all, start[r], e->hub->at[r].data, start[r], start[r + 1] - start[r]);
    return meet(e);
}

static int alltoall(void *self, const void *send, const uint64_t *send_start, void *receive,
                    const uint64_t *receive_start) {
    const end *e = self;
    show(e, send, send_start);
    for (int r = 0; r < e->hub->size; r++) {
        const shown *from = &e->hub->at[r];
        uint64_t first = from->start[e->rank];
        copy(receive, receive_start[r], from->data, first, from->start[e->rank + 1] - first);
    }
    return meet(e);
}

static int reduce_scatter(void *self, const uint64_t *all, const uint64_t *start, uint64_t *mine) {
    const end *e = self;
    uint64_t first = start[e->rank], count = start[e->rank + 1] - first;
    show(e, all, start);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t sum = 0;
        for (int r = 0; r < e->hub->size; r++) sum += ((const uint64_t *)e->hub->at[r].data)[first + i];
        mine[i] = sum;
    }
    return meet(e);
}

static uint64_t reduced(uint64_t a, uint64_t b, wfi_reduction how) {
    if (how == WFI_SUM) return a + b;
    return (a < b) == (how == WFI_MIN) ? a : b;
}

/* All ranks read all values before any writes its own. */
static int allreduce(void *self, uint64_t *values, size_t count, wfi_reduction how) {
    enum { AT_ONCE = 1024 };
    const end *e = self;
    for (size_t done = 0; done < count; done += AT_ONCE) {
        uint64_t result[AT_ONCE];
        size_t now = count - done < AT_ONCE ? count - done : AT_ONCE;
        show(e, values, NULL);
        for (size_t i = 0; i < now; i++) {
            result[i] = ((const uint64_t *)e->hub->at[0].data)[done + i];
            for (int r = 1; r < e->hub->size; r++)
                result[i] = reduced(result[i], ((const uint64_t *)e->hub->at[r].data)[done + i], how);
        }
        meet(e);
        memcpy(values + done, result, now * sizeof *values);
    }
    return 0;
}

static void stop_all(void *self, int code) {
    (void)self;
    exit(code);
}

static void close_end(void *self) {
    end *e = self;
    hub *h = e->hub;
    free(e);
    if (--h->open) return;
    pthread_barrier_destroy(&h->barrier);
    free(h);
}

static const wfi_transport table = {allgather, alltoall, reduce_scatter, allreduce, barrier, stop_all, close_end};

int wfi_self_open(int ranks, wfi_link *links) {
    hub *h = malloc(sizeof *h + (size_t)ranks * sizeof *h->at);
    if (!h) return -1;
    pthread_barrier_init(&h->barrier, NULL, (unsigned)ranks);
    h->open = h->size = ranks;
    for (int r = 0; r < ranks; r++) {
        end *e = malloc(sizeof *e);
        if (!e) {
            while (r--) free(links[r].self);
            pthread_barrier_destroy(&h->barrier);
            free(h);
            return -1;
        }
        *e = (end){h, r};
        links[r] = (wfi_link){r, ranks, r, ranks, ranks, &table, e, "self"}; /* as if each rank had a core */
    }
    return 0;
}
