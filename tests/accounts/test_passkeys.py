"""Passkeys: added after a proof, listed, used to sign in or as the second step."""

import json

import pytest
from django.conf import settings as site
from django.test import Client
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from accounts.credentials import passkeys
from accounts.credentials.passkeys import (
    MOST_PASSKEYS,
    Answer,
    RelyingParty,
    WrongPasskey,
    get_keyring,
)
from accounts.middleware import SESSION_USER
from accounts.models import Credentials, Passkey, SignIn, UserInfo
from accounts.people.restrictions import Restriction
from accounts.people.viewer import BY_PASSKEY
from accounts.security.writes import PasskeyExists, add_passkey
from accounts.sessions import end_other_sign_ins
from accounts.sign_in import views, writes
from socialsite.clock import utc_now_iso
from socialsite.table import change, get, keys, query, reading
from tests.accounts import authenticator as devices
from tests.accounts.authenticator import (
    ADD,
    PAGE,
    Authenticator,
    Key,
    add_to,
    asked,
    broken,
    kept,
    names,
    prove,
    remove,
    sign_in,
)
from tests.accounts.authenticator import add_passkey as authenticator_add_passkey
from tests.accounts.scenes import (
    App,
    assert_slowed,
    credentials,
    enter_password,
    in_browser,
    with_second_factor,
)
from tests.conftest import PASSWORD
from tests.moderation.cases import restrict
from tests.together import together
from tests.web.html import Html
from tests.web.naughty import SOME

HERE = RelyingParty("localhost", ("http://localhost",))


def test_a_passkey_is_added_and_listed_with_its_name(alice, proved, phone):
    key = devices.add_passkey(proved, phone, "My phone")
    assert names(proved) == ["My phone"]
    assert "Never used" in Html(proved.get(PAGE)).one("li", class_="passkey").text
    item = kept(alice, key)
    assert (item.counter, item.backed_up, item.transports) == (0, False, {"internal"})
    assert not broken()


def test_the_options_ask_for_a_verified_owner_and_name_the_account_by_chance_alone(alice, proved):
    options = asked(proved.get(ADD))
    selection = options["authenticatorSelection"]
    assert (selection["residentKey"], selection["userVerification"]) == ("required", "required")
    assert options["rp"]["id"] == "localhost"
    assert alice.user_id not in json.dumps(options)
    assert len(options["user"]["id"]) == 43  # 32 bytes
    assert asked(proved.get(ADD))["user"]["id"] == options["user"]["id"]
    assert asked(proved.get(ADD))["challenge"] != options["challenge"]


def test_without_scripts_there_is_no_form_that_could_not_work(alice, proved):
    answer = proved.get(ADD)
    assert "hidden" in Html(answer).one("form", id="passkey").attributes
    assert "Passkeys need JavaScript." in Html(answer).one("noscript").text


def test_looking_at_the_page_writes_nothing(alice, proved):
    def table() -> dict:
        return {reading.key_of(raw): raw for raw in reading.scan()}

    before = table()
    proved.get(ADD)
    assert table() == before


@pytest.mark.parametrize("path", [ADD, f"{PAGE}/remove?passkey=x"])
def test_adding_and_removing_need_a_fresh_proof(alice, log_in, path):
    browser = log_in(alice)
    looked, pressed = browser.get(path), browser.post(path, {"name": "Phone"})
    assert looked["Location"].startswith("/confirm?next=%2Fsettings%2Fpasskeys%2F")
    assert "again" not in looked["Location"]
    assert pressed["Location"].endswith("&again=1")


def test_a_device_that_has_one_is_told_so(proved, phone):
    key = devices.add_passkey(proved, phone)
    excluded = asked(proved.get(ADD))["excludeCredentials"]
    assert [one["id"] for one in excluded] == [bytes_to_base64url(key.credential_id)]


def test_the_same_passkey_cannot_be_two_peoples(alice, bob, log_in, proved, phone):
    form = {"name": "Mine", "credential": phone.make(asked(proved.get(ADD)))}
    proved.post(ADD, form)
    bobs = prove(log_in(bob))
    answer = replace_challenge(phone, asked(bobs.get(ADD)))
    refused = bobs.post(ADD, {"name": "Mine too", "credential": answer})
    assert refused.status_code == 422
    assert "already added" in refused.content.decode()
    assert names(bobs) == []
    assert not broken()


def replace_challenge(phone: Authenticator, options: dict) -> str:
    """The device's newest passkey, made once more for another challenge."""
    old = phone.keys[-1]
    answer = json.loads(phone.make(options))
    new = phone.keys.pop()
    data = base64url_to_bytes(answer["response"]["attestationObject"])
    data = data.replace(new.credential_id, old.credential_id)
    answer["response"]["attestationObject"] = bytes_to_base64url(data)
    answer["id"] = answer["rawId"] = bytes_to_base64url(old.credential_id)
    return json.dumps(answer)


@pytest.mark.parametrize(
    "differing",
    [
        {"verifies": False},
        {"origin": "https://evil.example"},
        {"domain": "evil.example"},
    ],
    ids=["unverified", "another origin", "another domain"],
)
def test_what_another_site_or_an_unverified_device_made_is_refused(proved, phone, differing):
    form = {"name": "Phone", "credential": phone.make(asked(proved.get(ADD)), **differing)}
    refused = proved.post(ADD, form)
    assert refused.status_code == 422
    assert "didn’t work" in refused.content.decode()
    assert Html(refused).value("name") == "Phone"
    assert Html(refused).value("credential") == ""
    assert names(proved) == []


def test_an_answer_counts_for_the_browser_that_was_asked_and_once(alice, log_in, proved, phone):
    form = {"name": "Phone", "credential": phone.make(asked(proved.get(ADD)))}
    assert prove(log_in(alice)).post(ADD, form).status_code == 422
    assert proved.post(ADD, form).status_code == 302
    assert proved.post(ADD, form).status_code == 422
    assert names(proved) == ["Phone"]


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "x" * 20_000, *SOME])
def test_any_text_is_refused_with_a_page(proved, text):
    refused = proved.post(ADD, {"name": "Phone", "credential": text})
    assert refused.status_code == 422


def test_an_altered_answer_is_refused(proved, phone):
    options = asked(proved.get(ADD))
    answer = json.loads(phone.make(options))
    for part in ("clientDataJSON", "attestationObject"):
        altered = answer | {"response": answer["response"] | {part: "AAAA"}}
        refused = proved.post(ADD, {"name": "Phone", "credential": json.dumps(altered)})
        assert refused.status_code == 422
    assert names(proved) == []


def test_a_name_is_asked_for_and_suggested(proved, phone):
    page = proved.get(ADD, headers={"User-Agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0"})
    assert Html(page).value("name") == "Firefox on Linux"
    refused = proved.post(ADD, {"name": " ", "credential": phone.make(asked(page))})
    assert Html(refused).error("name") == "Enter a name."


def test_there_are_at_most_twenty(alice, proved, phone):
    devices.add_passkey(proved, phone)
    page = proved.get(ADD)
    full = [Credentials.passkeys.set(MOST_PASSKEYS)]
    change(Credentials, keys.credentials(alice.user_id), full)
    refused = proved.post(ADD, {"name": "21st", "credential": phone.make(asked(page))})
    assert refused.status_code == 422
    assert names(proved) == ["Phone"]


def test_two_browsers_that_add_the_first_one_at_once_agree_on_one_name_of_the_account(
    alice, log_in, proved, phone
):
    other, tablet = prove(log_in(alice)), Authenticator()
    mine, theirs = asked(proved.get(ADD)), asked(other.get(ADD))
    assert mine["user"]["id"] != theirs["user"]["id"]
    first = proved.post(ADD, {"name": "One", "credential": phone.make(mine)})
    second = other.post(ADD, {"name": "Two", "credential": tablet.make(theirs)})
    assert (first.status_code, second.status_code) == (302, 422)
    assert asked(second)["user"]["id"] == mine["user"]["id"]
    assert credentials(alice).user_handle == mine["user"]["id"]


def test_of_many_at_once_one_is_added(alice, log_in, phone):
    by = in_browser(alice, log_in(alice))
    challenge = b"c" * 32
    options = {"user": {"id": "AAAA"}, "challenge": bytes_to_base64url(challenge)}
    answer = Answer.from_text(phone.make(options))

    def add() -> bool:
        try:
            add_passkey(
                by=by, party=HERE, challenge=challenge, answer=answer, user_handle="AAAA", name="P"
            )
        except (PasskeyExists, WrongPasskey):
            return False
        return True

    assert sum(together(*[add] * 6)) == 1
    assert credentials(alice).passkeys == 1
    assert not broken()


def test_a_sign_in_that_has_ended_adds_nothing(alice, log_in, phone):
    thief, owner = in_browser(alice, log_in(alice)), in_browser(alice, log_in(alice))
    challenge = b"c" * 32
    options = {"user": {"id": "AAAA"}, "challenge": bytes_to_base64url(challenge)}
    answer = Answer.from_text(phone.make(options))
    end_other_sign_ins(by=owner)
    with pytest.raises(WrongPasskey):
        add_passkey(
            by=thief, party=HERE, challenge=challenge, answer=answer, user_handle="AAAA", name="P"
        )
    assert get_keyring(alice.user_id).passkeys == ()


def test_where_passkeys_cannot_work_the_page_says_so(alice, proved, settings):
    settings.PASSKEY_DOMAIN = ""
    assert "don’t work at this address" in Html(proved.get(PAGE)).one("main").text
    assert proved.get(ADD)["Location"] == PAGE


def test_on_a_laptop_the_domain_is_localhost(proved, settings):
    settings.PASSKEY_DOMAIN, settings.ALLOWED_HOSTS = "", ["localhost"]
    options = asked(proved.get(ADD, headers={"Host": "localhost:8101"}))
    assert options["rp"]["id"] == "localhost"


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_adding_one_takes_one_transaction(alice, proved, phone, measure):
    form = {"name": "Phone", "credential": phone.make(asked(proved.get(ADD)))}
    with measure() as meter:
        proved.post(ADD, form)
    units = [call.units for call in meter.calls if call.access_pattern == "add_passkey"]
    assert units == [12]  # 2 of them for the letter


# Passkeys as their owner manages them: listed, renamed, removed; and what they outlive.


def test_a_passkey_gets_another_name(alice, log_in, proved, phone):
    key = devices.add_passkey(proved, phone)
    path = f"{PAGE}/rename?passkey={key.credential_hash}"
    browser = log_in(alice)  # no proof is needed for that
    assert Html(browser.get(path)).value("name") == "Phone"
    assert Html(browser.post(path, {"name": ""})).error("name")
    assert browser.post(path, {"name": "Old phone"})["Location"] == PAGE
    assert names(browser) == ["Old phone"]


def test_a_removed_passkey_is_gone_and_removing_it_again_does_no_harm(alice, proved, phone):
    one, other = (devices.add_passkey(proved, phone, name) for name in ("One", "Two"))
    page = proved.get(f"{PAGE}/remove?passkey={one.credential_hash}")
    assert "“One”" in Html(page).one("main").text
    for _ in range(2):
        assert remove(proved, one)["Location"] == PAGE
    assert names(proved) == ["Two"]
    assert credentials(alice).passkeys == 1
    assert not broken()
    left = json.loads(Html(proved.get(PAGE)).one(id="accepted")["data-accepted"])
    assert left["allAcceptedCredentialIds"] == [bytes_to_base64url(other.credential_id)]


def test_nobody_renames_or_removes_the_passkey_of_someone_else(alice, bob, log_in, proved, phone):
    key = devices.add_passkey(proved, phone)
    bobs = prove(log_in(bob))
    path = f"{PAGE}/rename?passkey={key.credential_hash}"
    assert bobs.post(path, {"name": "Bob’s"}).status_code == 404
    assert bobs.get(f"{PAGE}/remove?passkey={key.credential_hash}").status_code == 404
    remove(bobs, key)
    assert names(proved) == ["Phone"]
    assert not broken()


def test_passkeys_stay_when_the_password_changes_and_the_page_says_so(alice, proved, phone):
    devices.add_passkey(proved, phone)
    text = "Your passkeys stay and still sign you in."
    assert text in proved.get("/settings/password").content.decode()
    form = {"password": PASSWORD, "new_password": "another calm long one"}
    assert proved.post("/settings/password", form).status_code == 302
    assert names(proved) == ["Phone"]


# Signing in with a passkey instead of a password, and everything that is refused.


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
    key = authenticator_add_passkey(browser, phone)
    assert sign_in(phone).status_code == 302
    remove(browser, key)
    assert is_refused(sign_in(phone))


def test_a_passkey_outlives_the_password_and_the_end_of_all_sign_ins(alice, log_in, phone):
    browser = prove(log_in(alice))
    authenticator_add_passkey(browser, phone)
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
    authenticator_add_passkey(browser, phone)
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


# A passkey as the second step after the password, for accounts with two-step verification.


@pytest.fixture
def app(alice, log_in, phone) -> App:
    """Alice has a passkey on her phone, and two-step verification."""
    add_to(alice, phone, log_in(alice))
    return with_second_factor(alice)


def use(browser: Client, device: Authenticator, **differing):
    answer = device.use(asked(browser.get("/login/code")), **differing)
    return browser.post("/login/code/passkey", {"credential": answer, "next": "/local"})


def test_after_the_password_a_passkey_does_instead_of_a_code(alice, app, phone):
    browser = enter_password()
    done = use(browser, phone)
    assert (done.status_code, done["Location"]) == (302, "/local")
    assert browser.session[SESSION_USER] == alice.user_id


def test_the_device_need_not_verify_its_owner_then(alice, app, phone):
    assert use(enter_password(), phone, verifies=False).status_code == 302


def test_the_page_asks_for_the_passkeys_of_this_account(alice, bob, app, phone, log_in):
    tablet = Authenticator()
    add_to(bob, tablet, log_in(bob))
    browser = enter_password()
    options = asked(browser.get("/login/code"))
    assert [one["transports"] for one in options["allowCredentials"]] == [["internal"]]
    assert options["userVerification"] == "discouraged"
    assert use(browser, tablet).status_code == 422
    assert SESSION_USER not in browser.session


def test_without_the_password_it_is_nothing(alice, app, phone):
    browser = Client()
    answer = phone.use(asked(browser.get("/login")), verifies=False)
    sent = browser.post("/login/code/passkey", {"credential": answer})
    assert sent["Location"].startswith("/login?")


def test_an_answer_counts_once(alice, app, phone):
    browser, other = enter_password(), enter_password()
    answer = phone.use(asked(browser.get("/login/code")))
    other.get("/login/code")
    assert other.post("/login/code/passkey", {"credential": answer}).status_code == 422
    assert browser.post("/login/code/passkey", {"credential": answer}).status_code == 302


def test_accounts_without_passkeys_are_not_asked(alice):
    with_second_factor(alice)
    assert not Html(enter_password().get("/login/code")).all("form", id="passkey")


def test_the_password_holds_for_five_minutes(alice, app, phone, monkeypatch):
    monkeypatch.setattr(views, "SECONDS_FOR_CODE", -1)
    sent = enter_password().post("/login/code/passkey", {"credential": "{}"})
    assert sent["Location"].startswith("/login?")


def test_tries_count_with_those_of_codes(alice, app, phone, lane, clock):
    lane("CODE_BY_ACCOUNT", free=2)
    browser = enter_password()
    browser.cookies.pop("device", None)
    for _ in range(2):
        assert use(browser, phone, origin="https://evil.example").status_code == 422
    assert assert_slowed(use(browser, phone)) > 0


def test_offering_a_passkey_reads_nothing_on_the_sign_in_page(alice, app, measure):
    with measure() as meter:
        assert Html(Client().get("/login")).all("form", id="passkey")
    assert meter.calls == []
