/* The undirected simple view of a graph for verifiers: neighbour lists without loops and repeats, made plainly. */
#ifndef WEFT_CHECK_SIMPLE_H
#define WEFT_CHECK_SIMPLE_H

#include "watch.h"

typedef struct check_simple {
    weft_vid n;
    uint64_t *offsets; /* n + 1 */
    weft_vid *targets; /* ascending in each row, both ends of every edge */
    uint64_t *wedges;  /* n + 1: pairs of neighbours of the vertices before */
    check_watch *watch;
} check_simple;

/* WEFT_ECANCELLED when the watch was stopped: then there is nothing to free, as after any failure. */
weft_status check_simple_make(const weft_graph *g, check_watch *watch, check_simple *s);
void check_simple_free(check_simple *s);

uint64_t check_simple_degree(const check_simple *s, weft_vid v);
int check_simple_joined(const check_simple *s, weft_vid u, weft_vid v);

/* The k-th vertex to recount: all in order when the graph is small enough, else at random by counter.  Returns 0 when
 * enough work was done, or the watch was stopped; *spent begins at 0. */
int check_simple_pick(const check_simple *s, uint64_t k, uint64_t *spent, weft_vid *v);
/* 1 if that recounts every vertex. */
int check_simple_exact(const check_simple *s);

/* Is a share of closed wedges believable?  Wedges drawn at random by counter must be closed as often, within six
 * standard deviations. */
int check_simple_closed(const check_simple *s, double share);

#endif
