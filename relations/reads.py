"""Reads about relationships: patterns 2 and 3 of the published design; a person's own lists of people, narrowed down by
`filters.py`; all between two people; and a person as one viewer may see them, for their page and the pages below
it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from accounts.models import UserCount
from accounts.people.cards import PersonCard, day_text, moment_text
from accounts.people.restrictions import Suspended
from accounts.people.viewer import VISITOR, Circle, Viewer, in_order, named
from relations.filters import NO_FILTERS, Filters
from relations.models import Follower, Following, Relation, RelationType
from relations.relation import blocks_either_way, is_in_force, note_of
from socialsite.table import (
    PAGE_SIZE,
    Key,
    NotFound,
    Page,
    Place,
    RawItem,
    access_pattern,
    fetch,
    keys,
    query,
    query_index,
    query_page,
    read_cursor,
    reading,
    row,
    type_index_name,
    write_cursor,
)


@access_pattern
def list_followers(
    user_id: str, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PersonCard]:
    """Pattern 2, getFollowerListByUserID: returns a person's followers, oldest account first.

    Query `PK = u#<id>#follower`, then one BatchGetItem of their infos and the viewer's follow edges. In all 0.5 + 30
    read units.
    """
    page = query_page(keys.followers(user_id), cursor=cursor, newest_first=False)
    ids = [row(Follower, raw).follower_id for raw in page.items]
    return page.with_items(list_people(ids, viewer=viewer))


@access_pattern
def list_following(
    user_id: str, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PersonCard]:
    """Pattern 3, getFollowingListByUserID: returns the people a person follows, oldest account first.

    Query `PK = u#<id>#following`, then one BatchGetItem of their infos and the viewer's follow edges. In all 0.5 + 30
    read units.
    """
    page = query_page(keys.followings(user_id), cursor=cursor, newest_first=False)
    ids = [row(Following, raw).followed_id for raw in page.items]
    return page.with_items(list_people(ids, viewer=viewer))


@access_pattern
def list_people(user_ids: Iterable[str], *, viewer: Viewer) -> list[PersonCard]:
    """Returns cards of people in the given order, with whether the viewer follows each. Leaves out people who are gone,
    and people who block the viewer or are blocked.

    One BatchGetItem: 0.5 read units a key, three keys a person for someone signed in. For a page of 20 that is 30 read
    units.
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


@dataclass(frozen=True, slots=True)
class RelationCard:
    """A relationship as a list shows it."""

    person: PersonCard
    circles: tuple[Circle, ...]
    note: str
    until: str
    since: str
    updated: str
    is_subscribed: bool
    first: str  # when it began the very first time, empty if it never ended

    @property
    def until_text(self) -> str:
        return moment_text(self.until)

    @property
    def since_text(self) -> str:
        return day_text(self.since)

    @property
    def first_text(self) -> str:
        """Returns the day on which it first began, empty if that is the day on which it began last."""
        return first if (first := day_text(self.first)) != self.since_text else ""


@access_pattern
def list_relations(
    viewer: Viewer,
    relation_type: RelationType,
    *,
    filters: Filters = NO_FILTERS,
    cursor: str | None = None,
    size: int = PAGE_SIZE,
    with_notes: bool = True,
) -> Page[RelationCard]:
    """Returns the signed-in person's relationships of a type, oldest account first, without ended ones.

    Query `PK = u#<id>#relation`, `SK` beginning with the type, with a filter that leaves out ended ones, other circles,
    places and pronouns; 60 items a call and all of them with filters. Then one BatchGetItem of infos and follow edges:
    0.5 read units per 4 KB of relations looked over, and 30. 0.5 more for the person's key, once a minute, if there are
    notes.

    Raises `BadCursor`.
    """
    partition = keys.relations(viewer.user_id)
    scope = f"{partition} {int(relation_type)}"
    start = Key(partition, read_cursor(scope, cursor).sk) if cursor else None
    rows: list[RawItem] = []
    bounds = keys.relation_bounds(relation_type)
    # Ended relationships lie between, so a call asks for more than a page. Filters may leave few.
    limit = 3 * size if filters == NO_FILTERS else None
    for raw in query(partition, after=start, between=bounds, limit=limit, having=filters.exact):
        if is_in_force(raw) and filters.fit(raw, viewer):
            rows.append(raw)
        if len(rows) > size:
            break
    more = len(rows) > size
    following = (
        write_cursor(scope, Place("next", reading.key_of(rows[size - 1]).sk)) if more else None
    )
    seen_by = VISITOR if relation_type == RelationType.BLOCK else viewer  # whom one blocks, too
    rows = rows[:size]
    notes = [note_of(raw, owner_id=viewer.user_id) if with_notes else "" for raw in rows]
    ids = [row(Relation, raw).other_id for raw in rows]
    return Page(_cards(rows, ids, seen_by, notes), following)


@access_pattern
def list_relating(
    user_id: str,
    relation_type: RelationType,
    *,
    viewer: Viewer = VISITOR,
    cursor: str | None = None,
) -> Page[RelationCard]:
    """Returns the people who have a relationship of this type with a person, newest first, such as their follow
    requests.

    Query `typeIndex`, `relation_target = <type>#u#<id>`, then one BatchGetItem of infos and follow edges: 0.5 read
    units per 4 KB, and 30. The index holds only relationships in force. Raises `BadCursor`.
    """
    target = keys.relation_target(relation_type, user_id)
    before = read_cursor(target, cursor).sk if cursor else None
    rows = query_index(type_index_name, target, before=before, limit=PAGE_SIZE + 1)
    more, rows = len(rows) > PAGE_SIZE, rows[:PAGE_SIZE]
    oldest = row(Relation, rows[-1]).update_time if more else ""
    following = write_cursor(target, Place("next", oldest)) if more else None
    notes = ["" for _ in rows]  # theirs are not for the viewer
    ids = [row(Relation, raw).user_id for raw in rows]
    return Page(_cards(rows, ids, viewer, notes), following)


@access_pattern
def list_circles(viewer: Viewer) -> dict[Circle, int]:
    """Returns the viewer's circles in the order of their names, each with how many friends are in it.

    One Query over all friends, at most 1,000: 0.5 read units per 4 KB. The names came with the viewer.
    """
    tags = [row(Relation, raw).tags for raw in _friends(viewer.user_id)]
    sizes = Counter(tag for some in tags for tag in some)
    names = dict(viewer.circles) | dict(named(viewer.circles, sizes))
    return {circle: sizes[circle.circle_id] for circle in in_order(names)}


@access_pattern
def list_members(viewer: Viewer, circle_id: str) -> list[str]:
    """Returns the ids of the friends in a circle. One Query over all friends: 0.5 read units per 4 KB."""
    friends = (row(Relation, raw) for raw in _friends(viewer.user_id))
    return [friend.other_id for friend in friends if circle_id in friend.tags]


@dataclass(frozen=True, slots=True)
class Relationship:
    """The relationship between a viewer and a person, as far as the viewer may know it."""

    follows: bool = False
    is_followed: bool = False
    asked_to_follow: bool = False
    is_friend: bool = False
    asked_to_be_friends: bool = False
    is_asked: bool = False  # the person asks the viewer to be friends
    is_favourite: bool = False
    is_subscribed: bool = False  # to the posts of a favourite
    blocks: bool = False
    is_blocked: bool = False
    mutes: bool = False
    muted_until: str = ""  # empty: until further notice
    circles: tuple[Circle, ...] = ()
    note: str = ""

    @property
    def is_hidden(self) -> bool:
        """Whether neither of the two sees the other."""
        return self.blocks or self.is_blocked

    @property
    def muted_until_text(self) -> str:
        return moment_text(self.muted_until)


def relationship_keys(viewer: Viewer, user_id: str) -> list[Key]:
    """Returns the keys that `relationship_of` needs: at most 9, none for visitors and for the viewer."""
    if not viewer.is_authenticated or viewer.user_id == user_id:
        return []
    own = viewer.user_id
    return [
        keys.following(own, user_id),
        keys.following(user_id, own),
        *(keys.relation(own, kind, user_id) for kind in RelationType),
        keys.relation(user_id, RelationType.FRIEND_REQUEST, own),
    ]


def relationship_of(viewer: Viewer, user_id: str, found: dict[Key, RawItem]) -> Relationship:
    own = viewer.user_id
    relations = {kind: found.get(keys.relation(own, kind, user_id)) for kind in RelationType}
    holds = {kind: is_in_force(raw) for kind, raw in relations.items()}
    friend = row(Relation, relations[RelationType.FRIEND] or {})
    tags = friend.tags if holds[RelationType.FRIEND] else ()
    favourite = row(Relation, relations[RelationType.FAVOURITE] or {})
    block = relations[RelationType.BLOCK]
    asked = found.get(keys.relation(user_id, RelationType.FRIEND_REQUEST, own))
    return Relationship(
        follows=keys.following(own, user_id) in found,
        is_followed=keys.following(user_id, own) in found,
        asked_to_follow=holds[RelationType.FOLLOW_REQUEST],
        is_friend=holds[RelationType.FRIEND],
        asked_to_be_friends=holds[RelationType.FRIEND_REQUEST],
        is_asked=is_in_force(asked),
        is_favourite=holds[RelationType.FAVOURITE],
        is_subscribed=favourite.subscribed and holds[RelationType.FAVOURITE],
        blocks=holds[RelationType.BLOCK],
        is_blocked=blocks_either_way(block) and not holds[RelationType.BLOCK],
        mutes=holds[RelationType.MUTE],
        muted_until=row(Relation, relations[RelationType.MUTE] or {}).until,
        circles=named(viewer.circles, tags),
        note=note_of(relations[RelationType.FRIEND], owner_id=own)
        if holds[RelationType.FRIEND]
        else "",
    )


def _friends(user_id: str) -> Iterator[RawItem]:
    bounds = keys.relation_bounds(RelationType.FRIEND)
    return filter(is_in_force, query(keys.relations(user_id), between=bounds))


def _cards(
    rows: list[RawItem], ids: list[str], viewer: Viewer, notes: list[str]
) -> list[RelationCard]:
    people = {person.user_id: person for person in list_people(ids, viewer=viewer)}
    return [
        RelationCard(
            people[user_id],
            named(viewer.circles, relation.tags),
            note,
            relation.until,
            relation.created_at,
            relation.update_time,
            relation.subscribed,
            relation.first_at,
        )
        for user_id, relation, note in zip(
            ids, (row(Relation, raw) for raw in rows), notes, strict=True
        )
        if user_id in people
    ]


OWN = {
    "friends": RelationType.FRIEND,
    "favourites": RelationType.FAVOURITE,
    "blocked": RelationType.BLOCK,
    "muted": RelationType.MUTE,
    "sent-friend": RelationType.FRIEND_REQUEST,
    "sent-follow": RelationType.FOLLOW_REQUEST,
}
OF_OTHERS = {
    "friend": RelationType.FRIEND_REQUEST,
    "follow": RelationType.FOLLOW_REQUEST,
}


def list_own(
    viewer: Viewer, name: str, *, filters: Filters | None = None, cursor: str | None = None
) -> Page[RelationCard]:
    """Returns a page of one of the lists: `list_relations` for the person's own, `list_relating` for requests of
    others."""
    if name in OF_OTHERS:
        return list_relating(viewer.user_id, OF_OTHERS[name], viewer=viewer, cursor=cursor)
    return list_relations(viewer, OWN[name], filters=filters or NO_FILTERS, cursor=cursor)


@dataclass(frozen=True, slots=True)
class Profile:
    """A person with counts and the state of the follow button, and their relationship with the viewer."""

    person: PersonCard
    relationship: Relationship
    pins: tuple[str, ...] = ()  # the ids of the posts at the top of their page, the oldest first


@access_pattern
def get_profile(user_id: str, *, viewer: Viewer, consistent: bool = False) -> Profile:
    """Returns what pattern 1 does, with the relationship between the two. Raises `Suspended`, and `NotFound`, also for
    people who block the viewer or wait for approval.

    One BatchGetItem of info, counts and, for someone signed in, the 9 keys of the relationship: 5.5 read units, twice
    that if consistent. 0.5 more for the viewer's key, once a minute, if they have a note about the person.
    """
    found = fetch(keys_of_profile(user_id, viewer), consistent=consistent)
    return profile_of(user_id, found, viewer=viewer)


def keys_of_profile(user_id: str, viewer: Viewer) -> list[Key]:
    """Returns the keys that `profile_of` needs: at most 11."""
    own = relationship_keys(viewer, user_id)
    return [keys.user_info(user_id), keys.user_count(user_id), *own]


def profile_of(user_id: str, found: dict[Key, RawItem], *, viewer: Viewer) -> Profile:
    """Returns what `get_profile` does, from items that were read."""
    info_key, count_key = keys.user_info(user_id), keys.user_count(user_id)
    relationship = relationship_of(viewer, user_id, found)
    if info_key not in found or count_key not in found or relationship.is_blocked:
        raise NotFound("no such person")
    person = PersonCard.from_raw(found[info_key], viewer_id=viewer.user_id)
    person = as_others_see(person.with_counts(found[count_key]))
    if viewer.is_authenticated and not person.is_self:
        person = person.with_followed(relationship.follows, requested=relationship.asked_to_follow)
    return Profile(person, relationship, tuple(row(UserCount, found[count_key]).pins))


def get_person(user_id: str, *, viewer: Viewer) -> PersonCard:
    """Returns what `find_person` does, if others may see it. Raises `NotFound`, also for people who wait for approval,
    and `Suspended`."""
    return as_others_see(find_person(user_id, viewer=viewer))


@access_pattern
def find_person(user_id: str, *, viewer: Viewer) -> PersonCard:
    """Returns a person with counts, even if they are suspended or wait for approval. Every button about a person starts
    here, because relationships with a suspended person can be ended. Raises `NotFound`, also for people who block the
    viewer.

    One BatchGetItem of info, counts and, for someone signed in, the block: 1.5 read units.
    """
    info_key, count_key = keys.user_info(user_id), keys.user_count(user_id)
    block_key = keys.relation(viewer.user_id, RelationType.BLOCK, user_id)
    found = fetch([info_key, count_key, *([block_key] if viewer.is_authenticated else [])])
    block = found.get(block_key)
    is_blocked = blocks_either_way(block) and not is_in_force(block)
    if info_key not in found or count_key not in found or is_blocked:
        raise NotFound("no such person")
    return PersonCard.from_raw(found[info_key], viewer_id=viewer.user_id).with_counts(
        found[count_key]
    )


def as_others_see(person: PersonCard) -> PersonCard:
    """Raises `NotFound` for people who wait for approval, have paused or leave, and `Suspended`."""
    if person.is_locked_out and not person.is_self:
        raise Suspended("suspended") if person.suspended_until else NotFound("not to be seen now")
    return person
