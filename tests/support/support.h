/* What the tests share: a context that remembers its warnings, graphs as one line of text, folders, files, random
 * numbers, and an allocator that can be told to fail.  Uses the public API only; include it before anything else. */
#ifndef WEFT_TESTS_SUPPORT_H
#define WEFT_TESTS_SUPPORT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "harness.h"
#include "weft/experimental.h"
#include "weft/generate.h"

#include <dirent.h>
#include <ftw.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* --- warnings ------------------------------------------------------------ */

typedef struct warnings {
    int count;
    char text[4096]; /* one per line, the first that fit */
} warnings;

static inline void note_warning(void *user, const char *message) {
    warnings *w = user;
    size_t used = strlen(w->text);
    w->count++;
    snprintf(w->text + used, sizeof w->text - used, "%s\n", message);
}

/* A context with `threads` threads (0 = all cores).  w may be NULL.  It runs on the CPU: tests of methods, memory and threads mean
 * that one, whether or not there is a GPU; tests of the GPU or of the choice ask for it. */
static inline weft_ctx *new_ctx(int threads, warnings *w) {
    weft_ctx *ctx = NULL;
    if (weft_ctx_new(&ctx) || weft_ctx_set_threads(ctx, threads)) {
        fprintf(stderr, "no context\n");
        exit(1);
    }
    weft_ctx_set_device(ctx, WEFT_DEVICE_CPU);
    if (w) {
        *w = (warnings){0, ""};
        weft_ctx_set_warning(ctx, note_warning, w);
    }
    return ctx;
}

/* Sanitizers, valgrind and counters of coverage slow everything down many times, unevenly: what says "true" here takes
 * smaller graphs and leaves out bounds on time. */
static inline bool under_a_microscope(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(WEFT_COVERAGE)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return true;
#endif
#endif
    const char *preloaded = getenv("LD_PRELOAD");
    return preloaded && strstr(preloaded, "vgpreload"); /* valgrind's own library */
}

/* Does the environment ask for all of a test, as `make slow` does? */
static inline bool asked_for_all(const char *variable) {
    const char *which = getenv(variable);
    return which && !strcmp(which, "all");
}

/* WEFT_TEST_PART=2/3: every third case, from the second on (cmake/WeftTests.cmake). */
typedef struct test_part {
    unsigned at, of; /* at counts from 0 */
} test_part;

static inline test_part part_of_test(void) {
    const char *part = getenv("WEFT_TEST_PART");
    test_part p = {1, 1};
    if (part && (sscanf(part, "%u/%u", &p.at, &p.of) != 2 || p.at < 1 || p.at > p.of)) exit(1);
    p.at--;
    return p;
}

/* --- reading and showing -------------------------------------------------- */

static inline weft_read_params reading(const char *format) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.format = format;
    return p;
}

/* Reads a C string; NULL (and a failed check is up to the caller) when the library refuses. */
static inline weft_graph *read_text(weft_ctx *ctx, const char *text, const weft_read_params *params) {
    weft_graph *g = NULL;
    return weft_read_memory(ctx, text, strlen(text), "text", params, &g) ? NULL : g;
}

/* A run with default parameters. */
static inline weft_status run_default(weft_ctx *ctx, const char *algorithm, const weft_graph *g, weft_result **out) {
    weft_plan *plan = NULL;
    *out = NULL;
    weft_status st = weft_plan_new(ctx, algorithm, g, NULL, &plan);
    if (!st) st = weft_plan_run(plan, out);
    weft_plan_free(plan);
    return st;
}

/* The rows of a graph, asked for through a context of their own. */
static inline weft_csr out_rows(const weft_graph *g) {
    weft_csr rows = {.size = sizeof rows};
    weft_ctx *ctx = NULL;
    if (weft_ctx_new(&ctx) || weft_graph_out(ctx, g, &rows)) {
        fprintf(stderr, "no rows: %s\n", weft_ctx_message(ctx));
        exit(1);
    }
    weft_ctx_free(ctx);
    return rows;
}

/* A matrix for params, kept until 256 later ones were made. */
static inline const weft_matrix *matrix_at(const void *data, uint64_t rows, uint64_t width, weft_type type) {
    static weft_matrix made[256];
    static unsigned next;
    weft_matrix *m = &made[next++ % 256];
    *m = (weft_matrix){sizeof *m, data, rows, width, type};
    return m;
}

static inline double weight_at(const weft_graph *g, const weft_csr *rows, weft_eid at) {
    switch (weft_graph_weight_type(g)) {
    case WEFT_WEIGHT_NONE: return 0;
    case WEFT_WEIGHT_U32: return ((const uint32_t *)rows->weights)[at];
    case WEFT_WEIGHT_F32: return (double)((const float *)rows->weights)[at];
    case WEFT_WEIGHT_F64: return ((const double *)rows->weights)[at];
    }
    return 0;
}

static inline void append(char *to, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
static inline void append(char *to, size_t room, const char *format, ...) {
    size_t used = strlen(to);
    va_list args;
    va_start(args, format);
    vsnprintf(to + used, room - used, format, args);
    va_end(args);
}

/* A small graph as one line: direction, weight type, the ids in vertex order, the arcs with their weights; of an
 * undirected graph each edge once, from its smaller vertex.
 *     "directed u32 [1 2 5] 1>2:7 2>5:3"      "undirected none [a b] a-b" */
static inline const char *graph_text(const weft_graph *g, char *to, size_t room) {
    static const char *const type[] = {"none", "u32", "f32", "f64"};
    int directed = weft_graph_directed(g);
    weft_csr out = out_rows(g);
    char u[512], v[512];
    to[0] = 0;
    append(to, room, "%s %s [", directed ? "directed" : "undirected", type[weft_graph_weight_type(g)]);
    for (weft_vid i = 0; i < out.vertices; i++) {
        weft_graph_id_text(g, i, u, sizeof u);
        append(to, room, "%s%s", i ? " " : "", u);
    }
    append(to, room, "]");
    for (weft_vid i = 0; i < out.vertices; i++)
        for (weft_eid e = out.offsets[i]; e < out.offsets[i + 1]; e++) {
            if (!directed && out.targets[e] < i) continue;
            weft_graph_id_text(g, i, u, sizeof u);
            weft_graph_id_text(g, out.targets[e], v, sizeof v);
            append(to, room, " %s%c%s", u, directed ? '>' : '-', v);
            if (weft_graph_weight_type(g)) append(to, room, ":%.9g", weight_at(g, &out, e));
        }
    return to;
}

static inline weft_graph_info info_of(weft_ctx *ctx, const weft_graph *g) {
    weft_graph_info info = {.size = sizeof info};
    if (weft_graph_describe(ctx, g, &info)) HARNESS_FAIL("describe: %s", weft_ctx_message(ctx));
    return info;
}

static inline uint64_t fingerprint_of(weft_ctx *ctx, const weft_graph *g) {
    uint64_t print = 0;
    if (weft_graph_fingerprint(ctx, g, &print)) HARNESS_FAIL("fingerprint: %s", weft_ctx_message(ctx));
    return print;
}

/* What every CSR must be, whatever was read: NULL when it is, else what is wrong. */
static inline const char *csr_fault(const weft_csr *rows) {
    if (!rows->offsets) return "no offsets";
    if (rows->offsets[0] != 0) return "the first offset is not 0";
    for (weft_vid v = 0; v < rows->vertices; v++)
        if (rows->offsets[v] > rows->offsets[v + 1]) return "the offsets fall";
    if (rows->offsets[rows->vertices] != rows->arcs) return "the last offset is not the number of arcs";
    for (weft_vid v = 0; v < rows->vertices; v++)
        for (weft_eid e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
            if (rows->targets[e] >= rows->vertices) return "a target is no vertex";
            if (e > rows->offsets[v] && rows->targets[e - 1] > rows->targets[e]) return "a row does not ascend";
        }
    return NULL;
}

/* --- random numbers ------------------------------------------------------- */

/* The number at place `counter` of stream `seed`: no state, the same on every machine. */
static inline uint64_t random_at(uint64_t seed, uint64_t counter) {
    uint64_t x = seed * 0x9e3779b97f4a7c15u + counter * 0xd1342543de82ef95u + 0x2545f4914f6cdd1du;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

typedef struct dice {
    uint64_t seed, counter;
} dice;

static inline uint64_t roll(dice *d, uint64_t below) { return random_at(d->seed, d->counter++) % below; }

/* --- files ---------------------------------------------------------------- */

/* tests/data: found from this header in the source tree, or under the current folder. */
static inline const char *data_path(const char *relative, char *to, size_t room) {
    const char *here = __FILE__, *slash = strrchr(here, '/');
    snprintf(to, room, "%.*s../data/%s", slash ? (int)(slash - here) + 1 : 0, here, relative);
    if (access(to, F_OK)) snprintf(to, room, "tests/data/%s", relative);
    return to;
}

/* The shared real graphs; NULL when they are not on this machine. */
static inline const char *shared_data(void) {
    const char *path = getenv("WEFT_SHARED_DATA");
    if (!path || !*path) path = "../shared/data";
    return access(path, R_OK) ? NULL : path;
}

static inline void *read_file(const char *path, size_t *bytes) {
    FILE *f = fopen(path, "rb");
    *bytes = 0;
    if (!f) return NULL;
    size_t room = 1 << 16;
    char *data = malloc(room + 1);
    for (size_t got; data && (got = fread(data + *bytes, 1, room - *bytes, f)) > 0;) {
        *bytes += got;
        if (*bytes == room) data = realloc(data, (room *= 2) + 1);
    }
    fclose(f);
    if (data) data[*bytes] = 0;
    return data;
}

static inline bool write_file(const char *path, const void *data, size_t bytes) {
    FILE *f = fopen(path, "wb");
    if (!f) return false;
    bool whole = fwrite(data, 1, bytes, f) == bytes;
    return fclose(f) == 0 && whole;
}

/* A fresh folder; remove_temp takes it away with all that is in it. */
static inline bool make_temp(char *to, size_t room) {
    const char *base = getenv("TMPDIR");
    snprintf(to, room, "%s/weft-test-XXXXXX", base && *base ? base : "/tmp");
    return mkdtemp(to) != NULL;
}

static inline int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where) {
    (void)st, (void)kind, (void)where;
    return remove(path);
}

static inline void remove_temp(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

static inline int count_entries(const char *folder) {
    DIR *d = opendir(folder);
    int count = 0;
    if (!d) return -1;
    for (struct dirent *e; (e = readdir(d));) count += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    closedir(d);
    return count;
}

/* --- an allocator that counts and can fail --------------------------------- */

typedef struct counting {
    _Atomic uint64_t calls, live_blocks, live_bytes;
    uint64_t allowed; /* calls that succeed before the first failure */
    bool once;        /* only that one call fails; otherwise every later one too */
} counting;

static inline void *counting_alloc(void *user, size_t bytes) {
    counting *c = user;
    uint64_t call = atomic_fetch_add(&c->calls, 1);
    if (c->once ? call == c->allowed : call >= c->allowed) return NULL;
    void *block = malloc(bytes);
    if (block) {
        atomic_fetch_add(&c->live_blocks, 1);
        atomic_fetch_add(&c->live_bytes, bytes);
    }
    return block;
}

static inline void counting_free(void *user, void *block, size_t bytes) {
    counting *c = user;
    atomic_fetch_sub(&c->live_blocks, 1);
    atomic_fetch_sub(&c->live_bytes, bytes);
    free(block);
}

#define COUNT_ONLY UINT64_MAX /* for .allowed: never fail */

/* A cancel callback that says no as often as the _Atomic int behind `user` allows, then yes. */
static inline int stop_after(void *user) { return atomic_fetch_sub((_Atomic int *)user, 1) <= 0; }

/* The GPU's side of a first run, which adds to the graph's copy there within bounds; test_plan_memory.c is exact. */
static inline bool held_as_planned(double planned, double held) { return held <= planned && held >= 0.3 * planned; }

#endif
