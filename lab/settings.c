/* The parameters that a ladder ran with, as text and for JSON: two tables whose parameters differ can be told apart. */
#include "lab.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The choice number i of "first|second". */
static void choice_text(char *room, size_t size, const char *choices, int i) {
    for (; i > 0 && strchr(choices, '|'); i--) choices = strchr(choices, '|') + 1;
    snprintf(room, size, "%.*s", (int)strcspn(choices, "|"), choices);
}

static void matrix_text(char *room, size_t size, const weft_matrix *m) {
    static const char *const types[] = {[WEFT_F32] = "f32", [WEFT_F16] = "f16", [WEFT_BF16] = "bf16"};
    snprintf(room, size, "%" PRIu64 " x %" PRIu64 " %s", m->rows, m->width, types[m->type]);
}

/* The shortest of the usual lengths that gives the number back. */
static void real_text(char *room, size_t size, double x) {
    int digits = 6;
    do snprintf(room, size, "%.*g", digits, x);
    while (strtod(room, NULL) != x && digits++ < 17);
}

/* Fills in value and usual; the text is in `room`, or in *found where it is as long as it likes.  False: not given. */
static bool read_field(const weft_graph *g, lab_setting *s, const char *field, const char *standard, char room[160],
                       const char **found) {
    const weft_param_info *p = s->param;
    const char *given = NULL, *otherwise = NULL;
    weft_vid v;
    size_t count;
    const weft_matrix *m;
    *found = room;
    switch (p->type) {
    case WEFT_PARAM_U64:
        memcpy(&s->value.u64, field, sizeof s->value.u64);
        s->usual = memcmp(field, standard, sizeof s->value.u64) == 0;
        snprintf(room, 160, "%" PRIu64, s->value.u64);
        return true;
    case WEFT_PARAM_F64:
        memcpy(&s->value.f64, field, sizeof s->value.f64);
        s->usual = memcmp(field, standard, sizeof s->value.f64) == 0;
        real_text(room, 160, s->value.f64);
        return !isnan(s->value.f64);
    case WEFT_PARAM_BOOL:
    case WEFT_PARAM_CHOICE:
        memcpy(&s->value.flag, field, sizeof s->value.flag);
        s->usual = memcmp(field, standard, sizeof s->value.flag) == 0;
        if (p->type == WEFT_PARAM_BOOL)
            snprintf(room, 160, s->value.flag ? "true" : "false");
        else
            choice_text(room, 160, p->choices, s->value.flag);
        return true;
    case WEFT_PARAM_TEXT:
        memcpy(&given, field, sizeof given);
        memcpy(&otherwise, standard, sizeof otherwise);
        s->usual = strcmp(given ? given : "", otherwise ? otherwise : "") == 0;
        *found = given;
        return given && *given;
    case WEFT_PARAM_VERTEX:
        memcpy(&v, field, sizeof v);
        s->usual = memcmp(field, standard, sizeof v) == 0;
        if (v < weft_graph_vertices(g)) weft_graph_id_text(g, v, room, 160);
        return v < weft_graph_vertices(g);
    case WEFT_PARAM_VERTICES:
    case WEFT_PARAM_PAIRS:
        memcpy(&given, field, sizeof given);
        memcpy(&count, field + sizeof given, sizeof count);
        s->usual = !count;
        snprintf(room, 160, "%zu %s", count, p->type == WEFT_PARAM_PAIRS ? "pairs" : "vertices");
        return count > 0;
    case WEFT_PARAM_WEIGHTS:
        memcpy(&given, field, sizeof given);
        s->usual = !given;
        snprintf(room, 160, "a weight for each vertex");
        return given != NULL;
    case WEFT_PARAM_LABELS:
        memcpy(&given, field, sizeof given);
        s->usual = !given;
        snprintf(room, 160, "a label for each vertex");
        return given != NULL;
    case WEFT_PARAM_MATRIX:
        memcpy(&m, field, sizeof m);
        s->usual = !m;
        if (m) matrix_text(room, 160, m);
        return m != NULL;
    }
    return false;
}

weft_status lab_settings_make(const weft_graph *g, const weft_algorithm_info *algorithm, const void *params,
                              lab_setting **settings, size_t *count) {
    lab_setting *made = calloc(algorithm->param_count + 1, sizeof *made);
    *settings = made;
    *count = made ? algorithm->param_count : 0;
    if (!made) return WEFT_ENOMEM;
    for (size_t i = 0; i < algorithm->param_count; i++) {
        char room[160];
        const char *found;
        made[i].param = weft_algorithm_param_at(algorithm, i);
        size_t at = made[i].param->offset;
        if (!read_field(g, &made[i], (const char *)params + at, (const char *)algorithm->params_standard + at, room,
                        &found))
            continue;
        made[i].text = strdup(found);
        if (!made[i].text) return WEFT_ENOMEM;
    }
    return WEFT_OK;
}

void lab_settings_free(lab_setting *settings, size_t count) {
    for (size_t i = 0; i < count; i++) free(settings[i].text);
    free(settings);
}

/* Where the character that `at` lies in begins, so that UTF-8 is cut between two characters.  One has four bytes at most. */
static size_t whole_characters(const char *text, size_t at) {
    size_t begin = at;
    while (begin > 0 && at - begin < 3 && ((unsigned char)text[begin] & 0xC0) == 0x80) begin--;
    return begin;
}

void lab_settings_words(const lab_table *table, char *room, size_t size) {
    size_t used = 0;
    *room = 0;
    for (size_t i = 0; i < table->setting_count; i++) {
        const lab_setting *s = &table->settings[i];
        if (s->usual && strcmp(s->param->name, "iterations") != 0) continue;
        int length = snprintf(room + used, size - used, "%s%s %s", used ? ", " : "", s->param->name,
                              s->text ? s->text : "not given");
        if (length < 0 || used + (size_t)length >= size) {
            memcpy(room + whole_characters(room, size - 4), "...", 4);
            return;
        }
        used += (size_t)length;
    }
}
