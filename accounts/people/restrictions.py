"""What moderators can restrict for a time: writing messages, being suggested, speaking, and being on the site at all.

`UserInfo` holds the moment at which each ends, and every read compares it. So a restriction acts at the next request,
and ends on time without anyone doing anything.
"""

from enum import StrEnum

from django.utils.translation import gettext
from pynamodb.expressions.condition import Condition

from accounts.models import UserInfo
from socialsite.clock import utc_now_iso
from socialsite.table import Check, NotFound, RawItem, TableError, keys, row

FOR_EVER = "9999-12-31T00:00:00+00:00"


class Restriction(StrEnum):
    NO_MESSAGES = "no_messages"  # may read private messages, but not write any
    LIMITED = "limited"  # not in public timelines, search and suggestions
    FROZEN = "frozen"  # may sign in and read, but not post, like or follow
    SUSPENDED = "suspended"  # nobody else can see them


UNTIL = {
    Restriction.NO_MESSAGES: UserInfo.no_messages_until,
    Restriction.LIMITED: UserInfo.limited_until,
    Restriction.FROZEN: UserInfo.frozen_until,
    Restriction.SUSPENDED: UserInfo.suspended_until,
}


class Frozen(TableError):
    """The account can read, but not post, like or follow for now. `told` says why, and until when."""

    status, template = 403, "frozen.html"

    def __init__(self, told: str = "") -> None:
        super().__init__(told)
        self.told = told


class Unconfirmed(TableError):
    """This site asks for a confirmed email address before people post, like or follow."""

    status, template = 403, "unconfirmed.html"

    def __init__(self) -> None:
        super().__init__("no confirmed address")
        self.told = gettext("Confirm your email address first. The link is in your inbox.")


class Suspended(NotFound):
    """The person is suspended, so nobody else can see them."""

    status, template = 410, "410.html"


def may_be_offered(raw: RawItem) -> bool:
    """Whether the person of a raw `UserInfo` may be shown to people who do not look for them."""
    info = row(UserInfo, raw)
    hiding = (info.limited_until, info.suspended_until)
    hidden = info.waiting or info.paused or info.closing
    return not (hidden or any(map(is_restricted, hiding)))


def is_restricted(until: str) -> bool:
    """Whether a restriction that stands in a `UserInfo` holds at this moment."""
    return bool(end_of(until))


def end_of(until: str) -> str:
    """The moment until which a restriction that stands in a `UserInfo` holds, empty if it does not."""
    return until if until and until > utc_now_iso() else ""


def is_there() -> Condition:
    """Whether others can see the person of a raw `UserInfo`: not deleted, suspended, waiting for approval, paused or
    closing."""
    now = utc_now_iso()
    ended = UserInfo.suspended_until.does_not_exist() | (UserInfo.suspended_until <= now)
    is_open = UserInfo.waiting.does_not_exist() & UserInfo.paused.does_not_exist()
    return UserInfo.pk.exists() & is_open & UserInfo.closing.does_not_exist() & ended


def must_be_there(user_id: str) -> Check:
    """Returns the condition that others can see the person, for a transaction. It raises `NotFound` if they cannot."""
    return Check(keys.user_info(user_id), condition=is_there())
