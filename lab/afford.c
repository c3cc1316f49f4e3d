/* Estimates are the rungs' own; the limits are the user's, and what memory is free. */
#include "afford.h"

#include <stdio.h>
#include <string.h>

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
    char about[32], allowed[32];
    int digits = seconds < 10;
    if (seconds <= r->patience_s) return NULL;
    do { /* so many digits that the two are seen to differ */
        snprintf(about, sizeof about, "%.*f", digits, seconds);
        snprintf(allowed, sizeof allowed, "%.*f", digits, r->patience_s);
    } while (strcmp(about, allowed) == 0 && digits++ < 4);
    snprintf(allowed, sizeof allowed, "%g", r->patience_s);
    snprintf(r->why, sizeof r->why, "about %s s for one run (--patience allows %s s)", about, allowed);
    return r->why;
}
