/* See typed.h: which columns, and the batches by threads. */
#include "io/columnar/typed.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { SHARE = 1 << 14 /* rows that are worth a thread */, CELLS = 1 << 18 /* of all slots that a thread fills */ };

/* --- faults ------------------------------------------------------------------------ */

weft_status wfi_fault_at(wfi_fault *fault, weft_status status, uint64_t line, uint64_t column, const char *format,
                         ...) {
    WFI_FORMAT(fault->text, sizeof fault->text, format);
    fault->status = status;
    fault->line = line;
    fault->column = column;
    return status;
}

weft_status wfi_fault_report(weft_ctx *ctx, const wfi_source *source, const wfi_fault *fault) {
    wfi_fail_at(ctx, wfi_source_name(source), fault->line, fault->column, "%s", fault->text);
    return fault->status;
}

void wfi_show_text(char sample[WFI_SAMPLE], const char *text, size_t length) {
    size_t used = 0;
    for (; used < length && used + 1 < WFI_SAMPLE; used++)
        sample[used] = (unsigned char)text[used] < 0x20 || text[used] == 0x7f ? '?' : text[used];
    sample[used] = '\0';
}

void wfi_show_cell(char sample[WFI_SAMPLE], wfi_type type, wfi_cell cell) {
    if (type == WFI_TYPE_REAL)
        snprintf(sample, WFI_SAMPLE, "%.9g", cell.d);
    else if (type == WFI_TYPE_UINT)
        snprintf(sample, WFI_SAMPLE, "%llu", (wfi_ull)cell.i);
    else
        snprintf(sample, WFI_SAMPLE, "%lld", (long long)cell.i);
}

/* --- the choice ---------------------------------------------------------------------- */

static wfi_column_kind kind_of(wfi_type type) {
    switch (type) {
    case WFI_TYPE_INT:
    case WFI_TYPE_UINT: return WFI_COLUMN_INTEGERS;
    case WFI_TYPE_REAL: return WFI_COLUMN_NUMBERS;
    case WFI_TYPE_TIME: return WFI_COLUMN_TIMES;
    case WFI_TYPE_NOTHING: return WFI_COLUMN_EMPTY;
    default: return WFI_COLUMN_TEXT;
    }
}

/* Gephi's column of "Directed" and "Undirected". */
static bool may_tell_direction(const wfi_typed *t, const wfi_typed_column *c) {
    static const char *const names[] = {"type", "edgetype", "edge_type", "edge type"};
    if (t->params->direction != WEFT_AS_FILE || c->type != WFI_TYPE_TEXT) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == c->name_length && !strncasecmp(names[i], c->name, c->name_length)) return true;
    return false;
}

static weft_status fail_column(const wfi_typed *t, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static weft_status fail_column(const wfi_typed *t, int column, const char *format, ...) {
    char text[256], name[WFI_SAMPLE];
    WFI_FORMAT(text, sizeof text, format);
    const wfi_typed_column *c = &t->column[column];
    wfi_show_text(name, c->name, c->name_length);
    return wfi_fail_at(t->ctx, wfi_source_name(t->source), 1, (uint64_t)column + 1, "column '%s' holds %s%s", name,
                       c->type_name, text);
}

/* --- the columns to read --------------------------------------------------------------------------- */

/* Slots for the roles and `more` further columns. */
static weft_status make_slots(wfi_typed *t, size_t more) {
    size_t count = WFI_ROLES + more;
    if (wfi_alloc(t->ctx, &t->of, count)) return WEFT_ENOMEM;
    for (size_t i = 0; i < count; i++) t->of[i] = -1;
    t->slots = (wfi_picked){t->of, count};
    t->chunk = (size_t)wfi_min_u64(WFI_CHUNK, CELLS / count + 1);
    return WEFT_OK;
}

/* Columns of edges to keep, and columns of the condition. */
static weft_status take_fields(wfi_typed *t) {
    wfi_edge_fields *f = t->choice.fields;
    for (size_t i = 0; f && i < f->count; i++) {
        int column = f->column[i], type = wfi_typed_declares(&t->column[column]);
        if (type < 0) return fail_column(t, column, ", which cannot be kept or asked of edges");
        t->of[WFI_ROLES + i] = column;
        f->types[i] |= 1u << type;
    }
    return WEFT_OK;
}

static bool is_integer(wfi_type type) { return type == WFI_TYPE_INT || type == WFI_TYPE_UINT; }

static weft_status check_end(const wfi_typed *t, int column) {
    wfi_type type = t->column[column].type;
    if (is_integer(type) || type == WFI_TYPE_TEXT) return WEFT_OK;
    if (type == WFI_TYPE_BYTES && t->params->ids == WEFT_READ_IDS_STRING) return WEFT_OK;
    if (type == WFI_TYPE_BYTES)
        return fail_column(t, column, ", which the file does not mark as text (`ids=string` takes it as names)");
    return fail_column(t, column, ", which cannot be ids: write whole numbers or text%s",
                       type == WFI_TYPE_REAL ? " (pandas: astype('int64'))" : "");
}

static weft_status check_ids(wfi_typed *t) {
    const wfi_typed_column *c = t->column;
    int from = t->choice.source, to = t->choice.target;
    weft_status st = check_end(t, from);
    if (!st) st = check_end(t, to);
    if (st) return st;
    bool numbers = is_integer(c[from].type);
    t->names = t->params->ids == WEFT_READ_IDS_STRING || (t->params->ids == WEFT_READ_IDS_AUTO && !numbers);
    if (t->params->ids == WEFT_READ_IDS_AUTO && numbers != is_integer(c[to].type))
        return fail_column(
            t, numbers ? from : to,
            ", but the other end is text: `ids=string` takes both as names, `ids=integer` both as numbers");
    if (t->names && t->params->vertices)
        return wfi_fail(t->ctx, WEFT_EINVAL, "%s: `vertices` makes the ids 0 to N-1, so they cannot be names too",
                        wfi_source_name(t->source));
    return WEFT_OK;
}

static weft_status check_weight(const wfi_typed *t) {
    int column = t->choice.weight;
    wfi_type type = column < 0 ? WFI_TYPE_REAL : t->column[column].type;
    if (is_integer(type) || type == WFI_TYPE_REAL) return WEFT_OK;
    return fail_column(t, column, ", which cannot be weights (`weights=ignore` reads without)");
}

static weft_status choose_nodes(wfi_typed *t) {
    weft_status st = make_slots(t, t->count);
    return st ? st : wfi_typed_choose_nodes(t);
}

weft_status wfi_typed_choose(wfi_typed *t, wfi_sample_fn sample, void *user) {
    if (t->nodes) return choose_nodes(t);
    char(*samples)[WFI_SAMPLE] = wfi_take_zeroed(t->ctx, t->count + 1, sizeof *samples);
    weft_status st = samples ? wfi_alloc_zeroed(t->ctx, &t->shown, t->count + 1) : WEFT_ENOMEM;
    if (st) goto done;
    for (size_t i = 0; i < t->count; i++) {
        const wfi_typed_column *c = &t->column[i];
        t->shown[i] = (wfi_column){.name = c->name, .name_length = c->name_length, .kind = kind_of(c->type)};
        if (!may_tell_direction(t, c)) continue;
        st = sample(user, i, samples[i]);
        if (st) goto done;
        if (!strcasecmp(samples[i], "directed") || !strcasecmp(samples[i], "undirected"))
            t->shown[i].kind = WFI_COLUMN_DIRECTION;
    }
    const wfi_columns_from from = {t->ctx, t->source, t->params, 1};
    t->choice = (wfi_columns){.from = from, .column = t->shown, .count = t->count, .fields = t->table->fields};
    if (!t->count) {
        st = wfi_fail_at(t->ctx, wfi_source_name(t->source), 1, 1, "the table has no columns");
        goto done;
    }
    st = wfi_columns_choose(&t->choice);
    if (st == WEFT_EINPUT) { /* again, with first values for the message */
        for (size_t i = 0; i < t->count; i++) {
            st = sample(user, i, samples[i]);
            if (st) goto done;
            if (!*samples[i]) snprintf(samples[i], WFI_SAMPLE, "(%.28s)", t->column[i].type_name);
            t->shown[i].sample = samples[i];
            t->shown[i].sample_length = strlen(samples[i]);
        }
        st = wfi_columns_choose(&t->choice);
    }
    if (!st) st = check_ids(t);
    if (!st) st = check_weight(t);
    if (!st) st = make_slots(t, t->table->fields ? t->table->fields->count : 0);
    if (st) goto done;
    t->of[WFI_ROLE_SOURCE] = t->choice.source;
    t->of[WFI_ROLE_TARGET] = t->choice.target;
    t->of[WFI_ROLE_WEIGHT] = t->choice.weight;
    t->of[WFI_ROLE_DIRECTION] = t->choice.direction;
    st = take_fields(t);
done:
    for (size_t i = 0; t->shown && i < t->count; i++) t->shown[i].sample = NULL;
    wfi_free(samples);
    return st;
}

void wfi_typed_close(wfi_typed *t) {
    WFI_FREE(t->shown, t->of);
    t->shown = NULL;
    t->of = NULL;
}

/* --- the batches ------------------------------------------------------------------------ */

typedef struct run {
    wfi_typed *t;
    size_t batches;
    uint64_t rows;
    wfi_batch_fn fill;
    void *user;
    wfi_edges *parts; /* per batch */
    _Atomic size_t next;
    _Atomic size_t bad; /* the first batch that failed */
    _Atomic uint64_t rows_done;
    wfi_fault fault;        /* of that batch; an empty text: the context has the message */
    uint64_t first_seen[2]; /* of all threads, see wfi_fill */
    bool *cut;              /* columns of which a time was cut off */
} run;

static void keep_failure(run *r, size_t batch, weft_status st, const wfi_fault *fault) {
#pragma omp critical(wfi_typed_failure)
    if (batch < r->bad) {
        r->bad = batch;
        r->fault = *fault;
        r->fault.status = st;
    }
}

static void keep_seen(run *r, const wfi_fill *f) {
    const wfi_picked *slots = &r->t->slots;
#pragma omp critical(wfi_typed_failure)
    {
        for (int i = 0; i < 2; i++)
            if (f->first_seen[i] && (!r->first_seen[i] || f->first_seen[i] < r->first_seen[i]))
                r->first_seen[i] = f->first_seen[i];
        for (size_t i = WFI_ROLES; f->slot && i < slots->count; i++)
            if (f->slot[i].cut) r->cut[slots->of[i]] = true;
        wfi_binder_count(&f->binder);
    }
}

static void note_cut(const run *r) {
    const wfi_typed *t = r->t;
    char name[WFI_SAMPLE];
    for (size_t i = 0; i < t->count; i++) {
        if (!r->cut[i]) continue;
        wfi_show_text(name, t->column[i].name, t->column[i].name_length);
        wfi_note(t->ctx, "%s: times of column '%s' are cut off to microseconds", wfi_source_name(t->source), name);
    }
}

static void work(run *r, int thread) {
    wfi_fill f;
    weft_status st = wfi_fill_open(&f, r->t, thread);
    f.rows_done = &r->rows_done;
    f.rows = r->rows;
    /* Batches are given out in order, so that when one fails all before it have been begun. */
    for (size_t batch; (batch = atomic_fetch_add(&r->next, 1)) < r->batches && batch < r->bad;) {
        f.part = &r->parts[batch];
        if (!st) st = r->fill(r->user, &f, batch);
        if (!st) st = wfi_fill_flush(&f);
        if (st) keep_failure(r, batch, st, &f.fault);
        if (st) break;
    }
    keep_seen(r, &f);
    wfi_fill_close(&f);
}

/* The pieces of all batches, in the order of the file. */
static weft_status join(run *r) {
    wfi_edges *all = &r->t->table->edges;
    for (size_t b = 0; b < r->batches; b++) {
        wfi_edges *part = &r->parts[b];
        size_t base = all->count;
        while (part->count) { /* from the last on, so that the caller frees the rest after a failure */
            weft_status st = wfi_edges_put(r->t->ctx, all, base + part->count - 1, &part->pieces[part->count - 1]);
            if (st) return st;
            part->count--;
        }
    }
    return WEFT_OK;
}

static weft_status take_direction(run *r) {
    wfi_typed *t = r->t;
    wfi_table *table = t->table;
    bool undirected = r->first_seen[0], directed = r->first_seen[1];
    if (!undirected && !directed) return WEFT_OK;
    if (undirected && directed)
        return wfi_fail_at(t->ctx, wfi_source_name(t->source), wfi_max_u64(r->first_seen[0], r->first_seen[1]),
                           (uint64_t)t->of[WFI_ROLE_DIRECTION] + 1,
                           "directed and undirected edges in one file: `direction=directed` or `direction=undirected` "
                           "makes them all the same");
    if (table->parts && table->says_direction && table->directed != directed)
        return wfi_fail_at(t->ctx, wfi_source_name(t->source), 1, 1,
                           "one part is directed and another is not: `direction=directed` or `direction=undirected` "
                           "makes them all the same");
    table->says_direction = true;
    table->directed = directed;
    return WEFT_OK;
}

static weft_status settle(run *r) {
    wfi_typed *t = r->t;
    wfi_table_columns *kept = NULL;
    note_cut(r);
    if (t->nodes) return WEFT_OK;
    weft_status st = take_direction(r);
    if (!st) st = wfi_columns_say(&t->choice, !t->table->parts, &kept);
    return st ? st : wfi_table_settle(t->ctx, t->source, t->table, t->names, t->of[WFI_ROLE_WEIGHT] >= 0, kept);
}

int wfi_typed_threads(const wfi_typed *t, size_t batches, uint64_t rows) {
    size_t most = t->nodes ? 1 : (size_t)wfi_threads_for(t->ctx, rows, SHARE); /* vertices come in their order */
    return (int)(batches < most ? batches ? batches : 1 : most);
}

weft_status wfi_typed_run(wfi_typed *t, size_t batches, uint64_t rows, wfi_batch_fn fill, void *user) {
    run r = {.t = t, .batches = batches, .rows = rows, .fill = fill, .user = user, .bad = SIZE_MAX};
    int threads = wfi_typed_threads(t, batches, rows);
    weft_status st = wfi_alloc_zeroed(t->ctx, &r.parts, batches + 1);
    if (!st) st = wfi_alloc_zeroed(t->ctx, &r.cut, t->count);
    if (!st && t->names && !t->nodes) st = wfi_table_use_names(t->ctx, t->table, (size_t)threads);
    if (st) goto done;
#pragma omp parallel num_threads(threads)
    work(&r, omp_get_thread_num());
    if (r.bad != SIZE_MAX) {
        st = r.fault.text[0] ? wfi_fault_report(t->ctx, t->source, &r.fault) : r.fault.status;
        goto done;
    }
    st = join(&r);
    if (!st) st = settle(&r);
done:
    for (size_t b = 0; r.parts && b < batches; b++) wfi_edges_free(&r.parts[b]);
    WFI_FREE(r.parts, r.cut);
    return st;
}
