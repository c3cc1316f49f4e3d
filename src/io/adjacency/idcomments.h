/* File ids in the comments of formats that number their vertices themselves (Matrix Market, METIS, DIMACS), so that a
 * graph with other ids survives a round trip.  Programs that do not know these lines treat them as comments.
 *
 * With prefix "%" and natural base 1 (vertex 0 is called 1 by the format), the header holds one of
 *     %weft base 0             ids are dense and start elsewhere
 *     %weft ids integer        ids have gaps; then one line per vertex, in order:
 *     %id 1 40
 *     %id 2 7000000000
 *     %weft ids string         the same with names, which reach to the end of the line
 *     %id 1 Ada Lovelace
 * or nothing when the ids are the natural ones.  "%id" lines have a meaning only after a "%weft ids" line.
 *
 * A reader calls wfi_id_comments_line for each comment line of its header, builds its graph with the natural ids, and
 * calls wfi_apply_id_comments. */
#ifndef WFI_IDCOMMENTS_H
#define WFI_IDCOMMENTS_H

#include "graph/graph.h"
#include "io/stream/sink.h"
#include "io/stream/source.h"

/* Writes the lines that g needs, none if its ids are natural_base, natural_base + 1, ...  WEFT_EUNSUPPORTED if a name
 * cannot be written in a line of that format.  Failures of the sink are reported by wfi_sink_finish. */
weft_status wfi_write_id_comments(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format,
                                  const char *prefix, int64_t natural_base);

typedef struct wfi_id_comments {
    const char *prefix; /* "%", or "c " */
    int64_t natural_base;
    enum { WFI_ID_COMMENTS_NONE, WFI_ID_COMMENTS_BASE, WFI_ID_COMMENTS_INTEGER, WFI_ID_COMMENTS_STRING } kind;
    int64_t base;
    uint64_t count, room; /* ids read so far */
    int64_t *number;
    uint64_t *start; /* count + 1 */
    char *text;
    uint64_t text_room;
    const char *first; /* the declaration, where a search for an id's line begins */
} wfi_id_comments;

static inline wfi_id_comments wfi_id_comments_of(const char *prefix, int64_t natural_base) {
    return (wfi_id_comments){.prefix = prefix, .natural_base = natural_base};
}

/* Takes the line [line, end) if it is one of the above; any other comment is ignored, with WEFT_OK.  `text` is the
 * begin of the file in memory (the head of the source, or all of it) and must stay valid until the ids are applied. */
weft_status wfi_id_comments_line(weft_ctx *ctx, const wfi_source *source, wfi_id_comments *comments, const char *text,
                                 const char *line, const char *end);

/* Gives g the ids that were found, if any.  Fails unless they are one id for each vertex, all different. */
weft_status wfi_apply_id_comments(weft_ctx *ctx, const wfi_source *source, wfi_id_comments *comments, const char *text,
                                  weft_graph *g);

/* Frees everything that was not handed over to a graph. */
void wfi_id_comments_free(wfi_id_comments *comments);

#endif
