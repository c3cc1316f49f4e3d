/* Checks of output files before there is anything to write, so that no work is done for a result that cannot be
 * saved. */
#include "cli.h"
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *joined(const char *folder, size_t length, const char *name) {
    char *path = malloc(length + strlen(name) + 1);
    if (path) sprintf(path, "%.*s%s", (int)length, folder, name);
    return path;
}

/* Length of a path up to its last slash, inclusive: the start of its name. */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

static bool is_same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Does the path lead to standard output's file?  On a terminal or /dev/null nothing is lost when both do. */
static bool meets_stdout(const char *path) {
    struct stat named, out;
    return !stat(path, &named) && !fstat(STDOUT_FILENO, &out) && is_same(&named, &out) && !S_ISCHR(out.st_mode);
}

bool cli_is_stdout(const char *path) {
    if (strcmp(path, "-") == 0) return true;
    int fd = wfi_own_descriptor(path);
    return fd == STDOUT_FILENO || (fd >= 0 && meets_stdout(path));
}

const char *cli_place_name(const char *path) { return strcmp(path, "-") == 0 ? "standard output" : path; }

/* The folder of a future file, without a final slash; free() it. */
static char *folder_of(const char *path) {
    size_t length = folder_length(path);
    while (length > 1 && path[length - 1] == '/') length--;
    return length ? joined(path, length, "") : strdup(".");
}

bool cli_same_target(const char *a, const char *b) {
    struct stat there_a, there_b;
    if (!stat(a, &there_a) && !stat(b, &there_b))
        return is_same(&there_a, &there_b) && !S_ISCHR(there_a.st_mode); /* /dev/null takes both */
    char x[PATH_MAX], y[PATH_MAX];
    if (wfi_real_target(a, x) || wfi_real_target(b, y)) return false;
    char *above_x = folder_of(x), *above_y = folder_of(y);
    struct stat in_x, in_y;
    bool same = above_x && above_y && strcmp(x + folder_length(x), y + folder_length(y)) == 0 &&
                !stat(above_x, &in_x) && !stat(above_y, &in_y) && is_same(&in_x, &in_y);
    free(above_x);
    free(above_y);
    return same;
}

/* In a sticky folder like /tmp only the owner of a file, or of the folder, may replace it. */
static bool belongs_to_another(const char *target, const struct stat *folder) {
    struct stat there;
    uid_t me = geteuid();
    return folder->st_mode & S_ISVTX && me != 0 && me != folder->st_uid && !lstat(target, &there) && me != there.st_uid;
}

/* Can the file be created, or replaced by one created beside it? */
static int check_folder(const char *before, const char *path, const char *target) {
    char *folder = folder_of(target);
    struct stat there;
    int code = EXIT_DONE;
    if (!folder)
        code = cli_fail(EXIT_MEMORY, "out of memory");
    else if (!target[folder_length(target)])
        code = cli_fail(EXIT_INPUT, "%s%s names no file", before, path);
    else if (stat(folder, &there) && errno == ENOENT)
        code = cli_fail(EXIT_INPUT, "%scannot write %s: there is no folder %s", before, path, folder);
    else if (stat(folder, &there) ? errno == ENOTDIR : !S_ISDIR(there.st_mode))
        code = cli_fail(EXIT_INPUT, "%scannot write %s: %s is not a folder", before, path, folder);
    else if (!there.st_nlink)
        code = cli_fail(EXIT_INPUT, "%scannot write %s: the folder %s has been removed", before, path, folder);
    else if (access(folder, W_OK | X_OK))
        code = cli_fail(EXIT_INPUT, "%scannot write %s: no file can be created in the folder %s: %s", before, path,
                        folder, strerror(errno));
    else if (belongs_to_another(target, &there))
        code =
            cli_fail(EXIT_INPUT,
                     "%scannot write %s: it belongs to another user, and the folder %s does not let others replace it",
                     before, path, folder);
    free(folder);
    return code;
}

int cli_check_output(const char *flag, const char *path) {
    struct stat there;
    char before[64]; /* the flag that a message begins with */
    if (!path || cli_is_stdout(path)) return EXIT_DONE;
    snprintf(before, sizeof before, "%s%s", flag ? flag : "", flag ? ": " : "");
    if (!*path) return cli_fail(EXIT_USAGE, "%sthe name of the file is empty", before);
    bool exists = stat(path, &there) == 0;
    if (!exists && errno != ENOENT && errno != ENOTDIR)
        return cli_fail(cli_exit_of_error(errno), "%scannot write %s: %s", before, path, strerror(errno));
    if (exists && S_ISDIR(there.st_mode))
        return cli_fail(EXIT_USAGE, "%s%s is a directory; name a file in it", before, path);
    int fd = wfi_own_descriptor(path);
    if (fd >= 0) {
        if ((fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY) return EXIT_DONE;
        return cli_fail(EXIT_INPUT, "%scannot write %s: it is open for reading only", before, path);
    }
    if (meets_stdout(path))
        return cli_fail(EXIT_USAGE, "%sstandard output goes to %s as well; name another file, or -", before, path);
    if (wfi_is_in_place(path)) {
        if (access(path, W_OK) == 0) return EXIT_DONE;
        return cli_fail(cli_exit_of_error(errno), "%scannot write %s: %s", before, path, strerror(errno));
    }
    char target[PATH_MAX];
    int why = wfi_real_target(path, target);
    if (why) return cli_fail(cli_exit_of_error(why), "%scannot write %s: %s", before, path, strerror(why));
    return check_folder(before, path, target);
}
