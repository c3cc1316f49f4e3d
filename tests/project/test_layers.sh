#!/usr/bin/env bash
# Does every #include go the right way (docs/ARCHITECTURE.md)?  The table `may` says what a room of src/ sees; an algorithm
# does not see another's headers.  Of the C below src/ only descriptors ask whether CUDA is there, and steps of operators
# know their kernels.  What opens files, or gives them their names, lies in src/stream.  A type name that other files see is defined once.
# And `make slow` has a step for all of what a test takes a sample of.
set -euo pipefail
cd "${WEFT_SOURCE_DIR:-$(dirname "$0")/../..}"

# Lines "file:number:#include "header"" in, those that go the wrong way out.
wrong_ways() {
    awk -F '[:"]' -v rooms_of_cli=" $(cd cli && echo */*.h) " '
        BEGIN {
            may["stream"] = " stream "
            may["core"] = " core "
            may["graph"] = may["attributes"] = " core graph attributes "
            may["io"] = may["graph"] " io "
            may["gen"] = may["graph"] " gen "
            may["cuda"] = may["graph"] " cuda "
            may["engines"] = may["cuda"] " engines "
            may["ranks"] = may["engines"] " ranks "
            may["ops"] = may["ranks"] " ops "
            may["run"] = may["ops"] " io gen run "
            may["algo"] = may["run"] " algo "
            may["graphs"] = may["run"] " graphs "
            may["dynamic"] = may["engines"] " io dynamic "
            # Variants of one algorithm, which share its engine.
            family["algo/harmonic"] = "algo/closeness"
            family["algo/louvain"] = "algo/leiden"
        }
        # The room of a path below src/; that of an algorithm is its folder.
        function room_of(path, part) {
            split(path, part, "/")
            return part[1] == "algo" && part[3] != "" ? "algo/" part[2] : part[1]
        }
        {
            file = $1; header = $4
            if (header ~ /^weft(\/[a-z]+|_algorithms)\.h$/) next
            if (file ~ /^src\//) {
                from = room_of(substr(file, 5)); to = room_of(header)
                rooms = may[from ~ /^algo\// ? "algo" : from] " stream "
                good = header == "weft_config.h" || header ~ /\// && (from == to || family[from] == to || index(rooms, " " to " "))
            } else if (file ~ /^lab\/.*\.cuh?$/) {
                good = header !~ /\// || header ~ /^cuda\//
            } else if (file ~ /^lab\/ranks\//) {
                good = header !~ /\// || header == "core/comm.h"
            } else if (file ~ /^(cli|lab\/program)\//) {
                good = header !~ /\// || index(rooms_of_cli, " " header " ") || file ~ /^cli\/ranks\/predict/ && header == "ranks/cost.h"
            } else {
                good = header !~ /\//
            }
            if (!good) print file ":" $2 ": " header
        }'
}

passed=0 failed=0
expect() { # title, wanted, got
    if [[ $2 == "$3" ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED  %s\nexpected: %s\ngot: %s\n' "$1" "$2" "$3" >&2
    fi
}

includes=$(grep -rnE '^ *# *include +"' src check cli lab --include='*.[ch]' --include='*.cu' --include='*.cuh')
expect 'there are includes to look at' yes "$([[ $(wc -l <<<"$includes") -gt 100 ]] && echo yes)"
expect 'every include goes the right way' '' "$(wrong_ways <<<"$includes")"

asks=$(grep -rlw WEFT_HAVE_CUDA src --include='*.[ch]')
expect 'the header of descriptors asks whether CUDA is there' src/run/algorithm.h "$(grep -x src/run/algorithm.h <<<"$asks")"
expect 'only descriptors ask as well' '' "$(grep -vE '^src/(run/algorithm\.h|algo/([^/]+)/\2\.c)$' <<<"$asks")"

# A step that a file with others does not know of would be NULL where it is to run.
steps_unknown() {
    nm "$1" 2>/dev/null | awk 'NF == 3 && $2 == "T" && $3 ~ /^[a-z].*_gpu$/ && $3 !~ /^(weft|wfi)_/ { there[$3] } $1 == "U" { asked[$2] }
        END { for (step in there) if (!(step in asked)) print step }' | sort | xargs
}
library=${WEFT_BINARY_DIR:-build}/libweft.a
if [[ -f $library ]]; then expect 'every step on GPUs is known to the steps on CPU cores' '' "$(steps_unknown "$library")"; fi

# Elsewhere a descriptor could be 0, 1 or 2, and a file could appear before it is whole.  src/dynamic/log.c renames what it has locked.
own_calls=$(grep -rnE '\b(open|openat|fopen|opendir|mkstemp|linkat|rename|dup)\(|F_DUPFD_CLOEXEC' src --include='*.[ch]' --include='*.cu' --include='*.cuh' |
    grep -vE '^src/stream/|[.>:]open\(|^src/dynamic/log.c:.* rename\(|^src/cuda/stream.cuh:' || true)
expect 'src/stream opens files and names them' '' "$own_calls"
expect 'every program keeps descriptors 0 to 2 taken' 'cli/main.c lab/program/main.c' "$(grep -lr 'wfi_occupy_standard()' cli lab | sort | xargs)"

# The ways that must be seen to be wrong.
while IFS= read -r line; do
    expect "$line is refused" 1 "$(wrong_ways <<<"$line" | wc -l)"
done <<'END'
src/stream/place.c:3:#include "core/core.h"
src/core/ctx.c:3:#include "graph/graph.h"
src/graph/build.c:3:#include "io/source.h"
src/io/adjacency/mtx.c:3:#include "gen/random.h"
src/gen/er.c:3:#include "cuda/device.h"
src/cuda/device.cu:3:#include "engines/kahn/kahn.h"
src/engines/kahn/kahn.c:3:#include "run/algorithm.h"
src/ranks/spread.c:3:#include "run/algorithm.h"
src/run/plan.c:3:#include "algo/degree/degree.h"
src/run/plan.c:3:#include "dynamic/dynamic.h"
src/dynamic/apply.c:3:#include "run/algorithm.h"
src/algo/degree/degree.c:3:#include "algo/bfs/bfs.h"
src/algo/degree/degree.c:3:#include "check.h"
src/run/plan.c:3:#include "graphs/partition.h"
cli/info.c:3:#include "core/core.h"
cli/info.c:3:#include "stream/place.h"
cli/info.c:3:#include "ranks/cost.h"
cli/ranks/predict.c:3:#include "core/comm.h"
check/degree.c:3:#include "graph/graph.h"
lab/pagerank/naive.c:3:#include "cuda/device.h"
lab/pagerank/gpu.cu:3:#include "graph/graph.h"
lab/pagerank/naive.c:3:#include "core/comm.h"
lab/ranks/pull.c:3:#include "graph/graph.h"
lab/program/run.c:3:#include "core/core.h"
END

# A name with a prefix, or of a header, says one thing.  Lines "file:number:definition" in, "name: files" out.
twice() {
    awk -F : '{
        line = $0; sub(/^[^:]*:[0-9]*:/, "", line)
        sub(/^template *<.*> *(struct|union) /, "struct ", line)
        gsub(/(__align__|alignas)\([^{]*\) +/, "", line)
        count = split(line, word, /[ :;{}]+/)
        name = line ~ /^}/ ? word[2] : word[1] == "typedef" ? word[3] : word[2]
        if (!((name, $1) in seen)) { seen[name, $1] = 1; files[name]++; where[name] = where[name] " " $1; headers[name] += $1 ~ /\.(h|cuh)$/ }
    }
    END { for (name in files) if (files[name] > 1 && (name ~ /^(wfi|weft|cli|lab)_/ || headers[name] > 1)) print name ":" where[name] }' | sort
}
types=$(grep -rnE '^(template *<.*> *)?(typedef +)?(struct|union|enum)( +(__align__|alignas)\([^{]*\))* +[a-z0-9_]+ *(:[^;{]*)?\{|^\} [a-z0-9_]+;' src cli check lab --include='*.[ch]' --include='*.cu' --include='*.cuh')
expect 'there are types to look at' yes "$([[ $(wc -l <<<"$types") -gt 1000 ]] && echo yes)"
expect 'no type name stands for two things' '' "$(twice <<<"$types")"
expect 'a name twice is seen' 'row: c.c d.c a.h b.cuh
wfi_part: a.h b.c' "$(twice <<'END'
a.h:1:typedef struct wfi_part {
a.h:4:} wfi_part;
b.c:3:enum wfi_part { ONE };
c.c:3:struct row {
d.c:3:struct row {
a.h:9:template <class T, int N> struct row : base {
b.cuh:2:struct __align__(16) row {
END
)"

# The library names parameters; flags are the program's.
flags=$(grep -rnE '^[^*]*"([^"]*[^"a-z`-])?--[a-z]' src --include='*.[ch]' --include='*.cu' --include='*.cuh' || true)
expect 'no text of the library names a flag' '' "$flags"

# What a test takes a sample of, `make slow` has all of: "test VARIABLE" for each C test that asks.
samples=$(grep -roE 'asked_for_all\("[A-Z_]+"\)' tests --include='test_*.c' | sed -E 's|.*/([a-z0-9_]+)\.c:.*"(.*)"\)|\1 \2|' | sort -u)
expect 'there are samples to look at' yes "$([[ $(wc -l <<<"$samples") -gt 8 ]] && echo yes)"
without_step() {
    while read -r name variable; do grep -qE "^step .* $variable=all .*/$name\"" scripts/slow || echo "$name $variable"; done
}
expect 'make slow has all of what is sampled' '' "$(without_step <<<"$samples")"
expect 'a sample without a step is seen' 'test_x WEFT_X' "$(without_step <<<'test_x WEFT_X')"
numbers=$(grep -rohE '\$\{WEFT_[A-Z_]+:-[0-9]+\}' tests --include='*.sh' | grep -oE 'WEFT_[A-Z_]+' | grep -vE '_(SEED|PART)$' | sort -u)
expect 'and all of what is counted' '' "$(for variable in $numbers; do grep -q " $variable=" scripts/slow || echo "$variable"; done)"

printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[[ $failed == 0 ]]
