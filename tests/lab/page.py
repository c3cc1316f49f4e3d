"""Is a report of weft lab sound?  Tags nest and close, ids are unique, links inside lead somewhere, nothing is loaded from
anywhere, every chart has a title, a description, marks and a table, its labels stand apart, and its numbers are written without
powers of ten.  Prints what is wrong, one line each.
    page.py PAGE.html [CHARTS]      CHARTS: as many at least, or 1"""
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "link", "br"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.wrong = [], [], [], []
        self.figures, self.figure, self.svgs = [], None, 0

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag in ("script", "iframe", "img"):
            self.wrong.append(f"there is a <{tag}>")
        for name in ("src", "href"):
            value = attrs.get(name, "")
            if value.startswith("#"):
                self.links.append(value[1:])
            elif value and not value.startswith("data:"):
                self.wrong.append(f"{tag} loads {value}")
        if tag == "figure":
            self.figure = {"marks": 0, "beside": []}
            self.figures.append(self.figure)
        if self.figure is not None:
            if tag in ("title", "desc", "table", "figcaption", "svg"):
                self.figure.setdefault(tag, attrs)
            if re.search(r"\b(bar|dot|point|mark|part\d)\b", attrs.get("class", "")):
                self.figure["marks"] += 1
            if tag == "text" and "beside" in attrs.get("class", "").split():
                self.figure["beside"].append(float(attrs["y"]))
        for name in ("x", "y", "width", "cx", "cy", "points", "d", "transform"):
            if re.search(r"nan|inf", attrs.get(name, "")):
                self.wrong.append(f"<{tag} {name}={attrs[name]}>")
        if tag not in VOID:
            self.open.append(tag)

    def handle_data(self, data):
        if self.figure is not None and re.search(r"\d[eE][+-]\d", data):
            self.wrong.append(f"a power of ten in a chart or its table: {data.strip()}")

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        while self.open and self.open[-1] == "p" and tag != "p":
            self.wrong.append("a <p> is not closed")
            self.open.pop()
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes nothing")
        if tag == "figure":
            self.figure = None


if len(sys.argv) not in (2, 3) or not all(word.isdigit() for word in sys.argv[2:]):
    sys.exit("usage: page.py PAGE.html [CHARTS]")
wanted = int(sys.argv[2]) if sys.argv[2:] else 1
with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
page = Page()
page.feed(text)
wrong = page.wrong
if page.open:
    wrong.append(f"not closed: {page.open}")
if len(set(page.ids)) != len(page.ids):
    wrong.append("an id is there twice")
wrong += [f"#{link} leads nowhere" for link in page.links if link not in page.ids]
if len(page.figures) < wanted:
    wrong.append(f"{len(page.figures)} charts, expected {wanted}")
for number, figure in enumerate(page.figures):
    for part in ("svg", "title", "desc", "table", "figcaption"):
        if part not in figure:
            wrong.append(f"chart {number} has no {part}")
    if not figure["marks"]:
        wrong.append(f"chart {number} shows nothing")
    beside = sorted(figure["beside"])
    if any(low + 16 > high for low, high in zip(beside, beside[1:])):
        wrong.append(f"labels of chart {number} overlap")
    if figure.get("svg", {}).get("role") != "img":
        wrong.append(f"chart {number} is no image to a screen reader")
for needed in ("width=device-width", "prefers-color-scheme: dark", "@media print", 'lang="en"', "charset"):
    if needed not in text:
        wrong.append(f"{needed} is missing")
if re.search(r"https?://(?!www\.w3\.org)", text):
    wrong.append("there is an address in it")
print("\n".join(wrong))
sys.exit(bool(wrong))
