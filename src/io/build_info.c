/* weft_build_info: the library's build options and linked libraries, in one line.  It is here since only src/io knows
 * the compression libraries. */
#include "core/core.h"
#include "weft_config.h"

#include <pthread.h>
#include <stdio.h>
#include <zlib.h>
#include <zstd.h>

static char line[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void compose(void) {
    const char *cuda = WEFT_BUILD_CUDA, *commit = WEFT_BUILD_COMMIT, *sanitizer = WEFT_BUILD_SANITIZE;
    const char *flags = WEFT_BUILD_FLAGS;
    snprintf(line, sizeof line, "weft %s%s%s%s, %s, %s, %s%s%s, %s%s, zlib %s, zstd %s, OpenMP %d, %s%s%s%s",
             WEFT_VERSION_STRING, *commit ? " (" : "", commit, *commit ? ")" : "", WEFT_BUILD_MACHINE,
             WEFT_BUILD_COMPILER, WEFT_BUILD_TYPE, *sanitizer ? " with sanitizer " : "", sanitizer,
             *cuda ? "CUDA " : "no CUDA", cuda, zlibVersion(), ZSTD_versionString(), _OPENMP,
             WEFT_BUILD_NATIVE ? "native tuning" : "portable code", *flags ? " (" : "", flags, *flags ? ")" : "");
}

const char *weft_build_info(void) {
    pthread_once(&once, compose);
    return line;
}
