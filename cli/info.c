/* weft info FILE: the content of a graph file. */
#include "cli.h"
#include "result/attributes.h"

#include <string.h>

static const char *const id_kinds[] = {
    [WEFT_IDS_DENSE] = "dense", [WEFT_IDS_SPARSE] = "sparse", [WEFT_IDS_STRING] = "string"};
static const char *const weight_kinds[] = {
    [WEFT_WEIGHT_U32] = "whole numbers", [WEFT_WEIGHT_F32] = "32-bit reals", [WEFT_WEIGHT_F64] = "64-bit reals"};
static const char *const labels[] = {
    [WEFT_LABEL_NONE] = NULL, [WEFT_LABEL_CYCLIC] = "cyclic", [WEFT_LABEL_ACYCLIC] = "acyclic"};

static const char *const directions[] = {[WEFT_DIRECTION_FROM_FILE] = "the file says so",
                                         [WEFT_DIRECTION_FROM_FLAG] = "by flag",
                                         [WEFT_DIRECTION_ASSUMED] = "assumed: the file does not say"};

/* --- degrees in bins that double: 0, 1, 2-3, 4-7, ... ------------------------------------------- */

enum { HISTOGRAM_BINS = 65, BAR_WIDTH = 40 };

typedef struct histogram {
    uint64_t count[HISTOGRAM_BINS]; /* [0]: degree 0; [k]: degrees 2^(k-1) ... 2^k - 1 */
    unsigned bins;                  /* bins in use */
} histogram;

static unsigned bin_of(uint64_t degree) { return degree ? 64u - (unsigned)__builtin_clzll(degree) : 0; }
static uint64_t bin_from(unsigned bin) { return bin ? (uint64_t)1 << (bin - 1) : 0; }
static uint64_t bin_to(unsigned bin) { return bin ? 2 * bin_from(bin) - 1 : 0; } /* wraps to the correct value at 64 */

/* Of the total degree, as `weft degree` counts it: in + out of a directed graph, the row of an undirected one. */
static weft_status histogram_of_degrees(weft_ctx *ctx, const weft_graph *g, histogram *h) {
    uint64_t *value = NULL, *count = NULL;
    size_t length = 0;
    memset(h, 0, sizeof *h);
    weft_status st = weft_graph_degree_distribution(ctx, g, WEFT_SIDE_BOTH, &value, &count, &length);
    if (st) return st;
    for (size_t i = 0; i < length; i++) {
        unsigned bin = bin_of(value[i]);
        h->count[bin] += count[i];
        if (bin >= h->bins) h->bins = bin + 1;
    }
    weft_free(ctx, value);
    weft_free(ctx, count);
    return WEFT_OK;
}

/* A bar in eighths of a block; with # where the locale is not UTF-8. */
static void draw_bar(uint64_t count, uint64_t most, bool blocks) {
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (!count || !most) return;
    unsigned length = (unsigned)((double)count / (double)most * BAR_WIDTH * 8 + 0.5);
    if (!blocks) {
        length = (length + 7) / 8;
        for (unsigned i = 0; i < (length ? length : 1); i++) putchar('#');
        return;
    }
    if (!length) length = 1; /* a count above 0 must be visible */
    for (unsigned i = 0; i < length / 8; i++) fputs("█", stdout);
    fputs(eighths[length % 8], stdout);
}

static void histogram_print(const histogram *h, const char *title) {
    uint64_t most = 0;
    unsigned first = 0;
    bool blocks = cli_utf8_wanted();
    for (unsigned bin = 0; bin < h->bins; bin++)
        if (h->count[bin] > most) most = h->count[bin];
    while (first < h->bins && !h->count[first]) first++;
    printf("\n");
    cli_heading("%20s  %14s", title, "vertices");
    for (unsigned bin = first; bin < h->bins; bin++) {
        char range[48];
        cli_text buffer;
        if (bin < 2)
            snprintf(range, sizeof range, "%u", bin);
        else
            snprintf(range, sizeof range, "%llu - %llu", (unsigned long long)bin_from(bin),
                     (unsigned long long)bin_to(bin));
        printf("%20s  %14s  ", range, cli_count(buffer, h->count[bin]));
        draw_bar(h->count[bin], most, blocks);
        putchar('\n');
    }
}

static void histogram_json(json *j, const char *key, const histogram *h) {
    json_open_array(j, key, false);
    for (unsigned bin = 0; bin < h->bins; bin++) {
        json_open_object(j, NULL, true);
        json_u64(j, "from", bin_from(bin));
        json_u64(j, "to", bin_to(bin));
        json_u64(j, "vertices", h->count[bin]);
        json_close(j);
    }
    json_close(j);
}

/* --- the graph -------------------------------------------------------------------------------- */

typedef struct report {
    weft_ctx *ctx;
    const weft_graph *g;
    const char *path;
    const weft_graph_info *info;
    uint64_t file_bytes; /* 0: not known */
    uint64_t peak_bytes;
    const char *checksums; /* NULL: not asked for */
} report;

/* 0 if the rate says nothing: a .weft file is mapped, not read, and a small file's time is start-up. */
static double file_mbs(const report *r) {
    if (r->file_bytes < 1000000 || r->info->load_ms <= 0 || strcmp(r->info->format, "weft") == 0) return 0;
    return (double)r->file_bytes / 1e3 / r->info->load_ms;
}

/* A float is printed as one: 0.7, not the digits of the nearest double. */
static void json_weight(json *j, const char *key, weft_weight_type type, double x) {
    if (type == WEFT_WEIGHT_F32)
        json_f32(j, key, (float)x);
    else
        json_f64(j, key, x);
}

static const char *weight_text(cli_text buffer, weft_weight_type type, double x) {
    return type == WEFT_WEIGHT_F32 ? cli_real32(buffer, (float)x) : cli_real(buffer, x);
}

static void json_columns(json *j, const weft_graph_info *info) {
    if (!info->source_column) return;
    json_open_object(j, "columns", false);
    json_text(j, "source", info->source_column);
    json_text(j, "target", info->target_column);
    json_text(j, "weight", info->weight_column);
    json_open_array(j, "passed_over", true);
    for (size_t i = 0; i < info->passed_over_count; i++) json_text(j, NULL, info->passed_over_columns[i]);
    json_close(j);
    json_close(j);
}

void json_info(json *j, const weft_graph_info *info) {
    json_text(j, "format", info->format);
    json_columns(j, info);
    json_graph(j, info);
    json_text(j, "weight_type", cli_weights(info->weight_type));
    if (info->weight_type != WEFT_WEIGHT_NONE) {
        json_weight(j, "min_weight", info->weight_type, info->min_weight);
        json_weight(j, "max_weight", info->weight_type, info->max_weight);
    }
    json_text(j, "ids", id_kinds[info->id_kind]);
    if (info->id_kind == WEFT_IDS_DENSE) json_i64(j, "id_base", info->id_base);
    json_u64(j, "self_loops", info->self_loops);
    json_u64(j, "self_loops_dropped", info->self_loops_dropped);
    json_u64(j, "duplicates_dropped", info->duplicates_dropped);
    json_u64(j, "weights_merged", info->weights_merged);
    json_u64(j, "opposite_weights_merged", info->opposite_weights_merged);
    json_u64(j, "isolated", info->isolated);
    json_u64(j, "max_degree", info->max_degree);
    json_u64(j, "max_in_degree", info->max_in_degree);
    json_f64(j, "mean_degree", info->mean_degree);
    json_u64(j, "median_degree", info->median_degree);
    json_f64(j, "skew", info->skew);
    json_f64(j, "density", info->density);
    if (labels[info->label]) json_text(j, "label", labels[info->label]);
}

static void print_json(const report *r, const histogram *h) {
    const weft_graph_info *info = r->info;
    json j;
    json_start(&j, stdout);
    json_text(&j, "file", r->path);
    json_info(&j, info);
    sides_json(&j, r->g);
    attributes_json(&j, "attributes", r->ctx, r->g);
    edge_columns_json(&j, "edge_columns", r->ctx, r->g);
    if (r->checksums) json_text(&j, "checksums", r->checksums);
    json_rounded(&j, "load_ms", info->load_ms);
    if (r->file_bytes) json_u64(&j, "file_bytes", r->file_bytes);
    if (file_mbs(r) > 0) json_rounded(&j, "file_mb_per_s", file_mbs(r));
    json_u64(&j, "graph_bytes", info->bytes);
    json_u64(&j, "bytes_peak", r->peak_bytes);
    histogram_json(&j, "degree_histogram", h);
    json_finish(&j);
}

static void print_weights_and_ids(const weft_graph_info *info) {
    cli_text a, b;
    if (info->weight_type == WEFT_WEIGHT_NONE)
        cli_fact("weights", "none");
    else
        cli_fact("weights", "%s to %s (%s)", weight_text(a, info->weight_type, info->min_weight),
                 weight_text(b, info->weight_type, info->max_weight), weight_kinds[info->weight_type]);
    if (info->id_kind == WEFT_IDS_STRING)
        cli_fact("ids", "names");
    else if (info->id_kind == WEFT_IDS_SPARSE)
        cli_fact("ids", "numbers with gaps");
    else if (info->vertices)
        cli_fact("ids", "numbers %lld to %lld", (long long)info->id_base,
                 (long long)(info->id_base + (int64_t)info->vertices - 1));
    else
        cli_fact("ids", "none");
}

static void print_degrees(const weft_graph_info *info) {
    cli_text a, b;
    const char *out = info->directed ? "out-degree" : "degree";
    cli_fact(out, "max %s, mean %.2f, median %s", cli_count(a, info->max_degree), info->mean_degree,
             cli_count(b, info->median_degree));
    if (info->directed) cli_fact("in-degree", "max %s", cli_count(a, info->max_in_degree));
    cli_fact("skew", "the top 1 %% of vertices hold %.1f %% of the arcs", info->skew * 100);
    cli_fact("density", "%.3g", info->density);
}

static void print_human(const report *r) {
    const weft_graph_info *info = r->info;
    cli_text a, b;
    cli_heading("%s", strcmp(r->path, "-") == 0 ? "standard input" : r->path);
    cli_fact("format", "%s", info->format);
    if (info->source_column)
        cli_fact("columns", "%s \u2192 %s%s%s", info->source_column, info->target_column,
                 info->weight_column ? ", " : "", info->weight_column ? info->weight_column : "");
    cli_fact("vertices", "%s", cli_count(a, info->vertices));
    cli_fact("records", "%s edge%s listed in the file", cli_count(a, info->records), cli_s(info->records));
    cli_fact("edges", "%s", cli_count(a, info->edges));
    cli_fact("arcs", "%s stored", cli_count(a, info->arcs));
    cli_fact("direction", "%s (%s)", info->directed ? "directed" : "undirected", directions[info->direction_from]);
    print_weights_and_ids(info);
    if (info->self_loops_dropped)
        cli_fact("self-loops", "%s, and %s dropped", cli_count(a, info->self_loops),
                 cli_count(b, info->self_loops_dropped));
    else
        cli_fact("self-loops", "%s", cli_count(a, info->self_loops));
    cli_fact("duplicates dropped", "%s", cli_count(a, info->duplicates_dropped));
    if (info->weights_merged)
        cli_fact("weights merged", "%s pair%s with parallel edges of different weights: the smallest",
                 cli_count(a, info->weights_merged), cli_s(info->weights_merged));
    if (info->opposite_weights_merged)
        cli_fact("weights merged", "of %s edge%s listed in both directions that differ: the smallest",
                 cli_count(a, info->opposite_weights_merged), cli_s(info->opposite_weights_merged));
    cli_fact("isolated", "%s", cli_count(a, info->isolated));
    print_degrees(info);
    sides_print(r->g);
    attributes_print(r->ctx, r->g);
    edge_columns_print(r->ctx, r->g);
    if (labels[info->label]) cli_fact("the file says", "%s", labels[info->label]);
    if (r->checksums) cli_fact("checksums", "%s", r->checksums);
    if (r->file_bytes) cli_fact("file", "%s", cli_bytes(a, r->file_bytes));
    if (file_mbs(r) > 0)
        cli_fact("load time", "%s, %.0f MB/s of the file", cli_seconds(a, info->load_ms), file_mbs(r));
    else
        cli_fact("load time", "%s", cli_seconds(a, info->load_ms));
    cli_fact("memory", "%s, peak %s", cli_bytes(a, info->bytes), cli_bytes(b, r->peak_bytes));
}

int cli_info(cli_call *call) {
    const char *path = call->operands[0];
    weft_ctx *ctx = NULL;
    weft_graph *g = NULL;
    weft_graph_info info = {.size = sizeof info};
    histogram h;
    int code = cli_open(&call->options, &ctx);
    if (!code) code = cli_load(ctx, &call->options, path, &g);
    if (code) goto done;
    uint64_t peak = weft_ctx_memory_peak(ctx);
    weft_status st = weft_graph_describe(ctx, g, &info);
    if (!st) st = histogram_of_degrees(ctx, g, &h);
    cli_progress_erase();
    if (st) {
        code = cli_fail_status(ctx, st);
        goto done;
    }
    report r = {ctx, g, path, &info, cli_file_bytes(path), peak, NULL};
    if (call->options.verify) r.checksums = strcmp(info.format, "weft") == 0 ? "good" : "none in this format";
    if (call->options.json) {
        print_json(&r, &h);
    } else {
        print_human(&r);
        if (info.vertices) histogram_print(&h, info.directed ? "degree (in + out)" : "degree");
    }
done:
    weft_graph_free(g);
    weft_ctx_free(ctx);
    return code;
}
