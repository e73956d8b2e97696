"""An address belongs to an account once the link in its mailbox was pressed. Until then it is a wish."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.addresses import views
from accounts.addresses.writes import AddressTaken, confirm_email
from accounts.credentials.passwords import WrongPassword
from accounts.encryption.emails import email_hmacs
from accounts.mail.tokens import LASTS, LinkGone, Purpose
from accounts.models import EmailClaim, Token
from accounts.people.reads import find_user_by_email, find_user_by_handle
from socialsite.table import NotFound
from socialsite.table.reading import scan
from tests.accounts.addresses.newcomers import DORA, as_read, links, press, sign_up, viewer
from tests.accounts.credentials import check_credentials
from tests.accounts.letters import send_letters
from tests.accounts.test_reset_password import pass_time
from tests.conftest import PASSWORD, person
from tests.looks import broken_invariants
from tests.together import together
from tests.web.html import Html

pytestmark = pytest.mark.usefixtures("table")


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


def test_looking_confirms_nothing_whoever_looks(bob, log_in):
    sign_up()
    [path] = links()
    for browser in (Client(), log_in(bob)):
        assert browser.head(path).status_code == 200
        assert browser.get(path).status_code == 200
    assert owner() == ""


def test_in_a_browser_of_someone_else_it_confirms_the_address_of_the_link(bob, log_in):
    sign_up()
    [path] = links()
    assert press(path, log_in(bob)).status_code == 302
    assert owner() == viewer().user_id


def test_a_link_works_for_three_days():
    sign_up()
    [path] = links()
    pass_time(path, LASTS[Purpose.RESET] + timedelta(seconds=1))
    assert press(path).status_code == 404
    assert owner() == ""


def test_a_new_link_is_sent_when_asked_for_and_the_number_is_limited(limit):
    browser = sign_up()
    links()
    limit(views, "ADDRESS_LETTERS", 2)
    answers = [browser.post("/settings/email/send").status_code for _ in range(3)]
    assert answers == [302, 302, 429]
    paths = links("dora@example.org")
    assert len(set(paths)) == 2
    assert [press(path).status_code for path in paths] == [302, 404]


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


def test_the_owner_of_an_address_hears_that_someone_typed_it_and_keeps_it(alice):
    sign_up(email="Alice@example.org")
    [letter] = send_letters()
    assert letter.to == "alice@example.org"
    assert "@alice" in letter.text
    assert "dora" not in letter.text
    assert letter.path == "/password/forgot"
    assert owner("alice@example.org") == alice.user_id


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


def test_a_link_to_an_address_that_is_wished_no_more_confirms_nothing(log_in):
    browser = sign_up()
    [old] = links()
    browser.post("/confirm", {"password": PASSWORD})
    answer = browser.post("/settings/email/change", {"email": "other@example.org"})
    assert answer["Location"] == "/settings/email"
    assert press(old).status_code == 404
    assert press(links("other@example.org")[0]).status_code == 302
    assert owner("other@example.org") == find_user_by_handle("dora")


def test_an_address_under_an_earlier_key_stays_taken(alice, settings):
    settings.DATA_KEY_FALLBACKS = [settings.DATA_KEY]
    settings.DATA_KEY = "the key after, long enough to encrypt with as well"
    sign_up(email="alice@example.org")
    assert [letter.path for letter in send_letters()] == ["/password/forgot"]


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


def test_home_reminds_them_calmly_until_then():
    browser = sign_up()
    assert Html(browser.get("/")).all("a", href="/settings/email")
    press(links()[0])
    assert not Html(browser.get("/")).all("a", href="/settings/email")


def test_neither_address_nor_secret_is_in_the_table():
    sign_up()
    [path] = links()
    found = str(list(scan()))
    assert Token.__name__ in found
    assert "dora@example.org" not in found
    assert path.rpartition("/")[2] not in found


def test_people_from_before_count_as_confirmed(table, log_in):
    dora = person("dora")
    assert as_read(log_in(dora), dora).is_confirmed
