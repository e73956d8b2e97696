"""Changing the email address, and taking the change back from the old mailbox."""

from datetime import datetime, timedelta

import pytest
from django.test import Client

from accounts.addresses.writes import undo_change
from accounts.credentials.passkeys import get_keyring
from accounts.encryption.emails import decrypt_email
from accounts.mail import tokens
from accounts.mail.tokens import LASTS, LinkGone, Purpose
from accounts.models import Credentials, EmailClaim, Passkey, PasskeyClaim, Token
from socialsite.clock import utc_now
from socialsite.table import Change, Create, change, keys, transact
from socialsite.table.reading import scan
from tests.accounts.addresses.newcomers import credentials, press
from tests.accounts.addresses.test_confirm_email import owner, sign_up, signs_in
from tests.accounts.codes import is_on, with_second_factor
from tests.accounts.letters import send_letters
from tests.accounts.test_change_password import NEW, is_signed_in, opens_account
from tests.accounts.test_change_password import send as change_password
from tests.conftest import PASSWORD
from tests.looks import broken_invariants
from tests.together import together
from tests.web.html import Html

OLD, OTHER = "alice@example.org", "alicia@example.org"
PAGE = "/settings/email/change"


def ask(browser: Client, email: str = OTHER, password: str = PASSWORD):
    browser.post("/confirm", {"password": password})
    return browser.post(PAGE, {"email": email})


def moved(browser: Client, password: str = PASSWORD) -> str:
    """Changes the address, and returns the path of the undo's link."""
    send_letters()
    assert ask(browser, password=password).status_code == 302
    [letter] = send_letters()
    assert letter.to == OTHER
    press(letter.path)
    letters = {letter.to: letter for letter in send_letters()}
    assert OLD not in letters[OTHER].text
    assert OTHER not in letters[OLD].text
    return letters[OLD].path


def address_of(viewer) -> str:
    return decrypt_email(credentials(viewer).email, user_id=viewer.user_id)


def test_nothing_changes_until_the_link_in_the_new_mailbox_is_pressed(alice, log_in, drain_stream):
    browser = log_in(alice)
    assert ask(browser)["Location"] == "/settings/email"
    assert (owner(OLD), owner(OTHER)) == (alice.user_id, "")
    assert OTHER in browser.get("/settings/email").content.decode()
    press(send_letters()[0].path)
    assert (owner(OLD), owner(OTHER)) == ("", alice.user_id)
    assert (signs_in(OLD), signs_in(OTHER)) == (False, True)
    assert address_of(alice) == OTHER
    assert is_signed_in(browser)
    drain_stream()
    assert not broken_invariants()


def test_it_takes_a_proof_of_the_last_minutes(alice, log_in):
    browser = log_in(alice)
    assert browser.get(PAGE)["Location"] == "/confirm?next=%2Fsettings%2Femail%2Fchange"
    assert browser.post(PAGE, {"email": OTHER})["Location"].startswith("/confirm?")
    assert send_letters() == []


def test_the_answer_is_the_same_for_an_address_of_someone_else(alice, bob, log_in, measure):
    seen = []
    for email in (OTHER, "bob@example.org"):
        browser = log_in(alice)
        browser.post("/confirm", {"password": PASSWORD})
        browser.get("/settings/email")  # her key is known from here on, as it is for a minute
        with measure() as meter:
            response = browser.post(PAGE, {"email": email})
        calls = [(call.operation, call.units) for call in meter.calls]
        page = browser.get("/settings/email").content.decode().replace(email, "…")
        seen.append((response.status_code, response["Location"], calls, "…" in page))
    assert seen[0] == seen[1]
    assert owner("bob@example.org") == bob.user_id


def test_what_cannot_be_is_said_beside_the_field(alice, log_in):
    browser = log_in(alice)
    for typed, why in (
        ("nobody", "Enter an email"),
        ("Alice@Example.org", "already"),
        ("", "Fill"),
    ):
        response = ask(browser, typed)
        assert response.status_code == 422
        assert why in Html(response).error("email")
        assert Html(response).value("email") == typed
    assert send_letters() == []


def test_while_a_change_can_be_undone_there_is_no_second_one(alice, log_in):
    browser = log_in(alice)
    moved(browser)
    page = browser.get("/settings/email").content.decode()
    assert "You can change it again on" in page
    assert PAGE not in page
    assert ask(browser, "third@example.org")["Location"] == "/settings/email"
    assert send_letters() == []


def test_the_old_address_is_kept_for_a_week_and_signs_nobody_in(alice, log_in):
    moved(log_in(alice))
    sign_up(email=OLD)
    [letter] = send_letters()
    assert letter.to == OLD
    assert press(letter.path).status_code == 409
    [kept] = [raw for raw in scan() if raw["type"]["S"] == EmailClaim.__name__ and "ttl" in raw]
    later = utc_now().timestamp() + LASTS[Purpose.UNDO].total_seconds()
    assert abs(float(kept["ttl"]["N"]) - later) < 100


def test_the_undo_brings_the_old_address_back_whatever_a_thief_has_changed(
    alice, log_in, drain_stream
):
    thief = log_in(alice)
    path = moved(thief)
    change_password(thief, new=NEW)
    with_second_factor(alice)
    send_letters()
    assert "alice" in Client().get(path).content.decode()
    assert press(path).status_code == 302
    assert address_of(alice) == OLD
    assert (owner(OLD), owner(OTHER)) == (alice.user_id, "")
    assert not is_signed_in(thief)
    assert not opens_account(NEW)
    assert not opens_account(PASSWORD)
    assert not is_on(alice)
    [letter] = send_letters()
    assert letter.to == OLD
    mine = "a password of my own again"
    assert Client().post(letter.path, {"new_password": mine}).status_code == 302
    assert opens_account(mine)
    drain_stream()
    assert not broken_invariants()


def passkey(viewer, name: str, created: datetime) -> None:
    """As if a device had been added then."""
    key = Passkey.new(
        user_id=viewer.user_id,
        credential_hash=name,
        credential_id=name,
        public_key="k",
        counter=0,
        transports=set(),
        aaguid="",
        backed_up=False,
        name=name,
        created=created.isoformat(timespec="seconds"),
    )
    claim = PasskeyClaim.new(credential_hash=name, user_id=viewer.user_id)
    counted = [Credentials.passkeys.add(1)]
    place = keys.credentials(viewer.user_id)
    transact(Create(key), Create(claim), Change(Credentials, place, counted))


def test_the_undo_removes_passkeys_that_came_since_the_change_and_no_others(alice, log_in):
    passkey(alice, "owner", utc_now() - timedelta(days=1))
    path = moved(log_in(alice))
    passkey(alice, "thief", utc_now() + timedelta(seconds=1))
    passkey(alice, "thief2", utc_now() + timedelta(seconds=1))
    press(path)
    assert [one.name for one in get_keyring(alice.user_id).passkeys] == ["owner"]
    assert credentials(alice).passkeys == 1


def test_the_undo_leaves_two_step_verification_from_before_the_change(alice, log_in):
    app = with_second_factor(alice)
    browser = log_in(alice)
    send_letters()
    browser.post("/confirm", {"password": PASSWORD, "code": app.code()})
    browser.post(PAGE, {"email": OTHER})
    press(send_letters()[0].path)
    [path] = [letter.path for letter in send_letters() if letter.to == OLD]
    press(path)
    assert is_on(alice)
    [letter] = send_letters()
    assert Client().post(letter.path, {"new_password": NEW}).status_code == 422
    answer = Client().post(letter.path, {"new_password": NEW, "code": app.code()})
    assert answer.status_code == 302


def test_the_undo_works_once_and_looking_does_nothing(alice, log_in):
    path = moved(log_in(alice))
    browser = Client()
    assert browser.head(path).status_code == 200
    assert browser.get(path)["Referrer-Policy"] == "strict-origin"
    assert address_of(alice) == OTHER
    assert [press(path).status_code for _ in range(2)] == [302, 404]


@pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)
def test_of_four_undos_at_once_one_wins(alice, log_in):
    secret = moved(log_in(alice)).rpartition("/")[2]
    results = together(*(lambda: undo_change(secret=secret) for _ in range(4)))
    assert sum(result is None for result in results) == 1
    assert sum(isinstance(result, LinkGone) for result in results) == 3
    assert address_of(alice) == OLD


def test_after_a_week_the_change_stays(alice, log_in):
    path = moved(log_in(alice))
    key = keys.token(tokens._hash(path.rpartition("/")[2]))
    change(Token, key, [Token.ttl.set(utc_now() - timedelta(seconds=1))])
    assert press(path).status_code == 404
    assert address_of(alice) == OTHER


def test_a_change_of_someone_else_is_none_of_ones_own(alice, bob, log_in):
    ask(log_in(bob), "robert@example.org")
    press(send_letters()[0].path)
    assert owner("robert@example.org") == bob.user_id
    assert address_of(alice) == OLD
