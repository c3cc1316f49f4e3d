/* columns.h: what is told of the columns: a refusal with all of them, the note with those that were chosen. */
#include "io/table/columns.h"
#include "io/table/edge_fields.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN_NAME = 24, SHOWN_COLUMNS = 10 };

static void add_text(char *room, size_t size, const char *text, size_t length) {
    size_t used = strlen(room);
    for (size_t i = 0; i < length && i < SHOWN_NAME && used + 2 < size; i++) {
        unsigned char c = (unsigned char)text[i];
        room[used++] = c < 0x20 || c == 0x7f ? '?' : (char)c;
    }
    room[used] = '\0';
    if (length > SHOWN_NAME && used + 4 < size) strcat(room, "...");
}

/* A column that could be a weight, and is nothing else. */
static bool has_other_weight(const wfi_columns *c) {
    for (int i = 0; i < (int)c->count; i++) {
        bool number = c->column[i].kind != WFI_COLUMN_TEXT && c->column[i].kind != WFI_COLUMN_DIRECTION;
        if (number && i != c->source && i != c->target && i != c->weight) return true;
    }
    return false;
}

/* What to type. */
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
    char list[1024] = "";
    bool named = columns->count && columns->column[0].name;
    for (size_t i = 0; i < columns->count && i < SHOWN_COLUMNS; i++) {
        const wfi_column *c = &columns->column[i];
        char row[128];
        snprintf(row, sizeof row, "%s%zu ", i ? ", " : "", i + 1);
        if (c->name) {
            add_text(row, sizeof row, c->name_length ? c->name : "(no name)", c->name_length ? c->name_length : 9);
            strcat(row, ": ");
        }
        add_text(row, sizeof row, c->sample ? c->sample : "(empty)", c->sample ? c->sample_length : 7);
        strcat(list, row);
    }
    if (columns->count > SHOWN_COLUMNS) strcat(list, ", ...");
    const char *flags = answer(columns, question);
    bool numbers = flags && strstr(flags, "=N");
    return wfi_fail_at(columns->from.ctx, wfi_source_name(columns->from.source), columns->from.line, 1,
                       "%s%s  The columns, with their first values: %s%s%s%s%s%s", reason,
                       reason[strlen(reason) - 1] == '?' ? "" : ".", list, flags ? ".  " : "",
                       numbers ? "Say which they are, by number" : "", numbers ? named ? " or name: " : ": " : "",
                       flags ? flags : "", columns->matrix ? "; if it is a matrix, `format=dense`" : "");
}

/* A column as people know it, copied to *room, which moves on. */
static const char *keep_name(const wfi_columns *c, int i, char **room) {
    const wfi_column *column = &c->column[i];
    char *start = *room;
    if (column->name) {
        memcpy(start, column->name, column->name_length);
        start[column->name_length] = '\0';
    } else {
        sprintf(start, "%d", i + 1);
    }
    *room = start + strlen(start) + 1;
    return start;
}

static wfi_table_columns *keep(const wfi_columns *c) {
    size_t bytes = sizeof(wfi_table_columns) + c->count * sizeof(char *);
    for (size_t i = 0; i < c->count; i++) bytes += (c->column[i].name ? c->column[i].name_length : 11) + 1;
    wfi_table_columns *kept = wfi_take(c->from.ctx, bytes, 1);
    if (!kept) return NULL;
    char *room = (char *)&kept->passed_over[c->count];
    *kept = (wfi_table_columns){0};
    for (int i = 0; i < (int)c->count; i++) {
        const char *name = keep_name(c, i, &room);
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
    char text[2048] = "";
    add_text(text, sizeof text, kept->source, strlen(kept->source));
    strcat(text, " \u2192 ");
    add_text(text, sizeof text, kept->target, strlen(kept->target));
    if (kept->weight) {
        strcat(text, ", ");
        add_text(text, sizeof text, kept->weight, strlen(kept->weight));
    }
    if (c->direction >= 0) strcat(text, ", direction by type");
    for (size_t i = 0, shown = 0; i < c->count && shown <= SHOWN_COLUMNS; i++) {
        if (!wfi_edge_fields_keep(c->fields, (int)i)) continue;
        strcat(text, shown++ ? ", " : "; kept: ");
        if (shown > SHOWN_COLUMNS)
            strcat(text, "...");
        else if (c->column[i].name)
            add_text(text, sizeof text, c->column[i].name, c->column[i].name_length);
        else
            sprintf(text + strlen(text), "%zu", i + 1);
    }
    for (size_t i = 0; i < kept->passed_over_count && i < SHOWN_COLUMNS; i++) {
        const char *name = *kept->passed_over[i] ? kept->passed_over[i] : "(no name)";
        strcat(text, i ? ", " : "; passed over: ");
        add_text(text, sizeof text, name, strlen(name));
    }
    if (kept->passed_over_count > SHOWN_COLUMNS) strcat(text, ", ...");
    if (c->measure >= 0) {
        const wfi_column *measure = &c->column[c->measure];
        strcat(text, "; is ");
        add_text(text, sizeof text, measure->name, measure->name_length);
        strcat(text, " the weight? `weight_col=");
        add_text(text, sizeof text, measure->name, measure->name_length);
        strcat(text, "`");
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
