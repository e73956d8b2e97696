"""When something breaks the site says so and when to come back, and tells nothing else."""

import errno
import html
import json
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.signals import got_request_exception
from django.template.loader import render_to_string
from django.test import Client

from feed.home import views
from socialsite.due.clock import Beats
from socialsite.due.work import do_due
from socialsite.engine import running
from socialsite.observing import logs, metrics
from socialsite.observing.logs import JsonFormatter
from socialsite.streams.worker import Worker
from socialsite.table import Refused, Unavailable
from socialsite.web.bodies import LONGEST, RefuseLate, age_of
from tests.accounts.pictures import camera_jpeg
from tests.conftest import HTMX, PASSWORD
from tests.faults.processes import wait_until
from tests.web.conftest import NOBODY_LISTENS, table_at
from tests.web.html import Html

TROUBLES = ["engine_down", "engine_faulty"]
POST = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
NONCE = "n" * 22
MAY_BE_SAVED = "What you sent may have been saved. Look before you send it again."


@pytest.fixture(params=TROUBLES)
def in_trouble(request) -> Callable[[], None]:
    """`in_trouble()`: from now on the engine is down, or answers with faults."""
    return lambda: request.getfixturevalue(request.param)


@pytest.fixture
def broken():
    """Faults that nobody caught, as they happen."""
    seen: list[str] = []

    def note(sender: object, request: object, **_: object) -> None:
        seen.append(str(request))

    got_request_exception.connect(note)
    yield seen
    got_request_exception.disconnect(note)


@pytest.fixture
def member(alice, bob, log_in) -> Client:
    browser = log_in(alice)
    browser.raise_request_exception = False
    return browser


@pytest.fixture
def visitor() -> Client:
    return Client(raise_request_exception=False)


def unlike_a_pause(response) -> list[str]:
    """What of an answer is not that of a site that will be back in a moment."""
    text = response.content.decode()
    rules = {
        f"503, not {response.status_code}": response.status_code == 503,
        "when to come back": int(response.get("Retry-After", 0)) > 0,
        "a sentence": "Back in a moment" in text,
        "no traceback": "Traceback" not in text,
        "no address of the engine": "127.0.0.1" not in text,
    }
    return [rule for rule, holds in rules.items() if not holds]


PAGES = ["/", "/@bob", "/@bob/followers", "/local", "/settings/profile", "/posts/new", "/about"]
PAGES += [
    "/search?q=bob",
    "/explore",
    "/explore/people",
    "/people-to-follow",
    "/welcome",
    "/settings/profile/header",
]


def test_pages_say_so(member, broken, in_trouble):
    in_trouble()
    for path in PAGES:
        assert unlike_a_pause(member.get(path)) == [], path
        assert unlike_a_pause(member.get(path, headers=HTMX)) == [], f"{path} by htmx"
    assert broken == []


def test_pages_of_visitors_say_so(visitor, bob, broken, in_trouble):
    in_trouble()
    for path in ("/", "/@bob", "/local", "/search?q=bob", "/explore"):
        assert unlike_a_pause(visitor.get(path)) == [], path
    assert broken == []


CHANGES = [
    ("/@bob/follow", {"on": "1"}),
    (f"/@bob/posts/{POST}/like", {"on": "1"}),
    (f"/@alice/posts/{POST}/delete", {}),
    (f"/@alice/posts/{POST}/save", {}),
    (f"/saved/{POST}/remove", {}),
    ("/posts", {"content": "Hello", "nonce": NONCE}),
    ("/drafts", {"content": "Hello", "nonce": NONCE}),
    ("/settings/profile", {"name": "Alice"}),
    ("/settings/appearance", {"theme": "dark"}),
    ("/settings/language", {"language": "de"}),
    ("/welcome", {"bio": "Hello"}),
    ("/logout", {}),
]


def test_changes_say_so(member, broken, in_trouble):
    in_trouble()
    for path, form in CHANGES:
        assert unlike_a_pause(member.post(path, form)) == [], path
        assert unlike_a_pause(member.post(path, form, headers=HTMX)) == [], f"{path} by htmx"
    assert broken == []


FAULTS = {
    "engine_down": "We can’t reach our database.",
    "engine_faulty": "We got no good answer from our database.",
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_what_is_the_matter_is_told_and_that_what_was_sent_may_have_been_saved(
    member, request, trouble
):
    request.getfixturevalue(trouble)
    page = Html(member.get("/")).one("main").text
    assert FAULTS[trouble] in page
    assert "Nothing you’ve saved is lost." in page
    assert MAY_BE_SAVED not in page
    for headers in ({}, HTMX):
        answer = member.post("/posts", {"content": "Hello", "nonce": NONCE}, headers=headers)
        page = Html(answer)
        assert FAULTS[trouble] in page.one("main").text
        assert MAY_BE_SAVED in page.one("main").text
        assert not page.all("a", href="")  # where nothing is to be got
        assert "HX-Trigger" in answer if headers else "HX-Trigger" not in answer
    [toast] = json.loads(answer["HX-Trigger"])["toast"]
    assert FAULTS[trouble] in toast["text"]
    assert MAY_BE_SAVED in toast["text"]
    pressed = HTMX | {"HX-Trigger-Name": "on"}
    assert "HX-Trigger" not in member.post("/@bob/follow", {"on": "1"}, headers=pressed)


@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_full_disk_is_told_whatever_it_breaks(member, request, trouble, monkeypatch):
    request.getfixturevalue(trouble)
    monkeypatch.setattr(running, "LEAST_FREE", 1 << 62)
    for answer in (member.get("/"), member.post("/posts", {"content": "Hello", "nonce": NONCE})):
        assert "The disk of this site is full" in Html(answer).one("main").text


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_file_that_no_longer_fits_on_the_disk_is_no_fault_of_the_site(
    member, broken, monkeypatch, number
):
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, "No space left on device")

    monkeypatch.setattr("django.core.files.storage.FileSystemStorage._save", fail)
    picture = SimpleUploadedFile("me.jpeg", camera_jpeg(), "image/jpeg")
    answer = member.post("/settings/profile", {"name": "Alice", "avatar": picture})
    assert unlike_a_pause(answer) == []
    assert "The disk of this site is full" in Html(answer).one("main").text
    assert broken == []


@pytest.mark.usefixtures("table")
def test_signing_in_and_up_say_so(visitor, broken, in_trouble):
    in_trouble()
    form = {"account": "alice", "password": PASSWORD}
    assert unlike_a_pause(visitor.post("/login", form)) == []
    form = {"handle": "dora", "name": "Dora", "email": "d@example.org", "password": PASSWORD}
    assert unlike_a_pause(visitor.post("/signup", form)) == []
    assert broken == []


def test_what_is_wrong_with_a_request_is_no_fault_either(member, broken, in_trouble):
    in_trouble()
    assert member.get("/not/there").status_code in (404, 503)
    response = member.post("/posts", {"content": "x" * 400_000, "nonce": NONCE})
    assert response.status_code in (400, 413, 503), "a body that is too large"
    member.handler.enforce_csrf_checks = True
    assert member.post("/@bob/follow", {"on": "1"}).status_code in (403, 503), "without a token"
    assert broken == []


def test_pages_that_need_no_table_are_there_for_visitors(visitor, broken, in_trouble):
    in_trouble()
    for path in ("/about", "/login", "/signup", "/healthz"):
        assert visitor.get(path).status_code == 200, path
    assert visitor.get("/not/there").status_code == 404
    assert broken == []


def test_the_site_is_well_again_with_its_engine(member):
    with table_at(NOBODY_LISTENS):
        assert member.get("/").status_code == 503
    assert Html(member.get("/")).one("button", formaction="/logout")


def test_who_was_signed_in_still_is_afterwards(member, request):
    """A 503 takes no cookie away: being unable to look someone up signs nobody out."""
    request.getfixturevalue("engine_down")
    response = member.get("/")
    assert "session" not in response.cookies


# The lens never makes a fault of a page: without an engine it shows what the page asked, and asks nothing itself.


@pytest.fixture
def developing(settings):
    settings.DEBUG = True


@pytest.mark.usefixtures("developing")
@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_page_that_could_not_be_read_says_so_with_its_drawer(alice, log_in, request, trouble):
    browser = log_in(alice)
    request.getfixturevalue(trouble)
    answer = browser.get("/@alice")
    assert answer.status_code == 503
    assert b'id="lens"' in answer.content


@pytest.mark.usefixtures("developing")
@pytest.mark.usefixtures("engine_down")
def test_a_page_that_asked_nothing_needs_no_engine():
    browser = Client(enforce_csrf_checks=True)
    assert browser.post("/login", {"account": "alice", "password": "none"}).status_code == 403


# `/healthz` says that the process answers, `/readyz` that the table does too.


def test_a_living_process_says_so_without_the_table(engine_down):
    response = Client().get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok")
    assert response["Content-Type"].startswith("text/plain")


@pytest.mark.usefixtures("table")
def test_ready_means_that_the_table_answers_and_the_worker_works():
    assert Client().get("/readyz").json()["status"] == "degraded"
    worker = Worker()
    worker.step()
    for reader in worker.readers.values():
        reader.lease.beaten_at = 0
        reader.lease.keep()
    assert Client().get("/readyz").json()["status"] == "degraded"  # no clock yet
    do_due(beat=Beats())
    response = Client().get("/readyz")
    assert (response.status_code, response.json()["status"]) == (200, "ok")
    assert response.json()["worker"]["working"] is True


@pytest.mark.parametrize("trouble", ["engine_down", "engine_faulty"])
def test_not_ready_says_when_to_ask_again(request, trouble):
    request.getfixturevalue(trouble)
    response = Client().get("/readyz")
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0
    assert response.json() == {"status": "unavailable", "error": "Unavailable"}


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
@pytest.mark.parametrize("host", ["10.0.0.7", "10.0.0.7:8000", "evil.example", "not a host"])
def test_both_answer_any_host_without_https(settings, path, host):
    """A load balancer asks a machine by its address."""
    settings.SECURE_SSL_REDIRECT, settings.ALLOWED_HOSTS = True, ["social.example"]
    assert Client().get(path, HTTP_HOST=host).status_code == 200
    assert Client().get(path, HTTP_HOST=host, secure=True).status_code == 200


@pytest.mark.parametrize("path", ["/", "/about", "/healthz/", "/healthzz", "/x/healthz"])
def test_every_other_address_wants_https_and_a_known_host(settings, path):
    settings.SECURE_SSL_REDIRECT, settings.ALLOWED_HOSTS = True, ["social.example"]
    assert Client().get(path, HTTP_HOST="social.example").status_code == 301
    assert Client().get(path, HTTP_HOST="10.0.0.7", secure=True).status_code == 400


def test_neither_touches_the_session(alice, log_in):
    browser = log_in(alice)
    for path in ("/healthz", "/readyz"):
        assert not browser.get(path).cookies


@pytest.mark.parametrize(
    "path", ["/", "/about", "/local", "/@alice", "/login", "/signup", "/healthz", "/readyz"]
)
def test_head_is_answered_as_get_is(alice, path):
    """Monitors and link previews ask so."""
    response = Client().head(path)
    assert response.status_code == 200
    assert response.content == b""


def test_the_about_page_is_for_everybody(alice, log_in):
    visitor, member = Html(Client().get("/about")), Html(log_in(alice).get("/about"))
    assert visitor.all("a", class_="button", href="/signup")
    assert not member.all("a", class_="button", href="/signup")


# Whatever breaks, and wherever, the answer says that it did and nothing else: no detail, key or name of code.

DETAIL = "s3cr3t detail of a query"


def fault(**_: object) -> None:
    key = site_settings.SECRET_KEY  # in a local, where a page of debug mode would show it
    raise RuntimeError(f"{DETAIL} {key}")


def of_the_engine(error: type[Exception]) -> Callable[..., None]:
    def refuse(**_: object) -> None:
        raise error(DETAIL) from ValueError(f"{DETAIL}: u#01ARZ3NDEKTSV4RRFFQ69G5FAV")

    return refuse


class Breaks:
    """A value that breaks the template that shows it."""

    def __init__(self, **_: object) -> None:
        self.items = self

    def __iter__(self) -> object:
        raise RuntimeError(DETAIL)

    def __str__(self) -> str:
        raise RuntimeError(DETAIL)

    next_cursor = previous_cursor = ""


PLACES_OF_FAULTS = {
    "view": (fault, 500),
    "template": (Breaks, 500),
    "engine is down": (of_the_engine(Unavailable), 503),
    "engine refuses": (of_the_engine(Refused), 503),
}


@pytest.mark.parametrize(
    "headers", [{}, HTMX, {"Accept": "application/json"}], ids=["page", "htmx", "json"]
)
@pytest.mark.parametrize("where", PLACES_OF_FAULTS)
@pytest.mark.parametrize("who", ["visitor", "member", "admin"])
def test_an_answer_to_a_fault_tells_nothing_of_it(
    who, where, headers, bob, admin, log_in, monkeypatch, settings
):
    settings.DEBUG = False
    browser = Client() if who == "visitor" else log_in(bob if who == "member" else admin)
    browser.raise_request_exception = False
    breaks, status = PLACES_OF_FAULTS[where]
    monkeypatch.setattr(views, "list_public", breaks)
    answer = browser.get("/local", headers=headers)
    assert answer.status_code == status
    assert_tells_nothing(answer)


def test_nor_does_one_of_a_page_of_errors_that_breaks_itself(bob, log_in, monkeypatch, settings):
    """The frame of a 404 shows the viewer, who cannot be read."""
    settings.DEBUG = False
    monkeypatch.setattr("accounts.middleware.get_viewer", fault)
    browser = log_in(bob)
    browser.raise_request_exception = False
    answer = browser.get("/not/there")
    assert answer.status_code == 500
    assert_tells_nothing(answer)


def assert_tells_nothing(answer) -> None:
    said = html.unescape(answer.content.decode()) + json.dumps(dict(answer.headers))
    told = (
        *(DETAIL, "Traceback", "RuntimeError", "ValueError", "Refused", "Unavailable"),
        *(str(site_settings.BASE_DIR), "feed/home", ".py", "u#01ARZ3", "DynamoDB"),
        *(site_settings.SECRET_KEY, str(site_settings.DATA_KEY)),
    )
    assert [one for one in told if one and one in said] == []


@pytest.mark.parametrize("page", ["500.html", "503.html", "413.html"])
def test_the_pages_of_faults_need_nothing_that_could_break(page):
    assert "<h1" in render_to_string(page, {})


# A request that waited too long is refused before anything looks at it; who says how long is believed with care.


class Site:
    """An application that notes whether it was asked."""

    asked = False

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        self.asked = True
        start_response("200 OK", [])
        return [b"a page"]


def ask(site: Site, **environ: Any) -> tuple[str, dict[str, str], bytes]:
    started: list[Any] = []
    body = RefuseLate(site)({"PATH_INFO": "/", **environ}, lambda *said: started.extend(said))
    return started[0], dict(started[1]), b"".join(body)


def ago(seconds: float) -> str:
    return f"t={time.time() - seconds:.3f}"


@pytest.fixture
def behind_a_proxy(settings) -> None:
    settings.TRUSTED_PROXY_HOPS = 1


@pytest.fixture
def connection() -> Iterator[socket.socket]:
    """The server's end of a connection on which one byte came."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname())
        client.sendall(b"G")
        server, _ = listener.accept()
        yield server
        client.close()
        server.close()


@pytest.mark.usefixtures("behind_a_proxy")
def test_a_late_request_is_refused_and_told_when_to_come_back():
    site = Site()
    status, headers, body = ask(site, HTTP_X_REQUEST_START=ago(LONGEST + 1))
    assert status == "503 Service Unavailable"
    assert int(headers["Retry-After"]) > 0
    assert int(headers["Content-Length"]) == len(body)
    assert headers["Cache-Control"] == "no-store"
    assert b"try again" in body
    assert not site.asked


@pytest.mark.usefixtures("behind_a_proxy")
def test_a_refusal_has_a_line_in_the_log_and_counts(caplog):
    late, labels = ago(LONGEST + 1), ("none", "GET", 503)
    before = metrics.REQUESTS.labels(*labels)._value.get()
    with caplog.at_level("INFO", "requests"):
        logs.request_id.set("of-the-one-before")
        given = {"REQUEST_METHOD": "GET", "HTTP_X_REQUEST_ID": "id-by-the-proxy"}
        _, headers, _ = ask(Site(), HTTP_X_REQUEST_START=late, **given)
        ask(Site(), HTTP_X_REQUEST_START=late, REQUEST_METHOD="BREW")
    [line, of_another] = [json.loads(JsonFormatter().format(one)) for one in caplog.records]
    assert (line["message"], line["status"], line["method"]) == ("refused", 503, "GET")
    assert line["waited_ms"] > LONGEST * 1000
    assert headers["X-Request-ID"] == "id-by-the-proxy"
    assert of_another["method"] == "other"
    assert metrics.REQUESTS.labels(*labels)._value.get() == before + 1


@pytest.mark.usefixtures("behind_a_proxy")
def test_a_request_in_time_is_served():
    site = Site()
    assert ask(site, HTTP_X_REQUEST_START=ago(0.1))[0] == "200 OK"
    assert site.asked


@pytest.mark.usefixtures("behind_a_proxy")
def test_a_balancer_that_asks_for_health_late_is_answered():
    late = ago(LONGEST + 1)
    assert ask(Site(), PATH_INFO="/healthz", HTTP_X_REQUEST_START=late)[0] == "200 OK"
    assert ask(Site(), PATH_INFO="/readyz", HTTP_X_REQUEST_START=late)[0].startswith("503")


def test_without_a_trusted_proxy_nobody_is_believed(settings):
    """Else anyone could be refused, or keep themselves from it, by a header of their own."""
    settings.TRUSTED_PROXY_HOPS = 0
    assert age_of({"HTTP_X_REQUEST_START": ago(5)}) == 0


@pytest.mark.usefixtures("behind_a_proxy")
@pytest.mark.parametrize("unit", [1, 1000], ids=["seconds of nginx", "milliseconds of HAProxy"])
@pytest.mark.parametrize("prefix", ["t=", ""])
def test_seconds_and_milliseconds_are_understood(unit, prefix):
    start = f"{prefix}{(time.time() - 5) * unit:.3f}"
    assert age_of({"HTTP_X_REQUEST_START": start}) == pytest.approx(5, abs=1)


@pytest.mark.usefixtures("behind_a_proxy")
@pytest.mark.parametrize(
    "start",
    ["", "t=", "t=now", "t=nan", "t=inf", "t=-inf", "t=0", "t=-5", "t=1e400", "t=99999999999"],
)
def test_nonsense_and_other_clocks_refuse_nobody(start):
    assert age_of({"HTTP_X_REQUEST_START": start}) == 0
    assert age_of({"HTTP_X_REQUEST_START": ago(-30)}) == 0


def test_the_kernel_knows_how_long_a_connection_has_waited(connection):
    environ = {"gunicorn.socket": connection}
    assert age_of(environ) < 60
    waited = age_of(environ)
    wait_until(lambda: age_of(environ) >= waited + 0.2, seconds=30)


def test_a_connection_that_is_not_tcp_or_is_closed_has_no_age(connection):
    one, other = socket.socketpair()
    with one, other:
        assert age_of({"gunicorn.socket": one}) == 0
    connection.close()
    assert age_of({"gunicorn.socket": connection}) == 0
    assert age_of({}) == 0
