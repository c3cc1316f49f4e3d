/* Attributes of vertices: which types columns get, what each format says of them and keeps, what is lost and named. */
#include "attribute_text.h"
#include "weft/experimental.h"
#include "weft/subgraph.h"

typedef struct sample {
    const char *format, *text, *want;
    const char *note; /* a part of the notes, or NULL: there is none */
} sample;

#define GRAPHML(keys, nodes) "<graphml>" keys "<graph edgedefault='directed'>" nodes "</graph></graphml>"
#define KEY(id, name, type)  "<key id='" id "' for='node' attr.name='" name "' attr.type='" type "'/>"
#define GEXF(declared, nodes) \
    "<gexf><graph><attributes class='node'>" declared "</attributes><nodes>" nodes "</nodes></graph></gexf>"

static const sample samples[] = {
    /* GraphML: types as declared; a default stands for what a node lacks; an empty number is missing, a text is not */
    {"graphml",
     GRAPHML(
         KEY("a", "age", "int") KEY("b", "name", "string") KEY("c", "ok", "boolean") KEY("d", "x", "double"),
         "<node id='1'><data key='a'>7</data><data key='b'>Ann &amp; &#233;</data><data key='c'>true</data></node>"
         "<node id='2'><data key='b'/><data key='a'> </data><data key='d'>-1e-3</data><data key='c'>0</data></node>"),
     "age:i64[7|-] name:text[Ann & \xc3\xa9|] ok:bool[true|false] x:f64[-|-0.001]", NULL},
    {"graphml",
     GRAPHML("<key id='a' for='node' attr.name='n' attr.type='long'><default>5</default></key>",
             "<node id='1'/><node id='2'><data key='a'>9223372036854775807</data></node>"),
     "n:i64[5|9223372036854775807]", NULL},
    {"graphml", GRAPHML(KEY("a", "n", "int"), "<node id='1'><data key='a'>1.5</data></node>"), "n:f64[1.5]",
     "attribute 'n' of vertex '1' is '1.5', not a whole number as declared"},
    {"graphml", GRAPHML(KEY("a", "n", "int"), "<node id='1'><data key='a'>x</data></node>"), "n:text[x]",
     "not a whole number as declared"},
    {"graphml", GRAPHML(KEY("a", "x", "double"), "<node id='1'><data key='a'>NaN</data></node>"), "x:f64[nan]", NULL},
    /* NetworkX writes a key for each type of a name */
    {"graphml",
     GRAPHML(KEY("d0", "x", "long") KEY("d1", "x", "double"),
             "<node id='1'><data key='d0'>3</data></node><node id='2'><data key='d1'>0.5</data></node>"),
     "x:f64[3|0.5]", NULL},
    {"graphml", GRAPHML(KEY("a", "unused", "string"), "<node id='1'/>"), "", NULL},
    /* yEd: the words of a drawing's first label */
    {"graphml",
     GRAPHML(
         "<key id='d6' for='node' yfiles.type='nodegraphics'/>",
         "<node id='n0'><data key='d6'><y:ShapeNode><y:Geometry x='1'/><y:NodeLabel> Ann <y:LabelModel/></y:NodeLabel>"
         "<y:NodeLabel>two</y:NodeLabel></y:ShapeNode></data></node><node id='n1'/>"),
     "label:text[Ann|-]", NULL},
    {"graphml", GRAPHML(KEY("a", "odd", "string"), "<node id='1'><data key='a'><b>x</b></data></node>"), "",
     "passed over: node attributes odd"},

    /* GML: by notation; labels are attributes unless each is the id */
    {"gml", "graph [ node [ id 2 label \"Ann\" age 3 x 1.5 ] node [ label \"7\" id 1 age -4 ] ]",
     "label:text[7|Ann] age:i64[-4|3] x:f64[-|1.5]", NULL},
    {"gml", "graph [ node [ id 2 label \"2\" ] node [ id 1 label \"1\" ] ]", "", NULL},
    {"gml", "graph [ weftIds \"label\" node [ id 0 label \"b\" n 1 ] node [ id 1 label \"a\" ] ]", "n:i64[-|1]", NULL},
    {"gml", "graph [ node [ id 1 a \"AT&T\" b \"x&#233;&amp;y\" c NAN ] ]",
     "a:text[AT&T] b:text[x\xc3\xa9&y] c:f64[nan]", NULL},
    {"gml", "graph [ node [ id 1 a 1 graphics [ x 1 ] ] ]", "a:i64[1]",
     "passed over: lists among the attributes of nodes: graphics"},
    {"gml", "graph [ node [ id 1 a 1 ] node [ id 2 a \"x\" ] ]", "a:text[1|x]", NULL},

    /* GEXF */
    {"gexf",
     GEXF("<attribute id='0' title='born' type='integer'><default>1900</default></attribute>"
          "<attribute id='1' title='in' type='boolean'/>",
          "<node id='1' label='Ann'><attvalues><attvalue for='0' value='1990'/></attvalues></node>"
          "<node id='2' label='Bob'><attvalues><attvalue for='1' value='true'/></attvalues></node>"),
     "label:text[Ann|Bob] born:i64[1990|1900] in:bool[-|true]", NULL},
    /* labels beside an attribute of that name: a copy of it, or something else */
    {"gexf",
     GEXF("<attribute id='0' title='label' type='integer'/>",
          "<node id='1' label='7'><attvalues><attvalue for='0' value='7'/></attvalues></node><node id='2' label='2'/>"),
     "label:i64[7|-]", NULL},
    {"gexf",
     GEXF("<attribute id='0' title='label' type='integer'/>",
          "<node id='1' label='Ann'><attvalues><attvalue for='0' value='7'/></attvalues></node>"),
     "label:i64[7] node label:text[Ann]", NULL},
    {"gexf", GEXF("", "<node id='a' label='a'/><node id='b'/>"), "", NULL},
    {"gexf", GEXF("", "<node id='a'><viz:size value='2'/></node>"), "", "passed over: what Gephi draws by"},

    /* Pajek: labels that are not the ids */
    {"pajek", "*Vertices 3\n1 \"Ann\"\n2 \"Ann\"\n3\n*Arcs\n1 2\n", "label:text[Ann|Ann|-]",
     "not every vertex has a label"},
    {"pajek", "*Vertices 2\n1 \"a\"\n2 \"b\"\n*Arcs\n1 2\n", "", "identified by their labels"},

    /* JSON */
    {"json",
     "{\"nodes\":[{\"id\":1,\"name\":\"Ann\\u00e9\",\"age\":3,\"x\":1,\"ok\":true,\"none\":null},"
     "{\"id\":2,\"x\":2.5,\"tags\":[1,2]}],\"links\":[]}",
     "name:text[Ann\xc3\xa9|-] age:i64[3|-] x:f64[1|2.5] ok:bool[true|-]", "lists among the attributes of nodes: tags"},
    {"json",
     "{\"elements\":{\"nodes\":[{\"data\":{\"id\":\"a\",\"value\":\"a\",\"name\":\"a\",\"score\":0.5},\"position\":{"
     "\"x\":1}}],"
     "\"edges\":[]}}",
     "score:f64[0.5]", "position"},
    {"json", "{\"nodes\":[{\"id\":1,\"a\":1,\"attributes\":{\"a\":2}}],\"links\":[]}", "a:i64[1]",
     "passed over: second values among the attributes of nodes: a"},
    {"json", "{\"nodes\":[{\"id\":1}],\"links\":[{\"source\":1,\"target\":1,\"n\":2,\"tags\":[1]}]}", "",
     "passed over: attributes of edges (`keep` keeps them): n, tags"},
    {"gml", "graph [ node [ id 1 ] edge [ source 1 target 1 n 2 graphics [ x 1 ] ] ]", "",
     "passed over: attributes of edges (`keep` keeps them): n, graphics"},
};

TEST(formats_say_what_vertices_have) {
    for (size_t i = 0; i < LENGTH(samples); i++) {
        warnings notes = {0, ""};
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_graph *g = NULL;
        weft_read_params p = WEFT_READ_DEFAULTS;
        weft_ctx_set_note(ctx, note_warning, &notes);
        p.format = samples[i].format;
        if (weft_read_memory(ctx, samples[i].text, strlen(samples[i].text), "text", &p, &g))
            HARNESS_FAIL("sample %zu: %s", i, weft_ctx_message(ctx));
        check_attributes(ctx, g, samples[i].want);
        if (!samples[i].note && notes.count) HARNESS_FAIL("sample %zu: the notes are %s", i, notes.text);
        if (samples[i].note) CHECK_HAS(notes.text, samples[i].note);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

/* --- tables of vertices ------------------------------------------------------------------------------ */

/* The graph of `edges` with this table of vertices. */
static weft_graph *read_with_nodes(weft_ctx *ctx, const char *edges, const char *table) {
    char folder[256], e[512], n[512];
    weft_graph *g = NULL;
    weft_read_params p = WEFT_READ_DEFAULTS;
    if (!make_temp(folder, sizeof folder)) return NULL;
    snprintf(e, sizeof e, "%s/e.txt", folder);
    snprintf(n, sizeof n, "%s/n.csv", folder);
    p.nodes = n;
    if (write_file(e, edges, strlen(edges)) && write_file(n, table, strlen(table)) && weft_read(ctx, e, &p, &g))
        HARNESS_FAIL("%s: %s", table, weft_ctx_message(ctx));
    remove_temp(folder);
    return g;
}

/* The narrowest type that all cells of a column fit: i64, f64, bool, time, text. */
TEST(columns_of_a_table_get_the_narrowest_type) {
    static const struct {
        const char *cells[3], *want;
    } columns[] = {
        {{"1", "-2", ""}, "i64[1|-2|-]"},
        {{"1", "2.5", "1e3"}, "f64[1|2.5|1000]"},
        {{"007", "1", "2"}, "text[007|1|2]"},
        {{"9223372036854775808", "1", "2"}, "text[9223372036854775808|1|2]"},
        {{"9007199254740993", "0.5", "2"}, "text[9007199254740993|0.5|2]"},
        {{"true", "FALSE", ""}, "bool[true|false|-]"},
        {{"true", "1", ""}, "text[true|1|-]"},
        {{"2024-02-29", "1970-01-01", "0001-01-01"}, "time[2024-02-29|1970-01-01|0001-01-01]"},
        {{"2023-02-29", "", ""}, "text[2023-02-29|-|-]"},
        {{"2024-03-01T12:30", "2024-03-01 00:00:00.25", ""}, "time[2024-03-01T12:30:00|2024-03-01T00:00:00.250|-]"},
        {{"2024-03-01T12:30:00+02:00", "2024-03-01T00:00:00.000001Z", ""},
         "time[2024-03-01T10:30:00Z|2024-03-01T00:00:00.000001Z|-]"},
        {{"2024-03-01", "2024-03-01T12:30", ""}, "text[2024-03-01|2024-03-01T12:30|-]"},
        {{"nan", "1", ""}, "text[nan|1|-]"},
        {{"", "", ""}, "text[-|-|-]"},
        {{"\"a \"\"b\"\", c\"", "\"x\ny\"", "\xc3\xa9"}, "text[a \"b\", c|x\ny|\xc3\xa9]"},
        {{"\" a \"", " b ", "\"  \""}, "text[ a |b|  ]"}, /* blanks in quotes are data */
        {{"\"7\"", "\" 8\"", ""}, "text[7| 8|-]"},
    };
    for (size_t i = 0; i < LENGTH(columns); i++) {
        char table[512], want[256];
        weft_ctx *ctx = new_ctx(1, NULL);
        snprintf(table, sizeof table, "id,c\n1,%s\n2,%s\n3,%s\n", columns[i].cells[0], columns[i].cells[1],
                 columns[i].cells[2]);
        snprintf(want, sizeof want, "c:%s", columns[i].want);
        weft_graph *g = read_with_nodes(ctx, "1 2\n2 3\n", table);
        if (g) check_attributes(ctx, g, want);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

TEST(rows_go_to_their_vertices) {
    weft_ctx *ctx = new_ctx(3, NULL);
    /* not all vertices have a row, one has two; a title that comes twice is passed over */
    weft_graph *g =
        read_with_nodes(ctx, "bob cid\nann bob\n", "age,name,age,city\n4,cid,9,X\n3,ann,,\n5,ann,,Y\n,zoe,1,Z\n");
    if (g) check_attributes(ctx, g, "age:i64[3|-|4|-] city:text[Y|-|X|Z]");
    weft_graph_free(g);
    g = read_with_nodes(ctx, "10 -7\n10 12\n", "id;x\n12;1\n-7;2\n");
    if (g) check_attributes(ctx, g, "x:i64[2|-|1]");
    weft_graph_free(g);
    CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
    weft_ctx_free(ctx);
}

/* --- there and back ----------------------------------------------------------------------------------- */

#define PEOPLE                                                                                          \
    "name,age,score,member,born,note\nann,31,0.5,true,1990-01-02,\"a, \"\"b\"\"\"\nbob,,1e-7,false,,\n" \
    "cid,-5,,,2001-12-31,\xe6\x96\x87 <&>\n"
#define PEOPLE_TEXT                                                                                                   \
    "age:i64[31|-|-5] score:f64[0.5|1e-07|-] member:bool[true|false|-] born:time[1990-01-02|-|2001-12-31] note:text[" \
    "a, \"b\"|-|\xe6\x96\x87 <&>]"

/* Writes the graph to a file with that extension and reads it. */
static weft_graph *there_and_back(weft_ctx *ctx, const weft_graph *g, const char *extension) {
    char folder[256], path[512];
    weft_graph *again = NULL;
    if (!make_temp(folder, sizeof folder)) return NULL;
    snprintf(path, sizeof path, "%s/g.%s", folder, extension);
    if (weft_write(ctx, g, path, NULL) || weft_read(ctx, path, NULL, &again))
        HARNESS_FAIL("%s: %s", extension, weft_ctx_message(ctx));
    remove_temp(folder);
    return again;
}

TEST(what_is_written_comes_back_or_the_loss_is_named) {
#define WITH(born, member, note)                                                                                       \
    "age:i64[31|-|-5] score:f64[0.5|1e-07|-] member:" member " born:" born "[1990-01-02|-|2001-12-31] note:text[" note \
    "]"
#define NOTE  "a, \"b\"|-|\xe6\x96\x87 <&>"
#define TRUTH "bool[true|false|-]"
    static const struct {
        const char *extension, *want, *warning;
    } formats[] = {
        {"weft", PEOPLE_TEXT, NULL},
        {"weft.gz", PEOPLE_TEXT, NULL},
        {"graphml", WITH("text", TRUTH, NOTE), "graphml has no type for times, which are written as text: born"},
        {"gexf", WITH("text", TRUTH, NOTE), "gexf has no type for times, which are written as text: born"},
        {"json", WITH("text", TRUTH, NOTE), "json has no type for times, which are written as text: born"},
        {"cyjs", WITH("text", TRUTH, NOTE), "cyjs has no type for times, which are written as text: born"},
        {"gml", WITH("text", "i64[1|0|-]", NOTE), "gml has no type for true and false"},
        {"mtx", "", "mtx does not store attributes of vertices: age, score, member, born, note"},
        {"csv", "", "csv does not store attributes of vertices: age"}};
    for (size_t i = 0; i < LENGTH(formats); i++) {
        warnings w = {0, ""};
        weft_ctx *ctx = new_ctx(1, &w);
        weft_graph *g = read_with_nodes(ctx, "ann bob\nbob cid\n", PEOPLE), *again = NULL;
        int equal = 0;
        if (g) check_attributes(ctx, g, PEOPLE_TEXT);
        if (g) again = there_and_back(ctx, g, formats[i].extension);
        if (again) check_attributes(ctx, again, formats[i].want);
        if (again) CHECK(!weft_graph_compare(ctx, g, again, &equal) && equal);
        if (formats[i].warning) CHECK_HAS(w.text, formats[i].warning);
        if (!formats[i].warning) CHECK_I64(w.count, 0);
        weft_graph_free(again);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

/* Names that a format has for something else, or cannot write, change, and a warning says so; the file has what they were. */
TEST(names_that_do_not_fit_are_changed) {
    static const struct {
        const char *extension, *want, *warning;
    } formats[] = {{"gml", "id:i64[1|2] Modularity Class:i64[3|4] 2:i64[5|6] Modularity_Class:i64[7|8]",
                    "gml: attribute 'Modularity Class' is written as Modularity_Class"},
                   {"json", "id:i64[1|2] Modularity Class:i64[3|4] 2:i64[5|6] Modularity_Class:i64[7|8]",
                    "json: attribute 'id' is written as id_"},
                   {"graphml", "id:i64[1|2] Modularity Class:i64[3|4] 2:i64[5|6] Modularity_Class:i64[7|8]", NULL}};
    for (size_t i = 0; i < LENGTH(formats); i++) {
        warnings w = {0, ""};
        weft_ctx *ctx = new_ctx(1, &w);
        weft_graph *g = read_with_nodes(ctx, "a b\n",
                                        ":ID,id,Modularity Class,2,Modularity_Class\na,1,3,5,7\nb,2,4,6,8\n"),
                   *again = g ? there_and_back(ctx, g, formats[i].extension) : NULL;
        if (again) check_attributes(ctx, again, formats[i].want);
        if (formats[i].warning) CHECK_HAS(w.text, formats[i].warning);
        weft_graph_free(again);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* Whatever is called label, of all vertices or some, comes back from formats that have labels, by its type. */
TEST(ids_and_labels_are_kept_apart) {
    static const char *const columns[][2] = {{"Ann\n2,Bob\n3,Cid", "label:text[Ann|Bob|Cid]"},
                                             {"Ann\n3,Cid", "label:text[Ann|-|Cid]"},
                                             {"Ann\n2,Ann", "label:text[Ann|Ann|-]"},
                                             {"7\n2,8", "label:i64[7|8|-]"},
                                             {"1\n2,2\n3,3", "label:i64[1|2|3]"},
                                             {"0.5\n3,2", "label:f64[0.5|-|2]"},
                                             {"2\n3,2", "label:i64[2|-|2]"}};
    static const char *const formats[] = {"gml", "gexf", "graphml", "json", "cyjs"};
    for (size_t i = 0; i < LENGTH(columns); i++) {
        char table[128];
        weft_ctx *ctx = new_ctx(1, NULL);
        snprintf(table, sizeof table, "id,label\n1,%s\n", columns[i][0]);
        weft_graph *g = read_with_nodes(ctx, "1 2\n2 3\n", table);
        for (size_t k = 0; g && k < LENGTH(formats); k++) {
            weft_graph *again = there_and_back(ctx, g, formats[k]);
            if (again) check_attributes(ctx, again, columns[i][1]);
            weft_graph_free(again);
        }
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

/* The file's text, to be freed. */
static char *written_as(weft_ctx *ctx, const weft_graph *g, const char *extension) {
    char folder[256], path[512], *text = NULL;
    size_t bytes;
    if (!make_temp(folder, sizeof folder)) return NULL;
    snprintf(path, sizeof path, "%s/g.%s", folder, extension);
    if (!weft_write(ctx, g, path, NULL)) text = read_file(path, &bytes);
    remove_temp(folder);
    return text;
}

TEST(what_gephi_cannot_draw_by_stays_an_attribute) {
    static const char *const tables[][3] = {
        {"id,viz:color\na,#00ff00\nb,\n", "<viz:color r=\"0\" g=\"255\" b=\"0\"/>", NULL},
        {"id,viz:color\na,red\nb,#00ff00\n", "value=\"red\"", "'red' is no colour such as #0072b2"},
        {"id,viz:x,viz:y\na,0.5,1.5\nb,2.5,3.5\n", "<viz:position x=\"2.5\" y=\"3.5\" z=\"0\"/>", NULL},
        {"id,viz:x,viz:y\na,0.5,1.5\nb,2.5,\n", "<attvalue for=\"0\" value=\"2.5\"/>", NULL}};
    for (size_t i = 0; i < LENGTH(tables); i++) {
        warnings w = {0, ""};
        weft_ctx *ctx = new_ctx(1, &w);
        weft_graph *g = read_with_nodes(ctx, "a b\n", tables[i][0]);
        char *text = g ? written_as(ctx, g, "gexf") : NULL;
        REQUIRE(text != NULL);
        CHECK_HAS(text, tables[i][1]);
        CHECK_I64(w.count, tables[i][2] != NULL);
        if (tables[i][2]) CHECK_HAS(w.text, tables[i][2]);
        free(text);
        weft_graph_free(g);
        weft_ctx_free(ctx);
    }
}

TEST(text_that_a_format_cannot_hold_is_refused) {
    weft_ctx *ctx = new_ctx(1, NULL);
    char folder[256], path[512];
    weft_graph *g = read_with_nodes(ctx, "a b\n", "name,x\na,\x01 bell\nb,\n");
    REQUIRE(g && make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/g.graphml", folder);
    CHECK_U64(weft_write(ctx, g, path, NULL), WEFT_EUNSUPPORTED);
    CHECK_HAS(weft_ctx_message(ctx), "graphml cannot hold the attribute value '\\x01 bell': its byte 1 (0x01)");
    CHECK(access(path, F_OK) != 0);
    remove_temp(folder);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- failures ------------------------------------------------------------------------------------------- */

/* Each allocation in turn fails: the reading does, and leaves nothing. */
TEST(every_allocation_may_fail) {
    static const char text[] = GRAPHML(
        KEY("a", "age", "int") "<key id='b' for='node' attr.name='name' attr.type='string'><default>x</default></key>",
        "<node id='a'><data key='a'>7</data></node><node id='b'><data key='b'>Ann</data></node>"
        "<edge source='a' target='b'/>");
    uint64_t calls = 1;
    for (uint64_t allowed = 0; allowed < calls; allowed++) {
        counting c = {.allowed = allowed ? allowed - 1 : COUNT_ONLY};
        weft_ctx *ctx = NULL;
        weft_graph *g = NULL, *part = NULL, *more = NULL;
        REQUIRE(weft_ctx_new(&ctx) == WEFT_OK);
        weft_ctx_set_threads(ctx, 1);
        weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &c);
        weft_read_params p = WEFT_READ_DEFAULTS;
        weft_subgraph_params s = WEFT_SUBGRAPH_DEFAULTS;
        const weft_vid both[] = {0, 1};
        double x[] = {1, 2};
        weft_attribute a = WEFT_ATTRIBUTE_DEFAULTS;
        const weft_attribute *list[] = {&a};
        a.name = "x", a.type = WEFT_ATTRIBUTE_REAL, a.count = 2, a.values = x;
        p.format = "graphml";
        s.vertices = both, s.vertex_count = 2;
        weft_status st = weft_read_memory(ctx, text, sizeof text - 1, "text", &p, &g);
        if (!st) st = weft_subgraph(ctx, g, &s, &part, NULL);
        if (!st) st = weft_graph_with_attributes(ctx, part, list, 1, &more);
        if (allowed) {
            CHECK_U64(st, WEFT_ENOMEM);
        } else {
            CHECK_U64(st, WEFT_OK);
            check_attributes(ctx, more, "age:i64[7|-] name:text[x|Ann] x:f64[1|2]");
            calls = c.calls + 1;
        }
        weft_graph_free(g);
        weft_graph_free(part);
        weft_graph_free(more);
        weft_ctx_free(ctx);
        CHECK_U64(c.live_blocks, 0);
    }
    CHECK(calls > 40);
}

TEST_MAIN()
