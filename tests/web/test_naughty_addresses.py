"""Every address takes any text in its path and its query: a page or a refusal, never a fault."""

from urllib.parse import quote, quote_from_bytes

import pytest
from django.test import Client

from tests.conftest import HTMX, PASSWORD, post
from tests.web.naughty import BROKEN_BYTES, SOME

pytestmark = pytest.mark.usefixtures("no_limits")

SHORT = [text for text in SOME if len(text) < 3_000]
LONG = [text[:3_000] for text in SOME if len(text) >= 3_000]
QUOTED = [quote(text, safe="") for text in SHORT + LONG]
QUOTED += [quote_from_bytes(broken) for broken in BROKEN_BYTES]
QUOTED += ["%", "%0", "%u0041", "%25%30%30", "a=b&page=c", "%F0%9F%92%A9%"]


def ask(browser: Client, path: str, **extra) -> int:
    """The status for a path that is already quoted, as a browser would send it."""
    path, _, query = path.partition("?")
    return browser.get(path, QUERY_STRING=query, **extra).status_code


@pytest.mark.parametrize("who", ["member", "visitor"])
def test_a_cursor_takes_any_text(alice, log_in, who):
    browser = log_in(alice) if who == "member" else Client()
    post_id = post(alice)
    paths = ["/@alice", "/local", "/@alice/followers", "/@alice/following"]
    paths.append(f"/@alice/posts/{post_id}/likers")
    if who == "member":
        paths.append("/")
    for text in QUOTED:
        for path in paths if text in QUOTED[::8] else paths[:2]:
            # Only blank text may pass for no cursor at all.
            assert ask(browser, f"{path}?page={text}") in (200, 400), (path, text[:60])


def test_the_place_of_the_pill_takes_any_text(alice, log_in):
    browser = log_in(alice)
    for text in QUOTED:
        assert ask(browser, f"/pulse?seen={text}", headers=HTMX) in (200, 400), text[:60]
        assert ask(browser, f"/pulse?since={text}", headers=HTMX) in (200, 400), text[:60]
        assert ask(browser, f"/new?show={text}", headers=HTMX) in (200, 204, 400), text[:60]


def test_the_target_after_signing_in_takes_any_text_and_stays_here(alice, log_in):
    member = log_in(alice)
    member.raise_request_exception = False
    for text in QUOTED:
        assert ask(Client(), f"/login?next={text}") == 200, text[:60]
        response = member.get("/login", QUERY_STRING=f"next={text}")
        assert response.status_code in (302, 400), text[:60]
        if response.status_code == 302:
            target = response["Location"]
            assert not target.startswith(("//", "/\\", "\\")), text[:60]
            assert ":" not in target.partition("/")[0], text[:60]


def test_the_target_in_the_form_takes_any_text(alice):
    for text in [*SHORT, *LONG]:
        browser = Client(raise_request_exception=False)
        form = {"account": "alice", "password": PASSWORD, "next": text}
        assert browser.post("/login", form).status_code in (302, 400), text[:60]


def test_handles_and_post_ids_take_any_text(alice, log_in):
    browser = log_in(alice)
    post_id = post(alice)
    for text in QUOTED:
        for path in (f"/@{text}", f"/@alice/posts/{text}", f"/{text}"):
            assert ask(browser, path) in (200, 301, 302, 400, 404), path[:60]
    for text in QUOTED[::5]:
        for path in (
            f"/@{text}/followers",
            f"/@{text}/posts/{post_id}",
            f"/@alice/posts/{text}/likers",
            f"/media/{text}",
        ):
            assert ask(browser, path) in (400, 404), path[:60]
        for path in (
            f"/@{text}/follow",
            f"/@alice/posts/{text}/like",
            f"/@alice/posts/{text}/delete",
            f"/@alice/posts/{text}/save",
            f"/saved/{text}/remove",
            f"/drafts/{text}/delete",
            f"/scheduled/{text}/publish",
            f"/scheduled/1-{text}/delete",
            f"/saved/folder/delete?folder={text}",
        ):
            assert browser.post(path, {"on": "1"}).status_code in (400, 404), path[:60]


HEADERS = [
    "User-Agent",
    "Referer",
    "Accept-Language",
    "X-Forwarded-For",
    "HX-Current-URL",
    "Cookie",
    "Accept",
]


@pytest.mark.parametrize("name", HEADERS)
def test_headers_take_any_text(alice, name):
    form = {"account": "alice", "password": PASSWORD}
    for text in SHORT[::3]:
        value = text.encode().decode("latin-1").replace("\n", "").replace("\r", "")
        browser = Client(headers={name: value} | HTMX)
        assert browser.get("/@alice").status_code == 200, text[:60]
        assert browser.post("/login", form).status_code == 302, text[:60]


@pytest.mark.parametrize(
    "host", ["evil.example", "testserver:x", "[::1", "a b", "testserver@evil.example", ""]
)
def test_another_host_is_refused(table, host):
    response = Client(raise_request_exception=False).get("/", HTTP_HOST=host)
    assert response.status_code == 400
