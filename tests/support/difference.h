/* Two results compared byte by byte: every column with its type, length and width, and every scalar. */
#ifndef WEFT_TESTS_DIFFERENCE_H
#define WEFT_TESTS_DIFFERENCE_H

#include "weft/base.h"

#include <stdbool.h>
#include <string.h>

/* The first column or scalar in which two results differ; NULL when all bytes are the same. */
static inline const char *difference(const weft_result *a, const weft_result *b) {
    size_t columns = weft_result_column_count(a), scalars = weft_result_scalar_count(a);
    if (columns != weft_result_column_count(b) || scalars != weft_result_scalar_count(b)) return "their number";
    for (size_t i = 0; i < columns; i++) {
        const weft_column *x = weft_result_column_at(a, i), *y = weft_result_column_at(b, i);
        if (strcmp(x->name, y->name) || x->type != y->type || x->length != y->length || x->width != y->width)
            return x->name;
        size_t values = x->length * (x->width ? x->width : 1);
        if (values && memcmp(x->data, y->data, values * weft_type_size(x->type))) return x->name;
    }
    for (size_t i = 0; i < scalars; i++) {
        const weft_scalar *x = weft_result_scalar_at(a, i), *y = weft_result_scalar_at(b, i);
        if (strcmp(x->name, y->name) || x->type != y->type || memcmp(&x->value, &y->value, sizeof x->value))
            return x->name;
    }
    return NULL;
}

static inline bool same_results(const weft_result *a, const weft_result *b) { return a && b && !difference(a, b); }

#endif
