/* Reads a matrix with a row for each vertex from NumPy's .npy (versions 1 to 3): a magic, a Python dict as text, then
 * the bare array.  Taken are C order, one or two dimensions (one is a single column), and numbers in this machine's
 * byte order: f4 and f2 as they are, f8 made f4, and V2, two bytes that NumPy does not look into, as bf16.  The shape
 * is held against the graph and the file before memory is taken for it. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define FOREIGN '>'
#else
#define FOREIGN '<'
#endif

enum { FIXED = 8 /* magic and version */, LONGEST_HEADER = 1 << 16, CHUNK = 1 << 16, HUGE_PAGE = 1 << 21 };

typedef struct reading {
    const char *path;
    FILE *from;
    char *header;
    size_t header_bytes; /* of the file before the array */
    unsigned each;       /* bytes of a number in the file */
    weft_type type;
    uint64_t rows, width;
} reading;

/* --- the header ----------------------------------------------------------------------- */

static int broken(const reading *r) {
    if (cli_interrupted()) return cli_fail(EXIT_INTERRUPTED, "interrupted");
    if (ferror(r->from)) return cli_fail(EXIT_INPUT, "cannot read %s: %s", r->path, strerror(errno));
    return cli_fail(EXIT_INPUT, "%s: not a .npy file, or its header is damaged", r->path);
}

static int read_header(reading *r) {
    unsigned char start[FIXED + 4];
    if (fread(start, 1, FIXED, r->from) != FIXED || memcmp(start, "\x93NUMPY", 6) != 0 || start[6] < 1 || start[6] > 3)
        return broken(r);
    size_t size_bytes = start[6] == 1 ? 2 : 4, length = 0;
    if (fread(start + FIXED, 1, size_bytes, r->from) != size_bytes) return broken(r);
    for (size_t i = size_bytes; i-- > 0;) length = length << 8 | start[FIXED + i];
    if (length > LONGEST_HEADER) return broken(r);
    r->header = cli_take(length + 1, 1);
    if (!r->header) return EXIT_MEMORY;
    r->header_bytes = FIXED + size_bytes + length;
    return fread(r->header, 1, length, r->from) == length ? EXIT_DONE : broken(r);
}

/* The text after 'key':, or NULL. */
static const char *value_of(const reading *r, const char *key) {
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s':", key);
    const char *at = strstr(r->header, quoted);
    return at ? at + strlen(quoted) + strspn(at + strlen(quoted), " ") : NULL;
}

/* '<f4' and the like. */
static int read_type(reading *r) {
    const char *type = value_of(r, "descr");
    if (!type) return broken(r);
    if (*type == '[')
        return cli_fail(EXIT_INPUT, "%s: a structured array; save the numbers alone, as a 2-D array of float32",
                        r->path);
    int length = *type == '\'' ? (int)strcspn(type + 1, "'") : 0;
    bool real = length == 3 && type[2] == 'f' && strchr("248", type[3]);
    bool upper = length == 3 && type[2] == 'V' && type[3] == '2';
    if (!length) return broken(r);
    if (length == 3 && strchr("ui", type[2]) && type[3] == '2')
        return cli_fail(EXIT_INPUT,
                        "%s: numbers of type '%.*s'; if they are the bits of bf16, save x.view('V2'), else "
                        "x.astype('float32')",
                        r->path, length, type + 1);
    if (!real && !upper)
        return cli_fail(EXIT_INPUT,
                        "%s: numbers of type '%.*s'; f4, f8, f2 and V2 (bf16) are read: save x.astype('float32')",
                        r->path, length, type + 1);
    if (type[1] == FOREIGN)
        return cli_fail(EXIT_INPUT, "%s: '%.*s' has the byte order of another machine; save x.astype('float32')",
                        r->path, length, type + 1);
    r->each = (unsigned)(type[3] - '0');
    r->type = upper ? WEFT_BF16 : r->each == 2 ? WEFT_F16 : WEFT_F32;
    return EXIT_DONE;
}

/* (rows, width) or (rows,) */
static int read_shape(reading *r) {
    const char *order = value_of(r, "fortran_order"), *shape = value_of(r, "shape");
    if (!order || !shape || *shape != '(') return broken(r);
    uint64_t size[2] = {0, 1};
    int dimensions = 0;
    const char *at = shape + 1;
    for (at += strspn(at, " "); *at != ')'; at += strspn(at, ", ")) {
        char *end;
        errno = 0;
        uint64_t x = strtoull(at, &end, 10);
        if (end == at || errno || *at == '-') return broken(r);
        if (dimensions < 2) size[dimensions] = x;
        dimensions++;
        at = end;
    }
    if (dimensions < 1 || dimensions > 2)
        return cli_fail(EXIT_INPUT, "%s: an array of %d dimensions; a matrix with a row for each vertex has 2", r->path,
                        dimensions);
    if (strncmp(order, "True", 4) == 0)
        return cli_fail(EXIT_INPUT, "%s: in Fortran order, column by column; save np.ascontiguousarray(x)", r->path);
    r->rows = size[0];
    r->width = size[1];
    if (!r->width) return cli_fail(EXIT_INPUT, "%s: the matrix has no columns", r->path);
    return EXIT_DONE;
}

/* --- the graph --------------------------------------------------------------------------- */

/* Would --vertices make a graph with that many?  Vertices that no edge mentions are the usual reason for a
 * difference. */
static bool vertices_would_help(weft_ctx *ctx, const weft_graph *g, uint64_t rows) {
    weft_graph_info info = {.size = sizeof info};
    weft_vid n = weft_graph_vertices(g);
    if (!n || n >= rows || rows > CLI_MOST_VERTICES || weft_graph_describe(ctx, g, &info) ||
        strcmp(info.format, "edgelist") != 0)
        return false;
    int64_t largest = weft_graph_id(g, n - 1);
    return info.id_kind != WEFT_IDS_STRING && weft_graph_id(g, 0) >= 0 && (uint64_t)largest < rows;
}

static int check_rows(weft_ctx *ctx, const reading *r, const weft_graph *g, const char *graph_path) {
    weft_vid n = weft_graph_vertices(g);
    cli_text rows, vertices;
    if (r->rows == n) return EXIT_DONE;
    cli_count(rows, r->rows);
    cli_count(vertices, n);
    if (vertices_would_help(ctx, g, r->rows))
        return cli_fail(EXIT_INPUT, "%s has %s rows, but %s has %s vertices; --vertices %llu adds those without edges",
                        r->path, rows, graph_path, vertices, (unsigned long long)r->rows);
    return cli_fail(EXIT_INPUT, "%s has %s rows, but %s has %s vertices: each vertex needs a row", r->path, rows,
                    graph_path, vertices);
}

/* Where ids are not simply the numbers of the rows, it is said whose the rows are. */
static int say_whose(const reading *r, const cli_options *options, const weft_graph *g) {
    weft_vid n = weft_graph_vertices(g);
    if (!n || (weft_graph_id_kind(g) == WEFT_IDS_DENSE && weft_graph_id(g, 0) == 0)) return EXIT_DONE;
    char *first = cli_id_text(g, 0, true), *last = cli_id_text(g, n - 1, true);
    if (first && last)
        cli_note(options, "%s: the first row is for vertex %s, the last for %s, in the order of -o", r->path, first,
                 last);
    int code = first && last ? EXIT_DONE : EXIT_MEMORY;
    free(first);
    free(last);
    return code;
}

/* --- the numbers ---------------------------------------------------------------------------- */

static int read_numbers(const reading *r, size_t total, char *to) {
    static double room[CHUNK];
    bool made = r->each == sizeof *room; /* f8 made f4 */
    size_t stored = weft_type_size(r->type);
    for (size_t done = 0; done < total;) {
        size_t count = total - done < CHUNK ? total - done : CHUNK;
        size_t got = fread(made ? (void *)room : to + done * stored, r->each, count, r->from);
        if (cli_interrupted()) return cli_fail(EXIT_INTERRUPTED, "interrupted");
        if (got < count && ferror(r->from)) return broken(r);
        if (got < count) return cli_fail(EXIT_INPUT, "%s: ends after %zu of %zu numbers", r->path, done + got, total);
        for (size_t i = 0; made && i < count; i++) ((float *)(void *)to)[done + i] = (float)room[i];
        done += count;
    }
    return EXIT_DONE;
}

/* Rows are read from all over the matrix: with small pages each would cost a walk through the page table as well. */
static void *take_matrix(size_t bytes) {
    void *block = NULL;
    if (posix_memalign(&block, bytes < HUGE_PAGE ? 64 : HUGE_PAGE, bytes ? bytes : 1)) return NULL;
    if (bytes >= HUGE_PAGE) madvise(block, bytes, MADV_HUGEPAGE);
    return block;
}

/* The memory limit is for everything that is held: what the matrix takes is not there for the library. */
int cli_reserve(weft_ctx *ctx, const char *what, uint64_t bytes, uint64_t *held) {
    cli_text needed, beside, limit;
    uint64_t left = weft_ctx_memory_limit(ctx), used = weft_ctx_memory_in_use(ctx), before = *held;
    *held += bytes;
    if (!left) return EXIT_DONE;
    if (bytes >= left || used > left - bytes)
        return cli_fail(EXIT_MEMORY, "%s would be over the memory limit of %s: it needs %s on top of %s", what,
                        cli_bytes(limit, left + before), cli_bytes(needed, bytes), cli_bytes(beside, used + before));
    weft_status st = weft_ctx_set_memory_limit(ctx, left - bytes);
    return st ? cli_fail_status(ctx, st) : EXIT_DONE;
}

static int read_array(weft_ctx *ctx, const reading *r, uint64_t *held, weft_matrix *out) {
    uint64_t file = cli_file_bytes(r->path);
    size_t total, bytes, in_file;
    if (__builtin_mul_overflow(r->rows, r->width, &total) ||
        __builtin_mul_overflow(total, weft_type_size(r->type), &bytes) ||
        __builtin_mul_overflow(total, r->each, &in_file))
        return broken(r);
    if (file && (file < r->header_bytes || in_file > file - r->header_bytes))
        return cli_fail(EXIT_INPUT, "%s: ends after %llu of %zu numbers", r->path,
                        (unsigned long long)((file - r->header_bytes) / r->each), total);
    int code = cli_reserve(ctx, r->path, bytes, held);
    if (code) return code;
    void *data = take_matrix(bytes);
    if (!data) return cli_fail(EXIT_MEMORY, "out of memory");
    *out = (weft_matrix){sizeof *out, data, r->rows, r->width, r->type};
    return read_numbers(r, total, data);
}

int cli_read_matrix(weft_ctx *ctx, const cli_options *options, const char *path, const weft_graph *g,
                    const char *graph_path, uint64_t *held, weft_matrix *out) {
    reading r = {.path = path, .from = fopen(path, "rb")};
    if (!r.from) return cli_fail(EXIT_INPUT, "cannot open %s: %s", path, strerror(errno));
    int code = read_header(&r);
    if (!code) code = read_type(&r);
    if (!code) code = read_shape(&r);
    if (!code) code = check_rows(ctx, &r, g, graph_path);
    if (!code) code = say_whose(&r, options, g);
    if (!code) code = read_array(ctx, &r, held, out);
    fclose(r.from);
    free(r.header);
    return code;
}
