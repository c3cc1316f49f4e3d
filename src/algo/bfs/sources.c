/* Where the searches start: the vertex that is given, the one with most out-arcs, a file of ids, or a random choice.
 * Random sources are a property of the graph: the i-th is the vertex number hash(i) mod c among the c vertices with
 * out-arcs (all vertices, if none has any), counted from 0 in vertex order, where hash(i) = mix(mix(1) + i). */
#include "algo/bfs/bfs.h"
#include "core/scan.h"
#include "io/source.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEED = 1, LONGEST_ID = 4096, PIECE = 16 << 10, GUESSED_FROM = 1 << 20 };
static const char random_prefix[] = "random:";

weft_status wfi_bfs_random_count(weft_ctx *ctx, const char *text, uint64_t *count) {
    *count = 0;
    if (strncmp(text, random_prefix, sizeof random_prefix - 1)) return WEFT_OK;
    const char *digits = text + sizeof random_prefix - 1;
    size_t length = strspn(digits, "0123456789");
    if (length && length < 9 && !digits[length]) *count = strtoull(digits, NULL, 10);
    if (*count >= 1 && *count <= BFS_MOST_RANDOM) return WEFT_OK;
    return wfi_fail(ctx, WEFT_EINVAL, "bfs: sources is '%s', but random: takes a whole number from 1 to %d", text,
                    BFS_MOST_RANDOM);
}

/* Lines of an open regular file: counted, or from so many in the first bytes. */
static uint64_t guess_lines(int file, uint64_t bytes) {
    char piece[PIECE];
    uint64_t seen = 0, lines = 0;
    while (seen < GUESSED_FROM) {
        ssize_t got = read(file, piece, sizeof piece);
        if (got <= 0) break;
        lines += wfi_count_lines(piece, (size_t)got);
        seen += (uint64_t)got;
    }
    return seen >= GUESSED_FROM ? (uint64_t)((double)lines / (double)seen * (double)bytes) : lines;
}

uint64_t wfi_bfs_guess_count(const char *text) {
    struct stat about;
    uint64_t count = 0;
    wfi_bfs_random_count(NULL, text, &count);
    if (count) return count;
    int file = open(text, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode))
        count = guess_lines(file, (uint64_t)about.st_size);
    if (file >= 0) close(file);
    return count ? count : 1;
}

static void draw(const weft_graph *g, weft_vid *room, weft_vid *list, size_t count) {
    weft_vid able = 0;
    for (weft_vid v = 0; v < g->n; v++)
        if (wfi_degree(&g->out, v)) room[able++] = v;
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = wfi_mix(wfi_mix(SEED) + i);
        list[i] = able ? room[hash % able] : (weft_vid)(hash % g->n);
    }
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* One id a line; empty lines and lines that begin with # are passed over. */
static weft_status read_lines(weft_ctx *ctx, const weft_graph *g, wfi_source *source, weft_vid **list, size_t *count) {
    const char *text, *line;
    size_t bytes;
    weft_status st = wfi_source_whole(ctx, source, &text, &bytes);
    if (st) return st;
    st = wfi_alloc(ctx, list, (size_t)wfi_count_lines(text, bytes) + 1);
    for (const char *end = text + bytes; !st && text && text < end; text = line) {
        const char *stop = memchr(text, '\n', (size_t)(end - text)), *last = stop ? stop : end;
        line = stop ? stop + 1 : end;
        while (text < last && is_blank(*text)) text++;
        while (last > text && is_blank(last[-1])) last--;
        size_t length = (size_t)(last - text);
        if (!length || *text == '#') continue;
        char id[LONGEST_ID];
        if (length >= sizeof id || memchr(text, 0, length))
            return wfi_fail_in_text(ctx, source, end - bytes, text, "no id of this graph");
        memcpy(id, text, length);
        id[length] = 0;
        if (weft_graph_find(ctx, g, id, &(*list)[*count]))
            return wfi_fail_in_text(ctx, source, end - bytes, text, "the graph has no vertex '%.200s'", id);
        ++*count;
    }
    if (!st && !*count) st = wfi_fail(ctx, WEFT_EINPUT, "%s: no source in the file", wfi_source_name(source));
    return st;
}

static weft_status read_sources(weft_ctx *ctx, const weft_graph *g, const char *path, weft_vid **list, size_t *count) {
    wfi_source *source;
    weft_status st = wfi_source_open(ctx, path, &source);
    if (st) return st;
    st = read_lines(ctx, g, source, list, count);
    wfi_source_close(source);
    return st;
}

weft_status wfi_bfs_sources(weft_ctx *ctx, const weft_graph *g, const weft_bfs_params *params, weft_vid *room,
                            weft_vid **list, size_t *count) {
    uint64_t random = 0;
    *list = NULL;
    *count = 0;
    if (params->sources) {
        weft_status st = wfi_bfs_random_count(ctx, params->sources, &random);
        if (st) return st;
        if (!random) return read_sources(ctx, g, params->sources, list, count);
    }
    size_t wanted = random ? (size_t)random : 1;
    if (wfi_alloc(ctx, list, wanted)) return WEFT_ENOMEM;
    *count = wanted;
    if (random)
        draw(g, room, *list, wanted);
    else
        (*list)[0] = params->source == WEFT_NO_VERTEX ? wfi_busiest(ctx, g) : params->source;
    return WEFT_OK;
}
