/* Results: columns and scalars that an algorithm adds and a caller reads.  A column of a run on the GPU may stay there;
 * it is copied to the host when a caller asks for it. */
#include "core/context.h"
#include "core/stages.h"
#include "cuda/device.h"
#include "engines/kahn/kahn.h"
#include "run/algorithm.h"

#include <pthread.h>
#include <string.h>

enum { MOST_COLUMNS = 40, MOST_SCALARS = 16, MOST_SIZE = 1 << 12 /* of a caller's weft_column */ };

struct weft_result {
    wfi_pool *pool; /* NULL: blocks of their own */
    size_t columns, scalars;
    weft_column column[MOST_COLUMNS];
    struct wfi_device_block *on_device[MOST_COLUMNS]; /* NULL: not on the GPU */
    bool away[MOST_COLUMNS];                          /* only on the GPU */
    pthread_mutex_t lock;                             /* guards `away` */
    weft_scalar scalar[MOST_SCALARS];
    size_t stages;
    weft_stage stage[WFI_MOST_STAGES];
};

weft_result *wfi_result_new(weft_ctx *ctx, wfi_pool *pool) {
    weft_result *r = pool ? wfi_pool_take(ctx, pool, 1, sizeof *r) : wfi_take(ctx, 1, sizeof *r);
    if (!r) return NULL;
    memset(r, 0, sizeof *r);
    pthread_mutex_init(&r->lock, NULL);
    r->pool = pool ? wfi_pool_keep(pool) : NULL;
    return r;
}

double wfi_iterations_of(const weft_result *r) {
    const weft_scalar *iterations = weft_result_scalar(r, "iterations");
    return iterations ? (double)iterations->value.u64 : 0;
}

uint64_t wfi_result_bytes(void) { return wfi_taken_bytes(sizeof(weft_result)); }

static void give(wfi_pool *pool, void *block) {
    if (pool)
        wfi_pool_give(pool, block);
    else
        wfi_free(block);
}

void weft_result_free(weft_result *r) {
    if (!r) return;
    wfi_pool *pool = r->pool;
    for (size_t i = 0; i < r->columns; i++) {
        give(pool, (void *)(uintptr_t)r->column[i].data);
        if (r->on_device[i]) wfi_device_block_free(r->on_device[i]);
    }
    pthread_mutex_destroy(&r->lock);
    give(pool, r);
    wfi_pool_release(pool);
}

size_t weft_type_size(weft_type type) {
    switch (type) {
    case WEFT_NONE: break;
    case WEFT_U8:
    case WEFT_I8: return 1;
    case WEFT_U16:
    case WEFT_I16:
    case WEFT_F16:
    case WEFT_BF16: return 2;
    case WEFT_U32:
    case WEFT_I32:
    case WEFT_F32:
    case WEFT_VERTEX: return 4;
    case WEFT_U64:
    case WEFT_I64:
    case WEFT_F64: return 8;
    }
    return 0;
}

/* --- columns on the GPU ---------------------------------------------------------- */

void wfi_result_residents_begin(weft_ctx *ctx, bool on_gpu) {
    wfi_residents *s = wfi_ctx_residents(ctx);
    s->open = on_gpu;
    s->count = s->touched = 0;
}

static void note_column(weft_ctx *ctx, void *data, size_t bytes) {
    wfi_residents *s = wfi_ctx_residents(ctx);
    if (s->open && bytes && s->count < WFI_MOST_RESIDENTS) s->at[s->count++] = (wfi_resident){data, bytes, NULL};
}

static size_t column_of(const weft_result *r, const void *data) {
    size_t i = 0;
    while (i < r->columns && r->column[i].data != data) i++;
    return i;
}

void wfi_result_residents_end(weft_ctx *ctx, weft_result *r) {
    wfi_residents *s = wfi_ctx_residents(ctx);
    for (size_t i = 0; i < s->count; i++) {
        size_t at = r ? column_of(r, s->at[i].host) : 0;
        if (!s->at[i].block) continue;
        if (!r || at == r->columns) {
            wfi_device_block_free(s->at[i].block);
            continue;
        }
        r->on_device[at] = s->at[i].block;
        r->away[at] = true;
    }
    s->open = false;
    s->count = s->touched = 0;
}

/* The column with its data on the host; NULL if the copy from the GPU fails. */
static const weft_column *bring(const weft_result *r, size_t i) {
    weft_result *own = (weft_result *)(uintptr_t)r; /* the values stay the same; only their place changes */
    pthread_mutex_lock(&own->lock);
    if (r->away[i] && wfi_device_block_download(r->on_device[i], (void *)(uintptr_t)r->column[i].data))
        own->away[i] = false;
    bool there = !r->away[i];
    pthread_mutex_unlock(&own->lock);
    return there ? &r->column[i] : NULL;
}

const void *weft_result_device_column(const weft_result *r, const char *column) {
    for (size_t i = 0; r && column && i < r->columns; i++)
        if (!strcmp(r->column[i].name, column))
            return r->on_device[i] ? wfi_device_block_export(r->on_device[i]) : NULL;
    return NULL;
}

weft_status weft_result_look_at(const weft_result *r, size_t i, weft_column *out) {
    size_t size;
    if (!r || !out) return WEFT_EINVAL;
    memcpy(&size, out, sizeof size);
    if (size < sizeof size || size > MOST_SIZE) return WEFT_EINVAL;
    memset((char *)out + sizeof size, 0, size - sizeof size);
    if (i >= r->columns) return WEFT_ENOTFOUND;
    weft_column column = r->column[i];
    pthread_mutex_lock(&((weft_result *)(uintptr_t)r)->lock);
    if (r->away[i]) column.data = NULL;
    pthread_mutex_unlock(&((weft_result *)(uintptr_t)r)->lock);
    column.size = size;
    memcpy(out, &column, size < sizeof column ? size : sizeof column);
    return WEFT_OK;
}

/* --- columns and scalars ------------------------------------------------------------ */

static weft_status refuse_column(weft_ctx *ctx) {
    return wfi_fail(ctx, WEFT_EINVAL, "a result has at most %d columns", MOST_COLUMNS);
}

/* `column` lacks its data: length times `each` bytes. */
static weft_status add_column(weft_ctx *ctx, weft_result *r, weft_column column, size_t each, void *data_out) {
    if (r->columns == MOST_COLUMNS) return refuse_column(ctx);
    void *data = r->pool ? wfi_pool_take(ctx, r->pool, column.length, each) : wfi_take(ctx, column.length, each);
    if (!data) return WEFT_ENOMEM;
    column.data = data;
    r->column[r->columns++] = column;
    note_column(ctx, data, column.length * each);
    memcpy(data_out, &data, sizeof data);
    return WEFT_OK;
}

weft_column wfi_new_column(const char *name, weft_type type, weft_shape shape, size_t length) {
    return (weft_column){sizeof(weft_column), name, type, shape, length, NULL, 0};
}

weft_status wfi_result_column(weft_ctx *ctx, weft_result *r, weft_column column, void *data_out) {
    return add_column(ctx, r, column, weft_type_size(column.type), data_out);
}

weft_status wfi_result_column_like(weft_ctx *ctx, weft_result *r, const weft_column *like, size_t length) {
    weft_column column = *like;
    void *data;
    column.length = length;
    return add_column(ctx, r, column, (like->width ? like->width : 1) * weft_type_size(like->type), &data);
}

/* Measures the column, or makes it if there is a result. */
static void lay_column(wfi_workspace *w, weft_column column, uint64_t each, void *place) {
    uint64_t bytes;
    if (__builtin_mul_overflow((uint64_t)column.length, each, &bytes)) bytes = UINT64_MAX / 2;
    bytes = wfi_taken_bytes(bytes);
    w->columns = w->columns > UINT64_MAX - bytes ? UINT64_MAX : w->columns + bytes;
    if (w->result && !w->status) w->status = add_column(w->ctx, w->result, column, (size_t)each, place);
}

void wfi_column(wfi_workspace *w, const char *name, weft_type type, uint64_t length, void *place) {
    lay_column(w, wfi_new_column(name, type, WEFT_SHAPE_VERTICES, (size_t)length), weft_type_size(type), place);
}

void wfi_edge_column(wfi_workspace *w, const char *name, weft_type type, uint64_t edges, void *place) {
    lay_column(w, wfi_new_column(name, type, WEFT_SHAPE_EDGES, (size_t)edges), weft_type_size(type), place);
}

void wfi_table_column(wfi_workspace *w, const char *name, weft_type type, uint64_t length, void *place) {
    lay_column(w, wfi_new_column(name, type, WEFT_SHAPE_TABLE, (size_t)length), weft_type_size(type), place);
}

void wfi_column_matrix(wfi_workspace *w, const char *name, weft_type type, uint64_t rows, uint64_t width, void *place) {
    uint64_t each;
    if (__builtin_mul_overflow(width, (uint64_t)weft_type_size(type), &each)) each = UINT64_MAX / 2;
    weft_column column = wfi_new_column(name, type, WEFT_SHAPE_VERTICES, (size_t)rows);
    column.width = (size_t)width;
    lay_column(w, column, each, place);
}

weft_status wfi_column_of_grown(wfi_workspace *w, const char *name, weft_type type, size_t length, void *block) {
    weft_result *r = w->result;
    if (r->columns == MOST_COLUMNS) return refuse_column(w->ctx);
    wfi_grown_release(w, block);
    r->column[r->columns] = wfi_new_column(name, type, WEFT_SHAPE_TABLE, length);
    r->column[r->columns++].data = block;
    note_column(w->ctx, block, length * weft_type_size(type));
    return WEFT_OK;
}

void wfi_grown_column(wfi_workspace *w, const char *name, weft_type type, uint64_t length, void *place) {
    void *block = w->status ? NULL : wfi_grow(w, length, weft_type_size(type));
    if (block) w->status = wfi_column_of_grown(w, name, type, (size_t)length, block);
    if (w->status) block = NULL;
    memcpy(place, &block, sizeof block);
}

weft_status wfi_cycle_column(wfi_workspace *w, const wfi_cycle *cycle) {
    weft_vid *none;
    if (cycle->length) return wfi_column_of_grown(w, "cycle", WEFT_VERTEX, cycle->length, cycle->vertex);
    wfi_table_column(w, "cycle", WEFT_VERTEX, 0, &none);
    return w->status;
}

static weft_status add_scalar(weft_ctx *ctx, weft_result *r, weft_scalar s) {
    if (r->scalars == MOST_SCALARS) return wfi_fail(ctx, WEFT_EINVAL, "a result has at most %d scalars", MOST_SCALARS);
    r->scalar[r->scalars++] = s;
    return WEFT_OK;
}

weft_status wfi_result_scalar_u64(weft_ctx *ctx, weft_result *r, const char *name, uint64_t value) {
    return add_scalar(ctx, r, (weft_scalar){sizeof(weft_scalar), name, WEFT_U64, {.u64 = value}});
}

weft_status wfi_result_scalar_f64(weft_ctx *ctx, weft_result *r, const char *name, double value) {
    return add_scalar(ctx, r, (weft_scalar){sizeof(weft_scalar), name, WEFT_F64, {.f64 = value}});
}

weft_status wfi_result_scalars(weft_ctx *ctx, weft_result *r, const weft_scalar *scalars, size_t count) {
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < count && !st; i++) st = add_scalar(ctx, r, scalars[i]);
    return st;
}

weft_status weft_result_new(weft_ctx *ctx, weft_result **out) {
    if (out) *out = NULL;
    WFI_BEGIN_WITH_OR_RETURN(ctx, out);
    *out = wfi_result_new(ctx, NULL);
    return *out ? WEFT_OK : WEFT_ENOMEM;
}

weft_status weft_result_add_column(weft_ctx *ctx, weft_result *r, const weft_column *given) {
    WFI_BEGIN_WITH_OR_RETURN(ctx, r);
    if (!given) return wfi_fail_parameter(ctx, "column", "weft_result_add_column: column is NULL");
    weft_column column = WEFT_COLUMN_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_column", given, &column, sizeof column);
    if (st) return st;
    if (!column.name || (!column.data && column.length))
        return wfi_fail(ctx, WEFT_EINVAL, "weft_result_add_column: %s is NULL", column.name ? "data" : "name");
    if (column.type < WEFT_U32 || column.type > WEFT_BF16 || (unsigned)column.shape > WEFT_SHAPE_EDGES)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_result_add_column: invalid type or shape");
    size_t width = column.width ? column.width : 1;
    if (width > SIZE_MAX / weft_type_size(column.type))
        return wfi_fail(ctx, WEFT_ENOMEM, "out of memory: %zu columns", width);
    size_t each = width * weft_type_size(column.type);
    const void *values = column.data;
    void *data = NULL;
    st = add_column(ctx, r, column, each, &data);
    if (!st && column.length) memcpy(data, values, column.length * each);
    return st;
}

weft_status weft_result_add_scalar(weft_ctx *ctx, weft_result *r, const weft_scalar *given) {
    WFI_BEGIN_WITH_OR_RETURN(ctx, r);
    if (!given) return wfi_fail(ctx, WEFT_EINVAL, "weft_result_add_scalar: scalar is NULL");
    weft_scalar scalar = WEFT_SCALAR_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_scalar", given, &scalar, sizeof scalar);
    if (!st && !scalar.name) st = wfi_fail(ctx, WEFT_EINVAL, "weft_result_add_scalar: name is NULL");
    return st ? st : add_scalar(ctx, r, scalar);
}

/* Stage 0 has the remaining time, and comes last. */
void wfi_result_stages(weft_ctx *ctx, weft_result *r) {
    const wfi_stages *s = wfi_ctx_stages(ctx);
    for (size_t i = 1; i <= s->count; i++) r->stage[r->stages++] = s->at[i % s->count];
}

size_t weft_result_stage_count(const weft_result *r) { return r ? r->stages : 0; }
const weft_stage *weft_result_stage_at(const weft_result *r, size_t i) {
    return r && i < r->stages ? &r->stage[i] : NULL;
}

size_t weft_result_column_count(const weft_result *r) { return r ? r->columns : 0; }
size_t weft_result_scalar_count(const weft_result *r) { return r ? r->scalars : 0; }
const weft_column *weft_result_column_at(const weft_result *r, size_t i) {
    return r && i < r->columns ? bring(r, i) : NULL;
}
const weft_scalar *weft_result_scalar_at(const weft_result *r, size_t i) {
    return r && i < r->scalars ? &r->scalar[i] : NULL;
}

const weft_column *weft_result_column(const weft_result *r, const char *name) {
    for (size_t i = 0; r && name && i < r->columns; i++)
        if (!strcmp(r->column[i].name, name)) return bring(r, i);
    return NULL;
}

const weft_scalar *weft_result_scalar(const weft_result *r, const char *name) {
    for (size_t i = 0; r && name && i < r->scalars; i++)
        if (!strcmp(r->scalar[i].name, name)) return &r->scalar[i];
    return NULL;
}

static const void *typed(const weft_result *r, const char *name, weft_type type) {
    const weft_column *c = weft_result_column(r, name);
    bool fits = c && (c->type == type || (c->type == WEFT_VERTEX && type == WEFT_U32));
    return fits ? c->data : NULL;
}

const uint16_t *weft_result_u16(const weft_result *r, const char *column) {
    const void *halves = typed(r, column, WEFT_F16);
    return halves ? halves : typed(r, column, WEFT_BF16);
}
const uint32_t *weft_result_u32(const weft_result *r, const char *column) { return typed(r, column, WEFT_U32); }
const uint64_t *weft_result_u64(const weft_result *r, const char *column) { return typed(r, column, WEFT_U64); }
const int64_t *weft_result_i64(const weft_result *r, const char *column) { return typed(r, column, WEFT_I64); }
const float *weft_result_f32(const weft_result *r, const char *column) { return typed(r, column, WEFT_F32); }
const double *weft_result_f64(const weft_result *r, const char *column) { return typed(r, column, WEFT_F64); }
