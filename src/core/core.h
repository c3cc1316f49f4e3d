/* What every part of the library relies on: the context, messages, memory, cancel and progress, threads, clock.
 * Nothing here knows what a graph is. */
#ifndef WFI_CORE_H
#define WFI_CORE_H

#include "weft_experimental.h"

#ifndef __cplusplus /* device code (.cu) sees everything here but the C atomics */
#include <stdatomic.h>
#endif
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Before a function that runs on the host and on the GPU alike. */
#ifdef __CUDACC__
#define WFI_HOST_DEVICE __host__ __device__
#else
#define WFI_HOST_DEVICE
#endif

/* Around the declarations of a header that .cu files include as well. */
#ifdef __cplusplus
#define WFI_C_BEGIN extern "C" {
#define WFI_C_END   }
#else
#define WFI_C_BEGIN
#define WFI_C_END
#endif

WFI_C_BEGIN

/* --- messages ------------------------------------------------------------ */

/* What the system's error of a file is to the caller: its own fault, or memory. */
static inline weft_status wfi_status_of_error(int why) { return why == ENOMEM ? WEFT_ENOMEM : WEFT_EIO; }

/* Sets the context's message and returns `status`, so that callers write: return wfi_fail(ctx, WEFT_EINVAL, "...").
 * Any thread may call it; the last writer wins. */
weft_status wfi_fail(weft_ctx *ctx, weft_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Into text: what the variable arguments behind `format` of the function say. */
#define WFI_FORMAT(text, room, format)            \
    do {                                          \
        va_list args_;                            \
        va_start(args_, format);                  \
        vsnprintf((text), (room), format, args_); \
        va_end(args_);                            \
    } while (0)

/* The same for bad input: the message begins "file:line:column: ".  line and column count from 1. */
weft_status wfi_fail_at(weft_ctx *ctx, const char *file, uint64_t line, uint64_t column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The opening of a public function that returns a status.  Clears the message of the previous call and checks
 * required pointers: a failure names the one that is NULL.  Results are set to NULL or 0 before. */
#define WFI_BEGIN_OR_RETURN(ctx)        \
    do {                                \
        if (!(ctx)) return WEFT_EINVAL; \
        wfi_message_clear(ctx);         \
    } while (0)
#define WFI_NEED_OR_RETURN(ctx, ...)                                                                                 \
    do {                                                                                                             \
        const void *const needed_[] = {__VA_ARGS__};                                                                 \
        if (wfi_lacks((ctx), __func__, #__VA_ARGS__, needed_, sizeof needed_ / sizeof *needed_)) return WEFT_EINVAL; \
    } while (0)
/* names: of the pointers, separated by commas; sets the message for the first that is NULL. */
bool wfi_lacks(weft_ctx *ctx, const char *function, const char *names, const void *const pointers[], size_t count);
#define WFI_BEGIN_WITH_OR_RETURN(ctx, ...)    \
    do {                                      \
        WFI_BEGIN_OR_RETURN(ctx);             \
        WFI_NEED_OR_RETURN(ctx, __VA_ARGS__); \
    } while (0)
void wfi_message_clear(weft_ctx *ctx);

/* Adds an owner, which releases it with weft_ctx_free. */
weft_ctx *wfi_ctx_keep(weft_ctx *ctx);

/* Puts "prefix: " before the message that is set, for callers that know the file a failure came from. */
weft_status wfi_fail_prefixed(weft_ctx *ctx, const char *prefix);

/* Passes a sentence to the warning callback, if there is one.  Calling thread only. */
void wfi_warn(weft_ctx *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for the note callback: how a file was interpreted, if there was a choice. */
void wfi_note(weft_ctx *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Was the note given that the weights of a graph are not used?  From now on it was. */
bool wfi_ctx_weights_told(weft_ctx *ctx);

/* --- structs of the public API (abi.c) ------------------------------------ */

/* They begin with their size, so that programs and libraries of different age agree: a shorter one comes from an older
 * header and has the defaults in the fields it does not know; a longer one comes from a newer header and is understood
 * as long as it leaves what this library does not know at zero.
 * Sizes end with the last field.  A program may also say sizeof, and then padding counts, which holds anything: so a
 * field that is added must not lie in what used to be padding (docs/ABI.md). */

/* Parameters: `ours` (sizeof is `size`) holds the defaults, its own size among them, and those that are given (NULL:
 * none) replace them.  `what` is the type's name, for messages. */
weft_status wfi_sized_in(weft_ctx *ctx, const char *what, const void *given, void *ours, size_t size);
/* Answers: as much of `ours` as the caller's struct has room for; fields that only the caller knows become zero. */
weft_status wfi_sized_out(weft_ctx *ctx, const char *what, const void *ours, size_t size, void *to);
/* Has the caller said how large its struct is?  For answers that take long: ask first. */
weft_status wfi_sized_check(weft_ctx *ctx, const char *what, const void *given);

/* --- memory -------------------------------------------------------------- */

/* Uninitialised memory for `count` items of `each` bytes, aligned to 64; NULL (message set) when there is none or
 * the limit forbids it.  Every block remembers its allocator, so a block may outlive the context. Any thread. */
void *wfi_take(weft_ctx *ctx, size_t count, size_t each);
void *wfi_take_zeroed(weft_ctx *ctx, size_t count, size_t each);
/* Grows or shrinks a block (NULL: a new one), keeping its content.  On failure the old block stays valid. */
void *wfi_resize(weft_ctx *ctx, void *block, size_t count, size_t each);
void wfi_free(const void *block); /* its owner may have shown it as const */
/* Several blocks. */
#define WFI_FREE(...) \
    wfi_free_all((const void *const[]){__VA_ARGS__}, sizeof(const void *[]){__VA_ARGS__} / sizeof(void *))
void wfi_free_all(const void *const blocks[], size_t count);
/* Bytes of the block as asked for. */
size_t wfi_block_bytes(const void *block);

/* wfi_alloc(ctx, &array, n): the usual way to call wfi_take. */
#define wfi_alloc(ctx, place, count) \
    ((*(place) = wfi_take((ctx), (count), sizeof **(place))) != NULL ? WEFT_OK : WEFT_ENOMEM)
#define wfi_alloc_zeroed(ctx, place, count) \
    ((*(place) = wfi_take_zeroed((ctx), (count), sizeof **(place))) != NULL ? WEFT_OK : WEFT_ENOMEM)
/* wfi_widen(ctx, &array, n): it has room for n, and keeps what is in it.  On failure it stays as it was. */
#define wfi_widen(ctx, place, count) wfi_widen_block((ctx), (place), (count), sizeof **(place))
weft_status wfi_widen_block(weft_ctx *ctx, void *place, size_t count, size_t each);
/* wfi_one_more(ctx, &array, used, &room): the same for one more than `used`; twice the room where there is none. */
#define wfi_one_more(ctx, place, used, room) wfi_one_more_in((ctx), (place), (used), (room), sizeof **(place))
weft_status wfi_one_more_in(weft_ctx *ctx, void *place, size_t used, size_t *room, size_t each);

/* Bytes that the limit still allows, UINT64_MAX without a limit. */
uint64_t wfi_memory_left(const weft_ctx *ctx);
uint64_t wfi_device_memory_left(const weft_ctx *ctx); /* the same for the GPU's memory */
/* "1.5 MiB": in the units of --memory-limit. */
const char *wfi_size_text(char room[24], uint64_t bytes);

/* A copy of a C string; NULL when out of memory. */
char *wfi_copy_text(weft_ctx *ctx, const char *text);

/* --- running ------------------------------------------------------------- */

/* How many threads a team may have: what was asked for, or fewer if the system does not allow more (team.h). */
int wfi_threads(const weft_ctx *ctx);
bool wfi_ctx_threads_given(const weft_ctx *ctx); /* asked for, not one for each core */
/* Warns, once, when there were fewer than asked for.  For entry points, after their work. */
void wfi_tell_threads(weft_ctx *ctx);
/* All of them, or 1 when the work is no more than one thread's share: waking a team costs more than a small graph does.
 * Nothing between: an OpenMP runtime may end the threads that a smaller team leaves out, and make them anew for the
 * next. */
int wfi_threads_for(const weft_ctx *ctx, uint64_t work, uint64_t share);
/* body(state, from, to) for every `span` of the places 0 ... count - 1, by whichever of so many threads is free, until
 * the caller wants to stop: then WEFT_ECANCELLED, with its message. */
typedef void wfi_span_body(void *state, uint64_t from, uint64_t to);
weft_status wfi_spans(weft_ctx *ctx, uint64_t count, uint64_t span, int threads, wfi_span_body *body, void *state);
weft_device wfi_device(const weft_ctx *ctx);
void wfi_set_device(weft_ctx *ctx, weft_device device);

/* True when the caller wants to stop.  Any thread; call it every few milliseconds of work. */
bool wfi_cancelled(weft_ctx *ctx);
/* Elements that a plain loop may process between two such calls: some milliseconds. */
#define WFI_POLL_EVERY ((uint64_t)1 << 20)
/* For after a parallel region: WEFT_ECANCELLED with its message. */
weft_status wfi_fail_cancelled(weft_ctx *ctx);

/* Tells the progress callback, at most every 50 ms.  Only the thread that entered the library may call it.  A stage
 * need not repeat itself: while it lasts, wfi_cancelled does, every 100 ms. */
void wfi_progress(weft_ctx *ctx, const char *stage, uint64_t done, uint64_t total);

#ifndef __cplusplus
/* At the end of a thread's share, where shares are assigned beforehand: thread 0 keeps reporting progress while
 * others still work, instead of waiting silently.  *through counts the threads; it starts as 0. */
void wfi_share_done(weft_ctx *ctx, _Atomic int *through);
#endif

/* Monotonic milliseconds. */
double wfi_now_ms(void);

#ifndef __cplusplus
/* Of the first failure in a parallel region: keeps the first status that is not WEFT_OK. */
static inline void wfi_keep_status(_Atomic int *place, weft_status st) {
    int none = WEFT_OK;
    if (st != WEFT_OK) atomic_compare_exchange_strong(place, &none, (int)st);
}
#endif

static inline uint64_t wfi_min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t wfi_max_u64(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* For counts in messages: "%llu edge%s", n, wfi_s(n). */
static inline const char *wfi_s(uint64_t n) { return n == 1 ? "" : "s"; }

/* Bits needed to write x: 0 -> 0, 1 -> 1, 255 -> 8. */
static inline unsigned wfi_bits(uint64_t x) { return x ? 64u - (unsigned)__builtin_clzll(x) : 0u; }

WFI_C_END
#endif
