/* A table of vertices beside the edges: which column it is, header or not, ids of both kinds, what is refused where. */
#include "support.h"

#define NUMBERS "1 2\n2 5\n"
#define NAMES   "ann bob\nbob cid\n"
#define HASHES  "source,target\n#a,#b\n"
#define MARK    "\xef\xbb\xbf"

typedef struct sample {
    const char *edges, *file, *table, *column; /* column: "" or ":NAME" */
    const char *want;                          /* the graph, or NULL: refused ... */
    const char *part;                          /* ... with these words; else a part of the notes, or NULL */
} sample;

static const sample samples[] = {
    /* numbers */
    {NUMBERS, "n.csv", "Id,Label\n1,\"x, y\"\n2,b\n3,c\n", "", "directed none [1 2 3 5] 1>2 2>5",
     "vertices by column Id"},
    {NUMBERS, "n.csv", "Label;Id\nx;7\ny;1\n", "", "directed none [1 2 5 7] 1>2 2>5",
     "2 of the vertices are only in the edges"},
    {NUMBERS, "n.tsv", "name\tnode_id\tage\nx\t1\t3\ny\t2\t3\nz\t5\t4\n", "", "directed none [1 2 5] 1>2 2>5",
     "by column node_id"},
    {NUMBERS, "n.csv", "personId:ID(Person),name\n9,\"two\nlines\"\n8,x\n", "", "directed none [1 2 5 8 9] 1>2 2>5",
     "personId:ID(Person)"},
    {NUMBERS, "n.csv", "id:ID,born:int,:LABEL\n9,1,A\n", "", "directed none [1 2 5 9] 1>2 2>5", "id:ID"},
    {NUMBERS, "n.csv", ":ID,id\n9,3\n", "", "directed none [1 2 5 9] 1>2 2>5", "by column :ID"},
    {NUMBERS, "n.txt", "1\n2\n\n3\n-4", "", "directed none [-4 1 2 3 5] 1>2 2>5",
     "1 of the vertices is only in the edges"},
    {NUMBERS, "n.txt", "number\n1\n3\n", "", "directed none [1 2 3 5] 1>2 2>5", NULL},
    {NUMBERS, "n.csv",
     "\xef\xbb\xbf"
     "Id;Label\r\n3;x\r\n",
     "", "directed none [1 2 3 5] 1>2 2>5", NULL},
    {NUMBERS, "n.csv", "\"id\",\"label\"\n\"3\",\"x\"\n", "", "directed none [1 2 3 5] 1>2 2>5", NULL},
    {NUMBERS, "n.txt", "# all\n3\n# more\n4\n", "", "directed none [1 2 3 4 5] 1>2 2>5",
     "passed over 1 line with # or % at the start"},
    {NUMBERS, "n.txt", "1 ann\n7 bob\n", ":1", "directed none [1 2 5 7] 1>2 2>5", NULL},
    {NUMBERS, "n.csv", "a,b\n1,7\n2,8\n", ":b", "directed none [1 2 5 7 8] 1>2 2>5", "by column b"},
    {NUMBERS, "n.csv", "a,b\n1,7\n2,8\n", ":2", "directed none [1 2 5 7 8] 1>2 2>5", "by column b"},
    {NUMBERS, "n.csv", "a,B\n1,7\n2,8\n", ":b", "directed none [1 2 5 7 8] 1>2 2>5", "by column B"},
    {NUMBERS, "n.csv", "", "", "directed none [1 2 5] 1>2 2>5", NULL},
    {"", "n.csv", "id\n4\n2\n", "", "directed none [2 4]", NULL},

    /* names */
    {NAMES, "n.csv", "name,age\ndon,3\nann,4\n", "", "directed none [ann bob cid don] ann>bob bob>cid",
     "by column name"},
    {NAMES, "n.csv", "Id,name\n\"d \"\"x\"\"\",3\n", "", "directed none [ann bob cid d \"x\"] ann>bob bob>cid", NULL},
    {NAMES, "n.txt", "bob\nzoe\n", "", "directed none [ann bob cid zoe] ann>bob bob>cid", NULL},
    {NAMES, "n.txt", "person\nzoe\n", ":person", "directed none [ann bob cid zoe] ann>bob bob>cid", NULL},
    {NAMES, "n.txt", "yan\nzoe\n", ":1", "directed none [ann bob cid yan zoe] ann>bob bob>cid", NULL},
    {NAMES, "n.csv", "Ann Lee\nbob\n", ":1", "directed none [Ann Lee ann bob cid] ann>bob bob>cid", NULL},
    {NAMES, "n.txt", "zoe\n", "", "directed none [ann bob cid zoe] ann>bob bob>cid", NULL},

    /* below a header, lines that begin with # are rows where they can be, as in tables of edges */
    {HASHES, "n.csv", "id,label\n#a,x\n#z,y\n# more\n", "", "directed none [#a #b #z] #a>#b", "passed over 1 line"},
    {HASHES, "n.csv", "label,id\n# x,#a\n#y,#z\n", "", "directed none [#a #b #z] #a>#b", NULL},
    {HASHES, "n.csv", "id,label\n#a,x\n# b,y\n", "", NULL, "n.csv:3:1: a line that begins with #"},
    {HASHES, "n.csv", "#z\n#a\nbob\n", "", NULL,
     "n.csv:2:1: a line that begins with #: a vertex, or a comment?  `comm"},
    {NUMBERS, "n.csv", "id,label\n#3,x\n4,y\n", "", "directed none [1 2 4 5] 1>2 2>5", "passed over 1 line"},
    {NAMES, "n.csv", "# all\nid,label\nzoe,x\n#yan,y\n", "", "directed none [#yan ann bob cid zoe] ann>bob bob>cid",
     NULL},

    /* values that are missing, and names that only look so */
    {NAMES, "n.csv", "id,age\nzoe,\\N\n\"\\N\",3\n\"#N/A\",4\n", "",
     "directed none [#N/A \\N ann bob cid zoe] ann>bob bob>cid", NULL},
    {NAMES, "n.csv", "id,age\nzoe,1\n\\N,3\n", "", NULL, "n.csv:3:1: '\\N' stands for a missing value"},
    {NAMES, "n.csv", "id,age\nzoe,1\n#N/A,3\n", "", NULL, "n.csv:3:1: '#N/A' stands for a missing value"},

    /* decimal commas */
    {NUMBERS, "n.csv", "id;qty;amount\n1;1.234;0,5\n2;3;7\n", "", NULL,
     "n.csv:2:3: a number with a point, where other"},
    {NUMBERS, "n.csv", "id;qty;amount\n1;1.5;0,5\n2;3;7\n", "", "directed none [1 2 5] 1>2 2>5", NULL},
    {NUMBERS, "n.csv", "id;qty;note\n1;1.234;a\n2;3;0,5\n", "", "directed none [1 2 5] 1>2 2>5", NULL},

    /* several files, one after the other */
    {NAMES, "n.csv", "id,name\nzoe,Z\nid,title\nup,U\n", "", NULL, "n.csv:3:1: the header again"},
    {NUMBERS, "n.csv", "id,name\n3,Z\nid,title\n4,U\n", "", NULL, "n.csv:3:1: the header again"},
    {NAMES, "n.csv", "id,name\nzoe,Z\n\"id\",I\n", "", "directed none [ann bob cid id zoe] ann>bob bob>cid", NULL},
    {"ann id\n", "n.csv", "id,name\nann,A\nid,I\n", "", "directed none [ann id] ann>id", NULL},
    {NAMES, "n.csv", MARK "id,name\nzoe,Z\n" MARK "yan,Y\n", "", NULL, "n.csv:3:1: a byte-order mark (U+FEFF)"},
    {NAMES, "n.csv", MARK MARK "id,name\nzoe,Z\n", "", NULL, "n.csv:1:1: a byte-order mark (U+FEFF)"},

    /* refused */
    {NAMES, "n.txt", "person\nzoe\n", "", NULL, "n.txt:1:1: is 'person' the name of the column, or a vertex?"},
    {NUMBERS, "n.csv", "alpha,beta\n1,2\n", "", NULL, "n.csv:1:1: no column name identifies the ids"},
    {NUMBERS, "n.csv", "alpha,beta\n1,2\n", "", NULL, "1 alpha: 1, 2 beta: 2"},
    {NUMBERS, "n.csv", "1,2\n3,4\n", "", NULL, "`nodes="},
    {NUMBERS, "n.csv", "id,node_id\n1,2\n", "", NULL, "several columns could be the ids"},
    {NUMBERS, "n.csv", "a,b\n1,2\n", ":c", NULL, "n.csv:1:1: there is no column c"},
    {NUMBERS, "n.csv", "a,b\n1,2\n", ":3", NULL, "n.csv:1:1: there is no column 3"},
    {NUMBERS, "n.csv", "a,b\n1,2\n", ":", NULL, "the column after the colon is empty"},
    {NUMBERS, "n.csv", "Id,x\n1,2\nzoe,2\n", "", NULL,
     "n.csv:3:1: the ids of the edges are whole numbers, but this is 'zoe'"},
    {NUMBERS, "n.csv", "Id,x\n1.5,2\n", "", NULL, "n.csv:2:1: the ids of the edges are whole numbers"},
    {NUMBERS, "n.csv", "Id\n9223372036854775808\n", "", NULL, "n.csv:2:1: the id does not fit in 64 bits"},
    {NUMBERS, "n.csv", "x,Id\n1,2\n5\n", "", NULL, "n.csv:3:2: there is no id in column 2"},
    {NUMBERS, "n.csv", "x,Id\n1,2\n5,\n", "", NULL, "n.csv:3:3: there is no id in column 2"},
    {NUMBERS, "n.csv", "Id,x\n1,2\n\"5,4\n", "", NULL, "n.csv:3:1: the quote is not closed"},
    {NUMBERS, "n.csv", "Id,x\n\"5\"6,4\n", "", NULL, "n.csv:2:4: expected a separator after the closing quote"},
    {NUMBERS, "n.csv", "PK\x03\x04", "", NULL, "n.csv:1:1: a table of vertices is text"},
};

static void check_sample(const sample *s, int number, int threads) {
    char folder[256], edges[512], table[512], spec[600], text[512];
    warnings notes = {0, ""};
    weft_ctx *ctx = new_ctx(threads, NULL);
    weft_graph *g = NULL;
    weft_read_params p = WEFT_READ_DEFAULTS;
    weft_ctx_set_note(ctx, note_warning, &notes);
    REQUIRE(make_temp(folder, sizeof folder));
    snprintf(edges, sizeof edges, "%s/e.txt", folder);
    snprintf(table, sizeof table, "%s/%s", folder, s->file);
    snprintf(spec, sizeof spec, "%s%s", table, s->column);
    REQUIRE(write_file(edges, s->edges, strlen(s->edges)) && write_file(table, s->table, strlen(s->table)));
    p.nodes = spec;
    weft_status st = weft_read(ctx, edges, &p, &g);
    const char *message = weft_ctx_message(ctx);
    if (s->want && st) HARNESS_FAIL("sample %d: %s", number, message);
    if (!s->want && (!st || !strstr(message, s->part)))
        HARNESS_FAIL("sample %d: status %d, \"%s\", expected \"... %s ...\"", number, (int)st, message, s->part);
    if (s->want && g && strcmp(graph_text(g, text, sizeof text), s->want))
        HARNESS_FAIL("sample %d: read as \"%s\", expected \"%s\"", number, text, s->want);
    if (s->want && s->part && !strstr(notes.text, s->part))
        HARNESS_FAIL("sample %d: the notes are %s", number, notes.text);
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST(tables_of_vertices) {
    for (size_t i = 0; i < LENGTH(samples); i++) {
        check_sample(&samples[i], (int)i, 1);
        check_sample(&samples[i], (int)i, 3);
    }
}

/* Reads NUMBERS (or `edges`) with the table of vertices `table`, in a file called `name`. */
static weft_status read_with(weft_ctx *ctx, const char *edges, const char *name, const char *table,
                             const char *spec_end, weft_read_params p, weft_graph **g) {
    char folder[256], path[512], spec[600];
    *g = NULL;
    if (!make_temp(folder, sizeof folder)) return WEFT_EIO;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(spec, sizeof spec, "%s/%s", folder, spec_end);
    p.nodes = spec;
    weft_status st = write_file(path, table, strlen(table)) ? WEFT_OK : WEFT_EIO;
    if (!st) st = weft_read_memory(ctx, edges, strlen(edges), "edges", &p, g);
    remove_temp(folder);
    return st;
}

TEST(decimal_signs_hold_for_attributes) {
    static const char table[] = "id;qty;amount\n1;1.234;0,5\n2;2.000;12,25\n5;3;x\n";
    static const struct {
        char sign;
        double qty;
    } cases[] = {{',', 1234}, {'.', 1.234}};
    for (size_t i = 0; i < LENGTH(cases); i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = NULL;
        weft_read_params p = WEFT_READ_DEFAULTS;
        weft_attribute a = WEFT_ATTRIBUTE_DEFAULTS;
        p.decimal = cases[i].sign;
        CHECK_U64(read_with(ctx, NUMBERS, "n.csv", table, "n.csv", p, &g), WEFT_OK);
        if (g && weft_graph_attribute(ctx, g, "qty", &a) == WEFT_OK) {
            CHECK_U64(a.type, cases[i].sign == ',' ? WEFT_ATTRIBUTE_WHOLE : WEFT_ATTRIBUTE_REAL);
            double first =
                a.type == WEFT_ATTRIBUTE_WHOLE ? (double)((const int64_t *)a.values)[0] : ((const double *)a.values)[0];
            CHECK(first == cases[i].qty);
        } else {
            HARNESS_FAIL("%s", weft_ctx_message(ctx));
        }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* The caller's word on lines that begin with # holds for both tables of a command. */
TEST(comments_hold_for_vertices_and_edges) {
    static const struct {
        weft_comment_use use;
        const char *want;
    } cases[] = {{WEFT_COMMENTS_YES, "directed none [b c] b>c"},
                 {WEFT_COMMENTS_NO, "directed none [# x #a #z b c] #a>b b>c"}};
    for (size_t i = 0; i < LENGTH(cases); i++) {
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = NULL;
        weft_read_params p = WEFT_READ_DEFAULTS;
        char text[256];
        p.comments = cases[i].use;
        CHECK_U64(read_with(ctx, "source,target\n#a,b\nb,c\n", "n.csv", "id,l\n#z,1\n# x,2\nb,3\n", "n.csv", p, &g),
                  WEFT_OK);
        if (g) CHECK_TEXT(graph_text(g, text, sizeof text), cases[i].want);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(a_file_with_a_colon_in_its_name_is_a_file) {
    char text[256];
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g;
    REQUIRE(!read_with(ctx, NUMBERS, "a:b", "3\n", "a:b", reading(NULL), &g));
    CHECK_TEXT(graph_text(g, text, sizeof text), "directed none [1 2 3 5] 1>2 2>5");
    weft_graph_free(g);
    REQUIRE(!read_with(ctx, NUMBERS, "a:b", "x,y\n3,4\n", "a:b:y", reading(NULL), &g));
    CHECK_TEXT(graph_text(g, text, sizeof text), "directed none [1 2 4 5] 1>2 2>5");
    weft_graph_free(g);
    CHECK_U64(read_with(ctx, NUMBERS, "a", "3\n", "b:c", reading(NULL), &g), WEFT_EIO);
    CHECK_HAS(weft_ctx_message(ctx), "/b: cannot open");
    weft_ctx_free(ctx);
}

TEST(vertices_that_are_numbered_already_hold_the_table_to_them) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g;
    weft_read_params p = reading(NULL);
    p.vertices = 10;
    REQUIRE(!read_with(ctx, NUMBERS, "n", "9\n", "n", p, &g));
    CHECK_U64(weft_graph_vertices(g), 10);
    weft_graph_free(g);
    CHECK_U64(read_with(ctx, NUMBERS, "n", "3\n10\n", "n", p, &g), WEFT_EINPUT);
    CHECK_HAS(weft_ctx_message(ctx), "n:2:1: id 10: with `vertices`, there are 10 ids from 0 on");
    weft_ctx_free(ctx);
}

TEST(ids_listed_twice_are_counted_and_the_first_is_shown) {
    static const struct {
        const char *edges, *table, *said;
    } cases[] = {
        {NUMBERS, "9\n9\n1\n9\n", "2 rows have an id that a row before has, the first in lines 1 and 2\n"},
        {NUMBERS, "3\n# x\n4\n\n4\n3\n", "2 rows have an id that a row before has, the first in lines 1 and 6\n"},
        {NUMBERS, "id,x\n-3,1\n-3,1", "in lines 2 and 3; of the other columns the first value of a vertex counts\n"},
        {NAMES, "name,x\nzoe,1\nann,\"a\nb\"\nyan,2\nann,3\nzoe,4\n",
         "2 rows have an id that a row before has, the first in lines 3 and 6; of the other"},
        {NAMES, "ann\nann\n", "1 row has an id that a row before has, the first in lines 1 and 2\n"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        warnings w = {0, ""};
        weft_ctx *ctx = new_ctx(1, &w);
        weft_graph *g;
        REQUIRE(!read_with(ctx, cases[i].edges, "n", cases[i].table, "n", reading(NULL), &g));
        CHECK_HAS(w.text, cases[i].said);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

TEST(numbers_become_names_on_demand) {
    char text[256];
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g;
    weft_read_params p = reading(NULL);
    p.ids = WEFT_READ_IDS_STRING;
    REQUIRE(!read_with(ctx, NUMBERS, "n", "2\nzoe\n", "n", p, &g));
    CHECK_TEXT(graph_text(g, text, sizeof text), "directed none [1 2 5 zoe] 1>2 2>5");
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

TEST(formats_that_declare_their_vertices_take_no_table) {
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    CHECK_U64(read_with(ctx, "graph [ node [ id 1 ] ]", "n", "1\n", "n", reading("gml"), &g), WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "`nodes` goes with tables of edges; a file of format gml says itself");
    weft_ctx_free(ctx);
}

TEST_MAIN()
