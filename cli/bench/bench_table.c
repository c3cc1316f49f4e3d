/* The measurements for people: a table for each graph, then where and how they were taken. */
#include "bench/bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 12, LABEL_MOST = 40 };
typedef char cell[48];

static const char *const titles[COLUMNS] = {"algorithm", "threads", "median", "fastest",    "slowest", "first",
                                            "runs",      "edges/s", "GB/s",   "of ceiling", "memory",  "GPU clock"};

static const char *rate(cell buffer, double x) {
    static const char units[] = " kMGT";
    size_t unit = 0;
    for (; x >= 1000 && unit + 2 < sizeof units; unit++) x /= 1000;
    snprintf(buffer, sizeof(cell), unit ? "%.3g %c" : "%.3g", x, units[unit]);
    return buffer;
}

static void fill(cell cells[COLUMNS], const bench_graph *about, const bench_row *row) {
    cli_text buffer;
    cell text;
    snprintf(cells[0], sizeof(cell), "%.*s", LABEL_MOST, row->spec->label);
    snprintf(cells[1], sizeof(cell), "%d", row->threads);
    if (!bench_has_times(row->status)) return;
    const double times[] = {row->median_ms, row->min_ms, row->max_ms, row->first_ms};
    for (size_t i = 0; i < 4; i++) snprintf(cells[2 + i], sizeof(cell), "%s", cli_seconds(buffer, times[i]));
    snprintf(cells[6], sizeof(cell), "%zu", row->runs);
    snprintf(cells[7], sizeof(cell), "%s", rate(text, bench_edges_per_second(about, row)));
    snprintf(cells[8], sizeof(cell), "-");
    snprintf(cells[9], sizeof(cell), "-");
    if (row->model_bytes > 0) snprintf(cells[8], sizeof(cell), "%.3g", bench_gbs(row));
    if (row->model_bytes > 0 && row->ceiling_gbs > 0)
        snprintf(cells[9], sizeof(cell), "%.0f %%", 100 * bench_gbs(row) / row->ceiling_gbs);
    snprintf(cells[10], sizeof(cell), "%s", cli_bytes(buffer, row->bytes_peak));
    snprintf(cells[11], sizeof(cell), "%s", row->kernel_ms > 0 ? cli_seconds(buffer, row->kernel_ms) : "-");
}

static void print_cells(cell cells[COLUMNS], const size_t width[COLUMNS], size_t count) {
    printf("  %-*s", (int)width[0], cells[0]);
    for (size_t c = 1; c < count; c++) printf("  %*s", (int)width[c], cells[c]);
}

static bool any_on_gpu(const bench_graph *about) {
    for (size_t r = 0; r < about->row_count; r++)
        if (about->rows[r].kernel_ms > 0) return true;
    return false;
}

static void print_rows(const bench_graph *about) {
    size_t width[COLUMNS];
    cell(*cells)[COLUMNS] = cli_take(about->row_count + 1, sizeof *cells);
    if (!cells) return;
    for (size_t c = 0; c < COLUMNS; c++) {
        snprintf(cells[0][c], sizeof(cell), "%s", titles[c]);
        width[c] = strlen(titles[c]);
    }
    for (size_t r = 0; r < about->row_count; r++) {
        fill(cells[r + 1], about, &about->rows[r]);
        for (size_t c = 0; c < COLUMNS; c++)
            if (strlen(cells[r + 1][c]) > width[c]) width[c] = strlen(cells[r + 1][c]);
    }
    size_t columns = COLUMNS - (any_on_gpu(about) ? 0 : 1);
    print_cells(cells[0], width, columns);
    putchar('\n');
    for (size_t r = 0; r < about->row_count; r++) {
        const bench_row *row = &about->rows[r];
        bool measured = bench_has_times(row->status);
        print_cells(cells[r + 1], width, measured ? columns : 2);
        if (!measured) cli_put(stdout, "  %s: %s", bench_status_name(row->status), row->message);
        putchar('\n');
    }
    free(cells);
}

static void print_graph(const bench_graph *about) {
    const weft_graph_info *info = &about->info;
    cli_text a, b;
    cli_heading("%s: %s %s, %s %s edge%s%s", about->name, cli_count(a, info->vertices), cli_vertices(info->vertices),
                cli_count(b, info->edges), info->directed ? "directed" : "undirected", cli_s(info->edges),
                cli_with_weights(info->weight_type));
    printf("  checksum %016" PRIx64 ", %s in %s", about->checksum, about->generated ? "generated" : "read",
           cli_seconds(a, about->load_ms));
    if (info->directed) printf(", transposed in %s", cli_seconds(a, about->prepare_ms));
    fputs("\n\n", stdout);
    print_rows(about);
    putchar('\n');
}

static bool has_figures(const bench *b, const weft_algorithm_info *algorithm) {
    for (size_t i = 0; i < b->graph_count; i++)
        for (size_t k = 0; k < b->graphs[i].row_count; k++) {
            const bench_row *row = &b->graphs[i].rows[k];
            if (row->spec->algorithm == algorithm && bench_has_times(row->status) && row->model_bytes > 0) return true;
        }
    return false;
}

/* The names of the byte models behind the figures, each once. */
static void print_models(const bench *b) {
    bool first = true;
    for (size_t i = 0; i < weft_algorithm_count(); i++) {
        const weft_algorithm_info *a = weft_algorithm_at(i);
        if (!has_figures(b, a)) continue;
        if (first)
            cli_fact("GB/s",
                     "effective bandwidth, by these models; the ceiling is the read bandwidth of as many threads");
        cli_fact("", "bytes of %s: %s", a->name, a->model);
        first = false;
    }
}

void bench_print(const bench *b) {
    cli_text buffer;
    for (size_t i = 0; i < b->graph_count; i++) print_graph(&b->graphs[i]);
    if (!bench_complete(b))
        printf("INCOMPLETE: %s\n\n", b->interrupted ? "it ended before everything was measured"
                                                    : "--device cuda cannot run everything that was asked for");
    cli_fact("protocol", "a%s warm-up, then %s timed runs with the same bytes; %s sources where one is needed",
             b->options->bench.unverified ? "n UNVERIFIED" : " verified", cli_count(buffer, b->options->runs),
             cli_count((cli_text){0}, b->options->bench.sources));
    if (b->options->seconds > 0)
        cli_fact("", "the runs of a row stop after %g s, but not before %d", b->options->seconds, BENCH_LEAST_RUNS);
    if (b->options->runs < BENCH_ENOUGH_RUNS)
        cli_fact("", "fewer than %d runs: good enough to see that it works, not to publish", BENCH_ENOUGH_RUNS);
    print_models(b);
    cli_fact("build", "%s", weft_build_info());
    cli_fact("machine", "%s, %d core%s%s%s", *b->machine.cpu ? b->machine.cpu : "unknown CPU", b->machine.cores,
             b->machine.cores == 1 ? "" : "s", *b->governor ? ", governor " : "", b->governor);
    for (size_t t = 0; t < b->thread_count; t++)
        if (b->ceiling_gbs[t] > 0)
            cli_fact("", "reads %.1f GB/s with %d thread%s", b->ceiling_gbs[t], b->threads[t],
                     b->threads[t] == 1 ? "" : "s");
    cli_fact("date", "%s", b->date);
    if (b->load_before >= 0) cli_fact("load before", "%.2f", b->load_before);
}
