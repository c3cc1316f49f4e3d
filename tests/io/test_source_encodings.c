/* Byte-order marks and UTF-16, before every kind of text, from files, gzip, pipes and memory; and lines without end. */
#include "support.h"

#include <pthread.h>
#include <signal.h>

typedef struct good {
    const char *file, *format, *graph;
    bool note; /* UTF-16 is said */
} good;

static const good golden[] = {
    {"utf8_mark.csv", "edgelist", "directed none [b ä 😀] b>😀 ä>b", false},
    {"utf8_mark.csv.gz", "edgelist", "directed none [b ä 😀] b>😀 ä>b", false},
    {"utf16le.csv", "edgelist", "directed none [b ä 😀] b>😀 ä>b", true},
    {"utf16le.csv.gz", "edgelist", "directed none [b ä 😀] b>😀 ä>b", true},
    {"utf16be.csv", "edgelist", "directed none [b ä 😀] b>😀 ä>b", true},
    {"utf16le.txt", "edgelist", "directed none [1 2 3 4] 1>2 3>4", true},
    {"utf8_mark.mtx", "mtx", "directed u32 [1 2 3] 1>2:5 2>3:7", false},
    {"utf16le.mtx", "mtx", "directed u32 [1 2 3] 1>2:5 2>3:7", true},
    {"utf8_mark.gml", "gml", "directed none [1 2] 1>2", false},
    {"utf16be.gml", "gml", "directed none [1 2] 1>2", true},
    {"utf8_mark.graph", "metis", "undirected none [1 2 3] 1-2 2-3", false},
    {"utf8_mark.gr", "dimacs", "directed u32 [1 2 3] 1>2:4 2>3:6", false},
    {"utf16le.gr", "dimacs", "directed u32 [1 2 3] 1>2:4 2>3:6", true},
    {"only_mark.txt", "edgelist", "directed none []", false},
    {"only_mark_utf16.txt", "edgelist", "directed none []", true},
};

typedef struct bad {
    const char *file, *start, *part; /* start: what follows the name */
    weft_status status;
} bad;

static const bad refused[] = {
    {"fault_after_mark.txt", ":2:2: ", "second vertex id", WEFT_EINPUT},
    {"high_at_the_end.txt", ":2:3: ", "surrogate", WEFT_EINPUT},
    {"lone_high.txt", ":2:1: ", "surrogate", WEFT_EINPUT},
    {"lone_low.txt", ":2:3: ", "surrogate", WEFT_EINPUT},
    {"odd_last_byte.txt", ":3:1: ", "half a character", WEFT_EINPUT},
    {"nul.txt", ":2:3: ", "NUL", WEFT_EINPUT},
    {"nul_in_comment.txt", ":1:5: ", "NUL", WEFT_EINPUT},
    {"nul_in_utf16.txt", ":2:3: ", "NUL", WEFT_EINPUT},
    {"nul.gml", ":1:23: ", "", WEFT_EINPUT},
    {"nul.mtx", ":3:3: ", "", WEFT_EINPUT},
    {"utf16_no_mark.txt", ":1:1: ", "iconv -f UTF-16LE", WEFT_EUNSUPPORTED},
    {"utf16be_no_mark.txt", ":1:1: ", "iconv -f UTF-16BE", WEFT_EUNSUPPORTED},
    {"utf32le.txt", ": ", "iconv -f UTF-32", WEFT_EUNSUPPORTED},
    {"utf32be.txt", ":1:1: ", "iconv -f UTF-32", WEFT_EUNSUPPORTED},
};

/* Feeds bytes to a pipe that is the standard input, `step` at a time. */
typedef struct feed {
    const char *data;
    size_t bytes, step;
    int fd;
} feed;

static void *push(void *given) {
    feed *f = given;
    for (size_t at = 0; at < f->bytes;) {
        size_t here = f->bytes - at < f->step ? f->bytes - at : f->step;
        ssize_t n = write(f->fd, f->data + at, here);
        if (n < 0) break;
        at += (size_t)n;
    }
    close(f->fd);
    return NULL;
}

static weft_status read_pipe(weft_ctx *ctx, const char *data, size_t bytes, size_t step, const weft_read_params *params,
                             weft_graph **g) {
    int ends[2], old = dup(STDIN_FILENO);
    pthread_t thread;
    if (pipe(ends)) exit(1);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    feed f = {data, bytes, step, ends[1]};
    if (pthread_create(&thread, NULL, push, &f)) exit(1);
    weft_status st = weft_read(ctx, "-", params, g);
    if (old >= 0) {
        dup2(old, STDIN_FILENO); /* the last reader goes: who still writes gets an error */
        close(old);
    } else {
        close(STDIN_FILENO);
    }
    pthread_join(thread, NULL);
    return st;
}

static void check_graph(weft_ctx *ctx, weft_status st, weft_graph **g, const good *want, const char *how) {
    char text[1024];
    if (st)
        HARNESS_FAIL("%s, %s: %s", want->file, how, weft_ctx_message(ctx));
    else if (strcmp(graph_text(*g, text, sizeof text), want->graph))
        HARNESS_FAIL("%s, %s: read as \"%s\", expected \"%s\"", want->file, how, text, want->graph);
    weft_graph_free(*g);
    *g = NULL;
}

static int entries_of(const char *relative) {
    char folder[4096];
    return count_entries(data_path(relative, folder, sizeof folder));
}

TEST(a_mark_is_passed_over_before_every_format) {
    CHECK_I64(entries_of("golden/encodings"), (int)LENGTH(golden));
    for (size_t i = 0; i < LENGTH(golden); i++) {
        char relative[128], path[4096];
        snprintf(relative, sizeof relative, "golden/encodings/%s", golden[i].file);
        data_path(relative, path, sizeof path);
        warnings notes = {0, ""};
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_ctx_set_note(ctx, note_warning, &notes);
        weft_graph *g = NULL;
        check_graph(ctx, weft_read(ctx, path, NULL, &g), &g, &golden[i], "from a file");
        if ((strstr(notes.text, "UTF-16") != NULL) != golden[i].note) HARNESS_FAIL("%s: notes: %s", path, notes.text);
        size_t bytes;
        char *data = read_file(path, &bytes);
        REQUIRE(data != NULL);
        check_graph(ctx, weft_read_memory(ctx, data, bytes, golden[i].file, NULL, &g), &g, &golden[i], "from memory");
        for (size_t step = 1; step <= 4096; step *= 4096) {
            weft_read_params p = reading(golden[i].format);
            check_graph(ctx, read_pipe(ctx, data, bytes, step, &p, &g), &g, &golden[i], "from a pipe");
        }
        free(data);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

TEST(what_is_broken_is_refused_with_its_place) {
    CHECK_I64(entries_of("bad/encodings"), (int)LENGTH(refused));
    for (size_t i = 0; i < LENGTH(refused); i++) {
        char relative[128], path[4000], start[4096];
        snprintf(relative, sizeof relative, "bad/encodings/%s", refused[i].file);
        data_path(relative, path, sizeof path);
        snprintf(start, sizeof start, "%s%s", path, refused[i].start);
        weft_ctx *ctx = new_ctx(2, NULL);
        weft_graph *g = NULL;
        CHECK_U64(weft_read(ctx, path, NULL, &g), refused[i].status);
        if (strncmp(weft_ctx_message(ctx), start, strlen(start)) || !strstr(weft_ctx_message(ctx), refused[i].part))
            HARNESS_FAIL("the message is \"%s\", expected \"%s ... %s\"", weft_ctx_message(ctx), start,
                         refused[i].part);
        CHECK(g == NULL);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
}

/* --- long texts: blocks, the edges of buffers, faults far behind the head ------------- */

/* Characters of one, two, three and four bytes, so that they fall on all edges; UTF-16 of the caller's byte order. */
static char *wide_text(size_t lines, bool big, const char *fault, size_t *bytes) {
    static const uint32_t odd[] = {'x', 0xe4, 0x20ac, 0x1f600};
    char *to = malloc(lines * 64 + 64);
    if (!to) exit(1);
    size_t used = 0;
#define UNIT(u) (to[used++] = (char)(big ? (u) >> 8 : (u)&0xff), to[used++] = (char)(big ? (u)&0xff : (u) >> 8))
    UNIT(0xfeffu);
    for (size_t i = 0; i < lines; i++) {
        char line[64];
        int length = snprintf(line, sizeof line, "%zu\t%zu\n", i % 1000, (i * 7) % 1000);
        uint32_t c = odd[i % 4];
        if (c > 0xffff) {
            UNIT(0xd800u | (c - 0x10000) >> 10);
            UNIT(0xdc00u | ((c - 0x10000) & 0x3ff));
        } else {
            UNIT(c);
        }
        for (int k = 0; k < length; k++) UNIT((unsigned char)line[k]);
    }
    for (; *fault; fault++) UNIT((unsigned)(unsigned char)*fault == 0x80 ? 0xd800u : (unsigned)(unsigned char)*fault);
#undef UNIT
    *bytes = used;
    return to;
}

TEST(a_long_utf16_text_is_the_same_graph_however_it_comes) {
    enum { LINES = 200000 };
    uint64_t want = 0;
    for (int big = 0; big <= 1; big++) {
        size_t bytes;
        char *text = wide_text(LINES, big, "", &bytes);
        weft_read_params p = reading("edgelist");
        p.ids = WEFT_READ_IDS_STRING;
        for (int threads = 1; threads <= 3; threads += 2)
            for (int pipe = 0; pipe <= 1; pipe++) {
                weft_ctx *ctx = new_ctx(threads, NULL);
                weft_graph *g = NULL;
                weft_status st = pipe ? read_pipe(ctx, text, bytes, 4097, &p, &g)
                                      : weft_read_memory(ctx, text, bytes, "text", &p, &g);
                CHECK_U64(st, WEFT_OK);
                REQUIRE(g != NULL);
                CHECK_U64(info_of(ctx, g).records, LINES);
                uint64_t print = fingerprint_of(ctx, g);
                if (!want) want = print;
                CHECK_U64(print, want);
                weft_graph_free(g);
                weft_ctx_free(ctx);
            }
        free(text);
    }
}

TEST(a_broken_character_far_down_has_its_place) {
    size_t bytes;
    char *text = wide_text(100000, false, "12\t3\xff\x80\n", &bytes); /* two bytes, then half a pair */
    for (int threads = 1; threads <= 3; threads += 2) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_graph *g = NULL;
        CHECK_U64(weft_read_memory(ctx, text, bytes, "text", NULL, &g), WEFT_EINPUT);
        CHECK_HAS(weft_ctx_message(ctx), "text:100001:7: half of a surrogate pair");
        weft_ctx_free(ctx);
    }
    free(text);
}

/* --- files of the kernel ------------------------------------------------------------- */

TEST(a_file_without_a_size_is_read) {
    if (access("/proc/version", R_OK)) SKIP("no /proc");
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    weft_read_params p = reading("edgelist");
    CHECK_U64(weft_read(ctx, "/proc/version", &p, &g), WEFT_OK); /* Linux version ... */
    if (g) CHECK_U64(weft_graph_vertices(g), 2);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* --- lines without end ---------------------------------------------------------------- */

static void check_too_long(const char *start, size_t bytes, char fill, const weft_read_params *p, bool pipe,
                           const char *message) {
    char *text = malloc(bytes);
    REQUIRE(text != NULL);
    memset(text, fill, bytes);
    memcpy(text, start, strlen(start));
    for (int threads = 1; threads <= 3; threads += 2) {
        weft_ctx *ctx = new_ctx(threads, NULL);
        weft_graph *g = NULL;
        weft_status st =
            pipe ? read_pipe(ctx, text, bytes, 1 << 16, p, &g) : weft_read_memory(ctx, text, bytes, "text", p, &g);
        CHECK_U64(st, WEFT_EINPUT);
        CHECK_HAS(weft_ctx_message(ctx), message);
        CHECK(weft_ctx_memory_peak(ctx) < 64u << 20);
        CHECK_U64(weft_ctx_memory_in_use(ctx), 0);
        weft_ctx_free(ctx);
    }
    free(text);
}

TEST(a_line_without_end_is_refused_and_takes_little_memory) {
    static const char fills[] = {'7', 'x', ' '};
    for (size_t i = 0; i < LENGTH(fills); i++) {
        check_too_long("", (size_t)100 << 20, fills[i], NULL, false, "text:1:1: this line is longer than 16 MiB");
        check_too_long("1 2\n3 4\n", (size_t)100 << 20, fills[i], NULL, true, ":3:1: this line is longer than 16 MiB");
    }
    weft_read_params p = reading("ligra");
    check_too_long("AdjacencyGraph\n", (size_t)60 << 20, '7', &p, false, "text:2:1: this word is longer than 16 MiB");
}

/* A row of a METIS file or adjacency list may be longer. */
TEST(a_long_row_of_neighbours_is_read) {
    enum { NEIGHBOURS = 3000000 };
    char *text = malloc((size_t)NEIGHBOURS * 9 + 64);
    REQUIRE(text != NULL);
    size_t used = 0;
    text[used++] = '0';
    for (unsigned v = 1; v <= NEIGHBOURS; v++) used += (size_t)sprintf(text + used, " %u", v);
    text[used++] = '\n';
    CHECK(used > 16u << 20);
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_graph *g = NULL;
    weft_read_params p = reading("adjlist");
    CHECK_U64(weft_read_memory(ctx, text, used, "text", &p, &g), WEFT_OK);
    if (g) CHECK_U64(weft_graph_edges(g), NEIGHBOURS);
    weft_graph_free(g);
    weft_ctx_free(ctx);
    free(text);
}

/* --- a pipe that says nothing ------------------------------------------------------------ */

static int asked(void *user) { return ++*(atomic_int *)user > 3; }

TEST(waiting_for_a_pipe_can_be_stopped) {
    int ends[2], old = dup(STDIN_FILENO);
    REQUIRE(pipe(ends) == 0);
    dup2(ends[0], STDIN_FILENO);
    atomic_int count = 0;
    weft_ctx *ctx = new_ctx(2, NULL);
    weft_ctx_set_cancel(ctx, asked, &count);
    weft_graph *g = NULL;
    alarm(20); /* no signal reaches the read: only the asking ends it */
    CHECK_U64(weft_read(ctx, "-", NULL, &g), WEFT_ECANCELLED);
    alarm(0);
    CHECK(write(ends[1], "1 2\n", 4) == 4);
    weft_ctx_free(ctx);
    close(ends[0]);
    close(ends[1]);
    if (old >= 0) {
        dup2(old, STDIN_FILENO);
        close(old);
    }
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN);
    return harness_main(argc, argv);
}
