"""Following all people of a starter pack with one press. The reader has seen who is in it; a press follows those whom
the page shows them, at most 100 at once, and says how many are left for the next press."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from relations.follows.writes import (
    AlreadyFollowing,
    Locked,
    NotLocked,
    follow,
    request_follow,
)
from relations.lists.reads import Pack, everyone_of_pack
from relations.models import RelationType
from relations.relation import Blocked, TooManyFollowed, is_in_force
from socialsite.table import NotFound, access_pattern, fetch, keys
from socialsite.web.limits import REQUESTS, LimitReached, count_hits

MOST_AT_ONCE = 100


@dataclass(slots=True)
class Followed:
    """What a press did. Whom the viewer followed or asked before counts in none of these."""

    followed: int = 0
    asked: int = 0  # people with locked accounts
    left: int = 0  # to follow with another press
    is_full: bool = False  # the viewer follows as many people as they can
    asks_later: bool = False  # they have asked as many people as they can for now


@access_pattern
def follow_pack(*, by: Viewer, pack: Pack) -> Followed:
    """Follows the next people of a starter pack, or asks those with locked accounts. Safe to repeat: it goes on with
    those who are left. Raises `Frozen`.

    `everyone_of_pack`, a BatchGetItem of the waiting requests, and for at most 100 people `follow`, 12 write units, or
    `request_follow`, 9. People who are gone, blocked or suspended by now are passed over.
    """
    by.must_have_voice()
    found = everyone_of_pack(pack, viewer=by)
    new = [one for one in found if one.followed is False]
    waiting = _asked(by, [one for one in new if one.is_locked])
    new = [one for one in new if one.user_id not in waiting]
    done = Followed(left=max(0, len(new) - MOST_AT_ONCE))
    for number, person in enumerate(new[:MOST_AT_ONCE]):
        if person.is_locked and done.asks_later:
            done.left += 1
            continue
        try:
            _follow_or_ask(by, person, done)
        except TooManyFollowed:
            done.is_full = True
            done.left += len(new[:MOST_AT_ONCE]) - number
            break
        except LimitReached:
            done.asks_later = True
            done.left += 1
    return done


def _asked(by: Viewer, people: Sequence[PersonCard]) -> set[str]:
    kind = RelationType.FOLLOW_REQUEST
    wanted = {one.user_id: keys.relation(by.user_id, kind, one.user_id) for one in people}
    found = fetch(wanted.values())
    return {user_id for user_id, key in wanted.items() if is_in_force(found.get(key))}


def _follow_or_ask(by: Viewer, person: PersonCard, done: Followed) -> None:
    with suppress(NotFound, Blocked, NotLocked, AlreadyFollowing):
        if not person.is_locked:
            try:
                follow(by=by, user_id=person.user_id, is_widely_followed=person.is_widely_followed)
            except Locked:  # since it was read, or suspended
                pass
            else:
                done.followed += 1
                return
        count_hits((REQUESTS, by.user_id))
        request_follow(by=by, user_id=person.user_id)
        done.asked += 1
