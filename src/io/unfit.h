/* Names that a format has no way to write: refused before a file has its name, never written as something else. */
#ifndef WFI_UNFIT_H
#define WFI_UNFIT_H

#include "graph/graph.h"

/* The first byte of the name [at, end) that a format cannot hold; NULL: it holds all of it. */
typedef const char *wfi_unfit(const char *at, const char *end);
wfi_unfit wfi_unfit_nul;  /* text in which anything may stand in quotes */
wfi_unfit wfi_unfit_line; /* the rest of a line */
wfi_unfit wfi_unfit_utf8; /* UTF-8 in quotes */

/* WEFT_EUNSUPPORTED, with the format and the vertex, if the graph has a name with such a byte. */
weft_status wfi_check_names(weft_ctx *ctx, const weft_graph *g, const char *format, wfi_unfit *unfit);

#endif
