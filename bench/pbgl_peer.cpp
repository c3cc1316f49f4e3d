// The Parallel Boost Graph Library beside Weft's ranks, for ranks_scaling.py: PageRank, breadth-first search and connected components of a graph in
// GAP's format (.sg, both directions of each edge), over MPI.  Needs: the Debian package libboost-graph-parallel-dev.
//   mpirun -n R pbgl_peer pagerank GRAPH.sg RANKS.npy ITERATIONS REPEAT     ranks of weft pagerank --dangling drop --iterations ITERATIONS
//   mpirun -n R pbgl_peer bfs GRAPH.sg LEVELS.npy SOURCE REPEAT             levels of weft bfs --no-parents --source SOURCE
//   mpirun -n R pbgl_peer components GRAPH.sg LABELS.npy COUNT REPEAT       labels of weft components, and how many there are
// Method: each rank reads the rows of its block of vertices, and the library's compressed_sparse_row_graph is made of them, untimed; then the library's algorithm, REPEAT
// times between barriers; the first rank prints {"ms": [...], "worst": X}, the times and the largest difference from Weft's answer (of ranks relative; else 0 or 1).
#include <boost/graph/use_mpi.hpp>
// the order matters: MPI first
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/distributed/compressed_sparse_row_graph.hpp>
#include <boost/graph/distributed/connected_components.hpp>
#include <boost/graph/distributed/mpi_process_group.hpp>
#include <boost/graph/distributed/page_rank.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/property_map/parallel/distributed_property_map.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {
using Group = boost::graph::distributed::mpi_process_group;
using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                 boost::no_property, boost::distributedS<Group>>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;

// A file of fixed-size numbers behind a head.
class Numbers {
  public:
    explicit Numbers(const std::string &path) : name(path), in(path, std::ios::binary) {
        if (!in) throw std::runtime_error(path + ": cannot open");
    }
    template <typename T> std::vector<T> read(std::uint64_t at, std::uint64_t count) {
        std::vector<T> values(count);
        in.seekg(static_cast<std::streamoff>(at));
        if (!in.read(reinterpret_cast<char *>(values.data()), static_cast<std::streamsize>(count * sizeof(T))))
            throw std::runtime_error(name + ": ends too soon");
        return values;
    }

  private:
    std::string name;
    std::ifstream in;
};

struct Rows {
    std::uint64_t n, begin, end; // vertices in all, and those of this rank
    std::vector<std::pair<std::uint64_t, std::uint64_t>> arcs;
};

// The library deals blocks of vertices; a rank adds arcs of its own block only.
Rows read_rows(const std::string &path, const Group &group) {
    Numbers file(path);
    Rows rows;
    rows.n = static_cast<std::uint64_t>(file.read<std::int64_t>(9, 1)[0]);
    boost::parallel::block blocks(group, rows.n);
    const auto me = process_id(group);
    rows.begin = blocks.start(me);
    rows.end = rows.begin + blocks.block_size(me, rows.n);
    const auto offsets = file.read<std::int64_t>(17 + 8 * rows.begin, rows.end - rows.begin + 1);
    const std::uint64_t first = static_cast<std::uint64_t>(offsets.front());
    const auto targets =
        file.read<std::int32_t>(17 + 8 * (rows.n + 1) + 4 * first, static_cast<std::uint64_t>(offsets.back()) - first);
    rows.arcs.reserve(targets.size());
    for (std::uint64_t v = rows.begin; v < rows.end; v++)
        for (auto i = static_cast<std::uint64_t>(offsets[v - rows.begin]);
             i < static_cast<std::uint64_t>(offsets[v - rows.begin + 1]); i++)
            rows.arcs.emplace_back(v, static_cast<std::uint64_t>(targets[i - first]));
    return rows;
}

// Weft's column for the vertices of this rank; .npy, of which the length of the head is at byte 8.
template <typename T> std::vector<T> expected(const std::string &path, const Rows &rows) {
    Numbers file(path);
    const std::uint64_t head = 10 + file.read<std::uint16_t>(8, 1)[0];
    return file.read<T>(head + sizeof(T) * rows.begin, rows.end - rows.begin);
}

template <typename T> auto column_of(std::vector<T> &values, const Graph &g) {
    return boost::make_iterator_property_map(values.begin(), get(boost::vertex_index, g));
}

double largest(double mine) {
    double all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

// Runs a call between barriers, again and again; its milliseconds.
template <typename F> std::vector<double> timed(int repeat, F &&call) {
    std::vector<double> ms;
    for (int i = 0; i < repeat; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begun = MPI_Wtime();
        call();
        MPI_Barrier(MPI_COMM_WORLD);
        ms.push_back(largest((MPI_Wtime() - begun) * 1e3));
    }
    return ms;
}

// The library's ranks add up to n, and the rank of vertices without arcs is lost.
double pagerank(const Graph &g, const Rows &rows, const std::string &answer, std::uint64_t iterations, int repeat,
                std::vector<double> &ms) {
    std::vector<double> rank(rows.end - rows.begin), other(rank.size());
    ms = timed(repeat, [&] {
        auto to = column_of(rank, g), from = column_of(other, g);
        to.set_max_ghost_cells(0);
        from.set_max_ghost_cells(0);
        // The last number: each vertex begins with 1 / 1, of n.
        boost::graph::distributed::page_rank(g, to, boost::graph::n_iterations(iterations), 0.85, 1, from);
    });
    const auto right = expected<float>(answer, rows);
    double worst = 0;
    for (std::size_t i = 0; i < rank.size(); i++)
        worst = std::fmax(worst, std::fabs(rank[i] / static_cast<double>(rows.n) / static_cast<double>(right[i]) - 1));
    return worst;
}

double bfs(const Graph &g, const Rows &rows, const std::string &answer, std::uint64_t source, int repeat,
           std::vector<double> &ms) {
    const std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::uint64_t> level(rows.end - rows.begin);
    std::vector<boost::default_color_type> color(level.size());
    ms = timed(repeat, [&] {
        auto levels = column_of(level, g);
        auto colors = column_of(color, g);
        set_property_map_role(boost::vertex_distance, levels); // of several the smallest counts
        const Vertex start = vertex(source, g);
        BGL_FORALL_VERTICES_T(v, g, Graph) put(levels, v, v == start ? 0 : never);
        synchronize(levels);
        boost::breadth_first_search(
            g, start,
            boost::visitor(boost::make_bfs_visitor(boost::record_distances(levels, boost::on_tree_edge())))
                .color_map(colors));
        synchronize(levels);
    });
    const auto right = expected<std::int64_t>(answer, rows); // -1: not reached
    double worst = 0;
    for (std::size_t i = 0; i < level.size(); i++)
        worst = std::fmax(worst, static_cast<std::int64_t>(level[i]) == right[i] ? 0 : 1);
    return worst;
}

// The same partition: as many components, and each of Weft's has one number of the library's, that of the vertex after which Weft calls it.
double components(const Graph &g, const Rows &rows, const std::string &answer, std::uint64_t count, int repeat,
                  std::vector<double> &ms) {
    std::vector<std::uint64_t> label(rows.end - rows.begin);
    std::vector<Vertex> parent(label.size());
    std::uint64_t found = 0;
    ms = timed(repeat, [&] {
        auto labels = column_of(label, g);
        auto parents = column_of(parent, g);
        found = boost::graph::distributed::connected_components(g, labels, parents);
    });
    const auto right = expected<std::int64_t>(answer, rows);
    std::vector<std::uint64_t> all(rows.n);
    std::vector<int> counts, starts;
    int ranks, total = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    counts.resize(static_cast<std::size_t>(ranks));
    int mine = static_cast<int>(label.size());
    MPI_Allgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    for (int c : counts) starts.push_back(total), total += c;
    MPI_Allgatherv(label.data(), mine, MPI_UINT64_T, all.data(), counts.data(), starts.data(), MPI_UINT64_T,
                   MPI_COMM_WORLD);
    double worst = found == count ? 0 : 1;
    for (std::size_t i = 0; i < label.size(); i++)
        worst = std::fmax(worst, label[i] == all[static_cast<std::size_t>(right[i])] ? 0 : 1);
    return worst;
}

int run(char **words) {
    const std::string what = words[1];
    const std::uint64_t number = std::stoull(words[4]);
    const int repeat = std::stoi(words[5]);
    Group group;
    Rows rows = read_rows(words[2], group);
    Graph g(boost::edges_are_sorted, rows.arcs.begin(), rows.arcs.end(), rows.n, group,
            boost::parallel::block(group, rows.n));
    rows.arcs = {};
    std::vector<double> ms;
    double worst;
    if (what == "pagerank")
        worst = pagerank(g, rows, words[3], number, repeat, ms);
    else if (what == "bfs")
        worst = bfs(g, rows, words[3], number, repeat, ms);
    else if (what == "components")
        worst = components(g, rows, words[3], number, repeat, ms);
    else
        throw std::runtime_error(what + ": none of pagerank, bfs and components");
    worst = largest(worst);
    if (process_id(group) == 0) {
        std::printf("{\"ms\": [");
        for (std::size_t i = 0; i < ms.size(); i++) std::printf("%s%.3f", i ? ", " : "", ms[i]);
        std::printf("], \"worst\": %g}\n", worst);
    }
    return 0;
}
} // namespace

int main(int argc, char **argv) {
    boost::mpi::environment mpi(argc, argv);
    if (argc != 6) {
        std::fprintf(stderr, "usage: pbgl_peer pagerank|bfs|components GRAPH.sg ANSWER.npy NUMBER REPEAT\n");
        return 2;
    }
    try {
        return run(argv);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "pbgl_peer: %s\n", e.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return 1;
}
