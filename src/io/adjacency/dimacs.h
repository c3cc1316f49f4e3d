/* DIMACS: what its reader, its sniffing and its writer share. */
#ifndef WFI_DIMACS_H
#define WFI_DIMACS_H

#include "io/adjacency/idcomments.h"
#include "io/io.h"

typedef enum wfi_dimacs_problem {
    WFI_DIMACS_ARCS,  /* p sp: lines "a source target weight", a directed graph */
    WFI_DIMACS_PAIRS, /* p tw (PACE): lines "u v", an undirected graph */
    WFI_DIMACS_EDGES  /* p edge, p col: lines "e u v", an undirected graph */
} wfi_dimacs_problem;

typedef struct wfi_dimacs_header {
    wfi_dimacs_problem problem;
    bool has_problem_line;
    uint64_t vertices, edges; /* what the problem line promises */
    bool unweighted;          /* said by a comment of Weft's own files, as are ... */
    const char *undirected;   /* ... the place where it is said, or NULL: both arcs of each edge are listed */
    const char *line;         /* the problem line, or the first line that is no comment */
    const char *edges_at;     /* its last number */
    const char *body;         /* where the edges begin */
} wfi_dimacs_header;

/* Reads the header, the file's ids included.  *text is what the places in the header, and in ids, point into. */
weft_status wfi_dimacs_read_header(weft_ctx *ctx, wfi_source *source, const char **text, wfi_dimacs_header *header,
                                   wfi_id_comments *ids);

int wfi_dimacs_sniff(const char *head, size_t bytes, const char *name);

#endif
