/* Batches of changes as text, a change a line, in one of three forms that the first line tells apart:
 *
 *   + u v [w]     an edge           {"op": "+", "source": "a", "target": "b", "weight": 2}   op,source,target,weight
 *   - u v         no longer         (JSON lines)                                             +,a,b,2
 *   = u v w       its weight                                                                 (csv with a header)
 *   +v u, -v u    a vertex comes, goes with all its edges
 *
 * A blank line ends a batch; lines that begin with # are comments in the first form, and before the first line of the
 * others.  Fields of a csv, weights, and a byte-order mark at the start of a file mean what they mean in files of
 * graphs (src/stream/csv.h, src/stream/numbers.h).  Needs nothing of the program. */
#ifndef WEFT_CLI_BATCH_TEXT_H
#define WEFT_CLI_BATCH_TEXT_H

#include "weft/experimental.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum batch_form { BATCH_UNKNOWN, BATCH_PLAIN, BATCH_JSON, BATCH_CSV } batch_form;

enum { BATCH_OP, BATCH_SOURCE, BATCH_TARGET, BATCH_WEIGHT, BATCH_FIELDS };

typedef struct batch_reader {
    bool names; /* from the graph: are ids names, and the type of weights */
    weft_weight_type type;
    bool begun; /* of the file: was its first line read? */
    batch_form form;
    char separator;                       /* csv */
    size_t columns, column[BATCH_FIELDS]; /* csv: the number of columns, and the column of each field; SIZE_MAX: none */
    char *word;                           /* buffer for fields without quotes and escapes */
    size_t word_room;

    /* the batch so far */
    uint64_t count, capacity;
    uint8_t *changes;
    int64_t *sources, *targets;
    size_t *source_at, *target_at; /* names: offsets in text */
    char *text;
    size_t text_used, text_room;
    double *real; /* weights as read */
    void *weights;
    const char **source_names, **target_names;
} batch_reader;

typedef enum batch_line_is { BATCH_NOTHING, BATCH_CHANGE, BATCH_END, BATCH_WRONG, BATCH_NO_MEMORY } batch_line_is;

typedef struct batch_mistake {
    size_t column; /* from 1 */
    char message[200];
} batch_mistake;

/* Reads a line, given without the newline that follows it. */
batch_line_is batch_line(batch_reader *r, const char *line, size_t length, batch_mistake *wrong);
/* The batch, for weft_dynamic_apply; false: out of memory.  Valid until the next line. */
bool batch_give(batch_reader *r, weft_batch *batch);
void batch_clear(batch_reader *r); /* begins the next batch */
/* Begins the next file. */
static inline void batch_next_file(batch_reader *r) {
    r->begun = false;
    r->form = BATCH_UNKNOWN;
}
void batch_free(batch_reader *r);

#endif
