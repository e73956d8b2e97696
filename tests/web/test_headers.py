"""Headers that guard every answer, whatever it is, and what caches may keep."""

import io
from itertools import product

import pytest
from django.core.files.storage import default_storage
from django.test import Client

from feed.home import views
from socialsite.table.ids import new_id
from tests.conftest import HTMX, post
from tests.web.html import Html
from tests.web.settings_authorisation import SETTINGS_ROWS
from tests.web.staff_authorisation import STAFF_ROWS

SENSITIVE = [row for row in (*SETTINGS_ROWS, *STAFF_ROWS) if row.method == "get"]
pytestmark = pytest.mark.usefixtures("served_static")


def policy(response) -> dict[str, list[str]]:
    parts = (part.split() for part in response["Content-Security-Policy"].split(";"))
    return {name: sources for name, *sources in parts}


@pytest.fixture
def answers(alice, bob, log_in, settings, tmp_path):
    """One of every kind of answer."""
    settings.MEDIA_ROOT = tmp_path
    name = f"avatars/{new_id()}.webp"
    default_storage.save(name, io.BytesIO(b"RIFF"))
    member, visitor = log_in(alice), Client(raise_request_exception=False)
    strict = Client(enforce_csrf_checks=True)
    own, others = post(alice), post(bob)
    return {
        "home": member.get("/"),
        "landing": visitor.get("/"),
        "fragment": member.get("/", headers=HTMX),
        "profile": visitor.get("/@alice"),
        "feed": visitor.get("/@alice/feed.atom"),
        "robots": visitor.get("/robots.txt"),
        "redirect": visitor.get("/posts/new"),
        "settings": member.get("/settings/profile"),
        "empty": member.get("/new", headers=HTMX),
        "press": member.post(f"/@bob/posts/{others}/like", {"on": "1"}, headers=HTMX),
        "refused form": member.post("/posts", {"content": ""}),
        "deleted": member.post(f"/@alice/posts/{own}/delete"),
        "not found": visitor.get("/not/there"),
        "not found by a view": visitor.get("/@not_there"),
        "bad cursor": visitor.get("/@alice?page=x"),
        "wrong method": visitor.get("/logout"),
        "no token": strict.post("/login"),
        "too large": visitor.post("/login", {"account": "x" * 400_000}),
        "another host": visitor.get("/", HTTP_HOST="evil.example"),
        "static": visitor.get("/static/css/base.css"),
        "static not found": visitor.get("/static/css/none.css"),
        "media": visitor.get(f"/media/{name}"),
        "healthz": visitor.get("/healthz"),
        "readyz": visitor.get("/readyz"),
    }


GUARDS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
# The sandbox of a file's policy already holds what these do, see `test_files_may_do_nothing_at_all_…`.
OF_PAGES = GUARDS.keys() - {"X-Content-Type-Options", "Cross-Origin-Resource-Policy"}
POLICY = {
    "default-src": ["'none'"],
    "frame-ancestors": ["'none'"],
    "base-uri": ["'none'"],
    "object-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "connect-src": ["'self'"],
    "form-action": ["'self'"],
}


def test_every_answer_has_every_guard(answers):
    """Files have all but those of pages, which their sandbox makes idle."""
    missing = {
        kind: lacking
        for kind, response in answers.items()
        if (lacking := {name for name in GUARDS if response.get(name) != GUARDS[name]})
    }
    assert missing == {"static": OF_PAGES}


def test_every_answer_has_a_content_security_policy(answers):
    assert [kind for kind in answers if "Content-Security-Policy" not in answers[kind]] == []
    for kind, response in answers.items():
        rules = policy(response)
        assert rules["default-src"] == ["'none'"], kind
        assert "unsafe" not in response["Content-Security-Policy"], kind
        if kind not in ("media", "static"):
            assert {name: rules.get(name) for name in POLICY} == POLICY, kind


def test_files_may_do_nothing_at_all_and_are_for_our_own_pages_alone(answers):
    """Nothing is allowed that the policy of pages forbids: no form, no script, no frame, no base."""
    assert policy(answers["static"]) == {
        "default-src": ["'none'"],
        "frame-ancestors": ["'none'"],
        "sandbox": [],
    }
    assert policy(answers["media"]) == {"default-src": ["'none'"], "sandbox": []}
    for kind in ("static", "media"):
        assert "Access-Control-Allow-Origin" not in answers[kind], kind


def test_the_answers_are_what_they_are_called(answers):
    expected = {
        "home": 200, "fragment": 200, "redirect": 302, "empty": 204, "refused form": 422, "deleted": 302,
        "not found": 404, "not found by a view": 404, "bad cursor": 400, "wrong method": 405, "no token": 403,
        "too large": 413, "another host": 400, "static": 200, "static not found": 404, "media": 200,
    }  # fmt: skip
    assert {kind: answers[kind].status_code for kind in expected} == expected


def test_no_page_is_shared_between_people_or_kept_unasked(answers):
    for kind in (
        "home", "landing", "fragment", "profile", "press", "refused form", "not found", "bad cursor",
        "redirect", "deleted",
    ):  # fmt: skip
        response = answers[kind]
        assert response["Cache-Control"] == "private, no-cache", kind
        vary = {part.strip() for part in response["Vary"].split(",")}
        assert {"Cookie", "HX-Request"} <= vary, kind


def test_what_is_the_same_for_everyone_may_be_shared(answers):
    assert answers["feed"]["Cache-Control"] == "public, max-age=300"
    assert answers["robots"]["Cache-Control"] == "public, max-age=86400"
    for kind in ("feed", "robots"):
        assert "Cookie" not in answers[kind].get("Vary", ""), kind
        assert not answers[kind].cookies, kind


def test_every_text_says_its_encoding(answers):
    texts = {kind: answer["Content-Type"] for kind, answer in answers.items()}
    texts = {kind: told for kind, told in texts.items() if told.startswith("text/")}
    assert len(texts) > 15
    assert {kind: told for kind, told in texts.items() if "charset=" not in told} == {}


def test_nothing_of_the_code_is_served(table):
    for path in ("/.git/config", "/.env", "/manage.py", "/static/", "/var/data_key.txt"):
        assert Client().get(path).status_code == 404, path


def test_security_pages_are_never_stored(answers):
    assert answers["settings"]["Cache-Control"] == "no-store"


def test_no_page_about_an_account_or_a_case_is_ever_stored(alice, admin, log_in):
    """Each address that settings and staff pages have, refusals and redirects included."""
    for row, browser in product(SENSITIVE, (log_in(alice), log_in(admin), Client())):
        response = browser.get(row.address.format(alice=alice.user_id))
        if not row.address.startswith("/about"):
            assert "no-store" in response["Cache-Control"], (row.address, response.status_code)


def test_no_page_on_the_way_in_is_ever_stored(table):
    for path in ("/login", "/signup", "/login/code", "/password/no-such-page"):
        assert "no-store" in Client().get(path)["Cache-Control"], path


def test_no_answer_repeats_a_traced_request(table):
    for path in ("/", "/local", "/settings/profile", "/media/x", "/healthz"):
        response = Client().generic("TRACE", path, headers={"X-Secret": "echo"})
        assert "echo" not in response.content.decode(), path
        assert response.get("Content-Type") != "message/http", path


def test_a_health_answer_is_never_kept_by_a_cache(table):
    for path in ("/healthz", "/readyz"):
        kept = Client().get(path).get("Cache-Control", "")
        assert {"no-cache", "no-store"} & set(kept.split(", ")), path


def test_a_fault_is_a_plain_page_with_all_guards(table, monkeypatch):
    def fault(**_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(views, "list_public", fault)
    response = Client(raise_request_exception=False).get("/local")
    assert response.status_code == 500
    assert "Something went wrong on our side" in response.content.decode()
    assert "secret detail" not in response.content.decode()
    assert policy(response)["default-src"] == ["'none'"]


def test_no_page_has_script_or_style_inside(alice, log_in):
    browser = log_in(alice)
    for path in (
        "/",
        "/local",
        "/@alice",
        "/about",
        "/settings/profile",
        "/posts/new",
        "/not/there",
    ):
        page = Html(browser.get(path))
        assert all("src" in script.attributes for script in page.all("script"))
        assert not page.all("style")
        for element in page.elements:
            assert "style" not in element.attributes, path
            assert not [name for name in element.attributes if name.startswith(("on", "hx-on"))]
