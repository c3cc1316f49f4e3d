/* Lines that begin with # or %.
 * In a list without a header they are comments, unless the word at their front is the name of a vertex.  That is so if
 * an edge elsewhere has an end of this name; then it is asked, since an edge would be lost, or a comment become one.
 * It is asked as well of a line that looks like the edges around it, with as many fields and no blank behind the sign.
 * Not doubted are a line that names the columns, and an edge that was taken out: its first end is there without the
 * sign.  Method: the first words of lines that have the form of an edge are kept aside while reading; names are held
 * against them at the end.
 * A file that has nothing else has no edges, and a note says why.
 * Below a header they are rows.  One that cannot be a row is passed over and counted; one that may be no row is asked
 * about. */
#include "core/comm.h"
#include "io/table/columns.h"
#include "io/table/edgelist.h"
#include "io/text/words.h"

#include <string.h>

static bool begins_so(const char *text, size_t length) { return length > 1 && (*text == '#' || *text == '%'); }

/* The words of a line that has as many fields as edges have, and is not "# words". */
static int words_of(const wfi_edgelist_style *s, const char *p, const char *end, wfi_field word[2]) {
    wfi_record r = wfi_edge_record_at(s, p, end);
    int count = 0, found = 0;
    if (s->notation) {
        wfi_edge_parts e;
        if (!wfi_notation_fields(s->notation, p, end, &e)) return 0;
        if (begins_so(e.source.text, e.source.length)) word[found++] = e.source;
        if (begins_so(e.target.text, e.target.length)) word[found++] = e.target;
        return found;
    }
    for (wfi_field f; wfi_next_field(&r, &f); count++)
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

/* The line at p looks like an edge. */
static weft_status keep_front(wfi_edgelist_job *j, uint64_t place, const wfi_field *word) {
    struct wfi_hash_lines *h = &j->hashes;
    uint32_t number;
    if (!h->front && !(h->front = wfi_names_new(j->ctx))) return WEFT_ENOMEM;
    size_t known = h->front->count;
    weft_status st = wfi_names_number(j->ctx, h->front, word->text + 1, word->length - 1, &number);
    if (!st && WFI_ROOM(j->ctx, h->at, number, h->room, 64)) st = WEFT_ENOMEM;
    if (st) return st;
    if (number == known || place < h->at[number]) h->at[number] = place;
    h->count++;
    return WEFT_OK;
}

weft_status wfi_edge_passed_over(wfi_edgelist_job *j, const wfi_text_block *block, const char *p, const char *end) {
    const wfi_edgelist_style *s = &j->style;
    wfi_field word[2];
    uint32_t number;
    int count = words_of(s, p, end, word);
    weft_status st = WEFT_OK;
    __atomic_fetch_add(&j->hashes.passed, 1, __ATOMIC_RELAXED);
    if (!count) return WEFT_OK;
    uint64_t place = block->offset + (uint64_t)(p - block->text);
    bool doubted = s->names && !s->lists && word[0].text == p && !(place < s->data_at && names_columns(s, p, end));
    pthread_mutex_lock(&j->lock);
    if (!j->passed) j->passed = wfi_names_new(j->ctx);
    if (!j->passed) st = WEFT_ENOMEM;
    for (int i = 0; i < count && !st; i++)
        st = wfi_names_number(j->ctx, j->passed, word[i].text, word[i].length, &number);
    if (!st && doubted) st = keep_front(j, place, &word[0]);
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

static weft_status ask(weft_ctx *ctx, const wfi_source *source, const char *text, const char *place, const char *name,
                       size_t length) {
    const char *shown = text ? "this line begins with the name of a vertex" : "a line begins with the name of a vertex";
    int room = (int)wfi_min_u64(length, 40);
    if (!text)
        return wfi_fail_at(
            ctx, wfi_source_name(source), 1, 1,
            "%s, '%.*s': is it an edge?  `comments=no` if such lines are edges, `comments=yes` if they are none", shown,
            room, name);
    return wfi_fail_in_text(
        ctx, source, text, place,
        "%s, '%.*s': is it an edge?  `comments=no` if such lines are edges, `comments=yes` if they are none", shown,
        room, name);
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
    return ask(ctx, source, place ? text : NULL, place, name, length);
}

/* A line that looks like the edges around it; place: NULL where the text has gone by. */
static weft_status ask_of_form(weft_ctx *ctx, const wfi_source *source, const char *text, const char *place) {
    static const char question[] =
        "begins with # or %, and looks like the edges around it: is it one?  `comments=no` if such lines are edges, "
        "`comments=yes` if they are none";
    if (!place) return wfi_fail_at(ctx, wfi_source_name(source), 1, 1, "a line %s", question);
    return wfi_fail_in_text(ctx, source, text, place, "this line %s", question);
}

/* Ranks that share a file have seen a part of it each: that there are such lines and such names is enough. */
static weft_status ask_together(weft_ctx *ctx, const wfi_source *source, const wfi_edgelist_job *j, bool names) {
    const struct wfi_hash_lines *h = &j->hashes;
    bool heading = h->count == 1 && h->at[0] == j->style.comment_at;
    uint64_t found[3] = {j->passed != NULL, names, h->count && !heading};
    weft_status st = wfi_allreduce(ctx, found, 3, WFI_MAX);
    if (st) return st;
    if (found[0] && found[1]) return ask(ctx, source, NULL, NULL, "#", 1);
    return found[2] ? ask_of_form(ctx, source, NULL, NULL) : WEFT_OK;
}

/* Calls `see` with each name of an end; stops when it is true. */
static bool any_end(const wfi_edges *e, bool (*see)(void *user, const char *name, size_t length), void *user) {
    for (size_t t = 0; t < e->name_tables; t++) {
        const wfi_names *names = e->names[t];
        for (size_t i = 0; names && i < names->count; i++)
            if (see(user, names->text + names->start[i], (size_t)(names->start[i + 1] - names->start[i]))) return true;
    }
    return false;
}

static bool is_this(void *user, const char *name, size_t length) {
    const wfi_field *f = user;
    return f->length == length && !memcmp(f->text, name, length);
}

/* The only such line is the last comment above the data, and no word of it but the first is a vertex: it names the
 * columns. */
static bool is_heading(const wfi_source *source, const wfi_edgelist_job *j) {
    size_t bytes;
    const char *head = wfi_source_head(source, &bytes);
    if (j->hashes.count != 1 || j->hashes.at[0] != j->style.comment_at || j->style.comment_at >= bytes) return false;
    const char *p = head + j->style.comment_at;
    const char *end = memchr(p, '\n', (size_t)(head + bytes - p));
    wfi_record r = wfi_edge_record_at(&j->style, p, end ? end : head + bytes);
    wfi_field f;
    for (int i = 0; wfi_next_field(&r, &f); i++)
        if (i && any_end(&j->table->edges, is_this, &f)) return false;
    return true;
}

typedef struct marking {
    weft_ctx *ctx;
    wfi_names *front;
    size_t count;
    bool *seen;
    weft_status st;
} marking;

static bool mark(void *user, const char *name, size_t length) {
    marking *m = user;
    uint32_t number = 0;
    m->st = wfi_names_number(m->ctx, m->front, name, length, &number);
    wfi_names_cut(m->front, m->count);
    if (!m->st && number < m->count) m->seen[number] = true;
    return m->st;
}

static weft_status note_hashes(weft_ctx *ctx, const wfi_source *source, uint64_t count) {
    wfi_note(ctx,
             "%s: passed over %llu line%s with # or %% at the start that look%s like an edge (`comments=no` reads %s)",
             wfi_source_name(source), (wfi_ull)count, count == 1 ? "" : "s", count == 1 ? "s" : "",
             count == 1 ? "it" : "them");
    return WEFT_OK;
}

/* Lines that look like edges, and are no edges that were taken out. */
static weft_status settle_fronts(weft_ctx *ctx, wfi_source *source, const wfi_edgelist_job *j) {
    const struct wfi_hash_lines *h = &j->hashes;
    const char *text;
    size_t bytes;
    uint64_t first = UINT64_MAX;
    if (!h->count) return WEFT_OK;
    if (is_heading(source, j)) return note_hashes(ctx, source, 1);
    marking m = {.ctx = ctx, .front = h->front, .count = h->front->count};
    if (wfi_alloc_zeroed(ctx, &m.seen, m.count)) return WEFT_ENOMEM;
    any_end(&j->table->edges, mark, &m);
    for (size_t i = 0; i < m.count; i++)
        if (!m.seen[i] && h->at[i] < first) first = h->at[i];
    wfi_free(m.seen);
    if (m.st || first == UINT64_MAX) return m.st ? m.st : note_hashes(ctx, source, h->count);
    weft_status st = wfi_text_again(ctx, source, &text, &bytes);
    return st ? st : ask_of_form(ctx, source, text, text && first < bytes ? text + first : NULL);
}

static weft_status settle_names(weft_ctx *ctx, wfi_source *source, const wfi_edgelist_job *j) {
    const wfi_edges *e = &j->table->edges;
    bool sliced = wfi_source_sliced(source), any = false;
    for (size_t t = 0; t < e->name_tables; t++) {
        const wfi_names *names = e->names[t];
        for (size_t i = 0; names && i < names->count; i++) {
            const char *name = names->text + names->start[i];
            size_t length = (size_t)(names->start[i + 1] - names->start[i]), known = sliced ? 0 : j->passed->count;
            uint32_t number = 0;
            if (!begins_so(name, length)) continue;
            any = true;
            if (sliced) continue;
            weft_status st = wfi_names_number(ctx, j->passed, name, length, &number);
            if (st) return st;
            wfi_names_cut(j->passed, known);
            if (number < known) return ask_at_line(ctx, source, j, name, length);
        }
    }
    return sliced ? ask_together(ctx, source, j, any) : settle_fronts(ctx, source, j);
}

/* No edge, and lines that were taken for comments: these may be what the file is about. */
static weft_status note_nothing_else(weft_ctx *ctx, const wfi_source *source, const wfi_edgelist_job *j) {
    uint64_t sum[2] = {wfi_edges_total(&j->table->edges), j->hashes.passed};
    if (wfi_source_sliced(source) && wfi_allreduce(ctx, sum, 2, WFI_SUM)) return WEFT_EIO;
    bool one = sum[1] == 1;
    if (!sum[0] && sum[1] && wfi_rank(ctx) == 0)
        wfi_note(ctx, "%s: %s%llu line%s with # or %% and %s passed over (`comments=no` reads %s)",
                 wfi_source_name(source), one ? "its " : "all ", (wfi_ull)sum[1], one ? " begins" : "s begin",
                 one ? "was" : "were", one ? "it" : "them");
    return WEFT_OK;
}

weft_status wfi_edgelist_settle_hashes(weft_ctx *ctx, wfi_source *source, const wfi_edgelist_job *j) {
    bool sliced = wfi_source_sliced(source);
    uint64_t rows = j->hashes.rows;
    if (j->style.asks && note_nothing_else(ctx, source, j)) return WEFT_EIO;
    if (j->style.hash_rows && sliced && wfi_allreduce(ctx, &rows, 1, WFI_SUM)) return WEFT_EIO;
    if (rows && wfi_rank(ctx) == 0)
        wfi_note(ctx, "%s: passed over %llu line%s with # or %% at the start", wfi_source_name(source), (wfi_ull)rows,
                 rows == 1 ? "" : "s");
    return j->style.asks && j->style.names && (j->passed || sliced) ? settle_names(ctx, source, j) : WEFT_OK;
}

weft_status wfi_edgelist_ask_of_hashes(weft_ctx *ctx, const wfi_source *source, const char *text, const char *end) {
    size_t bytes;
    const char *head = wfi_source_head(source, &bytes), *at = text, *line;
    const char *newline = bytes >= WFI_HEAD_BYTES ? memrchr(head, '\n', bytes) : NULL;
    if (newline) end = text + (newline - head); /* the last line may be cut off */
    wfi_edgelist_style s = {.separator = wfi_find_separator(text, end, false, true), .columns = 2};
    wfi_names *first = wfi_names_new(ctx);
    weft_status st = first ? WEFT_OK : WEFT_ENOMEM;
    while (!st && (line = wfi_next_data_line(&at, end, false))) {
        wfi_record r = wfi_record_at(wfi_skip_blanks(line), end, s.separator);
        wfi_field f;
        uint32_t number;
        for (int i = 0; !st && wfi_next_field(&r, &f) && i < 3; i++) {
            if (!begins_so(f.text, f.length) || f.quoted) break;
            size_t known = first->count;
            st = wfi_names_number(ctx, first, f.text, f.length, &number);
            if (!st && number < known && i < 2) st = ask(ctx, source, text, wfi_skip_blanks(text), f.text, f.length);
        }
    }
    wfi_names_free(first);
    return st;
}
