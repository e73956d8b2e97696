"""Explore: posts that people like today, people to follow, people who are new here, and the topics of now.

The clock makes one list of posts for each language, the same for everyone (`writes.py`), so nothing is noted about who
looks at what. Lists hold pointers: what may not be shown any more is left out by each read. Each process keeps the
lists for `KEPT_FOR` seconds. A list that is out of date is asked for anew, and the clock makes it.

The topics are counted by the room that knows tags (`tags/trending.py`), and shown only where staff want it.
"""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple, Self

from django.utils.translation import ngettext

from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from feed.cards.muting import IN_LISTS, quieten
from feed.cards.post_card import PostCard
from feed.cards.reads import Fetched, keys_of_page, visible_posts
from feed.explore.models import Explored
from feed.home.reads import ToFollow, best_of, is_newcomer, keys_of_authors, newest_authors
from feed.posts.reads import Pointer, block_keys, mute_keys
from relations.muted_words.reads import muted_keys
from relations.relation import is_in_force
from relations.suggested import (
    find_suggestions,
    keys_of_suggestions,
    looked_at,
    own_relations,
    suggestions_of,
)
from relations.topics import Topic, keys_of_topics, not_followed
from relations.two_levels import Recommendation
from socialsite.clock import utc_now
from socialsite.due.work import plan
from socialsite.process_state import KeptCopy
from socialsite.site_settings.site_rules import site_rules
from socialsite.table import (
    PAGE_SIZE,
    Key,
    RawItem,
    Stretch,
    TableError,
    access_pattern,
    create,
    ids,
    keys,
    query,
    row,
)
from socialsite.table.reading import BATCH_GET_LIMIT
from socialsite.texts import tag_url

TODAY = timedelta(hours=24)
EVERY = timedelta(minutes=15)
OUT_OF_DATE = timedelta(minutes=20)  # the clock makes lists each quarter of an hour
KEPT_FOR = 30.0  # seconds

RANK, EVERYONE = "rank-liked-today", "everyone"  # the kind of due work, and what it is about


class Liked(NamedTuple):
    """A post that people like today, with its score. Of a quote also the quoted post."""

    score: float
    post_id: str
    author_id: str
    quote_of: str = ""
    quote_of_author_id: str = ""

    @property
    def pointer(self) -> Pointer:
        return Pointer(
            self.post_id,
            self.author_id,
            quote_of=self.quote_of,
            quote_of_author_id=self.quote_of_author_id,
        )


class TopicNow(NamedTuple):
    """A tag that many people use now, and how many."""

    tag: str
    people: int

    @property
    def tag_url(self) -> str:
        return tag_url(self.tag)

    @property
    def reason(self) -> str:
        text = ngettext("%(n)s person", "%(n)s people", self.people)
        return text % {"n": self.people}


@dataclass(frozen=True, slots=True)
class Lists:
    """What the clock has made: the posts of each language, and the topics."""

    liked: Mapping[str, Sequence[Liked]] = field(default_factory=dict)
    topics: Sequence[TopicNow] = ()
    made_at: str = ""  # when the posts were ranked, ISO


def explored() -> Lists:
    """Returns this process's copy. At most once in `KEPT_FOR` seconds it costs as much as `read_explored`."""
    return _kept.get()


def forget_explored() -> None:
    """Drops the copy, so that the next use reads the lists again."""
    _kept.forget()


@access_pattern
def read_explored() -> Lists:
    """Reads what Explore shows to everyone, which each process keeps for 30 seconds. Where the posts were ranked more
    than 20 minutes ago, or never, it asks the clock to rank them.

    One Query `PK = explore`, 0.5 read units per 4 KB, at most 0.5 for each language; 2 write units to ask.
    """
    liked: dict[str, Sequence[Liked]] = {}
    topics: Sequence[TopicNow] = ()
    made_at = ""
    for raw in query(keys.explored()):
        one = row(Explored, raw)
        if raw["SK"]["S"] == keys.explored_topics().sk:
            topics = [TopicNow(*line) for line in one.lines]
        else:
            language = raw["SK"]["S"].removeprefix(keys.explored_posts("").sk)
            liked[language] = [Liked(*line) for line in one.lines]
            made_at = max(made_at, one.made_at)
    if made_at < (utc_now() - OUT_OF_DATE).isoformat(timespec="seconds"):
        _ask_to_rank()
    return Lists(liked, topics, made_at)


_kept = KeptCopy(lambda: read_explored(), seconds=lambda: KEPT_FOR)


def _ask_to_rank() -> None:
    # Everyone who asks in the same quarter of an hour asks for the same work. No page fails because of it.
    with suppress(TableError):
        create(plan(RANK, moment=quarter_of(utc_now()), subject=EVERYONE).item)


def quarter_of(moment: datetime) -> datetime:
    """Returns the beginning of the quarter of an hour."""
    return moment.replace(minute=moment.minute - moment.minute % 15, second=0, microsecond=0)


def topics_now() -> list[TopicNow]:
    """Returns the topics that many talk about now, without those that staff refuse; none unless staff want it shown."""
    site = site_rules()
    if not site.topics_shown:
        return []
    return [topic for topic in explored().topics if topic.tag not in site.refused_topics]


def liked_in(languages: Iterable[str]) -> list[Liked]:
    """Returns the posts of the last 24 hours that people like in these languages, or that name none, best first, and
    one of each author."""
    oldest = ids.first_id_at(utc_now() - TODAY)
    made = explored().liked
    each = (made.get(language, ()) for language in dict.fromkeys(["", *languages]))
    best = heapq.merge(*each, key=lambda one: one.score, reverse=True)
    found: dict[str, Liked] = {}
    for one in best:
        if one.post_id >= oldest:
            found.setdefault(one.author_id, one)
    return list(found.values())


class Numbers(NamedTuple):
    """How many people a page shows of each kind, and how many authors more it looks at."""

    known: int
    people: int
    newcomers: int
    more: int


BESIDE_POSTS = Numbers(known=3, people=3, newcomers=3, more=4)
ON_THEIR_OWN = Numbers(known=8, people=8, newcomers=6, more=5)


@dataclass(frozen=True, slots=True)
class _Looked:
    """The people who may be shown, before it is known who still can be, and the keys that decide."""

    viewer: Viewer
    numbers: Numbers
    own: Stretch
    known: Sequence[Recommendation]
    posting: Sequence[str]
    new: Sequence[str]
    topics: Sequence[Topic]

    @classmethod
    def at(cls, viewer: Viewer, numbers: Numbers) -> Self:
        found, own = find_suggestions(viewer), own_relations(viewer)
        known = found.people[: looked_at(numbers.known)]
        besides = {viewer.user_id, *(one.user_id for one in known)}
        authors = [one for one in newest_authors().posts if one not in besides]
        posting = [one for one in authors if not is_newcomer(one)]
        new = [one for one in authors if is_newcomer(one)]
        return cls(
            viewer,
            numbers,
            own,
            known,
            posting[: numbers.people + numbers.more],
            new[: numbers.newcomers + numbers.more],
            found.topics,
        )

    @property
    def keys(self) -> list[Key]:
        return [
            *keys_of_suggestions(self.viewer.user_id, self.known),
            *keys_of_authors(self.viewer, [*self.posting, *self.new]),
            *keys_of_topics(self.viewer.user_id, self.topics),
        ]

    def shown(self, items: dict[Key, RawItem]) -> ToFollow:
        """Returns those who still can be shown, from the items of `keys`."""
        viewer, numbers = self.viewer, self.numbers
        return ToFollow(
            suggestions_of(viewer.user_id, self.known, items)[: numbers.known],
            best_of(self.posting, items, viewer=viewer, size=numbers.people),
            best_of(self.new, items, viewer=viewer, size=numbers.newcomers),
            not_followed(viewer.user_id, self.topics, items),
        )


@access_pattern
def list_all_to_follow(*, viewer: Viewer) -> ToFollow:
    """Returns at most 8 people the viewer may know, 8 who post here and 6 who are new.

    `find_suggestions`, `own_relations` and `newest_authors`, then one BatchGetItem: 5 keys for each of 9 people, 2 for
    each of 24 authors and one for each of 6 topics. In all 51 read units.
    """
    looked = _Looked.at(viewer, ON_THEIR_OWN)
    return looked.shown(looked.own.fetch(looked.keys))


SHOWN = 10


@dataclass(frozen=True, slots=True)
class Exploring:
    """What the page shows. `after` is the place in the list of posts behind those shown, None at its end."""

    posts: list[PostCard]
    after: int | None
    to_follow: ToFollow


@access_pattern
def list_explored(*, viewer: Viewer, languages: Sequence[str]) -> Exploring:
    """Returns 10 posts that people like today, and few people to follow with topics of people near. People who post
    here only where too few were found whom the viewer may know.

    `find_suggestions`, `own_relations`, `newest_authors` and `explored`, then one BatchGetItem for all, of at most 100
    keys: 4 for each post and 2 more for a quote, 5 for each of 4 people, 2 for each of 14 authors and one for each of 6
    topics. In all 60 read units. Fewer posts where their keys are more than fit.
    """
    looked = _Looked.at(viewer, BESIDE_POSTS)
    if len(looked.known) >= BESIDE_POSTS.known:  # enough people above the posts
        looked = replace(looked, posting=())
    of_people = looked.keys
    liked = liked_in(languages)
    asked = [one.pointer for one in liked[:SHOWN]]
    pointers = _that_fit(asked, of_people, viewer, looked.own)
    fetched = Fetched(known=[looked.own])
    fetched.more([*_keys_of_liked(pointers, viewer), *of_people])
    posts = _shown(pointers, fetched, viewer)
    after = len(pointers) if len(pointers) < len(liked) else None
    return Exploring(posts, after, looked.shown(fetched.items))


@access_pattern
def list_liked_today(
    *, viewer: Viewer, languages: Sequence[str], start: int = 0, size: int = PAGE_SIZE
) -> tuple[list[PostCard], int | None]:
    """Returns the posts that people like today from a place in the list on, and the place after them, None at the end.

    `own_relations` and `explored`, then one BatchGetItem of at most 4 keys a post, 2 more for a quote: 0.5 + 40 read
    units.
    """
    own = own_relations(viewer)
    liked = liked_in(languages)
    asked = [one.pointer for one in liked[start : start + size]]
    pointers = _that_fit(asked, (), viewer, own)
    fetched = Fetched(known=[own])
    fetched.more(_keys_of_liked(pointers, viewer))
    after = start + len(pointers)
    return _shown(pointers, fetched, viewer), after if after < len(liked) else None


def _that_fit(
    pointers: list[Pointer], others: Sequence[Key], viewer: Viewer, own: Stretch
) -> list[Pointer]:
    """Returns the first of the posts, as many as one BatchGetItem can read beside the other keys."""
    count = len(pointers)
    while count > 1:
        wanted = {*_keys_of_liked(pointers[:count], viewer), *others}
        if sum(not own.knows(key) for key in wanted) <= BATCH_GET_LIMIT:
            break
        count -= 1
    return pointers[:count]


def _keys_of_liked(pointers: Sequence[Pointer], viewer: Viewer) -> list[Key]:
    authors = [one.author_id for one in pointers]
    mutes = mute_keys(viewer, authors).values()
    beside = [*block_keys(viewer, authors), *mutes, *muted_keys(viewer)]
    return [*keys_of_page(pointers, viewer=viewer), *beside]


def _shown(pointers: Sequence[Pointer], fetched: Fetched, viewer: Viewer) -> list[PostCard]:
    """Returns cards of the posts that may still stand on Explore, and that the viewer may see and wants to."""
    mutes = mute_keys(viewer, [one.author_id for one in pointers])
    muted = {one for one, key in mutes.items() if is_in_force(fetched.items.get(key))}
    posts = fetched.posts(one for one in pointers if one.author_id not in muted)
    cards = filter(_may_stand_on_explore, visible_posts(posts, fetched, viewer=viewer))
    return quieten(cards, fetched.mutes(viewer), IN_LISTS)


def _may_stand_on_explore(card: PostCard) -> bool:
    return card.can_be_reposted and not card.is_covered and may_be_found(card.author)


def may_be_found(author: PersonCard) -> bool:
    """Whether the posts of a person may stand on Explore: they want to be suggested, let everyone follow them, and
    moderators have not limited them."""
    is_open = not (author.is_locked or author.not_suggested)
    return is_open and not (author.is_limited or author.is_locked_out)
