/* The communicator of a context: its rank, the number of ranks, and their collective calls.
 * Every call is collective: all ranks make the same calls in the same order, so a step that may fail on a single rank
 * ends with wfi_agree. Bytes travel by a transport (core/transport.h), which src/ranks opens. A context begins as a
 * communicator of one rank without a transport: its calls return at once and allocate nothing.
 * Names are MPI's. A failed call leaves a message in the context; bytes sent to other ranks are counted. */
#ifndef WFI_COMM_H
#define WFI_COMM_H

#include "core/core.h"
#include "core/transport.h"

WFI_C_BEGIN

typedef struct wfi_comm {
    wfi_link link; /* without a transport the context is the only rank */
    uint64_t sent; /* bytes of vertices and arcs sent to other ranks, without figures (wfi_allgather_figures) */
    const uint64_t *weights;     /* each rank's share of a graph in proportion to the others; NULL: equal shares */
    int columns;                 /* columns of the grid of plans; 0: plans choose (ranks/grid.h) */
    double delay, bandwidth;     /* latency and bandwidth of the links (ranks/links.h); 0: unknown */
    struct wfi_watched *watched; /* NULL: no watchdog */
    struct wfi_watch *watch;
    void (*close_watch)(struct wfi_watch *watch);
    char device_way[80]; /* transport between GPUs (ranks/device.h): "staged", "NCCL 2.28.3"; "" if unused */
    struct wfi_nccl *nccl;
    void (*close_nccl)(struct wfi_nccl *nccl);
    uint64_t *scratch; /* WFI_COMM_SCRATCH numbers: collective calls allocate nothing, so that no rank can fail alone */
} wfi_comm;
#define WFI_COMM_SCRATCH(ranks) (4 * (size_t)(ranks) + 2)

/* The context's communicator, never NULL. */
wfi_comm *wfi_ctx_comm(const weft_ctx *ctx);
/* Makes a communicator that owns the transport's end `link` and closes it. NULL if memory runs out; then the end is
 * closed. The context owns the communicator after wfi_ctx_set_comm. */
wfi_comm *wfi_comm_new(const wfi_link *link);
void wfi_comm_free(wfi_comm *comm);
void wfi_ctx_set_comm(weft_ctx *ctx, wfi_comm *comm);

/* True if a launcher or a caller gave the context a communicator, even one of a single rank. */
static inline bool wfi_has_ranks(const weft_ctx *ctx) { return wfi_ctx_comm(ctx)->link.transport != NULL; }
static inline int wfi_rank(const weft_ctx *ctx) { return wfi_ctx_comm(ctx)->link.rank; }
static inline int wfi_ranks(const weft_ctx *ctx) { return wfi_ctx_comm(ctx)->link.size; }

/* Gathers parts of all ranks: all + start[r] ... start[r+1] (bytes) is rank r's part. Needs the own part in place. */
weft_status wfi_allgather(weft_ctx *ctx, void *all, const uint64_t *start);
/* Sends send + send_start[r] ... (bytes) to rank r; receives from it at receive + receive_start[r]. */
weft_status wfi_alltoall(weft_ctx *ctx, const void *send, const uint64_t *send_start, void *receive,
                         const uint64_t *receive_start);
/* wfi_alltoall with starts in items of `each` bytes. */
weft_status wfi_alltoall_items(weft_ctx *ctx, size_t each, const void *send, const uint64_t *send_start, void *receive,
                               const uint64_t *receive_start);
/* mine[i] = sum over all ranks of all[start[rank] + i]; start counts elements. */
weft_status wfi_reduce_scatter(weft_ctx *ctx, const uint64_t *all, const uint64_t *start, uint64_t *mine);
/* Reduces values[i] over all ranks: sum, minimum or maximum. */
weft_status wfi_allreduce(weft_ctx *ctx, uint64_t *values, size_t count, wfi_reduction how);

/* wfi_allgather of figures and tables, not counted in `sent`. */
weft_status wfi_allgather_figures(weft_ctx *ctx, void *all, const uint64_t *start);
/* Gathers one number per rank, in the order of ranks. */
weft_status wfi_allgather_u64(weft_ctx *ctx, uint64_t mine, uint64_t *all);
/* Exchanges one number per pair of ranks: go[r] is sent to rank r, come[r] received from it. */
weft_status wfi_alltoall_u64(weft_ctx *ctx, const uint64_t *go, uint64_t *come);
/* Computes receive_start from every rank's send_start, in the same unit; ranks + 1 entries each. */
weft_status wfi_receive_starts(weft_ctx *ctx, const uint64_t *send_start, uint64_t *receive_start);

/* Agrees on a status after work that may have failed on one rank: the status of the first failed rank, with its
 * message after "rank 2: ". wfi_agree_input reports faults of the input without the rank that found them, as on one
 * machine. */
weft_status wfi_agree(weft_ctx *ctx, weft_status mine);
weft_status wfi_agree_input(weft_ctx *ctx, weft_status mine);

#ifndef __cplusplus /* as in core.h */
/* State of a rank that the other ranks of its machine watch (ranks/watch.c). */
typedef struct wfi_watched {
    _Atomic int32_t rank, process;
    _Atomic uint64_t calls; /* collective calls that have returned */
    _Atomic uint64_t since; /* start of the current collective call (ms), 0 if there is none */
    _Atomic int32_t left;   /* the rank ends regularly */
} wfi_watched;

/* Begin and end of a collective call, for the watchdog. */
static inline void wfi_comm_enter(wfi_comm *comm) {
    if (comm->watched) atomic_store(&comm->watched->since, (uint64_t)wfi_now_ms() + 1);
}
static inline void wfi_comm_leave(wfi_comm *comm) {
    if (!comm->watched) return;
    atomic_store(&comm->watched->since, 0);
    atomic_fetch_add(&comm->watched->calls, 1);
}
#endif

WFI_C_END
#endif
