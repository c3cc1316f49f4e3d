/* Numbers as people write them (spelling.c). */
#ifndef WFI_SPELLING_H
#define WFI_SPELLING_H

#include "stream/csv.h"

/* 1234.5, 1,234.5, 1'234.5, 1.234,5.  Which sign is the decimal one is a decision for a column: it is made from all of
 * its values that were seen, and where they do not tell it is asked for. */
enum { WFI_NUMBER_ROOM = 64 };

/* Takes the signs between thousands away and makes the decimal sign ('.' or ',') a point.  False: it is not spelt
 * so. */
bool wfi_respell(const wfi_field *field, char decimal, char to[WFI_NUMBER_ROOM]);

/* What the values of a column that are numbers, one way or the other, have in common. */
typedef struct wfi_spelling {
    bool not_point, not_comma; /* one cannot have a decimal point (0,5); a decimal comma (0.5) */
    bool dots, commas;         /* one means another number with a point than with a comma: 1.234; 1,234 */
    const char *place;         /* of the first that has a comma, or may */
} wfi_spelling;
/* False: it is a number in neither spelling. */
bool wfi_spelling_look(wfi_spelling *s, const wfi_field *field);

/* The decimal sign of the column, 0 if its values do not tell; *why is then the question.  *known: they told. */
char wfi_spelling_decide(const wfi_spelling *s, char separator, bool *known, const char **why);

#endif
