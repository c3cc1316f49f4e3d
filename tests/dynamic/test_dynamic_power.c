/* Power failures and disks that fail.  What the library asks of the system (pread, pwrite, write, ftruncate, fdatasync, fsync, fchmod, linkat, rename) passes
 * through here (linked with --wrap), and is remembered as a disk may do it: until a sync returned, each sector of a write may be there or not,
 * in any combination (sectors here are small, so that there are many); until its folder was synced, a name may still mean the old file.  After every single call, every file
 * that a power failure could leave is opened: it must hold the last batch that was acknowledged, or the one under way, whole. */
#include "saga.h"

#include "dynamic/frame.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

enum { SECTOR = 48, MOST_FILES = 8, MOST_PIECES = 14, LARGEST_FILE = 1 << 16 };

typedef struct piece {
    size_t offset, bytes; /* SIZE_MAX: the file ends at `offset` */
    char data[SECTOR];
} piece;

typedef struct file {
    ino_t inode;
    char *safe; /* what is on the disk for certain */
    size_t safe_bytes;
    piece *pending;
    size_t count, room;
} file;

static struct disk {
    bool on;
    char folder[256];
    file files[MOST_FILES];
    int used;
    ino_t name, renamed; /* g.weft means; 0, or means if a rename was done */
    void (*look)(void);
    uint64_t states;
    /* failures: the call number `fails_at` fails, if it is of that kind */
    uint64_t calls, fails_at;
    bool failed_sync;
    bool names_only; /* it has no files without a name */
} disk;

static file *file_of(int fd) {
    struct stat about;
    if (!disk.on || fstat(fd, &about) || (!S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))) return NULL;
    for (int i = 0; i < disk.used; i++)
        if (disk.files[i].inode == about.st_ino) return &disk.files[i];
    if (disk.used == MOST_FILES || !S_ISREG(about.st_mode)) return NULL;
    disk.files[disk.used] = (file){.inode = about.st_ino};
    return &disk.files[disk.used++];
}

static file *file_named(ino_t inode) {
    for (int i = 0; i < disk.used; i++)
        if (disk.files[i].inode == inode) return &disk.files[i];
    return NULL;
}

static void remember(file *f, size_t offset, size_t bytes, const char *data) {
    if (f->count == f->room) f->pending = realloc(f->pending, (f->room = 2 * f->room + 16) * sizeof *f->pending);
    if (!f->pending) exit(1);
    piece *p = &f->pending[f->count++];
    p->offset = offset;
    p->bytes = bytes;
    if (bytes != SIZE_MAX) memcpy(p->data, data, bytes);
}

static void remember_write(int fd, const char *data, size_t bytes, size_t offset) {
    file *f = file_of(fd);
    if (!f) return;
    while (bytes) {
        size_t here = SECTOR - offset % SECTOR < bytes ? SECTOR - offset % SECTOR : bytes;
        remember(f, offset, here, data);
        data += here;
        offset += here;
        bytes -= here;
    }
    disk.look();
}

static size_t put(char *image, size_t count, const piece *p) {
    if (p->bytes == SIZE_MAX) return p->offset < count ? p->offset : count;
    if (p->offset + p->bytes > LARGEST_FILE) exit(1);
    if (p->offset > count) memset(image + count, 0, p->offset - count);
    memcpy(image + p->offset, p->data, p->bytes);
    return p->offset + p->bytes > count ? p->offset + p->bytes : count;
}

static void settle(file *f) {
    if (!f->safe && !(f->safe = calloc(1, LARGEST_FILE))) exit(1);
    for (size_t i = 0; i < f->count; i++) f->safe_bytes = put(f->safe, f->safe_bytes, &f->pending[i]);
    f->count = 0;
}

/* --- the calls ----------------------------------------------------------------------- */

ssize_t __real_pwrite(int fd, const void *data, size_t bytes, off_t offset);
ssize_t __real_write(int fd, const void *data, size_t bytes);
int __real_ftruncate(int fd, off_t bytes);
int __real_fdatasync(int fd);
int __real_fsync(int fd);
int __real_rename(const char *from, const char *to);
ssize_t __wrap_pwrite(int fd, const void *data, size_t bytes, off_t offset);
ssize_t __wrap_write(int fd, const void *data, size_t bytes);
int __wrap_ftruncate(int fd, off_t bytes);
int __wrap_fdatasync(int fd);
int __wrap_fsync(int fd);
int __wrap_rename(const char *from, const char *to);
ssize_t __real_pread(int fd, void *data, size_t bytes, off_t offset);
ssize_t __wrap_pread(int fd, void *data, size_t bytes, off_t offset);
int __real_fchmod(int fd, mode_t mode);
int __wrap_fchmod(int fd, mode_t mode);
int __real_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags);
int __wrap_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags);
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);

static bool fails(void) { return disk.fails_at && ++disk.calls == disk.fails_at; }

static int fail_with(int why) {
    errno = why;
    return -1;
}

ssize_t __wrap_pread(int fd, void *data, size_t bytes, off_t offset) {
    return fails() ? fail_with(EIO) : __real_pread(fd, data, bytes, offset);
}

int __wrap_fchmod(int fd, mode_t mode) { return fails() ? fail_with(EIO) : __real_fchmod(fd, mode); }

int __wrap_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    return fails() ? fail_with(EPERM) : __real_linkat(from_folder, from, to_folder, to, flags);
}

int __wrap_open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, unsigned) : 0;
    va_end(more);
    bool nameless = (flags & O_TMPFILE) == O_TMPFILE;
    return nameless && disk.names_only ? fail_with(EOPNOTSUPP) : __real_open(path, flags, mode);
}

/* A full disk takes a part first. */
ssize_t __wrap_pwrite(int fd, const void *data, size_t bytes, off_t offset) {
    if (fails()) {
        (void)!__real_pwrite(fd, data, bytes / 2, offset);
        errno = ENOSPC;
        return -1;
    }
    ssize_t done = __real_pwrite(fd, data, bytes, offset);
    if (done > 0) remember_write(fd, data, (size_t)done, (size_t)offset);
    return done;
}

ssize_t __wrap_write(int fd, const void *data, size_t bytes) {
    struct stat about;
    if (!fstat(fd, &about) && S_ISREG(about.st_mode) && fails()) {
        errno = ENOSPC;
        return -1;
    }
    off_t offset = lseek(fd, 0, SEEK_CUR);
    ssize_t done = __real_write(fd, data, bytes);
    if (done > 0 && offset >= 0) remember_write(fd, data, (size_t)done, (size_t)offset);
    return done;
}

int __wrap_ftruncate(int fd, off_t bytes) {
    if (fails()) {
        errno = EIO;
        return -1;
    }
    int done = __real_ftruncate(fd, bytes);
    file *f = file_of(fd);
    if (!done && f) {
        remember(f, (size_t)bytes, SIZE_MAX, NULL);
        disk.look();
    }
    return done;
}

/* On a folder: what was renamed has its name for certain. */
static int sync_with(int fd, int (*real)(int)) {
    struct stat about;
    if (fails()) {
        disk.failed_sync = true;
        errno = EIO;
        return -1;
    }
    int done = real(fd);
    if (done || !disk.on) return done;
    file *f = file_of(fd);
    if (f) settle(f);
    if (!fstat(fd, &about) && S_ISDIR(about.st_mode) && disk.renamed) {
        disk.name = disk.renamed;
        disk.renamed = 0;
    }
    disk.look();
    return done;
}

int __wrap_fdatasync(int fd) { return sync_with(fd, __real_fdatasync); }
int __wrap_fsync(int fd) { return sync_with(fd, __real_fsync); }

int __wrap_rename(const char *from, const char *to) {
    struct stat about;
    const char *end = "/g.weft";
    size_t length = strlen(to);
    if (fails()) {
        errno = EIO;
        return -1;
    }
    int done = __real_rename(from, to);
    if (done || !disk.on || length < strlen(end) || strcmp(to + length - strlen(end), end)) return done;
    if (!stat(to, &about)) disk.renamed = about.st_ino;
    disk.look();
    return done;
}

/* --- what a power failure could leave -------------------------------------------------- */

static struct story {
    saga s;
    weft_ctx *ctx;
    char crashed[512];
    uint64_t least, most; /* batches that may be found */
} story;

static void check_image(const char *image, size_t bytes) {
    weft_dynamic *d = NULL;
    disk.states++;
    if (!write_file(story.crashed, image, bytes)) exit(1);
    if (saga_open(story.ctx, story.crashed, WEFT_DURABLE_NEVER, &d)) {
        HARNESS_FAIL("state %" PRIu64 ": %s", disk.states, weft_ctx_message(story.ctx));
        return;
    }
    uint64_t version = dynamic_info(story.ctx, d).version;
    if (version < story.least || version > story.most)
        HARNESS_FAIL("state %" PRIu64 ": batch %" PRIu64 ", expected %" PRIu64 " to %" PRIu64, disk.states, version,
                     story.least, story.most);
    else if (dynamic_print(story.ctx, d) != story.s.print[version])
        HARNESS_FAIL("state %" PRIu64 ": not the graph after batch %" PRIu64, disk.states, version);
    weft_dynamic_free(d);
}

static void check_file(const file *f) {
    static char image[LARGEST_FILE];
    if (!f || !f->safe) {
        HARNESS_FAIL("a file has the name of which nothing is on the disk");
        return;
    }
    if (f->count > MOST_PIECES) {
        HARNESS_FAIL("%zu sectors that are not on the disk: too many", f->count);
        return;
    }
    for (unsigned subset = 0; subset < 1u << f->count && harness_failures < 5; subset++) {
        size_t bytes = f->safe_bytes;
        memcpy(image, f->safe, bytes);
        for (size_t i = 0; i < f->count; i++)
            if (subset >> i & 1) bytes = put(image, bytes, &f->pending[i]);
        check_image(image, bytes);
        /* the length is known before the sectors are */
        size_t longest = f->safe_bytes;
        for (size_t i = 0; i < f->count; i++)
            if (f->pending[i].bytes != SIZE_MAX && f->pending[i].offset + f->pending[i].bytes > longest)
                longest = f->pending[i].offset + f->pending[i].bytes;
        if (longest <= bytes) continue;
        memset(image + bytes, 0, longest - bytes);
        check_image(image, longest);
    }
}

static void look(void) {
    disk.on = false;
    if (harness_failures < 5) check_file(file_named(disk.name));
    if (disk.renamed && harness_failures < 5) check_file(file_named(disk.renamed));
    disk.on = true;
}

static void disk_start(const char *folder) {
    wfi_frame_sector = SECTOR; /* opening tells what a sector is that was not written from what was damaged later */
    struct stat about;
    char path[600];
    snprintf(path, sizeof path, "%s/g.weft", folder);
    if (stat(path, &about)) exit(1);
    size_t bytes;
    char *now = read_file(path, &bytes);
    disk.look = look;
    disk.name = about.st_ino;
    disk.renamed = 0;
    disk.used = 1;
    disk.files[0] = (file){.inode = about.st_ino, .safe = calloc(1, LARGEST_FILE), .safe_bytes = bytes};
    if (!disk.files[0].safe || bytes > LARGEST_FILE) exit(1);
    memcpy(disk.files[0].safe, now, bytes);
    free(now);
    disk.on = true;
}

static void disk_stop(void) {
    disk.on = false;
    for (int i = 0; i < disk.used; i++) {
        free(disk.files[i].safe);
        free(disk.files[i].pending);
    }
    disk.used = 0;
}

static void begin(place *p, size_t largest) {
    story.ctx = new_ctx(1, NULL);
    saga_write(story.ctx, &story.s, true, WEFT_WEIGHT_U32, NAME_IDS, largest);
    story.least = story.most = 0;
    disk.states = 0;
    if (!place_open(p) || !saga_file(story.ctx, &story.s, p->path)) exit(1);
    snprintf(story.crashed, sizeof story.crashed, "%s/crashed.weft", p->folder);
}

static void end(place *p) {
    remove_temp(p->folder);
    model_free(&story.s.m);
    weft_ctx_free(story.ctx);
}

static void survive_power_failures(void) {
    place p;
    weft_dynamic *d = NULL;
    weft_ctx *ctx = new_ctx(1, NULL);
    begin(&p, 25);
    disk_start(p.folder);
    REQUIRE(!saga_open(ctx, p.path, WEFT_DURABLE_BATCH, &d));
    for (unsigned b = 0; b < SAGA_BATCHES && harness_failures < 5; b++) {
        if (b == 4) CHECK(!weft_dynamic_compact(ctx, d));
        if (b == 7 || b == 9) { /* ended and begun again, the second time with bytes of a batch that was not finished */
            weft_dynamic_free(d);
            d = NULL;
            disk_stop();
            FILE *f = b == 9 ? fopen(p.path, "ab") : NULL;
            if (f) fprintf(f, "%700s", "WLOG"), fclose(f);
            disk_start(p.folder);
            REQUIRE(!saga_open(ctx, p.path, WEFT_DURABLE_BATCH, &d));
        }
        story.most = b + 1;
        REQUIRE(!saga_batch(ctx, &story.s, d, b));
        story.least = b + 1;
        look();
    }
    weft_dynamic_free(d);
    disk_stop();
    CHECK(disk.states > 5000);
    weft_ctx_free(ctx);
    end(&p);
}

TEST(acknowledged_batches_survive_every_power_failure) { survive_power_failures(); }

TEST(they_do_so_where_files_have_names_from_the_beginning) {
    disk.names_only = true;
    survive_power_failures();
    disk.names_only = false;
}

/* Without syncs a power failure may take batches, but in order, and never what weft_dynamic_sync waited for. */
TEST(batches_that_are_not_synced_are_lost_from_the_end_only) {
    place p;
    weft_dynamic *d = NULL;
    weft_ctx *ctx = new_ctx(1, NULL);
    begin(&p, 2);
    disk_start(p.folder);
    REQUIRE(!saga_open(ctx, p.path, WEFT_DURABLE_NEVER, &d));
    for (unsigned b = 0; b < SAGA_BATCHES && harness_failures < 5; b++) {
        story.most = b + 1;
        REQUIRE(!saga_batch(ctx, &story.s, d, b));
        if (b % 3 != 2) continue;
        REQUIRE(!weft_dynamic_sync(ctx, d));
        story.least = b + 1;
        look();
    }
    weft_dynamic_free(d);
    disk_stop();
    CHECK(disk.states > 100);
    weft_ctx_free(ctx);
    end(&p);
}

/* --- calls that fail -------------------------------------------------------------------- */

static bool reads_as(const char *path, uint64_t version) {
    weft_graph *g = NULL;
    uint64_t at = disk.fails_at;
    disk.fails_at = 0; /* the reader's calls do not count */
    bool good = !weft_read(story.ctx, path, NULL, &g) && fingerprint_of(story.ctx, g) == story.s.print[version];
    weft_graph_free(g);
    disk.fails_at = at;
    return good;
}

/* A batch that may fail once: the state before stays, in memory and in the file; then it succeeds, after a failed sync (or if what was
 * written could not be taken back) only with the file opened again.  Returns whether it failed. */
static bool stubborn_batch(weft_ctx *ctx, const char *path, weft_dynamic **d, unsigned b) {
    weft_status st = saga_batch(ctx, &story.s, *d, b);
    if (!st) return false;
    char said[512];
    snprintf(said, sizeof said, "%s", weft_ctx_message(ctx));
    CHECK(st == WEFT_EIO && said[0]);
    if (!saga_holds(ctx, &story.s, *d, b)) HARNESS_FAIL("batch %u failed and the graph is another: %s", b, said);
    if (!reads_as(path, b)) HARNESS_FAIL("batch %u failed and the file holds another graph: %s", b, said);
    bool dead = strstr(said, "open") != NULL;
    if (disk.failed_sync && !strstr(said, "rewritten") && !dead)
        HARNESS_FAIL("a failed sync was taken lightly: %s", said);
    if (dead) {
        CHECK(saga_batch(ctx, &story.s, *d, b) == WEFT_EIO);
        weft_dynamic_free(*d);
        *d = NULL;
        if (saga_open(ctx, path, WEFT_DURABLE_BATCH, d)) exit(1);
    }
    if (saga_batch(ctx, &story.s, *d, b)) HARNESS_FAIL("batch %u fails again: %s", b, weft_ctx_message(ctx));
    return true;
}

static void fail_everywhere(void) {
    place p;
    begin(&p, 25);
    bool any = true;
    uint64_t failures = 0;
    for (uint64_t at = 1; any && harness_failures < 5; at++) {
        weft_dynamic *d = NULL;
        weft_ctx *ctx = new_ctx(1, NULL);
        unlink(p.path);
        REQUIRE(saga_file(story.ctx, &story.s, p.path));
        disk.calls = 0;
        disk.fails_at = at;
        disk.failed_sync = false;
        any = saga_open(ctx, p.path, WEFT_DURABLE_BATCH, &d) != WEFT_OK;
        if (any) REQUIRE(!saga_open(ctx, p.path, WEFT_DURABLE_BATCH, &d));
        for (unsigned b = 0; b < 5; b++) {
            if (b == 3 && weft_dynamic_compact(ctx, d)) {
                any = true;
                CHECK(reads_as(p.path, 3) && saga_holds(ctx, &story.s, d, 3));
                if (strstr(weft_ctx_message(ctx), "open")) { /* renamed, but the folder was not synced */
                    weft_dynamic_free(d);
                    REQUIRE(!saga_open(ctx, p.path, WEFT_DURABLE_BATCH, &d));
                }
            }
            any |= stubborn_batch(ctx, p.path, &d, b);
            if (!reads_as(p.path, b + 1)) HARNESS_FAIL("call %" PRIu64 ": batch %u is not there", at, b);
        }
        weft_dynamic_free(d);
        any |= disk.calls >= at; /* what fails while it is closed harms nothing */
        disk.fails_at = 0;
        if (!reads_as(p.path, 5)) HARNESS_FAIL("call %" PRIu64 ": lost", at);
        CHECK_U64(count_entries(p.folder), 1);
        failures += any;
        weft_ctx_free(ctx);
    }
    CHECK(failures > 15);
    end(&p);
}

TEST(a_full_disk_or_a_failed_sync_keeps_the_old_state_and_says_so) { fail_everywhere(); }

TEST(it_does_so_where_files_have_names_from_the_beginning) {
    disk.names_only = true;
    fail_everywhere();
    disk.names_only = false;
}

TEST_MAIN()
