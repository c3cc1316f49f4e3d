/* See crew.h: the transport's calls, with starts in elements, and with the first failure kept. */
#include "crew.h"

static void note(crew_rank *me, weft_status st) {
    if (st && !me->status) me->status = st;
}

static const uint64_t *in_bytes(const weft_ctx *comm, size_t each, const uint64_t *start,
                                uint64_t room[LAB_MOST_RANKS + 1]) {
    for (int i = 0; i <= wfi_ranks(comm); i++) room[i] = start[i] * each;
    return room;
}

bool crew_sum(crew_rank *me, uint64_t *values, size_t count) {
    enum { MOST = 3 };
    uint64_t with[MOST + 1] = {0};
    with[0] = me->status || (!me->rank && lab_stopped(me->r));
    for (size_t i = 0; i < count && i < MOST; i++) with[1 + i] = values[i];
    note(me, wfi_allreduce(me->all, with, count + 1, WFI_SUM));
    for (size_t i = 0; i < count; i++) values[i] = with[1 + i];
    if (with[0]) note(me, WEFT_ECANCELLED);
    return !with[0];
}

void crew_allgather(crew_rank *me, weft_ctx *comm, size_t each, void *all, const uint64_t *start) {
    uint64_t room[LAB_MOST_RANKS + 1];
    note(me, wfi_allgather(comm, all, in_bytes(comm, each, start, room)));
}

void crew_alltoall(crew_rank *me, weft_ctx *comm, size_t each, const void *send, const uint64_t *send_start,
                   void *receive, const uint64_t *receive_start) {
    uint64_t out[LAB_MOST_RANKS + 1], in[LAB_MOST_RANKS + 1];
    note(me, wfi_alltoall(comm, send, in_bytes(comm, each, send_start, out), receive,
                          in_bytes(comm, each, receive_start, in)));
}

void crew_reduce_scatter(crew_rank *me, weft_ctx *comm, const uint64_t *all, const uint64_t *start, uint64_t *mine) {
    note(me, wfi_reduce_scatter(comm, all, start, mine));
}

void crew_receive_starts(crew_rank *me, weft_ctx *comm, const uint64_t *send_start, uint64_t *receive_start) {
    note(me, wfi_receive_starts(comm, send_start, receive_start));
}

void crew_allgather_u64(crew_rank *me, weft_ctx *comm, uint64_t mine, uint64_t *of_each) {
    note(me, wfi_allgather_u64(comm, mine, of_each));
}
