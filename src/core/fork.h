/* What a fork leaves behind.  A child has one thread, the one that forked: a lock that another thread held stays
 * locked in it forever, and the OpenMP runtime waits for threads that did not come along.
 * The process-wide locks are here, because fork() takes them all: in the child they are free.  Locks of one object
 * (graph, context, result) are up to its users: what another thread was using at the fork cannot be used in the
 * child. */
#ifndef WFI_FORK_H
#define WFI_FORK_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A thread that holds one takes only later ones.  No callback of the caller's is called with one held: it may fork. */
enum { WFI_LOCK_FIGURES, WFI_LOCK_AHEAD, WFI_LOCK_TRIAL, WFI_LOCK_COUNT };
void wfi_lock(int which);
void wfi_unlock(int which);

/* From now on forks are detected.  Any thread, any number of times. */
void wfi_watched_forks(void);
/* Forks that lie between the process that began to watch and this one. */
unsigned wfi_forks(void);
/* Is this the thread that forked, in the child?  Threads made since are as good as any. */
bool wfi_is_forked_thread(void);

#ifdef __cplusplus
}
#endif
#endif
