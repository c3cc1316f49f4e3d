/* See links.h.  A collective call sends its messages by a schedule first, without their bytes: each has a time of
 * arrival, and its receiver sleeps until then.  Then the bytes go by memory, as between other virtual ranks.  A rank's
 * port carries one message at a time in each direction.  Nobody starts together: who comes late to a call makes those
 * wait whose turn depends on it, as on a network.
 *
 * The schedules are the usual ones [1]: allgather by doubling distances, alltoall and reduce-scatter in pairs,
 * allreduce by recursive doubling.  What has no bytes is not sent.  cost.c has their costs as formulas.
 * [1] Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in MPICH", IJHPCA 19 (2005). */
#include "ranks/links.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

typedef struct letter {
    bool there;
    double arrives;
} letter;

typedef struct network {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    wfi_link_pace pace;
    int size;
    _Atomic int open;       /* ends */
    double *out_at, *in_at; /* of each rank's port: free from then on */
    letter *from_to;        /* size x size */
} network;

typedef struct end {
    network *net;
    wfi_link inner;
} end;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_until(double when) {
    struct timespec t = {.tv_sec = (time_t)when};
    t.tv_nsec = (long)(1e9 * (when - (double)t.tv_sec));
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL)) {}
}

static double later(double a, double b) { return a > b ? a : b; }

/* When it arrives. */
static double send_to(const end *e, int to, uint64_t bytes) {
    network *n = e->net;
    int me = e->inner.rank;
    letter *l = &n->from_to[(size_t)me * (size_t)n->size + (size_t)to];
    double takes = n->pace.bandwidth > 0 ? (double)bytes / n->pace.bandwidth : 0;
    pthread_mutex_lock(&n->lock);
    while (l->there) pthread_cond_wait(&n->changed, &n->lock);
    n->out_at[me] = later(now(), n->out_at[me]) + takes;
    n->in_at[to] = later(n->out_at[me] + n->pace.delay, n->in_at[to] + takes);
    *l = (letter){true, n->in_at[to]};
    double arrives = l->arrives;
    pthread_cond_broadcast(&n->changed);
    pthread_mutex_unlock(&n->lock);
    return arrives;
}

static void receive_from(const end *e, int from) {
    network *n = e->net;
    letter *l = &n->from_to[(size_t)from * (size_t)n->size + (size_t)e->inner.rank];
    pthread_mutex_lock(&n->lock);
    while (!l->there) pthread_cond_wait(&n->changed, &n->lock);
    double arrives = l->arrives;
    l->there = false;
    pthread_cond_broadcast(&n->changed);
    pthread_mutex_unlock(&n->lock);
    sleep_until(arrives);
}

/* A step of a schedule: either may be nothing. */
static void swap(const end *e, int to, uint64_t goes, int from, uint64_t comes) {
    if (goes) send_to(e, to, goes);
    if (comes) receive_from(e, from);
}

/* --- schedules -------------------------------------------------------------------------- */

/* Bytes of the blocks of `count` ranks from `first` on, around the end. */
static uint64_t blocks(const uint64_t *start, int ranks, int first, int count) {
    uint64_t bytes = 0;
    for (int i = 0; i < count; i++) {
        int r = (first + i) % ranks;
        bytes += start[r + 1] - start[r];
    }
    return bytes;
}

/* At distance d a rank has d blocks, its own first, and gives them to the one before it. */
static void pace_allgather(const end *e, const uint64_t *start) {
    int me = e->inner.rank, ranks = e->inner.size;
    for (int d = 1; d < ranks; d *= 2) {
        int count = d < ranks - d ? d : ranks - d, from = (me + d) % ranks;
        swap(e, (me - d + ranks) % ranks, blocks(start, ranks, me, count), from, blocks(start, ranks, from, count));
    }
}

/* In step s a rank sends to the one s after it, when what it sent before has arrived; what it receives it does not wait
 * for, since in a call among few of the ranks others would wait for that in turn.  Both starts are in units of `each`
 * bytes. */
static void pace_pairs(const end *e, const uint64_t *go, const uint64_t *come, uint64_t each) {
    int me = e->inner.rank, ranks = e->inner.size;
    for (int s = 1; s < ranks; s++) {
        int to = (me + s) % ranks;
        if (go[to + 1] > go[to]) sleep_until(send_to(e, to, (go[to + 1] - go[to]) * each));
    }
    for (int s = 1; s < ranks; s++) {
        int from = (me - s + ranks) % ranks;
        if (come ? come[from + 1] > come[from] : go[me + 1] > go[me]) receive_from(e, from);
    }
}

/* The ranks beyond a power of two give what they have to another first, and get the result in the end. */
static void pace_allreduce(const end *e, uint64_t bytes) {
    int me = e->inner.rank, ranks = e->inner.size, power = 1;
    while (2 * power <= ranks) power *= 2;
    int beyond = ranks - power;
    if (me >= power) {
        swap(e, me - power, bytes, me - power, bytes);
        return;
    }
    if (me < beyond) receive_from(e, me + power);
    for (int d = 1; d < power; d *= 2) swap(e, me ^ d, bytes, me ^ d, bytes);
    if (me < beyond) send_to(e, me + power, bytes);
}

/* --- the table -------------------------------------------------------------------------- */

static int allgather(void *self, void *all, const uint64_t *start) {
    const end *e = self;
    pace_allgather(e, start);
    return e->inner.transport->allgather(e->inner.self, all, start);
}

static int alltoall(void *self, const void *send, const uint64_t *send_start, void *receive,
                    const uint64_t *receive_start) {
    const end *e = self;
    pace_pairs(e, send_start, receive_start, 1);
    return e->inner.transport->alltoall(e->inner.self, send, send_start, receive, receive_start);
}

static int reduce_scatter(void *self, const uint64_t *all, const uint64_t *start, uint64_t *mine) {
    const end *e = self;
    pace_pairs(e, start, NULL, sizeof *all);
    return e->inner.transport->reduce_scatter(e->inner.self, all, start, mine);
}

static int allreduce(void *self, uint64_t *values, size_t count, wfi_reduction how) {
    const end *e = self;
    if (count) pace_allreduce(e, count * sizeof *values);
    return e->inner.transport->allreduce(e->inner.self, values, count, how);
}

static int barrier(void *self) {
    const end *e = self;
    pace_allreduce(e, 1);
    return e->inner.transport->barrier(e->inner.self);
}

static void stop_all(void *self, int code) {
    const end *e = self;
    e->inner.transport->abort(e->inner.self, code);
}

static void network_free(network *n) {
    pthread_mutex_destroy(&n->lock);
    pthread_cond_destroy(&n->changed);
    free(n->out_at);
    free(n->from_to);
    free(n);
}

static void close_end(void *self) {
    end *e = self;
    network *n = e->net;
    e->inner.transport->close(e->inner.self);
    free(e);
    if (!--n->open) network_free(n);
}

static const wfi_transport table = {allgather, alltoall, reduce_scatter, allreduce, barrier, stop_all, close_end};

int wfi_paced_open(int ranks, wfi_link_pace pace, wfi_link *links) {
    size_t size = (size_t)ranks;
    network *n = calloc(1, sizeof *n);
    end **ends = calloc(size, sizeof *ends);
    bool whole = n && ends;
    if (n) {
        pthread_mutex_init(&n->lock, NULL);
        pthread_cond_init(&n->changed, NULL);
        n->pace = pace;
        n->open = n->size = ranks;
        n->out_at = calloc(2 * size, sizeof *n->out_at);
        n->from_to = calloc(size * size, sizeof *n->from_to);
        n->in_at = n->out_at ? n->out_at + size : NULL;
        whole = whole && n->out_at && n->from_to;
    }
    for (int r = 0; whole && r < ranks; r++) whole = (ends[r] = malloc(sizeof *ends[r])) != NULL;
    whole = whole && wfi_self_open(ranks, links) == 0;
    for (int r = 0; r < ranks && ends; r++) {
        if (!whole) {
            free(ends[r]);
            continue;
        }
        *ends[r] = (end){n, links[r]};
        links[r].transport = &table;
        links[r].self = ends[r];
    }
    free(ends);
    if (!whole && n) network_free(n);
    return whole ? 0 : -1;
}
