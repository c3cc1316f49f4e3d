/* Charts as plain SVG.  A chart is a figure with a title, a description for those who do not see it, and room for a table.
 * Colours and fonts are the page's own classes (lab/page.css), so that a chart follows dark mode and print. */
#ifndef WEFT_LAB_SVG_H
#define WEFT_LAB_SVG_H

#include "units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { SVG_WIDTH = 600 };

/* Text with &, <, > and quotes made harmless. */
void html_text(FILE *to, const char *text);
/* printf, escaped. */
void html_put(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

void svg_begin(FILE *to, const char *id, double height, const char *title, const char *description);
void svg_end(FILE *to);

/* anchor: start, middle or end. */
void svg_text(FILE *to, double x, double y, const char *anchor, const char *style, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void svg_line(FILE *to, double x1, double y1, double x2, double y2, const char *style);

/* Values from `low` to `high`, logarithmic, to pixels from `from` to `to`. */
typedef struct svg_scale {
    double low, high, from, to;
} svg_scale;
/* The scale that holds the values seen, from a 1-2-5 step to another. */
typedef struct svg_range {
    double low, high;
    bool any;
} svg_range;
void svg_see(svg_range *range, double x);
svg_scale svg_log_scale(svg_range seen, double from, double to);
double svg_at(const svg_scale *s, double x);
/* Grid lines and numbers at the ticks; `unit` writes a value for people. */
typedef void (*svg_unit)(char room[32], double x);
void svg_axis_x(FILE *to, const svg_scale *x, double top, double bottom, svg_unit unit, const char *name);
void svg_axis_y(FILE *to, const svg_scale *y, double left, double right, svg_unit unit, const char *name);
/* The axis without its name. */
void svg_ticks_x(FILE *to, const svg_scale *x, double top, double bottom, svg_unit unit);

/* A point, with words for a mouse that rests on it.  CPU and GPU have shapes of their own, for those who see no colours. */
typedef enum svg_shape { SVG_CIRCLE, SVG_DIAMOND } svg_shape;
void svg_mark(FILE *to, svg_shape shape, const char *style, double x, double y, double r, const char *title);

/* Labels in a column beside the chart, SVG_GUTTER to its right, in the order of what they name (at x, y), each tied to it by a thin line.  None overlaps
 * another: between top and bottom there must be svg_label_height() of room.  They are sorted in place; draw the marks after. */
enum { SVG_PITCH = 20, SVG_GUTTER = 44 }; /* from one label to the next; from the chart to the labels */
typedef struct svg_label {
    double x, y;
    double at; /* found by svg_labels */
    const char *style;
    char text[80];
} svg_label;
void svg_labels(FILE *to, svg_label *labels, size_t count, double left, double top, double bottom);
double svg_label_height(size_t count);
/* Width of so many letters, as large as they are on a phone. */
double svg_label_room(size_t letters);

#endif
