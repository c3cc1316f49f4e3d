/* Communities, what the rungs share: levels, the choice of one vertex, contraction, and the answer.  A rung brings
 * how the vertices of a level take their turns, and whether sets are refined before they are contracted.
 *
 * Method: vertices move between communities until few do; each community becomes a vertex of the next level, and so
 * on while that makes the graph smaller.  All of it is done `iterations` times, each from what was found before; at
 * the end vertices move once more.
 * Encoding: modularity of an undirected graph without weights, at a resolution.  A vertex of a level has a mass, its
 * arcs' ends; arcs have a number, how many they stand for; all of them are below 2^32.  A community has the name of
 * one of its level's vertices.  What a vertex v gains in a community C is arcs(v, C) - rate * mass(v) * mass(C), in
 * doubles of integers, so that all rungs compute the same. */
#ifndef WEFT_LAB_LEIDEN_H
#define WEFT_LAB_LEIDEN_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __CUDACC__
#define LEIDEN_BOTH __host__ __device__
#else
#define LEIDEN_BOTH
#endif

enum { LEIDEN_ROUNDS = 24, LEIDEN_MOST_CLASSES = 8 };

/* A graph without weights (arcs NULL: each is one), or a contracted one, which has no loops. */
typedef struct leiden_level {
    weft_vid n;
    const weft_eid *offsets;
    const weft_vid *targets;
    const uint32_t *arcs;
    const uint32_t *mass;
} leiden_level;

/* Counters of a thread: arcs to each community, all 0 between two vertices, and which of them are not. */
typedef struct leiden_tally {
    uint32_t *arcs;
    weft_vid *touched, count;
} leiden_tally;

/* Of refinement, by the name of a set, a vertex of its own. */
typedef struct leiden_sets {
    uint32_t *mass;
    int64_t *bound; /* arcs to the rest of the community */
    uint8_t *grown; /* it has several members */
} leiden_sets;

/* Two contracted levels in turns, and what contracting needs: places for each vertex. */
typedef struct leiden_room {
    struct {
        weft_eid *offsets;
        weft_vid *targets;
        uint32_t *arcs, *mass;
    } rows[2];
    uint32_t *mass; /* of the graph's vertices */
    weft_vid *number, *first, *member;
} leiden_room;

typedef struct leiden leiden;
struct leiden {
    lab_run *r;
    const struct leiden_way *way;
    double rate;        /* resolution / ends of all arcs */
    leiden_level level; /* on which vertices move */
    uint32_t *total;    /* mass of each community */
    weft_vid *community, *goes;
    uint8_t *active; /* something changed beside it */
    weft_vid open;   /* vertices with arcs */
    weft_vid *set;   /* what becomes a vertex of the next level */
    leiden_sets sets;
    weft_vid *inside, *label,
        *list;           /* of the graph's vertices: that of the level in which each is; the answer.  list: n places */
    leiden_tally *tally; /* for each thread */
    uint64_t stage;      /* each level has its hashes */
    uint64_t levels;
    bool stopped;
    leiden_room room;
};

typedef struct leiden_way {
    weft_status (*move)(leiden *q); /* on a level, from its active vertices until few move */
    void (*refine)(leiden *q);      /* makes sets within communities; NULL = communities are the sets */
    void (*split)(leiden *q);       /* of the labels at the end; NULL = nothing */
    void *extra;                    /* the rung's */
} leiden_way;

/* The whole run. */
weft_status leiden_run(lab_run *r, const leiden_way *way);
/* For serves(): why these rungs do not do what is asked for. */
const char *leiden_serves(lab_run *r);

/* For move(): rounds until fewer than 3 in 1,000 vertices move.  A round moves what is active and says how many did. */
typedef uint64_t leiden_round_fn(leiden *q, uint64_t key);
weft_status leiden_rounds(leiden *q, leiden_round_fn *round);
/* The active vertices, in order, in q->list. */
weft_vid leiden_list_active(leiden *q);
/* The community that v is best in: its own if none is better, equal ones by a hash of the key, its own name if alone
 * is better. */
weft_vid leiden_choose(const leiden *q, weft_vid v, uint64_t key, leiden_tally *t);
/* Neighbours of v in other communities become active. */
void leiden_wake(leiden *q, weft_vid v);

/* levels.c.  The level is the graph, with the labels as communities; and the labels are those of the level's
 * communities, each by its smallest vertex. */
void leiden_open_graph(leiden *q);
void leiden_close_graph(leiden *q);
/* Sets become vertices, in the communities that their members were in.  False: there are as many as before, or
 * somebody stopped it. */
bool leiden_contract(leiden *q);

/* classes.c: vertices are dealt into 8 classes, which take turns.  refined.c: sets, and the parts of communities. */
weft_status leiden_move_in_eight(leiden *q);
void leiden_refine(leiden *q);
void leiden_split(leiden *q);
/* For rungs without refinement: their communities need not be connected. */
weft_status leiden_check_louvain(weft_ctx *ctx, const weft_graph *g, const void *params, const weft_result *result,
                                 weft_check_report *report);

/* True once somebody wants to stop, which step i of a loop asks now and then; threads may ask together. */
static inline bool leiden_stops(leiden *q, uint64_t i) {
    if (i % 256 == 0 && !__atomic_load_n(&q->stopped, __ATOMIC_RELAXED) && lab_stopped(q->r))
        __atomic_store_n(&q->stopped, true, __ATOMIC_RELAXED);
    return __atomic_load_n(&q->stopped, __ATOMIC_RELAXED);
}

static inline uint32_t leiden_arcs(const leiden_level *l, weft_eid e) { return l->arcs ? l->arcs[e] : 1; }

/* Well mixed, and one to one: two communities never tie. */
LEIDEN_BOTH static inline uint64_t leiden_hash(uint64_t x) {
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

LEIDEN_BOTH static inline unsigned leiden_class(uint64_t key, weft_vid v, unsigned classes) {
    return (unsigned)((leiden_hash(key ^ v) >> 32) % classes);
}

/* Of two communities with these gains: is `a` better than `b`? */
LEIDEN_BOTH static inline bool leiden_better(uint64_t key, double gain_a, weft_vid a, double gain_b, weft_vid b) {
    return gain_a > gain_b || (gain_a == gain_b && leiden_hash(~key ^ a) < leiden_hash(~key ^ b));
}

LEIDEN_BOTH static inline double leiden_gain(double rate, uint32_t arcs, uint32_t mass, uint32_t other) {
    return (double)arcs - rate * (double)mass * (double)other;
}

extern const lab_rung leiden_sequential, leiden_one_class, leiden_two_classes, leiden_eight_classes, leiden_refined,
    leiden_engine;
extern const lab_rung leiden_gpu_shared, leiden_engine_gpu;

#ifdef __cplusplus
}
#endif
#endif
