/* Result files: a temporary in the same directory, renamed when everything is on disk, removed otherwise; so a full
 * disk or Ctrl-C leaves what was there before.  Where the system has files without a name it is one, so that SIGKILL
 * leaves nothing either; src/io/sink.c does the same for graphs, and the program does not see it.
 * Devices, pipes and open descriptors are written in place. */
#include "rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_STEM = 200, OWN_LINK = 64 };

int rows_format_of_path(const char *path, bool pictures, rows_format *format) {
    static const struct {
        const char *extension;
        rows_format format;
    } known[] = {{".tsv", ROWS_TSV},     {".txt", ROWS_TSV},      {".csv", ROWS_CSV}, {".json", ROWS_JSON},
                 {".jsonl", ROWS_JSONL}, {".ndjson", ROWS_JSONL}, {".npy", ROWS_NPY}};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *packed = pack_extension(name);
    size_t length = packed ? (size_t)(packed - name) : strlen(name);
    const char *dot = memrchr(name, '.', length);
    *format = ROWS_TSV;
    if (!dot) return EXIT_DONE; /* -o - and -o /dev/stderr */
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].extension) != length - (size_t)(dot - name)) continue;
        if (memcmp(dot, known[i].extension, strlen(known[i].extension)) != 0) continue;
        *format = known[i].format;
        if (*format == ROWS_NPY && packed)
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
    return cli_fail(EXIT_INPUT, "cannot write %s: %s", path, errno ? strerror(errno) : "write failed");
}

/* What a plain fopen would have given the file: mkstemp makes it private. */
static mode_t usual_mode(const char *path) {
    struct stat there;
    if (stat(path, &there) == 0) return there.st_mode & 07777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* "dir/.name.XXXXXX" beside the target; the longest names have no room for more, so theirs is cut. */
static char *temporary_name(const char *path) {
    const char *slash = strrchr(path, '/');
    size_t directory = slash ? (size_t)(slash + 1 - path) : 0;
    size_t room = strlen(path) + sizeof ".." + sizeof "XXXXXX";
    char *name = cli_take(room, 1);
    if (name) snprintf(name, room, "%.*s.%.*s.XXXXXX", (int)directory, path, LONGEST_STEM, path + directory);
    return name;
}

/* --- the stream ------------------------------------------------------------------------------------------------------ */

/* A stream of our own: that of the C library goes on after Ctrl-C in the middle of a write, to a pipe that nobody reads, and forgets why a
 * write failed. */
static ssize_t write_bytes(void *cookie, const char *data, size_t bytes) {
    out_file *out = cookie;
    size_t done = 0;
    while (done < bytes && !out->error) {
        ssize_t n = cli_interrupted() ? -1 : write(out->fd, data + done, bytes - done);
        if (n >= 0)
            done += (size_t)n;
        else if (cli_interrupted())
            out->error = EINTR;
        else if (errno != EINTR)
            out->error = errno;
    }
    return out->error ? 0 : (ssize_t)bytes; /* 0 is the stream's way to say that it failed */
}

static int close_bytes(void *cookie) { return close(((const out_file *)cookie)->fd); }

static bool open_stream(out_file *out) {
    out->to = fopencookie(out, "w", (cookie_io_functions_t){.write = write_bytes, .close = close_bytes});
    return out->to != NULL;
}

static int open_in_place(out_file *out, const char *path) {
    int own = out->to_stdout ? STDOUT_FILENO : cli_descriptor(path);
    out->path = strdup(out->to_stdout ? "standard output" : path);
    out->fd = own >= 0 ? fcntl(own, F_DUPFD_CLOEXEC, 0) : open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (!out->path || out->fd < 0) return cannot_write(path);
    if (open_stream(out)) return EXIT_DONE;
    close(out->fd);
    return cannot_write(path);
}

/* --- a file of its own --------------------------------------------------------------------------------------------- */

static void own_link(const out_file *out, char to[OWN_LINK]) { snprintf(to, OWN_LINK, "/proc/self/fd/%d", out->fd); }

/* Where it could be given a name in the end. */
static bool open_nameless(out_file *out) {
    char *slash = strrchr(out->temporary, '/'), cut = slash ? slash[1] : 0, link[OWN_LINK];
    struct stat facts, linked;
    if (slash) slash[1] = 0;
    out->fd = open(slash ? out->temporary : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (slash) slash[1] = cut;
    if (out->fd < 0) return false;
    own_link(out, link);
    out->nameless = fstat(out->fd, &facts) == 0 && stat(link, &linked) == 0 && facts.st_dev == linked.st_dev &&
                    facts.st_ino == linked.st_ino;
    if (!out->nameless) close(out->fd);
    return out->nameless;
}

/* A name that nobody has: that of an empty file, which goes. */
static bool give_name(out_file *out) {
    char link[OWN_LINK];
    own_link(out, link);
    for (int tries = 0; out->nameless && tries < 100; tries++) {
        memcpy(out->temporary + strlen(out->temporary) - 6, "XXXXXX", 6);
        int taken = mkstemp(out->temporary);
        if (taken < 0) return false;
        close(taken);
        unlink(out->temporary);
        out->nameless = linkat(AT_FDCWD, link, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW) != 0;
        if (out->nameless && errno != EEXIST) return false;
    }
    if (!out->nameless) cli_signals_guard(out->temporary);
    return !out->nameless;
}

static int open_temporary(out_file *out, const char *path) {
    out->path = cli_real_target(path); /* a symbolic link stays one: its target is replaced, or made */
    if (!out->path) return cannot_write(path);
    out->temporary = temporary_name(out->path);
    if (!out->temporary) return EXIT_MEMORY;
    if (!open_nameless(out)) {
        out->fd = mkstemp(out->temporary);
        if (out->fd < 0) {
            cannot_write(path);
            free(out->temporary);
            out->temporary = NULL;
            return EXIT_INPUT;
        }
        cli_signals_guard(out->temporary);
    }
    if (fchmod(out->fd, usual_mode(out->path)) == 0 && open_stream(out)) return EXIT_DONE;
    close(out->fd);
    return cannot_write(path);
}

int out_open(out_file *out, const char *path) {
    *out = (out_file){.fd = -1, .to_stdout = cli_is_stdout(path)};
    if (out->to_stdout) cli_flush_stdout(); /* what was said before comes before */
    int code = out->to_stdout || cli_is_in_place(path) ? open_in_place(out, path) : open_temporary(out, path);
    if (code) return code;
    setvbuf(out->to, NULL, _IOFBF, 1 << 18);
    const char *extension = out->to_stdout ? NULL : pack_extension(path);
    if (!extension) return EXIT_DONE;
    out->packed = out->to;
    out->to = pack_stream(out->packed, extension, &out->error);
    if (out->to) return EXIT_DONE;
    out->to = out->packed;
    out->packed = NULL;
    return cli_fail(EXIT_MEMORY, "out of memory for compressing %s", path);
}

/* The rest of what is packed; then the file is like any other. */
static bool end_packing(out_file *out) {
    if (!out->packed) return true;
    bool fine = !ferror(out->to);
    fine = fclose(out->to) == 0 && fine;
    out->to = out->packed;
    out->packed = NULL;
    return fine;
}

int out_settle(out_file *out) {
    errno = 0;
    bool failed = !end_packing(out) || fflush(out->to) != 0 || ferror(out->to);
    if (out->error) errno = out->error;
    return failed ? cannot_write(out->path) : EXIT_DONE;
}

int out_close(out_file *out, int code) {
    errno = 0;
    if (out->to) {
        bool failed = !end_packing(out) || fflush(out->to) != 0 || ferror(out->to);
        int why = out->error ? out->error : errno;
        /* As the library does: what replaces a file is on the disk before it has the name. */
        if (!failed && out->temporary && access(out->path, F_OK) == 0 && fsync(out->fd) && errno != EINVAL) {
            failed = true;
            why = errno;
        }
        if (!failed && code == EXIT_DONE && out->temporary && !cli_interrupted() && !give_name(out)) {
            failed = true;
            why = errno;
        }
        if (fclose(out->to) != 0 && !failed) {
            failed = true;
            why = errno;
        }
        if (out->to_stdout && why != EINTR && (why == EPIPE || cli_stdout_has_no_reader())) failed = false;
        errno = why;
        if (failed && code == EXIT_DONE) code = cannot_write(out->path);
    }
    if (code == EXIT_DONE && cli_interrupted()) code = cli_fail(EXIT_INTERRUPTED, "interrupted");
    if (out->temporary) {
        if (code == EXIT_DONE && rename(out->temporary, out->path) != 0) code = cannot_write(out->path);
        if (code != EXIT_DONE && !out->nameless) unlink(out->temporary);
        cli_signals_guard(NULL);
    }
    free(out->temporary);
    free(out->path);
    *out = (out_file){.fd = -1};
    return code;
}

/* csv: quoted when it must be, or could be taken for a comment or cut to size; quotes doubled. */
static void put_csv(FILE *to, const cell_text *cell) {
    const char *text = cell->text, *end = text + cell->length;
    bool odd = cell->length && (strchr("#% ", *text) || end[-1] == ' ');
    if (!odd && text + strcspn(text, ",\"\r\n") == end) {
        fwrite(text, 1, cell->length, to);
        return;
    }
    fputc('"', to);
    for (; text < end; text++) {
        if (*text == '"') fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

/* tsv: a tab, line end or NUL inside a name is written \t, \n, \r, \0, and a backslash \\, so that rows stay rows. */
static void put_tsv(FILE *to, const cell_text *cell) {
    static const char special[] = "\t\n\r\\"; /* and its NUL */
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

int rows_write_text(FILE *to, const rows *r, char separator) {
    cell_text cell = {NULL, 0, 0};
    int code = EXIT_DONE;
    void (*put_text)(FILE *, const cell_text *) = separator == ',' ? put_csv : put_tsv;
    for (size_t c = 0; c < r->column_count; c++) {
        const char *name = r->columns[c].name;
        put_text(to, &(cell_text){.text = (char *)name, .length = strlen(name)});
        fputc(c + 1 < r->column_count ? separator : '\n', to);
    }
    for (size_t row = 0; row < r->count && !code; row++) {
        if (row % 4096 == 0 && (cli_interrupted() || ferror(to))) break;
        code = rows_reach(r, row);
        for (size_t c = 0; c < r->column_count && !code; c++) {
            if (!cell_print(r, &r->columns[c], row, &cell))
                code = EXIT_MEMORY;
            else if (cell_is_text(r, &r->columns[c]))
                put_text(to, &cell);
            else
                fwrite(cell.text, 1, cell.length, to);
            fputc(c + 1 < r->column_count ? separator : '\n', to);
        }
    }
    free(cell.text);
    if (!code && cli_interrupted()) code = cli_fail(EXIT_INTERRUPTED, "interrupted");
    return code;
}

int rows_write(const cli_options *options, FILE *to, rows_format format, const rows *r, rows_json_writer write_json,
               const void *what) {
    switch (format) {
    case ROWS_TSV: return rows_write_text(to, r, '\t');
    case ROWS_CSV: return rows_write_text(to, r, ',');
    case ROWS_JSONL: return rows_write_jsonl(to, r);
    case ROWS_NPY: return rows_write_npy(to, r, options);
    case ROWS_JSON: return write_json(what, to);
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
