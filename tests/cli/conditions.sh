# Conditions on vertices (--where) and on edges (--edges-where): one language (src/stream/condition.c), whose columns and
# values differ (cli/result/where.c, src/io/text/edges_where.c).  One table, read by both.  Sourced by test_cli.sh.
# shellcheck shell=bash disable=SC2034,SC2154

# Vertex k of nodes.csv has the cells of the edge from k in edges.csv; `key` names both.
condition_tables() { # header, rows...
    local row id=0
    printf 'source,target,key,%s\n' "$1" > edges.csv
    printf 'id,key,%s\n' "$1" > nodes.csv
    shift
    for row; do
        id=$((id + 1))
        printf '%d,%d,k%d,%s\n' "$id" "$((id % $# + 1))" "$id" "$row" >> edges.csv
        printf '%d,k%d,%s\n' "$id" "$id" "$row" >> nodes.csv
    done
}

# Both keep the rows with these numbers; "!": both refuse it as a slip; "?": both miss a column, which for edges is a
# fault of the file.
both_keep() { # condition, "1 3"
    local edges vertices want=0 edges_want=0
    [[ $2 != ['!?'] ]] || want=2 edges_want=2
    [[ $2 != '?' ]] || edges_want=3
    exits "$edges_want" convert edges.csv - --to csv -q --keep key --edges-where "$1"
    edges=$(tail -n +2 <<< "$out" | cut -d, -f1 | paste -sd ' ')
    exits "$want" subgraph edges.csv --nodes nodes.csv --where "$1" -o - --to nodes -q
    vertices=$(tail -n +2 <<< "$out" | cut -d, -f1 | paste -sd ' ')
    [[ $want == 2 ]] || same "$1: $edges; $vertices" "$1: $2; $2"
}

t_conditions_agree() {
    condition_tables n,x,s,t,b 1,0.5,a,2024-02-29,true 2,1.5,b,2024-03-01,false 3,,a,2024-03-02,true \
        ,2.5,c,,false 9223372036854775807,-1,d,2025-01-01, -5,0,b,1999-12-31,true
    while IFS='|' read -r condition kept; do both_keep "$condition" "$kept"; done << 'TABLE'
n > 2|3 5
n > 2 and x < 1|5
n > 2 AND x < 1|5
n = 1 or s = 'b'|1 2 6
n = 1 OR s = 'b' Or x = 2.5|1 2 4 6
not n > 2|1 2 4 6
NOT n > 2|1 2 4 6
Not (n > 2 or b = true)|2 4
NOT NOT n > 2|3 5
n = 1 or n = 2 and x > 9|1
5 < n|5
n >= .5|1 2 3 5
`n` > 2|3 5
n > 2.5e0|3 5
n < 18446744073709551615|1 2 3 5 6
n > 9223372036854775806|5
n = 9223372036854775807|5
n > 9223372036854775807|
n < 9223372036854775808|1 2 3 5 6
-9223372036854775809 < n|1 2 3 5 6
n <> 3|1 2 5 6
n != 3|1 2 5 6
n == 3|3
n > x|1 2 5
s = 'a'|1 3
s <> "a"|2 4 5 6
t >= 2024-03-01|2 3 5
t >= '2024-03-01'|2 3 5
2024-03-01 > t|1 6
b = true|1 3 6
b != true|2 4
true = b|1 3 6
b = false and x > 0|2 4
n >|!
n > 2 and|!
n > 2 xor x < 1|!
2 > 1|!
'a' = 'b'|!
true > 5|?
nowhere > 5|?
not|!
NOT > 3|?
n > +2|3 5
n > 2.|3 5
n >= 1e0 and n <= 2E0|1 2
n > 1e400|!
n > 5a|!
t > 2024-03-01T00:00:00+01:00|2 3 5
t > 2024-3|!
t > 2024-03-01 12:00|!
s = 'it''s'|
s <> ''|1 2 3 4 5 6
not (not n = 1)|1
n ~ 2|!
n = 1 n = 2|!
n <|!
`n > 2|!
n = 1 or (n = 2 and (n = 3 or x = 1.5))|1 2
(n > 2|!
n > 2)|!
n > 0x10|!
s = 'a|!
TABLE
}

# Columns that are called as words of the language are: where there is one, true and false are columns.
t_conditions_on_odd_names() {
    condition_tables true,not,AND,b 6,1,1,5 5,2,2,5 7,3,,7
    while IFS='|' read -r condition kept; do both_keep "$condition" "$kept"; done << 'TABLE'
true > 5|1 3
`true` > 5|1 3
5 < true AND not > 1|3
b = true|2 3
not > 1|2 3
not not > 1|1
NOT true > 5|2
AND = 2|2
AND = 2 and AND < 3 AND true = 5|2
false = 1|?
TABLE
    printf 'source,target,true,note\n1,2,6,x\n2,3,4,y\n' > odd.csv
    exits 0 convert odd.csv odd.weft --keep true,note -q
    exits 0 convert odd.weft - --to csv -q --edges-where 'true > 5'
    same "$out" $'source,target,true,note\n1,2,6,x'
    exits 0 convert odd.csv odd.graphml --keep true,note -q
    exits 0 convert odd.graphml - --to csv -q --edges-where 'true > 5'
    same "$out" $'source,target\n1,2'
    printf '{"source":1,"target":2,"true":6}\n{"source":2,"target":3,"true":4}\n' > odd.jsonl
    exits 0 convert odd.jsonl - --to csv -q --edges-where 'true > 5'
    same "$out" $'source,target\n1,2'
    printf '[{"source":1,"target":2,"true":6,"b":6},{"source":2,"target":3,"true":4,"b":5}]' > odd.json
    exits 0 convert odd.json - --to csv -q --edges-where 'b = true'
    same "$out" $'source,target\n1,2'
}

# Whole numbers are compared by all of their digits.
t_conditions_on_large_numbers() {
    printf 'source,target,amount\n1,2,18446744073709551615\n1,3,18446744073709551614\n1,4,-99999999999999999999999999999\n' > large.csv
    exits 0 convert large.csv - --to csv -q --edges-where 'amount > 18446744073709551614'
    same "$out" $'source,target\n1,2'
    exits 0 convert large.csv - --to csv -q --edges-where 'amount = 18446744073709551614'
    same "$out" $'source,target\n1,3'
    exits 0 convert large.csv - --to csv -q --edges-where 'amount < -99999999999999999999999999998'
    same "$out" $'source,target\n1,4'
    exits 0 convert large.csv - --to csv -q --edges-where 'amount > 1e19'
    same "$out" $'source,target\n1,2\n1,3'
}

case_of 'conditions on vertices and edges agree' t_conditions_agree
case_of 'conditions on columns with odd names' t_conditions_on_odd_names
case_of 'conditions on large numbers' t_conditions_on_large_numbers
