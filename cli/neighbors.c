/* weft neighbors FILE --of ID...: the neighbours of vertices; or --edge U V: does the edge exist? */
#include "cli.h"
#include "result/attributes.h"
#include "result/rows.h"

#include <stdlib.h>
#include <string.h>

/* A row of one vertex. */
typedef struct list {
    weft_vid of;
    const char *direction; /* "out", "in", or "both" for an undirected graph */
    const weft_vid *targets;
    const void *weights;
    size_t count;
} list;

typedef struct search {
    const cli_options *options;
    const char *path;
    weft_ctx *ctx;
    weft_graph *g;
    bool names, directed;
    weft_weight_type weight_type;
} search;

static int find(const search *s, const char *id, weft_vid *v) {
    weft_status st = weft_graph_find(s->ctx, s->g, id, v);
    return st ? cli_fail_status(s->ctx, st) : EXIT_DONE;
}

static const char *weight_text(cli_text buffer, weft_weight_type type, const void *weights, size_t at) {
    switch (type) {
    case WEFT_WEIGHT_NONE: break;
    case WEFT_WEIGHT_U32: snprintf(buffer, sizeof(cli_text), "%u", ((const uint32_t *)weights)[at]); break;
    case WEFT_WEIGHT_F32: return cli_real32(buffer, ((const float *)weights)[at]);
    case WEFT_WEIGHT_F64: return cli_real(buffer, ((const double *)weights)[at]);
    }
    return buffer;
}

static void json_weight(json *j, weft_weight_type type, const void *weights, size_t at) {
    switch (type) {
    case WEFT_WEIGHT_NONE: break;
    case WEFT_WEIGHT_U32: json_u64(j, "weight", ((const uint32_t *)weights)[at]); break;
    case WEFT_WEIGHT_F32: json_f32(j, "weight", ((const float *)weights)[at]); break;
    case WEFT_WEIGHT_F64: json_f64(j, "weight", ((const double *)weights)[at]); break;
    }
}

/* The arc of neighbour k in the list: among parallel arcs the one with as many before it as in the list. */
static weft_eid arc_of(const search *s, const list *l, size_t k) {
    bool in = !strcmp(l->direction, "in");
    weft_eid at = 0;
    size_t before = 0;
    while (before < k && l->targets[k - before - 1] == l->targets[k]) before++;
    weft_graph_has_arc(s->g, in ? l->targets[k] : l->of, in ? l->of : l->targets[k], &at);
    return at + before;
}

/* --- one edge -------------------------------------------------------------------------------- */

static int show_edge(const search *s) {
    const char *from = s->options->neighbors.edge[0], *to = s->options->neighbors.edge[1];
    weft_vid u, v;
    weft_eid at = 0;
    int code = find(s, from, &u);
    if (!code) code = find(s, to, &v);
    if (code) return code;
    weft_csr out = {.size = sizeof out};
    weft_status st = weft_graph_out(s->ctx, s->g, &out);
    if (st) return cli_fail_status(s->ctx, st);
    bool there = weft_graph_has_arc(s->g, u, v, &at);
    uint64_t copies = 0;
    for (weft_eid e = at; there && e < out.offsets[u + 1] && out.targets[e] == v; e++) copies++;
    if (s->options->json) {
        json j;
        json_start(&j, stdout);
        json_text(&j, "file", s->path);
        json_vertex(&j, s->g, "from", u);
        json_vertex(&j, s->g, "to", v);
        json_direction(&j, s->directed, weft_graph_direction_from(s->g));
        json_bool(&j, "exists", there);
        json_u64(&j, "count", copies);
        if (there && out.weights) json_weight(&j, s->weight_type, out.weights, at);
        if (there && weft_graph_edge_columns(s->g)) edge_columns_json_of(&j, s->ctx, s->g, at);
        json_finish(&j);
    } else {
        const char *joint = s->directed ? "->" : "-";
        cli_text weight;
        cli_put(stdout, "%s %s %s: %s", from, joint, to, there ? "yes" : "no such edge");
        if (there && out.weights) printf(", weight %s", weight_text(weight, s->weight_type, out.weights, at));
        if (copies > 1) printf(", %llu parallel edges", (unsigned long long)copies);
        for (weft_eid e = at; there && e < at + copies && weft_graph_edge_columns(s->g); e++) {
            fputs("\n    ", stdout);
            edge_columns_print_of(s->ctx, s->g, e, true);
        }
        putchar('\n');
    }
    return there ? EXIT_DONE : EXIT_NO;
}

/* --- lists ------------------------------------------------------------------------------------- */

static const cell_type weight_cells[] = {[WEFT_WEIGHT_NONE] = CELL_U32,
                                         [WEFT_WEIGHT_U32] = CELL_U32,
                                         [WEFT_WEIGHT_F32] = CELL_F32,
                                         [WEFT_WEIGHT_F64] = CELL_F64};

static size_t weight_size(const search *s) { return weft_type_size((weft_type)weight_cells[s->weight_type]); }

static list row_of(const search *s, const weft_csr *csr, weft_vid v, const char *direction) {
    weft_eid from = csr->offsets[v];
    return (list){v, direction, csr->targets + from,
                  csr->weights ? (const char *)csr->weights + weight_size(s) * from : NULL,
                  (size_t)(csr->offsets[v + 1] - from)};
}

/* A line for each neighbour, with the edge's weight and columns. */
static int print_edges(const search *s, const list *l, size_t shown) {
    cli_text buffer;
    int code = EXIT_DONE;
    for (size_t i = 0; i < shown && !code; i++) {
        char *id = cli_id_text(s->g, l->targets[i], true);
        if (!id) return EXIT_MEMORY;
        printf("    %s: ", id);
        free(id);
        cli_text weight;
        if (l->weights) printf("weight %s", weight_text(weight, s->weight_type, l->weights, i));
        code = edge_columns_print_of(s->ctx, s->g, arc_of(s, l, i), !l->weights);
        putchar('\n');
    }
    if (shown < l->count) printf("    ... and %s more\n", cli_count(buffer, l->count - shown));
    return code;
}

static int print_list(const search *s, const list *l) {
    size_t shown = l->count < s->options->top ? l->count : (size_t)s->options->top;
    cli_text buffer;
    size_t column = 0;
    if (weft_graph_edge_columns(s->g)) return print_edges(s, l, shown);
    for (size_t i = 0; i < shown; i++) {
        char *id = cli_id_text(s->g, l->targets[i], true), after[sizeof(cli_text) + 4] = "";
        if (!id) return EXIT_MEMORY;
        cli_text weight;
        if (l->weights) snprintf(after, sizeof after, " (%s)", weight_text(weight, s->weight_type, l->weights, i));
        cli_put_word(&column, id, after);
        free(id);
    }
    if (shown < l->count) printf("%s... and %s more", shown ? "\n    " : "    ", cli_count(buffer, l->count - shown));
    if (l->count) putchar('\n');
    return EXIT_DONE;
}

static int print_human(const search *s, const list *lists, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char *id = cli_id_text(s->g, lists[i].of, true);
        if (!id) return EXIT_MEMORY;
        cli_text buffer;
        cli_heading("%s has %s %s%sneighbour%s%s", id, cli_count(buffer, lists[i].count),
                    s->directed ? lists[i].direction : "", s->directed ? "-" : "", lists[i].count == 1 ? "" : "s",
                    s->weight_type && lists[i].count ? " (weight)" : "");
        free(id);
        bool again = i && lists[i].of == lists[i - 1].of; /* the other direction */
        int code = again ? EXIT_DONE : attributes_print_of(s->ctx, s->g, lists[i].of);
        if (!code) code = print_list(s, &lists[i]);
        if (code) return code;
    }
    return EXIT_DONE;
}

static void print_json(const search *s, FILE *to, const list *lists, size_t count) {
    json j;
    json_start(&j, to);
    json_text(&j, "file", s->path);
    json_direction(&j, s->directed, weft_graph_direction_from(s->g));
    json_open_array(&j, "lists", false);
    for (size_t i = 0; i < count; i++) {
        size_t shown = lists[i].count < s->options->top ? lists[i].count : (size_t)s->options->top;
        json_open_object(&j, NULL, false);
        json_vertex(&j, s->g, "of", lists[i].of);
        if (weft_graph_attributes(s->g)) attributes_json_of(&j, "attributes", s->ctx, s->g, lists[i].of);
        json_text(&j, "direction", lists[i].direction);
        json_u64(&j, "count", lists[i].count);
        json_open_array(&j, "neighbors", true);
        for (size_t k = 0; k < shown; k++) {
            bool more = lists[i].weights || weft_graph_edge_columns(s->g);
            if (more) json_open_object(&j, NULL, true);
            json_vertex(&j, s->g, more ? "id" : NULL, lists[i].targets[k]);
            if (lists[i].weights) json_weight(&j, s->weight_type, lists[i].weights, k);
            if (weft_graph_edge_columns(s->g)) edge_columns_json_of(&j, s->ctx, s->g, arc_of(s, &lists[i], k));
            if (more) json_close(&j);
        }
        json_close(&j);
        json_close(&j);
    }
    json_close(&j);
    json_finish(&j);
}

typedef struct findings {
    const search *s;
    const list *lists;
    size_t count;
} findings;

static int write_json(const void *what, FILE *to) {
    const findings *f = what;
    print_json(f->s, to, f->lists, f->count);
    return EXIT_DONE;
}

/* One line per neighbour: of, direction, neighbor, weight. */
static int save(const search *s, const list *lists, size_t count, rows_format format) {
    size_t total = 0, at = 0;
    for (size_t i = 0; i < count; i++) total += lists[i].count;
    weft_vid *of = cli_take(total, sizeof *of), *beside = cli_take(total, sizeof *beside);
    const char **direction = cli_take(total, sizeof *direction);
    size_t each = weight_size(s);
    char *weight = cli_take(total, each);
    int code = of && beside && direction && weight ? EXIT_DONE : EXIT_MEMORY;
    if (code) goto done;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < lists[i].count && k < s->options->top; k++, at++) {
            of[at] = lists[i].of;
            direction[at] = lists[i].direction;
            beside[at] = lists[i].targets[k];
            if (lists[i].weights) memcpy(weight + each * at, (const char *)lists[i].weights + each * k, each);
        }
    rows_column columns[] = {
        {.name = "of", .type = CELL_VERTEX, .data = of, .length = at},
        {.name = "direction", .type = CELL_TEXT, .data = direction, .length = at},
        {.name = "neighbor", .type = CELL_VERTEX, .data = beside, .length = at},
        {.name = "weight", .type = weight_cells[s->weight_type], .data = weight, .length = at},
    };
    rows r = {.g = s->g, .names = s->names, .columns = columns, .column_count = s->weight_type ? 4 : 3, .count = at};
    code = rows_save(s->options, s->options->output, format, &r, write_json, &(findings){s, lists, count});
    if (!code && !s->options->json && !s->options->quiet && !cli_is_stdout(s->options->output)) {
        cli_text buffer;
        cli_put(stdout, "wrote %s row%s to %s", cli_count(buffer, at), cli_s(at), s->options->output);
        putchar('\n');
    }
done:
    free(of);
    free(beside);
    free(direction);
    free(weight);
    return code;
}

static int show_lists(const search *s, const char **ids, size_t count, rows_format format) {
    weft_csr out = {.size = sizeof out}, in = out;
    size_t made = 0;
    weft_status st = weft_graph_out(s->ctx, s->g, &out);
    if (st) return cli_fail_status(s->ctx, st);
    list *lists = cli_take(2 * count, sizeof *lists);
    int code = lists ? EXIT_DONE : EXIT_MEMORY;
    if (!code && s->directed) {
        st = weft_graph_in(s->ctx, s->g, &in);
        cli_progress_erase();
        if (st) code = cli_fail_status(s->ctx, st);
    }
    for (size_t i = 0; i < count && !code; i++) {
        weft_vid v;
        code = find(s, ids[i], &v);
        if (code) break;
        lists[made++] = row_of(s, &out, v, s->directed ? "out" : "both");
        if (s->directed) lists[made++] = row_of(s, &in, v, "in");
    }
    if (!code) {
        if (s->options->output && !(s->options->json && cli_is_stdout(s->options->output)))
            code = save(s, lists, made, format);
        if (!code && s->options->json)
            print_json(s, stdout, lists, made);
        else if (!code && !s->options->output)
            code = print_human(s, lists, made);
    }
    free(lists);
    return code;
}

/* The ids: those of --of, then the words after FILE. */
static const char **ids_of(const cli_call *call, size_t *count) {
    const cli_list *of = &call->options.neighbors.of;
    size_t more = (size_t)call->operand_count - 1;
    const char **ids = cli_take(of->count + more, sizeof *ids);
    *count = of->count + more;
    for (size_t i = 0; ids && i < *count; i++)
        ids[i] = i < of->count ? of->items[i] : call->operands[1 + i - of->count];
    return ids;
}

int cli_neighbors(cli_call *call) {
    search s = {.options = &call->options, .path = call->operands[0]};
    rows_format format = ROWS_TSV;
    size_t count = 0;
    const char **ids = ids_of(call, &count);
    int code = ids ? EXIT_DONE : EXIT_MEMORY;
    if (!code && !count && !s.options->neighbors.edge[0])
        code = cli_fail(EXIT_USAGE, "weft neighbors needs --of ID, or --edge U V");
    if (!code && count && s.options->neighbors.edge[0])
        code = cli_fail(EXIT_USAGE, "--of and --edge cannot be combined");
    if (!code && s.options->output) code = rows_format_of_path(s.options->output, false, &format);
    if (!code) code = cli_check_output("-o", s.options->output);
    if (!code) code = cli_check_not_read(s.options, s.path, s.options->output);
    if (!code) code = cli_open(s.options, &s.ctx);
    if (!code) code = cli_load(s.ctx, s.options, s.path, &s.g);
    if (code) goto done;
    s.names = cli_ids_are_names(s.g);
    s.directed = weft_graph_directed(s.g);
    s.weight_type = weft_graph_weight_type(s.g);
    code = s.options->neighbors.edge[0] ? show_edge(&s) : show_lists(&s, ids, count, format);
done:
    free(ids);
    weft_graph_free(s.g);
    weft_ctx_free(s.ctx);
    return code;
}
