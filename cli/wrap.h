/* Help in lines that fit: as wide as the terminal, and 80 columns where there is none. */
#ifndef CLI_WRAP_H
#define CLI_WRAP_H

#include <stdbool.h>
#include <stdio.h>

/* Columns of a line of help to `to`.  COLUMNS and the terminal are asked; a pipe or a file never gets more than 80. */
size_t cli_line_width(FILE *to);

/* Text in a column that starts at `from`, where the line already is, broken between words; then a newline. */
void cli_put_wrapped(FILE *to, const char *text, size_t from);

/* Paragraphs: lines that follow each other are one, and are broken anew.  Lines that begin with a blank stay as they are. */
void cli_put_text(FILE *to, const char *text);

/* Two texts side by side: `left` from column `from` on, in `width` columns, and `right` from column `second` on. */
void cli_put_beside(FILE *to, const char *left, size_t from, size_t width, const char *right, size_t second);

#endif
