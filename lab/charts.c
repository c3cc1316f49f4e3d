/* What the charts share. */
#include "charts.h"

#include "svg.h"

#include <stdarg.h>
#include <string.h>

const char *const chart_part_names[LAB_PARTS] = {"allocate", "copy in", "kernels", "copy out", "free", "host"};

bool chart_measured(const lab_row *row) { return row->status == LAB_VERIFIED; }

const char *chart_device(const lab_row *row) { return row->rung->device == LAB_CUDA ? "gpu" : "cpu"; }

const char *chart_id(char room[96], const lab_table *t, const char *chart) {
    snprintf(room, 96, "%s-%s", t->ladder->name, chart);
    return room;
}

const char *chart_color(size_t i) {
    static const char *const colors[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};
    return colors[i % 8];
}

void chart_label(char room[80], size_t number, const lab_rung *rung) {
    snprintf(room, 80, "%zu %.48s", number, rung->name);
}

const lab_row *chart_row_of(const lab_table *t, const lab_rung *rung) {
    for (size_t i = 0; i < t->row_count; i++)
        if (t->rows[i].rung == rung) return &t->rows[i];
    return NULL;
}

double chart_name_room(const lab_table *t) {
    size_t letters = 0;
    for (size_t i = 0; i < t->row_count; i++)
        if (strlen(t->rows[i].rung->name) > letters) letters = strlen(t->rows[i].rung->name);
    return svg_label_room(letters + 3) + 8;
}

void chart_table_open(FILE *to, const char *caption) {
    fputs("<details open><summary>the numbers</summary><div class=\"wide\"><table><caption>", to);
    html_text(to, caption);
    fputs("</caption><thead><tr>", to);
}

void chart_table_column(FILE *to, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("<th scope=\"col\">", to);
    vfprintf(to, format, args);
    fputs("</th>", to);
    va_end(args);
}

void chart_table_rows(FILE *to) { fputs("</tr></thead><tbody>\n", to); }

void chart_table_begin(FILE *to, const char *caption, const char *const *head) {
    chart_table_open(to, caption);
    for (; *head; head++) chart_table_column(to, "%s", *head);
    chart_table_rows(to);
}

void chart_table_close(FILE *to) { fputs("</tbody></table></div></details>\n", to); }

void chart_table_end(FILE *to) {
    chart_table_close(to);
    fputs("</figure>\n", to);
}

void chart_cell_ms(FILE *to, double ms) {
    char room[32];
    unit_ms(room, ms);
    fprintf(to, "<td>%s</td>", ms > 0 ? room : "–");
}
