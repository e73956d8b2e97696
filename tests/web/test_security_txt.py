"""`/.well-known/security.txt` says where to report a weakness, if the site has said so."""

from datetime import datetime, timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.test import Client

from socialsite.clock import utc_now

ADDRESS = "/.well-known/security.txt"


def test_it_names_each_contact_and_a_day_within_a_year(settings, table):
    settings.SECURITY_CONTACT = ["mailto:security@social.example", "https://social.example/rules"]
    response = Client().get(ADDRESS)
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    lines = [line.partition(": ") for line in response.content.decode().splitlines()]
    assert [value for name, _, value in lines if name == "Contact"] == settings.SECURITY_CONTACT
    (expires,) = [value for name, _, value in lines if name == "Expires"]
    assert utc_now() < datetime.fromisoformat(expires) < utc_now() + timedelta(days=365)


@pytest.mark.usefixtures("table")
def test_without_a_contact_there_is_none(settings):
    settings.SECURITY_CONTACT = []
    assert Client().get(ADDRESS).status_code == 404


def test_a_contact_that_is_no_address_is_one_sentence(settings):
    settings.SECURITY_CONTACT = ["security@social.example"]
    with pytest.raises(SystemCheckError, match=r"SECURITY_CONTACT has security@social\.example"):
        call_command("check")
