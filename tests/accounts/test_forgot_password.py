"""Asking for a new password: the same answer for every address, so that nobody learns who has an account."""

import pytest
from django.test import Client

from accounts.security import views
from tests.accounts.letters import send_letters
from tests.web.html import Html

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


def test_a_form_sent_twice_is_one_letter(alice):
    for _ in range(2):
        assert ask()["Location"] == f"{FORGOT}?sent"
    assert len(send_letters()) == 1


@pytest.mark.parametrize("email", ["alice@example.org", "nobody@example.org"])
def test_asking_is_limited_by_network_whether_or_not_there_is_an_account(alice, limit, email):
    limit(views, "RESETS_BY_ADDRESS", 2)
    assert [ask(email).status_code for _ in range(3)] == [302, 302, 429]


def test_what_cannot_be_an_address_is_said_beside_the_field(table):
    for typed in ("", "nobody", "a" * 300):
        response = ask(typed)
        assert response.status_code == 422
        assert Html(response).error("email")
        assert Html(response).value("email") == typed
    assert not send_letters()
