/* Parameters with something for each of some vertices, in the graph's own ids: lists of vertices (1,2,3 or random:K, or
 * an id a line of a file, packed or not), weights (lines "id [weight]" of a file) and pairs (lines "id id").  Words of
 * a line stand between tabs, or else blanks; an id with either in it, or with # at its beginning or after a blank,
 * stands in quotes.  Instead of lines with ids there may be a table with a column `id`, as the program writes them: of
 * a list its other columns do not count, of weights there is one other. */
#include "vertices/vertex_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RANDOM = 1 << 20, RANDOM_SEED = 1, LONGEST_ID = 4096, LONGEST_NUMBER = 1024, SHOWN = 24 };
static const char random_prefix[] = "random:";

static bool is_random(const char *word) { return strncmp(word, random_prefix, sizeof random_prefix - 1) == 0; }

const char *cli_vertices_file(const char *word) { return is_random(word) ? NULL : word + (*word == '@'); }

typedef struct reading {
    weft_ctx *ctx;
    const weft_graph *g;
    const char *path;
    char *text;
    const char *end;
    bool tabs; /* the separator of this line's words */
} reading;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
static bool is_space(char c) { return is_blank(c) || c == '\n'; }

static int open_text(weft_ctx *ctx, const weft_graph *g, const char *path, reading *r) {
    size_t bytes;
    *r = (reading){ctx, g, path, NULL, NULL, false};
    weft_status st = weft_read_text(ctx, path, &r->text, &bytes);
    if (st) return cli_fail_status(ctx, st);
    r->end = r->text + bytes;
    return EXIT_DONE;
}

static int wrong_at(const reading *r, const char *at, const char *what) {
    size_t line = 1;
    const char *begin = r->text;
    for (const char *p = r->text; p < at; p++)
        if (*p == '\n') {
            line++;
            begin = p + 1;
        }
    const char *name = strcmp(r->path, "-") ? r->path : "(standard input)";
    return cli_fail(EXIT_INPUT, "%s:%zu:%zu: %s", name, line, (size_t)(at - begin) + 1, what);
}

static int wrong_word(const reading *r, const char *at, const char *stop, const char *expected) {
    char word[SHOWN * 4 + 8], what[256];
    size_t used = 0, length = (size_t)(stop - at);
    for (size_t i = 0; i < length && i < SHOWN; i++) {
        unsigned char c = (unsigned char)at[i];
        used += (size_t)snprintf(word + used, sizeof word - used, c >= 0x20 && c != 0x7f ? "%c" : "\\x%02x", c);
    }
    word[used] = 0;
    snprintf(what, sizeof what, "%s '%s%s'", expected, word, length > SHOWN ? "..." : "");
    return wrong_at(r, at, what);
}

/* --- lists of vertices -------------------------------------------------------------------------- */

static int draw(weft_ctx *ctx, const weft_graph *g, const char *word, weft_vid **list, size_t *count) {
    const char *digits = word + sizeof random_prefix - 1;
    size_t length = strspn(digits, "0123456789"), wanted = 0;
    if (length && length < 9 && !digits[length]) wanted = strtoul(digits, NULL, 10);
    if (wanted < 1 || wanted > MOST_RANDOM)
        return cli_fail(EXIT_USAGE, "'%s': random: takes a whole number from 1 to %d", word, MOST_RANDOM);
    if (!weft_graph_vertices(g)) return EXIT_DONE;
    *list = cli_take(wanted, sizeof **list);
    if (!*list) return EXIT_MEMORY;
    *count = wanted;
    weft_status st = weft_random_sources(ctx, g, wanted, RANDOM_SEED, *list);
    return st ? cli_fail_status(ctx, st) : EXIT_DONE;
}

/* The id between `text` and `last`, without surrounding blanks. */
static int find_line(const reading *r, const char *text, size_t length, weft_vid *v) {
    char id[LONGEST_ID], what[320];
    if (length >= sizeof id || memchr(text, 0, length)) return wrong_at(r, text, "no id of this graph");
    memcpy(id, text, length);
    id[length] = 0;
    weft_status st = weft_graph_find(r->ctx, r->g, id, v);
    if (st && st != WEFT_ENOTFOUND && st != WEFT_EINVAL) return cli_fail_status(r->ctx, st);
    snprintf(what, sizeof what, "the graph has no vertex '%.200s'%s", id,
             strpbrk(id, "\t,") ? " (a list has an id a line, a table a column called id)" : "");
    return st ? wrong_at(r, text, what) : EXIT_DONE;
}

/* Does the file begin with a header?  Not if its first line is the id of a vertex. */
static bool is_table(const reading *r) {
    char id[LONGEST_ID];
    size_t length = strcspn(r->text, "\r\n");
    weft_vid v;
    snprintf(id, sizeof id, "%.*s", (int)(length < sizeof id ? length : sizeof id - 1), r->text);
    return vertex_table_has_id(r->text) && weft_graph_find(r->ctx, r->g, id, &v) != WEFT_OK;
}

/* The table takes ownership of the text. */
static int open_table(reading *r, vertex_table *t, weft_vid **list, size_t *count) {
    int code = vertex_table_of_text(r->ctx, r->path, r->text, (size_t)(r->end - r->text), t);
    r->text = NULL;
    return code ? code : vertex_table_list(t, r->g, list, count);
}

static int read_table(reading *r, weft_vid **list, size_t *count) {
    vertex_table t;
    int code = open_table(r, &t, list, count);
    if (!code && !*count) code = cli_fail(EXIT_INPUT, "%s: no vertex in the file", r->path);
    vertex_table_close(&t);
    return code;
}

/* One id a line; empty lines and lines that begin with # are passed over. */
static int read_lines(const reading *r, weft_vid **list, size_t *count) {
    const char *next;
    size_t lines = 1;
    int code = EXIT_DONE;
    for (const char *p = r->text; p < r->end; p++) lines += *p == '\n';
    *list = cli_take(lines, sizeof **list);
    if (!*list) return EXIT_MEMORY;
    for (const char *text = r->text; !code && text < r->end; text = next) {
        const char *stop = memchr(text, '\n', (size_t)(r->end - text)), *last = stop ? stop : r->end;
        next = stop ? stop + 1 : r->end;
        while (text < last && is_blank(*text)) text++;
        while (last > text && is_blank(last[-1])) last--;
        if (text == last || *text == '#') continue;
        code = find_line(r, text, (size_t)(last - text), &(*list)[*count]);
        ++*count;
    }
    if (!code && !*count) code = cli_fail(EXIT_INPUT, "%s: no vertex in the file", r->path);
    return code;
}

/* "1,2,3", or one name with commas in it.  *count is 0 if a part is no id: `stranger` gets the first such part. */
static int split_ids(weft_ctx *ctx, const weft_graph *g, const char *word, weft_vid **list, size_t *count,
                     cli_line stranger) {
    size_t most = 1, found = 0;
    for (const char *c = word; *c; c++) most += *c == ',';
    char *copy = strdup(word);
    *list = cli_take(most, sizeof **list);
    int code = copy && *list ? EXIT_DONE : EXIT_MEMORY;
    if (!code && weft_graph_find(ctx, g, word, *list) == WEFT_OK) {
        *count = 1;
    } else if (!code) {
        char *rest = copy, *id;
        while ((id = strsep(&rest, ",")) && weft_graph_find(ctx, g, id, &(*list)[found]) == WEFT_OK) found++;
        *count = id ? 0 : found;
        snprintf(stranger, sizeof(cli_line), "%s", id ? id : "");
    }
    free(copy);
    if (code || !*count) {
        free(*list);
        *list = NULL;
    }
    return code;
}

/* The vertices named by the word itself, with *file NULL; or no vertices, and the file to read. */
static int take_ids(weft_ctx *ctx, const weft_graph *g, const char *word, weft_vid **list, size_t *count,
                    const char **file) {
    *list = NULL;
    *count = 0;
    *file = NULL;
    if (is_random(word)) return draw(ctx, g, word, list, count);
    const char *path = cli_vertices_file(word);
    bool there = access(path, F_OK) == 0 || strcmp(path, "-") == 0;
    cli_line stranger = "";
    if (!*path)
        return cli_fail(EXIT_USAGE, *word ? "@ is followed by the name of a file" : "the list of vertices is empty");
    int code = path == word ? split_ids(ctx, g, word, list, count, stranger) : EXIT_DONE;
    if (code || (*count && !there)) return code;
    if (*count) {
        free(*list);
        *list = NULL;
        *count = 0;
        return cli_fail(EXIT_USAGE,
                        "'%s' is both a vertex and a file here: write @%s for the file, or '%s,%s' for the vertex",
                        word, word, word, word);
    }
    if (path == word && !there && strchr(word, ','))
        return cli_fail(EXIT_INPUT, "'%s' lists '%s', which is no vertex of the graph", word, stranger);
    if (path == word && !there && !strpbrk(word, "./"))
        return cli_fail(EXIT_INPUT, "'%s' is neither a list of vertices of the graph (1,2,3), nor a file, nor random:K",
                        word);
    *file = path;
    return EXIT_DONE;
}

int cli_check_not_vertices(void *out, const char *word) { return cli_check_not_input(cli_vertices_file(word), out); }

static int read_word(weft_ctx *ctx, const weft_graph *g, const char *word, weft_vid **list, size_t *count) {
    reading r;
    const char *file;
    int code = take_ids(ctx, g, word, list, count, &file);
    if (code || !file) return code;
    code = open_text(ctx, g, file, &r);
    if (!code) code = is_table(&r) ? read_table(&r, list, count) : read_lines(&r, list, count);
    weft_free(ctx, r.text);
    return code;
}

typedef struct gathering {
    weft_ctx *ctx;
    const weft_graph *g;
    weft_vid *list;
    size_t count;
    double *weights;
} gathering;

static int add_word(void *user, const char *word) {
    gathering *all = user;
    weft_vid *list;
    size_t count;
    int code = read_word(all->ctx, all->g, word, &list, &count);
    weft_vid *grown = code ? NULL : realloc(all->list, (all->count + count + 1) * sizeof *grown);
    if (grown) {
        if (count) memcpy(grown + all->count, list, count * sizeof *grown);
        all->list = grown;
        all->count += count;
    } else if (!code) {
        code = cli_fail(EXIT_MEMORY, "out of memory");
    }
    free(list);
    return code;
}

int cli_read_vertices(weft_ctx *ctx, const weft_graph *g, const char *words, weft_vid **list, size_t *count) {
    gathering all = {ctx, g, NULL, 0, NULL};
    if (!strchr(words, AGAIN_WORDS)) return read_word(ctx, g, words, list, count);
    int code = cli_each_word(words, AGAIN_WORDS, add_word, &all);
    *list = all.list;
    *count = all.count;
    return code;
}

/* --- weights -------------------------------------------------------------------------------------- */

/* Moves to the next word that is no comment, or to the end. */
static const char *next_data(const reading *r, const char *p) {
    for (;;) {
        while (p < r->end && is_space(*p)) p++;
        if (p == r->end || *p != '#') return p;
        while (p < r->end && *p != '\n') p++;
    }
}

static const char *next_in_line(const reading *r, const char *p) {
    while (p < r->end && is_blank(*p)) p++;
    return p;
}

static bool at_word(const reading *r, const char *p) { return p < r->end && *p != '\n' && *p != '#'; }

/* The end of the line's words: the line end, or a # after a blank, which starts a comment. */
static const char *words_end(const reading *r, const char *p) {
    while (p < r->end && *p != '\n' && !(is_blank(*p) && p + 1 < r->end && p[1] == '#')) p++;
    return p;
}

/* Does a tab separate two words of the line?  Then blanks are part of words. */
static bool has_tabs(const reading *r, const char *line) {
    const char *end = words_end(r, line);
    while (end > line && is_blank(end[-1])) end--;
    return memchr(line, '\t', (size_t)(end - line)) != NULL;
}

static const char *word_end(const reading *r, const char *p) {
    const char *last = words_end(r, p), *end = p;
    while (end < last && (r->tabs ? *end != '\t' : !is_blank(*end))) end++;
    while (end > p && is_blank(end[-1])) end--;
    return end;
}

/* A word in double quotes, with quotes doubled inside, as in fields of tables; false: the closing quote is missing. */
static bool unquote(const reading *r, const char *p, char id[LONGEST_ID], size_t *length, const char **stop) {
    *length = 0;
    for (p++; p < r->end && *p != '\n'; p++) {
        if (*p == '"' && (p + 1 == r->end || p[1] != '"')) {
            *stop = p + 1;
            return *stop == r->end || is_space(**stop);
        }
        p += *p == '"';
        if (*length + 1 < LONGEST_ID) id[(*length)++] = *p;
    }
    return false;
}

/* A decimal number of 0 or more and nothing else. */
static bool number_of(const char *at, const char *stop, double *number) {
    char copy[LONGEST_NUMBER], *end;
    size_t length = (size_t)(stop - at);
    if (length >= sizeof copy || strspn(at, "+-.0123456789eE") < length) return false;
    memcpy(copy, at, length);
    copy[length] = 0;
    *number = strtod(copy, &end);
    return length && !*end && *number >= 0 && isfinite(*number);
}

/* Reads the id at p; *next is the position after it. */
static int take_id(const reading *r, const char *p, weft_vid *v, const char **next) {
    char id[LONGEST_ID];
    const char *stop = p;
    size_t length;
    if (*p != '"') {
        stop = word_end(r, p);
        length = (size_t)(stop - p);
        if (length < sizeof id) memcpy(id, p, length);
    } else if (!unquote(r, p, id, &length, &stop)) {
        return wrong_at(r, p, "a quote that does not end with the word");
    }
    id[length < sizeof id ? length : 0] = 0;
    weft_status st = length < sizeof id && strlen(id) == length ? weft_graph_find(r->ctx, r->g, id, v) : WEFT_ENOTFOUND;
    if (st == WEFT_ENOTFOUND || st == WEFT_EINVAL) return wrong_word(r, p, stop, "no vertex of the graph is called");
    *next = next_in_line(r, stop);
    return st ? cli_fail_status(r->ctx, st) : EXIT_DONE;
}

/* A word that begins with # starts a comment, if it is not in quotes.  An id without a weight weighs 1; an id that is
 * listed again adds up. */
static int take_line(const reading *r, const char **at, double *weights) {
    const char *p = *at, *stop;
    weft_vid v = 0;
    double weight = 1;
    int code = take_id(r, p, &v, &p);
    if (code) return code;
    if (at_word(r, p)) {
        stop = word_end(r, p);
        if (!number_of(p, stop, &weight))
            return wrong_word(r, p, stop, "expected a weight, a number of 0 or more, found");
        p = next_in_line(r, stop);
    }
    if (at_word(r, p)) return wrong_word(r, p, word_end(r, p), "expected nothing after the weight, found");
    weights[v] += weight;
    *at = p;
    return EXIT_DONE;
}

static int weigh_table(reading *r, double *weights) {
    vertex_table t;
    weft_vid *list = NULL;
    size_t count = 0;
    int code = open_table(r, &t, &list, &count);
    if (!code && t.columns > 2)
        code = vertex_table_wrong(&t, t.lines[0], "%zu columns beside the ids, but weights are one", t.columns - 1);
    for (size_t i = 0; i < count && !code; i++) {
        const char *field = t.fields[(i + 1) * t.columns + !t.id_column];
        double weight = 1;
        if (t.columns == 2 && !number_of(field, field + strlen(field), &weight))
            code = vertex_table_wrong(&t, t.lines[i + 1], "expected a weight, a number of 0 or more, found '%.40s'",
                                      field);
        if (!code) weights[list[i]] += weight;
    }
    free(list);
    vertex_table_close(&t);
    return code;
}

static int weigh_lines(const reading *r, double *weights) {
    reading line = *r;
    int code = EXIT_DONE;
    for (const char *p = next_data(r, r->text); !code && p < r->end; p = next_data(r, p)) {
        line.tabs = has_tabs(r, p);
        code = take_line(&line, &p, weights);
        if (!code && cli_interrupted()) code = cli_fail(EXIT_INTERRUPTED, "interrupted");
    }
    return code;
}

/* Adds the weights of a word. */
static int weigh_word(void *user, const char *word) {
    gathering *all = user;
    reading r;
    weft_vid *list;
    size_t count;
    const char *path;
    int code = take_ids(all->ctx, all->g, word, &list, &count, &path);
    for (size_t i = 0; !code && !path && i < count; i++) all->weights[list[i]] += 1;
    free(list);
    if (code || !path) return code;
    code = open_text(all->ctx, all->g, path, &r);
    if (!code) code = is_table(&r) ? weigh_table(&r, all->weights) : weigh_lines(&r, all->weights);
    weft_free(all->ctx, r.text);
    return code;
}

int cli_read_weights(weft_ctx *ctx, const weft_graph *g, const char *words, double **weights) {
    weft_vid n = weft_graph_vertices(g);
    double sum = 0;
    *weights = cli_take(n, sizeof **weights);
    gathering all = {ctx, g, NULL, 0, *weights};
    int code = *weights ? cli_each_word(words, AGAIN_WORDS, weigh_word, &all) : EXIT_MEMORY;
    for (weft_vid v = 0; !code && v < n; v++) sum += (*weights)[v];
    if (code || !n || (sum > 0 && isfinite(sum))) return code;
    const char *file = strchr(words, AGAIN_WORDS) ? "the weights of all files" : cli_vertices_file(words);
    return cli_fail(EXIT_INPUT, "%s: the weights sum to %g; they must have a finite sum above 0", file ? file : words,
                    sum);
}

/* --- pairs ---------------------------------------------------------------------------------------- */

static int take_pair(const reading *r, const char **at, weft_vid pair[2]) {
    const char *p = *at, *first = p;
    int code = take_id(r, p, &pair[0], &p);
    if (!code && !at_word(r, p))
        return wrong_at(r, p, "expected a second id (one that begins with # stands in quotes)");
    if (!code) code = take_id(r, p, &pair[1], &p);
    if (!code && at_word(r, p)) return wrong_word(r, p, word_end(r, p), "expected nothing after two ids, found");
    if (!code && pair[0] == pair[1]) return wrong_at(r, first, "a vertex and itself; pairs are of two vertices");
    *at = p;
    return code;
}

int cli_read_pairs(weft_ctx *ctx, const weft_graph *g, const char *path, weft_vid **list, size_t *count) {
    reading r;
    size_t lines = 1;
    *list = NULL;
    *count = 0;
    int code = open_text(ctx, g, path, &r);
    if (code) return code;
    for (const char *p = r.text; p < r.end; p++) lines += *p == '\n';
    if (!(*list = cli_take(lines, 2 * sizeof **list))) code = EXIT_MEMORY;
    for (const char *p = code ? r.end : next_data(&r, r.text); !code && p < r.end; p = next_data(&r, p)) {
        r.tabs = has_tabs(&r, p);
        code = take_pair(&r, &p, *list + 2 * (*count)++);
        if (!code && cli_interrupted()) code = cli_fail(EXIT_INTERRUPTED, "interrupted");
    }
    if (!code && !*count) code = cli_fail(EXIT_INPUT, "%s: no pair in the file", path);
    weft_free(ctx, r.text);
    return code;
}
