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
        const wanted = table.rows.map((row) => row.map((x) => (x === null ? "" : String(x))));
        result[details.dataset.table] = JSON.stringify(shown) === JSON.stringify(wanted);
    }
    return result;
})()"""


def expect(page, expression, wanted):
    got = page.value(expression)
    if got != wanted:
        problems.append(f"{expression} is {got!r}, expected {wanted!r}")


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
        expect(page, "document.querySelectorAll('figure.chart svg').length >= 5", True)
        expect(page, f"document.documentElement.scrollWidth <= {width}", True)
        if width == 1280:
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
        tables(page)
        sound(page, path)


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
