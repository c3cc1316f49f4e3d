/* Which sections a .weft file has, and where: a function of the header alone (see binary.h). */
#include "io/weft/binary.h"

#include "core/scan.h"

#include <string.h>

const char *wfi_weft_kind_name(uint32_t kind) {
    static const char *const name[WFI_WEFT_KINDS] = {
        [WFI_OUT_OFFSETS] = "out offsets", [WFI_OUT_TARGETS] = "out targets",       [WFI_OUT_WEIGHTS] = "out weights",
        [WFI_IN_OFFSETS] = "in offsets",   [WFI_IN_TARGETS] = "in targets",         [WFI_IN_WEIGHTS] = "in weights",
        [WFI_ID_NUMBERS] = "id numbers",   [WFI_ID_NAME_STARTS] = "id name starts", [WFI_ID_NAME_TEXT] = "id names",
        [WFI_ID_ORDER] = "id order"};
    return kind < WFI_WEFT_KINDS && name[kind] ? name[kind] : "unknown";
}

static bool has_section(const wfi_weft_header *h, wfi_weft_kind kind) {
    bool in = h->flags & WFI_WEFT_HAS_IN, weighted = h->weight_type != WEFT_WEIGHT_NONE;
    switch (kind) {
    case WFI_OUT_OFFSETS:
    case WFI_OUT_TARGETS: return true;
    case WFI_OUT_WEIGHTS: return weighted;
    case WFI_IN_OFFSETS:
    case WFI_IN_TARGETS: return in;
    case WFI_IN_WEIGHTS: return in && weighted;
    case WFI_ID_NUMBERS: return h->id_kind == WEFT_IDS_SPARSE;
    case WFI_ID_NAME_STARTS:
    case WFI_ID_NAME_TEXT: return h->id_kind == WEFT_IDS_STRING;
    case WFI_ID_ORDER: return h->flags & WFI_WEFT_HAS_ORDER;
    case WFI_WEFT_KINDS: break;
    }
    return false;
}

static uint64_t section_bytes(const wfi_weft_header *h, wfi_weft_kind kind, uint64_t name_bytes) {
    switch (kind) {
    case WFI_OUT_OFFSETS:
    case WFI_IN_OFFSETS:
    case WFI_ID_NAME_STARTS: return (h->vertices + 1) * 8;
    case WFI_OUT_TARGETS:
    case WFI_IN_TARGETS: return h->arcs * 4;
    case WFI_OUT_WEIGHTS:
    case WFI_IN_WEIGHTS: return h->arcs * wfi_weight_bytes((weft_weight_type)h->weight_type);
    case WFI_ID_NUMBERS: return h->vertices * 8;
    case WFI_ID_NAME_TEXT: return name_bytes;
    case WFI_ID_ORDER: return h->vertices * 4;
    case WFI_WEFT_KINDS: break;
    }
    return 0;
}

bool wfi_weft_layout(wfi_weft_page *page, uint64_t name_bytes) {
    wfi_weft_header *h = &page->header;
    /* With these bounds no sum below reaches 2^63. */
    if (h->vertices >= WEFT_NO_VERTEX || h->arcs >> 56 || name_bytes >> 58) return false;
    uint64_t end = WEFT_FILE_PAGE;
    h->sections = 0;
    for (uint32_t kind = 1; kind < WFI_WEFT_KINDS; kind++) {
        if (!has_section(h, (wfi_weft_kind)kind)) continue;
        uint64_t offset = (end + WEFT_FILE_PAGE - 1) / WEFT_FILE_PAGE * WEFT_FILE_PAGE;
        uint64_t bytes = section_bytes(h, (wfi_weft_kind)kind, name_bytes);
        page->section[h->sections++] = (wfi_weft_section){.kind = kind, .offset = offset, .bytes = bytes};
        end = offset + bytes;
    }
    h->file_bytes = end;
    return true;
}

wfi_weft_changes wfi_weft_room_for_changes(const wfi_weft_page *page, uint64_t batches) {
    uint64_t root = (page->header.file_bytes + WEFT_FILE_PAGE - 1) / WEFT_FILE_PAGE * WEFT_FILE_PAGE;
    return (wfi_weft_changes){.root_offset = {root, root + WEFT_FILE_PAGE},
                              .root_bytes = WEFT_FILE_PAGE,
                              .log_offset = root + 2 * WEFT_FILE_PAGE,
                              .batches = batches};
}

uint64_t wfi_weft_page_digest(weft_ctx *ctx, const wfi_weft_page *page) {
    wfi_weft_page copy = *page;
    copy.header.digest = 0;
    return wfi_digest(ctx, &copy, sizeof copy, 0);
}

uint64_t wfi_weft_root_digest(weft_ctx *ctx, const wfi_weft_page *page, const wfi_weft_root *root) {
    wfi_weft_root copy = *root;
    copy.digest = 0;
    return wfi_digest(ctx, &copy, sizeof copy, page->header.digest);
}

wfi_weft_root wfi_weft_make_root(weft_ctx *ctx, const wfi_weft_page *page, uint64_t turn, uint64_t batch, uint64_t end,
                                 uint64_t chain) {
    wfi_weft_root root = {.turn = turn, .batch = batch, .end = end, .chain = chain};
    memcpy(root.magic, WEFT_ROOT_MAGIC, sizeof root.magic);
    root.digest = wfi_weft_root_digest(ctx, page, &root);
    return root;
}
