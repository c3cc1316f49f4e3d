/* Amdahl against size: the measured speed-up of the GPU, what its kernels alone would give, and what copying allows. */
#include "charts.h"

#include "svg.h"

bool chart_amdahl_of(const lab_table *t, chart_side gpu_side, chart_amdahl_point *point) {
    const lab_row *cpu = chart_best(t, CHART_CPU), *gpu = chart_best(t, gpu_side);
    if (!cpu || !gpu || !(gpu->median_ms > 0) || !(lab_kernels_ms(gpu) > 0)) return false;
    double rest_ms = gpu->median_ms - lab_kernels_ms(gpu);
    *point = (chart_amdahl_point){.cpu = cpu,
                                  .gpu = gpu,
                                  .speedup = cpu->median_ms / gpu->median_ms,
                                  .kernels = cpu->median_ms / lab_kernels_ms(gpu),
                                  .rest = rest_ms > 0 ? rest_ms / cpu->median_ms : 0};
    point->limit = point->rest > 0 ? 1 / point->rest : 0;
    return true;
}

enum { LINES = 3 };
static const char *const names[LINES] = {"measured", "kernels alone", "limit"};

static double value_of(const chart_amdahl_point *p, size_t line) {
    return line == 0 ? p->speedup : line == 1 ? p->kernels : p->limit;
}

static void name(FILE *to, const lab_row *row) {
    char room[32];
    unit_ms(room, row->median_ms);
    fprintf(to, "<td>%s<br><span class=\"said\">%s", room, row->rung->name);
    if (row->impatient) fprintf(to, ", only %zu run%s", row->runs, row->runs == 1 ? "" : "s");
    fputs("</span></td>", to);
}

static void numbers(FILE *to, const lab_page *pages, size_t count, chart_side side) {
    static const char *const head[] = {"vertices",      "CPU",   "GPU",         "not kernels", "speed-up",
                                       "kernels alone", "limit", "of the roof", NULL};
    char room[32];
    chart_table_begin(to, "The best rung on the GPU against the best on the CPU, whole runs", head);
    for (size_t i = 0; i < count; i++) {
        chart_amdahl_point p;
        if (!pages[i].sized || !chart_amdahl_of(&pages[i].table, side, &p)) continue;
        fprintf(to, "<tr><th scope=\"row\">%llu</th>", (unsigned long long)pages[i].table.info.vertices);
        name(to, p.cpu);
        name(to, p.gpu);
        unit_share(room, 1 - lab_kernels_ms(p.gpu) / p.gpu->median_ms);
        fprintf(to, "<td>%s</td>", room);
        for (size_t line = 0; line < LINES; line++) {
            unit_times(room, value_of(&p, line));
            fprintf(to, "<td>%s</td>", value_of(&p, line) > 0 ? room : "none");
        }
        if (p.gpu->bytes > 0 && p.gpu->ceiling_gbs > 0)
            unit_share(room, lab_gbs(p.gpu) / p.gpu->ceiling_gbs);
        else
            snprintf(room, sizeof room, "not known");
        fprintf(to, "<td>%s</td></tr>\n", room);
    }
    chart_table_end(to);
}

static void draw_line(FILE *to, const lab_page *pages, size_t count, chart_side side, size_t line, const svg_scale *x,
                      const svg_scale *y) {
    for (int marks = 0; marks < 2; marks++) {
        if (!marks) fprintf(to, "<polyline class=\"series s%zu%s\" points=\"", line, line == 2 ? " dashed" : "");
        for (size_t i = 0; i < count; i++) {
            chart_amdahl_point p;
            if (!pages[i].sized || !chart_amdahl_of(&pages[i].table, side, &p) || !(value_of(&p, line) > 0)) continue;
            double px = svg_at(x, (double)pages[i].table.info.vertices), py = svg_at(y, value_of(&p, line));
            if (marks)
                fprintf(
                    to,
                    "<circle class=\"mark s%zu\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>%s: %.3g</title></circle>\n",
                    line, px, py, names[line], value_of(&p, line));
            else
                fprintf(to, "%.1f,%.1f ", px, py);
        }
        if (!marks) fputs("\"/>\n", to);
    }
}

static void draw_side(FILE *to, const lab_page *pages, size_t count, chart_side side) {
    enum { TOP = 38, BOTTOM = 290, LEFT = 74, RIGHT = SVG_WIDTH - 14 };
    svg_range across = {0}, up = {0};
    char id[96];
    for (size_t i = 0; i < count; i++) {
        chart_amdahl_point p;
        if (!pages[i].sized || !chart_amdahl_of(&pages[i].table, side, &p)) continue;
        svg_see(&across, (double)pages[i].table.info.vertices);
        for (size_t line = 0; line < LINES; line++) svg_see(&up, value_of(&p, line));
    }
    if (!across.any || !up.any) return;
    svg_scale x = svg_log_scale(across, LEFT, RIGHT), y = svg_log_scale(up, BOTTOM, TOP);
    svg_begin(
        to, chart_id(id, &pages[0].table, side == CHART_BROUGHT ? "amdahl-brought" : "amdahl"), BOTTOM + 74,
        "Amdahl: speed-up against size",
        "Three lines against the number of vertices, both axes logarithmic: how many times faster the best rung on the "
        "GPU is than the best on the CPU, how many times its kernels alone are, and the most that copying, "
        "allocating and launching allow. The table below has the numbers.");
    svg_axis_x(to, &x, TOP, BOTTOM, unit_count, "vertices");
    svg_axis_y(to, &y, LEFT, RIGHT, unit_times, "speed-up");
    for (size_t line = 0; line < LINES; line++) {
        double at = 30 + 188 * (double)line, below = BOTTOM + 56;
        draw_line(to, pages, count, side, line, &x, &y);
        fprintf(to, "<line class=\"series s%zu%s\" x1=\"%.0f\" y1=\"%.0f\" x2=\"%.0f\" y2=\"%.0f\"/>\n", line,
                line == 2 ? " dashed" : "", at, below, at + 18, below);
        svg_text(to, at + 23, below + 4, "start", "tick", "%s", names[line]);
    }
    svg_end(to);
    fputs("<figcaption>Amdahl, ", to);
    html_put(to, "%s: %s", chart_side_words(side),
             side == CHART_BROUGHT ? "what the GPU spends on allocating, copying, launching and freeing bounds the "
                                     "speed-up, however fast its kernels are. All rungs on the GPU but the library's."
                                   : "the library's rung, which keeps the graph on the GPU between runs and spends the "
                                     "rest on launching, waiting and the answer's way back.");
    fputs("</figcaption>\n", to);
    numbers(to, pages, count, side);
}

void chart_amdahl(FILE *to, const lab_page *pages, size_t count) {
    draw_side(to, pages, count, CHART_BROUGHT);
    draw_side(to, pages, count, CHART_THERE);
}
