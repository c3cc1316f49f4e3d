/* weft report FILE -o PAGE.html: one page that shows a graph: figures, charts, a drawing. */
#include "place.h"
#include "report/graph_report.h"

#include <stdlib.h>
#include <string.h>

/* Messages while the file is read and warnings of algorithms are shown, and stay in the page.  Notes of algorithms do
 * not: they name flags that a report does not have. */
static void keep(report *r, const char *message, bool warning) {
    char *text = cli_flag_words(message);
    bool known = false;
    cli_note(&r->call->options, "%s", message);
    for (size_t i = 0; text && i < r->note_count; i++) known |= strcmp(r->notes[i].text, text) == 0;
    report_note *notes = text && !known ? realloc(r->notes, (r->note_count + 1) * sizeof *notes) : NULL;
    if (!notes) {
        free(text);
        return;
    }
    r->notes = notes;
    notes[r->note_count++] = (report_note){text, warning};
}
static void keep_note(void *user, const char *message) { keep(user, message, false); }
static void keep_warning(void *user, const char *message) { keep(user, message, true); }

static int read_graph(report *r) {
    const cli_options *o = &r->call->options;
    double began = cli_now_ms();
    weft_ctx_set_note(r->ctx, keep_note, r);
    weft_ctx_set_warning(r->ctx, keep_warning, r);
    int code = cli_load(r->ctx, o, r->call->operands[0], &r->g);
    r->load_ms = cli_now_ms() - began;
    weft_ctx_set_note(r->ctx, NULL, NULL);
    if (!code) code = select_labels_open(r->ctx, o, r->g, false, &r->labels);
    if (code) return code;
    weft_status st = weft_graph_describe(r->ctx, r->g, &r->info);
    return st ? cli_fail_status(r->ctx, st) : EXIT_DONE;
}

/* --- the figures ------------------------------------------------------------------------------ */

static void put_reading(report *r) {
    static const char *const directions[] = {"not given", "directed", "undirected"};
    static const char *const duplicates[] = {"auto", "keep", "sum", "refuse", "min", "max", "mean", "count", "drop"},
                             *const loops[] = {"keep", "drop"};
    static const char *const weights[] = {"auto", "require", "ignore"};
    const cli_options *o = &r->call->options;
    json *j = r->j;
    uint64_t bytes = cli_file_bytes(r->call->operands[0]);
    json_text(j, "file", r->call->operands[0]);
    if (bytes) json_u64(j, "file_bytes", bytes);
    json_text(j, "version", weft_version());
    json_info(j, &r->info);
    json_open_object(j, "read_as", true);
    json_text(j, "direction", directions[o->direction]);
    json_text(j, "duplicates", duplicates[o->duplicates]);
    json_text(j, "loops", loops[o->loops]);
    json_text(j, "weights", weights[o->weights]);
    json_close(j);
    json_u64(j, "threads", (uint64_t)weft_ctx_threads(r->ctx));
    json_rounded(j, "load_ms", r->load_ms);
}

/* Written at the end, since algorithms warn, too. */
static void put_notes(report *r) {
    report_alerts(r);
    json_open_array(r->j, "notes", false);
    for (size_t i = 0; i < r->note_count; i++) json_text(r->j, NULL, r->notes[i].text);
    json_close(r->j);
}

static int make_sections(report *r, FILE *drawing) {
    static int (*const sections[])(report *) = {report_degrees,    report_mixing, report_weights,
                                                report_components, report_cores,  report_clustering,
                                                report_distances,  report_top,    report_communities};
    int code = EXIT_DONE;
    json_open_object(r->j, "sections", false);
    for (size_t i = 0; i < sizeof sections / sizeof *sections && !code; i++) {
        code = sections[i](r);
        if (!code && cli_interrupted()) code = cli_fail(EXIT_INTERRUPTED, "interrupted");
    }
    if (!code) code = report_drawing(r, drawing);
    json_close(r->j);
    return code;
}

/* Closes a stream to memory; prints an error if memory ran out. */
static int close_text(FILE *to, int code) {
    bool lost = to && ferror(to);
    if (to && fclose(to)) lost = true;
    return (lost || !to) && !code ? cli_fail(EXIT_MEMORY, "out of memory") : code;
}

/* The figures, and the drawing; free() both. */
static int make_figures(report *r, char **figures, char **drawing) {
    json j;
    size_t lengths[2];
    double began = cli_now_ms();
    FILE *to = open_memstream(figures, &lengths[0]), *drawn = open_memstream(drawing, &lengths[1]);
    int code = EXIT_DONE;
    if (to && drawn) {
        r->j = &j;
        json_start(&j, to);
        put_reading(r);
        code = make_sections(r, drawn);
        put_notes(r);
        json_rounded(&j, "figures_ms", cli_now_ms() - began);
        json_finish(&j);
    }
    code = close_text(to, code);
    return close_text(drawn, code);
}

/* --- the page --------------------------------------------------------------------------------- */

extern const char report_template[]; /* made of cli/page/ by the build */

/* JSON within <script>: without < there is neither the end of an element nor the start of a comment. */
static void put_json(FILE *to, const char *text) {
    for (size_t plain; *text; text += plain) {
        plain = strcspn(text, "<");
        fwrite(text, 1, plain, to);
        if (!text[plain]) break;
        fputs("\\u003c", to);
        plain++;
    }
}

/* Writes the template (cli/page/), marks replaced by the figures and the drawing. */
static void put_page(const char *figures, const char *drawing, FILE *to) {
    static const char figures_mark[] = "{{figures}}", drawing_mark[] = "{{drawing}}";
    const char *middle = strstr(report_template, figures_mark), *end = strstr(report_template, drawing_mark);
    fwrite(report_template, 1, (size_t)(middle - report_template), to);
    put_json(to, figures);
    middle += sizeof figures_mark - 1;
    fwrite(middle, 1, (size_t)(end - middle), to);
    put_json(to, drawing);
    fputs(end + sizeof drawing_mark - 1, to);
}

/* --- what becomes of them --------------------------------------------------------------------- */

static int write_page(const report *r, const char *figures, const char *drawing) {
    out_file out;
    int code = out_open(&out, r->call->options.output);
    if (!code) put_page(figures, drawing, out.to);
    return out_close(&out, code);
}

static void say_done(const report *r, double ms) {
    const char *out = r->call->options.output;
    cli_text a, b, c, d;
    cli_put(stdout, "wrote %s: %s, %s %s, %s %s edge%s; ", out, r->call->operands[0], cli_count(a, r->info.vertices),
            cli_vertices(r->info.vertices), cli_count(b, r->info.edges), r->info.directed ? "directed" : "undirected",
            cli_s(r->info.edges));
    printf("%s, %s\n", cli_bytes(c, cli_file_bytes(out)), cli_seconds(d, ms));
}

/* True if the name ends as HTML files' names do; standard output and devices have no such name. */
static bool is_page(const char *path) {
    const char *end = wfi_packed_end(path);
    if (cli_is_stdout(path) || wfi_is_in_place(path)) return true;
    return (end - path > 5 && !strncasecmp(end - 5, ".html", 5)) ||
           (end - path > 4 && !strncasecmp(end - 4, ".htm", 4));
}

static int check(const cli_call *call) {
    const cli_options *o = &call->options;
    if (!o->output && !o->json)
        return cli_fail(EXIT_USAGE,
                        "weft report writes a page: name it with -o, such as -o report.html, or ask for --json");
    if (o->output && o->json && cli_is_stdout(o->output))
        return cli_fail(EXIT_USAGE, "--json and the page both want standard output; write the page to a file");
    int code = cli_check_output("-o", o->output);
    if (!code) code = cli_check_not_read(o, call->operands[0], o->output);
    if (!code) code = select_check(o);
    if (!code && o->output && !is_page(o->output))
        code = cli_fail(EXIT_USAGE,
                        "weft report writes HTML: name the page .html or .htm, or .html.gz or .html.zst, not '%s'",
                        o->output);
    return code;
}

int cli_report(cli_call *call) {
    const cli_options *o = &call->options;
    report r = {.call = call, .info = {.size = sizeof r.info}};
    char *figures = NULL, *drawing = NULL;
    double began = cli_now_ms();
    int code = check(call);
    if (!code) code = cli_open(o, &r.ctx);
    if (!code) code = read_graph(&r);
    if (!code) code = make_figures(&r, &figures, &drawing);
    if (!code && o->output) code = write_page(&r, figures, drawing);
    if (!code && o->json)
        fputs(figures, stdout);
    else if (!code && !o->quiet && !cli_is_stdout(o->output))
        say_done(&r, cli_now_ms() - began);
    free(figures);
    free(drawing);
    for (size_t i = 0; i < r.note_count; i++) free(r.notes[i].text);
    free(r.notes);
    weft_result *const results[] = {r.degree, r.pagerank, r.betweenness, r.hits, r.core, r.triangles};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) weft_result_free(results[i]);
    free(r.community);
    select_labels_close(&r.labels);
    weft_graph_free(r.g);
    weft_ctx_free(r.ctx);
    return code;
}
