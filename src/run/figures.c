/* The parameters of the cost model (auto.h): built in, or from the file of weft_calibrate in the user's cache.  Its
 * lines are words separated by tabs:
 *
 *     weft     VERSION
 *     cpu      NAME
 *     threads  N
 *     gpu      NAME
 *     context  NS
 *     cost     ALGORITHM  cpu|gpu  FIXED_NS  ARC_FS  DEEP_FS  LEVEL_NS  FIRST_FS
 *     sweep    few|many   PULL_FS  TILE_FS  SORT_FS
 *
 * in any order; both sweeps must be there, once, and context and every algorithm's two costs if the GPU is.  It is
 * taken whole or not at all: another version, another processor, a line that makes no sense or one that is missing, and
 * the built-in figures stand in, with the reason.  The GPU's name is looked at when a GPU is (device.c).  Only a
 * regular file of at most LARGEST bytes is read: every program that plans a run does so. */
#include "core/machine.h"
#include "core/team.h"
#include "run/auto.h"
#include "stream/descriptors.h"
#include "stream/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST = 64 << 10, LONGEST_VERSION = 32 };

void wfi_figures_standard(wfi_figures *f) {
    *f = (wfi_figures){.threads = 16, .context_ns = 231000000};
    for (size_t i = 0; i < wfi_algorithm_total && f->count < WFI_FIGURES_MOST; i++) {
        const wfi_algorithm *a = wfi_algorithms[i];
        if (!a->cpu_cost.fixed_ns) continue; /* not stated */
        wfi_costs *to = &f->at[f->count++];
        snprintf(to->algorithm, sizeof to->algorithm, "%s", a->info.name);
        to->cpu = a->cpu_cost;
        to->gpu = a->gpu_cost;
    }
}

const char *wfi_figures_path(char *path, size_t room) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool own = cache && cache[0] == '/'; /* the specification: a relative one is no good */
    bool some = (cache && *cache) || (home && *home);
    if (!own && !(home && home[0] == '/'))
        return some ? "neither XDG_CACHE_HOME nor HOME is an absolute path" : "neither XDG_CACHE_HOME nor HOME is set";
    int length = snprintf(path, room, "%s%s/weft/figures.tsv", own ? cache : home, own ? "" : "/.cache");
    if (length > 0 && (size_t)length < room) return NULL;
    return own ? "XDG_CACHE_HOME is too long" : "HOME is too long";
}

/* --- reading -------------------------------------------------------------------------------- */

static bool number(const char *word, uint64_t *to) {
    char *end;
    if (*word < '0' || *word > '9') return false;
    errno = 0;
    *to = strtoull(word, &end, 10);
    return !errno && !*end;
}

/* What has been read so far. */
typedef struct reader {
    wfi_figures *f;
    char version[LONGEST_VERSION];
    bool cpu[WFI_FIGURES_MOST], gpu[WFI_FIGURES_MOST]; /* whose costs have been there */
    bool context, few, many;
} reader;

/* It will stand in sentences on a terminal: printable ASCII. */
static bool name(const char *word, char *to, size_t room) {
    for (const char *c = word; *c; c++)
        if (*c < ' ' || *c > '~') return false;
    int length = snprintf(to, room, "%s", word);
    return length > 0 && (size_t)length < room;
}

/* The place of an algorithm, WFI_FIGURES_MOST when there is none. */
static size_t place_for(wfi_figures *f, const char *algorithm) {
    for (size_t i = 0; i < f->count; i++)
        if (!strcmp(f->at[i].algorithm, algorithm)) return i;
    if (f->count == WFI_FIGURES_MOST || !name(algorithm, f->at[f->count].algorithm, WFI_FIGURES_NAME))
        return WFI_FIGURES_MOST;
    return f->count++;
}

static bool cost(char *word[], size_t words, reader *r) {
    bool gpu = words == 8 && !strcmp(word[2], "gpu");
    if (words != 8 || (!gpu && strcmp(word[2], "cpu") != 0)) return false;
    size_t at = place_for(r->f, word[1]);
    if (at == WFI_FIGURES_MOST) return false;
    bool *seen = gpu ? &r->gpu[at] : &r->cpu[at], again = *seen;
    wfi_cost *c = gpu ? &r->f->at[at].gpu : &r->f->at[at].cpu;
    *seen = true;
    return !again && number(word[3], &c->fixed_ns) && number(word[4], &c->arc_fs) && number(word[5], &c->deep_fs) &&
           number(word[6], &c->level_ns) && number(word[7], &c->first_fs);
}

static bool sweep(char *word[], size_t words, reader *r) {
    bool many = words == 5 && !strcmp(word[1], "many");
    if (words != 5 || (!many && strcmp(word[1], "few") != 0)) return false;
    bool *seen = many ? &r->many : &r->few, again = *seen;
    wfi_sweep_costs *c = many ? &r->f->many : &r->f->few;
    *seen = true;
    return !again && number(word[2], &c->pull_fs) && number(word[3], &c->tile_fs) && number(word[4], &c->sort_fs);
}

static bool line(char *text, reader *r) {
    char *word[9], *rest = text;
    size_t words = 0;
    wfi_figures *f = r->f;
    for (char *w; words < 9 && (w = strsep(&rest, "\t")) != NULL;) word[words++] = w;
    if (words < 2) return false;
    if (!strcmp(word[0], "cost")) return cost(word, words, r);
    if (!strcmp(word[0], "sweep")) return sweep(word, words, r);
    if (words != 2) return false;
    if (!strcmp(word[0], "weft")) return name(word[1], r->version, sizeof r->version);
    if (!strcmp(word[0], "cpu")) return name(word[1], f->cpu, sizeof f->cpu);
    if (!strcmp(word[0], "gpu")) return name(word[1], f->gpu, sizeof f->gpu);
    if (!strcmp(word[0], "threads")) return number(word[1], &f->threads);
    if (!strcmp(word[0], "context")) return r->context = number(word[1], &f->context_ns);
    return false;
}

static bool lines(FILE *file, reader *r) {
    char text[512];
    size_t bytes = 0;
    while (fgets(text, sizeof text, file)) {
        size_t length = strcspn(text, "\n");
        bytes += length + 1;
        if (text[length] != '\n' || bytes > LARGEST) return false;
        text[length] = '\0';
        if (!line(text, r)) return false;
    }
    return !ferror(file);
}

static bool complete(const reader *r) {
    const wfi_figures *f = r->f;
    bool all = f->threads && *f->cpu && *r->version && r->few && r->many;
    all = all && (f->count > 0) == (*f->gpu != 0) && (f->count > 0) == r->context;
    for (size_t i = 0; i < f->count; i++) all = all && r->cpu[i] && r->gpu[i];
    return all;
}

/* The file, opened without waiting for anybody at the other end of a pipe; NULL when it is not to be read. */
static FILE *open_figures(const char *path, char *note, size_t room) {
    struct stat about;
    int at = wfi_open(path, O_RDONLY | O_NONBLOCK, 0);
    bool seen = at >= 0 && fstat(at, &about) == 0;
    if (at < 0 && errno == ENOENT)
        snprintf(note, room, "`weft_calibrate` has not been run");
    else if (!seen)
        snprintf(note, room, "the calibration in the cache cannot be read: %s", strerror(errno));
    else if (!S_ISREG(about.st_mode))
        snprintf(note, room, "the calibration in the cache is not a regular file");
    else if (about.st_size > LARGEST)
        snprintf(note, room, "the calibration in the cache is too large to be one");
    else {
        FILE *file = fdopen(at, "r");
        if (file) return file;
        snprintf(note, room, "the calibration in the cache cannot be read: %s", strerror(errno));
    }
    if (at >= 0) close(at);
    return NULL;
}

bool wfi_figures_read(const char *path, wfi_figures *f, char *note, size_t room) {
    char cpu[sizeof f->cpu];
    *f = (wfi_figures){.count = 0};
    reader r = {.f = f};
    FILE *file = open_figures(path, note, room);
    if (!file) return false;
    bool good = lines(file, &r);
    fclose(file);
    wfi_cpu_name("/proc/cpuinfo", cpu, sizeof cpu);
    if (*r.version && strcmp(r.version, weft_version()) != 0)
        snprintf(note, room, "the calibration in the cache is by Weft %s", r.version);
    else if (!good)
        snprintf(note, room, "the calibration in the cache is damaged");
    else if (!complete(&r))
        snprintf(note, room, "the calibration in the cache is incomplete");
    else if (strcmp(cpu, f->cpu) != 0)
        snprintf(note, room, "the calibration in the cache is of another machine");
    else
        return true;
    return false;
}

/* --- writing -------------------------------------------------------------------------------- */

static void put_cost(FILE *to, const char *algorithm, const char *device, const wfi_cost *c) {
    fprintf(to, "cost\t%s\t%s\t%llu\t%llu\t%llu\t%llu\t%llu\n", algorithm, device, (unsigned long long)c->fixed_ns,
            (unsigned long long)c->arc_fs, (unsigned long long)c->deep_fs, (unsigned long long)c->level_ns,
            (unsigned long long)c->first_fs);
}

static void put_sweep(FILE *to, const char *threads, const wfi_sweep_costs *c) {
    fprintf(to, "sweep\t%s\t%llu\t%llu\t%llu\n", threads, (unsigned long long)c->pull_fs,
            (unsigned long long)c->tile_fs, (unsigned long long)c->sort_fs);
}

/* Every folder on the way to the file. */
static void make_folders(const char *path) {
    char folder[WFI_FIGURES_PATH];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = folder + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        mkdir(folder, 0777);
    }
}

static weft_status open_place(weft_ctx *ctx, const char *path, wfi_place *to) {
    make_folders(path);
    int why = wfi_place_open(to, path, NULL);
    return why ? wfi_fail(ctx, WEFT_EIO, "%s: %s", path, strerror(why)) : WEFT_OK;
}

weft_status wfi_figures_try(weft_ctx *ctx, const char *path) {
    wfi_place to;
    weft_status st = open_place(ctx, path, &to);
    wfi_place_drop(&to);
    return st;
}

/* 0, or why not. */
static int put_figures(int fd, const wfi_figures *f) {
    int own = wfi_duplicate(fd);
    FILE *to = own < 0 ? NULL : fdopen(own, "w");
    if (!to) {
        int why = errno;
        if (own >= 0) close(own);
        return why;
    }
    fprintf(to, "weft\t%s\ncpu\t%s\nthreads\t%llu\n", weft_version(), f->cpu, (unsigned long long)f->threads);
    put_sweep(to, "few", &f->few);
    put_sweep(to, "many", &f->many);
    if (f->count) fprintf(to, "gpu\t%s\ncontext\t%llu\n", f->gpu, (unsigned long long)f->context_ns);
    for (size_t i = 0; i < f->count; i++) {
        put_cost(to, f->at[i].algorithm, "cpu", &f->at[i].cpu);
        put_cost(to, f->at[i].algorithm, "gpu", &f->at[i].gpu);
    }
    int why = fflush(to) || ferror(to) ? errno : 0;
    return fclose(to) && !why ? errno : why;
}

weft_status wfi_figures_write(weft_ctx *ctx, const char *path, const wfi_figures *f) {
    wfi_place to;
    weft_status st = open_place(ctx, path, &to);
    if (st) return st;
    int why = put_figures(to.fd, f);
    if (!why) why = wfi_place_end(&to);
    wfi_place_drop(&to);
    return why ? wfi_fail(ctx, WEFT_EIO, "%s: %s", path, strerror(why)) : WEFT_OK;
}

/* --- those in use ----------------------------------------------------------------------------- */

static struct { /* guarded by WFI_LOCK_FIGURES */
    bool there;
    wfi_figures figures;
    char source[WFI_FIGURES_SOURCE];
} now;

static void find(void) {
    char path[WFI_FIGURES_PATH], note[160];
    const char *nowhere = wfi_figures_path(path, sizeof path);
    now.there = true;
    if (!nowhere && wfi_figures_read(path, &now.figures, note, sizeof note)) {
        wfi_figures_settle(&now.figures, now.source, sizeof now.source);
        return;
    }
    wfi_figures_standard(&now.figures);
    if (nowhere)
        snprintf(now.source, sizeof now.source, "built-in figures: no place for a calibration: %s", nowhere);
    else
        snprintf(now.source, sizeof now.source, "built-in figures: %s", note);
}

bool wfi_figures_measured(const wfi_figures *f, const char *algorithm) {
    for (size_t i = 0; i < f->measured; i++)
        if (!strcmp(f->at[i].algorithm, algorithm)) return true;
    return false;
}

/* The GPU that is there may be another. */
void wfi_figures_settle(wfi_figures *f, char *source, size_t room) {
    wfi_figures standard;
    wfi_figures_standard(&standard);
    f->measured = f->count;
    for (size_t i = 0; i < standard.count && f->count < WFI_FIGURES_MOST; i++)
        if (!wfi_figures_measured(f, standard.at[i].algorithm)) f->at[f->count++] = standard.at[i];
    if (f->measured) {
        snprintf(source, room, "calibrated here with %.60s", f->gpu);
        return;
    }
    f->threads = standard.threads;
    f->context_ns = standard.context_ns;
    snprintf(source, room, "built-in figures: `weft_calibrate` timed nothing on a GPU");
}

void wfi_figures_now(wfi_figures *f, char *source, size_t room) {
    wfi_lock(WFI_LOCK_FIGURES);
    if (!now.there) find();
    *f = now.figures;
    snprintf(source, room, "%s", now.source);
    wfi_unlock(WFI_LOCK_FIGURES);
}

void wfi_figures_use(const wfi_figures *f, const char *source) {
    wfi_lock(WFI_LOCK_FIGURES);
    now.there = f != NULL;
    if (f) now.figures = *f;
    if (f) snprintf(now.source, sizeof now.source, "%s", source);
    wfi_unlock(WFI_LOCK_FIGURES);
}
