/* Charts of one table: time of each rung, where it goes, the roofline, the degrees of the input. */
#include "charts.h"

#include "svg.h"

#include <math.h>
#include <string.h>

const char *const chart_part_names[LAB_PARTS] = {"allocate", "copy in", "kernels", "copy out", "free", "host"};

static bool measured(const lab_row *row) { return row->status == LAB_VERIFIED; }

static size_t measured_rows(const lab_table *t) {
    size_t count = 0;
    for (size_t i = 0; i < t->row_count; i++) count += measured(&t->rows[i]);
    return count;
}

/* The id of a chart in the page. */
static const char *id_of(char room[96], const lab_table *t, const char *chart) {
    snprintf(room, 96, "%s-%s", t->ladder->name, chart);
    return room;
}

static void table_begin(FILE *to, const char *caption, const char *const *head) {
    fputs("<details open><summary>the numbers</summary><div class=\"wide\"><table><caption>", to);
    html_text(to, caption);
    fputs("</caption><thead><tr>", to);
    for (; *head; head++) fprintf(to, "<th scope=\"col\">%s</th>", *head);
    fputs("</tr></thead><tbody>\n", to);
}

static void table_end(FILE *to) { fputs("</tbody></table></div></details></figure>\n", to); }

static void cell_ms(FILE *to, double ms) {
    char room[32];
    unit_ms(room, ms);
    fprintf(to, "<td>%s</td>", room);
}

/* --- time of each rung ----------------------------------------------------------------------------------------------- */

void chart_times(FILE *to, const lab_table *t) {
    static const char *const head[] = {"rung", "median", "fastest", "slowest", NULL};
    enum { TOP = 10, LINE = 44, LEFT = 28, RIGHT = SVG_WIDTH - 84 };
    size_t count = measured_rows(t), line = 0;
    svg_range seen = {0};
    char id[96], room[32];
    if (!count) return;
    for (size_t i = 0; i < t->row_count; i++)
        if (measured(&t->rows[i])) {
            svg_see(&seen, t->rows[i].min_ms);
            svg_see(&seen, t->rows[i].max_ms);
        }
    svg_scale x = svg_log_scale(seen, LEFT, RIGHT);
    double bottom = TOP + LINE * (double)count + 4;
    svg_begin(to, id_of(id, t, "times"), bottom + 44, "Time of each rung",
              "One bar a rung, bottom of the ladder first, on a logarithmic axis; the thin line is from the fastest to "
              "the slowest "
              "run. The table below has the numbers.");
    svg_axis_x(to, &x, TOP, bottom, unit_ms, "time of a whole run, logarithmic");
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!measured(row)) continue;
        double y = TOP + LINE * (double)line++ + 15, end = svg_at(&x, row->median_ms);
        const char *color = row->rung->device == LAB_CUDA ? "gpu" : "cpu";
        unit_ms(room, row->median_ms);
        svg_text(to, LEFT + 2, y, "start", "label", "%zu %s", row->number, row->rung->name);
        fprintf(to,
                "<rect class=\"bar %s\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"10\" rx=\"2\"><title>%s: "
                "%s</title></rect>\n",
                color, LEFT, y + 8, end - LEFT > 1 ? end - LEFT : 1, row->rung->name, room);
        svg_line(to, svg_at(&x, row->min_ms), y + 13, svg_at(&x, row->max_ms), y + 13, "spread");
        double after = svg_at(&x, row->max_ms);
        svg_text(to, (after > end ? after : end) + 6, y + 19, "start", "value", "%s", room);
    }
    svg_end(to);
    fputs("<figcaption>Time of each rung: median, and from fastest to slowest.</figcaption>\n", to);
    table_begin(to, "Time of a whole run", head);
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!measured(row)) continue;
        fprintf(to, "<tr><th scope=\"row\">%zu %s</th>", row->number, row->rung->name);
        cell_ms(to, row->median_ms);
        cell_ms(to, row->min_ms);
        cell_ms(to, row->max_ms);
        fputs("</tr>\n", to);
    }
    table_end(to);
}

/* --- where the time goes ----------------------------------------------------------------------------------------------- */

void chart_parts(FILE *to, const lab_table *t) {
    static const char *const head[] = {"rung", "allocate", "copy in", "kernels", "copy out", "free", "host", NULL};
    enum { TOP = 34, LINE = 44, LEFT = 8, WIDTH = SVG_WIDTH - 16 };
    size_t count = measured_rows(t), line = 0;
    char id[96], room[32];
    if (!count) return;
    svg_begin(
        to, id_of(id, t, "parts"), TOP + LINE * (double)count + 6, "Where the time of each rung goes",
        "One bar a rung, cut into allocate, copy in, kernels, copy out, free and host, as shares of the whole run. The "
        "table below has "
        "the numbers.");
    for (size_t p = 0; p < LAB_PARTS; p++) {
        double x = LEFT + 97.0 * (double)p;
        fprintf(to, "<rect class=\"part%zu\" x=\"%.0f\" y=\"6\" width=\"12\" height=\"12\" rx=\"2\"/>\n", p, x);
        svg_text(to, x + 17, 17, "start", "tick", "%s", chart_part_names[p]);
    }
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!measured(row)) continue;
        double y = TOP + LINE * (double)line++ + 13, x = LEFT, all = 0;
        for (size_t p = 0; p < LAB_PARTS; p++) all += row->part_ms[p];
        svg_text(to, LEFT + 2, y, "start", "label", "%zu %s", row->number, row->rung->name);
        for (size_t p = 0; p < LAB_PARTS && all > 0; p++) {
            double width = WIDTH * row->part_ms[p] / all;
            unit_ms(room, row->part_ms[p]);
            if (width > 0)
                fprintf(to,
                        "<rect class=\"part%zu\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"12\"><title>%s, %s: "
                        "%s</title></rect>\n",
                        p, x, y + 6, width, row->rung->name, chart_part_names[p], room);
            x += width;
        }
    }
    svg_end(to);
    fputs("<figcaption>Where the time goes: shares of a whole run. Host: launching, waiting and bookkeeping beside the "
          "GPU’s "
          "kernels; in the library’s rung also copies too small to be timed apart.</figcaption>\n",
          to);
    table_begin(to, "Medians of the parts", head);
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!measured(row)) continue;
        fprintf(to, "<tr><th scope=\"row\">%zu %s</th>", row->number, row->rung->name);
        for (size_t p = 0; p < LAB_PARTS; p++) cell_ms(to, row->part_ms[p]);
        fputs("</tr>\n", to);
    }
    table_end(to);
}

/* --- the roofline ----------------------------------------------------------------------------------------------------- */

static bool has_model(const lab_row *row) { return measured(row) && row->bytes > 0 && row->edges > 0; }

static void roof(FILE *to, const svg_scale *x, const svg_scale *y, double gbs, const char *style, const char *name) {
    double from = x->low, to_x = x->high;
    if (!(gbs > 0)) return;
    if (gbs * 1e9 * from < y->low) from = y->low / (gbs * 1e9);
    if (gbs * 1e9 * to_x > y->high) to_x = y->high / (gbs * 1e9);
    if (to_x <= from) return;
    char speed[32];
    unit_gbs(speed, gbs);
    svg_line(to, svg_at(x, from), svg_at(y, gbs * 1e9 * from), svg_at(x, to_x), svg_at(y, gbs * 1e9 * to_x), style);
    svg_text(to, svg_at(x, to_x) - 4, svg_at(y, gbs * 1e9 * to_x) - 6, "end", "tick", "%s %s GB/s", name, speed);
}

void chart_roofline(FILE *to, const lab_table *t, const weft_machine *m) {
    static const char *const head[] = {"rung", "edges a byte", "edges/s", "GB/s", "of the ceiling", NULL};
    enum { TOP = 38, BOTTOM = 330, LEFT = 74, RIGHT = SVG_WIDTH - 14 };
    svg_range across = {0}, up = {0};
    char id[96], room[32], gbs[32];
    bool gpu = false;
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!has_model(row)) continue;
        svg_see(&across, row->edges / row->bytes);
        svg_see(&up, lab_edges_per_second(row));
        svg_see(&up, row->ceiling_gbs * 1e9 * row->edges / row->bytes);
        gpu = gpu || row->rung->device == LAB_CUDA;
    }
    if (!across.any) return;
    svg_scale x = svg_log_scale(across, LEFT, RIGHT), y = svg_log_scale(up, BOTTOM, TOP);
    svg_begin(to, id_of(id, t, "roofline"), BOTTOM + 44, "Roofline",
              "Each rung by the edges it handles for each byte it must move (across) and by the edges it handles in a "
              "second (up). The "
              "slanted line is what the memory's measured speed allows. The table below has the numbers.");
    svg_axis_x(to, &x, TOP, BOTTOM, unit_plain, "edges for each byte moved, by the rung's model");
    svg_axis_y(to, &y, LEFT, RIGHT, unit_count, "edges/s");
    roof(to, &x, &y, m->read_gbs, "roof cpu-line", "CPU");
    if (gpu) roof(to, &x, &y, m->gpu_read_gbs, "roof gpu-line", "GPU");
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!has_model(row)) continue;
        double px = svg_at(&x, row->edges / row->bytes), py = svg_at(&y, lab_edges_per_second(row));
        fprintf(to, "<circle class=\"dot %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"9\"><title>%s</title></circle>\n",
                row->rung->device == LAB_CUDA ? "gpu" : "cpu", px, py, row->rung->name);
        svg_text(to, px, py + 4, "middle", "inside", "%zu", row->number);
    }
    svg_end(to);
    fputs("<figcaption>Roofline: what is far below the line waits for single reads, not for bandwidth. A point above "
          "the line "
          "found its bytes in a cache.</figcaption>\n",
          to);
    table_begin(to, "Rates, by the kernels' time", head);
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!has_model(row)) continue;
        unit_count(room, lab_edges_per_second(row));
        unit_gbs(gbs, lab_gbs(row));
        fprintf(to, "<tr><th scope=\"row\">%zu %s</th><td>%.3g</td><td>%s</td><td>%s</td>", row->number,
                row->rung->name, row->edges / row->bytes, room, gbs);
        if (row->ceiling_gbs > 0)
            fprintf(to, "<td>%.0f %%</td></tr>\n", 100 * lab_gbs(row) / row->ceiling_gbs);
        else
            fputs("<td>not measured</td></tr>\n", to);
    }
    table_end(to);
}

/* --- degrees ------------------------------------------------------------------------------------------------------------ */

void chart_degrees(FILE *to, const lab_page *page) {
    static const char *const head[] = {"out-degree", "vertices", NULL};
    enum { TOP = 38, BOTTOM = 290, LEFT = 74, RIGHT = SVG_WIDTH - 14 };
    const lab_table *t = &page->table;
    svg_range across = {0}, up = {0};
    char id[96];
    for (size_t i = 0; i < page->degree_count; i++) {
        svg_see(&across, (double)page->degree[i]);
        if (page->degree[i]) svg_see(&up, (double)page->of_degree[i]);
    }
    if (!across.any) return;
    svg_scale x = svg_log_scale(across, LEFT, RIGHT), y = svg_log_scale(up, BOTTOM, TOP);
    svg_begin(to, id_of(id, t, "degrees"), BOTTOM + 44, "Degrees of the input",
              "How many vertices have how many outgoing arcs, both axes logarithmic. A line that falls straight is a "
              "graph with hubs; "
              "a hill is a graph without. The table below sums it up.");
    svg_axis_x(to, &x, TOP, BOTTOM, unit_count, "outgoing arcs of a vertex");
    svg_axis_y(to, &y, LEFT, RIGHT, unit_count, "vertices");
    for (size_t i = 0; i < page->degree_count; i++)
        if (page->degree[i])
            fprintf(to, "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n",
                    svg_at(&x, (double)page->degree[i]), svg_at(&y, (double)page->of_degree[i]));
    svg_end(to);
    fputs("<figcaption>Degrees of the input.</figcaption>\n", to);
    table_begin(to, "Vertices by out-degree, in powers of two", head);
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
    table_end(to);
}
