"""Reads about relationships: patterns 2 and 3 of the published design, and people as a viewer may see them.

`recommend_people`, which looks two steps away, can be imported from here too. It is in `suggested/discovery.py`.
"""

from collections.abc import Iterable, Sequence

from accounts.cards import PersonCard
from accounts.viewer import VISITOR, Viewer
from relations.models import Follower, Following, RelationType
from relations.relation import blocks_either_way, is_in_force
from relations.suggested.discovery import recommend_people as recommend_people
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Page, query_page
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row


@access_pattern
def list_followers(
    user_id: str, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PersonCard]:
    """Pattern 2, getFollowerListByUserID: returns a person's followers, oldest account first.

    Query `PK = u#<id>#follower`, then one BatchGetItem of their infos and the viewer's follow edges.
    """
    page = query_page(keys.followers(user_id), cursor=cursor, newest_first=False)
    ids = [row(Follower, raw).follower_id for raw in page.items]
    return page.with_items(list_people(ids, viewer=viewer))


@access_pattern
def list_following(
    user_id: str, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PersonCard]:
    """Pattern 3, getFollowingListByUserID: returns the people a person follows, oldest account first.

    Query `PK = u#<id>#following`, then one BatchGetItem of their infos and the viewer's follow edges.
    """
    page = query_page(keys.followings(user_id), cursor=cursor, newest_first=False)
    ids = [row(Following, raw).followed_id for raw in page.items]
    return page.with_items(list_people(ids, viewer=viewer))


@access_pattern
def list_people(user_ids: Iterable[str], *, viewer: Viewer) -> list[PersonCard]:
    """Returns cards of people in the given order, with whether the viewer follows each. Leaves out people who are gone,
    and people who block the viewer or are blocked.

    One BatchGetItem: 0.5 read units a key, three keys a person for someone signed in.
    """
    ids = list(user_ids)
    return people_of(ids, fetch(keys_of_people(ids, viewer)), viewer=viewer)


def keys_of_people(user_ids: Sequence[str], viewer: Viewer) -> list[keys.Key]:
    """Returns the keys of people's infos and, for someone signed in, of the follow edges and blocks between them."""
    edges = [key for user_id in user_ids for key in follow_keys(viewer, user_id)]
    blocks = [
        keys.relation(viewer.user_id, RelationType.BLOCK, user_id)
        for user_id in user_ids
        if viewer.is_authenticated
    ]
    return [*(keys.user_info(user_id) for user_id in user_ids), *edges, *blocks]


def people_of(
    user_ids: Iterable[str], found: dict[keys.Key, RawItem], *, viewer: Viewer
) -> list[PersonCard]:
    """Returns what `list_people` does, from items that were read: those of `keys_of_people`. It also leaves out people
    whose mute is among them, and adds counts that are among them."""
    cards = []
    for user_id in user_ids:
        info = found.get(keys.user_info(user_id))
        if info is not None and not _is_hidden(viewer, user_id, found):
            card = PersonCard.from_raw(info, viewer_id=viewer.user_id)
            card = card.with_followed(follows(viewer, user_id, found))
            if count := found.get(keys.user_count(user_id)):
                card = card.with_counts(count)
            if not card.is_locked_out:
                cards.append(card)
    return cards


def _is_hidden(viewer: Viewer, user_id: str, found: dict[keys.Key, RawItem]) -> bool:
    block, mute = (
        found.get(keys.relation(viewer.user_id, kind, user_id))
        for kind in (RelationType.BLOCK, RelationType.MUTE)
    )
    return blocks_either_way(block) or is_in_force(mute)


def follow_keys(viewer: Viewer, user_id: str) -> list[keys.Key]:
    """Returns the keys that tell whether the viewer follows a person: none for visitors, and none for the viewer."""
    if not viewer.is_authenticated or viewer.user_id == user_id:
        return []
    return [keys.following(viewer.user_id, user_id)]


def follows(viewer: Viewer, user_id: str, found: dict[keys.Key, RawItem]) -> bool | None:
    """Whether the viewer follows a person, from the items of `follow_keys`. None if there is no follow button."""
    wanted = follow_keys(viewer, user_id)
    return wanted[0] in found if wanted else None
