"""Resetting a password: by a link in a letter, once, for its account alone, and nobody learns who has an account."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.mail import tokens
from accounts.mail.tokens import LASTS, LinkGone, Purpose
from accounts.middleware import SESSION_USER
from accounts.models import Token, UserInfo
from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from accounts.security.writes import ask_for_reset
from accounts.security.writes import reset_password as service
from socialsite.clock import utc_now
from socialsite.table import change, keys
from socialsite.table.reading import scan
from tests.accounts.codes import with_second_factor
from tests.accounts.credentials import check_credentials
from tests.accounts.letters import one_letter, send_letters
from tests.accounts.test_change_password import NEW, is_signed_in, opens_account
from tests.accounts.test_change_password import send as change_password
from tests.conftest import PASSWORD, epoch_of
from tests.looks import broken_invariants
from tests.moderation.restricting import restrict
from tests.together import together
from tests.web.html import Html

FORGOT = "/password/forgot"


def ask(email: str = "alice@example.org", **extra):
    return Client().post(FORGOT, {"email": email}, **extra)


def link(email: str = "alice@example.org") -> str:
    """The path of the link in the letter."""
    send_letters()  # those of before
    ask_for_reset(email=email)
    return one_letter().path


def choose(path: str, new: str = NEW, browser: Client | None = None, **more: str):
    return (browser or Client()).post(path, {"new_password": new} | more)


def pass_time(path: str, length: timedelta) -> None:
    """As if the letter had been sent earlier."""
    key = keys.token(tokens._hash(path.rpartition("/")[2]))
    change(Token, key, [Token.ttl.set(utc_now() + LASTS[Purpose.RESET] - length)])


def test_the_link_sets_a_new_password_once_and_signs_nobody_in(alice, drain_stream):
    path, browser = link(), Client()
    page = Html(browser.get(path))
    assert page.one("input", name="new_password")["autocomplete"] == "new-password"
    assert page.value("username") == "alice"
    response = choose(path, browser=browser)
    assert (response.status_code, response["Location"]) == (302, "/login")
    assert not browser.session.get(SESSION_USER)
    assert (opens_account(NEW), opens_account(PASSWORD)) == (True, False)
    assert choose(path, "yet another battery").status_code == 404
    assert browser.get(path).status_code == 404
    assert opens_account(NEW)
    drain_stream()
    assert not broken_invariants()


def test_every_sign_in_of_the_account_ends_and_no_other(alice, bob, log_in):
    hers, his = log_in(alice), log_in(bob)
    choose(link())
    assert (is_signed_in(hers), is_signed_in(his)) == (False, True)
    assert epoch_of(alice) == 1


def test_in_a_browser_of_someone_else_it_acts_on_the_account_of_the_link(alice, bob, log_in):
    browser, path = log_in(bob), link()
    assert "@alice" in browser.get(path).content.decode()
    choose(path, browser=browser)
    assert opens_account(NEW)
    assert browser.session[SESSION_USER] == bob.user_id
    assert check_credentials(account="bob", password=PASSWORD).user_id == bob.user_id


def test_looking_uses_nothing_up(alice):
    path, browser = link(), Client()
    for _ in range(2):
        assert browser.head(path).status_code == 200
        assert browser.get(path, {"new_password": NEW}).status_code == 200
    assert opens_account(PASSWORD)
    assert choose(path).status_code == 302


@pytest.mark.parametrize("length", [timedelta(minutes=30), timedelta(days=2)])
def test_a_link_works_for_half_an_hour(alice, length):
    path = link()
    pass_time(path, timedelta(minutes=29))
    assert Client().get(path).status_code == 200
    pass_time(path, length)
    assert choose(path).status_code == 404
    assert opens_account(PASSWORD)


def test_a_letter_that_could_not_be_sent_in_time_is_not_sent_at_all(alice, monkeypatch):
    ask()
    late = utc_now() + LASTS[Purpose.RESET] + timedelta(seconds=1)
    for module in ("accounts.mail.stream", "accounts.mail.tokens"):
        monkeypatch.setattr(f"{module}.utc_now", lambda: late)
    assert send_letters() == []


def test_an_altered_link_or_one_for_something_else_opens_nothing(alice):
    path = link()
    altered = path[:-1] + ("A" if path[-1] != "A" else "B")
    assert choose(altered).status_code == 404
    ask_for_reset(email="nobody@example.org")
    secret = tokens.secret_of(Purpose.CONFIRM, "x")
    confirming = tokens.new_token(
        Purpose.CONFIRM, "x", user_id=alice.user_id, until=utc_now() + timedelta(days=1)
    )
    assert tokens.issue_token(confirming)
    assert choose(f"/password/reset/{secret}").status_code == 404
    assert opens_account(PASSWORD)


def test_an_earlier_link_ends_with_the_password_of_its_time(alice, log_in):
    path = link()
    change_password(log_in(alice))
    assert Client().get(path).status_code == 404
    assert choose(path, "one more battery staple").status_code == 404
    assert opens_account(NEW)


@pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)
def test_of_eight_uses_at_once_one_wins(alice):
    secret = link().rpartition("/")[2]
    results = together(
        *(lambda n=n: service(secret=secret, new_password=f"{NEW} {n}") for n in range(8))
    )
    assert sum(result is None for result in results) == 1
    assert sum(isinstance(result, LinkGone) for result in results) == 7
    assert [opens_account(f"{NEW} {n}") for n in range(8)] == [r is None for r in results]


def test_a_letter_sent_again_brings_the_same_link_and_never_a_used_one_back(alice, monkeypatch):
    """The clock never learns that the letter went out, so it sends it again and again."""
    monkeypatch.setattr("socialsite.due.work.write_batch", lambda **_: None)
    path = link()
    [again] = send_letters(utc_now() + timedelta(minutes=2))
    assert again.path == path
    choose(path)
    later = send_letters(utc_now() + timedelta(minutes=20))
    assert [letter.path for letter in later] == [FORGOT]  # the one that tells of the change


def test_two_step_verification_is_not_skipped(alice):
    app = with_second_factor(alice)
    path = link()
    assert Html(choose(path, code=app.wrong_code())).error("code")
    assert choose(path).status_code == 422
    assert opens_account(PASSWORD)
    assert choose(path, code=app.code()).status_code == 302
    assert opens_account(NEW)


def test_guesses_at_the_code_are_slowed_as_at_the_sign_in(alice, lane, clock):
    app = with_second_factor(alice)
    lane("CODE_BY_ACCOUNT", free=2)
    path = link()
    answers = [choose(path, code=app.wrong_code()) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [422, 422, 429, 429]
    assert answers[-1]["Retry-After"]


@pytest.mark.parametrize(
    ("new", "why"), [("short", "short"), ("my name is alice", "contain"), ("", "Fill this in")]
)
def test_an_easy_password_is_refused_and_the_link_still_works(alice, new, why):
    path = link()
    response = choose(path, new)
    assert response.status_code == 422
    assert why in Html(response).error("new_password")
    assert choose(path).status_code == 302


@pytest.mark.parametrize("restriction", ["suspended", "paused", "waiting"])
def test_people_who_are_locked_out_can_reset_their_password(alice, restriction):
    if restriction == "suspended":
        restrict(alice, Restriction.SUSPENDED)
    else:
        flag = getattr(UserInfo, restriction)
        change(UserInfo, keys.user_info(alice.user_id), [flag.set("yes")])
    assert choose(link()).status_code == 302
    assert opens_account(NEW)
    assert get_user_info(alice.user_id)


def test_the_owner_is_told_that_the_password_has_changed(alice):
    choose(link())
    letter = one_letter()
    assert (letter.to, letter.path) == ("alice@example.org", FORGOT)


def test_neither_address_nor_secret_is_in_the_table(alice):
    ask()
    secret = one_letter().path.rpartition("/")[2]
    found = str(list(scan()))
    assert "alice@example.org" not in found
    assert secret not in found


def test_the_page_is_not_kept_and_tells_its_address_to_no_other_site(alice):
    path = link()
    for response in (Client().get(path), Client().get(f"{path}x"), choose(path, "x")):
        assert response["Referrer-Policy"] == "strict-origin"
        assert "no-store" in response["Cache-Control"]
