/* The registry of formats, one line each, and which one a file is in: by name, by what the files beside it say, by
 * content sniffing (each format says how sure it is of the first bytes; the surest reads). */
#include "io/io.h"
#include "stream/pack.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Order decides between formats that are equally sure: the edge list, which reads nearly anything, comes last. */
static const wfi_format *const formats[] = {
    &wfi_format_binary,   &wfi_format_mtx,  &wfi_format_metis,    &wfi_format_dimacs,  &wfi_format_sg,
    &wfi_format_wsg,      &wfi_format_ldbc, &wfi_format_ligra,    &wfi_format_csr,     &wfi_format_dense,
    &wfi_format_graphml,  &wfi_format_gexf, &wfi_format_pajek,    &wfi_format_graph6,  &wfi_format_npy,
    &wfi_format_npz,      &wfi_format_gml,  &wfi_format_dot,      &wfi_format_parquet, &wfi_format_arrow,
    &wfi_format_webgraph, &wfi_format_json, &wfi_format_cyjs,     &wfi_format_jsonl,   &wfi_format_csv,
    &wfi_format_adjlist,  &wfi_format_sif,  &wfi_format_edgelist,
};
enum { FORMATS = sizeof formats / sizeof *formats };

size_t weft_format_count(void) { return FORMATS; }
const weft_format_info *weft_format_at(size_t i) { return i < FORMATS ? &formats[i]->info : NULL; }

bool wfi_name_has_extension(const char *name, const char *extensions) {
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    if (!dot) return false;
    size_t length = strlen(dot + 1);
    for (const char *p = extensions; *p;) {
        size_t word = strcspn(p, " ");
        if (word == length && !strncasecmp(p, dot + 1, length)) return true;
        p += word + strspn(p + word, " ");
    }
    return false;
}

const wfi_format *wfi_format_named(const char *name) {
    for (int i = 0; i < FORMATS; i++)
        if (!strcasecmp(formats[i]->info.name, name)) return formats[i];
    return NULL;
}

const wfi_format *wfi_format_of_content(const char *head, size_t bytes, const char *name) {
    const wfi_format *best = NULL;
    int surest = 0;
    for (int i = 0; i < FORMATS; i++) {
        const wfi_format *f = formats[i];
        int sure = !f->info.can_read ? 0
                   : f->sniff        ? f->sniff(head, bytes, name)
                                     : 2 * wfi_name_has_extension(name, f->info.extensions);
        if (sure > surest) {
            surest = sure;
            best = f;
        }
    }
    return best;
}

void wfi_extensions_to_write(char *list, size_t room) {
    size_t used = 0;
    *list = '\0';
    for (int i = 0; i < FORMATS; i++) {
        const char *extensions = formats[i]->info.extensions;
        if (!formats[i]->write || used >= room) continue;
        used += (size_t)snprintf(list + used, room - used, "%s.%.*s", used ? ", " : "", (int)strcspn(extensions, " "),
                                 extensions);
    }
}

const wfi_format *wfi_format_to_write(const char *path) {
    char plain[4096];
    size_t length = (size_t)(wfi_packed_end(path) - path);
    if (length >= sizeof plain) return NULL;
    memcpy(plain, path, length);
    plain[length] = '\0';
    for (int i = 0; i < FORMATS; i++)
        if (formats[i]->write && wfi_name_has_extension(plain, formats[i]->info.extensions)) return formats[i];
    return NULL;
}

weft_status wfi_format_find(weft_ctx *ctx, const char *path, const wfi_format *only, char **out) {
    weft_status st = WEFT_OK;
    *out = NULL;
    for (int i = 0; i < FORMATS && !st && !*out; i++)
        if (formats[i]->find && (!only || only == formats[i])) st = formats[i]->find(ctx, path, out);
    return st;
}

weft_status wfi_format_claiming(weft_ctx *ctx, const wfi_source *source, const wfi_format **out) {
    weft_status st = WEFT_OK;
    *out = NULL;
    for (int i = 0; i < FORMATS && !st && !*out; i++) {
        bool yes = false;
        if (formats[i]->claims) st = formats[i]->claims(ctx, source, &yes);
        if (yes) *out = formats[i];
    }
    return st;
}
