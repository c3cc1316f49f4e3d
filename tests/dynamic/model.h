/* A graph as a matrix, changed one change at a time: what a dynamic graph must amount to.  Shares nothing with the library but the
 * definition. */
#ifndef WEFT_TESTS_DYNAMIC_MODEL_H
#define WEFT_TESTS_DYNAMIC_MODEL_H

#include "support.h"

#include "graph/graph.h"

typedef enum id_style { DENSE_IDS, SPARSE_IDS, NAME_IDS } id_style;

typedef struct model {
    unsigned most; /* ids that there may be */
    bool directed, drop_loops;
    weft_weight_type type;
    id_style style;
    bool *vertex;   /* most */
    bool *edge;     /* most * most */
    double *weight; /* likewise */
    unsigned *row;  /* arcs of each */
    uint64_t edges;
    unsigned *by_id; /* places in ascending order of ids */
} model;

static inline int64_t model_number(const model *m, unsigned k) {
    return m->style == DENSE_IDS ? (int64_t)k - 3 : ((int64_t)k * 7919 % 100003 - 50000) * 1000003;
}

static inline void model_name(unsigned k, char room[24]) { snprintf(room, 24, "v%.*s%u", (int)(k % 3), "zzz", k); }

static const model *model_sorted; /* for qsort */
static inline int model_compare(const void *a, const void *b) {
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    if (model_sorted->style != NAME_IDS) {
        int64_t p = model_number(model_sorted, x), q = model_number(model_sorted, y);
        return (p > q) - (p < q);
    }
    char p[24], q[24];
    model_name(x, p);
    model_name(y, q);
    return strcmp(p, q);
}

static inline model model_new(unsigned most, bool directed, weft_weight_type type, id_style style, bool drop_loops) {
    model m = {.most = most, .directed = directed, .drop_loops = drop_loops, .type = type, .style = style};
    size_t cells = (size_t)most * most;
    m.vertex = calloc(most, sizeof *m.vertex);
    m.edge = calloc(cells, sizeof *m.edge);
    m.weight = calloc(cells, sizeof *m.weight);
    m.row = calloc(most, sizeof *m.row);
    m.by_id = calloc(most, sizeof *m.by_id);
    if (!m.vertex || !m.edge || !m.weight || !m.row || !m.by_id) exit(1);
    for (unsigned k = 0; k < most; k++) m.by_id[k] = k;
    model_sorted = &m;
    qsort(m.by_id, most, sizeof *m.by_id, model_compare);
    return m;
}

static inline void model_free(model *m) {
    free(m->vertex);
    free(m->edge);
    free(m->weight);
    free(m->row);
    free(m->by_id);
}

typedef struct change {
    weft_change what;
    unsigned u, v;
    double w;
} change;

static inline void model_set_arc(model *m, unsigned u, unsigned v, bool there, double w) {
    size_t cell = (size_t)u * m->most + v;
    if (m->edge[cell] != there) m->row[u] += there ? 1u : -1u;
    m->edge[cell] = there;
    m->weight[cell] = w;
}

static inline void model_set(model *m, unsigned u, unsigned v, bool there, double w) {
    if (m->edge[(size_t)u * m->most + v] != there) m->edges += there ? 1u : (uint64_t)-1;
    model_set_arc(m, u, v, there, w);
    if (!m->directed) model_set_arc(m, v, u, there, w);
}

static inline void model_apply(model *m, const change *c) {
    bool there = m->edge[(size_t)c->u * m->most + c->v];
    switch (c->what) {
    case WEFT_CHANGE_INSERT:
        m->vertex[c->u] = m->vertex[c->v] = true;
        if (c->u != c->v || !m->drop_loops) model_set(m, c->u, c->v, true, c->w);
        break;
    case WEFT_CHANGE_DELETE: model_set(m, c->u, c->v, false, 0); break;
    case WEFT_CHANGE_WEIGHT:
        if (there) model_set(m, c->u, c->v, true, c->w);
        break;
    case WEFT_CHANGE_ADD_VERTEX: m->vertex[c->u] = true; break;
    case WEFT_CHANGE_REMOVE_VERTEX:
        m->vertex[c->u] = false;
        for (unsigned k = 0; k < m->most; k++) {
            model_set(m, c->u, k, false, 0);
            model_set(m, k, c->u, false, 0);
        }
        break;
    }
}

static inline void put_weight(weft_weight_type type, void *weights, size_t at, double w) {
    if (type == WEFT_WEIGHT_U32) ((uint32_t *)weights)[at] = (uint32_t)w;
    if (type == WEFT_WEIGHT_F32) ((float *)weights)[at] = (float)w;
    if (type == WEFT_WEIGHT_F64) ((double *)weights)[at] = w;
}

static inline weft_status model_ids(weft_ctx *ctx, const model *m, weft_graph *g) {
    weft_vid n = 0;
    uint64_t bytes = 0;
    char name[24];
    g->ids.kind = m->style == NAME_IDS ? WEFT_IDS_STRING : WEFT_IDS_SPARSE;
    if (wfi_alloc(ctx, &g->ids.number, g->n + 1u) || wfi_alloc(ctx, &g->ids.start, g->n + 1u) ||
        wfi_alloc(ctx, &g->ids.text, 24u * (g->n + 1u)))
        return WEFT_ENOMEM;
    for (unsigned i = 0; i < m->most; i++) {
        unsigned k = m->by_id[i];
        if (!m->vertex[k]) continue;
        model_name(k, name);
        g->ids.number[n] = model_number(m, k);
        g->ids.start[n++] = bytes;
        memcpy(g->ids.text + bytes, name, strlen(name));
        bytes += strlen(name);
    }
    g->ids.start[n] = bytes;
    return WEFT_OK;
}

/* The graph, built from all its edges. */
static inline weft_graph *model_graph(weft_ctx *ctx, const model *m) {
    size_t count = 0, room = (size_t)m->edges + 1;
    weft_vid *rank = calloc(m->most, sizeof *rank), *u = malloc(room * 4), *v = malloc(room * 4), n = 0;
    double *w = malloc(room * 8);
    if (!rank || !u || !v || !w) exit(1);
    for (unsigned i = 0; i < m->most; i++)
        if (m->vertex[m->by_id[i]]) rank[m->by_id[i]] = n++;
    for (unsigned a = 0; a < m->most; a++)
        for (unsigned b = m->directed ? 0 : a; b < m->most && m->row[a]; b++) {
            if (!m->edge[(size_t)a * m->most + b]) continue;
            u[count] = rank[a];
            v[count] = rank[b];
            put_weight(m->type, w, count++, m->weight[(size_t)a * m->most + b]);
        }
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = m->directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    weft_graph *g = NULL;
    bool weighted = m->type != WEFT_WEIGHT_NONE;
    if (weft_graph_from_edges(ctx, n, count, u, v, weighted ? w : NULL, m->type, &build, &g)) g = NULL;
    if (g && !count) g->weight_type = m->type; /* no edges: the library forgets that they would have weights */
    if (g && model_ids(ctx, m, g)) exit(1);
    free(rank);
    free(u);
    free(v);
    free(w);
    return g;
}

/* Gives changes to the library, as arrays. */
static inline weft_status give(weft_ctx *ctx, weft_dynamic *d, const model *m, const change *c, size_t count,
                               weft_batch_stats *stats) {
    uint8_t *what = malloc(count + 1);
    int64_t *u = malloc(count * 8 + 8), *v = malloc(count * 8 + 8);
    char(*text)[24] = malloc((2 * count + 1) * sizeof *text);
    const char **a = malloc((count + 1) * sizeof *a), **b = malloc((count + 1) * sizeof *b);
    double *w = malloc(count * 8 + 8);
    if (!what || !u || !v || !text || !a || !b || !w) exit(1);
    for (size_t i = 0; i < count; i++) {
        what[i] = (uint8_t)c[i].what;
        u[i] = model_number(m, c[i].u);
        v[i] = model_number(m, c[i].v);
        model_name(c[i].u, text[2 * i]);
        model_name(c[i].v, text[2 * i + 1]);
        a[i] = text[2 * i];
        b[i] = text[2 * i + 1];
        put_weight(m->type, w, i, c[i].w);
    }
    weft_batch batch = WEFT_BATCH_DEFAULTS;
    batch.count = count;
    batch.changes = what;
    if (m->style == NAME_IDS) {
        batch.source_names = a;
        batch.target_names = b;
    } else {
        batch.sources = u;
        batch.targets = v;
    }
    if (m->type != WEFT_WEIGHT_NONE) batch.weights = w;
    weft_status st = weft_dynamic_apply(ctx, d, &batch, stats);
    free(what);
    free(u);
    free(v);
    free(text);
    free(a);
    free(b);
    free(w);
    return st;
}

/* A random change: a third deletes, some weights and vertices; `hub` times in a hundred the source is the same. */
static inline change draw_change(const model *m, dice *from, unsigned hub, bool of_vertices) {
    unsigned kind = (unsigned)roll(from, 100);
    change c = {WEFT_CHANGE_INSERT, (unsigned)roll(from, m->most), (unsigned)roll(from, m->most),
                (double)roll(from, 5)};
    if (roll(from, 100) < hub) c.u = 5 % m->most;
    if (roll(from, 20) == 0) c.v = c.u;
    if (kind >= 60) c.what = WEFT_CHANGE_DELETE;
    if (kind >= 90 && m->type != WEFT_WEIGHT_NONE) c.what = WEFT_CHANGE_WEIGHT;
    if (kind >= 96 && of_vertices) c.what = kind >= 98 ? WEFT_CHANGE_REMOVE_VERTEX : WEFT_CHANGE_ADD_VERTEX;
    return c;
}

#endif
