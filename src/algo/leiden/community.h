/* Communities by moving vertices: the engine of leiden [1] and louvain [2].
 *
 * Method: local moving, refinement (leiden) and contraction on ever smaller graphs; further iterations start from the
 * communities found.  All steps are synchronous, so that any number of threads and the GPU find the same communities:
 * in a round a hash deals the vertices into classes (their number: levels.c), and the classes take turns.  The vertices
 * of a class decide at once, each by the state before the turn; a hash orders equal gains.  (With a single class two
 * neighbours can change places for ever; with two or more classes the quality is that of sequential moving.)  Under CPM
 * the penalty bounds the size of a community: if too many vertices would join it in a turn, lots are drawn.
 *
 * Moving: an active vertex v moves to the neighbouring community C with the largest w(v, C) - p(v, C), or to a
 * community of its own if that is better; w is the weight between v and C, p the weight expected of random edges (the
 * penalty, below).  A vertex that moved subtracts from the slack of its neighbours in other communities, and a vertex
 * without slack left becomes active: most hubs stay inactive although a neighbour has moved.  A level ends when few
 * vertices moved in a round (levels.c).
 * Refinement: within a community each vertex begins as a set of its own.  In a round a hash, the coin, makes each
 * single vertex head or tail.  A tail that is well connected to its community joins the best neighbouring set that is
 * well connected too, and has a head or several members, if the join loses nothing.  Heads stay, so that sets are
 * connected.
 * Contraction: sets (leiden) or communities (louvain) become the vertices of the next level
 * (engines/sparse_accumulator/quotient.h), which starts with the communities of this level.
 * At the end the vertices of the input graph move once more, and leiden splits disconnected communities.
 *
 * Encoding: weights are integers (weight times a power of two, in total below 2^62), so that sums are exact in any
 * order; gains are doubles computed from these.  Penalties are products of masses.  For modularity the mass is the
 * strength of a vertex, in directed graphs its out-strength and in-strength; for CPM it is the number of vertices.
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
    WFI_COMMUNITY_ROUNDS = 60, /* maximum of rounds of moving on a level */
    WFI_COMMUNITY_REFINE_ROUNDS = 10,
    WFI_COMMUNITY_ITERATIONS = 100, /* maximum */
    WFI_COMMUNITY_LEVELS = 32       /* maximum of levels kept as columns */
};

/* A task, the same for leiden and louvain. */
typedef struct wfi_community_task {
    const char *algorithm; /* for messages */
    const weft_graph *g;
    bool refine; /* leiden */
    bool cpm, weights, levels;
    double resolution;
    uint64_t iterations, seed; /* iterations: 0 means until nothing improves */
    const weft_vid *initial;   /* a label for each vertex; NULL: each vertex has its own */
} wfi_community_task;

/* Sums that measure the labels, as integers.  Rows of a directed graph have both directions, so that an arc counts
 * twice. */
typedef struct wfi_community_sums {
    double unit;     /* the integer for a weight of 1 */
    uint64_t total;  /* weight of all rows */
    uint64_t inside; /* of arcs within communities */
    /* Sum over communities of strength^2, or of out-strength * in-strength: 32-bit limbs without carries. */
    uint64_t square[4];
    uint64_t pairs[4]; /* sum of n_c * (n_c - 1) over communities, likewise */
    uint64_t count, largest;
} wfi_community_sums;

/* Seeds of the hashes of a round. */
typedef struct wfi_community_keys {
    uint64_t seed, tie;
    unsigned classes; /* classes of a round of moving: WFI_COMMUNITY_CLASSES, or fewer */
} wfi_community_keys;

/* The steps of an engine (CPU cores or the GPU).  `machine` is the engine's state; a step that fails leaves a
 * message. */
typedef struct wfi_community_steps {
    /* Makes integer weights, masses, rows and initial labels.  *vanished: number of positive weights that became 0. */
    weft_status (*begin)(void *machine, uint64_t *underflowed);
    /* Makes the input graph the level, with the labels as communities; *open = number of vertices with arcs. */
    weft_status (*open)(void *machine, weft_vid *open);
    /* Makes all vertices with arcs active. */
    weft_status (*moving)(void *machine);
    weft_status (*round)(void *machine, wfi_community_keys keys, uint64_t *moved);
    /* Makes every vertex a set. */
    weft_status (*refining)(void *machine);
    weft_status (*refine_round)(void *machine, wfi_community_keys keys, uint64_t *candidates);
    /* Makes the next level; *n = its vertices, *open = those with arcs.  No-op if *n would not shrink. */
    weft_status (*contract)(void *machine, weft_vid *n, weft_vid *open);
    /* Writes column `level`: the vertex of this level that contains each vertex of the graph. */
    weft_status (*keep)(void *machine, unsigned level);
    /* Sets the labels of the graph's vertices from the communities of this level. */
    weft_status (*close)(void *machine);
    /* Sums over the current labels. */
    weft_status (*measure)(void *machine, wfi_community_sums *sums);
    /* Saves the labels, and restores the saved labels. */
    weft_status (*store)(void *machine);
    weft_status (*restore)(void *machine);
    /* Renames labels to the smallest vertex of each community (split: of each connected part of it). */
    weft_status (*name)(void *machine, bool split);
} wfi_community_steps;

typedef struct wfi_community_found {
    wfi_community_sums sums;
    uint64_t iterations, levels; /* levels: of the last iteration */
    uint64_t underflowed;
    double modularity, quality; /* at resolution 1; the optimised objective */
} wfi_community_found;

/* The driver, for any engine. */
weft_status wfi_community_run(weft_ctx *ctx, const wfi_community_task *task, const wfi_community_steps *steps,
                              void *machine, wfi_community_found *found);

/* --- engines --- */

/* The host's columns: the community, and the levels if asked for. */
typedef struct wfi_community_columns {
    weft_vid *label;
    weft_vid *level[WFI_COMMUNITY_LEVELS];
} wfi_community_columns;

/* CPU cores: arrays of a run; the run. */
void wfi_community_space_cpu(wfi_workspace *w, const weft_ctx *ctx, const wfi_community_task *task);
weft_status wfi_community_cpu(weft_ctx *ctx, const wfi_community_task *task, wfi_workspace *space,
                              const wfi_community_columns *columns, wfi_community_found *found);

/* The GPU: likewise, with the graph's rows in device memory (`in` of a directed graph only). */
void wfi_community_space_cuda(wfi_workspace *device, const wfi_community_task *task);
weft_status wfi_community_cuda(weft_ctx *ctx, const wfi_community_task *task, const wfi_view *out, const wfi_view *in,
                               wfi_workspace *device, const wfi_community_columns *columns, wfi_community_found *found);

WFI_C_END
#endif
