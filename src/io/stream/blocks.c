/* Parallel parsing: text in blocks of whole lines, each parsed by the next free thread.
 *
 * A seekable file is cut at multiples of BLOCK_BYTES: block k has the lines that begin in its range, so each thread
 * reads its own bytes and no byte twice (except at the ends).  A stream (pipe, gzip, zstd) is decompressed by the next
 * free thread, one at a time, while the others parse; the partial line after the last cut is kept for the next block.
 * Memory: one block for each thread, independent of the size of the file, since lines have a maximum length: a file
 * without newlines (digits, a key, the wrong file) is refused when that much of it was read.
 * If ranks share a file (wfi_source_slice), each rank has consecutive blocks; in a small file blocks are smaller, so
 * that each rank has one.  After the last block they exchange the first error, and the number of lines before it. */
#include "core/comm.h"
#include "io/stream/source_private.h"

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { BLOCK_BYTES = 1 << 18, EXTEND_BYTES = 1 << 14, EXTEND_MOST = 4 << 20, LOCK_WAIT_MS = 100 };

typedef struct reading {
    weft_ctx *ctx;
    wfi_source *source;
    bool seekable; /* content that can be read at any offset: a plain file, or memory */
    uint64_t size; /* of seekable content */
    uint64_t from;
    uint64_t step;             /* bytes of a range of seekable content */
    uint64_t first, end_range; /* this rank's ranges; blocks are counted from the first */
    wfi_cut cut;
    wfi_parse_fn parse;
    void *user;

    size_t longest; /* maximum length of a line (or word) in bytes */

    pthread_mutex_t lock; /* guards all members below */
    uint64_t next;        /* index of the next block */
    bool end;
    char *carry; /* stream: text after the last cut */
    size_t carry_bytes, carry_room;
    uint64_t carry_offset;
    _Atomic uint64_t reported; /* last reported progress, by thread 0 */
    uint64_t total;
    wfi_passed *passed;
    size_t passed_room;
    weft_status status;
    wfi_first_error bad;
    bool *quoted; /* WFI_CUT_RECORDS: does block k's range begin inside quotes? */
} reading;

/* The buffer of one thread. */
typedef struct buffer {
    char *text;
    size_t room;
} buffer;

static bool is_cut(const reading *r, char c) {
    return c == '\n' || (r->cut == WFI_CUT_SPACES && (c == ' ' || c == '\t' || c == '\r'));
}

/* The first newline outside quotes.  *quoted: is p inside quotes; on return, is the end of the text inside? */
static const char *first_record_end(const char *p, size_t bytes, bool *quoted) {
    const char *end = p + bytes;
    while (p < end) {
        const char *quote = memchr(p, '"', (size_t)(end - p)), *stop = quote ? quote : end;
        const char *newline = *quoted ? NULL : memchr(p, '\n', (size_t)(stop - p));
        if (newline) return newline;
        *quoted ^= quote != NULL;
        p = stop + 1;
    }
    return NULL;
}

/* The last newline outside quotes, in text that begins outside quotes. */
static const char *last_record_end(const char *p, size_t bytes) {
    const char *end = p + bytes, *last = NULL;
    for (bool quoted = false; p < end; quoted = !quoted) {
        const char *quote = memchr(p, '"', (size_t)(end - p)), *stop = quote ? quote : end;
        const char *newline = quoted || stop == p ? NULL : memrchr(p, '\n', (size_t)(stop - p));
        if (newline) last = newline;
        p = stop + 1;
    }
    return last;
}

/* quoted: see first_record_end; for records only. */
static const char *first_cut(const reading *r, const char *p, size_t bytes, bool *quoted) {
    if (r->cut == WFI_CUT_RECORDS) return first_record_end(p, bytes, quoted);
    if (r->cut != WFI_CUT_SPACES) return memchr(p, '\n', bytes);
    for (size_t i = 0; i < bytes; i++)
        if (is_cut(r, p[i])) return p + i;
    return NULL;
}

static const char *last_cut(const reading *r, const char *p, size_t bytes) {
    if (r->cut == WFI_CUT_RECORDS) return last_record_end(p, bytes);
    if (r->cut != WFI_CUT_SPACES) return bytes ? memrchr(p, '\n', bytes) : NULL;
    while (bytes && !is_cut(r, p[bytes - 1])) bytes--;
    return bytes ? p + bytes - 1 : NULL;
}

/* Capacity for `bytes` and a newline after them. */
static weft_status make_room(weft_ctx *ctx, buffer *b, size_t bytes) {
    return WFI_ROOM(ctx, b->text, bytes, b->room, BLOCK_BYTES + EXTEND_BYTES + 2);
}

/* Fails at a line that exceeds the maximum length; line: its begin in the block. */
static weft_status too_long(const reading *r, const wfi_text_block *block, const char *line, wfi_parse_error *error) {
    return wfi_block_error(error, block, line, "this %s is longer than %zu MiB, the most that is read (is this %s?)",
                           r->cut == WFI_CUT_SPACES ? "word" : "line", r->longest >> 20,
                           r->cut == WFI_CUT_SPACES ? "a list of numbers" : "a text of lines");
}

/* --- records ---------------------------------------------------------------------- */

/* Parity of the quotes before this rank's first range, over all ranks before it. */
static weft_status quotes_before(reading *r, bool mine, bool *before) {
    uint64_t *all = NULL;
    weft_status st = wfi_agree(r->ctx, wfi_alloc(r->ctx, &all, (size_t)wfi_ranks(r->ctx)));
    if (!st) st = wfi_allgather_u64(r->ctx, mine, all);
    for (int k = 0; !st && k < wfi_rank(r->ctx); k++) *before ^= all[k] & 1;
    wfi_free(all);
    return st;
}

/* Does each range begin inside quotes?  One more pass over the file, at the speed of memory. */
static weft_status find_quotes(reading *r) {
    uint64_t ranges = r->end_range - r->first;
    _Atomic int status = WEFT_OK;
    weft_status st = wfi_alloc_zeroed(r->ctx, &r->quoted, (size_t)ranges + 1);
    if (st) return r->source->sliced ? wfi_agree(r->ctx, st) : st;
#pragma omp parallel num_threads(wfi_threads_for(r->ctx, ranges, 1))
    {
        buffer b = {0};
        weft_status mine = make_room(r->ctx, &b, BLOCK_BYTES);
#pragma omp for schedule(static)
        for (uint64_t k = 0; k < ranges; k++) {
            uint64_t low = r->from + (r->first + k) * r->step;
            size_t bytes = (size_t)wfi_min_u64(r->step, r->size - low), quotes = 0;
            if (!mine && wfi_cancelled(r->ctx)) mine = wfi_fail_cancelled(r->ctx);
            if (!mine) mine = wfi_source_pread(r->ctx, r->source, low, b.text, bytes);
            for (size_t i = 0; i < bytes && !mine; i++) quotes += b.text[i] == '"';
            r->quoted[k + 1] = quotes % 2;
        }
        wfi_keep_status(&status, mine);
        wfi_free(b.text);
    }
    for (uint64_t k = 0; k < ranges; k++) r->quoted[k + 1] ^= r->quoted[k];
    st = (weft_status)status;
    if (!r->source->sliced) return st;
    bool before = false;
    st = wfi_agree(r->ctx, st);
    if (!st) st = quotes_before(r, r->quoted[ranges], &before);
    for (uint64_t k = 0; k <= ranges; k++) r->quoted[k] ^= before;
    return st;
}

/* --- seekable -------------------------------------------------------------------- */

/* Loads block k: the lines, or records, that begin in its range. */
static weft_status load_range(reading *r, uint64_t k, buffer *b, wfi_text_block *block, wfi_parse_error *error) {
    bool later = r->first + k > 0, quoted = r->quoted && r->quoted[k];
    uint64_t size = r->size, low = r->from + (r->first + k) * r->step, high = wfi_min_u64(low + r->step, size);
    uint64_t start = later ? low - 1 : low; /* the byte before tells whether a line begins at low */
    size_t have = (size_t)(high - start), range = have, skip = 0;
    weft_status st = make_room(r->ctx, b, have);
    if (!st) st = wfi_source_pread(r->ctx, r->source, start, b->text, have);
    if (st) return st;
    *block = (wfi_text_block){.text = b->text, .index = k, .offset = low};
    if (later) {
        if (r->quoted && b->text[0] == '"') quoted = !quoted; /* undo that byte */
        const char *cut = first_cut(r, b->text, have, &quoted);
        if (!cut || cut == b->text + have - 1)
            return WEFT_OK; /* none begins here; one at the very end belongs to the next range */
        skip = (size_t)(cut - b->text) + 1;
    }
    quoted = r->quoted && r->quoted[k + 1];
    bool ends = !quoted && is_cut(r, b->text[have - 1]);
    while (start + have < size && !ends) {
        if (have - range > r->longest) {
            const char *before = last_cut(r, b->text + skip, range - skip);
            *block = (wfi_text_block){.text = b->text + skip, .bytes = have - skip, .index = k, .offset = start + skip};
            return too_long(r, block, before ? before + 1 : b->text + skip, error);
        }
        if (wfi_cancelled(r->ctx)) return wfi_fail_cancelled(r->ctx);
        size_t more = have < BLOCK_BYTES ? EXTEND_BYTES : r->quoted || have < EXTEND_MOST ? have : EXTEND_MOST;
        more = (size_t)wfi_min_u64(more, size - start - have);
        st = make_room(r->ctx, b, have + more);
        if (!st) st = wfi_source_pread(r->ctx, r->source, start + have, b->text + have, more);
        if (st) return st;
        const char *cut = first_cut(r, b->text + have, more, &quoted);
        ends = cut != NULL;
        have = cut ? (size_t)(cut - b->text) + 1 : have + more;
    }
    b->text[have] = '\n';
    *block = (wfi_text_block){.text = b->text + skip, .bytes = have - skip, .index = k, .offset = start + skip};
    return WEFT_OK;
}

/* --- stream ------------------------------------------------------------------------ */

static weft_status keep_carry(reading *r, const char *text, size_t bytes, uint64_t offset) {
    if (bytes > r->carry_room) {
        size_t room = r->carry_room ? r->carry_room : EXTEND_BYTES;
        while (room < bytes) room *= 2;
        wfi_free(r->carry);
        r->carry = wfi_take(r->ctx, room, 1);
        r->carry_room = r->carry ? room : 0;
        if (!r->carry) return WEFT_ENOMEM;
    }
    if (bytes) memcpy(r->carry, text, bytes);
    r->carry_bytes = bytes;
    r->carry_offset = offset;
    return WEFT_OK;
}

/* Loads the next block of a stream; called under the lock. */
static weft_status load_stream(reading *r, buffer *b, wfi_text_block *block, wfi_parse_error *error) {
    size_t have = r->carry_bytes, searched = 0;
    uint64_t offset = r->carry_offset;
    weft_status st = make_room(r->ctx, b, wfi_max_u64(have, BLOCK_BYTES));
    if (st) return st;
    if (have) memcpy(b->text, r->carry, have);
    const char *cut = NULL;
    for (;;) {
        while (have + 1 < b->room) {
            size_t got;
            st = wfi_stream_read(r->ctx, r->source, b->text + have, b->room - 1 - have, &got);
            if (!st && wfi_cancelled(r->ctx)) st = wfi_fail_cancelled(r->ctx);
            if (st) return st;
            if (!got) {
                r->end = true;
                break;
            }
            have += got;
        }
        cut = r->end && have ? b->text + have - 1 : last_cut(r, b->text + searched, have - searched);
        if (cut || r->end) break;
        searched = have;
        if (have > r->longest) {
            *block = (wfi_text_block){.text = b->text, .bytes = have, .index = r->next, .offset = offset};
            return too_long(r, block, b->text, error);
        }
        st = make_room(r->ctx, b, b->room + wfi_min_u64(b->room, EXTEND_MOST));
        if (st) return st;
    }
    size_t bytes = cut ? (size_t)(cut - b->text) + 1 : 0;
    st = keep_carry(r, b->text + bytes, have - bytes, offset + bytes);
    if (st) return st;
    b->text[bytes] = '\n';
    *block = (wfi_text_block){.text = b->text, .bytes = bytes, .index = r->next, .offset = offset};
    return WEFT_OK;
}

/* --- seekable and stream -------------------------------------------------------------- */

static weft_status remember_room(reading *r, uint64_t index) {
    size_t before = r->passed_room;
    weft_status st = WFI_ROOM(r->ctx, r->passed, index, r->passed_room, 256);
    if (!st && r->passed_room > before) memset(r->passed + before, 0, (r->passed_room - before) * sizeof *r->passed);
    return st;
}

/* Computes the ranges of seekable content, or this rank's. */
static void cut_ranges(reading *r) {
    uint64_t bytes = r->size - r->from, ranks = r->source->sliced ? (uint64_t)wfi_ranks(r->ctx) : 1;
    uint64_t rank = r->source->sliced ? (uint64_t)wfi_rank(r->ctx) : 0;
    r->step = BLOCK_BYTES;
    if (ranks > 1) r->step = wfi_max_u64(1, wfi_min_u64(r->step, (bytes + ranks - 1) / ranks));
    uint64_t ranges = (bytes + r->step - 1) / r->step;
    r->first = (uint64_t)((unsigned __int128)ranges * rank / ranks);
    r->end_range = (uint64_t)((unsigned __int128)ranges * (rank + 1) / ranks);
}

/* Waits for the lock.  Thread 0 keeps reporting progress, so that the wait for a thread that reads a slow pipe does not
 * look like a standstill. */
static void lock_and_report(reading *r, int thread) {
    while (thread == 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOCK_WAIT_MS * 1000000l;
        until.tv_sec += until.tv_nsec / 1000000000l;
        until.tv_nsec %= 1000000000l;
        if (pthread_mutex_timedlock(&r->lock, &until) == 0) return;
        wfi_progress(r->ctx, "reading", atomic_load_explicit(&r->reported, memory_order_relaxed), r->total);
    }
    pthread_mutex_lock(&r->lock);
}

/* Takes the next block; false if there is none.  A stream is read here, a range after the lock is released.  A block
 * without a cut comes with an error. */
static bool take_block(reading *r, buffer *b, int thread, wfi_text_block *block, wfi_parse_error *error) {
    bool seekable = r->seekable;
    uint64_t ranges = r->end_range - r->first;
    lock_and_report(r, thread);
    bool go = !r->status && r->bad.index == UINT64_MAX && !r->end && (!seekable || r->next < ranges);
    uint64_t index = r->next;
    if (go) {
        weft_status st = remember_room(r, index);
        if (!st && !seekable) st = load_stream(r, b, block, error);
        if (error->message[0]) st = WEFT_OK;
        if (st) r->status = st;
        go = !st;
        r->next += go;
    }
    pthread_mutex_unlock(&r->lock);
    if (!go || !seekable) return go;
    weft_status st = load_range(r, index, b, block, error);
    if (!st || error->message[0]) return true;
    pthread_mutex_lock(&r->lock);
    r->status = st;
    pthread_mutex_unlock(&r->lock);
    return false;
}

/* Records the outcome of a block; returns the number of bytes read so far, for the progress callback. */
static uint64_t finish_block(reading *r, const wfi_text_block *block, weft_status st, uint64_t lines,
                             const wfi_parse_error *error) {
    const char *newline = block->bytes ? memrchr(block->text, '\n', block->bytes) : NULL;
    pthread_mutex_lock(&r->lock);
    r->passed[block->index].lines = lines;
    if (newline) r->passed[block->index].line_start = block->offset + (uint64_t)(newline - block->text) + 1;
    if (st == WEFT_EINPUT && error->message[0]) {
        if (block->index < r->bad.index) {
            r->bad.index = block->index;
            r->bad.offset = block->offset + error->offset;
            r->bad.block = block->offset;
            r->bad.error = *error;
            /* Only the lines before the error count. */
            const char *before = error->offset ? memrchr(block->text, '\n', error->offset) : NULL;
            r->passed[block->index].lines = wfi_count_lines(block->text, error->offset);
            r->passed[block->index].line_start = before ? block->offset + (uint64_t)(before - block->text) + 1 : 0;
        }
    } else if (st && !r->status) {
        r->status = st;
    }
    uint64_t done = r->seekable ? block->offset : r->source->raw_total;
    pthread_mutex_unlock(&r->lock);
    return done;
}

static void work(reading *r, int thread) {
    buffer b = {0};
    wfi_text_block block;
    wfi_parse_error error = {0};
    while (take_block(r, &b, thread, &block, &error)) {
        block.thread = thread;
        block.done = r->seekable ? block.offset : atomic_load_explicit(&r->reported, memory_order_relaxed);
        block.total = r->total;
        uint64_t lines = 0;
        weft_status st = error.message[0] ? WEFT_EINPUT : WEFT_OK;
        if (!st && block.bytes) st = r->parse(r->ctx, r->user, &block, &lines, &error);
        if (!st && wfi_cancelled(r->ctx)) st = wfi_fail_cancelled(r->ctx);
        uint64_t done = finish_block(r, &block, st, lines, &error);
        error = (wfi_parse_error){0};
        if (thread != 0) continue;
        atomic_store_explicit(&r->reported, done, memory_order_relaxed);
        wfi_progress(r->ctx, "reading", done, r->total);
    }
    wfi_free(b.text);
}

/* One thread for each block; in a compressed file, for each expected block.  The size of a pipe is unknown. */
static int threads_for(const reading *r) {
    uint64_t packed = r->source->size * 4;
    if (!r->seekable && !packed) return wfi_threads(r->ctx);
    return wfi_threads_for(r->ctx, r->seekable ? (r->end_range - r->first) * r->step : packed, BLOCK_BYTES);
}

weft_status wfi_read_blocks(weft_ctx *ctx, wfi_source *source, uint64_t from, wfi_cut cut, wfi_parse_fn parse,
                            void *user) {
    reading r = {.ctx = ctx,
                 .source = source,
                 .cut = cut,
                 .parse = parse,
                 .user = user,
                 .seekable = source->seekable || source->whole,
                 .size = source->whole      ? source->whole_bytes
                         : source->seekable ? wfi_source_content(source)
                                            : 0,
                 .longest = cut == WFI_CUT_ROWS ? WFI_LONGEST_ROW : WFI_LONGEST_LINE,
                 .bad.index = UINT64_MAX};
    r.total = r.seekable ? r.size : source->size;
    weft_status st = WEFT_OK;
    /* If the header is the last line, without its newline, `from` is one byte beyond the end. */
    r.from = wfi_min_u64(from, r.seekable ? r.size : source->head_bytes);
    if (r.seekable) cut_ranges(&r);
    if (!r.seekable) {
        /* The head, already taken from the stream, comes first. */
        source->gone = true;
        st = keep_carry(&r, source->head + r.from, source->head_bytes - (size_t)r.from, r.from);
    } else if (cut == WFI_CUT_RECORDS) {
        st = find_quotes(&r);
    }
    if (!st) {
        pthread_mutex_init(&r.lock, NULL);
#pragma omp parallel num_threads(threads_for(&r))
        work(&r, omp_get_thread_num());
        pthread_mutex_destroy(&r.lock);
        bool found = r.bad.index != UINT64_MAX;
        r.bad.source = source, r.bad.from = r.from, r.bad.inside = r.first > 0;
        r.bad.passed = r.passed, r.bad.blocks = r.next;
        st = found && !source->sliced ? wfi_first_error_report(ctx, &r.bad) : r.status;
        if (source->sliced) st = wfi_agree(ctx, found ? WEFT_OK : r.status);
        if (source->sliced && !st) st = wfi_first_error_of_ranks(ctx, &r.bad);
    }
    WFI_FREE(r.carry, r.passed, r.quoted);
    return st;
}

weft_status wfi_block_error(wfi_parse_error *error, const wfi_text_block *block, const char *at, const char *format,
                            ...) {
    error->offset = (size_t)(at - block->text);
    WFI_FORMAT(error->message, sizeof error->message, format);
    return WEFT_EINPUT;
}

weft_status wfi_block_poll(weft_ctx *ctx, const wfi_text_block *block) {
    if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
    if (block->thread == 0) wfi_progress(ctx, "reading", block->done, block->total);
    return WEFT_OK;
}
