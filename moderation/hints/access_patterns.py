"""Reads of hints: those that staff see above the reports, and the people and posts that one of them is about."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Self

from django.utils.text import Truncator
from django.utils.translation import ngettext

from feed.models import Post
from feed.polls.said import said_by
from moderation.cases.cases import CaseId
from moderation.cases.pages.cards import Found
from moderation.hints.counting import MOST_COUNTED
from moderation.models import CaseKind, Hint, HintKind, SamePost
from moderation.waves.waves import Target
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, as_model, fetch, query
from socialsite.table.row import row

MOST_SHOWN = 10
MOST_READ = 50  # with those that were put away
SAMPLE_LENGTH = 140  # characters


@dataclass(frozen=True, slots=True)
class HintCard:
    """A hint as the page of reports shows it. The sample is what one of the posts says, empty if it is not for
    everyone any more."""

    hint_id: str
    kind: HintKind
    host: str
    authors: int
    sample: str

    @classmethod
    def of(cls, hint: Hint, found: Found) -> Self:
        key = keys.post(hint.sample_author_id or "", hint.sample_id or "")
        return cls(
            hint_id=hint.hint_id,
            kind=HintKind(hint.kind),
            host=hint.host or "",
            authors=int(hint.authors),
            sample=_sample(found[key]) if key in found else "",
        )

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
    """Returns the newest hints of today and yesterday that nobody has put away, of these kinds and at most 10. One
    Query, 0.5 read units per 4 KB, and if there are any one BatchGetItem of a post each, 0.5 or 1."""
    since = (utc_now() - timedelta(days=1)).date().isoformat()
    between = (since, keys.bounds("2")[1])  # until the year 3000
    rows = query(keys.hints(), between=between, forward=False, limit=MOST_READ)
    hints = [as_model(Hint, raw) for raw in islice(rows, MOST_READ)]
    wanted = [hint for hint in hints if HintKind(hint.kind) in kinds and not hint.put_away]
    shown = wanted[:MOST_SHOWN]
    samples = [
        keys.post(hint.sample_author_id, hint.sample_id)
        for hint in shown
        if hint.sample_author_id and hint.sample_id
    ]
    found = fetch(samples) if samples else {}
    return [HintCard.of(hint, found) for hint in shown]


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


def _sample(raw: RawItem) -> str:
    post = row(Post, raw)
    is_for_everyone = "audience" not in raw and "withheld" not in raw
    return Truncator(said_by(post)).chars(SAMPLE_LENGTH) if is_for_everyone else ""
