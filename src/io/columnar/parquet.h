/* The inside of the Parquet reader.
 *
 *   parquet_meta.c    the footer: columns, row groups, where the chosen columns lie
 *   parquet_page.c    a column of a row group, page by page: headers, unpacking, levels, dictionaries
 *   parquet_values.c  the values of a page, whatever their encoding
 *   parquet_bits.c    runs of packed bits and packed differences, which the encodings are made of
 *   parquet.c         the format
 */
#ifndef WFI_PARQUET_H
#define WFI_PARQUET_H

#include "io/columnar/typed.h"
#include "io/columnar/unpack.h"

typedef enum wfi_pq_type {
    WFI_PQ_BOOLEAN,
    WFI_PQ_INT32,
    WFI_PQ_INT64,
    WFI_PQ_INT96,
    WFI_PQ_FLOAT,
    WFI_PQ_DOUBLE,
    WFI_PQ_BYTES,
    WFI_PQ_FIXED
} wfi_pq_type;

/* How a column is stored. */
typedef struct wfi_pq_column {
    wfi_pq_type type;
    wfi_type kind;
    size_t leaf;    /* which of the columns of a row group */
    uint32_t width; /* bytes of a value of fixed size; of booleans 1, though they are bits */
    bool narrow;    /* WFI_PQ_INT32 without sign */
    bool optional;  /* has definition levels */
} wfi_pq_column;

/* A column of a row group. */
typedef struct wfi_pq_place {
    uint64_t start, bytes; /* its pages in the file */
    uint64_t values;
    wfi_codec codec;
} wfi_pq_place;

typedef struct wfi_pq_group {
    uint64_t first_row, rows;
    wfi_pq_place *place; /* of each slot */
} wfi_pq_group;

typedef struct wfi_pq_file {
    weft_ctx *ctx;
    const uint8_t *data;
    uint64_t bytes;
    uint64_t footer, footer_bytes; /* where it lies */
    wfi_typed_column *columns;
    wfi_pq_column *stored; /* of each column; its type is WFI_TYPE_OTHER for those that are nested */
    size_t column_count, leaf_count;
    uint64_t rows;
    const uint8_t *groups_at; /* the list of row groups in the footer */
    size_t group_count;
} wfi_pq_file;

/* Finds the footer and reads the columns. */
weft_status wfi_pq_open(wfi_pq_file *file, wfi_fault *fault);
void wfi_pq_close(wfi_pq_file *file);
/* The first `count` row groups, each with a place for every slot. */
weft_status wfi_pq_groups(const wfi_pq_file *file, const wfi_picked *slots, wfi_pq_group *groups, size_t count,
                          wfi_fault *fault);

/* --- bits ------------------------------------------------------------------------------- */

/* Runs of equal numbers and of packed ones, mixed, of `width` bits each. */
typedef struct wfi_pq_runs {
    const uint8_t *at, *end;
    unsigned width;
    uint64_t equal;  /* left of a run of equal numbers ... */
    uint32_t value;  /* ... this one */
    uint64_t packed; /* left of a run of packed ones ... */
    const uint8_t *bits;
    uint64_t bit; /* ... the next from this bit on */
} wfi_pq_runs;

wfi_pq_runs wfi_pq_runs_of(const uint8_t *at, const uint8_t *end, unsigned width);
/* The next numbers, up to `count`; *got < count only at the end.  False when the data is damaged. */
bool wfi_pq_runs_next(wfi_pq_runs *r, uint32_t *to, size_t count, size_t *got);

/* DELTA_BINARY_PACKED: differences in blocks of miniblocks. */
typedef struct wfi_pq_delta {
    const uint8_t *at, *end;
    uint64_t block, mini; /* values of a block and of a miniblock */
    uint64_t minis;       /* miniblocks of a block */
    uint64_t left;        /* values not yet given, the first included */
    uint64_t value;       /* the next, as long as first is set; else the one before */
    bool first;
    uint64_t smallest;     /* difference in this block */
    const uint8_t *widths; /* of its miniblocks */
    uint64_t minis_left;   /* of this block */
    uint64_t in_mini;      /* values left of the miniblock */
    unsigned width;
    const uint8_t *bits;
    uint64_t bit;
} wfi_pq_delta;

/* Reads the head.  False when it is damaged. */
bool wfi_pq_delta_open(wfi_pq_delta *d, const uint8_t *at, const uint8_t *end);
bool wfi_pq_delta_next(wfi_pq_delta *d, int64_t *to, size_t count);
/* Where the packed differences end: a copy of `d` runs over its blocks. NULL when they are damaged. */
const uint8_t *wfi_pq_delta_end(const wfi_pq_delta *d);

/* --- values ------------------------------------------------------------------------------ */

typedef enum wfi_pq_encoding {
    WFI_PQ_PLAIN = 0,
    WFI_PQ_PLAIN_DICTIONARY = 2,
    WFI_PQ_RLE = 3,
    WFI_PQ_BIT_PACKED = 4,
    WFI_PQ_DELTA_BINARY_PACKED = 5,
    WFI_PQ_DELTA_LENGTHS = 6,
    WFI_PQ_DELTA_TEXTS = 7,
    WFI_PQ_RLE_DICTIONARY = 8,
    WFI_PQ_STREAM_SPLIT = 9
} wfi_pq_encoding;

/* A text of a dictionary; `text` is NULL once its cell is known. */
typedef struct wfi_pq_entry {
    const uint8_t *text;
    uint32_t length;
} wfi_pq_entry;

typedef struct wfi_pq_dictionary {
    size_t count, room;
    wfi_cell *cells;
    wfi_pq_entry *entries; /* texts only */
} wfi_pq_dictionary;

typedef struct wfi_pq_values {
    weft_ctx *ctx;
    const wfi_pq_column *column;
    wfi_texts *texts;
    wfi_pq_dictionary *dictionary;
    int encoding;
    uint64_t left, done; /* values of the page */
    const uint8_t *at, *end;
    wfi_pq_runs runs;
    wfi_pq_delta delta, suffix;
    char *previous; /* WFI_PQ_DELTA_TEXTS: the value before */
    size_t previous_length, previous_room;
    bool has_previous;
    int64_t previous_cell;
    const char *fault; /* what is wrong with the page; set with WEFT_EINPUT */
} wfi_pq_values;

/* Begins with a page of `count` values; ctx, column, texts, dictionary are set. */
weft_status wfi_pq_values_open(wfi_pq_values *v, int encoding, const uint8_t *at, const uint8_t *end, uint64_t count);
/* The next `rows` of them; the first is row `row` of the file. */
weft_status wfi_pq_values_next(wfi_pq_values *v, uint64_t row, size_t rows, wfi_cell *to);
/* Fills the dictionary with `count` plain values. */
weft_status wfi_pq_dictionary_fill(wfi_pq_values *v, const uint8_t *at, const uint8_t *end, uint64_t count);

/* --- pages ------------------------------------------------------------------------------- */

/* What a page was unpacked into. */
typedef struct wfi_pq_room {
    uint8_t *bytes;
    size_t room;
} wfi_pq_room;

/* A column of a row group as it is read.  Keeps its memory from one row group to the next. */
typedef struct wfi_pq_cursor {
    const wfi_pq_file *file;
    size_t number; /* of the column, from 0 */
    wfi_codec codec;
    const uint8_t *at, *end;   /* pages to come */
    const uint8_t *page_start; /* of the one that is read */
    uint64_t left;             /* values in them */
    uint64_t row;              /* of the file: the next value's */
    wfi_unpacker unpacker;
    wfi_pq_room page, dictionary_page;
    bool may_be_null;               /* a null is a value like others, not a fault; set by the caller */
    wfi_pq_runs levels;             /* then: of the page, as far as they are not read */
    uint64_t page_left, page_nulls; /* then: rows of the page, and how many are null */
    bool has_dictionary;
    wfi_pq_dictionary dictionary;
    wfi_pq_values values;
    wfi_fault *fault;
} wfi_pq_cursor;

/* The caller has set fault, values.texts and may_be_null. */
void wfi_pq_cursor_open(wfi_pq_cursor *c, const wfi_pq_file *file, size_t column, const wfi_pq_place *place,
                        uint64_t first_row);
weft_status wfi_pq_cursor_next(wfi_pq_cursor *c, size_t rows, wfi_cell *to);
/* The same where values may be null; the cells of those are zero. */
weft_status wfi_pq_cursor_next_or_null(wfi_pq_cursor *c, size_t rows, wfi_cell *to, bool *null);
/* After the last row: is there nothing left over? */
weft_status wfi_pq_cursor_finish(wfi_pq_cursor *c);
void wfi_pq_cursor_close(wfi_pq_cursor *c);

#endif
