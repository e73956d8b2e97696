"""The page of opened models breaks no rule of axe-core, is never too wide, and needs no script to open a file."""

import json

import pytest
from playwright.sync_api import expect

from tests.operations.workbench.models import model, several

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture(autouse=True)
def debug_mode(settings) -> None:
    settings.DEBUG = True


def test_a_model_that_was_opened_breaks_no_rule_on_any_screen(signed_in, alice, look):
    page = signed_in(alice)
    page.goto("/dev/workbench")
    problems = look(page)
    content = json.dumps(model("2.0", *several(), Description="Who has which book.")).encode()
    file = {"name": "library.json", "mimeType": "application/json", "buffer": content}
    page.get_by_label("File with a model").set_input_files(files=[file])
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_text("its data are in 2 tables")).to_be_visible()
    expect(page.get_by_role("heading", name="Facet Book")).to_be_visible()
    assert problems + look(page) == []
