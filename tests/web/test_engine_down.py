"""When the engine cannot answer, the site says so and when to come back; it never breaks."""

import errno
import json
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.signals import got_request_exception
from django.test import Client

from socialsite.engine import running
from tests.accounts.pictures import camera_jpeg
from tests.conftest import HTMX, PASSWORD
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
PAGES += ["/search?q=bob", "/explore", "/people-to-follow", "/welcome", "/settings/profile/header"]


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
