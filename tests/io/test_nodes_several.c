/* Several tables of vertices: their vertices and columns together, what they disagree about, what is counted. */
#include "attribute_text.h"
#include "weft/experimental.h"

typedef struct tables {
    const char *edges, *first, *second;
    const char *want; /* the attributes, or what the message says */
    const char *note;
    bool refused;
} tables;

static weft_status read_both(weft_ctx *ctx, const tables *t, weft_graph **g) {
    char folder[256], e[512], list[1200], path[512];
    const char *const text[] = {t->first, t->second};
    weft_read_params p = WEFT_READ_DEFAULTS;
    if (!make_temp(folder, sizeof folder)) return WEFT_EIO;
    snprintf(e, sizeof e, "%s/e.txt", folder);
    bool written = write_file(e, t->edges, strlen(t->edges));
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/n%d.csv", folder, i);
        written = written && write_file(path, text[i], strlen(text[i]));
    }
    snprintf(list, sizeof list, "%s/n0.csv\n%s/n1.csv:id", folder, folder);
    p.nodes = list;
    weft_status st = written ? weft_read(ctx, e, &p, g) : WEFT_EIO;
    remove_temp(folder);
    return st;
}

TEST(vertices_and_columns_of_all_tables) {
    static const tables cases[] = {
        {"1 2\n2 9\n", "id,name,age\n1,Ann,30\n2,Bob,\n3,Cy,7\n", "id,title,age\n9,Speed,\n2,,40\n",
         "name:text[Ann|Bob|Cy|-] age:i64[30|40|7|-] title:text[-|-|-|Speed]", NULL, false},
        {"a b\nb x\n", "id,name\na,Ann\nz,Zoe\n", "title,id\nSpeed,x\n,a\n",
         "name:text[Ann|-|-|Zoe] title:text[-|-|Speed|-]", "`nodes`: 1 of the vertices is only in the edges", false},
        {"1 2\n2 5\n", "id,n\n1,4\n7,4\n", "id,n\n1,4\n8,x\n", "n:text[4|-|-|4|x]",
         "`nodes`: 2 of the vertices are only in the edges", false},
        {"1 2\n", "1\n2\n", "id,n\n2,5\n", "n:i64[-|5]", NULL, false},
        {"1 2\n", "id,n\n1,4\n", "id,n\n2,3\n1,5\n",
         "n1.csv: column 'n' of vertex '1' is '5', and '4' in a table of vertices before", NULL, true},
        {"a b\n", "id,n\na,\nb,1\n", "id,n\nb,1.0\n", "column 'n' of vertex 'b' is '1.0', and '1' in", NULL, true},
        /* rows of one table: the first value holds, with a warning */
        {"a b\n", "id,n\na,1\na,2\n", "id,m\nb,1\nb,2\n", "n:i64[1|-] m:i64[-|1]",
         "n1.csv: 1 row has an id that a row before has", false},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        warnings said = {0};
        weft_graph *g = NULL;
        weft_ctx *ctx = new_ctx(2, &said);
        weft_ctx_set_note(ctx, note_warning, &said);
        weft_status st = read_both(ctx, &cases[i], &g);
        CHECK_U64(st, cases[i].refused ? WEFT_EINPUT : WEFT_OK);
        if (st) CHECK_HAS(weft_ctx_message(ctx), cases[i].want);
        if (!st) check_attributes(ctx, g, cases[i].want);
        if (cases[i].note) CHECK_HAS(said.text, cases[i].note);
        if (!cases[i].note && strstr(said.text, "only in the edges")) HARNESS_FAIL("case %zu: %s", i, said.text);
        weft_graph_free(g);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

TEST(a_file_may_have_a_newline_in_its_name) {
    char folder[256], name[512], e[512];
    weft_read_params p = WEFT_READ_DEFAULTS;
    weft_graph *g = NULL;
    weft_ctx *ctx = new_ctx(1, NULL);
    CHECK(make_temp(folder, sizeof folder));
    snprintf(name, sizeof name, "%s/a\nb.csv", folder);
    snprintf(e, sizeof e, "%s/e.txt", folder);
    CHECK(write_file(name, "id,n\n1,4\n", 9) && write_file(e, "1 2\n", 4));
    p.nodes = name;
    CHECK_U64(weft_read(ctx, e, &p, &g), WEFT_OK);
    if (g) check_attributes(ctx, g, "n:i64[4|-]");
    weft_graph_free(g);
    g = NULL;
    p.nodes = "\n";
    CHECK_U64(weft_read(ctx, e, &p, &g), WEFT_EINVAL);
    CHECK_HAS(weft_ctx_message(ctx), "the name of a table of vertices is empty");
    remove_temp(folder);
    weft_ctx_free(ctx);
}

TEST(every_allocation_may_fail) {
    static const tables both = {.edges = "a b\nb x\n", .first = "id,name\na,Ann\n", .second = "id,title\nx,Speed\n"};
    uint64_t calls = 1;
    for (uint64_t allowed = 0; allowed < calls; allowed++) {
        counting c = {.allowed = allowed};
        weft_graph *g = NULL;
        weft_ctx *ctx = new_ctx(1, NULL);
        weft_ctx_set_allocator(ctx, counting_alloc, counting_free, &c);
        weft_status st = read_both(ctx, &both, &g);
        CHECK(st == WEFT_ENOMEM || st == WEFT_OK);
        if (st) calls = allowed + 2;
        weft_graph_free(g);
        weft_ctx_free(ctx);
        CHECK_U64(c.live_blocks, 0);
    }
    CHECK(calls > 20);
}

TEST_MAIN()
