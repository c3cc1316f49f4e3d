/* Adjacency lists: one vertex a line, `v n1 n2 ...`, ids any integers; a line with v alone is an isolated vertex.
 * NetworkX writes such files, with # comments, and LDBC's validation graphs are some.  Read only, and never guessed
 * from the content: any edge list would do.
 * Directed unless asked otherwise; then an edge listed in one row or in both is one edge. */
#include "io/collect.h"
#include "io/io.h"
#include "io/numbers.h"
#include "io/slots.h"
#include "io/words.h"

/* Vertices of a block that have no neighbours in their row. */
typedef struct lonely {
    int64_t *ids;
    uint64_t count;
} lonely;

typedef struct reading {
    wfi_collector *collectors;
    wfi_slots blocks; /* lonely */
    wfi_edges edges;
    int64_t *extra;
    uint64_t extra_count;
} reading;

static bool row_ends(const char *p, const char *end) { return p >= end || *p == '\n' || *p == '#'; }

static weft_status take_row(weft_ctx *ctx, wfi_collector *c, lonely *alone, const wfi_block *block, const char **at,
                            wfi_parse_error *error) {
    const char *end = block->text + block->bytes, *p = *at;
    int64_t vertex, neighbour;
    weft_status st = wfi_take_id(block, &p, &vertex, error);
    p = wfi_skip_blanks(p);
    if (!st && row_ends(p, end)) alone->ids[alone->count++] = vertex;
    for (unsigned taken = 1; !st && !row_ends(p, end); taken++) {
        st = wfi_take_id(block, &p, &neighbour, error);
        if (!st) st = wfi_collect(ctx, c, vertex, neighbour);
        if (!st && taken % WFI_POLL_WORDS == 0) st = wfi_block_poll(ctx, block);
        p = wfi_skip_blanks(p);
    }
    *at = p;
    return st;
}

static weft_status parse_block(weft_ctx *ctx, void *user, const wfi_block *block, uint64_t *lines,
                               wfi_parse_error *error) {
    reading *r = user;
    wfi_collector *c = &r->collectors[block->thread];
    const char *end = block->text + block->bytes;
    lonely alone = {0};
    *lines = wfi_count_lines(block->text, block->bytes);
    weft_status st = wfi_collector_reset(ctx, c, block->bytes / 2 + 1, WEFT_WEIGHT_NONE);
    if (!st) st = wfi_alloc(ctx, &alone.ids, *lines + 1);
    for (const char *p = wfi_next_data(block->text, end); !st && p < end; p = wfi_next_data(p, end))
        st = take_row(ctx, c, &alone, block, &p, error);
    if (!st && alone.count) {
        int64_t *ids = wfi_resize(ctx, alone.ids, alone.count, sizeof *ids);
        st = ids ? WEFT_OK : WEFT_ENOMEM;
        if (ids) alone.ids = ids;
    }
    if (!st) st = wfi_collector_deliver(ctx, c, &r->edges, block->index, 0);
    if (!st && alone.count) {
        pthread_mutex_lock(&r->blocks.lock);
        st = wfi_slots_put(ctx, &r->blocks, block->index, &alone);
        pthread_mutex_unlock(&r->blocks.lock);
        if (!st) return WEFT_OK;
    }
    wfi_free(alone.ids);
    return st;
}

static weft_status gather_lonely(weft_ctx *ctx, reading *r) {
    for (size_t b = 0; b < r->blocks.count; b++) r->extra_count += ((lonely *)wfi_slots_at(&r->blocks, b))->count;
    if (wfi_alloc(ctx, &r->extra, r->extra_count)) return WEFT_ENOMEM;
    uint64_t at = 0;
    for (size_t b = 0; b < r->blocks.count; b++) {
        const lonely *here = wfi_slots_at(&r->blocks, b);
        for (uint64_t i = 0; i < here->count; i++) r->extra[at++] = here->ids[i];
    }
    return WEFT_OK;
}

static void free_reading(const weft_ctx *ctx, reading *r) {
    for (size_t b = 0; b < r->blocks.count; b++) wfi_free(((lonely *)wfi_slots_at(&r->blocks, b))->ids);
    wfi_collectors_free(ctx, r->collectors);
    wfi_free(r->extra);
    wfi_slots_close(&r->blocks);
    wfi_edges_free(&r->edges);
}

static weft_status read_adjlist(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    reading r = {0};
    uint64_t blocks;
    *out = NULL;
    wfi_slots_open(&r.blocks, sizeof(lonely));
    weft_status st = wfi_check_weights_wish(ctx, source, params, false, "an adjacency list cannot store them");
    if (!st) st = wfi_collectors_new(ctx, &r.collectors);
    if (!st) st = wfi_read_blocks(ctx, source, 0, WFI_CUT_ROWS, parse_block, &r, &blocks);
    if (!st) st = gather_lonely(ctx, &r);
    if (st) goto done;
    wfi_build build = {.numbering = WFI_COMPACT, .extra_ids = r.extra, .extra_count = r.extra_count};
    build.params = wfi_read_rules(params);
    build.format = wfi_format_adjlist.info.name;
    build.directed = wfi_resolve_directed(params->direction, true);
    build.direction_open = true;
    st = wfi_graph_build(ctx, &r.edges, &build, out);
done:
    free_reading(ctx, &r);
    return st;
}

static int sniff_adjlist(const char *head, size_t bytes, const char *name) {
    (void)head, (void)bytes;
    return wfi_name_has_extension(name, wfi_format_adjlist.info.extensions) ? 2 : 0;
}

const wfi_format wfi_format_adjlist = {
    .info = {"adjlist", "adjacency list", "adjlist", 1, 0, 0},
    .sniff = sniff_adjlist,
    .read = read_adjlist,
};
