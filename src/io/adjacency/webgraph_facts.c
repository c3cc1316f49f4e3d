/* The .properties file of a BV-compressed graph: lines `key=value`; # and ! begin a comment.
 *
 * Rules: graphclass, nodes and arcs are required; windowsize is 7, minintervallength 4, zetak 3 unless given.
 * compressionflags is empty or has FIELD_CODE words separated by |; a field that is not named has its usual code:
 * references unary, residuals zeta, all others gamma.  The library in Java writes the number of blocks and their
 * lengths as two fields, BLOCK_COUNT and BLOCKS.  The library in Rust, recognised by the key `endianness`, calls both
 * BLOCKS and has a field INTERVALS; its codes may include their k (ZETA3). */
#include "io/adjacency/webgraph.h"
#include "io/text/words.h"

#include <string.h>
#include <strings.h>

typedef struct reading {
    weft_ctx *ctx;
    const wfi_source *source;
    const char *text, *end;
} reading;

typedef struct value {
    const char *at; /* NULL: the key is missing */
    size_t length;
} value;

/* --- keys and values ---------------------------------------------------------------------- */

/* The value of the last line with that key, as in Java. */
static value find(const reading *r, const char *key) {
    value found = {NULL, 0};
    size_t length = strlen(key);
    for (const char *line = r->text, *stop; line < r->end; line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(r->end - line));
        if (!stop) stop = r->end;
        while (line < stop && wfi_is_space(*line)) line++;
        if ((size_t)(stop - line) < length || memcmp(line, key, length)) continue;
        const char *p = line + length;
        while (p < stop && wfi_is_space(*p)) p++;
        if (p < stop && (*p == '=' || *p == ':'))
            p++;
        else if (p == line + length && p < stop)
            continue; /* a longer key */
        while (p < stop && wfi_is_space(*p)) p++;
        const char *last = stop;
        while (last > p && wfi_is_space(last[-1])) last--;
        found = (value){p, (size_t)(last - p)};
    }
    return found;
}

static weft_status whole(const reading *r, const char *key, uint64_t most, bool needed, uint64_t *number) {
    value v = find(r, key);
    if (!v.at && !needed) return WEFT_OK;
    if (!v.at) return wfi_fail_at(r->ctx, wfi_source_name(r->source), 1, 1, "the key %s is missing", key);
    const char *p = v.at;
    uint64_t x = 0;
    wfi_number st = wfi_scan_u64(&p, &x);
    if (st == WFI_NUMBER_NONE || p != v.at + v.length)
        return wfi_fail_in_text(r->ctx, r->source, r->text, v.at, "%s: expected a whole number, found %s", key,
                                wfi_quote_word(v.at, r->end).text);
    if (st || x > most)
        return wfi_fail_in_text(r->ctx, r->source, r->text, v.at, "%s can be %llu at most", key, (wfi_ull)most);
    *number = x;
    return WEFT_OK;
}

/* --- the class ---------------------------------------------------------------------------- */

bool wfi_webgraph_has_class(const char *text, size_t bytes) {
    reading r = {.text = text, .end = text + bytes};
    return find(&r, "graphclass").at != NULL;
}

static bool ends_in(value v, const char *word) {
    size_t length = strlen(word);
    return v.length >= length && !memcmp(v.at + v.length - length, word, length);
}

static weft_status check_class(const reading *r) {
    value v = find(r, "graphclass"), under = find(r, "underlyinggraph");
    if (!v.at)
        return wfi_fail_at(r->ctx, wfi_source_name(r->source), 1, 1,
                           "there is no graphclass in these properties: they are not those of a WebGraph");
    if (ends_in(v, ".BVGraph")) return WEFT_OK;
    int length = (int)(v.length < 100 ? v.length : 100);
    if (under.at)
        wfi_fail_in_text(r->ctx, r->source, r->text, v.at, "%.*s wraps another graph: name that one, %.*s", length,
                         v.at, (int)(under.length < 200 ? under.length : 200), under.at);
    else
        wfi_fail_in_text(r->ctx, r->source, r->text, v.at,
                         "%.*s is stored in a way that Weft does not read: store it as a BVGraph (java "
                         "it.unimi.dsi.webgraph.BVGraph SOURCE TARGET)",
                         length, v.at);
    return WEFT_EUNSUPPORTED;
}

static weft_status read_endianness(const reading *r, wfi_webgraph_facts *f, bool *rust) {
    value v = find(r, "endianness");
    *rust = v.at != NULL;
    if (!v.at || (v.length == 3 && !strncasecmp(v.at, "big", 3))) return WEFT_OK;
    f->little = v.length == 6 && !strncasecmp(v.at, "little", 6);
    if (f->little) return WEFT_OK;
    return wfi_fail_in_text(r->ctx, r->source, r->text, v.at, "endianness: expected big or little, found %s",
                            wfi_quote_word(v.at, r->end).text);
}

/* --- codes --------------------------------------------------------------------------------- */

typedef struct field {
    const char *name;
    size_t place; /* offset of its wfi_coding in the facts; NOWHERE: ignored */
} field;

#define NOWHERE       SIZE_MAX
#define PLACE(member) offsetof(wfi_webgraph_facts, member)

static const field fields[] = {
    {"OUTDEGREES_", PLACE(outdegree)},
    {"REFERENCES_", PLACE(reference)},
    {"BLOCK_COUNT_", PLACE(block_count)},
    {"BLOCKS_", PLACE(block)},
    {"INTERVALS_", PLACE(interval)},
    {"RESIDUALS_", PLACE(residual)},
    {"OFFSETS_", NOWHERE},
};

static bool code_of(const char *name, size_t length, unsigned k, wfi_coding *coding) {
    static const struct {
        const char *name;
        wfi_code code;
    } codes[] = {{"UNARY", WFI_CODE_UNARY}, {"GAMMA", WFI_CODE_GAMMA},   {"DELTA", WFI_CODE_DELTA},
                 {"ZETA", WFI_CODE_ZETA},   {"NIBBLE", WFI_CODE_NIBBLE}, {"GOLOMB", WFI_CODE_GOLOMB}};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        size_t plain = strlen(codes[i].name);
        if (length < plain || strncasecmp(name, codes[i].name, plain)) continue;
        *coding = (wfi_coding){codes[i].code, k};
        if (length == plain) return true;
        if (codes[i].code != WFI_CODE_ZETA || length != plain + 1 || name[plain] < '1' || name[plain] > '9')
            return false;
        coding->k = (unsigned)(name[plain] - '0');
        return true;
    }
    return false;
}

static weft_status read_flag(const reading *r, const char *word, size_t length, unsigned k, wfi_webgraph_facts *f,
                             bool *count_named) {
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        size_t plain = strlen(fields[i].name);
        wfi_coding coding;
        if (length < plain || strncasecmp(word, fields[i].name, plain)) continue;
        if (!code_of(word + plain, length - plain, k, &coding)) break;
        if (fields[i].place != NOWHERE) memcpy((char *)f + fields[i].place, &coding, sizeof coding);
        *count_named = *count_named || fields[i].place == PLACE(block_count);
        return WEFT_OK;
    }
    wfi_fail_in_text(r->ctx, r->source, r->text, word, "compressionflags: Weft does not know %.*s",
                     (int)(length < 60 ? length : 60), word);
    return WEFT_EUNSUPPORTED;
}

static weft_status read_codes(const reading *r, bool rust, unsigned k, wfi_webgraph_facts *f) {
    wfi_coding gamma = {WFI_CODE_GAMMA, k};
    bool count_named = false;
    f->outdegree = f->block_count = f->block = f->interval = gamma;
    f->reference = (wfi_coding){WFI_CODE_UNARY, k};
    f->residual = (wfi_coding){WFI_CODE_ZETA, k};
    value v = find(r, "compressionflags");
    const char *end = v.at ? v.at + v.length : NULL;
    for (const char *p = v.at; p < end;) {
        while (p < end && (*p == '|' || *p == '\\' || wfi_is_space(*p))) p++;
        const char *word = p;
        while (p < end && *p != '|' && *p != '\\' && !wfi_is_space(*p)) p++;
        weft_status st = p > word ? read_flag(r, word, (size_t)(p - word), k, f, &count_named) : WEFT_OK;
        if (st) return st;
    }
    if (rust && !count_named) f->block_count = f->block;
    const wfi_coding *all[] = {&f->outdegree, &f->reference, &f->block_count, &f->block, &f->interval, &f->residual};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->code == WFI_CODE_ZETA && all[i]->k > 28)
            return wfi_fail_at(r->ctx, wfi_source_name(r->source), 1, 1, "zetak can be 28 at most, it is %u",
                               all[i]->k);
    return WEFT_OK;
}

/* --- all together -------------------------------------------------------------------------- */

weft_status wfi_webgraph_facts_read(weft_ctx *ctx, const wfi_source *source, const char *text, size_t bytes,
                                    wfi_webgraph_facts *f) {
    reading r = {.ctx = ctx, .source = source, .text = text, .end = text + bytes};
    uint64_t k = 3, version = 0;
    bool rust = false;
    *f = (wfi_webgraph_facts){.window = 7, .shortest_interval = 4};
    weft_status st = check_class(&r);
    if (!st) st = whole(&r, "version", 1, false, &version);
    if (!st) st = whole(&r, "nodes", WEFT_NO_VERTEX - 1, true, &f->nodes);
    if (!st) st = whole(&r, "arcs", INT64_MAX, true, &f->arcs);
    if (!st) st = whole(&r, "windowsize", INT32_MAX, false, &f->window);
    if (!st) st = whole(&r, "minintervallength", INT32_MAX, false, &f->shortest_interval);
    if (!st) st = whole(&r, "zetak", INT32_MAX, false, &k);
    if (!st && !k) st = wfi_fail_in_text(ctx, source, text, find(&r, "zetak").at, "zetak is at least 1");
    if (!st) st = read_endianness(&r, f, &rust);
    if (!st) st = read_codes(&r, rust, (unsigned)k, f);
    return st;
}
