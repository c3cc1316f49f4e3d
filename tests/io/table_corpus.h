/* The tables of tests/data/tables: who wrote them, how, and what must be read without a flag.  What a row expects comes
 * from what the writing program means, never from what Weft says of it.  pandas, polars, DuckDB, NetworkX and igraph
 * wrote their files themselves; the others are in the manner of the program. */
#ifndef WEFT_TESTS_TABLE_CORPUS_H
#define WEFT_TESTS_TABLE_CORPUS_H

typedef enum table_outcome {
    RIGHT,   /* read as `text`, a graph; a note has `more` in it (NULL: whatever is noted) */
    REFUSED, /* with a sentence that has `text` and `more` in it */
    EITHER   /* read as `text`, or refused with a sentence: a program may say what this one does not */
} table_outcome;

typedef struct table_row {
    table_outcome outcome;
    const char *file, *writer, *text, *more;
} table_row;

/* clang-format off */
static const table_row table_rows[] = {
    /* pandas */
    {RIGHT, "pandas_index.csv", "to_csv()", "directed u32 [1 2 3] 1>2:5 2>3:7 3>1:4", "columns: source → target, weight"},
    {RIGHT, "pandas_no_index.csv", "to_csv(index=False)", "directed u32 [1 2 3] 1>2:5 2>3:7 3>1:4", "columns: source → target, weight"},
    {RIGHT, "pandas_index_label.csv", "to_csv(index_label='id')", "directed u32 [1 2 3] 1>2:5 2>3:7 3>1:4", "; passed over: id"},
    {RIGHT, "pandas_index_tabs.tsv", "to_csv(sep='\\t')", "directed u32 [1 2 3] 1>2:5 2>3:7 3>1:4", "columns: source → target, weight"},
    {RIGHT, "pandas_index_names.csv", "to_csv() of names", "directed u32 [ann bob cid dan] ann>bob:2 bob>cid:3 dan>ann:1", NULL},
    {RIGHT, "pandas_unnamed_0.csv", "read_csv and to_csv of a file with an index", "directed u32 [1 2 3] 1>2:5 2>3:7 3>1:4", NULL},
    {RIGHT, "pandas_quote_all.csv", "to_csv(index=False, quoting=QUOTE_ALL)", "directed u32 [1 2 3] 1>2:5 2>3:7 3>1:4", NULL},
    {RIGHT, "pandas_quote_nonnumeric.csv", "to_csv(index=False, quoting=QUOTE_NONNUMERIC)", "directed u32 [ann bob cid dan] ann>bob:2 bob>cid:3 dan>ann:1", NULL},
    {RIGHT, "pandas_german.csv", "to_csv(sep=';', decimal=',')", "directed f32 [1 2 3] 1>2:0.5 2>3:1.25 3>1:2", NULL},
    {RIGHT, "pandas_german_index.csv", "to_csv(sep=';', decimal=',') with its index", "directed f32 [ann bob cid] ann>bob:0.5 bob>cid:10.75", NULL},
    {RIGHT, "pandas_commas_in_names.csv", "to_csv(index=False)", "directed none [Doe, Jane Roe Smith, John] Doe, Jane>Roe Smith, John>Doe, Jane", NULL},
    {RIGHT, "pandas_newlines_in_names.csv", "to_csv(index=False)", "directed u32 [first\nsecond plain x\ny] first\nsecond>plain:1 plain>x\ny:2", NULL},
    {RIGHT, "pandas_quotes_in_names.csv", "to_csv(index=False)", "directed none [\"q\" ann the \"boss\"] ann>\"q\" the \"boss\">ann", NULL},
    {RIGHT, "pandas_timestamp_weight.csv", "to_csv(index=False)", "directed u32 [1 2 3] 1>2:5 2>3:7", "columns: src → dst, weight; passed over: timestamp"},
    {RIGHT, "pandas_target_first.csv", "to_csv(index=False)", "directed none [1 2 3] 1>3 2>1 3>2", "columns: source → target"},
    {RIGHT, "pandas_weight_first.csv", "to_csv(index=False)", "directed u32 [1 2 3] 1>2:5 2>3:7", "columns: source → target, weight"},
    {RIGHT, "pandas_years.csv", "to_csv(index=False)", "directed none [1 2 3] 1>2 2>3", "columns: from → to; passed over: year_from, year_to"},
    {RIGHT, "pandas_years_blanks.txt", "to_csv(sep=' ', index=False)", "directed none [1 2 3] 1>2 2>3", "; passed over: year_from, year_to"},
    {RIGHT, "pandas_label_id.csv", "to_csv(index=False)", "directed none [1 2 3] 1>2 2>3", "; passed over: label, id"},
    {RIGHT, "pandas_dates.csv", "to_csv() of mail", "directed none [ann bob] ann>bob bob>ann", "columns: from → to; passed over: date, subject"},
    {RIGHT, "pandas_float_weights.csv", "to_csv(index=False)", "directed f32 [1 2 3] 1>2:0.5 2>3:9.99999975e-06 3>1:1e+10", NULL},
    {RIGHT, "pandas_to_string.txt", "to_string()", "directed u32 [1 2 3] 1>2:5 2>3:7 3>1:4", NULL},
    {RIGHT, "pandas_missing_label.csv", "to_csv(index=False) with missing labels", "directed none [1 2 3] 1>2 2>3 3>1", "; passed over: label"},
    {EITHER, "pandas_float_ids.csv", "to_csv() of ids that were NaN once: floats", "directed none [1.0 2.0 3.0] 1.0>2.0 2.0>3.0", NULL},
    {REFUSED, "pandas_missing_weight.csv", "to_csv(index=False) with a missing weight", ":3:", "weight"},
    {REFUSED, "pandas_missing_end.csv", "to_csv(index=False) with a missing end", ":3:", NULL},
    {REFUSED, "pandas_matrix.csv", "to_pandas_adjacency().to_csv(): no list of edges", "`source_col", NULL},
    {REFUSED, "pandas_unknown_words.csv", "to_csv(index=False)", "`source_col", "gamma"},
    {EITHER, "pandas_no_names.csv", "DataFrame(edges).to_csv(): columns are called 0 and 1", "directed none [1 2 3] 1>2 2>3", NULL},
    {REFUSED, "pandas_two_weights.csv", "two columns of one name", "`weight_col", NULL},
    {REFUSED, "pandas_two_sources.csv", "two columns of one name", "`source_col", NULL},
    {REFUSED, "pandas_only_weight.csv", "the weight is known, the ends are not", "`source_col", "`target_col"},
    {REFUSED, "pandas_huge_weight.csv", "to_csv(index=False) of 64-bit floats", ":2:", "too large"},

    /* polars */
    {RIGHT, "polars.csv", "write_csv()", "directed f32 [1 2 3] 1>2:1 2>3:2.5", NULL},
    {RIGHT, "polars_pipe.csv", "write_csv(separator='|')", "directed none [ann bob|x cid] ann>bob|x bob|x>cid", "columns: from → to; passed over: year"},
    {RIGHT, "polars_nulls.csv", "write_csv() with nulls in a column that is passed over", "directed none [ann bob cid] ann>bob bob>cid", NULL},
    {RIGHT, "polars_no_header.csv", "write_csv(include_header=False)", "directed f32 [1 2 3] 1>2:1.5 2>3:2.5", NULL},
    {RIGHT, "polars_always_quoted.csv", "write_csv(quote_style='always')", "directed u32 [ann bob cid] ann>bob:3 bob>cid:4", NULL},

    /* Gephi */
    {RIGHT, "gephi_directed.csv", "edges, exported from the data laboratory", "directed f32 [1 2 3] 1>2:1 2>3:2.5", "columns: Source → Target, Weight"},
    {RIGHT, "gephi_undirected.csv", "edges of an undirected graph", "undirected f32 [1 2 3] 1-2:1 2-3:2.5", NULL},
    {RIGHT, "gephi_semicolons.csv", "edges with semicolons and quotes", "undirected f32 [ann bob cid] ann-bob:1 bob-cid:3", NULL},
    {RIGHT, "gephi_minimal.csv", "the least that it imports", "directed none [ann bob cid] ann>bob bob>cid", NULL},
    {RIGHT, "gephi_type_last.csv", "Target before Source, Type last", "directed none [a b c] a>b b>c", NULL},
    {REFUSED, "gephi_mixed.csv", "edges of a mixed graph", "irected", NULL},
    {REFUSED, "gephi_nodes.csv", "nodes: no edges", "`source_col", NULL},

    /* Neo4j */
    {RIGHT, "neo4j_import.csv", "a file of neo4j-admin import", "directed none [1 2 3] 1>2 2>3", NULL},
    {RIGHT, "neo4j_groups.csv", "id groups", "directed none [keanu laurence tt0133093] keanu>tt0133093 laurence>tt0133093", NULL},
    {RIGHT, "neo4j_weight.csv", "a property with a type", "directed f32 [1 2 3] 1>2:0.5 2>3:1.5", NULL},
    {RIGHT, "neo4j_end_first.csv", "the end before the start, semicolons", "directed none [ann bob cid] bob>ann cid>bob", NULL},
    {REFUSED, "neo4j_apoc.csv", "apoc.export.csv.all: nodes and edges in one file", ":2:", NULL},

    /* SNAP */
    {RIGHT, "snap_directed.txt", "a directed graph", "directed none [0 1 2] 0>1 1>2 2>0", NULL},
    {RIGHT, "snap_undirected.txt", "an undirected graph", "undirected none [0 1 2] 0-1 1-2", NULL},
    {RIGHT, "snap_blanks.txt", "facebook_combined.txt", "directed none [0 1 2 3 7] 0>1 0>2 1>3 3>7", NULL},
    {RIGHT, "snap_signed.txt", "soc-sign-epinions.txt", "directed none [0 1 128552] 0>1 1>128552", "passed over: Sign"},
    {RIGHT, "snap_rating_time.csv", "soc-sign-bitcoin-otc.csv: the fourth column is a time", "directed u32 [1 2 5 6 15] 1>15:1 6>2:4 6>5:2", "passed over"},
    {RIGHT, "snap_musae.csv", "musae_facebook_edges.csv", "directed none [0 1 18427 21708] 0>18427 1>21708", NULL},
    {RIGHT, "snap_header_tabs.txt", "a header that is no comment", "directed none [0 1 2] 0>1 1>2", "columns: FromNodeId → ToNodeId"},
    {RIGHT, "snap_spaces.txt", "several blanks, leading blanks, a blank line", "directed none [1 2 3] 1>2 2>3 3>1", NULL},
    {REFUSED, "snap_temporal.txt", "CollegeMsg.txt: the third column is a time", "`weight_col", "`weights=ignore`"},

    /* KONECT */
    {RIGHT, "konect_2.txt", "out.*, unweighted", "directed none [1 2 3 4] 1>2 1>3 4>3", NULL},
    {RIGHT, "konect_3.txt", "out.*, weighted", "undirected u32 [1 2 3] 1-2:5 2-3:7", NULL},
    {RIGHT, "konect_4.txt", "out.*, weight and time", "directed u32 [1 2 3] 1>2:3 2>3:1 3>1:2", "passed over"},
    {RIGHT, "konect_4_multi.txt", "out.*, blanks and tabs mixed", "directed u32 [1 2 3] 1>2:1 2>3:1", NULL},

    /* Excel */
    {RIGHT, "excel_english.csv", "CSV UTF-8", "directed u32 [Bern Genève Zürich] Genève>Bern:4 Zürich>Genève:3", NULL},
    {RIGHT, "excel_german.csv", "CSV on a German machine", "directed f32 [1 2 3] 1>2:0.5 2>3:12.25 3>1:3", NULL},
    {RIGHT, "excel_no_header.csv", "CSV on a German machine, without a header", "directed f32 [1 2 3] 1>2:0.5 2>3:1.25", NULL},
    {RIGHT, "excel_unicode_text.txt", "Unicode text: UTF-16", "directed u32 [Bern Genève Zürich] Genève>Bern:4 Zürich>Genève:3", NULL},
    {RIGHT, "excel_utf16_big.txt", "UTF-16 of the other byte order", "directed none [1 2 3] 1>2 2>3 3>1", NULL},
    {RIGHT, "excel_bom_no_header.csv", "CSV UTF-8 without a header", "directed none [1 2 3] 1>2 2>3 3>1", NULL},
    {RIGHT, "excel_empty_column.csv", "an empty column on the right", "directed none [1 2 3] 1>2 2>3", NULL},
    {RIGHT, "excel_no_last_newline.csv", "cut and pasted: no newline at the end", "directed u32 [1 2 3] 1>2:5 2>3:7", NULL},
    {EITHER, "excel_sep_line.csv", "a first line that tells Excel the separator", "directed u32 [1 2 3] 1>2:5 2>3:7", NULL},
    {EITHER, "excel_empty_rows.csv", "empty rows at the end", "directed u32 [1 2 3] 1>2:5 2>3:7", NULL},
    {REFUSED, "excel_german_words.csv", "German words", "`source_col", "Quelle"},
    {REFUSED, "excel_thousands.csv", "weights shown with a comma for thousands", "weight", NULL},
    {REFUSED, "excel_macintosh.csv", "CSV (Macintosh): lines end with a carriage return", "carriage return", NULL},
    {REFUSED, "excel_utf16_no_mark.txt", "UTF-16 without its mark", "UTF-16", NULL},

    /* R */
    {RIGHT, "r_write_csv.csv", "write.csv(d)", "directed f32 [1 2 3] 1>2:0.5 2>3:1.5 3>1:2", NULL},
    {RIGHT, "r_write_csv_names.csv", "write.csv(d)", "directed none [ann bob cid] ann>bob bob>cid", "columns: from → to"},
    {RIGHT, "r_write_csv_plain.csv", "write.csv(d, row.names=FALSE, quote=FALSE)", "directed u32 [ann bob cid] ann>bob:2 bob>cid:3", NULL},
    {RIGHT, "r_write_csv2.csv", "write.csv2(d)", "directed f32 [1 2 3] 1>2:0.5 2>3:1.5", NULL},
    {RIGHT, "r_write_table.txt", "write.table(d): the header has no name for the row names", "directed f32 [1 2 3] 1>2:0.5 2>3:1.5", "columns: from → to, weight"},
    {RIGHT, "r_write_table_names.txt", "write.table(d)", "directed none [New York ann cid] New York>cid ann>New York", NULL},
    {RIGHT, "r_write_table_commas.csv", "write.table(d, sep=',')", "directed none [4 5 6] 4>5 5>6", NULL},
    {RIGHT, "r_write_table_plain.txt", "write.table(d, row.names=FALSE, quote=FALSE)", "directed u32 [1 2 3] 1>2:5 2>3:7", NULL},
    {RIGHT, "r_write_table_no_names.txt", "write.table(d, row.names=FALSE, col.names=FALSE)", "directed u32 [ann bob cid] ann>bob:2 bob>cid:3", NULL},
    {REFUSED, "r_missing_weight.csv", "write.csv(d, row.names=FALSE) with a missing weight", ":3:", NULL},
    {EITHER, "r_row_names_only.txt", "write.table(d, col.names=FALSE): quoted row numbers", "directed none [7 8 9] 7>8 8>9 9>7", NULL},
    {RIGHT, "igraph.ncol", "igraph: write_graph(g, format='ncol')", "directed u32 [ann bob cid] ann>bob:2 bob>cid:3", NULL},
    {RIGHT, "igraph_plain.ncol", "igraph: ncol without weights", "directed none [ann bob cid] ann>bob bob>cid", NULL},
    {RIGHT, "igraph_edgelist.txt", "igraph: write_graph(g, format='edgelist')", "directed none [0 1 2] 0>1 1>2", NULL},
    {EITHER, "igraph.lgl", "igraph: write_graph(g, format='lgl')", "undirected f32 [ann bob cid] ann-bob:2.5 ann-cid:3.5 bob-cid:4.5", NULL},
    {EITHER, "igraph_plain.lgl", "igraph: lgl without weights", "undirected none [ann bob cid] ann-bob ann-cid bob-cid", NULL},

    /* Spark */
    {RIGHT, "spark_header.csv", "write.option('header', true).csv", "directed f32 [1 2 3] 1>2:0.5 2>3:1.5", NULL},
    {RIGHT, "spark_no_header.csv", "write.csv", "directed f32 [1 2 3] 1>2:0.5 2>3:1.5", NULL},
    {RIGHT, "spark_graphframes.csv", "edges of GraphFrames", "directed none [a b c] a>b b>c c>b", "columns: src → dst; passed over: relationship"},
    {RIGHT, "spark_tuples.txt", "saveAsTextFile of pairs", "directed none [1 2 3] 1>2 2>3 3>1", NULL},
    {RIGHT, "spark_triples.txt", "saveAsTextFile of triples", "directed f32 [1 2 3] 1>2:0.5 2>3:1.5", NULL},
    {EITHER, "spark_graphx.txt", "GraphX: edges.saveAsTextFile", "directed u32 [1 2 3] 1>2:5 2>3:7", NULL},
    {EITHER, "spark_counts.txt", "saveAsTextFile of ((u,v),count)", "directed u32 [1 2 3] 1>2:5 2>3:7", NULL},
    {REFUSED, "spark_vertices.csv", "vertices of GraphFrames: no edges", "`source_col", NULL},

    /* DuckDB, SQLite, PostgreSQL, MongoDB */
    {RIGHT, "duckdb.csv", "COPY … TO 'x.csv'", "directed f32 [1 2 3] 1>2:0.5 2>3:1.5", NULL},
    {RIGHT, "duckdb_names.csv", "COPY … of names and times", "directed none [Doe, J Roe x \"y\"] Doe, J>Roe Roe>x \"y\"", "; passed over: ts"},
    {RIGHT, "duckdb_pipe.csv", "COPY … (DELIMITER '|')", "directed u32 [1 2 3] 1>2:5 2>3:7", NULL},
    {RIGHT, "duckdb_pipe_blanks.csv", "COPY … (DELIMITER '|') with a blank in the name of a column", "directed none [1 2 3] 2>1 3>2", "columns: from → node_2"},
    {RIGHT, "duckdb_pipe_names.csv", "COPY … (DELIMITER '|'): a blank in each line too", "directed none [Boston Los Angeles New York Reno] Los Angeles>Reno New York>Boston", "columns: src → dst id"},
    {RIGHT, "sqlite.txt", "sqlite3 -list", "directed none [1 2 3] 1>2 2>3 3>1", NULL},
    {RIGHT, "mongoexport.csv", "mongoexport --type=csv", "directed none [ann bob cid] ann>bob bob>cid", "; passed over: _id"},
    {REFUSED, "psql.txt", "psql's aligned output", ":2:", NULL},

    /* Kaggle and others */
    {RIGHT, "kaggle_snap.csv", "SNAP as csv", "directed none [0 11342 27469] 0>11342 0>27469 11342>0", NULL},
    {RIGHT, "kaggle_nodes.csv", "node_1,node_2", "directed none [0 1 747 4257] 0>747 1>4257", NULL},
    {RIGHT, "kaggle_weights.csv", "from,to,weight", "directed u32 [ann bob cid dan] ann>bob:2 bob>cid:3 dan>ann:1", NULL},
    {RIGHT, "kaggle_thrones.csv", "asoiaf-all-edges.csv", "undirected u32 [Addam-Marbrand Aegon-I-Targaryen Daenerys-Targaryen Jaime-Lannister] Addam-Marbrand-Jaime-Lannister:3 Aegon-I-Targaryen-Daenerys-Targaryen:4", NULL},
    {RIGHT, "kaggle_tags.csv", "stack_network_links.csv", "directed none [.net azure sql-server] azure>.net sql-server>.net", NULL},
    {RIGHT, "kaggle_blanks.csv", "blanks after the commas, capitals", "directed u32 [1 2 3] 1>2:5 2>3:7", NULL},
    {RIGHT, "kaggle_ids.csv", "source_id,target_id", "directed none [1 2 3] 1>2 2>3", "; passed over: edge_id"},
    {RIGHT, "parent_child.csv", "a hierarchy", "directed none [1 2 3 4] 1>2 1>3 2>4", "columns: parent → child"},
    {RIGHT, "parent_child_capitals.csv", "a hierarchy in capitals: encrypted Parquet begins with PARE too", "directed none [1 2 3] 1>2 1>3", "columns: PARENT → CHILD"},
    {RIGHT, "start_end_cost.csv", "a road map", "directed f32 [A B C] A>B:4 B>C:1.5", NULL},
    {RIGHT, "uvw.txt", "a textbook's header", "directed u32 [1 2 3] 1>2:5 2>3:7", NULL},
    {RIGHT, "head_relation_tail.csv", "a knowledge graph", "directed none [france lyon paris] lyon>france paris>france", NULL},
    {RIGHT, "dois.csv", "citations by DOI, no header", "directed none [10.1000/182 10.1038/171737a0 10.1103/PhysRev.47.777 10.1145/362384] 10.1000/182>10.1103/PhysRev.47.777 10.1103/PhysRev.47.777>10.1038/171737a0 10.1145/362384>10.1000/182", NULL},
    {RIGHT, "dois_once.csv", "citations by DOI, each once", "directed none [10.1000/x 10.1000/y 10.1002/a 10.1002/b 10.1003/c 10.1004/d] 10.1000/x>10.1000/y 10.1002/a>10.1002/b 10.1003/c>10.1004/d", NULL},
    {RIGHT, "names_again.csv", "names, no header: bob is there again", "directed none [ann bob cid dan] ann>bob bob>cid dan>ann", NULL},
    {RIGHT, "names_again.tsv", "the same with tabs", "directed none [ann bob cid dan] ann>bob bob>cid dan>ann", NULL},
    {RIGHT, "names_blanks.txt", "a plain list of names", "directed none [ann bob cid dan] ann>bob bob>cid dan>ann", NULL},
    {RIGHT, "names_blanks_once.txt", "a plain list of names, the first two only there", "directed none [ann bob cid jerry tom] ann>bob bob>cid tom>jerry", "header"},
    {RIGHT, "names_weights_blanks.txt", "a plain list of names and weights", "directed u32 [ann bob cid dan] ann>bob:2 bob>cid:3 dan>ann:1", NULL},
    {RIGHT, "names_with_blanks.tsv", "names with blanks between tabs", "directed none [Boston New York San Francisco] Boston>San Francisco New York>Boston San Francisco>New York", NULL},
    {RIGHT, "names_header_blanks.txt", "a header above names, blanks", "directed u32 [ann bob cid] ann>bob:2 bob>cid:3", NULL},
    {RIGHT, "comment_then_header.csv", "a comment above the header", "directed none [1 2 3] 1>2 2>3", NULL},
    {RIGHT, "trailing_comma.csv", "a comma at the end of each line", "directed none [1 2 3] 1>2 2>3 3>1", NULL},
    {RIGHT, "negative_ids.csv", "ids with a sign", "directed none [-300 -1 2] -1>2 2>-300", NULL},
    {EITHER, "hashtags.csv", "names that look like comments", "directed none [#art #music #pop jazz] #art>#music #music>#pop #pop>jazz", NULL},
    {EITHER, "inch_marks.csv", "quotes within fields", "directed none [3\" pipe 5\" pipe valve] 5\" pipe>valve valve>3\" pipe", NULL},
    {REFUSED, "open_quote.csv", "a quote that is never closed", ":2:", NULL},
    {EITHER, "source_ip.csv", "network flows", "directed none [10.0.0.1 10.0.0.2 10.0.0.3] 10.0.0.1>10.0.0.2 10.0.0.2>10.0.0.3", NULL},
    {EITHER, "rdf_words.csv", "subject, predicate, object", "directed none [france lyon paris] lyon>france paris>france", NULL},
    {EITHER, "triples.tsv", "FB15k: head, relation, tail without a header", "directed none [/m/017dcd /m/027rn /m/06cx9 /m/06v8s0] /m/017dcd>/m/06v8s0 /m/027rn>/m/06cx9 /m/06cx9>/m/017dcd", NULL},
    {EITHER, "letters.txt", "a textbook's vertices u, v, w: no header", "directed none [u v w] u>v v>w w>u", NULL},
    {REFUSED, "follower_followee.csv", "unknown words above names", "`header=yes`", "`header=no`"},
    {REFUSED, "follower_followee.tsv", "unknown words above names, tabs", "`header=yes`", "`header=no`"},
    {REFUSED, "follower_numbers.csv", "unknown words above numbers: a header", "`source_col", "followee"},
    {REFUSED, "head_tail.csv", "head and tail alone mean both ways", "`source_col", NULL},
    {EITHER, "openflights.csv", "two pairs of columns could be the ends: codes, numbers", "directed none [2965 2966 2990] 2965>2990 2966>2990", NULL},
    {REFUSED, "one_known_word.csv", "a source, but no target", "`target_col", NULL},
    {REFUSED, "two_weights.csv", "no header, two columns could be the weight", "`weight_col", NULL},
    {REFUSED, "two_weights.txt", "no header, blanks", "`weight_col", NULL},
    {REFUSED, "ragged.csv", "a line with one field", ":3:", NULL},
    {REFUSED, "weight_words.csv", "a weight that is a word", ":3:", NULL},

    /* NetworkX and look-alikes */
    {RIGHT, "networkx_edgelist.txt", "write_edgelist", "directed none [1 2 3] 1>2 2>3 3>1", NULL},
    {RIGHT, "networkx_weight.txt", "write_edgelist of weights", "directed u32 [1 2 3] 1>2:5 2>3:7 3>1:4", NULL},
    {RIGHT, "networkx_no_data.txt", "write_edgelist(data=False)", "directed none [ann bob cid dan] ann>bob bob>cid dan>ann", NULL},
    {RIGHT, "networkx_commas.csv", "write_edgelist(delimiter=',', data=False)", "directed none [1 2 3] 1>2 2>3 3>1", NULL},
    {RIGHT, "networkx_weighted.txt", "write_weighted_edgelist", "directed u32 [1 2 3] 1>2:5 2>3:7 3>1:4", NULL},
    {RIGHT, "networkx_weight_only.txt", "write_edgelist(data=['weight'])", "directed u32 [1 2 3] 1>2:5 2>3:7 3>1:4", NULL},
    {RIGHT, "networkx_attributes.txt", "write_edgelist of several attributes", "directed f32 [ann bob cid] ann>bob:0.5 bob>cid:2", NULL},
    {RIGHT, "networkx_colors.txt", "write_edgelist of an attribute that is no weight", "directed none [1 2 3] 1>2 2>3", NULL},
    {RIGHT, "networkx_pandas.csv", "to_pandas_edgelist().to_csv(index=False)", "directed u32 [1 2 3] 1>2:5 2>3:7 3>1:4", NULL},
    {EITHER, "networkx_commas_data.csv", "write_edgelist(delimiter=',')", "directed u32 [1 2 3] 1>2:5 2>3:7 3>1:4", NULL},
    {EITHER, "networkx_grid.txt", "write_edgelist of a grid: vertices are pairs", "directed none [(0, 0) (0, 1) (0, 2)] (0, 0)>(0, 1) (0, 1)>(0, 2)", NULL},
    {REFUSED, "networkx_some_weights.txt", "write_edgelist where one edge has no weight", ":2:", "weight"},
    {RIGHT, "arrows.txt", "u -> v", "directed none [1 2 3] 1>2 2>3 3>1", NULL},
    {RIGHT, "arrows_names.txt", "u -> v of names", "directed none [ann bob cid dan] ann>bob bob>cid dan>ann", NULL},
    {RIGHT, "brackets.txt", "[u, v]", "directed none [1 2 3] 1>2 2>3 3>1", NULL},
    {RIGHT, "tuples.txt", "(u, v), as Python prints it", "directed none [1 2 3] 1>2 2>3 3>1", NULL},
    {EITHER, "tuples_names.txt", "('u', 'v'), as Python prints it", "directed none [ann bob cid] ann>bob bob>cid", NULL},
    {RIGHT, "counts_first.txt", "n m, then m edges from 1", "directed none [1 2 3 4] 1>2 2>3 3>4", NULL},
    {RIGHT, "counts_first_zero.txt", "n m, then m edges from 0", "directed none [0 1 2 3] 0>1 1>2 2>3 3>0", NULL},
    {RIGHT, "counts_first_weights.txt", "n m, then m edges with weights", "directed u32 [1 2 3 4] 1>2:5 2>3:6 3>4:7", NULL},
    {RIGHT, "counts_other.txt", "four lines where the first says 5: an edge", "directed none [1 2 3 4 5] 1>2 2>3 3>4 4>5", NULL},
    {RIGHT, "counts_too_large.txt", "an id beyond n: an edge", "directed none [1 2 3 4 9] 1>2 2>3 3>9 4>3", NULL},
    {REFUSED, "counts_two.txt", "n m with m = 2: an edge or not", ":1:", NULL},
};
/* clang-format on */

#endif
