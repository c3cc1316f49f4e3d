/* See frame.h. Bytes are copied before they are checked, because another program may be writing to the file. */
#include "dynamic/frame.h"
#include "core/scan.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 8 << 20, TAIL_PIECE = 1 << 18, MOST_CHANGES = 1 << 30, ROOT_TRIES = 20 };

static uint64_t padded(uint64_t bytes) { return (bytes + 7) / 8 * 8; }

/* Derives the layout from the header; false for an impossible header. */
static bool layout(const wfi_frame *f, size_t weight, uint64_t bytes[WFI_PARTS], uint64_t offset[WFI_PARTS],
                   uint64_t *end) {
    bool names = f->flags & WFI_FRAME_NAMES;
    if (f->count > MOST_CHANGES || f->name_bytes >> 48) return false;
    bytes[WFI_PART_CHANGES] = f->flags & WFI_FRAME_CHANGES ? f->count : 0;
    bytes[WFI_PART_SOURCES] = bytes[WFI_PART_TARGETS] = names ? 0 : 8 * f->count;
    bytes[WFI_PART_NAMES] = f->name_bytes;
    bytes[WFI_PART_WEIGHTS] = f->flags & WFI_FRAME_WEIGHTS ? weight * f->count : 0;
    *end = sizeof *f;
    for (int i = 0; i < WFI_PARTS; i++) {
        offset[i] = *end;
        *end += padded(bytes[i]);
    }
    return names || !f->name_bytes;
}

static uint64_t head_digest(weft_ctx *ctx, const wfi_frame *f, uint64_t chain) {
    return wfi_digest(ctx, (const char *)f + sizeof f->digest, sizeof *f - sizeof f->digest, chain);
}

static uint64_t content_digest(weft_ctx *ctx, const void *const *data, const uint64_t *bytes) {
    uint64_t digest = 0;
    for (int i = 0; i < WFI_PARTS; i++)
        if (bytes[i]) digest = wfi_digest(ctx, data[i], (size_t)bytes[i], digest);
    return digest;
}

/* --- writing ------------------------------------------------------------------- */

static bool has_target(const weft_batch *b, uint64_t i) { return !b->changes || b->changes[i] <= WEFT_CHANGE_WEIGHT; }

/* All sources, then all targets, zero-terminated. */
static weft_status copy_names(weft_ctx *ctx, const weft_batch *b, wfi_frame_out *out) {
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < b->count; i++)
        bytes += strlen(b->source_names[i]) + 1 + (has_target(b, i) ? strlen(b->target_names[i]) : 0) + 1;
    weft_status st = wfi_alloc(ctx, &out->names, bytes);
    if (st) return st;
    char *to = out->names;
    for (uint64_t i = 0; i < b->count; i++) to = stpcpy(to, b->source_names[i]) + 1;
    for (uint64_t i = 0; i < b->count; i++) to = stpcpy(to, has_target(b, i) ? b->target_names[i] : "") + 1;
    out->head.name_bytes = bytes;
    return WEFT_OK;
}

weft_status wfi_frame_make(weft_ctx *ctx, const weft_batch *b, wfi_frame_kind kind, const wfi_log_position *after,
                           wfi_frame_out *out) {
    *out = (wfi_frame_out){.head = {.batch = after->batch + 1, .count = b->count}};
    wfi_frame *f = &out->head;
    memcpy(f->magic, WFI_FRAME_MAGIC, sizeof f->magic);
    if (b->changes) f->flags |= WFI_FRAME_CHANGES;
    if (kind.names) f->flags |= WFI_FRAME_NAMES;
    if (kind.weight && b->weights) f->flags |= WFI_FRAME_WEIGHTS;
    if (kind.drops_loops) f->flags |= WFI_FRAME_DROPS_LOOPS;
    weft_status st = kind.names ? copy_names(ctx, b, out) : WEFT_OK;
    if (st) return st;
    layout(f, kind.weight, out->bytes, out->offset, &f->bytes);
    const void *data[WFI_PARTS] = {b->changes, b->sources, b->targets, out->names, b->weights};
    memcpy(out->data, data, sizeof data);
    f->content = content_digest(ctx, data, out->bytes);
    f->digest = head_digest(ctx, f, after->chain);
    return WEFT_OK;
}

void wfi_frame_out_free(wfi_frame_out *out) { wfi_free(out->names); }

/* --- reading ------------------------------------------------------------------- */

/* Reads fewer than `bytes` bytes at the end of the file. */
static weft_status read_at(weft_ctx *ctx, const wfi_weft_log *log, uint64_t offset, void *to, uint64_t bytes,
                           uint64_t *got) {
    *got = 0;
    if (log->fd < 0) {
        *got = offset < log->bytes ? wfi_min_u64(bytes, log->bytes - offset) : 0;
        memcpy(to, log->memory + wfi_min_u64(offset, log->bytes), (size_t)*got);
        return WEFT_OK;
    }
    while (*got < bytes) {
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        size_t piece = (size_t)wfi_min_u64(bytes - *got, PIECE);
        ssize_t n = pread(log->fd, (char *)to + *got, piece, (off_t)(offset + *got));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return wfi_fail(ctx, wfi_status_of_error(errno), "%s: cannot read: %s", log->name, strerror(errno));
        if (n == 0) return WEFT_OK;
        *got += (uint64_t)n;
    }
    return WEFT_OK;
}

static weft_status read_head(weft_ctx *ctx, const wfi_weft_log *log, const wfi_log_position *at, wfi_frame *f,
                             bool *whole) {
    uint64_t got;
    *whole = false;
    weft_status st = read_at(ctx, log, at->offset, f, sizeof *f, &got);
    if (st || got < sizeof *f) return st;
    *whole = !memcmp(f->magic, WFI_FRAME_MAGIC, sizeof f->magic) && f->batch == at->batch + 1 &&
             f->digest == head_digest(ctx, f, at->chain) && f->bytes >= sizeof *f && f->bytes % 8 == 0 &&
             f->bytes <= log->bytes && at->offset <= log->bytes - f->bytes;
    return WEFT_OK;
}

weft_status wfi_frame_skip(weft_ctx *ctx, const wfi_weft_log *log, wfi_log_position *at, bool *whole) {
    wfi_frame f;
    weft_status st = read_head(ctx, log, at, &f, whole);
    if (!st && *whole) *at = (wfi_log_position){f.batch, at->offset + f.bytes, f.digest, at->offset};
    return st;
}

static weft_status fail_wrong(weft_ctx *ctx, const wfi_weft_log *log, const wfi_frame *f, const char *what) {
    return wfi_fail(ctx, WEFT_EINPUT, "%s: batch %llu of the log is wrong: %s", log->name, (unsigned long long)f->batch,
                    what);
}

/* The digests matched, so faults found from here on were written that way. */
static weft_status set_names(weft_ctx *ctx, const wfi_weft_log *log, const char *text, wfi_frame_in *in) {
    uint64_t count = 2 * in->head.count, left = in->head.name_bytes;
    weft_status st = wfi_alloc(ctx, &in->name, count);
    if (st) return st;
    for (uint64_t i = 0; i < count; i++) {
        const char *end = left ? memchr(text, 0, (size_t)left) : NULL;
        if (!end) return fail_wrong(ctx, log, &in->head, "it has too few names");
        in->name[i] = text;
        left -= (uint64_t)(end + 1 - text);
        text = end + 1;
    }
    if (left) return fail_wrong(ctx, log, &in->head, "it has too many names");
    in->batch.source_names = in->name;
    in->batch.target_names = in->name + in->head.count;
    return WEFT_OK;
}

static weft_status set_batch(weft_ctx *ctx, const wfi_weft_log *log, const uint64_t *bytes, const uint64_t *offset,
                             wfi_frame_in *in) {
    const char *begin = in->content;
    uint32_t known = WFI_FRAME_CHANGES | WFI_FRAME_NAMES | WFI_FRAME_WEIGHTS | WFI_FRAME_DROPS_LOOPS;
    if (in->head.flags & ~known || in->head.reserved)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "%s: batch %llu of the log needs a newer Weft", log->name,
                        (unsigned long long)in->head.batch);
    for (int i = 0; i < WFI_PARTS; i++)
        for (uint64_t k = bytes[i]; k < padded(bytes[i]); k++)
            if (begin[offset[i] + k]) return fail_wrong(ctx, log, &in->head, "a gap in it is not zero");
    in->batch = (weft_batch)WEFT_BATCH_DEFAULTS;
    in->batch.count = in->head.count;
    if (in->head.flags & WFI_FRAME_CHANGES) in->batch.changes = (const uint8_t *)begin + offset[WFI_PART_CHANGES];
    if (in->head.flags & WFI_FRAME_WEIGHTS) in->batch.weights = begin + offset[WFI_PART_WEIGHTS];
    if (in->head.flags & WFI_FRAME_NAMES) return set_names(ctx, log, begin + offset[WFI_PART_NAMES], in);
    in->batch.sources = (const int64_t *)(uintptr_t)(begin + offset[WFI_PART_SOURCES]);
    in->batch.targets = (const int64_t *)(uintptr_t)(begin + offset[WFI_PART_TARGETS]);
    return WEFT_OK;
}

weft_status wfi_frame_read(weft_ctx *ctx, const wfi_weft_log *log, wfi_frame_kind kind, wfi_log_position *at,
                           wfi_frame_in *in, bool *whole) {
    uint64_t bytes[WFI_PARTS], offset[WFI_PARTS], end, got;
    *in = (wfi_frame_in){.content = NULL};
    weft_status st = read_head(ctx, log, at, &in->head, whole);
    if (st || !*whole) return st;
    if (!layout(&in->head, kind.weight, bytes, offset, &end) || end != in->head.bytes ||
        kind.names != ((in->head.flags & WFI_FRAME_NAMES) != 0) || (in->head.flags & WFI_FRAME_WEIGHTS && !kind.weight))
        return fail_wrong(ctx, log, &in->head, "its length, ids or weights are not those of the graph");
    uint64_t rest = end - sizeof in->head;
    st = wfi_alloc(ctx, &in->content, end);
    if (!st) st = read_at(ctx, log, at->offset + sizeof in->head, in->content + sizeof in->head, rest, &got);
    if (st) goto done;
    const void *data[WFI_PARTS];
    for (int i = 0; i < WFI_PARTS; i++) data[i] = in->content + offset[i];
    *whole = got == rest && in->head.content == content_digest(ctx, data, bytes);
    if (!*whole) goto done;
    st = set_batch(ctx, log, bytes, offset, in);
    if (!st) *at = (wfi_log_position){in->head.batch, at->offset + end, in->head.digest, at->offset};
done:
    if (st || !*whole) wfi_frame_in_free(in);
    return st;
}

void wfi_frame_in_free(wfi_frame_in *in) {
    WFI_FREE(in->content, in->name);
    *in = (wfi_frame_in){.content = NULL};
}

/* --- the tail -------------------------------------------------------------------- */

unsigned wfi_frame_sector = 512;

/* Detects unwritten parts of a tail. A log only grows: until it is synced, a sector of appended bytes is either as
 * written or empty, and the file may end early. In a large frame a sector may also lack its last write: the beginning
 * of an array, or the header. A tail of full length without such a gap was written completely; its wrong digest means
 * later damage. */
typedef struct gaps {
    uint64_t from;              /* offset of the frame in the file */
    uint64_t starts[WFI_PARTS]; /* begins of arrays within the frame; large frames only */
    bool filled, found;         /* a nonzero byte since the last place where a gap may begin; a gap */
} gaps;

static void look_for_gaps(gaps *g, uint64_t at, const char *data, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes && !g->found; i++) {
        uint64_t place = at + i;
        bool starts = (g->from + place) % wfi_frame_sector == 0;
        for (int k = 0; k < WFI_PARTS; k++) starts |= g->starts[k] && g->starts[k] == place;
        if (starts && place) {
            g->found = !g->filled;
            g->filled = false;
        }
        g->filled |= data[i] != 0;
    }
}

weft_status wfi_frame_tail(weft_ctx *ctx, const wfi_weft_log *log, size_t weight, const wfi_log_position *at,
                           wfi_tail *tail) {
    static const wfi_frame empty;
    wfi_frame f;
    uint64_t left = log->bytes > at->offset ? log->bytes - at->offset : 0, got, bytes[WFI_PARTS], end = left;
    gaps g = {.from = at->offset};
    *tail = WFI_TAIL_TORN;
    weft_status st = read_at(ctx, log, at->offset, &f, sizeof f, &got);
    if (st || left < sizeof f || got < sizeof f || !memcmp(&f, &empty, sizeof f)) return st;
    bool magic = !memcmp(f.magic, WFI_FRAME_MAGIC, sizeof f.magic), next = f.batch == at->batch + 1;
    bool right = magic && f.digest == head_digest(ctx, &f, at->chain);
    bool is_frame = right || magic + next + (f.bytes == left) > 1; /* a single damaged field is tolerated */
    if (right && (f.bytes > left || f.bytes < sizeof f)) return WEFT_OK;
    if (right) end = f.bytes;
    uint64_t length;
    if (!right) g.starts[0] = sizeof f; /* a part of the header may be missing */
    if (right && end > WFI_ONE_WRITE && !layout(&f, weight, bytes, g.starts, &length)) return WEFT_OK;
    char *piece;
    if (wfi_alloc(ctx, &piece, TAIL_PIECE)) return WEFT_ENOMEM;
    for (uint64_t done = 0; done < end && !g.found && !st; done += got) {
        st = read_at(ctx, log, at->offset + done, piece, wfi_min_u64(TAIL_PIECE, end - done), &got);
        if (!got) g.found = true; /* the file was shortened meanwhile */
        look_for_gaps(&g, done, piece, got);
    }
    wfi_free(piece);
    bool full = g.filled && !g.found;
    if (!st) *tail = full && is_frame ? WFI_TAIL_DAMAGED : full || is_frame ? WFI_TAIL_DOUBTFUL : WFI_TAIL_TORN;
    return st;
}

/* --- roots --------------------------------------------------------------------- */

static weft_status read_root(weft_ctx *ctx, const wfi_weft_log *log, int which, wfi_weft_root *root, bool *whole) {
    uint64_t got;
    weft_status st = read_at(ctx, log, log->page->changes.root_offset[which], root, sizeof *root, &got);
    *whole = !st && got == sizeof *root && !memcmp(root->magic, WEFT_ROOT_MAGIC, sizeof root->magic) &&
             root->digest == wfi_weft_root_digest(ctx, log->page, root) && root->batch >= log->page->changes.batches;
    return st;
}

weft_status wfi_log_root(weft_ctx *ctx, const wfi_weft_log *log, wfi_weft_root *root) {
    /* Tries again, because a writer may have written one root after the other meanwhile. */
    for (int tries = 0; tries < ROOT_TRIES; tries++) {
        wfi_weft_root two[2];
        bool whole[2];
        weft_status st = read_root(ctx, log, 0, &two[0], &whole[0]);
        if (!st) st = read_root(ctx, log, 1, &two[1], &whole[1]);
        if (st) return st;
        if (!whole[0] && !whole[1]) continue;
        *root = whole[1] && (!whole[0] || two[1].turn > two[0].turn) ? two[1] : two[0];
        return WEFT_OK;
    }
    return wfi_fail(ctx, WEFT_EINPUT, "%s: damaged: neither of the root pages is whole", log->name);
}
