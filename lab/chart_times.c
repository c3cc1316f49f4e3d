/* The race: a dot a rung, from the bottom of the ladder up, on a logarithmic axis: a bar there would have a length that means nothing.
 * Rungs without a time are counted; their cards say why. */
#include "charts.h"

#include "svg.h"

enum { TOP = 34, RIGHT = SVG_WIDTH - 84 };

static void row_dot(FILE *to, const lab_row *row, const svg_scale *x, double y) {
    double at = svg_at(x, row->median_ms), from = svg_at(x, row->min_ms), until = svg_at(x, row->max_ms);
    bool gpu = row->rung->device == LAB_CUDA;
    char room[32], title[160];
    unit_ms(room, row->median_ms);
    snprintf(title, sizeof title, "%.64s: %s", row->rung->name, room);
    svg_text(to, x->from - 8, y + 15, "end", "label", "%zu %s", row->number, row->rung->name);
    svg_line(to, x->from, y + 11, x->to, y + 11, "grid");
    svg_line(to, from, y + 11, until, y + 11, "spread");
    svg_mark(to, gpu ? SVG_DIAMOND : SVG_CIRCLE, gpu ? "dot gpu" : "dot cpu", at, y + 11, 6, title);
    svg_text(to, (until > at + 8 ? until : at + 8) + 6, y + 15, "start", "value", "%s", room);
}

static void legend(FILE *to, const lab_table *t, double left) {
    static const char *const names[] = {"CPU", "GPU"};
    double x = left;
    for (int device = LAB_CPU; device <= LAB_CUDA; device++) {
        bool any = false;
        for (size_t i = 0; i < t->row_count; i++)
            any = any || (chart_measured(&t->rows[i]) && t->rows[i].rung->device == (lab_device)device);
        if (!any) continue;
        svg_mark(to, device == LAB_CUDA ? SVG_DIAMOND : SVG_CIRCLE, device == LAB_CUDA ? "key gpu" : "key cpu", x + 7,
                 13, 6, names[device]);
        svg_text(to, x + 20, 17, "start", "tick", "%s", names[device]);
        x += 72;
    }
    svg_line(to, x, 13, x + 24, 13, "spread");
    svg_line(to, x, 10, x, 16, "spread");
    svg_line(to, x + 24, 10, x + 24, 16, "spread");
    svg_text(to, x + 30, 17, "start", "tick", "fastest to slowest run");
}

static void numbers(FILE *to, const lab_table *t) {
    static const char *const head[] = {"rung", "median", "fastest", "slowest", NULL};
    chart_table_begin(to, "Time of a whole run", head);
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!chart_measured(row)) continue;
        fprintf(to, "<tr><th scope=\"row\">%zu %s</th>", row->number, row->rung->name);
        chart_cell_ms(to, row->median_ms);
        chart_cell_ms(to, row->min_ms);
        chart_cell_ms(to, row->max_ms);
        fputs("</tr>\n", to);
    }
    chart_table_end(to);
}

void chart_times(FILE *to, const lab_table *t) {
    svg_range seen = {0};
    size_t measured = 0;
    char id[96];
    for (size_t i = 0; i < t->row_count; i++)
        if (chart_measured(&t->rows[i])) {
            svg_see(&seen, t->rows[i].min_ms);
            svg_see(&seen, t->rows[i].max_ms);
            measured++;
        }
    if (!seen.any) return;
    svg_scale x = svg_log_scale(seen, chart_name_room(t), RIGHT);
    double bottom = TOP + CHART_LINE * (double)measured + 4, y = TOP;
    svg_begin(
        to, chart_id(id, t, "times"), bottom + 44, "Time of each rung",
        "One dot per rung at the median of its times, bottom of the ladder first, on a logarithmic axis; the line "
        "through it is from the fastest to the slowest run. The table below has the numbers.");
    svg_axis_x(to, &x, TOP, bottom, unit_ms, "time of a whole run, logarithmic");
    legend(to, t, x.from);
    for (size_t i = 0; i < t->row_count; i++) {
        if (!chart_measured(&t->rows[i])) continue;
        row_dot(to, &t->rows[i], &x, y);
        y += CHART_LINE;
    }
    svg_end(to);
    fputs("<figcaption>Time of each rung: median, and from fastest to slowest. Left is better.", to);
    if (measured < t->row_count)
        fprintf(to, " %zu of %zu rungs have no time; what follows says why.", t->row_count - measured, t->row_count);
    fputs("</figcaption>\n", to);
    numbers(to, t);
}
