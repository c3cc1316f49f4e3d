/* Communities by moving vertices: the engine of leiden [1] and louvain [2].
 *
 * Method: local moving, refinement (leiden), contraction, on ever smaller graphs; then again from what was found.  All
 * of it is synchronous, so that any number of threads and the GPU find the same communities: in a round the vertices
 * are dealt into classes by a hash (how many: levels.c), and the classes take turns.  Those of a class decide at once,
 * each by what it sees before the turn, and equal gains are told apart by a hash.  (With a single class two neighbours
 * change places for ever; from two classes on this finds what one vertex after another does.)  Under CPM a community
 * has room for so many: where too many would join in a turn lots are drawn.
 *
 * Moving: an active vertex v takes the neighbouring community C with the largest w(v, C) - p(v, C), or none if that is
 * better: w is the weight between them, p what random edges would bring (the penalty, below).  A vertex that moved
 * takes from the slack of its neighbours in other communities, and one that has none left becomes active: most hubs
 * stay asleep although somebody beside them has moved.  A level is done when few moved in a round (levels.c).
 * Refinement: within a community each vertex begins as a set of its own.  In a round a coin, a hash, makes each such
 * vertex head or tail.  A tail that is well connected to its community joins the best set beside it that is well
 * connected too, and has a head or several members, if nothing is lost by that.  Heads stay where they are, so that
 * sets are connected.
 * Contraction: sets (leiden) or communities (louvain) become the vertices of the next level
 * (engines/sparse_accumulator/quotient.h), which begins with the communities of this one.
 * At the end the vertices of the graph move once more, and leiden splits what has fallen apart.
 *
 * Encoding: weights are integers (a power of two times the weight, in total below 2^62), so that sums are exact in any
 * order; gains are doubles made from these.  Penalties are products of masses: modularity has the strength of a
 * vertex, in directed graphs strength out and in, CPM its number of vertices.
 * [1] Traag, Waltman, van Eck, "From Louvain to Leiden", Scientific Reports 9, 5233 (2019).
 * [2] Blondel et al., "Fast unfolding of communities in large networks", J. Stat. Mech. P10008 (2008).
 * [3] Leicht, Newman, "Community structure in directed networks", Phys. Rev. Lett. 100, 118703 (2008).
 * [4] Traag, Van Dooren, Nesterov, "Narrow scope for resolution-limit-free community detection", Phys. Rev. E 84
 * (2011). */
#ifndef WFI_LEIDEN_COMMUNITY_H
#define WFI_LEIDEN_COMMUNITY_H

#include "core/workspace.h"
#include "graph/graph.h"

WFI_C_BEGIN

enum {
    WFI_COMMUNITY_CLASSES = 6,
    WFI_COMMUNITY_ROUNDS = 60, /* of moving on a level, at most */
    WFI_COMMUNITY_REFINE_ROUNDS = 10,
    WFI_COMMUNITY_ITERATIONS = 100, /* at most */
    WFI_COMMUNITY_LEVELS = 32       /* that are kept, at most */
};

/* What is asked for.  The same for leiden and louvain. */
typedef struct wfi_community_task {
    const char *algorithm; /* for messages */
    const weft_graph *g;
    bool refine; /* leiden */
    bool cpm, weights, levels;
    double resolution;
    uint64_t iterations, seed; /* iterations: 0 = until nothing improves */
    const weft_vid *initial;   /* a label for each vertex; NULL: each vertex has its own */
} wfi_community_task;

/* What the labels are worth, in integers.  Of a directed graph rows have both directions, so that arcs count twice. */
typedef struct wfi_community_sums {
    double unit;     /* what a weight of 1 is */
    uint64_t total;  /* weight of all rows */
    uint64_t inside; /* of arcs within communities */
    uint64_t square
        [4]; /* sum over communities of strength^2, or of strength out * strength in: limbs of 32 bits, not carried */
    uint64_t pairs[4]; /* sum of n_c * (n_c - 1), likewise */
    uint64_t count, largest;
} wfi_community_sums;

/* A value for each turn: seeds of hashes. */
typedef struct wfi_community_keys {
    uint64_t seed, tie;
    unsigned classes; /* of a round of moving: WFI_COMMUNITY_CLASSES, or fewer */
} wfi_community_keys;

/* What a machine does.  `machine` is its own; every function leaves a message when it fails. */
typedef struct wfi_community_steps {
    /* Weights, masses, rows of the graph; labels as asked for.  *vanished: weights above 0 that became 0. */
    weft_status (*begin)(void *machine, uint64_t *vanished);
    /* The level is the graph itself, with the labels as communities; *open = vertices that have arcs. */
    weft_status (*open)(void *machine, weft_vid *open);
    /* All vertices with arcs are active. */
    weft_status (*moving)(void *machine);
    weft_status (*round)(void *machine, wfi_community_keys keys, uint64_t *moved);
    /* Every vertex is a set. */
    weft_status (*refining)(void *machine);
    weft_status (*refine_round)(void *machine, wfi_community_keys keys, uint64_t *candidates);
    /* The next level: *n of its vertices, of which *open have arcs; if it has as many as this one nothing was done. */
    weft_status (*contract)(void *machine, weft_vid *n, weft_vid *open);
    /* In column `level`: the vertex of this level in which each vertex of the graph is. */
    weft_status (*keep)(void *machine, unsigned level);
    /* Labels of the graph's vertices from the communities of this level. */
    weft_status (*close)(void *machine);
    /* Sums of the labels as they are. */
    weft_status (*measure)(void *machine, wfi_community_sums *sums);
    /* Labels as they were when they were stored. */
    weft_status (*store)(void *machine);
    weft_status (*restore)(void *machine);
    /* Labels become the smallest vertex of each community, or of each connected part of it. */
    weft_status (*name)(void *machine, bool split);
} wfi_community_steps;

typedef struct wfi_community_found {
    wfi_community_sums sums;
    uint64_t iterations, levels; /* levels: of the last iteration */
    uint64_t vanished;
    double modularity, quality; /* at resolution 1; what was optimised */
} wfi_community_found;

/* The driver, for any machine. */
weft_status wfi_community_run(weft_ctx *ctx, const wfi_community_task *task, const wfi_community_steps *steps,
                              void *machine, wfi_community_found *found);

/* --- machines --- */

/* The host's columns: community, and levels if asked for. */
typedef struct wfi_community_columns {
    weft_vid *label;
    weft_vid *level[WFI_COMMUNITY_LEVELS];
} wfi_community_columns;

/* CPU cores: arrays of a run, and the run. */
void wfi_community_space_cpu(wfi_workspace *w, const weft_ctx *ctx, const wfi_community_task *task);
weft_status wfi_community_cpu(weft_ctx *ctx, const wfi_community_task *task, wfi_workspace *space,
                              const wfi_community_columns *columns, wfi_community_found *found);

/* The GPU: the same, with the graph's rows there (`in` of a directed graph). */
void wfi_community_space_cuda(wfi_workspace *device, const wfi_community_task *task);
weft_status wfi_community_cuda(weft_ctx *ctx, const wfi_community_task *task, const wfi_view *out, const wfi_view *in,
                               wfi_workspace *device, const wfi_community_columns *columns, wfi_community_found *found);

WFI_C_END
#endif
