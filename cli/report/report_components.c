/* The sizes of components: the count of each size, and the largest.  Communities are shown in the same way. */
#include "report/graph_report.h"
#include "weft/components.h"

#include <stdlib.h>

static int larger_first(const void *a, const void *b) {
    const report_part *x = a, *y = b;
    if (x->size != y->size) return x->size < y->size ? 1 : -1;
    return x->first < y->first ? -1 : x->first > y->first;
}

report_part *report_parts(weft_vid n, const weft_vid *component, size_t *count) {
    weft_vid *size = cli_take(n, sizeof *size);
    report_part *parts = NULL;
    *count = 0;
    for (weft_vid v = 0; size && v < n; v++) *count += size[component[v]]++ == 0;
    if (size) parts = cli_take(*count, sizeof *parts);
    *count = 0;
    for (weft_vid v = 0; parts && v < n; v++)
        if (size[v]) parts[(*count)++] = (report_part){v, size[v]};
    if (parts) qsort(parts, *count, sizeof *parts, larger_first);
    free(size);
    return parts;
}

weft_vid *report_numbers(weft_vid n, const weft_vid *group, const report_part *parts, size_t count) {
    weft_vid *number = cli_take(n, sizeof *number), *of = number ? cli_take(n, sizeof *of) : NULL;
    for (size_t i = 0; of && i < count; i++) number[parts[i].first] = (weft_vid)i;
    for (weft_vid v = 0; of && v < n; v++) of[v] = number[group[v]];
    free(number);
    return of;
}

void report_sizes(report *r, const char *name, const char *what, const report_part *parts, size_t count) {
    report_table(r, name, (const char *const[]){"vertices", what, NULL});
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && parts[end].size == parts[i].size;) end++;
        report_row(r);
        json_u64(r->j, NULL, parts[i].size);
        json_u64(r->j, NULL, end - i);
        report_row_end(r);
    }
    report_table_end(r);
}

static void put_largest(report *r, const char *name, const report_part *parts, size_t count) {
    report_table(r, name, (const char *const[]){"component", "vertices", "share", NULL});
    for (size_t i = 0; i < count && i < REPORT_LEADERS; i++) {
        report_row(r);
        json_vertex(r->j, r->g, NULL, parts[i].first);
        json_u64(r->j, NULL, parts[i].size);
        json_f64(r->j, NULL, (double)parts[i].size / (double)r->info.vertices);
        report_row_end(r);
    }
    report_table_end(r);
}

int report_components(report *r) {
    static const struct {
        const char *name, *largest, *gives;
    } kinds[] = {{"weak", "weak_largest", "weak components: joined by edges, whatever their direction"},
                 {"strong", "strong_largest", "strong components: joined by paths in both directions"}};
    size_t sides = r->info.directed ? 2 : 1, counts[2] = {0, 0};
    report_part *parts[2] = {NULL, NULL};
    int code = EXIT_DONE;
    report_section(r, "components");
    for (size_t i = 0; i < sides && !code; i++) {
        weft_components_params p = WEFT_COMPONENTS_DEFAULTS;
        weft_result *result = NULL;
        p.strong = i == 1;
        code = report_run(r, "components", &p, r->info.directed ? kinds[i].gives : "components", "exact", &result);
        if (!code) parts[i] = report_parts(weft_graph_vertices(r->g), weft_result_u32(result, "component"), &counts[i]);
        if (!code && !parts[i]) code = EXIT_MEMORY;
        weft_result_free(result);
    }
    if (!code) {
        report_values(r);
        for (size_t i = 0; i < sides; i++) {
            json_open_object(r->j, kinds[i].name, true);
            json_u64(r->j, "count", counts[i]);
            json_u64(r->j, "largest", counts[i] ? parts[i][0].size : 0);
            json_close(r->j);
        }
        report_tables(r);
        for (size_t i = 0; i < sides; i++) {
            report_sizes(r, kinds[i].name, "components", parts[i], counts[i]);
            put_largest(r, kinds[i].largest, parts[i], counts[i]);
        }
        report_section_end(r);
    }
    free(parts[0]);
    free(parts[1]);
    return code;
}
