"""The people whom a person follows, who follow them, and what they are to each other, with private notes."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

from django.utils.translation import gettext_lazy as _

from privacy.export.fields import FLAG, MOMENT, PERSON, TEXT, TEXTS, Field, Record, one_of
from privacy.export.kinds import Kind
from privacy.export.owner import Owner, name_people
from relations.models import Dismissal, Follower, Following, Relation, RelationType
from relations.relation import is_in_force, note_of
from socialsite.table.reading import RawItem
from socialsite.table.row import row

TYPES = {
    RelationType.FRIEND: "friend",
    RelationType.FAVOURITE: "favourite",
    RelationType.BLOCK: "block",
    RelationType.MUTE: "mute",
    RelationType.FOLLOW_REQUEST: "follow request",
    RelationType.FRIEND_REQUEST: "friend request",
}
# Of these the person sees that they are over. An ended block may be the trace of someone else's, an ended request
# their answer.
TOLD_WHEN_OVER = {RelationType.FRIEND, RelationType.FAVOURITE, RelationType.MUTE}

FOLLOWING = Kind(
    "following",
    _("Following"),
    {"person": Field(PERSON, "Someone you follow. Their handle is empty if they are gone.")},
    ((_("Person"), "person"),),
)
FOLLOWERS = Kind(
    "followers",
    _("Followers"),
    {"person": Field(PERSON, "Someone who follows you.")},
    ((_("Person"), "person"),),
)
RELATIONS = Kind(
    "relations",
    _("Friends, favourites, blocks and mutes"),
    {
        "type": Field(one_of(*TYPES.values()), "What they are to you, or what you asked for."),
        "person": Field(PERSON, "The other person."),
        "in_force": Field(FLAG, "False if it has ended."),
        "since": Field(MOMENT, "When it began, in UTC."),
        "until": Field(MOMENT, "When a mute ends by itself, empty if it does not."),
        "circles": Field(TEXTS, "The names of the circles a friend is in."),
        "note": Field(TEXT, "Your private note. Only you can see it."),
        "notified_of_posts": Field(FLAG, "Whether you are notified of a favourite's posts."),
    },
    (
        (_("Kind"), "type"),
        (_("Person"), "person"),
        (_("Since"), "since"),
        (_("Circles"), "circles"),
        (_("Note"), "note"),
    ),
)
HIDDEN_SUGGESTIONS = Kind(
    "hidden-suggestions",
    _("People not to suggest"),
    {
        "person": Field(PERSON, "Someone you do not want to be suggested."),
        "until": Field(MOMENT, "When they may be suggested again, in UTC."),
    },
    ((_("Person"), "person"), (_("Until"), "until")),
)

Lines = Iterator[tuple[str, Record]]


def following_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    return _person_lines(owner, FOLLOWING, raws, lambda raw: row(Following, raw).followed_id)


def follower_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    return _person_lines(owner, FOLLOWERS, raws, lambda raw: row(Follower, raw).follower_id)


def suggestion_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    handles = name_people(row(Dismissal, raw).other_id for raw in raws)
    for raw in raws:
        until = datetime.fromtimestamp(int(raw["ttl"]["N"]), UTC).isoformat()
        person = owner.person(row(Dismissal, raw).other_id, handles)
        yield HIDDEN_SUGGESTIONS.name, {"person": person, "until": until}


def relation_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    """Yields what the person has to do with others. That someone blocks them is the other's, and stays out, and so do
    place and gender, which are copies of what the other says. Notes are sealed, and only the clock can open them."""
    own = [raw for raw in raws if _may_be_told(raw)]
    handles = name_people(row(Relation, raw).other_id for raw in own)
    for raw in own:
        relation = row(Relation, raw)
        names = (owner.circles.get(one, one) for one in relation.tags or ())
        yield (
            RELATIONS.name,
            {
                "type": TYPES[RelationType(int(relation.relation_type))],
                "person": owner.person(relation.other_id, handles),
                "in_force": is_in_force(raw),
                "since": relation.created_at,
                "until": relation.until,
                "circles": sorted(names),
                "note": note_of(raw, owner_id=owner.user_id),
                "notified_of_posts": bool(relation.subscribed),
            },
        )


def _may_be_told(raw: RawItem) -> bool:
    return is_in_force(raw) or int(row(Relation, raw).relation_type) in TOLD_WHEN_OVER


def _person_lines(
    owner: Owner, kind: Kind, raws: Sequence[RawItem], id_of: Callable[[RawItem], str]
) -> Lines:
    handles = name_people(map(id_of, raws))
    for raw in raws:
        yield kind.name, {"person": owner.person(id_of(raw), handles)}
