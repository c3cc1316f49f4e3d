/* weft generate KIND: a graph from a few numbers, the same on every machine. The kinds and their flags come from the
 * library's list. */
#include "cli.h"
#include "result/json.h"
#include "result/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int unknown_kind(const char *name) {
    cli_nearest nearest = {name ? name : "", NULL, 0};
    if (!name) return cli_fail(EXIT_USAGE, "weft generate needs a KIND; weft help generate lists them");
    for (size_t i = 0; i < weft_generator_count(); i++) cli_nearest_try(&nearest, weft_generator_at(i)->name);
    if (nearest.best) return cli_fail(EXIT_USAGE, "no generator is called '%s'; did you mean %s?", name, nearest.best);
    return cli_fail(EXIT_USAGE, "no generator is called '%s'; weft help generate lists them", name);
}

/* The word in the place of KIND; values of flags are passed over.  NULL: there is no such word. */
static const char *word_for_kind(const cli_group *all, int argc, char **argv) {
    int at = cli_first_operand(all, argc, argv);
    return at == argc || (at > 0 && argv[at - 1][0] == '-') ? NULL : argv[at];
}

/* The generator's flags must be known before the words are parsed, so its name is searched first, except among values
 * of other flags (-o path). */
int cli_find_generator(cli_call *call, const cli_group *all, int argc, char **argv) {
    for (int i = 0; i < argc && !call->generator; i++) {
        bool is_value = i > 0 && cli_first_operand(all, 2, argv + i - 1) == 2;
        if (!is_value) call->generator = cli_generator_find(argv[i]);
    }
    bool help = cli_has_word(argc, argv, "--help") || cli_has_word(argc, argv, "-h");
    return call->generator || help ? EXIT_DONE : unknown_kind(word_for_kind(all, argc, argv));
}

static int check_words(const cli_call *call) {
    const weft_generator_info *kind = call->generator;
    const char *extra = call->operand_count > 1 ? call->operands[1] : NULL;
    if (!cli_generator_find(call->operands[0])) return unknown_kind(call->operands[0]);
    if (extra && kind->param_count)
        return cli_fail(EXIT_USAGE, "'%s' is one argument too many: numbers have names, as in weft generate %s --%s %s",
                        extra, kind->name, weft_generator_param_at(kind, 0)->name, extra);
    return extra ? cli_fail(EXIT_USAGE, "'%s' is one argument too many for: weft generate KIND", extra) : EXIT_DONE;
}

/* --- the truth ------------------------------------------------------------------------------- */

static int check_truth(const cli_call *call) {
    const cli_options *o = &call->options;
    rows_format format;
    if (!o->truth) return EXIT_DONE;
    if (strcmp(call->generator->name, "planted") != 0)
        return cli_fail(EXIT_USAGE, "--truth is for generate planted: %s has no communities", call->generator->name);
    if (o->output && (cli_same_target(o->output, o->truth) || (cli_is_stdout(o->output) && cli_is_stdout(o->truth))))
        return cli_fail(EXIT_USAGE, "-o and --truth name the same file");
    int code = rows_format_of_path(o->truth, false, &format);
    if (!code && format == ROWS_JSON)
        code = cli_fail(EXIT_USAGE, "--truth: a table of ids and labels is .tsv, .csv, .jsonl or .npy");
    if (!code && o->json && cli_is_stdout(o->truth))
        code = cli_fail(EXIT_USAGE, "--json and --truth cannot both go to standard output");
    return code ? code : cli_check_output("--truth", o->truth);
}

static int save_truth(weft_ctx *ctx, const cli_call *call, const weft_graph *g) {
    const cli_options *o = &call->options;
    size_t n = weft_graph_vertices(g);
    rows_format format;
    uint32_t *community = cli_take(n, sizeof *community);
    int code = community ? rows_format_of_path(o->truth, false, &format) : EXIT_MEMORY;
    weft_status st = code ? WEFT_OK : weft_planted_communities(ctx, call->params, n, community);
    if (st) code = cli_fail_status(ctx, st);
    rows_column columns[] = {
        {.name = "id", .type = CELL_VERTEX, .length = n},
        {.name = "label", .type = CELL_U32, .data = community, .length = n},
    };
    rows r = {.g = g, .columns = columns, .column_count = 2, .count = n};
    if (!code) code = rows_save(o, o->truth, format, &r, NULL, NULL);
    free(community);
    return code;
}

/* --- what was made -------------------------------------------------------------------------------- */

typedef struct report {
    const char *kind, *path; /* path NULL: not saved */
    const char *truth;
    const weft_graph_info *info;
    uint64_t checksum, file_bytes;
    double generate_ms, write_ms;
    int threads, ranks;
} report;

static void print_json(const report *r) {
    char checksum[20];
    json j;
    snprintf(checksum, sizeof checksum, "%016" PRIx64, r->checksum);
    json_start(&j, stdout);
    json_text(&j, "kind", r->kind);
    json_graph(&j, r->info);
    json_u64(&j, "self_loops", r->info->self_loops);
    json_u64(&j, "duplicates_dropped", r->info->duplicates_dropped);
    json_u64(&j, "max_degree", r->info->max_degree);
    json_f64(&j, "mean_degree", r->info->mean_degree);
    json_text(&j, "checksum", checksum);
    json_i64(&j, "threads", r->threads);
    if (r->ranks > 1) json_i64(&j, "ranks", r->ranks);
    json_rounded(&j, "generate_ms", r->generate_ms);
    if (r->path) {
        json_text(&j, "output", r->path);
        if (r->file_bytes) json_u64(&j, "output_bytes", r->file_bytes);
        json_rounded(&j, "write_ms", r->write_ms);
    }
    if (r->truth) json_text(&j, "truth", r->truth);
    json_finish(&j);
}

static void print_human(const report *r, FILE *to) {
    const weft_graph_info *info = r->info;
    cli_text a, b;
    fprintf(to, "%s: %s %s, %s %s edge%s%s", r->kind, cli_count(a, info->vertices), cli_vertices(info->vertices),
            cli_count(b, info->edges), info->directed ? "directed" : "undirected", cli_s(info->edges),
            cli_with_weights(info->weight_type));
    fprintf(to, ", max degree %s, %s with %d thread%s", cli_count(a, info->max_degree), cli_seconds(b, r->generate_ms),
            r->threads, r->threads == 1 ? "" : "s");
    if (r->ranks > 1) fprintf(to, " on each of %d ranks", r->ranks);
    fputc('\n', to);
    if (info->duplicates_dropped)
        fprintf(to, "%s duplicate%s dropped\n", cli_count(a, info->duplicates_dropped),
                cli_s(info->duplicates_dropped));
    fprintf(to, "checksum %016" PRIx64 "\n", r->checksum);
    if (r->truth) {
        cli_put(to, "wrote the communities to %s", cli_place_name(r->truth));
        fputc('\n', to);
    }
    if (!r->path) return;
    cli_put(to, "wrote %s", cli_place_name(r->path));
    if (r->file_bytes) fprintf(to, ", %s", cli_bytes(a, r->file_bytes));
    fprintf(to, ", %s\n", cli_seconds(b, r->write_ms));
}

/* Ranks make the graph, count and save it together; the first one reports. */
static int generate(weft_ctx *ctx, const cli_call *call, report *r, weft_graph_info *info, weft_graph **g) {
    const cli_options *options = &call->options;
    weft_build_params build = cli_build_params(options);
    double started = cli_now_ms();
    weft_status st = weft_generate(ctx, call->generator->name, call->params, &build, g);
    double generated = cli_now_ms();
    if (!st) st = weft_graph_describe(ctx, *g, info);
    if (!st) st = weft_graph_fingerprint(ctx, *g, &r->checksum);
    cli_progress_erase();
    int code = cli_ranks_agree(ctx, st ? cli_fail_status(ctx, st) : EXIT_DONE);
    double described = cli_now_ms();
    if (!code && r->path) code = cli_ranks_agree(ctx, cli_save_graph(ctx, *g, options, r->path));
    r->write_ms = cli_now_ms() - described;
    if (!code && r->truth) code = cli_ranks_agree(ctx, cli_ranks_first() ? save_truth(ctx, call, *g) : EXIT_DONE);
    r->generate_ms = generated - started;
    r->file_bytes = !code && r->path ? cli_file_bytes(r->path) : 0;
    r->threads = weft_ctx_threads(ctx);
    r->ranks = weft_ctx_ranks(ctx);
    return code;
}

int cli_generate(cli_call *call) {
    const cli_options *options = &call->options;
    weft_ctx *ctx = NULL;
    weft_graph *g = NULL;
    weft_graph_info info = {.size = sizeof info};
    report r = {.kind = call->generator->name, .path = options->output, .truth = options->truth, .info = &info};
    int code = check_words(call);
    if (!code) code = check_truth(call);
    if (!code) code = cli_open(options, &ctx);
    if (!code) code = cli_ranks_join(ctx, &call->options);
    if (!code) code = cli_ranks_agree(ctx, cli_ranks_first() ? cli_check_target(options, "-o", r.path) : EXIT_DONE);
    if (!code) code = cli_ranks_check_target(options, r.path);
    if (!code) code = generate(ctx, call, &r, &info, &g);
    if (!code && options->json)
        print_json(&r);
    else if (!code && (!options->quiet || !(r.path || r.truth)))
        print_human(&r, (r.path && cli_is_stdout(r.path)) || (r.truth && cli_is_stdout(r.truth)) ? stderr : stdout);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    return code;
}
