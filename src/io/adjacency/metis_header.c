/* The header line of a METIS file, and the comments before it. */
#include "io/adjacency/metis.h"
#include "io/text/words.h"

/* The header line, and how far it was read. */
typedef struct header_line {
    weft_ctx *ctx;
    wfi_metis *r;
    const char *p, *end;
} header_line;

#define FAIL(l, at, ...) wfi_fail_in_text((l)->ctx, (l)->r->source, (l)->r->text, (at), __VA_ARGS__)

static wfi_quote found_at(const header_line *l, const char *at) { return wfi_quote_word(at, l->r->text + l->r->bytes); }

static weft_status header_number(header_line *l, const char *what, uint64_t most, uint64_t *value) {
    const char *start = l->p = wfi_skip_blanks(l->p);
    wfi_number st = start < l->end ? wfi_scan_u64(&l->p, value) : WFI_NUMBER_NONE;
    if (st == WFI_NUMBER_NONE || !wfi_word_ends(l->p, l->end))
        return FAIL(l, start, "expected %s in the header line, found %s", what, found_at(l, start).text);
    if (st || *value > most)
        return FAIL(l, start, "%s in the header is more than the %llu allowed", what, (unsigned long long)most);
    return WEFT_OK;
}

static weft_status header_digits(header_line *l) {
    wfi_metis_header *h = &l->r->head;
    const char *start = l->p = wfi_skip_blanks(l->p), *stop = start;
    while (stop < l->end && (*stop == '0' || *stop == '1')) stop++;
    if (stop == start || stop - start > 3 || !wfi_word_ends(stop, l->end))
        return FAIL(l, start, "the format in the header is up to three digits 0 or 1, not %s", found_at(l, start).text);
    h->edge_weights = stop[-1] == '1';
    h->vertex_weights = stop - start > 1 && stop[-2] == '1';
    h->hundreds = stop - start > 2 && stop[-3] == '1';
    l->p = stop;
    return WEFT_OK;
}

static weft_status read_header(header_line *l) {
    wfi_metis_header *h = &l->r->head;
    uint64_t ncon;
    weft_status st = header_number(l, "the number of vertices", WEFT_NO_VERTEX - 1, &h->n);
    if (st) return st;
    h->m_at = l->p = wfi_skip_blanks(l->p);
    st = header_number(l, "the number of edges", UINT64_MAX / 4, &h->m);
    if (!st && (l->p = wfi_skip_blanks(l->p)) < l->end) st = header_digits(l);
    if (st) return st;
    if ((l->p = wfi_skip_blanks(l->p)) < l->end) {
        st = header_number(l, "the number of weights of a vertex", 1 << 20, &ncon);
        if (st) return st;
        if (h->vertex_weights) h->vertex_weights = ncon;
    }
    if ((l->p = wfi_skip_blanks(l->p)) < l->end)
        return FAIL(l, l->p, "the header has at most four numbers, but here is %s", found_at(l, l->p).text);
    return WEFT_OK;
}

/* Comments and blank lines may precede the header; Weft's own say what the vertices are called.  A line that reaches
 * the end of the text counts only if the text is complete. */
static weft_status find_header(weft_ctx *ctx, wfi_metis *r, bool complete, bool *found) {
    const char *end = r->text + r->bytes;
    *found = false;
    for (const char *line = r->text, *stop; line < end; line = stop + 1) {
        for (stop = line; stop < end && *stop != '\n'; stop++) continue;
        if (stop == end && !complete) return WEFT_OK;
        const char *p = wfi_skip_blanks(line);
        if (p >= stop) continue;
        if (wfi_metis_comment(p)) {
            weft_status st = wfi_id_comments_line(ctx, r->source, &r->comments, r->text, line, stop);
            if (st) return st;
            continue;
        }
        *found = true;
        r->head.end = stop < end ? stop + 1 : stop;
        return read_header(&(header_line){ctx, r, line, stop});
    }
    return WEFT_OK;
}

weft_status wfi_metis_read_header(weft_ctx *ctx, wfi_metis *r) {
    bool found;
    r->text = wfi_source_head(r->source, &r->bytes);
    r->comments = wfi_id_comments_of("%", 1);
    weft_status st = find_header(ctx, r, false, &found);
    if (st || found) return st;
    wfi_id_comments_free(&r->comments);
    r->comments = wfi_id_comments_of("%", 1);
    st = wfi_source_whole(ctx, r->source, &r->text, &r->bytes);
    if (!st) st = find_header(ctx, r, true, &found);
    if (st || found) return st;
    return wfi_fail_in_text(ctx, r->source, r->text, r->text + r->bytes,
                            "the file ends without a header line \"vertices edges [format [ncon]]\"");
}
