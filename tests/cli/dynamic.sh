# weft dynamic: batches from text into a file, and what goes wrong on the way.
# shellcheck shell=bash disable=SC2034,SC2154

# The graph in a file as sorted lines.
edges_of() { "$weft" convert "$1" - --to edgelist -q 2> /dev/null | grep -v '^#' | tr '\t' ' ' | sort; }

# What is about a graph that is read needs one.
t_dynamic_new_flags() {
    local flag
    for flag in '--nodes n.csv' '--loops keep' '--no-weights' '--source-col 1' '--bipartite' '--keep a' '--no-attributes'; do
        # shellcheck disable=SC2086
        exits 2 dynamic new none.weft $flag
        complains "${flag% *} is about a graph that is read: weft dynamic new FILE GRAPH"
        # shellcheck disable=SC2086
        exits 2 dynamic info none.weft $flag
        complains "weft dynamic info does not take ${flag% *}"
    done
    there_is_no none.weft
    exits 0 dynamic new none.weft --ids auto --weight-type f64 --undirected
    exits 2 dynamic apply none.weft --at 0
    complains 'does not take --at'
    exits 2 dynamic snapshot none.weft --level 0
    complains '--level is about the file that -o names'
}

# Every op is understood on the first line as on others; `weight` is also the name of a column.
t_dynamic_first_word() {
    local op fields base head
    printf '1 2 3\n2 3 4\n' > base.txt
    exits 0 dynamic new base.weft base.txt --weight-type u32
    while read -r op fields; do
        for head in '' $'# a comment\n' $'\xef\xbb\xbf'; do
            cp base.weft first.weft
            cp base.weft later.weft
            printf '%s%s %s\n' "$head" "$op" "$fields" > first
            printf '+ 1 2 3\n%s %s\n' "$op" "$fields" > later
            exits 0 dynamic apply first.weft first --durable never
            exits 0 dynamic apply later.weft later --durable never
            same "$(edges_of first.weft)" "$(edges_of later.weft)"
            tr ' ' '\t' < first > tabs
            cp base.weft tabs.weft
            [ "$head" ] || exits 0 dynamic apply tabs.weft tabs --durable never
            [ "$head" ] || same "$(edges_of tabs.weft)" "$(edges_of later.weft)"
        done
    done << 'END'
insert 5 6 7
delete 1 2
weight 1 2 9
add_vertex 8
remove_vertex 2
END
    for head in 'weight,op,source,target' 'weight | op | source | target' $'weight\top\tsource\ttarget' 'W; op; from; to'; do
        base=$(printf '%s' "$head" | tr -d 'A-Za-z ')
        printf '%s\n9%s=%s1%s2\n' "$head" "${base:0:1}" "${base:0:1}" "${base:0:1}" > table
        cp base.weft first.weft
        exits 0 dynamic apply first.weft table --durable never
        same "$(edges_of first.weft)" $'1 2 9\n2 3 4'
    done
    while IFS='/' read -r line want; do
        echo "$line" > bad
        exits 3 dynamic apply base.weft bad --durable never
        complains "bad:1:$want"
    done << 'END'
insert,1,2,3/1: the column 'insert' is none of op, source, target and weight
Insert 1 2 3/1: expected + u v
weight 1 2/11: no weight
insert/7: no source
END
    exits 0 dynamic new names.weft --ids string
    printf '%s\n' 'insert a,b c|d' > words
    exits 0 dynamic apply names.weft words --durable never
    exits 0 dynamic log names.weft --at 1
    same "$out" '+ a,b c|d'
}

t_dynamic_forms() {
    printf '# the same three batches\n+ a b 1\n+ b c 2\n\n= a b 5\n- b c\n\n+v d\n-v a\n' > plain
    printf '{"op": "+", "source": "a", "target": "b", "weight": 1}\n{"op": "insert", "from": "\\u0062", "to": "c", "weight": 2}\n\n' > lines
    printf '{"op": "=", "source": "a", "target": "b", "weight": 5}\n{"op": "delete", "source": "b", "target": "c"}\n\n' >> lines
    printf '{"op": "add_vertex", "source": "d"}\n{"source": "a", "op": "-v"}\n' >> lines
    printf 'weight,op,target,source\n1,+,b,a\n2,insert,"c",b\n\n5,=,b,a\n,-,c,b\n\n,+v,,d\n,-v,,a\n' > table
    for form in plain lines table; do
        exits 0 dynamic new "$form.weft" --undirected --ids string --weight-type u32
        says "$form.weft: 0 vertices, 0 undirected edges with u32 weights"
        exits 0 dynamic apply "$form.weft" "$form" --durable never
        says 'batch 1: 2 changes, 2 inserted, 3 new vertices; 3 vertices, 2 edges;'
        says 'batch 2: 2 changes, 1 deleted, 1 weight changed; 3 vertices, 1 edge;'
        says 'batch 3: 2 changes, 1 deleted, 1 new vertex, 1 vertex removed; 3 vertices, 0 edges;'
        exits 0 dynamic snapshot "$form.weft" --at 2 --json
        json 'j["vertices"], j["edges"], j["batch"]' '(3, 1, 2)'
        exits 0 dynamic snapshot "$form.weft" --at 2 -o "$form.at2.weft"
        cmp -s plain.at2.weft "$form.at2.weft" || problem "$form: another graph"
        exits 0 dynamic log "$form.weft" --at 2
        same "$out" $'= a b 5\n- b c'
    done
    # What the log shows can be applied elsewhere.
    exits 0 dynamic new again.weft --undirected --ids string --weight-type u32
    for k in 1 2; do "$weft" dynamic log plain.weft --at $k; echo; done > again
    exits 0 dynamic apply again.weft again --durable never
    exits 0 dynamic snapshot again.weft -o again.at2.weft
    cmp -s plain.at2.weft again.at2.weft || problem 'the log is not what was applied'
    # So can names with blanks, quotes and tabs; one of several lines has no such form, and nothing is printed.
    exits 0 dynamic new names.weft --ids string
    printf '%s\n' '+ "New York" "the ""Big"" Easy"' '+ """" ""' $'+ "a\tb" x"y' > names
    exits 0 dynamic apply names.weft names --durable never
    exits 0 dynamic log names.weft --at 1
    same "$out" "$(cat names)"
    exits 0 dynamic info names.weft --json
    json 'j["vertices"], j["edges"]' '(6, 3)'
    printf '%s\n' '{"op":"+","source":"a","target":"b"}' '{"op":"+","source":"a\nb","target":"c"}' > lines
    exits 0 dynamic apply names.weft lines --durable never
    exits 3 dynamic log names.weft --at 2
    same "$out" ''
    complains 'change 2 has a name of several lines: --json shows it'
    while IFS='|' read -r line want; do
        echo "$line" > bad
        exits 3 dynamic apply names.weft bad --durable never
        complains "bad:1:$want"
    done << 'END'
+ New York Boston|12: a weight, but this graph has none; a name with blanks in it stands in double quotes
+ "New York" a b c|18: 'c' is one word too many; a name with blanks in it stands in double quotes
+ "New York"x y|13: expected a blank
+ "New York y|3: this text has no end
END
    printf '+ 1 1\n+ 1 2\n' > loop
    exits 0 dynamic new loops.weft
    exits 0 dynamic apply loops.weft loop --loops drop --durable never
    says '1 loop dropped'
    # The number of a batch is what --at takes, without commas.
    seq 1 1042 | sed 's/.*/+ & 1/' > many
    exits 0 dynamic new many.weft
    exits 0 dynamic apply many.weft many --batch 1 --durable never -q
    exits 0 dynamic info many.weft
    says 'as of batch 1042'
}

t_dynamic_mistakes() {
    exits 0 dynamic new g.weft --weight-type f32
    local line
    while IFS='|' read -r line want; do
        printf '+ 1 2 1\n\n+ 2 3 1\n%b\n' "$line" > bad
        exits 3 dynamic apply g.weft bad --durable never
        complains "bad:4:$want"
        complains 'the batch that begins in line 3 is refused, and the graph is as of batch'
        exits 0 dynamic info g.weft --json
        json 'j["edges"]' 1
    done << 'END'
+ 3 4|6: no weight, but this graph has weights
+ 3 x 1|5: 'x' cannot be a target
+ 3|4: no target
? 3 4|1: '?' is not an operation
+ 3 4 1 5|9: '5' is one word too many
- 3 4 1|7: this change has no weight
+v 3 4|6: a vertex has no target
+ 3 4 1e99|7: the weight 1e99 is no f32
+ 3 4 nan|7: 'nan' is not a weight
+ 99999999999999999999 4 1|3: '99999999999999999999' cannot be a source
{"op": "+"}|1: '{"op":' is not an operation
END
    exits 0 dynamic new u.weft
    printf '+ 1 2 3\n' > weighted
    exits 3 dynamic apply u.weft weighted
    complains 'weighted:1:7: a weight, but this graph has none'
    for line in '{"op":"+","source":1}|22: no target' '{"op":"+","source":"1","target":2}|20: the ids of this graph are whole numbers' \
        '{"op":"+","source":1,"target":2,"when":3}|33: '"'when' is none of op" '{"op":"+" "source":1}|11: expected a comma or }' \
        '{"op":"\x"}|8: a backslash in a string that begins no escape of JSON' 'op,source|1: columns op, source and target are needed' \
        'op,source,target,year|18: the column '"'year' is none" 'hello|1: expected + u v'; do
        printf '%s\n' "${line%%|*}" > bad
        exits 3 dynamic apply u.weft bad
        complains "bad:1:${line#*|}"
    done
    printf 'op,source,target\n+,1,2\n+,1\n' > bad
    exits 3 dynamic apply u.weft bad
    complains 'bad:3:4: 2 fields, but the header has 3 columns'
    printf 'op,source,target\n+\n' > bad
    exits 3 dynamic apply u.weft bad
    complains 'bad:2:2: 1 field, but the header has 3 columns'
    exits 3 dynamic apply missing.weft bad
    complains 'missing.weft: cannot open'
    exits 3 dynamic apply u.weft missing.txt
    complains 'missing.txt: cannot open'
    exits 2 dynamic new g.weft
    complains 'g.weft is there already'
    exits 2 dynamic appply g.weft
    complains 'did you mean apply?'
    exits 2 dynamic compact g.weft --at 3
    complains 'weft dynamic compact does not take --at'
    exits 2 dynamic apply g.weft --undirected
    complains 'does not take --undirected'
    exits 2 dynamic watch g.weft
    complains 'needs --run ALGORITHM'
    exits 2 dynamic watch g.weft --run pagerank:dampin=1
    complains 'did you mean --damping?'
    exits 3 dynamic snapshot g.weft --at 99
    complains 'there is no batch 99'
    exits 2 dynamic snapshot g.weft -o g.weft
    complains 'are the same file'
    there_is_no missing.weft
}

# Batches of names, and the graph file that they must be the same as.
t_dynamic_tables() {
    local form
    printf 'source,target\n"x y","z"\n"a","b, c"\n' > table.csv
    "$weft" convert table.csv want.txt --to edgelist -q 2> /dev/null
    printf 'op, source, target\n+, "x y", "z"\n+ ,"a" ,\t"b, c" \n' > blanks
    printf 'op,source,target\r\n+,"x y","z"\r\n+,"a","b, c"\r\n' > crlf
    printf '"op","source","target"\r\n"+","x y","z"\r\n"+","a","b, c"\r\n' > quoted
    printf 'op\tsource\ttarget\r\n+\t "x y"\tz\r\n+\t"a"\t"b, c" \r\n' > tabbed
    printf 'op|source|target\n+|x y|z\n+|a|b, c\n' > bars
    printf 'Op,Source,TARGET\n+,x y,z\n+,a,"b, c"\n' > cases
    printf '\xef\xbb\xbfop,source,target\n+,x y,z\n+,a,"b, c"\n' > marked.csv
    printf '\xef\xbb\xbf+ "x y" z\n+ a "b, c"\n' > marked.txt
    printf '\xef\xbb\xbf{"op":"+","source":"x y","target":"z"}\r\n{"Op":"+","From":"a","TO":"b, c"}\r\n' > marked.jsonl
    for form in blanks crlf quoted tabbed bars cases marked.csv marked.txt marked.jsonl; do
        exits 0 dynamic new "$form.weft" --ids string
        exits 0 dynamic apply "$form.weft" "$form" --durable never
        "$weft" convert "$form.weft" got.txt --to edgelist -q 2> /dev/null
        cmp -s want.txt got.txt || problem "$form: another graph: $(cat got.txt)"
    done
    # The mark is that of each file, and no part of the columns that messages name.
    printf '\xef\xbb\xbf+ q\n' > bad
    exits 3 dynamic apply bars.weft marked.txt bad --durable never
    complains 'bad:1:4: no target'
    printf '# first\n\xef\xbb\xbf+ q r\n' > bad
    exits 3 dynamic apply bars.weft bad --durable never
    complains 'bad:2:1: expected + u v'
    printf 'op,source,target\n+,"x" y,z\n' > bad
    exits 3 dynamic apply bars.weft bad --durable never
    complains 'bad:2:7: expected , or the end of the line'
    # What cannot be read is called by its name.
    gzip -c marked.txt > packed.gz
    exits 3 dynamic apply bars.weft packed.gz --durable never
    complains 'packed.gz:1:1: this is packed (gzip)'
    printf '\xff\xfe+\0 \0a\0 \0b\0\n\0' > wide
    exits 3 dynamic apply bars.weft wide --durable never
    complains 'wide:1:1: this is UTF-16'
}

t_dynamic_json() {
    local line want
    exits 0 dynamic new ids.weft
    exits 0 dynamic new names.weft --ids string
    while IFS='|' read -r form line want; do
        printf '%b\n' "$line" > bad
        exits 3 dynamic apply "$form.weft" bad --durable never
        complains "bad:1:$want"
    done << 'END'
ids|{"op":+,"source":1,"target":2}|7: an op is text in quotes
ids|{"op":"+","source":+1,"target":2}|20: a number with a plus sign
ids|{"op":"+","source":1,"target":002}|31: a number that begins with 0
ids|{"op":"+","source":1,"target":-}|31: this is not a number as JSON writes it
ids|{"op":"+","source":1,"target":2,"weight":.5}|42: a number that begins with a point
ids|{"op":"+","source":1,"target":2,"weight":1.}|42: this is not a number as JSON writes it
ids|{"op":"+","source":1,"target":2,"weight":1e}|42: this is not a number as JSON writes it
ids|{"op":"+","source":1,"target":2-3}|32: expected a comma or }
ids|{"op":"+","source":1,"target":null}|31: expected a number, or text in quotes
names|{"op":"+","source":"a\tb","target":"c"}|22: a control character
names|{"op":"+","source":"a\xe4","target":"c"}|22: this is not UTF-8
END
    printf '{"op":"+","source":-1,"target":0}\n' > good
    exits 0 dynamic apply ids.weft good --durable never
    exits 0 dynamic new weights.weft --weight-type f64
    printf '{"op":"+","source":1,"target":2,"weight":-0.5}\n{"op":"+","source":2,"target":3,"weight":12E+1}\n' > good
    exits 0 dynamic apply weights.weft good --durable never
    exits 0 dynamic log weights.weft --at 1
    same "$out" $'+ 1 2 -0.5\n+ 2 3 120'
}

# A weight means what it means in a file of a graph.
t_dynamic_weights() {
    local type weight want
    for type in u32 f32 f64; do
        exits 0 dynamic new "$type.weft" --weight-type "$type"
        # 1 + 2^-24 and a little: rounded to a double first, it would lie in the middle between two floats.
        for weight in 0 0e-400 -0 2.0 1e3 0.5 1e-50 1e-400 -1e-400 1e39 1e400 1.00000005960464477540; do
            printf 'source,target,weight\n1,2,%s\n' "$weight" > graph.csv
            printf 'op,source,target,weight\n+,1,2,"%s"\n' "$weight" > batch.csv
            exits 0 dynamic new g.weft --weight-type "$type"
            "$weft" convert graph.csv want.txt --to edgelist --weight-type "$type" -q 2> /dev/null
            want=$?
            exits $want dynamic apply g.weft batch.csv --durable never
            ((want)) || same "$(edges_of g.weft)" "$(grep -v '^#' want.txt | tr '\t' ' ')"
            rm -f g.weft want.txt
        done
    done
    printf '+ 1 2 1e-400\n' > bad
    exits 3 dynamic apply u32.weft bad
    complains "bad:1:7: the weight 1e-400 is no u32, the type of this graph's weights"
    for type in f32 f64; do
        exits 3 dynamic apply $type.weft bad
        complains "bad:1:7: the weight 1e-400 is too small for $type, the type of this graph's weights: it would become 0"
    done
}

t_dynamic_limits() {
    exits 0 dynamic new g.weft
    printf '+ 1 2\n\n' > many
    seq 1 100000 | sed 's/.*/+ & 1/' >> many
    exits 4 dynamic apply g.weft many --durable never --memory-limit 1M
    says 'batch 1: 1 change,'
    complains 'many:100002: over the memory limit of 1.0 MiB'
    complains '; the batch that begins in line 3 is refused, and the graph is as of batch 1'
    same "$(edges_of g.weft)" '1 2'
}

t_dynamic_stream() {
    local k
    exits 0 dynamic new g.weft
    # Batches are acknowledged as they come, and what was not ended is not applied.
    mkfifo in
    touch lines
    "$weft" dynamic apply g.weft --batch 2 < in > lines 2> said &
    local writer=$!
    exec 5> in
    printf '+ 1 2\n+ 2 3\n+ 3 4\n' >&5
    for ((k = 0; k < 200; k++)); do grep -q '^batch 1' lines && break; sleep 0.05; done
    grep -q '^batch 1: 2 changes' lines || problem 'the first batch was not acknowledged'
    same "$(edges_of g.weft)" $'1 2\n2 3'
    exits 3 dynamic apply g.weft < /dev/null
    complains 'g.weft: another program is writing to it'
    kill -INT $writer
    wait $writer
    same $? 130
    exec 5>&-
    grep -q 'interrupted: the graph is as of batch 1; 1 change of the next was read and not applied' said ||
        problem "said: $(cat said)"
    same "$(edges_of g.weft)" $'1 2\n2 3'
    # Nobody reads the lines: the batches are applied all the same.
    for ((k = 10; k < 40; k++)); do echo "+ $k $((k + 1))"; done > many
    "$weft" dynamic apply g.weft many --batch 1 --durable never | head -n 1 > /dev/null
    same "$(edges_of g.weft | wc -l)" 32
    exits 0 dynamic compact g.weft
    same "$(edges_of g.weft | wc -l)" 32
    exits 3 dynamic snapshot g.weft --at 3
    complains 'is no longer in the log'
}

# One writer after the other.
t_dynamic_wait() {
    exits 0 dynamic new g.weft
    mkfifo turn
    touch first
    "$weft" dynamic apply g.weft --batch 1 < turn > first 2>&1 &
    local writer=$! k
    exec 5> turn
    echo '+ 1 2' >&5
    for ((k = 0; k < 200; k++)); do grep -q '^batch 1' first && break; sleep 0.05; done
    exits 3 dynamic apply g.weft --wait 0.05 < /dev/null
    complains 'g.weft: another program is writing to it'
    complains '--wait'
    echo '+ 7 8' > later
    "$weft" dynamic apply g.weft later --wait 100 > second 2>&1 5>&- &
    exec 5>&-
    wait $writer || problem "the first writer failed: $(< first)"
    wait $! || problem "the writer that waited failed: $(< second)"
    grep -q '^batch 2: 1 change' second || problem "the writer that waited said $(< second)"
    exits 2 dynamic log g.weft --wait 1
    complains '--wait'
}

t_dynamic_watch() {
    local k
    exits 0 dynamic new g.weft
    printf '+ 1 2\n+ 2 3\n\n+ 3 1\n' > changes
    exits 0 dynamic watch g.weft changes --durable never --run cycle --run components:top=1 -q
    says 'batch 1: cycle of g.weft: 3 vertices, 2 directed edges'
    says 'yes: acyclic'
    says 'batch 2: cycle of g.weft: 3 vertices, 3 directed edges'
    says 'cycle: 1 -> 2 -> 3 -> 1'
    says 'batch 2: components of g.weft'
    says 'followed in'
    # Edge by edge, without cycles.
    exits 0 dynamic new deps.weft --ids string
    printf '+ a b\n+ b c\n+ c a\n+ a c\n+ c d\n+ d d\n' > edges
    exits 1 dynamic watch deps.weft edges --batch 1 --durable never --run cycle --refuse-cycles -q
    says 'edges:3: refused: '
    says 'a -> b -> c -> a'
    says 'edges:6: refused: '
    same "$(edges_of deps.weft)" $'a b\na c\nb c\nc d'
    exits 2 dynamic watch deps.weft --run cycle --refuse-cycles
    complains '--refuse-cycles is for batches that are applied here'
    exits 2 dynamic watch deps.weft edges --run bfs --warm
    complains '--warm needs --run pagerank'
    # Another program's batches are followed, also into a file that was written anew.
    touch answers
    "$weft" dynamic watch g.weft --run degree:top=1 --json > answers 2> said &
    local watcher=$!
    for ((k = 0; k < 200; k++)); do grep -q '"batch": 2' answers && break; sleep 0.05; done
    exits 0 dynamic compact g.weft
    printf '+ 1 7\n\n+ 1 8\n' > changes
    exits 0 dynamic apply g.weft changes
    for ((k = 0; k < 200; k++)); do grep -q '"batch": 4' answers && break; sleep 0.05; done
    kill -INT $watcher
    wait $watcher
    same $? 130
    same "$(grep -oE '"batch": [0-9]+|"edges": [0-9]+' answers | paste -sd' ')" \
        '"batch": 2 "edges": 3 "batch": 3 "edges": 4 "batch": 4 "edges": 5'
    exits 3 dynamic watch g.weft changes --run bfs:source=99
    complains "no vertex '99'"
    printf '+ 1 98\n\n+ 98 99\n' > later
    exits 0 dynamic watch g.weft later --durable never --run bfs:source=99 --run components
    complains 'no answer of bfs'
    says 'bfs of g.weft'
}

# While another program writes, in one batch after the other, all others see a whole file.
t_dynamic_read_while_written() {
    exits 0 generate uniform -n 60000 --degree 5 -o r.weft -q
    yes '+ 1 2' | head -n 200000 > many
    "$weft" dynamic apply r.weft many --batch 1 -q -t 1 > /dev/null 2>&1 &
    local writer=$! k
    for ((k = 0; k < 400; k++)); do [ "$("$weft" dynamic info r.weft --json 2> /dev/null | grep -o '"batch": [0-9]*')" != '"batch": 0' ] && break; done
    for k in 1 2 3 4 5 6; do
        exits 0 degree r.weft -t 1 --top 1 -q
        exits 0 dynamic info r.weft
    done
    kill -0 $writer 2> /dev/null || problem 'the writer was done too early'
    kill -INT $writer 2> /dev/null
    wait $writer
    same $? 130
}

# What one run cannot answer ends neither the others nor the batches.
t_dynamic_watch_goes_on() {
    exits 0 dynamic new g.weft --weight-type f32
    printf '+ 1 2 1\n\n-v 1\n\n+ 1 5 2\n\n+ 7 8 -1\n\n- 7 8\n' > changes
    exits 0 dynamic watch g.weft changes --durable never --run bfs:source=1 --run sssp:source=1 --json
    same "$(grep -o '"algorithm": "[a-z]*"\|"batch": [0-9]*' <<< "$out" | paste -sd' ')" \
        '"algorithm": "bfs" "batch": 1 "algorithm": "sssp" "batch": 1 "algorithm": "bfs" "batch": 3 "algorithm": "sssp" "batch": 3 "algorithm": "bfs" "batch": 4 "algorithm": "bfs" "batch": 5 "algorithm": "sssp" "batch": 5'
    complains 'batch 2: no answer of bfs; it is asked again after the next batch'
    complains 'batch 4: no answer of sssp; it is asked again after the next batch'
    exits 0 dynamic info g.weft --json
    json 'j["batch"]' 5
    # Lists of vertices are run each time.
    printf '+ 5 6 1\n\n+v 0\n' > changes
    exits 0 dynamic watch g.weft changes --durable never --run bfs:sources=1 --json -q
    same "$(grep -o '"reached": [0-9]*' <<< "$out" | paste -sd' ')" '"reached": 3 "reached": 3'
    says 'a list of vertices is not followed: from scratch each time'
    # What can never be answered is said before the first batch.
    printf '+ 5 9 1\n' > changes
    exits 2 dynamic watch g.weft changes --run aggregate
    complains 'cannot run aggregate, which needs a file: --features'
    exits 0 dynamic info g.weft --json
    json 'j["batch"]' 7
    # A file that was written anew twice since is followed from there.
    touch answers
    "$weft" dynamic watch g.weft --run degree:top=1 --json > answers 2> said &
    local watcher=$! k
    for ((k = 0; k < 200; k++)); do grep -q '"batch": 7' answers && break; sleep 0.05; done
    kill -STOP $watcher
    for k in 1 2 3; do
        exits 0 dynamic apply g.weft changes --durable never -q
        exits 0 dynamic compact g.weft -q
    done
    kill -CONT $watcher
    for ((k = 0; k < 200; k++)); do grep -q '"batch": 10' answers && break; sleep 0.05; done
    kill -INT $watcher
    wait $watcher
    same $? 130
    grep -q 'was replaced, and is followed from where it is now' said || problem "$(cat said)"
    grep -q '"batch": 10' answers || problem 'not followed'
    exits 2 dynamic new -
    complains 'cannot write to standard output; name a file'
    exits 2 dynamic snapshot g.weft --at 18446744073709551615
    complains '--at must be'
    if [ "$(id -u)" = 0 ] && chown 65534:65534 g.weft 2> /dev/null; then
        exits 0 dynamic compact g.weft -q
        same "$(stat -c %u:%g g.weft)" 65534:65534
    fi
}

t_dynamic_bench() {
    exits 0 dynamic bench --scale 8 --batches 1,100 --seconds 0.05
    same "$(grep -c verified <<< "$out")" 4
    exits 0 dynamic bench b.weft --scale 7 --batches 50 --seconds 0.05 --undirected --weight-type u32 --durable never --json
    json 'j["durable"], j["weight_type"], len(j["rows"])' "('never', 'u32', 2)"
    there_is_no b.weft
    exits 0 dynamic bench b.weft --scale 7 --batches 50 --seconds 0.02 --json
    json '[r["batches_a_sync"] for r in j["rows"]]' '[1, 1, 16]'
    exits 0 dynamic bench --scale 8 --batches 100 --seconds 0.05 --undirected --analytics
    same "$(grep -c 'on the same graph: [0-9.]* of its speed' <<< "$out")" 8
    exits 0 dynamic bench --scale 8 --batches 100 --seconds 0.05 --analytics --json
    json '[a["algorithm"] for a in j["rows"][1]["analytics"]][:3]' "['pagerank', 'bfs', 'components']"
    exits 2 dynamic info --analytics g.weft
    complains 'does not take --analytics'
    exits 2 dynamic bench --durable never
    complains '--durable is about a file'
    exits 2 dynamic bench --batches 0
    complains '--batches must be sizes'
}

case_of 'dynamic: an empty graph takes no flags of reading' t_dynamic_new_flags
case_of 'dynamic: batches as text, JSON lines and csv are the same' t_dynamic_forms
case_of 'dynamic: every op is understood on the first line' t_dynamic_first_word
case_of 'dynamic: a mistake has a place, and its batch is refused whole' t_dynamic_mistakes
case_of 'dynamic: csv is read as csv of a graph is' t_dynamic_tables
case_of 'dynamic: what is no JSON is refused' t_dynamic_json
case_of 'dynamic: weights are those of a file of a graph' t_dynamic_weights
case_of 'dynamic: over the memory limit, with a place and the state of the graph' t_dynamic_limits
case_of 'dynamic: a stream is acknowledged batch by batch; Ctrl-C and a closed pipe lose nothing' t_dynamic_stream
case_of 'dynamic: a writer waits for another' t_dynamic_wait
case_of 'dynamic: watch answers after each batch' t_dynamic_watch
case_of 'dynamic: a file is whole for readers while it is written' t_dynamic_read_while_written
case_of 'dynamic: watch goes on where one run has no answer' t_dynamic_watch_goes_on
case_of 'dynamic: bench verifies its rows' t_dynamic_bench
