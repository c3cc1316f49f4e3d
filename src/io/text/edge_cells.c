/* See edge_cells.h.  Method: the types that a column may have are tried from the narrowest on, piece by piece in
 * parallel; a piece with a cell that does not fit ends the attempt. */
#include "io/text/edge_cells.h"
#include "io/text/cell_values.h"
#include "stream/short_text.h"

#include <string.h>

/* The cells of a piece: lengths of all columns, column by column, then their texts. */
typedef struct packed {
    uint64_t rows;
    size_t columns;
    uint64_t text_at[]; /* columns; then lengths */
} packed;

static uint32_t *lengths_of(const packed *p, size_t column) {
    return (uint32_t *)(uintptr_t)(p->text_at + p->columns) + column * p->rows;
}

static char *texts_of(const packed *p, size_t column) {
    return (char *)(uintptr_t)lengths_of(p, p->columns) + p->text_at[column];
}

/* --- gathering ---------------------------------------------------------------------------------------- */

weft_status wfi_edge_cells_reset(weft_ctx *ctx, wfi_edge_cells *c, size_t columns) {
    if (!c->run && wfi_alloc_zeroed(ctx, &c->run, columns)) return WEFT_ENOMEM;
    c->columns = columns;
    c->rows = 0;
    for (size_t i = 0; i < columns; i++) c->run[i].used = 0;
    return WEFT_OK;
}

static weft_status add_rows(weft_ctx *ctx, wfi_edge_cells *c) {
    uint64_t room = c->room ? 2 * c->room : 1024;
    for (size_t i = 0; i < c->columns; i++) {
        uint32_t *length = wfi_resize(ctx, c->run[i].length, (size_t)room, sizeof *length);
        if (!length) return WEFT_ENOMEM;
        c->run[i].length = length;
    }
    c->room = room;
    return WEFT_OK;
}

void wfi_edge_cells_free(wfi_edge_cells *c) {
    for (size_t i = 0; c->run && i < c->columns; i++) WFI_FREE(c->run[i].length, c->run[i].text);
    wfi_free(c->run);
    *c = (wfi_edge_cells){0};
}

static weft_status grow(weft_ctx *ctx, wfi_cell_run *run, size_t length) {
    size_t room = 2 * run->room + length + 4096;
    char *text = wfi_resize(ctx, run->text, room, 1);
    if (!text) return WEFT_ENOMEM;
    run->text = text;
    run->room = room;
    return WEFT_OK;
}

/* Most texts are short, and a call to memcpy would take longer than the copy.  The buffer has 8 spare bytes. */
static inline void copy_text(char *to, const char *text, size_t length) {
    uint64_t bytes;
    if (length > 16) {
        memcpy(to, text, length);
        return;
    }
    bytes = wfi_load_short(text, length < 8 ? length : 8);
    memcpy(to, &bytes, sizeof bytes);
    if (length > 8) memcpy(to + length - 8, text + length - 8, 8);
}

weft_status wfi_edge_cells_put(weft_ctx *ctx, wfi_edge_cells *c, const wfi_cell_text *cells) {
    if (c->rows == c->room && add_rows(ctx, c)) return WEFT_ENOMEM;
    for (size_t i = 0; i < c->columns; i++) {
        wfi_cell_run *run = &c->run[i];
        size_t length = cells[i].text ? cells[i].length : 0;
        if (length >= WFI_CELL_MISSING)
            return wfi_fail(ctx, WEFT_EUNSUPPORTED, "a value of an edge has 2^32-1 bytes or more");
        if (length + 8 > run->room - run->used && grow(ctx, run, length)) return WEFT_ENOMEM;
        copy_text(run->text + run->used, cells[i].text, length);
        run->used += length;
        run->length[c->rows] = cells[i].text ? (uint32_t)length : WFI_CELL_MISSING;
    }
    c->rows++;
    return WEFT_OK;
}

weft_status wfi_edge_cells_pack(weft_ctx *ctx, const wfi_edge_cells *c, void **out) {
    uint64_t text = 0;
    for (size_t i = 0; i < c->columns; i++) text += c->run[i].used;
    packed *p = wfi_take(ctx, sizeof *p + c->columns * (sizeof *p->text_at + c->rows * sizeof(uint32_t)) + text, 1);
    if (!p) return WEFT_ENOMEM;
    p->rows = c->rows;
    p->columns = c->columns;
    text = 0;
    for (size_t i = 0; i < c->columns; i++) {
        p->text_at[i] = text;
        if (c->rows) memcpy(lengths_of(p, i), c->run[i].length, c->rows * sizeof(uint32_t));
        if (c->run[i].used) memcpy(texts_of(p, i), c->run[i].text, c->run[i].used);
        text += c->run[i].used;
    }
    *out = p;
    return WEFT_OK;
}

/* --- settling ------------------------------------------------------------------------------------------ */

/* The search for the type of a column. */
typedef struct trial {
    weft_ctx *ctx;
    const wfi_edges *edges;
    const uint64_t *first; /* records before each piece, and the total */
    size_t column;
    weft_attribute_type type;
    wfi_cell_reading how;
    char *values;
    uint8_t *valid;
    _Atomic bool misfit, missing;
    _Atomic int form;
} trial;

/* No two pieces' bits but those at their ends are in one byte. */
static void set_missing(trial *t, uint64_t record) {
    __atomic_fetch_and(&t->valid[record >> 3], (uint8_t) ~(1u << (record & 7)), __ATOMIC_RELAXED);
    atomic_store_explicit(&t->missing, true, memory_order_relaxed);
}

static void store(trial *t, uint64_t record, const wfi_cell_value *value) {
    if (t->type == WEFT_ATTRIBUTE_BOOL)
        ((uint8_t *)t->values)[record] = value->truth;
    else
        ((int64_t *)t->values)[record] = value->i64; /* a double's bits as well */
}

/* All cells of a piece.  Texts are stored later, because their numbers follow the order of the file. */
static void try_piece(trial *t, size_t piece) {
    const packed *p = t->edges->pieces[piece].cells;
    const uint32_t *length = lengths_of(p, t->column);
    const char *text = texts_of(p, t->column);
    int form = WFI_NO_FORM, none = WFI_NO_FORM;
    bool fits = true;
    for (uint64_t i = 0; i < p->rows && fits; i++) {
        wfi_cell_value value = {0};
        size_t here = length[i] == WFI_CELL_MISSING ? 0 : length[i];
        bool there = length[i] != WFI_CELL_MISSING && (here || t->type == WEFT_ATTRIBUTE_TEXT);
        if (!there)
            set_missing(t, t->first[piece] + i);
        else if (t->type != WEFT_ATTRIBUTE_TEXT) {
            fits = wfi_cell_fits(text, here, t->type, t->how, &form, &value);
            store(t, t->first[piece] + i, &value);
        }
        text += here;
    }
    if (form != WFI_NO_FORM && !atomic_compare_exchange_strong(&t->form, &none, form)) fits = fits && none == form;
    if (!fits) atomic_store(&t->misfit, true);
}

static weft_status try_type(trial *t, uint64_t records) {
    memset(t->valid, 0xff, (size_t)(records + 7) / 8);
    t->misfit = t->missing = false;
    t->form = WFI_NO_FORM;
#pragma omp parallel for schedule(dynamic, 1) num_threads(wfi_threads_for(t->ctx, records, 1 << 12))
    for (size_t i = 0; i < t->edges->count; i++)
        if (t->edges->pieces[i].cells && !atomic_load(&t->misfit) && !wfi_cancelled(t->ctx)) try_piece(t, i);
    return wfi_cancelled(t->ctx) ? wfi_fail_cancelled(t->ctx) : WEFT_OK;
}

/* A thread's share of the pieces, and its texts. */
typedef struct text_share {
    size_t from, to;
    wfi_names *texts; /* of the first share: the pool itself */
    uint32_t *number; /* in the pool */
} text_share;

static weft_status number_share(trial *t, const text_share *share) {
    weft_status st = WEFT_OK;
    for (size_t i = share->from; i < share->to && !st; i++) {
        const packed *p = t->edges->pieces[i].cells;
        const uint32_t *length = p ? lengths_of(p, t->column) : NULL;
        const char *text = p ? texts_of(p, t->column) : NULL;
        uint32_t *to = (uint32_t *)t->values + t->first[i];
        for (uint64_t k = 0; p && k < p->rows && !st; k++) {
            to[k] = 0;
            if (length[k] == WFI_CELL_MISSING) continue;
            st = wfi_names_number(t->ctx, share->texts, length[k] ? text : "", length[k], &to[k]);
            text += length[k];
        }
        if (!st && wfi_cancelled(t->ctx)) return WEFT_ECANCELLED;
    }
    return st;
}

static weft_status add_to_pool(trial *t, text_share *share, wfi_names *pool) {
    const wfi_names *texts = share->texts;
    weft_status st = wfi_alloc(t->ctx, &share->number, texts->count);
    for (size_t i = 0; i < texts->count && !st; i++)
        st = wfi_names_number(t->ctx, pool, texts->text + texts->start[i],
                              (size_t)(texts->start[i + 1] - texts->start[i]), &share->number[i]);
    return st;
}

/* Numbers in a thread's texts become numbers in the pool. */
static void renumber_share(trial *t, const text_share *share) {
    uint32_t *values = (uint32_t *)t->values;
    for (uint64_t k = t->first[share->from]; k < t->first[share->to]; k++)
        if (wfi_has_bit(t->valid, k)) values[k] = share->number[values[k]];
}

/* Each thread numbers the texts of its share of the pieces; then the shares are merged. */
static weft_status number_texts(trial *t, uint64_t records, wfi_names *pool) {
    size_t shares = (size_t)wfi_threads_for(t->ctx, records, 1 << 14), pieces = t->edges->count;
    text_share *share;
    _Atomic int status = WEFT_OK;
    if (wfi_alloc_zeroed(t->ctx, &share, shares)) return WEFT_ENOMEM;
#pragma omp parallel for schedule(static, 1) num_threads((int)shares)
    for (size_t i = 0; i < shares; i++) {
        share[i] = (text_share){.from = pieces * i / shares, .to = pieces * (i + 1) / shares};
        share[i].texts = i ? wfi_names_new(t->ctx) : pool;
        wfi_keep_status(&status, share[i].texts ? number_share(t, &share[i]) : WEFT_ENOMEM);
    }
    weft_status st = (weft_status)status == WEFT_ECANCELLED ? wfi_fail_cancelled(t->ctx) : (weft_status)status;
    for (size_t i = 1; i < shares && !st; i++) st = add_to_pool(t, &share[i], pool);
#pragma omp parallel for schedule(static, 1) num_threads((int)shares)
    for (size_t i = 1; i < shares; i++)
        if (!st) renumber_share(t, &share[i]);
    for (size_t i = 1; i < shares; i++) {
        wfi_names_free(share[i].texts);
        wfi_free(share[i].number);
    }
    wfi_free(share);
    return st;
}

static bool is_empty(const trial *t) {
    for (size_t i = 0; i < t->edges->count; i++) {
        const packed *p = t->edges->pieces[i].cells;
        for (uint64_t k = 0; p && k < p->rows; k++)
            if (lengths_of(p, t->column)[k] != WFI_CELL_MISSING) return false;
    }
    return true;
}

static weft_status settle_column(trial *t, wfi_edge_columns *to, unsigned types, wfi_edge_rule rule, uint64_t records) {
    weft_attribute_type steps[WFI_CELL_TYPES];
    size_t count = wfi_cell_ladder(types, steps);
    bool by_content = types == 1u << WFI_CELL_BY_CONTENT;
    t->how.words = !by_content;
    t->how.exact = types != 1u << WEFT_ATTRIBUTE_REAL;
    t->values = wfi_take(t->ctx, (size_t)records, sizeof(wfi_cell_value));
    if (!t->values) return WEFT_ENOMEM;
    wfi_edge_columns_own(to, t->values);
    if (wfi_alloc(t->ctx, &t->valid, (size_t)(records + 7) / 8)) return WEFT_ENOMEM;
    wfi_edge_columns_own(to, t->valid);
    weft_status st = WEFT_OK;
    bool nothing = by_content && is_empty(t), adds_up = rule == WFI_RULE_SUM || rule == WFI_RULE_MEAN;
    for (size_t i = nothing ? count - 1 : 0; i < count && !st; i++) {
        t->type = nothing && adds_up ? WEFT_ATTRIBUTE_REAL
                                     : steps[i]; /* a column without cells is text, unless its rule adds values up */
        st = try_type(t, records);
        if (!t->misfit) break;
    }
    if (!st && t->type == WEFT_ATTRIBUTE_TEXT) st = number_texts(t, records, to->pool);
    bool timed = t->type == WEFT_ATTRIBUTE_TIME && t->form != WFI_NO_FORM;
    to->from[t->column] = (wfi_column_source){.type = t->type,
                                              .form = timed ? (weft_time_form)t->form : WEFT_TIME_DAY,
                                              .values = t->values,
                                              .valid = t->missing ? t->valid : NULL};
    return st;
}

/* Names with a NUL each, and the pool of the texts. */
static weft_status finish(weft_ctx *ctx, wfi_edge_columns *c) {
    char *text;
    const wfi_names *names = c->names;
    if (wfi_alloc(ctx, &text, names->text_used + c->count)) return WEFT_ENOMEM;
    wfi_edge_columns_own(c, text);
    for (size_t i = 0; i < c->count; i++) {
        size_t length = (size_t)(names->start[i + 1] - names->start[i]);
        memcpy(text, names->text + names->start[i], length);
        text[length] = '\0';
        c->from[i].name = text;
        text += length + 1;
        if (c->from[i].type != WEFT_ATTRIBUTE_TEXT) continue;
        c->from[i].starts = c->pool->start;
        c->from[i].text = c->pool->text;
        c->from[i].texts = c->pool->count;
    }
    return WEFT_OK;
}

static void free_cells(wfi_edges *edges) {
    for (size_t i = 0; i < edges->count; i++) {
        wfi_free(edges->pieces[i].cells);
        edges->pieces[i].cells = NULL;
    }
}

weft_status wfi_edge_cells_settle(weft_ctx *ctx, wfi_edges *edges, wfi_names **names, size_t count,
                                  const unsigned *types, const wfi_edge_rule *rules, char decimal) {
    uint64_t *first, records = 0;
    wfi_edge_columns *c;
    weft_status st = wfi_edge_columns_new(ctx, count, &c);
    if (st) return st;
    edges->columns = c;
    c->names = *names;
    *names = NULL;
    if (!(c->pool = wfi_names_new(ctx)) || wfi_alloc(ctx, &first, edges->count + 1)) return WEFT_ENOMEM;
    for (size_t i = 0; i < edges->count; i++) {
        first[i] = records;
        records += edges->pieces[i].count;
    }
    first[edges->count] = records;
    for (size_t i = 0; i < count && !st; i++) {
        trial t = {.ctx = ctx, .edges = edges, .first = first, .column = i, .how.decimal = decimal};
        st = settle_column(&t, c, types && types[i] ? types[i] : 1u << WFI_CELL_BY_CONTENT, rules[i], records);
        c->rule[i] = rules[i];
    }
    if (!st) st = finish(ctx, c);
    free_cells(edges);
    wfi_free(first);
    return st;
}
