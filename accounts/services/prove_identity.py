"""Proving your identity again, before anything that others must not do in a browser left open."""

from accounts.models import Credentials, SignIn
from accounts.services.sign_in import WrongPassword, this_moment
from accounts.signing_in.hashers import password_matches
from accounts.signing_in.second_factor import SecondFactor
from accounts.viewer import BY_CODE, BY_PASSWORD, Viewer
from socialsite.table import keys
from socialsite.table.actions import Change
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row
from socialsite.table.writing import transact
from socialsite.web.observing.security_log import Event, note_event


@access_pattern
def prove_identity(*, by: Viewer, password: str, code: str = "") -> None:
    """Checks the password, and the code if two-step verification is on, and notes the proof in the sign-in. Raises
    `WrongPassword`, `WrongCode`.

    One consistent read of Credentials, 1 unit; one TransactWriteItems of SignIn and, with a code, Credentials: 2 or 4
    write units.
    """
    factor = check_own_password(by=by, password=password)
    if factor.is_on:
        transact(factor.use(code), note_proof(by, BY_CODE))
    else:
        transact(note_proof(by, BY_PASSWORD))
    note_event(Event.IDENTITY_PROVED, account=by.account_id)


@access_pattern
def check_own_password(*, by: Viewer, password: str) -> SecondFactor:
    """Checks the password and returns the person's two-step verification, on or off. Raises `WrongPassword`.

    Costs what `get_own_credentials` does.
    """
    return SecondFactor.from_raw(by.account_id, get_own_credentials(by=by, password=password))


@access_pattern
def get_own_credentials(*, by: Viewer, password: str) -> RawItem:
    """Returns the person's Credentials if this is their password, else raises `WrongPassword`.

    One consistent read, 1 unit, and a password hash.
    """
    key = keys.credentials(by.account_id)
    credentials = fetch([key], consistent=True).get(key, {})
    if not password_matches(password, row(Credentials, credentials).password or None):
        note_event(Event.WRONG_PASSWORD, account=by.account_id)
        raise WrongPassword
    return credentials


def note_proof(by: Viewer, proved_with: str) -> Change:
    """Returns the action that notes a proof of identity in this sign-in."""
    actions = [SignIn.proved_at.set(this_moment()), SignIn.proved_with.set(proved_with)]
    return Change(SignIn, keys.sign_in(by.account_id, by.secret_hash), actions)
