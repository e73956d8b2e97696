"""What tests of accounts arrange: codes, letters, newcomers, origins, former accounts, and a clock."""

import base64
import os
import re
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pyotp
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.test import Client

from accounts.credentials import second_factor
from accounts.credentials.second_factor import decrypt_secret, encrypt_new_secret, get_second_factor
from accounts.encryption.emails import PURPOSE, decrypt_email
from accounts.encryption.person_keys import erasing_person_key
from accounts.encryption.site_keys import encrypt
from accounts.middleware import SESSION_SECRET
from accounts.models import Credentials, HandleClaim, OriginTrace, SignIn
from accounts.people.reads import find_user_by_handle, get_user_info
from accounts.people.viewer import BY_CODE, Viewer
from accounts.profile.writes import change_handle
from accounts.security.writes import turn_on_second_factor
from accounts.sessions import get_viewer, hash_secret, sign_out
from accounts.sign_in.browsers import NOWHERE, OriginKind, Origins
from accounts.sign_in.writes import (
    Account,
    check_password,
    find_account,
    sign_in,
    sign_in_with_code,
)
from socialsite.clock import utc_now
from socialsite.data_keys import current_key
from socialsite.due.work import do_due
from socialsite.process_state import reset_process_state
from socialsite.table import as_model, change, create, get, key_of, keys, query, transact
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


# Whether a password is someone's, as the sign-in page finds out.


def check_credentials(*, account: str, password: str) -> Account:
    """The account, if the password is its own. Raises `WrongPassword`."""
    found = find_account(account)
    check_password(found, password)
    return found


# Accounts as they were before people had data keys: private values encrypted with the site's key, as strings.


def make_from_before(viewer: Viewer) -> None:
    """Turns an account of today into one of version 1: without a key, its values encrypted with the site's."""
    key, stored = keys.credentials(viewer.user_id), credentials(viewer)
    address = decrypt_email(stored.email, user_id=viewer.user_id)
    old = encrypt(address, purpose=PURPOSE, key=key, attribute="email")
    actions = [Credentials.email.set({"S": old})]
    if stored.totp:
        secret = second_factor.decrypt_secret(stored.totp, user_id=viewer.user_id)
        old = encrypt(secret, purpose=second_factor.PURPOSE, key=key, attribute="totp")
        actions.append(Credentials.totp.set({"S": old}))
    change(Credentials, key, actions)
    erase_key_of(viewer)


def erase_key_of(viewer: Viewer) -> None:
    """Deletes the key as an erasure does at its end, and lets this process forget it at once."""
    transact(erasing_person_key(viewer.user_id))
    reset_process_state()


def encrypted_before_keys_had_ids(address: str, user_id: str) -> str:
    nonce = os.urandom(12)
    place = "|".join([*keys.credentials(user_id), "email"]).encode()
    secret = current_key().secret(f"{PURPOSE} encryption")
    return base64.b64encode(nonce + AESGCM(secret).encrypt(nonce, address.encode(), place)).decode()


# Letters as tests read them: sent at once, with the path that the link of each opens.


@dataclass(frozen=True)
class Sent:
    """One letter."""

    to: str
    subject: str
    text: str

    @property
    def path(self) -> str:
        """The path of the button's link."""
        address = next(word for word in re.findall(r"https?://\S+", self.text))
        return urlsplit(address).path


def send_letters(now: datetime | None = None) -> list[Sent]:
    """Sends what is due, and returns what went out."""
    mail.outbox.clear()
    do_due(now)
    return [Sent(one.to[0], one.subject, str(one.body)) for one in mail.outbox]


def one_letter() -> Sent:
    [letter] = send_letters()
    return letter


def send_whole_letters(now: datetime | None = None) -> list[EmailMultiAlternatives]:
    """Sends what is due, and returns it."""
    mail.outbox.clear()
    do_due(now)
    return list(mail.outbox)


# The letters that a test sends, as they reached Django's mail, and their words.


def subjects(now: datetime | None = None) -> list[str]:
    return [letter.subject for letter in send_whole_letters(now)]


def html_of(letter: EmailMultiAlternatives) -> str:
    [(text, kind)] = letter.alternatives
    assert kind == "text/html"
    return str(text)


def link_in(letter: EmailMultiAlternatives) -> str:
    """The one link that the text of a letter has, beside that to the site."""
    [link] = re.findall(r"https?://\S+/\S+", str(letter.body))
    return link


# Someone who signed up on the page, and the links that their inbox gets.

DORA = {"handle": "dora", "name": "Dora", "email": "dora@example.org", "password": PASSWORD}


def sign_up(**changes: str) -> Client:
    browser = Client()
    assert browser.post("/signup", DORA | changes).status_code == 302
    return browser


def viewer(handle: str = "dora") -> Viewer:
    user_id = find_user_by_handle(handle)
    return Viewer(user_id, "", get_user_info(user_id))


def as_read(browser: Client, person: Viewer) -> Viewer:
    """The viewer of the browser's next request."""
    return get_viewer(person.user_id, hash_secret(browser.session[SESSION_SECRET]))[0]


def links(to: str = "") -> list[str]:
    """The paths of the links that went to a mailbox, or to any."""
    return [letter.path for letter in send_letters() if to in ("", letter.to)]


def press(path: str, browser: Client | None = None):
    return (browser or Client()).post(path)


def credentials_of(person: Viewer) -> Credentials:
    return get(Credentials, keys.credentials(person.user_id), consistent=True)


# What tests of origins share: signing in from an address, and what the table then holds.

HOME, SCHOOL = "203.0.113.7", "198.51.100.20"


def come(person: Viewer, address: str = HOME, browser: Client | None = None) -> Client:
    """Signs in on the page, and out again: in a new browser, or in this one."""
    browser = browser or Client()
    form = {"account": person.card.handle, "password": PASSWORD}
    assert browser.post("/login", form, REMOTE_ADDR=address).status_code == 302
    browser.post("/logout")
    return browser


def note(person: Viewer, network: str = "", browser: str = "") -> None:
    """A sign-in from there, without a page."""
    origins = Origins(network, browser) if network or browser else NOWHERE
    sign_in(user_id=person.user_id, browser="tests", epoch=epoch_of(person), origins=origins)


def traces(person: Viewer) -> list[OriginTrace]:
    found = query(keys.origin_traces(person.user_id), consistent=True)
    return [as_model(OriginTrace, raw) for raw in found]


def codes(person: Viewer, kind: OriginKind) -> set[str]:
    """The codes of the networks or browsers that are noted for someone."""
    return {trace.hmac for trace in traces(person) if trace.kind == kind}


# What tests about handles share: a change of handle, and the day on which a former one is free again.


def rename(viewer: Viewer, *handles: str) -> None:
    for handle in handles:
        change_handle(by=viewer, handle=handle)


def let_expire(handle: str) -> None:
    """The 90 days are over. DynamoDB deletes the claim only days later."""
    past = datetime.now(UTC) - timedelta(seconds=1)
    change(HandleClaim, keys.handle_claim(handle), [HandleClaim.ttl.set(past)])


def bury(handle: str) -> None:
    """What the erasure of a person leaves of their handle: a former claim that finds nobody."""
    claim = HandleClaim(*keys.handle_claim(handle), handle=handle, user_id="")
    claim.former = datetime.now(UTC).isoformat()
    claim.ttl = datetime.now(UTC) + timedelta(days=90)
    create(claim)


# What the tests of slowed sign-ins share: a clock that stands still, lanes of a few tries, and guesses.

COOKIE = "device"


class Clock:
    """Stands in for `time` where pauses are measured."""

    def __init__(self) -> None:
        self.now = float(int(time.time()))

    def time(self) -> float:
        return self.now


def guess_password(
    account: str = "alice",
    password: str = "wrong",
    address: str = "192.0.2.1",
    browser: Client | None = None,
):
    browser = browser or Client()
    form = {"account": account, "password": password}
    return browser.post("/login", form, REMOTE_ADDR=address)


def known_browser(account: str = "alice") -> Client:
    """A browser in which its owner signed in and out."""
    browser = Client()
    assert guess_password(account, PASSWORD, browser=browser).status_code == 302
    browser.post("/logout")
    return browser


def assert_slowed(response) -> int:
    assert response.status_code == 429
    assert "Too many tries" in response.content.decode()
    return int(response["Retry-After"])


def guess_until_slowed(account: str = "alice", addresses: int = 50) -> int:
    """Guesses from many addresses; returns how many guesses were taken."""
    for number in range(addresses):
        if guess_password(account, address=f"198.51.{number}.1").status_code == 429:
            return number
    raise AssertionError("nobody slowed the guesses")
