/* A small rasteriser with smooth edges, and PNG files. Lines, which have one colour, are first added up as coverage, a
 * float for each pixel, so that faint ones are not rounded away; raster_colour then makes pixels of the coverage, and
 * everything drawn later lies over it. */
#ifndef WEFT_CLI_RASTER_H
#define WEFT_CLI_RASTER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef uint32_t draw_colour; /* 0xRRGGBB */

typedef struct raster {
    unsigned width, height;
    float *lines;         /* coverage, from 0 to 1 */
    unsigned char *pixel; /* red, green, blue; NULL: none wanted */
} raster;

/* EXIT_DONE or, after an error message, EXIT_MEMORY. */
int raster_open(raster *r, unsigned width, unsigned height, bool coloured);
void raster_close(raster *r);

typedef struct raster_segment {
    float x0, y0, x1, y1;
} raster_segment;
void raster_line(raster *r, raster_segment at, float width, float alpha);
/* The triangle at the end of an arrow: its tip, and its length back along a direction of length 1. */
typedef struct draw_head {
    float x, y, dx, dy, length;
} draw_head;
void raster_arrow(raster *r, draw_head h, float alpha);
void raster_colour(raster *r, draw_colour background, draw_colour line); /* coverage is 0 again */
void raster_disc(raster *r, float x, float y, float radius, draw_colour colour);
void raster_box(raster *r, float x, float y, float width, float height, draw_colour colour);
/* A line with a colour of its own, over everything drawn so far. */
void raster_stroke(raster *r, raster_segment at, float width, draw_colour colour);
/* Text in the font of stroke_font.c; x is its left end, y its base line. */
typedef struct draw_text {
    char *text;
    float x, y, size, width; /* the left of its base line, in pixels */
    bool label;              /* the name of a vertex, drawn over the picture with a rim */
    bool fitted;             /* moved away from an edge: the largest width */
} draw_text;
void raster_text(raster *r, const draw_text *t, float width, draw_colour colour);

/* --- stroke_font.c ---
 * Letters as lines: ASCII, and the Latin letters of U+00C0 to U+017F as a letter and its mark.  Sizes are those of
 * other fonts: the distance of lines of text, in pixels; capital letters are 0.72 of it high. */

/* Does the font have all letters of the text?  Others are drawn as boxes. */
bool font_has(const char *text);
/* Width from the left of the first letter to the right of the last; letters that the font lacks have the usual
 * width. */
float font_width(const char *text, float size);
/* Calls `line` for each stroke; x is the left end of the text, y its base line, downwards. */
typedef void font_line(void *to, float x0, float y0, float x1, float y1);
void font_draw(const char *text, float x, float y, float size, font_line *line, void *to);

/* --- the file --- */

/* Writes the pixels; or one colour with the coverage as opacity. */
int raster_save(const raster *r, FILE *to);
int raster_save_coverage(const raster *r, draw_colour colour, FILE *to);

#endif
