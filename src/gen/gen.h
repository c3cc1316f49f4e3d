/* Declarations shared by generators: a run, the parallel driver, and the registry.
 *
 * A generator is a function of resolved parameters that fills run->edges. Its work is split into blocks at boundaries
 * that depend on the parameters only; any thread makes any block, and blocks lie in order in run->edges. So the graph
 * does not depend on the number of threads or ranks; each rank makes some of the blocks. */
#ifndef WFI_GEN_H
#define WFI_GEN_H

#include "gen/random.h"
#include "gen/skip.h"
#include "graph/edges.h"
#include "weft/generate.h"

typedef struct wfi_run {
    weft_ctx *ctx;
    weft_generate_params p; /* defaults filled in, ranges checked */
    bool directed;          /* direction of the new graph */
    uint64_t vertices;
    int64_t id_base;
    weft_label label; /* set only if it certainly holds */
    wfi_edges edges;
} wfi_run;

typedef weft_status wfi_make(wfi_run *run);

typedef struct wfi_generator {
    weft_generator_info info; /* first: the address that the public accessors return */
    const weft_param_info *params;
    bool directed; /* default direction */
    wfi_make *make;
} wfi_generator;

/* --- making edges --------------------------------------------------------- */

/* Edges of a block of known size: about a millisecond of work between polls. */
enum { WFI_BLOCK_EDGES = 1 << 16 };

/* Makes block `block`: allocates and fills piece->narrow, sets piece->count. Any thread. */
typedef weft_status (*wfi_make_block)(wfi_run *run, const void *plan, uint64_t block, wfi_piece *piece);
/* Writes the edges first ... first + count - 1 of the list to ends[0], ends[1], ... Any thread; cannot fail. */
typedef void (*wfi_make_edges)(const wfi_run *run, const void *plan, uint64_t first, uint64_t count, uint32_t *ends);

/* edges: expected number, for the memory check and the progress bar. */
weft_status wfi_run_blocks(wfi_run *run, uint64_t blocks, uint64_t edges, wfi_make_block make, const void *plan);
/* For lists of known length: edge i is a function of i. */
weft_status wfi_run_edges(wfi_run *run, uint64_t edges, wfi_make_edges make, const void *plan);

/* Allocates `count` edges in an empty piece. */
weft_status wfi_piece_take(wfi_run *run, wfi_piece *piece, uint64_t count);

/* --- pairs of vertices (pairs.c) ------------------------------------------ */

/* Numbered spaces of vertex pairs, and two ways to sample edges from them. */
typedef enum wfi_space {
    WFI_TRIANGLE, /* u < v: pair v(v-1)/2 + u */
    WFI_ORDERED,  /* u != v: pair u(n-1) + v, minus 1 if v > u */
    WFI_SQUARE    /* all pairs: u*n + v */
} wfi_space;

typedef struct wfi_pair {
    uint32_t u, v;
} wfi_pair;

/* Needs n <= 2^32 - 2, so that the count fits. */
uint64_t wfi_space_count(wfi_space space, uint64_t n);
wfi_pair wfi_space_pair(wfi_space space, uint64_t n, uint64_t number);

/* A stream of geometric skips over positions that each succeed with the same probability. */
typedef struct wfi_skips {
    const wfi_skipper *skipper; /* NULL: every position succeeds */
    wfi_purpose purpose;
    uint32_t lane;
    uint64_t draws;
    wfi_random r;
} wfi_skips;
/* Moves *at to the next position that succeeds; false if there is none before `end`. */
bool wfi_skip_next(const wfi_run *run, wfi_skips *skips, uint64_t *at, uint64_t end);
/* Appends an edge; *capacity is the piece's capacity. */
weft_status wfi_piece_add(wfi_run *run, wfi_piece *piece, uint64_t *capacity, wfi_pair pair);

/* Chooses every pair of the space over run->vertices with probability p, 0 <= p <= 1. */
weft_status wfi_choose_by_probability(wfi_run *run, wfi_space space, double p);
/* Chooses m distinct pairs. */
weft_status wfi_choose_exactly(wfi_run *run, wfi_space space, uint64_t m);

/* x * y rounded to the nearest whole number. Needs x * y < 2^63. */
uint64_t wfi_round_product(uint64_t x, double y);

/* --- the generators ------------------------------------------------------ */

wfi_make wfi_make_er, wfi_make_rmat, wfi_make_uniform, wfi_make_ba, wfi_make_smallworld, wfi_make_grid, wfi_make_dag,
    wfi_make_cyclic, wfi_make_path, wfi_make_cycle, wfi_make_star, wfi_make_complete, wfi_make_tree, wfi_make_karate,
    wfi_make_planted;

/* Sets the community of each vertex (planted.c). */
weft_status wfi_planted_communities(wfi_run *run, uint32_t *community);

#endif
