/* See columns.h.  Method: a name is folded (case, _, -, blanks and the type behind a colon do not count) and looked up
 * in a table of the words that programs write; words of a lower tier win over those that have other meanings too, and
 * both ends are of one tier if there are such: of `from`, `to` and `source` the last is something else.
 * Columns of another name are never taken. */
#include "io/table/columns.h"
#include "attributes/sides.h"
#include "graph/edges.h"
#include "io/table/edge_fields.h"
#include "io/text/words.h"
#include "stream/csv.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Those up to RELATION tell a header.  A measure is not taken, but may be a weight; a counter numbers the rows. */
typedef enum role { SOURCE, TARGET, WEIGHT, DIRECTION, VALUE, RELATION, HEAD, TAIL, MEASURE, COUNTER } role;

/* tier 0 means nothing else in a table of edges; the higher, the more often a word means something else. */
typedef struct word {
    const char *text;
    role role;
    int tier;
} word;

/* clang-format off */
static const word words[] = {
    {"source", SOURCE, 0}, {"src", SOURCE, 0}, {"sourceid", SOURCE, 0}, {"srcid", SOURCE, 0},
    {"sourcenode", SOURCE, 0}, {"sourcenodeid", SOURCE, 0}, {"idsource", SOURCE, 0}, {"sourcevertex", SOURCE, 0},
    {"startid", SOURCE, 0}, {"sourcenodename", SOURCE, 0}, {"sourcename", SOURCE, 1},
    {"from", SOURCE, 1}, {"fromid", SOURCE, 1}, {"fromnode", SOURCE, 1}, {"fromnodeid", SOURCE, 1},
    {"fromvertex", SOURCE, 1},
    {"node1", SOURCE, 2}, {"nodeid1", SOURCE, 2}, {"id1", SOURCE, 2}, {"vertex1", SOURCE, 2}, {"nodea", SOURCE, 2},
    {"u", SOURCE, 2},
    {"start", SOURCE, 3}, {"startnode", SOURCE, 2}, {"startnodeid", SOURCE, 2}, {"parent", SOURCE, 3},
    {"parentid", SOURCE, 3},
    {"citing", SOURCE, 2}, {"caller", SOURCE, 2}, {"sender", SOURCE, 3}, {"origin", SOURCE, 3},
    {"subject", SOURCE, 3}, {"orig", SOURCE, 3},

    {"target", TARGET, 0}, {"dst", TARGET, 0}, {"targetid", TARGET, 0}, {"dstid", TARGET, 0}, {"tgt", TARGET, 0},
    {"trg", TARGET, 0},
    {"targetnode", TARGET, 0}, {"targetnodeid", TARGET, 0}, {"idtarget", TARGET, 0}, {"targetvertex", TARGET, 0},
    {"dest", TARGET, 0}, {"destination", TARGET, 0}, {"destid", TARGET, 0}, {"destinationid", TARGET, 0},
    {"endid", TARGET, 0}, {"targetnodename", TARGET, 0}, {"targetname", TARGET, 1},
    {"to", TARGET, 1}, {"toid", TARGET, 1}, {"tonode", TARGET, 1}, {"tonodeid", TARGET, 1}, {"tovertex", TARGET, 1},
    {"node2", TARGET, 2}, {"nodeid2", TARGET, 2}, {"id2", TARGET, 2}, {"vertex2", TARGET, 2}, {"nodeb", TARGET, 2},
    {"v", TARGET, 2},
    {"end", TARGET, 3}, {"endnode", TARGET, 2}, {"endnodeid", TARGET, 2}, {"child", TARGET, 3}, {"childid", TARGET, 3},
    {"cited", TARGET, 2}, {"callee", TARGET, 2}, {"receiver", TARGET, 3}, {"recipient", TARGET, 3},
    {"object", TARGET, 3},

    {"weight", WEIGHT, 0}, {"weights", WEIGHT, 0}, {"w", WEIGHT, 0}, {"wt", WEIGHT, 0}, {"edgeweight", WEIGHT, 0},
    {"cost", WEIGHT, 1}, {"strength", WEIGHT, 1},
    {"value", VALUE, 0}, {"distance", VALUE, 0},

    {"type", DIRECTION, 0}, {"edgetype", DIRECTION, 0},
    {"relation", RELATION, 0}, {"rel", RELATION, 0}, {"predicate", RELATION, 0}, {"relationship", RELATION, 0},
    {"relationtype", RELATION, 0}, {"relationid", RELATION, 0}, {"head", HEAD, 0}, {"tail", TAIL, 0},

    {"amount", MEASURE, 0}, {"count", MEASURE, 0}, {"score", MEASURE, 0}, {"length", MEASURE, 0},
    {"rating", MEASURE, 0}, {"duration", MEASURE, 0}, {"total", MEASURE, 0}, {"quantity", MEASURE, 0},
    {"volume", MEASURE, 0}, {"price", MEASURE, 0}, {"capacity", MEASURE, 0}, {"freq", MEASURE, 0},
    {"frequency", MEASURE, 0}, {"similarity", MEASURE, 0}, {"amt", MEASURE, 0}, {"dist", MEASURE, 0},
    {"seconds", MEASURE, 0}, {"miles", MEASURE, 0}, {"km", MEASURE, 0}, {"meters", MEASURE, 0},
    {"metres", MEASURE, 0}, {"minutes", MEASURE, 0}, {"stars", MEASURE, 0}, {"trust", MEASURE, 0},
    {"grade", MEASURE, 0},

    {"index", COUNTER, 0}, {"unnamed:0", COUNTER, 0}, {"unnamed0", COUNTER, 0}, {"rownames", COUNTER, 0},
    {"rowname", COUNTER, 0}, {"rowid", COUNTER, 0}, {"row", COUNTER, 0}, {"rownumber", COUNTER, 0},
    {"rownum", COUNTER, 0},
};
/* clang-format on */

enum { WORDS = sizeof words / sizeof *words, TIERS = 4, NAME_CAPACITY = 48, POLL_COLUMNS = 1024 };

/* --- names ------------------------------------------------------------------------------ */

/* Neo4j and others write a type behind the name. */
static size_t without_type(const char *name, size_t length) {
    static const char *const types[] = {"float", "double", "int",    "long", "integer",
                                        "short", "number", "string", "id",   NULL};
    const char *colon = length ? memrchr(name, ':', length) : NULL;
    bool typed = colon && colon > name && wfi_word_among(types, colon + 1, name + length) >= 0;
    return typed ? (size_t)(colon - name) : length;
}

/* "Source ID" -> "sourceid", ":START_ID(Person)" -> "startid".  "" when it is longer than any word. */
static void fold(const char *name, size_t length, char folded[NAME_CAPACITY]) {
    const char *colon = length ? memchr(name, ':', length) : NULL;
    size_t rest = colon ? length - (size_t)(colon - name) : 0;
    bool neo4j = (rest >= 9 && !strncasecmp(colon, ":START_ID", 9)) || (rest >= 7 && !strncasecmp(colon, ":END_ID", 7));
    if (neo4j) {
        length -= (size_t)(colon - name);
        name = colon;
        const char *group = memchr(name, '(', length);
        if (group) length = (size_t)(group - name);
    }
    length = without_type(name, length);
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[i];
        if (c == '_' || c == '-' || c == ' ' || c == '.' || c == '~' || (c == ':' && neo4j)) continue;
        if (used + 1 == NAME_CAPACITY) {
            used = 0;
            break;
        }
        folded[used++] = (char)tolower(c);
    }
    folded[used] = '\0';
}

static const word *word_of(const char *name, size_t length) {
    char folded[NAME_CAPACITY];
    fold(name, length, folded);
    for (size_t i = 0; i < WORDS && *folded; i++)
        if (*words[i].text == *folded && !strcmp(words[i].text, folded)) return &words[i];
    return NULL;
}

static bool has_role(const wfi_column *c, role r) {
    const word *w = c->name ? word_of(c->name, c->name_length) : NULL;
    return w && w->role == r;
}

/* --- the choice ----------------------------------------------------------------------------- */

/* The column that a flag names; by name first, since a name may be a number. */
static weft_status by_flag(const wfi_columns *c, const char *flag, const char *wanted, int *column) {
    size_t length = strlen(wanted);
    const char *p = wanted;
    uint64_t number;
    int any_case = -1; /* -2: several are called so */
    for (int i = 0; i < (int)c->count; i++) {
        const char *name = c->column[i].name;
        if (!name || c->column[i].name_length != length || strncasecmp(name, wanted, length)) continue;
        any_case = any_case == -1 ? i : -2;
        if (*column < 0 && !memcmp(name, wanted, length)) *column = i;
    }
    if (*column < 0 && any_case >= 0) *column = any_case;
    if (*column < 0 && !wfi_scan_u64(&p, &number) && !*p && number >= 1 && number <= c->count)
        *column = (int)number - 1;
    if (*column >= 0) return WEFT_OK;
    char reason[160];
    wfi_columns at_top = *c;
    at_top.from.line = 1;
    snprintf(reason, sizeof reason, "%s %.60s: there is no such column", flag, wanted);
    wfi_columns_refuse(&at_top, WFI_ASK_NOTHING, reason);
    return WEFT_EINPUT;
}

/* The only column of this role in these tiers: its index, -1 when there is none, -2 when there are several. */
static int in_tiers(const wfi_columns *columns, role r, int first, int last) {
    int found = -1;
    for (size_t i = 0; i < columns->count; i++) {
        const wfi_column *c = &columns->column[i];
        const word *w = c->name ? word_of(c->name, c->name_length) : NULL;
        if (w && w->role == r && w->tier >= first && w->tier <= last) found = found == -1 ? (int)i : -2;
    }
    return found;
}

static int first_of_role(const wfi_columns *c, role r) {
    for (int i = 0; i < (int)c->count; i++)
        if (has_role(&c->column[i], r)) return i;
    return -1;
}

/* The same in the lowest tier that has one. */
static int by_name(const wfi_columns *columns, role r) {
    int found = -1;
    for (int tier = 0; tier < TIERS && found == -1; tier++) found = in_tiers(columns, r, tier, tier);
    return found;
}

static void ends_by_word(const wfi_columns *c, int *from, int *to) {
    for (int tier = 0; tier < TIERS; tier++) {
        *from = in_tiers(c, SOURCE, tier, tier);
        *to = in_tiers(c, TARGET, tier, tier);
        if (*from != -1 && *to != -1) return;
    }
    *from = in_tiers(c, SOURCE, 0, TIERS - 1);
    *to = in_tiers(c, TARGET, 0, TIERS - 1);
}

/* Words for vertices that may follow a word for an end. */
static const char *const vertex_words[] = {
    "id",    "node",      "nodeid",  "name",      "user",    "userid",    "username", "ip",       "address",
    "addr",  "ipaddress", "account", "accountid", "vertex",  "key",       "person",   "personid", "page",
    "url",   "email",     "airport", "airportid", "station", "stationid", "city",     "country",  "author",
    "paper", "paperid",   "gene",    "protein",   "entity",  NULL};
enum { VERTEX_WORDS = sizeof vertex_words / sizeof *vertex_words - 1 };

/* "from_user", "to_user": a word for an end before one for what a vertex is, which is told by its
 * number; -1: it is none. */
static int prefixed_stem(const wfi_column *c, role r) {
    static const char *const prefixes[][8] = {
        [SOURCE] = {"source", "src", "from", "start", "origin", "sender", NULL},
        [TARGET] = {"target", "dst", "to", "end", "destination", "receiver", "dest", NULL}};
    char folded[NAME_CAPACITY];
    fold(c->name, c->name_length, folded);
    int stem = -1;
    for (int i = 0; prefixes[r][i] && stem < 0; i++) {
        size_t length = strlen(prefixes[r][i]);
        if (!strncmp(folded, prefixes[r][i], length))
            stem = wfi_word_among(vertex_words, folded + length, folded + strlen(folded));
    }
    return stem;
}

/* "protein1", "protein2": the same word, numbered. */
static bool is_numbered(const wfi_column *c, role r, char stem[NAME_CAPACITY]) {
    fold(c->name, c->name_length, stem);
    size_t length = strlen(stem);
    if (length < 3 || stem[length - 1] != (r == SOURCE ? '1' : '2') || isdigit((unsigned char)stem[length - 2]))
        return false;
    stem[length - 1] = '\0';
    return true;
}

/* Columns of one stem: how many, and the first. */
typedef struct stem_columns {
    int count, first;
} stem_columns;

/* What is known of the pairs so far: only a single one says something. */
static void add_pairs(const stem_columns *sources, int target, int *pairs, int *from, int *to) {
    if (!sources->count) return;
    *pairs = *pairs || sources->count > 1 ? 2 : 1;
    *from = sources->first;
    *to = target;
}

static void end_pairs(int pairs, int *from, int *to) {
    if (pairs != 1) *from = *to = pairs ? -2 : -1;
}

/* The ends by prefixed names with the same stem, if there is just one such pair. */
static bool find_prefixed(const wfi_columns *c, int *from, int *to) {
    stem_columns sources[VERTEX_WORDS] = {{0, 0}};
    int pairs = 0, stem;
    for (int i = 0; i < (int)c->count; i++)
        if ((stem = prefixed_stem(&c->column[i], SOURCE)) >= 0 && !sources[stem].count++) sources[stem].first = i;
    for (int i = 0; i < (int)c->count; i++)
        if ((stem = prefixed_stem(&c->column[i], TARGET)) >= 0) add_pairs(&sources[stem], i, &pairs, from, to);
    end_pairs(pairs, from, to);
    return pairs == 1;
}

/* The same for numbered names. */
static weft_status find_numbered(const wfi_columns *c, int *from, int *to) {
    weft_ctx *ctx = c->from.ctx;
    stem_columns *sources = NULL;
    wfi_names *stems = wfi_names_new(ctx);
    char stem[NAME_CAPACITY];
    uint32_t number;
    int pairs = 0;
    weft_status st = stems ? wfi_alloc_zeroed(ctx, &sources, c->count + 1) : WEFT_ENOMEM;
    for (size_t i = 0; !st && i < 2 * c->count; i++) { /* all sources, then all targets */
        role r = i < c->count ? SOURCE : TARGET;
        int column = (int)(i % c->count);
        if (i % POLL_COLUMNS == 0 && wfi_cancelled(ctx)) st = wfi_fail_cancelled(ctx);
        if (st || !is_numbered(&c->column[column], r, stem)) continue;
        st = wfi_names_number(ctx, stems, stem, strlen(stem), &number);
        if (!st && r == TARGET) add_pairs(&sources[number], column, &pairs, from, to);
        if (!st && r == SOURCE && !sources[number].count++) sources[number].first = column;
    }
    end_pairs(pairs, from, to);
    wfi_free(sources);
    wfi_names_free(stems);
    return st;
}

/* Words for two kinds of things: what a vertex is, and not which end.  The list is closed: these are asked about. */
static const char *const kinds[][2] = {
    {"user", "item"},        {"user", "product"},  {"user", "movie"},   {"user", "film"},     {"user", "book"},
    {"user", "artist"},      {"user", "song"},     {"user", "group"},   {"user", "page"},     {"member", "group"},
    {"customer", "product"}, {"customer", "item"}, {"author", "paper"}, {"author", "book"},   {"author", "publication"},
    {"actor", "movie"},      {"actor", "film"},    {"reader", "book"},  {"student", "course"}};

/* "user_id", "userName" -> "user". */
static void fold_kind(const wfi_column *c, char folded[NAME_CAPACITY]) {
    static const char *const tails[] = {"id", "name"};
    fold(c->name, c->name_length, folded);
    size_t length = strlen(folded);
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        size_t tail = strlen(tails[i]);
        if (length <= tail || strcmp(folded + length - tail, tails[i])) continue;
        folded[length - tail] = '\0';
        return;
    }
}

enum { KINDS = sizeof kinds / sizeof *kinds };

static bool are_kinds(const wfi_column *a, const wfi_column *b) {
    char x[NAME_CAPACITY], y[NAME_CAPACITY];
    if (!a->name || !b->name) return false;
    fold_kind(a, x);
    fold_kind(b, y);
    for (size_t i = 0; i < KINDS; i++)
        if ((!strcmp(x, kinds[i][0]) && !strcmp(y, kinds[i][1])) ||
            (!strcmp(x, kinds[i][1]) && !strcmp(y, kinds[i][0])))
            return true;
    return false;
}

/* The ends by such words, in the order of the table, if there is just one such pair. */
static bool find_kinds(const wfi_columns *c, int *from, int *to) {
    stem_columns seen[KINDS][2] = {{{0, 0}}};
    int pairs = 0;
    for (int i = 0; i < (int)c->count && pairs < 2; i++) {
        char folded[NAME_CAPACITY];
        if (!c->column[i].name) continue;
        fold_kind(&c->column[i], folded);
        for (size_t k = 0; k < 2 * KINDS; k++) {
            stem_columns *mine = &seen[k / 2][k % 2], *other = &seen[k / 2][1 - k % 2];
            if (strcmp(folded, kinds[k / 2][k % 2])) continue;
            add_pairs(other, i, &pairs, from, to);
            if (!mine->count++) mine->first = i;
        }
    }
    return pairs == 1;
}

static weft_status ask_kinds(const wfi_columns *c, int from, int to) {
    char reason[256];
    const wfi_column *a = &c->column[from], *b = &c->column[to];
    snprintf(reason, sizeof reason,
             "are %.*s and %.*s vertices of two kinds (`sides=two`), or ids of one set, in which equal ids are one "
             "vertex (`sides=one`)?",
             (int)a->name_length, a->name, (int)b->name_length, b->name);
    return wfi_columns_refuse(c, WFI_ASK_NOTHING, reason);
}

/* Columns that could be an end though their names do not say so: those with an unknown name. */
static int open_columns(const wfi_columns *c, int open[3]) {
    int count = 0;
    for (int i = 0; i < (int)c->count && count < 3; i++) {
        const word *w = word_of(c->column[i].name, c->column[i].name_length);
        /* A column without a name, or with one that only counts rows, is never an end. */
        if (i == c->weight || !c->column[i].name_length || (w && (w->role <= RELATION || w->role == COUNTER))) continue;
        open[count++] = i;
    }
    return count;
}

/* Unknown names say nothing ("Id,Label" lists vertices, not edges), unless the caller has vouched for the header: then
 * two of them, or one in its place, leave one reading. */
static void fill_ends(const wfi_columns *c, int *from, int *to) {
    int open[3], count = open_columns(c, open);
    if (*from == -1 && *to == -1 && count == 2) {
        *from = open[0];
        *to = open[1];
    } else if (*from >= 0 && *to == -1 && count == 1 && open[0] > *from) {
        *to = open[0];
    } else if (*to >= 0 && *from == -1 && count == 1 && open[0] < *to) {
        *from = open[0];
    }
}

static weft_status ends_by_name(wfi_columns *c) {
    int from, to;
    ends_by_word(c, &from, &to);
    if (c->source >= 0) from = c->source;
    if (c->target >= 0) to = c->target;
    bool none = from == -1 && to == -1;
    int head = none ? first_of_role(c, HEAD) : -1, tail = none ? first_of_role(c, TAIL) : -1;
    if (head >= 0 && tail >= 0) {
        if (by_name(c, RELATION) == -1)
            return wfi_columns_refuse(
                c, WFI_ASK_ENDS,
                "head and tail: in some fields an edge goes from head to tail, in others from tail to head");
        from = head;
        to = tail;
    }
    if (from == -1 && to == -1 && !find_prefixed(c, &from, &to) && from == -1) {
        weft_status st = find_numbered(c, &from, &to);
        if (st) return st;
    }
    bool one_set = c->from.params->sides == WFI_SIDES_AS_FILE;
    if (from == -1 && to == -1 && find_kinds(c, &from, &to) && one_set) return ask_kinds(c, from, to);
    if (from == -2 || to == -2)
        return wfi_columns_refuse(c, WFI_ASK_ENDS, "several columns could be the ends of the edges");
    if (c->from.params->header == WEFT_HEADER_YES) fill_ends(c, &from, &to);
    if (from == -1 || to == -1)
        return wfi_columns_refuse(c, WFI_ASK_ENDS,
                                  from != -1 ? "no column name identifies the targets of the edges"
                                  : to != -1 ? "no column name identifies the sources of the edges"
                                             : "no column name identifies the ends of the edges");
    c->source = from;
    c->target = to;
    return WEFT_OK;
}

bool wfi_is_column_name(const char *name, size_t length) {
    wfi_column c = {.name = name, .name_length = length};
    const word *w = word_of(name, length);
    return (w && w->role < MEASURE) || prefixed_stem(&c, SOURCE) >= 0 || prefixed_stem(&c, TARGET) >= 0;
}

bool wfi_names_end_or_weight(const char *name, size_t length, bool weighted) {
    const word *w = word_of(name, length);
    return w && (w->role == WEIGHT ? !weighted || !w->tier : !w->tier && (w->role == SOURCE || w->role == TARGET));
}

bool wfi_names_kinds(const wfi_column *columns, size_t count) {
    int from, to;
    return find_kinds(&(wfi_columns){.column = columns, .count = count}, &from, &to);
}

bool wfi_names_ends(const wfi_column *columns, size_t count) {
    wfi_columns c = {.column = columns, .count = count};
    int from, to;
    ends_by_word(&c, &from, &to);
    return (from != -1 && to != -1) || find_prefixed(&c, &from, &to) || wfi_names_kinds(columns, count);
}

static weft_status weight_by_name(wfi_columns *c) {
    int at = by_name(c, WEIGHT);
    if (at == -2) return wfi_columns_refuse(c, WFI_ASK_WEIGHT, "several columns could be the weight");
    if (at == c->source || at == c->target) at = -1; /* a flag took it */
    c->weight = at;
    return WEFT_OK;
}

/* Numbers, or nothing seen that is not one. */
static bool can_be_weight(const wfi_column *c) { return c->kind != WFI_COLUMN_TEXT && c->kind != WFI_COLUMN_DIRECTION; }

/* The first column of numbers whose name may mean weights, and as well something else; -1: there is none.  When an edge
 * was made (time, date, year) is none of them. */
static int find_measure(const wfi_columns *c) {
    for (int i = 0; i < (int)c->count; i++)
        if (i != c->source && i != c->target && can_be_weight(&c->column[i]) &&
            (has_role(&c->column[i], MEASURE) || has_role(&c->column[i], VALUE)))
            return i;
    return -1;
}

/* Names that only count columns, as programs give them to tables without a header: V1, V2 (R), _c0, _c1 (Spark),
 * column_1 (polars), column0 (DuckDB), 0, 1 (pandas), f0, f1 (Arrow), X1, X2. */
static bool names_count(const wfi_columns *c) {
    static const char *const stems[] = {"v", "x", "c", "f", "column", "col", "var", "field", ""};
    int64_t first = -1;
    const char *stem = NULL;
    for (int i = 0, seen = 0; i < (int)c->count; i++) {
        const wfi_column *column = &c->column[i];
        char folded[NAME_CAPACITY];
        if (!column->name_length) continue; /* a row number before them */
        fold(column->name, column->name_length, folded);
        size_t letters = strcspn(folded, "0123456789");
        for (size_t k = 0; k < sizeof stems / sizeof *stems && !stem; k++)
            if (strlen(stems[k]) == letters && !memcmp(stems[k], folded, letters)) stem = stems[k];
        const char *p = folded + letters;
        int64_t number;
        if (!stem || strlen(stem) != letters || memcmp(stem, folded, letters) || wfi_scan_i64(&p, &number) || *p)
            return false;
        if (!seen++) first = number;
        if (first > 1 || number != first + seen - 1) return false;
    }
    return first == 0 || first == 1;
}

/* The columns beside the ends in a table that is read by position. */
typedef struct beside {
    int numbers, integers, times;
    int candidate; /* the last column of numbers; -1: there is none */
} beside;

static beside look_beside(const wfi_columns *c) {
    beside b = {.candidate = -1};
    for (int i = 0; i < (int)c->count; i++) {
        const wfi_column *column = &c->column[i];
        if (i == c->source || i == c->target || (column->name && !column->name_length)) continue;
        bool integers = column->kind == WFI_COLUMN_INTEGERS, number = integers || column->kind == WFI_COLUMN_NUMBERS;
        b.integers += integers;
        b.numbers += number;
        if (number) b.candidate = i;
        b.times += column->kind == WFI_COLUMN_TIMES;
    }
    return b;
}

/* Could other columns than the first two be the ends as well?  Two columns of text beside numbers are the ends, and so
 * are those before a weight and times. */
static bool has_other_ends(const wfi_columns *c, const beside *b, bool third) {
    bool texts = c->column[c->source].kind == WFI_COLUMN_TEXT && c->column[c->target].kind == WFI_COLUMN_TEXT;
    return c->count > 3 && b->integers && !texts && !(b->numbers == 1 && third);
}

/* Asks for the ends and the weight, or for the weight alone, and says which columns are the ends without a flag. */
static weft_status ask_by_position(const wfi_columns *c, bool ends, const char *what) {
    char reason[256];
    snprintf(reason, sizeof reason,
             ends ? "%s (`weight_col` takes columns %d and %d for the ends if nothing says others)"
                  : "%s (the ends are columns %d and %d, unless `source_col=N` and `target_col=N` say others)",
             what, c->source + 1, c->target + 1);
    return wfi_columns_refuse(c, ends ? WFI_ASK_ENDS : WFI_ASK_WEIGHT, reason);
}

/* Without names that tell: the first two columns that no flag took, and a third of numbers, if no other could be a
 * weight as well.  Times are no weights, where there is something else. */
static weft_status by_position(wfi_columns *c) {
    int unused[3], found = 0, next = 0;
    bool said = c->source >= 0 && c->target >= 0; /* a caller that names both ends names the weight as well */
    for (int i = 0; i < (int)c->count && found < 3; i++) {
        bool nameless = c->column[i].name && !c->column[i].name_length;
        if (!nameless && i != c->source && i != c->target && i != c->weight) unused[found++] = i;
    }
    if (c->source < 0 && next < found) c->source = unused[next++];
    if (c->target < 0 && next < found) c->target = unused[next++];
    if (c->source < 0 || c->target < 0)
        return wfi_columns_refuse(c, WFI_ASK_NOTHING, "the table has no two columns for the ends of the edges");
    if (c->weight >= 0 || said) return WEFT_OK;
    beside b = look_beside(c);
    bool third = next < found && b.candidate == unused[next], others = has_other_ends(c, &b, third);
    if (c->from.params->weights == WEFT_WEIGHTS_IGNORE)
        return others ? wfi_columns_refuse(c, WFI_ASK_ENDS,
                                           "several columns could be the ends of the edges, and no header names them")
                      : WEFT_OK;
    if (b.numbers > 1)
        return ask_by_position(c, others, "several columns could be the weight, and no header names them");
    if (b.numbers == 1 && !third)
        return ask_by_position(c, others, "a column of numbers that no header names: is it a weight?");
    if (!b.numbers && b.times)
        return ask_by_position(c, false, "a column of numbers that look like times: is it a weight?");
    c->weight = b.candidate;
    return WEFT_OK;
}

/* ":START_ID(Person)" and ":END_ID(Movie)" number persons and movies apart: the same id may mean two things. */
static void warn_of_groups(const wfi_columns *c) {
    wfi_field group[2] = {{0}};
    for (int k = 0; k < 2; k++) {
        const wfi_column *column = &c->column[k ? c->target : c->source];
        if (!column->name) return;
        const char *end = column->name + column->name_length, *colon = memchr(column->name, ':', column->name_length);
        group[k].text = colon ? memchr(colon, '(', (size_t)(end - colon)) : NULL;
        if (!group[k].text) return;
        group[k].length = (size_t)(end - group[k].text);
    }
    const wfi_field *a = &group[0], *b = &group[1];
    if (a->length == b->length && !memcmp(a->text, b->text, a->length)) return;
    wfi_warn(c->from.ctx, "%s: sources %.*s and targets %.*s have ids of their own; equal ids are taken as one vertex",
             wfi_source_name(c->from.source), (int)wfi_min_u64(a->length, 40), a->text, (int)wfi_min_u64(b->length, 40),
             b->text);
}

weft_status wfi_columns_find(const wfi_columns *c, const char *flag, const char *wanted, int *column) {
    *column = -1;
    return by_flag(c, flag, wanted, column);
}

weft_status wfi_columns_choose(wfi_columns *c) {
    const weft_read_params *params = c->from.params;
    bool weights = params->weights != WEFT_WEIGHTS_IGNORE, one_set = params->sides == WFI_SIDES_AS_FILE;
    weft_status st = WEFT_OK;
    c->source = c->target = c->weight = c->direction = c->measure = -1;
    if (params->source_col) st = by_flag(c, "`source_col`", params->source_col, &c->source);
    if (!st && params->target_col) st = by_flag(c, "`target_col`", params->target_col, &c->target);
    if (!st && params->weight_col && weights) st = by_flag(c, "`weight_col`", params->weight_col, &c->weight);
    if (st) return st;
    bool named = c->count && c->column[0].name && !names_count(c);
    if (named && !(c->source >= 0 && c->target >= 0)) st = ends_by_name(c);
    if (!st && named && c->weight < 0 && weights) st = weight_by_name(c);
    if (!st && !named) st = by_position(c);
    if (st) return st;
    if (c->source == c->target || c->weight == c->source || c->weight == c->target)
        return wfi_columns_refuse(c, WFI_ASK_ENDS, "one column cannot have two roles");
    if (named && one_set && are_kinds(&c->column[c->source], &c->column[c->target]))
        return ask_kinds(c, c->source, c->target);
    if (one_set) warn_of_groups(c);
    if (c->weight >= 0 && !can_be_weight(&c->column[c->weight]))
        return wfi_columns_refuse(c, WFI_ASK_WEIGHT, "the column of weights holds something other than numbers");
    if (c->weight < 0 && params->weights == WEFT_WEIGHTS_REQUIRE)
        return wfi_columns_refuse(c, WFI_ASK_WEIGHT, "weights were asked for, but no column has them");
    if (named && c->weight < 0 && weights) c->measure = find_measure(c);
    int direction = named ? by_name(c, DIRECTION) : -1;
    if (direction >= 0 && c->column[direction].kind == WFI_COLUMN_DIRECTION) c->direction = direction;
    return c->fields ? wfi_edge_fields_find(c->from.ctx, c->from.source, c, c->fields) : WEFT_OK;
}
