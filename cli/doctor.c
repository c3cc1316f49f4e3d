/* weft doctor: describes this machine, and measures the ceilings that runs are compared with. */
#include "cli.h"
#include "result/json.h"
#include "weft/machine.h"

#include <string.h>

static void rate_json(json *j, const char *key, double x) {
    if (x > 0)
        json_rounded(j, key, x);
    else
        json_null(j, key);
}

static void gpu_json(json *j, const weft_machine *m) {
    json_i64(j, "gpus", m->gpus);
    if (!m->gpus) {
        json_text(j, "gpu_reason", m->gpu_reason);
        return;
    }
    json_open_object(j, "gpu", false);
    json_text(j, "name", m->gpu);
    json_i64(j, "sms", m->gpu_sms);
    json_i64(j, "capability_major", m->gpu_major);
    json_i64(j, "capability_minor", m->gpu_minor);
    json_i64(j, "driver", m->gpu_driver);
    json_i64(j, "runtime", m->gpu_runtime);
    json_u64(j, "memory_bytes", m->gpu_memory_bytes);
    json_u64(j, "memory_free_bytes", m->gpu_memory_free_bytes);
    json_u64(j, "l2_bytes", m->gpu_l2_bytes);
    rate_json(j, "read_gbs", m->gpu_read_gbs);
    rate_json(j, "copy_gbs", m->gpu_copy_gbs);
    rate_json(j, "gather_l2_gps", m->gpu_gather_l2_gps);
    rate_json(j, "gather_hbm_gps", m->gpu_gather_hbm_gps);
    rate_json(j, "launch_us", m->gpu_launch_us);
    rate_json(j, "barrier_us", m->gpu_barrier_us);
    rate_json(j, "context_ms", m->gpu_context_ms);
    rate_json(j, "upload_gbs", m->gpu_upload_gbs);
    rate_json(j, "download_gbs", m->gpu_download_gbs);
    json_close(j);
}

static const char *const plugins[] = {"openmpi", "mpich"};
enum { PLUGINS = sizeof plugins / sizeof *plugins };

static void mpi_json(json *j) {
    char text[512];
    json_open_object(j, "mpi", false);
    for (size_t i = 0; i < PLUGINS; i++) {
        bool there = weft_plugin_describe(plugins[i], text, sizeof text) == WEFT_OK;
        json_open_object(j, plugins[i], true);
        json_bool(j, "usable", there);
        json_text(j, there ? "library" : "reason", text);
        json_close(j);
    }
    json_close(j);
}

static void nccl_json(json *j) {
    char text[256];
    bool there = weft_nccl_describe(text, sizeof text) == WEFT_OK;
    json_open_object(j, "nccl", true);
    json_bool(j, "usable", there);
    json_text(j, there ? "version" : "reason", text);
    json_close(j);
}

static void print_mpi(void) {
    char text[512];
    putchar('\n');
    cli_heading("MPI");
    for (size_t i = 0; i < PLUGINS; i++) {
        weft_status st = weft_plugin_describe(plugins[i], text, sizeof text);
        cli_fact(plugins[i], "%s%s", st ? "not usable: " : "", text);
    }
    weft_status st = weft_nccl_describe(text, sizeof text);
    cli_fact("NCCL", "%s%s", st ? "not usable: " : "", text);
}

static void print_json(const weft_machine *m, int threads, bool measured) {
    json j;
    json_start(&j, stdout);
    json_text(&j, "version", weft_version());
    json_text(&j, "build", weft_build_info());
    json_text(&j, "cpu", m->cpu);
    json_i64(&j, "cores", m->cores);
    json_i64(&j, "threads", threads);
    json_u64(&j, "memory_bytes", m->memory_bytes);
    json_u64(&j, "memory_free_bytes", m->memory_free_bytes);
    json_u64(&j, "l1_bytes", m->l1_bytes);
    json_u64(&j, "l2_bytes", m->l2_bytes);
    json_u64(&j, "l3_bytes", m->l3_bytes);
    json_bool(&j, "measured", measured);
    rate_json(&j, "read_gbs", m->read_gbs);
    rate_json(&j, "copy_gbs", m->copy_gbs);
    rate_json(&j, "gather_gps", m->gather_gps);
    rate_json(&j, "parse_gbs", m->parse_gbs);
    gpu_json(&j, m);
    mpi_json(&j);
    nccl_json(&j);
    json_finish(&j);
}

static void print_rate(const char *label, double x, const char *unit) {
    if (x > 0) cli_fact(label, "%.*f %s", x < 10 ? 2 : x < 100 ? 1 : 0, x, unit);
}

static const char *cache_size(cli_text buffer, uint64_t bytes) {
    return bytes ? cli_bytes(buffer, bytes) : strcpy(buffer, "unknown");
}

static void print_gpu(const weft_machine *m) {
    cli_text a, b;
    putchar('\n');
    cli_heading("GPU");
    if (!m->gpus) {
        cli_fact("none", "%s", *m->gpu_reason ? m->gpu_reason : "no reason given");
        return;
    }
    cli_fact("model", "%s", m->gpu);
    if (m->gpus > 1) cli_fact("visible", "%d, the first is used", m->gpus);
    cli_fact("compute capability", "%d.%d, %d SMs", m->gpu_major, m->gpu_minor, m->gpu_sms);
    cli_fact("memory", "%s, %s free", cli_bytes(a, m->gpu_memory_bytes), cli_bytes(b, m->gpu_memory_free_bytes));
    cli_fact("L2 cache", "%s", cache_size(a, m->gpu_l2_bytes));
    cli_fact("CUDA", "driver %d.%d, runtime %d.%d", m->gpu_driver / 1000, m->gpu_driver % 1000 / 10,
             m->gpu_runtime / 1000, m->gpu_runtime % 1000 / 10);
    print_rate("read", m->gpu_read_gbs, "GB/s");
    print_rate("copy", m->gpu_copy_gbs, "GB/s, read + written");
    print_rate("gather, 4 MB", m->gpu_gather_l2_gps, "G/s, random 4-byte reads");
    print_rate("gather, 512 MB", m->gpu_gather_hbm_gps, "G/s");
    print_rate("upload", m->gpu_upload_gbs, "GB/s, pinned");
    print_rate("download", m->gpu_download_gbs, "GB/s, pinned");
    print_rate("kernel launch", m->gpu_launch_us, "us");
    print_rate("grid barrier", m->gpu_barrier_us, "us");
    print_rate("first touch", m->gpu_context_ms, "ms to make the CUDA context");
}

static void print_human(const weft_machine *m, int threads) {
    cli_text a, b, c;
    cli_heading("Weft");
    cli_fact("version", "%s", weft_version());
    cli_fact("build", "%s", weft_build_info());
    putchar('\n');
    cli_heading("CPU");
    cli_fact("model", "%s", *m->cpu ? m->cpu : "unknown");
    cli_fact("cores", "%d, %d thread%s used", m->cores, threads, threads == 1 ? "" : "s");
    cli_fact("memory", "%s, %s free", cli_bytes(a, m->memory_bytes), cli_bytes(b, m->memory_free_bytes));
    cli_fact("caches", "L1 %s, L2 %s, L3 %s", cache_size(a, m->l1_bytes), cache_size(b, m->l2_bytes),
             cache_size(c, m->l3_bytes));
    print_rate("read", m->read_gbs, "GB/s");
    print_rate("copy", m->copy_gbs, "GB/s, read + written");
    print_rate("gather, 64 MB", m->gather_gps, "G/s, random 4-byte reads");
    print_rate("parse", m->parse_gbs, "GB/s of integers as text, one thread");
    print_gpu(m);
    print_mpi();
}

int cli_doctor(cli_call *call) {
    weft_ctx *ctx = NULL;
    weft_machine machine = {.size = sizeof machine};
    bool measure = !call->options.quick;
    int code = cli_open(&call->options, &ctx);
    if (code) goto done;
    weft_status st = weft_machine_describe(ctx, measure, &machine);
    cli_progress_erase();
    if (st) {
        code = cli_fail_status(ctx, st);
        goto done;
    }
    if (call->options.json)
        print_json(&machine, weft_ctx_threads(ctx), measure);
    else
        print_human(&machine, weft_ctx_threads(ctx));
    if (call->options.device >= WEFT_DEVICE_CUDA && !machine.gpus)
        code = cli_fail(EXIT_DEVICE, "no usable GPU: %s", machine.gpu_reason);
done:
    weft_ctx_free(ctx);
    return code;
}
