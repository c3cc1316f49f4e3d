/* The store of attributes (attributes.h): layout, and making columns from others.
 * Method: missing values are counted first, which gives the layout; then values are copied, and texts are renumbered
 * by first use, so that the pool contains used texts only. */
#include "attributes/attributes.h"
#include "core/scan.h"
#include "graph/edges.h"

#include <stdio.h>
#include <string.h>

enum { POLL = 1 << 16 };

size_t wfi_attribute_bytes(uint32_t type) {
    switch ((weft_attribute_type)type) {
    case WEFT_ATTRIBUTE_WHOLE:
    case WEFT_ATTRIBUTE_TIME: return sizeof(int64_t);
    case WEFT_ATTRIBUTE_REAL: return sizeof(double);
    case WEFT_ATTRIBUTE_BOOL: return sizeof(uint8_t);
    case WEFT_ATTRIBUTE_TEXT: return sizeof(uint32_t);
    }
    return 0;
}

/* Fewer than 2^56 rows take less than 2^60 bytes per column, so no sum here overflows. */
static uint64_t aligned(uint64_t at) { return (at + WFI_COLUMN_ALIGNMENT - 1) & ~(uint64_t)(WFI_COLUMN_ALIGNMENT - 1); }

static uint64_t bit_bytes(uint64_t rows) { return (rows + 7) / 8; }

bool wfi_vertex_data_lay_out(uint64_t rows, uint32_t type, bool missing, uint64_t *at, uint64_t *end) {
    if (*end >> 62 || rows >> 56) return false;
    *at = aligned(*end);
    *end = *at + rows * (uint64_t)wfi_attribute_bytes(type);
    if (missing) *end = aligned(*end) + bit_bytes(rows);
    return true;
}

const uint8_t *wfi_column_valid(const wfi_vertex_data *c, size_t i) {
    const wfi_column_entry *e = &c->entries[i];
    if (!e->missing) return NULL;
    return (const uint8_t *)c->values + aligned(e->at + wfi_column_rows(c, i) * wfi_attribute_bytes(e->type));
}

wfi_column_source wfi_column_as_source(const wfi_vertex_data *c, size_t i) {
    const wfi_column_entry *e = &c->entries[i];
    return (wfi_column_source){.name = c->names[i],
                               .type = (weft_attribute_type)e->type,
                               .form = (weft_time_form)e->form,
                               .values = wfi_column_values(c, i),
                               .valid = wfi_column_valid(c, i),
                               .starts = c->starts,
                               .text = c->text,
                               .texts = c->texts};
}

void wfi_vertex_data_free(const weft_graph *g, wfi_vertex_data *c) {
    if (!c) return;
    wfi_graph_free_array(g, c->entries);
    wfi_graph_free_array(g, c->values);
    wfi_graph_free_array(g, c->starts);
    wfi_graph_free_array(g, c->text);
    wfi_free(c->names);
    wfi_free(c);
}

uint64_t wfi_vertex_data_bytes(const weft_graph *g) {
    const wfi_vertex_data *c = g->attributes;
    if (!c) return 0;
    const void *blocks[] = {c->entries, c->values, c->starts, c->text};
    uint64_t bytes = wfi_block_bytes(c) + wfi_block_bytes(c->names);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (!wfi_graph_lent(g, blocks[i])) bytes += wfi_block_bytes(blocks[i]);
    return bytes;
}

weft_status wfi_vertex_data_name(weft_ctx *ctx, wfi_vertex_data *c) {
    size_t all = c->count + c->edge_count, bytes = all * sizeof *c->names, length;
    for (size_t i = 0; i < all; i++) {
        wfi_column_text(c, c->entries[i].name, &length);
        bytes += length + 1;
    }
    if (!(c->names = wfi_take(ctx, bytes, 1))) return WEFT_ENOMEM;
    char *to = (char *)(c->names + all);
    for (size_t i = 0; i < all; i++) {
        const char *name = wfi_column_text(c, c->entries[i].name, &length);
        c->names[i] = to;
        memcpy(to, name, length);
        to[length] = '\0';
        to += length + 1;
    }
    return WEFT_OK;
}

bool wfi_edge_column_named(const weft_graph *g, const char *name, size_t *i) {
    const wfi_vertex_data *c = g->attributes;
    for (*i = c ? c->count : 0; c && *i < c->count + c->edge_count; ++*i)
        if (!strcmp(c->names[*i], name)) return true;
    return false;
}

weft_status wfi_fail_no_edge_column(weft_ctx *ctx, const weft_graph *g, const char *name) {
    char list[256] = "";
    const wfi_vertex_data *c = g->attributes;
    for (size_t i = 0, used = 0; i < wfi_edge_column_count(g) && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.40s", i ? ", " : ": ", c->names[c->count + i]);
    return wfi_fail(ctx, WEFT_ENOTFOUND, "no column of edges is called '%.80s'; the graph has %s%s", name,
                    *list ? "" : "none", *list ? list + 2 : "");
}

/* --- making columns ---------------------------------------------------------------------------- */

typedef struct making {
    weft_ctx *ctx;
    const wfi_column_sources *of;
    wfi_vertex_data *fresh;
    wfi_column_entry *entries;
    char *values;
    wfi_names *pool;
    uint32_t *known; /* text number in the pool `known_of` -> number in the new pool plus 1; 0: unknown */
    const uint64_t *known_of;
} making;

static const wfi_column_source *source_at(const making *m, size_t i) {
    return i < m->of->count ? &m->of->from[i] : &m->of->edge_from[i - m->of->count];
}

static size_t columns_of(const making *m) { return m->of->count + m->of->edge_count; }

/* Source row of row i; WFI_NO_RECORD if the value is missing. */
static inline uint64_t row_of(const wfi_column_source *from, uint64_t i) {
    uint64_t row = from->record ? from->record[i] : i;
    if (from->row) row = from->row[i] == WEFT_NO_VERTEX ? WFI_NO_RECORD : from->row[i];
    return row == WFI_NO_RECORD || !wfi_has_bit(from->valid, row) ? WFI_NO_RECORD : row;
}

/* Works on rows row ... end - 1 of column i. Pieces have POLL rows, a multiple of 8, so that no two write to one byte
 * of bits. */
typedef uint64_t piece_fn(const making *m, size_t i, uint64_t row, uint64_t end);

static weft_status in_pieces(const making *m, size_t i, piece_fn *run, uint64_t *sum) {
    uint64_t rows = wfi_column_rows(m->fresh, i), all = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : all) num_threads(wfi_threads_for(m->ctx, rows, POLL))
    for (uint64_t row = 0; row < rows; row += POLL)
        if (!wfi_cancelled(m->ctx)) all += run(m, i, row, wfi_min_u64(rows, row + POLL));
    *sum = all;
    return wfi_cancelled(m->ctx) ? wfi_fail_cancelled(m->ctx) : WEFT_OK;
}

static uint64_t count_missing(const making *m, size_t i, uint64_t row, uint64_t end) {
    const wfi_column_source *from = source_at(m, i);
    uint64_t missing = 0;
    for (; row < end; row++) missing += row_of(from, row) == WFI_NO_RECORD;
    return missing;
}

/* Zeros the gaps between columns, and between values and bits; all other bytes are written later. */
static void zero_gaps(making *m) {
    for (size_t i = 0; i < columns_of(m); i++) {
        const wfi_column_entry *e = &m->entries[i];
        uint64_t rows = wfi_column_rows(m->fresh, i), end = e->at + rows * wfi_attribute_bytes(e->type);
        if (e->missing) {
            memset(m->values + end, 0, aligned(end) - end);
            end = aligned(end) + bit_bytes(rows);
        }
        uint64_t next = i + 1 < columns_of(m) ? m->entries[i + 1].at : m->fresh->value_bytes;
        memset(m->values + end, 0, next - end);
    }
}

static weft_status lay_out(making *m) {
    uint64_t end = 0;
    for (size_t i = 0; i < columns_of(m); i++) {
        wfi_column_entry *e = &m->entries[i];
        const wfi_column_source *from = source_at(m, i);
        *e = (wfi_column_entry){.owner = i < m->of->count ? WFI_OF_VERTICES : WFI_OF_ARCS,
                                .type = (uint32_t)from->type,
                                .form = (uint32_t)from->form};
        weft_status st = WEFT_OK;
        if (from->row || from->record || from->valid) st = in_pieces(m, i, count_missing, &e->missing);
        if (!st && !wfi_vertex_data_lay_out(wfi_column_rows(m->fresh, i), e->type, e->missing, &e->at, &end))
            st = wfi_fail(m->ctx, WEFT_EUNSUPPORTED, "the attributes are too large: more than 2^62 bytes");
        if (!st) st = wfi_names_number(m->ctx, m->pool, from->name, strlen(from->name), &e->name);
        if (st) return st;
    }
    m->fresh->value_bytes = end;
    m->values = wfi_take(m->ctx, (size_t)end, 1);
    m->fresh->values = m->values;
    if (!m->values) return WEFT_ENOMEM;
    zero_gaps(m);
    return WEFT_OK;
}

/* Prepares a map for the source's pool, unless the pool has more texts than the column has rows. */
static weft_status know_pool(making *m, const wfi_column_source *from, uint64_t rows) {
    if (m->known && m->known_of == from->starts) return WEFT_OK;
    wfi_free(m->known);
    m->known = NULL;
    if (from->texts > rows) return WEFT_OK;
    m->known_of = from->starts;
    return wfi_alloc_zeroed(m->ctx, &m->known, (size_t)from->texts);
}

static weft_status copy_text(making *m, const wfi_column_source *from, uint32_t text, uint32_t *to) {
    uint32_t *known = m->known ? &m->known[text] : NULL;
    if (known && *known) {
        *to = *known - 1;
        return WEFT_OK;
    }
    weft_status st = wfi_names_number(m->ctx, m->pool, from->text + from->starts[text],
                                      (size_t)(from->starts[text + 1] - from->starts[text]), to);
    if (!st && known) *known = *to + 1;
    return st;
}

/* Texts of a thread's rows in order of first use, each once. */
typedef struct first_uses {
    uint32_t *text;
    uint64_t *met; /* one bit per text */
    size_t count, capacity;
} first_uses;

/* Copies the source's text numbers to the rows and lists their first uses. */
static weft_status list_uses(const making *m, size_t i, uint64_t row, uint64_t end, first_uses *u) {
    const wfi_column_source *from = source_at(m, i);
    uint32_t *to = (uint32_t *)(m->values + m->entries[i].at);
    for (uint64_t k = row; k < end; k++) {
        uint64_t at = row_of(from, k);
        if ((k - row) % POLL == 0 && wfi_cancelled(m->ctx)) return WEFT_ECANCELLED;
        to[k] = 0;
        if (at == WFI_NO_RECORD) continue;
        uint32_t text = to[k] = ((const uint32_t *)from->values)[at];
        if (u->met[text >> 6] >> (text & 63) & 1) continue;
        u->met[text >> 6] |= UINT64_C(1) << (text & 63);
        if (u->count == u->capacity) {
            size_t capacity = 2 * u->capacity + 1024;
            uint32_t *more = wfi_resize(m->ctx, u->text, capacity, sizeof *more);
            if (!more) return WEFT_ENOMEM;
            u->text = more;
            u->capacity = capacity;
        }
        u->text[u->count++] = text;
    }
    return WEFT_OK;
}

/* Numbers all used texts by first use: each thread lists those of its rows, and the lists are processed in order. */
static weft_status know_uses(making *m, size_t i, uint64_t rows) {
    const wfi_column_source *from = source_at(m, i);
    int threads = wfi_threads_for(m->ctx, rows, POLL);
    first_uses *uses;
    _Atomic int status = WEFT_OK;
    uint32_t number;
    if (wfi_alloc_zeroed(m->ctx, &uses, (size_t)threads)) return WEFT_ENOMEM;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++) {
        uint64_t first = rows / (uint64_t)threads * (uint64_t)t,
                 end = t + 1 < threads ? first + rows / (uint64_t)threads : rows;
        weft_status st = wfi_alloc_zeroed(m->ctx, &uses[t].met, (size_t)(from->texts + 63) / 64);
        wfi_keep_status(&status, st ? st : list_uses(m, i, first, end, &uses[t]));
    }
    weft_status st = (weft_status)status == WEFT_ECANCELLED ? wfi_fail_cancelled(m->ctx) : (weft_status)status;
    for (int t = 0; t < threads; t++) {
        for (size_t k = 0; k < uses[t].count && !st; k++) st = copy_text(m, from, uses[t].text[k], &number);
        WFI_FREE(uses[t].text, uses[t].met);
    }
    wfi_free(uses);
    return st;
}

static uint64_t renumber(const making *m, size_t i, uint64_t k, uint64_t end) {
    uint32_t *to = (uint32_t *)(m->values + m->entries[i].at);
    for (; k < end; k++)
        if (!m->entries[i].missing || row_of(source_at(m, i), k) != WFI_NO_RECORD) to[k] = m->known[to[k]] - 1;
    return 0;
}

static weft_status copy_texts(making *m, size_t i) {
    const wfi_column_source *from = source_at(m, i);
    uint32_t *to = (uint32_t *)(m->values + m->entries[i].at);
    uint64_t rows = wfi_column_rows(m->fresh, i), none;
    weft_status st = know_pool(m, from, rows);
    if (!st && m->known) {
        st = know_uses(m, i, rows);
        return st ? st : in_pieces(m, i, renumber, &none);
    }
    for (uint64_t k = 0; k < rows && !st; k++) {
        uint64_t row = row_of(from, k);
        if (k % POLL == 0 && wfi_cancelled(m->ctx)) return wfi_fail_cancelled(m->ctx);
        to[k] = 0;
        if (row != WFI_NO_RECORD) st = copy_text(m, from, ((const uint32_t *)from->values)[row], &to[k]);
    }
    return st;
}

static uint64_t copy_numbers(const making *m, size_t i, uint64_t k, uint64_t end) {
    const wfi_column_source *from = source_at(m, i);
    size_t each = wfi_attribute_bytes((uint32_t)from->type);
    char *to = m->values + m->entries[i].at;
    const char *values = from->values;
    if (each == 8 && from->record && !m->entries[i].missing)
        for (; k < end; k++) memcpy(to + k * 8, values + from->record[k] * 8, 8);
    for (; k < end; k++) {
        uint64_t row = row_of(from, k);
        memset(to + k * each, 0, each);
        if (row != WFI_NO_RECORD) memcpy(to + k * each, values + row * each, each);
    }
    return 0;
}

static uint64_t copy_bits(const making *m, size_t i, uint64_t k, uint64_t end) {
    uint8_t *valid = (uint8_t *)(uintptr_t)wfi_column_valid(m->fresh, i);
    memset(valid + (k >> 3), 0, bit_bytes(end - k));
    for (; k < end; k++)
        if (row_of(source_at(m, i), k) != WFI_NO_RECORD) valid[k >> 3] |= (uint8_t)(1u << (k & 7));
    return 0;
}

static weft_status copy_column(making *m, size_t i) {
    uint64_t none;
    weft_status st =
        source_at(m, i)->type == WEFT_ATTRIBUTE_TEXT ? copy_texts(m, i) : in_pieces(m, i, copy_numbers, &none);
    return st || !m->entries[i].missing ? st : in_pieces(m, i, copy_bits, &none);
}

/* The new columns take over the pool's arrays, shrunk to their size. */
static weft_status take_pool(making *m) {
    wfi_names *p = m->pool;
    uint64_t *starts = wfi_resize(m->ctx, p->start, p->count + 1, sizeof *starts);
    if (!starts) return WEFT_ENOMEM;
    p->start = starts;
    char *text = wfi_resize(m->ctx, p->text, p->text_used, 1);
    if (!text) return WEFT_ENOMEM;
    m->fresh->texts = p->count;
    m->fresh->starts = starts;
    m->fresh->text = text;
    p->text = NULL;
    p->start = NULL;
    return WEFT_OK;
}

static weft_status make(making *m) {
    if (!(m->fresh = wfi_take_zeroed(m->ctx, 1, sizeof *m->fresh))) return WEFT_ENOMEM;
    if (!(m->pool = wfi_names_new(m->ctx)) || wfi_alloc(m->ctx, &m->entries, columns_of(m))) return WEFT_ENOMEM;
    m->fresh->count = m->of->count;
    m->fresh->edge_count = m->of->edge_count;
    m->fresh->rows = m->of->n;
    m->fresh->arcs = m->of->arcs;
    m->fresh->entries = m->entries;
    weft_status st = lay_out(m);
    for (size_t i = 0; i < columns_of(m) && !st; i++) st = copy_column(m, i);
    if (!st) st = take_pool(m);
    return st ? st : wfi_vertex_data_name(m->ctx, m->fresh);
}

weft_status wfi_columns_make(weft_ctx *ctx, const wfi_column_sources *of, wfi_vertex_data **out) {
    making m = {.ctx = ctx, .of = of};
    const weft_graph nobody = {0}; /* no mapping, so wfi_vertex_data_free frees all arrays */
    weft_status st = make(&m);
    if (st)
        wfi_vertex_data_free(&nobody, m.fresh);
    else
        *out = m.fresh;
    wfi_names_free(m.pool);
    wfi_free(m.known);
    return st;
}

weft_status wfi_vertex_data_make(weft_ctx *ctx, weft_vid n, const wfi_column_source *from, size_t count,
                                 wfi_vertex_data **out) {
    return wfi_columns_make(ctx, &(wfi_column_sources){.n = n, .from = from, .count = count}, out);
}

/* --- columns of graphs --------------------------------------------------------------------------- */

/* Makes sources of the columns first ... first + count - 1. */
static weft_status list_columns(weft_ctx *ctx, const wfi_vertex_data *c, size_t first, size_t count,
                                wfi_column_source **from) {
    if (wfi_alloc(ctx, from, count)) return WEFT_ENOMEM;
    for (size_t i = 0; i < count; i++) (*from)[i] = wfi_column_as_source(c, first + i);
    return WEFT_OK;
}

static weft_status remake(weft_ctx *ctx, weft_graph *g, wfi_column_sources *of) {
    wfi_vertex_data *fresh = NULL;
    of->n = g->n;
    of->arcs = g->arcs;
    weft_status st = of->count || of->edge_count ? wfi_columns_make(ctx, of, &fresh) : WEFT_OK;
    if (st) return st;
    wfi_vertex_data_free(g, g->attributes);
    g->attributes = fresh;
    return WEFT_OK;
}

weft_status wfi_vertex_data_replace(weft_ctx *ctx, weft_graph *g, const wfi_column_source *from, size_t count) {
    wfi_column_source *stay = NULL;
    size_t others = wfi_edge_column_count(g);
    weft_status st = others ? list_columns(ctx, g->attributes, g->attributes->count, others, &stay) : WEFT_OK;
    if (!st)
        st = remake(ctx, g,
                    &(wfi_column_sources){.from = from, .count = count, .edge_from = stay, .edge_count = others});
    wfi_free(stay);
    return st;
}

weft_status wfi_edge_data_replace(weft_ctx *ctx, weft_graph *g, const wfi_column_source *from, size_t count) {
    wfi_column_source *stay = NULL;
    size_t others = g->attributes ? g->attributes->count : 0;
    weft_status st = others ? list_columns(ctx, g->attributes, 0, others, &stay) : WEFT_OK;
    if (!st)
        st = remake(ctx, g,
                    &(wfi_column_sources){.from = stay, .count = others, .edge_from = from, .edge_count = count});
    wfi_free(stay);
    return st;
}

weft_status wfi_vertex_data_copy(weft_ctx *ctx, const weft_graph *g, const weft_vid *row, weft_graph *fresh) {
    const wfi_vertex_data *c = g->attributes;
    wfi_column_source *from;
    if (!c || !c->count) return WEFT_OK;
    weft_status st = list_columns(ctx, c, 0, c->count, &from);
    for (size_t i = 0; i < c->count && !st; i++) from[i].row = row;
    if (!st) st = wfi_vertex_data_replace(ctx, fresh, from, c->count);
    wfi_free(from);
    return st;
}

weft_status wfi_edge_data_copy(weft_ctx *ctx, const weft_graph *g, const uint64_t *record, weft_graph *fresh) {
    const wfi_vertex_data *c = g->attributes;
    wfi_column_source *from;
    if (!c || !c->edge_count) return WEFT_OK;
    weft_status st = list_columns(ctx, c, c->count, c->edge_count, &from);
    for (size_t i = 0; i < c->edge_count && !st; i++) from[i].record = record;
    if (!st) st = wfi_edge_data_replace(ctx, fresh, from, c->edge_count);
    wfi_free(from);
    return st;
}
