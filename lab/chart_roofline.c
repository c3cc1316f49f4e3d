/* The roofline: edges a second against bytes moved for each edge, below what the measured memory speeds allow.
 *
 * Rungs of one ladder move much the same bytes, so their points lie close together: each has its label in a column beside the
 * chart.  Where a few rungs lie more than a hundred times apart from the rest, they have a panel of their own, with the same axis up. */
#include "charts.h"

#include "svg.h"

#include <math.h>
#include <stdlib.h>

enum { TOP = 44, LEFT = 74, SMALL = 78, BREAK = 46, APART = 100 };

static bool has_model(const lab_row *row) { return chart_measured(row) && row->bytes > 0 && row->edges > 0; }

/* Edges for a byte: what the axis across is by. */
static double yield_of(const lab_row *row) { return row->edges / row->bytes; }

/* Ticks name the bytes for an edge instead. */
static void unit_yield(char room[32], double yield) { unit_bytes(room, 1 / yield); }

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The yield that parts the panels: everything below is in the left one.  0 = one panel. */
static double parting(const lab_table *t) {
    double *yields = malloc((t->row_count + 1) * sizeof *yields), widest = APART, at = 0;
    size_t count = 0;
    if (!yields) return 0;
    for (size_t i = 0; i < t->row_count; i++)
        if (has_model(&t->rows[i])) yields[count++] = yield_of(&t->rows[i]);
    qsort(yields, count, sizeof *yields, by_size);
    for (size_t i = 1; i < count; i++)
        if (yields[i] / yields[i - 1] > widest) {
            widest = yields[i] / yields[i - 1];
            at = sqrt(yields[i] * yields[i - 1]);
        }
    free(yields);
    return at;
}

/* Scales across, of one panel or two; the one with fewer rungs is small. */
typedef struct panels {
    svg_scale x[2];
    size_t count, large;
    double parting;
} panels;

static panels make_panels(const lab_table *t, double right) {
    panels p = {.count = 1, .parting = parting(t)};
    svg_range seen[2] = {0};
    size_t rungs[2] = {0, 0};
    for (size_t i = 0; i < t->row_count; i++) {
        if (!has_model(&t->rows[i])) continue;
        size_t side = p.parting > 0 && yield_of(&t->rows[i]) > p.parting;
        svg_see(&seen[side], yield_of(&t->rows[i]));
        rungs[side]++;
    }
    if (p.parting > 0) {
        p.count = 2;
        p.large = rungs[1] >= rungs[0];
        double edge = p.large == 1 ? LEFT + SMALL : right - SMALL - BREAK;
        p.x[0] = svg_log_scale(seen[0], LEFT, edge);
        p.x[1] = svg_log_scale(seen[1], edge + BREAK, right);
    } else {
        p.x[0] = svg_log_scale(seen[0], LEFT, right);
    }
    return p;
}

static const svg_scale *panel_of(const panels *p, const lab_row *row) {
    return &p->x[p->count == 2 && yield_of(row) > p->parting];
}

static bool any_in(const lab_table *t, const panels *p, size_t panel, lab_device device) {
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (has_model(row) && row->rung->device == device && panel_of(p, row) == &p->x[panel]) return true;
    }
    return false;
}

/* A ceiling's line within a panel, and how many points would be in the way of words along its ends. */
typedef struct slope {
    double x1, y1, x2, y2;
    size_t at_left, at_right;
} slope;

static void see_points(slope *s, const lab_table *t, const panels *p, size_t panel, const svg_scale *y) {
    for (size_t i = 0; i < t->row_count; i++) {
        if (!has_model(&t->rows[i]) || panel_of(p, &t->rows[i]) != &p->x[panel]) continue;
        double px = svg_at(&p->x[panel], yield_of(&t->rows[i])), py = svg_at(y, lab_edges_per_second(&t->rows[i]));
        double above = s->y1 + (s->y2 - s->y1) * (px - s->x1) / (s->x2 - s->x1) - py;
        if (above > -10 && above < 28) (*(px > (s->x1 + s->x2) / 2 ? &s->at_right : &s->at_left))++;
    }
}

/* The part of a ceiling that lies in a panel, with its name along it in the large one. */
static void roof(FILE *to, const lab_table *t, const panels *p, size_t panel, const svg_scale *y, double gbs,
                 bool gpu) {
    const svg_scale *x = &p->x[panel];
    double from = x->low, until = x->high, rate = gbs * 1e9;
    char speed[32];
    if (!(gbs > 0)) return;
    if (rate * from < y->low) from = y->low / rate;
    if (rate * until > y->high) until = y->high / rate;
    if (until <= from) return;
    slope s = {svg_at(x, from), svg_at(y, rate * from), svg_at(x, until), svg_at(y, rate * until), 0, 0};
    svg_line(to, s.x1, s.y1, s.x2, s.y2, gpu ? "roof gpu-line" : "roof cpu-line");
    if (panel != p->large) return;
    see_points(&s, t, p, panel, y);
    bool left = s.at_left < s.at_right;
    double rise = (s.y1 - s.y2) / (s.x2 - s.x1);
    unit_gbs(speed, gbs);
    fprintf(to,
            "<text class=\"tick halo\" text-anchor=\"%s\" transform=\"translate(%.1f %.1f) rotate(%.1f)\">%s memory: "
            "%s GB/s</text>\n",
            left ? "start" : "end", left ? s.x1 + 8 : s.x2 - 8, left ? s.y1 - 8 * rise - 6 : s.y2 + 8 * rise - 6,
            -atan(rise) * 57.29578, gpu ? "GPU" : "CPU", speed);
}

static void frame(FILE *to, const panels *p, const svg_scale *y, double bottom, double right) {
    for (size_t k = 0; k < p->count; k++) svg_ticks_x(to, &p->x[k], TOP, bottom, unit_yield);
    svg_text(to, (LEFT + right) / 2, bottom + 40, "middle", "axis", "bytes moved for each edge, fewer to the right");
    if (p->count == 2)
        for (int k = 0; k < 2; k++) { /* the break, on the line below */
            double at = p->x[0].to + BREAK / 2.0 - 3 + 6 * k;
            svg_line(to, at - 3, bottom + 7, at + 3, bottom - 7, "spread");
        }
    svg_axis_y(to, y, LEFT, right, unit_count, "edges/s");
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
        unit_yield(bytes, yield_of(row));
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
static void points(FILE *to, const lab_table *t, svg_label *labels, const panels *p, const svg_scale *y, double left,
                   double bottom) {
    size_t count = 0;
    char title[160], share[32];
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!has_model(row)) continue;
        svg_label *label = &labels[count++];
        *label = (svg_label){.x = svg_at(panel_of(p, row), yield_of(row)),
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
                 row->rung->device == LAB_CUDA ? "dot gpu" : "dot cpu", svg_at(panel_of(p, row), yield_of(row)),
                 svg_at(y, lab_edges_per_second(row)), 5, row->ceiling_gbs > 0 ? title : row->rung->name);
    }
}

void chart_roofline(FILE *to, const lab_table *t, const weft_machine *m) {
    svg_range up = {0};
    size_t count = 0;
    bool cpu = false, gpu = false;
    char id[96];
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!has_model(row)) continue;
        svg_see(&up, lab_edges_per_second(row));
        svg_see(&up, row->ceiling_gbs * 1e9 * yield_of(row));
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
    panels p = make_panels(t, right);
    svg_scale y = svg_log_scale(up, bottom, TOP);
    svg_begin(
        to, chart_id(id, t, "roofline"), bottom + 44, "Roofline",
        "Each rung by the bytes it must move for an edge (across, fewer to the right) and by the edges it handles "
        "in a second (up), both logarithmic; circles are on the CPU, diamonds on the GPU. The slanted lines are "
        "what the measured speeds of the memories allow. The table below has the numbers.");
    frame(to, &p, &y, bottom, right);
    legend(to, cpu, gpu, right);
    for (size_t k = 0; k < p.count; k++) {
        if (any_in(t, &p, k, LAB_CPU)) roof(to, t, &p, k, &y, m->read_gbs, false);
        if (any_in(t, &p, k, LAB_CUDA)) roof(to, t, &p, k, &y, m->gpu_read_gbs, true);
    }
    points(to, t, labels, &p, &y, left, bottom);
    svg_end(to);
    free(labels);
    fputs("<figcaption>Roofline: a rung cannot be above the slanted line of its memory, unless it finds its bytes in a "
          "cache: then it has more than 100 % of the ceiling. What is far below waits for single reads, for barriers "
          "or for launches, not for bandwidth.</figcaption>\n",
          to);
    numbers(to, t);
}
