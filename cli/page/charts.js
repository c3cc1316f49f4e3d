// Charts as SVG: a scale for each axis, series of points, lines, stairs or bars (of one width, or spans from p[2][0] to
// p[2][1]), and the nearest value under the pointer.
const SVG = "http://www.w3.org/2000/svg";
const CHART = { width: 600, height: 330, left: 62, right: 16, top: 12, bottom: 52 };

function shape(tag, attributes, ...children) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
}

// Round steps from low to high: powers of ten where the axis is logarithmic, 1-2-5 where it is not or spans little.
function ticksOf(scale) {
    const ticks = [];
    if (scale.log) {
        const decades = Math.log10(scale.high / scale.low), every = Math.max(1, Math.ceil(decades / 7));
        for (let d = Math.floor(Math.log10(scale.low)); d <= Math.log10(scale.high) + 1e-9; d++) {
            if (d % every === 0) ticks.push(10 ** d);
            if (decades < 2.2) ticks.push(2 * 10 ** d, 5 * 10 ** d);
        }
        return ticks.filter((x) => x >= scale.low && x <= scale.high);
    }
    const rough = (scale.high - scale.low) / 6, power = 10 ** Math.floor(Math.log10(rough));
    let step = [1, 2, 5, 10].find((k) => k * power >= rough) * power;
    if (scale.whole && step < 1) step = 1;
    for (let x = Math.ceil(scale.low / step) * step; x <= scale.high + step * 1e-6; x += step)
        ticks.push(+x.toPrecision(12));
    return ticks;
}

function scaleOf(axis, values, from, to) {
    let seen = values.filter((x) => Number.isFinite(x) && (!axis.log || x > 0));
    if (axis.include) seen = seen.concat(axis.include);
    let low = Math.min(...seen), high = Math.max(...seen);
    if (axis.log) {
        if (high / low < 10) [low, high] = [low / 2, high * 2];
        else [low, high] = [low / 1.3, high * 1.3];
    } else {
        if (axis.zero) low = Math.min(0, low);
        if (high === low) high = low + 1;
        if (axis.pad) [low, high] = [low - axis.pad, high + axis.pad];
        else high += (high - low) * 0.04;
    }
    const place = axis.log
        ? (x) => from + ((to - from) * Math.log(x / low)) / Math.log(high / low)
        : (x) => from + ((to - from) * (x - low)) / (high - low);
    return { ...axis, low, high, place };
}

function tickText(axis, x) {
    if (axis.share) return x >= 0.001 || x === 0 ? `${real(100 * x, 3)} %` : powerText(x);
    return x >= 1e5 || (x > 0 && x < 1e-3) ? powerText(x) : real(x, 3);
}

function powerText(x) {
    const power = Math.floor(Math.log10(x) + 1e-9), front = +(x / 10 ** power).toPrecision(3);
    const raised = [...String(power)].map((c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]).join("");
    return `${front === 1 ? "" : `${front}·`}10${raised}`;
}

function drawAxes(svg, x, y) {
    const bottom = CHART.height - CHART.bottom, right = CHART.width - CHART.right;
    for (const tick of ticksOf(x)) {
        const at = x.place(tick);
        svg.append(shape("line", { class: "grid", x1: at, x2: at, y1: CHART.top, y2: bottom }),
            shape("text", { class: "tick", x: at, y: bottom + 19, "text-anchor": "middle" }, tickText(x, tick)));
    }
    for (const tick of ticksOf(y)) {
        const at = y.place(tick);
        svg.append(shape("line", { class: "grid", x1: CHART.left, x2: right, y1: at, y2: at }),
            shape("text", { class: "tick", x: CHART.left - 7, y: at + 4, "text-anchor": "end" }, tickText(y, tick)));
    }
    svg.append(shape("text",
        { class: "axis", x: (CHART.left + right) / 2, y: CHART.height - 8, "text-anchor": "middle" }, x.name));
}

const pathOf = (points) => points.map(([px, py], i) => `${i ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");

// What is left at whole numbers: the height at x is that of its point, and falls half way to the next number.
function stairOf(points, x) {
    const end = points.length - 1, after = (i) => x.place(i < end || x.pad ? points[i][2][0] + 0.5 : points[i][2][0])
        .toFixed(1);
    return points.map(([px, py], i) =>
        (i ? `V${py.toFixed(1)}` : `M${(x.pad ? x.place(points[0][2][0] - 0.5) : px).toFixed(1)} ${py.toFixed(1)}`)
        + `H${after(i)}`).join("");
}

function drawSeries(svg, series, x, y) {
    const at = series.points.filter((p) => (!x.log || p[0] > 0) && (!y.log || p[1] > 0))
        .map((p) => [x.place(p[0]), y.place(p[1]), p]);
    const style = `${series.style}${series.dashed ? " dashed" : ""}`;
    if (series.kind === "line") svg.append(shape("path", { class: `series ${style}`, d: pathOf(at) }));
    if (series.kind === "stair") svg.append(shape("path", { class: `series ${style}`, d: stairOf(at, x) }));
    if (series.kind === "points")
        svg.append(...at.map(([px, py]) =>
        shape("circle", { class: `mark ${style}`, cx: px.toFixed(1), cy: py.toFixed(1), r: 4.5 })));
    if (series.kind === "bars") {
        const ground = y.place(0), shift = series.shift || 0,
            each = Math.max(1.5, 0.72 * (series.gap || 1) * Math.abs(x.place(x.low + 1) - x.place(x.low)));
        svg.append(...at.map(([px, py, p]) => {
            const [from, to] = series.spans ? [x.place(p[2][0]) + 0.5, x.place(p[2][1]) - 0.5]
                : [px + shift * each - each / 2, px + shift * each + each / 2];
            return shape("rect", { class: `bar ${style}`, x: from.toFixed(1), width: Math.max(1, to - from).toFixed(1),
                y: py.toFixed(1),
                height: Math.max(0, ground - py).toFixed(1), rx: Math.min(3, (to - from) / 4) });
        }));
    }
    return series.silent ? [] : at;
}

// The value nearest to the pointer, in words.
function followPointer(figure, svg, marks, say) {
    const tip = el("div", { class: "tip", hidden: true, role: "status" }),
        ring = shape("circle", { class: "nearest", r: 7, visibility: "hidden" });
    svg.append(ring);
    figure.append(tip);
    const leave = () => { tip.hidden = true; ring.setAttribute("visibility", "hidden"); };
    svg.addEventListener("pointermove", (event) => {
        const box = svg.getBoundingClientRect(), ratio = CHART.width / box.width;
        const px = (event.clientX - box.left) * ratio, py = (event.clientY - box.top) * ratio;
        let best = null, nearest = Infinity;
        for (const mark of marks) {
            const far = (mark[0] - px) ** 2 + 0.25 * (mark[1] - py) ** 2;
            if (far < nearest) [best, nearest] = [mark, far];
        }
        if (!best || nearest > 60 ** 2) return leave();
        ring.setAttribute("cx", best[0]);
        ring.setAttribute("cy", best[1]);
        ring.setAttribute("visibility", "visible");
        tip.textContent = say(best[2]);
        tip.hidden = false;
        const place = figure.getBoundingClientRect(), half = tip.offsetWidth / 2;
        const left = box.left - place.left + best[0] / ratio;
        tip.style.left = `${Math.min(Math.max(left, half), place.width - half)}px`;
        tip.style.top = `${box.top - place.top + best[1] / ratio}px`;
    });
    svg.addEventListener("pointerleave", leave);
}

// {title, about, x, y, series, guides, say}: axes are {name, log, zero, share, ...}; guides are [x, text].
function chart(what) {
    const all = what.series.flatMap((s) => s.points);
    const x = scaleOf(what.x, all.map((p) => p[0]), CHART.left, CHART.width - CHART.right);
    const y = scaleOf(what.y, all.map((p) => p[1]), CHART.height - CHART.bottom, CHART.top);
    const svg = shape("svg",
        { viewBox: `0 0 ${CHART.width} ${CHART.height}`, role: "img", "aria-label": `${what.title}. ${what.about}` });
    drawAxes(svg, x, y);
    const marks = what.series.flatMap((series) => drawSeries(svg, series, x, y)
        .map((mark) => [mark[0], mark[1], mark[2], series]));
    for (const [at, text] of what.guides || []) {
        const px = x.place(at), late = px > CHART.width * 0.7;
        svg.append(shape("line", { class: "guide", x1: px, x2: px, y1: CHART.top, y2: CHART.height - CHART.bottom }),
            shape("text", { class: "tick", x: px + (late ? -6 : 6), y: CHART.top + 14, "text-anchor": late ? "end"
                : "start" }, text));
    }
    const keys = what.series.filter((s) => s.label);
    const figure = el("figure", { class: "chart" }, el("h4", {}, what.title), el("figcaption", {}, what.about),
        keys.length > 1 ? el("ul", { class: "keys" }, keys.map((s) =>
            el("li", { class: `${s.style}${s.dashed ? " dash" : ""}${s.kind === "points" ? " of-points" : ""}` },
                el("i"), s.label))) : null);
    figure.append(svg);
    followPointer(figure, svg, marks, what.say);
    return figure;
}
