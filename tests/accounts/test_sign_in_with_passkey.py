"""Signing in with a passkey instead of a password, and everything that is refused."""

import json

import pytest
from django.conf import settings as site
from django.test import Client

from accounts.credentials import passkeys
from accounts.middleware import SESSION_USER
from accounts.models import Passkey, SignIn, UserInfo
from accounts.people.restrictions import Restriction
from accounts.people.viewer import BY_PASSKEY
from accounts.sessions import end_other_sign_ins
from accounts.sign_in import writes
from socialsite.clock import utc_now_iso
from socialsite.table import change, get, keys, query
from tests.accounts.authenticator import (
    Authenticator,
    Key,
    add_passkey,
    add_to,
    asked,
    kept,
    prove,
    remove,
    sign_in,
)
from tests.accounts.codes import in_browser, with_second_factor
from tests.accounts.slowed import assert_slowed
from tests.conftest import PASSWORD
from tests.moderation.restricting import restrict
from tests.together import together
from tests.web.html import Html


@pytest.fixture
def key(alice, log_in, phone) -> Key:
    """Alice's passkey on her phone."""
    return add_to(alice, phone, log_in(alice))


def is_refused(answer) -> bool:
    said = answer.content.decode()
    return answer.status_code == 422 and "That passkey didn’t work" in said


def test_a_passkey_signs_in_without_name_or_password(alice, key, phone):
    browser = Client()
    answer = phone.use(asked(browser.get("/login?next=/local")))
    done = browser.post("/login/passkey", {"credential": answer, "next": "/local"})
    assert (done.status_code, done["Location"]) == (302, "/local")
    assert browser.session[SESSION_USER] == alice.user_id
    assert (kept(alice, key).counter, bool(kept(alice, key).used)) == (1, True)


def test_it_counts_as_both_factors(alice, key, phone):
    app = with_second_factor(alice)
    browser = Client()
    assert sign_in(phone, browser)["Location"] == "/"
    place = keys.sign_in(alice.user_id, in_browser(alice, browser).secret_hash)
    assert get(SignIn, place).proved_with == BY_PASSKEY
    assert app


def test_the_page_names_no_account_and_asks_for_a_verified_owner(alice, key):
    options = asked(Client().get("/login"))
    assert options["allowCredentials"] == []
    assert options["userVerification"] == "required"
    field = Html(Client().get("/login")).one("input", name="account")
    assert field["autocomplete"] == "username webauthn"


def test_whatever_is_wrong_the_answer_is_the_same(alice, key, phone):
    stranger = Authenticator()
    stranger.make({"user": {"id": phone.keys[-1].user_handle}, "challenge": "AAAA"})
    answers = [
        sign_in(stranger),
        sign_in(phone, origin="https://evil.example"),
        sign_in(phone, domain="evil.example"),
        sign_in(phone, verifies=False),
        sign_in(phone, user_handle="AAAA"),
        sign_in(phone, user_handle=""),
        Client().post("/login/passkey", {"credential": "{}"}),
        Client().post("/login/passkey"),
    ]
    assert all(map(is_refused, answers))
    assert not list(query(keys.sign_ins(alice.user_id)))


def test_an_altered_signature_is_refused(alice, key, phone):
    browser = Client()
    answer = json.loads(phone.use(asked(browser.get("/login"))))
    other = json.loads(phone.use(asked(browser.get("/login"))))
    answer["response"]["signature"] = other["response"]["signature"]
    assert is_refused(browser.post("/login/passkey", {"credential": json.dumps(answer)}))


@pytest.mark.parametrize("step", [0, 1], ids=["without a counter", "with one"])
def test_an_answer_is_worth_nothing_a_second_time_even_with_the_cookie_of_the_first(
    alice, log_in, step
):
    phone = Authenticator(step=step)
    add_to(alice, phone, log_in(alice))
    browser = Client()
    answer = phone.use(asked(browser.get("/login")))
    cookie = browser.cookies[site.SESSION_COOKIE_NAME].value
    assert browser.post("/login/passkey", {"credential": answer}).status_code == 302
    thief = Client()
    thief.cookies[site.SESSION_COOKIE_NAME] = cookie
    assert is_refused(thief.post("/login/passkey", {"credential": answer}))
    assert SESSION_USER not in thief.session


def test_of_many_who_send_one_answer_at_once_one_gets_in(alice, log_in):
    phone = Authenticator(step=0)
    add_to(alice, phone, log_in(alice))
    browser = Client()
    answer = phone.use(asked(browser.get("/login")))
    cookie = browser.cookies[site.SESSION_COOKIE_NAME].value

    def send() -> int:
        one = Client()
        one.cookies[site.SESSION_COOKIE_NAME] = cookie
        return one.post("/login/passkey", {"credential": answer}).status_code

    assert sorted(together(*[send] * 5)) == [302, 422, 422, 422, 422]


def test_a_challenge_holds_for_five_minutes_in_the_browser_that_was_asked(
    alice, key, phone, monkeypatch
):
    one, other = Client(), Client()
    answer = phone.use(asked(one.get("/login")))
    other.get("/login")
    assert is_refused(other.post("/login/passkey", {"credential": answer}))
    monkeypatch.setattr(passkeys, "CHALLENGE_SECONDS", -1)
    assert is_refused(sign_in(phone))


def test_three_tabs_may_ask_at_the_same_time(alice, key, phone):
    browser = Client()
    asking = [asked(browser.get("/login")) for _ in range(4)]
    late, soon = phone.use(asking[0]), phone.use(asking[2])
    assert is_refused(browser.post("/login/passkey", {"credential": late}))
    assert browser.post("/login/passkey", {"credential": soon}).status_code == 302


def test_a_counter_that_went_back_is_refused_and_logged(alice, key, phone, caplog):
    assert sign_in(phone).status_code == 302
    assert sign_in(phone).status_code == 302
    key.count = 0  # a copy, made before
    assert is_refused(sign_in(phone))
    assert "passkey-counter-back" in caplog.messages
    assert kept(alice, key).counter == 2


def test_a_counter_may_stand_at_zero_and_not_return_to_it(alice, log_in, phone):
    phone.step = 0
    key = add_to(alice, phone, log_in(alice))
    assert [sign_in(phone).status_code for _ in range(2)] == [302, 302]
    change(Passkey, kept(alice, key).key, [Passkey.counter.set(7)])
    assert is_refused(sign_in(phone))


def test_a_removed_passkey_signs_nobody_in(alice, log_in, phone):
    browser = prove(log_in(alice))
    key = add_passkey(browser, phone)
    assert sign_in(phone).status_code == 302
    remove(browser, key)
    assert is_refused(sign_in(phone))


def test_a_passkey_outlives_the_password_and_the_end_of_all_sign_ins(alice, log_in, phone):
    browser = prove(log_in(alice))
    add_passkey(browser, phone)
    form = {"password": PASSWORD, "new_password": "another calm long one"}
    browser.post("/settings/password", form)
    end_other_sign_ins(by=in_browser(alice, browser))
    new = Client()
    assert sign_in(phone, new).status_code == 302
    assert new.get("/settings/profile").status_code == 200


def test_a_sign_in_that_is_overtaken_by_the_end_of_all_sign_ins_is_refused(
    alice, log_in, phone, monkeypatch
):
    browser = prove(log_in(alice))
    add_passkey(browser, phone)
    find = writes.find_passkey

    def find_then_end(answer):
        found = find(answer)
        end_other_sign_ins(by=in_browser(alice, browser))
        return found

    monkeypatch.setattr(writes, "find_passkey", find_then_end)
    assert is_refused(sign_in(phone))
    assert len(list(query(keys.sign_ins(alice.user_id)))) == 1


def test_people_who_are_locked_out_come_as_far_as_with_a_password(alice, log_in, phone, mod):
    add_to(alice, phone, log_in(alice))
    restrict(alice, Restriction.SUSPENDED)
    browser = Client()
    assert sign_in(phone, browser).status_code == 302
    assert browser.get("/settings/profile")["Location"] == "/standing"


def test_people_who_paused_come_as_far_as_with_a_password(alice, log_in, phone):
    add_to(alice, phone, log_in(alice))
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.paused.set(utc_now_iso())])
    browser = Client()
    assert sign_in(phone, browser).status_code == 302
    assert browser.get("/settings/profile")["Location"] == "/standing"


def test_tries_from_one_address_are_slowed(table, lane, clock):
    lane("PASSKEY_BY_ADDRESS", free=2)
    stranger = Authenticator()
    stranger.make({"user": {"id": "AAAA"}, "challenge": "AAAA"})
    for _ in range(2):
        assert is_refused(sign_in(stranger))
    assert assert_slowed(sign_in(stranger)) > 0


def test_where_passkeys_cannot_work_nobody_is_asked_for_one(alice, key, phone, settings):
    browser = Client()
    answer = phone.use(asked(browser.get("/login")))
    settings.PASSKEY_DOMAIN = ""
    assert not Html(browser.get("/login")).all("form", id="passkey")
    assert browser.post("/login/passkey", {"credential": answer}).status_code == 404


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_it_costs_two_units_to_read_and_18_to_write_with_letter_and_origins(
    alice, key, phone, measure
):
    browser = Client()
    form = {"credential": phone.use(asked(browser.get("/login")))}
    with measure() as meter:
        browser.post("/login/passkey", form)
    units = {
        name: sum(call.units for call in meter.calls if call.access_pattern == name)
        for name in ("find_passkey", "sign_in_with_passkey")
    }
    assert units == {"find_passkey": 2, "sign_in_with_passkey": 10 + 8}
