"""Which accounts share something: the domain of an email address, a network, a browser.

Staff look for one person behind several accounts. None of it is proof: families, schools and mobile providers share
networks. So a network or browser of very many accounts names nobody.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import islice

from django.utils.translation import gettext

from accounts.encryption.emails import domain_hmacs
from accounts.models import DomainEntry, Origin, OriginTrace
from accounts.signing_in.origins import OriginKind, origin_hmacs
from moderation.cases.pages.cards import person_of
from moderation.people.access_patterns import PersonRow
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row

MOST_SHOWN = 100
MOST_TRACES = 500  # read of one person and kind
MOST_FOLLOWED = {OriginKind.BROWSER: 10, OriginKind.NETWORK: 20}  # of these, the latest
CROWD = 50  # accounts; more than that on one network or browser say nothing about each other


@dataclass(frozen=True, slots=True)
class Accounts:
    """Accounts that share something, those that share most or are newest first. `is_cut` says that there are more,
    `crowded` how many networks and browsers were left out."""

    rows: list[PersonRow]
    is_cut: bool = False
    crowded: int = 0


@dataclass(slots=True)
class _Shared:
    """What another account shares with a person, and the last day on which it did."""

    browsers: int = 0
    networks: int = 0
    seen: str = ""
    kinds: set[OriginKind] = field(default_factory=set)

    def add(self, kind: OriginKind, seen: str) -> None:
        self.browsers += kind == OriginKind.BROWSER
        self.networks += kind == OriginKind.NETWORK
        self.seen = max(self.seen, seen)
        self.kinds.add(kind)

    @property
    def in_words(self) -> str:
        if len(self.kinds) == len(OriginKind):
            return gettext("Same browser and network")
        return gettext("Same browser") if self.browsers else gettext("Same network")


@access_pattern
def list_of_domain(domain: str) -> Accounts:
    """Returns the people whose confirmed email address is of this very domain, the newest accounts first.

    A Query of `maildomain#<hmac>` for each key of the settings and one BatchGetItem of at most 100 infos: 1.5 + 50 read
    units.
    """
    partitions = [keys.domain_entries(hmac) for hmac in domain_hmacs(domain)]
    return _accounts(_newest(DomainEntry, partitions))


@access_pattern
def list_of_network(network: str) -> Accounts:
    """Returns the people who signed in from this network in the last 90 days, the newest accounts first.

    A Query of `origin#net#<hmac>` for each key of the settings and one BatchGetItem of at most 100 infos: 2.5 + 50 read
    units.
    """
    kind = OriginKind.NETWORK
    partitions = [keys.origins(kind, hmac) for hmac in origin_hmacs(kind, network)]
    return _accounts(_newest(Origin, partitions))


@access_pattern
def list_other_accounts(user_id: str) -> Accounts:
    """Returns the accounts that signed in from the same browser or network as a person in the last 90 days: those of
    the same browser first, then those that share more networks, then the latest.

    Two Queries of `u#<id>#origin`, at most 500 items of each kind, 12.5 read units each; a Query of each of the latest
    10 browsers and 20 networks, at most 51 items and 1 read unit each; one BatchGetItem of at most 100 infos, 50 read
    units.
    """
    shared: dict[str, _Shared] = {}
    crowded = 0
    for kind, hmac in _latest_origins(user_id):
        here = [row(Origin, raw) for raw in _first(keys.origins(kind, hmac), CROWD + 1)]
        if len(here) > CROWD:
            crowded += 1
            continue
        for origin in here:
            shared.setdefault(origin.user_id, _Shared()).add(kind, origin.seen)
    shared.pop(user_id, None)
    order = sorted(
        shared,
        key=lambda one: (bool(shared[one].browsers), shared[one].networks, shared[one].seen),
        reverse=True,
    )
    accounts = _accounts(order)
    rows = [
        replace(one, shared=what.in_words, shared_on=date.fromisoformat(what.seen))
        for one in accounts.rows
        if (what := shared[one.person.user_id])
    ]
    return replace(accounts, rows=rows, crowded=crowded)


def _latest_origins(user_id: str) -> list[tuple[OriginKind, str]]:
    return [
        (kind, trace.hmac)
        for kind, most in MOST_FOLLOWED.items()
        for trace in _latest(user_id, kind)[:most]
    ]


def _latest(user_id: str, kind: OriginKind) -> list[OriginTrace]:
    # They lie by hash. With many networks, a shared browser would not be among the first of all.
    between = keys.origin_trace_bounds(kind)
    rows = query(keys.origin_traces(user_id), between=between, limit=MOST_TRACES)
    traces = [row(OriginTrace, raw) for raw in islice(rows, MOST_TRACES)]
    return sorted(traces, key=lambda trace: trace.seen, reverse=True)


def _newest(model: type[DomainEntry | Origin], partitions: Iterable[str]) -> list[str]:
    """Returns whom these partitions list, the newest accounts first. Their ids sort by time, and so do the entries."""
    found = [raw for partition in partitions for raw in _first(partition, MOST_SHOWN + 1)]
    return sorted({row(model, raw).user_id for raw in found}, reverse=True)


def _first(partition: str, count: int) -> list[RawItem]:
    return list(islice(query(partition, forward=False, limit=count), count))


def _accounts(user_ids: Iterable[str]) -> Accounts:
    order = list(dict.fromkeys(user_ids))
    shown = order[:MOST_SHOWN]
    found = fetch(keys.user_info(user_id) for user_id in shown) if shown else {}
    people = [person for user_id in shown if (person := person_of(user_id, found))]
    return Accounts([PersonRow.of(person) for person in people], is_cut=len(order) > MOST_SHOWN)
