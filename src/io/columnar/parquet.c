/* Parquet: tables of edges as pandas, Polars, Spark and DuckDB write them.
 * Needs: the file in one piece (mapped, or in memory when it comes packed or by a pipe), since its footer tells where
 * the columns lie.  Only the pages of the chosen columns are looked at.
 * Method: row groups are read in parallel, each by one thread; pages are unpacked and decoded as rows are asked for. */
#include "io/columnar/parquet.h"
#include "io/io.h"

#include <string.h>

typedef struct reader {
    wfi_pq_file file;
    wfi_typed table;
    wfi_pq_group *groups;
    wfi_pq_cursor *cursors; /* WFI_ROLES for each thread */
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
    const int of[WFI_ROLES] = {(int)column, -1, -1, -1};
    weft_status st = wfi_pq_groups(&r->file, of, &group, 1, &fault);
    if (st || !group.rows) goto done;
    wfi_pq_cursor_open(&cursor, &r->file, column, &group.place[0], 0);
    st = wfi_pq_cursor_next(&cursor, 1, &cell);
    if (!st && type < WFI_TYPE_TEXT) wfi_show_cell(text, type, cell);
    if (st) text[0] = '\0';
done:
    wfi_pq_cursor_close(&cursor);
    return st == WEFT_ENOMEM ? st : WEFT_OK;
}

/* --- row groups ---------------------------------------------------------------------------------- */

static weft_status fill_group(void *user, wfi_fill *f, size_t number) {
    reader *r = user;
    const wfi_pq_group *g = &r->groups[number];
    wfi_pq_cursor *cursor = &r->cursors[f->thread * WFI_ROLES];
    for (int role = 0; role < WFI_ROLES; role++) {
        if (r->table.of[role] < 0) continue;
        cursor[role].fault = &f->fault;
        cursor[role].values.texts = f->texts[role];
        wfi_pq_cursor_open(&cursor[role], &r->file, (size_t)r->table.of[role], &g->place[role], g->first_row);
    }
    weft_status st = WEFT_OK;
    for (uint64_t done = 0; done < g->rows && !st;) {
        size_t rows = (size_t)wfi_min_u64(WFI_CHUNK, g->rows - done);
        for (int role = 0; role < WFI_ROLES && !st; role++)
            if (r->table.of[role] >= 0) st = wfi_pq_cursor_next(&cursor[role], rows, f->cell[role]);
        if (!st) st = wfi_fill_rows(f, g->first_row + done, rows);
        done += rows;
    }
    for (int role = 0; role < WFI_ROLES && !st; role++)
        if (r->table.of[role] >= 0) st = wfi_pq_cursor_finish(&cursor[role]);
    return st;
}

static weft_status read_groups(reader *r) {
    wfi_fault fault = {0};
    weft_ctx *ctx = r->file.ctx;
    weft_status st = wfi_alloc(ctx, &r->groups, r->file.group_count + 1);
    if (st) return st;
    st = wfi_pq_groups(&r->file, r->table.of, r->groups, r->file.group_count, &fault);
    if (st && fault.status) return wfi_fault_report(ctx, r->table.source, &fault);
    r->threads = wfi_typed_threads(&r->table, r->file.group_count, r->file.rows);
    if (!st) st = wfi_alloc_zeroed(ctx, &r->cursors, (size_t)r->threads * WFI_ROLES);
    return st ? st : wfi_typed_run(&r->table, r->file.group_count, r->file.rows, fill_group, r);
}

static void close_reader(reader *r) {
    for (int i = 0; r->cursors && i < r->threads * WFI_ROLES; i++) wfi_pq_cursor_close(&r->cursors[i]);
    WFI_FREE(r->cursors, r->groups);
    wfi_typed_close(&r->table);
    wfi_pq_close(&r->file);
}

weft_status wfi_gather_parquet(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table) {
    reader r = {.file = {.ctx = ctx}, .table = {.ctx = ctx, .source = source, .params = params, .table = table}};
    wfi_fault fault = {0};
    wfi_content content;
    weft_status st = wfi_content_open(ctx, source, &content);
    if (st) return st;
    r.file.data = (const uint8_t *)content.data;
    r.file.bytes = content.bytes;
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

int wfi_sniff_parquet(const char *head, size_t bytes) {
    bool magic = bytes >= 4 && (!memcmp(head, "PAR1", 4) || !memcmp(head, "PARE", 4));
    return magic && wfi_is_binary(head, bytes) ? 3 : 0; /* PAR1 is a gene, too */
}
