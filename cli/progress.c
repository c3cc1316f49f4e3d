/* A progress bar on standard error: only on a terminal, only once the work has taken half a second, erased at the end.
 * The library calls back at most every 50 ms, so drawing costs nothing that can be seen. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHOW_AFTER_MS = 500, BAR_WIDTH = 30 };

static double started_ms;
static bool drawn;

static void draw(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user;
    double elapsed = cli_now_ms() - started_ms;
    if (elapsed < SHOW_AFTER_MS) return;
    drawn = true;
    if (!total) {
        fprintf(stderr, "\r\033[K%s  %.1f s", stage, elapsed / 1e3);
        return;
    }
    double share = done < total ? (double)done / (double)total : 1.0;
    int filled = (int)(share * BAR_WIDTH);
    char bar[BAR_WIDTH + 1];
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', (size_t)filled);
    bar[BAR_WIDTH] = 0;
    fprintf(stderr, "\r\033[K%s [%s] %3.0f %%  %.1f s", stage, bar, share * 100, elapsed / 1e3);
}

static bool can_draw(bool quiet) {
    const char *terminal = getenv("TERM");
    return !quiet && isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

void cli_progress_start(weft_ctx *ctx, bool quiet) {
    started_ms = cli_now_ms();
    if (can_draw(quiet)) weft_ctx_set_progress(ctx, draw, NULL);
}

void cli_progress_line(const cli_options *options, const char *format, ...) {
    if (!can_draw(options->quiet)) return;
    va_list args;
    va_start(args, format);
    fputs("\r\033[K", stderr);
    cli_put_list(stderr, format, args);
    va_end(args);
    drawn = true;
}

void cli_progress_erase(void) {
    if (drawn) fputs("\r\033[K", stderr);
    drawn = false;
}
