/* The losses of a graph in formats that cannot hold all of it: warnings for losses, errors for names that cannot be
 * written. */
#include "graph/degrees.h"
#include "io/io.h"
#include "stream/numbers.h"
#include "stream/utf8.h"

#include <stdio.h>
#include <string.h>

/* Are all of the first ids integers as text? */
static bool names_look_like_numbers(const weft_graph *g) {
    int64_t number;
    for (weft_vid v = 0; v < g->n && v < 4096 && g->ids.kind == WEFT_IDS_STRING; v++)
        if (!wfi_is_plain_integer(g->ids.text + g->ids.start[v], (size_t)(g->ids.start[v + 1] - g->ids.start[v]),
                                  &number))
            return false;
    return g->n && g->ids.kind == WEFT_IDS_STRING;
}

weft_status wfi_warn_losses(weft_ctx *ctx, const weft_graph *g, const char *format) {
    uint64_t *degree = NULL;
    bool isolated = false;
    weft_status st = wfi_alloc(ctx, &degree, g->n);
    if (!st) st = wfi_degrees(ctx, g, WEFT_SIDE_BOTH, degree);
    if (st) goto done;
    for (weft_vid v = 0; v < g->n && !isolated; v++) isolated = !degree[v];
    if (!g->directed)
        wfi_warn(ctx, "%s does not say that the graph is undirected: read it with `direction=undirected`", format);
    if (names_look_like_numbers(g))
        wfi_warn(ctx, "%s does not say that the ids are names: read it with `ids=string`", format);
    if (isolated) wfi_warn(ctx, "%s cannot store vertices without edges: they are not written", format);
done:
    wfi_free(degree);
    return st;
}

bool wfi_has_parallel_edges(const weft_graph *g) {
    for (weft_vid u = 0; u < g->n; u++)
        for (weft_eid e = g->out.offsets[u] + 1; e < g->out.offsets[u + 1]; e++)
            if (g->out.targets[e] == g->out.targets[e - 1]) return true;
    return false;
}

weft_status wfi_write_edges(weft_ctx *ctx, const weft_graph *g, wfi_put_edge *put, const void *user, wfi_sink *sink) {
    uint64_t number = 0;
    for (weft_vid u = 0; u < g->n && !wfi_sink_failed(sink); u++) {
        for (weft_eid e = g->out.offsets[u]; e < g->out.offsets[u + 1]; e++)
            if (g->directed || g->out.targets[e] >= u) put(g, u, e, number++, user, sink);
        if ((u & 0xfff) == 0) {
            wfi_progress(ctx, "writing", u, g->n);
            if (wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        }
    }
    return WEFT_OK;
}

/* --- names ----------------------------------------------------------------------------- */

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

weft_status wfi_fail_unfit(weft_ctx *ctx, const char *format, const char *what, const char *text, const char *end,
                           const char *unfit) {
    char shown[4 * SHOWN + 4] = "";
    size_t used = 0;
    for (const char *p = text; p < end && p < text + SHOWN; p++) {
        unsigned char c = (unsigned char)*p;
        used += (size_t)snprintf(shown + used, sizeof shown - used, c >= 0x20 && c < 0x7f ? "%c" : "\\x%02x", c);
    }
    if (text == end)
        return wfi_fail(ctx, WEFT_EUNSUPPORTED, "%s cannot hold %s '': it is empty (weft holds any name)", format,
                        what);
    return wfi_fail(ctx, WEFT_EUNSUPPORTED,
                    "%s cannot hold %s '%s%s': its byte %zu (0x%02x) is %s (weft holds any name)", format, what, shown,
                    end - text > SHOWN ? "..." : "", (size_t)(unfit - text) + 1, (unsigned char)*unfit,
                    fault_of((unsigned char)*unfit));
}

weft_status wfi_check_names(weft_ctx *ctx, const weft_graph *g, const char *format, wfi_unfit *unfit) {
    for (weft_vid v = 0; v < g->n && g->ids.kind == WEFT_IDS_STRING; v++) {
        const char *name = g->ids.text + g->ids.start[v], *end = g->ids.text + g->ids.start[v + 1];
        const char *bad = unfit(name, end);
        if ((v & 0xffff) == 0 && wfi_cancelled(ctx)) return wfi_fail_cancelled(ctx);
        if (bad) return wfi_fail_unfit(ctx, format, "the name of vertex", name, end, bad);
    }
    return WEFT_OK;
}
