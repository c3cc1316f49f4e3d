/* Which column of a table of vertices has their ids, by its name. */
#include "io/table/nodes.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 24 };

/* How surely a name is that of the ids: 0 most, -1 not at all. */
static int tier_of(const wfi_field *f) {
    static const struct {
        const char *word;
        int tier;
    } words[] = {{"id", 1},   {"nodeid", 1},   {"vertexid", 1},  {"vid", 1},      {"idnode", 1},
                 {"node", 2}, {"nodes", 2},    {"vertex", 2},    {"vertices", 2}, {"key", 3},
                 {"name", 3}, {"nodename", 3}, {"vertexname", 3}};
    char folded[LONGEST];
    size_t used = 0, length = f->length;
    const char *colon = length ? memrchr(f->text, ':', length) : NULL;
    if (colon && f->text + length - colon >= 3 && !memcmp(colon, ":ID", 3) &&
        (f->text + length - colon == 3 || colon[3] == '(')) /* Neo4j: personId:ID(Person) */
        return 0;
    if (colon && colon > f->text) length = (size_t)(colon - f->text); /* a type: id:string */
    for (size_t i = 0; i < length && used + 1 < sizeof folded; i++)
        if (!strchr("_- .~", f->text[i])) folded[used++] = (char)tolower((unsigned char)f->text[i]);
    folded[used] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i].word, folded)) return words[i].tier;
    return -1;
}

int wfi_nodes_by_name(const wfi_field *titles, size_t count) {
    int best = -1, tier = 99;
    for (size_t i = 0; i < count; i++) {
        int here = tier_of(&titles[i]);
        if (here < 0 || here > tier) continue;
        best = here == tier ? -2 : (int)i;
        tier = here;
    }
    return best;
}

int wfi_nodes_by_wish(const wfi_field *titles, size_t count, const char *wish) {
    size_t length = strlen(wish);
    int any_case = -1;
    for (size_t i = 0; i < count; i++) {
        if (titles[i].length != length || strncasecmp(titles[i].text, wish, length)) continue;
        if (!memcmp(titles[i].text, wish, length)) return (int)i;
        any_case = (int)i;
    }
    return any_case;
}
