/* A crew: threads that do the shares of one job after the other, without meeting in between.  Whoever finds nothing left to take of a job goes
 * on to the next one that has been posted.  A parallel region for each job would have all of them meet twice (bench/NOTES.md).
 *
 *     wfi_crew_run(&crew, threads, body, given);      all threads; body, on the thread that called:
 *         uint64_t number = wfi_crew_post(crew, fill, &job);
 *         while (!wfi_crew_done(crew, number)) wfi_crew_help(crew);
 *
 * One thread posts.  At most WFI_CREW_JOBS jobs are under way: the one before these must be done.  Threads that have nothing to do
 * spin, and after a while doze.  Parallel regions in the body have one thread. */
#ifndef WFI_CUDA_CREW_H
#define WFI_CUDA_CREW_H

#include "core/core.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WFI_CREW_JOBS = 4, WFI_CREW_SHARES = 32 };

/* Does share number `share` of WFI_CREW_SHARES. */
typedef void (*wfi_crew_work)(void *job, unsigned share);

typedef struct wfi_crew {
    uint64_t posted;
    uint64_t oldest; /* that the poster knows to be unfinished */
    unsigned idle;   /* times that it found nothing to help with */
    bool over;
    struct {
        wfi_crew_work work;
        void *job;
        uint64_t ticket; /* the job's number, and the share to be taken next */
        unsigned done;   /* shares */
    } at[WFI_CREW_JOBS];
} wfi_crew;

/* Calls body(given) with so many threads, this one included, as its crew; those that there are may be fewer.  Jobs that are not
 * done when it returns are left. */
void wfi_crew_run(wfi_crew *crew, int threads, void (*body)(void *given), void *given);

/* For the body.  The number of the job, which must stay where it is until it is done. */
uint64_t wfi_crew_post(wfi_crew *crew, wfi_crew_work work, void *job);
/* Asked for one of the last WFI_CREW_JOBS. */
bool wfi_crew_done(const wfi_crew *crew, uint64_t number);
/* Does a share, if there is one, or waits a moment. */
void wfi_crew_help(wfi_crew *crew);

#ifdef __cplusplus
}
#endif
#endif
