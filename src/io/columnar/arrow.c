/* Arrow IPC: files (Feather of version 2 is the same) and streams of tables of edges.
 * Needs: the file in one piece (mapped, or in memory when it comes packed or by a pipe).  Only the buffers of the
 * chosen columns are looked at.
 * Method: batches are read in parallel, each by one thread.  A text of a dictionary goes through the table of names of
 * a thread when the first of its rows has it: once, and never for those that no row has. */
#include "io/columnar/arrow.h"
#include "core/scan.h"
#include "io/io.h"
#include "io/table/nodes_table.h"

#include <string.h>

/* What a thread knows of the texts of a slot's dictionary. */
typedef struct known {
    size_t number; /* of the dictionary */
    int64_t *cell; /* NULL: nothing yet */
    bool *is_known;
} known;

typedef struct reader {
    wfi_arrow_file file;
    wfi_typed table;
    wfi_arrow_values *values; /* one for each slot, of each thread */
    known *dictionaries;      /* the same */
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
    const wfi_arrow_dictionary *d = &f->dictionaries[wfi_arrow_dictionary_of(f, &f->batches[batch], column)];
    if ((uint64_t)cell.i >= d->count) return WEFT_OK;
    if (d->texts && d->texts[cell.i].at) wfi_show_text(text, (const char *)d->texts[cell.i].at, d->texts[cell.i].bytes);
    if (d->cells && !d->null[cell.i]) wfi_show_cell(text, c->type.kind, d->cells[cell.i]);
    return WEFT_OK;
}

static weft_status sample(void *user, size_t column, char text[WFI_SAMPLE]) {
    reader *r = user;
    wfi_fault fault;
    wfi_arrow_values v = {0};
    const int of[] = {(int)column};
    const wfi_picked only = {of, 1};
    if (r->file.columns[column].type >= WFI_TYPE_TIME) return WEFT_OK;
    weft_status st = wfi_arrow_find_batches(&r->file, &only, &fault);
    if (!st) st = first_value(r, column, &v, text, &fault);
    wfi_arrow_values_close(&v);
    wfi_arrow_forget_batches(&r->file);
    return st == WEFT_ENOMEM || st == WEFT_ECANCELLED ? st : WEFT_OK;
}

/* --- batches ------------------------------------------------------------------------------------ */

/* A few rows of a batch, of one slot. */
typedef struct part {
    const wfi_arrow_batch *batch;
    uint64_t from;
    size_t rows, slot;
} part;

static weft_status texts(wfi_fill *f, const wfi_arrow_values *v, const part *p) {
    wfi_slot *slot = &f->slot[p->slot];
    for (size_t i = 0; i < p->rows; i++) {
        const char *text;
        size_t length;
        uint64_t row = p->batch->first_row + p->from + i;
        if (slot->null && slot->null[i]) continue;
        if (!wfi_arrow_text(v, p->from + i, &text, &length))
            return wfi_fill_fault(f, p->slot, row, "lies outside of its batch");
        weft_status st = slot->texts.cell(&slot->texts, row, text, length, &slot->cell[i].i);
        if (st) return st;
    }
    return WEFT_OK;
}

static weft_status know_dictionary(weft_ctx *ctx, known *k, const wfi_arrow_dictionary *d, size_t number) {
    if (k->cell && k->number == number) return WEFT_OK;
    WFI_FREE(k->cell, k->is_known);
    *k = (known){.number = number};
    if (wfi_alloc(ctx, &k->cell, d->count + 1)) return WEFT_ENOMEM;
    return wfi_alloc_zeroed(ctx, &k->is_known, d->count + 1);
}

static weft_status fail_null(wfi_fill *f, size_t slot, uint64_t row) {
    return wfi_fill_fault(f, slot, row, "is null: remove such rows, or fill them in");
}

/* Cells that are numbers in a dictionary become its values. */
static weft_status look_up(reader *r, wfi_fill *f, const part *p) {
    wfi_slot *slot = &f->slot[p->slot];
    size_t number = wfi_arrow_dictionary_of(&r->file, p->batch, (size_t)r->table.of[p->slot]);
    const wfi_arrow_dictionary *d = &r->file.dictionaries[number];
    known *k = &r->dictionaries[(size_t)f->thread * r->table.slots.count + p->slot];
    wfi_cell *cell = slot->cell;
    weft_status st = d->texts ? know_dictionary(f->t->ctx, k, d, number) : WEFT_OK;
    for (size_t i = 0; i < p->rows && !st; i++) {
        uint64_t row = p->batch->first_row + p->from + i, at = (uint64_t)cell[i].i;
        if (slot->null && slot->null[i]) continue;
        if (at >= d->count) return wfi_fill_fault(f, p->slot, row, "is beyond the end of its dictionary");
        if (d->texts ? !d->texts[at].at : d->null[at]) {
            if (!slot->null) return fail_null(f, p->slot, row);
            slot->null[i] = true;
            continue;
        }
        if (d->texts && !k->is_known[at]) {
            st = slot->texts.cell(&slot->texts, row, (const char *)d->texts[at].at, d->texts[at].bytes, &k->cell[at]);
            k->is_known[at] = !st;
        }
        if (d->texts)
            cell[i].i = k->cell[at];
        else
            cell[i] = d->cells[at];
    }
    return st;
}

static weft_status fill_slot(reader *r, wfi_fill *f, const part *p) {
    const wfi_arrow_values *v = &r->values[(size_t)f->thread * r->table.slots.count + p->slot];
    wfi_slot *slot = &f->slot[p->slot];
    uint64_t null = wfi_arrow_first_null(v, p->from, p->rows);
    if (!slot->null && null < p->from + p->rows) return fail_null(f, p->slot, p->batch->first_row + null);
    for (size_t i = 0; slot->null && i < p->rows; i++) slot->null[i] = wfi_arrow_is_null(v, p->from + i);
    if (is_text(&v->type)) return texts(f, v, p);
    wfi_arrow_numbers(v, p->from, p->rows, slot->cell);
    return r->file.stored[r->table.of[p->slot]].has_dictionary ? look_up(r, f, p) : WEFT_OK;
}

static weft_status fill_batch(void *user, wfi_fill *f, size_t number) {
    reader *r = user;
    const wfi_arrow_batch *b = &r->file.batches[number];
    const wfi_picked *slots = &r->table.slots;
    wfi_arrow_values *v = &r->values[(size_t)f->thread * slots->count];
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < slots->count && !st && b->rows; i++)
        if (f->slot[i].cell)
            st = wfi_arrow_values_open(&v[i], &r->file, &b->message, false, (size_t)slots->of[i], &f->fault);
    for (uint64_t done = 0; done < b->rows && !st;) {
        size_t rows = (size_t)wfi_min_u64(r->table.chunk, b->rows - done);
        for (size_t i = 0; i < slots->count && !st; i++)
            if (f->slot[i].cell) st = fill_slot(r, f, &(part){b, done, rows, i});
        if (!st) st = wfi_fill_rows(f, b->first_row + done, rows);
        done += rows;
    }
    return st;
}

static weft_status read_batches(reader *r) {
    wfi_fault fault = {0};
    wfi_arrow_file *f = &r->file;
    weft_status st = wfi_arrow_find_batches(f, &r->table.slots, &fault);
    if (st && fault.status) return wfi_fault_report(f->ctx, r->table.source, &fault);
    r->threads = wfi_typed_threads(&r->table, f->batch_count, f->rows);
    size_t slots = (size_t)r->threads * r->table.slots.count;
    if (!st) st = wfi_alloc_zeroed(f->ctx, &r->values, slots);
    if (!st) st = wfi_alloc_zeroed(f->ctx, &r->dictionaries, slots);
    if (!st) st = wfi_typed_run(&r->table, f->batch_count, f->rows, fill_batch, r);
    if (!st && f->open_end)
        wfi_warn(f->ctx, "%s: the stream has no mark of its end: batches may be missing",
                 wfi_source_name(r->table.source));
    return st;
}

static void close_reader(reader *r) {
    size_t slots = (size_t)r->threads * r->table.slots.count;
    for (size_t i = 0; r->values && i < slots; i++) wfi_arrow_values_close(&r->values[i]);
    for (size_t i = 0; r->dictionaries && i < slots; i++)
        WFI_FREE(r->dictionaries[i].cell, r->dictionaries[i].is_known);
    WFI_FREE(r->values, r->dictionaries);
    wfi_typed_close(&r->table);
    wfi_arrow_close(&r->file);
}

weft_status wfi_read_arrow(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table,
                           struct wfi_nodes_table *nodes) {
    reader r = {.file = {.ctx = ctx}, .table = {ctx, source, params, table, .nodes = nodes}};
    wfi_fault fault = {0};
    wfi_content content;
    weft_status st = wfi_content_open(ctx, source, &content);
    if (st) return st;
    r.file.data = (const uint8_t *)content.data;
    r.file.bytes = content.bytes;
    if (nodes) nodes->facts = (wfi_file_facts){0, content.bytes, wfi_digest(ctx, content.data, content.bytes, 0)};
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

weft_status wfi_gather_arrow(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table) {
    return wfi_read_arrow(ctx, source, params, table, NULL);
}

int wfi_sniff_arrow(const char *head, size_t bytes) {
    bool magic =
        bytes >= 8 && (!memcmp(head, "ARROW1\0", 7) || (!memcmp(head, "FEA1", 4) && wfi_is_binary(head, bytes)));
    return magic || wfi_arrow_is_stream((const uint8_t *)head, bytes) ? 3 : 0;
}
