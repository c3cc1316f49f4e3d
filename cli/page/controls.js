// What people do to the drawing: pointers, wheel, keys, buttons, search.

function listen(canvas) {
    const held = new Map();
    let moved = 0;
    const here = (event) => { const box = canvas.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top]; };
    const spread = () => { const [a, b] = [...held.values()];
        return [Math.hypot(a[0] - b[0], a[1] - b[1]), (a[0] + b[0]) / 2, (a[1] + b[1]) / 2]; };
    canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        held.set(event.pointerId, here(event));
        if (held.size === 1) moved = 0;
        canvas.classList.add("held");
    });
    canvas.addEventListener("pointermove", (event) => {
        const [x, y] = here(event), last = held.get(event.pointerId);
        if (!last) {
            const over = vertexAt(x, y);
            canvas.classList.toggle("over", over >= 0);
            if (over !== drawing.over) {
                drawing.over = over;
                point();
            }
            return;
        }
        const before = held.size === 2 ? spread() : null;
        held.set(event.pointerId, [x, y]);
        moved += Math.abs(x - last[0]) + Math.abs(y - last[1]);
        if (held.size === 1) return pan(x - last[0], y - last[1]);
        if (!before) return;
        const after = spread();
        pan(after[1] - before[1], after[2] - before[2]);
        zoom(after[0] / Math.max(1, before[0]), after[1], after[2]);
    });
    const release = (event) => {
        if (held.size === 1 && moved < 5 && event.type === "pointerup") {
            drawing.chosen = vertexAt(...here(event));
            if (event.pointerType !== "mouse") drawing.over = -1;
            point();
        }
        held.delete(event.pointerId);
        if (!held.size) canvas.classList.remove("held");
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("pointerleave", () => {
        if (held.size) return;
        drawing.over = -1;
        point();
    });
    canvas.addEventListener("wheel", (event) => {
        event.preventDefault();
        zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), ...here(event));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
        const steps = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
        if (steps[event.key]) pan(...steps[event.key]);
        else if (event.key === "+" || event.key === "=") zoom(1.4);
        else if (event.key === "-") zoom(1 / 1.4);
        else if (event.key === "0") { fit(); redrawSoon(); }
        else if (event.key === "Escape") { drawing.chosen = drawing.over = -1; point(); }
        else return;
        event.preventDefault();
    });
}

// The vertex of an id or a label: the whole of it first, then its beginning, then any part.
function search(text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return -1;
    const names = data.ids.map((id, v) => [String(id).toLowerCase(), data.labels && data.labels[v]
        ? data.labels[v].toLowerCase() : null]);
    for (const fits of [(name) => name === wanted, (name) => name.startsWith(wanted),
        (name) => name.includes(wanted)]) {
        const found = drawing.bySize.find((v) => names[v].some((name) => name !== null && fits(name)));
        if (found !== undefined) return found;
    }
    return -1;
}

function goTo(v) {
    const k = Math.max(drawing.view.k, drawing.whole.k * (drawing.n > 500 ? 5 : 1.6));
    drawing.chosen = v;
    drawing.over = -1;
    drawing.view = { k, x: drawing.width / 2 - data.x[v] * k, y: drawing.height / 2 - data.y[v] * k };
    redrawSoon();
}

function findInDrawing(id) {
    if (!drawing) return;
    const v = data.ids.indexOf(id);
    document.getElementById("drawing").scrollIntoView({ block: "start" });
    drawing.found.textContent = v < 0 ? `${id} is not among the vertices that are drawn` : "";
    if (v >= 0) goTo(v);
}

function restyle() {
    paint();
    drawing.key.replaceChildren(...drawing.legend.map(([colour, text]) =>
        el("li", {}, el("i", { style: `background:${colour}` }), text)));
    redraw(false);
}

function resize(board, canvases) {
    const box = board.getBoundingClientRect(), first = !drawing.width, moved = first || zoomed() === 1;
    if (!box.width) return;
    drawing.ratio = Math.min(3, window.devicePixelRatio || 1);
    [drawing.width, drawing.height] = [box.width, box.height];
    for (const canvas of canvases) [canvas.width, canvas.height] = [box.width * drawing.ratio,
        box.height * drawing.ratio];
    if (moved) fit();
    redraw(false);
}

const choice = (name, options, chosen, act) =>
    el("label", {}, name, el("select", { change: (event) => act(event.target.value) },
    options.map(([value, text]) => el("option", { value, selected: value === chosen }, text))));

// Edges are counted as those of the graph are; where lines are fewer it says why.
function drawnWords(v) {
    const edges = plural(v.edges, directed ? "directed edge" : "edge"), why = [];
    if (directed) why.push("an edge and its reverse are one line");
    if (figures.self_loops) why.push("self-loops are not drawn");
    if (figures.read_as.duplicates === "keep") why.push("parallel edges are one line");
    const lines = v.lines === v.edges ? "" : `, as ${plural(v.lines, "line")}: ${why.join(", ")}`;
    if (v.kind === "whole") return `All ${vertices(v.vertices)} and ${edges} are drawn${lines}.`;
    if (v.kind === "picture")
        return `All ${vertices(v.vertices)} and ${edges} are drawn${lines}, as a `
        + `picture${v.share < 1 ? ` with ${percent(v.share)} of the lines, since all would cover each other` : ""}. `
        + `Discs are the ${vertices(drawing.n)} that lead by some measure; they can be pointed at and searched for.`;
    if (v.kind === "core") return `The graph is too large to be drawn whole. This is its backbone, the `
        + `${count(v.k)}-core: ${vertices(v.vertices)} of ${count(figures.vertices)}, with the ${edges} between `
        + `them${lines}.`;
    return `The graph is too large to be drawn whole, and so is its densest part. These are the `
        + `${vertices(v.vertices)} nearest to ${v.around}, which has the largest PageRank, of `
        + `${count(figures.vertices)}, with the ${edges} between them${lines}.`;
}

function drawingPart() {
    if (!drawing) return [];
    const v = sections.drawing.values;
    const canvases = [el("canvas", { "aria-hidden": "true" }),
        el("canvas", { tabindex: "0", role: "img",
        "aria-label": `Drawing of ${vertices(drawing.n)}; arrow keys move it, + and - zoom, 0 shows all` })];
    canvases.forEach((canvas) => { canvas.style.position = "absolute"; canvas.style.inset = "0"; });
    drawing.pens = canvases.map((canvas) => canvas.getContext("2d"));
    drawing.tip = el("div", { class: "tip", hidden: true, role: "status" });
    drawing.found = el("span", { class: "found", role: "status" });
    drawing.key = el("ul", { class: "colours" });
    drawing.names = el("input", { type: "checkbox", checked: true, change: () => redraw(false) });
    const input = el("input", { type: "search", placeholder: data.labels ? "id or name"
        : "id", "aria-label": "Search a vertex" });
    const form = el("form", { submit: (event) => {
        event.preventDefault();
        const found = search(input.value);
        drawing.found.textContent = found < 0 ? `“${input.value}” is not among the vertices that are drawn`
            : `found ${nameOf(found)}`;
        if (found >= 0) goTo(found);
    } }, input, " ", el("button", { type: "submit" }, "find"));
    const button = (text, title, act) => el("button", { type: "button", title, "aria-label": title, click: act }, text);
    const board = el("div", { class: "board" }, canvases, drawing.tip,
        el("div", { class: "zoom" }, button("+", "zoom in", () => zoom(1.5)),
        button("−", "zoom out", () => zoom(1 / 1.5)), button("⤢", "show all", () => { fit(); redrawSoon(); })));
    measure();
    paint();
    listen(canvases[1]);
    new ResizeObserver(() => { resize(board, canvases); restyle(); }).observe(board);
    for (const query of ["(prefers-color-scheme: dark)", "print"])
        matchMedia(query).addEventListener("change", restyle);
    return [el("p", {}, drawnWords(v), " Neighbours are near each other; directions on the page mean nothing else."),
        el("div", { class: "tools" }, form,
            choice("colour", [...(data.community ? [["community", "communities"]] : []), ["core", "core number"],
            ["degree", "degree"]], drawing.colourBy, (by) => { drawing.colourBy = by; restyle(); }),
            choice("size", [["pagerank", "PageRank"], ["degree", "degree"], ["core", "core number"], ["none", "equal"]],
                drawing.sizeBy, (by) => { drawing.sizeBy = by; measure(); redraw(false); }),
            el("label", {}, drawing.names, "names"), drawing.found),
        board, drawing.key, endOf("drawing",
            tableOf("drawing", "communities", "the largest communities of the drawing"))];
}
