/* The arithmetic of layout, for CPU and GPU: IEEE + - * / and square roots in one order, without contraction, so that
 * both give the same bits.
 *
 * Forces (spring-electrical model): an edge pulls its ends together by weight * distance^2; each two vertices repel
 * each other by REPULSION * mass * mass / distance.  A vertex moves along its force by a length that is the same for
 * all vertices and shrinks from step to step.
 *
 * Repulsion (Barnes and Hut): vertices are sorted along a Hilbert curve.  WFI_LEAF consecutive vertices are a leaf,
 * WFI_FAN consecutive cells are a cell of the next height, up to a single root.  The tree is complete and needs no
 * links: cell i of a height has the children WFI_FAN * i, WFI_FAN * i + 1, ... of the height below.  The vertices of a
 * leaf walk the tree together: a cell that is small against its distance from the leaf's box acts as one vertex at its
 * centre of mass. */
#ifndef WFI_LAYOUT_FORCES_H
#define WFI_LAYOUT_FORCES_H

#include "core/core.h"

#include <math.h>

enum { WFI_LEAF = 16, WFI_FAN = 4, WFI_MOST_HEIGHTS = 16, WFI_CURVE_BITS = 16 };

#define WFI_REPULSION 0.2f
#define WFI_NEAR \
    1e-9f /* added to squared distances: no division by 0, and vertices at the same position exert no force */
#define WFI_OPENING \
    1.0f /* squared opening criterion: a cell is opened if its width is at least this multiple of its distance */

typedef struct wfi_point {
    float x, y;
} wfi_point;

typedef struct wfi_layout_cell {
    float x0, y0, x1, y1; /* box */
    float x, y, m;        /* centre of mass, and mass */
    float pad;
} wfi_layout_cell;

/* First cell and number of cells of each height, leaves first. */
typedef struct wfi_tree {
    uint32_t first[WFI_MOST_HEIGHTS], count[WFI_MOST_HEIGHTS];
    int heights;
} wfi_tree;

WFI_HOST_DEVICE static inline uint32_t wfi_leaves(uint32_t n) { return n / WFI_LEAF + (n % WFI_LEAF != 0); }

WFI_HOST_DEVICE static inline wfi_tree wfi_tree_of(uint32_t n) {
    wfi_tree t;
    uint32_t at = 0, count = wfi_leaves(n);
    t.heights = 0;
    for (;; count = count / WFI_FAN + (count % WFI_FAN != 0)) {
        t.first[t.heights] = at;
        t.count[t.heights++] = count;
        at += count;
        if (count <= 1) return t;
    }
}

/* Upper bound of the number of cells. */
WFI_HOST_DEVICE static inline uint64_t wfi_tree_cells(uint32_t n) {
    wfi_tree t = wfi_tree_of(n);
    return (uint64_t)t.first[t.heights - 1] + t.count[t.heights - 1];
}

WFI_HOST_DEVICE static inline void wfi_cell_add(wfi_layout_cell *c, const wfi_layout_cell *part) {
    c->x0 = part->x0 < c->x0 ? part->x0 : c->x0;
    c->y0 = part->y0 < c->y0 ? part->y0 : c->y0;
    c->x1 = part->x1 > c->x1 ? part->x1 : c->x1;
    c->y1 = part->y1 > c->y1 ? part->y1 : c->y1;
    c->x = c->x + part->m * part->x;
    c->y = c->y + part->m * part->y;
    c->m = c->m + part->m;
}

WFI_HOST_DEVICE static inline wfi_layout_cell wfi_cell_none(void) {
    wfi_layout_cell c = {INFINITY, INFINITY, -INFINITY, -INFINITY, 0, 0, 0, 0};
    return c;
}

WFI_HOST_DEVICE static inline void wfi_cell_settle(wfi_layout_cell *c) {
    c->x = c->x / c->m;
    c->y = c->y / c->m;
}

/* The cell of a leaf with `count` vertices. */
WFI_HOST_DEVICE static inline wfi_layout_cell wfi_leaf_of(const float *x, const float *y, const float *m,
                                                          uint32_t count) {
    wfi_layout_cell c = wfi_cell_none();
    for (uint32_t i = 0; i < count; i++) {
        wfi_layout_cell one = {x[i], y[i], x[i], y[i], x[i], y[i], m[i], 0};
        wfi_cell_add(&c, &one);
    }
    wfi_cell_settle(&c);
    return c;
}

/* Cell i of a height above the leaves, from its children. */
WFI_HOST_DEVICE static inline wfi_layout_cell wfi_cell_of(const wfi_tree *t, const wfi_layout_cell *cells, int height,
                                                          uint32_t i) {
    const wfi_layout_cell *below = cells + t->first[height - 1];
    uint32_t from = i * WFI_FAN, end = t->count[height - 1] - from < WFI_FAN ? t->count[height - 1] : from + WFI_FAN;
    wfi_layout_cell c = wfi_cell_none();
    for (uint32_t k = from; k < end; k++) wfi_cell_add(&c, &below[k]);
    wfi_cell_settle(&c);
    return c;
}

/* Opening criterion: is the cell small against its distance from the box? */
WFI_HOST_DEVICE static inline bool wfi_is_far(const wfi_layout_cell *c, const wfi_layout_cell *box) {
    float dx = c->x < box->x0 ? box->x0 - c->x : c->x > box->x1 ? c->x - box->x1 : 0;
    float dy = c->y < box->y0 ? box->y0 - c->y : c->y > box->y1 ? c->y - box->y1 : 0;
    float width = c->x1 - c->x0, height = c->y1 - c->y0, size = width > height ? width : height;
    return size * size < WFI_OPENING * (dx * dx + dy * dy);
}

/* A depth-first walk of the tree, which opens or passes each cell; the walk is over when the step returns false. */
typedef struct wfi_walk_place {
    int height;
    uint32_t i;
} wfi_walk_place;

WFI_HOST_DEVICE static inline void wfi_walk_open(wfi_walk_place *p) {
    p->height--;
    p->i *= WFI_FAN;
}

WFI_HOST_DEVICE static inline bool wfi_walk_pass(const wfi_tree *t, wfi_walk_place *p) {
    p->i++;
    if (p->i == t->count[p->height]) return false; /* the last cell of its height, and so are its ancestors */
    while (p->i % WFI_FAN == 0) {
        p->i /= WFI_FAN;
        p->height++;
    }
    return true;
}

WFI_HOST_DEVICE static inline float wfi_root(float x) { return sqrtf(x); }

/* Repulsion of a vertex or cell of mass m on a vertex, without the factors REPULSION and the latter's mass. */
WFI_HOST_DEVICE static inline void wfi_push(wfi_point from, float m, wfi_point on, float *fx, float *fy) {
    float dx = on.x - from.x, dy = on.y - from.y, by = m / (dx * dx + dy * dy + WFI_NEAR);
    *fx = *fx + by * dx;
    *fy = *fy + by * dy;
}

/* Attraction along an arc. */
WFI_HOST_DEVICE static inline void wfi_pull_by(wfi_point here, wfi_point there, float weight, float *fx, float *fy) {
    float dx = there.x - here.x, dy = there.y - here.y, pull = weight * wfi_root(dx * dx + dy * dy);
    *fx = *fx + pull * dx;
    *fy = *fy + pull * dy;
}

WFI_HOST_DEVICE static inline wfi_point wfi_moved(wfi_point from, float fx, float fy, float length) {
    float force = wfi_root(fx * fx + fy * fy);
    wfi_point to = from;
    if (force > 0 && force < INFINITY) {
        to.x = from.x + fx / force * length;
        to.y = from.y + fy / force * length;
    }
    return to;
}

/* Index of a point along a Hilbert curve through the box. */
WFI_HOST_DEVICE static inline uint32_t wfi_curve_place(wfi_point p, const wfi_layout_cell *box) {
    float width = box->x1 - box->x0, height = box->y1 - box->y0, size = width > height ? width : height;
    const float last = (float)((1 << WFI_CURVE_BITS) - 1);
    float fx = size > 0 ? (p.x - box->x0) / size * last : 0, fy = size > 0 ? (p.y - box->y0) / size * last : 0;
    uint32_t x = fx > 0 ? (uint32_t)(fx < last ? fx : last) : 0, y = fy > 0 ? (uint32_t)(fy < last ? fy : last) : 0;
    uint32_t place = 0;
    for (uint32_t s = 1u << (WFI_CURVE_BITS - 1); s; s >>= 1) {
        uint32_t rx = (x & s) != 0, ry = (y & s) != 0;
        place = place << 2 | ((3 * rx) ^ ry);
        if (!ry) { /* rotate the quadrant */
            uint32_t swap = x;
            if (rx) {
                x = ~x;
                y = ~y;
                swap = x;
            }
            x = y;
            y = swap;
        }
    }
    return place;
}

#endif
