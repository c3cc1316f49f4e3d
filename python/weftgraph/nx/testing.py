"""What of NetworkX's test suite cannot pass with a backend that converts graphs."""


def on_start_tests(items):
    import pytest

    reasons = {
        ("TestDAG", "test_topological_sort6"): "the graph is changed while its order is iterated, which a conversion does not see",
    }
    for item in items:
        path = (item.parent.name if item.parent else "", item.name)
        if path in reasons:
            item.add_marker(pytest.mark.xfail(reason=reasons[path], strict=True))
