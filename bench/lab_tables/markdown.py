"""Markdown for the lab's tables: numbers, and tables in which what is missing is a dash with its reason below."""

from .run import ENOUGH_RUNS


def number(x):
    """Three digits, and thousands apart."""
    if x == 0:
        return "0"
    return f"{x:.3g}" if abs(x) < 999.5 else f"{x:,.0f}"


def published(text):
    """As the document has it; only thousands are set apart."""

    def one(word):
        try:
            return f"{float(word):,.0f}" if float(word) >= 1000 else word
        except ValueError:
            return word

    return "; ".join(one(word) for word in text.split("; "))


def runs(row):
    """Fewer runs than ten are told."""
    return "" if row["runs"] >= ENOUGH_RUNS else f" [{row['runs']} run{'s' * (row['runs'] != 1)}]"


def letter(i):
    """a to z, then aa, ab, ..."""
    return (letter(i // 26 - 1) if i >= 26 else "") + chr(ord("a") + i % 26)


class Table:
    """Rows are printed by end(); a missing cell is made by missing(why)."""

    def __init__(self, title, columns, note=""):
        self.title, self.columns, self.note, self.rows, self.reasons = title, columns, note, [], []

    def missing(self, why):
        if why not in self.reasons:
            self.reasons.append(why)
        return f"- ({letter(self.reasons.index(why))})"

    def beside(self, ours, said):
        """What was measured, and in brackets what the document said."""
        return f"{ours} ({published(said)})"

    def row(self, *cells):
        self.rows.append(cells)

    def end(self):
        print(f"\n{self.title}\n")
        print("| " + " | ".join(self.columns) + " |\n|---|" + "--:|" * (len(self.columns) - 1))
        for cells in self.rows:
            print("| " + " | ".join(cells) + " |")
        words = [self.note] if self.note else []
        words += [f"({letter(i)}) {why}." for i, why in enumerate(self.reasons)]
        if words:
            print("\n" + " ".join(words))
