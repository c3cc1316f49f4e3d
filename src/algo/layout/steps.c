/* Force-directed steps on CPU cores: Barnes-Hut repulsion and attraction along edges (forces.h) [1].
 * Method: leaves of the tree are distributed over threads; the vertices of a leaf are moved together, so that the inner
 * loops over them vectorise.  Each vertex adds its own force in the order of the tree and of its row, independently of
 * the thread.
 * [1] Barnes, Hut, "A hierarchical O(N log N) force-calculation algorithm", Nature 324, 1986. */
#include "algo/layout/layout.h"

enum { LEAVES = 16 /* per chunk of a thread */, TEAM_LEAVES = 128, VERTICES = 1 << 12 };

void wfi_steps_lay_out(wfi_workspace *w, const weft_ctx *ctx, weft_vid n, wfi_steps *s) {
    uint64_t padded = (uint64_t)wfi_leaves(n) * WFI_LEAF;
    wfi_array_within(w, &s->other, n);
    wfi_array_within(w, &s->key, n);
    wfi_array_within(w, &s->order, n);
    wfi_sort_lay_out(w, ctx, n, &s->sort);
    wfi_array_within(w, &s->x, padded);
    wfi_array_within(w, &s->y, padded);
    wfi_array_within(w, &s->m, padded);
    wfi_array_within(w, &s->cells, wfi_tree_cells(n));
}

/* `box` may be that of the last step's positions: points outside it are clamped to its border. */
static weft_status sort_vertices(weft_ctx *ctx, wfi_steps *s, const wfi_level *level, const wfi_point *at,
                                 const wfi_layout_cell *box) {
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, level->n, VERTICES))
    for (weft_vid v = 0; v < level->n; v++) {
        s->key[v] = wfi_curve_place(at[v], box);
        s->order[v] = v;
    }
    return wfi_sort_pairs_in(ctx, &s->sort, s->key, s->order, level->n, 2 * WFI_CURVE_BITS);
}

/* The vertices in order, padded by vertices without mass, and the cells of the tree. */
static void build_tree(weft_ctx *ctx, const wfi_steps *s, const wfi_level *level, const wfi_point *at,
                       const wfi_tree *t) {
    weft_vid n = level->n;
#pragma omp parallel for schedule(static) num_threads(wfi_threads_for(ctx, n, VERTICES))
    for (uint32_t leaf = 0; leaf < t->count[0]; leaf++) {
        uint32_t from = leaf * WFI_LEAF, count = n - from < WFI_LEAF ? n - from : WFI_LEAF;
        for (uint32_t i = from; i < from + WFI_LEAF; i++) {
            weft_vid v = s->order[i < n ? i : n - 1];
            s->x[i] = at[v].x;
            s->y[i] = at[v].y;
            s->m[i] = i >= n ? 0 : level->mass ? level->mass[v] : 1;
        }
        s->cells[leaf] = wfi_leaf_of(s->x + from, s->y + from, s->m + from, count);
    }
    for (int h = 1; h < t->heights; h++)
        for (uint32_t i = 0; i < t->count[h]; i++) s->cells[t->first[h] + i] = wfi_cell_of(t, s->cells, h, i);
}

/* Repulsion of one vertex or cell on the vertices of a leaf at px and py. */
static inline void push(wfi_point from, float m, const float *restrict px, const float *restrict py, float *restrict fx,
                        float *restrict fy) {
    for (int k = 0; k < WFI_LEAF; k++) wfi_push(from, m, (wfi_point){px[k], py[k]}, &fx[k], &fy[k]);
}

static void push_leaf(const wfi_steps *s, const wfi_tree *t, uint32_t leaf, float *restrict fx, float *restrict fy) {
    const wfi_layout_cell *box = &s->cells[leaf];
    const float *px = s->x + (size_t)leaf * WFI_LEAF, *py = s->y + (size_t)leaf * WFI_LEAF;
    wfi_walk_place p = {t->heights - 1, 0};
    do {
        const wfi_layout_cell *c = &s->cells[t->first[p.height] + p.i];
        bool far = wfi_is_far(c, box);
        while (!far && p.height) { /* down to a cell that is far enough, or to a leaf */
            wfi_walk_open(&p);
            c = &s->cells[t->first[p.height] + p.i];
            far = wfi_is_far(c, box);
        }
        if (far)
            push((wfi_point){c->x, c->y}, c->m, px, py, fx, fy);
        else
            for (uint32_t i = p.i * WFI_LEAF; i < (p.i + 1) * WFI_LEAF; i++)
                push((wfi_point){s->x[i], s->y[i]}, s->m[i], px, py, fx, fy);
    } while (wfi_walk_pass(t, &p));
}

/* Moves the vertices of a leaf from r->at to r->steps.other. */
static void move_leaf(const wfi_levels *r, const wfi_level *level, const wfi_tree *t, uint32_t leaf, float length) {
    const wfi_steps *s = &r->steps;
    const wfi_point *at = r->at;
    wfi_point *to = s->other;
    float fx[WFI_LEAF] = {0}, fy[WFI_LEAF] = {0};
    uint32_t from = leaf * WFI_LEAF, count = level->n - from < WFI_LEAF ? level->n - from : WFI_LEAF;
    push_leaf(s, t, leaf, fx, fy);
    for (uint32_t k = 0; k < count; k++) {
        weft_vid v = s->order[from + k];
        float by = WFI_REPULSION * s->m[from + k], x = by * fx[k], y = by * fy[k];
        for (weft_eid e = level->offsets[v]; e < level->offsets[v + 1]; e++)
            wfi_pull_by(at[v], at[level->targets[e]], level->weights ? level->weights[e] : 1, &x, &y);
        to[v] = wfi_moved(at[v], x, y, length);
    }
}

wfi_layout_cell wfi_box_of(const wfi_point *at, weft_vid n) {
    wfi_layout_cell box = wfi_cell_none();
    for (weft_vid v = 0; v < n; v++) {
        wfi_layout_cell one = {at[v].x, at[v].y, at[v].x, at[v].y, 0, 0, 0, 0};
        wfi_cell_add(&box, &one);
    }
    return box;
}

weft_status wfi_relax_cpu(weft_ctx *ctx, wfi_levels *r, const wfi_level *level, const wfi_cooling *how) {
    wfi_steps *s = &r->steps;
    wfi_tree t = wfi_tree_of(level->n);
    wfi_layout_cell box = wfi_box_of(r->at, level->n);
    for (unsigned step = 0; step < how->steps; step++) {
        float length = wfi_step_length(how, step);
        weft_status st = sort_vertices(ctx, s, level, r->at, &box);
        if (st) return st;
        wfi_progress(ctx, "layout", r->done, r->total);
        build_tree(ctx, s, level, r->at, &t);
        box = s->cells[t.first[t.heights - 1]];
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(ctx, t.count[0], TEAM_LEAVES))
        for (uint32_t first = 0; first < t.count[0]; first += LEAVES) {
            uint32_t end = t.count[0] - first < LEAVES ? t.count[0] : first + LEAVES;
            if (wfi_cancelled(ctx)) continue;
            for (uint32_t leaf = first; leaf < end; leaf++) move_leaf(r, level, &t, leaf, length);
        }
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        wfi_point *swap = r->at;
        r->at = s->other;
        s->other = swap;
        r->done += level->n;
    }
    return WEFT_OK;
}
