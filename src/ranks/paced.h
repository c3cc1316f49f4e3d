/* Virtual ranks whose links have a delay and a bandwidth: what a cluster would make of a run, in one process. */
#ifndef WFI_PACED_H
#define WFI_PACED_H

#include "ranks/transport.h"

typedef struct wfi_pace {
    double delay;     /* seconds that a message takes, however short */
    double bandwidth; /* bytes a second, of each rank, out and in; 0 = no bound */
} wfi_pace;

/* As wfi_self_open. */
int wfi_paced_open(int ranks, wfi_pace pace, wfi_link *links);

#endif
