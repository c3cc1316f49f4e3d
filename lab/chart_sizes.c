/* Time against size: a line a rung, both axes logarithmic, with the break-evens of CPU and GPU marked. */
#include "charts.h"

#include "svg.h"

#include <string.h>

/* The row of a rung in a table, NULL when it was not measured there. */
static const lab_row *row_of(const lab_table *t, const lab_rung *rung) {
    for (size_t i = 0; i < t->row_count; i++)
        if (t->rows[i].rung == rung) return &t->rows[i];
    return NULL;
}

static double time_of(const lab_table *t, const lab_rung *rung) {
    const lab_row *row = row_of(t, rung);
    return row && row->status == LAB_VERIFIED ? row->median_ms : 0;
}

/* Eight colours, each with three kinds of line. */
static const char *line_of(size_t color) { return color < 8 ? "" : color < 16 ? " dashed" : " dotted"; }

static void draw_rung(FILE *to, const lab_page *pages, size_t count, const lab_rung *rung, size_t color,
                      const svg_scale *x, const svg_scale *y) {
    fprintf(to, "<polyline class=\"series s%zu%s\" points=\"", color % 8, line_of(color));
    for (size_t i = 0; i < count; i++) {
        double ms = time_of(&pages[i].table, rung);
        if (pages[i].sized && ms > 0)
            fprintf(to, "%.1f,%.1f ", svg_at(x, (double)pages[i].table.info.vertices), svg_at(y, ms));
    }
    fputs("\"/>\n", to);
    for (size_t i = 0; i < count; i++) {
        double ms = time_of(&pages[i].table, rung);
        char room[32];
        unit_ms(room, ms);
        if (pages[i].sized && ms > 0)
            fprintf(to,
                    "<circle class=\"mark s%zu\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>%s: %s</title></circle>\n",
                    color % 8, svg_at(x, (double)pages[i].table.info.vertices), svg_at(y, ms), rung->name, room);
    }
}

static bool asked_for(const lab_page *pages, size_t count, const lab_rung *rung) {
    for (size_t i = 0; i < count; i++)
        if (row_of(&pages[i].table, rung)) return true;
    return false;
}

static bool is_cited(const lab_page *pages, size_t count, const char *source) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; pages[i].sized && k < pages[i].table.row_count; k++) {
            const lab_figure *said = pages[i].table.rows[k].said;
            if (said && strcmp(said->source, source) == 0) return true;
        }
    return false;
}

static void size_table(FILE *to, const lab_page *pages, size_t count, const lab_ladder *ladder) {
    char room[32];
    bool said = false;
    fputs("<details open><summary>the numbers</summary><div class=\"wide\"><table><caption>Median time of a whole run; "
          "below it, "
          "what the document said, and our kernels where that is the time of kernels</caption><thead><tr><th "
          "scope=\"col\">vertices</th>",
          to);
    for (size_t k = 0; k < ladder->rung_count; k++)
        if (asked_for(pages, count, ladder->rungs[k])) fprintf(to, "<th scope=\"col\">%s</th>", ladder->rungs[k]->name);
    fputs("</tr></thead><tbody>\n", to);
    for (size_t i = 0; i < count; i++) {
        const lab_table *t = &pages[i].table;
        if (!pages[i].sized) continue;
        fprintf(to, "<tr><th scope=\"row\">%llu</th>", (unsigned long long)t->info.vertices);
        for (size_t k = 0; k < ladder->rung_count; k++) {
            const lab_row *row = row_of(t, ladder->rungs[k]);
            if (!asked_for(pages, count, ladder->rungs[k])) continue;
            if (row && row->status == LAB_VERIFIED) {
                unit_ms(room, row->median_ms);
                fprintf(to, "<td>%s", room);
            } else {
                fprintf(to, "<td class=\"none\">%s", row ? lab_status_name(row->status) : "not reached");
            }
            if (row && row->said) {
                unit_ms(room, row->said->ms);
                fprintf(to, "<br><span class=\"said\">said: %s", room);
                if (row->status == LAB_VERIFIED && row->said->kind == LAB_KERNELS_ONLY) {
                    unit_ms(room, lab_kernels_ms(row));
                    fprintf(to, "<br>kernels: %s", room);
                }
                fputs("</span>", to);
                said = true;
            }
            fputs("</td>", to);
        }
        fputs("</tr>\n", to);
    }
    fputs("</tbody></table></div></details>\n", to);
    for (size_t i = 0; said && i < ladder->figure_count; i++)
        if ((i == 0 || ladder->figures[i].source != ladder->figures[i - 1].source) &&
            is_cited(pages, count, ladder->figures[i].source)) {
            fputs("<p class=\"source\">Document: ", to);
            html_put(to, "%s; %s", ladder->figures[i].source, lab_kind_name(ladder->figures[i].kind));
            fputs("</p>\n", to);
        }
    fputs("</figure>\n", to);
}

/* Columns of the legend: long names need more room, on a phone above all. */
static size_t legend_columns(const lab_ladder *ladder) {
    for (size_t k = 0; k < ladder->rung_count; k++)
        if (strlen(ladder->rungs[k]->name) > 14) return 2;
    return 3;
}

static bool drawn_at_all(const lab_page *pages, size_t count, const lab_rung *rung) {
    for (size_t i = 0; i < count; i++)
        if (pages[i].sized && time_of(&pages[i].table, rung) > 0) return true;
    return false;
}

static size_t legend_rows(const lab_page *pages, size_t count, const lab_ladder *ladder) {
    size_t drawn = 0, columns = legend_columns(ladder);
    for (size_t k = 0; k < ladder->rung_count; k++) drawn += drawn_at_all(pages, count, ladder->rungs[k]);
    return (drawn + columns - 1) / columns;
}

static void legend(FILE *to, const lab_page *pages, size_t count, const lab_ladder *ladder, double top) {
    size_t drawn = 0, columns = legend_columns(ladder);
    for (size_t k = 0; k < ladder->rung_count; k++) {
        if (!drawn_at_all(pages, count, ladder->rungs[k])) continue;
        double x = 30 + 564.0 / (double)columns * (double)(drawn % columns), y = top + 22 * (double)(drawn / columns);
        fprintf(to, "<line class=\"series s%zu%s\" x1=\"%.0f\" y1=\"%.0f\" x2=\"%.0f\" y2=\"%.0f\"/>\n", k % 8,
                line_of(k), x, y, x + 18, y);
        svg_text(to, x + 23, y + 4, "start", "tick", "%zu %s", k + 1, ladder->rungs[k]->name);
        drawn++;
    }
}

/* Upright lines, with the words of the smaller on its left and of the larger on its right, where there is room. */
static void mark_evens(FILE *to, const lab_page *pages, size_t count, const svg_scale *x, double top, double bottom) {
    const chart_even even[2] = {chart_break_even(pages, count, CHART_BROUGHT),
                                chart_break_even(pages, count, CHART_THERE)};
    for (int i = 0; i < 2; i++) {
        double at = svg_at(x, even[i].vertices), other = even[1 - i].vertices;
        char room[32];
        if (even[i].outcome != CHART_CROSSES) continue;
        bool left = other > even[i].vertices || (!(other > 0) && at > (x->from + x->to) / 2);
        bool narrow = left && at < x->from + 130; /* then a line lower, on the right */
        unit_count(room, even[i].vertices);
        svg_line(to, at, top, at, bottom, "even");
        svg_text(to, at + (left && !narrow ? -4 : 4), top + (narrow ? 12 : -6), left && !narrow ? "end" : "start",
                 "value", "%s: %s", i ? "there" : "brought", room);
    }
}

static void even_caption(FILE *to, const lab_page *pages, size_t count, chart_side side) {
    chart_even even = chart_break_even(pages, count, side);
    char room[160];
    if (even.outcome == CHART_NOT_MEASURED) return;
    chart_even_words(room, &even);
    html_put(to, " Break-even of the best rungs, %s: %s.", chart_side_words(side), room);
}

void chart_sizes(FILE *to, const lab_page *pages, size_t count) {
    enum { TOP = 38, BOTTOM = 360, LEFT = 74, RIGHT = SVG_WIDTH - 14 };
    const lab_ladder *ladder = pages[0].table.ladder;
    svg_range across = {0}, up = {0};
    char id[96];
    for (size_t i = 0; i < count; i++) {
        if (!pages[i].sized) continue;
        svg_see(&across, (double)pages[i].table.info.vertices);
        for (size_t k = 0; k < ladder->rung_count; k++) svg_see(&up, time_of(&pages[i].table, ladder->rungs[k]));
    }
    if (!across.any || !up.any) return;
    svg_scale x = svg_log_scale(across, LEFT, RIGHT), y = svg_log_scale(up, BOTTOM, TOP);
    snprintf(id, sizeof id, "%s-sizes", ladder->name);
    svg_begin(to, id, BOTTOM + 52 + 22 * (double)legend_rows(pages, count, ladder), "Time against size",
              "A line a rung: the median time of a run for each number of vertices, both axes logarithmic. The table "
              "below has the "
              "numbers, and what the documents said.");
    svg_axis_x(to, &x, TOP, BOTTOM, unit_count, "vertices");
    svg_axis_y(to, &y, LEFT, RIGHT, unit_ms, "time");
    for (size_t k = 0; k < ladder->rung_count; k++) draw_rung(to, pages, count, ladder->rungs[k], k, &x, &y);
    mark_evens(to, pages, count, &x, TOP, BOTTOM);
    legend(to, pages, count, ladder, BOTTOM + 52);
    svg_end(to);
    fputs("<figcaption>Time against size.", to);
    even_caption(to, pages, count, CHART_BROUGHT);
    even_caption(to, pages, count, CHART_THERE);
    fputs("</figcaption>\n", to);
    size_table(to, pages, count, ladder);
}
