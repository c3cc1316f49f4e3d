/* weft project FILE: projects a bipartite graph to one side, whose vertices are joined by common neighbours. */
#include "cli.h"
#include "result/json.h"

#include <inttypes.h>
#include <string.h>

typedef struct projection {
    const cli_call *call;
    weft_ctx *ctx;
    weft_graph *g, *made;
    weft_project_params params;
    weft_project_info info;
    weft_graph_info graph;
    uint64_t checksum, file_bytes;
    double load_ms, project_ms, write_ms;
} projection;

static const char *const weighings[] = {"count", "jaccard", "newman"};

/* Parses a side: first, second, or the graph's name of it. */
static int find_side(projection *p) {
    const char *side = p->call->options.project.side, *name[2];
    if (!side || !strcmp(side, "first")) return EXIT_DONE;
    p->params.side = 1;
    if (!strcmp(side, "second")) return EXIT_DONE;
    if (!weft_graph_sides(p->g, &name[0], &name[1]))
        return cli_fail(EXIT_USAGE, "--side %s: sides of this graph have no names: it is first or second", side);
    for (p->params.side = 0; p->params.side < 2; p->params.side++)
        if (!strcmp(side, name[p->params.side])) return EXIT_DONE;
    return cli_fail(EXIT_USAGE, "--side %s: the sides of this graph are %s, the first, and %s", side, name[0], name[1]);
}

/* The name of the projected side. */
static const char *side_name(const projection *p) {
    const char *name[2];
    if (weft_graph_sides(p->g, &name[0], &name[1])) return name[p->params.side];
    return p->params.side ? "second" : "first";
}

static void print_json(const projection *p) {
    char checksum[20];
    json j;
    json_start(&j, stdout);
    json_text(&j, "file", p->call->operands[0]);
    json_text(&j, "side", side_name(p));
    json_text(&j, "weigh", weighings[p->params.weights]);
    if (p->made) json_graph(&j, &p->graph);
    json_open_object(&j, "projection", false);
    json_u64(&j, "vertices", p->info.vertices);
    json_u64(&j, "edges", p->info.edges);
    json_u64(&j, "others", p->info.others);
    json_u64(&j, "paths", p->info.wedges);
    json_u64(&j, "bytes", p->info.bytes);
    json_close(&j);
    snprintf(checksum, sizeof checksum, "%016" PRIx64, p->checksum);
    if (p->made) json_text(&j, "checksum", checksum);
    if (p->call->options.output) json_text(&j, "output", p->call->options.output);
    if (p->file_bytes) json_u64(&j, "output_bytes", p->file_bytes);
    json_rounded(&j, "load_ms", p->load_ms);
    json_rounded(&j, "project_ms", p->project_ms);
    json_rounded(&j, "write_ms", p->write_ms);
    json_finish(&j);
}

static void print_human(const projection *p, FILE *to) {
    cli_text a, b;
    const char *out = p->call->options.output;
    cli_put(to, "projection of %s, ", p->call->operands[0]);
    fprintf(to, "side %s: ", side_name(p));
    fprintf(to, "%s %s, ", cli_count(a, p->info.vertices), cli_vertices(p->info.vertices));
    fprintf(to, "%s edge%s\n", cli_count(b, p->info.edges), cli_s(p->info.edges));
    fprintf(to, "  other side: %s %s, with ", cli_count(a, p->info.others), cli_vertices(p->info.others));
    fprintf(to, "%s path%s over them\n", cli_count(b, p->info.wedges), cli_s(p->info.wedges));
    if (!p->made) {
        fprintf(to, "  memory: %s\n", cli_bytes(a, p->info.bytes));
        return;
    }
    fprintf(to, "checksum %016" PRIx64 "\n", p->checksum);
    if (!out) return;
    cli_put(to, "wrote %s", cli_place_name(out));
    if (p->file_bytes) fprintf(to, ", %s", cli_bytes(a, p->file_bytes));
    fprintf(to, ", %s\n", cli_seconds(b, p->write_ms));
}

static int check(const cli_call *call) {
    const cli_options *o = &call->options;
    int code = cli_check_not_read(o, call->operands[0], o->output);
    return code ? code : cli_check_target(o, "-o", o->output);
}

static int project(projection *p) {
    const cli_options *o = &p->call->options;
    double started = cli_now_ms();
    int code = cli_load(p->ctx, o, p->call->operands[0], &p->g);
    p->load_ms = cli_now_ms() - started;
    p->params = (weft_project_params)WEFT_PROJECT_DEFAULTS;
    p->params.weights = (weft_project_weights)o->project.weigh;
    if (!code) code = find_side(p);
    if (code) return code;
    started = cli_now_ms();
    weft_status st = weft_graph_project(p->ctx, p->g, &p->params, o->plan ? NULL : &p->made, &p->info);
    p->project_ms = cli_now_ms() - started;
    if (!st && p->made) st = weft_graph_describe(p->ctx, p->made, &p->graph);
    if (!st && p->made) st = weft_graph_fingerprint(p->ctx, p->made, &p->checksum);
    cli_progress_erase();
    return st ? cli_fail_status(p->ctx, st) : EXIT_DONE;
}

int cli_project(cli_call *call) {
    const char *out = call->options.output;
    projection p = {.call = call, .info = {.size = sizeof p.info}, .graph = {.size = sizeof p.graph}};
    int code = check(call);
    if (!code) code = cli_open(&call->options, &p.ctx);
    if (!code) code = project(&p);
    double made = cli_now_ms();
    if (!code && out) code = cli_save_graph(p.ctx, p.made, &call->options, out);
    if (!code && out) p.write_ms = cli_now_ms() - made;
    if (!code && out) p.file_bytes = cli_file_bytes(out);
    if (!code && call->options.json)
        print_json(&p);
    else if (!code && (!call->options.quiet || !out))
        print_human(&p, out && cli_is_stdout(out) ? stderr : stdout);
    weft_graph_free(p.made);
    weft_graph_free(p.g);
    weft_ctx_free(p.ctx);
    return code;
}
