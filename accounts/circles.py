"""A person's circles: their own names for groups of their friends.

`UserSettings.circles` holds the names by id, so that a new name touches neither members nor posts. The tags of a
friendship and `Post.circle` hold ids. A circle from before there were ids has its name as its id.
"""

from collections.abc import Collection
from typing import NamedTuple

from accounts.models import UserSettings
from socialsite.table import ids
from socialsite.table.reading import RawItem
from socialsite.table.row import row
from socialsite.texts.unseen import isolated

MOST_CIRCLES = 50
LONGEST_CIRCLE = 30  # characters


class Circle(NamedTuple):
    circle_id: str
    name: str


def circles_of(settings: RawItem) -> tuple[Circle, ...]:
    """Returns the circles that a raw `UserSettings` names, in the order of their names."""
    names = row(UserSettings, settings).circles
    return in_order(names) if names else ()


def in_order(names: dict[str, str]) -> tuple[Circle, ...]:
    """Returns the circles of a map from id to name, in the order of their names."""
    circles = (Circle(circle_id, isolated(name)) for circle_id, name in names.items())
    return tuple(sorted(circles, key=lambda circle: (circle.name.casefold(), circle.circle_id)))


def named(circles: Collection[Circle], wanted: Collection[str]) -> tuple[Circle, ...]:
    """Returns the circles with these ids, without those that were deleted."""
    names = dict(circles)
    return in_order({one: names.get(one, one) for one in wanted if one in names or not is_new(one)})


def find_circle(circles: Collection[Circle], name: str) -> str:
    """Returns the id of the circle with this name, whatever its case; empty if there is none."""
    folded = name.casefold()
    return next((circle.circle_id for circle in circles if circle.name.casefold() == folded), "")


def is_new(circle_id: str) -> bool:
    """Whether it is an id; else it is the name of a circle from before there were ids."""
    return ids.is_id(circle_id)
