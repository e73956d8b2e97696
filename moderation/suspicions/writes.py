"""Noting a new account beside others of the same network, or its post beside those of others that are like it (in the
text, without what changes from copy to copy, or in the hosts it links to), and a hint once there are several. And what
staff do about a hint: look at everyone whom it is about, or put it away, because it is no wave or is dealt with."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from urllib.parse import urlsplit

from django.conf import settings
from pynamodb.expressions.condition import size
from pynamodb.expressions.update import Action

from accounts.models import Origin
from accounts.people.viewer import Viewer
from chats.models import Message
from feed.polls.models import said_by
from feed.posts.content_checks import words_of
from feed.posts.models import Post
from moderation.cases.decisions import MOST_POSTS
from moderation.log.writes import record
from moderation.models import Hint, HintKind, SamePost
from moderation.suspicions.reads import (
    KEPT,
    MOST_COUNTED,
    SEVERAL,
    Target,
    hint_id_of,
    in_the_log,
    is_of_place,
    list_same_posts,
)
from socialsite.hosts import normal_host
from socialsite.site_settings.word_filters import shape_of
from socialsite.table import (
    Change,
    Conflict,
    RawItem,
    TableError,
    Upsert,
    access_pattern,
    ids,
    keys,
    query,
    reading,
    row,
    transact,
)
from socialsite.texts import linked_hosts

MOST_HOSTS = 3  # of a post
NEWCOMER = timedelta(days=1)
TOGETHER = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Likeness:
    """One way in which a post is like others. `hint_id` is the same for all of them. `host` is empty for a text."""

    kind: HintKind
    hint_id: str
    host: str = ""


def likenesses(post: Post, moment: datetime) -> list[Likeness]:
    """Returns in what a post of this moment can be like others: texts of the same UTC day, and links of the same hour.
    Short texts and links to this site itself are left out."""
    said = words_of(said_by(post), post.warning or "")
    found = []
    if text := shape_of(said):
        found.append(Likeness(HintKind.TEXT, hint_id_of(f"{moment:%Y-%m-%d}", HintKind.TEXT, text)))
    own = normal_host(urlsplit(settings.SITE_URL).hostname or "")
    hosts = [host for host in linked_hosts(said) if host != own][:MOST_HOSTS]
    hour = f"{moment:%Y-%m-%dT%H}"
    return [
        *found,
        *(Likeness(HintKind.LINK, hint_id_of(hour, HintKind.LINK, host), host) for host in hosts),
    ]


class NothingNew(TableError):
    """The account has enough posts of this kind, or the hint counts as many accounts."""


def note_account(hint_id: str, author_id: str, moment: datetime, *more: Action) -> list[RawItem]:
    """Notes the account. Returns those that are noted, raw, at most 100. Safe to repeat with the same moment.

    One TransactWriteItems of SamePost, 2 write units, and a consistent Query of at most 100 of them, 1 read unit per
    4 KB.
    """
    actions = [SamePost.author_id.set(author_id), *more, SamePost.ttl.set(moment + KEPT)]
    has_room = SamePost.posts.does_not_exist() | (size(SamePost.posts) < MOST_POSTS)
    key = keys.same_post(hint_id, author_id)
    with suppress(NothingNew):
        transact(Upsert(SamePost, key, actions, has_room, NothingNew))
    rows = query(keys.same_posts(hint_id), consistent=True, limit=MOST_COUNTED)
    return list(islice(rows, MOST_COUNTED))


def hint_at(hint_id: str, kind: HintKind, authors: int, moment: datetime, *more: Action) -> None:
    """Writes the hint, from 5 accounts on. The number only grows. One TransactWriteItems of Hint, 2 write units."""
    if authors < SEVERAL:
        return
    actions = [
        Hint.hint_id.set(hint_id),
        Hint.kind.set(kind),
        Hint.authors.set(authors),
        *more,
        Hint.ttl.set(moment + KEPT),
    ]
    grows = Hint.authors.does_not_exist() | (Hint.authors < authors)
    with suppress(NothingNew):
        transact(Upsert(Hint, keys.hint(hint_id), actions, grows, NothingNew))


@access_pattern
def note_same_posts(post: Post, *, moment: datetime) -> None:
    """Notes the post for its text and for at most 3 hosts, and from 5 authors on the hint that staff see. Safe to
    repeat with the same moment: a set takes a post once, and the number of authors only grows.

    For each, one TransactWriteItems of SamePost, 2 write units, and a consistent Query of at most 100 authors, 1 read
    unit per 4 KB; from the fifth author on, one TransactWriteItems of Hint, 2 write units.
    """
    for like in likenesses(post, moment):
        noted = SamePost.posts.add({post.post_id})
        rows = note_account(like.hint_id, post.author_id, moment, noted)
        is_brigade = like.kind == HintKind.TEXT and _is_of_today(rows, moment)
        authors = len(rows)
        sample = [
            Hint.sample_id.set(post.post_id),
            Hint.sample_author_id.set(post.author_id),
            *([Hint.host.set(like.host)] if like.host else []),
            *([Hint.brigade.set("yes")] if is_brigade else []),
        ]
        hint_at(like.hint_id, like.kind, authors, moment, *sample)


def _is_of_today(rows: Sequence[RawItem], moment: datetime) -> bool:
    """Whether several accounts, each younger than a day, posted it within the hour before the moment."""
    since = ids.first_id_at(moment - TOGETHER)
    found = (row(SamePost, raw) for raw in rows)
    return (
        sum(
            moment - ids.time_of(one.author_id) <= NEWCOMER and max(one.posts, default="") >= since
            for one in found
        )
        >= SEVERAL
    )


@access_pattern
def note_same_messages(message: Message, *, moment: datetime) -> None:
    """Notes a first message to a stranger that has a likeness, and from 5 alike ones within an hour on, by one account
    or several, the hint that staff see. Nobody reads a word for it: likenesses are keyed hashes. Safe to repeat with
    the same moment.

    One TransactWriteItems of SamePost, 2 write units, and a consistent Query of at most 100 accounts, 1 read unit per
    4 KB; from the fifth message on, one TransactWriteItems of Hint, 2 write units.
    """
    hint_id = hint_id_of(f"{moment:%Y-%m-%dT%H}", HintKind.MESSAGE, str(message.likeness))
    noted = SamePost.message_ids.add({message.message_id})
    rows = note_account(hint_id, message.author_id, moment, noted)
    alike = sum(len(row(SamePost, raw).message_ids) for raw in rows)
    hint_at(hint_id, HintKind.MESSAGE, alike, moment)


@access_pattern
def note_newcomer(origin: Origin, *, moment: datetime) -> None:
    """Notes the account for the network and the UTC day, and from 5 accounts on the hint that staff see. The origin's
    partition is not read, and its hash not kept: the id of the hint is a hash of both. Safe to repeat with the same
    moment.

    One TransactWriteItems of SamePost, 2 write units, and a consistent Query of at most 100 accounts, 1 read unit per
    4 KB; from the fifth account on, one TransactWriteItems of Hint, 2 write units.
    """
    day = f"{moment:%Y-%m-%d}"
    hint_id = hint_id_of(day, HintKind.PLACE, f"{day} {origin.key.pk}")
    accounts = len(note_account(hint_id, origin.user_id, moment))
    hint_at(hint_id, HintKind.PLACE, accounts, moment)


@access_pattern
def look_at_place(*, by: Viewer, hint_id: str, most: int) -> list[Target]:
    """Returns the people of a hint about a network, once the log says that someone looked and how many they found.

    As `list_same_posts`; a consistent GetItem of the log's head, 1 read unit, and one TransactWriteItems, 4 write
    units. Raises `NotFound`.
    """
    targets = list_same_posts(hint_id, most=most)
    record(by=by.user_id, action="look up network", detail={"found": len(targets)})
    return targets


@access_pattern
def look_at_all(*, by: Viewer, hint_ids: Sequence[str], most: int) -> list[Target]:
    """Returns the people whom these hints are about, each once, with the posts of all of them, at most 20. Costs as
    `list_same_posts` for each hint, of one about a network as `look_at_place`. Raises `NotFound`."""
    posts: dict[Target, set[str]] = {}
    for hint_id in hint_ids:
        if is_of_place(hint_id):
            found = look_at_place(by=by, hint_id=hint_id, most=most)
        else:
            found = list_same_posts(hint_id, most=most)
        for target in found:
            posts.setdefault(Target(target.case_id, 0), set()).update(target.posts)
    return [
        Target(person.case_id, 0, tuple(sorted(of_all, reverse=True)[:MOST_POSTS]))
        for person, of_all in posts.items()
    ]


class PutAwayBefore(Conflict):
    """Someone else put the hint away at the same moment."""


@access_pattern
def put_hint_away(*, by: Viewer, hint_id: str) -> None:
    """Takes a hint off the page of reports, for all of the staff, however many posts it is about by then. The next day
    brings another one for the same text or network, the next hour for the same host. Safe to repeat.

    Two consistent GetItems, then one TransactWriteItems of the hint and the audit entry: 6 write units and 2 read
    units. Raises `NotFound`.
    """
    key = keys.hint(hint_id)
    if reading.get(Hint, key, consistent=True).put_away:
        return
    is_shown = Hint.put_away.does_not_exist()
    away = Change(Hint, key, [Hint.put_away.set("yes")], is_shown, PutAwayBefore)
    with suppress(PutAwayBefore):
        record(away, by=by.user_id, action="put hint away", detail={"hint": in_the_log(hint_id)})
