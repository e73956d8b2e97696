"""What guards every answer: headers, forms of this site alone, compression, and files for robots."""

import gzip
import io
from datetime import datetime, timedelta
from itertools import product
from urllib.robotparser import RobotFileParser

import brotli
import pytest
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.http import HttpResponse, StreamingHttpResponse
from django.templatetags.static import static
from django.test import Client, RequestFactory
from django.urls import resolve

from feed.home import views
from socialsite.clock import utc_now
from socialsite.table import keys, query
from socialsite.table.ids import new_id
from socialsite.web.compression import LEAST, MOST_PADDING, CompressionMiddleware, compress
from socialsite.web.pages import CLOSED
from tests.conftest import HTMX, PASSWORD, post
from tests.web.chat_authorisation import CHAT_ROWS
from tests.web.html import Html
from tests.web.staff_authorisation import SETTINGS_ROWS, STAFF_ROWS

SENSITIVE = [row for row in (*SETTINGS_ROWS, *CHAT_ROWS, *STAFF_ROWS) if row.method == "get"]


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


@pytest.mark.usefixtures("served_static")
def test_every_answer_has_every_guard(answers):
    """Files have all but those of pages, which their sandbox makes idle. Pictures of people are for other sites too."""
    missing = {
        kind: lacking
        for kind, response in answers.items()
        if (lacking := {name for name in GUARDS if response.get(name) != GUARDS[name]})
    }
    assert missing == {"static": OF_PAGES, "media": {"Cross-Origin-Resource-Policy"}}


@pytest.mark.usefixtures("served_static")
def test_pictures_that_everyone_may_see_are_for_other_sites_too(answers):
    """Apps that are websites show them. Nothing else is for them, and no cookie comes along."""
    icon = Client().get(static("icons/missing.png"))
    for shown in (answers["media"], icon):
        assert shown.status_code == 200
        assert shown["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert shown["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in shown
    others = answers.keys() - {"media"}
    assert [kind for kind in others if "Access-Control-Allow-Origin" in answers[kind]] == []


@pytest.mark.usefixtures("served_static")
def test_every_answer_has_a_content_security_policy(answers):
    assert [kind for kind in answers if "Content-Security-Policy" not in answers[kind]] == []
    for kind, response in answers.items():
        rules = policy(response)
        assert rules["default-src"] == ["'none'"], kind
        assert "unsafe" not in response["Content-Security-Policy"], kind
        if kind not in ("media", "static"):
            assert {name: rules.get(name) for name in POLICY} == POLICY, kind


@pytest.mark.usefixtures("served_static")
def test_files_may_do_nothing_at_all_and_are_for_our_own_pages_alone(answers):
    """Nothing is allowed that the policy of pages forbids: no form, no script, no frame, no base."""
    assert policy(answers["static"]) == {
        "default-src": ["'none'"],
        "frame-ancestors": ["'none'"],
        "sandbox": [],
    }
    assert policy(answers["media"]) == {"default-src": ["'none'"], "sandbox": []}
    assert "Access-Control-Allow-Origin" not in answers["static"]


@pytest.mark.usefixtures("served_static")
def test_the_answers_are_what_they_are_called(answers):
    expected = {
        "home": 200, "fragment": 200, "redirect": 302, "empty": 204, "refused form": 422, "deleted": 302,
        "not found": 404, "not found by a view": 404, "bad cursor": 400, "wrong method": 405, "no token": 403,
        "too large": 413, "another host": 400, "static": 200, "static not found": 404, "media": 200,
    }  # fmt: skip
    assert {kind: answers[kind].status_code for kind in expected} == expected


@pytest.mark.usefixtures("served_static")
def test_no_page_is_shared_between_people_or_kept_unasked(answers):
    for kind in (
        "home", "landing", "fragment", "profile", "press", "refused form", "not found", "bad cursor",
        "redirect", "deleted",
    ):  # fmt: skip
        response = answers[kind]
        assert response["Cache-Control"] == "private, no-cache", kind
        vary = {part.strip() for part in response["Vary"].split(",")}
        assert {"Cookie", "HX-Request"} <= vary, kind


@pytest.mark.usefixtures("served_static")
def test_what_is_the_same_for_everyone_may_be_shared(answers):
    assert answers["feed"]["Cache-Control"] == "public, max-age=300"
    assert answers["robots"]["Cache-Control"] == "public, max-age=86400"
    for kind in ("feed", "robots"):
        assert "Cookie" not in answers[kind].get("Vary", ""), kind
        assert not answers[kind].cookies, kind


@pytest.mark.usefixtures("served_static")
def test_every_text_says_its_encoding(answers):
    texts = {kind: answer["Content-Type"] for kind, answer in answers.items()}
    texts = {kind: told for kind, told in texts.items() if told.startswith("text/")}
    assert len(texts) > 15
    assert {kind: told for kind, told in texts.items() if "charset=" not in told} == {}


@pytest.mark.usefixtures("served_static")
def test_nothing_of_the_code_is_served(table):
    for path in ("/.git/config", "/.env", "/manage.py", "/static/", "/var/data_key.txt"):
        assert Client().get(path).status_code == 404, path


@pytest.mark.usefixtures("served_static")
def test_security_pages_are_never_stored(answers):
    assert answers["settings"]["Cache-Control"] == "no-store"


@pytest.mark.usefixtures("served_static")
def test_no_page_about_an_account_or_a_case_is_ever_stored(alice, admin, log_in):
    """Each address that settings and staff pages have, refusals and redirects included."""
    for row, browser in product(SENSITIVE, (log_in(alice), log_in(admin), Client())):
        response = browser.get(row.address.format(alice=alice.user_id))
        if not row.address.startswith("/about"):
            assert "no-store" in response["Cache-Control"], (row.address, response.status_code)


@pytest.mark.usefixtures("served_static")
def test_no_page_on_the_way_in_is_ever_stored(table):
    for path in ("/login", "/signup", "/login/code", "/password/no-such-page"):
        assert "no-store" in Client().get(path)["Cache-Control"], path


@pytest.mark.usefixtures("served_static")
def test_no_answer_repeats_a_traced_request(table):
    for path in ("/", "/local", "/settings/profile", "/media/x", "/healthz"):
        response = Client().generic("TRACE", path, headers={"X-Secret": "echo"})
        assert "echo" not in response.content.decode(), path
        assert response.get("Content-Type") != "message/http", path


@pytest.mark.usefixtures("served_static")
def test_a_health_answer_is_never_kept_by_a_cache(table):
    for path in ("/healthz", "/readyz"):
        kept = Client().get(path).get("Cache-Control", "")
        assert {"no-cache", "no-store"} & set(kept.split(", ")), path


@pytest.mark.usefixtures("served_static")
def test_a_fault_is_a_plain_page_with_all_guards(table, monkeypatch):
    def fault(**_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(views, "list_public", fault)
    response = Client(raise_request_exception=False).get("/local")
    assert response.status_code == 500
    assert "Something went wrong on our side" in response.content.decode()
    assert "secret detail" not in response.content.decode()
    assert policy(response)["default-src"] == ["'none'"]


@pytest.mark.usefixtures("served_static")
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


# A form that did not come from this site changes nothing and gets a page of its own.


def strict(browser: Client) -> Client:
    browser.handler.enforce_csrf_checks = True
    return browser


ADDRESSES = [
    "/signup", "/login", "/login/code", "/login/passkey", "/confirm", "/settings/security/begin",
    "/settings/passkeys/add", "/settings/security/sign-out-others", "/logout", "/posts", "/settings/profile",
    "/settings/appearance", "/password/forgot", "/password/reset/x", "/email/confirm/x", "/email/undo/x",
    "/settings/language", "/welcome", "/@bob/follow", "/@alice/posts/{post}/like", "/@alice/posts/{post}/delete",
    "/people-to-follow/bob/dismiss", "/@alice/posts/{post}/save", "/saved/{post}/remove", "/drafts",
    "/drafts/{post}/delete", "/@alice/posts/{post}/edit", "/@alice/posts/{post}/pin",
]  # fmt: skip


def test_a_form_without_a_token_is_refused_with_a_page(alice, bob, log_in):
    post_id = post(alice)
    browser = strict(log_in(alice))
    form = {"on": "1", "content": "x", "nonce": "n" * 22, "name": "Changed"}
    for address, headers in product(ADDRESSES, ({}, HTMX)):
        response = browser.post(address.format(post=post_id), form, headers=headers)
        assert response.status_code == 403, (address, headers)
        assert "This page was open for a long time" in response.content.decode(), address
    assert Html(browser.get("/settings/profile")).value("name") == "Alice Archer"
    assert [raw["post_id"]["S"] for raw in query(keys.posts(alice.user_id))] == [post_id]
    assert not list(query(keys.followings(alice.user_id)))
    assert not list(query(keys.likes(post_id)))


def test_a_wrong_token_is_refused(alice, log_in):
    browser = strict(log_in(alice))
    browser.get("/settings/profile")
    for token in ("", "x" * 64, "é" * 64, "x" * 10_000):
        form = {"name": "Changed", "csrfmiddlewaretoken": token}
        assert browser.post("/settings/profile", form).status_code == 403


def test_a_form_from_another_site_is_refused_even_with_the_token(alice, log_in):
    browser = strict(log_in(alice))
    token = Html(browser.get("/settings/profile")).value("csrfmiddlewaretoken")
    form = {"name": "Changed", "csrfmiddlewaretoken": token}
    for origin in ("https://evil.example", "null"):
        response = browser.post("/settings/profile", form, headers={"Origin": origin})
        assert response.status_code == 403


def test_every_form_of_the_site_carries_its_token(alice, bob, log_in):
    post_id = post(alice)
    member, visitor = strict(log_in(alice)), strict(Client())
    for browser, path in (
        *((visitor, path) for path in ("/signup", "/login", "/settings/appearance")),
        *((member, path) for path in ("/", "/posts/new", "/settings/profile", "/@bob")),
        (member, f"/@alice/posts/{post_id}/delete"),
    ):
        page = Html(browser.get(path))
        forms = page.all("form", method="post")
        assert forms
        assert len(page.all(name="csrfmiddlewaretoken")) == len(forms), path


def test_the_buttons_work_with_the_token_of_their_page(alice, bob, log_in):
    browser = strict(log_in(alice))
    page = Html(browser.get("/@bob"))
    assert page.one("button", class_="follow")["form"] == page.one("form", id="act")["id"]
    token = page.value("csrfmiddlewaretoken")
    form = {"on": "1", "csrfmiddlewaretoken": token}
    assert browser.post("/@bob/follow", form, headers=HTMX).status_code == 200


def test_a_visitor_signs_in_with_the_token_of_the_form(alice):
    browser = strict(Client())
    token = Html(browser.get("/login")).value("csrfmiddlewaretoken")
    form = {"account": "alice", "password": PASSWORD}
    assert browser.post("/login", form).status_code == 403
    assert browser.post("/login", form | {"csrfmiddlewaretoken": token}).status_code == 302


# Pages come in brotli to browsers that take it, in gzip to others, and their length tells nothing (BREACH).

PAGE = b"<p>Herons by the canal</p>" * 100
BROWSERS = "gzip, deflate, br, zstd"


def answer(accepted: str, response: HttpResponse | StreamingHttpResponse | None = None):
    request = RequestFactory().get("/", headers={"Accept-Encoding": accepted})
    return CompressionMiddleware(lambda _: response or HttpResponse(PAGE))(request)


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("accepted", [BROWSERS, "br", "br;q=0.5, gzip", "gzip, BR ; q=1.0"])
def test_a_browser_that_takes_brotli_gets_it(accepted):
    response = answer(accepted)
    assert response["Content-Encoding"] == "br"
    assert brotli.decompress(response.content) == PAGE
    assert response["Content-Length"] == str(len(response.content))
    assert response["Vary"] == "Accept-Encoding"


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("accepted", ["gzip", "gzip, br;q=0", "gzip, br; q=0.00", "brotli, gzip"])
def test_another_gets_gzip(accepted):
    response = answer(accepted)
    assert response["Content-Encoding"] == "gzip"
    assert gzip.decompress(response.content) == PAGE
    assert response["Vary"] == "Accept-Encoding"


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("accepted", ["", "identity", "br;q=0, identity"])
def test_a_browser_that_takes_neither_gets_it_as_it_is_and_caches_are_told(accepted):
    response = answer(accepted)
    assert response.content == PAGE
    assert not response.has_header("Content-Encoding")
    assert response["Vary"] == "Accept-Encoding"


@pytest.mark.usefixtures("table")
def test_the_length_of_the_same_page_varies():
    lengths = {len(compress(PAGE)) for _ in range(400)}
    assert len(lengths) > MOST_PADDING / 2
    assert max(lengths) - min(lengths) < MOST_PADDING


@pytest.mark.usefixtures("table")
def test_every_length_of_padding_is_read_by_decoders(monkeypatch):
    for length in range(MOST_PADDING):
        monkeypatch.setattr("secrets.randbelow", lambda _, length=length: length)
        for content in (b"a", PAGE, bytes(range(256)) * 300):
            assert brotli.decompress(compress(content)) == content


@pytest.mark.usefixtures("table")
def test_what_is_short_stays_as_it_is():
    response = answer(BROWSERS, HttpResponse(b"x" * (LEAST - 1)))
    assert not response.has_header("Content-Encoding")


@pytest.mark.usefixtures("table")
def test_what_is_compressed_already_stays_as_it_is():
    response = answer(BROWSERS, HttpResponse(PAGE, headers={"Content-Encoding": "zstd"}))
    assert (response.content, response["Content-Encoding"]) == (PAGE, "zstd")


@pytest.mark.usefixtures("table")
def test_an_etag_no_longer_promises_the_same_bytes():
    assert answer(BROWSERS, HttpResponse(PAGE, headers={"ETag": '"a"'}))["ETag"] == 'W/"a"'
    assert answer(BROWSERS, HttpResponse(PAGE, headers={"ETag": 'W/"a"'}))["ETag"] == 'W/"a"'


@pytest.mark.usefixtures("table")
def test_a_stream_keeps_djangos_gzip():
    response = answer(BROWSERS, StreamingHttpResponse(iter([PAGE, PAGE])))
    assert response["Content-Encoding"] == "gzip"
    assert gzip.decompress(b"".join(response)) == PAGE * 2


@pytest.mark.usefixtures("table")
def test_the_site_compresses_its_pages():
    page = Client().get("/login", headers={"Accept-Encoding": BROWSERS})
    assert page["Content-Encoding"] == "br"
    assert b"</html>" in brotli.decompress(page.content)


# `/robots.txt` lets search engines see what visitors see, and no forms.


@pytest.fixture
def robots() -> RobotFileParser:
    response = Client().get("/robots.txt")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    parser = RobotFileParser()
    parser.parse(response.content.decode().splitlines())
    return parser


def test_what_visitors_read_may_be_asked_for(robots):
    for path in ("/", "/local", "/@alice", "/@alice/posts/01KAAAAAAAAAAAAAAAAAAAAAAA", "/about"):
        assert robots.can_fetch("*", path), path
    assert robots.can_fetch("*", "/@alice/feed.atom")


def test_forms_and_what_needs_a_sign_in_may_not(robots):
    for path in ("/settings/profile", "/moderation/queue", "/login?next=/", "/search?q=a"):
        assert not robots.can_fetch("*", path), path


def test_every_address_that_is_closed_is_one_of_the_site():
    for path in CLOSED:
        assert resolve(path).url_name, path


def test_it_asks_nothing_of_the_table(table, measure):
    with measure() as meter:
        Client().get("/robots.txt")
    assert meter.calls == []


# `/.well-known/security.txt` says where to report a weakness, if the site has said so.

ADDRESS = "/.well-known/security.txt"


def test_it_names_each_contact_and_a_day_within_a_year(settings, table):
    settings.SECURITY_CONTACT = ["mailto:security@social.example", "https://social.example/rules"]
    response = Client().get(ADDRESS)
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    lines = [line.partition(": ") for line in response.content.decode().splitlines()]
    assert [value for name, _, value in lines if name == "Contact"] == settings.SECURITY_CONTACT
    (expires,) = [value for name, _, value in lines if name == "Expires"]
    assert utc_now() < datetime.fromisoformat(expires) < utc_now() + timedelta(days=365)


@pytest.mark.usefixtures("table")
def test_without_a_contact_there_is_none(settings):
    settings.SECURITY_CONTACT = []
    assert Client().get(ADDRESS).status_code == 404


def test_a_contact_that_is_no_address_is_one_sentence(settings):
    settings.SECURITY_CONTACT = ["security@social.example"]
    with pytest.raises(SystemCheckError, match=r"SECURITY_CONTACT has security@social\.example"):
        call_command("check")
