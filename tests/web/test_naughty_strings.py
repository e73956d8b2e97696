"""Every form field and address takes any text: a page or a refusal, never a fault."""

import secrets
import unicodedata
from itertools import product
from urllib.parse import quote, quote_from_bytes, urlencode

import pytest
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from socialsite.texts import without_unseen
from tests.accounts.authenticator import prove
from tests.conftest import HTMX, PASSWORD, post
from tests.injected.faults import share
from tests.web.html import Html
from tests.web.naughty import BROKEN_BYTES, HUGE, SOME

pytestmark = pytest.mark.usefixtures("no_limits")

URLENCODED = "application/x-www-form-urlencoded"


def as_typed(text: str) -> str:
    """What a browser sends back: line ends of one kind, and for a parser of HTML no NUL."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")


def assert_answer(response, field: str, typed: str, *, error_id: str = "") -> None:
    """Saved, or refused beside the field with the text kept, and nothing of it became HTML."""
    assert response.status_code in (200, 302, 422), (field, typed[:40], response.status_code)
    if response.status_code == 302:
        return
    page = Html(response)
    assert all("src" in script.attributes for script in page.all("script"))
    assert not [e for e in page.elements if any(a.startswith("on") for a in e.attributes)]
    if response.status_code == 422:
        message = page.one(id=error_id).text if error_id else page.error(field)
        assert message, (field, typed[:40])
        assert as_typed(page.value(field)) == as_typed(typed), field


def one_line(text: str) -> str:
    # A browser sends no line ends from a one-line field; what a parser makes of them in a value is not asked here.
    return text.replace("\r", "").replace("\n", "")


def forms_with(text: str, valid: dict[str, str], fields: tuple[str, ...]):
    for field in fields:
        yield field, valid | {field: text}


def test_signing_up_takes_any_text(table):
    number = 0
    for text in map(one_line, SOME):
        for field in ("handle", "name", "email"):
            number += 1
            valid = {"handle": f"dora_{number}", "email": f"{number}@example.org"}
            form = valid | {"name": "Dora", "password": PASSWORD} | {field: text}
            response = Client().post("/signup", form)
            # Two may type the same handle; then it is taken, which is said beside it too.
            assert_answer(response, field, text)


def test_a_password_takes_any_text_and_is_never_shown(table):
    for number, text in enumerate(SOME):
        password = f"{text} and a tail"
        form = {"handle": f"dora_{number}", "name": "Dora", "email": f"{number}@example.org"}
        response = Client().post("/signup", form | {"password": password})
        assert response.status_code in (302, 422), text[:40]
        if response.status_code == 422:
            assert Html(response).error("password")
            assert Html(response).value("password") == ""
        else:
            back = Client().post("/login", {"account": f"dora_{number}", "password": password})
            assert back.status_code == 302, text[:40]


def test_signing_in_takes_any_text(alice):
    for text in map(one_line, SOME):
        response = Client().post("/login", {"account": text, "password": PASSWORD})
        assert response.status_code == 422, text[:40]
        page = Html(response)
        assert page.error("account") or page.one("div", class_="form-errors").text
        assert as_typed(page.value("account")) == as_typed(text)
        answer = Client().post("/login", {"account": "alice", "password": text})
        assert answer.status_code == 422


def test_a_post_takes_any_text_and_shows_it_as_it_was_meant(alice, log_in):
    browser = log_in(alice)
    for text in SOME:
        form = {"content": text, "nonce": secrets.token_urlsafe(16)}
        response = browser.post("/posts", form, headers=HTMX)
        assert_answer(response, "content", text, error_id="composer-error")
        if response.status_code == 200:
            shown = "".join(Html(response).one("div", class_="post-text").parts)
            seen = without_unseen(as_typed(text), multiline=True)
            wanted = unicodedata.normalize("NFC", seen).strip()
            assert shown.replace("https://", "") == wanted.replace("https://", ""), text[:40]


def test_the_nonce_of_a_post_takes_any_text(alice, log_in):
    browser = log_in(alice)
    for text in SOME:
        response = browser.post("/posts", {"content": "kept", "nonce": text}, headers=HTMX)
        assert response.status_code == 422, text[:40]
        assert Html(response).one(id="composer-error").text
        assert Html(response).value("content") == "kept"


def test_a_profile_takes_any_text_and_shows_it_escaped(alice, log_in):
    browser = log_in(alice)
    valid = {"name": "Alice", "bio": "", "location": ""}
    for text in SOME:
        for field in valid:
            typed = text if field == "bio" else one_line(text)
            response = browser.post("/settings/profile", valid | {field: typed})
            assert_answer(response, field, typed)
            if response.status_code == 302 and (field == "bio" or text in SOME[::4]):
                page = browser.get("/@alice")
                assert page.status_code == 200
                assert_answer(page, field, typed)


def test_pressing_a_button_takes_any_text(alice, bob, log_in):
    browser = log_in(alice)
    addresses = ["/@bob/follow", f"/@bob/posts/{post(bob)}/like"]
    for text in SOME:
        for address in addresses:
            status = browser.post(address, {"on": text}).status_code
            assert status in (302, 400, 422), text[:40]


def send(browser: Client, address: str, body: bytes | str, kind: str) -> int:
    """The status for a body just as it is."""
    return browser.generic("POST", address, body, content_type=kind).status_code


def test_asking_for_a_new_password_takes_any_text(table):
    for text in map(one_line, SOME):
        assert_answer(Client().post("/password/forgot", {"email": text}), "email", text)


FORMS = ["/signup", "/login", "/posts", "/settings/profile", "/@bob/follow", "/logout"]
FORMS += ["/password/forgot", "/welcome", "/settings/appearance", "/settings/language"]


@pytest.mark.parametrize("address", FORMS)
def test_bytes_that_are_no_text_are_no_fault(alice, bob, log_in, address):
    names = [
        "handle",
        "name",
        "email",
        "password",
        "account",
        "content",
        "nonce",
        "bio",
        "location",
        "on",
        "next",
        "theme",
        "language",
    ]
    browser = log_in(alice) if address not in ("/signup", "/login") else Client()
    browser.raise_request_exception = False
    # One of twelve, others each run.
    for broken, name in share(product(BROKEN_BYTES, names), one_of=12, salt=address):
        body = urlencode({name: broken, "content": "x", "name": b"x" + broken})
        assert send(browser, address, body, URLENCODED) < 500, (broken, name)
    for broken in share(BROKEN_BYTES, one_of=4, salt=f"{address} in parts"):
        data = encode_multipart(BOUNDARY, dict.fromkeys(names, "@@")).replace(b"@@", broken)
        assert send(browser, address, data, MULTIPART_CONTENT) < 500


@pytest.mark.parametrize(
    "charset", ["utf-7", "utf-16", "hex", "rot13", "undefined", "unicode_escape", "x"]
)
@pytest.mark.parametrize("address", ["/signup", "/posts"])
def test_a_strange_encoding_is_no_fault(alice, log_in, address, charset):
    """In UTF-7, `+2AA-` is half a letter: text that cannot be written to any answer."""
    browser = log_in(alice) if address == "/posts" else Client()
    browser.raise_request_exception = False
    fields = {"handle": "dora", "name": "D+2AA-", "email": "a@example.org", "password": PASSWORD}
    data = encode_multipart(BOUNDARY, fields | {"content": "+2AA-", "nonce": "n" * 22})
    for kind in (f"multipart/form-data; boundary={BOUNDARY}", URLENCODED):
        assert send(browser, address, data, f"{kind}; charset={charset}") < 500


@pytest.mark.parametrize("address", FORMS[:4])
@pytest.mark.parametrize(
    "body",
    [
        urlencode({"content": HUGE}),
        urlencode([("f", "1")] * 10_000),
        urlencode(
            [("name", "a"), ("name", "b"), ("handle", "x"), ("handle", "y"), ("account", "z")]
        ),
        "&&&===;;;",
        "%",
        "{" * 10_000,
    ],
    ids=["400 KB", "10,000 fields", "doubled fields", "no pairs", "half a byte", "depth 10,000"],
)
def test_a_body_out_of_all_proportion_is_no_fault(alice, log_in, address, body):
    browser = log_in(alice) if address in FORMS[2:] else Client()
    browser.raise_request_exception = False
    for kind in (URLENCODED, "application/json", MULTIPART_CONTENT, "multipart/form-data", ""):
        assert send(browser, address, body.encode(), kind) < 500


# Every form about an account takes any text, also from someone who has just confirmed who they are; never a
# fault.

# The form, its field, and what else a browser sends with it.
FIELDS = [
    ("/settings/handle", "handle", {}),
    ("/settings/email/change", "email", {}),
    ("/settings/password", "password", {"new_password": "one more quiet battery"}),
    ("/settings/password", "new_password", {"password": PASSWORD}),
    ("/settings/passkeys/add", "name", {"credential": "{}"}),
    ("/settings/passkeys/add", "credential", {"name": "Phone"}),
    ("/settings/tokens/new", "name", {"may": "read", "ends": "7", "nonce": "n" * 22}),
    ("/settings/passkeys/rename", "name", {"passkey": "0" * 64}),
    ("/settings/passkeys/rename", "passkey", {"name": "Phone"}),
    ("/settings/passkeys/remove", "passkey", {}),
    ("/settings/notifications/letters", "digest", {"hour": "8", "weekday": "0"}),
    ("/settings/notifications/letters", "hour", {"weekday": "0"}),
    ("/settings/old-posts/wish", "after", {}),
    ("/settings/old-posts/delete", "sure", {}),
    ("/settings/close", "when", {}),
    ("/confirm/passkey", "credential", {}),
]
WITHOUT_SIGN_IN = [
    ("/login/passkey", "credential", {}),
    ("/login/code/passkey", "credential", {}),
    ("/login/code", "code", {}),
    (f"/password/reset/{'x' * 43}", "new_password", {}),
    (f"/email/confirm/{'x' * 43}", "next", {}),
    (f"/email/undo/{'x' * 43}", "next", {}),
]
NO_FAULT = (200, 204, 302, 400, 403, 404, 409, 410, 422, 429)


@pytest.mark.parametrize(("address", "field", "valid"), FIELDS)
def test_a_form_of_an_account_takes_any_text(alice, log_in, address, field, valid):
    browser = prove(log_in(alice))
    # Half of them, others each run.
    for text in map(one_line, share(SOME, one_of=2, salt=f"{address} {field}")):
        response = browser.post(address, valid | {field: text})
        assert response.status_code in NO_FAULT, (text[:40], response.status_code)
        assert "<script>alert" not in response.content.decode()


@pytest.mark.parametrize(("address", "field"), [("/settings/email/change", "email")])
def test_what_was_typed_stays_where_it_is_refused(alice, log_in, address, field):
    browser = prove(log_in(alice))
    for text in map(one_line, share(SOME, one_of=2, salt=address)):
        assert_answer(browser.post(address, {field: text}), field, text)


@pytest.mark.parametrize(("address", "field", "valid"), WITHOUT_SIGN_IN)
def test_a_form_on_the_way_in_takes_any_text(table, address, field, valid):
    for text in share(SOME, one_of=2, salt=f"{address} {field}"):
        response = Client().post(address, valid | {field: text})
        assert response.status_code in NO_FAULT, (text[:40], response.status_code)


@pytest.mark.parametrize(("address", "field", "valid"), [*FIELDS, *WITHOUT_SIGN_IN])
def test_bytes_that_are_no_text_are_no_fault_in_accounts(alice, log_in, address, field, valid):
    browser = prove(log_in(alice)) if (address, field, valid) in FIELDS else Client()
    browser.raise_request_exception = False
    for broken in BROKEN_BYTES[:4]:
        body = field.encode() + b"=" + broken
        assert send(browser, address, body, URLENCODED) < 500, broken


# Every address takes any text in its path and its query: a page or a refusal, never a fault.

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
