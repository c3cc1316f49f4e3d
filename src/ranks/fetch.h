/* Rows of other ranks' vertices, fetched in rounds of a bounded number of arcs: no rank holds more than that, however
 * many rows it needs.  A request-reply exchange with a bound on the reply. */
#ifndef WFI_FETCH_H
#define WFI_FETCH_H

#include "ranks/spread.h"

typedef struct wfi_fetch {
    /* Set by the caller: this rank's rows, which others may ask for; offsets need not begin at 0 */
    const weft_eid *offsets;
    const weft_vid *targets;
    const uint8_t *beside;    /* a byte for each of their arcs that comes along; NULL: none */
    uint64_t wants, capacity; /* rows and arcs of a round: no row is longer */
    bool with_beside;         /* bytes come along with arcs */
    bool all_ask;             /* not one rank alone, so that one may have to answer all */

    uint64_t fetched;      /* number of fetched rows: the first ones that were wanted */
    uint64_t *at, *length; /* position of each row in `rows`, and its length */
    weft_vid *rows;
    uint8_t *rows_beside;

    weft_vid *ask, *asked; /* scratch, as are the following arrays */
    uint32_t *slot;
    uint64_t *lengths, *answer;
    uint64_t *send_start, *receive_start, *take, *give;
    weft_vid *send;
    uint8_t *send_beside;
} wfi_fetch;

/* Declares the arrays; the caller has set the fields from `wants` to `all_ask`. */
void wfi_fetch_lay_out(wfi_workspace *w, const wfi_spread *s, wfi_fetch *f);

/* Upper bound of the questions of a rank that fetches `rows` rows with `arcs` arcs in `turns` turns; a row that did not
 * fit is asked for again. */
uint64_t wfi_fetch_questions(const wfi_fetch *f, uint64_t rows, uint64_t arcs, uint64_t turns);
/* Bytes of a question, and of its answer. */
enum { WFI_FETCH_ASK = sizeof(weft_vid), WFI_FETCH_ANSWER = sizeof(uint64_t) };

/* A round.  Collective, with the vertices that each rank wants, possibly none.  *idle: no rank wanted any. */
weft_status wfi_fetch_round(weft_ctx *ctx, const wfi_spread *s, wfi_fetch *f, const weft_vid *want, uint64_t count,
                            bool *idle);

#endif
