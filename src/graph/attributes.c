/* The store of attributes (attributes.h): layout, and making columns from others.
 * Method: the vertices without a value are counted first, which gives the layout; then values are copied, and texts are
 * numbered anew by first use, so that the pool has no text that no column uses. */
#include "graph/attributes.h"
#include "core/scan.h"
#include "graph/edges.h"

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

/* With fewer than 2^32 rows a column takes less than 2^36 bytes, so that no sum here wraps. */
static uint64_t aligned(uint64_t at) { return (at + WFI_COLUMN_ALIGNMENT - 1) & ~(uint64_t)(WFI_COLUMN_ALIGNMENT - 1); }

static uint64_t bit_bytes(weft_vid rows) { return ((uint64_t)rows + 7) / 8; }

bool wfi_vertex_data_lay_out(weft_vid rows, uint32_t type, bool missing, uint64_t *at, uint64_t *end) {
    if (*end >> 62) return false;
    *at = aligned(*end);
    *end = *at + rows * (uint64_t)wfi_attribute_bytes(type);
    if (missing) *end = aligned(*end) + bit_bytes(rows);
    return true;
}

const uint8_t *wfi_column_valid(const wfi_vertex_data *c, size_t i) {
    const wfi_column_entry *e = &c->entries[i];
    if (!e->missing) return NULL;
    return (const uint8_t *)c->values + aligned(e->at + c->rows * (uint64_t)wfi_attribute_bytes(e->type));
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
    size_t bytes = c->count * sizeof *c->names, length;
    for (size_t i = 0; i < c->count; i++) {
        wfi_column_text(c, c->entries[i].name, &length);
        bytes += length + 1;
    }
    if (!(c->names = wfi_take(ctx, bytes, 1))) return WEFT_ENOMEM;
    char *to = (char *)(c->names + c->count);
    for (size_t i = 0; i < c->count; i++) {
        const char *name = wfi_column_text(c, c->entries[i].name, &length);
        c->names[i] = to;
        memcpy(to, name, length);
        to[length] = '\0';
        to += length + 1;
    }
    return WEFT_OK;
}

/* --- making ----------------------------------------------------------------------------------- */

typedef struct making {
    weft_ctx *ctx;
    weft_vid n;
    wfi_vertex_data *fresh;
    wfi_column_entry *entries;
    char *values;
    wfi_names *pool;
    uint32_t *known; /* text of `known_of` -> its number in the pool, and 1 more; 0: not seen */
    const uint64_t *known_of;
} making;

/* The row of vertex v that has a value, WEFT_NO_VERTEX if there is none. */
static inline weft_vid row_of(const wfi_column_source *from, weft_vid v) {
    weft_vid row = from->row ? from->row[v] : v;
    return row == WEFT_NO_VERTEX || !wfi_has_bit(from->valid, row) ? WEFT_NO_VERTEX : row;
}

static weft_status count_missing(const making *m, const wfi_column_source *from, uint64_t *missing) {
    *missing = 0;
    if (!from->row && !from->valid) return WEFT_OK;
    for (weft_vid v = 0; v < m->n; v++) {
        if (v % POLL == 0 && wfi_cancelled(m->ctx)) return wfi_fail_cancelled(m->ctx);
        *missing += row_of(from, v) == WEFT_NO_VERTEX;
    }
    return WEFT_OK;
}

static weft_status lay_out(making *m, const wfi_column_source *from, size_t count) {
    uint64_t end = 0;
    for (size_t i = 0; i < count; i++) {
        wfi_column_entry *e = &m->entries[i];
        *e = (wfi_column_entry){
            .owner = WFI_OF_VERTICES, .type = (uint32_t)from[i].type, .form = (uint32_t)from[i].form};
        weft_status st = count_missing(m, &from[i], &e->missing);
        if (!st && !wfi_vertex_data_lay_out(m->n, e->type, e->missing, &e->at, &end))
            st = wfi_fail(m->ctx, WEFT_EUNSUPPORTED, "the attributes are too large: more than 2^62 bytes");
        if (!st) st = wfi_names_number(m->ctx, m->pool, from[i].name, strlen(from[i].name), &e->name);
        if (st) return st;
    }
    m->fresh->value_bytes = end;
    m->values = wfi_take_zeroed(m->ctx, (size_t)end, 1);
    m->fresh->values = m->values;
    return m->values ? WEFT_OK : WEFT_ENOMEM;
}

/* Many values of a pool: each of its texts is looked up once. */
static weft_status know_pool(making *m, const wfi_column_source *from) {
    if (m->known && m->known_of == from->starts) return WEFT_OK;
    wfi_free(m->known);
    m->known = NULL;
    if (from->texts > m->n) return WEFT_OK;
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

static weft_status copy_texts(making *m, const wfi_column_source *from, uint32_t *to) {
    weft_status st = know_pool(m, from);
    for (weft_vid v = 0; v < m->n && !st; v++) {
        weft_vid row = row_of(from, v);
        if (v % POLL == 0 && wfi_cancelled(m->ctx)) return wfi_fail_cancelled(m->ctx);
        if (row != WEFT_NO_VERTEX) st = copy_text(m, from, ((const uint32_t *)from->values)[row], &to[v]);
    }
    return st;
}

static weft_status copy_numbers(const making *m, const wfi_column_source *from, char *to) {
    size_t each = wfi_attribute_bytes((uint32_t)from->type);
    for (weft_vid v = 0; v < m->n; v++) {
        weft_vid row = row_of(from, v);
        if (v % POLL == 0 && wfi_cancelled(m->ctx)) return wfi_fail_cancelled(m->ctx);
        if (row != WEFT_NO_VERTEX) memcpy(to + v * each, (const char *)from->values + row * each, each);
    }
    return WEFT_OK;
}

static weft_status copy_column(making *m, const wfi_column_source *from, size_t i) {
    const wfi_column_entry *e = &m->entries[i];
    weft_status st = from->type == WEFT_ATTRIBUTE_TEXT ? copy_texts(m, from, (uint32_t *)(m->values + e->at))
                                                       : copy_numbers(m, from, m->values + e->at);
    uint8_t *valid = (uint8_t *)(uintptr_t)wfi_column_valid(m->fresh, i);
    for (weft_vid v = 0; v < m->n && valid && !st; v++) {
        if (v % POLL == 0 && wfi_cancelled(m->ctx)) st = wfi_fail_cancelled(m->ctx);
        if (row_of(from, v) != WEFT_NO_VERTEX) valid[v >> 3] |= (uint8_t)(1u << (v & 7));
    }
    return st;
}

/* The pool's arrays become the columns', without the room to grow. */
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

static weft_status make(making *m, const wfi_column_source *from, size_t count) {
    if (!(m->fresh = wfi_take_zeroed(m->ctx, 1, sizeof *m->fresh))) return WEFT_ENOMEM;
    if (!(m->pool = wfi_names_new(m->ctx)) || wfi_alloc(m->ctx, &m->entries, count)) return WEFT_ENOMEM;
    m->fresh->count = count;
    m->fresh->rows = m->n;
    m->fresh->entries = m->entries;
    weft_status st = lay_out(m, from, count);
    for (size_t i = 0; i < count && !st; i++) st = copy_column(m, &from[i], i);
    if (!st) st = take_pool(m);
    return st ? st : wfi_vertex_data_name(m->ctx, m->fresh);
}

weft_status wfi_vertex_data_make(weft_ctx *ctx, weft_vid n, const wfi_column_source *from, size_t count,
                                 wfi_vertex_data **out) {
    making m = {.ctx = ctx, .n = n};
    const weft_graph nobody = {0}; /* none of the arrays lies in a mapping */
    weft_status st = make(&m, from, count);
    if (st)
        wfi_vertex_data_free(&nobody, m.fresh);
    else
        *out = m.fresh;
    wfi_names_free(m.pool);
    wfi_free(m.known);
    return st;
}

weft_status wfi_vertex_data_carry(weft_ctx *ctx, const weft_graph *g, const weft_vid *row, weft_graph *fresh) {
    const wfi_vertex_data *c = g->attributes;
    wfi_column_source *from;
    if (!c) return WEFT_OK;
    if (wfi_alloc(ctx, &from, c->count)) return WEFT_ENOMEM;
    for (size_t i = 0; i < c->count; i++) {
        from[i] = wfi_column_as_source(c, i);
        from[i].row = row;
    }
    weft_status st = wfi_vertex_data_make(ctx, fresh->n, from, c->count, &fresh->attributes);
    wfi_free(from);
    return st;
}
