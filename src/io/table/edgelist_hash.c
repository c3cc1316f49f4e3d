/* Lines that begin with # or %.
 * In a list without a header they are comments, unless the word at their front is the name of a vertex.  That is so if
 * an edge elsewhere has an end of this name; then it is asked, since an edge would be lost, or a comment become one.
 * It is asked as well of a line that looks like the edges around it, with as many fields and no blank behind the sign.
 * Not doubted are a line that names the columns, and an edge that was taken out: its first end is there without the
 * sign.  Method: the first words of lines that have the form of an edge are kept aside while reading, and looked for
 * among the names of the ends when all edges are there.
 * A file that has nothing else has no edges, and a note says why.
 * Below a header they are rows.  One that cannot be a row is passed over and counted; one that may be no row is asked
 * about. */
#include "core/comm.h"
#include "io/table/columns.h"
#include "io/table/edgelist.h"
#include "io/text/words.h"

#include <stdio.h>
#include <string.h>

static bool begins_so(const char *text, size_t length) { return length > 1 && (*text == '#' || *text == '%'); }

/* --- while reading -------------------------------------------------------------------------------- */

/* The words of a line that has as many fields as edges have, and is not "# words". */
static int words_of(const wfi_edgelist_style *s, const char *p, const char *end, wfi_field word[2]) {
    wfi_record r = wfi_edge_record_at(s, p, end);
    wfi_field f;
    int count = 0, found = 0;
    wfi_edge_parts e;
    if (s->notation) {
        if (!wfi_notation_fields(s->notation, p, end, &e)) return 0;
        if (begins_so(e.source.text, e.source.length)) word[found++] = e.source;
        if (begins_so(e.target.text, e.target.length)) word[found++] = e.target;
        return found;
    }
    for (; wfi_next_field(&r, &f); count++)
        if (count < 2 && !f.quoted && begins_so(f.text, f.length)) word[found++] = f;
    bool fits = s->lists ? count > 0 : count == s->columns;
    return fits && !wfi_is_blank(p[1]) ? found : 0;
}

/* Does one of the fields name a column, the sign of the first left out? */
static bool names_columns(const wfi_edgelist_style *s, const char *p, const char *end) {
    wfi_record r = wfi_edge_record_at(s, p + 1, end);
    wfi_field f;
    while (wfi_next_field(&r, &f))
        if (wfi_is_column_name(f.text, f.length)) return true;
    return false;
}

/* place: of a line that looks like an edge; UINT64_MAX: it does not. */
static weft_status keep_word(wfi_edgelist_job *j, const wfi_field *word, uint64_t place) {
    struct wfi_hash_lines *h = &j->hashes;
    uint32_t number;
    if (!h->words && !(h->words = wfi_names_new(j->ctx))) return WEFT_ENOMEM;
    size_t known = h->words->count;
    weft_status st = wfi_names_number(j->ctx, h->words, word->text, word->length, &number);
    if (!st && WFI_ROOM(j->ctx, h->at, number, h->capacity, 64)) st = WEFT_ENOMEM;
    if (!st && (number == known || place < h->at[number])) h->at[number] = place;
    return st;
}

weft_status wfi_edge_passed_over(wfi_edgelist_job *j, const wfi_text_block *block, const char *p, const char *end) {
    const wfi_edgelist_style *s = &j->style;
    wfi_field word[2];
    int count = words_of(s, p, end, word);
    weft_status st = WEFT_OK;
    j->hashes.total++;
    if (!count) return WEFT_OK;
    uint64_t place = block->offset + (uint64_t)(p - block->text);
    bool edge = s->names && !s->lists && word[0].text == p && !(place < s->data_at && names_columns(s, p, end));
    pthread_mutex_lock(&j->lock);
    for (int i = 0; i < count && !st; i++) st = keep_word(j, &word[i], edge && !i ? place : UINT64_MAX);
    if (!st && edge) j->hashes.first = j->hashes.count++ ? wfi_min_u64(j->hashes.first, place) : place;
    pthread_mutex_unlock(&j->lock);
    return st;
}

/* Fields of the line at p, or -1 if it ends within quotes. */
static int count_fields(const wfi_edgelist_style *s, const char *p, const char *end) {
    wfi_record r = wfi_edge_record_at(s, p, memchr(p, '\n', (size_t)(end - p) + 1));
    wfi_field f;
    int count = 0;
    for (; wfi_next_field(&r, &f); count++)
        if (f.open) return -1;
    return count;
}

weft_status wfi_edge_hash_row(wfi_edge_cursor *c, bool *passed) {
    const wfi_edgelist_style *s = &c->j->style;
    int count = count_fields(s, c->p, c->block->text + c->block->bytes);
    bool spaced = wfi_is_blank(c->p[1]) || c->p[1] == '\n', ends = count > s->source && count > s->target;
    bool by_front = s->source == 0 || s->target == 0, numbers = !s->names || s->doubts;
    *passed = spaced && !ends;
    if (*passed) {
        pthread_mutex_lock(&c->j->lock);
        c->j->hashes.rows++;
        pthread_mutex_unlock(&c->j->lock);
        return WEFT_OK;
    }
    if (ends && count <= s->columns && !(by_front && (spaced || numbers))) return WEFT_OK;
    return wfi_block_error(c->error, c->block, c->p,
                           "a line that begins with %c below the header: a row, or a comment?  `comments=no` if such "
                           "lines are rows, `comments=yes` if they are none",
                           *c->p);
}

/* --- after all edges ------------------------------------------------------------------------------ */

/* The line at `place`, or one whose text has gone by (NULL). */
static weft_status ask(weft_ctx *ctx, const wfi_source *source, const char *text, const char *place, const char *why) {
    static const char flags[] = "`comments=no` if such lines are edges, `comments=yes` if they are none";
    if (!place) return wfi_fail_at(ctx, wfi_source_name(source), 1, 1, "a line begins with %s  %s", why, flags);
    return wfi_fail_in_text(ctx, source, text, place, "this line begins with %s  %s", why, flags);
}

static weft_status ask_of_name(weft_ctx *ctx, const wfi_source *source, const char *text, const char *place,
                               const char *name, size_t length) {
    char why[96];
    snprintf(why, sizeof why, "the name of a vertex, '%.*s': is it an edge?", (int)wfi_min_u64(length, 40), name);
    return ask(ctx, source, text, place, why);
}

static weft_status ask_of_form(weft_ctx *ctx, const wfi_source *source, const char *text, const char *place) {
    return ask(ctx, source, text, place, "# or %, and looks like the edges around it: is it one?");
}

/* The first line that begins with this name, or has it second. */
static weft_status ask_at_line(weft_ctx *ctx, wfi_source *source, const wfi_edgelist_job *j, const char *name,
                               size_t length) {
    const char *text, *place = NULL;
    size_t bytes;
    weft_status st = wfi_text_again(ctx, source, &text, &bytes);
    if (st) return st;
    for (const char *p = text, *end = text + bytes; p && p < end && !place;) {
        const char *line = wfi_skip_blanks(p), *stop = memchr(p, '\n', (size_t)(end - p));
        wfi_field word[2];
        int count = stop && begins_so(line, 2) ? words_of(&j->style, line, stop, word) : 0;
        for (int i = 0; i < count; i++)
            if (word[i].length == length && !memcmp(word[i].text, name, length)) place = line;
        p = stop ? stop + 1 : end;
    }
    return ask_of_name(ctx, source, text, place, name, length);
}

/* Where the name stands among those of the ends; UINT64_MAX: it is none of them. */
static uint64_t rank_among_ends(const wfi_edges *e, const char *name, size_t length) {
    uint32_t number;
    for (size_t t = 0; t < e->name_tables; t++)
        if (e->names[t] && wfi_names_find(e->names[t], name, length, &number)) return (uint64_t)t << 32 | number;
    return UINT64_MAX;
}

/* Ranks that share a file have seen a part of it each: that there are such lines and such names is enough. */
static weft_status ask_together(weft_ctx *ctx, const wfi_source *source, const wfi_edgelist_job *j) {
    const struct wfi_hash_lines *h = &j->hashes;
    const wfi_edges *e = &j->table->edges;
    bool heading = h->count == 1 && h->first == j->style.comment_at;
    uint64_t found[3] = {h->words != NULL, 0, h->count && !heading};
    for (size_t t = 0; t < e->name_tables; t++)
        for (size_t i = 0; e->names[t] && i < e->names[t]->count; i++) {
            const uint64_t *start = &e->names[t]->start[i];
            found[1] |= begins_so(e->names[t]->text + start[0], (size_t)(start[1] - start[0]));
        }
    weft_status st = wfi_allreduce(ctx, found, 3, WFI_MAX);
    if (st) return st;
    if (found[0] && found[1]) return ask_of_name(ctx, source, NULL, NULL, "#", 1);
    return found[2] ? ask_of_form(ctx, source, NULL, NULL) : WEFT_OK;
}

/* The only line that looks like an edge is the last comment above the data, and no word of it but the first is a
 * vertex: it names the columns. */
static bool is_heading(const wfi_source *source, const wfi_edgelist_job *j) {
    size_t bytes;
    uint64_t first = j->hashes.first;
    const char *head = wfi_source_head(source, &bytes);
    if (j->hashes.count != 1 || first != j->style.comment_at || first >= bytes) return false;
    const char *p = head + first, *end = memchr(p, '\n', (size_t)(head + bytes - p));
    wfi_record r = wfi_edge_record_at(&j->style, p, end ? end : head + bytes);
    wfi_field f;
    for (int i = 0; wfi_next_field(&r, &f); i++)
        if (i && rank_among_ends(&j->table->edges, f.text, f.length) != UINT64_MAX) return false;
    return true;
}

static weft_status check_words(weft_ctx *ctx, wfi_source *source, const wfi_edgelist_job *j) {
    const struct wfi_hash_lines *h = &j->hashes;
    const wfi_edges *e = &j->table->edges;
    const char *text, *name = NULL;
    size_t bytes, length = 0;
    uint64_t least = UINT64_MAX, unknown = UINT64_MAX; /* rank; the first line whose first end is new */
    for (size_t i = 0; i < h->words->count; i++) {
        const char *word = h->words->text + h->words->start[i];
        size_t of_word = (size_t)(h->words->start[i + 1] - h->words->start[i]);
        uint64_t rank = rank_among_ends(e, word, of_word);
        if (rank < least) {
            least = rank;
            name = word;
            length = of_word;
        }
        if (h->at[i] < unknown && rank_among_ends(e, word + 1, of_word - 1) == UINT64_MAX) unknown = h->at[i];
    }
    if (name) return ask_at_line(ctx, source, j, name, length);
    bool asked = h->count && unknown != UINT64_MAX && !is_heading(source, j), one = h->count == 1;
    if (h->count && !asked)
        wfi_note(ctx,
                 "%s: passed over %llu line%s with # or %% at the start that look%s like an edge (`comments=no` reads "
                 "%s)",
                 wfi_source_name(source), (wfi_ull)h->count, one ? "" : "s", one ? "s" : "", one ? "it" : "them");
    if (!asked) return WEFT_OK;
    weft_status st = wfi_text_again(ctx, source, &text, &bytes);
    return st ? st : ask_of_form(ctx, source, text, text && unknown < bytes ? text + unknown : NULL);
}

/* No edge, and lines that were taken for comments: these may be what the file is about. */
static weft_status note_nothing_else(weft_ctx *ctx, const wfi_source *source, const wfi_edgelist_job *j) {
    uint64_t sum[2] = {wfi_edges_total(&j->table->edges), j->hashes.total};
    if (wfi_source_sliced(source) && wfi_allreduce(ctx, sum, 2, WFI_SUM)) return WEFT_EIO;
    bool one = sum[1] == 1;
    if (!sum[0] && sum[1] && wfi_rank(ctx) == 0)
        wfi_note(ctx, "%s: %s%llu line%s with # or %% and %s passed over (`comments=no` reads %s)",
                 wfi_source_name(source), one ? "its " : "all ", (wfi_ull)sum[1], one ? " begins" : "s begin",
                 one ? "was" : "were", one ? "it" : "them");
    return WEFT_OK;
}

weft_status wfi_edgelist_check_hashes(weft_ctx *ctx, wfi_source *source, const wfi_edgelist_job *j) {
    bool sliced = wfi_source_sliced(source);
    uint64_t rows = j->hashes.rows;
    if (j->style.asks && note_nothing_else(ctx, source, j)) return WEFT_EIO;
    if (j->style.hash_rows && sliced && wfi_allreduce(ctx, &rows, 1, WFI_SUM)) return WEFT_EIO;
    if (rows && wfi_rank(ctx) == 0)
        wfi_note(ctx, "%s: passed over %llu line%s with # or %% at the start", wfi_source_name(source), (wfi_ull)rows,
                 rows == 1 ? "" : "s");
    if (!j->style.asks || !j->style.names) return WEFT_OK;
    if (sliced) return ask_together(ctx, source, j);
    return j->hashes.words ? check_words(ctx, source, j) : WEFT_OK;
}

weft_status wfi_edgelist_ask_of_hashes(weft_ctx *ctx, const wfi_source *source, const char *text, const char *end) {
    size_t bytes;
    const char *head = wfi_source_head(source, &bytes), *at = text, *line;
    const char *newline = bytes >= WFI_HEAD_BYTES ? memrchr(head, '\n', bytes) : NULL;
    if (newline) end = text + (newline - head); /* the last line may be cut off */
    char separator = wfi_find_separator(text, end, false, true);
    wfi_names *first = wfi_names_new(ctx);
    weft_status st = first ? WEFT_OK : WEFT_ENOMEM;
    while (!st && (line = wfi_next_data_line(&at, end, false))) {
        wfi_record r = wfi_record_at(wfi_skip_blanks(line), end, separator);
        wfi_field f;
        uint32_t number;
        for (int i = 0; !st && wfi_next_field(&r, &f) && i < 3 && begins_so(f.text, f.length) && !f.quoted; i++) {
            size_t known = first->count;
            st = wfi_names_number(ctx, first, f.text, f.length, &number);
            if (!st && number < known && i < 2)
                st = ask_of_name(ctx, source, text, wfi_skip_blanks(text), f.text, f.length);
        }
    }
    wfi_names_free(first);
    return st;
}
