/* Reads a matrix with a row for each vertex from NumPy's .npy (src/stream/npy.h).  Taken are C order, one or two
 * dimensions (one is a single column), and numbers in this machine's byte order: f4 and f2 as they are, f8 made f4, and
 * V2, two bytes that NumPy does not look into, as bf16.  The shape is held against the graph and the file before memory
 * is taken for it. */
#include "cli.h"
#include "npy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LONGEST_HEADER = 1 << 16, CHUNK = 1 << 16, HUGE_PAGE = 1 << 21 };

typedef struct reading {
    const char *path;
    FILE *from;
    char *header; /* the file before the array */
    wfi_npy array;
    unsigned each; /* bytes of a number in the file */
    weft_type type;
    uint64_t rows, width;
} reading;

/* --- the header ----------------------------------------------------------------------- */

static int broken(const reading *r) {
    if (cli_interrupted()) return cli_fail(EXIT_INTERRUPTED, "interrupted");
    if (ferror(r->from)) return cli_fail(EXIT_INPUT, "cannot read %s: %s", r->path, strerror(errno));
    return cli_fail(EXIT_INPUT, "%s: not a .npy file, or its header is damaged", r->path);
}

/* Reads magic, version and length, then the header text. */
static int read_header(reading *r) {
    unsigned char start[12];
    if (fread(start, 1, sizeof start, r->from) != sizeof start) return broken(r);
    size_t size_bytes = start[6] == 1 ? 2 : 4, length = 8 + size_bytes;
    for (size_t i = size_bytes; i-- > 0;) length += (size_t)start[8 + i] << 8 * i;
    if (length < sizeof start || length > LONGEST_HEADER) return broken(r);
    r->header = cli_take(length, 1);
    if (!r->header) return EXIT_MEMORY;
    memcpy(r->header, start, sizeof start);
    if (fread(r->header + sizeof start, 1, length - sizeof start, r->from) != length - sizeof start) return broken(r);
    return wfi_npy_read(&r->array, r->header, length) ? EXIT_DONE : broken(r);
}

static int read_type(reading *r) {
    const wfi_dtype *type = &r->array.type;
    char kind = type->text[0] ? type->text[1] : 0;
    if (r->array.field_count)
        return cli_fail(EXIT_INPUT, "%s: a structured array; save the numbers alone, as a 2-D array of float32",
                        r->path);
    if (type->bytes == 2 && (kind == 'u' || kind == 'i'))
        return cli_fail(EXIT_INPUT,
                        "%s: numbers of type '%s'; if they are the bits of bf16, save x.view('V2'), else "
                        "x.astype('float32')",
                        r->path, type->text);
    if (type->kind != WFI_FLOAT && (kind != 'V' || type->bytes != 2))
        return cli_fail(EXIT_INPUT,
                        "%s: numbers of type '%s'; f4, f8, f2 and V2 (bf16) are read: save x.astype('float32')",
                        r->path, type->text);
    if (type->text[0] == '>')
        return cli_fail(EXIT_INPUT, "%s: '%s' has the byte order of another machine; save x.astype('float32')", r->path,
                        type->text);
    r->each = type->bytes;
    r->type = kind == 'V' ? WEFT_BF16 : r->each == 2 ? WEFT_F16 : WEFT_F32;
    return EXIT_DONE;
}

/* (rows, width) or (rows,) */
static int read_shape(reading *r) {
    const wfi_npy *a = &r->array;
    if (a->dimensions < 1 || a->dimensions > 2)
        return cli_fail(EXIT_INPUT, "%s: an array of %u dimensions; a matrix with a row for each vertex has 2", r->path,
                        a->dimensions);
    if (a->fortran)
        return cli_fail(EXIT_INPUT, "%s: in Fortran order, column by column; save np.ascontiguousarray(x)", r->path);
    r->rows = a->shape[0];
    r->width = a->shape[1];
    if (!r->width) return cli_fail(EXIT_INPUT, "%s: the matrix has no columns", r->path);
    return EXIT_DONE;
}

/* --- the graph --------------------------------------------------------------------------- */

/* Would --vertices make a graph with that number of vertices?  Vertices that no edge mentions are the usual reason for
 * a difference. */
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

/* A note names the vertices of the rows where ids are not simply the row numbers. */
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
    static double buffer[CHUNK];
    bool made = r->each == sizeof *buffer; /* f8 converted to f4 */
    size_t stored = weft_type_size(r->type);
    for (size_t done = 0; done < total;) {
        size_t count = total - done < CHUNK ? total - done : CHUNK;
        size_t got = fread(made ? (void *)buffer : to + done * stored, r->each, count, r->from);
        if (cli_interrupted()) return cli_fail(EXIT_INTERRUPTED, "interrupted");
        if (got < count && ferror(r->from)) return broken(r);
        if (got < count) return cli_fail(EXIT_INPUT, "%s: ends after %zu of %zu numbers", r->path, done + got, total);
        for (size_t i = 0; made && i < count; i++) ((float *)(void *)to)[done + i] = (float)buffer[i];
        done += count;
    }
    return EXIT_DONE;
}

/* Rows are read in any order: with small pages each would cost a walk through the page table as well. */
static void *take_matrix(size_t bytes) {
    void *block = NULL;
    if (posix_memalign(&block, bytes < HUGE_PAGE ? 64 : HUGE_PAGE, bytes ? bytes : 1)) return NULL;
    if (bytes >= HUGE_PAGE) madvise(block, bytes, MADV_HUGEPAGE);
    return block;
}

/* The memory limit covers everything: the matrix's bytes are subtracted from the library's limit. */
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
    uint64_t file = cli_file_bytes(r->path), before = (uint64_t)(r->array.data - r->array.start);
    size_t total, bytes, in_file;
    if (__builtin_mul_overflow(r->rows, r->width, &total) ||
        __builtin_mul_overflow(total, weft_type_size(r->type), &bytes) ||
        __builtin_mul_overflow(total, r->each, &in_file))
        return broken(r);
    if (file && (file < before || in_file > file - before))
        return cli_fail(EXIT_INPUT, "%s: ends after %llu of %zu numbers", r->path,
                        (unsigned long long)((file - before) / r->each), total);
    int code = cli_reserve(ctx, r->path, bytes, held);
    if (code) return code;
    void *data = take_matrix(bytes);
    if (!data) return cli_fail(EXIT_MEMORY, "out of memory");
    *out = (weft_matrix){sizeof *out, data, r->rows, r->width, r->type};
    return read_numbers(r, total, data);
}

int cli_read_matrix(const cli_graph *of, const cli_options *options, const char *path, uint64_t *held,
                    weft_matrix *out) {
    reading r = {.path = path, .from = fopen(path, "rb")};
    if (!r.from) return cli_fail(EXIT_INPUT, "cannot open %s: %s", path, strerror(errno));
    int code = read_header(&r);
    if (!code) code = read_type(&r);
    if (!code) code = read_shape(&r);
    if (!code) code = check_rows(of->ctx, &r, of->g, of->path);
    if (!code) code = say_whose(&r, options, of->g);
    if (!code) code = read_array(of->ctx, &r, held, out);
    fclose(r.from);
    free(r.header);
    return code;
}
