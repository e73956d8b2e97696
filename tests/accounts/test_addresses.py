"""Email addresses: confirmed by a link, changed and taken back, their domain, and nowhere to be read."""

from datetime import datetime, timedelta

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.addresses import views
from accounts.addresses.writes import AddressTaken, confirm_email, undo_change
from accounts.credentials.passkeys import get_keyring
from accounts.credentials.passwords import WrongPassword
from accounts.credentials.reencrypt import reencrypt
from accounts.encryption.emails import decrypt_email, domain_hmacs, email_hmacs
from accounts.mail import tokens
from accounts.mail.tokens import LASTS, LinkGone, Purpose
from accounts.models import Credentials, DomainEntry, EmailClaim, Passkey, PasskeyClaim, Token
from accounts.people.reads import find_user_by_email, find_user_by_handle
from accounts.sign_up.writes import sign_up as writes_sign_up
from socialsite.clock import utc_now
from socialsite.table import Change, Create, Erase, NotFound, change, keys, query, row, transact
from socialsite.table.reading import scan
from tests.accounts import scenes as newcomers
from tests.accounts.scenes import (
    DORA,
    as_read,
    check_credentials,
    credentials_of,
    is_on,
    links,
    press,
    send_letters,
    sign_up,
    viewer,
    with_second_factor,
)
from tests.accounts.test_passwords import NEW, is_signed_in, opens_account, pass_time
from tests.accounts.test_passwords import send as change_password
from tests.conftest import PASSWORD, person
from tests.looks import broken_invariants
from tests.together import together
from tests.web.html import Html


def owner(address: str = DORA["email"]) -> str:
    try:
        return find_user_by_email(email_hmacs(address), consistent=True)
    except NotFound:
        return ""


def signs_in(account: str) -> bool:
    try:
        return bool(check_credentials(account=account, password=PASSWORD))
    except WrongPassword:
        return False


@pytest.mark.usefixtures("table")
def test_the_link_makes_the_address_their_own_once(drain_stream):
    browser = sign_up()
    dora = viewer()
    assert not as_read(browser, dora).is_confirmed
    [path] = links("dora@example.org")
    page = Html(Client().get(path))
    assert page.one("form", action=path)["method"] == "post"
    assert (owner(), signs_in("dora@example.org"), signs_in("dora")) == ("", False, True)
    assert press(path)["Location"] == "/"
    assert owner() == dora.user_id
    assert as_read(browser, dora).is_confirmed
    assert signs_in("dora@example.org")
    assert press(path).status_code == 404
    drain_stream()
    assert not broken_invariants()


@pytest.mark.usefixtures("table")
def test_looking_confirms_nothing_whoever_looks(bob, log_in):
    sign_up()
    [path] = links()
    for browser in (Client(), log_in(bob)):
        assert browser.head(path).status_code == 200
        assert browser.get(path).status_code == 200
    assert owner() == ""


@pytest.mark.usefixtures("table")
def test_in_a_browser_of_someone_else_it_confirms_the_address_of_the_link(bob, log_in):
    sign_up()
    [path] = links()
    assert press(path, log_in(bob)).status_code == 302
    assert owner() == viewer().user_id


@pytest.mark.usefixtures("table")
def test_a_link_works_for_three_days():
    sign_up()
    [path] = links()
    pass_time(path, LASTS[Purpose.RESET] + timedelta(seconds=1))
    assert press(path).status_code == 404
    assert owner() == ""


@pytest.mark.usefixtures("table")
def test_a_new_link_is_sent_when_asked_for_and_the_number_is_limited(limit):
    browser = sign_up()
    links()
    limit(views, "ADDRESS_LETTERS", 2)
    answers = [browser.post("/settings/email/send").status_code for _ in range(3)]
    assert answers == [302, 302, 429]
    paths = links("dora@example.org")
    assert len(set(paths)) == 2
    assert [press(path).status_code for path in paths] == [302, 404]


@pytest.mark.usefixtures("table")
def test_signing_up_answers_the_same_for_an_address_that_is_taken(alice, measure):
    seen = []
    for handle, email in (("dora", "free@example.org"), ("dorb", "alice@example.org")):
        browser = Client()
        with measure() as meter:
            response = browser.post("/signup", DORA | {"handle": handle, "email": email})
        calls = [(call.operation, call.units) for call in meter.calls]
        headers = {k: v for k, v in response.items() if k not in ("X-Request-ID", "Server-Timing")}
        seen.append(
            (response.status_code, headers, response.content, sorted(response.cookies), calls)
        )
        own = Html(browser.get("/settings/email"))
        assert "Not confirmed yet" in own.one(id="wished").text
    assert seen[0] == seen[1]


@pytest.mark.usefixtures("table")
@pytest.mark.engines("embedded", reason="units are measured there")
def test_signing_in_answers_the_same_for_a_known_and_an_unknown_address(alice, measure):
    seen = []
    for email in ("alice@example.org", "nobody@example.org"):
        browser = Client()
        browser.get("/login")
        with measure() as meter:
            response = browser.post("/login", {"account": email, "password": "not the one at all"})
        page = response.content.decode().replace(email, "…")
        page = page.replace(response["X-Request-ID"], "").split("csrfmiddlewaretoken")
        calls = [(call.operation, call.units) for call in meter.calls]
        seen.append((response.status_code, page[0], calls))
    assert seen[0] == seen[1]


@pytest.mark.usefixtures("table")
def test_the_owner_of_an_address_hears_that_someone_typed_it_and_keeps_it(alice):
    sign_up(email="Alice@example.org")
    [letter] = send_letters()
    assert letter.to == "alice@example.org"
    assert "@alice" in letter.text
    assert "dora" not in letter.text
    assert letter.path == "/password/forgot"
    assert owner("alice@example.org") == alice.user_id


@pytest.mark.usefixtures("table")
def test_of_several_who_wish_for_an_address_the_first_to_confirm_has_it():
    browsers = [sign_up(handle=handle) for handle in ("dora", "dorb")]
    first, second = links("dora@example.org")
    assert press(second).status_code == 302
    answer = press(first)
    assert answer.status_code == 409
    assert "Another account has confirmed it" in answer.content.decode()
    states = [
        as_read(b, viewer(h)).is_confirmed for b, h in zip(browsers, ("dora", "dorb"), strict=True)
    ]
    assert sorted(states) == [False, True]


@pytest.mark.usefixtures("table")
@pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)
def test_confirming_at_once_gives_it_to_one():
    for number in range(4):
        sign_up(handle=f"dora_{number}")
    paths = links("dora@example.org")
    secrets = [path.rpartition("/")[2] for path in paths]
    results = together(*(lambda s=s: confirm_email(secret=s) for s in secrets * 2))
    assert sum(result is False for result in results) == 1
    assert {type(result) for result in results} <= {bool, AddressTaken, LinkGone}
    assert sum(raw["type"]["S"] == EmailClaim.__name__ for raw in scan()) == 1


@pytest.mark.usefixtures("table")
def test_a_link_to_an_address_that_is_wished_no_more_confirms_nothing(log_in):
    browser = sign_up()
    [old] = links()
    browser.post("/confirm", {"password": PASSWORD})
    answer = browser.post("/settings/email/change", {"email": "other@example.org"})
    assert answer["Location"] == "/settings/email"
    assert press(old).status_code == 404
    assert press(links("other@example.org")[0]).status_code == 302
    assert owner("other@example.org") == find_user_by_handle("dora")


@pytest.mark.usefixtures("table")
def test_an_address_under_an_earlier_key_stays_taken(alice, settings):
    settings.DATA_KEY_FALLBACKS = [settings.DATA_KEY]
    settings.DATA_KEY = "the key after, long enough to encrypt with as well"
    sign_up(email="alice@example.org")
    assert [letter.path for letter in send_letters()] == ["/password/forgot"]


@pytest.mark.usefixtures("table")
def test_a_site_can_ask_for_a_confirmed_address_before_anyone_posts(settings, bob, log_in):
    settings.CONFIRMED_EMAIL = True
    browser = sign_up()
    assert "Confirm your email address to post" in browser.get("/").content.decode()
    for address, form in (
        ("/posts", {"content": "Hi", "nonce": "n" * 22}),
        ("/@bob/follow", {"on": "1"}),
    ):
        answer = browser.post(address, form)
        assert answer.status_code == 403
        assert Html(answer).one("a", href="/settings/email")
    assert press(links()[0]).status_code == 302
    assert browser.post("/@bob/follow", {"on": "1"}).status_code == 302
    assert log_in(bob).post("/@dora/follow", {"on": "1"}).status_code == 302


@pytest.mark.usefixtures("table")
def test_home_reminds_them_calmly_until_then():
    browser = sign_up()
    assert Html(browser.get("/")).all("a", href="/settings/email")
    press(links()[0])
    assert not Html(browser.get("/")).all("a", href="/settings/email")


@pytest.mark.usefixtures("table")
def test_neither_address_nor_secret_is_in_the_table():
    sign_up()
    [path] = links()
    found = str(list(scan()))
    assert Token.__name__ in found
    assert "dora@example.org" not in found
    assert path.rpartition("/")[2] not in found


@pytest.mark.usefixtures("table")
def test_people_from_before_count_as_confirmed(table, log_in):
    dora = person("dora")
    assert as_read(log_in(dora), dora).is_confirmed


# Changing the email address, and taking the change back from the old mailbox.

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
    return decrypt_email(credentials_of(viewer).email, user_id=viewer.user_id)


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
    assert credentials_of(alice).passkeys == 1


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


# The domain of a confirmed address finds its person, and changes with the address.


def listed(domain: str) -> set[str]:
    """Whom a domain finds, under any key of the settings."""
    return {
        row(DomainEntry, raw).user_id
        for hmac in domain_hmacs(domain)
        for raw in query(keys.domain_entries(hmac), consistent=True)
    }


def test_an_address_counts_once_it_is_confirmed(drain_stream):
    newcomers.sign_up()
    assert listed("example.org") == set()
    newcomers.press(newcomers.links()[0])
    assert listed("example.org") == {newcomers.viewer().user_id}
    drain_stream()
    assert broken_invariants() == {}


def test_a_domain_is_found_however_it_is_written(table):
    for handle, email in (("uwe", "uwe@BÜCHER.example"), ("ute", "ute@xn--bcher-kva.example")):
        writes_sign_up(handle=handle, name="", email=email, password=PASSWORD, confirmed=True)
    assert len(listed("bücher.example")) == len(listed("@Bücher.Example")) == 2
    assert listed("www.bücher.example") == listed("example") == set()


def test_the_table_does_not_name_the_domain(alice):
    entries = [raw for raw in scan() if raw["type"]["S"] == "DomainEntry"]
    assert len(entries) == 1
    assert "example" not in str(entries)


def test_with_another_address_the_person_moves_to_its_domain_and_back(alice, log_in, drain_stream):
    browser = log_in(alice)
    send_letters()
    ask(browser, "alice@elsewhere.example")
    assert (listed("example.org"), listed("elsewhere.example")) == ({alice.user_id}, set())
    [letter] = send_letters()
    newcomers.press(letter.path)
    assert (listed("example.org"), listed("elsewhere.example")) == (set(), {alice.user_id})
    undo = next(one.path for one in send_letters() if one.to == "alice@example.org")
    newcomers.press(undo)
    assert (listed("example.org"), listed("elsewhere.example")) == ({alice.user_id}, set())
    drain_stream()
    assert broken_invariants() == {}


def test_another_address_of_the_same_domain_changes_nothing(alice, log_in, drain_stream):
    undo = moved(log_in(alice))
    assert listed("example.org") == {alice.user_id}
    newcomers.press(undo)
    assert listed("example.org") == {alice.user_id}
    drain_stream()
    assert broken_invariants() == {}


def test_another_data_key_finds_them_before_and_after_they_are_moved(alice, settings):
    settings.DATA_KEY_FALLBACKS = [settings.DATA_KEY]
    settings.DATA_KEY = "the key after, long enough to encrypt with as well"
    assert listed("example.org") == {alice.user_id}
    assert reencrypt(alice.user_id)
    assert not reencrypt(alice.user_id)
    settings.DATA_KEY_FALLBACKS = []
    assert listed("example.org") == {alice.user_id}
    assert [raw["type"]["S"] for raw in scan()].count("DomainEntry") == 1


def test_accounts_from_before_are_added_by_the_command(alice, bob, drain_stream):
    (hmac,) = domain_hmacs("example.org")
    transact(Erase(keys.domain_entry(hmac, alice.user_id)))
    drain_stream()
    assert list(broken_invariants()) == ["every confirmed address is listed under its domain, once"]
    call_command("reencrypt")
    assert listed("example.org") == {alice.user_id, bob.user_id}
    assert broken_invariants() == {}
