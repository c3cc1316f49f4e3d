/* Tables of vertices: which column has their ids (nodes_names.c), and how they are written (nodes_write.c). */
#ifndef WFI_NODES_H
#define WFI_NODES_H

#include "io/io.h"
#include "io/table/fields.h"

/* The one with the surest name: -1 when there is none, -2 when there are two. */
int wfi_nodes_by_name(const wfi_field *titles, size_t count);
/* The one that the user names; -1 when none is called so. */
int wfi_nodes_by_wish(const wfi_field *titles, size_t count, const char *wish);

wfi_writer wfi_write_nodes;

#endif
