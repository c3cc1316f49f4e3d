/* Number of threads that a process can really start, also after a fork. */
#ifndef WFI_TEAM_H
#define WFI_TEAM_H

#include "core/core.h"

WFI_C_BEGIN

/* Returns a team size of at most `wanted`: fewer if the system allows no more, 1 on a thread that was forked after
 * the first team. The answer for a given `wanted` is always the same, except after a fork: array sizes depend on it.
 * The first call for a number creates and ends as many threads (some 20 us each). */
int wfi_team(int wanted);

/* Reason for smaller teams, in words; NULL if all threads could be created. */
const char *wfi_team_shortage(void);

/* --- forks ----------------------------------------------------------------------------- */

/* A child process has one thread, the forked one: a lock held by another thread stays locked forever, and the OpenMP
 * runtime waits for threads that do not exist. So fork() takes all process-wide locks, listed here, and the child
 * releases them. Locks of single objects (graph, context, result) are the users' concern: an object in use by another
 * thread during the fork is unusable in the child.
 * A thread that holds one of these locks takes only later ones, and calls no callback of the caller: it might fork. */
enum { WFI_LOCK_AHEAD, WFI_LOCK_TRIAL, WFI_LOCK_COUNT };
void wfi_lock(int which);
void wfi_unlock(int which);

/* Installs the detection of forks. Any thread, any number of times. */
void wfi_detect_forks(void);
/* Number of forks between the process that installed the detection and this one. */
unsigned wfi_forks(void);
/* True on the forked thread of a child process. Threads created later in the child are normal threads. */
bool wfi_is_forked_thread(void);

WFI_C_END
#endif
