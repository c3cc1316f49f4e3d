/* See comm.h. */
#include "core/comm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 512 /* bytes of a message that are sent to other ranks */ };

static bool alone(const wfi_comm *comm) { return comm->link.size == 1; }

/* Begins a collective call; returns the transport's handle. */
static void *enter(wfi_comm *comm) {
    wfi_comm_enter(comm);
    return comm->link.self;
}

/* Ends a collective call; `code` is its return value. */
static weft_status leave(weft_ctx *ctx, wfi_comm *comm, const char *what, int code) {
    wfi_comm_leave(comm);
    if (!code) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EIO, "%s failed in %s with error %d", comm->link.name, what, code);
}

weft_status wfi_allgather_figures(weft_ctx *ctx, void *all, const uint64_t *start) {
    wfi_comm *comm = wfi_ctx_comm(ctx);
    if (alone(comm)) return WEFT_OK;
    return leave(ctx, comm, "allgather", comm->link.transport->allgather(enter(comm), all, start));
}

weft_status wfi_allgather(weft_ctx *ctx, void *all, const uint64_t *start) {
    wfi_comm *comm = wfi_ctx_comm(ctx);
    const wfi_link *l = &comm->link;
    if (!alone(comm)) comm->sent += (start[l->rank + 1] - start[l->rank]) * (uint64_t)(l->size - 1);
    return wfi_allgather_figures(ctx, all, start);
}

static weft_status alltoall(weft_ctx *ctx, const void *send, const uint64_t *send_start, void *receive,
                            const uint64_t *receive_start) {
    wfi_comm *comm = wfi_ctx_comm(ctx);
    uint64_t own = send_start[1] - send_start[0];
    if (!alone(comm))
        return leave(ctx, comm, "alltoall",
                     comm->link.transport->alltoall(enter(comm), send, send_start, receive, receive_start));
    if (own) memcpy((char *)receive + receive_start[0], (const char *)send + send_start[0], (size_t)own);
    return WEFT_OK;
}

weft_status wfi_alltoall(weft_ctx *ctx, const void *send, const uint64_t *send_start, void *receive,
                         const uint64_t *receive_start) {
    wfi_comm *comm = wfi_ctx_comm(ctx);
    const wfi_link *l = &comm->link;
    uint64_t own = send_start[l->rank + 1] - send_start[l->rank];
    if (!alone(comm)) comm->sent += send_start[l->size] - send_start[0] - own;
    return alltoall(ctx, send, send_start, receive, receive_start);
}

weft_status wfi_alltoall_items(weft_ctx *ctx, size_t each, const void *send, const uint64_t *send_start, void *receive,
                               const uint64_t *receive_start) {
    const wfi_comm *comm = wfi_ctx_comm(ctx);
    int ends = comm->link.size + 1;
    uint64_t *go = comm->scratch, *come = go + ends;
    for (int r = 0; r < ends; r++) {
        go[r] = send_start[r] * each;
        come[r] = receive_start[r] * each;
    }
    return wfi_alltoall(ctx, send, go, receive, come);
}

weft_status wfi_reduce_scatter(weft_ctx *ctx, const uint64_t *all, const uint64_t *start, uint64_t *mine) {
    wfi_comm *comm = wfi_ctx_comm(ctx);
    const wfi_link *l = &comm->link;
    uint64_t own = start[l->rank + 1] - start[l->rank];
    if (alone(comm)) {
        if (own) memcpy(mine, all + start[0], (size_t)own * sizeof *all);
        return WEFT_OK;
    }
    comm->sent += (start[l->size] - own) * sizeof *all;
    return leave(ctx, comm, "reduce-scatter", l->transport->reduce_scatter(enter(comm), all, start, mine));
}

weft_status wfi_allreduce(weft_ctx *ctx, uint64_t *values, size_t count, wfi_reduction how) {
    wfi_comm *comm = wfi_ctx_comm(ctx);
    if (alone(comm)) return WEFT_OK;
    return leave(ctx, comm, "allreduce", comm->link.transport->allreduce(enter(comm), values, count, how));
}

weft_status wfi_allgather_u64(weft_ctx *ctx, uint64_t mine, uint64_t *all) {
    const wfi_comm *comm = wfi_ctx_comm(ctx);
    uint64_t *start = comm->scratch;
    all[comm->link.rank] = mine;
    if (alone(comm)) return WEFT_OK;
    for (int r = 0; r <= comm->link.size; r++) start[r] = (uint64_t)r * sizeof *all;
    return wfi_allgather_figures(ctx, all, start);
}

weft_status wfi_alltoall_u64(weft_ctx *ctx, const uint64_t *go, uint64_t *come) {
    const wfi_comm *comm = wfi_ctx_comm(ctx);
    uint64_t *start = comm->scratch;
    if (alone(comm)) {
        *come = *go;
        return WEFT_OK;
    }
    for (int r = 0; r <= comm->link.size; r++) start[r] = (uint64_t)r * sizeof *go;
    return alltoall(ctx, go, start, come, start);
}

weft_status wfi_receive_starts(weft_ctx *ctx, const uint64_t *send_start, uint64_t *receive_start) {
    const wfi_comm *comm = wfi_ctx_comm(ctx);
    int size = comm->link.size;
    uint64_t *go = comm->scratch + size + 1, *come = go + size; /* wfi_alltoall_u64 uses the scratch before this */
    if (alone(comm)) {
        receive_start[0] = 0;
        receive_start[1] = send_start[1] - send_start[0];
        return WEFT_OK;
    }
    for (int r = 0; r < size; r++) go[r] = send_start[r + 1] - send_start[r];
    weft_status st = wfi_alltoall_u64(ctx, go, come);
    receive_start[0] = 0;
    for (int r = 0; !st && r < size; r++) receive_start[r + 1] = receive_start[r] + come[r];
    return st;
}

/* Copies the message of rank `from` to every rank's `text`. */
static weft_status broadcast_message(weft_ctx *ctx, int from, char text[MESSAGE]) {
    const wfi_comm *comm = wfi_ctx_comm(ctx);
    uint64_t *start = comm->scratch;
    for (int r = 0; r <= comm->link.size; r++) start[r] = r > from ? MESSAGE : 0;
    if (comm->link.rank == from) snprintf(text, MESSAGE, "%s", weft_ctx_message(ctx));
    return wfi_allgather_figures(ctx, text, start);
}

weft_status wfi_agree(weft_ctx *ctx, weft_status mine) {
    const wfi_comm *comm = wfi_ctx_comm(ctx);
    char text[MESSAGE] = "";
    if (alone(comm)) return mine;
    /* The minimum of (rank, status) pairs is the first failed rank and its status. */
    uint64_t first = mine ? (uint64_t)comm->link.rank << 8 | (uint64_t)mine : UINT64_MAX;
    weft_status st = wfi_allreduce(ctx, &first, 1, WFI_MIN);
    if (st || first == UINT64_MAX) return st;
    int from = (int)(first >> 8);
    st = broadcast_message(ctx, from, text);
    if (st) return st;
    /* A message from an earlier wfi_agree already names its rank. */
    bool named = strncmp(text, "rank ", 5) == 0;
    if (comm->link.rank != from && named) wfi_fail(ctx, WEFT_EIO, "%s", text);
    if (comm->link.rank != from && !named) wfi_fail(ctx, WEFT_EIO, "rank %d: %s", from, text);
    return (weft_status)(first & 0xff);
}

weft_status wfi_agree_input(weft_ctx *ctx, weft_status mine) {
    weft_status st = wfi_agree(ctx, mine);
    const char *message = weft_ctx_message(ctx);
    int rank, length = 0;
    bool input = st == WEFT_EINPUT || st == WEFT_EINVAL || st == WEFT_EUNSUPPORTED;
    if (!input || sscanf(message, "rank %d: %n", &rank, &length) != 1 || !length) return st;
    char text[MESSAGE];
    snprintf(text, sizeof text, "%s", message + length);
    return wfi_fail(ctx, st, "%s", text);
}

/* --- the communicator of a context ---------------------------------------------------- */

wfi_comm *wfi_comm_new(const wfi_link *link) {
    wfi_comm *comm = calloc(1, sizeof *comm + WFI_COMM_SCRATCH(link->size) * sizeof *comm->scratch);
    if (!comm) {
        link->transport->close(link->self);
        return NULL;
    }
    comm->link = *link;
    comm->scratch = (uint64_t *)(comm + 1);
    return comm;
}

void wfi_comm_free(wfi_comm *comm) {
    if (!comm) return;
    if (comm->watch) comm->close_watch(comm->watch);
    if (comm->nccl) comm->close_nccl(comm->nccl);
    comm->link.transport->close(comm->link.self);
    free(comm);
}
