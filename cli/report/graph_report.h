/* weft report: figures of a graph, as JSON and as a page.
 * A section runs algorithms, adds its object to "sections" of the JSON, and says how each figure was found.  What a
 * section is made of: "how" (the runs, in order), "values" (single figures), "tables" (columns and rows), and
 * "left_out" (why it is not there).  Work is bounded: sections that would take too long on a graph of this size are
 * left out or do less, and say so. */
#ifndef WEFT_CLI_GRAPH_REPORT_H
#define WEFT_CLI_GRAPH_REPORT_H

#include "result/json.h"
#include "result/select.h"

enum { REPORT_LEADERS = 10, REPORT_MEASURES = 8 }; /* by each measure, and largest components */

/* What the library said, in its order, each once. */
typedef struct report_note {
    char *text;
    bool warning;
} report_note;

/* What sections find and report_alerts judges. */
typedef struct report_found {
    uint64_t mutual; /* arcs whose reverse exists, of `one_way` that are no loops */
    uint64_t one_way;
    uint64_t negative;               /* edges with such a weight */
    uint64_t grouped, largest_group; /* vertices of the drawing, and of its largest community */
    double doubt;                    /* bound of betweenness's error that is above every value; 0: it is not */
} report_found;

typedef struct report {
    const cli_call *call;
    weft_ctx *ctx;
    weft_graph *g;
    const weft_graph *part; /* that runs are on; NULL: g */
    weft_graph_info info;
    report_note *notes;
    size_t note_count;
    report_found found;
    select_labels labels;
    json *j;
    /* Results that later sections use; NULL = not computed. */
    weft_result *degree, *pagerank, *betweenness, *hits, *core, *triangles;
    weft_vid *community; /* of each vertex, numbered by size: the largest is 0 */
    size_t communities;
    weft_vid leaders[REPORT_LEADERS * REPORT_MEASURES]; /* by any measure, ascending */
    size_t leader_count;
    double load_ms, figures_ms;
} report;

/* report_how.c: a section's name, runs, values and tables. */
void report_section(report *r, const char *name); /* opens it, and its "how" */
void report_left_out(report *r, const char *format, ...) __attribute__((format(printf, 2, 3))); /* instead of runs */
/* Runs an algorithm (params NULL: its defaults) and adds an entry to "how": `gives` names the values, `exact` their
 * accuracy. */
int report_run(report *r, const char *algorithm, const void *params, const char *gives, const char *exact,
               weft_result **out);
/* The entry of "how" for values without an algorithm: counted along the arcs, by one thread. */
void report_counted(report *r, const char *gives, const char *method, double ms);
void report_values(report *r); /* closes "how", opens "values" */
void report_scalars(report *r, const weft_result *result);
void report_tables(report *r);                                              /* closes "values", opens "tables" */
void report_table(report *r, const char *name, const char *const *columns); /* names end with NULL; then rows */
void report_row(report *r);
void report_row_end(report *r);
void report_table_end(report *r);
void report_section_end(report *r);

/* The sections; each returns an exit code, after an error message. */
int report_degrees(report *r);    /* report_degrees.c */
int report_mixing(report *r);     /* report_mixing.c */
int report_weights(report *r);    /* report_weights.c */
int report_components(report *r); /* report_components.c */
int report_cores(report *r);      /* report_parts.c */
int report_clustering(report *r);
int report_distances(report *r);
int report_brokers(report *r);     /* report_brokers.c: a run of report_top */
int report_top(report *r);         /* report_top.c */
int report_communities(report *r); /* report_communities.c */

/* report_picture.c: all edges as pixels, and the places x and y of these vertices; *kept: the share of edges that are
 * drawn. */
int report_picture(report *r, const weft_result *places, const weft_vid *vertices, size_t count, double *kept, json *j);
int report_drawing(report *r, FILE *to); /* report_drawing.c; the drawing is written to `to`, as JSON */

void report_alerts(report *r); /* report_alerts.c: after all sections */

/* Groups of vertices named by the smallest or any one vertex, as algorithms name them; largest first.  free() them;
 * NULL: no memory. */
typedef struct report_part {
    weft_vid first, size;
} report_part;
report_part *report_parts(weft_vid n, const weft_vid *group, size_t *count);
/* The index of each vertex's group.  free() it; NULL: no memory. */
weft_vid *report_numbers(weft_vid n, const weft_vid *group, const report_part *parts, size_t count);
/* A table: the number of `what` of each size. */
void report_sizes(report *r, const char *name, const char *what, const report_part *parts, size_t count);

/* report_circles.c: the graph of the largest communities, of r->community; parts are all of them. */
typedef struct report_circle {
    double x, y, radius;
    bool joined; /* joined to another one by edges */
} report_circle;
typedef struct report_circles {
    size_t count;
    uint64_t *between; /* count * count: edges between each two of them */
    report_circle *circle;
} report_circles;
int report_circles_make(report *r, const report_part *parts, report_circles *c);
void report_circles_put(report *r, const report_part *parts,
                        const report_circles *c); /* the tables "circles" and "between" */
void report_circles_free(report_circles *c);

/* Bins of degrees for logarithmic axes: each value up to 8, then each bin a third wider.  Returns the first value of
 * the bin after that of x. */
uint64_t report_bin_end(uint64_t first);

#endif
