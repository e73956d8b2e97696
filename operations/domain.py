"""The site moves to another domain: what is bound to the old one, and who is told (`manage.py change_domain`)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from accounts.models import Credentials, SignIn, UserInfo
from accounts.notices import DOMAIN_CHANGES
from accounts.permissions import list_staff_ids
from feed.posts.models import Post
from notifications.models import PushSubscription
from socialsite.table import row, transact
from socialsite.table.reading import scan
from socialsite.telling import Cause, tell


@dataclass
class Bound:
    """Ids of people with passkeys, of those among them whose only second proof they are, and of those whom no letter
    reaches; and how many sign-ins, devices, and texts that name the domain there are."""

    with_passkeys: list[str] = field(default_factory=list)
    passkeys_only: list[str] = field(default_factory=list)
    unreachable: list[str] = field(default_factory=list)
    staff: list[str] = field(default_factory=list)
    sign_ins: int = 0
    devices: int = 0
    posts: int = 0
    bios: int = 0


def find_bound(domain: str) -> Bound:
    """Returns what is bound to the domain.

    A Scan of the whole table: 0.5 read units for each 4 KB. And who is staff: one Query.
    """
    found, staff = Bound(), list_staff_ids()
    named = re.compile(rf"(?<![\w.-]){re.escape(domain)}(?![\w-]|\.\w)", re.IGNORECASE)
    for raw in scan():
        kind = raw.get("type", {}).get("S")
        if kind == Credentials.__name__:
            _add(found, row(Credentials, raw), staff)
        elif kind == SignIn.__name__:
            found.sign_ins += 1
        elif kind == PushSubscription.__name__:
            found.devices += 1
        elif named.search(raw.get("content", {}).get("S", "")):
            found.posts += kind == Post.__name__
            found.bios += kind == UserInfo.__name__
    return found


def _add(found: Bound, own: Credentials, staff: set[str]) -> None:
    if not own.passkeys:
        return
    found.with_passkeys.append(own.user_id)
    if not own.totp:
        found.passkeys_only.append(own.user_id)
        if own.user_id in staff:
            found.staff.append(own.user_id)
    if not own.email:
        found.unreachable.append(own.user_id)


def tell_of_domain(user_ids: Sequence[str], *, old: str, new: str) -> int:
    """Plans a letter to each of these people with passkeys, before the site moves. The clock writes and sends it.
    Returns how many. Each time that it is called they are told again. 2 write units each."""
    facts = {"old": old, "new": new}
    for user_id in user_ids:
        transact(*tell(user_id, DOMAIN_CHANGES, Cause(facts=facts)).actions())
    return len(user_ids)
