/* Ctrl-C, and --timeout, which is a signal too.  The first SIGINT, SIGTERM or SIGHUP raises a flag that the library's
 * cancel callback reads, so that files are removed and memory is freed on the way out; the second ends the program at
 * once (but for SIGHUP: when a terminal goes away, kernel and shell may both say so), and so does the first while a
 * result is verified, which may be slow to ask and has nothing half done.
 * A signal that comes just before a read or a write that waits does not end it: so after the first a SIGALRM follows
 * each second.  A pipe that closes is seen as a failed
 * write, not as a signal, because a signal would leave temporary files behind.
 * While a run has checkpoints (checkpoint.c), SIGTERM and the end of --timeout ask for one instead.  SIGTERM may come
 * more than once: a batch system sends it to every process, and a launcher passes its own on.
 * A .weft file is mapped: when somebody cuts it off, the next look at a page that is gone is a SIGBUS.  Nothing can be
 * read any more then, so the program says which file it was and ends; the library itself touches no signals. */
#include "cli.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static atomic_int interrupted; /* threads of the library read it */
static atomic_int softly, terminated;
static volatile sig_atomic_t at_once, timed_out;
static const char *volatile guarded;

enum { NUDGE_SECONDS = 1 };

static void on_signal(int number) {
    if (number == SIGALRM && !interrupted) timed_out = 1;
    if ((number == SIGTERM && (softly || terminated)) || (number == SIGALRM && softly && !interrupted)) {
        if (number == SIGTERM) terminated = 1;
        return;
    }
    if (at_once || (interrupted && number != SIGHUP && number != SIGALRM)) {
        const char *temporary = guarded,
                   *words = timed_out ? "weft: the time of --timeout is up\n" : "weft: interrupted\n";
        int code = timed_out ? EXIT_TIMEOUT : EXIT_INTERRUPTED;
        if (temporary) unlink(temporary);
        if (at_once && write(STDERR_FILENO, words, strlen(words)) < 0) _exit(code);
        _exit(code);
    }
    interrupted = 1;
    alarm(NUDGE_SECONDS);
}

/* --- files that change ------------------------------------------------------------- */

enum { MOST_FILES = 4 };

/* The opened graphs; written before a file is read, and read by the handler. */
static struct opened {
    char path[1024], shown[1024];
    off_t bytes;
    struct timespec changed;
} opened[MOST_FILES];
static atomic_uint opened_count;

static bool has_changed(const struct opened *file) {
    struct stat now;
    return stat(file->path, &now) || now.st_size != file->bytes || now.st_mtim.tv_sec != file->changed.tv_sec ||
           now.st_mtim.tv_nsec != file->changed.tv_nsec;
}

static void put(const char *words) {
    if (write(STDERR_FILENO, words, strlen(words)) < 0) _exit(EXIT_INPUT);
}

/* Of the needed functions a handler may call only stat, write, unlink, pause and _exit. */
static void on_bus_error(int number) {
    static atomic_flag telling = ATOMIC_FLAG_INIT;
    (void)number;
    while (atomic_flag_test_and_set(&telling)) pause(); /* another thread reports, and ends the program */
    const char *temporary = guarded;
    if (temporary) unlink(temporary);
    const struct opened *which = &opened[0];
    unsigned count = opened_count < MOST_FILES ? opened_count : MOST_FILES;
    for (unsigned i = 0; i < count; i++)
        if (has_changed(&opened[i])) which = &opened[i];
    put("weft: ");
    put(which->shown);
    put(has_changed(which) ? " changed or became shorter while it was in use\n"
                           : " could not be read any more while it was in use\n");
    _exit(EXIT_INPUT);
}

void cli_signals_watch(const char *path) {
    struct stat facts;
    if (stat(path, &facts) || !S_ISREG(facts.st_mode) || strlen(path) >= sizeof opened->path) return;
    struct opened *file = &opened[opened_count % MOST_FILES];
    *file = (struct opened){.bytes = facts.st_size, .changed = facts.st_mtim};
    memcpy(file->path, path, strlen(path) + 1);
    memcpy(file->shown, path, strlen(path) + 1);
    cli_hide_controls(file->shown);
    if (opened_count++) return;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = on_bus_error;
    sigaction(SIGBUS, &action, NULL);
}

void cli_signals_at_once(bool now) { at_once = now; }

void cli_signals_terminate_softly(bool now) { softly = now; }

bool cli_terminated(void) { return terminated != 0; }

static struct sigaction found_pipe, found_limit; /* the actions at the start of the program */

void cli_signals_install(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = on_signal; /* no SA_RESTART: a read that waits for a terminal or pipe must return */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    struct sigaction old; /* under nohup it is ignored, and stays so */
    bool nohup = sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler == SIG_IGN;
    if (!nohup) sigaction(SIGHUP, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, &found_pipe);
    sigaction(SIGXFSZ, &action, &found_limit); /* over the limit on file sizes: a failed write too */
}

void cli_signals_hand_over(void) {
    sigaction(SIGPIPE, &found_pipe, NULL);
    sigaction(SIGXFSZ, &found_limit, NULL);
}

void cli_signals_timeout(double seconds) {
    struct itimerval timer = {.it_value = {(time_t)seconds, (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)}};
    if (!(seconds > 0)) return;
    if (!timer.it_value.tv_sec && !timer.it_value.tv_usec) timer.it_value.tv_usec = 1;
    setitimer(ITIMER_REAL, &timer, NULL);
}

bool cli_timed_out(void) { return timed_out != 0; }

bool cli_interrupted(void) { return interrupted != 0; }

void cli_signals_guard(const char *temporary) { guarded = temporary; }
