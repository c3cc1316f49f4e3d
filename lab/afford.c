/* Estimates are the rungs' own; the limits are the user's, and what memory is free: of the machine, and of the address space where
 * that is bounded (ulimit -v). */
#include "afford.h"

#include "units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char *too_large(lab_run *r, double bytes, double free_bytes, const char *where) {
    char needed[32], there[32];
    unit_bytes(needed, bytes);
    if (r->memory_limit && bytes > (double)r->memory_limit) {
        snprintf(r->why, sizeof r->why, "needs %s%s, which is over the limit", needed, where);
        return r->why;
    }
    if (free_bytes < 0 || bytes <= 0.8 * free_bytes) return NULL;
    unit_bytes(there, free_bytes);
    snprintf(r->why, sizeof r->why, "needs %s, and %s of memory are free%s", needed, there, where);
    return r->why;
}

static const weft_machine *machine_of(const lab_run *r) { return r->setup ? r->setup->machine : NULL; }

/* The machine's figure; below 0 = not known. */
static double known(uint64_t free_bytes) { return free_bytes ? (double)free_bytes : -1; }

/* What the process may still map; below 0 = as much as it likes. */
static double address_space_left(void) {
    struct rlimit limit;
    unsigned long long pages = 0;
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY) return -1;
    FILE *f = fopen("/proc/self/statm", "r");
    bool told = f && fscanf(f, "%llu", &pages) == 1;
    if (f) fclose(f);
    if (!told) return -1;
    double left = (double)limit.rlim_cur - (double)pages * (double)sysconf(_SC_PAGESIZE);
    return left > 0 ? left : 0;
}

const char *lab_too_large(lab_run *r, double bytes) {
    const weft_machine *m = machine_of(r);
    double here = known(m ? m->memory_free_bytes : 0), left = address_space_left();
    return too_large(r, bytes, left >= 0 && (here < 0 || left < here) ? left : here, "");
}

const char *lab_too_large_for_gpu(lab_run *r, double bytes) {
    const weft_machine *m = machine_of(r);
    return too_large(r, bytes, known(m ? m->gpu_memory_free_bytes : 0), " on the GPU");
}

/* In the unit that fits the time, with so many digits; hundreds of seconds and more have those of whole seconds beside. */
static void seconds_text(char room[32], double seconds, int digits) {
    const char *unit = seconds >= 0.1 || seconds == 0 ? "s" : seconds >= 1e-4 ? "ms" : "us";
    double scale = *unit == 's' ? 1 : *unit == 'm' ? 1e3 : 1e6;
    for (double x = isfinite(seconds) ? seconds : 0; x >= 99.5; x /= 10) digits++;
    snprintf(room, 32, "%.*g %s", digits, seconds * scale, unit);
}

const char *lab_too_slow_for(lab_run *r, double seconds, const char *reason) {
    char about[32], allowed[32];
    int digits = 2;
    if (seconds <= r->patience_s) return NULL;
    do { /* so many digits that the two are seen to differ */
        seconds_text(about, seconds, digits);
        seconds_text(allowed, r->patience_s, digits);
    } while (strcmp(about, allowed) == 0 && digits++ < 9);
    seconds_text(allowed, r->patience_s, 9);
    r->impatience = true;
    snprintf(r->why, sizeof r->why, "%s%sabout %s for one run (--patience allows %s)", reason, *reason ? ": " : "",
             about, allowed);
    return r->why;
}

const char *lab_too_slow(lab_run *r, double seconds) { return lab_too_slow_for(r, seconds, ""); }
