"""A passkey is added: after a proof, by a device that verified its owner, once, for one account."""

import json

import pytest
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from accounts.credentials.passkeys import (
    MOST_PASSKEYS,
    Answer,
    RelyingParty,
    WrongPasskey,
    get_keyring,
)
from accounts.models import Credentials
from accounts.security.writes import PasskeyExists, add_passkey
from accounts.sessions import end_other_sign_ins
from socialsite.table import change, keys, reading
from tests.accounts import authenticator as devices
from tests.accounts.authenticator import ADD, PAGE, Authenticator, asked, broken, kept, names, prove
from tests.accounts.codes import credentials, in_browser
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
