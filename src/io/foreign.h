/* Files that are something else: told by name, since any text with two words a line would pass as an edge list. */
#ifndef WFI_FOREIGN_H
#define WFI_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

/* What the file is and what to do about it, or NULL when its start is like nothing known here.  The first: of what JSON
 * would take. */
const char *wfi_foreign_json(const char *head, size_t bytes);
const char *wfi_foreign(const char *head, size_t bytes);

/* Has it bytes that no text has? */
bool wfi_is_binary(const char *head, size_t bytes);

#endif
