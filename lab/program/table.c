/* The ladders, and what was measured, for people. */
#include "charts.h"
#include "program.h"
#include "units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 14 };
typedef char cell[48];

/* After a document's time, and what they mean after its source. */
static const char *const kind_mark[] = {[LAB_WHOLE_RUN] = "", [LAB_KERNELS_ONLY] = " k", [LAB_NOT_SAID] = " ?"};
static const char *const kind_meaning[] = {
    [LAB_WHOLE_RUN] = "", [LAB_KERNELS_ONLY] = " (k: kernels)", [LAB_NOT_SAID] = " (?: of what is not said)"};

static const char *const titles[COLUMNS] = {"rung",    "median", "fastest",    "slowest",       "kernels",
                                            "edges/s", "GB/s",   "of ceiling", "against first", "before",
                                            "named",   "held",   "difference", "document said"};
/* Of ladders on ranks, whose bytes are those between ranks. */
static const char *const rank_titles[COLUMNS] = {[6] = "sent", [7] = "over network"};

static const char *title_of(const lab_table *t, size_t c) {
    if (c == 12 && t->ladder->scalar) return t->ladder->scalar;
    return t->ranks && rank_titles[c] ? rank_titles[c] : titles[c];
}

void lab_list(void) {
    for (size_t i = 0; i < lab_ladder_count; i++) {
        const lab_ladder *ladder = lab_ladders[i];
        cli_heading("%s: %s, %zu rungs", ladder->name, ladder->title, ladder->rung_count);
        for (size_t k = 0; k < ladder->rung_count; k++) {
            char name[96];
            snprintf(name, sizeof name, "  %2zu  %s", k + 1, ladder->rungs[k]->name);
            cli_put_entry(stdout, name, cli_name_width(stdout, 28), ladder->rungs[k]->title);
        }
        putchar('\n');
    }
    cli_put_text(stdout, "weft lab LADDER runs one; weft help lab has the flags.\n");
}

/* Runs may take microseconds. */
static const char *time_text(cli_text room, double ms) {
    if (ms >= 0.1) return cli_seconds(room, ms);
    snprintf(room, sizeof(cli_text), "%.3g us", ms * 1e3);
    return room;
}

/* In ASCII, as all of the table. */
static void times_text(cell room, double x) {
    char text[32];
    unit_times(text, x);
    snprintf(room, sizeof(cell), "%.*sx", (int)(strlen(text) - strlen("×")), text);
}

/* "1.7x 9": the number of the rung that it names; a w where whole runs were compared. */
static void named_text(cell room, const lab_row *row) {
    cell times;
    times_text(times, row->on_against);
    snprintf(room, sizeof(cell), "%.20s %zu%s", times, row->against->number,
             row->against_by == LAB_WHOLE_RUN ? " w" : "");
}

static void fill(cell cells[COLUMNS], const lab_row *row, bool ranks) {
    cli_text room;
    char last[32];
    snprintf(cells[0], sizeof(cell), "%2zu %s", row->number, row->rung->name);
    if (row->status != LAB_VERIFIED) return;
    const double times[] = {row->median_ms, row->min_ms, row->max_ms, lab_kernels_ms(row)};
    for (size_t i = 0; i < 4; i++) snprintf(cells[1 + i], sizeof(cell), "%s", time_text(room, times[i]));
    for (size_t c = 5; c < COLUMNS; c++) snprintf(cells[c], sizeof(cell), "-");
    unit_count(cells[5], lab_edges_per_second(row));
    if (row->bytes > 0) unit_gbs(cells[6], lab_gbs(row));
    if (row->bytes > 0 && row->ceiling_gbs > 0) unit_share(cells[7], lab_gbs(row) / row->ceiling_gbs);
    if (ranks) unit_bytes(cells[6], row->sent);
    if (row->network_ms > 0) snprintf(cells[7], sizeof(cell), "%s", time_text(room, row->network_ms));
    if (row->on_first > 0) times_text(cells[8], row->on_first);
    if (row->on_previous > 0) times_text(cells[9], row->on_previous);
    if (row->on_against > 0) named_text(cells[10], row);
    if (row->held.known) unit_bytes(cells[11], (double)(row->held.host + row->held.graph + row->held.gpu));
    if (isnan(row->scalar))
        lab_difference_words(last, row);
    else
        lab_scalar_words(last, row);
    if (*last) snprintf(cells[12], sizeof(cell), "%s", last);
    if (row->said)
        snprintf(cells[13], sizeof(cell), "%s%s", time_text(room, row->said->ms), kind_mark[row->said->kind]);
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
        snprintf(cells[0][c], sizeof(cell), "%s", title_of(t, c));
        width[c] = strlen(title_of(t, c));
    }
    for (size_t r = 0; r < t->row_count; r++) {
        fill(cells[r + 1], &t->rows[r], t->ranks > 0);
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

/* "gpu-naive  128: 1.2 ms (100 %)  256: ...": the kernels, beside the occupancy; ", 1 run" where the patience allowed no more. */
static void print_blocks(const lab_table *t) {
    size_t printed = 0;
    cli_text room;
    char share[32];
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!row->block_count) continue;
        if (!printed++) puts("  kernels by threads per block, and computed occupancy:");
        printf("  %2zu %-22s", row->number, row->rung->name);
        for (size_t b = 0; b < row->block_count; b++) {
            const lab_block *block = &row->blocks[b];
            unit_share(share, block->occupancy);
            printf("  %d: %s (%s", block->threads, time_text(room, block->kernels_ms), share);
            if (block->impatient) printf(", %zu run%s", block->runs, block->runs == 1 ? "" : "s");
            putchar(')');
        }
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

/* What "first" is, which need not be rung 1, and which rungs do not do what was asked for. */
static void print_named(const lab_table *t) {
    const lab_row *first = NULL;
    for (size_t i = 0; i < t->row_count && !first; i++) first = t->rows[i].first;
    if (first)
        printf("  first: %zu %s, whole runs; named: the rung it changes, by number, kernels (w: whole runs)\n",
               first->number, first->rung->name);
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (!row->other_work || row->status != LAB_VERIFIED) continue;
        printf("  %2zu %s does other work than was asked for: it does not count as the best rung%s\n", row->number,
               row->rung->name,
               row->other_steps ? ", and its difference is not shown: the reference does all steps" : "");
        if (row->rung->check) cli_put(stdout, "     verified: %s", row->message);
        if (row->rung->check) putchar('\n');
    }
}

/* What a reader would stumble over. */
static void print_notes(const lab_table *t) {
    size_t above = 0;
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_row *row = &t->rows[i];
        if (row->status != LAB_VERIFIED) continue;
        above += row->bytes > 0 && row->ceiling_gbs > 0 && lab_gbs(row) > 1.005 * row->ceiling_gbs;
    }
    if (above) puts("  above 100 % of the ceiling: from a cache");
    if (t->ranks)
        printf("  %d rank%s; sent: by all of them; over network: the kernels once more, a message %g us + bytes / (%g "
               "MB/s)\n",
               t->ranks, t->ranks == 1 ? "" : "s", 1e6 * LAB_NETWORK_DELAY, 1e-6 * LAB_NETWORK_BANDWIDTH);
    if (t->reference_s < 0)
        printf("  no reference: it took longer than %g s; differences are not known\n", t->reference_limit_s);
}

static bool said_before(const lab_table *t, size_t row) {
    for (size_t i = 0; i < row; i++)
        if (t->rows[i].said && strcmp(t->rows[i].said->source, t->rows[row].said->source) == 0) return true;
    return false;
}

/* Each source once. */
static void print_sources(const lab_table *t) {
    for (size_t i = 0; i < t->row_count; i++) {
        const lab_figure *said = t->rows[i].said;
        if (said && !said_before(t, i)) printf("  the document: %s%s\n", said->source, kind_meaning[said->kind]);
    }
}

static void print_table(const lab_table *t) {
    cli_text a, b;
    char with[256];
    lab_settings_words(t, with, sizeof with);
    cli_heading("%s on %s: %s vert%s, %s edge%s%s%s", t->ladder->title, t->input, cli_count(a, t->info.vertices),
                t->info.vertices == 1 ? "ex" : "ices", cli_count(b, t->info.edges), t->info.edges == 1 ? "" : "s",
                *with ? "; " : "", with);
    print_rows(t);
    print_blocks(t);
    print_fewer_runs(t);
    if (!t->complete) puts("  INCOMPLETE: it ended before every rung was measured");
    print_named(t);
    print_notes(t);
    print_sources(t);
    putchar('\n');
}

/* For each ladder with sizes: from which on the GPU is faster. */
static void print_break_even(const lab_book *book) {
    for (size_t i = 0, count; i < book->page_count; i += count) {
        for (count = 1; i + count < book->page_count && book->pages[i + count].sized; count++) continue;
        for (chart_side side = CHART_BROUGHT; count > 1 && side <= CHART_THERE; side++) {
            chart_even even = chart_break_even(&book->pages[i], count, side);
            char words[160];
            if (even.outcome == CHART_NOT_MEASURED) continue;
            chart_even_words(words, &even);
            cli_fact("break-even", "%s, %s: %s", book->pages[i].table.ladder->name, chart_side_words(side), words);
        }
    }
}

void lab_print(const lab_book *book) {
    const weft_machine *m = book->machine;
    char gbs[32];
    for (size_t i = 0; i < book->page_count; i++) print_table(&book->pages[i].table);
    print_break_even(book);
    cli_fact("protocol", "a verified warm-up, then %zu timed run%s; an answer with other bytes is verified as well",
             book->runs, book->runs == 1 ? "" : "s");
    if (book->runs < BENCH_ENOUGH_RUNS)
        cli_fact("", "fewer than %d runs: good enough to see that it works, not to publish", BENCH_ENOUGH_RUNS);
    cli_fact("times",
             "median: whole runs (allocate, copy in, kernels, copy out, free, host); rates are by the kernels alone");
    cli_fact("build", "%s", weft_build_info());
    cli_fact("machine", "%s, %d thread%s", *m->cpu ? m->cpu : "unknown CPU", book->threads,
             book->threads == 1 ? "" : "s");
    unit_gbs(gbs, m->read_gbs);
    if (m->read_gbs > 0) cli_fact("", "reads %s GB/s: the ceiling of rungs on the CPU", gbs);
    unit_gbs(gbs, m->gpu_read_gbs);
    if (m->gpus > 0 && m->gpu_read_gbs > 0)
        cli_fact("", "%s, reads %s GB/s: the ceiling of rungs on the GPU", m->gpu, gbs);
    else if (m->gpus > 0)
        cli_fact("", "%s", m->gpu);
    cli_fact("date", "%s", book->date);
    if (book->load >= 0) cli_fact("load before", "%.2f", book->load);
    if (lab_was_busy(book)) cli_fact("", "%s", lab_busy_words);
}
