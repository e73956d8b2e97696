"""Where the way to a report is: in the menu of a post that is not one's own, and in that of a person."""

import pytest
from django.test import Client

from moderation.cases.reads import read_case
from relations.blocks.writes import block
from relations.follows.writes import follow
from tests.conftest import post
from tests.moderation.cases import about
from tests.web.html import Html

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def entries(response) -> list[str]:
    """Where the menus of posts lead, besides saving."""
    html = Html(response)
    links = [link["href"] for link in html.all("a") if "hx-get" in link.attributes]
    return [
        link
        for link in links
        if "/posts/" in link and not link.endswith("/reply") and "/save" not in link
    ]


@pytest.mark.parametrize("page", ["/", "/local", "/@bob", "/@bob/posts/{post_id}"])
def test_the_post_of_somebody_else_can_be_reported(alice, bob, log_in, drain_stream, page):
    follow(by=alice, user_id=bob.user_id)
    post_id = post(bob)
    drain_stream()
    response = log_in(alice).get(page.format(post_id=post_id))
    assert entries(response) == [f"/@bob/posts/{post_id}/report"]


def test_ones_own_is_deleted_instead(alice, log_in):
    post_id = post(alice)
    entries_of_own = ("edit", "pin", "replies", "audience", "delete")
    own = [f"/@alice/posts/{post_id}/{what}" for what in entries_of_own]
    assert entries(log_in(alice).get("/@alice")) == own


def test_visitors_have_no_menu(bob):
    post(bob)
    assert entries(Client().get("/@bob")) == []
    assert not Html(Client().get("/@bob")).all("details", class_="menu")


def test_a_person_is_reported_from_their_page(alice, bob, log_in):
    menu = [link["href"] for link in Html(log_in(alice).get("/@bob")).all("a", class_="danger")]
    assert menu == ["/@bob/block", "/@bob/report"]
    assert "/@alice/report" not in log_in(alice).get("/@alice").content.decode()


def test_whom_one_blocks_too(alice, bob, log_in):
    block(by=alice, user_id=bob.user_id)
    browser = log_in(alice)
    (link,) = Html(browser.get("/@bob")).all("a", href="/@bob/report")
    assert link["hx-get"] == link["href"]
    assert browser.post("/@bob/report", {"reason": "spam"}).status_code == 302
    assert read_case(about(bob)).reports == 1


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_report_costs_three_calls_to_ask_for_and_six_to_file(alice, bob, log_in, measure):
    browser, post_id = log_in(alice), post(bob)
    path = f"/@bob/posts/{post_id}/report"
    with measure() as meter:
        browser.get(path)
    asked = [call.operation for call in meter.calls]
    assert asked == ["BatchGetItem"] * 3  # the viewer, the post, what is between the two
    with measure() as meter:
        browser.post(path, {"reason": "spam"})
    filed = [call.operation for call in meter.calls][3:]
    assert filed == ["TransactWriteItems", "BatchGetItem", "TransactWriteItems"]
    assert [call.units for call in meter.calls][3:] == [2, 4, 9]
