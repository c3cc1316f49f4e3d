/* weft quality FILE --partition LABELS: the quality of communities, one by one and together. */
#include "partition/labels.h"
#include "result/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STANDARD_TOP = 10, FIGURES = 5 };

typedef struct judgement {
    const cli_call *call;
    weft_ctx *ctx;
    weft_graph *g;
    vertex_labels l;
    weft_result *result;
    rows_column columns[1 + FIGURES];
    void *names; /* of communities */
    rows table;  /* largest first */
    double load_ms, run_ms;
} judgement;

static void scalars_json(json *j, const judgement *q) {
    json_open_object(j, "result", false);
    for (size_t i = 0; i < weft_result_scalar_count(q->result); i++)
        json_scalar(j, weft_result_scalar_at(q->result, i));
    json_close(j);
}

static int print_json(const void *what, FILE *to) {
    const judgement *q = what;
    const cli_options *o = &q->call->options;
    bool saved = o->output && to == stdout && !cli_is_stdout(o->output);
    json j;
    json_start(&j, to);
    json_text(&j, "file", q->call->operands[0]);
    json_text(&j, "partition", o->quality.partition);
    json_u64(&j, "vertices", weft_graph_vertices(q->g));
    json_u64(&j, "edges", weft_graph_edges(q->g));
    json_direction(&j, weft_graph_directed(q->g), weft_graph_direction_from(q->g));
    json_text(&j, "measure", o->use_weights ? "weights" : "edges");
    json_f64(&j, "resolution", o->quality.resolution);
    scalars_json(&j, q);
    int code = rows_json(&j, "table", &q->table);
    if (saved) json_text(&j, "output", o->output);
    if (saved) json_u64(&j, "output_rows", q->table.count);
    json_rounded(&j, "load_ms", q->load_ms);
    json_rounded(&j, "quality_ms", q->run_ms);
    json_finish(&j);
    return code;
}

static int print_human(const judgement *q) {
    const cli_options *o = &q->call->options;
    cli_text a, b;
    rows shown = q->table;
    cli_put(stdout, "quality of %s on %s: ", o->quality.partition, q->call->operands[0]);
    printf("%s %s, %s %s edge%s\n", cli_count(a, weft_graph_vertices(q->g)), cli_vertices(weft_graph_vertices(q->g)),
           cli_count(b, weft_graph_edges(q->g)), weft_graph_directed(q->g) ? "directed" : "undirected",
           cli_s(weft_graph_edges(q->g)));
    if (o->top == CLI_NOT_GIVEN && shown.count > STANDARD_TOP) shown.count = STANDARD_TOP;
    int code = o->output || !shown.count ? EXIT_DONE : rows_print(&shown, shown.count, 0);
    if (!code && !o->output && shown.count < q->columns[0].length)
        printf("  ... and %s more\n", cli_count(a, q->columns[0].length - shown.count));
    putchar('\n');
    for (size_t i = 0; i < weft_result_scalar_count(q->result) && !code; i++) {
        const weft_scalar *s = weft_result_scalar_at(q->result, i);
        cli_fact(s->name, "%s", cli_scalar(a, s));
    }
    if (o->quality.resolution != 1) cli_fact("resolution", "%s", cli_real(a, o->quality.resolution));
    if (o->output) {
        putchar('\n');
        cli_put(stdout, "  wrote %s row%s to %s", cli_count(a, q->table.count), cli_s(q->table.count),
                cli_place_name(o->output));
        putchar('\n');
    }
    return code;
}

/* The table as rows; with --top the first of them. */
static int make_rows(judgement *q) {
    static const char *const names[FIGURES] = {"size", "internal", "cut", "conductance", "pieces"};
    const weft_column *communities = weft_result_column(q->result, "community");
    size_t count = communities->length;
    for (size_t i = 0; i < FIGURES; i++) {
        const weft_column *c = weft_result_column(q->result, names[i]);
        q->columns[1 + i] = rows_column_of(c);
    }
    q->table = (rows){.g = q->g,
                      .columns = q->columns,
                      .column_count = 1 + FIGURES,
                      .count = q->call->options.top < count ? (size_t)q->call->options.top : count};
    return labels_column(&q->l, communities->data, count, &q->columns[0], &q->names);
}

static int judge(judgement *q) {
    const cli_options *o = &q->call->options;
    weft_quality_params p = WEFT_QUALITY_DEFAULTS;
    p.resolution = o->quality.resolution;
    p.weights = o->use_weights;
    double began = cli_now_ms();
    weft_status st = weft_partition_quality(q->ctx, q->g, q->l.group, &p, &q->result);
    q->run_ms = cli_now_ms() - began;
    cli_progress_erase();
    return st ? cli_fail_status(q->ctx, st) : make_rows(q);
}

static int show(const judgement *q, rows_format format) {
    const cli_options *o = &q->call->options;
    bool to_stdout = o->output && cli_is_stdout(o->output);
    int code =
        o->output && !(o->json && to_stdout) ? rows_save(o, o->output, format, &q->table, print_json, q) : EXIT_DONE;
    if (code || (to_stdout && !o->json)) return code;
    if (o->json) return print_json(q, stdout);
    return o->output && o->quiet ? EXIT_DONE : print_human(q);
}

static int check(const cli_call *call, rows_format *format) {
    const cli_options *o = &call->options;
    if (!o->quality.partition)
        return cli_fail(EXIT_USAGE,
                        "weft quality needs --partition LABELS, a table of ids and labels, such as weft labelprop"
                        " FILE -o LABELS writes");
    if (!(o->quality.resolution > 0 && isfinite(o->quality.resolution)))
        return cli_fail(EXIT_USAGE, "--resolution must be a number above 0");
    char *path = vertex_table_file(o->quality.partition);
    if (!path) return EXIT_MEMORY;
    int code = o->output ? rows_format_of_path(o->output, false, format) : EXIT_DONE;
    if (!code) code = cli_check_output("-o", o->output);
    if (!code) code = cli_check_not_read(o, call->operands[0], o->output);
    if (!code) code = cli_check_not_input(path, o->output);
    if (!code && strcmp(path, "-") == 0 && strcmp(call->operands[0], "-") == 0)
        code = cli_fail(EXIT_USAGE, "the graph and the labels cannot both come from standard input");
    free(path);
    return code;
}

int cli_quality(cli_call *call) {
    const cli_options *o = &call->options;
    judgement q = {.call = call};
    rows_format format = ROWS_TSV;
    int code = check(call, &format);
    if (!code) code = cli_open(o, &q.ctx);
    double began = cli_now_ms();
    if (!code) code = cli_load(q.ctx, o, call->operands[0], &q.g);
    q.load_ms = cli_now_ms() - began;
    if (!code) code = labels_open(q.ctx, o, q.g, o->quality.partition, &q.l);
    if (!code) code = labels_match(&q.l, q.g, call->operands[0]);
    if (!code) code = judge(&q);
    if (!code) code = show(&q, format);
    free(q.names);
    weft_result_free(q.result);
    labels_close(&q.l);
    weft_graph_free(q.g);
    weft_ctx_free(q.ctx);
    return code;
}
