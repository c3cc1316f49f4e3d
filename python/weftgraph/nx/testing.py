"""The tests of NetworkX's suite that cannot pass with a backend that converts graphs, and has its own order of
moves."""


def on_start_tests(items):
    import pytest

    stream = "the partition, or the order of its sets, that NetworkX's own random numbers lead to"
    levels = "the number of levels that NetworkX's own random numbers lead to"
    reasons = {
        ("TestDAG", "test_topological_sort6"): "the graph is changed while its order is iterated, which a conversion does not see",
        ("test_louvain.py", "test_karate_club_partition"): stream,
        ("test_louvain.py", "test_undirected_selfloops"): stream,
        ("test_louvain.py", "test_directed_partition"): stream,
        ("test_louvain.py", "test_none_weight_param"): stream,
        ("test_louvain.py", "test_petersen"): stream,
        ("test_leiden.py", "test_expected_stable_across_code_changes_cpm"): stream,
        ("test_leiden.py", "test_comms_change_after_aggregation"): levels,
        ("test_leiden.py", "test_directed_weights_matter[modularity]"): stream,
        ("test_leiden.py", "test_cpm_node_weights_on_G"): levels,
        ("test_louvain.py", "test_multigraph"): "two graphs with different weights, which these numbers lead to one partition",
    }
    for item in items:
        path = (item.parent.name.rpartition("/")[2] if item.parent else "", item.name)
        if path in reasons:
            item.add_marker(pytest.mark.xfail(reason=reasons[path], strict=True))
