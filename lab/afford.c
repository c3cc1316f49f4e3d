/* Estimates are the rungs' own; the limits are the user's, and what memory is free. */
#include "afford.h"

#include <stdio.h>

const char *lab_too_large(lab_run *r, double bytes) {
    double free_bytes = r->setup && r->setup->machine ? (double)r->setup->machine->memory_free_bytes : 0;
    if (r->memory_limit && bytes > (double)r->memory_limit) {
        snprintf(r->why, sizeof r->why, "needs %.1f GB, which is over the limit", bytes / 1e9);
        return r->why;
    }
    if (free_bytes <= 0 || bytes <= 0.8 * free_bytes) return NULL;
    snprintf(r->why, sizeof r->why, "needs %.1f GB, and %.1f GB of memory are free", bytes / 1e9, free_bytes / 1e9);
    return r->why;
}

const char *lab_too_slow(lab_run *r, double seconds) {
    if (seconds <= r->patience_s) return NULL;
    snprintf(r->why, sizeof r->why, "about %.*f s for one run (--patience allows %.*f s)", seconds < 10, seconds,
             r->patience_s < 10, r->patience_s);
    return r->why;
}
