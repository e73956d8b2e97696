"""Toasts: good news goes when trouble comes, and trouble stays."""

import pytest
from playwright.sync_api import expect

from socialsite.table import Unavailable
from tests.browser import steps

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def test_good_news_goes_when_trouble_comes(alice, signed_in, monkeypatch, watch):
    watch.expect("422", "503")

    def fail(**_: object) -> None:
        raise Unavailable

    page = signed_in(alice)
    page.goto("/")
    steps.write(page, "Good news")
    expect(steps.card(page, "Good news")).to_be_visible()
    expect(steps.toast(page)).to_contain_text("Post published.")
    with page.expect_response("**/posts") as answer:
        steps.write(page, "x" * 1100)
    assert answer.value.status == 422
    expect(page.get_by_role("alert")).to_be_visible()
    expect(steps.toast(page), "a refused form ends it").to_have_text("")

    steps.write(page, "More of it")
    expect(steps.toast(page)).to_contain_text("Post published.")
    monkeypatch.setattr("feed.likes.views.like_post", fail)
    steps.heart(steps.card(page, "Good news")).click()
    expect(steps.toast(page)).to_contain_text("We can’t save this right now.")
    expect(steps.toast(page), "a fault ends it").not_to_contain_text("Post published.")
