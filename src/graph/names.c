/* String interning: open addressing with hashes of 8 bytes at a time (wfi_mix); names are concatenated in one growing
 * text. */
#include "core/scan.h"
#include "graph/edges.h"
#include "stream/short_text.h"

#include <string.h>

enum { FIRST_SLOTS = 1024, FIRST_TEXT = 1 << 14 };

static uint64_t hash_of(const char *text, size_t length) {
    uint64_t h = length;
    for (; length > 8; text += 8, length -= 8) h = wfi_mix(h ^ wfi_load_8(text));
    return wfi_mix(h ^ wfi_load_short(text, length));
}

wfi_names *wfi_names_new(weft_ctx *ctx) {
    wfi_names *names = wfi_take_zeroed(ctx, 1, sizeof *names);
    if (!names) return NULL;
    names->slots = FIRST_SLOTS;
    names->text_capacity = FIRST_TEXT;
    names->capacity = FIRST_SLOTS / 2;
    if (wfi_alloc_zeroed(ctx, &names->slot, names->slots) || wfi_alloc(ctx, &names->text, names->text_capacity) ||
        wfi_alloc(ctx, &names->start, names->capacity + 1) || wfi_alloc(ctx, &names->hash, names->capacity)) {
        wfi_names_free(names);
        return NULL;
    }
    names->start[0] = 0;
    return names;
}

void wfi_names_free(wfi_names *names) {
    if (!names) return;
    WFI_FREE(names->slot, names->text, names->start, names->hash, names);
}

/* Doubles the slots and the capacity, which is half of the slots. */
static weft_status grow_slots(weft_ctx *ctx, wfi_names *names) {
    size_t slots = names->slots * 2, capacity = names->capacity * 2;
    uint64_t *start = wfi_resize(ctx, names->start, capacity + 1, sizeof *start);
    if (!start) return WEFT_ENOMEM;
    names->start = start;
    uint64_t *hash = wfi_resize(ctx, names->hash, capacity, sizeof *hash);
    if (!hash) return WEFT_ENOMEM;
    names->hash = hash;
    uint32_t *slot;
    if (wfi_alloc_zeroed(ctx, &slot, slots)) return WEFT_ENOMEM;
    for (size_t i = 0; i < names->count; i++) {
        size_t at = hash[i] & (slots - 1);
        while (slot[at]) at = (at + 1) & (slots - 1);
        slot[at] = (uint32_t)i + 1;
    }
    wfi_free(names->slot);
    names->slot = slot;
    names->slots = slots;
    names->capacity = capacity;
    return WEFT_OK;
}

static weft_status grow_text(weft_ctx *ctx, wfi_names *names, size_t length) {
    size_t capacity = names->text_capacity;
    while (names->text_used + length > capacity) capacity *= 2;
    char *text = wfi_resize(ctx, names->text, capacity, 1);
    if (!text) return WEFT_ENOMEM;
    names->text = text;
    names->text_capacity = capacity;
    return WEFT_OK;
}

/* The slot of the name, or the empty one in which it would be. */
static size_t slot_of(const wfi_names *names, const char *text, size_t length, uint64_t hash) {
    size_t at = hash & (names->slots - 1);
    for (; names->slot[at]; at = (at + 1) & (names->slots - 1)) {
        uint32_t i = names->slot[at] - 1;
        if (names->hash[i] != hash || names->start[i + 1] - names->start[i] != length) continue;
        if (memcmp(names->text + names->start[i], text, length) == 0) break;
    }
    return at;
}

bool wfi_names_find(const wfi_names *names, const char *text, size_t length, uint32_t *number) {
    *number = names->slot[slot_of(names, text, length, hash_of(text, length))] - 1;
    return *number != UINT32_MAX;
}

weft_status wfi_names_number(weft_ctx *ctx, wfi_names *names, const char *text, size_t length, uint32_t *number) {
    uint64_t hash = hash_of(text, length);
    size_t at = slot_of(names, text, length, hash);
    if (names->slot[at]) {
        *number = names->slot[at] - 1;
        return WEFT_OK;
    }
    if (names->count >= WEFT_NO_VERTEX - 1) return wfi_fail(ctx, WEFT_EINPUT, "more than 2^32-2 different names");
    if (names->count == names->capacity) {
        if (grow_slots(ctx, names)) return WEFT_ENOMEM;
        at = hash & (names->slots - 1);
        while (names->slot[at]) at = (at + 1) & (names->slots - 1);
    }
    if (names->text_used + length > names->text_capacity && grow_text(ctx, names, length)) return WEFT_ENOMEM;
    memcpy(names->text + names->text_used, text, length);
    names->text_used += length;
    *number = (uint32_t)names->count++;
    names->hash[*number] = hash;
    names->start[*number + 1] = names->text_used;
    names->slot[at] = *number + 1;
    return WEFT_OK;
}

void wfi_names_cut(wfi_names *names, size_t count) {
    memset(names->slot, 0, names->slots * sizeof *names->slot);
    names->count = count;
    names->text_used = (size_t)names->start[count];
    for (size_t i = 0; i < count; i++) {
        size_t at = names->hash[i] & (names->slots - 1);
        while (names->slot[at]) at = (at + 1) & (names->slots - 1);
        names->slot[at] = (uint32_t)i + 1;
    }
}
