/* Fuzz target: the log of a .weft file.  The bytes are frames without their digests, which are put in as docs/formats/weft.md says, so that what is
 * behind them is reached; frames follow on a small graph of a kind that the first byte chooses.  In one of eight, digests stay as they are. */
#include "weft/experimental.h"

static weft_status read_log(weft_ctx *ctx, const void *data, size_t bytes, const char *name,
                            const weft_read_params *params, weft_graph **out);
#define FUZZ_FORMAT "weft"
#define FUZZ_READ   read_log
#include "fuzz_common.h"

#include "core/scan.h"
#include "dynamic/frame.h"

#include <unistd.h>

enum { KINDS = 4, ROOM = 1 << 17 };

typedef struct base {
    char *bytes;
    size_t count;
    wfi_weft_page page;
} base;

/* Numbers or names, without weights and with u32, each with an edge. */
static const base *base_of(unsigned kind) {
    static base made[KINDS];
    base *b = &made[kind];
    if (b->bytes) return b;
    weft_ctx *ctx = NULL;
    weft_dynamic *d = NULL;
    weft_graph *g = NULL;
    weft_dynamic_params p = WEFT_DYNAMIC_DEFAULTS;
    weft_batch batch = WEFT_BATCH_DEFAULTS;
    const int64_t u = 1, v = 2;
    const uint32_t w = 3;
    const char *const a = "a", *const c = "c";
    char path[] = "/tmp/weft-fuzz-XXXXXX";
    p.names = kind & 1;
    p.weight_type = kind & 2 ? WEFT_WEIGHT_U32 : WEFT_WEIGHT_NONE;
    p.direction = kind & 1 ? WEFT_UNDIRECTED : WEFT_DIRECTED;
    batch.count = 1;
    batch.sources = &u;
    batch.targets = &v;
    batch.source_names = &a;
    batch.target_names = &c;
    batch.weights = kind & 2 ? &w : NULL;
    int fd = mkstemp(path);
    FUZZ_CHECK(fd >= 0 && !weft_ctx_new(&ctx) && !weft_dynamic_new(ctx, NULL, &p, &d));
    FUZZ_CHECK(!weft_dynamic_apply(ctx, d, &batch, NULL) && !weft_dynamic_snapshot(ctx, d, &g));
    weft_csr rows = {.size = sizeof rows};
    FUZZ_CHECK(!weft_graph_out(ctx, g, &rows) && !wfi_weft_write_base(ctx, g, path, fd, 1, &b->page));
    b->count = (size_t)b->page.changes.log_offset;
    b->bytes = malloc(b->count);
    close(fd);
    FILE *f = fopen(path, "rb");
    FUZZ_CHECK(f && b->bytes && fread(b->bytes, 1, b->count, f) == b->count);
    fclose(f);
    unlink(path);
    weft_graph_free(g);
    weft_dynamic_free(d);
    weft_ctx_free(ctx);
    return b;
}

static uint64_t padded(uint64_t bytes) { return (bytes + 7) / 8 * 8; }

/* As the specification has it. */
static uint64_t content_digest(weft_ctx *ctx, const wfi_frame *f, const char *content, size_t room, bool weighted) {
    bool names = f->flags & 2;
    uint64_t length[5] = {f->flags & 1 ? f->count : 0, names ? 0 : 8 * f->count, names ? 0 : 8 * f->count,
                          f->name_bytes, f->flags & 4 && weighted ? 4 * f->count : 0};
    uint64_t digest = 0, at = 0;
    for (int i = 0; i < 5; i++) {
        if (length[i] > room || at > room - length[i]) return 0;
        if (length[i]) digest = wfi_digest(ctx, content + at, (size_t)length[i], digest);
        at += padded(length[i]);
    }
    return digest;
}

static void seal(weft_ctx *ctx, const base *b, char *log, size_t bytes, bool weighted) {
    uint64_t chain = b->page.header.digest, batch = 2;
    for (size_t at = 0; bytes - at >= sizeof(wfi_frame); batch++) {
        wfi_frame f;
        memcpy(&f, log + at, sizeof f);
        memcpy(f.magic, WFI_FRAME_MAGIC, sizeof f.magic);
        f.flags &= 0x1f;
        f.batch = batch;
        f.reserved = 0;
        if (f.bytes > bytes - at) f.bytes = bytes - at;
        f.bytes = f.bytes < sizeof f ? sizeof f : f.bytes / 8 * 8;
        f.content = content_digest(ctx, &f, log + at + sizeof f, (size_t)f.bytes - sizeof f, weighted);
        f.digest = chain = wfi_digest(ctx, (const char *)&f + 8, sizeof f - 8, chain);
        memcpy(log + at, &f, sizeof f);
        at += (size_t)f.bytes;
    }
}

static weft_status read_log(weft_ctx *ctx, const void *data, size_t bytes, const char *name,
                            const weft_read_params *params, weft_graph **out) {
    const uint8_t *from = data;
    unsigned choice = bytes ? from[0] : 0;
    const base *b = base_of(choice % KINDS);
    if (bytes) from++, bytes--;
    if (bytes > ROOM) bytes = ROOM;
    char *file = malloc(b->count + bytes + 1);
    FUZZ_CHECK(file);
    memcpy(file, b->bytes, b->count);
    memcpy(file + b->count, from, bytes);
    if (choice / KINDS % 8) seal(ctx, b, file + b->count, bytes, choice & 2);
    weft_read_params p = *params;
    p.weights = WEFT_WEIGHTS_AUTO;
    weft_status st = weft_read_memory(ctx, file, b->count + bytes, name, &p, out);
    free(file);
    return st;
}
