/* Writes a graph as .weft.  Digests come first, since the table that holds them precedes the sections; then everything
 * is streamed, so that the sink may be a pipe or a compressor.
 * Same graph, same bytes: no time, no names, no trace of the machine, of threads or of arrays made on first use. */
#include "io/io.h"
#include "io/weft/binary.h"

#include "attributes/attributes.h"
#include "core/scan.h"

#include <string.h>

enum { WRITE_PART = 8 << 20 };

/* Does a row list a target twice?  Stored, so that readers that merge parallel edges need not check. */
static weft_status find_parallel_arcs(weft_ctx *ctx, const weft_graph *g, bool *parallel) {
    _Atomic int found = 0, stop = 0;
#pragma omp parallel for num_threads(wfi_threads(ctx)) schedule(dynamic, 1024)
    for (weft_vid v = 0; v < g->n; v++) {
        if (atomic_load_explicit(&found, memory_order_relaxed) || atomic_load_explicit(&stop, memory_order_relaxed))
            continue;
        if (v % 1024 == 0 && wfi_cancelled(ctx)) stop = 1;
        for (weft_eid i = g->out.offsets[v] + 1; i < g->out.offsets[v + 1]; i++)
            if (g->out.targets[i] == g->out.targets[i - 1]) found = 1;
    }
    *parallel = found;
    return stop ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

void wfi_weft_fill_header(const weft_graph *g, wfi_weft_parts parts, wfi_weft_header *h) {
    memcpy(h->magic, WEFT_FILE_MAGIC, sizeof h->magic);
    h->byte_order = WEFT_FILE_BYTE_ORDER;
    h->version = parts.columns || parts.sides        ? 3
                 : g->weight_type == WEFT_WEIGHT_F64 ? 2
                                                     : 1; /* the oldest version that suffices */
    if (g->directed) h->flags |= WFI_WEFT_DIRECTED;
    if (parts.in) h->flags |= WFI_WEFT_HAS_IN;
    if (g->ids.by_id) h->flags |= WFI_WEFT_HAS_ORDER;
    if (parts.parallel) h->flags |= WFI_WEFT_HAS_PARALLEL;
    if (parts.columns) h->flags |= WFI_WEFT_HAS_COLUMNS;
    if (parts.sides) h->flags |= WFI_WEFT_HAS_SIDES;
    if (h->version > 2) h->direction_from = (uint32_t)g->direction_from;
    h->vertices = g->n;
    h->arcs = g->arcs;
    h->edges = g->edges;
    h->weight_type = (uint32_t)g->weight_type;
    h->id_kind = (uint32_t)g->ids.kind;
    h->label = (uint32_t)g->label;
    h->id_base = g->ids.kind == WEFT_IDS_DENSE ? g->ids.base : 0;
    h->records = g->records;
    h->self_loops = g->self_loops;
    h->self_loops_dropped = g->self_loops_dropped;
    h->duplicates_dropped = g->duplicates_dropped;
}

/* The in-rows for the file.  An existing transpose is used; one made for the file is freed with `own`: writing must not
 * make a graph larger. */
static weft_status find_in_rows(weft_ctx *ctx, const weft_graph *g, wfi_view *in, wfi_view *own) {
    pthread_mutex_t *lock = (pthread_mutex_t *)(uintptr_t)&g->lock;
    pthread_mutex_lock(lock);
    *in = g->in;
    pthread_mutex_unlock(lock);
    if (in->offsets) return WEFT_OK;
    weft_status st = wfi_transpose(ctx, g->n, g->arcs, g->weight_type, &g->out, own);
    *in = *own;
    return st;
}

/* The array for each section. */
static void list_arrays(const weft_graph *g, const wfi_view *in, const wfi_weft_pool *pool,
                        const void *array[WFI_WEFT_KINDS]) {
    array[WFI_OUT_OFFSETS] = g->out.offsets;
    array[WFI_OUT_TARGETS] = g->out.targets;
    array[WFI_OUT_WEIGHTS] = g->out.weights;
    array[WFI_IN_OFFSETS] = in->offsets;
    array[WFI_IN_TARGETS] = in->targets;
    array[WFI_IN_WEIGHTS] = in->weights;
    array[WFI_ID_NUMBERS] = g->ids.number;
    array[WFI_ID_NAME_STARTS] = g->ids.start;
    array[WFI_ID_NAME_TEXT] = g->ids.text;
    array[WFI_ID_ORDER] = g->ids.by_id;
    const wfi_vertex_data *c = g->attributes;
    if (c) {
        array[WFI_COLUMN_ENTRIES] = c->entries;
        array[WFI_COLUMN_VALUES] = c->values;
        array[WFI_TEXT_STARTS] = c->starts;
        array[WFI_TEXTS] = c->text;
    }
    if (!pool->sides) return;
    array[WFI_TEXT_STARTS] = pool->starts;
    array[WFI_TEXTS] = pool->text;
    array[WFI_SIDES] = pool->sides;
}

static void write_zeros(wfi_sink *sink, uint64_t bytes) {
    static const char zeros[WEFT_FILE_PAGE];
    for (; bytes; bytes -= wfi_min_u64(bytes, sizeof zeros))
        wfi_sink_bytes(sink, zeros, (size_t)wfi_min_u64(bytes, sizeof zeros));
}

static weft_status write_section(weft_ctx *ctx, wfi_sink *sink, const wfi_weft_section *s, const char *data,
                                 uint64_t file_bytes) {
    for (uint64_t at = 0; at < s->bytes && !wfi_sink_failed(sink); at += WRITE_PART) {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        wfi_progress(ctx, "writing", s->offset + at, file_bytes);
        wfi_sink_bytes(sink, data + at, (size_t)wfi_min_u64(WRITE_PART, s->bytes - at));
    }
    return WEFT_OK;
}

static weft_status fill_page(weft_ctx *ctx, const weft_graph *g, bool with_in, const uint64_t *batches,
                             const wfi_weft_pool *pool, const void *const *array, wfi_weft_page *page) {
    bool parallel;
    weft_status st = find_parallel_arcs(ctx, g, &parallel);
    if (st) return st;
    memset(page, 0, sizeof *page);
    wfi_weft_sizes sizes = wfi_weft_sizes_of(g);
    if (g->sides) {
        sizes.of[WFI_TEXT_STARTS] = pool->start_bytes;
        sizes.of[WFI_TEXTS] = pool->text_bytes;
        sizes.of[WFI_SIDES] = pool->side_bytes;
    }
    wfi_weft_parts parts = {with_in, parallel, g->attributes != NULL, g->sides != NULL};
    wfi_weft_fill_header(g, parts, &page->header);
    if (!wfi_weft_layout(page, &sizes))
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "a graph of %llu arcs is too large for a .weft file",
                        (unsigned long long)g->arcs);
    for (uint32_t i = 0; i < page->header.sections && !st; i++) {
        wfi_weft_section *s = &page->section[i];
        st = wfi_digest_long(ctx, "checksums", array[s->kind], (size_t)s->bytes, s->kind, &s->digest);
    }
    if (batches) {
        if (page->header.version < 2) page->header.version = 2;
        page->changes = wfi_weft_room_for_changes(page, *batches);
    }
    page->header.digest = wfi_weft_page_digest(ctx, page);
    return st;
}

/* Writes two root pages of an empty log. */
static void write_roots(weft_ctx *ctx, wfi_sink *sink, const wfi_weft_page *page) {
    const wfi_weft_changes *c = &page->changes;
    write_zeros(sink, c->root_offset[0] - page->header.file_bytes);
    for (uint64_t turn = 0; turn < 2; turn++) {
        wfi_weft_root root = wfi_weft_make_root(ctx, page, turn, c->batches, c->log_offset, page->header.digest);
        wfi_sink_bytes(sink, &root, sizeof root);
        write_zeros(sink, c->root_bytes - sizeof root);
    }
}

/* batches: number of batches before the changes to come; NULL: a finished graph. */
static weft_status write_file(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, bool with_in, const uint64_t *batches,
                              wfi_weft_page *page) {
    wfi_view in = {0}, own = {0};
    const void *array[WFI_WEFT_KINDS];
    wfi_weft_pool pool = {0};
    weft_status st = with_in ? find_in_rows(ctx, g, &in, &own) : WEFT_OK;
    if (!st) st = wfi_weft_make_pool(ctx, g, &pool);
    if (st) goto done;
    list_arrays(g, &in, &pool, array);
    st = fill_page(ctx, g, with_in, batches, &pool, array, page);
    if (st) goto done;
    wfi_sink_bytes(sink, page, sizeof *page);
    uint64_t written = sizeof *page;
    for (uint32_t i = 0; i < page->header.sections && !st; i++) {
        const wfi_weft_section *s = &page->section[i];
        write_zeros(sink, s->offset - written);
        st = write_section(ctx, sink, s, array[s->kind], page->header.file_bytes);
        written = s->offset + s->bytes;
    }
    if (batches) write_roots(ctx, sink, page);
done:
    wfi_free(pool.starts);
    wfi_free(own.offsets);
    wfi_free(own.targets);
    wfi_free(own.weights);
    return st;
}

weft_status wfi_write_weft(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const weft_write_params *params) {
    wfi_weft_page page;
    return write_file(ctx, g, sink, g->directed && params->both_directions, NULL, &page);
}

weft_status wfi_weft_write_base(weft_ctx *ctx, const weft_graph *g, const char *name, int fd, uint64_t batches,
                                wfi_weft_page *page) {
    wfi_sink *sink;
    weft_status st = wfi_sink_onto(ctx, name, fd, &sink);
    if (st) return st;
    st = write_file(ctx, g, sink, false, &batches, page);
    if (!st) return wfi_sink_finish(ctx, sink);
    wfi_sink_abandon(sink);
    return st;
}
