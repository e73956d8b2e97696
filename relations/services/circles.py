"""Creating, renaming and deleting a circle."""

from collections.abc import Callable

from accounts.circles import MOST_CIRCLES, find_circle, in_order, is_new
from accounts.models import UserSettings
from accounts.viewer import Viewer
from relations.models import Relation, RelationType
from relations.relation_lists import list_members
from socialsite.table import ids, keys
from socialsite.table.actions import Change
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import AlreadyExists, NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.table.writing import TRANSACTION_LIMIT, change, transact

TRIES = 5  # tries, when two windows change circles at once

Names = dict[str, str]  # by id


class TooManyCircles(TableError):
    """The person has as many circles as they can have."""


class CircleExists(AlreadyExists):
    """Another circle of the person has this name."""


class NoSuchCircle(NotFound):
    """The person has no circle with this id."""


@access_pattern
def create_circle(*, by: Viewer, name: str) -> str:
    """Creates an empty circle and returns its id, or the id of the circle that has the name. Raises `TooManyCircles`.

    One GetItem and one UpdateItem, 1 read unit and 1 write unit per KB of settings.
    """
    new = ids.new_id()

    def add(names: Names) -> Names:
        if find_circle(in_order(names), name):
            return names
        if len(names) >= MOST_CIRCLES:
            raise TooManyCircles
        return names | {new: name}

    return find_circle(in_order(change_names(by.user_id, add)), name)


@access_pattern
def rename_circle(*, by: Viewer, circle_id: str, name: str) -> None:
    """Gives a circle another name; its members and posts stay. Raises `NoSuchCircle`, `CircleExists`.

    One GetItem and one UpdateItem, 1 read unit and 1 write unit per KB of settings.
    """

    def rename(names: Names) -> Names:
        if circle_id not in names and is_new(circle_id):
            raise NoSuchCircle(circle_id)
        if find_circle(in_order(names), name) not in ("", circle_id):
            raise CircleExists(name)
        return names | {circle_id: name}

    change_names(by.user_id, rename)


@access_pattern
def delete_circle(*, by: Viewer, circle_id: str) -> None:
    """Takes everyone out of a circle, then forgets its name, so that only its author sees its posts. Safe to repeat.

    One Query over all friends; one TransactWriteItems for each 100 members, 3 write units a member; one GetItem and
    one UpdateItem of the settings.
    """
    leave = [Relation.tags.delete({circle_id})]
    members = list_members(by, circle_id)
    friends = [keys.relation(by.user_id, RelationType.FRIEND, member) for member in members]
    for start in range(0, len(friends), TRANSACTION_LIMIT):
        some = friends[start : start + TRANSACTION_LIMIT]
        transact(*(Change(Relation, friend, leave) for friend in some))
    change_names(
        by.user_id, lambda names: {one: name for one, name in names.items() if one != circle_id}
    )


def change_names(user_id: str, edit: Callable[[Names], Names]) -> Names:
    """Changes the names if nobody else changed them since they were read, and returns them. Raises `Conflict`."""
    key = keys.user_settings(user_id)

    def attempt() -> Names:
        old: Names | None = get(UserSettings, key, consistent=True).circles
        new = edit(old or {})
        if new == (old or {}):
            return new
        same = UserSettings.circles == old if old else UserSettings.circles.does_not_exist()
        action = UserSettings.circles.set(new) if new else UserSettings.circles.remove()
        change(UserSettings, key, [action], condition=same, otherwise=Moved)
        return new

    return write_as_read(attempt)
