/* layout: declarations shared by its files.
 *
 * A component is laid out by levels [1]: coarse.c contracts pairs of vertices until few are left.  From the coarsest
 * level back to the component, the vertices of each level start at the position of their pair and are moved by forces
 * (forces.h).  A vertex of a level has a mass, the number of the component's vertices in it, and an arc a weight, the
 * number of the component's edges in it: the forces of every level approximate those of the component.  If vertices
 * have groups, an arc within a group has the weight WFI_TOGETHER from the start: it pulls harder and is contracted
 * sooner.
 * [1] Hu, "Efficient, high-quality force-directed graph drawing", The Mathematica Journal 10, 2005. */
#ifndef WFI_LAYOUT_H
#define WFI_LAYOUT_H

#include "algo/layout/forces.h"
#include "core/scan.h"
#include "engines/union_find/weak_parts.h"
#include "run/algorithm.h"
#include "weft/layout.h"

WFI_C_BEGIN

typedef struct wfi_level {
    weft_vid n;
    const weft_eid *offsets;
    const weft_vid *targets;
    const float *weights; /* NULL: 1 each */
    const float *mass;    /* NULL: 1 each */
    weft_vid *parent;     /* the vertex of the next coarser level for each vertex; NULL in the coarsest level */
} wfi_level;

#define WFI_TOGETHER 8.0f

enum { WFI_MOST_LEVELS = 80 }; /* each level but the last has at most 9/16 of the vertices of the one before */

/* coarse.c */
typedef struct wfi_coarse_rows {
    weft_eid *offsets;
    weft_vid *targets;
    float *weights, *mass;
} wfi_coarse_rows;
typedef struct wfi_coarse {
    uint64_t vertex_capacity, arc_capacity; /* vertices and arcs of all levels but the finest together */
    weft_vid most;
    wfi_coarse_rows kept, between[2]; /* all levels, one after the other; the graphs between two levels */
    weft_vid *parent;                 /* of all levels */
    /* Scratch: partner of each vertex; smaller member of each pair; pair of each vertex. */
    weft_vid *mate, *first, *next;
    weft_vid *mark; /* of each thread */
} wfi_coarse;
void wfi_coarse_lay_out(wfi_workspace *w, const weft_ctx *ctx, weft_vid n, uint64_t arcs, wfi_coarse *c);
/* Fills level[1] ... from level[0]; *count = number of levels. */
weft_status wfi_coarsen(weft_ctx *ctx, const wfi_coarse *c, wfi_level level[WFI_MOST_LEVELS], int *count);

/* Schedule of a level: `steps` moves, the first by the length `first`. */
typedef struct wfi_cooling {
    unsigned steps;
    float first;
} wfi_cooling;
static inline float wfi_step_length(const wfi_cooling *how, unsigned step) {
    float left = (float)(how->steps - step) / (float)how->steps;
    return how->first * left * left * left;
}

/* steps.c: forces on the CPU. */
typedef struct wfi_steps {
    wfi_point *other; /* positions after a step */
    uint64_t *key;
    uint32_t *order; /* vertices along a Hilbert curve */
    wfi_sort_scratch sort;
    float *x, *y, *m; /* sorted by `order` */
    wfi_layout_cell *cells;
} wfi_steps;
void wfi_steps_lay_out(wfi_workspace *w, const weft_ctx *ctx, weft_vid n, wfi_steps *s);

/* levels.c */
typedef struct wfi_arc_sums {
    double cubes, weights;
} wfi_arc_sums;
typedef struct wfi_levels {
    wfi_coarse coarse;
    wfi_steps steps;
    wfi_point *at;
    wfi_arc_sums *sums;
    /* Moves r->at; may exchange r->at and r->steps.other. */
    weft_status (*relax)(weft_ctx *ctx, struct wfi_levels *r, const wfi_level *level, const wfi_cooling *how);
    void *by;             /* the relaxing engine's own data */
    uint64_t done, total; /* vertices moved and to be moved, for the progress */
} wfi_levels;
void wfi_levels_lay_out(wfi_workspace *w, const weft_ctx *ctx, weft_vid n, uint64_t arcs, wfi_levels *r);
/* Lays out a connected graph of at least 2 vertices; the answer is in r->at. */
weft_status wfi_lay_out_component(weft_ctx *ctx, wfi_levels *r, const wfi_level *finest, const weft_layout_params *p);
wfi_layout_cell wfi_box_of(const wfi_point *at, weft_vid n);
weft_status wfi_relax_cpu(weft_ctx *ctx, wfi_levels *r, const wfi_level *level, const wfi_cooling *how);

/* Sort key of a component: by descending size, then by ascending first vertex. */
static inline uint64_t wfi_part_key(weft_vid first, weft_vid size) {
    return (uint64_t)(UINT32_MAX - size) << 32 | first;
}
static inline weft_vid wfi_part_first(uint64_t part) { return (weft_vid)part; }
static inline weft_vid wfi_part_size(uint64_t part) { return UINT32_MAX - (weft_vid)(part >> 32); }

/* pack.c */
typedef struct wfi_layout_box {
    float x0, y0, x1, y1;
} wfi_layout_box;
/* Turns and scales a component around the origin, and writes it to the columns. */
wfi_layout_box wfi_frame_part(const wfi_level *l, const wfi_point *at, const weft_vid *vertex, float *x, float *y);
/* Moves all components to their final positions.  frame: boxes of the components with more than one vertex. */
void wfi_pack_parts(const wfi_weak_parts *parts, const uint64_t *part, weft_vid count, const wfi_layout_box *frame,
                    float *x, float *y);

/* layout.c: a run with any engine for relaxing levels.  It fills the columns. */
typedef struct wfi_layout_arrays {
    float *x, *y; /* the columns */
    wfi_weak_parts parts;
    uint64_t *part; /* all components, the largest first */
    float *pull;    /* weights of the components' arcs, if there are groups */
    wfi_layout_box *frame;
    wfi_levels levels;
} wfi_layout_arrays;
void wfi_layout_lay_out(wfi_workspace *w, const weft_ctx *ctx, const weft_graph *g, const weft_layout_params *p,
                        wfi_layout_arrays *a);
weft_status wfi_layout_run(wfi_job *job, wfi_layout_arrays *a);

/* layout_cuda.cu */
void wfi_layout_plan_cuda(const weft_ctx *ctx, const weft_graph *g, const void *params, wfi_choice *choice);
weft_status wfi_layout_run_cuda(wfi_job *job);

WFI_C_END
#endif
