"""When the engine cannot answer, the site says so and when to come back; it never breaks."""

import pytest
from django.conf import settings
from django.core.signals import got_request_exception
from django.test import Client

from tests.conftest import HTMX, PASSWORD
from tests.web.conftest import NOBODY_LISTENS, move_table
from tests.web.html import Html

TROUBLES = ["engine_down", "engine_faulty"]
NONCE = "n" * 22


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


def assert_unavailable(response, broken: list[str]) -> None:
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0
    text = response.content.decode()
    assert "Back in a moment" in text
    assert "Traceback" not in text
    assert "127.0.0.1" not in text
    assert broken == []


@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize(
    "path",
    ["/", "/@bob", "/@bob/followers", "/local", "/settings/profile", "/posts/new", "/about",
     "/search?q=bob", "/explore", "/people-to-follow", "/welcome", "/settings/profile/header"],
)  # fmt: skip
def test_pages_say_so(member, broken, request, trouble, path):
    request.getfixturevalue(trouble)
    assert_unavailable(member.get(path), broken)
    assert_unavailable(member.get(path, headers=HTMX), broken)


@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize("path", ["/", "/@bob", "/local", "/search?q=bob", "/explore"])
def test_pages_of_visitors_say_so(visitor, bob, broken, request, trouble, path):
    request.getfixturevalue(trouble)
    assert_unavailable(visitor.get(path), broken)


@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/@bob/follow", {"on": "1"}),
        ("/@bob/posts/01ARZ3NDEKTSV4RRFFQ69G5FAV/like", {"on": "1"}),
        ("/@alice/posts/01ARZ3NDEKTSV4RRFFQ69G5FAV/delete", {}),
        ("/@alice/posts/01ARZ3NDEKTSV4RRFFQ69G5FAV/save", {}),
        ("/saved/01ARZ3NDEKTSV4RRFFQ69G5FAV/remove", {}),
        ("/posts", {"content": "Hello", "nonce": NONCE}),
        ("/drafts", {"content": "Hello", "nonce": NONCE}),
        ("/settings/profile", {"name": "Alice"}),
        ("/settings/appearance", {"theme": "dark"}),
        ("/settings/language", {"language": "de"}),
        ("/welcome", {"bio": "Hello"}),
        ("/logout", {}),
    ],
)
def test_changes_say_so(member, broken, request, trouble, path, form):
    request.getfixturevalue(trouble)
    assert_unavailable(member.post(path, form), broken)
    assert_unavailable(member.post(path, form, headers=HTMX), broken)


@pytest.mark.parametrize("trouble", TROUBLES)
def test_signing_in_and_up_say_so(visitor, broken, table, request, trouble):
    request.getfixturevalue(trouble)
    form = {"account": "alice", "password": PASSWORD}
    assert_unavailable(visitor.post("/login", form), broken)
    form = {"handle": "dora", "name": "Dora", "email": "d@example.org", "password": PASSWORD}
    assert_unavailable(visitor.post("/signup", form), broken)


@pytest.mark.parametrize("trouble", TROUBLES)
def test_an_address_that_is_not_there_is_no_fault(member, broken, request, trouble):
    request.getfixturevalue(trouble)
    assert member.get("/not/there").status_code in (404, 503)
    assert broken == []


@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_form_without_a_token_is_no_fault(member, broken, request, trouble):
    request.getfixturevalue(trouble)
    member.handler.enforce_csrf_checks = True
    assert member.post("/@bob/follow", {"on": "1"}).status_code in (403, 503)
    assert broken == []


@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_body_too_large_is_no_fault(member, broken, request, trouble):
    request.getfixturevalue(trouble)
    response = member.post("/posts", {"content": "x" * 400_000, "nonce": NONCE})
    assert response.status_code in (400, 413, 503)
    assert broken == []


@pytest.mark.parametrize("trouble", TROUBLES)
def test_pages_that_need_no_table_are_there_for_visitors(visitor, broken, request, trouble):
    request.getfixturevalue(trouble)
    for path in ("/about", "/login", "/signup", "/healthz"):
        assert visitor.get(path).status_code == 200
    assert visitor.get("/not/there").status_code == 404
    assert broken == []


def test_the_site_is_well_again_with_its_engine(member):
    before = settings.DYNAMODB_ENDPOINT
    move_table(NOBODY_LISTENS)
    try:
        assert member.get("/").status_code == 503
    finally:
        move_table(before)
    assert Html(member.get("/")).one("button", formaction="/logout")


def test_who_was_signed_in_still_is_afterwards(member, request):
    """A 503 takes no cookie away: being unable to look someone up signs nobody out."""
    request.getfixturevalue("engine_down")
    response = member.get("/")
    assert "session" not in response.cookies
