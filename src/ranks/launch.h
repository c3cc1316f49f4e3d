/* How this process was started, as its environment shows, and the plug-in that fits.  Nothing is opened to find out. */
#ifndef WFI_LAUNCH_H
#define WFI_LAUNCH_H

#include "ranks/comm.h"

typedef struct wfi_launch {
    int rank, size;       /* size 1: alone */
    const char *launcher; /* "mpirun (Open MPI)" */
    const char *plugin;   /* "openmpi", "mpich"; NULL: nothing that the launcher offers fits */
} wfi_launch;

wfi_launch wfi_launch_seen(void);

/* The plug-in of that name, loaded for good; NULL: `why` says which file, and what the loader said. */
const wfi_plugin *wfi_plugin_load(const char *name, char *why, size_t room);

#endif
