"""The decision whether a search pays for the conversion of its graph: buy or rent, per graph, in predicted and
measured time.

A search of everything reachable costs NetworkX some time for each node and arc.  If that exceeds the cost of a
conversion, a graph that was not searched before is converted at once; likewise if half of it does, for Dijkstra's
search up to one node, which may end anywhere.  Every other search pays rent: NetworkX searches, and the time until the
next question about this graph, but at most that of a search of the whole graph, is credited; the credit buys the next
conversion.  So conversions of a graph never take longer than what was paid, however often it changes and however soon
its searches end [1].

An account may miss a call of concurrent threads, which is harmless.
[1] A. R. Karlin, M. S. Manasse, L. Rudolph, D. D. Sleator, "Competitive snoopy caching", Algorithmica 3 (1988).
"""
from __future__ import annotations

import time
from weakref import WeakKeyDictionary

# Nanoseconds, measured on graphs of 700 to 140,000 nodes and arcs: the backend's own time for a call, and for each
# node and arc of a conversion.
CALL, PLAIN, WITH_WEIGHTS = 80_000, 50, 100
RECOUNT = 256  # questions after which arcs are counted again
RENTED = "its searches have not paid for the conversion of the graph yet"

clock = time.perf_counter_ns
_accounts: WeakKeyDictionary = WeakKeyDictionary()


class Account:
    """The account of a graph's searches: times are in ns."""

    __slots__ = ("nodes", "size", "questions", "balance", "begun", "most", "rented", "bought")

    def __init__(self):
        self.nodes = self.size = self.questions = 0
        self.balance = 0  # paid, less the price of conversions
        self.begun, self.most = None, 0  # of the last search by NetworkX, if it is not paid yet
        self.rented = self.bought = 0  # searches left to NetworkX; conversions for a search

    def paid(self, now):
        return self.balance + (0 if self.begun is None else max(0, min(now - self.begun, self.most)))

    def count(self, G):
        """Number of nodes and arcs: now, or a short time ago."""
        nodes = len(G._adj)
        if self.questions % RECOUNT == 0 or 8 * abs(nodes - self.nodes) > self.nodes:
            self.nodes, self.size = nodes, nodes + sum(map(len, G._adj.values()))
            self.questions = 0
        return self.size


def account_of(G):
    """The account of a graph; None if no search came before its conversion."""
    return _accounts.get(G)


def conversion(size, weights=True):
    """The predicted cost of a conversion."""
    return CALL + size * (WITH_WEIGHTS if weights else PLAIN)


class Search:
    """A searching function: NetworkX's cost for each node and arc that it sees, the arguments that may end it early
    (None: it may end early anyway), and the part of the graph that it is then expected to see (0: unknown)."""

    __slots__ = ("rate", "weights", "ends", "part")

    def __init__(self, rate, weights=False, ends=(), part=0):
        self.rate, self.weights, self.ends, self.part = rate, weights, ends, part

    def least(self):
        """Size, in nodes and arcs, of the smallest graph whose conversion a search of everything pays."""
        return CALL // (self.rate - (WITH_WEIGHTS if self.weights else PLAIN)) + 1

    def predicted(self, size, args, kwargs):
        """The predicted cost of NetworkX's search, 0 if unknown."""
        all_of_it = self.ends is not None and all(
            (args[place] if len(args) > place else kwargs.get(name)) is None for place, name in self.ends)
        return self.rate * size * (1 if all_of_it else self.part)

    def pays(self, account, args, kwargs, now):
        """Should this call convert its graph, which has at most these nodes and arcs?  Also returns the reason."""
        cost = conversion(account.size, self.weights)
        if not account.bought and self.predicted(account.size, args, kwargs) > cost:
            return True, 0
        return account.paid(now) >= cost, cost

    def __call__(self, name, args, kwargs):
        """True, or the reason why NetworkX should search: as should_run.  The graph is plain and not converted."""
        G = args[0]
        account = _accounts.get(G)
        if account is None:
            account = _accounts[G] = Account()
        now, size = clock(), account.count(G)
        account.questions += 1
        account.balance = account.paid(now)
        account.begun = None
        pays, price = self.pays(account, args, kwargs, now)
        if pays:
            account.balance -= price
            account.bought += 1
            return True
        account.begun, account.most = clock(), self.rate * size
        account.rented += 1
        return RENTED
