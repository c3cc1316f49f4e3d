/* Runs a fuzz target without libFuzzer: every file of the folders given, and a few hundred changed copies of each.
 *
 *   fuzz_mtx tests/fuzz/corpus/fuzz_mtx [FOLDER ...]
 *
 * The changes are drawn by a counter-based generator from the name of the file, so a run can be repeated exactly; the
 * golden files of the target's format are taken along.  Aborts in the target when something is broken. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "changes.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPIES_OF_SEEDS = 150, COPIES_OF_GOLDEN = 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
extern const char *const fuzz_format;
extern unsigned long long fuzz_graphs;

static uint64_t inputs;

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
    /* After some 2,000 inputs of fuzz_parquet and fuzz_arrow clang 14's leak check takes garbage for thread-local
     * storage, and ends. */
    bool typed = fuzz_format && (!strcmp(fuzz_format, "parquet") || !strcmp(fuzz_format, "arrow"));
    int copies = typed ? 120 : COPIES_OF_SEEDS;
    for (int i = 1; i < argc; i++) run_folder(argv[i], copies);
    uint64_t from_corpus = inputs;
    snprintf(golden, sizeof golden, "%s/tests/data/golden/%s", source ? source : ".",
             fuzz_format ? fuzz_format : "edgelist");
    run_folder(golden, COPIES_OF_GOLDEN);
    printf("%llu inputs, of which %llu became graphs\n", (unsigned long long)inputs, fuzz_graphs);
    return from_corpus > 1 && fuzz_graphs ? 0 : 1; /* no corpus, or one that is always refused: nothing was tested */
}
