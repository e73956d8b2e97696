"""Where one is signed in: the list, and ending what is elsewhere."""

from datetime import UTC, datetime

import pytest
from django.utils.formats import date_format

from accounts.models import SignIn
from accounts.sessions import MOST_SHOWN, browser_name, list_sign_ins
from accounts.sign_in.writes import sign_in
from socialsite.table import change, keys, query
from tests.accounts.authenticator import prove
from tests.accounts.codes import in_browser
from tests.web.html import Html

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


def is_signed_in(browser) -> bool:
    return browser.get("/settings/profile").status_code == 200


def rows(viewer) -> int:
    return len(list(query(keys.sign_ins(viewer.user_id), consistent=True)))


@pytest.mark.parametrize(("agent", "name"), AGENTS.items())
def test_a_browser_is_named_as_its_owner_knows_it(agent, name):
    assert browser_name(agent) == name


def test_the_list_names_browser_and_day_and_marks_this_one(alice, log_in):
    browser = log_in(alice)
    sign_in(user_id=alice.user_id, browser=next(iter(AGENTS)))
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
    shown = list_sign_ins(viewer)
    assert [row.is_here for row in shown] == [True, False, False, False]
    assert [row.seen.day for row in shown[1:]] == [3, 2, 1]


def test_ending_one_acts_at_its_next_request_and_on_no_other(alice, log_in):
    here, other, third = prove(log_in(alice)), log_in(alice), log_in(alice)
    form = {"sign_in": hash_of(alice, other)}
    for _ in range(2):  # sending it twice is harmless
        response = here.post(f"{PAGE}/sign-out", form)
        assert (response.status_code, response["Location"]) == (302, PAGE)
    assert not is_signed_in(other)
    assert is_signed_in(here)
    assert is_signed_in(third)


def test_ending_all_others_leaves_this_one(alice, bob, log_in):
    here, others = prove(log_in(alice)), [log_in(alice) for _ in range(29)]
    bobs = log_in(bob)
    answer = here.post(f"{PAGE}/sign-out-others", follow=True)
    assert "Signed out of 29 other browsers." in answer.content.decode()
    assert not any(is_signed_in(browser) for browser in others)
    assert is_signed_in(here)
    assert is_signed_in(bobs)
    assert rows(alice) == 1
    assert here.post(f"{PAGE}/sign-out-others").status_code == 302
    assert is_signed_in(here)


def test_nobody_ends_a_sign_in_of_somebody_else(alice, bob, log_in):
    hers, his = log_in(alice), prove(log_in(bob))
    form = {"sign_in": hash_of(alice, hers)}
    assert his.post(f"{PAGE}/sign-out", form).status_code == 302
    assert is_signed_in(hers)


@pytest.mark.parametrize("sign_in", ["", "x", "é" * 100, "../..", "#", "\x00"])
def test_what_names_no_sign_in_ends_none(alice, log_in, sign_in):
    browser = prove(log_in(alice))
    assert browser.post(f"{PAGE}/sign-out", {"sign_in": sign_in}).status_code == 302
    assert is_signed_in(browser)


def test_ending_any_asks_for_a_proof_and_leads_back(alice, log_in):
    here, other = log_in(alice), log_in(alice)
    form = {"sign_in": hash_of(alice, other)}
    for path in ("sign-out", "sign-out-others"):
        asked = here.post(f"{PAGE}/{path}", form)
        assert asked["Location"] == "/confirm?next=%2Fsettings%2Fsecurity&again=1"
    assert is_signed_in(other)
    prove(here)
    here.post(f"{PAGE}/sign-out", form)
    assert not is_signed_in(other)


def test_a_long_list_is_cut(alice, log_in):
    browser = prove(log_in(alice))
    for _ in range(MOST_SHOWN + 5):
        sign_in(user_id=alice.user_id, browser="x")
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
