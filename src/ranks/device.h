/* The GPUs of ranks: collective calls with arrays on the GPU, the rows of a rank there, and vertex-addressed messages
 * from GPU to GPU.
 *
 * Bytes travel in one of two ways:
 *   staged   down to host memory through pinned buffers, over the host's transport (threads of a process, MPI), and
 *   up;
 *   NCCL     from GPU to GPU (cuda/nccl.h).
 * NCCL is used if libnccl.so.2 can be opened, every rank has a GPU of its own and ranks are processes;
 * WEFT_DEVICE_TRANSPORT in the environment, "nccl" or "staged", forces one of them.
 *
 * Every call is collective, and all ranks return the same status: a rank whose GPU has failed before passes that status
 * as `mine` and takes part with whatever its arrays contain, and all ranks learn of the failure.  So a driver goes from
 * call to call, and once it has failed does nothing in between. */
#ifndef WFI_RANK_DEVICE_H
#define WFI_RANK_DEVICE_H

#include "cuda/transfer.h"
#include "ranks/spread.h"

WFI_C_BEGIN

/* Reads WEFT_DEVICE_TRANSPORT.  Not collective. */
weft_status wfi_device_transport(weft_ctx *ctx, bool *nccl, bool *staged);

/* Chooses the way and opens it, unless that is done; the context's GPU is entered. */
weft_status wfi_device_open(weft_ctx *ctx);

/* True if each rank of each machine has a GPU of its own; else `why` has the reason in words.  Touches the driver if
 * there may be a GPU. */
weft_status wfi_device_one_each(weft_ctx *ctx, bool *each, char *why, size_t size);
/* The context's GPU becomes the one with the rank's number on the machine, unless the caller has chosen another than
 * the first.  False: there is none, and why. */
bool wfi_device_pick(weft_ctx *ctx, char *why, size_t size);

/* --- collective calls --- */

/* An array on the GPU, and an array of the host of the same size, for the staged transport. */
typedef struct wfi_staged {
    void *there, *here;
} wfi_staged;

/* The calls of core/comm.h. */
weft_status wfi_device_allgather(weft_ctx *ctx, weft_status mine, wfi_staged all, const uint64_t *start);
weft_status wfi_device_alltoall(weft_ctx *ctx, weft_status mine, wfi_staged send, const uint64_t *send_start,
                                wfi_staged receive, const uint64_t *receive_start);
weft_status wfi_device_reduce_scatter(weft_ctx *ctx, weft_status mine, wfi_staged all, const uint64_t *start,
                                      wfi_staged to);
weft_status wfi_device_allreduce(weft_ctx *ctx, weft_status mine, wfi_staged values, size_t count, wfi_reduction how);
/* wfi_spread_allgather. */
weft_status wfi_device_allgather_part(weft_ctx *ctx, const wfi_spread *s, weft_status mine, const wfi_part *part,
                                      wfi_staged all, size_t each);
/* Returns a number on the GPU in *value and resets it to `rest`.  Of this rank alone. */
weft_status wfi_device_count(weft_ctx *ctx, uint64_t *there, uint64_t rest, uint64_t *value);
/* wfi_agree; a stop, of any rank, is reported as on one machine. */
weft_status wfi_device_agree(weft_ctx *ctx, weft_status mine);

/* Words for a bit for each of n vertices on the GPU. */
static inline size_t wfi_device_words(weft_vid n) { return (size_t)n / 32 + 1; }

/* --- rows: device_rows.c --- */

/* Arcs into this rank's vertices; 0 for rows that are not made before they are expected. */
weft_eid wfi_device_in_arcs(const wfi_spread *s);
/* Rows of incoming or outgoing arcs; those of an undirected graph are both.  arcs: with targets, and weighted: with
 * weights. */
void wfi_device_rows_lay_out(wfi_workspace *w, const wfi_spread *s, bool in, bool arcs, bool weighted, wfi_view *side);
/* Uploads the rows that were laid out, unless an earlier run of the plan has: the plan's arena, with the same layout in
 * all runs, keeps them.  Incoming rows must have been made. */
weft_status wfi_device_rows_send(weft_ctx *ctx, const wfi_spread *s, bool in, wfi_view *side);

/* --- messages: device_messages.cu --- */

/* As messages.h, but in no order.  A kernel writes each vertex that it addresses into `addressed`, once, and counts
 * them; the values are in an array of the algorithm, of 4 or 8 bytes for each vertex of the graph. */
typedef struct wfi_device_messages {
    size_t each;               /* bytes of a message, the vertex included: 8 or 12 */
    weft_vid *addressed;       /* vertices; on the GPU, as are the next two arrays */
    uint64_t *addressed_count; /* 1 */
    uint32_t *received;        /* each / 4 words a message: the vertex, and its value */
    uint64_t received_count;   /* messages received, on the host */
    uint64_t delivered;        /* messages sent by the last delivery; `addressed` still has their vertices */
    uint32_t *sorted;          /* scratch, as are the following arrays */
    weft_vid *cut;
    uint64_t *place;
    uint32_t *sorted_here, *received_here; /* copies on the host, as are the next two arrays */
    uint64_t *send_start, *receive_start;
} wfi_device_messages;

/* The values that messages carry: of[v], of 4 or 8 bytes, which is reset to `rest` after reading; keep: it is not. */
typedef struct wfi_message_values {
    void *of;
    uint64_t rest;
    bool keep;
} wfi_message_values;

/* Declares the arrays on the host and on the GPU. */
void wfi_device_messages_lay_out(wfi_workspace *host, wfi_workspace *device, const wfi_spread *s, size_t each,
                                 wfi_device_messages *m);
/* Must precede the first delivery. */
weft_status wfi_device_messages_begin(weft_ctx *ctx, const wfi_spread *s, wfi_device_messages *m);
/* Sends the messages to the owners of their vertices and receives those of other ranks; then no vertex is addressed.
 * Collective. */
weft_status wfi_device_messages_deliver(weft_ctx *ctx, const wfi_spread *s, weft_status mine, wfi_device_messages *m,
                                        wfi_message_values values);

WFI_C_END
#endif
