/* What the charts share. */
#include "charts.h"

#include "svg.h"

#include <string.h>

const char *const chart_part_names[LAB_PARTS] = {"allocate", "copy in", "kernels", "copy out", "free", "host"};

bool chart_measured(const lab_row *row) { return row->status == LAB_VERIFIED; }

const char *chart_device(const lab_row *row) { return row->rung->device == LAB_CUDA ? "gpu" : "cpu"; }

const char *chart_id(char room[96], const lab_table *t, const char *chart) {
    snprintf(room, 96, "%s-%s", t->ladder->name, chart);
    return room;
}

double chart_name_room(const lab_table *t) {
    size_t letters = 0;
    for (size_t i = 0; i < t->row_count; i++)
        if (strlen(t->rows[i].rung->name) > letters) letters = strlen(t->rows[i].rung->name);
    return svg_label_room(letters + 3) + 8;
}

void chart_table_begin(FILE *to, const char *caption, const char *const *head) {
    fputs("<details open><summary>the numbers</summary><div class=\"wide\"><table><caption>", to);
    html_text(to, caption);
    fputs("</caption><thead><tr>", to);
    for (; *head; head++) fprintf(to, "<th scope=\"col\">%s</th>", *head);
    fputs("</tr></thead><tbody>\n", to);
}

void chart_table_end(FILE *to) { fputs("</tbody></table></div></details></figure>\n", to); }

void chart_cell_ms(FILE *to, double ms) {
    char room[32];
    unit_ms(room, ms);
    fprintf(to, "<td>%s</td>", ms > 0 ? room : "–");
}
