"""Items that belong to no room: limits and roles. Django imports this module: it names every item of this package."""

from typing import Self

from pynamodb.attributes import (
    JSONAttribute,
    MapAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)

import socialsite.blocked_pictures.models
import socialsite.due.models
import socialsite.site_settings.models
import socialsite.streams.models
import socialsite.table.models  # noqa: F401
from socialsite.table import Item, keys


class RateLimit(Item, discriminator="RateLimit"):
    """Counts how often something was done in one window of time. Expires with the window.

    If tries are slowed down, `until` is the second at which the next try is allowed.
    """

    family = "signing-in"

    hits = NumberAttribute()
    until = NumberAttribute(null=True)


class Role(Item, discriminator="Role"):
    """A set of permissions that the site created, beside the built-in roles (`accounts/permissions.py`)."""

    family = "site"

    name = UnicodeAttribute()
    title = UnicodeAttribute()
    permissions = UnicodeSetAttribute()

    @classmethod
    def new(cls, *, name: str, title: str, permissions: set[str]) -> Self:
        return cls(*keys.role(name), name=name, title=title, permissions=permissions)


class Staff(Item, discriminator="Staff"):
    """Lists a person who has a role, so that finding staff does not need the whole table. Their info says which
    role. `languages` are those in which they read cases, none for all. `last_presets` is the template that they
    chose last for each action, and `filters` the lists that they keep, by name. `shift_note` is what they tell the
    others of the staff, until a few days after `noted_at`."""

    family = "site"

    user_id = UnicodeAttribute()
    languages = UnicodeSetAttribute(null=True)
    last_presets = JSONAttribute(null=True)
    filters = MapAttribute[str, str](null=True)
    shift_note = UnicodeAttribute(null=True)
    noted_at = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str) -> Self:
        return cls(*keys.staff_member(user_id), user_id=user_id)
