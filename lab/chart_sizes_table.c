/* The numbers of time against size, beside what a document said. */
#include "charts.h"

#include "svg.h"

#include <string.h>

static bool asked_for(const lab_page *pages, size_t count, const lab_rung *rung) {
    for (size_t i = 0; i < count; i++)
        if (chart_row_of(&pages[i].table, rung)) return true;
    return false;
}

/* Is a figure of this document in the table?  NULL: of any. */
static bool quoted(const lab_page *pages, size_t count, const char *source) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; pages[i].sized && k < pages[i].table.row_count; k++) {
            const lab_figure *said = pages[i].table.rows[k].said;
            if (said && (!source || strcmp(said->source, source) == 0)) return true;
        }
    return false;
}

static void cell(FILE *to, const lab_row *row) {
    char room[32];
    if (row && chart_measured(row)) {
        unit_ms(room, row->median_ms);
        fprintf(to, "<td>%s", room);
    } else {
        fprintf(to, "<td class=\"none\">%s", row ? lab_status_name(row->status) : "not reached");
    }
    if (row && row->said) {
        unit_ms(room, row->said->ms);
        fprintf(to, "<br><span class=\"said\">said: %s", room);
        if (chart_measured(row) && row->said->kind != LAB_WHOLE_RUN) {
            unit_ms(room, lab_kernels_ms(row));
            fprintf(to, "<br>kernels: %s", room);
        }
        fputs("</span>", to);
    }
    fputs("</td>", to);
}

/* A row a rung: sizes are few, and fit on a phone and on paper where nineteen rungs do not. */
void chart_sizes_table(FILE *to, const lab_page *pages, size_t count) {
    const lab_ladder *ladder = pages[0].table.ladder;
    chart_table_open(to, quoted(pages, count, NULL)
                             ? "Median time of a whole run by the number of vertices; below it, what the document "
                               "said, and our kernels where that may be the time of kernels"
                             : "Median time of a whole run by the number of vertices");
    chart_table_column(to, "rung");
    for (size_t i = 0; i < count; i++)
        if (pages[i].sized) chart_table_column(to, "%llu", (unsigned long long)pages[i].table.info.vertices);
    chart_table_rows(to);
    for (size_t k = 0; k < ladder->rung_count; k++) {
        if (!asked_for(pages, count, ladder->rungs[k])) continue;
        fprintf(to, "<tr><th scope=\"row\">%zu %s</th>", k + 1, ladder->rungs[k]->name);
        for (size_t i = 0; i < count; i++)
            if (pages[i].sized) cell(to, chart_row_of(&pages[i].table, ladder->rungs[k]));
        fputs("</tr>\n", to);
    }
    chart_table_close(to);
    for (size_t i = 0; i < ladder->figure_count; i++)
        if ((i == 0 || ladder->figures[i].source != ladder->figures[i - 1].source) &&
            quoted(pages, count, ladder->figures[i].source)) {
            fputs("<p class=\"source\">Document: ", to);
            html_text(to, ladder->figures[i].source);
            bool not_said = ladder->figures[i].kind == LAB_NOT_SAID;
            html_put(to, "; %s", not_said ? "of what is not said" : lab_kind_name(ladder->figures[i].kind));
            fputs("</p>\n", to);
        }
    fputs("</figure>\n", to);
}
