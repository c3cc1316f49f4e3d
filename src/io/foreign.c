/* Files that Weft does not read: what they are, and what to do about it, in one sentence.  Consulted only if no format
 * is sure of the file.
 * Method: the magic bytes of archives, of other compressors, of tables and documents; the first word of text formats,
 * after white space.  Magic bytes that are letters count only in a file that is not text: PAR1 is a gene, too. */
#include "io/io.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

typedef struct sign {
    const char *start;
    size_t length;
    const char *meaning;
} sign;

#define SIGN(start, meaning) \
    { start, sizeof(start) - 1, meaning }

static const sign packed[] = {
    SIGN("\xfd"
         "7zXZ",
         "compressed with xz, which Weft cannot decompress: xz -dc FILE | weft info -"),
    SIGN("\x04\x22\x4d\x18", "compressed with lz4, which Weft cannot decompress: lz4 -dc FILE | weft info -"),
    SIGN("7z\xbc\xaf\x27\x1c", "a 7-Zip archive: unpack it and name the file in it"),
    SIGN("\x1f\x8b", "compressed twice: decompress it once"),
    SIGN("\x28\xb5\x2f\xfd", "compressed twice: decompress it once"),
    SIGN("\x7f"
         "ELF",
         "a program or library (ELF), not a graph"),
    SIGN("\xd0\xcf\x11\xe0", "an old Excel workbook (.xls) or other Office document: save the table as CSV"),
    SIGN("\x89HDF\r\n", "an HDF5 file, which Weft does not read: save the table of edges as CSV"),
    SIGN("SQLite format 3",
         "an SQLite database: sqlite3 -csv -header FILE 'SELECT source, target FROM edges' > edges.csv"),
    SIGN("MATLAB 5.0 MAT", "a MATLAB file: save the matrix as Matrix Market (mmwrite) or the edges as CSV"),
    SIGN("Obj\x01", "an Avro file, which Weft does not read: save the edges as CSV"),
    SIGN("\xe2\x9b\xbe gt", "a graph-tool file (.gt): save it as GML, g.save(\"graph.gml\")"),
    SIGN("\x89PNG", "a picture, not a graph"),
    SIGN("\xff\xd8\xff", "a picture, not a graph"),
    SIGN("GIF8", "a picture, not a graph"),
    SIGN("%PDF-", "a PDF document, not a graph"),
};

/* Only if the file is not text. */
static const sign letters[] = {
    SIGN("ORC", "an ORC file, which Weft does not read: save the edges as CSV"),
    SIGN("RDX", "R's .RData, which Weft does not read: in R, write.csv(edges, \"edges.csv\", row.names = FALSE)"),
    SIGN("X\n", "R's .rds, which Weft does not read: in R, write.csv(edges, \"edges.csv\", row.names = FALSE)"),
    SIGN("BM", "a picture, not a graph"),
    SIGN("II*", "a picture, not a graph"),
    SIGN("MM", "a picture, not a graph"),
    SIGN("RIFF", "a picture or sound, not a graph"),
};

#define RDF                                                                                                            \
    "which Weft does not read: save the edges as csv, by a SPARQL query such as SELECT ?source ?target, or as source " \
    "and target"
#define SQL                                                                                                      \
    "a dump of an SQL database: run it, and save the table of edges as csv (COPY ... TO, sqlite3 -csv -header, " \
    "SELECT ... INTO OUTFILE)"

#define CYPHER                                                                                                       \
    "a Cypher script, which Weft does not read: in Neo4j, CALL apoc.export.csv.query('MATCH (a)-->(b) RETURN id(a) " \
    "AS source, id(b) AS target', 'edges.csv', {})"

static const sign text[] = {
    SIGN("<!doctype html", "a web page, not a graph: is it the error page of a failed download?"),
    SIGN("<html", "a web page, not a graph: is it the error page of a failed download?"),
    SIGN("<?xml", "XML, but neither GraphML nor GEXF, which Weft reads: save it as one of these"),
    SIGN("LEDA.GRAPH", "a LEDA file, which Weft does not read: save it as GML or as an edge list"),
    SIGN("(tlp ", "a Tulip file (.tlp), which Weft does not read: export it as GML, GEXF or csv"),
    SIGN("@startuml", "a PlantUML diagram, which Weft does not read: write its edges one per line, as in u -> v"),
    SIGN("*node data", "a NetDraw file (VNA), which Weft does not read: save it as Pajek, or its ties as csv"),
    SIGN("*node properties", "a NetDraw file (VNA), which Weft does not read: save it as Pajek, or its ties as csv"),
    SIGN("@prefix ", "Turtle (RDF), " RDF),
    SIGN("@base ", "Turtle (RDF), " RDF),
    SIGN("PREFIX ", "Turtle (RDF), " RDF),
    SIGN("-- MySQL dump", SQL),
    SIGN("-- MariaDB dump", SQL),
    SIGN("PRAGMA foreign_keys", SQL),
    SIGN("BEGIN TRANSACTION", SQL),
    SIGN("CREATE TABLE", SQL),
    SIGN("INSERT INTO", SQL),
    SIGN("CREATE (", CYPHER),
    SIGN("MERGE (", CYPHER),
    SIGN("CREATE CONSTRAINT", CYPHER),
    SIGN(":begin\n", CYPHER),
    SIGN("t # 0\n", "graphs for gSpan, which Weft does not read: save the edges of one of them, u v a line"),
    SIGN("format-version:",
         "an ontology (OBO), which Weft does not read: save its terms and parents as csv, child,parent"),
    SIGN("<NUMBER OF ZONES>",
         "a road network (TNTP), which Weft does not read: awk '/^[ \\t]*[0-9]/{print $1,$2}' FILE | "
         "weft info -"),
    SIGN("nodedef>", "a GDF file, which Weft does not read: save it as GML or as an edge list"),
};

static const char *after_space(const char *p, const char *stop) {
    while (p < stop && isspace((unsigned char)*p)) p++;
    return p;
}

static const char *after_word(const char *p, const char *stop, const char *word) {
    size_t length = strlen(word);
    return (size_t)(stop - p) >= length && !strncasecmp(p, word, length) ? p + length : NULL;
}

/* [strict] graph|digraph [name] { */
static bool is_dot(const char *p, const char *stop) {
    const char *next = after_word(p, stop, "strict");
    if (next) p = after_space(next, stop);
    next = after_word(p, stop, "digraph");
    if (!next) next = after_word(p, stop, "graph");
    if (!next) return false;
    p = after_space(next, stop);
    while (p < stop && (isalnum((unsigned char)*p) || *p == '_' || *p == '"' || *p == '-' || *p == '.')) p++;
    p = after_space(p, stop);
    return p < stop && *p == '{';
}

/* Does the word occur within the next `within` bytes, in any case? */
static bool has_word(const char *p, const char *stop, size_t within, const char *word) {
    size_t length = strlen(word);
    for (size_t i = 0; i < within && p + i + length <= stop; i++)
        if (!strncasecmp(p + i, word, length)) return true;
    return false;
}

static const char *line_after(const char *p, const char *stop) {
    const char *newline = p < stop ? memchr(p, '\n', (size_t)(stop - p)) : NULL;
    return newline ? newline + 1 : stop;
}

/* <subject> <predicate> object . */
static bool is_triple(const char *p, const char *stop) {
    const char *end = line_after(p, stop), *close = memchr(p, '>', (size_t)(end - p));
    if (*p != '<' || !close) return false;
    while (end > p && isspace((unsigned char)end[-1])) end--;
    const char *second = after_space(close + 1, end);
    return end[-1] == '.' && second < end && *second == '<';
}

/* key:, then an indented list, or - items; or such a text after ---. */
static bool is_yaml(const char *p, const char *stop) {
    const char *next = after_word(p, stop, "---");
    if (next) p = after_space(next, stop);
    const char *end = line_after(p, stop), *last = end;
    while (last > p && isspace((unsigned char)last[-1])) last--;
    if (last == p || last[-1] != ':' || memchr(p, ' ', (size_t)(last - p))) return false;
    const char *item = after_space(end, stop);
    return item < stop &&
           (item[0] == '-' ? item + 1 < stop && item[1] == ' ' : item > end && has_word(item, stop, 40, ":"));
}

/* "graph TD", or "flowchart LR", and arrows. */
static bool is_mermaid(const char *p, const char *stop) {
    const char *next = after_word(p, stop, "graph ");
    if (!next) next = after_word(p, stop, "flowchart ");
    if (!next) return false;
    static const char *const ways[] = {"TD", "TB", "LR", "RL", "BT"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (after_word(next, stop, ways[i]) && after_space(next + 2, stop) > next + 2) return true;
    return false;
}

/* Title and key in 80 columns, three numbers of lines, a type of three letters. */
static bool is_rutherford_boeing(const char *p, const char *stop) {
    const char *second = line_after(p, stop), *third = line_after(second, stop);
    if (stop - third < 16 || second - p < 70) return false;
    for (int i = 0; i < 3; i++)
        if (!isalpha((unsigned char)third[i])) return false;
    return strchr("rcipqRCIPQ", third[0]) && strchr("suhzrSUHZR", third[1]) && strchr("aeAE", third[2]) &&
           third[3] == ' ';
}

/* ((A:0.1,B:0.2):0.3,C:0.4); */
static bool is_newick(const char *p, const char *stop) {
    const char *last = stop;
    while (last > p && isspace((unsigned char)last[-1])) last--;
    return last - p > 4 && *p == '(' && last[-1] == ';' && memchr(p, ',', (size_t)(last - p)) &&
           memchr(p, ')', (size_t)(last - p));
}

/* Comments "c ...", then "p max 6 8" or another problem that Weft does not read. */
static bool is_other_dimacs(const char *p, const char *stop) {
    static const char *const kinds[] = {"max ", "min ", "cnf ", "wcnf ", "asn ", "mat ", "aux "};
    while (p + 1 < stop && *p == 'c' && isspace((unsigned char)p[1])) p = line_after(p, stop);
    const char *kind = after_word(p, stop, "p "), *end = line_after(p, stop);
    for (size_t i = 0; kind && i < sizeof kinds / sizeof *kinds; i++)
        if (after_word(kind, stop, kinds[i]) && end - kind > 5 &&
            isdigit((unsigned char)end[end[-1] == '\n' ? -2 : -1]))
            return true;
    return false;
}

/* Text formats that need more than their first word to be recognised. */
static const char *text_of(const char *p, const char *stop) {
    const char *dl = after_word(p, stop, "dl");
    if (dl && dl < stop && isspace((unsigned char)*dl) && has_word(dl, stop, 200, "n") && has_word(dl, stop, 200, "="))
        return "a UCINET file (DL), which Weft does not read: export it as Pajek, or save the matrix or the edges as "
               "csv";
    if (is_triple(p, stop)) return "N-Triples (RDF), " RDF;
    if (*p == '@' && (after_word(p, stop, "@nodes") || after_word(p, stop, "@arcs")))
        return "a LEMON file (LGF), which Weft does not read: save the arcs one per line";
    const char *dump = after_word(p, stop, "--");
    if (dump && has_word(dump, stop, 80, "database dump")) return SQL;
    if (is_mermaid(p, stop))
        return "a Mermaid diagram, which Weft does not read: write its edges one per line, as in u -> v";
    if (is_yaml(p, stop)) return "YAML, which Weft does not read: save it as JSON, or the edges as csv";
    if (is_newick(p, stop))
        return "a tree in Newick's format, which Weft does not read: save its edges, parent and child, as csv";
    if (is_other_dimacs(p, stop))
        return "a DIMACS file of a problem that Weft does not read (it reads sp, edge, col, tw and ds): save its arcs, "
               "u v weight a line";
    if (is_rutherford_boeing(p, stop))
        return "a Rutherford-Boeing or Harwell-Boeing matrix, which Weft does not read: save it as Matrix Market "
               "(mmwrite)";
    return NULL;
}

const char *wfi_foreign_json(const char *head, size_t bytes) {
    static const char *const marks[] = {"\"@type\":\"g:", "\"_outV\"", "\"_inV\"", "\"outE\":{", "\"outE\": {"};
    const char *stop = head + bytes, *p = after_space(head, stop), *end = line_after(p, stop);
    if (stop - p > 2 && p[0] == '[' && p[1] == '[' && !memchr(p, ',', (size_t)(end - p)))
        return "an array as NumPy prints it: numpy.savetxt(\"matrix.csv\", array, delimiter=\",\") saves a matrix that "
               "Weft reads";
    if (after_word(p, stop, "[{\"numberVerification\"") || after_word(p, stop, "[{\"CXVersion\""))
        return "a network in CX (NDEx, Cytoscape), which Weft does not read: in Cytoscape, export it as cyjs, GraphML "
               "or "
               "SIF";
    for (size_t i = 0; p < stop && *p == '{' && i < sizeof marks / sizeof *marks; i++)
        if (memmem(p, (size_t)(stop - p), marks[i], strlen(marks[i])))
            return "GraphSON (TinkerPop), which Weft does not read: save it as GraphML, g.io(\"graph.xml\").write()";
    return NULL;
}

/* "BZh", the level, the digits of pi. */
static bool is_bzip2(const char *p, size_t bytes) {
    return bytes >= 7 && !memcmp(p, "BZh", 3) && isdigit((unsigned char)p[3]) && !memcmp(p + 4, "1AY", 3);
}

/* Office files and others are zip archives, recognised by the names of their parts. */
static const char *zip_of(const char *head, size_t bytes) {
    if (bytes < 4 || memcmp(head, "PK\x03\x04", 4)) return NULL;
    if (memmem(head, bytes, "/data.pkl", 9))
        return "a PyTorch file (.pt), which Weft does not read: save edge_index as csv, numpy.savetxt(\"edges.csv\", "
               "edge_index.T, fmt=\"%d\", delimiter=\",\")";
    if (memmem(head, bytes, "opendocument.spreadsheet", 24)) return "a LibreOffice table (.ods): save it as CSV";
    if (memmem(head, bytes, "xl/", 3)) return "an Excel workbook (.xlsx): save the table as CSV";
    if (memmem(head, bytes, "[Content_Types].xml", 19))
        return "an Office document (Excel's .xlsx?): save the table as CSV";
    return "a zip archive: unpack it and name the file in it";
}

/* Protocols 2 to 5 begin with their number; protocol 0 is text and begins with (dp0 or (lp0 or a class. */
static bool is_pickle(const char *p, size_t bytes) {
    if (bytes > 4 && p[0] == '(' && (p[1] == 'd' || p[1] == 'l' || p[1] == 'i') && p[2] == 'p' &&
        isdigit((unsigned char)p[3]))
        return true;
    if (bytes > 20 && !memcmp(p, "ccopy_reg\n", 10)) return true;
    return bytes >= 3 && (unsigned char)p[0] == 0x80 && p[1] >= 2 && p[1] <= 5;
}

bool wfi_is_binary(const char *p, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)p[i] < '\t' || ((unsigned char)p[i] > '\r' && (unsigned char)p[i] < 0x1b)) return true;
    return false;
}

/* Every second byte is a NUL, and no other is: Latin letters and digits in UTF-16. */
static bool is_wide(const char *p, size_t bytes, size_t first_nul) {
    if (bytes < 6) return false;
    for (size_t i = 0; i + 1 < bytes && i < 1024; i++)
        if ((p[i] == 0) != (i % 2 == first_nul)) return false;
    return true;
}

static const char *other_encoding(const char *p, size_t bytes) {
    if (bytes >= 8 && !memcmp(p, "\0\0\xfe\xff\0\0\0", 7) && p[7])
        return "UTF-32, which Weft does not read: iconv -f UTF-32 -t UTF-8 FILE | weft info -";
    if (is_wide(p, bytes, 1))
        return "UTF-16 without its byte-order mark: iconv -f UTF-16LE -t UTF-8 FILE | weft info -";
    if (is_wide(p, bytes, 0))
        return "UTF-16 without its byte-order mark: iconv -f UTF-16BE -t UTF-8 FILE | weft info -";
    return NULL;
}

static const char *among(const sign *signs, size_t count, const char *head, size_t bytes) {
    for (size_t i = 0; i < count; i++)
        if (bytes >= signs[i].length && !memcmp(head, signs[i].start, signs[i].length)) return signs[i].meaning;
    return NULL;
}

const char *wfi_foreign(const char *head, size_t bytes) {
    const char *meaning = among(packed, sizeof packed / sizeof *packed, head, bytes);
    if (!meaning) meaning = zip_of(head, bytes);
    if (!meaning) meaning = other_encoding(head, bytes);
    if (!meaning && wfi_is_binary(head, bytes)) meaning = among(letters, sizeof letters / sizeof *letters, head, bytes);
    if (meaning) return meaning;
    if (is_pickle(head, bytes))
        return "a Python pickle, which Weft does not read: with NetworkX, write_edgelist(G, \"edges.txt\", data=False)";
    if (bytes >= 12 && !memcmp(head + 8, "DUCK", 4))
        return "a DuckDB database: COPY edges TO 'edges.csv' (HEADER) makes a file that Weft reads";
    if (is_bzip2(head, bytes))
        return "compressed with bzip2, which Weft cannot decompress: bunzip2 -c FILE | weft info -";
    if (bytes >= 262 && !memcmp(head + 257, "ustar", 5)) return "a tar archive: unpack it and name the file in it";
    const char *p = head, *stop = head + bytes;
    p = after_space(p, stop);
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        if (after_word(p, stop, text[i].start)) return text[i].meaning;
    const char *known = p < stop ? text_of(p, stop) : NULL;
    if (known) return known;
    if (is_dot(p, stop)) return "a DOT file, which Weft writes but does not read: save it as GML or as an edge list";
    return NULL;
}
