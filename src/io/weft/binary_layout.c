/* The sections of a .weft file and their positions: a function of the header alone (see binary.h). */
#include "attributes/attributes.h"
#include "io/weft/binary.h"

#include "core/scan.h"

#include <string.h>

/* The number of elements in a section, and their size. */
typedef enum measure { OF_VERTICES, OF_STARTS /* one more */, OF_ARCS, AS_SAID } measure;
static const struct {
    const char *name;
    measure count;
    unsigned each; /* 0: the size of a weight */
} sections[WFI_WEFT_KINDS] = {
    [WFI_OUT_OFFSETS] = {"out offsets", OF_STARTS, 8},
    [WFI_OUT_TARGETS] = {"out targets", OF_ARCS, 4},
    [WFI_OUT_WEIGHTS] = {"out weights", OF_ARCS, 0},
    [WFI_IN_OFFSETS] = {"in offsets", OF_STARTS, 8},
    [WFI_IN_TARGETS] = {"in targets", OF_ARCS, 4},
    [WFI_IN_WEIGHTS] = {"in weights", OF_ARCS, 0},
    [WFI_ID_NUMBERS] = {"id numbers", OF_VERTICES, 8},
    [WFI_ID_NAME_STARTS] = {"id name starts", OF_STARTS, 8},
    [WFI_ID_NAME_TEXT] = {"id names", AS_SAID, 1},
    [WFI_ID_ORDER] = {"id order", OF_VERTICES, 4},
    [WFI_COLUMN_ENTRIES] = {"columns", AS_SAID, 1},
    [WFI_COLUMN_VALUES] = {"column values", AS_SAID, 1},
    [WFI_TEXT_STARTS] = {"text starts", AS_SAID, 1},
    [WFI_TEXTS] = {"texts", AS_SAID, 1},
    [WFI_SIDES] = {"sides", AS_SAID, 1},
};

const char *wfi_weft_kind_name(uint32_t kind) {
    return kind < WFI_WEFT_KINDS && sections[kind].name ? sections[kind].name : "unknown";
}

static bool has_section(const wfi_weft_header *h, wfi_weft_kind kind) {
    uint32_t needs = kind == WFI_SIDES            ? WFI_WEFT_HAS_SIDES
                     : kind >= WFI_TEXT_STARTS    ? WFI_WEFT_HAS_SIDES | WFI_WEFT_HAS_COLUMNS
                     : kind >= WFI_COLUMN_ENTRIES ? WFI_WEFT_HAS_COLUMNS
                                                  : 0;
    if (needs) return h->version > 2 && h->flags & needs;
    if (kind == WFI_ID_ORDER) return h->flags & WFI_WEFT_HAS_ORDER;
    if (kind == WFI_ID_NUMBERS) return h->id_kind == WEFT_IDS_SPARSE;
    if (kind >= WFI_ID_NAME_STARTS) return h->id_kind == WEFT_IDS_STRING;
    bool there = kind < WFI_IN_OFFSETS || h->flags & WFI_WEFT_HAS_IN;
    return there && (sections[kind].each || h->weight_type != WEFT_WEIGHT_NONE);
}

static uint64_t section_bytes(const wfi_weft_header *h, wfi_weft_kind kind, const wfi_weft_sizes *sizes) {
    const uint64_t counts[] = {h->vertices, h->vertices + 1, h->arcs, sizes->of[kind]};
    uint64_t each = sections[kind].each;
    return counts[sections[kind].count] * (each ? each : wfi_weight_bytes((weft_weight_type)h->weight_type));
}

wfi_weft_sizes wfi_weft_sizes_of(const weft_graph *g) {
    wfi_weft_sizes sizes = {{0}};
    const wfi_vertex_data *c = g->attributes;
    if (g->ids.kind == WEFT_IDS_STRING) sizes.of[WFI_ID_NAME_TEXT] = g->ids.start[g->n];
    if (c) {
        sizes.of[WFI_COLUMN_ENTRIES] = (c->count + c->edge_count) * sizeof *c->entries;
        sizes.of[WFI_COLUMN_VALUES] = c->value_bytes;
        sizes.of[WFI_TEXT_STARTS] = (c->texts + 1) * sizeof *c->starts;
        sizes.of[WFI_TEXTS] = c->starts[c->texts];
    }
    return sizes;
}

uint64_t wfi_weft_bytes_of(const wfi_weft_page *page, wfi_weft_kind kind) {
    for (uint32_t i = 0; i < page->header.sections && i < WFI_WEFT_KINDS - 1; i++)
        if (page->section[i].kind == (uint32_t)kind) return page->section[i].bytes;
    return 0;
}

bool wfi_weft_layout(wfi_weft_page *page, const wfi_weft_sizes *sizes) {
    wfi_weft_header *h = &page->header;
    /* With these bounds no sum below reaches 2^63. */
    if (h->vertices >= WEFT_NO_VERTEX || h->arcs >> 56) return false;
    for (int kind = 0; kind < WFI_WEFT_KINDS; kind++)
        if (sizes->of[kind] >> 58) return false;
    uint64_t end = WEFT_FILE_PAGE;
    h->sections = 0;
    for (uint32_t kind = 1; kind < WFI_WEFT_KINDS; kind++) {
        if (!has_section(h, (wfi_weft_kind)kind)) continue;
        uint64_t offset = (end + WEFT_FILE_PAGE - 1) / WEFT_FILE_PAGE * WEFT_FILE_PAGE;
        uint64_t bytes = section_bytes(h, (wfi_weft_kind)kind, sizes);
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
