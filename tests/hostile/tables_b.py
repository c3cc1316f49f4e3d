"""What spreadsheets, statistics packages, databases and graph tools export."""
from cases import ASK, Case, graph

BOM = "\ufeff"
NARROW = "\u202f"
CASES = [
    # Graph tools.
    Case("gephi_undirected.csv", "Source,Target,Type,Id,Label,timeset,Weight\n10,11,Undirected,0,,,1.0\n"
         "11,12,Undirected,1,,,2.5\n10,12,Undirected,2,,,1.0\n", graph("10>11=1 11>12=2.5 10>12=1", directed=False),
         "Gephi's table of edges"),
    Case("gephi_mixed.csv", "Source,Target,Type,Weight\na,b,Directed,1\nb,c,Undirected,1\n", ASK,
         "some edges have a direction, some have none", help="Type|--directed|--undirected"),
    Case("neo4j_roles.csv", ":START_ID(Person),roles:string[],:END_ID(Film),:TYPE\np1,Neo;The One,f1,ACTED_IN\n"
         "p2,Trinity,f1,ACTED_IN\np1,,f2,ACTED_IN\n", graph("p1>f1 p2>f1 p1>f2"),
         "neo4j-admin: two id spaces, an array with semicolons"),
    Case("nx_two_attributes.txt", "1 2 {'color': 'red', 'weight': 3.5}\n2 3 {'color': 'blue, dark', 'weight': 1.25}\n",
         graph("1>2=3.5 2>3=1.25"), "nx.write_edgelist with two attributes, one with a comma"),
    Case("guess.gdf", "nodedef>name VARCHAR,label VARCHAR\ns1,Ann\ns2,Bob\ns3,Cid\n"
         "edgedef>node1 VARCHAR,node2 VARCHAR,weight DOUBLE,directed BOOLEAN\ns1,s2,2.0,true\ns2,s3,1.0,true\n",
         graph("s1>s2=2 s2>s3=1"), "GUESS and Gephi: vertices and edges in one file", help="GDF|nodedef|GUESS"),
    # R, pandas, NumPy.
    Case("r_print.txt", "     [,1] [,2]\n[1,]    1    2\n[2,]    2    3\n[3,]    3    1\n", graph("1>2 2>3 3>1"),
         "a matrix as R prints it", help=r"R's|\[,1\]|\[1,\]|row name|print|--source-col"),
    Case("pandas_print.txt", "     source  target\n0         1       2\n1         1       3\n..      ...     ...\n"
         "98        7       9\n99        8       9\n\n[100 rows x 2 columns]\n", ASK,
         "a table as pandas prints it, the most of it left out", help=r"pandas|print|\.\.\.|to_csv"),
    Case("crosstab.csv", "source,ann,bob,cid\nann,0,1,0\nbob,0,0,4\ncid,2,0,0\n",
         graph("ann>bob=1 bob>cid=4 cid>ann=2"),
         "pd.crosstab: a matrix whose corner says source", help="--format|matrix|--header|--target-col", say="matrix"),
    Case("savetxt_default.txt", "1.000000000000000000e+00 2.000000000000000000e+00 5.000000000000000000e-01\n"
         "2.000000000000000000e+00 3.000000000000000000e+00 1.500000000000000000e+00\n", graph("1>2=0.5 2>3=1.5"),
         "numpy.savetxt: ids as 1.000e+00", help="--ids|fraction|whole"),
    Case("edge_pairs.txt", "[(1, 2), (2, 3), (3, 1)]\n", graph("1>2 2>3 3>1"), "print(list(G.edges))",
         help=r"Python|JSON|one edge per line|\[\(|--"),
    # Spreadsheets.
    Case("unicode_text.txt", ("\ufefffrom\tto\tweight\r\n"
         "Zo\u00eb\tBj\u00f6rk\t2\r\nBj\u00f6rk\tAnn\t3\r\n").encode("utf-16-le"),
         graph("Zo\u00eb>Bj\u00f6rk=2 Bj\u00f6rk>Ann=3"), "Excel's Unicode text: UTF-16, tabs, CRLF"),
    Case("empty_columns.csv", "from,to,weight,,\r\n1,2,3,,\r\n2,3,4,,\r\n,,,,\r\n,,,,\r\n", graph("1>2=3 2>3=4"),
         "columns and rows of a sheet that were emptied, not deleted"),
    Case("total_row.csv", "from,to,weight\n1,2,300\n2,3,150\nTotal,,450\n", ASK, "the sum under the table",
         help="Total|target|'to'|empty|missing"),
    Case("merged_cells.csv", "from,to\nann,bob\n,cid\n,dan\neve,bob\n", ASK, "merged cells: empty means as above",
         help="'from'|source|empty|missing"),
    Case("long_numbers.csv", "source,target\n4.91511E+12,4.91512E+12\n4.91511E+12,4.91516E+12\n"
         "4.91512E+12,4.91516E+12\n",
         ASK, "telephone numbers that Excel rounded: different ones are the same now",
         help=r"E\+12|exponent|--ids", say=r"E\+12|exponent|round"),
    Case("dollars.csv", 'from,to,weight\nacme,bolt,"$1,234.50"\nbolt,coil,$99.00\n',
         graph("acme>bolt=1234.5 bolt>coil=99"),
         "amounts with a sign of a currency", help=r"weight.*\$|\$.*weight|--no-weights|--weight-col"),
    Case("french.csv", f"source;target;weight\nann;bob;1{NARROW}234,5\nbob;cid;12,25\n",
         graph("ann>bob=1234.5 bob>cid=12.25"), "narrow blanks between thousands", help="weight|--decimal"),
    Case("spaces_then_quotes.csv", 'source, target, weight\n"Lee, Ann", "Ray, Bob", 2\n"Ray, Bob", "Cid", 3\n',
         graph([("Lee, Ann", "Ray, Bob", 2), ("Ray, Bob", "Cid", 3)]), "a blank between the comma and the quote",
         help="quote"),
    Case("outfile.csv", '"Ann \\"the fist\\" Lee","Bob"\n"Bob","Cid"\n',
         graph([('Ann "the fist" Lee', "Bob"), ("Bob", "Cid")]), "MySQL and Spark: \\\" within quotes", help="quote"),
    Case("two_kinds_of_ends.csv", "from,to,weight\r\n1,2,3\n2,3,4\r\n3,1,5", graph("1>2=3 2>3=4 3>1=5"),
         "CRLF and LF in one file, no end behind the last line"),
    # Databases and text.
    Case("trailing_tabs.tsv", "1\t2\t\n2\t3\t\n3\t1\t\n", graph("1>2 2>3 3>1"), "a tab behind each line"),
    Case("double_bars.txt", "ann||bob||3\nbob||cid||4\n", graph("ann>bob=3 bob>cid=4", weights="optional"),
         "a separator of two characters", help="separator|sed|\\|\\|"),
    Case("wiki_table.md", "| source | target | weight |\n|--------|:------:|-------:|\n| ann | bob | 2 |\n"
         "| bob | cid | 3 |\n", graph("ann>bob=2 bob>cid=3"), "a table of Markdown",
         help="Markdown|----|bars|rule|--source-col"),
    Case("child_first.csv", "child,parent\nb,a\nc,a\nd,b\n", graph("a>b a>c b>d", directed=True),
         "the columns stand the other way round"),
    Case("arcs_of_a_course.csv", "arc,tail,head\n1,a,b\n2,b,c\n3,a,c\n", ASK,
         "tail to head in textbooks, head to tail in knowledge graphs",
         also=[("--source-col tail --target-col head", graph("a>b b>c a>c"))]),
    Case("staff.csv", "employee_id,name,manager_id\n1,Ann,\n2,Bob,1\n3,Cid,1\n", ASK,
         "one table of vertices and of edges; the first has no manager"),
]
