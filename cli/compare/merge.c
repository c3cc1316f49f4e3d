/* weft merge A B... -o OUT: the union, intersection or difference of graphs. */
#include "cli.h"
#include "result/json.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct merger {
    const cli_call *call;
    weft_ctx *ctx;
    weft_graph **graphs;
    size_t count;
    weft_graph *merged;
    weft_graph_info info; /* of it */
    uint64_t checksum, file_bytes;
    double load_ms, merge_ms, write_ms;
} merger;

static const char *const modes[] = {"union", "intersection", "difference"};

static void print_json(const merger *m) {
    char checksum[20];
    json j;
    snprintf(checksum, sizeof checksum, "%016" PRIx64, m->checksum);
    json_start(&j, stdout);
    json_open_array(&j, "files", false);
    for (size_t i = 0; i < m->count; i++) json_text(&j, NULL, m->call->operands[i]);
    json_close(&j);
    json_text(&j, "mode", modes[m->call->options.merge.mode]);
    json_graph(&j, &m->info);
    json_text(&j, "checksum", checksum);
    if (m->call->options.output) json_text(&j, "output", m->call->options.output);
    if (m->file_bytes) json_u64(&j, "output_bytes", m->file_bytes);
    json_rounded(&j, "load_ms", m->load_ms);
    json_rounded(&j, "merge_ms", m->merge_ms);
    json_rounded(&j, "write_ms", m->write_ms);
    json_finish(&j);
}

static void print_human(const merger *m, FILE *to) {
    cli_text a, b;
    const char *out = m->call->options.output;
    fprintf(to, "%s of %zu graphs: ", modes[m->call->options.merge.mode], m->count);
    fprintf(to, "%s %s, %s %s edge%s%s\n", cli_count(a, m->info.vertices), cli_vertices(m->info.vertices),
            cli_count(b, m->info.edges), m->info.directed ? "directed" : "undirected", cli_s(m->info.edges),
            cli_with_weights(m->info.weight_type));
    fprintf(to, "checksum %016" PRIx64 "\n", m->checksum);
    if (!out) return;
    cli_put(to, "wrote %s", cli_place_name(out));
    if (m->file_bytes) fprintf(to, ", %s", cli_bytes(a, m->file_bytes));
    fprintf(to, ", %s\n", cli_seconds(b, m->write_ms));
}

/* The rule while files are read: --duplicates is about the edges of all files together, so sum, mean and count are not
 * applied file by file. */
static int rule_of_reading(int rule) {
    switch (rule) {
    case WEFT_DUPLICATES_SUM:
    case WEFT_DUPLICATES_MEAN:
    case WEFT_DUPLICATES_COUNT: return WEFT_DUPLICATES_KEEP;
    default: return rule;
    }
}

static int check(const merger *m) {
    const cli_options *o = &m->call->options;
    if (o->merge_rules && rule_of_reading(o->duplicates) != o->duplicates)
        return cli_fail(
            EXIT_USAGE,
            "--merge applies to the edges of each file alone, and this --duplicates to the edges of all files");
    int code = EXIT_DONE;
    for (size_t i = 0; i < m->count && !code; i++) code = cli_check_not_read(o, m->call->operands[i], o->output);
    return code ? code : cli_check_target(o, "-o", o->output);
}

static int load(merger *m) {
    cli_options reading = m->call->options;
    double started = cli_now_ms();
    reading.duplicates = rule_of_reading(reading.duplicates);
    int code = EXIT_DONE;
    for (size_t i = 0; i < m->count && !code; i++)
        code = cli_load(m->ctx, &reading, m->call->operands[i], &m->graphs[i]);
    m->load_ms = cli_now_ms() - started;
    return code;
}

static int merge(merger *m) {
    weft_merge_params p = WEFT_MERGE_DEFAULTS;
    double started = cli_now_ms();
    p.mode = (weft_merge_mode)m->call->options.merge.mode;
    p.duplicates = cli_build_params(&m->call->options).duplicates;
    weft_status st = weft_graph_merge(m->ctx, (const weft_graph *const *)m->graphs, m->count, &p, &m->merged);
    m->merge_ms = cli_now_ms() - started;
    if (!st) st = weft_graph_describe(m->ctx, m->merged, &m->info);
    if (!st) st = weft_graph_fingerprint(m->ctx, m->merged, &m->checksum);
    cli_progress_erase();
    return st ? cli_fail_status(m->ctx, st) : EXIT_DONE;
}

static int save(merger *m, const char *out) {
    double started = cli_now_ms();
    int code = cli_save_graph(m->ctx, m->merged, &m->call->options, out);
    m->write_ms = cli_now_ms() - started;
    if (!code) m->file_bytes = cli_file_bytes(out);
    return code;
}

int cli_merge(cli_call *call) {
    const char *out = call->options.output;
    merger m = {.call = call, .count = (size_t)call->operand_count, .info = {.size = sizeof m.info}};
    int code = check(&m);
    m.graphs = cli_take(m.count, sizeof *m.graphs);
    if (!m.graphs) code = EXIT_MEMORY;
    if (!code) code = cli_open(&call->options, &m.ctx);
    if (!code) code = load(&m);
    if (!code) code = merge(&m);
    if (!code && out) code = save(&m, out);
    if (!code && call->options.json)
        print_json(&m);
    else if (!code && (!call->options.quiet || !out))
        print_human(&m, out && cli_is_stdout(out) ? stderr : stdout);
    weft_graph_free(m.merged);
    for (size_t i = 0; m.graphs && i < m.count; i++) weft_graph_free(m.graphs[i]);
    free(m.graphs);
    weft_ctx_free(m.ctx);
    return code;
}
