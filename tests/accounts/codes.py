"""Second factors as tests use them: an app that knows the secret, and half a minute that passes at once."""

import time
from dataclasses import dataclass, replace
from datetime import timedelta

import pyotp
from django.test import Client

from accounts.credentials.second_factor import decrypt_secret, encrypt_new_secret, get_second_factor
from accounts.middleware import SESSION_SECRET
from accounts.models import Credentials, SignIn
from accounts.people.viewer import BY_CODE, Viewer
from accounts.security.writes import turn_on_second_factor
from accounts.sessions import hash_secret, sign_out
from accounts.sign_in.writes import sign_in, sign_in_with_code
from socialsite.clock import utc_now
from socialsite.table import change, get, key_of, keys, query
from tests.conftest import PASSWORD, epoch_of
from tests.web.html import Html


@dataclass
class App:
    """Someone's authenticator app, and the paper with their recovery codes."""

    viewer: Viewer
    secret: str
    recovery: list[str]

    def code(self) -> str:
        """A code that was not used yet, as if the step of the last one were over."""
        never = [Credentials.totp_step.set(0)]
        change(Credentials, keys.credentials(self.viewer.user_id), never)
        return self.same_code()

    def same_code(self) -> str:
        return pyotp.TOTP(self.secret).now()

    def sign_in(self, code: str) -> str:
        """The secret of a sign-in with this code, after the right password."""
        user_id, epoch = self.viewer.user_id, epoch_of(self.viewer)
        return sign_in_with_code(user_id=user_id, code=code, browser="tests", epoch=epoch)

    def wrong_code(self) -> str:
        """Six digits that are no code of these minutes."""
        totp, now = pyotp.TOTP(self.secret), time.time()
        near = {totp.at(now, counter_offset=steps) for steps in range(-4, 5)}
        return next(code for n in range(10) if (code := f"{n:06}") not in near)


def with_second_factor(viewer: Viewer) -> App:
    """Turns it on for someone, in a browser that is gone afterwards."""
    browser = sign_in(user_id=viewer.user_id, browser="tests", epoch=epoch_of(viewer))
    by = replace(viewer, secret_hash=hash_secret(browser))
    encrypted = encrypt_new_secret(user_id=viewer.user_id)
    secret = decrypt_secret(encrypted, user_id=viewer.user_id)
    codes = turn_on_second_factor(by=by, encrypted=encrypted, code=pyotp.TOTP(secret).now())
    sign_out(by=by)
    return App(viewer, secret, codes)


def replaced(browser: Client, app: App) -> App:
    """Moves to another phone on the pages; returns its app."""
    page = "/settings/security/replace"
    assert browser.post(page, {"password": PASSWORD, "code": app.code()}).status_code == 302
    secret = Html(browser.get(f"{page}/set-up")).one("code", class_="secret").text.replace(" ", "")
    shown = browser.post(f"{page}/set-up", {"code": pyotp.TOTP(secret).now()})
    codes = [code.text for code in Html(shown).all("code") if "-" in code.text]
    return App(app.viewer, secret, codes)


def in_browser(viewer: Viewer, browser: Client) -> Viewer:
    """The viewer as the browser's requests have them."""
    return replace(viewer, secret_hash=hash_secret(browser.session[SESSION_SECRET]))


def proved_long_ago(viewer: Viewer, *, minutes: int = 31) -> None:
    """Each browser of the person gave a code when it signed in, so many minutes ago."""
    moment = (utc_now() - timedelta(minutes=minutes)).isoformat()
    for raw in list(query(keys.sign_ins(viewer.user_id), consistent=True)):
        actions = [SignIn.proved_at.set(moment), SignIn.proved_with.set(BY_CODE)]
        change(SignIn, key_of(raw), actions)


def credentials(viewer: Viewer) -> Credentials:
    return get(Credentials, keys.credentials(viewer.user_id), consistent=True)


def is_on(viewer: Viewer) -> bool:
    return get_second_factor(viewer.user_id, consistent=True).is_on


def enter_password(account: str = "alice", **extra) -> Client:
    """A browser in which the password was right, and nothing else."""
    browser = Client()
    browser.post("/login", {"account": account, "password": PASSWORD} | extra)
    return browser
