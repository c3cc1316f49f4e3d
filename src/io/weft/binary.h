/* The .weft file: its first page in memory, the layout of sections, and the checks.  docs/formats/weft.md is the
 * specification; this header and that page change together.
 *
 * One page of header and section table, then the arrays of the graph in their form in memory, each at a multiple of
 * WEFT_FILE_PAGE.  A header determines its table (except for the lengths of names and columns and the digests), so the
 * reader computes the expected table with wfi_weft_layout and compares. */
#ifndef WFI_BINARY_H
#define WFI_BINARY_H

#include "attributes/edge_columns.h"
#include "graph/graph.h"
#include "io/stream/sink.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "a .weft file is little-endian and is mapped as it is: this machine would have to swap every array"
#endif

/* 4096 is the smallest page size in use; the file is mapped as a whole, so that with larger pages (64 KiB on some
 * aarch64) a section still lies at a multiple of 4096 in memory, which exceeds the alignment of all its types. */
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
    /* Version 3, if there are columns; the texts also if there are sides: */
    WFI_COLUMN_ENTRIES, /* wfi_column_entry each (attributes/attributes.h) */
    WFI_COLUMN_VALUES,  /* the values of all columns */
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
    WFI_WEFT_WIDE = 16,        /* version 2: 64-bit vertices, since there are more than 2^32 - 2; not supported */
    WFI_WEFT_HAS_COLUMNS = 32, /* version 3 */
    WFI_WEFT_HAS_SIDES = 64,   /* version 3: vertices are of two kinds */
    WFI_WEFT_SIDE_IDS = 128    /* version 3: each kind has ids of its own; not supported */
};

/* The first 16 bytes have the same meaning in every version. */
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
    uint32_t direction_from; /* version 3: weft_direction_from; zero before */
    int64_t id_base;
    uint64_t records, self_loops, self_loops_dropped, duplicates_dropped;
} wfi_weft_header;
_Static_assert(sizeof(wfi_weft_header) == 120, "the header has no holes");

typedef struct wfi_weft_section {
    uint32_t kind, reserved;
    uint64_t offset, bytes, digest;
} wfi_weft_section;
_Static_assert(sizeof(wfi_weft_section) == 32, "a table entry has no holes");

/* Version 2: space for batches of changes.  All zero in a finished graph.  Otherwise two root pages follow the
 * sections, each on a page of its own, and then the log. */
typedef struct wfi_weft_changes {
    uint64_t root_offset[2];
    uint64_t root_bytes; /* of each root: a page */
    uint64_t log_offset, log_bytes;
    uint64_t batches; /* number of batches contained in the sections: the log begins after them */
    uint64_t reserved[10];
} wfi_weft_changes;
_Static_assert(sizeof(wfi_weft_changes) == 128, "the end of the page has no holes");

/* The first bytes of a root page; the rest is zero.  The two pages are written alternately, so that one of them is
 * always intact. */
#define WEFT_ROOT_MAGIC "weftroot"
typedef struct wfi_weft_root {
    char magic[8];
    uint64_t digest;            /* of these 64 bytes with zero here; seed: the digest of the first page */
    uint64_t turn;              /* number of root pages written, this one included; root page turn % 2 is written */
    uint64_t batch, end, chain; /* the log is on disk up to this batch: its end, and its digest */
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

/* An open file: its page, and pointers to its arrays (in the mapping, or copies).  weft_graph.binary points to it. */
typedef struct wfi_weft_file {
    wfi_weft_page page;
    const char *bytes;                /* the whole file; NULL if no longer available */
    const void *data[WFI_WEFT_KINDS]; /* by kind; NULL if not stored */
    char name[];                      /* for messages */
} wfi_weft_file;

/* "out targets", for messages. */
const char *wfi_weft_kind_name(uint32_t kind);

/* The sizes of sections that the header does not determine, from the file or from the graph. */
typedef struct wfi_weft_sizes {
    uint64_t of[WFI_WEFT_KINDS]; /* id names, the four of columns, sides; others are ignored */
} wfi_weft_sizes;
wfi_weft_sizes wfi_weft_sizes_of(const weft_graph *g);

/* Fills page->section (except digests), header.sections and header.file_bytes from the other fields of the header.
 * False if the sizes exceed 63 bits or cannot belong to a graph. */
bool wfi_weft_layout(wfi_weft_page *page, const wfi_weft_sizes *sizes);
/* The size of a section, 0 if it is not stored. */
uint64_t wfi_weft_bytes_of(const wfi_weft_page *page, wfi_weft_kind kind);

/* The layout for changes in a file with these sections, which contain `batches` batches. */
wfi_weft_changes wfi_weft_room_for_changes(const wfi_weft_page *page, uint64_t batches);

/* The digest for page->header.digest, or for root->digest. */
uint64_t wfi_weft_page_digest(weft_ctx *ctx, const wfi_weft_page *page);
uint64_t wfi_weft_root_digest(weft_ctx *ctx, const wfi_weft_page *page, const wfi_weft_root *root);
/* A root page with its digest. */
wfi_weft_root wfi_weft_make_root(weft_ctx *ctx, const wfi_weft_page *page, uint64_t turn, uint64_t batch, uint64_t end,
                                 uint64_t chain);

/* Reads every byte: checks digests, gaps between sections, and that the arrays are a graph: offsets ascend, targets
 * exist, rows are sorted, ids ascend.  WEFT_EINPUT names the section. */
weft_status wfi_weft_verify(weft_ctx *ctx, const wfi_weft_file *file);
/* Checks that the rows of these vertices are contiguous and their targets exist, if the graph lies in such a file;
 * no-op otherwise. */
weft_status wfi_weft_verify_rows(weft_ctx *ctx, const weft_graph *g, weft_vid from, weft_vid to);
/* The digest of its header, which covers those of all sections; 0 if the graph lies in no file. */
uint64_t wfi_weft_digest(const weft_graph *g);

/* Attributes (binary_columns.c), whose arrays lie in the sections.  Opening checks all entries and names; verifying
 * checks every value, after the digests. */
weft_status wfi_weft_open_columns(weft_ctx *ctx, const wfi_weft_file *file, struct wfi_vertex_data *c);
weft_status wfi_weft_verify_columns(weft_ctx *ctx, const wfi_weft_file *file);

/* Sides (binary_sides.c).  The pool has the arrays to write for a graph with sides, valid until wfi_free(pool->starts).
 * Opening sets the sides of g, whose columns then have the texts that are not names of sides.  Verifying comes after
 * the digests. */
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
/* Applies build rules and a choice of edges to a stored graph: *g is replaced by the graph built of its arcs as a list
 * of edges.  File ids stay with their vertices. */
weft_status wfi_weft_rebuild(weft_ctx *ctx, const weft_build_params *params, wfi_edge_choice *choice, weft_graph **g);

/* The choice of edge columns and edges, and the rules for merging edges (binary_choice.c). */
struct wfi_edge_choice {
    wfi_names *names; /* of the kept columns, then of further columns in the condition */
    size_t kept;
    wfi_column_source *from;         /* of each name */
    wfi_edge_rule *rule;             /* of the kept columns */
    struct wfi_condition *condition; /* NULL: all edges stay */
    double *weights;                 /* for a condition on weights */
};
weft_status wfi_edge_choice_open(weft_ctx *ctx, const weft_graph *g, const weft_read_params *params,
                                 wfi_edge_choice *c);
void wfi_edge_choice_close(wfi_edge_choice *c);
/* The chosen edges of g as one piece, with their columns. */
weft_status wfi_edge_choice_list(weft_ctx *ctx, const weft_graph *g, const wfi_edge_choice *c, wfi_edges *edges);

/* The same for a graph that ranks share; collective (binary_share.c). */
weft_status wfi_weft_write_shared(weft_ctx *ctx, const weft_graph *g, const char *path,
                                  const weft_write_params *params);
/* The parts of a graph that a file has besides rows and ids. */
typedef struct wfi_weft_parts {
    bool in, parallel, columns, sides;
} wfi_weft_parts;
/* Fills the header's facts about the graph; wfi_weft_layout and the digests fill the others. */
void wfi_weft_fill_header(const weft_graph *g, wfi_weft_parts parts, wfi_weft_header *h);

/* --- batches of changes: functions for src/dynamic, and functions of src/dynamic for reading -------------------- */

/* Reads the sections of a file, regardless of a log after them, and its first page; g->mapping_file is the file, if it
 * is mapped. */
weft_status wfi_weft_read_base(weft_ctx *ctx, const char *path, wfi_weft_page *page, weft_graph **out);
/* Writes the graph, space for changes, and root pages of an empty log to an open file; `name` is for messages.  *page
 * is its first page. */
weft_status wfi_weft_write_base(weft_ctx *ctx, const weft_graph *g, const char *name, int fd, uint64_t batches,
                                wfi_weft_page *page);
/* A file with a log: a descriptor, or memory. */
typedef struct wfi_weft_log {
    const char *name;
    const wfi_weft_page *page;
    int fd; /* -1: memory */
    const char *memory;
    uint64_t bytes;     /* of the file */
    wfi_weft_root root; /* read by wfi_weft_look */
} wfi_weft_log;
/* src/dynamic/open.c: reads the root, and then the file's size.  A writer may be active: when the root is read, the
 * file contains all that the root describes. */
weft_status wfi_weft_look(weft_ctx *ctx, wfi_weft_log *log);
/* *g, the sections, becomes the graph after the last complete batch of the log that wfi_weft_look found. */
weft_status wfi_weft_replay(weft_ctx *ctx, const wfi_weft_log *log, weft_graph **g);

static inline bool wfi_weft_has_log(const wfi_weft_page *page) {
    return page->header.version > 1 && page->changes.log_offset;
}

#endif
