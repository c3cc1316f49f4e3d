"""make_entry_points.py PYPROJECT VERSION FOLDER: the entry points of a project, as an installed package has them."""
import os
import sys
import tomllib

with open(sys.argv[1], "rb") as f:
    project = tomllib.load(f)["project"]
version, folder = sys.argv[2:]
os.makedirs(folder, exist_ok=True)
with open(os.path.join(folder, "METADATA"), "w") as f:
    f.write(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {version}\nSummary: {project['description']}\n")
with open(os.path.join(folder, "entry_points.txt"), "w") as f:
    for group, entries in project["entry-points"].items():
        f.write(f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in entries.items()))
