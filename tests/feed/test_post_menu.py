"""The menu of a post: links to pages that work by themselves, and lead back to where the menu was."""

import pytest
from django.http import HttpResponse

from tests.conftest import post
from tests.relations.relations import ON
from tests.web.html import Html


def entries(response: HttpResponse) -> dict[str, str]:
    """Where the menu of the one post on the page leads, by the words of its entries."""
    links = Html(response).all("a")
    copy = next(place for place, link in enumerate(links) if "data-copy" in link.attributes)
    last = next(
        place
        for place, link in enumerate(links)
        if place > copy and link["href"].endswith(("/delete", "/report"))
    )
    return {link.text: link["href"] for link in links[copy : last + 1]}


def test_ones_own_post_can_be_copied_quoted_saved_changed_and_deleted(alice, log_in):
    post(alice)
    assert list(entries(log_in(alice).get("/@alice"))) == [
        *("Copy link", "Quote post", "Edit post", "Pin to your profile"),
        *("Who can reply…", "Who can see this…", "Delete post"),
    ]


def test_the_link_to_copy_leads_to_the_post(alice, bob, log_in):
    post_id = post(bob)
    assert entries(log_in(alice).get("/@bob"))["Copy link"] == f"/@bob/posts/{post_id}"


@pytest.mark.parametrize("entry", ["Mute @bob…", "Block @bob…"])
def test_muting_and_blocking_lead_back_to_the_page_without_the_post(
    alice, bob, log_in, drain_stream, entry
):
    post(bob)
    drain_stream()
    browser = log_in(alice)
    address = entries(browser.get("/local?from=here"))[entry]
    form = Html(browser.get(address)).one("form", class_="confirm")
    answer = browser.post(form["action"], ON | {"length": "7d"})
    assert answer["Location"] == "/local?from=here"
    assert Html(browser.get(answer["Location"])).post_ids() == []


def test_blocking_on_the_page_of_a_post_leads_to_the_profile(alice, bob, log_in):
    browser = log_in(alice)
    address = entries(browser.get(f"/@bob/posts/{post(bob)}"))["Block @bob…"]
    form = Html(browser.get(address)).one("form", class_="confirm")
    assert browser.post(form["action"], ON)["Location"] == "/@bob"
