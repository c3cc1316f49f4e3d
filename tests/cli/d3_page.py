"""Draws a node-link JSON as pages of d3 do, in a headless Chromium, and looks at the drawing; prints what is wrong.
    d3_page.py CHROMIUM FOLDER GRAPH.json
Links name their ends by id, as d3.forceLink().id(d => d.id) takes them; circles stand at x and y, as large as `total`,
with `label` as their title.  Exit code 77: the browser does not start."""
import json
import sys

from browser import Browser, Trouble

program, folder, path = sys.argv[1:]
PAGE = """<!doctype html><meta charset="utf-8"><title>d3</title><svg viewBox="-9 -9 18 18"></svg>
<script type="application/json" id="graph">%s</script><script>
const graph = JSON.parse(document.getElementById("graph").textContent), node = new Map(graph.nodes.map((d) => [d.id, d]));
const svg = document.querySelector("svg"), of = (name, values) => {
    const made = document.createElementNS(svg.namespaceURI, name);
    for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
    return svg.appendChild(made);
};
for (const { source, target } of graph.links) {
    const a = node.get(source), b = node.get(target);
    of("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y });
}
for (const d of graph.nodes) of("circle", { cx: d.x, cy: d.y, r: 0.1 * d.total }).appendChild(document.createElement("title")).textContent = d.label ?? d.id;
</script>"""


def look(page, graph):
    wanted = {"nodes": len(graph["nodes"]), "links": len(graph["links"]),
              "titles": [str(d.get("label", d["id"])) for d in graph["nodes"]], "radii": [round(0.1 * d["total"], 6) for d in graph["nodes"]]}
    got = page.value("""({ nodes: svg.querySelectorAll("circle").length, links: svg.querySelectorAll("line").length,
        titles: [...svg.querySelectorAll("title")].map((x) => x.textContent),
        radii: [...svg.querySelectorAll("circle")].map((c) => +c.r.baseVal.value.toFixed(6)) })""")
    if got != wanted:
        print(f"drawn {got}, in the file {wanted}")
    if page.value("[...svg.querySelectorAll('circle, line')].some((x) => !isFinite(x.getBoundingClientRect().left))"):
        print("something has no place")
    for words in page.complaints:
        print(words)


with open(path, encoding="utf-8") as f:
    text = f.read()
with open(f"{folder}/d3.html", "w", encoding="utf-8") as f:
    f.write(PAGE % text.replace("<", "\\u003c"))
try:
    browser = Browser(program, folder)
    browser.call("Browser.getVersion")
except (OSError, Trouble):
    sys.exit(77)
with browser:
    look(browser.open(f"file://{folder}/d3.html"), json.loads(text))
