/* GAP Benchmark Suite serialized graphs, .sg and .wsg.
 *
 * Layout, little-endian, no padding and no magic: uint8 directed, int64 arcs, int64 n, then int64 offsets[n+1] and the
 * targets of all rows (int32; in a .wsg pairs of int32, target and weight); in a directed graph offsets and targets of
 * the in-rows follow.  An undirected graph has both arcs of each edge.
 * Without a magic number, the size of the file must be exactly the one implied by its three numbers before anything
 * else is believed.
 * Positions in messages are file:1:byte, the byte counted from 1.
 *
 * [1] Beamer, Asanovic, Patterson, "The GAP Benchmark Suite", 2015 (writer.h and reader.h of its code). */
#include "core/scan.h"
#include "io/adjacency/reverse.h"
#include "io/adjacency/rows.h"
#include "io/io.h"
#include "io/text/words.h"

#include <math.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the numbers of a .sg file are little-endian");

enum { HEADER = 17 };

/* One direction: positions of its offsets and its targets in the file. */
typedef struct part {
    uint64_t offsets_at, targets_at;
    uint64_t *offsets; /* an aligned and checked copy */
} part;

typedef struct gap_file {
    weft_ctx *ctx;
    const char *name;
    const char *data;
    uint64_t bytes;
    bool weighted, directed;
    uint64_t n, arcs, each; /* each: bytes of a target with its weight */
    part out, in;
    weft_weight_type weights; /* the type to keep */
} gap_file;

static int64_t number_at(const gap_file *f, uint64_t at) {
    int64_t x;
    memcpy(&x, f->data + at, sizeof x);
    return x;
}

static int32_t small_at(const gap_file *f, uint64_t at) {
    int32_t x;
    memcpy(&x, f->data + at, sizeof x);
    return x;
}

/* --- header checks -------------------------------------------------------------------- */

/* The size of such a file in bytes; 0 on overflow. */
static uint64_t size_of(uint64_t n, uint64_t arcs, uint64_t each, bool directed) {
    uint64_t offsets, targets, size;
    if (__builtin_mul_overflow(n + 1, 8, &offsets) || __builtin_mul_overflow(arcs, each, &targets) ||
        __builtin_add_overflow(offsets, targets, &size) || __builtin_mul_overflow(size, directed ? 2u : 1u, &size) ||
        __builtin_add_overflow(size, HEADER, &size))
        return 0;
    return size;
}

static weft_status check_header(gap_file *f) {
    if (f->bytes < HEADER)
        return wfi_fail_at(f->ctx, f->name, 1, f->bytes + 1, "the file ends within its header of %d bytes", HEADER);
    if (f->data[0] != 0 && f->data[0] != 1)
        return wfi_fail_at(f->ctx, f->name, 1, 1, "the first byte, 1 for directed and 0 for undirected, is %d",
                           (unsigned char)f->data[0]);
    int64_t arcs = number_at(f, 1), n = number_at(f, 9);
    if (arcs < 0) return wfi_fail_at(f->ctx, f->name, 1, 2, "the number of arcs is %lld", (long long)arcs);
    if (n < 0 || n > INT32_MAX)
        return wfi_fail_at(f->ctx, f->name, 1, 10, "the number of vertices is %lld, expected 0 to 2^31-1",
                           (long long)n);
    f->directed = f->data[0];
    f->n = (uint64_t)n;
    f->arcs = (uint64_t)arcs;
    f->each = f->weighted ? 8 : 4;
    uint64_t size = size_of(f->n, f->arcs, f->each, f->directed);
    if (size == f->bytes) return WEFT_OK;
    if (!size) return wfi_fail_at(f->ctx, f->name, 1, 2, "%llu arcs are more than any file can hold", (wfi_ull)f->arcs);
    bool other = size_of(f->n, f->arcs, 12 - f->each, f->directed) == f->bytes;
    return wfi_fail_at(
        f->ctx, f->name, 1, 2, "%s graph of %llu vertices and %llu arcs takes %llu bytes, but the file has %llu%s",
        f->directed ? "a directed" : "an undirected", (wfi_ull)f->n, (wfi_ull)f->arcs, (wfi_ull)size, (wfi_ull)f->bytes,
        other ? f->weighted ? ": that is a .sg file, without weights" : ": that is a .wsg file, with weights" : "");
}

static weft_status read_offsets(gap_file *f, part *p, uint64_t at) {
    p->offsets_at = at;
    p->targets_at = at + 8 * (f->n + 1);
    if (wfi_alloc(f->ctx, &p->offsets, f->n + 1)) return WEFT_ENOMEM;
    memcpy(p->offsets, f->data + at, 8 * (f->n + 1));
    if (p->offsets[0])
        return wfi_fail_at(f->ctx, f->name, 1, at + 1, "the first row begins at %lld, expected 0",
                           (long long)p->offsets[0]);
    for (uint64_t v = 0; v < f->n; v++)
        if (p->offsets[v + 1] < p->offsets[v] || p->offsets[v + 1] > f->arcs)
            return wfi_fail_at(f->ctx, f->name, 1, at + 8 * (v + 1) + 1, "row %llu ends at %lld, expected %llu to %llu",
                               (wfi_ull)v, (long long)p->offsets[v + 1], (wfi_ull)p->offsets[v], (wfi_ull)f->arcs);
    if (p->offsets[f->n] != f->arcs)
        return wfi_fail_at(f->ctx, f->name, 1, at + 8 * f->n + 1, "the rows hold %llu arcs, but the header says %llu",
                           (wfi_ull)p->offsets[f->n], (wfi_ull)f->arcs);
    return WEFT_OK;
}

static weft_status fail_target(const gap_file *f, const part *p, uint64_t arc) {
    uint64_t at = p->targets_at + arc * f->each;
    return wfi_fail_at(f->ctx, f->name, 1, at + 1, "%d is not one of the vertices 0 to %lld", small_at(f, at),
                       (long long)f->n - 1);
}

static uint64_t arc_hash(uint64_t u, uint64_t v, uint32_t weight) {
    return wfi_mix(wfi_mix(u << 32 | v) + 0x9e3779b97f4a7c15u * ((uint64_t)weight + 1));
}

/* Checks that the in-rows are the out-rows reversed, by sums of hashes of (source, target, weight). */
static weft_status check_in_part(gap_file *f) {
    uint64_t bad = f->arcs, balance = 0;
#pragma omp parallel for num_threads(wfi_threads(f->ctx)) schedule(static) reduction(+ : balance) reduction(min : bad)
    for (uint64_t v = 0; v < f->n; v++) {
        for (uint64_t e = f->out.offsets[v]; e < f->out.offsets[v + 1]; e++) {
            uint64_t at = f->out.targets_at + e * f->each;
            balance += arc_hash(v, (uint32_t)small_at(f, at), f->weighted ? (uint32_t)small_at(f, at + 4) : 0);
        }
        for (uint64_t e = f->in.offsets[v]; e < f->in.offsets[v + 1]; e++) {
            uint64_t at = f->in.targets_at + e * f->each;
            if ((uint32_t)small_at(f, at) >= f->n) bad = wfi_min_u64(bad, e);
            balance -= arc_hash((uint32_t)small_at(f, at), v, f->weighted ? (uint32_t)small_at(f, at + 4) : 0);
        }
    }
    if (bad < f->arcs) return fail_target(f, &f->in, bad);
    if (balance)
        return wfi_fail_at(f->ctx, f->name, 1, f->in.targets_at + 1, "the in-edges are not the out-edges reversed");
    return WEFT_OK;
}

/* --- reading ----------------------------------------------------------------------- */

/* Unsigned integers if no weight is negative. */
static weft_weight_type weight_type_of(const gap_file *f, const weft_read_params *params) {
    if (wfi_reads_doubles(params)) return WEFT_WEIGHT_F64;
    bool negative = false;
#pragma omp parallel for num_threads(wfi_threads(f->ctx)) schedule(static) reduction(|| : negative)
    for (uint64_t e = 0; e < f->arcs; e++) negative = negative || small_at(f, f->out.targets_at + e * 8 + 4) < 0;
    return negative ? WEFT_WEIGHT_F32 : WEFT_WEIGHT_U32;
}

static uint64_t take_arcs(void *user, uint64_t first, uint64_t count, uint32_t *ends, void *weights) {
    const gap_file *f = user;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = f->out.targets_at + (first + i) * f->each;
        uint32_t target = (uint32_t)small_at(f, at);
        if (target >= f->n) return i;
        ends[2 * i + 1] = target;
        if (!weights) continue;
        int32_t whole = small_at(f, at + 4);
        switch (f->weights) {
        case WEFT_WEIGHT_NONE: break;
        case WEFT_WEIGHT_U32: ((uint32_t *)weights)[i] = (uint32_t)whole; break;
        case WEFT_WEIGHT_F32: ((float *)weights)[i] = (float)whole; break;
        case WEFT_WEIGHT_F64: ((double *)weights)[i] = whole; break;
        }
    }
    return count;
}

static weft_status check_symmetric(gap_file *f, const wfi_edges *edges, uint64_t *records) {
    wfi_reverses found = wfi_reverses_count(f->ctx, edges);
    *records = found.below + found.loops;
    if (wfi_reverses_hold(&found)) return WEFT_OK;
    wfi_unreversed arc;
    weft_status st = wfi_reverses_missing(f->ctx, edges, &found, &arc);
    if (st) return st;
    uint64_t before = 0;
    for (size_t k = 0; k < arc.piece; k++) before += edges->pieces[k].count;
    const uint32_t *ends = edges->pieces[arc.piece].narrow + 2 * arc.at;
    return wfi_fail_at(f->ctx, f->name, 1, f->out.targets_at + (before + arc.at) * f->each + 1,
                       "row %u lists %u, but row %u %s %u%s: an undirected graph must be symmetric", ends[0], ends[1],
                       ends[1], arc.reverse_listed ? "lists" : "does not list", ends[0],
                       arc.reverse_listed ? " with a different weight or a different number of times" : "");
}

static weft_status build_graph(gap_file *f, const weft_read_params *params, weft_graph **out) {
    wfi_edges edges = {0};
    wfi_build build = {.numbering = WFI_VERTICES, .vertices = f->n, .params = wfi_read_rules(params)};
    build.format = f->weighted ? "wsg" : "sg";
    build.directed = wfi_resolve_directed(params->direction, f->directed);
    build.mirrored = !f->directed && !build.directed;
    uint64_t bad, records = 0;
    weft_status st =
        wfi_edges_from_rows(f->ctx, &edges, &(wfi_arc_rows){f->n, f->out.offsets, f->weights, take_arcs, f}, &bad);
    if (!st && bad < f->arcs) st = fail_target(f, &f->out, bad);
    if (!st && !f->directed) st = check_symmetric(f, &edges, &records);
    if (!st && f->directed) st = check_in_part(f);
    if (st) goto done;
    if (build.mirrored) build.records = records;
    st = wfi_graph_build(f->ctx, &edges, &build, out);
done:
    wfi_edges_free(&edges);
    return st;
}

static weft_status read_gap(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, bool weighted,
                            weft_graph **out) {
    gap_file f = {.ctx = ctx, .name = wfi_source_name(source), .weighted = weighted};
    wfi_content content = {0};
    *out = NULL;
    weft_status st = wfi_check_weights_wish(ctx, source, params, weighted, ".sg files have none, .wsg files do");
    if (!st) st = wfi_content_open(ctx, source, &content);
    f.data = content.data;
    f.bytes = content.bytes;
    if (!st) st = check_header(&f);
    if (!st) st = read_offsets(&f, &f.out, HEADER);
    if (!st && f.directed) st = read_offsets(&f, &f.in, f.out.targets_at + f.arcs * f.each);
    if (st) goto done;
    if (weighted && params->weights != WEFT_WEIGHTS_IGNORE) f.weights = weight_type_of(&f, params);
    st = build_graph(&f, params, out);
done:
    WFI_FREE(f.out.offsets, f.in.offsets);
    wfi_content_close(&content);
    return st;
}

weft_status wfi_read_sg(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    return read_gap(ctx, source, params, false, out);
}

weft_status wfi_read_wsg(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, weft_graph **out) {
    return read_gap(ctx, source, params, true, out);
}

/* --- writing ----------------------------------------------------------------------- */

static bool fits_int32(const weft_graph *g, weft_eid e) {
    double w = wfi_weight_at(g->weight_type, g->out.weights, e);
    return w >= -0x1p31 && w < 0x1p31 && trunc(w) == w;
}

static weft_status check_writable(weft_ctx *ctx, const weft_graph *g, bool weighted) {
    if (g->n > INT32_MAX)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "GAP files number vertices in 31 bits, this graph has %lu",
                        (unsigned long)g->n);
    if (weighted && !g->weight_type && g->arcs)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "a .wsg file needs weights, this graph has none: write .sg");
    for (weft_eid e = 0; weighted && e < g->arcs; e++)
        if (!fits_int32(g, e))
            return wfi_fail(ctx, WEFT_EUNSUPPORTED,
                            "GAP files hold integer weights from -2^31 to 2^31-1 only; arc %llu has another",
                            (wfi_ull)e);
    if (weighted && wfi_weights_real(g->weight_type))
        wfi_warn(ctx,
                 "GAP files hold integer weights: these decimal ones, which happen to be integers, are stored as such");
    if (!weighted && g->weight_type) wfi_warn(ctx, "weights are not stored in a .sg file: .wsg keeps them");
    if (g->ids.kind != WEFT_IDS_DENSE || (g->ids.base != 0 && g->n))
        wfi_warn(ctx, "GAP files cannot store ids: the vertices become 0 ... %ld", (long)g->n - 1);
    return WEFT_OK;
}

static weft_status write_rows(weft_ctx *ctx, const weft_graph *g, const wfi_view *rows, bool weighted, wfi_sink *sink) {
    enum { BATCH = 4096 };
    wfi_sink_bytes(sink, rows->offsets, sizeof *rows->offsets * ((size_t)g->n + 1));
    if (!weighted) {
        wfi_sink_bytes(sink, rows->targets, sizeof *rows->targets * g->arcs);
        return WEFT_OK;
    }
    int32_t pairs[2 * BATCH];
    for (weft_eid e = 0; e < g->arcs && !wfi_sink_failed(sink); e += BATCH) {
        uint64_t count = wfi_min_u64(BATCH, g->arcs - e);
        if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        for (uint64_t i = 0; i < count; i++) {
            pairs[2 * i] = (int32_t)rows->targets[e + i];
            pairs[2 * i + 1] = (int32_t)wfi_weight_at(g->weight_type, rows->weights, e + i);
        }
        wfi_sink_bytes(sink, pairs, 2 * sizeof *pairs * count);
    }
    return WEFT_OK;
}

weft_status wfi_write_gap(weft_ctx *ctx, const weft_graph *g, wfi_sink *sink, const char *format) {
    bool weighted = !strcmp(format, "wsg");
    weft_status st = check_writable(ctx, g, weighted);
    if (!st && g->directed) st = wfi_graph_need_in(ctx, g);
    if (st) return st;
    int64_t numbers[2] = {(int64_t)g->arcs, (int64_t)g->n};
    wfi_sink_char(sink, g->directed ? 1 : 0);
    wfi_sink_bytes(sink, numbers, sizeof numbers);
    st = write_rows(ctx, g, &g->out, weighted, sink);
    if (!st && g->directed) st = write_rows(ctx, g, &g->in, weighted, sink);
    return st;
}
