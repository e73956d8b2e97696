"""Many sign up at the same moment: one gets the handle or the email, nothing of the others stays."""

import pytest
from django.test import Client

from accounts.people.reads import HandleTaken
from accounts.sign_up.writes import EmailTaken, sign_up
from socialsite.table.reading import scan
from tests.conftest import PASSWORD
from tests.together import together

pytestmark = [
    pytest.mark.usefixtures("table"),
    pytest.mark.engines(
        "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
    ),
]

CROWD = 8
ACCOUNT = [
    "Credentials",
    "DomainEntry",
    "EmailClaim",
    "HandleClaim",
    "PersonKey",
    "UserCount",
    "UserInfo",
    "UserSettings",
]


def job(handle: str, email: str):
    return lambda: sign_up(
        handle=handle, name="Dora", email=email, password=PASSWORD, confirmed=True
    )


def kept_types() -> list[str]:
    """What is in the table, but for the note of which site's data it holds."""
    return sorted(kind for raw in scan() if (kind := raw["type"]["S"]) != "DataState")


def test_one_handle_goes_to_exactly_one_of_eight():
    results = together(*(job("dora", f"dora{n}@example.org") for n in range(CROWD)))
    assert len([result for result in results if isinstance(result, str)]) == 1
    assert sum(isinstance(result, HandleTaken) for result in results) == CROWD - 1
    assert kept_types() == ACCOUNT


def test_one_e_mail_goes_to_exactly_one_of_eight():
    results = together(*(job(f"dora_{n}", "dora@example.org") for n in range(CROWD)))
    assert len([result for result in results if isinstance(result, str)]) == 1
    assert sum(isinstance(result, EmailTaken) for result in results) == CROWD - 1
    assert kept_types() == ACCOUNT


def test_eight_browsers_with_one_handle_get_one_account_and_seven_messages():
    def submit(number: int) -> int:
        form = {"name": "Dora", "email": f"d{number}@example.org", "password": PASSWORD}
        return Client().post("/signup", form | {"handle": "dora"}).status_code

    answers = together(*(lambda n=n: submit(n) for n in range(CROWD)))
    assert sorted(answers) == [302] + [422] * (CROWD - 1)
    others = {"RateLimit", "SignIn", "Origin", "OriginTrace"}
    kept = [kind for kind in kept_types() if kind not in others]
    # The address is claimed when it is confirmed, for which a letter asks.
    assert sorted(kept) == sorted({*ACCOUNT, "Due"} - {"EmailClaim", "DomainEntry"})
