/* A progress bar on standard error: only on a terminal, only once the work has taken half a second, erased at the end.
 * The remaining time is extrapolated from the current stage, once a hundredth of it and a second are over. The bar
 * stays within one line: a longer one would wrap, and only its last part could be erased. The library calls back at
 * most every 50 ms, so drawing costs nothing noticeable. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHOW_AFTER_MS = 500, GUESS_AFTER_MS = 1000, BAR_WIDTH = 30, LONGEST_LINE = 1024, LONGEST_STAGE = 64 };

static double started_ms;
static struct {
    char name[LONGEST_STAGE];
    double began_ms;
    uint64_t from, done;
} at_stage;
static bool drawn;

/* Replaces the previous line; the last column stays free, since some terminals wrap when it is filled. */
static void put_line(char *text) {
    size_t width = cli_terminal_columns(STDERR_FILENO);
    cli_hide_controls(text);
    fprintf(stderr, "\r\033[K%.*s", (int)cli_text_bytes(text, width ? width - 1 : LONGEST_LINE), text);
    drawn = true;
}

/* The remaining time of the stage; nothing if it is unknown. */
static const char *time_left(cli_text buffer, const char *stage, uint64_t done, uint64_t total) {
    double now = cli_now_ms();
    if (strncmp(stage, at_stage.name, LONGEST_STAGE - 1) != 0 || done < at_stage.done) {
        snprintf(at_stage.name, sizeof at_stage.name, "%s", stage);
        at_stage.began_ms = now;
        at_stage.from = done;
    }
    at_stage.done = done;
    double gone = now - at_stage.began_ms, part = (double)(done - at_stage.from);
    buffer[0] = 0;
    if (gone < GUESS_AFTER_MS || part < (double)total / 100 || done >= total) return buffer;
    double s = gone / part * (double)(total - done) / 1e3;
    if (s < 100)
        snprintf(buffer, sizeof(cli_text), ", about %.0f s left", s);
    else if (s < 7200)
        snprintf(buffer, sizeof(cli_text), ", about %.0f minutes left", s / 60);
    else
        snprintf(buffer, sizeof(cli_text), ", about %.0f hours left", s / 3600);
    return buffer;
}

static void draw(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user;
    double elapsed = cli_now_ms() - started_ms;
    cli_text buffer;
    const char *left = time_left(buffer, stage, done, total);
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
    snprintf(line, sizeof line, "%s [%s] %3.0f %%  %.1f s%s", stage, bar, share * 100, elapsed / 1e3, left);
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
