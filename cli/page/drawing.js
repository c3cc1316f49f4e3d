// The drawing: places from the program, pan and zoom by pointer, wheel, fingers and keys, the vertex under the pointer,
// search.
// Two canvases: one with all there is, which takes time, and one over it with what the pointer means.
const data = JSON.parse(document.getElementById("drawing-data").textContent);
const drawing = data && data.ids.length
    ? { data, n: data.ids.length, chosen: -1, over: -1, view: { k: 1, x: 0, y: 0 }, whole: { k: 1, x: 0, y: 0 } }
    : null;
const EDGES_WHILE_MOVING = 12000, MOST_COLOURS = 8;

// --- what it shows ---

// Edges that are a picture, of one colour, with nothing between them.
function readPicture() {
    drawing.image = new Image();
    drawing.image.onload = () => { if (drawing.width) redraw(false); };
    drawing.image.src = `data:image/png;base64,${data.picture.png}`;
}

function tinted(colour) {
    if (drawing.tint && drawing.tint.colour === colour) return drawing.tint.canvas;
    const canvas = el("canvas", { width: drawing.image.width, height: drawing.image.height }),
        pen = canvas.getContext("2d");
    pen.drawImage(drawing.image, 0, 0);
    pen.globalCompositeOperation = "source-in";
    pen.fillStyle = colour;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    drawing.tint = { colour, canvas };
    return canvas;
}

function drawPicture(pen) {
    const { x, y, k } = drawing.view;
    if (drawing.image.complete && drawing.image.width)
        pen.drawImage(tinted(token("--soft")), x, y, data.picture.width * k, data.picture.height * k);
}

if (drawing) {
    if (data.picture) readPicture();
    data.targets ||= data.ids.map(() => []);
    drawing.neighbours = Array.from({ length: drawing.n }, () => []);
    drawing.edges = [];
    data.targets.forEach((row, u) => row.forEach((v) => {
        drawing.edges.push([u, v]);
        drawing.neighbours[u].push(v);
        drawing.neighbours[v].push(u);
    }));
    // communities say something if there are some, and most have a colour
    const coloured = data.community ? data.community.filter((c) => c < MOST_COLOURS).length : 0;
    drawing.colourBy = coloured > 0.4 * drawing.n && data.largest_community < 0.8 * drawing.n
        && data.communities < 0.5 * drawing.n ? "community" : "core";
    drawing.sizeBy = "pagerank";
}

const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const isDark = () => token("--paper").startsWith("#1");

// From few to much, light to dark or the reverse: what is much stands out from the paper.
function ramp(share) {
    const stops = isDark() ? [[52, 84, 104], [92, 195, 238], [255, 243, 176]]
        : [[168, 199, 214], [11, 110, 153], [94, 14, 80]];
    const at = Math.min(0.9999, Math.max(0, share)) * 2, low = Math.floor(at), part = at - low;
    return `rgb(${stops[low].map((c, i) => Math.round(c + (stops[low + 1][i] - c) * part)).join(",")})`;
}

// The colour of each vertex as a number in a palette.
function paint() {
    const by = drawing.colourBy, values = data[by];
    if (by === "community" || by === "component") {
        drawing.palette = [...Array.from({ length: MOST_COLOURS }, (_, i) => token(`--c${i}`)), token("--soft")];
        drawing.colour = values.map((x) => Math.min(x, MOST_COLOURS));
        const sizes = new Array(MOST_COLOURS + 1).fill(0);
        drawing.colour.forEach((c) => sizes[c]++);
        drawing.legend = sizes.map((size, i) => [drawing.palette[i], i < MOST_COLOURS ? `${i + 1}: ${vertices(size)}`
            : `others: ${vertices(size)}`]).filter((_, i) => sizes[i]);
    } else {
        const steps = 12, log = by === "degree" ? Math.log1p : (x) => x, least = Math.min(...values),
            most = Math.max(...values);
        drawing.palette = Array.from({ length: steps + 1 }, (_, i) => ramp(i / steps));
        drawing.colour = values.map((x) =>
            (most > least ? Math.round((steps * (log(x) - log(least))) / (log(most) - log(least))) : steps));
        drawing.legend = most > least
            ? [[drawing.palette[0], `${words(by)} ${real(least)}`], [drawing.palette[steps], real(most)]]
            : [[drawing.palette[steps], `${words(by)} ${real(most)}`]];
    }
}

// Few edges a vertex, and many vertices: lines are what there is to see, as on a map.
const isThin = () => drawing.n > 500 && drawing.edges.length < 2 * drawing.n;

function measure() {
    const values = drawing.sizeBy === "none" ? null : data[drawing.sizeBy], most = values ? Math.max(...values) : 0;
    const thin = isThin();
    const [base, more] = data.picture ? [2, 4] : drawing.n > 4000 || thin ? [1.1, 6] : drawing.n > 500 ? [2, 8]
        : [4, 10];
    const shares = data.ids.map((_, v) => (most > 0 ? Math.sqrt(values[v] / most) : 0)),
        mean = shares.reduce((sum, x) => sum + x, 0) / drawing.n;
    // where nearly all are large they would cover each other
    const room = (thin ? 0.18 : 0.3) * Math.sqrt(6e5 / drawing.n), swing = mean > 0
        ? Math.min(more, Math.max(1, (room - base) / mean)) : 0;
    drawing.radius = shares.map((share) => base + (most > 0 ? swing * share : 1));
    drawing.bySize = data.ids.map((_, v) => v).sort((a, b) => drawing.radius[b] - drawing.radius[a] || a - b);
}

// --- where it shows it ---

const zoomed = () => drawing.view.k / drawing.whole.k;
const swell = () => Math.min(3, Math.max(0.7, zoomed() ** 0.45)) * Math.min(1,
    Math.max(0.55, Math.sqrt(drawing.width / 800)));
const placeOf = (v) => [data.x[v] * drawing.view.k + drawing.view.x, data.y[v] * drawing.view.k + drawing.view.y];

function fit() {
    const { width, height } = drawing, pad = data.picture ? 0 : 26;
    const [left, right, top, bottom] = data.picture ? [0, data.picture.width, 0, data.picture.height]
        : [Math.min(...data.x), Math.max(...data.x), Math.min(...data.y), Math.max(...data.y)];
    const k = Math.min((width - 2 * pad) / Math.max(1, right - left), (height - 2 * pad) / Math.max(1, bottom - top));
    drawing.whole = { k, x: width / 2 - (k * (left + right)) / 2, y: height / 2 - (k * (top + bottom)) / 2 };
    drawing.view = { ...drawing.whole };
}

function zoom(factor, x = drawing.width / 2, y = drawing.height / 2) {
    const view = drawing.view, k = Math.min(400 * drawing.whole.k, Math.max(0.3 * drawing.whole.k, view.k * factor));
    view.x = x - ((x - view.x) * k) / view.k;
    view.y = y - ((y - view.y) * k) / view.k;
    view.k = k;
    redrawSoon();
}

function pan(dx, dy) {
    drawing.view.x += dx;
    drawing.view.y += dy;
    redrawSoon();
}

// --- drawing ---

function drawEdges(pen, every) {
    const groups = new Map(), alike = drawing.colourBy === "community" || drawing.colourBy === "component";
    const { width, height } = drawing;
    for (let i = 0; i < drawing.edges.length; i += every) {
        const [u, v] = drawing.edges[i], [x, y] = placeOf(u), [p, q] = placeOf(v);
        if ((x < 0 && p < 0) || (y < 0 && q < 0) || (x > width && p > width) || (y > height && q > height)) continue;
        const colour = alike && drawing.colour[u] === drawing.colour[v] ? drawing.colour[u] : MOST_COLOURS;
        if (!groups.has(colour)) groups.set(colour, new Path2D());
        const path = groups.get(colour);
        path.moveTo(x, y);
        path.lineTo(p, q);
    }
    // many edges a vertex are many on top of each other
    const crowd = Math.min(1, (20 * drawing.n) / drawing.edges.length) ** 0.8;
    pen.globalAlpha = Math.min(0.6,
        Math.max(0.015, Math.max(isThin() ? 0.4
        : 0.05, 7 / Math.sqrt(drawing.edges.length)) * crowd) * zoomed() ** 0.5);
    pen.lineWidth = Math.min(1.6, 0.7 * swell());
    for (const [colour, path] of groups) {
        pen.strokeStyle = alike ? drawing.palette[colour] : token("--soft");
        pen.stroke(path);
    }
    pen.globalAlpha = 1;
}

function drawVertices(pen) {
    const { width, height } = drawing, grow = swell(), paper = token("--paper");
    for (let i = drawing.n - 1; i >= 0; i--) {
        const v = drawing.bySize[i], [x, y] = placeOf(v), r = drawing.radius[v] * grow;
        if (x < -r || y < -r || x > width + r || y > height + r) continue;
        pen.beginPath();
        pen.arc(x, y, r, 0, 7);
        pen.fillStyle = drawing.palette[drawing.colour[v]];
        pen.fill();
        if (r < 3) continue;
        pen.lineWidth = 1;
        pen.strokeStyle = paper;
        pen.stroke();
    }
}

const nameOf = (v) => (data.labels && data.labels[v] ? data.labels[v] : String(data.ids[v]));
const short = (text) => (text.length > 24 ? `${text.slice(0, 23)}…` : text);

function write(pen, v, strong) {
    const [x, y] = placeOf(v), text = short(nameOf(v)), below = y + drawing.radius[v] * swell() + 12;
    pen.font = `${strong ? "600 13px" : "12px"} system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.lineWidth = 3.5;
    pen.lineJoin = "round";
    pen.strokeStyle = token("--paper");
    pen.strokeText(text, x, below);
    pen.fillStyle = token("--ink");
    pen.fillText(text, x, below);
}

// The largest in view, as many as have room.
function drawNames(pen) {
    const taken = [], most = drawing.n <= 80 ? drawing.n : 14 + Math.floor(10 * Math.log2(1 + zoomed()));
    for (const v of drawing.bySize) {
        const [x, y] = placeOf(v);
        if (x < 0 || y < 0 || x > drawing.width || y > drawing.height) continue;
        const half = 4 * short(nameOf(v)).length + 6;
        if (taken.some(([p, q, w]) => Math.abs(x - p) < half + w && Math.abs(y - q) < 20)) continue;
        taken.push([x, y, half]);
        write(pen, v, false);
        if (taken.length >= most) break;
    }
}

function redraw(moving) {
    const pen = drawing.pens[0];
    pen.setTransform(drawing.ratio, 0, 0, drawing.ratio, 0, 0);
    pen.clearRect(0, 0, drawing.width, drawing.height);
    if (drawing.image) drawPicture(pen);
    else drawEdges(pen, moving ? Math.ceil(drawing.edges.length / EDGES_WHILE_MOVING) || 1 : 1);
    drawVertices(pen);
    if (drawing.names.checked) drawNames(pen);
    point();
}

function redrawSoon() {
    clearTimeout(drawing.later);
    if (!drawing.frame) drawing.frame = requestAnimationFrame(() => { drawing.frame = 0; redraw(true); });
    drawing.later = setTimeout(() => redraw(false), 140);
}

// The vertex under the pointer, or the one that was chosen, with its neighbours, over a pale drawing.
function point() {
    const pen = drawing.pens[1], v = drawing.over >= 0 ? drawing.over : drawing.chosen;
    pen.setTransform(drawing.ratio, 0, 0, drawing.ratio, 0, 0);
    pen.clearRect(0, 0, drawing.width, drawing.height);
    drawing.tip.hidden = v < 0;
    if (v < 0) return;
    pen.globalAlpha = data.picture ? 0 : 0.72;
    pen.fillStyle = token("--paper");
    pen.fillRect(0, 0, drawing.width, drawing.height);
    pen.globalAlpha = 0.7;
    pen.strokeStyle = drawing.palette[drawing.colour[v]];
    pen.lineWidth = 1.2;
    pen.beginPath();
    const [x, y] = placeOf(v);
    for (const u of drawing.neighbours[v]) {
        pen.moveTo(x, y);
        pen.lineTo(...placeOf(u));
    }
    pen.stroke();
    pen.globalAlpha = 1;
    for (const u of [...drawing.neighbours[v], v]) {
        pen.beginPath();
        pen.arc(...placeOf(u), Math.max(2.5, drawing.radius[u] * swell()) + (u === v ? 2 : 0), 0, 7);
        pen.fillStyle = drawing.palette[drawing.colour[u]];
        pen.fill();
    }
    pen.lineWidth = 2.5;
    pen.strokeStyle = token("--ink");
    pen.stroke();
    const near = [...drawing.neighbours[v]].sort((a, b) => drawing.radius[b] - drawing.radius[a]).slice(0, 8);
    near.forEach((u) => write(pen, u, false));
    tellAbout(v, x, y);
}

function tellAbout(v, x, y) {
    const label = data.labels && data.labels[v] ? `${data.labels[v]} (${data.ids[v]})` : String(data.ids[v]);
    drawing.tip.replaceChildren(el("b", {}, label), el("br"),
        `${words("degree")} ${count(data.degree[v])}, core ${data.core[v]}, PageRank ${real(data.pagerank[v])}`,
        ...(data.community ? [el("br"),
            `${plural(drawing.neighbours[v].length, "neighbour")} drawn, community ${data.community[v] + 1}`] : []));
    const half = drawing.tip.offsetWidth / 2, above = drawing.tip.offsetHeight + 16,
        inside = Math.min(Math.max(x, half + 4), drawing.width - half - 4);
    drawing.tip.style.left = `${inside}px`;
    drawing.tip.style.top = `${y > above ? y - 6 : y + above + 22}px`;
}

function vertexAt(x, y) {
    let best = -1, nearest = Infinity;
    for (let v = 0; v < drawing.n; v++) {
        const [p, q] = placeOf(v), reach = Math.max(7, drawing.radius[v] * swell() + 3), far = (p - x) ** 2
            + (q - y) ** 2;
        if (far < reach * reach && far < nearest) [best, nearest] = [v, far];
    }
    return best;
}
