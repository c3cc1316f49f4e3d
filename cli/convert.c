/* weft convert IN OUT: from one format to another. */
#include "cli.h"
#include "result/json.h"

#include <string.h>

typedef struct report {
    const char *in, *out, *out_format;
    const weft_graph_info *info;
    uint64_t in_bytes, out_bytes; /* 0: not known */
    double read_ms, write_ms;
} report;

static void print_json(const report *r) {
    json j;
    json_start(&j, stdout);
    json_text(&j, "file", r->in);
    json_text(&j, "output", r->out);
    json_text(&j, "format", r->info->format);
    json_text(&j, "output_format", *r->out_format ? r->out_format : NULL);
    json_graph(&j, r->info);
    json_u64(&j, "self_loops_dropped", r->info->self_loops_dropped);
    json_u64(&j, "duplicates_dropped", r->info->duplicates_dropped);
    if (r->in_bytes) json_u64(&j, "file_bytes", r->in_bytes);
    if (r->out_bytes) json_u64(&j, "output_bytes", r->out_bytes);
    json_rounded(&j, "load_ms", r->read_ms);
    json_rounded(&j, "write_ms", r->write_ms);
    json_finish(&j);
}

static void print_size(FILE *to, uint64_t bytes, double ms) {
    cli_text a, b;
    if (bytes) fprintf(to, ", %s", cli_bytes(a, bytes));
    fprintf(to, ", %s\n", cli_seconds(b, ms));
}

/* Facts about the written file. */
static const char *with_weights(const report *r) {
    for (size_t i = 0; i < weft_format_count(); i++)
        if (!strcmp(weft_format_at(i)->name, r->out_format) && !weft_format_at(i)->keeps_weights) return "";
    return cli_with_weights(r->info->weight_type);
}

static void print_human(const report *r, FILE *to) {
    const weft_graph_info *info = r->info;
    cli_text a, b;
    cli_put(to, "read   %s: %s, %s record%s", r->in, info->format, cli_count(a, info->records), cli_s(info->records));
    print_size(to, r->in_bytes, r->read_ms);
    if (info->duplicates_dropped)
        fprintf(to, "       %s duplicate%s dropped\n", cli_count(a, info->duplicates_dropped),
                cli_s(info->duplicates_dropped));
    if (info->self_loops_dropped)
        fprintf(to, "       %s self-loop%s dropped\n", cli_count(a, info->self_loops_dropped),
                cli_s(info->self_loops_dropped));
    cli_put(to, "wrote  %s: %s%s%s %s, %s %s edge%s%s", cli_place_name(r->out), r->out_format,
            *r->out_format ? ", " : "", cli_count(a, info->vertices), cli_vertices(info->vertices),
            cli_count(b, info->edges), info->directed ? "directed" : "undirected", cli_s(info->edges), with_weights(r));
    print_size(to, r->out_bytes, r->write_ms);
}

/* Refuses mistakes that are visible before anything is read. */
static int check(const cli_call *call, const char *in, const char *out) {
    const cli_options *options = &call->options;
    if (!out) return cli_fail(EXIT_USAGE, "weft convert needs IN OUT; see: weft help convert");
    if (call->operand_count == 2 && options->output)
        return cli_fail(EXIT_USAGE, "weft convert writes one file, but there are two: %s and -o %s", call->operands[1],
                        options->output);
    int code = cli_check_not_read(options, in, out);
    return code ? code : cli_check_target(options, options->output ? "-o" : NULL, out);
}

/* Ranks read a text together and write a .weft together; they have no use for a .weft input. */
static int check_shared(weft_ctx *ctx, const weft_graph *g, const char *in) {
    weft_csr all = {.size = sizeof all};
    if (weft_ctx_ranks(ctx) == 1 || weft_graph_out(ctx, g, &all)) return EXIT_DONE;
    return cli_fail(EXIT_USAGE, "%s: ranks convert text files, and this is .weft; start weft convert by itself", in);
}

int cli_convert(cli_call *call) {
    const cli_options *options = &call->options;
    if (options->window) return cli_windows(call);
    const char *in = call->operands[0], *out = call->operand_count == 2 ? call->operands[1] : options->output;
    weft_ctx *ctx = NULL;
    weft_graph *g = NULL;
    weft_graph_info info = {.size = sizeof info};
    int code = cli_open(options, &ctx);
    if (!code) code = cli_ranks_join(ctx, &call->options);
    if (!code) code = cli_ranks_agree(ctx, cli_ranks_first() ? check(call, in, out) : EXIT_DONE);
    if (!code) code = cli_ranks_check_target(options, out);
    double started = cli_now_ms();
    if (!code) code = cli_ranks_agree(ctx, cli_load(ctx, options, in, &g));
    if (!code) code = check_shared(ctx, g, in);
    double loaded = cli_now_ms();
    weft_status st = code ? WEFT_OK : weft_graph_describe(ctx, g, &info);
    if (!code) code = cli_ranks_agree(ctx, st ? cli_fail_status(ctx, st) : EXIT_DONE);
    double described = cli_now_ms();
    if (!code) code = cli_ranks_agree(ctx, cli_save_graph(ctx, g, options, out));
    if (code) goto done; /* from here on the file has its name, and nothing may fail */
    double written = cli_now_ms();
    report r = {in,
                out,
                options->to ? options->to : cli_format_of_path(out),
                &info,
                cli_file_bytes(in),
                cli_file_bytes(out),
                loaded - started,
                written - described};
    if (options->json)
        print_json(&r);
    else if (!options->quiet)
        print_human(&r, cli_is_stdout(out) ? stderr : stdout);
done:
    weft_graph_free(g);
    weft_ctx_free(ctx);
    return code;
}
