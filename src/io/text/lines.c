/* Fields of a line, the slow and talkative way; readers have their own fast path for lines without surprises. */
#include "io/text/lines.h"
#include "io/text/numbers.h"

weft_status wfi_read_index(wfi_cursor *k, const char *what, uint64_t most, uint64_t *index) {
    const char *at = k->p = wfi_skip_blanks(k->p);
    wfi_number st = wfi_scan_u64(&k->p, index);
    if (*at == '\n') return wfi_block_error(k->error, k->block, at, "the %s is missing", what);
    if (*at == '-') return wfi_block_error(k->error, k->block, at, "negative %s: ids start at 1 in this format", what);
    if (st == WFI_NUMBER_NONE) return wfi_block_error(k->error, k->block, at, "expected a number for the %s", what);
    if (st == WFI_NUMBER_OK && *index == 0)
        return wfi_block_error(k->error, k->block, at, "%s 0: ids start at 1 in this format", what);
    if (st == WFI_NUMBER_TOO_BIG || *index > most)
        return wfi_block_error(k->error, k->block, at, "this %s is beyond %llu, the largest possible", what,
                               (unsigned long long)most);
    if (!wfi_is_blank(*k->p) && *k->p != '\n')
        return wfi_block_error(k->error, k->block, k->p, "expected a blank after the %s", what);
    return WEFT_OK;
}

weft_status wfi_read_weight(wfi_cursor *k, wfi_weight *weight) {
    const char *at = k->p = wfi_skip_blanks(k->p);
    wfi_number st = wfi_scan_weight(&k->p, k->as_double, weight);
    if (*at == '\n') return wfi_block_error(k->error, k->block, at, "the value is missing");
    if (st == WFI_NUMBER_NONE) return wfi_block_error(k->error, k->block, at, "expected a number for the value");
    if (st != WFI_NUMBER_OK)
        return wfi_block_error(k->error, k->block, at, "this value is %s (`weights=ignore` reads without the values)",
                               wfi_weight_fault(st, k->as_double));
    return WEFT_OK;
}

weft_status wfi_read_line_end(wfi_cursor *k, const char *after_what) {
    k->p = wfi_skip_blanks(k->p);
    if (*k->p == '\n') return WEFT_OK;
    return wfi_block_error(k->error, k->block, k->p, "expected the end of the line after %s", after_what);
}
