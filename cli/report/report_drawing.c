/* The drawing of a report: the choice of vertices, their places and colours. A graph up to MOST_VERTICES and MOST_EDGES
 * is drawn whole.  Of a larger one the k-core with the smallest k that leaves no more than MOST_IN_PART vertices; where
 * that is next to nothing, as in a road network, all of it as a picture, up to MOST_IN_PICTURE vertices with few edges
 * each, and else the vertices nearest to the one with the largest PageRank. */
#include "report/graph_report.h"
#include "weft/layout.h"
#include "weft/subgraph.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_VERTICES = 20000,
    MOST_EDGES = 200000,
    MOST_IN_PART = 6000,
    LEAST_IN_PART = 300,
    MOST_NEAR = 3000,
    MOST_IN_PICTURE = 2000000,
    MOST_EDGES_EACH = 3, /* in a picture */
    QUICK_STEPS = 25,
    GRID = 10000
};
static const double most_layout_work = 4e7; /* vertices times steps, in a picture */

typedef struct picture {
    report *r;
    const char *kind; /* "whole", "core", "picture" or "near" */
    bool pixels;      /* "picture" */
    double kept;      /* of its lines */
    uint64_t k;
    weft_vid around;
    weft_vid *vertices; /* of the graph, ascending */
    size_t count;
    weft_graph *part; /* of these; NULL: the graph itself */
    weft_result *places;
    weft_vid *community; /* of each vertex: by size, the largest is 0 */
    uint64_t *size;      /* the number of communities in the drawing */
    size_t communities;  /* communities that have a number; some may not be drawn */
} picture;

static const weft_graph *drawn(const picture *p) { return p->part ? p->part : p->r->g; }

/* --- which ------------------------------------------------------------------------------------ */

/* The smallest k whose core can be drawn; 0: none is worth it. */
static weft_status find_core(picture *p) {
    const uint32_t *core = weft_result_u32(p->r->core, "core");
    uint64_t most = weft_result_scalar(p->r->core, "degeneracy")->value.u64;
    weft_csr out = {.size = sizeof out};
    weft_status st = weft_graph_out(p->r->ctx, p->r->g, &out);
    uint64_t *count = st ? NULL : calloc(2 * (most + 1), sizeof *count), *arcs = count ? count + most + 1 : NULL;
    if (st || !count) return st ? st : WEFT_ENOMEM;
    for (weft_vid u = 0; u < out.vertices; u++) {
        count[core[u]]++;
        for (weft_eid e = out.offsets[u]; e < out.offsets[u + 1]; e++) {
            uint32_t other = core[out.targets[e]];
            arcs[other < core[u] ? other : core[u]]++;
        }
    }
    uint64_t vertices = 0, inside = 0, each = p->r->info.directed ? 1 : 2;
    for (uint64_t k = most; k > 0; k--) {
        vertices += count[k];
        inside += arcs[k];
        if (vertices > MOST_IN_PART || inside / each > MOST_EDGES) break;
        if (vertices >= LEAST_IN_PART && count[k]) p->k = k; /* the largest k of this core */
    }
    free(count);
    return WEFT_OK;
}

static int ascending(const void *a, const void *b) {
    weft_vid x = *(const weft_vid *)a, y = *(const weft_vid *)b;
    return (x > y) - (x < y);
}

/* Breadth-first search in both directions, until there are enough vertices or edges. */
static weft_status find_near(picture *p) {
    weft_csr sides[2] = {{.size = sizeof *sides}, {.size = sizeof *sides}};
    size_t found = 0;
    weft_status st =
        weft_top_k(p->r->ctx, weft_result_column(p->r->pagerank, "rank"), 0, WEFT_LARGEST_FIRST, 1, &p->around, &found);
    if (!st) st = weft_graph_out(p->r->ctx, p->r->g, &sides[0]);
    if (!st) st = weft_graph_in(p->r->ctx, p->r->g, &sides[1]);
    uint8_t *seen = st ? NULL : calloc(sides[0].vertices, 1);
    if (st || !seen) return st ? st : WEFT_ENOMEM;
    uint64_t edges = 0;
    p->vertices[p->count++] = p->around;
    seen[p->around] = 1;
    for (size_t at = 0; at < p->count && p->count < MOST_NEAR; at++)
        for (size_t s = 0; s < 2; s++) {
            const weft_eid *row = &sides[s].offsets[p->vertices[at]];
            for (weft_eid e = row[0]; e < row[1] && p->count < MOST_NEAR && edges < MOST_EDGES; e++) {
                weft_vid v = sides[s].targets[e];
                if (seen[v]) continue;
                seen[v] = 1;
                edges += sides[0].offsets[v + 1] - sides[0].offsets[v];
                p->vertices[p->count++] = v;
            }
        }
    qsort(p->vertices, p->count, sizeof *p->vertices, ascending);
    free(seen);
    return WEFT_OK;
}

static bool can_be_picture(const report *r) {
    return !r->call->options.quick && r->info.vertices <= MOST_IN_PICTURE &&
           r->info.edges <= MOST_EDGES_EACH * r->info.vertices;
}

static int choose(picture *p) {
    report *r = p->r;
    bool whole = r->info.vertices <= MOST_VERTICES && r->info.edges <= MOST_EDGES;
    size_t capacity = r->info.vertices < MOST_VERTICES ? r->info.vertices : MOST_VERTICES;
    p->vertices = cli_take(capacity, sizeof *p->vertices);
    if (!p->vertices) return EXIT_MEMORY;
    p->kind = "whole";
    weft_status st = whole ? WEFT_OK : find_core(p);
    if (whole || p->k) {
        const uint32_t *core = weft_result_u32(r->core, "core");
        for (weft_vid v = 0; v < r->info.vertices; v++)
            if (core[v] >= p->k) p->vertices[p->count++] = v;
        if (p->k) p->kind = "core";
    } else if (!st && can_be_picture(r)) {
        p->kind = "picture";
        p->pixels = true;
        for (; p->count < r->leader_count; p->count++) p->vertices[p->count] = r->leaders[p->count];
    } else if (!st) {
        p->kind = "near";
        st = find_near(p);
    }
    if (!whole && !p->pixels && !st) {
        weft_subgraph_params s = WEFT_SUBGRAPH_DEFAULTS;
        s.vertices = p->vertices;
        s.vertex_count = p->count;
        st = weft_subgraph(r->ctx, r->g, &s, &p->part, NULL);
    }
    return st ? cli_fail_status(r->ctx, st) : EXIT_DONE;
}

/* --- where, and in what colours --------------------------------------------------------------- */

static int lay_out(picture *p) {
    weft_layout_params params = WEFT_LAYOUT_DEFAULTS;
    double most = most_layout_work / (double)p->r->info.vertices;
    if (p->pixels && most < (double)params.steps) params.steps = (uint64_t)most;
    if (p->r->call->options.quick) params.steps = QUICK_STEPS;
    return report_run(p->r, "layout", &params, "places", "an arrangement, one of many", &p->places);
}

/* The communities of the section before, or, if it was left out, of the drawn graph. */
static int find_communities(picture *p) {
    weft_result *found = NULL;
    report_part *parts = NULL;
    int code = EXIT_DONE;
    if (p->r->community) {
        p->communities = p->r->communities;
        p->community = cli_take(p->count, sizeof *p->community);
        for (size_t i = 0; p->community && i < p->count; i++) p->community[i] = p->r->community[p->vertices[i]];
    } else {
        code = report_run(p->r, "leiden", NULL, "communities", "a local optimum of modularity", &found);
        const weft_vid *label = code ? NULL : weft_result_u32(found, "community");
        parts = code ? NULL : report_parts((weft_vid)p->count, label, &p->communities);
        if (parts) p->community = report_numbers((weft_vid)p->count, label, parts, p->communities);
    }
    if (!code) p->size = cli_take(p->communities, sizeof *p->size);
    if (!code && (!p->community || !p->size)) code = EXIT_MEMORY;
    for (size_t v = 0; v < p->count && !code; v++) p->size[p->community[v]]++;
    free(parts);
    weft_result_free(found);
    return code;
}

/* The number of drawn communities, and the size of the largest. */
static uint64_t count_drawn(const picture *p, uint64_t *largest) {
    uint64_t count = 0;
    *largest = 0;
    for (size_t i = 0; i < p->communities; i++) {
        count += p->size[i] > 0;
        if (p->size[i] > *largest) *largest = p->size[i];
    }
    return count;
}

/* --- written ---------------------------------------------------------------------------------- */

/* Writes each edge once, in the row of its smaller end unless only the other row has the arc.  Without loops; returns
 * the number of edges. */
static uint64_t put_edges(const picture *p, json *j, const weft_csr *out) {
    uint64_t edges = 0;
    if (j) json_open_array(j, "targets", true);
    for (weft_vid u = 0; u < out->vertices; u++) {
        if (j) json_open_array(j, NULL, true);
        weft_vid last = u;
        for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++) {
            weft_vid v = out->targets[e];
            if (v == u || v == last || (v < u && weft_graph_has_arc(drawn(p), v, u, NULL))) continue;
            if (j) json_u64(j, NULL, v);
            last = v;
            edges++;
        }
        if (j) json_close(j);
    }
    if (j) json_close(j);
    return edges;
}

/* Whole numbers from 0 to GRID, the same scale for both; y grows downwards, as on a screen. */
static void put_places(const picture *p, json *j) {
    const float *xy[] = {weft_result_f32(p->places, "x"), weft_result_f32(p->places, "y")};
    double low[2] = {0, 0}, high[2] = {0, 0}, widest = 0;
    for (int d = 0; d < 2; d++) {
        for (size_t v = 0; v < p->count; v++) {
            if (!v || (double)xy[d][v] < low[d]) low[d] = (double)xy[d][v];
            if (!v || (double)xy[d][v] > high[d]) high[d] = (double)xy[d][v];
        }
        if (high[d] - low[d] > widest) widest = high[d] - low[d];
    }
    double scale = widest > 0 ? GRID / widest : 0;
    for (int d = 0; d < 2; d++) {
        json_open_array(j, d ? "y" : "x", true);
        for (size_t v = 0; v < p->count; v++) {
            double at = (double)xy[d][v];
            json_i64(j, NULL, llround((d ? high[1] - at : at - low[0]) * scale));
        }
        json_close(j);
    }
}

static int put_drawing(picture *p, const weft_csr *out, json *j) {
    const report *r = p->r;
    const uint64_t *degree = weft_result_u64(r->degree, "total");
    const uint32_t *core = weft_result_u32(r->core, "core");
    const float *rank = weft_result_f32(r->pagerank, "rank");
    json_open_array(j, "ids", true);
    for (size_t i = 0; i < p->count; i++) json_vertex(j, r->g, NULL, p->vertices[i]);
    json_close(j);
    if (r->labels.texts) {
        json_open_array(j, "labels", true);
        for (size_t i = 0; i < p->count; i++) json_text(j, NULL, r->labels.texts[p->vertices[i]]);
        json_close(j);
    }
    int code = p->pixels ? report_picture(p->r, p->places, p->vertices, p->count, &p->kept, j) : EXIT_DONE;
    if (!p->pixels) put_places(p, j);
    json_open_array(j, "degree", true);
    for (size_t i = 0; i < p->count; i++) json_u64(j, NULL, degree[p->vertices[i]]);
    json_close(j);
    json_open_array(j, "core", true);
    for (size_t i = 0; i < p->count; i++) json_u64(j, NULL, core[p->vertices[i]]);
    json_close(j);
    json_open_array(j, "pagerank", true);
    for (size_t i = 0; i < p->count; i++) json_f32(j, NULL, rank[p->vertices[i]]);
    json_close(j);
    if (p->pixels) return code;
    json_open_array(j, "community", true);
    for (size_t i = 0; i < p->count; i++) json_u64(j, NULL, p->community[i]);
    json_close(j);
    uint64_t largest, communities = count_drawn(p, &largest);
    json_u64(j, "communities", communities);
    json_u64(j, "largest_community", largest);
    put_edges(p, j, out);
    return code;
}

/* Edges between the drawn vertices, counted as in the graph: arcs if it is directed, with loops and parallel ones. */
static uint64_t count_edges(const picture *p, const weft_csr *out) {
    uint64_t loops = 0;
    if (p->r->info.directed) return out->arcs;
    for (weft_vid u = 0; u < out->vertices; u++)
        for (weft_eid e = out->offsets[u]; e < out->offsets[u + 1]; e++) loops += out->targets[e] == u;
    return (out->arcs + loops) / 2;
}

static void put_section(const picture *p, uint64_t edges, uint64_t lines) {
    report *r = p->r;
    uint64_t largest, communities = count_drawn(p, &largest), listed = 0;
    report_values(r);
    json_text(r->j, "kind", p->kind);
    if (p->k) json_u64(r->j, "k", p->k);
    if (p->around != WEFT_NO_VERTEX) json_vertex(r->j, r->g, "around", p->around);
    json_u64(r->j, "vertices", p->pixels ? r->info.vertices : p->count);
    json_u64(r->j, "edges", edges);
    json_u64(r->j, "lines", lines);
    if (p->pixels) json_f64(r->j, "share", p->kept);
    if (!p->pixels) json_u64(r->j, "communities", communities);
    report_tables(r);
    report_table(r, "communities", (const char *const[]){"community", "vertices", NULL});
    for (size_t i = 0; i < p->communities && listed < REPORT_LEADERS; i++) {
        if (!p->size[i]) continue;
        report_row(r);
        json_u64(r->j, NULL, i + 1);
        json_u64(r->j, NULL, p->size[i]);
        report_row_end(r);
        listed++;
    }
    report_table_end(r);
    report_section_end(r);
}

int report_drawing(report *r, FILE *to) {
    picture p = {.r = r, .around = WEFT_NO_VERTEX};
    weft_csr out = {.size = sizeof out};
    json j;
    report_section(r, "drawing");
    int code = choose(&p);
    r->part = p.part;
    if (!code) code = lay_out(&p);
    if (!code && !p.pixels) code = find_communities(&p);
    weft_status st = code ? WEFT_OK : weft_graph_out(r->ctx, drawn(&p), &out);
    if (st) code = cli_fail_status(r->ctx, st);
    if (!code) {
        r->found.grouped = p.pixels ? 0 : p.count;
        (void)count_drawn(&p, &r->found.largest_group);
        json_start(&j, to);
        code = put_drawing(&p, &out, &j);
        json_finish(&j);
        put_section(&p, count_edges(&p, &out), put_edges(&p, NULL, &out));
    }
    weft_result_free(p.places);
    weft_graph_free(p.part);
    r->part = NULL;
    free(p.community);
    free(p.size);
    free(p.vertices);
    return code;
}
