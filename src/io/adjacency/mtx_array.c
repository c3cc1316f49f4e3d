/* Matrix Market arrays: all values of a dense matrix, column after column; zeros are no edges.
 * A symmetric array lists the lower triangle with its diagonal, a skew-symmetric one without.
 * Needs: the whole text in memory; sequential, because dense files are small graphs. */
#include "io/adjacency/mtx.h"
#include "io/text/numbers.h"

/* The next place to be listed, counted from 1. */
typedef struct position {
    uint64_t row, column;
} position;

static uint64_t first_row(const wfi_mtx_header *h, uint64_t column) {
    return h->symmetry == WFI_MTX_GENERAL ? 1 : h->symmetry == WFI_MTX_SYMMETRIC ? column : column + 1;
}

static void step(const wfi_mtx_header *h, position *at) {
    if (++at->row > h->rows) at->row = first_row(h, ++at->column);
}

/* Blanks, line ends, and comments where a line begins. */
static const char *skip_to_value(const char *p, const char *end, bool *comment) {
    for (;;) {
        p = wfi_skip_blanks(p);
        if (*p == '%' && p[-1] == '\n') {
            *comment = true;
            while (p < end && *p != '\n') p++;
        }
        if (p >= end || *p != '\n') return p;
        p++;
    }
}

static weft_status read_value(weft_ctx *ctx, wfi_mtx_job *job, wfi_collector *c, const char **at, position place) {
    wfi_weight w = {.value = 1};
    const char *start = *at;
    wfi_number number = wfi_scan_weight(at, wfi_collects_doubles(c), &w);
    if (number == WFI_NUMBER_NONE || !(wfi_is_blank(**at) || **at == '\n' || **at == '\0'))
        return wfi_fail_in_text(ctx, job->source, job->text, *at,
                                "expected a number for the value in row %llu, column %llu",
                                (unsigned long long)place.row, (unsigned long long)place.column);
    if (number != WFI_NUMBER_OK && job->weighted)
        return wfi_fail_in_text(ctx, job->source, job->text, start,
                                "this value is %s (`weights=ignore` reads without the values)",
                                wfi_weight_fault(number, wfi_collects_doubles(c)));
    if (job->weighted && job->header.field == WFI_MTX_INTEGER && wfi_has_fraction(start, *at))
        return wfi_fail_in_text(ctx, job->source, job->text, start, "expected a whole number: the banner says integer");
    if (number == WFI_NUMBER_OK && w.value == 0) return WEFT_OK;
    job->records++;
    wfi_mtx_collect(job, c, place.row, place.column, w);
    return WEFT_OK;
}

weft_status wfi_mtx_read_array(weft_ctx *ctx, wfi_mtx_job *job) {
    const wfi_mtx_header *h = &job->header;
    const char *p = h->body, *end = job->text + job->bytes;
    uint64_t bytes = (uint64_t)(end - p);
    if (h->entries > (bytes + 1) / 2)
        return wfi_fail_in_text(ctx, job->source, job->text, h->entries_at,
                                "the size line promises %llu values, but only %llu bytes follow",
                                (unsigned long long)h->entries, (unsigned long long)bytes);
    wfi_collector c = {0};
    bool comment = false;
    position place = {first_row(h, 1), 1};
    if (place.row > h->rows) step(h, &place); /* a 1 by 1 skew-symmetric array lists nothing */
    uint64_t arcs_each = job->mirror == WFI_MTX_AS_LISTED ? 1 : 2;
    weft_status st = wfi_collector_reset(ctx, &c, arcs_each * h->entries + 1, job->weight_type);
    for (uint64_t k = 0; !st && k < h->entries; k++) {
        p = skip_to_value(p, end, &comment);
        if (p >= end)
            st = wfi_fail_in_text(ctx, job->source, job->text, p,
                                  "the file ends after %llu values, the size line promises %llu", (unsigned long long)k,
                                  (unsigned long long)h->entries);
        else
            st = read_value(ctx, job, &c, &p, place);
        step(h, &place);
    }
    if (!st && (p = skip_to_value(p, end, &comment)) < end)
        st = wfi_fail_in_text(ctx, job->source, job->text, p, "more values than the %llu that the size line promises",
                              (unsigned long long)h->entries);
    if (!st && comment)
        wfi_warn(ctx, "%s: comments among the values, where the format has none", wfi_source_name(job->source));
    if (!st) st = wfi_collector_deliver(ctx, &c, &job->edges, 0, 0);
    wfi_collector_free(&c);
    return st;
}
