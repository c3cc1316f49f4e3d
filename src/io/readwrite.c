/* weft_read, weft_read_memory, weft_write: choose the format, open the source or sink, call the reader or writer. */
#include "attributes/sides.h"
#include "core/comm.h"
#include "io/attributes.h"
#include "io/io.h"
#include "io/stream/part_files.h"
#include "io/table/edge_fields.h"
#include "io/weft/binary.h"

#include <string.h>

/* The caller's parameters (NULL: the defaults), validated. */
static weft_status resolve(weft_ctx *ctx, const weft_read_params *given, weft_read_params *p) {
    *p = (weft_read_params)WEFT_READ_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_read_params", given, p, sizeof *p);
    weft_build_params rules = wfi_read_rules(p);
    if (!st) st = wfi_build_rules(ctx, &rules, &rules);
    if (st) return st;
    if ((unsigned)p->weights > WEFT_WEIGHTS_IGNORE || (unsigned)p->ids > WEFT_READ_IDS_STRING ||
        (unsigned)p->weight_type > WEFT_WEIGHT_F64)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_read_params: invalid weights, weight_type or ids");
    if ((p->decimal && p->decimal != '.' && p->decimal != ',') || (unsigned)p->comments > WEFT_COMMENTS_NO)
        return wfi_fail(ctx, WEFT_EINVAL, "weft_read_params: invalid decimal or comments");
    if (p->sides < 0 || p->sides > WFI_SIDES_ONE) return wfi_fail(ctx, WEFT_EINVAL, "weft_read_params: invalid sides");
    if (p->vertices >= WEFT_NO_VERTEX) return wfi_fail(ctx, WEFT_EINVAL, "at most 2^32-2 vertices");
    if (p->format) {
        const wfi_format *format = wfi_format_named(p->format);
        if (!format) return wfi_fail(ctx, WEFT_ENOTFOUND, "no format is called '%s'", p->format);
        if (!format->read && !format->gather)
            return wfi_fail(ctx, WEFT_EINVAL, "the format %s can be written, not read", p->format);
    }
    return WEFT_OK;
}

/* All edges are read: adds the listed vertices, then builds the graph.  Empties the table, also on failure. */
static weft_status finish_table(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, wfi_table *table,
                                weft_graph **out) {
    uint64_t listed = 0;
    wfi_file_facts facts = {0};
    weft_status st = params->nodes ? wfi_nodes_add(ctx, params, table, &listed, &facts) : WEFT_OK;
    if (wfi_source_sliced(source)) st = wfi_agree_input(ctx, st);
    if (!st && wfi_source_sliced(source) && params->nodes) st = wfi_nodes_same(ctx, params, &facts);
    if (!st) st = wfi_table_build(ctx, source, params, table, out);
    if (!st && params->nodes) wfi_nodes_note(ctx, params, *out, listed);
    wfi_table_free(table);
    return st;
}

static weft_status read_table(weft_ctx *ctx, wfi_source *source, const weft_read_params *params,
                              const wfi_format *format, weft_graph **out) {
    wfi_table table = {.format = format->info.name};
    weft_status st = wfi_edge_fields_open(ctx, params, &table.fields);
    if (!st) st = format->gather(ctx, source, params, &table);
    if (!st) return finish_table(ctx, source, params, &table, out);
    wfi_table_free(&table);
    return st;
}

/* Fails if the file is known to be something else.  Checked unless the content itself identifies this format: an
 * extension may be wrong, and the edge list accepts everything. */
static weft_status refuse_foreign(weft_ctx *ctx, const wfi_source *source, const wfi_format *format) {
    size_t bytes;
    const char *head = wfi_source_head(source, &bytes);
    const char *foreign = wfi_foreign_json(head, bytes);
    if (!foreign && format && wfi_format_sure(format, head, bytes, wfi_source_plain_name(source)) > 2) return WEFT_OK;
    if (!foreign) foreign = wfi_foreign(head, bytes);
    const char *nul = memchr(head, '\0', bytes);
    if (foreign) {
        wfi_fail_at(ctx, wfi_source_name(source), 1, 1, "this is %s", foreign);
        return WEFT_EUNSUPPORTED;
    }
    if (nul && !format)
        return wfi_fail_in_text(ctx, source, head, nul,
                                "a NUL byte, so this is not text, nor a binary format that Weft knows "
                                "(if it is, say which with `format`)");
    if (!format)
        return wfi_fail_at(ctx, wfi_source_name(source), 1, 1,
                           "this is not in a format that Weft knows (if it is, say which with `format`)");
    return WEFT_OK;
}

/* The format named by the caller, or found by content, name and the files beside it. */
static weft_status choose_format(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                                 const wfi_format **format) {
    size_t bytes;
    const char *head = wfi_source_head(source, &bytes);
    *format = params->format ? wfi_format_named(params->format) : NULL;
    weft_status st = *format ? WEFT_OK : wfi_format_claiming(ctx, source, format);
    if (st || *format) return st;
    *format = wfi_format_of_content(head, bytes, wfi_source_plain_name(source));
    return refuse_foreign(ctx, source, *format);
}

/* Without a stated direction: warns of reasons to doubt it, on the first rank. */
static weft_status doubt_direction(weft_ctx *ctx, const char *name, const weft_read_params *params, weft_graph *g) {
    if (!strcmp(g->format, "weft") || g->sides)
        return WEFT_OK; /* warned when the file was made; sides have no direction */
    weft_status st = wfi_graph_doubt_direction(ctx, g);
    if (st || wfi_rank(ctx)) return st;
    if (g->direction_doubt == WEFT_DOUBT_ASCENDING && !params->ordered)
        wfi_warn(ctx,
                 "%s: every edge goes from a smaller id to a larger one, so this may be an undirected list; "
                 "`direction=undirected` reads each line both ways, `direction=directed` silences this",
                 name);
    if (g->direction_doubt == WEFT_DOUBT_TWICE)
        wfi_warn(ctx, "%s: each edge is listed twice; `direction=undirected` counts it once", name);
    return WEFT_OK;
}

/* Applies the `sides` parameter: one kind of vertices, or an error if two were asked for. */
static weft_status apply_sides(weft_ctx *ctx, const char *name, const weft_read_params *params, weft_graph *g) {
    if (params->sides == WFI_SIDES_ONE) {
        wfi_free(g->sides);
        g->sides = NULL;
    }
    if (params->sides != WFI_SIDES_TWO || g->sides) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINPUT, "%s: the file does not say which vertices are on which side", name);
}

/* Finishes a graph after reading: converts weights to the requested type. */
static weft_status finish(weft_ctx *ctx, const char *name, const weft_read_params *params, double start,
                          weft_graph **out) {
    weft_status st = wfi_graph_weights_as(ctx, name, *out, params->weight_type);
    if (!st) st = apply_sides(ctx, name, params, *out);
    if (!st && (*out)->ambiguous && (*out)->weight_type != WEFT_WEIGHT_NONE && !wfi_rank(ctx))
        wfi_note(ctx, "%s: %s; the smallest was kept (`duplicates` decides)", name, (*out)->ambiguous->words);
    if (!st) st = doubt_direction(ctx, name, params, *out);
    if (st) {
        weft_graph_free(*out);
        *out = NULL;
        return st;
    }
    (*out)->load_ms = wfi_now_ms() - start;
    return WEFT_OK;
}

/* Fails on parameters for tables that this format does not use. */
static weft_status check_table_flags(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                                     const wfi_format *format) {
    const struct {
        bool wanted;
        unsigned use;
        const char *flag, *with;
    } all[] = {{params->header != WEFT_HEADER_AUTO, WFI_TAKES_HEADER, "header", "text tables"},
               {params->separator, WFI_TAKES_WORDS, "separator", "lists and text tables"},
               {params->decimal, WFI_TAKES_HEADER, "decimal", "text tables"},
               {params->comments != WEFT_COMMENTS_AUTO, WFI_TAKES_WORDS, "comments", "lists and text tables"},
               {params->source_col, WFI_TAKES_ENDS, "source_col", "tables"},
               {params->target_col, WFI_TAKES_ENDS, "target_col", "tables"},
               {params->weight_col, WFI_TAKES_WEIGHT, "weight_col", "tables, GraphML, GEXF, GML and JSON"},
               {params->vertices, WFI_TAKES_VERTICES, "vertices", "lists, tables and .npz"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].wanted && !(format->takes & all[i].use))
            return wfi_fail(ctx, WEFT_EINVAL, "%s: `%s` goes with %s, and this is %s", wfi_source_name(source),
                            all[i].flag, all[i].with, format->info.title);
    return WEFT_OK;
}

/* Fails on edge columns and conditions if the format does not support them. */
static weft_status check_keep(weft_ctx *ctx, const wfi_source *source, const weft_read_params *params,
                              const wfi_format *format) {
    bool keep = params->keep && *params->keep; /* "": none */
    if (!keep && !params->merge && !params->edges_where) return WEFT_OK;
    if (!format->keeps)
        return wfi_fail(
            ctx, WEFT_EINVAL,
            "%s: `keep` and `edges_where` go with tables, GraphML, GEXF, GML, JSON and .weft, and this is %s",
            wfi_source_name(source), format->info.title);
    if (wfi_has_ranks(ctx))
        return wfi_fail(ctx, WEFT_EINVAL, "%s: ranks that share a file read no columns of edges; convert it first",
                        wfi_source_name(source));
    return WEFT_OK;
}

/* Compares the files of the ranks first, since ranks with different files would make different calls. */
static weft_status share(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, const wfi_format *format) {
    wfi_comparison how = params->verify_files ? WFI_COMPARE_ALL
                         : format->slices     ? WFI_COMPARE_SAMPLE
                                              : WFI_COMPARE_FORMAT;
    weft_status st = wfi_source_compare(ctx, source, format->info.name, how);
    return st || !format->slices ? st : wfi_source_slice(ctx, source);
}

static weft_status read_source(weft_ctx *ctx, wfi_source *source, const weft_read_params *params, double start,
                               weft_graph **out) {
    const wfi_format *format;
    weft_status st = choose_format(ctx, source, params, &format);
    if (!st && wfi_has_ranks(ctx) && format->read != wfi_read_weft && !format->slices)
        st = wfi_fail(
            ctx, WEFT_EINVAL,
            "%s: ranks share .weft files, edge lists and Matrix Market files, and this is %s; convert it first",
            wfi_source_name(source), format->info.title);
    if (!st && params->nodes && !format->gather)
        st = wfi_fail(ctx, WEFT_EINVAL,
                      "%s: `nodes` goes with tables of edges; a file of format %s says itself which "
                      "vertices there are",
                      wfi_source_name(source), format->info.name);
    if (!st) st = check_table_flags(ctx, source, params, format);
    if (!st) st = check_keep(ctx, source, params, format);
    st = wfi_agree_input(ctx, st);
    if (!st && wfi_has_ranks(ctx)) st = share(ctx, source, params, format);
    if (!st)
        st = format->gather ? read_table(ctx, source, params, format, out) : format->read(ctx, source, params, out);
    return st ? st : finish(ctx, wfi_source_name(source), params, start, out);
}

/* --- folders ------------------------------------------------------------------------------- */

/* Opens a part of the same format as the parts before; *source is NULL if it is empty. */
static weft_status open_part(weft_ctx *ctx, const char *path, const weft_read_params *params, const wfi_format **format,
                             wfi_source **source) {
    const wfi_format *here;
    size_t bytes;
    weft_status st = wfi_source_open(ctx, path, source);
    if (st) return st;
    wfi_source_head(*source, &bytes);
    if (!bytes) goto close;
    st = choose_format(ctx, *source, params, &here);
    if (!st && !here->gather)
        st = wfi_fail_at(ctx, path, 1, 1,
                         "a folder of parts holds a table of edges (csv, an edge list, ...), but this is %s: "
                         "name one file",
                         here->info.title);
    if (!st && *format && *format != here)
        st = wfi_fail_at(ctx, path, 1, 1,
                         "this part is %s, but the ones before are %s (if they are one format, say which "
                         "with `format`)",
                         here->info.title, (*format)->info.title);
    if (!st) st = check_table_flags(ctx, *source, params, here);
    if (!st) st = check_keep(ctx, *source, params, here);
    if (!st) {
        *format = here;
        return WEFT_OK;
    }
close:
    wfi_source_close(*source);
    *source = NULL;
    return st;
}

static weft_status gather_parts(weft_ctx *ctx, const wfi_part_files *parts, const weft_read_params *params,
                                wfi_table *table) {
    const wfi_format *format = NULL;
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < parts->count && !st; i++) {
        wfi_source *source;
        st = open_part(ctx, parts->path[i], params, &format, &source);
        if (st || !source) continue;
        table->format = format->info.name;
        st = format->gather(ctx, source, params, table);
        wfi_source_close(source);
        if (!st && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
    }
    return st;
}

static weft_status read_folder(weft_ctx *ctx, const char *folder, const weft_read_params *params, double start,
                               weft_graph **out) {
    wfi_part_files parts;
    wfi_table table = {.format = "edgelist"};
    wfi_source *name = NULL; /* represents the folder in messages */
    weft_status st = wfi_part_files_list(ctx, folder, &parts);
    if (!st) st = wfi_source_memory(ctx, "", 0, folder, &name);
    if (!st) st = wfi_edge_fields_open(ctx, params, &table.fields);
    if (!st) st = gather_parts(ctx, &parts, params, &table);
    if (st) goto done;
    wfi_note(ctx, "%s: read %zu part file%s as one table%s%s", folder, parts.count, parts.count == 1 ? "" : "s",
             *parts.partitions ? "; passed over what the folders' names add: " : "", parts.partitions);
    st = finish_table(ctx, name, params, &table, out);
    if (!st) st = finish(ctx, folder, params, start, out);
done:
    wfi_table_free(&table);
    wfi_source_close(name);
    wfi_part_files_free(&parts);
    return st;
}

/* --- the API ------------------------------------------------------------------------------- */

weft_status weft_read(weft_ctx *ctx, const char *path, const weft_read_params *params, weft_graph **out) {
    if (out) *out = NULL;
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_OR_RETURN(ctx, path);
    WFI_NEED_OR_RETURN(ctx, out);
    double start = wfi_now_ms();
    weft_read_params full;
    weft_status st = resolve(ctx, params, &full);
    if (st) return st;
    wfi_progress(ctx, "reading", 0, 0);
    if (wfi_is_folder(path) && wfi_has_ranks(ctx))
        return wfi_fail(ctx, WEFT_EINVAL, "%s: ranks share one file, and this is a folder; convert it first", path);
    if (wfi_is_folder(path)) return read_folder(ctx, path, &full, start, out);
    wfi_source *source = NULL;
    char *beside;
    st = wfi_format_find(ctx, path, full.format ? wfi_format_named(full.format) : NULL, &beside);
    if (!st) st = wfi_source_open(ctx, beside ? beside : path, &source);
    wfi_free(beside);
    st = wfi_agree_input(ctx, st);
    if (!st) st = read_source(ctx, source, &full, start, out);
    wfi_source_close(source);
    return st;
}

weft_status weft_read_memory(weft_ctx *ctx, const void *data, size_t bytes, const char *name,
                             const weft_read_params *params, weft_graph **out) {
    if (out) *out = NULL;
    WFI_BEGIN_OR_RETURN(ctx);
    if (bytes) WFI_NEED_OR_RETURN(ctx, data);
    WFI_NEED_OR_RETURN(ctx, name);
    WFI_NEED_OR_RETURN(ctx, out);
    double start = wfi_now_ms();
    weft_read_params full;
    weft_status st = resolve(ctx, params, &full);
    if (st) return st;
    wfi_progress(ctx, "reading", 0, 0);
    wfi_source *source;
    st = wfi_source_memory(ctx, data, bytes, name, &source);
    if (st) return st;
    st = read_source(ctx, source, &full, start, out);
    wfi_source_close(source);
    return st;
}

static weft_status write_file(weft_ctx *ctx, const weft_graph *g, const wfi_format *format, const char *path,
                              const weft_write_params *params) {
    wfi_sink *sink;
    weft_status st = wfi_sink_open(ctx, path, params->level, &sink);
    if (st) return st;
    wfi_progress(ctx, "writing", 0, 0);
    if (!format->edge_columns) wfi_warn_edge_columns(ctx, g, format->info.name);
    if (!format->attributes) wfi_warn_attributes(ctx, g, format->info.name);
    if (!format->attributes && g->sides)
        wfi_warn(ctx, "%s does not store that vertices are of two kinds: %s and %s%s", format->info.name,
                 g->sides->name[0], g->sides->name[1],
                 format->gather && !g->directed ? ", in this order: read it with `sides=two`" : "");
    st = format->write_by ? format->write_by(ctx, g, sink, params) : format->write(ctx, g, sink, format->info.name);
    if (st) {
        wfi_sink_abandon(sink);
        return st;
    }
    return wfi_sink_finish(ctx, sink);
}

weft_status weft_write(weft_ctx *ctx, const weft_graph *g, const char *path, const weft_write_params *params) {
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_GRAPH_OR_RETURN(ctx, g);
    WFI_NEED_OR_RETURN(ctx, path);
    weft_write_params full = WEFT_WRITE_DEFAULTS;
    weft_status st = wfi_sized_in(ctx, "weft_write_params", params, &full, sizeof full);
    if (st) return st;
    params = &full;
    const wfi_format *format = params->format ? wfi_format_named(params->format) : wfi_format_to_write(path);
    if (!format && params->format) return wfi_fail(ctx, WEFT_ENOTFOUND, "no format is called '%s'", params->format);
    if (!format) {
        char list[256];
        wfi_extensions_to_write(list, sizeof list);
        return wfi_fail(ctx, WEFT_ENOTFOUND,
                        "%s: no format that is written has this extension: name one with `write.format`, or write %s",
                        path, list);
    }
    if (!format->info.can_write)
        return wfi_fail(ctx, WEFT_EINVAL, "the format %s can be read, not written", format->info.name);
    st = format->info.keeps_weights ? wfi_graph_refuse_ambiguous(ctx, strcmp(path, "-") ? path : "(standard output)", g)
                                    : WEFT_OK;
    if (st) return st;
    if (g->share && format->read != wfi_read_weft)
        return wfi_fail(ctx, WEFT_EINVAL, "%s: ranks write .weft files, and this is %s; convert it afterwards", path,
                        format->info.title);
    if (g->share) return wfi_weft_write_shared(ctx, g, path, params);
    weft_graph *listed = NULL; /* with its sides as attributes */
    if (g->sides && format->attributes && format->read != wfi_read_weft)
        st = wfi_sides_to_columns(ctx, g, format->info.name, &listed);
    if (!st) st = write_file(ctx, listed ? listed : g, format, path, params);
    weft_graph_free(listed);
    return st;
}

weft_status weft_read_text(weft_ctx *ctx, const char *path, char **text, size_t *bytes) {
    wfi_source *source;
    const char *whole;
    size_t count = 0;
    if (text) *text = NULL;
    if (bytes) *bytes = 0;
    WFI_BEGIN_OR_RETURN(ctx);
    WFI_NEED_OR_RETURN(ctx, path);
    WFI_NEED_OR_RETURN(ctx, text);
    WFI_NEED_OR_RETURN(ctx, bytes);
    weft_status st = wfi_source_open(ctx, path, &source);
    if (st) return st;
    st = wfi_source_whole(ctx, source, &whole, &count);
    if (!st) st = wfi_alloc(ctx, text, count + 1);
    if (!st) {
        memcpy(*text, whole, count);
        (*text)[count] = '\0';
        *bytes = count;
    }
    wfi_source_close(source);
    return st;
}
