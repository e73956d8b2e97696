"""What is logged and counted of requests, and nothing private."""

import io
import json
import logging
import logging.config
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

import pyotp
import pytest
from django.conf import settings as site_settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig, SuspiciousOperation
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.people.restrictions import Restriction
from feed.composing import views
from moderation.models import ActionKind
from socialsite.observing import logs
from socialsite.observing.logs import (
    Event,
    JsonFormatter,
    LineFormatter,
    hide_secrets,
    logging_setup,
)
from socialsite.streams.worker import Worker
from socialsite.table import ids
from socialsite.web import pages
from tests.accounts.authenticator import prove
from tests.accounts.scenes import enter_password, replaced, with_second_factor
from tests.conftest import HTMX, PASSWORD, post
from tests.moderation.cases import about, decide, report, restrict
from tests.web.html import Html

HEADER = "X-Request-ID"


def shown_id(response) -> str:
    (element,) = Html(response).all("p", class_="request-id")
    return element.text.rpartition(" ")[2]


@pytest.mark.parametrize("path", ["/login", "/about", "/healthz", "/not/there", "/static/none.css"])
def test_every_answer_has_an_id_of_its_own(table, path):
    first, second = (Client().get(path)[HEADER] for _ in range(2))
    assert ids.is_id(first)
    assert ids.is_id(second)
    assert first != second


def test_a_file_has_none(served_static):
    response = Client().get("/static/css/base.css")
    assert response.status_code == 200
    assert HEADER not in response


def test_a_fragment_has_one_too(alice, log_in):
    assert ids.is_id(log_in(alice).get("/people-to-follow", headers=HTMX)[HEADER])


@pytest.mark.parametrize(
    ("status", "ask"),
    [
        (400, lambda browser: browser.get("/local?page=nonsense")),
        (400, lambda browser: browser.get("/", HTTP_HOST="evil.example")),
        (403, lambda browser: browser.post("/login", {"account": "x"})),
        (404, lambda browser: browser.get("/not/there")),
    ],
)
def test_error_pages_show_the_id(table, status, ask):
    response = ask(Client(enforce_csrf_checks=True, raise_request_exception=False))
    assert response.status_code == status
    assert shown_id(response) == response[HEADER]


def test_the_page_for_too_many_requests_shows_the_id(alice, log_in, monkeypatch):
    monkeypatch.setattr(views, "POSTS", replace(views.POSTS, hits=1))
    browser = log_in(alice)
    for nonce in ("n" * 22, "m" * 22):
        response = browser.post("/posts", {"content": "Hello", "nonce": nonce})
    assert response.status_code == 429
    assert shown_id(response) == response[HEADER]


def test_the_pages_for_faults_show_the_id(engine_down):
    response = Client(raise_request_exception=False).get("/local")
    assert response.status_code == 503
    assert shown_id(response) == response[HEADER]


def test_the_page_for_errors_of_the_site_shows_the_id(table, monkeypatch, settings):
    settings.DEBUG = False
    settings.SECURE_SSL_REDIRECT = False
    monkeypatch.setattr(pages, "site_rules", lambda: 1 / 0)
    response = Client(raise_request_exception=False).get("/rules")
    assert response.status_code == 500
    assert shown_id(response) == response[HEADER]


def test_nobody_outside_chooses_the_id(table):
    given = "chosen-outside-123"
    assert Client().get("/about", headers={HEADER: given})[HEADER] != given


def test_a_trusted_proxy_chooses_the_id_if_it_is_one(table, settings):
    settings.TRUSTED_PROXY_HOPS = 1
    browser = Client(headers={"X-Forwarded-For": "198.51.100.1"})
    given = "1-67891233-abcdef012345678912345678"
    assert browser.get("/about", headers={HEADER: given})[HEADER] == given
    for strange in ("short", "a b c d e f g", "x" * 65, "<script>alert(1)</script>", "line\\nline"):
        assert ids.is_id(browser.get("/about", headers={HEADER: strange})[HEADER])


@pytest.fixture
def record():
    token = logs.request_id.set("01ARZ3NDEKTSV4RRFFQ69G5FAV")
    made = logging.LogRecord("site", logging.INFO, "f", 1, "at %s", ("/a\nforged line",), None)
    made.fields = {"account": "01B", "address": "198.51.100.1\r\nforged"}
    yield made
    logs.request_id.reset(token)


def test_a_line_of_development_is_one_line_with_fields_and_request(record):
    line = LineFormatter("{levelname} {name} {message}", style="{").format(record)
    assert line == (
        "INFO site at /a\\nforged line account=01B address=198.51.100.1\\r\\nforged "
        "request=01ARZ3NDEKTSV4RRFFQ69G5FAV"
    )


def test_a_line_of_production_is_one_json_object(record):
    line = JsonFormatter().format(record)
    assert "\n" not in line
    found = json.loads(line)
    assert found["message"] == "at /a\nforged line"
    assert found["account"] == "01B"
    assert found["request"] == "01ARZ3NDEKTSV4RRFFQ69G5FAV"
    assert found["time"].endswith("+00:00")


def test_a_traceback_stays_in_its_json_line(record):
    try:
        raise ValueError("broken")
    except ValueError as error:
        record.exc_info = (type(error), error, error.__traceback__)
    line = JsonFormatter().format(record)
    assert "\n" not in line
    assert "ValueError: broken" in json.loads(line)["trace"]


# Each request leaves one line: route, status, time and cost, with the request's id and nothing private.


@pytest.fixture
def lines(caplog):
    """The fields of each request's line, and the whole line as production writes it."""
    caplog.set_level(logging.INFO, logger="requests")
    return lambda: [
        json.loads(JsonFormatter().format(record))
        for record in caplog.records
        if record.name == "requests"
    ]


def test_a_page_has_one_line_with_its_cost(alice, log_in, lines):
    answer = log_in(alice).get("/")
    (line,) = lines()
    assert (line["method"], line["route"], line["status"]) == ("GET", "/", 200)
    assert line["request"] == answer["X-Request-ID"]
    assert line["calls"] == 2  # the viewer, and a timeline without posts
    assert line["read_units"] > 0
    assert line["ms"] > 0


def test_a_write_has_its_write_units(alice, bob, log_in, lines):
    log_in(bob).post("/@alice/follow", {"on": "1"})
    assert lines()[-1]["write_units"] >= 12


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("path", "method", "status"),
    [("/nowhere", "GET", 404), ("/logout", "GET", 405), ("/@alice/follow", "POST", 302)],
)
def test_refusals_have_one_too(lines, path, method, status):
    Client().generic(method, path)
    assert [line["status"] for line in lines()] == [status]


def test_a_refused_host_has_one_too(settings, lines):
    settings.ALLOWED_HOSTS = ["social.example"]
    Client().get("/", headers={"Host": "evil.example"})
    assert [line["status"] for line in lines()] == [400]


def test_it_names_neither_person_nor_query(alice, log_in, lines):
    post_id = post(alice)
    log_in(alice).get(f"/@alice/posts/{post_id}?before=something")
    text = json.dumps(lines())
    for private in ("alice", "something", "127.0.0.1"):
        assert private not in text
    assert lines()[-1]["path"] == f"/@…/posts/{post_id}"


# What matters for security is logged with account, address and request, and no secret ever is.

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
    "address", ["/password/reset/{}", "/email/confirm/{}", "/email/undo/{}", "/erased/{}", "/u/{}"]
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


# The log of production names nobody whose page was asked for, and what strangers send is no error in it.

PRIVATE = ("alice", "bob", "s3cr3t")


@pytest.fixture
def production_lines(settings) -> Iterator[Callable[[], list[dict[str, str]]]]:
    """`lines()`: every line that production has written so far."""
    production, written = logging_setup(debug=False), io.StringIO()
    production["handlers"]["console"]["stream"] = written
    logging.config.dictConfig(production)
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    logging.config.dictConfig(settings.LOGGING)


def said(lines: list[dict[str, str]]) -> str:
    return json.dumps([{**line, "trace": ""} for line in lines])


@pytest.mark.parametrize(
    "ask",
    [
        lambda browser, post_id: browser.get("/@alice-of-nowhere/s3cr3t"),
        lambda browser, post_id: browser.get("/@alice/posts/01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        lambda browser, post_id: browser.get("/@alice/follow"),
        lambda browser, post_id: browser.post("/@alice/follow", {"on": "maybe"}),
        lambda browser, post_id: browser.get(f"/@alice/posts/{post_id}?page=s3cr3t"),
        lambda browser, post_id: browser.get("/password/reset/s3cr3t"),
        lambda browser, post_id: browser.get("/@alice", headers={"Host": "s3cr3t.example"}),
        lambda browser, post_id: browser.post(
            "/@alice/follow", {"on": "1"}, headers={"Origin": "https://s3cr3t.example"}
        ),
        lambda browser, post_id: browser.post("/@alice/follow", {f"f{n}": 1 for n in range(99)}),
        lambda browser, post_id: browser.post(
            "/@alice/follow", "x", content_type="multipart/form-data; boundary=s3cr3t-\x7f"
        ),
        lambda browser, post_id: browser.generic("S3CR3T", "/@alice"),
    ],
    ids=[
        "nowhere",
        "no post",
        "method",
        "field",
        "cursor",
        "link",
        "host",
        "form",
        "fields",
        "parts",
        "verb",
    ],
)
def test_a_refusal_names_nobody_and_is_no_error(
    alice, bob, log_in, production_lines, settings, ask
):
    settings.ALLOWED_HOSTS = ["testserver"]
    browser = log_in(bob)
    browser.handler.enforce_csrf_checks = True
    assert ask(browser, post(alice)).status_code in range(301, 500)
    found = production_lines()
    assert [line["level"] for line in found if line["level"] not in ("INFO", "WARNING")] == []
    assert not [name for name in PRIVATE if name in said(found).lower()]
    assert any(line["logger"] == "requests" for line in found)


@pytest.mark.parametrize("error", [SuspiciousOperation, DisallowedHost, RequestDataTooBig])
def test_what_django_calls_suspicious_is_no_error_either(production_lines, error):
    logger = logging.getLogger(f"django.security.{error.__name__}")
    logger.error("of s3cr3t", extra={"status_code": 400, "request": None})
    (line,) = production_lines()
    assert (line["level"], line["message"]) == ("WARNING", "answered 400 at none")


def test_a_fault_is_an_error_that_names_its_route(
    alice, bob, log_in, monkeypatch, production_lines
):
    monkeypatch.setattr("relations.follows.views.wanted_state", lambda request: 1 / 0)
    browser = log_in(bob)
    browser.raise_request_exception = False
    assert browser.post("/@alice/follow", {"on": "1"}).status_code == 500
    (fault,) = [line for line in production_lines() if line["level"] == "ERROR"]
    assert fault["logger"] == "django.request"
    assert fault["message"] == "answered 500 at @<handle:handle>/follow"
    assert "ZeroDivisionError" in fault["trace"]
    assert "alice" not in said(production_lines())


def test_an_engine_that_is_down_is_told_without_the_page_that_noticed(
    engine_down, production_lines
):
    assert Client(raise_request_exception=False).get("/@alice").status_code == 503
    assert "alice" not in said(production_lines())
    assert any(line["message"].startswith("503 at @<handle:handle>") for line in production_lines())


def test_every_line_goes_to_the_console_and_nowhere_else():
    for debug in (True, False):
        made = logging_setup(debug=debug)
        assert {one["class"] for one in made["handlers"].values()} == {"logging.StreamHandler"}
        assert {name for one in made["loggers"].values() for name in one.get("handlers", ())} == {
            "console"
        }


# `/metrics`: counts for operators, for the holder of a token or a program on the same machine alone.

TOKEN = "a-long-random-token"


def scrape(**headers: str) -> str:
    response = Client().get("/metrics", headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def value_of(name: str, **labels: str) -> float:
    """The value of the one line with these labels, 0 if there is none yet."""
    found = 0.0
    for line in scrape().splitlines():
        if line.startswith((f"{name}{{", f"{name} ")) and all(
            f'{label}="{value}"' in line for label, value in labels.items()
        ):
            found += float(line.rsplit(" ", 1)[1])
    return found


# Readers


@pytest.mark.usefixtures("table")
def test_a_program_on_the_same_machine_may_read_it():
    response = Client().get("/metrics")
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/plain")
    assert "no-cache" in response["Cache-Control"]


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("address", ["203.0.113.5", "10.0.0.7", "2001:db8::1", "", "nonsense"])
def test_another_machine_may_not(address):
    assert Client().get("/metrics", REMOTE_ADDR=address).status_code == 404


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded"])
def test_a_request_that_a_proxy_on_this_machine_passes_on_may_not(header):
    assert Client().get("/metrics", headers={header: "203.0.113.5"}).status_code == 404


@pytest.mark.usefixtures("table")
def test_behind_a_proxy_it_needs_the_token(settings):
    settings.TRUSTED_PROXY_HOPS = 1
    assert Client().get("/metrics").status_code == 404


@pytest.mark.usefixtures("table")
def test_with_a_token_it_is_open_to_its_holder_alone(settings):
    settings.METRICS_TOKEN, settings.TRUSTED_PROXY_HOPS = TOKEN, 1
    assert scrape(Authorization=f"Bearer {TOKEN}")
    for wrong in ("", TOKEN, f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer "):
        assert Client().get("/metrics", headers={"Authorization": wrong}).status_code == 404


# What it counts


def test_requests_by_route_method_and_status_and_never_by_address(alice, log_in):
    browser = log_in(alice)
    before = value_of("site_requests_total", route="@<handle:handle>", status="200")
    browser.get("/@alice")
    browser.get("/@alice")
    assert value_of("site_requests_total", route="@<handle:handle>", status="200") == before + 2
    assert "/@alice" not in scrape()


@pytest.mark.usefixtures("table")
def test_a_method_or_address_that_somebody_makes_up_adds_no_line():
    Client().generic("BREW", "/made/up/1")
    scrape()  # which has lines of its own from then on
    lines = len(scrape().splitlines())
    for number in range(5):
        Client().generic(f"BREW{number}", f"/made/up/{number}")
    assert len(scrape().splitlines()) == lines


def test_calls_and_units_by_access_pattern(alice, log_in):
    browser = log_in(alice)
    labels = {"access_pattern": "get_timeline"}
    calls, units = (value_of(f"dynamodb_{name}_total", **labels) for name in ("calls", "units"))
    browser.get("/")
    assert value_of("dynamodb_calls_total", **labels) > calls
    assert value_of("dynamodb_units_total", **labels, kind="read") > units


@pytest.mark.usefixtures("engine_faulty")
def test_a_faulty_engine_is_counted_by_its_error_code():
    before = value_of("dynamodb_errors_total")
    Client().get("/@alice")
    assert value_of("dynamodb_errors_total") > before
    assert value_of("table_up") == 0


def test_sign_ins_and_failures(alice):
    good, bad = (
        value_of("security_events_total", event=name) for name in ("signed-in", "wrong-password")
    )
    Client().post("/login", {"account": "alice", "password": PASSWORD})
    Client().post("/login", {"account": "alice", "password": "another one"})
    assert value_of("security_events_total", event="signed-in") == good + 1
    assert value_of("security_events_total", event="wrong-password") == bad + 1


def test_the_worker_and_what_it_did(alice):
    assert value_of("worker_up") == 0  # none has begun
    read, batches = value_of("worker_records_total"), value_of("worker_batches_total")
    post(alice)
    Worker().drain()
    assert value_of("worker_records_total") > read
    assert value_of("worker_batches_total") > batches
    assert value_of("table_up") == 1
    assert value_of("worker_dead_letters") == 0


def test_no_id_handle_or_address_is_in_it(alice, log_in):
    post_id = post(alice)
    log_in(alice).get(f"/@alice/posts/{post_id}")
    text = scrape()
    for secret in (alice.user_id, post_id, "alice", "127.0.0.1", site_settings.SECRET_KEY):
        assert secret not in text


@pytest.mark.usefixtures("table")
def test_it_is_in_the_format_of_prometheus():
    line = re.compile(r'(# (HELP|TYPE) \S+ .*|[a-z_]+(\{([a-z_]+="[^"]*",?)*\})? \S+)')
    assert not [text for text in scrape().splitlines() if not line.fullmatch(text)]


COUNT = "from socialsite.observing import metrics; metrics.RECORDS.inc(3)"
SUM = "from socialsite.web.pages import _counts, generate_latest as g; print(g(_counts()).decode())"


def test_several_processes_are_summed_up(tmp_path):
    shared = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    said = ""
    for code in (COUNT, COUNT, f"import django; django.setup(); {SUM}"):
        command = [sys.executable, "-c", code]
        said = subprocess.run(
            command, env=shared, capture_output=True, text=True, check=True
        ).stdout
    assert "worker_records_total 6.0" in said
