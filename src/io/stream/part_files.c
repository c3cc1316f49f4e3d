/* The files of a folder that are the parts of one table.
 *
 * Rules: regular files count, except names that begin with _ or . or end in .crc.  Folders called column=value (Hive
 * partitions) are searched; the columns in their names are not read.  Any other folder is refused.  The names of
 * several files must differ only in digits (or hexadecimal ids): nodes.csv and edges.csv in one folder are no parts of
 * a table.  If a job has left its success mark, all names are accepted.
 * Refused too: a job that has not finished (_temporary without _SUCCESS), and tables whose log lists the files that
 * count (Delta Lake, Hudi).  No recursion: folders wait in a list. */
#include "io/stream/part_files.h"
#include "io/io.h"
#include "stream/descriptors.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_DEPTH = 16, SHAPE_ROOM = 256 };

typedef struct listing {
    weft_ctx *ctx;
    const char *folder;
    wfi_part_files *parts;
    wfi_part_files waiting;    /* folders still to be searched */
    bool finished, unfinished; /* a _SUCCESS was found; a _temporary was found */
} listing;

bool wfi_is_folder(const char *path) {
    struct stat facts;
    return !stat(path, &facts) && S_ISDIR(facts.st_mode);
}

/* Appends `path`, of which it takes ownership even on failure (NULL: out of memory). */
static weft_status keep(weft_ctx *ctx, wfi_part_files *list, char *path) {
    if (!path || WFI_ROOM(ctx, list->path, list->count, list->room, 16)) {
        wfi_free(path);
        return WEFT_ENOMEM;
    }
    list->path[list->count++] = path;
    return WEFT_OK;
}

static char *joined(weft_ctx *ctx, const char *folder, const char *name) {
    size_t length = strlen(folder), room;
    while (length > 1 && folder[length - 1] == '/') length--;
    room = length + strlen(name) + 2;
    char *path = wfi_take(ctx, room, 1);
    if (path) snprintf(path, room, "%.*s%s%s", (int)length, folder, folder[length - 1] == '/' ? "" : "/", name);
    return path;
}

/* --- shapes of names ------------------------------------------------------------------------ */

static bool ends_in(const char *name, const char *end) {
    size_t length = strlen(name), other = strlen(end);
    return length >= other && !strcasecmp(name + length - other, end);
}

static const char *last_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Length of a random id at p: 8-4-4-4-12 hexadecimal digits, or at least 4 of them, one decimal; 0 if none begins
 * here. */
static size_t id_length(const char *p) {
    static const int groups[] = {8, 4, 4, 4, 12};
    size_t length = 0, digits = 0;
    for (int g = 0; g < 5; g++) {
        for (int i = 0; i < groups[g] && isxdigit((unsigned char)p[length]); i++) length++;
        if (g < 4 && p[length] == '-') length++;
    }
    if (length == 36 && !isalnum((unsigned char)p[length])) return length;
    for (length = 0; isxdigit((unsigned char)p[length]); length++) digits += isdigit((unsigned char)p[length]) != 0;
    return length >= 4 && digits && !isalnum((unsigned char)p[length]) ? length : 0;
}

/* The name with # for each number and each id: "part-00003-c0de4a1f.csv" -> "part-#-#.csv". */
static void shape_of(const char *name, char shape[SHAPE_ROOM]) {
    size_t used = 0;
    for (const char *p = name; *p && used + 1 < SHAPE_ROOM;) {
        size_t length = p == name || !isalnum((unsigned char)p[-1]) ? id_length(p) : 0;
        if (!length)
            while (isdigit((unsigned char)p[length])) length++;
        shape[used++] = length ? '#' : *p;
        p += length ? length : 1;
    }
    shape[used] = '\0';
}

static weft_status check_shapes(const listing *l) {
    char first[SHAPE_ROOM], other[SHAPE_ROOM];
    if (l->finished || l->parts->count < 2) return WEFT_OK;
    const char *name = last_name(l->parts->path[0]);
    shape_of(name, first);
    for (size_t i = 1; i < l->parts->count; i++) {
        const char *here = last_name(l->parts->path[i]);
        shape_of(here, other);
        if (!strcmp(first, other) && (strchr(first, '#') || *l->parts->partitions)) continue;
        return wfi_fail(l->ctx, WEFT_EINPUT,
                        "%s: is a directory, and %s and %s in it do not look like parts of one table, which differ in "
                        "their numbers only: name one of them",
                        l->folder, name, here);
    }
    return WEFT_OK;
}

/* --- searching ------------------------------------------------------------------------------- */

/* Is there an entry of that name? */
static weft_status has_mark(listing *l, const char *folder, const char *name, bool *found) {
    char *path = joined(l->ctx, folder, name);
    if (!path) return WEFT_ENOMEM;
    if (!access(path, F_OK)) *found = true;
    wfi_free(path);
    return WEFT_OK;
}

static weft_status look_for_marks(listing *l, const char *folder) {
    bool delta = false, hudi = false;
    weft_status st = has_mark(l, folder, "_SUCCESS", &l->finished);
    if (!st) st = has_mark(l, folder, "_temporary", &l->unfinished);
    if (!st) st = has_mark(l, folder, "_delta_log", &delta);
    if (!st) st = has_mark(l, folder, ".hoodie", &hudi);
    if (st || (!delta && !hudi)) return st;
    return wfi_fail(
        l->ctx, WEFT_EUNSUPPORTED,
        "%s: is a table of %s, whose log says which of the files count: write the table to a folder of its own", folder,
        delta ? "Delta Lake" : "Hudi");
}

/* Notes the column of a folder called column=value, once for each column. */
static void note_partition(wfi_part_files *parts, const char *name) {
    size_t length = strcspn(name, "="), used = strlen(parts->partitions);
    for (const char *p = parts->partitions; *p;) {
        size_t word = strcspn(p, ",");
        if (word == length && !strncmp(p, name, length)) return;
        p += word + strspn(p + word, ", ");
    }
    snprintf(parts->partitions + used, sizeof parts->partitions - used, "%s%.*s", used ? ", " : "", (int)length, name);
}

static size_t slashes(const char *path) {
    size_t count = 0;
    for (; *path; path++) count += *path == '/';
    return count;
}

static weft_status take_folder(listing *l, const char *within, const char *name) {
    if (!strchr(name, '=') || *name == '=')
        return wfi_fail(l->ctx, WEFT_EINPUT, "%s: is a directory with another in it, %s: name that one, or a file",
                        within, name);
    if (slashes(within) > slashes(l->folder) + MOST_DEPTH)
        return wfi_fail(l->ctx, WEFT_EINPUT, "%s: directories are nested too deeply (a loop of symbolic links?)",
                        within);
    note_partition(l->parts, name);
    return keep(l->ctx, &l->waiting, joined(l->ctx, within, name));
}

static weft_status take_entry(listing *l, const char *within, const char *name) {
    struct stat facts;
    if (*name == '_' || *name == '.' || ends_in(name, ".crc")) return WEFT_OK;
    char *path = joined(l->ctx, within, name);
    if (!path) return WEFT_ENOMEM;
    weft_status st = WEFT_OK;
    if (stat(path, &facts))
        st = wfi_fail(l->ctx, wfi_status_of_error(errno), "%s: %s", path, strerror(errno));
    else if (S_ISDIR(facts.st_mode))
        st = take_folder(l, within, name);
    else if (!S_ISREG(facts.st_mode))
        st = wfi_fail(l->ctx, WEFT_EINPUT, "%s: is not a file, and so not part of a table", path);
    else
        return keep(l->ctx, l->parts, path);
    wfi_free(path);
    return st;
}

static weft_status look_into(listing *l, const char *folder) {
    weft_status st = look_for_marks(l, folder);
    if (st) return st;
    int fd = wfi_open(folder, O_RDONLY | O_DIRECTORY, 0);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir && fd >= 0) close(fd);
    if (!dir) return wfi_fail(l->ctx, wfi_status_of_error(errno), "%s: cannot open: %s", folder, strerror(errno));
    for (struct dirent *entry; !st && (entry = readdir(dir));) {
        if (wfi_cancelled(l->ctx)) st = wfi_fail_cancelled(l->ctx);
        if (!st) st = take_entry(l, folder, entry->d_name);
    }
    closedir(dir);
    return st;
}

static int by_bytes(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

weft_status wfi_part_files_list(weft_ctx *ctx, const char *folder, wfi_part_files *parts) {
    listing l = {.ctx = ctx, .folder = folder, .parts = parts};
    *parts = (wfi_part_files){0};
    weft_status st = look_into(&l, folder);
    size_t files_at_top = parts->count, done = 0;
    if (!st && l.waiting.count && files_at_top)
        st = wfi_fail(ctx, WEFT_EINPUT,
                      "%s: is a directory with files and with folders of parts in it: name one of them", folder);
    for (; !st && done < l.waiting.count; done++) st = look_into(&l, l.waiting.path[done]);
    if (!st && l.unfinished && !l.finished)
        st = wfi_fail(
            ctx, WEFT_EINPUT,
            "%s: the job that writes this folder has not finished, or has failed: there is a _temporary in it and "
            "no _SUCCESS",
            folder);
    if (!st && !parts->count)
        st = wfi_fail(ctx, WEFT_EIO, "%s: is a directory, and there are no part files of a table in it", folder);
    if (!st) {
        qsort(parts->path, parts->count, sizeof *parts->path, by_bytes);
        st = check_shapes(&l);
    }
    wfi_part_files_free(&l.waiting);
    return st;
}

void wfi_part_files_free(wfi_part_files *parts) {
    for (size_t i = 0; i < parts->count; i++) wfi_free(parts->path[i]);
    wfi_free(parts->path);
    *parts = (wfi_part_files){0};
}

/* --- files beside each other -------------------------------------------------------------- */

weft_status wfi_beside_find(weft_ctx *ctx, const char *stem, size_t length, const char *extension, char **out) {
    static const char *const packed[] = {"", ".gz", ".zst"};
    size_t room = length + strlen(extension) + sizeof ".zst";
    if (wfi_alloc(ctx, out, room)) return WEFT_ENOMEM;
    for (int i = 0; i < 3; i++) {
        snprintf(*out, room, "%.*s%s%s", (int)length, stem, extension, packed[i]);
        if (!access(*out, F_OK)) return WEFT_OK;
    }
    wfi_free(*out);
    *out = NULL;
    return WEFT_OK;
}

weft_status wfi_beside_open(weft_ctx *ctx, const wfi_source *source, const char *own, const char *extension,
                            wfi_source **out) {
    const char *name = wfi_source_plain_name(source);
    size_t length = strlen(name);
    if (wfi_name_has_extension(name, own)) length = (size_t)(strrchr(name, '.') - name);
    char *path;
    *out = NULL;
    if (!wfi_source_is_file(source)) return WEFT_OK;
    weft_status st = wfi_beside_find(ctx, name, length, extension, &path);
    if (!st && path) st = wfi_source_open(ctx, path, out);
    wfi_free(path);
    return st;
}
