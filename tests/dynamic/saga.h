/* A history for files: batches of changes, and the fingerprint of the graph after each, from the model. */
#ifndef WEFT_TESTS_DYNAMIC_SAGA_H
#define WEFT_TESTS_DYNAMIC_SAGA_H

#include "model.h"

enum { SAGA_BATCHES = 12, SAGA_LARGEST = 40 };

typedef struct saga {
    model m; /* for its ids and weights */
    size_t count[SAGA_BATCHES];
    change changes[SAGA_BATCHES][SAGA_LARGEST];
    uint64_t print[SAGA_BATCHES + 1]; /* [k]: after k batches */
} saga;

static inline uint64_t saga_print(weft_ctx *ctx, const model *m) {
    weft_graph *g = model_graph(ctx, m);
    uint64_t print = g ? fingerprint_of(ctx, g) : 0;
    weft_graph_free(g);
    return print;
}

/* Batches of up to `largest` changes; the third is empty. */
static inline void saga_write(weft_ctx *ctx, saga *s, bool directed, weft_weight_type type, id_style style,
                              size_t largest) {
    dice from = {41 + (uint64_t)style, 0};
    s->m = model_new(60, directed, type, style, false);
    s->print[0] = saga_print(ctx, &s->m);
    for (unsigned b = 0; b < SAGA_BATCHES; b++) {
        s->count[b] = b == 2 ? 0 : 1 + (size_t)roll(&from, largest);
        for (size_t i = 0; i < s->count[b]; i++) {
            s->changes[b][i] = draw_change(&s->m, &from, 10, true);
            model_apply(&s->m, &s->changes[b][i]);
        }
        s->print[b + 1] = saga_print(ctx, &s->m);
    }
}

/* A folder in memory, if there is such a thing: what is tested is not the disk, and thousands of syncs take their time. */
typedef struct place {
    char folder[256], path[512];
} place;

static inline bool place_open(place *p) {
    snprintf(p->folder, sizeof p->folder, "/dev/shm/weft-test-XXXXXX");
    bool good = mkdtemp(p->folder) || make_temp(p->folder, sizeof p->folder);
    snprintf(p->path, sizeof p->path, "%s/g.weft", p->folder);
    return good;
}

/* An empty graph of that kind, as a plain .weft file. */
static inline bool saga_file(weft_ctx *ctx, const saga *s, const char *path) {
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    weft_dynamic *d = NULL;
    weft_graph *g = NULL;
    p.direction = s->m.directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    p.weight_type = s->m.type;
    p.names = s->m.style == NAME_IDS;
    bool good =
        !weft_dynamic_new(ctx, NULL, &p, &d) && !weft_dynamic_snapshot(ctx, d, &g) && !weft_write(ctx, g, path, NULL);
    weft_graph_free(g);
    weft_dynamic_free(d);
    return good;
}

static inline weft_status saga_batch(weft_ctx *ctx, const saga *s, weft_dynamic *d, unsigned b) {
    return give(ctx, d, &s->m, s->changes[b], s->count[b], NULL);
}

static inline weft_status saga_open(weft_ctx *ctx, const char *path, weft_durable durable, weft_dynamic **d) {
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    p.durable = durable;
    return weft_dynamic_open(ctx, path, &p, d);
}

static inline weft_status saga_read(weft_ctx *ctx, const char *path, uint64_t at, weft_dynamic **d) {
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    p.read_only = 1;
    p.at = at;
    return weft_dynamic_open(ctx, path, &p, d);
}

static inline uint64_t dynamic_print(weft_ctx *ctx, weft_dynamic *d) {
    weft_graph *g = NULL;
    uint64_t print = weft_dynamic_snapshot(ctx, d, &g) ? 0 : fingerprint_of(ctx, g);
    weft_graph_free(g);
    return print;
}

static inline weft_dynamic_info dynamic_info(weft_ctx *ctx, weft_dynamic *d) {
    weft_dynamic_info info = {.size = sizeof info};
    if (weft_dynamic_describe(ctx, d, &info)) HARNESS_FAIL("describe: %s", weft_ctx_message(ctx));
    return info;
}

/* Is it the graph after `version` batches, as it says itself? */
static inline bool saga_holds(weft_ctx *ctx, const saga *s, weft_dynamic *d, uint64_t version) {
    return dynamic_info(ctx, d).version == version && dynamic_print(ctx, d) == s->print[version];
}

#endif
