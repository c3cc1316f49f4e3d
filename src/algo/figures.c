/* The figures that --device auto goes by: built in, or those that weft_calibrate has left in the user's cache.
 * A file is lines of words with a tab between them:
 *
 *     weft     VERSION
 *     cpu      NAME
 *     threads  N
 *     gpu      NAME
 *     context  NS
 *     cost     ALGORITHM  cpu|gpu  FIXED_NS  ARC_FS  DEEP_FS  LEVEL_NS  FIRST_FS
 *
 * It is taken whole or not at all: another version, another processor or a line that makes no sense, and the built-in
 * figures stand in, with the reason.  The GPU's name is looked at when a GPU is (device.c). */
#include "algo/auto.h"
#include "core/machine.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One H200 and 16 cores (docs/DEVICE.md); of sssp and degree what searches and single passes cost there. */
const wfi_figures wfi_figures_standard = {
    .threads = 16,
    .context_ns = 225000000,
    .count = 5,
    .at = {{"pagerank", {48000, 212000, 212000, 0, 0}, {230000, 9100, 9100, 0, 680000}},
           {"bfs", {4000, 96000, 9800000, 0, 0}, {105000, 31000, 1500000, 3900, 130000}},
           {"components", {19000, 123000, 123000, 0, 0}, {148000, 16000, 16000, 0, 140000}},
           {"sssp", {10000, 1000000, 20000000, 5000, 0}, {150000, 60000, 3000000, 5500, 130000}},
           {"degree", {10000, 30000, 30000, 0, 0}, {150000, 16000, 16000, 0, 140000}}},
};

bool wfi_figures_path(char *path, size_t room) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool own = cache && cache[0] == '/'; /* the specification: a relative one is no good */
    if (!own && !(home && home[0] == '/')) return false;
    int length = snprintf(path, room, "%s%s/weft/figures.tsv", own ? cache : home, own ? "" : "/.cache");
    return length > 0 && (size_t)length < room;
}

/* --- reading -------------------------------------------------------------------------------- */

static bool number(const char *word, uint64_t *to) {
    char *end;
    if (*word < '0' || *word > '9') return false;
    errno = 0;
    *to = strtoull(word, &end, 10);
    return !errno && !*end;
}

static bool name(const char *word, char *to, size_t room) {
    int length = snprintf(to, room, "%s", word);
    return length > 0 && (size_t)length < room;
}

static wfi_costs *costs_for(wfi_figures *f, const char *algorithm) {
    for (size_t i = 0; i < f->count; i++)
        if (!strcmp(f->at[i].algorithm, algorithm)) return &f->at[i];
    if (f->count == WFI_FIGURES_MOST || !name(algorithm, f->at[f->count].algorithm, WFI_FIGURES_NAME)) return NULL;
    return &f->at[f->count++];
}

static bool cost(char *word[], size_t words, wfi_figures *f) {
    bool gpu = words == 8 && !strcmp(word[2], "gpu");
    if (words != 8 || (!gpu && strcmp(word[2], "cpu") != 0)) return false;
    wfi_costs *costs = costs_for(f, word[1]);
    if (!costs) return false;
    wfi_cost *c = gpu ? &costs->gpu : &costs->cpu;
    return number(word[3], &c->fixed_ns) && number(word[4], &c->arc_fs) && number(word[5], &c->deep_fs) &&
           number(word[6], &c->level_ns) && number(word[7], &c->first_fs);
}

/* One line; version receives the word after weft. */
static bool line(char *text, wfi_figures *f, char version[32]) {
    char *word[9], *rest = text;
    size_t words = 0;
    for (char *w; words < 9 && (w = strsep(&rest, "\t")) != NULL;) word[words++] = w;
    if (words < 2) return false;
    if (!strcmp(word[0], "cost")) return cost(word, words, f);
    if (words != 2) return false;
    if (!strcmp(word[0], "weft")) return name(word[1], version, 32);
    if (!strcmp(word[0], "cpu")) return name(word[1], f->cpu, sizeof f->cpu);
    if (!strcmp(word[0], "gpu")) return name(word[1], f->gpu, sizeof f->gpu);
    if (!strcmp(word[0], "threads")) return number(word[1], &f->threads);
    if (!strcmp(word[0], "context")) return number(word[1], &f->context_ns);
    return false;
}

bool wfi_figures_read(const char *path, wfi_figures *f, char *note, size_t room) {
    char text[512], version[32] = "", cpu[sizeof f->cpu];
    *f = (wfi_figures){.count = 0};
    FILE *file = fopen(path, "re");
    if (!file) {
        snprintf(note, room, "weft doctor --calibrate has not been run");
        return false;
    }
    bool good = true;
    while (good && fgets(text, sizeof text, file)) {
        size_t length = strcspn(text, "\n");
        good = text[length] == '\n';
        text[length] = '\0';
        good = good && line(text, f, version);
    }
    fclose(file);
    wfi_cpu_name("/proc/cpuinfo", cpu, sizeof cpu);
    if (!good || !f->count || !f->threads || !*f->gpu)
        snprintf(note, room, "the calibration in the cache cannot be read");
    else if (strcmp(version, weft_version()) != 0)
        snprintf(note, room, "the calibration in the cache is by Weft %s", version);
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

/* Every folder on the way to the file. */
static void make_folders(const char *path) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = folder + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        mkdir(folder, 0777);
    }
}

weft_status wfi_figures_write(weft_ctx *ctx, const char *path, const wfi_figures *f) {
    char temporary[4200];
    snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
    make_folders(path);
    FILE *to = fopen(temporary, "we");
    if (!to) return wfi_fail(ctx, WEFT_EIO, "%s: %s", path, strerror(errno));
    fprintf(to, "weft\t%s\ncpu\t%s\nthreads\t%llu\ngpu\t%s\ncontext\t%llu\n", weft_version(), f->cpu,
            (unsigned long long)f->threads, f->gpu, (unsigned long long)f->context_ns);
    for (size_t i = 0; i < f->count; i++) {
        put_cost(to, f->at[i].algorithm, "cpu", &f->at[i].cpu);
        put_cost(to, f->at[i].algorithm, "gpu", &f->at[i].gpu);
    }
    bool good = !ferror(to);
    good = fclose(to) == 0 && good && rename(temporary, path) == 0;
    if (good) return WEFT_OK;
    int why = errno;
    unlink(temporary);
    return wfi_fail(ctx, WEFT_EIO, "%s: %s", path, strerror(why));
}

/* --- those in use ----------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool there;
    wfi_figures figures;
    char source[160];
} now;

static void find(void) {
    char path[4096], note[128] = "no place for a calibration: neither XDG_CACHE_HOME nor HOME is set";
    now.there = true;
    if (wfi_figures_path(path, sizeof path) && wfi_figures_read(path, &now.figures, note, sizeof note)) {
        snprintf(now.source, sizeof now.source, "calibrated here");
        return;
    }
    now.figures = wfi_figures_standard;
    snprintf(now.source, sizeof now.source, "built-in figures: %s", note);
}

void wfi_figures_now(wfi_figures *f, char *source, size_t room) {
    pthread_mutex_lock(&lock);
    if (!now.there) find();
    *f = now.figures;
    snprintf(source, room, "%s", now.source);
    pthread_mutex_unlock(&lock);
}

void wfi_figures_use(const wfi_figures *f, const char *source) {
    pthread_mutex_lock(&lock);
    now.there = f != NULL;
    if (f) now.figures = *f;
    if (f) snprintf(now.source, sizeof now.source, "%s", source);
    pthread_mutex_unlock(&lock);
}
