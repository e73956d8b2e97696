"""A person's own email address, asking for another one, confirming it, and taking the change back.

Nothing changes until an address is confirmed, by the link that was sent to it. A thief changes the address of an
account first. So taking that back works whatever else was changed since, ends all sign-ins, and leaves nothing by
which the thief could come back.
"""

from dataclasses import dataclass
from datetime import datetime

from pynamodb.expressions.condition import Condition

from accounts.credentials.passwords import unusable_password
from accounts.credentials.reencrypt import key_to_seal, reencrypt
from accounts.credentials.second_factor import stamp_of_factor
from accounts.encryption.emails import (
    claim,
    decrypt_email,
    email_hmacs,
    encrypt_email,
    list_claims,
    list_under_domain,
    normalize_email,
)
from accounts.mail.tokens import LASTS, LinkGone, Purpose, new_token, read_token, use_token
from accounts.models import Credentials, EmailClaim, Sealed, Token, UserInfo, UserSettings
from accounts.notices import CONFIRM_EMAIL, EMAIL_CHANGED, EMAIL_IS_NEW, RESET_PASSWORD
from accounts.people.viewer import Viewer
from accounts.security.writes import ALL_OF_IT, remove_passkeys_since
from accounts.sessions import end_sign_ins_with
from socialsite.clock import utc_now
from socialsite.observing.logs import Event, note_event
from socialsite.table import (
    AlreadyExists,
    Change,
    Create,
    Delete,
    Moved,
    NotFound,
    TableError,
    WriteAction,
    access_pattern,
    fetch,
    get,
    ids,
    keys,
    row,
    transact,
    write_optimistically,
)
from socialsite.telling import Cause, tell


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """`confirmed` is the address, empty if they confirmed none yet. `wished` waits for its link to be opened.

    `fixed_until` is the moment until which the last change can be undone, and before which no other begins."""

    confirmed: str
    wished: str
    fixed_until: datetime | None


@access_pattern
def get_own_address(viewer: Viewer) -> OwnAddress:
    """Returns a person's own address, and the one that they wish for instead. GetItem of Credentials, consistent: 1
    read unit, and 0.5 for the person's key."""
    credentials = get(Credentials, keys.credentials(viewer.user_id), consistent=True)
    return OwnAddress(
        confirmed=readable(credentials.email, viewer.user_id),
        wished=readable(credentials.wished_email, viewer.user_id),
        fixed_until=fixed_until(credentials),
    )


@access_pattern
def find_wished_address(user_id: str) -> str:
    """Returns the address that someone has still to confirm, for the letter to it; empty if there is none. One
    consistent BatchGetItem, 1 read unit, and 0.5 for the person's key."""
    key = keys.credentials(user_id)
    raw = fetch([key], consistent=True).get(key, {})
    return readable(row(Credentials, raw).wished_email, user_id)


def readable(encrypted: Sealed | None, user_id: str) -> str:
    return decrypt_email(encrypted, user_id=user_id) if encrypted else ""


def fixed_until(credentials: Credentials) -> datetime | None:
    """Returns the moment until which the last change can be undone, None if that has passed."""
    if not credentials.undo_until:
        return None
    moment = datetime.fromisoformat(credentials.undo_until)
    return moment if moment > utc_now() else None


class SameAddress(TableError):
    """It is their address already."""


class ChangedLately(TableError):
    """The last change can still be undone, so no other begins."""


@access_pattern
def change_email(*, by: Viewer, email: str) -> None:
    """Notes the address that someone wants, and posts the link to it. Raises `SameAddress`, `ChangedLately`.

    The same is written whether or not another account has the address: the clock looks when it sends the letter. As
    `key_to_seal`, and one GetItem consistent, 1.5 read units; one TransactWriteItems of Credentials and the letter, and
    a check of the key: 6 write units.
    """
    key = key_to_seal(by.user_id)

    def attempt() -> None:
        credentials = get(Credentials, keys.credentials(by.user_id), consistent=True)
        if fixed_until(credentials):
            raise ChangedLately
        own = readable(credentials.email, by.user_id)
        if normalize_email(own) == normalize_email(email):
            raise SameAddress
        undo_until = Credentials.undo_until
        unchanged = (
            undo_until == credentials.undo_until
            if credentials.undo_until
            else undo_until.does_not_exist()
        )
        wished = Credentials.wished_email.set(encrypt_email(email, key=key))
        changed = Change(Credentials, credentials.key, [wished], unchanged, Moved)
        transact(changed, key.check(), *_letter(by))

    write_optimistically(attempt)
    note_event(Event.EMAIL_WISHED, account=by.user_id)


@access_pattern
def send_link_again(*, by: Viewer) -> bool:
    """Posts the link to the wished address once more. Returns whether there is one.

    One GetItem consistent, 1 unit; one TransactWriteItems of the letter, 2 write units.
    """
    if not get(Credentials, keys.credentials(by.user_id), consistent=True).wished_email:
        return False
    transact(*_letter(by))
    return True


def _letter(by: Viewer) -> list[WriteAction]:
    return tell(by.user_id, CONFIRM_EMAIL, Cause(facts={"token": ids.new_id()})).actions()


class AddressTaken(AlreadyExists):
    """Another account has confirmed the address meanwhile."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What a link confirms: that `address` belongs to the account, instead of another one if `is_change`."""

    handle: str
    address: str
    is_change: bool


@access_pattern
def get_confirmation(secret: str) -> Confirmation:
    """Returns what a link confirms. Raises `LinkGone`. Three GetItem, consistent: 3 read units."""
    token = read_token(Purpose.CONFIRM, secret)
    credentials, wished = _read_wish(token)
    handle = get(UserInfo, keys.user_info(token.user_id), consistent=True).handle
    return Confirmation(handle, wished, is_change=bool(credentials.email))


@access_pattern
def confirm_email(*, secret: str) -> bool:
    """Makes the wished address the account's own, and uses the link up. Returns whether it takes the place of another
    one. That one then stays kept for a week, and a letter to it says how to undo the change. Raises `LinkGone`,
    `AddressTaken`.

    Two GetItem consistent, 2 units; one TransactWriteItems of the token, EmailClaim, DomainEntry, Credentials and
    UserSettings, 10 write units. A change reads the old claim too, 1 unit, and writes it, the token of the undo, and
    two letters: 8 write units more, and 2 for each key of the settings if the domain is another. In all 10 write and 2
    read units; 18 or 20 and 3 for a change.
    """

    def attempt() -> tuple[str, bool]:
        token = read_token(Purpose.CONFIRM, secret)
        credentials, wished = _read_wish(token)
        if isinstance(credentials.wished_email, str):  # from before people had keys
            reencrypt(token.user_id, with_claim=False)
            raise Moved
        user_id, former = token.user_id, readable(credentials.email, token.user_id)
        actions = [
            Credentials.email.set(credentials.wished_email),
            Credentials.wished_email.remove(),
            Credentials.bounced.remove(),
        ]
        followed: list[WriteAction] = []
        if credentials.email:
            until, token_id = utc_now() + LASTS[Purpose.UNDO], ids.new_id()
            actions.append(Credentials.undo_until.set(until.isoformat()))
            actions.append(Credentials.undo_token.set(token_id))
            followed = _keep_old_address(credentials, until, token_id)
        transact(
            use_token(token),
            *claim(wished, user_id=user_id, otherwise=AddressTaken),
            *list_under_domain(wished, user_id=user_id, instead_of=former),
            Change(Credentials, credentials.key, actions, _unchanged(credentials), Moved),
            Change(UserSettings, keys.user_settings(user_id), [UserSettings.unconfirmed.remove()]),
            *followed,
            may_be_own=False,  # a link pressed twice writes the same claim twice
        )
        return user_id, bool(followed)

    user_id, is_change = write_optimistically(attempt)
    event = Event.EMAIL_CHANGED if is_change else Event.EMAIL_CONFIRMED
    note_event(event, account=user_id)
    return is_change


def _read_wish(token: Token) -> tuple[Credentials, str]:
    """Returns the account's Credentials and its wished address, which is the one that the link was sent to."""
    try:
        credentials = get(Credentials, keys.credentials(token.user_id), consistent=True)
    except NotFound as error:
        raise LinkGone("the account is gone") from error
    wished = readable(credentials.wished_email, token.user_id)
    if not wished or token.email_hmac not in email_hmacs(wished):
        raise LinkGone("another address is wished for")
    return credentials, wished


def _unchanged(credentials: Credentials) -> Condition:
    email = Credentials.email
    same = email == credentials.email if credentials.email else email.does_not_exist()
    return same & (Credentials.wished_email == credentials.wished_email)


def _keep_old_address(
    credentials: Credentials, until: datetime, token_id: str
) -> list[WriteAction]:
    """Returns the actions that keep the claim of the address before, and tell both mailboxes."""
    user_id = credentials.user_id
    undo = new_token(Purpose.UNDO, token_id, user_id=user_id, until=until)
    undo.former_email = credentials.email
    undo.factor = stamp_of_factor(credentials.totp, user_id=user_id)
    kept: list[WriteAction] = [
        Change(EmailClaim, key, [EmailClaim.ttl.set(until)], EmailClaim.user_id == user_id, Moved)
        for key, owner in list_claims(decrypt_email(credentials.email, user_id=user_id)).items()
        if owner == user_id
    ]
    return [
        *kept,
        Create(undo),
        *tell(user_id, EMAIL_CHANGED, Cause(facts={"token": token_id})).actions(),
        *tell(user_id, EMAIL_IS_NEW).actions(),
    ]


@dataclass(frozen=True, slots=True)
class Undo:
    """What a link brings back: `address`, as that of the account."""

    handle: str
    address: str


@access_pattern
def get_undo(secret: str) -> Undo:
    """Returns what a link brings back. Raises `LinkGone`. Two GetItem, consistent: 2 read units."""
    token = read_token(Purpose.UNDO, secret)
    try:
        handle = get(UserInfo, keys.user_info(token.user_id), consistent=True).handle
    except NotFound as error:
        raise LinkGone("the account is gone") from error
    return Undo(handle, _former(token))


@access_pattern
def undo_change(*, secret: str) -> None:
    """Brings the address before back, and frees the new one. All sign-ins end, the password stops working, and a letter
    to the address brings the link to set another one. Passkeys and two-step verification that came since the change go.
    Raises `LinkGone`.

    Two GetItem and two BatchGetItem, consistent, 4 units; what `remove_passkeys_since` and `end_sign_ins_with` cost,
    and 10 write units for the token, both claims, the entry of the domain and the letter; 12 if the domain was another.
    In all 14 or 16 write units, 2 for each sign-in, and 6 read units.
    """

    def attempt() -> str:
        token = read_token(Purpose.UNDO, secret)
        user_id, former = token.user_id, _former(token)
        remove_passkeys_since(user_id=user_id, moment=_moment_of_change(token))
        credentials = get(Credentials, keys.credentials(user_id), consistent=True)
        changed = readable(credentials.email, user_id)  # none if letters to it came back
        if changed == former:  # by the same link, after it was read above
            raise Moved
        actions = [
            Credentials.email.set(token.former_email),
            Credentials.wished_email.remove(),
            Credentials.undo_until.remove(),
            Credentials.undo_token.remove(),
            Credentials.bounced.remove(),
            Credentials.password.set(unusable_password()),
            Credentials.set_aside.remove(),
        ]
        if stamp_of_factor(credentials.totp, user_id=user_id) != (token.factor or ""):
            actions += ALL_OF_IT
        facts = {"email": " ".join(email_hmacs(former)), "token": ids.new_id()}
        count = Credentials.passkeys
        email = Credentials.email
        unchanged = email == credentials.email if credentials.email else email.does_not_exist()
        # None was added after those of a thief were removed.
        unchanged &= (
            count.does_not_exist()
            if credentials.passkeys is None
            else count == credentials.passkeys
        )
        end_sign_ins_with(
            Change(Credentials, credentials.key, actions, unchanged, Moved),
            user_id=user_id,
            and_also=[
                use_token(token),
                *_freed(changed, user_id),
                *_brought_back(former, user_id),
                *list_under_domain(former, user_id=user_id, instead_of=changed),
                *tell("", RESET_PASSWORD, Cause(facts=facts)).actions(),
            ],
        )
        return user_id

    note_event(Event.EMAIL_CHANGE_UNDONE, account=write_optimistically(attempt))


def _former(token: Token) -> str:
    return decrypt_email(token.former_email, user_id=token.user_id)


def _moment_of_change(token: Token) -> datetime:
    assert token.ttl is not None
    return (token.ttl - LASTS[Purpose.UNDO]).replace(microsecond=0)


def _freed(address: str, user_id: str) -> list[WriteAction]:
    if not address:
        return []
    is_own = EmailClaim.user_id == user_id
    held = list_claims(address).items()
    return [Delete(key, is_own, Moved) for key, owner in held if owner == user_id]


def _brought_back(address: str, user_id: str) -> list[WriteAction]:
    """Returns the actions that make the kept claim an ordinary one again, or claim the address anew."""
    is_own = EmailClaim.user_id == user_id
    held = list_claims(address).items()
    kept = [key for key, owner in held if owner == user_id]
    if not kept:
        return claim(address, user_id=user_id, otherwise=LinkGone)
    return [Change(EmailClaim, key, [EmailClaim.ttl.remove()], is_own, Moved) for key in kept]
