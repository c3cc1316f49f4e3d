/* Where the time of a run goes: a bar a rung, cut into parts.  Nothing where every rung spends it all on one. */
#include "charts.h"

#include "svg.h"

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

/* Is there more to see than one full bar? */
static bool is_cut(const lab_row *row) {
    double all = 0, most = 0;
    for (size_t p = 0; p < LAB_PARTS; p++) {
        all += row->part_ms[p];
        if (row->part_ms[p] > most) most = row->part_ms[p];
    }
    return most < 0.95 * all;
}

void chart_parts(FILE *to, const lab_table *t) {
    enum { TOP = 34, RIGHT = SVG_WIDTH - 84 };
    const char *head[LAB_PARTS + 2] = {"rung"};
    size_t count = 0, cut = 0;
    char id[96];
    for (size_t i = 0; i < t->row_count; i++) {
        count += chart_measured(&t->rows[i]);
        cut += chart_measured(&t->rows[i]) && is_cut(&t->rows[i]);
    }
    if (!cut) return;
    svg_begin(
        to, chart_id(id, t, "parts"), TOP + CHART_LINE * (double)count + 6, "Where the time of each rung goes",
        "One bar per rung, cut into the parts of a run, as shares of the whole. The table below has the numbers.");
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
