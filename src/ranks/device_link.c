/* See device.h. */
#include "ranks/device.h"

#include "core/guest.h"
#include "core/machine.h"
#include "cuda/device.h"
#include "cuda/nccl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

weft_status wfi_device_agree(weft_ctx *ctx, wfi_comm *comm, weft_status mine) {
    weft_status st = wfi_agree(ctx, comm, mine);
    return st == WEFT_ECANCELLED ? wfi_fail_cancelled(ctx) : st;
}

weft_status wfi_device_count(weft_ctx *ctx, uint64_t *there, uint64_t rest, uint64_t *value) {
    weft_status st = wfi_download(ctx, value, there, sizeof *value);
    if (st) return st;
    return rest ? wfi_upload(ctx, there, &rest, sizeof rest) : wfi_device_fill(ctx, there, 0, sizeof rest);
}

/* --- which way ---------------------------------------------------------------------------- */

/* The ranks find each other by what the first one has made. */
static weft_status open_nccl(weft_ctx *ctx, wfi_comm *comm) {
    char id[WFI_NCCL_ID] = {0};
    int ranks = comm->link.size, me = comm->link.rank;
    uint64_t *start = comm->scratch;
    weft_status st = wfi_agree(ctx, comm, me ? WEFT_OK : wfi_nccl_id(ctx, id));
    if (st) return st;
    start[0] = 0;
    for (int r = 1; r <= ranks; r++) start[r] = sizeof id;
    st = wfi_allgather_figures(ctx, comm, id, start);
    if (st) return st;
    wfi_watch_enter(comm->watch);
    st = wfi_nccl_open(ctx, id, me, ranks, &comm->nccl);
    wfi_watch_leave(comm->watch);
    st = wfi_agree(ctx, comm, st);
    if (!st) return WEFT_OK;
    wfi_nccl_close(comm->nccl);
    comm->nccl = NULL;
    return st;
}

weft_status wfi_device_open(weft_ctx *ctx, wfi_comm *comm) {
    char version[64], why[256];
    bool must, must_not, each;
    if (*comm->device_way) return WEFT_OK;
    weft_status st = wfi_agree(ctx, comm, wfi_device_way(ctx, &must, &must_not));
    if (!st) st = wfi_device_each(ctx, comm, &each, why, sizeof why);
    if (st) return st;
    uint64_t found = wfi_nccl_found(version, sizeof version);
    if (must && !found) st = wfi_fail(ctx, WEFT_EDEVICE, "no NCCL: %s", version);
    st = wfi_agree(ctx, comm, st);
    /* Whatever the environment of each says, all take the same way. */
    uint64_t tries = must || (found && !must_not && each && strcmp(comm->link.name, "self") != 0);
    if (!st) st = wfi_allreduce(ctx, comm, &tries, 1, WFI_MIN);
    if (st) return st;
    if (tries) {
        st = open_nccl(ctx, comm);
        if (st && must) return st;
        if (!st) snprintf(comm->device_way, sizeof comm->device_way, "NCCL %.60s", version);
    }
    if (!comm->nccl) snprintf(comm->device_way, sizeof comm->device_way, "staged");
    comm->close_nccl = wfi_nccl_close;
    return WEFT_OK;
}

bool wfi_device_pick(weft_ctx *ctx, const wfi_comm *comm, char *why, size_t room) {
    wfi_guest *guest = wfi_ctx_guest(ctx);
    int devices = wfi_cuda_devices(why, room);
    if (!devices) return false;
    int index = comm->link.local_rank % devices;
    if (guest->index || index == guest->index) return true;
    wfi_ctx_part_gpu(ctx);
    guest->index = index;
    guest->stream = NULL;
    return true;
}

weft_status wfi_device_each(weft_ctx *ctx, wfi_comm *comm, bool *each, char *why, size_t room) {
    char none[256] = "no GPU is seen";
    bool seen = wfi_cuda_started() || wfi_cuda_pretended() || wfi_gpu_seen("");
    int devices = seen ? wfi_cuda_devices(none, sizeof none) : 0;
    uint64_t all[] = {devices >= comm->link.local_size, devices > 0};
    weft_status st = wfi_allreduce(ctx, comm, all, 2, WFI_MIN);
    *each = !st && all[0];
    if (all[1])
        snprintf(why, room, "several ranks would share a GPU");
    else
        snprintf(why, room, "%.200s", devices ? "not every rank has a GPU" : none);
    return st;
}

/* --- calls ----------------------------------------------------------------------------------- */

/* NCCL cannot take part for a rank that has failed: all know before it is called.  False: some rank has, and *st says
 * so. */
static bool all_well(weft_ctx *ctx, wfi_comm *comm, weft_status mine, weft_status *st) {
    *st = wfi_device_agree(ctx, comm, mine);
    if (!*st) wfi_watch_enter(comm->watch);
    return !*st;
}

static weft_status after(weft_ctx *ctx, wfi_comm *comm, weft_status st) {
    wfi_watch_leave(comm->watch);
    return wfi_device_agree(ctx, comm, st);
}

weft_status wfi_device_allgather(weft_ctx *ctx, wfi_comm *comm, weft_status mine, void *there, void *here,
                                 const uint64_t *start) {
    const wfi_link *l = &comm->link;
    uint64_t from = start[l->rank], to = start[l->rank + 1];
    weft_status st;
    if (comm->nccl) {
        if (!all_well(ctx, comm, mine, &st)) return st;
        comm->sent += (to - from) * (uint64_t)(l->size - 1);
        return after(ctx, comm, wfi_nccl_allgather(ctx, comm->nccl, there, start));
    }
    if (!mine && to > from) mine = wfi_download(ctx, (char *)here + from, (const char *)there + from, to - from);
    st = wfi_allgather(ctx, comm, here, start);
    if (st) return st;
    if (!mine && from > start[0])
        mine = wfi_upload(ctx, (char *)there + start[0], (const char *)here + start[0], from - start[0]);
    if (!mine && start[l->size] > to)
        mine = wfi_upload(ctx, (char *)there + to, (const char *)here + to, start[l->size] - to);
    return wfi_device_agree(ctx, comm, mine);
}

weft_status wfi_device_alltoall(weft_ctx *ctx, wfi_comm *comm, weft_status mine, const void *send, void *send_here,
                                const uint64_t *send_start, void *receive, void *receive_here,
                                const uint64_t *receive_start) {
    const wfi_link *l = &comm->link;
    uint64_t first = send_start[0], go = send_start[l->size] - first, base = receive_start[0],
             come = receive_start[l->size] - base;
    weft_status st;
    if (comm->nccl) {
        if (!all_well(ctx, comm, mine, &st)) return st;
        comm->sent += go - (send_start[l->rank + 1] - send_start[l->rank]);
        return after(ctx, comm, wfi_nccl_alltoall(ctx, comm->nccl, send, send_start, receive, receive_start));
    }
    if (!mine && go) mine = wfi_download(ctx, (char *)send_here + first, (const char *)send + first, go);
    st = wfi_alltoall(ctx, comm, send_here, send_start, receive_here, receive_start);
    if (st) return st;
    if (!mine && come) mine = wfi_upload(ctx, (char *)receive + base, (const char *)receive_here + base, come);
    return wfi_device_agree(ctx, comm, mine);
}

weft_status wfi_device_reduce_scatter(weft_ctx *ctx, wfi_comm *comm, weft_status mine, const uint64_t *all,
                                      uint64_t *all_here, const uint64_t *start, uint64_t *to, uint64_t *to_here) {
    const wfi_link *l = &comm->link;
    uint64_t own = start[l->rank + 1] - start[l->rank];
    weft_status st;
    if (comm->nccl) {
        if (!all_well(ctx, comm, mine, &st)) return st;
        comm->sent += (start[l->size] - own) * sizeof *all;
        return after(ctx, comm, wfi_nccl_reduce_scatter(ctx, comm->nccl, all, start, to));
    }
    if (!mine) mine = wfi_download(ctx, all_here, all, start[l->size] * sizeof *all);
    st = wfi_reduce_scatter(ctx, comm, all_here, start, to_here);
    if (st) return st;
    if (!mine) mine = wfi_upload(ctx, to, to_here, own * sizeof *to);
    return wfi_device_agree(ctx, comm, mine);
}

weft_status wfi_device_allreduce(weft_ctx *ctx, wfi_comm *comm, weft_status mine, uint64_t *there, uint64_t *here,
                                 size_t count, wfi_reduction how) {
    weft_status st;
    if (comm->nccl) {
        wfi_nccl_reduction as = how == WFI_SUM ? WFI_NCCL_SUM : how == WFI_MIN ? WFI_NCCL_MIN : WFI_NCCL_MAX;
        if (!all_well(ctx, comm, mine, &st)) return st;
        return after(ctx, comm, wfi_nccl_allreduce(ctx, comm->nccl, there, count, as));
    }
    if (!mine) mine = wfi_download(ctx, here, there, count * sizeof *there);
    st = wfi_allreduce(ctx, comm, here, count, how);
    if (st) return st;
    if (!mine) mine = wfi_upload(ctx, there, here, count * sizeof *there);
    return wfi_device_agree(ctx, comm, mine);
}

weft_status wfi_device_gather_part(weft_ctx *ctx, const wfi_spread *s, weft_status mine, const wfi_part *part,
                                   void *there, void *here, size_t each) {
    for (int r = 0; r <= s->comm->link.size; r++) s->start[r] = (uint64_t)part->cut[r] * each;
    return wfi_device_allgather(ctx, s->comm, mine, there, here, s->start);
}
