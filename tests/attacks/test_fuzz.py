"""Every address × every method, hostile input, and whatever error the engine answers with: no fault anywhere."""

import logging
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

import pytest
from botocore.awsrequest import AWSResponse
from django.test import Client
from django.urls import get_resolver

from accounts.people.viewer import Viewer
from moderation.reports.writes import file_report
from relations.follows.writes import follow
from socialsite.table.connection import client
from tests.accounts.scenes import with_second_factor
from tests.api.authorisation import API_ROWS
from tests.conftest import HTMX, person, post
from tests.injected.faults import (
    FOR_EVER,
    IS_LONG,
    JSON,
    SEED,
    Fault,
    Hook,
    HurriedClock,
    Sending,
    _Body,
    describe,
    share,
)
from tests.injected.view_cases import CASES, Case, Site, build_site
from tests.web.authorisation import ELSEWHERE, ROWS, Row
from tests.web.chat_authorisation import CHAT_ROWS
from tests.web.naughty import BROKEN_BYTES, STRINGS
from tests.web.staff_authorisation import DEV_ROWS, SETTINGS_ROWS, STAFF_ROWS, UNPUBLISHED_ROWS
from tests.web.test_authorisation import patterns

METHODS = [
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "PROPFIND",
    "X" * 50,
]

VALUES = [
    *STRINGS, "", "[", "]", "[]", "http://[::1", "http://[", "//[", "http://%zz", "\\", "..", "0", "-1", "1e400",
    "9" * 5_000, "2026-13", "2026-00", "0000-00", "9999-99", "99999-12", "person", "post", "sign-up", "admin",
    "moderator", "suspend", "x" * 300, "01ARZ3NDEKTSV4RRFFQ69G5FAV", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "zz#zz", "a,b,c",
    "\ud7ff", "inf", "-inf", "nan", "1_000", "٣", "²", "true", "null", "%", "%00", "+", "&", "=", "?", "#", "'", '"',
]  # fmt: skip

HOSTS = [
    "evil.example", "testserver:99999", "testserver:x", "[::1", "[::1]:80", "a b", "testserver@evil", "", ".", "..",
    "x" * 300, "testserver.", "TESTSERVER", "testserver, evil", "tést", "xn--", "127.0.0.1", "0", "testserver:",
    "testserver:0", "testserver:-1", "[", "]", "%00", "testserver/evil", "testserver?x", "testserver#x",
]  # fmt: skip

HEADERS = [
    "Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cookie", "Content-Encoding", "Content-Type",
    "Date", "Expect", "Forwarded", "From", "HX-Boosted", "HX-Current-URL", "HX-Current-URL-URI-AutoEncoded",
    "HX-History-Restore-Request", "HX-Prompt", "HX-Prompt-URI-AutoEncoded", "HX-Request", "HX-Target", "HX-Trigger",
    "HX-Trigger-Name", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Origin",
    "Purpose", "Range", "Referer", "Sec-Fetch-Site", "Triggering-Event", "User-Agent", "X-CSRFToken",
    "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Port", "X-Forwarded-Proto", "X-HTTP-Method-Override",
    "X-Original-URL", "X-Real-IP", "X-Request-ID", "X-Requested-With", "X-Rewrite-URL",
]  # fmt: skip

COOKIES = [
    "session",
    "csrf",
    "preferences",
    "messages",
    "device",
    "time_zone",
    "django_language",
    "x" * 200,
]

QUERIES = ["page", "next", "since", "show", "done", "month", "q", "invite", "besides", "dismissed", "posts", "recovery",
           "action", "version", "moderator", "person", "again", "kind", "state", "queue", "rule", "tag",
           "from"]  # fmt: skip

FIELDS = [
    "csrfmiddlewaretoken", "content", "nonce", "audience", "circle", "on", "place", "next", "handle", "name",
    "email", "password", "account", "code", "bio", "location", "gender", "avatar", "remove_avatar", "file",
    "header", "remove_header",
    "kind", "theme", "language", "zone", "scroll", "shortcuts", "cases", "act", "action", "version", "text",
    "until", "length", "answer", "to", "moderator", "role", "permissions", "title", "severity", "pattern",
    "effect", "domains", "networks", "uses", "days", "sign_up", "reason", "rules", "posts", "sign_in", "new",
    "tags", "tag", "orders-to-act", "staff", "users",
]  # fmt: skip

PART = b'--x\r\nContent-Disposition: form-data; name="avatar"; filename="%s"\r\n\r\n%s\r\n--x--\r\n'
BODIES: list[tuple[str, bytes]] = [
    ("application/json", b'{"a": [1, {"b": null}]}'),
    ("application/json", b"{"),
    ("application/xml", b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'),
    ("multipart/form-data", b"no boundary"),
    ("multipart/form-data; boundary=", b"--\r\n\r\n"),
    ("multipart/form-data; boundary=" + "x" * 300, b"--" + b"x" * 300),
    ("multipart/form-data; boundary=x", b"--x"),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--"),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data; name\r\n\r\n1\r\n--x--"),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Transfer-Encoding: base64\r\n\r\n!!\r\n--x--"),
    ("multipart/form-data; boundary=x", PART % (b"../../../etc/passwd", b"x")),
    ("multipart/form-data; boundary=x", PART % (b"\xff\xfe\x00.png", b"\x89PNG\r\n\x1a\n")),
    ("multipart/form-data; boundary=x", PART % (b"a.png", b"")),
    ("multipart/form-data; boundary=\xff", b"x"),
    ("application/x-www-form-urlencoded", b"&".join(b"a=1" for _ in range(2_000))),
    ("application/x-www-form-urlencoded; charset=utf-16", b"a=1"),
    ("application/x-www-form-urlencoded; charset=\x01", b"a=1"),
    ("application/x-www-form-urlencoded", b"%"),
    ("application/x-www-form-urlencoded", b"on=%ff%fe&content=%ed%a0%80&nonce=%00"),
    ("", b"on=1"),
    ("text/plain", b"on=1"),
    *(("application/x-www-form-urlencoded", b"content=" + broken) for broken in BROKEN_BYTES),
]  # fmt: skip


def on_the_wire(text: str) -> str:
    """As a header's value reaches the site: bytes read as Latin-1, without the NUL and ends of lines that gunicorn and
    proxies refuse."""
    raw = text.encode("utf-8", "replace").decode("latin-1")
    return raw.translate({0: None, 10: None, 13: None})[:4_000]


# Every address × every method, and hostile hosts, headers, cookies, queries, forms and bodies: no fault anywhere.
#
# Each kind of person sends a share of all combinations, another one each run; `FAULTS=long` sends all, and
# `FAULTS_SEED` repeats a run.

embedded_alone = pytest.mark.engines(
    "embedded", reason="what people send does not hang on the engine"
)

KINDS = ("visitor", "member", "moderator", "admin")
MOST = 30  # requests of one kind, by one kind of person
SIGNED_IN_FOR = 10  # requests; some of them sign the browser out
UPLOADS = [
    "/media/avatars/x.webp",
    "/not/there",
]


@dataclass(frozen=True)
class Attack:
    """One request; `query`, `form` and `extra` are as Django's test client takes them."""

    method: str
    path: str
    query: str = ""
    body: bytes = b""
    content_type: str = "application/x-www-form-urlencoded"
    extra: dict[str, str] = field(default_factory=dict)
    cookie: tuple[str, str] = ("", "")

    def send(self, browser: Client) -> int:
        name, value = self.cookie
        before = browser.cookies[name].value if name in browser.cookies else ""
        if name:
            browser.cookies[name] = value
        try:
            return browser.generic(
                self.method,
                self.path,
                self.body,
                content_type=self.content_type,
                QUERY_STRING=self.query,
                **self.extra,
            ).status_code
        finally:
            if name:
                browser.cookies[name] = before


@dataclass
class World:
    """Alice with a post and a case, and the people who attack."""

    people: dict[str, Viewer]
    ids: dict[str, str]
    log_in: Callable[[Viewer], Client]

    def browser(self, kind: str) -> Client:
        """A new one, signed in unless it is a visitor's."""
        made = self.log_in(self.people[kind]) if kind in self.people else Client()
        made.raise_request_exception = False
        return made

    def address(self, row: Row) -> tuple[str, str]:
        path, _, query = row.address.format(**self.ids).partition("?")
        return path, query

    def addresses(self) -> list[str]:
        paths = [path.format(**self.ids) for path in UPLOADS]
        return sorted(
            {
                *paths,
                *(
                    self.address(row)[0]
                    for row in (
                        *ROWS,
                        *UNPUBLISHED_ROWS,
                        *SETTINGS_ROWS,
                        *CHAT_ROWS,
                        *API_ROWS,
                        *STAFF_ROWS,
                        *DEV_ROWS,
                    )
                ),
            }
        )


@pytest.fixture
def world(alice: Viewer, log_in: Callable[[Viewer], Client]) -> World:
    people = {
        "member": person("bob", "Bob"),
        "moderator": person("moddy", "Mod", role="moderator"),
        "admin": person("addy", "Addy", role="admin"),
    }
    follow(by=people["member"], user_id=alice.user_id)
    post_id = post(alice)
    file_report(by=people["member"], person_id=alice.user_id, post_id=post_id)
    return World(people, {"post": post_id, "alice": alice.user_id}, log_in)


def by_method(world: World, dice: random.Random) -> Iterator[Attack]:
    for path in world.addresses():
        for method in METHODS:
            yield Attack(method, path)
            yield Attack(method, path, body=b"on=1", extra={"HTTP_HX_REQUEST": "true"})


def by_host(world: World, dice: random.Random) -> Iterator[Attack]:
    for path in world.addresses():
        for host in HOSTS:
            yield Attack(dice.choice(["GET", "POST"]), path, extra={"HTTP_HOST": host})


def by_header(world: World, dice: random.Random) -> Iterator[Attack]:
    for path in world.addresses():
        for name in HEADERS:
            key = name.upper().replace("-", "_")
            key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
            value = on_the_wire(dice.choice(VALUES))
            htmx = {"HTTP_HX_REQUEST": "true"} if dice.random() < 0.5 else {}
            yield Attack(dice.choice(["GET", "POST"]), path, extra=htmx | {key: value})


def by_cookie(world: World, dice: random.Random) -> Iterator[Attack]:
    for path in world.addresses():
        for name in COOKIES:
            value = on_the_wire(dice.choice(VALUES)).replace(";", "")
            yield Attack("GET", path, cookie=(name, value))


def by_query(world: World, dice: random.Random) -> Iterator[Attack]:
    for path in world.addresses():
        for name in QUERIES:
            query = f"{name}={quote(dice.choice(VALUES), safe='')[:4000]}"
            yield Attack(dice.choice(["GET", "GET", "POST"]), path, query)


def by_path(world: World, dice: random.Random) -> Iterator[Attack]:
    """Hostile text in place of each part of an address."""
    for path in world.addresses():
        parts = path.split("/")
        for number in range(1, len(parts)):
            text = quote(dice.choice(VALUES), safe="")[:2000]
            text = f"@{text}" if parts[number].startswith("@") else text
            broken = "/".join([*parts[:number], text, *parts[number + 1 :]])
            yield Attack(dice.choice(["GET", "POST"]), broken or "/")


def by_form(world: World, dice: random.Random) -> Iterator[Attack]:
    """Every form with hostile text in one field, once as it is asked for and once with fields of others."""
    for row in (
        *ROWS,
        *UNPUBLISHED_ROWS,
        *SETTINGS_ROWS,
        *CHAT_ROWS,
        *API_ROWS,
        *STAFF_ROWS,
        *DEV_ROWS,
    ):
        if row.method != "post":
            continue
        path, query = world.address(row)
        for name in dict.fromkeys([*row.form, *dice.sample(FIELDS, 20)]):
            values = [dice.choice(VALUES) for _ in range(dice.choice([1, 1, 1, 3]))]
            sent = urlencode(row.form | {name: values}, doseq=True, errors="replace")
            extra = {"HTTP_HX_REQUEST": "true"} if dice.random() < 0.5 else {}
            yield Attack("POST", path, query, sent.encode()[:200_000], extra=extra)


def by_body(world: World, dice: random.Random) -> Iterator[Attack]:
    for path in world.addresses():
        for content_type, body in BODIES:
            yield Attack("POST", path, body=body, content_type=content_type)


WAYS = [by_method, by_host, by_header, by_cookie, by_query, by_path, by_form, by_body]


@pytest.mark.usefixtures("no_limits")
@embedded_alone
@pytest.mark.timeout(7200 if IS_LONG else 240)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_nothing_that_is_sent_is_a_fault(world: World, way, kind: str) -> None:
    every = list(way(world, random.Random(f"{SEED} {way.__name__} {kind}")))
    one_of = max(1, len(every) // MOST)
    tried = share(every, one_of=one_of, salt=f"{way.__name__} {kind}")
    statuses: Counter[int] = Counter()
    faults = []
    for number, attack in enumerate(tried):
        if number % SIGNED_IN_FOR == 0:
            browser = world.browser(kind)
        status = attack.send(browser)
        statuses[status] += 1
        if status >= 500 and not (status == 503 and attack.path == "/readyz"):
            faults.append(f"{status}: {attack}")
    counts = ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items()))
    print(f"{describe(f'{way.__name__} {kind}', len(every), len(tried))}: {counts}")
    assert not faults, "\n".join(faults)


@pytest.mark.usefixtures("no_limits")
@embedded_alone
@pytest.mark.timeout(7200 if IS_LONG else 240)
@pytest.mark.parametrize(
    "value", ["http://[::1", "//[", "http://%zz", "http://a:b", "\x00", "x" * 4_000]
)
@pytest.mark.parametrize("header", ["Referer", "HX-Current-URL"])
def test_staff_who_have_to_prove_themselves_come_from_any_address(world, settings, header, value):
    settings.STAFF_SECOND_FACTOR = True
    with_second_factor(world.people["admin"])
    browser = world.browser("admin")
    headers = {header: on_the_wire(value)} | (HTMX if header != "Referer" else {})
    form = {"title": "T", "permissions": "roles"}
    assert browser.post("/moderation/roles/add", form, headers=headers).status_code < 500


@pytest.mark.usefixtures("no_limits")
@embedded_alone
@pytest.mark.timeout(7200 if IS_LONG else 240)
def test_every_address_is_attacked(world):
    attacked = {
        row.name
        for row in (
            *ROWS,
            *UNPUBLISHED_ROWS,
            *SETTINGS_ROWS,
            *CHAT_ROWS,
            *API_ROWS,
            *STAFF_ROWS,
            *DEV_ROWS,
        )
    } | ELSEWHERE
    assert {pattern.name for pattern in patterns(get_resolver())} <= attacked


# Whatever error the engine answers with, at whichever call of a page: 503, when to come back, and a line in the
# log.
#
# A twelfth of them a run, another one each time; `FAULTS=long` tries all of them.

embedded_alone_for_engine_errors = pytest.mark.engines(
    "embedded", reason="no engine of ours gives these answers"
)

TRIED = ("home", "local timeline", "sign in", "follow", "like", "publish", "edit profile")
VIEWS = [case for case in CASES if case.name in TRIED]
# Common to all of Amazon's services, and those of keys; the service's own list is in botocore's model.
COMMON = [
    "AccessDeniedException", "ExpiredTokenException", "ExpiredToken", "IncompleteSignature", "InternalFailure",
    "InvalidClientTokenId", "InvalidSignatureException", "KMSAccessDeniedException", "KMSDisabledException",
    "KMSInvalidStateException", "KMSNotFoundException", "KMSThrottlingException", "MissingAuthenticationToken",
    "MissingAuthenticationTokenException", "NotAuthorized", "OptInRequired", "RequestExpired", "SerializationException",
    "ServiceUnavailable", "SignatureDoesNotMatch", "UnknownOperationException", "UnrecognizedClientException",
    "ValidationException", "ValidationError", "InvalidEndpointException", "NobodyKnowsThisException", "",
]  # fmt: skip
REASONS = [
    "ItemCollectionSizeLimitExceeded", "TransactionConflict", "ProvisionedThroughputExceeded", "ThrottlingError",
    "ValidationError", "AccessDenied", "DuplicateItem", "NobodyKnowsThis",
]  # fmt: skip


def refusing(code: str, status: int = 400) -> Fault:
    return Fault(
        f"{code or 'no code'} {status}", lambda sending: sending.refuse(code, status=status)
    )


def cancelling(reason: str) -> Fault:
    """The transaction is cancelled for its first action; with no reason at all, none is told."""

    def cancel(sending: Sending) -> AWSResponse:
        others = len(sending.body["TransactItems"]) - 1
        reasons = [{"Code": reason, "Message": reason}, *[{"Code": "None"}] * others]
        told = {"CancellationReasons": reasons} if reason else {}
        return sending.refuse("TransactionCanceledException", **told)

    return Fault(f"cancelled: {reason}", cancel, frozenset({"TransactWriteItems"}))


def saying(status: int, body: bytes) -> Fault:
    """Something between the site and the engine answers in its place."""

    def say(sending: Sending) -> AWSResponse:
        return AWSResponse(sending.request.url, status, JSON, _Body(body))

    return Fault(f"{status} {body!r}", say)


def every_fault() -> list[Fault]:
    model = client().meta.service_model
    codes = {
        shape.metadata.get("error", {}).get("code", shape.name) for shape in model.error_shapes
    }
    # A failed condition is no error of the engine, but an answer that the site asks for.
    codes -= {"ConditionalCheckFailedException"}
    html = b"<html>Sign in to this network</html>"
    return [
        *(refusing(code) for code in sorted(codes | set(COMMON))),
        *(refusing(code, 403) for code in ("AccessDeniedException", "ExpiredTokenException", "")),
        *(cancelling(reason) for reason in ("", *REASONS)),
        *(saying(status, body) for status in (200, 302, 400, 404, 503) for body in (html, b"")),
    ]


@pytest.fixture
def site(hook: Hook) -> Site:
    return build_site()


@pytest.mark.usefixtures("no_limits")
@embedded_alone_for_engine_errors
@pytest.mark.parametrize("case", VIEWS, ids=lambda case: case.name.replace(" ", "-"))
def test_no_error_of_the_engine_is_an_error_of_the_site(
    case: Case, site: Site, hook: Hook, clock: HurriedClock, caplog: pytest.LogCaptureFixture
) -> None:
    case.prepare(site)
    hook.sent.clear()
    assert case.ask(site).status_code == case.status
    calls = list(hook.sent)
    every = [
        (number, fault)
        for fault in every_fault()
        for number, call in enumerate(calls)
        if fault.applies_to(call)
    ]
    wrong, tried = [], share(every, one_of=12, salt=case.name)
    for number, fault in tried:
        site.number += 1
        case.prepare(site)
        caplog.clear()
        with hook.armed(fault, at=number, times=FOR_EVER):
            answer = case.ask(site)
        is_told = any(record.levelno >= logging.WARNING for record in caplog.records)
        if answer.status_code != 503 or not int(answer.get("Retry-After", 0)) or not is_told:
            wrong.append(f"{calls[number]} ({number}), {fault.name}: {answer.status_code}")
    print(f"{describe(case.name, len(every), len(tried))}, {len(wrong)} wrong")
    assert not wrong, "\n".join(wrong)


@pytest.mark.usefixtures("no_limits")
@embedded_alone_for_engine_errors
def test_the_log_says_what_the_engine_said(site, hook, clock, caplog):
    with hook.armed(refusing("AccessDeniedException"), times=FOR_EVER):
        assert site.browser.get("/").status_code == 503
    assert "AccessDeniedException" in caplog.text
    assert "injected" in caplog.text


@pytest.mark.usefixtures("no_limits")
@embedded_alone_for_engine_errors
def test_a_refusal_of_the_request_itself_is_logged_with_its_place_in_the_code(
    site, hook, clock, caplog
):
    with hook.armed(refusing("ValidationException"), times=FOR_EVER):
        assert site.browser.get("/").status_code == 503
    assert "ValidationException" in caplog.text
    assert "Traceback" in caplog.text
