/* Triangles on the GPU: the degree-ordered orientation of the graph, and the number of triangles at each vertex.
 * Shared by triangles and clustering.
 *
 * The orientation is the undirected simple graph (the CPU's is in oriented.h), each edge once.  Vertices are renamed by
 * rank: descending degree, so that the hubs have the smallest ranks and entries common to many rows lie close together;
 * ties by vertex.  Row r lists the neighbours of lower rank, ascending: a triangle is met once, from its corner of
 * highest rank, and no row is longer than sqrt(2 edges).  Made on first use and kept with the graph's mirror. */
#ifndef WFI_TRIANGLES_TRIANGLES_CUDA_CUH
#define WFI_TRIANGLES_TRIANGLES_CUDA_CUH

#include "cuda/mirror.cuh"

/* Rows of two entries and more are listed by length, for kernels that give each kind the threads it needs. */
enum { WFI_TINY_ROW = 4, WFI_FEW_ROW = 32 };
/* Arcs of either direction that a block orients at a time, with a word of 8 bytes for each such tile. */
enum { WFI_ORIENT_TILE = 2048 };

struct wfi_oriented_rows {
    weft_vid n = 0;
    weft_eid edges = 0;
    uint32_t longest = 0;                 /* length of the longest row */
    uint32_t tiny = 0, few = 0, many = 0; /* numbers of rows of 2 ... WFI_TINY_ROW, ... WFI_FEW_ROW and more entries */
    wfi_buffer<weft_vid> vertex;          /* n: the vertex of each rank */
    wfi_buffer<uint32_t> degree;          /* n: by rank, in the simple view */
    wfi_buffer<weft_eid> offsets;         /* n + 1, by rank */
    wfi_buffer<weft_vid> targets;         /* edges, ranks */
    wfi_buffer<weft_vid> rows;            /* the tiny rows, then the few, then the many */
    wfi_buffer<uint8_t> arcs;    /* edges: 1, or 2 if the graph has the arc both ways; empty unless requested */
    wfi_buffer<uint32_t> mutual; /* n: by rank, neighbours joined by arcs both ways; empty unless requested */

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

/* `in` are the incoming rows of a directed graph, else NULL. */
weft_status wfi_orient(weft_ctx *ctx, const weft_graph *g, const wfi_view *out, const wfi_view *in, bool with_arcs,
                       wfi_oriented_rows *o);

/* The view of the graph's mirror.  A view made with arcs serves both. */
weft_status wfi_oriented_on_gpu(weft_ctx *ctx, const weft_graph *g, bool with_arcs, const wfi_oriented_rows **o);
/* Declares the view, with the rows that it is made from, if it does not exist.  *edges, *long_rows: of the view, and
 * its rows with more than WFI_FEW_ROW entries; before it is made, upper bounds. */
void wfi_oriented_declare(wfi_workspace *device, const weft_graph *g, bool with_arcs, uint64_t *edges,
                          uint64_t *long_rows);

/* --- hubs: the vertices of lowest rank, as a bit matrix; bit w of row v is set if w < v are joined ------- */

/* Rows are padded to whole shares; a share is what a warp reads at once, 16 bytes a lane. */
enum { WFI_SHARE_BITS = 4096, WFI_SHARE_WORDS = WFI_SHARE_BITS / 32, WFI_MOST_HUBS = 1 << 14 };

struct wfi_hubs {
    weft_vid hubs = 0;
    uint32_t words = 0; /* words of a row */
    uint32_t *bits = nullptr;
    uint32_t *split = nullptr; /* for each long row, in the order of their list: the number of its entries that are
                                * hubs */
};

/* The number of hubs: all vertices if the matrix takes no more memory than the rows, else at most WFI_MOST_HUBS and 2
 * bytes an edge. */
weft_vid wfi_hubs_for(uint64_t n, uint64_t edges);
/* For a view with this many edges and long rows, or upper bounds of them in a plan. */
void wfi_hubs_lay_out(wfi_workspace *device, uint64_t n, uint64_t edges, uint64_t long_rows, wfi_hubs *h);
weft_status wfi_hubs_make(weft_ctx *ctx, const wfi_oriented_rows *o, wfi_hubs *h);

/* Adds to `triangles_at` the triangles with a first corner in rows [first, end) of the list of long rows, whose other
 * corners are hubs.  Asynchronous. */
weft_status wfi_hubs_count(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_hubs *h, uint32_t first, uint32_t end,
                           unsigned long long *triangles_at);

/* --- triangles by their middle corner v, if v is no hub: for each v the long rows u that contain it ----- */

/* Row u contains v at this place. */
struct wfi_held {
    weft_vid row;
    uint32_t place;
};

struct wfi_middles {
    unsigned long long *ends = nullptr; /* n: the end of each v's list, where the next one begins */
    wfi_held *held = nullptr;
    char *scratch = nullptr;
    uint64_t scratch_bytes = 0;
};

/* For a view with this many edges, or an upper bound in a plan. */
void wfi_middles_lay_out(wfi_workspace *device, uint64_t n, uint64_t edges, wfi_middles *m);

/* Adds to `triangles_at` the triangles whose corner of highest rank has a long row, and whose middle corner is no
 * hub. */
weft_status wfi_middles_count(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_hubs *h, const wfi_middles *m,
                              unsigned long long *triangles_at);

/* --- all triangles --------------------------------------------------------------------------------------- */

/* Memory for long rows; short rows need none. */
struct wfi_triangles_space {
    wfi_hubs hubs;
    wfi_middles middles;
};

/* For a view with this many edges and long rows, or upper bounds of them in a plan. */
void wfi_triangles_lay_out(wfi_workspace *device, uint64_t n, uint64_t edges, uint64_t long_rows,
                           wfi_triangles_space *s);

/* triangles_at[r] = triangles with the vertex of rank r; n entries on the GPU, filled here.  A stage of its own. */
weft_status wfi_count_triangles_cuda(weft_ctx *ctx, const wfi_oriented_rows *o, wfi_triangles_space *s,
                                     unsigned long long *triangles_at);

/* --- support of edges ------------------------------------------------------------------------------------ */

struct wfi_support_space {
    weft_vid *rank = nullptr;                      /* rank of each vertex */
    uint32_t *support = nullptr;                   /* support of each edge of the view */
    weft_vid *source = nullptr, *target = nullptr; /* the ends of some pairs */
    uint64_t *value = nullptr;                     /* the values of these pairs */
};

/* For a view with this many edges, or an upper bound in a plan; and `pairs` pairs. */
void wfi_support_lay_out(wfi_workspace *device, uint64_t n, uint64_t edges, uint64_t pairs, wfi_support_space *s);

/* Fills `rank`, and `support` with the triangles of each edge of the view. */
weft_status wfi_support_count(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_support_space *s);
/* value[i] = the current `support` of the edge between source[i] and target[i], 0 for a loop; on the host. */
weft_status wfi_support_values(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_support_space *s,
                               const weft_vid *source, const weft_vid *target, uint64_t pairs, uint32_t *value);
/* support[i] = triangles with the vertices source[i] and target[i], which are joined or equal; on the host. */
weft_status wfi_support_cuda(weft_ctx *ctx, const wfi_oriented_rows *o, const wfi_support_space *s,
                             const weft_vid *source, const weft_vid *target, uint64_t pairs, uint64_t *support);

#endif
