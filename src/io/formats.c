/* The registry of formats, an entry each, and detection: by name, by the files beside it, by content (each format says
 * how sure it is of the first bytes; the surest wins). */
#include "io/io.h"
#include "io/table/nodes.h"
#include "stream/pack.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Order decides between formats that are equally sure: the edge list, which accepts nearly anything, comes last. */
/* clang-format off */
static const wfi_format formats[] = {
    {.info = {"weft", "Weft binary (.weft), memory-mapped", "weft", 1, 1, 1}, .by_name = 1,
     .sniff = wfi_sniff_weft, .read = wfi_read_weft, .write_by = wfi_write_weft, .attributes = true,
     .edge_columns = true, .keeps = true},
    {.info = {"mtx", "Matrix Market", "mtx", 1, 1, 1},
     .sniff_named = wfi_sniff_mtx, .read = wfi_read_mtx, .write = wfi_write_mtx, .slices = true},
    {.info = {"metis", "METIS and Chaco graph", "graph metis chaco", 1, 1, 1}, .by_name = 2,
     .sniff = wfi_sniff_metis, .read = wfi_read_metis, .write = wfi_write_metis},
    {.info = {"dimacs", "DIMACS (.gr, .col, PACE)", "gr dimacs col", 1, 1, 1}, .by_name = 1,
     .sniff = wfi_sniff_dimacs, .read = wfi_read_dimacs, .write = wfi_write_dimacs},
    {.info = {"sg", "GAP serialized graph", "sg", 1, 1, 0}, .by_name = 2, .read = wfi_read_sg, .write = wfi_write_gap},
    {.info = {"wsg", "GAP serialized graph with weights", "wsg", 1, 1, 1}, .by_name = 2,
     .read = wfi_read_wsg, .write = wfi_write_gap},
    {.info = {"ldbc", "LDBC Graphalytics .v and .e", "e v", 1, 0, 0}, .by_name = 2,
     .read = wfi_read_ldbc, .find = wfi_find_ldbc},
    {.info = {"ligra", "Ligra adjacency graph", "ligra", 1, 0, 0}, .by_name = 2,
     .sniff = wfi_sniff_ligra, .read = wfi_read_ligra},
    {.info = {"csr", "CSR as text, with a label if it has one", "csr", 1, 1, 0}, .by_name = 2,
     .sniff = wfi_sniff_csr, .read = wfi_read_csr, .write = wfi_write_csr},
    {.info = {"dense", "dense 0/1 matrix as text, with a label if it has one", "dense adj", 1, 1, 0}, .by_name = 2,
     .sniff = wfi_sniff_dense, .read = wfi_read_dense, .write = wfi_write_dense},
    {.info = {"graphml", "GraphML", "graphml", 1, 1, 1}, .by_name = 1,
     .sniff = wfi_sniff_graphml, .read = wfi_read_graphml, .write = wfi_write_graphml, .attributes = true,
     .edge_columns = true, .keeps = true,
     .takes = WFI_TAKES_WEIGHT},
    {.info = {"gexf", "GEXF (Gephi)", "gexf", 1, 1, 1}, .by_name = 1,
     .sniff = wfi_sniff_gexf, .read = wfi_read_gexf, .write = wfi_write_gexf, .attributes = true,
     .edge_columns = true, .keeps = true,
     .takes = WFI_TAKES_WEIGHT},
    {.info = {"pajek", "Pajek", "net", 1, 1, 1},
     .sniff = wfi_sniff_pajek, .read = wfi_read_pajek, .write = wfi_write_pajek},
    {.info = {"graph6", "graph6, sparse6, digraph6", "g6 s6 d6", 1, 0, 0}, .by_name = 2,
     .sniff = wfi_sniff_graph6, .read = wfi_read_graph6},
    {.info = {"npy", "NumPy array of edges", "npy", 1, 0, 0}, .by_name = 1,
     .sniff = wfi_sniff_npy, .gather = wfi_gather_npy,
     .takes = WFI_TAKES_COLUMNS},
    {.info = {"npz", "SciPy sparse matrix", "npz", 1, 1, 1}, .by_name = 1,
     .sniff = wfi_sniff_npz, .read = wfi_read_npz, .write_by = wfi_write_npz,
     .takes = WFI_TAKES_VERTICES},
    {.info = {"gml", "GML", "gml", 1, 1, 1}, .by_name = 1,
     .sniff = wfi_sniff_gml, .read = wfi_read_gml, .write = wfi_write_gml, .attributes = true,
     .edge_columns = true, .keeps = true,
     .takes = WFI_TAKES_WEIGHT},
    {.info = {"dot", "DOT (Graphviz), small graphs", "dot gv", 0, 1, 1}, .write = wfi_write_dot, .attributes = true},
    {.info = {"nodes", "table of vertices (csv)", "", 0, 1, 0}, .write = wfi_write_nodes, .attributes = true},
    {.info = {"parquet", "Parquet table", "parquet pq", 1, 0, 0}, .by_name = 1,
     .sniff = wfi_sniff_parquet, .gather = wfi_gather_parquet, .keeps = true,
     .takes = WFI_TAKES_COLUMNS},
    {.info = {"arrow", "Arrow IPC table, Feather", "arrow feather ipc", 1, 0, 0}, .by_name = 1,
     .sniff = wfi_sniff_arrow, .gather = wfi_gather_arrow, .keeps = true,
     .takes = WFI_TAKES_COLUMNS},
    {.info = {"webgraph", "WebGraph, BV-compressed", "graph", 1, 0, 0},
     .sniff_named = wfi_sniff_webgraph, .read = wfi_read_webgraph, .find = wfi_find_webgraph, .claims = wfi_claims_webgraph},
    {.info = {"json", "JSON (NetworkX, d3, Cytoscape.js, tables)", "json", 1, 1, 1}, .by_name = 1,
     .sniff = wfi_sniff_json, .read = wfi_read_json, .write = wfi_write_json, .attributes = true, .edge_columns = true,
     .keeps = true,
     .takes = WFI_TAKES_COLUMNS},
    {.info = {"cyjs", "JSON of Cytoscape.js", "cyjs", 1, 1, 1}, .by_name = 1,
     .read = wfi_read_json, .write = wfi_write_json, .attributes = true, .edge_columns = true, .keeps = true,
     .takes = WFI_TAKES_COLUMNS},
    {.info = {"jsonl", "JSON lines, one edge per line", "jsonl ndjson", 1, 1, 1},
     .sniff_named = wfi_sniff_jsonl, .gather = wfi_gather_jsonl, .write = wfi_write_jsonl,
     .edge_columns = true, .keeps = true,
     .takes = WFI_TAKES_COLUMNS},
    {.info = {"csv", "edge list with commas and a header row", "csv", 1, 1, 1}, .by_name = 2,
     .gather = wfi_edgelist_gather, .write = wfi_write_edgelist, .slices = true, .text = true, .edge_columns = true,
     .keeps = true,
     .takes = WFI_TAKES_ALL},
    {.info = {"adjlist", "adjacency list", "adjlist", 1, 0, 0}, .by_name = 2, .gather = wfi_edgelist_gather,
     .takes = WFI_TAKES_WORDS},
    {.info = {"sif", "SIF (Cytoscape)", "sif", 1, 0, 0}, .by_name = 2, .gather = wfi_edgelist_gather, .text = true,
     .takes = WFI_TAKES_WORDS},
    {.info = {"edgelist", "edge list (SNAP, KONECT, tsv)", "el txt edges edgelist tsv wel konect net", 1, 1, 1},
     .by_name = 2, .sniff = wfi_sniff_edgelist, .gather = wfi_edgelist_gather, .write = wfi_write_edgelist,
     .slices = true, .text = true, .edge_columns = true, .keeps = true,
     .takes = WFI_TAKES_ALL},
};
/* clang-format on */
enum { FORMATS = sizeof formats / sizeof *formats };

size_t weft_format_count(void) { return FORMATS; }
const weft_format_info *weft_format_at(size_t i) { return i < FORMATS ? &formats[i].info : NULL; }

bool wfi_name_has_extension(const char *name, const char *extensions) {
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    if (!dot) return false;
    size_t length = strlen(dot + 1);
    for (const char *p = extensions; *p;) {
        size_t word = strcspn(p, " ");
        if (word == length && !strncasecmp(p, dot + 1, length)) return true;
        p += word + strspn(p + word, " ");
    }
    return false;
}

const wfi_format *wfi_format_named(const char *name) {
    for (int i = 0; i < FORMATS; i++)
        if (!strcasecmp(formats[i].info.name, name)) return &formats[i];
    return NULL;
}

int wfi_format_sure(const wfi_format *f, const char *head, size_t bytes, const char *name) {
    bool named = f->by_name && wfi_name_has_extension(name, f->info.extensions);
    int by_name = named && !(f->text && memchr(head, '\0', bytes)) ? f->by_name : 0;
    int sure = f->sniff ? f->sniff(head, bytes) : f->sniff_named ? f->sniff_named(head, bytes, name) : 0;
    return sure > by_name ? sure : by_name;
}

const wfi_format *wfi_format_of_content(const char *head, size_t bytes, const char *name) {
    const wfi_format *best = NULL;
    int surest = 0;
    for (int i = 0; i < FORMATS; i++) {
        int sure = formats[i].info.can_read ? wfi_format_sure(&formats[i], head, bytes, name) : 0;
        if (sure > surest) {
            surest = sure;
            best = &formats[i];
        }
    }
    return best;
}

void wfi_extensions_to_write(char *list, size_t room) {
    size_t used = 0;
    *list = '\0';
    for (int i = 0; i < FORMATS; i++) {
        const char *extensions = formats[i].info.extensions;
        if (!formats[i].info.can_write || !*extensions || used >= room) continue;
        used += (size_t)snprintf(list + used, room - used, "%s.%.*s", used ? ", " : "", (int)strcspn(extensions, " "),
                                 extensions);
    }
}

const wfi_format *wfi_format_to_write(const char *path) {
    char plain[4096];
    size_t length = (size_t)(wfi_packed_end(path) - path);
    if (length >= sizeof plain) return NULL;
    memcpy(plain, path, length);
    plain[length] = '\0';
    for (int i = 0; i < FORMATS; i++)
        if (formats[i].info.can_write && wfi_name_has_extension(plain, formats[i].info.extensions)) return &formats[i];
    return NULL;
}

weft_status wfi_format_find(weft_ctx *ctx, const char *path, const wfi_format *only, char **out) {
    weft_status st = WEFT_OK;
    *out = NULL;
    for (int i = 0; i < FORMATS && !st && !*out; i++)
        if (formats[i].find && (!only || only == &formats[i])) st = formats[i].find(ctx, path, out);
    return st;
}

weft_status wfi_format_claiming(weft_ctx *ctx, const wfi_source *source, const wfi_format **out) {
    weft_status st = WEFT_OK;
    *out = NULL;
    for (int i = 0; i < FORMATS && !st && !*out; i++) {
        bool yes = false;
        if (formats[i].claims) st = formats[i].claims(ctx, source, &yes);
        if (yes) *out = &formats[i];
    }
    return st;
}
