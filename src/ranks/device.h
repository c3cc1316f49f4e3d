/* What carries bytes between the GPUs of ranks: the calls of comm.h with arrays on the GPU.  Two ways:
 *   staged   down to host memory through pinned buffers, over the host's transport (threads of a process, MPI), and up
 *            again;
 *   NCCL     from GPU to GPU (cuda/nccl.h).
 * NCCL is taken where libnccl.so.2 can be opened, every rank has a GPU of its own and ranks are processes;
 * WEFT_DEVICE_TRANSPORT in the environment, "nccl" or "staged", insists on one of them.
 *
 * Every call is collective, and all ranks return the same status: a rank whose GPU has failed before comes with that as
 * `mine`, takes its part with whatever is in the arrays, and all learn of it.  So a rank need not know how the others
 * fare: it goes from call to call, and does nothing in between once it has failed.  `there` is on the GPU, `here` an
 * array of the host of the same size, which the staged way uses. */
#ifndef WFI_RANK_DEVICE_H
#define WFI_RANK_DEVICE_H

#include "cuda/transfer.h"
#include "ranks/spread.h"

/* What WEFT_DEVICE_TRANSPORT insists on, if anything.  Not collective. */
weft_status wfi_device_way(weft_ctx *ctx, bool *nccl, bool *staged);

/* Chooses the way, and opens it, if it has not been done; the context's GPU is entered. */
weft_status wfi_device_open(weft_ctx *ctx);

/* Does each rank of each machine have a GPU of its own?  False, with `why` in words; the driver is touched if there may
 * be one. */
weft_status wfi_device_each(weft_ctx *ctx, bool *each, char *why, size_t room);
/* The context's GPU becomes the one of its place among the ranks of the machine, unless the caller has named one that
 * is not the first.  False: there is none, and why. */
bool wfi_device_pick(weft_ctx *ctx, char *why, size_t room);

weft_status wfi_device_allgather(weft_ctx *ctx, weft_status mine, void *there, void *here, const uint64_t *start);
weft_status wfi_device_alltoall(weft_ctx *ctx, weft_status mine, const void *send, void *send_here,
                                const uint64_t *send_start, void *receive, void *receive_here,
                                const uint64_t *receive_start);
weft_status wfi_device_reduce_scatter(weft_ctx *ctx, weft_status mine, const uint64_t *all, uint64_t *all_here,
                                      const uint64_t *start, uint64_t *to, uint64_t *to_here);
weft_status wfi_device_allreduce(weft_ctx *ctx, weft_status mine, uint64_t *there, uint64_t *here, size_t count,
                                 wfi_reduction how);

/* wfi_spread_allgather. */
weft_status wfi_device_gather_part(weft_ctx *ctx, const wfi_spread *s, weft_status mine, const wfi_part *part,
                                   void *there, void *here, size_t each);
/* A number on the GPU, which is `rest` from then on.  Of this rank alone. */
weft_status wfi_device_count(weft_ctx *ctx, uint64_t *there, uint64_t rest, uint64_t *value);
/* wfi_agree, where stopping, of any rank, is told as on one machine. */
weft_status wfi_device_agree(weft_ctx *ctx, weft_status mine);

#endif
