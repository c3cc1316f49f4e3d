/* Kernels by the number of threads per block, with the occupancy that was computed for each. */
#include "charts.h"

#include "svg.h"

static void numbers(FILE *to, const lab_table *t, const lab_row *first) {
    char room[32], share[32];
    chart_table_open(to, "Median time of the kernels; below it, the computed occupancy");
    chart_table_column(to, "rung");
    for (size_t b = 0; b < first->block_count; b++) chart_table_column(to, "%d threads", first->blocks[b].threads);
    chart_table_rows(to);
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!row->block_count) continue;
        fprintf(to, "<tr><th scope=\"row\">%zu %s</th>", row->number, row->rung->name);
        for (size_t b = 0; b < row->block_count; b++) {
            const lab_block *block = &row->blocks[b];
            unit_ms(room, block->kernels_ms);
            unit_share(share, block->occupancy);
            fprintf(to, "<td>%s<br><span class=\"said\">%s", room, share);
            if (block->impatient) fprintf(to, ", only %zu run%s", block->runs, block->runs == 1 ? "" : "s");
            fputs("</span></td>", to);
        }
        fputs("</tr>\n", to);
    }
    chart_table_end(to);
}

static void draw(FILE *to, const lab_row *row, const char *color, const svg_scale *x, const svg_scale *y) {
    char room[32], share[32], class[16], title[160];
    fprintf(to, "<polyline class=\"series %s\" points=\"", color);
    for (size_t b = 0; b < row->block_count; b++)
        fprintf(to, "%.1f,%.1f ", svg_at(x, row->blocks[b].threads), svg_at(y, row->blocks[b].kernels_ms));
    fputs("\"/>\n", to);
    snprintf(class, sizeof class, "mark %s", color);
    for (size_t b = 0; b < row->block_count; b++) {
        const lab_block *block = &row->blocks[b];
        unit_ms(room, block->kernels_ms);
        unit_share(share, block->occupancy);
        snprintf(title, sizeof title, "%.64s, %d threads: %s, occupancy %s", row->rung->name, block->threads, room,
                 share);
        svg_mark(to, SVG_DIAMOND, class, svg_at(x, block->threads), svg_at(y, block->kernels_ms),
                 1.5 + 4 * block->occupancy, title);
    }
}

/* Ticks are the sizes that were run: other numbers of threads mean nothing. */
static void axis_of_blocks(FILE *to, const lab_row *row, const svg_scale *x, double top, double bottom) {
    for (size_t b = 0; b < row->block_count; b++) {
        double at = svg_at(x, row->blocks[b].threads);
        svg_line(to, at, top, at, bottom, "grid");
        svg_text(to, at, bottom + 18, "middle", "tick", "%d", row->blocks[b].threads);
    }
    svg_text(to, (x->from + x->to) / 2, bottom + 40, "middle", "axis", "threads per block");
}

void chart_blocks(FILE *to, const lab_table *t) {
    enum { TOP = 38, LEFT = 74 };
    svg_range across = {0}, up = {0};
    const lab_row *first = NULL;
    svg_label labels[CHART_MOST_LABELS];
    size_t lines = 0;
    char id[96];
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!first && row->block_count) first = row;
        for (size_t b = 0; b < row->block_count; b++) {
            svg_see(&across, row->blocks[b].threads);
            svg_see(&up, row->blocks[b].kernels_ms);
        }
        lines += row->block_count > 0 && lines < CHART_MOST_LABELS;
    }
    if (!first || !across.any || !up.any) return;
    double height = svg_label_height(lines), bottom = TOP + (height > 292 ? height : 292);
    double left = SVG_WIDTH - chart_name_room(t) + 8, right = left - SVG_GUTTER;
    svg_scale x = svg_log_scale(across, LEFT, right), y = svg_log_scale(up, bottom, TOP);
    svg_begin(to, chart_id(id, t, "blocks"), bottom + 44, "Time against the number of threads per block",
              "One line per rung on the GPU: the median time of its kernels with so many threads per block, both axes "
              "logarithmic; "
              "the larger a point, the higher its computed occupancy. The table below has the numbers.");
    axis_of_blocks(to, first, &x, TOP, bottom);
    svg_axis_y(to, &y, LEFT, right, unit_ms, "kernels");
    lines = 0;
    for (size_t i = 0; i < t->row_count && lines < CHART_MOST_LABELS; i++) {
        const lab_row *row = &t->rows[i];
        if (!row->block_count) continue;
        const lab_block *last = &row->blocks[row->block_count - 1];
        svg_label *label = &labels[lines];
        *label = (svg_label){
            .x = svg_at(&x, last->threads), .y = svg_at(&y, last->kernels_ms), .style = chart_color(lines++)};
        chart_label(label->text, row->number, row->rung);
        draw(to, row, label->style, &x, &y);
    }
    svg_labels(to, labels, lines, left, TOP, bottom);
    svg_end(to);
    fputs("<figcaption>Threads per block: time of the kernels, and computed occupancy as the size of a point. Full "
          "occupancy is not speed: it says how many threads may wait at once, not what they wait for.</figcaption>\n",
          to);
    numbers(to, t, first);
}
