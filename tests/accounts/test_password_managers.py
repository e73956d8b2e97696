"""Fields for secrets are masked, may be pasted into, and tell password managers what they are for."""

import pytest
from django.test import Client

from tests.accounts.codes import with_second_factor
from tests.web.html import Html

TOLD = {"username", "name", "email", "current-password", "new-password", "one-time-code", "off"}


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("path", ["/login", "/signup"])
def test_visitors_find_fields_that_can_be_filled_in(path):
    assert_can_be_filled_in(Client(), path)


@pytest.mark.parametrize("path", ["/settings/password", "/settings/security", "/confirm"])
def test_members_find_fields_that_can_be_filled_in(alice, log_in, path):
    with_second_factor(alice)
    assert_can_be_filled_in(log_in(alice), path, secrets=path != "/settings/security")


def assert_can_be_filled_in(browser: Client, path: str, *, secrets: bool = True) -> None:
    page = Html(browser.get(path))
    masked = page.all("input", type="password")
    assert bool(masked) is secrets
    for field in (*masked, *page.all("input", type="text"), *page.all("input", type="email")):
        if "name" in field.attributes and field["name"] not in ("q", "invite"):
            assert TOLD & set(field["autocomplete"].split()), field["name"]
    for field in masked:
        assert field["autocomplete"].rpartition("-")[2] == "password"
        assert not {"onpaste", "readonly"} & set(field.attributes)
