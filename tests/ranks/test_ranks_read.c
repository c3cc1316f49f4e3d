/* Text files that ranks read together, each its part: the graph of one process, to the byte, on 1 to 16 virtual ranks,
 * wherever lines begin and end; and its errors, of which all ranks tell the first in the file. */
#include "difference.h"
#include "variants.h"
#include "virtual_ranks.h"

#include "graph/ranks/share.h"
#include "weft/hits.h"
#include "weft/pagerank.h"

#include <inttypes.h>

static const int rank_counts[] = {1, 2, 3, 5, 8, 16};

typedef struct reading_together {
    const char *path;
    const weft_read_params *params;
    const weft_graph *expected; /* NULL: it is refused ... */
    weft_status status;         /* ... with this ... */
    const char *message;        /* ... and this */
    uint64_t memory_limit;      /* of the last rank; 0: none */
    char trouble[512];
    uint64_t held[MOST_RANKS]; /* arcs */
    _Atomic int warned;
} reading_together;

#define TROUBLE(r, ...) snprintf((r)->trouble, sizeof(r)->trouble, __VA_ARGS__)

static void compare_facts(reading_together *r, const weft_graph *g) {
    const weft_graph *e = r->expected;
    const uint64_t fact[][2] = {{g->n, e->n},
                                {g->arcs, e->arcs},
                                {g->edges, e->edges},
                                {g->directed, e->directed},
                                {g->direction_from, e->direction_from},
                                {g->direction_doubt, e->direction_doubt},
                                {g->weight_type, e->weight_type},
                                {g->records, e->records},
                                {g->self_loops, e->self_loops},
                                {g->self_loops_dropped, e->self_loops_dropped},
                                {g->duplicates_dropped, e->duplicates_dropped},
                                {g->ids.kind, e->ids.kind},
                                {(uint64_t)g->ids.base, (uint64_t)e->ids.base},
                                {!g->ids.by_id, !e->ids.by_id}};
    for (size_t i = 0; i < LENGTH(fact); i++)
        if (fact[i][0] != fact[i][1])
            TROUBLE(r, "fact %zu is %" PRIu64 ", expected %" PRIu64, i, fact[i][0], fact[i][1]);
    if (!g->ambiguous != !e->ambiguous || (g->ambiguous && strcmp(g->ambiguous->words, e->ambiguous->words)))
        TROUBLE(r, "of parallel weights it says %s", g->ambiguous ? g->ambiguous->words : "nothing");
    if (strcmp(g->format, e->format)) TROUBLE(r, "the format is %s", g->format);
}

static void compare_ids(reading_together *r, const weft_graph *g) {
    for (weft_vid v = 0; v < g->n; v++) {
        char mine[128], theirs[128];
        weft_graph_id_text(g, v, mine, sizeof mine);
        weft_graph_id_text(r->expected, v, theirs, sizeof theirs);
        if (strcmp(mine, theirs)) TROUBLE(r, "vertex %u is called %s, expected %s", v, mine, theirs);
    }
}

/* Owned rows lie where they lie in the whole graph. */
static void compare_rows(reading_together *r, const weft_graph *g) {
    const weft_graph *e = r->expected;
    wfi_range mine = g->share->owned;
    size_t each = wfi_weight_bytes(g->weight_type);
    if (mine.first >= mine.end) return;
    weft_eid from = e->out.offsets[mine.first], to = e->out.offsets[mine.end];
    if (memcmp(g->out.offsets + mine.first, e->out.offsets + mine.first,
               (mine.end - mine.first + 1) * sizeof(weft_eid)))
        TROUBLE(r, "offsets of the rows %u to %u differ", mine.first, mine.end);
    else if (memcmp(g->out.targets + from, e->out.targets + from, (to - from) * sizeof(weft_vid)))
        TROUBLE(r, "targets of the rows %u to %u differ", mine.first, mine.end);
    else if (each &&
             memcmp((char *)g->out.weights + from * each, (char *)e->out.weights + from * each, (to - from) * each))
        TROUBLE(r, "weights of the rows %u to %u differ", mine.first, mine.end);
}

static void compare_owned(reading_together *r, const weft_graph *g, const wfi_comm *comm) {
    const struct wfi_share *s = g->share;
    bool ascend = s->cut[0] == 0 && s->cut[comm->link.size] == g->n;
    for (int k = 0; k < comm->link.size; k++) ascend = ascend && s->cut[k] <= s->cut[k + 1];
    if (!ascend) TROUBLE(r, "owned rows are not all of the vertices");
    r->held[comm->link.rank] =
        s->owned.first < s->owned.end ? g->out.offsets[s->owned.end] - g->out.offsets[s->owned.first] : 0;
}

static void count_warning(void *user, const char *message) {
    (void)message;
    atomic_fetch_add(&((reading_together *)user)->warned, 1);
}

static void read_on_rank(weft_ctx *ctx, wfi_comm *comm, void *user) {
    reading_together *r = user;
    weft_graph *g = NULL;
    weft_ctx_set_warning(ctx, count_warning, r);
    weft_ctx_set_note(ctx, count_warning, r);
    if (r->memory_limit && comm->link.rank == comm->link.size - 1) weft_ctx_set_memory_limit(ctx, r->memory_limit);
    weft_status st = weft_read(ctx, r->path, r->params, &g);
    if (!r->expected) {
        if (st != r->status) TROUBLE(r, "status %d, expected %d: %s", st, r->status, weft_ctx_message(ctx));
        if (g) TROUBLE(r, "a graph of a file that is refused");
        if (r->message && strcmp(weft_ctx_message(ctx), r->message))
            TROUBLE(r, "\"%s\", expected \"%s\"", weft_ctx_message(ctx), r->message);
    } else if (st) {
        TROUBLE(r, "%s", weft_ctx_message(ctx));
    } else {
        compare_facts(r, g);
        compare_ids(r, g);
        if (!*r->trouble) compare_owned(r, g, comm);
        if (!*r->trouble) compare_rows(r, g);
    }
    weft_graph_free(g);
    if (weft_ctx_memory_in_use(ctx)) TROUBLE(r, "a rank leaks memory");
}

/* By one process, then by ranks, of each number or of every second or third one; of each with WEFT_RANKS_MATRIX=all
 * (make slow). */
static void check_file(const char *title, const char *path, const weft_read_params *params, size_t step) {
    weft_read_params standard = WEFT_READ_DEFAULTS;
    reading_together alone = {0};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_ctx_set_warning(ctx, count_warning, &alone);
    weft_ctx_set_note(ctx, count_warning, &alone);
    weft_status st = weft_read(ctx, path, params ? params : &standard, &g);
    if (asked_for_all("WEFT_RANKS_MATRIX")) step = 1;
    for (size_t i = 0; i < LENGTH(rank_counts); i += step) {
        reading_together r = {.path = path,
                              .params = params ? params : &standard,
                              .expected = g,
                              .status = st,
                              .message = weft_ctx_message(ctx)};
        on_ranks(rank_counts[i], read_on_rank, &r);
        uint64_t arcs = 0;
        for (int k = 0; g && k < rank_counts[i]; k++) arcs += r.held[k];
        if (!*r.trouble && g && arcs != g->arcs) TROUBLE(&r, "ranks have %" PRIu64 " arcs between them", arcs);
        if (!*r.trouble && g && r.warned != alone.warned)
            TROUBLE(&r, "%d warnings and notes, of one process %d", r.warned, alone.warned);
        if (*r.trouble) HARNESS_FAIL("%s, %d ranks: %s", title, rank_counts[i], r.trouble);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

static void check_text(const char *title, const char *name, const char *text, const weft_read_params *params) {
    char folder[] = "/tmp/weft-ranks-XXXXXX", path[128];
    if (!mkdtemp(folder)) exit(1);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f) exit(1);
    fputs(text, f);
    fclose(f);
    check_file(title, path, params, 1);
    unlink(path);
    rmdir(folder);
}

typedef struct example {
    const char *title, *name, *text;
} example;

static const example examples[] = {
    {"nothing at all", "a.txt", ""},
    {"comments only", "a.txt", "# a\n# b\n"},
    {"one edge", "a.txt", "0 1\n"},
    {"one edge without a newline", "a.txt", "7 3"},
    {"a few edges", "a.txt", "0 1\n1 2\n2 0\n3 1\n"},
    {"no newline at the end", "a.txt", "0 1\n1 2\n2 0\n3 1"},
    {"CRLF", "a.txt", "0 1\r\n1 2\r\n2 0\r\n3 1\r\n"},
    {"comments and blank lines", "a.txt", "# from to\n0 1\n\n# in between\n1 2\n\n\n2 0\n% another\n3 1\n"},
    {"a line longer than a part", "a.txt",
     "# a comment that is much longer than what each of sixteen ranks reads of this file, so that most of them have no "
     "line\n0 1\n1 2\n2 3\n"},
    {"a long line last", "a.txt",
     "0 1\n1 2\n2 3\n# a comment that is much longer than what each of sixteen ranks reads of this file, so that most "
     "of them have no line"},
    {"duplicates and loops", "a.txt", "1 1\n0 1\n0 1\n1 0\n2 2\n0 1\n2 2\n1 2\n"},
    {"each edge twice", "a.txt", "1 2\n2 1\n4 2\n3 3\n2 4\n3 4\n4 3\n"},
    {"each edge twice, weighted", "a.wel", "1 2 5\n2 1 5\n4 2 1\n2 4 1\n"},
    {"edges that ascend", "a.txt",
     "1 2\n1 3\n1 4\n1 5\n1 6\n1 7\n1 8\n2 3\n2 4\n2 5\n2 6\n2 7\n2 8\n3 4\n3 5\n3 6\n3 7\n3 8\n4 5\n4 6\n4 7\n4 8\n5 "
     "6\n5 7\n5 8\n6 7\n6 8\n"
     "7 8\n8 9\n8 10\n9 10\n10 11\n"},
    {"ids from 1", "a.txt", "1 2\n2 3\n3 4\n4 1\n"},
    {"sparse ids", "a.txt", "1000000 5\n5 70000\n70000 1000000\n123 5\n"},
    {"ids of 64 bits", "a.txt", "9000000000000000000 -5\n-5 9000000000000000000\n17 9000000000000000000\n4 17\n"},
    {"ids of 32 bits and more", "a.txt", "1 2\n4294967295 4294967296\n2 4294967296\n"},
    {"whole weights", "a.wel", "0 1 5\n1 2 6\n0 1 2\n2 0 9\n"},
    {"weights that become fractions late", "a.wel", "0 1 5\n1 2 6\n0 1 2\n2 0 9\n1 0 0.25\n"},
    {"weights that are rounded", "a.wel", "0 1 16777217\n1 2 6\n0 1 2\n2 0 9\n1 0 0.25\n"},
    {"a header of columns", "a.csv", "source,target,weight\n0,1,5\n1,2,6\n0,1,2\n2,0,9\n"},
    {"names", "a.txt", "anna bert\nbert carl\ndora emil\nanna dora\nbert anna\n"},
    {"names that begin alike", "a.csv",
     "from,to\n"
     "a name that begins as many others do, for more than the sixty-four bytes of a sample: 1,a name that begins as "
     "many others do, for more than the sixty-four bytes of a sample: 2\n"
     "a name that begins as many others do, for more than the sixty-four bytes of a sample: 3,a name that begins as "
     "many others do, for more than the sixty-four bytes of a sample: 1\n"
     "b,a\n"},
    {"quotes over lines", "a.csv",
     "source,target\n\"an\nna\",bert\nbert,\"ca\n\nrl\"\n\"an\nna\",\"x,\"\"y\"\"\"\nd,e\n"},
    {"a size in the first line", "a.txt", "5 4\n0 1\n1 2\n2 3\n3 0\n"},
    {"a size that is an edge", "a.txt", "5 4\n0 1\n1 2\n2 3\n3 0\n1 3\n"},
    {"our own header, vertices without edges", "a.txt",
     "# weft edge list, directed, 3 vertices\n0 1\n1 2\n#v 7\n#v 9\n"},
    {"KONECT", "out.a", "% sym weighted\n1 2 3\n2 3 4\n3 1 5\n"},
    {"tuples", "a.txt", "(0, 1)\n(1, 2)\n(2, 0)\n"},
    {"Matrix Market", "a.mtx",
     "%%MatrixMarket matrix coordinate real general\n4 4 4\n1 2 0.5\n2 3 1.5\n3 4 2\n4 4 1\n"},
    {"Matrix Market, symmetric", "a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 2\n4 4\n"},
    {"Matrix Market, skew", "a.mtx",
     "%%MatrixMarket matrix coordinate integer skew-symmetric\n4 4 3\n2 1 3\n3 2 4\n4 1 5\n"},
    /* refused */
    {"a bad first line", "a.txt", "x 1\n1 2\n2 3\n3 4\n"},
    {"a bad line", "a.txt", "0 1\n1 2\n2 3\n3 x\n4 5\n5 6\n"},
    {"a bad last line", "a.txt", "0 1\n1 2\n2 3\n3 4\n4 5\n5 "},
    {"several bad lines", "a.txt", "0 1\n1 2\n2 3\n3 4\n4 5\n5 x\n6 7\n7 y\n8 z\n"},
    {"a bad line after comments", "a.txt", "# a\n0 1\n# b\n\n1 2\n  # c\n2 3\n  3   4x\n"},
    {"a weight that is none", "a.wel", "0 1 2\n1 2 3\n2 3 x\n"},
    {"a weight that is missing", "a.wel", "0 1 2\n1 2 3\n2 3\n"},
    {"a quote that is not closed", "a.csv", "source,target\n1,2\n2,\"3\n4,5\n6,7\n"},
    {"a quote that is not closed among names", "a.csv", "source,target\na,b\nb,c\nc,d\nd,\"e\ne,f\nf,g\ng,h\n"},
    {"too short for a matrix", "a.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 4\n1 2\n2 3\n3 4\n"},
    {"a column that does not exist", "a.mtx",
     "%%MatrixMarket matrix coordinate pattern general\n4 4 4\n1 2\n2 3\n3 9\n4 4\n"},
    {"no banner", "a.mtx", "4 4 3\n1 2 1\n2 3 1\n3 4 1\n"},
};

TEST(ranks_read_the_graph_of_one_process) {
    for (size_t i = 0; i < LENGTH(examples); i++)
        check_text(examples[i].title, examples[i].name, examples[i].text, NULL);
}

TEST(rules_are_those_of_one_process) {
    static const weft_direction directions[] = {WEFT_AS_FILE, WEFT_UNDIRECTED};
    static const weft_duplicates duplicates[] = {WEFT_DUPLICATES_KEEP, WEFT_DUPLICATES_DROP,   WEFT_DUPLICATES_SUM,
                                                 WEFT_DUPLICATES_MEAN, WEFT_DUPLICATES_REFUSE, WEFT_DUPLICATES_MAX,
                                                 WEFT_DUPLICATES_COUNT};
    static const weft_loops loops[] = {WEFT_LOOPS_KEEP, WEFT_LOOPS_DROP};
    static const char *const texts[] = {
        "1 1\n0 1\n0 1\n1 0\n2 2\n0 1\n2 2\n1 2\n",
        "0 1 0.1\n0 1 0.2\n1 0 0.3\n2 2 1e9\n2 2 -1e9\n2 2 1\n0 1 1e-9\n5 4 3\n4 5 0.7\n",
    };
    for (size_t t = 0; t < LENGTH(texts); t++)
        for (size_t d = 0; d < LENGTH(directions); d++)
            for (size_t k = 0; k < LENGTH(duplicates); k++)
                for (size_t l = 0; l < LENGTH(loops); l++) {
                    weft_read_params p = WEFT_READ_DEFAULTS;
                    p.direction = directions[d];
                    p.duplicates = duplicates[k];
                    p.loops = loops[l];
                    check_text(texts[t], t ? "a.wel" : "a.txt", texts[t], &p);
                }
}

TEST(options_are_those_of_one_process) {
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.vertices = 10;
    check_text("ten vertices", "a.txt", "0 1\n1 2\n9 0\n", &p);
    check_text("ten vertices, and an id beyond", "a.txt", "0 1\n1 2\n2 3\n3 4\n4 10\n9 0\n", &p);
    p = (weft_read_params)WEFT_READ_DEFAULTS;
    p.ids = WEFT_READ_IDS_STRING;
    check_text("numbers as names", "a.txt", "10 9\n9 1\n1 10\n", &p);
    p = (weft_read_params)WEFT_READ_DEFAULTS;
    p.weights = WEFT_WEIGHTS_IGNORE;
    check_text("weights are ignored", "a.wel", "0 1 2\n1 2 3\n2 3 4\n", &p);
    p = (weft_read_params)WEFT_READ_DEFAULTS;
    for (int type = WEFT_WEIGHT_U32; type <= WEFT_WEIGHT_F64; type++) {
        p.weight_type = (weft_weight_type)type;
        check_text("weights of a type", "a.wel", "0 1 2\n1 2 3\n2 3 4\n3 0 16777217\n0 2 7\n", &p);
        check_text("weights that may not fit", "a.wel", "0 1 2\n1 2 3\n2 3 4.5\n3 0 1e300\n0 2 -7\n", &p);
    }
    p = (weft_read_params)WEFT_READ_DEFAULTS;
    p.duplicates = WEFT_DUPLICATES_SUM;
    check_text("a sum that does not fit", "a.wel", "0 1 4294967295\n1 2 3\n2 3 4294967295\n2 3 1\n3 0 1\n", &p);
}

/* Rows that are long enough for several rounds, bins and blocks, with parallel arcs whose weights are added in the
 * order of the file. */
static void write_large(const char *path, uint64_t lines, uint64_t ids, uint64_t stride, bool names) {
    FILE *f = fopen(path, "w");
    uint64_t x = 88172645463325252u;
    if (!f) exit(1);
    for (uint64_t i = 0; i < lines; i++) {
        uint64_t end[2];
        for (int k = 0; k < 2; k++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            end[k] = (x % 4 ? x >> 8 : 3) % ids * stride + 11;
        }
        fprintf(f, names ? "v%" PRIu64 " v%" PRIu64 " 0.%" PRIu64 "\n" : "%" PRIu64 " %" PRIu64 " 0.%" PRIu64 "\n",
                end[0], end[1], x % 1000);
    }
    fclose(f);
}

TEST(a_large_file_is_read_in_rounds) {
    uint64_t lines = under_a_microscope() ? 40000 : 1200000;
    static const uint64_t strides[] = {1, 1000003};
    char folder[] = "/tmp/weft-ranks-XXXXXX", path[128];
    if (!mkdtemp(folder)) exit(1);
    snprintf(path, sizeof path, "%s/large.txt", folder);
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.duplicates = WEFT_DUPLICATES_SUM;
    for (size_t i = 0; i < LENGTH(strides); i++) {
        write_large(path, lines, lines / 20, strides[i], false);
        check_file("large", path, &p, 2);
    }
    write_large(path, lines / 10, lines / 100, 1, true);
    p.direction = WEFT_UNDIRECTED;
    check_file("large, names", path, &p, 3);
    unlink(path);
    rmdir(folder);
}

/* Nobody has more than its share of the arcs and a little: a row is not cut. */
TEST(ranks_have_about_as_many_arcs) {
    char folder[] = "/tmp/weft-ranks-XXXXXX", path[128];
    if (!mkdtemp(folder)) exit(1);
    snprintf(path, sizeof path, "%s/flat.txt", folder);
    FILE *f = fopen(path, "w");
    if (!f) exit(1);
    for (int i = 0; i < 20000; i++) fprintf(f, "%d %d\n", i % 4000, i * 7 % 4000);
    fclose(f);
    weft_read_params p = WEFT_READ_DEFAULTS;
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    REQUIRE(!weft_read(ctx, path, &p, &g));
    reading_together r = {.path = path, .params = &p, .expected = g};
    on_ranks(8, read_on_rank, &r);
    CHECK_TEXT(r.trouble, "");
    for (int k = 0; k < 8; k++) CHECK(r.held[k] > g->arcs / 8 * 8 / 10 && r.held[k] < g->arcs / 8 * 12 / 10);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    unlink(path);
    rmdir(folder);
}

/* One rank has too little memory: all fail, none waits, nothing leaks. */
TEST(a_rank_without_memory_ends_all) {
    char folder[] = "/tmp/weft-ranks-XXXXXX", path[128];
    static const uint64_t limits[] = {1, 1000, 70000, 150000, 1200000, 1500000, 2000000, 2600000};
    int failed = 0;
    if (!mkdtemp(folder)) exit(1);
    snprintf(path, sizeof path, "%s/edges.txt", folder);
    weft_read_params p = WEFT_READ_DEFAULTS;
    for (int names = 0; names < 2; names++) {
        write_large(path, 30000, 2000, names ? 1 : 1000003, names);
        for (size_t i = 0; i < LENGTH(limits); i++) {
            reading_together r = {.path = path, .params = &p, .status = WEFT_ENOMEM, .memory_limit = limits[i]};
            on_ranks(3, read_on_rank, &r);
            failed += !*r.trouble;
            if (*r.trouble && !strstr(r.trouble, "status 0") && !strstr(r.trouble, "a graph of"))
                HARNESS_FAIL("limit %" PRIu64 ": %s", limits[i], r.trouble);
        }
    }
    CHECK(failed >= 8);
    unlink(path);
    rmdir(folder);
}

/* What wants the whole graph says so. */
static void ask_for_all(weft_ctx *ctx, wfi_comm *comm, void *user) {
    reading_together *r = user;
    weft_graph *g = NULL;
    weft_csr rows = {.size = sizeof rows};
    int equal;
    (void)comm;
    if (weft_read(ctx, r->path, NULL, &g)) {
        TROUBLE(r, "%s", weft_ctx_message(ctx));
        return;
    }
    if (weft_graph_out(ctx, g, &rows) != WEFT_EUNSUPPORTED) TROUBLE(r, "weft_graph_out");
    if (!strstr(weft_ctx_message(ctx), "this graph is distributed over ranks")) TROUBLE(r, "%s", weft_ctx_message(ctx));
    if (weft_graph_in(ctx, g, &rows) != WEFT_EUNSUPPORTED) TROUBLE(r, "weft_graph_in");
    if (weft_graph_compare(ctx, g, g, &equal) != WEFT_EUNSUPPORTED) TROUBLE(r, "weft_graph_compare");
    if (weft_graph_has_arc(g, 0, 1, NULL)) TROUBLE(r, "weft_graph_has_arc");
    weft_graph_free(g);
}

TEST(what_needs_the_whole_graph_is_refused) {
    char folder[] = "/tmp/weft-ranks-XXXXXX", path[128];
    if (!mkdtemp(folder)) exit(1);
    snprintf(path, sizeof path, "%s/edges.txt", folder);
    write_large(path, 100, 20, 1, false);
    reading_together r = {.path = path};
    on_ranks(3, ask_for_all, &r);
    CHECK_TEXT(r.trouble, "");
    unlink(path);
    rmdir(folder);
}

/* --- runs ------------------------------------------------------------------------------------- */

typedef struct running_together {
    const char *path;
    const weft_read_params *params;
    const weft_algorithm_info *algorithm;
    const variant *v;
    const weft_result *expected; /* NULL: it is refused, with this message */
    const char *message;
    const uint64_t *weights;
    char trouble[512];
} running_together;

/* Two plans of one graph: the second finds the rows that were brought for the first. */
static void run_on_rank(weft_ctx *ctx, wfi_comm *comm, void *user) {
    running_together *r = user;
    weft_graph *g = NULL;
    comm->weights = r->weights;
    weft_status st = weft_read(ctx, r->path, r->params, &g);
    for (int again = 0; again < 2 && !st; again++) {
        weft_plan *plan = NULL;
        weft_result *mine = NULL, *whole = NULL;
        st = weft_plan_new(ctx, r->algorithm->name, g, r->v->params, &plan);
        if (!st) st = weft_plan_run(plan, &mine);
        if (!st) st = weft_plan_gather(plan, mine, &whole);
        if (comm->link.rank == 0 && !st && r->expected) {
            const char *where = difference(r->expected, whole);
            if (where) TROUBLE(r, "%s", where);
        }
        weft_result_free(whole);
        weft_result_free(mine);
        weft_plan_free(plan);
    }
    if (comm->link.rank == 0 && st && st != WEFT_EUNSUPPORTED && r->expected) TROUBLE(r, "%s", weft_ctx_message(ctx));
    if (comm->link.rank == 0 && !r->expected && !st) TROUBLE(r, "it is not refused");
    if (comm->link.rank == 0 && !r->expected && st && !strstr(weft_ctx_message(ctx), r->message))
        TROUBLE(r, "\"%s\", expected \"%s\"", weft_ctx_message(ctx), r->message);
    weft_graph_free(g);
    if (weft_ctx_memory_in_use(ctx)) TROUBLE(r, "a rank leaks memory");
}

static void run_all(const char *title, const char *path, const weft_read_params *params) {
    static const uint64_t uneven[] = {9, 0, 4, 1, 2};
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    int done = 0;
    REQUIRE(!weft_read(ctx, path, params, &g));
    for (size_t a = 0; a < weft_algorithm_count(); a++) {
        const weft_algorithm_info *algorithm = weft_algorithm_at(a);
        if (!algorithm->on_ranks) continue;
        variants list = variants_of(algorithm, g, true);
        for (size_t i = 0; i < list.count; i++) {
            const variant *v = &list.at[i];
            weft_result *expected = NULL;
            if (v->run || !variant_fits(v, g)) continue;
            weft_status st = run_variant(ctx, algorithm, v, g, &expected);
            running_together r = {
                path, params, algorithm, v, expected, st ? weft_ctx_message(ctx) : "", i % 2 ? uneven : NULL, ""};
            on_ranks(i % 2 ? 5 : 3, run_on_rank, &r);
            if (*r.trouble) HARNESS_FAIL("%s, %s, of %s: %s", algorithm->name, v->name, title, r.trouble);
            weft_result_free(expected);
            done++;
        }
        variants_free(&list);
    }
    CHECK(done > 20);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* A file of each kind, and what algorithms make of it. */
TEST(runs_are_those_of_one_process) {
    char folder[] = "/tmp/weft-ranks-XXXXXX", path[128];
    if (!mkdtemp(folder)) exit(1);
    snprintf(path, sizeof path, "%s/edges.txt", folder);
    weft_read_params p = WEFT_READ_DEFAULTS;
    write_large(path, 2000, 300, 1, false);
    run_all("arcs", path, &p);
    p.direction = WEFT_UNDIRECTED;
    run_all("edges", path, &p);
    write_large(path, 700, 200, 1, true);
    p.direction = WEFT_AS_FILE;
    p.weights = WEFT_WEIGHTS_IGNORE;
    run_all("names", path, &p);
    unlink(path);
    rmdir(folder);
}

/* A weight that an algorithm does not take, on a rank that is not the first: named by the ids of its ends. */
TEST(a_weight_that_cannot_be_used_is_named) {
    char folder[] = "/tmp/weft-ranks-XXXXXX", path[128];
    static const char *const algorithms[] = {"sssp", "pagerank", "hits"};
    if (!mkdtemp(folder)) exit(1);
    snprintf(path, sizeof path, "%s/edges.txt", folder);
    FILE *f = fopen(path, "w");
    if (!f) exit(1);
    for (int i = 0; i < 100; i++) fprintf(f, "%d %d %s\n", 100 + i, 100 + (i + 1) % 100, i == 77 ? "-1.5" : "0.5");
    fclose(f);
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_read_params p = WEFT_READ_DEFAULTS;
    weft_graph *g = NULL;
    REQUIRE(!weft_read(ctx, path, &p, &g));
    for (size_t a = 0; a < LENGTH(algorithms); a++) {
        const weft_algorithm_info *algorithm = NULL;
        for (size_t i = 0; i < weft_algorithm_count(); i++)
            if (!strcmp(weft_algorithm_at(i)->name, algorithms[a])) algorithm = weft_algorithm_at(i);
        weft_pagerank_params pagerank = WEFT_PAGERANK_DEFAULTS;
        weft_hits_params hits = WEFT_HITS_DEFAULTS;
        pagerank.weights = 1;
        hits.weights = 1;
        variant v = {.name = "weights"};
        memcpy(v.params, algorithm->params_standard, algorithm->params_size);
        if (a == 1) memcpy(v.params, &pagerank, sizeof pagerank);
        if (a == 2) memcpy(v.params, &hits, sizeof hits);
        weft_result *result = NULL;
        weft_plan *plan = NULL;
        weft_status st = weft_plan_new(ctx, algorithms[a], g, v.params, &plan);
        if (!st) st = weft_plan_run(plan, &result);
        CHECK(st == WEFT_EINPUT && strstr(weft_ctx_message(ctx), "from 177 to 178"));
        running_together r = {path, &p, algorithm, &v, NULL, weft_ctx_message(ctx), NULL, ""};
        on_ranks(5, run_on_rank, &r);
        CHECK_TEXT(r.trouble, "");
        weft_result_free(result);
        weft_plan_free(plan);
    }
    weft_graph_free(g);
    weft_ctx_free(ctx);
    unlink(path);
    rmdir(folder);
}

TEST_MAIN()
