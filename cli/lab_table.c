/* The ladders, and what was measured, for people. */
#include "charts.h"
#include "lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 12 };
typedef char cell[48];

static const char *const titles[COLUMNS] = {"rung",          "median",  "fastest",    "slowest",
                                            "kernels",       "edges/s", "GB/s",       "of ceiling",
                                            "against first", "before",  "difference", "document said"};

void lab_list(void) {
    for (size_t i = 0; i < lab_ladder_count; i++) {
        const lab_ladder *ladder = lab_ladders[i];
        cli_heading("%s: %s, %zu rungs", ladder->name, ladder->title, ladder->rung_count);
        for (size_t k = 0; k < ladder->rung_count; k++)
            printf("  %2zu  %-22s%s\n", k + 1, ladder->rungs[k]->name, ladder->rungs[k]->title);
        putchar('\n');
    }
    puts("weft lab LADDER runs one; weft help lab has the flags.");
}

static void rate(cell room, double x) {
    static const char units[] = " kMGT";
    size_t unit = 0;
    for (; x >= 999.5 && unit + 2 < sizeof units; unit++) x /= 1000; /* which would be 1e+03 */
    snprintf(room, sizeof(cell), unit ? "%.3g %c" : "%.3g", x, units[unit]);
}

/* Runs may take microseconds. */
static const char *time_text(cli_text room, double ms) {
    if (ms >= 0.1) return cli_seconds(room, ms);
    snprintf(room, sizeof(cli_text), "%.3g us", ms * 1e3);
    return room;
}

static void times_text(cell room, double x) { snprintf(room, sizeof(cell), x < 999.5 ? "%.3gx" : "%.0fx", x); }

static void fill(cell cells[COLUMNS], const lab_row *row) {
    cli_text room;
    snprintf(cells[0], sizeof(cell), "%2zu %s", row->number, row->rung->name);
    if (row->status != LAB_VERIFIED) return;
    const double times[] = {row->median_ms, row->min_ms, row->max_ms, lab_kernels_ms(row)};
    for (size_t i = 0; i < 4; i++) snprintf(cells[1 + i], sizeof(cell), "%s", time_text(room, times[i]));
    for (size_t c = 5; c < COLUMNS; c++) snprintf(cells[c], sizeof(cell), "-");
    rate(cells[5], lab_edges_per_second(row));
    if (row->bytes > 0) snprintf(cells[6], sizeof(cell), lab_gbs(row) < 999.5 ? "%.3g" : "%.0f", lab_gbs(row));
    if (row->bytes > 0 && row->ceiling_gbs > 0)
        snprintf(cells[7], sizeof(cell), "%.0f %%", 100 * lab_gbs(row) / row->ceiling_gbs);
    if (row->on_first > 0) times_text(cells[8], row->on_first);
    if (row->on_previous > 0) times_text(cells[9], row->on_previous);
    if (!isnan(row->difference)) snprintf(cells[10], sizeof(cell), "%.2g", row->difference);
    if (row->said) snprintf(cells[11], sizeof(cell), "%s", time_text(room, row->said->ms));
}

static void print_cells(cell cells[COLUMNS], const size_t width[COLUMNS], size_t count) {
    printf("  %-*s", (int)width[0], cells[0]);
    for (size_t c = 1; c < count; c++) printf("  %*s", (int)width[c], cells[c]);
}

static void print_rows(const lab_table *t) {
    size_t width[COLUMNS], columns = COLUMNS - 1;
    cell(*cells)[COLUMNS] = cli_take(t->row_count + 1, sizeof *cells);
    if (!cells) return;
    for (size_t c = 0; c < COLUMNS; c++) {
        snprintf(cells[0][c], sizeof(cell), "%s", titles[c]);
        width[c] = strlen(titles[c]);
    }
    for (size_t r = 0; r < t->row_count; r++) {
        fill(cells[r + 1], &t->rows[r]);
        if (t->rows[r].said) columns = COLUMNS;
        for (size_t c = 0; c < COLUMNS; c++)
            if (strlen(cells[r + 1][c]) > width[c]) width[c] = strlen(cells[r + 1][c]);
    }
    print_cells(cells[0], width, columns);
    putchar('\n');
    for (size_t r = 0; r < t->row_count; r++) {
        const lab_row *row = &t->rows[r];
        bool measured = row->status == LAB_VERIFIED;
        print_cells(cells[r + 1], width, measured ? columns : 1);
        if (!measured) cli_put(stdout, "  %s: %s", lab_status_name(row->status), row->message);
        if (!measured && row->said) printf("; the document said %s", cli_seconds((cli_text){0}, row->said->ms));
        putchar('\n');
    }
    free(cells);
}

/* "gpu-naive  128: 1.2 ms (100 %)  256: ...": the kernels, beside the occupancy. */
static void print_blocks(const lab_table *t) {
    size_t printed = 0;
    cli_text room;
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!row->block_count) continue;
        if (!printed++) puts("  kernels by threads in a block, and computed occupancy:");
        printf("  %2zu %-22s", row->number, row->rung->name);
        for (size_t b = 0; b < row->block_count; b++)
            printf("  %d: %s (%.0f %%)", row->blocks[b].threads, time_text(room, row->blocks[b].kernels_ms),
                   100 * row->blocks[b].occupancy);
        putchar('\n');
    }
}

/* A rung that was stopped has said so in its row. */
static void print_fewer_runs(const lab_table *t) {
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (row->impatient && row->status == LAB_VERIFIED)
            printf("  %2zu %s: %zu timed run%s, not more: one took longer than --patience allows\n", row->number,
                   row->rung->name, row->runs, row->runs == 1 ? "" : "s");
    }
}

static void print_table(const lab_table *t) {
    cli_text a, b;
    cli_heading("%s on %s: %s vertices, %s edges", t->ladder->title, t->input, cli_count(a, t->info.vertices),
                cli_count(b, t->info.edges));
    print_rows(t);
    print_blocks(t);
    print_fewer_runs(t);
    if (!t->complete) puts("  INCOMPLETE: it ended before every rung was measured");
    for (size_t i = 0, printed = 0; i < t->row_count; i++) {
        const lab_figure *said = t->rows[i].said;
        if (said && !printed++) printf("  the document: %s\n", said->source);
    }
    putchar('\n');
}

/* For each ladder with sizes: from which on the GPU is faster. */
static void print_break_even(const lab_book *book) {
    cli_text room;
    for (size_t i = 0, count; i < book->page_count; i += count) {
        for (count = 1; i + count < book->page_count && book->pages[i + count].sized; count++) continue;
        double even = chart_break_even(&book->pages[i], count);
        if (even > 0)
            cli_fact("break-even",
                     "%s: from about %s vertices on the best rung on the GPU is faster than the best on the CPU",
                     book->pages[i].table.ladder->name, cli_count(room, (uint64_t)even));
    }
}

void lab_print(const lab_book *book) {
    const weft_machine *m = book->machine;
    for (size_t i = 0; i < book->page_count; i++) print_table(&book->pages[i].table);
    print_break_even(book);
    cli_fact("protocol", "a verified warm-up, then %zu timed runs; an answer with other bytes is verified as well",
             book->runs);
    if (book->runs < BENCH_ENOUGH_RUNS)
        cli_fact("", "fewer than %d runs: to see that it works, not to keep", BENCH_ENOUGH_RUNS);
    cli_fact("times",
             "median: whole runs (allocate, copy in, kernels, copy out, free); rates are by the kernels alone");
    cli_fact("build", "%s", weft_build_info());
    cli_fact("machine", "%s, %d thread%s", *m->cpu ? m->cpu : "unknown CPU", book->threads,
             book->threads == 1 ? "" : "s");
    if (m->read_gbs > 0) cli_fact("", "reads %.1f GB/s: the ceiling of rungs on the CPU", m->read_gbs);
    if (m->gpus > 0) cli_fact("", "%s, reads %.0f GB/s: the ceiling of rungs on the GPU", m->gpu, m->gpu_read_gbs);
    cli_fact("date", "%s", book->date);
    if (book->load >= 0) cli_fact("load before", "%.2f", book->load);
    if (book->load > 0.5 * m->cores)
        cli_fact("", "other programs were at work: rungs with threads wait for them at every barrier");
}
