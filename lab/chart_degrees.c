/* The degrees of the input, both axes logarithmic. */
#include "charts.h"

#include "svg.h"

/* There is no half vertex: below 1 the axis has no numbers. */
static void unit_vertices(char room[32], double x) {
    room[0] = '\0';
    if (x >= 1) unit_count(room, x);
}

void chart_degrees(FILE *to, const lab_page *page) {
    enum { TOP = 38, BOTTOM = 290, LEFT = 74, RIGHT = SVG_WIDTH - 14 };
    const lab_table *t = &page->table;
    const char *degree = t->info.directed ? "out-degree" : "degree";
    const char *const head[] = {degree, "vertices", NULL};
    uint64_t alone = 0; /* a logarithmic axis has no place for them */
    svg_range across = {0}, up = {0};
    char id[96], caption[96], share[32];
    for (size_t i = 0; i < page->degree_count; i++) {
        if (!page->degree[i]) alone = page->of_degree[i];
        svg_see(&across, (double)page->degree[i]);
        if (page->degree[i]) svg_see(&up, (double)page->of_degree[i]);
    }
    if (!across.any) return;
    svg_scale x = svg_log_scale(across, LEFT, RIGHT), y = svg_log_scale(up, BOTTOM, TOP);
    svg_begin(to, chart_id(id, t, "degrees"), BOTTOM + 44, "Degrees of the input",
              t->info.directed
                  ? "How many vertices have how many outgoing arcs, both axes logarithmic. A straight descending line "
                    "is a graph with hubs; a hill is a graph without. The table below sums it up."
                  : "How many vertices have how many neighbours, both axes logarithmic. A straight descending line is "
                    "a graph with hubs; a hill is a graph without. The table below sums it up.");
    svg_axis_x(to, &x, TOP, BOTTOM, unit_vertices,
               t->info.directed ? "out-degree: outgoing arcs of a vertex" : "degree: neighbours of a vertex");
    svg_axis_y(to, &y, LEFT, RIGHT, unit_vertices, "vertices");
    for (size_t i = 0; i < page->degree_count; i++)
        if (page->degree[i])
            fprintf(to, "<circle class=\"point\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n",
                    svg_at(&x, (double)page->degree[i]), svg_at(&y, (double)page->of_degree[i]));
    svg_end(to);
    fprintf(to, "<figcaption>%s of the input: a point is a degree and the number of vertices that have it.",
            t->info.directed ? "Out-degrees" : "Degrees");
    unit_share(share, (double)alone / (double)t->info.vertices);
    if (alone)
        fprintf(to, " %llu of the %llu vertices (%s) have %s 0, which a logarithmic axis cannot show.",
                (unsigned long long)alone, (unsigned long long)t->info.vertices, share, degree);
    else
        fprintf(to, " No vertex has %s 0.", degree);
    fputs("</figcaption>\n", to);
    snprintf(caption, sizeof caption, "Vertices by %s, in powers of two", degree);
    chart_table_begin(to, caption, head);
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
    chart_table_end(to);
}
