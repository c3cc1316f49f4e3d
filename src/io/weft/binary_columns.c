/* Columns of a .weft file: a directory of entries, the values of all columns, and a pool of texts
 * (docs/formats/weft.md).  Entries are checked when the file is opened, since they locate the values; the values when
 * it is verified. */
#include "attributes/attributes.h"
#include "graph/edges.h"
#include "io/weft/binary.h"

#include <inttypes.h>
#include <string.h>

enum { POLL = 1 << 16 };

static weft_status wrong(weft_ctx *ctx, const wfi_weft_file *file, wfi_weft_kind kind, const char *rule) {
    return wfi_fail(ctx, WEFT_EINPUT, "%s: wrong section \"%s\": %s", file->name, wfi_weft_kind_name((uint32_t)kind),
                    rule);
}

/* --- opening ------------------------------------------------------------------------------------ */

/* Counts the columns of vertices, then those of edges. */
static void count_columns(wfi_vertex_data *c, size_t all, const wfi_weft_header *h) {
    c->rows = (weft_vid)h->vertices;
    c->arcs = h->arcs;
    for (c->count = 0; c->count < all && c->entries[c->count].owner != WFI_OF_ARCS; c->count++) continue;
    c->edge_count = all - c->count;
}

static weft_status check_sizes(weft_ctx *ctx, const wfi_weft_file *file, wfi_vertex_data *c) {
    uint64_t entries = wfi_weft_bytes_of(&file->page, WFI_COLUMN_ENTRIES),
             starts = wfi_weft_bytes_of(&file->page, WFI_TEXT_STARTS), text = wfi_weft_bytes_of(&file->page, WFI_TEXTS);
    if (!entries || entries % sizeof *c->entries)
        return wrong(ctx, file, WFI_COLUMN_ENTRIES, "it has 32 bytes for each of one or more columns");
    if (starts < 2 * sizeof *c->starts || starts % sizeof *c->starts)
        return wrong(ctx, file, WFI_TEXT_STARTS, "it has 8 bytes for each text, and 8 more");
    count_columns(c, (size_t)(entries / sizeof *c->entries), &file->page.header);
    c->value_bytes = wfi_weft_bytes_of(&file->page, WFI_COLUMN_VALUES);
    c->texts = starts / sizeof *c->starts - 1;
    if (c->starts[0] || c->starts[c->texts] != text)
        return wfi_fail(ctx, WEFT_EINPUT, "%s: damaged: section \"%s\" does not begin at 0 and end at %" PRIu64,
                        file->name, wfi_weft_kind_name(WFI_TEXT_STARTS), text);
    return WEFT_OK;
}

static bool name_is_sound(const wfi_vertex_data *c, uint32_t name) {
    if (name >= c->texts) return false;
    uint64_t from = c->starts[name], to = c->starts[name + 1];
    return from < to && to <= c->starts[c->texts] && to - from <= WFI_COLUMN_NAME_MOST &&
           !memchr(c->text + from, '\0', (size_t)(to - from));
}

static weft_status check_entry(weft_ctx *ctx, const wfi_weft_file *file, const wfi_vertex_data *c, size_t i,
                               uint64_t *end) {
    const wfi_column_entry *e = &c->entries[i];
    uint64_t at, rows = wfi_column_rows(c, i);
    if (!name_is_sound(c, e->name))
        return wrong(ctx, file, WFI_COLUMN_ENTRIES, "names are texts of 1 to 65535 bytes without NUL");
    if (i >= c->count && e->owner == WFI_OF_VERTICES)
        return wrong(ctx, file, WFI_COLUMN_ENTRIES, "columns of vertices come before those of edges");
    if (e->owner > WFI_OF_ARCS || !wfi_attribute_bytes(e->type) || e->form > WEFT_TIME_UTC ||
        (e->form && e->type != WEFT_ATTRIBUTE_TIME))
        return wrong(ctx, file, WFI_COLUMN_ENTRIES, "a column is of vertices or edges, and of one of five types");
    if (e->missing > rows) return wrong(ctx, file, WFI_COLUMN_ENTRIES, "more values are missing than there can be");
    if (!wfi_vertex_data_lay_out(rows, e->type, e->missing, &at, end) || at != e->at || *end > c->value_bytes)
        return wrong(ctx, file, WFI_COLUMN_ENTRIES, "columns follow one another within \"column values\"");
    return WEFT_OK;
}

static weft_status check_distinct(weft_ctx *ctx, const wfi_weft_file *file, const wfi_vertex_data *c) {
    wfi_names *names = wfi_names_new(ctx);
    weft_status st = names ? WEFT_OK : WEFT_ENOMEM;
    for (size_t i = 0; i < c->count + c->edge_count && !st; i++) {
        uint32_t number;
        if (i == c->count) wfi_names_cut(names, 0);
        st = wfi_names_number(ctx, names, c->names[i], strlen(c->names[i]), &number);
        if (!st && number != (i < c->count ? i : i - c->count))
            st = wrong(ctx, file, WFI_COLUMN_ENTRIES, "two columns have the same name");
    }
    wfi_names_free(names);
    return st;
}

weft_status wfi_weft_open_columns(weft_ctx *ctx, const wfi_weft_file *file, wfi_vertex_data *c) {
    uint64_t end = 0;
    weft_status st = check_sizes(ctx, file, c);
    for (size_t i = 0; i < c->count + c->edge_count && !st; i++) st = check_entry(ctx, file, c, i, &end);
    if (!st && end != c->value_bytes)
        st = wrong(ctx, file, WFI_COLUMN_VALUES, "it ends with the last value of the last column");
    if (!st) st = wfi_vertex_data_name(ctx, c);
    return st ? st : check_distinct(ctx, file, c);
}

/* --- verifying ------------------------------------------------------------------------------------ */

static bool is_zero(const char *value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (value[i]) return false;
    return true;
}

/* The rule that the value of row v breaks, or NULL. */
static const char *fault_of(const wfi_vertex_data *c, const wfi_column_entry *e, bool there, uint64_t v) {
    size_t each = wfi_attribute_bytes(e->type);
    const char *value = c->values + e->at + v * each;
    if (!there) return is_zero(value, each) ? NULL : "a value that is missing is zero";
    if (e->type == WEFT_ATTRIBUTE_BOOL && (uint8_t)*value > 1) return "a truth value is 0 or 1";
    uint32_t text;
    if (e->type != WEFT_ATTRIBUTE_TEXT) return NULL;
    memcpy(&text, value, sizeof text);
    return text < c->texts ? NULL : "a text is one of those that are stored";
}

static weft_status check_values(weft_ctx *ctx, const wfi_weft_file *file, const wfi_vertex_data *c, size_t i) {
    const wfi_column_entry *e = &c->entries[i];
    const uint8_t *valid = wfi_column_valid(c, i);
    uint64_t missing = 0, rows = wfi_column_rows(c, i);
    for (uint64_t v = 0; v < rows; v++) {
        if (v % POLL == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        bool there = wfi_has_bit(valid, v);
        missing += !there;
        const char *fault = fault_of(c, e, there, v);
        if (fault)
            return wfi_fail(ctx, WEFT_EINPUT, "%s: wrong at %s %" PRIu64 " of section \"column values\": %s",
                            file->name, i < c->count ? "vertex" : "arc", v, fault);
    }
    if (valid && rows % 8 && valid[rows / 8] >> rows % 8)
        return wrong(ctx, file, WFI_COLUMN_VALUES, "bits beyond the last row are zero");
    return missing == e->missing
               ? WEFT_OK
               : wrong(ctx, file, WFI_COLUMN_VALUES, "as many values are missing as their column says");
}

weft_status wfi_weft_verify_columns(weft_ctx *ctx, const wfi_weft_file *file) {
    if (!file->data[WFI_COLUMN_ENTRIES]) return WEFT_OK;
    const uint64_t entries = wfi_weft_bytes_of(&file->page, WFI_COLUMN_ENTRIES),
                   starts = wfi_weft_bytes_of(&file->page, WFI_TEXT_STARTS);
    wfi_vertex_data c = {.entries = file->data[WFI_COLUMN_ENTRIES],
                         .values = file->data[WFI_COLUMN_VALUES],
                         .texts = starts / sizeof(uint64_t) - 1,
                         .starts = file->data[WFI_TEXT_STARTS]};
    count_columns(&c, (size_t)(entries / sizeof(wfi_column_entry)), &file->page.header);
    for (uint64_t t = 0; t < c.texts; t++) {
        if (t % POLL == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        if (c.starts[t] > c.starts[t + 1] || c.starts[t + 1] > c.starts[c.texts])
            return wrong(ctx, file, WFI_TEXT_STARTS, "texts must follow one another");
    }
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < c.count + c.edge_count && !st; i++) st = check_values(ctx, file, &c, i);
    return st;
}
