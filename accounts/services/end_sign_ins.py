"""Signing out: in this browser, in another, in all others, or everywhere because the credentials have changed."""

from collections.abc import Sequence
from dataclasses import replace

from accounts.models import Credentials, SignIn, UserSettings
from accounts.services.sign_in import WrongPassword
from accounts.signing_in.epochs import in_epoch
from accounts.viewer import Viewer
from socialsite.table import keys
from socialsite.table.actions import Change, Create, Delete, Erase, WriteAction
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import query
from socialsite.table.row import row
from socialsite.table.writing import transact, write_batch
from socialsite.web.observing.security_log import Event, note_event

MOST_AT_ONCE = 85  # sign-ins that the transaction deletes, of the 100 actions that it may have


@access_pattern
def sign_out(*, by: Viewer) -> None:
    """Ends this sign-in at once, whatever the cookie says. Safe to repeat. 2 write units."""
    try:
        transact(Delete(keys.sign_in(by.account_id, by.secret_hash)))
    except NotFound:
        return
    note_event(Event.SIGNED_OUT, account=by.account_id)


@access_pattern
def end_sign_in(*, by: Viewer, secret_hash: str) -> None:
    """Ends one of the person's own sign-ins, from that browser's next request on. Safe to repeat. 2 write units."""
    try:
        transact(Delete(keys.sign_in(by.user_id, secret_hash)))
    except NotFound:
        return
    note_event(Event.SIGN_INS_ENDED, account=by.user_id, count=1)


@access_pattern
def end_other_sign_ins(*, by: Viewer) -> int:
    """Ends every sign-in of the person except this one, and returns how many, as `end_sign_ins_with` does."""
    here = Change(SignIn, keys.sign_in(by.user_id, by.secret_hash), [])
    return end_sign_ins_with(unchanged(by.user_id), user_id=by.user_id, kept=here)


def unchanged(user_id: str) -> Change:
    """Returns a change of someone's Credentials that begins a new epoch, and nothing else."""
    return Change(Credentials, keys.credentials(user_id), [])


def end_sign_ins_with(
    credentials: Change,
    *,
    user_id: str,
    kept: Change | Create | None = None,
    epoch: int | None = None,
    and_also: Sequence[WriteAction] = (),
) -> int:
    """Makes this change of someone's Credentials, and ends all their sign-ins with it but for `kept`: a new one, or one
    that changes. `and_also` happens with it or not at all. Returns how many have ended. Raises `WrongPassword` if the
    account has left the `epoch`, if given.

    One consistent Query of the sign-ins, 1 read unit for each 10 or so. One TransactWriteItems: 4 write units for
    Credentials and UserSettings, 2 for each sign-in. From the 86th on they are deleted afterwards; the new epoch has
    ended them by then.
    """
    here = _key_of(kept)
    ended = [key for key in _sign_in_keys(user_id) if key != here]
    most = min(MOST_AT_ONCE, 96 - len(and_also))
    transact(
        replace(credentials, actions=[*credentials.actions, Credentials.epoch.add(1)]),
        Change(
            UserSettings,
            keys.user_settings(user_id),
            [UserSettings.epoch.add(1)],
            condition=None if epoch is None else in_epoch(UserSettings, epoch),
            otherwise=NotFound if epoch is None else WrongPassword,
        ),
        *_in_new_epoch(kept),
        *and_also,
        *map(Erase, ended[:most]),
    )
    write_batch(deletes=ended[most:])
    note_event(Event.SIGN_INS_ENDED, account=user_id, count=len(ended))
    return len(ended)


def _key_of(kept: Change | Create | None) -> keys.Key | None:
    if isinstance(kept, Create):
        return kept.item.key
    return kept.key if kept else None


def _in_new_epoch(kept: Change | Create | None) -> list[WriteAction]:
    if isinstance(kept, Change):
        return [replace(kept, actions=[*kept.actions, SignIn.epoch.add(1)])]
    return [kept] if kept else []


def _sign_in_keys(user_id: str) -> list[keys.Key]:
    return [
        keys.sign_in(user_id, row(SignIn, raw).secret_hash)
        for raw in query(keys.sign_ins(user_id), consistent=True)
    ]
