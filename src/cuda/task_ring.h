/* A ring of tasks: threads do the shares of one job after the other, without a barrier in between.  Whoever finds
 * nothing left to take of a job goes on to the next one that has been posted.  A parallel region for each job would
 * have all of them meet twice (bench/NOTES.md).
 *
 *     wfi_task_ring_run(&ring, threads, body, given);      all threads; body, on the thread that called:
 *         uint64_t number = wfi_task_ring_post(ring, fill, &job);
 *         while (!wfi_task_ring_done(ring, number)) wfi_task_ring_help(ring);
 *
 * One thread posts.  At most WFI_TASK_RING_JOBS jobs are under way: the one before these must be done.  Threads that
 * have nothing to do spin, and after a while doze.  Parallel regions in the body have one thread. */
#ifndef WFI_CUDA_TASK_RING_H
#define WFI_CUDA_TASK_RING_H

#include "core/core.h"

WFI_C_BEGIN

enum { WFI_TASK_RING_JOBS = 4, WFI_TASK_SHARES = 32 };

/* Does share number `share` of WFI_TASK_SHARES. */
typedef void (*wfi_task)(void *job, unsigned share);

typedef struct wfi_task_ring {
    uint64_t posted;
    uint64_t oldest; /* that the poster knows to be unfinished */
    unsigned idle;   /* times that it found nothing to help with */
    bool over;
    struct {
        wfi_task work;
        void *job;
        uint64_t ticket; /* the job's number, and the share to be taken next */
        unsigned done;   /* shares */
    } at[WFI_TASK_RING_JOBS];
} wfi_task_ring;

/* Calls body(given) with so many threads, this one included; those that there are may be fewer.  Jobs that are not
 * done when it returns are left. */
void wfi_task_ring_run(wfi_task_ring *ring, int threads, void (*body)(void *given), void *given);

/* For the body.  The number of the job, which must stay where it is until it is done. */
uint64_t wfi_task_ring_post(wfi_task_ring *ring, wfi_task work, void *job);
/* Asked for one of the last WFI_TASK_RING_JOBS. */
bool wfi_task_ring_done(const wfi_task_ring *ring, uint64_t number);
/* Does a share, if there is one, or waits a moment. */
void wfi_task_ring_help(wfi_task_ring *ring);

WFI_C_END
#endif
