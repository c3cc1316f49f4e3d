"""The version of the installed NetworkX."""
from __future__ import annotations

import re

import networkx as nx


def release(version):
    """(major, minor) of a version, including pre-releases: 3.7, 3.7rc0, 3.8b1.dev0+local."""
    numbers = re.match(r"(\d+)\.(\d+)", version)
    return (int(numbers[1]), int(numbers[2])) if numbers else (0, 0)


NETWORKX = release(nx.__version__)
