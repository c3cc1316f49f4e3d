/* The undirected simple view of a graph on the GPU (oriented.h is the CPU's), each edge once: what triangle counting
 * and clustering work on there.
 *
 * Vertices are renamed by rank: descending degree, so that the hubs have the smallest ranks and what many rows hold
 * lies close together; ties by vertex.  Row r lists the neighbours of lower rank, ascending: a triangle is met once,
 * from its corner of highest rank, and no row is longer than sqrt(2 edges).  Made on first use and kept with the
 * graph's mirror. */
#ifndef WFI_ORIENTED_CUDA_CUH
#define WFI_ORIENTED_CUDA_CUH

#include "cuda/mirror.cuh"

/* Rows of two entries and more are listed by length, for kernels that give each kind the threads it needs. */
enum { WFI_TINY_ROW = 4, WFI_FEW_ROW = 32 };
/* Arcs of either direction that a block orients at a time, with a word of 8 bytes for each such tile. */
enum { WFI_ORIENT_TILE = 2048 };

struct wfi_oriented_rows {
    weft_vid n = 0;
    weft_eid edges = 0;
    uint32_t longest = 0;                 /* row */
    uint32_t tiny = 0, few = 0, many = 0; /* rows of 2 ... WFI_TINY_ROW, ... WFI_FEW_ROW and more entries */
    wfi_buffer<weft_vid> vertex;          /* n: the vertex that has the rank */
    wfi_buffer<uint32_t> degree;          /* n: by rank, in the simple view */
    wfi_buffer<weft_eid> offsets;         /* n + 1, by rank */
    wfi_buffer<weft_vid> targets;         /* edges, ranks */
    wfi_buffer<weft_vid> rows;            /* the tiny ones, then the few, then the many */
    wfi_buffer<uint8_t> arcs;    /* edges: 1, or 2 when the graph has the arc both ways; none unless asked for */
    wfi_buffer<uint32_t> mutual; /* n: by rank, neighbours joined by arcs both ways; none unless asked for */

    void clear() {
        vertex.give();
        degree.give();
        offsets.give();
        targets.give();
        rows.give();
        arcs.give();
        mutual.give();
    }
};

/* `in` is that of a directed graph, else NULL. */
weft_status wfi_orient(weft_ctx *ctx, const weft_graph *g, const wfi_view *out, const wfi_view *in, bool with_arcs,
                       wfi_oriented_rows *o);

/* The view of the graph's mirror.  Once made with arcs it serves both. */
weft_status wfi_oriented_on_gpu(weft_ctx *ctx, const weft_graph *g, bool with_arcs, const wfi_oriented_rows **o);
/* Declared, with the rows that it is made from, if it is not there yet.  *edges, *long_rows: of the view, and of its
 * rows with more than WFI_FEW_ROW entries; before it is made, no more than there can be. */
void wfi_oriented_declare(wfi_workspace *device, const weft_graph *g, bool with_arcs, uint64_t *edges,
                          uint64_t *long_rows);

#endif
