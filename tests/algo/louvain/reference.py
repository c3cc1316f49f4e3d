"""What louvain must answer: see tests/conformance/compare.py."""
from expecting import check_communities as check  # noqa: F401
