/* Microbenchmarks of the CPU: the roofline against which speeds are compared.
 *
 *   read    all threads sum an array far larger than the caches
 *   copy    all threads memcpy that array; bytes read and bytes written both count
 *   gather  all threads sum 4-byte words at random positions of 64 MB; the positions are streamed (worst case of an
 *   arc)
 *   parse   one thread sums the numbers of a text "u v\n": digits, one separator, no checks
 *
 * Each figure is the best of several short repetitions, because other programs can only make a repetition slower.
 * Pages are first touched by the thread that uses them (NUMA). */
#include "core/machine.h"
#include "core/scan.h"
#include "weft/machine.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    REPETITIONS = 7,
    STREAM_MOST = 512 << 20,
    STREAM_LEAST = 64 << 20,       /* if the caches are unknown; larger than most caches */
    GATHER_WORDS = (64 << 20) / 4, /* a power of two */
    GATHERS = 1 << 23,             /* of all threads together */
    TEXT_BYTES = 16 << 20,
    LONGEST_LINE = 16, /* two numbers below 2^20, a blank and a newline */
    LINE = 8,          /* words per cache line */
    STREAMS = 4,       /* concurrent streams per thread; a single stream leaves a fifth of the bandwidth unused */
    CHUNK = LINE * STREAMS
};

typedef struct rig {
    weft_ctx *ctx;
    int threads;
    uint64_t *stream, *copy;
    size_t words; /* per array, a multiple of CHUNK */
    uint32_t *table, *index;
    char *text;
    size_t text_bytes;
    uint64_t checksum; /* result of the last repetition */
    uint64_t done;     /* repetitions so far, for the progress bar */
} rig;

/* Keeps the compiler from removing the computation of x or assuming memory unread. */
static inline void keep(uint64_t x) { __asm__ volatile("" : : "r"(x) : "memory"); }

/* --- the four kernels ------------------------------------------------------- */

/* A cache line as a vector with a sum per word, so that additions do not wait for each other. */
typedef uint64_t line __attribute__((vector_size(LINE * sizeof(uint64_t)), may_alias));

/* Needs: `a` aligned to a cache line; words a multiple of CHUNK. */
static uint64_t sum_words(const uint64_t *a, size_t words) {
    const line *at = (const line *)(const void *)a;
    line sums[STREAMS] = {{0}};
    size_t lines = words / CHUNK;
    for (size_t i = 0; i < lines; i++)
        for (size_t s = 0; s < STREAMS; s++) sums[s] += at[s * lines + i];
    uint64_t sum = 0;
    for (size_t s = 0; s < STREAMS; s++)
        for (size_t k = 0; k < LINE; k++) sum += sums[s][k];
    return sum;
}

/* This thread's range of the arrays, in whole chunks. */
static void share(const rig *r, size_t *from, size_t *to) {
    size_t team = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num(), chunks = r->words / CHUNK;
    *from = chunks * me / team * CHUNK;
    *to = chunks * (me + 1) / team * CHUNK;
}

static void read_stream(rig *r) {
    uint64_t sum = 0;
#pragma omp parallel num_threads(r->threads) reduction(+ : sum)
    {
        size_t from, to;
        share(r, &from, &to);
        sum += sum_words(r->stream + from, to - from);
    }
    r->checksum = sum;
}

static void copy_stream(rig *r) {
#pragma omp parallel num_threads(r->threads)
    {
        size_t from, to;
        share(r, &from, &to);
        memcpy(r->copy + from, r->stream + from, (to - from) * sizeof *r->copy);
    }
    keep(r->copy[r->words - 1]);
}

static void gather_words(rig *r) {
    uint64_t sum = 0;
#pragma omp parallel for num_threads(r->threads) schedule(static) reduction(+ : sum)
    for (size_t i = 0; i < GATHERS; i++) sum += r->table[r->index[i]];
    r->checksum = sum;
}

static void parse_text(rig *r) {
    const char *p = r->text, *end = r->text + r->text_bytes;
    uint64_t sum = 0;
    while (p < end) {
        uint64_t x = (uint64_t)(unsigned char)*p++ - '0';
        for (unsigned digit; (digit = (unsigned)(unsigned char)*p++ - '0') <= 9;) x = x * 10 + digit;
        sum += x;
    }
    r->checksum = sum;
}

/* --- preparation ------------------------------------------------------------ */

static void fill_streams(rig *r) {
#pragma omp parallel num_threads(r->threads)
    {
        size_t from, to;
        share(r, &from, &to);
        for (size_t i = from; i < to; i++) r->stream[i] = i;
        memset(r->copy + from, 0, (to - from) * sizeof *r->copy);
    }
}

static void fill_table(rig *r) {
#pragma omp parallel for num_threads(r->threads) schedule(static)
    for (size_t i = 0; i < GATHER_WORDS; i++) r->table[i] = (uint32_t)i;
#pragma omp parallel for num_threads(r->threads) schedule(static)
    for (size_t i = 0; i < GATHERS; i++) r->index[i] = (uint32_t)wfi_mix(i) & (GATHER_WORDS - 1);
}

static char *put_number(char *to, uint32_t x, char separator) {
    char digits[10];
    int length = 0;
    do digits[length++] = (char)('0' + x % 10);
    while (x /= 10);
    while (length) *to++ = digits[--length];
    *to++ = separator;
    return to;
}

/* Lines of two ids below 2^20, as in a graph of a million vertices; returns the sum of the ids. */
static uint64_t fill_text(rig *r) {
    char *to = r->text, *end = r->text + TEXT_BYTES - LONGEST_LINE;
    uint64_t sum = 0;
    for (uint64_t i = 0; to < end; i++) {
        uint64_t bits = wfi_mix(i);
        uint32_t u = (uint32_t)bits & 0xfffff, v = (uint32_t)(bits >> 32) & 0xfffff;
        to = put_number(put_number(to, u, ' '), v, '\n');
        sum += (uint64_t)u + v;
    }
    r->text_bytes = (size_t)(to - r->text);
    return sum;
}

/* --- measurement ------------------------------------------------------------ */

/* Seconds of the fastest of REPETITIONS runs, after one warm-up run. */
static weft_status best(rig *r, void (*work)(rig *), double *seconds) {
    double fastest = HUGE_VAL;
    *seconds = 0;
    for (int i = 0; i <= REPETITIONS; i++) {
        if (wfi_cancelled(r->ctx)) return wfi_fail_cancelled(r->ctx);
        wfi_progress(r->ctx, "measuring the CPU", r->done++, (uint64_t)(REPETITIONS + 1) * 4);
        double start = wfi_now_ms();
        work(r);
        double ms = wfi_now_ms() - start;
        keep(r->checksum);
        if (i > 0 && ms < fastest) fastest = ms;
    }
    *seconds = fmax(fastest * 1e-3, 1e-9); /* keeps rates finite with a coarse clock */
    return WEFT_OK;
}

/* Bytes of each streamed array: several times all L3 caches, at most an eighth of the free memory. */
static uint64_t stream_bytes(const weft_machine *machine) {
    wfi_caches caches;
    wfi_cache_sizes("/sys/devices/system/cpu/cpu0/cache", machine->cores, &caches);
    uint64_t beyond = 4 * wfi_max_u64(machine->l3_bytes * caches.l3_instances, machine->l2_bytes);
    beyond = wfi_min_u64(wfi_max_u64(beyond, STREAM_LEAST), STREAM_MOST);
    return wfi_min_u64(beyond, machine->memory_free_bytes / 8);
}

static weft_status measure_streams(rig *r, weft_machine *machine) {
    double seconds;
    r->words = (size_t)(stream_bytes(machine) / sizeof(uint64_t)) / CHUNK * CHUNK;
    if (!r->words) return WEFT_OK;
    weft_status st = wfi_alloc(r->ctx, &r->stream, r->words);
    if (!st) st = wfi_alloc(r->ctx, &r->copy, r->words);
    if (st) return st;
    fill_streams(r);
    double bytes = (double)r->words * sizeof(uint64_t);
    if ((st = best(r, read_stream, &seconds)) != WEFT_OK) return st;
    machine->read_gbs = bytes / seconds * 1e-9;
    if ((st = best(r, copy_stream, &seconds)) != WEFT_OK) return st;
    machine->copy_gbs = 2 * bytes / seconds * 1e-9;
    return WEFT_OK;
}

static weft_status measure_gather(rig *r, weft_machine *machine) {
    double seconds;
    if (machine->memory_free_bytes / 8 < (uint64_t)GATHER_WORDS * sizeof *r->table) return WEFT_OK;
    weft_status st = wfi_alloc(r->ctx, &r->table, (size_t)GATHER_WORDS);
    if (!st) st = wfi_alloc(r->ctx, &r->index, (size_t)GATHERS);
    if (st) return st;
    fill_table(r);
    if ((st = best(r, gather_words, &seconds)) != WEFT_OK) return st;
    machine->gather_gps = (double)GATHERS / seconds * 1e-9;
    return WEFT_OK;
}

static weft_status measure_parse(rig *r, weft_machine *machine) {
    double seconds;
    if (machine->memory_free_bytes / 8 < TEXT_BYTES) return WEFT_OK;
    weft_status st = wfi_alloc(r->ctx, &r->text, (size_t)TEXT_BYTES);
    if (st) return st;
    uint64_t expected = fill_text(r);
    if ((st = best(r, parse_text, &seconds)) != WEFT_OK) return st;
    /* A wrong sum gives no rate. */
    machine->parse_gbs = r->checksum == expected ? (double)r->text_bytes / seconds * 1e-9 : 0;
    return WEFT_OK;
}

weft_status wfi_machine_measure(weft_ctx *ctx, weft_machine *machine) {
    rig r = {.ctx = ctx, .threads = wfi_threads(ctx)};
    weft_status st = measure_streams(&r, machine);
    WFI_FREE(r.copy, r.stream);
    if (!st) st = measure_gather(&r, machine);
    WFI_FREE(r.index, r.table);
    if (!st) st = measure_parse(&r, machine);
    wfi_free(r.text);
    return st;
}
