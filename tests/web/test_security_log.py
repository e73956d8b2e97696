"""What matters for security is logged with account, address and request, and no secret ever is."""

import io
import json
import logging
import re
import sys
from collections.abc import Iterator
from dataclasses import replace

import pyotp
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.people.restrictions import Restriction
from feed.composing import views
from moderation.models import ActionKind
from socialsite.observing.logs import Event, JsonFormatter, LineFormatter, hide_secrets
from tests.accounts.authenticator import prove
from tests.accounts.codes import enter_password, replaced, with_second_factor
from tests.conftest import PASSWORD
from tests.moderation.cases import about, decide, report
from tests.moderation.restricting import restrict
from tests.web.html import Html

ADDRESS = "198.51.100.7"
WRONG = "not-her-password-at-all"


class Logged:
    """Every line that production would write, from any logger."""

    def __init__(self) -> None:
        self.stream = io.StringIO()
        self.handler = logging.StreamHandler(self.stream)
        self.handler.setFormatter(JsonFormatter())

    def text(self) -> str:
        return self.stream.getvalue()

    def events(self, event: Event) -> list[dict[str, str]]:
        lines = [json.loads(line) for line in self.text().splitlines()]
        return [line for line in lines if line["logger"] == "security" and line["message"] == event]

    def one(self, event: Event) -> dict[str, str]:
        (line,) = self.events(event)
        return line


@pytest.fixture
def logged() -> Iterator[Logged]:
    found = Logged()
    root = logging.getLogger()
    root.addHandler(found.handler)
    yield found
    root.removeHandler(found.handler)


def sign_in(account: str = "alice", password: str = PASSWORD) -> tuple[Client, str]:
    """The browser, and the id of its request."""
    browser = Client(REMOTE_ADDR=ADDRESS)
    response = browser.post("/login", {"account": account, "password": password})
    return browser, response["X-Request-ID"]


def test_a_sign_in_is_logged_with_account_address_and_request(alice, logged):
    _, request_id = sign_in()
    line = logged.one(Event.SIGNED_IN)
    assert (line["account"], line["address"], line["request"]) == (
        alice.user_id,
        ADDRESS,
        request_id,
    )


def test_a_wrong_password_is_logged_with_the_account_it_was_for(alice, logged):
    sign_in(password=WRONG)
    line = logged.one(Event.WRONG_PASSWORD)
    assert (line["account"], line["address"]) == (alice.user_id, ADDRESS)


def test_a_wrong_password_for_nobody_names_nobody(table, logged):
    sign_in(account=WRONG, password=WRONG)
    assert "account" not in logged.one(Event.WRONG_PASSWORD)
    assert WRONG not in logged.text()


def test_signing_out_and_ending_other_sign_ins_are_logged(alice, logged):
    browser, _ = sign_in()
    sign_in()
    prove(browser).post("/settings/security/sign-out-others")
    assert logged.one(Event.SIGN_INS_ENDED)["account"] == alice.user_id
    browser.post("/logout")
    assert logged.one(Event.SIGNED_OUT)["account"] == alice.user_id


def test_a_limit_that_was_reached_is_logged_by_its_name(alice, log_in, logged, monkeypatch):
    monkeypatch.setattr(views, "POSTS", replace(views.POSTS, hits=1))
    browser = log_in(alice)
    for nonce in ("n" * 22, "m" * 22):
        browser.post("/posts", {"content": "Hello", "nonce": nonce})
    line = logged.one(Event.LIMIT_REACHED)
    assert (line["limit"], line["account"]) == ("posts", alice.user_id)


def test_every_change_of_the_second_factor_is_logged(alice, logged):
    app = with_second_factor(alice)
    assert logged.one(Event.FACTOR_ON)["account"] == alice.user_id
    browser = enter_password()
    browser.post("/login/code", {"code": app.wrong_code()})
    assert logged.one(Event.WRONG_CODE)["account"] == alice.user_id
    browser.post("/login/code", {"code": app.code()})
    assert logged.events(Event.SIGNED_IN)[-1]["code"] == "yes"
    proof = {"password": PASSWORD, "code": app.code()}
    browser.post("/settings/security/recovery", proof)
    assert logged.one(Event.CODES_RENEWED)
    app = replaced(browser, app)
    assert logged.one(Event.FACTOR_REPLACED)["account"] == alice.user_id
    browser.post("/settings/security/turn-off", proof | {"code": app.code()})
    assert logged.one(Event.FACTOR_OFF)
    call_command("createadmin", "alice", "--reset-second-factor", stdout=io.StringIO())
    assert logged.one(Event.FACTOR_RESET)["account"] == alice.user_id


def test_what_staff_do_to_people_is_logged(alice, bob, mod, logged):
    report(bob, alice)
    decide(mod, about(alice), ActionKind.FREEZE)
    line = logged.events(Event.STAFF_ACTED)[-1]
    assert (line["account"], line["person"], line["action"]) == (
        mod.user_id,
        alice.user_id,
        "freeze",
    )


def test_a_change_of_role_is_logged_on_the_site_and_from_the_command_line(
    alice, bob, admin, log_in, logged
):
    log_in(admin).post("/moderation/roles/give", {"person": "alice", "role": "moderator"})
    assert logged.one(Event.ROLE_CHANGED)["person"] == alice.user_id
    call_command("createadmin", "bob", stdout=io.StringIO())
    last = logged.events(Event.ROLE_CHANGED)[-1]
    assert (last["person"], last["role"]) == (bob.user_id, "admin")


def test_asking_for_a_page_of_staff_is_logged(alice, log_in, logged):
    Client().get("/moderation/queue")
    assert not logged.events(Event.NOT_PERMITTED)
    log_in(alice).get("/moderation/queue")
    assert logged.one(Event.NOT_PERMITTED)["account"] == alice.user_id


def test_writing_while_frozen_is_logged(alice, log_in, logged):
    restrict(alice, Restriction.FROZEN)
    log_in(alice).post("/posts", {"content": "Hello", "nonce": "n" * 22})
    assert logged.one(Event.NOT_PERMITTED)["account"] == alice.user_id


def test_a_form_from_elsewhere_is_logged_without_what_it_says_about_itself(table, logged):
    strict = Client(enforce_csrf_checks=True)
    strict.post("/login", headers={"Origin": "https://evil.example/?secret"})
    line = logged.one(Event.FORM_REFUSED)
    assert line["reason"] == "Origin checking failed"


def test_an_altered_address_is_logged(alice, logged):
    assert Client().get("/@alice?page=x").status_code == 400
    assert logged.one(Event.ADDRESS_ALTERED)


@pytest.mark.parametrize(
    "address", ["/password/reset/{}", "/email/confirm/{}", "/email/undo/{}", "/erased/{}"]
)
@pytest.mark.parametrize("line_format", [JsonFormatter(), LineFormatter("%(message)s")])
def test_the_secret_of_an_address_is_in_no_line(address, line_format):
    secret = "kE3_x-9Qd2" * 4
    path = address.format(secret)
    try:
        raise ValueError(f"at {path}?next=1")
    except ValueError:
        trace = sys.exc_info()
    said = ("Forbidden (%s): %s", ("CSRF", f"{path}/"))
    record = logging.LogRecord("django", logging.WARNING, "", 0, *said, trace)
    record.fields = {"path": path}
    text = line_format.format(record)
    assert secret not in text
    assert text.count(address.format("…")) >= 3


def test_no_address_of_the_site_takes_a_secret_that_the_log_would_tell():
    for route in routes(get_resolver().url_patterns):
        if re.search(r"secret|token|receipt", route):
            address = "/" + re.sub(r"<[^>]+>|\(\?P<[^>]+>.+\)", "S" * 22, route).strip("^$")
            assert "S" * 22 not in hide_secrets(address), route


def routes(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns)
        else:
            yield str(pattern.pattern)


def test_no_password_code_token_or_email_address_is_ever_logged(table, logged):
    """A life on the site, with everything that is secret about it looked for in every line of the log."""
    new = {"handle": "dora", "name": "Dora", "email": "dora@secret.example", "password": PASSWORD}
    browser = Client(REMOTE_ADDR=ADDRESS)
    browser.post("/signup", new)
    browser.post("/logout")
    browser.post("/login", {"account": "dora@secret.example", "password": WRONG})
    browser.post("/login", {"account": "dora@secret.example", "password": PASSWORD})
    browser.post("/login", {"account": "dora", "password": PASSWORD})
    browser.post("/settings/security/begin", {"password": PASSWORD})
    page = Html(browser.get("/settings/security/set-up"))
    key = page.one("code", class_="secret").text.replace(" ", "")
    code = pyotp.TOTP(key).now()
    shown = browser.post("/settings/security/set-up", {"code": code})
    recovery = [one.text for one in Html(shown).all("code")]
    sessions = [
        browser.cookies[name].value for name in ("session", "csrf") if name in browser.cookies
    ]
    other = Client(REMOTE_ADDR=ADDRESS)
    other.post("/login", {"account": "dora", "password": PASSWORD})
    other.post("/login/code", {"code": "000000"})
    other.post("/login/code?recovery", {"code": recovery[0]})
    secrets = [PASSWORD, WRONG, key, code, "000000", "secret.example", *recovery, *sessions]
    assert len(secrets) > 15
    assert logged.events(Event.SIGNED_IN)
    found = [secret for secret in secrets if secret in logged.text()]
    assert found == []
