"""Taking back a change of the email address, by the link that was sent to the address before.

A thief changes the address of an account first. So this works whatever else was changed since, ends all sign-ins, and
leaves nothing by which the thief could come back.
"""

from dataclasses import dataclass
from datetime import datetime

from accounts.encryption.emails import decrypt_email, email_hmacs
from accounts.mail.posting import post_mail
from accounts.models import Credentials, EmailClaim, Token, UserInfo
from accounts.services.addresses.claims import claim, list_claims
from accounts.services.addresses.domains import list_under_domain
from accounts.services.end_sign_ins import end_sign_ins_with
from accounts.services.passkeys.remove_since import remove_passkeys_since
from accounts.services.second_factor import ALL_OF_IT
from accounts.signing_in.hashers import unusable_password
from accounts.signing_in.second_factor import stamp_of_factor
from accounts.signing_in.tokens import LASTS, LinkGone, Purpose, read_token, use_token
from socialsite.table import ids, keys
from socialsite.table.actions import Change, Delete, WriteAction
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.web.observing.security_log import Event, note_event


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
    """

    def attempt() -> str:
        token = read_token(Purpose.UNDO, secret)
        user_id, former = token.user_id, _former(token)
        remove_passkeys_since(user_id=user_id, moment=_moment_of_change(token))
        credentials = get(Credentials, keys.credentials(user_id), consistent=True)
        changed = decrypt_email(credentials.email, user_id=user_id)
        if changed == former:  # by the same link, after it was read above
            raise Moved
        actions = [
            Credentials.email.set(token.former_email),
            Credentials.wished_email.remove(),
            Credentials.undo_until.remove(),
            Credentials.password.set(unusable_password()),
        ]
        if stamp_of_factor(credentials.totp, user_id=user_id) != (token.factor or ""):
            actions += ALL_OF_IT
        letter = post_mail(
            "reset-password", user_id="", email=" ".join(email_hmacs(former)), token=ids.new_id()
        )
        count = Credentials.passkeys
        unchanged = Credentials.email == credentials.email
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
                letter,
            ],
        )
        return user_id

    note_event(Event.EMAIL_CHANGE_UNDONE, account=write_as_read(attempt))


def _former(token: Token) -> str:
    return decrypt_email(token.former_email, user_id=token.user_id)


def _moment_of_change(token: Token) -> datetime:
    assert token.ttl is not None
    return (token.ttl - LASTS[Purpose.UNDO]).replace(microsecond=0)


def _freed(address: str, user_id: str) -> list[WriteAction]:
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
