/* What this machine is, and how fast. */
#ifndef WEFT_MACHINE_H
#define WEFT_MACHINE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* This machine, and its speed as measured now; the GPU is the context's.  Set .size before the call. */
typedef struct weft_machine {
    size_t size;
    char cpu[128];
    int cores;
    uint64_t memory_bytes, memory_free_bytes;
    uint64_t l1_bytes, l2_bytes, l3_bytes; /* 0 = unknown */
    double read_gbs, copy_gbs;             /* all threads; copy counts bytes read + written */
    double gather_gps;                     /* random 4-byte reads from 64 MB, 10^9 per second, all threads */
    double parse_gbs;                      /* a bare integer parser over text in memory, one thread */
    int gpus;                              /* 0: none visible */
    char gpu_reason[256];                  /* why there is none, or "" */
    char gpu[128];
    int gpu_sms, gpu_major, gpu_minor, gpu_driver, gpu_runtime;
    uint64_t gpu_memory_bytes, gpu_memory_free_bytes, gpu_l2_bytes;
    double gpu_copy_gbs, gpu_read_gbs;
    double gpu_gather_l2_gps, gpu_gather_hbm_gps; /* from a 4 MB and from a 512 MB table */
    double gpu_launch_us, gpu_barrier_us, gpu_context_ms;
    double gpu_upload_gbs, gpu_download_gbs; /* pinned */
} weft_machine;
/* measure = 0: only what can be looked up (milliseconds); 1: also measures CPU and GPU (a few seconds). */
WEFT_API weft_status weft_machine_describe(weft_ctx *ctx, int measure, weft_machine *out);

#ifdef __cplusplus
}
#endif
#endif
