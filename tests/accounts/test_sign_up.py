"""Signing up: the account is there and signed in; what cannot be is said beside its field."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.middleware import SESSION_SECRET, SESSION_USER
from accounts.people.reads import find_user_by_handle, get_user_info
from accounts.sessions import get_viewer, hash_secret
from accounts.sign_up import views, writes
from socialsite.observing.logs import Event
from socialsite.table import NotFound
from socialsite.table.reading import scan
from tests.accounts.scenes import with_second_factor
from tests.conftest import HTMX, PASSWORD
from tests.web.html import Html

pytestmark = pytest.mark.usefixtures("table")

DORA = {"handle": "dora", "name": "Dora Ď", "email": "dora@example.org", "password": PASSWORD}


def sign_up_by_form(**changes: str):
    return Client().post("/signup", DORA | changes)


def test_the_page_shows_an_empty_form_and_makes_nobody():
    page = Html(Client().get("/signup", DORA))
    assert page.value("handle") == ""
    assert page.one("form", action="/signup")["method"] == "post"
    with pytest.raises(NotFound):
        find_user_by_handle("dora")


def test_signing_up_makes_the_account_and_signs_it_in():
    browser = Client()
    response = browser.post("/signup", DORA)
    assert (response.status_code, response["Location"]) == (302, "/welcome")
    card = get_user_info(find_user_by_handle("dora"))
    assert (card.name, card.posts, card.followers, card.following) == ("Dora Ď", 0, 0, 0)
    home = Html(browser.get("/"))
    assert home.one("button", formaction="/logout")
    assert any("Welcome, Dora Ď!" in toast.text for toast in home.all("div", class_="toast"))


def test_signing_up_over_htmx_does_the_same():
    response = Client().post("/signup", DORA, headers=HTMX)
    assert response.status_code == 302
    assert find_user_by_handle("dora")


def test_sending_the_form_twice_makes_one_account():
    browser = Client()
    answers = [browser.post("/signup", DORA) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert sum(raw["type"]["S"] == "UserInfo" for raw in scan()) == 1


def test_a_form_whose_answer_was_lost_signs_in_when_it_is_sent_again():
    sign_up_by_form()
    browser = Client()  # which never got the cookie
    answer = browser.post("/signup", DORA | {"email": "Dora@Example.org"})
    assert (answer.status_code, answer["Location"]) == (302, "/welcome")
    assert Html(browser.get("/")).one("button", formaction="/logout")
    assert sum(raw["type"]["S"] == "UserInfo" for raw in scan()) == 1


@pytest.mark.parametrize(
    "changes", [{"email": "dora.d@example.org"}, {"password": "quite another one"}]
)
def test_another_form_for_the_same_handle_does_not(changes):
    sign_up_by_form()
    answer = sign_up_by_form(**changes)
    assert answer.status_code == 422
    assert "This handle is taken" in Html(answer).error("handle")


def test_an_account_with_two_step_verification_is_not_signed_in_so():
    browser = Client()
    browser.post("/signup", DORA)
    secret = hash_secret(browser.session[SESSION_SECRET])
    with_second_factor(get_viewer(browser.session[SESSION_USER], secret)[0])
    assert "This handle is taken" in Html(sign_up_by_form()).error("handle")


def test_an_older_account_is_not_asked_for_its_password(monkeypatch, caplog):
    """Or people who try for a taken handle would slow down its owner."""
    sign_up_by_form()
    monkeypatch.setattr(writes, "JUST_SIGNED_UP", timedelta(0))
    sign_up_by_form(password="quite another one")
    assert Event.WRONG_PASSWORD not in [record.message for record in caplog.records]
    assert "This handle is taken" in Html(sign_up_by_form()).error("handle")


@pytest.mark.usefixtures("clock")
def test_after_as_many_guesses_as_the_sign_in_page_allows_no_form_signs_in(monkeypatch):
    sign_up_by_form()
    monkeypatch.setattr(views, "count_hits", lambda *_: None)
    for number in range(7):
        sign_up_by_form(password=f"a wrong password {number}")
    answer = sign_up_by_form()  # the right one
    assert answer.status_code == 422
    assert "This handle is taken" in Html(answer).error("handle")


def test_somebody_signed_in_is_sent_home(alice, log_in):
    response = log_in(alice).post("/signup", DORA)
    assert (response.status_code, response["Location"]) == (302, "/")
    with pytest.raises(NotFound):
        find_user_by_handle("dora")


@pytest.mark.parametrize("typed", ["Dora", "@dora", " DORA ", "@DoRa"])
def test_a_handle_is_normalised(typed):
    assert sign_up_by_form(handle=typed).status_code == 302
    assert get_user_info(find_user_by_handle("dora")).handle == "dora"


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("handle", ""),
        ("handle", "ab"),
        ("handle", "a" * 31),
        ("handle", "do-ra"),
        ("handle", "dо_ra"),  # a Cyrillic о
        ("handle", "dora\nx"),
        ("handle", "@@dora"),
        ("handle", "admin"),
        ("handle", "Settings"),
        ("handle", "@socialsite"),
        ("name", ""),
        ("name", "   "),
        ("name", "n" * 51),
        ("name", "two\nlines"),
        ("name", "\u202e\x07"),
        ("name", "e" + "\u0301" * 6),
        ("email", ""),
        ("email", "nobody"),
        ("email", "a@b"),
        ("email", "a b@example.org"),
        ("email", f"{'a' * 250}@example.org"),
        ("password", ""),
        ("password", "short"),
        ("password", "1234567890123"),
        ("password", "password1234567890" * 8),
    ],
)
def test_what_cannot_be_is_said_beside_its_field_and_the_rest_stays(field, typed):
    response = sign_up_by_form(**{field: typed})
    page = Html(response)
    assert response.status_code == 422
    assert page.error(field)
    for other in {"handle", "name", "email"} - {field}:
        assert page.value(other) == DORA[other]
        assert not page.error(other)
    if field != "password":
        assert page.value(field) == typed
    assert {raw["type"]["S"] for raw in scan()} <= {"RateLimit", "DataState"}


def test_a_password_is_never_shown_again():
    response = sign_up_by_form(handle="x")
    assert response.status_code == 422
    assert PASSWORD not in response.content.decode()


@pytest.mark.parametrize("handle", ["Dora_Explores", "dora_explores", "@dora_explores"])
def test_the_handle_itself_is_no_password(handle):
    response = sign_up_by_form(handle=handle, password="Dora_Explores")
    assert response.status_code == 422
    assert Html(response).error("password")


def test_the_e_mail_address_itself_is_no_password():
    response = sign_up_by_form(email="Dora.D@example.org", password="dora.d@example.org")
    assert response.status_code == 422
    assert Html(response).error("password")


def test_a_taken_handle_is_said_beside_it(alice):
    response = sign_up_by_form(handle="ALICE")
    assert response.status_code == 422
    assert "This handle is taken" in Html(response).error("handle")
    assert Html(response).value("handle") == "ALICE"


def test_a_taken_handle_is_said_together_with_all_other_errors(alice, measure):
    with measure() as meter:
        response = sign_up_by_form(handle="alice", name="", email="nobody", password="short")
    page = Html(response)
    assert "This handle is taken" in page.error("handle")
    assert all(page.error(field) for field in ("name", "email", "password"))
    assert [call.operation for call in meter.calls] == ["GetItem"]
    assert not Html(sign_up_by_form(handle="dora", name="")).error("handle")


def test_a_taken_e_mail_is_not_told(alice):
    """tests/accounts/addresses/ says what happens instead."""
    page = Html(sign_up_by_form(handle="alice", email="alice@example.org"))
    assert page.error("handle")
    assert not page.error("email")
    assert sign_up_by_form(email="Alice@Example.ORG").status_code == 302
    assert find_user_by_handle("dora")


def test_fields_that_the_form_does_not_have_change_nothing():
    browser = Client()
    browser.post("/signup", DORA | {"role": "admin", "user_id": "X", "is_staff": "1"})
    assert get_user_info(browser.session[SESSION_USER]).role == ""


@pytest.mark.parametrize("name", ["\u200b\u200b", "\u3164", "\u2800", "\u200d\u2060\ufeff"])
def test_a_name_that_nobody_can_see_is_refused(name):
    response = sign_up_by_form(name=name)
    assert response.status_code == 422
    assert Html(response).error("name")


def test_after_signing_up_one_goes_on_where_one_wanted_to():
    form = Html(Client().get("/signup?next=/local"))
    hidden = {e["name"]: e["value"] for e in form.all("input", type="hidden", name="next")}
    response = Client().post("/signup?next=/local", DORA | hidden)
    assert response["Location"] == "/local"
