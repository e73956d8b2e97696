"""Creating, renaming and deleting a circle."""

from collections.abc import Callable

from accounts.circles import MOST_CIRCLES, find_circle, in_order, is_new
from accounts.models import UserSettings
from accounts.services.change_names import Names, change_names
from accounts.viewer import Viewer
from relations.models import Relation, RelationType
from relations.relation_lists import list_members
from socialsite.table import ids, keys
from socialsite.table.actions import Change
from socialsite.table.errors import AlreadyExists, NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.writing import TRANSACTION_LIMIT, transact


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

    return find_circle(in_order(change_circles(by.user_id, add)), name)


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

    change_circles(by.user_id, rename)


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
    change_circles(
        by.user_id, lambda names: {one: name for one, name in names.items() if one != circle_id}
    )


def change_circles(user_id: str, edit: Callable[[Names], Names]) -> Names:
    """Changes the names of a person's circles if nobody else changed them since they were read. Raises `Conflict`."""
    return change_names(user_id, edit, attribute=UserSettings.circles)
