"""A hundred tables and other files of edges as people have them, each with the graph that it should be."""
import tables_a
import tables_b
import tables_c
import tables_d

CASES = tables_a.CASES + tables_b.CASES + tables_c.CASES + tables_d.CASES
assert len(CASES) == 100 and len({case.name for case in CASES}) == 100
