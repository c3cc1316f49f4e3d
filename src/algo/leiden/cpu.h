/* Communities on CPU cores: what the steps have in common (cpu_graph.c, cpu_moving.c, cpu_refine.c, cpu.c). */
#ifndef WFI_LEIDEN_CPU_H
#define WFI_LEIDEN_CPU_H

#include "algo/leiden/bodies.h"
#include "engines/sparse_accumulator/quotient.h"

#include <omp.h>

enum { WFI_CORES_ROWS = 256, WFI_CORES_ARCS = 1 << 16 };
/* Shares of a thread: vertices of a simple loop, arcs or movers whose places are far apart, rows to tally; none is less
 * than WFI_CORES_LEAST. */
enum { WFI_CORES_EACH = 1 << 13, WFI_CORES_FAR_EACH = 1 << 10, WFI_CORES_LEAST = 1 << 7 };

typedef struct wfi_masses {
    uint64_t *out, *in; /* in: NULL where there is one mass only */
} wfi_masses;

typedef struct wfi_leiden_cpu {
    weft_ctx *ctx;
    const wfi_community_task *task;
    wfi_community_columns columns;
    double unit, rate;
    bool two, wide; /* two masses; weights of 64 bits */
    int threads;

    wfi_sum_rows graph, coarse[2]; /* the graph's rows, and those of levels in turn */
    wfi_sum_rows *rows;            /* of this level, ... */
    weft_vid *cut;                 /* ... in spans: where each begins */
    int spans;
    wfi_masses strength;            /* of the graph's vertices; 0: it has no arcs that count, and stays out of it */
    wfi_masses graph_mass, mass[2]; /* of vertices: the graph's, and those of levels in turn */
    wfi_masses *now;
    weft_vid *community[2], *member; /* of this level's vertices, in turn */
    int turn;
    wfi_masses total;    /* of communities */
    wfi_masses incoming; /* CPM: of those who would join them in a turn; 0 between turns */
    double *more;        /* CPM: what a vertex would gain */
    uint8_t *active;     /* 0, or 1 + the class of this round */
    uint64_t awake;      /* arcs of those that are */
    uint64_t *slack;     /* wfi_community_slack, less what went over since; 0 of a vertex that has moved */
    weft_vid *goes;      /* of those who have moved: where they come from */
    weft_vid *movers;
    weft_vid *set; /* of refinement: each vertex's set, named after a member */
    wfi_masses set_mass;
    uint64_t *bound; /* weight between a set and the rest of its community */
    uint8_t *grown;  /* has it several members? */
    weft_vid *alone; /* those that could still join a set, ... */
    uint64_t count;  /* ... and how many they are */
    weft_vid *part, *at, *stored, *first;
    wfi_tallies tallies;
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

/* What a thread adds to masses, some of it kept back, so that threads do not contend for a large community. */
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

/* For each row of a loop: asked at every 256th. */
static inline bool wfi_leiden_cpu_stop_at(wfi_leiden_cpu *m, weft_vid v) {
    return v % WFI_CORES_ROWS ? __atomic_load_n(&m->stop, __ATOMIC_RELAXED) : wfi_leiden_cpu_stop(m);
}

static inline weft_status wfi_leiden_cpu_status(wfi_leiden_cpu *m) {
    return __atomic_load_n(&m->stop, __ATOMIC_RELAXED) ? wfi_fail_cancelled(m->ctx) : WEFT_OK;
}

/* Threads for something done for each vertex of the level, for so many arcs that are looked at, and for all of the
 * level's. */
static inline int wfi_leiden_cpu_for_vertices(const wfi_leiden_cpu *m) {
    return wfi_threads_for(m->ctx, m->rows->n, WFI_CORES_EACH);
}
static inline int wfi_leiden_cpu_for_some(const wfi_leiden_cpu *m, uint64_t arcs) {
    return wfi_threads_for(m->ctx, arcs, WFI_CORES_FAR_EACH);
}
static inline int wfi_leiden_cpu_for_arcs(const wfi_leiden_cpu *m) { return wfi_leiden_cpu_for_some(m, m->rows->room); }
static inline int wfi_leiden_cpu_for_graph(const wfi_leiden_cpu *m) {
    return wfi_leiden_cpu_for_some(m, m->graph.room);
}
/* Of a list of vertices: so many at once, since those with long rows lie beside each other. */
static inline int wfi_leiden_cpu_at_once(const wfi_leiden_cpu *m, uint64_t count) {
    return (int)wfi_min_u64(64, count / (8 * (unsigned)m->threads) + 1);
}

static inline bool wfi_leiden_cpu_takes_part(const wfi_leiden_cpu *m, weft_vid v) {
    return m->strength.out[v] || (m->strength.in && m->strength.in[v]);
}

/* Keys are read some at a time, and what they lead to is asked for, so that many reads are under way. */
enum { WFI_CORES_AT_ONCE = 32 };

typedef weft_vid wfi_choose_fn(wfi_leiden_cpu *m, weft_vid v, uint64_t key, const wfi_accumulator *t);

/* The choice of a row, whatever its length. */
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
weft_status wfi_leiden_cpu_begin(void *machine_, uint64_t *vanished);
weft_status wfi_leiden_cpu_moving(void *machine_);
weft_status wfi_leiden_cpu_round(void *machine_, wfi_community_keys keys, uint64_t *moved);
weft_status wfi_leiden_cpu_refining(void *machine_);
weft_status wfi_leiden_cpu_refine_round(void *machine_, wfi_community_keys keys, uint64_t *candidates);

/* These are the level's rows. */
void wfi_leiden_cpu_take_rows(wfi_leiden_cpu *m, wfi_sum_rows *rows);
/* Masses of communities, or of the `count` parts of a partition, from those of their vertices. */
void wfi_leiden_cpu_add_up(wfi_leiden_cpu *m, const weft_vid *label, const wfi_masses *each, weft_vid count,
                           const wfi_masses *to);
/* least[x]: the smallest value[v] of the v that have key x; WEFT_NO_VERTEX is no value. */
void wfi_leiden_cpu_find_least(wfi_leiden_cpu *m, weft_vid n, const weft_vid *key, const weft_vid *value,
                               weft_vid *least);
/* A label becomes the smallest vertex that has the same key and takes part. */
void wfi_leiden_cpu_name_after_least(wfi_leiden_cpu *m, const weft_vid *key);

#endif
