/* Writes a graph that ranks share as .weft: the same bytes as one process writes, each rank its own part.
 * The first rank creates the temporary file beside the target, sends its path to the others, and renames it to the
 * target at the end; each rank writes its slices of the rows at their positions.  Gaps between sections are holes,
 * which read as zeros.  If a rank fails, no file is left; the same holds if a rank is killed, provided that the file
 * has no name, which requires all ranks on one machine. */
#include "core/comm.h"
#include "graph/ranks/share.h"
#include "io/weft/binary.h"
#include "stream/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WRITE_PART = 8 << 20 };

typedef struct writing {
    weft_ctx *ctx;
    const weft_graph *g;
    const char *path;
    wfi_weft_page page;
    wfi_slice slice[WFI_WEFT_KINDS]; /* of this rank; the ids are all the first rank's */
    uint64_t before[WFI_WEFT_KINDS]; /* bytes of the ranks before */
    struct {
        bool replaces; /* an existing file: synced to disk before the old file is gone */
        bool nameless;
        uint64_t device, inode; /* of a nameless file */
        char way[4096];
    } temporary;
    int fd;
} writing;

/* --- the first page --------------------------------------------------------------------------- */

static weft_status find_parallel(weft_ctx *ctx, const weft_graph *g, bool *parallel) {
    wfi_range mine = g->share->owned;
    uint64_t found = 0;
    for (weft_vid v = mine.first; v < mine.end && !found; v++)
        for (weft_eid e = g->out.offsets[v] + 1; e < g->out.offsets[v + 1]; e++)
            found |= g->out.targets[e] == g->out.targets[e - 1];
    weft_status st = wfi_allreduce(ctx, &found, 1, WFI_MAX);
    *parallel = found;
    return st;
}

static void list_slices(writing *w) {
    const weft_graph *g = w->g;
    const wfi_ids *ids = &g->ids;
    bool first = wfi_rank(w->ctx) == 0;
    uint64_t n = g->n, names = ids->kind == WEFT_IDS_STRING ? ids->start[n] : 0;
    for (int kind = 0; kind < WFI_WEFT_KINDS; kind++) w->slice[kind] = (wfi_slice){"", 0};
    w->slice[WFI_OUT_OFFSETS] = wfi_share_offsets(g);
    w->slice[WFI_OUT_TARGETS] = wfi_share_targets(g);
    if (g->weight_type != WEFT_WEIGHT_NONE) w->slice[WFI_OUT_WEIGHTS] = wfi_share_weights(g);
    if (!first) return;
    w->slice[WFI_ID_NUMBERS] = (wfi_slice){(const char *)ids->number, n * sizeof *ids->number};
    w->slice[WFI_ID_NAME_STARTS] = (wfi_slice){(const char *)ids->start, (n + 1) * sizeof *ids->start};
    w->slice[WFI_ID_NAME_TEXT] = (wfi_slice){ids->text, names};
    w->slice[WFI_ID_ORDER] = (wfi_slice){(const char *)ids->by_id, n * sizeof *ids->by_id};
}

/* *before: the offset of this rank's slice in its section. */
static weft_status bytes_before(weft_ctx *ctx, uint64_t mine, uint64_t *all, uint64_t *before) {
    weft_status st = wfi_allgather_u64(ctx, mine, all);
    *before = 0;
    for (int r = 0; !st && r < wfi_rank(ctx); r++) *before += all[r];
    return st;
}

static weft_status fill_page(writing *w, bool parallel) {
    const weft_graph *g = w->g;
    wfi_weft_page *page = &w->page;
    uint64_t *all = NULL;
    weft_status st = WEFT_OK;
    memset(page, 0, sizeof *page);
    wfi_weft_sizes sizes = wfi_weft_sizes_of(g);
    wfi_weft_fill_header(g, (wfi_weft_parts){.parallel = parallel}, &page->header);
    if (!wfi_weft_layout(page, &sizes))
        return wfi_fail(w->ctx, WEFT_EUNSUPPORTED, "a graph of %llu arcs is too large for a .weft file",
                        (unsigned long long)g->arcs);
    st = wfi_agree(w->ctx, wfi_alloc(w->ctx, &all, (size_t)wfi_ranks(w->ctx)));
    for (uint32_t i = 0; i < page->header.sections && !st; i++) {
        wfi_weft_section *s = &page->section[i];
        st = bytes_before(w->ctx, w->slice[s->kind].bytes, all, &w->before[s->kind]);
        if (!st) st = wfi_share_digest(w->ctx, "checksums", w->slice[s->kind], s->kind, &s->digest);
    }
    page->header.digest = wfi_weft_page_digest(w->ctx, page);
    wfi_free(all);
    return st;
}

/* --- the file ------------------------------------------------------------------------------------ */

static weft_status fail(writing *w) {
    return wfi_fail(w->ctx, WEFT_EIO, "%s: cannot write: %s", w->path, strerror(errno));
}

static weft_status put(writing *w, uint64_t offset, const char *data, uint64_t bytes) {
    while (bytes) {
        if (wfi_cancelled(w->ctx)) return wfi_fail_cancelled(w->ctx);
        wfi_progress(w->ctx, "writing", offset, w->page.header.file_bytes);
        ssize_t n = pwrite(w->fd, data, (size_t)wfi_min_u64(bytes, WRITE_PART), (off_t)offset);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(w);
        data += n;
        offset += (uint64_t)n;
        bytes -= (uint64_t)n;
    }
    return WEFT_OK;
}

static weft_status put_all(writing *w) {
    const wfi_weft_header *h = &w->page.header;
    bool first = wfi_rank(w->ctx) == 0;
    weft_status st = WEFT_OK;
    if (first && ftruncate(w->fd, (off_t)h->file_bytes)) st = fail(w);
    if (!st && first) st = put(w, 0, (const char *)&w->page, sizeof w->page);
    for (uint32_t i = 0; i < h->sections && !st; i++) {
        const wfi_weft_section *s = &w->page.section[i];
        st = put(w, s->offset + w->before[s->kind], w->slice[s->kind].at, w->slice[s->kind].bytes);
    }
    if (!st && w->temporary.replaces && fsync(w->fd) && errno != EINVAL) st = fail(w);
    if (close(w->fd) && !st) st = fail(w);
    w->fd = -1;
    return st;
}

/* --- the temporary file ------------------------------------------------------------------------ */

/* On the first rank. */
static weft_status describe_temporary(writing *w, const wfi_sink *sink) {
    struct stat facts = {0};
    if (!wfi_sink_way(sink, w->temporary.way, sizeof w->temporary.way))
        return wfi_fail(w->ctx, WEFT_EINVAL, "%s: ranks write a plain file together, not a packed one or a pipe",
                        w->path);
    w->temporary.nameless = wfi_sink_nameless(sink);
    w->temporary.replaces = wfi_sink_replaces(sink);
    if (w->temporary.nameless && stat(w->temporary.way, &facts)) return fail(w);
    w->temporary.device = (uint64_t)facts.st_dev;
    w->temporary.inode = (uint64_t)facts.st_ino;
    return WEFT_OK;
}

static weft_status tell_temporary(writing *w) {
    uint64_t *start = NULL;
    int ranks = wfi_ranks(w->ctx);
    weft_status st = wfi_agree(w->ctx, wfi_alloc(w->ctx, &start, (size_t)ranks + 1));
    for (int r = 0; !st && r <= ranks; r++) start[r] = r ? sizeof w->temporary : 0;
    if (!st) st = wfi_allgather(w->ctx, &w->temporary, start);
    wfi_free(start);
    return st;
}

/* On another machine the path of a nameless file leads to a different file, or to none. */
static bool open_temporary(writing *w) {
    struct stat facts;
    if (w->temporary.nameless) {
        if (stat(w->temporary.way, &facts)) return false;
        if ((uint64_t)facts.st_dev != w->temporary.device || (uint64_t)facts.st_ino != w->temporary.inode) return false;
    }
    w->fd = wfi_open(w->temporary.way, O_WRONLY, 0);
    return w->fd >= 0;
}

/* Opens the file on all ranks: nameless if all ranks can open it; otherwise it gets a name. */
static weft_status open_together(writing *w, wfi_sink *sink) {
    for (;;) {
        bool first = wfi_rank(w->ctx) == 0;
        weft_status st = wfi_agree_input(w->ctx, first ? describe_temporary(w, sink) : WEFT_OK);
        if (!st) st = tell_temporary(w);
        if (st) return st;
        uint64_t missed = !open_temporary(w);
        if (!w->temporary.nameless) return wfi_agree(w->ctx, missed ? fail(w) : WEFT_OK);
        st = wfi_allreduce(w->ctx, &missed, 1, WFI_MAX);
        if (st || !missed) return st;
        if (w->fd >= 0) close(w->fd);
        w->fd = -1;
        st = wfi_agree(w->ctx, first ? wfi_sink_name(sink) : WEFT_OK);
        if (st) return st;
    }
}

weft_status wfi_weft_write_shared(weft_ctx *ctx, const weft_graph *g, const char *path,
                                  const weft_write_params *params) {
    if (g->directed && params->both_directions)
        return wfi_fail(ctx, WEFT_EINVAL, "%s: ranks write a graph without its incoming rows; let one process add them",
                        path);
    writing *w = wfi_take_zeroed(ctx, 1, sizeof *w);
    wfi_sink *sink = NULL;
    bool parallel, first = wfi_rank(ctx) == 0;
    weft_status st = wfi_agree(ctx, w ? WEFT_OK : WEFT_ENOMEM);
    if (st) goto done;
    *w = (writing){.ctx = ctx, .g = g, .path = path, .fd = -1};
    list_slices(w);
    st = wfi_agree_input(ctx, first ? wfi_sink_open(ctx, path, 0, &sink) : WEFT_OK);
    if (!st) st = open_together(w, sink);
    if (!st) st = find_parallel(ctx, g, &parallel);
    if (!st) st = fill_page(w, parallel);
    if (!st) st = wfi_agree(ctx, put_all(w));
    if (st) goto done;
    if (first) st = wfi_sink_finish(ctx, sink);
    sink = NULL;
    st = wfi_agree(ctx, st);
done:
    if (w && w->fd >= 0) close(w->fd);
    wfi_sink_abandon(sink);
    wfi_free(w);
    return st;
}
