/* Figures of one real graph, each computed by weft when it is asked for, and kept: what the tests of published and of
 * counted truths share.  Verifiers look too, where that takes no more than a moment. */
#ifndef WEFT_TESTS_FACTS_H
#define WEFT_TESTS_FACTS_H

#include "shared_tables.h"

#include "weft/bfs.h"
#include "weft/check.h"
#include "weft/components.h"

typedef struct facts {
    weft_ctx *ctx;
    const char *name;
    weft_graph *g;      /* in the direction it was published in */
    weft_graph *simple; /* undirected, without loops */
    weft_graph_info info;
    weft_result *weak, *strong, *triangles, *clustering, *kcore;
} facts;

/* The graph of a manifest row.  Weights do not matter here, and some files have ones that cannot be read. */
static inline weft_graph *read_fact(weft_ctx *ctx, const char *file, uint64_t vertices, weft_direction direction,
                                    weft_loops loops) {
    char path[4096];
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.weights = WEFT_WEIGHTS_IGNORE;
    p.direction = direction;
    p.loops = loops;
    if (counts_isolated(file)) p.vertices = vertices;
    snprintf(path, sizeof path, "%s/%s", shared_data(), file);
    weft_graph *g = NULL;
    if (weft_read(ctx, path, &p, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

static inline bool open_facts(facts *f, weft_ctx *ctx, const char *name, const char *file, uint64_t vertices,
                              weft_direction direction) {
    *f = (facts){.ctx = ctx, .name = name};
    f->g = read_fact(ctx, file, vertices, direction, WEFT_LOOPS_KEEP);
    f->simple = read_fact(ctx, file, vertices, WEFT_UNDIRECTED, WEFT_LOOPS_DROP);
    if (!f->g || !f->simple) return false;
    f->info = info_of(ctx, f->g);
    return true;
}

static inline void close_facts(facts *f) {
    weft_result *results[] = {f->weak, f->strong, f->triangles, f->clustering, f->kcore};
    for (size_t i = 0; i < LENGTH(results); i++) weft_result_free(results[i]);
    weft_graph_free(f->g);
    weft_graph_free(f->simple);
}

/* The result in *kept, made now if it is not there. */
static inline const weft_result *fact(facts *f, weft_result **kept, const char *algorithm, const weft_graph *g,
                                      const void *params) {
    if (*kept) return *kept;
    weft_plan *plan = NULL;
    weft_check_report report = WEFT_CHECK_REPORT_DEFAULTS;
    report.passed = 1;
    /* The verifiers of triangles look at pairs of neighbours, of which large graphs have very many. */
    bool verify = !strcmp(algorithm, "components") || weft_graph_arcs(g) < 60000;
    if (weft_plan_new(f->ctx, algorithm, g, params, &plan) || weft_plan_run(plan, kept) ||
        (verify && weft_check(f->ctx, algorithm, g, params, *kept, &report))) {
        fprintf(stderr, "%s of %s: %s\n", algorithm, f->name, weft_ctx_message(f->ctx));
        exit(1);
    }
    if (!report.passed) HARNESS_FAIL("%s of %s: %s", algorithm, f->name, report.message);
    weft_plan_free(plan);
    return *kept;
}

static inline uint64_t whole_scalar(const weft_result *r, const char *name) {
    return weft_result_scalar(r, name)->value.u64;
}
static inline double real_scalar(const weft_result *r, const char *name) {
    return weft_result_scalar(r, name)->value.f64;
}

static inline const weft_result *components_of(facts *f, int strong) {
    weft_components_params p = WEFT_COMPONENTS_DEFAULTS;
    p.strong = strong;
    return fact(f, strong ? &f->strong : &f->weak, "components", f->g, &p);
}
static inline const weft_result *triangles_of(facts *f) { return fact(f, &f->triangles, "triangles", f->g, NULL); }
static inline const weft_result *clustering_of(facts *f) {
    return fact(f, &f->clustering, "clustering", f->simple, NULL);
}
static inline const weft_result *kcore_of(facts *f) { return fact(f, &f->kcore, "kcore", f->g, NULL); }

/* The component with most vertices; of equals the one of the smallest vertex. */
static inline weft_vid largest_part(const weft_result *components) {
    const weft_column *c = weft_result_column(components, "component");
    const weft_vid *component = c->data;
    uint64_t *members = calloc(c->length + 1, sizeof *members);
    weft_vid best = 0;
    for (size_t v = 0; members && v < c->length; v++) members[component[v]]++;
    for (weft_vid v = 0; members && v < c->length; v++)
        if (members[v] > members[best]) best = v;
    free(members);
    return best;
}

/* Arcs with both ends in the largest component; an undirected edge counts twice, a loop of one once. */
static inline uint64_t arcs_in_largest(facts *f, int strong) {
    const weft_result *r = components_of(f, strong);
    const weft_vid *component = weft_result_u32(r, "component"), part = largest_part(r);
    weft_csr out = out_rows(f->g);
    uint64_t arcs = 0;
    for (weft_vid v = 0; v < out.vertices; v++)
        for (weft_eid e = out.offsets[v]; e < out.offsets[v + 1]; e++)
            arcs += component[v] == part && component[out.targets[e]] == part;
    return arcs;
}

/* Mean coefficient of the vertices with two neighbours or more. */
static inline double average_of_two_or_more(facts *f) {
    const double *coefficient = weft_result_f64(clustering_of(f), "coefficient");
    weft_csr rows = out_rows(f->simple);
    double sum = 0;
    uint64_t count = 0;
    for (weft_vid v = 0; v < rows.vertices; v++)
        if (rows.offsets[v + 1] - rows.offsets[v] >= 2) {
            sum += coefficient[v];
            count++;
        }
    return count ? sum / (double)count : 0;
}

/* Longest shortest path in the largest weak component, whatever the direction of arcs; ends early when it is `enough`.
 * Takes and Kosters, "Determining the diameter of small world networks", CIKM 2011: a search from s, which reaches e far,
 * bounds the eccentricity of every v from below by max(d, e - d) and from above by e + d, with d = d(s, v); only vertices
 * whose upper bound is beyond the longest path known can give a longer one. */
static inline uint64_t diameter_of(facts *f, uint64_t enough) {
    const weft_result *weak = components_of(f, 0);
    const weft_vid *component = weft_result_u32(weak, "component"), part = largest_part(weak);
    weft_csr rows = out_rows(f->simple);
    uint32_t *low = calloc(rows.vertices, sizeof *low), *high = malloc(rows.vertices * sizeof *high);
    uint64_t best = 0;
    for (weft_vid v = 0; v < rows.vertices; v++) high[v] = component[v] == part ? UINT32_MAX : 0;
    for (int turn = 0; best < enough; turn ^= 1) {
        weft_vid next =
            WEFT_NO_VERTEX; /* in turn the one that may be farthest out and the one that may be nearest in */
        for (weft_vid v = 0; v < rows.vertices; v++) {
            if (high[v] <= best) continue;
            if (next == WEFT_NO_VERTEX || (turn ? low[v] < low[next] : high[v] > high[next])) next = v;
        }
        if (next == WEFT_NO_VERTEX) break;
        weft_bfs_params p = WEFT_BFS_DEFAULTS;
        weft_result *r = NULL;
        p.source = next;
        if (weft_bfs(f->ctx, f->simple, &p, &r)) break;
        const uint32_t *level = weft_result_u32(r, "level");
        uint32_t e = (uint32_t)whole_scalar(r, "depth");
        if (e > best) best = e;
        for (weft_vid v = 0; v < rows.vertices; v++) {
            if (level[v] == WEFT_UNREACHED) continue;
            uint32_t least = level[v] > e - level[v] ? level[v] : e - level[v];
            if (least > low[v]) low[v] = least;
            if (e + level[v] < high[v]) high[v] = e + level[v];
        }
        high[next] = e;
        weft_result_free(r);
    }
    free(low);
    free(high);
    return best;
}

#endif
