/* Files to be written, as far as they can be judged before there is anything to write: asked first, so that no work is
 * done whose result has nowhere to go. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_LINK = 4096, MOST_LINKS = 40 };

static char *joined(const char *folder, size_t length, const char *name) {
    char *path = malloc(length + strlen(name) + 1);
    if (path) sprintf(path, "%.*s%s", (int)length, folder, name);
    return path;
}

/* Bytes of a path up to and with its last slash: where its name begins. */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* As follow_links of src/io/sink.c, which the program does not see; both must end at the same file. */
char *cli_real_target(const char *path) {
    char *at = strdup(path), to[LONGEST_LINK];
    for (int links = 0; at; links++) {
        ssize_t length = readlink(at, to, sizeof to - 1);
        if (length < 0) return at; /* no link: a file, or nothing yet */
        to[length] = 0;
        char *next = links < MOST_LINKS ? joined(at, *to == '/' ? 0 : folder_length(at), to) : NULL;
        if (!next) errno = links < MOST_LINKS ? ENOMEM : ELOOP;
        free(at);
        at = next;
    }
    return NULL;
}

bool cli_is_stdout(const char *path) {
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(path, names[i]) == 0) return true;
    return false;
}

/* The folder of a path that a file shall have, without a slash at its end; free() it. */
static char *folder_of(const char *path) {
    size_t length = folder_length(path);
    while (length > 1 && path[length - 1] == '/') length--;
    return length ? joined(path, length, "") : strdup(".");
}

bool cli_same_target(const char *a, const char *b) {
    if (strcmp(a, b) == 0 || cli_same_file(a, b)) return true;
    char *x = cli_real_target(a), *y = cli_real_target(b);
    char *above_x = x ? folder_of(x) : NULL, *above_y = y ? folder_of(y) : NULL;
    struct stat in_x, in_y;
    bool same = above_x && above_y && strcmp(x + folder_length(x), y + folder_length(y)) == 0 &&
                !stat(above_x, &in_x) && !stat(above_y, &in_y) && in_x.st_dev == in_y.st_dev &&
                in_x.st_ino == in_y.st_ino;
    free(x);
    free(y);
    free(above_x);
    free(above_y);
    return same;
}

/* A file that is made, or replaced by one that is made beside it. */
static int check_folder(const char *flag, const char *path, const char *target) {
    char *folder = folder_of(target);
    struct stat there;
    int code = EXIT_DONE;
    if (!folder)
        code = cli_fail(EXIT_MEMORY, "out of memory");
    else if (!target[folder_length(target)])
        code = cli_fail(EXIT_INPUT, "%s: %s names no file", flag, path);
    else if (stat(folder, &there) && errno == ENOENT)
        code = cli_fail(EXIT_INPUT, "%s: cannot write %s: there is no folder %s", flag, path, folder);
    else if (stat(folder, &there) ? errno == ENOTDIR : !S_ISDIR(there.st_mode))
        code = cli_fail(EXIT_INPUT, "%s: cannot write %s: %s is no folder", flag, path, folder);
    else if (access(folder, W_OK | X_OK))
        code = cli_fail(EXIT_INPUT, "%s: cannot write %s: no file can be made in the folder %s: %s", flag, path, folder,
                        strerror(errno));
    free(folder);
    return code;
}

int cli_check_output(const char *flag, const char *path) {
    struct stat there;
    if (!path || cli_is_stdout(path)) return EXIT_DONE;
    if (!*path) return cli_fail(EXIT_USAGE, "%s: the name of the file is empty", flag);
    bool exists = stat(path, &there) == 0;
    if (!exists && errno != ENOENT && errno != ENOTDIR)
        return cli_fail(EXIT_INPUT, "%s: cannot write %s: %s", flag, path, strerror(errno));
    if (exists && S_ISDIR(there.st_mode))
        return cli_fail(EXIT_USAGE, "%s: %s is a directory; name a file in it", flag, path);
    if (exists && !S_ISREG(there.st_mode)) { /* written in place */
        if (access(path, W_OK) == 0) return EXIT_DONE;
        return cli_fail(EXIT_INPUT, "%s: cannot write %s: %s", flag, path, strerror(errno));
    }
    char *target = cli_real_target(path);
    if (!target) return cli_fail(EXIT_INPUT, "%s: cannot write %s: %s", flag, path, strerror(errno));
    int code = check_folder(flag, path, target);
    free(target);
    return code;
}
