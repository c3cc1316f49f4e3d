/* See crew.h: the transport's calls, with starts in elements, and with failures kept in the seat. */
#include "crew.h"

static void note(crew_seat *seat, weft_status st) {
    if (st && !seat->status) seat->status = st;
}

static const uint64_t *in_bytes(const wfi_comm *comm, size_t each, const uint64_t *start,
                                uint64_t room[LAB_MOST_RANKS + 1]) {
    for (int i = 0; i <= comm->link.size; i++) room[i] = start[i] * each;
    return room;
}

bool crew_sum(crew_seat *seat, uint64_t *values, size_t count) {
    enum { MOST = 3 };
    uint64_t with[MOST + 1] = {0};
    with[0] = seat->status || (!seat->rank && lab_stopped(seat->r));
    for (size_t i = 0; i < count && i < MOST; i++) with[1 + i] = values[i];
    note(seat, wfi_allreduce(seat->r->ctx, seat->all, with, count + 1, WFI_SUM));
    for (size_t i = 0; i < count; i++) values[i] = with[1 + i];
    if (with[0]) note(seat, WEFT_ECANCELLED);
    return !with[0];
}

void crew_allgather(crew_seat *seat, wfi_comm *comm, size_t each, void *all, const uint64_t *start) {
    uint64_t room[LAB_MOST_RANKS + 1];
    note(seat, wfi_allgather(seat->r->ctx, comm, all, in_bytes(comm, each, start, room)));
}

void crew_alltoall(crew_seat *seat, wfi_comm *comm, size_t each, const void *send, const uint64_t *send_start,
                   void *receive, const uint64_t *receive_start) {
    uint64_t out[LAB_MOST_RANKS + 1], in[LAB_MOST_RANKS + 1];
    note(seat, wfi_alltoall(seat->r->ctx, comm, send, in_bytes(comm, each, send_start, out), receive,
                            in_bytes(comm, each, receive_start, in)));
}

void crew_reduce_scatter(crew_seat *seat, wfi_comm *comm, const uint64_t *all, const uint64_t *start, uint64_t *mine) {
    note(seat, wfi_reduce_scatter(seat->r->ctx, comm, all, start, mine));
}

void crew_receive_starts(crew_seat *seat, wfi_comm *comm, const uint64_t *send_start, uint64_t *receive_start) {
    note(seat, wfi_receive_starts(seat->r->ctx, comm, send_start, receive_start));
}

void crew_tell(crew_seat *seat, wfi_comm *comm, uint64_t mine, uint64_t *of_each) {
    note(seat, wfi_allgather_u64(seat->r->ctx, comm, mine, of_each));
}
