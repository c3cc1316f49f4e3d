/* Declarations that the files of weft compare share.  compare.c reads and compares, compare_places.c ranks,
 * compare_show.c prints. */
#ifndef WEFT_CLI_COMPARE_H
#define WEFT_CLI_COMPARE_H

#include "bench/bench.h"
#include "result/select.h"

/* Lists of edges. */
enum { LIST_REMOVED, LIST_ADDED, LIST_CHANGED, LISTS };
/* The two graphs. */
enum { GRAPH_A, GRAPH_B, GRAPHS };

typedef struct edge_list {
    const char *path; /* the file that it is written to, or NULL */
    rows_format format;
    rows_column columns[4];
    rows rows;
} edge_list;

/* Places of vertices in the ranking by a column of an algorithm, from 1; WEFT_UNREACHED: none.  Vertices with the same
 * value have the same place. */
typedef struct places {
    bench_spec spec;
    char *text, *column; /* the text of --by without the column, and the column; NULL: the main one */
    weft_plan *plan[GRAPHS];
    weft_result *result[GRAPHS];
    weft_vid *order[GRAPHS];
    uint32_t *place[GRAPHS];
    /* The rows that are shown */
    void *id; /* numbers, or texts owned by the rows */
    bool names;
    uint32_t *shown[GRAPHS];
    double *value[GRAPHS];
    float *narrow[GRAPHS];
    rows_column columns[5];
    rows rows;
} places;

typedef struct comparison {
    const cli_call *call;
    weft_ctx *ctx;
    weft_graph *g[GRAPHS];
    weft_graph_info info[GRAPHS];
    weft_result *result;
    edge_list list[LISTS];
    places places;
    double load_ms, compare_ms;
} comparison;

/* compare_places.c.  places_check: refuses mistakes that are visible before anything is read. */
int places_check(places *p, const cli_options *options);
int places_make(comparison *c);
void places_free(places *p);

/* compare_show.c: writes the files, then text or JSON. */
int comparison_show(const comparison *c);

uint64_t comparison_figure(const comparison *c, const char *name);

#endif
