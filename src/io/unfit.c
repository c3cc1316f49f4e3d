/* See unfit.h. */
#include "io/unfit.h"
#include "io/json/json.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 40 }; /* bytes of a name in a message */

const char *wfi_unfit_nul(const char *at, const char *end) {
    return at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;
}

/* A \r at the end would be lost: readers take \r\n for a line end. */
const char *wfi_unfit_line(const char *at, const char *end) {
    for (const char *p = at; p < end; p++)
        if (*p == '\n' || *p == '\0' || (*p == '\r' && p + 1 == end)) return p;
    return NULL;
}

const char *wfi_unfit_utf8(const char *at, const char *end) {
    while (at < end) {
        size_t length = *at ? wfi_utf8_length(at, end) : 0;
        if (!length) return at;
        at += length;
    }
    return NULL;
}

static const char *fault_of(unsigned char byte) {
    if (byte == '\n' || byte == '\r') return "the end of a line";
    if (byte == '"') return "a quote";
    return byte == 0 ? "NUL" : byte < 0x20 || byte == 0x7f ? "a control character" : "no UTF-8 text that it allows";
}

static weft_status refuse(weft_ctx *ctx, const char *format, const char *name, const char *end, const char *unfit) {
    char shown[4 * SHOWN + 4] = "";
    size_t used = 0;
    for (const char *p = name; p < end && p < name + SHOWN; p++) {
        unsigned char c = (unsigned char)*p;
        used += (size_t)snprintf(shown + used, sizeof shown - used, c >= 0x20 && c < 0x7f ? "%c" : "\\x%02x", c);
    }
    if (name == end)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED,
                        "%s cannot hold the name of vertex '': it is empty (weft holds any name)", format);
    return wfi_fail(ctx, WEFT_EUNSUPPORTED,
                    "%s cannot hold the name of vertex '%s%s': its byte %zu (0x%02x) is %s (weft holds any name)",
                    format, shown, end - name > SHOWN ? "..." : "", (size_t)(unfit - name) + 1, (unsigned char)*unfit,
                    fault_of((unsigned char)*unfit));
}

weft_status wfi_check_names(weft_ctx *ctx, const weft_graph *g, const char *format, wfi_unfit *unfit) {
    for (weft_vid v = 0; v < g->n && g->ids.kind == WEFT_IDS_STRING; v++) {
        const char *name = g->ids.text + g->ids.start[v], *end = g->ids.text + g->ids.start[v + 1];
        const char *bad = unfit(name, end);
        if ((v & 0xffff) == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        if (bad) return refuse(ctx, format, name, end, bad);
    }
    return WEFT_OK;
}
