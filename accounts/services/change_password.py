"""Changing a password, which signs every other browser out."""

import secrets
from dataclasses import replace

from accounts.mail.posting import post_mail
from accounts.models import Credentials
from accounts.services.end_sign_ins import end_sign_ins_with, unchanged
from accounts.services.prove_identity import get_own_credentials
from accounts.services.sign_in import new_sign_in, this_moment
from accounts.signing_in.hashers import hash_password
from accounts.signing_in.second_factor import SecondFactor
from accounts.viewer import BY_CODE, BY_PASSWORD, Viewer
from socialsite.table.actions import Create
from socialsite.table.meter import access_pattern
from socialsite.table.row import row
from socialsite.web.observing.security_log import Event, note_event


@access_pattern
def change_password(
    *, by: Viewer, password: str, new_password: str, browser: str, code: str = ""
) -> str:
    """Sets a new password and returns the secret of a new sign-in for this browser. All earlier sign-ins end, this one
    too. Raises `WrongPassword`, also if the password was changed meanwhile, and `WrongCode`.

    One consistent read of Credentials, 1 unit, and what `end_sign_ins_with` costs. The new sign-in counts as proved.
    """
    credentials = get_own_credentials(by=by, password=password)
    epoch = int(row(Credentials, credentials).epoch)
    factor = SecondFactor.from_raw(by.user_id, credentials)
    change = factor.use(code) if factor.is_on else unchanged(by.user_id)
    chosen = Credentials.password.set(hash_password(new_password))
    secret = secrets.token_urlsafe(32)
    here = new_sign_in(by.user_id, secret, browser=browser, epoch=epoch + 1)
    here.proved_at, here.proved_with = this_moment(), BY_CODE if factor.is_on else BY_PASSWORD
    end_sign_ins_with(
        replace(change, actions=[*change.actions, chosen]),
        user_id=by.user_id,
        kept=Create(here),
        epoch=epoch,
        and_also=[post_mail("password-changed", user_id=by.user_id)],
    )
    note_event(Event.PASSWORD_CHANGED, account=by.user_id)
    return secret
