/* A ring of tasks: threads do the shares of one job after the other, without a barrier in between.  A thread that finds
 * no share left of a job continues with the next posted job.  A parallel region for each job would need two barriers
 * (bench/NOTES.md).
 *
 *     wfi_task_ring_run(&ring, threads, body, given);   all threads; body, on the calling thread:
 *         uint64_t number = wfi_task_ring_post(ring, fill, &job);
 *         while (!wfi_task_ring_done(ring, number)) wfi_task_ring_help(ring);
 *
 * One thread posts.  At most WFI_TASK_RING_JOBS jobs are unfinished: a new job takes the place of a finished one.  Idle
 * threads spin, and after a while sleep.  Parallel regions in the body have one thread. */
#ifndef WFI_CUDA_TASK_RING_H
#define WFI_CUDA_TASK_RING_H

#include "core/core.h"

WFI_C_BEGIN

enum { WFI_TASK_RING_JOBS = 4, WFI_TASK_SHARES = 32 };

/* Does share number `share` of WFI_TASK_SHARES. */
typedef void (*wfi_task)(void *job, unsigned share);

typedef struct wfi_task_ring {
    uint64_t posted;
    uint64_t oldest; /* the oldest job not known to be finished, for the poster */
    unsigned idle;   /* calls of help that found no share */
    bool over;
    struct {
        wfi_task work;
        void *job;
        uint64_t ticket; /* the job's number, and the next share to take */
        unsigned done;   /* finished shares */
    } at[WFI_TASK_RING_JOBS];
} wfi_task_ring;

/* Calls body(given) with up to `threads` threads, this one included.  Jobs that are unfinished when it returns are
 * abandoned. */
void wfi_task_ring_run(wfi_task_ring *ring, int threads, void (*body)(void *given), void *given);

/* For the body.  Returns the number of the job, which must stay in place until it is done. */
uint64_t wfi_task_ring_post(wfi_task_ring *ring, wfi_task work, void *job);
/* `number` must be one of the last WFI_TASK_RING_JOBS jobs. */
bool wfi_task_ring_done(const wfi_task_ring *ring, uint64_t number);
/* Does a share, if there is one, or waits a moment. */
void wfi_task_ring_help(wfi_task_ring *ring);

WFI_C_END
#endif
