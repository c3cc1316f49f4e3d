# weft predict: costs on many ranks, by a model.  Sourced by test_cli.sh.
# shellcheck shell=bash disable=SC2154

t_predict_one() {
    exits 0 predict pagerank --ranks 1024 --machine h100-ib --scale 30
    says '1,073,741,824 vertices, 34,359,738,368 arcs'
    says 'not measured'
    says 'times 3.35 / 4.8' # where the figures come from
    is_silent
    # 20 iterations and the start: 4 bytes of each vertex to each other rank
    exits 0 predict pagerank --ranks 8 --machine h200 --arcs 1e6 --vertices 80000 --json
    json 'j["predictions"][0]["sent_bytes"]' $((21 * 4 * 80000 * 7))
    exits 0 predict pagerank --ranks 1 --scale 20 --json
    json '[j["predictions"][0][k] for k in ("sent_bytes", "messages", "delay_s", "transfer_s")]' '[0, 0, 0, 0]'
}

t_predict_table() {
    exits 0 predict pagerank --ranks 8,4096 --arcs 1e9,1e12
    says '8 ranks     4,096 ranks'
    says 'does not fit into the 74.5 GiB of a rank'
    says_not 'more vertices'
    exits 0 predict pagerank --ranks 8,4096 --arcs 1e9,1e12 --cut 2d
    says '* more vertices than Weft can number'
    # 16 ranks in 8 x 2: 20 times values to 7 others and sums to one, values once more, and arcs to 7 of 8 rows
    exits 0 predict pagerank --ranks 16 --machine xeon --arcs 64000000 --vertices 4000000 --cut 2d --json
    json '[j["predictions"][0][k] for k in ("grid_rows", "grid_columns", "sent_bytes")]' "[8, 2, $((4000000 * (21 * 4 * 7 + 20 * 8) + 64000000 * 12 * 7 / 8))]"
    exits 0 predict components --ranks 2,3,4,1000 --arcs 1e8,1e9 --json
    json '[[p["ranks"], p["arcs"]] for p in j["predictions"]][3:5]' '[[1000, 100000000], [2, 1000000000]]'
    json 'all(p["predicted_s"] > 0 for p in j["predictions"])' True
}

t_predict_file() {
    "$weft" generate rmat --scale 10 --undirected -o g.weft -q
    exits 0 info g.weft --json
    local size
    size=$(grep -oE '"(vertices|arcs)": [0-9]+,' <<< "$out" | head -2 | grep -oE '[0-9]+' | tr '\n' ' ')
    exits 0 predict bfs g.weft --ranks 4 --json
    json '"%d %d " % (j["predictions"][0]["vertices"], j["predictions"][0]["arcs"])' "$size"
    exits 3 predict bfs nowhere.weft
}

# What the model says of bytes is what runs send.
t_predict_calibrates() {
    exits 0 predict --calibrate --quick --scale 12 --json
    json 'sorted({(r["algorithm"], r["ranks"]) for r in j["runs"]}) == sorted((a, r) for a in ("pagerank", "bfs", "components", "degree") for r in (2, 4))' True
    json '[(r["cut"], r["predicted_bytes"] == r["sent_bytes"]) for r in j["runs"] if r["algorithm"] == "pagerank"]' "[('2d', True), ('2d', True), ('1d', True), ('1d', True)]"
    json 'max(abs(r["predicted_bytes"] / r["sent_bytes"] - 1) for r in j["runs"]) < 0.5' True
    exits 0 predict --calibrate --quick --scale 6
    says 'error of the time: median '
}

t_predict_bad_words() {
    exits 2 predict pagerank
    complains 'how large is the graph?  Say so by --scale, --arcs or FILE'
    exits 2 predict pagerank --scale 20 --arcs 1e9
    complains 'given twice'
    exits 2 predict triangles --scale 20
    complains "there is no model of 'triangles'"
    exits 2 predict pagerank --scale 20 --machine h100ib
    complains 'did you mean h100-ib?'
    exits 2 predict pagerank --scale 20 --machine h200 --ranks 9
    complains 'it has no more than 8 ranks'
    exits 2 predict bfs --scale 20 --cut 2d
    complains '--cut 2d: the model has it for pagerank only'
    for list in '' 0 8, 8,,9 1.5 x 8x -1 nan inf; do
        exits 2 predict bfs --scale 20 --ranks "$list"
        complains 'whole numbers from 1'
    done
    exits 2 predict bfs --calibrate
    complains 'all algorithms'
}

case_of 'predict says what a run would cost' t_predict_one
case_of 'predict makes a table of sizes and ranks' t_predict_table
case_of 'predict takes the size of a file' t_predict_file
case_of 'predict knows the bytes that runs send' t_predict_calibrates
case_of 'predict refuses what it cannot know' t_predict_bad_words
