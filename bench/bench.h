/* What every benchmark needs: measurements in processes of their own, medians and spreads, Markdown tables.
 *
 * Each measurement runs in a forked child, so that its peak memory is its own and one cannot warm the allocator for
 * the next.  The parent must not start threads: a child of a process with an OpenMP pool could not make its own. */
#ifndef WEFT_BENCH_H
#define WEFT_BENCH_H

#include "weft/experimental.h"
#include "weft/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BENCH_RUNS = 10, BENCH_RUNS_MOST = 1000, BENCH_NUMBERS = 8 };

typedef struct bench_result {
    bool failed;
    char message[512];
    int runs;
    double ms[BENCH_RUNS_MOST];
    uint64_t number[BENCH_NUMBERS]; /* whatever the measurement hands on */
    uint64_t library_peak;          /* weft_ctx_memory_peak of its last run */
    uint64_t process_peak;          /* the child's largest resident set, filled by the parent */
    weft_machine machine;           /* when that is what was asked for */
} bench_result;

typedef void (*bench_work)(const void *setup, bench_result *result);

static inline double bench_now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

__attribute__((format(printf, 2, 3))) static inline void bench_fail(bench_result *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(r->message, sizeof r->message, format, args);
    va_end(args);
    r->failed = true;
}

/* True when st is WEFT_OK; otherwise the context's message becomes the result's. */
static inline bool bench_good(weft_ctx *ctx, weft_status st, const char *what, bench_result *r) {
    if (st) bench_fail(r, "%s: %s", what, weft_ctx_message(ctx));
    return !st;
}

/* WEFT_BENCH_RUNS, or 10. */
static inline int bench_runs(void) {
    const char *text = getenv("WEFT_BENCH_RUNS");
    int runs = text ? atoi(text) : BENCH_RUNS;
    return runs < 1 ? 1 : runs > BENCH_RUNS_MOST ? BENCH_RUNS_MOST : runs;
}

static inline bool bench_send(int fd, const void *data, size_t bytes) {
    for (const char *p = data; bytes;) {
        ssize_t n = write(fd, p, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

static inline size_t bench_receive(int fd, void *data, size_t bytes) {
    size_t got = 0;
    while (got < bytes) {
        ssize_t n = read(fd, (char *)data + got, bytes - got);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        got += (size_t)n;
    }
    return got;
}

/* Does the work in a child; what went wrong is in the result. */
static inline void bench_in_child(bench_work work, const void *setup, bench_result *result) {
    int ends[2];
    memset(result, 0, sizeof *result);
    fflush(NULL);
    if (pipe(ends)) {
        bench_fail(result, "pipe: %s", strerror(errno));
        return;
    }
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        work(setup, result);
        _exit(bench_send(ends[1], result, sizeof *result) ? 0 : 1);
    }
    close(ends[1]);
    size_t got = child > 0 ? bench_receive(ends[0], result, sizeof *result) : 0;
    close(ends[0]);
    int status = 0;
    struct rusage usage = {0};
    if (child > 0) wait4(child, &status, 0, &usage);
    if (got != sizeof *result) {
        memset(result, 0, sizeof *result);
        if (child > 0 && WIFSIGNALED(status))
            bench_fail(result, "the measuring process was ended by signal %d", WTERMSIG(status));
        else
            bench_fail(result, "the measuring process gave no result");
    }
    result->process_peak = (uint64_t)usage.ru_maxrss << 10;
}

static inline int bench_by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct bench_spread {
    double median, least, most;
} bench_spread;

static inline bench_spread bench_spread_of(const bench_result *r) {
    static double sorted[BENCH_RUNS_MOST];
    int n = r->runs;
    if (n < 1) return (bench_spread){0, 0, 0};
    memcpy(sorted, r->ms, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, bench_by_value);
    double median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    return (bench_spread){median, sorted[0], sorted[n - 1]};
}

/* --- the table -------------------------------------------------------------- */

static inline void bench_table_head(void) {
    printf("| %-38s | %7s | %4s | %10s | %19s | %14s | %-24s |\n", "what", "threads", "runs", "median", "min - max",
           "rate", "share of the ceiling");
    printf("|:%.38s-|%.8s:|%.5s:|%.11s:|%.20s:|%.15s:|:%.24s-|\n", "--------------------------------------",
           "----------", "----------", "---------------", "--------------------", "---------------",
           "------------------------");
}

/* rate and ceiling may be NULL: nothing sensible to say there. */
static inline void bench_row(const char *what, int threads, const bench_result *r, const char *rate,
                             const char *ceiling) {
    bench_spread s = bench_spread_of(r);
    const char *unit = s.median < 1000 ? "ms" : "s";
    double scale = s.median < 1000 ? 1 : 1e-3;
    int digits = s.median * scale < 10 ? 3 : 1;
    char median[32], spread[48];
    snprintf(median, sizeof median, "%.*f %s", digits, s.median * scale, unit);
    snprintf(spread, sizeof spread, "%.*f - %.*f %s", digits, s.least * scale, digits, s.most * scale, unit);
    printf("| %-38s | %7d | %4d | %10s | %19s | %14s | %-24s |\n", what, threads, r->runs, median, spread,
           rate ? rate : "", ceiling ? ceiling : "");
    fflush(stdout);
}

#endif
