/* The lab's ladders: every rung gives a verified answer on small graphs of every shape, and every rung is described whole. */
#include "support.h"

#include "lab.h"
#include "weft/machine.h"

typedef struct shape {
    const char *name, *text; /* an edge list, or NULL: */
    const char *kind;        /* a generator */
    uint64_t n;
    double p;
    int directed;
} shape;

static const shape shapes[] = {
    {"one vertex", "7 7\n", NULL, 0, 0, 1},
    {"a loop behind a path", "1 2\n2 3\n3 3\n3 4\n", NULL, 0, 0, 1},
    {"a cycle with a way in and a way out", "1 2\n2 3\n3 4\n4 2\n4 5\n5 6\n0 6\n", NULL, 0, 0, 1},
    {"parallel arcs", "1 2\n1 2\n2 3\n1 3\n3 4\n3 4\n3 4\n", NULL, 0, 0, 1},
    {"two triangles and a tail", "1 2\n2 3\n3 1\n3 4\n4 5\n5 6\n6 4\n6 7\n", NULL, 0, 0, 0},
    {"loops and parallel edges", "1 2\n1 2\n2 2\n2 3\n3 1\n3 4\n4 5\n5 5\n5 4\n6 6\n", NULL, 0, 0, 0},
    {"a path of 65", NULL, "path", 65, 0, 1},
    {"a star", NULL, "star", 70, 0, 0},
    {"a complete graph", NULL, "complete", 33, 0, 0},
    {"upper-triangular", NULL, "dag", 130, 0.5, 1},
    {"acyclic, over a block of the scan", NULL, "dag", 1030, 0, 1},
    {"half of a matrix", NULL, "cyclic", 129, 0.5, 1},
    {"sparse, directed", NULL, "er", 300, 0.01, 1},
    {"sparse, undirected", NULL, "er", 300, 0.02, 0},
    {"hubs", NULL, "ba", 400, 0, 0},
};

static weft_graph *make(weft_ctx *ctx, const shape *s) {
    weft_graph *g = NULL;
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = s->directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    build.duplicates = WEFT_DUPLICATES_KEEP;
    if (s->text) {
        weft_read_params p = WEFT_READ_DEFAULTS;
        p.direction = build.direction;
        p.duplicates = build.duplicates;
        return read_text(ctx, s->text, &p);
    }
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    p.n = s->n;
    if (s->p > 0) p.p = s->p;
    return weft_generate(ctx, s->kind, &p, &build, &g) ? NULL : g;
}

/* Kahn's algorithm has no answer for undirected graphs, and a graph that changes has no parallel arcs; the library says
 * so.  The rungs of communities and of trusses below the library are about undirected graphs, those of trusses without
 * parallel edges. */
static bool has_an_answer(const lab_ladder *ladder, const shape *s) {
    if (!strcmp(ladder->name, "dynamic")) return !strstr(s->name, "parallel");
    if (!strcmp(ladder->name, "leiden")) return !s->directed;
    if (!strcmp(ladder->name, "truss")) return !s->directed && !strstr(s->name, "parallel");
    return strcmp(ladder->algorithm, "toposort") != 0 || s->directed;
}

/* cuBLAS is loaded when its rung runs, and need not be there. */
static bool lacks_a_library(const lab_rung *rung, const char *reason) {
    return strcmp(rung->name, "gpu-cublas") == 0 && strncmp(reason, "there is no cuBLAS to load", 26) == 0;
}

/* Which rungs were verified, or lack a library, by bits; `machine` says whether there is a GPU. */
static uint64_t climb(weft_ctx *ctx, const lab_ladder *ladder, const shape *s, const weft_machine *machine) {
    weft_graph *g = make(ctx, s);
    const weft_algorithm_info *a = weft_algorithm_find(ladder->algorithm);
    lab_setup setup = {.ctx = ctx, .machine = machine, .runs = 1, .patience_s = 30};
    setup.blocks[setup.block_count++] = 32;
    setup.blocks[setup.block_count++] = 1024;
    lab_table table = {0};
    uint64_t verified = 0;
    void *params = malloc(a->params_size);
    memcpy(params, a->params_standard, a->params_size);
    if (ladder->prepare) ladder->prepare(params);
    weft_status st = g ? lab_measure(&setup, ladder, g, s->name, params, &table) : WEFT_EINPUT;
    if (st) HARNESS_FAIL("%s on %s: %s", ladder->name, s->name, weft_ctx_message(ctx));
    if (!st) CHECK_U64(table.row_count, ladder->rung_count);
    for (size_t i = 0; i < table.row_count; i++) {
        const lab_row *row = &table.rows[i];
        if (row->status == LAB_WRONG || row->status == LAB_FAILED)
            HARNESS_FAIL("%s, %s on %s: %s", ladder->name, row->rung->name, s->name, row->message);
        if (row->status == LAB_SKIPPED && lacks_a_library(row->rung, row->message)) verified |= (uint64_t)1 << i;
        if (row->status == LAB_VERIFIED) {
            verified |= (uint64_t)1 << i;
            CHECK(row->checked > 0);
            CHECK(row->bytes >= 0 && row->edges >= 0);
        }
    }
    lab_table_free(&table);
    free(params);
    weft_graph_free(g);
    return verified;
}

static void every_rung_of(lab_device device, weft_ctx *ctx, const weft_machine *machine) {
    for (size_t l = 0; l < lab_ladder_count; l++) {
        const lab_ladder *ladder = lab_ladders[l];
        for (size_t i = 0; i < LENGTH(shapes); i++) {
            if (!has_an_answer(ladder, &shapes[i])) continue;
            uint64_t verified = climb(ctx, ladder, &shapes[i], machine);
            for (size_t k = 0; k < ladder->rung_count; k++)
                if (ladder->rungs[k]->device == device && !(verified >> k & 1))
                    HARNESS_FAIL("%s: %s was not run on %s", ladder->name, ladder->rungs[k]->name, shapes[i].name);
        }
    }
}

TEST(every_rung_on_the_cpu_gives_a_verified_answer_on_every_shape) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_machine none = {.size = sizeof none, .gpu_reason = "no GPU in this test"};
    every_rung_of(LAB_CPU, ctx, &none);
    weft_ctx_free(ctx);
}

TEST(every_rung_on_the_gpu_gives_a_verified_answer_on_every_shape_with_small_and_large_blocks) {
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_machine machine = {.size = sizeof machine};
    weft_ctx_set_device(ctx, WEFT_DEVICE_AUTO);
    weft_status st = weft_machine_describe(ctx, 0, &machine);
    if (st || !machine.gpus) {
        weft_ctx_free(ctx);
        SKIP("there is no GPU");
    }
    every_rung_of(LAB_CUDA, ctx, &machine);
    weft_ctx_free(ctx);
}

static const lab_rung *rung_below(const lab_ladder *ladder, size_t top, const char *name) {
    for (size_t i = 0; i < top; i++)
        if (strcmp(ladder->rungs[i]->name, name) == 0) return ladder->rungs[i];
    return NULL;
}

static char *source_text(const char *relative) {
    char path[512];
    size_t bytes;
    const char *root = getenv("WEFT_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/%s", root ? root : ".", relative);
    return read_file(path, &bytes);
}

static size_t lines_of(const char *text) {
    size_t lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

static void check_words(const lab_ladder *ladder, size_t i) {
    const lab_rung *rung = ladder->rungs[i];
    const char *words[] = {rung->name, rung->title, rung->changed, rung->wins, rung->loses, rung->source};
    for (size_t w = 0; w < LENGTH(words); w++)
        if (!words[w] || !*words[w]) HARNESS_FAIL("%s, rung %zu: words are missing", ladder->name, i + 1);
    if (rung_below(ladder, i, rung->name)) HARNESS_FAIL("%s: %s is there twice", ladder->name, rung->name);
    if ((i > 0) != (rung->against != NULL) || (i > 0 && !rung_below(ladder, i, rung->against)))
        HARNESS_FAIL("%s: %s is against no rung below it", ladder->name, rung->name);
    if (!*lab_excerpt(rung->source)) HARNESS_FAIL("%s has no excerpt", rung->source);
    char *code = source_text(rung->source);
    if (!code || lines_of(code) >= 200) HARNESS_FAIL("%s is missing, or has 200 lines or more", rung->source);
    free(code);
}

TEST(every_rung_has_its_words_its_excerpt_and_a_small_file) {
    for (size_t l = 0; l < lab_ladder_count; l++)
        for (size_t i = 0; i < lab_ladders[l]->rung_count; i++) check_words(lab_ladders[l], i);
}

TEST(the_top_rung_on_the_cpu_is_the_library_and_the_others_are_not) {
    for (size_t l = 0; l < lab_ladder_count; l++)
        for (size_t i = 0; i < lab_ladders[l]->rung_count; i++) {
            const lab_rung *rung = lab_ladders[l]->rungs[i];
            char *code = source_text(rung->source);
            bool calls = code && (strstr(code, "lab_engine(") || strstr(code, "weft_dynamic_apply(") ||
                                  strstr(code, "weft_ctx_set_virtual("));
            if (calls != (strncmp(rung->name, "engine", 6) == 0))
                HARNESS_FAIL("%s: %s and the library", lab_ladders[l]->name, rung->name);
            free(code);
        }
}

/* Ladders that share what stands before a dash in their names share a page: ranks-bfs is in ranks.md. */
TEST(every_ladder_has_a_page_that_names_its_rungs) {
    for (size_t l = 0; l < lab_ladder_count; l++) {
        char path[128];
        snprintf(path, sizeof path, "docs/lab/%.*s.md", (int)strcspn(lab_ladders[l]->name, "-"), lab_ladders[l]->name);
        char *page = source_text(path);
        if (!page) HARNESS_FAIL("there is no %s", path);
        for (size_t i = 0; page && i < lab_ladders[l]->rung_count; i++)
            if (!strstr(page, lab_ladders[l]->rungs[i]->name))
                HARNESS_FAIL("%s does not name %s", path, lab_ladders[l]->rungs[i]->name);
        if (page) CHECK_HAS(page, "xercise");
        free(page);
    }
}

TEST(what_a_document_said_belongs_to_a_rung) {
    for (size_t l = 0; l < lab_ladder_count; l++)
        for (size_t i = 0; i < lab_ladders[l]->figure_count; i++) {
            const lab_figure *f = &lab_ladders[l]->figures[i];
            CHECK(rung_below(lab_ladders[l], lab_ladders[l]->rung_count, f->rung));
            CHECK(f->ms > 0 && f->vertices > 0 && f->source && *f->source);
        }
}

TEST_MAIN()
