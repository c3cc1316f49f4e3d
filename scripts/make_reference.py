"""make_reference.py PACKAGE OUT: the API reference of weftgraph as a static site in OUT, by pdoc, from docstrings and annotations; PACKAGE is the
folder that weftgraph is in.  Then every link within the site is followed; those that lead nowhere are named, with exit code 1.
make_reference.py --check OUT: only the links."""
import html.parser
import pathlib
import re
import sys
import types
import urllib.parse

ROOT = pathlib.Path(__file__).parent.parent
MODULES = ["weftgraph", "weftgraph.torch"]  # and what the first one lists: weftgraph.generate


class _Anything(type):
    def __getattr__(cls, name):
        return _made(name)


def _made(name):
    return _Anything(name, (), {"__module__": "torch"})


def pretend_torch():
    """Enough of torch to import weftgraph.torch where torch is not installed."""
    try:
        import torch  # noqa: F401
    except ImportError:
        for name in ("torch", "torch.autograd", "torch.autograd.function"):
            module = types.ModuleType(name)
            module.__getattr__ = _made
            sys.modules[name] = module
        sys.modules["torch"].autograd = sys.modules["torch.autograd"]
        sys.modules["torch.autograd.function"].once_differentiable = lambda function: function


def write(out):
    import pdoc
    import weftgraph
    from weftgraph._algorithms import Algorithms

    # Algorithms are methods of graphs, whatever class they are written in.
    for name, method in vars(Algorithms).items():
        if not name.startswith("_"):
            setattr(weftgraph.Graph, name, method)
    weftgraph.Dynamic = weftgraph.Dynamic  # loaded on demand, which pdoc does not
    page = re.sub(r"^# .*\n", "", (ROOT / "docs" / "python.md").read_text(), count=1)
    weftgraph.__doc__ = re.sub(r"\[([^\]]+)\]\((?!https?:|#)[^)]*\)", r"\1", page)  # other pages are not part of the site
    pdoc.render.configure(docformat="google", footer_text=f"weftgraph {weftgraph.__version__}", search=True, show_source=False)
    pdoc.pdoc(*MODULES, output_directory=out)


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        told = dict(attributes)
        self.ids |= {told[name] for name in ("id", "name") if told.get(name)}
        self.links += [told[name] for name in ("href", "src") if told.get(name)]


def broken_links(out):
    pages = {path: Page(path.read_text()) for path in out.rglob("*.html")}
    followed = 0
    for path, page in pages.items():
        for link in page.links:
            to = urllib.parse.urlsplit(link)
            if to.scheme or to.netloc:
                continue
            target = (path.parent / urllib.parse.unquote(to.path)).resolve() if to.path else path
            followed += 1
            if not target.exists():
                yield f"{path.relative_to(out)}: {link}: there is no such file"
            elif to.fragment and target in pages and urllib.parse.unquote(to.fragment) not in pages[target].ids:
                yield f"{path.relative_to(out)}: {link}: there is no such place"
    print(f"{len(pages)} pages, {followed} links within them")


def main():
    out = pathlib.Path(sys.argv[2]).resolve()
    if sys.argv[1] != "--check":
        sys.path.insert(0, sys.argv[1])
        pretend_torch()
        write(out)
    broken = list(broken_links(out))
    print("\n".join(broken))
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
