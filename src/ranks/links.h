/* How ranks reach each other: the ends of a transport (core/transport.h) between threads of one process, as fast as
 * memory or at the pace of a network, and the plug-in that carries bytes over the MPI of the launcher.  And who watches
 * them while they run. */
#ifndef WFI_LINKS_H
#define WFI_LINKS_H

#include "core/comm.h"

/* --- virtual ranks: self.c, paced.c --- */

/* The ends of `ranks` threads of this process, for tests and experiments; each is closed by its rank, and no thread
 * may call for another's.  0, or -1: out of memory. */
int wfi_self_open(int ranks, wfi_link *links);

typedef struct wfi_link_pace {
    double delay;     /* seconds that a message takes, however short */
    double bandwidth; /* bytes a second, of each rank, out and in; 0 = no bound */
} wfi_link_pace;

/* The same, with messages that take the time they would on a cluster. */
int wfi_paced_open(int ranks, wfi_link_pace pace, wfi_link *links);

/* --- ranks of a launcher: launch.c --- */

/* How this process was started, as its environment shows; nothing is opened to find out. */
typedef struct wfi_launch {
    int rank, size;       /* size 1: alone */
    const char *launcher; /* "mpirun (Open MPI)" */
    const char *plugin;   /* "openmpi", "mpich"; NULL: nothing that the launcher offers fits */
} wfi_launch;

wfi_launch wfi_launch_seen(void);

/* The plug-in of that name, loaded for good; NULL: `why` says which file, and what the loader said. */
const wfi_plugin *wfi_plugin_load(const char *name, char *why, size_t size);

/* --- failure detection: watch.c --- */

/* From now on, until the communicator is freed, a thread calls `lost` when another rank of this machine is gone, or
 * when this one has waited so many seconds (0 = as long as it takes) in a collective call.  All ranks call it. */
weft_status wfi_watch_begin(weft_ctx *ctx, double seconds, weft_rank_lost_fn lost, void *user);

#endif
