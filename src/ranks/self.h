/* Virtual ranks: threads of one process as ranks, for tests and experiments.  No thread may call for a rank that is not
 * its own. */
#ifndef WFI_SELF_H
#define WFI_SELF_H

#include "ranks/transport.h"

/* The ends of `ranks` ranks; each is closed by its rank.  0, or -1: out of memory. */
int wfi_self_open(int ranks, wfi_link *links);

#endif
