"""Items that belong to no room: limits and roles. Django imports this module: it names every item of this package."""

from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from socialsite.due.models import Due as Due
from socialsite.due.models import StreamHost as StreamHost
from socialsite.site_settings.models import AddressBlock as AddressBlock
from socialsite.site_settings.models import EmailDomainBlock as EmailDomainBlock
from socialsite.site_settings.models import Invite as Invite
from socialsite.site_settings.models import SiteRule as SiteRule
from socialsite.site_settings.models import SiteSettings as SiteSettings
from socialsite.site_settings.models import SiteText as SiteText
from socialsite.site_settings.models import TextPreset as TextPreset
from socialsite.site_settings.models import WordRule as WordRule
from socialsite.streams.models import RETIRED_ITEMS as RETIRED_ITEMS
from socialsite.streams.models import RETIRED_JOBS as RETIRED_JOBS
from socialsite.streams.models import DeadLetter as DeadLetter
from socialsite.streams.models import Job as Job
from socialsite.streams.models import JobKind as JobKind
from socialsite.streams.models import Lease as Lease
from socialsite.streams.models import RecentChange as RecentChange
from socialsite.streams.models import SeenRecord as SeenRecord
from socialsite.table import Item, keys
from socialsite.table.models import DataState as DataState
from socialsite.table.models import RetiredKey as RetiredKey


class RateLimit(Item, discriminator="RateLimit"):
    """Counts how often something was done in one window of time. Expires with the window.

    If tries are slowed down, `until` is the second at which the next try is allowed.
    """

    hits = NumberAttribute()
    until = NumberAttribute(null=True)


class Role(Item, discriminator="Role"):
    """A set of permissions that the site created, beside the built-in roles (`accounts/permissions.py`)."""

    name = UnicodeAttribute()
    title = UnicodeAttribute()
    permissions = UnicodeSetAttribute()

    @classmethod
    def new(cls, *, name: str, title: str, permissions: set[str]) -> Self:
        return cls(*keys.role(name), name=name, title=title, permissions=permissions)


class Staff(Item, discriminator="Staff"):
    """Lists a person who has a role, so that finding staff does not need the whole table. Their info says which
    role. `languages` are those in which they read cases, none for all."""

    user_id = UnicodeAttribute()
    languages = UnicodeSetAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str) -> Self:
        return cls(*keys.staff_member(user_id), user_id=user_id)
