/* Files of one name that are not the same for all ranks, as on machines with disks of their own: told by all ranks, with the rank that has another one, before anything
 * is read; by a sample of the bytes, or by all of them on request.  On virtual ranks, each of which is given a path. */
#include "virtual_ranks.h"

#include <sys/stat.h>

enum { RANKS = 5, LINE = 16, LINES = 1 << 16 }; /* 1 MiB, of which the sample is a quarter */

typedef struct opening {
    const char *path[RANKS], *nodes[RANKS];
    int verify_files;
    weft_status status[RANKS];
    char message[RANKS][512];
    uint64_t edges[RANKS];
} opening;

static void open_on_rank(weft_ctx *ctx, wfi_comm *comm, void *user) {
    opening *o = user;
    int rank = comm->link.rank;
    weft_graph *g = NULL;
    weft_read_params p = WEFT_READ_DEFAULTS;
    p.verify_files = o->verify_files;
    p.nodes = o->nodes[rank];
    o->status[rank] = weft_read(ctx, o->path[rank], &p, &g);
    snprintf(o->message[rank], sizeof o->message[rank], "%s", weft_ctx_message(ctx));
    o->edges[rank] = g ? weft_graph_edges(g) : 0;
    weft_graph_free(g);
}

/* --- files ----------------------------------------------------------------------------- */

static char folder[] = "/tmp/weft-files-XXXXXX";
static char one[64], other[64];

/* All lines are of the same length, so that digits can change and nothing moves. */
static void write_edges(const char *path) {
    FILE *f = fopen(path, "w");
    if (!f) exit(1);
    for (unsigned i = 0; i < LINES; i++) fprintf(f, "%07u %07u\n", i % 5000, (i * 7 + i / 5000) % 5000);
    fclose(f);
}

static void write_text(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    if (!f || fputs(text, f) < 0) exit(1);
    fclose(f);
}

/* The last digits of these lines. */
static void change_lines(const char *path, unsigned first, unsigned end) {
    FILE *f = fopen(path, "r+");
    if (!f) exit(1);
    for (unsigned i = first; i < end; i++) {
        if (fseek(f, (long)i * LINE + LINE - 2, SEEK_SET)) exit(1);
        int digit = fgetc(f);
        if (fseek(f, -1, SEEK_CUR) || fputc(digit == '9' ? '0' : digit + 1, f) == EOF) exit(1);
    }
    fclose(f);
}

static void begin(void) {
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    if (!mkdtemp(folder)) exit(1);
    snprintf(one, sizeof one, "%s/one.txt", folder);
    snprintf(other, sizeof other, "%s/other.txt", folder);
    write_edges(one);
    write_edges(other);
}

static void end(void) {
    unlink(one);
    unlink(other);
    rmdir(folder);
}

/* The ranks of the mask have the other file. */
static opening open_files(unsigned mask, int verify_files) {
    opening o = {.verify_files = verify_files};
    for (int r = 0; r < RANKS; r++) o.path[r] = mask >> r & 1 ? other : one;
    on_ranks(RANKS, open_on_rank, &o);
    return o;
}

static void check_told(const opening *o, const char *name, const char *words) {
    char expected[512];
    snprintf(expected, sizeof expected, "ranks have opened different files: %s; all machines need the same file",
             words);
    for (int r = 0; r < RANKS; r++) {
        CHECK_U64(o->status[r], WEFT_EINPUT);
        CHECK_HAS(o->message[r], expected);
        CHECK_U64(o->edges[r], 0);
    }
    CHECK_HAS(o->message[0], name);
}

static void check_read(const opening *o) {
    for (int r = 0; r < RANKS; r++) {
        if (o->status[r]) HARNESS_FAIL("rank %d: %s", r, o->message[r]);
        CHECK_U64(o->edges[r], o->edges[0]);
    }
}

/* --- tests ------------------------------------------------------------------------------- */

TEST(the_same_files_are_read) {
    begin();
    for (int verify_files = 0; verify_files < 2; verify_files++) {
        opening o = open_files(04, verify_files);
        check_read(&o);
        CHECK(o.edges[0] > 5000);
    }
    end();
}

/* A 32nd of the file contains a whole 64th of it, and so a place that is looked at. */
TEST(a_change_of_a_32nd_of_the_file_is_found_wherever_it_is) {
    for (unsigned at = 0; at < 8; at++) {
        begin();
        unsigned from = LINES / 32 * 31 / 7 * at;
        change_lines(other, from, from + LINES / 32);
        opening o = open_files(04, 0);
        check_told(&o, "one.txt: ", "rank 2 has other bytes than rank 0");
        end();
    }
}

TEST(every_rank_that_differs_is_counted) {
    begin();
    change_lines(other, LINES / 2, LINES);
    opening o = open_files(012, 0);
    check_told(&o, "one.txt: ", "rank 1 has other bytes than rank 0, and so has 1 more");
    o = open_files(036, 0);
    check_told(&o, "one.txt: ", "rank 1 has other bytes than rank 0, and so have 3 more");
    o = open_files(001, 0);
    check_told(&o, "other.txt: ", "rank 1 has other bytes than rank 0, and so have 3 more");
    end();
}

TEST(one_digit_is_found_by_chance_and_on_request_for_sure) {
    int missed = 0;
    begin();
    for (unsigned i = 0; i < 16; i++) {
        unsigned line = LINES / 16 * i + LINES / 40;
        change_lines(other, line, line + 1);
        opening o = open_files(020, 0);
        missed += !o.status[0];
        if (o.status[0]) check_told(&o, "one.txt: ", "rank 4 has other bytes than rank 0");
        o = open_files(020, 1);
        check_told(&o, "one.txt: ", "rank 4 has other bytes than rank 0");
        write_edges(other);
    }
    CHECK(missed > 0); /* it is a sample */
    end();
}

/* Every byte of a small one is looked at unasked. */
TEST(one_digit_of_a_small_file_is_found) {
    begin();
    write_text(one, "0 1\n1 2\n2 3\n3 4\n4 5\n");
    write_text(other, "0 1\n1 2\n2 3\n3 4\n4 6\n");
    opening o = open_files(04, 0);
    check_told(&o, "one.txt: ", "rank 2 has other bytes than rank 0");
    write_text(other, "");
    o = open_files(04, 0);
    check_told(&o, "one.txt: ", "rank 2 has another size than rank 0");
    end();
}

TEST(another_size_is_told) {
    begin();
    if (truncate(other, LINE * (LINES - 1))) exit(1);
    opening o = open_files(04, 0);
    check_told(&o, "one.txt: ", "rank 2 has another size than rank 0");
    end();
}

static void make_weft(const char *from, const char *to) {
    weft_write_params p = WEFT_WRITE_DEFAULTS;
    weft_ctx *ctx = new_ctx(1, NULL);
    weft_graph *g = NULL;
    p.format = "weft";
    if (weft_read(ctx, from, NULL, &g) || weft_write(ctx, g, to, &p)) exit(1);
    weft_graph_free(g);
    weft_ctx_free(ctx);
}

/* Ranks with files of different formats would not make the same calls, and wait for each other. */
TEST(another_format_is_told) {
    begin();
    make_weft(one, other);
    opening o = open_files(04, 0);
    check_told(&o, "one.txt: ", "rank 2 has another format than rank 0");
    o = open_files(001, 1);
    check_told(&o, "other.txt: ", "rank 1 has another format than rank 0, and so have 3 more");
    end();
}

/* Large ones are not verified when they are opened. */
TEST(a_byte_of_a_weft_file_is_found_on_request) {
    struct stat facts;
    begin();
    FILE *f = fopen(one, "w");
    if (!f) exit(1);
    for (unsigned i = 0; i < 600000; i++) fprintf(f, "%u %u\n", i, i * 7 % 600000);
    fclose(f);
    make_weft(one, other);
    make_weft(one, one);
    if (stat(other, &facts) || !(f = fopen(other, "r+"))) exit(1);
    if (fseek(f, facts.st_size / 2, SEEK_SET)) exit(1);
    int byte = fgetc(f);
    if (fseek(f, -1, SEEK_CUR) || fputc(byte ^ 1, f) == EOF || fclose(f)) exit(1);
    opening o = open_files(04, 0);
    check_read(&o);
    o = open_files(04, 1);
    check_told(&o, "one.txt: ", "rank 2 has other bytes than rank 0");
    end();
}

TEST(tables_of_vertices_are_compared_too) {
    char nodes[64], others[64];
    begin();
    snprintf(nodes, sizeof nodes, "%s/nodes.csv", folder);
    snprintf(others, sizeof others, "%s/others.csv", folder);
    write_text(nodes, "id\n1\n2\n7000\n");
    write_text(others, "id\n1\n2\n7001\n");
    opening o = {.nodes = {nodes, nodes, others, nodes, nodes}};
    for (int r = 0; r < RANKS; r++) o.path[r] = one;
    on_ranks(RANKS, open_on_rank, &o);
    check_told(&o, "nodes.csv: ", "rank 2 has other bytes than rank 0");
    o.nodes[2] = nodes;
    on_ranks(RANKS, open_on_rank, &o);
    check_read(&o);
    unlink(nodes);
    unlink(others);
    end();
}

TEST_MAIN()
