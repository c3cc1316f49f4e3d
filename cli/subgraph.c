/* weft subgraph IN -o OUT: the subgraph that meets conditions. */
#include "weft/subgraph.h"
#include "cli.h"
#include "result/join.h"
#include "result/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct carving {
    const cli_call *call;
    weft_ctx *ctx;
    weft_graph *g, *part;
    weft_vid *ego, *vertices;
    weft_subgraph_params params;
    weft_subgraph_info left_out;
    weft_graph_info info; /* of the subgraph */
    uint64_t checksum, file_bytes;
    double load_ms, subgraph_ms, write_ms;
} carving;

/* --- which vertices ------------------------------------------------------------------------------- */

static int find_ego(carving *c) {
    const cli_list *ids = &c->call->options.subgraph.ego;
    if (!ids->count) return EXIT_DONE;
    c->ego = cli_take(ids->count, sizeof *c->ego);
    if (!c->ego) return EXIT_MEMORY;
    for (size_t i = 0; i < ids->count; i++) {
        weft_status st = weft_graph_find(c->ctx, c->g, ids->items[i], &c->ego[i]);
        if (st) return cli_fail(cli_exit_of(st), "--ego: %s", weft_ctx_message(c->ctx));
    }
    c->params.ego = c->ego;
    c->params.ego_count = ids->count;
    return EXIT_DONE;
}

/* Narrows the list of vertices (all, if there is no list yet) to those with stays[v]. */
static int narrow(carving *c, const uint8_t *stays) {
    weft_subgraph_params *p = &c->params;
    size_t listed = p->vertices ? p->vertex_count : weft_graph_vertices(c->g), count = 0;
    if (!p->vertices && !(c->vertices = cli_take(listed, sizeof *c->vertices))) return EXIT_MEMORY;
    for (size_t i = 0; i < listed; i++) {
        weft_vid v = p->vertices ? c->vertices[i] : (weft_vid)i;
        if (stays[v]) c->vertices[count++] = v;
    }
    p->vertices = c->vertices;
    p->vertex_count = count;
    return EXIT_DONE;
}

/* Marks the community with this name. */
static int mark_community(carving *c, const char *id, const weft_vid *community, uint8_t *stays) {
    weft_vid name, n = weft_graph_vertices(c->g), size = 0;
    weft_status st = weft_graph_find(c->ctx, c->g, id, &name);
    if (st) return cli_fail(cli_exit_of(st), "--community: %s", weft_ctx_message(c->ctx));
    for (weft_vid v = 0; v < n; v++) {
        size += community[v] == community[name];
        if (community[v] == name) stays[v] = 1;
    }
    if (community[name] == name) return EXIT_DONE;
    char *in = cli_id_text(c->g, community[name], true);
    cli_text count;
    int code = in ? cli_fail(EXIT_INPUT,
                             "--community: '%.200s' names no community: communities are named after their smallest"
                             " vertex, and this one is in that of %.200s, of %s vertices: --community %.200s",
                             id, in, cli_count(count, size), in)
                  : EXIT_MEMORY;
    free(in);
    return code;
}

/* Narrows to the vertices of the --community communities, as weft leiden finds them in the whole graph. */
static int meet_communities(carving *c) {
    const cli_list *ids = &c->call->options.subgraph.community;
    weft_vid n = weft_graph_vertices(c->g), *community = cli_take(n, sizeof *community);
    uint8_t *stays = cli_take(n, 1);
    int code = community && stays ? cli_find_communities(c->ctx, &c->call->options, c->g, community) : EXIT_MEMORY;
    for (size_t i = 0; i < ids->count && !code; i++) code = mark_community(c, ids->items[i], community, stays);
    if (!code) code = narrow(c, stays);
    free(community);
    free(stays);
    return code;
}

/* The rows of --where: of the table, or all vertices. */
static int test_rows(carving *c, const vertex_table *t, where *w, uint8_t *stays) {
    size_t count = t ? t->rows : weft_graph_vertices(c->g);
    for (size_t row = 0; row < count; row++) {
        weft_vid v = t ? t->vertex[row] : (weft_vid)row;
        if (row % 4096 == 0 && cli_interrupted()) return cli_fail(EXIT_INTERRUPTED, "interrupted");
        int holds = v == WEFT_NO_VERTEX ? 0 : where_holds(w, v);
        if (holds < 0) return EXIT_MEMORY;
        if (holds) stays[v] = 1;
    }
    if (t && t->strangers)
        cli_note(&c->call->options, "%s: %zu row%s of vertices that the graph does not have passed over", t->path,
                 t->strangers, cli_s(t->strangers));
    return EXIT_DONE;
}

/* Tests rows with the columns of the table, or the ids alone, then the graph's attributes: of two with one name the
 * first counts. */
static int test_columns(carving *c, const vertex_table *t, const join *joined, uint8_t *stays) {
    size_t listed = t ? t->columns : 1;
    rows_column *columns = cli_take(listed + joined->count, sizeof *columns);
    void **data = cli_take(listed, sizeof *data);
    where *w = NULL;
    int code = columns && data ? EXIT_DONE : EXIT_MEMORY;
    for (size_t i = 0; i < listed && !code; i++) {
        if (!t || i == t->id_column)
            columns[i] = (rows_column){
                .name = t ? t->fields[i] : "id", .type = CELL_VERTEX, .length = weft_graph_vertices(c->g)};
        else
            code = vertex_table_column(t, c->g, i, &columns[i], &data[i]);
    }
    if (!code) join_columns(joined, columns + listed);
    for (size_t i = 0; t && i < listed && !code; i++)
        if (i != t->id_column && join_has(joined, columns[i].name))
            cli_note(&c->call->options, "'%s' is the column of %s, not the attribute of the graph", columns[i].name,
                     t->path);
    rows r = {.g = c->g, .names = cli_ids_are_names(c->g), .columns = columns, .column_count = listed + joined->count};
    if (!code) code = where_read(c->call->options.where, &r, &w);
    if (!code) code = test_rows(c, t, w, stays);
    where_free(w);
    for (size_t i = 0; data && i < listed; i++) free(data[i]);
    free(data);
    free(columns);
    return code;
}

/* Narrows to the vertices that meet --where. */
static int meet_where(carving *c) {
    const char *path = c->call->options.subgraph.table;
    vertex_table t = {0};
    join joined = {0};
    uint8_t *stays = cli_take(weft_graph_vertices(c->g), 1);
    if (!stays) return EXIT_MEMORY;
    int code = path ? vertex_table_open(c->ctx, c->g, path, true, &t) : EXIT_DONE;
    if (!code) code = join_open(c->ctx, &c->call->options, c->g, &(select_labels){0}, &joined);
    if (!code) code = test_columns(c, path ? &t : NULL, &joined, stays);
    join_close(&joined);
    if (path) vertex_table_close(&t);
    if (!code) code = narrow(c, stays);
    free(stays);
    return code;
}

static int read_conditions(carving *c) {
    const cli_options *o = &c->call->options;
    weft_subgraph_params *p = &c->params;
    *p = (weft_subgraph_params)WEFT_SUBGRAPH_DEFAULTS;
    p->min_weight = o->subgraph.min_weight;
    p->max_weight = o->subgraph.max_weight;
    p->sample_edges = o->subgraph.sample_edges;
    p->sample_vertices = o->subgraph.sample_vertices;
    p->seed = o->subgraph.seed;
    p->radius = o->subgraph.radius;
    p->min_degree = o->subgraph.min_degree;
    p->max_degree = o->subgraph.max_degree;
    p->core = o->subgraph.core;
    p->truss = o->subgraph.truss;
    p->largest_component = (weft_component_kind)(o->subgraph.largest_component + 1);
    int code = find_ego(c);
    if (!code && o->subgraph.ids) {
        code = cli_read_vertices(c->ctx, c->g, o->subgraph.ids, &c->vertices, &p->vertex_count);
        p->vertices = c->vertices;
    }
    if (!code && o->subgraph.community.count) code = meet_communities(c);
    return !code && o->where ? meet_where(c) : code;
}

/* --- what became of it ------------------------------------------------------------------------------ */

typedef struct loss {
    const char *key, *what, *flags;
    uint64_t count;
} loss;

enum { LOSSES = 11 };

static void list_losses(const carving *c, loss to[LOSSES]) {
    const weft_subgraph_info *i = &c->left_out;
    const cli_options *o = &c->call->options;
    static const char *const by_lists[] = {"by --ids",
                                           "by --ids",
                                           "by --community",
                                           "by --ids and --community",
                                           "by --where",
                                           "by --ids and --where",
                                           "by --community and --where",
                                           "by --ids, --community and --where"};
    const char *by_list = by_lists[!!o->subgraph.ids + 2 * !!o->subgraph.community.count + 4 * !!o->where];
    const loss all[LOSSES] = {
        {"edges_by_weight", "edge", "by their weight", i->edges_by_weight},
        {"edges_by_sampling", "edge", "by --sample-edges", i->edges_by_sampling},
        {"vertices_by_list", "vertex", by_list, i->vertices_by_list},
        {"vertices_by_sampling", "vertex", "by --sample-vertices", i->vertices_by_sampling},
        {"vertices_by_ego", "vertex", "by --ego", i->vertices_by_ego},
        {"vertices_by_degree", "vertex", "by their degree", i->vertices_by_degree},
        {"vertices_by_core", "vertex", "by --core", i->vertices_by_core},
        {"edges_by_truss", "edge", "by --truss", i->edges_by_truss},
        {"vertices_by_truss", "vertex", "by --truss", i->vertices_by_truss},
        {"vertices_by_component", "vertex", "by --largest-component", i->vertices_by_component},
        {"edges_by_ends", "edge", "with an end that is left out",
         i->edges - i->edges_by_weight - i->edges_by_sampling - i->edges_by_truss},
    };
    memcpy(to, all, sizeof all);
}

static void print_json(const carving *c) {
    char checksum[20];
    json j;
    loss losses[LOSSES];
    snprintf(checksum, sizeof checksum, "%016" PRIx64, c->checksum);
    list_losses(c, losses);
    json_start(&j, stdout);
    json_text(&j, "file", c->call->operands[0]);
    json_graph(&j, &c->info);
    json_open_object(&j, "left_out", false);
    json_u64(&j, "vertices", c->left_out.vertices);
    json_u64(&j, "edges", c->left_out.edges);
    for (size_t i = 0; i < LOSSES; i++) json_u64(&j, losses[i].key, losses[i].count);
    json_close(&j);
    json_text(&j, "checksum", checksum);
    if (c->call->options.output) json_text(&j, "output", c->call->options.output);
    if (c->file_bytes) json_u64(&j, "output_bytes", c->file_bytes);
    json_rounded(&j, "load_ms", c->load_ms);
    json_rounded(&j, "subgraph_ms", c->subgraph_ms);
    json_rounded(&j, "write_ms", c->write_ms);
    json_finish(&j);
}

static void print_human(const carving *c, FILE *to) {
    cli_text a, b;
    loss losses[LOSSES];
    const char *out = c->call->options.output;
    list_losses(c, losses);
    cli_put(to, "subgraph of %s: ", c->call->operands[0]);
    fprintf(to, "%s of %s %s, ", cli_count(a, c->info.vertices), cli_count(b, c->info.vertices + c->left_out.vertices),
            cli_vertices(c->info.vertices + c->left_out.vertices));
    fprintf(to, "%s of %s %s edge%s\n", cli_count(a, c->info.edges), cli_count(b, c->info.edges + c->left_out.edges),
            c->info.directed ? "directed" : "undirected", cli_s(c->info.edges + c->left_out.edges));
    for (size_t i = 0; i < LOSSES; i++) {
        uint64_t count = losses[i].count;
        if (count)
            fprintf(to, "  left out: %s %s %s\n", cli_count(a, count),
                    losses[i].what[0] == 'v' ? cli_vertices(count)
                    : count == 1             ? "edge"
                                             : "edges",
                    losses[i].flags);
    }
    fprintf(to, "checksum %016" PRIx64 "\n", c->checksum);
    if (!out) return;
    cli_put(to, "wrote %s", cli_place_name(out));
    if (c->file_bytes) fprintf(to, ", %s", cli_bytes(a, c->file_bytes));
    fprintf(to, ", %s\n", cli_seconds(b, c->write_ms));
}

static int refuse_random(void *none, const char *word) {
    (void)none;
    if (cli_vertices_file(word)) return EXIT_DONE;
    return cli_fail(EXIT_USAGE, "--ids takes a file or a list such as 1,2,3; --sample-vertices P chooses at random");
}

/* Refuses mistakes that are visible before anything is read. */
static int check(const cli_call *call) {
    const cli_options *o = &call->options;
    int code = cli_each_word(o->subgraph.ids, AGAIN_WORDS, refuse_random, NULL);
    if (!code) code = cli_check_not_read(o, call->operands[0], o->output);
    if (!code) code = cli_check_not_input(o->subgraph.table, o->output);
    if (!code) code = cli_each_word(o->subgraph.ids, AGAIN_WORDS, cli_check_not_vertices, (void *)(uintptr_t)o->output);
    return code ? code : cli_check_target(o, "-o", o->output);
}

static int carve(carving *c) {
    double started = cli_now_ms();
    int code = cli_load(c->ctx, &c->call->options, c->call->operands[0], &c->g);
    c->load_ms = cli_now_ms() - started;
    if (!code) code = read_conditions(c);
    if (code) return code;
    started = cli_now_ms();
    weft_status st = weft_subgraph(c->ctx, c->g, &c->params, &c->part, &c->left_out);
    c->subgraph_ms = cli_now_ms() - started;
    if (!st) st = weft_graph_describe(c->ctx, c->part, &c->info);
    if (!st) st = weft_graph_fingerprint(c->ctx, c->part, &c->checksum);
    cli_progress_erase();
    return st ? cli_fail_status(c->ctx, st) : EXIT_DONE;
}

int cli_subgraph(cli_call *call) {
    const char *out = call->options.output;
    carving c = {.call = call, .left_out = {.size = sizeof c.left_out}, .info = {.size = sizeof c.info}};
    int code = check(call);
    if (!code) code = cli_open(&call->options, &c.ctx);
    if (!code) code = carve(&c);
    double carved = cli_now_ms();
    if (!code && out) code = cli_save_graph(c.ctx, c.part, &call->options, out);
    if (!code && out) c.write_ms = cli_now_ms() - carved;
    if (!code && out) c.file_bytes = cli_file_bytes(out);
    if (!code && call->options.json)
        print_json(&c);
    else if (!code && (!call->options.quiet || !out))
        print_human(&c, out && cli_is_stdout(out) ? stderr : stdout);
    free(c.ego);
    free(c.vertices);
    weft_graph_free(c.part);
    weft_graph_free(c.g);
    weft_ctx_free(c.ctx);
    return code;
}
