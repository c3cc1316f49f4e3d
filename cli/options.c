/* Every flag that is not an algorithm's or a generator's own: one row each, read by the parser, by help and by the
 * completion. */
#include "cli.h"
#include "weft/subgraph.h"

#include <math.h>
#include <stddef.h>

/* Choices are stored as indices, which must equal the library's numbers. */
_Static_assert(WEFT_DEVICE_AUTO == 0 && WEFT_DEVICE_CPU == 1 && WEFT_DEVICE_CUDA == 2, "--device");
_Static_assert(WEFT_WEIGHTS_AUTO == 0 && WEFT_WEIGHTS_REQUIRE == 1 && WEFT_WEIGHTS_IGNORE == 2, "weights_of_before");
_Static_assert(WEFT_WEIGHT_NONE == 0 && WEFT_WEIGHT_U32 == 1 && WEFT_WEIGHT_F32 == 2 && WEFT_WEIGHT_F64 == 3,
               "--weight-type");
_Static_assert(WEFT_READ_IDS_AUTO == 0 && WEFT_READ_IDS_INTEGER == 1 && WEFT_READ_IDS_STRING == 2, "--ids");
_Static_assert(WEFT_DUPLICATES_DROP == 0 && WEFT_DUPLICATES_KEEP == 1 && WEFT_DUPLICATES_SUM == 2 &&
                   WEFT_DUPLICATES_REFUSE == 3 && WEFT_DUPLICATES_MIN == 4 && WEFT_DUPLICATES_MAX == 5 &&
                   WEFT_DUPLICATES_MEAN == 6 && WEFT_DUPLICATES_COUNT == 7 && CLI_DUPLICATES_DROP == 8,
               "--duplicates");
_Static_assert(WEFT_COMPONENT_WEAK == 1 && WEFT_COMPONENT_STRONG == 2, "--largest-component, less one");
_Static_assert(WEFT_COMMENTS_AUTO == 0 && WEFT_COMMENTS_YES == 1 && WEFT_COMMENTS_NO == 2, "--comments");
_Static_assert(WEFT_MERGE_UNION == 0 && WEFT_MERGE_INTERSECTION == 1 && WEFT_MERGE_DIFFERENCE == 2, "--mode");
_Static_assert(WEFT_PROJECT_COUNT == 0 && WEFT_PROJECT_JACCARD == 1 && WEFT_PROJECT_NEWMAN == 2, "--weigh");
_Static_assert(WEFT_LOOPS_KEEP == 0 && WEFT_LOOPS_DROP == 1, "--loops");

/* clang-format off */
const cli_options cli_options_standard = {
    .memory_limit = CLI_NOT_GIVEN, .top = CLI_NOT_GIVEN, .bottom = CLI_NOT_GIVEN, .head = CLI_NOT_GIVEN,
    .repeat = 1, .runs = 10, .old_weights = -1, .every = -1, .replicates = 100,
    .bench = {.sources = 16},
    .lab = {.patience = 5, .ranks = 4},
    .dynamic = {.at = WEFT_LAST_BATCH, .scale = 18},
    .path = {.k = 1},
    .subgraph = {.largest_component = -1, .radius = 1, .max_degree = UINT64_MAX, .seed = 42,
                 .min_weight = (double)-INFINITY, .max_weight = (double)INFINITY,
                 .sample_vertices = 1, .sample_edges = 1},
    .quality = {.resolution = 1},
    .draw = {.width = 1200},
    .predict = {.ranks = "8", .machine = "h100-ib", .iterations = 20, .levels = 5, .degree = 32},
};

#define FIELD(name) .offset = offsetof(cli_options, name)
#define MOST        1.8446744073709552e19
#define MOST_BATCH  1.844674407370955e19 /* less than WEFT_LAST_BATCH, which means no --at */

/* A flag takes two or three lines, not one for each field. */
const cli_flag cli_option_flags[] = {
    {.name = "output", .letter = 'o', .kind = FLAG_TEXT, FIELD(output), .uses = USE_SAVE, .value = "FILE",
     .help = "write the result to FILE, completely or not at all; the extension chooses the format; - is standard"
             " output"},
    {.name = "truth", .kind = FLAG_TEXT, FIELD(truth), .uses = USE_GENERATE, .value = "FILE",
     .help = "planted: write each vertex's community to FILE; a table of ids and labels, as labelprop's"},
    {.name = "to", .kind = FLAG_TEXT, FIELD(to), .uses = USE_WRITE, .value = "FORMAT",
     .help = "the format to write, if the extension of the file does not tell (see: weft help formats)"},
    {.name = "to", .kind = FLAG_TEXT, FIELD(to), .uses = USE_SELECT, .value = "FORMAT",
     .help = "with -o: write the graph with the results as attributes of its vertices; weft, graphml, gexf, gml, json"
             " (d3, NetworkX), cyjs (Cytoscape) or dot; extensions of these but .json say so by themselves"},
    {.name = "both-directions", .kind = FLAG_SET, FIELD(both_directions), .uses = USE_WRITE, .set = 1,
     .help = ".weft: store the incoming edges as well, so that they need not be rebuilt each time the file is opened"},
    {.name = "window", .kind = FLAG_TEXT, FIELD(window), .uses = USE_CONVERT, .value = "COLUMN:SPAN",
     .help = "a graph for each year, month, week, day or hour of a column of times, as date:month: OUT.weft becomes"
             " OUT-2024-03.weft and so on"},
    {.name = "level", .kind = FLAG_U64, FIELD(level), .uses = USE_WRITE, .value = "N", .max = 22, .standard = "0",
     .help = "compression level for .gz and .zst; 0 = the default"},

    {.name = "of", .kind = FLAG_LIST, FIELD(neighbors.of), .uses = USE_NEIGHBORS, .value = "ID",
     .help = "list the neighbours of this vertex; may be repeated, and words after FILE are further ids"},
    {.name = "edge", .kind = FLAG_PAIR, FIELD(neighbors.edge), .uses = USE_NEIGHBORS, .value = "U V",
     .without = "of,top,output",
     .help = "is there an edge from U to V, and with what weight?  Exit code 1 if not"},

    {.name = "k", .kind = FLAG_U64, FIELD(path.k), .uses = USE_PATH, .value = "N", .min = 1, .max = 1 << 20,
     .standard = "1", .help = "the N shortest paths without repeated vertices, or all if there are fewer"},
    {.name = "weights", .kind = FLAG_SET, FIELD(use_weights), .uses = USE_PATH, .set = 1, .without = "no-weights",
     .help = "fail if the graph has no weights; if it has weights, the shortest path has the smallest sum of"
             " weights even without this flag"},
    {.name = "hops", .kind = FLAG_SET, FIELD(path.hops), .uses = USE_PATH, .set = 1, .without = "weights",
     .help = "the shortest path has the fewest hops, and weights are ignored"},
    {.name = "avoid", .kind = FLAG_WORDS, .again = AGAIN_WORDS, FIELD(path.avoid), .uses = USE_PATH, .value = "FILE",
     .help = "no path passes through the vertices of FILE, one id on each line"},

    {.name = "largest-component", .kind = FLAG_CHOICE, FIELD(subgraph.largest_component), .uses = USE_SUBGRAPH,
     .set = WEFT_COMPONENT_WEAK - 1, .choices = "weak|strong",
     .help = "only the largest component, weak by default"},
    {.name = "core", .kind = FLAG_U64, FIELD(subgraph.core), .uses = USE_SUBGRAPH, .value = "K",
     .max = CLI_MOST_VERTICES, .standard = "0", .help = "only the K-core: each vertex has K neighbours in it"},
    {.name = "truss", .kind = FLAG_U64, FIELD(subgraph.truss), .uses = USE_SUBGRAPH, .value = "K",
     .min = 2, .max = CLI_MOST_VERTICES,
     .help = "only the K-truss: K - 2 triangles at each edge"},
    {.name = "ego", .kind = FLAG_LIST, FIELD(subgraph.ego), .uses = USE_SUBGRAPH, .value = "ID",
     .help = "only vertices within --radius hops of this vertex, along the edges; may be repeated"},
    {.name = "radius", .kind = FLAG_U64, FIELD(subgraph.radius), .uses = USE_SUBGRAPH, .value = "R",
     .max = CLI_MOST_VERTICES, .standard = "1", .with = "ego", .help = "hops around the --ego vertices"},
    {.name = "ids", .kind = FLAG_WORDS, .again = AGAIN_WORDS, FIELD(subgraph.ids), .uses = USE_SUBGRAPH,
     .value = "FILE",
     .help = "only the vertices of FILE, one id on each line, or of a list such as 1,2,3; auto, integer and string"
             " are the flag of reading"},
    {.name = "community", .kind = FLAG_LIST, FIELD(subgraph.community), .uses = USE_SUBGRAPH, .value = "ID",
     .help = "only the community with this smallest vertex, as weft leiden FILE finds them; may be repeated"},
    {.name = "min-degree", .kind = FLAG_U64, FIELD(subgraph.min_degree), .uses = USE_SUBGRAPH, .value = "N",
     .max = MOST, .standard = "0",
     .help = "only vertices of at least this total degree; judged once: see --core"},
    {.name = "max-degree", .kind = FLAG_U64, FIELD(subgraph.max_degree), .uses = USE_SUBGRAPH, .value = "N",
     .max = MOST, .help = "only vertices of this degree or less"},
    {.name = "min-weight", .kind = FLAG_F64, FIELD(subgraph.min_weight), .uses = USE_SUBGRAPH, .value = "X",
     .min = (double)-INFINITY, .max = (double)INFINITY, .help = "only edges of this weight or more"},
    {.name = "max-weight", .kind = FLAG_F64, FIELD(subgraph.max_weight), .uses = USE_SUBGRAPH, .value = "X",
     .min = (double)-INFINITY, .max = (double)INFINITY, .help = "only edges of this weight or less"},
    {.name = "sample-vertices", .kind = FLAG_F64, FIELD(subgraph.sample_vertices), .uses = USE_SUBGRAPH, .value = "P",
     .max = 1, .standard = "1", .help = "each vertex with this probability"},
    {.name = "sample-edges", .kind = FLAG_F64, FIELD(subgraph.sample_edges), .uses = USE_SUBGRAPH, .value = "P",
     .max = 1, .standard = "1", .help = "each edge with this probability"},
    {.name = "seed", .kind = FLAG_U64, FIELD(subgraph.seed), .uses = USE_SUBGRAPH, .value = "S", .max = MOST,
     .standard = "42", .with = "sample-vertices,sample-edges",
     .help = "seed of the samples: the same seed gives the same sample on every machine"},
    {.name = "where", .kind = FLAG_TEXT, .again = AGAIN_AND, FIELD(where), .uses = USE_SUBGRAPH, .value = "EXPR",
     .help = "only vertices that meet a condition on attributes of the graph and columns of --table, such as"
             " 'rank > 0.001' (see: weft help where)"},
    {.name = "table", .kind = FLAG_TEXT, FIELD(subgraph.table), .uses = USE_SUBGRAPH, .value = "FILE", .with = "where",
     .help = "a table for --where: tabs or commas, a header, ids in the column id or the first"},

    {.name = "side", .kind = FLAG_TEXT, FIELD(project.side), .uses = USE_PROJECT, .value = "SIDE",
     .help = "the side of the projection: first, second, or the name of a side as weft info shows it; by default the"
             " first"},
    {.name = "weigh", .kind = FLAG_CHOICE, FIELD(project.weigh), .uses = USE_PROJECT, .set = -1,
     .choices = "count|jaccard|newman", .value = "HOW", .standard = "count",
     .help = "the weight of an edge: count, the neighbours in common; jaccard, these over the neighbours of either;"
             " newman, the sum of 1 / (d - 1) over them, d being their degrees"},
    {.name = "plan", .kind = FLAG_SET, FIELD(plan), .uses = USE_PROJECT, .set = 1, .without = "output",
     .help = "only count the projection's edges and memory, and the paths of length 2 to be walked"},

    {.name = "partition", .kind = FLAG_TEXT, FIELD(quality.partition), .uses = USE_QUALITY, .value = "FILE[:COLUMN]",
     .help = "the label of each vertex [the column after the ids]; a table with tabs or commas and ids in the column id"
             " or the first, or a .npy of integers in the order of -o"},
    {.name = "resolution", .kind = FLAG_F64, FIELD(quality.resolution), .uses = USE_QUALITY, .value = "G",
     .min = (double)-INFINITY, .max = (double)INFINITY, .standard = "1",
     .help = "resolution of modularity and CPM: above 1 smaller communities are better, below 1 larger ones"},
    {.name = "weights", .kind = FLAG_SET, FIELD(use_weights), .uses = USE_QUALITY, .set = 1, .without = "no-weights",
     .help = "use sums of weights instead of numbers of edges"},

    {.name = "removed", .kind = FLAG_TEXT, FIELD(compare.removed), .uses = USE_COMPARE, .value = "FILE",
     .help = "write the edges that A has and B lacks to FILE; the extension chooses the format, as for results: .tsv,"
             " .csv, .json, .jsonl; - is standard output"},
    {.name = "added", .kind = FLAG_TEXT, FIELD(compare.added), .uses = USE_COMPARE, .value = "FILE",
     .help = "the same for the edges that B has and A lacks"},
    {.name = "changed", .kind = FLAG_TEXT, FIELD(compare.changed), .uses = USE_COMPARE, .value = "FILE",
     .help = "the same for the edges whose weight has changed, with both weights"},
    {.name = "by", .kind = FLAG_TEXT, FIELD(by), .uses = USE_COMPARE, .value = "ALGORITHM",
     .help = "run an algorithm, such as pagerank, on both and compare the ranks of the first vertices; degree.in uses"
             " another column than the main one, and parameters follow colons, as in weft run"},
    {.name = "top", .kind = FLAG_U64, FIELD(top), .uses = USE_COMPARE, .value = "K", .min = 1, .max = MOST,
     .standard = "10", .with = "by", .help = "with --by: show the first K vertices of B, and further ones among the"
             " first K of A"},
    {.name = "mode", .kind = FLAG_CHOICE, FIELD(merge.mode), .uses = USE_MERGE, .set = -1,
     .choices = "union|intersection|difference", .value = "MODE", .standard = "union",
     .help = "union, intersection or difference of the graphs; a difference has all vertices of A, and its edges that"
             " no other file has"},

    {.name = "replicates", .kind = FLAG_U64, FIELD(replicates), .uses = USE_REPORT, .value = "N", .max = 1000000,
     .standard = "100",
     .help = "synthetic data sets for the test of a power law: the error of p is at most about 0.5 / sqrt(N); 0 ="
             " no test"},
    {.name = "quick", .kind = FLAG_SET, FIELD(quick), .uses = USE_REPORT, .set = 1, .without = "replicates",
     .help = "leave out slow parts: betweenness, HITS, triangles, the distances of all pairs, the test of the"
             " power law, communities of more than a million arcs; the drawing has fewer steps"},

    {.name = "top", .kind = FLAG_U64, FIELD(top), .uses = USE_ROWS, .value = "K", .max = MOST,
     .help = "show the K largest rows, largest first, or the first K rows of a table [10 on a terminal, all in files"
             " and JSON]"},
    {.name = "by", .kind = FLAG_TEXT, FIELD(by), .uses = USE_SELECT, .value = "COLUMN",
     .help = "the column that --top and --bottom choose by, --top the largest first (of position the smallest), ties by"
             " vertex [the algorithm's main result]"},
    {.name = "bottom", .kind = FLAG_U64, FIELD(bottom), .uses = USE_SELECT, .value = "K", .max = MOST,
     .without = "top",
     .help = "show the K smallest rows, smallest first"},
    {.name = "where", .kind = FLAG_TEXT, .again = AGAIN_AND, FIELD(where), .uses = USE_SELECT, .value = "EXPR",
     .help = "show only rows that meet a condition, such as 'level < 3 and id != 7' (see: weft help where)"},
    {.name = "sort", .kind = FLAG_TEXT, FIELD(sort), .uses = USE_SELECT, .value = "COLUMN[:asc|desc],...",
     .help = "order the rows by columns; by default numbers descend, ids and texts ascend; missing values"
             " come last"},
    {.name = "head", .kind = FLAG_U64, FIELD(head), .uses = USE_SELECT, .value = "N", .max = MOST,
     .help = "show the first N rows of that order"},
    {.name = "labels", .kind = FLAG_TEXT, FIELD(labels), .uses = USE_SELECT | USE_REPORT, .value = "FILE[:COLUMN]",
     .help = "join a column of a table (tabs or commas, ids in the column id or the first), such as names [the column"
             " after the ids]; in pictures also: id"},
    {.name = "label", .kind = FLAG_TEXT, FIELD(label), .uses = USE_SELECT | USE_REPORT, .value = "ATTRIBUTE",
     .without = "labels",
     .help = "name vertices by an attribute of the graph; tables on the screen do so by themselves if it is a text"
             " called label or name, and no two vertices have the same"},
    {.name = "no-formulas", .kind = FLAG_SET, FIELD(no_formulas), .uses = USE_SELECT, .set = 1,
     .help = "-o FILE.csv: ' before texts that a spreadsheet takes for formulas; they begin with = + - @ or a control"
             " character"},
    {.name = "colour", .kind = FLAG_TEXT, FIELD(draw.colour), .uses = USE_SELECT, .value = "WHAT",
     .help = "pictures, .gexf: colour vertices by a column, an attribute, component, community, core, rank, degree or"
             " FILE:COLUMN; numbers are on a scale, the largest groups apart; in layout communities also stand apart,"
             " since edges within them pull harder, and for that -o may be a table"},
    {.name = "color", .kind = FLAG_TEXT, FIELD(draw.colour), .uses = USE_SELECT, .value = "WHAT",
     .help = "the same as --colour"},
    {.name = "size", .kind = FLAG_TEXT, FIELD(draw.size), .uses = USE_SELECT, .value = "WHAT",
     .help = "pictures, .gexf: size vertices by a column, an attribute, rank, degree, core or FILE:COLUMN"},
    {.name = "width", .kind = FLAG_U64, FIELD(draw.width), .uses = USE_DRAW, .value = "PIXELS", .min = 100,
     .max = 10000, .standard = "1200", .help = "width of the picture; its height follows from the layout"},
    {.name = "dark", .kind = FLAG_SET, FIELD(draw.dark), .uses = USE_DRAW, .set = 1, .help = "a dark background"},
    {.name = "title", .kind = FLAG_TEXT, FIELD(draw.title), .uses = USE_DRAW, .value = "TEXT",
     .help = "a line above the picture"},
    {.name = "arrows", .kind = FLAG_SET, FIELD(draw.arrows), .uses = USE_DRAW, .set = 1,
     .help = "show the direction of edges"},
    {.name = "line-width", .kind = FLAG_CHOICE, FIELD(draw.line_width), .uses = USE_DRAW, .value = "WHAT",
     .choices = "auto|even|weight", .set = -1, .standard = "auto",
     .help = "widths of edges, by weight or all even; auto: by weight if the graph has weights"},
    {.name = "sizes", .kind = FLAG_TEXT, FIELD(sizes_file), .uses = USE_GROUPS, .value = "FILE",
     .help = "write the sizes of all groups, largest first, to FILE, in the formats of -o"},
    {.name = "table", .kind = FLAG_SET, FIELD(table), .uses = USE_RESULT, .set = 1,
     .help = "show or save the result's table, such as the distribution of degrees, instead of the vertices"},
    {.name = "distribution", .kind = FLAG_SET, FIELD(table), .uses = USE_RESULT, .set = 1,
     .help = "the same as --table"},
    {.name = "plan", .kind = FLAG_SET, FIELD(plan), .uses = USE_RESULT, .set = 1, .without = "output,verify,repeat",
     .help = "show the plan of the run (backend, method, memory, and the reasons) and stop"},
    {.name = "parts", .kind = FLAG_SET, FIELD(parts), .uses = USE_RESULT, .set = 1, .with = "output",
     .help = "with -o FILE: each rank writes the rows of its vertices to a file of its own, x.00000.tsv, x.00001.tsv,"
             " ... for x.tsv"},
    {.name = "verify", .kind = FLAG_SET, FIELD(verify), .uses = USE_RESULT | USE_RUN, .set = 1,
     .help = "check the result against its definition, and the checksums of a .weft file; exit code 1 if something is"
             " wrong"},
    {.name = "repeat", .kind = FLAG_U64, FIELD(repeat), .uses = USE_RESULT, .value = "N", .min = 1, .max = 1000000,
     .standard = "1",
     .help = "run N times and show the median, fastest and slowest time; exit code 1 if any two results differ"},

    {.name = "verify", .kind = FLAG_SET, FIELD(verify), .uses = USE_INFO, .set = 1,
     .help = "read all of a .weft file and verify its checksums"},
    {.name = "quick", .kind = FLAG_SET, FIELD(quick), .uses = USE_DOCTOR, .set = 1, .help = "measure nothing"},

    {.name = "generate", .kind = FLAG_LIST, FIELD(generate), .uses = USE_BENCH, .value = "SPEC",
     .help = "measure on a generated graph, such as rmat:scale=20,undirected (see: weft help generate); may be"
             " repeated"},
    {.name = "algos", .kind = FLAG_TEXT, FIELD(bench.algorithms), .uses = USE_BENCH, .value = "LIST", .standard = "all",
     .help = "algorithms, separated by commas, parameters after a colon each: bfs,pagerank:damping=0.9"},
    {.name = "threads", .letter = 't', .kind = FLAG_TEXT, FIELD(bench.threads), .uses = USE_BENCH, .value = "LIST",
     .standard = "0", .help = "numbers of threads, each measured, such as 1,2; 0 = one per core"},
    {.name = "repeat", .kind = FLAG_U64, FIELD(runs), .uses = USE_BENCH, .value = "N", .min = 1, .max = 1000000,
     .standard = "10",
     .help = "timed runs, after a warm-up; for searches, rounded up to a multiple of the number of sources"},
    {.name = "sources", .kind = FLAG_U64, FIELD(bench.sources), .uses = USE_BENCH, .value = "K", .min = 1, .max = 4096,
     .standard = "16", .help = "searches start from K random vertices with out-arcs, the same each time"},
    {.name = "seconds", .kind = FLAG_F64, FIELD(seconds), .uses = USE_BENCH, .value = "S", .max = 1e9, .standard = "0",
     .help = "stop the runs of a row after S seconds, but not before the third; 0 = no limit"},
    {.name = "unverified", .kind = FLAG_SET, FIELD(bench.unverified), .uses = USE_BENCH, .set = 1,
     .help = "do not verify results, if that takes too long; rows then say measured instead of verified"},
    {.name = "quick", .kind = FLAG_SET, FIELD(quick), .uses = USE_BENCH, .set = 1,
     .help = "do not measure memory bandwidth; rows then show no share of the ceiling"},

    {.name = "batch", .kind = FLAG_U64, FIELD(dynamic.batch), .uses = USE_DYNAMIC, .value = "N", .min = 1,
     .max = 1 << 30,
     .help = "apply, watch: a batch ends after N changes, if not ended earlier by a blank line [it ends with the"
             " file]"},
    {.name = "durable", .kind = FLAG_CHOICE, FIELD(dynamic.durable), .uses = USE_DYNAMIC, .set = -1,
     .choices = "batch|never", .standard = "batch",
     .help = "apply, watch, bench: batch: a batch is done when it is on the disk; never: when the system has it,"
             " which survives the end of the program but no power failure"},
    {.name = "wait", .kind = FLAG_F64, FIELD(dynamic.wait), .uses = USE_DYNAMIC, .value = "S", .max = 1e8,
     .standard = "0",
     .help = "apply, watch, compact: while another program writes to the file, wait for its end, S seconds at most"},
    {.name = "at", .kind = FLAG_U64, FIELD(dynamic.at), .uses = USE_DYNAMIC, .value = "K", .max = MOST_BATCH,
     .help = "snapshot, info: the state after batch K, while it is in the log [the last]; log: the changes of batch K"},
    {.name = "run", .kind = FLAG_LIST, FIELD(dynamic.runs), .uses = USE_DYNAMIC, .value = "ALGORITHM",
     .help = "watch: an algorithm to run after each batch, with parameters after colons, such as pagerank:top=10; may"
             " be repeated"},
    {.name = "warm", .kind = FLAG_SET, FIELD(dynamic.warm), .uses = USE_DYNAMIC, .set = 1,
     .help = "watch: pagerank starts from the last ranks, and reports a bound on its error"},
    {.name = "refuse-cycles", .kind = FLAG_SET, FIELD(dynamic.refuse_cycles), .uses = USE_DYNAMIC, .set = 1,
     .help = "watch with --run cycle: a batch with an edge that closes a cycle is refused, with the cycle; exit code"
             " 1 in the end"},
    {.name = "scale", .kind = FLAG_U64, FIELD(dynamic.scale), .uses = USE_DYNAMIC, .value = "N", .min = 1, .max = 31,
     .standard = "18", .help = "bench: the graph that changes has 2^N vertices"},
    {.name = "batches", .kind = FLAG_TEXT, FIELD(dynamic.batch_sizes), .uses = USE_DYNAMIC, .value = "LIST",
     .standard = "1,1000,100000,10000000",
     .help = "bench: sizes of batches, each measured; default sizes beyond the number of edges are left out"},
    {.name = "seconds", .kind = FLAG_F64, FIELD(seconds), .uses = USE_DYNAMIC, .value = "S", .max = 1e9,
     .standard = "2", .help = "bench: how long each row is measured"},
    {.name = "analytics", .kind = FLAG_SET, FIELD(dynamic.analytics), .uses = USE_DYNAMIC, .set = 1,
     .help = "bench: then also run pagerank, bfs, components and triangles on the last snapshot and on the same graph"
             " built from its edges, and compare their times"},

    {.name = "ranks", .kind = FLAG_TEXT, FIELD(predict.ranks), .uses = USE_PREDICT, .value = "LIST", .standard = "8",
     .help = "number of ranks, each a GPU or a core; several numbers, such as 8,64,512, make a table"},
    {.name = "machine", .kind = FLAG_TEXT, FIELD(predict.machine), .uses = USE_PREDICT, .value = "NAME",
     .standard = "h100-ib",
     .help = "the machine of the ranks; weft predict lists the machines, and the origin of their"
             " figures"},
    {.name = "arcs", .kind = FLAG_TEXT, FIELD(predict.arcs), .uses = USE_PREDICT, .value = "LIST",
     .help = "number of arcs, such as 1e9 (an undirected edge is two); several numbers make a table"},
    {.name = "vertices", .kind = FLAG_U64, FIELD(vertices), .uses = USE_PREDICT, .value = "N", .max = 1e15,
     .standard = "0", .with = "arcs", .help = "with --arcs: number of vertices; 0 = arcs / degree"},
    {.name = "scale", .kind = FLAG_U64, FIELD(predict.scale), .uses = USE_PREDICT, .value = "S", .max = 50,
     .help = "a graph with 2^S vertices, and --degree arcs for each; with --calibrate by default 16"},
    {.name = "degree", .kind = FLAG_F64, FIELD(predict.degree), .uses = USE_PREDICT, .value = "D", .min = 1e-3,
     .max = 1e9, .standard = "32", .help = "arcs for each vertex"},
    {.name = "cut", .kind = FLAG_CHOICE, FIELD(predict.cut), .uses = USE_PREDICT, .set = -1, .choices = "1d|2d",
     .standard = "1d",
     .help = "1d: ranks share vertices; for pagerank also 2d: arcs shared out by sources and targets, on CPUs"},
    {.name = "iterations", .kind = FLAG_U64, FIELD(predict.iterations), .uses = USE_PREDICT, .value = "N", .min = 1,
     .max = 1000000, .standard = "20", .help = "iterations of pagerank"},
    {.name = "levels", .kind = FLAG_U64, FIELD(predict.levels), .uses = USE_PREDICT, .value = "N", .min = 1,
     .max = 1000000, .standard = "5", .help = "levels of bfs, two of them bottom-up; the default is typical of R-MAT"
             " graphs"},
    {.name = "calibrate", .kind = FLAG_SET, FIELD(calibrate), .uses = USE_PREDICT, .set = 1,
     .help = "run the algorithms on 2 to 16 virtual ranks with slow links, and show the model's error; takes a"
             " minute"},
    {.name = "quick", .kind = FLAG_SET, FIELD(quick), .uses = USE_PREDICT, .set = 1, .with = "calibrate",
     .help = "--calibrate: one link and up to 4 ranks only; takes a few seconds"},

    {.name = "rungs", .kind = FLAG_TEXT, FIELD(lab.rungs), .uses = USE_LAB, .value = "LIST", .standard = "all",
     .help = "rungs by number or name, such as 1,4-6 or naive,engine"},
    {.name = "generate", .kind = FLAG_LIST, FIELD(generate), .uses = USE_LAB, .value = "SPEC",
     .help = "run on a generated graph, such as rmat:scale=16,degree=16, instead of FILE"},
    {.name = "sizes", .kind = FLAG_TEXT, FIELD(lab.sizes), .uses = USE_LAB, .value = "LIST",
     .help = "then run on generated graphs with these numbers of vertices, such as 100,1000, in ascending order;"
             " documents = the sizes in the documents that the ladder is based on; a report on a ladder's own graph"
             " has 100,1000"},
    {.name = "blocks", .kind = FLAG_TEXT, FIELD(lab.blocks), .uses = USE_LAB, .value = "LIST",
     .help = "also run GPU rungs with these numbers of threads per block, multiples of 32 up to 1024, such as"
             " 128,256,512, and show times and occupancy"},
    {.name = "ranks", .kind = FLAG_U64, FIELD(lab.ranks), .uses = USE_LAB, .value = "N", .min = 1, .max = 64,
     .standard = "4", .help = "ladders on ranks: number of virtual ranks, threads of this process"},
    {.name = "json", .kind = FLAG_TEXT, FIELD(lab.json), .uses = USE_LAB, .value = "FILE",
     .help = "write all measurements as JSON; - is standard output, instead of the tables"},
    {.name = "report", .kind = FLAG_TEXT, FIELD(lab.report), .uses = USE_LAB, .value = "FILE",
     .help = "write a report with code, numbers and charts, as one self-contained HTML file; - is standard output,"
             " instead of the tables"},
    {.name = "repeat", .kind = FLAG_U64, FIELD(runs), .uses = USE_LAB, .value = "N", .min = 1, .max = 1000000,
     .standard = "10", .help = "timed runs of each rung, after a warm-up"},
    {.name = "patience", .kind = FLAG_F64, FIELD(lab.patience), .uses = USE_LAB, .value = "SECONDS", .max = 1e9,
     .standard = "5",
     .help = "time limit of a run: a rung expected to take longer is skipped; if its first run takes longer, it is"
             " stopped or not repeated, with a note.  The limit of the reference is ten times as long, and at least"
             " ten seconds"},
    {.name = "quick", .kind = FLAG_SET, FIELD(quick), .uses = USE_LAB, .set = 1,
     .help = "do not measure memory bandwidth; rows then show no share of the ceiling"},

    {.name = "format", .letter = 'f', .kind = FLAG_TEXT, FIELD(format), .uses = USE_READ, .value = "NAME",
     .help = "the format to read, instead of detecting it by content and extension (see: weft help formats)"},
    {.name = "directed", .kind = FLAG_SET, FIELD(direction), .uses = USE_PREDICT, .set = WEFT_DIRECTED,
     .help = "a directed graph without incoming arcs, which ranks first send each other if the algorithm needs them"},
    {.name = "directed", .kind = FLAG_SET, FIELD(direction), .uses = USE_READ | USE_BUILD, .set = WEFT_DIRECTED,
     .help = "treat edges as directed, even if the file or the generator declares them undirected"},
    {.name = "undirected", .kind = FLAG_SET, FIELD(direction), .uses = USE_READ | USE_BUILD, .set = WEFT_UNDIRECTED,
     .help = "treat edges as undirected: an edge listed in either direction, or in both, is one edge"},
    {.name = "no-weights", .kind = FLAG_SET, FIELD(weights), .uses = USE_READ, .set = WEFT_WEIGHTS_IGNORE,
     .help = "drop the weights of the file, which are kept otherwise"},
    {.name = "no-attributes", .kind = FLAG_SET, FIELD(no_attributes), .uses = USE_READ, .set = 1,
     .help = "leave out the attributes of vertices, and columns of edges (--keep \"\": only these)"},
    {.name = "bipartite", .kind = FLAG_SET, FIELD(sides), .uses = USE_READ, .set = 1,
     .help = "sources and targets are vertices of two kinds; ids that occur in both columns become user_id:1 and"
             " item_id:1"},
    {.name = "one-set", .kind = FLAG_SET, FIELD(sides), .uses = USE_READ, .set = 2,
     .help = "vertices are of one kind, even if the file declares two"},
    {.name = "require-weights", .kind = FLAG_SET, FIELD(weights), .uses = USE_READ, .set = WEFT_WEIGHTS_REQUIRE,
     .help = "fail if the file has no weights"},
    /* The former meaning of --weights: understood in this version, with a note (weights_of_before). */
    {.name = "weights", .kind = FLAG_CHOICE, FIELD(old_weights), .uses = USE_READ, .set = WEFT_WEIGHTS_REQUIRE,
     .choices = "auto|require|ignore"},
    {.name = "weight-type", .kind = FLAG_CHOICE, FIELD(weight_type), .uses = USE_READ, .set = -1,
     .without = "no-weights",
     .choices = "auto|u32|f32|f64", .standard = "auto",
     .help = "the type of the weights; auto: u32 if all are integers from 0 to 2^32-1, else f32"},
    {.name = "ids", .kind = FLAG_CHOICE, FIELD(ids), .uses = USE_READ, .set = -1, .choices = "auto|integer|string",
     .standard = "auto", .help = "whether vertices are numbers or names (see: weft help ids)"},
    {.name = "vertices", .kind = FLAG_U64, FIELD(vertices), .uses = USE_READ, .value = "N", .max = CLI_MOST_VERTICES,
     .standard = "0",
     .help = "edge lists: exactly the vertices 0 to N-1, including isolated ones; 0 = only ids that occur"},
    {.name = "source-col", .kind = FLAG_TEXT, FIELD(source_col), .uses = USE_READ, .value = "COLUMN",
     .help = "tables: the column of sources, by name or by number from 1"},
    {.name = "target-col", .kind = FLAG_TEXT, FIELD(target_col), .uses = USE_READ, .value = "COLUMN",
     .help = "tables: the column of targets"},
    {.name = "weight-col", .kind = FLAG_TEXT, FIELD(weight_col), .uses = USE_READ, .value = "COLUMN",
     .help = "tables: the column of weights"},
    {.name = "header", .kind = FLAG_SET, FIELD(header), .uses = USE_READ | USE_AGREEMENT, .set = WEFT_HEADER_YES,
     .help = "text tables: the first line names the columns"},
    {.name = "no-header", .kind = FLAG_SET, FIELD(header), .uses = USE_READ | USE_AGREEMENT, .set = WEFT_HEADER_NO,
     .help = "text tables: the first line is data"},
    {.name = "separator", .kind = FLAG_TEXT, FIELD(separator), .uses = USE_READ, .value = "C",
     .help = "text tables: the field separator, such as , or ; or tab or blank, instead of detecting it from the"
             " first lines"},
    {.name = "decimal", .kind = FLAG_CHOICE, FIELD(decimal), .uses = USE_READ, .set = -1, .choices = "auto|point|comma",
     .standard = "auto", .help = "text tables: the decimal sign of numbers; the other sign separates thousands"},
    {.name = "comments", .kind = FLAG_CHOICE, FIELD(comments), .uses = USE_READ, .set = -1, .choices = "auto|yes|no",
     .standard = "auto",
     .help = "text tables: whether lines that begin with # or % are comments; auto asks if one may be an edge or a"
             " vertex"},
    {.name = "nodes", .kind = FLAG_TEXT, .again = AGAIN_LINE, FIELD(nodes), .uses = USE_READ, .value = "FILE[:COLUMN]",
     .help = "an additional table of vertices, so that vertices without edges are included; may be repeated"},
    {.name = "keep", .kind = FLAG_TEXT, .again = AGAIN_COMMA, FIELD(keep), .uses = USE_READ, .value = "COLUMN,...",
     .help = "tables, JSON, GraphML, GEXF, GML: keep these columns of edges with the graph, by name or, of tables, by"
             " number from 1; .weft: keep only these of its columns"},
    {.name = "merge", .kind = FLAG_TEXT, .again = AGAIN_COMMA, FIELD(merge_rules), .uses = USE_READ,
     .value = "COLUMN:RULE,...",
     .help = "rule for the values of --keep where several edges become one: sum, count, min, max, mean, first or"
             " last; without a rule the graph is refused"},
    {.name = "edges-where", .kind = FLAG_TEXT, .again = AGAIN_AND, FIELD(edges_where), .uses = USE_READ,
     .value = "EXPR",
     .help = "only edges that meet a condition on the columns that --keep could keep, such as 'amount > 10 and date >="
             " 2024-03-01' (see: weft help where)"},
    {.name = "weight-from", .kind = FLAG_TEXT, FIELD(weight_from), .uses = USE_READ, .value = "COLUMN",
     .without = "no-weights",
     .help = "use a column of the graph's edges (--keep) as weights"},
    {.name = "duplicates", .kind = FLAG_CHOICE, FIELD(duplicates), .uses = USE_READ | USE_BUILD, .set = -1,
     .choices = "auto|keep|sum|refuse|min|max|mean|count|drop", .value = "RULE", .standard = "auto",
     .help = "parallel edges become one with the sum, min, max or mean (f64) of the weights, or their count as"
             " weight; keep: all stay; refuse: there may be none; auto: the smallest weight, refused where different"
             " ones would change the answer; drop: another word for min"},
    {.name = "loops", .kind = FLAG_CHOICE, FIELD(loops), .uses = USE_READ | USE_BUILD, .set = -1,
     .choices = "keep|drop", .standard = "keep", .help = "edges from a vertex to itself"},

    {.name = "json", .kind = FLAG_SET, FIELD(json), .uses = USE_ALWAYS, .set = 1,
     .help = "one JSON object on standard output; messages stay on standard error"},
    {.name = "threads", .letter = 't', .kind = FLAG_U64, FIELD(threads), .uses = USE_ALWAYS, .value = "N", .max = 4096,
     .standard = "0", .help = "number of threads; 0 = one per core.  Results do not depend on it"},
    {.name = "device", .kind = FLAG_CHOICE, FIELD(device), .uses = USE_ALWAYS, .set = -1,
     .choices = "auto|cpu|cuda|gpu", .standard = "auto", .help = "where algorithms run; gpu is another name for cuda"},
    {.name = "memory-limit", .kind = FLAG_SIZE, FIELD(memory_limit), .uses = USE_ALWAYS, .value = "SIZE",
     .help = "most memory to use, such as 512M or 4G; 0 = no limit.  Needing more is an error (exit code 4) [what the"
             " memory control group leaves, if there is one]"},
    {.name = "device-memory-limit", .kind = FLAG_SIZE, FIELD(device_memory_limit), .uses = USE_ALWAYS, .value = "SIZE",
     .standard = "0", .help = "the same for the GPU's memory"},
    {.name = "timeout", .kind = FLAG_F64, FIELD(timeout), .uses = USE_ALWAYS, .value = "S", .max = 1e8, .standard = "0",
     .help = "stop after S seconds, with exit code 124 and no partial file, but with a checkpoint of a run that has"
             " --checkpoint; 0 = no limit"},
    {.name = "hang-timeout", .kind = FLAG_F64, FIELD(hang_timeout), .uses = USE_RANKS, .value = "S", .max = 1e8,
     .standard = "0",
     .help = "under mpirun: end all ranks, with exit code 124, once one has waited S seconds for another; 0 = never"},
    {.name = "verify-files", .kind = FLAG_SET, FIELD(verify_files), .uses = USE_SHARE, .set = 1,
     .help = "under mpirun: each rank reads all of FILE first, and they compare every byte, instead of a sample"
             " (text) or what the header says (.weft)"},
    {.name = "grid", .kind = FLAG_TEXT, FIELD(grid), .uses = USE_RESULT, .value = "RxC",
     .help = "under mpirun: a grid of R rows and C columns of ranks, each with the arcs from its column's vertices"
             " to its row's; several columns need an algorithm with a 2-D run, on CPUs [the plan chooses]"},
    {.name = "checkpoint", .kind = FLAG_TEXT, FIELD(checkpoint), .uses = USE_CHECKPOINT, .value = "DIR",
     .without = "repeat",
     .help = "save the run in DIR every --every seconds, on SIGTERM (exit code 75), and at the end of --timeout; the"
             " same command resumes it, on any number of ranks, with the same result"},
    {.name = "every", .kind = FLAG_F64, FIELD(every), .uses = USE_CHECKPOINT, .value = "S", .max = 1e8,
     .standard = "600", .with = "checkpoint",
     .help = "--checkpoint: save it every S seconds, after a whole iteration; 0 = after each"},
    {.name = "quiet", .letter = 'q', .kind = FLAG_SET, FIELD(quiet), .uses = USE_ALWAYS, .set = 1,
     .help = "no progress bar, no warnings, no notes"},
    {.name = "all", .kind = FLAG_SET, FIELD(all), .uses = USE_HELP, .set = 1, .help = "explain every flag"},
    {.name = "help", .letter = 'h', .kind = FLAG_SET, FIELD(help), .uses = USE_ALWAYS, .set = 1,
     .help = "show this help"},
};
/* clang-format on */
const size_t cli_option_flag_count = sizeof cli_option_flags / sizeof *cli_option_flags;
_Static_assert(sizeof cli_option_flags / sizeof *cli_option_flags <= CLI_MOST_FLAGS, "room for what was given");

bool cli_given(const cli_options *options, size_t offset) {
    for (size_t i = 0; i < cli_option_flag_count; i++)
        if (options->given[i] && cli_option_flags[i].offset == offset) return true;
    return false;
}
