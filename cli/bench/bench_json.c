/* The measurements as JSON: provenance, protocol, ceilings, and the rows of each graph.  Keys that weft ALGORITHM
 * --json has, too, mean the same. */
#include "bench/bench.h"

#include <inttypes.h>

const char *bench_status_name(bench_status status) {
    static const char *const names[] = {[BENCH_VERIFIED] = "verified",
                                        [BENCH_MEASURED] = "measured",
                                        [BENCH_SKIPPED] = "skipped",
                                        [BENCH_WRONG] = "wrong",
                                        [BENCH_FAILED] = "failed"};
    return names[status];
}

static void provenance_json(json *j, const bench *b) {
    const weft_machine *m = &b->machine;
    json_open_object(j, "provenance", false);
    json_text(j, "date", b->date);
    json_text(j, "version", weft_version());
    json_text(j, "build", weft_build_info());
    json_text(j, "cpu", m->cpu);
    json_i64(j, "cores", m->cores);
    json_text(j, "governor", *b->governor ? b->governor : NULL);
    if (b->load_before >= 0)
        json_rounded(j, "load_average", b->load_before);
    else
        json_null(j, "load_average");
    json_u64(j, "memory_bytes", m->memory_bytes);
    json_u64(j, "l1_bytes", m->l1_bytes);
    json_u64(j, "l2_bytes", m->l2_bytes);
    json_u64(j, "l3_bytes", m->l3_bytes);
    json_close(j);
    json_open_object(j, "protocol", true);
    json_i64(j, "warm_up", 1);
    json_u64(j, "repeat", b->options->runs);
    json_u64(j, "sources", b->options->bench.sources);
    if (b->options->seconds > 0) json_f64(j, "seconds", b->options->seconds);
    json_close(j);
    json_open_array(j, "ceilings", true);
    for (size_t t = 0; t < b->thread_count; t++) {
        json_open_object(j, NULL, true);
        json_i64(j, "threads", b->threads[t]);
        if (b->ceiling_gbs[t] > 0)
            json_rounded(j, "read_gbs", b->ceiling_gbs[t]);
        else
            json_null(j, "read_gbs");
        json_close(j);
    }
    json_close(j);
}

static void rates_json(json *j, const bench_graph *about, const bench_row *row) {
    json_rounded(j, "edges_per_second", bench_edges_per_second(about, row));
    if (row->model_bytes > 0) {
        json_f64(j, "model_bytes", row->model_bytes);
        json_text(j, "model", row->spec->algorithm->model);
        json_rounded(j, "effective_gbs", bench_gbs(row));
    } else {
        json_null(j, "model_bytes");
        json_null(j, "model");
        json_null(j, "effective_gbs");
    }
    if (row->model_bytes > 0 && row->ceiling_gbs > 0)
        json_rounded(j, "ceiling_share", bench_gbs(row) / row->ceiling_gbs);
    else
        json_null(j, "ceiling_share");
    json_u64(j, "bytes_peak", row->bytes_peak);
}

static void times_json(json *j, const bench_graph *about, const bench_row *row) {
    json_u64(j, "runs", row->runs);
    json_u64(j, "sources", row->sources);
    json_open_object(j, "time_ms", true);
    json_rounded(j, "load", about->load_ms);
    json_rounded(j, "prepare", about->prepare_ms + row->prepare_ms);
    json_rounded(j, "first", row->first_ms);
    json_rounded(j, "run", row->median_ms);
    if (row->kernel_ms > 0) json_rounded(j, "kernel", row->kernel_ms);
    json_close(j);
    json_open_object(j, "run_ms", true);
    json_rounded(j, "median", row->median_ms);
    json_rounded(j, "min", row->min_ms);
    json_rounded(j, "max", row->max_ms);
    json_close(j);
}

static void result_json(json *j, const bench_row *row) {
    json_open_object(j, "result", true);
    for (size_t i = 0; i < row->scalar_count; i++) {
        const weft_scalar *s = &row->scalars[i];
        if (s->type == WEFT_F64)
            json_f64(j, s->name, s->value.f64);
        else if (s->type == WEFT_I64)
            json_i64(j, s->name, s->value.i64);
        else
            json_u64(j, s->name, s->value.u64);
    }
    json_close(j);
}

static void hex_json(json *j, const char *key, uint64_t value) {
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    json_text(j, key, text);
}

static void row_json(json *j, const bench_graph *about, const bench_row *row) {
    json_open_object(j, NULL, false);
    json_text(j, "algorithm", row->spec->algorithm->name);
    json_text(j, "asked", row->spec->label);
    json_i64(j, "threads", row->threads);
    json_text(j, "status", bench_status_name(row->status));
    json_bool(j, "verified", row->status == BENCH_VERIFIED);
    if (bench_has_times(row->status)) {
        json_text(j, "backend", row->device);
        json_text(j, "method", row->method);
        json_text(j, "reason", row->reason);
        times_json(j, about, row);
        rates_json(j, about, row);
        hex_json(j, "digest", row->digest);
        result_json(j, row);
    } else {
        json_text(j, "message", row->message);
    }
    json_close(j);
}

void bench_json(const bench *b, FILE *to) {
    json j;
    json_start(&j, to);
    json_bool(&j, "complete", bench_complete(b));
    provenance_json(&j, b);
    json_open_array(&j, "graphs", false);
    for (size_t i = 0; i < b->graph_count; i++) {
        const bench_graph *about = &b->graphs[i];
        json_open_object(&j, NULL, false);
        json_text(&j, about->generated ? "generator" : "file", about->name);
        json_graph(&j, &about->info);
        hex_json(&j, "checksum", about->checksum);
        json_u64(&j, "graph_bytes", about->info.bytes);
        json_rounded(&j, "load_ms", about->load_ms);
        json_rounded(&j, "prepare_ms", about->prepare_ms);
        json_open_array(&j, "rows", false);
        for (size_t k = 0; k < about->row_count; k++) row_json(&j, about, &about->rows[k]);
        json_close(&j);
        json_close(&j);
    }
    json_close(&j);
    json_finish(&j);
}
