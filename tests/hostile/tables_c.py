"""Biology, transport, networks of machines, papers, money: files as they are published or logged."""
from cases import ASK, Case, graph

CASES = [
    Case("biogrid_tab3.txt", "#BioGRID Interaction ID\tEntrez Gene Interactor A\tEntrez Gene Interactor B\t"
         "BioGRID ID Interactor A\tBioGRID ID Interactor B\tScore\n103\t6416\t2318\t112315\t108607\t-\n"
         "117\t84665\t88\t124185\t106603\t-\n", graph("6416>2318 84665>88"), "BioGRID: # begins the header",
         say="Interactor", also=[("--source-col 2 --target-col 3 --no-weights", graph("6416>2318 84665>88"))]),
    Case("gene2go.tsv", "#tax_id\tGeneID\tGO_ID\tEvidence\n9606\t1\tGO:0005576\tIEA\n9606\t2\tGO:0002020\tIPI\n"
         "9606\t2\tGO:0005576\tIDA\n", graph("1>GO:0005576 2>GO:0002020 2>GO:0005576"),
         "NCBI: the first column is the species", say="tax_id|GeneID",
         also=[("--source-col 2 --target-col 3", graph("1>GO:0005576 2>GO:0002020 2>GO:0005576"))]),
    Case("nodes.dmp", "1\t|\t1\t|\tno rank\t|\t8\t|\n2\t|\t131567\t|\tsuperkingdom\t|\t0\t|\n"
         "6\t|\t335928\t|\tgenus\t|\t0\t|\n",
         graph("1>1 2>131567 6>335928"), "NCBI taxonomy: tab, bar, tab", help="--source-col|--separator|columns",
         say="columns"),
    Case("go.obo", "format-version: 1.2\n\n[Term]\nid: GO:0000001\nname: a\nis_a: GO:0048308 ! b\n\n[Term]\n"
         "id: GO:0048308\nname: b\n", ASK, "an ontology; lines of key: value", help="OBO|ontology"),
    Case("scores.abc", "P1\tP2\t1e-20\nP2\tP3\t3.5e-7\nP1\tP3\t0.002\n", graph("P1>P2=1e-20 P2>P3=3.5e-7 P1>P3=0.002"),
         "mcl --abc: weights are E-values"),
    # Machines.
    Case("conn.log", "#separator \\x09\n#set_separator\t,\n"
         "#fields\tts\tuid\tid.orig_h\tid.orig_p\tid.resp_h\tid.resp_p\n"
         "#types\ttime\tstring\taddr\tport\taddr\tport\n1331901000.1\tCx1\t10.0.0.1\t5353\t10.0.0.9\t53\n"
         "1331901001.2\tCx2\t10.0.0.2\t5354\t10.0.0.9\t53\n#close\t2012-03-16-13-00-00\n",
         graph("10.0.0.1>10.0.0.9 10.0.0.2>10.0.0.9"), "Zeek: the header is in a comment",
         also=[("--source-col 3 --target-col 5", graph("10.0.0.1>10.0.0.9 10.0.0.2>10.0.0.9"))]),
    Case("flows.csv", "src_ip,src_port,dst_ip,dst_port,proto,bytes\n10.0.0.1,5353,10.0.0.9,53,17,120\n"
         "10.0.0.1,443,10.0.0.2,5354,6,90\n", graph("10.0.0.1>10.0.0.9 10.0.0.1>10.0.0.2"),
         "addresses and ports: both have a source", say="src_ip",
         also=[("--source-col src_ip --target-col dst_ip --weight-col bytes",
                graph("10.0.0.1>10.0.0.9=120 10.0.0.1>10.0.0.2=90"))]),
    Case("calls.csv", "caller,callee,start,end,duration\n41791,41792,100,160,60\n41792,41793,200,230,30\n",
         graph("41791>41792 41792>41793", directed=True), "start and end are times here", say="caller"),
    Case("inbox.csv", 'Date,From,To,Subject\n2024-01-01,ann@x.org,"bob@x.org, cid@x.org",Hi\n'
         "2024-01-02,bob@x.org,ann@x.org,Re: Hi\n",
         graph("ann@x.org>bob@x.org ann@x.org>cid@x.org bob@x.org>ann@x.org"), "a mail to two has a list in its field",
         help="bob@x.org|several|list", say="several|list|comma"),
    Case("parents.txt", "e5f6a70 c3d4e5f b2c3d4e\nc3d4e5f a1b2c3d\nb2c3d4e a1b2c3d\na1b2c3d\n",
         graph("e5f6a70>c3d4e5f e5f6a70>b2c3d4e c3d4e5f>a1b2c3d b2c3d4e>a1b2c3d"), "git log --format='%h %p'",
         help="adjlist", also=[("--format adjlist",
                                graph("e5f6a70>c3d4e5f e5f6a70>b2c3d4e c3d4e5f>a1b2c3d b2c3d4e>a1b2c3d"))]),
    Case("main.d", "main.o: main.c graph.h \\\n list.h\ngraph.o: graph.c graph.h\n",
         graph("main.o>main.c main.o>graph.h main.o>list.h graph.o>graph.c graph.o>graph.h"),
         "gcc -MMD: a line goes on behind a backslash", help=r"\\|continu"),
    # Papers and people.
    Case("wiki_rfa.txt", "SRC:Ann\nTGT:Bob\nVOT:1\nYEA:2013\n\nSRC:Cid\nTGT:Bob\nVOT:-1\nYEA:2013\n", ASK,
         "SNAP's wiki-RfA: a record is a block of lines", help="block|record|SRC|key"),
    Case("higgs_activity.txt", "223789 213163 1341100972 MT\n223789 213163 1341103411 RE\n376989 50329 1341101181 RT\n",
         graph("223789>213163 376989>50329"), "who, whom, when, how", say="Unix|time",
         also=[("--source-col 1 --target-col 2 --no-weights", graph("223789>213163 376989>50329"))]),
    Case("aminer.txt", "#*A title\n#@Ann Lee;Bob Ray\n#t2001\n#index1\n#%2\n#%3\n\n#*Another\n#index2\n\n#index3\n",
         ASK,
         "citations of AMiner: every line begins with #", help="AMiner|record|comment|#index"),
    Case("BX-Ratings.csv", '"User-ID";"ISBN";"Book-Rating"\n"276725";"034545104X";"0"\n"276726";"0155061224";"5"\n',
         ASK, "users and books of Book-Crossing, codes with a zero in front",
         help="--bipartite|--source-col|column",
         also=[("--source-col 1 --target-col 2 --weight-col 3 --bipartite",
                graph("276725>034545104X=0 276726>0155061224=5", directed=False))]),
    Case("out.tags", "% bip weighted\n% 3 2 2\n1 1 5 8812\n2 1 3 8813\n2 2 4 8814\n",
         graph("source:1>target:1=5 source:2>target:1=3 source:2>target:2=4", directed=False),
         "KONECT: two kinds of vertices, both from 1"),
    # Transport.
    Case("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nT1,06:00:00,06:00:30,A,1\n"
         "T1,06:05:00,06:05:30,B,2\nT2,07:00:00,07:00:30,B,1\n", ASK, "GTFS, stop times: no edges at all"),
    Case("pathways.txt", "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\nP1,E1,H1,1,1\n"
         "P2,H1,Q1,6,0\n",
         graph("E1>H1 H1>E1 H1>Q1", directed=True), "GTFS, pathways: a direction in each row", say="is_bidirectional",
         help="is_bidirectional|--source-col"),
    Case("town_net.tntp", "<NUMBER OF ZONES> 2\n<NUMBER OF LINKS> 3\n<END OF METADATA>\n\n"
         "~\tinit_node\tterm_node\tcapacity\tlength\t;\n\t1\t2\t25900.2\t6\t;\n"
         "\t2\t3\t23403.5\t4\t;\n\t3\t1\t4958.2\t5\t;\n",
         graph("1>2 2>3 3>1"), "Transportation Networks: metadata, tabs and semicolons",
         help="TNTP|init_node|metadata"),
    Case("streets.csv", "u,v,key,osmid,oneway,length\n"
         "101,102,0,55,False,10.5\n101,102,1,56,False,12.25\n102,103,0,57,True,9\n",
         graph("101>102 102>103"), "OSMnx: two streets between the same corners",
         also=[("--weight-col length", ASK),
               ("--weight-col length --duplicates sum", graph("101>102=22.75 102>103=9"))]),
    # Money.
    Case("aml.csv", "Timestamp,From Bank,Account,To Bank,Account,Amount Paid\n"
         "2022/09/01 00:20,10,8000EB,10,8000EB,3697.34\n"
         "2022/09/01 00:26,3208,8000F4,1,8000F5,0.01\n", ASK, "banks and accounts, and Account twice",
         help="Account|From Bank|--source-col",
         also=[("--source-col 3 --target-col 5", graph("8000EB>8000EB 8000F4>8000F5"))]),
    Case("transactions.csv", "hash,from_address,to_address,value\n0xaa,0x01,0x02,1000000000000000000\n0xab,0x02,,0\n"
         "0xac,0x02,0x03,5\n", ASK, "Ethereum: a contract's creation has no receiver", help="to_address|empty|missing"),
    Case("buchungen.csv", "Auftraggeber;Empf\u00e4nger;Betrag\r\nMohr;Ley;1.234,56\r\n"
         "Ley;Kranz;0,50\r\n".encode("cp1252"),
         ASK, "a bank's list in a code page of Windows",
         also=[("--source-col 1 --target-col 2 --weight-col 3 --header",
                graph([("Mohr", "Ley", 1234.56), ("Ley", "Kranz", 0.5)]))]),
]
