/* Parquet: tables of edges as pandas, Polars, Spark and DuckDB write them.
 * Needs: the file in one piece (mapped, or in memory when it comes packed or by a pipe), since its footer tells where
 * the columns lie.  Only the pages of the chosen columns are looked at.
 * Method: row groups are read in parallel, each by one thread; pages are unpacked and decoded as rows are asked for. */
#include "io/columnar/parquet.h"
#include "core/scan.h"
#include "io/io.h"
#include "io/table/nodes_table.h"

#include <string.h>

typedef struct reader {
    wfi_pq_file file;
    wfi_typed table;
    wfi_pq_group *groups;
    wfi_pq_place *places;   /* of the groups */
    wfi_pq_cursor *cursors; /* one for each slot, of each thread */
    int threads;
} reader;

/* --- first values ----------------------------------------------------------------------------- */

typedef struct first_text {
    wfi_texts base;
    char *sample;
} first_text;

static weft_status keep_text(wfi_texts *self, uint64_t row, const char *text, size_t length, int64_t *value) {
    (void)row;
    wfi_show_text(((first_text *)(void *)self)->sample, text, length);
    *value = 0;
    return WEFT_OK;
}

static weft_status sample(void *user, size_t column, char text[WFI_SAMPLE]) {
    reader *r = user;
    wfi_type type = r->file.columns[column].type;
    if (type >= WFI_TYPE_TIME || !r->file.group_count) return WEFT_OK;
    wfi_fault fault;
    wfi_pq_group group;
    wfi_cell cell;
    first_text texts = {{keep_text}, text};
    wfi_pq_cursor cursor = {.fault = &fault, .values.texts = &texts.base};
    const int of[] = {(int)column};
    const wfi_picked only = {of, 1};
    wfi_pq_place place;
    group.place = &place;
    weft_status st = wfi_pq_groups(&r->file, &only, &group, 1, &fault);
    if (st || !group.rows) goto done;
    wfi_pq_cursor_open(&cursor, &r->file, column, &place, 0);
    st = wfi_pq_cursor_next(&cursor, 1, &cell);
    if (!st && type < WFI_TYPE_TEXT) wfi_show_cell(text, type, cell);
    if (st) text[0] = '\0';
done:
    wfi_pq_cursor_close(&cursor);
    return st == WEFT_ENOMEM ? st : WEFT_OK;
}

/* --- row groups ---------------------------------------------------------------------------------- */

static weft_status fill_slot(wfi_slot *slot, wfi_pq_cursor *cursor, size_t rows) {
    return cursor->may_be_null ? wfi_pq_cursor_next_or_null(cursor, rows, slot->cell, slot->null)
                               : wfi_pq_cursor_next(cursor, rows, slot->cell);
}

static weft_status fill_group(void *user, wfi_fill *f, size_t number) {
    reader *r = user;
    const wfi_pq_group *g = &r->groups[number];
    const wfi_picked *slots = &r->table.slots;
    wfi_pq_cursor *cursor = &r->cursors[(size_t)f->thread * slots->count];
    for (size_t i = 0; i < slots->count; i++) {
        if (!f->slot[i].cell) continue;
        cursor[i].fault = &f->fault;
        cursor[i].values.texts = &f->slot[i].texts;
        cursor[i].may_be_null = wfi_slot_may_be_null(i);
        wfi_pq_cursor_open(&cursor[i], &r->file, (size_t)slots->of[i], &g->place[i], g->first_row);
    }
    weft_status st = WEFT_OK;
    for (uint64_t done = 0; done < g->rows && !st;) {
        size_t rows = (size_t)wfi_min_u64(r->table.chunk, g->rows - done);
        for (size_t i = 0; i < slots->count && !st; i++)
            if (f->slot[i].cell) st = fill_slot(&f->slot[i], &cursor[i], rows);
        if (!st) st = wfi_fill_rows(f, g->first_row + done, rows);
        done += rows;
    }
    for (size_t i = 0; i < slots->count && !st; i++)
        if (f->slot[i].cell) st = wfi_pq_cursor_finish(&cursor[i]);
    return st;
}

static weft_status read_groups(reader *r) {
    wfi_fault fault = {0};
    weft_ctx *ctx = r->file.ctx;
    size_t slots = r->table.slots.count;
    weft_status st = wfi_alloc(ctx, &r->groups, r->file.group_count + 1);
    if (!st && !(r->places = wfi_take(ctx, (r->file.group_count + 1), slots * sizeof *r->places))) st = WEFT_ENOMEM;
    if (st) return st;
    for (size_t i = 0; i < r->file.group_count; i++) r->groups[i].place = r->places + i * slots;
    st = wfi_pq_groups(&r->file, &r->table.slots, r->groups, r->file.group_count, &fault);
    if (st && fault.status) return wfi_fault_report(ctx, r->table.source, &fault);
    r->threads = wfi_typed_threads(&r->table, r->file.group_count, r->file.rows);
    if (!st) st = wfi_alloc_zeroed(ctx, &r->cursors, (size_t)r->threads * slots);
    return st ? st : wfi_typed_run(&r->table, r->file.group_count, r->file.rows, fill_group, r);
}

static void close_reader(reader *r) {
    for (size_t i = 0; r->cursors && i < (size_t)r->threads * r->table.slots.count; i++)
        wfi_pq_cursor_close(&r->cursors[i]);
    WFI_FREE(r->cursors, r->groups, r->places);
    wfi_typed_close(&r->table);
    wfi_pq_close(&r->file);
}

weft_status wfi_read_parquet(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table,
                             struct wfi_nodes_table *nodes) {
    reader r = {.file = {.ctx = ctx}, .table = {ctx, source, params, table, .nodes = nodes}};
    wfi_fault fault = {0};
    wfi_content content;
    weft_status st = wfi_content_open(ctx, source, &content);
    if (st) return st;
    r.file.data = (const uint8_t *)content.data;
    r.file.bytes = content.bytes;
    if (nodes) nodes->facts = (wfi_file_facts){0, content.bytes, wfi_digest(ctx, content.data, content.bytes, 0)};
    st = wfi_pq_open(&r.file, &fault);
    if (st && fault.status) wfi_fault_report(ctx, source, &fault);
    r.table.column = r.file.columns;
    r.table.count = r.file.column_count;
    if (!st) st = wfi_typed_choose(&r.table, sample, &r);
    if (!st) st = read_groups(&r);
    close_reader(&r);
    wfi_content_close(&content);
    return st;
}

weft_status wfi_gather_parquet(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table) {
    return wfi_read_parquet(ctx, source, params, table, NULL);
}

int wfi_sniff_parquet(const char *head, size_t bytes) {
    bool magic = bytes >= 4 && (!memcmp(head, "PAR1", 4) || !memcmp(head, "PARE", 4));
    return magic && wfi_is_binary(head, bytes) ? 3 : 0; /* PAR1 is a gene, too */
}
