/* The commands: one row each, read by dispatch, help and the completion.  The table holds pointers, so that weft-lab
 * links its own row and none of the other commands. */
#include "cli.h"
#include "result/graph_out.h"

#include <string.h>

#define ROW &(const cli_command)

/* clang-format off */
const cli_command *const cli_commands[] = {
    ROW{.name = "info", .operands = "FILE", .least = 1, .most = 1, .run = cli_info,
     .uses = USE_ALWAYS | USE_COLUMNS | USE_READ | USE_INFO,
     .summary = "show the content of a graph file",
     .text = "Reads FILE (- is standard input; .gz and .zst are decompressed) and shows its size, direction, weights,"
             " ids and degrees, and what was dropped while reading.  By default duplicate edges are dropped and"
             " self-loops kept.\n",
     .examples = "weft info web.txt.gz\n"
                 "weft info --undirected --json roads.gr\n"
                 "weft info --verify web.weft\n"},
    ROW{.name = "convert", .operands = "IN OUT", .least = 1, .most = 2, .run = cli_convert,
     .uses = USE_ALWAYS | USE_COLUMNS | USE_READ | USE_WRITE | USE_SAVE | USE_RANKS | USE_SHARE | USE_CONVERT,
     .summary = "convert a graph from one format to another",
     .text = "Reads IN and writes OUT in the format that its extension or --to names.  OUT is written completely or"
             " not at all; OUT may also be given as -o OUT. A .weft file opens in milliseconds, however large it is:"
             " convert graphs that you read often.\n",
     .examples = "weft convert web.txt.gz web.weft\n"
                 "weft convert --undirected graph.csv graph.graph\n"
                 "weft convert in.mtx - --to edgelist | head\n"
                 "weft convert paid.csv paid.weft --keep amount,date --edges-where 'amount > 10'\n"
                 "weft convert paid.csv monthly.weft --window date:month\n"},
    ROW{.name = "generate", .operands = "KIND", .least = 1, .most = 1 << 20, .run = cli_generate,
     .find = cli_find_generator, .print_more = cli_help_generators,
     .uses = USE_ALWAYS | USE_BUILD | USE_WRITE | USE_SAVE | USE_RANKS | USE_GENERATE,
     .summary = "generate a graph: R-MAT, Erdos-Renyi, grid, tree, ...",
     .text = "Generates a graph and prints a summary with its checksum; -o FILE saves it.  The same seed gives the"
             " same graph on every machine and with any number of threads.  weft help KIND shows the flags of a"
             " kind.\n",
     .examples = "weft generate rmat --scale 20 --degree 16 -o rmat20.weft\n"
                 "weft generate planted --n 10000 --communities 50 -o g.txt --truth truth.tsv\n"
                 "weft generate karate -o - --to edgelist\n"},
    ROW{.name = "neighbors", .operands = "FILE [ID...]", .least = 1, .most = 1 << 20, .run = cli_neighbors,
     .uses = USE_ALWAYS | USE_COLUMNS | USE_READ | USE_NEIGHBORS | USE_ROWS | USE_SAVE,
     .summary = "list the neighbours of a vertex, or look up an edge",
     .text = "Lists the neighbours of vertices (out and in, for a directed graph), or says whether an edge exists."
             " Ids are the file's own.\n",
     .examples = "weft neighbors karate.txt --of 34\n"
                 "weft neighbors karate.txt --of 1 2 3 -o lists.tsv\n"
                 "weft neighbors karate.txt --edge 1 34\n"},
    ROW{.name = "path", .operands = "FILE U V", .least = 3, .most = 3, .run = cli_path,
     .uses = USE_ALWAYS | USE_READ | USE_PATH | USE_SAVE,
     .summary = "find a shortest path from one vertex to another",
     .text = "Finds a shortest path from U to V and shows its vertices in the file's own ids, with its length: the"
             " sum of its weights if the graph has weights, else its hops; --hops takes the fewest hops in any case."
             "  It searches from both ends, which takes a small part of the time of a whole search; a directed"
             " graph's incoming edges help (convert --both-directions).  Exit code 1 if there is no path.\n",
     .examples = "weft path karate.txt 17 34\n"
                 "weft path roads.gr 1 5000 --json\n"
                 "weft path roads.gr 1 5000 --hops\n"
                 "weft path web.weft 1 34 --k 5 --avoid closed.txt -o paths.tsv\n"},
    ROW{.name = "subgraph", .operands = "FILE", .least = 1, .most = 1, .run = cli_subgraph,
     .uses = USE_ALWAYS | USE_COLUMNS | USE_READ | USE_WRITE | USE_SAVE | USE_SUBGRAPH,
     .summary = "cut out a part of a graph: a component, a community, a core, a sample",
     .text = "Writes the part of FILE that meets all conditions to -o OUT, with the ids of FILE; without -o it only"
             " counts, and shows how much each condition left out. The conditions apply in this order: --min-weight"
             " and --max-weight, --sample-edges, --ids, --community (of all of FILE) and --where, --sample-vertices,"
             " --ego, --min-degree and --max-degree, --core, --truss, --largest-component.\n",
     .examples = "weft subgraph web.txt.gz --largest-component -o core.weft\n"
                 "weft subgraph web.weft --ego 42 --radius 2 -o around.graphml\n"
                 "weft subgraph web.weft --community 17 -o group.weft\n"
                 "weft subgraph web.weft --where 'rank > 0.001' --table ranks.tsv -o top.gml\n"},
    ROW{.name = "project", .operands = "FILE", .least = 1, .most = 1, .run = cli_project,
     .uses = USE_ALWAYS | USE_READ | USE_WRITE | USE_SAVE | USE_PROJECT,
     .summary = "join the vertices of one side by the neighbours they share",
     .text = "FILE has vertices of two kinds (--bipartite), or can be coloured with two colours.  Writes the graph of"
             " one kind to -o OUT, with the ids of FILE: two vertices are joined if they have a neighbour in common,"
             " by an edge with a weight (--weigh).  Without -o it only counts.  If FILE does not name its sides, the"
             " smallest vertex of each component is on the first.  A graph that is not bipartite is refused, with an"
             " odd cycle.\n",
     .examples = "weft project bought.csv --bipartite --side item_id -o items.weft\n"
                 "weft project papers.graphml --weigh newman -o authors.csv\n"
                 "weft project bought.csv --bipartite --plan\n"},
    ROW{.name = "quality", .operands = "FILE", .least = 1, .most = 1, .run = cli_quality,
     .uses = USE_ALWAYS | USE_READ | USE_ROWS | USE_SAVE | USE_QUALITY,
     .summary = "judge communities: modularity, conductance, broken ones",
     .text = "Reads FILE and a label for each of its vertices (--partition), and judges the communities of equal"
             " labels: modularity, the quality of the constant Potts model (CPM), coverage, and for each"
             " community its size, inner edges, leaving edges, conductance, and number of connected"
             " parts.  The modularity of directed graphs is Leicht and Newman's.  -o saves the table.\n",
     .examples = "weft quality web.txt --partition labels.tsv\n"
                 "weft quality roads.gr --partition regions.csv:region --weights --resolution 0.5 -o regions.tsv\n"},
    ROW{.name = "agreement", .operands = "A B", .least = 2, .most = 2, .run = cli_agreement,
     .uses = USE_ALWAYS | USE_AGREEMENT,
     .summary = "compare two partitions: NMI, AMI, ARI, V-measure",
     .text = "Compares two tables of ids and labels, such as -o of two runs of labelprop, or one of them and the truth:"
             " normalised and adjusted mutual information, the adjusted Rand index, homogeneity, completeness and"
             " V-measure (A being the truth), and the variation of information.  Names of labels do not matter.  Both"
             " must be about the same vertices, in any order; FILE:COLUMN names the column of labels.  Two .npy"
             " files are matched by place.\n",
     .examples = "weft agreement truth.tsv labels.tsv\n"
                 "weft agreement people.csv:department labels.tsv --json\n"},
    ROW{.name = "compare", .operands = "A B", .least = 2, .most = 2, .run = cli_compare,
     .uses = USE_ALWAYS | USE_READ | USE_COMPARE,
     .summary = "show the differences between two graphs: vertices, edges, weights, ranks",
     .text = "Reads two graphs, with the same flags, and shows the changes from A to B: vertices and edges that were"
             " removed or added, and weights that changed.  Vertices are matched by the files' ids.  Parallel edges"
             " (--duplicates keep) are compared by their number.  With --by it also shows how the first vertices of a"
             " ranking moved.  Exit code 0 if the graphs are equal, 1 if not.\n",
     .examples = "weft compare monday.csv tuesday.csv\n"
                 "weft compare a.weft b.weft --added new.tsv --removed gone.tsv\n"
                 "weft compare a.txt b.txt --by pagerank --top 20 --json\n"},
    ROW{.name = "merge", .operands = "A B...", .least = 2, .most = 65535, .run = cli_merge,
     .uses = USE_ALWAYS | USE_READ | USE_WRITE | USE_SAVE | USE_MERGE,
     .summary = "join graphs: their union, intersection or difference",
     .text = "Reads graphs and writes one (-o OUT): their union or, with --mode, their intersection or difference."
             " Vertices are matched by the files' ids.  --duplicates merges edges between the same vertices, as if all"
             " files were one; without it they become one edge if their weights agree, and are refused otherwise.\n",
     .examples = "weft merge monday.csv tuesday.csv -o both.weft --duplicates sum\n"
                 "weft merge a.weft b.weft c.weft --mode intersection -o common.weft\n"
                 "weft merge all.txt known.txt --mode difference -o new.txt\n"},
    ROW{.name = "run", .operands = "FILE ALGORITHM...", .least = 2, .most = 1 << 10, .run = cli_run,
     .uses = USE_ALWAYS | USE_READ | USE_ROWS | USE_SELECT | USE_SAVE | USE_RUN,
     .summary = "run several algorithms after reading once, into one wide table",
     .text = "Reads FILE once, runs the algorithms one after the other, and shows or saves (-o FILE) their columns"
             " side by side. Parameters follow colons: pagerank:damping=0.9 (weft help pagerank lists them).  A"
             " column name that several algorithms have is preceded by the algorithm's: bfs.level, toposort.level; if"
             " an algorithm runs twice, pagerank.rank and pagerank2.rank.  Without -o it shows the ten largest"
             " rows by the first column.\n",
     .examples = "weft run web.txt.gz pagerank kcore components -o table.tsv\n"
                 "weft run web.weft bfs:source=42 pagerank --where 'level <= 2' --sort level:asc,rank --head 20\n"},
    ROW{.name = "report", .operands = "FILE", .least = 1, .most = 1, .run = cli_report,
     .uses = USE_ALWAYS | USE_READ | USE_SAVE | USE_REPORT,
     .summary = "show a graph as one page: figures, charts, a drawing",
     .text = "Writes a page (-o PAGE.html) about FILE: its kind and how it was read, degrees and whether their"
             " tail follows a power law, components, communities and the graph of them, cores, clustering, distances,"
             " the top vertices by several measures, and a drawing to pan, zoom and search.  The page is one file that"
             " loads nothing; each chart has its table, and each figure says how it was computed.  On large graphs it"
             " does less, and says so.  --json prints the figures.\n",
     .examples = "weft report web.txt.gz -o web.html\n"
                 "weft report friends.csv --undirected --labels people.csv:name -o friends.html\n"
                 "weft report web.weft --json\n"},
    ROW{.name = "dynamic", .operands = "ACTION FILE", .least = 1, .most = 1 << 20, .run = cli_dynamic,
     .uses = USE_ALWAYS | USE_COLUMNS | USE_READ | USE_WRITE | USE_SAVE | USE_DYNAMIC,
     .summary = "a graph that changes: batches into a .weft file, its states out of it",
     .text = "FILE is a .weft file; batches of changes are appended to a log in it.  Other commands read the graph"
             " after the last whole batch, also while a batch is being written.\n\n"
             "  new FILE [GRAPH]           a file with the graph of another, or an empty one (--undirected,"
             " --weight-type, --ids)\n"
             "  apply FILE [BATCHES...]    apply batches of files or standard input; a line for each batch that is"
             " done\n"
             "  log FILE                   list the batches in the log; with --at K the changes of batch K\n"
             "  snapshot FILE -o OUT       the graph as a file, with --at K as it was after batch K\n"
             "  compact FILE               write FILE anew, with the graph as it is and an empty log\n"
             "  info FILE                  size, kind and log\n"
             "  watch FILE [BATCHES...]    --run ALGORITHM:PARAMETERS after each batch that is applied, or without"
             " BATCHES after each that another program applies\n"
             "  bench [FILE]               changes per second into an R-MAT graph, in memory or in FILE; verified\n\n"
             "A batch is a line for each change, and ends with a blank line, the file, or after --batch N changes: +"
             " U V [WEIGHT] inserts an edge, - U V deletes it, = U V WEIGHT changes its weight, +v U and -v U add and"
             " remove a vertex. Also JSON lines, {\"op\": \"+\", \"source\": 1, \"target\": 2}, and csv with the"
             " columns op, source, target and weight.  Names with blanks in them stand in double quotes.  If a line"
             " is wrong its batch is refused, and those before it are kept.  With --json, apply and watch print an"
             " object a line.\n",
     .examples = "weft dynamic new web.weft web.txt.gz\n"
                 "weft dynamic apply web.weft changes.txt --batch 1000\n"
                 "weft dynamic snapshot web.weft --at 12 -o then.weft\n"
                 "weft dynamic watch web.weft --run pagerank:top=10 --run components\n"},
    ROW{.name = "doctor", .operands = "", .run = cli_doctor, .uses = USE_ALWAYS | USE_DOCTOR,
     .summary = "show this machine: CPU, memory, GPU, measured ceilings",
     .text = "Shows the processor, memory, caches and GPU, and measures their limits: bandwidth, random reads, text"
             " parsing.  If there is no usable GPU, it says why.  It takes a few seconds; --quick measures nothing.\n",
     .examples = "weft doctor\n"
                 "weft doctor --quick --json\n"},
    ROW{.name = "bench", .operands = "[FILE...]", .most = 1 << 20, .run = cli_bench,
     .uses = USE_ALWAYS | USE_READ | USE_BUILD | USE_BENCH | USE_SAVE,
     .summary = "time the algorithms on your graph, every answer verified",
     .text = "Runs algorithms on each FILE and each graph of --generate (a small graph if neither is given): a"
             " warm-up whose result is verified, then timed runs that must all give the same bytes.  Shows the"
             " median, fastest and slowest run, edges per second, memory, and effective GB/s where a model of the"
             " bytes is stated.  A directed graph is transposed first.  Algorithms that cannot run on a graph are"
             " skipped, with the reason; a wrong answer gets no time, and the exit code is 1.  --json prints"
             " everything as JSON, -o FILE.json saves it.\n",
     .examples = "weft bench\n"
                 "weft bench web.weft --algos pagerank,bfs,components --threads 1,2\n"
                 "weft bench --generate rmat:scale=20,undirected --algos triangles -o tri.json\n"},
    ROW{.name = "predict", .operands = "[ALGORITHM [FILE]]", .most = 2, .run = cli_predict,
     .uses = USE_ALWAYS | USE_PREDICT,
     .summary = "predict time, memory and bytes sent on many ranks of a machine",
     .text = "Predicts the cost of ALGORITHM on --ranks ranks of a --machine, if there is a model of it, for a"
             " graph with --arcs arcs or of --scale, or for the size of FILE: bytes sent, messages, memory, and time"
             " by the alpha-beta model of docs/scaling.md.  Nothing is run.  Without an algorithm it lists the"
             " machines.  --calibrate runs the algorithms on virtual ranks of this process with slow links, and shows"
             " the model's error.\n",
     .examples = "weft predict pagerank --ranks 1024 --machine h100-ib --scale 32\n"
                 "weft predict bfs --ranks 8,64,512 --arcs 1e9,1e10,1e11 --machine h200-ib\n"
                 "weft predict --calibrate\n"},
    &cli_lab_command,
    ROW{.name = "help", .operands = "[TOPIC]", .most = 1, .run = cli_help, .uses = USE_ALWAYS | USE_HELP,
     .summary = "help on a command, an algorithm, a generator, or a topic",
     .text = "Topics: every command, algorithm and generator, and: formats, flags, exit-codes, ids, output, where."
             "  Help on a command explains its own flags and names the others.\n",
     .examples = "weft help pagerank\n"
                 "weft help pagerank --all\n"
                 "weft help formats\n"},
};
const size_t cli_command_count = sizeof cli_commands / sizeof *cli_commands;

const cli_command cli_lab_command = {
    .name = "lab", .operands = "[LADDER [FILE]]", .most = 2, .program = "weft-lab",
    .uses = USE_ALWAYS | USE_READ | USE_BUILD | USE_LAB,
    .summary = "run a ladder of kernels, from naive to the engine: verified, timed, explained",
    .text = "weft lab lists the ladders.  weft lab LADDER runs one, from the naive version up to the engine, on FILE,"
            " on a generated graph (--generate), or on one of its own; weft lab all runs every ladder, weft lab ranks"
            " those on ranks (ranks-pagerank and ranks-bfs).  Parameters of the algorithm follow a colon:"
            " pagerank:iterations=100,damping=0.9 (weft help pagerank lists them).  Each rung has a warm-up whose"
            " answer is verified, then timed runs; rungs that cannot run on a graph, a size or this machine are"
            " skipped by name, with the reason.  A wrong answer gets no time, and the exit code is 1.  The transpose"
            " is built before all rungs and is not timed.  Ctrl-C, or a failure after the first graph, shows what was"
            " measured so far as INCOMPLETE, and writes no file.\n\n"
            "The lab is a separate program, weft-lab, which weft lab runs: from weft's own folder, or else from"
            " PATH.\n",
    .examples = "weft lab\n"
                "weft lab pagerank\n"
                "weft lab pagerank web.txt.gz --rungs 2-6 --report web.html\n"
                "weft lab pagerank --sizes documents --json lab.json\n"
                "weft lab bfs --blocks 128,256,512,1024\n",
};

const cli_command cli_algorithm_command = {
    .name = "ALGORITHM", .operands = "FILE", .least = 1, .most = 1, .run = cli_algorithm,
    .uses = USE_ALWAYS | USE_READ | USE_RESULT | USE_ROWS | USE_SELECT | USE_SAVE | USE_RANKS | USE_SHARE,
    .text = "Reads FILE and runs the algorithm.  On a terminal it shows the ten largest rows, or groups; -o FILE"
            " saves all rows as .tsv, .csv, .json, .jsonl or .npy.  Ids are the file's own.\n",
};
/* clang-format on */

const cli_command *cli_command_find(const char *name) {
    for (size_t i = 0; i < cli_command_count; i++)
        if (strcmp(cli_commands[i]->name, name) == 0) return cli_commands[i];
    return NULL;
}

/* Does the algorithm compute positions in the plane? */
static bool draws(const weft_algorithm_info *a) {
    bool x = false, y = false;
    for (size_t i = 0; a && i < a->result_count; i++) {
        x |= strcmp(weft_algorithm_result_at(a, i)->name, "x") == 0;
        y |= strcmp(weft_algorithm_result_at(a, i)->name, "y") == 0;
    }
    return x && y;
}

uint64_t cli_uses(const cli_command *command, const weft_algorithm_info *algorithm) {
    uint64_t groups = algorithm && algorithm->groups ? USE_GROUPS : 0;
    uint64_t checkpoint = algorithm && algorithm->checkpoints ? USE_CHECKPOINT : 0;
    return command->uses | groups | checkpoint | (draws(algorithm) ? USE_DRAW : 0);
}

const cli_alias cli_aliases[] = {
    {"wcc", "components", NULL, "weak components: weft components"},
    {"scc", "components", "--strong", "strong components: weft components --strong"},
    {"similar", "similarity", NULL, "weft similarity"},
    {"stats", "info", NULL, "weft info"},
};
const size_t cli_alias_count = sizeof cli_aliases / sizeof *cli_aliases;

const cli_alias *cli_alias_find(const char *name) {
    for (size_t i = 0; i < cli_alias_count; i++)
        if (strcmp(cli_aliases[i].name, name) == 0) return &cli_aliases[i];
    return NULL;
}

int cli_check_operands(const cli_command *command, const cli_call *call) {
    if (call->operand_count < command->least)
        return cli_fail(EXIT_USAGE, "weft %s needs %s; see: weft help %s", call->name, command->operands, call->name);
    if (call->operand_count > command->most)
        return cli_fail(EXIT_USAGE, "'%s' is one argument too many for: weft %s%s%s", call->operands[command->most],
                        call->name, *command->operands ? " " : "", command->operands);
    return EXIT_DONE;
}

const weft_generator_info *cli_generator_find(const char *name) {
    for (size_t i = 0; i < weft_generator_count(); i++)
        if (strcmp(weft_generator_at(i)->name, name) == 0) return weft_generator_at(i);
    return NULL;
}

int cli_check_columns(const cli_command *command, const cli_call *call) {
    const cli_options *options = &call->options;
    bool written = command->uses & USE_COLUMNS || (command->uses & USE_SELECT && graph_out_wanted(options));
    if (written || !options->keep || !*options->keep || options->weight_from) return EXIT_DONE;
    return cli_fail(EXIT_USAGE, "--keep: weft %s has no use for columns of edges (but for --weight-from%s)", call->name,
                    command->uses & USE_SELECT ? ", or -o and the name of a graph" : "");
}
