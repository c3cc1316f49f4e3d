/* Arrow IPC: files (Feather of version 2 is the same) and streams of tables of edges.
 * Needs: the file in one piece (mapped, or in memory when it comes packed or by a pipe).  Only the buffers of the
 * chosen columns are looked at.
 * Method: batches are read in parallel, each by one thread.  A text of a dictionary goes through the table of names of
 * a thread when the first of its rows has it: once, and never for those that no row has. */
#include "io/columnar/arrow.h"
#include "io/io.h"

#include <string.h>

/* What a thread knows of the texts of a dictionary. */
typedef struct known {
    int64_t *cell;
    bool *is_known;
} known;

typedef struct reader {
    wfi_arrow_file file;
    wfi_typed table;
    wfi_arrow_values *values; /* WFI_ROLES for each thread */
    known *dictionaries;      /* for each dictionary, of each role, of each thread */
    int threads;
} reader;

static bool is_text(const wfi_arrow_type *t) { return t->layout == WFI_ARROW_TEXTS || t->layout == WFI_ARROW_VIEWS; }

/* --- first values ----------------------------------------------------------------------------- */

static weft_status first_value(reader *r, size_t column, wfi_arrow_values *v, char text[WFI_SAMPLE], wfi_fault *fault) {
    const wfi_arrow_file *f = &r->file;
    const wfi_arrow_column *c = &f->stored[column];
    const char *value;
    size_t length, batch = 0;
    wfi_cell cell;
    while (batch < f->batch_count && !f->batches[batch].rows) batch++;
    if (batch == f->batch_count) return WEFT_OK;
    weft_status st = wfi_arrow_values_open(v, f, &f->batches[batch].message, false, column, fault);
    if (st || wfi_arrow_is_null(v, 0)) return st;
    if (is_text(&v->type)) {
        if (wfi_arrow_text(v, 0, &value, &length)) wfi_show_text(text, value, length);
        return WEFT_OK;
    }
    wfi_arrow_numbers(v, 0, 1, &cell);
    if (!c->has_dictionary) {
        wfi_show_cell(text, c->type.kind, cell);
        return WEFT_OK;
    }
    const wfi_arrow_dictionary *d = &f->dictionaries[f->batches[batch].dictionary[WFI_ROLE_SOURCE]];
    if ((uint64_t)cell.i >= d->count) return WEFT_OK;
    if (d->texts && d->texts[cell.i].at) wfi_show_text(text, (const char *)d->texts[cell.i].at, d->texts[cell.i].bytes);
    if (d->cells && !d->null[cell.i]) wfi_show_cell(text, c->type.kind, d->cells[cell.i]);
    return WEFT_OK;
}

static weft_status sample(void *user, size_t column, char text[WFI_SAMPLE]) {
    reader *r = user;
    wfi_fault fault;
    wfi_arrow_values v = {0};
    const int of[WFI_ROLES] = {(int)column, -1, -1, -1};
    if (r->file.columns[column].type >= WFI_TYPE_TIME) return WEFT_OK;
    weft_status st = wfi_arrow_find_batches(&r->file, of, &fault);
    if (!st) st = first_value(r, column, &v, text, &fault);
    wfi_arrow_values_close(&v);
    wfi_arrow_forget_batches(&r->file);
    return st == WEFT_ENOMEM || st == WEFT_ECANCELLED ? st : WEFT_OK;
}

/* --- batches ------------------------------------------------------------------------------------ */

static weft_status texts(wfi_fill *f, wfi_role role, const wfi_arrow_values *v, const wfi_arrow_batch *b, uint64_t from,
                         size_t rows) {
    for (size_t i = 0; i < rows; i++) {
        const char *text;
        size_t length;
        uint64_t row = b->first_row + from + i;
        if (!wfi_arrow_text(v, from + i, &text, &length))
            return wfi_fill_fault(f, role, row, "lies outside of its batch");
        weft_status st = f->texts[role]->cell(f->texts[role], row, text, length, &f->cell[role][i].i);
        if (st) return st;
    }
    return WEFT_OK;
}

static weft_status know_dictionary(weft_ctx *ctx, known *k, const wfi_arrow_dictionary *d) {
    if (k->cell) return WEFT_OK;
    if (wfi_alloc(ctx, &k->cell, d->count + 1)) return WEFT_ENOMEM;
    return wfi_alloc_zeroed(ctx, &k->is_known, d->count + 1);
}

static weft_status fail_null(wfi_fill *f, wfi_role role, uint64_t row) {
    return wfi_fill_fault(f, role, row, "is null: remove such rows, or fill them in");
}

/* Cells that are numbers in a dictionary become its values. */
static weft_status look_up(reader *r, wfi_fill *f, wfi_role role, const wfi_arrow_batch *b, uint64_t from,
                           size_t rows) {
    size_t number = b->dictionary[role];
    const wfi_arrow_dictionary *d = &r->file.dictionaries[number];
    known *k = &r->dictionaries[((size_t)f->thread * WFI_ROLES + role) * r->file.dictionary_count + number];
    wfi_cell *cell = f->cell[role];
    weft_status st = d->texts ? know_dictionary(f->t->ctx, k, d) : WEFT_OK;
    for (size_t i = 0; i < rows && !st; i++) {
        uint64_t row = b->first_row + from + i, at = (uint64_t)cell[i].i;
        if (at >= d->count) return wfi_fill_fault(f, role, row, "is beyond the end of its dictionary");
        if (d->texts ? !d->texts[at].at : d->null[at]) return fail_null(f, role, row);
        if (d->texts && !k->is_known[at]) {
            st = f->texts[role]->cell(f->texts[role], row, (const char *)d->texts[at].at, d->texts[at].bytes,
                                      &k->cell[at]);
            k->is_known[at] = !st;
        }
        if (d->texts)
            cell[i].i = k->cell[at];
        else
            cell[i] = d->cells[at];
    }
    return st;
}

static weft_status fill_role(reader *r, wfi_fill *f, wfi_role role, const wfi_arrow_batch *b, uint64_t from,
                             size_t rows) {
    const wfi_arrow_values *v = &r->values[f->thread * WFI_ROLES + (int)role];
    uint64_t null = wfi_arrow_first_null(v, from, rows);
    if (null < from + rows) return fail_null(f, role, b->first_row + null);
    if (is_text(&v->type)) return texts(f, role, v, b, from, rows);
    wfi_arrow_numbers(v, from, rows, f->cell[role]);
    bool indexed = r->file.stored[r->table.of[role]].has_dictionary;
    return indexed ? look_up(r, f, role, b, from, rows) : WEFT_OK;
}

static weft_status fill_batch(void *user, wfi_fill *f, size_t number) {
    reader *r = user;
    const wfi_arrow_batch *b = &r->file.batches[number];
    wfi_arrow_values *v = &r->values[f->thread * WFI_ROLES];
    weft_status st = WEFT_OK;
    for (int role = 0; role < WFI_ROLES && !st && b->rows; role++)
        if (r->table.of[role] >= 0)
            st = wfi_arrow_values_open(&v[role], &r->file, &b->message, false, (size_t)r->table.of[role], &f->fault);
    for (uint64_t done = 0; done < b->rows && !st;) {
        size_t rows = (size_t)wfi_min_u64(WFI_CHUNK, b->rows - done);
        for (int role = 0; role < WFI_ROLES && !st; role++)
            if (r->table.of[role] >= 0) st = fill_role(r, f, (wfi_role)role, b, done, rows);
        if (!st) st = wfi_fill_rows(f, b->first_row + done, rows);
        done += rows;
    }
    return st;
}

static weft_status read_batches(reader *r) {
    wfi_fault fault = {0};
    wfi_arrow_file *f = &r->file;
    weft_status st = wfi_arrow_find_batches(f, r->table.of, &fault);
    if (st && fault.status) return wfi_fault_report(f->ctx, r->table.source, &fault);
    r->threads = wfi_typed_threads(&r->table, f->batch_count, f->rows);
    size_t roles = (size_t)r->threads * WFI_ROLES;
    if (!st) st = wfi_alloc_zeroed(f->ctx, &r->values, roles);
    if (!st) st = wfi_alloc_zeroed(f->ctx, &r->dictionaries, roles * f->dictionary_count + 1);
    if (!st) st = wfi_typed_run(&r->table, f->batch_count, f->rows, fill_batch, r);
    if (!st && f->open_end)
        wfi_warn(f->ctx, "%s: the stream has no mark of its end: batches may be missing",
                 wfi_source_name(r->table.source));
    return st;
}

static void close_reader(reader *r) {
    size_t roles = (size_t)r->threads * WFI_ROLES;
    for (size_t i = 0; r->values && i < roles; i++) wfi_arrow_values_close(&r->values[i]);
    for (size_t i = 0; r->dictionaries && i < roles * r->file.dictionary_count; i++)
        WFI_FREE(r->dictionaries[i].cell, r->dictionaries[i].is_known);
    WFI_FREE(r->values, r->dictionaries);
    wfi_typed_close(&r->table);
    wfi_arrow_close(&r->file);
}

weft_status wfi_gather_arrow(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table) {
    reader r = {.file = {.ctx = ctx}, .table = {.ctx = ctx, .source = source, .params = params, .table = table}};
    wfi_fault fault = {0};
    wfi_content content;
    weft_status st = wfi_content_open(ctx, source, &content);
    if (st) return st;
    r.file.data = (const uint8_t *)content.data;
    r.file.bytes = content.bytes;
    st = wfi_arrow_open(&r.file, &fault);
    if (st && fault.status) wfi_fault_report(ctx, source, &fault);
    r.table.column = r.file.columns;
    r.table.count = r.file.column_count;
    if (!st) st = wfi_typed_choose(&r.table, sample, &r);
    if (!st) st = read_batches(&r);
    close_reader(&r);
    wfi_content_close(&content);
    return st;
}

int wfi_sniff_arrow(const char *head, size_t bytes) {
    bool magic =
        bytes >= 8 && (!memcmp(head, "ARROW1\0", 7) || (!memcmp(head, "FEA1", 4) && wfi_is_binary(head, bytes)));
    return magic || wfi_arrow_is_stream((const uint8_t *)head, bytes) ? 3 : 0;
}
