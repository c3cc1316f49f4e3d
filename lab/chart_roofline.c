/* The roofline: edges a second against bytes moved for each edge, below what the measured memory speeds allow.
 *
 * Rungs of one ladder move much the same bytes, so their points lie close together: each has its label in a column beside the
 * chart. */
#include "charts.h"

#include "svg.h"

#include <math.h>
#include <stdlib.h>

enum { TOP = 44, LEFT = 74 };

static bool has_model(const lab_row *row) { return chart_measured(row) && row->bytes > 0 && row->edges > 0; }

/* What the axis across is by. */
static double bytes_for_edge(const lab_row *row) { return row->bytes / row->edges; }

/* A ceiling's line, and how many points would be in the way of words along its ends. */
typedef struct slope {
    double x1, y1, x2, y2;
    size_t at_left, at_right;
} slope;

static void see_points(slope *s, const lab_table *t, const svg_scale *x, const svg_scale *y) {
    for (size_t i = 0; i < t->row_count; i++) {
        if (!has_model(&t->rows[i])) continue;
        double px = svg_at(x, bytes_for_edge(&t->rows[i])), py = svg_at(y, lab_edges_per_second(&t->rows[i]));
        double above = s->y1 + (s->y2 - s->y1) * (px - s->x1) / (s->x2 - s->x1) - py;
        if (above > -10 && above < 28) (*(px > (s->x1 + s->x2) / 2 ? &s->at_right : &s->at_left))++;
    }
}

/* The part of a ceiling that lies in the chart, with its name along it. */
static void roof(FILE *to, const lab_table *t, const svg_scale *x, const svg_scale *y, double gbs, bool gpu) {
    double from = x->low, until = x->high, rate = gbs * 1e9;
    char speed[32];
    if (!(gbs > 0)) return;
    if (rate / from > y->high) from = rate / y->high;
    if (rate / until < y->low) until = rate / y->low;
    if (until <= from) return;
    slope s = {svg_at(x, from), svg_at(y, rate / from), svg_at(x, until), svg_at(y, rate / until), 0, 0};
    svg_line(to, s.x1, s.y1, s.x2, s.y2, gpu ? "roof gpu-line" : "roof cpu-line");
    see_points(&s, t, x, y);
    bool left = s.at_left < s.at_right;
    double fall = (s.y2 - s.y1) / (s.x2 - s.x1);
    unit_gbs(speed, gbs);
    fprintf(to,
            "<text class=\"tick halo\" text-anchor=\"%s\" transform=\"translate(%.1f %.1f) rotate(%.1f)\">%s memory: "
            "%s GB/s</text>\n",
            left ? "start" : "end", left ? s.x1 + 8 : s.x2 - 8, left ? s.y1 + 8 * fall - 6 : s.y2 - 8 * fall - 6,
            atan(fall) * 57.29578, gpu ? "GPU" : "CPU", speed);
}

static void legend(FILE *to, bool cpu, bool gpu, double x) {
    if (gpu) {
        svg_mark(to, SVG_DIAMOND, "key gpu", x - 44, 16, 6, "GPU");
        svg_text(to, x - 33, 20, "start", "tick", "GPU");
    }
    if (cpu) {
        svg_mark(to, SVG_CIRCLE, "key cpu", x - 118, 16, 6, "CPU");
        svg_text(to, x - 107, 20, "start", "tick", "CPU");
    }
}

static void numbers(FILE *to, const lab_table *t) {
    static const char *const head[] = {"rung", "bytes per edge", "edges/s", "GB/s", "of the ceiling", NULL};
    char bytes[32], edges[32], gbs[32], share[32];
    chart_table_begin(to, "Rates, by the kernels' time and the rung's model of bytes", head);
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!has_model(row)) continue;
        unit_bytes(bytes, bytes_for_edge(row));
        unit_count(edges, lab_edges_per_second(row));
        unit_gbs(gbs, lab_gbs(row));
        fprintf(to, "<tr><th scope=\"row\">%zu %s</th><td>%s</td><td>%s</td><td>%s</td>", row->number, row->rung->name,
                bytes, edges, gbs);
        unit_share(share, row->ceiling_gbs > 0 ? lab_gbs(row) / row->ceiling_gbs : 0);
        if (!(row->ceiling_gbs > 0))
            fputs("<td>not measured</td></tr>\n", to);
        else if (lab_gbs(row) > row->ceiling_gbs)
            fprintf(to, "<td>%s<br><span class=\"said\">from a cache</span></td></tr>\n", share);
        else
            fprintf(to, "<td>%s</td></tr>\n", share);
    }
    chart_table_end(to);
}

/* Points with their labels, which need `bottom` to leave room for them. */
static void points(FILE *to, const lab_table *t, svg_label *labels, const svg_scale *x, const svg_scale *y, double left,
                   double bottom) {
    size_t count = 0;
    char title[160], share[32];
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!has_model(row)) continue;
        svg_label *label = &labels[count++];
        *label = (svg_label){.x = svg_at(x, bytes_for_edge(row)),
                             .y = svg_at(y, lab_edges_per_second(row)),
                             .style = row->rung->device == LAB_CUDA ? "on-gpu" : "on-cpu"};
        chart_label(label->text, row->number, row->rung);
    }
    svg_labels(to, labels, count, left, TOP, bottom);
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!has_model(row)) continue;
        unit_share(share, row->ceiling_gbs > 0 ? lab_gbs(row) / row->ceiling_gbs : 0);
        snprintf(title, sizeof title, "%.64s: %s of the ceiling", row->rung->name, share);
        svg_mark(to, row->rung->device == LAB_CUDA ? SVG_DIAMOND : SVG_CIRCLE,
                 row->rung->device == LAB_CUDA ? "dot gpu" : "dot cpu", svg_at(x, bytes_for_edge(row)),
                 svg_at(y, lab_edges_per_second(row)), 5, row->ceiling_gbs > 0 ? title : row->rung->name);
    }
}

void chart_roofline(FILE *to, const lab_table *t, const weft_machine *m) {
    svg_range up = {0}, across = {0};
    size_t count = 0;
    bool cpu = false, gpu = false;
    char id[96];
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!has_model(row)) continue;
        svg_see(&up, lab_edges_per_second(row));
        svg_see(&up, row->ceiling_gbs * 1e9 / bytes_for_edge(row));
        svg_see(&across, bytes_for_edge(row));
        *(row->rung->device == LAB_CUDA ? &gpu : &cpu) = true;
        count++;
    }
    svg_label *labels = calloc(count + 1, sizeof *labels);
    if (!count || !up.any || !labels) {
        free(labels);
        return;
    }
    double height = svg_label_height(count), bottom = TOP + (height > 270 ? height : 270);
    double left = SVG_WIDTH - chart_name_room(t) + 8, right = left - SVG_GUTTER;
    svg_scale x = svg_log_scale(across, LEFT, right), y = svg_log_scale(up, bottom, TOP);
    svg_begin(to, chart_id(id, t, "roofline"), bottom + 44, "Roofline",
              "Each rung by the bytes it must move for an edge (across) and by the edges it handles "
              "in a second (up), both logarithmic; circles are on the CPU, diamonds on the GPU. The slanted lines are "
              "what the measured speeds of the memories allow. The table below has the numbers.");
    svg_axis_x(to, &x, TOP, bottom, unit_bytes, "bytes moved for each edge");
    svg_axis_y(to, &y, LEFT, right, unit_count, "edges/s");
    legend(to, cpu, gpu, right);
    if (cpu) roof(to, t, &x, &y, m->read_gbs, false);
    if (gpu) roof(to, t, &x, &y, m->gpu_read_gbs, true);
    points(to, t, labels, &x, &y, left, bottom);
    svg_end(to);
    free(labels);
    fputs("<figcaption>Roofline: a rung cannot be above the slanted line of its memory, unless it finds its bytes in a "
          "cache: then it has more than 100 % of the ceiling. What is far below waits for single reads, for barriers "
          "or for launches, not for bandwidth.</figcaption>\n",
          to);
    numbers(to, t);
}
