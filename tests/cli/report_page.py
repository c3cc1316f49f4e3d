"""Looks at pages of weft report in a headless Chromium, as a reader would; prints what is wrong.
    report_page.py CHROMIUM FOLDER KARATE.html HOSTILE.html PAGE.html...
KARATE has the karate club, HOSTILE the name </script><script>alert(1)</script>; of the others it is enough that they load.
Exit code 77: the browser does not start."""
import sys

from browser import Browser, Trouble

program, folder, karate, hostile, *others = sys.argv[1:]
problems = []

# Every table, opened, beside the figures: {name: cells as text}.
TABLES = """(async () => {
    const result = {};
    for (const details of document.querySelectorAll("details.table")) {
        details.open = true;
        await new Promise((done) => setTimeout(done, 30));
        const [section, name] = details.dataset.table.split("."), table = figures.sections[section].tables[name];
        const shown = [...details.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent));
        const four = (x) => (x === 0 || (Math.abs(x) >= 1e-4 && Math.abs(x) < 1e4) ? Number(x.toPrecision(4)).toLocaleString("en", { maximumSignificantDigits: 4 }) : real(x));
        const wanted = table.rows.map((row) => row.map((x) => (x === null ? "" : typeof x === "number" && !Number.isInteger(x) ? four(x) : String(x))));
        result[details.dataset.table] = JSON.stringify(shown) === JSON.stringify(wanted);
    }
    return result;
})()"""


def expect(page, expression, wanted):
    got = page.value(expression)
    if got != wanted:
        problems.append(f"{expression} is {got!r}, expected {wanted!r}")


def no_holes(page, name):
    """On a wide screen sections stand alone or two by two: of each pair one left, one right."""
    places = page.value("[...document.querySelectorAll('main > .half')].map((x) => [x.getBoundingClientRect().left, x.getBoundingClientRect().top].map(Math.round))")
    if len(places) % 2 or any(a[0] >= b[0] or a[1] != b[1] for a, b in zip(places[::2], places[1::2])):
        problems.append(f"{name}: a column is empty beside a section: {places}")


def sound(page, name):
    problems.extend(f"{name}: {words}" for words in page.complaints)


def tables(page):
    found = page.value(TABLES)
    listed = page.value("Object.entries(figures.sections).flatMap(([s, x]) => Object.entries(x.tables || {}).filter(([, t]) => t.rows.length)"
                        ".map(([t]) => `${s}.${t}`))")
    if sorted(found) != sorted(listed):
        problems.append(f"tables on the page: {sorted(found)}, in the figures: {sorted(listed)}")
    problems.extend(f"the table {name} differs from the figures" for name, same in found.items() if not same)


def centre(page, v):
    """Where a vertex is on the screen."""
    return page.value(f"(() => {{ const box = document.querySelector('.board canvas').getBoundingClientRect(), at = placeOf({v});"
                      " return [box.left + at[0], box.top + at[1]]; })()")


def use_drawing(page):
    page.value("document.querySelector('.board').scrollIntoView({block: 'center'})")
    page.value("new Promise((done) => setTimeout(done, 300))")
    x, y = centre(page, 33)
    page.mouse("mouseMoved", x, y)
    page.wait("drawing.over === 33 && !drawing.tip.hidden")
    expect(page, "drawing.tip.textContent.startsWith('34')", True)
    before = page.value("drawing.view.k")
    page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-400)
    page.wait(f"drawing.view.k > 1.5 * {before}")
    after = centre(page, 33)
    if abs(after[0] - x) > 1 or abs(after[1] - y) > 1:
        problems.append(f"zooming moved the vertex under the pointer from {x}, {y} to {after}")
    left = page.value("drawing.view.x")
    page.mouse("mousePressed", x, y, button="left", buttons=1)
    page.mouse("mouseMoved", x + 40, y, button="left", buttons=1)
    page.mouse("mouseReleased", x + 40, y, button="left")
    expect(page, f"Math.round(drawing.view.x - {left})", 40)
    page.value("document.querySelector('.tools input').value = '17'; document.querySelector('.tools form').requestSubmit()")
    expect(page, "data.ids[drawing.chosen]", 17)
    expect(page, "placeOf(drawing.chosen).map(Math.round).join() === [drawing.width / 2, drawing.height / 2].map(Math.round).join()", True)
    page.value("document.querySelector('.tools input').value = 'nobody'; document.querySelector('.tools form').requestSubmit()")
    expect(page, "drawing.found.textContent.includes('not among')", True)
    page.value("[...document.querySelectorAll('.leaders button.name')].find((b) => b.textContent === '34').click()")
    expect(page, "data.ids[drawing.chosen]", 34)
    for select in (0, 1):
        for choice in range(3):
            page.value(f"(() => {{ const s = document.querySelectorAll('.tools select')[{select}]; s.selectedIndex = {choice};"
                       " s.dispatchEvent(new Event('change')); })()")
    expect(page, "[drawing.colourBy, drawing.sizeBy].join()", "degree,core")


def look(browser):
    for width, dark in ((1280, False), (400, True)):
        page = browser.open(f"file://{karate}", width=width, dark=dark)
        expect(page, "document.title", "karate.txt: Weft report")
        expect(page, "document.querySelectorAll('figure.chart svg').length", 6)
        expect(page, "document.querySelectorAll('#communities circle.mark').length", 4)
        expect(page, "document.querySelectorAll('.communities tbody tr').length", 4)
        expect(page, f"document.documentElement.scrollWidth <= {width}", True)
        if width == 1280:
            no_holes(page, "karate")
            tables(page)
            use_drawing(page)
        sound(page, f"{width} px")
    page = browser.open(f"file://{hostile}")
    expect(page, "document.getElementById('main').textContent.includes('</script><script>alert(1)</script>')", True)
    expect(page, "document.querySelectorAll('script').length", 3)
    sound(page, "hostile names")
    for path in others:
        page = browser.open(f"file://{path}")
        expect(page, "document.querySelectorAll('main section').length >= 7", True)
        no_holes(page, path)
        tables(page)
        sound(page, path)
        shown = page.value("[...document.querySelectorAll('.alerts li')].map((x) => x.textContent.toLowerCase().replace(/\\.$/, ''))")
        if shown != page.value("figures.alerts.map((a) => a.text.toLowerCase())"):
            problems.append(f"{path}: the alerts of the page are {shown}")
        unsure = page.value("sections.top.how.filter((run) => run.converged === false).length")
        expect(page, "document.querySelectorAll('#top .verdict.no').length", unsure)
        if path.endswith("path.weft.html") and not unsure:
            problems.append("a path of 1,500 vertices is expected not to converge")
        if path.endswith("grids.txt.html"):  # a picture: it is there, and the paper is not all that is seen
            page.wait("drawing.image.complete && drawing.image.width > 0 && drawing.width > 0")
            page.value("redraw(false)")
            expect(page, "(() => { const c = document.querySelector('.board canvas'), p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                         " let n = 0; for (let i = 3; i < p.length; i += 4) n += p[i] > 0; return n > p.length / 4 / 20; })()", True)


try:
    with Browser(program, folder) as chromium:
        try:
            chromium.call("Browser.getVersion")
        except Trouble:
            sys.exit(77)
        look(chromium)
except Trouble as why:
    problems.append(str(why))
print("\n".join(problems))
