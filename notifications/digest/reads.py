"""What is new for a person who was not here: notifications and conversations that they have not seen, and posts.

All is read as the person would read it on the site, so what they block or mute, and what is not for them, is not in it.
Of posts only those are shown that everyone may see, and that stay: a letter lies in a mailbox for years.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple

from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from feed.cards.muting import AT_HOME
from feed.cards.post_card import PostCard
from feed.cards.reads import get_posts
from feed.posts.models import LikeCount
from feed.posts.reads import Pointer, block_keys, goes_out, is_plain, mute_keys, pointer_of
from feed.profiles.reads import source_of_posts
from notifications.cards import NotificationCard
from notifications.reads import FILTERS, hidden_people, list_waiting_lines
from relations.models import Relation, RelationType
from relations.relation import is_in_force
from socialsite.discovery import discover
from socialsite.table import access_pattern, fetch, ids, keys, query, query_merged, row
from socialsite.telling import kind_of

MOST_LINES = 3
MOST_NAMED = 3
MOST_POSTS = 3  # of favourites, and as many of the others
FAVOURITES = 6  # whose posts are looked for
ENTRIES = 40  # of the timeline that are looked at, the newest
COUNTED = 12  # of these, whose likes are read


@dataclass(frozen=True, slots=True)
class News:
    """What someone has not seen. `lines` are the newest notifications of `notifications`, `writers` some of the people
    whose messages are in the unread `conversations`. `is_new` says that some of it came since the last letter."""

    notifications: int
    lines: Sequence[NotificationCard]
    conversations: int
    writers: Sequence[PersonCard]
    favourites: Sequence[PostCard]
    liked: Sequence[PostCard]
    is_new: bool


@access_pattern
def find_news(viewer: Viewer, *, since: datetime, told: int = 0, chats: str = "") -> News:
    """Returns what is new for someone. `told` is the number of the last change of the bell, and `chats` the state of
    conversations, of which the last letter knew; posts are those `since` then.

    `list_waiting_lines` of 3, one of who wrote, a Query of the
    favourites and one of the posts of 6 of them, one of the timeline, and a BatchGetItem of 12 like counts and of at
    most 6 posts. In all 46 read units.
    """
    waiting = viewer.waiting
    lines = list_waiting_lines(viewer, waiting.unseen, most=MOST_LINES)
    favourites, liked = _posts(viewer, since)
    is_told = all(_number(value) <= told for value in waiting.unseen.values())
    has_chats = bool(waiting.messages) and waiting.chats_state != chats
    return News(
        notifications=waiting.notifications if lines else 0,
        lines=lines,
        conversations=waiting.messages,
        writers=_writers(viewer),
        favourites=favourites,
        liked=liked,
        is_new=bool(lines and not is_told) or has_chats or bool(favourites or liked),
    )


def _number(value: str) -> int:
    return int(value[keys.TIME + 1 :])


def _writers(viewer: Viewer) -> list[PersonCard]:
    """Returns the first of those who wrote, without groups, and without people whom the viewer blocks or mutes."""
    return visible_people(viewer, islice(viewer.waiting.chats, MOST_NAMED))


def visible_people(viewer: Viewer, user_ids: Iterable[str]) -> list[PersonCard]:
    """Returns those of the people whom the viewer may be told of. One BatchGetItem, 1.5 read units for each."""
    wanted = list(user_ids)
    between = [*block_keys(viewer, wanted), *mute_keys(viewer, wanted).values()]
    found = fetch([*map(keys.user_info, wanted), *between])
    hidden = hidden_people(found[key] for key in between if key in found)
    cards = (
        PersonCard.from_raw(raw, viewer_id=viewer.user_id)
        for one in wanted
        if one not in hidden and (raw := found.get(keys.user_info(one)))
    )
    return [card for card in cards if not card.is_locked_out]


def _posts(viewer: Viewer, since: datetime) -> tuple[list[PostCard], list[PostCard]]:
    """Returns posts of favourites, the newest first, and the most liked ones of the people whom the viewer follows."""
    starred = _of_favourites(viewer, since)
    liked = _most_liked(viewer, since, besides={one.author_id for one in starred})
    pointers = [*starred, *liked]
    if not pointers:
        return [], []
    authors = {one.author_id for one in pointers}
    found = get_posts(pointers, viewer=viewer, mutes_of=authors, quiet=AT_HOME)
    cards = {card.post_id: card for card in found if is_for_a_letter(card)}
    return (
        [cards[one.post_id] for one in starred if one.post_id in cards],
        [cards[one.post_id] for one in liked if one.post_id in cards],
    )


def is_for_a_letter(card: PostCard) -> bool:
    """Whether everyone may see the post, for good."""
    is_closed = card.audience or card.withheld or card.author.is_locked
    is_archived = card.post_id < card.author.archived_before
    return not (is_closed or is_archived or card.expires or card.muted_by or card.is_own)


def _of_favourites(viewer: Viewer, since: datetime) -> list[Pointer]:
    partition = keys.relations(viewer.user_id)
    stars = query(partition, between=keys.relation_bounds(RelationType.FAVOURITE), limit=FAVOURITES)
    starred = [row(Relation, raw).other_id for raw in islice(stars, FAVOURITES) if is_in_force(raw)]
    if not starred:
        return []
    sources = [source_of_posts(one, wanted=goes_out) for one in starred]
    page = query_merged(sources, scope=f"{partition} digest", cursor=None, size=2 * MOST_POSTS)
    pointers = (pointer_of(raw) for raw in page.items)
    return [one for one in pointers if not one.repost_of and _is_since(one, since)][:MOST_POSTS]


def _most_liked(viewer: Viewer, since: datetime, *, besides: set[str]) -> list[Pointer]:
    left_out = {viewer.user_id, *viewer.hidden, *viewer.not_home, *besides}
    entries = query(keys.timeline(viewer.user_id), forward=False, limit=ENTRIES)
    pointers = (pointer_of(raw) for raw in islice(entries, ENTRIES))
    wanted = [
        one
        for one in pointers
        if is_plain(one) and one.author_id not in left_out and _is_since(one, since)
    ][:COUNTED]
    counts = fetch(keys.like_count(one.post_id) for one in wanted)
    likes = {
        one: int(row(LikeCount, counts.get(keys.like_count(one.post_id), {})).likes or 0)
        for one in wanted
    }
    best: dict[str, Pointer] = {}  # one of each author
    for one in sorted(filter(likes.get, wanted), key=likes.__getitem__, reverse=True):
        best.setdefault(one.author_id, one)
    return list(best.values())[:MOST_POSTS]


def _is_since(pointer: Pointer, since: datetime) -> bool:
    return ids.time_of(pointer.post_id) > since


UNREAD_FOR = timedelta(days=1)


class UnreadChat(NamedTuple):
    """A conversation with unread messages: since when, and of two people who wrote."""

    since: datetime
    writer_id: str = ""


FindChats = Callable[[Viewer], Sequence[UnreadChat]]
_finders: list[FindChats] = []


def finds_unread_chats(find: FindChats) -> FindChats:
    """Registers, in a module `unread`, what knows conversations: this room does not."""
    _finders.append(find)
    return find


@dataclass(frozen=True, slots=True)
class Unread:
    """What nobody read for a day. `look_at` is when something else will have waited for so long."""

    lines: Sequence[NotificationCard]
    answers: int
    conversations: int
    writers: Sequence[PersonCard]
    look_at: datetime

    @property
    def is_anything(self) -> bool:
        return bool(self.lines or self.conversations)


@access_pattern
def find_unread(viewer: Viewer, *, until: datetime, now: datetime) -> Unread:
    """Returns the messages and answers that have been unread for a day, without those from before `until`, which a
    letter has told.

    Nothing while nothing is unread. Else a Query of each conversation that waits, at most 5, and a BatchGetItem of what
    3 of the answers say and of the writers. In all 24 read units.
    """
    discover("unread")
    chats = [one for find in _finders if viewer.waiting.chats for one in find(viewer)]
    answers = {
        group: _opened(value)
        for group, value in viewer.waiting.unseen.items()
        if FILTERS["mentions"](kind_of(group[0]))
    }
    day_ago = now - UNREAD_FOR

    def is_due(since: datetime) -> bool:
        return until < since <= day_ago

    old = [group for group, since in answers.items() if is_due(since)]
    waiting = [one for one in chats if is_due(one.since)]
    later = [
        since for since in [*answers.values(), *(one.since for one in chats)] if since > day_ago
    ]
    named = list(dict.fromkeys(one.writer_id for one in waiting if one.writer_id))[:MOST_NAMED]
    return Unread(
        lines=list_waiting_lines(viewer, old, most=MOST_LINES),
        answers=len(old),
        conversations=len(waiting),
        writers=visible_people(viewer, named) if named else [],
        look_at=min(later, default=now) + UNREAD_FOR,
    )


def _opened(value: str) -> datetime:
    return ids.time_of(f"{value[: keys.TIME]}{'0' * 16}")
