/* Packing of components side by side: shelf packing around the largest.
 * Method: each component is turned to its principal axis and scaled so that vertices lie about 1 apart.  The largest is
 * in the middle; the others are placed on shelves along the sides of the packed area, the larger ones nearer the
 * middle.  Vertices without neighbours form a grid below.  Arithmetic in a fixed order, by one thread. */
#include "algo/layout/layout.h"

#include <math.h>

static const double GAP = 2, APART = 1.5; /* distance between components; distance between isolated vertices */

/* The mean position of the component's vertices. */
static wfi_point mean_of(const wfi_point *at, weft_vid n) {
    double x = 0, y = 0;
    for (weft_vid i = 0; i < n; i++) {
        x += (double)at[i].x;
        y += (double)at[i].y;
    }
    return (wfi_point){(float)(x / n), (float)(y / n)};
}

/* The mean over all vertices of the distance to the nearest neighbour. */
static double nearest_neighbour(const wfi_level *l, const wfi_point *at) {
    double sum = 0;
    for (weft_vid v = 0; v < l->n; v++) {
        double least = INFINITY;
        for (weft_eid e = l->offsets[v]; e < l->offsets[v + 1]; e++) {
            double dx = (double)at[l->targets[e]].x - (double)at[v].x,
                   dy = (double)at[l->targets[e]].y - (double)at[v].y;
            least = fmin(least, dx * dx + dy * dy);
        }
        sum += sqrt(least);
    }
    return sum / l->n;
}

/* A rotation to the principal axis, times a scale. */
typedef struct turn {
    double cos, sin;
} turn;

static turn turn_of(const wfi_level *l, const wfi_point *at, wfi_point middle) {
    double xx = 0, xy = 0, yy = 0;
    for (weft_vid i = 0; i < l->n; i++) {
        double dx = (double)at[i].x - (double)middle.x, dy = (double)at[i].y - (double)middle.y;
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    double half = (xx - yy) / 2, root = sqrt(half * half + xy * xy);
    double a = half >= 0 ? half + root : xy, b = half >= 0 ? xy : root - half, length = sqrt(a * a + b * b);
    /* The larger of two scales: one vertex per unit of area, if they were spread evenly over a disc, and a mean
     * distance of 1 to the nearest neighbour. */
    double spread = sqrt((xx + yy) / l->n), dense = spread > 0 ? sqrt(l->n / 6.283185307179586) / spread : 1;
    double near = nearest_neighbour(l, at), scale = near > 0 ? fmax(1 / near, dense) : dense;
    if (!(length > 0)) return (turn){scale, 0};
    return (turn){scale * a / length, scale * b / length};
}

wfi_layout_box wfi_frame_part(const wfi_level *l, const wfi_point *at, const weft_vid *vertex, float *x, float *y) {
    wfi_point middle = mean_of(at, l->n);
    turn t = turn_of(l, at, middle);
    wfi_layout_box f = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (weft_vid i = 0; i < l->n; i++) {
        double dx = (double)at[i].x - (double)middle.x, dy = (double)at[i].y - (double)middle.y;
        float px = (float)(t.cos * dx + t.sin * dy), py = (float)(t.cos * dy - t.sin * dx);
        x[vertex[i]] = px;
        y[vertex[i]] = py;
        f = (wfi_layout_box){fminf(f.x0, px), fminf(f.y0, py), fmaxf(f.x1, px), fmaxf(f.y1, py)};
    }
    return f;
}

/* --- shelves -------------------------------------------------------------------------- */

typedef struct box {
    double x0, y0, x1, y1;
} box;

enum { RIGHT, TOP, LEFT, BOTTOM };

/* The packed area, and the shelf that is being filled along one of its sides. */
typedef struct packing {
    box all;
    int side, sides; /* `sides` counts the sides used so far */
    double at, end;  /* along the shelf: current position and end */
    double depth;
} packing;

static void close_shelf(packing *p) {
    if (p->side == RIGHT) p->all.x1 += p->depth;
    if (p->side == LEFT) p->all.x0 -= p->depth;
    if (p->side == TOP) p->all.y1 += p->depth;
    if (p->side == BOTTOM) p->all.y0 -= p->depth;
    bool upright = p->side == RIGHT || p->side == LEFT;
    if (upright) p->all.y1 = fmax(p->all.y1, p->at);
    if (!upright) p->all.x1 = fmax(p->all.x1, p->at);
}

static void open_shelf(packing *p) {
    bool upright = p->all.x1 - p->all.x0 <= p->all.y1 - p->all.y0; /* the longer sides are the vertical ones */
    p->side = upright ? p->sides % 2 ? LEFT : RIGHT : p->sides % 2 ? BOTTOM : TOP;
    p->sides++;
    p->at = upright ? p->all.y0 : p->all.x0;
    p->end = upright ? p->all.y1 : p->all.x1;
    p->depth = 0;
}

/* Places a frame of the given width and height, gaps included; (*x, *y) is its lower left corner. */
static void put_frame(packing *p, double width, double height, double *x, double *y) {
    bool upright = p->side == RIGHT || p->side == LEFT;
    double along = upright ? height : width, across = upright ? width : height;
    if (p->depth > 0 && p->at + along > p->end) {
        close_shelf(p);
        open_shelf(p);
        upright = p->side == RIGHT || p->side == LEFT;
        along = upright ? height : width;
        across = upright ? width : height;
    }
    double beside = p->side == RIGHT  ? p->all.x1
                    : p->side == TOP  ? p->all.y1
                    : p->side == LEFT ? p->all.x0 - across
                                      : p->all.y0 - across;
    *x = upright ? beside : p->at;
    *y = upright ? p->at : beside;
    p->at += along;
    p->depth = fmax(p->depth, across);
}

static box pack_frames(const wfi_weak_parts *parts, const uint64_t *part, const wfi_layout_box *frame, weft_vid count,
                       float *x, float *y) {
    const wfi_layout_box *f = &frame[0];
    packing p = {.all = {(double)f->x0, (double)f->y0, (double)f->x1 + GAP, (double)f->y1 + GAP}};
    open_shelf(&p);
    for (weft_vid k = 1; k < count; k++) {
        double left, low;
        f = &frame[k];
        put_frame(&p, (double)(f->x1 - f->x0) + GAP, (double)(f->y1 - f->y0) + GAP, &left, &low);
        weft_vid first = wfi_part_first(part[k]), end = first + wfi_part_size(part[k]);
        for (weft_vid i = first; i < end; i++) {
            weft_vid v = parts->order[i];
            x[v] = (float)(left + (double)(x[v] - f->x0));
            y[v] = (float)(low + (double)(y[v] - f->y0));
        }
    }
    if (p.depth > 0) close_shelf(&p);
    return p.all;
}

void wfi_pack_parts(const wfi_weak_parts *parts, const uint64_t *part, weft_vid count, const wfi_layout_box *frame,
                    float *x, float *y) {
    weft_vid framed = 0;
    while (framed < count && wfi_part_size(part[framed]) > 1) framed++;
    box all = {0, 0, 0, 0};
    if (framed) all = pack_frames(parts, part, frame, framed, x, y);
    weft_vid alone = count - framed;
    /* A block twice as wide as high, at most as wide as the packed components, unless these are narrower than a
     * square. */
    double columns =
        fmax(1, fmin(ceil(2 * sqrt((double)alone)), floor(fmax((all.x1 - all.x0) / APART, sqrt((double)alone)))));
    for (weft_vid k = 0; k < alone; k++) {
        weft_vid v = parts->order[wfi_part_first(part[framed + k])];
        double row = floor(k / columns), column = k - row * columns;
        x[v] = (float)(all.x0 + APART * column);
        y[v] = (float)(all.y0 - (framed ? GAP : 0) - APART * row);
    }
}
