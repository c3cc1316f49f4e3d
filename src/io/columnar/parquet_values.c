/* The values of a page as cells: PLAIN, dictionary, delta and byte-stream-split encodings.  Numbers of a dictionary are
 * looked up; its texts become cells when a row first has them, so that each goes through the table of names once, and
 * those that no row has do not become vertices. */
#include "io/columnar/parquet.h"

#include <string.h>

static weft_status damaged(wfi_pq_values *v, const char *what) {
    v->fault = what;
    return WEFT_EINPUT;
}

static bool is_text(const wfi_pq_column *c) { return c->kind == WFI_TYPE_TEXT || c->kind == WFI_TYPE_BYTES; }

static wfi_cell cell_of(const wfi_pq_column *c, const uint8_t *p) {
    wfi_cell cell = {0};
    if (c->type == WFI_PQ_INT64) {
        memcpy(&cell.i, p, 8);
    } else if (c->type == WFI_PQ_DOUBLE) {
        memcpy(&cell.d, p, 8);
    } else if (c->type == WFI_PQ_FLOAT) {
        float x;
        memcpy(&x, p, 4);
        cell.d = (double)x;
    } else if (c->type == WFI_PQ_INT96) { /* nanoseconds of a day, and its Julian number: as microseconds since 1970 */
        int64_t nanos;
        int32_t day;
        memcpy(&nanos, p, 8);
        memcpy(&day, p + 8, 4);
        cell.i = ((int64_t)day - 2440588) * 86400000000 + nanos / 1000;
    } else {
        uint32_t x;
        memcpy(&x, p, 4);
        cell.i = c->narrow ? (int64_t)x : (int64_t)(int32_t)x;
    }
    return cell;
}

/* --- plain -------------------------------------------------------------------------------------- */

/* The next text of a page; false when the page ends within it. */
static bool next_text(wfi_pq_values *v, const uint8_t **text, uint32_t *length) {
    size_t there = (size_t)(v->end - v->at);
    if (v->column->type == WFI_PQ_FIXED) {
        *length = v->column->width;
    } else {
        if (there < 4) return false;
        memcpy(length, v->at, 4);
        v->at += 4;
        there -= 4;
    }
    if (*length > there) return false;
    *text = v->at;
    v->at += *length;
    return true;
}

static weft_status plain_texts(wfi_pq_values *v, uint64_t row, size_t rows, wfi_cell *to) {
    for (size_t i = 0; i < rows; i++) {
        const uint8_t *text;
        uint32_t length;
        if (!next_text(v, &text, &length)) return damaged(v, "its values end too early");
        weft_status st = v->texts->cell(v->texts, row + i, (const char *)text, length, &to[i].i);
        if (st) return st;
    }
    return WEFT_OK;
}

/* Bits, the first value in the lowest. */
static weft_status plain_truths(wfi_pq_values *v, size_t rows, wfi_cell *to) {
    if ((v->done + rows + 7) / 8 > (uint64_t)(v->end - v->at)) return damaged(v, "its values end too early");
    for (size_t i = 0; i < rows; i++) to[i].i = v->at[(v->done + i) / 8] >> (v->done + i) % 8 & 1;
    return WEFT_OK;
}

/* The same in runs. */
static weft_status truths_by_run(wfi_pq_values *v, size_t rows, wfi_cell *to) {
    uint32_t truth[1024];
    for (size_t done = 0; done < rows;) {
        size_t n = rows - done < 1024 ? rows - done : 1024, got;
        if (!wfi_pq_runs_next(&v->runs, truth, n, &got) || got < n) return damaged(v, "its values end too early");
        for (size_t i = 0; i < n; i++) to[done + i].i = truth[i];
        done += n;
    }
    return WEFT_OK;
}

static weft_status open_truth_runs(wfi_pq_values *v) {
    uint32_t bytes;
    if (v->end - v->at < 4) return damaged(v, "its values end too early");
    memcpy(&bytes, v->at, 4);
    if (bytes > (size_t)(v->end - v->at - 4)) return damaged(v, "its values end too early");
    v->runs = wfi_pq_runs_of(v->at + 4, v->at + 4 + bytes, 1);
    return WEFT_OK;
}

static weft_status plain_numbers(wfi_pq_values *v, size_t rows, wfi_cell *to) {
    size_t width = v->column->width;
    if (v->column->type == WFI_PQ_BOOLEAN) return plain_truths(v, rows, to);
    if (rows * width > (size_t)(v->end - v->at)) return damaged(v, "its values end too early");
    if (width == 8)
        memcpy(to, v->at, 8 * rows);
    else
        for (size_t i = 0; i < rows; i++) to[i] = cell_of(v->column, v->at + i * width);
    v->at += rows * width;
    return WEFT_OK;
}

/* --- dictionaries ---------------------------------------------------------------------------------- */

weft_status wfi_pq_dictionary_fill(wfi_pq_values *v, const uint8_t *at, const uint8_t *end, uint64_t count) {
    wfi_pq_dictionary *d = v->dictionary;
    const wfi_pq_column *c = v->column;
    bool texts = is_text(c);
    /* A text takes four bytes at least; fixed ones of width 0 are nothing that anybody writes. */
    uint64_t least = c->type == WFI_PQ_BYTES ? 4 : c->width;
    if (c->type == WFI_PQ_BOOLEAN || !least || count > (uint64_t)(end - at) / least)
        return damaged(v, "its dictionary ends too early");
    d->count = 0;
    if (count > d->room || !d->cells) {
        WFI_FREE(d->cells, d->entries);
        *d = (wfi_pq_dictionary){0};
        if (wfi_alloc(v->ctx, &d->cells, count + 1)) return WEFT_ENOMEM;
        if (texts && wfi_alloc(v->ctx, &d->entries, count + 1)) return WEFT_ENOMEM;
        d->room = (size_t)count;
    }
    v->at = at;
    v->end = end;
    if (!texts) {
        weft_status st = plain_numbers(v, (size_t)count, d->cells);
        if (st) return st;
    }
    for (uint64_t i = 0; i < count && texts; i++)
        if (!next_text(v, &d->entries[i].text, &d->entries[i].length))
            return damaged(v, "its dictionary ends too early");
    d->count = (size_t)count;
    return WEFT_OK;
}

static weft_status looked_up(wfi_pq_values *v, uint64_t row, size_t rows, wfi_cell *to) {
    wfi_pq_dictionary *d = v->dictionary;
    uint32_t index[1024];
    for (size_t done = 0; done < rows;) {
        size_t n = rows - done < 1024 ? rows - done : 1024, got;
        uint32_t largest = 0;
        if (!wfi_pq_runs_next(&v->runs, index, n, &got) || got < n) return damaged(v, "its values end too early");
        for (size_t i = 0; i < n; i++) largest = index[i] > largest ? index[i] : largest;
        if (largest >= d->count) return damaged(v, "a value is beyond the end of the dictionary");
        for (size_t i = 0; i < n && d->entries; i++) {
            wfi_pq_entry *e = &d->entries[index[i]];
            if (!e->text) continue;
            weft_status st =
                v->texts->cell(v->texts, row + done + i, (const char *)e->text, e->length, &d->cells[index[i]].i);
            if (st) return st;
            e->text = NULL;
        }
        for (size_t i = 0; i < n; i++) to[done + i] = d->cells[index[i]];
        done += n;
    }
    return WEFT_OK;
}

static weft_status open_dictionary(wfi_pq_values *v) {
    if (!v->dictionary->cells) return damaged(v, "its dictionary is missing");
    if (!v->left) return WEFT_OK;
    if (v->at == v->end || *v->at > 32) return damaged(v, "the width of its values is not 0 to 32 bits");
    v->runs = wfi_pq_runs_of(v->at + 1, v->end, *v->at);
    return WEFT_OK;
}

/* --- differences ------------------------------------------------------------------------------------- */

static weft_status differences(wfi_pq_values *v, size_t rows, wfi_cell *to) {
    int64_t number[512];
    for (size_t done = 0; done < rows;) {
        size_t n = rows - done < 512 ? rows - done : 512;
        if (!wfi_pq_delta_next(&v->delta, number, n)) return damaged(v, "its packed differences are damaged");
        for (size_t i = 0; i < n; i++) {
            /* Differences of 32-bit numbers wrap around at 32 bits. */
            uint32_t low = (uint32_t)(uint64_t)number[i];
            to[done + i].i = v->column->type == WFI_PQ_INT64 ? number[i]
                             : v->column->narrow             ? (int64_t)low
                                                             : (int32_t)low;
        }
        done += n;
    }
    return WEFT_OK;
}

/* Lengths as differences, then all texts. */
static weft_status open_lengths(wfi_pq_values *v, wfi_pq_delta *lengths, const uint8_t *at) {
    if (!wfi_pq_delta_open(lengths, at, v->end) || lengths->left < v->left)
        return damaged(v, "the lengths of its texts are damaged");
    v->at = wfi_pq_delta_end(lengths);
    return v->at ? WEFT_OK : damaged(v, "the lengths of its texts are damaged");
}

static weft_status next_length(wfi_pq_values *v, wfi_pq_delta *lengths, size_t *length) {
    int64_t x;
    if (!wfi_pq_delta_next(lengths, &x, 1) || x < 0 || x > v->end - v->at)
        return damaged(v, "a text is longer than its page");
    *length = (size_t)x;
    return WEFT_OK;
}

static weft_status texts_by_length(wfi_pq_values *v, uint64_t row, size_t rows, wfi_cell *to) {
    for (size_t i = 0; i < rows; i++) {
        size_t length;
        weft_status st = next_length(v, &v->delta, &length);
        if (!st) st = v->texts->cell(v->texts, row + i, (const char *)v->at, length, &to[i].i);
        if (st) return st;
        v->at += length;
    }
    return WEFT_OK;
}

/* How much of the text before, then what is new of it. */
static weft_status texts_by_prefix(wfi_pq_values *v, uint64_t row, size_t rows, wfi_cell *to) {
    for (size_t i = 0; i < rows; i++) {
        int64_t prefix;
        size_t suffix;
        weft_status st = next_length(v, &v->suffix, &suffix);
        if (st) return st;
        if (!wfi_pq_delta_next(&v->delta, &prefix, 1) || prefix < 0 || (uint64_t)prefix > v->previous_length)
            return damaged(v, "a text shares more with the one before than that has");
        size_t length = (size_t)prefix + suffix;
        bool same = v->has_previous && !suffix && length == v->previous_length;
        st = WFI_ROOM(v->ctx, v->previous, length, v->previous_room, 64);
        if (!st && suffix) memcpy(v->previous + prefix, v->at, suffix);
        if (!st && !same) st = v->texts->cell(v->texts, row + i, v->previous, length, &v->previous_cell);
        if (st) return st;
        v->has_previous = true;
        v->previous_length = length;
        v->at += suffix;
        to[i].i = v->previous_cell;
    }
    return WEFT_OK;
}

static weft_status open_prefixes(wfi_pq_values *v) {
    v->previous_length = 0;
    v->has_previous = false;
    weft_status st = open_lengths(v, &v->delta, v->at);
    return st ? st : open_lengths(v, &v->suffix, v->at);
}

/* --- bytes apart ---------------------------------------------------------------------------------------- */

/* First bytes of all values, then second bytes of all values, ... */
static weft_status split_numbers(wfi_pq_values *v, size_t rows, wfi_cell *to) {
    size_t width = v->column->width, each = (size_t)(v->end - v->at) / width;
    for (size_t i = 0; i < rows; i++) {
        uint8_t bytes[12];
        for (size_t k = 0; k < width; k++) bytes[k] = v->at[k * each + v->done + i];
        to[i] = cell_of(v->column, bytes);
    }
    return WEFT_OK;
}

/* --- any --------------------------------------------------------------------------------------------------- */

weft_status wfi_pq_values_open(wfi_pq_values *v, int encoding, const uint8_t *at, const uint8_t *end, uint64_t count) {
    bool texts = is_text(v->column), fixed = v->column->type == WFI_PQ_FIXED;
    bool integers = v->column->type == WFI_PQ_INT32 || v->column->type == WFI_PQ_INT64;
    bool truths = v->column->type == WFI_PQ_BOOLEAN;
    v->encoding = encoding == WFI_PQ_PLAIN_DICTIONARY ? WFI_PQ_RLE_DICTIONARY : encoding;
    v->at = at;
    v->end = end;
    v->left = count;
    v->done = 0;
    switch (v->encoding) {
    case WFI_PQ_PLAIN: return WEFT_OK;
    case WFI_PQ_RLE_DICTIONARY: return open_dictionary(v);
    case WFI_PQ_DELTA_BINARY_PACKED:
        if (!integers) break;
        if (!wfi_pq_delta_open(&v->delta, at, end) || v->delta.left < count)
            return damaged(v, "its packed differences are damaged");
        return WEFT_OK;
    case WFI_PQ_DELTA_LENGTHS:
        if (!texts || fixed) break;
        return open_lengths(v, &v->delta, at);
    case WFI_PQ_DELTA_TEXTS:
        if (!texts) break;
        return open_prefixes(v);
    case WFI_PQ_RLE:
        if (!truths) break;
        return open_truth_runs(v);
    case WFI_PQ_STREAM_SPLIT:
        if (texts || truths || v->column->width > sizeof(wfi_cell)) break;
        if (count != (uint64_t)(end - at) / v->column->width) return damaged(v, "its values end too early");
        return WEFT_OK;
    default: break;
    }
    return damaged(v, "its encoding is not one that such a column can have");
}

weft_status wfi_pq_values_next(wfi_pq_values *v, uint64_t row, size_t rows, wfi_cell *to) {
    weft_status st;
    switch (v->encoding) {
    case WFI_PQ_RLE_DICTIONARY: st = looked_up(v, row, rows, to); break;
    case WFI_PQ_DELTA_BINARY_PACKED: st = differences(v, rows, to); break;
    case WFI_PQ_DELTA_LENGTHS: st = texts_by_length(v, row, rows, to); break;
    case WFI_PQ_DELTA_TEXTS: st = texts_by_prefix(v, row, rows, to); break;
    case WFI_PQ_RLE: st = truths_by_run(v, rows, to); break;
    case WFI_PQ_STREAM_SPLIT: st = split_numbers(v, rows, to); break;
    default: st = is_text(v->column) ? plain_texts(v, row, rows, to) : plain_numbers(v, rows, to);
    }
    v->left -= rows;
    v->done += rows;
    return st;
}
