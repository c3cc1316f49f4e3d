/* The surface of the library: the headers are clean C99 and C++, the shared library exports what they declare and
 * nothing else, and weft.h stays small.  Reads the ELF symbol table itself, so no binutils are needed.
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

/* The text of a public header; NULL if it is not there. */
static char *header_text(const char *name) {
    char path[4096];
    size_t bytes;
    return header_path(name, path, sizeof path) ? read_file(path, &bytes) : NULL;
}

/* The public headers: what 1.0 will freeze, and what may change. */
static const char *const stable[] = {"weft.h", "weft_algorithms.h"}, *const experimental = "weft_experimental.h";

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

/* Calls `each` with every function that the header declares with the mark, "WEFT_API " say. */
static int each_declared(const char *name_of_header, const char *mark, void (*each)(const char *name, void *user),
                         void *user) {
    int count = 0;
    char *header = header_text(name_of_header);
    for (const char *at = header; at && (at = strstr(at, mark)); at++) {
        const char *open = strchr(at, '('), *start = open;
        if (!open || at == header || at[-1] != '\n') continue;
        while (start > at &&
               (start[-1] == '_' || (start[-1] >= '0' && start[-1] <= '9') || (start[-1] >= 'a' && start[-1] <= 'z')))
            start--;
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)(open - start), start);
        each(name, user);
        count++;
    }
    free(header);
    return count;
}

static int each_stable(void (*each)(const char *name, void *user), void *user) {
    return each_declared(stable[0], "WEFT_API ", each, user) + each_declared(stable[1], "WEFT_API ", each, user);
}

static int each_experimental(void (*each)(const char *name, void *user), void *user) {
    return each_declared(experimental, "WEFT_EXPERIMENTAL ", each, user);
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
    if (!header_path(stable[0], header, sizeof header)) SKIP("no weft.h below WEFT_SOURCE_DIR");
    exports x;
    REQUIRE(load_exports(path, &x));
    CHECK(each_stable(must_be_exported, &x) > 100);
    CHECK(each_experimental(must_be_exported, &x) > 0);
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
    if (!header_path(stable[0], header, sizeof header) || !folder)
        SKIP("no weft.h below WEFT_SOURCE_DIR, or no WEFT_BINARY_DIR");
    snprintf(map, sizeof map, "%s/generated/weft.map", folder);
    size_t bytes;
    char *script = read_file(map, &bytes);
    REQUIRE(script);
    char *last = strstr(script, "\nWEFT_EXPERIMENTAL {");
    REQUIRE(last);
    int declared = each_experimental(must_be_in, last), listed = 0;
    *last = 0;
    declared += each_stable(must_be_in, script);
    *last = '\n';
    for (const char *at = script; (at = strstr(at, " weft_")); at++) listed++;
    CHECK_U64((uint64_t)listed, (uint64_t)declared); /* and nothing that is not declared */
    free(script);
}

/* --- what 1.0 will freeze ------------------------------------------------------------ */

TEST(stable_headers_declare_nothing_experimental) {
    for (size_t i = 0; i < 2; i++) {
        char *text = header_text(stable[i]);
        if (!text) SKIP("no weft.h below WEFT_SOURCE_DIR");
        CHECK(strstr(text, "WEFT_EXPERIMENTAL") == NULL);
        CHECK(strstr(text, "#include \"weft_experimental.h\"") == NULL);
        free(text);
    }
    char *text = header_text(experimental);
    REQUIRE(text);
    CHECK(strstr(text, "\nWEFT_API ") == NULL);
    free(text);
}

TEST(weft_h_is_small) {
    char *text = header_text(stable[0]);
    if (!text) SKIP("no weft.h below WEFT_SOURCE_DIR");
    uint64_t lines = 0;
    for (const char *at = text, *end; (end = strchr(at, '\n')); at = end + 1, lines++)
        if (end - at > 120) HARNESS_FAIL("line %d has %d columns", (int)lines + 1, (int)(end - at));
    CHECK(lines <= 700);
    free(text);
}

/* --- the header in other languages ------------------------------------------------ */

static bool runs(const char *command) { return system(command) == 0; }

/* Compiles a file that includes nothing but the public headers, with all warnings as errors. */
static void check_compiles(const char *compiler, const char *suffix, const char *flags) {
    char header[4096], folder[256], path[300], command[10000];
    REQUIRE(header_path(stable[0], header, sizeof header) && make_temp(folder, sizeof folder));
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
    snprintf(path, sizeof path, "%s/includes.%s", folder, suffix);
    REQUIRE(write_file(path, body, sizeof body - 1));
    snprintf(command, sizeof command, "%s %s -Wall -Wextra -pedantic-errors -Werror -I\"%.*s\" -fsyntax-only \"%s\"",
             compiler, flags, (int)(strrchr(header, '/') - header), header, path);
    if (!runs(command)) HARNESS_FAIL("not clean: %s", command);
    remove_temp(folder);
}

TEST(the_headers_are_c99) {
    char header[4096];
    if (!header_path(stable[0], header, sizeof header)) SKIP("no weft.h below WEFT_SOURCE_DIR");
    if (!runs("cc --version > /dev/null 2>&1")) SKIP("no cc here");
    check_compiles("cc", "c", "-std=c99");
}

TEST(the_headers_are_cplusplus) {
    char header[4096];
    if (!header_path(stable[0], header, sizeof header)) SKIP("no weft.h below WEFT_SOURCE_DIR");
    if (!runs("c++ --version > /dev/null 2>&1")) SKIP("no c++ here");
    check_compiles("c++", "cc", "-std=c++11");
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
