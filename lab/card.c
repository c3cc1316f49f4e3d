/* One rung's part of the report: its numbers, its words, its code.  Each number says what it is the time of, and against whom. */
#include "report.h"

#include "svg.h"

#include <string.h>

static void fact(FILE *to, const char *value, const char *name) {
    fprintf(to, "<li><b>%s</b>", value);
    html_text(to, name);
    fputs("</li>", to);
}

static void fact_ms(FILE *to, double ms, const char *name) {
    char room[32];
    unit_ms(room, ms);
    fact(to, room, name);
}

static void rates(FILE *to, const lab_row *row) {
    char gbs[32], share[32], room[96];
    unit_count(gbs, lab_edges_per_second(row));
    fact(to, gbs, "edges/s");
    if (!(row->bytes > 0)) return;
    unit_gbs(gbs, lab_gbs(row));
    if (row->ceiling_gbs > 0) {
        unit_share(share, lab_gbs(row) / row->ceiling_gbs);
        snprintf(room, sizeof room, "%s (%s)", gbs, share);
        fact(to, room,
             lab_gbs(row) > row->ceiling_gbs ? "GB/s (of the ceiling: from a cache)" : "GB/s (of the ceiling)");
    } else {
        fact(to, gbs, "GB/s");
    }
}

/* "34× slower than 9 gpu-transposed, ..." */
static void versus(FILE *to, double times, const lab_row *other, const char *after) {
    char value[32], name[160];
    unit_faster(value, times);
    snprintf(name, sizeof name, "%s %zu %s%s", strstr(value, "slower") ? "than" : "as", other->number,
             other->rung->name, after);
    fact(to, value, name);
}

static void speedups(FILE *to, const lab_row *row) {
    const lab_row *first = row->first, *previous = row->previous;
    if (first) versus(to, row->on_first, first, first->number > 1 ? ", the first with a time" : ", the first");
    if (previous && first != previous) versus(to, row->on_previous, previous, ", the one before");
}

static void bytes_held(FILE *to, const lab_held *held) {
    const struct {
        uint64_t bytes;
        const char *name;
    } part[] = {{held->host, "taken"}, {held->graph, "of the graph’s CSR"}, {held->gpu, "on the GPU"}};
    char value[32], name[160] = "held";
    if (!held->known) return;
    unit_bytes(value, (double)(held->host + held->graph + held->gpu));
    for (size_t i = 0, said = 0; i < 3; i++) {
        size_t length = strlen(name);
        char room[32];
        unit_bytes(room, (double)part[i].bytes);
        if (part[i].bytes)
            snprintf(name + length, sizeof name - length, "%s%s %s", said++ ? ", " : ": ", room, part[i].name);
    }
    fact(to, value, name);
}

static void facts(FILE *to, const lab_row *row, const char *scalar) {
    char a[32], b[32], room[96];
    fputs("<ul class=\"facts\">", to);
    fact_ms(to, row->median_ms, "median run");
    fact_ms(to, lab_kernels_ms(row), row->event_ms > 0 ? "kernels, by the GPU’s clock" : "kernels");
    unit_ms(a, row->min_ms);
    unit_ms(b, row->max_ms);
    snprintf(room, sizeof room, "%s – %s", a, b);
    fact(to, room, "fastest – slowest");
    rates(to, row);
    if (row->network_ms > 0) fact_ms(to, row->network_ms, "kernels, over a network");
    unit_bytes(a, row->sent);
    if (row->sent > 0 || row->network_ms > 0) fact(to, a, "sent between ranks");
    speedups(to, row);
    bytes_held(to, &row->held);
    lab_difference_words(a, row);
    if (*a) fact(to, a, "largest difference");
    lab_scalar_words(a, row);
    if (*a) fact(to, a, scalar);
    fputs("</ul>\n", to);
}

/* Beside the time of ours that is of the same kind, or both where the document does not say what its time includes. */
static void document(FILE *to, const lab_row *row) {
    char said[32], ours[32], kernels[32];
    if (!row->said) return;
    unit_ms(said, row->said->ms);
    fputs("<p class=\"source\">", to);
    html_text(to, row->said->source);
    bool not_said = row->said->kind == LAB_NOT_SAID;
    fprintf(to, ": <b>%s</b> (%s)", said, not_said ? "of what is not said" : lab_kind_name(row->said->kind));
    if (row->status == LAB_VERIFIED) {
        unit_ms(ours, lab_ms_of(row, row->said->kind));
        unit_ms(kernels, lab_kernels_ms(row));
        fprintf(to, ", beside %s%s", ours, not_said ? " for a whole run and " : " here");
        if (not_said) fprintf(to, "%s for the kernels here", kernels);
    }
    fputs(".</p>\n", to);
}

/* What was said beforehand, answered. */
static void outcome(FILE *to, const lab_table *t, const lab_row *row) {
    const lab_row *named = row->against;
    if (!row->rung->against || row->status != LAB_VERIFIED) return;
    fputs("<dt>Did it?</dt><dd>", to);
    if (named && row->on_against > 0) {
        char value[32];
        unit_faster(value, row->on_against);
        html_put(to, "%s %s %s %zu %s, on %s.",
                 row->against_by == LAB_KERNELS_ONLY ? "Its kernels are" : "A whole run is", value,
                 strstr(value, "slower") ? "than" : "as", named->number, named->rung->name, t->input);
    } else {
        html_put(to, "Not known: %s has no time on %s.", row->rung->against, t->input);
    }
    fputs("</dd>\n", to);
}

static void word(FILE *to, const char *name, const char *text) {
    if (!text) return;
    fprintf(to, "<dt>%s</dt><dd>", name);
    html_text(to, text);
    fputs("</dd>\n", to);
}

void lab_card(FILE *to, const lab_table *t, const lab_row *row) {
    const lab_rung *rung = row->rung;
    const char *code = lab_excerpt(rung->source);
    fprintf(to, "<section class=\"rung %s%s\" id=\"%s-%s\"><h3><span class=\"number\">%zu</span>",
            lab_status_name(row->status), rung->device == LAB_CUDA ? " gpu-rung" : "", t->ladder->name, rung->name,
            row->number);
    html_text(to, rung->title);
    fputs("</h3>\n<p><span class=\"badge\">", to);
    html_put(to, "%s", lab_status_name(row->status));
    fputs("</span> <span class=\"soft\">", to);
    html_text(to, row->message);
    fputs("</span></p>\n", to);
    if (row->status == LAB_VERIFIED) facts(to, row, t->ladder->scalar);
    document(to, row);
    if (row->status == LAB_VERIFIED && row->other_work)
        fputs("<p class=\"soft\">It does other work than was asked for: where the best of CPU and GPU are compared, it "
              "takes no part.</p>\n",
              to);
    fputs("<dl class=\"words\">", to);
    word(to, rung->against ? "Changed" : "Start", rung->changed);
    word(to, "Against", rung->against);
    word(to, "Should win", rung->wins);
    word(to, "Should lose", rung->loses);
    outcome(to, t, row);
    word(to, "Bytes", rung->model);
    fputs("</dl>\n", to);
    if (*code) {
        fputs("<details open><summary>", to);
        html_text(to, rung->source);
        fputs("</summary><pre tabindex=\"0\"><code>", to);
        html_text(to, code);
        fputs("</code></pre></details>\n", to);
    }
    fputs("</section>\n", to);
}
