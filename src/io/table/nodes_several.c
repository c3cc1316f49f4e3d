/* Several tables of vertices (table.h): `nodes` is then a list of FILE[:COLUMN] with newlines between, unless a file
 * has all of it for its name.  The vertices are those of any table, the columns those of all; a vertex that several
 * have may not have two values of one column. */
#include "core/scan.h"
#include "io/table/nodes.h"

#include <string.h>
#include <unistd.h>

static bool is_list(const char *nodes) { return strchr(nodes, '\n') && access(nodes, F_OK); }

/* Of messages about all of it. */
static const char *title(const weft_read_params *params) {
    return is_list(params->nodes) ? "tables of vertices" : params->nodes;
}

weft_status wfi_nodes_open_cells(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                                 wfi_table *t) {
    weft_status st = t->cells ? WEFT_OK : wfi_cells_open(ctx, title(params), &t->cells);
    if (!st) wfi_cells_table(t->cells, wfi_source_name(source));
    return st;
}

/* Of all tables; ids that are numbers are the last `rows` extra ones, names have a table of names for each. */
static weft_status count_distinct(weft_ctx *ctx, const wfi_table *t, size_t name_tables, uint64_t rows,
                                  uint64_t *distinct) {
    uint32_t number;
    uint64_t twice[2];
    if (!t->names) return wfi_nodes_distinct(ctx, t, rows, twice, distinct);
    wfi_names *all = wfi_names_new(ctx);
    weft_status st = all ? WEFT_OK : WEFT_ENOMEM;
    for (size_t k = name_tables; k < t->edges.name_tables && !st; k++) {
        const wfi_names *names = t->edges.names[k];
        for (size_t i = 0; names && i < names->count && !st; i++)
            st = wfi_names_number(ctx, all, names->text + names->start[i],
                                  (size_t)(names->start[i + 1] - names->start[i]), &number);
    }
    *distinct = st ? 0 : all->count;
    wfi_names_free(all);
    return st;
}

static weft_status add_list(weft_ctx *ctx, const weft_read_params *params, wfi_table *t, wfi_nodes_facts *all) {
    size_t name_tables = t->edges.name_tables;
    char *list = wfi_copy_text(ctx, params->nodes), *rest = list, *spec;
    weft_status st = list ? WEFT_OK : WEFT_ENOMEM;
    while (!st && (spec = strsep(&rest, "\n"))) {
        wfi_nodes_facts one;
        st = *spec ? wfi_nodes_add_one(ctx, params, spec, t, &one)
                   : wfi_fail(ctx, WEFT_EINVAL, "`nodes`: the name of a table of vertices is empty");
        if (st) break;
        all->rows += one.rows;
        all->file.format += one.file.format;
        all->file.bytes += one.file.bytes;
        all->file.digest = wfi_digest(ctx, &one.file.digest, sizeof one.file.digest, all->file.digest);
    }
    wfi_free(list);
    return st ? st : count_distinct(ctx, t, name_tables, all->rows, &all->distinct);
}

weft_status wfi_nodes_add(weft_ctx *ctx, const weft_read_params *params, wfi_table *t, uint64_t *distinct,
                          wfi_file_facts *facts) {
    wfi_nodes_facts all = {.rows = 0};
    weft_status st = is_list(params->nodes) ? add_list(ctx, params, t, &all)
                                            : wfi_nodes_add_one(ctx, params, params->nodes, t, &all);
    *distinct = all.distinct;
    *facts = all.file;
    return st;
}

weft_status wfi_nodes_same(weft_ctx *ctx, const weft_read_params *params, const wfi_file_facts *facts) {
    return wfi_files_same(ctx, title(params), facts);
}

void wfi_nodes_note(weft_ctx *ctx, const weft_read_params *params, const weft_graph *g, uint64_t distinct) {
    if (params->vertices || g->n <= distinct) return;
    wfi_ull others = g->n - distinct;
    bool list = is_list(params->nodes);
    wfi_note(ctx, "`nodes%s%s`: %llu of the vertices %s only in the edges", list ? "" : "=", list ? "" : params->nodes,
             others, others == 1 ? "is" : "are");
}
