/* See comm.h. */
#include "ranks/comm.h"

#include "core/guest.h"
#include "core/together.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOLD = 512 /* bytes of a message that travel */ };

/* The end of the transport; a call begins. */
static void *enter(wfi_comm *comm) {
    wfi_watch_enter(comm->watch);
    return comm->link.self;
}

/* It has returned this. */
static weft_status leave(weft_ctx *ctx, wfi_comm *comm, const char *what, int code) {
    wfi_watch_leave(comm->watch);
    if (!code) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EIO, "%s failed in %s with error %d", comm->link.name, what, code);
}

weft_status wfi_allgather_figures(weft_ctx *ctx, wfi_comm *comm, void *all, const uint64_t *start) {
    return leave(ctx, comm, "allgather", comm->link.transport->allgather(enter(comm), all, start));
}

weft_status wfi_allgather(weft_ctx *ctx, wfi_comm *comm, void *all, const uint64_t *start) {
    const wfi_link *l = &comm->link;
    comm->sent += (start[l->rank + 1] - start[l->rank]) * (uint64_t)(l->size - 1);
    return wfi_allgather_figures(ctx, comm, all, start);
}

weft_status wfi_alltoall(weft_ctx *ctx, wfi_comm *comm, const void *send, const uint64_t *send_start, void *receive,
                         const uint64_t *receive_start) {
    const wfi_link *l = &comm->link;
    uint64_t own = send_start[l->rank + 1] - send_start[l->rank];
    comm->sent += send_start[l->size] - send_start[0] - own;
    return leave(ctx, comm, "alltoall", l->transport->alltoall(enter(comm), send, send_start, receive, receive_start));
}

weft_status wfi_reduce_scatter(weft_ctx *ctx, wfi_comm *comm, const uint64_t *all, const uint64_t *start,
                               uint64_t *mine) {
    const wfi_link *l = &comm->link;
    uint64_t own = start[l->rank + 1] - start[l->rank];
    comm->sent += (start[l->size] - own) * sizeof *all;
    return leave(ctx, comm, "reduce-scatter", l->transport->reduce_scatter(enter(comm), all, start, mine));
}

weft_status wfi_allreduce(weft_ctx *ctx, wfi_comm *comm, uint64_t *values, size_t count, wfi_reduction how) {
    const wfi_link *l = &comm->link;
    return leave(ctx, comm, "allreduce", l->transport->allreduce(enter(comm), values, count, how));
}

weft_status wfi_allgather_u64(weft_ctx *ctx, wfi_comm *comm, uint64_t mine, uint64_t *all) {
    uint64_t *start = comm->scratch;
    for (int r = 0; r <= comm->link.size; r++) start[r] = (uint64_t)r * sizeof *all;
    all[comm->link.rank] = mine;
    return wfi_allgather_figures(ctx, comm, all, start);
}

weft_status wfi_alltoall_u64(weft_ctx *ctx, wfi_comm *comm, const uint64_t *go, uint64_t *come) {
    uint64_t *start = comm->scratch;
    for (int r = 0; r <= comm->link.size; r++) start[r] = (uint64_t)r * sizeof *go;
    return leave(ctx, comm, "alltoall", comm->link.transport->alltoall(enter(comm), go, start, come, start));
}

weft_status wfi_receive_starts(weft_ctx *ctx, wfi_comm *comm, const uint64_t *send_start, uint64_t *receive_start) {
    int size = comm->link.size;
    uint64_t *go = comm->scratch + size + 1, *come = go + size; /* behind what the call takes */
    for (int r = 0; r < size; r++) go[r] = send_start[r + 1] - send_start[r];
    weft_status st = wfi_alltoall_u64(ctx, comm, go, come);
    receive_start[0] = 0;
    for (int r = 0; !st && r < size; r++) receive_start[r + 1] = receive_start[r] + come[r];
    return st;
}

/* The message of rank `from` in everybody's `text`. */
static weft_status tell_all(weft_ctx *ctx, wfi_comm *comm, int from, char text[TOLD]) {
    uint64_t *start = comm->scratch;
    for (int r = 0; r <= comm->link.size; r++) start[r] = r > from ? TOLD : 0;
    if (comm->link.rank == from) snprintf(text, TOLD, "%s", weft_ctx_message(ctx));
    return wfi_allgather_figures(ctx, comm, text, start);
}

weft_status wfi_agree(weft_ctx *ctx, wfi_comm *comm, weft_status mine) {
    if (!comm) return mine;
    char text[TOLD] = "";
    /* The first rank that failed, with its status: the minimum of the pairs. */
    uint64_t first = mine ? (uint64_t)comm->link.rank << 8 | (uint64_t)mine : UINT64_MAX;
    weft_status st = wfi_allreduce(ctx, comm, &first, 1, WFI_MIN);
    if (st || first == UINT64_MAX) return st;
    int from = (int)(first >> 8);
    st = tell_all(ctx, comm, from, text);
    if (st) return st;
    /* What was agreed on before names its rank. */
    bool named = strncmp(text, "rank ", 5) == 0;
    if (comm->link.rank != from && named) wfi_fail(ctx, WEFT_EIO, "%s", text);
    if (comm->link.rank != from && !named) wfi_fail(ctx, WEFT_EIO, "rank %d: %s", from, text);
    return (weft_status)(first & 0xff);
}

/* --- in a context -------------------------------------------------------------------- */

wfi_comm *wfi_comm_new(const wfi_link *link) {
    wfi_comm *comm = calloc(1, sizeof *comm + (4 * (size_t)link->size + 2) * sizeof *comm->scratch);
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
    wfi_watch_free(comm->watch);
    if (comm->nccl) comm->close_nccl(comm->nccl);
    comm->link.transport->close(comm->link.self);
    free(comm);
}

wfi_comm *wfi_ctx_comm(const weft_ctx *ctx) { return wfi_ctx_seat((weft_ctx *)(uintptr_t)ctx)->comm; }

/* --- for rooms below (core/together.h) -------------------------------------------------- */

static weft_status sum_of_all(weft_ctx *ctx, uint64_t *values, size_t count) {
    return wfi_allreduce(ctx, wfi_ctx_comm(ctx), values, count, WFI_SUM);
}

static weft_status least_of_all(weft_ctx *ctx, uint64_t *values, size_t count) {
    return wfi_allreduce(ctx, wfi_ctx_comm(ctx), values, count, WFI_MIN);
}

static weft_status most_of_all(weft_ctx *ctx, uint64_t *values, size_t count) {
    return wfi_allreduce(ctx, wfi_ctx_comm(ctx), values, count, WFI_MAX);
}

static weft_status gather(weft_ctx *ctx, void *all, const uint64_t *start) {
    return wfi_allgather(ctx, wfi_ctx_comm(ctx), all, start);
}

static weft_status exchange(weft_ctx *ctx, const void *send, const uint64_t *send_start, void *receive,
                            const uint64_t *receive_start) {
    return wfi_alltoall(ctx, wfi_ctx_comm(ctx), send, send_start, receive, receive_start);
}

static weft_status starts(weft_ctx *ctx, const uint64_t *send_start, uint64_t *receive_start) {
    return wfi_receive_starts(ctx, wfi_ctx_comm(ctx), send_start, receive_start);
}

static weft_status agree(weft_ctx *ctx, weft_status mine) { return wfi_agree(ctx, wfi_ctx_comm(ctx), mine); }

static const wfi_together calls = {sum_of_all, least_of_all, most_of_all, gather, exchange, starts, agree};

void wfi_ctx_seat_at(weft_ctx *ctx, wfi_comm *comm) {
    wfi_seat *seat = wfi_ctx_seat(ctx);
    if (seat->comm) wfi_comm_free(seat->comm);
    *seat = (wfi_seat){comm, wfi_comm_free, comm->link.rank, comm->link.size, &calls};
}
