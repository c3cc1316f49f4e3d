/* Every flag that is not an algorithm's or a generator's own: one row each, read by the parser, by help and by the
 * completion. */
#include "cli.h"

#include <stddef.h>

/* Choices are stored as indices, which must be the library's numbers. */
_Static_assert(WEFT_DEVICE_AUTO == 0 && WEFT_DEVICE_CPU == 1 && WEFT_DEVICE_CUDA == 2, "--device");
_Static_assert(WEFT_WEIGHTS_AUTO == 0 && WEFT_WEIGHTS_REQUIRE == 1 && WEFT_WEIGHTS_IGNORE == 2, "--weights");
_Static_assert(WEFT_READ_IDS_AUTO == 0 && WEFT_READ_IDS_INTEGER == 1 && WEFT_READ_IDS_STRING == 2, "--ids");
_Static_assert(WEFT_DUPLICATES_DROP == 0 && WEFT_DUPLICATES_KEEP == 1 && WEFT_DUPLICATES_SUM == 2, "--duplicates");
_Static_assert(WEFT_LOOPS_KEEP == 0 && WEFT_LOOPS_DROP == 1, "--loops");

const cli_options cli_options_standard = {.top = CLI_NOT_GIVEN, .repeat = 1, .runs = 10, .sources = 16, .patience = 5};

#define FIELD(name) .offset = offsetof(cli_options, name)
#define MOST        1.8446744073709552e19

/* A flag is two or three lines, not one for each field. */
/* clang-format off */
const cli_flag cli_option_flags[] = {
    {.name = "output", .letter = 'o', .kind = FLAG_TEXT, FIELD(output), .uses = USE_SAVE, .value = "FILE",
     .help = "write the result to FILE, whole or not at all; the extension chooses the format; - is standard output"},
    {.name = "to", .kind = FLAG_TEXT, FIELD(to), .uses = USE_WRITE, .value = "FORMAT",
     .help = "the format to write, when the extension of the file does not say (see: weft help formats)"},
    {.name = "both-directions", .kind = FLAG_SET, FIELD(both_directions), .uses = USE_WRITE, .set = 1,
     .help = ".weft: store the incoming edges as well, so that they need not be made after each opening"},
    {.name = "level", .kind = FLAG_U64, FIELD(level), .uses = USE_WRITE, .value = "N", .max = 22, .standard = "0",
     .help = "compression level for .gz and .zst; 0 = the usual one"},

    {.name = "of", .kind = FLAG_LIST, FIELD(of), .uses = USE_NEIGHBORS, .value = "ID",
     .help = "list the neighbours of this vertex; may be repeated, and words after FILE are further ids"},
    {.name = "edge", .kind = FLAG_PAIR, FIELD(edge), .uses = USE_NEIGHBORS, .value = "U V",
     .help = "is there an edge from U to V, and with what weight?  Exit code 1 if not"},

    {.name = "top", .kind = FLAG_U64, FIELD(top), .uses = USE_ROWS, .value = "K", .max = MOST,
     .help = "show K rows, the largest first; of a table, its first K (10 on a terminal, everything in files and JSON)"},
    {.name = "by", .kind = FLAG_TEXT, FIELD(by), .uses = USE_RESULT, .value = "COLUMN",
     .help = "the column that --top sorts by, falling (position: rising); ties by vertex [the one"
             " the algorithm is known for]"},
    {.name = "table", .kind = FLAG_SET, FIELD(table), .uses = USE_RESULT, .set = 1,
     .help = "show (or save) the result's table, such as the distribution of degrees, instead of the vertices"},
    {.name = "distribution", .kind = FLAG_SET, FIELD(table), .uses = USE_RESULT, .set = 1,
     .help = "the same as --table"},
    {.name = "plan", .kind = FLAG_SET, FIELD(plan), .uses = USE_RESULT, .set = 1,
     .help = "say how the run would go (backend, method, memory, and why) and stop"},
    {.name = "verify", .kind = FLAG_SET, FIELD(verify), .uses = USE_RESULT, .set = 1,
     .help = "check the result against its definition; exit code 1 if it is wrong.  Of a .weft file the checksums too"},
    {.name = "repeat", .kind = FLAG_U64, FIELD(repeat), .uses = USE_RESULT, .value = "N", .min = 1, .max = 1000000,
     .standard = "1",
     .help = "run N times and show the median, fastest and slowest; exit code 1 if two results differ in a byte"},

    {.name = "verify", .kind = FLAG_SET, FIELD(verify), .uses = USE_INFO, .set = 1,
     .help = "read a .weft file whole and check its checksums"},
    {.name = "quick", .kind = FLAG_SET, FIELD(quick), .uses = USE_DOCTOR, .set = 1,
     .help = "look things up only, measure nothing"},
    {.name = "calibrate", .kind = FLAG_SET, FIELD(calibrate), .uses = USE_DOCTOR, .set = 1,
     .help = "measure what --device auto goes by, some ten seconds, and keep it in the cache; needs a GPU"},

    {.name = "generate", .kind = FLAG_LIST, FIELD(generate), .uses = USE_BENCH, .value = "SPEC",
     .help = "measure on a generated graph, such as rmat:scale=20,undirected (see: weft help generate); may be repeated"},
    {.name = "algos", .kind = FLAG_TEXT, FIELD(algos), .uses = USE_BENCH, .value = "LIST", .standard = "all",
     .help = "algorithms, separated by commas, parameters after a colon each: bfs,pagerank:damping=0.9"},
    {.name = "threads", .letter = 't', .kind = FLAG_TEXT, FIELD(thread_list), .uses = USE_BENCH, .value = "LIST",
     .standard = "0", .help = "numbers of threads, each measured, such as 1,2; 0 = one per core"},
    {.name = "repeat", .kind = FLAG_U64, FIELD(runs), .uses = USE_BENCH, .value = "N", .min = 1, .max = 1000000,
     .standard = "10", .help = "timed runs, after a warm-up; with sources the next multiple of their number"},
    {.name = "sources", .kind = FLAG_U64, FIELD(sources), .uses = USE_BENCH, .value = "K", .min = 1, .max = 4096,
     .standard = "16", .help = "searches start from K random vertices with out-arcs, the same ones each time"},
    {.name = "seconds", .kind = FLAG_F64, FIELD(seconds), .uses = USE_BENCH, .value = "S", .max = 1e9, .standard = "0",
     .help = "make no further runs of a row after so many seconds, but 3 at least; 0 = all runs"},
    {.name = "unverified", .kind = FLAG_SET, FIELD(unverified), .uses = USE_BENCH, .set = 1,
     .help = "do without the verifier, where it takes too long; rows say that they are measured, not verified"},
    {.name = "quick", .kind = FLAG_SET, FIELD(quick), .uses = USE_BENCH, .set = 1,
     .help = "do not measure how fast memory can be read: no share of the ceiling"},

    {.name = "rungs", .kind = FLAG_TEXT, FIELD(rungs), .uses = USE_LAB, .value = "LIST", .standard = "all",
     .help = "rungs by number or name, such as 1,4-6 or naive,engine"},
    {.name = "generate", .kind = FLAG_LIST, FIELD(generate), .uses = USE_LAB, .value = "SPEC",
     .help = "run on a graph of weft generate, such as rmat:scale=16,degree=16, instead of FILE"},
    {.name = "sizes", .kind = FLAG_TEXT, FIELD(sizes), .uses = USE_LAB, .value = "LIST",
     .help = "then on generated graphs of these numbers of vertices, such as 100,1000, from the smallest on; documents ="
             " those in the tables of the documents that the ladder comes from"},
    {.name = "blocks", .kind = FLAG_TEXT, FIELD(blocks), .uses = USE_LAB, .value = "LIST",
     .help = "run the rungs on the GPU with these numbers of threads in a block as well, multiples of 32 up to 1024, such"
             " as 128,256,512: times beside occupancy"},
    {.name = "json", .kind = FLAG_TEXT, FIELD(json_file), .uses = USE_LAB, .value = "FILE",
     .help = "write everything that was measured as JSON; - is standard output, in the place of the tables"},
    {.name = "report", .kind = FLAG_TEXT, FIELD(report), .uses = USE_LAB, .value = "FILE",
     .help = "write the ladder as a story with code, numbers and charts: one HTML file that needs nothing else;"
             " - is standard output, in the place of the tables"},
    {.name = "repeat", .kind = FLAG_U64, FIELD(runs), .uses = USE_LAB, .value = "N", .min = 1, .max = 1000000,
     .standard = "10", .help = "timed runs of each rung, after a warm-up"},
    {.name = "patience", .kind = FLAG_F64, FIELD(patience), .uses = USE_LAB, .value = "SECONDS", .max = 1e9,
     .standard = "5", .help = "how long one run may take: a rung that would take longer is skipped, one whose first run does is"
                              " stopped or not repeated, and each says so; the reference may take ten times as long, and"
                              " ten seconds at least"},
    {.name = "quick", .kind = FLAG_SET, FIELD(quick), .uses = USE_LAB, .set = 1,
     .help = "do not measure how fast memory can be read: no share of the ceiling"},

    {.name = "format", .letter = 'f', .kind = FLAG_TEXT, FIELD(format), .uses = USE_READ, .value = "NAME",
     .help = "the format to read, instead of the one that content and extension tell (see: weft help formats)"},
    {.name = "directed", .kind = FLAG_SET, FIELD(direction), .uses = USE_READ | USE_BUILD, .set = WEFT_DIRECTED,
     .help = "take edges as directed, whatever the file or the generator says"},
    {.name = "undirected", .kind = FLAG_SET, FIELD(direction), .uses = USE_READ | USE_BUILD, .set = WEFT_UNDIRECTED,
     .help = "take edges as undirected: one listed in either direction, or in both, is one edge"},
    {.name = "weights", .kind = FLAG_CHOICE, FIELD(weights), .uses = USE_READ, .set = WEFT_WEIGHTS_REQUIRE,
     .choices = "auto|require|ignore", .standard = "auto",
     .help = "auto keeps weights if the file has them; require (--weights alone) fails if it has none"},
    {.name = "no-weights", .kind = FLAG_SET, FIELD(weights), .uses = USE_READ, .set = WEFT_WEIGHTS_IGNORE,
     .help = "read without the weights of the file"},
    {.name = "ids", .kind = FLAG_CHOICE, FIELD(ids), .uses = USE_READ, .set = -1, .choices = "auto|integer|string",
     .standard = "auto", .help = "whether vertices are numbers or names (see: weft help ids)"},
    {.name = "vertices", .kind = FLAG_U64, FIELD(vertices), .uses = USE_READ, .value = "N", .max = CLI_MOST_VERTICES,
     .standard = "0",
     .help = "edge lists: exactly the vertices 0 to N-1, isolated ones included; 0 = those that occur"},
    {.name = "source-col", .kind = FLAG_TEXT, FIELD(source_col), .uses = USE_READ, .value = "COLUMN",
     .help = "tables: the column of sources, by its name in the header or by its number from 1"},
    {.name = "target-col", .kind = FLAG_TEXT, FIELD(target_col), .uses = USE_READ, .value = "COLUMN",
     .help = "tables: the column of targets"},
    {.name = "weight-col", .kind = FLAG_TEXT, FIELD(weight_col), .uses = USE_READ, .value = "COLUMN",
     .help = "tables: the column of weights"},
    {.name = "header", .kind = FLAG_SET, FIELD(header), .uses = USE_READ, .set = WEFT_HEADER_YES,
     .help = "text tables: the first line names the columns"},
    {.name = "no-header", .kind = FLAG_SET, FIELD(header), .uses = USE_READ, .set = WEFT_HEADER_NO,
     .help = "text tables: the first line is data"},
    {.name = "separator", .kind = FLAG_TEXT, FIELD(separator), .uses = USE_READ, .value = "C",
     .help = "text tables: what separates fields, such as , or ; or tab or blank, instead of what the first lines tell"},
    {.name = "nodes", .kind = FLAG_TEXT, FIELD(nodes), .uses = USE_READ, .value = "FILE[:COLUMN]",
     .help = "a table of vertices beside the edges: those without edges are vertices too"},
    {.name = "duplicates", .kind = FLAG_CHOICE, FIELD(duplicates), .uses = USE_READ | USE_BUILD, .set = -1,
     .choices = "drop|keep|sum", .standard = "drop",
     .help = "parallel edges: drop leaves one, with the smallest weight; sum leaves one, with the sum"},
    {.name = "loops", .kind = FLAG_CHOICE, FIELD(loops), .uses = USE_READ | USE_BUILD, .set = -1,
     .choices = "keep|drop", .standard = "keep", .help = "edges from a vertex to itself"},

    {.name = "json", .kind = FLAG_SET, FIELD(json), .uses = USE_ALWAYS, .set = 1,
     .help = "one JSON object on standard output; messages stay on standard error"},
    {.name = "threads", .letter = 't', .kind = FLAG_U64, FIELD(threads), .uses = USE_ALWAYS, .value = "N", .max = 4096,
     .standard = "0", .help = "threads to use; 0 = one per core.  Results do not depend on it"},
    {.name = "device", .kind = FLAG_CHOICE, FIELD(device), .uses = USE_ALWAYS, .set = -1,
     .choices = "auto|cpu|cuda|gpu", .standard = "auto", .help = "where algorithms run; gpu is cuda"},
    {.name = "memory-limit", .kind = FLAG_SIZE, FIELD(memory_limit), .uses = USE_ALWAYS, .value = "SIZE",
     .standard = "0", .help = "bytes to hold at once, such as 512M or 4G; 0 = no limit.  More ends with exit code 4"},
    {.name = "device-memory-limit", .kind = FLAG_SIZE, FIELD(device_memory_limit), .uses = USE_ALWAYS, .value = "SIZE",
     .standard = "0", .help = "the same for memory on the GPU"},
    {.name = "quiet", .letter = 'q', .kind = FLAG_SET, FIELD(quiet), .uses = USE_ALWAYS, .set = 1,
     .help = "no progress bar, no warnings, no notes"},
    {.name = "help", .letter = 'h', .kind = FLAG_SET, FIELD(help), .uses = USE_ALWAYS, .set = 1,
     .help = "what this command does and its flags"},
};
/* clang-format on */
const size_t cli_option_flag_count = sizeof cli_option_flags / sizeof *cli_option_flags;
