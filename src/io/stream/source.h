/* Sources of text and bytes: a file, standard input or memory, with .gz and .zst decompressed, a byte-order mark
 * skipped and UTF-16 (with its mark) converted to UTF-8.  Offsets, lines and columns count from the first byte after
 * the mark, in UTF-8.
 *
 * Three ways to read; a reader uses one:
 *   blocks   wfi_read_blocks: the whole text in blocks cut at line ends, parsed in parallel (edge lists, mtx, ...)
 *   whole    wfi_source_whole: all bytes at once in memory (small or binary formats)
 *   map      wfi_source_map: the bytes of an uncompressed file by mmap (.weft, .sg) */
#ifndef WFI_SOURCE_H
#define WFI_SOURCE_H

#include "core/core.h"

#include <pthread.h>

typedef struct wfi_source wfi_source;

typedef unsigned long long wfi_ull; /* counts in messages: %llu */

/* Size of the head, which every reader may inspect. */
enum { WFI_HEAD_BYTES = 64 << 10 };

/* Opens a source and reads its head; compression is recognised by content.  "-" is standard input. */
weft_status wfi_source_open(weft_ctx *ctx, const char *path, wfi_source **out);
weft_status wfi_source_memory(weft_ctx *ctx, const void *data, size_t bytes, const char *name, wfi_source **out);
void wfi_source_close(wfi_source *source);

/* Is it a named file, with possible files beside it?  Memory and standard input are not. */
bool wfi_source_is_file(const wfi_source *source);
/* Can a file be read a second time?  False for pipes, standard input and memory. */
bool wfi_source_rereadable(const wfi_source *source);
/* The path as given, for messages. */
const char *wfi_source_name(const wfi_source *source);
/* The name without .gz or .zst, for extensions. */
const char *wfi_source_plain_name(const wfi_source *source);
/* The first decompressed bytes, up to 64 KiB; followed by a NUL that is not counted. */
const char *wfi_source_head(const wfi_source *source, size_t *bytes);
/* Size of a plain uncompressed file or of memory, else 0. */
uint64_t wfi_source_plain_bytes(const wfi_source *source);
/* Reads exactly `bytes` of these from `offset` on, or fails. */
weft_status wfi_source_pread(weft_ctx *ctx, const wfi_source *source, uint64_t offset, char *to, size_t bytes);

/* All bytes, followed by a NUL that is not counted, valid as long as the source (do not free them).  May be called
 * after wfi_read_blocks to find a position in the text: WEFT_EUNSUPPORTED if that was a pipe. */
weft_status wfi_source_whole(weft_ctx *ctx, wfi_source *source, const char **text, size_t *bytes);

/* Plain files only: maps the file read-only and transfers the mapping to the caller, who unmaps it.  *mapping is NULL
 * if the source is not a plain regular file; use wfi_source_whole then. */
weft_status wfi_source_map(weft_ctx *ctx, wfi_source *source, void **mapping, size_t *bytes);

/* All bytes, mapped if possible, else in memory; without the NUL.  Close it unless opening failed. */
typedef struct wfi_content {
    const char *data;
    size_t bytes;
    void *mapping; /* NULL: in memory */
} wfi_content;
weft_status wfi_content_open(weft_ctx *ctx, wfi_source *source, wfi_content *content);
void wfi_content_close(wfi_content *content);
/* A new descriptor of the file, to be closed by the caller; -1 if there is none. */
int wfi_source_duplicate(const wfi_source *source);

/* --- ranks (slice.c); collective calls ----------------------------------------- */

typedef enum wfi_comparison {
    WFI_COMPARE_FORMAT, /* the format alone: the file has digests, which its reader compares */
    WFI_COMPARE_SAMPLE, /* also size, head and a sample of blocks: some differences are missed */
    WFI_COMPARE_ALL     /* also every byte */
} wfi_comparison;
/* Compares the files that the ranks have opened.  WEFT_EINPUT, which names a differing rank, if they differ. */
weft_status wfi_source_compare(weft_ctx *ctx, const wfi_source *source, const char *format, wfi_comparison how);
/* Compares files that were read already, by these facts. */
typedef struct wfi_file_facts {
    uint64_t format, bytes, digest;
} wfi_file_facts;
weft_status wfi_files_same(weft_ctx *ctx, const char *name, const wfi_file_facts *mine);

/* Shares the file among ranks: from now on wfi_read_blocks is collective and gives each rank some of the blocks, in the
 * order of ranks.  WEFT_EINVAL, with the reason, if the source cannot be cut. */
weft_status wfi_source_slice(weft_ctx *ctx, wfi_source *source);
bool wfi_source_sliced(const wfi_source *source);
/* The parts of wfi_source_slice: the reason why the source cannot be cut (NULL: it can); marking it as shared. */
const char *wfi_source_uncuttable(const wfi_source *source);
void wfi_source_set_sliced(wfi_source *source);

/* Rewinds to the begin of wfi_read_blocks, to read the blocks once more.  WEFT_EUNSUPPORTED for a pipe. */
weft_status wfi_source_rewind(weft_ctx *ctx, wfi_source *source);

/* --- blocks ---------------------------------------------------------------- */

/* A block of whole lines; text[bytes] is a '\n' that is not part of the file, so a scan for line ends needs no bound.
 * The last line of the file may lack its newline. */
typedef struct wfi_text_block {
    const char *text;
    size_t bytes;
    uint64_t index;       /* 0, 1, 2, ... in file order */
    uint64_t offset;      /* of text in the (decompressed) content */
    int thread;           /* index of the parsing thread, 0 ... threads-1 */
    uint64_t done, total; /* bytes read when the block was taken, for the progress */
} wfi_text_block;

/* Message and position of an error; offset is relative to block->text.  Set by wfi_block_error. */
typedef struct wfi_parse_error {
    size_t offset;
    char message[256];
} wfi_parse_error;

/* Parses one block.  Returns WEFT_OK; WEFT_EINPUT after wfi_block_error; or another status with the context's message
 * set.  *lines = number of '\n' in the block (wfi_count_lines if the parser did not count). */
typedef weft_status (*wfi_parse_fn)(weft_ctx *ctx, void *user, const wfi_text_block *block, uint64_t *lines,
                                    wfi_parse_error *error);

typedef enum wfi_cut {
    WFI_CUT_LINES, /* lines of up to 16 MiB: an edge, a row of a table */
    /* lines of up to 1 GiB: all neighbours of a vertex; the parser polls within a line (wfi_block_poll) */
    WFI_CUT_ROWS,
    WFI_CUT_SPACES, /* also between words, of up to 16 MiB: for files with huge lines */
    WFI_CUT_RECORDS /* at newlines outside double quotes; a record has up to 16 MiB */
} wfi_cut;
/* A longer line is refused at its position, so that a file without newlines cannot fill the memory.  A parser also
 * handles 16 MiB before a request to stop has waited too long. */
enum { WFI_LONGEST_LINE = 16 << 20, WFI_LONGEST_ROW = 1 << 30 };

/* Runs `parse` over all blocks from byte `from` on with wfi_threads(ctx) threads.  A reader may have parsed a header
 * itself: `from` lies within the head, or anywhere after a call of wfi_source_whole.  Of several errors the first in
 * the file is reported, as file:line:column. */
weft_status wfi_read_blocks(weft_ctx *ctx, wfi_source *source, uint64_t from, wfi_cut cut, wfi_parse_fn parse,
                            void *user);

weft_status wfi_block_error(wfi_parse_error *error, const wfi_text_block *block, const char *at, const char *format,
                            ...) __attribute__((format(printf, 4, 5)));

/* For long lines: a call every WFI_POLL_WORDS words, about a millisecond.  Reacts to a request to stop, and reports
 * progress. */
enum { WFI_POLL_WORDS = 1 << 14 };
weft_status wfi_block_poll(weft_ctx *ctx, const wfi_text_block *block);

uint64_t wfi_count_lines(const char *text, size_t bytes);

/* For readers of whole texts: fails at the line and column of `at` in text. */
weft_status wfi_fail_in_text(weft_ctx *ctx, const wfi_source *source, const char *text, const char *at,
                             const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Ensures capacity for element `at` of an array that doubles: *array, a T *, has *room elements of `each` bytes,
 * initially `first`.  New elements are not initialised. */
weft_status wfi_make_room(weft_ctx *ctx, void *array, size_t at, size_t *room, size_t first, size_t each);
#define WFI_ROOM(ctx, array, at, room, first) wfi_make_room((ctx), &(array), (at), &(room), (first), sizeof *(array))

/* Ordered records: one small record for each block of text, written by the thread that parsed it, in file order. */
typedef struct wfi_slots {
    pthread_mutex_t lock;
    char *records;
    size_t each;        /* bytes of a record */
    size_t count, room; /* records below count that were not written are zero */
} wfi_slots;

void wfi_slots_open(wfi_slots *slots, size_t each);
/* Frees the records, not the objects that they point to. */
void wfi_slots_close(wfi_slots *slots);

/* Copies *record to index `at`.  Thread-safe. */
weft_status wfi_slots_put(weft_ctx *ctx, wfi_slots *slots, size_t at, const void *record);

static inline void *wfi_slots_at(const wfi_slots *slots, size_t at) { return slots->records + at * slots->each; }

#endif
