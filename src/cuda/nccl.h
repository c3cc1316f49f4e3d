/* NCCL, the collective calls between GPUs: libnccl.so.2 is opened at run time, and neither building nor running without
 * it needs any part of it.  The calls are those of core/transport.h with device pointers; each returns when its work on
 * the context's stream is done, or has failed.  Without the library, found is false and open fails. */
#ifndef WFI_CUDA_NCCL_H
#define WFI_CUDA_NCCL_H

#include "core/core.h"

WFI_C_BEGIN

enum { WFI_NCCL_ID = 128 }; /* bytes by which the ranks find each other */

struct wfi_nccl;

/* True if the library can be opened.  text: its version, "2.28.3", or the reason if not. */
bool wfi_nccl_found(char *text, size_t size);
/* Made by one rank, for wfi_nccl_open on all ranks. */
weft_status wfi_nccl_id(weft_ctx *ctx, char id[WFI_NCCL_ID]);
/* Called by all ranks together, on the current GPU. */
weft_status wfi_nccl_open(weft_ctx *ctx, const char id[WFI_NCCL_ID], int rank, int size, struct wfi_nccl **out);
/* NULL is allowed. */
void wfi_nccl_close(struct wfi_nccl *link);

weft_status wfi_nccl_allgather(weft_ctx *ctx, struct wfi_nccl *link, void *all, const uint64_t *start);
weft_status wfi_nccl_alltoall(weft_ctx *ctx, struct wfi_nccl *link, const void *send, const uint64_t *send_start,
                              void *receive, const uint64_t *receive_start);
weft_status wfi_nccl_reduce_scatter(weft_ctx *ctx, struct wfi_nccl *link, const uint64_t *all, const uint64_t *start,
                                    uint64_t *mine);
typedef enum wfi_nccl_reduction { WFI_NCCL_SUM, WFI_NCCL_MIN, WFI_NCCL_MAX } wfi_nccl_reduction;
weft_status wfi_nccl_allreduce(weft_ctx *ctx, struct wfi_nccl *link, uint64_t *values, size_t count,
                               wfi_nccl_reduction how);

WFI_C_END
#endif
