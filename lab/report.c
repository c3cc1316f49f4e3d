/* The report: ladders as stories, rung by rung, with their words, code and numbers, and the charts.  One file, no script, nothing
 * loaded from anywhere; what it says of a rung is what the rung's descriptor says. */
#include "report.h"

#include "charts.h"
#include "svg.h"

/* 2,048: all digits.  As cli_count, but the lab's frame is linked without cli/. */
static void put_exact(FILE *to, uint64_t x) {
    char digits[24];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)x);
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) fputc(',', to);
        fputc(digits[i], to);
    }
}

/* " Parameters: iterations 20." with what stands around it; nothing where all are the defaults. */
static void put_settings(FILE *to, const lab_table *t, const char *before, const char *after) {
    char with[512];
    lab_settings_words(t, with, sizeof with);
    if (!*with) return;
    fprintf(to, "%sParameters: ", before);
    html_text(to, with);
    fprintf(to, ".%s", after);
}

static void input_line(FILE *to, const lab_table *t) {
    char ms[32];
    unit_ms(ms, t->transpose_ms);
    fputs("<p>Input: <b>", to);
    html_text(to, t->input);
    fputs("</b>, ", to);
    put_exact(to, t->info.vertices);
    fprintf(to, " vert%s, ", t->info.vertices == 1 ? "ex" : "ices");
    put_exact(to, t->info.edges);
    fprintf(to, " %s edge%s, the longest row ", t->info.directed ? "directed" : "undirected",
            t->info.edges == 1 ? "" : "s");
    put_exact(to, t->info.max_degree);
    fputs(".", to);
    put_settings(to, t, " ", "");
    if (t->ranks) fprintf(to, " Shared by %d rank%s.", t->ranks, t->ranks == 1 ? "" : "s");
    if (t->info.directed)
        fprintf(to, " It was transposed before all rungs, in %s, which is not part of any rung’s time.", ms);
    if (t->reference_s < 0)
        fprintf(to, " There is no reference: it took longer than %g s, and differences are not known.",
                t->reference_limit_s);
    fputs("</p>\n", to);
}

/* The pages of one ladder: its input first. */
static void ladder_section(FILE *to, const lab_book *book, const lab_page *pages, size_t count) {
    const lab_table *t = &pages[0].table;
    fprintf(to, "<h2 id=\"%s\">%s</h2>\n<p>", t->ladder->name, t->ladder->title);
    html_text(to, t->ladder->story);
    fputs("</p>\n", to);
    input_line(to, t);
    if (!t->complete) fputs("<p class=\"bad\">It ended before every rung was measured.</p>\n", to);
    fputs("<h4>The race</h4>\n", to);
    chart_times(to, t);
    fputs("<h4>Rung by rung</h4>\n", to);
    for (size_t i = 0; i < t->row_count; i++) lab_card(to, t, &t->rows[i]);
    fputs("<h4>What holds them back</h4>\n", to);
    chart_roofline(to, t, book->machine);
    chart_parts(to, t);
    chart_blocks(to, t);
    if (count > 1) {
        fputs("<h4>With the size</h4>\n", to);
        put_settings(to, &pages[1].table, "<p>", "</p>\n");
    }
    chart_sizes(to, pages, count);
    chart_amdahl(to, pages, count);
    fputs("<h4>The graph</h4>\n", to);
    chart_degrees(to, &pages[0]);
}

/* Of the sweeps over sizes: what has no time on a ladder's own input says why in its card. */
static void skipped_section(FILE *to, const lab_book *book) {
    size_t count = 0;
    for (size_t i = 0; i < book->page_count; i++)
        for (size_t k = 0; book->pages[i].sized && k < book->pages[i].table.row_count; k++)
            count += book->pages[i].table.rows[k].status != LAB_VERIFIED;
    if (!count) return;
    fputs("<h2 id=\"left-out\">Sizes without a time, and why</h2>\n<div class=\"wide\"><table><thead><tr><th "
          "scope=\"col\">rung</th><th "
          "scope=\"col\">input</th><th scope=\"col\">status</th><th scope=\"col\">why</th></tr></thead><tbody>\n",
          to);
    for (size_t i = 0; i < book->page_count; i++) {
        const lab_table *t = &book->pages[i].table;
        for (size_t k = 0; book->pages[i].sized && k < t->row_count; k++) {
            const lab_row *row = &t->rows[k];
            if (row->status == LAB_VERIFIED) continue;
            fprintf(to, "<tr><th scope=\"row\">%s, %s</th><td>", t->ladder->name, row->rung->name);
            html_text(to, t->input);
            fprintf(to, "</td><td>%s</td><td class=\"why\">", lab_status_name(row->status));
            html_text(to, row->message);
            fputs("</td></tr>\n", to);
        }
    }
    fputs("</tbody></table></div>\n", to);
}

const char lab_busy_words[] = "other programs were at work: rungs with threads wait for them at every barrier";

bool lab_was_busy(const lab_book *book) { return book->load > 0.5 * book->machine->cores; }

static void about(FILE *to, const lab_book *book) {
    const weft_machine *m = book->machine;
    fputs("<h2 id=\"about\">How this was measured</h2>\n<p>", to);
    html_put(to,
             "Each rung ran once to warm up, and its answer was verified against the definition, by the verifier that "
             "checks the "
             "engine; then it ran %zu time%s. An answer with other bytes than the verified one was verified as well.",
             book->runs, book->runs == 1 ? "" : "s");
    fputs(
        " There is no time without a verified answer. Times are medians of whole runs; rates are by the kernels’ time "
        "and the rung’s stated model of bytes. Held are the bytes that a rung has at once, on the host and on the GPU, "
        "with the graph’s CSR where it reads that; the library’s on the GPU are not known. The largest difference is "
        "from the engine’s answer in double, where that has done the same steps.</p>\n<p "
        "class=\"soft\">",
        to);
    char gbs[32];
    html_put(to, "%s, %d threads", *m->cpu ? m->cpu : "unknown CPU", book->threads);
    unit_gbs(gbs, m->read_gbs);
    if (m->read_gbs > 0) html_put(to, ", memory reads %s GB/s", gbs);
    unit_gbs(gbs, m->gpu_read_gbs);
    if (m->gpus > 0) html_put(to, "; %s", m->gpu);
    if (m->gpus > 0 && m->gpu_read_gbs > 0) html_put(to, ", reads %s GB/s", gbs);
    if (m->gpus == 0) html_put(to, "; no GPU: %s", *m->gpu_reason ? m->gpu_reason : "none was found");
    if (book->load >= 0) html_put(to, "; load before: %.2f", book->load);
    if (lab_was_busy(book)) html_put(to, "; %s", lab_busy_words);
    fputs(".<br>", to);
    html_put(to, "%s. %s.", weft_build_info(), book->date);
    fputs("</p>\n", to);
}

static void contents(FILE *to, const lab_book *book) {
    fputs("<nav aria-label=\"Contents\"><ol>\n", to);
    for (size_t i = 0; i < book->page_count; i++) {
        const lab_table *t = &book->pages[i].table;
        if (book->pages[i].sized) continue;
        fprintf(to, "<li><a href=\"#%s\">%s</a></li>\n", t->ladder->name, t->ladder->title);
    }
    fputs("<li><a href=\"#about\">How this was measured</a></li></ol></nav>\n", to);
}

void lab_report(const lab_book *book, FILE *to) {
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
          "content=\"width=device-width,initial-scale=1\"><title>Weft lab</title><link rel=\"icon\" "
          "href=\"data:,\"><style>\n",
          to);
    fputs(lab_style, to);
    fputs("</style></head><body>\n<header><p class=\"soft\">Weft lab</p><h1>From the naive version to the "
          "engine</h1><p>Each rung "
          "changes one thing against the one it names, says beforehand what should win and what should lose, and is "
          "timed only if "
          "its answer is right. Rungs that lost stay.</p>",
          to);
    if (lab_was_busy(book)) fprintf(to, "<p class=\"bad\">When this was measured, %s.</p>", lab_busy_words);
    fputs("</header>\n", to);
    contents(to, book);
    fputs("<main>\n", to);
    for (size_t i = 0; i < book->page_count;) {
        size_t count = 1;
        while (i + count < book->page_count && book->pages[i + count].sized) count++;
        ladder_section(to, book, &book->pages[i], count);
        i += count;
    }
    skipped_section(to, book);
    about(to, book);
    fputs("</main></body></html>\n", to);
}
