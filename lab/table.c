/* What is looked up in ladders, and what a table holds. */
#include "lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *lab_status_name(lab_status status) {
    static const char *const names[] = {
        [LAB_VERIFIED] = "verified", [LAB_SKIPPED] = "skipped", [LAB_WRONG] = "wrong", [LAB_FAILED] = "failed"};
    return names[status];
}

const lab_ladder *lab_ladder_find(const char *name) {
    for (size_t i = 0; i < lab_ladder_count; i++)
        if (strcmp(lab_ladders[i]->name, name) == 0) return lab_ladders[i];
    return NULL;
}

const lab_figure *lab_figure_for(const lab_ladder *ladder, const void *params, const lab_rung *rung,
                                 const weft_graph_info *info) {
    uint64_t steps = ladder->steps ? ladder->steps(params) : 0;
    for (size_t i = 0; i < ladder->figure_count; i++) {
        const lab_figure *f = &ladder->figures[i];
        if (strcmp(f->rung, rung->name) == 0 && f->vertices == info->vertices &&
            (!f->edges || f->edges == info->edges) && (!f->steps || f->steps == steps))
            return f;
    }
    return NULL;
}

bool lab_table_name(lab_table *table, const char *input, const char *note) {
    size_t size = strlen(input) + strlen(note) + 1;
    char *name = malloc(size);
    if (name) snprintf(name, size, "%s%s", input, note);
    free((char *)(uintptr_t)table->input);
    table->input = name;
    return name != NULL;
}

void lab_table_free(lab_table *table) {
    free((char *)(uintptr_t)table->input);
    lab_settings_free(table->settings, table->setting_count);
    free(table->rows);
    *table = (lab_table){0};
}

size_t lab_table_bad(const lab_table *table) {
    size_t bad = 0;
    for (size_t i = 0; i < table->row_count; i++)
        bad += table->rows[i].status == LAB_WRONG || table->rows[i].status == LAB_FAILED;
    return bad;
}
