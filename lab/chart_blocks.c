/* Kernels by the number of threads in a block, with the occupancy that was computed for each. */
#include "charts.h"

#include "svg.h"

static void numbers(FILE *to, const lab_table *t, const lab_row *first) {
    char room[32];
    fputs("<details open><summary>the numbers</summary><div class=\"wide\"><table><caption>Median time of the kernels; "
          "below "
          "it, the computed occupancy</caption><thead><tr><th scope=\"col\">rung</th>",
          to);
    for (size_t b = 0; b < first->block_count; b++)
        fprintf(to, "<th scope=\"col\">%d threads</th>", first->blocks[b].threads);
    fputs("</tr></thead><tbody>\n", to);
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!row->block_count) continue;
        fprintf(to, "<tr><th scope=\"row\">%zu %s</th>", row->number, row->rung->name);
        for (size_t b = 0; b < row->block_count; b++) {
            unit_ms(room, row->blocks[b].kernels_ms);
            fprintf(to, "<td>%s<br><span class=\"said\">%.0f %%</span></td>", room, 100 * row->blocks[b].occupancy);
        }
        fputs("</tr>\n", to);
    }
    fputs("</tbody></table></div></details></figure>\n", to);
}

static void draw(FILE *to, const lab_row *row, size_t color, const svg_scale *x, const svg_scale *y) {
    char room[32];
    fprintf(to, "<polyline class=\"series s%zu\" points=\"", color % 8);
    for (size_t b = 0; b < row->block_count; b++)
        fprintf(to, "%.1f,%.1f ", svg_at(x, row->blocks[b].threads), svg_at(y, row->blocks[b].kernels_ms));
    fputs("\"/>\n", to);
    for (size_t b = 0; b < row->block_count; b++) {
        double px = svg_at(x, row->blocks[b].threads), py = svg_at(y, row->blocks[b].kernels_ms);
        unit_ms(room, row->blocks[b].kernels_ms);
        fprintf(
            to,
            "<circle class=\"mark s%zu\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"><title>%s, %d threads: %s, occupancy %.0f "
            "%%</title></circle>\n",
            color % 8, px, py, 2 + 5 * row->blocks[b].occupancy, row->rung->name, row->blocks[b].threads, room,
            100 * row->blocks[b].occupancy);
    }
    svg_text(to, svg_at(x, row->blocks[row->block_count - 1].threads) + 12,
             svg_at(y, row->blocks[row->block_count - 1].kernels_ms) + 4, "start", "tick", "%zu", row->number);
}

void chart_blocks(FILE *to, const lab_table *t) {
    enum { TOP = 38, BOTTOM = 330, LEFT = 74, RIGHT = SVG_WIDTH - 40 };
    svg_range across = {0}, up = {0};
    const lab_row *first = NULL;
    char id[96];
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!first && row->block_count) first = row;
        for (size_t b = 0; b < row->block_count; b++) {
            svg_see(&across, row->blocks[b].threads);
            svg_see(&up, row->blocks[b].kernels_ms);
        }
    }
    if (!first || !across.any || !up.any) return;
    svg_scale x = svg_log_scale(across, LEFT, RIGHT), y = svg_log_scale(up, BOTTOM, TOP);
    snprintf(id, sizeof id, "%s-blocks", t->ladder->name);
    svg_begin(to, id, BOTTOM + 44, "Time against the number of threads in a block",
              "A line a rung on the GPU: the median time of its kernels with so many threads in a block, both axes "
              "logarithmic; "
              "the larger a point, the higher its computed occupancy. The table below has the numbers.");
    svg_axis_x(to, &x, TOP, BOTTOM, unit_count, "threads in a block");
    svg_axis_y(to, &y, LEFT, RIGHT, unit_ms, "kernels");
    for (size_t i = 0; i < t->row_count; i++)
        if (t->rows[i].block_count) draw(to, &t->rows[i], t->rows[i].number - 1, &x, &y);
    svg_end(to);
    fputs("<figcaption>Threads in a block: time of the kernels, and computed occupancy as the size of a point. Full "
          "occupancy is not speed: it says how many threads may wait at once, not what they wait for.</figcaption>\n",
          to);
    numbers(to, t, first);
}
