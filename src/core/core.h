/* The base of every room: context, messages, memory, cancellation and progress, threads, clock. Nothing here depends
 * on graphs. */
#ifndef WFI_CORE_H
#define WFI_CORE_H

#include "weft/experimental.h"

#ifndef __cplusplus /* device code (.cu) uses no C atomics */
#include <stdatomic.h>
#endif
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Marks functions for both host and GPU. */
#ifdef __CUDACC__
#define WFI_HOST_DEVICE __host__ __device__
#else
#define WFI_HOST_DEVICE
#endif

/* Enclose the declarations of a header that .cu files include. */
#ifdef __cplusplus
#define WFI_C_BEGIN extern "C" {
#define WFI_C_END   }
#else
#define WFI_C_BEGIN
#define WFI_C_END
#endif

WFI_C_BEGIN

/* --- messages ------------------------------------------------------------ */

/* Status for the errno of a file operation. */
static inline weft_status wfi_status_of_error(int why) { return why == ENOMEM ? WEFT_ENOMEM : WEFT_EIO; }

/* Sets the context's message and returns `status`: return wfi_fail(ctx, WEFT_EINVAL, "..."). Any thread; the last
 * message wins. */
weft_status wfi_fail(weft_ctx *ctx, weft_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* wfi_fail with what weft_ctx_error tells besides: the parameter at fault (WEFT_EINVAL), or the size of the request that
 * was refused (WEFT_ENOMEM). A parameter in back quotes in a message is found without. */
weft_status wfi_fail_parameter(weft_ctx *ctx, const char *parameter, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
weft_status wfi_fail_bytes(weft_ctx *ctx, uint64_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Formats the variable arguments after `format` of the calling function into `text`. */
#define WFI_FORMAT(text, size, format)            \
    do {                                          \
        va_list args_;                            \
        va_start(args_, format);                  \
        vsnprintf((text), (size), format, args_); \
        va_end(args_);                            \
    } while (0)

/* wfi_fail for bad input: prefixes the message with "file:line:column: ". line and column count from 1. Returns
 * WEFT_EINPUT. */
weft_status wfi_fail_at(weft_ctx *ctx, const char *file, uint64_t line, uint64_t column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Begin of a public function that returns a status: clears the previous message and fails if a required pointer is
 * NULL. Output pointers are set to NULL or 0 before. */
#define WFI_BEGIN_OR_RETURN(ctx)    \
    if (!(ctx)) return WEFT_EINVAL; \
    weft_ctx *const call_ __attribute__((cleanup(wfi_call_end), unused)) = wfi_call_begin(ctx)
#define WFI_NEED_OR_RETURN(ctx, ...)                                                                 \
    do {                                                                                             \
        const void *const needed_[] = {__VA_ARGS__};                                                 \
        if (wfi_fail_null((ctx), __func__, #__VA_ARGS__, needed_, sizeof needed_ / sizeof *needed_)) \
            return WEFT_EINVAL;                                                                      \
    } while (0)
/* Sets the message for the first NULL pointer; names: the pointers' names, separated by commas. */
bool wfi_fail_null(weft_ctx *ctx, const char *function, const char *names, const void *const pointers[], size_t count);
#define WFI_BEGIN_WITH_OR_RETURN(ctx, ...) \
    WFI_BEGIN_OR_RETURN(ctx);              \
    WFI_NEED_OR_RETURN(ctx, __VA_ARGS__)
/* The call that weft_interrupt ends lasts from the outermost begin to its end, which the compiler puts at each return.
 * Both forget an interrupt.  begin clears the message and returns ctx. */
weft_ctx *wfi_call_begin(weft_ctx *ctx);
void wfi_call_end(weft_ctx *const *ctx);
void wfi_message_clear(weft_ctx *ctx);

/* Adds a reference, released by weft_ctx_free. */
weft_ctx *wfi_ctx_keep(weft_ctx *ctx);

/* Prefixes the current message with "prefix: ", for callers that know the file of a failure. */
weft_status wfi_fail_prefixed(weft_ctx *ctx, const char *prefix);

/* Sends a sentence to the warning callback, if there is one. Calling thread only. */
void wfi_warn(weft_ctx *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Sends a sentence to the note callback: how an ambiguous file was interpreted. Calling thread only. */
void wfi_note(weft_ctx *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns whether the note that weights are unused has been given, and marks it as given. */
bool wfi_ctx_weights_noted(weft_ctx *ctx);

/* --- structs of the public API (abi.c) ------------------------------------ */

/* Public structs begin with their size, so that programs and libraries of different versions agree: a shorter struct
 * comes from an older header, and the fields it lacks have their defaults; a longer one comes from a newer header and
 * is accepted if its unknown fields are zero.
 * The size ends with the last field. A program may use sizeof, which includes padding of any content: a new field
 * must not lie in former padding (docs/ABI.md). */

/* Parameters: overwrites the defaults in `ours` (`size` bytes, its size field set) with `given`, which may be NULL.
 * `what` is the type's name, for messages. */
weft_status wfi_sized_in(weft_ctx *ctx, const char *what, const void *given, void *ours, size_t size);
/* Results: copies as much of `ours` as fits the caller's struct; zeros its unknown fields. */
weft_status wfi_sized_out(weft_ctx *ctx, const char *what, const void *ours, size_t size, void *to);
/* Fails unless the caller has set its struct's size; for calls that compute for long before wfi_sized_out. */
weft_status wfi_sized_check(weft_ctx *ctx, const char *what, const void *given);

/* --- memory -------------------------------------------------------------- */

/* Allocates `count` uninitialised items of `each` bytes, aligned to 64 bytes. NULL (message set) if memory runs out
 * or the limit forbids it. A block holds a reference to its allocator and may outlive the context. Any thread. */
void *wfi_take(weft_ctx *ctx, size_t count, size_t each);
void *wfi_take_zeroed(weft_ctx *ctx, size_t count, size_t each);
/* Resizes a block (NULL: a new one) and keeps its content. On failure the old block stays valid. */
void *wfi_resize(weft_ctx *ctx, void *block, size_t count, size_t each);
void wfi_free(const void *block); /* NULL is allowed; const for blocks with a const view */
/* Frees several blocks. */
#define WFI_FREE(...) \
    wfi_free_all((const void *const[]){__VA_ARGS__}, sizeof(const void *[]){__VA_ARGS__} / sizeof(void *))
void wfi_free_all(const void *const blocks[], size_t count);
/* Size of a block as requested. */
size_t wfi_block_bytes(const void *block);

/* wfi_alloc(ctx, &array, n): typed wfi_take. */
#define wfi_alloc(ctx, place, count) \
    ((*(place) = wfi_take((ctx), (count), sizeof **(place))) != NULL ? WEFT_OK : WEFT_ENOMEM)
#define wfi_alloc_zeroed(ctx, place, count) \
    ((*(place) = wfi_take_zeroed((ctx), (count), sizeof **(place))) != NULL ? WEFT_OK : WEFT_ENOMEM)
/* wfi_widen(ctx, &array, n): resizes to n elements and keeps the content. On failure the array is unchanged. */
#define wfi_widen(ctx, place, count) wfi_widen_block((ctx), (place), (count), sizeof **(place))
weft_status wfi_widen_block(weft_ctx *ctx, void *place, size_t count, size_t each);
/* wfi_reserve_one(ctx, &array, used, &capacity): ensures space for one more than `used` elements; grows to
 * 2 * capacity + 64. */
#define wfi_reserve_one(ctx, place, used, capacity) \
    wfi_reserve_one_in((ctx), (place), (used), (capacity), sizeof **(place))
weft_status wfi_reserve_one_in(weft_ctx *ctx, void *place, size_t used, size_t *capacity, size_t each);

/* Bytes left under the limit; UINT64_MAX without a limit. */
uint64_t wfi_memory_left(const weft_ctx *ctx);
uint64_t wfi_device_memory_left(const weft_ctx *ctx); /* the same for GPU memory */
/* "1.5 MiB", in the units of --memory-limit. */
const char *wfi_size_text(char buffer[24], uint64_t bytes);

/* Copies a C string; NULL if memory runs out. */
char *wfi_copy_text(weft_ctx *ctx, const char *text);

/* --- running ------------------------------------------------------------- */

/* Largest team of threads: the requested number, or fewer if the system does not allow more (team.h). */
int wfi_threads(const weft_ctx *ctx);
bool wfi_ctx_threads_given(const weft_ctx *ctx); /* True if the caller set a number of threads. */
/* Warns once if fewer threads than requested could be started. Entry points call it after their work. */
void wfi_warn_threads(weft_ctx *ctx);
/* All threads, or 1 if `work` is at most one `share`: waking a team costs more than a small graph takes. Never a
 * number between: an OpenMP runtime may end the threads that a smaller team leaves out and recreate them later. */
int wfi_threads_for(const weft_ctx *ctx, uint64_t work, uint64_t share);
/* Calls body(state, from, to) for every span of `span` indices of 0 ... count - 1, dynamically scheduled over
 * `threads` threads. WEFT_ECANCELLED (message set) once the caller requests a stop. */
typedef void wfi_span_body(void *state, uint64_t from, uint64_t to);
weft_status wfi_spans(weft_ctx *ctx, uint64_t count, uint64_t span, int threads, wfi_span_body *body, void *state);
weft_device wfi_device(const weft_ctx *ctx);

/* True if the caller requests a stop. Any thread; every few milliseconds of work. */
bool wfi_cancelled(weft_ctx *ctx);
/* Elements that a plain loop processes between two polls: some milliseconds. */
#define WFI_POLL_EVERY ((uint64_t)1 << 20)
/* Sets the message and returns WEFT_ECANCELLED; for the code after a parallel region. */
weft_status wfi_fail_cancelled(weft_ctx *ctx);

/* Calls the progress callback, at most every 50 ms. Only on the thread that entered the library. A stage need not
 * repeat the call: wfi_cancelled does, every 100 ms. */
void wfi_progress(weft_ctx *ctx, const char *stage, uint64_t done, uint64_t total);

#ifndef __cplusplus
/* Called at the end of a thread's static share: thread 0 keeps reporting progress while other threads work. *through
 * counts finished threads and starts as 0. */
void wfi_share_done(weft_ctx *ctx, _Atomic int *through);
#endif

/* Monotonic milliseconds. */
double wfi_now_ms(void);

#ifndef __cplusplus
/* Keeps the first status other than WEFT_OK of a parallel region. */
static inline void wfi_keep_status(_Atomic int *place, weft_status st) {
    int none = WEFT_OK;
    if (st != WEFT_OK) atomic_compare_exchange_strong(place, &none, (int)st);
}
#endif

static inline uint64_t wfi_min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t wfi_max_u64(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Plural for messages: "%llu edge%s", n, wfi_plural(n). */
static inline const char *wfi_plural(uint64_t n) { return n == 1 ? "" : "s"; }

/* Bits needed to write x: 0 -> 0, 1 -> 1, 255 -> 8. */
static inline unsigned wfi_bits(uint64_t x) { return x ? 64u - (unsigned)__builtin_clzll(x) : 0u; }

WFI_C_END
#endif
