/* Ranks over MPI, through host memory: compiled once for each MPI, since their ABIs differ (cmake/WeftPlugins.cmake).
 * MPI counts in int: longer data goes in messages of at most MOST bytes, and is never described by offsets of MPI.  MPI
 * waits by polling.  If a machine has more ranks than cores, the rank that the others wait for may not run before their
 * time slices end, so that each call takes milliseconds: there calls are started without blocking, and the core is
 * yielded until they are done. */
#include "core/transport.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1 << 30, TAG = 0x57ef, PATIENCE = 20 };

typedef struct end {
    MPI_Comm comm;
    int rank, size;
    int initialised; /* whether we initialised MPI */
    int crowded;     /* this machine has more ranks than cores for them */
} end;

static int wait_for(const end *e, MPI_Request *request) {
    MPI_Status status;
    if (!e->crowded) return MPI_Wait(request, &status);
    for (int tries = 0;; tries++) {
        int done = 0, code = MPI_Test(request, &done, &status);
        if (code || done) return code;
        if (tries < PATIENCE)
            sched_yield();
        else
            nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    }
}

/* A collective call: blocking, or if the machine is crowded as above. */
#define CALL(e, blocking, begun) ((e)->crowded ? begin((e), (begun), &request) : (blocking))
static int begin(const end *e, int code, MPI_Request *request) { return code ? code : wait_for(e, request); }

/* The next chunk of one direction of an exchange with one rank. */
static int chunk(uint64_t bytes, uint64_t done) { return bytes - done < MOST ? (int)(bytes - done) : MOST; }

static int allgather(void *self, void *all, const uint64_t *start) {
    const end *e = self;
    int code = MPI_SUCCESS;
    MPI_Request request;
    if (start[e->size] <= MOST) {
        int *counts = malloc(2 * (size_t)e->size * sizeof *counts), *places = counts + e->size;
        if (!counts) return MPI_ERR_NO_MEM;
        for (int r = 0; r < e->size; r++) {
            counts[r] = (int)(start[r + 1] - start[r]);
            places[r] = (int)start[r];
        }
        code = CALL(e, MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, all, counts, places, MPI_BYTE, e->comm),
                    MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, all, counts, places, MPI_BYTE, e->comm, &request));
        free(counts);
        return code;
    }
    for (int r = 0; r < e->size && !code; r++) {
        uint64_t bytes = start[r + 1] - start[r];
        for (uint64_t done = 0; done < bytes && !code; done += MOST) {
            char *at = (char *)all + start[r] + done;
            code = CALL(e, MPI_Bcast(at, chunk(bytes, done), MPI_BYTE, r, e->comm),
                        MPI_Ibcast(at, chunk(bytes, done), MPI_BYTE, r, e->comm, &request));
        }
    }
    return code;
}

/* Pairwise exchange: in step k with the rank k further on.  All receives are posted at the start: if few ranks exchange
 * data, each at another step, a rank would wait for a message, and others for its later messages. */
static int alltoall(void *self, const void *send, const uint64_t *send_start, void *receive,
                    const uint64_t *receive_start) {
    const end *e = self;
    int code = MPI_SUCCESS;
    size_t capacity = 0, pending = 0;
    uint64_t own = send_start[e->rank + 1] - send_start[e->rank];
    for (int r = 0; r < e->size; r++) capacity += (size_t)((receive_start[r + 1] - receive_start[r] + MOST - 1) / MOST);
    MPI_Request *coming = malloc((capacity + 1) * sizeof *coming), going;
    if (!coming) return MPI_ERR_NO_MEM;
    if (own) memcpy((char *)receive + receive_start[e->rank], (const char *)send + send_start[e->rank], (size_t)own);
    for (int k = 1; k < e->size && !code; k++) {
        int from = (e->rank + e->size - k) % e->size;
        uint64_t in = receive_start[from + 1] - receive_start[from];
        for (uint64_t done = 0; done < in && !code; done += MOST)
            code = MPI_Irecv((char *)receive + receive_start[from] + done, chunk(in, done), MPI_BYTE, from, TAG,
                             e->comm, &coming[pending++]);
    }
    for (int k = 1; k < e->size && !code; k++) {
        int to = (e->rank + k) % e->size;
        uint64_t out = send_start[to + 1] - send_start[to];
        for (uint64_t done = 0; done < out && !code; done += MOST) {
            code = MPI_Isend((const char *)send + send_start[to] + done, chunk(out, done), MPI_BYTE, to, TAG, e->comm,
                             &going);
            if (!code) code = wait_for(e, &going);
        }
    }
    for (size_t i = 0; i < pending && !code; i++) code = wait_for(e, &coming[i]);
    free(coming);
    return code;
}

static int reduce_scatter(void *self, const uint64_t *all, const uint64_t *start, uint64_t *mine) {
    const end *e = self;
    MPI_Request request;
    int code = MPI_SUCCESS, most = MOST / (int)sizeof *all;
    for (int r = 0; r < e->size && !code; r++) {
        uint64_t count = start[r + 1] - start[r];
        for (uint64_t done = 0; done < count && !code; done += (uint64_t)most) {
            int now = count - done < (uint64_t)most ? (int)(count - done) : most;
            const uint64_t *from = all + start[r] + done;
            uint64_t *to = r == e->rank ? mine + done : NULL;
            code = CALL(e, MPI_Reduce(from, to, now, MPI_UINT64_T, MPI_SUM, r, e->comm),
                        MPI_Ireduce(from, to, now, MPI_UINT64_T, MPI_SUM, r, e->comm, &request));
        }
    }
    return code;
}

/* MPICH 4.0 compares unsigned numbers as signed: flipping the highest bit makes that right. */
static void turn(uint64_t *values, size_t count) {
    for (size_t i = 0; i < count; i++) values[i] ^= (uint64_t)1 << 63;
}

static int reduce_all(const end *e, uint64_t *values, size_t count, MPI_Datatype type, MPI_Op op) {
    MPI_Request request;
    return CALL(e, MPI_Allreduce(MPI_IN_PLACE, values, (int)count, type, op, e->comm),
                MPI_Iallreduce(MPI_IN_PLACE, values, (int)count, type, op, e->comm, &request));
}

static int allreduce(void *self, uint64_t *values, size_t count, wfi_reduction how) {
    const end *e = self;
    if (how == WFI_SUM) return reduce_all(e, values, count, MPI_UINT64_T, MPI_SUM);
    turn(values, count);
    int code = reduce_all(e, values, count, MPI_INT64_T, how == WFI_MIN ? MPI_MIN : MPI_MAX);
    turn(values, count);
    return code;
}

static int barrier(void *self) {
    const end *e = self;
    MPI_Request request;
    return CALL(e, MPI_Barrier(e->comm), MPI_Ibarrier(e->comm, &request));
}

static void stop_all(void *self, int code) { MPI_Abort(((end *)self)->comm, code); }

static void close_end(void *self) {
    end *e = self;
    int gone = 0;
    MPI_Finalized(&gone);
    if (!gone) MPI_Comm_free(&e->comm);
    if (!gone && e->initialised) MPI_Finalize();
    free(e);
}

static void describe(char *text, size_t capacity) {
#ifdef OPEN_MPI
    snprintf(text, capacity, "Open MPI %d.%d.%d", OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION);
#else
    snprintf(text, capacity, "MPICH %s", MPICH_VERSION);
#endif
}

static const wfi_transport table = {allgather, alltoall, reduce_scatter, allreduce, barrier, stop_all, close_end};

/* The number of cores that any of the ranks may run on: each has its own, or all share the same. */
static int cores_of(MPI_Comm near) {
    enum { MASK = 1 << 16 };
    uint64_t *mask = calloc(MASK / 64, sizeof *mask);
    int count = 0, known = mask && !sched_getaffinity(0, MASK / 8, (cpu_set_t *)mask);
    MPI_Allreduce(MPI_IN_PLACE, &known, 1, MPI_INT, MPI_MIN, near);
    if (known && !MPI_Allreduce(MPI_IN_PLACE, mask, MASK / 64, MPI_UINT64_T, MPI_BOR, near))
        for (int i = 0; i < MASK / 64; i++) count += __builtin_popcountll(mask[i]);
    free(mask);
    return count ? count : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static int open_end(const void *communicator, int cores, wfi_link *link, char *why, size_t capacity) {
    int there = 0, level;
    MPI_Comm given = MPI_COMM_WORLD, near;
    end *e = calloc(1, sizeof *e);
    if (!e) {
        snprintf(why, capacity, "out of memory");
        return -1;
    }
    MPI_Initialized(&there);
    if (communicator) memcpy(&given, communicator, sizeof given);
    if (!there && communicator) {
        snprintf(why, capacity, "the communicator's MPI is not initialised");
        free(e);
        return -1;
    }
    int code = there ? MPI_SUCCESS : MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    e->initialised = !there && !code;
    /* A duplicate, so that the caller's messages and ours never meet. */
    if (!code) code = MPI_Comm_dup(given, &e->comm);
    if (code) {
        snprintf(why, capacity, "MPI cannot be initialised (error %d)", code);
        free(e);
        return -1;
    }
    MPI_Comm_set_errhandler(e->comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(e->comm, &e->rank);
    MPI_Comm_size(e->comm, &e->size);
    *link = (wfi_link){
        .rank = e->rank, .size = e->size, .local_size = 1, .local_cores = cores, .transport = &table, .self = e};
    if (!MPI_Comm_split_type(e->comm, MPI_COMM_TYPE_SHARED, e->rank, MPI_INFO_NULL, &near)) {
        MPI_Comm_rank(near, &link->local_rank);
        MPI_Comm_size(near, &link->local_size);
        link->local_cores = cores_of(near);
        MPI_Comm_free(&near);
    }
    if (cores < link->local_cores) link->local_cores = cores;
    e->crowded = link->local_size > link->local_cores;
    describe(link->name, sizeof link->name);
    return 0;
}

__attribute__((visibility("default"))) extern const wfi_plugin weft_plugin;
const wfi_plugin weft_plugin = {WFI_PLUGIN_VERSION, open_end, describe};
