"""Whom one may want in a group, whose handles were typed, and the people of a group for its own page."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from accounts.people.cards import PersonCard
from accounts.people.reads import holder_of
from accounts.people.viewer import Viewer
from chats.members import Group, group_keys, group_of, known_group
from chats.standing import Standing, standing_keys, standing_of
from relations.models import Follower, Following, Relation, RelationType
from relations.reads import list_people
from relations.relation import is_in_force
from socialsite.table import NotFound, RawItem, access_pattern, fetch, keys, query, row

OFFERED = 40  # people, so that a form stays short
LOOKED_AT = 60  # relationships, as ended ones lie between


@dataclass(frozen=True, slots=True)
class GroupPage:
    """What the page of a group's people shows."""

    standing: Standing
    group: Group


@access_pattern
def get_group(viewer: Viewer, chat_id: str) -> GroupPage:
    """Returns the people of a group that the viewer is in. Raises `NotFound`.

    The Chat as it was read with the viewer, else one consistent BatchGetItem, 1 read unit; and one BatchGetItem of
    Chat, own entry, people, blocks and the founder's key, 0.5 read units each, at most 11.
    """
    group = known_group(viewer, chat_id)
    if group is None:
        raise NotFound("no such group")
    wanted = [*standing_keys(viewer.user_id, chat_id), *group_keys(viewer.user_id, group)]
    found = fetch(wanted)
    standing = standing_of(viewer, chat_id, found)
    if standing.chat is None or not standing.is_member:
        raise NotFound("no member")
    return GroupPage(standing, group_of(viewer, standing.chat, found))


@access_pattern
def list_people_to_invite(viewer: Viewer, *, but: Iterable[str] = ()) -> list[PersonCard]:
    """Returns up to 40 people whom the viewer may want in a group, by name: friends, people whom they follow, and
    followers. Not those whom a block stands between.

    Three Queries, of friendships, `following` and `follower`, 0.5 read units per 4 KB each; and what `list_people`
    costs, 1.5 read units for each of them.
    """
    me, left_out = viewer.user_id, {viewer.user_id, *but}
    friends = _first(
        query(
            keys.relations(me), between=keys.relation_bounds(RelationType.FRIEND), limit=LOOKED_AT
        )
    )
    found = [row(Relation, raw).other_id for raw in friends if is_in_force(raw)]
    following = _first(query(keys.followings(me), limit=OFFERED))
    found += [row(Following, raw).followed_id for raw in following]
    followers = _first(query(keys.followers(me), limit=OFFERED))
    found += [row(Follower, raw).follower_id for raw in followers]
    wanted = [one for one in dict.fromkeys(found) if one not in left_out]
    people = list_people(wanted[:OFFERED], viewer=viewer)
    return sorted(people, key=lambda card: card.name.casefold())


def _first(raws: Iterable[RawItem]) -> list[RawItem]:
    return list(islice(raws, LOOKED_AT))


@access_pattern
def find_by_handles(handles: Iterable[str]) -> dict[str, str]:
    """Returns the ids of people by their handles, also former ones; those that lead to nobody are missing.

    One BatchGetItem of at most 9 claims, 0.5 read units each.
    """
    claims = {handle: keys.handle_claim(handle) for handle in handles}
    found = fetch(claims.values())
    holders = {handle: holder_of(found.get(claim)).user_id for handle, claim in claims.items()}
    return {handle: user_id for handle, user_id in holders.items() if user_id}
