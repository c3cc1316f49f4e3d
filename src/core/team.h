/* How many threads can really be started. */
#ifndef WFI_TEAM_H
#define WFI_TEAM_H

#include <stdbool.h>

/* Up to `wanted`; fewer when the system does not let the process have them, 1 on a thread that was forked after a team
 * had been made.  The answer for one `wanted` is always the same, except after a fork: array sizes depend on it.  The
 * first call for a number makes that many threads and ends them again (some 20 us each). */
int wfi_team(int wanted);

/* Is the address space limited (ulimit -v)?  Then a thread that is made later may not find room for its stack, so teams
 * are of all threads or of one: the OpenMP runtime keeps its threads as long as no smaller team comes in between. */
bool wfi_team_is_fixed(void);

/* Why there are fewer, in words; NULL = all were made so far. */
const char *wfi_team_shortage(void);

#endif
