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
    float x, y, width, height; /* of a disc the middle and the radius; of a line its left end, length and thickness */
    draw_colour colour;
} draw_shape;

/* What colours and sizes mean.  Names are cut. */
typedef struct draw_legend {
    char colour[DRAW_NAME], size[DRAW_NAME]; /* what they are by; "": nothing */
    bool groups;
    struct {
        char name[DRAW_NAME];
        draw_colour colour;
    } group[DRAW_GROUPS + 1]; /* the last: all others */
    size_t group_count;
    double colour_least, colour_most, size_least, size_most;
} draw_legend;

typedef struct picture {
    weft_ctx *ctx;
    const weft_graph *g;
    weft_csr rows;
    weft_weight_type weights;         /* that widths of lines are by; none: all alike */
    double weight_least, weight_most; /* regardless of sign */
    bool negative;                    /* there is such a weight */
    unsigned width, height;           /* pixels */
    float top, bottom;                /* of what is drawn, between title and legend */
    float text;                       /* size of letters */
    float *x, *y;                     /* of each vertex, y downwards */
    float *radius, base_radius;
    draw_colour *colour;
    weft_vid *order; /* of drawing: the largest last */
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

/* Is there a picture of what this algorithm computes?  Does -o name one? */
bool draw_can(const cli_call *call);
bool draw_wanted(const cli_call *call);
/* --labels id, of a picture: the ids themselves, no file. */
bool draw_labels_are_ids(const cli_call *call);
/* What can be known to be wrong before anything is read. */
int draw_check(const cli_call *call);
/* --colour community: communities become the layout's groups, unless it was given others, so that they stand apart.
 * Before there is a plan. */
int draw_find_groups(answer *a);
/* Writes the picture. */
int draw_save(const answer *a);

/* draw_looks.c: colours and sizes, and what the legend says of them. */
int draw_colours(const answer *a, picture *p);
/* A number for each vertex, from 0 to 1; NULL: all alike.  free() it. */
int draw_sizes(const answer *a, picture *p, double **size);
/* For a graph that is written: of call, ctx, g and the main rows of the answer.  Forget them afterwards. */
int draw_graph_looks(const answer *a, graph_looks *to);
void draw_forget_looks(graph_looks *of);
/* What labels go by: --size, or else PageRank. */
int draw_importance(const answer *a, double **importance);
draw_colour draw_on_scale(double t); /* 0 to 1 */

/* draw_words.c: where letters go, and the shapes of the legend; they are the picture's. */
int draw_title(picture *p, const char *title); /* before vertices have their places */
int draw_labels(const answer *a, picture *p, bool vector);
int draw_put_legend(picture *p);
void draw_forget_words(picture *p);

/* draw.c: into the picture, below its top; its height is the layout's.  Then how faint edges are, and how many of them
 * are drawn. */
void draw_place(picture *p, const float *x, const float *y);
void draw_choose_lines(picture *p, bool vector);
/* Is this edge drawn?  Each arc that begins at its smaller end, loops left out; where edges are too many, some of
 * them. */
bool draw_has_edge(const picture *p, weft_vid u, weft_eid e);
/* How wide its line is, of DRAW_WIDTHS classes, and in pixels. */
unsigned draw_class(const picture *p, weft_vid u, weft_eid e);
float draw_width(const picture *p, unsigned class);
/* Where the heads of its arrows are: tip, direction, and length; how many. */
size_t draw_heads(const picture *p, weft_vid u, weft_eid e, draw_head heads[2]);

/* draw_svg.c, draw_png.c */
int draw_svg(const picture *p, FILE *to);
int draw_png(const picture *p, FILE *to);
void draw_edges(const picture *p, raster *r);

#endif
