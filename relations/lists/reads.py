"""Reads of lists: the viewer's own, the people in one, and what others see of a starter pack."""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from relations.models import Listing, PersonList, RelationType
from relations.reads import find_person, keys_of_people, people_of
from relations.relation import blocks_either_way
from socialsite.table import (
    NotFound,
    Page,
    Place,
    RawItem,
    access_pattern,
    fetch,
    keys,
    query,
    query_page,
    read_cursor,
    row,
    write_cursor,
)
from socialsite.texts import isolated

PEOPLE_A_PAGE = 25  # four keys each


@dataclass(frozen=True, slots=True)
class OwnList:
    """A list as its owner knows it."""

    user_id: str
    list_id: str
    name: str
    members: tuple[str, ...]  # ids, the oldest account first
    not_home: bool
    title: str  # as a starter pack, empty if it is none
    about: str
    left: tuple[str, ...]  # the starter pack, by their own wish
    is_withdrawn: bool  # as a starter pack, by moderators

    @property
    def url(self) -> str:
        return f"/lists/{self.list_id}"

    @property
    def is_pack(self) -> bool:
        return bool(self.title) and not self.is_withdrawn

    @property
    def shown(self) -> list[str]:
        """Returns the people whom a starter pack shows, unless they refuse it or may not be seen."""
        return [one for one in self.members if one not in self.left]


def read_own_list(raw: RawItem | None) -> OwnList:
    """Returns a raw `PersonList`. Raises `NotFound` if there is none."""
    if raw is None:
        raise NotFound("no such list")
    found = row(PersonList, raw)
    return OwnList(
        found.user_id,
        found.list_id,
        isolated(found.name),
        tuple(found.members),
        bool(found.is_away),
        isolated(found.pack_title),
        found.pack_about,
        tuple(found.left),
        bool(found.withdrawn),
    )


@access_pattern
def list_own_lists(viewer: Viewer) -> list[OwnList]:
    """Returns the viewer's lists with who is in them, in the order of their names. One Query, 0.5 read units per 4 KB,
    so at most 13."""
    lists = map(read_own_list, query(keys.person_lists(viewer.user_id)))
    return sorted(lists, key=lambda one: (one.name.casefold(), one.list_id))


@access_pattern
def get_own_list(viewer: Viewer, list_id: str) -> OwnList:
    """Returns one of the viewer's lists. Raises `NotFound`.

    One BatchGetItem, 0.5 read units per 4 KB; none if the list was read beside the viewer (`People.read_beside`)."""
    key = keys.person_list(viewer.user_id, list_id)
    if key in viewer.beside:
        return read_own_list(viewer.beside[key])
    return read_own_list(fetch([key]).get(key))


@access_pattern
def list_people_of_list(
    own: OwnList, *, viewer: Viewer, cursor: str | None = None
) -> Page[PersonCard]:
    """Returns the people in the viewer's own list, oldest account first, without those who are gone or blocked. One
    BatchGetItem of at most 3 keys for each of 25 people: 37.5 read units. Raises `BadCursor`."""
    page = _page_of(own.members, f"{keys.person_list(own.user_id, own.list_id)}", cursor)
    found = fetch(keys_of_people(page.items, viewer))
    return page.with_items(people_of(page.items, found, viewer=viewer))


def _page_of(user_ids: Sequence[str], scope: str, cursor: str | None) -> Page[str]:
    after = read_cursor(scope, cursor).sk if cursor else ""
    rest = [one for one in user_ids if one > after]
    shown, more = rest[:PEOPLE_A_PAGE], len(rest) > PEOPLE_A_PAGE
    return Page(shown, write_cursor(scope, Place("next", shown[-1])) if more else None)


@dataclass(frozen=True, slots=True)
class Pack:
    """A starter pack as others see it."""

    owner: PersonCard
    own: OwnList
    has_viewer: bool  # who has not left it
    viewer_left: bool = False

    @property
    def title(self) -> str:
        return self.own.title

    @property
    def url(self) -> str:
        return f"{self.owner.url}/packs/{self.own.list_id}"


@access_pattern
def get_pack(owner_id: str, list_id: str, *, viewer: Viewer) -> Pack:
    """Returns a starter pack. Raises `NotFound`, also for a list that is none, where one of the two blocks the other,
    and if its owner may not be seen now.

    `find_person` and a BatchGetItem of the list and the block: 1 + 1.5 read units.
    """
    owner = find_person(owner_id, viewer=viewer)
    key, block = (
        keys.person_list(owner_id, list_id),
        keys.relation(viewer.user_id, RelationType.BLOCK, owner_id),
    )
    found = fetch([key, *([block] if viewer.is_authenticated else [])])
    own = read_own_list(found.get(key))
    is_seen = owner.is_self or not (owner.is_locked_out or blocks_either_way(found.get(block)))
    if not own.is_pack or not is_seen:
        raise NotFound("no such starter pack")
    has_left = viewer.user_id in own.members and viewer.user_id in own.left
    return Pack(owner, own, viewer.user_id in own.shown, has_left)


@access_pattern
def list_people_of_pack(
    pack: Pack, *, viewer: Viewer, cursor: str | None = None
) -> Page[PersonCard]:
    """Returns the people in a starter pack, oldest account first, without those who left it, who refuse to be in any,
    and whom the viewer may not see, mutes or blocks; limited people
    only for those who follow them. One BatchGetItem of at most 4 keys for each of 25 people: 50 read
    units. Raises `BadCursor`."""
    page = _page_of(
        pack.own.shown, f"{keys.person_list(pack.owner.user_id, pack.own.list_id)}", cursor
    )
    return page.with_items(_offered(page.items, viewer))


@access_pattern
def everyone_of_pack(pack: Pack, *, viewer: Viewer) -> list[PersonCard]:
    """Returns all whom `list_people_of_pack` shows page by page: a BatchGetItem for each 25 people, 2 read units each,
    at most 400."""
    return _offered(pack.own.shown, viewer)


def _offered(user_ids: Sequence[str], viewer: Viewer) -> list[PersonCard]:
    mutes = [
        keys.relation(viewer.user_id, RelationType.MUTE, user_id)
        for user_id in user_ids
        if viewer.is_authenticated
    ]
    found = fetch([*keys_of_people(user_ids, viewer), *mutes])
    people = people_of(user_ids, found, viewer=viewer)
    return [
        one
        for one in people
        if not one.no_packs and (one.followed or one.is_self or not one.is_limited)
    ]


PACKS_A_PAGE = 25
LOOKED_AT = 500  # listings: many people have others in private lists


@access_pattern
def list_packs_with(viewer: Viewer, *, cursor: str | None = None) -> Page[Pack]:
    """Returns the starter packs in which the viewer is, and has not left. Private lists stay unknown to them, and so
    does their number: a page goes on only behind a pack, and what lies behind 500 listings is not looked for.

    One Query of the listings, a BatchGetItem of their lists, at most 100 a call, and one of the owners and blocks of at
    most 25 packs. For 50 lists 1 + 50 + 50 read units, at most 7 + 500 + 50. Raises `BadCursor`.
    """
    partition = keys.listings(viewer.user_id)
    near = query_page(partition, cursor=cursor, size=LOOKED_AT, newest_first=False)
    listings = [row(Listing, raw) for raw in near.items]
    places = {keys.person_list(one.owner_id, one.list_id): one.sk for one in listings}
    found = fetch(places)
    lists = {places[key]: read_own_list(found[key]) for key in places if key in found}
    packs = [(sk, own) for sk, own in lists.items() if own.is_pack and viewer.user_id in own.shown]
    packs, more = packs[:PACKS_A_PAGE], len(packs) > PACKS_A_PAGE
    owners = list(dict.fromkeys(own.user_id for _, own in packs))
    seen = people_of(owners, fetch(keys_of_people(owners, viewer)), viewer=viewer)
    cards = {card.user_id: card for card in seen}
    shown = [Pack(cards[own.user_id], own, True) for _, own in packs if own.user_id in cards]
    return Page(shown, write_cursor(partition, Place("next", packs[-1][0])) if more else None)
