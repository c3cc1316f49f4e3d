/* The exit codes, in one place, and their messages. */
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const cli_exit_code cli_exit_codes[] = {
    {EXIT_DONE, "done"},
    {EXIT_NO, "the answer is \"no\": there is no such edge, the graph is not acyclic, two graphs or two runs differ, a"
              " check failed"},
    {EXIT_USAGE, "wrong usage: an unknown command or flag, or a value out of range"},
    {EXIT_INPUT, "bad input: a file cannot be read, is malformed or not supported, a vertex does not exist, a weight"
                 " is one that the algorithm refuses; or the output cannot be written"},
    {EXIT_MEMORY, "out of memory, or over --memory-limit or --device-memory-limit"},
    {EXIT_DEVICE, "no usable GPU, or the GPU failed"},
    {EXIT_STOPPED, "stopped by SIGTERM, with a checkpoint (--checkpoint): the same command resumes it"},
    {EXIT_TIMEOUT, "the time of --timeout or --hang-timeout was up; no partial file is left; --timeout with "
                   "--checkpoint saves the run"},
    {EXIT_INTERRUPTED, "interrupted (Ctrl-C, SIGTERM or SIGHUP); no partial file is left"},
};
const size_t cli_exit_code_count = sizeof cli_exit_codes / sizeof *cli_exit_codes;

int cli_exit_of(weft_status status) {
    if (status == WEFT_OK) return EXIT_DONE;
    if (cli_interrupted()) return EXIT_INTERRUPTED;
    switch (status) {
    case WEFT_OK: return EXIT_DONE;
    case WEFT_EINVAL: return EXIT_USAGE;
    case WEFT_EINPUT:
    case WEFT_EIO:
    case WEFT_EUNSUPPORTED:
    case WEFT_ENOTFOUND: return EXIT_INPUT;
    case WEFT_ENOMEM: return EXIT_MEMORY;
    case WEFT_EDEVICE: return EXIT_DEVICE;
    case WEFT_ECANCELLED: return EXIT_INTERRUPTED;
    }
    return EXIT_INPUT;
}

int cli_exit_of_error(int why) { return why == ENOMEM ? EXIT_MEMORY : EXIT_INPUT; }

/* The message, parameters written as flags; free() it. */
static char *message_of(const char *format, va_list args) {
    char *text = NULL, *words = NULL;
    if (vasprintf(&text, format, args) < 0) return NULL;
    words = cli_flag_words(text);
    free(text);
    return words;
}

void cli_say(const char *format, va_list args) {
    char as_it_is[512]; /* the message as it is, without memory for more */
    va_list again;
    va_copy(again, args);
    char *message = message_of(format, args);
    if (!message) vsnprintf(as_it_is, sizeof as_it_is, format, again);
    va_end(again);
    cli_progress_erase();
    cli_put(stderr, "weft: %s", message ? message : as_it_is);
    fputc('\n', stderr);
    free(message);
}

/* --- standard output ---------------------------------------------------------------------------------------------- */

enum { GRACE_MS = 500 }; /* time for a live reader to make room */

/* A pipe that poll(2) reports writable takes PIPE_BUF bytes without waiting. */
static ssize_t write_unless_it_waits(int fd, const char *data, size_t bytes) {
    struct pollfd to = {fd, POLLOUT, 0};
    int ready = poll(&to, 1, GRACE_MS);
    if (ready < 0) ready = poll(&to, 1, GRACE_MS); /* a signal came */
    if (ready == 1) return write(fd, data, bytes < PIPE_BUF ? bytes : PIPE_BUF);
    errno = EAGAIN;
    return -1;
}

/* A signal between the question and the write is followed by others (signals.c), which end the write. */
int cli_write(int fd, const char *data, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
        bool stop = cli_interrupted();
        ssize_t n = stop ? write_unless_it_waits(fd, data + done, bytes - done) : write(fd, data + done, bytes - done);
        if (n >= 0)
            done += (size_t)n;
        else if (stop && (errno == EAGAIN || errno == EINTR))
            return EINTR;
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

static int stdout_error; /* errno of the first failed write: later ones may have nothing left to write */

/* A stream's write function returns 0 for a failure. */
static ssize_t write_stdout(void *cookie, const char *data, size_t bytes) {
    (void)cookie;
    if (!stdout_error) stdout_error = cli_write(STDOUT_FILENO, data, bytes);
    errno = stdout_error;
    return stdout_error ? 0 : (ssize_t)bytes;
}

/* The C library's own stream repeats an interrupted write, and waits again. */
void cli_watch_stdout(void) {
    enum { ROOM = 1 << 14 };
    static FILE *watched; /* within Python the program may run more than once */
    if (watched) return;
    watched = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_stdout});
    if (!watched) return;
    setvbuf(watched, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, ROOM);
    fflush(stdout);
    stdout = watched;
}

void cli_flush_stdout(void) {
    if (fflush(stdout) && !stdout_error) stdout_error = errno;
}

static char *listener; /* where cli_fail writes, instead of standard error */
static size_t listener_size;

void cli_fail_into(char *buffer, size_t size) {
    listener = buffer;
    listener_size = size;
    if (buffer) *buffer = 0;
}

int cli_fail(int code, const char *format, ...) {
    cli_progress_erase();
    cli_flush_stdout();
    if (code == EXIT_INTERRUPTED && cli_timed_out()) {
        code = EXIT_TIMEOUT;
        format = "the time of --timeout is up";
    }
    va_list args;
    va_start(args, format);
    if (listener) {
        char *message = message_of(format, args);
        snprintf(listener, listener_size, "%s", message ? message : "out of memory");
        free(message);
    } else {
        cli_say(format, args);
    }
    va_end(args);
    return code;
}

int cli_fail_status(const weft_ctx *ctx, weft_status status) {
    int code = cli_exit_of(status);
    if (code == EXIT_INTERRUPTED) return cli_fail(code, "interrupted");
    const char *message = ctx ? weft_ctx_message(ctx) : "";
    return cli_fail(code, "%s", *message ? message : weft_status_text(status));
}

bool cli_stdout_has_no_reader(void) {
    struct pollfd out = {STDOUT_FILENO, POLLOUT, 0};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

int cli_finish_stdout(int code) {
    cli_flush_stdout();
    bool failed = ferror(stdout);
    int why = stdout_error;
    if (!failed || why == EPIPE || cli_stdout_has_no_reader()) return code;
    if (code != EXIT_DONE && code != EXIT_NO) return code;
    if (cli_interrupted()) return cli_fail(EXIT_INTERRUPTED, "interrupted");
    return cli_fail(cli_exit_of_error(why), "cannot write standard output: %s", why ? strerror(why) : "write failed");
}

void cli_leave(int code) {
    if (getenv("CUDA_INJECTION64_PATH")) return;
    cli_progress_erase();
    code = cli_finish_stdout(code);
    fflush(stderr);
    _exit(code);
}
