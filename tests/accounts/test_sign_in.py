"""Signing in and out, by password and code; the list of sign-ins, and revoked ones."""

import re
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.core import signing
from django.test import Client
from django.utils.formats import date_format

from accounts.access.reads import list_signed_in
from accounts.middleware import SESSION_SECRET, SESSION_USER
from accounts.models import SignIn
from accounts.proof import views as proof
from accounts.sessions import MOST_SHOWN, browser_name
from accounts.sign_in import browsers
from accounts.sign_in import views as sign_in
from accounts.sign_in.writes import sign_in as writes_sign_in
from socialsite.table import change, keys, query, write_batch
from socialsite.table.reading import scan
from tests.accounts.authenticator import prove
from tests.accounts.scenes import enter_password, in_browser, with_second_factor
from tests.conftest import HTMX, PASSWORD, hash_secret, post
from tests.web.html import Html
from tests.web.naughty import SOME


def sign_in_by_form(account: str, password: str = PASSWORD, **extra):
    return Client().post("/login", {"account": account, "password": password}, **extra)


def without_id(response) -> dict[str, str]:
    differing = ("X-Request-ID", "Expires")  # the second tells the moment
    return {name: value for name, value in response.headers.items() if name not in differing}


def without_tokens(response) -> str:
    chance = r'name="csrfmiddlewaretoken" value="\w+"|challenge&quot;: &quot;[\w-]+'
    return re.sub(chance, "", response.content.decode())


@pytest.mark.parametrize("account", ["alice", "@alice", "ALICE", " alice ", "alice@example.org"])
def test_one_signs_in_by_handle_and_by_e_mail(alice, account):
    browser = Client()
    response = browser.post("/login", {"account": account, "password": PASSWORD})
    assert (response.status_code, response["Location"]) == (302, "/")
    assert browser.session[SESSION_USER] == alice.user_id
    assert Html(browser.get("/")).one("button", formaction="/logout")


def test_signing_in_over_htmx_does_the_same(alice):
    assert sign_in_by_form("alice", headers=HTMX).status_code == 302


def test_the_page_shows_the_form_and_signs_nobody_in(alice):
    browser = Client()
    response = browser.get("/login", {"account": "alice", "password": PASSWORD})
    assert response.status_code == 200
    assert Html(response).value("account") == ""
    assert SESSION_USER not in browser.session


def test_an_unknown_account_and_a_wrong_password_get_the_same_answer(alice):
    wrong = sign_in_by_form("alice", "not her password")
    unknown = sign_in_by_form("aliki", "not her password")
    by_email = sign_in_by_form("aliki@example.org", "not her password")
    assert wrong.status_code == unknown.status_code == by_email.status_code == 422
    assert without_id(wrong) == without_id(unknown)
    texts = [
        without_tokens(wrong),
        without_tokens(unknown).replace("aliki", "alice"),
        without_tokens(by_email).replace("aliki@example.org", "alice"),
    ]
    assert texts[0] == texts[1] == texts[2]
    assert "don’t match" in texts[0]


def test_a_refused_sign_in_keeps_the_account_and_not_the_password(alice):
    response = sign_in_by_form("alice", "a wrong one entirely")
    assert Html(response).value("account") == "alice"
    assert "a wrong one entirely" not in response.content.decode()


@pytest.mark.parametrize("field", ["account", "password"])
def test_an_empty_field_is_said_beside_it(alice, field):
    form = {"account": "alice", "password": PASSWORD} | {field: ""}
    response = Client().post("/login", form)
    assert response.status_code == 422
    assert Html(response).error(field)


def test_the_password_counts_to_the_letter(alice):
    for near in (PASSWORD.upper(), f" {PASSWORD}", f"{PASSWORD} ", PASSWORD[:-1]):
        assert sign_in_by_form("alice", near).status_code == 422


def test_the_table_holds_only_the_hash_of_the_secret(alice):
    browser = Client()
    browser.post("/login", {"account": "alice", "password": PASSWORD})
    secret = browser.session[SESSION_SECRET]
    rows = list(query(keys.sign_ins(alice.user_id)))
    assert [row["secret_hash"]["S"] for row in rows] == [hash_secret(secret)]
    assert secret not in str(list(scan()))


def test_the_table_holds_no_password_that_can_be_read(alice):
    assert PASSWORD not in str(list(scan()))


def test_each_browser_gets_a_secret_of_its_own(alice):
    secrets = set()
    for _ in range(2):
        browser = Client()
        browser.post("/login", {"account": "alice", "password": PASSWORD})
        secrets.add(browser.session[SESSION_SECRET])
    assert len(secrets) == 2


def test_a_token_from_before_the_sign_in_is_worth_nothing_after_it(alice):
    browser = Client(enforce_csrf_checks=True)
    before = Html(browser.get("/login")).value("csrfmiddlewaretoken")
    form = {"account": "alice", "password": PASSWORD, "csrfmiddlewaretoken": before}
    assert browser.post("/login", form).status_code == 302
    assert browser.post("/logout", {"csrfmiddlewaretoken": before}).status_code == 403


def test_somebody_signed_in_is_sent_on(alice, log_in):
    response = log_in(alice).get("/login?next=/local")
    assert (response.status_code, response["Location"]) == (302, "/local")


def test_the_session_cookie_is_out_of_the_reach_of_scripts(alice):
    browser = Client()
    browser.post("/login", {"account": "alice", "password": PASSWORD})
    cookie = browser.cookies[settings.SESSION_COOKIE_NAME]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


# Signing in with a second factor: after the password comes a code, within five minutes, and not too many of them.


def test_after_the_password_comes_the_code(alice):
    app = with_second_factor(alice)
    browser = Client()
    form = {"account": "alice", "password": PASSWORD, "next": "/local"}
    response = browser.post("/login", form)
    assert (response.status_code, response["Location"]) == (302, "/login/code?next=%2Flocal")
    assert SESSION_USER not in browser.session
    assert browser.get("/settings/profile")["Location"].startswith("/login")
    assert not list(query(keys.sign_ins(alice.user_id)))
    done = browser.post("/login/code", {"code": app.code(), "next": "/local"})
    assert (done.status_code, done["Location"]) == (302, "/local")
    assert browser.get("/settings/profile").status_code == 200


def test_a_recovery_code_does_instead(alice):
    app = with_second_factor(alice)
    browser = enter_password()
    page = Html(browser.get("/login/code?recovery"))
    assert page.one("input", name="code")["inputmode"] == "text"
    assert browser.post("/login/code?recovery", {"code": app.recovery[3]}).status_code == 302
    assert browser.session[SESSION_USER] == alice.user_id


def test_a_wrong_code_is_said_beside_it_and_signs_nobody_in(alice):
    app = with_second_factor(alice)
    browser = enter_password()
    response = browser.post("/login/code", {"code": app.wrong_code()})
    assert response.status_code == 422
    assert "already been used" in Html(response).error("code")
    assert SESSION_USER not in browser.session


def test_a_code_is_worth_nothing_in_a_second_browser(alice):
    app = with_second_factor(alice)
    one, other = enter_password(), enter_password()
    code = app.code()
    assert one.post("/login/code", {"code": code}).status_code == 302
    assert other.post("/login/code", {"code": code}).status_code == 422


def test_a_code_without_the_password_leads_to_the_password(alice):
    app = with_second_factor(alice)
    response = Client().post("/login/code", {"code": app.code(), "next": "/local"})
    assert response["Location"] == "/login?next=%2Flocal"


def test_a_password_of_somebody_else_does_not_help(alice, bob):
    app = with_second_factor(alice)
    with_second_factor(bob)
    assert enter_password("bob").post("/login/code", {"code": app.code()}).status_code == 422


def test_the_password_holds_for_five_minutes(alice, monkeypatch):
    app = with_second_factor(alice)
    monkeypatch.setattr(sign_in, "SECONDS_FOR_CODE", -1)
    browser = enter_password()
    response = browser.post("/login/code", {"code": app.code()}, follow=True)
    assert response.redirect_chain[0][0].startswith("/login?")
    assert "That took a while" in response.content.decode()
    assert SESSION_USER not in browser.session


def test_how_long_the_password_holds_cannot_be_altered(alice):
    app = with_second_factor(alice)
    browser = enter_password()
    until = browser.session[sign_in.SESSION_HALF][1]
    assert until - time.time() <= 300
    browser.cookies["session"] = browser.cookies["session"].value[:-3] + "xyz"
    assert browser.post("/login/code", {"code": app.code()})["Location"].startswith("/login?")


def test_a_wrong_password_looks_the_same_with_a_second_factor(alice, bob):
    with_second_factor(alice)
    answers = [
        Client().post("/login", {"account": account, "password": "wrong for sure"})
        for account in ("alice", "bob", "nobody_here")
    ]
    assert {answer.status_code for answer in answers} == {422}
    assert len({len(answer.headers) for answer in answers}) == 1


@pytest.mark.parametrize("path", ["/login/code", "/settings/security/turn-off", "/confirm"])
def test_any_text_is_refused_beside_the_field_it_was_typed_in(
    alice, log_in, limit, monkeypatch, path
):
    for name in ("CODE_BY_ACCOUNT", "CODE_BY_ADDRESS"):
        monkeypatch.setattr(browsers, name, replace(getattr(browsers, name), free=10_000))
    for name in ("PROOFS_BY_ACCOUNT", "PROOFS_BY_ADDRESS", "PROOFS_A_DAY"):
        limit(proof, name, 10_000)
    with_second_factor(alice)
    browser = enter_password() if path == "/login/code" else log_in(alice)
    for text in SOME:
        form = {"password": PASSWORD, "code": text}
        response = browser.post(path, form)
        assert response.status_code == 422, text[:40]
        assert Html(response).error("code"), text[:40]


# Where one goes after signing in: on this site, whatever the address says.

ELSEWHERE = [
    "https://evil.example/",
    "http://evil.example",
    "//evil.example/",
    "///evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "https:evil.example",
    "http:///evil.example",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "ftp://testserver/",
    "https://testserver@evil.example/",
    "https://testserver.evil.example/",
    "\x01//evil.example",
    " //evil.example",
]


def browser() -> Client:
    return Client(raise_request_exception=False)


def submit(target: str):
    form = {"account": "alice", "password": PASSWORD, "next": target}
    return browser().post("/login", form)


@pytest.mark.parametrize("target", ["/local", "/@alice?page=x", "/settings/profile"])
def test_one_returns_to_where_one_came_from(alice, target):
    page = Html(browser().get("/login", {"next": target}))
    assert page.value("next") == target
    assert submit(target)["Location"] == target


@pytest.mark.parametrize("target", ELSEWHERE)
def test_another_site_is_no_target(alice, log_in, target):
    page = Html(browser().get("/login", {"next": target}))
    assert not page.all("input", name="next")
    assert submit(target)["Location"] == "/"
    assert log_in(alice).get("/login", {"next": target})["Location"] == "/"


@pytest.mark.parametrize("target", ["foo", "local", "no such name", "feed:home", "x:y", "…"])
def test_a_target_that_is_no_address_is_no_fault(alice, log_in, target):
    signed_in = log_in(alice)
    signed_in.raise_request_exception = False
    for response in (submit(target), signed_in.get("/login", {"next": target})):
        assert response.status_code == 302
        assert response["Location"].startswith("/")


def test_a_target_beyond_all_measure_is_no_fault(alice):
    assert submit("/" + "a" * 20_000).status_code in (302, 400)


# Signing out: ended in the browser and in the table, for this browser alone.


def is_signed_in(browser: Client) -> bool:
    return bool(Html(browser.get("/about")).all("button", formaction="/logout"))


def test_signing_out_ends_the_sign_in_in_the_table(alice, log_in):
    browser = log_in(alice)
    assert is_signed_in(browser)
    response = browser.post("/logout")
    assert (response.status_code, response["Location"]) == (302, "/")
    assert not list(query(keys.sign_ins(alice.user_id), consistent=True))
    assert not is_signed_in(browser)


def test_signing_out_over_htmx_does_the_same(alice, log_in):
    browser = log_in(alice)
    assert browser.post("/logout", headers=HTMX).status_code == 302
    assert not is_signed_in(browser)


def test_a_copy_of_the_cookie_is_worth_nothing_after_signing_out(alice, log_in):
    browser, thief = log_in(alice), Client()
    name = settings.SESSION_COOKIE_NAME
    thief.cookies[name] = browser.cookies[name].value
    assert is_signed_in(thief)
    browser.post("/logout")
    assert not is_signed_in(thief)


def test_other_browsers_stay_signed_in(alice, log_in):
    here, there = log_in(alice), log_in(alice)
    here.post("/logout")
    assert is_signed_in(there)


def test_signing_out_twice_is_harmless(alice, log_in):
    browser = log_in(alice)
    name = settings.SESSION_COOKIE_NAME
    cookie = browser.cookies[name].value
    browser.post("/logout")
    browser.cookies[name] = cookie
    assert browser.post("/logout").status_code == 302


@pytest.mark.usefixtures("table")
def test_a_visitor_who_signs_out_is_sent_home():
    response = Client().post("/logout")
    assert (response.status_code, response["Location"]) == (302, "/")


def test_the_browser_is_told_to_forget_what_it_kept(alice, log_in):
    cleared = log_in(alice).post("/logout")["Clear-Site-Data"]
    assert cleared == '"cache", "storage"'


@pytest.mark.parametrize(
    "path", ["/", "/local", "/@bob", "/settings/profile", "/about", "/not/there"]
)
def test_signing_out_is_one_press_away_on_every_page(alice, bob, log_in, path):
    assert Html(log_in(alice).get(path)).all("button", formaction="/logout")


# A sign-in that was revoked or has run out is a visitor's at the next request.


def sign_in_key(viewer) -> keys.Key:
    (row,) = query(keys.sign_ins(viewer.user_id))
    return keys.Key(row["PK"]["S"], row["SK"]["S"])


def revoke(viewer) -> None:
    write_batch(deletes=[sign_in_key(viewer)])


def expire(viewer) -> None:
    past = datetime.now(UTC) - timedelta(seconds=2)
    change(SignIn, sign_in_key(viewer), [SignIn.ttl.set(past)])


@pytest.mark.parametrize("end", [revoke, expire])
def test_an_ended_sign_in_is_a_visitors_at_once(alice, bob, log_in, end):
    browser = log_in(alice)
    assert browser.get("/settings/profile").status_code == 200
    end(alice)
    assert browser.get("/settings/profile").status_code == 302
    assert Html(browser.get("/")).all("a", href="/signup")


@pytest.mark.parametrize("end", [revoke, expire])
def test_an_ended_sign_in_changes_nothing_any_more(alice, bob, log_in, end):
    browser = log_in(alice)
    post_id = post(bob)
    end(alice)
    for address, form in (
        ("/@bob/follow", {"on": "1"}),
        (f"/@bob/posts/{post_id}/like", {"on": "1"}),
        ("/posts", {"content": "hi", "nonce": "n" * 22}),
        ("/settings/profile", {"name": "Changed"}),
    ):
        assert browser.post(address, form)["Location"].startswith("/login")
        htmx = browser.post(address, form, headers=HTMX)
        assert htmx["HX-Redirect"].startswith("/login")
    assert not list(query(keys.followings(alice.user_id)))
    assert not list(query(keys.likes(post_id)))
    assert not list(query(keys.posts(alice.user_id)))


@pytest.mark.parametrize("end", [revoke, expire])
def test_an_ended_sign_in_leads_from_pages_of_staff_to_a_new_one(mod, log_in, end):
    """For all who never signed in, they are not there."""
    browser, queue = log_in(mod), "/moderation/queue?queue=reports"
    assert browser.get(queue).status_code == 200
    end(mod)
    assert browser.get(queue)["Location"] == f"/login?{urlencode({'next': queue})}"
    case = f"/moderation/cases/person/{mod.user_id}"
    assert browser.post(f"{case}/decide", {})["Location"] == "/login?next=%2F"
    assert browser.post(f"{case}/decide", {}, headers=HTMX)["HX-Redirect"] == "/login?next=%2F"
    assert Client().get(queue).status_code == 404


def test_what_is_asked_for_while_one_types_leads_nowhere_though_the_sign_in_has_ended(mod, log_in):
    """Proving who one is gives a new sign-in; a preview that was asked for with the one before comes late."""
    browser = log_in(mod)
    revoke(mod)
    case = f"/moderation/cases/person/{mod.user_id}"
    answer = browser.post(f"{case}/decide", {"preview": "1"}, headers=HTMX)
    assert (answer.status_code, answer.content, "HX-Redirect" in answer) == (204, b"", False)


def test_a_cookie_that_nobody_signed_is_a_visitors(alice, log_in):
    browser = log_in(alice)
    name = settings.SESSION_COOKIE_NAME
    forged = signing.dumps({"user": alice.user_id, "secret": "x"}, key="another key")
    for value in (browser.cookies[name].value[:-2], forged, "", "a:b:c", "\x00"):
        browser.cookies[name] = value
        assert browser.get("/settings/profile").status_code == 302


def test_a_sign_in_is_nobody_elses(alice, bob, log_in):
    """Alice's id with the secret of Bob's browser."""
    browser = log_in(bob)
    session = browser.session
    session["user"] = alice.user_id
    session.save()
    browser.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    assert browser.get("/settings/profile").status_code == 302


def test_a_sign_in_is_noted_as_seen_once_a_day(alice, log_in, measure):
    browser = log_in(alice)
    change(SignIn, sign_in_key(alice), [SignIn.seen.set("2020-01-01")])
    for _ in range(3):
        browser.get("/about")
    (row,) = query(keys.sign_ins(alice.user_id))
    assert row["seen"]["S"] == datetime.now(UTC).date().isoformat()


def test_the_first_look_of_a_day_renews_the_cookie_and_others_do_not(alice, log_in):
    browser = log_in(alice)
    change(SignIn, sign_in_key(alice), [SignIn.seen.set("2020-01-01")])
    name = settings.SESSION_COOKIE_NAME
    assert name in browser.get("/about").cookies
    assert name not in browser.get("/about").cookies


# Where one is signed in: the list, and ending what is elsewhere.

PAGE = "/settings/security"
AGENTS = {
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": "Firefox on Linux",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
    "Safari/537.36 Edg/140.0.0.0": "Edge on Windows",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile "
    "Safari/537.36": "Chrome on Android",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1": "Safari on iPhone",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Safari/605.1.15": "Safari on macOS",
    "Firefox/140.0": "Firefox",
    "curl/8.5.0": "Unknown browser",
    "": "Unknown browser",
}


def hash_of(viewer, browser) -> str:
    return in_browser(viewer, browser).secret_hash


def still_opens_settings(browser) -> bool:
    return browser.get("/settings/profile").status_code == 200


def rows(viewer) -> int:
    return len(list(query(keys.sign_ins(viewer.user_id), consistent=True)))


@pytest.mark.parametrize(("agent", "name"), AGENTS.items())
def test_a_browser_is_named_as_its_owner_knows_it(agent, name):
    assert browser_name(agent) == name


def test_the_list_names_browser_and_day_and_marks_this_one(alice, log_in):
    browser = log_in(alice)
    writes_sign_in(user_id=alice.user_id, browser=next(iter(AGENTS)))
    page = Html(browser.get(PAGE))
    here, other = page.all("li", class_="sign-in")
    assert "This browser" in here.text
    assert other.text.startswith("Firefox on Linux")
    assert f"Last used on {date_format(datetime.now(UTC), 'DATE_FORMAT')}" in other.text


def test_this_browser_comes_first_and_then_the_last_seen(alice, log_in):
    browser = log_in(alice)
    viewer = in_browser(alice, browser)
    for day in ("2026-01-02", "2026-01-03", "2026-01-01"):
        other = in_browser(alice, log_in(alice)).secret_hash
        key = keys.sign_in(alice.user_id, other)
        change(SignIn, key, [SignIn.seen.set(day)])
    own_key = keys.sign_in(viewer.user_id, viewer.secret_hash)
    change(SignIn, own_key, [SignIn.seen.set("2020-01-01")])
    shown = list_signed_in(viewer).browsers
    assert [row.is_here for row in shown] == [True, False, False, False]
    assert [row.seen.day for row in shown[1:]] == [3, 2, 1]


def test_ending_one_acts_at_its_next_request_and_on_no_other(alice, log_in):
    here, other, third = prove(log_in(alice)), log_in(alice), log_in(alice)
    form = {"sign_in": hash_of(alice, other)}
    for _ in range(2):  # sending it twice is harmless
        response = here.post(f"{PAGE}/sign-out", form)
        assert (response.status_code, response["Location"]) == (302, PAGE)
    assert not still_opens_settings(other)
    assert still_opens_settings(here)
    assert still_opens_settings(third)


def test_ending_all_others_leaves_this_one(alice, bob, log_in):
    here, others = prove(log_in(alice)), [log_in(alice) for _ in range(29)]
    bobs = log_in(bob)
    answer = here.post(f"{PAGE}/sign-out-others", follow=True)
    assert "Signed out of 29 other browsers." in answer.content.decode()
    assert not any(still_opens_settings(browser) for browser in others)
    assert still_opens_settings(here)
    assert still_opens_settings(bobs)
    assert rows(alice) == 1
    assert here.post(f"{PAGE}/sign-out-others").status_code == 302
    assert still_opens_settings(here)


def test_nobody_ends_a_sign_in_of_somebody_else(alice, bob, log_in):
    hers, his = log_in(alice), prove(log_in(bob))
    form = {"sign_in": hash_of(alice, hers)}
    assert his.post(f"{PAGE}/sign-out", form).status_code == 302
    assert still_opens_settings(hers)


@pytest.mark.parametrize("sign_in", ["", "x", "é" * 100, "../..", "#", "\x00"])
def test_what_names_no_sign_in_ends_none(alice, log_in, sign_in):
    browser = prove(log_in(alice))
    assert browser.post(f"{PAGE}/sign-out", {"sign_in": sign_in}).status_code == 302
    assert still_opens_settings(browser)


def test_ending_any_asks_for_a_proof_and_leads_back(alice, log_in):
    here, other = log_in(alice), log_in(alice)
    form = {"sign_in": hash_of(alice, other)}
    for path in ("sign-out", "sign-out-others"):
        asked = here.post(f"{PAGE}/{path}", form)
        assert asked["Location"] == "/confirm?next=%2Fsettings%2Fsecurity&again=1"
    assert still_opens_settings(other)
    prove(here)
    here.post(f"{PAGE}/sign-out", form)
    assert not still_opens_settings(other)


def test_a_long_list_is_cut(alice, log_in):
    browser = prove(log_in(alice))
    for _ in range(MOST_SHOWN + 5):
        writes_sign_in(user_id=alice.user_id, browser="x")
    shown = Html(browser.get(PAGE)).all("li", class_="sign-in")
    assert len(shown) == MOST_SHOWN
    assert "This browser" in shown[0].text
    browser.post(f"{PAGE}/sign-out-others")
    assert rows(alice) == 1


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_the_page_takes_three_calls(alice, log_in, measure):
    browser = log_in(alice)
    browser.get(PAGE)
    with measure() as meter:
        browser.get(PAGE)
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "BatchGetItem", "Query"]
    assert meter.read_units == 2 + 1 + 1
