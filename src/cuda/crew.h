/* A crew: threads that do one job after the other, each its own share of every job, without meeting in between.  Whoever is done with its
 * share goes on to the next job that has been posted.  A parallel region for each job would cost two meetings, 75 us with 16 threads
 * (bench/NOTES.md), as much as half of the job.
 *
 *     wfi_crew crew;
 *     wfi_crew_open(&crew, 15);
 *     uint64_t number = wfi_crew_post(&crew, fill, &job);
 *     while (!wfi_crew_done(&crew, number)) wfi_crew_pause();
 *     wfi_crew_close(&crew);
 *
 * One thread posts.  At most WFI_CREW_JOBS jobs are under way: the one before these must be done.  Threads that have nothing to do spin, and
 * let others have the core now and then: a crew is for milliseconds. */
#ifndef WFI_CUDA_CREW_H
#define WFI_CUDA_CREW_H

#include "core/core.h"

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WFI_CREW_JOBS = 4, WFI_CREW_MOST = 15 };

/* Does share number `share` of so many. */
typedef void (*wfi_crew_work)(void *job, unsigned share, unsigned shares);

typedef struct wfi_crew {
    unsigned count, begun; /* threads, and those that know their number */
    pthread_t thread[WFI_CREW_MOST];
    uint64_t posted;
    bool over;
    struct {
        wfi_crew_work work;
        void *job;
        unsigned done; /* shares */
    } at[WFI_CREW_JOBS];
} wfi_crew;

/* With up to `threads` threads, or as many as can be had.  With none, a job is done where it is posted. */
void wfi_crew_open(wfi_crew *crew, unsigned threads);
/* The number of the job, which must stay where it is until it is done. */
uint64_t wfi_crew_post(wfi_crew *crew, wfi_crew_work work, void *job);
/* Asked for one of the last WFI_CREW_JOBS. */
bool wfi_crew_done(const wfi_crew *crew, uint64_t number);
void wfi_crew_pause(void);
/* Jobs that are not done may be left. */
void wfi_crew_close(wfi_crew *crew);

#ifdef __cplusplus
}
#endif
#endif
