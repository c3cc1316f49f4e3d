/* A Pajek network as its file lists it: what pajek.c reads and pajek_build.c makes a graph of. */
#ifndef WFI_PAJEK_H
#define WFI_PAJEK_H

#include "io/document/listing.h"

/* A comment before *Vertices: labels are names, even if they look like numbers. */
#define WFI_PAJEK_NAMES "% weft ids names"

typedef struct wfi_pajek_vertex {
    uint64_t number; /* from 1 */
    const char *at;
    const char *label; /* NULL: none */
    size_t length;
} wfi_pajek_vertex;

typedef struct wfi_pajek {
    weft_ctx *ctx;
    const wfi_source *source;
    const char *text;
    const char *vertices_at; /* the line *Vertices, NULL: not yet read */
    uint64_t n;
    wfi_pajek_vertex *vertices; /* lines of vertices; there may be fewer than n */
    uint64_t vertex_count, vertex_room;
    bool ascending;          /* the lines of vertices */
    weft_read_params params; /* of the listing */
    wfi_listing listing;     /* arcs, and edges as arcs both ways, between numbers from 0 */
    bool edges_only;         /* there is a section of edges and none of arcs */
    bool names;              /* the file says that labels are */
} wfi_pajek;

/* Sorts `vertices`, which may be done once. */
weft_status wfi_pajek_build(wfi_pajek *p, weft_graph **out);

#endif
