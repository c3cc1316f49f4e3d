/* Communities on CPU cores: declarations shared by the steps (cpu_graph.c, cpu_moving.c, cpu_refine.c, cpu.c). */
#ifndef WFI_LEIDEN_CPU_H
#define WFI_LEIDEN_CPU_H

#include "algo/leiden/bodies.h"
#include "engines/sparse_accumulator/quotient.h"

#include <omp.h>

enum { WFI_LEIDEN_POLL_ROWS = 256, WFI_LEIDEN_ARCS = 1 << 16 };
/* Units of work for a thread: vertices of a simple loop; arcs or movers with scattered accesses; rows to accumulate, at
 * least WFI_LEIDEN_ROW_CHUNK of them. */
enum { WFI_LEIDEN_CHUNK = 1 << 13, WFI_LEIDEN_FAR_CHUNK = 1 << 10, WFI_LEIDEN_ROW_CHUNK = 1 << 7 };

typedef struct wfi_masses {
    uint64_t *out, *in; /* in: NULL if there is one mass only */
} wfi_masses;

typedef struct wfi_leiden_cpu {
    weft_ctx *ctx;
    const wfi_community_task *task;
    wfi_community_columns columns;
    double unit, rate;
    bool two, wide; /* two masses (out, in); 64-bit weights */
    int threads;

    wfi_sum_rows graph, coarse[2]; /* the graph's rows; those of levels, used in turn */
    wfi_sum_rows *rows;            /* rows of this level */
    weft_vid *cut;                 /* begins of the spans of `rows` */
    int spans;
    wfi_masses strength;            /* strengths of the graph's vertices; a vertex of strength 0 takes no part */
    wfi_masses graph_mass, mass[2]; /* masses of vertices: the graph's; those of levels, used in turn */
    wfi_masses *level;
    weft_vid *community[2], *member; /* communities of this level's vertices, used in turn */
    int turn;
    wfi_masses total;    /* masses of communities */
    wfi_masses incoming; /* CPM: mass of the vertices about to join each community; 0 between turns */
    double *gain;        /* CPM: gain of each moving vertex */
    uint8_t *active;     /* 0, or 1 + the class of this round */
    uint64_t awake;      /* number of arcs of active vertices */
    uint64_t *slack;     /* wfi_community_slack, less the weight moved since; 0 for a vertex that has moved */
    weft_vid *target;    /* first the community that a vertex will join, then the community that it left */
    weft_vid *movers;
    weft_vid *set; /* refinement: the set of each vertex, named after a member */
    wfi_masses set_mass;
    uint64_t *bound; /* weight between a set and the rest of its community */
    uint8_t *grown;  /* has the set several members? */
    weft_vid *alone; /* the vertices that could still join a set */
    uint64_t count;  /* length of `alone` */
    weft_vid *part, *vertex_of, *stored, *first;
    wfi_accumulators tallies;
    bool stop;
} wfi_leiden_cpu;

static inline wfi_pull_mass wfi_mass_at(const wfi_masses *m, weft_vid v) {
    return (wfi_pull_mass){m->out[v], m->in ? m->in[v] : 0};
}

static inline wfi_pull_mass wfi_mass_without(wfi_pull_mass all, wfi_pull_mass part) {
    return (wfi_pull_mass){all.out - part.out, all.in - part.in};
}

static inline void wfi_mass_add(const wfi_masses *m, weft_vid v, wfi_pull_mass more) {
    __atomic_fetch_add(&m->out[v], more.out, __ATOMIC_RELAXED);
    if (m->in) __atomic_fetch_add(&m->in[v], more.in, __ATOMIC_RELAXED);
}

/* Masses that a thread adds, buffered by community, so that threads do not contend for large communities. */
enum { WFI_MASS_KEPT_BACK = 128 };
typedef struct wfi_mass_batch {
    const wfi_masses *to;
    weft_vid at[WFI_MASS_KEPT_BACK];
    wfi_pull_mass sum[WFI_MASS_KEPT_BACK];
} wfi_mass_batch;

static inline void wfi_mass_batch_begin(wfi_mass_batch *b, const wfi_masses *to) {
    b->to = to;
    for (int i = 0; i < WFI_MASS_KEPT_BACK; i++) b->at[i] = WEFT_NO_VERTEX;
}

static inline void wfi_mass_batch_add(wfi_mass_batch *b, weft_vid v, wfi_pull_mass more) {
    unsigned i = v % WFI_MASS_KEPT_BACK;
    if (b->at[i] != v) {
        if (b->at[i] != WEFT_NO_VERTEX) wfi_mass_add(b->to, b->at[i], b->sum[i]);
        b->at[i] = v;
        b->sum[i] = (wfi_pull_mass){0, 0};
    }
    b->sum[i].out += more.out;
    b->sum[i].in += more.in;
}

static inline void wfi_mass_batch_end(wfi_mass_batch *b) {
    for (int i = 0; i < WFI_MASS_KEPT_BACK; i++)
        if (b->at[i] != WEFT_NO_VERTEX) wfi_mass_add(b->to, b->at[i], b->sum[i]);
}

static inline bool wfi_mass_is_empty(wfi_pull_mass m) { return !(m.out | m.in); }

static inline bool wfi_leiden_cpu_stop(wfi_leiden_cpu *m) {
    if (wfi_cancelled(m->ctx)) __atomic_store_n(&m->stop, true, __ATOMIC_RELAXED);
    return __atomic_load_n(&m->stop, __ATOMIC_RELAXED);
}

/* For loops over rows: polls at every 256th row. */
static inline bool wfi_leiden_cpu_stop_at(wfi_leiden_cpu *m, weft_vid v) {
    return v % WFI_LEIDEN_POLL_ROWS ? __atomic_load_n(&m->stop, __ATOMIC_RELAXED) : wfi_leiden_cpu_stop(m);
}

static inline weft_status wfi_leiden_cpu_status(wfi_leiden_cpu *m) {
    return __atomic_load_n(&m->stop, __ATOMIC_RELAXED) ? wfi_fail_cancelled(m->ctx) : WEFT_OK;
}

/* Numbers of threads: for a loop over the level's vertices, for a given number of scattered arcs, for all arcs of the
 * level. */
static inline int wfi_leiden_cpu_for_vertices(const wfi_leiden_cpu *m) {
    return wfi_threads_for(m->ctx, m->rows->n, WFI_LEIDEN_CHUNK);
}
static inline int wfi_leiden_cpu_for_some(const wfi_leiden_cpu *m, uint64_t arcs) {
    return wfi_threads_for(m->ctx, arcs, WFI_LEIDEN_FAR_CHUNK);
}
static inline int wfi_leiden_cpu_for_arcs(const wfi_leiden_cpu *m) { return wfi_leiden_cpu_for_some(m, m->rows->room); }
static inline int wfi_leiden_cpu_for_graph(const wfi_leiden_cpu *m) {
    return wfi_leiden_cpu_for_some(m, m->graph.room);
}
/* Chunk size for a list of vertices; at most 64, since vertices with long rows are neighbours in the list. */
static inline int wfi_leiden_cpu_at_once(const wfi_leiden_cpu *m, uint64_t count) {
    return (int)wfi_min_u64(64, count / (8 * (unsigned)m->threads) + 1);
}

static inline bool wfi_leiden_cpu_takes_part(const wfi_leiden_cpu *m, weft_vid v) {
    return m->strength.out[v] || (m->strength.in && m->strength.in[v]);
}

/* Keys are read in batches and their slots prefetched, so that many reads are in flight. */
enum { WFI_LEIDEN_BATCH = 32 };

typedef weft_vid wfi_choose_fn(wfi_leiden_cpu *m, weft_vid v, uint64_t key, const wfi_accumulator *t);

/* Applies `by` to v with an accumulator that suits the length of its row. */
static inline __attribute__((always_inline)) weft_vid wfi_leiden_cpu_choose(wfi_leiden_cpu *m, weft_vid v, uint64_t key,
                                                                            wfi_choose_fn *by) {
    uint64_t arcs = m->rows->end[v] - m->rows->begin[v];
    wfi_accumulator t = wfi_accumulator_for(&m->tallies, omp_get_thread_num(), m->rows->n, arcs);
    weft_vid to;
    if (!wfi_accumulator_is_long(&m->tallies, m->rows->n, arcs)) return by(m, v, key, &t);
#pragma omp critical(wfi_long_tally)
    to = by(m, v, key, &t);
    return to;
}

/* Steps of community.h. */
weft_status wfi_leiden_cpu_begin(void *machine_, uint64_t *underflowed);
weft_status wfi_leiden_cpu_moving(void *machine_);
weft_status wfi_leiden_cpu_round(void *machine_, wfi_community_keys keys, uint64_t *moved);
weft_status wfi_leiden_cpu_refining(void *machine_);
weft_status wfi_leiden_cpu_refine_round(void *machine_, wfi_community_keys keys, uint64_t *candidates);

/* Makes `rows` the level's rows. */
void wfi_leiden_cpu_take_rows(wfi_leiden_cpu *m, wfi_sum_rows *rows);
/* Masses of communities, or of the `count` parts of a partition: sums over their vertices. */
void wfi_leiden_cpu_add_up(wfi_leiden_cpu *m, const weft_vid *label, const wfi_masses *each, weft_vid count,
                           const wfi_masses *to);
/* least[x] = the smallest value[v] over the v with key x; WEFT_NO_VERTEX is no value. */
void wfi_leiden_cpu_find_least(wfi_leiden_cpu *m, weft_vid n, const weft_vid *key, const weft_vid *value,
                               weft_vid *least);
/* Renames each label to the smallest participating vertex with the same key. */
void wfi_leiden_cpu_name_after_least(wfi_leiden_cpu *m, const weft_vid *key);

#endif
