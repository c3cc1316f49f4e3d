/* A layout as a picture: edges as lines, vertices as discs over them. */
#ifndef WEFT_CLI_DRAW_H
#define WEFT_CLI_DRAW_H

#include "answer.h"

typedef uint32_t draw_colour; /* 0xRRGGBB */

typedef struct draw_label {
    float x, y, size; /* the middle of its base line, in pixels */
    const char *text; /* NULL: the vertex's id */
    weft_vid vertex;
} draw_label;

typedef struct picture {
    weft_ctx *ctx;
    const weft_graph *g;
    weft_csr rows;
    unsigned width, height; /* pixels */
    float *x, *y;           /* of each vertex, y downwards */
    float *radius;
    draw_colour *colour;
    weft_vid *order; /* of drawing: the largest last */
    draw_colour background, line, ink;
    float line_width, line_alpha;
    double kept; /* share of the edges that are drawn */
    draw_label *labels;
    size_t label_count;
} picture;

/* Is there a picture of what this algorithm computes?  Does -o name one? */
bool draw_can(const cli_call *call);
bool draw_wanted(const cli_call *call);
/* What can be known to be wrong before anything is read. */
int draw_check(const cli_call *call);
/* Writes the picture. */
int draw_save(const answer *a);

/* draw_looks.c: colours and sizes. */
int draw_colours(const answer *a, picture *p);
/* A number for each vertex, from 0 to 1; NULL: all alike.  free() it. */
int draw_weights(const answer *a, double **weight);

/* Is this edge drawn?  Each arc that begins at its smaller end, loops left out; where edges are too many, some of them. */
bool draw_has_edge(const picture *p, weft_vid u, weft_eid e);

/* draw_svg.c, draw_png.c */
int draw_svg(const picture *p, FILE *to);
int draw_png(const picture *p, FILE *to);

#endif
