"""Confirming an email address, by the link that was sent to it. The first one, or another one instead."""

from dataclasses import dataclass
from datetime import datetime

from pynamodb.expressions.condition import Condition

from accounts.encryption.emails import decrypt_email, email_hmacs
from accounts.mail.posting import post_mail
from accounts.models import Credentials, EmailClaim, Token, UserInfo, UserSettings
from accounts.services.addresses.claims import claim, list_claims
from accounts.services.addresses.domains import list_under_domain
from accounts.services.addresses.own_address import readable
from accounts.signing_in.second_factor import stamp_of_factor
from accounts.signing_in.tokens import LASTS, LinkGone, Purpose, new_token, read_token, use_token
from socialsite.clock import utc_now
from socialsite.table import ids, keys
from socialsite.table.actions import Change, Create, WriteAction
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import AlreadyExists, NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.table.writing import transact
from socialsite.web.observing.security_log import Event, note_event


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
    two letters: 8 write units more, and 2 for each key of the settings if the domain is another.
    """

    def attempt() -> tuple[str, bool]:
        token = read_token(Purpose.CONFIRM, secret)
        credentials, wished = _read_wish(token)
        user_id, former = token.user_id, readable(credentials.email, token.user_id)
        actions = [
            Credentials.email.set(credentials.wished_email),
            Credentials.wished_email.remove(),
        ]
        followed: list[WriteAction] = []
        if credentials.email:
            until = utc_now() + LASTS[Purpose.UNDO]
            actions.append(Credentials.undo_until.set(until.isoformat()))
            followed = _keep_old_address(credentials, until)
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

    user_id, is_change = write_as_read(attempt)
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


def _keep_old_address(credentials: Credentials, until: datetime) -> list[WriteAction]:
    """Returns the actions that keep the claim of the address before, and tell both mailboxes."""
    user_id, token_id = credentials.user_id, ids.new_id()
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
        post_mail("email-changed", user_id=user_id, token=token_id),
        post_mail("email-is-new", user_id=user_id),
    ]
