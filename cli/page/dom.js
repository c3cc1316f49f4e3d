// Elements, numbers for people, tables that can be copied, and how figures were found.
const figures = JSON.parse(document.getElementById("figures").textContent);

function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        if (typeof value === "function") node.addEventListener(name, value);
        else if (value !== undefined && value !== null && value !== false)
            node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
    return node;
}

const count = (n) => (n === null || n === undefined ? "not known" : n.toLocaleString("en"));
const plural = (n, one, many) => `${count(n)} ${n === 1 ? one : many || one + "s"}`;
const vertices = (n) => plural(n, "vertex", "vertices");
const isWhole = (x) => Number.isInteger(x);

// A number with so many digits that count, and no more; the figures themselves have all.
function real(x, digits = 4) {
    if (x === null || x === undefined) return "not known";
    if (x === 0 || isWhole(x)) return count(x);
    const size = Math.abs(x);
    if (size >= 1e15 || size < 1e-4) {
        const [front, power] = x.toExponential(digits - 1).split("e");
        return `${front} × 10${[...String(+power)].map((c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]).join("")}`;
    }
    return x.toLocaleString("en",
        { maximumSignificantDigits: Math.max(digits, size >= 1 ? Math.floor(Math.log10(size)) + 1 : 0) });
}

function percent(x) {
    if (x > 0 && x < 0.001) return "less than 0.1 %";
    if (x < 1 && x > 0.999) return "more than 99.9 %";
    return `${(100 * x).toLocaleString("en", { maximumFractionDigits: x < 0.1 || x > 0.9 ? 1 : 0 })} %`;
}

const milliseconds = (ms) => (ms >= 1000 ? `${real(ms / 1000, 3)} s` : `${real(ms, 2)} ms`);

function bytes(n) {
    const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    for (; n >= 1024 && unit + 1 < units.length; unit++) n /= 1024;
    return `${real(n, 3)} ${units[unit]}`;
}

const words = (name) => name.replaceAll("_", " ");

// What spreadsheets take: tabs between cells, which no cell may have itself.
function asText(table) {
    const cell = (x) => String(x === null ? "" : x).replace(/[\t\r\n]/g, " ");
    return [table.columns, ...table.rows].map((row) => row.map(cell).join("\t")).join("\n") + "\n";
}

async function copyText(text, button) {
    const said = button.textContent;
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const area = el("textarea", {});
        area.value = text;
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
    }
    button.textContent = "copied";
    setTimeout(() => { button.textContent = said; }, 1500);
}

// A table, closed at first; its rows are made when it is opened.  Fractions are shown with four digits, and copied with
// all.
function tableOf(section, name, title) {
    const table = figures.sections[section].tables[name];
    if (!table || !table.rows.length) return null;
    const isText = table.columns.map((_, i) => table.rows.some((row) => typeof row[i] === "string"));
    const body = el("tbody");
    const show = (x) => (x === null ? "" : typeof x === "number" && !isWhole(x) ? real(x) : String(x));
    const details = el("details", { class: "table", "data-table": `${section}.${name}` },
        el("summary", {}, `Table: ${title}, ${plural(table.rows.length, "row")}`),
        el("button", { class: "copy", type: "button", click: (event) => copyText(asText(table), event.target) },
            "copy as tab-separated text"),
        el("div", { class: "wide", tabindex: "0" }, el("table", {},
            el("thead", {}, el("tr", {},
                table.columns.map((c, i) => el("th", { scope: "col", class: isText[i] ? "text" : null }, words(c))))),
            body)));
    details.addEventListener("toggle", () => {
        if (!details.open || body.firstChild) return;
        body.append(...table.rows.map((row) => el("tr", {}, row.map((x, i) =>
            el(i ? "td" : "th", { scope: i ? null : "row", class: isText[i] ? "text" : null }, show(x))))));
    });
    return details;
}

// One line for each run of the section.
function howOf(name, title = "How this was computed") {
    const runs = figures.sections[name].how || [];
    if (!runs.length) return null;
    const line = (run) => {
        const settings = Object.entries(run.parameters || {}).map(([key, value]) => `${words(key)} ${value}`)
            .join(", ");
        const place = run.backend === "cuda" ? "on the GPU" : "on the CPU";
        return el("li", {}, el("b", {}, run.gives), ": ", el("code", {}, run.algorithm), settings ? ` (${settings})`
            : "",
            run.method ? `; ${run.method}` : "", `; ${run.exact}; ${milliseconds(run.ms)} ${place}`);
    };
    return el("details", { class: "how" }, el("summary", {}, title), el("ul", {}, runs.map(line)));
}
