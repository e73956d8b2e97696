"""Reads of hints: those that staff see above the reports, and the people and posts that they are about."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Self

from django.utils.translation import ngettext

from feed.models import Post
from feed.polls.said import said_by
from moderation.cases.cases import CaseId
from moderation.cases.pages.cards import Found
from moderation.hints.counting import MOST_COUNTED
from moderation.hints.same_accounts import together
from moderation.models import CaseKind, Hint, HintKind, SamePost
from moderation.waves.waves import Target
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, as_model, fetch, query, query_all
from socialsite.table.row import row
from socialsite.table.transport.requests import query_request
from socialsite.texts.shortened import shortened

MOST_SHOWN = 10
MOST_READ = 50  # with those that were put away
MOST_COMPARED = 16  # whose accounts are read, in one go
SAMPLE_LENGTH = 140  # characters


@dataclass(frozen=True, slots=True)
class HintCard:
    """A hint as the page of reports shows it. The sample is what one of the posts says, empty if it is not for
    everyone any more. `also` are other hints about the same accounts: they are one for staff."""

    hint_id: str
    kind: HintKind
    host: str
    authors: int
    sample: str
    also: tuple["HintCard", ...] = ()

    @classmethod
    def of(cls, hints: Sequence[Hint], found: Found) -> Self:
        first, *others = hints
        key = keys.post(first.sample_author_id or "", first.sample_id or "")
        return cls(
            hint_id=first.hint_id,
            kind=HintKind(first.kind),
            host=first.host or "",
            authors=int(first.authors),
            sample=_sample(found[key]) if key in found else "",
            also=tuple(cls.of([other], {}) for other in others),
        )

    @property
    def hint_ids(self) -> list[str]:
        return [self.hint_id, *(other.hint_id for other in self.also)]

    @property
    def url(self) -> str:
        return f"/moderation/hints/{self.hint_id}"

    @property
    def line(self) -> str:
        shown = f"{MOST_COUNTED}+" if self.authors >= MOST_COUNTED else str(self.authors)
        if self.kind == HintKind.LINK:
            text = ngettext(
                "%(n)s new account linked to %(host)s within an hour",
                "%(n)s new accounts linked to %(host)s within an hour",
                self.authors,
            )
            return text % {"n": shown, "host": self.host}
        if self.kind == HintKind.PLACE:
            text = ngettext(
                "%(n)s new account signed in from the same network within a day",
                "%(n)s new accounts signed in from the same network within a day",
                self.authors,
            )
            return text % {"n": shown}
        text = ngettext(
            "%(n)s new account posted the same text",
            "%(n)s new accounts posted the same text",
            self.authors,
        )
        return text % {"n": shown}


@access_pattern
def list_hints(kinds: Collection[HintKind]) -> list[HintCard]:
    """Returns the newest hints of today and yesterday that nobody has put away, of these kinds and at most 10. Those
    about the same accounts are one. One Query, 0.5 read units per 4 KB, and if there are any one BatchGetItem of a post
    each, 0.5 or 1. If there are several, a Query of the accounts of each, at most 16 in one go, 0.5 per 4 KB."""
    shown = _together(_waiting(kinds))[:MOST_SHOWN]
    samples = [
        keys.post(first.sample_author_id, first.sample_id)
        for first, *_ in shown
        if first.sample_author_id and first.sample_id
    ]
    found = fetch(samples) if samples else {}
    return [HintCard.of(hints, found) for hints in shown]


@access_pattern
def list_hints_beside(hint_id: str, kinds: Collection[HintKind]) -> list[str]:
    """Returns the ids of a hint and of those of these kinds that are about the same accounts. Costs as `list_hints`,
    without the posts."""
    rows = ([hint.hint_id for hint in hints] for hints in _together(_waiting(kinds)))
    return next((row for row in rows if hint_id in row), [hint_id])


@access_pattern
def list_hints_within(people: Collection[str]) -> list[Hint]:
    """Returns the hints of today and yesterday that nobody has put away and whose accounts are all among these people.
    One Query, 0.5 read units per 4 KB, and if there are any a Query of the accounts of each, as `list_same_posts`."""
    hints = _waiting(frozenset(HintKind))
    accounts = _accounts_of(hints, most=len(people) + 1)
    return [hint for hint, of in zip(hints, accounts, strict=True) if of and of <= {*people}]


@access_pattern
def list_same_posts(hint_id: str, *, most: int) -> list[Target]:
    """Returns the people whom a hint is about, for a wave, each with their posts if it is about posts. At most so
    many. One Query, 0.5 read units per 4 KB: 16 for 500 people. Raises `NotFound` for a hint that ended or never
    was."""
    rows = query(keys.same_posts(hint_id), limit=most)
    found = [as_model(SamePost, raw) for raw in islice(rows, most)]
    if not found:
        raise NotFound("no such hint")
    return [
        Target(CaseId(CaseKind.PERSON, one.author_id), 0, tuple(sorted(one.posts or ())))
        for one in found
    ]


def _waiting(kinds: Collection[HintKind]) -> list[Hint]:
    since = (utc_now() - timedelta(days=1)).date().isoformat()
    between = (since, keys.bounds("2")[1])  # until the year 3000
    rows = query(keys.hints(), between=between, forward=False, limit=MOST_READ)
    hints = (as_model(Hint, raw) for raw in islice(rows, MOST_READ))
    return [hint for hint in hints if HintKind(hint.kind) in kinds and not hint.put_away]


def _together(hints: Sequence[Hint]) -> list[list[Hint]]:
    compared = hints[:MOST_COMPARED] if len(hints) > 1 else ()
    accounts = _accounts_of(compared, most=MOST_COUNTED)
    alone = [[hint] for hint in hints[len(compared) :]]
    return [*together(compared, accounts), *alone]


def _accounts_of(hints: Iterable[Hint], *, most: int) -> list[frozenset[str]]:
    requests = [query_request(keys.same_posts(hint.hint_id), limit=most) for hint in hints]
    answers = query_all(requests)
    return [frozenset(row(SamePost, raw).author_id for raw in islice(one, most)) for one in answers]


def _sample(raw: RawItem) -> str:
    post = row(Post, raw)
    is_for_everyone = "audience" not in raw and "withheld" not in raw
    return shortened(said_by(post), SAMPLE_LENGTH) if is_for_everyone else ""
