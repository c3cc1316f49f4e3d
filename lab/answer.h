/* What the runner asks of an answer, apart from the verifier. */
#ifndef WEFT_LAB_ANSWER_H
#define WEFT_LAB_ANSWER_H

#include "lab.h"

/* How far the column's values lie apart.  Two NaNs are the same, and so are two infinities of one sign. */
typedef struct lab_apart {
    bool known; /* the column is in both, and has one shape */
    bool nan;   /* somewhere a NaN stands beside a number */
    bool
        inf; /* somewhere an infinity stands beside a number that is none, or the difference itself is beyond a double */
    double most; /* of the numbers that are finite in both */
} lab_apart;
lab_apart lab_difference(const char *column, const weft_result *reference, const weft_result *result);

/* The library's answer.  One that takes longer than the setup allows is done without (*out stays NULL): rungs are verified all the
 * same, and their differences are not known.  The table is told how long it took. */
weft_status lab_reference(const lab_setup *s, const char *algorithm, const weft_graph *g, const void *params,
                          lab_table *table, weft_result **out);

#endif
