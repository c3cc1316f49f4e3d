/* Ranks that share a run: what algorithms call.  See transport.h for what each call does; here failures have a message,
 * and bytes are counted. */
#ifndef WFI_COMM_H
#define WFI_COMM_H

#include "core/core.h"
#include "ranks/transport.h"
#include "ranks/watch.h"

typedef struct wfi_comm {
    wfi_link link;
    uint64_t sent; /* bytes that other ranks were given: of vertices and arcs, not of what all ranks agree on */
    const uint64_t *weights; /* how much of a graph each rank takes, against the others; NULL: all the same */
    int columns;             /* of the grid that plans take; 0: they choose (grid.h) */
    double delay, bandwidth; /* of links whose pace is known (paced.h); 0: it is not */
    wfi_watch *watch;        /* or NULL: nobody looks after the ranks */
    char device_way[80];     /* between GPUs (device.h): "staged", "NCCL 2.28.3"; "" = none was asked for */
    struct wfi_nccl *nccl;
    void (*close_nccl)(struct wfi_nccl *nccl);
    uint64_t *scratch; /* 4 numbers a rank, and 2: collective calls allocate nothing, so that no rank misses one */
} wfi_comm;

/* The context's; NULL: there is one rank. */
wfi_comm *wfi_ctx_comm(const weft_ctx *ctx);
/* Of an end of a transport, which it closes when it is freed; or NULL, and the end is closed.  The context takes it
 * over from wfi_ctx_seat_at on. */
wfi_comm *wfi_comm_new(const wfi_link *link);
void wfi_comm_free(wfi_comm *comm);
void wfi_ctx_seat_at(weft_ctx *ctx, wfi_comm *comm);

weft_status wfi_allgather(weft_ctx *ctx, wfi_comm *comm, void *all, const uint64_t *start);
weft_status wfi_alltoall(weft_ctx *ctx, wfi_comm *comm, const void *send, const uint64_t *send_start, void *receive,
                         const uint64_t *receive_start);
weft_status wfi_reduce_scatter(weft_ctx *ctx, wfi_comm *comm, const uint64_t *all, const uint64_t *start,
                               uint64_t *mine);
weft_status wfi_allreduce(weft_ctx *ctx, wfi_comm *comm, uint64_t *values, size_t count, wfi_reduction how);

/* wfi_allgather of figures and tables, which are not counted as sent. */
weft_status wfi_allgather_figures(weft_ctx *ctx, wfi_comm *comm, void *all, const uint64_t *start);
/* A number from each rank to each: go[r] is for rank r, come[r] from it. */
weft_status wfi_alltoall_u64(weft_ctx *ctx, wfi_comm *comm, const uint64_t *go, uint64_t *come);
/* One number of each rank, in the order of ranks. */
weft_status wfi_allgather_u64(weft_ctx *ctx, wfi_comm *comm, uint64_t mine, uint64_t *all);

/* Where what others send begins, from what each rank sends to each: receive_start has size + 1 entries, counted in what
 * send_start is counted in. */
weft_status wfi_receive_starts(weft_ctx *ctx, wfi_comm *comm, const uint64_t *send_start, uint64_t *receive_start);

/* After work of each rank's own that may have failed: `mine` if all went well, else the status of the first rank that
 * failed, and its message after "rank 2: ".  comm NULL: mine. */
weft_status wfi_agree(weft_ctx *ctx, wfi_comm *comm, weft_status mine);

#endif
