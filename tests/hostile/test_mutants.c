/* Changed files of all formats in one process: reading with settings of which many make no sense, runs, writing,
 * reading again.
 *
 * Whatever becomes of a file: a status with a message, or a sound graph; never more memory than the limit, nothing
 * held afterwards, no output of a failed write, and what was written can be read.  Meant for a build with sanitizers.
 * Which cases: worker.h. */
#include "worker.h"

#include "../fuzz/changes.h"
#include "../fuzz/seal.h"
#include "../fuzz/sound.h"
#include "weft/registry.h"

enum { READ_OK, REFUSED, OVER_LIMIT, RUNS, WRITTEN, REREAD };
enum { SEEDS = 4000, SMALL = 5000 };

/* A file to begin with. */
typedef struct seed {
    const char *format; /* NULL: by content */
    char name[64];
    uint8_t *data;
    size_t bytes;
} seed;
static seed seeds[SEEDS];
static size_t seed_count;
static char folder[256];

static const char *format_named(const char *name) {
    for (size_t i = 0; i < weft_format_count(); i++)
        if (!strcmp(weft_format_at(i)->name, name)) return weft_format_at(i)->name;
    return NULL;
}

static void add_seed(const char *path, const char *format) {
    const char *slash = strrchr(path, '/');
    seed *s = &seeds[seed_count];
    *s = (seed){.format = format};
    s->data = seed_count < SEEDS ? read_file(path, &s->bytes) : NULL;
    snprintf(s->name, sizeof s->name, "%s", slash ? slash + 1 : path);
    if (s->data && s->bytes <= INPUT_ROOM / 2)
        seed_count++;
    else
        free(s->data);
}

static int add_found(const char *path, const struct stat *st, int kind, struct FTW *where) {
    char parent[64];
    (void)st;
    if (kind != FTW_F) return 0;
    const char *end = path + where->base - 1, *begin = end;
    while (begin > path && begin[-1] != '/') begin--;
    snprintf(parent, sizeof parent, "%.*s", (int)(end - begin), begin);
    add_seed(path, format_named(strncmp(parent, "fuzz_", 5) ? parent : parent + 5));
    return 0;
}

static const char table[] = "source,target,amount,date,name,ok\n1,2,3.5,2024-03-01,a,true\n2,3,,2024-03-02,\"b "
                            "\"\"c\",false\n3,1,-1e3,,a,\n1,2,7,2024-03-01,,true\n";

/* Graphs in all formats that the library writes: with and without weights, names and columns of edges. */
static void add_own(void) {
    char path[400];
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *made[4] = {NULL};
    weft_generate_params p = WEFT_GENERATE_DEFAULTS;
    weft_read_params named = reading("csv");
    p.scale = 4, p.degree = 3;
    weft_generate(ctx, "rmat", &p, NULL, &made[0]);
    p.undirected = 1, p.max_weight = 9;
    weft_generate(ctx, "rmat", &p, NULL, &made[1]);
    named.keep = "amount,date,name,ok", named.duplicates = WEFT_DUPLICATES_KEEP, named.direction = WEFT_DIRECTED;
    weft_read_memory(ctx, table, strlen(table), "table", &named, &made[2]);
    named = reading("csv"), named.ids = WEFT_READ_IDS_STRING, named.direction = WEFT_UNDIRECTED;
    weft_read_memory(ctx, table, strlen(table), "table", &named, &made[3]);
    for (size_t i = 0; i < weft_format_count() * LENGTH(made); i++) {
        const weft_format_info *format = weft_format_at(i / LENGTH(made));
        weft_write_params how = WEFT_WRITE_DEFAULTS;
        how.format = format->name;
        snprintf(path, sizeof path, "%s/own-%zu.%s%s", folder, i, format->name,
                 i % 3 && strcmp(format->name, "npz") ? "" : ".gz");
        if (format->can_write && !weft_write(ctx, made[i % LENGTH(made)], path, &how)) add_seed(path, format->name);
        remove(path);
    }
    for (size_t i = 0; i < LENGTH(made); i++) weft_graph_free(made[i]);
    weft_ctx_free(ctx);
}

static void prepare(void) {
    char path[600];
    if (!make_temp(folder, sizeof folder)) exit(1);
    nftw(data_path("golden", path, sizeof path), add_found, 16, FTW_PHYS);
    nftw(data_path("../fuzz/corpus", path, sizeof path), add_found, 16, FTW_PHYS);
    add_own();
    if (seed_count < 300) WRONG("only %zu files to begin with", seed_count);
}

static void finish(void) {
    while (seed_count) free(seeds[--seed_count].data);
    remove_temp(folder);
}

#define ANY(from, ...) (((const char *const[]){__VA_ARGS__})[roll(from, LENGTH(((const char *const[]){__VA_ARGS__})))])

/* One in `of` times a text that may make sense, else none. */
#define PERHAPS(from, of, ...) (roll(from, of) ? NULL : ANY(from, __VA_ARGS__))

static weft_read_params any_settings(dice *from, const seed *s) {
    weft_read_params p = reading(roll(from, 4) ? s->format : NULL);
    p.duplicates = (weft_duplicates)roll(from, 3);
    if (roll(from, 2)) return p;
    p.weights = (weft_weights_use)(roll(from, 4) ? 0 : roll(from, 3));
    p.ids = (weft_id_reading)(roll(from, 3) ? 0 : roll(from, 3));
    p.vertices = roll(from, 8) ? 0 : (uint64_t[]){1, 16, 1000, (uint64_t)1 << 32, UINT64_MAX}[roll(from, 5)];
    p.verify_checksums = (int)roll(from, 2);
    p.direction = (weft_direction)roll(from, 3);
    p.duplicates = (weft_duplicates)roll(from, 8);
    p.loops = (weft_loops)roll(from, 2);
    p.weight_type = (weft_weight_type)(roll(from, 2) ? 0 : roll(from, 5));
    p.keep = PERHAPS(from, 3, "amount", "amount,date", "a,t", "3", "", "*", "a,a", ",", "`", "ok,name", "amount:sum");
    p.merge = PERHAPS(from, 6, "amount:sum,date:max", "amount:mean", "a:count", ":", "a:", "a:none", "*:first",
                      "ok:first,name:last");
    p.edges_where = PERHAPS(from, 6, "amount > 1", "date < 2024-03-02", "name = 'a' or not ok", "((a",
                            "weight >= 1e999", "`1` = 2", "'", "ok = true and");
    p.source_col = PERHAPS(from, 8, "1", "source", "99999999999999999999", "-1", "0", "");
    p.target_col = PERHAPS(from, 8, "2", "target", "x", "3");
    p.weight_col = PERHAPS(from, 8, "3", "amount", "weight", "name");
    p.header = (weft_header_use)(roll(from, 5) ? 0 : roll(from, 3));
    p.separator = roll(from, 6) ? 0 : ",; \t|x"[roll(from, 6)];
    p.decimal = roll(from, 6) ? 0 : ".,x"[roll(from, 3)];
    p.comments = (weft_comment_use)(roll(from, 5) ? 0 : roll(from, 3));
    p.sides = roll(from, 5) ? 0 : (int)roll(from, 3);
    return p;
}

/* The bytes of a changed file, in a block of exactly their size. */
static uint8_t *mutant_of(weft_ctx *ctx, const seed *s, dice *from, size_t *bytes) {
    static uint8_t room[INPUT_ROOM];
    uint64_t state = random_at(from->seed, 1);
    *bytes = s->bytes;
    memcpy(room, s->data, s->bytes);
    for (uint64_t changes = roll(from, 4) ? roll(from, 4) : roll(from, 30); changes; changes--)
        *bytes = change(room, *bytes, &state);
    if (*bytes >= sizeof(wfi_weft_page) && s->format && !strcmp(s->format, "weft") && roll(from, 2))
        seal(ctx, (char *)room, *bytes);
    uint8_t *exact = malloc(*bytes ? *bytes : 1);
    if (exact) memcpy(exact, room, *bytes);
    return exact;
}

static void run_some(weft_ctx *ctx, const weft_graph *g, dice *from) {
    for (int i = 0; i < 2; i++) {
        const weft_algorithm_info *algorithm = weft_algorithm_at(roll(from, weft_algorithm_count()));
        weft_plan *plan = NULL;
        weft_result *result = NULL;
        uint64_t digest;
        STAGE("%s", algorithm->name);
        weft_status st = weft_plan_new(ctx, algorithm->name, g, NULL, &plan);
        if (!st) st = weft_plan_run(plan, &result);
        if (!st) st = weft_result_digest(ctx, result, &digest);
        if (st && !*weft_ctx_message(ctx)) WRONG("status %d without a message", st);
        weft_result_free(result);
        weft_plan_free(plan);
        worker_count(RUNS);
    }
}

/* A file that was written is read as the same graph, with all edges at least. */
static void read_again(weft_ctx *ctx, const weft_graph *g, const weft_format_info *format, const char *path) {
    bool text = !strcmp(format->name, "csv") || !strcmp(format->name, "edgelist") || !strcmp(format->name, "jsonl");
    weft_read_params p = reading(format->name);
    weft_graph *same = NULL;
    int directed = weft_graph_directed(g), equal = 0;
    p.direction = directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    p.duplicates = WEFT_DUPLICATES_KEEP;
    p.ids = weft_graph_id_kind(g) == WEFT_IDS_STRING ? WEFT_READ_IDS_STRING : WEFT_READ_IDS_AUTO;
    p.weight_type = weft_graph_weight_type(g);
    if (text) p.sides = 2;
    if (!strcmp(format->name, "csv")) p.header = WEFT_HEADER_YES;
    STAGE("reading %s again", format->name);
    weft_status st = weft_read(ctx, path, &p, &same);
    if (st && st != WEFT_ENOMEM) WRONG("%s", weft_ctx_message(ctx));
    /* csr and npz have an undirected edge twice, and are read so where duplicates are kept. */
    if (!st &&
        (directed ? weft_graph_edges(same) != weft_graph_edges(g) : weft_graph_edges(same) < weft_graph_edges(g)))
        WRONG("%" PRIu64 " edges of %" PRIu64, weft_graph_edges(same), weft_graph_edges(g));
    if (!st && !strcmp(format->name, "weft") && !weft_graph_compare(ctx, g, same, &equal) && !equal)
        WRONG("%s", weft_ctx_message(ctx));
    weft_graph_free(same);
    worker_count(REREAD);
}

static void write_one(weft_ctx *ctx, const weft_graph *g, dice *from) {
    const weft_format_info *format = weft_format_at(roll(from, weft_format_count()));
    weft_write_params how = WEFT_WRITE_DEFAULTS;
    char path[400];
    if (!format->can_write || (!strcmp(format->name, "dense") && weft_graph_vertices(g) > SMALL)) return;
    snprintf(path, sizeof path, "%s/out.%s%s", folder, format->name,
             strcmp(format->name, "npz") ? ANY(from, "", "", ".gz", ".zst") : "");
    how.format = format->name;
    STAGE("writing %s", format->name);
    weft_status st = weft_write(ctx, g, path, &how);
    if (st && !*weft_ctx_message(ctx)) WRONG("status %d without a message", st);
    if (st && count_entries(folder)) WRONG("a failed write left a file");
    if (!st) worker_count(WRITTEN);
    /* These have no reader for what was written, or read other edges: dense matrices have no parallel ones. */
    if (!st && format->can_read && strcmp(format->name, "dense")) read_again(ctx, g, format, path);
    remove(path);
}

static void one(dice *from) {
    const seed *s = &seeds[roll(from, seed_count)];
    weft_ctx *ctx = new_ctx(1 + (int)roll(from, 2), NULL);
    weft_read_params p = any_settings(from, s);
    uint64_t limit = (uint64_t)1 << 17 << roll(from, 12);
    size_t bytes;
    uint8_t *data = mutant_of(ctx, s, from, &bytes);
    weft_graph *g = NULL;
    STAGE("reading %s of %s", s->format ? s->format : "text", s->name);
    weft_ctx_set_memory_limit(ctx, limit);
    weft_status st = data ? weft_read_memory(ctx, data, bytes, s->name, &p, &g) : WEFT_ENOMEM;
    if ((st == WEFT_OK) != (g != NULL)) WRONG("status %d, and a graph: %d", st, g != NULL);
    if (data && st && !*weft_ctx_message(ctx)) WRONG("status %d without a message", st);
    if (st == WEFT_ECANCELLED || st == WEFT_EDEVICE) WRONG("status %d: %s", st, weft_ctx_message(ctx));
    worker_count(!st ? READ_OK : st == WEFT_ENOMEM ? OVER_LIMIT : REFUSED);
    if (g && fuzz_may_trust(ctx, g)) {
        fuzz_check_graph(ctx, g);
        if (weft_graph_vertices(g) <= SMALL) run_some(ctx, g, from);
        write_one(ctx, g, from);
    }
    weft_graph_free(g);
    if (weft_ctx_memory_peak(ctx) > limit)
        WRONG("%" PRIu64 " bytes, over the limit of %" PRIu64, weft_ctx_memory_peak(ctx), limit);
    if (weft_ctx_memory_in_use(ctx)) WRONG("%" PRIu64 " bytes are still held", weft_ctx_memory_in_use(ctx));
    weft_ctx_free(ctx);
    free(data);
}

int main(int argc, char **argv) {
    static const worker mutants = {
        "mutants", prepare, one, finish, {"read", "refused", "over the limit", "runs", "written", "read again"}};
    return worker_main(&mutants, argc, argv);
}
