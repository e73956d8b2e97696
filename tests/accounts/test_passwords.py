"""Passwords: changed, forgotten, reset, hashed, and what password managers see."""

from datetime import timedelta

import argon2
import pyotp
import pytest
from django.contrib.auth.hashers import identify_hasher
from django.test import Client

from accounts.credentials import passwords
from accounts.credentials.passwords import WrongPassword, hash_password, password_matches
from accounts.mail import tokens
from accounts.mail.tokens import LASTS, LinkGone, Purpose
from accounts.middleware import SESSION_SECRET, SESSION_USER
from accounts.models import Credentials, Token, UserInfo
from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from accounts.proof import views
from accounts.security import views as security_views
from accounts.security.writes import ask_for_reset, change_password
from accounts.security.writes import reset_password as service
from accounts.sessions import MOST_AT_ONCE, end_other_sign_ins
from accounts.sign_in.writes import find_account, sign_in
from socialsite import settings as socialsite
from socialsite.clock import utc_now
from socialsite.table import Unavailable, change, get, keys, query
from socialsite.table.reading import scan
from tests.accounts.scenes import (
    check_credentials,
    in_browser,
    one_letter,
    send_letters,
    with_second_factor,
)
from tests.conftest import PASSWORD, epoch_of, person
from tests.looks import broken_invariants
from tests.moderation.cases import restrict
from tests.together import together
from tests.web.html import Html

PAGE = "/settings/password"
NEW = "a quieter battery staple"


def send(browser: Client, password: str = PASSWORD, new: str = NEW, **more: str):
    return browser.post(PAGE, {"password": password, "new_password": new} | more)


def is_signed_in(browser: Client) -> bool:
    return browser.get("/settings/profile").status_code == 200


def opens_account(password: str) -> bool:
    try:
        return bool(check_credentials(account="alice", password=password))
    except WrongPassword:
        return False


def test_the_new_password_takes_the_place_of_the_old(alice, log_in):
    response = send(log_in(alice))
    assert (response.status_code, response["Location"]) == (302, "/settings/security")
    assert (opens_account(NEW), opens_account(PASSWORD)) == (True, False)
    assert NEW not in str(list(scan()))


def test_every_other_sign_in_ends_and_this_one_gets_a_new_secret(alice, bob, log_in):
    here, other, bobs = log_in(alice), log_in(alice), log_in(bob)
    stolen = Client()
    stolen.cookies = here.cookies.copy()
    before = here.session[SESSION_SECRET]
    send(here)
    assert [is_signed_in(browser) for browser in (here, bobs, other, stolen)] == [
        True,
        True,
        False,
        False,
    ]
    assert here.session[SESSION_SECRET] != before
    assert len(list(query(keys.sign_ins(alice.user_id)))) == 1


def test_a_sign_in_begun_with_the_old_password_is_refused(alice, log_in):
    """The right password was typed a moment before the change, and the sign-in is written a moment after it."""
    found = find_account("alice")
    send(log_in(alice))
    with pytest.raises(WrongPassword):
        sign_in(user_id=found.user_id, browser="tests", epoch=found.epoch)


def test_a_code_asked_for_with_the_old_password_signs_nobody_in(alice, log_in):
    app = with_second_factor(alice)
    half = Client()
    half.post("/login", {"account": "alice", "password": PASSWORD})
    assert send(log_in(alice), code=app.code()).status_code == 302
    response = half.post("/login/code", {"code": app.code()})
    assert response["Location"].startswith("/login?")
    assert not is_signed_in(half)


@pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)
def test_two_changes_at_once_are_one(alice, log_in, drain_stream):
    browsers = [log_in(alice) for _ in range(4)]
    answers = together(
        *(
            lambda n=n, browser=browser: send(browser, new=f"{NEW} {n}")
            for n, browser in enumerate(browsers)
        )
    )
    done = [
        answer
        for answer in answers
        if answer.status_code == 302 and "login" not in answer["Location"]
    ]
    assert len(done) == 1
    assert sum(is_signed_in(browser) for browser in browsers) == 1
    assert sum(opens_account(f"{NEW} {n}") for n in range(4)) == 1
    drain_stream()
    assert not broken_invariants()


def test_the_form_sent_again_changes_nothing_more(alice, log_in):
    browser = log_in(alice)
    send(browser)
    again = send(browser)
    assert again.status_code == 422
    assert Html(again).error("password")
    assert epoch_of(alice) == 1


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ("elevenchars", "short"),
        ("1qaz2wsx3edc", "easy to guess"),
        ("ILoveYouForever", "easy to guess"),
        ("123456789012345", "easy to guess"),
        ("Socialsite for ever", "easy to guess"),
        ("call me Alice here", "contain"),
        (PASSWORD, "already"),
        ("", "Fill this in"),
    ],
)
def test_an_easy_password_is_refused_beside_its_field(alice, log_in, new, why):
    response = send(log_in(alice), new=new)
    assert response.status_code == 422
    assert why in Html(response).error("new_password")
    assert opens_account(PASSWORD)
    assert not new or new not in response.content.decode()


def test_a_password_may_be_made_of_anything(alice, log_in):
    assert send(log_in(alice), new="839201756402139").status_code == 302
    assert opens_account("839201756402139")


def test_a_wrong_password_changes_nothing_and_tries_are_limited(alice, log_in, limit):
    browser, other = log_in(alice), log_in(alice)
    limit(views, "PROOFS_BY_ACCOUNT", 2)
    for _ in range(2):
        response = send(browser, "not hers at all")
        assert response.status_code == 422
        assert Html(response).error("password")
    assert send(browser).status_code == 429
    assert is_signed_in(other)
    assert opens_account(PASSWORD)


def test_with_two_step_verification_it_takes_a_code_that_is_then_used_up(alice, log_in):
    app = with_second_factor(alice)
    browser = log_in(alice)
    assert Html(send(browser, code=app.wrong_code())).error("code")
    code = app.code()
    assert send(browser, code=code).status_code == 302
    assert send(browser, NEW, "another long battery", code=code).status_code == 422
    assert pyotp.TOTP(app.secret).verify(code, valid_window=1)


def test_looking_changes_nothing(alice, log_in):
    browser = log_in(alice)
    page = Html(browser.get(PAGE, {"password": PASSWORD, "new_password": NEW}))
    assert page.one("input", name="new_password")["autocomplete"] == "new-password"
    assert opens_account(PASSWORD)


def test_the_buttons_that_show_a_password_wait_for_their_script(alice, log_in):
    buttons = Html(log_in(alice).get(PAGE)).all("button", class_="show-password")
    assert len(buttons) == 2
    assert all("hidden" in button.attributes for button in buttons)


def test_more_sign_ins_than_a_transaction_takes_all_end(alice, log_in):
    browsers = [log_in(alice) for _ in range(3)]
    for _ in range(MOST_AT_ONCE + 5):
        sign_in(user_id=alice.user_id, browser="tests")
    assert end_other_sign_ins(by=in_browser(alice, browsers[0])) == MOST_AT_ONCE + 7
    assert [is_signed_in(browser) for browser in browsers] == [True, False, False]
    assert len(list(query(keys.sign_ins(alice.user_id)))) == 1


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_it_takes_one_transaction(alice, log_in, measure):
    by = in_browser(alice, log_in(alice))
    with measure() as meter:
        change_password(by=by, password=PASSWORD, new_password=NEW, browser="tests")
    called = [call.operation for call in meter.calls]
    assert called == ["BatchGetItem", "Query", "TransactWriteItems"]
    assert (meter.read_units, meter.write_units) == (2, 8 + 2)


# Asking for a new password: the same answer for every address, so that nobody learns who has an account.

FORGOT = "/password/forgot"


def ask(email: str = "alice@example.org"):
    return Client().post(FORGOT, {"email": email})


def test_the_answer_is_the_same_for_known_and_unknown_addresses(alice, measure):
    seen = []
    for email in ("alice@example.org", "nobody@example.org"):
        with measure() as meter:
            response = ask(email)
        calls = [(call.operation, call.units) for call in meter.calls]
        seen.append((response.status_code, response["Location"], response.content, calls))
    assert seen[0] == seen[1]
    assert [letter.to for letter in send_letters()] == ["alice@example.org"]


@pytest.mark.usefixtures("clock")
def test_a_form_sent_twice_is_one_letter(alice):
    for _ in range(2):
        assert ask()["Location"] == f"{FORGOT}?sent"
    assert len(send_letters()) == 1


@pytest.mark.parametrize("email", ["alice@example.org", "nobody@example.org"])
def test_asking_is_limited_by_network_whether_or_not_there_is_an_account(alice, limit, email):
    limit(security_views, "RESETS_BY_ADDRESS", 2)
    assert [ask(email).status_code for _ in range(3)] == [302, 302, 429]


def test_what_cannot_be_an_address_is_said_beside_the_field(table):
    for typed in ("", "nobody", "a" * 300):
        response = ask(typed)
        assert response.status_code == 422
        assert Html(response).error("email")
        assert Html(response).value("email") == typed
    assert not send_letters()


def ask_for_link(email: str = "alice@example.org", **extra):
    return Client().post(FORGOT, {"email": email}, **extra)


# Resetting a password: by a link in a letter, once, for its account alone, and nobody learns who has an account.


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
    ask_for_link()
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
    send(log_in(alice))
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
    ask_for_link()
    secret = one_letter().path.rpartition("/")[2]
    found = str(list(scan()))
    assert "alice@example.org" not in found
    assert secret not in found


def test_the_page_is_not_kept_and_tells_its_address_to_no_other_site(alice):
    path = link()
    for response in (Client().get(path), Client().get(f"{path}x"), choose(path, "x")):
        assert response["Referrer-Policy"] == "strict-origin"
        assert "no-store" in response["Cache-Control"]


# How passwords are hashed in production: Argon2id, 19 MiB, two passes, one lane, two at once.


@pytest.fixture
def _production_hasher(settings):
    settings.PASSWORD_HASHERS = socialsite.PASSWORD_HASHERS


@pytest.mark.usefixtures("_production_hasher")
def test_the_hash_is_argon2id_with_19_mib_two_passes_one_lane():
    hashed = hash_password(PASSWORD)
    parameters = argon2.extract_parameters(hashed.removeprefix("argon2"))
    assert parameters.type is argon2.Type.ID
    assert (parameters.memory_cost, parameters.time_cost, parameters.parallelism) == (
        19 * 1024,
        2,
        1,
    )


@pytest.mark.usefixtures("_production_hasher")
def test_the_right_password_matches_and_no_other():
    hashed = hash_password(PASSWORD)
    assert password_matches(PASSWORD, hashed)
    assert not password_matches(PASSWORD + "x", hashed)
    assert not password_matches(PASSWORD, None)


@pytest.mark.usefixtures("_production_hasher")
def test_each_hash_has_a_salt_of_its_own():
    assert hash_password(PASSWORD) != hash_password(PASSWORD)


@pytest.mark.usefixtures("_production_hasher")
def test_an_account_is_stored_with_it_and_signs_in(table):
    dora = person("dora")
    stored = get(Credentials, keys.credentials(dora.user_id)).password
    assert isinstance(identify_hasher(stored), passwords.Argon2Hasher)
    assert check_credentials(account="dora", password=PASSWORD).user_id == dora.user_id
    with pytest.raises(WrongPassword):
        check_credentials(account="dora", password="something else")


@pytest.mark.usefixtures("_production_hasher")
def test_an_unknown_account_costs_a_hash_too(table):
    """With every place taken even an unknown account has to wait: it is hashed for as well."""
    with AllPlacesTaken(), pytest.raises(Unavailable):
        check_credentials(account="nobody_here", password=PASSWORD)


@pytest.mark.usefixtures("_production_hasher")
def test_who_waits_for_a_hash_too_long_is_told_to_come_back(table):
    person("dora")
    with AllPlacesTaken():
        response = Client().post("/login", {"account": "dora", "password": PASSWORD})
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0


@pytest.mark.usefixtures("_production_hasher")
def test_a_place_comes_free_again_after_a_refused_password(table):
    person("dora")
    for _ in range(passwords.HASHES_AT_ONCE + 1):
        with pytest.raises(WrongPassword):
            check_credentials(account="dora", password="something else")


@pytest.mark.usefixtures("_production_hasher")
def test_a_password_too_long_is_refused_before_it_is_hashed(table):
    with AllPlacesTaken():
        response = Client().post("/login", {"account": "dora", "password": "x" * 129})
    assert response.status_code == 422
    assert Html(response).error("password")


class AllPlacesTaken:
    """As many sign-ins as may hash at once are at it."""

    def __enter__(self) -> None:
        self.taken = [passwords._slot() for _ in range(passwords.HASHES_AT_ONCE)]
        for place in self.taken:
            place.__enter__()

    def __exit__(self, *_: object) -> None:
        for place in self.taken:
            place.__exit__(None, None, None)


LONG = {
    "64 of words": "correct horse battery staple, and then some more of the same kind!!",
    "128 of letters": "".join(chr(97 + (n * 7) % 26) for n in range(128)),
    "128 of many scripts": ("пароль密码🔑é " * 20)[:128],
    "spaces at both ends": f"   {'a long one with spaces':-^70}   ",
}


@pytest.mark.usefixtures("_production_hasher")
@pytest.mark.parametrize("password", LONG.values(), ids=LONG)
def test_a_long_password_of_any_signs_is_taken_whole(table, password):
    """64 characters and more, up to 128: signing up, signing in, and changing it. Nothing is cut off."""
    form = {"handle": "dora", "name": "Dora", "email": "dora@example.org", "password": password}
    assert Client().post("/signup", form).status_code == 302
    for wrong in (password[:-1], password[:64] if len(password) > 64 else password[1:]):
        with pytest.raises(WrongPassword):
            check_credentials(account="dora", password=wrong)
    browser = Client()
    assert browser.post("/login", {"account": "dora", "password": password}).status_code == 302
    other = password[::-1]
    assert send(browser, password, other).status_code == 302
    assert check_credentials(account="dora", password=other)


# Fields for secrets are masked, may be pasted into, and tell password managers what they are for.

TOLD = {"username", "name", "email", "current-password", "new-password", "one-time-code", "off"}


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("path", ["/login", "/signup"])
def test_visitors_find_fields_that_can_be_filled_in(path):
    assert_can_be_filled_in(Client(), path)


@pytest.mark.parametrize("path", ["/settings/password", "/settings/security", "/confirm"])
def test_members_find_fields_that_can_be_filled_in(alice, log_in, path):
    with_second_factor(alice)
    assert_can_be_filled_in(log_in(alice), path, secrets=path != "/settings/security")


def assert_can_be_filled_in(browser: Client, path: str, *, secrets: bool = True) -> None:
    page = Html(browser.get(path))
    masked = page.all("input", type="password")
    assert bool(masked) is secrets
    for field in (*masked, *page.all("input", type="text"), *page.all("input", type="email")):
        if "name" in field.attributes and field["name"] not in ("q", "invite"):
            assert TOLD & set(field["autocomplete"].split()), field["name"]
    for field in masked:
        assert field["autocomplete"].rpartition("-")[2] == "password"
        assert not {"onpaste", "readonly"} & set(field.attributes)
