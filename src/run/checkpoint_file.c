/* See checkpoint_file.h. */
#include "run/checkpoint_file.h"
#include "core/scan.h"
#include "stream/descriptors.h"
#include "stream/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GROUP = WFI_CUT_AT, AT_ONCE = 1 << 24 /* bytes between two polls */ };

static const char magic[16] = "weft checkpoint";
static const uint64_t order = 0x0102030405060708u;

static bool is_first(const wfi_checkpoint_place *p) { return wfi_rank(p->ctx) == 0; }

static weft_status refuse(const wfi_checkpoint_place *p, const char *path, const char *what) {
    return wfi_fail(p->ctx, WEFT_EIO, "%s: cannot %s: %s", path, what, strerror(errno));
}

/* --- where values are -------------------------------------------------------------- */

/* A range of vertices whose values this rank has. */
typedef struct stretch {
    weft_vid first, end, place, seen;
} stretch;

static size_t stretches_of(const wfi_checkpoint_place *p, stretch at[WFI_MOST_BLOCKS]) {
    for (size_t b = 0; b < p->spread->blocks; b++) {
        const wfi_part *part = &p->spread->part[b];
        at[b] = (stretch){part->first, part->end, part->place, part->seen};
    }
    return p->spread->blocks;
}

static char *values_of(const wfi_state_column *column, const stretch *s) {
    return (char *)column->values + (size_t)(column->whole ? s->seen : s->place) * column->each;
}

/* The offset of the column in the file; of column WFI_STATE_COLUMNS: the end of the file. */
static uint64_t start_of(const uint64_t each[WFI_STATE_COLUMNS], uint64_t vertices, size_t column) {
    uint64_t at = WFI_CHECKPOINT_HEAD;
    for (size_t c = 0; c < column; c++) at += each[c] * vertices;
    return at;
}

static uint64_t group_digest(const char *values, size_t bytes, uint64_t seed) {
    uint64_t h = wfi_mix(seed), word;
    for (size_t at = 0; at < bytes; at += sizeof word) {
        memcpy(&word, values + at, sizeof word);
        h = wfi_mix(h + word); /* one-to-one in the word: damage within one is always found */
    }
    return h;
}

/* The part of the column's digest that the values of a range contribute. */
static uint64_t digest_of(weft_ctx *ctx, const char *values, size_t each, const stretch *s, size_t column) {
    uint64_t sum = 0, seed = wfi_mix(column + 1);
    weft_vid count = s->end - s->first;
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads(wfi_threads_for(ctx, count, 1 << 16))
    for (weft_vid k = 0; k < count / GROUP; k++)
        sum += group_digest(values + (size_t)k * GROUP * each, GROUP * each, seed + s->first / GROUP + k);
    char last[GROUP * sizeof(double)] = {0};
    weft_vid whole = count / GROUP * GROUP;
    if (whole < count) {
        memcpy(last, values + (size_t)whole * each, (size_t)(count - whole) * each);
        sum += group_digest(last, GROUP * each, seed + (s->first + whole) / GROUP);
    }
    return sum;
}

static uint64_t head_digest(weft_ctx *ctx, const wfi_checkpoint_head *head) {
    return wfi_digest(ctx, head, offsetof(wfi_checkpoint_head, check), WFI_CHECKPOINT_FORMAT);
}

/* Adds up the columns' digests of all ranks. */
static weft_status add_digests(const wfi_checkpoint_place *p, uint64_t digest[WFI_STATE_COLUMNS]) {
    return wfi_allreduce(p->ctx, digest, WFI_STATE_COLUMNS, WFI_SUM);
}

/* --- bytes --------------------------------------------------------------------------------- */

static int open_again(const char *path, int flags) {
    int fd;
    do fd = wfi_open(path, flags, 0);
    while (fd < 0 && errno == EINTR);
    return fd;
}

/* Transfers bytes from `at` on: writes to the partial file, or reads the complete one. */
static weft_status move(const wfi_checkpoint_place *p, int fd, bool writes, char *here, uint64_t bytes, uint64_t at) {
    while (bytes) {
        if (wfi_cancelled(p->ctx)) return wfi_fail_cancelled(p->ctx);
        size_t most = (size_t)wfi_min_u64(bytes, AT_ONCE);
        ssize_t n = writes ? pwrite(fd, here, most, (off_t)at) : pread(fd, here, most, (off_t)at);
        if (n < 0 && errno != EINTR) return refuse(p, writes ? p->partial : p->path, writes ? "write" : "read");
        if (n < 0) continue;
        if (!n && !writes) return wfi_fail(p->ctx, WEFT_EINPUT, "%s is damaged: it ends too early", p->path);
        here += n;
        at += (uint64_t)n;
        bytes -= (uint64_t)n;
    }
    return WEFT_OK;
}

/* Transfers the columns of the state to or from a file with this head. */
typedef struct moving {
    const wfi_checkpoint_place *p;
    int fd;
    bool writes;
    const wfi_checkpoint_head *head;
    const wfi_state *state;
} moving;

/* Transfers this rank's values of column c, and adds their digest to *digest. */
static weft_status move_column(const moving *m, size_t c, uint64_t *digest) {
    const wfi_state_column *column = &m->state->column[c];
    stretch at[WFI_MOST_BLOCKS];
    size_t count = column->each ? stretches_of(m->p, at) : 0;
    weft_status st = WEFT_OK;
    for (size_t i = 0; i < count && !st; i++) {
        const stretch *s = &at[i];
        uint64_t place = start_of(m->head->each, m->head->vertices, c) + (uint64_t)s->first * column->each;
        if (s->first == s->end) continue;
        st = move(m->p, m->fd, m->writes, values_of(column, s), (uint64_t)(s->end - s->first) * column->each, place);
        if (!st) *digest += digest_of(m->p->ctx, values_of(column, s), column->each, s, c);
    }
    return st;
}

/* After a call that returned an errno. */
static weft_status written(const wfi_checkpoint_place *p, int why) {
    errno = why;
    return why ? refuse(p, p->partial, "write") : WEFT_OK;
}

/* --- the folder ---------------------------------------------------------------------------- */

/* On the first rank: makes the folder if it is missing, and locks it. */
static weft_status take_folder(wfi_checkpoint_place *p) {
    if (mkdir(p->folder, 0777) && errno != EEXIST) return refuse(p, p->folder, "make the folder");
    p->lock = open_again(p->folder, O_RDONLY | O_DIRECTORY);
    if (p->lock < 0) return refuse(p, p->folder, "open the folder");
    /* Some file systems have no locks; there users must keep runs apart. */
    if (flock(p->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return wfi_fail(p->ctx, WEFT_EIO, "%s: another run has its checkpoints there", p->folder);
    return WEFT_OK;
}

/* The first rank makes the file that all ranks write to; the others open it, and remove nothing on failure. */
static weft_status open_partial(const wfi_checkpoint_place *p, wfi_place *file) {
    weft_status st = WEFT_OK;
    *file = (wfi_place){.fd = -1};
    if (is_first(p)) st = written(p, wfi_place_open_as(file, p->path, p->partial));
    st = wfi_agree(p->ctx, st);
    if (st || is_first(p)) return st;
    file->fd = open_again(p->partial, O_WRONLY | O_NOFOLLOW);
    if (file->fd >= 0) return WEFT_OK;
    return wfi_fail(p->ctx, WEFT_EIO, "%s, which the first rank has made, cannot be written here: %s", p->partial,
                    strerror(errno));
}

weft_status wfi_checkpoint_enter(wfi_checkpoint_place *p) {
    wfi_place file;
    weft_status st = wfi_agree(p->ctx, is_first(p) ? take_folder(p) : WEFT_OK);
    if (st) return st;
    st = wfi_agree(p->ctx, open_partial(p, &file));
    wfi_place_drop(&file);
    return st;
}

void wfi_checkpoint_leave(wfi_checkpoint_place *p) {
    if (p->lock >= 0) close(p->lock);
    p->lock = -1;
}

/* --- reading ------------------------------------------------------------------------------- */

static weft_status check_head(const wfi_checkpoint_place *p, const wfi_checkpoint_head *head, uint64_t bytes) {
    if (memcmp(head->magic, magic, sizeof magic) != 0)
        return wfi_fail(p->ctx, WEFT_EINPUT, "%s is no checkpoint of Weft's", p->path);
    if (head->order != order)
        return wfi_fail(p->ctx, WEFT_EINPUT, "%s was written on a machine with another order of bytes", p->path);
    if (head->check != head_digest(p->ctx, head) || head->library[sizeof head->library - 1] ||
        head->words[sizeof head->words - 1])
        return wfi_fail(p->ctx, WEFT_EINPUT, "%s is damaged: its head does not match its digest", p->path);
    if (head->format != WFI_CHECKPOINT_FORMAT || strcmp(head->library, weft_version()) != 0)
        return wfi_fail(p->ctx, WEFT_EINPUT,
                        "%s was written by Weft %s, and this is %s; only the same version gives the same bytes",
                        p->path, head->library, weft_version());
    uint64_t whole = start_of(head->each, head->vertices, WFI_STATE_COLUMNS);
    if (bytes != whole)
        return wfi_fail(p->ctx, WEFT_EINPUT, "%s is damaged: it has %llu bytes instead of %llu", p->path,
                        (unsigned long long)bytes, (unsigned long long)whole);
    return WEFT_OK;
}

static weft_status look(const wfi_checkpoint_place *p, wfi_checkpoint_head *head, bool *there) {
    struct stat facts;
    int fd = open_again(p->path, O_RDONLY);
    *there = fd >= 0;
    if (fd < 0) return errno == ENOENT ? WEFT_OK : refuse(p, p->path, "open");
    weft_status st = fstat(fd, &facts) ? refuse(p, p->path, "open") : WEFT_OK;
    if (!st && facts.st_size < WFI_CHECKPOINT_HEAD)
        st = wfi_fail(p->ctx, WEFT_EINPUT, "%s is no checkpoint of Weft's: it has %lld bytes only", p->path,
                      (long long)facts.st_size);
    if (!st) st = move(p, fd, false, (char *)head, sizeof *head, 0);
    if (!st) st = check_head(p, head, (uint64_t)facts.st_size);
    close(fd);
    return st;
}

weft_status wfi_checkpoint_look(const wfi_checkpoint_place *p, wfi_checkpoint_head *head, bool *there) {
    weft_status st = wfi_agree(p->ctx, look(p, head, there));
    if (st) return st;
    uint64_t least = *there ? head->check : 0, most = least;
    st = wfi_allreduce(p->ctx, &least, 1, WFI_MIN);
    if (!st) st = wfi_allreduce(p->ctx, &most, 1, WFI_MAX);
    if (st || least == most) return st;
    return wfi_fail(p->ctx, WEFT_EINPUT, "ranks find different checkpoints in %s: it is not the same on all machines",
                    p->folder);
}

static weft_status load(const wfi_checkpoint_place *p, const wfi_checkpoint_head *head, const wfi_state *state,
                        uint64_t digest[WFI_STATE_COLUMNS]) {
    int fd = open_again(p->path, O_RDONLY);
    weft_status st = fd < 0 ? refuse(p, p->path, "open") : WEFT_OK;
    for (size_t c = 0; c < WFI_STATE_COLUMNS && !st; c++)
        st = state->column[c].each == head->each[c]
                 ? move_column(&(moving){p, fd, false, head, state}, c, &digest[c])
                 : wfi_fail(p->ctx, WEFT_EINPUT, "%s is damaged: its columns are not this run's", p->path);
    if (fd >= 0) close(fd);
    return st;
}

weft_status wfi_checkpoint_load(const wfi_checkpoint_place *p, const wfi_checkpoint_head *head, wfi_state *state) {
    uint64_t digest[WFI_STATE_COLUMNS] = {0};
    weft_status st = wfi_agree(p->ctx, load(p, head, state, digest));
    if (!st) st = add_digests(p, digest);
    for (size_t c = 0; c < WFI_STATE_COLUMNS && !st; c++)
        if (digest[c] != head->digest[c])
            st = wfi_fail(p->ctx, WEFT_EINPUT, "%s is damaged: its column %zu does not match its digest", p->path,
                          c + 1);
    for (size_t c = 0; c < WFI_STATE_COLUMNS; c++) {
        const wfi_state_column *column = &state->column[c];
        for (size_t b = 0; b < p->spread->blocks && column->whole && column->each && !st; b++)
            st = wfi_spread_allgather(p->ctx, p->spread, &p->spread->part[b], column->values, column->each);
    }
    memcpy(state->number, head->number, sizeof state->number);
    return st;
}

/* --- writing ------------------------------------------------------------------------------- */

static weft_status write_columns(const wfi_checkpoint_place *p, int fd, const wfi_checkpoint_head *head,
                                 const wfi_state *state, uint64_t digest[WFI_STATE_COLUMNS]) {
    weft_status st = WEFT_OK;
    for (size_t c = 0; c < WFI_STATE_COLUMNS && !st; c++)
        st = move_column(&(moving){p, fd, true, head, state}, c, &digest[c]);
    if (st || is_first(p)) return st; /* the first rank has yet to write the head */
    return written(p, wfi_sync_file(fd));
}

/* On the first rank, when all others are done. */
static weft_status finish(const wfi_checkpoint_place *p, wfi_place *file, wfi_checkpoint_head *head) {
    weft_status st = move(p, file->fd, true, (char *)head, sizeof *head, 0);
    file->syncs = true;
    return st ? st : written(p, wfi_place_end(file));
}

weft_status wfi_checkpoint_store(const wfi_checkpoint_place *p, wfi_checkpoint_head *head, const wfi_state *state) {
    wfi_place file;
    memcpy(head->magic, magic, sizeof magic);
    memcpy(head->number, state->number, sizeof head->number);
    memset(head->digest, 0, sizeof head->digest);
    head->order = order;
    head->format = WFI_CHECKPOINT_FORMAT;
    for (size_t c = 0; c < WFI_STATE_COLUMNS; c++) head->each[c] = state->column[c].each;
    weft_status st = open_partial(p, &file);
    if (!st) st = write_columns(p, file.fd, head, state, head->digest);
    if (!is_first(p)) wfi_place_drop(&file);
    st = wfi_agree(p->ctx, st);
    if (!st) st = add_digests(p, head->digest);
    head->check = head_digest(p->ctx, head);
    if (!st && is_first(p)) st = finish(p, &file, head);
    wfi_place_drop(&file);
    return wfi_agree(p->ctx, st);
}
