/* Help, wrapped: at COLUMNS if the environment has it, else at the terminal's width or 80 columns, whichever is
 * less. */
#ifndef CLI_WRAP_H
#define CLI_WRAP_H

#include <stdbool.h>
#include <stdio.h>

/* Columns of a line of help to `to`, 40 at least.  A COLUMNS that is not a number from 1 to 1000 is ignored. */
size_t cli_line_width(FILE *to);

/* Where the text of a list of names starts: at `usual`, or further left where lines are short. */
size_t cli_name_width(FILE *to, size_t usual);

/* A name, then its text in the column that starts at `from`; on the next line if the name reaches that far. */
void cli_put_entry(FILE *to, const char *name, size_t from, const char *text);

/* Text in a column that starts at `from`, where the cursor already is, wrapped between words; then a newline. */
void cli_put_wrapped(FILE *to, const char *text, size_t from);

/* Paragraphs: consecutive lines are one, and are wrapped afresh.  Lines that begin with a blank are printed as they
 * are, but for
 * "  NAME    TEXT", an entry of a list, whose text is wrapped in its column. */
void cli_put_text(FILE *to, const char *text);

/* Two texts side by side: `left` from column `from` on, in `width` columns, and `right` from column `second` on. */
void cli_put_beside(FILE *to, const char *left, size_t from, size_t width, const char *right, size_t second);

#endif
