/* See columns.h: messages on the columns: a refusal that lists all, and the note with the chosen ones. */
#include "io/table/columns.h"
#include "io/table/edge_fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_NAME = 24, SHOWN_COLUMNS = 10, SENTENCE = 2048 };

/* A name or a value as messages show it. */
typedef struct shown {
    char text[SHOWN_NAME + 4];
} shown;

static shown show(const char *text, size_t length) {
    shown s = {""};
    for (size_t i = 0; i < length && i < SHOWN_NAME; i++) {
        unsigned char c = (unsigned char)text[i];
        s.text[i] = c < 0x20 || c == 0x7f ? '?' : (char)c;
    }
    if (length > SHOWN_NAME) strcat(s.text, "...");
    return s;
}

static shown show_name(const char *name, size_t length) { return length ? show(name, length) : show("(no name)", 9); }

/* Appends. */
__attribute__((format(printf, 2, 3))) static void add(char sentence[SENTENCE], const char *format, ...) {
    size_t used = strlen(sentence);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence + used, SENTENCE - used, format, arguments);
    va_end(arguments);
}

/* A column that could be a weight, and is nothing else. */
static bool has_other_weight(const wfi_columns *c) {
    for (int i = 0; i < (int)c->count; i++) {
        bool number = c->column[i].kind != WFI_COLUMN_TEXT && c->column[i].kind != WFI_COLUMN_DIRECTION;
        if (number && i != c->source && i != c->target && i != c->weight) return true;
    }
    return false;
}

/* The flags that answer the question. */
static const char *answer(const wfi_columns *c, wfi_columns_question question) {
    switch (question) {
    case WFI_ASK_NOTHING: break;
    case WFI_ASK_ENDS:
        return c->count > 2 ? "`source_col=N` `target_col=N`, and `weight_col=N` for weights"
                            : "`source_col=N` `target_col=N`";
    case WFI_ASK_WEIGHT:
        return has_other_weight(c) ? "`weight_col=N` or `weights=ignore`" : "`weights=ignore` does without";
    }
    return NULL;
}

weft_status wfi_columns_refuse(const wfi_columns *columns, wfi_columns_question question, const char *reason) {
    char list[SENTENCE] = "";
    bool named = columns->count && columns->column[0].name;
    for (size_t i = 0; i < columns->count && i < SHOWN_COLUMNS; i++) {
        const wfi_column *c = &columns->column[i];
        add(list, "%s%zu ", i ? ", " : "", i + 1);
        if (c->name) add(list, "%s: ", show_name(c->name, c->name_length).text);
        add(list, "%s", c->sample ? show(c->sample, c->sample_length).text : "(empty)");
    }
    if (columns->count > SHOWN_COLUMNS) add(list, ", ...");
    const char *flags = answer(columns, question);
    bool numbers = flags && strstr(flags, "=N");
    return wfi_fail_at(columns->from.ctx, wfi_source_name(columns->from.source), columns->from.line, 1,
                       "%s%s  The columns, with their first values: %s%s%s%s%s%s", reason,
                       reason[strlen(reason) - 1] == '?' ? "" : ".", list, flags ? ".  " : "",
                       numbers ? "Say which they are, by number" : "", numbers ? named ? " or name: " : ": " : "",
                       flags ? flags : "", columns->matrix ? "; if it is a matrix, `format=dense`" : "");
}

/* A column as people know it, copied to *to, which moves on. */
static const char *keep_name(const wfi_columns *c, int i, char **to) {
    const wfi_column *column = &c->column[i];
    char *start = *to;
    if (column->name) {
        memcpy(start, column->name, column->name_length);
        start[column->name_length] = '\0';
    } else {
        sprintf(start, "%d", i + 1);
    }
    *to = start + strlen(start) + 1;
    return start;
}

static wfi_table_columns *keep(const wfi_columns *c) {
    size_t bytes = sizeof(wfi_table_columns) + c->count * sizeof(char *);
    for (size_t i = 0; i < c->count; i++) bytes += (c->column[i].name ? c->column[i].name_length : 11) + 1;
    wfi_table_columns *kept = wfi_take(c->from.ctx, bytes, 1);
    if (!kept) return NULL;
    char *names = (char *)&kept->passed_over[c->count];
    *kept = (wfi_table_columns){0};
    for (int i = 0; i < (int)c->count; i++) {
        const char *name = keep_name(c, i, &names);
        if (i == c->source)
            kept->source = name;
        else if (i == c->target)
            kept->target = name;
        else if (i == c->weight)
            kept->weight = name;
        else if (i != c->direction && !wfi_edge_fields_keep(c->fields, i))
            kept->passed_over[kept->passed_over_count++] = name;
    }
    return kept;
}

static void note(const wfi_columns *c, const wfi_table_columns *kept) {
    char text[SENTENCE] = "";
    add(text, "%s \u2192 ", show(kept->source, strlen(kept->source)).text);
    add(text, "%s", show(kept->target, strlen(kept->target)).text);
    if (kept->weight) add(text, ", %s", show(kept->weight, strlen(kept->weight)).text);
    if (c->direction >= 0) add(text, ", direction by type");
    for (size_t i = 0, told = 0; i < c->count && told <= SHOWN_COLUMNS; i++) {
        const wfi_column *column = &c->column[i];
        if (!wfi_edge_fields_keep(c->fields, (int)i)) continue;
        add(text, told++ ? ", " : "; kept: ");
        if (told > SHOWN_COLUMNS)
            add(text, "...");
        else if (column->name)
            add(text, "%s", show(column->name, column->name_length).text);
        else
            add(text, "%zu", i + 1);
    }
    for (size_t i = 0; i < kept->passed_over_count && i < SHOWN_COLUMNS; i++)
        add(text, "%s%s",
            i ? ", " : "; passed over: ", show_name(kept->passed_over[i], strlen(kept->passed_over[i])).text);
    if (kept->passed_over_count > SHOWN_COLUMNS) add(text, ", ...");
    if (c->measure >= 0) {
        shown measure = show(c->column[c->measure].name, c->column[c->measure].name_length);
        add(text, "; is %s the weight? `weight_col=%s`", measure.text, measure.text);
    }
    wfi_note(c->from.ctx, "%s: columns: %s", wfi_source_name(c->from.source), text);
}

weft_status wfi_columns_say(const wfi_columns *c, bool aloud, wfi_table_columns **kept) {
    *kept = keep(c);
    if (!*kept) return WEFT_ENOMEM;
    bool plain = !c->column[0].name && !(*kept)->passed_over_count && c->source == 0 && c->target == 1;
    if (aloud && !plain) note(c, *kept);
    return WEFT_OK;
}
