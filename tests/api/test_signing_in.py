"""An app acts for someone who allowed it, as far as they allowed it, and for nobody else (OAuth 2)."""

import base64
import hashlib
from datetime import timedelta
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import Client

from accounts.access.reads import find_app
from accounts.grants.models import App, AppCode, AppToken
from api.oauth import views
from api.oauth.server import SHOWN_HERE
from socialsite.clock import utc_now
from socialsite.table import change, keys, query, row
from tests.api.conftest import App as Caller
from tests.api.conftest import code_on_page, new_app, token_of, tokens_of
from tests.conftest import PASSWORD
from tests.web.html import Html

VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().strip("=")
REDIRECT = "https://client.example/callback?of=us"


def register(**sent):
    wanted = {"client_name": "Tusk", "redirect_uris": SHOWN_HERE, "scopes": "read write"} | sent
    return Client().post("/api/v1/apps", wanted)


def asked(app, **more):
    wanted = {
        "client_id": app.client_id,
        "redirect_uri": app.redirects[0],
        "response_type": "code",
        "scope": "read",
    }
    return {name: value for name, value in (wanted | more).items() if value is not None}


def allow(browser, app, **more):
    """Presses Allow, and returns the code."""
    answer = browser.post("/oauth/authorize", asked(app, **more) | {"allow": "1"})
    if answer.status_code == 302:
        return parse_qs(urlsplit(answer["Location"]).query)["code"][0]
    return code_on_page(answer.content.decode())


def fetch_token(app, secret, code="", /, **more):
    wanted = {
        "grant_type": "authorization_code",
        "client_id": app.client_id,
        "client_secret": secret,
        "redirect_uri": app.redirects[0],
        "code": code,
    } | more
    sent = {name: value for name, value in wanted.items() if value is not None}
    return Client().post("/oauth/token", sent)


@pytest.fixture
def app(table):
    return new_app("read", "write")


def test_an_app_is_registered_with_its_own_words(table):
    made = register(website="https://tusk.example/").json()
    app = find_app(made["client_id"])
    assert app
    assert (app.name, app.website, app.scopes) == (
        "Tusk",
        "https://tusk.example/",
        ("read", "write"),
    )
    assert made["client_secret"] not in str(list(query(keys.app(app.client_id).pk)))
    assert row(App, next(query(keys.app(app.client_id).pk))).ttl


@pytest.mark.parametrize(
    "sent",
    [
        {"client_name": ""},
        {"client_name": "x" * 61},
        {"redirect_uris": ""},
        {"redirect_uris": "javascript:alert(1)"},
        {"redirect_uris": "data:text/html,hello"},
        {"redirect_uris": "http://somewhere.example/"},
        {"redirect_uris": "https://a.example/#part"},
        {"redirect_uris": "https://user@a.example/"},
        {"redirect_uris": "https://:a.example@b.example/"},
        {"redirect_uris": "https://@b.example/"},
        {"redirect_uris": "https://a.example\\.b.example/"},
        {"redirect_uris": "https://*/"},
        {"redirect_uris": "tusk://a.example@b/"},
        {"redirect_uris": "nowhere"},
        {"scopes": "read admin:read"},
        {"website": "javascript:alert(1)"},
    ],
)
def test_an_app_that_cannot_be_is_refused(table, sent):
    answer = register(**sent)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("Validation failed")


def test_an_address_registers_five_apps_an_hour(table):
    assert [register().status_code for _ in range(6)] == [200] * 5 + [429]
    assert views.APPS_BY_ADDRESS.hits == 5


def test_apps_send_json_too(table):
    sent = {"client_name": "Tusk", "redirect_uris": [SHOWN_HERE], "scopes": "read"}
    answer = Client().post("/api/v1/apps", sent, content_type="application/json")
    assert answer.json()["redirect_uris"] == [SHOWN_HERE]


def test_the_page_says_what_the_app_asks_for(alice, app, log_in):
    page = Html(log_in(alice).get("/oauth/authorize", asked(app[0], scope="read write")))
    said = page.one("main").text
    assert all(one in said for one in ("Tusk", "Post, edit and delete", "change your password"))
    sent = {one["name"]: one["value"] for one in page.all("input", type="hidden")}
    assert sent["scope"] == "read write"


def test_who_is_signed_out_signs_in_first_and_comes_back(app):
    address = f"/oauth/authorize?{urlencode(asked(app[0]))}"
    answer = Client().get(address)
    assert answer["Location"] == f"/login?{urlencode({'next': address})}"


@pytest.mark.parametrize(
    "wrong",
    [
        {"client_id": "nobody"},
        {"client_id": None},
        {"redirect_uri": "https://elsewhere.example/"},
        {"redirect_uri": "https://client.example/callback"},
        {"response_type": "token"},
        {"response_type": "“code”"},
        {"scope": "read write follow"},
        {"scope": "admin:write"},
        {"code_challenge": CHALLENGE, "code_challenge_method": "plain"},
        {"code_challenge": "short", "code_challenge_method": "S256"},
    ],
)
def test_what_an_app_asks_wrongly_is_told_here_and_leads_nowhere(alice, log_in, wrong, table):
    app, _secret = new_app("read", "write", redirect=REDIRECT)
    browser = log_in(alice)
    for answer in (
        browser.get("/oauth/authorize", asked(app, **wrong)),
        browser.post("/oauth/authorize", asked(app, **wrong) | {"allow": "1"}),
    ):
        assert answer.status_code == 400
        assert "Location" not in answer


def test_a_press_leads_to_the_apps_own_address(alice, log_in, table):
    app, secret = new_app("read", redirect=REDIRECT)
    browser = log_in(alice)
    page = browser.get("/oauth/authorize", asked(app, state="s&1"))
    assert "https://client.example" in page["Content-Security-Policy"]
    answer = browser.post("/oauth/authorize", asked(app, state="s&1") | {"allow": "1"})
    where = urlsplit(answer["Location"])
    sent = parse_qs(where.query)
    assert (where.netloc, sent["of"], sent["state"]) == ("client.example", ["us"], ["s&1"])
    assert fetch_token(app, secret, sent["code"][0]).status_code == 200
    refused = browser.post("/oauth/authorize", asked(app) | {"allow": "0"})
    assert parse_qs(urlsplit(refused["Location"]).query)["error"] == ["access_denied"]


def test_an_app_on_a_device_has_a_scheme_of_its_own(alice, log_in, table):
    app, _secret = new_app("read", redirect="tusk://oauth/done")
    browser = log_in(alice)
    page = browser.get("/oauth/authorize", asked(app))
    assert "form-action 'self' tusk:" in page["Content-Security-Policy"]
    answer = browser.post("/oauth/authorize", asked(app) | {"allow": "1"})
    assert answer["Location"].startswith("tusk://oauth/done?code=")


@pytest.mark.parametrize(
    ("redirect", "said"),
    [
        ("tusk://bank.example/done", "You will go on to tusk:."),
        ("https://tusk.example/done", "You will go on to tusk.example."),
        ("http://127.0.0.1:8080/", "You will go on to 127.0.0.1:8080."),
        ("https://[::1]/", "You will go on to [::1]."),
    ],
)
def test_the_page_says_where_it_leads_and_takes_no_scheme_for_a_host(
    alice, log_in, table, redirect, said
):
    """What stands behind a scheme of an app's own looks like a host, and is none."""
    assert register(redirect_uris=redirect).status_code == 200
    app, _secret = new_app("read", redirect=redirect)
    text = Html(log_in(alice).get("/oauth/authorize", asked(app))).one("main").text
    assert said in " ".join(text.split())
    assert "bank.example" not in text


def test_a_state_that_fits_into_no_address_makes_no_code(alice, log_in, table, monkeypatch):
    made = []
    monkeypatch.setattr("api.oauth.server.allow_app", lambda **code: made.append(code))
    app, _secret = new_app("read", redirect=REDIRECT)
    browser = log_in(alice)
    long = asked(app, state="\N{GRINNING FACE}" * 1001)
    answer = browser.post("/oauth/authorize", long | {"allow": "1"})
    assert (answer.status_code, made) == (400, [])
    assert "state" in Html(answer).one("main").text
    longest = asked(app, state="\N{GRINNING FACE}" * 1000)
    answer = browser.post("/oauth/authorize", longest | {"allow": "1"})
    assert (answer.status_code, len(made)) == (302, 1)


def test_a_code_shown_on_the_page_is_one_use_of_ten_minutes(alice, app, log_in):
    card, secret = app
    code = allow(log_in(alice), card)
    (kept,) = query(keys.app_code(views_hash(code)).pk)
    assert code not in str(kept)
    assert row(AppCode, kept).user_id == alice.user_id
    got = fetch_token(card, secret, code).json()
    assert (got["token_type"], got["scope"]) == ("Bearer", "read")
    assert got["access_token"].startswith(f"{alice.user_id}.")


def test_a_code_that_comes_twice_gives_nothing_and_ends_what_it_gave(alice, app, log_in):
    card, secret = app
    code = allow(log_in(alice), card, scope="read write")
    caller = Caller(fetch_token(card, secret, code).json()["access_token"])
    assert caller.ask("get", "/api/v1/timelines/home").status_code == 200
    again = fetch_token(card, secret, code)
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    assert caller.ask("get", "/api/v1/timelines/home").status_code == 401


def test_a_code_is_over_after_ten_minutes(alice, app, log_in):
    card, secret = app
    code = allow(log_in(alice), card)
    (raw,) = query(keys.app_code(views_hash(code)).pk)
    left = row(AppCode, raw).ttl - utc_now()
    assert timedelta(minutes=9) < left <= timedelta(minutes=10)
    over = utc_now() - timedelta(seconds=1)
    change(AppCode, keys.app_code(views_hash(code)), [AppCode.ttl.set(over)])
    assert fetch_token(card, secret, code).json()["error"] == "invalid_grant"


def views_hash(code):
    return hashlib.sha256(code.encode()).hexdigest()


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"client_secret": "wrong"}, "invalid_client"),
        ({"client_id": "nobody"}, "invalid_client"),
        ({"redirect_uri": "https://elsewhere.example/"}, "invalid_grant"),
        ({"code": "guess"}, "invalid_grant"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "päßword"}, "unsupported_grant_type"),
        ({"client_secret": None}, "invalid_request"),  # a public app without an answer (PKCE)
        ({"client_secret": None, "code_verifier": VERIFIER}, "invalid_request"),
    ],
)
def test_a_token_is_for_the_app_that_was_allowed(alice, app, log_in, wrong, error):
    card, secret = app
    code = allow(log_in(alice), card)
    answer = fetch_token(card, secret, code, **wrong)
    assert answer.status_code in (400, 401)
    assert answer.json()["error"] == error
    assert answer["Cache-Control"] == "no-store"


def test_another_app_cannot_use_the_code(alice, app, log_in):
    other, secret = new_app("read")
    code = allow(log_in(alice), app[0])
    assert fetch_token(other, secret, code).json()["error"] == "invalid_grant"


def test_a_public_app_answers_its_challenge(alice, app, log_in):
    card, _secret = app
    sent = {"code_challenge": CHALLENGE, "code_challenge_method": "S256"}
    code = allow(log_in(alice), card, **sent)
    wrong = fetch_token(card, None, code, code_verifier="w" * 43)
    assert wrong.json()["error"] == "invalid_grant"
    assert fetch_token(card, None, code, code_verifier=VERIFIER).status_code == 200


def test_a_challenge_binds_an_app_with_a_secret_too(alice, app, log_in):
    card, secret = app
    sent = {"code_challenge": CHALLENGE, "code_challenge_method": "S256"}
    code = allow(log_in(alice), card, **sent)
    assert fetch_token(card, secret, code).json()["error"] == "invalid_request"


def test_an_app_alone_reads_what_visitors_read(alice, app):
    card, secret = app
    got = (
        Client()
        .post(
            "/oauth/token",
            {
                "grant_type": "client_credentials",
                "client_id": card.client_id,
                "client_secret": secret,
            },
        )
        .json()
    )
    caller = Caller(got["access_token"])
    assert caller.get("/api/v1/apps/verify_credentials")["name"] == "Tusk"
    assert caller.get("/api/v1/timelines/public") == []
    assert caller.ask("get", "/api/v1/accounts/verify_credentials").status_code == 401
    forged = Caller(got["access_token"][:-1] + "x")
    assert forged.ask("get", "/api/v1/apps/verify_credentials").status_code == 401


SCOPED = [
    ("get", "accounts/verify_credentials", "read:accounts"),
    ("get", "accounts/verify_credentials", "profile"),
    ("get", "timelines/home", "read:statuses"),
    ("get", "notifications", "read:notifications"),
    ("get", "bookmarks", "read:bookmarks"),
    ("get", "favourites", "read:favourites"),
    ("get", "accounts/relationships", "read:follows"),
    ("post", "statuses", "write:statuses"),
    ("post", "notifications/clear", "write:notifications"),
]


@pytest.mark.parametrize(("method", "path", "scope"), SCOPED)
def test_an_app_may_do_what_was_allowed_and_no_more(alice, method, path, scope):
    whole = scope.partition(":")[0]
    of_all = new_app("read", "write", "follow", "push", "profile")[0]
    for granted in {scope, whole}:
        caller = Caller(token_of(alice, granted, app=of_all))
        assert caller.ask(method, f"/api/v1/{path}", status="Hello").status_code == 200
    others = {"read", "write", "follow", "push", "profile"} - {whole}
    if path.endswith("verify_credentials"):
        others -= {"read", "profile"}
    if scope == "read:follows":
        others -= {"follow"}  # which says that too
    caller = Caller(token_of(alice, *others, app=of_all))
    answer = caller.ask(method, f"/api/v1/{path}", status="Hello")
    assert (answer.status_code, "scopes" in answer.json()["error"]) == (403, True)


def test_follow_is_the_older_name_of_a_few(alice, bob):
    caller = Caller(token_of(alice, "follow"))
    assert caller.post(f"/api/v1/accounts/{bob.user_id}/follow")["following"]
    assert caller.ask("get", "/api/v1/timelines/home").status_code == 403


def test_a_cookie_of_the_site_opens_nothing_here(alice, log_in):
    answer = log_in(alice).get("/api/v1/accounts/verify_credentials")
    assert answer.status_code == 401
    assert log_in(alice).post("/api/v1/statuses", {"status": "Hello"}).status_code == 401


@pytest.mark.parametrize("token", ["", "nonsense", "app.x.y", "{other}.{secret}", "{own}."])
def test_a_token_that_is_none_opens_nothing(alice, bob, token):
    real = token_of(alice)
    made = token.format(other=bob.user_id, own=alice.user_id, secret=real.partition(".")[2])
    answer = Caller(made).ask("get", "/api/v1/timelines/home")
    assert answer.status_code == 401
    assert answer.json() == {"error": "The access token is invalid"}


def test_only_hashes_are_kept(alice):
    token = token_of(alice)
    secret = token.partition(".")[2]
    rows = tokens_of(alice)
    assert len(rows) == 1
    assert secret not in str(rows)


def test_using_an_app_keeps_it_and_counts_as_being_here(alice, measure):
    caller = Caller(token_of(alice))
    (raw,) = tokens_of(alice)
    place = keys.app_token(alice.user_id, row(AppToken, raw).secret_hash)
    change(AppToken, place, [AppToken.seen.set("2026-01-01")])
    caller.get("/api/v1/accounts/verify_credentials")
    with measure() as meter:
        caller.get("/api/v1/accounts/verify_credentials")
    assert not [call for call in meter.calls if "Write" in call.operation]
    (raw,) = tokens_of(alice)
    assert row(AppToken, raw).seen > "2026-01-01"


def test_an_app_signs_out_by_itself_alone(alice, app):
    card, secret = app
    own, other = token_of(alice, "read", app=card), token_of(alice)
    for token in (own, other):
        sent = {"client_id": card.client_id, "client_secret": secret, "token": token}
        assert Client().post("/oauth/revoke", sent).status_code == 200
    assert Caller(own).ask("get", "/api/v1/timelines/home").status_code == 401
    assert Caller(other).ask("get", "/api/v1/timelines/home").status_code == 200
    wrong = {"client_id": card.client_id, "client_secret": "wrong", "token": other}
    assert Client().post("/oauth/revoke", wrong).status_code == 401
    assert Caller(other).ask("get", "/api/v1/timelines/home").status_code == 200


@pytest.mark.parametrize("named", [{"client_id": "undefined", "client_secret": "undefined"}, {}])
def test_an_app_that_does_not_know_itself_signs_out_with_its_token(alice, named):
    """As Phanpy does, whose people believe that they are signed out."""
    token, other = token_of(alice), token_of(alice)
    assert Client().post("/oauth/revoke", named | {"token": token}).status_code == 200
    assert Caller(token).ask("get", "/api/v1/timelines/home").status_code == 401
    assert Caller(other).ask("get", "/api/v1/timelines/home").status_code == 200
    for nothing in ("", "x", f"{alice.user_id}."):
        assert Client().post("/oauth/revoke", named | {"token": nothing}).status_code in (400, 401)


def test_the_way_to_letting_an_app_in_keeps_the_window_that_waits(alice, app, log_in):
    """Apps that are websites open it in a window of their own; other pages part from their openers."""
    card, _secret = app
    asked = {"client_id": card.client_id, "redirect_uri": SHOWN_HERE, "response_type": "code"}
    address = f"/oauth/authorize?{urlencode(asked)}"
    sign_in = f"/login?{urlencode({'next': address})}"
    typed = {"account": "alice", "password": PASSWORD, "next": address}
    waited_for = [
        Client().get(address),
        Client().get(sign_in),
        Client().post("/login", typed | {"password": "wrong"}),
        Client().post("/login", typed),
        log_in(alice).get(address),
        log_in(alice).post(address, {"allow": "1"}),
    ]
    assert {one["Cross-Origin-Opener-Policy"] for one in waited_for} == {"unsafe-none"}
    others = [Client().get("/login"), Client().get("/login?next=/settings"), log_in(alice).get("/")]
    assert {one["Cross-Origin-Opener-Policy"] for one in others} == {"same-origin"}
