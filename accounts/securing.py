"""Taking an account out of the hands of someone who may have broken into it, for staff: its ways in as they are now,
ending them, and giving the password back where nobody had broken in.

What is decided, about whom, and what is hidden stand in `moderation/securing/`.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from pynamodb.expressions.condition import Condition

from accounts.addresses.writes import fixed_until, undo_change
from accounts.credentials.passwords import unusable_password
from accounts.mail.tokens import LASTS, LinkGone, Purpose, secret_of
from accounts.models import Credentials, Passkey, UserInfo
from accounts.notices import ACCOUNT_SECURED
from accounts.people.viewer import Viewer
from accounts.security.writes import ALL_OF_IT, remove_passkey
from accounts.sessions import end_sign_ins_with
from socialsite.clock import utc_now, utc_now_iso
from socialsite.observing.logs import Event, note_event
from socialsite.table import (
    Change,
    Moved,
    NotFound,
    WriteAction,
    access_pattern,
    get,
    ids,
    keys,
    query,
    row,
)
from socialsite.telling import Cause, tell

LATELY = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class NewPasskey:
    """A passkey that was added lately."""

    credential_hash: str
    name: str
    created: datetime


@dataclass(frozen=True, slots=True)
class WaysIn:
    """The ways into an account, without any secret. `address_until` is the moment until which the last change of its
    address can be undone, and `undo_token` the id of the letter that can; `factor_since` is when two-step verification
    was set up, if that was lately. `passkeys` are those of the last days."""

    has_address: bool
    address_until: datetime | None = None
    undo_token: str = ""
    factor_since: datetime | None = None
    passkeys: tuple[NewPasskey, ...] = ()

    @property
    def can_undo_address(self) -> bool:
        return self.address_until is not None and bool(self.undo_token)

    @property
    def address_since(self) -> datetime | None:
        return self.address_until - LASTS[Purpose.UNDO] if self.address_until else None


@access_pattern
def get_ways_in(user_id: str) -> WaysIn:
    """Returns the ways into an account that changed in the last 7 days. One consistent Query of Credentials and
    passkeys, 1 read unit for each 8 passkeys or so. Raises `NotFound`."""
    place, since = keys.credentials(user_id).sk, utc_now() - LATELY
    own: Credentials | None = None
    passkeys = []
    for raw in query(keys.ways_in(user_id), consistent=True):
        if raw["SK"]["S"] == place:
            own = row(Credentials, raw)
            continue
        one = row(Passkey, raw)
        created = datetime.fromisoformat(one.created)
        if created >= since:
            passkeys.append(NewPasskey(one.credential_hash, one.name, created))
    if own is None:
        raise NotFound("nobody")
    factor = datetime.fromisoformat(own.totp_since) if own.totp and own.totp_since else None
    return WaysIn(
        has_address=bool(own.email),
        address_until=fixed_until(own),
        undo_token=own.undo_token or "",
        factor_since=factor if factor and factor >= since else None,
        passkeys=tuple(passkeys),
    )


def bring_address_back(ways: WaysIn) -> None:
    """Undoes the last change of address, as the link in the letter to the former one does. Safe to repeat. Costs what
    `undo_change` does."""
    with suppress(LinkGone):  # its owner undid it a moment ago
        undo_change(secret=secret_of(Purpose.UNDO, ways.undo_token))


def end_passkeys(user_id: str, hashes: Collection[str]) -> None:
    """Deletes these passkeys of an account. Safe to repeat. Costs what `remove_passkey` does for each."""
    for one in hashes:
        remove_passkey(by=Viewer(user_id), credential_hash=one)


def lock_out(
    user_id: str, *, ends_factor: bool, is_new: Condition, and_also: Sequence[WriteAction]
) -> None:
    """Ends every sign-in, sets the password aside, forgets a wished address, and posts a letter with a way back to the
    confirmed one. `and_also` happens with it or not at all; `is_new` is a condition on the account's UserInfo.

    One consistent GetItem, 1 read unit, and what `end_sign_ins_with` costs; 4 write units more for UserInfo and the
    letter. Raises `NotFound`, and `Moved` if the password was changed meanwhile, or
    `is_new` does not hold any more.
    """
    own = get(Credentials, keys.credentials(user_id), consistent=True)
    password = Credentials.password
    actions = [password.set(unusable_password())]
    if not own.set_aside:
        actions.append(Credentials.set_aside.set(own.password))
    if own.email:
        actions.append(Credentials.wished_email.remove())
    if ends_factor:
        actions += ALL_OF_IT
    letter = tell(user_id, ACCOUNT_SECURED, Cause(facts={"token": ids.new_id()})).actions()
    secured = [UserInfo.secured.set(utc_now_iso())]
    end_sign_ins_with(
        Change(Credentials, own.key, actions, password == own.password, Moved),
        user_id=user_id,
        and_also=[
            *and_also,
            Change(UserInfo, keys.user_info(user_id), secured, is_new, Moved),
            *(letter if own.email else []),
        ],
    )
    note_event(Event.ACCOUNT_SECURED, account=user_id)


def let_back_in(user_id: str) -> list[WriteAction]:
    """Returns the writes that give an account its password back, if its owner has chosen no other meanwhile. One
    consistent GetItem, 1 read unit."""
    own = get(Credentials, keys.credentials(user_id), consistent=True)
    free = Change(UserInfo, keys.user_info(user_id), [UserInfo.secured.remove()])
    if not own.set_aside:
        return [free]
    back = [Credentials.password.set(own.set_aside), Credentials.set_aside.remove()]
    as_read = Credentials.set_aside == own.set_aside
    return [Change(Credentials, own.key, back, as_read, Moved), free]
