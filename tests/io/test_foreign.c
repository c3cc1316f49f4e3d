/* Files that are no graph: each gets the sentence that says what it is and what to do; names that look alike do not. */
#include "support.h"

#include <errno.h>

typedef struct other {
    const char *name, *data;
    size_t bytes;
    const char *part;
} other;

#define IS(name, data, part) \
    { name, data, sizeof(data) - 1, part }

static const other others[] = {
    IS("program", "\x7f" "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>\0", "ELF"),
    IS("table.orc", "ORC\x08\3\x10\0\0", "ORC"),
    IS("table.avro", "Obj\1\4\x14" "avro.codec\0", "Avro"),
    IS("book.xlsx", "PK\3\4\x14\0\6\0\b\0\0\0!\0[Content_Types].xml \xa2PK\3\4xl/workbook.xml", "Excel workbook"),
    IS("book.csv", "PK\3\4\x14\0\6\0\b\0\0\0!\0[Content_Types].xml \xa2PK\3\4xl/workbook.xml", "save the table as CSV"),
    IS("book.ods", "PK\3\4\x14\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "LibreOffice"),
    IS("files.zip", "PK\3\4\x14\0\0\0graph.txt", "a zip archive"),
    IS("book.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", ".xls"),
    IS("data.h5", "\x89HDF\r\n\x1a\n\0", "HDF5"),
    IS("graph.gpickle", "\x80\4\x95\x10\0\0\0\0\0\0\0\x8c\x08networkx", "pickle"),
    IS("paper.pdf", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "PDF"),
    IS("page.csv", "<!DOCTYPE html>\n<html><head>\n", "web page"),
    IS("page.mtx", "<html>\n<body>404</body></html>\n", "web page"),
    IS("page.graph", "\n <HTML>\n", "web page"),
    IS("base.sqlite", "SQLite format 3\0\x10\0", "SQLite"),
    IS("base.duckdb", "\1\2\3\4\5\6\7\0DUCK@\0\0\0", "DuckDB"),
    IS("objects.RData", "RDX3\nX\n\0\0\0\3", ".RData"),
    IS("object.rds", "X\n\0\0\0\3\0\4\2\0", ".rds"),
    IS("data.mat", "MATLAB 5.0 MAT-file, Platform: GLNXA64\0", "MATLAB"),
    IS("graph.gt", "\xe2\x9b\xbe gt\1\0\0", "graph-tool"),
    IS("plot.png", "\x89PNG\r\n\x1a\n\0\0", "picture"),
    IS("photo.jpg", "\xff\xd8\xff\xe0\0\x10JFIF\0", "picture"),
    IS("plot.gif", "GIF89a\1\0\1\0", "picture"),
    IS("edges.txt.xz", "\xfd" "7zXZ\0\0\4", "xz -dc"),
    IS("graph.cypher", "CREATE (a:Person {name: 'ann'})\nCREATE (b:Person {name: 'bob'})\n", "Cypher"),
    IS("graph.gspan", "t # 0\nv 0 1\nv 1 1\ne 0 1 2\n", "gSpan"),
    IS("tree.nwk", "((A:0.1,B:0.2):0.3,C:0.4);\n", "Newick"),
    IS("flow.max", "c a flow\np max 3 2\nn 1 s\nn 3 t\na 1 2 5\na 2 3 4\n", "DIMACS"),
    IS("formula.cnf", "p cnf 3 2\n1 -3 0\n2 3 -1 0\n", "DIMACS"),
    IS("network.cx", "[{\"numberVerification\":[{\"longNumber\":281474976710655}]},{\"nodes\":[]}]\n", "CX"),
    IS("edges.txt.bz2", "BZh91AY&SY", "bunzip2"),
};

TEST(each_gets_its_sentence) {
    for (size_t i = 0; i < LENGTH(others); i++) {
        const other *o = &others[i];
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = NULL;
        char start[128];
        snprintf(start, sizeof start, "%s:1:1: this is ", o->name);
        weft_status st = weft_read_memory(ctx, o->data, o->bytes, o->name, NULL, &g);
        const char *message = weft_ctx_message(ctx);
        if (st != WEFT_EUNSUPPORTED || strncmp(message, start, strlen(start)) || !strstr(message, o->part))
            HARNESS_FAIL("%s: status %d, \"%s\", expected \"%s ... %s\"", o->name, (int)st, message, start, o->part);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

/* Genes, fantasy and pictures are names as well. */
TEST(names_that_begin_like_a_file_are_names) {
    static const char *const lists[] = {"PAR1 F2R\n", "ORC ELF\n", "BM RIFF\n", "MM II*\n", "X\tY\n", "FEA1 ARROW1\n", "RDX3 GIF\n",
                                        "CREATE MERGE\n", "p max\n", "c cnf\n"};
    for (size_t i = 0; i < LENGTH(lists); i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = read_text(ctx, lists[i], NULL);
        if (!g) HARNESS_FAIL("%s: %s", lists[i], weft_ctx_message(ctx));
        if (g) CHECK_U64(weft_graph_edges(g), 1);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(a_format_that_was_asked_for_is_tried) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_read_params p = reading("edgelist");
    weft_graph *g = read_text(ctx, "GIF89a GIF87a\n", &p);
    CHECK(g != NULL);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST_MAIN()
