/* Finding a format by name, content or extension; NULL when there is none. */
#ifndef WFI_FORMATS_H
#define WFI_FORMATS_H

#include "io/io.h"

const wfi_format *wfi_format_named(const char *name);
const wfi_format *wfi_format_of_content(const char *head, size_t bytes, const char *name);
const wfi_format *wfi_format_to_write(const char *path);
/* ".weft, .mtx, ...": the first extension of each that is written, for messages. */
void wfi_extensions_to_write(char *list, size_t room);

#endif
