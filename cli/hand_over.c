/* Commands that are programs of their own: weft becomes the program, so that words, streams, signals and the exit code
 * are its own.  It is looked for where this program lies (symbolic links followed), as build folders and packages have
 * it, then on PATH. */
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of the running program, with its last slash; "" if that cannot be told. */
static void own_folder(char folder[PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    folder[length > 0 ? length : 0] = 0;
    char *slash = strrchr(folder, '/');
    if (slash) slash[1] = 0;
}

int cli_hand_over(const char *program, int argc, char **argv) {
    char folder[PATH_MAX], path[PATH_MAX + 64];
    char **words = cli_take((size_t)argc + 2, sizeof *words); /* the last one stays NULL */
    if (!words) return EXIT_MEMORY;
    words[0] = (char *)(uintptr_t)program;
    memcpy(words + 1, argv, (size_t)argc * sizeof *words);
    own_folder(folder);
    snprintf(path, sizeof path, "%s%s", folder, program);
    int why = ENOENT;
    if (*folder) {
        execv(path, words);
        why = errno;
    }
    if (why == ENOENT) {
        snprintf(path, sizeof path, "%s", program);
        execvp(program, words);
        why = errno == EACCES || errno == ENOTDIR ? ENOENT : errno; /* these are of some folder on PATH */
    }
    free(words);
    if (why != ENOENT) return cli_fail(EXIT_INPUT, "%s cannot be run: %s", path, strerror(why));
    return cli_fail(
        EXIT_USAGE,
        "this command is a separate program, %s, which is neither in %s nor on PATH (make programs builds it)", program,
        *folder ? folder : "the folder of weft");
}
