/* Names that formats find hard: every writer of the table of formats keeps a name so that its reader finds it again, says what it drops,
 * or refuses with the vertex and the format, and leaves no file.  WEFT_NAMES=10000 tries that many names (make slow does). */
#include "support.h"

#include <ctype.h>

enum { NAMES = 400, LONG = 3000, ROOM = LONG + 64 };

typedef struct name {
    size_t length;
    char text[ROOM];
} name;

/* --- names ---------------------------------------------------------------------------------------- */

#define BYTES(text) \
    { sizeof(text) - 1, text }

/* What means something to some format, or is no text at all. */
static const struct {
    size_t length;
    const char *text;
} pieces[] = {
    BYTES(""),
    BYTES(" "),
    BYTES("  "),
    BYTES("\t"),
    BYTES("\n"),
    BYTES("\r"),
    BYTES("\r\n"),
    BYTES("\v"),
    BYTES("\f"),
    BYTES("\0"),
    BYTES("\x1a"),
    BYTES("\x1b[31m"),
    BYTES("\x7f"),
    BYTES("\""),
    BYTES("\"\""),
    BYTES("'"),
    BYTES("`"),
    BYTES("#"),
    BYTES("#v "),
    BYTES("%"),
    BYTES("%%"),
    BYTES("//"),
    BYTES("/*"),
    BYTES(","),
    BYTES(";"),
    BYTES("|"),
    BYTES(":"),
    BYTES("\\"),
    BYTES("\\n"),
    BYTES("&"),
    BYTES("&amp;"),
    BYTES("&#10;"),
    BYTES("<"),
    BYTES("]]>"),
    BYTES("->"),
    BYTES("--"),
    BYTES("---"),
    BYTES("==="),
    BYTES("("),
    BYTES(")"),
    BYTES("["),
    BYTES("]"),
    BYTES("{"),
    BYTES("}"),
    BYTES("{'weight': 3}"),
    BYTES("0"),
    BYTES("1"),
    BYTES("007"),
    BYTES("-1"),
    BYTES("1.0"),
    BYTES("1e5"),
    BYTES("1,5"),
    BYTES("0x10"),
    BYTES("99999999999999999999"),
    BYTES("nan"),
    BYTES("NA"),
    BYTES("null"),
    BYTES("inf"),
    BYTES("true"),
    BYTES("source"),
    BYTES("target"),
    BYTES("weight"),
    BYTES("from"),
    BYTES("to"),
    BYTES("id"),
    BYTES("name"),
    BYTES("directed"),
    BYTES("Undirected"),
    BYTES("# weft edge list directed names"),
    BYTES("*Vertices 3"),
    BYTES("*Arcs"),
    BYTES("weft ids string"),
    BYTES("id 1 x"),
    BYTES("graph ["),
    BYTES("p sp 3 3"),
    BYTES("\xc3\xa9"),
    BYTES("\xe6\x97\xa5\xe6\x9c\xac"),
    BYTES("\xf0\x9f\x98\x80"),
    BYTES("\xef\xbb\xbf"),
    BYTES("\xc2\x85"),
    BYTES("\xc2\xa0"),
    BYTES("\xe2\x80\xa8"),
    BYTES("\xef\xbf\xbe"),
    BYTES("\xed\xa0\x80"),
    BYTES("\xff"),
    BYTES("\xfe\xff"),
    BYTES("\xc0\x80"),
    BYTES("\xe9"),
    BYTES("a"),
    BYTES("Zo"),
    BYTES("x y"),
};

static void add(name *n, const char *text, size_t length) {
    if (n->length + length > sizeof n->text) return;
    memcpy(n->text + n->length, text, length);
    n->length += length;
}

/* The first ones are the pieces alone, so that each is tried; then a few pieces, any bytes, or a long name. */
static void hostile_name(dice *d, size_t number, name *n) {
    n->length = 0;
    size_t parts = number < LENGTH(pieces) ? 0 : 1 + roll(d, 4);
    uint64_t way = roll(d, 20);
    if (!parts) {
        add(n, pieces[number].text, pieces[number].length);
    } else if (way == 0) {
        size_t length = roll(d, 12);
        for (size_t i = 0; i < length; i++) add(n, &(char){(char)roll(d, 256)}, 1);
    } else if (way == 1) {
        size_t length = roll(d, LONG);
        for (size_t i = 0; i < length; i++) add(n, i % 50 == 49 ? "\"" : "x", 1);
    } else {
        for (size_t i = 0; i < parts; i++) {
            size_t which = roll(d, LENGTH(pieces));
            add(n, pieces[which].text, pieces[which].length);
        }
    }
}

static bool same_name(const name *a, const name *b) {
    return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

/* --- graphs ----------------------------------------------------------------------------------------- */

enum { VERTICES = 4, LEAST_NAMED = 3 };

/* Two hostile names and a harmless one in a circle; sometimes one that has no edge. */
typedef struct sample {
    name names[VERTICES];
    weft_vid vertices;
    bool directed;
    weft_weight_type weights;
} sample;

static void make_sample(dice *d, size_t *number, sample *s) {
    s->vertices = roll(d, 4) ? LEAST_NAMED : VERTICES;
    s->directed = roll(d, 3) > 0;
    s->weights = roll(d, 3) ? WEFT_WEIGHT_NONE : WEFT_WEIGHT_U32;
    bool numbers = !roll(d, 12); /* names that look like numbers are names all the same */
    for (weft_vid v = 0; v < s->vertices; v++) {
        bool again;
        do {
            s->names[v].length = 0;
            char digits[16];
            if (numbers)
                add(&s->names[v], digits, (size_t)snprintf(digits, sizeof digits, "%u", (unsigned)roll(d, 1000)));
            else if (v == 1)
                add(&s->names[v], "middle", 6);
            else
                hostile_name(d, (*number)++, &s->names[v]);
            again = false;
            for (weft_vid u = 0; u < v; u++) again = again || same_name(&s->names[u], &s->names[v]);
        } while (again);
    }
}

static weft_graph *graph_of(weft_ctx *ctx, const sample *s) {
    static const uint32_t from[] = {0, 1, 2}, to[] = {1, 2, 0}, weight[] = {3, 1, 2};
    static char text[VERTICES * ROOM];
    uint64_t starts[VERTICES + 1] = {0};
    for (weft_vid v = 0; v < s->vertices; v++) {
        memcpy(text + starts[v], s->names[v].text, s->names[v].length);
        starts[v + 1] = starts[v] + s->names[v].length;
    }
    weft_arrays a = WEFT_ARRAYS_DEFAULTS;
    a.vertices = s->vertices;
    a.edges = LENGTH(from);
    a.sources = from;
    a.targets = to;
    a.id_type = WEFT_U32;
    a.names = text;
    a.name_starts = starts;
    if (s->weights) {
        a.weights = weight;
        a.weight_type = WEFT_U32;
    }
    weft_build_params p = WEFT_BUILD_DEFAULTS;
    p.direction = s->directed ? WEFT_DIRECTED : WEFT_UNDIRECTED;
    weft_graph *g = NULL;
    if (weft_graph_from_arrays(ctx, &a, &p, &g)) HARNESS_FAIL("%s", weft_ctx_message(ctx));
    return g;
}

/* The names as C writes them, for the person who looks at a failure. */
static const char *sample_text(const sample *s) {
    static char text[2048];
    size_t used = 0;
    for (weft_vid v = 0; v < s->vertices; v++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s\"", v ? ", " : "");
        for (size_t i = 0; i < s->names[v].length && i < 80; i++) {
            unsigned char c = (unsigned char)s->names[v].text[i];
            used += (size_t)snprintf(text + used, sizeof text - used, c >= 0x20 && c < 0x7f ? "%c" : "\\x%02x", c);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "\"");
    }
    return text;
}

/* --- out and in ---------------------------------------------------------------------------------------- */

typedef struct tally {
    size_t kept, refused, dropped;
} tally;

static void check_refusal(weft_ctx *ctx, const weft_format_info *f, const char *path, const sample *s) {
    const char *message = weft_ctx_message(ctx);
    if (access(path, F_OK) == 0) HARNESS_FAIL("%s: refused, yet there is a file", f->name);
    if (!strstr(message, f->name) || !strstr(message, "vertex"))
        HARNESS_FAIL("%s, %s: neither the format nor the vertex is named: %s", f->name, sample_text(s), message);
}

/* Read with the format named or found: the same graph, unless a warning said what is dropped. */
static void check_reading(weft_ctx *ctx, const weft_format_info *f, const char *path, const weft_graph *g,
                          const sample *s, const warnings *said, bool named) {
    weft_read_params in = reading(named ? f->name : NULL);
    weft_graph *back = NULL;
    int equal = 0;
    if (strstr(said->text, "undirected")) in.direction = WEFT_UNDIRECTED;
    if (strstr(said->text, "`ids=string`")) in.ids = WEFT_READ_IDS_STRING;
    bool drops = strstr(said->text, "cannot store");
    if (weft_read(ctx, path, &in, &back))
        HARNESS_FAIL("%s%s, %s: not read back: %s", f->name, named ? "" : " (found)", sample_text(s),
                     weft_ctx_message(ctx));
    else if (!drops && (weft_graph_compare(ctx, g, back, &equal) || !equal))
        HARNESS_FAIL("%s%s, %s: another graph: %s", f->name, named ? "" : " (found)", sample_text(s),
                     weft_ctx_message(ctx));
    weft_graph_free(back);
}

/* Some formats have no directed graphs, or none without weights: that is not a matter of names. */
static bool takes_plain_names(weft_ctx *ctx, const char *path, const weft_write_params *out, const sample *s) {
    sample plain = *s;
    for (weft_vid v = 0; v < s->vertices; v++) {
        plain.names[v].length = 0;
        add(&plain.names[v], &"pqrs"[v], 1);
    }
    weft_graph *g = graph_of(ctx, &plain);
    weft_status st = g ? weft_write(ctx, g, path, out) : WEFT_EINVAL;
    weft_graph_free(g);
    unlink(path);
    return !st;
}

/* The next text in quotes, as Graphviz understands it; false: there is none. */
static bool next_dot_name(const char **at, const char *end, name *n) {
    const char *p = memchr(*at, '"', (size_t)(end - *at));
    n->length = 0;
    if (!p) return false;
    for (p++; p < end && *p != '"'; p++) {
        bool escaped = *p == '\\' && p + 1 < end;
        if (escaped) p++;
        add(n, escaped && *p == 'n' ? "\n" : p, 1);
    }
    *at = p + 1;
    return true;
}

/* DOT has no reader here: its quoted texts are names or weights, and each name is among them. */
static void check_dot(const char *path, const sample *s) {
    size_t bytes;
    bool found[VERTICES] = {false};
    char *text = read_file(path, &bytes);
    REQUIRE(text);
    name n;
    for (const char *at = text; next_dot_name(&at, text + bytes, &n);)
        for (weft_vid v = 0; v < s->vertices; v++) found[v] = found[v] || same_name(&n, &s->names[v]);
    for (weft_vid v = 0; v < s->vertices; v++)
        if (!found[v]) HARNESS_FAIL("dot, %s: name %u is not there", sample_text(s), v);
    free(text);
}

static void check_format(weft_ctx *ctx, warnings *w, const weft_format_info *f, const char *folder, const weft_graph *g,
                         const sample *s, tally *t) {
    char path[600];
    snprintf(path, sizeof path, "%s/graph.%.*s", folder, (int)strcspn(f->extensions, " "), f->extensions);
    weft_write_params out = WEFT_WRITE_DEFAULTS;
    out.format = f->name;
    if (!takes_plain_names(ctx, path, &out, s)) return;
    *w = (warnings){0, ""};
    weft_status st = weft_write(ctx, g, path, &out);
    if (st == WEFT_EUNSUPPORTED || st == WEFT_EINVAL) {
        check_refusal(ctx, f, path, s);
        t->refused++;
        return;
    }
    if (st) HARNESS_FAIL("%s: %s", f->name, weft_ctx_message(ctx));
    warnings said = *w;
    for (int named = 0; named < 2 && f->can_read && !st; named++) check_reading(ctx, f, path, g, s, &said, named);
    if (!st && !strcmp(f->name, "dot")) check_dot(path, s);
    ++*(strstr(said.text, "cannot store ids") ? &t->dropped : &t->kept);
    unlink(path);
}

static size_t names_to_try(void) {
    const char *text = getenv("WEFT_NAMES");
    size_t count = text ? strtoul(text, NULL, 10) : 0;
    return count ? count : under_a_microscope() ? NAMES / 2 : NAMES;
}

TEST(what_is_written_is_read_back_or_refused) {
    char folder[256];
    warnings w;
    dice d = {35, 0};
    size_t number = 0, most = names_to_try();
    tally each[64] = {0};
    REQUIRE(make_temp(folder, sizeof folder));
    REQUIRE(weft_format_count() <= LENGTH(each));
    weft_ctx *ctx = new_ctx(1, &w);
    while (number < most) {
        sample s;
        make_sample(&d, &number, &s);
        weft_graph *g = graph_of(ctx, &s);
        for (size_t i = 0; g && i < weft_format_count(); i++)
            if (weft_format_at(i)->can_write) check_format(ctx, &w, weft_format_at(i), folder, g, &s, &each[i]);
        weft_graph_free(g);
    }
    CHECK_U64(count_entries(folder), 0);
    for (size_t i = 0; i < weft_format_count(); i++) {
        const weft_format_info *f = weft_format_at(i);
        if (!f->can_write) continue;
        printf("%-9s kept %zu, refused %zu, said that names are dropped %zu\n", f->name, each[i].kept, each[i].refused,
               each[i].dropped);
        CHECK(each[i].kept + each[i].dropped > 0); /* a writer that refuses all is none */
    }
    weft_ctx_free(ctx);
    remove_temp(folder);
}

TEST_MAIN()
