/* Ctrl-C.  The first SIGINT, SIGTERM or SIGHUP raises a flag that the library's cancel callback reads, so that files
 * are removed and memory is freed on the way out; the second ends the program at once (but for SIGHUP: when a terminal
 * goes away, kernel and shell may both say so), and so does the first while a result is verified, which may be slow to ask
 * and has nothing half done.  A pipe that closes is seen as a failed write, not as a signal, because a signal would leave
 * temporary files behind. */
#include "cli.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static atomic_int interrupted; /* threads of the library read it */
static volatile sig_atomic_t at_once;
static const char *volatile guarded;

static void on_signal(int number) {
    if (at_once || (interrupted && number != SIGHUP)) {
        const char *temporary = guarded, words[] = "weft: interrupted\n";
        if (temporary) unlink(temporary);
        if (at_once && write(STDERR_FILENO, words, sizeof words - 1) < 0) _exit(EXIT_INTERRUPTED);
        _exit(EXIT_INTERRUPTED);
    }
    interrupted = 1;
}

void cli_signals_at_once(bool now) { at_once = now; }

void cli_signals_install(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = on_signal; /* no SA_RESTART: a read that waits for a terminal or pipe must return */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction old; /* under nohup it is ignored, and stays so */
    bool nohup = sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler == SIG_IGN;
    if (!nohup) sigaction(SIGHUP, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL); /* over the limit on file sizes: a failed write too */
}

bool cli_interrupted(void) { return interrupted != 0; }

void cli_signals_guard(const char *temporary) { guarded = temporary; }
