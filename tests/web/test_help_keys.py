"""The keys of the site are listed on a page, which the dialog of `?` shows as well."""

import pytest
from django.test import Client

from tests.conftest import HTMX
from tests.web.html import Html

pytestmark = pytest.mark.usefixtures("table")


def test_the_help_sheet_is_a_page_too_which_has_nothing_to_close():
    assert "/help/keys" in [link["href"] for link in Html(Client().get("/about")).all("a")]
    page = Html(Client().get("/help/keys"))
    dialog = Html(Client().get("/help/keys", headers=HTMX))
    for sheet in (page, dialog):
        assert "j Next post" in [row.text for row in sheet.all("tr")]
    assert page.all("html")
    assert not page.all("button", data_close_modal="")
    assert not dialog.all("html")
    assert dialog.one("button", data_close_modal="").text == "Close"
