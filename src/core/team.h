/* Threads that a process can really start, also after a fork. */
#ifndef WFI_TEAM_H
#define WFI_TEAM_H

#include "core/core.h"

WFI_C_BEGIN

/* Up to `wanted`; fewer when the system does not let the process have them, 1 on a thread that was forked after a team
 * had been made.  The answer for one `wanted` is always the same, except after a fork: array sizes depend on it.  The
 * first call for a number makes that many threads and ends them again (some 20 us each). */
int wfi_team(int wanted);

/* Why there are fewer, in words; NULL = all were made so far. */
const char *wfi_team_shortage(void);

/* --- forks ----------------------------------------------------------------------------- */

/* A child has one thread, the one that forked: a lock that another thread held stays locked in it forever, and the
 * OpenMP runtime waits for threads that did not come along.  So fork() takes all process-wide locks, which are these:
 * in the child they are free.  Locks of one object (graph, context, result) are up to its users: what another thread
 * was using at the fork cannot be used in the child.
 * A thread that holds one takes only later ones.  No callback of the caller's is called with one held: it may fork. */
enum { WFI_LOCK_FIGURES, WFI_LOCK_AHEAD, WFI_LOCK_TRIAL, WFI_LOCK_COUNT };
void wfi_lock(int which);
void wfi_unlock(int which);

/* From now on forks are detected.  Any thread, any number of times. */
void wfi_watched_forks(void);
/* Forks that lie between the process that began to watch and this one. */
unsigned wfi_forks(void);
/* Is this the thread that forked, in the child?  Threads made since are as good as any. */
bool wfi_is_forked_thread(void);

WFI_C_END
#endif
