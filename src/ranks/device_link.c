/* See device.h. */
#include "ranks/device.h"

#include "core/gpu_binding.h"
#include "core/machine.h"
#include "cuda/device.h"
#include "cuda/nccl.h"

#include <stdio.h>
#include <string.h>

weft_status wfi_device_agree(weft_ctx *ctx, weft_status mine) {
    weft_status st = wfi_agree(ctx, mine);
    return st == WEFT_ECANCELLED ? wfi_fail_cancelled(ctx) : st;
}

weft_status wfi_device_count(weft_ctx *ctx, uint64_t *there, uint64_t rest, uint64_t *value) {
    weft_status st = wfi_download(ctx, value, there, sizeof *value);
    if (st) return st;
    return rest ? wfi_upload(ctx, there, &rest, sizeof rest) : wfi_device_fill(ctx, there, 0, sizeof rest);
}

/* --- the way -------------------------------------------------------------------------------- */

/* The ranks find each other by the id that the first one has made. */
static weft_status open_nccl(weft_ctx *ctx) {
    char id[WFI_NCCL_ID] = {0};
    wfi_comm *comm = wfi_ctx_comm(ctx);
    int ranks = comm->link.size, me = comm->link.rank;
    uint64_t *start = comm->scratch;
    weft_status st = wfi_agree(ctx, me ? WEFT_OK : wfi_nccl_id(ctx, id));
    if (st) return st;
    start[0] = 0;
    for (int r = 1; r <= ranks; r++) start[r] = sizeof id;
    st = wfi_allgather_figures(ctx, id, start);
    if (st) return st;
    wfi_comm_enter(comm);
    st = wfi_nccl_open(ctx, id, me, ranks, &comm->nccl);
    wfi_comm_leave(comm);
    st = wfi_agree(ctx, st);
    if (!st) return WEFT_OK;
    wfi_nccl_close(comm->nccl);
    comm->nccl = NULL;
    return st;
}

weft_status wfi_device_open(weft_ctx *ctx) {
    wfi_comm *comm = wfi_ctx_comm(ctx);
    char version[64], why[256];
    bool must, must_not, each;
    if (*comm->device_way) return WEFT_OK;
    weft_status st = wfi_agree(ctx, wfi_device_transport(ctx, &must, &must_not));
    if (!st) st = wfi_device_one_each(ctx, &each, why, sizeof why);
    if (st) return st;
    uint64_t found = wfi_nccl_found(version, sizeof version);
    if (must && !found) st = wfi_fail(ctx, WEFT_EDEVICE, "no NCCL: %s", version);
    st = wfi_agree(ctx, st);
    /* all take the same way, even if their environments differ */
    uint64_t tries = must || (found && !must_not && each && strcmp(comm->link.name, "self") != 0);
    if (!st) st = wfi_allreduce(ctx, &tries, 1, WFI_MIN);
    if (st) return st;
    if (tries) {
        st = open_nccl(ctx);
        if (st && must) return st;
        if (!st) snprintf(comm->device_way, sizeof comm->device_way, "NCCL %.60s", version);
    }
    if (!comm->nccl) snprintf(comm->device_way, sizeof comm->device_way, "staged");
    comm->close_nccl = wfi_nccl_close;
    return WEFT_OK;
}

bool wfi_device_pick(weft_ctx *ctx, char *why, size_t size) {
    wfi_gpu_binding *binding = wfi_ctx_gpu_binding(ctx);
    int devices = wfi_cuda_devices(why, size);
    if (!devices) return false;
    int index = wfi_ctx_comm(ctx)->link.local_rank % devices;
    if (binding->index || index == binding->index) return true;
    wfi_ctx_detach_gpu(ctx);
    binding->index = index;
    binding->stream = NULL;
    return true;
}

weft_status wfi_device_one_each(weft_ctx *ctx, bool *each, char *why, size_t size) {
    char none[256] = "no GPU is seen";
    bool seen = wfi_cuda_started() || wfi_cuda_pretended() || wfi_gpu_seen("");
    int devices = seen ? wfi_cuda_devices(none, sizeof none) : 0;
    uint64_t all[] = {devices >= wfi_ctx_comm(ctx)->link.local_size, devices > 0};
    weft_status st = wfi_allreduce(ctx, all, 2, WFI_MIN);
    *each = !st && all[0];
    if (all[1])
        snprintf(why, size, "several ranks would share a GPU");
    else
        snprintf(why, size, "%.200s", devices ? "not every rank has a GPU" : none);
    return st;
}

/* --- calls ----------------------------------------------------------------------------------- */

/* NCCL cannot run without a rank that has failed: all ranks agree before it is called.  False: some rank has failed,
 * with status *st. */
static bool all_well(weft_ctx *ctx, weft_status mine, weft_status *st) {
    *st = wfi_device_agree(ctx, mine);
    if (!*st) wfi_comm_enter(wfi_ctx_comm(ctx));
    return !*st;
}

static weft_status after(weft_ctx *ctx, weft_status st) {
    wfi_comm_leave(wfi_ctx_comm(ctx));
    return wfi_device_agree(ctx, st);
}

/* Downloads, uploads bytes from ... to-1 of the array. */
static weft_status down(weft_ctx *ctx, wfi_staged a, uint64_t from, uint64_t to) {
    return to > from ? wfi_download(ctx, (char *)a.here + from, (const char *)a.there + from, to - from) : WEFT_OK;
}

static weft_status up(weft_ctx *ctx, wfi_staged a, uint64_t from, uint64_t to) {
    return to > from ? wfi_upload(ctx, (char *)a.there + from, (const char *)a.here + from, to - from) : WEFT_OK;
}

weft_status wfi_device_allgather(weft_ctx *ctx, weft_status mine, wfi_staged all, const uint64_t *start) {
    wfi_comm *comm = wfi_ctx_comm(ctx);
    const wfi_link *l = &comm->link;
    uint64_t from = start[l->rank], to = start[l->rank + 1];
    weft_status st;
    if (comm->nccl) {
        if (!all_well(ctx, mine, &st)) return st;
        comm->sent += (to - from) * (uint64_t)(l->size - 1);
        return after(ctx, wfi_nccl_allgather(ctx, comm->nccl, all.there, start));
    }
    if (!mine) mine = down(ctx, all, from, to);
    st = wfi_allgather(ctx, all.here, start);
    if (st) return st;
    if (!mine) mine = up(ctx, all, start[0], from);
    if (!mine) mine = up(ctx, all, to, start[l->size]);
    return wfi_device_agree(ctx, mine);
}

weft_status wfi_device_alltoall(weft_ctx *ctx, weft_status mine, wfi_staged send, const uint64_t *send_start,
                                wfi_staged receive, const uint64_t *receive_start) {
    wfi_comm *comm = wfi_ctx_comm(ctx);
    const wfi_link *l = &comm->link;
    weft_status st;
    if (comm->nccl) {
        uint64_t own = send_start[l->rank + 1] - send_start[l->rank];
        if (!all_well(ctx, mine, &st)) return st;
        comm->sent += send_start[l->size] - send_start[0] - own;
        return after(ctx, wfi_nccl_alltoall(ctx, comm->nccl, send.there, send_start, receive.there, receive_start));
    }
    if (!mine) mine = down(ctx, send, send_start[0], send_start[l->size]);
    st = wfi_alltoall(ctx, send.here, send_start, receive.here, receive_start);
    if (st) return st;
    if (!mine) mine = up(ctx, receive, receive_start[0], receive_start[l->size]);
    return wfi_device_agree(ctx, mine);
}

weft_status wfi_device_reduce_scatter(weft_ctx *ctx, weft_status mine, wfi_staged all, const uint64_t *start,
                                      wfi_staged to) {
    wfi_comm *comm = wfi_ctx_comm(ctx);
    const wfi_link *l = &comm->link;
    uint64_t own = start[l->rank + 1] - start[l->rank];
    weft_status st;
    if (comm->nccl) {
        if (!all_well(ctx, mine, &st)) return st;
        comm->sent += (start[l->size] - own) * sizeof(uint64_t);
        return after(ctx, wfi_nccl_reduce_scatter(ctx, comm->nccl, all.there, start, to.there));
    }
    if (!mine) mine = down(ctx, all, 0, start[l->size] * sizeof(uint64_t));
    st = wfi_reduce_scatter(ctx, all.here, start, to.here);
    if (st) return st;
    if (!mine) mine = up(ctx, to, 0, own * sizeof(uint64_t));
    return wfi_device_agree(ctx, mine);
}

weft_status wfi_device_allreduce(weft_ctx *ctx, weft_status mine, wfi_staged values, size_t count, wfi_reduction how) {
    wfi_comm *comm = wfi_ctx_comm(ctx);
    weft_status st;
    if (comm->nccl) {
        wfi_nccl_reduction as = how == WFI_SUM ? WFI_NCCL_SUM : how == WFI_MIN ? WFI_NCCL_MIN : WFI_NCCL_MAX;
        if (!all_well(ctx, mine, &st)) return st;
        return after(ctx, wfi_nccl_allreduce(ctx, comm->nccl, values.there, count, as));
    }
    if (!mine) mine = down(ctx, values, 0, count * sizeof(uint64_t));
    st = wfi_allreduce(ctx, values.here, count, how);
    if (st) return st;
    if (!mine) mine = up(ctx, values, 0, count * sizeof(uint64_t));
    return wfi_device_agree(ctx, mine);
}

weft_status wfi_device_allgather_part(weft_ctx *ctx, const wfi_spread *s, weft_status mine, const wfi_part *part,
                                      wfi_staged all, size_t each) {
    for (int r = 0; r <= s->comm->link.size; r++) s->start[r] = (uint64_t)part->cut[r] * each;
    return wfi_device_allgather(ctx, mine, all, s->start);
}
