/* A change as a line of JSON: {"op": "+", "source": "a", "target": "b", "weight": 2}, keys in any order.  Text without
 * its escapes is in r->word; numbers stay in the line.  A line that is not JSON is refused at its first wrong byte
 * (src/stream/json_text.h). */
#include "dynamic/batch_fields.h"
#include "json_text.h"

#include <string.h>

/* Writes the text of a string to r->word from `used` on, followed by a NUL. */
static weft_status read_text(batch_reader *r, wfi_json *j, const wfi_json_value *v, size_t *used, batch_field *f) {
    weft_status st = wfi_json_check(j, v);
    *f = (batch_field){.text = r->word + *used, .quoted = true};
    if (!st) st = wfi_json_unescape(j, v, r->word + *used, &f->length);
    if (st) return st;
    *used += f->length;
    r->word[(*used)++] = 0;
    return WEFT_OK;
}

static weft_status read_value(batch_reader *r, wfi_json *j, int which, size_t *used, batch_field *f) {
    wfi_json_value v;
    const char *at = j->p + strspn(j->p, " \t\r");
    if (which == BATCH_OP && *at != '"') return wfi_json_wrong(j, at, "an op is text in quotes: \"+\"");
    weft_status st = wfi_json_next(j, &v);
    if (st) return st;
    if (which == BATCH_WEIGHT && v.kind != WFI_JSON_NUMBER) return wfi_json_wrong(j, at, "a weight is a number");
    if (v.kind == WFI_JSON_STRING)
        st = read_text(r, j, &v, used, f);
    else if (v.kind == WFI_JSON_NUMBER)
        *f = (batch_field){.text = v.at, .length = (size_t)(v.end - v.at)};
    else
        return wfi_json_wrong(j, at, "expected a number, or text in quotes");
    f->at = (size_t)(at - j->start);
    return st;
}

static weft_status read_object(batch_reader *r, wfi_json *j, batch_field f[BATCH_FIELDS]) {
    wfi_json_value key;
    size_t used = 0;
    bool first = true;
    weft_status st;
    while (!(st = wfi_json_key(j, &first, &key)) && key.kind) {
        batch_field name;
        st = read_text(r, j, &key, &used, &name);
        if (st) return st;
        int which = batch_field_named(&name);
        if (which < 0)
            return wfi_json_wrongf(j, key.at - 1, "'%.*s' is none of op, source, target and weight", batch_shown(&name),
                                   name.text);
        if (f[which].text) return wfi_json_wrongf(j, key.at - 1, "%.*s is there twice", batch_shown(&name), name.text);
        st = read_value(r, j, which, &used, &f[which]);
        if (st) return st;
    }
    return st ? st : wfi_json_finish(j);
}

batch_line_is batch_read_json(batch_reader *r, const char *line, size_t length, batch_mistake *wrong) {
    batch_field f[BATCH_FIELDS] = {{NULL, 0, 0, false}};
    wfi_json j = {.p = line, .end = line + length, .line = true, .start = line};
    wfi_json_value open;
    if (!batch_word_room(r, length + 8)) return BATCH_NO_MEMORY;
    for (int i = 0; i < BATCH_FIELDS; i++) f[i].at = length;
    weft_status st = wfi_json_next(&j, &open);
    if (!st && open.kind != WFI_JSON_OBJECT)
        st = wfi_json_wrong(&j, wfi_json_place(&open), "expected an object: {\"op\": ...}");
    if (!st) st = read_object(r, &j, f);
    return st ? batch_fail(wrong, (size_t)(j.at - line), "%s", j.why) : batch_add(r, f, wrong);
}
