/* The graph of the largest communities, drawn: a circle for each, its area by the number of vertices, and lines with
 * widths by the number of edges between. Method: edges between communities are counted, each community is joined to the
 * few with the most common edges, and that graph is laid out (weft layout); overlapping circles then push each other
 * apart until none overlap.  Communities without such edges stand in lines below. */
#include "report/graph_report.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_CIRCLES = 40,
    STRONGEST = 3, /* links of each community in the layout */
    MOST_PUSHES = 1000,
    GRID = 10000
};
static const double COVERED = 0.3, /* of the drawing, by circles */
    SMALLEST = 0.1,                /* radius, for that of the largest */
    GAP = 0.25;                    /* between two circles, for the mean of their radii */

/* Symmetric; the diagonal is 0. */
static int count_between(report *r, report_circles *c) {
    weft_csr out = {.size = sizeof out};
    weft_status st = weft_graph_out(r->ctx, r->g, &out);
    if (st) return cli_fail_status(r->ctx, st);
    for (weft_vid u = 0; u < out.vertices; u++) {
        size_t a = r->community[u];
        for (weft_eid e = out.offsets[u]; a < c->count && e < out.offsets[u + 1]; e++) {
            size_t b = r->community[out.targets[e]];
            if (b >= c->count || b == a) continue;
            c->between[a * c->count + b]++;
            if (r->info.directed) c->between[b * c->count + a]++;
        }
    }
    return EXIT_DONE;
}

/* The neighbour of community a with the most edges, after `last`; count: there is none. */
static size_t next_strongest(const report_circles *c, size_t a, size_t last) {
    const uint64_t *row = c->between + a * c->count;
    size_t best = c->count;
    for (size_t b = 0; b < c->count; b++) {
        bool later = last == c->count || row[b] < row[last] || (row[b] == row[last] && b > last);
        if (row[b] && later && (best == c->count || row[b] > row[best])) best = b;
    }
    return best;
}

static int lay_out(report *r, const report_circles *c, weft_result **places) {
    weft_vid from[MOST_CIRCLES * STRONGEST], to[MOST_CIRCLES * STRONGEST];
    weft_eid links = 0;
    weft_graph *g = NULL;
    for (size_t a = 0; a < c->count; a++)
        for (size_t k = 0, b = c->count; k < STRONGEST && (b = next_strongest(c, a, b)) < c->count; k++) {
            from[links] = (weft_vid)a;
            to[links++] = (weft_vid)b;
        }
    weft_status st =
        weft_graph_from_edges(r->ctx, (weft_vid)c->count, links, from, to, NULL, WEFT_WEIGHT_NONE, NULL, &g);
    if (st) return cli_fail_status(r->ctx, st);
    r->part = g;
    int code = report_run(r, "layout", NULL, "places of communities", "an arrangement, one of many", places);
    r->part = NULL;
    weft_graph_free(g);
    return code;
}

typedef struct box {
    double left, bottom, right, top;
} box;

/* The communities that are joined, or all. */
static box box_of(const report_circles *c, bool all) {
    box b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < c->count; i++) {
        const report_circle *o = &c->circle[i];
        if (!all && !o->joined) continue;
        b = (box){fmin(b.left, o->x - o->radius), fmin(b.bottom, o->y - o->radius), fmax(b.right, o->x + o->radius),
                  fmax(b.top, o->y + o->radius)};
    }
    return b.left <= b.right ? b : (box){0, 0, 0, 0};
}

/* Scales circles to cover a given share of the bounding box of their centres. */
static void size_circles(report_circles *c, const report_part *parts) {
    box b = box_of(c, false);
    double all = 0, area = fmax(1, b.right - b.left) * fmax(1, b.top - b.bottom);
    for (size_t i = 0; i < c->count; i++) all += parts[i].size;
    double largest = sqrt(COVERED * area / 3.141592653589793 * parts[0].size / all);
    for (size_t i = 0; i < c->count; i++)
        c->circle[i].radius = largest * fmax(SMALLEST, sqrt((double)parts[i].size / parts[0].size));
}

/* Places them from left to right below the others, the largest first, in a row as wide as these or as the largest
 * six. */
static void line_up(report_circles *c) {
    box b = box_of(c, false);
    double wide = fmax(b.right - b.left, 12 * c->circle[0].radius), x = b.left, y = b.bottom, high = 0;
    for (size_t i = 0; i < c->count; i++) {
        report_circle *o = &c->circle[i];
        double side = (2 + GAP) * o->radius;
        if (o->joined) continue;
        if (high > 0 && x + side > b.left + wide) x = b.left, y -= high, high = 0;
        o->x = x + side / 2;
        o->y = y - side / 2;
        x += side;
        high = fmax(high, side);
    }
}

/* Moves each pair that is too near apart, each by half of the missing distance; true if there was one. */
static bool push_apart(report_circles *c) {
    bool moved = false;
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = i + 1; k < c->count; k++) {
            report_circle *a = &c->circle[i], *b = &c->circle[k];
            double dx = b->x - a->x, dy = b->y - a->y, far = sqrt(dx * dx + dy * dy),
                   least = (1 + GAP / 2) * (a->radius + b->radius);
            if (far >= least * (1 - 1e-6) || !a->joined || !b->joined) continue;
            double x = far > 0 ? dx / far : 1, y = far > 0 ? dy / far : 0, by = (least - far) / 2;
            a->x -= x * by, a->y -= y * by;
            b->x += x * by, b->y += y * by;
            moved = true;
        }
    return moved;
}

/* Whole numbers from 0 to GRID, y downwards. */
static void put_on_grid(report_circles *c) {
    box b = box_of(c, true);
    double scale = GRID / fmax(b.right - b.left, b.top - b.bottom);
    for (size_t i = 0; i < c->count; i++) {
        report_circle *o = &c->circle[i];
        o->x = round((o->x - b.left) * scale);
        o->y = round((b.top - o->y) * scale);
        o->radius = round(o->radius * scale);
    }
}

int report_circles_make(report *r, const report_part *parts, report_circles *c) {
    weft_result *places = NULL;
    while (c->count < r->communities && c->count < MOST_CIRCLES && parts[c->count].size > 1) c->count++;
    c->between = cli_take(c->count * c->count, sizeof *c->between);
    c->circle = cli_take(c->count, sizeof *c->circle);
    int code = c->between && c->circle ? EXIT_DONE : EXIT_MEMORY;
    if (code || !c->count) return code;
    code = count_between(r, c);
    if (!code) code = lay_out(r, c, &places);
    if (code) return code;
    const float *x = weft_result_f32(places, "x"), *y = weft_result_f32(places, "y");
    for (size_t i = 0; i < c->count; i++)
        c->circle[i] = (report_circle){(double)x[i], (double)y[i], 0, next_strongest(c, i, c->count) < c->count};
    weft_result_free(places);
    size_circles(c, parts);
    for (int i = 0; i < MOST_PUSHES && push_apart(c); i++) continue;
    line_up(c);
    put_on_grid(c);
    return EXIT_DONE;
}

void report_circles_put(report *r, const report_part *parts, const report_circles *c) {
    report_table(r, "circles", (const char *const[]){"community", "x", "y", "radius", NULL});
    for (size_t i = 0; i < c->count; i++) {
        report_row(r);
        json_vertex(r->j, r->g, NULL, parts[i].first);
        json_f64(r->j, NULL, c->circle[i].x);
        json_f64(r->j, NULL, c->circle[i].y);
        json_f64(r->j, NULL, c->circle[i].radius);
        report_row_end(r);
    }
    report_table_end(r);
    report_table(r, "between", (const char *const[]){"community", "other", "edges", NULL});
    for (size_t a = 0; a < c->count; a++)
        for (size_t b = a + 1; b < c->count; b++) {
            if (!c->between[a * c->count + b]) continue;
            report_row(r);
            json_vertex(r->j, r->g, NULL, parts[a].first);
            json_vertex(r->j, r->g, NULL, parts[b].first);
            json_u64(r->j, NULL, c->between[a * c->count + b]);
            report_row_end(r);
        }
    report_table_end(r);
}

void report_circles_free(report_circles *c) {
    free(c->between);
    free(c->circle);
}
