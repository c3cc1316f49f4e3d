/* Estimates are the rungs' own; the limits are the user's, and what memory is free. */
#include "afford.h"

#include <stdio.h>

static const char *too_large(lab_run *r, double bytes, double free_bytes, const char *where) {
    if (r->memory_limit && bytes > (double)r->memory_limit) {
        snprintf(r->why, sizeof r->why, "needs %.1f GB%s, which is over the limit", bytes / 1e9, where);
        return r->why;
    }
    if (free_bytes <= 0 || bytes <= 0.8 * free_bytes) return NULL;
    snprintf(r->why, sizeof r->why, "needs %.1f GB, and %.1f GB of memory are free%s", bytes / 1e9, free_bytes / 1e9,
             where);
    return r->why;
}

static const weft_machine *machine_of(const lab_run *r) { return r->setup ? r->setup->machine : NULL; }

const char *lab_too_large(lab_run *r, double bytes) {
    const weft_machine *m = machine_of(r);
    return too_large(r, bytes, m ? (double)m->memory_free_bytes : 0, "");
}

const char *lab_too_large_for_gpu(lab_run *r, double bytes) {
    const weft_machine *m = machine_of(r);
    return too_large(r, bytes, m ? (double)m->gpu_memory_free_bytes : 0, " on the GPU");
}

const char *lab_too_slow(lab_run *r, double seconds) {
    if (seconds <= r->patience_s) return NULL;
    snprintf(r->why, sizeof r->why, "about %.*f s for one run (--patience allows %.*f s)", seconds < 10, seconds,
             r->patience_s < 10, r->patience_s);
    return r->why;
}
