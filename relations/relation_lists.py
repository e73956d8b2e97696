"""Reads of relationships: a person's own, other people's with them, and all between two people."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from accounts.cards import PersonCard, moment_text
from accounts.circles import Circle, in_order, named
from accounts.viewer import VISITOR, Viewer
from relations.access_patterns import list_people
from relations.filters import NO_FILTERS, Filters
from relations.models import Relation, RelationType
from relations.relation import blocks_either_way, is_in_force, note_of
from socialsite.table import keys, reading
from socialsite.table.cursors import Place, read_cursor, write_cursor
from socialsite.table.item import type_index_name
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.paging import PAGE_SIZE, Page
from socialsite.table.reading import RawItem, query, query_index
from socialsite.table.row import row


@dataclass(frozen=True, slots=True)
class RelationCard:
    """A relationship as a list shows it."""

    person: PersonCard
    circles: tuple[Circle, ...]
    note: str
    until: str
    since: str

    @property
    def until_text(self) -> str:
        return moment_text(self.until)


@access_pattern
def list_relations(
    viewer: Viewer,
    relation_type: RelationType,
    *,
    filters: Filters = NO_FILTERS,
    cursor: str | None = None,
    size: int = PAGE_SIZE,
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
    notes = [note_of(raw, owner_id=viewer.user_id) for raw in rows]
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
        )
        for user_id, relation, note in zip(
            ids, (row(Relation, raw) for raw in rows), notes, strict=True
        )
        if user_id in people
    ]
