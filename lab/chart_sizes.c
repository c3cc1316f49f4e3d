/* Time against size: a line a rung, both axes logarithmic, with the break-evens of CPU and GPU marked. */
#include "charts.h"

#include "svg.h"

#include <string.h>

static double time_of(const lab_table *t, const lab_rung *rung) {
    const lab_row *row = chart_row_of(t, rung);
    return row && row->status == LAB_VERIFIED ? row->median_ms : 0;
}

/* --- the lines ----------------------------------------------------------------------------------------------------------- */

static bool by_hand(const lab_rung *rung) { return strncmp(rung->name, "engine", 6) != 0; }

static bool drawn_at_all(const lab_page *pages, size_t count, const lab_rung *rung) {
    for (size_t i = 0; i < count; i++)
        if (pages[i].sized && time_of(&pages[i].table, rung) > 0) return true;
    return false;
}

static bool has_figure(const lab_page *pages, size_t count, const lab_rung *rung) {
    for (size_t i = 0; i < count; i++) {
        const lab_row *row = chart_row_of(&pages[i].table, rung);
        if (pages[i].sized && row && row->said) return true;
    }
    return false;
}

/* The fastest rung of a device that is not the library, at the largest size that any of them was measured at. */
static const lab_rung *best_by_hand(const lab_page *pages, size_t count, lab_device device) {
    const lab_row *best = NULL;
    uint64_t largest = 0;
    for (size_t i = 0; i < count; i++) {
        const lab_table *t = &pages[i].table;
        for (size_t k = 0; pages[i].sized && k < t->row_count; k++) {
            const lab_row *row = &t->rows[k];
            if (!chart_measured(row) || row->other_work || row->rung->device != device || !by_hand(row->rung)) continue;
            if (best && t->info.vertices < largest) continue;
            if (!best || t->info.vertices > largest || row->median_ms < best->median_ms) best = row;
            largest = t->info.vertices;
        }
    }
    return best ? best->rung : NULL;
}

/* The lines that tell the story: where it starts, the best by hand, the library, and what a document has figures for.  The others
 * are drawn in grey. */
static bool told(const lab_page *pages, size_t count, size_t k) {
    const lab_ladder *ladder = pages[0].table.ladder;
    const lab_rung *rung = ladder->rungs[k];
    bool first = true;
    if (!drawn_at_all(pages, count, rung)) return false;
    for (size_t i = 0; i < k; i++) first = first && !drawn_at_all(pages, count, ladder->rungs[i]);
    return first || !by_hand(rung) || has_figure(pages, count, rung) || rung == best_by_hand(pages, count, LAB_CPU) ||
           rung == best_by_hand(pages, count, LAB_CUDA);
}

/* Draws a rung's line, and says where it ends. */
static void draw_rung(FILE *to, const lab_page *pages, size_t count, const lab_rung *rung, const char *style,
                      const svg_scale *x, const svg_scale *y, svg_label *end) {
    bool gpu = rung->device == LAB_CUDA, grey = strcmp(style, "other") == 0;
    char class[32], title[96], room[32];
    fprintf(to, "<polyline class=\"series %s%s\" points=\"", style, gpu && !grey ? " dashed" : "");
    for (size_t i = 0; i < count; i++) {
        double ms = time_of(&pages[i].table, rung);
        if (!pages[i].sized || !(ms > 0)) continue;
        end->x = svg_at(x, (double)pages[i].table.info.vertices);
        end->y = svg_at(y, ms);
        fprintf(to, "%.1f,%.1f ", end->x, end->y);
    }
    fputs("\"/>\n", to);
    snprintf(class, sizeof class, "mark %.16s", style);
    for (size_t i = 0; i < count; i++) {
        double ms = time_of(&pages[i].table, rung);
        if (!pages[i].sized || !(ms > 0)) continue;
        unit_ms(room, ms);
        snprintf(title, sizeof title, "%.48s: %s", rung->name, room);
        svg_mark(to, gpu ? SVG_DIAMOND : SVG_CIRCLE, class, svg_at(x, (double)pages[i].table.info.vertices),
                 svg_at(y, ms), grey ? 2 : 3.5, title);
    }
}

/* Grey lines first, the others over them, their labels beside. */
static void draw_lines(FILE *to, const lab_page *pages, size_t count, const svg_scale *x, const svg_scale *y) {
    const lab_ladder *ladder = pages[0].table.ladder;
    svg_label labels[CHART_MOST_LABELS];
    size_t named = 0;
    for (size_t k = 0; k < ladder->rung_count; k++) {
        if (drawn_at_all(pages, count, ladder->rungs[k]) && !told(pages, count, k))
            draw_rung(to, pages, count, ladder->rungs[k], "other", x, y, &labels[0]);
    }
    for (size_t k = 0; k < ladder->rung_count && named < CHART_MOST_LABELS; k++) {
        if (!told(pages, count, k)) continue;
        svg_label *label = &labels[named];
        label->style = chart_color(named++);
        draw_rung(to, pages, count, ladder->rungs[k], label->style, x, y, label);
        chart_label(label->text, k + 1, ladder->rungs[k]);
    }
    svg_labels(to, labels, named, x->to + SVG_GUTTER, y->to, y->from);
}

static void legend(FILE *to, bool cpu, bool gpu, bool grey, double top) {
    double x = 74;
    if (cpu) {
        svg_line(to, x, top, x + 28, top, "key-line");
        svg_mark(to, SVG_CIRCLE, "key", x + 14, top, 3.5, "CPU");
        svg_text(to, x + 34, top + 4, "start", "tick", "CPU");
        x += 100;
    }
    if (gpu) {
        svg_line(to, x, top, x + 28, top, "key-line dashed");
        svg_mark(to, SVG_DIAMOND, "key", x + 14, top, 3.5, "GPU");
        svg_text(to, x + 34, top + 4, "start", "tick", "GPU");
        x += 100;
    }
    if (!grey) return;
    svg_line(to, x, top, x + 28, top, "series other");
    svg_text(to, x + 34, top + 4, "start", "tick", "other rungs: in the table");
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
    enum { TOP = 38, LEFT = 74 };
    const lab_ladder *ladder = pages[0].table.ladder;
    svg_range across = {0}, up = {0};
    size_t lines = 0, letters = 0, grey = 0;
    bool on[2] = {false, false};
    char id[96];
    for (size_t i = 0; i < count; i++) {
        if (!pages[i].sized) continue;
        svg_see(&across, (double)pages[i].table.info.vertices);
        for (size_t k = 0; k < ladder->rung_count; k++) svg_see(&up, time_of(&pages[i].table, ladder->rungs[k]));
    }
    if (!across.any || !up.any) return;
    for (size_t k = 0; k < ladder->rung_count; k++) {
        if (!drawn_at_all(pages, count, ladder->rungs[k])) continue;
        on[ladder->rungs[k]->device == LAB_CUDA] = true;
        if (!told(pages, count, k)) {
            grey++;
            continue;
        }
        lines++;
        if (strlen(ladder->rungs[k]->name) > letters) letters = strlen(ladder->rungs[k]->name);
    }
    double height = svg_label_height(lines), bottom = TOP + (height > 322 ? height : 322);
    double right = SVG_WIDTH - svg_label_room(letters + 3) - SVG_GUTTER;
    svg_scale x = svg_log_scale(across, LEFT, right), y = svg_log_scale(up, bottom, TOP);
    svg_begin(
        to, chart_id(id, &pages[0].table, "sizes"), bottom + 76, "Time against size",
        "One line per rung: the median time of a run for each number of vertices, both axes logarithmic; rungs on the "
        "GPU are dashed. Named are the first rung, the best ones, the library's and those that a document has "
        "figures for. The table below has the numbers.");
    svg_axis_x(to, &x, TOP, bottom, unit_count, "vertices");
    svg_axis_y(to, &y, LEFT, right, unit_ms, "time");
    draw_lines(to, pages, count, &x, &y);
    mark_evens(to, pages, count, &x, TOP, bottom);
    legend(to, on[0], on[1], grey > 0, bottom + 64);
    svg_end(to);
    fputs("<figcaption>Time against size.", to);
    even_caption(to, pages, count, CHART_BROUGHT);
    even_caption(to, pages, count, CHART_THERE);
    fputs("</figcaption>\n", to);
    chart_sizes_table(to, pages, count);
}
