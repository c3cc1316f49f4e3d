/* A small rasteriser with smooth edges, and PNG files.
 * Lines, which have one colour, are first added up as coverage, a float a pixel, so that faint ones are not rounded
 * away; raster_colour then makes pixels of them, and what is drawn later lies over them. */
#ifndef WEFT_CLI_RASTER_H
#define WEFT_CLI_RASTER_H

#include <stdint.h>
#include <stdio.h>

typedef uint32_t draw_colour; /* 0xRRGGBB */

typedef struct raster {
    unsigned width, height;
    float *lines;         /* coverage, from 0 to 1 */
    unsigned char *pixel; /* red, green, blue; NULL: none wanted */
} raster;

/* EXIT_DONE or, after saying so, EXIT_MEMORY. */
int raster_open(raster *r, unsigned width, unsigned height, int coloured);
void raster_close(raster *r);

void raster_line(raster *r, float x0, float y0, float x1, float y1, float width, float alpha);
/* The triangle at the end of an arrow: its tip, and how far it reaches back along a direction of length 1. */
void raster_arrow(raster *r, float x, float y, float dx, float dy, float length, float alpha);
void raster_colour(raster *r, draw_colour background, draw_colour line); /* coverage is 0 again */
void raster_disc(raster *r, float x, float y, float radius, draw_colour colour);
void raster_box(raster *r, float x, float y, float width, float height, draw_colour colour);
/* A line of its own colour, over all else. */
void raster_stroke(raster *r, float x0, float y0, float x1, float y1, float width, draw_colour colour);
/* Text in the font of stroke_font.h; x is where it begins, y its base line. */
void raster_text(raster *r, const char *text, float x, float y, float size, float width, draw_colour colour);

/* The pixels; or one colour that is as opaque as the coverage says. */
int raster_save(const raster *r, FILE *to);
int raster_save_coverage(const raster *r, draw_colour colour, FILE *to);

#endif
