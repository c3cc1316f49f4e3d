/* Runs a fuzz target without libFuzzer: every file of the folders given, and a few hundred changed copies of each.
 *
 *   fuzz_mtx tests/fuzz/corpus/fuzz_mtx [FOLDER ...]
 *
 * The changes are drawn by a counter-based generator from the name of the file, so a run can be repeated exactly; the
 * golden files of the target's format are taken along.  Aborts in the target when something is broken. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPIES_OF_SEEDS = 150, COPIES_OF_GOLDEN = 20, INPUT_ROOM = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
extern const char *const fuzz_format;
extern unsigned long long fuzz_graphs;

static uint64_t inputs;

static uint64_t draw(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static size_t insert(uint8_t *data, size_t bytes, size_t at, const void *what, size_t length) {
    if (bytes + length > INPUT_ROOM) return bytes;
    memmove(data + at + length, data + at, bytes - at);
    memcpy(data + at, what, length);
    return bytes + length;
}

static size_t erase(uint8_t *data, size_t bytes, size_t at, size_t length) {
    if (length > bytes - at) length = bytes - at;
    memmove(data + at, data + at + length, bytes - at - length);
    return bytes - length;
}

/* One change: the mistakes that files really have, and plain noise. */
static size_t change(uint8_t *data, size_t bytes, uint64_t *state) {
    /* clang-format off */
    static const char *const tokens[] = {"-1", "0", "18446744073709551616", "9223372036854775807", "4294967295", "nan",
                                         "1e999", "\n", "\r\n", " ", "\t", "%", "#", ",", "\"", "1 2 3\n", "-", ".",
                                         "999999999", "\xff\xfe", "", "symmetric", "p sp 3 3\n", "a 1 2 3\n"};
    /* clang-format on */
    uint64_t r = draw(state);
    size_t at = bytes ? (size_t)(r >> 8) % (bytes + 1) : 0;
    size_t length = (size_t)(r >> 40) % 16;
    switch (r % 9) {
    case 0: return at; /* cut short */
    case 1: return erase(data, bytes, at, 1 + length);
    case 2:
        if (at < bytes) data[at] ^= (uint8_t)(1u << (r >> 50) % 8);
        return bytes;
    case 3:
        if (at < bytes) data[at] = (uint8_t)(r >> 52);
        return bytes;
    case 4: return insert(data, bytes, at, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 1 + length);
    case 5: { /* repeat a stretch of the file */
        uint8_t copy[64];
        size_t take = bytes - at < sizeof copy ? bytes - at : sizeof copy;
        memcpy(copy, data + at, take);
        return insert(data, bytes, (size_t)(r >> 20) % (bytes + 1), copy, take);
    }
    case 6:
        if (at + 8 <= bytes) memset(data + at, r >> 63 ? 0xff : 0x7f, 1 + length % 8);
        return bytes;
    default: {
        const char *token = tokens[(r >> 44) % (sizeof tokens / sizeof *tokens)];
        return insert(data, bytes, at, token, strlen(token));
    }
    }
}

/* Sanitizers see reads behind the end only when the input is a block of exactly its size. */
static void feed(const uint8_t *data, size_t bytes) {
    uint8_t *exact = malloc(bytes ? bytes : 1);
    if (!exact) exit(1);
    memcpy(exact, data, bytes);
    LLVMFuzzerTestOneInput(exact, bytes);
    free(exact);
    inputs++;
}

static void run_file(const char *path, const char *name, int copies) {
    static uint8_t original[INPUT_ROOM], data[INPUT_ROOM];
    FILE *f = fopen(path, "rb");
    if (!f) return;
    size_t bytes = fread(original, 1, INPUT_ROOM, f);
    fclose(f);
    feed(original, bytes);
    uint64_t state = 0;
    for (; *name; name++) state = state * 31 + (uint8_t)*name;
    for (int copy = 0; copy < copies; copy++) {
        memcpy(data, original, bytes);
        size_t now = bytes;
        for (uint64_t changes = 1 + draw(&state) % 4; changes; changes--) now = change(data, now, &state);
        feed(data, now);
    }
}

static void run_folder(const char *folder, int copies) {
    struct dirent **entry;
    int count = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char path[4500];
        struct stat st;
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        if (!stat(path, &st) && S_ISREG(st.st_mode)) run_file(path, entry[i]->d_name, copies);
        free(entry[i]);
    }
    if (count >= 0) free(entry);
}

int main(int argc, char **argv) {
    const char *source = getenv("WEFT_SOURCE_DIR");
    char golden[4096];
    feed((const uint8_t *)"", 0);
    /* After some 2,300 inputs of fuzz_parquet clang 14's leak check takes garbage for thread-local storage, and ends. */
    int copies = fuzz_format && !strcmp(fuzz_format, "parquet") ? 120 : COPIES_OF_SEEDS;
    for (int i = 1; i < argc; i++) run_folder(argv[i], copies);
    uint64_t from_corpus = inputs;
    snprintf(golden, sizeof golden, "%s/tests/data/golden/%s", source ? source : ".",
             fuzz_format ? fuzz_format : "edgelist");
    run_folder(golden, COPIES_OF_GOLDEN);
    printf("%llu inputs, of which %llu became graphs\n", (unsigned long long)inputs, fuzz_graphs);
    return from_corpus > 1 && fuzz_graphs ? 0 : 1; /* no corpus, or one that is always refused: nothing was tested */
}
