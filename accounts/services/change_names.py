"""Changing the names that a person gave to things of their own: circles, and folders of saved posts.

`UserSettings` holds them as a map from id to name, one attribute for each kind of thing.
"""

from collections.abc import Callable

from pynamodb.attributes import JSONAttribute

from accounts.models import UserSettings
from socialsite.table import keys
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.reading import get
from socialsite.table.writing import change

Names = dict[str, str]  # by id


def change_names(
    user_id: str, edit: Callable[[Names], Names], *, attribute: JSONAttribute
) -> Names:
    """Changes the names in an attribute of `UserSettings` if nobody else changed them since they were read, and returns
    them. Raises `Conflict`.

    One GetItem consistent, and one UpdateItem if `edit` returns something else than it was given.
    """
    key = keys.user_settings(user_id)

    def attempt() -> Names:
        settings = get(UserSettings, key, consistent=True)
        old: Names | None = getattr(settings, str(attribute.attr_name))
        new = edit(old or {})
        if new == (old or {}):
            return new
        same = attribute == old if old else attribute.does_not_exist()
        action = attribute.set(new) if new else attribute.remove()
        change(UserSettings, key, [action], condition=same, otherwise=Moved)
        return new

    return write_as_read(attempt)
