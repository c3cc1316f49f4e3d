/* A program that uses every struct of the public headers but not its last field, and says what came of it.  growth.py
 * compiles it with headers that lack one last field after the other: it must say the same.
 * Around each struct stand bytes that are no defaults: a library that looks or writes beyond the caller's size is seen. */
#include "weft_check.h"
#include "weft_experimental.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 96, BYTE = 0xa5 };

static weft_ctx *ctx;
static int failures;

static void must(int good, const char *what) {
    if (good) return;
    failures++;
    printf("FAILED %s: %s\n", what, weft_ctx_message(ctx));
}

/* A struct of the caller's, with the guard right after its last byte. */
static void *guarded(const void *initial, size_t size) {
    unsigned char *block = malloc(size + GUARD);
    if (!block) exit(1);
    memcpy(block, initial, size);
    memset(block + size, BYTE, GUARD);
    return block;
}

static void release(void *block, size_t size, const char *what) {
    for (int i = 0; i < GUARD; i++) must(((unsigned char *)block)[size + i] == BYTE, what);
    free(block);
}

#define MAKE(type, name, ...)       \
    type name##_made = __VA_ARGS__; \
    type *name = guarded(&name##_made, sizeof *name)
#define RELEASE(name) release(name, sizeof *name, #name)

static void say_result(const char *what, weft_status st, const weft_graph *g, const void *params, weft_result *r) {
    MAKE(weft_check_report, report, WEFT_CHECK_REPORT_DEFAULTS);
    must(st == WEFT_OK && r, what);
    printf("%s:", what);
    for (size_t i = 0; i < weft_result_column_count(r); i++) {
        const weft_column *c = weft_result_column_at(r, i);
        printf(" %s[%zu] %d", c->name, c->length, (int)c->shape);
        if (c->length && (c->type == WEFT_U32 || c->type == WEFT_VERTEX)) printf(" %u", ((const uint32_t *)c->data)[0]);
    }
    for (size_t i = 0; i < weft_result_scalar_count(r); i++) {
        const weft_scalar *s = weft_result_scalar_at(r, i);
        printf(" %s %d", s->name, (int)s->type);
    }
    for (size_t i = 0; i < weft_result_stage_count(r); i++) {
        const weft_stage *s = weft_result_stage_at(r, i);
        must(s->name && s->ms >= 0 && s->kernel_ms == 0, "stage");
    }
    must(weft_check(ctx, what, g, params, r, report) == WEFT_OK && report->passed == 1, "check");
    printf("\n");
    RELEASE(report);
    weft_result_free(r);
}

#define RUN(algorithm, type, DEFAULTS, graph, set)                 \
    do {                                                           \
        weft_result *result = NULL;                                \
        MAKE(type, p, DEFAULTS);                                   \
        set;                                                       \
        weft_status st = weft_##algorithm(ctx, graph, p, &result); \
        say_result(#algorithm, st, graph, p, result);              \
        RELEASE(p);                                                \
    } while (0)

/* growth.py finds the algorithms in the header, and writes a RUN of each.  What the defaults and the karate club are not
 * good for stands here. */
#define SET_sssp       p->source = 2
#define SET_pagerank   p->damping = 0.5
#define SET_bfs        (p->sources = sources, p->source_count = 1)
#define SET_aggregate  (p->features = features, p->op = WEFT_AGGREGATE_SUM)
#define SET_toposort   p->levels = 1
#define GRAPH_toposort dag
#define GRAPH_cycle    dag

static void algorithms(const weft_graph *karate, const weft_graph *dag) {
    float x[34 * 2];
    weft_vid sources[] = {3, 0};
    for (int i = 0; i < 68; i++) x[i] = (float)(i % 5);
    MAKE(weft_matrix, features, WEFT_MATRIX_DEFAULTS);
    features->data = x;
    features->rows = 34;
    features->width = 2;
#include "algorithms.h"
    RELEASE(features);
}

static weft_graph *graphs(weft_graph **dag) {
    static const char text[] = "0 1 5\n1 2 6\n0 2 7\n2 2 1\n";
    weft_graph *g = NULL, *small = NULL;
    weft_vid u[] = {0, 1, 1}, v[] = {1, 0, 0};
    MAKE(weft_generate_params, gp, WEFT_GENERATE_DEFAULTS);
    MAKE(weft_build_params, build, WEFT_BUILD_DEFAULTS);
    MAKE(weft_arrays, arrays, WEFT_ARRAYS_DEFAULTS);
    MAKE(weft_read_params, rp, WEFT_READ_DEFAULTS);
    MAKE(weft_write_params, wp, WEFT_WRITE_DEFAULTS);
    must(!weft_generate(ctx, "karate", NULL, NULL, &g), "karate");
    gp->n = 20;
    gp->p = 0.2;
    must(!weft_generate(ctx, "dag", gp, build, dag), "dag");
    build->duplicates = WEFT_DUPLICATES_KEEP;
    must(!weft_graph_from_edges(ctx, 2, 3, u, v, NULL, WEFT_WEIGHT_NONE, build, &small), "from_edges");
    printf("from_edges %llu\n", (unsigned long long)weft_graph_edges(small));
    weft_graph_free(small);
    arrays->vertices = 2;
    arrays->edges = 3;
    arrays->sources = u;
    arrays->targets = v;
    arrays->id_type = WEFT_U32;
    must(!weft_graph_from_arrays(ctx, arrays, build, &small), "from_arrays");
    printf("dag %u %llu, edges %llu\n", weft_graph_vertices(*dag), (unsigned long long)weft_graph_edges(*dag),
           (unsigned long long)weft_graph_edges(small));
    weft_graph_free(small);
    rp->format = "edgelist";
    rp->direction = WEFT_UNDIRECTED;
    rp->loops = WEFT_LOOPS_DROP;
    must(!weft_read_memory(ctx, text, sizeof text - 1, "text", rp, &small), "read");
    wp->format = "csv";
    must(!weft_write(ctx, small, "written.csv", wp), "write");
    printf("read %llu, weights %d\n", (unsigned long long)weft_graph_edges(small), (int)weft_graph_weight_type(small));
    weft_graph_free(small);
    RELEASE(gp);
    RELEASE(build);
    RELEASE(arrays);
    RELEASE(rp);
    RELEASE(wp);
    return g;
}

static void attributes(const weft_graph *g) {
    static const int64_t values[64] = {7, 8};
    weft_attribute none;
    weft_graph *with = NULL;
    memset(&none, 0x11, sizeof none);
    none.size = sizeof none;
    MAKE(weft_attribute, given, WEFT_ATTRIBUTE_DEFAULTS);
    MAKE(weft_attribute, got, none);
    const weft_attribute *list[] = {given};
    given->name = "age";
    given->type = WEFT_ATTRIBUTE_WHOLE;
    given->count = weft_graph_vertices(g);
    given->values = values;
    must(given->count <= 64 && !weft_graph_with_attributes(ctx, g, list, 1, &with), "attributes");
    must(!weft_graph_attribute(ctx, with, "age", got) && got->size == sizeof *got, "attribute");
    printf("attribute %s %d %lld\n", got->name, (int)got->type, (long long)((const int64_t *)got->values)[1]);
    weft_graph_free(with);
    RELEASE(given);
    RELEASE(got);
}

static void answers(const weft_graph *g) {
    weft_csr no_rows;
    weft_graph_info no_info;
    weft_machine no_machine;
    weft_ids no_ids;
    memset(&no_ids, 0x11, sizeof no_ids);
    no_ids.size = sizeof no_ids;
    MAKE(weft_ids, ids, no_ids);
    must(!weft_graph_ids(ctx, g, ids), "ids");
    printf("ids %d %lld\n", (int)ids->kind, (long long)ids->base);
    RELEASE(ids);
    memset(&no_rows, 0x11, sizeof no_rows);
    memset(&no_info, 0x11, sizeof no_info);
    memset(&no_machine, 0x11, sizeof no_machine);
    no_rows.size = sizeof no_rows;
    no_info.size = sizeof no_info;
    no_machine.size = sizeof no_machine;
    MAKE(weft_csr, out, no_rows);
    MAKE(weft_csr, in, no_rows);
    MAKE(weft_graph_info, info, no_info);
    MAKE(weft_machine, machine, no_machine);
    must(!weft_graph_out(ctx, g, out) && !weft_graph_in(ctx, g, in), "rows");
    must(!weft_graph_describe(ctx, g, info), "describe");
    must(!weft_machine_describe(ctx, 0, machine), "machine");
    must(machine->cores > 0 && out->size == sizeof *out && info->size == sizeof *info, "sizes");
    printf("rows %u %llu %u, %llu vertices, format %s\n", out->vertices, (unsigned long long)out->arcs,
           in->targets[in->offsets[1]], (unsigned long long)info->vertices, info->format);
    RELEASE(out);
    RELEASE(in);
    RELEASE(info);
    RELEASE(machine);
    attributes(g);
}

static void own_result(void) {
    static const uint32_t values[] = {7, 8};
    weft_result *r = NULL;
    MAKE(weft_column, column, WEFT_COLUMN_DEFAULTS);
    MAKE(weft_scalar, scalar, WEFT_SCALAR_DEFAULTS);
    column->name = "x";
    column->length = 2;
    column->data = values;
    scalar->name = "s";
    must(!weft_result_new(ctx, &r) && !weft_result_add_column(ctx, r, column) &&
             !weft_result_add_scalar(ctx, r, scalar),
         "a result of our own");
    const uint32_t *x = weft_result_u32(r, "x");
    printf("own %u %u %s\n", x[0], x[1], weft_result_scalar(r, "s")->name);
    weft_result_free(r);
    RELEASE(column);
    RELEASE(scalar);
}

static void ways(const weft_graph *g) {
    weft_result *r = NULL;
    MAKE(weft_path_params, p, WEFT_PATH_DEFAULTS);
    p->count = 2;
    must(!weft_path(ctx, g, 0, 1, p, &r), "path");
    printf("path of %zu %s\n", weft_result_column(r, "vertex")->length, weft_result_scalar(r, "found")->name);
    weft_result_free(r);
    RELEASE(p);
}

static void part(const weft_graph *g) {
    weft_graph *made = NULL;
    weft_subgraph_info none = {.size = sizeof none};
    MAKE(weft_subgraph_params, p, WEFT_SUBGRAPH_DEFAULTS);
    MAKE(weft_subgraph_info, left_out, none);
    p->min_degree = 3;
    must(!weft_subgraph(ctx, g, p, &made, left_out), "subgraph");
    printf("subgraph of %u without %llu\n", weft_graph_vertices(made), (unsigned long long)left_out->vertices);
    weft_graph_free(made);
    RELEASE(p);
    RELEASE(left_out);
}

static void projection(void) {
    static const weft_vid from[] = {0, 1, 1}, to[] = {2, 2, 3};
    weft_graph *g = NULL, *made = NULL;
    weft_project_info none = {.size = sizeof none};
    MAKE(weft_project_params, p, WEFT_PROJECT_DEFAULTS);
    MAKE(weft_project_info, counted, none);
    must(!weft_graph_from_edges(ctx, 4, 3, from, to, NULL, WEFT_WEIGHT_NONE, NULL, &g), "pairs");
    p->side = 1;
    must(!weft_graph_project(ctx, g, p, &made, counted), "project");
    printf("projection of %llu with %llu edges\n", (unsigned long long)counted->vertices,
           (unsigned long long)weft_graph_edges(made));
    weft_graph_free(made);
    weft_graph_free(g);
    RELEASE(p);
    RELEASE(counted);
}

static void communities(const weft_graph *g) {
    uint32_t labels[34];
    weft_result *r = NULL;
    for (uint32_t v = 0; v < 34; v++) labels[v] = v / 12;
    MAKE(weft_quality_params, p, WEFT_QUALITY_DEFAULTS);
    p->resolution = 0.5;
    must(!weft_partition_quality(ctx, g, labels, p, &r), "quality");
    printf("quality of %zu communities, %g edges inside the first\n", weft_result_column(r, "size")->length,
           weft_result_f64(r, "internal")[0]);
    weft_result_free(r);
    must(!weft_partition_agreement(ctx, labels, labels, 34, &r), "agreement");
    printf("agreement in %zu figures\n", weft_result_scalar_count(r));
    weft_result_free(r);
    RELEASE(p);
}

static void several(const weft_graph *g) {
    const weft_graph *both[2] = {NULL, NULL};
    weft_graph *made = NULL;
    weft_result *r = NULL;
    MAKE(weft_changes_params, c, WEFT_CHANGES_DEFAULTS);
    MAKE(weft_merge_params, m, WEFT_MERGE_DEFAULTS);
    m->mode = WEFT_MERGE_DIFFERENCE;
    both[0] = both[1] = g;
    must(!weft_graph_merge(ctx, both, 2, m, &made), "merge");
    must(!weft_graph_changes(ctx, g, made, c, &r), "changes");
    printf("changes to %u without %zu\n", weft_graph_vertices(made), weft_result_column(r, "removed_source")->length);
    weft_result_free(r);
    weft_graph_free(made);
    RELEASE(c);
    RELEASE(m);
}

static void changing(const weft_graph *g) {
    static const int64_t u[] = {1, 90}, v[] = {2, 1};
    weft_batch_stats no_stats;
    weft_dynamic_info no_info;
    weft_tracker_info no_tracker_info;
    weft_dynamic *d = NULL;
    weft_tracker *t = NULL;
    weft_result *r = NULL;
    weft_graph *now = NULL;
    memset(&no_stats, 0x11, sizeof no_stats);
    memset(&no_info, 0x11, sizeof no_info);
    memset(&no_tracker_info, 0x11, sizeof no_tracker_info);
    no_stats.size = sizeof no_stats;
    no_info.size = sizeof no_info;
    no_tracker_info.size = sizeof no_tracker_info;
    MAKE(weft_dynamic_params, p, WEFT_DYNAMIC_DEFAULTS);
    MAKE(weft_batch, batch, WEFT_BATCH_DEFAULTS);
    MAKE(weft_batch_stats, stats, no_stats);
    MAKE(weft_dynamic_info, info, no_info);
    MAKE(weft_track_params, how, WEFT_TRACK_DEFAULTS);
    MAKE(weft_tracker_info, tracker_info, no_tracker_info);
    p->direction = WEFT_UNDIRECTED;
    must(!weft_dynamic_new(ctx, g, p, &d), "dynamic");
    batch->count = 2;
    batch->sources = u;
    batch->targets = v;
    must(!weft_dynamic_apply(ctx, d, batch, stats) && !weft_dynamic_describe(ctx, d, info), "apply");
    must(!weft_dynamic_snapshot(ctx, d, &now), "snapshot");
    printf("dynamic %llu %llu %llu, snapshot %llu\n", (unsigned long long)stats->inserted,
           (unsigned long long)stats->already_there, (unsigned long long)info->edges,
           (unsigned long long)weft_graph_edges(now));
    must(!weft_dynamic_track(ctx, d, "components", NULL, how, &t), "track");
    must(!weft_tracker_result(ctx, t, &r) && !weft_tracker_describe(ctx, t, tracker_info), "result");
    printf("tracker %llu, components of %llu\n", (unsigned long long)tracker_info->recomputed,
           (unsigned long long)weft_result_column(r, "component")->length);
    weft_result_free(r);
    weft_tracker_free(t);
    weft_graph_free(now);
    weft_dynamic_free(d);
    RELEASE(how);
    RELEASE(tracker_info);
    RELEASE(p);
    RELEASE(batch);
    RELEASE(stats);
    RELEASE(info);
}

/* A run with checkpoints, in the current folder. */
static void saved(const weft_graph *g) {
    weft_plan *plan = NULL;
    weft_result *r = NULL;
    weft_checkpoint_info none;
    memset(&none, 0, sizeof none);
    none.size = sizeof none;
    MAKE(weft_checkpoint_info, info, none);
    must(!weft_ctx_set_checkpoint(ctx, "saved", 0, NULL, NULL), "checkpoint");
    must(!weft_plan_new(ctx, "hits", g, NULL, &plan) && !weft_plan_run(plan, &r), "run with checkpoints");
    must(!weft_plan_checkpoint(plan, info), "checkpoint info");
    MAKE(weft_error_info, error, WEFT_ERROR_INFO_DEFAULTS);
    must(!weft_ctx_error(ctx, error) && error->code == WEFT_OK && !error->line && !error->parameter, "no error");
    RELEASE(error);
    printf("checkpoints %llu, the last of %llu\n", (unsigned long long)info->written,
           (unsigned long long)info->iteration);
    must(!weft_plan_forget_checkpoint(plan) && !weft_ctx_set_checkpoint(ctx, NULL, 0, NULL, NULL), "forget");
    weft_result_free(r);
    weft_plan_free(plan);
    RELEASE(info);
}

static void lists(void) {
    const weft_param_info *p;
    const weft_result_info *r;
    size_t params = 0, results = 0, names = 0;
    for (size_t i = 0; i < weft_format_count(); i++) {
        const weft_format_info *f = weft_format_at(i);
        names += strlen(f->name) + strlen(f->extensions) + (size_t)f->can_read;
    }
    for (size_t i = 0; i < weft_generator_count(); i++) {
        const weft_generator_info *g = weft_generator_at(i);
        names += strlen(g->name) + strlen(g->help);
        for (size_t k = 0; (p = weft_generator_param_at(g, k)); k++, params++) names += strlen(p->name) + p->offset;
    }
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const weft_algorithm_info *a = weft_algorithm_at(i);
        names += strlen(a->name) + strlen(a->help) + a->params_size + (size_t)a->on_cpu;
        for (size_t k = 0; (p = weft_algorithm_param_at(a, k)); k++, params++)
            names += strlen(p->name) + (size_t)p->max % 9;
        for (size_t k = 0; (r = weft_algorithm_result_at(a, k)); k++, results++) names += strlen(r->name) + r->shape;
    }
    printf("lists %zu %zu %zu\n", params, results, names);
}

int main(void) {
    weft_graph *dag = NULL;
    if (weft_ctx_new(&ctx)) return 1;
    must(!weft_ctx_set_device(ctx, WEFT_DEVICE_CPU), "device");
    weft_graph *g = graphs(&dag);
    answers(g);
    algorithms(g, dag);
    own_result();
    ways(g);
    part(g);
    projection();
    communities(g);
    several(g);
    changing(g);
    saved(g);
    lists();
    weft_graph_free(g);
    weft_graph_free(dag);
    must(weft_ctx_memory_in_use(ctx) == 0, "memory is left");
    weft_ctx_free(ctx);
    return failures != 0;
}
