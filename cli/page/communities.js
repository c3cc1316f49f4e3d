// Communities: words, the graph of the largest ones, their sizes, and a table with the vertices that lead in each.

// The eight largest have the colours of the drawing.
const communityColour = (i) => (i < MOST_COLOURS ? `var(--c${i})` : "var(--soft)");

// Members by community, which are listed one after the other.
function membersOf(s) {
    const first = s.tables.members.columns[2] === "label" ? 2 : 1, members = new Map();
    for (const row of s.tables.members.rows) {
        if (!members.has(row[0])) members.set(row[0], []);
        members.get(row[0]).push({ id: row[1], name: first === 2 && row[2] ? row[2] : String(row[1]) });
    }
    return members;
}

// A line has the width of its share of the largest number of edges between two; short ends are inside the circles.
function communityLines(svg, s, at) {
    const rows = [...s.tables.between.rows].sort((a, b) => a[2] - b[2]), most = rows.length ? rows.at(-1)[2] : 1;
    for (const [from, to, edges] of rows) {
        const share = Math.sqrt(edges / most), [a, b] = [at.get(from), at.get(to)];
        svg.append(shape("line", { class: "between", x1: a.x, y1: a.y, x2: b.x, y2: b.y,
            "stroke-width": (0.6 + 9 * share).toFixed(1), "stroke-opacity": (0.12 + 0.4 * share).toFixed(2) }));
    }
}

function communityGraph(s, members) {
    const rows = s.tables.circles.rows, largest = s.tables.largest.rows, pad = 8, wide = CHART.width - 2 * pad;
    const right = Math.max(...rows.map((r) => r[1] + r[3])), bottom = Math.max(...rows.map((r) => r[2] + r[3]));
    const k = Math.min(wide / right, 470 / bottom), shift = pad + (wide - right * k) / 2, at = new Map();
    rows.forEach(([id, x, y, r]) => at.set(id, { x: shift + x * k, y: pad + y * k, r: Math.max(2.5, r * k) }));
    const about = `${plural(rows.length, "community", "communities")}: circles are as large as their vertices are many, `
        + `lines as wide as the edges between them are.`;
    const svg = shape("svg", { viewBox: `0 0 ${CHART.width} ${Math.ceil(bottom * k + 2 * pad)}`, role: "img",
        "aria-label": `The graph of communities. ${about}` });
    communityLines(svg, s, at);
    const marks = rows.map(([id], i) => {
        const { x, y, r } = at.get(id), name = short(members.get(id)[0].name);
        svg.append(shape("circle", { class: "mark", cx: x.toFixed(1), cy: y.toFixed(1), r: r.toFixed(1),
            style: `fill:${communityColour(i)}` }));
        if (2 * r > 7 * name.length + 8)
            svg.append(shape("text", { class: "inside", x, y: y + 4, "text-anchor": "middle" }, name));
        return [x, y, i];
    });
    const figure = el("figure", { class: "chart" }, el("h4", {}, "The graph of communities"),
        el("figcaption", {}, about, " Names are those of the vertices of largest PageRank."));
    figure.append(svg);
    followPointer(figure, svg, marks, (i) => `${i + 1}: ${vertices(largest[i][1])}, ${plural(largest[i][3], "edge")} `
        + `inside, ${count(largest[i][4])} that leave; ${members.get(largest[i][0]).map((m) => m.name).join(", ")}`);
    return figure;
}

function communitySizes(s) {
    const rows = s.tables.sizes.rows, all = s.values.count;
    if (all > 60)
        return chart({ title: "Communities by size", about: "How many communities have so many vertices.",
            x: { name: "vertices of the community", log: true }, y: { name: "communities", log: true },
            series: [{ kind: "points", style: "s2", points: rows.map((r) => [r[0], r[1]]) }],
            say: (p) => `${plural(p[1], "community", "communities")} of ${vertices(p[0])}` });
    const sizes = rows.flatMap(([size, times]) => Array(times).fill(size));
    return chart({ title: "Sizes of communities", about: "Vertices of each community, the largest first.",
        x: { name: "community", whole: true, pad: 0.7 }, y: { name: "vertices", zero: true, whole: true },
        series: [{ kind: "bars", style: "s2", points: sizes.map((size, i) => [i + 1, size]) }],
        say: (p) => `community ${p[0]}: ${vertices(p[1])}, ${percent(p[1] / figures.vertices)}` });
}

const LISTED = 10;
function communityTable(s, members) {
    const name = (m) => el("button", { class: "name", type: "button", title: m.name === String(m.id) ? null
        : String(m.id), click: () => findInDrawing(m.id) }, m.name);
    const head = ["", "vertices", "edges inside", "edges that leave", "conductance", "leading vertices, by PageRank"];
    return el("div", { class: "wide", tabindex: "0" }, el("table", { class: "communities" },
        el("thead", {}, el("tr", {}, head.map((text, i) =>
            el("th", { scope: "col", class: i === 5 ? "text" : null }, text)))),
        el("tbody", {}, s.tables.largest.rows.slice(0, LISTED).map(([id, size, share, inside, leave, conductance], i) =>
            el("tr", {}, el("th", { scope: "row" }, el("i", { style: `background:${communityColour(i)}` }), `${i + 1}`),
                el("td", {}, `${count(size)} (${percent(share)})`), [inside, leave].map((x) => el("td", {}, count(x))),
                el("td", {}, real(conductance, 3)),
                el("td", { class: "text" },
                    members.get(id).flatMap((m, k) => (k ? [", ", name(m)] : [name(m)]))))))));
}

function communitiesPart() {
    const s = sections.communities;
    if (leftOut("communities")) return leftOut("communities");
    const v = s.values, shown = s.tables.largest.rows.length, members = membersOf(s);
    const alone = v.alone ? ` ${v.alone === 1 ? "One is" : `${count(v.alone)} are`} a single vertex.` : "";
    const words = !figures.vertices ? "There are no vertices." : `Leiden finds `
        + `${plural(v.count, "community", "communities")}, the largest with ${vertices(v.largest)}, of modularity `
        + `${real(v.modularity)}: ${percent(v.coverage)} of the edges are within communities.${alone}`
        + `${figures.weighted ? " Weights do not count." : ""} Conductance is the share of the ends of a community's `
        + `edges whose edge leaves it: 0 is closed, 1 has no edge inside.`;
    return [el("p", {}, words),
        shown ? el("div", { class: "pair" }, communityGraph(s, members), v.count > 1 ? communitySizes(s) : null) : null,
        shown ? communityTable(s, members) : null,
        endOf("communities", tableOf("communities", "largest", "the largest communities, by their smallest vertex"),
            tableOf("communities", "members", "their leading vertices"),
            tableOf("communities", "between", "edges between them"), tableOf("communities", "circles", "their places"),
            tableOf("communities", "sizes", "communities by size"))];
}
