/* The surface of the library: the headers are clean C99 and C++, the shared library exports what they declare and
 * nothing else, and each header stays small.  Reads the ELF symbol table itself, so no binutils are needed.
 * Needs WEFT_BINARY_DIR (where libweft.so is) and WEFT_SOURCE_DIR in the environment, as CTest sets them. */
#include "support.h"

#include <elf.h>

/* --- what the library exports --------------------------------------------------- */

typedef struct exports {
    char *file;
    const char **name;
    size_t count;
} exports;

/* Defined global symbols of the dynamic table of a 64-bit ELF file. */
static bool load_exports(const char *path, exports *x) {
    size_t bytes;
    *x = (exports){.file = read_file(path, &bytes)};
    const Elf64_Ehdr *head = (const void *)x->file;
    if (!x->file || bytes < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) ||
        head->e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    const Elf64_Shdr *section = (const void *)(x->file + head->e_shoff);
    for (size_t s = 0; s < head->e_shnum; s++) {
        if (section[s].sh_type != SHT_DYNSYM) continue;
        const Elf64_Sym *symbol = (const void *)(x->file + section[s].sh_offset);
        const char *names = x->file + section[section[s].sh_link].sh_offset;
        size_t total = section[s].sh_size / sizeof *symbol;
        x->name = calloc(total, sizeof *x->name);
        if (!x->name) return false;
        for (size_t i = 0; i < total; i++) {
            unsigned bind = ELF64_ST_BIND(symbol[i].st_info);
            bool global = bind == STB_GLOBAL || bind == STB_WEAK;
            bool here = symbol[i].st_shndx != SHN_UNDEF && symbol[i].st_shndx != SHN_ABS; /* ABS: version tags */
            if (global && here) x->name[x->count++] = names + symbol[i].st_name;
        }
        return true;
    }
    return false;
}

static void free_exports(exports *x) {
    free(x->file);
    free(x->name);
}

static const char *library_path(char *to, size_t room) {
    const char *folder = getenv("WEFT_BINARY_DIR");
    if (!folder) return NULL;
    snprintf(to, room, "%s/libweft.so", folder);
    return access(to, R_OK) ? NULL : to;
}

static const char *header_path(const char *name, char *to, size_t room) {
    const char *source = getenv("WEFT_SOURCE_DIR");
    snprintf(to, room, "%s/include/%s", source ? source : ".", name);
    return access(to, R_OK) ? NULL : to;
}

/* Calls `each` with the name of every public header below include/, and whether it is stable; false: there are none. */
static bool each_header(void (*each)(const char *name, bool stable, void *user), void *user) {
    char folder[4096], name[300];
    static const char *const below[] = {"", "weft/"};
    bool any = false;
    for (size_t i = 0; i < 2; i++) {
        DIR *list = header_path(below[i], folder, sizeof folder) ? opendir(folder) : NULL;
        for (struct dirent *e; list && (e = readdir(list));) {
            size_t length = strlen(e->d_name);
            if (length < 3 || strcmp(e->d_name + length - 2, ".h")) continue;
            snprintf(name, sizeof name, "%s%s", below[i], e->d_name);
            each(name, !strstr(name, "experimental") && !strstr(name, "check"), user);
            any = true;
        }
        if (list) closedir(list);
    }
    return any;
}

/* The text of a public header; NULL if it is not there. */
static char *header_text(const char *name) {
    char path[4096];
    size_t bytes;
    return header_path(name, path, sizeof path) ? read_file(path, &bytes) : NULL;
}

TEST(only_names_that_begin_with_weft_are_exported) {
    char path[4096];
    if (!library_path(path, sizeof path)) SKIP("no libweft.so in WEFT_BINARY_DIR");
    exports x;
    REQUIRE(load_exports(path, &x));
    CHECK(x.count > 50);
    for (size_t i = 0; i < x.count; i++)
        if (strncmp(x.name[i], "weft_", 5)) HARNESS_FAIL("%s is exported", x.name[i]);
    free_exports(&x);
}

/* A search for what the headers declare with a mark: "WEFT_API " in the stable ones, "WEFT_EXPERIMENTAL " in the others. */
typedef struct declarations {
    bool stable;
    int count;
    void (*each)(const char *name, void *user);
    void *user;
} declarations;

static void look_through(const char *name_of_header, bool stable, void *user) {
    declarations *d = user;
    if (stable != d->stable) return;
    char *header = header_text(name_of_header);
    const char *mark = stable ? "WEFT_API " : "WEFT_EXPERIMENTAL ";
    for (const char *at = header; at && (at = strstr(at, mark)); at++) {
        const char *open = strchr(at, '('), *start = open;
        if (!open || at == header || at[-1] != '\n') continue;
        while (start > at &&
               (start[-1] == '_' || (start[-1] >= '0' && start[-1] <= '9') || (start[-1] >= 'a' && start[-1] <= 'z')))
            start--;
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)(open - start), start);
        d->each(name, d->user);
        d->count++;
    }
    free(header);
}

/* Calls `each` with every function of the stable headers, or of the others; returns their number. */
static int each_declared(bool stable, void (*each)(const char *name, void *user), void *user) {
    declarations d = {.stable = stable, .each = each, .user = user};
    each_header(look_through, &d);
    return d.count;
}

static void must_be_exported(const char *name, void *user) {
    const exports *x = user;
    for (size_t i = 0; i < x->count; i++)
        if (!strcmp(x->name[i], name)) return;
    HARNESS_FAIL("%s is declared but not exported", name);
}

TEST(everything_declared_is_exported) {
    char path[4096], header[4096];
    if (!library_path(path, sizeof path)) SKIP("no libweft.so in WEFT_BINARY_DIR");
    if (!header_path("weft.h", header, sizeof header)) SKIP("no weft.h below WEFT_SOURCE_DIR");
    exports x;
    REQUIRE(load_exports(path, &x));
    CHECK(each_declared(true, must_be_exported, &x) > 100);
    CHECK(each_declared(false, must_be_exported, &x) > 0);
    free_exports(&x);
}

/* --- symbol versions ---------------------------------------------------------------- */

static void must_be_in(const char *name, void *user) {
    char line[160];
    snprintf(line, sizeof line, " %s;", name);
    if (!strstr(user, line)) HARNESS_FAIL("generated/weft.map: %s is not where its mark in the header says", name);
}

TEST(the_version_script_follows_the_header) {
    char header[4096], map[4200];
    const char *folder = getenv("WEFT_BINARY_DIR");
    if (!header_path("weft.h", header, sizeof header) || !folder)
        SKIP("no weft.h below WEFT_SOURCE_DIR, or no WEFT_BINARY_DIR");
    snprintf(map, sizeof map, "%s/generated/weft.map", folder);
    size_t bytes;
    char *script = read_file(map, &bytes);
    REQUIRE(script);
    char *last = strstr(script, "\nWEFT_EXPERIMENTAL {");
    REQUIRE(last);
    int declared = each_declared(false, must_be_in, last), listed = 0;
    *last = 0;
    declared += each_declared(true, must_be_in, script);
    *last = '\n';
    for (const char *at = script; (at = strstr(at, " weft_")); at++) listed++;
    CHECK_U64((uint64_t)listed, (uint64_t)declared); /* and nothing that is not declared */
    free(script);
}

/* --- what 1.0 will freeze ------------------------------------------------------------ */

static void has_only_its_own_mark(const char *name, bool stable, void *user) {
    (void)user;
    char *text = header_text(name);
    REQUIRE(text);
    if (stable ? strstr(text, "WEFT_EXPERIMENTAL") || strstr(text, "experimental.h\"") : !!strstr(text, "\nWEFT_API "))
        HARNESS_FAIL("%s declares what belongs to the other kind of header, or includes it", name);
    free(text);
}

TEST(stable_headers_declare_nothing_experimental) {
    if (!each_header(has_only_its_own_mark, NULL)) SKIP("no weft.h below WEFT_SOURCE_DIR");
}

static void is_small(const char *name, bool stable, void *user) {
    (void)stable, (void)user;
    char *text = header_text(name);
    REQUIRE(text);
    uint64_t lines = 0;
    for (const char *at = text, *end; (end = strchr(at, '\n')); at = end + 1, lines++)
        if (end - at > 120) HARNESS_FAIL("%s:%d has %d columns", name, (int)lines + 1, (int)(end - at));
    if (lines > 700) HARNESS_FAIL("%s has %d lines", name, (int)lines);
    free(text);
}

TEST(every_header_is_small) {
    if (!each_header(is_small, NULL)) SKIP("no weft.h below WEFT_SOURCE_DIR");
}

/* --- the header in other languages ------------------------------------------------ */

static bool runs(const char *command) { return system(command) == 0; }

/* A compiler, with all warnings as errors. */
typedef struct language {
    const char *compiler, *suffix, *flags;
} language;

static void compiles(const language *l, const char *text) {
    char header[4096], folder[256], path[300], command[10000];
    REQUIRE(header_path("weft.h", header, sizeof header) && make_temp(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/includes.%s", folder, l->suffix);
    REQUIRE(write_file(path, text, strlen(text)));
    snprintf(command, sizeof command, "%s %s -Wall -Wextra -pedantic-errors -Werror -I\"%.*s\" -fsyntax-only \"%s\"",
             l->compiler, l->flags, (int)(strrchr(header, '/') - header), header, path);
    if (!runs(command)) HARNESS_FAIL("not clean: %s, with\n%s", command, text);
    remove_temp(folder);
}

static void compiles_alone(const char *name, bool stable, void *user) {
    (void)stable;
    char text[400];
    snprintf(text, sizeof text, "#include <%s>\nextern int not_empty;\n", name);
    compiles(user, text);
}

/* The headers together, and each by itself. */
static void check_compiles(language l) {
    static const char body[] =
        "#include <weft_algorithms.h>\n"
        "#include <weft_check.h>\n"
        "#include <weft_experimental.h>\n"
        "int main(void) {\n"
        "    weft_read_params r = WEFT_READ_DEFAULTS;\n"
        "    weft_write_params w = WEFT_WRITE_DEFAULTS;\n"
        "    weft_build_params b = WEFT_BUILD_DEFAULTS;\n"
        "    weft_degree_params d = WEFT_DEGREE_DEFAULTS;\n"
        "    weft_generate_params g = WEFT_GENERATE_DEFAULTS;\n"
        "    weft_column c = WEFT_COLUMN_DEFAULTS;\n"
        "    weft_scalar s = WEFT_SCALAR_DEFAULTS;\n"
        "    weft_check_report k = WEFT_CHECK_REPORT_DEFAULTS;\n"
        "    weft_dynamic_params y = WEFT_DYNAMIC_DEFAULTS;\n"
        "    return r.size && w.size && b.size && d.size && g.size && c.size && s.size && k.size && y.size ? 0 : 1;\n"
        "}\n";
    compiles(&l, body);
    each_header(compiles_alone, &l);
}

TEST(the_headers_are_c99) {
    char header[4096];
    if (!header_path("weft.h", header, sizeof header)) SKIP("no weft.h below WEFT_SOURCE_DIR");
    if (!runs("cc --version > /dev/null 2>&1")) SKIP("no cc here");
    check_compiles((language){"cc", "c", "-std=c99"});
}

TEST(the_headers_are_cplusplus) {
    char header[4096];
    if (!header_path("weft.h", header, sizeof header)) SKIP("no weft.h below WEFT_SOURCE_DIR");
    if (!runs("c++ --version > /dev/null 2>&1")) SKIP("no c++ here");
    check_compiles((language){"c++", "cc", "-std=c++11"});
}

TEST(formats_are_listed_once_and_in_full) {
    CHECK(weft_format_count() >= 10);
    for (size_t i = 0; i < weft_format_count(); i++) {
        const weft_format_info *f = weft_format_at(i);
        REQUIRE(f && f->name && f->title && f->extensions);
        CHECK(f->name[0] && f->title[0]);
        CHECK(f->can_read || f->can_write);
        for (size_t j = 0; j < i; j++) CHECK(strcmp(f->name, weft_format_at(j)->name) != 0);
    }
    CHECK(weft_format_at(weft_format_count()) == NULL);
}

TEST_MAIN()
