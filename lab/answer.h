/* What the runner asks of an answer, beside the verifier. */
#ifndef WEFT_LAB_ANSWER_H
#define WEFT_LAB_ANSWER_H

#include "weft.h"

/* Of the bytes of all columns and scalars: two answers with the same are taken for the same. */
uint64_t lab_digest(const weft_result *result);
/* The largest difference of a value of the column; NaN when there is none in both, or they cannot be compared. */
double lab_difference(const char *column, const weft_result *reference, const weft_result *result);

#endif
