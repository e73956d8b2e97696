"""People you may know, as pages show them: the findings of `discovery.py`, kept for a while, with the reasons in words.

The table keeps a list of ids. Each read leaves out people who have since been followed, blocked, muted, dismissed or
restricted by moderators, or are gone.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.cards import PersonCard
from accounts.viewer import Viewer
from relations.discovery import Reason, Recommendation, recommend_people
from relations.models import RelationType, Suggestions
from relations.relation import blocks_either_way, is_in_force
from socialsite.clock import utc_now
from socialsite.table import keys, reading
from socialsite.table.actions import Create
from socialsite.table.errors import AlreadyExists, NotFound
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch
from socialsite.table.writing import transact

MOST = 10
LOOKED_AT = 10  # at once: 10 keys each
KEPT_FOR = timedelta(days=1)
FEW = 10
FEW_KEPT_FOR = timedelta(minutes=10)  # so that newcomers who follow people do not wait for a day

# Relationships that keep a person out of the suggestions.
BETWEEN = (
    RelationType.FRIEND,
    RelationType.MUTE,
    RelationType.FOLLOW_REQUEST,
    RelationType.FRIEND_REQUEST,
)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A person the viewer may know. `via` is the person named in the reason."""

    person: PersonCard
    via: PersonCard
    found: Recommendation

    @property
    def reason(self) -> str:
        name, n = self.via.name, self.found.others
        match self.found.reason:
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

    @property
    def dismiss_url(self) -> str:
        return f"/people-to-follow/{self.person.handle}/dismiss"


@access_pattern
def people_you_may_know(*, viewer: Viewer, size: int = MOST) -> list[Suggestion]:
    """Returns at most 10 people the viewer may know, best first; nobody for visitors.

    GetItem `u#<id>#suggestion`, then one BatchGetItem of 10 keys for each person, 10 people or twice as many as asked
    for: 0.5 + 50 read units, for three people 0.5 + 30; one more batch if all of those are left out. Once a day, or
    after ten minutes if fewer than 10 were found, `recommend_people` comes first, and one TransactWriteItems of at most
    6 write units keeps what it found.
    """
    if not viewer.is_authenticated:
        return []
    found = _kept(viewer.user_id)
    if found is None:
        found = recommend_people(viewer.user_id)
        _keep(viewer.user_id, found)
    return list_suggestions(viewer.user_id, found, size=size)


@access_pattern
def get_suggestion(*, viewer: Viewer, user_id: str) -> Suggestion | None:
    """Returns the suggestion of this person, if they are among those kept: GetItem and BatchGetItem, 5.5 read units."""
    kept = _kept(viewer.user_id) or []
    suggested = list_suggestions(
        viewer.user_id, [one for one in kept if one.user_id == user_id], size=1
    )
    return suggested[0] if suggested else None


@access_pattern
def list_suggestions(
    user_id: str, found: Sequence[Recommendation], *, size: int
) -> list[Suggestion]:
    """Returns cards of the first people found who still fit. One BatchGetItem for every 10 people looked at, with 10
    keys each.

    Leaves out people who are gone, locked out, limited or dismissed, or who opted out. Leaves out people the viewer
    follows, is friends with, has sent a request to, mutes, or has a block with. Also leaves out people found through
    someone who is gone, locked out, or has a block with the viewer.
    """
    at_once = min(LOOKED_AT, 2 * size)
    suggested: list[Suggestion] = []
    for start in range(0, len(found), at_once):
        some = found[start : start + at_once]
        items = fetch(key for one in some for key in _keys(user_id, one))
        suggested += [card for one in some if (card := _suggestion(user_id, one, items))]
        if len(suggested) >= size:
            break
    return suggested[:size]


def _keys(user_id: str, found: Recommendation) -> list[Key]:
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
        items.get, _keys(user_id, found)
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


def _kept(user_id: str) -> list[Recommendation] | None:
    try:
        people = reading.get(Suggestions, keys.suggestions(user_id)).people
    except NotFound:
        return None
    if people is None:
        return None
    return [Recommendation(other, Reason(reason), *rest) for other, reason, *rest in people]


def _keep(user_id: str, found: list[Recommendation]) -> None:
    lasts = KEPT_FOR if len(found) >= FEW else FEW_KEPT_FOR
    people = [list(astuple(one)) for one in found]
    item = Suggestions.new(user_id=user_id, people=people, ttl=utc_now() + lasts)
    with suppress(AlreadyExists):  # another tab was quicker
        transact(Create(item, over_expired=True))
