/* The report: ladders as stories, rung by rung, with their words, code and numbers, and the charts.  One file, no script, nothing
 * loaded from anywhere; what it says of a rung is what the rung's descriptor says. */
#include "report.h"

#include "charts.h"
#include "svg.h"

#include <math.h>
#include <string.h>

static void fact(FILE *to, const char *value, const char *name) { fprintf(to, "<li><b>%s</b>%s</li>", value, name); }

static void facts(FILE *to, const lab_row *row) {
    char a[32], b[32], room[128];
    fputs("<ul class=\"facts\">", to);
    unit_ms(a, row->median_ms);
    fact(to, a, "median run");
    unit_ms(a, row->min_ms);
    unit_ms(b, row->max_ms);
    snprintf(room, sizeof room, "%s – %s", a, b);
    fact(to, room, "fastest – slowest");
    unit_count(a, lab_edges_per_second(row));
    fact(to, a, "edges/s");
    if (row->bytes > 0) {
        unit_gbs(a, lab_gbs(row));
        if (row->ceiling_gbs > 0) {
            unit_share(b, lab_gbs(row) / row->ceiling_gbs);
            snprintf(room, sizeof room, "%s (%s)", a, b);
            fact(to, room,
                 lab_gbs(row) > row->ceiling_gbs ? "GB/s (of the ceiling: from a cache)" : "GB/s (of the ceiling)");
        } else {
            fact(to, a, "GB/s");
        }
    }
    if (row->on_first > 0) {
        unit_times(a, row->on_first);
        fact(to, a, "against the first");
        unit_times(a, row->on_previous);
        fact(to, a, "against the one before");
    }
    if (!isnan(row->difference)) {
        snprintf(room, sizeof room, "%.2g", row->difference);
        fact(to, room, "largest difference");
    }
    if (row->said) {
        unit_ms(a, row->said->ms);
        fact(to, a, "the document said");
    }
    fputs("</ul>\n", to);
}

static void word(FILE *to, const char *name, const char *text) {
    if (!text) return;
    fprintf(to, "<dt>%s</dt><dd>", name);
    html_text(to, text);
    fputs("</dd>\n", to);
}

static void rung_section(FILE *to, const lab_table *t, const lab_row *row) {
    const lab_rung *rung = row->rung;
    const char *code = lab_excerpt(rung->source);
    fprintf(to, "<section class=\"rung %s%s\" id=\"%s-%s\"><h3><span class=\"number\">%zu</span>",
            lab_status_name(row->status), rung->device == LAB_CUDA ? " gpu-rung" : "", t->ladder->name, rung->name,
            row->number);
    html_text(to, rung->title);
    fputs("</h3>\n<p><span class=\"badge\">", to);
    html_put(to, "%s", lab_status_name(row->status));
    fputs("</span> <span class=\"soft\">", to);
    html_text(to, row->message);
    fputs("</span></p>\n", to);
    if (row->status == LAB_VERIFIED) facts(to, row);
    fputs("<dl class=\"words\">", to);
    word(to, rung->against ? "Changed" : "Start", rung->changed);
    word(to, "Against", rung->against);
    word(to, "Should win", rung->wins);
    word(to, "Should lose", rung->loses);
    word(to, "Bytes", rung->model);
    fputs("</dl>\n", to);
    if (*code) {
        fputs("<details open><summary>", to);
        html_text(to, rung->source);
        fputs("</summary><pre tabindex=\"0\"><code>", to);
        html_text(to, code);
        fputs("</code></pre></details>\n", to);
    }
    fputs("</section>\n", to);
}

static void input_line(FILE *to, const lab_table *t) {
    char a[32], b[32], c[32];
    unit_count(a, (double)t->info.vertices);
    unit_count(b, (double)t->info.edges);
    unit_ms(c, t->transpose_ms);
    fputs("<p>Input: <b>", to);
    html_text(to, t->input);
    fprintf(to, "</b>, %s vertices, %s %s edges, the longest row %llu.", a, b,
            t->info.directed ? "directed" : "undirected", (unsigned long long)t->info.max_degree);
    if (t->info.directed) fprintf(to, " It was transposed before all rungs, in %s, which is in no rung’s time.", c);
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
    for (size_t i = 0; i < t->row_count; i++) rung_section(to, t, &t->rows[i]);
    fputs("<h4>What holds them back</h4>\n", to);
    chart_roofline(to, t, book->machine);
    chart_parts(to, t);
    chart_blocks(to, t);
    if (count > 1) fputs("<h4>With the size</h4>\n", to);
    chart_sizes(to, pages, count);
    chart_amdahl(to, pages, count);
    fputs("<h4>The graph</h4>\n", to);
    chart_degrees(to, &pages[0]);
}

static void skipped_section(FILE *to, const lab_book *book) {
    size_t count = 0;
    for (size_t i = 0; i < book->page_count; i++)
        for (size_t k = 0; k < book->pages[i].table.row_count; k++)
            count += book->pages[i].table.rows[k].status != LAB_VERIFIED;
    if (!count) return;
    fputs("<h2 id=\"left-out\">What has no time, and why</h2>\n<div class=\"wide\"><table><thead><tr><th "
          "scope=\"col\">rung</th><th "
          "scope=\"col\">input</th><th scope=\"col\">status</th><th scope=\"col\">why</th></tr></thead><tbody>\n",
          to);
    for (size_t i = 0; i < book->page_count; i++) {
        const lab_table *t = &book->pages[i].table;
        for (size_t k = 0; k < t->row_count; k++) {
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

static void about(FILE *to, const lab_book *book) {
    const weft_machine *m = book->machine;
    fputs("<h2 id=\"about\">How this was measured</h2>\n<p>", to);
    html_put(to,
             "Each rung ran once to warm up, and its answer was verified against the definition, by the verifier that "
             "checks the "
             "engine; then it ran %zu times. An answer with other bytes than the verified one was verified as well.",
             book->runs);
    fputs(
        " There is no time without a verified answer. Times are medians of whole runs; rates are by the kernels’ time "
        "and the rung’s stated model of bytes. The largest difference is from the engine’s answer in double.</p>\n<p "
        "class=\"soft\">",
        to);
    html_put(to, "%s, %d threads", *m->cpu ? m->cpu : "unknown CPU", book->threads);
    if (m->read_gbs > 0) html_put(to, ", memory reads %.1f GB/s", m->read_gbs);
    if (m->gpus > 0) html_put(to, "; %s, reads %.0f GB/s", m->gpu, m->gpu_read_gbs);
    if (m->gpus == 0) html_put(to, "; no GPU: %s", *m->gpu_reason ? m->gpu_reason : "none was found");
    if (book->load >= 0) html_put(to, "; load before: %.2f", book->load);
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
          "its answer is right. Rungs that lost stay.</p></header>\n",
          to);
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
