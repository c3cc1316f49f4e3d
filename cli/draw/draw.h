/* A layout as a picture: edges as lines, vertices as discs over them, names beside the vertices that matter most; a
 * title above, a legend below. */
#ifndef WEFT_CLI_DRAW_H
#define WEFT_CLI_DRAW_H

#include "draw/raster.h"
#include "result/answer.h"
#include "result/graph_out.h"

enum { DRAW_GROUPS = 7, DRAW_WIDTHS = 5, DRAW_NAME = 96 };

typedef enum draw_shape_kind { SHAPE_DISC, SHAPE_BOX, SHAPE_LINE } draw_shape_kind;
typedef struct draw_shape {
    draw_shape_kind kind;
    float x, y, width, height; /* disc: middle and radius; line: left end, length and thickness */
    draw_colour colour;
} draw_shape;

/* The meaning of colours and sizes.  Names are cut. */
typedef struct draw_legend {
    char colour[DRAW_NAME], size[DRAW_NAME]; /* the name of the value; "": none */
    bool groups;
    struct {
        char name[DRAW_NAME];
        draw_colour colour;
    } group[DRAW_GROUPS + 1]; /* the last class: all others */
    size_t group_count;
    double colour_least, colour_most, size_least, size_most;
} draw_legend;

typedef struct picture {
    weft_ctx *ctx;
    const weft_graph *g;
    weft_csr rows;
    weft_weight_type weights;         /* weights that the widths of lines follow; none: equal widths */
    double weight_least, weight_most; /* absolute values */
    bool negative;                    /* is a weight below 0? */
    unsigned width, height;           /* pixels */
    float top, bottom;                /* of the drawing, between title and legend */
    float text;                       /* size of letters */
    float *x, *y;                     /* of each vertex, y downwards */
    float *radius, base_radius;
    draw_colour *colour;
    weft_vid *order; /* the order of drawing: the largest last */
    draw_colour background, line, ink;
    float line_width, line_alpha;
    bool arrows;
    double kept; /* share of the edges that are drawn */
    draw_legend legend;
    draw_text *texts;
    size_t text_count;
    draw_shape *shapes;
    size_t shape_count;
} picture;

/* Is there a picture of this algorithm's result?  Does -o name a picture? */
bool draw_can(const cli_call *call);
bool draw_wanted(const cli_call *call);
/* --labels id of a picture: the ids themselves, not a file. */
bool draw_labels_are_ids(const cli_call *call);
/* Refuses mistakes that are visible before anything is read. */
int draw_check(const cli_call *call);
/* --colour community: communities become the layout's groups, unless others were given, so that they are drawn apart.
 * Called before there is a plan. */
int draw_find_groups(answer *a);
/* Writes the picture. */
int draw_save(const answer *a);

/* draw_looks.c: colours and sizes, and their entries in the legend. */
int draw_colours(const answer *a, picture *p);
/* A number for each vertex, from 0 to 1; NULL: all alike.  free() it. */
int draw_sizes(const answer *a, picture *p, double **size);
/* For a graph that is written: uses call, ctx, g and the main rows of the answer.  Freed by draw_forget_looks. */
int draw_graph_looks(const answer *a, graph_looks *to);
void draw_forget_looks(graph_looks *of);
/* The importance of vertices for labels: --size, or else PageRank. */
int draw_importance(const answer *a, double **importance);
draw_colour draw_on_scale(double t); /* 0 to 1 */

/* draw_words.c: positions of words and the shapes of the legend, which belong to the picture. */
int draw_title(picture *p, const char *title); /* before vertices have their places */
int draw_labels(const answer *a, picture *p, bool vector);
int draw_put_legend(picture *p);
void draw_forget_words(picture *p);

/* draw.c: scales the layout into the picture below `top`, whose height it sets.  Then the opacity of edges, and the
 * share of them that is drawn. */
void draw_place(picture *p, const float *x, const float *y);
void draw_choose_lines(picture *p, bool vector);
/* Is this edge drawn?  Only arcs from the smaller end to the larger, no loops; if there are too many edges, a share of
 * them. */
bool draw_has_edge(const picture *p, weft_vid u, weft_eid e);
/* The width of its line: a class below DRAW_WIDTHS, and in pixels. */
unsigned draw_class(const picture *p, weft_vid u, weft_eid e);
float draw_width(const picture *p, unsigned class);
/* The heads of its arrows: tip, direction and length; returns their number. */
size_t draw_heads(const picture *p, weft_vid u, weft_eid e, draw_head heads[2]);

/* draw_svg.c, draw_png.c */
int draw_svg(const picture *p, FILE *to);
int draw_png(const picture *p, FILE *to);
void draw_edges(const picture *p, raster *r);

#endif
