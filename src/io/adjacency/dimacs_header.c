/* The header of a DIMACS file: comments, then the problem line "p sp 3353 8870"; and recognising one.
 * Forgiven: no problem line at all, when the first line is an arc or an edge. */
#include "io/adjacency/dimacs.h"
#include "io/text/numbers.h"

#include <string.h>

typedef struct scan {
    weft_ctx *ctx;
    const wfi_source *source;
    const char *text, *end;
    bool whole; /* the text is the entire file */
} scan;

static bool is_comment(const char *line, const char *stop) {
    return *line == 'c' && (line + 1 == stop || wfi_is_blank(line[1]));
}

static bool word_is(const char *at, const char *stop, const char *word) {
    size_t length = strlen(word);
    return (size_t)(stop - at) >= length && !memcmp(at, word, length) &&
           (at + length == stop || wfi_is_blank(at[length]));
}

static bool known_problem(const char *at, const char *stop, wfi_dimacs_problem *problem) {
    /* The challenges of PACE on other problems have the lines of its tree-width files. */
    static const struct {
        const char *word;
        wfi_dimacs_problem problem;
    } known[] = {{"sp", WFI_DIMACS_ARCS},     {"tw", WFI_DIMACS_PAIRS}, {"td", WFI_DIMACS_PAIRS},
                 {"cep", WFI_DIMACS_PAIRS},   {"ds", WFI_DIMACS_PAIRS}, {"edge", WFI_DIMACS_EDGES},
                 {"edges", WFI_DIMACS_EDGES}, {"col", WFI_DIMACS_EDGES}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (word_is(at, stop, known[i].word)) {
            *problem = known[i].problem;
            return true;
        }
    return false;
}

static weft_status read_count(const scan *s, const char **at, const char *what, uint64_t most, uint64_t *count) {
    const char *place = *at = wfi_skip_blanks(*at);
    wfi_number st = wfi_scan_u64(at, count);
    if (st == WFI_NUMBER_NONE || !(wfi_is_blank(**at) || **at == '\n' || *at == s->end))
        return wfi_fail_in_text(s->ctx, s->source, s->text, place,
                                "expected the number of %s: the line is \"p\", a problem, vertices, edges", what);
    if (st == WFI_NUMBER_TOO_BIG || *count > most)
        return wfi_fail_in_text(s->ctx, s->source, s->text, place, "at most %llu %s can be read",
                                (unsigned long long)most, what);
    return WEFT_OK;
}

static weft_status read_problem_line(const scan *s, const char *line, const char *stop, wfi_dimacs_header *h) {
    const char *at = wfi_skip_blanks(line + 1);
    if (!known_problem(at, stop, &h->problem)) {
        int length = 0;
        while (length < 16 && at + length < stop && !wfi_is_blank(at[length])) length++;
        wfi_fail_in_text(s->ctx, s->source, s->text, at, "'%.*s' is not a problem that Weft knows: sp, tw, edge or col",
                         length, at);
        return WEFT_EUNSUPPORTED;
    }
    while (at < stop && !wfi_is_blank(*at)) at++;
    weft_status st = read_count(s, &at, "vertices", WEFT_NO_VERTEX - 1, &h->vertices);
    if (st) return st;
    h->edges_at = wfi_skip_blanks(at);
    st = read_count(s, &at, "edges", UINT64_MAX, &h->edges);
    if (st) return st;
    at = wfi_skip_blanks(at);
    if (at < stop) return wfi_fail_in_text(s->ctx, s->source, s->text, at, "expected the end of the line");
    h->has_problem_line = true;
    h->body = stop < s->end ? stop + 1 : stop;
    return WEFT_OK;
}

static weft_status without_problem_line(const scan *s, const char *line, wfi_dimacs_header *h) {
    if ((*line != 'a' && *line != 'e') || !wfi_is_blank(line[1]))
        return wfi_fail_in_text(s->ctx, s->source, s->text, line,
                                "expected a problem line: p sp, p tw, p edge or p col");
    h->problem = *line == 'a' ? WFI_DIMACS_ARCS : WFI_DIMACS_EDGES;
    h->body = line;
    wfi_warn(s->ctx, "%s: no problem line; there are as many vertices as the largest id", wfi_source_name(s->source));
    return WEFT_OK;
}

static weft_status take_comment(const scan *s, const char *line, const char *stop, wfi_dimacs_header *h,
                                wfi_id_comments *ids) {
    const char *last = stop > line && stop[-1] == '\r' ? stop - 1 : stop;
    if (word_is(line, last, "c weft undirected")) h->undirected = line;
    if (word_is(line, last, "c weft unweighted")) h->unweighted = true;
    return wfi_id_comments_line(s->ctx, s->source, ids, s->text, line, stop);
}

/* *cut: the text ends inside the header. */
static weft_status scan_header(const scan *s, wfi_dimacs_header *h, wfi_id_comments *ids, bool *cut) {
    *cut = false;
    for (const char *line = s->text;;) {
        const char *stop = memchr(line, '\n', (size_t)(s->end - line));
        if (!stop && !s->whole) {
            *cut = true;
            return WEFT_OK;
        }
        if (line == s->end)
            return wfi_fail_in_text(s->ctx, s->source, s->text, line, "the file ends before its problem line");
        if (!stop) stop = s->end;
        if (is_comment(line, stop)) {
            weft_status st = take_comment(s, line, stop, h, ids);
            if (st) return st;
        } else if (wfi_skip_blanks(line) < stop) {
            h->line = line;
            bool problem = *line == 'p' && wfi_is_blank(line[1]);
            return problem ? read_problem_line(s, line, stop, h) : without_problem_line(s, line, h);
        }
        line = stop < s->end ? stop + 1 : stop;
    }
}

weft_status wfi_dimacs_read_header(weft_ctx *ctx, wfi_source *source, const char **text, wfi_dimacs_header *h,
                                   wfi_id_comments *ids) {
    size_t bytes;
    bool cut;
    *h = (wfi_dimacs_header){0};
    *text = wfi_source_head(source, &bytes);
    weft_status st = scan_header(&(scan){ctx, source, *text, *text + bytes, false}, h, ids, &cut);
    if (st || !cut) return st;
    st = wfi_source_whole(ctx, source, text, &bytes);
    if (st) return st;
    wfi_id_comments_free(ids);
    *ids = wfi_id_comments_of(ids->prefix, ids->natural_base);
    *h = (wfi_dimacs_header){0};
    return scan_header(&(scan){ctx, source, *text, *text + bytes, true}, h, ids, &cut);
}

/* --- sniffing ---------------------------------------------------------------------- */

static bool is_arc_line(const char *at, const char *stop) {
    uint64_t number;
    for (unsigned i = 0; i < 2; i++) {
        at = wfi_skip_blanks(at + (i == 0));
        if (wfi_scan_u64(&at, &number) || !wfi_is_blank(*at)) return false;
    }
    wfi_weight unused;
    at = wfi_skip_blanks(at);
    return !wfi_scan_weight(&at, false, &unused) && wfi_skip_blanks(at) >= stop;
}

int wfi_dimacs_sniff(const char *head, size_t bytes, const char *name) {
    const char *end = head + bytes;
    int by_name = wfi_name_has_extension(name, "gr dimacs col");
    for (const char *line = head; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop) stop = end;
        wfi_dimacs_problem problem;
        if (is_comment(line, stop)) {
            if (word_is(line, stop, "c weft")) return 3;
        } else if (wfi_skip_blanks(line) < stop) {
            if (*line == 'p' && wfi_is_blank(line[1]))
                return known_problem(wfi_skip_blanks(line + 1), stop, &problem) ? 3 : by_name;
            return *line == 'a' && wfi_is_blank(line[1]) && is_arc_line(line, stop) ? 2 : by_name;
        }
        line = stop + 1;
    }
    return by_name;
}
