"""A new password for people who forgot theirs, by a link that is sent to their confirmed email address."""

from dataclasses import dataclass, replace

from accounts.encryption.emails import email_hmacs
from accounts.mail.posting import post_mail
from accounts.models import Credentials, Token, UserInfo
from accounts.services.end_sign_ins import end_sign_ins_with, unchanged
from accounts.services.sign_in import WrongPassword
from accounts.signing_in.hashers import hash_password
from accounts.signing_in.second_factor import SecondFactor
from accounts.signing_in.tokens import LinkGone, Purpose, read_token, use_token
from socialsite.table import ids, keys
from socialsite.table.errors import TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row
from socialsite.table.writing import transact
from socialsite.web.bounds.limits import Limit, hit
from socialsite.web.observing.security_log import Event, note_event

ONE_A_MINUTE = Limit(
    "reset-minute", 1, 60
)  # for one address, so that a form sent twice is one letter


@dataclass(frozen=True, slots=True)
class Reset:
    """What a link may do: set a new password for this account, with a code if `has_factor`."""

    user_id: str
    handle: str
    has_factor: bool


class _AskedAlready(TableError):
    """A letter to this address was asked for within this minute."""


@access_pattern
def ask_for_reset(*, email: str) -> None:
    """Posts a letter with a link to whoever has confirmed this address. Nobody learns whether anyone has: the same is
    written for every address, and the account is looked up when the letter is sent.

    One TransactWriteItems of a counter and the letter, 4 write units. A second letter within a minute is left out.
    """
    hmacs = email_hmacs(email)
    letter = post_mail("reset-password", user_id="", email=" ".join(hmacs), token=ids.new_id())
    try:
        transact(letter, hit(ONE_A_MINUTE, hmacs[0], otherwise=_AskedAlready))
    except _AskedAlready:
        return
    note_event(Event.RESET_ASKED)


@access_pattern
def get_reset(secret: str) -> Reset:
    """Returns what a link may do. Raises `LinkGone`.

    GetItem of the token and BatchGetItem of UserInfo and Credentials, consistent: 3 read units.
    """
    token, info, credentials = _read(secret)
    factor = SecondFactor.from_raw(token.user_id, credentials)
    return Reset(token.user_id, row(UserInfo, info).handle, factor.is_on)


@access_pattern
def reset_password(*, secret: str, new_password: str, code: str = "") -> None:
    """Sets a new password and uses the link up. All sign-ins of the account end. Raises `LinkGone`, and `WrongCode` if
    the account has two-step verification, which a reset never skips.

    Reads as `get_reset` does, 3 units, and costs what `end_sign_ins_with` does, and 4 write units for the token and the
    letter that tells of it.
    """
    token, _, credentials = _read(secret)
    user_id = token.user_id
    factor = SecondFactor.from_raw(user_id, credentials)
    change = factor.use(code) if factor.is_on else unchanged(user_id)
    chosen = Credentials.password.set(hash_password(new_password))
    try:
        end_sign_ins_with(
            replace(change, actions=[*change.actions, chosen]),
            user_id=user_id,
            epoch=int(token.epoch or 0),
            and_also=[use_token(token), post_mail("password-changed", user_id=user_id)],
        )
    except WrongPassword as error:  # it was changed in another way meanwhile
        raise LinkGone("of an earlier epoch") from error
    note_event(Event.PASSWORD_RESET, account=user_id)


def _read(secret: str) -> tuple[Token, RawItem, RawItem]:
    """Returns the token, and its account's raw UserInfo and Credentials."""
    token = read_token(Purpose.RESET, secret)
    info_key, credentials_key = keys.user_info(token.user_id), keys.credentials(token.user_id)
    found = fetch([info_key, credentials_key], consistent=True)
    if info_key not in found or credentials_key not in found:
        raise LinkGone("the account is gone")
    if row(Credentials, found[credentials_key]).epoch != int(token.epoch or 0):
        raise LinkGone("of an earlier epoch")
    return token, found[info_key], found[credentials_key]
