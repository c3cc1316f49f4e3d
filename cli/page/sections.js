// The page, part by part: words, charts, tables, how.
const sections = figures.sections;
const directed = figures.directed;
const leftOut = (name) =>
    (sections[name].left_out ? [el("p", { class: "soft" }, `Left out: ${sections[name].left_out}.`)] : null);
const endOf = (name, ...tables) => [...tables, howOf(name)];
const baseName = figures.file === "-" ? "standard input" : figures.file.split("/").pop();

// --- what it is ---

function headPart() {
    const facts = [[count(figures.vertices), figures.vertices === 1 ? "vertex" : "vertices"],
        [count(figures.edges), `${directed ? "directed" : "undirected"} edge${figures.edges === 1 ? "" : "s"}`],
        [real(figures.mean_degree), directed ? "mean out-degree" : "mean degree"]];
    const parts = sections.components.values, distances = sections.distances.values;
    facts.push([count(parts.weak.count), `${directed ? "weak " : ""}component${parts.weak.count === 1 ? "" : "s"}`]);
    if (distances && distances.vertices > 1)
        facts.push([between(distances.diameter, distances.diameter_at_most), "diameter"]);
    if (directed && sections.mixing.values.reciprocity !== null)
        facts.push([percent(sections.mixing.values.reciprocity), "reciprocity"]);
    if (sections.clustering.values) facts.push([real(sections.clustering.values.average), "average clustering"]);
    const communities = sections.communities.values;
    if (communities && figures.edges) facts.push([count(communities.count), `communit${communities.count === 1 ? "y"
        : "ies"}, modularity ${real(communities.modularity, 3)}`]);
    facts.push([count(sections.cores.values.degeneracy), "degeneracy"]);
    document.title = `${baseName}: Weft report`;
    document.getElementById("head").append(el("p", { class: "soft" }, "Weft report"), el("h1", {}, baseName),
        el("ul", { class: "facts" }, facts.map(([value, name]) => el("li", {}, el("b", {}, value), name))));
}

const sentence = (text) => text.trim().replace(/^, /, "").replace(/^./, (c) => c.toUpperCase());
const between = (low, high) => (low === high ? count(low) : `${count(low)} to ${count(high)}`);

function alertsPart() {
    return figures.alerts.length
        ? [el("ul", { class: "alerts" },
        figures.alerts.map((a) => el("li", { "data-kind": a.kind }, a.kind === "warning" ? a.text
        : `${sentence(a.text)}.`)))] : [];
}

function readingPart() {
    const f = figures, as = f.read_as, rows = [];
    const add = (name, ...text) => rows.push(el("dt", {}, name), el("dd", {}, ...text));
    add("file", el("code", {}, f.file), f.file_bytes ? `, ${bytes(f.file_bytes)}, read in ${milliseconds(f.load_ms)}`
        : "");
    add("format", f.format);
    if (f.columns) {
        const c = f.columns;
        add("columns", `${c.source} → `
            + `${c.target}${c.weight ? `, weight from ${c.weight}` : ""}`
            + (c.passed_over.length ? `; passed over: ${c.passed_over.join(", ")}` : ""));
    }
    const told = { flag: "as asked for", file: "as the file or its format says",
        assumed: "assumed: the file does not say, --directed or --undirected does" }[f.direction_from];
    add("direction", `${directed ? "directed" : "undirected"} (${told})`);
    add("ids", { dense: `whole numbers from ${f.id_base}, without gaps`, sparse: "whole numbers with gaps",
        string: "names" }[f.ids]);
    add("weights", f.weighted
        ? `${real(f.min_weight)} to ${real(f.max_weight)} (${f.weight_type}); no figure but those of the weights `
        + `themselves uses them`
        : as.weights === "ignore" ? "ignored, as asked for" : "none");
    add("edges in the file", count(f.records));
    add("duplicates", f.duplicates_dropped
        ? `${count(f.duplicates_dropped)} ${as.duplicates === "sum" ? "summed up" : "dropped"}`
        : `none dropped${as.duplicates === "keep" ? ": they were kept, as asked for" : ""}`);
    add("self-loops", f.self_loops_dropped ? `${count(f.self_loops_dropped)} dropped, ${count(f.self_loops)} kept`
        : f.self_loops ? `${count(f.self_loops)}, kept` : "none");
    add("isolated vertices", count(f.isolated));
    add("density", `${real(f.density)}: the share of possible edges that exist`);
    const alerted = new Set(f.alerts.map((a) => a.text));
    for (const note of f.notes) if (!alerted.has(note)) add("note", note);
    return [el("dl", { class: "reading" }, rows)];
}

// --- degrees ---

// Sum of k^-s from q on (Hurwitz), as in cli/report/power_law.c.
function zeta(s, q) {
    let sum = 0;
    for (; q < 16; q++) sum += q ** -s;
    const power = q ** -s;
    return sum + (power * q) / (s - 1) + power / 2 + (s * power) / q / 12;
}

const LEAST_TAIL = 50; // as in cli/report/report_degrees.c
const largestOf = (name) => (sections.degrees.tables[name].rows.at(-1) || [0])[0];
const exponent = (fit) => fit.alpha.toFixed(fit.alpha_error < 0.005 ? 3 : 2);

function fitWords(name, fit) {
    const whose = { in: "in-degrees", out: "out-degrees", degree: "degrees" }[name];
    if (!fit.found) return el("p", {}, largestOf(name) < LEAST_TAIL
        ? `No power law was fitted to the ${whose}: the largest is ${count(largestOf(name))}, and below `
        + `${LEAST_TAIL} there is no tail to speak of.`
        : `No power law was fitted to the ${whose}: it takes two different ones and ten vertices.`);
    const share = percent(fit.tail / figures.vertices);
    const start = `From degree ${count(fit.xmin)} on (${vertices(fit.tail)}, ${share}) the ${whose} are nearest to a `
        + `power law with exponent α = ${exponent(fit)} ± `
        + `${fit.alpha_error.toFixed(fit.alpha_error < 0.005 ? 3 : 2)}. `;
    if (!fit.replicates) return el("p", { class: "verdict" }, start, "Whether it is plausible was not tested.");
    const farther = Math.round(fit.p * fit.replicates);
    const test = `Of ${count(fit.replicates)} synthetic data sets drawn from that fit, ${count(farther)} `
        + `${farther === 1 ? "is" : "are"} farther from a power law than the graph (p = ${fit.p.toFixed(2)}; 0.1 or `
        + `less rules it out).`;
    const few = fit.tail < 50 ? " With so few vertices the test can hardly rule out anything." : "";
    return el("p", { class: `verdict ${fit.plausible ? "yes" : "no"}` }, start,
        el("b", {}, fit.plausible ? "A power law is plausible. " : "A power law is not plausible. "), test, few);
}

const DEGREES = { in: "in-degree", out: "out-degree", degree: "degree" };

// Few different degrees: each has its bars, on plain axes.
function degreeBars(names) {
    const series = names.map((name, i) =>
        ({ kind: "bars", style: `s${i}`, label: DEGREES[name], gap: 1 / names.length, shift: i - (names.length - 1) / 2,
        points: sections.degrees.tables[name].rows.map((r) => [r[0], r[1] / figures.vertices, r, DEGREES[name]]) }));
    return chart({ title: "Vertices by degree", about: "The share of vertices that have so many neighbours.",
        x: { name: "degree", whole: true, pad: 0.7 },
        y: { name: "share of vertices", zero: true, share: true }, series,
            say: (p) => `${p[3]} ${count(p[0])}: ${vertices(p[2][1])}, ${percent(p[1])}; ${percent(p[2][2])} have it `
            + `or more` });
}

// Many: shares at or above and in bins, on logarithmic axes, with the fit.
function degreeCurves(names) {
    const s = sections.degrees, above = [], density = [];
    names.forEach((name, i) => {
        const fit = s.values[name], rows = s.tables[name].rows, style = `s${i}`;
        above.push({ kind: "stair", style, label: DEGREES[name], points: rows.filter((r) => r[0] > 0)
            .map((r) => [r[0], r[2], r[1], DEGREES[name]]) });
        density.push({ kind: "points", style, label: DEGREES[name], points: s.tables[`${name}_bins`]
            .rows.filter((r) => r[0] > 0).map((r) => [Math.sqrt(r[0] * r[1]), r[3], r, DEGREES[name]]) });
        if (!fit.found) return;
        const last = rows[rows.length - 1][0], at = zeta(fit.alpha, fit.xmin), share = fit.tail / figures.vertices,
            curve = [], line = [];
        for (let k = 0; k <= 40; k++) {
            const x = fit.xmin * (last / fit.xmin) ** (k / 40);
            curve.push([x, (share * zeta(fit.alpha, x)) / at]);
            line.push([x, (share * x ** -fit.alpha) / at]);
        }
        const fitted = `fit, α = ${exponent(fit)}`;
        above.push({ kind: "line", dashed: true, silent: true, style: `s${i + 4}`, label: fitted, points: curve });
        density.push({ kind: "line", dashed: true, silent: true, style: `s${i + 4}`, label: fitted, points: line });
    });
    return [chart({ title: "Vertices of a degree or more",
        about: "The share of vertices whose degree is x or more. A power law is a straight line.",
        x: { name: "degree", log: true }, y: { name: "share of vertices", log: true }, series: above,
        say: (p) => `${p[3]} ${count(p[0])}: ${vertices(p[2])}; ${percent(p[1])} have it or more` }),
    chart({ title: "Vertices by degree, in bins",
        about: "The share of vertices for each degree, in bins that widen by a third.",
        x: { name: "degree", log: true }, y: { name: "share of vertices", log: true }, series: density,
        say: (p) => `${p[3]} ${p[2][0] === p[2][1] ? count(p[2][0]) : `${count(p[2][0])} to ${count(p[2][1])}`}: `
            + `${vertices(p[2][2])}` })];
}

function mixingWords() {
    const { reciprocity, mutual, assortativity: r } = sections.mixing.values;
    const both = directed && reciprocity !== null
        ? `Of the edges ${percent(reciprocity)} (${count(mutual)}) have their reverse. ` : "";
    const like = Math.abs(r) < 0.05 ? "next to none: the degrees at the ends of an edge say little of each other"
        : r > 0 ? "vertices of large degree are joined to others of large degree more than to small ones"
            : "vertices of large degree are joined to those of small degree more than to large ones";
    const ends = directed ? "out-degree where an edge begins and in-degree where it ends"
        : "degrees at the two ends of an edge";
    return el("p", {}, both, r === null ? "All edges join the same degrees: there is no degree assortativity."
        : `Degree assortativity, the correlation of ${ends}, is ${real(r)}: ${like}.`);
}

function degreesPart() {
    const names = directed ? ["in", "out"] : ["degree"], s = sections.degrees,
        many = names.some((name) => largestOf(name) >= LEAST_TAIL);
    const most = directed ? `The largest in-degree is ${count(figures.max_in_degree)}, the largest out-degree `
        + `${count(figures.max_degree)}.` : `The largest is ${count(figures.max_degree)}.`;
    const words = [el("p", {},
        `The mean ${directed ? "out-degree" : "degree"} is ${real(figures.mean_degree)}, the median `
        + `${count(figures.median_degree)}. ${most} The top 1 % of vertices hold ${percent(figures.skew)} of the `
        + `${directed ? "outgoing edges" : "edge ends"}.`),
        names.map((name) => fitWords(name, s.values[name])), figures.edges ? mixingWords() : null];
    const end = [...endOf("degrees",
        ...names.flatMap((name) => [tableOf("degrees", name, `vertices by ${DEGREES[name]}`),
        tableOf("degrees", `${name}_bins`, `${DEGREES[name]}s in bins`)])),
        tableOf("mixing", "rich_club", "edges between the vertices of a degree or more"),
        howOf("mixing", "How reciprocity and assortativity were computed")];
    if (!figures.edges) return [...words, end];
    return many ? [...words, el("div", { class: "pair" }, degreeCurves(names)), end]
        : [el("div", { class: "pair" }, el("div", {}, ...words, end), degreeBars(names))];
}

// --- weights ---

function weightsPart() {
    const s = sections.weights;
    if (!s) return [];
    const rows = s.tables.weights.rows, v = s.values, single = rows.every((r) => r[0] === r[1]),
        whole = figures.weight_type === "u32";
    const gap = Math.min(...rows.slice(1).map((r, i) => r[0] - rows[i][0])), log = !single && rows.length > 1
        && rows[0][0] > 0 && rows.at(-1)[1] / rows[0][0] >= 100;
    const span = (r) => (r[0] === r[1] ? real(r[0]) : `${real(r[0])} to ${real(r[1])}`),
        points = rows.map((r) => [single ? r[0] : log ? Math.sqrt(r[0] * (r[1] + whole))
        : (r[0] + r[1] + whole) / 2, r[2], single ? r : [r[0], r[1] + whole, r[2]]]);
    const signs = v.negative ? ` ${plural(v.negative, "edge has", "edges have")} a negative weight.`
        : "", zeros = v.zero ? ` ${plural(v.zero, "edge has", "edges have")} weight 0.` : "";
    return [el("p", {}, `Weights are from ${real(figures.min_weight)} to ${real(figures.max_weight)}; the mean is `
        + `${real(v.mean)}, the sum ${real(v.sum)}.${signs}${zeros}`),
        rows.length > 1 ? chart({ title: "Edges by weight", about: single ? "How many edges have each weight." : log
            ? "How many edges have such a weight, in bins that widen by a third."
            : "How many edges have such a weight, in even bins.",
            x: { name: "weight", log, pad: single ? 0.7 * gap : 0, include: single ? []
                : [rows[0][0], rows.at(-1)[1] + whole] }, y: { name: "edges", zero: true },
            series: [{ kind: "bars", style: "s4", spans: !single, gap, points }],
                say: (p) => `weight ${span(single ? p[2] : [p[2][0], p[2][1] - whole])}: ${plural(p[1], "edge")}` })
                : null,
        endOf("weights", tableOf("weights", "weights", single ? "edges by weight" : "weights in bins"))];
}

// --- components ---

function componentsPart() {
    const s = sections.components, kinds = directed ? ["weak", "strong"] : ["weak"];
    const words = (kind) => {
        const { count: parts, largest } = s.values[kind], name = directed ? `${kind} component` : "component";
        if (!figures.vertices) return "There are no vertices.";
        if (parts === 1) return directed
            ? `It is one ${name}${kind === "strong" ? ": every vertex reaches every other" : ""}.`
            : "The graph is connected: it is one component.";
        return `There are ${plural(parts, name)}; the largest has ${vertices(largest)}, `
            + `${percent(largest / figures.vertices)} of all.`;
    };
    const series = kinds.map((kind, i) =>
        ({ kind: "points", style: `s${i}`, label: kind, points: s.tables[kind].rows.map((r) => [r[0], r[1], kind]) }))
        .filter((one) => one.points.length > 1);
    return [el("p", {}, kinds.map(words).join(" "), directed
        ? " Weak components ignore direction; in a strong one there are paths both ways." : ""),
        series.length ? chart({ title: "Components by size", about: "How many components have so many vertices.",
            x: { name: "vertices of the component", log: true },
            y: { name: "components", log: true }, series,
                say: (p) => `${plural(p[1], directed ? `${p[2]} component` : "component")} of ${vertices(p[0])}` })
                : null,
        endOf("components", ...kinds.flatMap((kind) =>
            [tableOf("components", kind, `${directed ? `${kind} ` : ""}components by size`),
            tableOf("components", `${kind}_largest`,
            `the largest ${directed ? `${kind} ` : ""}components, by their smallest vertex`)]))];
}

// --- cores, clustering, distances ---

function coresPart() {
    const s = sections.cores, rows = s.tables.cores.rows, k = s.values.degeneracy;
    const series = [{ kind: "stair", style: "s2", label: "in the k-core",
        points: rows.map((r) => [r[0], r[2], r[1]]) }];
    return [el("p", {}, `The k-core is the largest part in which each vertex has k neighbours. The innermost one has `
        + `k = ${count(k)} and ${vertices(s.values.innermost)}.`
        + (directed ? " Neighbours count in either direction, each once." : "")),
        rows.length > 1 ? chart({ title: "Core profile",
            about: "Vertices in the k-core: what is left when all with fewer than k neighbours are peeled off.",
            x: { name: "k", whole: true, pad: 0.6 }, y: { name: "vertices", log: true }, series,
            say: (p) => `${p[0]}-core: ${vertices(p[1])}; core number ${p[0]}: ${vertices(p[2])}` }) : null,
        endOf("cores", tableOf("cores", "cores", "cores"))];
}

function clusteringPart() {
    const s = sections.clustering;
    if (leftOut("clustering")) return leftOut("clustering");
    const v = s.values, points = s.tables.by_degree.rows.map((r) => [Math.sqrt(r[0] * r[1]), r[3], r]);
    return [el("p", {}, `${plural(v.triangles, "triangle")}. On average ${percent(v.average)} of the pairs of a `
        + `vertex's neighbours are neighbours themselves; of all pairs that share a neighbour `
        + `${percent(v.transitivity)} are `
        + "(transitivity)." + (directed ? " The coefficients count arcs among the neighbours (LDBC); triangles and "
            + "transitivity ignore direction." : "")),
        points.length > 1 ? chart(
            { title: "Clustering by degree",
            about: `The mean coefficient of vertices by their degree${directed ? ", in and out together" : ""}, in `
            + `bins that widen by a third.`,
            x: { name: "degree", log: true }, y: { name: "mean coefficient", zero: true },
                series: [{ kind: "points", style: "s3", points }],
            say: (p) => `degree ${p[2][0] === p[2][1] ? count(p[2][0]) : `${count(p[2][0])} to ${count(p[2][1])}`}: `
                + `mean ${real(p[1])}, ${vertices(p[2][2])}` }) : null,
        endOf("clustering", tableOf("clustering", "by_degree", "coefficients by degree"))];
}

function distancesPart() {
    const s = sections.distances, v = s.values, rows = s.tables.pairs.rows;
    const where = (sections.components.values.weak.count > 1 ? "In the largest component" : "")
        + (directed ? ", regardless of direction," : "");
    const sure = v.diameter === v.diameter_at_most && v.radius === v.radius_at_least;
    const bound = (what, low, high) => (low === high ? `the ${what} is ${count(low)}`
        : `the ${what} is from ${count(low)} to ${count(high)}`);
    const head = `${where} ${bound("diameter", v.diameter, v.diameter_at_most)} and `
        + `${bound("radius", v.radius_at_least, v.radius)} `
        + `hops${sure ? "" : ": the search was stopped, and these are proven bounds"}.`;
    const pairs = rows.reduce((sum, r) => sum + r[1], 0);
    const rest = rows.length
        ? ` Two vertices are ${real(v.mean_distance)} hops apart on average; nine in ten pairs are within `
        + `${real(v.effective_diameter)}.`
        : v.vertices > 1 ? " How all pairs are distributed was not counted: the component is too large to search "
            + "from every vertex." : "";
    if (v.vertices < 2) return [el("p", {}, "There are no two vertices that are joined."), endOf("distances")];
    return [el("p", {}, sentence(head), rest),
        rows.length > 1 ? chart({ title: "Pairs by distance",
            about: `All ${count(pairs)} pairs of the component, by the length of a shortest path between them.`,
            x: { name: "hops", whole: true, pad: 0.7 }, y: { name: "share of pairs", zero: true, share: true },
            series: [{ kind: "bars", style: "s0", points: rows.map((r) => [r[0], r[1] / pairs, r]) }],
            guides: [[v.effective_diameter, "nine in ten"]],
            say: (p) => `${plural(p[2][0], "hop")}: ${plural(p[2][1], "pair")}, ${percent(p[1])}; `
                + `${percent(p[2][2])} within` }) : null,
        endOf("distances", tableOf("distances", "pairs", "pairs by distance"))];
}

// --- top vertices ---

function topPart() {
    const table = sections.top.tables.vertices, labelled = table.columns[1] === "label", first = labelled ? 2 : 1;
    const measures = table.columns.slice(first), leaders = Math.min(10, table.rows.length);
    if (!leaders) return [el("p", {}, "There are no vertices.")];
    const ranked = measures.map((_, i) => [...table.rows].sort((a, b) => b[first + i] - a[first + i]
        || b[first] - a[first]).slice(0, leaders));
    const unsure = sections.top.how.filter((run) => run.converged === false),
        doubtful = new Set(unsure.flatMap((run) => (run.algorithm === "hits" ? ["hub", "authority"]
        : [run.algorithm])));
    const cell = (row, i) => {
        const value = row[first + i], most = ranked[i][0][first + i], name = labelled && row[1] ? row[1]
            : String(row[0]);
        return el("td", {}, el("button", { class: "name", type: "button", title: labelled ? `${row[0]} ${row[1] || ""}`
            : null, click: () => findInDrawing(row[0]) }, name),
            el("span", { class: "measure" }, real(value)),
                el("span", { class: "share", style: `width:${most > 0 ? (100 * value) / most : 0}%` }));
    };
    const rows = Array.from({ length: leaders },
        (_, k) => el("tr", {}, el("th", { scope: "row" }, `${k + 1}`), ranked.map((list, i) => cell(list[k], i))));
    const sampled = sections.top.how.find((run) => run.exact.startsWith("an estimate"));
    const about = { pagerank: "PageRank", betweenness: "betweenness", in_degree: "in-degree",
        out_degree: "out-degree", degree: "degree", hub: directed ? "hub" : "hub (HITS)", authority: "authority",
        core: "core number", triangles: "triangles" };
    return [el("p", {}, `The first ${leaders} by each measure, side by side; equal ones by `
        + `PageRank.${drawing ? " A name leads to its place in the drawing." : ""}`),
        unsure.map((run) => el("p", { class: "verdict no" },
            el("b", {}, `${run.algorithm === "hits" ? "HITS" : "PageRank"} did not converge. `),
            `${sentence(run.exact.replace(/^not converged: /, ""))}: its order and values are not final.`)),
        el("div", { class: "wide", tabindex: "0" }, el("table", { class: "leaders" },
            el("thead", {}, el("tr", {}, el("th", { scope: "col" }, ""),
                measures.map((m) => el("th", { scope: "col" }, about[m] || words(m), doubtful.has(m)
                ? el("small", {}, " not converged") : sampled && sampled.algorithm === m
                ? el("small", {}, " estimated") : "")))), el("tbody", {}, rows))),
        sampled ? el("p", {}, `Betweenness is ${sampled.exact}.`) : null,
        endOf("top", tableOf("top", "vertices", "these vertices with all measures"))];
}

function madePart() {
    return [el("p", {}, `Made by Weft ${figures.version} with ${plural(figures.threads, "thread")}; reading took `
        + `${milliseconds(figures.load_ms)}, the figures ${milliseconds(figures.figures_ms)}. The same figures as `
        + `JSON: `, el("code", {}, "weft report FILE --json"),
        "; they are also in the source of this page. Results of algorithms do not depend on the number of threads or "
        + "the device.")];
}

const PARTS = [["alerts", "Alerts", alertsPart], ["reading", "What it is, and how it was read", readingPart],
    ["drawing", "Drawing", drawingPart], ["communities", "Communities", communitiesPart],
    ["degrees", "Degrees", degreesPart],
    ["weights", "Weights", weightsPart], ["components", "Components", componentsPart], ["cores", "Cores", coresPart],
        ["clustering", "Clustering", clusteringPart],
    ["distances", "Distances", distancesPart], ["top", "Top vertices", topPart],
        ["made", "How this page was made", madePart]];

// two side by side on wide screens
const HALVES = new Set(["weights", "components", "cores", "clustering", "distances"]);
const hasChart = (part) => part.inside.some((node) => node.matches("figure.chart"));

// Two columns without holes: charts beside charts, then words beside words.  A chart that is left over stands beside
// its own words, and those of
// the parts without a chart below them.
function arranged(parts) {
    const halves = parts.filter((part) => HALVES.has(part.id)), first = parts.indexOf(halves[0]),
        charts = halves.filter(hasChart), plain = halves.filter((part) => !hasChart(part));
    const last = charts.length % 2 ? [{ ...charts.pop(), alone: true, below: plain.splice(0) }] : [];
    return [...parts.slice(0, first), ...charts, ...last,
        ...plain.map((part, i) => ({ ...part, alone: i === plain.length - 1 && plain.length % 2 === 1 })),
        ...parts.slice(first + halves.length)];
}

function sectionOf({ id, title, inside, alone, below = [] }) {
    const charts = alone ? inside.filter((node) => node.matches("figure.chart"))
        : [], rest = inside.filter((node) => !charts.includes(node));
    return el("section", { id, class: HALVES.has(id) && !alone ? "half" : null }, el("h2", {}, title),
        charts.length ? el("div", { class: "pair" }, el("div", {}, ...rest, below.map(sectionOf)), ...charts) : inside);
}

headPart();
const contents = el("ol"),
    parts = PARTS.map(([id, title, make]) => ({ id, title, inside: make().flat(3).filter(Boolean) }))
    .filter((part) => part.inside.length);
for (const part of arranged(parts)) {
    document.getElementById("main").append(sectionOf(part));
    contents.append(...[part, ...(part.below || [])]
        .map(({ id, title }) => el("li", {}, el("a", { href: `#${id}` }, title))));
}
document.getElementById("contents").append(contents);

// Paper has no lines to open: it says how things were computed.
for (const [event, open] of [["beforeprint", true], ["afterprint", false]])
    addEventListener(event, () => document.querySelectorAll("details.how")
        .forEach((details) => { details.open = open; }));
