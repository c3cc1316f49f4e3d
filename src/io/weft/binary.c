/* Opens .weft files: by mapping them, without parsing or copying, in constant time.  A file with a log of changes is
 * read into memory instead (src/dynamic/open.c).
 *
 * Checked at once, in files of any size: the first page (magic, byte order, version, checksum), that the section table
 * is the one implied by the header, the length of the file, and the two ends of every offset array.  Checked on request
 * (verify_checksums, weft_graph_verify): every byte; binary_verify.c.  Small files, and files that are copied or
 * rebuilt anyway, are always verified, since it costs next to nothing.
 * A large file that was not verified is trusted: damage in its arrays can lead an algorithm to accesses outside
 * them. */
#include "io/weft/binary.h"
#include "attributes/attributes.h"
#include "core/comm.h"
#include "io/io.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

enum { VERIFIED_BELOW = 4 << 20 }; /* smaller files are verified well within the 5 ms that opening may take */

int wfi_sniff_weft(const char *head, size_t bytes) {
    /* "WFT" alone is enough: a file damaged by a text-mode transfer should be diagnosed by this reader. */
    return bytes >= 4 && memcmp(head + 1, "WFT", 3) == 0 && (head[0] & 0x7f) == '\t' ? 3 : 0;
}

/* --- the first page ------------------------------------------------------- */

static weft_status check_magic(weft_ctx *ctx, const char *name, const char *bytes, size_t count) {
    wfi_weft_header h;
    if (count < 4 || memcmp(bytes + 1, "WFT", 3) != 0) return wfi_fail(ctx, WEFT_EINPUT, "%s: not a .weft file", name);
    if (count < WEFT_FILE_PAGE)
        return wfi_fail(ctx, WEFT_EINPUT, "%s: cut short: %zu bytes, the header alone has %d", name, count,
                        WEFT_FILE_PAGE);
    memcpy(&h, bytes, sizeof h);
    if (memcmp(h.magic, WEFT_FILE_MAGIC, sizeof h.magic) != 0)
        return wfi_fail(ctx, WEFT_EINPUT,
                        "%s: damaged: the first bytes are nearly those of a .weft file; was it transferred as text?",
                        name);
    if (h.byte_order == __builtin_bswap32(WEFT_FILE_BYTE_ORDER))
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "%s: a big-endian .weft file; only little-endian ones are understood",
                        name);
    if (h.byte_order != WEFT_FILE_BYTE_ORDER)
        return wfi_fail(ctx, WEFT_EINPUT, "%s: damaged: the byte-order mark is %08" PRIx32, name, h.byte_order);
    if (h.version > WEFT_FILE_NEWEST)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED,
                        "%s: the file has .weft version %" PRIu32 ", this program understands version %d and older",
                        name, h.version, WEFT_FILE_NEWEST);
    if (h.version < WEFT_FILE_OLDEST) return wfi_fail(ctx, WEFT_EINPUT, "%s: damaged: .weft version 0", name);
    return WEFT_OK;
}

/* Flags with a meaning in that version, supported or not. */
static uint32_t flags_of(uint32_t version) {
    uint32_t flags = WFI_WEFT_FLAGS;
    if (version > 1) flags |= WFI_WEFT_WIDE;
    if (version > 2) flags |= WFI_WEFT_HAS_COLUMNS | WFI_WEFT_HAS_SIDES | WFI_WEFT_SIDE_IDS;
    return flags;
}

/* Consistency checks of a header without the rest of the file. */
static bool header_makes_sense(const wfi_weft_header *h) {
    bool directed = h->flags & WFI_WEFT_DIRECTED, dense = h->id_kind == WEFT_IDS_DENSE;
    uint32_t last_weights = h->version > 1 ? WEFT_WEIGHT_F64 : WEFT_WEIGHT_F32;
    if (h->flags & (~flags_of(h->version) | WFI_WEFT_WIDE)) return false; /* small enough not to be wide */
    if (h->direction_from > (h->version > 2 ? (uint32_t)WEFT_DIRECTION_ASSUMED : 0)) return false;
    if (h->weight_type > last_weights || h->id_kind > WEFT_IDS_STRING || h->label > WEFT_LABEL_ACYCLIC) return false;
    if (!directed && h->flags & WFI_WEFT_HAS_IN) return false;
    if (dense ? h->flags & WFI_WEFT_HAS_ORDER : h->id_base != 0) return false;
    if (h->vertices && h->id_base > INT64_MAX - (int64_t)(h->vertices - 1)) return false;
    if (h->self_loops > h->arcs) return false;
    return h->edges == (directed ? h->arcs : (h->arcs - h->self_loops) / 2 + h->self_loops);
}

/* Is the table the one implied by the header?  Only the digests and the lengths of names and columns are free. */
static bool table_fits_header(const wfi_weft_page *page) {
    wfi_weft_page expected;
    wfi_weft_sizes sizes = {{0}};
    for (size_t i = 0; i < WFI_WEFT_KINDS - 1; i++)
        if (page->section[i].kind < WFI_WEFT_KINDS) sizes.of[page->section[i].kind] = page->section[i].bytes;
    memset(&expected, 0, sizeof expected);
    expected.header = page->header;
    if (!wfi_weft_layout(&expected, &sizes)) return false;
    for (size_t i = 0; i < expected.header.sections; i++) expected.section[i].digest = page->section[i].digest;
    if (wfi_weft_has_log(page)) expected.changes = wfi_weft_room_for_changes(&expected, page->changes.batches);
    return memcmp(&expected, page, sizeof expected) == 0;
}

/* Fails on features of a valid file of a later version that this program does not support. */
static weft_status check_features(weft_ctx *ctx, const char *name, const wfi_weft_page *page) {
    const wfi_weft_header *h = &page->header;
    uint32_t unknown = h->flags & ~flags_of(h->version);
    if (unknown)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED,
                        "%s: the file has flags %" PRIx32 ", which this program does not know: it needs a newer Weft",
                        name, unknown);
    if (h->flags & WFI_WEFT_SIDE_IDS)
        return wfi_fail(
            ctx, WEFT_EUNSUPPORTED,
            "%s: the file has vertices of two kinds with ids of their own, which this program does not read", name);
    if (h->vertices >= WEFT_NO_VERTEX)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED,
                        "%s: %" PRIu64 " vertices: a file for a graph spread over ranks; on one machine a graph has at "
                        "most 2^32-2",
                        name, h->vertices);
    return WEFT_OK;
}

static weft_status check_page(weft_ctx *ctx, const char *name, const wfi_weft_page *page, size_t bytes) {
    uint64_t digest = wfi_weft_page_digest(ctx, page);
    if (digest != page->header.digest)
        return wfi_fail(ctx, WEFT_EINPUT, "%s: damaged: the header has checksum %016" PRIx64 ", but says %016" PRIx64,
                        name, digest, page->header.digest);
    weft_status st = page->header.version > 1 ? check_features(ctx, name, page) : WEFT_OK;
    if (st) return st;
    if (page->header.vertices >= WEFT_NO_VERTEX || !header_makes_sense(&page->header))
        return wfi_fail(ctx, WEFT_EINPUT, "%s: wrong header: its counts and kinds contradict each other", name);
    if (!table_fits_header(page))
        return wfi_fail(ctx, WEFT_EINPUT, "%s: wrong section table: it is not the one of such a graph", name);
    bool has_log = wfi_weft_has_log(page);
    uint64_t least = has_log ? page->changes.log_offset : page->header.file_bytes;
    if (least > bytes)
        return wfi_fail(ctx, WEFT_EINPUT, "%s: cut short: %zu bytes are there of %" PRIu64, name, bytes, least);
    if (least < bytes && !has_log)
        return wfi_fail(ctx, WEFT_EINPUT, "%s: %" PRIu64 " bytes too many after the last section", name,
                        bytes - page->header.file_bytes);
    return WEFT_OK;
}

static weft_status open_file(weft_ctx *ctx, const char *name, const char *bytes, size_t count, wfi_weft_file **out) {
    weft_status st = check_magic(ctx, name, bytes, count);
    if (st) return st;
    wfi_weft_file *file = wfi_take_zeroed(ctx, sizeof *file + strlen(name) + 1, 1);
    if (!file) return WEFT_ENOMEM;
    memcpy(&file->page, bytes, sizeof file->page);
    file->bytes = bytes;
    strcpy(file->name, name);
    st = check_page(ctx, name, &file->page, count);
    if (st) {
        wfi_free(file);
        return st;
    }
    *out = file;
    return WEFT_OK;
}

/* --- the graph ------------------------------------------------------------ */

static void set_array(weft_graph *g, uint32_t kind, void *data) {
    switch ((wfi_weft_kind)kind) {
    case WFI_OUT_OFFSETS: g->out.offsets = data; break;
    case WFI_OUT_TARGETS: g->out.targets = data; break;
    case WFI_OUT_WEIGHTS: g->out.weights = data; break;
    case WFI_IN_OFFSETS: g->in.offsets = data; break;
    case WFI_IN_TARGETS: g->in.targets = data; break;
    case WFI_IN_WEIGHTS: g->in.weights = data; break;
    case WFI_ID_NUMBERS: g->ids.number = data; break;
    case WFI_ID_NAME_STARTS: g->ids.start = data; break;
    case WFI_ID_NAME_TEXT: g->ids.text = data; break;
    case WFI_ID_ORDER: g->ids.by_id = data; break;
    case WFI_COLUMN_ENTRIES: g->attributes->entries = data; break;
    case WFI_COLUMN_VALUES: g->attributes->values = data; break;
    case WFI_TEXT_STARTS:
        if (g->attributes) g->attributes->starts = data;
        break;
    case WFI_TEXTS:
        if (g->attributes) g->attributes->text = data;
        break;
    case WFI_SIDES:
    case WFI_WEFT_KINDS: break;
    }
}

/* Sets the arrays: into the mapping, or copies of bytes that are temporary (and may be unaligned). */
static weft_status set_arrays(weft_ctx *ctx, weft_graph *g, wfi_weft_file *file) {
    if (file->page.header.flags & WFI_WEFT_HAS_COLUMNS &&
        !(g->attributes = wfi_take_zeroed(ctx, 1, sizeof *g->attributes)))
        return WEFT_ENOMEM;
    for (uint32_t i = 0; i < file->page.header.sections; i++) {
        const wfi_weft_section *s = &file->page.section[i];
        void *data;
        bool sides = s->kind == WFI_SIDES || (s->kind >= WFI_TEXT_STARTS && !g->attributes); /* read in place */
        if (sides) {
            file->data[s->kind] = file->bytes + s->offset;
            continue;
        }
        if (g->mapping) {
            /* An empty section at the end of the file would point past the mapping, and be mistaken for a block to
             * free. */
            data = (char *)g->mapping + (s->bytes ? s->offset : 0);
        } else {
            data = wfi_take(ctx, (size_t)s->bytes, 1);
            if (!data) return WEFT_ENOMEM;
            memcpy(data, file->bytes + s->offset, (size_t)s->bytes);
        }
        set_array(g, s->kind, data);
        file->data[s->kind] = data;
    }
    return WEFT_OK;
}

static void set_facts(weft_graph *g, const wfi_weft_header *h) {
    g->n = (weft_vid)h->vertices;
    g->arcs = h->arcs;
    g->edges = h->edges;
    g->directed = h->flags & WFI_WEFT_DIRECTED;
    g->weight_type = (weft_weight_type)h->weight_type;
    g->out = g->in = wfi_view_of(g->n, g->weight_type);
    g->ids.kind = (weft_id_kind)h->id_kind;
    g->ids.base = h->id_base;
    g->records = h->records;
    g->self_loops = h->self_loops;
    g->self_loops_dropped = h->self_loops_dropped;
    g->duplicates_dropped = h->duplicates_dropped;
    g->label = (weft_label)h->label;
    g->direction_from = (weft_direction_from)h->direction_from;
    g->format = "weft";
}

/* Checks the ends of the offset arrays, which is all that can be checked in constant time. */
static weft_status check_ends(weft_ctx *ctx, const wfi_weft_file *file) {
    static const struct {
        wfi_weft_kind offsets, content;
        uint64_t each;
    } pairs[] = {{WFI_OUT_OFFSETS, WFI_OUT_TARGETS, 4},
                 {WFI_IN_OFFSETS, WFI_IN_TARGETS, 4},
                 {WFI_ID_NAME_STARTS, WFI_ID_NAME_TEXT, 1}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const uint64_t *offsets = file->data[pairs[i].offsets];
        if (!offsets) continue;
        uint64_t content = 0, n = file->page.header.vertices;
        for (uint32_t k = 0; k < file->page.header.sections; k++)
            if (file->page.section[k].kind == (uint32_t)pairs[i].content) content = file->page.section[k].bytes;
        if (offsets[0] != 0 || offsets[n] != content / pairs[i].each)
            return wfi_fail(ctx, WEFT_EINPUT, "%s: damaged: section \"%s\" does not begin at 0 and end at %" PRIu64,
                            file->name, wfi_weft_kind_name((uint32_t)pairs[i].offsets), content / pairs[i].each);
    }
    return WEFT_OK;
}

/* --- the caller's parameters ---------------------------------------------- */

static weft_status apply_weights_use(weft_ctx *ctx, const char *name, weft_weights_use use, weft_graph *g) {
    if (use == WEFT_WEIGHTS_REQUIRE && g->weight_type == WEFT_WEIGHT_NONE)
        return wfi_fail(ctx, WEFT_EINPUT, "%s: has no weights, but weights are required", name);
    if (use != WEFT_WEIGHTS_IGNORE) return WEFT_OK;
    wfi_graph_free_array(g, g->out.weights);
    wfi_graph_free_array(g, g->in.weights);
    g->out.weights = g->in.weights = NULL;
    g->weight_type = g->out.type = g->in.type = WEFT_WEIGHT_NONE;
    return WEFT_OK;
}

/* True if parallel edges stay: the caller neither asked to merge them nor gave rules for merging their columns. */
static bool parallel_stay(const weft_graph *g, bool has_parallel, const weft_read_params *params) {
    bool columns = wfi_edge_column_count(g) && (!params->keep || *params->keep);
    bool joined = g->directed && params->direction == WEFT_UNDIRECTED;
    return has_parallel && columns && !joined && !params->merge && params->duplicates == WEFT_DUPLICATES_DROP;
}

static bool must_rebuild(const weft_graph *g, bool has_parallel, const weft_build_params *build) {
    return (g->directed && build->direction == WEFT_UNDIRECTED) || (g->self_loops && build->loops == WEFT_LOOPS_DROP) ||
           (has_parallel && build->duplicates != WEFT_DUPLICATES_KEEP) ||
           wfi_rules_change_weights(build, g->weight_type);
}

/* Opens the sections as a graph.  *out and *opened are set together; the graph owns the file only if it is mapped,
 * later. */
static weft_status open_sections(weft_ctx *ctx, wfi_source *source, wfi_weft_file **opened, size_t *bytes,
                                 weft_graph **out) {
    const char *text = NULL;
    void *mapping = NULL;
    weft_graph *g = NULL;
    wfi_weft_file *file = NULL;
    weft_status st = wfi_source_map(ctx, source, &mapping, bytes);
    text = mapping;
    if (!st && !mapping) st = wfi_source_whole(ctx, source, &text, bytes);
    if (!st) st = open_file(ctx, wfi_source_name(source), text, *bytes, &file);
    if (!st && !(g = wfi_graph_new(ctx))) st = WEFT_ENOMEM;
    if (st) goto done;
    g->mapping = mapping;
    g->mapping_bytes = mapping ? *bytes : 0;
    if (mapping) g->mapping_file = wfi_source_duplicate(source);
    mapping = NULL;
    set_facts(g, &file->page.header);
    st = set_arrays(ctx, g, file);
    if (!st) st = check_ends(ctx, file);
    if (!st && g->attributes) st = wfi_weft_open_columns(ctx, file, g->attributes);
    if (!st && file->page.header.flags & WFI_WEFT_HAS_SIDES) st = wfi_weft_open_sides(ctx, file, g);
done:
    if (st) {
        if (mapping) munmap(mapping, *bytes);
        wfi_free(file);
        weft_graph_free(g);
        return st;
    }
    *opened = file;
    *out = g;
    return WEFT_OK;
}

static wfi_weft_log log_of(const wfi_weft_file *file, size_t bytes, const weft_graph *g) {
    int fd = g->mapping && g->mapping_file >= 0 ? g->mapping_file : -1;
    return (wfi_weft_log){.name = file->name, .page = &file->page, .fd = fd, .memory = file->bytes, .bytes = bytes};
}

/* Applies the caller's choice of edge columns, and the condition on edges. */
static weft_status choose_edges(weft_ctx *ctx, const char *name, const weft_read_params *params,
                                const weft_build_params *rules, bool rebuild, weft_graph **g) {
    wfi_edge_choice choice;
    weft_status st = wfi_edge_choice_open(ctx, *g, params, &choice);
    uint64_t before = (*g)->edges + (*g)->duplicates_dropped + (*g)->self_loops_dropped;
    if (!st && rebuild)
        st = wfi_weft_rebuild(ctx, rules, &choice, g);
    else if (!st && params->keep)
        st = wfi_edge_data_replace(ctx, *g, choice.from, choice.kept);
    wfi_edge_choice_close(&choice);
    if (!st && params->edges_where)
        wfi_note(ctx, "%s: edges left out by the condition: %" PRIu64, name,
                 before - (*g)->edges - (*g)->duplicates_dropped - (*g)->self_loops_dropped);
    return st;
}

weft_status wfi_read_weft(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    const char *name = wfi_source_name(source);
    size_t bytes = 0;
    weft_graph *g = NULL;
    wfi_weft_file *file = NULL;
    weft_status st = open_sections(ctx, source, &file, &bytes, &g);
    if (st) return st;
    bool parallel = file->page.header.flags & WFI_WEFT_HAS_PARALLEL;
    bool has_log = wfi_weft_has_log(&file->page);
    wfi_weft_log log = log_of(file, bytes, g);
    if (has_log) st = wfi_weft_look(ctx, &log);
    if (st) goto done;
    bool changed = has_log && log.bytes > file->page.changes.log_offset;
    weft_build_params rules = wfi_read_rules(params);
    bool stay = parallel_stay(g, parallel, params);
    if (stay) rules.duplicates = WEFT_DUPLICATES_KEEP;
    bool chosen = params->edges_where || params->merge;
    bool rebuild = chosen || must_rebuild(g, parallel, &rules);
    if (wfi_has_ranks(ctx) && (rebuild || changed || !g->mapping)) {
        st = wfi_fail(ctx, WEFT_EINVAL,
                      "%s: ranks share a graph as it is in its file, and this one %s; convert it first", name,
                      rebuild   ? "would have to be built anew"
                      : changed ? "has a log of changes"
                                : "is packed");
        goto done;
    }
    if (params->verify_checksums || !g->mapping || bytes <= VERIFIED_BELOW || rebuild || changed)
        st = wfi_weft_verify(ctx, file);
    if (!st && has_log) {
        st = wfi_weft_replay(ctx, &log, &g);
        if (!st) rebuild = chosen || must_rebuild(g, parallel, &rules);
    }
    if (!st) st = apply_weights_use(ctx, name, params->weights, g);
    if (!st) st = wfi_graph_weights_as(ctx, name, g, params->weight_type);
    if (st) goto done;
    if (g->mapping) {
        g->binary = file;
        file = NULL;
    }
    if (rebuild || params->keep) st = choose_edges(ctx, name, params, &rules, rebuild, &g);
    if (!st && !rebuild && !g->directed && params->direction == WEFT_DIRECTED) {
        g->directed = true; /* both arcs of every edge are stored; each is an edge of its own now */
        g->edges = g->arcs;
    }
    if (!st && params->direction != WEFT_AS_FILE) g->direction_from = WEFT_DIRECTION_FROM_FLAG;
    if (!st && stay && !wfi_rank(ctx))
        wfi_note(ctx,
                 "%s: parallel edges stay, as their columns have no rule (`merge`; `duplicates=keep` silences this)",
                 name);
done:
    wfi_free(file);
    if (st)
        weft_graph_free(g);
    else
        *out = g;
    return st;
}

weft_status wfi_weft_read_base(weft_ctx *ctx, const char *path, wfi_weft_page *page, weft_graph **out) {
    wfi_source *source;
    wfi_weft_file *file = NULL;
    weft_graph *g = NULL;
    size_t bytes;
    weft_status st = wfi_source_open(ctx, path, &source);
    if (st) return st;
    st = open_sections(ctx, source, &file, &bytes, &g);
    if (!st && !g->mapping)
        st = wfi_fail(ctx, WEFT_EUNSUPPORTED, "%s: batches of changes go to a plain .weft file, not to a packed one",
                      path);
    if (!st) st = wfi_weft_verify(ctx, file);
    if (st) {
        weft_graph_free(g);
    } else {
        *page = file->page;
        *out = g;
    }
    wfi_free(file);
    wfi_source_close(source);
    return st;
}

weft_status weft_graph_verify(weft_ctx *ctx, const weft_graph *g) {
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_ROWS_OR_RETURN(ctx, g);
    const weft_graph *in = g->base ? g->base : g; /* the graph whose arrays lie in the file */
    return in->binary ? wfi_weft_verify(ctx, in->binary) : WEFT_OK;
}
