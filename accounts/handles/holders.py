"""Whose a handle is: of the person who has it, or who had it until lately.

A handle that was given up stays with its person for 90 days, as a *former* one. Its claim then expires, and counts as
missing. A claim of an erased person is former too, and leads to nobody.
"""

from contextlib import suppress
from typing import NamedTuple

from accounts.models import HandleClaim, UserInfo
from socialsite.table import keys, reading
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem
from socialsite.table.row import row


class Holder(NamedTuple):
    """The person whom a handle leads to. `user_id` is empty if it leads to nobody."""

    user_id: str = ""
    is_former: bool = False


NOBODY = Holder()


def holder_of(claim: RawItem | None) -> Holder:
    """Reads a raw `HandleClaim`. An expired one is missing: `fetch` leaves it out."""
    if claim is None:
        return NOBODY
    found = row(HandleClaim, claim)
    return Holder(found.user_id, is_former=bool(found.former))


@access_pattern
def is_handle_free(handle: str, *, to: str = "") -> bool:
    """Whether a new person can have the handle, or the person `to`, who can also take their own former one back.
    GetItem `handle#<handle>`, 0.5 read units."""
    with suppress(NotFound):
        claimed_by = reading.get(HandleClaim, keys.handle_claim(handle)).user_id
        return bool(to) and claimed_by == to
    return True


@access_pattern
def get_handle(user_id: str) -> str:
    """Returns the present handle of a person. GetItem `u#<id>` `info`, 0.5 read units. Raises `NotFound`."""
    return reading.get(UserInfo, keys.user_info(user_id)).handle
