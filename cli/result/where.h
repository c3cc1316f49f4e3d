/* --where: a condition on the cells of a row.  docs/where.md has the grammar. */
#ifndef WEFT_CLI_WHERE_H
#define WEFT_CLI_WHERE_H

#include "result/rows.h"

typedef struct where where;

/* Reads the text and finds its columns among those of `r`, which must outlive it.  Says what is wrong, and returns
 * EXIT_USAGE. */
int where_read(const char *text, const rows *r, where **out);
void where_free(where *w);
/* Does the row (its number in r, before any order) meet the condition?  -1: out of memory, which was said. */
int where_holds(where *w, size_t row);

#endif
