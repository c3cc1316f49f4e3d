/* What the charts share, and two of them: where the time goes, and the degrees of the input. */
#include "charts.h"

#include "svg.h"

#include <string.h>

const char *const chart_part_names[LAB_PARTS] = {"allocate", "copy in", "kernels", "copy out", "free", "host"};

bool chart_measured(const lab_row *row) { return row->status == LAB_VERIFIED; }

const char *chart_device(const lab_row *row) { return row->rung->device == LAB_CUDA ? "gpu" : "cpu"; }

const char *chart_id(char room[96], const lab_table *t, const char *chart) {
    snprintf(room, 96, "%s-%s", t->ladder->name, chart);
    return room;
}

double chart_name_room(const lab_table *t) {
    size_t letters = 0;
    for (size_t i = 0; i < t->row_count; i++)
        if (strlen(t->rows[i].rung->name) > letters) letters = strlen(t->rows[i].rung->name);
    return svg_label_room(letters + 3) + 8;
}

void chart_table_begin(FILE *to, const char *caption, const char *const *head) {
    fputs("<details open><summary>the numbers</summary><div class=\"wide\"><table><caption>", to);
    html_text(to, caption);
    fputs("</caption><thead><tr>", to);
    for (; *head; head++) fprintf(to, "<th scope=\"col\">%s</th>", *head);
    fputs("</tr></thead><tbody>\n", to);
}

void chart_table_end(FILE *to) { fputs("</tbody></table></div></details></figure>\n", to); }

void chart_cell_ms(FILE *to, double ms) {
    char room[32];
    unit_ms(room, ms);
    fprintf(to, "<td>%s</td>", ms > 0 ? room : "–");
}

/* --- where the time goes ----------------------------------------------------------------------------------------------- */

static void row_parts(FILE *to, const lab_row *row, double left, double right, double y) {
    double x = left, all = 0;
    char room[32];
    for (size_t p = 0; p < LAB_PARTS; p++) all += row->part_ms[p];
    svg_text(to, left - 8, y + 15, "end", "label", "%zu %s", row->number, row->rung->name);
    for (size_t p = 0; p < LAB_PARTS && all > 0; p++) {
        double width = (right - left) * row->part_ms[p] / all;
        unit_ms(room, row->part_ms[p]);
        if (width > 0)
            fprintf(to,
                    "<rect class=\"part%zu\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"16\"><title>%s, %s: "
                    "%s</title></rect>\n",
                    p, x, y + 2, width, row->rung->name, chart_part_names[p], room);
        x += width;
    }
    unit_ms(room, all);
    svg_text(to, right + 6, y + 15, "start", "value", "%s", room);
}

void chart_parts(FILE *to, const lab_table *t) {
    enum { TOP = 34, RIGHT = SVG_WIDTH - 84 };
    const char *head[LAB_PARTS + 2] = {"rung"};
    size_t count = 0;
    char id[96];
    for (size_t i = 0; i < t->row_count; i++) count += chart_measured(&t->rows[i]);
    if (!count) return;
    svg_begin(to, chart_id(id, t, "parts"), TOP + CHART_LINE * (double)count + 6, "Where the time of each rung goes",
              "One bar a rung, cut into the parts of a run, as shares of the whole. The table below has the numbers.");
    for (size_t p = 0; p < LAB_PARTS; p++) {
        double x = 8 + (SVG_WIDTH - 16.0) / LAB_PARTS * (double)p;
        fprintf(to, "<rect class=\"part%zu\" x=\"%.0f\" y=\"6\" width=\"12\" height=\"12\" rx=\"2\"/>\n", p, x);
        svg_text(to, x + 17, 17, "start", "tick", "%s", chart_part_names[p]);
        head[p + 1] = chart_part_names[p];
    }
    double y = TOP;
    for (size_t i = 0; i < t->row_count; i++) {
        if (!chart_measured(&t->rows[i])) continue;
        row_parts(to, &t->rows[i], chart_name_room(t), RIGHT, y);
        y += CHART_LINE;
    }
    svg_end(to);
    fputs("<figcaption>Where the time goes: shares of a whole run, and the sum of the parts. Host: launching, "
          "waiting and bookkeeping beside the GPU’s kernels; in the library’s rung also copies too small to be timed "
          "apart.</figcaption>\n",
          to);
    chart_table_begin(to, "Medians of the parts", head);
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!chart_measured(row)) continue;
        fprintf(to, "<tr><th scope=\"row\">%zu %s</th>", row->number, row->rung->name);
        for (size_t p = 0; p < LAB_PARTS; p++) chart_cell_ms(to, row->part_ms[p]);
        fputs("</tr>\n", to);
    }
    chart_table_end(to);
}

/* --- degrees ------------------------------------------------------------------------------------------------------------ */

/* There is no half vertex: below 1 the axis has no numbers. */
static void unit_vertices(char room[32], double x) {
    room[0] = '\0';
    if (x >= 1) unit_count(room, x);
}

void chart_degrees(FILE *to, const lab_page *page) {
    enum { TOP = 38, BOTTOM = 290, LEFT = 74, RIGHT = SVG_WIDTH - 14 };
    const lab_table *t = &page->table;
    const char *degree = t->info.directed ? "out-degree" : "degree";
    const char *const head[] = {degree, "vertices", NULL};
    uint64_t alone = 0; /* a logarithmic axis has no place for them */
    svg_range across = {0}, up = {0};
    char id[96], caption[96];
    for (size_t i = 0; i < page->degree_count; i++) {
        if (!page->degree[i]) alone = page->of_degree[i];
        svg_see(&across, (double)page->degree[i]);
        if (page->degree[i]) svg_see(&up, (double)page->of_degree[i]);
    }
    if (!across.any) return;
    svg_scale x = svg_log_scale(across, LEFT, RIGHT), y = svg_log_scale(up, BOTTOM, TOP);
    svg_begin(to, chart_id(id, t, "degrees"), BOTTOM + 44, "Degrees of the input",
              t->info.directed
                  ? "How many vertices have how many outgoing arcs, both axes logarithmic. A line that falls straight "
                    "is a graph with hubs; a hill is a graph without. The table below sums it up."
                  : "How many vertices have how many neighbours, both axes logarithmic. A line that falls straight is "
                    "a graph with hubs; a hill is a graph without. The table below sums it up.");
    svg_axis_x(to, &x, TOP, BOTTOM, unit_vertices,
               t->info.directed ? "out-degree: outgoing arcs of a vertex" : "degree: neighbours of a vertex");
    svg_axis_y(to, &y, LEFT, RIGHT, unit_vertices, "vertices");
    for (size_t i = 0; i < page->degree_count; i++)
        if (page->degree[i])
            fprintf(to, "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n",
                    svg_at(&x, (double)page->degree[i]), svg_at(&y, (double)page->of_degree[i]));
    svg_end(to);
    fprintf(to, "<figcaption>%s of the input: a point is a degree and the number of vertices that have it.",
            t->info.directed ? "Out-degrees" : "Degrees");
    if (alone)
        fprintf(to, " %llu of the %llu vertices (%.3g %%) have %s 0, for which a logarithmic axis has no place.",
                (unsigned long long)alone, (unsigned long long)t->info.vertices,
                100 * (double)alone / (double)t->info.vertices, degree);
    else
        fprintf(to, " No vertex has %s 0.", degree);
    fputs("</figcaption>\n", to);
    snprintf(caption, sizeof caption, "Vertices by %s, in powers of two", degree);
    chart_table_begin(to, caption, head);
    for (uint64_t from = 0, until = 1; from <= page->degree[page->degree_count - 1]; from = until, until = 2 * until) {
        uint64_t count = 0;
        for (size_t i = 0; i < page->degree_count; i++)
            if (page->degree[i] >= from && page->degree[i] < until) count += page->of_degree[i];
        if (until - from > 1)
            fprintf(to, "<tr><th scope=\"row\">%llu to %llu</th>", (unsigned long long)from,
                    (unsigned long long)until - 1);
        else
            fprintf(to, "<tr><th scope=\"row\">%llu</th>", (unsigned long long)from);
        fprintf(to, "<td>%llu</td></tr>\n", (unsigned long long)count);
    }
    chart_table_end(to);
}
