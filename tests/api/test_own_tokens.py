"""People make tokens for programs of their own: shown once, with scopes and an end, ended with what ends sign-ins."""

import subprocess
from datetime import timedelta

import pytest

from accounts.access.writes import KEPT_WITHOUT_USE, SignInEnded
from accounts.grants.models import AppToken
from accounts.models import UserInfo
from accounts.own_tokens import writes
from accounts.own_tokens.writes import make_token
from accounts.people.restrictions import FOR_EVER
from accounts.security.writes import change_password
from accounts.sessions import get_viewer, hash_secret
from privacy.erasure.writes import begin_closing
from socialsite.clock import utc_now
from socialsite.table import change, ids, key_of, keys, row
from tests.accounts.authenticator import prove
from tests.accounts.scenes import send_whole_letters
from tests.api.conftest import App, tokens_of
from tests.conftest import PASSWORD, post
from tests.web.html import Html

ME, NEW, LIST = "/api/v1/accounts/verify_credentials", "/settings/tokens/new", "/settings/tokens"
HOME = "/api/v1/timelines/home"


@pytest.fixture
def here(alice, log_in):
    """Alice in her browser, where she has just confirmed who she is."""
    return prove(log_in(alice))


def send(browser, **typed):
    """Fills the form in and sends it."""
    page = Html(browser.get(NEW))
    form = {"nonce": page.one("input", name="nonce")["value"], "name": "Photo bot"}
    return browser.post(NEW, form | {"may": ["read"], "ends": "90"} | typed)


def made(browser, **typed):
    """Makes a token on the page, and returns it."""
    return Html(send(browser, **typed)).one("code", id="token").text


def stored(viewer):
    return [row(AppToken, raw) for raw in tokens_of(viewer)]


def test_a_token_is_made_after_a_proof_alone(alice, log_in):
    browser = log_in(alice)
    assert browser.get(NEW)["Location"].startswith("/confirm?")
    form = {"nonce": ids.new_id(), "name": "Bot", "may": ["read"], "ends": "7"}
    assert browser.post(NEW, form)["Location"].startswith("/confirm?")
    assert stored(alice) == []


def test_it_works_at_once_and_is_shown_once(alice, here):
    token = made(here)
    assert App(token).get(ME)["acct"] == "alice"
    assert token not in here.get(LIST).content.decode()
    secret = token.partition(".")[2]
    assert secret not in str(tokens_of(alice))


def test_the_first_call_runs_in_a_terminal_as_the_page_shows_it(alice, log_in, live_server):
    """From the page for developers to the end of the token, by links and forms."""
    post(alice, "Here by my own program")
    browser = prove(log_in(alice))
    browser.defaults["HTTP_HOST"] = live_server.url.removeprefix("http://")
    assert Html(browser.get("/developers")).all("a", href=NEW)
    page = Html(send(browser))
    command = page.one(id="call").text
    assert page.one("code", id="token").text in command
    assert "Here by my own program" in said_to(command)
    assert Html(browser.get("/settings/security")).all("a", href=LIST)
    button = Html(browser.get(LIST)).one("button", formaction="/settings/tokens/end")
    browser.post("/settings/tokens/end", {"token": button["value"]})
    assert "Photo bot" not in Html(browser.get(LIST)).one("main").text
    assert "error" in said_to(command)


def said_to(command: str) -> str:
    """What a terminal shows for the command."""
    asked = ["sh", "-c", f"{command} -s"]
    return subprocess.run(asked, capture_output=True, text=True, timeout=30, check=False).stdout


def test_it_may_do_what_was_chosen_and_no_more(alice, here):
    reader = App(made(here))
    assert reader.ask("post", "/api/v1/statuses", status="Hello").status_code == 403
    writer = App(made(here, may=[], writes=["write:statuses"]))
    assert writer.ask("post", "/api/v1/statuses", status="Hello").status_code == 200
    assert writer.ask("get", HOME).status_code == 403


def test_a_part_of_a_whole_is_not_kept_beside_it(alice, here):
    made(here, may=["read", "follow"], reads=["read:lists"], writes=["write:media"])
    assert [one.scopes for one in stored(alice)] == ["read follow write:media"]


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"may": []}, "may"),
        ({"may": ["admin"]}, "may"),
        ({"reads": ["write:media"]}, "reads"),
        ({"ends": "9999"}, "ends"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(alice, here, typed, field):
    answer = send(here, **typed)
    assert Html(answer).one("p", id=f"id_{field}_error")
    assert stored(alice) == []


@pytest.mark.parametrize("nonce", ["", "short", "x" * 26, "ä" * 26, "two days ago", "in an hour"])
def test_a_form_that_the_site_did_not_make_is_refused(alice, here, nonce):
    late = {"two days ago": timedelta(days=-2), "in an hour": timedelta(hours=1)}
    if nonce in late:
        nonce = ids.first_id_at(utc_now() + late[nonce])
    assert send(here, nonce=nonce).status_code == 422
    assert stored(alice) == []


def test_a_form_that_is_sent_twice_is_one_token(alice, here):
    nonce = ids.new_id()
    first, second = made(here, nonce=nonce), made(here, nonce=nonce)
    assert first == second
    assert len(stored(alice)) == 1
    assert len(send_whole_letters()) == 1


def test_the_same_form_of_others_is_another_token(alice, bob, here, log_in):
    nonce = ids.new_id()
    other = made(prove(log_in(bob)), nonce=nonce)
    assert made(here, nonce=nonce).partition(".")[2] != other.partition(".")[2]


def test_a_letter_tells_of_it(alice, here):
    made(here, name="Photo bot")
    [letter] = send_whole_letters()
    assert "“Photo bot”" in letter.body
    assert "/settings/security" in letter.body


def test_it_ends_when_its_person_said(alice, here):
    token = made(here, ends="7")
    assert stored(alice)[0].ttl < utc_now() + timedelta(days=7, minutes=1)
    key = key_of(tokens_of(alice)[0])
    change(AppToken, key, [AppToken.ttl.set(utc_now() - timedelta(seconds=1))])
    assert App(token).ask("get", ME).status_code == 401


@pytest.mark.parametrize(
    ("ends", "most"), [("7", 7), ("365", KEPT_WITHOUT_USE.days), ("none", 180)]
)
def test_use_keeps_it_but_not_beyond_its_end(alice, here, ends, most):
    caller = App(made(here, ends=ends))
    caller.get(ME)
    [token] = stored(alice)
    assert token.seen
    assert abs(token.ttl - utc_now() - timedelta(days=most)) < timedelta(minutes=1)


def test_the_page_says_what_it_may_when_it_was_used_and_when_it_ends(alice, here):
    caller = App(made(here, ends="30"))
    page = Html(here.get(LIST)).one("main").text
    assert "Photo bot" in page
    assert "Never used" in page
    assert "Ends on" in page
    caller.get(ME)
    assert "Last used on" in Html(here.get(LIST)).one("main").text
    assert "Photo bot" in Html(here.get("/settings/security")).one("main").text


@pytest.mark.parametrize(
    ("page", "name", "action"),
    [
        (LIST, "token", "/settings/tokens/end"),
        ("/settings/security", "app", "/settings/security/apps/end"),
    ],
)
def test_it_ends_in_one_press(alice, here, page, name, action):
    caller = App(made(here))
    button = Html(here.get(page)).one("button", formaction=action)
    here.post(action, {name: button["value"]})
    assert caller.ask("get", ME).status_code == 401
    assert stored(alice) == []


def test_nobody_ends_those_of_others(alice, bob, here, log_in):
    caller = App(made(here))
    value = stored(alice)[0].secret_hash
    log_in(bob).post("/settings/tokens/end", {"token": value})
    assert caller.ask("get", ME).status_code == 200


def test_another_password_ends_it(alice, here):
    caller = App(made(here))
    change_password(
        by=alice, password=PASSWORD, new_password="another-calm-password", browser="tests"
    )
    assert caller.ask("get", ME).status_code == 401
    assert stored(alice) == []


def test_a_suspension_locks_it_out_and_closing_ends_it(alice, here):
    caller = App(made(here, may=["read", "write"]))
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.suspended_until.set(FOR_EVER)])
    assert caller.ask("get", HOME).status_code == 403
    assert caller.ask("post", "/api/v1/statuses", status="Hello").status_code == 403
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.suspended_until.remove()])
    begin_closing(user_id=alice.user_id)
    assert caller.ask("get", ME).status_code in (401, 403)
    assert stored(alice) == []


def test_a_sign_in_that_has_ended_makes_none(alice, here):
    """It was taken away between two calls."""
    nonce = ids.new_id()
    viewer = get_viewer(alice.user_id, hash_secret(here.session["secret"]))[0]
    change_password(
        by=alice, password=PASSWORD, new_password="another-calm-password", browser="tests"
    )
    with pytest.raises(SignInEnded):
        make_token(by=viewer, name="Late", scopes=["read"], ends=None, nonce=nonce)
    assert stored(alice) == []


def test_there_is_a_most_of_them(alice, here, monkeypatch):
    nonce = ids.new_id()
    monkeypatch.setattr(writes, "MOST_TOKENS", 1)
    made(here, nonce=nonce)
    assert "End one first" in send(here).content.decode()
    assert len(stored(alice)) == 1
    assert made(here, nonce=nonce)  # the same form once more


def test_one_of_a_moderator_is_nobody_special(mod, log_in):
    caller = App(made(prove(log_in(mod)), may=["read", "write", "follow", "profile"]))
    assert caller.get(ME)["role"]["permissions"] == "0"
    for path in ("/moderation", "/moderation/cases", "/settings/tokens"):
        assert caller.ask("get", path).status_code in (302, 404), path


def test_what_it_costs(alice, here, measure):
    nonce = ids.new_id()
    viewer = get_viewer(alice.user_id, hash_secret(here.session["secret"]))[0]
    with measure() as meter:
        make_token(by=viewer, name="Bot", scopes=["read"], ends=None, nonce=nonce)
    assert [call.units for call in meter.calls] == [1, 2, 8]


def test_a_form_that_is_sent_again_brings_back_no_token_that_has_ended(alice, here):
    """Nor one that ended with others, and not after another one was made."""
    nonce = ids.new_id()
    token = made(here, nonce=nonce)
    other = made(here)
    for one in stored(alice):
        here.post("/settings/tokens/end", {"token": one.secret_hash})
    assert stored(alice) == []
    again = send(here, nonce=nonce)
    assert again.status_code == 422
    assert stored(alice) == []
    page = Html(again)
    fresh = page.one("input", name="nonce")["value"]
    assert fresh > nonce
    assert page.one("input", name="name")["value"] == "Photo bot"
    assert made(here, nonce=fresh) not in (token, other)
    assert App(token).ask("get", ME).status_code == 401
