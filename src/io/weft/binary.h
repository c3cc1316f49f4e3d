/* The .weft file: what its first page looks like in memory, where sections lie, and the checks.  docs/formats/weft.md
 * is the specification; this header and that page change together.
 *
 * One page of header and section table, then the arrays of the graph as they lie in memory, each at a multiple of
 * WEFT_FILE_PAGE.  A header determines its table completely (but for the lengths of names and columns and the digests),
 * so the reader makes the table it expects with wfi_weft_layout and compares. */
#ifndef WFI_BINARY_H
#define WFI_BINARY_H

#include "attributes/edge_columns.h"
#include "graph/graph.h"
#include "io/stream/sink.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "a .weft file is little-endian and is mapped as it is: this machine would have to swap every array"
#endif

/* 4096 is the smallest page in use; the file is mapped as a whole, from its start, so that with larger pages (64 KiB on
 * some aarch64) a section still lies at a multiple of 4096 in memory, which is more than any of its types needs. */
enum { WEFT_FILE_PAGE = 4096, WEFT_FILE_OLDEST = 1, WEFT_FILE_NEWEST = 3, WEFT_FILE_BYTE_ORDER = 0x01020304 };

/* As in PNG: a high bit (lost by 7-bit transfers), CR LF and LF (changed by text mode), Ctrl-Z (stops `type`). */
#define WEFT_FILE_MAGIC "\x89WFT\r\n\x1a\n"

typedef enum wfi_weft_kind {
    WFI_OUT_OFFSETS = 1, /* u64, n + 1 */
    WFI_OUT_TARGETS,     /* u32, arcs */
    WFI_OUT_WEIGHTS,     /* u32, f32 or (version 2) f64, arcs */
    WFI_IN_OFFSETS,
    WFI_IN_TARGETS,
    WFI_IN_WEIGHTS,
    WFI_ID_NUMBERS,     /* i64, n */
    WFI_ID_NAME_STARTS, /* u64, n + 1 */
    WFI_ID_NAME_TEXT,   /* bytes */
    WFI_ID_ORDER,       /* u32, n: vertices by ascending id */
    /* Version 3, if there are columns; texts also if there are sides: */
    WFI_COLUMN_ENTRIES, /* wfi_column_entry each (attributes/attributes.h) */
    WFI_COLUMN_VALUES,  /* their block */
    WFI_TEXT_STARTS,    /* u64, texts + 1 */
    WFI_TEXTS,          /* bytes */
    WFI_SIDES,          /* version 3: two u32, texts, then a bit for each vertex */
    WFI_WEFT_KINDS
} wfi_weft_kind;

enum {
    WFI_WEFT_DIRECTED = 1,
    WFI_WEFT_HAS_IN = 2,       /* the in-rows are stored */
    WFI_WEFT_HAS_ORDER = 4,    /* WFI_ID_ORDER is stored */
    WFI_WEFT_HAS_PARALLEL = 8, /* some row lists a target twice */
    WFI_WEFT_FLAGS = 15,       /* of version 1 */
    WFI_WEFT_WIDE = 16,        /* version 2: vertices take 64 bits, for there are more than 2^32 - 2; not read here */
    WFI_WEFT_HAS_COLUMNS = 32, /* version 3 */
    WFI_WEFT_HAS_SIDES = 64,   /* version 3: vertices are of two kinds */
    WFI_WEFT_SIDE_IDS = 128    /* version 3: which have ids of their own; not read here */
};

/* The first 16 bytes mean the same in every version. */
typedef struct wfi_weft_header {
    char magic[8];
    uint32_t byte_order;
    uint32_t version;
    uint64_t digest; /* of the first page, with zero here */
    uint32_t sections;
    uint32_t flags;
    uint64_t file_bytes;
    uint64_t vertices, arcs, edges;
    uint32_t weight_type, id_kind, label;
    uint32_t direction_from; /* version 3: weft_direction_from; before it zero */
    int64_t id_base;
    uint64_t records, self_loops, self_loops_dropped, duplicates_dropped;
} wfi_weft_header;
_Static_assert(sizeof(wfi_weft_header) == 120, "the header has no holes");

typedef struct wfi_weft_section {
    uint32_t kind, reserved;
    uint64_t offset, bytes, digest;
} wfi_weft_section;
_Static_assert(sizeof(wfi_weft_section) == 32, "a table entry has no holes");

/* Version 2: where batches of changes are appended.  All zero in a graph that is finished.  Else two root pages follow
 * the sections, each on a page of its own, and then the log. */
typedef struct wfi_weft_changes {
    uint64_t root_offset[2];
    uint64_t root_bytes; /* of each: a page */
    uint64_t log_offset, log_bytes;
    uint64_t batches; /* that the sections hold: the log begins after that one */
    uint64_t reserved[10];
} wfi_weft_changes;
_Static_assert(sizeof(wfi_weft_changes) == 128, "the end of the page has no holes");

/* The beginning of a root page; the rest is zero.  Written in turn, so that one of them is whole at any time. */
#define WEFT_ROOT_MAGIC "weftroot"
typedef struct wfi_weft_root {
    char magic[8];
    uint64_t digest; /* of these 64 bytes with zero here; seed: the digest of the first page */
    uint64_t turn;   /* how often root pages were written, this one included; root page turn % 2 is written */
    uint64_t batch, end, chain; /* up to this batch the log was on the disk: where it ends, and its digest */
    uint64_t reserved[2];
} wfi_weft_root;
_Static_assert(sizeof(wfi_weft_root) == 64, "a root has no holes");

typedef struct wfi_weft_page {
    wfi_weft_header header;
    uint64_t reserved;
    wfi_weft_section section[WFI_WEFT_KINDS - 1]; /* by ascending kind; header.sections of them, then zeros */
    char zeros[WEFT_FILE_PAGE - 256 - 32 * (WFI_WEFT_KINDS - 1)];
    wfi_weft_changes changes; /* version 1: zeros */
} wfi_weft_page;
_Static_assert(sizeof(wfi_weft_page) == WEFT_FILE_PAGE, "header and table fill one page");

/* An open file: its page, and where its arrays are (in the mapping, or in copies).  weft_graph.binary points to one. */
typedef struct wfi_weft_file {
    wfi_weft_page page;
    const char *bytes;                /* the whole file; NULL once it is gone */
    const void *data[WFI_WEFT_KINDS]; /* by kind; NULL when not stored */
    char name[];                      /* for messages */
} wfi_weft_file;

/* "out targets", for messages. */
const char *wfi_weft_kind_name(uint32_t kind);

/* The bytes of sections that the header does not tell: as much as the file, or the graph, says. */
typedef struct wfi_weft_sizes {
    uint64_t of[WFI_WEFT_KINDS]; /* of id names, of the four of columns, of sides; others do not count */
} wfi_weft_sizes;
wfi_weft_sizes wfi_weft_sizes_of(const weft_graph *g);

/* Fills page->section (but for digests), header.sections and header.file_bytes from the other fields of the header.
 * False when the sizes do not fit in 63 bits or cannot be of a graph. */
bool wfi_weft_layout(wfi_weft_page *page, const wfi_weft_sizes *sizes);
/* The bytes of a section, 0 if it is not stored. */
uint64_t wfi_weft_bytes_of(const wfi_weft_page *page, wfi_weft_kind kind);

/* Where changes go in a file with these sections, after so many batches. */
wfi_weft_changes wfi_weft_room_for_changes(const wfi_weft_page *page, uint64_t batches);

/* The digest that belongs into page->header.digest, or root->digest. */
uint64_t wfi_weft_page_digest(weft_ctx *ctx, const wfi_weft_page *page);
uint64_t wfi_weft_root_digest(weft_ctx *ctx, const wfi_weft_page *page, const wfi_weft_root *root);
/* A root with its digest. */
wfi_weft_root wfi_weft_make_root(weft_ctx *ctx, const wfi_weft_page *page, uint64_t turn, uint64_t batch, uint64_t end,
                                 uint64_t chain);

/* Reads every byte: digests, gaps between sections, and that the arrays are a graph: offsets ascend, targets exist,
 * rows are sorted, ids ascend.  WEFT_EINPUT names the section. */
weft_status wfi_weft_verify(weft_ctx *ctx, const wfi_weft_file *file);
/* Of a graph that lies in such a file, else nothing: do the rows of these vertices follow one another, and lead to
 * vertices? */
weft_status wfi_weft_verify_rows(weft_ctx *ctx, const weft_graph *g, weft_vid from, weft_vid to);
/* Of its header, which has those of all sections; 0: it lies in none. */
uint64_t wfi_weft_digest(const weft_graph *g);

/* Attributes (binary_columns.c), whose arrays are where the sections are.  Opening: their entries and names, in full.
 * Verifying: every value, after the digests. */
weft_status wfi_weft_open_columns(weft_ctx *ctx, const wfi_weft_file *file, struct wfi_vertex_data *c);
weft_status wfi_weft_verify_columns(weft_ctx *ctx, const wfi_weft_file *file);

/* Sides (binary_sides.c).  What of a graph with sides is written: its arrays until wfi_free(pool->starts).  Opening:
 * the sides of g, whose columns then have the texts that are not names of sides.  Verifying: after the digests. */
typedef struct wfi_weft_pool {
    const uint64_t *starts; /* of the columns' texts, then of the names of the sides */
    const char *text;
    const void *sides;
    size_t text_bytes, start_bytes, side_bytes;
} wfi_weft_pool;
weft_status wfi_weft_make_pool(weft_ctx *ctx, const weft_graph *g, wfi_weft_pool *pool);
weft_status wfi_weft_open_sides(weft_ctx *ctx, const wfi_weft_file *file, weft_graph *g);
weft_status wfi_weft_verify_sides(weft_ctx *ctx, const wfi_weft_file *file);

typedef struct wfi_edge_choice wfi_edge_choice;
/* The build rules on a stored graph, and a choice of its edges: *g is replaced by the graph that they make of its arcs,
 * taken as a list of edges. File ids stay with their vertices. */
weft_status wfi_weft_rebuild(weft_ctx *ctx, const weft_build_params *params, wfi_edge_choice *choice, weft_graph **g);

/* Which columns of edges stay, which edges, and the rules where edges become one (binary_choice.c). */
struct wfi_edge_choice {
    wfi_names *names; /* of columns that are kept, then of those that the condition looks at as well */
    size_t kept;
    wfi_column_source *from;         /* of each */
    wfi_edge_rule *rule;             /* of the kept ones */
    struct wfi_condition *condition; /* NULL: all edges stay */
    double *weights;                 /* for a condition on them */
};
weft_status wfi_edge_choice_open(weft_ctx *ctx, const weft_graph *g, const weft_read_params *params,
                                 wfi_edge_choice *c);
void wfi_edge_choice_close(wfi_edge_choice *c);
/* The edges of g as one piece, those that stay, with their columns. */
weft_status wfi_edge_choice_list(weft_ctx *ctx, const weft_graph *g, const wfi_edge_choice *c, wfi_edges *edges);

/* The same of a graph that ranks share, who all call it (binary_share.c). */
weft_status wfi_weft_write_shared(weft_ctx *ctx, const weft_graph *g, const char *path,
                                  const weft_write_params *params);
/* What of a graph a file has beyond its rows and ids. */
typedef struct wfi_weft_parts {
    bool in, parallel, columns, sides;
} wfi_weft_parts;
/* The header's facts of the graph; the rest is wfi_weft_layout's, and digests. */
void wfi_weft_fill_header(const weft_graph *g, wfi_weft_parts parts, wfi_weft_header *h);

/* --- batches of changes: what src/dynamic needs of files, and what reading a file needs of it ------------------- */

/* The sections of a file, whatever comes after them, and its first page; g->mapping_file is the file, if it is one. */
weft_status wfi_weft_read_base(weft_ctx *ctx, const char *path, wfi_weft_page *page, weft_graph **out);
/* Into an open file, which `name` is for messages: the graph and room for changes, root pages that say that the log is
 * empty.  *page is its first page. */
weft_status wfi_weft_write_base(weft_ctx *ctx, const weft_graph *g, const char *name, int fd, uint64_t batches,
                                wfi_weft_page *page);
/* The bytes of a file with a log: of a descriptor, or in memory. */
typedef struct wfi_weft_log {
    const char *name;
    const wfi_weft_page *page;
    int fd; /* -1: memory */
    const char *memory;
    uint64_t bytes;     /* of the file */
    wfi_weft_root root; /* as wfi_weft_look found it */
} wfi_weft_log;
/* src/dynamic/open.c: the root, and then the size, as a writer may be at work: by the time that the root is read, the
 * file has all that it speaks of. */
weft_status wfi_weft_look(weft_ctx *ctx, wfi_weft_log *log);
/* *g, the sections, becomes the graph after the last whole batch of the log as it was looked at. */
weft_status wfi_weft_replay(weft_ctx *ctx, const wfi_weft_log *log, weft_graph **g);

static inline bool wfi_weft_has_log(const wfi_weft_page *page) {
    return page->header.version > 1 && page->changes.log_offset;
}

#endif
