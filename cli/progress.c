/* A progress bar on standard error: only on a terminal, only once the work has taken half a second, erased at the end.
 * It stays within one line: a longer one would wrap, and only its last part could be erased.
 * The library calls back at most every 50 ms, so drawing costs nothing that can be seen. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHOW_AFTER_MS = 500, BAR_WIDTH = 30, LONGEST_LINE = 1024 };

static double started_ms;
static bool drawn;

/* In the place of the line before; the last column stays free, since some terminals wrap when it is filled. */
static void put_line(char *text) {
    size_t width = cli_terminal_columns(STDERR_FILENO);
    cli_hide_controls(text);
    fprintf(stderr, "\r\033[K%.*s", (int)cli_text_bytes(text, width ? width - 1 : LONGEST_LINE), text);
    drawn = true;
}

static void draw(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user;
    double elapsed = cli_now_ms() - started_ms;
    if (elapsed < SHOW_AFTER_MS) return;
    char line[LONGEST_LINE];
    if (!total) {
        snprintf(line, sizeof line, "%s  %.1f s", stage, elapsed / 1e3);
        put_line(line);
        return;
    }
    double share = done < total ? (double)done / (double)total : 1.0;
    int filled = (int)(share * BAR_WIDTH);
    char bar[BAR_WIDTH + 1];
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', (size_t)filled);
    bar[BAR_WIDTH] = 0;
    snprintf(line, sizeof line, "%s [%s] %3.0f %%  %.1f s", stage, bar, share * 100, elapsed / 1e3);
    put_line(line);
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
    char line[LONGEST_LINE];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    put_line(line);
}

void cli_progress_erase(void) {
    if (drawn) fputs("\r\033[K", stderr);
    drawn = false;
}
