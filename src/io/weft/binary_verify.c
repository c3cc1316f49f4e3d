/* Verifies every byte of a .weft file: digests find damage, and the structural checks after them find invalid files, so
 * that algorithms may trust offsets, targets and ids.
 *
 * Not checked, since it would cost a sort: that the rows of an undirected graph are symmetric and that the in-rows are
 * the transpose of the out-rows.  Errors there give wrong results, but no access outside the arrays. */
#include "io/weft/binary.h"

#include "core/scan.h"

#include <inttypes.h>
#include <string.h>

/* A small file is checked while it is opened: waking threads would take longer, on a busy machine much longer. */
enum { VERTICES_A_STEP = 4096, SERIAL_BELOW = 8 << 20 };

static uint64_t bytes_of(const wfi_weft_file *file, wfi_weft_kind kind) {
    for (uint32_t i = 0; i < file->page.header.sections; i++)
        if (file->page.section[i].kind == (uint32_t)kind) return file->page.section[i].bytes;
    return 0;
}

/* --- bytes ---------------------------------------------------------------- */

static bool all_zero(const char *bytes, uint64_t count) {
    for (uint64_t i = 0; i < count; i++)
        if (bytes[i]) return false;
    return true;
}

static weft_status check_bytes(weft_ctx *ctx, const wfi_weft_file *file) {
    uint64_t end = WEFT_FILE_PAGE, digest;
    for (uint32_t i = 0; i < file->page.header.sections; i++) {
        const wfi_weft_section *s = &file->page.section[i];
        const char *name = wfi_weft_kind_name(s->kind);
        if (!all_zero(file->bytes + end, s->offset - end))
            return wfi_fail(ctx, WEFT_EINPUT, "%s: damaged: the gap before section \"%s\" is not empty", file->name,
                            name);
        weft_status st = wfi_digest_long(ctx, "checking", file->bytes + s->offset, (size_t)s->bytes, s->kind, &digest);
        if (st) return st;
        if (digest != s->digest)
            return wfi_fail(ctx, WEFT_EINPUT,
                            "%s: damaged: section \"%s\" (%" PRIu64 " bytes at %" PRIu64 ") has checksum %016" PRIx64
                            ", the table says %016" PRIx64,
                            file->name, name, s->bytes, s->offset, digest, s->digest);
        end = s->offset + s->bytes;
    }
    return WEFT_OK;
}

/* --- structure ------------------------------------------------------------ */

/* One of the checks below: returns the first wrong vertex (or element) in from ... to-1; `to` if there is none. */
typedef uint64_t (*check_fn)(const wfi_weft_file *file, uint64_t from, uint64_t to);

static weft_status first_wrong(weft_ctx *ctx, const wfi_weft_file *file, check_fn check, uint64_t begin, uint64_t end,
                               uint64_t *wrong) {
    uint64_t first = end, count = end - begin, steps = count / VERTICES_A_STEP + (count % VERTICES_A_STEP != 0);
    int threads = file->page.header.file_bytes < SERIAL_BELOW ? 1 : wfi_threads(ctx);
    _Atomic int stop = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(min : first)
    for (uint64_t step = 0; step < steps; step++) {
        if (atomic_load_explicit(&stop, memory_order_relaxed)) continue;
        if (wfi_cancelled(ctx)) stop = 1;
        uint64_t from = begin + step * VERTICES_A_STEP, to = wfi_min_u64(from + VERTICES_A_STEP, end);
        uint64_t here = check(file, from, to);
        if (here < to) first = wfi_min_u64(first, here);
    }
    *wrong = first;
    return stop ? wfi_fail_cancelled(ctx) : WEFT_OK;
}

/* Offsets within bounds; targets that exist, ascend, and repeat only if the header says so.  The last target of an
 * ascending row is its largest, so only it is compared with the number of vertices. */
static uint64_t wrong_row(const wfi_weft_file *file, const uint64_t *offsets, const uint32_t *targets, uint64_t from,
                          uint64_t to) {
    const wfi_weft_header *h = &file->page.header;
    unsigned once = !(h->flags & WFI_WEFT_HAS_PARALLEL);
    for (uint64_t v = from; v < to; v++) {
        uint64_t begin = offsets[v], end = offsets[v + 1];
        if (begin > end || end > h->arcs) return v;
        unsigned wrong = end > begin && targets[end - 1] >= h->vertices;
        for (uint64_t i = begin + 1; i < end; i++)
            wrong |= (unsigned)(targets[i] < targets[i - 1]) | (once & (unsigned)(targets[i] == targets[i - 1]));
        if (wrong) return v;
    }
    return to;
}

static uint64_t wrong_out_row(const wfi_weft_file *file, uint64_t from, uint64_t to) {
    return wrong_row(file, file->data[WFI_OUT_OFFSETS], file->data[WFI_OUT_TARGETS], from, to);
}

static uint64_t wrong_in_row(const wfi_weft_file *file, uint64_t from, uint64_t to) {
    return wrong_row(file, file->data[WFI_IN_OFFSETS], file->data[WFI_IN_TARGETS], from, to);
}

/* The k-th vertex in id order; `vertices` if the order is invalid. */
static inline uint64_t vertex_at(const wfi_weft_file *file, uint64_t k) {
    const uint32_t *order = file->data[WFI_ID_ORDER];
    return order ? wfi_min_u64(order[k], file->page.header.vertices) : k;
}

/* Ids that ascend strictly along the order are distinct, and so are its n vertices: the order is a permutation. */
static uint64_t wrong_number(const wfi_weft_file *file, uint64_t from, uint64_t to) {
    const int64_t *number = file->data[WFI_ID_NUMBERS];
    uint64_t n = file->page.header.vertices;
    for (uint64_t k = from; k < to; k++) {
        uint64_t v = vertex_at(file, k), before = k ? vertex_at(file, k - 1) : v;
        if (v == n || before == n || (k && number[before] >= number[v])) return k;
    }
    return to;
}

static uint64_t wrong_start(const wfi_weft_file *file, uint64_t from, uint64_t to) {
    const uint64_t *start = file->data[WFI_ID_NAME_STARTS];
    uint64_t text = bytes_of(file, WFI_ID_NAME_TEXT);
    for (uint64_t v = from; v < to; v++)
        if (start[v] > start[v + 1] || start[v + 1] > text) return v;
    return to;
}

static int compare_names(const wfi_weft_file *file, uint64_t u, uint64_t v) {
    const uint64_t *start = file->data[WFI_ID_NAME_STARTS];
    const char *text = file->data[WFI_ID_NAME_TEXT];
    uint64_t a = start[u + 1] - start[u], b = start[v + 1] - start[v];
    int order = memcmp(text + start[u], text + start[v], (size_t)wfi_min_u64(a, b));
    return order ? order : (a > b) - (a < b);
}

static uint64_t wrong_name(const wfi_weft_file *file, uint64_t from, uint64_t to) {
    uint64_t n = file->page.header.vertices;
    for (uint64_t k = from; k < to; k++) {
        uint64_t v = vertex_at(file, k), before = k ? vertex_at(file, k - 1) : v;
        if (v == n || before == n || (k && compare_names(file, before, v) >= 0)) return k;
    }
    return to;
}

enum { ROW_CHECKS = 2, CHECKS = 5 };

/* Runs the first `count` checks on the vertices from ... to-1. */
static weft_status check_structure(weft_ctx *ctx, const wfi_weft_file *file, size_t count, uint64_t from, uint64_t to) {
    /* In this order: names are compared only after their starts are known to lie inside the text. */
    static const struct {
        wfi_weft_kind kind;
        check_fn check;
        const char *rule;
    } checks[CHECKS] = {
        {WFI_OUT_TARGETS, wrong_out_row, "rows must follow one another and list vertices in ascending order"},
        {WFI_IN_TARGETS, wrong_in_row, "rows must follow one another and list vertices in ascending order"},
        {WFI_ID_NUMBERS, wrong_number, "ids must ascend in id order, each once"},
        {WFI_ID_NAME_STARTS, wrong_start, "names must follow one another"},
        {WFI_ID_NAME_TEXT, wrong_name, "names must ascend in id order, each once"},
    };
    for (size_t i = 0; i < count; i++) {
        if (!file->data[checks[i].kind]) continue;
        uint64_t wrong;
        weft_status st = first_wrong(ctx, file, checks[i].check, from, to, &wrong);
        if (st) return st;
        if (wrong < to)
            return wfi_fail(ctx, WEFT_EINPUT, "%s: wrong at vertex %" PRIu64 " of section \"%s\": %s", file->name,
                            wrong, wfi_weft_kind_name((uint32_t)checks[i].kind), checks[i].rule);
    }
    return WEFT_OK;
}

weft_status wfi_weft_verify(weft_ctx *ctx, const wfi_weft_file *file) {
    weft_status st = check_bytes(ctx, file);
    if (!st) st = check_structure(ctx, file, CHECKS, 0, file->page.header.vertices);
    if (!st) st = wfi_weft_verify_columns(ctx, file);
    return st ? st : wfi_weft_verify_sides(ctx, file);
}

weft_status wfi_weft_verify_rows(weft_ctx *ctx, const weft_graph *g, weft_vid from, weft_vid to) {
    return g->binary ? check_structure(ctx, g->binary, ROW_CHECKS, from, to) : WEFT_OK;
}

uint64_t wfi_weft_digest(const weft_graph *g) {
    return g->binary ? ((const wfi_weft_file *)g->binary)->page.header.digest : 0;
}
