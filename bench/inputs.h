/* The inputs of the reading benchmarks: the files of one R-MAT graph, made once and kept, and what must come back when
 * they are read.
 *
 * The graph is generated anew each time and is the truth; a kept text that holds another graph (the generator changed,
 * the disk was full) is written again, once. */
#ifndef WEFT_BENCH_INPUTS_H
#define WEFT_BENCH_INPUTS_H

#include "bench.h"

#include "core/scan.h"
#include "io/stream/sink.h"
#include "weft/generate.h"

#include <sys/stat.h>

/* folder/rmat-scaleS-degreeD with the extensions
 *   .txt            "u v" lines, each edge once, by ascending u, then v; nothing else, as other programs write it
 *   .shuffled.txt   the same edges in random order, ends swapped at random
 *   .txt.gz .txt.zst  .txt compressed
 *   .weft */
typedef struct input {
    const char *folder;
    unsigned scale;
    double degree;
} input;

/* The graph that every reading must come back with. */
typedef struct facts {
    uint64_t vertices, edges, arcs, text_bytes, weft_bytes;
    uint64_t fingerprint;         /* with all 2^scale vertices */
    uint64_t compact_fingerprint; /* with the ids that occur */
    uint64_t compact_vertices;
} facts;

_Static_assert(sizeof(facts) <= sizeof(uint64_t) * BENCH_NUMBERS, "the facts travel as a result's numbers");

static inline void input_path(const input *in, const char *extension, char *path, size_t room) {
    snprintf(path, room, "%s/rmat-scale%u-degree%g.%s", in->folder, in->scale, in->degree, extension);
}

static inline uint64_t input_bytes(const input *in, const char *extension) {
    char path[512];
    struct stat s;
    input_path(in, extension, path, sizeof path);
    return stat(path, &s) ? 0 : (uint64_t)s.st_size;
}

static inline weft_status input_generate(weft_ctx *ctx, unsigned scale, double degree, bool undirected,
                                         weft_graph **g) {
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.scale = scale;
    p.degree = degree;
    p.undirected = undirected;
    return weft_generate(ctx, "rmat", &p, NULL, g);
}

/* Undirected; with all vertices, or with those that occur. */
static inline weft_read_params input_reading(const input *in, bool all_vertices) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.direction = WEFT_UNDIRECTED;
    if (all_vertices) p.vertices = UINT64_C(1) << in->scale;
    return p;
}

/* Is `some` the graph `all` without its isolated vertices?  Ids of `all` are its vertices; ids of `some` ascend. */
static inline bool input_same_edges(weft_ctx *ctx, const weft_graph *all, const weft_graph *some) {
    weft_csr a = {.size = sizeof a}, b = a;
    if (weft_graph_out(ctx, all, &a) || weft_graph_out(ctx, some, &b) || a.arcs != b.arcs ||
        weft_graph_edges(all) != weft_graph_edges(some))
        return false;
    for (weft_vid v = 0; v < b.vertices; v++) {
        int64_t id = weft_graph_id(some, v);
        if (id < 0 || id >= (int64_t)a.vertices) return false;
        weft_eid from = b.offsets[v], at = a.offsets[id], length = b.offsets[v + 1] - from;
        if (a.offsets[id + 1] - at != length) return false;
        for (weft_eid i = 0; i < length; i++)
            if (weft_graph_id(some, b.targets[from + i]) != (int64_t)a.targets[at + i]) return false;
    }
    return true;
}

static inline bool input_read(weft_ctx *ctx, const input *in, bool all_vertices, weft_graph **g, uint64_t *fingerprint,
                              bench_result *r) {
    char path[512];
    weft_read_params p = input_reading(in, all_vertices);
    input_path(in, "txt", path, sizeof path);
    return bench_good(ctx, weft_read(ctx, path, &p, g), "reading", r) &&
           bench_good(ctx, weft_graph_fingerprint(ctx, *g, fingerprint), "fingerprint", r);
}

/* Reads the text both ways and compares with `g`; *right is false when the file holds another graph. */
static inline bool input_check_text(weft_ctx *ctx, const input *in, const weft_graph *g, facts *f, bool *right,
                                    bench_result *r) {
    weft_graph *full = NULL, *compact = NULL;
    uint64_t found;
    bool good =
        input_read(ctx, in, true, &full, &found, r) && input_read(ctx, in, false, &compact, &f->compact_fingerprint, r);
    *right = good && found == f->fingerprint && input_same_edges(ctx, g, compact);
    if (good) f->compact_vertices = weft_graph_vertices(compact);
    weft_graph_free(full);
    weft_graph_free(compact);
    return good;
}

typedef struct input_edge {
    weft_vid u, v;
} input_edge;

/* Each edge of an undirected graph once; NULL when out of memory. */
static inline input_edge *input_edges(weft_ctx *ctx, const weft_graph *g, bool shuffled) {
    weft_csr out = {.size = sizeof out};
    if (weft_graph_out(ctx, g, &out)) return NULL;
    uint64_t count = 0, edges = weft_graph_edges(g);
    input_edge *list = malloc((edges + 1) * sizeof *list);
    if (!list) return NULL;
    for (weft_vid u = 0; u < out.vertices; u++)
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++)
            if (out.targets[e] >= u) list[count++] = (input_edge){u, out.targets[e]};
    for (uint64_t i = count; shuffled && i > 1; i--) {
        uint64_t bits = wfi_mix(i), other = (bits >> 1) % i;
        input_edge last = list[i - 1], pick = list[other];
        list[other] = last;
        list[i - 1] = bits & 1 ? (input_edge){pick.v, pick.u} : pick;
    }
    return list;
}

static inline weft_status input_write_text(weft_ctx *ctx, const weft_graph *g, const char *path, bool shuffled) {
    wfi_sink *sink;
    input_edge *list = input_edges(ctx, g, shuffled);
    if (!list) return WEFT_ENOMEM;
    weft_status st = wfi_sink_open(ctx, path, 0, &sink);
    if (!st) {
        for (uint64_t i = 0; i < weft_graph_edges(g) && !wfi_sink_failed(sink); i++) {
            wfi_sink_u64(sink, list[i].u);
            wfi_sink_char(sink, ' ');
            wfi_sink_u64(sink, list[i].v);
            wfi_sink_char(sink, '\n');
        }
        st = wfi_sink_finish(ctx, sink);
    }
    free(list);
    return st;
}

/* Writes the file if it is not there, or in any case when told to. */
static inline bool input_write(weft_ctx *ctx, const input *in, const weft_graph *g, const char *extension, bool renew,
                               bench_result *r) {
    char path[512];
    if (!renew && input_bytes(in, extension)) return true;
    input_path(in, extension, path, sizeof path);
    fprintf(stderr, "writing %s\n", path);
    weft_status st = strcmp(extension, "weft") ? input_write_text(ctx, g, path, strstr(extension, "shuffled") != NULL)
                                               : weft_write(ctx, g, path, NULL);
    return bench_good(ctx, st, path, r);
}

/* Makes what is missing and fills the facts. */
static inline bool input_prepare(weft_ctx *ctx, const input *in, facts *f, bench_result *r) {
    weft_graph *g = NULL;
    bool right = false, renew = false;
    bool good = bench_good(ctx, input_generate(ctx, in->scale, in->degree, true, &g), "generating", r) &&
                bench_good(ctx, weft_graph_fingerprint(ctx, g, &f->fingerprint), "fingerprint", r);
    for (int attempt = 0; good && !right && attempt < 2; attempt++) {
        renew = attempt > 0 || !input_bytes(in, "txt");
        good = input_write(ctx, in, g, "txt", renew, r) && input_check_text(ctx, in, g, f, &right, r);
    }
    if (good && !right) bench_fail(r, "the text does not read back as the graph that was written");
    static const char *const others[] = {"shuffled.txt", "txt.gz", "txt.zst", "weft"};
    good = good && right;
    for (size_t i = 0; good && i < sizeof others / sizeof *others; i++)
        good = input_write(ctx, in, g, others[i], renew, r);
    if (good) {
        f->vertices = weft_graph_vertices(g);
        f->edges = weft_graph_edges(g);
        f->arcs = weft_graph_arcs(g);
        f->text_bytes = input_bytes(in, "txt");
        f->weft_bytes = input_bytes(in, "weft");
    }
    weft_graph_free(g);
    return good;
}

#endif
