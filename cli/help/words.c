/* Suggestions for words that are no commands: the likely name, or the command for the task. "Did you mean": the name at
 * the smallest edit distance, if it is small enough for a typing error; Levenshtein over two rows, with adjacent swaps
 * counted as one (optimal string alignment). Other words, one row each, name the command for the task, or the nearest
 * one.  A new command removes its row here, or adds one. */
#include "cli.h"

#include <string.h>

enum { LONGEST_NAME = 48 };

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

static unsigned edit_distance(const char *a, const char *b) {
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > LONGEST_NAME || b_length > LONGEST_NAME) return UINT32_MAX;
    unsigned rows[3][LONGEST_NAME + 1];
    unsigned *before_last = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++) last[j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned changed = last[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(changed, least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before_last[j - 2] + 1);
        }
        unsigned *free_row = before_last;
        before_last = last;
        last = row;
        row = free_row;
    }
    return last[b_length];
}

void cli_nearest_try(cli_nearest *nearest, const char *name) {
    size_t length = strlen(nearest->wanted);
    unsigned distance = edit_distance(nearest->wanted, name);
    /* A prefix of a name is near, however long the rest is. */
    if (length >= 3 && strncmp(nearest->wanted, name, length) == 0) distance = least(distance, 1);
    unsigned allowed = length < 4 ? 1 : length < 8 ? 2 : 3;
    if (distance > allowed || (nearest->best && distance > nearest->distance)) return;
    /* Among equally near names the first with the word's length: letters are swapped more often than lost. */
    if (nearest->best && distance == nearest->distance && (strlen(nearest->best) == length || strlen(name) != length))
        return;
    nearest->best = name;
    nearest->distance = distance;
}

/* --- other words ---------------------------------------------------------------------------- */

/* `words` are separated by blanks.  `says` follows "no command is called 'x': " in the message. */
static const struct {
    const char *words, *says;
} rows[] = {
    {"communities community clusters cluster modularity groups partition cpm potts",
     "weft leiden finds communities, by modularity or the constant Potts model; weft louvain by the older algorithm"},
    {"cdlp label-propagation lpa",
     "weft labelprop finds communities by label propagation; weft leiden finds better ones"},
    {"near hyperball central",
     "weft closeness ranks vertices by how near others are, weft harmonic also where not all are reached; with "
     "--estimate by HyperBall"},
    {"centrality brandes brokers",
     "weft betweenness ranks vertices by the shortest paths through them, weft closeness and weft harmonic by how near "
     "others are, weft pagerank, weft eigenvector, weft katz and weft hits by the edges to and from them, weft "
     "degree by how many"},
    {"bonacich eigencentrality eigen spectral",
     "weft eigenvector has eigenvector centrality and the largest eigenvalue"},
    {"rank ranks top important influencers page-rank", "weft pagerank FILE --top 10 shows who matters most"},
    {"personalized personalised rwr", "weft ppr FILE --seeds IDS lists what is near each of these, weft pagerank FILE "
                                      "--personalize IDS ranks all vertices"},
    {"authorities hubs", "weft hits ranks hubs and authorities"},
    {"diameter radius eccentricity center centre apl",
     "weft distances has the diameter, the radius and all eccentricities"},
    {"shortest-path shortest-paths shortestpath route between",
     "weft path FILE U V finds a shortest path between two vertices, weft sssp those from one"},
    {"dijkstra bellman-ford", "weft sssp finds shortest paths from one vertex, weft path FILE U V between two"},
    {"all-paths k-shortest yen", "weft path FILE U V --k N finds the N shortest paths"},
    {"ego neighborhood neighbourhood",
     "weft subgraph FILE --ego ID cuts out what is around a vertex, weft neighbors FILE ID lists its neighbours"},
    {"neighbours adjacent edges", "weft neighbors FILE ID lists the neighbours of a vertex"},
    {"draw plot picture visualize visualise render svg png",
     "weft layout FILE -o picture.svg draws a graph, weft report FILE -o page.html shows it as a page"},
    {"view show open browse dashboard html",
     "weft report FILE -o page.html shows a graph as a page, weft info FILE in a few lines"},
    {"assortativity homophily reciprocity rich-club density",
     "weft mixing shows which vertices are joined: assortativity, reciprocity, the rich club, density"},
    {"projection two-mode one-mode co-occurrence",
     "weft project joins the vertices of one side of a bipartite graph by the neighbours they share"},
    {"odd-cycle two-colouring sides", "weft bipartite finds two sides, or an odd cycle"},
    {"diff equal same changes", "weft compare A B says what changed from one graph to another"},
    {"union intersection difference combine join concat", "weft merge A B -o OUT joins graphs; --mode says how"},
    {"recommend near", "weft ppr FILE --seeds IDS lists the vertices that are near each of these, by many short ways, "
                       "weft similarity FILE --unjoined those that have neighbours in common"},
    {"jaccard cosine overlap sorensen adamic-adar link-prediction common-neighbors common-neighbours",
     "weft similarity FILE --of ID lists the vertices that have most neighbours in common with one; --measure says "
     "how"},
    {"filter select where cut induced",
     "weft subgraph FILE cuts out a part of a graph, by degree, weight, --where and more"},
    {"sample", "weft subgraph FILE --sample-edges P or --sample-vertices P takes a sample"},
    {"lcc giant largest-component", "weft subgraph FILE --largest-component cuts out the largest component"},
    {"connected connectivity cc strongly weakly",
     "weft components finds what is connected, with --strong along the edges in both directions"},
    {"bridges articulation biconnected cut-vertices bicc block-cut-tree",
     "weft bicomponents finds bridges, articulation points and biconnected components"},
    {"spanning-tree minimum-spanning-tree backbone kruskal prim boruvka",
     "weft mst finds a minimum or maximum spanning forest; weft sssp FILE --source ID has a tree of shortest paths, in "
     "its column parent"},
    {"k-truss trusses trussness",
     "weft truss finds the truss number of each edge, weft subgraph --truss K cuts one out"},
    {"core cores k-core coreness", "weft kcore finds the core number of each vertex"},
    {"clique cliques", "there are no cliques yet; weft kcore and weft triangles find where a graph is dense"},
    {"clustering-coefficient transitivity", "weft clustering has both"},
    {"topological-sort topological tsort order", "weft toposort orders a directed graph without cycles"},
    {"cycles dag acyclic loop", "weft cycle says whether there is a cycle, and shows one"},
    {"search traverse traversal reach reachable levels", "weft bfs finds what a vertex reaches, and in how many hops"},
    {"import export load save write transform", "weft convert IN OUT writes a graph in another format"},
    {"describe summary summarize head count size", "weft info FILE shows what is in a graph file"},
    {"random create new make synthetic", "weft generate makes a graph"},
    {"benchmark time speed", "weft bench times the algorithms on your graph"},
    {"gpu cuda machine", "weft doctor shows this machine and its GPU; --device cuda runs on it"},
    {"update stream append insert", "weft dynamic is for graphs that change"},
};

const char *cli_word_says(const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; length && i < sizeof rows / sizeof *rows; i++)
        for (const char *at = strstr(rows[i].words, name); at; at = strstr(at + 1, name))
            if ((at == rows[i].words || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return rows[i].says;
    return NULL;
}
