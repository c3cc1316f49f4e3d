/* Result files: whole or not at all (src/stream/place.h), so that a full disk or Ctrl-C leaves the earlier file.
 * Devices, pipes and open descriptors are written in place. */
#include "csv.h"
#include "result/rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rows_format_of_path(const char *path, bool pictures, rows_format *format) {
    static const struct {
        const char *extension;
        rows_format format;
    } known[] = {{".tsv", ROWS_TSV},     {".txt", ROWS_TSV},      {".csv", ROWS_CSV}, {".json", ROWS_JSON},
                 {".jsonl", ROWS_JSONL}, {".ndjson", ROWS_JSONL}, {".npy", ROWS_NPY}};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *packed = wfi_packed_end(name);
    size_t length = (size_t)(packed - name);
    const char *dot = memrchr(name, '.', length);
    *format = ROWS_TSV;
    if (!dot) return EXIT_DONE; /* -o - and -o /dev/stderr */
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].extension) != length - (size_t)(dot - name)) continue;
        if (memcmp(dot, known[i].extension, strlen(known[i].extension)) != 0) continue;
        *format = known[i].format;
        if (*format == ROWS_NPY && *packed)
            return cli_fail(EXIT_USAGE, "NumPy does not read a compressed .npy: write .npy, or text as .tsv%s", packed);
        return EXIT_DONE;
    }
    return cli_fail(
        EXIT_USAGE,
        "results are written as .tsv, .txt, .csv, .json, .jsonl or .npy%s, and text as .gz or .zst of these, not '%s'",
        pictures ? ", pictures as .svg or .png" : "", dot);
}

static int cannot_write(const char *path) {
    if (cli_interrupted()) return cli_fail(EXIT_INTERRUPTED, "interrupted");
    int why = errno;
    return cli_fail(cli_exit_of_error(why), "cannot write %s: %s", path, why ? strerror(why) : "write failed");
}

/* --- the stream ---------------------------------------------------------------------------------------------------- */

/* A stream of our own: the C library's continues a write to a stalled pipe after Ctrl-C, and forgets the error of a
 * failed write. */
static ssize_t write_bytes(void *cookie, const char *data, size_t bytes) {
    out_file *out = cookie;
    if (!out->error && cli_interrupted()) out->error = EINTR;
    if (!out->error) out->error = cli_write(out->file.fd, data, bytes);
    return out->error ? 0 : (ssize_t)bytes; /* a stream's write function returns 0 for a failure */
}

static bool open_stream(out_file *out) {
    out->to = fopencookie(out, "w", (cookie_io_functions_t){.write = write_bytes});
    return out->to != NULL;
}

/* Opens a new file, or a device or descriptor in place. */
static int open_file(out_file *out, const char *path) {
    if (out->in_place) {
        out->file.fd = wfi_open_in_place(out->to_stdout ? "-" : path);
        return out->file.fd < 0 ? errno : 0;
    }
    return wfi_place_open(&out->file, path, cli_signals_guard);
}

int out_open(out_file *out, const char *path) {
    *out = (out_file){.file.fd = -1, .to_stdout = cli_is_stdout(path)};
    out->in_place = out->to_stdout || wfi_is_in_place(path);
    if (out->to_stdout) cli_flush_stdout(); /* flushes earlier output first */
    out->path = strdup(out->to_stdout ? "standard output" : path);
    if (!out->path) return cli_fail(EXIT_MEMORY, "out of memory");
    errno = open_file(out, path);
    if (errno || !open_stream(out)) return cannot_write(out->path);
    setvbuf(out->to, NULL, _IOFBF, 1 << 18);
    if (out->to_stdout || !*wfi_packed_end(path)) return EXIT_DONE;
    out->packed = out->to;
    out->to = pack_stream(out->packed, path, &out->error);
    if (out->to) return EXIT_DONE;
    out->to = out->packed;
    out->packed = NULL;
    return cli_fail(EXIT_MEMORY, "out of memory for compressing %s", path);
}

/* Flushes the compressor; then the file is like any other. */
static bool end_packing(out_file *out) {
    if (!out->packed) return true;
    bool fine = !ferror(out->to);
    fine = fclose(out->to) == 0 && fine;
    out->to = out->packed;
    out->packed = NULL;
    return fine;
}

int out_flush(out_file *out) {
    errno = 0;
    bool failed = !end_packing(out) || fflush(out->to) != 0 || ferror(out->to);
    if (out->error) errno = out->error;
    return failed ? cannot_write(out->path) : EXIT_DONE;
}

/* Closes a file written in place, or gives a new file its name.  0, or errno. */
static int put_in_place(out_file *out) {
    if (!out->in_place) return wfi_place_end(&out->file);
    int why = close(out->file.fd) ? errno : 0;
    out->file.fd = -1;
    return why;
}

int out_close(out_file *out, int code) {
    bool placed = false;
    errno = 0;
    if (out->to) {
        bool failed = !end_packing(out) || fflush(out->to) != 0 || ferror(out->to);
        int why = out->error ? out->error : errno;
        fclose(out->to);
        if (!failed && code == EXIT_DONE && !cli_interrupted()) {
            why = put_in_place(out);
            failed = why != 0;
            placed = !failed;
        }
        if (out->to_stdout && why != EINTR && (why == EPIPE || cli_stdout_has_no_reader())) failed = false;
        errno = why;
        if (failed && code == EXIT_DONE) code = cannot_write(out->path);
    }
    if (code == EXIT_DONE && !placed && cli_interrupted()) code = cli_fail(EXIT_INTERRUPTED, "interrupted");
    wfi_place_drop(&out->file);
    free(out->path);
    *out = (out_file){.file.fd = -1};
    return code;
}

/* Would a spreadsheet run it as a formula? */
static bool is_formula(const cell_text *cell) { return cell->length && strchr("=+-@\t\r\n", *cell->text); }

/* csv: quoted when it must be, or could be taken for a comment or cut to size; quotes doubled. */
static void put_csv(FILE *to, const cell_text *cell) {
    const char *text = cell->text, *end = text + cell->length;
    bool odd = cell->length && (strchr("#% ", *text) || end[-1] == ' ');
    if (!odd && text + strcspn(text, ",\"\r\n") == end) {
        fwrite(text, 1, cell->length, to);
        return;
    }
    wfi_csv_put_quoted(cli_put_bytes, to, text, cell->length);
}

/* tsv: a tab, line end or NUL inside a name is written \t, \n, \r, \0, and a backslash \\, so that rows stay rows. */
static void put_tsv(FILE *to, const cell_text *cell) {
    static const char special[] = "\t\n\r\\"; /* and the NUL */
    for (size_t i = 0; i < cell->length; i++) {
        const char *found = strchr(special, cell->text[i]);
        if (found) {
            fputc('\\', to);
            fputc("tnr\\0"[found - special], to);
        } else {
            fputc(cell->text[i], to);
        }
    }
}

typedef struct text_writer {
    FILE *to;
    bool commas, plain;
    cell_text guarded; /* with a leading ' */
} text_writer;

static bool put_text(text_writer *w, const cell_text *cell) {
    void (*put)(FILE *, const cell_text *) = w->commas ? put_csv : put_tsv;
    if (!w->plain || !is_formula(cell)) return put(w->to, cell), true;
    char *grown = realloc(w->guarded.text, cell->length + 2);
    if (!grown) return cli_fail(EXIT_MEMORY, "out of memory"), false;
    w->guarded = (cell_text){.text = grown, .length = cell->length + 1};
    *grown = '\'';
    memcpy(grown + 1, cell->text, cell->length);
    grown[cell->length + 1] = 0;
    return put(w->to, &w->guarded), true;
}

int rows_write_text(FILE *to, const rows *r, char separator, bool plain) {
    cell_text cell = {NULL, 0, 0};
    text_writer w = {.to = to, .commas = separator == ',', .plain = plain};
    int code = EXIT_DONE;
    for (size_t c = 0; c < r->column_count && !code; c++) {
        const char *name = r->columns[c].name;
        if (!put_text(&w, &(cell_text){.text = (char *)name, .length = strlen(name)})) code = EXIT_MEMORY;
        fputc(c + 1 < r->column_count ? separator : '\n', to);
    }
    for (size_t row = 0; row < r->count && !code; row++) {
        if (row % 4096 == 0 && (cli_interrupted() || ferror(to))) break;
        code = rows_reach(r, row);
        for (size_t c = 0; c < r->column_count && !code; c++) {
            bool fine = cell_print(r, &r->columns[c], row, &cell);
            if (fine && cell_is_text(r, &r->columns[c]))
                fine = put_text(&w, &cell);
            else if (fine)
                fwrite(cell.text, 1, cell.length, to);
            if (!fine) code = EXIT_MEMORY;
            fputc(c + 1 < r->column_count ? separator : '\n', to);
        }
    }
    free(cell.text);
    free(w.guarded.text);
    if (!code && cli_interrupted()) code = cli_fail(EXIT_INTERRUPTED, "interrupted");
    return code;
}

int rows_write(const cli_options *options, FILE *to, rows_format format, const rows *r, rows_json_writer write_json,
               const void *what) {
    switch (format) {
    case ROWS_TSV: return rows_write_text(to, r, '\t', options->no_formulas);
    case ROWS_CSV: return rows_write_text(to, r, ',', options->no_formulas);
    case ROWS_JSONL: return rows_write_jsonl(to, r);
    case ROWS_NPY: return rows_write_npy(to, r, options);
    case ROWS_JSON: return write_json(what, to);
    case ROWS_GRAPH: break; /* written by graph_out_save */
    }
    return EXIT_USAGE;
}

int rows_save(const cli_options *options, const char *path, rows_format format, const rows *r,
              rows_json_writer write_json, const void *what) {
    out_file out;
    int code = out_open(&out, path);
    if (!code) code = rows_write(options, out.to, format, r, write_json, what);
    return out_close(&out, code);
}
