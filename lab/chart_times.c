/* The race: a bar a rung, from the bottom of the ladder up, and a grey row for each rung that has no time. */
#include "charts.h"

#include "svg.h"

#include <string.h>

enum { TOP = 34, RIGHT = SVG_WIDTH - 84 };

/* Neighbours that were left out for the same reason share a row from three on, such as all rungs on a GPU that is not there. */
static size_t rows_alike(const lab_table *t, size_t i) {
    size_t count = 1;
    while (i + count < t->row_count && t->rows[i + count].status == t->rows[i].status &&
           strcmp(t->rows[i + count].message, t->rows[i].message) == 0)
        count++;
    return count >= 3 && !chart_measured(&t->rows[i]) ? count : 1;
}

/* The heart of a reason, for a row of the chart: without what stands in brackets at its end, where that is too long without what
 * stands before its last colon, and then cut between words.  The table has all of it. */
static void shorten(char room[64], const char *text, size_t letters) {
    const char *colon = NULL, *bracket = strrchr(text, '(');
    size_t length = strlen(text);
    if (bracket && bracket > text && text[length - 1] == ')') length = (size_t)(bracket - text) - 1;
    for (const char *at = text; length > letters && (at = strstr(at, ": ")) && at < text + length; at++) colon = at;
    if (colon) {
        length -= (size_t)(colon + 2 - text);
        text = colon + 2;
    }
    bool cut = length > letters;
    if (cut)
        for (length = letters; length > 0 && text[length] != ' ';) length--;
    while (length > 0 && strchr(" ,:;(", text[length - 1])) length--;
    snprintf(room, 64, "%.*s%s", (int)length, text, cut ? " …" : "");
}

static void row_left_out(FILE *to, const lab_table *t, size_t i, double left, double y) {
    const lab_row *row = &t->rows[i];
    size_t alike = rows_alike(t, i);
    char why[64];
    shorten(why, row->message, 46 - strlen(lab_status_name(row->status)) - (alike > 1 ? 9 : 0));
    const char *style = row->status == LAB_SKIPPED ? "left-out" : "left-out bad";
    if (alike > 1) {
        svg_text(to, left - 8, y + 15, "end", "label left-out", "%zu to %zu", row->number,
                 t->rows[i + alike - 1].number);
        svg_text(to, left + 4, y + 15, "start", style, "%zu rungs %s: %s", alike, lab_status_name(row->status), why);
    } else {
        svg_text(to, left - 8, y + 15, "end", "label left-out", "%zu %s", row->number, row->rung->name);
        svg_text(to, left + 4, y + 15, "start", style, "%s: %s", lab_status_name(row->status), why);
    }
}

static void row_bar(FILE *to, const lab_row *row, const svg_scale *x, double y) {
    double end = svg_at(x, row->median_ms), from = svg_at(x, row->min_ms), until = svg_at(x, row->max_ms);
    char room[32];
    unit_ms(room, row->median_ms);
    svg_text(to, x->from - 8, y + 15, "end", "label", "%zu %s", row->number, row->rung->name);
    fprintf(to,
            "<rect class=\"bar %s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" rx=\"2\"><title>%s: "
            "%s</title></rect>\n",
            chart_device(row), x->from, y + 4, end - x->from > 1 ? end - x->from : 1, row->rung->name, room);
    /* Below the bar, so that the number beside the bar's end stays free of it. */
    svg_line(to, from, y + 20.5, until, y + 20.5, "spread");
    svg_line(to, from, y + 18, from, y + 23, "spread");
    svg_line(to, until, y + 18, until, y + 23, "spread");
    svg_text(to, end + 6, y + 15, "start", "value", "%s", room);
}

static void legend(FILE *to, const lab_table *t, double left) {
    static const char *const names[] = {"CPU", "GPU"};
    double x = left;
    for (int device = LAB_CPU; device <= LAB_CUDA; device++) {
        bool any = false;
        for (size_t i = 0; i < t->row_count; i++)
            any = any || (chart_measured(&t->rows[i]) && t->rows[i].rung->device == (lab_device)device);
        if (!any) continue;
        fprintf(to, "<rect class=\"key %s\" x=\"%.0f\" y=\"7\" width=\"14\" height=\"12\" rx=\"2\"/>\n",
                device == LAB_CUDA ? "gpu" : "cpu", x);
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
        fprintf(to, "<tr><th scope=\"row\">%zu %s</th>", row->number, row->rung->name);
        if (chart_measured(row)) {
            chart_cell_ms(to, row->median_ms);
            chart_cell_ms(to, row->min_ms);
            chart_cell_ms(to, row->max_ms);
        } else {
            fprintf(to, "<td class=\"why\" colspan=\"3\">%s: ", lab_status_name(row->status));
            html_text(to, row->message);
            fputs("</td>", to);
        }
        fputs("</tr>\n", to);
    }
    chart_table_end(to);
}

void chart_times(FILE *to, const lab_table *t) {
    svg_range seen = {0};
    size_t lines = 0;
    char id[96];
    for (size_t i = 0; i < t->row_count; i++)
        if (chart_measured(&t->rows[i])) {
            svg_see(&seen, t->rows[i].min_ms);
            svg_see(&seen, t->rows[i].max_ms);
        }
    if (!seen.any) return;
    for (size_t i = 0; i < t->row_count; i += rows_alike(t, i)) lines++;
    svg_scale x = svg_log_scale(seen, chart_name_room(t), RIGHT);
    double bottom = TOP + CHART_LINE * (double)lines + 4, y = TOP;
    svg_begin(
        to, chart_id(id, t, "times"), bottom + 44, "Time of each rung",
        "One bar per rung, bottom of the ladder first, on a logarithmic axis; the thin line below a bar is from the "
        "fastest to the slowest run. Rungs without a time have a row that says why. The table below has the "
        "numbers.");
    svg_axis_x(to, &x, TOP, bottom, unit_ms, "time of a whole run, logarithmic");
    legend(to, t, x.from);
    for (size_t i = 0; i < t->row_count; i += rows_alike(t, i), y += CHART_LINE) {
        if (chart_measured(&t->rows[i]))
            row_bar(to, &t->rows[i], &x, y);
        else
            row_left_out(to, t, i, x.from, y);
    }
    svg_end(to);
    fputs("<figcaption>Time of each rung: median, and from fastest to slowest. Shorter is "
          "better.</figcaption>\n",
          to);
    numbers(to, t);
}
