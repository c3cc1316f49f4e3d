/* The header of a Matrix Market file: banner, comments, size line; and its detection.
 * Needs: nothing but text, so that detection and reading agree by construction.
 * Forgiven, and reported so that the reader can warn: a banner with one '%', no banner at all.
 * [1] Boisvert, Pozo, Remington, "The Matrix Market Exchange Formats: Initial Design", NISTIR 5935, 1996. */
#include "io/adjacency/mtx.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

__attribute__((format(printf, 3, 4))) static wfi_mtx_outcome bad(wfi_mtx_wrong *wrong, const char *at,
                                                                 const char *format, ...) {
    WFI_FORMAT(wrong->message, sizeof wrong->message, format);
    wrong->at = at;
    return WFI_MTX_BAD;
}

static const char *line_end(const char *at, const char *end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

/* --- banner ------------------------------------------------------------------- */

typedef struct word {
    const char *at;
    size_t length;
} word;

static word next_word(const char **at, const char *end) {
    const char *p = *at;
    while (p < end && wfi_is_blank(*p)) p++;
    word w = {p, 0};
    while (p < end && !wfi_is_blank(*p)) p++;
    w.length = (size_t)(p - w.at);
    *at = p;
    return w;
}

static bool is(word w, const char *text) { return w.length == strlen(text) && !strncasecmp(w.at, text, w.length); }

/* The length of "%%MatrixMarket" or "%MatrixMarket" at the begin of the text, or 0. */
static size_t banner_length(const char *text, size_t bytes) {
    static const char banner[] = "%%MatrixMarket";
    size_t length = sizeof banner - 1;
    if (bytes >= length && !strncasecmp(text, banner, length)) return length;
    if (bytes >= length - 1 && !strncasecmp(text, banner + 1, length - 1)) return length - 1;
    return 0;
}

static wfi_mtx_outcome unsupported(wfi_mtx_wrong *wrong, word w, const char *offer) {
    bad(wrong, w.at, "a %.*s matrix is not something Weft reads: it reads %s", (int)w.length, w.at, offer);
    return WFI_MTX_UNSUPPORTED;
}

static wfi_mtx_outcome parse_field(word w, wfi_mtx_header *h, wfi_mtx_wrong *wrong) {
    static const char *const names[] = {"pattern", "integer", "real", "double", "complex", NULL};
    int field = wfi_word_among(names, w.at, w.at + w.length);
    if (field < 0) return bad(wrong, w.at, "the banner's fourth word must be pattern, integer or real");
    if (!strcmp(names[field], "complex")) return unsupported(wrong, w, "pattern, integer and real");
    h->field = field < WFI_MTX_REAL ? (wfi_mtx_field)field : WFI_MTX_REAL;
    if (h->array && h->field == WFI_MTX_PATTERN)
        return bad(wrong, w.at, "an array has values, so it cannot be a pattern");
    return WFI_MTX_OK;
}

static wfi_mtx_outcome parse_symmetry(word w, wfi_mtx_header *h, wfi_mtx_wrong *wrong) {
    static const char *const names[] = {"general", "symmetric", "skew-symmetric", "hermitian", NULL};
    int symmetry = wfi_word_among(names, w.at, w.at + w.length);
    if (symmetry < 0) return bad(wrong, w.at, "the banner's fifth word must be general, symmetric or skew-symmetric");
    if (symmetry > WFI_MTX_SKEW) return unsupported(wrong, w, "general, symmetric and skew-symmetric");
    h->symmetry = (wfi_mtx_symmetry)symmetry;
    return WFI_MTX_OK;
}

static wfi_mtx_outcome parse_banner(const char *at, const char *end, wfi_mtx_header *h, wfi_mtx_wrong *wrong) {
    word object = next_word(&at, end), layout = next_word(&at, end);
    word field = next_word(&at, end), symmetry = next_word(&at, end), rest = next_word(&at, end);
    if (!is(object, "matrix")) return bad(wrong, object.at, "the banner's second word must be matrix");
    h->array = is(layout, "array");
    if (!h->array && !is(layout, "coordinate"))
        return bad(wrong, layout.at, "the banner's third word must be coordinate or array");
    h->field_at = field.at;
    wfi_mtx_outcome o = parse_field(field, h, wrong);
    if (!o) o = parse_symmetry(symmetry, h, wrong);
    if (!o && rest.length) return bad(wrong, rest.at, "the banner has a sixth word: expected the end of the line");
    return o;
}

/* --- size line ------------------------------------------------------------------ */

/* Reads up to `room` integers at the begin of the line; leaves *at after the last of them. */
static unsigned count_numbers(const char **at, const char *end, uint64_t *value, const char **place, unsigned room) {
    unsigned count = 0;
    const char *p = *at;
    while (count < room) {
        while (p < end && wfi_is_blank(*p)) p++;
        if (p >= end) break;
        place[count] = p;
        if (wfi_scan_u64(&p, &value[count]) || (p < end && !wfi_is_blank(*p))) break;
        *at = p;
        count++;
    }
    return count;
}

static uint64_t listed_values(const wfi_mtx_header *h) {
    switch (h->symmetry) {
    case WFI_MTX_GENERAL: return h->rows * h->columns;
    case WFI_MTX_SYMMETRIC: return h->rows * (h->rows + 1) / 2;
    case WFI_MTX_SKEW: return h->rows ? h->rows * (h->rows - 1) / 2 : 0;
    }
    return 0;
}

static wfi_mtx_outcome check_size(const char *const place[3], wfi_mtx_header *h, wfi_mtx_wrong *wrong) {
    const uint64_t most = WEFT_NO_VERTEX - 1;
    if (h->rows > most || h->columns > most)
        return bad(wrong, place[h->rows > most ? 0 : 1], "a graph has at most %llu vertices", (wfi_ull)most);
    if (h->symmetry != WFI_MTX_GENERAL && h->rows != h->columns)
        return bad(wrong, place[0], "a %ssymmetric matrix must be square, this one is %llu by %llu",
                   h->symmetry == WFI_MTX_SKEW ? "skew-" : "", (wfi_ull)h->rows, (wfi_ull)h->columns);
    if (h->array) h->entries = listed_values(h); /* no overflow: rows and columns are below 2^32 */
    h->entries_at = place[h->array ? 1 : 2];
    return WFI_MTX_OK;
}

static wfi_mtx_outcome parse_size_line(const char *line, const char *end, wfi_mtx_header *h, wfi_mtx_wrong *wrong) {
    uint64_t value[4] = {0};
    const char *place[4] = {line, line, line, line}, *at = line;
    unsigned count = count_numbers(&at, end, value, place, 4);
    bool clean = wfi_skip_blanks(at) >= end;
    if (h->banner == WFI_MTX_NO_BANNER) {
        if (!clean || (count != 2 && count != 3)) {
            bad(wrong, place[0], "expected a %%%%MatrixMarket banner, or a size line of two or three whole numbers");
            return WFI_MTX_BAD_SIZE;
        }
        h->array = count == 2;
    }
    unsigned wanted = h->array ? 2 : 3;
    if (!clean || count != wanted) {
        const char *where = count > wanted ? place[wanted] : wfi_skip_blanks(at), *behind = where;
        if (wfi_scan_u64(&behind, &value[0]) == WFI_NUMBER_TOO_BIG)
            bad(wrong, where, "this number does not fit in 64 bits");
        else
            bad(wrong, where,
                h->array ? "the size line of an array has two whole numbers: rows and columns"
                         : "the size line has three whole numbers: rows, columns and entries");
        return WFI_MTX_BAD_SIZE;
    }
    h->rows = value[0];
    h->columns = value[1];
    h->entries = value[2];
    return check_size((const char *const *)place, h, wrong);
}

/* Without a banner, the first entry decides whether there are values. */
static wfi_mtx_field guess_field(const char *body, const char *end) {
    while (body < end) {
        const char *stop = line_end(body, end), *at = body;
        if (wfi_skip_blanks(body) < stop && *wfi_skip_blanks(body) != '%') {
            next_word(&at, stop);
            next_word(&at, stop);
            return next_word(&at, stop).length ? WFI_MTX_REAL : WFI_MTX_PATTERN;
        }
        body = stop + 1;
    }
    return WFI_MTX_PATTERN;
}

wfi_mtx_outcome wfi_mtx_parse_header(const char *text, size_t bytes, bool whole, wfi_mtx_header *h,
                                     wfi_mtx_wrong *wrong) {
    const char *at = text, *end = text + bytes;
    size_t banner = banner_length(text, bytes);
    *h = (wfi_mtx_header){.field = WFI_MTX_REAL, .field_at = text};
    h->banner = banner == 0 ? WFI_MTX_NO_BANNER : text[1] == '%' ? WFI_MTX_BANNER : WFI_MTX_BANNER_ONE_PERCENT;
    if (banner) {
        const char *stop = line_end(text, end);
        if (stop == end && !whole) return WFI_MTX_CUT;
        wfi_mtx_outcome o = parse_banner(text + banner, stop, h, wrong);
        if (o) return o;
        at = stop;
        if (at < end) at++;
    }
    for (;;) {
        const char *stop = line_end(at, end), *first = wfi_skip_blanks(at);
        if (stop == end && !whole) return WFI_MTX_CUT;
        if (at == end) {
            bad(wrong, end, "the file ends before its size line");
            return WFI_MTX_BAD_SIZE;
        }
        if (first < stop && *first != '%') {
            h->size_line = at;
            h->body = stop < end ? stop + 1 : end;
            wfi_mtx_outcome o = parse_size_line(first, stop, h, wrong);
            if (!o && h->banner == WFI_MTX_NO_BANNER && !h->array) h->field = guess_field(h->body, end);
            return o;
        }
        at = stop < end ? stop + 1 : end;
    }
}

/* --- sniffing --------------------------------------------------------------------- */

/* Does the line fit a size line guessed without a banner?  An edge list that begins with two or three integers is soon
 * recognised: two numbers on a line of an "array", an id beyond the "size". */
static bool line_fits(const wfi_mtx_header *h, const char *at, const char *end) {
    const char *p = at;
    word first = next_word(&p, end), second = next_word(&p, end), third = next_word(&p, end), rest = next_word(&p, end);
    if (!first.length || *first.at == '%') return true;
    if (h->array) return !second.length && memchr("+-.0123456789in", *first.at, 15);
    uint64_t index[2];
    const char *place[2];
    p = at;
    if (count_numbers(&p, end, index, place, 2) != 2) return false;
    bool valued = h->field != WFI_MTX_PATTERN;
    return index[0] >= 1 && index[0] <= h->rows && index[1] >= 1 && index[1] <= h->columns && !rest.length &&
           (third.length > 0) == valued;
}

static bool body_fits(const wfi_mtx_header *h, const char *end) {
    uint64_t lines = 0;
    const char *at = h->body;
    for (const char *stop; at < end && (stop = line_end(at, end)) < end; at = stop + 1) {
        if (!line_fits(h, at, stop)) return false;
        if (wfi_skip_blanks(at) < stop && *wfi_skip_blanks(at) != '%') lines++;
    }
    return lines <= h->entries;
}

int wfi_sniff_mtx(const char *head, size_t bytes, const char *name) {
    wfi_mtx_header h;
    wfi_mtx_wrong wrong;
    bool named = wfi_name_has_extension(name, "mtx");
    if (!banner_length(head, bytes) && !named) return 0;
    wfi_mtx_outcome o = wfi_mtx_parse_header(head, bytes, false, &h, &wrong);
    /* A small file may end right after its size line; a truncated header is judged by the part that is there. */
    if (o == WFI_MTX_CUT && bytes < 4096) o = wfi_mtx_parse_header(head, bytes, true, &h, &wrong);
    if (h.banner == WFI_MTX_NO_BANNER) return o == WFI_MTX_OK && body_fits(&h, head + bytes) ? 2 : 0;
    return o == WFI_MTX_BAD_SIZE && !named ? 0 : 3;
}
