/* The groups that an algorithm finds (components, communities) and their sizes, largest first. */
#ifndef WEFT_CLI_GROUPS_H
#define WEFT_CLI_GROUPS_H

#include "result/rows.h"

typedef struct groups {
    weft_vid *group; /* the library's */
    uint64_t *size;
    float *share; /* of all vertices */
    rows_column columns[3];
    rows rows;      /* without columns: the algorithm finds no groups */
    uint64_t total; /* of all groups: more than rows, if only the largest are here */
} groups;

/* What can be known to be wrong with --sizes before anything is read. */
int groups_check(const cli_call *call);
int groups_make(weft_ctx *ctx, const weft_graph *g, const weft_algorithm_info *algorithm, const weft_result *result,
                groups *to);
/* Of a result that ranks have between them: as many on the first as are shown; all ranks call it. */
int groups_of_ranks(weft_plan *plan, weft_ctx *ctx, const weft_graph *g, const cli_call *call,
                    const weft_result *result, groups *to);
void groups_free(weft_ctx *ctx, groups *of);
/* --sizes FILE. */
int groups_save(const cli_call *call, const groups *of);
/* The largest, for people, and how many more there are. */
int groups_print(const cli_options *options, const groups *of);
/* "sizes": [...], of the largest. */
int groups_json(json *j, const groups *of);

#endif
