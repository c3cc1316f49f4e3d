/* What the lab measured as JSON: everything that the report shows. */
#include "charts.h"
#include "program.h"

#include <math.h>

static const char *const part_names[LAB_PARTS] = {"allocate", "copy_in", "kernel", "copy_out", "free", "host"};

/* null = there is none. */
static void measured(json *j, const char *key, double x, bool there) {
    if (there)
        json_f64(j, key, x);
    else
        json_null(j, key);
}

void lab_list_json(const lab_book *none, FILE *to) {
    (void)none;
    json j;
    json_start(&j, to);
    json_open_array(&j, "ladders", false);
    for (size_t i = 0; i < lab_ladder_count; i++) {
        const lab_ladder *ladder = lab_ladders[i];
        json_open_object(&j, NULL, false);
        json_text(&j, "name", ladder->name);
        json_text(&j, "title", ladder->title);
        json_text(&j, "algorithm", ladder->algorithm);
        json_open_array(&j, "rungs", false);
        for (size_t k = 0; k < ladder->rung_count; k++) {
            const lab_rung *rung = ladder->rungs[k];
            json_open_object(&j, NULL, false);
            json_text(&j, "name", rung->name);
            json_text(&j, "title", rung->title);
            json_text(&j, "backend", rung->device == LAB_CUDA ? "cuda" : "cpu");
            json_text(&j, "against", rung->against);
            json_text(&j, "source_file", rung->source);
            json_close(&j);
        }
        json_close(&j);
        json_close(&j);
    }
    json_close(&j);
    json_finish(&j);
}

static void median_json(json *j, const char *key, double ms) {
    json_open_object(j, key, true);
    json_f64(j, "median", ms);
    json_close(j);
}

static void blocks_json(json *j, const lab_row *row) {
    if (!row->block_count) return;
    json_open_array(j, "blocks", false);
    for (size_t i = 0; i < row->block_count; i++) {
        const lab_block *b = &row->blocks[i];
        json_open_object(j, NULL, true);
        json_i64(j, "block_threads", b->threads);
        json_f64(j, "occupancy", b->occupancy);
        median_json(j, "kernel_ms", b->kernels_ms);
        median_json(j, "run_ms", b->median_ms);
        json_u64(j, "runs", b->runs);
        json_close(j);
    }
    json_close(j);
}

static void held_json(json *j, const lab_held *held) {
    if (!held->known) {
        json_null(j, "held_bytes");
        return;
    }
    json_open_object(j, "held_bytes", true);
    json_u64(j, "host", held->host);
    json_u64(j, "graph", held->graph);
    json_u64(j, "gpu", held->gpu);
    json_u64(j, "all", held->host + held->graph + held->gpu);
    json_close(j);
}

static void name_json(json *j, const char *key, const lab_row *row) { json_text(j, key, row ? row->rung->name : NULL); }

static void shown_json(json *j, const char *scalar, double value) {
    json_open_object(j, "shown", true);
    json_f64(j, scalar, value);
    json_close(j);
}

static void row_json(json *j, const lab_row *row, const char *scalar, bool ranks) {
    bool there = row->status == LAB_VERIFIED, rated = there && row->bytes > 0;
    json_open_object(j, NULL, false);
    json_u64(j, "number", row->number);
    json_text(j, "rung", row->rung->name);
    json_text(j, "backend", row->rung->device == LAB_CUDA ? "cuda" : "cpu");
    json_text(j, "status", lab_status_name(row->status));
    json_bool(j, "verified", there);
    json_text(j, "message", row->message);
    json_bool(j, "out_of_patience", row->impatient);
    if (there) {
        json_u64(j, "runs", row->runs);
        json_u64(j, "answers_checked", row->checked);
        json_open_object(j, "run_ms", true);
        json_f64(j, "median", row->median_ms);
        json_f64(j, "min", row->min_ms);
        json_f64(j, "max", row->max_ms);
        json_close(j);
        json_open_object(j, "part_ms", true);
        for (size_t p = 0; p < LAB_PARTS; p++) json_f64(j, part_names[p], row->part_ms[p]);
        json_close(j);
        if (row->event_ms > 0) json_f64(j, "kernel_event_ms", row->event_ms);
        if (row->occupancy > 0) json_f64(j, "occupancy", row->occupancy);
        blocks_json(j, row);
        json_f64(j, "edges_per_second", lab_edges_per_second(row));
        json_text(j, "model", row->rung->model);
        measured(j, "model_bytes", row->bytes, rated);
        measured(j, "effective_gbs", lab_gbs(row), rated);
        measured(j, "ceiling_share", lab_gbs(row) / row->ceiling_gbs, rated && row->ceiling_gbs > 0);
        if (ranks) json_u64(j, "sent_bytes", (uint64_t)row->sent);
        if (ranks) measured(j, "network_ms", row->network_ms, row->network_ms > 0);
        measured(j, "speedup_on_first", row->on_first, row->on_first > 0);
        name_json(j, "first", row->first);
        measured(j, "speedup_on_previous", row->on_previous, row->on_previous > 0);
        name_json(j, "previous", row->previous);
        measured(j, "speedup_on_against", row->on_against, row->on_against > 0);
        json_text(j, "against", row->rung->against);
        json_text(j, "against_by", row->on_against > 0 ? lab_kind_name(row->against_by) : NULL);
        held_json(j, &row->held);
        json_bool(j, "graph_already_there", row->resident);
        json_bool(j, "other_work", row->other_work);
        measured(j, "max_difference", row->difference, !isnan(row->difference) && !row->nan_apart && !row->inf_apart);
        if (!isnan(row->scalar)) shown_json(j, scalar, row->scalar);
        json_bool(j, "nan_apart", row->nan_apart);
        json_bool(j, "inf_apart", row->inf_apart);
        json_bool(j, "other_steps", row->other_steps);
    }
    measured(j, "document_said_ms", row->said ? row->said->ms : 0, row->said != NULL);
    if (row->said) json_text(j, "document_said_of", lab_kind_name(row->said->kind));
    if (row->said) json_text(j, "document", row->said->source);
    json_close(j);
}

static void even_json(json *j, const lab_page *pages, size_t count, chart_side side, const char *vertices,
                      const char *outcome, const char *sentence) {
    chart_even even = chart_break_even(pages, count, side);
    char words[160];
    chart_even_words(words, &even);
    measured(j, vertices, even.vertices, even.outcome == CHART_CROSSES);
    json_text(j, outcome, chart_outcome_name(even.outcome));
    json_text(j, sentence, words);
}

static void points_json(json *j, const lab_page *pages, size_t count, chart_side side, const char *key) {
    json_open_array(j, key, false);
    for (size_t i = 0; i < count; i++) {
        chart_amdahl_point p;
        if (!pages[i].sized || !chart_amdahl_of(&pages[i].table, side, &p)) continue;
        json_open_object(j, NULL, true);
        json_u64(j, "vertices", pages[i].table.info.vertices);
        json_text(j, "cpu_rung", p.cpu->rung->name);
        json_text(j, "gpu_rung", p.gpu->rung->name);
        json_f64(j, "speedup", p.speedup);
        json_f64(j, "kernel_speedup", p.kernels);
        measured(j, "limit", p.limit, p.rest > 0);
        json_bool(j, "fewer_runs", p.cpu->impatient || p.gpu->impatient);
        json_close(j);
    }
    json_close(j);
}

/* Sweeps over sizes: where the GPU overtakes the CPU, and what Amdahl says of it.  One for each ladder that has sizes.  The keys
 * without "brought" are about a graph that is already on the GPU. */
static void sweep_json(json *j, const lab_page *pages, size_t count) {
    json_open_object(j, NULL, false);
    json_text(j, "ladder", pages[0].table.ladder->name);
    even_json(j, pages, count, CHART_THERE, "break_even_vertices", "break_even_outcome", "break_even_words");
    even_json(j, pages, count, CHART_BROUGHT, "break_even_brought_vertices", "break_even_brought_outcome",
              "break_even_brought_words");
    points_json(j, pages, count, CHART_THERE, "points");
    points_json(j, pages, count, CHART_BROUGHT, "points_brought");
    json_close(j);
}

static void sweeps_json(json *j, const lab_book *book) {
    json_open_array(j, "sweeps", false);
    for (size_t i = 0, count; i < book->page_count; i += count) {
        for (count = 1; i + count < book->page_count && book->pages[i + count].sized; count++) continue;
        if (count > 1) sweep_json(j, &book->pages[i], count);
    }
    json_close(j);
}

/* Every parameter; null = not given. */
static void settings_json(json *j, const lab_table *t) {
    json_open_object(j, "parameters", true);
    for (size_t i = 0; i < t->setting_count; i++) {
        const lab_setting *s = &t->settings[i];
        const char *name = s->param->name;
        if (s->param->type == WEFT_PARAM_U64)
            json_u64(j, name, s->value.u64);
        else if (s->param->type == WEFT_PARAM_F64)
            json_f64(j, name, s->value.f64);
        else if (s->param->type == WEFT_PARAM_BOOL)
            json_bool(j, name, s->value.flag);
        else
            json_text(j, name, s->text);
    }
    json_close(j);
}

static void ranks_json(json *j, int ranks) {
    json_i64(j, "ranks", ranks);
    json_open_object(j, "network", true);
    json_f64(j, "delay_s", LAB_NETWORK_DELAY);
    json_f64(j, "bytes_per_second", LAB_NETWORK_BANDWIDTH);
    json_close(j);
}

void lab_json(const lab_book *book, FILE *to) {
    const weft_machine *m = book->machine;
    json j;
    json_start(&j, to);
    json_bool(&j, "complete", book->complete);
    json_open_object(&j, "provenance", false);
    json_text(&j, "date", book->date);
    json_text(&j, "version", weft_version());
    json_text(&j, "build", weft_build_info());
    json_text(&j, "cpu", m->cpu);
    json_i64(&j, "threads", book->threads);
    measured(&j, "read_gbs", m->read_gbs, m->read_gbs > 0);
    if (m->gpus > 0) {
        json_open_object(&j, "gpu", true);
        json_text(&j, "name", m->gpu);
        measured(&j, "read_gbs", m->gpu_read_gbs, m->gpu_read_gbs > 0);
        json_close(&j);
    } else {
        json_null(&j, "gpu");
    }
    measured(&j, "load_average", book->load, book->load >= 0);
    json_bool(&j, "busy", lab_was_busy(book));
    json_u64(&j, "repeat", book->runs);
    json_f64(&j, "patience_s", book->patience_s);
    json_close(&j);
    json_open_array(&j, "tables", false);
    for (size_t i = 0; i < book->page_count; i++) {
        const lab_table *t = &book->pages[i].table;
        json_open_object(&j, NULL, false);
        json_text(&j, "ladder", t->ladder->name);
        json_text(&j, "input", t->input);
        json_bool(&j, "complete", t->complete);
        json_bool(&j, "sized", book->pages[i].sized);
        json_graph(&j, &t->info);
        settings_json(&j, t);
        if (t->ranks) ranks_json(&j, t->ranks);
        json_f64(&j, "transpose_ms", t->transpose_ms);
        measured(&j, "reference_s", t->reference_s, t->reference_s >= 0);
        measured(&j, "reference_limit_s", t->reference_limit_s, t->reference_limit_s > 0);
        json_open_array(&j, "rows", false);
        for (size_t k = 0; k < t->row_count; k++) row_json(&j, &t->rows[k], t->ladder->scalar, t->ranks > 0);
        json_close(&j);
        json_close(&j);
    }
    json_close(&j);
    sweeps_json(&j, book);
    json_finish(&j);
}
