/* The inside of the Arrow reader.
 *
 *   arrow_schema.c   the columns, and which buffers of a batch are theirs
 *   arrow_file.c     files and streams: where the batches lie, and their dictionaries
 *   arrow_values.c   the values of a column of a batch
 *   arrow.c          the format
 */
#ifndef WFI_ARROW_H
#define WFI_ARROW_H

#include "io/columnar/flatbuffer.h"
#include "io/columnar/typed.h"
#include "io/columnar/unpack.h"

/* How values lie in their buffers. */
typedef enum wfi_arrow_layout {
    WFI_ARROW_INTEGERS, /* `width` bytes each */
    WFI_ARROW_REALS,
    WFI_ARROW_TEXTS, /* offsets of `width` bytes, and the texts end to end */
    WFI_ARROW_BITS,  /* a bit each */
    WFI_ARROW_VIEWS, /* 16 bytes each: a short text itself, or where a long one lies */
    WFI_ARROW_OPAQUE /* not read */
} wfi_arrow_layout;

typedef struct wfi_arrow_type {
    wfi_arrow_layout layout;
    wfi_type kind;
    unsigned width;
    bool has_sign;
} wfi_arrow_type;

typedef struct wfi_arrow_column {
    wfi_arrow_type type; /* of the values, in the batch or in the dictionary */
    bool has_dictionary;
    int64_t dictionary;            /* its id */
    wfi_arrow_type index;          /* what is in the batch then */
    size_t node, buffer, variadic; /* the first of its own in a batch */
} wfi_arrow_column;

/* The metadata and the body of a message. */
typedef struct wfi_arrow_message {
    uint64_t metadata, metadata_bytes, body, body_bytes;
} wfi_arrow_message;

typedef struct wfi_arrow_bytes {
    const uint8_t *at;
    size_t bytes;
} wfi_arrow_bytes;

/* Memory that an unpacked buffer lies in; kept for the next batch. */
typedef struct wfi_arrow_slot {
    uint8_t *memory;
    size_t room;
} wfi_arrow_slot;

/* A column of a batch. */
typedef struct wfi_arrow_values {
    wfi_arrow_type type;
    uint64_t rows;
    wfi_arrow_bytes valid, values, text;
    wfi_arrow_bytes *more; /* views: where the long texts lie */
    size_t more_count, more_room;
    wfi_arrow_slot *slots;
    size_t slot_count;
    wfi_unpacker unpacker;
} wfi_arrow_values;

typedef struct wfi_arrow_file wfi_arrow_file;

/* Finds the buffers of column `number`, unpacks them if need be and holds their sizes against the rows.  `from`: the
 * column among those of this batch (of a dictionary: all zero). */
weft_status wfi_arrow_values_open(wfi_arrow_values *v, const wfi_arrow_file *file, const wfi_arrow_message *m,
                                  bool is_dictionary, size_t number, wfi_fault *fault);
void wfi_arrow_values_close(wfi_arrow_values *v);
bool wfi_arrow_is_null(const wfi_arrow_values *v, uint64_t row);
/* The first null of `rows` from `from` on, or from + rows. */
uint64_t wfi_arrow_first_null(const wfi_arrow_values *v, uint64_t from, uint64_t rows);
void wfi_arrow_numbers(const wfi_arrow_values *v, uint64_t from, size_t rows, wfi_cell *to);
/* False when its place is outside of the buffers. */
bool wfi_arrow_text(const wfi_arrow_values *v, uint64_t row, const char **text, size_t *length);

/* The values of a dictionary: one batch, and those that were added to it. */
typedef struct wfi_arrow_dictionary {
    int64_t id;
    wfi_arrow_type type;
    size_t count, room;
    wfi_arrow_bytes *texts; /* at = NULL: null */
    wfi_cell *cells;        /* or numbers ... */
    bool *null;             /* ... and which are none */
    wfi_arrow_values *parts;
    size_t part_count, part_room;
} wfi_arrow_dictionary;

typedef struct wfi_arrow_batch {
    wfi_arrow_message message;
    uint64_t first_row, rows;
    size_t dictionaries; /* how many came before it */
} wfi_arrow_batch;

struct wfi_arrow_file {
    weft_ctx *ctx;
    const uint8_t *data;
    uint64_t bytes;
    bool is_stream, open_end; /* a stream that does not say where it ends */
    wfi_arrow_message footer; /* files */
    uint64_t first_message;   /* streams: after the schema */

    wfi_typed_column *columns;
    wfi_arrow_column *stored;
    size_t column_count;

    wfi_arrow_batch *batches;
    size_t batch_count, batch_room;
    wfi_arrow_dictionary *dictionaries;
    size_t dictionary_count, dictionary_room;
    uint64_t rows;
};

/* What begins like a message: used to tell streams by their content. */
bool wfi_arrow_is_stream(const uint8_t *data, size_t bytes);
/* Finds and reads the schema. */
weft_status wfi_arrow_open(wfi_arrow_file *f, wfi_fault *fault);
/* The columns of a Schema.  `version`: of the metadata. */
weft_status wfi_arrow_schema(wfi_arrow_file *f, wfi_fb_table schema, int64_t version, uint64_t place, wfi_fault *fault);
/* Finds all batches and reads the dictionaries of the columns of all slots. */
weft_status wfi_arrow_find_batches(wfi_arrow_file *f, const wfi_picked *slots, wfi_fault *fault);
/* The place of a column's dictionary, which it has, as a batch is read with. */
size_t wfi_arrow_dictionary_of(const wfi_arrow_file *f, const wfi_arrow_batch *batch, size_t column);
/* Forgets the batches and dictionaries, keeps the columns. */
void wfi_arrow_forget_batches(wfi_arrow_file *f);
void wfi_arrow_close(wfi_arrow_file *f);

#endif
