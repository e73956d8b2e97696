"""People someone may know, whom `two_levels.py` finds, and topics that these follow (`topics.py`).

A page asks for them, and the worker looks and keeps a list of ids in the table. Pages show it with the reasons in
words. Each read leaves out people who have since been followed, blocked, muted, dismissed or restricted by
moderators, or are gone. `feed/home/reads.py` shows them above people who post here.

The viewer's own blocks, mutes and requests come in one Query: asked by key, each would cost half a unit, there or
not, and nearly none of them is there.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from datetime import timedelta
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.middleware import People
from accounts.models import UserInfo
from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from relations.models import RelationType, Suggestions
from relations.relation import blocks_either_way, is_in_force
from relations.topics import Topic, find_topics
from relations.two_levels import Reason, Recommendation, look_two_levels
from socialsite.clock import utc_now, utc_now_iso
from socialsite.streams import Job, JobKind
from socialsite.table import (
    AlreadyExists,
    Check,
    Key,
    NotFound,
    Put,
    RawItem,
    Stretch,
    access_pattern,
    create,
    fetch,
    keys,
    row,
    transact,
)
from socialsite.table.errors import ReadOnly
from socialsite.table.paging import read_stretch

FRESH_FOR = timedelta(days=1)
FEW = 10
FEW_FRESH_FOR = timedelta(minutes=10)  # so that newcomers who follow people do not wait for a day
KEPT_FOR = timedelta(days=30)  # shown meanwhile to people who were away
# Nothing may come into an account beside its erasure.
IS_OPEN = UserInfo.pk.exists() & UserInfo.closing.does_not_exist()


@access_pattern
def ask_to_look(viewer: Viewer) -> None:
    """Lets the worker look for people whom the viewer may know: one PutItem, 1 write unit. Does nothing if it was
    already asked."""
    user_id = viewer.user_id
    with suppress(AlreadyExists):
        create(Job.new(kind=JobKind.LOOK_FOR_PEOPLE, job_id=user_id, subject_id=user_id))


@access_pattern
def look_for_people(user_id: str) -> int:
    """Looks for people whom someone may know and for topics that these follow, and keeps both in place of the last
    ones. Returns how many people there are.

    `look_two_levels`, `find_topics`, and one TransactWriteItems of at most 10 write units that needs an open account.
    Safe to run twice.
    """
    levels = look_two_levels(user_id)
    found, topics = levels.recommended, find_topics(user_id, levels)
    now = utc_now()
    suggestions = Suggestions.new(
        user_id=user_id,
        people=[list(astuple(one)) for one in found],
        topics=[list(astuple(one)) for one in topics],
        fresh_until=now + (FRESH_FOR if len(found) >= FEW else FEW_FRESH_FOR),
        ttl=now + KEPT_FOR,
    )
    with suppress(NotFound):  # the account is gone, or about to go
        transact(Check(keys.user_info(user_id), IS_OPEN), Put(suggestions))
    return len(found)


MOST_RELATIONS = 200  # of some 220 bytes; of people with more, those beyond are asked for by key
# Friends are not among them: their notes can be long, and would make the Query dear.
RELATIONS_BETWEEN = (
    keys.relation_bounds(RelationType.BLOCK)[0],
    keys.relation_bounds(RelationType.FRIEND_REQUEST)[1],
)


@access_pattern
def own_relations(viewer: Viewer) -> Stretch:
    """Returns the viewer's blocks, mutes and requests, also those that ended, instead of a key for each person on a
    page; nothing for visitors.

    One Query `PK = u#<id>#relation`, `SK` from the blocks to the requests, at most 200: 0.5 read units per 4 KB, so at
    most 6. Eventually consistent, as keys would be.
    """
    if not viewer.is_authenticated:
        return Stretch()
    return read_stretch(keys.relations(viewer.user_id), RELATIONS_BETWEEN, most=MOST_RELATIONS)


MOST = 10

# Relationships that keep a person out of the suggestions.
BETWEEN = (
    RelationType.FRIEND,
    RelationType.MUTE,
    RelationType.FOLLOW_REQUEST,
    RelationType.FRIEND_REQUEST,
)


def reason_text(reason: Reason, name: str, n: int) -> str:
    """Returns how someone is known, in words: through the person of this name, and `n` more."""
    match reason:
        case Reason.FRIEND if n:
            text = ngettext(
                "Friends with %(name)s and %(n)s more of your friends",
                "Friends with %(name)s and %(n)s more of your friends",
                n,
            )
        case Reason.FRIEND:
            text = _("Friends with %(name)s")
        case Reason.FOLLOWED if n:
            text = ngettext(
                "Followed by %(name)s and %(n)s other person you follow",
                "Followed by %(name)s and %(n)s other people you follow",
                n,
            )
        case Reason.FOLLOWED:
            text = pgettext("why somebody is suggested", "Followed by %(name)s")
        case _:
            return _("Knows people you follow")
    return text % {"name": name, "n": n}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A person the viewer may know. `via` is the person named in the reason."""

    person: PersonCard
    via: PersonCard
    found: Recommendation

    @property
    def reason(self) -> str:
        return reason_text(self.found.reason, self.via.name, self.found.others)

    @property
    def dismiss_url(self) -> str:
        return f"/people-to-follow/{self.person.handle}/dismiss"


@access_pattern
def get_suggestion(*, viewer: Viewer, user_id: str) -> Suggestion | None:
    """Returns the suggestion of this person, if they are among those kept: two BatchGetItems, 5.5 read units."""
    only = [one for one in _found_in(_kept(viewer)) if one.user_id == user_id]
    suggested = list_suggestions(viewer.user_id, only, size=1)
    return suggested[0] if suggested else None


@access_pattern
def list_suggestions(
    user_id: str, found: Sequence[Recommendation], *, size: int
) -> list[Suggestion]:
    """Returns cards of the first people found who still fit. One BatchGetItem for every 10 people, with 10 keys each.
    In all 50 read units for 10 people.

    Leaves out people who are gone, locked out, limited or dismissed, or who opted out. Leaves out people the viewer
    follows, is friends with, has sent a request to, mutes, or has a block with. Also leaves out people found through
    someone who is gone, locked out, or has a block with the viewer.
    """
    items = fetch(keys_of_suggestions(user_id, found))
    return suggestions_of(user_id, found, items)[:size]


def ask_for_suggestions(people: People) -> None:
    """Lets what is kept for the viewer be read together with them: call it before anything looks at `request.user`."""
    people.read_beside(keys.suggestions)


class Found(NamedTuple):
    """What is kept for someone: people they may know, and topics."""

    people: list[Recommendation]
    topics: list[Topic]


@access_pattern
def find_suggestions(viewer: Viewer) -> Found:
    """Returns who was found for the viewer, and which topics; nobody for visitors. They may have been followed or
    blocked since. People who turn topics off get none at once.

    BatchGetItem `u#<id>#suggestion`, 0.5 read units, or nothing after `ask_for_suggestions`. Once a day, or after ten
    minutes if fewer than 10 were found, it lets the worker look anew (`ask_to_look`). A person's very first page finds
    nobody.
    """
    if not viewer.is_authenticated:
        return Found([], [])
    kept = _kept(viewer)
    if kept.fresh_until <= utc_now_iso():
        with suppress(ReadOnly):  # the page shows who was found before
            ask_to_look(viewer)
    wants_none = viewer.card is not None and viewer.card.no_topics
    topics = [] if wants_none else [Topic(*one) for one in kept.topics or ()]
    return Found(_found_in(kept), topics)


def looked_at(size: int) -> int:
    """Returns how many of those found are looked at first, to show so many."""
    return min(size + 1, MOST)


def more_suggestions(
    suggested: list[Suggestion],
    viewer: Viewer,
    found: Sequence[Recommendation],
    own: Stretch,
    *,
    size: int,
) -> list[Suggestion]:
    """Returns the suggestions, with the next people found if fewer than half of the first ones still fit."""
    first = looked_at(size)
    after = found[first : first + 2 * size]
    if after and 2 * len(suggested) < size:
        items = own.fetch(keys_of_suggestions(viewer.user_id, after))
        suggested = [*suggested, *suggestions_of(viewer.user_id, after, items)]
    return suggested[:size]


def keys_of_suggestions(user_id: str, found: Iterable[Recommendation]) -> list[Key]:
    """Returns what decides whether people found are still shown: 10 keys each, 6 of them among the own relations."""
    return [key for one in found for key in _keys_of_suggested(user_id, one)]


def suggestions_of(
    user_id: str, found: Iterable[Recommendation], items: dict[Key, RawItem]
) -> list[Suggestion]:
    """Returns cards of those of the people found who still fit, from the items of `keys_of_suggestions`."""
    return [card for one in found if (card := _suggestion(user_id, one, items))]


def _keys_of_suggested(user_id: str, found: Recommendation) -> list[Key]:
    other_id = found.user_id
    return [
        keys.user_info(other_id),
        keys.following(user_id, other_id),
        keys.dismissal(user_id, other_id),
        *(keys.relation(user_id, kind, other_id) for kind in BETWEEN),
        keys.relation(user_id, RelationType.BLOCK, other_id),
        keys.user_info(found.via),
        keys.relation(user_id, RelationType.BLOCK, found.via),
    ]


def _suggestion(
    user_id: str, found: Recommendation, items: dict[Key, RawItem]
) -> Suggestion | None:
    info, following, dismissal, *between, block, via, block_of_via = map(
        items.get, _keys_of_suggested(user_id, found)
    )
    if info is None or via is None or following or dismissal or any(map(is_in_force, between)):
        return None
    if blocks_either_way(block) or blocks_either_way(block_of_via):
        return None
    person = PersonCard.from_raw(info, viewer_id=user_id).with_followed(False)
    by = PersonCard.from_raw(via)
    if person.not_suggested or person.is_limited or person.is_locked_out or by.is_locked_out:
        return None
    return Suggestion(person, by, found)


def _kept(viewer: Viewer) -> Suggestions:
    """Returns what is kept for the viewer, empty if nothing is."""
    key = keys.suggestions(viewer.user_id)
    raw = viewer.beside[key] if key in viewer.beside else fetch([key]).get(key)
    return row(Suggestions, raw or {})


def _found_in(kept: Suggestions) -> list[Recommendation]:
    return [
        Recommendation(other, Reason(reason), *rest) for other, reason, *rest in kept.people or ()
    ]
