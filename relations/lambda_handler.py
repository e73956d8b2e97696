"""What people are to each other, for another system: create, filter, update and delete relationships, and the people of
levels one and two, each answered as JSON. The function is `relations.lambda_handler.handle` (docs/relations.md); here
`manage.py relation_event FILE` plays an event.

It does what pages do, through the same services and limits, in the name of the person whom the event names. A system
that may call it may act for everyone: the right to invoke it decides. It knows circles by their ids alone, and neither
shows nor sets notes: these are sealed with the person's key, and the role of the function has no right to keys.
"""

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "socialsite.settings")
django.setup()

from accounts.people.reads import find_user_by_handle, read_actor  # noqa: E402
from accounts.people.restrictions import Frozen, Unconfirmed  # noqa: E402
from accounts.people.viewer import Viewer  # noqa: E402
from relations.blocks.writes import block, mute, unblock, unmute  # noqa: E402
from relations.filters import Filters, Pronoun  # noqa: E402
from relations.friends.writes import (  # noqa: E402
    end_friendship,
    request_friend,
    withdraw_friend_request,
)
from relations.levels import answer_levels, cost_of, values_of  # noqa: E402
from relations.models import Relation, RelationType  # noqa: E402
from relations.own_choices.writes import (  # noqa: E402
    favourite,
    subscribe,
    unfavourite,
    unsubscribe,
)
from relations.reads import find_person, list_relations  # noqa: E402
from relations.relation import (  # noqa: E402
    Blocked,
    CannotRelateToYourself,
    NotRelated,
    TooManyFavourites,
    TooManyFriends,
    is_in_force,
    update_relation,
)
from relations.two_levels import MOST_KEPT  # noqa: E402
from socialsite.clock import utc_now  # noqa: E402
from socialsite.site_settings.levels import Level  # noqa: E402
from socialsite.table import (  # noqa: E402
    BadCursor,
    Conflict,
    NotFound,
    TableError,
    access_pattern,
    fetch,
    ids,
    keys,
    measure,
    row,
)
from socialsite.web.limits import REQUESTS, LimitReached, count_hits  # noqa: E402

Answer = dict[str, Any]
Choice = TypeVar("Choice", bound=StrEnum)

TYPES = {kind.name.lower(): kind for kind in RelationType}
LONGEST_TEXT = 400  # characters; cursors are the longest
OWN_TYPES = ("friend", "favourite", "block", "mute")  # requests are what asking a friend makes


class BadEvent(Exception):
    """The event asks for nothing that there is. Its text says what is wrong, to the system that sent it."""


# What an answer says instead of failing. All else is a fault, which Lambda reports: the same event may be sent again.
REFUSALS: Mapping[type[Exception], tuple[str, str]] = {
    NotRelated: ("not_related", "No such relationship is in force."),
    NotFound: ("not_found", "Nobody has this id or handle, or they cannot be seen now."),
    Blocked: ("blocked", "They block this person."),
    Frozen: ("refused", "This account may only read for now."),
    Unconfirmed: ("refused", "This account has not confirmed its email address."),
    TooManyFriends: ("limit", "One of the two has 1,000 friends, which is the limit."),
    TooManyFavourites: ("limit", "They have 30 favourites, which is the limit."),
    LimitReached: ("later", "They asked too many people lately."),
    CannotRelateToYourself: ("bad_event", "user and other are the same person."),
    BadCursor: ("bad_event", "The cursor is of another list, or was altered."),
    Conflict: ("conflict", "Others kept changing the same items. Send the event again."),
}


def handle(event: Mapping[str, Any], context: object = None) -> Answer:
    """Does what the event asks, and answers with what came of it and its cost, or with an `error` and a `message`. Safe
    to repeat, as each service is. Raises what is no refusal: `Unavailable`."""
    with measure() as meter:
        try:
            answer = _answer(event)
        except BadEvent as error:
            answer = {"error": "bad_event", "message": str(error)}
        except (TableError, CannotRelateToYourself) as error:
            answer = _refusal(error)
    return answer | {"cost": cost_of(meter)}


def _refusal(error: Exception) -> Answer:
    for kind, (code, sentence) in REFUSALS.items():
        if isinstance(error, kind):
            answer = {"error": code, "message": sentence}
            if isinstance(error, LimitReached):
                answer |= {"retry_after": str(error.retry_after)}
            return answer
    raise error


def _answer(event: Mapping[str, Any]) -> Answer:
    if not isinstance(event, Mapping):
        raise BadEvent("An event is an object.")
    operation = _text(event, "operation")
    if operation not in OPERATIONS:
        raise BadEvent(f"operation is one of {_listed(OPERATIONS)}.")
    act, takes = OPERATIONS[operation]
    if unknown := sorted(event.keys() - {"operation", "user", *takes}):
        hint = " Notes are the person's own." if "note" in unknown else ""
        raise BadEvent(f"{operation} takes no {unknown[0]}.{hint}")
    by = read_actor(_person_id(event, "user"))
    if by is None or by.card is None or by.card.is_locked_out:
        raise NotFound("not to be seen now")
    return act(by, event)


def _create(by: Viewer, event: Mapping[str, Any]) -> Answer:
    """Asks someone to be friends (or accepts), makes them a favourite, blocks or mutes them."""
    kind, other_id = _type(event, OWN_TYPES), _person_id(event, "other")
    until = _until(event, kind)
    find_person(other_id, viewer=by)  # missing if they block the person, as on a page
    match kind:
        case RelationType.FRIEND:
            count_hits((REQUESTS, by.user_id))
            request_friend(by=by, user_id=other_id)
        case RelationType.FAVOURITE:
            favourite(by=by, user_id=other_id)
        case RelationType.BLOCK:
            block(by=by, user_id=other_id)
        case _:
            mute(by=by, user_id=other_id, until=until)
    return read_between(by, other_id)


def _update(by: Viewer, event: Mapping[str, Any]) -> Answer:
    """Sets the circles of a friend, whether a favourite's posts are notified, or the end of a mute."""
    kind, other_id = _type(event, OWN_TYPES), _person_id(event, "other")
    until = _until(event, kind)
    match kind:
        case RelationType.FRIEND:
            circles = _circles(by, event)
            update_relation(by=by, relation_type=kind, user_id=other_id, tags=circles)
        case RelationType.FAVOURITE if isinstance(notified := event.get("notified"), bool):
            (subscribe if notified else unsubscribe)(by=by, user_id=other_id)
        case RelationType.FAVOURITE:
            raise BadEvent("notified is true or false.")
        case RelationType.MUTE if "until" in event:
            if "mute" not in read_between(by, other_id)["relationship"]:
                raise NotRelated("not muted")
            mute(by=by, user_id=other_id, until=until)
        case _:
            raise BadEvent("A mute has an until; a block has nothing that could be updated.")
    return read_between(by, other_id)


def _delete(by: Viewer, event: Mapping[str, Any]) -> Answer:
    """Ends what there is; also a request to be friends that still waits."""
    kind, other_id = _type(event, OWN_TYPES), _person_id(event, "other")
    match kind:
        case RelationType.FRIEND:
            end_friendship(by=by, user_id=other_id)
            withdraw_friend_request(by=by, user_id=other_id)
        case RelationType.FAVOURITE:
            unfavourite(by=by, user_id=other_id)
        case RelationType.BLOCK:
            unblock(by=by, user_id=other_id)
        case _:
            unmute(by=by, user_id=other_id)
    return read_between(by, other_id)


def _filter(by: Viewer, event: Mapping[str, Any]) -> Answer:
    """Lists the person's own relationships of a type, narrowed down, 20 a page."""
    filters = Filters(
        tag=_text(event, "circle", optional=True),
        location=_text(event, "location", optional=True),
        pronoun=_choice(event, "pronoun", Pronoun),
        gender=_text(event, "pronouns", optional=True),
        level=_choice(event, "level", Level),
    )
    cursor = _text(event, "cursor", optional=True) or None
    kind = _type(event, tuple(TYPES))
    page = list_relations(by, kind, filters=filters, cursor=cursor, with_notes=False)
    found = [
        {
            **values_of(one.person),
            "circles": [circle.circle_id for circle in one.circles],
            "since": one.since,
            "first_since": one.first or one.since,
            "updated": one.updated,
            "until": one.until,
            "notified": one.is_subscribed,
        }
        for one in page.items
    ]
    return {"found": found, "cursor": page.next_cursor}


def _levels(by: Viewer, event: Mapping[str, Any]) -> Answer:
    size = event.get("size", MOST_KEPT)
    if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= MOST_KEPT:
        raise BadEvent(f"size is a number from 1 to {MOST_KEPT}.")
    return answer_levels(by, size=size)


# What each operation takes, beside the operation and the user.
OPERATIONS: Mapping[str, tuple[Callable[[Viewer, Mapping[str, Any]], Answer], tuple[str, ...]]] = {
    "create": (_create, ("other", "type", "until")),
    "filter": (_filter, ("type", "circle", "location", "pronoun", "pronouns", "level", "cursor")),
    "update": (_update, ("other", "type", "circles", "notified", "until")),
    "delete": (_delete, ("other", "type")),
    "levels": (_levels, ("size",)),
}


@access_pattern
def read_between(by: Viewer, other_id: str) -> Answer:
    """Returns what is in force between the two, by type. A consistent BatchGetItem of 6 keys, 6 read units."""
    places = {name: keys.relation(by.user_id, kind, other_id) for name, kind in TYPES.items()}
    found = fetch(places.values(), consistent=True)
    held = {name: raw for name, place in places.items() if is_in_force(raw := found.get(place))}
    relations = {name: row(Relation, raw) for name, raw in held.items() if raw}
    return {
        "other": other_id,
        "relationship": {
            name: {
                "circles": list(one.tags),
                "since": one.created_at,
                "first_since": one.first_at or one.created_at,
                "updated": one.update_time,
                "until": one.until,
                "notified": one.subscribed,
            }
            for name, one in relations.items()
        },
    }


def _text(event: Mapping[str, Any], name: str, *, optional: bool = False) -> str:
    value = event.get(name)
    if value is None and optional:
        return ""
    if not isinstance(value, str) or not value or len(value) > LONGEST_TEXT:
        raise BadEvent(f"{name} is a text of 1 to {LONGEST_TEXT} characters.")
    return value


def _person_id(event: Mapping[str, Any], name: str) -> str:
    """Returns the id in the event, or that of the handle in it."""
    value = _text(event, name)
    if ids.is_id(value):
        return value
    return find_user_by_handle(value.removeprefix("@").lower())


def _type(event: Mapping[str, Any], of: tuple[str, ...]) -> RelationType:
    value = _text(event, "type")
    if value not in of:
        raise BadEvent(f"type is one of {_listed(of)}.")
    return TYPES[value]


def _choice(event: Mapping[str, Any], name: str, of: type[Choice]) -> Choice | None:
    value = _text(event, name, optional=True)
    if value and value not in list(of):
        raise BadEvent(f"{name} is one of {_listed(of)}.")
    return of(value) if value else None


def _until(event: Mapping[str, Any], kind: RelationType) -> datetime | None:
    if event.get("until") is None:
        return None
    try:
        until = datetime.fromisoformat(_text(event, "until"))
    except ValueError:
        until = None
    if kind != RelationType.MUTE or until is None or until.tzinfo is None or until <= utc_now():
        raise BadEvent("until is of a mute: a moment to come, with its zone.")
    return until.astimezone(UTC)


def _circles(by: Viewer, event: Mapping[str, Any]) -> set[str]:
    known = {circle.circle_id for circle in by.circles}
    wanted = event.get("circles")
    if not isinstance(wanted, list) or not all(isinstance(one, str) for one in wanted):
        raise BadEvent("circles is a list of ids.")
    if strange := sorted(set(wanted) - known):
        raise BadEvent(f"They have no circle {strange[0]}.")
    return set(wanted)


def _listed(names: Any) -> str:
    return ", ".join(str(name) for name in names)
