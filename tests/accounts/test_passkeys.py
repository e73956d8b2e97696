"""Passkeys as their owner manages them: listed, renamed, removed; and what they outlive."""

import json

from webauthn.helpers import bytes_to_base64url

from tests.accounts import authenticator as devices
from tests.accounts.authenticator import PAGE, broken, names, prove, remove
from tests.accounts.codes import credentials
from tests.conftest import PASSWORD
from tests.web.html import Html


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
