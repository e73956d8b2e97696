"""Hints as staff see them above the reports, with the people and posts that they are about.

The id of a hint says what kind it is, which decides who sees it. A wave is often noticed several times: by its text,
by each host that it links to, hour after hour, and by its network; hints about the same accounts are one for staff.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Self

from django.utils.translation import ngettext

from accounts.permissions import Permission, Permissions
from feed.polls.models import said_by
from feed.posts.models import Post
from moderation.cases.cards import Found, person_of
from moderation.cases.reads import CaseId
from moderation.models import CaseKind, Hint, HintKind, SamePost
from socialsite.clock import utc_now
from socialsite.table import NotFound, RawItem, access_pattern, as_model, fetch, keys, query, row
from socialsite.table.reading import query_all
from socialsite.table.transport.requests import query_request
from socialsite.texts import shortened

FOR_PLACES = frozenset({Permission.PEOPLE, Permission.ORIGINS})


def hint_id_of(window: str, kind: HintKind, value: str) -> str:
    """Returns the id of a hint. It begins with its day or hour, and holds the value as a hash alone."""
    return f"{window}-{kind}-{hashlib.sha256(value.encode()).hexdigest()[:24]}"


def kind_of(hint_id: str) -> HintKind | None:
    """Returns the kind, or None for what is no id."""
    named = hint_id.rpartition("-")[0].rpartition("-")[2]
    return next((kind for kind in HintKind if kind == named), None)


def is_of_place(hint_id: str) -> bool:
    """Whether the hint says who shares a network."""
    return kind_of(hint_id) == HintKind.PLACE


def is_shown_to(permissions: Permissions, hint_id: str, viewer_id: str) -> bool:
    """Whether someone who opens cases sees the hint. One against themselves would say who reported them."""
    own = hint_id_of("", HintKind.BRIGADE, viewer_id)
    return kind_of(hint_id) in hints_shown_to(permissions) and not hint_id.endswith(own)


def in_the_log(hint_id: str) -> str:
    """Returns what the audit log says of a hint. It keeps that for ever, so of one about a network not the hash."""
    return hint_id.rpartition("-")[0] if is_of_place(hint_id) else hint_id


def hints_shown_to(permissions: Permissions) -> frozenset[HintKind]:
    """Returns the kinds of hints that someone sees who opens cases. Those about a place say who shares a network."""
    return frozenset(
        kind for kind in HintKind if kind != HintKind.PLACE or permissions >= FOR_PLACES
    )


KINDS = list(HintKind)


def are_the_same(one: Collection[str], other: Collection[str]) -> bool:
    """Whether most of the accounts of both are in both. That five of a hundred who share a network also post alike says
    nothing about the others."""
    both = {*one} & {*other}
    return 2 * len(both) > len({*one, *other})


def together(hints: Sequence[Hint], accounts: Sequence[Collection[str]]) -> list[list[Hint]]:
    """Returns the hints, those about the same accounts as one: in front the one with the most accounts, of equal ones
    the one about a text. Hints without accounts stay alone."""
    found: list[tuple[Collection[str], list[Hint]]] = []
    for hint, people in sorted(zip(hints, accounts, strict=True), key=lambda one: _rank(one[0])):
        beside = next((row for of, row in found if are_the_same(of, people)), None)
        if beside is None:
            found.append((people, [hint]))
        else:
            beside.append(hint)
    newest = {hint.hint_id: place for place, hint in enumerate(hints)}
    rows = (row for _, row in found)
    return sorted(rows, key=lambda row: min(newest[hint.hint_id] for hint in row))


def _rank(hint: Hint) -> tuple[int, int]:
    return -int(hint.authors), KINDS.index(HintKind(hint.kind))


SEVERAL = 5  # accounts, from which on it is a hint
MOST_COUNTED = 100
KEPT = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Target:
    """A case as the moderator chose it, with the posts to act on. `version` is 0 for people who were not chosen by a
    case. `seen_version` is then the version of the case that the preview shows, 0 for none."""

    case_id: CaseId
    version: int
    posts: tuple[str, ...] = ()
    seen_version: int = 0


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
    is_brigade: bool = False
    target: str = ""  # the handle of whom they turned against
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
            is_brigade=any(one.brigade or one.kind == HintKind.BRIGADE for one in hints),
            target=_handle(first, found),
            also=tuple(cls.of([other], found) for other in others),
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
        if self.kind == HintKind.MESSAGE:
            text = ngettext(
                "%(n)s first message to a stranger said the same within an hour",
                "%(n)s first messages to strangers said the same within an hour",
                self.authors,
            )
            return text % {"n": shown}
        if self.kind == HintKind.BRIGADE:
            text = ngettext(
                "%(n)s account reported or answered @%(handle)s within an hour: new here, or following each other",
                "%(n)s accounts reported or answered @%(handle)s within an hour: new here, or following each other",
                self.authors,
            )
            return text % {"n": shown, "handle": self.target or "…"}
        text = ngettext(
            "%(n)s new account posted the same text",
            "%(n)s new accounts posted the same text",
            self.authors,
        )
        return text % {"n": shown}


@access_pattern
def list_hints(kinds: Collection[HintKind], *, viewer_id: str = "") -> list[HintCard]:
    """Returns the newest hints of today and yesterday that nobody has put away, of these kinds and at most 10, but for
    those against the viewer. Those about the same accounts are one. One Query, 0.5 read units per 4 KB, and if there
    are any one BatchGetItem of a post or a person each, 0.5 or 1. If there are several, a Query of the accounts of
    each, at most 16 in one go, 0.5 per 4 KB."""
    shown = _together(_waiting(kinds, viewer_id))[:MOST_SHOWN]
    wanted = [
        keys.post(first.sample_author_id, first.sample_id)
        for first, *_ in shown
        if first.sample_author_id and first.sample_id
    ]
    targets = {hint.target_id for hints in shown for hint in hints if hint.target_id}
    wanted += [keys.user_info(one) for one in sorted(targets)]
    found = fetch(wanted) if wanted else {}
    return [HintCard.of(hints, found) for hints in shown]


@access_pattern
def list_hints_beside(
    hint_id: str, kinds: Collection[HintKind], *, viewer_id: str = ""
) -> list[str]:
    """Returns the ids of a hint and of those of these kinds that are about the same accounts, but for those against the
    viewer. Costs as `list_hints`, without the posts."""
    waiting = _waiting(kinds, viewer_id)
    rows = ([hint.hint_id for hint in hints] for hints in _together(waiting))
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
    found = [as_model(SamePost, raw) for raw in islice(rows, most) if _counts(hint_id, raw)]
    if not found:
        raise NotFound("no such hint")
    return [
        Target(CaseId(CaseKind.PERSON, one.author_id), 0, tuple(sorted(one.posts or ())))
        for one in found
    ]


def _waiting(kinds: Collection[HintKind], viewer_id: str = "") -> list[Hint]:
    since = (utc_now() - timedelta(days=1)).date().isoformat()
    between = (since, keys.bounds("2")[1])  # until the year 3000
    rows = query(keys.hints(), between=between, forward=False, limit=MOST_READ)
    hints = (as_model(Hint, raw) for raw in islice(rows, MOST_READ))
    shown = (hint for hint in hints if HintKind(hint.kind) in kinds and not hint.put_away)
    return [hint for hint in shown if not (viewer_id and hint.target_id == viewer_id)]


def _together(hints: Sequence[Hint]) -> list[list[Hint]]:
    compared = hints[:MOST_COMPARED] if len(hints) > 1 else ()
    accounts = _accounts_of(compared, most=MOST_COUNTED)
    alone = [[hint] for hint in hints[len(compared) :]]
    return [*together(compared, accounts), *alone]


def _accounts_of(hints: Sequence[Hint], *, most: int) -> list[frozenset[str]]:
    requests = [query_request(keys.same_posts(hint.hint_id), limit=most) for hint in hints]
    answers = zip(hints, query_all(requests), strict=True)
    return [
        frozenset(
            row(SamePost, raw).author_id for raw in islice(one, most) if _counts(hint.hint_id, raw)
        )
        for hint, one in answers
    ]


def _counts(hint_id: str, raw: RawItem) -> bool:
    """Whether an account is among those whom a hint is about: of a brigade, only with what makes it one."""
    return kind_of(hint_id) != HintKind.BRIGADE or bool(row(SamePost, raw).counts)


def _handle(hint: Hint, found: Found) -> str:
    target = person_of(hint.target_id or "", found)
    return target.handle if target else ""


def _sample(raw: RawItem) -> str:
    post = row(Post, raw)
    is_for_everyone = "audience" not in raw and "withheld" not in raw
    return shortened(said_by(post), SAMPLE_LENGTH) if is_for_everyone else ""
