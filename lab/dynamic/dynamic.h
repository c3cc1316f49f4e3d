/* Graphs that change, what the rungs share: half of the graph's arcs are there, the others come in shuffled batches, and in the end all rows are
 * read.  Parts of a run: copying in is loading the first half, the kernels are the batches, copying out is the reading.  The answer is
 * that of the algorithm `degree`; and a rung whose rows are not the graph's, arc by arc, fails. */
#ifndef WEFT_LAB_DYNAMIC_H
#define WEFT_LAB_DYNAMIC_H

#include "lab.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CHANGING_BATCH = 1000 };

typedef struct changing_rows {
    weft_eid *offsets;
    weft_vid *targets;
} changing_rows;

typedef struct changing_stream {
    lab_run *r;
    weft_vid n;
    changing_rows base; /* half of the arcs */
    weft_eid base_arcs;
    weft_vid *u, *v; /* the others, in the order in which they come */
    size_t count;
    uint64_t *key; /* room for all of these, as u << 32 | v */
} changing_stream;

/* Makes the stream, in no part's time; the rung goes on in LAB_ALLOCATE. */
weft_status changing_open(lab_run *r, changing_stream *s);
/* The end of the batch that begins at `first`. */
size_t changing_batch_end(const changing_stream *s, size_t first);
/* The arcs first ... end - 1 of the stream, sorted, in s->key. */
void changing_sort(const changing_stream *s, size_t first, size_t end);
/* Rows, and `count` sorted keys that are not among them, become rows elsewhere. */
void changing_merge(const changing_rows *from, const uint64_t *key, size_t count, weft_vid n, const changing_rows *to);

/* Row u of what the rung holds: in any order, in its own memory or in `room`, which is long enough. */
typedef const weft_vid *changing_row(const void *store, weft_vid u, size_t *count, weft_vid *room);
/* All rows are read, for the degrees (LAB_COPY_OUT), and compared with the graph's (in no part's time). */
weft_status changing_close(const changing_stream *s, changing_row *row, const void *store);
/* For rows that lie side by side. */
changing_row changing_row_of;

/* NULL: the stream can be made; for serves(). */
const char *changing_serves(lab_run *r);

extern const lab_rung changing_rebuild, changing_gaps, changing_hash, changing_log, changing_engine,
    changing_gpu_rebuild, changing_gpu_merge;

#ifdef __cplusplus
}
#endif
#endif
