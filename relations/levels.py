"""The people one and two steps away from someone, as another system gets them: plain values, ready for JSON, for
`manage.py recommend --json` and `lambda_handler.py`. They say what every signed-in person could see, and nothing that
someone noted for themselves: no circles, no notes, no favourites."""

from typing import Any

from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from relations.reads import list_people
from relations.suggested import Suggestion, list_suggestions
from relations.two_levels import MOST_KEPT, Near, look_two_levels
from socialsite.site_settings.levels import Level
from socialsite.table import access_pattern
from socialsite.table.meter import Meter

MOST_NEAR = 50  # people of the first level, friends first


@access_pattern
def answer_levels(by: Viewer, *, size: int = MOST_KEPT) -> dict[str, Any]:
    """Returns the people of the first level, at most 50, and those recommended of the second, at most 30, best first.

    `look_two_levels`, then as `list_people` and `list_suggestions`: at most 3 and 3 BatchGetItems, 75 and 150 read
    units.
    """
    found = look_two_levels(by.user_id)
    near = {one.user_id: one for one in found.near[:MOST_NEAR]}
    people = list_people(near, viewer=by)
    size = min(size, MOST_KEPT)
    suggested = list_suggestions(by.user_id, found.recommended, size=size)
    return {
        "person": values_of(by.card) if by.card else {"id": by.user_id},
        "level_1": [values_of(one) | {"types": _types(near[one.user_id])} for one in people],
        "level_1_found": len(found.near),  # of at most 200 friends and 1,000 people followed
        "level_2": [_recommended(one) for one in suggested],
    }


def values_of(person: PersonCard) -> dict[str, Any]:
    """Returns what an answer says of a person: as everyone sees them, and so their level if they show it."""
    return {
        "id": person.user_id,
        "handle": person.handle,
        "name": person.name,
        "location": person.location,
        "pronouns": person.gender,
        "level": str(Level.of(person.level)) if person.shows_level else "",
    }


def cost_of(meter: Meter) -> dict[str, float]:
    """Returns what an answer says of its price."""
    return {
        "calls": len(meter.calls),
        "read_units": meter.read_units,
        "write_units": meter.write_units,
    }


def _types(near: Near) -> list[str]:
    holds = {"friend": near.is_friend, "follows": near.is_followed}
    return [name for name, is_so in holds.items() if is_so]


def _recommended(one: Suggestion) -> dict[str, Any]:
    return values_of(one.person) | {
        "reason": str(one.found.reason),
        "sentence": one.reason,
        "via": {"id": one.via.user_id, "handle": one.via.handle},
        "others": one.found.others,
        "shared": one.found.shared,
        "score": one.found.score,
    }
