"""WEFT_TEST_PART=2/3 takes every third file, from the second on."""
import os


def pytest_collection_modifyitems(items):
    part, parts = map(int, os.environ.get("WEFT_TEST_PART", "1/1").split("/"))
    files = sorted({item.path for item in items})[part - 1::parts]
    items[:] = [item for item in items if item.path in files]
