/* Every flag that is not an algorithm's or a generator's own: one row each, read by the parser, by help and by the
 * completion. */
#include "cli.h"

#include <math.h>
#include <stddef.h>

/* Choices are stored as indices, which must be the library's numbers. */
_Static_assert(WEFT_DEVICE_AUTO == 0 && WEFT_DEVICE_CPU == 1 && WEFT_DEVICE_CUDA == 2, "--device");
_Static_assert(WEFT_WEIGHTS_AUTO == 0 && WEFT_WEIGHTS_REQUIRE == 1 && WEFT_WEIGHTS_IGNORE == 2, "--weights");
_Static_assert(WEFT_READ_WEIGHTS_AUTO == 0 && WEFT_READ_WEIGHTS_U32 == 1 && WEFT_READ_WEIGHTS_F32 == 2 &&
                   WEFT_READ_WEIGHTS_F64 == 3,
               "--weight-type");
_Static_assert(WEFT_READ_IDS_AUTO == 0 && WEFT_READ_IDS_INTEGER == 1 && WEFT_READ_IDS_STRING == 2, "--ids");
_Static_assert(WEFT_DUPLICATES_DROP == 0 && WEFT_DUPLICATES_KEEP == 1 && WEFT_DUPLICATES_SUM == 2, "--duplicates");
_Static_assert(WEFT_LOOPS_KEEP == 0 && WEFT_LOOPS_DROP == 1, "--loops");

const cli_options cli_options_standard = {
    .top = CLI_NOT_GIVEN, .repeat = 1, .runs = 10, .sources = 16, .patience = 5, .at = WEFT_LAST_BATCH, .scale = 18, .k = 1,
    .radius = 1, .max_degree = UINT64_MAX, .seed = 42, .min_weight = (double)-INFINITY, .max_weight = (double)INFINITY,
    .sample_vertices = 1, .sample_edges = 1};

#define FIELD(name) .offset = offsetof(cli_options, name)
#define MOST        1.8446744073709552e19

/* A flag is two or three lines, not one for each field. */
/* clang-format off */
const cli_flag cli_option_flags[] = {
    {.name = "output", .letter = 'o', .kind = FLAG_TEXT, FIELD(output), .uses = USE_SAVE, .value = "FILE",
     .help = "write the result to FILE, completely or not at all; the extension chooses the format; - is standard output"},
    {.name = "to", .kind = FLAG_TEXT, FIELD(to), .uses = USE_WRITE, .value = "FORMAT",
     .help = "the format to write, if the extension of the file does not tell (see: weft help formats)"},
    {.name = "both-directions", .kind = FLAG_SET, FIELD(both_directions), .uses = USE_WRITE, .set = 1,
     .help = ".weft: store the incoming edges as well, so that they need not be rebuilt each time the file is opened"},
    {.name = "level", .kind = FLAG_U64, FIELD(level), .uses = USE_WRITE, .value = "N", .max = 22, .standard = "0",
     .help = "compression level for .gz and .zst; 0 = the default"},

    {.name = "of", .kind = FLAG_LIST, FIELD(of), .uses = USE_NEIGHBORS, .value = "ID",
     .help = "list the neighbours of this vertex; may be repeated, and words after FILE are further ids"},
    {.name = "edge", .kind = FLAG_PAIR, FIELD(edge), .uses = USE_NEIGHBORS, .value = "U V",
     .help = "is there an edge from U to V, and with what weight?  Exit code 1 if not"},

    {.name = "k", .kind = FLAG_U64, FIELD(k), .uses = USE_PATH, .value = "N", .min = 1, .max = 1 << 20, .standard = "1",
     .help = "the N shortest paths without a vertex twice, or as many as there are"},
    {.name = "avoid", .kind = FLAG_TEXT, FIELD(avoid), .uses = USE_PATH, .value = "FILE",
     .help = "no path passes the vertices of FILE, an id a line"},

    {.name = "largest-component", .kind = FLAG_CHOICE, FIELD(largest_component), .uses = USE_SUBGRAPH,
     .set = WEFT_COMPONENT_WEAK, .choices = "any|weak|strong", .standard = "any",
     .help = "only the largest weak (or --largest-component alone) or strong component"},
    {.name = "core", .kind = FLAG_U64, FIELD(core), .uses = USE_SUBGRAPH, .value = "K", .max = CLI_MOST_VERTICES,
     .standard = "0", .help = "only the K-core: each vertex has K neighbours in it"},
    {.name = "ego", .kind = FLAG_LIST, FIELD(ego), .uses = USE_SUBGRAPH, .value = "ID",
     .help = "only what is within --radius hops of this vertex, along the edges; may be repeated"},
    {.name = "radius", .kind = FLAG_U64, FIELD(radius), .uses = USE_SUBGRAPH, .value = "R", .max = CLI_MOST_VERTICES,
     .standard = "1", .help = "of --ego"},
    {.name = "only", .kind = FLAG_TEXT, FIELD(only), .uses = USE_SUBGRAPH, .value = "FILE",
     .help = "only the vertices of FILE, an id a line"},
    {.name = "min-degree", .kind = FLAG_U64, FIELD(min_degree), .uses = USE_SUBGRAPH, .value = "N", .max = MOST,
     .standard = "0", .help = "only vertices of this degree (in and out together) or more; judged once: see --core"},
    {.name = "max-degree", .kind = FLAG_U64, FIELD(max_degree), .uses = USE_SUBGRAPH, .value = "N", .max = MOST,
     .help = "only vertices of this degree or less"},
    {.name = "min-weight", .kind = FLAG_F64, FIELD(min_weight), .uses = USE_SUBGRAPH, .value = "X",
     .min = (double)-INFINITY, .max = (double)INFINITY,
     .help = "only edges of this weight or more"},
    {.name = "max-weight", .kind = FLAG_F64, FIELD(max_weight), .uses = USE_SUBGRAPH, .value = "X",
     .min = (double)-INFINITY, .max = (double)INFINITY,
     .help = "only edges of this weight or less"},
    {.name = "sample-vertices", .kind = FLAG_F64, FIELD(sample_vertices), .uses = USE_SUBGRAPH, .value = "P", .max = 1,
     .standard = "1", .help = "each vertex with this probability"},
    {.name = "sample-edges", .kind = FLAG_F64, FIELD(sample_edges), .uses = USE_SUBGRAPH, .value = "P", .max = 1,
     .standard = "1", .help = "each edge with this probability"},
    {.name = "seed", .kind = FLAG_U64, FIELD(seed), .uses = USE_SUBGRAPH, .value = "S", .max = MOST, .standard = "42",
     .help = "of the samples: the same seed chooses the same, on any machine"},
    {.name = "where", .kind = FLAG_TEXT, FIELD(where), .uses = USE_SUBGRAPH, .value = "EXPR",
     .help = "only vertices whose row of --table meets the condition, such as 'rank > 0.001' (see: weft help where)"},
    {.name = "table", .kind = FLAG_TEXT, FIELD(where_table), .uses = USE_SUBGRAPH, .value = "FILE",
     .help = "the table of --where: tabs or commas, a header, ids in the column id or the first"},

    {.name = "top", .kind = FLAG_U64, FIELD(top), .uses = USE_ROWS, .value = "K", .max = MOST,
     .help = "show the K largest rows, largest first, or the first K rows of a table [10 on a terminal, all in files and JSON]"},
    {.name = "by", .kind = FLAG_TEXT, FIELD(by), .uses = USE_RESULT, .value = "COLUMN",
     .help = "the column that --top sorts by, in descending order (position: ascending), ties by vertex [the"
             " algorithm's main result]"},
    {.name = "table", .kind = FLAG_SET, FIELD(table), .uses = USE_RESULT, .set = 1,
     .help = "show or save the result's table, such as the distribution of degrees, instead of the vertices"},
    {.name = "distribution", .kind = FLAG_SET, FIELD(table), .uses = USE_RESULT, .set = 1,
     .help = "the same as --table"},
    {.name = "plan", .kind = FLAG_SET, FIELD(plan), .uses = USE_RESULT, .set = 1,
     .help = "show how the run would go (backend, method, memory, and why) and stop"},
    {.name = "verify", .kind = FLAG_SET, FIELD(verify), .uses = USE_RESULT, .set = 1,
     .help = "check the result against its definition, and the checksums of a .weft file; exit code 1 if something is wrong"},
    {.name = "repeat", .kind = FLAG_U64, FIELD(repeat), .uses = USE_RESULT, .value = "N", .min = 1, .max = 1000000,
     .standard = "1",
     .help = "run N times and show the median, fastest and slowest time; exit code 1 if any two results differ"},

    {.name = "verify", .kind = FLAG_SET, FIELD(verify), .uses = USE_INFO, .set = 1,
     .help = "read all of a .weft file and verify its checksums"},
    {.name = "quick", .kind = FLAG_SET, FIELD(quick), .uses = USE_DOCTOR, .set = 1,
     .help = "measure nothing"},
    {.name = "calibrate", .kind = FLAG_SET, FIELD(calibrate), .uses = USE_DOCTOR, .set = 1,
     .help = "measure and save what --device auto goes by; takes about ten seconds and needs a GPU"},

    {.name = "generate", .kind = FLAG_LIST, FIELD(generate), .uses = USE_BENCH, .value = "SPEC",
     .help = "measure on a generated graph, such as rmat:scale=20,undirected (see: weft help generate); may be repeated"},
    {.name = "algos", .kind = FLAG_TEXT, FIELD(algos), .uses = USE_BENCH, .value = "LIST", .standard = "all",
     .help = "algorithms, separated by commas, parameters after a colon each: bfs,pagerank:damping=0.9"},
    {.name = "threads", .letter = 't', .kind = FLAG_TEXT, FIELD(thread_list), .uses = USE_BENCH, .value = "LIST",
     .standard = "0", .help = "numbers of threads, each measured, such as 1,2; 0 = one per core"},
    {.name = "repeat", .kind = FLAG_U64, FIELD(runs), .uses = USE_BENCH, .value = "N", .min = 1, .max = 1000000,
     .standard = "10", .help = "timed runs, after a warm-up; for searches, rounded up to a multiple of the number of sources"},
    {.name = "sources", .kind = FLAG_U64, FIELD(sources), .uses = USE_BENCH, .value = "K", .min = 1, .max = 4096,
     .standard = "16", .help = "searches start from K random vertices with out-arcs, the same each time"},
    {.name = "seconds", .kind = FLAG_F64, FIELD(seconds), .uses = USE_BENCH, .value = "S", .max = 1e9, .standard = "0",
     .help = "stop the runs of a row after S seconds, but not before the third; 0 = no limit"},
    {.name = "unverified", .kind = FLAG_SET, FIELD(unverified), .uses = USE_BENCH, .set = 1,
     .help = "do not verify results, if that takes too long; rows then say measured instead of verified"},
    {.name = "quick", .kind = FLAG_SET, FIELD(quick), .uses = USE_BENCH, .set = 1,
     .help = "do not measure memory bandwidth; rows then show no share of the ceiling"},

    {.name = "batch", .kind = FLAG_U64, FIELD(batch), .uses = USE_DYNAMIC, .value = "N", .min = 1, .max = 1 << 30,
     .help = "apply, watch: a batch ends after N changes, if no blank line ends it before [the file ends it]"},
    {.name = "durable", .kind = FLAG_CHOICE, FIELD(durable), .uses = USE_DYNAMIC, .set = -1, .choices = "batch|never",
     .standard = "batch",
     .help = "apply, watch, bench: batch: a batch is done when it is on the disk; never: when the system has it, which survives"
             " the end of the program but no power failure"},
    {.name = "at", .kind = FLAG_U64, FIELD(at), .uses = USE_DYNAMIC, .value = "K", .max = MOST,
     .help = "snapshot, info: the state after batch K, while it is in the log [the last]; log: the changes of batch K"},
    {.name = "run", .kind = FLAG_LIST, FIELD(runs_asked), .uses = USE_DYNAMIC, .value = "ALGORITHM",
     .help = "watch: what to run after each batch, with parameters after colons, such as pagerank:top=10; may be repeated"},
    {.name = "warm", .kind = FLAG_SET, FIELD(warm), .uses = USE_DYNAMIC, .set = 1,
     .help = "watch: pagerank begins with the last ranks, and says how far it is at most from the exact ones"},
    {.name = "refuse-cycles", .kind = FLAG_SET, FIELD(refuse_cycles), .uses = USE_DYNAMIC, .set = 1,
     .help = "watch with --run cycle: a batch with an edge that closes a cycle is refused, with the cycle; exit code 1 in the end"},
    {.name = "scale", .kind = FLAG_U64, FIELD(scale), .uses = USE_DYNAMIC, .value = "N", .min = 1, .max = 31,
     .standard = "18", .help = "bench: the graph that changes has 2^N vertices"},
    {.name = "batches", .kind = FLAG_TEXT, FIELD(batch_sizes), .uses = USE_DYNAMIC, .value = "LIST",
     .standard = "1,1000,100000,10000000", .help = "bench: sizes of batches, each measured"},
    {.name = "seconds", .kind = FLAG_F64, FIELD(seconds), .uses = USE_DYNAMIC, .value = "S", .max = 1e9, .standard = "2",
     .help = "bench: how long each row is measured"},

    {.name = "rungs", .kind = FLAG_TEXT, FIELD(rungs), .uses = USE_LAB, .value = "LIST", .standard = "all",
     .help = "rungs by number or name, such as 1,4-6 or naive,engine"},
    {.name = "generate", .kind = FLAG_LIST, FIELD(generate), .uses = USE_LAB, .value = "SPEC",
     .help = "run on a generated graph, such as rmat:scale=16,degree=16, instead of FILE"},
    {.name = "sizes", .kind = FLAG_TEXT, FIELD(sizes), .uses = USE_LAB, .value = "LIST",
     .help = "then run on generated graphs with so many vertices, such as 100,1000, in ascending order; documents ="
             " the sizes in the documents that the ladder is based on"},
    {.name = "blocks", .kind = FLAG_TEXT, FIELD(blocks), .uses = USE_LAB, .value = "LIST",
     .help = "also run GPU rungs with these numbers of threads per block, multiples of 32 up to 1024, such"
             " as 128,256,512, and show times and occupancy"},
    {.name = "json", .kind = FLAG_TEXT, FIELD(json_file), .uses = USE_LAB, .value = "FILE",
     .help = "write all measurements as JSON; - is standard output, instead of the tables"},
    {.name = "report", .kind = FLAG_TEXT, FIELD(report), .uses = USE_LAB, .value = "FILE",
     .help = "write a report with code, numbers and charts, as one self-contained HTML file;"
             " - is standard output, instead of the tables"},
    {.name = "repeat", .kind = FLAG_U64, FIELD(runs), .uses = USE_LAB, .value = "N", .min = 1, .max = 1000000,
     .standard = "10", .help = "timed runs of each rung, after a warm-up"},
    {.name = "patience", .kind = FLAG_F64, FIELD(patience), .uses = USE_LAB, .value = "SECONDS", .max = 1e9,
     .standard = "5", .help = "how long one run may take: a rung that is expected to take longer is skipped, and one whose first run"
                              " does is stopped or not repeated, with a note.  The reference may take ten times as long, and"
                              " at least ten seconds"},
    {.name = "quick", .kind = FLAG_SET, FIELD(quick), .uses = USE_LAB, .set = 1,
     .help = "do not measure memory bandwidth; rows then show no share of the ceiling"},

    {.name = "format", .letter = 'f', .kind = FLAG_TEXT, FIELD(format), .uses = USE_READ, .value = "NAME",
     .help = "the format to read, instead of detecting it by content and extension (see: weft help formats)"},
    {.name = "directed", .kind = FLAG_SET, FIELD(direction), .uses = USE_READ | USE_BUILD, .set = WEFT_DIRECTED,
     .help = "treat edges as directed, whatever the file or the generator says"},
    {.name = "undirected", .kind = FLAG_SET, FIELD(direction), .uses = USE_READ | USE_BUILD, .set = WEFT_UNDIRECTED,
     .help = "treat edges as undirected: an edge listed in either direction, or in both, is one edge"},
    {.name = "weights", .kind = FLAG_CHOICE, FIELD(weights), .uses = USE_READ, .set = WEFT_WEIGHTS_REQUIRE,
     .choices = "auto|require|ignore", .standard = "auto",
     .help = "auto: keep weights if the file has them; require (or --weights alone): fail if it has none; ignore: drop them"},
    {.name = "no-weights", .kind = FLAG_SET, FIELD(weights), .uses = USE_READ, .set = WEFT_WEIGHTS_IGNORE,
     .help = "drop the weights of the file"},
    {.name = "weight-type", .kind = FLAG_CHOICE, FIELD(weight_type), .uses = USE_READ, .set = -1,
     .choices = "auto|u32|f32|f64", .standard = "auto",
     .help = "the type of the weights; auto: u32 if all are integers from 0 to 2^32-1, else f32"},
    {.name = "ids", .kind = FLAG_CHOICE, FIELD(ids), .uses = USE_READ, .set = -1, .choices = "auto|integer|string",
     .standard = "auto", .help = "whether vertices are numbers or names (see: weft help ids)"},
    {.name = "vertices", .kind = FLAG_U64, FIELD(vertices), .uses = USE_READ, .value = "N", .max = CLI_MOST_VERTICES,
     .standard = "0",
     .help = "edge lists: exactly the vertices 0 to N-1, including isolated ones; 0 = those that occur"},
    {.name = "source-col", .kind = FLAG_TEXT, FIELD(source_col), .uses = USE_READ, .value = "COLUMN",
     .help = "tables: the column of sources, by name or by number from 1"},
    {.name = "target-col", .kind = FLAG_TEXT, FIELD(target_col), .uses = USE_READ, .value = "COLUMN",
     .help = "tables: the column of targets"},
    {.name = "weight-col", .kind = FLAG_TEXT, FIELD(weight_col), .uses = USE_READ, .value = "COLUMN",
     .help = "tables: the column of weights"},
    {.name = "header", .kind = FLAG_SET, FIELD(header), .uses = USE_READ, .set = WEFT_HEADER_YES,
     .help = "text tables: the first line names the columns"},
    {.name = "no-header", .kind = FLAG_SET, FIELD(header), .uses = USE_READ, .set = WEFT_HEADER_NO,
     .help = "text tables: the first line is data"},
    {.name = "separator", .kind = FLAG_TEXT, FIELD(separator), .uses = USE_READ, .value = "C",
     .help = "text tables: the field separator, such as , or ; or tab or blank, instead of detecting it from the first lines"},
    {.name = "nodes", .kind = FLAG_TEXT, FIELD(nodes), .uses = USE_READ, .value = "FILE[:COLUMN]",
     .help = "an additional table of vertices, so that vertices without edges are included"},
    {.name = "duplicates", .kind = FLAG_CHOICE, FIELD(duplicates), .uses = USE_READ | USE_BUILD, .set = -1,
     .choices = "drop|keep|sum", .standard = "drop",
     .help = "parallel edges: drop keeps one, with the smallest weight; sum keeps one, with the sum of the weights"},
    {.name = "loops", .kind = FLAG_CHOICE, FIELD(loops), .uses = USE_READ | USE_BUILD, .set = -1,
     .choices = "keep|drop", .standard = "keep", .help = "edges from a vertex to itself"},

    {.name = "json", .kind = FLAG_SET, FIELD(json), .uses = USE_ALWAYS, .set = 1,
     .help = "one JSON object on standard output; messages stay on standard error"},
    {.name = "threads", .letter = 't', .kind = FLAG_U64, FIELD(threads), .uses = USE_ALWAYS, .value = "N", .max = 4096,
     .standard = "0", .help = "number of threads; 0 = one per core.  Results do not depend on it"},
    {.name = "device", .kind = FLAG_CHOICE, FIELD(device), .uses = USE_ALWAYS, .set = -1,
     .choices = "auto|cpu|cuda|gpu", .standard = "auto", .help = "where algorithms run; gpu is another name for cuda"},
    {.name = "memory-limit", .kind = FLAG_SIZE, FIELD(memory_limit), .uses = USE_ALWAYS, .value = "SIZE",
     .standard = "0", .help = "most memory to use, such as 512M or 4G; 0 = no limit.  Needing more is an error (exit code 4)"},
    {.name = "device-memory-limit", .kind = FLAG_SIZE, FIELD(device_memory_limit), .uses = USE_ALWAYS, .value = "SIZE",
     .standard = "0", .help = "the same for the GPU's memory"},
    {.name = "quiet", .letter = 'q', .kind = FLAG_SET, FIELD(quiet), .uses = USE_ALWAYS, .set = 1,
     .help = "no progress bar, no warnings, no notes"},
    {.name = "help", .letter = 'h', .kind = FLAG_SET, FIELD(help), .uses = USE_ALWAYS, .set = 1,
     .help = "show this help"},
};
/* clang-format on */
const size_t cli_option_flag_count = sizeof cli_option_flags / sizeof *cli_option_flags;
