"""Toasts: good news goes when trouble comes, and trouble stays."""

import pytest
from playwright.sync_api import Page, expect

from socialsite.table.errors import Unavailable
from tests.browser import steps

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture
def page(alice, signed_in) -> Page:
    """Alice's home, on which a toast says that her post is out."""
    page = signed_in(alice)
    page.goto("/")
    steps.write(page, "Good news")
    expect(steps.toast(page)).to_contain_text("Post published.")
    return page


def test_good_news_goes_when_a_fault_comes(page, monkeypatch, watch):
    watch.expect("503")

    def fail(**_: object) -> None:
        raise Unavailable

    monkeypatch.setattr("feed.services.like_post.like_post", fail)
    steps.heart(steps.card(page, "Good news")).click()
    expect(steps.toast(page)).to_contain_text("We can’t save this right now.")
    expect(steps.toast(page)).not_to_contain_text("Post published.")


def test_good_news_goes_when_a_form_is_refused(page, watch):
    watch.expect("422")
    with page.expect_response("**/posts") as answer:
        steps.write(page, "x" * 1100)
    assert answer.value.status == 422
    expect(steps.toast(page)).to_have_text("")
