/* Lines of a list without a header that begin with # or %: comments, unless the word at their front is the name of a
 * vertex.  That is so if an edge elsewhere has an end of this name; then it is asked, since an edge would be lost, or a
 * comment become one.  Method: the first words of lines that have the form of an edge are kept aside while reading;
 * names are held against them at the end. */
#include "core/comm.h"
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

weft_status wfi_edge_passed_over(wfi_edgelist_job *j, const char *p, const char *end) {
    wfi_field word[2];
    uint32_t number;
    int count = words_of(&j->style, p, end, word);
    weft_status st = WEFT_OK;
    if (!count) return WEFT_OK;
    pthread_mutex_lock(&j->lock);
    if (!j->passed) j->passed = wfi_names_new(j->ctx);
    if (!j->passed) st = WEFT_ENOMEM;
    for (int i = 0; i < count && !st; i++)
        st = wfi_names_number(j->ctx, j->passed, word[i].text, word[i].length, &number);
    pthread_mutex_unlock(&j->lock);
    return st;
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

/* Ranks that share a file have seen a part of it each: that there are such lines and such names is enough. */
static weft_status ask_together(weft_ctx *ctx, const wfi_source *source, bool lines, bool names) {
    uint64_t found[2] = {lines, names};
    weft_status st = wfi_allreduce(ctx, found, 2, WFI_MAX);
    return st || !found[0] || !found[1] ? st : ask(ctx, source, NULL, NULL, "#", 1);
}

weft_status wfi_edgelist_settle_hashes(weft_ctx *ctx, wfi_source *source, const wfi_edgelist_job *j) {
    const wfi_edges *e = &j->table->edges;
    bool sliced = wfi_source_sliced(source), any = false;
    if (!j->style.asks || !j->style.names || (!j->passed && !sliced)) return WEFT_OK;
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
    return sliced ? ask_together(ctx, source, j->passed != NULL, any) : WEFT_OK;
}

weft_status wfi_edgelist_ask_of_hashes(weft_ctx *ctx, const wfi_source *source, const char *text, const char *end) {
    const char *at = text, *line;
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
