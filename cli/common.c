/* Functions for all commands: a context from the flags, graphs read with them, facts about files. */
#include "cli.h"
#include "pack.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int wants_to_stop(void *user) {
    (void)user;
    return cli_interrupted();
}

/* "tab", "blank" or one character; 0 = not given. */
static int separator_of(const char *word, char *separator) {
    *separator = 0;
    if (!word) return EXIT_DONE;
    if (strcmp(word, "tab") == 0 || strcmp(word, "\\t") == 0)
        *separator = '\t';
    else if (strcmp(word, "blank") == 0)
        *separator = ' ';
    else if (word[0] && !word[1])
        *separator = word[0];
    if (!*separator || strchr("\"\n\r#%.+-", *separator) || (*separator >= '0' && *separator <= '9'))
        return cli_fail(EXIT_USAGE,
                        "--separator '%s': expected one character such as , ; | or one of the words tab and blank",
                        word);
    return EXIT_DONE;
}

static void show_warning(void *user, const char *message) { cli_note(user, "%s", message); }

static int device_of(const cli_options *options) {
    return options->device > WEFT_DEVICE_CUDA ? WEFT_DEVICE_CUDA : options->device; /* gpu is a synonym of cuda */
}

weft_status cli_limit_memory(weft_ctx *ctx, const cli_options *options) {
    return options->memory_limit == CLI_NOT_GIVEN ? weft_ctx_follow_memory_group(ctx)
                                                  : weft_ctx_set_memory_limit(ctx, options->memory_limit);
}

int cli_open(const cli_options *options, weft_ctx **ctx) {
    weft_status st = weft_ctx_new(ctx);
    if (st) return cli_fail_status(NULL, st);
    st = weft_ctx_set_threads(*ctx, (int)options->threads);
    if (!st) st = cli_limit_memory(*ctx, options);
    if (!st) st = weft_ctx_set_device_memory_limit(*ctx, options->device_memory_limit);
    if (!st) st = weft_ctx_set_device(*ctx, (weft_device)device_of(options));
    if (st) return cli_fail_status(*ctx, st);
    weft_ctx_set_cancel(*ctx, wants_to_stop, NULL);
    if (!options->quiet) {
        weft_ctx_set_warning(*ctx, show_warning, (void *)(uintptr_t)options);
        weft_ctx_set_note(*ctx, show_warning, (void *)(uintptr_t)options);
    }
    cli_progress_start(*ctx, options->quiet);
    return EXIT_DONE;
}

static weft_duplicates duplicates_of(const cli_options *options) {
    return options->duplicates == CLI_DUPLICATES_DROP ? WEFT_DUPLICATES_MIN : (weft_duplicates)options->duplicates;
}

weft_build_params cli_build_params(const cli_options *options) {
    weft_build_params build = WEFT_BUILD_DEFAULTS;
    build.direction = (weft_direction)options->direction;
    build.duplicates = duplicates_of(options);
    build.loops = (weft_loops)options->loops;
    return build;
}

/* --weight-from: gives the graph the weights of a column. */
static int weigh(weft_ctx *ctx, const char *column, weft_graph **g) {
    weft_graph *weighted;
    weft_status st = weft_graph_weighted_by(ctx, *g, column, &weighted);
    if (st == WEFT_ENOTFOUND)
        return cli_fail(EXIT_USAGE, "--weight-from: %s (of a table: --keep %s --weight-from %s, or --weight-col %s)",
                        weft_ctx_message(ctx), column, column, column);
    if (st) return cli_fail_status(ctx, st);
    weft_graph_free(*g);
    *g = weighted;
    return EXIT_DONE;
}

static int drop_attributes(weft_ctx *ctx, weft_graph **g) {
    weft_graph *bare;
    if (!weft_graph_attributes(*g) && !weft_graph_edge_columns(*g)) return EXIT_DONE;
    weft_status st = weft_graph_without_attributes(ctx, *g, &bare);
    if (st) return cli_fail_status(ctx, st);
    weft_graph_free(*g); /* the bare one keeps what it shares */
    *g = bare;
    return EXIT_DONE;
}

int cli_load(weft_ctx *ctx, const cli_options *options, const char *path, weft_graph **g) {
    if (!*path) return cli_fail(EXIT_USAGE, "the name of the file is empty");
    if (options->format) {
        int code = cli_check_format(options->format, false);
        if (code) return code;
    }
    weft_read_params params = WEFT_READ_DEFAULTS;
    int code = separator_of(options->separator, &params.separator);
    if (code) return code;
    params.source_col = options->source_col;
    params.target_col = options->target_col;
    params.weight_col = options->weight_col;
    params.header = (weft_header_use)options->header;
    params.decimal = (char)"\0.,"[options->decimal];
    params.comments = (weft_comment_use)options->comments;
    params.nodes = options->nodes;
    params.sides = options->sides;
    if (options->no_attributes && options->keep && !options->weight_from)
        return cli_fail(EXIT_USAGE, "--no-attributes leaves out what --keep keeps (but for --weight-from)");
    params.keep = options->no_attributes && !options->weight_from ? "" : options->keep;
    params.merge = options->all_edges ? NULL : options->merge_rules;
    params.edges_where = options->edges_where;
    params.format = options->format;
    params.weights = (weft_weights_use)options->weights;
    params.weight_type = (weft_weight_type)options->weight_type;
    params.ids = (weft_id_reading)options->ids;
    params.vertices = options->vertices;
    params.verify_checksums = options->verify;
    params.verify_files = options->verify_files;
    params.direction = (weft_direction)options->direction;
    params.duplicates = options->all_edges ? WEFT_DUPLICATES_KEEP : duplicates_of(options);
    params.loops = (weft_loops)options->loops;
    params.ordered = options->ordered;
    cli_signals_watch(path);
    weft_status st = weft_read(ctx, path, &params, g);
    cli_progress_erase();
    if (st) return cli_fail_status(ctx, st);
    if (options->weight_from && (code = weigh(ctx, options->weight_from, g))) return code;
    if (options->no_attributes && (code = drop_attributes(ctx, g))) return code;
    if (options->ids && (options->ids == WEFT_READ_IDS_STRING) != cli_ids_are_names(*g)) /* a .weft file */
        cli_note(options, "--ids %s has no effect: the ids of %s are %s", cli_ids_are_names(*g) ? "integer" : "string",
                 path, cli_ids_are_names(*g) ? "names" : "numbers");
    return EXIT_DONE;
}

int cli_save_graph(weft_ctx *ctx, const weft_graph *g, const cli_options *options, const char *path) {
    weft_write_params params = WEFT_WRITE_DEFAULTS;
    params.format = options->to;
    params.both_directions = options->both_directions;
    params.level = (int)options->level;
    weft_status st = weft_write(ctx, g, path, &params);
    cli_progress_erase();
    if (!st) return EXIT_DONE;
    /* An unknown extension is a mistake on the command line, not bad input. */
    if (st == WEFT_ENOTFOUND) return cli_fail(EXIT_USAGE, "%s", weft_ctx_message(ctx));
    if (st == WEFT_EIO && cli_is_stdout(path) && cli_stdout_has_no_reader()) return EXIT_DONE;
    return cli_fail_status(ctx, st);
}

static bool has_word(const char *words, const char *word, size_t length) {
    for (const char *w = words; w && *w;) {
        size_t width = strcspn(w, " ");
        if (width == length && strncasecmp(w, word, length) == 0) return true;
        w += width;
        w += strspn(w, " ");
    }
    return false;
}

/* The first extension of each format that can be written. */
static int refuse_extension(const char *path) {
    cli_line list = "";
    const weft_format_info *known = NULL;
    const char *name = strrchr(path, '/'), *dot = strrchr(name ? name : path, '.');
    size_t used = 0;
    for (size_t i = 0; i < weft_format_count(); i++) {
        const weft_format_info *f = weft_format_at(i);
        if (dot && has_word(f->extensions, dot + 1, strlen(dot + 1)) && !f->can_write) known = f;
        if (f->can_write && *f->extensions && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s.%.*s", used ? ", " : "",
                                     (int)strcspn(f->extensions, " "), f->extensions);
    }
    if (known)
        return cli_fail(EXIT_USAGE, "%s: %s is read, but not written; graphs are written as %s", path, known->title,
                        list);
    return cli_fail(EXIT_USAGE, "%s: %s; graphs are written as %s; or name one with --to", path,
                    dot ? "no format is known by this extension" : "the name has no extension that tells the format",
                    list);
}

/* Refuses flags about the written graph that its format ignores. */
static int check_writing(const cli_options *o, const char *path) {
    const char *format = o->to ? o->to : path ? cli_format_of_path(path) : "";
    const char *flag = CLI_GIVEN(o, to)                ? "--to"
                       : CLI_GIVEN(o, both_directions) ? "--both-directions"
                       : CLI_GIVEN(o, level)           ? "--level"
                                                       : NULL;
    if (!path && flag) return cli_fail(EXIT_USAGE, "%s is about the file that -o names, and there is no -o", flag);
    if (path && CLI_GIVEN(o, both_directions) && strcasecmp(format, "weft") != 0)
        return cli_fail(EXIT_USAGE, "--both-directions is of .weft files, and %s is none", cli_place_name(path));
    if (path && CLI_GIVEN(o, level) && (cli_is_stdout(path) || !*wfi_packed_end(path)))
        return cli_fail(EXIT_USAGE, "--level is of .gz and .zst files, and %s is none", cli_place_name(path));
    return EXIT_DONE;
}

int cli_check_target(const cli_options *options, const char *flag, const char *path) {
    if (check_writing(options, path)) return EXIT_USAGE;
    if (!path) return EXIT_DONE;
    if (cli_is_stdout(path)) {
        if (!options->to && !*cli_format_of_path(path))
            return cli_fail(EXIT_USAGE, "writing to standard output needs --to FORMAT");
        if (options->json)
            return cli_fail(EXIT_USAGE, "--json and the graph both want standard output; write the graph to a file");
    }
    int code = cli_check_output(flag, path);
    if (code) return code;
    if (!options->to && !*cli_format_of_path(path)) return refuse_extension(path);
    return options->to ? cli_check_format(options->to, true) : EXIT_DONE;
}

int cli_check_format(const char *name, bool to_write) {
    cli_nearest nearest = {name, NULL, 0};
    for (size_t i = 0; i < weft_format_count(); i++) {
        const weft_format_info *format = weft_format_at(i);
        bool able = to_write ? format->can_write : format->can_read;
        if (strcmp(format->name, name) == 0) {
            if (able) return EXIT_DONE;
            return cli_fail(EXIT_USAGE, "%s can be %s, not %s", format->title, to_write ? "read" : "written",
                            to_write ? "written" : "read");
        }
        if (able) cli_nearest_try(&nearest, format->name);
    }
    if (nearest.best) return cli_fail(EXIT_USAGE, "no format is called '%s'; did you mean %s?", name, nearest.best);
    return cli_fail(EXIT_USAGE, "no format is called '%s'; see: weft help formats", name);
}

const char *cli_format_of_path(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, ".gz") == 0) length -= 3;
    if (length > 4 && strncmp(name + length - 4, ".zst", 4) == 0) length -= 4;
    size_t dot = length;
    while (dot > 0 && name[dot - 1] != '.') dot--;
    if (!dot) return "";
    for (size_t i = 0; i < weft_format_count(); i++) {
        const weft_format_info *format = weft_format_at(i);
        if (format->can_write && has_word(format->extensions, name + dot, length - dot)) return format->name;
    }
    return "";
}

uint64_t cli_file_bytes(const char *path) {
    struct stat about;
    if (strcmp(path, "-") == 0 || stat(path, &about) || !S_ISREG(about.st_mode)) return 0;
    return (uint64_t)about.st_size;
}

bool cli_same_file(const char *a, const char *b) {
    struct stat x, y;
    if (stat(a, &x) || stat(b, &y) || !S_ISREG(x.st_mode)) return false;
    return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Is `out`, which need not exist, a file in the folder `in` or below? */
static bool lies_within(const char *in, const char *out) {
    char above[4096];
    struct stat folder, here;
    if (stat(in, &folder) || !S_ISDIR(folder.st_mode)) return false;
    const char *slash = strrchr(out, '/');
    int length = snprintf(above, sizeof above, "%.*s", slash ? (int)(slash - out) + 1 : 2, slash ? out : "./");
    for (int level = 0; level < 64 && length > 0 && (size_t)length + 3 < sizeof above && !stat(above, &here); level++) {
        if (here.st_dev == folder.st_dev && here.st_ino == folder.st_ino) return true;
        ino_t below = here.st_ino;
        memcpy(above + length, "../", 4);
        length += 3;
        if (!stat(above, &here) && here.st_ino == below) break; /* the root */
    }
    return false;
}

/* Is `out` one of the files that are read for `in`, whose names end in one of these extensions or in none? */
static bool is_beside(const char *in, const char *out, const char *const *extensions) {
    static const char *const packed[] = {"", ".gz", ".zst"};
    char path[4096];
    size_t length = strlen(in);
    bool named = false;
    for (size_t i = 1; i < 3; i++)
        if (length > strlen(packed[i]) && strcmp(in + length - strlen(packed[i]), packed[i]) == 0)
            length -= strlen(packed[i]);
    for (size_t i = 0; extensions[i] && !named; i++) {
        size_t end = strlen(extensions[i]);
        named = length > end && strncmp(in + length - end, extensions[i], end) == 0;
        if (named) length -= end;
    }
    if (!named && access(in, F_OK) == 0) return false;
    for (size_t i = 0; extensions[i]; i++)
        for (size_t k = 0; k < 3; k++) {
            int used = snprintf(path, sizeof path, "%.*s%s%s", (int)length, in, extensions[i], packed[k]);
            if (used > 0 && (size_t)used < sizeof path && cli_same_file(path, out)) return true;
        }
    return false;
}

int cli_check_not_input(const char *in, const char *out) {
    static const char *const ldbc[] = {".e", ".v", ".properties", NULL}, *const webgraph[] = {".graph", ".properties",
                                                                                              NULL};
    if (!in || !out) return EXIT_DONE;
    if (!cli_same_file(in, out) && (is_beside(in, out, ldbc) || is_beside(in, out, webgraph)))
        return cli_fail(EXIT_USAGE, "%s is read with %s", out, in);
    if (!cli_is_stdout(out) && lies_within(in, out))
        return cli_fail(EXIT_USAGE, "%s lies in the folder %s, which is read", out, in);
    if (!cli_same_file(in, out)) return EXIT_DONE;
    return cli_fail(EXIT_USAGE, "%s and %s are the same file", in, out);
}

/* FILE, or FILE:COLUMN. */
static int check_not_table(void *out, const char *table) {
    const char *colon = strrchr(table, ':');
    char path[4096];
    if (!colon || access(table, F_OK) == 0) return cli_check_not_input(table, out);
    int length = snprintf(path, sizeof path, "%.*s", (int)(colon - table), table);
    return length > 0 && (size_t)length < sizeof path ? cli_check_not_input(path, out) : EXIT_DONE;
}

int cli_check_not_read(const cli_options *options, const char *in, const char *out) {
    int code = cli_check_not_input(in, out);
    if (code || !options->nodes || !out) return code;
    if (access(options->nodes, F_OK) == 0) return cli_check_not_input(options->nodes, out);
    return cli_each_word(options->nodes, AGAIN_LINE, check_not_table, (void *)(uintptr_t)out);
}

double cli_now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int compare_times(const void *a, const void *b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

cli_times cli_sort_times(double *ms, size_t runs) {
    qsort(ms, runs, sizeof *ms, compare_times);
    return (cli_times){(ms[(runs - 1) / 2] + ms[runs / 2]) / 2, ms[0], ms[runs - 1]};
}

void cli_note(const cli_options *options, const char *format, ...) {
    if (options->quiet) return;
    va_list args;
    va_start(args, format);
    cli_say(format, args);
    va_end(args);
}

void *cli_take(size_t count, size_t each) {
    void *block = calloc(count ? count : 1, each);
    if (!block) cli_fail(EXIT_MEMORY, "out of memory");
    return block;
}
