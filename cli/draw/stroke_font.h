/* Letters as lines, for pictures of pixels: ASCII, and the Latin letters of U+00C0 to U+017F as a letter and its mark.
 * Sizes are those of other fonts: the distance of lines of text, in pixels; capital letters are 0.72 of it high. */
#ifndef WEFT_CLI_STROKE_FONT_H
#define WEFT_CLI_STROKE_FONT_H

#include <stdbool.h>

/* Has it all letters of the text?  Others are drawn as boxes. */
bool font_has(const char *text);
/* From the left of the first letter to the right of the last; letters that it lacks count as wide as they usually
 * are. */
float font_width(const char *text, float size);
/* Calls line for each stroke; x is where the text begins, y its base line, downwards. */
typedef void font_line(void *to, float x0, float y0, float x1, float y1);
void font_draw(const char *text, float x, float y, float size, font_line *line, void *to);

#endif
