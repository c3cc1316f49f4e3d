/* This process as one of the ranks that a launcher started: its end of the transport, opened by the plug-in that fits. */
#ifndef WEFT_TESTS_LAUNCHED_RANKS_H
#define WEFT_TESTS_LAUNCHED_RANKS_H

#include "support.h"

#include "ranks/links.h"

enum { LAUNCHED_CORES = 1 << 20 }; /* more than there are */

/* False: there is no launcher, or no plug-in opens (a failure of the test). */
static inline bool open_launched(wfi_link *link) {
    wfi_launch seen = wfi_launch_seen();
    char why[256] = "no plug-in fits";
    if (!*seen.launcher) return false;
    const wfi_plugin *plugin = seen.plugin ? wfi_plugin_load(seen.plugin, why, sizeof why) : NULL;
    if (!plugin || plugin->open(NULL, LAUNCHED_CORES, link, why, sizeof why)) {
        HARNESS_FAIL("%s", why);
        return false;
    }
    CHECK_U64((uint64_t)link->rank, (uint64_t)seen.rank);
    CHECK_U64((uint64_t)link->size, (uint64_t)seen.size);
    return true;
}

#endif
