/* The communicator of a context: which rank it is, of how many, and the collective calls among them.
 * Every call is collective: all ranks make the same calls in the same order, so a step that may fail on one rank alone
 * ends with wfi_agree.  The bytes travel by a transport (core/transport.h), which src/ranks opens.  A context begins as
 * a communicator of one rank, which has no transport: its calls return at once and allocate nothing.
 * The names are MPI's.  Failures leave a message in the context, and bytes to other ranks are counted. */
#ifndef WFI_COMM_H
#define WFI_COMM_H

#include "core/core.h"
#include "core/transport.h"

WFI_C_BEGIN

typedef struct wfi_comm {
    wfi_link link; /* without a transport: the context is alone */
    uint64_t sent; /* bytes that other ranks were given: of vertices and arcs, not of what all ranks agree on */
    const uint64_t *weights;     /* how much of a graph each rank takes, against the others; NULL: all the same */
    int columns;                 /* of the grid that plans take; 0: they choose (ranks/grid.h) */
    double delay, bandwidth;     /* of links whose pace is known (ranks/links.h); 0: it is not */
    struct wfi_watched *watched; /* or NULL: nobody looks after the ranks */
    struct wfi_watch *watch;
    void (*close_watch)(struct wfi_watch *watch);
    char device_way[80]; /* between GPUs (ranks/device.h): "staged", "NCCL 2.28.3"; "" = none was asked for */
    struct wfi_nccl *nccl;
    void (*close_nccl)(struct wfi_nccl *nccl);
    uint64_t *scratch; /* WFI_COMM_SCRATCH numbers: collective calls allocate nothing, so that no rank misses one */
} wfi_comm;
#define WFI_COMM_SCRATCH(ranks) (4 * (size_t)(ranks) + 2)

/* The context's, never NULL. */
wfi_comm *wfi_ctx_comm(const weft_ctx *ctx);
/* Of an end of a transport, which it closes when it is freed; or NULL, and the end is closed.  The context takes it
 * over from wfi_ctx_set_comm on. */
wfi_comm *wfi_comm_new(const wfi_link *link);
void wfi_comm_free(wfi_comm *comm);
void wfi_ctx_set_comm(weft_ctx *ctx, wfi_comm *comm);

/* Did a launcher or a caller give the context a communicator, if only of one rank? */
static inline bool wfi_has_ranks(const weft_ctx *ctx) { return wfi_ctx_comm(ctx)->link.transport != NULL; }
static inline int wfi_rank(const weft_ctx *ctx) { return wfi_ctx_comm(ctx)->link.rank; }
static inline int wfi_ranks(const weft_ctx *ctx) { return wfi_ctx_comm(ctx)->link.size; }

/* all + start[r] ... start[r+1] (bytes) is rank r's: its own is there, and those of the others come. */
weft_status wfi_allgather(weft_ctx *ctx, void *all, const uint64_t *start);
/* send + send_start[r] ... (bytes) goes to rank r; what comes from it goes to receive + receive_start[r]. */
weft_status wfi_alltoall(weft_ctx *ctx, const void *send, const uint64_t *send_start, void *receive,
                         const uint64_t *receive_start);
/* The same, with starts in items of so many bytes. */
weft_status wfi_alltoall_items(weft_ctx *ctx, size_t each, const void *send, const uint64_t *send_start, void *receive,
                               const uint64_t *receive_start);
/* mine[i] = the sum of all[start[rank] + i] over all ranks; start counts elements. */
weft_status wfi_reduce_scatter(weft_ctx *ctx, const uint64_t *all, const uint64_t *start, uint64_t *mine);
/* values[i] becomes the sum, the least or the largest of all ranks' values[i]. */
weft_status wfi_allreduce(weft_ctx *ctx, uint64_t *values, size_t count, wfi_reduction how);

/* wfi_allgather of figures and tables, which are not counted as sent. */
weft_status wfi_allgather_figures(weft_ctx *ctx, void *all, const uint64_t *start);
/* One number of each rank, in the order of ranks. */
weft_status wfi_allgather_u64(weft_ctx *ctx, uint64_t mine, uint64_t *all);
/* A number from each rank to each: go[r] is for rank r, come[r] from it. */
weft_status wfi_alltoall_u64(weft_ctx *ctx, const uint64_t *go, uint64_t *come);
/* Where what others send begins, from what each rank sends to each: receive_start has ranks + 1 entries, counted in
 * what send_start is counted in. */
weft_status wfi_receive_starts(weft_ctx *ctx, const uint64_t *send_start, uint64_t *receive_start);

/* After work of each rank's own that may have failed: `mine` if all went well, else the status of the first rank that
 * failed, and its message after "rank 2: ".  The second: what is wrong with the input is reported as on one machine,
 * without the rank that found it. */
weft_status wfi_agree(weft_ctx *ctx, weft_status mine);
weft_status wfi_agree_input(weft_ctx *ctx, weft_status mine);

#ifndef __cplusplus /* as in core.h */
/* What a rank shows the others of its machine while it runs (ranks/watch.c). */
typedef struct wfi_watched {
    _Atomic int32_t rank, process;
    _Atomic uint64_t calls; /* collective ones that have returned */
    _Atomic uint64_t since; /* ms: when the one began that has not; 0: there is none */
    _Atomic int32_t left;   /* it ends as it should */
} wfi_watched;

/* Around a collective call, for the watch. */
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
